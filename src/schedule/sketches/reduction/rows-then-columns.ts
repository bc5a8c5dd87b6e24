// Sums of columns that use sums of rows. The one idea: a block adds up a few whole rows, then what these rows give to
// every column, reading them again out of the cache; a second launch adds up the blocks' shares of each column. That
// gains in CUDA; on WebGPU each sum has launches of its own. In: the form. Out: its sketch.
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
  registerType,
  store,
  sub,
  when,
  identityOf,
  reduced,
  freshName,
  mapBody,
  substitute,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type PlanValues,
  type Program,
  type ReduceOp,
  type Crossed,
  type Nest,
  type Chip,
} from '../../../ir/index.ts'
import { planned } from '../../../analysis/index.ts'
import { splitReduction } from '../../primitives/split-reduction.ts'
import { concatenated } from '../kernel-concatenation.ts'
import { beyondHeld, heldPoints, heldRows } from './register-rows.ts'
import { aloneAcross, columnReduction, reduction, rowKernel, splitOuter, type ReductionPoint } from './reduction.ts'
import { block, threads, unroll, vector, type Made, type Rung, type Sketch } from '../sketch.ts'

/** Parameters of sums of rows, then of columns. */
export type CrossedPoint = {
  /** Threads that share a row. */
  readonly lanes: number
  /** Rows of a block. */
  readonly rows: number
  /** Neighbours that a thread loads at once. */
  readonly vector: number
  /** Loads in flight per thread. */
  readonly unroll: number
  /** 1: one launch of few large blocks adds up the columns. */
  readonly alone: number
  /** Vectors of each row that a thread keeps in registers; 0: rows are read twice. */
  readonly held: number
  /** 1: one launch for both sums. */
  readonly together?: number
}

export function crossed(program: Program, form: Crossed, chip: Chip): Sketch<CrossedPoint> | undefined {
  const [rows, sums] = [form.rows, form.columns].map((n) => reduction(program, n, chip))
  if (!rows || !sums) return undefined
  const base = { lanes: 32, rows: 8, vector: 1, unroll: 1, alone: 0, held: 0 },
    inRegisters = heldPoints(program, form).map(({ held, ...p }): CrossedPoint => ({ ...p, unroll: 1, alone: 0, held }))
  const ladder: readonly Rung<CrossedPoint>[] = [
    { step: 'naive: one thread per row, then one per column', point: { ...base, lanes: 1, rows: 256 } },
    { step: 'threads share rows, blocks share columns', point: base },
    { step: 'vector loads', point: { ...base, vector: 4 } },
    { step: 'several loads in flight', point: { ...base, vector: 4, unroll: 2 } },
    ...inRegisters.slice(0, 1).map((point) => ({ step: 'rows stay in registers: an element is loaded once', point })),
  ]
  const space = [
    ...inRegisters,
    ...[0, 1].flatMap((alone) =>
      [32, 64].flatMap((lanes) =>
        [4, 7, 8, 14, 15, 16].flatMap((r) =>
          [2, 4, 8].map((u): CrossedPoint => ({ ...base, lanes, rows: r, vector: 4, unroll: u, alone })),
        ),
      ),
    ),
  ]
  const likely = (values: PlanValues, multiprocessors: number): readonly CrossedPoint[] => {
    const row = form.rows.parallel[0]!,
      all = planned(program, row.lower, row.upper, 1) // it has one
    return [
      ...inRegisters,
      {
        ...base,
        rows: Math.max(2, Math.min(16, Math.ceil(all / (2 * multiprocessors)))),
        vector: 4,
        unroll: 2,
        alone: sums.alone?.(values, multiprocessors) ? 1 : 0,
      },
    ]
  }
  return {
    name: 'crossed',
    ladder,
    space,
    likely,
    vectorSizes: { ...rows.vectorSizes, ...sums.vectorSizes },
    rounds: (p) => beyondHeld(form, p),
    build: (p) =>
      p.held ? heldRows(program, form, p) : p.together ? built(program, form, p) : apart(program, form, sums, p),
    // 1800 × 2200 on an H200: 7.6 µs in CUDA (7.5 to 8.5 with other shares), 9.3 in two readings; on WebGPU 11.0 (to
    // 12.4), and 10.9.
    forCuda: (p) => (p.lanes === 1 || p.held ? p : { ...p, together: 1 }),
  }
}

