// In: the computations of a program. Out: the same, where a condition between two parallel loops of no canonical form
// stands inside of the inner one, so that both are dealt out to threads. The one idea: code sinking into a perfect nest
// (Wolfe, *High Performance Compilers for Parallel Computing*, 1996): a thread asks once, and all loops are one space
// of iterations. Conditions that read arrays stay where they are.
import { outerLoops } from '../../analysis/index.ts'
import {
  guardedNest,
  loopNests,
  nestWithGuards,
  pass,
  readsArray,
  type GuardedNest,
  type LoopStmt,
  type Nests,
  type Other,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n, 32] in global
//     array y: f32[n, 32] out global
//     array z: f32[n, 32] out global
//     // no nest: it is not written as a nest
//     for i in 0 .. n {
//       if i % 2 == 0 {
//         for j in 0 .. 32 {
//           y[i, j] = x[i, j]
//           z[i, j] = y[i, j]
//         }
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n, 32] in global
//     array y: f32[n, 32] out global
//     array z: f32[n, 32] out global
//     // no nest: it is not a single assignment or reduction inside parallel loops
//     for i in 0 .. n {
//       for j in 0 .. 32 {
//         if i % 2 == 0 {
//           y[i, j] = x[i, j]
//           z[i, j] = y[i, j]
//         }
//       }
//     }
//   }
export const perfectNesting = pass<Nests>({
  name: 'perfect-nesting',
  summary: 'conditions between parallel loops around what is in no canonical form are asked inside of all of them',
  of: loopNests,
  run: (given) => {
    const parts = given.parts.map((p) => (p.kind === 'serial' ? sunk(given, p) : p))
    return parts.every((p, i) => p === given.parts[i]) ? given : { ...given, parts }
  },
})

function sunk({ program }: Nests, part: Other): Other {
  const outer = part.body.find((s) => s.kind === 'loop'),
    others = part.body.filter((s) => s !== outer)
  if (part.parallel < 1 || outer?.kind !== 'loop' || others.some((s) => s.kind !== 'declare')) return part
  const levels = guardedNest(outer, (g) => !readsArray(g))
  // Conditions go in as far as the loops are parallel: further in, one thread would ask again and again.
  for (let depth = levels.loops.length; depth > part.parallel; depth--) {
    if (!levels.guards.slice(0, depth - 1).some((g) => g.length > 0)) return part
    const body = [...others, ...withGuardsAt(depth, levels)],
      found = outerLoops({ ...program, body })
    if (found.parallel >= depth) return { ...part, body, ...found }
  }
  return part
}

/** The nest with what is asked outside of the `depth`-th loop right inside of it. */
const withGuardsAt = (depth: number, levels: GuardedNest): readonly LoopStmt[] =>
  nestWithGuards({
    ...levels,
    guards: levels.guards.map((g, i) => (i >= depth ? g : i === depth - 1 ? levels.guards.slice(0, depth).flat() : [])),
  })
