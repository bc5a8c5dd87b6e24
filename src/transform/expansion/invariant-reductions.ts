// In: a program. Out: the same, where a long sum that does not depend on some of the loops around it (the length of a
// row, computed for each pair of rows) is computed once, before these loops. The one idea is loop-invariant code motion
// of a whole reduction: its results become an array with an element for each iteration of the loops that it depends on.
import {
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  claimName,
  extreme,
  hasOnlySizes,
  implies,
  loopIR,
  loopVar,
  mapBody,
  namesOf,
  nest,
  ownExprs,
  pass,
  perfectNest,
  plus,
  readsIn,
  sets,
  sizeDomain,
  storedIn,
  varsOf,
  withGuard,
  type ArrayDecl,
  type Constraint,
  type Declare,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { planned, plannedBound, readsOf } from '../../analysis/index.ts'
import { arraysOf } from '../fission/loop-distribution.ts'
import { onElements } from './ragged-scalar-expansion.ts'
import { isAffordable, isPlain } from './scalar-expansion.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     size m = 64 min 1
//     size d = 64 min 1
//     array a: f32[n, d] in global
//     array b: f32[m, d] in global
//     array y: f32[n, m] out global
//     for i in 0 .. n {
//       for j in 0 .. m {
//         declare s: f32[] temp private
//         s = 0.0f
//         declare l: f32[] temp private
//         l = 1.0f
//         for k in 0 .. d {
//           s += a[i, k] * b[j, k]
//           l += a[i, k] * a[i, k]
//         }
//         y[i, j] = s / l
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     size m = 64 min 1
//     size d = 64 min 1
//     array a: f32[n, d] in global
//     array b: f32[m, d] in global
//     array y: f32[n, m] out global
//     array l2: f32[n] temp global
//     for i in 0 .. n {
//       l2[i] = 1.0f
//       for k in 0 .. d {
//         l2[i] += a[i, k] * a[i, k]
//       }
//     }
//     for i in 0 .. n {
//       for j in 0 .. m {
//         declare s: f32[] temp private
//         s = 0.0f
//         for k in 0 .. d {
//           s += a[i, k] * b[j, k]
//         }
//         y[i, j] = s / l2[i]
//       }
//     }
//   }
export const invariantReductions = pass({
  name: 'invariant-reductions',
  summary: 'a long sum that some loops around do not change is made once for all of their iterations',
  of: loopIR,
  run: withoutInvariants,
})

/** `given` with such sums in front of the loops. */
export function withoutInvariants(given: Program): Program {
  const taken = namesOf(given),
    arrays = [...given.arrays]
  const body = given.body.flatMap((s): readonly LoopStmt[] => {
    if (s.kind !== 'loop') return [s]
    const before: LoopStmt[] = []
    let now: Loop | undefined = s
    while (now) {
      const found = invariant({ ...given, arrays }, now)
      if (!found) break
      const made = hoisted(now, found, claimName(taken, found.scalar.array.name))
      arrays.push(made.array)
      before.push(...made.nest)
      now = made.rest
    }
    return [...before, ...(now ? [now] : [])]
  })
  return arrays.length === given.arrays.length ? given : { ...given, arrays, body }
}

/** Terms of a sum, and iterations that share it, from which on an array of sums pays. */
const manyTerms = 8,
  manyShare = 4

interface Invariant {
  readonly scalar: Declare
  readonly init: Store
  readonly sum: Store
  /** Loops and conditions around the sum, in the innermost of the loops around. */
  readonly chain: readonly LoopStmt[]
  /** Loops around that it uses. */
  readonly loops: readonly Loop[]
}

/** A sum in the innermost of the perfectly nested loops of `l` that some of them do not change. */
function invariant(program: Program, l: Loop): Invariant | undefined {
  const { loops, body } = perfectNest(l),
    written = new Set(storedIn([l]))
  if (loops.length < 2) return undefined
  for (const scalar of body) {
    if (scalar.kind !== 'declare' || scalar.array.shape.length > 0 || scalar.array.space !== 'private') continue
    const found = sumOf(body, scalar)
    if (!found) continue
    const used = new Set(
        [found.init, found.sum, ...found.chain].flatMap((s) => ownExprs(s)).flatMap((e) => [...varsOf(e)]),
      ),
      needed = loops.filter((x) => used.has(x.name)),
      own = boxed(program, loops, needed),
      inner = found.chain.flatMap((s) => (s.kind === 'loop' ? [s] : []))
    const isApart = [found.init, found.sum, ...found.chain].every((s) =>
      readsOf(ownExprs(s)).every((r) => !written.has(r.array)),
    )
    if (!own) continue
    const names = new Set([...own, ...inner].map((x) => x.name)),
      terms = inner.every(isPlain) ? inner.reduce((n, x) => n * extent(program, x), 1) : 0,
      shares = loops.filter((x) => !needed.includes(x)).reduce((n, x) => n * mostOf(program, x, loops), 1)
    if (
      isApart &&
      own.length > 0 &&
      [...used].every((n) => names.has(n)) &&
      terms >= manyTerms &&
      shares >= manyShare &&
      isAffordable(
        program,
        own.reduce((n, x) => n * extent(program, x), 1),
      )
    )
      return { ...found, scalar, loops: own }
  }
  return undefined
}

/**
 * `own` of the loops around, in bounds that no other one decides, which are reached and no more: each index of theirs
 * is one of some iteration, as the others are not empty. Undefined where that is not known.
 */
function boxed(program: Program, loops: readonly Loop[], own: readonly Loop[]): readonly Loop[] | undefined {
  const others = loops.filter((x) => !own.includes(x)),
    boxes = own.map((x) => (isPlain(x) ? x : unionOf(program, x, others)))
  if (!boxes.every((x) => x !== undefined)) return undefined
  const plain = own.filter(isPlain)
  return others.every((x) => isPlain(x) || isSome(program, x, plain)) ? boxes : undefined
}

/** A loop over all that `l` runs through, whose ends move by one with one of `others`. */
function unionOf(program: Program, l: Loop, others: readonly Loop[]): Loop | undefined {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  if (!lower || !upper || l.step !== 1) return undefined
  const moving = [...lower.terms, ...upper.terms].filter(([name]) => !name.startsWith('$')),
    outer = others.find((x) => x.name === moving[0]?.[0])
  if (!outer || !isPlain(outer) || !moving.every(([name, c]) => name === outer.name && Math.abs(c) === 1))
    return undefined
  const first = extreme(lower, [outer], 'low'),
    end = extreme(upper, [outer], 'high')
  const known = sizeDomain(program).constraints
  if (!first || !end || !implies(known, first) || !implies(known, plus(end, -1))) return undefined
  return { ...l, lower: affineExpr(first), upper: affineExpr(end) }
}

/** Whether the loop has an iteration wherever `around` have one, which alone decide that. */
function isSome(program: Program, l: Loop, around: readonly Loop[]): boolean {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  if (!lower || !upper || l.step !== 1) return false
  const known = around.flatMap((x): Constraint[] => {
    const at = affineName(x.name)
    // they are plain
    return [{ form: addScaled(at, affineOf(x.lower)!, -1) }, { form: plus(addScaled(affineOf(x.upper)!, at, -1), -1) }]
  })
  return implies([...sizeDomain(program).constraints, ...known], plus(addScaled(upper, lower, -1), -1))
}

/** The most iterations that a loop has at the planned sizes. */
function mostOf(program: Program, l: Loop, around: readonly Loop[]): number {
  if (isPlain(l)) return extent(program, l)
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper),
    most = lower && upper && extreme(addScaled(upper, lower, -1), around.filter(isPlain), 'high')
  return most && hasOnlySizes(most) ? plannedBound(program, affineExpr(most)) : 0
}

