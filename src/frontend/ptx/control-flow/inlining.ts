// In: a module and an entry. Out: one flat body without calls. The one idea: a call is replaced by the callee's
// instructions with its registers shifted and its names made unique; formal parameters take the names of the actual
// ones, so that what the caller stores to `param0` is what the callee loads. `ret` becomes a jump behind the call.
import { fail, type Span } from '../../../base/index.ts'
import { parseBody } from '../text/body.ts'
import { shortName } from '../text/readable-names.ts'
import {
  bytesOfType,
  type AddressOperand,
  type Body,
  type PtxFunction,
  type Instruction,
  type PtxModule,
  type PtxOperand,
  type Register,
  type RegisterDecl,
  type Variable,
} from '../text/syntax.ts'

/** Instructions after inlining; calls of calls can multiply them. */
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
  /** Facts about calls for the user. */
  readonly notes: ReadonlySet<string>
}

/** What functions outside the module do when a kernel calls them. */
const known: Readonly<Record<string, 'nothing' | 'stop' | 'allocate'>> = {
  vprintf: 'nothing',
  __assertfail: 'stop',
  __nanosleep: 'nothing',
  free: 'nothing',
  malloc: 'allocate',
  cudaGraphSetConditional: 'nothing',
}
const unsaid: Readonly<Record<string, string>> = {
  vprintf: 'printf does nothing here',
  free: 'free gives nothing back',
  cudaGraphSetConditional: 'cudaGraphSetConditional does nothing here',
}

/** What `malloc` takes from: CUDA's heap, when the host does not ask for another size, and how much of it is taken. */
const heap = (line: number): Variable => ({
  name: 'device_heap',
  space: 'global',
  type: 'b8',
  count: 8 * 2 ** 20,
  align: 256,
  initial: null,
  pointers: [],
  external: false,
  line,
})
const heapTop = (line: number): Variable => ({
  name: 'device_heap_taken',
  space: 'global',
  type: 'b64',
  count: 1,
  align: 8,
  initial: null,
  pointers: [],
  external: false,
  line,
})

/** Functions that one call through a pointer may choose between. */
const mostCandidates = 64

/** What stands for the address of a function. */
export function functionAddress(module: Pick<PtxModule, 'functions'>, name: string): bigint | undefined {
  const at = [...module.functions.keys()].indexOf(name)
  return at < 0 ? undefined : BigInt(2 ** 44 + 64 * at)
}

export const inlined = (module: PtxModule, entry: PtxFunction): FlatBody => new Inliner(module).run(entry)

/** Where an instruction stands for a diagnostic: always the PTX itself. */
export const ptxSpan = (module: Pick<PtxModule, 'file'>, line: number): Span => ({ file: module.file, line, column: 1 })

class Inliner {
  private readonly module: PtxModule
  private readonly bodies = new Map<string, Body>()
  private readonly registers: RegisterDecl[] = []
  private readonly variables: Variable[] = []
  private readonly instructions: Instruction[] = []
  private readonly labels = new Map<string, number>()
  private readonly targets = new Map<string, readonly string[]>()
  private readonly cells = new Set<string>()
  private readonly noUnroll = new Set<number>()
  private readonly notes = new Set<string>()
  private readonly stack: string[] = []
  private copies = 0

  constructor(module: PtxModule) {
    this.module = module
  }

  run(entry: PtxFunction): FlatBody {
    this.body(entry, '', new Map(), null, null)
    const { registers, variables, instructions, labels, targets, cells, noUnroll, notes } = this
    return { registers, variables, instructions, labels, targets, cells, noUnroll, notes }
  }

  private bodyOf(f: PtxFunction): Body {
    let body = this.bodies.get(f.name)
    if (!body) {
      body = parseBody(this.module, f)
      this.bodies.set(f.name, body)
    }
    return body
  }