/** The name of the loop over blocks of rows, as `rowKernel` splits it. */
const blocks = 'block_row'

const rowPoint = (p: CrossedPoint): ReductionPoint => ({
  threads: p.lanes,
  rows: p.rows,
  vector: p.vector,
  unroll: p.unroll,
  blocks: 1,
  warp: 0,
})

/** Launches for the rows, and for the columns. */
function apart(program: Program, form: Crossed, sums: Sketch<ReductionPoint>, p: CrossedPoint): Made {
  const naive = p.lanes === 1,
    // as sums of rows alone
    along: ReductionPoint = naive ? rowPoint(p) : { ...rowPoint(p), threads: 64, rows: 4, unroll: 2 * p.unroll }
  const down: ReductionPoint = naive
    ? sums.ladder[0]!.point
    : p.alone
      ? aloneAcross
      : { ...sums.ladder[sums.ladder.length - 1]!.point, vector: p.vector } // ladders have rungs
  const made = sums.build(down),
    renamed = made.kernels.map((k) => (k.name === program.name ? { ...k, name: `${k.name}_columns` } : k))
  return {
    program: made.program,
    kernels: [{ ...rowKernel(made.program, form.rows, along), name: `${program.name}_rows` }, ...renamed],
  }
}

function built(program: Program, form: Crossed, p: CrossedPoint): Made {
  const each = p.rows,
    two = splitReduction(program, inShares(form, each))
  const rows = rowKernel(two.program, form.rows, rowPoint(p)),
    share = new Share(two.program, form, two.partial.out.array, p)
  const both = concatenated([
    { ...rows, program: { ...rows.program, body: share.keeping(rows.program.body) } },
    { ...rows, program: { ...two.program, body: share.body() } },
  ])
  // Few threads add few rows: what counts is how many loads wait together.
  const rest: ReductionPoint = { threads: 16, rows: 32, vector: p.vector, unroll: 4, blocks: 1 },
    over = two.final.reduction!.loops[0]! // the shares
  const last = columnReduction(
    two.program,
    splitOuter(two.program, two.final, over, rest),
    form.columns.parallel[0]!,
    rest,
    `${program.name}_final`,
    false,
  ) // it has one
  const words = [
    ...rows.steps,
    `the same ${p.lanes * each} threads add up what the ${each} rows, now in the cache, give to every column`,
  ]
  return { program: two.program, kernels: [{ ...both, name: `${program.name}_partial`, steps: words }, last] }
}

/** The sums of columns with their rows dealt out to blocks, so many each. */
function inShares({ rows, columns: sums }: Crossed, each: number): Nest {
  const row = rows.parallel[0]!,
    r = sums.reduction!,
    at = add(mul(loopVar(blocks), int(each)), loopVar('row_in')) // a row's loop counts from 0: see `rectangular`
  const loops = [loop(blocks, ceilDiv(row.upper, each), []), loop('row_in', int(each), [])]
  return {
    ...sums,
    reduction: { ...r, loops, guard: lt(at, row.upper), value: substitute(r.value, new Map([[row.name, at]])) },
  }
}

/** What a block's rows give to the columns: all its threads along them, as often as it takes. */
class Share {
  private readonly kept: ArrayDecl
  private readonly sum: ArrayDecl
  /** Rows of all blocks; rows and neighbouring columns of one, and the first of each. */
  private readonly all: Expr
  private readonly each: number
  private readonly width: number
  private readonly row: Expr
  private readonly column: Expr

