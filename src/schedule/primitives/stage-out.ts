// stage-out: what an iteration of a loop stores into a tile of a global array is stored into a copy in workgroup
// memory, which all threads write back together, in the order of global memory.
//
//   for ko in 0 .. m { for i in 0 .. 8 { for k in 0 .. 4 { C[i, ko * 4 + k] = 2.0f } } }
// → for ko in 0 .. m { declare C_tile: f32[8, 4] temp shared pad 1
//     for i in 0 .. 8 { for k in 0 .. 4 { C_tile[i, k] = 2.0f } }
//     for C_tile_pass in 0 .. 1 @unroll { for C_tile_row in 0 .. 8 @thread(4) { for C_tile_col in 0 .. 4 @thread(1) {
//       C[C_tile_pass * 8 + C_tile_row, ko * 4 + C_tile_col] = C_tile[C_tile_pass * 8 + C_tile_row, C_tile_col] } } } }
//
// What the iteration reads of the array comes from the copy, too, which is then filled first; so it is where data
// decide what is stored. Side conditions: every index is affine, and the elements of an iteration lie in one box of
// constant size; no other block, and no thread beside those that copy, touches an element of the box meanwhile (the
// caller's word).
import { applied, fail } from '../../base/index.ts'
import {
  addScaled,
  affineExpr,
  affineName,
  int,
  loop,
  read,
  sameAffine,
  store,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  constantExtent,
  freshName,
  placedElsewhere,
  replaceLoops,
  withGuard,
} from '../../ir/index.ts'
import {
  footprintOf,
  guardsOnBox,
  offsetIn,
  readSites,
  storeSites,
  type Footprint,
  type ReadSite,
  conditionOf,
  holds,
  signedSizeNames,
} from '../../analysis/index.ts'
import { boundsGuards, declarationOf, distributeCopy, locate } from './stage.ts'

export interface StageOut {
  readonly array: string
  /** The loop whose every iteration writes its tile back. */
  readonly at: string
  /** Name of the copy. */
  readonly as: string
  /** Threads of the block that copy together. */
  readonly threads: number
  /** Elements added to each row of the copy, against bank conflicts. */
  readonly pad?: number
}

export function stageOut(program: Program, o: StageOut): Program {
  const array = declarationOf(program, o.array),
    name = freshName(program, o.as)
  const { outer } = locate(program, o.at)
  return replaceLoops(program, o.at, (l) => {
    const stores = applied(storeSites(array, l.body)),
      reads = applied(readSites(array.name, l.body))
    if (stores.length === 0) fail('schedule.stage', `'${array.name}' is not written in '${o.at}'`)
    const all = applied(footprintOf(array, [...stores, ...reads])),
      written = applied(footprintOf(array, stores))
    const copy: ArrayDecl = {
      name,
      type: array.type,
      shape: all.extents.map((e) => int(e)),
      role: 'temp',
      space: 'shared',
      ...(o.pad && { pad: o.pad }),
    }
    const around = [...outer, l]
    const exact = guardsOfAll(written, coordinatesOf(name, written))
    const filled = exact === undefined || reads.length > 0 || combines(l.body, array.name)
    const copying: Copying = { array, copy, all, f: all, guards: [], around, threads: o.threads }
    const fill = filled ? copyNest(program, copying, 'in') : []
    const back = copyNest(program, { ...copying, f: written, guards: exact ?? [] }, 'out')
    return [{ ...l, body: [{ kind: 'declare', array: copy }, ...fill, ...onCopy(l.body, copy, all), ...back] }]
  })
}

/**
 * The conditions of all stores, over the coordinates of the box; `undefined` when they are not the same, or not the
 * element's own.
 */
