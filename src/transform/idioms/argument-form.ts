// In: a loop with what stands before and after it. Out: the search for the greatest or least value and its place that
// it is, if it is one. The one idea: `if (value > best) { best = value; place = at }` is a search wherever the best and
// its place are kept, and whatever else is asked of a value; who is first among equals is in how values compare.
import {
  mirrors,
  isOrdering,
  addScaled,
  affineOf,
  choose,
  constant,
  op,
  read,
  store,
  loopVar,
  conjuncts,
  conjunction,
  identityOf,
  mapStmtExprs,
  rewriteExpr,
  sameExpr,
  substitute,
  uses,
  replaceReads,
  type Argument,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Store,
} from '../../ir/index.ts'
import {
  injective,
  isStore,
  isWhole,
  mentions,
  mentionsAny,
  ownOnly,
  ownScalar,
  readsOf,
  sameIndex,
  withoutReduce,
  type Around,
  type ArraysByName,
} from '../../analysis/index.ts'

const always = constant('bool', 1)

/** `if (value > best) { best = value; place = at }`, or `if (a[i] > a[place]) place = i`. */
export function argumentForm(around: Around): Argument | undefined {
  const { arrays, loop } = around
  const s = loop.body.length === 1 ? loop.body[0] : undefined
  if (s?.kind !== 'if' || s.else.length > 0 || !s.then.every(isStore) || s.then.length > 2) return undefined
  const stores = s.then.filter(isStore)
  const targets = stores.map((x) => arrays.get(x.array))
  if (!targets.every((t): t is ArrayDecl => t?.shape.length === 0 && isWhole(t)) || stores.some((x) => x.reduce))
    return undefined
  const names = targets.map((t) => t.name)
  const all = conjuncts(s.condition),
    test = all.find((c) => mentionsAny([c], names)),
    guards = all.filter((c) => c !== test)
  if (test?.kind !== 'op' || !isOrdering(test.op) || mentionsAny(guards, names)) return undefined
  const { op } = test
  const [a, b] = test.args as readonly [Expr, Expr] // a comparison has two sides
  const left = mentionsAny([b], names) && !mentionsAny([a], names)
  const [value, other] = left ? [a, b] : [b, a]
  if (mentionsAny([value], names)) return undefined
  return chosen(around, { better: left ? op : mirrors[op], value, other, guard: conjunction(guards), stores, targets })
}

/**
 * The same where the best or its place are elements, of a row for each point of the parallel loops: in scalars while
 * the loop runs, whichever loop is around which.
 */
export const elementSearch = (around: Around): Argument | undefined => inScalars(around, (s) => s.index.length > 0)

/** The same where they are numbers in memory, which an earlier kernel has set. */
export const numberSearch = (around: Around): Argument | undefined => inScalars(around, () => true)

function inScalars(around: Around, isElement: (s: Store) => boolean): Argument | undefined {
  const { arrays, loop, before, after } = around,
    only = loop.body.length === 1 ? loop.body[0] : undefined
  const stores = only?.kind === 'if' ? only.then.filter(isStore) : [],
    elements = stores.filter(isElement)
  const isOwn = (s: Store): boolean =>
    arrays.get(s.array)?.space === 'global' &&
    !s.index.some((e) => uses(e, loop.name) || readsOf([e]).length > 0) &&
    injective(s.index, around.parallel)
  if (elements.length === 0 || !elements.every(isOwn)) return undefined
  const runs = new Map(elements.map((s) => [s.array, ownScalar({ ...arrays.get(s.array)!, shape: [] })])), // own ones
    elementOf = (name: string): Store => elements.find((s) => s.array === name)!
  const isIts = (array: string, index: readonly Expr[]): boolean => sameIndex(index, elementOf(array).index)
  const inRuns = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const run = x.kind === 'read' ? runs.get(x.array) : undefined
      return x.kind === 'read' && run && isIts(x.array, x.index) ? read(run, []) : undefined
    })
  const held = (s: LoopStmt): LoopStmt => {
    const made = mapStmtExprs(s, inRuns)
    if (made.kind === 'if') return { ...made, then: made.then.map(held) }
    const run = made.kind === 'store' ? runs.get(made.array) : undefined
    return made.kind === 'store' && run && isIts(made.array, made.index)
      ? store(run, [], made.value, made.reduce ?? undefined)
      : made
  }
  const starts = before.map(held).filter(isStore),
    set = new Set(starts.map((s) => s.array))
  const given = [...runs].flatMap(([name, run]) =>
    set.has(run.name) ? [] : [store(run, [], read(arrays.get(name)!, elementOf(name).index))],
  )
  const inner = { ...loop, body: loop.body.map(held) },
    results = after.map(held).filter(isStore)
  if (after.length !== results.length || before.length !== starts.length) return undefined
  return argumentForm({
    ...around,
    arrays: new Map([...arrays, ...[...runs.values()].map((a) => [a.name, a] as const)]),
    loop: inner,
    before: [...given, ...starts],
    after: [
      ...[...runs].map(([name, run]) => store(arrays.get(name)!, elementOf(name).index, read(run, []))),
      ...results,
    ],
  })
}

