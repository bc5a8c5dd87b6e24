// In: a store, or an `if` around one. Out: the same as a reduction store, when it is one. The one idea: `s = s + e` in
// all its spellings is recognised on LoopIR, after typing, by structural equality with the target; sums are taken
// apart, so that `s = s + a - b` is `s += a + -b` (which reassociates, as every parallel reduction does).
import { isOrdering, mirrors, type OpName, type ReduceOp } from '../ops.ts'
import { isFloat } from '../types.ts'
import { constant, op } from './build.ts'
import type { Expr, LoopStmt, Store } from './loop.ts'
import { conjunction, conjuncts, readsArray, sameExpr, someExpr } from './loop-tree.ts'
import { mayDivideByZero } from './specialize.ts'

/** Whether `part` occurs in `e`. */
export const contains = (e: Expr, part: Expr): boolean => someExpr(e, (x) => sameExpr(x, part))

export function negate(e: Expr): Expr {
  if (e.kind === 'const' && e.type === 'u32') return constant(e.type, -Number(e.value) >>> 0)
  if (e.kind === 'const' && typeof e.value === 'number' && e.value !== -(2 ** 31))
    return constant(e.type, e.type === 'i32' ? 0 - e.value : -e.value)
  return e.kind === 'op' && e.op === 'neg' ? e.args[0]! : op('neg', [e])
}

/** The summands of `e`, signs applied. */
function summands(e: Expr, negative: boolean): Expr[] {
  if (e.kind === 'op' && e.op === 'add') return [...summands(e.args[0]!, negative), ...summands(e.args[1]!, negative)]
  if (e.kind === 'op' && e.op === 'sub') return [...summands(e.args[0]!, negative), ...summands(e.args[1]!, !negative)]
  return [negative ? negate(e) : e]
}

const factors = (e: Expr): Expr[] => (e.kind === 'op' && e.op === 'mul' ? e.args.flatMap(factors) : [e])

interface Found {
  readonly reduce: ReduceOp
  readonly value: Expr
}

/** `parts` without the one that is `target`, joined; undefined unless exactly one is and no other contains it. */
function without(parts: readonly Expr[], target: Expr, join: OpName): Expr | undefined {
  const rest = parts.filter((p) => !sameExpr(p, target))
  if (rest.length !== parts.length - 1 || rest.length === 0 || rest.some((p) => contains(p, target))) return undefined
  const isNegative = (e: Expr): boolean => (e.kind === 'op' && e.op === 'neg') || (e.kind === 'const' && e.value < 0)
  return rest.reduce((a, b) => (join === 'add' && isNegative(b) ? op('sub', [a, negate(b)]) : op(join, [a, b])))
}

/** The side of a commutative op that is not `target`. */
function other(e: Extract<Expr, { kind: 'op' }>, target: Expr): Expr | undefined {
  const [a, b] = e.args
  if (!a || !b) return undefined
  if (sameExpr(a, target) && !contains(b, target)) return b
  return sameExpr(b, target) && !contains(a, target) ? a : undefined
}

/** Which extreme `condition ? value : target` keeps: `value > target` keeps the larger. */
function extreme(condition: Expr, value: Expr, target: Expr): 'min' | 'max' | undefined {
  if (condition.kind !== 'op' || contains(value, target)) return undefined
  const [a, b] = condition.args
  const name =
    a && b && sameExpr(a, value) && sameExpr(b, target)
      ? condition.op
      : a && b && sameExpr(a, target) && sameExpr(b, value) && isOrdering(condition.op)
        ? mirrors[condition.op]
        : undefined
  return name === 'gt' || name === 'ge' ? 'max' : name === 'lt' || name === 'le' ? 'min' : undefined
}

function fromChoice(condition: Expr, then: Expr, otherwise: Expr, target: Expr): Found | undefined {
  if (sameExpr(otherwise, target)) {
    const reduce = extreme(condition, then, target)
    return reduce && { reduce, value: then }
  }
  const kept = sameExpr(then, target) ? extreme(condition, otherwise, target) : undefined
  return kept && { reduce: kept === 'max' ? 'min' : 'max', value: otherwise }
}

