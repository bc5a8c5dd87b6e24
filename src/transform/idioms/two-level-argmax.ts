// In: a program and nested loops at its top that look for the place of the greatest or least value. Out: a loop over
// rows, each of which finds the best of its own and where in the row it is, a search for the best row, and what the
// source keeps of both: their places, and what is read there. The one idea: the first of the
// best is in the first of the rows whose best is the best.
import {
  add,
  affineExpr,
  affineOf,
  hasOnlySizes,
  implies,
  int,
  literal,
  loop as loopOf,
  loopVar,
  op,
  read,
  registerType,
  store,
  when,
  type ArrayDecl,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  identityOf,
  conjuncts,
  eachStmt,
  freshName,
  nest,
  perfectNest,
  readsArray,
  sameExpr,
  sizeDomain,
  sub,
  substitute,
  substituteStmt,
  varsOf,
} from '../../ir/index.ts'
import { mentionsAny } from '../../analysis/index.ts'

/** The program with the loops at `position` of its body so taken apart; `undefined` where they are no such search. */
export function withRowBests(program: Program, position: number): Program | undefined {
  const loop = program.body[position],
    search = loop?.kind === 'loop' ? searchOf(program, loop) : undefined
  if (!search) return undefined
  const { outer, inner, best, test, type } = search
  let made = program
  const fresh = (
    name: string,
    shape: readonly Expr[],
    kind: ArrayDecl['type'],
    space: ArrayDecl['space'],
  ): ArrayDecl => {
    const array: ArrayDecl = { name: freshName(made, name), type: kind, shape, role: 'temp', space }
    made =
      space === 'global'
        ? { ...made, arrays: [...made.arrays, array] }
        : { ...made, body: [{ kind: 'declare', array }, ...made.body] }
    return array
  }
  const extents = outer.map((l) => l.upper),
    row = outer.map((l) => loopVar(l.name))
  const bests = fresh('best_in_row', extents, best.type, 'global'),
    places = fresh('place_in_row', extents, 'i32', 'global')
  const own = fresh('row_best', [], best.type, 'private'),
    place = fresh('row_place', [], 'i32', 'private')
  const whole = fresh('rows_best', [], best.type, 'global'),
    rows = outer.map((l) => fresh(`${l.name}_where`, [], 'i32', 'global'))
  const locals = [own, place],
    worst = identityOf(test === 'gt' ? 'max' : 'min', type)
  const better = (a: Expr, b: ArrayDecl): Expr => op(test, [a, read(b, [])])
  const inRow = loopOf(
    inner.name,
    inner.upper,
    [
      whenAll(
        [...search.guards, better(search.value, own)],
        [store(own, [], search.value), store(place, [], loopVar(inner.name))],
      ),
    ],
    { lower: inner.lower },
  )
  const ofRows = nest(outer, [
    ...locals.map((array): LoopStmt => ({ kind: 'declare', array })),
    store(own, [], worst),
    store(place, [], int(0)),
    inRow,
    store(bests, row, read(own, [])),
    store(places, row, read(place, [])),
  ])
  const found = read(bests, row)
  const ofAll = nest(outer, [
    when(better(found, whole), [store(whole, [], found), ...rows.map((r, i) => store(r, [], row[i]!))]),
  ]) // as many
  const at = rows.map((r): Expr => read(r, []))
  // as many
  const by = new Map<string, Expr>([...outer.map((l, i) => [l.name, at[i]!] as const), [inner.name, read(places, at)]])
  const result = whenAll(
    [op('ge', [at[0]!, int(0)]), better(read(whole, []), best)],
    search.stores.map((s) => ({ ...s, value: s.array === best.name ? read(whole, []) : substitute(s.value, by) })),
  ) // there is an outer loop
  const started = [store(whole, [], worst), ...rows.map((r) => store(r, [], int(-1)))]
  const declared = (s: LoopStmt): boolean => s.kind === 'declare' && locals.includes(s.array)
  const apart: Program = {
    ...made,
    body: made.body
      .filter((s) => !declared(s))
      .flatMap((s) => (s === loop ? [...ofRows, ...started, ...ofAll, result] : [s])),
  }
  return outer.length > 1 ? (withRowBests(apart, apart.body.indexOf(ofAll[0]!)) ?? apart) : apart // a nest has a loop
}

