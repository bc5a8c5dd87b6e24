// A contraction's tile on the matrix units of a warp. In: the scheduled tile, whose copies in workgroup memory are f32
// and whose threads add up products in registers. Out: the same with copies in parts of f16, and warps that multiply 16
// × 16 matrices of them. The one idea (H. Ootomo, R. Yokota, Recovering single precision accuracy from Tensor Cores
// while surpassing the FP32 theoretical peak performance, IJHPCA 36 (2022)): a number of f32 is the sum of two of f16
// but for its last bit or two, so three products of f16 make one of f32; and since units cut off what sums of f32
// cannot hold instead of rounding it, a thread adds them up itself now and then.
import { fail } from '../../../base/index.ts'
import {
  bytesOf,
  ceilDiv,
  int,
  literal,
  loop,
  loopVar,
  op,
  sub,
  sum,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type MatrixOperand,
  type MatrixSums,
  type MatrixWork,
  type Program,
  type Store,
  type Nest,
  constantExtent,
  eachExpr,
  eachStmt,
  factorsOf,
  freshName,
  mapBody,
  rewriteExpr,
  nest,
  substitute,
  substituteStmt,
  uses,
  withGuard,
  someStmt,
} from '../../../ir/index.ts'
import { paddedCount } from '../../lower/thread-digits.ts'
import { mostShared } from '../sketch.ts'
import type { TilePoint } from './tile-choice.ts'

/** Rows and columns of a matrix. */
const side = 16
/** Lanes of a warp by rows and columns of a matrix: each has two rows of four neighbours. */
const lanesI = 8,
  lanesJ = 4
/**
 * Terms of a sum that units add up before a thread does. Positive numbers: relative errors of 1.6e-6 at 256 terms,
 * 3.1e-5 at 4096 (H200).
 */
export const termsTogether = 256

/**
 * Of a sum times factors that are the same for all of it and read from arrays: the first scales the left factor of
 * every product, the second the right one.
 */
export interface Scales {
  readonly part: Nest
  readonly left: Expr | undefined
  readonly right: Expr | undefined
}

export function scalesOf(part: Nest): Scales {
  const fixed = (e: Expr): boolean =>
    e.kind === 'read' &&
    e.type === 'f32' &&
    e.index.every((x) => literal(x) !== undefined) &&
    e.array !== part.reduction?.into.name
  const factors = factorsOf(part.out.value),
    [left, right] = factors.filter(fixed)
  if (!left || !right) return { part, left: undefined, right: undefined }
  return {
    part: {
      ...part,
      out: { ...part.out, value: factors.filter((e) => e !== left && e !== right).reduce((a, b) => op('mul', [a, b])) },
    },
    left,
    right,
  }
}

/** A factor's copy in workgroup memory, and what it is scaled by. */
export interface Copied {
  readonly tile: string
  readonly own: string
  readonly scale: Expr | undefined
}

/**
 * `program` is bound; `sums`: the private array of a thread's results; `left` and `right` are staged in the loop
 * `tile_k`. `all`: sums are whole multiples of `termsTogether`.
 */
