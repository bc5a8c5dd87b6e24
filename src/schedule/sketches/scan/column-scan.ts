// Columns: a scan or linear recurrence whose iterations step over rows of memory, with a parallel loop along them. Each
// column has a thread that walks down it, neighbours beside each other; where columns are few, several threads share
// one: each finds the total of its run of rows first, then goes on from the totals before it. Memory is read twice and
// written once then.
import {
  add,
  affineOf,
  ceilDiv,
  choose,
  coefficient,
  div,
  int,
  loop,
  loopVar,
  lt,
  mul,
  op,
  read,
  store,
  sub,
  when,
  type ArrayDecl,
  type Binding,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Recurrence,
  type Scan,
  constantExtent,
  freshName,
  rewriteExpr,
  substitute,
  substituteStmt,
} from '../../../ir/index.ts'
import { isNearest, planned, readIndices, sectorElements } from '../../../analysis/index.ts'
import {
  block,
  threads as threadsAt,
  unroll as unrolled,
  type Made,
  type Rung,
  type Scheduled,
  type Sketch,
} from '../sketch.ts'
import { fewPoints } from '../thread-per-point.ts'
import { where } from '../tile-walk.ts'
import { carriedByRecurrence, carriedByScan, isResumed, type Carried } from './column-walk.ts'
import { blockPerRow } from './recurrence-scan.ts'

/** Parameters of scans down columns. */
export type ColumnScanPoint = {
  /** Runs of rows that share a column. */
  readonly runs?: number
  /** Columns of a block. */
  readonly threads: number
  /** Rows in flight per thread. */
  readonly unroll?: number
  /** Runs of a block; absent: one. */
  readonly beside?: number
}

type Shape = Required<ColumnScanPoint>

/** Steps up to which a thread walks alone. */
const fewSteps = 64

/**
 * The sketch of a scan down the columns of what lies along its last parallel loop; `undefined` for others and for those
 * of few constant steps. `plain`: what one thread per column does, where the source has the loops in this order.
 */
export function columnScan(
  program: Program,
  form: Scan,
  plain: Sketch | undefined,
): Sketch<ColumnScanPoint> | undefined {
  const along = form.parallel.at(-1),
    carried = carriedByScan(form)
  if (!along || !isColumn([...form.stores.map((s) => s.store.index), ...readIndices([form.value])], along, form.loop))
    return undefined
  return {
    name: 'columns',
    ladder,
    space,
    vectorSizes: {},
    likely: (_, multiprocessors) => likely(program, form, multiprocessors),
    build: (p) =>
      (p.runs ?? 1) === 1 && (p.unroll ?? 1) === 1 && plain
        ? plain.build({ threads: p.threads, keep: 0 })
        : build(program, carried, { ...base, ...p }),
  }
}

/** The same of a linear recurrence, down what lies along any of its parallel loops. */
export function columnRecurrence(program: Program, form: Recurrence): Sketch<ColumnScanPoint> | undefined {
  const indices = [...form.stores.map((s) => s.store.index), ...readIndices(form.map)],
    along = form.parallel.findLast((l) => isColumn(indices, l, form.loop))
  if (!along) return undefined
  const parallel = [...form.parallel.filter((l) => l !== along), along],
    around = parallel.at(-2),
    isJoined = around !== undefined && indices.some((index) => liesSideBySide(index, form.loop, around, along)),
    carried = carriedByRecurrence({ ...form, parallel }, isJoined ? 2 : 1)
  // a sector would hold more columns than lie side by side, in each of the rows that the loop around has
  if (around && !isJoined && (constantExtent(along) ?? Infinity) < sectorElements) return undefined
  return {
    name: 'columns',
    ladder,
    space: [...runCounts, ...moreRuns].flatMap((runs) => widths.flatMap((threads) => shapesOf(runs, threads))),
    vectorSizes: {},
    likely: (_, multiprocessors) => {
      const runs = runsOf(program, carried, multiprocessors, [...runCounts, ...moreRuns]),
        width = count(program, columnsOf(carried).fused)
      return shapesOf(runs, widths.find((t) => t >= width) ?? base.threads)
    },
    build: (p) => build(program, carried, { ...base, ...p }),
  }
}

