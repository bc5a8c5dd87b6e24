// Columns: a scan whose iterations step over rows of memory, with a parallel loop along them. Each column has a thread
// that walks down it, neighbours beside each other; where columns are few, several threads share one: each finds the
// total of its run of rows first, then goes on from the totals before it. Memory is read twice and written once then.
import {
  add,
  ceilDiv,
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
  identityOf,
  type Scan,
  constantExtent,
  freshName,
  rewriteExpr,
  substitute,
  substituteStmt,
} from '../../../ir/index.ts'
import { isNearest, planned, readIndices } from '../../../analysis/index.ts'
import {
  block,
  threads as threadsAt,
  unroll as unrolled,
  type Made,
  type Rung,
  type Scheduled,
  type Sketch,
} from '../sketch.ts'
import { where } from '../tile-walk.ts'

/** Parameters of scans down columns. */
export type ColumnScanPoint = {
  /** Runs of rows that share a column. */
  readonly runs?: number
  /** Columns of a block. */
  readonly threads: number
  /** Rows in flight per thread. */
  readonly unroll?: number
}

type Shape = Required<ColumnScanPoint>

/**
 * The sketch of a scan down the columns of what lies along its last parallel loop; `undefined` for others and for those
 * of few constant steps. `plain`: what one thread per column does, where the source has the loops in this order.
 */
export function columnScan(
  program: Program,
  form: Scan,
  plain: Sketch | undefined,
): Sketch<ColumnScanPoint> | undefined {
  const along = form.parallel[form.parallel.length - 1]
  const indices = [...form.stores.map((s) => s.store.index), ...readIndices([form.value])]
  if (
    !along ||
    !isNearest(indices, along) ||
    isNearest(indices, form.loop) ||
    (constantExtent(form.loop) ?? Infinity) <= 64
  )
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
        : build(program, form, { ...base, ...p }),
  }
}

const base = { runs: 1, threads: 64, unroll: 1 }
const ladder: readonly Rung<ColumnScanPoint>[] = [
  { step: 'naive: one thread per column', point: base },
  { step: 'several rows in flight', point: { ...base, unroll: 8 } },
  {
    step: 'several threads share a column: totals of their runs first, then each goes on from those before it',
    point: { runs: 32, threads: 64, unroll: 8 },
  },
]
const space: readonly Shape[] = [1, 4, 8, 16, 32, 64, 128, 512].flatMap((runs) =>
  [32, 64, 128].flatMap((threads) => [4, 8].map((unroll) => ({ runs, threads, unroll }))),
)

/** Threads of a multiprocessor that keep its memory busy. */
const busy = 512

/** As many runs as fill the device, no longer than is worth it. */
function likely(program: Program, form: Scan, multiprocessors: number): readonly ColumnScanPoint[] {
  const count = (loops: readonly Loop[]): number => loops.reduce((n, l) => n * planned(program, l.lower, l.upper, 1), 1)
  const wanted = (busy * multiprocessors) / Math.max(1, count(form.parallel)),
    most = count([form.loop]) / 16
  const runs = [...new Set(space.map((p) => p.runs))].filter((r) => r === 1 || r <= most)
  const best = runs.find((r) => r >= wanted) ?? runs[runs.length - 1]!
  return space.filter((p) => p.runs === best)
}

function build(program: Program, form: Scan, s: Shape): Made {
  const runs = s.runs > 1 ? ` and ${s.runs} runs of its rows` : ''
  const head = `one thread per column${runs}, ${s.threads} columns per block`
  const words = s.unroll > 1 ? [`${s.unroll} rows in flight per thread`] : []
  const totals: ArrayDecl = {
    name: freshName(program, 'totals'),
    type: form.into.type,
    shape: [int(s.runs), ...form.parallel.map((l) => l.upper)],
    role: 'temp',
    space: 'global',
  }
  if (s.runs === 1)
    return {
      program,
      kernels: [kernel(program, form, s, scanning(form, s, undefined), program.name, [head, ...words])],
    }
  const shared: Program = { ...program, arrays: [...program.arrays, totals] }
  return {
    program: shared,
    kernels: [
      kernel(shared, form, s, totalling(form, s, totals), `${program.name}_totals`, [
        `${head}, each finds the total of its run`,
        ...words,
      ]),
      kernel(shared, form, s, scanning(form, s, totals), `${program.name}_scan`, [
        `${head}, each starts from the totals of the runs before its own`,
        ...words,
      ]),
    ],
  }
}

