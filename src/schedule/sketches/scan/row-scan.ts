// Scan: every iteration stores the running value of a sum (product, least, greatest). Threads scan a tile together:
// each its own neighbours in registers, then the threads' totals in workgroup memory. A long scan has two kernels:
// blocks find the totals of their runs; then each starts from the totals before it. Memory is read twice and written
// once; the one-pass scheme (decoupled look-back) needs blocks that wait for others to move on, which WebGPU does not
// promise.
import {
  choose,
  int,
  loop,
  loopVar,
  lt,
  op,
  read,
  store,
  sub,
  when,
  identityOf,
  reduced,
  constantExtent,
  freshName,
  substitute,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  type Scan,
  type Chip,
} from '../../../ir/index.ts'
import { isNearest, planned, readIndices } from '../../../analysis/index.ts'
import { kernelWith, rowSizes, type Made, type Rung, type Sketch } from '../sketch.ts'
import { walkersInWords } from '../step-words.ts'
import {
  arraysUsed,
  atPosition,
  groupIndex,
  groupPhase,
  guarded,
  inside,
  laneOf,
  ofGroup,
  ofThread,
  overBlocks,
  overLanes,
  overLanesInOrder,
  overRows,
  overSteps,
  ownIndex,
  phase,
  positionOf,
  rowInside,
  rowWalkSpace,
  shortRow,
  shortWalks,
  walkBase,
  walkOf,
  walkSpace,
  walkWords,
  where,
  wholeTiles,
  type Walk,
  type WalkPoint,
} from '../tile-walk.ts'
import { blocksOn } from '../resident-blocks.ts'

/**
 * The sketch of a scan along contiguous memory, or of one alone; `undefined` for others and for those of few constant
 * steps.
 */
export function rowScan(program: Program, form: Scan, chip: Chip): Sketch<WalkPoint> | undefined {
  const indices = indicesOf(form)
  if (
    (form.parallel.length > 0 && !isNearest(indices, form.loop, form.parallel)) ||
    (constantExtent(form.loop) ?? Infinity) <= 64
  )
    return undefined
  const whole = form.parallel.length === 0,
    length = planned(program, form.loop.lower, form.loop.upper, 1)
  const used = arraysUsed(
    program,
    [form.value, ...form.stores.map((s) => s.store.value)],
    form.stores.map((s) => s.store.array),
  )
  return {
    name: 'scan',
    ladder: whole ? ladderOn(chip) : rowLadder,
    space: whole ? walkSpace([2, 3, 4, 8].map(blocksOn(chip))) : rowWalkSpace,
    ...(!whole && length < shortRow && { likely: () => shortWalks(length) }),
    vectorSizes: rowSizes(used),
    build: (p) => build(program, form, walkOf(form.parallel, form.loop, indices, p)),
    buildExact: (p) => exact(program, form, walkOf(form.parallel, form.loop, indices, p, true)),
  }
}

const indicesOf = (form: Scan): readonly (readonly Expr[])[] => [
  ...form.stores.map((s) => s.store.index),
  ...readIndices([form.value]),
]

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

function ladderOn(chip: Chip): readonly Rung[] {
  const many = { ...walkBase, blocks: blocksOn(chip)(4) }
  return [
    { step: 'naive: one thread goes through all of it', point: { ...walkBase, threads: 1 } },
    { step: 'one block: its threads scan a tile together in workgroup memory', point: walkBase },
    { step: 'many blocks: totals of their runs first, then each goes on from those before it', point: many },
    { step: 'vector loads and stores', point: { ...many, vector: 4 } },
    { step: 'several rows of a tile in flight', point: { ...many, vector: 4, unroll: 4 } },
  ]
}
const rowLadder: readonly Rung[] = [
  { step: 'naive: one thread per row', point: { ...walkBase, threads: 1, rows: 128 } },
  { step: 'one warp per row: its threads scan a tile together', point: { ...walkBase, threads: 32, rows: 8 } },
  { step: 'vector loads and stores', point: { ...walkBase, threads: 32, rows: 8, vector: 4 } },
  { step: 'one block per row, several rows of a tile in flight', point: { ...walkBase, vector: 4, unroll: 4 } },
]

// ── kernels ───────────────────────────────────────────────────────────────────────────────────────────────────────

const exact = (program: Program, form: Scan, w: Walk): Made & { readonly requires: readonly Expr[] } => ({
  ...build(program, form, w),
  requires: wholeTiles(w),
})