/** Whether `along`, which is short, and `around` go through neighbouring elements as one loop would. */
function liesSideBySide(index: readonly Expr[], over: Loop, around: Loop, along: Loop): boolean {
  const short = constantExtent(along) ?? Infinity,
    steps = (e: Expr | undefined, l: Loop): number => {
      const form = e && affineOf(e)
      return form ? coefficient(form, l.name) : 0
    }
  const last = index.at(-1),
    isFlat = steps(last, around) === short,
    isNext = steps(index.at(-2), around) === 1 && steps(last, over) === 0
  return short < fewPoints && steps(last, along) === 1 && (isFlat || isNext)
}

const isColumn = (indices: readonly (readonly Expr[])[], along: Loop, over: Loop): boolean =>
  isNearest(indices, along) && !isNearest(indices, over) && (constantExtent(over) ?? Infinity) > fewSteps

const base = { runs: 1, threads: 64, unroll: 1, beside: 1 }
const ladder: readonly Rung<ColumnScanPoint>[] = [
  { step: 'naive: one thread per column', point: { runs: 1, threads: 64, unroll: 1 } },
  { step: 'several rows in flight', point: { runs: 1, threads: 64, unroll: 8 } },
  {
    step: 'several threads share a column: totals of their runs first, then each goes on from those before it',
    point: { runs: 32, threads: 64, unroll: 8 },
  },
]
const runCounts: readonly number[] = [1, 4, 8, 16, 32, 64, 128, 512],
  moreRuns: readonly number[] = [1024, 2048, 4096],
  /** Columns of a block of a recurrence. */
  widths: readonly number[] = [4, 8, 16, 32, 64, 128]
const space = runCounts.flatMap((runs) =>
  [32, 64, 128].flatMap((threads) => [4, 8].map((unroll) => ({ runs, threads, unroll }))),
)

/** Threads of a block of a recurrence, if it has several runs. */
const blockThreads = 128
const shapesOf = (runs: number, threads: number): readonly Shape[] =>
  [8, 4].map((unroll) => ({ runs, threads, unroll, beside: Math.max(1, Math.min(runs, blockThreads / threads)) }))

/** Threads of a multiprocessor that keep its memory busy. */
const busy = 512

const count = (program: Program, loops: readonly Loop[]): number =>
  loops.reduce((n, l) => n * planned(program, l.lower, l.upper, 1), 1)

/** As many runs as fill the device, no longer than is worth it. */
function likely(program: Program, form: Scan, multiprocessors: number): readonly ColumnScanPoint[] {
  const runs = runsOf(program, form, multiprocessors, runCounts)
  return space.filter((p) => p.runs === runs)
}

function runsOf(
  program: Program,
  form: Pick<Carried, 'parallel' | 'loop'>,
  multiprocessors: number,
  counts: readonly number[],
): number {
  const wanted = (busy * multiprocessors) / Math.max(1, count(program, form.parallel)),
    most = count(program, [form.loop]) / 16
  const runs = counts.filter((r) => r === 1 || r <= most)
  return runs.find((r) => r >= wanted) ?? runs[runs.length - 1]! // 1 is one
}

/** Columns as threads number them: of the last loop, or of it and the one around it. */
interface Columns {
  readonly outer: readonly Loop[]
  readonly fused: readonly Loop[]
  readonly extent: Expr
  /** The variables of `fused` at column `at`. */
  readonly at: (at: Expr) => ReadonlyMap<string, Expr>
}

function columnsOf({ parallel, side }: Carried): Columns {
  const along = parallel.at(-1)!, // the sketch asks
    short = constantExtent(along) ?? Infinity,
    around = side > 1 ? parallel.at(-2) : undefined
  return around
    ? {
        outer: parallel.slice(0, -2),
        fused: [around, along],
        extent: op('mul', [around.upper, int(short)]),
        at: (at) =>
          new Map([
            [around.name, div(at, short)],
            [along.name, op('rem', [at, int(short)])],
          ]),
      }
    : { outer: parallel.slice(0, -1), fused: [along], extent: along.upper, at: (at) => new Map([[along.name, at]]) }
}

