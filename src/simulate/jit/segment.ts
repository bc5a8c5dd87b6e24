// In: a run of pure statements (ops and built-ins). Out: WebAssembly that executes them for a warp. The one idea: four
// lanes at a time go through the whole run, so that values used only inside it never touch memory; a loop over the
// eight chunks keeps the code small. Uniform results are computed once, before it.
import type { Builtin, Operand, Reg } from '../../ir/index.ts'
import { mem, opcode as o, simd as v } from '../wasm.ts'
import { at, frame } from './layout.ts'
import { margin, noteMargins } from './margins.ts'
import { isScalar, isUniform, paramAddress, pushScalar, scalarLocal, type Pure, type WarpRegion } from './region.ts'
import { isWide, loadOf, pushConst, scalarOp, wasmType } from './scalar.ts'
import { emitShift } from './steady-indices.ts'
import { vectorsPerValue, splat, vectorOp, type VectorArg } from './vector.ts'

/** Runs of at most this many vector statements are written out eight times instead of looping. */
const unrolled = 2

/** A uniform operand as the vector statements will find it: its value when the statement stood there. */
interface Captured {
  readonly operand: Operand
  readonly scalar?: number
  readonly own?: boolean
}
interface Task {
  readonly s: Pure
  readonly position: number
  readonly args: readonly Captured[]
}

export function emitSegment(r: WarpRegion, stmts: readonly Pure[], divergent: boolean): void {
  const plan = new Plan(r, stmts, divergent)
  plan.scalars()
  plan.vectors()
}

class Plan {
  private readonly r: WarpRegion
  private readonly stmts: readonly Pure[]
  private readonly divergent: boolean
  private readonly tasks: Task[] = []
  private readonly lastUse = new Map<number, number>()
  private readonly lastDefinition = new Map<number, number>()
  private readonly usesHere = new Map<number, number>()
  private readonly bits = new Map<number, number>()

  constructor(r: WarpRegion, stmts: readonly Pure[], divergent: boolean) {
    this.r = r
    this.stmts = stmts
    this.divergent = divergent
    stmts.forEach((s, i) => {
      for (const a of s.kind === 'op' ? s.args : []) {
        if (a.kind !== 'reg') continue
        this.lastUse.set(a.id, i)
        this.usesHere.set(a.id, (this.usesHere.get(a.id) ?? 0) + 1)
      }
      this.lastDefinition.set(s.dst.id, i)
    })
  }

  /** Computes uniform results in order and notes what the vector statements need of them. */
  scalars(): void {
    this.stmts.forEach((s, position) => {
      const steady = this.r.steady.get(s.dst.id)
      if (steady) emitShift(this.r, s, steady)
      else if (this.r.c.facts.uniform[s.dst.id]) this.scalar(s)
      else this.tasks.push({ s, position, args: (s.kind === 'op' ? s.args : []).map((a) => this.capture(a, position)) })
    })
  }

  private capture(operand: Operand, position: number): Captured {
    if (operand.kind !== 'reg' || !isUniform(this.r.c, operand)) return { operand }
    const local = scalarLocal(this.r, operand)
    if ((this.lastDefinition.get(operand.id) ?? -1) <= position) return { operand, scalar: local }
    const copy = this.r.f.local(wasmType(operand.type))
    this.r.f.get(local).set(copy)
    return { operand, scalar: copy, own: true }
  }

  private scalar(s: Pure): void {
    const { f, c } = this.r
    const dst = scalarLocal(this.r, s.dst)
    if (s.kind === 'builtin') {
      pushBuiltin(this.r, s.name)
      f.set(dst)
      return
    }
    const owned: (() => void)[] = []
    const locals = s.args.map((a) => {
      if (a.kind === 'reg') return scalarLocal(this.r, a)
      const local = f.local(wasmType(a.type))
      pushScalar(this.r, a)
      f.set(local)
      owned.push(() => f.release(wasmType(a.type), local))
      return local
    })
    this.note(s, locals)
    scalarOp(f, c.math, s.op, argumentType(s), s.dst.type, locals)
    f.set(dst)
    for (const free of owned) free()
  }

