// Scatter: integers added (or compared, or combined) and floats added at places that data choose: histograms, sparse
// matrices by their elements. Threads use atomics, because they meet. Where the array is small, each block has a copy
// of its own in workgroup memory, `copies` of every element next to each other so that lanes of a warp seldom meet, and
// adds it to the array at the end. Where data choose in some dimensions only (histograms of rows, of columns), blocks
// take the others' elements in turn, and a copy is of what is left. Sums of floats differ in their last bits from run
// to run; WGSL adds them by compare-and-exchange.
import {
  add,
  int,
  literal,
  loop,
  loopVar,
  lt,
  mod,
  mul,
  op,
  read,
  store,
  when,
  identityOf,
  reduced,
  zeroOf,
  conjuncts,
  exprKey,
  rewriteExpr,
  readsArray,
  uses,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  type Scatter,
  type Read,
  type Chip,
} from '../../../ir/index.ts'
import { planned } from '../../../analysis/index.ts'
import { rowSizes, type Made, type Rung, type Sketch } from '../sketch.ts'
import { blocksInWords } from '../step-words.ts'
import {
  alongMemory,
  arraysUsed,
  atPosition,
  guarded,
  inside,
  lastIndices,
  ofThread,
  overLanes,
  overLanesInOrder,
  overRows,
  overSteps,
  ownIndex,
  phase,
  positionOf,
  rowInside,
  walkWords,
  where,
  type Walk,
} from '../tile-walk.ts'
import { blocksOn } from '../resident-blocks.ts'
import {
  areColumns,
  canBeFlat,
  certainReads,
  digitsOf,
  productOf,
  rowLoopsOf,
  shareOf,
  type Share,
} from './scatter-shares.ts'

/** Parameters of a scatter. */
export type HistogramPoint = {
  readonly threads: number
  readonly unroll: number
  readonly vector: number
  readonly blocks: number
  /** Elements of workgroup memory for copies of the array; 0: atomics go to global memory. */
  readonly elements?: number
  /** Copies of the array in a block, which neighbouring threads take in turn. */
  readonly copies?: number
  /** Rows that a block has copies of, with `threads` threads for each; 0 or absent: the copy is the whole array. */
  readonly rows?: number
  /** 1: where rows are fewer than blocks, several blocks share one; 0 or absent: a row is one block's. */
  readonly split?: number
  /** 1: the loops that are summed over are counted as one, since the last is short. */
  readonly flat?: number
  /** 1: whether the copy fits depends on sizes, and there is a variant for those at which it does. */
  readonly exact?: number
}

type Copied = HistogramPoint & { readonly elements: number }

/** The sketch of a scatter. */
export function scatter(program: Program, form: Scatter, chip: Chip): Sketch<HistogramPoint> {
  const used = arraysUsed(program, [form.store.value, ...form.store.index, ...(form.guard ? [form.guard] : [])], [])
  return {
    name: 'scatter',
    ladder: ladderOn(program, form, chip).flatMap(({ step, point }) =>
      fitting(form, point).map((p) => ({ step, point: p })),
    ),
    space: spaceOn(form, chip).flatMap((p) => fitting(form, p)),
    vectorSizes: rowSizes(used),
    build: (p) => (isPrivate(p) && fits(form, p) === true ? own(program, form, p) : direct(program, form, p)),
    buildExact: (p) => {
      const known = isPrivate(p) ? fits(form, p) : false
      return isPrivate(p) && typeof known !== 'boolean' ? { ...own(program, form, p), requires: [known] } : undefined
    },
    unaligned: true,
  }
}

const isPrivate = (p: HistogramPoint): p is Copied => (p.elements ?? 0) > 0

/** Whether the copies of a point fit in its elements; a condition where that depends on sizes. */
function fits(form: Scatter, p: HistogramPoint): boolean | Expr {
  const count = productOf(copiedExtents(form, p)),
    n = literal(count)
  const most = Math.floor((p.elements ?? 0) / widthOf(p))
  return n === undefined ? op('le', [count, int(most)]) : n <= most
}

/** The point, where its copies may fit. */
function fitting(form: Scatter, p: HistogramPoint): readonly HistogramPoint[] {
  const known = !isPrivate(p) || fits(form, p)
  return known === false ? [] : [known === true ? p : { ...p, exact: 1 }]
}