  /**
   * A function's instructions; those without a line of the source (routines of the compiler's own) have that of the
   * call.
   */
  private body(
    f: PtxFunction,
    suffix: string,
    names: Map<string, string>,
    after: string | null,
    call: Span | null,
  ): void {
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
      this.targets.set(
        name + suffix,
        list.map((l) => names.get(l) ?? l),
      )
    }
    this.stack.push(f.name)
    const labels = [...body.labels].sort((a, b) => a.at - b.at)
    let next = 0
    const still = new Set(body.noUnroll)
    body.instructions.forEach((s, i) => {
      if (still.has(i)) this.noUnroll.add(this.instructions.length)
      for (; next < labels.length && labels[next]!.at <= i; next++)
        this.labels.set(labels[next]!.name + suffix, this.instructions.length)
      this.instruction(s.loc === null && call !== null ? { ...s, loc: call } : s, shift, names, after)
    })
    for (; next < labels.length; next++) this.labels.set(labels[next]!.name + suffix, this.instructions.length)
    this.stack.pop()
  }

  private push(s: Instruction): void {
    if (this.instructions.length >= most)
      fail(
        'ptx.size',
        `with its calls put in place the kernel has more than ${most} instructions`,
        ptxSpan(this.module, s.line),
      )
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
    const results = itemsOf(at > 0 ? s.operands[0] : undefined),
      args = itemsOf(s.operands[at + 1])
    if (target?.kind === 'register') return this.choice(s, target, results, args)
    if (target?.kind !== 'name') return fail('ptx.syntax', 'a call needs a function', line)
    const what = Object.hasOwn(known, target.name) ? known[target.name] : undefined
    const f = this.module.functions.get(target.name)
    if (!f?.body && what !== undefined) return this.outside(s, target.name, what, results, args)
    if (!f?.body)
      return fail(
        'ptx.unsupported',
        `the function '${target.name.slice(0, 80)}' is not in the module, so it cannot be analysed`,
        line,
        'compile everything into one file',
      )
    const after = `after~${++this.copies}`
    if (s.guard) this.push({ ...jump(s, after), guard: { ...s.guard, negated: !s.guard.negated } })
    this.place(s, f, results, args, after)
    this.labels.set(after, this.instructions.length)
  }

  /** A function's body, which jumps to `after` where it returns. */
  private place(
    s: Instruction,
    f: PtxFunction,
    results: readonly PtxOperand[],
    args: readonly PtxOperand[],
    after: string,
  ): void {
    const line = ptxSpan(this.module, s.line)
    if (this.stack.includes(f.name))
      fail('ptx.unsupported', `function '${f.name.slice(0, 80)}' calls itself; recursion cannot be analysed`, line)
    if (this.stack.length > 64) fail('ptx.unsupported', 'calls nest deeper than 64', line)
    const names = new Map<string, string>()
    const bind = (formal: readonly Variable[], actual: readonly PtxOperand[]): void =>
      formal.forEach((v, i) => {
        const o = actual[i]
        if (o?.kind !== 'name')
          return fail(
            'ptx.unsupported',
            `the call of '${f.name.slice(0, 80)}' passes something else than .param variables`,
            line,
          )
        names.set(v.name, o.name)
      })
    bind(f.params, args)
    bind(f.results, results)
    this.body(f, `~${++this.copies}`, names, after, s.loc)
  }

  /**
   * A call through a pointer: one function after another whose address is taken and whose parameters fit; the first is
   * also what no address names.
   */
  private choice(s: Instruction, target: Register, results: readonly PtxOperand[], args: readonly PtxOperand[]): void {
    const line = ptxSpan(this.module, s.line)
    const [first, ...others] = this.candidates(args, results)
    if (!first)
      return fail(
        'ptx.unsupported',
        'a call through a pointer cannot be analysed: the file takes the address of no function that fits',
        line,
      )
    if (others.length >= mostCandidates)
      return fail(
        'ptx.unsupported',
        `a call through a pointer that may reach ${others.length + 1} functions cannot be analysed`,
        line,
      )
    const fit = [first, ...others].map((f) => shortName(f.name))
    this.notes.add(
      `calls through pointers reach ${fit.slice(0, 8).join(', ')}${fit.length > 8 ? ', …' : ''}; pointers ` +
        `that are none of these, as when the host sets them, are taken as ${fit[0]!}`,
    ) // there is a first
    const after = `after~${++this.copies}`
    if (s.guard) this.push({ ...jump(s, after), guard: { ...s.guard, negated: !s.guard.negated } })
    for (const f of others) {
      const next = `next~${++this.copies}`
      const other: Register = {
        kind: 'register',
        id: this.registers.push({ name: '%other', type: 'pred' }) - 1,
        negated: false,
      }
      this.push(
        made(s, 'setp.ne.u64', [other, target, { kind: 'literal', bits: functionAddress(this.module, f.name)! }]),
      ) // it is in the module
      this.push({ ...jump(s, next), guard: other })
      this.place(s, f, results, args, after)
      this.push(jump(s, after))
      this.labels.set(next, this.instructions.length)
    }
    this.place(s, first, results, args, after)
    this.labels.set(after, this.instructions.length)
  }

  private taken: readonly PtxFunction[] | null = null
  /** Functions of the module whose address is a value somewhere. */
  private addressTaken(): readonly PtxFunction[] {
    if (this.taken) return this.taken
    const names = new Set(this.module.variables.flatMap((v) => v.pointers.map((p) => p.name)))
    for (const f of this.module.functions.values()) {
      if (f.body)
        for (const s of this.bodyOf(f).instructions)
          if (s.opcode.name !== 'call') for (const o of s.operands) if (o.kind === 'name') names.add(o.name)
    }
    this.taken = [...this.module.functions.values()].filter((f) => f.body && !f.entry && names.has(f.name))
    return this.taken
  }

  private candidates(args: readonly PtxOperand[], results: readonly PtxOperand[]): readonly PtxFunction[] {
    const sizes = new Map(this.variables.map((v) => [v.name, bytesOfType[v.type] * v.count]))
    const fits = (formal: readonly Variable[], actual: readonly PtxOperand[]): boolean =>
      formal.length === actual.length &&
      formal.every((v, i) => {
        const o = actual[i]!
        return o.kind === 'name' && sizes.get(o.name) === bytesOfType[v.type] * v.count
      })
    return this.addressTaken().filter((f) => fits(f.params, args) && fits(f.results, results))
  }

  /** printf does nothing and gives 0; a failed assertion ends the thread; malloc takes from a heap that only grows. */
  private outside(
    s: Instruction,
    name: string,
    what: 'nothing' | 'stop' | 'allocate',
    results: readonly PtxOperand[],
    args: readonly PtxOperand[],
  ): void {
    if (Object.hasOwn(unsaid, name)) this.notes.add(unsaid[name]!)
    if (what === 'stop') return this.push(made(s, 'trap', []))
    if (what === 'allocate') return this.allocate(s, results, args)
    for (const r of results)
      if (r.kind === 'name')
        this.push(
          made(s, 'st.param.b32', [
            { kind: 'address', base: r, offset: 0, parts: [] },
            { kind: 'literal', bits: 0n },
          ]),
        )
  }

  private allocate(s: Instruction, [result]: readonly PtxOperand[], [size]: readonly PtxOperand[]): void {
    if (result?.kind !== 'name' || size?.kind !== 'name')
      return fail('ptx.unsupported', 'this call of malloc cannot be analysed', ptxSpan(this.module, s.line))
    if (!this.variables.some((v) => v.name === 'device_heap')) this.variables.push(heap(s.line), heapTop(s.line))
    this.notes.add(
      'malloc takes multiples of 16 bytes from a heap of 8 MiB, with one atomic; what it really executes is ' +
        'not counted',
    )
    const wide = (): Register => ({
      kind: 'register',
      id: this.registers.push({ name: '%heap', type: 'b64' }) - 1,
      negated: false,
    })
    const [bytes, old, start, place] = [wide(), wide(), wide(), wide()]
    const literal = (n: bigint): PtxOperand => ({ kind: 'literal', bits: BigInt.asUintN(64, n) })
    const at = (name: string): AddressOperand => ({
      kind: 'address',
      base: { kind: 'name', name },
      offset: 0,
      parts: [],
    })
    this.push(made(s, 'ld.param.b64', [bytes, at(size.name)]))
    this.push(made(s, 'add.s64', [bytes, bytes, literal(15n)]))
    this.push(made(s, 'and.b64', [bytes, bytes, literal(-16n)]))
    this.push(made(s, 'atom.global.add.u64', [old, at('device_heap_taken'), bytes]))
    this.push(made(s, 'mov.u64', [start, { kind: 'name', name: 'device_heap' }]))
    this.push(made(s, 'add.s64', [place, start, old]))
    this.push(made(s, 'st.param.b64', [at(result.name), place]))
  }
}

