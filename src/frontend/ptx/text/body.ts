// In: a module and a function. Out: its body: registers by number, variables under unique names, instructions with the
// place in CUDA source that `.loc` gives them. The one idea: blocks `{ … }` open scopes, and every name is resolved in
// the scope where it stands, so the list of instructions that comes out is flat.
import { fail, type Span } from '../../../base/index.ts'
import { declarations } from './module.ts'
import { literalOf, Scanner } from './scanner.ts'
import {
  isType,
  type AddressOperand,
  type Body,
  type PtxFunction,
  type Instruction,
  type Label,
  type PtxModule,
  type Opcode,
  type PtxOperand,
  type PtxSpace,
  type PtxType,
  type Register,
  type RegisterDecl,
  type Variable,
} from './syntax.ts'

const most = { instructions: 1_000_000, depth: 64 } as const

interface Scope {
  readonly registers: Map<string, number>
  /** `%r<32>`: type by prefix, with how many there are. */
  readonly ranges: Map<string, { readonly type: PtxType; readonly count: number }>
  readonly renamed: Map<string, string>
  readonly labels: Map<string, string>
  readonly outer: Scope | null
}

const scopeIn = (outer: Scope | null): Scope => ({
  registers: new Map(),
  ranges: new Map(),
  renamed: new Map(),
  labels: new Map(),
  outer,
})

const opcodes = new Map<string, Opcode>()

/** The opcode of a word; the table is kept, as programs use a few hundred of them. */
function opcodeOf(text: string): Opcode {
  const known = opcodes.get(text)
  if (known) return known
  const [name = '', ...mods] = text.split('.')
  const made = { text, name, mods }
  if (opcodes.size < 4096) opcodes.set(text, made)
  return made
}

/** Parses a function's body. Throws `ptx.syntax`, `ptx.name`, `ptx.size`. */
export function parseBody(module: PtxModule, func: PtxFunction): Body {
  if (!func.body)
    return fail('ptx.call', `function '${func.name}' has no body`, { file: module.file, line: func.line, column: 1 })
  return new BodyParser(
    module,
    new Scanner(module.text, module.file, func.body.from, func.body.to, func.body.line),
  ).parse()
}

class BodyParser {
  private readonly module: PtxModule
  private readonly s: Scanner
  private readonly registers: RegisterDecl[] = []
  private readonly variables: Variable[] = []
  private readonly instructions: Instruction[] = []
  private readonly labels: Label[] = []
  private readonly noUnroll: number[] = []
  private readonly targets = new Map<string, readonly string[]>()
  private readonly used = new Set<string>()
  private scope: Scope = scopeIn(null)
  /** Branches by the scope they stand in: labels may follow their use. */
  private readonly branches: { readonly at: number; readonly scope: Scope }[] = []
  private depth = 0
  private loc: Span | null = null
  /**
   * Where a location was inlined last, by `file:line:column`: functions that call others of their own line have it more
   * than once.
   */
  private readonly inlined = new Map<string, Inlined>()
  private readonly budget = { bytes: 0 }

  constructor(module: PtxModule, s: Scanner) {
    this.module = module
    this.s = s
  }

  parse(): Body {
    const { s } = this
    for (let c = s.peek(); c >= 0; c = s.peek()) this.statement(c)
    if (this.depth !== 0) s.fail('a { is not closed')
    for (const b of this.branches) this.resolveBranch(b.at, b.scope)
    const { registers, variables, instructions, labels, targets, noUnroll } = this
    return { registers, variables, instructions, labels, targets, noUnroll }
  }

  private statement(c: number): void {
    const { s } = this
    if (c === 123) {
      s.at++
      this.open()
      return
    }
    if (c === 125) {
      s.at++
      this.close()
      return
    }
    if (c === 59) {
      s.at++
      return
    }
    const line = s.line
    if (c === 64) {
      s.at++
      const guard = this.predicate()
      this.instruction(s.name(), guard, line)
      return
    }
    const word = s.word()
    if (word === '') s.fail(`expected an instruction, found ${s.describe()}`)
    if (word.charCodeAt(0) === 46) return this.directive(word)
    if (s.peek() === 58) {
      s.at++
      this.label(word)
      return
    }
    this.instruction(word, null, line)
  }

