// Reduction: many values become few. Along contiguous memory (or along anything, where there is one result) the threads
// of a block share a row and combine their parts by a tree; across contiguous memory each thread keeps whole columns.
// When there are too few results to fill the machine, blocks make partial results and a second kernel combines them.
import { fail } from '../../../base/index.ts'
import {
  add,
  ceilDiv,
  int,
  loop,
  loopVar,
  mul,
  planValue,
  sub,
  nestProgram,
  conjunction,
  constantExtent,
  eachExpr,
  someExpr,
  isFree,
  loopsNamed,
  peelGuard,
  perfectNest,
  readsArray,
  sizesIn,
  substitute,
  uses,
  measuredChip,
  type ArrayDecl,
  type Binding,
  type Expr,
  type Loop,
  type PlanValues,
  type Program,
  type Nest,
  type Chip,
} from '../../../ir/index.ts'
import {
  columnsOf,
  isNearest,
  isReduction,
  lateStart,
  planned,
  pointsOf,
  readIndices,
  readsOf,
  rowOf,
} from '../../../analysis/index.ts'
import { registerTile } from '../../primitives/register-tile.ts'
import { reorder } from '../../primitives/reorder.ts'
import { liftGuard } from '../../primitives/lift-choice.ts'
import { peel } from '../../primitives/peel.ts'
import { pad } from '../../primitives/pad.ts'
import { sinkGuard } from '../../primitives/sink-guard.ts'
import { split } from '../../primitives/split.ts'
import { splitReduction } from '../../primitives/split-reduction.ts'
import { treeReduce } from '../../primitives/tree-reduce.ts'
import { bindAll, script, splitLevels, step } from '../../script.ts'
import { hasLags, laggedPartial, lagsTogether, squared } from './lagged-sums.ts'
import { block, rowSizes, threads, unroll, vector, type Rung, type Scheduled, type Sketch } from '../sketch.ts'
import { counted } from '../step-words.ts'
import { blocksOn } from '../resident-blocks.ts'
import { shortRow, shortRowShapes } from '../tile-walk.ts'

/** Parameters of a sum along or across rows. */
export type ReductionPoint = {
  /** Threads that share a row; across rows: columns (of `vector`) of a block. */
  readonly threads: number
  /** Rows of a block; across rows: threads that share a column. */
  readonly rows: number
  /** Neighbours that a thread loads at once. */
  readonly vector: number
  /** Loads in flight per thread. */
  readonly unroll: number
  /** Blocks that share a result; with several, a second kernel adds up what they have. */
  readonly blocks: number
  /** Of earlier searches; nothing depends on it. */
  readonly warp?: number
  /** 1: blocks share the longest loop around the rows, not the rows. */
  readonly over?: number
  /** Sums that a thread makes side by side (`lagged-sums.ts`). */
  readonly lags?: number
}

/** The sketch of `part`, or `undefined` when it is no reduction along or across contiguous memory. */
export function reduction(program: Program, part: Nest, chip: Chip = measuredChip): Sketch<ReductionPoint> | undefined {
  const r = part.reduction
  if (!r || !isReduction(part)) return undefined
  const across = ofOneLength(part) ? columnsOf(part) : undefined
  const used = arraysOf(part, program),
    long = ofOneLength(part) || pointsOf(program, part).terms >= manyTerms,
    along = long ? rowOf(part) : undefined
  if (along) {
    // what one thread stores of a row needs no alignment
    const read = readsOf([r.value]).map((x) => x.array),
      steps = isNearest(readIndices([r.value, ...(r.guard ? [r.guard] : [])]), along, part.parallel),
      vectorSizes = rowSizes(used.filter((a) => read.includes(a.name)))
    return {
      name: 'reduction',
      vectorSizes,
      ...alongRows(program, lateStart(part), along, { widths: steps ? [1, 4] : [1], chip }),
    }
  }
  const vectorSizes = rowSizes(used)
  const outer = r.loops[0]
  if (across && outer && constantExtent(outer) === undefined && part.out.array.shape.length > 0)
    return { name: 'reduction', vectorSizes, ...acrossRows(program, part, across, outer) }
  return undefined
}

