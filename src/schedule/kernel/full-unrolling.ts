// In: statements of one thread. Out: the same with all loops written out, so that arrays that they index can be
// registers. The one idea: bounds that differ by a constant once what they share is taken off (the start of a block)
// leave a loop between literals, and a triangle is a guard on literals, which costs nothing.
import {
  addScaled,
  affineExpr,
  affineOf,
  int,
  loopVar,
  op,
  type Affine,
  type Expr,
  type Loop,
  type LoopStmt,
  conjunction,
  substituteStmt,
} from '../../ir/index.ts'

/** Statements that may come of it. */
export const mostCopies = 1200

interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * `body` with every loop unrolled; `undefined` when a loop has no literal bounds or there would be too many statements.
 */
export function unrolled(body: readonly LoopStmt[]): readonly LoopStmt[] | undefined {
  const out = each(body, new Map(), 1)
  return out.every((s): s is LoopStmt => s !== undefined) ? out : undefined
}

/** `around`: the values of the unrolled loops; `copies`: how often the body is written out. */
function each(
  body: readonly LoopStmt[],
  around: ReadonlyMap<string, Interval>,
  copies: number,
): readonly (LoopStmt | undefined)[] {
  return body.map((s): LoopStmt | undefined => {
    if (s.kind === 'loop') return ofLoop(s, around, copies)
    if (s.kind !== 'if') return s
    const then = each(s.then, around, copies),
      otherwise = each(s.else, around, copies)
    return [...then, ...otherwise].includes(undefined)
      ? undefined
      : { ...s, then: then as readonly LoopStmt[], else: otherwise as readonly LoopStmt[] } // none is undefined
  })
}

function ofLoop(l: Loop, around: ReadonlyMap<string, Interval>, copies: number): LoopStmt | undefined {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  if (!lower || !upper || l.step !== 1 || l.bind.kind !== 'serial') return undefined
  const start: Affine = { constant: 0, terms: new Map([...lower.terms].filter(([n]) => !around.has(n))) }
  const [from, to] = [addScaled(lower, start, -1), addScaled(upper, start, -1)]
  const [first, last] = [ends(from, around)?.low, ends(to, around)?.high]
  if (first === undefined || last === undefined || copies * Math.max(0, last - first) > mostCopies) return undefined
  const inside = new Map(around).set(l.name, { low: first, high: last - 1 })
  const moved =
    start.terms.size === 0
      ? l.body
      : l.body.map((s) =>
          substituteStmt(
            s,
            new Map([[l.name, affineExpr(addScaled(start, { constant: 0, terms: new Map([[l.name, 1]]) }, 1))]]),
          ),
        )
  const made = each(moved, inside, copies * Math.max(1, last - first))
  if (made.includes(undefined)) return undefined
  const guard = conjunction([
    ...(from.terms.size > 0 ? [op('ge', [loopVar(l.name), affineExpr(from)])] : []),
    ...(to.terms.size > 0 ? [op('lt', [loopVar(l.name), affineExpr(to)])] : []),
  ])
  const stmts = made as readonly LoopStmt[] // none is undefined
  return {
    ...l,
    lower: int(first),
    upper: int(last),
    bind: { kind: 'unroll' },
    body: guard ? [guarded(guard, stmts)] : stmts,
  }
}

const guarded = (condition: Expr, then: readonly LoopStmt[]): LoopStmt => ({ kind: 'if', condition, then, else: [] })

/** The least and the greatest value of `f` over `around`; `undefined` when it has other variables. */
function ends(f: Affine, around: ReadonlyMap<string, Interval>): Interval | undefined {
  let low = f.constant,
    high = f.constant
  for (const [name, c] of f.terms) {
    const range = around.get(name)
    if (!range) return undefined
    low += c * (c > 0 ? range.low : range.high)
    high += c * (c > 0 ? range.high : range.low)
  }
  return { low, high }
}
