// In: the context and a function under way. Out: the state of one region function: where each register is now. The one
// idea: uniform values and bools (32 bits, one per lane) are WebAssembly locals, varying numbers are vectors in the
// warp's frame; a local that must outlive the region is loaded at its start and stored at its end.
import { definesOf, listsOf, usesOf, type Operand, type Reg, type Stmt } from '../../ir/index.ts'
import { mem, opcode as o, simd as v, type Func } from '../wasm.ts'
import type { JitContext, CountedBlock } from './context.ts'
import { at, rec, tempBytes } from './layout.ts'
import { isWide, loadOf, pushConst, storeOf, wasmType } from './scalar.ts'
import { splat } from './vector.ts'

/** A register whose vector stands in its home since before the loop under way. */
export interface SteadyVector {
  /** Local: what all lanes have more than the vector; null where the loop adds nothing. */
  readonly shift: number | null
  /** Operands that change in the loop, by position; the others add nothing. */
  readonly moving: readonly boolean[]
}

/** A statement that computes a register and does nothing else. */
export type Pure = Extract<Stmt, { kind: 'op' | 'builtin' }>

export interface WarpRegion {
  readonly c: JitContext
  readonly f: Func
  /** Local: address of the warp's frame. */
  readonly fp: number
  /** Local: active lanes. */
  readonly mask: number
  /** Locals of uniform and bool registers. */
  readonly scalars: Map<number, number>
  /** Registers whose vectors the loop under way leaves as they are. */
  readonly steady: Map<number, SteadyVector>
  /** Locals of the families that requests at such indices had last. */
  readonly families: Map<Stmt, number>
  /** Where executions of the next statement are counted; null: a new block has to begin. */
  counted: CountedBlock | null
}

export const isScalar = (c: JitContext, r: Reg): boolean => c.facts.uniform[r.id]! || r.type === 'bool'

/** The local of a uniform or bool register. */
export function scalarLocal(r: WarpRegion, reg: Reg): number {
  let local = r.scalars.get(reg.id)
  if (local === undefined) {
    local = r.f.fresh(wasmType(reg.type))
    r.scalars.set(reg.id, local)
  }
  return local
}

/** Scalar registers with a home in the frame that `list` touches, and whether it assigns them. */
function persistent(c: JitContext, list: readonly Stmt[], found: Map<Reg, boolean>): void {
  const note = (reg: Reg, assigned: boolean): void => {
    if (isScalar(c, reg) && c.layout.home[reg.id]! >= 0) found.set(reg, assigned || found.get(reg) === true)
  }
  for (const s of list) {
    for (const u of usesOf(s)) if (u.kind === 'reg') note(c.kernel.registers[u.id]!, false)
    for (const d of definesOf(s)) note(c.kernel.registers[d.id]!, true)
    for (const inner of listsOf(s)) persistent(c, inner, found)
  }
}

/** Loads what the region shares with others; the returned function stores it back. */
export function enter(r: WarpRegion, list: readonly Stmt[]): () => void {
  const found = new Map<Reg, boolean>()
  persistent(r.c, list, found)
  for (const reg of found.keys()) {
    r.f.get(r.fp).mem(loadOf(reg.type), r.c.layout.home[reg.id]!).set(scalarLocal(r, reg))
  }
  return () => {
    for (const [reg, assigned] of found)
      if (assigned) r.f.get(r.fp).get(scalarLocal(r, reg)).mem(storeOf(reg.type), r.c.layout.home[reg.id]!)
  }
}

export const paramAddress = (c: JitContext, name: string): number =>
  at.params + 8 * c.kernel.params.findIndex((p) => p.name === name)

/** Pushes a uniform operand (or the bits of a bool one) as a scalar. */
export function pushScalar(r: WarpRegion, x: Operand): void {
  if (x.kind === 'const') pushConst(r.f, x.type, x.value)
  else if (x.kind === 'param') r.f.i32(0).mem(loadOf(x.type), paramAddress(r.c, x.name))
  else r.f.get(scalarLocal(r, x))
}

export const isUniform = (c: JitContext, x: Operand): boolean => x.kind !== 'reg' || c.facts.uniform[x.id]!