/** Extents of the dimensions that a copy has. */
function copiedExtents(form: Scatter, p: HistogramPoint): readonly Expr[] {
  const fixed = (p.rows ?? 0) > 0 ? rowLoopsOf(form).dimensions : []
  return form.array.shape.filter((_, d) => !fixed.includes(d))
}

/** Places that each element has in a block. */
const widthOf = (p: HistogramPoint): number => Math.max(p.copies ?? 1, p.rows ?? 1)

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

function ladderOn(program: Program, form: Scatter, chip: Chip): readonly Rung<HistogramPoint>[] {
  const isFlat = canBeFlat(form, []) && plannedExtent(program, form.loops.slice(-1)) < shortLine
  const base = {
    threads: 256,
    unroll: 1,
    vector: 1,
    blocks: blocksOn(chip)(4),
    elements: 0,
    copies: 1,
    ...(isFlat && { flat: 1 }),
  }
  const inFlight = { ...base, vector: isFlat ? 1 : 4, unroll: 4 }
  return [
    { step: 'naive: one block, every addition an atomic on global memory', point: { ...base, blocks: 1 } },
    { step: 'many blocks', point: base },
    { step: 'vector loads, several in flight', point: inFlight },
    { step: 'a copy for each block in workgroup memory', point: { ...inFlight, elements: 4096 } },
    { step: severalCopies, point: { ...inFlight, elements: 4096, copies: 8 } },
    ...rowRungs(program, form, chip),
  ]
}

const severalCopies = 'several copies of each element, so that lanes seldom meet'

/** Steps where blocks have rows: of the likeliest shape that fits. */
function rowRungs(program: Program, form: Scatter, chip: Chip): readonly Rung<HistogramPoint>[] {
  const { loops } = rowLoopsOf(form),
    summed = form.loops.filter((l) => !loops.includes(l)),
    length = plannedExtent(program, summed)
  const isFlat = canBeFlat(form, loops) && plannedExtent(program, summed.slice(-1)) < shortLine
  const of = rowPoints(form, chip).filter((p) => fits(form, p) !== false && (p.flat === 1) === isFlat)
  const width = Math.max(fewestColumns, plannedExtent(program, loops.slice(-1)))
  const isLikely = (rows: number): boolean =>
    areColumns(form) ? rows <= width : rows === 1 || length <= mostOfShortRows / rows
  const point = of.find((p) => isLikely(p.rows ?? 1))
  if (!point) return []
  const shared = { ...point, split: 1 }
  return [
    { step: 'each block has rows of its own, and copies of these in workgroup memory', point },
    { step: 'blocks that are more than rows share them', point: shared },
    ...(point.rows === 1 ? [{ step: severalCopies, point: { ...shared, copies: 8 } }] : []),
  ]
}

/** Iterations below which a loop does not fill a block. */
const shortLine = 128
/** Terms of all rows that share a block, below which they do. */
const mostOfShortRows = 8192

const plannedExtent = (program: Program, loops: readonly Loop[]): number =>
  loops.reduce((n, l) => n * planned(program, l.lower, l.upper, 1), 1)

/** Elements of workgroup memory, and copies of the array in them. */
const copiesInBlock = [
  [0, 1],
  [4096, 1],
  [4096, 4],
  [4096, 8],
  [4096, 16],
] as const

function spaceOn(form: Scatter, chip: Chip): readonly HistogramPoint[] {
  const plain = plainPoints(chip)
  const flat = canBeFlat(form, []) ? plain.filter((p) => p.vector === 1).map((p) => ({ ...p, flat: 1 })) : []
  return [...plain, ...flat, ...rowPoints(form, chip)]
}

const plainPoints = (chip: Chip): readonly HistogramPoint[] =>
  [256, 512].flatMap((threads) =>
    [2, 4, 8]
      .map(blocksOn(chip))
      .flatMap((blocks) =>
        [1, 4].flatMap((vector) =>
          [1, 4].flatMap((unroll) =>
            copiesInBlock.map(
              ([elements, copies]): HistogramPoint => ({ threads, blocks, vector, unroll, elements, copies }),
            ),
          ),
        ),
      ),
  )

