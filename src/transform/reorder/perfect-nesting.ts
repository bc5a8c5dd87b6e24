// In: the computations of a program. Out: the same, where a condition between two parallel loops of no canonical form
// stands inside of the inner one, so that both are dealt out to threads. The one idea: code sinking into a perfect nest
// (Wolfe, *High Performance Compilers for Parallel Computing*, 1996): a thread asks once, and all loops are one space
// of iterations. Conditions that read arrays stay where they are.
import { outerLoops } from '../../analysis/index.ts'
import {
  loopNests,
  nest,
  pass,
  peelGuard,
  readsArray,
  withGuard,
  type Expr,
  type Loop,
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
//     // no nest: it is no single assignment or reduction inside parallel loops
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
    const parts = given.parts.map((p) => (p.kind === 'other' && !p.form ? sunk(given, p) : p))
    return parts.every((p, i) => p === given.parts[i]) ? given : { ...given, parts }
  },
})

function sunk({ program }: Nests, part: Other): Other {
  const outer = part.body.find((s) => s.kind === 'loop'),
    others = part.body.filter((s) => s !== outer)
  if (part.parallel < 1 || outer?.kind !== 'loop' || others.some((s) => s.kind !== 'declare')) return part
  const levels = guardedNest(outer)
  // Conditions go in as far as the loops are parallel: further in, one thread would ask again and again.
  for (let depth = levels.loops.length; depth > part.parallel; depth--) {
    if (!levels.guards.slice(0, depth - 1).some((g) => g.length > 0)) return part
    const body = [...others, ...withGuardsAt(depth, levels)],
      found = outerLoops({ ...program, body })
    if (found.parallel >= depth) return { ...part, body, ...found }
  }
  return part
}

/** Loops one in the other, from the outermost on; `guards[i]` stands right inside of `loops[i]`. */
interface GuardedNest {
  readonly loops: readonly Loop[]
  readonly guards: readonly (readonly Expr[])[]
  readonly body: readonly LoopStmt[]
}

/** The chain of loops that starts with `outer`, as far as the conditions between them read no arrays. */
function guardedNest(outer: Loop): GuardedNest {
  const loops: Loop[] = [],
    guards: (readonly Expr[])[] = []
  let body: readonly LoopStmt[] = [outer]
  for (let only = body[0]; body.length === 1 && only?.kind === 'loop'; only = body[0]) {
    const peeled = peelGuard(only.body),
      isPlain = !peeled.guard.some(readsArray)
    loops.push(only)
    guards.push(isPlain ? peeled.guard : [])
    body = isPlain ? peeled.body : only.body
  }
  return { loops, guards, body }
}

/** The nest with what is asked outside of the `depth`-th loop right inside of it. */
function withGuardsAt(depth: number, { loops, guards, body }: GuardedNest): readonly LoopStmt[] {
  let inner = body
  for (let i = loops.length - 1; i >= depth; i--) inner = nest([loops[i]!], withGuard(guards[i]!, inner))
  return nest(loops.slice(0, depth), withGuard(guards.slice(0, depth).flat(), inner))
}
