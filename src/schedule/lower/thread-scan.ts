// In: a thread loop `for t: { before[t] = run; run = run ∘ value[t] }`, alone or for several `run`s side by side. Out:
// what finds them all by the threads together. The one idea: distances double (Hillis and Steele, Data Parallel
// Algorithms, 1986): log₂ n rounds through workgroup memory with two halves in turn, so that one barrier a round is
// enough; in warps by shuffles, then the warps' totals. It emits through a `ThreadEmitter` and decides nothing about
// schedules.
import {
  bytesOf,
  type Const,
  type Loop,
  type MemoryType,
  type Operand,
  type OpName,
  type ReduceOp,
  type Reg,
  type ScalarType,
  type Stmt,
  type Store,
  uses,
} from '../../ir/index.ts'

/** A scan that a thread loop carries; `rows`: an unrolled loop around the pair of stores. */
export interface CarriedScan {
  readonly rows: Loop | undefined
  readonly before: Store
  readonly total: Store
}

/** The scan that the loop is, if it is one. */
export function carriedScan(l: Loop): CarriedScan | undefined {
  const only = l.body.length === 1 ? l.body[0] : undefined
  const rows = only?.kind === 'loop' && only.bind.kind === 'unroll' ? only : undefined
  const [before, total, more] = rows ? rows.body : l.body
  if (before?.kind !== 'store' || total?.kind !== 'store' || more || before.reduce || !total.reduce) return undefined
  const same =
    before.value.kind === 'read' &&
    before.value.array === total.array &&
    before.value.index.every(
      (e, i) =>
        e === total.index[i] || (e.kind === 'var' && total.index[i]?.kind === 'var' && e.name === total.index[i].name),
    )
  return same && !total.index.some((e) => uses(e, l.name)) && before.index.some((e) => uses(e, l.name))
    ? { rows, before, total }
    : undefined
}

/**
 * One of the scans that run side by side, over values of one number or several: `before` gets run ∘ all values of lower
 * threads, `run` the value after all.
 */
export interface ScanItem {
  readonly types: readonly MemoryType[]
  readonly before: readonly Reg[]
  readonly run: readonly Reg[]
  readonly mine: readonly Operand[]
  /** The value that changes nothing. */
  readonly identity: readonly Const[]
  /** Emits what the value of lower threads and that of higher ones make. */
  readonly join: (earlier: readonly Operand[], later: readonly Operand[]) => readonly Operand[]
}

/** What the emission of trees, scans and choices needs of the lowering. */
export interface ThreadEmitter {
  readonly threads: number
  /** Rank of the thread in the block, and in its group of `extent`. */
  readonly rank: Operand
  readonly digit: Operand
  readonly inLoop: boolean
  emit(s: Stmt): void
  reg(type: ScalarType, name: string): Reg
  /** An operation on indices, computed once. */
  pure(op: OpName, args: readonly Operand[], type: ScalarType, name: string): Operand
  combine(op: ReduceOp, a: Operand, b: Operand): Operand
  inScope(f: () => void): Stmt[]
  buffer(type: MemoryType, count: number): string
}

/** Emits the scans over groups of `extent` neighbouring threads (a power of two). */
export function emitScans(h: ThreadEmitter, items: readonly ScanItem[], extent: number, warp: boolean): void {
  const before = items.map((i) => ({ item: i, value: identityInto(h, i), total: i.mine }))
  const done = extent === 1 ? before : warp ? throughWarps(h, items, extent) : throughShared(h, items, extent)
  for (const { item, value, total } of done) {
    copies(h, item.before, extent === 1 ? item.run : item.join(item.run, value))
    copies(h, item.run, item.join(item.run, total))
  }
}

interface Done {
  readonly item: ScanItem
  readonly value: readonly Operand[]
  readonly total: readonly Operand[]
}

const u32 = (value: number): Const => ({ kind: 'const', type: 'u32', value })
const i32 = (value: number): Const => ({ kind: 'const', type: 'i32', value })
export const copy = (h: ThreadEmitter, dst: Reg, value: Operand): void =>
  h.emit({ kind: 'op', op: 'copy', dst, args: [value] })
