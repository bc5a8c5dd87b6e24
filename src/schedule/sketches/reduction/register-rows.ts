// Sums of columns that use sums of rows, with rows that stay where they are. The one idea: a block holds a few whole
// rows in the registers of its threads, adds up each by one tree for all, then adds what these rows give to every
// column to its own share: an element is loaded once. A second launch adds up the shares. Columns beyond those that the
// registers were planned for are read twice.
import {
  add,
  bytesOf,
  ceilDiv,
  div,
  int,
  literal,
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
  exprKey,
  freshName,
  rewriteExpr,
  readsArray,
  sameExpr,
  sizesIn,
  substitute,
  uses,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Crossed,
  type Nest,
  type Reduction,
  type Read,
} from '../../../ir/index.ts'
import { planned, lateStart } from '../../../analysis/index.ts'
import { columnReduction, splitOuter, type ReductionPoint } from './reduction.ts'
import { block, threads as threadsAt, unroll, vector, type Made, type Scheduled } from '../sketch.ts'

/** The parameters of `CrossedPoint` that say which rows stay in registers. */
export type HeldRowsPoint = {
  /** Threads that share a row. */
  readonly lanes: number
  /** Rows of a block. */
  readonly rows: number
  /** Neighbours that a thread loads at once. */
  readonly vector: number
  /** Vectors of each row that a thread keeps in registers. */
  readonly held: number
}

/** Bytes of its rows that a thread may hold: 96 of 255 registers. */
const mostHeld = 384

/** Of the registers of a block the share that rows fill at least. */
const leastFull = 0.8

/** Bytes of workgroup memory that any device has. */
const mostShared = 16384

/** Points whose registers hold whole rows of the planned length; none where the two sums go through other columns. */
export function heldPoints(program: Program, { rows, columns: sums }: Crossed): readonly HeldRowsPoint[] {
  const along = rows.reduction!.loops[0]!,
    column = sums.parallel[0]! // they are sums, each with a loop
  const plain =
    !rows.guard &&
    !rows.reduction!.guard &&
    !readsArray(along.upper) &&
    [along, column].every((l) => literal(l.lower) === 0) &&
    sameExpr(along.upper, column.upper)
  const length = planned(program, column.lower, column.upper, 1),
    bytes = bytesOf[rows.reduction!.into.type] // as above
  return !plain
    ? []
    : [128, 192, 256, 288, 384, 512].flatMap((threads) =>
        [4, 8].flatMap((each): readonly HeldRowsPoint[] => {
          const held = Math.ceil(length / (4 * threads))
          return each * held * 4 * bytes <= mostHeld &&
            each * threads * bytes <= mostShared &&
            length >= leastFull * 4 * threads * held
            ? [{ lanes: threads, rows: each, vector: 4, held }]
            : []
        }),
      )
}

/** Sizes at which a proof sees columns beyond those that are held. */
export const beyondHeld = ({ columns: sums }: Crossed, p: HeldRowsPoint): Readonly<Record<string, number>> =>
  Object.fromEntries(
    p.held
      ? sizesIn(sums.parallel[0]!.upper)
          .slice(0, 1)
          .map((n) => [n, p.held * p.lanes * p.vector])
      : [],
  ) // it has a loop

/** Both launches. */
export function heldRows(program: Program, form: Crossed, p: HeldRowsPoint): Made {
  const late: Crossed = { ...form, rows: lateStart(form.rows) },
    shape: Shape = { threads: p.lanes, rows: p.rows, held: p.held, width: p.vector }
  const column = form.columns.parallel[0]!,
    sum = form.columns.reduction!,
    blocks = ceilDiv(form.rows.parallel[0]!.upper, shape.rows) // rows and columns have a loop, and are sums
  const partial: ArrayDecl = {
    name: freshName(program, 'partial'),
    type: sum.into.type,
    shape: [blocks, mul(ceilDiv(column.upper, shape.width), int(shape.width))],
    role: 'temp',
    space: 'global',
  }
  const given: Program = { ...program, arrays: [...program.arrays, partial] }
  const final: Nest = {
    ...form.columns,
    reduction: {
      ...sum,
      loops: [loop('share', blocks, [])],
      value: read(partial, [loopVar('share'), loopVar(column.name)]),
    },
  }
  const rest: ReductionPoint = { threads: 8, rows: 32, vector: shape.width, unroll: 4, blocks: 1 }
  return {
    program: given,
    kernels: [
      new HeldRows(given, late, partial, shape).kernel(),
      columnReduction(
        given,
        splitOuter(given, final, final.reduction!.loops[0]!, rest),
        column,
        rest,
        `${program.name}_final`,
        false,
      ),
    ],
  } // it is a sum
}