function build(program: Program, form: Carried, s: Shape): Made {
  const runs = s.runs > 1 ? ` and ${s.runs} runs of its rows` : ''
  const beside = s.beside > 1 ? ` and ${s.beside} runs` : '',
    head = `one thread per column${runs}, ${s.threads} columns${beside} per block`
  const words = s.unroll > 1 ? [`${s.unroll} rows in flight per thread`] : []
  if (s.runs === 1)
    return {
      program,
      kernels: [kernel(program, form, s, scanning(form, s, undefined), program.name, [head, ...words])],
    }
  const temporary = (name: string, ...shape: readonly number[]): ArrayDecl => ({
    name: freshName(program, name),
    type: form.type,
    shape: [...shape.map(int), ...form.parallel.map((l) => l.upper)],
    role: 'temp',
    space: 'global',
  })
  const between: Between = {
    totals: form.none.map((_, n) => temporary(n === 0 ? 'totals' : `totals${n}`, s.runs)),
    starts:
      form.startsOf && (s.runs >= manyRuns || isResumed(form))
        ? form.states.map((_, n) => temporary(`starts${n}`, s.runs))
        : [],
  }
  const shared: Program = { ...program, arrays: [...program.arrays, ...between.totals, ...between.starts] }
  return {
    program: shared,
    kernels: [
      kernel(shared, form, s, totalling(form, s, between), `${program.name}_totals`, [
        `${head}, each finds the total of its run`,
        ...words,
      ]),
      ...startsKernel(shared, form, s, between),
      kernel(shared, form, s, scanning(form, s, between), `${program.name}_scan`, [
        `${head}, each starts ${between.starts.length > 0 ? 'where' : 'from the totals of'} the runs before its own` +
          (between.starts.length > 0 ? ' lead' : ''),
        ...words,
      ]),
    ],
  }
}

/** What kernels leave for the next: totals of runs, and what states are where each starts, if a kernel finds that. */
interface Between {
  readonly totals: readonly ArrayDecl[]
  readonly starts: readonly ArrayDecl[]
}

/**
 * Runs from which on a kernel of its own finds where they start (fewer, where results replace what columns start with),
 * and most threads that share a column there.
 */
const manyRuns = 32,
  mostThreads = 256

/** The recurrence over the runs of a column, whose maps are their totals: a scan of scans (Blelloch 1990). */
function startsKernel(program: Program, form: Carried, s: Shape, { totals, starts }: Between): readonly Scheduled[] {
  if (!form.startsOf || starts.length === 0) return []
  const over = loop('run', int(s.runs), []),
    at = [loopVar('run'), ...placeOf(form)]
  const next = form.startsOf(
    over,
    (n) => read(totals[n]!, at),
    starts.map((a, n) => store(a, at, read(form.states[n]!, []))), // as many
  )
  return [blockPerRow(program, next, Math.min(s.runs, mostThreads), `${program.name}_starts`)]
}

/** `body` for every run of every column. */
function kernel(
  program: Program,
  form: Carried,
  s: Shape,
  body: readonly LoopStmt[],
  name: string,
  steps: readonly string[],
): Scheduled {
  const { outer, extent, at: variables } = columnsOf(form)
  const at = add(mul(loopVar('block_p'), int(s.threads)), loopVar('thread_p')),
    point = variables(at)
  const inner = loop(
    'thread_p',
    int(s.threads),
    [
      when(
        lt(at, extent),
        body.map((x) => substituteStmt(x, point)),
      ),
    ],
    { bind: threadsAt(1) },
  )
  const beside = s.beside > 1 ? loop('thread_r', int(s.beside), [inner], { bind: threadsAt(s.threads) }) : inner
  const column = loop('block_p', ceilDiv(extent, s.threads), [beside], { bind: block('x') })
  const axes: readonly Binding[] = [block('y'), block('z')]
  const runs: readonly LoopStmt[] =
    s.runs > 1 ? [loop('run', int(s.runs / s.beside), [column], { bind: axes[0]! })] : [column]
  const rest = outer.reduceRight<readonly LoopStmt[]>(
    (b, l, i) => [{ ...l, bind: axes[outer.length - 1 - i + (s.runs > 1 ? 1 : 0)]!, body: b }],
    runs,
  )
  return { program: { ...program, body: rest }, name, steps }
}

const own = (name: string, form: Carried, ...shape: readonly number[]): ArrayDecl => ({
  name,
  type: form.type,
  shape: shape.map(int),
  role: 'temp',
  space: 'private',
})
const length = (form: Carried): Expr => sub(form.loop.upper, form.loop.lower)
const run = (s: Shape): Expr =>
  s.runs === 1 ? int(0) : s.beside > 1 ? add(mul(loopVar('run'), int(s.beside)), loopVar('thread_r')) : loopVar('run')

const loadedInto = (form: Carried, s: Shape): readonly ArrayDecl[] =>
  form.loads.map((_, n) => own(n === 0 ? 'x_own' : `x${n}_own`, form, s.unroll))