export const barrier = (h: ThreadEmitter): void => h.emit({ kind: 'barrier', scope: 'block' })

const copies = (h: ThreadEmitter, dst: readonly Reg[], values: readonly Operand[]): void =>
  dst.forEach((r, n) => copy(h, r, values[n]!)) // as many

function variables(h: ThreadEmitter, values: readonly Operand[], name: string): readonly Reg[] {
  return values.map((value) => {
    const r = h.reg(value.type, name)
    copy(h, r, value)
    return r
  })
}

const identityInto = (h: ThreadEmitter, i: ScanItem): readonly Reg[] => variables(h, i.identity, 'before')

export function emitLoad(
  h: ThreadEmitter,
  buffer: string,
  type: MemoryType,
  index: Operand,
  dst: Reg,
  element = 0,
): void {
  h.emit({
    kind: 'load',
    dst: [dst],
    type,
    address: { resource: buffer, index, stride: bytesOf[type], offset: element * bytesOf[type] },
  })
}

export function emitStore(
  h: ThreadEmitter,
  buffer: string,
  type: MemoryType,
  index: Operand,
  value: Operand,
  element = 0,
): void {
  h.emit({
    kind: 'store',
    src: [value],
    type,
    address: { resource: buffer, index, stride: bytesOf[type], offset: element * bytesOf[type] },
  })
}

export function emitIf(h: ThreadEmitter, condition: Operand, f: () => void): void {
  h.emit({ kind: 'if', condition, then: h.inScope(f), else: [] })
}

/** running = other ∘ running, in the lanes or threads that have an other. */
const take = (h: ThreadEmitter, i: ScanItem, running: readonly Reg[], other: readonly Operand[]): void =>
  copies(h, running, i.join(other, running))

/** Workgroup memory for `count` values of an item. */
const buffersOf = (h: ThreadEmitter, i: ScanItem, count: number): readonly string[] =>
  i.types.map((type) => h.buffer(type, count))

function keepAll(
  h: ThreadEmitter,
  i: ScanItem,
  buffers: readonly string[],
  index: Operand,
  values: readonly Operand[],
  element = 0,
): void {
  values.forEach((v, n) => emitStore(h, buffers[n]!, i.types[n]!, index, v, element)) // a buffer and a type for each
}

function loadAll(
  h: ThreadEmitter,
  i: ScanItem,
  buffers: readonly string[],
  index: Operand,
  dst: readonly Reg[],
  element = 0,
): void {
  dst.forEach((r, n) => emitLoad(h, buffers[n]!, i.types[n]!, index, r, element)) // a buffer and a type for each
}

const fresh = (h: ThreadEmitter, i: ScanItem, name: string): readonly Reg[] => i.mine.map((m) => h.reg(m.type, name))

function throughShared(h: ThreadEmitter, items: readonly ScanItem[], extent: number): readonly Done[] {
  const all = items.map((item) => ({
    item,
    running: variables(h, item.mine, 'running'),
    buffers: buffersOf(h, item, 2 * h.threads),
  }))
  let half = 0
  const exchange = (): void => {
    for (const { item, running, buffers } of all) keepAll(h, item, buffers, h.rank, running, half * h.threads)
    barrier(h)
  }
  for (let d = 1; d < extent; d *= 2, half ^= 1) {
    exchange()
    const from = h.pure('sub', [h.rank, i32(d)], 'i32', 'from')
    emitIf(h, h.pure('ge', [h.digit, i32(d)], 'bool', 'later'), () => {
      for (const { item, running, buffers } of all) {
        const other = fresh(h, item, 'other')
        loadAll(h, item, buffers, from, other, half * h.threads)
        take(h, item, running, other)
      }
    })
  }
  exchange()
  const first = extent === h.threads ? i32(0) : h.pure('sub', [h.rank, h.digit], 'i32', 'first')
  const out = all.map(({ item, buffers }): Done => {
    const value = identityInto(h, item),
      total = fresh(h, item, 'total')
    const from = h.pure('sub', [h.rank, i32(1)], 'i32', 'from')
    emitIf(h, h.pure('ge', [h.digit, i32(1)], 'bool', 'later'), () =>
      loadAll(h, item, buffers, from, value, half * h.threads),
    )
    loadAll(h, item, buffers, first, total, half * h.threads + extent - 1)
    return { item, value, total }
  })
  if (half === 0 && h.inLoop) barrier(h) // the next scan begins in the half that is read here
  return out
}