/** Whether all results have as many terms. */
const ofOneLength = ({ reduction: r, parallel }: Nest): boolean =>
  r !== undefined && !r.loops.some((l) => parallel.some((m) => uses(l.upper, m.name) || uses(l.lower, m.name)))

/** Terms in the middle of results of different lengths from which on a row is for many threads. */
const manyTerms = 256

/** The kernel of one point of a sum of rows. */
export function rowKernel(program: Program, part: Nest, p: ReductionPoint): Scheduled {
  return oneKernel(
    program,
    lateStart(part),
    rowOf(part) ?? fail('schedule.reduction', 'it is no sum of rows'),
    p,
    program.name,
  )
}

/** Arrays that the reduction reads or writes. */
function arraysOf(part: Nest, program: Program): readonly ArrayDecl[] {
  const names = new Set([part.out.array.name])
  eachExpr(part.reduction!.value, (x) => {
    if (x.kind === 'read') names.add(x.array)
  })
  return program.arrays.filter((a) => names.has(a.name))
}

type Space = Omit<Sketch<ReductionPoint>, 'name' | 'vectorSizes'>

// ── along rows ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Terms of a sum that one block adds up before a second launch would have begun. */
const fewTerms = 2 ** 14

/** Results that leave multiprocessors idle when a block makes each, and terms of one that blocks share all the same. */
const fewResults = 128,
  manyPartial = 2 ** 15

/**
 * Terms of a row below which fewer threads each with more of it are faster. As read on an H200: 2,800 terms in 64
 * threads 21.2, in 256 22.4 µs; 4,000 in 64 and 32 beside sums of columns 35 and 29 µs.
 */
const longRow = 3072

/** Iterations of the loop, when sizes alone say how many. */
function extentAt(l: Loop, values: PlanValues): number | undefined {
  const extent = sub(l.upper, l.lower)
  const isOpen = someExpr(
    extent,
    (x) => x.kind === 'read' || x.kind === 'var' || (x.kind === 'size' && !Object.hasOwn(values.sizes, x.name)),
  )
  return isOpen ? undefined : planValue(extent, values)
}