/** Truth values behind a conversion to int: `s = s && e`. */
function fromLogic(e: Expr, target: Expr): Found | undefined {
  const inner = e.kind === 'op' && e.op === 'convert' ? e.args[0]! : undefined
  const isTarget = (x: Expr): boolean =>
    x.kind === 'op' &&
    x.op === 'ne' &&
    sameExpr(x.args[0]!, target) &&
    x.args[1]!.kind === 'const' &&
    Number(x.args[1]!.value) === 0
  if (inner?.kind === 'op' && (inner.op === 'land' || inner.op === 'lor')) {
    const rest = inner.args.find((x) => !isTarget(x))
    if (inner.args.filter(isTarget).length === 1 && rest && !contains(rest, target))
      return { reduce: inner.op, value: op('convert', [rest], target.type) }
  }
  if (inner?.kind !== 'choose' || !isTarget(inner.condition)) return undefined
  const isAnd = inner.else.kind === 'const' && !inner.else.value,
    isOr = inner.then.kind === 'const' && !!inner.then.value
  const rest = isAnd ? inner.then : isOr ? inner.else : undefined
  return rest && !contains(rest, target)
    ? { reduce: isAnd ? 'land' : 'lor', value: op('convert', [rest], target.type) }
    : undefined
}

/** `target = value` as a reduction, or undefined. `value` has the target's type. */
export function asReduction(target: Expr, value: Expr): Found | undefined {
  if (value.kind === 'choose') return fromChoice(value.condition, value.then, value.else, target)
  if (value.kind !== 'op' || !contains(value, target)) return undefined
  switch (value.op) {
    case 'add':
    case 'sub': {
      const rest = without(summands(value, false), target, 'add')
      return rest && { reduce: 'add', value: rest }
    }
    case 'mul': {
      const rest = without(factors(value), target, 'mul')
      return rest && { reduce: 'mul', value: rest }
    }
    case 'min':
    case 'max':
    case 'and':
    case 'or':
    case 'xor': {
      const rest = other(value, target)
      return rest && { reduce: value.op, value: rest }
    }
    case 'select':
      return fromChoice(value.args[0]!, value.args[1]!, value.args[2]!, target)
    case 'convert':
      return fromLogic(value, target)
    default:
      return undefined
  }
}

/**
 * `if (e > s) s = e;` as `s max= e`, and `if (c && e > s) s = e;` as `if (c) s max= e;`; anything else is returned as
 * it is. NaN counts as smaller than every number, as in `max`.
 */
export function conditionalReduction(s: LoopStmt, targetOf: (store: Store) => Expr): LoopStmt {
  if (s.kind !== 'if' || s.else.length > 0 || s.then.length !== 1) return s
  const inner = s.then[0]!
  if (
    inner.kind !== 'store' ||
    inner.reduce !== null ||
    (inner.index.length > 0 && isFloat(inner.value.type) && inner.index.some((e) => e.kind === 'read'))
  )
    return s
  const target = targetOf(inner),
    asked = conjuncts(s.condition),
    at = asked.findIndex((c) => extreme(c, inner.value, target) !== undefined)
  if (at < 0 || !asked.slice(at + 1).every(isAskedAnywhere)) return s
  const reduce = extreme(asked[at]!, inner.value, target)!, // found
    guard = conjunction(asked.filter((_, n) => n !== at)),
    made: Store = { ...inner, reduce, ...(s.at && { at: s.at }) }
  return guard ? { ...s, condition: guard, then: [made] } : made
}

/** Whether a condition may be asked where those before it do not hold: it is of elements that no data choose. */
const isAskedAnywhere = (c: Expr): boolean =>
  !mayDivideByZero(c) && !someExpr(c, (x) => x.kind === 'read' && x.index.some(readsArray))
