// In: kinds of memory statements. Out: helper functions that count a warp's request, keep it in bounds and move the
// data. The one idea: a request's shape (active lanes, place of the first within 256 bytes, indices relative to it)
// repeats, so each site keeps entries of shapes with a counter; a repeated shape costs a vector compare, and its bounds
// one scalar check. New shapes and doubtful bounds go to the host.
//
// Helpers take (frame, address of 32 i32 indices, mask, site record, addresses of the value vectors …).
import { bytesOf, isFloat, registerType, type AtomicOp, type MemoryType } from '../../ir/index.ts'
import { mem, opcode as o, simd as v, type Func, type ValueType } from '../wasm.ts'
import { helper, type JitContext } from './context.ts'
import { loadElement, storeElement } from './elements.ts'
import { at, entry, frame, kinds, rec } from './layout.ts'
import { isWide, scalarOp, wasmType } from './scalar.ts'

const chunks = [0, 1, 2, 3, 4, 5, 6, 7]
const parameters = (values: number): ValueType[] => Array.from({ length: 4 + values }, () => 'i32')

/**
 * Pushes 1 when the entry's lanes and relative indices are those of the request: chunk by chunk, inactive lanes masked.
 */
function compareRelative(f: Func, index: number, mask: number, first: number, e: number): void {
  const [base, bits] = [f.local('v128'), f.local('v128')]
  const differences = (masked: boolean): void => {
    chunks.forEach((c) => {
      f.get(index)
        .simdMem(v.load, 16 * c)
        .get(base)
        .simd(v.i32x4_sub)
        .get(e)
        .simdMem(v.load, entry.relative + 16 * c)
        .simd(v.xor)
      if (masked) expandMask(f, bits, c).simd(v.and)
      if (c > 0) f.simd(v.or)
    })
  }
  const same = f.local('i32')
  f.get(first).simd(v.i32x4_splat).set(base)
  f.get(mask).i32(-1).op(o.i32_eq)
  f.if()
  differences(false)
  f.simd(v.any_true).set(same)
  f.else()
  f.get(mask).simd(v.i32x4_splat).set(bits)
  differences(true)
  f.simd(v.any_true).set(same)
  f.end()
  f.get(same).op(o.i32_eqz)
  f.release('v128', base)
  f.release('v128', bits)
  f.release('i32', same)
}

/** Pushes the lane mask of chunk `c` out of splatted mask bits. */
function expandMask(f: Func, bits: number, c: number): Func {
  return f
    .get(bits)
    .i32(at.laneBits)
    .simdMem(v.load, 16 * c)
    .simd(v.and)
    .i32(at.laneBits)
    .simdMem(v.load, 16 * c)
    .simd(v.i32x4_eq)
}

/** Pushes index `i` as i64, by the signedness of the site. */
const wideIndex = (f: Func, i: number, record: number): Func =>
  f.get(i).op(o.i64_extend_i32_s).get(record).mem(mem.i64_load, rec.indexMask).op(o.i64_and)

/** Keeps the smallest or largest index that the site has seen: that of the first lane plus the entry's extreme. */
function noteIndex(f: Func, record: number, first: number, e: number, end: 'low' | 'high'): void {
  const seen = end === 'low' ? rec.seenLow : rec.seenHigh
  const index = f.local('i64')
  f.get(first).get(e).mem(mem.i64_load, entry[end]).op(o.i64_add).set(index)
  f.get(record)
  f.get(index).get(record).mem(mem.i64_load, seen)
  f.get(index)
    .get(record)
    .mem(mem.i64_load, seen)
    .op(end === 'low' ? o.i64_lt_s : o.i64_gt_s)
  f.op(o.select).mem(mem.i64_store, seen)
  f.release('i64', index)
}

/** Pushes base + index × stride of the record, modulo 2³². */
const addressOf = (f: Func, i: number, record: number): Func =>
  f.get(i).get(record).mem(mem.i32_load, rec.stride).op(o.i32_mul).get(record).mem(mem.i32_load, rec.base).op(o.i32_add)

/** How the indices of a request are given: their address, and what is to be added to all, with their family. */
type Indices =
  | { readonly kind: 'vector' | 'uniform'; readonly index: number }
  | { readonly kind: 'steady'; readonly index: number; readonly shift: number; readonly family: number }