/** Rows of a block and threads of each, for the shortest rows first: at last a block for each row. */
const rowShapes = [
  { rows: 32, threads: 8 },
  { rows: 8, threads: 32 },
  { rows: 1, threads: 256 },
] as const
/** Columns of a block: a warp reads 32 neighbours, or rows of columns that are fewer. */
const columnShapes = [
  { rows: 32, threads: 8 },
  { rows: 16, threads: 16 },
  { rows: 8, threads: 32 },
  { rows: 64, threads: 4 },
  { rows: 128, threads: 2 },
] as const
/** Columns below which blocks are no narrower. */
const fewestColumns = 8

/** Points where blocks have rows of their own. */
function rowPoints(form: Scatter, chip: Chip): readonly HistogramPoint[] {
  const { loops } = rowLoopsOf(form)
  if (loops.length === 0) return []
  const isColumns = areColumns(form),
    flats = canBeFlat(form, loops) ? [0, 1] : [0]
  return (isColumns ? columnShapes : rowShapes).flatMap((shape) =>
    [0, 1].flatMap((split) =>
      flats.flatMap((flat) =>
        (shape.rows === 1 ? [1, 4, 8] : [1]).flatMap((copies) =>
          (isColumns || flat === 1 ? [1] : [4, 1]).map(
            (vector): HistogramPoint => ({
              ...shape,
              blocks: blocksOn(chip)(8),
              vector,
              unroll: isColumns ? 8 : 4,
              elements: 4096,
              copies,
              split,
              flat,
            }),
          ),
        ),
      ),
    ),
  )
}

// ── kernels ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Threads of a block. */
const threadsOf = (p: HistogramPoint): number => p.threads * Math.max(1, p.rows ?? 1)

const words = (p: HistogramPoint): string => `${blocksInWords(p.blocks)} of ${threadsOf(p)} threads`

function direct(program: Program, given: Scatter, p: HistogramPoint): Made {
  const point = { ...p, threads: threadsOf(p), rows: 0 },
    share = shareOf(given, point),
    { form, walk } = share
  const added = adding(share, (index, value): Store => ({ ...form.store, atomic: true, index, value }))
  const steps = [words(point), ...walkWords(walk), 'threads that meet in an element use atomics', ...inAnyOrder(form)]
  return { program, kernels: [{ program: { ...program, body: share.overRows(added) }, name: program.name, steps }] }
}

function own(program: Program, given: Scatter, p: Copied): Made {
  const share = shareOf(given, p),
    { form, walk: w } = share,
    width = widthOf(p)
  const reduce = form.store.reduce!, // a scatter reduces
    identity = identityOf(reduce, form.store.value.type),
    extents = copiedExtents(given, p),
    extent = productOf(extents)
  const copy: ArrayDecl = {
    name: `${form.array.name}_own`,
    type: form.array.type,
    shape: [literal(extent) === undefined ? int(p.elements) : mul(extent, int(width))],
    role: 'temp',
    space: 'shared',
  }
  const at = (element: Expr, which: Expr): readonly Expr[] => [add(mul(element, int(width)), which)]
  const place = op('add', [op('mul', [loopVar('run'), int(w.threads)]), loopVar('thread_s')])
  const sum: ArrayDecl = ofThread(w, 'block_sum', form.array.type),
    total = read(sum, ownIndex(w))
  const every = (body: readonly LoopStmt[]): readonly LoopStmt[] =>
    phase(w, [
      loop('run', op('div', [add(extent, int(w.threads - 1)), int(w.threads)]), [when(lt(place, extent), body)]),
    ])
  // Each place of an element is some thread's: of one of its rows, or of one of its copies.
  const lanes = w.rows > 1 ? [loopVar('thread_row')] : Array.from({ length: width }, (_, i) => int(i))
  const digits = digitsOf(place, extents),
    index = form.store.index.map((e, d) => digits[share.bins.indexOf(d)] ?? e) // of rows where it is not of bins
  const result: Store = {
    kind: 'store',
    array: form.array.name,
    index,
    reduce,
    value: total,
    ...(!share.isAlone && { atomic: true }),
  }
  const mine = w.rows > 1 ? loopVar('thread_row') : mod(loopVar('thread_s'), width)
  const body = [
    ...every(lanes.map((lane) => store(copy, at(place, lane), identity))),
    ...adding(
      share,
      (places, value): Store => ({
        kind: 'store',
        array: copy.name,
        index: at(elementOf(share, places, extents), mine),
        reduce,
        atomic: true,
        value,
      }),
    ),
    ...every([
      store(
        sum,
        ownIndex(w),
        lanes.map((lane) => read(copy, at(place, lane))).reduce((a: Expr, b) => reduced(reduce, a, b)),
      ),
      when(op('ne', [total, identity]), where(rowInside(w), [result])),
    ]),
  ]
  const declared: readonly LoopStmt[] = [
    { kind: 'declare', array: copy },
    { kind: 'declare', array: sum },
  ]
  const kernel = { program: { ...program, body: share.overRows(body, declared) }, name: program.name }
  return { program, kernels: [{ ...kernel, steps: stepsOf(given, share, p) }] }
}

