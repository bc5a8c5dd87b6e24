// In: the regions of a program. Out: the same, where neighbouring computations of single elements over the same loops
// that use the same arrays are one part, whose threads make the elements of all. The one idea: what one iteration of
// several such nests uses of each other lies at the same place, or where none of them is at all, so that a thread may
// do one after the other.
import {
  affineOf,
  addScaled,
  bytesOf,
  gcd,
  loopVar,
  type Expr,
  type Program,
  nestProgram,
  type Maps,
  type Nest,
  type Other,
  type Region,
  constantExtent,
  eachExpr,
  sameExpr,
  substitute,
  pass,
  type Regions,
} from '../../ir/index.ts'
import { joinedNeighbours, partOfForm, regionsWithKernels, type RegionContext, withRegions } from './adjacent-fusion.ts'
import { rectangular } from '../normalize/bounding-box.ts'
import { hasLoop } from '../../analysis/index.ts'
import { computedIn } from '../expansion/input-copy.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array x: f32[n, m] in global
//     array a: f32[n, m] out global
//     array b: f32[n, m] out global
//     for i in 0 .. n {
//       for j in 0 .. m {
//         a[i, j] = x[i, j] * 2.0f
//       }
//     }
//     for i2 in 0 .. n {
//       for j2 in 0 .. m {
//         b[i2, j2] = x[i2, j2] + a[i2, j2]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array x: f32[n, m] in global
//     array a: f32[n, m] out global
//     array b: f32[n, m] out global
//     // form: maps
//     for i in 0 .. n {
//       for j in 0 .. m {
//         a[i, j] = x[i, j] * 2.0f
//       }
//     }
//     for i in 0 .. n {
//       for j in 0 .. m {
//         b[i, j] = x[i, j] + a[i, j]
//       }
//     }
//   }
export const elementwiseFusion = pass<Regions, RegionContext>({
  name: 'elementwise-fusion',
  summary: 'neighbouring computations of single elements over the same loops are made by the same threads',
  of: regionsWithKernels,
  run: (given, { kernels }) => {
    const { program, regions } = given
    return withRegions(
      given,
      withMaps(program, regions, (form) => kernels.makesMaps(program, form)),
    )
  },
})

/** Storage arrays that every device of WebGPU binds for one kernel. */
const mostArrays = 8
/** Nests in one kernel: what one more would spare is little, and each is tried with all before it. */
const mostNests = 64

/**
 * `regions` with such nests put together, also inside of loops of the host; `fits` says whether a schedule takes the
 * form.
 */
export const withMaps = (
  program: Program,
  regions: readonly Region[],
  fits: (form: Maps) => boolean,
): readonly Region[] =>
  joinedNeighbours(regions, (before, next) => {
    const joined = next.kind === 'nest' ? joinedMaps(before, next) : undefined
    return joined && fits(joined) ? partOfForm(program, joined.nests, joined) : joinedSingles(program, before, next)
  })

/** Both for one thread, if neither has loops. */
function joinedSingles(program: Program, before: Nest | Other, next: Nest | Other): Other | undefined {
  const bodies = [before, next].map((p) =>
    p.kind === 'nest' ? nestProgram(program, p).body : p.kind === 'idiom' || p.parallel > 0 ? undefined : p.body,
  )
  const body = bodies.flatMap((b) => b ?? [])
  return bodies.some((b) => !b || b.some(hasLoop))
    ? undefined
    : { kind: 'serial', body, why: 'it has no loop', parallel: 0 }
}

/** Both as one form, if each iteration may do what both do there, and memory is spared by that. */
function joinedMaps(before: Nest | Other, next: Nest): Maps | undefined {
  const first =
      before.kind === 'nest'
        ? [mapOf(before)]
        : before.kind === 'idiom' && before.form.kind === 'maps'
          ? before.form.nests
          : [],
    last = mapOf(next)
  const [head] = first
  if (!head || !last || !areMaps(first) || first.length === mostNests) return undefined
  const own = overLoopsOf(head, last)
  if (own && [...first, own].some((n) => n.reduction) && !first.every((n) => isBeside(n, own))) return undefined
  if (!own || !first.every((n) => areApart(n, own)) || !first.some((n) => meet(n, own))) return undefined
  const nests = [...first, own]
  return new Set(nests.flatMap((n) => placesOf(n).map((p) => p.array))).size <= mostArrays
    ? { kind: 'maps', nests }
    : undefined
}