  /** Keeps the margins of a decision that is the same for the warp. */
  private note(s: Extract<Pure, { kind: 'op' }>, locals: readonly number[]): void {
    const { f, c } = this.r
    const decision = c.decisions?.get(s)
    if (!decision) return
    const active = f.local('v128')
    f.v128([-1, -1, -1, -1]).set(active)
    const sides = decision.sides.map((i) => {
      const chunk = f.local('v128')
      splat(f, decision.type, locals[i]!, [chunk])
      return isWide(decision.type) ? [chunk, chunk] : [chunk]
    })
    noteMargins(f, c.layout.margins + margin.bytes * decision.index, decision, [sides[0]!, sides[1]!], active)
    for (const [chunk] of sides) f.release('v128', chunk!)
    f.release('v128', active)
  }

  vectors(): void {
    if (this.tasks.length === 0) return
    const { f } = this.r
    this.openBits()
    if (this.tasks.length <= unrolled)
      for (let i = 0; i < 8; i++) new ChunkWriter(this.r, this.plan(), { fixed: i }).write()
    else this.loop()
    for (const task of this.tasks) for (const a of task.args) if (a.own) f.release(wasmType(a.operand.type), a.scalar!)
    this.closeBits()
  }

  private plan(): ChunkPlan {
    return {
      tasks: this.tasks,
      lastUse: this.lastUse,
      lastDefinition: this.lastDefinition,
      bits: this.bits,
      needed: (reg) => this.needed(reg),
      merged: (reg) => this.merged(reg),
    }
  }

  private loop(): void {
    const { f } = this.r
    const chunk = f.local('i32')
    f.i32(0).set(chunk)
    const again = f.loop()
    new ChunkWriter(this.r, this.plan(), { local: chunk }).write()
    f.get(chunk).i32(16).op(o.i32_add).tee(chunk).i32(128).op(o.i32_lt_u).brIf(again)
    f.end()
    f.release('i32', chunk)
  }

  /** Whether the value must be kept beyond this run. */
  private needed(reg: Reg): boolean {
    return !this.r.c.facts.single[reg.id] || this.r.c.uses[reg.id]! > (this.usesHere.get(reg.id) ?? 0)
  }

  /** Whether inactive lanes must keep their old value. */
  private merged(reg: Reg): boolean {
    return this.divergent && !this.r.c.facts.single[reg.id]
  }

  private openBits(): void {
    const { f } = this.r
    for (const { s } of this.tasks) {
      if (s.dst.type !== 'bool' || this.bits.has(s.dst.id) || !this.needed(s.dst)) continue
      const local = f.local('i32')
      f.i32(0).set(local)
      this.bits.set(s.dst.id, local)
    }
  }

  private closeBits(): void {
    const { f, mask } = this.r
    for (const { s } of this.tasks) {
      const bits = this.bits.get(s.dst.id)
      if (bits === undefined) continue
      this.bits.delete(s.dst.id)
      const target = scalarLocal(this.r, s.dst)
      if (this.merged(s.dst))
        f.get(target)
          .get(mask)
          .i32(-1)
          .op(o.i32_xor)
          .op(o.i32_and)
          .get(bits)
          .get(mask)
          .op(o.i32_and)
          .op(o.i32_or)
          .set(target)
      else f.get(bits).set(target)
      f.release('i32', bits)
    }
  }
}

/** The type that an op's arguments have. */
export function argumentType(s: Extract<Pure, { kind: 'op' }>): Operand['type'] {
  return s.args[s.op === 'select' ? 1 : 0]!.type // the verifier has checked the count
}

/** Pushes a built-in that is the same for the whole warp. */
function pushBuiltin(r: WarpRegion, name: Builtin): void {
  const { f, c } = r
  const [x, y, z] = c.kernel.block
  switch (name) {
    case 'blockIdx.x':
      f.i32(0).mem(mem.i32_load, at.blockIdx)
      return
    case 'blockIdx.y':
      f.i32(0).mem(mem.i32_load, at.blockIdx + 4)
      return
    case 'blockIdx.z':
      f.i32(0).mem(mem.i32_load, at.blockIdx + 8)
      return
    case 'gridDim.x':
      f.i32(0).mem(mem.i32_load, at.gridDim)
      return
    case 'gridDim.y':
      f.i32(0).mem(mem.i32_load, at.gridDim + 4)
      return
    case 'gridDim.z':
      f.i32(0).mem(mem.i32_load, at.gridDim + 8)
      return
    case 'blockDim.x':
      f.i32(x)
      return
    case 'blockDim.y':
      f.i32(y)
      return
    case 'blockDim.z':
      f.i32(z)
      return
    case 'warpSize':
      f.i32(c.warpSize)
      return
    case 'warp':
      f.get(r.fp).mem(mem.i32_load, frame.warp)
      return
    case 'presentLanes':
      f.get(r.fp).mem(mem.i32_load, frame.alive)
      return
    // The same for the warp because of the block's shape: lane 0 knows.
    case 'threadIdx.x':
      f.get(r.fp).mem(mem.i32_load, frame.threadX)
      return
    case 'threadIdx.y':
      f.get(r.fp).mem(mem.i32_load, frame.threadY)
      return
    case 'threadIdx.z':
      f.get(r.fp).mem(mem.i32_load, frame.threadZ)
      return
    case 'threadRank':
      f.get(r.fp).mem(mem.i32_load, frame.rank)
      return
    case 'lane':
      f.i32(0)
  }
}