/**
 * Counts the request and leaves in `ok` the lanes that may go on, in the cell `at.entry` its shape entry (0: none), in
 * `first` the index of the first active lane. Steady indices are compared with an entry unless that is of the family
 * which `family` holds from the last request; it holds the entry's then.
 */
function countRequest(
  c: JitContext,
  f: Func,
  indices: Indices,
  mask: number,
  record: number,
  locals: { readonly first: number; readonly ok: number; readonly entry: number },
): void {
  const { first, ok, entry: e } = locals,
    { index } = indices,
    uniform = indices.kind === 'uniform'
  const [place, wide] = [f.local('i32'), f.local('i64')]
  const lead = indices.kind === 'steady' ? f.local('i32') : first
  if (!uniform) f.get(index).get(mask).op(o.i32_ctz).i32(2).op(o.i32_shl).op(o.i32_add).mem(mem.i32_load).set(lead)
  if (indices.kind === 'steady') f.get(lead).get(indices.shift).op(o.i32_add).set(first)
  addressOf(f, first, record).set(place)
  f.get(record).get(place).i32(252).op(o.i32_and).op(o.i32_add).mem(mem.i32_load, rec.table).set(e)
  const done = f.block()
  const miss = f.block()
  const again = f.loop()
  f.get(e).op(o.i32_eqz).brIf(miss)
  const next = f.block()
  f.get(e).mem(mem.i32_load, entry.mask).get(mask).op(o.i32_ne).brIf(next)
  f.get(e).mem(mem.i32_load, entry.align).get(place).i32(255).op(o.i32_and).op(o.i32_ne).brIf(next)
  if (indices.kind === 'steady') {
    f.get(e).mem(mem.i32_load, entry.family).get(indices.family).op(o.i32_ne)
    f.if()
    compareRelative(f, index, mask, lead, e)
    f.op(o.i32_eqz).brIf(next)
    f.get(e).mem(mem.i32_load, entry.family).set(indices.family)
    f.end()
  } else if (!uniform) {
    compareRelative(f, index, mask, first, e)
    f.op(o.i32_eqz).brIf(next)
  }
  wideIndex(f, first, record).set(wide)
  f.get(wide)
    .get(e)
    .mem(mem.i64_load, entry.low)
    .op(o.i64_add)
    .get(record)
    .mem(mem.i64_load, rec.low)
    .op(o.i64_lt_s)
    .brIf(miss)
  f.get(wide)
    .get(e)
    .mem(mem.i64_load, entry.high)
    .op(o.i64_add)
    .get(record)
    .mem(mem.i64_load, rec.high)
    .op(o.i64_gt_s)
    .brIf(miss)
  f.get(e).get(e).mem(mem.i64_load, entry.count).i64(1n).op(o.i64_add).mem(mem.i64_store, entry.count)
  if (c.decisions) {
    noteIndex(f, record, wide, e, 'low')
    noteIndex(f, record, wide, e, 'high')
  }
  f.get(mask).set(ok)
  f.br(done)
  f.end()
  f.get(e).mem(mem.i32_load, entry.next).set(e)
  f.br(again)
  f.end()
  f.end()
  // New here: ask the host.
  if (uniform) {
    f.i32(at.temps).get(first).simd(v.i32x4_splat).simdMem(v.store)
    for (const i of chunks.slice(1))
      f.i32(at.temps)
        .i32(at.temps)
        .simdMem(v.load)
        .simdMem(v.store, 16 * i)
  }
  if (indices.kind === 'steady')
    for (const i of chunks)
      f.i32(at.temps)
        .get(index)
        .simdMem(v.load, 16 * i)
        .get(indices.shift)
        .simd(v.i32x4_splat)
        .simd(v.i32x4_add)
        .simdMem(v.store, 16 * i)
  f.get(0).get(record).i32(c.layout.records).op(o.i32_sub).i32(rec.bytes).op(o.i32_div_u)
  if (indices.kind === 'vector') f.get(index)
  else f.i32(at.temps)
  f.get(mask).call(c.imports.resolve).set(ok)
  f.i32(at.entry).mem(mem.i32_load).set(e)
  f.end()
  if (lead !== first) f.release('i32', lead)
  f.release('i32', place)
  f.release('i64', wide)
}

