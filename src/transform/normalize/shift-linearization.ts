// In: the body of a host loop, in which the loop's variable t is a size. Out: the same body with a new size for each
// expression that halves from one iteration to the next (`n >> t`), and the value of each such size. The one idea:
// within one iteration such an expression is constant, so a size can stand for it. Bounds and subscripts that use it
// become linear, and the host computes its value before it launches the kernels of the iteration.
import {
  add,
  affineOf,
  coefficient,
  hasOnlySizes,
  int,
  literal,
  mapStmts,
  op,
  planValue,
  sizeOf,
  claimName,
  namesOf,
  sameExpr,
  sizesIn,
  symbolsOf,
  type Expr,
  type LoopStmt,
  type Program,
  type HostLoop,
  type Region,
  type HostVariable,
} from '../../ir/index.ts'

/** A number of an iteration, over sizes and the loop's variable. */
export interface HalvingSize {
  readonly name: string
  readonly value: Expr
}

export interface Distances {
  readonly body: readonly LoopStmt[]
  readonly variables: readonly HostVariable[]
  readonly all: readonly HalvingSize[]
  /** The first of the loop's values at which what halves is no more than it is on average. */
  readonly usual: number
}

/**
 * `body` with sizes for what halves with `variable`, which goes from `from` to before `to` at the planned sizes;
 * `undefined` where nothing does.
 */
export function distancesIn(
  program: Program,
  body: readonly LoopStmt[],
  variable: string,
  from: number,
  to: number,
): Distances | undefined {
  const taken = namesOf(program),
    all: HalvingSize[] = []
  const made = mapStmts(body, (e) => {
    if (!halves(e, variable)) return e
    const before = all.find((d) => sameExpr(d.value, e))
    if (before) return sizeOf(before.name)
    const name = claimName(taken, `${variable}_half`)
    all.push({ name, value: e })
    return sizeOf(name)
  })
  if (all.length === 0) return undefined
  const sizes = Object.fromEntries(symbolsOf(program).map((s) => [s.name, s.planned])),
    turns = Array.from(
      { length: Math.max(1, Math.min(mostTurns, Math.ceil(to - from))) },
      (_, n) => Math.max(0, from) + n,
    )
  const at = (e: Expr, v: number): number => planValue(e, { sizes: { ...sizes, [variable]: v }, scalars: {} })
  const mean = (e: Expr): number => Math.ceil(turns.reduce((n, v) => n + at(e, v), 0) / turns.length)
  const planned = all.map((d): HostVariable => ({ name: d.name, min: 0, planned: mean(d.value) })),
    first = all[0]!.value // one at least
  // as above
  return { body: made, all, variables: planned, usual: turns.find((v) => at(first, v) <= mean(first)) ?? turns[0]! }
}

/** More turns than bits leave nothing to halve. */
const mostTurns = 32

/** x >> (t + c) of a form of sizes that is not negative. */
function halves(e: Expr, variable: string): boolean {
  if (e.kind !== 'op' || e.op !== 'shr' || e.type !== 'i32') return false
  const [x, t] = e.args as readonly [Expr, Expr],
    of = affineOf(x),
    by = affineOf(t) // a shift has two
  const isCount =
    of !== undefined &&
    of.terms.size > 0 &&
    hasOnlySizes(of) &&
    of.constant >= 0 &&
    [...of.terms.values()].every((c) => c > 0) &&
    !sizesIn(x).includes(variable)
  return isCount && by !== undefined && by.terms.size === 1 && coefficient(by, `$${variable}`) === 1 && by.constant >= 0
}

/** `regions` inside of a loop for each distance, which runs once and says what it is. */
export const atDistances = (
  all: readonly HalvingSize[],
  regions: readonly Region[],
  loop: HostLoop,
): readonly Region[] =>
  all.reduceRight<readonly Region[]>(
    (body, d) => [
      { ...loop, variable: d.name, lower: d.value, upper: add(d.value, int(1)), step: 1, body, isValue: true },
    ],
    regions,
  )

/** Up to where a loop goes whose last iterations are few and small: their distances are below 2^`bits`. */
export const beforeLast = (lower: Expr, upper: Expr, bits: number): Expr => {
  const from = literal(lower),
    cut = add(upper, int(-bits))
  return from !== undefined && from === literal(cut) ? lower : op('max', [lower, cut])
}