  private open(): void {
    if (++this.depth > most.depth) this.s.fail(`blocks nest deeper than ${most.depth}`)
    this.scope = scopeIn(this.scope)
  }
  private close(): void {
    if (!this.scope.outer) return this.s.fail('a } has no {')
    this.depth--
    this.scope = this.scope.outer
  }

  /** A branch goes to the label of the nearest scope around it. */
  private resolveBranch(at: number, from: Scope): void {
    const s = this.instructions[at]!
    const [target] = s.operands
    if (target?.kind === 'name' && labelIn(from, target.name) === target.name) return
    this.instructions[at] = {
      ...s,
      operands: s.operands.map((o) => (o.kind === 'name' ? { kind: 'name', name: labelIn(from, o.name) } : o)),
    }
  }

  private addLabel(word: string): void {
    const name = this.unique(word)
    this.scope.labels.set(word, name)
    this.labels.push({ name, at: this.instructions.length })
  }

  private label(word: string): void {
    const { s } = this
    if (s.peek() !== 46) return this.addLabel(word)
    const at = s.at
    const directive = s.word()
    if (directive === '.branchtargets') this.branchTargets(word)
    else if (directive === '.callprototype' || directive === '.calltargets') {
      while (s.peek() >= 0 && s.peek() !== 59) s.at++
      s.expect(';')
    } else {
      s.at = at
      this.addLabel(word)
    }
  }

  private branchTargets(word: string): void {
    const list: string[] = []
    do list.push(this.s.name())
    while (this.s.accept(','))
    this.s.expect(';')
    this.targets.set(word, list)
  }

  private directive(word: string): void {
    const { s } = this
    // `.reg.b16 x;`, as people write it in inline assembly.
    if (word.startsWith('.reg.')) {
      s.at -= word.length - '.reg'.length
      return this.declareRegisters()
    }
    switch (word) {
      case '.reg':
        return this.declareRegisters()
      case '.loc':
        return this.location()
      case '.pragma':
        if (s.string() === 'nounroll') this.noUnroll.push(this.instructions.length)
        s.accept(';')
        return
      case '.local':
      case '.shared':
      case '.param':
      case '.global':
      case '.const':
        return this.declareVariables(word.slice(1) as PtxSpace) // these five are spaces
      case '.branchtargets':
      case '.callprototype':
        while (s.peek() >= 0 && s.peek() !== 59) s.at++
        s.expect(';')
        return
      default:
        s.fail(`unknown directive '${word.slice(0, 40)}'`)
    }
  }

  /** `.reg .b32 %r<32>;`, `.reg .v2 .f32 a, b;` */
  private declareRegisters(): void {
    const { s } = this
    const type = s.word().slice(1)
    if (type === 'v2' || type === 'v4')
      fail('ptx.unsupported', 'registers that are vectors cannot be analysed', s.span())
    if (!isType(type)) return s.fail(`'${type.slice(0, 40)}' is no type of a register`)
    do {
      const name = s.name()
      if (s.accept('<')) {
        this.scope.ranges.set(name, { type, count: s.integer() })
        s.expect('>')
      } else this.addRegister(name, type)
    } while (s.accept(','))
    s.expect(';')
  }

  private addRegister(name: string, type: PtxType): number {
    const id = this.registers.length
    if (id > most.instructions)
      fail('ptx.size', `a function has more than ${most.instructions} registers`, this.s.span())
    this.registers.push({ name, type })
    this.scope.registers.set(name, id)
    return id
  }