function build(program: Program, form: Scan, w: Walk): Made {
  const head =
    w.rows > 1
      ? `${w.rows} rows per block, ${w.threads} threads each`
      : walkersInWords(w, form.parallel.length > 0 ? 'row' : 'all')
  const own =
    w.threads > 1
      ? ['threads scan their own elements in registers, then the totals of the threads before them in workgroup memory']
      : []
  const name = freshName(program, 'totals')
  const totals: ArrayDecl = {
    name,
    type: form.into.type,
    shape: [...form.parallel.map((l) => l.upper), int(w.blocks)],
    role: 'temp',
    space: 'global',
  }
  if (w.blocks === 1)
    return {
      program,
      kernels: [kernelWith(program, scanning(w, form, undefined), program.name, [head, ...walkWords(w), ...own])],
    }
  const shared: Program = { ...program, arrays: [...program.arrays, totals] }
  return {
    program: shared,
    kernels: [
      kernelWith(shared, totalling(w, form, totals), `${program.name}_totals`, [
        `${head} find the totals of their runs`,
        ...walkWords(w),
        `a tree over ${w.threads} threads combines their parts`,
      ]),
      kernelWith(shared, scanning(w, form, totals), `${program.name}_scan`, [
        `${head}, the last run first: what was read last is still in the cache`,
        ...walkWords(w),
        'each block starts from the totals of the runs before its own',
        ...own,
      ]),
    ],
  }
}

const identity = (form: Scan): Expr => identityOf(form.op, form.value.type)

/** Index of a row's total at a block. */
const totalAt = (form: Scan, at: Expr): readonly Expr[] => [...form.parallel.map((l) => loopVar(l.name)), at]

/** Loads the values of a tile: x[thread, row, lane]. */
function loading(w: Walk, form: Scan, x: ArrayDecl, at: Expr): readonly LoopStmt[] {
  const lane = laneOf(w)
  const position = positionOf(w, at, loopVar('uu'), lane)
  const value = guarded(atPosition(w, form.value, position), inside(w, position), identity(form))
  return phase(w, overRows(w, overLanes(w, [store(x, [...ownIndex(w), loopVar('uu'), lane], value)])))
}

/** Each block's total. */
function totalling(w: Walk, form: Scan, totals: ArrayDecl): readonly LoopStmt[] {
  const { type } = totals
  const x = ofThread(w, 'x_own', type, w.unroll, w.vector),
    part = ofThread(w, 'part', type),
    total = ofGroup(w, 'total', type)
  const at = loopVar('block_s')
  return overBlocks(w, [
    { kind: 'declare', array: part },
    ...phase(w, [store(part, ownIndex(w), identity(form))]),
    ...overSteps(w, at, [
      { kind: 'declare', array: x },
      ...loading(w, form, x, at),
      ...phase(
        w,
        overRows(
          w,
          overLanesInOrder(w, [
            store(part, ownIndex(w), read(x, [...ownIndex(w), loopVar('uu'), loopVar('vv')]), form.op),
          ]),
        ),
      ),
    ]),
    { kind: 'declare', array: total },
    store(total, [], identity(form)),
    ...phase(w, [store(total, [], read(part, ownIndex(w)), form.op)]),
    store(totals, totalAt(form, at), read(total, [])),
  ])
}

/** Scans each block's run, from the totals before it. */
function scanning(w: Walk, form: Scan, totals: ArrayDecl | undefined): readonly LoopStmt[] {
  const { type } = form.into
  const at = totals ? sub(int(w.blocks - 1), loopVar('block_s')) : int(0)
  const carry = ofGroup(w, 'carry', type)
  return overBlocks(w, [
    { kind: 'declare', array: carry },
    ...groupPhase(w, [store(carry, groupIndex(w), starting(w, form))]),
    ...(totals ? before(w, form, totals, carry, at) : []),
    ...overSteps(w, at, tile(w, form, carry, at)),
    ...results(w, form, carry, totals && at),
  ])
}

function starting(w: Walk, form: Scan): Expr {
  const row = rowInside(w),
    init = substitute(form.init, w.point)
  return row ? choose(row, init, identity(form)) : init
}

