// In: a flat body and its graph. Out: how many machine instructions each PTX instruction stands for; 0 for what the
// assembler folds into others. The one idea: PTX is not what runs, so the assembler's main rewritings are found on
// definitions and uses: fused multiply-adds of addresses, offsets in loads, three-input adds and logic, constants as
// operands, 64-bit arithmetic in halves, divisions as sequences, loops unrolled. Fitted on static counts of sm_90 code.
import { typeOf } from './integers.ts'
import type { Graph } from './graph.ts'
import type { FlatBody } from './inline.ts'
import { bytesOfType, type Instruction, type Operand } from './syntax.ts'

/** Instructions that begin every kernel: the stack pointer, and the descriptor of global memory. */
export const prologue = 2

/** Costs by instruction, not always whole: what a loop's unrolling divides. */
export function costsOf(body: FlatBody, graph: Graph): Float32Array {
  return new Costs(body, graph).run()
}

class Costs {
  private readonly body: FlatBody
  private readonly graph: Graph
  private readonly defs: Int32Array
  /** Instructions that read a register, as many as there are reads. */
  private readonly readers: number[][]
  private readonly definition: Int32Array
  private readonly costs: Float32Array
  private readonly seen = new Set<string>()

  constructor(body: FlatBody, graph: Graph) {
    this.body = body
    this.graph = graph
    this.defs = new Int32Array(body.registers.length)
    this.definition = new Int32Array(body.registers.length).fill(-1)
    this.readers = body.registers.map(() => [])
    this.costs = new Float32Array(body.instructions.length)
    body.instructions.forEach((s, i) => this.index(s, i))
  }

  run(): Float32Array {
    const { instructions } = this.body
    instructions.forEach((s, i) => { this.costs[i] = this.cost(s) })
    this.dead()
    for (let i = instructions.length - 1; i >= 0; i--) this.fold(instructions[i]!, i)
    this.unroll()
    return this.costs
  }

  private index(s: Instruction, i: number): void {
    const reads = (o: Operand | null | undefined): void => {
      if (!o) return
      if (o.kind === 'register') this.readers[o.id]!.push(i)
      else if (o.kind === 'vector') o.items.forEach(reads)
      else if (o.kind === 'address') { reads(o.base); o.parts.forEach(reads) }
    }
    const writes = (o: Operand | null | undefined): void => {
      if (o?.kind === 'register') { this.defs[o.id]!++; this.definition[o.id] = i }
      else if (o?.kind === 'vector') o.items.forEach(writes)
    }
    reads(s.guard)
    const [first, ...rest] = s.operands
    if (hasResult(s)) { writes(first); writes(s.second) } else reads(first)
    rest.forEach(reads)
  }

  /** The one register that an instruction gives, if only it gives it. */
  private result(s: Instruction): number {
    const [dst] = s.operands
    return hasResult(s) && dst?.kind === 'register' && this.defs[dst.id] === 1 ? dst.id : -1
  }

  /** Pure instructions whose result nobody reads. */
  private dead(): void {
    const { instructions } = this.body
    for (let i = instructions.length - 1; i >= 0; i--) {
      const s = instructions[i]!
      const r = this.result(s)
      if (r >= 0 && this.readers[r]!.length === 0 && isPure(s)) this.costs[i] = 0
    }
  }

