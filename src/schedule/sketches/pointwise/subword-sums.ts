// Sums over windows, for all cells of a thread. In: a sum with an accumulator for each of its rows and cells, whose
// loops are written out. Out: statements. The one idea: where a term depends on the row of the result and that of the
// window by their sum alone, what one row of the window comes to serves every result that has this row in its window (a
// 5 × 5 maximum of 8 rows: 12 rows of 5 and 8 columns of 5 in place of 8 × 25); the same for columns. Factors that only
// the window's row decides are multiplied afterwards.
import {
  add,
  affineExpr,
  affineOf,
  int,
  isFloat,
  literal,
  loopVar,
  op,
  store,
  when,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type MemoryType,
  type ReduceOp,
  identityOf,
  constantExtent,
  exprKey,
  factorsOf,
  rewriteExpr,
  nest,
  substitute,
  uses,
} from '../../../ir/index.ts'

export interface WindowSum {
  /** Accumulators by row and cell. */
  readonly into: ArrayDecl
  /** Constant, written out. */
  readonly loops: readonly Loop[]
  readonly op: ReduceOp
  readonly init: Expr
  /** Over the loops, `pi` and `vj`, in registers. */
  readonly value: Expr
  readonly guard: Expr | undefined
}

/** `cells`: loops over the rows `pi` and the cells `vj` of a thread. */
export function windowSums(
  sum: WindowSum,
  cells: readonly Loop[],
  registers: (name: string, type: MemoryType, shape: readonly number[]) => ArrayDecl,
): readonly LoopStmt[] {
  const at = cells.map((l) => loopVar(l.name)),
    begin: readonly LoopStmt[] = [{ kind: 'declare', array: sum.into }, ...nest(cells, [store(sum.into, at, sum.init)])]
  const best = cells
    .flatMap((own) => sum.loops.flatMap((over) => sharedOf(sum, cells, own, over) ?? []))
    .sort((a, b) => a.terms - b.terms)[0]
  if (best && best.terms < termsOf(sum, cells)) return [...begin, ...inParts(sum, cells, best, registers)]
  const update = store(sum.into, at, sum.value, sum.op)
  return [...begin, ...nest([...sum.loops, ...cells], sum.guard ? [when(sum.guard, [update])] : [update])]
}

const extent = (l: Loop): number => constantExtent(l) ?? Infinity

const termsOf = ({ loops }: WindowSum, cells: readonly Loop[]): number =>
  [...loops, ...cells].reduce((n, l) => n * extent(l), 1)

/**
 * What results along `own` share of the loop `over`: `part` of a term, to be multiplied by `factor`, and how many terms
 * remain.
 */
interface Shared {
  readonly own: Loop
  readonly over: Loop
  readonly part: Expr
  readonly factor: Expr | undefined
  readonly terms: number
}

function sharedOf(sum: WindowSum, cells: readonly Loop[], own: Loop, over: Loop): Shared | undefined {
  const first = literal(over.lower)
  if (
    sum.guard ||
    first === undefined ||
    over.step !== 1 ||
    extent(own) < 2 ||
    extent(over) < 2 ||
    sum.loops.some((l) => l !== over && (uses(l.lower, over.name) || uses(l.upper, over.name)))
  )
    return undefined
  // a sum of numbers
  const factors = sum.op === 'add' && !isFloat(sum.value.type as MemoryType) ? factorsOf(sum.value) : [sum.value]
  const fixed = factors.filter(
      (e) => ![...cells, ...sum.loops].some((l) => l !== over && uses(e, l.name)) && uses(e, over.name),
    ),
    moving = factors.filter((e) => !fixed.includes(e))
  if (moving.length === 0) return undefined
  const part = moving.reduce((a, b) => op('mul', [a, b])),
    moved = substitute(
      part,
      new Map([
        [own.name, add(loopVar(own.name), int(1))],
        [over.name, add(loopVar(over.name), int(-1))],
      ]),
    )
  if (!uses(part, over.name) || plainKey(part) !== plainKey(moved)) return undefined
  const places = extent(own) + extent(over) - 1,
    others = termsOf(sum, cells) / extent(own) / extent(over)
  const beside = cells.filter((l) => l !== own).reduce((n, l) => n * extent(l), 1)
  return {
    own,
    over,
    part,
    factor: fixed.length > 0 ? fixed.reduce((a, b) => op('mul', [a, b])) : undefined,
    terms: places * others + beside * extent(own) * extent(over),
  }
}

/** A key of `e` with all linear forms written alike. */
const plainKey = (e: Expr): string =>
  exprKey(
    rewriteExpr(e, (x) => {
      const a = x.kind === 'op' && x.type === 'i32' ? affineOf(x) : undefined
      return a && affineExpr({ ...a, terms: new Map([...a.terms].sort(([p], [q]) => (p < q ? -1 : 1))) })
    }),
  )

/** One row (or column) of the window after the other, each for all results that have it. */
function inParts(
  sum: WindowSum,
  cells: readonly Loop[],
  { own, over, part, factor }: Shared,
  registers: (name: string, type: MemoryType, shape: readonly number[]) => ArrayDecl,
): readonly LoopStmt[] {
  const first = literal(over.lower)!,
    places = extent(own) + extent(over) - 1,
    others = cells.filter((l) => l !== own),
    rest = sum.loops.filter((l) => l !== over) // a literal: it was asked
  const parts = registers(
    `${sum.into.name}_part`,
    sum.into.type,
    cells.map((l) => (l === own ? places : extent(l))),
  )
  const value = substitute(part, new Map([[over.name, int(first)]])),
    at = (n: number): readonly Expr[] => cells.map((l) => (l === own ? int(n) : loopVar(l.name)))
  const rows = Array.from({ length: places }, (_, n): readonly LoopStmt[] => {
    const mine: Expr = { kind: 'read', type: sum.value.type, array: parts.name, index: at(n) }
    const results = Array.from({ length: extent(over) }, (_, i) => i).filter((i) => n - i >= 0 && n - i < extent(own))
    const share = (i: number): Expr =>
      factor ? op('mul', [substitute(factor, new Map([[over.name, int(first + i)]])), mine]) : mine
    return [
      ...nest(others, [store(parts, at(n), identityOf(sum.op, sum.value.type))]),
      ...nest([...rest, ...others], [store(parts, at(n), substitute(value, new Map([[own.name, int(n)]])), sum.op)]),
      ...results.flatMap((i) => nest(others, [store(sum.into, at(n - i), share(i), sum.op)])),
    ]
  })
  return [{ kind: 'declare', array: parts }, ...rows.flat()]
}
