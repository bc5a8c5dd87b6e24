// In: a thread loop `for t: { before[t] = run; run = run ∘ value[t] }`, alone or for several `run`s side by side. Out: what
// finds them all by the threads together. The one idea: distances double (Hillis and Steele, Data Parallel Algorithms,
// 1986): log₂ n rounds through workgroup memory with two halves in turn, so that one barrier a round is enough; in
// warps by shuffles, then the warps' totals. It emits through a `Host` and decides nothing about schedules.
import { bytesOf, type Const, type Expr, type Loop, type MemoryType, type Operand, type OpName, type ReduceOp, type Reg, type ScalarType, type Stmt, type Store } from '../../ir/index.ts'
import { identityOf } from '../algebra.ts'
import { uses } from '../tree.ts'

/** A scan that a thread loop carries; `rows`: an unrolled loop around the pair of stores. */
export interface CarriedScan { readonly rows: Loop | undefined; readonly before: Store; readonly total: Store }

/** The scan that the loop is, if it is one. */
export function carriedScan(l: Loop): CarriedScan | undefined {
  const only = l.body.length === 1 ? l.body[0] : undefined
  const rows = only?.kind === 'loop' && only.bind.kind === 'unroll' ? only : undefined
  const [before, total, more] = rows ? rows.body : l.body
  if (before?.kind !== 'store' || total?.kind !== 'store' || more || before.reduce || !total.reduce) return undefined
  const same = before.value.kind === 'read' && before.value.array === total.array && before.value.index.every((e, i) => e === total.index[i] || (e.kind === 'var' && total.index[i]?.kind === 'var' && e.name === total.index[i].name))
  return same && !total.index.some((e) => uses(e, l.name)) && before.index.some((e) => uses(e, l.name)) ? { rows, before, total } : undefined
}

/** One of the scans that run side by side: `before` gets run ∘ all values of lower threads, `run` the value after all. */
export interface ScanItem {
  readonly op: ReduceOp
  readonly type: MemoryType
  readonly before: Reg
  readonly run: Reg
  readonly mine: Operand
}