/**
 * After counting: shows the request to the host when it watches the site's memory for races and uninitialised reads.
 */
function observe(c: JitContext, f: Func, fp: number, index: number, ok: number, record: number): void {
  if (!c.observing) return
  f.get(ok).i32(0).get(record).mem(mem.i32_load, rec.looks).op(o.select)
  f.if()
  f.get(fp)
    .get(record)
    .i32(c.layout.records)
    .op(o.i32_sub)
    .i32(rec.bytes)
    .op(o.i32_div_u)
    .get(index)
    .get(ok)
    .call(c.imports.observe)
  f.end()
}

/** Writes the address of every lane to `at.addresses`; of a local array each lane has its own. */
function laneAddresses(f: Func, fp: number, index: number, record: number, local: boolean): void {
  const [stride, base] = [f.local('v128'), f.local('v128')]
  f.get(record).simdMem(v.load32_splat, rec.stride).set(stride)
  f.get(record).simdMem(v.load32_splat, rec.base)
  if (local) {
    f.get(fp)
      .mem(mem.i32_load, frame.warp)
      .i32(32)
      .op(o.i32_mul)
      .get(record)
      .mem(mem.i32_load, rec.laneStride)
      .op(o.i32_mul)
      .simd(v.i32x4_splat)
      .simd(v.i32x4_add)
  }
  f.set(base)
  for (const i of chunks) {
    f.i32(at.addresses)
      .get(index)
      .simdMem(v.load, 16 * i)
      .get(stride)
      .simd(v.i32x4_mul)
      .get(base)
      .simd(v.i32x4_add)
    if (local)
      f.i32(at.lanes)
        .simdMem(v.load, 16 * i)
        .get(record)
        .simdMem(v.load32_splat, rec.laneStride)
        .simd(v.i32x4_mul)
        .simd(v.i32x4_add)
    f.simdMem(v.store, 16 * i)
  }
  f.release('v128', stride)
  f.release('v128', base)
}

/** Runs `body` once for every bit of the local `mask`, ascending; `lane4` holds 4 × lane. */
export function eachLane(f: Func, mask: number, lane4: number, body: () => void): void {
  const bits = f.local('i32')
  f.get(mask).set(bits)
  const done = f.block()
  const again = f.loop()
  f.get(bits).op(o.i32_eqz).brIf(done)
  f.get(bits).op(o.i32_ctz).i32(2).op(o.i32_shl).set(lane4)
  body()
  f.get(bits).get(bits).i32(1).op(o.i32_sub).op(o.i32_and).set(bits)
  f.br(again)
  f.end()
  f.end()
  f.release('i32', bits)
}

const valueBytes = (type: MemoryType): number => (isWide(registerType(type)) ? 8 : 4)
const registerLoad = { i32: mem.i32_load, i64: mem.i64_load, f32: mem.f32_load, f64: mem.f64_load, v128: 0 } as const
const registerStore = {
  i32: mem.i32_store,
  i64: mem.i64_store,
  f32: mem.f32_store,
  f64: mem.f64_store,
  v128: 0,
} as const

/** Pushes `base` + (4 × lane) scaled to the value's size. */
function valueAt(f: Func, base: number, lane4: number, type: MemoryType): Func {
  f.get(base).get(lane4)
  if (valueBytes(type) === 8) f.i32(1).op(o.i32_shl)
  return f.op(o.i32_add)
}

/** Pushes the address of the lane out of `at.addresses`. */
const laneAddress = (f: Func, lane4: number): Func => f.get(lane4).mem(mem.i32_load, at.addresses)

/**
 * load: (frame, indices, mask, record, destinations …). Lanes out of bounds get 0; inactive lanes keep what they have.
 */