  private cost(s: Instruction): number {
    const { name, mods } = s.opcode
    const t = typeOf(s)
    const wide = bytesOfType[t] === 8 && !t.startsWith('f')
    switch (name) {
      case 'mov': return this.move(s)
      case 'cvta': case 'not': case 'abs': case 'neg': return name === 'cvta' || (t.startsWith('f') && name !== 'not') ? 0 : t === 'pred' ? 0 : wide ? 2 : 1
      case 'ld': return mods[0] === 'param' ? this.parameter(s) : 1
      case 'st': return mods[0] === 'param' ? 0 : 1
      case 'add': case 'sub': return t.startsWith('f') ? 1 : wide ? 2 : 1
      case 'and': case 'or': case 'xor': return t === 'pred' ? 0.5 : wide ? 2 : 1
      case 'shl': case 'shr': return wide ? 2 : 1
      case 'min': case 'max': return wide ? 4 : 1
      case 'setp': return wide ? 2 : 1
      case 'selp': return wide ? 2 : t === 'pred' ? 0.5 : 1
      case 'mul': case 'mad': return wide ? (mods.includes('hi') ? 10 : 4) : 1
      case 'div': case 'rem': return division(s, wide)
      case 'rcp': return mods.includes('approx') ? (mods.includes('ftz') ? 1 : 4) : t === 'f64' ? 10 : 8
      case 'sqrt': return mods.includes('approx') ? (mods.includes('ftz') ? 2 : 5) : t === 'f64' ? 14 : 9
      case 'rsqrt': return t === 'f64' ? 9 : mods.includes('ftz') ? 1 : 4
      case 'ex2': case 'lg2': return mods.includes('ftz') || t === 'f16' ? 1 : 4
      case 'sin': case 'cos': return 2
      case 'clz': return wide ? 5 : 2
      case 'popc': return wide ? 3 : 1
      case 'bfe': case 'bfi': return wide ? 4 : 2
      case 'bar': case 'barrier': return mods[0] === 'warp' ? 1 : 1
      case 'membar': case 'fence': return 3
      case 'redux': return 2
      case 'isspacep': return 1
      case 'cvt': return this.conversion(s)
      case 'trap': case 'bra': return 1
      default: return 1
    }
  }

  /** Copies vanish; constants are operands unless they begin a variable; built-ins are read once. */
  private move(s: Instruction): number {
    const [dst, a] = s.operands
    if (a?.kind === 'name') {
      if (/^%n(tid|ctaid)|^WARP_SZ/.test(a.name)) return 0
      const first = !this.seen.has(a.name)
      this.seen.add(a.name)
      return first ? (a.name.startsWith('%') ? 1 : this.once('shared') ? 3 : 0) : 0
    }
    return a?.kind === 'literal' && dst?.kind === 'register' && this.defs[dst.id]! > 1 ? 1 : 0
  }

  private once(what: string): boolean {
    const first = !this.seen.has(what)
    this.seen.add(what)
    return first
  }

  /** Pointers are loaded from the constant bank in pairs; scalars are operands. */
  private parameter(s: Instruction): number {
    return bytesOfType[typeOf(s)] === 8 ? 1 : 0.5
  }

  private conversion(s: Instruction): number {
    const types = s.opcode.mods.filter((m) => m in bytesOfType)
    const [to, from] = types as (keyof typeof bytesOfType)[] // just filtered
    if (!to || !from) return 1
    const whole = !to.startsWith('f') && !from.startsWith('f')
    if (!whole) return to === from && to.startsWith('f') ? 1 : 1
    if (bytesOfType[to] === 8) return from.startsWith('s') ? 1 : 0
    if (bytesOfType[from] === 8) return bytesOfType[to] === 4 ? 0 : 1
    return bytesOfType[to] === 4 && bytesOfType[from] === 2 && from.startsWith('u') ? 0.5 : 1
  }

  /** Marks what the consumer of a result, or its producers, take in. */
  private fold(s: Instruction, i: number): void {
    const { name } = s.opcode
    const r = this.result(s)
    if (r < 0 || s.guard || this.costs[i] === 0) return
    const readers = this.readers[r]!
    const all = (test: (x: Instruction) => boolean): boolean => readers.length > 0 && readers.every((k) => test(this.body.instructions[k]!))
    const t = typeOf(s)
    const literal = s.operands.slice(1).some((o) => o.kind === 'literal')
    if ((name === 'add' || name === 'sub') && literal && !t.startsWith('f') && all((x) => isAddressOf(x, r))) { this.costs[i] = 0; return }
    switch (name) {
      case 'mul':
        if (t.startsWith('f')) return
        if (s.opcode.mods.includes('wide') && all((x) => isAdd(x, 8))) { this.costs[i] = 0; this.wideAdds(readers); return }
        if (s.opcode.mods.includes('lo') && readers.length === 1 && all((x) => isAdd(x, 4))) this.costs[i] = 0
        return
      case 'shl':
        if (readers.length <= 2 && all((x) => isAdd(x, bytesOfType[t])) && s.operands[2]?.kind === 'literal') this.costs[i] = 0
        return
      case 'cvt':
        if (all((x) => x.opcode.name === 'shl' || isAdd(x, 8)) && bytesOfType[t] >= 4) this.costs[i] = Math.min(this.costs[i]!, 1)
        return
      case 'add':
        if (!t.startsWith('f') && bytesOfType[t] === 4 && readers.length === 1 && all((x) => isAdd(x, 4)) && this.take(readers[0]!, 'add')) this.costs[i] = 0
        return
      case 'and': case 'or': case 'xor': case 'not':
        if (t !== 'pred' && readers.length === 1 && all((x) => isLogic(x)) && this.take(readers[0]!, 'logic')) this.costs[i] = 0
        return
      default: return
    }
  }

