// In: the regions of a program. Out: the same, where sums over the same loops that use the same elements are one part,
// whose threads make all of them as they walk: what they share is loaded once. The one idea: neither needs the other,
// so their statements may take turns.
import {
  affineExpr,
  affineOf,
  loopsOfNest,
  literal,
  loopVar,
  read,
  eachExpr,
  exprKey,
  freshName,
  sameExpr,
  substitute,
  uses,
  pass,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type Program,
  type Nest,
  type Other,
  type Region,
  type Sums,
  type Regions,
} from '../../ir/index.ts'
import { mentions, rowOf, sectorElements } from '../../analysis/index.ts'
import { canonicalNest } from '../normalize/rebase.ts'
import { neverSame } from './elementwise-fusion.ts'
import { joinedNeighbours, partOfForm, regionsWithKernels, type RegionContext, withRegions } from './adjacent-fusion.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array x: f32[n, m] in global
//     array a: f32[n] out global
//     array b: f32[n] out global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. m {
//         s += x[i, j]
//       }
//       a[i] = s
//     }
//     for i2 in 0 .. n {
//       declare t: f32[] temp private
//       t = 0.0f
//       for j2 in 0 .. m {
//         t += x[i2, j2] * x[i2, j2]
//       }
//       b[i2] = t
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array x: f32[n, m] in global
//     array a: f32[n] out global
//     array b: f32[n] out global
//     // form: sums
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. m {
//         s += x[i, j]
//       }
//       a[i] = s
//     }
//     for i in 0 .. n {
//       declare t_1: f32[] temp private
//       t_1 = 0.0f
//       for j in 0 .. m {
//         t_1 += x[i, j] * x[i, j]
//       }
//       b[i] = t_1
//     }
//   }
export const siblingFusion = pass<Regions, RegionContext>({
  name: 'sibling-fusion',
  summary: 'sums over the same loops that use the same elements are made by the same threads',
  of: regionsWithKernels,
  run: (given, { kernels }) => {
    const { program, regions } = given
    return withRegions(
      given,
      withSums(program, regions, (form) => kernels.makesSums(program, form)),
    )
  },
})

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array x: f32[n, m] in global
//     array a: f32[n] out global
//     array b: f32[n] out global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. m {
//         s += x[i, j]
//       }
//       a[i] = s
//     }
//     for i2 in 0 .. n {
//       declare t: f32[] temp private
//       t = 0.0f
//       for j2 in 0 .. m {
//         t += x[i2, j2] * x[i2, j2]
//       }
//       b[i2] = t - a[i2] * a[i2]
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array x: f32[n, m] in global
//     array a: f32[n] out global
//     array b: f32[n] out global
//     array t_sum: f32[n] temp global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. m {
//         s += x[i, j]
//       }
//       a[i] = s
//     }
//     for i2 in 0 .. n {
//       declare t: f32[] temp private
//       t = 0.0f
//       for j2 in 0 .. m {
//         t += x[i2, j2] * x[i2, j2]
//       }
//       t_sum[i2] = t
//     }
//     for i2 in 0 .. n {
//       b[i2] = t_sum[i2] - a[i2] * a[i2]
//     }
//   }
/**
 * `regions` with such sums put together, also inside of loops of the host; `fits` says whether a schedule takes the
 * form.
 */
export const resultFission = pass<Regions, RegionContext>({
  name: 'result-fission',
  summary:
    'a sum whose result is made with that of the sum before it is stored as it is, and the result is made behind it',
  of: regionsWithKernels,
  run: (given, { kernels }) => withResultsApart(given, kernels.makesSums),
})

export const withSums = (
  program: Program,
  regions: readonly Region[],
  fits: (form: Sums) => boolean,
): readonly Region[] =>
  joinedNeighbours(regions, (before, next) => {
    const form = next.kind === 'nest' ? joinedSums(program, before, next) : undefined
    return form && fits(form) ? partOfForm(program, form.nests, form) : undefined
  })

/**
 * A sum whose result is made with that of a sum right before it, over the same loops (`q / n - (s / n) * (s / n)`),
 * stored as it is, and the result behind it: so that both sums may take turns.
 */
function withResultsApart(given: Regions, fits: (program: Program, form: Sums) => boolean): Regions {
  let { program } = given
  const out: Region[] = []
  for (const r of given.regions) {
    const before = out[out.length - 1],
      two = r.kind === 'nest' && before && before.kind !== 'host' ? resultApart(program, before, r) : undefined
    const form = two && before!.kind !== 'host' && joinedSums(two.program, before as Nest | Other, two.sum)
    if (!two || !form || !fits(two.program, form)) {
      out.push(r)
      continue
    }
    program = two.program
    out.push(two.sum, two.result)
  }
  return program === given.program ? given : { program, regions: out }
}

/**
 * `next` as its sum, in a temporary, and what is made of it; `undefined` when it uses nothing that the nest before
 * stores at its own place.
 */
function resultApart(
  program: Program,
  before: Nest | Other,
  next: Nest,
): { readonly program: Program; readonly sum: Nest; readonly result: Nest } | undefined {
  const r = next.reduction,
    stored = before.kind === 'nest' && before.reduction ? before.out.array.name : undefined
  if (
    !r ||
    next.guard ||
    !stored ||
    next.parallel.some((l) => literal(l.lower) !== 0 || l.step !== 1) ||
    !mentions([next.out.value], stored) ||
    mentions([r.value, r.init, ...(r.guard ? [r.guard] : [])], stored)
  )
    return undefined
  const temp: ArrayDecl = {
    ...r.into,
    name: freshName(program, `${r.into.name}_sum`),
    shape: next.parallel.map((l) => l.upper),
    role: 'temp',
    space: 'global',
  }
  const index = next.parallel.map((l) => loopVar(l.name)),
    made = read(temp, index)
  const value = replaceReads(next.out.value, r.into.name, made)
  return {
    program: { ...program, arrays: [...program.arrays, temp] },
    sum: { ...next, out: { array: temp, index, value: read(r.into, []) } },
    result: {
      kind: 'nest',
      parallel: next.parallel,
      guard: undefined,
      reduction: undefined,
      out: { ...next.out, value },
    },
  }
}

/** `next` behind `before`, a sum or several; `undefined` where they are over other loops or share nothing. */
export function joinedSums(program: Program, before: Nest | Other, next: Nest): Sums | undefined {
  const first =
      before.kind === 'nest'
        ? [sumOf(program, before)]
        : before.kind === 'idiom' && before.form.kind === 'sums'
          ? before.form.nests
          : [],
    last = sumOf(program, next)
  const [head] = first
  if (!head || !last || first.some((n) => !n)) return undefined
  const nests = first as readonly Nest[],
    own = renamed(program, head, last, nests.length) // asked just now
  return own && nests.every((n) => areFree(n, own)) && nests.some((n) => share(n, own))
    ? { kind: 'sums', nests: [...nests, own] }
    : undefined
}

function sumOf(program: Program, part: Nest): Nest | undefined {
  const nest = part.reduction && !part.before && !part.guard ? canonicalNest(program, part) : undefined
  return nest?.guard ? undefined : nest
}

/** `next` over the loops of `head`, with an accumulator of its own; `undefined` when it has others. */
function renamed(program: Program, head: Nest, next: Nest, position: number): Nest | undefined {
  const own = loopsOfNest(head),
    others = loopsOfNest(next),
    r = next.reduction! // both are sums
  if (own.length !== others.length || head.parallel.length !== next.parallel.length) return undefined
  const by = new Map(others.map((l, i) => [l.name, loopVar(own[i]!.name)])),
    into: ArrayDecl = { ...r.into, name: freshName(program, `${r.into.name}_${position}`) } // as many
  if (
    !own.every(
      (l, i) =>
        sameExpr(l.lower, substitute(others[i]!.lower, by)) && sameExpr(l.upper, substitute(others[i]!.upper, by)),
    )
  )
    return undefined
  const f = (e: Expr): Expr =>
    substitute(
      replaceReads(e, r.into.name, (x) => ({ ...x, array: into.name })),
      by,
    )
  return {
    ...next,
    parallel: head.parallel,
    out: { ...next.out, index: next.out.index.map(f), value: f(next.out.value) },
    reduction: {
      ...r,
      loops: head.reduction!.loops,
      guard: r.guard && f(r.guard),
      init: f(r.init),
      value: f(r.value),
      into,
    },
  }
}

/**
 * Whether neither sum uses what the other stores (`b`, which comes later, also its accumulator), and both use an
 * element that the loops of the sum choose.
 */
export const takeTurns = (a: Nest, b: Nest): boolean => areFree(a, b) && share(a, b)

function areFree(a: Nest, b: Nest): boolean {
  const apart = a.out.array.name !== b.out.array.name || a.out.index.some((e, d) => neverSame(e, b.out.index[d]!))
  return (
    apart &&
    !readsOf(a).arrays.has(b.out.array.name) &&
    ![a.out.array, a.reduction!.into].some((own) => readsOf(b).arrays.has(own.name))
  ) // a sum
}

/**
 * Group-temporal reuse, or group-spatial reuse (Wolf and Lam, A Data Locality Optimizing Algorithm, 1991) of sums along
 * rows; windows of neighbours, whose bytes may be stored as words, are what `maps` are for.
 */
function share(a: Nest, b: Nest): boolean {
  const terms = readsOf(b).terms,
    near = rowOf(b) ? sectorElements : 1
  return readsOf(a).terms.some((t) => terms.some((u) => t.key === u.key && Math.abs(t.constant - u.constant) < near))
}

interface Reads {
  readonly arrays: ReadonlySet<string>
  /** Elements that loops of the sum choose: what all subscripts are but for the constant of the last, and that. */
  readonly terms: readonly { readonly key: string; readonly constant: number }[]
}

function readsOf(n: Nest): Reads {
  const arrays = new Set<string>(),
    terms: { key: string; constant: number }[] = [],
    r = n.reduction! // it is a sum
  const look = (e: Expr, areTerms = false): void =>
    eachExpr(e, (x) => {
      if (x.kind !== 'read') return
      arrays.add(x.array)
      if (!areTerms || !r.loops.some((l) => x.index.some((i) => uses(i, l.name)))) return
      const last = x.index[x.index.length - 1]!, // it has one with a loop
        affine = affineOf(last),
        constant = affine?.constant ?? 0
      const index = [...x.index.slice(0, -1), affine ? affineExpr({ ...affine, constant: 0 }) : last]
      terms.push({ key: `${x.array} ${index.map(exprKey).join()}`, constant })
    })
  for (const e of [r.init, n.out.value, ...n.out.index, ...r.loops.flatMap((l) => [l.lower, l.upper])]) look(e)
  for (const e of [r.value, ...(r.guard ? [r.guard] : [])]) look(e, true)
  return { arrays, terms }
}
