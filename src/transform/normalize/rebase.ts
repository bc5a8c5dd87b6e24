// In: a nest. Out: the same nest in the form that schedules expect. Loops start at 0, and a reduction that is
// initialised with its first term (`m = a[0]; for i in 1 .. n: m max= a[i]`) takes that term in its loop instead. The
// one idea: a loop that starts at element 0 starts at an aligned address, as vector loads need.
import {
  addScaled,
  affineConstant,
  affineOf,
  implies,
  int,
  sizeDomain,
  type Program,
  identityOf,
  type Nest,
  sameExpr,
  substitute,
} from '../../ir/index.ts'
import { rectangular } from './bounding-box.ts'

/** `undefined` where a bound of a parallel loop is not affine. */
export function canonicalNest(program: Program, part: Nest): Nest | undefined {
  const nest = rectangular(part)
  return nest && withFirst(program, nest)
}

function withFirst(program: Program, nest: Nest): Nest {
  const r = nest.reduction,
    [loop] = r?.loops ?? []
  if (!r || !loop || r.loops.length > 1 || r.guard) return nest
  const lower = affineOf(loop.lower),
    upper = affineOf(loop.upper)
  if (!lower || !upper || lower.terms.size > 0 || lower.constant < 1) return nest
  // the first element is there
  const known = implies(sizeDomain(program).constraints, addScaled(upper, affineConstant(lower.constant), -1))
  const first = int(lower.constant - 1)
  return known && sameExpr(r.init, substitute(r.value, new Map([[loop.name, first]])))
    ? { ...nest, reduction: { ...r, loops: [{ ...loop, lower: first }], init: identityOf(r.op, r.init.type) } }
    : nest
}
