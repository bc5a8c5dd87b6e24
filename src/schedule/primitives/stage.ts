// stage: a tile of a global array is copied into workgroup memory, once per iteration of a loop, by all threads
// together and in the order of global memory ("corner turning"); the loop's body reads the copy.
//
//   for ko in 0 .. m { for i in 0 .. 8 { for k in 0 .. 4 { C[i, ko] += A[i, ko * 4 + k] } } }
// → for ko in 0 .. m { declare A_tile: f32[4, 8] temp shared pad 1
//     for A_tile_pass in 0 .. 1 @unroll { for A_tile_row in 0 .. 8 @thread(4) { for A_tile_col in 0 .. 4 @thread(1) {
//       A_tile[A_tile_col, A_tile_pass * 8 + A_tile_row] = A[A_tile_pass * 8 + A_tile_row, ko * 4 + A_tile_col] } } }
//     for i in 0 .. 8 { for k in 0 .. 4 { C[i, ko] += A_tile[k, i] } } }
//
// Side conditions: the body does not write the array; every index is affine and the elements of an iteration lie in one
// box of constant size. Guards of the reads move to the copy where the element decides them; elements outside of the
// array are not read and stand as 0 (or, with `clamp`, as the nearest ones: nothing that counts reads them).
import { applied, fail } from '../../base/index.ts'
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  choose,
  constant,
  div,
  insideLoop,
  int,
  isNonNegative,
  literal,
  loop,
  loopVar,
  lt,
  mod,
  mul,
  op,
  registerType,
  sameAffine,
  sizeDomain,
  sub,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  conjunction,
  eachStmt,
  freshName,
  mapStmtExprs,
  rewriteExpr,
  replaceLoops,
  type Read,
} from '../../ir/index.ts'
import {
  elementAt,
  footprint,
  guardsOnBox,
  offsetIn,
  type Footprint,
  type ReadSite,
  conditionOf,
  holds,
  signedSizeNames,
} from '../../analysis/index.ts'

export interface Stage {
  readonly array: string
  /**
   * The loop whose every iteration copies its tile; `null`: once for the whole program (which must be one nest of block
   * loops).
   */
  readonly at: string
  /** Name of the copy. */
  readonly as: string
  /** Threads of the block that copy together. */
  readonly threads: number
  /**
   * Order of the array's dimensions in the copy, outermost first; default: as in the array. The last one is contiguous.
   */
  readonly order?: readonly number[]
  /** Elements added to each row of the copy, against bank conflicts. */
  readonly pad?: number
  /** Lanes of one global load along the array's last dimension: 1, 2 or 4. */
  readonly vector?: number
  /**
   * Elements outside of the array are not asked for: the nearest ones inside stand in their place, so that no load
   * waits behind a branch. `multiples`: sizes that are multiples of `vector` wherever the result is run.
   */
  readonly clamp?: { readonly multiples: ReadonlySet<string> }
  /**
   * The copy of a row has as many elements more as make each pass of the threads whole, so that none is asked whether
   * it has one to copy.
   */
  readonly round?: boolean
  /**
   * Where the copy is turned and enough rows are a thread's: it takes as many neighbouring ones as `vector` has lanes,
   * so that (after `prefetch`) it writes vectors, too.
   */
  readonly squares?: boolean
}

export function stage(program: Program, options: Stage): Program {
  const array = declarationOf(program, options.array)
  const name = freshName(program, options.as)
  const { outer } = locate(program, options.at)
  return replaceLoops(program, options.at, (l) => {
    forbidWrites(l.body, array.name)
    const box = applied(footprint(array, l.body, [], true))
    const f =
      options.round && box.extents.length === 1
        ? { ...box, extents: box.extents.map((e) => Math.ceil(e / options.threads) * options.threads) }
        : box
    const order = options.order ?? array.shape.map((_, d) => d)
    const copy: ArrayDecl = {
      name,
      type: array.type,
      shape: order.map((d) => int(f.extents[d]!)),
      role: 'temp',
      space: 'shared',
      ...(options.pad && order.length > 0 && { pad: options.pad }),
    }
    const built = copyNest(program, array, copy, order, f, [...outer, l], options)
    const body = l.body.map((s) => mapStmtExprs(s, (e) => readsOnCopy(e, copy, order, f, built.dropGuards)))
    return [{ ...l, body: [{ kind: 'declare', array: copy }, ...built.stmts, ...body] }]
  })
}