/** Of a warp. */
const lanes = 32

function throughWarps(h: ThreadEmitter, items: readonly ScanItem[], extent: number): readonly Done[] {
  const width = Math.min(extent, lanes)
  const lane = extent <= lanes ? h.digit : h.pure('rem', [h.digit, i32(lanes)], 'i32', 'lane')
  const all = items.map((item) => {
    const running = variables(h, item.mine, 'running')
    for (let d = 1; d < width; d *= 2) {
      const other = running.map((r) => shuffled(h, 'shuffleUp', r, u32(d)))
      emitIf(h, h.pure('ge', [lane, i32(d)], 'bool', 'later'), () => take(h, item, running, other))
    }
    const value = identityInto(h, item),
      other = running.map((r) => shuffled(h, 'shuffleUp', r, u32(1)))
    emitIf(h, h.pure('ge', [lane, i32(1)], 'bool', 'later'), () => copies(h, value, other))
    return { item, running, value }
  })
  if (extent <= lanes) {
    const last = h.pure(
      'sub',
      [h.pure('add', [h.pure('rem', [h.rank, i32(lanes)], 'i32', 'lane'), i32(extent - 1)], 'i32', 'last'), h.digit],
      'i32',
      'last',
    )
    const source = h.reg('u32', 'source')
    h.emit({ kind: 'op', op: 'convert', dst: source, args: [last] })
    return all.map(({ item, running, value }) => ({
      item,
      value,
      total: running.map((r) => shuffled(h, 'shuffle', r, source)),
    }))
  }
  return joined(h, all, extent)
}

function shuffled(h: ThreadEmitter, op: 'shuffle' | 'shuffleUp', value: Operand, by: Operand): Reg {
  const dst = h.reg(value.type, 'other')
  h.emit({ kind: 'subgroup', op, dst, args: [value, by] })
  return dst
}

/** The totals of warps through workgroup memory: every thread goes through those of its group. */
function joined(
  h: ThreadEmitter,
  all: readonly { readonly item: ScanItem; readonly running: readonly Reg[]; readonly value: readonly Reg[] }[],
  extent: number,
): readonly Done[] {
  const warps = extent / lanes
  const buffers = all.map(({ item }) => buffersOf(h, item, h.threads / lanes))
  const warp = h.pure('div', [h.rank, i32(lanes)], 'i32', 'warp'),
    own = h.pure('div', [h.digit, i32(lanes)], 'i32', 'own_warp')
  const lane = h.pure('rem', [h.rank, i32(lanes)], 'i32', 'lane')
  emitIf(h, h.pure('eq', [lane, i32(lanes - 1)], 'bool', 'last'), () =>
    all.forEach(({ item, running }, n) => keepAll(h, item, buffers[n]!, warp, running)),
  )
  barrier(h)
  const first = h.threads === extent ? i32(0) : h.pure('sub', [warp, own], 'i32', 'first_warp')
  const out = all.map(({ item, value }, n): Done => {
    const earlier = identityInto(h, item)
    let total: readonly Operand[] | undefined
    for (let w = 0; w < warps; w++) {
      const x = fresh(h, item, 'x')
      loadAll(h, item, buffers[n]!, first, x, w)
      if (w < warps - 1)
        emitIf(h, h.pure('gt', [own, i32(w)], 'bool', 'after'), () => copies(h, earlier, item.join(earlier, x)))
      total = total ? item.join(total, x) : x
    }
    return { item, value: item.join(earlier, value), total: total! } // there are two warps at least
  })
  if (h.inLoop) barrier(h)
  return out
}
