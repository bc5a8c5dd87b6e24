// In: a sum with few results side by side (the channels of a pixel, a matrix of 3 × 3 over many points). Out: a sum for
// each of them, made by the same threads. The one idea is full unrolling of a loop with few iterations (Bacon, Graham
// and Sharp, Compiler Transformations for High-Performance Computing, 1994, 6.3.2) around a long one: what the results
// read is loaded once.
import {
  constantExtent,
  int,
  literal,
  mapNestExprs,
  pass,
  substitute,
  type Loop,
  type Nest,
  type Other,
  type Program,
  type Regions,
  type Sums,
} from '../../ir/index.ts'
import { rowOf, sideBySide } from '../../analysis/index.ts'
import { mapRegions, partOfForm, regionsWithKernels, withRegions, type RegionContext } from './adjacent-fusion.ts'
import { joinedSums } from './sibling-fusion.ts'

/** Sums that a thread makes together. */
const mostResults = 32

// Before:
//
//   program p {
//     size n = 4096 min 1
//     array x: f32[n, 2] in global
//     array y: f32[2] out global
//     for c in 0 .. 2 {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. n {
//         s += x[j, c]
//       }
//       y[c] = s
//     }
//   }
//
// After:
//
//   program p {
//     size n = 4096 min 1
//     array x: f32[n, 2] in global
//     array y: f32[2] out global
//     // form: sums
//     declare s: f32[] temp private
//     s = 0.0f
//     for j in 0 .. n {
//       s += x[j, 0]
//     }
//     y[0] = s
//     declare s_1: f32[] temp private
//     s_1 = 0.0f
//     for j in 0 .. n {
//       s_1 += x[j, 1]
//     }
//     y[1] = s_1
//   }
export const resultUnrolling = pass<Regions, RegionContext>({
  name: 'result-unrolling',
  summary: 'a long sum with few results side by side is a sum for each, which the same threads make',
  of: regionsWithKernels,
  run: (given, { kernels }) => {
    const { program, regions } = given
    return withRegions(
      given,
      mapRegions(regions, (r) => {
        const form = r.kind === 'nest' ? sumsOf(program, r) : undefined
        return form && kernels.makesSums(program, form) ? partOfForm(program, form.nests, form) : r
      }),
    )
  },
})

/** A sum for each of the results side by side; `undefined` where there are none, or too many. */
function sumsOf(program: Program, part: Nest): Sums | undefined {
  const beside = sideBySide(part.parallel),
    count = beside.reduce((n, l) => n * constantExtent(l)!, 1) // they have one
  if (beside.length === 0 || count < 2 || count > mostResults || part.guard || !rowOf(part)) return undefined
  const [first, ...rest] = beside.reduce<readonly Nest[]>((nests, l) => nests.flatMap((n) => apart(n, l)), [part])
  let sums: Sums | undefined,
    before: Nest | Other = first! // there are several
  for (const next of rest) {
    sums = joinedSums(program, before, next)
    if (!sums) return undefined
    before = partOfForm(program, sums.nests, sums)
  }
  return sums
}

/** The nest for each iteration of one of its parallel loops, whose bounds are numbers. */
function apart(part: Nest, over: Loop): readonly Nest[] {
  const first = literal(over.lower)!,
    one = { ...part, parallel: part.parallel.filter((l) => l.name !== over.name) }
  return Array.from({ length: constantExtent(over)! }, (_, n) =>
    mapNestExprs(one, (e) => substitute(e, new Map([[over.name, int(first + n)]]))),
  )
}