export function loadHelper(c: JitContext, type: MemoryType, width: number, local: boolean): number {
  return helper(c, `load.${type}.${width}.${local}`, () => {
    const f = c.module.func(parameters(width), [])
    const [first, ok, e, lane4] = [f.local('i32'), f.local('i32'), f.local('i32'), f.local('i32')]
    countRequest(c, f, { kind: 'vector', index: 1 }, 2, 3, { first, ok, entry: e })
    observe(c, f, 0, 1, ok, 3)
    const finished = f.block()
    if (bytesOf[type] === 4 && width === 1 && !local) fastLoad(f, ok, e, first, finished)
    laneAddresses(f, 0, 1, 3, local)
    if (bytesOf[type] === 4 && width !== 3) gather(f, width, ok, finished)
    eachLane(f, ok, lane4, () => {
      for (let k = 0; k < width; k++) {
        valueAt(f, 4 + k, lane4, type)
        laneAddress(f, lane4)
        loadElement(c, f, type, k * bytesOf[type])
        f.mem(registerStore[wasmType(registerType(type))])
      }
    })
    f.end()
    f.get(2).get(ok).op(o.i32_ne)
    f.if()
    f.get(2).get(ok).op(o.i32_xor).set(ok)
    eachLane(f, ok, lane4, () => {
      for (let k = 0; k < width; k++) {
        valueAt(f, 4 + k, lane4, type)
        if (valueBytes(type) === 8) f.i64(0n).mem(mem.i64_store)
        else f.i32(0).mem(mem.i32_store)
      }
    })
    f.end()
    return f
  })
}

/** request: (frame, indices, mask, record), where no data have to move. */
export function requestHelper(c: JitContext): number {
  return helper(c, 'request', () => {
    const f = c.module.func(parameters(0), [])
    const [first, ok, e] = [f.local('i32'), f.local('i32'), f.local('i32')]
    countRequest(c, f, { kind: 'vector', index: 1 }, 2, 3, { first, ok, entry: e })
    observe(c, f, 0, 1, ok, 3)
    return f
  })
}

/**
 * steady request: (frame, indices, mask, record, shift, family) → family. Its indices are those in memory with `shift`
 * added to each; those in memory are what they were when the family was that.
 */
export function steadyHelper(c: JitContext): number {
  return helper(c, 'steady', () => {
    const f = c.module.func(parameters(2), ['i32'])
    const [first, ok, e] = [f.local('i32'), f.local('i32'), f.local('i32')]
    countRequest(c, f, { kind: 'steady', index: 1, shift: 4, family: 5 }, 2, 3, { first, ok, entry: e })
    return f.get(5)
  })
}

/** All lanes active and adjacent: copy 128 bytes; all equal: one load. Leaves to `finished`. */
function fastLoad(f: Func, ok: number, e: number, first: number, finished: number): void {
  const [kind, from, value] = [f.local('i32'), f.local('i32'), f.local('v128')]
  f.get(e).op(o.i32_eqz).get(ok).i32(-1).op(o.i32_ne).op(o.i32_or).op(o.i32_eqz)
  f.if()
  f.get(e).mem(mem.i32_load, entry.kind).set(kind)
  addressOf(f, first, 3).set(from)
  f.get(kind).i32(kinds.adjacent).op(o.i32_eq)
  f.if()
  for (const i of chunks)
    f.get(4)
      .get(from)
      .simdMem(v.load, 16 * i)
      .simdMem(v.store, 16 * i)
  f.br(finished)
  f.end()
  f.get(kind).i32(kinds.equal).op(o.i32_eq)
  f.if()
  f.get(from).simdMem(v.load32_splat).set(value)
  for (const i of chunks)
    f.get(4)
      .get(value)
      .simdMem(v.store, 16 * i)
  f.br(finished)
  f.end()
  f.end()
  f.release('i32', kind)
  f.release('i32', from)
  f.release('v128', value)
}

/** Four lanes of one, two or four 32-bit elements at a time, when all lanes are active. */
function gather(f: Func, width: number, ok: number, finished: number): void {
  f.get(ok).i32(-1).op(o.i32_eq)
  f.if()
  for (const i of chunks) {
    if (width === 1) gatherSingle(f, i)
    else gatherRows(f, i, width)
  }
  f.br(finished)
  f.end()
}

