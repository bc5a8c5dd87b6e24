// In: a module and an entry. Out: one flat body without calls. The one idea: a call is replaced by the callee's
// instructions with its registers shifted and its names made unique; formal parameters take the names of the actual ones,
// so that what the caller stores to `param0` is what the callee loads. `ret` becomes a jump behind the call.
import { fail, type Span } from '../../base/index.ts'
import { parseBody } from './body.ts'
import type { AddressOperand, Body, Func, Instruction, Module, Operand, RegisterDecl, Variable } from './syntax.ts'

const most = 400_000

export interface FlatBody {
  readonly registers: readonly RegisterDecl[]
  readonly variables: readonly Variable[]
  readonly instructions: readonly Instruction[]
  /** Instruction index by label. */
  readonly labels: ReadonlyMap<string, number>
  readonly targets: ReadonlyMap<string, readonly string[]>
  /** Names of parameters and results of calls: memory of `param` space that is only registers in truth. */
  readonly cells: ReadonlySet<string>
  /** Instructions that begin a loop that is not to be unrolled. */
  readonly noUnroll: ReadonlySet<number>
}

/** What functions outside the module do when a kernel calls them. */
const known: Readonly<Record<string, 'nothing' | 'stop'>> = { vprintf: 'nothing', __assertfail: 'stop', __nanosleep: 'nothing' }

export function flatten(module: Module, entry: Func): FlatBody {
  return new Inliner(module).run(entry)
}

/** Where an instruction stands for a diagnostic: always the PTX itself. */
export const ptxSpan = (module: Pick<Module, 'file'>, line: number): Span => ({ file: module.file, line, column: 1 })

class Inliner {
  private readonly module: Module
  private readonly bodies = new Map<string, Body>()
  private readonly registers: RegisterDecl[] = []
  private readonly variables: Variable[] = []
  private readonly instructions: Instruction[] = []
  private readonly labels = new Map<string, number>()
  private readonly targets = new Map<string, readonly string[]>()
  private readonly cells = new Set<string>()
  private readonly noUnroll = new Set<number>()
  private readonly stack: string[] = []
  private copies = 0

  constructor(module: Module) { this.module = module }

  run(entry: Func): FlatBody {
    this.body(entry, '', new Map(), null)
    const { registers, variables, instructions, labels, targets, cells, noUnroll } = this
    return { registers, variables, instructions, labels, targets, cells, noUnroll }
  }

  private bodyOf(f: Func): Body {
    let body = this.bodies.get(f.name)
    if (!body) { body = parseBody(this.module, f); this.bodies.set(f.name, body) }
    return body
  }

  private body(f: Func, suffix: string, names: Map<string, string>, after: string | null): void {
    const body = this.bodyOf(f)
    const shift = this.registers.length
    for (const r of body.registers) this.registers.push(r)
    for (const v of body.variables) {
      if (suffix !== '') names.set(v.name, v.name + suffix)
      const mine = { ...v, name: v.name + suffix }
      if (v.space === 'param') this.cells.add(mine.name)
      this.variables.push(mine)
    }
    for (const l of body.labels) if (suffix !== '') names.set(l.name, l.name + suffix)
    for (const [name, list] of body.targets) {
      if (suffix !== '') names.set(name, name + suffix)
      this.targets.set(name + suffix, list.map((l) => names.get(l) ?? l))
    }
    this.stack.push(f.name)
    const labels = [...body.labels].sort((a, b) => a.at - b.at)
    let next = 0
    const still = new Set(body.noUnroll)
    body.instructions.forEach((s, i) => {
      if (still.has(i)) this.noUnroll.add(this.instructions.length)
      for (; next < labels.length && labels[next]!.at <= i; next++) this.labels.set(labels[next]!.name + suffix, this.instructions.length)
      this.instruction(s, shift, names, after)
    })
    for (; next < labels.length; next++) this.labels.set(labels[next]!.name + suffix, this.instructions.length)
    this.stack.pop()
  }

  private push(s: Instruction): void {
    if (this.instructions.length >= most) fail('ptx.size', `with its calls put in place the kernel has more than ${most} instructions`, ptxSpan(this.module, s.line))
    this.instructions.push(s)
  }

