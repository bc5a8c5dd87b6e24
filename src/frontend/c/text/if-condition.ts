// In: the expanded tokens of an `#if`. Out: its integer value. The one idea: a precedence climb over integers in which
// every unknown name is 0, as C says. `defined` was replaced before.
import { fail, type Span } from '../../../base/index.ts'
import type { Token } from './tokens.ts'

const levels: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
}

function apply(sign: string, a: number, b: number, at: Span): number {
  switch (sign) {
    case '||':
      return +(a !== 0 || b !== 0)
    case '&&':
      return +(a !== 0 && b !== 0)
    case '|':
      return a | b
    case '^':
      return a ^ b
    case '&':
      return a & b
    case '==':
      return +(a === b)
    case '!=':
      return +(a !== b)
    case '<':
      return +(a < b)
    case '>':
      return +(a > b)
    case '<=':
      return +(a <= b)
    case '>=':
      return +(a >= b)
    case '<<':
      return a << b
    case '>>':
      return a >> b
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
    case '%':
      if (b === 0) return fail('c.preprocessor', 'division by zero in #if', at)
      return sign === '/' ? Math.trunc(a / b) : a % b
    default:
      return fail('c.preprocessor', `unexpected ${sign} in #if`, at)
  }
}

/** The value of the expression; throws a `DiagnosticError` at `at` when it is none. */
export function evaluateCondition(tokens: readonly Token[], at: Span): number {
  let position = 0,
    depth = 0
  const take = (): string | undefined => tokens[position++]?.text
  const bad = (): never =>
    fail(
      'c.preprocessor',
      'the expression after #if is not understood',
      tokens[position]?.at ?? at,
      'use integers, names, defined(NAME) and C operators',
    )
  const primary = (): number => {
    if (++depth > 200) bad()
    const text = take()
    depth--
    if (text === undefined) return bad()
    if (text === '(') {
      depth++
      const v = ternary()
      depth--
      return take() === ')' ? v : bad()
    }
    if (text === '!') return +(primary() === 0)
    if (text === '-') return -primary()
    if (text === '+') return primary()
    if (text === '~') return ~primary()
    if (/^\d/.test(text)) {
      const v = integerValue(text)
      return v === undefined ? bad() : v
    }
    return /^[A-Za-z_]/.test(text) ? 0 : bad()
  }
  const binary = (level: number): number => {
    let left = primary()
    for (;;) {
      const sign = tokens[position]?.text ?? '',
        found = levels[sign]
      if (found === undefined || found < level) return left
      position++
      left = apply(sign, left, binary(found + 1), at)
    }
  }
  const ternary = (): number => {
    const c = binary(1)
    if (tokens[position]?.text !== '?') return c
    position++
    const a = ternary()
    if (take() !== ':') bad()
    const b = ternary()
    return c !== 0 ? a : b
  }
  const value = ternary()
  return position === tokens.length ? value : bad()
}

/** The value of a C integer literal (decimal, hexadecimal, octal, binary; suffixes ignored), or undefined. */
export function integerValue(text: string): number | undefined {
  const m = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)([uU]?[lL]{0,2}|[lL]{1,2}[uU])$/.exec(text)
  if (!m) return undefined
  const digits = m[1]!
  return /^0[0-7]+$/.test(digits) ? parseInt(digits, 8) : Number(digits)
}
