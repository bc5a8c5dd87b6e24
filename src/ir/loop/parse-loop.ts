// In: the text of a LoopIR program, as `text-loop.ts` prints it. Out: the program (equal but for spans). Grammar at
// `parseProgram`. It does not check types beyond what parsing needs; run `verifyProgram` on the result.
import { anyOf, fail, type Span } from '../../base/index.ts'
import { op } from './build.ts'
import { ops, type OpName, type ReduceOp } from '../ops.ts'
import { infixSpelling, prefixSpelling, reduceSign } from './text-loop.ts'
import { bytesOf, registerType, type MemoryType, type ScalarType } from '../types.ts'
import type {
  ArrayDecl,
  Binding,
  Expr,
  Loop,
  LoopStmt,
  Program,
  ScalarParam,
  Size,
  HostVariable,
  GivenSize,
  DerivedSize,
  BitsSize,
  QuotientSize,
} from './loop.ts'

interface Token {
  readonly kind: 'name' | 'number' | 'sign' | 'end'
  readonly text: string
  readonly offset: number
}

/** Blanks and comments, or a piece of the text; its kind is the number of its group. */
const tokenPattern = anyOf([
  /[ \t\r\n]+|\/\/[^\n]*/,
  /(min=|max=|&&=|\|\|=|<<|>>|<=|>=|==|!=|&&|\|\||\.\.|[-+*&|^]=|[-+*/%&|^<>=!~?:,.@(){}[\]])/, // 1: signs
  /([A-Za-z_]\w*)/, // 2: names
  /(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?:ul|[ulhf])?)/, // 3: numbers with the letters of their type
])

function tokenize(text: string, at: (offset: number) => Span): Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(tokenPattern.source, 'y')
  while (pattern.lastIndex < text.length) {
    const offset = pattern.lastIndex
    const m = pattern.exec(text)
    if (!m) fail('loop-text.character', `unexpected character ${JSON.stringify(text[offset])}`, at(offset))
    const kind = m[1] !== undefined ? 'sign' : m[2] !== undefined ? 'name' : m[3] !== undefined ? 'number' : undefined
    if (kind) tokens.push({ kind, text: m[0], offset })
  }
  tokens.push({ kind: 'end', text: 'the end of the text', offset: text.length })
  return tokens
}

type Meaning =
  | { readonly kind: 'var' }
  | { readonly kind: 'size' }
  | { readonly kind: 'scalar'; readonly type: ScalarType }
  | { readonly kind: 'array'; readonly array: ArrayDecl }
type Scope = ReadonlyMap<string, Meaning>

/** Whose a size is, without what is known of any. */
type Origin =
  | Pick<GivenSize | DerivedSize | BitsSize, 'kind'>
  | Pick<QuotientSize, 'kind' | 'of' | 'by' | 'from' | 'signed'>

