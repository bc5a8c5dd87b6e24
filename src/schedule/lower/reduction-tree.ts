// In: a thread loop `for t: total ∘= mine[t]`, alone or for several totals side by side. Out: what combines the parts
// of all threads, so that each of them has the total. The one idea: an eighth of the threads add what the others left
// in workgroup memory, until few are left; neighbours in a warp shuffle first. All totals share the barriers.
import { type Loop, type MemoryType, type Operand, type ReduceOp, type Store, constantExtent } from '../../ir/index.ts'
import { barrier, emitStore, emitLoad, emitIf, type ThreadEmitter } from './thread-scan.ts'

/** A reduction that a thread loop carries; `rows`: an unrolled or vector loop around the store. */
export interface ThreadReduction {
  readonly rows: Loop | undefined
  readonly store: Store
}

/** The reduction into private targets, without the loop's variable, that is the loop's whole body. */
export function carriedReduction(l: Loop): ThreadReduction | undefined {
  const only = l.body.length === 1 ? l.body[0] : undefined
  const rows =
    only?.kind === 'loop' &&
    (only.bind.kind === 'unroll' || only.bind.kind === 'vector') &&
    only.body.length === 1 &&
    constantExtent(only) !== undefined
      ? only
      : undefined
  const s = rows ? rows.body[0] : only
  if (s?.kind !== 'store' || !s.reduce || s.atomic) return undefined
  const free = s.index.every((e) => !(e.kind === 'var' && e.name === l.name))
  return free ? { rows, store: s } : undefined
}

/** One of the totals. */
export interface TreeItem {
  readonly op: ReduceOp
  readonly type: MemoryType
  readonly mine: Operand
}

/**
 * `warp`: lanes that may shuffle. `halves`: half of the threads add what the other half left, until one is left:
 * shorter text, more barriers.
 */
export interface TreeOptions {
  readonly warp?: number
  readonly halves?: boolean
}

/**
 * The totals over groups of `extent` threads that lie `stride` apart, in every thread; a power of two of them, or
 * (`isTree`) all of a block.
 */
export function emitTrees(
  h: ThreadEmitter,
  items: readonly TreeItem[],
  extent: number,
  stride: number,
  { warp, halves }: TreeOptions,
): readonly Operand[] {
  if (extent === 1) return items.map((i) => i.mine)
  return warp !== undefined && stride === 1
    ? throughWarps(h, items, extent)
    : throughShared(h, items, extent, stride, halves ? 1 : together)
}

const i32 = (value: number): Operand => ({ kind: 'const', type: 'i32', value })

function loaded(
  h: ThreadEmitter,
  buffer: string,
  type: MemoryType,
  like: Operand,
  index: Operand,
  element = 0,
): Operand {
  const dst = h.reg(like.type, 'x')
  emitLoad(h, buffer, type, index, dst, element)
  return dst
}

/**
 * Values that a thread combines at once: fewer barriers, each of which waits for workgroup memory (y = Aᵀ A x on an
 * H200, 256 threads: 8.9 µs, 10.3 by halves).
 */
const together = 8

/** The largest number of values to combine at once that divides `extent`; 1 where it has a larger prime factor. */
const radixOf = (extent: number, most = together): number =>
  [8, 7, 6, 5, 4, 3, 2].find((r) => r <= most && extent % r === 0) ?? 1

/** Whether so many threads can combine what they have: 2ᵃ 3ᵇ 5ᶜ 7ᵈ of them. */
export const isTree = (extent: number): boolean =>
  extent === 1 || (Number.isInteger(extent) && extent > 0 && radixOf(extent) > 1 && isTree(extent / radixOf(extent)))

function throughShared(
  h: ThreadEmitter,
  items: readonly TreeItem[],
  extent: number,
  stride: number,
  last: number,
): readonly Operand[] {
  const buffers = items.map((i) => h.buffer(i.type, h.threads))
  const combined = (n: number, from: Operand, count: number, apart: number): Operand =>
    Array.from({ length: count }, (_, k) =>
      loaded(h, buffers[n]!, items[n]!.type, items[n]!.mine, from, k * apart),
    ).reduce((x, y) => h.combine(items[n]!.op, x, y)) // an item of those
  items.forEach((i, n) => emitStore(h, buffers[n]!, i.type, h.rank, i.mine))
  let left = extent
  for (; left > last; left /= radixOf(left, Math.max(2, last))) {
    const count = radixOf(left, Math.max(2, last)),
      d = left / count
    barrier(h)
    emitIf(h, h.pure('lt', [h.digit, i32(d)], 'bool', 'active'), () =>
      items.forEach((i, n) => emitStore(h, buffers[n]!, i.type, h.rank, combined(n, h.rank, count, d * stride))),
    )
  }
  barrier(h)
  const first = stride === 1 && extent === h.threads ? i32(0) : firstOf(h, stride),
    totals = items.map((_, n) => combined(n, first, left, stride))
  if (h.inLoop) barrier(h)
  return totals
}

function firstOf(h: ThreadEmitter, stride: number): Operand {
  const steps = stride === 1 ? h.digit : h.pure('mul', [h.digit, i32(stride)], 'i32', 'steps')
  return h.pure('sub', [h.rank, steps], 'i32', 'first')
}

/** Of a warp. */
const lanes = 32

/** Shuffles inside warps, then one value per warp through workgroup memory. */
function throughWarps(h: ThreadEmitter, items: readonly TreeItem[], extent: number): readonly Operand[] {
  const sums = items.map(({ op, mine }) => {
    let value = mine
    for (let d = Math.min(extent, lanes) / 2; d >= 1; d /= 2) {
      const other = h.reg(mine.type, 'other')
      h.emit({
        kind: 'subgroup',
        op: 'shuffleXor',
        dst: other,
        args: [value, { kind: 'const', type: 'u32', value: d }],
      })
      value = h.combine(op, value, other)
    }
    return value
  })
  if (extent <= lanes) return sums
  const buffers = items.map((i) => h.buffer(i.type, h.threads / lanes))
  const warp = h.pure('div', [h.rank, i32(lanes)], 'i32', 'warp'),
    lane = h.pure('rem', [h.rank, i32(lanes)], 'i32', 'lane')
  emitIf(h, h.pure('eq', [lane, i32(0)], 'bool', 'leader'), () =>
    items.forEach((i, n) => emitStore(h, buffers[n]!, i.type, warp, sums[n]!)),
  )
  barrier(h)
  const base =
    h.threads === extent
      ? i32(0)
      : h.pure('mul', [h.pure('div', [h.rank, i32(extent)], 'i32', 'group'), i32(extent / lanes)], 'i32', 'base')
  const totals = items.map((i, n) => {
    const each = Array.from({ length: extent / lanes }, (_, w) => loaded(h, buffers[n]!, i.type, i.mine, base, w))
    return each.reduce((a, b) => h.combine(i.op, a, b))
  })
  if (h.inLoop) barrier(h)
  return totals
}