export function onMatrixUnits(
  program: Program,
  p: TilePoint,
  sums: string,
  left: Copied,
  right: Copied,
  ends: 'all' | 'some',
): Program {
  const shape: MatrixSums = { name: 'product', rows: p.tm / 2, columns: p.tn / 4 }
  const loopK = find(program, (s): s is Loop => s.kind === 'loop' && s.name === 'tile_k')
  const compute =
    loopK.body.find((s) => contains(s, (x) => x.kind === 'store' && x.array === sums && x.reduce === 'add')) ??
    fail('schedule.matrix', 'no products are added up in this tile')
  const { threads, update } = unpacked(compute, sums, [left.tile, right.tile])
  if (
    p.lanesI !== lanesI ||
    p.lanesJ !== lanesJ ||
    ![shape.rows, shape.columns, p.bk / side, termsTogether / p.bk].every((n) => Number.isInteger(n) && n > 0)
  )
    fail(
      'schedule.matrix',
      `a tile of ${p.bm} × ${p.bn} with steps of ${p.bk} is no whole number of 16 × 16 matrices a warp`,
    )
  const warps = threads.filter((l) => l.name.startsWith('warp')),
    lanes = threads.filter((l) => !l.name.startsWith('warp'))
  const count = warps.reduce((n, l) => n * (constantExtent(l) ?? 1), 1),
    warp = warps.reduce<Expr>((at, l) => sum(op('mul', [at, int(constantExtent(l) ?? 1)]), loopVar(l.name)), int(0))
  const own = declared(program, sums),
    results: ArrayDecl = { ...own, name: freshName(program, 'products') }
  const copies = [left, right].map((c) => partsOf(program, c)),
    [a, b] = copies as [Parts, Parts] // two in, two out
  const scaled = copies.flatMap((c) => c.scale ?? []),
    fragments = shape.rows * shape.columns
  const { room, apart } = roomFor(
    copies.flatMap((c) => c.parts),
    count,
    fragments,
    scaled.length,
  )
  const spilled: ArrayDecl = {
    name: freshName(program, 'sums_tile'),
    type: 'f32',
    shape: [int(count), int(room), int(side), int(side)],
    role: 'temp',
    space: 'shared',
  }

  const inWarps = (work: MatrixWork, body: readonly LoopStmt[]): readonly LoopStmt[] =>
    nest(warps, [loop('together', int(1), body, { bind: { kind: 'matrix', work } })])
  const operand = (c: Parts, at: readonly Expr[]): MatrixOperand => ({
    parts: c.parts.map((x) => x.name),
    index: at.map((e) => substitute(e, atFirst(warps, e))),
    own: at.findIndex((e) => uses(e, c.own)),
    k: at.findIndex((e) => uses(e, 'kk')),
  })
  const [x, y] = [a, b].map((c) => readOf(update, c.tile))
  const multiply = inWarps(
    { op: 'multiply', sums: shape, steps: p.bk / side, left: operand(a, x!.index), right: operand(b, y!.index) },
    [
      renamed(compute, threads, (s) => ({
        ...s,
        array: results.name,
        value: rewriteExpr(s.value, (e) => (e.kind === 'read' ? whole([a, b], e) : undefined)),
      })),
    ],
  )
  /** Statements for the elements of `room` matrices from `first` on, by lanes. */
  const each = (
    first: number,
    make: (at: readonly Expr[], place: readonly Expr[]) => readonly LoopStmt[],
  ): readonly LoopStmt[] =>
    [...Array(room).keys()].flatMap((n) =>
      [0, 1].map((half): LoopStmt => {
        const row = Math.floor((first + n) / shape.columns),
          column = (first + n) % shape.columns
        const at = update.index.map((e) =>
          substitute(
            e,
            new Map([
              ['part_i', int(2 * row + half)],
              ['part_j', int(column)],
            ]),
          ),
        )
        return loop(
          'vj',
          int(side / lanesJ),
          make(at, [
            warp,
            int(n),
            sum(int(lanesI * half), loopVar('lane_i')),
            sum(op('mul', [loopVar('lane_j'), int(side / lanesJ)]), loopVar('vj')),
          ]),
          { bind: { kind: 'vector' } },
        )
      }),
    )
  const put = (array: ArrayDecl, index: readonly Expr[], value: Expr, reduce: Store['reduce'] = null): Store => ({
    kind: 'store',
    array: array.name,
    index,
    reduce,
    value,
  })
  const read = (array: ArrayDecl, index: readonly Expr[]): Expr => ({
    kind: 'read',
    type: 'f32',
    array: array.name,
    index,
  })
  const zero: Expr = { kind: 'const', type: 'f32', value: 0 }
  const addUp = [...Array(fragments / room).keys()].flatMap((n) => [
    ...inWarps(
      {
        op: 'store',
        sums: shape,
        first: n * room,
        count: room,
        into: spilled.name,
        index: [warp, int(0), int(0), int(0)],
      },
      nest(
        lanes,
        each(n * room, (at, place) => [put(spilled, place, read(results, at)), put(results, at, zero)]),
      ),
    ),
    ...nest(
      threads,
      each(n * room, (at, place) => [put(own, at, read(spilled, place), 'add')]),
    ),
  ])
  const scales: ArrayDecl = {
    name: freshName(program, 'scales_tile'),
    type: 'f32',
    shape: [int(scaled.length)],
    role: 'temp',
    space: 'shared',
  }
  const set = (value: (n: number) => Expr): readonly LoopStmt[] => scaled.map((x, n) => put(x.factor, [], value(n)))
  const once = apart
    ? [
        declare(scales),
        ...nest(
          threads,
          withGuard(
            threads.map((l) => op('eq', [loopVar(l.name), int(0)])),
            scaled.map((x, n) => put(scales, [int(n)], x.value)),
          ),
        ),
      ]
    : set((n) => scaled[n]!.value)
  const again = apart ? set((n) => read(scales, [int(n)])) : []
  const every = termsTogether / p.bk,
    first = op('mul', [loopVar('tile_sum'), int(every)]),
    steps = loopK.upper
  const body = mapBody(program.body, (s) => {
    if (s.kind === 'declare')
      return copies.find((c) => c.tile === s.array.name)?.parts.map((array) => ({ ...s, array }))
    if (s.kind === 'loop' && s.bind.kind === 'vector') return copied(copies, s)
    if (s === compute) return multiply
    if (s.kind !== 'loop' || s.name !== 'tile_k') return undefined
    const clear = loop('together', int(1), [], { bind: { kind: 'matrix', work: { op: 'clear', sums: shape } } })
    return [
      ...[results, spilled, ...copies.flatMap((c) => c.held)].map(declare),
      ...once,
      clear,
      loop('tile_sum', ceilDiv(steps, every), [
        loop(
          'tile_in',
          ends === 'all' ? int(every) : op('min', [int(every), sub(steps, first)]),
          [...again, ...s.body].map((x) => substituteStmt(x, new Map([['tile_k', sum(first, loopVar('tile_in'))]]))),
        ),
        ...addUp,
      ]),
    ]
  })
  return { ...program, body }
}