const areMaps = (nests: readonly (Nest | undefined)[]): nests is readonly Nest[] => nests.every((n) => n !== undefined)

/** The nest with loops from 0, if it computes single elements, or sums over small windows for bytes. */
const mapOf = (n: Nest): Nest | undefined =>
  n.before || n.parallel.length === 0 || (n.reduction && !isSmallWindow(n)) ? undefined : rectangular(n)

/** Most iterations of a window that is written out. */
const largestWindow = 81

const isSmallWindow = ({ reduction: r, out }: Nest): boolean =>
  r !== undefined &&
  bytesOf[out.array.type] < 4 &&
  r.loops.reduce((n, l) => n * (constantExtent(l) ?? Infinity), 1) <= largestWindow

/** Both store members of the same structure, whose words they would share. */
const isBeside = (a: Nest, b: Nest): boolean =>
  a.out.array.name === b.out.array.name &&
  alike({ array: '', index: a.out.index, written: true }, { array: '', index: b.out.index, written: true })

/** `next` over the loops of `head`; `undefined` when it has others. */
function overLoopsOf(head: Nest, next: Nest): Nest | undefined {
  if (
    head.parallel.length !== next.parallel.length ||
    !head.parallel.every((l, i) => sameExpr(l.upper, next.parallel[i]!.upper))
  )
    return undefined
  const by = new Map(next.parallel.map((l, i) => [l.name, loopVar(head.parallel[i]!.name)])) // as many
  const f = (e: Expr): Expr => substitute(e, by)
  const r = next.reduction
  return {
    ...next,
    parallel: head.parallel,
    guard: next.guard && f(next.guard),
    reduction: r && {
      ...r,
      loops: r.loops.map((l) => ({ ...l, lower: f(l.lower), upper: f(l.upper) })),
      init: f(r.init),
      value: f(r.value),
      guard: r.guard && f(r.guard),
    },
    out: { ...next.out, index: next.out.index.map(f), value: f(next.out.value) },
  }
}

interface Place {
  readonly array: string
  readonly index: readonly Expr[]
  readonly written: boolean
}

/** All that the nest uses of memory. */
function placesOf(n: Nest): readonly Place[] {
  const { out } = n,
    found: Place[] = [{ array: out.array.name, index: out.index, written: true }]
  for (const e of [...computedIn(n), ...out.index])
    eachExpr(e, (x) => {
      if (x.kind === 'read') found.push({ array: x.array, index: x.index, written: false })
    })
  return found
}

/**
 * Whether what one writes and the other uses is in each case the element of the same iteration, or never the same
 * element.
 */
const areApart = (a: Nest, b: Nest): boolean =>
  placesOf(a).every((p) =>
    placesOf(b).every(
      (q) =>
        p.array !== q.array ||
        (!p.written && !q.written) ||
        samePlace(p, q) ||
        p.index.some((e, d) => neverSame(e, q.index[d]!)),
    ),
  )

const samePlace = (p: Place, q: Place): boolean => p.index.every((e, d) => sameExpr(e, q.index[d]!))

/**
 * Different numbers whatever the loops do, in the same iteration or another: members of a structure, channels of a
 * pixel (`3 i`, `3 k + 1`: what divides all factors divides no difference).
 */
export function neverSame(a: Expr, b: Expr): boolean {
  const [x, y] = [affineOf(a), affineOf(b)]
  if (!x || !y) return false
  const common = [...x.terms.values(), ...y.terms.values()].reduce(gcd, 0),
    apart = x.constant - y.constant
  return common === 0 ? apart !== 0 : apart % common !== 0
}

/** Whether both use some array with more than one element, at places that lie close. */
const meet = (a: Nest, b: Nest): boolean =>
  placesOf(a).some((p) => placesOf(b).some((q) => p.array === q.array && p.index.length > 0 && alike(p, q)))

const alike = (p: Place, q: Place): boolean =>
  samePlace(p, q) ||
  p.index.every((e, d) => {
    const [x, y] = [affineOf(e), affineOf(q.index[d]!)]
    return x !== undefined && y !== undefined && addScaled(x, y, -1).terms.size === 0
  })
