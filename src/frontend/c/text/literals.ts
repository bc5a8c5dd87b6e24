// In: the text of a number, character or string of C. Out: the expression that it stands for, with the type that C
// gives it.
import type { Span } from '../../../base/index.ts'
import { bytesOfText } from './characters.ts'
import { integerValue } from './if-condition.ts'
import type { CExpr } from './syntax.ts'

/** The number that `text` writes; `macro`: whose text it comes from. */
export function numberLiteral(text: string, at: Span, macro: string | undefined): CExpr {
  const whole = integerValue(text)
  if (whole !== undefined) {
    const type = literalType(text, whole),
      digits = text.replace(/[uUlL]+$/, '')
    const exact = Number.isSafeInteger(whole)
      ? undefined
      : BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits)
    return { kind: 'number', value: whole, type, at, ...(exact !== undefined && { exact }), ...(macro && { macro }) }
  }
  const single = /[fF]$/.test(text) && (!/^0x/i.test(text) || /p/i.test(text))
  const value = /^0x/i.test(text) ? hexadecimal(text) : Number(text.replace(/[fFlL]$/, ''))
  if (Number.isNaN(value)) return { kind: 'unknown', what: `the number ${text}`, at }
  return { kind: 'number', value: single ? Math.fround(value) : value, type: single ? 'f32' : 'double', at }
}

/** `'x'`, with its quotes. */
export function characterLiteral(text: string, at: Span): CExpr {
  const bytes = bytesOfText(text.replace(/^[^']*'|'$/g, ''))
  return bytes?.length !== 1
    ? { kind: 'unknown', what: 'this character constant', at }
    : { kind: 'number', value: bytes[0]!, type: 'i32', at } // it has one
}

/** The bytes of a string that an array starts with, and the 0 behind them. */
export function stringLiteral(text: string, at: Span): CExpr {
  const bytes = bytesOfText(text.replace(/^[^"]*"|"$/g, ''))
  if (!bytes) return { kind: 'unknown', what: 'this string', at }
  const items = [...bytes, 0].map((value): CExpr => ({ kind: 'number', value, type: 'i32', at }))
  return { kind: 'list', items, isText: true, at }
}

/**
 * The first type of C's list for this integer literal that holds it; without a suffix only those that are not decimal
 * may be unsigned.
 */
function literalType(text: string, value: number): 'i32' | 'u32' | 'i64' | 'u64' {
  const [suffix = ''] = /[uUlL]*$/.exec(text) ?? [],
    isUnsigned = /u/i.test(suffix),
    isLong = /l/i.test(suffix),
    mayBeUnsigned = isUnsigned || /^0./.test(text)
  if (!isLong && !isUnsigned && value <= 2147483647) return 'i32'
  if (!isLong && mayBeUnsigned && value <= 4294967295) return 'u32'
  return !isUnsigned && value < 2 ** 63 ? 'i64' : 'u64'
}

/** The value of `0x1.8p-3`. */
function hexadecimal(text: string): number {
  const m = /^0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)[fFlL]?$/.exec(text)
  // all groups are there
  return m && m[1]! + m[2]! !== '' ? parseInt(m[1]! + m[2]!, 16) * 2 ** (Number(m[3]) - 4 * m[2]!.length) : NaN
}