/** The parser is recursive: deeper nesting would overflow the stack. */
const maxDepth = 200
const memoryTypes: ReadonlySet<string> = new Set(Object.keys(bytesOf))
const scalarTypes: ReadonlySet<string> = new Set(['bool', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64'])
const infixBySign = new Map(
  Object.entries(infixSpelling).map(([name, [sign, level]]) => [sign, { name: name as OpName, level }]),
)
const reduceBySign = new Map(Object.entries(reduceSign).map(([name, sign]) => [sign as string, name as ReduceOp]))

/**
 * Reads what `printProgram` writes. `//` starts a comment. Grammar:
 *   program   := 'program' NAME '{' (size | 'host' 'variable' NAME '=' INT 'min' INT ['below' expr]
 *                | 'scalar' NAME ':' TYPE ['=' NUMBER] | 'array' decl)* stmt* '}'
 *   size      := 'size' NAME '=' INT 'min' INT ['bits' | 'derived' | 'quotient' expr 'by' INT 'from' INT ['signed']]
 *                ('where' expr)* ['fixed' | 'free'] ['counts'] ['reach' INT]
 *   decl      := NAME ':' TYPE '[' exprs ']' ('in'|'out'|'inout'|'temp') ('global'|'shared'|'private') ['pad' INT]
 *   stmt      := 'for' NAME 'in' expr '..' expr ['step' INT] ['@' binding] block | 'if' expr block ['else' block]
 *                | 'declare' decl | NAME ['[' exprs ']'] ('='|'+='|'*='|'min='|'max='|'&='|'|='|'^='|'&&='|'||=') expr
 * ['@' 'atomic']
 * Throws a `DiagnosticError` that names the place in `file`.
 */
export function parseProgram(text: string, file = 'program.loop'): Program {
  return new Parser(text, file).program()
}

class Parser {
  private position = 0
  private depth = 0
  private readonly tokens: readonly Token[]
  private readonly text: string
  private readonly file: string

  constructor(text: string, file: string) {
    this.text = text
    this.file = file
    this.tokens = tokenize(text, (offset) => this.span(offset))
  }

  private span(offset: number): Span {
    const before = this.text.slice(0, offset).split('\n')
    return { file: this.file, line: before.length, column: before[before.length - 1]!.length + 1 }
  }
  private get token(): Token {
    return this.tokens[this.position]!
  }
  private peek(n = 1): Token {
    return this.tokens[Math.min(this.position + n, this.tokens.length - 1)]!
  }
  private is(text: string): boolean {
    return this.token.text === text && this.token.kind !== 'end'
  }
  private refuse(message: string, token = this.token): never {
    return fail('loop-text.syntax', message, this.span(token.offset))
  }
  private get previous(): Token {
    return this.tokens[this.position - 1]!
  }
  private expected(what: string): never {
    return this.refuse(`expected ${what}, found ${this.token.text}`)
  }
  private accept(text: string): boolean {
    if (!this.is(text)) return false
    this.position++
    return true
  }
  private take(text: string): void {
    if (!this.accept(text)) this.expected(`"${text}"`)
  }
  private name(what: string): string {
    if (this.token.kind !== 'name') this.expected(what)
    return this.tokens[this.position++]!.text
  }
  private oneOf<T extends string>(what: string, choices: readonly T[]): T {
    const found = choices.find((c) => this.is(c))
    if (found === undefined) this.expected(`${what} (${choices.join(', ')})`)
    this.position++
    return found
  }
  private integer(): number {
    const negative = this.accept('-')
    if (this.token.kind !== 'number' || !/^\d+$/.test(this.token.text)) this.expected('an integer')
    const value = Number(this.tokens[this.position++]!.text)
    return negative ? -value : value
  }
  private type<T extends string>(known: ReadonlySet<string>): T {
    if (!known.has(this.token.text)) this.expected('a type')
    return this.tokens[this.position++]!.text as T // membership was checked
  }
  private nested<T>(body: () => T): T {
    if (++this.depth > maxDepth) this.refuse(`nesting is deeper than ${maxDepth}`)
    const result = body()
    this.depth--
    return result
  }

  program(): Program {
    const scope = new Map<string, Meaning>()
    const sizes: Size[] = [],
      hostVariables: HostVariable[] = [],
      scalars: ScalarParam[] = [],
      arrays: ArrayDecl[] = []
    this.take('program')
    const name = this.name('a program name')
    this.take('{')
    for (;;) {
      const header = this.peek(1).kind === 'name'
      if (header && this.accept('size')) sizes.push(this.size(scope))
      else if (header && this.accept('host')) hostVariables.push(this.hostVariable(scope))
      else if (header && this.accept('scalar')) scalars.push(this.scalar(scope))
      else if (header && this.accept('array')) arrays.push(this.decl(scope))
      else break
    }
    const body = this.stmts(scope)
    if (this.token.kind !== 'end') this.expected('the end of the text')
    return { name, sizes, hostVariables, scalars, arrays, body }
  }

  private size(scope: Map<string, Meaning>): Size {
    const name = this.name('a size name')
    this.take('=')
    const planned = this.integer()
    this.take('min')
    const min = this.integer()
    const origin = this.origin(scope)
    scope.set(name, { kind: 'size' })
    const where: Expr[] = []
    while (this.accept('where')) where.push(this.expr(scope))
    const fixed = this.accept('fixed') ? { fixed: true } : this.accept('free') ? { fixed: false } : {}
    const facts = {
      name,
      min,
      ...(where.length > 0 && { where }),
      planned,
      ...(this.accept('counts') && { counts: true as const }),
    }
    if (origin.kind !== 'given') return { ...facts, ...origin }
    return { ...facts, ...origin, ...fixed, ...(this.accept('reach') && { reach: this.integer() }) }
  }

  private hostVariable(scope: Map<string, Meaning>): HostVariable {
    this.take('variable')
    const name = this.name('a variable name')
    this.take('=')
    const planned = this.integer()
    this.take('min')
    const min = this.integer(),
      below = this.accept('below') ? { below: this.expr(scope) } : {}
    scope.set(name, { kind: 'size' })
    return { name, min, ...below, planned }
  }

  /** What the size is: the caller's where nothing is said. */
  private origin(scope: Map<string, Meaning>): Origin {
    if (this.accept('bits')) return { kind: 'bits' }
    if (this.accept('derived')) return { kind: 'derived' }
    return this.accept('quotient') ? this.quotient(scope) : { kind: 'given' }
  }

  private quotient(scope: Map<string, Meaning>): Origin {
    const of = this.expr(scope)
    this.take('by')
    const by = this.integer()
    this.take('from')
    return { kind: 'quotient', of, by, from: this.integer(), signed: this.accept('signed') }
  }

  private scalar(scope: Map<string, Meaning>): ScalarParam {
    const name = this.name('a scalar name')
    this.take(':')
    const type = this.type<ScalarType>(scalarTypes)
    scope.set(name, { kind: 'scalar', type })
    if (!this.accept('=')) return { name, type }
    const value = this.unary(scope)
    if (value.kind !== 'const' || typeof value.value !== 'number') this.refuse('a planned value is a number')
    return { name, type, planned: value.value }
  }

  private decl(scope: Map<string, Meaning>): ArrayDecl {
    const name = this.name('an array name')
    this.take(':')
    const type = this.type<MemoryType>(memoryTypes)
    const shape = this.list(scope)
    const role = this.oneOf('a role', ['in', 'out', 'inout', 'temp'] as const)
    const space = this.oneOf('a space', ['global', 'shared', 'private'] as const)
    const array: ArrayDecl = { name, type, shape, role, space, ...(this.accept('pad') && { pad: this.integer() }) }
    scope.set(name, { kind: 'array', array })
    return array
  }

  /** `[` expressions `]`; empty brackets are rank 0. */
  private list(scope: Scope): Expr[] {
    this.take('[')
    const items: Expr[] = []
    while (!this.accept(']')) {
      if (items.length > 0) this.take(',')
      items.push(this.expr(scope))
    }
    return items
  }

  private block(scope: Scope): LoopStmt[] {
    this.take('{')
    return this.nested(() => this.stmts(new Map(scope)))
  }

  /** Statements up to and with the closing brace; declarations enter `scope`. */
  private stmts(scope: Map<string, Meaning>): LoopStmt[] {
    const body: LoopStmt[] = []
    while (!this.accept('}')) body.push(this.stmt(scope))
    return body
  }

  private stmt(scope: Map<string, Meaning>): LoopStmt {
    const keyword =
      this.peek(1).kind === 'name' || this.peek(1).kind === 'number' || ['(', '-', '!', '~'].includes(this.peek(1).text)
    const at = this.span(this.token.offset)
    if (keyword && this.accept('for')) return { ...this.loop(scope), at }
    if (keyword && this.accept('if')) {
      const condition = this.expr(scope)
      const then = this.block(scope)
      return { kind: 'if', condition, then, else: this.accept('else') ? this.block(scope) : [], at }
    }
    if (keyword && this.accept('declare')) return { kind: 'declare', array: this.decl(scope), at }
    return { ...this.store(scope), at }
  }

  private loop(scope: Scope): Loop {
    const name = this.name('a loop name')
    this.take('in')
    const lower = this.expr(scope)
    this.take('..')
    const upper = this.expr(scope)
    const step = this.accept('step') ? this.integer() : 1
    const bind = this.binding()
    const body = this.block(new Map(scope).set(name, { kind: 'var' }))
    return { kind: 'loop', name, lower, upper, step, bind, body }
  }

  private binding(): Binding {
    if (!this.accept('@')) return { kind: 'serial' }
    const kind = this.oneOf('a binding', ['block', 'thread', 'vector', 'unroll'] as const)
    if (kind === 'block') {
      this.take('.')
      return { kind, axis: this.oneOf('an axis', ['x', 'y', 'z'] as const) }
    }
    if (kind !== 'thread') return { kind }
    this.take('(')
    const stride = this.integer()
    this.take(')')
    return { kind, stride }
  }

  private store(scope: Scope): LoopStmt {
    const array = this.name('a statement')
    if (scope.get(array)?.kind !== 'array') this.refuse(`${array} is no array that is declared here`, this.previous)
    const index = this.is('[') ? this.list(scope) : []
    const sign = this.token.text
    const reduce = sign === '=' ? null : reduceBySign.get(sign)
    if (reduce === undefined) this.expected('"=" or a reduction such as "+="')
    this.position++
    const value = this.expr(scope)
    const atomic = reduce !== null && this.accept('@')
    if (atomic && !this.accept('atomic')) this.expected('"atomic"')
    return { kind: 'store', array, index, reduce, ...(atomic && { atomic }), value }
  }

  private expr(scope: Scope): Expr {
    return this.nested(() => {
      const condition = this.binary(scope, 1)
      if (!this.accept('?')) return condition
      const then = this.expr(scope)
      this.take(':')
      const otherwise = this.expr(scope)
      return { kind: 'choose', type: then.type, condition, then, else: otherwise }
    })
  }

  private binary(scope: Scope, level: number): Expr {
    let left = this.unary(scope)
    for (;;) {
      const sign = this.token.kind === 'sign' ? infixBySign.get(this.token.text) : undefined
      if (!sign || sign.level < level) return left
      this.position++
      left = op(sign.name, [left, this.binary(scope, sign.level + 1)])
    }
  }

  private unary(scope: Scope): Expr {
    return this.nested(() => {
      if (
        this.is('-') &&
        (this.peek().kind === 'number' || (scalarTypes.has(this.peek().text) && this.peek(2).text === '.'))
      ) {
        this.position++
        const e = this.primary(scope)
        if (e.kind !== 'const') this.refuse('expected a number after "-"')
        return { ...e, value: -e.value }
      }
      const found = Object.entries(prefixSpelling).find(([, sign]) => this.is(sign))
      if (!found) return this.primary(scope)
      this.position++
      return op(found[0] as OpName, [this.unary(scope)])
    })
  }

  private primary(scope: Scope): Expr {
    if (this.accept('(')) {
      const e = this.expr(scope)
      this.take(')')
      return e
    }
    if (this.token.kind === 'number') return numberConst(this.tokens[this.position++]!.text)
    const text = this.name('an expression')
    if (this.is('(') && !scope.has(text)) return this.call(text, scope)
    if (this.is('.') && scalarTypes.has(text)) {
      this.position++
      const value = this.oneOf('a value', ['inf', 'nan'] as const) === 'inf' ? Infinity : NaN
      return { kind: 'const', type: text as ScalarType, value } // membership was checked
    }
    return this.reference(text, scope)
  }

  private reference(name: string, scope: Scope): Expr {
    const meaning = scope.get(name)
    if (!meaning && (name === 'true' || name === 'false'))
      return { kind: 'const', type: 'bool', value: name === 'true' ? 1 : 0 }
    if (!meaning) return this.refuse(`${name} is not declared here`, this.previous)
    switch (meaning.kind) {
      case 'var':
        return { kind: 'var', type: 'i32', name }
      case 'size':
        return { kind: 'size', type: 'i32', name }
      case 'scalar':
        return { kind: 'scalar', type: meaning.type, name }
      case 'array':
        return {
          kind: 'read',
          type: registerType(meaning.array.type),
          array: name,
          index: this.is('[') ? this.list(scope) : [],
        }
    }
  }

  private call(name: string, scope: Scope): Expr {
    const bitcast = name.startsWith('bitcast_') ? name.slice(8) : ''
    const known =
      scalarTypes.has(name) ||
      scalarTypes.has(bitcast) ||
      (Object.hasOwn(ops, name) && name !== 'convert' && name !== 'bitcast')
    if (!known) this.refuse(`${name} is no operation`, this.previous)
    this.take('(')
    const args: Expr[] = []
    while (!this.accept(')')) {
      if (args.length > 0) this.take(',')
      args.push(this.expr(scope))
    }
    const [operation, type] = scalarTypes.has(name)
      ? (['convert', name] as const)
      : scalarTypes.has(bitcast)
        ? (['bitcast', bitcast] as const)
        : [name as OpName, undefined]
    if (args.length !== ops[operation].arity)
      this.refuse(`${name} takes ${ops[operation].arity} arguments, got ${args.length}`)
    return op(operation, args, type as ScalarType | undefined) // membership was checked
  }
}

function numberConst(text: string): Expr {
  const digits = text.replace(/[a-z]+$/, (s) => (s.startsWith('e') ? s : ''))
  const ending = text.slice(digits.length)
  if (ending === 'l') return { kind: 'const', type: 'i64', value: BigInt(digits) }
  if (ending === 'ul') return { kind: 'const', type: 'u64', value: BigInt(digits) }
  const type =
    ending === 'u' ? 'u32' : ending === 'f' ? 'f32' : ending === 'h' ? 'f16' : /[.eE]/.test(digits) ? 'f64' : 'i32'
  const value = Number(digits)
  return { kind: 'const', type, value: type === 'f32' ? Math.fround(value) : value }
}