  private declareVariables(space: PtxSpace): void {
    for (const v of declarations(this.s, space, false, this.budget, new Set())) {
      const name = this.unique(v.name)
      if (name !== v.name) this.scope.renamed.set(v.name, name)
      this.variables.push(name === v.name ? v : { ...v, name })
    }
  }

  private unique(name: string): string {
    let made = name
    for (let i = 2; this.used.has(made); i++) made = `${name}#${i}`
    this.used.add(made)
    if (made !== name) this.scope.renamed.set(name, made)
    return made
  }

  /** `.loc file line column[, function_name name[+offset], inlined_at file line column]` */
  private location(): void {
    const { s } = this
    const here = this.place()
    if (s.accept(',')) {
      s.name()
      s.name()
      if (s.accept('+')) s.integer()
      s.expect(',')
      s.name()
      const into = this.place()
      if (here) this.inlined.set(keyOf(here), this.inlinedInto(here, into ?? here))
    } else if (here && this.inlined.size > 0) this.inlined.delete(keyOf(here))
    // Line 0 says that nothing of the source stands behind the instruction.
    if (here && here.line > 0) this.loc = (this.inlined.size > 0 && this.inlined.get(keyOf(here))?.own) || here
  }

  private inlinedInto(here: Span, into: Span): Inlined {
    const { outermost, own } = this.inlined.get(keyOf(into)) ?? { outermost: into, own: into }
    return { outermost, own: here.file === outermost.file && here.line > 0 ? here : own }
  }

  private place(): Span | null {
    const { s } = this
    const file = this.module.files.get(s.integer())
    const [line, column] = [s.integer(), s.integer()]
    return file === undefined ? null : { file, line, column: Math.max(1, column) }
  }

  private predicate(): Register {
    const negated = this.s.accept('!')
    const word = this.s.name()
    const id = this.registerOf(word)
    return id === null ? this.unknown(word) : { kind: 'register', id, negated }
  }

  private instruction(word: string, guard: Register | null, line: number): void {
    const { s } = this
    if (this.instructions.length >= most.instructions)
      fail('ptx.size', `a function has more than ${most.instructions} instructions`, s.span())
    const operands: PtxOperand[] = []
    let second: Register | null = null
    while (!s.accept(';')) {
      if (s.peek() < 0) s.fail(`'${word.slice(0, 40)}' does not end with ;`)
      operands.push(this.operand())
      if (s.accept('|')) second = this.predicateOrSink()
      if (!s.accept(',') && s.peek() !== 59) {
        // The results of a call stand before its name without a comma.
        if (s.peek() === 40) continue
        s.fail(`expected ',' or ';', found ${s.describe()}`)
      }
    }
    if (word.startsWith('bra')) this.branches.push({ at: this.instructions.length, scope: this.scope })
    this.instructions.push({ opcode: opcodeOf(word), guard, operands, second, line, loc: this.loc })
  }

  private predicateOrSink(): Register | null {
    const at = this.s.at
    if (this.s.word() === '_') return null
    this.s.at = at
    return this.predicate()
  }

  private operand(): PtxOperand {
    const { s } = this
    const c = s.peek()
    if (c === 91) return this.address()
    if (c === 123) return { kind: 'vector', items: this.items('{', '}') }
    if (c === 40) return { kind: 'tuple', items: this.items('(', ')') }
    if (c === 33) {
      s.at++
      const word = s.name()
      const id = this.registerOf(word)
      return id === null ? this.unknown(word) : { kind: 'register', id, negated: true }
    }
    if (c === 45) {
      s.at++
      return this.negative()
    }
    const word = s.name()
    if (word === '_') return { kind: 'sink' }
    const known = this.plain(word)
    if (known.kind !== 'name' || (s.peek() !== 43 && s.peek() !== 45)) return known
    // A variable's address with an offset.
    const minus = s.accept('-') || !s.accept('+')
    const offset = s.integer()
    return { kind: 'address', base: known, offset: minus ? -offset : offset, parts: [] }
  }