function gatherSingle(f: Func, chunk: number): void {
  const value = f.local('v128')
  f.i32(0)
    .mem(mem.i32_load, at.addresses + 16 * chunk)
    .simdMem(v.load32_splat)
    .set(value)
  for (let lane = 1; lane < 4; lane++) {
    f.i32(0)
      .mem(mem.i32_load, at.addresses + 16 * chunk + 4 * lane)
      .get(value)
      .simdMemLane(v.load32_lane, lane)
      .set(value)
  }
  f.get(4)
    .get(value)
    .simdMem(v.store, 16 * chunk)
  f.release('v128', value)
}

const low64 = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23]
const high64 = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31]
const joinLow = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]
const joinHigh = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31]

/** Loads a row per lane and transposes 4 × 4 (4 × 2), so that element k of four lanes goes to destination k. */
function gatherRows(f: Func, chunk: number, width: number): void {
  const rows = [0, 1, 2, 3].map(() => f.local('v128'))
  const pairs = [0, 1, 2, 3].map(() => f.local('v128'))
  rows.forEach((row, lane) => {
    f.i32(0)
      .mem(mem.i32_load, at.addresses + 16 * chunk + 4 * lane)
      .simdMem(width === 4 ? v.load : v.load64_splat)
      .set(row)
  })
  f.get(rows[0]!).get(rows[1]!).shuffle(low64).set(pairs[0]!)
  f.get(rows[2]!).get(rows[3]!).shuffle(low64).set(pairs[1]!)
  f.get(4)
    .get(pairs[0]!)
    .get(pairs[1]!)
    .shuffle(joinLow)
    .simdMem(v.store, 16 * chunk)
  f.get(5)
    .get(pairs[0]!)
    .get(pairs[1]!)
    .shuffle(joinHigh)
    .simdMem(v.store, 16 * chunk)
  if (width === 4) {
    f.get(rows[0]!).get(rows[1]!).shuffle(high64).set(pairs[2]!)
    f.get(rows[2]!).get(rows[3]!).shuffle(high64).set(pairs[3]!)
    f.get(6)
      .get(pairs[2]!)
      .get(pairs[3]!)
      .shuffle(joinLow)
      .simdMem(v.store, 16 * chunk)
    f.get(7)
      .get(pairs[2]!)
      .get(pairs[3]!)
      .shuffle(joinHigh)
      .simdMem(v.store, 16 * chunk)
  }
  for (const x of [...rows, ...pairs]) f.release('v128', x)
}

/** store: (frame, indices, mask, record, sources …). Lanes go in ascending order: the highest wins where they meet. */
export function storeHelper(c: JitContext, type: MemoryType, width: number, local: boolean): number {
  return helper(c, `store.${type}.${width}.${local}`, () => {
    const f = c.module.func(parameters(width), [])
    const [first, ok, e, lane4] = [f.local('i32'), f.local('i32'), f.local('i32'), f.local('i32')]
    countRequest(c, f, { kind: 'vector', index: 1 }, 2, 3, { first, ok, entry: e })
    observe(c, f, 0, 1, ok, 3)
    const finished = f.block()
    if (bytesOf[type] === 4 && width === 1 && !local) fastStore(f, ok, e, first, finished)
    laneAddresses(f, 0, 1, 3, local)
    eachLane(f, ok, lane4, () => {
      for (let k = 0; k < width; k++) {
        laneAddress(f, lane4)
        valueAt(f, 4 + k, lane4, type).mem(registerLoad[wasmType(registerType(type))])
        storeElement(c, f, type, k * bytesOf[type])
      }
    })
    f.end()
    return f
  })
}

function fastStore(f: Func, ok: number, e: number, first: number, finished: number): void {
  const to = f.local('i32')
  f.get(e).op(o.i32_eqz).get(ok).i32(-1).op(o.i32_ne).op(o.i32_or).op(o.i32_eqz)
  f.if()
  f.get(e).mem(mem.i32_load, entry.kind).i32(kinds.adjacent).op(o.i32_eq)
  f.if()
  addressOf(f, first, 3).set(to)
  for (const i of chunks)
    f.get(to)
      .get(4)
      .simdMem(v.load, 16 * i)
      .simdMem(v.store, 16 * i)
  f.br(finished)
  f.end()
  f.end()
  f.release('i32', to)
}