/** Results per launch when there are parallel loops, else one; `widths`: neighbours that a thread may load at once. */
function alongRows(
  program: Program,
  part: Nest,
  row: Loop,
  { widths, chip }: { readonly widths: readonly number[]; readonly chip: Chip },
): Space {
  const whole = part.parallel.length === 0,
    few = whole && pointsOf(program, part).terms <= fewTerms,
    blocksFor = blocksOn(chip)
  const vector = Math.max(...widths)
  const base = { threads: 256, rows: 1, vector: 1, unroll: 1, blocks: 1, warp: 0 }
  const { points, terms } = pointsOf(program, part),
    spare = !whole && part.parallel.length < 3 && points <= fewResults && terms >= manyPartial // blocks share a result
  const slides = spare && hasLags(part, row)
  const shares = spare
    ? [8, 16, 32].map((n) => n * 2 ** Math.max(0, Math.ceil(Math.log2(fewResults / Math.max(1, points) / 4))))
    : []
  const outer = few || !(whole || spare) ? undefined : outerOf(program, part, row),
    over = outer && hasManyRows(program, outer, row) ? 1 : 0
  const many = { ...base, ...(!few && { blocks: blocksFor(8) }), ...(outer && { over }) }
  const short = whole || spare || terms >= shortRow ? [] : shortRowShapes(terms)
  const ladder: readonly Rung<ReductionPoint>[] = whole
    ? [
        { step: 'naive: one thread adds everything', point: { ...base, threads: 1 } },
        { step: 'one block, a tree in workgroup memory', point: base },
        ...(few ? [] : [{ step: 'many blocks, then a second kernel over their results', point: many }]),
        ...(vector > 1 ? [{ step: 'vector loads', point: { ...many, vector } }] : []),
        { step: 'several loads in flight', point: { ...many, vector, unroll: few ? 2 : 4 } },
      ]
    : [
        { step: 'naive: one thread per row', point: { ...base, threads: 1, rows: 256 } },
        { step: 'one warp per row: neighbours read neighbours', point: { ...base, threads: 32, rows: 8 } },
        { step: 'vector loads', point: { ...base, threads: 32, rows: 8, vector: 4 } },
        short[0]
          ? { step: 'several rows per warp: few threads for each', point: { ...base, ...short[0], vector, unroll: 2 } }
          : {
              step: 'one block per row, several loads in flight',
              point: { ...base, threads: 256, rows: 1, vector: 4, unroll: 4 },
            },
        ...shares.slice(0, 1).map((blocks) => ({
          step: 'several blocks per row, then a second kernel over their results',
          point: { ...base, vector, unroll: 4, blocks, ...(outer && { over }) },
        })),
        ...(slides
          ? [
              {
                step: 'several sums per thread: what all of them read is loaded once',
                point: { ...base, unroll: 4, blocks: 8 * shares[0]!, lags: 16 },
              },
            ]
          : []),
      ]
  const space: ReductionPoint[] = []
  for (const t of whole ? [128, 256, 512] : [32, 64, 128, 256]) {
    for (const u of [1, 2, 4, 8]) {
      for (const v of widths) {
        for (const lags of v === 1 && spare && slides ? [1, ...lagsTogether] : [1])
          for (const blocks of few
            ? [1]
            : whole
              ? [2, 4, 8, 16, 32].map(blocksFor)
              : spare
                ? shares.map((n) => (lags > 1 ? (n * lags) / 2 : n))
                : [1]) {
            for (const rows of whole || spare ? [1] : [1, 2, 4, 8])
              if (t * rows >= 64 && t * rows <= 512)
                space.push({
                  threads: t,
                  rows,
                  vector: v,
                  unroll: u,
                  blocks,
                  warp: 0,
                  ...(outer && { over }),
                  ...(slides && { lags }),
                })
          }
      }
    }
  }
  for (const shape of short.filter((s) => s.threads < terms))
    for (const u of [1, 2]) for (const v of widths) space.push({ ...base, ...shape, vector: v, unroll: u })
  const likely = (values: PlanValues): readonly ReductionPoint[] => {
    const length = extentAt(row, values)
    if (short.length > 0 && length !== undefined)
      return shortRowShapes(length)
        .filter((s) => s.threads < length)
        .slice(0, 1)
        .map((shape) => ({ ...base, ...shape, vector, unroll: 2 }))
    return length === undefined || vector === 1 || length >= longRow || spare
      ? []
      : [{ ...base, threads: 64, rows: 4, vector, unroll: 4 }]
  }
  const asked = conditionalLoads(part.reduction!.value) // it is one
  const fewer = (p: ReductionPoint): ReductionPoint =>
    asked === 0 ? p : { ...p, unroll: Math.max(1, Math.min(p.unroll, Math.floor(mostAsked / (asked * p.vector)))) }
  return {
    ladder: ladder.map((rung) => ({ ...rung, point: fewer(rung.point) })),
    space: space.filter((p) => fewer(p).unroll === p.unroll),
    ...(!whole && { likely: (values: PlanValues) => likely(values).map(fewer) }),
    ...(slides && { rounds: (p: ReductionPoint) => roundsOf(row, p) }),
    build: (point) => buildAlong(program, part, row, point),
  }
}

/** Conditions around loads that are written out in a thread: 32 in a loop take SwiftShader 17 GB to compile. */
const mostAsked = 16

/** Elements of a term that are loaded under a condition. */
function conditionalLoads(value: Expr): number {
  let count = 0
  eachExpr(value, (x) => {
    if (x.kind === 'choose' && (readsArray(x.then) || readsArray(x.else))) count++
  })
  return count
}

/** Sizes at which a proof sees more of long sums than all blocks take at a time. */
const roundsOf = (row: Loop, p: ReductionPoint): Readonly<Record<string, number>> =>
  Object.fromEntries(
    (p.lags ?? 1) > 1
      ? sizesIn(row.upper)
          .slice(0, 1)
          .map((n) => [n, p.threads * p.blocks * p.unroll])
      : [],
  )

