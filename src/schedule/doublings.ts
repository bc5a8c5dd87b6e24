// In: loops that count doublings or halvings until a condition fails (`for t in 0 .. 31: if 2 << t <= n`), as loops whose variable doubles come
// out. Out: the same up to the number of doublings that the condition allows. The one idea: that is a number of bits, of a size or of
// the power of two that is halved, so that the host need not ask in vain.
import { powerOf } from '../analysis/index.ts'
import { add, affineExpr, affineOf, hasOnlySizes, int, literal, op, sub, type Expr, type Loop, type Program } from '../ir/index.ts'
import { conjuncts, mapBody } from './tree.ts'

/** `program` with such loops no longer than they need be; the same object where there are none. */
export function countedDoublings(program: Program): Program {
  const body = mapBody(program.body, (s) => {
    const only = s.kind === 'loop' && s.body.length === 1 ? s.body[0] : undefined
    if (s.kind !== 'loop' || only?.kind !== 'if' || only.else.length > 0 || literal(s.lower) !== 0 || literal(s.upper) === undefined || s.step !== 1) return undefined
    for (const c of conjuncts(only.condition)) { const upper = roundsOf(c, s); if (upper) return [{ ...s, upper }] }
    return undefined
  })
  return body === program.body ? program : { ...program, body }
}

/** The first round that `condition` leaves out, and with it all later ones; at most those that there are. */
function roundsOf(condition: Expr, l: Loop): Expr | undefined {
  if (condition.kind !== 'op' || condition.args.length !== 2) return undefined
  const [a, b] = condition.args as readonly [Expr, Expr] // two
  const [less, more] = condition.op === 'lt' || condition.op === 'le' ? [a, b] : condition.op === 'gt' || condition.op === 'ge' ? [b, a] : []
  if (!less || !more) return undefined
  const strict = condition.op === 'lt' || condition.op === 'gt'
  return doubled(less, strict ? sub(more, int(1)) : more, l) ?? (strict && literal(less) === 0 ? halved(more, l) : undefined)
}

/** 2^k << t ≤ most: as many as `most` has bits, less k. */
function doubled(e: Expr, most: Expr, l: Loop): Expr | undefined {
  const power = powerOf(e, () => true)
  return power && power.exponent === `1${l.name}` && Number.isInteger(Math.log2(power.factor)) && power.factor >= 1 ? bitsOf(most, Math.log2(power.factor)) : undefined
}

/** x >> t > 0: as many as x has bits. */
function halved(e: Expr, l: Loop): Expr | undefined {
  const [x, t] = e.kind === 'op' && e.op === 'shr' ? e.args : []
  if (!x || t?.kind !== 'var' || t.name !== l.name) return undefined
  const power = powerOf(x, () => true)
  if (!power) return bitsOf(x, 0)
  return power.factor >= 1 && !power.form.terms.has(l.name) ? add(affineExpr(power.form), int(Math.log2(power.factor) + 1)) : undefined
}

/** The bits of a form of sizes, less some. */
function bitsOf(e: Expr, less: number): Expr | undefined {
  const form = affineOf(e)
  return form && form.terms.size > 0 && hasOnlySizes(form) ? sub(op('sub', [int(32), op('clz', [affineExpr(form)])]), int(less)) : undefined
}
