// In: C source text. Out: its preprocessing tokens, line by line, with the place of each. The one idea: comments and
// line splices vanish here, so that nothing later needs to know them. It does not interpret directives.
import { anyOf, fail, type Span } from '../../../base/index.ts'

export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'sign'
  readonly text: string
  readonly at: Span
  /** White space stands before it. */
  readonly spaced: boolean
  /** Macros that must not be expanded in it again. */
  readonly hidden?: ReadonlySet<string>
  /** The object-like macro that this number is the whole value of. */
  readonly macro?: string
}

/** Tokens of one logical line; `directive` when it begins with `#` (which is left out). */
export interface TokenLine {
  readonly directive: boolean
  readonly tokens: readonly Token[]
  readonly at: Span
}

/** What C's text is made of; the kind of a piece is the number of its group. */
const pattern = anyOf(
  [
    /([ \t\f\v\r]+|\\\r?\n)/, // 1: blanks and lines that go on
    /(\n)/, // 2: the end of a line
    /(\/\/(?:\\\r?\n|[^\n])*)/, // 3, 4: comments
    /(\/\*[\s\S]*?\*\/)/,
    /([A-Za-z_]\w*)/, // 5: names
    /(\.?\d(?:[eEpP][+-]|[\w.])*)/, // 6: numbers, as the preprocessor takes them
    /("(?:[^"\\\n]|\\(?:\r?\n|.))*"|'(?:[^'\\\n]|\\.)*')/, // 7: strings and characters
    /(##|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}[\]#])/, // 8: signs
  ],
  'y',
)

/** Largest source file taken, in UTF-16 units. */
const maxSource = 4_000_000

/** Splits `text` into logical lines. Throws a `DiagnosticError` for characters that are not C. */
export function tokenLines(text: string, file: string): TokenLine[] {
  if (text.length > maxSource)
    fail('c.size', `the file has more than ${maxSource} characters`, { file, line: 1, column: 1 })
  const result: TokenLine[] = []
  let tokens: Token[] = [],
    lineStart = 0,
    lineNumber = 1,
    spaced = false,
    p = 0
  const re = new RegExp(pattern.source, 'y')
  const place = (): Span => ({ file, line: lineNumber, column: p - lineStart + 1 })
  const flush = (): void => {
    const first = tokens[0]
    if (first)
      result.push(
        first.text === '#'
          ? { directive: true, tokens: tokens.slice(1), at: first.at }
          : { directive: false, tokens, at: first.at },
      )
    tokens = []
  }
  while (p < text.length) {
    re.lastIndex = p
    const m = re.exec(text)
    if (!m) fail('c.character', `unexpected character ${JSON.stringify(text[p])}`, place())
    const kind =
      m[5] !== undefined
        ? 'name'
        : m[6] !== undefined
          ? 'number'
          : m[7] !== undefined
            ? 'string'
            : m[8] !== undefined
              ? 'sign'
              : undefined
    if (m[2] !== undefined) flush()
    if (kind) tokens.push({ kind, text: m[0], at: { ...place(), length: m[0].length }, spaced })
    spaced = kind === undefined
    for (let i = 0; i < m[0].length; i++)
      if (m[0][i] === '\n') {
        lineNumber++
        lineStart = p + i + 1
      }
    p += m[0].length
  }
  flush()
  return result
}