  constructor(
    program: Program,
    private readonly form: Crossed,
    private readonly into: ArrayDecl,
    private readonly p: CrossedPoint,
  ) {
    const { rows, columns: sums } = form,
      { array } = rows.out
    this.all = rows.parallel[0]!.upper // it has one loop, which counts from 0
    this.each = p.rows
    this.width = p.vector
    this.row = mul(loopVar(blocks), int(this.each))
    this.column = mul(add(mul(loopVar('chunk'), int(this.threads)), loopVar('thread_c')), int(this.width))
    this.kept = {
      name: freshName(program, `${array.name}_rows`),
      type: array.type,
      shape: [int(this.each)],
      role: 'temp',
      space: 'shared',
    }
    this.sum = { ...sums.reduction!.into, name: freshName(program, 'share'), shape: [int(this.width)] } // they are sums
  }

  private get threads(): number {
    return this.p.lanes * this.each
  }

  /** The rows' kernel, where who stores a result keeps it where all threads of the block find it. */
  keeping(body: readonly LoopStmt[]): readonly LoopStmt[] {
    const { array } = this.form.rows.out
    const stored = mapBody(body, (s) =>
      s.kind === 'store' && s.array === array.name
        ? [s, store(this.kept, [loopVar('thread_row')], s.value)]
        : undefined,
    )
    return stored.map((s) =>
      s.kind === 'loop' && s.name === blocks ? { ...s, body: [{ kind: 'declare', array: this.kept }, ...s.body] } : s,
    )
  }

  /**
   * Blocks with all their rows load these at once; the last may have fewer, and takes one after the other. Only the
   * columns at the end ask for each.
   */
  body(): readonly LoopStmt[] {
    const { all, each, row, column, width, into, sum } = this,
      upper = this.form.columns.parallel[0]!.upper // it has one
    const inRow = this.lanes((v) => [this.term(v)]),
      left = op('min', [int(each), sub(all, row)])
    const atTheEnd = Array.from({ length: width }, (_, v) => when(lt(add(column, int(v)), upper), [this.term(int(v))]))
    const body: readonly LoopStmt[] = [
      { kind: 'declare', array: sum },
      ...this.lanes((v) => [store(sum, [v], identityOf(this.op, registerType(sum.type)))]),
      when(
        op('le', [add(column, int(width)), upper]),
        [
          when(
            op('le', [add(row, int(each)), all]),
            [loop('row_in', int(each), inRow, { bind: unroll })],
            [loop('row_in', left, inRow)],
          ),
        ],
        [loop('row_in', left, atTheEnd)],
      ),
      ...this.lanes((v) => [
        when(lt(add(column, v), upper), [store(into, [loopVar(blocks), add(column, v)], read(sum, [v]))]),
      ]),
    ]
    const chunks = loop('chunk', ceilDiv(upper, this.threads * width), [
      loop('thread_c', int(this.threads), body, { bind: threads(1) }),
    ])
    return [loop(blocks, ceilDiv(all, each), [chunks], { bind: block('x') })]
  }

  private get op(): ReduceOp {
    return this.form.columns.reduction!.op
  } // they are sums

  private lanes(make: (lane: Expr) => readonly LoopStmt[]): readonly LoopStmt[] {
    return this.width === 1 ? make(int(0)) : [loop('vc', int(this.width), make(loopVar('vc')), { bind: vector })]
  }

  /** What row `row_in` of the block gives to a column. */
  private term(lane: Expr): LoopStmt {
    const { rows, columns: sums } = this.form,
      at = loopVar('row_in')
    const kept = replaceReads(sums.reduction!.value, rows.out.array.name, read(this.kept, [at])) // they are sums
    const value = substitute(
      kept,
      new Map([
        [rows.parallel[0]!.name, add(this.row, at)],
        [sums.parallel[0]!.name, add(this.column, lane)],
      ]),
    ) // each has a loop
    return store(this.sum, [lane], reduced(this.op, read(this.sum, [lane]), value))
  }
}