/** Pushes the bits of a bool vector kept in a temporary: lanes that are not 0. */
export function pushBits(f: Func, address: number): void {
  for (let i = 0; i < 8; i++) {
    f.i32(0)
      .simdMem(v.load, address + 16 * i)
      .v128([0, 0, 0, 0])
      .simd(v.i32x4_ne)
      .simd(v.i32x4_bitmask)
    if (i > 0)
      f.i32(4 * i)
        .op(o.i32_shl)
        .op(o.i32_or)
  }
}

/** Pushes the lane mask of chunk `i` out of the bits in a local. */
function pushChunkMask(f: Func, bits: number, i: number): void {
  f.get(bits)
    .simd(v.i32x4_splat)
    .i32(0)
    .simdMem(v.load, at.laneBits + 16 * i)
    .simd(v.and)
    .i32(0)
    .simdMem(v.load, at.laneBits + 16 * i)
    .simd(v.i32x4_eq)
}

/** Writes `x` to all lanes of temporary `slot`; pushes nothing, returns its address. */
function fillTemp(r: WarpRegion, x: Operand, slot: number): number {
  const { f } = r
  const address = at.temps + tempBytes * slot
  const scalar = f.local(wasmType(x.type))
  const chunk = f.local('v128')
  pushScalar(r, x)
  f.set(scalar)
  if (x.type === 'bool' && !isUniform(r.c, x)) {
    for (let i = 0; i < 8; i++) {
      f.i32(0)
      pushChunkMask(f, scalar, i)
      f.simdMem(v.store, address + 16 * i)
    }
  } else {
    splat(f, x.type, scalar, [chunk])
    for (let i = 0; i < (isWide(x.type) ? 16 : 8); i++)
      f.i32(0)
        .get(chunk)
        .simdMem(v.store, address + 16 * i)
  }
  f.release(wasmType(x.type), scalar)
  f.release('v128', chunk)
  return address
}

/** Pushes the address of 32 values of `x`: its vector in the frame, or a temporary filled with it. */
export function pushVector(r: WarpRegion, x: Operand, slot: number): void {
  if (x.kind === 'reg' && !isScalar(r.c, x)) r.f.get(r.fp).i32(r.c.layout.home[x.id]!).op(o.i32_add)
  else r.f.i32(fillTemp(r, x, slot))
}

/** Assigns the scalar in `local` to `reg` for the active lanes. */
export function assignScalar(r: WarpRegion, reg: Reg, local: number): void {
  const { f } = r
  if (r.c.facts.uniform[reg.id]!) {
    f.get(local).set(scalarLocal(r, reg))
    return
  }
  if (reg.type === 'bool') return assignBits(r, reg, local)
  const parts = isWide(reg.type) ? 2 : 1
  const value = f.local('v128')
  splat(f, reg.type, local, [value])
  for (let i = 0; i < 8; i++) for (let p = 0; p < parts; p++) storeMasked(r, reg, i, p, value)
  f.release('v128', value)
}

/** Stores `value` to part `p` of chunk `i` of a vector register, for active lanes alone. */
function storeMasked(r: WarpRegion, reg: Reg, i: number, p: number, value: number): void {
  const { f } = r
  const wide = isWide(reg.type)
  const offset = r.c.layout.home[reg.id]! + 16 * (wide ? 2 * i + p : i)
  f.get(r.fp).get(value).get(r.fp).simdMem(v.load, offset)
  pushChunkMask(f, r.mask, i)
  if (wide) f.simd(p === 0 ? v.i64x2_extend_low_s : v.i64x2_extend_high_s)
  f.simd(v.bitselect).simdMem(v.store, offset)
}

/** Assigns the bits in `local` to a varying bool register for the active lanes. */
export function assignBits(r: WarpRegion, reg: Reg, local: number): void {
  const { f } = r
  const target = scalarLocal(r, reg)
  f.get(target)
    .get(r.mask)
    .i32(-1)
    .op(o.i32_xor)
    .op(o.i32_and)
    .get(local)
    .get(r.mask)
    .op(o.i32_and)
    .op(o.i32_or)
    .set(target)
}

