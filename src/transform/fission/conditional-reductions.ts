// In: the computations of a program. Out: the same, where sums under a condition that no loop of theirs changes are
// made in two: the sum of what it lets through, and what comes of it where it holds. The one idea: threads that share a
// sum must all be there, while a store may be left out.
import {
  constant,
  insideLoops,
  isAtLeast,
  read,
  identityOf,
  reduced,
  conjuncts,
  conjunction,
  freshName,
  readsArray,
  uses,
  pass,
  loopNests,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type Program,
  type Nest,
  type Other,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array A: f32[n, m] in global
//     array B: f32[m, n] in global
//     array C: f32[n, n] inout global
//     for i in 0 .. n {
//       if A[0, 0] > 0.0f {
//         declare s: f32[] temp private
//         s = C[i, 0]
//         for k in 0 .. m {
//           s += A[i, k]
//         }
//         C[i, 0] = s
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array A: f32[n, m] in global
//     array B: f32[m, n] in global
//     array C: f32[n, n] inout global
//     array C_terms: f32[n, n] temp global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for k in 0 .. m {
//         if A[0, 0] > 0.0f {
//           s += A[i, k]
//         }
//       }
//       C_terms[i, 0] = s
//     }
//     for i in 0 .. n {
//       if A[0, 0] > 0.0f {
//         C[i, 0] = C[i, 0] + C_terms[i, 0]
//       }
//     }
//   }
export const conditionalReductions = pass({
  name: 'conditional-reductions',
  summary: 'a sum under a condition that its loops do not change is taken without it, which is asked at the store',
  of: loopNests,
  run: conditionalSums,
})

export function conditionalSums(given: { readonly program: Program; readonly parts: readonly (Nest | Other)[] }): {
  readonly program: Program
  readonly parts: readonly (Nest | Other)[]
} {
  let { program } = given
  const parts = given.parts.flatMap((part): readonly (Nest | Other)[] => {
    const made = part.kind === 'nest' ? inTwo(program, part) : undefined
    if (!made) return [part]
    program = { ...program, arrays: [...program.arrays, made.terms] }
    return made.parts
  })
  return program === given.program ? given : { program, parts }
}

function inTwo(
  program: Program,
  part: Nest,
): { readonly terms: ArrayDecl; readonly parts: readonly Nest[] } | undefined {
  const { reduction: r, guard, out } = part
  if (!r || !guard || part.before || !readsArray(guard) || out.array.space !== 'global') return undefined
  if ([...part.parallel, ...r.loops].some((l) => uses(guard, l.name))) return undefined
  const terms: ArrayDecl = {
    name: freshName(program, `${out.array.name}_terms`),
    type: out.array.type,
    shape: out.array.shape,
    role: 'temp',
    space: 'global',
  }
  if (terms.type !== r.into.type) return undefined
  const value = (e: Expr): Expr => replaceReads(e, r.into.name, reduced(r.op, r.init, read(terms, out.index)))
  // what no array decides may be an end, beyond which nothing is stored
  const conditions = conjuncts(guard),
    others = isInside(program, part) ? [] : conditions.filter((c) => !readsArray(c)),
    inner = conditions.filter((c) => !others.includes(c))
  const sum: Nest = {
    ...part,
    guard: conjunction(others),
    reduction: {
      ...r,
      init: identityOf(r.op, r.init.type),
      guard: conjunction([...inner, ...(r.guard ? conjuncts(r.guard) : [])]),
    },
    out: { array: terms, index: out.index, value: read(r.into, []) },
  }
  return { terms, parts: [sum, { ...part, reduction: undefined, out: { ...out, value: value(out.value) } }] }
}

/** Whether a nest stores inside of its array in all iterations, whatever its guard says. */
function isInside(program: Program, { parallel, out }: Nest): boolean {
  const inside = insideLoops(program, parallel)
  return out.index.every(
    (e, d) => isAtLeast(inside, e, constant('i32', 0)) && isAtLeast(inside, out.array.shape[d]!, e, 1), // one for each
  )
}