interface Shape {
  readonly threads: number
  /** Rows of a block. */
  readonly rows: number
  /** Vectors of a row that a thread holds, and elements of one. */
  readonly held: number
  readonly width: number
}

/** A read that is the same for both sums, or for all rows, and the registers that keep it. */
interface Held {
  readonly key: string
  readonly read: Read
  readonly into: ArrayDecl
  readonly ofRow: boolean
}

class HeldRows {
  private readonly row: Loop
  private readonly column: Loop
  private readonly sum: Reduction
  private readonly held: readonly Held[]
  private readonly own = loopVar('thread_c')
  private readonly at = loopVar('row_in')
  private readonly part: ArrayDecl
  private readonly total: ArrayDecl
  private readonly kept: ArrayDecl
  private readonly share: ArrayDecl

  constructor(
    private readonly program: Program,
    private readonly form: Crossed,
    private readonly partial: ArrayDecl,
    private readonly s: Shape,
  ) {
    this.row = form.rows.parallel[0]! // it has one loop, which counts from 0
    this.column = form.columns.parallel[0]!
    this.sum = form.rows.reduction! // they are sums
    const register = (name: string, like: ArrayDecl, ...shape: readonly number[]): ArrayDecl => ({
      name: freshName(program, name),
      type: like.type,
      shape: shape.map(int),
      role: 'temp',
      space: 'private',
    })
    this.part = register('row_part', this.sum.into, s.threads, s.rows)
    this.total = register('row_sum', this.sum.into, s.rows)
    this.kept = register('row_result', form.rows.out.array, s.threads, s.rows)
    this.share = register('share', form.columns.reduction!.into, s.threads, s.width)
    const found = new Map<string, Held>()
    for (const e of [this.value, this.given])
      rewriteExpr(e, (x) => {
        if (x.kind !== 'read' || !uses(x, this.column.name)) return undefined
        const key = exprKey(x),
          ofRow = uses(x, this.row.name),
          array = program.arrays.find((a) => a.name === x.array)
        if (array && !found.has(key))
          found.set(key, {
            key,
            read: x,
            ofRow,
            into: register(`held_${found.size}`, array, s.threads, ...(ofRow ? [s.rows] : []), s.held, s.width),
          })
        return x
      })
    this.held = [...found.values()]
  }

  /** What a row's element gives to its sum, and to its column, over the variables of row and column. */
  private get value(): Expr {
    return substitute(this.sum.value, new Map([[this.sum.loops[0]!.name, loopVar(this.column.name)]]))
  }

  private get given(): Expr {
    const { out } = this.form.rows
    return replaceReads(this.form.columns.reduction!.value, out.array.name, read(this.kept, [this.own, this.at]))
  }

  kernel(): Scheduled {
    const { s, form } = this,
      { out } = form.rows,
      all = this.row.upper,
      base = mul(loopVar('block_row'), int(s.rows)),
      here = add(base, this.at)
    // A block at the end takes its last row again for those that it has not: sums that nothing uses.
    const nearest = op('min', [here, sub(all, int(1))]),
      inside = lt(here, all)
    const result = (e: Expr, at: Expr): Expr =>
      substitute(replaceReads(e, this.sum.into.name, read(this.total, [this.at])), new Map([[this.row.name, at]]))
    const terms: Chunk = (at) =>
      this.eachRow(
        at.lanes((v) => [store(this.part, [this.own, this.at], this.over(this.value, at, v, nearest), this.sum.op)]),
      )
    const loads: Chunk = (at) =>
      this.held.flatMap((h) =>
        h.ofRow
          ? this.eachRow(at.lanes((v) => [this.load(h, at, v, nearest)]))
          : at.lanes((v) => [this.load(h, at, v, nearest)]),
      )
    const shares: Chunk = (at) => {
      const { op: by } = form.columns.reduction!,
        mine = (v: Expr): readonly Expr[] => [this.own, v] // they are sums
      const term = (v: Expr): LoopStmt => store(this.share, mine(v), this.over(this.given, at, v, nearest), by)
      return [
        ...at.lanes((v) => [store(this.share, mine(v), identityOf(by, registerType(this.share.type)))]),
        ...this.eachRow([
          when(
            inside,
            at.lanes((v) => [term(v)]),
          ),
        ]),
        ...at.lanes((v) => [store(this.partial, [loopVar('block_row'), at.column(v)], read(this.share, mine(v)))]),
      ]
    }
    const body: readonly LoopStmt[] = [
      ...[...this.held.map((h) => h.into), this.part, this.total, this.kept, this.share].map(
        (array): LoopStmt => ({ kind: 'declare', array }),
      ),
      ...this.eachRow([store(this.total, [this.at], substitute(this.sum.init, new Map([[this.row.name, nearest]])))]),
      this.eachThread([
        ...this.eachRow([store(this.part, [this.own, this.at], identityOf(this.sum.op, registerType(this.part.type)))]),
        ...this.chunks(loads),
        ...this.chunks(terms),
        this.beyond(terms),
        this.ragged(terms),
      ]),
      this.eachThread(this.eachRow([store(this.total, [this.at], read(this.part, [this.own, this.at]), this.sum.op)])),
      ...this.eachRow([
        when(inside, [
          {
            kind: 'store',
            array: out.array.name,
            index: out.index.map((e) => substitute(e, new Map([[this.row.name, here]]))),
            value: result(out.value, here),
            reduce: null,
          },
        ]),
      ]),
      this.eachThread([
        ...this.eachRow([store(this.kept, [this.own, this.at], result(out.value, nearest))]),
        ...this.chunks(shares),
        this.beyond(shares),
        this.ragged(shares),
      ]),
    ]
    return {
      program: { ...this.program, body: [loop('block_row', ceilDiv(all, s.rows), body, { bind: block('x') })] },
      name: `${this.program.name}_partial`,
      steps: [
        `${s.rows} rows per block, held in the registers of ${s.threads} threads: an element is loaded once`,
        `a tree over ${s.threads} threads adds up each`,
        `the same threads add up what the ${s.rows} rows give to every column`,
      ],
    }
  }