/** An instruction in the place of another. */
function made(s: Instruction, text: string, operands: readonly PtxOperand[]): Instruction {
  const [name = '', ...mods] = text.split('.')
  return { ...s, opcode: { text, name, mods }, operands, second: null }
}

const itemsOf = (o: PtxOperand | undefined): readonly PtxOperand[] => (o?.kind === 'tuple' ? o.items : [])

const jump = (s: Instruction, label: string): Instruction => ({
  ...s,
  opcode: { text: 'bra.uni', name: 'bra', mods: ['uni'] },
  operands: [{ kind: 'name', name: label }],
  second: null,
})

function mapped(s: Instruction, shift: number, names: ReadonlyMap<string, string>): Instruction {
  const operand = (o: PtxOperand): PtxOperand => {
    switch (o.kind) {
      case 'register':
        return { ...o, id: o.id + shift }
      case 'name':
        return names.has(o.name) ? { kind: 'name', name: names.get(o.name)! } : o
      case 'address':
        return {
          ...o,
          base: o.base === null ? null : (operand(o.base) as AddressOperand['base']),
          parts: o.parts.map(operand),
        } // a register stays a register, a name a name
      case 'vector':
      case 'tuple':
        return { ...o, items: o.items.map(operand) }
      case 'literal':
      case 'sink':
        return o
    }
  }
  const shifted = <T extends Instruction['guard']>(r: T): T => (r === null ? r : { ...r, id: r.id + shift })
  return { ...s, guard: shifted(s.guard), second: shifted(s.second), operands: s.operands.map(operand) }
}
