// In: the computations of a program. Out: the same, loops of no canonical form whose iterations need nothing of each
// other in the order of memory: threads run along the last of them, whose neighbours touch neighbouring elements. The
// one idea: loop permutation for memory order (Kennedy and McKinley, 1992). Computations in canonical form are left
// alone, whose schedules choose by themselves; so are loops that must run in order.
import { inMemoryOrder } from '../../analysis/index.ts'
import { loopNests, nest, pass, perfectNest, type LoopStmt, type Nests, type Other } from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     size m = 64 min 1
//     array x: f32[n, m] in global
//     array y: f32[n, m] out global
//     array z: f32[n, m] out global
//     // no nest: it is not written as a nest
//     for j in 0 .. m {
//       for i in 0 .. n {
//         y[i, j] = x[i, j]
//         z[i, j] = y[i, j]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     size m = 64 min 1
//     array x: f32[n, m] in global
//     array y: f32[n, m] out global
//     array z: f32[n, m] out global
//     // no nest: it is not written as a nest
//     for i in 0 .. n {
//       for j in 0 .. m {
//         y[i, j] = x[i, j]
//         z[i, j] = y[i, j]
//       }
//     }
//   }
export const memoryOrder = pass<Nests>({
  name: 'memory-order',
  summary: 'of parallel loops around what is in no canonical form, that along neighbouring elements becomes the last',
  of: loopNests,
  run: (given) => {
    const parts = given.parts.map((p) => (p.kind === 'serial' ? ordered(given, p) : p))
    return parts.every((p, i) => p === given.parts[i]) ? given : { ...given, parts }
  },
})

function ordered({ program }: Nests, part: Other): Other {
  const outer = part.body.find((s) => s.kind === 'loop'),
    others = part.body.filter((s) => s !== outer)
  if (part.parallel < 2 || outer?.kind !== 'loop' || others.some((s) => s.kind !== 'declare')) return part
  const { loops, body } = perfectNest(outer),
    parallel = loops.slice(0, part.parallel),
    inner: readonly LoopStmt[] = nest(loops.slice(part.parallel), body)
  const made = inMemoryOrder(program, parallel, inner)
  return made === parallel ? part : { ...part, body: [...others, ...nest(made, inner)] }
}
