// In: a flat body and its graph. Out: how many machine instructions each PTX instruction stands for; 0 for what the
// assembler folds into others. The one idea: PTX is not what runs, so the assembler's main rewritings are found on
// definitions and uses: fused multiply-adds of addresses, offsets in loads, three-input adds and logic, constants as
// operands, 64-bit arithmetic in halves, divisions as sequences, loops unrolled. Fitted on static counts of sm_90 code.
import { typeOf } from './lower/integers.ts'
import type { Graph } from './control-flow/flow-graph.ts'
import type { FlatBody } from './control-flow/inlining.ts'
import { bytesOfType, type Instruction, type PtxOperand } from './text/syntax.ts'

/** Instructions that begin every kernel: the stack pointer, and the descriptor of global memory where there is some. */
export const prologue = (body: FlatBody): number =>
  body.instructions.some((s) => s.opcode.name !== 'cvta' && s.opcode.mods.some((m) => m === 'global')) ? 2 : 1

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
    instructions.forEach((s, i) => {
      this.costs[i] = this.cost(s)
    })
    this.dead()
    for (let i = instructions.length - 1; i >= 0; i--) this.fold(instructions[i]!, i)
    this.unroll()
    return this.costs
  }

  private index(s: Instruction, i: number): void {
    const reads = (o: PtxOperand | null | undefined): void => {
      if (!o) return
      if (o.kind === 'register') this.readers[o.id]!.push(i)
      else if (o.kind === 'vector') o.items.forEach(reads)
      else if (o.kind === 'address') {
        reads(o.base)
        o.parts.forEach(reads)
      }
    }
    const writes = (o: PtxOperand | null | undefined): void => {
      if (o?.kind === 'register') {
        this.defs[o.id]!++
        this.definition[o.id] = i
      } else if (o?.kind === 'vector') o.items.forEach(writes)
    }
    reads(s.guard)
    const [first, ...rest] = s.operands
    if (hasResult(s)) {
      writes(first)
      writes(s.second)
    } else reads(first)
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
      case 'mov':
        return this.move(s)
      case 'cvta':
      case 'not':
      case 'abs':
      case 'neg':
        return name === 'cvta' || (t.startsWith('f') && name !== 'not') ? 0 : t === 'pred' ? 0 : wide ? 2 : 1
      case 'ld':
        return mods[0] === 'param' ? this.parameter(s) : 1
      case 'st':
        return mods[0] === 'param' ? 0 : 1
      case 'add':
      case 'sub':
        return t.startsWith('f') ? 1 : wide ? 2 : 1
      case 'and':
      case 'or':
      case 'xor':
        return t === 'pred' ? 0.5 : wide ? 2 : 1
      case 'shl':
      case 'shr':
        return wide ? 2 : 1
      case 'min':
      case 'max':
        return wide ? 4 : 1
      case 'setp':
        return wide ? 2 : 1
      case 'selp':
        return wide ? 2 : t === 'pred' ? 0.5 : 1
      case 'mul':
      case 'mad':
        return wide ? (mods.includes('hi') ? 10 : 4) : 1
      case 'div':
      case 'rem':
        return division(s, wide)
      case 'rcp':
        return mods.includes('approx') ? (mods.includes('ftz') ? 1 : 4) : t === 'f64' ? 10 : 8
      case 'sqrt':
        return mods.includes('approx') ? (mods.includes('ftz') ? 2 : 5) : t === 'f64' ? 14 : 9
      case 'rsqrt':
        return t === 'f64' ? 9 : mods.includes('ftz') ? 1 : 4
      case 'ex2':
      case 'lg2':
        return mods.includes('ftz') || t === 'f16' ? 1 : 4
      case 'sin':
      case 'cos':
        return 2
      case 'clz':
        return wide ? 5 : 2
      case 'popc':
        return wide ? 3 : 1
      case 'bfe':
      case 'bfi':
        return wide ? 4 : 2
      case 'bar':
      case 'barrier':
        return mods[0] === 'warp' ? 1 : 1
      case 'membar':
      case 'fence':
        return 3
      case 'redux':
        return 2
      case 'isspacep':
        return 1
      case 'cvt':
        return this.conversion(s)
      case 'trap':
      case 'bra':
        return 1
      default:
        return 1
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
    if (dst?.kind !== 'register' || this.defs[dst.id]! === 1) return 0
    // A variable that begins as another value which lives on is a copy now and then.
    return a?.kind === 'literal' ? 1 : a?.kind === 'register' && this.readers[a.id]!.length > 1 ? 0.5 : 0
  }

  private once(what: string): boolean {
    const first = !this.seen.has(what)
    this.seen.add(what)
    return first
  }

  /** Scalars are operands out of the constant bank now and then, pointers where they are used (`wideAdds`). */
  private parameter(s: Instruction): number {
    const [dst] = s.operands
    return bytesOfType[typeOf(s)] === 8 && !(dst?.kind === 'register' && this.isBase(dst.id)) ? 1 : 0.5
  }

  /** Whether a register is a parameter's pointer that only sums with products read. */
  private isBase(id: number): boolean {
    if (this.defs[id] !== 1) return false
    return this.readers[id]!.every((k) => {
      const x = this.body.instructions[k]!
      const [dst] = x.operands
      return x.opcode.name === 'cvta' ? dst?.kind === 'register' && this.isBase(dst.id) : isAdd(x, 8)
    })
  }

  /** Whether a register holds a parameter's pointer. */
  private fromParameter(id: number): boolean {
    const at = this.definition[id]!
    if (this.defs[id] !== 1 || at < 0) return false
    const s = this.body.instructions[at]!
    if (s.opcode.name === 'ld') return s.opcode.mods[0] === 'param'
    const a = s.operands[1]
    return s.opcode.name === 'cvta' && a?.kind === 'register' && this.fromParameter(a.id)
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
    const all = (test: (x: Instruction) => boolean): boolean =>
      readers.length > 0 && readers.every((k) => test(this.body.instructions[k]!))
    const t = typeOf(s)
    const literal = s.operands.slice(1).some((o) => o.kind === 'literal')
    if ((name === 'add' || name === 'sub') && literal && !t.startsWith('f') && all((x) => isAddressOf(x, r))) {
      this.costs[i] = 0
      return
    }
    switch (name) {
      case 'mul':
        if (t.startsWith('f')) return
        if (s.opcode.mods.includes('wide') && all((x) => isAdd(x, 8))) {
          this.costs[i] = 0
          this.wideAdds(readers)
          return
        }
        if (s.opcode.mods.includes('lo') && readers.length === 1 && all((x) => isAdd(x, 4))) this.costs[i] = 0
        return
      case 'shl':
        if (readers.length <= 2 && all((x) => isAdd(x, bytesOfType[t])) && s.operands[2]?.kind === 'literal')
          this.costs[i] = 0
        return
      case 'cvt':
        if (all((x) => x.opcode.name === 'shl' || isAdd(x, 8)) && bytesOfType[t] >= 4)
          this.costs[i] = Math.min(this.costs[i]!, 1)
        return
      case 'add':
        if (
          !t.startsWith('f') &&
          bytesOfType[t] === 4 &&
          readers.length === 1 &&
          all((x) => isAdd(x, 4)) &&
          this.take(readers[0]!, 'add')
        )
          this.costs[i] = 0
        return
      case 'and':
      case 'or':
      case 'xor':
      case 'not':
        if (t !== 'pred' && readers.length === 1 && all((x) => isLogic(x)) && this.take(readers[0]!, 'logic'))
          this.costs[i] = 0
        return
      default:
        return
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

  /** A 64-bit add of a wide product is one multiply-add; a parameter's pointer is loaded for each. */
  private wideAdds(readers: readonly number[]): void {
    for (const k of readers) {
      const pointer = this.body.instructions[k]!.operands.slice(1).some(
        (o) => o.kind === 'register' && this.fromParameter(o.id) && this.isBase(o.id),
      )
      this.costs[k] = Math.min(this.costs[k]!, 1) + (pointer ? 1 : 0)
    }
  }

  /**
   * Innermost loops with one exit and without barriers are unrolled: counters and the test are done once for several
   * rounds.
   */
  private unroll(): void {
    const { graph } = this
    const members = new Map<number, number[]>()
    for (const b of graph.order) {
      const h = graph.loopOf[b]!
      if (h >= 0) members.set(h, [...(members.get(h) ?? []), b])
    }
    const outer = new Set(graph.parent.values())
    for (const [header, blocks] of members) if (!outer.has(header)) this.unrollLoop(header, blocks)
  }

  private unrollLoop(header: number, blocks: readonly number[]): void {
    const { graph, body } = this
    const inside = new Set(blocks)
    const exits = blocks.filter((b) => graph.blocks[b]!.next.some((n) => !inside.has(n)))
    const [latch] = exits
    if (
      latch === undefined ||
      exits.length > 1 ||
      !graph.blocks[latch]!.next.includes(header) ||
      body.noUnroll.has(graph.blocks[header]!.from)
    )
      return
    let size = 0
    for (const b of blocks) {
      const { from, to, jump } = graph.blocks[b]!
      if (jump && b === latch) size++
      for (let i = from; i < to; i++) {
        if (fixed.has(body.instructions[i]!.opcode.name)) return
        size += this.costs[i]!
      }
    }
    const rounds = Math.min(4, Math.floor(64 / size))
    if (rounds > 1) for (const b of blocks) this.share(graph.blocks[b]!.from, graph.blocks[b]!.to, rounds, b === latch)
  }

  /** Divides what keeps the loop going: variables that grow by a constant, and the test. */
  private share(from: number, to: number, rounds: number, latch: boolean): void {
    for (let i = from; i < to; i++) {
      const s = this.body.instructions[i]!
      const [dst, a, b] = s.operands
      const steps =
        s.opcode.name === 'add' &&
        dst?.kind === 'register' &&
        this.defs[dst.id]! > 1 &&
        a?.kind === 'register' &&
        a.id === dst.id &&
        b?.kind === 'literal'
      if (steps || (latch && s.opcode.name === 'setp')) this.costs[i] = this.costs[i]! / rounds
    }
    if (latch) this.costs[to] = this.costs[to]! / rounds
  }
}

const perLane = /^%(tid|laneid|lanemask|clock)/

/** 1 for registers in which the lanes of a warp may differ: what comes from a thread's place or from memory. */
export function varyingRegisters(body: FlatBody): Uint8Array {
  const varying = new Uint8Array(body.registers.length)
  const differs = (o: PtxOperand): boolean => {
    switch (o.kind) {
      case 'register':
        return varying[o.id] === 1
      case 'name':
        return perLane.test(o.name)
      case 'vector':
      case 'tuple':
        return o.items.some(differs)
      case 'address':
        return o.base?.kind === 'register' && varying[o.base.id] === 1
      case 'literal':
      case 'sink':
        return false
    }
  }
  const uniform = new Set(['vote', 'redux', 'activemask'])
  for (let changed = true, pass = 0; changed && pass < 50; pass++) {
    changed = false
    for (const s of body.instructions) {
      if (!hasResult(s) || uniform.has(s.opcode.name)) continue
      const given =
        s.opcode.name === 'atom' ||
        s.opcode.name === 'shfl' ||
        matrices.has(s.opcode.name) ||
        (s.guard !== null && varying[s.guard.id] === 1) ||
        s.operands.slice(1).some(differs)
      if (!given) continue
      const [dst] = s.operands
      for (const o of [...(dst?.kind === 'vector' ? dst.items : dst ? [dst] : []), ...(s.second ? [s.second] : [])])
        if (o.kind === 'register' && varying[o.id] === 0) {
          varying[o.id] = 1
          changed = true
        }
    }
  }
  return varying
}

/** Each lane gets a part of its own. */
const matrices = new Set(['wmma', 'mma', 'ldmatrix', 'movmatrix'])

/** What keeps a loop as it is. */
const fixed = new Set(['bar', 'barrier', 'atom', 'red', 'shfl', 'vote', 'membar', 'fence', 'wmma', 'mma', 'ldmatrix'])
const noResult = new Set([
  'st',
  'red',
  'bra',
  'brx',
  'bar',
  'barrier',
  'ret',
  'exit',
  'trap',
  'membar',
  'fence',
  'cp',
  'prefetch',
  'nanosleep',
  'griddepcontrol',
  'sust',
  'sured',
  'stmatrix',
])
/** Whether the first operand is what an instruction gives. */
export const hasResult = (s: Instruction): boolean =>
  !noResult.has(s.opcode.name) && !(s.opcode.name === 'wmma' && s.opcode.mods[0] === 'store')
const isPure = (s: Instruction): boolean =>
  (s.opcode.name !== 'atom' && s.opcode.name !== 'ld') || s.opcode.mods[0] === 'param'

/** Whether `x` reads register `r` only as the base of an address. */
const isAddressOf = (x: Instruction, r: number): boolean =>
  (x.opcode.name === 'ld' || x.opcode.name === 'st' || x.opcode.name === 'atom' || x.opcode.name === 'red') &&
  !x.operands.some(
    (o) =>
      (o.kind === 'register' && o.id === r && !(x.opcode.name === 'ld' && o === x.operands[0])) ||
      (o.kind === 'vector' && x.opcode.name !== 'ld' && o.items.some((y) => y.kind === 'register' && y.id === r)),
  )

const isAdd = (x: Instruction, bytes: number): boolean =>
  (x.opcode.name === 'add' || (x.opcode.name === 'sub' && bytes === 4)) &&
  bytesOfType[typeOf(x)] === bytes &&
  !typeOf(x).startsWith('f')
const isLogic = (x: Instruction): boolean =>
  x.opcode.name === 'and' ||
  x.opcode.name === 'or' ||
  x.opcode.name === 'xor' ||
  x.opcode.name === 'not' ||
  x.opcode.name === 'lop3'

function division(s: Instruction, wide: boolean): number {
  const t = typeOf(s)
  if (t === 'f64') return 16
  if (t.startsWith('f')) return s.opcode.mods.includes('approx') ? 4 : s.opcode.mods.includes('full') ? 6 : 11
  const literal = s.operands[2]?.kind === 'literal'
  return wide ? 70 : literal ? 5 : t.startsWith('s') ? 20 : 16
}