/** Finds a declared array, parameter or local. */
export function declarationOf(program: Program, name: string): ArrayDecl {
  let found = program.arrays.find((a) => a.name === name)
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare' && s.array.name === name) found = s.array
  })
  return found ?? fail('schedule.stage', `there is no array '${name}'`)
}

/** The one loop called `at` and the loops around it. */
export function locate(program: Program, at: string): { readonly outer: readonly Loop[]; readonly loop: Loop } {
  let found: { outer: readonly Loop[]; loop: Loop } | undefined
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'loop' && s.name === at) found = { outer: around, loop: s }
  })
  return found ?? fail('schedule.loop', `there is no loop '${at}'`)
}

function forbidWrites(body: readonly LoopStmt[], array: string): void {
  eachStmt(body, (s) => {
    if (s.kind === 'store' && s.array === array)
      fail('schedule.stage', `'${array}' is written in the loop that would stage it`)
  })
}

function readsOnCopy(e: Expr, copy: ArrayDecl, order: readonly number[], f: Footprint, dropGuards: boolean): Expr {
  const toCopy = (site: ReadSite): Expr => {
    const offset = offsetIn(f, site)
    return { kind: 'read', type: registerType(copy.type), array: copy.name, index: order.map((d) => offset[d]!) }
  }
  const siteOf = (r: Read): ReadSite | undefined => f.sites.find((s) => s.read === r)
  return rewrite(e, (x) => {
    const guarded = x.kind === 'choose' && x.then.kind === 'read' ? siteOf(x.then) : undefined
    if (guarded && dropGuards) return toCopy(guarded)
    const plain = x.kind === 'read' ? siteOf(x) : undefined
    return plain && toCopy(plain)
  })
}

/** Top-down rewriting, so that a `choose` is seen with its original read. */
function rewrite(e: Expr, f: (e: Expr) => Expr | undefined): Expr {
  const hit = f(e)
  if (hit) return hit
  switch (e.kind) {
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return e
    case 'read':
      return { ...e, index: e.index.map((x) => rewrite(x, f)) }
    case 'op':
      return { ...e, args: e.args.map((x) => rewrite(x, f)) }
    case 'choose':
      return { ...e, condition: rewrite(e.condition, f), then: rewrite(e.then, f), else: rewrite(e.else, f) }
  }
}

/** The cooperative copy: passes × threads × lanes over the box in the order of global memory. */
function copyNest(
  program: Program,
  array: ArrayDecl,
  copy: ArrayDecl,
  order: readonly number[],
  f: Footprint,
  around: readonly Loop[],
  o: Stage,
): { stmts: readonly LoopStmt[]; dropGuards: boolean } {
  const rank = f.extents.length
  const coordinate = f.extents.map((_, d) => `${copy.name}_d${d}`)
  const at = coordinate.map((n) => affineName(n))
  const guards = commonGuards(f, at)
  const loops: readonly Loop[] = [...around, ...coordinate.map((n, d) => loop(n, int(f.extents[d]!), []))]
  const signed = signedSizeNames(program),
    bounds = boundsGuards(array, f, at, guards ?? [], loops, signed)
  const held = f.through.map((t, d) =>
    t ? heldInside(program, array, d, elementAt(f, d, affineExpr(addScaled(f.base[d]!, at[d]!, 1))), loops) : undefined,
  )
  const near = bounds.filter(
    (b) => o.clamp && canClamp(array, b, f.base[b.dimension]!, o.vector ?? 1, o.clamp.multiples),
  )
  const element = f.base.map(
    (b, d) =>
      held[d] ??
      (near.some((n) => n.dimension === d)
        ? clamped(array, copy.name, d, b, coordinate[d]!, o.vector ?? 1)
        : affineExpr(addScaled(b, at[d]!, 1))),
  )
  const asked = [...(guards ?? []), ...bounds.filter((b) => !near.includes(b)).map((b) => b.holds)]
  const condition = conjunction(asked.filter((g) => !holds(g, [], loops, signed)).map(conditionOf))
  const type = registerType(array.type)
  const raw: Expr = { kind: 'read', type, array: array.name, index: element }
  const value = condition ? choose(condition, raw, constant(type, type === 'i64' || type === 'u64' ? 0n : 0)) : raw
  const store: LoopStmt = {
    kind: 'store',
    array: copy.name,
    index: order.map((d) => loopVar(coordinate[d]!)),
    reduce: null,
    value,
  }
  const turned = rank > 0 && order[rank - 1] === innermostRow(f.extents)
  const stmts =
    rank === 0
      ? [store]
      : distributeCopy(copy.name, f.extents, coordinate, turned ? o : { ...o, squares: false }, store)
  return { stmts, dropGuards: guards !== undefined }
}