function guardsOfAll(f: Footprint, at: readonly Affine[]): readonly Affine[] | undefined {
  const [first, ...others] = f.sites.map((s) => guardsOnBox(f, s, at))
  const spans = (s: ReadSite): boolean => s.dims.every((d, i) => d.high - d.low + 1 === f.extents[i])
  const same = (g: readonly Affine[] | undefined): boolean =>
    g !== undefined && g.length === first!.length && g.every((x, i) => sameAffine(x, first![i]!))
  return first && others.every(same) && f.sites.every(spans) && f.sites.every(coversBox) ? first : undefined
}

/**
 * Whether a store reaches each element of its box: every dimension has loops of its own, of which each steps over all
 * of the next.
 */
function coversBox(s: ReadSite): boolean {
  const used = s.dims.flatMap((d) => [...d.inner.terms.keys()]),
    extents = new Map(s.inner.map((l) => [l.name, constantExtent(l) ?? NaN]))
  const radix = (d: ReadSite['dims'][number]): boolean =>
    [...d.inner.terms]
      .sort(([, a], [, b]) => Math.abs(a) - Math.abs(b))
      // all are of loops inside
      .reduce((step, [name, c]) => (Math.abs(c) === step ? step * extents.get(name)! : NaN), 1) > 0
  return (
    new Set(used).size === used.length &&
    s.dims.every((d) => d.inner.terms.size === 0 || radix(d)) &&
    s.inner.every((l) => l.step === 1)
  )
}

function combines(body: readonly LoopStmt[], array: string): boolean {
  return body.some((s) =>
    s.kind === 'store'
      ? s.array === array && s.reduce !== null
      : s.kind === 'loop'
        ? combines(s.body, array)
        : s.kind === 'if' && (combines(s.then, array) || combines(s.else, array)),
  )
}

const coordinatesOf = (name: string, f: Footprint): readonly Affine[] =>
  f.extents.map((_, d) => affineName(`${name}_d${d}`))

/** A box of an array and its copy. */
interface Copying {
  readonly array: ArrayDecl
  readonly copy: ArrayDecl
  /** What the copy has. */
  readonly all: Footprint
  /** What is copied. */
  readonly f: Footprint
  readonly guards: readonly Affine[]
  readonly around: readonly Loop[]
  readonly threads: StageOut['threads']
}

/**
 * All threads copy the box `f` of the array, which lies in the box `all` of the copy, where `guards` hold and the array
 * has elements.
 */
function copyNest(
  program: Program,
  { array, copy, all, f, guards, around, threads }: Copying,
  way: 'in' | 'out',
): readonly LoopStmt[] {
  const names = f.extents.map((_, d) => `${copy.name}_d${d}`),
    at = coordinatesOf(copy.name, f)
  const loops: readonly Loop[] = [...around, ...names.map((n, d) => loop(n, int(f.extents[d]!), []))]
  const there = f.base.map((b, d) => addScaled(b, at[d]!, 1)),
    here = there.map((p, d) => affineExpr(addScaled(p, all.base[d]!, -1)))
  const signed = signedSizeNames(program)
  const conditions = [...guards, ...boundsGuards(array, f, at, guards, loops, signed).map((b) => b.holds)]
    .filter((g) => !holds(g, [], loops, signed))
    .map(conditionOf)
  const place = there.map((p) => affineExpr(p)),
    moved = way === 'in' ? store(copy, here, read(array, place)) : store(array, place, read(copy, here))
  return distributeCopy(
    way === 'in' ? `${copy.name}_in` : copy.name,
    f.extents,
    names,
    { threads },
    withGuard(conditions, [moved])[0]!,
  ) // one in, one out
}

/** `body` on the copy. */
function onCopy(body: readonly LoopStmt[], copy: ArrayDecl, f: Footprint): readonly LoopStmt[] {
  const offsets = new Map<readonly Expr[], readonly Expr[]>(f.sites.map((s) => [s.read.index, offsetIn(f, s)]))
  return placedElsewhere(body, (at) => {
    const index = offsets.get(at)
    return index && { array: copy.name, index }
  })
}