/** What the emission of trees, scans and choices needs of the lowering. */
export interface Host {
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
export function emitScans(h: Host, items: readonly ScanItem[], extent: number, warp: boolean): void {
  const before = items.map((i) => ({ item: i, value: identityInto(h, i), total: i.mine }))
  const done = extent === 1 ? before : warp ? throughWarps(h, items, extent) : throughShared(h, items, extent)
  for (const { item, value, total } of done) {
    copy(h, item.before, extent === 1 ? item.run : h.combine(item.op, item.run, value))
    copy(h, item.run, h.combine(item.op, item.run, total))
  }
}

interface Done { readonly item: ScanItem; readonly value: Operand; readonly total: Operand }

const u32 = (value: number): Const => ({ kind: 'const', type: 'u32', value })
const i32 = (value: number): Const => ({ kind: 'const', type: 'i32', value })
export const copy = (h: Host, dst: Reg, value: Operand): void => h.emit({ kind: 'op', op: 'copy', dst, args: [value] })
export const barrier = (h: Host): void => h.emit({ kind: 'barrier', scope: 'block' })

function variable(h: Host, value: Operand, name: string): Reg {
  const r = h.reg(value.type, name)
  copy(h, r, value)
  return r
}

function identityInto(h: Host, i: ScanItem): Reg {
  const e = identityOf(i.op, i.mine.type) as Extract<Expr, { kind: 'const' }> // an identity is a constant
  return variable(h, { kind: 'const', type: e.type, value: e.value }, 'before')
}

export function load(h: Host, buffer: string, type: MemoryType, index: Operand, dst: Reg, element = 0): void {
  h.emit({ kind: 'load', dst: [dst], type, address: { resource: buffer, index, stride: bytesOf[type], offset: element * bytesOf[type] } })
}

export function keep(h: Host, buffer: string, type: MemoryType, index: Operand, value: Operand, element = 0): void {
  h.emit({ kind: 'store', src: [value], type, address: { resource: buffer, index, stride: bytesOf[type], offset: element * bytesOf[type] } })
}

export function when(h: Host, condition: Operand, f: () => void): void {
  h.emit({ kind: 'if', condition, then: h.inScope(f), else: [] })
}

/** running = other ∘ running, in the lanes or threads that have an other. */
const take = (h: Host, i: ScanItem, running: Reg, other: Operand): void => copy(h, running, h.combine(i.op, other, running))

function throughShared(h: Host, items: readonly ScanItem[], extent: number): readonly Done[] {
  const all = items.map((item) => ({ item, running: variable(h, item.mine, 'running'), buffer: h.buffer(item.type, 2 * h.threads) }))
  let half = 0
  const exchange = (): void => {
    for (const { item, running, buffer } of all) keep(h, buffer, item.type, h.rank, running, half * h.threads)
    barrier(h)
  }
  for (let d = 1; d < extent; d *= 2, half ^= 1) {
    exchange()
    const from = h.pure('sub', [h.rank, i32(d)], 'i32', 'from')
    when(h, h.pure('ge', [h.digit, i32(d)], 'bool', 'later'), () => {
      for (const { item, running, buffer } of all) {
        const other = h.reg(item.mine.type, 'other')
        load(h, buffer, item.type, from, other, half * h.threads)
        take(h, item, running, other)
      }
    })
  }
  exchange()
  const first = extent === h.threads ? i32(0) : h.pure('sub', [h.rank, h.digit], 'i32', 'first')
  const out = all.map(({ item, buffer }): Done => {
    const value = identityInto(h, item), total = h.reg(item.mine.type, 'total')
    const from = h.pure('sub', [h.rank, i32(1)], 'i32', 'from')
    when(h, h.pure('ge', [h.digit, i32(1)], 'bool', 'later'), () => load(h, buffer, item.type, from, value, half * h.threads))
    load(h, buffer, item.type, first, total, half * h.threads + extent - 1)
    return { item, value, total }
  })
  if (half === 0 && h.inLoop) barrier(h) // the next scan begins in the half that is read here
  return out
}

const lanes = 32

function throughWarps(h: Host, items: readonly ScanItem[], extent: number): readonly Done[] {
  const width = Math.min(extent, lanes)
  const lane = extent <= lanes ? h.digit : h.pure('rem', [h.digit, i32(lanes)], 'i32', 'lane')
  const all = items.map((item) => {
    const running = variable(h, item.mine, 'running')
    for (let d = 1; d < width; d *= 2) {
      const other = shuffled(h, 'shuffleUp', running, u32(d))
      when(h, h.pure('ge', [lane, i32(d)], 'bool', 'later'), () => take(h, item, running, other))
    }
    const value = identityInto(h, item), other = shuffled(h, 'shuffleUp', running, u32(1))
    when(h, h.pure('ge', [lane, i32(1)], 'bool', 'later'), () => copy(h, value, other))
    return { item, running, value }
  })
  if (extent <= lanes) {
    const last = h.pure('sub', [h.pure('add', [h.pure('rem', [h.rank, i32(lanes)], 'i32', 'lane'), i32(extent - 1)], 'i32', 'last'), h.digit], 'i32', 'last')
    const source = h.reg('u32', 'source')
    h.emit({ kind: 'op', op: 'convert', dst: source, args: [last] })
    return all.map(({ item, running, value }) => ({ item, value, total: shuffled(h, 'shuffle', running, source) }))
  }
  return joined(h, all, extent)
}

function shuffled(h: Host, op: 'shuffle' | 'shuffleUp', value: Operand, by: Operand): Reg {
  const dst = h.reg(value.type, 'other')
  h.emit({ kind: 'subgroup', op, dst, args: [value, by] })
  return dst
}

/** The totals of warps through workgroup memory: every thread goes through those of its group. */
function joined(h: Host, all: readonly { readonly item: ScanItem; readonly running: Reg; readonly value: Reg }[], extent: number): readonly Done[] {
  const warps = extent / lanes
  const buffers = all.map(({ item }) => h.buffer(item.type, h.threads / lanes))
  const warp = h.pure('div', [h.rank, i32(lanes)], 'i32', 'warp'), own = h.pure('div', [h.digit, i32(lanes)], 'i32', 'own_warp')
  const lane = h.pure('rem', [h.rank, i32(lanes)], 'i32', 'lane')
  when(h, h.pure('eq', [lane, i32(lanes - 1)], 'bool', 'last'), () => all.forEach(({ item, running }, n) => keep(h, buffers[n]!, item.type, warp, running)))
  barrier(h)
  const first = h.threads === extent ? i32(0) : h.pure('sub', [warp, own], 'i32', 'first_warp')
  const out = all.map(({ item, value }, n): Done => {
    const earlier = identityInto(h, item)
    let total: Operand | undefined
    for (let w = 0; w < warps; w++) {
      const x = h.reg(item.mine.type, 'x')
      load(h, buffers[n]!, item.type, first, x, w)
      if (w < warps - 1) when(h, h.pure('gt', [own, i32(w)], 'bool', 'after'), () => copy(h, earlier, h.combine(item.op, earlier, x)))
      total = total ? h.combine(item.op, total, x) : x
    }
    return { item, value: h.combine(item.op, earlier, value), total: total! } // there are two warps at least
  })
  if (h.inLoop) barrier(h)
  return out
}