  private instruction(raw: Instruction, shift: number, names: ReadonlyMap<string, string>, after: string | null): void {
    const s = shift === 0 && names.size === 0 ? raw : mapped(raw, shift, names)
    if (s.opcode.name === 'call') return this.call(s)
    if (after !== null && s.opcode.name === 'ret') return this.push(jump(s, after))
    this.push(s)
  }

  private call(s: Instruction): void {
    const at = s.operands.findIndex((o) => o.kind !== 'tuple')
    const target = s.operands[at]
    const line = ptxSpan(this.module, s.line)
    if (target?.kind !== 'name') return fail('ptx.unsupported', 'a call through a pointer cannot be analysed: which function it reaches is not known', line)
    const results = itemsOf(at > 0 ? s.operands[0] : undefined), args = itemsOf(s.operands[at + 1])
    const what = Object.hasOwn(known, target.name) ? known[target.name] : undefined
    const f = this.module.functions.get(target.name)
    if (!f?.body && what !== undefined) return this.outside(s, what, results)
    if (!f?.body) return fail('ptx.unsupported', `the function '${target.name.slice(0, 80)}' is not in the module, so it cannot be analysed`, line, 'compile everything into one file')
    if (this.stack.includes(f.name)) fail('ptx.unsupported', `function '${f.name.slice(0, 80)}' calls itself; recursion cannot be analysed`, line)
    if (this.stack.length > 64) fail('ptx.unsupported', 'calls nest deeper than 64', line)
    const suffix = `~${++this.copies}`
    const names = new Map<string, string>()
    const bind = (formal: readonly Variable[], actual: readonly Operand[]): void => formal.forEach((v, i) => {
      const o = actual[i]
      if (o?.kind !== 'name') return fail('ptx.unsupported', `the call of '${f.name.slice(0, 80)}' passes something else than .param variables`, line)
      names.set(v.name, o.name)
    })
    bind(f.params, args)
    bind(f.results, results)
    const after = `after${suffix}`
    if (s.guard) this.push({ ...jump(s, after), guard: { ...s.guard, negated: !s.guard.negated } })
    this.body(f, suffix, names, after)
    this.labels.set(after, this.instructions.length)
  }

  /** printf does nothing and gives 0; a failed assertion ends the thread. */
  private outside(s: Instruction, what: 'nothing' | 'stop', results: readonly Operand[]): void {
    if (what === 'stop') return this.push({ ...s, opcode: { text: 'trap', name: 'trap', mods: [] }, operands: [] })
    for (const r of results) {
      if (r.kind !== 'name') continue
      const address: AddressOperand = { kind: 'address', base: r, offset: 0, parts: [] }
      this.push({ ...s, opcode: { text: 'st.param.b32', name: 'st', mods: ['param', 'b32'] }, operands: [address, { kind: 'literal', bits: 0n }] })
    }
  }
}

const itemsOf = (o: Operand | undefined): readonly Operand[] => (o?.kind === 'tuple' ? o.items : [])

const jump = (s: Instruction, label: string): Instruction =>
  ({ ...s, opcode: { text: 'bra.uni', name: 'bra', mods: ['uni'] }, operands: [{ kind: 'name', name: label }], second: null })

function mapped(s: Instruction, shift: number, names: ReadonlyMap<string, string>): Instruction {
  const operand = (o: Operand): Operand => {
    switch (o.kind) {
      case 'register': return { ...o, id: o.id + shift }
      case 'name': return names.has(o.name) ? { kind: 'name', name: names.get(o.name)! } : o
      case 'address': return { ...o, base: o.base === null ? null : operand(o.base) as AddressOperand['base'], parts: o.parts.map(operand) } // a register stays a register, a name a name
      case 'vector': case 'tuple': return { ...o, items: o.items.map(operand) }
      case 'literal': case 'sink': return o
    }
  }
  const shifted = <T extends Instruction['guard']>(r: T): T => (r === null ? r : { ...r, id: r.id + shift })
  return { ...s, guard: shifted(s.guard), second: shifted(s.second), operands: s.operands.map(operand) }
}