const vectorBuiltin: Partial<Record<Builtin, number>> = {
  'threadIdx.x': frame.threadX,
  'threadIdx.y': frame.threadY,
  'threadIdx.z': frame.threadZ,
  threadRank: frame.rank,
}

interface ChunkPlan {
  readonly tasks: readonly Task[]
  readonly lastUse: ReadonlyMap<number, number>
  readonly lastDefinition: ReadonlyMap<number, number>
  readonly bits: ReadonlyMap<number, number>
  needed(reg: Reg): boolean
  merged(reg: Reg): boolean
}

/** Which chunk: written out for a fixed one, or by a local that holds 16 × its number. */
type Which = { readonly fixed: number } | { readonly local: number }

class ChunkWriter {
  private readonly r: WarpRegion
  private readonly plan: ChunkPlan
  private readonly which: Which
  private readonly held = new Map<number, readonly number[]>()
  private readonly pointer: number
  private readonly widePointer: number
  private maskChunk = -1

  constructor(r: WarpRegion, plan: ChunkPlan, which: Which) {
    this.r = r
    this.plan = plan
    this.which = which
    this.pointer = 'local' in which ? r.f.local('i32') : r.fp
    this.widePointer = 'local' in which ? r.f.local('i32') : r.fp
  }

  write(): void {
    const { f, fp } = this.r
    if ('local' in this.which) {
      f.get(fp)
        .get(this.which.local)
        .op(o.i32_add)
        .tee(this.pointer)
        .get(this.which.local)
        .op(o.i32_add)
        .set(this.widePointer)
    }
    for (const task of this.plan.tasks) this.task(task)
    for (const chunk of this.held.values()) for (const l of chunk) f.release('v128', l)
    if (this.maskChunk >= 0) f.release('v128', this.maskChunk)
    if ('local' in this.which) {
      f.release('i32', this.pointer)
      f.release('i32', this.widePointer)
    }
  }

  /** Pushes the base and returns the offset of part `p` of this chunk of something at `offset` in the frame. */
  private frameAt(offset: number, wide: boolean, p: number): number {
    this.r.f.get(wide ? this.widePointer : this.pointer)
    return offset + 16 * p + ('fixed' in this.which ? (wide ? 32 : 16) * this.which.fixed : 0)
  }

  /** Pushes this chunk of a table of 32 words at a fixed address. */
  private table(address: number): void {
    const { f } = this.r
    if ('fixed' in this.which) f.i32(0).simdMem(v.load, address + 16 * this.which.fixed)
    else f.get(this.which.local).simdMem(v.load, address)
  }

  private task({ s, position, args }: Task): void {
    const { f, c } = this.r
    const borrowed: number[] = []
    const out = Array.from({ length: vectorsPerValue(s.dst.type) }, () => f.local('v128'))
    if (s.kind === 'builtin') this.builtin(s.name, out[0]!)
    else {
      const given = args.map((a) => this.argument(a, borrowed))
      const decision = c.decisions?.get(s)
      if (decision) {
        const [a, b] = decision.sides
        const address = c.layout.margins + margin.bytes * decision.index
        noteMargins(f, address, decision, [given[a]!.chunk, given[b]!.chunk], this.mask())
      }
      vectorOp(f, c.math, s.op, argumentType(s), s.dst.type, given, out)
    }
    for (const l of borrowed) f.release('v128', l)
    this.drop(s.dst.id)
    this.held.set(s.dst.id, out)
    if (this.plan.lastDefinition.get(s.dst.id) === position && this.plan.needed(s.dst)) this.keep(s.dst, out)
    for (const a of s.kind === 'op' ? s.args : []) if (a.kind === 'reg') this.dropAfter(a.id, position)
    this.dropAfter(s.dst.id, position)
  }

