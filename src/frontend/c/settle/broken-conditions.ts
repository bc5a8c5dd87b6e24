// In: a lowered program, and the same with shapes. Out: sentences on run-time conditions (`stride >= w`) that would
// take a flat array apart and that the planned sizes break, so that its loops stay in order. The one idea: what would
// be asked is what is asked where one size of the subscript is planned larger than all others. Nothing is changed.
import { appliedOr, attempted } from '../../../base/index.ts'
import {
  accesses,
  affineOf,
  conditionsOf,
  planValue,
  printExpr,
  sizesIn,
  type Access,
  type Expr,
  type Program,
} from '../../../ir/index.ts'
import type { LoweredFunction } from '../lower/function.ts'

/** How often the largest planned size a pitch is tried with. */
const roomy = 2

/** One sentence for each condition that the planned sizes break; `settled` gives a lowered program its shapes. */
export function brokenConditions(
  lowered: LoweredFunction,
  program: Program,
  settled: (lowered: LoweredFunction) => Program,
): readonly string[] {
  if (program.otherwise) return []
  const all = accesses(program).filter((a) => a.loops.length > 1 && a.index.length === 1 && !affineOf(a.index[0]!)),
    flat = [...all.filter((a) => a.kind === 'write'), ...all.filter((a) => a.kind === 'read')],
    names = new Set(flat.flatMap((a) => sizesIn(a.index[0]!))) // one subscript
  const planned = Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
    found = new Map<string, string>()
  for (const name of names) {
    for (const e of askedWith(lowered, name, settled)) {
      const known = sizesIn(e).every((n) => planned[n] !== undefined)
      if (known && planValue(e, { sizes: planned, scalars: {} }) === 0)
        found.set(printExpr(e), sentence(e, planned, flat))
    }
  }
  return [...found.values()]
}

/** What the host would ask were `name` planned larger than all other sizes. */
function askedWith(
  lowered: LoweredFunction,
  name: string,
  settled: (lowered: LoweredFunction) => Program,
): readonly Expr[] {
  const { program } = lowered,
    most = Math.max(...program.sizes.map((s) => s.planned))
  const sizes = program.sizes.map((s) => (s.name === name ? { ...s, planned: roomy * most } : s))
  return appliedOr(
    attempted(() => conditionsOf(settled({ ...lowered, program: { ...program, sizes } }))),
    [],
  )
}

function sentence(e: Expr, planned: Readonly<Record<string, number>>, flat: readonly Access[]): string {
  // all are planned
  const values = [...new Set(sizesIn(e))].map((n) => `${n} = ${planned[n]!.toLocaleString('en-US')}`),
    [first] = flat.filter((a) => sizesIn(a.index[0]!).some((n) => sizesIn(e).includes(n))) // one subscript
  const line = (first?.at ?? first?.statement.at)?.line,
    where = first ? `, so that iterations may meet in ${first.array}${line ? ` (line ${line})` : ''}` : ''
  return (
    `${printExpr(e)} does not hold at the planned sizes (${values.join(', ')})${where} and loops stay in order; ` +
    'where it holds they need not'
  )
}
