// In: a LoopIR program. Out: the same, where a loop whose whole body stands under a condition on its own variable
// (`for i < n + 1: if (i < n)`) ends, or begins, where the condition says. The one idea: bounds and conditions are
// inequalities alike, and of two the stronger is enough. Only conditions over sizes move, so that loops stay
// rectangular. A condition that fails only where the loop under it has no iterations says nothing.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  conjunction,
  conjuncts,
  hasOnlySizes,
  follows,
  insideLoop,
  loopIR,
  pass,
  sizeDomain,
  type Affine,
  type Domain,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { inequalityOf } from '../../analysis/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array y: f32[n] out global
//     for i in 0 .. n + 1 {
//       if i < n {
//         y[i] = 1.0f
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = 1.0f
//     }
//   }
export const guardTightening = pass<Program>({
  name: 'guard-tightening',
  summary: 'a condition of sizes on the variable of a loop, around all of its body, is where the loop begins or ends',
  of: loopIR,
  needs: ['affine implication'],
  run: (p) => {
    const body = p.body.map((s) => within(s, sizeDomain(p)))
    return body.every((s, i) => s === p.body[i]) ? p : { ...p, body }
  },
})

function within(s: LoopStmt, around: Domain): LoopStmt {
  const all = (body: readonly LoopStmt[], d: Domain): readonly LoopStmt[] => {
    const made = body.map((x) => within(x, d))
    return made.every((x, i) => x === body[i]) ? body : made
  }
  switch (s.kind) {
    case 'store':
    case 'declare':
      return s
    case 'if': {
      const asked = onlyWhereEmpty(s)
      if (asked) return within(asked, around)
      const then = all(s.then, around),
        otherwise = all(s.else, around)
      return then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
    }
    case 'loop': {
      const loop = tightened(s, around),
        body = all(loop.body, insideLoop(around, loop))
      return body === loop.body ? loop : { ...loop, body }
    }
  }
}

/** The loop under a condition that fails only where the loop is empty. */
function onlyWhereEmpty({ condition, then, else: otherwise }: If): LoopStmt | undefined {
  const [loop, more] = then
  if (loop?.kind !== 'loop' || more || otherwise.length > 0) return undefined
  const lower = affineOf(loop.lower),
    upper = affineOf(loop.upper)
  if (!lower || !upper) return undefined
  const runs = addScaled(addScaled(upper, lower, -1), affineConstant(-1), 1)
  const follows = (g: Expr): boolean => {
    const form = inequalityOf(g),
      beyond = form && addScaled(form, runs, -1)
    return beyond !== undefined && beyond.terms.size === 0 && beyond.constant >= 0
  }
  const left = conjuncts(condition).filter((g) => !follows(g))
  if (left.length === conjuncts(condition).length) return undefined
  const rest = conjunction(left)
  return rest ? { kind: 'if', condition: rest, then, else: [] } : loop
}

/** The loop without those conditions around its body that its bounds can say. */
function tightened(l: Loop, around: Domain): Loop {
  const [only, more] = l.body
  if (only?.kind !== 'if' || more || only.else.length > 0 || l.step !== 1) return l
  let loop = l
  const left: Expr[] = []
  for (const g of conjuncts(only.condition)) {
    const form = inequalityOf(g),
      made = form && bounded(loop, form, around)
    if (made) loop = made
    else left.push(g)
  }
  if (left.length === conjuncts(only.condition).length) return l
  const condition = conjunction(left)
  return { ...loop, body: condition ? [{ ...only, condition }] : only.then }
}

/** The loop where `form ≥ 0`, said by its bounds; undefined where these cannot. */
function bounded(l: Loop, form: Affine, around: Domain): Loop | undefined {
  const c = coefficient(form, l.name),
    lower = affineOf(l.lower),
    upper = affineOf(l.upper),
    rest = addScaled(form, affineName(l.name), -c)
  if (Math.abs(c) !== 1 || !hasOnlySizes(rest) || !lower || !upper) return undefined
  const isAtMost = (a: Affine, b: Affine): boolean => follows(around, addScaled(b, a, -1))
  // c = 1: v ≥ −rest; c = −1: v < rest + 1
  const bound = c > 0 ? addScaled(affineConstant(0), rest, -1) : addScaled(rest, affineConstant(1), 1)
  if (c > 0) {
    if (isAtMost(bound, lower)) return l
    return isAtMost(lower, bound) ? { ...l, lower: affineExpr(bound) } : undefined
  }
  if (isAtMost(upper, bound)) return l
  return isAtMost(bound, upper) ? { ...l, upper: affineExpr(bound) } : undefined
}