  private readonly taken = new Set<string>()
  /** A machine instruction takes in one other of a kind. */
  private take(i: number, kind: string): boolean {
    const key = `${kind} ${i}`
    if (this.taken.has(key)) return false
    this.taken.add(key)
    return true
  }

  /** A 64-bit add of a wide product is one multiply-add. */
  private wideAdds(readers: readonly number[]): void {
    for (const k of readers) this.costs[k] = Math.min(this.costs[k]!, 1)
  }

  /** Loops of one block without barriers are unrolled: counters and tests are done once for several rounds. */
  private unroll(): void {
    const { graph, body } = this
    for (const [header] of graph.parent) {
      const block = graph.blocks[header]!
      if (!block.next.includes(header) || block.kind !== 'branch') continue
      let size = 1
      let stays = false
      for (let i = block.from; i < block.to; i++) {
        const s = body.instructions[i]!
        size += this.costs[i]!
        stays ||= s.opcode.name.startsWith('bar') || s.opcode.name === 'shfl' || s.opcode.name === 'atom'
      }
      const rounds = stays || body.noUnroll.has(block.from) ? 1 : Math.max(1, Math.min(4, Math.floor(64 / size)))
      if (rounds > 1) this.share(block.from, block.to, rounds)
    }
  }

  /** Divides what keeps the loop going: variables that grow by a constant, and the test. */
  private share(from: number, to: number, rounds: number): void {
    for (let i = from; i < to; i++) {
      const s = this.body.instructions[i]!
      const [dst, a, b] = s.operands
      const steps = s.opcode.name === 'add' && dst?.kind === 'register' && this.defs[dst.id]! > 1 && a?.kind === 'register' && a.id === dst.id && b?.kind === 'literal'
      if (steps || s.opcode.name === 'setp') this.costs[i] = this.costs[i]! / rounds
    }
    this.costs[to] = this.costs[to]! / rounds
  }
}

const noResult = new Set(['st', 'red', 'bra', 'brx', 'bar', 'barrier', 'ret', 'exit', 'trap', 'membar', 'fence', 'cp', 'prefetch', 'nanosleep', 'griddepcontrol'])
const hasResult = (s: Instruction): boolean => !noResult.has(s.opcode.name)
const isPure = (s: Instruction): boolean => s.opcode.name !== 'atom' && s.opcode.name !== 'ld' || s.opcode.mods[0] === 'param'

/** Whether `x` reads register `r` only as the base of an address. */
const isAddressOf = (x: Instruction, r: number): boolean =>
  (x.opcode.name === 'ld' || x.opcode.name === 'st' || x.opcode.name === 'atom' || x.opcode.name === 'red') &&
  !x.operands.some((o) => (o.kind === 'register' && o.id === r && !(x.opcode.name === 'ld' && o === x.operands[0])) || (o.kind === 'vector' && x.opcode.name !== 'ld' && o.items.some((y) => y.kind === 'register' && y.id === r)))

const isAdd = (x: Instruction, bytes: number): boolean => (x.opcode.name === 'add' || (x.opcode.name === 'sub' && bytes === 4)) && bytesOfType[typeOf(x)] === bytes && !typeOf(x).startsWith('f')
const isLogic = (x: Instruction): boolean => x.opcode.name === 'and' || x.opcode.name === 'or' || x.opcode.name === 'xor' || x.opcode.name === 'not' || x.opcode.name === 'lop3'

function division(s: Instruction, wide: boolean): number {
  const t = typeOf(s)
  if (t === 'f64') return 16
  if (t.startsWith('f')) return s.opcode.mods.includes('approx') ? 4 : s.opcode.mods.includes('full') ? 6 : 11
  const literal = s.operands[2]?.kind === 'literal'
  return wide ? 70 : literal ? 5 : t.startsWith('s') ? 20 : 16
}
