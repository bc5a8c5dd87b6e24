// In: a loop around sweeps that take turns, as those over red and black cells do: `for (c = 0; c < 2; c++) for (i …)
// for (j = 1 + (i + c) % 2; j < n; j += 2)`. Out: the same with the turns written out one behind the other, and loops
// that begin at a remainder over all of their places, under a condition. The one idea is full unrolling (Bacon, Graham
// and Sharp 1994, 6.3.2) of a loop with few iterations around many: each is a nest of its own, whose bounds are those
// of a grid. It does not say whether that pays.
import {
  add,
  affineExpr,
  affineName,
  addScaled,
  affineOf,
  coefficient,
  decided,
  eachExpr,
  implies,
  insideLoop,
  int,
  literal,
  loopVar,
  mul,
  op,
  sizeDomain,
  someExprIn,
  someStmt,
  rewriteExpr,
  substituteStmt,
  uses,
  when,
  type Domain,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

/** Iterations that are written out. */
const mostTurns = 4

/** `loop` with the loops directly in it so written out; `undefined` where there are none. */
export function turnsApart(program: Program, loop: Loop): Loop | undefined {
  const d = insideLoop(sizeDomain(program), loop),
    apart = loop.body.flatMap(turnsOf),
    body = onGrids(apart, d)
  return body.length === loop.body.length && body.every((s, i) => s === loop.body[i]) ? undefined : { ...loop, body }
}

/** The iterations of a loop with few around loops with many, where remainders or conditions ask which one it is. */
function turnsOf(s: LoopStmt): readonly LoopStmt[] {
  if (s.kind !== 'loop' || s.step !== 1) return [s]
  const low = literal(s.lower),
    high = literal(s.upper),
    hasLong = someStmt(s.body, (x) => x.kind === 'loop' && literal(x.upper) === undefined)
  if (low === undefined || high === undefined || high - low > mostTurns || !hasLong || !asksFor(s)) return [s]
  const turns = Array.from({ length: Math.max(0, high - low) }, (_, n) => low + n)
  return turns.flatMap((n) =>
    decided(
      s.body.map((x) => substituteStmt(x, new Map([[s.name, int(n)]]))),
      () => undefined,
    ),
  )
}

/** Whether a remainder or a comparison in the loop uses its variable. */
const asksFor = (l: Loop): boolean =>
  someExprIn(l.body, (x) => x.kind === 'op' && (x.op === 'rem' || x.op === 'eq' || x.op === 'ne') && uses(x, l.name))

/** Loops in steps from a remainder by their step, as all places from the least of them, under a condition. */
function onGrids(body: readonly LoopStmt[], d: Domain): readonly LoopStmt[] {
  let changed = false
  const out = body.map((s): LoopStmt => {
    if (s.kind !== 'loop') return s
    const inner = onGrids(s.body, insideLoop(d, s)),
      own = inner === s.body ? s : { ...s, body: inner },
      made = onGrid(own, d) ?? own
    changed ||= made !== s
    return made
  })
  return changed ? out : body
}

function onGrid(l: Loop, d: Domain): Loop | undefined {
  const start = l.step > 1 ? startOf(l.lower, l.step, d) : undefined
  if (!start) return undefined
  // j ≡ first + rest, with no number below 0
  const phase = add(loopVar(l.name), mul(add(start.first, start.rest), int(l.step - 1))),
    form = affineOf(phase)
  const condition = op('eq', [op('rem', [form ? affineExpr(form) : phase, int(l.step)]), int(0)])
  return { ...l, lower: start.first, step: 1, body: [when(condition, l.body)] }
}

/** `first + rest % step`, of a `rest` that is not negative. */
function startOf(lower: Expr, step: number, d: Domain): { readonly first: Expr; readonly rest: Expr } | undefined {
  const found: Expr[] = []
  eachExpr(lower, (x) => {
    if (x.kind === 'op' && x.op === 'rem' && literal(x.args[1]!) === step) found.push(x) // two arguments
  })
  const [only, more] = found
  if (only?.kind !== 'op' || more) return undefined
  const name = 'remainder',
    form = affineOf(rewriteExpr(lower, (x) => (x === only ? loopVar(name) : undefined))),
    rest = affineOf(only.args[0]!)
  if (!form || !rest || coefficient(form, name) !== 1 || !implies(d.constraints, rest)) return undefined
  const first = addScaled(form, affineName(name), -1)
  return implies(d.constraints, first) ? { first: affineExpr(first), rest: affineExpr(rest) } : undefined
}