/**
 * A clamped, mirrored or wrapped index of an array that has elements, inside of it for all values of `loops`, of which
 * some may be past what is read.
 */
function heldInside(program: Program, array: ArrayDecl, d: number, e: Expr, loops: readonly Loop[]): Expr {
  const sizes = sizeDomain(program),
    { constraints } = loops.reduce((domain, l) => insideLoop(domain, l), sizes)
  const last = sub(array.shape[d]!, int(1))
  if (!isNonNegative(last, sizes.constraints))
    fail('schedule.stage', `'${array.name}' may have no elements that its clamped index could stand for`)
  const low = isNonNegative(e, constraints) ? e : op('max', [e, int(0)])
  return isNonNegative(sub(last, e), constraints) ? low : op('min', [low, last])
}

/** The guards on box coordinates when all sites agree on them. */
function commonGuards(f: Footprint, at: readonly Affine[]): readonly Affine[] | undefined {
  const all = f.sites.map((s) => guardsOnBox(f, s, at))
  const first = all[0]
  const same = (a: readonly Affine[] | undefined): boolean =>
    a !== undefined && first !== undefined && a.length === first.length && a.every((x, i) => sameAffine(x, first[i]!))
  return all.every(same) ? first : undefined
}

/** `holds` ≥ 0 keeps the element inside of the array at one end of a dimension. */
interface Bound {
  readonly dimension: number
  readonly end: 'first' | 'last'
  readonly holds: Affine
}

export function boundsGuards(
  array: ArrayDecl,
  f: Footprint,
  at: readonly Affine[],
  known: readonly Affine[],
  loops: readonly Loop[],
  signed: ReadonlySet<string>,
): readonly Bound[] {
  return array.shape.flatMap((extent, dimension): readonly Bound[] => {
    if (f.through[dimension]) return []
    const position = addScaled(f.base[dimension]!, at[dimension]!, 1)
    const size =
      affineOf(extent) ??
      fail('schedule.stage', `the extent of dimension ${dimension} of '${array.name}' is not affine`)
    const below = addScaled(addScaled(size, affineConstant(-1), 1), position, -1)
    const ends: readonly Bound[] = [
      { dimension, end: 'first', holds: position },
      { dimension, end: 'last', holds: below },
    ]
    return ends.filter((b) => !holds(b.holds, known, loops, signed))
  })
}

/** Of the last dimension the first of the lanes is held back, which needs a start and an end that lanes divide. */
export function canClamp(
  array: ArrayDecl,
  bound: Pick<Bound, 'dimension' | 'end'>,
  base: Affine,
  vector: number,
  multiples: ReadonlySet<string>,
): boolean {
  const extent = array.shape[bound.dimension]!
  if (bound.end !== 'last' || bound.dimension < array.shape.length - 1 || vector === 1) return bound.end === 'last'
  const aligned =
    base.constant % vector === 0 &&
    [...base.terms].every(([name, c]) => c % vector === 0 || (name.startsWith('$') && multiples.has(name.slice(1))))
  const size = literal(extent)
  return aligned && (size === undefined ? extent.kind === 'size' && multiples.has(extent.name) : size % vector === 0)
}

/** The index of the element, or of the nearest one below the end of its dimension. */
function clamped(
  array: ArrayDecl,
  copy: string,
  dimension: number,
  base: Affine,
  coordinate: string,
  vector: number,
): Expr {
  const inLanes = dimension === array.shape.length - 1 && vector > 1,
    extent = array.shape[dimension]!
  const first = addScaled(base, affineName(inLanes ? firstLane(coordinate) : coordinate), 1)
  const held = op('min', [affineExpr(first), sub(extent, int(inLanes ? vector : 1))])
  return inLanes ? add(held, loopVar(`${copy}_v`)) : held
}

/** The coordinate of the first lane of a vector. */
const firstLane = (coordinate: string): string => `${coordinate}_first`

