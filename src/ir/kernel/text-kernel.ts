// In: a kernel, or its text. Out: the text, or the kernel. The one idea: one statement a line, every field written, so
// that parsing what was printed gives an equal value, spans and comments included. Parsing checks syntax;
// `verifyKernel` checks meaning.
//
//   kernel NAME block X Y Z
//   param NAME: TYPE
//   SPACE NAME: TYPE[COUNT] ACCESS [zeroed]      COUNT is * when the buffer decides
//   reg NAME.ID: TYPE
//   { statements }
//
// Operands are `name.3` (register), `$name` (param) and `i32:5` (literal). A statement may begin with a JSON string,
// its comment, and end with `@ "file":line:column[+length]`.
import { anyOf, fail, unreachable, type Span } from '../../base/index.ts'
import { instructionClasses, ops, type InstructionClass, type OpName } from '../ops.ts'
import {
  orderedSpaces,
  type Address,
  type AtomicOp,
  type BarrierScope,
  type Builtin,
  type Const,
  type Kernel,
  type MatrixStep,
  type OrderedSpace,
  type Operand,
  type Reg,
  type Resource,
  type Stmt,
  type SubgroupOp,
} from './kernel.ts'
import type { ScalarValue } from '../round.ts'
import { bytesOf, type MemoryType, type ScalarType } from '../types.ts'

/** The text of `kernel`; `parseKernel` gives an equal value back. */
export function printKernel(kernel: Kernel): string {
  const head = [
    `kernel ${kernel.name} block ${kernel.block.join(' ')}`,
    ...kernel.params.map((p) => `param ${p.name}: ${p.type}`),
    ...kernel.resources.map(printResource),
    ...kernel.registers.map((r) => `reg ${r.name}.${r.id}: ${r.type}`),
  ]
  return [...head, '{', ...printList(kernel.body, '  '), '}', ''].join('\n')
}

const printResource = (r: Resource): string =>
  `${r.space} ${r.name}: ${r.type}[${r.count ?? '*'}] ` +
  `${r.access}${r.zeroed === undefined ? '' : r.zeroed ? ' zeroed' : ' raw'}`

const printList = (stmts: readonly Stmt[], indent: string): string[] => stmts.flatMap((s) => printStmt(s, indent))

/** Only the statement itself, for messages: no comment, no span, nested lists left out. */
export function describeStmt(s: Stmt): string {
  if (s.kind === 'if') return `if ${printOperand(s.condition)}`
  return s.kind === 'loop' ? 'loop' : printSimple(s)
}

const printCounts = (counts: Stmt['counts']): string =>
  counts
    ? `counts (${Object.entries(counts)
        .map(([c, n]) => `${c} ${n}`)
        .join(', ')}) `
    : ''

function printStmt(s: Stmt, indent: string): string[] {
  const prefix =
    indent +
    (s.comment === undefined ? '' : `${JSON.stringify(s.comment)} `) +
    (s.free ? 'free ' : '') +
    printCounts(s.counts) +
    (s.branches === undefined ? '' : `branches ${s.branches} `)
  const suffix = s.at ? ` @ ${printSpan(s.at)}` : ''
  const nested = (list: readonly Stmt[]): string[] => printList(list, `${indent}  `)
  switch (s.kind) {
    case 'if':
      return [
        `${prefix}if ${printOperand(s.condition)} {`,
        ...nested(s.then),
        ...(s.else.length > 0 ? [`${indent}} else {`, ...nested(s.else)] : []),
        `${indent}}${suffix}`,
      ]
    case 'loop':
      return [
        `${prefix}loop {`,
        ...nested(s.body),
        ...(s.continuing.length > 0 ? [`${indent}} continuing {`, ...nested(s.continuing)] : []),
        `${indent}}${suffix}`,
      ]
    default:
      return [prefix + printSimple(s) + suffix]
  }
}

function printSimple(s: Exclude<Stmt, { kind: 'if' | 'loop' }>): string {
  switch (s.kind) {
    case 'op':
      return `${printOperand(s.dst)} = ${s.op} ${printArgs(s.args)}`
    case 'builtin':
      return `${printOperand(s.dst)} = builtin ${s.name}`
    case 'load':
      return `${printArgs(s.dst)} = load ${s.type} ${printAddress(s.address)}`
    case 'store':
      return `store ${s.type} ${printAddress(s.address)} = ${printArgs(s.src)}`
    case 'atomic':
      return (
        `${s.dst ? `${printOperand(s.dst)} = ` : ''}atomic ${s.op} ${s.type} ${printAddress(s.address)} ` +
        `(${printArgs(s.args)})`
      )
    case 'subgroup':
      return `${printOperand(s.dst)} = subgroup ${s.op} (${printArgs(s.args)})`
    case 'matrix':
      return `matrix ${printMatrixStep(s.step)}`
    case 'barrier':
      return `barrier ${s.scope}${s.some ? ' some' : ''}${s.orders ? ` orders ${s.orders}` : ''}`
    case 'break':
    case 'continue':
    case 'return':
      return s.kind
    default:
      return unreachable(s)
  }
}