  private eachThread(body: readonly LoopStmt[]): Loop {
    return loop('thread_c', int(this.s.threads), body, { bind: threadsAt(1) })
  }
  private eachRow(body: readonly LoopStmt[]): readonly LoopStmt[] {
    return [loop('row_in', int(this.s.rows), body, { bind: unroll })]
  }

  /** Vectors that the registers hold. */
  private chunks(f: Chunk): readonly LoopStmt[] {
    return [loop('chunk', int(this.s.held), this.vectors(f, loopVar('chunk'), true), { bind: unroll })]
  }

  /** Those behind, where a row is longer than was planned. */
  private beyond(f: Chunk): LoopStmt {
    const { threads, width, held } = this.s
    return {
      ...loop('beyond', ceilDiv(this.column.upper, threads * width), this.vectors(f, loopVar('beyond'), false)),
      lower: int(held),
    }
  }

  private vectors(f: Chunk, chunk: Expr, held: boolean): readonly LoopStmt[] {
    const { threads, width } = this.s,
      first = mul(add(mul(chunk, int(threads)), this.own), int(width))
    const at: At = {
      chunk,
      held,
      column: (v) => add(first, v),
      lanes: (make) => [loop('vc', int(width), make(loopVar('vc')), { bind: vector })],
    }
    return [when(op('le', [add(first, int(width)), this.column.upper]), f(at))]
  }

  /** The columns at the end that are no vector, a thread each. */
  private ragged(f: Chunk): LoopStmt {
    const { upper } = this.column,
      { width } = this.s,
      column = add(mul(div(upper, width), int(width)), this.own)
    return when(
      lt(column, upper),
      f({ chunk: int(0), held: false, column: () => column, lanes: (make) => make(int(0)) }),
    )
  }

  private load(h: Held, at: At, v: Expr, row: Expr): LoopStmt {
    return store(
      h.into,
      this.place(h, at, v),
      substitute(
        h.read,
        new Map([
          [this.row.name, row],
          [this.column.name, at.column(v)],
        ]),
      ),
    )
  }
  private place(h: Held, at: At, v: Expr): readonly Expr[] {
    return [this.own, ...(h.ofRow ? [this.at] : []), at.chunk, v]
  }

  /** `e` at a row and a column, with what registers hold. */
  private over(e: Expr, at: At, v: Expr, row: Expr): Expr {
    const kept = at.held
      ? rewriteExpr(e, (x) => {
          const h = x.kind === 'read' ? this.held.find((y) => y.key === exprKey(x)) : undefined
          return h && read(h.into, this.place(h, at, v))
        })
      : e
    return substitute(
      kept,
      new Map([
        [this.row.name, row],
        [this.column.name, at.column(v)],
      ]),
    )
  }
}

/**
 * Neighbouring columns: which of the thread's vectors, whether registers hold it, each column, and the loop over them.
 */
interface At {
  readonly chunk: Expr
  readonly held: boolean
  readonly column: (v: Expr) => Expr
  readonly lanes: (make: (v: Expr) => readonly LoopStmt[]) => readonly LoopStmt[]
}
type Chunk = (at: At) => readonly LoopStmt[]