const extent = (program: Program, l: Loop): number => planned(program, l.lower, l.upper, l.step)

/** Where a local begins, and the one sum that it is; all else reads it behind. */
function sumOf(
  body: readonly LoopStmt[],
  { array: { name } }: Declare,
): Omit<Invariant, 'scalar' | 'loops'> | undefined {
  const users = body.filter((s) => arraysOf(s).has(name)),
    [init, summing, ...behind] = users
  if (init?.kind !== 'store' || init.array !== name || init.reduce || summing?.kind !== 'loop') return undefined
  if (sets(behind, name) || readsIn([summing]).some((r) => r.array === name)) return undefined
  let found: { readonly sum: Store; readonly chain: readonly LoopStmt[] } | undefined,
    count = 0
  const visit = (s: LoopStmt, chain: readonly LoopStmt[]): void => {
    if (s.kind === 'store' && s.array === name) {
      count++
      if (s.reduce) found = { sum: s, chain }
    } else if (s.kind === 'loop') s.body.forEach((x) => visit(x, [...chain, s]))
    else if (s.kind === 'if') {
      s.then.forEach((x) => visit(x, [...chain, s]))
      if (sets(s.else, name)) count++ // it is no chain
    }
  }
  visit(summing, [])
  return found && count === 1 ? { init, ...found } : undefined
}

/** The sum as a nest of its own that fills an array, and the loop without it. */
function hoisted(
  l: Loop,
  { scalar, init, sum, chain, loops }: Invariant,
  name: string,
): { readonly array: ArrayDecl; readonly nest: readonly LoopStmt[]; readonly rest: Loop | undefined } {
  const array: ArrayDecl = {
      ...scalar.array,
      name,
      shape: loops.map((x) => x.upper),
      role: 'temp',
      space: 'global',
    },
    index = loops.map((x) => loopVar(x.name))
  const inner = chain.reduceRight<readonly LoopStmt[]>(
      (inside, s) =>
        s.kind === 'loop' ? [{ ...s, body: inside }] : s.kind === 'if' ? withGuard([s.condition], inside) : inside,
      [sum],
    ),
    onArray = (body: readonly LoopStmt[]): readonly LoopStmt[] => onElements(body, scalar.array, array, index)
  const without = mapBody([l], (s) => {
    if (s === scalar || s === init || s === sum) return []
    const isEmpty =
      (s.kind === 'loop' && s.body.length === 0) || (s.kind === 'if' && s.then.length + s.else.length === 0)
    return isEmpty ? [] : undefined
  })
  return {
    array,
    nest: nest(loops, onArray([init, ...inner])),
    rest: onArray(without)[0] as Loop | undefined, // nothing where nobody reads the sum
  }
}