function buildAlong(
  program: Program,
  part: Nest,
  row: Loop,
  p: ReductionPoint,
): { kernels: readonly Scheduled[]; program: Program } {
  if (p.blocks <= 1) return { kernels: [oneKernel(program, part, row, p, program.name)], program }
  const outer = p.over ? outerOf(program, part, row) : undefined
  const sums = p.lags ?? 1,
    lags = sums > 1,
    even = lags ? (squared(part, row) ?? part) : part,
    own = even.reduction!.loops.find((l) => l.name === row.name) ?? row // it is a sum
  const arranged = outer
    ? rearranged(program, inRounds(part, outer, p.blocks), row, { ...p, blocks: 1 })
    : rearranged(program, even, own, p)
  const two = splitReduction(program, arranged)
  const results = [...part.parallel].reverse().map((l, n) => [l.name, block(n === 0 ? 'y' : 'z')] as const)
  const first = lags
    ? laggedPartial(two.program, two.partial, p.threads, sums)
    : threadTree(nestProgram(two.program, two.partial), two.partial, p, [['block_r', block('x')], ...results])
  const inner: ReductionPoint = { ...p, blocks: 1, vector: 1, unroll: 1, threads: 256, rows: 1 }
  const last = two.final.reduction!.loops[0]!
  return {
    program: two.program,
    kernels: [
      {
        program: first.program,
        name: `${program.name}_partial`,
        steps: [`${p.blocks} blocks of ${p.threads} threads make partial results`, ...words(p), ...first.steps],
      },
      oneKernel(two.program, two.final, last, inner, `${program.name}_final`),
    ],
  }
}

const words = (p: ReductionPoint): readonly string[] => [
  ...(p.vector > 1 ? [`each thread loads ${p.vector} neighbours at once`] : []),
  ...(p.unroll > 1 ? [`${p.unroll} loads in flight per thread`] : []),
]

/** Whether blocks have more of the rows than of what 256 threads take of one; rows of different lengths are many. */
const hasManyRows = (program: Program, outer: Loop, row: Loop): boolean =>
  !isFree(row) || planned(program, outer.lower, outer.upper, 1) * 256 >= planned(program, row.lower, row.upper, 1)

/** Of the loops around the rows of a sum with one result the longest whose iterations blocks can share. */
function outerOf(program: Program, part: Nest, row: Loop): Loop | undefined {
  const { loops } = part.reduction! // it is one
  if (loops.some((l) => readsArray(l.lower) || readsArray(l.upper))) return undefined
  const length = (l: Loop): number => planned(program, l.lower, l.upper, 1)
  return loops
    .filter((l) => l !== row && isFree(l) && constantExtent(l) === undefined)
    .reduce<Loop | undefined>((a, l) => (a && length(a) >= length(l) ? a : l), undefined)
}

/** The sum with the iterations of one loop dealt out to blocks, one after the other in rounds. */
function inRounds(part: Nest, outer: Loop, blocks: number): Nest {
  const r = part.reduction!,
    at = add(add(outer.lower, loopVar('block_r')), mul(loopVar('round'), int(blocks))) // as above
  const f = (e: Expr): Expr => substitute(e, new Map([[outer.name, at]]))
  const rounds = ceilDiv(sub(sub(outer.upper, outer.lower), loopVar('block_r')), blocks)
  const inner = r.loops.filter((l) => l !== outer).map((l): Loop => ({ ...l, lower: f(l.lower), upper: f(l.upper) }))
  return {
    ...part,
    reduction: {
      ...r,
      loops: [loop('block_r', int(blocks), []), loop('round', rounds, []), ...inner],
      guard: r.guard && f(r.guard),
      value: f(r.value),
    },
  }
}

/**
 * The nest with its row loop split into blocks, threads, unrolled steps and lanes; block and thread loops outermost.
 */
function rearranged(program: Program, part: Nest, row: Loop, p: ReductionPoint): Nest {
  const levels = splitLevels(nestProgram(program, part), row.name, 'step', [
    { name: 'uu', extent: p.unroll },
    { name: 'block_r', extent: p.blocks },
    { name: 'thread_r', extent: p.threads },
    { name: 'vv', extent: p.vector },
  ])
  const reductionNest = innermostNest(levels.program, part)
  const order = new Set([
    'block_r',
    'thread_r',
    ...part.reduction!.loops.filter((l) => l.name !== row.name).map((l) => l.name),
    'step',
    'uu',
    'vv',
  ])
  const byName = new Map(reductionNest.loops.map((l) => [l.name, l]))
  return {
    ...part,
    reduction: {
      ...part.reduction!,
      loops: [...order].flatMap((n) => byName.get(n) ?? []),
      guard: reductionNest.guard,
      value: reductionNest.value,
    },
  }
}