/** What the best starts with may be the element that it is stored to, which then nothing asks for after that. */
function bestLast(a: Argument): Argument {
  const isBest = (s: Store): boolean => mentions([a.first], s.array)
  return { ...a, results: [...a.results.filter((s) => !isBest(s)), ...a.results.filter(isBest)] }
}

interface Choice {
  readonly better: Argument['better']
  readonly value: Expr
  /** What the value is compared with. */
  readonly other: Expr
  readonly guard: Expr | undefined
  readonly stores: readonly Store[]
  readonly targets: readonly ArrayDecl[]
}

function chosen({ arrays, parallel, before, loop, after }: Around, c: Choice): Argument | undefined {
  const isBest = (t: ArrayDecl): boolean => c.other.kind === 'read' && c.other.array === t.name
  const n = c.targets.findIndex(isBest),
    m = c.targets.findIndex((t) => !isBest(t))
  const place = c.targets[m],
    at = c.stores[m]?.value,
    start = before.find((x) => x.array === place?.name)?.value
  if (
    !place ||
    !at ||
    !start ||
    readsOf([at]).length > 0 ||
    before.length !== c.targets.length ||
    before.some((x) => x.reduce)
  )
    return undefined
  const best: ArrayDecl = c.targets[n] ?? {
    name: `${place.name}_best`,
    type: c.value.type === 'bool' ? 'i32' : c.value.type,
    shape: [],
    role: 'temp',
    space: 'private',
  }
  const first =
    n >= 0
      ? before.find((x) => x.array === best.name)?.value
      : choose(
          op('lt', [loop.lower, loop.upper]),
          substitute(c.value, new Map([[loop.name, start]])),
          c.value.type === 'bool' ? always : identityOf('add', c.value.type),
        )
  const known =
    n >= 0
      ? sameExpr(c.stores[n]!.value, c.value)
      : sameExpr(at, loopVar(loop.name)) &&
        sameExpr(c.other, substitute(c.value, new Map([[loop.name, read(place, [])]])))
  const strict = c.better === 'gt' || c.better === 'lt'
  if (!first || !known || c.targets.length > (n >= 0 ? 2 : 1) || (c.guard && !strict) || c.value.type === 'bool')
    return undefined
  const results = after.map((s) => withoutReduce(arrays, s))
  const found: Argument = {
    kind: 'argument',
    parallel,
    loop,
    better: c.better,
    guard: c.guard,
    value: c.value,
    at,
    first,
    start,
    best,
    place,
    results,
  }
  const own = bestLast(withOwnPair(found))
  return storesApart(arrays, own) ? own : undefined
}

function withOwnPair(a: Argument): Argument {
  const pairs = [a.best, a.place].flatMap((x) => (x.space === 'global' ? [[x, ownScalar(x)] as const] : []))
  const f = (e: Expr): Expr => pairs.reduce((x, [from, to]) => replaceReads(x, from.name, read(to, [])), e)
  const own = (x: ArrayDecl): ArrayDecl => pairs.find(([from]) => from === x)?.[1] ?? x
  return {
    ...a,
    best: own(a.best),
    place: own(a.place),
    results: [
      ...pairs.map(([from, to]) => store(from, [], read(to, []))),
      ...a.results.map((r) => ({ ...r, value: f(r.value) })),
    ],
  }
}

/** Whether some subscripts differ by a number wherever the loops `points` are, as rows `t` and `t - 1` do. */
function inOtherRows(a: readonly Expr[], b: readonly Expr[], points: ReadonlySet<string>): boolean {
  return a.some((e, d) => {
    const [one, two] = [e, b[d]!].map(affineOf),
      apart = one && two && addScaled(one, two, -1)
    return apart?.terms.size === 0 && apart.constant !== 0 && ![...one!.terms.keys()].some((name) => points.has(name))
  })
}

/** Whether results are elements of their own that nothing else reads. */
function storesApart(arrays: ArraysByName, a: Argument): boolean {
  const names = a.results.map((r) => r.array),
    points = new Set([...a.parallel, a.loop].map((l) => l.name))
  const meet = a.results.some((r, n) =>
    a.results.slice(0, n).some((q) => q.array === r.array && !inOtherRows(q.index, r.index, points)),
  )
  if (names.length === 0 || meet || names.some((n) => arrays.get(n)?.space !== 'global')) return false
  const asked = [a.value, ...(a.guard ? [a.guard] : [])]
  if (
    readsOf(asked).some((x) => a.results.some((r) => r.array === x.array && !inOtherRows(x.index, r.index, points))) ||
    mentionsAny([a.value, a.first, a.start, ...(a.guard ? [a.guard] : [])], [a.best.name, a.place.name])
  )
    return false
  const isOwnOrOther = (index: readonly Expr[], r: Store): boolean =>
    sameIndex(index, r.index) || inOtherRows(index, r.index, points)
  return a.results.every(
    (r) =>
      readsOf([a.first, a.start]).every((x) => x.array !== r.array || isOwnOrOther(x.index, r)) &&
      injective(r.index, a.parallel) &&
      ![r.value, ...r.index].some((e) => uses(e, a.loop.name)) &&
      ownOnly([r.value], r, names),
  )
}
