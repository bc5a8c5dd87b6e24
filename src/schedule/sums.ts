// In: the computations of a program. Out: the same, sums of two products as two computations. The one idea: `C += AᵀB + BᵀA`
// is no contraction, but two of them are: the second goes on from what the first has stored.
import { read, type Expr } from '../ir/index.ts'
import { usesArray } from './absorb.ts'
import type { Nest, Other } from './part.ts'
import { eachExpr, exprKey } from './tree.ts'

/** Nests that sum over products of different arrays, one nest for each product. */
export function productsApart(parts: readonly (Nest | Other)[]): readonly (Nest | Other)[] {
  return parts.flatMap((p): readonly (Nest | Other)[] => (p.kind === 'nest' ? twoOf(p) : [p]))
}

function twoOf(part: Nest): readonly Nest[] {
  const r = part.reduction
  const [first, second] = r?.op === 'add' && r.value.kind === 'op' && r.value.op === 'add' ? r.value.args : []
  if (!r || !first || !second || part.parallel.length < 2 || r.loops.length !== 1) return [part]
  const both = [...readsOf(first), ...readsOf(second)]
  const products = readsOf(first).size === 2 && readsOf(second).size === 2 && new Set(both).size === 4
  const plain = part.out.value.kind === 'read' && part.out.value.array === r.into.name
  if (!products || !plain || usesArray([r.value], part.out.array.name)) return [part]
  return [
    { ...part, reduction: { ...r, value: first } },
    { ...part, reduction: { ...r, value: second, init: read(part.out.array, part.out.index) } },
  ]
}

function readsOf(e: Expr): ReadonlySet<string> {
  const out = new Set<string>()
  eachExpr(e, (x) => { if (x.kind === 'read') out.add(exprKey(x)) })
  return out
}