export function innermostNest(
  program: Program,
  part: Nest,
): { loops: readonly Loop[]; guard: Nest['guard']; value: Expr } {
  let body = program.body
  for (const _ of part.parallel) {
    const only = body[0]
    if (only?.kind !== 'loop') return fail('schedule.reduction', 'the parallel loops are not a perfect nest')
    body = only.body
  }
  const start = body.find((s) => s.kind === 'loop')
  if (start?.kind !== 'loop') return fail('schedule.reduction', 'there is no reduction loop')
  const { loops, body: inner } = perfectNest(start)
  const peeled = peelGuard(inner)
  const store = peeled.body[0]
  if (store?.kind !== 'store') return fail('schedule.reduction', 'the reduction is not one store')
  return { loops, guard: conjunction(peeled.guard), value: store.value }
}

/** Threads share each result by a tree. */
function threadTree(
  program: Program,
  part: Nest,
  p: ReductionPoint,
  bindings: readonly (readonly [string, Binding])[],
): { program: Program; steps: readonly string[] } {
  let s = step(script(program), null, (q) => sinkGuard(q, { into: part.reduction!.into.name }))
  if (p.threads > 1)
    s = step(s, `a tree over ${p.threads} threads combines their parts`, (q) =>
      treeReduce(q, { loop: 'thread_r', stride: 1 }),
    )
  s = step(s, null, (q) => wholeSteps(q))
  s = step(s, null, (q) =>
    pad(q, {
      into: part.reduction!.into.name,
      reduction: ['step', 'uu', 'vv', 'thread_r', 'block_r', 'step_rest', 'uu_rest'],
    }),
  )
  s = step(s, null, (q) => bindAll(q, [...bindings, ['uu', unroll], ['vv', vector]]))
  return s
}

/** Steps in which no thread is past the end ask nothing, so that their loads wait together. */
export const wholeSteps = (program: Program, lanes: readonly string[] = []): Program =>
  loopsNamed(program, 'step').length === 1 ? peel(program, { loop: 'step', fresh: ['uu'], lanes }) : program

/** Blocks and groups of threads for the rows that the loops `parallel` choose, and what is to be bound so. */
export function rowBlocks(
  given: Program,
  parallel: readonly Loop[],
  p: ReductionPoint,
): { readonly program: Program; readonly bindings: readonly (readonly [string, Binding])[] } {
  const last = parallel[parallel.length - 1],
    rows = p.rows
  if (!last) return { program: given, bindings: [] }
  const program =
    rows > 1 ? split(given, { loop: last.name, factor: rows, outer: 'block_row', inner: 'thread_row' }) : given
  const own: readonly (readonly [string, Binding])[] =
    rows > 1
      ? [
          ['block_row', block('x')],
          ['thread_row', threads(p.threads)],
        ]
      : [[last.name, block('x')]]
  return {
    program,
    bindings: [
      ...own,
      ...parallel
        .slice(0, -1)
        .reverse()
        .map((l, n) => [l.name, block(n === 0 ? 'y' : 'z')] as const),
    ],
  }
}

function oneKernel(program: Program, part: Nest, row: Loop, p: ReductionPoint, name: string): Scheduled {
  const arranged = rearranged(program, part, row, { ...p, blocks: 1 })
  const { program: q, bindings } = rowBlocks(nestProgram(program, arranged), part.parallel, p),
    last = part.parallel.length > 0,
    rows = p.rows
  const tree = threadTree(q, part, p, bindings)
  const head = last
    ? `${rows > 1 ? `${rows} results` : 'one result'} per block, ${counted(p.threads, 'thread')} each`
    : p.threads === 1
      ? 'one thread'
      : `one block of ${p.threads} threads`
  return { program: tree.program, name, steps: [head, ...words(p), ...tree.steps] }
}

// ── across rows ───────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Terms of all columns that one launch of few large blocks adds up before two would have: 1800 × 2200 took one
 * microsecond less on an H200, 4000² did not.
 */
const mostAlone = 2 ** 23

/** A launch of few large blocks for all columns. */
export const aloneAcross: ReductionPoint = { threads: 8, rows: 128, vector: 4, unroll: 2, blocks: 1 }

