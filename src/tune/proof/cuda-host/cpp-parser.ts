// In: the text of an emitted CUDA host function and of its helpers. Out: their syntax. The one idea: a
// recursive-descent parser (precedence climbing for operators) of the C++ that `emit/host/cuda-launcher.ts` writes:
// integers, floating-point numbers, pointers, `dim3`, `if`, `for`, lambdas without parameters and kernel launches.
// Anything else is an error, so that a text which this does not understand is never taken for a right one.
import { binaryLevels } from '../../../base/index.ts'

/** What values are of; pointers to anything are `pointer`, types without arithmetic keep their names. */
export type CppType =
  | { readonly kind: 'number'; readonly name: NumberName }
  | { readonly kind: 'pointer' }
  | { readonly kind: 'named'; readonly name: string }

export const numberNames = ['bool', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64'] as const
export type NumberName = (typeof numberNames)[number]

export type CppExpr =
  | { readonly kind: 'number'; readonly type: NumberName; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly op: string; readonly of: CppExpr }
  | { readonly kind: 'binary'; readonly op: string; readonly left: CppExpr; readonly right: CppExpr }
  | { readonly kind: 'choice'; readonly condition: CppExpr; readonly then: CppExpr; readonly else: CppExpr }
  | { readonly kind: 'cast'; readonly type: CppType; readonly of: CppExpr }
  | { readonly kind: 'call'; readonly name: string; readonly type?: CppType; readonly args: readonly CppExpr[] }
  | {
      readonly kind: 'launch'
      readonly kernel: string
      readonly how: readonly CppExpr[]
      readonly args: readonly CppExpr[]
    }
  | { readonly kind: 'lambda'; readonly body: readonly CppStmt[] }
  | { readonly kind: 'list'; readonly of: readonly CppExpr[] }

export type CppStmt =
  | { readonly kind: 'declare'; readonly type: CppType; readonly name: string; readonly value?: CppExpr }
  | { readonly kind: 'if'; readonly condition: CppExpr; readonly then: readonly CppStmt[] }
  | {
      readonly kind: 'for'
      readonly first: CppStmt
      readonly condition: CppExpr
      readonly next: CppExpr
      readonly body: readonly CppStmt[]
    }
  | { readonly kind: 'return'; readonly value: CppExpr }
  | { readonly kind: 'block'; readonly body: readonly CppStmt[] }
  | { readonly kind: 'expression'; readonly of: CppExpr }

export interface CppParameter {
  readonly type: CppType
  readonly name: string
  readonly isReference: boolean
}

export interface CppFunction {
  readonly name: string
  readonly parameters: readonly CppParameter[]
  readonly body: readonly CppStmt[]
}

/** The text is not of the subset, or no correct use of CUDA. */
export class CppError extends Error {}

/** What C++ leaves undefined is computed. */
export class CppUndefined extends CppError {
  readonly isShift: boolean

  constructor(message: string, isShift = false) {
    super(message)
    this.isShift = isShift
  }
}

/** Longer spellings stand before their beginnings. */
const token = new RegExp(
  [
    /\s+|\/\/[^\n]*/, // skipped
    /(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\w*/,
    /(?:std::)?[A-Za-z_]\w*/,
    /<<<|>>>|<<|>>|&&|\|\||[<>=!]=|\+=|[-+*/%&|^!~<>=?:;,(){}[\]]/,
  ]
    .map((r) => r.source)
    .join('|'),
  'y',
)

function tokensOf(text: string): readonly string[] {
  const found: string[] = []
  for (token.lastIndex = 0; token.lastIndex < text.length; ) {
    const at = token.lastIndex,
      [m] = token.exec(text) ?? []
    if (m === undefined) throw new CppError(`'${text.slice(at, at + 20)}' is no token`)
    if (!/^(?:\s|\/\/)/.test(m)) found.push(m)
  }
  return found
}

const numberTypes: Readonly<Record<string, NumberName>> = {
  bool: 'bool',
  int: 'i32',
  unsigned: 'u32',
  'long long': 'i64',
  'unsigned long long': 'u64',
  size_t: 'u64',
  float: 'f32',
  double: 'f64',
  __half: 'f16',
}
const typeWords: ReadonlySet<string> = new Set([
  ...['const', 'signed', 'unsigned', 'char', 'short', 'int', 'long', 'float', 'double', 'bool', 'void', 'auto'],
  ...['size_t', '__half', 'dim3', 'cudaError_t', 'cudaStream_t'],
])
const namedCasts: ReadonlySet<string> = new Set(['reinterpret_cast', 'const_cast', 'static_cast'])

class Parser {
  private at = 0
  private readonly tokens: readonly string[]

  constructor(tokens: readonly string[]) {
    this.tokens = tokens
  }

  private get next(): string {
    return this.tokens[this.at] ?? 'the end'
  }

  private taken(): string {
    const t = this.next
    this.at++
    return t
  }

  private takes(t: string): boolean {
    if (this.next !== t) return false
    this.at++
    return true
  }

  private expect(t: string): void {
    if (!this.takes(t))
      throw new CppError(`${t} is missing before ${this.tokens.slice(this.at, this.at + 8).join(' ')}`)
  }

  /** `TYPE NAME(PARAMETERS) { … }`. */
  function(): CppFunction {
    this.type()
    const name = this.taken()
    this.expect('(')
    const parameters = this.listed(')', () => this.parameter())
    return { name, parameters, body: this.block() }
  }

  private parameter(): CppParameter {
    const type = this.type(),
      isReference = this.takes('&')
    return { type, name: this.taken(), isReference }
  }

  private listed<T>(end: string, item: () => T): readonly T[] {
    const items: T[] = []
    while (!this.takes(end)) {
      if (items.length > 0) this.expect(',')
      items.push(item())
    }
    return items
  }

  private type(): CppType {
    const words: string[] = []
    while (typeWords.has(this.next)) words.push(this.taken())
    if (words.length === 0) throw new CppError(`${this.next} is no type`)
    let pointers = 0
    while (this.takes('*')) pointers++
    const name = words.filter((w) => w !== 'const').join(' ')
    if (pointers > 0) return { kind: 'pointer' }
    const number = numberTypes[name]
    return number ? { kind: 'number', name: number } : { kind: 'named', name }
  }

  private block(): readonly CppStmt[] {
    this.expect('{')
    const body: CppStmt[] = []
    while (!this.takes('}')) body.push(...this.statement())
    return body
  }

  private body(): readonly CppStmt[] {
    return this.next === '{' ? this.block() : this.statement()
  }

  private statement(): readonly CppStmt[] {
    if (this.next === '{') return [{ kind: 'block', body: this.block() }]
    if (this.takes('if')) {
      const condition = this.inParentheses()
      return [{ kind: 'if', condition, then: this.body() }]
    }
    if (this.takes('for')) return [this.loop()]
    if (this.takes('return')) {
      const value = this.expression()
      this.expect(';')
      return [{ kind: 'return', value }]
    }
    if (typeWords.has(this.next)) return this.declarations()
    const of = this.expression()
    this.expect(';')
    return [{ kind: 'expression', of }]
  }

  private loop(): CppStmt {
    this.expect('(')
    const [first, ...more] = this.declarations()
    if (!first || more.length > 0) throw new CppError('a loop declares one variable')
    const condition = this.expression()
    this.expect(';')
    const next = this.expression()
    this.expect(')')
    return { kind: 'for', first, condition, next, body: this.body() }
  }

  private declarations(): readonly CppStmt[] {
    const type = this.type(),
      found: CppStmt[] = []
    do {
      const name = this.taken()
      if (this.takes('[')) this.expect(']')
      found.push({ kind: 'declare', type, name, ...(this.takes('=') && { value: this.initializer() }) })
    } while (this.takes(','))
    this.expect(';')
    return found
  }

  private initializer(): CppExpr {
    if (this.takes('{')) return { kind: 'list', of: this.listed('}', () => this.assignment()) }
    return this.assignment()
  }

  private inParentheses(): CppExpr {
    this.expect('(')
    const e = this.expression()
    this.expect(')')
    return e
  }

  /** With the comma operator. */
  private expression(): CppExpr {
    const left = this.assignment()
    return this.takes(',') ? { kind: 'binary', op: ',', left, right: this.expression() } : left
  }

  private assignment(): CppExpr {
    const left = this.choice()
    if (this.next !== '=' && this.next !== '+=') return left
    return { kind: 'binary', op: this.taken(), left, right: this.assignment() }
  }

  private choice(): CppExpr {
    const condition = this.binary(0)
    if (!this.takes('?')) return condition
    const then = this.expression()
    this.expect(':')
    return { kind: 'choice', condition, then, else: this.assignment() }
  }

  private binary(level: number): CppExpr {
    const ops = binaryLevels[level]
    if (!ops) return this.unary()
    let left = this.binary(level + 1)
    while (ops.includes(this.next)) left = { kind: 'binary', op: this.taken(), left, right: this.binary(level + 1) }
    return left
  }

  private unary(): CppExpr {
    if (['-', '!', '~', '&', '*'].includes(this.next)) return { kind: 'unary', op: this.taken(), of: this.unary() }
    if (this.next === '(' && typeWords.has(this.tokens[this.at + 1] ?? '')) {
      this.expect('(')
      const type = this.type()
      this.expect(')')
      return { kind: 'cast', type, of: this.unary() }
    }
    return this.primary()
  }

  private primary(): CppExpr {
    if (this.next === '(') return this.inParentheses()
    const first = this.taken()
    if (/^[\d.]/.test(first)) return numberOf(first)
    if (first === '[') return this.lambda()
    if (!/^(?:std::)?[A-Za-z_]/.test(first)) throw new CppError(`${first} begins no expression`)
    if (namedCasts.has(first)) {
      this.expect('<')
      const type = this.type()
      this.expect('>')
      return { kind: 'cast', type, of: this.inParentheses() }
    }
    return this.afterName(first)
  }

  private lambda(): CppExpr {
    for (const t of ['&', ']', '(', ')']) this.expect(t)
    return { kind: 'lambda', body: this.block() }
  }

  private afterName(name: string): CppExpr {
    if (this.takes('<<<')) {
      const how = this.listed('>>>', () => this.assignment())
      this.expect('(')
      return { kind: 'launch', kernel: name, how, args: this.listed(')', () => this.assignment()) }
    }
    const hasType = name.startsWith('std::') && this.takes('<')
    const type = hasType ? this.type() : undefined
    if (hasType) this.expect('>')
    if (!this.takes('(')) return { kind: 'name', name }
    return { kind: 'call', name, ...(type && { type }), args: this.listed(')', () => this.assignment()) }
  }
}

/** A literal; its suffix says the type. */
function numberOf(text: string): CppExpr {
  const [, digits = '', suffix = ''] = /^([\d.]+(?:[eE][+-]?\d+)?)(\w*)$/.exec(text) ?? []
  const isFloat = /[.eE]/.test(digits)
  const types: Readonly<Record<string, NumberName>> = isFloat
    ? { '': 'f64', f: 'f32' }
    : { '': BigInt(digits) > 0x7fffffffn ? 'i64' : 'i32', u: 'u32', ll: 'i64', ull: 'u64' }
  const type = types[suffix.toLowerCase()]
  if (!type) throw new CppError(`${text} is no number`)
  return { kind: 'number', type, text: digits }
}

/**
 * The functions of a CUDA file that run on the host, each with a body: those that stand at the beginning of a line as
 * `static bool NAME(…)` or `extern "C" cudaError_t NAME(…)`. Throws a `CppError` where one is not of the subset.
 */
export function hostFunctions(text: string): readonly CppFunction[] {
  return [...text.matchAll(/^(?:static|extern "C") ((?:bool|cudaError_t) \w+\([^]*?^\})/gm)].map(([, f]) =>
    new Parser(tokensOf(f!)).function(),
  ) // the group is there
}