/** Loops over the box: `pass` (unrolled), threads, and lanes; coordinates become digits of the thread rank. */
export function distributeCopy(
  name: string,
  extents: readonly number[],
  coordinate: readonly string[],
  o: Pick<Stage, 'threads' | 'vector' | 'squares'>,
  store: LoopStmt,
): readonly LoopStmt[] {
  const vector = o.vector ?? 1
  const columns = extents[extents.length - 1]! / vector
  if (!Number.isInteger(columns))
    fail('schedule.stage', `rows of ${extents[extents.length - 1]} elements cannot be loaded ${vector} at a time`)
  const rows = extents.slice(0, -1).reduce((a, b) => a * b, 1)
  const lane = loopVar(`${name}_v`)
  const last = coordinate[coordinate.length - 1]!
  const place = (row: Expr, column: Expr): ReadonlyMap<string, Expr> =>
    new Map([
      ...unflatten(row, extents.slice(0, -1), coordinate),
      [last, vector === 1 ? column : add(mul(column, int(vector)), lane)],
      [firstLane(last), mul(column, int(vector))],
    ])
  const put = (by: ReadonlyMap<string, Expr>): LoopStmt =>
    mapStmtExprs(store, (e) => rewriteExpr(e, (x) => (x.kind === 'var' ? by.get(x.name) : undefined)))
  const lanes = (inner: LoopStmt): LoopStmt =>
    vector === 1 ? inner : loop(`${name}_v`, int(vector), [inner], { bind: { kind: 'vector' } })
  const total = rows * columns
  const perPass = o.threads / columns
  if (o.squares && vector > 1 && Number.isInteger(perPass) && rows % (perPass * vector) === 0) {
    const row = add(
      mul(add(mul(loopVar(`${name}_pass`), int(perPass)), loopVar(`${name}_row`)), int(vector)),
      loopVar(`${name}_q`),
    )
    const square = unrolled(`${name}_q`, vector, [lanes(put(place(row, loopVar(`${name}_col`))))])
    return [
      unrolled(`${name}_pass`, rows / perPass / vector, [
        thread(`${name}_row`, perPass, columns, [thread(`${name}_col`, columns, 1, [square])]),
      ]),
    ]
  }
  if (Number.isInteger(perPass) && rows % perPass === 0) {
    const row = add(mul(loopVar(`${name}_pass`), int(perPass)), loopVar(`${name}_row`))
    return [
      unrolled(`${name}_pass`, rows / perPass, [
        thread(`${name}_row`, perPass, columns, [
          thread(`${name}_col`, columns, 1, [lanes(put(place(row, loopVar(`${name}_col`))))]),
        ]),
      ]),
    ]
  }
  if (columns > o.threads && columns % o.threads === 0) {
    const column = add(mul(loopVar(`${name}_part`), int(o.threads)), loopVar(`${name}_t`))
    const parts = unrolled(`${name}_part`, columns / o.threads, [
      thread(`${name}_t`, o.threads, 1, [lanes(put(place(loopVar(`${name}_pass`), column)))]),
    ])
    return [unrolled(`${name}_pass`, rows, [parts])]
  }
  const flat = add(mul(loopVar(`${name}_pass`), int(o.threads)), loopVar(`${name}_t`))
  const inner = lanes(put(place(div(flat, columns), mod(flat, columns))))
  const guarded: LoopStmt =
    total % o.threads === 0 ? inner : { kind: 'if', condition: lt(flat, int(total)), then: [inner], else: [] }
  return [unrolled(`${name}_pass`, Math.ceil(total / o.threads), [thread(`${name}_t`, o.threads, 1, [guarded])])]
}

/** The dimension along which neighbouring rows of the box lie. */
const innermostRow = (extents: readonly number[]): number =>
  extents.findLastIndex((e, d) => d < extents.length - 1 && e > 1)

function unflatten(
  row: Expr,
  extents: readonly number[],
  names: readonly string[],
): readonly (readonly [string, Expr])[] {
  let rest = row
  const out: (readonly [string, Expr])[] = []
  for (let d = extents.length - 1; d >= 0; d--) {
    const isOutermost = extents.slice(0, d).every((e) => e === 1)
    if (extents[d] === 1) out.push([names[d]!, int(0)])
    else {
      out.push([names[d]!, isOutermost ? rest : mod(rest, extents[d]!)])
      rest = div(rest, extents[d]!)
    }
  }
  return out
}

const thread = (name: string, extent: number, stride: number, body: readonly LoopStmt[]): LoopStmt =>
  loop(name, int(extent), body, { bind: { kind: 'thread', stride } })
const unrolled = (name: string, extent: number, body: readonly LoopStmt[]): LoopStmt =>
  loop(name, int(extent), body, { bind: { kind: 'unroll' } })