function acrossRows(program: Program, part: Nest, column: Loop, outer: Loop): Space {
  const base = { threads: 256, rows: 1, vector: 1, unroll: 1, blocks: 1 }
  // A grid has three axes: with three parallel loops none is left for blocks along a column.
  // threads that a row of vectors needs
  const narrow = 2 ** Math.ceil(Math.log2(Math.max(1, planned(program, column.lower, column.upper, 1) / 4)))
  const full = part.parallel.length > 2,
    blocksOf = full ? [1] : [1, 8, 16, 32, 64, 128],
    many = full ? 1 : 64
  const ladder: readonly Rung<ReductionPoint>[] = [
    { step: 'one thread per column: neighbours read neighbours', point: base },
    ...(full
      ? []
      : [
          { step: 'many blocks per column, then a second kernel over their results', point: { ...base, blocks: many } },
        ]),
    { step: 'vector loads', point: { ...base, blocks: many, vector: 4 } },
    { step: 'several loads in flight', point: { ...base, blocks: many, vector: 4, unroll: 4 } },
    {
      step: 'threads of a block share a column',
      point: {
        ...base,
        threads: Math.min(32, narrow),
        rows: narrow < 32 ? 256 / narrow : 8,
        blocks: Math.min(many, 16),
        vector: 4,
        unroll: 4,
      },
    },
  ]
  const space: ReductionPoint[] = []
  for (const t of narrow < 32 ? [narrow, 2 * narrow, 4 * narrow] : [32, 64, 128, 256])
    for (const rows of narrow < 32 ? [1, 128 / narrow, 256 / narrow] : [1, 2, 4, 8, 16]) {
      if (t * rows < 64 || t * rows > 512) continue
      for (const u of [1, 2, 4, 8])
        for (const v of [1, 4])
          for (const blocks of blocksOf) space.push({ threads: t, rows, vector: v, unroll: u, blocks })
    }
  const alone = (_: PlanValues, multiprocessors: number): ReductionPoint | undefined => {
    const columns = planned(program, column.lower, column.upper, 1),
      rows = planned(program, outer.lower, outer.upper, 1)
    const blocks = part.parallel.length === 1 && columns * rows <= mostAlone ? Math.ceil(columns / 32) : 0
    return 4 * blocks >= multiprocessors && blocks <= 2 * multiprocessors ? aloneAcross : undefined
  }
  return { ladder, space, alone, build: (point) => buildAcross(program, part, column, outer, { ...older, ...point }) }
}

/** What points measured before threads shared columns do not say. */
const older = { rows: 1 }

function buildAcross(
  program: Program,
  part: Nest,
  column: Loop,
  outer: Loop,
  p: ReductionPoint,
): { kernels: readonly Scheduled[]; program: Program } {
  if (p.blocks <= 1)
    return {
      kernels: [columnReduction(program, splitOuter(program, part, outer, p), column, p, program.name, false)],
      program,
    }
  const two = splitReduction(program, splitOuter(program, part, outer, p))
  const first = columnReduction(two.program, two.partial, column, p, `${program.name}_partial`, true)
  // Few threads add few rows: what counts is how many loads wait together.
  const rest: ReductionPoint =
    p.rows > 1
      ? { blocks: 1, vector: 1, threads: 32, rows: 8, unroll: Math.max(1, Math.min(16, p.blocks / 8)) }
      : { blocks: 1, vector: 1, threads: 64, rows: 1, unroll: Math.min(16, p.blocks) }
  const last = columnReduction(
    two.program,
    splitOuter(two.program, two.final, two.final.reduction!.loops[0]!, rest),
    column,
    rest,
    `${program.name}_final`,
    false,
  )
  return { program: two.program, kernels: [first, last] }
}

export function splitOuter(program: Program, part: Nest, outer: Loop, p: ReductionPoint): Nest {
  const levels = splitLevels(nestProgram(program, part), outer.name, 'step', [
    { name: 'uu', extent: p.unroll },
    { name: 'block_r', extent: p.blocks },
    { name: 'thread_r', extent: p.rows },
  ])
  const { loops, guard, value } = innermostNest(levels.program, part)
  const byName = new Map(loops.map((l) => [l.name, l]))
  const rest = loops.filter((l) => !['block_r', 'thread_r', 'step', 'uu'].includes(l.name)).map((l) => l.name)
  return {
    ...part,
    reduction: {
      ...part.reduction!,
      loops: ['block_r', 'thread_r', 'step', 'uu', ...rest].flatMap((n) => byName.get(n) ?? []),
      guard,
      value,
    },
  }
}

