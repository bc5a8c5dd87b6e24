// In: nested loops that fill a table and keep a number beside it: `h[i][j] = v; best = max(best, v)`, as local
// alignment does. Out: the loops that fill the table, and the same loops with what keeps the number, from the table.
// The one idea is loop distribution where the value that two statements share is read back: each element is stored
// once, so that it is the value ever after. What is left of the first loops writes arrays alone and may be tiled.
import {
  affineOf,
  coefficient,
  eachExpr,
  eachStmt,
  mapStmts,
  nest,
  perfectNest,
  read,
  readsArray,
  readsIn,
  registerType,
  rewriteExpr,
  sameExpr,
  storedIn,
  uses,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Read,
  type Store,
} from '../../ir/index.ts'
import { isElsewhere, sameIndex } from '../../analysis/index.ts'

/** The loops without what keeps numbers, and those with it alone; `undefined` where they share more than a value. */
export function scalarResultsApart(program: Program, loop: Loop): readonly [Loop, Loop] | undefined {
  const { loops, body } = perfectNest(loop),
    scalars = new Set(program.arrays.flatMap((a) => (a.shape.length === 0 ? [a.name] : [])))
  const isResult = (s: LoopStmt): boolean => {
    const stored = storedIn([s])
    return s.kind !== 'declare' && stored.length > 0 && stored.every((name) => scalars.has(name))
  }
  const first = body.findIndex(isResult)
  if (first <= 0) return undefined
  const [table, results] = [body.slice(0, first), body.slice(first)]
  if (loops.some((l) => readsArray(l.lower) || readsArray(l.upper))) return undefined
  if (!results.every(isResult) || mentionsAny(table, storedIn(results))) return undefined
  const kept = results.map((s) => readBack(program, loops, table, s))
  if (!kept.every((s) => s !== undefined)) return undefined
  const made = [table, kept].map((stmts) => nest(loops, stmts)[0])
  const [one, two] = made
  return one?.kind === 'loop' && two?.kind === 'loop' ? [one, two] : undefined
}

const mentionsAny = (body: readonly LoopStmt[], names: readonly string[]): boolean =>
  storedIn(body).some((n) => names.includes(n)) || readsIn(body).some((r) => names.includes(r.array))

/** `s` with what `table` stores read from there; `undefined` where it needs anything else that `table` makes. */
function readBack(
  program: Program,
  loops: readonly Loop[],
  table: readonly LoopStmt[],
  s: LoopStmt,
): LoopStmt | undefined {
  const elements = table.filter((x): x is Store => x.kind === 'store' && isKept(program, loops, table, x))
  const fromTable = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const element = x.kind === 'const' ? undefined : elements.find((t) => sameExpr(t.value, x))
      return element && read(arrayOf(program, element)!, element.index)
    })
  const [made] = mapStmts([s], fromTable)
  const changed = new Set(storedIn(table)),
    isOwn = (r: Read, t: Store): boolean => r.array === t.array && sameIndex(r.index, t.index)
  eachStmt(table, (x) => {
    if (x.kind === 'declare') changed.add(x.array.name)
  })
  const isFree = readsIn([made!]).every((r) => !changed.has(r.array) || elements.some((t) => isOwn(r, t)))
  return isFree ? made : undefined
}

const arrayOf = (program: Program, s: Store): Program['arrays'][number] | undefined =>
  program.arrays.find((a) => a.name === s.array)

/** Whether the element that `s` stores in each iteration is stored by nothing else, and as it is. */
function isKept(program: Program, loops: readonly Loop[], table: readonly LoopStmt[], s: Store): boolean {
  const array = arrayOf(program, s),
    later = storedIn(table.slice(table.indexOf(s) + 1))
  let stores = 0
  eachStmt(table, (x) => {
    if (x.kind === 'store' && x.array === s.array) stores++
  })
  if (s.reduce || s.atomic || stores !== 1 || !array || registerType(array.type) !== s.value.type) return false
  if (array.space !== 'global' || registerType(array.type) !== array.type) return false
  // the value is told by what it is made of: none of this changes before it is told
  const reads: Read[] = []
  eachExpr(s.value, (x) => {
    if (x.kind === 'read') reads.push(x)
  })
  const stays = reads.every((r) => !later.includes(r.array) && (r.array !== s.array || isElsewhere(r.index, s.index)))
  if (reads.length === 0 || !stays) return false
  return loops.every((l) => s.index.some((e) => isPlace(e, l))) && s.index.every((e) => placesIn(e, loops) <= 1)
}

/** Whether a subscript tells iterations of the loop apart. */
const isPlace = (e: Expr, l: Loop): boolean => {
  const form = affineOf(e)
  return form !== undefined && coefficient(form, l.name) !== 0
}

const placesIn = (e: Expr, loops: readonly Loop[]): number => loops.filter((l) => uses(e, l.name)).length
