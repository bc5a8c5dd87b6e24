// In: branches around stores to elements that are there whatever the condition says: `if (t < d[i][j]) { d[i][j] = t;
// p[i][j] = k; }`. Out: stores without branches, of a new value or the old one. The one idea is if-conversion to
// selects (Allen, Kennedy, Porterfield and Warren 1983): elements that a thread keeps in registers are updated without
// waiting for a decision. Conditions on places around the statement stay: they bound loops. What is loaded that a
// branch might not have loaded must be inside of its array; divisions of integers stay where they are asked for.
import {
  addScaled,
  affineOf,
  implies,
  isFloat,
  literal,
  op,
  plus,
  read,
  reduced,
  rewriteExpr,
  mapStmtExprs,
  someStmt,
  sizeDomain,
  someExpr,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type If,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { sameIndex } from '../../analysis/index.ts'

/** Operations of a value that is computed for nothing where the condition does not hold. */
const mostOperations = 16

/**
 * `body`, which runs where all `rows` are ≥ 0, with selects for its branches; the same object where one of these must
 * stay.
 */
export function withSelects(program: Program, body: readonly LoopStmt[], rows: readonly Affine[]): readonly LoopStmt[] {
  const known = [...sizeDomain(program).constraints, ...rows.map((form) => ({ form }))],
    arrays = new Map(program.arrays.map((a) => [a.name, a])),
    only = withoutLocals(body),
    made: LoopStmt[] = []
  if (only) return selected(only, arrays, known, true) ?? body
  let isChanged = false
  for (const s of body) {
    const stores = s.kind === 'if' ? selected(s, arrays, known, false) : [s]
    if (!stores) return body
    isChanged ||= s.kind === 'if'
    made.push(...stores)
  }
  return isChanged ? made : body
}

/** The branch that is all that the body does, with the values of locals where it asks for them. */
function withoutLocals(body: readonly LoopStmt[]): If | undefined {
  const values = new Map<string, Expr>(),
    types = new Map<string, string>(),
    put = (e: Expr): Expr => rewriteExpr(e, (x) => (x.kind === 'read' ? values.get(x.array) : undefined)),
    last = body.at(-1)
  if (last?.kind !== 'if' || body.length === 1) return undefined
  for (const s of body.slice(0, -1)) {
    if (s.kind === 'declare') types.set(s.array.name, s.array.type)
    else if (s.kind !== 'store' || s.reduce || s.index.length > 0 || values.has(s.array)) return undefined
    else if (types.get(s.array) !== s.value.type) return undefined
    else values.set(s.array, put(s.value))
  }
  // statements keep their kinds
  return someStmt([last], (s) => s.kind === 'store' && types.has(s.array)) ? undefined : (mapStmtExprs(last, put) as If)
}

type Arrays = ReadonlyMap<string, ArrayDecl>

/** `asBefore`: values are those of the elements before all of the stores, too. */
function selected(
  s: If,
  arrays: Arrays,
  known: readonly Constraint[],
  asBefore: boolean,
): readonly LoopStmt[] | undefined {
  const stores = [...s.then, ...s.else].filter((x) => x.kind === 'store')
  if (stores.length < s.then.length + s.else.length || !stores.every((x) => isHarmless(x, arrays, known)))
    return undefined
  const ordered = conditionLast(
    s.condition,
    stores.filter((x) => !isIdle(x)),
  )
  const isLate = (x: Store, i: number, all: readonly Store[]): boolean =>
    all.slice(0, i).some((y) => readsOf(x.value, y.array))
  if (!ordered || (asBefore && ordered.some(isLate))) return undefined
  return ordered.map((x) => selecting(x, s.condition, s.then.includes(x), arrays))
}

/** Whether the store leaves what is there. */
const isIdle = (s: Store): boolean =>
  !s.reduce && s.value.kind === 'read' && s.value.array === s.array && sameIndex(s.value.index, s.index)

/** The store of its value where the condition is as `holds` says, and else of what is there. */
function selecting(s: Store, condition: Expr, holds: boolean, arrays: Arrays): Store {
  const { reduce, ...rest } = s,
    old = read(arrays.get(s.array)!, s.index), // harmless stores are to arrays of the program
    value = reduce ? reduced(reduce, old, s.value) : s.value
  return { ...rest, reduce: null, value: op('select', holds ? [condition, value, old] : [condition, old, value]) }
}

/**
 * The stores in an order in which all of them find what the condition reads as it was: one that may change it goes
 * last; `undefined` where several may, or others need its place.
 */
function conditionLast(condition: Expr, stores: readonly Store[]): readonly Store[] | undefined {
  const changing = stores.filter((s) => readsOf(condition, s.array)),
    [last, more] = changing
  if (more) return undefined
  if (!last) return stores
  const after = stores.slice(stores.indexOf(last) + 1)
  const isFree = after.every(
    (s) => s.array !== last.array && !readsOf(s.value, last.array) && !readsOf(last.value, s.array),
  )
  return isFree ? [...stores.filter((s) => s !== last), last] : undefined
}

const readsOf = (e: Expr, array: string): boolean => someExpr(e, (x) => x.kind === 'read' && x.array === array)

/** Whether the store may run where its branch does not, with what is there. */
function isHarmless(s: Store, arrays: Arrays, known: readonly Constraint[]): boolean {
  const array = arrays.get(s.array)
  if (!array || array.space !== 'global' || array.role === 'out' || s.atomic || !isInside(array, s.index, known))
    return false
  let operations = 0
  return !someExpr(s.value, (e) => {
    if (e.kind === 'op' || e.kind === 'choose') operations++
    if (operations > mostOperations) return true
    if (e.kind === 'op' && (e.op === 'div' || e.op === 'rem') && !isFloat(e.type)) return !literal(e.args[1]!)
    const from = e.kind === 'read' ? arrays.get(e.array) : undefined
    return e.kind === 'read' && from !== undefined && !isInside(from, e.index, known)
  })
}

/** Whether the element is in its array wherever the statement runs. */
const isInside = (array: ArrayDecl, index: readonly Expr[], known: readonly Constraint[]): boolean =>
  index.every((e, d) => {
    const at = affineOf(e),
      extent = affineOf(array.shape[d]!) // as many subscripts as dimensions
    return at && extent && implies(known, at) && implies(known, plus(addScaled(extent, at, -1), -1))
  })