/** The element of a copy at some subscripts. */
const elementOf = ({ bins }: Share, index: readonly Expr[], extents: readonly Expr[]): Expr =>
  bins.reduce<Expr>((e, d, i) => add(mul(e, extents[i]!), index[d]!), int(0)) // an extent for each

function stepsOf(form: Scatter, { walk, isAlone }: Share, p: Copied): readonly string[] {
  const { name } = form.array,
    known = fits(form, p),
    { copies = 1, rows = 0 } = p,
    most = Math.floor(p.elements / widthOf(p))
  const otherwise =
    typeof known === 'boolean'
      ? []
      : [
          `where ${rows > 0 ? 'a row of ' : ''}${name} has more than ${most} elements, ` +
            `threads use atomics on global memory instead`,
        ]
  const alone = isAlone ? ', where no other block adds' : ''
  const copied = copies > 1 ? `, ${copies} times, which neighbouring threads take in turn` : '',
    what = rows > 1 ? `${rows} rows of ${name} at a time` : `one row of ${name} at a time`
  return [
    words(p),
    ...walkWords(walk),
    `each block has a copy of ${rows > 0 ? what : name} in workgroup memory${copied}`,
    `its atomics stay there; what it has counted is added to global memory at the end${alone}`,
    ...otherwise,
    ...inAnyOrder(form),
  ]
}

const inAnyOrder = ({ array }: Scatter): readonly string[] =>
  array.type === 'f32' ? ['floats are added as threads come: their last bits differ from run to run'] : []

/** The walk over the loop: what every iteration surely reads is loaded first, in vectors where it can be. */
function adding(share: Share, put: (index: readonly Expr[], value: Expr) => Store): readonly LoopStmt[] {
  const { form, walk: w, at } = share
  const position = positionOf(w, at, loopVar('uu'), loopVar('vv'))
  const here = (e: Expr): Expr => atPosition(w, e, position)
  const reads = [...new Map(certain(form, w).map((r) => [exprKey(r), r])).values()]
  const loaded = reads.map((r, i) => ({
    key: exprKey(here(r)),
    value: here(r),
    array: ofThread(w, `x_own${i}`, r.type === 'bool' ? 'i32' : r.type, w.unroll, w.vector),
  }))
  const index = [...ownIndex(w), loopVar('uu'), loopVar('vv')]
  const swap = (e: Expr): Expr =>
    rewriteExpr(here(e), (x) => {
      const hit = x.kind === 'read' ? loaded.find((l) => l.key === exprKey(x)) : undefined
      return hit && read(hit.array, index)
    })
  const done = put(form.store.index.map(swap), swap(form.store.value))
  const guard = form.guard ? conjuncts(form.guard).map(swap) : []
  const body = guard.reduceRight<readonly LoopStmt[]>((inner, g) => [when(g, inner)], [done])
  return share.overLines(
    overSteps(w, at, [
      ...loaded.map(({ array }): LoopStmt => ({ kind: 'declare', array })),
      ...loaded.flatMap(({ array, value }) =>
        phase(
          w,
          overRows(w, overLanes(w, [store(array, index, guarded(value, inside(w, position), zeroOf(value.type)))])),
        ),
      ),
      ...phase(w, overRows(w, overLanesInOrder(w, where(inside(w, position), body)))),
    ]),
  )
}

/** Reads along the loop that every iteration makes, whatever the guard says; single elements may lie anywhere. */
function certain(form: Scatter, w: Walk): readonly Read[] {
  const isAlong = (e: Read): boolean =>
    w.vector > 1 || form.loops.length === 1
      ? lastIndices([e]).some((x) => alongMemory(x, w.loop))
      : e.index.some((x) => uses(x, w.loop.name))
  return certainReads(form).filter((e) => !e.index.some(readsArray) && isAlong(e))
}
