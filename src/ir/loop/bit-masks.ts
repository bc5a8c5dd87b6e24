// In: statements. Out: the sizes that bits of numbers are chosen with (`slot = (slot + 1) & mask`). The one idea: such
// a size is a power of two less 1, or numbers would skip places; whoever chooses values for sizes needs no more.
import { eachExprIn, someExpr } from './loop-tree.ts'
import type { Expr, LoopStmt } from './loop.ts'

/** Names of sizes that stand alone on a side of `&`, beside what is no expression of sizes. */
export function maskSizes(body: readonly LoopStmt[]): ReadonlySet<string> {
  const found = new Set<string>()
  const note = (e: Expr): void => {
    if (e.kind === 'size') found.add(e.name)
    if (e.kind === 'op' && e.op === 'convert') e.args.forEach(note)
  }
  eachExprIn(body, (x) => {
    const [a, b] = x.kind === 'op' && x.op === 'and' ? x.args : []
    if (a && b && !isOfSizes(b)) note(a)
    if (a && b && !isOfSizes(a)) note(b)
  })
  return found
}

const isOfSizes = (e: Expr): boolean => !someExpr(e, (x) => x.kind === 'var' || x.kind === 'read')

/** The greatest mask of lower bits that is not above `value`. */
export const asMask = (value: number): number => 2 ** Math.floor(Math.log2(Math.max(1, value) + 1)) - 1
