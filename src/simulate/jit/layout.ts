// In: a kernel, its facts and a warp size. Out: where everything lies in the WebAssembly memory. The one idea:
// addresses are constants of the compiled module except the buffers, whose bases are written into site records at
// launch.
//
//   0     64 zero bytes, 64 bytes that stores out of bounds go to, 128 of lane bits, 128 of lane numbers,
//         lane addresses (128), temporaries (8 × 256), launch values, params (8 bytes each),
//         counters: 16 bytes per block of statements (warps, threads), 8 per branch (divergent), 8 for barriers, 8 for
// those of the grid,
//         site records, records of decisions, frames (one per warp), shared arrays, local arrays, shape entries,
// buffers.
import { fail } from '../../base/index.ts'
import {
  definesOf,
  listsOf,
  usesOf,
  bytesOf,
  type Kernel,
  type Resource,
  type Stmt,
  type Facts,
} from '../../ir/index.ts'
import { margin } from './margins.ts'
import { isWide } from './scalar.ts'

/** Fixed addresses, bytes. */
export const at = {
  zero: 0,
  sink: 64,
  laneBits: 128,
  lanes: 256,
  addresses: 384,
  temps: 512,
  blockIdx: 2560,
  gridDim: 2572,
  entry: 2584,
  /** Of the last access by an index of 64 bits: the address of its lanes' indices, 0: one for all of them, next. */
  wide: 2588,
  wideIndex: 2592,
  /**
   * Of blocks that meet: how many, how far from the layout's frames and arrays the first one's are, and from its own to
   * the next one's.
   */
  turns: 2608,
  firstShift: 2612,
  turnBytes: 2616,
  params: 2624,
} as const
/** Bytes of a temporary from `temps` on, of which there are 8: 32 lanes of 64 bits. */
export const tempBytes = 256

/** Site record: offsets in bytes. `table` holds 64 pointers to shape entries by address bits 2 … 7. */
export const rec = {
  /** Address of index 0 (i32, wrapping): resource base + constant offset. */
  base: 0,
  stride: 4,
  laneStride: 8,
  /** Whether the host looks at each request (i32). */
  looks: 12,
  /** Smallest and largest index in bounds (i64); none when low > high. */
  low: 16,
  high: 24,
  /** All ones for signed indices, 2³²−1 for unsigned (i64). */
  indexMask: 32,
  /** Smallest and largest index of the lanes that were in bounds (i64), where blocks are told apart by them. */
  seenLow: 40,
  seenHigh: 48,
  /** Of an index of 64 bits: what is added (i64), and by how many bits it is turned to the right then (i64). */
  bias: 56,
  table: 64,
  turn: 64 + 256,
  bytes: 64 + 256 + 16,
} as const

/** Shape entry: which lanes, where in 256 bytes the first one stands, indices relative to it, and how often seen. */
export const entry = {
  mask: 0,
  align: 4,
  next: 8,
  kind: 12,
  count: 16,
  low: 24,
  high: 32,
  /** The same for entries of a site that differ by place alone, not 0 (i32). */
  family: 40,
  relative: 48,
  bytes: 48 + 128,
} as const
/** Kinds of entries that have a fast path: all lanes adjacent, all lanes equal. */
export const kinds = { any: 0, adjacent: 1, equal: 2 } as const

/**
 * Frame of a warp: active lanes, lanes that have not returned, number of the warp; built-in vectors; then registers.
 */
export const frame = {
  mask: 0,
  alive: 4,
  warp: 8,
  first: 12,
  threadX: 16,
  threadY: 16 + 128,
  threadZ: 16 + 256,
  rank: 16 + 384,
  slots: 16 + 512,
} as const

export interface Layout {
  readonly warps: number
  readonly counters: number
  readonly branches: number
  readonly barriers: number
  readonly meetings: number
  readonly records: number
  /** Records of decisions, see `margins.ts`. */
  readonly margins: number
  readonly frames: number
  readonly frameBytes: number
  /** Offset in the frame by register: vector if varying, 8 bytes if it must outlive a region; −1 when it needs none. */
  readonly home: readonly number[]
  /** Part of the frame that starts every block at zero: [from, to). */
  readonly cleared: readonly [number, number]
  /** Address of each shared and local array. */
  readonly arrays: ReadonlyMap<string, number>
  /** Where shape entries begin; buffers come after them. */
  readonly entries: number
}

export interface LayoutCounts {
  readonly blocks: number
  readonly branches: number
  readonly sites: number
  readonly slots: number
  readonly decisions: number
}

const align = (n: number, to: number): number => Math.ceil(n / to) * to

