// In: a kernel. Out: the same, where short loops over local arrays are unrolled, so that places in these are literals
// and their elements registers. The one idea: scalar replacement of arrays (Callahan, Carr and Kennedy, 1990) needs
// subscripts that are known; an array with one that is not stays in memory, and its loops as they are.
import {
  constantExtent,
  eachStmt,
  literal,
  mapBody,
  readsIn,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { hasLoop } from '../../analysis/index.ts'
import { mostCopies } from './full-unrolling.ts'

/** Iterations of a loop that is unrolled. */
const mostIterations = 32

/** `program` with the loops over local arrays unrolled, and the arrays that are registers then. */
export function unrolledRows(program: Program): { readonly program: Program; readonly arrays: readonly string[] } {
  const short = new Map<string, Loop>(),
    local = new Set<string>()
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare' && s.array.space === 'private' && s.array.shape.length > 0) local.add(s.array.name)
    if (isShort(s)) short.set(s.name, s)
  })
  const uses = subscriptsOf(program.body, local),
    isKnown = (e: Expr): boolean => literal(e) !== undefined || (e.kind === 'var' && short.has(e.name)),
    arrays = [...local].filter((name) => uses.get(name)?.every(isKnown))
  const wanted = new Set(
    arrays.flatMap((name) => uses.get(name)!.flatMap((e) => (e.kind === 'var' ? [e.name] : []))), // all have uses
  )
  const copies = [...wanted].reduce((n, name) => n + countOf(short.get(name)!), 0)
  if (wanted.size === 0 || copies > mostCopies) return { program, arrays: [] }
  const body = mapBody(program.body, (s) =>
    s.kind === 'loop' && wanted.has(s.name) && isShort(s) ? [{ ...s, bind: { kind: 'unroll' } }] : undefined,
  )
  return { program: { ...program, body }, arrays }
}

const isShort = (s: LoopStmt): s is Loop =>
  s.kind === 'loop' &&
  s.bind.kind === 'serial' &&
  (constantExtent(s) ?? Infinity) <= mostIterations &&
  !s.body.some(hasLoop)

/** Statements that a loop becomes. */
function countOf(l: Loop): number {
  let statements = 0
  eachStmt(l.body, () => statements++)
  return statements * (constantExtent(l) ?? 1)
}

/** All subscripts of the arrays. */
function subscriptsOf(body: readonly LoopStmt[], arrays: ReadonlySet<string>): ReadonlyMap<string, readonly Expr[]> {
  const all = new Map<string, Expr[]>()
  const add = (array: string, index: readonly Expr[]): void => {
    if (arrays.has(array)) all.set(array, [...(all.get(array) ?? []), ...index])
  }
  for (const r of readsIn(body)) add(r.array, r.index)
  eachStmt(body, (s) => {
    if (s.kind === 'store') add(s.array, s.index)
  })
  return all
}
