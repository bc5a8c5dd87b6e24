// In: PTX text. Out: tokens one at a time, with their lines. The one idea: token kinds are told apart by one character,
// texts are cut from the source only where somebody wants them, and comments vanish here.
import { fail, type Span } from '../../../base/index.ts'
import type { Literal } from './syntax.ts'

const code = (c: string): number => c.charCodeAt(0)
const [newline, slash, star, quote, backslash] = [10, code('/'), code('*'), code('"'), code('\\')]

/**
 * Bit 1: may be inside a word; bit 2: white space. Words hold letters, digits and `_ $ % . @`-free; `::` joins
 * modifiers.
 */
const classes = new Uint8Array(128)
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%.') classes[code(c)] = 1
for (const c of ' \t\r\n\f\v') classes[code(c)] = 2

const literal32 = new DataView(new ArrayBuffer(8))

export class Scanner {
  readonly text: string
  readonly file: string
  /** Next character, and its line from 1. */
  at: number
  line: number
  private readonly end: number

  constructor(text: string, file: string, from = 0, to = text.length, line = 1) {
    this.text = text
    this.file = file
    this.at = from
    this.end = to
    this.line = line
  }

  /** Passes blanks and comments; the next character's code, or −1 at the end. */
  peek(): number {
    const { text } = this
    for (;;) {
      if (this.at >= this.end) return -1
      const c = text.charCodeAt(this.at)
      if (c < 128 && classes[c] === 2) {
        if (c === newline) this.line++
        this.at++
      } else if (c === slash && text.charCodeAt(this.at + 1) === slash) this.lineComment()
      else if (c === slash && text.charCodeAt(this.at + 1) === star) this.blockComment()
      else return c
    }
  }

  private lineComment(): void {
    const next = this.text.indexOf('\n', this.at)
    this.at = next < 0 || next > this.end ? this.end : next
  }

  private blockComment(): void {
    const close = this.text.indexOf('*/', this.at + 2)
    if (close < 0) this.fail('a comment is not closed')
    for (let i = this.at; i < close; i++) if (this.text.charCodeAt(i) === newline) this.line++
    this.at = close + 2
  }

  /** Passes the character `c` if it is next. */
  accept(c: string): boolean {
    if (this.peek() !== c.charCodeAt(0)) return false
    this.at++
    return true
  }

  expect(c: string): void {
    if (!this.accept(c)) this.fail(`expected '${c}', found ${this.describe()}`)
  }

  /** A word of letters, digits, `_`, `$`, `%`, `.` and `::`; empty when none is next. */
  word(): string {
    this.peek()
    const { text } = this
    const from = this.at
    let i = from
    for (; i < this.end; i++) {
      const c = text.charCodeAt(i)
      if (c < 128 && classes[c] === 1) continue
      if (c === 58 && text.charCodeAt(i + 1) === 58) {
        i++
        continue
      }
      break
    }
    this.at = i
    return text.slice(from, i)
  }

  name(): string {
    const word = this.word()
    return word === '' ? this.fail(`expected a name, found ${this.describe()}`) : word
  }

  /** A whole number with an optional sign. */
  integer(): number {
    const negative = this.accept('-')
    const small = this.digits()
    if (small >= 0) return negative ? -small : small
    const word = this.name()
    const n = Number(literalOf(word)?.bits ?? this.fail(`expected a number, found '${word.slice(0, 40)}'`))
    return negative ? -n : n
  }

  /** A short decimal number without any other spelling; −1, and nothing passed, when something else is next. */
  private digits(): number {
    let n = 0,
      i = this.at
    for (; i < this.end && i < this.at + 9; i++) {
      const c = this.text.charCodeAt(i) - 48
      if (c < 0 || c > 9) break
      n = 10 * n + c
    }
    const next = this.text.charCodeAt(i)
    const plain =
      i > this.at && !(next < 128 && classes[next] === 1) && (i === this.at + 1 || this.text.charCodeAt(this.at) !== 48)
    if (!plain) return -1
    this.at = i
    return n
  }

  string(): string {
    if (this.peek() !== quote) this.fail(`expected a text in quotes, found ${this.describe()}`)
    const from = ++this.at
    for (; this.at < this.end; this.at++) {
      const c = this.text.charCodeAt(this.at)
      if (c === backslash) this.at++
      else if (c === newline) break
      else if (c === quote) return this.text.slice(from, this.at++)
    }
    return this.fail('a text in quotes is not closed')
  }

  /** Passes everything up to the end of the line. */
  skipLine(): void {
    this.lineComment()
  }

  /** Passes a balanced `{ … }` whose opening brace is next. Gives where its inside begins and ends. */
  skipBraces(): { from: number; to: number; line: number } {
    this.expect('{')
    const inside = { from: this.at, to: 0, line: this.line }
    for (let depth = 1; ; ) {
      const c = this.peek()
      if (c < 0) this.fail('a { is not closed')
      if (c === quote) {
        this.string()
        continue
      }
      this.at++
      if (c === 123) depth++
      else if (c === 125 && --depth === 0) break
    }
    inside.to = this.at - 1
    return inside
  }

  describe(): string {
    const c = this.peek()
    if (c < 0) return 'the end of the text'
    const at = this.at
    const word = this.word()
    this.at = at
    return `'${(word || this.text.slice(at, at + 1)).slice(0, 40)}'`
  }

  span(): Span {
    const start = this.text.lastIndexOf('\n', Math.max(0, this.at - 1)) + 1
    return { file: this.file, line: this.line, column: Math.max(1, this.at - start + 1) }
  }

  fail(message: string): never {
    return fail('ptx.syntax', message, this.span())
  }
}

/**
 * The literal that a word spells, or null: decimal, hexadecimal, octal, binary, `0f`/`0d` bit patterns, decimal floats.
 */
export function literalOf(word: string): Literal | null {
  const c = word.charCodeAt(0)
  if (c < 48 || c > 57) return null
  if (/^\d{1,15}$/.test(word) && (c !== 48 || word.length === 1)) return { kind: 'literal', bits: BigInt(word) }
  const float = /^0[fFdD]([0-9a-fA-F]{8}|[0-9a-fA-F]{16})$/.exec(word)
  if (float) return { kind: 'literal', bits: BigInt(`0x${float[1]!}`), float: float[1]!.length === 8 ? 32 : 64 }
  const whole = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)U?$/.exec(word)
  if (whole)
    return word.length > 24 && !/^0[bB]/.test(word)
      ? null
      : { kind: 'literal', bits: BigInt.asUintN(64, BigInt(octal(whole[1]!))) }
  if (!/^\d+\.\d*([eE]\d+)?$|^\d+[eE]\d+$/.test(word)) return null
  literal32.setFloat64(0, Number(word))
  return { kind: 'literal', bits: literal32.getBigUint64(0), float: 64 }
}

const octal = (word: string): string => (/^0[0-7]+$/.test(word) ? `0o${word.slice(1)}` : word)