/** carry ∘= the totals of all runs before `at`. */
function before(w: Walk, form: Scan, totals: ArrayDecl, carry: ArrayDecl, at: Expr): readonly LoopStmt[] {
  const part = ofThread(w, 'earlier', totals.type)
  const from = op('add', [op('mul', [loopVar('run'), int(w.threads)]), loopVar('thread_s')])
  return [
    { kind: 'declare', array: part },
    ...phase(w, [store(part, ownIndex(w), identity(form))]),
    ...phase(w, [
      loop('run', int(Math.ceil(w.blocks / w.threads)), [
        when(lt(from, at), [store(part, ownIndex(w), read(totals, totalAt(form, from)), form.op)]),
      ]),
    ]),
    ...phase(w, [store(carry, [], read(part, ownIndex(w)), form.op)]),
  ]
}

function tile(w: Walk, form: Scan, carry: ArrayDecl, at: Expr): readonly LoopStmt[] {
  const { type } = form.into
  const uu = loopVar('uu'),
    vv = loopVar('vv')
  const x = ofThread(w, 'x_own', type, w.unroll, w.vector),
    total = ofThread(w, 'total', type, w.unroll),
    earlier = ofThread(w, 'before', type, w.unroll)
  const run = ofGroup(w, 'run_total', type, w.unroll),
    start = ofGroup(w, 'start', type, w.unroll),
    acc = ofThread(w, 'acc', type)
  const kinds = [...new Set(form.stores.map((s) => s.earlier))]
  const y = new Map(kinds.map((k) => [k, ofThread(w, k ? 'y_before' : 'y_after', type, w.unroll, w.vector)]))
  const own = ownIndex(w),
    g = groupIndex(w)
  const keep = (k: boolean): readonly LoopStmt[] => {
    const to = y.get(k)
    return to ? [store(to, [...own, uu, vv], read(acc, own))] : []
  }
  return [
    ...[x, total, earlier, run, start, acc, ...y.values()].map((array): LoopStmt => ({ kind: 'declare', array })),
    ...loading(w, form, x, at),
    ...phase(
      w,
      overRows(w, [
        store(total, [...own, uu], read(x, [...own, uu, int(0)])),
        ...overLanes(w, [store(total, [...own, uu], read(x, [...own, uu, vv]), form.op)], 1),
      ]),
    ),
    ...groupPhase(w, overRows(w, [store(run, [...g, uu], identity(form))])),
    ...phase(
      w,
      overRows(w, [
        store(earlier, [...own, uu], read(run, [...g, uu])),
        store(run, [...g, uu], read(total, [...own, uu]), form.op),
      ]),
    ),
    ...groupPhase(
      w,
      overRows(w, [store(start, [...g, uu], read(carry, g)), store(carry, g, read(run, [...g, uu]), form.op)]),
    ),
    ...phase(
      w,
      overRows(w, [
        store(acc, own, reduced(form.op, read(start, [...g, uu]), read(earlier, [...own, uu]))),
        ...overLanesInOrder(w, [...keep(true), store(acc, own, read(x, [...own, uu, vv]), form.op), ...keep(false)]),
      ]),
    ),
    ...form.stores.flatMap((s) => storing(w, form, s, y.get(s.earlier)!, at)), // one for each kind
  ]
}

function storing(w: Walk, form: Scan, s: Scan['stores'][number], y: ArrayDecl, at: Expr): readonly LoopStmt[] {
  const lane = laneOf(w)
  const position = positionOf(w, at, loopVar('uu'), lane)
  const value = (e: Expr): Expr =>
    replaceReads(atPosition(w, e, position), form.into.name, read(y, [...ownIndex(w), loopVar('uu'), lane]))
  const done: LoopStmt = { ...s.store, index: s.store.index.map(value), value: value(s.store.value) }
  const body = s.guard ? [when(value(s.guard), [done])] : [done]
  return phase(w, overRows(w, overLanes(w, where(inside(w, position), body))))
}

/** What is stored after the loop: by the block of the last run. */
function results(w: Walk, form: Scan, carry: ArrayDecl, at: Expr | undefined): readonly LoopStmt[] {
  if (form.results.length === 0) return []
  const value = (e: Expr): Expr => replaceReads(substitute(e, w.point), form.into.name, read(carry, groupIndex(w)))
  const row = rowInside(w)
  const stores = form.results.map((r) => ({
    ...r,
    index: r.index.map((e) => substitute(e, w.point)),
    value: value(r.value),
  }))
  const last: readonly LoopStmt[] = at ? [when(op('eq', [at, int(w.blocks - 1)]), stores)] : stores
  return groupPhase(w, where(row, last))
}