const whenAll = (conditions: readonly Expr[], body: readonly LoopStmt[]): LoopStmt =>
  when(
    conditions.reduce((a, b) => op('land', [a, b])),
    body,
  )

interface Search {
  /** Around the rows, from 0, over sizes. */
  readonly outer: readonly Loop[]
  readonly inner: Loop
  readonly best: ArrayDecl
  readonly test: 'gt' | 'lt'
  readonly type: Expr['type']
  readonly value: Expr
  readonly guards: readonly Expr[]
  /** Of the best and of its places. */
  readonly stores: readonly Store[]
}

/** `if (value > best) { best = value; places = … }` inside of two loops at least. */
function searchOf(program: Program, whole: Loop): Search | undefined {
  const { loops, body } = perfectNest(fromZero(program, whole)),
    outer = loops.slice(0, -1),
    inner = loops[loops.length - 1]!
  const only = body.length === 1 ? body[0] : undefined
  if (
    outer.length === 0 ||
    only?.kind !== 'if' ||
    only.else.length > 0 ||
    loops.some((l) => l.step !== 1 || readsArray(l.upper) || readsArray(l.lower))
  )
    return undefined
  if (outer.some((l) => literal(l.lower) !== 0 || varsOf(l.upper).size > 0)) return undefined
  const stores = only.then.flatMap((s) => (s.kind === 'store' && !s.reduce && s.index.length === 0 ? [s] : []))
  const found = stores.length === only.then.length ? testOf(only, new Set(stores.map((s) => s.array))) : undefined
  const best = found && arrayOf(program, found.best)
  if (
    !found ||
    !best ||
    registerType(best.type) !== best.type ||
    !stores.some((s) => s.array === best.name) ||
    new Set(stores.map((s) => s.array)).size < stores.length
  )
    return undefined
  const places = stores.filter((s) => s.array !== best.name),
    changed = new Set(stores.map((s) => s.array))
  if (
    places.length === 0 ||
    places.some((s) => mentionsAny([s.value], [...changed])) ||
    !stores.every((s) => s.array !== best.name || sameExpr(s.value, found.value))
  )
    return undefined
  return {
    outer,
    inner,
    best,
    test: found.test,
    type: found.value.type,
    value: found.value,
    guards: found.guards,
    stores,
  }
}

/** The loop and those in it counted from 0, but for the innermost, where they are known to run no less than 0 times. */
function fromZero(program: Program, l: Loop): Loop {
  const [only, more] = l.body,
    isOuter = only?.kind === 'loop' && !more
  if (!isOuter) return l
  const inner = fromZero(program, only),
    times = affineOf(sub(l.upper, l.lower)),
    isCounted = times !== undefined && hasOnlySizes(times) && implies(sizeDomain(program).constraints, times)
  if (literal(l.lower) === 0 || !isCounted || varsOf(l.lower).size > 0) return { ...l, body: [inner] }
  const at = new Map([[l.name, add(loopVar(l.name), l.lower)]])
  return { ...l, lower: int(0), upper: affineExpr(times), body: [substituteStmt(inner, at)] }
}

/** The comparison of a value with the best so far, which nothing else in the condition knows. */
function testOf(
  s: If,
  names: ReadonlySet<string>,
):
  | { readonly test: 'gt' | 'lt'; readonly best: string; readonly value: Expr; readonly guards: readonly Expr[] }
  | undefined {
  const all = conjuncts(s.condition),
    knowing = all.filter((c) => mentionsAny([c], [...names])),
    [test] = knowing
  if (knowing.length !== 1 || test?.kind !== 'op' || (test.op !== 'gt' && test.op !== 'lt')) return undefined
  const [a, b] = test.args as readonly [Expr, Expr] // a comparison has two sides
  const right = b.kind === 'read' && names.has(b.array) && !mentionsAny([a], [...names]),
    left = a.kind === 'read' && names.has(a.array) && !mentionsAny([b], [...names])
  if (!right && !left) return undefined
  const [value, best] = right ? [a, b] : [b, a]
  const greater = (test.op === 'gt') === right
  return best.kind === 'read'
    ? { test: greater ? 'gt' : 'lt', best: best.array, value, guards: all.filter((c) => c !== test) }
    : undefined
}

function arrayOf(program: Program, name: string): ArrayDecl | undefined {
  let found = program.arrays.find((a) => a.name === name)
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare' && s.array.name === name) found = s.array
  })
  return found?.shape.length === 0 ? found : undefined
}
