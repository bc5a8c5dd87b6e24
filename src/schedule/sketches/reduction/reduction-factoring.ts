// In: a nest with a reduction. Out: the same, where the reduction begins with its neutral element and takes nothing in
// that all of its terms have: what was in memory, and what every term is multiplied by, come after it.
import {
  isZero,
  add,
  constant,
  isFloat,
  op,
  identityOf,
  reduced,
  zeroOf,
  factorsOf,
  rewriteExpr,
  readsArray,
  sameExpr,
  uses,
  replaceReads,
  type Expr,
  type Loop,
  type Nest,
  type Reduction,
} from '../../../ir/index.ts'

/**
 * What a tile computes begins with the neutral element, and what is in memory, and what all terms of a sum are
 * multiplied by, comes after it: neither is held, or done, in every step. Sums are rounded in another order, as tiles
 * do it anyway.
 */
export function bare(given: Nest): Nest {
  const r = given.reduction && { ...given.reduction, value: eager(given.reduction.value) }
  if (r?.loops.length !== 1) return given
  const part = { ...given, reduction: r }
  return r.op === 'add' ? bareSum(part, r, r.loops[0]!) : r.op === 'mul' ? part : bareChoice(part, r) // just counted
}

/** Choices by what was read, as values: both sides are in registers by then. */
const eager = (e: Expr): Expr =>
  rewriteExpr(e, (x) =>
    x.kind === 'choose' && readsArray(x.condition) ? op('select', [x.condition, x.then, x.else]) : undefined,
  )

function bareSum(part: Nest, r: Reduction, k: Loop): Nest {
  const all = factorsOf(r.value),
    inside = all.filter((e) => uses(e, k.name))
  const outside = inside.length > 0 ? all.filter((e) => !inside.includes(e)) : []
  if (r.init.kind === 'const' && outside.length === 0) return part
  const product = (es: readonly Expr[]): Expr => es.reduce((x, y) => op('mul', [x, y]))
  const total = (sum: Expr): Expr => {
    const scaled = product([...outside, sum])
    return isZero(r.init) ? scaled : add(r.init, scaled)
  }
  return {
    ...part,
    reduction: { ...r, init: constant(r.init.type, 0), value: outside.length > 0 ? product(inside) : r.value },
    out: { ...part.out, value: withResult(part, r, total) },
  }
}

/**
 * The least, the greatest, any, all: in any order and from any start the same. Truth values that are 0 or 1 are joined
 * bit by bit.
 */
function bareChoice(part: Nest, r: Reduction): Nest {
  const bits =
    r.value.kind === 'op' && r.value.op === 'convert' && r.value.args[0]!.type === 'bool' && !isFloat(r.value.type)
  const name = bits && r.op === 'lor' ? 'or' : bits && r.op === 'land' ? 'and' : r.op,
    start = identityOf(name, r.init.type)
  if (sameExpr(r.init, start)) return part
  const type = r.init.type,
    total = (x: Expr): Expr =>
      name === r.op ? reduced(r.op, r.init, x) : op(name, [op('convert', [op('ne', [r.init, zeroOf(type)])], type), x])
  return {
    ...part,
    reduction: { ...r, op: name, init: start },
    out: { ...part.out, value: withResult(part, r, total) },
  }
}

/** What the nest stores, with `f` of the reduction's result in place of it. */
const withResult = (part: Nest, r: Reduction, f: (result: Expr) => Expr): Expr =>
  replaceReads(part.out.value, r.into.name, (x) => f(x))