/**
 * Index operand as the address of 32 i32 indices: 64-bit ones are made shorter as `record` says and saturated, which
 * keeps them out of bounds.
 */
export function pushIndices(r: WarpRegion, index: Operand, slot: number, record: number): void {
  if (!isWide(index.type)) return pushVector(r, index, slot)
  const { f } = r
  const address = at.temps + tempBytes * slot
  const source = f.local('i32')
  const wide = f.local('i64')
  pushVector(r, index, slot + 1)
  f.set(source)
  f.i32(0).get(source).mem(mem.i32_store, at.wide)
  const shorter = shortened(f, record)
  for (let lane = 0; lane < 32; lane++) {
    f.get(source).mem(mem.i64_load, 8 * lane)
    shorter.apply().set(wide)
    f.i32(0)
    saturate(f, wide)
    f.mem(mem.i32_store, address + 4 * lane)
  }
  shorter.release()
  f.i32(address)
  f.release('i32', source)
  f.release('i64', wide)
}

/** Turns the i64 on the stack into an index that runs: what is no multiple of the steps has high bits then. */
function shortened(f: Func, record: number): { readonly apply: () => Func; readonly release: () => void } {
  const [bias, turn] = [f.local('i64'), f.local('i64')]
  f.i32(record).mem(mem.i64_load, rec.bias).set(bias)
  f.i32(record).mem(mem.i64_load, rec.turn).set(turn)
  return {
    apply: () => f.get(bias).op(o.i64_add).get(turn).op(o.i64_rotr),
    release: () => {
      f.release('i64', bias)
      f.release('i64', turn)
    },
  }
}

/**
 * Pushes the i64 local as an i32 index; what does not fit becomes the largest, which is never in bounds. One above 2⁶³
 * is a difference below 0, which the offset of an access may bring back into its buffer.
 */
function saturate(f: Func, wide: number): void {
  f.get(wide).op(o.i32_wrap_i64).i32(0x7fffffff)
  f.get(wide).i64(-0x80000000n).op(o.i64_ge_s)
  f.get(wide).i64(0x7ffffffen).op(o.i64_le_s)
  f.op(o.i32_and).op(o.select)
}

/** Pushes a uniform index as i32. */
export function pushIndex(r: WarpRegion, index: Operand, record: number): void {
  if (!isWide(index.type)) return pushScalar(r, index)
  const { f } = r,
    wide = f.local('i64')
  pushScalar(r, index)
  f.set(wide)
  f.i32(0).i32(0).mem(mem.i32_store, at.wide)
  f.i32(0).get(wide).mem(mem.i64_store, at.wideIndex)
  const shorter = shortened(f, record)
  f.get(wide)
  shorter.apply().set(wide)
  shorter.release()
  saturate(f, wide)
  f.release('i64', wide)
}

/** Counts the execution of one more statement; begins a block of statements when none is open. */
export function countExecution(r: WarpRegion, s: Stmt): void {
  if (!r.counted) r.counted = openBlock(r.c, r.f, r.mask)
  r.counted.statements.push(s)
}

/** A new counted block, with the code that counts one warp and its active lanes. */
export function openBlock(c: JitContext, f: Func, mask: number): CountedBlock {
  const block: CountedBlock = { id: c.blocks.length, statements: [] }
  c.blocks.push(block)
  const address = c.layout.counters + 16 * block.id
  f.i32(0).i32(0).mem(mem.i64_load, address).i64(1n).op(o.i64_add).mem(mem.i64_store, address)
  f.i32(0)
    .i32(0)
    .mem(mem.i64_load, address + 8)
    .get(mask)
    .op(o.i32_popcnt)
    .op(o.i64_extend_i32_u)
    .op(o.i64_add)
    .mem(mem.i64_store, address + 8)
  return block
}

/** Pushes the bits of a bool operand outside a region: out of the warp's frame. */
export function pushBitsOf(c: JitContext, f: Func, fp: number, x: Operand): void {
  if (x.kind === 'const') pushConst(f, x.type, x.value)
  else if (x.kind === 'param') f.i32(0).mem(loadOf(x.type), paramAddress(c, x.name))
  else f.get(fp).mem(mem.i32_load, c.layout.home[x.id]!)
}