/** The rows of a run, `unroll` at a time, counted from the first of the loop: loads, then `next` of each. */
function overRows(
  form: Carried,
  s: Shape,
  next: (row: Expr, loaded: (n: number) => Expr) => readonly LoopStmt[],
): readonly LoopStmt[] {
  const steps = ceilDiv(length(form), s.runs * s.unroll),
    x = loadedInto(form, s)
  const u = loopVar('uu'),
    row = add(mul(add(mul(run(s), steps), loopVar('step')), int(s.unroll)), u)
  const each = (b: readonly LoopStmt[]): LoopStmt =>
    loop('uu', int(s.unroll), where(lt(row, length(form)), b), { bind: unrolled })
  return [
    loop('step', steps, [
      ...x.map((array): LoopStmt => ({ kind: 'declare', array })),
      ...(x.length > 0 ? [each(x.map((a, n) => store(a, [u], atRow(form, form.loads[n]!, row))))] : []), // as many
      each(next(row, (n) => read(x[n]!, [u]))),
    ]),
  ]
}

const atRow = (form: Carried, e: Expr, row: Expr): Expr =>
  substitute(e, new Map([[form.loop.name, add(form.loop.lower, row)]]))

const placeOf = (form: Carried): readonly Expr[] => form.parallel.map((l) => loopVar(l.name))

function totalling(form: Carried, s: Shape, { totals }: Between): readonly LoopStmt[] {
  const acc = own('acc', form, totals.length)
  return [
    { kind: 'declare', array: acc },
    ...form.none.map((e, n) => store(acc, [int(n)], e)),
    ...overRows(form, s, (_, loaded) => form.joinRow(acc, loaded)),
    ...totals.map((a, n) => store(a, [run(s), ...placeOf(form)], read(acc, [int(n)]))),
  ]
}

/** Totals that a thread asks for at once. */
const totalsAhead = 8

/** `acc` moved on by the totals of the runs before, several loaded at a time. */
function before(form: Carried, s: Shape, acc: ArrayDecl, totals: readonly ArrayDecl[]): LoopStmt {
  const x = totals.map((_, n) => own(`total${n}_own`, form, totalsAhead)),
    u = loopVar('uu'),
    from = add(mul(loopVar('earlier'), int(totalsAhead)), u)
  const each = (b: readonly LoopStmt[]): LoopStmt => loop('uu', int(totalsAhead), b, { bind: unrolled })
  return loop('earlier', ceilDiv(run(s), totalsAhead), [
    ...x.map((array): LoopStmt => ({ kind: 'declare', array })),
    each(
      x.map((a, n) =>
        store(a, [u], choose(lt(from, run(s)), read(totals[n]!, [from, ...placeOf(form)]), form.none[n]!)),
      ),
    ),
    each([
      when(
        lt(from, run(s)),
        form.moveTotal(acc, (n) => read(x[n]!, [u])),
      ),
    ]),
  ])
}

function scanning(form: Carried, s: Shape, between: Between | undefined): readonly LoopStmt[] {
  const acc = own('acc', form, form.states.length)
  const held = (e: Expr): Expr =>
    rewriteExpr(e, (r) => {
      const n = r.kind === 'read' ? form.states.findIndex((a) => a.name === r.array) : -1
      return n < 0 ? undefined : read(acc, [int(n)])
    })
  const stored = (earlier: boolean, row: Expr): readonly LoopStmt[] =>
    form.stores
      .filter((t) => t.earlier === earlier)
      .flatMap((t) =>
        where(t.guard && held(atRow(form, t.guard, row)), [
          {
            ...t.store,
            index: t.store.index.map((e) => held(atRow(form, e, row))),
            value: held(atRow(form, t.store.value, row)),
          },
        ]),
      )
  const results = form.results.map((r) => ({ ...r, value: held(r.value) }))
  const { totals, starts } = between ?? { totals: [], starts: [] },
    start = starts.length > 0 ? starts.map((a) => read(a, [run(s), ...placeOf(form)])) : form.init
  return [
    { kind: 'declare', array: acc },
    ...start.map((e, n) => store(acc, [int(n)], e)),
    ...(between && starts.length === 0 ? [before(form, s, acc, totals)] : []),
    ...overRows(form, s, (row, loaded) => [...stored(true, row), ...form.moveRow(acc, loaded), ...stored(false, row)]),
    ...(results.length === 0 ? [] : between ? [when(op('eq', [run(s), int(s.runs - 1)]), results)] : results),
  ]
}