  private dropAfter(id: number, position: number): void {
    if ((this.plan.lastUse.get(id) ?? -1) <= position) this.drop(id)
  }
  private drop(id: number): void {
    for (const l of this.held.get(id) ?? []) this.r.f.release('v128', l)
    this.held.delete(id)
  }

  private builtin(name: Builtin, out: number): void {
    const offset = vectorBuiltin[name]
    if (offset !== undefined) this.r.f.simdMem(v.load, this.frameAt(offset, false, 0))
    else if (name === 'lane') this.table(at.lanes)
    else {
      pushBuiltin(this.r, name)
      this.r.f.simd(v.i32x4_splat)
    }
    this.r.f.set(out)
  }

  private argument({ operand, scalar }: Captured, borrowed: number[]): VectorArg {
    const { f } = this.r
    if (scalar === undefined && operand.kind === 'reg') return { chunk: this.varying(operand) }
    const local = f.local('v128')
    borrowed.push(local)
    const chunk = isWide(operand.type) ? [local, local] : [local]
    if (operand.kind === 'const') {
      const temp = f.local(wasmType(operand.type))
      pushConst(f, operand.type, operand.value)
      f.set(temp)
      splat(f, operand.type, temp, [local])
      f.release(wasmType(operand.type), temp)
      return { chunk, literal: operand.value }
    }
    if (operand.kind === 'param') return this.param(operand, local, chunk)
    splat(f, operand.type, scalar!, [local])
    return { chunk, scalar: scalar! }
  }

  private param(operand: Extract<Operand, { kind: 'param' }>, local: number, chunk: readonly number[]): VectorArg {
    const { f, c } = this.r
    const wide = isWide(operand.type)
    const address = paramAddress(c, operand.name)
    f.i32(0)
      .simdMem(wide ? v.load64_splat : v.load32_splat, address)
      .set(local)
    if (operand.type === 'f64' || operand.type === 'f32' || operand.type === 'f16' || operand.type === 'bool')
      return { chunk }
    // Shifts want their amount as a scalar.
    const scalar = f.local(wasmType(operand.type))
    f.i32(0).mem(loadOf(operand.type), address).set(scalar)
    f.release(wasmType(operand.type), scalar)
    return { chunk, scalar }
  }

  /** The chunk of a varying register: held, or out of the frame or its bits. */
  private varying(reg: Reg): readonly number[] {
    const { f, c } = this.r
    const known = this.held.get(reg.id)
    if (known) return known
    const wide = isWide(reg.type)
    const chunk = Array.from({ length: vectorsPerValue(reg.type) }, () => f.local('v128'))
    if (isScalar(c, reg)) this.expand(scalarLocal(this.r, reg), chunk[0]!)
    else chunk.forEach((l, p) => f.simdMem(v.load, this.frameAt(c.layout.home[reg.id]!, wide, p)).set(l))
    this.held.set(reg.id, chunk)
    return chunk
  }

  private expand(bits: number, out: number): void {
    const { f } = this.r
    f.get(bits).simd(v.i32x4_splat)
    this.table(at.laneBits)
    f.simd(v.and)
    this.table(at.laneBits)
    f.simd(v.i32x4_eq).set(out)
  }

  private mask(): number {
    if (this.maskChunk < 0) {
      this.maskChunk = this.r.f.local('v128')
      this.expand(this.r.mask, this.maskChunk)
    }
    return this.maskChunk
  }

  private keep(reg: Reg, chunk: readonly number[]): void {
    const { f, c } = this.r
    const bits = this.plan.bits.get(reg.id)
    if (bits !== undefined) {
      f.get(bits).get(chunk[0]!).simd(v.i32x4_bitmask)
      if ('fixed' in this.which) f.i32(4 * this.which.fixed)
      else f.get(this.which.local).i32(2).op(o.i32_shr_u)
      f.op(o.i32_shl).op(o.i32_or).set(bits)
      return
    }
    const wide = isWide(reg.type)
    const merge = this.plan.merged(reg)
    if (merge) this.mask()
    chunk.forEach((l, p) => {
      const home = c.layout.home[reg.id]!
      const offset = this.frameAt(home, wide, p)
      f.get(l)
      if (merge) {
        f.simdMem(v.load, this.frameAt(home, wide, p)).get(this.mask())
        if (wide) f.simd(p === 0 ? v.i64x2_extend_low_s : v.i64x2_extend_high_s)
        f.simd(v.bitselect)
      }
      f.simdMem(v.store, offset)
    })
  }
}