/**
 * How many of a warp's results pass through workgroup memory at once, beside the copies of the factors; and whether
 * scales lie there, too, from where every step takes them. Compilers multiply by one that is held in a register where
 * the next tile is loaded, and wait for it: 64 × 8192 with k = 4096 in 82 µs instead of 60 (H200).
 */
function roomFor(
  copies: readonly ArrayDecl[],
  warps: number,
  fragments: number,
  scales: number,
): { readonly room: number; readonly apart: boolean } {
  const bytes = copies.reduce((n, a) => n + bytesOf[a.type] * paddedCount(a), 0),
    each = bytesOf.f32 * side * side * warps
  for (const own of scales > 0 ? [bytesOf.f32 * scales, 0] : [0]) {
    for (let n = fragments; n > 0; n--)
      if (fragments % n === 0 && bytes + own + each * n <= mostShared) return { room: n, apart: own > 0 }
  }
  return fail(
    'schedule.matrix',
    `two parts of both tiles and a matrix of each warp take ${bytes + each} bytes of workgroup memory, ` +
      `and there are ${mostShared}`,
  )
}

interface Parts {
  readonly tile: string
  /** The loop of the factor's rows or columns. */
  readonly own: string
  readonly parts: readonly ArrayDecl[]
  /** What `put` keeps in registers. */
  readonly held: readonly ArrayDecl[]
  /** What holds the scale, and its value. */
  readonly scale: { readonly factor: ArrayDecl; readonly value: Expr } | undefined
  /** What a store to the tile becomes, one after the other for all lanes of a vector. */
  put(s: Store, lane: Expr): readonly LoopStmt[]
}

const declare = (array: ArrayDecl): LoopStmt => ({ kind: 'declare', array })

/** A vector of a tile, in parts. */
function copied(copies: readonly Parts[], s: Loop): readonly LoopStmt[] | undefined {
  const [only] = s.body,
    c = only?.kind === 'store' ? copies.find((x) => x.tile === only.array) : undefined
  return only?.kind === 'store' && c ? c.put(only, loopVar(s.name)).map((x) => ({ ...s, body: [x] })) : undefined
}