function printMatrixStep(s: MatrixStep): string {
  switch (s.op) {
    case 'clear':
      return `${s.sum.name} = 0`
    case 'load':
      return `${s.dst.role} ${s.dst.name} = load ${s.lines} ${printAddress(s.address)} by ${s.stride}`
    case 'store':
      return `store ${printAddress(s.address)} by ${s.stride} = ${s.src.name}`
    case 'multiply':
      return `${s.sum.name} += ${s.left.name} * ${s.right.name}`
  }
}

const printArgs = (args: readonly Operand[]): string => args.map(printOperand).join(', ')
const printAddress = (a: Address): string => `${a.resource}[${printOperand(a.index)} * ${a.stride} + ${a.offset}]`
const printSpan = (s: Span): string =>
  `${JSON.stringify(s.file)}:${s.line}:${s.column}${s.length === undefined ? '' : `+${s.length}`}`

function printOperand(o: Operand): string {
  switch (o.kind) {
    case 'reg':
      return `${o.name}.${o.id}`
    case 'param':
      return `$${o.name}`
    case 'const':
      return `${o.type}:${Object.is(o.value, -0) ? '-0' : o.value}`
  }
}

const scalarTypes: readonly string[] = ['bool', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64']
const spaces: readonly string[] = ['global', 'constant', 'shared', 'local', 'texture']
const accesses: readonly string[] = ['read', 'write', 'read-write']
const atomicOps: readonly string[] = [
  'add',
  'sub',
  'min',
  'max',
  'and',
  'or',
  'xor',
  'exchange',
  'compareExchange',
  'load',
  'store',
  'increment',
  'decrement',
] satisfies AtomicOp[]
const subgroupOps: readonly string[] = [
  'shuffle',
  'shuffleXor',
  'shuffleUp',
  'shuffleDown',
  'broadcast',
  'broadcastFirst',
  'add',
  'mul',
  'min',
  'max',
  'and',
  'or',
  'xor',
  'inclusiveAdd',
  'exclusiveAdd',
  'inclusiveMul',
  'exclusiveMul',
  'any',
  'all',
  'ballot',
  'elect',
] satisfies SubgroupOp[]
const builtins: readonly string[] = [
  'threadIdx.x',
  'threadIdx.y',
  'threadIdx.z',
  'blockIdx.x',
  'blockIdx.y',
  'blockIdx.z',
  'blockDim.x',
  'blockDim.y',
  'blockDim.z',
  'gridDim.x',
  'gridDim.y',
  'gridDim.z',
  'threadRank',
  'lane',
  'warp',
  'warpSize',
  'presentLanes',
] satisfies Builtin[]

/** A string, a name, a number or a sign, with the blanks before it. */
const token = anyOf(
  [
    /\s*("(?:[^"\\]|\\.)*")/,
    /\s*([A-Za-z_][A-Za-z0-9_-]*)/,
    /\s*(-?(?:Infinity|NaN|\d+(?:\.\d+)?(?:e[+-]?\d+)?))/,
    /\s*([{}[\]():,.=*+@$])/,
  ],
  'y',
)
/** As `verifyKernel` allows. */
const maxNesting = 200

/** Reads the text of one kernel. Throws `DiagnosticError` `kernel.syntax` with line and column. */
export function parseKernel(text: string, file = 'kernel'): Kernel {
  return new Parser(text, file).kernel()
}

class Parser {
  private readonly text: string
  private readonly file: string
  private position = 0
  private word = ''
  private start = 0
  private depth = 0
  private readonly registers: Reg[] = []
  private readonly params = new Map<string, ScalarType>()

  constructor(text: string, file: string) {
    this.text = text
    this.file = file
    this.next()
  }

  kernel(): Kernel {
    this.expect('kernel')
    const name = this.take()
    this.expect('block')
    const block = [this.number(), this.number(), this.number()] as const
    const resources: Resource[] = []
    for (;;) {
      if (this.word === 'param') this.param()
      else if (this.word === 'reg') this.register()
      else if (spaces.includes(this.word)) resources.push(this.resource())
      else break
    }
    const body = this.block()
    if (this.word !== '') this.error('the end of the text')
    const params = [...this.params].map(([name, type]) => ({ kind: 'param' as const, name, type }))
    return { name, params, resources, block, registers: this.registers, body }
  }

