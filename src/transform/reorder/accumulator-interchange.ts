// In: the computations of a program. Out: the same, where one thread has a local row of sums: the loop over the row
// stands inside of the loops over terms. The one idea: loop distribution and interchange for reuse in registers (Wolf
// and Lam, *A Data Locality Optimizing Algorithm*, 1991): what all sums of the row read is loaded once for all of them,
// and the conditions of a term are asked once. Each sum takes its terms in the order that it had.
import {
  affineOf,
  constantExtent,
  eachStmt,
  guardedNest,
  loopNests,
  mapBody,
  nestWithGuards,
  pass,
  readsArray,
  uses,
  type Loop,
  type LoopStmt,
  type Nests,
  type Store,
} from '../../ir/index.ts'
import { mentions, sameIndex } from '../../analysis/index.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n, 32] in global
//     array w: f32[8, 32] in global
//     array y: f32[n, 8] out global
//     array z: f32[n, 8] out global
//     // no nest: it is not written as a nest
//     for i in 0 .. n {
//       declare t: f32[8] temp private
//       for o in 0 .. 8 {
//         t[o] = 0.0f
//         for k in 0 .. 32 {
//           t[o] += x[i, k] * w[o, k]
//         }
//       }
//       for o in 0 .. 8 {
//         y[i, o] = t[o]
//         z[i, o] = t[7 - o]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n, 32] in global
//     array w: f32[8, 32] in global
//     array y: f32[n, 8] out global
//     array z: f32[n, 8] out global
//     // no nest: it is not written as a nest
//     for i in 0 .. n {
//       declare t: f32[8] temp private
//       for o in 0 .. 8 {
//         t[o] = 0.0f
//       }
//       for k in 0 .. 32 {
//         for o in 0 .. 8 {
//           t[o] += x[i, k] * w[o, k]
//         }
//       }
//       for o in 0 .. 8 {
//         y[i, o] = t[o]
//         z[i, o] = t[7 - o]
//       }
//     }
//   }
export const accumulatorInterchange = pass<Nests>({
  name: 'accumulator-interchange',
  summary: 'a local row of sums takes a term at a time for all of its sums, so that these share what they read',
  of: loopNests,
  run: (given) => {
    const parts = given.parts.map((p) => {
      if (p.kind !== 'serial') return p
      const body = interchanged(p.body)
      return body === p.body ? p : { ...p, body }
    })
    return parts.every((p, i) => p === given.parts[i]) ? given : { ...given, parts }
  },
})

/** Most sums of a row that a thread keeps in registers. */
const mostSums = 32

function interchanged(given: readonly LoopStmt[]): readonly LoopStmt[] {
  const locals = new Set<string>()
  eachStmt(given, (s) => {
    if (s.kind === 'declare' && s.array.space === 'private') locals.add(s.array.name)
  })
  return mapBody(given, (s) => (s.kind === 'loop' ? rowOfSums(s, locals) : undefined))
}

/** `for o { t[o] = …  nest { t[o] += … } }` as two loops, the second with `o` innermost. */
function rowOfSums(row: Loop, locals: ReadonlySet<string>): readonly LoopStmt[] | undefined {
  const [start, sums, more] = row.body,
    count = constantExtent(row)
  if (start?.kind !== 'store' || start.reduce || !sums || more || count === undefined || count > mostSums)
    return undefined
  if (!locals.has(start.array) || !isOwnElement(start, row) || mentions([start.value], start.array)) return undefined
  if (sums.kind !== 'loop') return undefined
  const terms = guardedNest(sums),
    { loops, guards } = terms,
    [store, beside] = terms.body
  if (
    store?.kind !== 'store' ||
    !store.reduce ||
    beside ||
    store.array !== start.array ||
    !sameIndex(store.index, start.index)
  )
    return undefined
  if (mentions([store.value, ...guards.flat()], start.array)) return undefined
  const shared = [...loops.flatMap((l) => [l.lower, l.upper]), ...guards.flat()]
  if (shared.some((e) => uses(e, row.name) || mentions([e], start.array))) return undefined
  const inner: LoopStmt = { ...row, body: [store] }
  return [{ ...row, body: [start] }, ...nestWithGuards({ ...terms, body: [inner] })]
}

/** One dimension is the loop, the others stand still: no two iterations meet. */
const isOwnElement = (s: Store, row: Loop): boolean =>
  s.index.some((e) => affineOf(e)?.terms.size === 1 && uses(e, row.name)) && !s.index.some(readsArray)