/** uniform access: (frame, index, mask, record) → address of the element, or 0 when out of bounds. */
export function uniformHelper(c: JitContext): number {
  return helper(c, 'uniform', () => {
    const f = c.module.func(['i32', 'i32', 'i32', 'i32'], ['i32'])
    const [ok, e] = [f.local('i32'), f.local('i32')]
    countRequest(c, f, { kind: 'uniform', index: 1 }, 2, 3, { first: 1, ok, entry: e })
    if (c.observing) {
      f.i32(at.temps).get(1).simd(v.i32x4_splat).simdMem(v.store)
      for (const i of chunks.slice(1))
        f.i32(at.temps)
          .i32(at.temps)
          .simdMem(v.load)
          .simdMem(v.store, 16 * i)
      const index = f.local('i32')
      f.i32(at.temps).set(index)
      observe(c, f, 0, index, ok, 3)
    }
    addressOf(f, 1, 3).i32(0).get(ok).op(o.select)
    return f
  })
}

/** atomic: (frame, indices, mask, record, destination or 0, operands …). Lanes go one after the other, ascending. */
export function atomicHelper(c: JitContext, op: AtomicOp, type: MemoryType, operands: number): number {
  return helper(c, `atomic.${op}.${type}`, () => {
    const f = c.module.func(parameters(1 + operands), [])
    const value = registerType(type)
    const w = wasmType(value)
    const [first, ok, e, lane4, address] = [
      f.local('i32'),
      f.local('i32'),
      f.local('i32'),
      f.local('i32'),
      f.local('i32'),
    ]
    const [old, x, y] = [f.local(w), f.local(w), f.local(w)]
    countRequest(c, f, { kind: 'vector', index: 1 }, 2, 3, { first, ok, entry: e })
    observe(c, f, 0, 1, ok, 3)
    laneAddresses(f, 0, 1, 3, false)
    eachLane(f, ok, lane4, () => {
      laneAddress(f, lane4).tee(address)
      loadElement(c, f, type, 0)
      f.set(old)
      for (let k = 0; k < operands; k++)
        valueAt(f, 5 + k, lane4, type)
          .mem(registerLoad[w])
          .set(k === 0 ? x : y)
      f.get(4)
      f.if()
      valueAt(f, 4, lane4, type).get(old).mem(registerStore[w])
      f.end()
      if (op === 'load') return
      f.get(address)
      atomicValue(c, f, op, value, old, x, y)
      storeElement(c, f, type, 0)
    })
    // Lanes out of bounds read 0.
    f.get(4).op(o.i32_eqz).op(o.i32_eqz).get(2).get(ok).op(o.i32_ne).op(o.i32_and)
    f.if()
    f.get(2).get(ok).op(o.i32_xor).set(ok)
    eachLane(f, ok, lane4, () => {
      valueAt(f, 4, lane4, type)
      if (valueBytes(type) === 8) f.i64(0n).mem(mem.i64_store)
      else f.i32(0).mem(mem.i32_store)
    })
    f.end()
    return f
  })
}

/** Pushes what the atomic leaves in memory. */
function atomicValue(
  c: JitContext,
  f: Func,
  op: Exclude<AtomicOp, 'load'>,
  type: ReturnType<typeof registerType>,
  old: number,
  x: number,
  y: number,
): void {
  switch (op) {
    case 'exchange':
    case 'store':
      f.get(x)
      return
    case 'compareExchange':
      f.get(y).get(old).get(old).get(x).op(equalCode(type)).op(o.select)
      return
    case 'increment':
      f.i32(0).get(old).i32(1).op(o.i32_add).get(old).get(x).op(o.i32_ge_u).op(o.select)
      return
    case 'decrement':
      f.get(x)
        .get(old)
        .i32(1)
        .op(o.i32_sub)
        .get(old)
        .op(o.i32_eqz)
        .get(old)
        .get(x)
        .op(o.i32_gt_u)
        .op(o.i32_or)
        .op(o.select)
      return
    case 'add':
    case 'sub':
    case 'min':
    case 'max':
    case 'and':
    case 'or':
    case 'xor':
      scalarOp(f, c.math, op, type, type, [old, x])
  }
}

function equalCode(type: ReturnType<typeof registerType>): number {
  if (isFloat(type as 'f32')) return type === 'f64' ? o.f64_eq : o.f32_eq
  return isWide(type) ? o.i64_eq : o.i32_eq
}