  private next(): void {
    token.lastIndex = this.position
    const match = token.exec(this.text)
    this.start = this.position + (/^\s*/.exec(this.text.slice(this.position, this.position + 4096))?.[0].length ?? 0)
    if (match) {
      this.word = match[0].trim()
      this.position = token.lastIndex
    } else {
      this.word = ''
      if (this.text.slice(this.position).trim() !== '') this.error('a word, number or sign')
    }
  }

  private failAt(position: number, message: string): never {
    const before = this.text.slice(0, position)
    return fail('kernel.syntax', message, {
      file: this.file,
      line: before.split('\n').length,
      column: position - before.lastIndexOf('\n'),
    })
  }

  private error(wanted: string): never {
    const found = this.word === '' ? this.text.slice(this.start, this.start + 8) || 'the end' : `'${this.word}'`
    return this.failAt(this.start, `expected ${wanted}, found ${found}`)
  }

  private take(): string {
    const word = this.word
    if (word === '') this.error('a word')
    this.next()
    return word
  }
  private expect(word: string): void {
    if (this.word !== word) this.error(`'${word}'`)
    this.next()
  }
  private accept(word: string): boolean {
    if (this.word !== word) return false
    this.next()
    return true
  }
  private oneOf<T extends string>(words: readonly string[], what: string): T {
    if (!words.includes(this.word)) this.error(what)
    return this.take() as T // a member of the list, which spells out T
  }
  private number(): number {
    if (!/^-?\d/.test(this.word)) this.error('a number')
    return Number(this.take())
  }
  private scalarType(): ScalarType {
    return this.oneOf(scalarTypes, 'a scalar type')
  }
  private memoryType(): MemoryType {
    return this.oneOf(Object.keys(bytesOf), 'a memory type')
  }

  private param(): void {
    this.expect('param')
    const name = this.take()
    this.expect(':')
    this.params.set(name, this.scalarType())
  }

  private register(): void {
    this.expect('reg')
    const [name, id] = this.registerName()
    this.expect(':')
    this.registers.push({ kind: 'reg', id, type: this.scalarType(), name })
  }

  private registerName(): readonly [string, number] {
    const name = this.take()
    this.expect('.')
    return [name, this.number()]
  }

  private resource(): Resource {
    const space: Resource['space'] = this.oneOf(spaces, 'a space')
    const name = this.take()
    this.expect(':')
    const type = this.memoryType()
    this.expect('[')
    const count = this.accept('*') ? null : this.number()
    this.expect(']')
    const access: Resource['access'] = this.oneOf(accesses, 'an access mode')
    const zeroed = this.accept('zeroed') ? true : this.accept('raw') ? false : undefined
    return { name, space, type, count, access, ...(zeroed !== undefined && { zeroed }) }
  }

  private block(): Stmt[] {
    if (++this.depth > maxNesting) fail('kernel.syntax', `statements nest deeper than ${maxNesting}`)
    this.expect('{')
    const list: Stmt[] = []
    while (this.word !== '}') list.push(this.statement())
    this.next()
    this.depth--
    return list
  }

  private statement(): Stmt {
    const comment = this.word.startsWith('"') ? this.string() : undefined
    const free = this.accept('free')
    const counts = this.accept('counts') ? this.counts() : undefined
    const branches = this.accept('branches') ? this.number() : undefined
    const stmt = this.bare()
    const at = this.accept('@') ? this.span() : undefined
    return {
      ...stmt,
      ...(at && { at }),
      ...(comment !== undefined && { comment }),
      ...(free && { free }),
      ...(counts && { counts }),
      ...(branches !== undefined && { branches }),
    }
  }

  /** `(int 2, load 1)` */
  private counts(): Partial<Record<InstructionClass, number>> {
    const counts: Partial<Record<InstructionClass, number>> = {}
    this.expect('(')
    while (!this.accept(')')) {
      const name = instructionClasses.find((c) => this.accept(c))
      if (!name) return this.failAt(this.position, `expected an instruction class, found '${this.word}'`)
      counts[name] = this.number()
      this.accept(',')
    }
    return counts
  }

  private string(): string {
    if (!this.word.startsWith('"')) this.error('a string')
    const raw = this.word
    try {
      const value = String(JSON.parse(raw))
      this.next()
      return value
    } catch {
      return this.error('a JSON string')
    }
  }

  private span(): Span {
    const file = this.string()
    this.expect(':')
    const line = this.number()
    this.expect(':')
    const column = this.number()
    return { file, line, column, ...(this.accept('+') && { length: this.number() }) }
  }