export function columnReduction(
  program: Program,
  part: Nest,
  column: Loop,
  p: ReductionPoint,
  name: string,
  split0: boolean,
): Scheduled {
  const levels = splitLevels(nestProgram(program, part), column.name, 'block_c', [
    { name: 'thread_c', extent: p.threads },
    { name: 'vc', extent: p.vector },
  ])
  const others = part.parallel.filter((l) => l.name !== column.name).map((l) => l.name)
  const tile = levels.names,
    rows = p.rows
  const partial = split0 ? `, ${p.blocks} blocks along a column make partial results` : ''
  let s = {
    program: levels.program,
    steps: [
      `${p.threads * rows} threads per block, ${counted(p.vector, 'column')} each${partial}`,
      ...(p.unroll > 1 ? [`${p.unroll} rows in flight per thread`] : []),
    ] as readonly string[],
  }
  s = step(s, null, (q) => reorder(q, { order: [...others, 'block_c', ...tile] }))
  s = step(s, null, (q) => registerTile(q, { tile }))
  s = step(s, null, (q) =>
    innerThreads(q, ['thread_r', 'step', 'uu', ...part.reduction!.loops.map((l) => l.name)], tile),
  )
  if (rows > 1)
    s = step(s, `a tree over ${rows} threads combines what they have of a column`, (q) =>
      treeReduce(q, { loop: 'thread_r', stride: p.threads }),
    )
  s = step(s, null, (q) => wholeSteps(q, p.vector > 1 && isAskedTogether(program, part, column) ? ['vc'] : []))
  s = step(s, null, (q) =>
    pad(q, {
      into: part.reduction!.into.name,
      reduction: ['step', 'uu', 'thread_r', 'block_r', 'step_rest', 'uu_rest'],
    }),
  )
  if (p.vector > 1) s = step(s, null, (q) => liftGuard(q, { loop: 'vc' }))
  const axes: readonly (readonly [string, Binding])[] = others.map((n, i) => [n, block(i === 0 ? 'y' : 'z')] as const)
  s = step(s, null, (q) =>
    bindAll(q, [['block_c', block('x')], ...axes, ['thread_c', threads(1)], ['vc', vector], ['uu', unroll]]),
  )
  return { program: s.program, name, steps: s.steps }
}

/**
 * Whether lanes are asked for together: data say which rows count, or a vector of columns may be there in part although
 * rows begin on vectors.
 */
function isAskedTogether(program: Program, part: Nest, column: Loop): boolean {
  if (part.reduction?.guard && readsArray(part.reduction.guard)) return true
  const even = rowSizes(arraysOf(part, program).filter((a) => a.role !== 'temp'))
  return sizesIn(column.upper).some((name) => !Object.hasOwn(even, name))
}

/** Thread loops outside of the reduction loops, so that each thread runs its whole reduction in one go. */
function innerThreads(program: Program, reductionLoops: readonly string[], tile: readonly string[]): Program {
  const present = [...new Set(reductionLoops)]
  const first = tile[0]
  if (first !== 'thread_c') return program
  const nestLoops = chainWith(program, present)
  return nestLoops.length === 0 ? program : reorder(program, { order: ['thread_c', ...nestLoops] })
}

/** Names of the reduction loops that form a chain directly around the thread loop. */
function chainWith(program: Program, names: readonly string[]): readonly string[] {
  let found: readonly string[] = []
  const walk = (body: Program['body']): void =>
    body.forEach((s) => {
      if (s.kind === 'if') walk(s.then)
      if (s.kind !== 'loop') return
      const chain = perfectNest(s).loops.map((l) => l.name)
      const at = chain.indexOf('thread_c')
      if (at > 0 && names.includes(chain[0]!) && found.length === 0) found = chain.slice(0, at)
      else walk(s.body)
    })
  walk(program.body)
  return found
}
