// In: the computations of a program. Out: the same, sums of several products as one computation for each. The one idea:
// `C += AᵀB + BᵀA` is no contraction, but two of them are: each goes on from what the one before has stored. Where more
// is done with the whole sum, what comes before the last product is kept in an array of its own.
import {
  literal,
  loopVar,
  op,
  read,
  constantExtent,
  eachExpr,
  exprKey,
  freshName,
  isFree,
  uses,
  pass,
  loopNests,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  type Nest,
  type Other,
  type Read,
} from '../../ir/index.ts'
import { usesArray } from '../fusion/init-fusion.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 64 min 1
//     array A: f32[n, m] in global
//     array B: f32[m, n] in global
//     array C: f32[n, n] inout global
//     for i in 0 .. n {
//       for j in 0 .. n {
//         declare s: f32[] temp private
//         s = C[i, j]
//         for k in 0 .. m {
//           s += A[i, k] * B[k, j] + A[j, k] * B[k, i]
//         }
//         C[i, j] = s
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 64 min 1
//     array A: f32[n, m] in global
//     array B: f32[m, n] in global
//     array C: f32[n, n] inout global
//     for i in 0 .. n {
//       for j in 0 .. n {
//         declare s: f32[] temp private
//         s = C[i, j]
//         for k in 0 .. m {
//           s += A[i, k] * B[k, j]
//         }
//         C[i, j] = s
//       }
//     }
//     for i in 0 .. n {
//       for j in 0 .. n {
//         declare s: f32[] temp private
//         s = C[i, j]
//         for k in 0 .. m {
//           s += A[j, k] * B[k, i]
//         }
//         C[i, j] = s
//       }
//     }
//   }
export const termFission = pass({
  name: 'term-fission',
  summary: 'a sum of several products is a computation for each product',
  of: loopNests,
  run: productsApart,
})

interface Parts {
  readonly program: Program
  readonly parts: readonly (Nest | Other)[]
}

/** Nests that sum over several products, one nest for each product. */
export function productsApart(given: Parts): Parts {
  let program = given.program
  const parts = given.parts.flatMap((p): readonly (Nest | Other)[] => {
    const products = p.kind === 'nest' ? productsOf(p) : undefined
    if (
      p.kind !== 'nest' ||
      !products ||
      !(isPlain(p) || p.parallel.every((l) => isFree(l) && (literal(l.lower) ?? -1) >= 0))
    )
      return [p]
    const made = oneByOne(program, p, products)
    program = made.program
    return made.nests
  })
  return program === given.program && parts.every((p, i) => p === given.parts[i]) ? given : { program, parts }
}

/** A sum of fewer constant terms is too little for tiles. */
const fewest = 32

/** The products that the nest sums, each of two elements that share the loop of the sum and nothing else. */
function productsOf({ reduction: r, parallel, before }: Nest): readonly Term[] | undefined {
  const [k, more] = r?.loops ?? []
  if (r?.op !== 'add' || before || !k || more || parallel.length < 2 || (constantExtent(k) ?? fewest) < fewest)
    return undefined
  const terms = termsOf(r.value, k)
  return terms.length > 1 && terms.every((t) => isProduct(t.value, parallel, k)) ? terms : undefined
}

interface Term {
  readonly value: Expr /** It is taken away. */
  readonly negative: boolean
}

/** The terms of a sum over `k`, also of one times what is the same for all of its iterations. */
function termsOf(e: Expr, k: Loop, negative = false): readonly Term[] {
  if (e.kind !== 'op') return [{ value: e, negative }]
  if (e.op === 'neg') return termsOf(e.args[0]!, k, !negative) // it has one
  const [a, b] = e.args as [Expr, Expr] // others asked for here have two
  if (e.op === 'add' || e.op === 'sub')
    return [...termsOf(a, k, negative), ...termsOf(b, k, negative !== (e.op === 'sub'))]
  const [factor, sum] = e.op === 'mul' ? (uses(a, k.name) ? [b, a] : [a, b]) : []
  if (!factor || !sum || uses(factor, k.name)) return [{ value: e, negative }]
  return termsOf(sum, k, negative).map((t) => ({ ...t, value: t.value === sum ? e : op('mul', [factor, t.value]) }))
}

/** Whether it uses two elements, of which each needs a parallel loop that the other does not. */
function isProduct(e: Expr, parallel: readonly Loop[], k: Loop): boolean {
  const [a, b, more] = [...readsOf(e).values()].filter((x) => needs(x, k))
  const own = (x: Read, other: Read): boolean => parallel.some((l) => needs(x, l) && !needs(other, l))
  return a !== undefined && b !== undefined && more === undefined && own(a, b) && own(b, a)
}

const needs = (x: Read, l: Loop): boolean => x.index.some((i) => uses(i, l.name))

/** Whether the sum is stored as it is, to what its terms do not read. */
const isPlain = ({ out: { array, value }, reduction: r }: Nest): boolean =>
  r !== undefined && value.kind === 'read' && value.array === r.into.name && !usesArray([r.value], array.name)

function oneByOne(
  given: Program,
  part: Nest,
  products: readonly Term[],
): { readonly program: Program; readonly nests: readonly Nest[] } {
  const r = part.reduction!,
    { array, index, value } = part.out,
    plain = isPlain(part) // it is a sum
  const kept: ArrayDecl = plain
    ? array
    : {
        ...r.into,
        name: freshName(given, `${r.into.name}_sum`),
        shape: part.parallel.map((l) => l.upper),
        role: 'temp',
        space: 'global',
      }
  const at = plain ? index : part.parallel.map((l) => loopVar(l.name)),
    so = read(kept, at)
  const nests = products.map(({ value: product, negative }, n): Nest => {
    const minus = (e: Expr): Expr => (negative ? op('neg', [e]) : e),
      sum = read(r.into, []) // what is taken away is summed from the negative of what was there
    const made = replaceReads(n === products.length - 1 ? value : sum, r.into.name, minus(sum))
    return {
      ...part,
      reduction: { ...r, value: product, init: minus(n === 0 ? r.init : so) },
      out: n === products.length - 1 ? { ...part.out, value: made } : { array: kept, index: at, value: made },
    }
  })
  return { program: plain ? given : { ...given, arrays: [...given.arrays, kept] }, nests }
}

function readsOf(e: Expr): ReadonlyMap<string, Read> {
  const out = new Map<string, Read>()
  eachExpr(e, (x) => {
    if (x.kind === 'read') out.set(exprKey(x), x)
  })
  return out
}