  private bare(): Stmt {
    // A register may be named like a keyword: `if.3 = …` is an assignment, told apart by the dot.
    if (this.text[this.position] === '.') return this.assignment()
    switch (this.word) {
      case 'if':
        return this.branch()
      case 'loop':
        return this.loop()
      case 'store':
        return this.store()
      case 'atomic':
        return this.atomic(null)
      case 'barrier': {
        this.next()
        const scope: BarrierScope = this.oneOf(['block', 'warp', 'grid'], 'block, warp or grid')
        const some = this.accept('some') && { some: true as const }
        const space = this.accept('orders') && this.oneOf<OrderedSpace>(orderedSpaces, orderedSpaces.join(', '))
        const orders = space && { orders: space }
        return { kind: 'barrier', scope, ...some, ...orders }
      }
      case 'break':
      case 'continue':
      case 'return':
        return { kind: this.take() as 'break' | 'continue' | 'return' } // the case labels
      default:
        return this.error('a statement')
    }
  }

  private branch(): Stmt {
    this.expect('if')
    const condition = this.operand()
    const then = this.block()
    return { kind: 'if', condition, then, else: this.accept('else') ? this.block() : [] }
  }

  private loop(): Stmt {
    this.expect('loop')
    const body = this.block()
    return { kind: 'loop', body, continuing: this.accept('continuing') ? this.block() : [] }
  }

  private store(): Stmt {
    this.expect('store')
    const type = this.memoryType()
    const address = this.address()
    this.expect('=')
    return { kind: 'store', src: this.operands(), type, address }
  }

  private atomic(dst: Reg | null): Stmt {
    this.expect('atomic')
    const op: AtomicOp = this.oneOf(atomicOps, 'an atomic op')
    const type = this.memoryType()
    const address = this.address()
    return { kind: 'atomic', op, dst, type, address, args: this.parenthesised() }
  }

  private assignment(): Stmt {
    const targets = [this.target()]
    while (this.accept(',')) targets.push(this.target())
    this.expect('=')
    const dst = targets[0]!
    if (this.accept('builtin')) return { kind: 'builtin', dst, name: this.builtin() }
    if (this.accept('load')) return { kind: 'load', dst: targets, type: this.memoryType(), address: this.address() }
    if (this.word === 'atomic') return this.atomic(dst)
    if (this.accept('subgroup')) {
      const op: SubgroupOp = this.oneOf(subgroupOps, 'a subgroup op')
      return { kind: 'subgroup', op, dst, args: this.parenthesised() }
    }
    const op: OpName = this.oneOf(Object.keys(ops), 'an op')
    return { kind: 'op', op, dst, args: this.operands() }
  }

  private builtin(): Builtin {
    const base = this.take()
    const name = this.accept('.') ? `${base}.${this.take()}` : base
    return builtins.includes(name) ? (name as Builtin) : this.error('a built-in value') // a member of the list
  }

  private target(): Reg {
    const operand = this.operand()
    return operand.kind === 'reg' ? operand : this.error('a register')
  }

  private parenthesised(): Operand[] {
    this.expect('(')
    const list = this.word === ')' ? [] : this.operands()
    this.expect(')')
    return list
  }

  private operands(): Operand[] {
    const list = [this.operand()]
    while (this.accept(',')) list.push(this.operand())
    return list
  }

  private operand(): Operand {
    const start = this.start
    if (this.accept('$')) {
      const name = this.take()
      return {
        kind: 'param',
        name,
        type: this.params.get(name) ?? this.failAt(start, `param '${name}' is not declared`),
      }
    }
    if (this.text[this.position] === ':') return this.literal()
    const [name, id] = this.registerName()
    const known = this.registers[id]
    return known && known.name === name && known.id === id
      ? known
      : this.failAt(start, `register '${name}.${id}' is not declared`)
  }

  private literal(): Const {
    const type = this.scalarType()
    this.expect(':')
    const raw = this.word
    if (!/^-?(\d|Infinity$|NaN$)/.test(raw)) this.error('a literal')
    const wide = type === 'i64' || type === 'u64'
    if (wide && !/^-?\d+$/.test(raw)) this.error('a whole number')
    this.next()
    const value: ScalarValue = wide ? BigInt(raw) : Number(raw)
    return { kind: 'const', type, value }
  }

  private address(): Address {
    const resource = this.take()
    this.expect('[')
    const index = this.operand()
    this.expect('*')
    const stride = this.number()
    this.expect('+')
    const offset = this.number()
    this.expect(']')
    return { resource, index, stride, offset }
  }
}
