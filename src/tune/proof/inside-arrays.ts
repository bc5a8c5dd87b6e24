// In: a program and sizes to prove it at. Out: the sizes, with those that never differ (`#define H 512`) large enough
// that the source stays inside of its arrays. The one idea: what the source does at other values of a constant is
// nobody's concern where it would read what is not there (`(H - 11) / 11 + 1` windows of 11 of one row). Intervals of
// subscripts that no condition stands before tell; conditions, data and scalars are not looked into.
import {
  affineOf,
  literal,
  planValue,
  unconditionalReads,
  varsOf,
  readsArray,
  someExpr,
  isFixed,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type PlanValues,
  type Program,
} from '../../ir/index.ts'

type Sizes = Readonly<Record<string, number>>
type Range = readonly [low: number, high: number]

/** Rounds in which sizes are raised: each may make loops longer. */
const mostRounds = 4

/** `sizes` with fixed ones as large as the source asks, and no larger than they are planned. */
export function insideArrays(program: Program, sizes: Sizes): Sizes {
  let current = sizes
  for (let n = 0; n < mostRounds; n++) {
    const asked = askedBy(program, current)
    if (asked.size === 0) return current
    current = { ...current, ...Object.fromEntries(asked) }
  }
  return current
}

/** Fixed sizes that are extents some subscript passes, with what would do. */
function askedBy(program: Program, sizes: Sizes): ReadonlyMap<string, number> {
  const arrays = new Map(program.arrays.map((a) => [a.name, a])),
    asked = new Map<string, number>(),
    values: PlanValues = { sizes, scalars: {} }
  const look = (array: ArrayDecl | undefined, index: readonly Expr[], at: ReadonlyMap<string, Range>): void =>
    index.forEach((e, d) => {
      const extent = array?.shape[d],
        size = extent?.kind === 'size' ? program.sizes.find((s) => s.name === extent.name) : undefined
      const high = size && isFixed(size) ? rangeOf(e, at, values)?.[1] : undefined
      if (size && high !== undefined && high >= sizes[size.name]! && high < size.planned)
        asked.set(size.name, Math.max(high + 1, asked.get(size.name) ?? 0))
    })
  const walk = (body: readonly LoopStmt[], at: ReadonlyMap<string, Range>): void => {
    for (const s of body) {
      if (s.kind === 'store') {
        look(arrays.get(s.array), s.index, at)
        for (const r of unconditionalReads(s)) look(arrays.get(r.array), r.index, at)
      }
      if (s.kind !== 'loop') continue
      const low = rangeOf(s.lower, at, values),
        high = rangeOf(s.upper, at, values)
      if (low && high && high[1] > low[0]) walk(s.body, new Map([...at, [s.name, [low[0], high[1] - 1]]]))
    }
  }
  walk(program.body, new Map())
  return asked
}

/** The least and greatest value over the loops around; undefined where it is not linear in them. */
function rangeOf(e: Expr, at: ReadonlyMap<string, Range>, values: PlanValues): Range | undefined {
  const known = literal(e)
  if (known !== undefined) return [known, known]
  if (readsArray(e) || someExpr(e, (x) => x.kind === 'scalar')) return undefined
  if (varsOf(e).size === 0) {
    const value = planValue(e, values)
    return [value, value]
  }
  const a = affineOf(e)
  if (!a) return undefined
  let low = a.constant,
    high = a.constant
  for (const [name, c] of a.terms) {
    const range = name.startsWith('$') ? sizeRange(name.slice(1), values) : at.get(name)
    if (!range) return undefined
    const ends = [c * range[0], c * range[1]]
    low += Math.min(...ends)
    high += Math.max(...ends)
  }
  return [low, high]
}

function sizeRange(name: string, { sizes }: PlanValues): Range | undefined {
  const value = sizes[name]
  return value === undefined ? undefined : [value, value]
}