/** `body` for every run of every column. */
function kernel(
  program: Program,
  form: Scan,
  s: Shape,
  body: readonly LoopStmt[],
  name: string,
  steps: readonly string[],
): Scheduled {
  const along = form.parallel[form.parallel.length - 1]! // the sketch asks
  const at = add(mul(loopVar('block_p'), int(s.threads)), loopVar('thread_p'))
  const inner = loop(
    'thread_p',
    int(s.threads),
    [
      when(
        lt(at, along.upper),
        body.map((x) => substituteStmt(x, new Map([[along.name, at]]))),
      ),
    ],
    { bind: threadsAt(1) },
  )
  const column = loop('block_p', ceilDiv(along.upper, s.threads), [inner], { bind: block('x') })
  const axes: readonly Binding[] = [block('y'), block('z')]
  const runs: readonly LoopStmt[] = s.runs > 1 ? [loop('run', int(s.runs), [column], { bind: axes[0]! })] : [column]
  const rest = form.parallel
    .slice(0, -1)
    .reduceRight<readonly LoopStmt[]>(
      (b, l, i) => [{ ...l, bind: axes[form.parallel.length - 2 - i + (s.runs > 1 ? 1 : 0)]!, body: b }],
      runs,
    )
  return { program: { ...program, body: rest }, name, steps }
}

const own = (name: string, form: Scan, ...shape: readonly number[]): ArrayDecl => ({
  name,
  type: form.into.type,
  shape: shape.map(int),
  role: 'temp',
  space: 'private',
})
const identity = (form: Scan): Expr => identityOf(form.op, form.value.type)
const length = (form: Scan): Expr => sub(form.loop.upper, form.loop.lower)
const run = (s: Shape): Expr => (s.runs > 1 ? loopVar('run') : int(0))

/**
 * The rows of a run, `unroll` at a time, counted from the first of the loop; `body` is given the row and its place
 * among these.
 */
function overRows(
  form: Scan,
  s: Shape,
  body: (row: Expr, u: Expr) => readonly LoopStmt[],
  next: (row: Expr, u: Expr) => readonly LoopStmt[],
): readonly LoopStmt[] {
  const steps = ceilDiv(length(form), s.runs * s.unroll)
  const u = loopVar('uu'),
    row = add(mul(add(mul(run(s), steps), loopVar('step')), int(s.unroll)), u)
  const each = (b: readonly LoopStmt[]): LoopStmt =>
    loop('uu', int(s.unroll), where(lt(row, length(form)), b), { bind: unrolled })
  return [
    loop('step', steps, [
      { kind: 'declare', array: own('x_own', form, s.unroll) },
      each(body(row, u)),
      each(next(row, u)),
    ]),
  ]
}

const atRow = (form: Scan, e: Expr, row: Expr): Expr =>
  substitute(e, new Map([[form.loop.name, add(form.loop.lower, row)]]))

const loading =
  (form: Scan, s: Shape) =>
  (row: Expr, u: Expr): readonly LoopStmt[] => [store(own('x_own', form, s.unroll), [u], atRow(form, form.value, row))]

const totalAt = (form: Scan, at: Expr): readonly Expr[] => [at, ...form.parallel.map((l) => loopVar(l.name))]

function totalling(form: Scan, s: Shape, totals: ArrayDecl): readonly LoopStmt[] {
  const acc = own('acc', form),
    x = own('x_own', form, s.unroll)
  return [
    { kind: 'declare', array: acc },
    store(acc, [], identity(form)),
    ...overRows(form, s, loading(form, s), (_, u) => [store(acc, [], read(x, [u]), form.op)]),
    store(totals, totalAt(form, run(s)), read(acc, [])),
  ]
}

function scanning(form: Scan, s: Shape, totals: ArrayDecl | undefined): readonly LoopStmt[] {
  const acc = own('acc', form),
    x = own('x_own', form, s.unroll)
  const held = (e: Expr): Expr =>
    rewriteExpr(e, (r) => (r.kind === 'read' && r.array === form.into.name ? read(acc, []) : undefined))
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
  return [
    { kind: 'declare', array: acc },
    store(acc, [], form.init),
    ...(totals
      ? [loop('earlier', run(s), [store(acc, [], read(totals, totalAt(form, loopVar('earlier'))), form.op)])]
      : []),
    ...overRows(form, s, loading(form, s), (row, u) => [
      ...stored(true, row),
      store(acc, [], read(x, [u]), form.op),
      ...stored(false, row),
    ]),
    ...(results.length === 0 ? [] : totals ? [when(op('eq', [run(s), int(s.runs - 1)]), results)] : results),
  ]
}