/** The upper 11 bits of a number and the rest, each as f16. */
function partsOf(program: Program, { tile, own, scale }: Copied): Parts {
  const was = declared(program, tile),
    parts = ['upper', 'lower'].map(
      (which): ArrayDecl => ({ ...was, name: freshName(program, `${tile}_${which}`), type: 'f16' }),
    )
  const factor: ArrayDecl = {
    name: freshName(program, `${tile}_scale`),
    type: 'f32',
    shape: [],
    role: 'temp',
    space: 'private',
  }
  const as = (type: Expr['type'], what: 'bitcast' | 'convert', e: Expr): Expr => ({
    kind: 'op',
    type,
    op: what,
    args: [e],
  })
  const word = (value: number): Expr => ({ kind: 'const', type: 'u32', value })
  const upper = (e: Expr): Expr =>
    as('f32', 'bitcast', op('and', [op('add', [as('u32', 'bitcast', e), word(0x1000)]), word(0xffffe000)]))
  const high: ArrayDecl = { ...factor, name: freshName(program, `${tile}_high`), shape: [int(4)] }
  return {
    tile,
    own,
    parts,
    held: scale ? [high, factor] : [high],
    scale: scale && { factor, value: scale },
    put: (s, lane) => {
      const value: Expr = scale
          ? op('mul', [s.value, { kind: 'read', type: 'f32', array: factor.name, index: [] }])
          : s.value,
        held: Expr = { kind: 'read', type: 'f32', array: high.name, index: [lane] }
      // two parts
      const into = (n: 0 | 1, e: Expr): Store => ({ ...s, array: parts[n]!.name, value: as('f16', 'convert', e) })
      return [
        { ...s, array: high.name, index: [lane], value: upper(value) },
        into(0, held),
        into(1, op('sub', [value, held])),
      ]
    },
  }
}

/** A read of a tile as the sum of its parts. */
function whole(copies: readonly Parts[], e: Extract<Expr, { kind: 'read' }>): Expr | undefined {
  const c = copies.find((x) => x.tile === e.array)
  return c?.parts
    .map(
      (a): Expr => ({
        kind: 'op',
        type: 'f32',
        op: 'convert',
        args: [{ kind: 'read', type: 'f16', array: a.name, index: e.index }],
      }),
    )
    .reduce((x, y) => op('add', [x, y]))
}

/** Loop variables of `e` that are no warp's, at 0. */
function atFirst(warps: readonly Loop[], e: Expr): ReadonlyMap<string, Expr> {
  const first = new Map<string, Expr>()
  eachExpr(e, (x) => {
    if (x.kind === 'var' && !warps.some((l) => l.name === x.name)) first.set(x.name, int(0))
  })
  return first
}

/**
 * The thread loops around a statement that adds up products of two tiles, and the store that does. Throws when it does
 * anything else.
 */
function unpacked(
  s: LoopStmt,
  sums: string,
  tiles: readonly string[],
): { readonly threads: readonly Loop[]; readonly update: Store } {
  const threads: Loop[] = []
  let update: Store | undefined,
    plain = true
  eachStmt([s], (x) => {
    if (x.kind === 'loop' && x.bind.kind === 'thread') threads.push(x)
    if (x.kind === 'store' && x.array === sums) update = x
    plain &&= x.kind === 'loop' || x === update
  })
  const factors = update ? factorsOf(update.value) : []
  if (
    !update ||
    !plain ||
    factors.length !== 2 ||
    !tiles.every((t) => factors.some((e) => e.kind === 'read' && e.array === t))
  )
    return fail('schedule.matrix', 'matrix units add up products of two factors, and this sum is another one')
  return { threads, update }
}

/** A statement without its thread loops of warps, which stand around it, and with its store changed. */
function renamed(s: LoopStmt, threads: readonly Loop[], f: (s: Store) => Store): LoopStmt {
  const inner =
    threads.some((l) => s.kind === 'loop' && l.name === s.name && l.name.startsWith('warp')) && s.kind === 'loop'
      ? s.body[0]!
      : undefined // a tile's loops are perfect
  if (inner) return renamed(inner, threads, f)
  return mapBody([s], (x) => (x.kind === 'store' ? [f(x)] : undefined))[0]!
}

function readOf(s: Store, array: string): Extract<Expr, { kind: 'read' }> {
  let found: Extract<Expr, { kind: 'read' }> | undefined
  eachExpr(s.value, (e) => {
    if (e.kind === 'read' && e.array === array) found = e
  })
  return found ?? fail('schedule.matrix', `'${array}' is no factor of these products`)
}

function find<S extends LoopStmt>(program: Program, wanted: (s: LoopStmt) => s is S): S {
  let found: S | undefined
  eachStmt(program.body, (s) => {
    if (wanted(s)) found = s
  })
  return found ?? fail('schedule.matrix', 'this tile has no steps along its sum')
}

function declared(program: Program, name: string): ArrayDecl {
  return find(
    program,
    (s): s is Extract<LoopStmt, { kind: 'declare' }> => s.kind === 'declare' && s.array.name === name,
  ).array
}

const contains = (s: LoopStmt, wanted: (s: LoopStmt) => boolean): boolean => someStmt([s], wanted)
