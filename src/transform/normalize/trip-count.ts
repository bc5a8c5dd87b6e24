// In: loops that count doublings or halvings until a condition fails (`for t in 0 .. 31: if 2 << t <= n`), as loops
// whose variable doubles come out. Out: the same up to the number of doublings that the condition allows. The one idea:
// that is a number of bits, of a size or of the power of two that is halved, so that the host need not ask in vain.
import { powerOf } from '../../analysis/index.ts'
import {
  add,
  affineExpr,
  affineOf,
  hasOnlySizes,
  int,
  literal,
  op,
  sub,
  type Expr,
  type Loop,
  type Program,
  conjuncts,
  mapBody,
  pass,
  loopIR,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for t in 0 .. 31 {
//       if 1 << t <= n {
//         y[0] += x[t]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for t in 0 .. 32 - clz(n) {
//       if 1 << t <= n {
//         y[0] += x[t]
//       }
//     }
//   }
export const tripCount = pass({
  name: 'trip-count',
  summary: 'loops that double or halve a value until it passes a bound get that number of rounds as their end',
  of: loopIR,
  run: countedDoublings,
})

/** `program` with such loops no longer than they need be; the same object where there are none. */
export function countedDoublings(program: Program): Program {
  const body = mapBody(program.body, (s) => {
    const only = s.kind === 'loop' && s.body.length === 1 ? s.body[0] : undefined
    if (
      s.kind !== 'loop' ||
      only?.kind !== 'if' ||
      only.else.length > 0 ||
      literal(s.lower) !== 0 ||
      literal(s.upper) === undefined ||
      s.step !== 1
    )
      return undefined
    for (const c of conjuncts(only.condition)) {
      const upper = roundsOf(c, s)
      if (upper) return [{ ...s, upper }]
    }
    return undefined
  })
  return body === program.body ? program : { ...program, body }
}

/** The first round that `condition` leaves out, and with it all later ones; at most those that there are. */
function roundsOf(condition: Expr, l: Loop): Expr | undefined {
  if (condition.kind !== 'op' || condition.args.length !== 2) return undefined
  const [a, b] = condition.args as readonly [Expr, Expr] // two
  const [less, more] =
    condition.op === 'lt' || condition.op === 'le'
      ? [a, b]
      : condition.op === 'gt' || condition.op === 'ge'
        ? [b, a]
        : []
  if (!less || !more) return undefined
  const strict = condition.op === 'lt' || condition.op === 'gt'
  const least = (literal(less) ?? NaN) + (strict ? 1 : 0)
  return (
    doubled(less, strict ? sub(more, int(1)) : more, l) ??
    (least >= 1 ? halved(more, Math.floor(Math.log2(least)), l) : undefined)
  )
}

/** 2^k << t ≤ most: as many as `most` has bits, less k. */
function doubled(e: Expr, most: Expr, l: Loop): Expr | undefined {
  const power = powerOf(e, () => true)
  return power && power.exponent === `1${l.name}` && Number.isInteger(Math.log2(power.factor)) && power.factor >= 1
    ? bitsOf(most, Math.log2(power.factor))
    : undefined
}

/** (x >> t) >> less > 0: as many as x has bits, less those. */
function halved(e: Expr, less: number, l: Loop): Expr | undefined {
  const [x, t] = e.kind === 'op' && e.op === 'shr' ? e.args : []
  if (!x || t?.kind !== 'var' || t.name !== l.name) return undefined
  const power = powerOf(x, () => true)
  if (!power) {
    const { of, bits } = halvedBefore(x)
    return bitsOf(of, less + bits)
  }
  return power.factor >= 1 && !power.form.terms.has(l.name)
    ? add(affineExpr(power.form), int(Math.log2(power.factor) + 1 - less))
    : undefined
}

/** x as a form of sizes, which are never negative, that has lost so many of its last bits. */
function halvedBefore(x: Expr): { readonly of: Expr; readonly bits: number } {
  const [of, y] = x.kind === 'op' && (x.op === 'div' || x.op === 'shr') ? x.args : [],
    n = y && literal(y),
    form = of && affineOf(of)
  const by = n === undefined || x.kind !== 'op' ? undefined : x.op === 'shr' ? n : Math.log2(n)
  const isCount = form !== undefined && form.constant >= 0 && [...form.terms.values()].every((c) => c > 0)
  return of && by !== undefined && Number.isInteger(by) && by >= 0 && isCount ? { of, bits: by } : { of: x, bits: 0 }
}

/** The bits of a form of sizes, less some. */
function bitsOf(e: Expr, less: number): Expr | undefined {
  const form = affineOf(e)
  return form && form.terms.size > 0 && hasOnlySizes(form)
    ? sub(op('sub', [int(32), op('clz', [affineExpr(form)])]), int(less))
    : undefined
}