/** Upper bounds of what the compiler will number, so that the layout can be fixed before code is written. */
export function measure(kernel: Kernel, decisions: number): LayoutCounts {
  let statements = 0,
    branches = 0,
    sites = 0,
    structures = 0
  const visit = (list: readonly Stmt[]): void => {
    for (const s of list) {
      statements++
      if (s.kind === 'if') branches++
      if (s.kind === 'if' || s.kind === 'loop') structures++
      if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') sites++
      for (const inner of listsOf(s)) visit(inner)
    }
  }
  visit(kernel.body)
  return { blocks: 4 + 4 * structures + statements, branches, sites, slots: 2 * structures, decisions }
}

/** Whether `list` has a barrier of the block or the grid at any depth. */
export const hasBarrier = (list: readonly Stmt[]): boolean =>
  list.some((s) => (s.kind === 'barrier' && s.scope !== 'warp') || listsOf(s).some(hasBarrier))

/** How often each register is read, at all. */
export function countUses(kernel: Kernel): number[] {
  const uses = kernel.registers.map(() => 0)
  const visit = (list: readonly Stmt[]): void => {
    for (const s of list) {
      for (const u of usesOf(s)) if (u.kind === 'reg') uses[u.id]!++
      for (const inner of listsOf(s)) visit(inner)
    }
  }
  visit(kernel.body)
  return uses
}

/** Registers that appear in more than one stretch between barriers, where locals do not survive. */
export function crossing(kernel: Kernel): ReadonlySet<number> {
  const seen = new Map<number, number>()
  const crossing = new Set<number>()
  let region = 0
  const touch = (id: number): void => {
    if ((seen.get(id) ?? region) !== region) crossing.add(id)
    seen.set(id, region)
  }
  const visit = (list: readonly Stmt[], split: boolean): void => {
    for (const s of list) {
      const splits = split && hasBarrier([s])
      if (splits) region++
      for (const u of usesOf(s)) if (u.kind === 'reg') touch(u.id)
      for (const d of definesOf(s)) touch(d.id)
      for (const inner of listsOf(s)) {
        visit(inner, splits)
        if (splits) region++
      }
      if (splits) region++
    }
  }
  visit(kernel.body, hasBarrier(kernel.body))
  return crossing
}

/** `across`: registers that are in several stretches between barriers. */
export function layOut(
  kernel: Kernel,
  facts: Facts,
  across: ReadonlySet<number>,
  warpSize: number,
  sizes: LayoutCounts,
  maxBytes: number,
): Layout {
  const threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
  const warps = Math.ceil(threads / warpSize)
  const barriers = hasBarrier(kernel.body)
  const home = kernel.registers.map(() => -1)
  let offset = align(frame.slots + 4 * sizes.slots, 16)
  const place = (clear: boolean): void =>
    kernel.registers.forEach((r) => {
      if (facts.single[r.id]! === clear) return
      const scalar = facts.uniform[r.id]! || r.type === 'bool'
      if (scalar && !across.has(r.id) && !(barriers && clear)) return
      home[r.id] = offset
      offset += scalar ? 16 : isWide(r.type) ? 256 : 128
    })
  const from = offset
  place(true)
  const cleared = [from, offset] as const
  place(false)
  const frameBytes = align(offset, 128)
  const counters = align(at.params + 8 * kernel.params.length, 16)
  const branches = counters + 16 * sizes.blocks
  const barrierCount = branches + 8 * sizes.branches
  const records = align(barrierCount + 16, 64)
  const margins = align(records + rec.bytes * sizes.sites, 64)
  const frames = align(margins + margin.bytes * sizes.decisions, 128)
  const arrays = new Map<string, number>()
  let next = align(frames + frameBytes * warps, 256)
  if (next > maxBytes) fail('simulate.memory', `the kernel's registers need more than the limit of ${maxBytes} bytes`)
  for (const r of kernel.resources) {
    if (r.space !== 'shared' && r.space !== 'local') continue
    arrays.set(r.name, next)
    next = align(next + instanceBytes(r) * (r.space === 'local' ? warps * 32 : 1), 256)
    if (next > maxBytes)
      fail('simulate.memory', `the kernel's shared and local arrays need more than the limit of ${maxBytes} bytes`)
  }
  return {
    warps,
    counters,
    branches,
    barriers: barrierCount,
    meetings: barrierCount + 8,
    records,
    margins,
    frames,
    frameBytes,
    home,
    cleared,
    arrays,
    entries: next,
  }
}

/** Bytes of one instance of a shared or local array, rounded up so that vectors stay aligned. */
export const instanceBytes = (r: Resource): number => align((r.count ?? 0) * bytesOf[r.type], 16)