  private negative(): PtxOperand {
    const word = this.s.name()
    const known = literalOf(word) ?? this.s.fail(`expected a number, found '${word.slice(0, 40)}'`)
    if (known.float !== undefined)
      return { ...known, bits: known.bits ^ (known.float === 32 ? 0x80000000n : 1n << 63n) }
    return { ...known, bits: BigInt.asUintN(64, -known.bits) }
  }

  private plain(word: string): PtxOperand {
    const first = word.charCodeAt(0)
    if (first >= 48 && first <= 57) return literalOf(word) ?? this.s.fail(`'${word.slice(0, 40)}' is no number`)
    const id = this.registerOf(word)
    return id !== null ? { kind: 'register', id, negated: false } : { kind: 'name', name: this.renamed(word) }
  }

  private items(open: string, close: string): PtxOperand[] {
    const { s } = this
    s.expect(open)
    const list: PtxOperand[] = []
    if (++this.depth > most.depth) s.fail(`operands nest deeper than ${most.depth}`)
    while (!s.accept(close)) {
      list.push(this.operand())
      if (!s.accept(',') && s.peek() !== close.charCodeAt(0)) s.fail(`expected '${close}', found ${s.describe()}`)
    }
    this.depth--
    return list
  }

  /** `[%rd1+16]`, `[name]`, `[64]`, `[tex, sampler, {%f1, %f2}]` */
  private address(): AddressOperand {
    const { s } = this
    s.expect('[')
    const first = this.operand()
    let offset = 0
    if (s.accept('+')) offset = s.integer()
    else if (s.peek() === 45) offset = s.integer()
    const parts: PtxOperand[] = []
    while (s.accept(',')) parts.push(this.operand())
    s.expect(']')
    if (first.kind === 'literal')
      return { kind: 'address', base: null, offset: Number(BigInt.asIntN(64, first.bits)) + offset, parts }
    if (first.kind === 'address') return { ...first, offset: first.offset + offset, parts }
    if (first.kind !== 'register' && first.kind !== 'name')
      return s.fail('an address needs a register, a name or a number')
    return { kind: 'address', base: first, offset, parts }
  }

  private renamed(word: string): string {
    for (let scope: Scope | null = this.scope; scope; scope = scope.outer) {
      const name = scope.renamed.get(word)
      if (name !== undefined) return name
    }
    return word
  }

  /** The register a word names, declared singly or by a range; null when it is something else. */
  private registerOf(word: string): number | null {
    for (let scope: Scope | null = this.scope; scope; scope = scope.outer) {
      const id = scope.registers.get(word)
      if (id !== undefined) return id
    }
    let digits = word.length
    while (digits > 0 && isDigit(word.charCodeAt(digits - 1))) digits--
    if (digits === word.length || digits === 0) return null
    const [prefix, number] = [word.slice(0, digits), Number(word.slice(digits))]
    for (let scope: Scope | null = this.scope; scope; scope = scope.outer) {
      const range = scope.ranges.get(prefix)
      if (!range || number >= range.count) continue
      const id = this.registers.length
      if (id > most.instructions)
        fail('ptx.size', `a function has more than ${most.instructions} registers`, this.s.span())
      this.registers.push({ name: word, type: range.type })
      scope.registers.set(word, id)
      return id
    }
    return null
  }

  private unknown(word: string): never {
    return fail('ptx.name', `'${word.slice(0, 80)}' is no declared register`, this.s.span())
  }
}

function labelIn(from: Scope, name: string): string {
  for (let scope: Scope | null = from; scope; scope = scope.outer) {
    const found = scope.labels.get(name)
    if (found !== undefined) return found
  }
  return name
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57
/** A place of code that was inlined. */
interface Inlined {
  /** Where it stands after all inlining: in the kernel. */
  readonly outermost: Span
  /** The innermost line of the kernel's own file: in a function of that, or where one of another file is called. */
  readonly own: Span
}

const keyOf = (s: Span): string => `${s.file}:${s.line}:${s.column}`
