// In: statements. Out: the computation that they are, when it is one whose iterations depend on each other in a way
// that threads can share all the same. The one idea: `s += a[i]; b[i] = s` is a scan however its start, its guards and
// what is stored are written. What it does not recognise is `undefined`; it schedules nothing.
import {
  add,
  addScaled,
  affineOf,
  choose,
  coefficient,
  constant,
  int,
  literal,
  loopVar,
  negated,
  op,
  printExpr,
  read,
  sameAffine,
  store,
  sub,
  when,
  identityOf,
  reduced,
  conjunction,
  conjuncts,
  sameExpr,
  substitute,
  substituteStmt,
  uses,
  replaceReads,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type OpName,
  type ReduceOp,
  type Store,
  type Form,
  type Recurrence,
  type Scan,
  type ScanStore,
  type Scatter,
} from '../../ir/index.ts'
import {
  inSizes,
  isBefore,
  isElsewhere,
  isStore,
  isWhole,
  mentions,
  mentionsAny,
  ownOnly,
  ownScalar,
  readsOf,
  sameIndex,
  sameIndexForm,
  withoutReduce,
  type Around,
  type ArraysByName,
  inequalityOf,
  injective,
} from '../../analysis/index.ts'
import { argumentForm, elementSearch, numberSearch } from './argument-form.ts'
import { linear } from './linear-recurrence.ts'

/** The form of a search that goes on from what is in memory, as it is left where its start is stored by itself. */
export function resumedSearch(arrays: ArraysByName, stmts: readonly LoopStmt[]): Form | undefined {
  const [loop, more] = stmts.filter((s) => s.kind !== 'declare')
  return loop?.kind === 'loop' && !more && loop.step === 1 && inSizes(loop.lower) && inSizes(loop.upper)
    ? numberSearch({ arrays, parallel: [], before: [], loop, after: [] })
    : undefined
}

/** The form of `stmts`; `undefined` when it is none. */
export function formOf(arrays: ArraysByName, stmts: readonly LoopStmt[]): Form | undefined {
  return formAt(arrays, stmts, []) ?? scatter(arrays, stmts, [], [])
}

/** Linear recurrences in parallel of which the numbers at the end are wanted, by what nothing else is made with. */
export function endsOfRecurrences(arrays: ArraysByName, stmts: readonly LoopStmt[]): Recurrence | undefined {
  const form = formAt(arrays, stmts, [], true)
  return form?.kind === 'recurrence' ? form : undefined
}

function formAt(
  arrays: ArraysByName,
  body: readonly LoopStmt[],
  parallel: readonly Loop[],
  endsToo = false,
): Form | undefined {
  const stmts = body.filter((s) => s.kind !== 'declare')
  const only = stmts.length === 1 ? stmts[0] : undefined
  if (only?.kind === 'if' && isBundle(only)) return formAt(arrays, only.then, parallel, endsToo)
  const found = inOrder(arrays, stmts, parallel, endsToo)
  if (found) return found
  if (only?.kind !== 'loop') return undefined
  const outer = fromZero(only)
  return formAt(arrays, outer.body, [...parallel, outer], endsToo)
}

/** The loop counting from 0, where it counts from a size in steps of 1. */
function fromZero(l: Loop): Loop {
  if (l.step !== 1 || literal(l.lower) === 0 || !inSizes(l.lower)) return l
  const by = new Map([[l.name, add(loopVar(l.name), l.lower)]])
  return { ...l, lower: int(0), upper: sub(l.upper, l.lower), body: l.body.map((s) => substituteStmt(s, by)) }
}

function inOrder(
  arrays: ArraysByName,
  stmts: readonly LoopStmt[],
  parallel: readonly Loop[],
  endsToo: boolean,
): Form | undefined {
  const at = stmts.findIndex((s) => s.kind === 'loop')
  const loop = stmts[at],
    before = stmts.slice(0, Math.max(0, at)),
    after = stmts.slice(at + 1)
  if (loop?.kind !== 'loop' || !before.every(isStore) || !after.every(isStore)) return undefined
  if (loop.step !== 1 || !inSizes(loop.lower) || !inSizes(loop.upper)) return undefined
  if (parallel.length > 2 || parallel.some((l) => l.step !== 1 || literal(l.lower) !== 0 || !inSizes(l.upper)))
    return undefined
  const around: Around = { arrays, parallel, before, loop, after }
  return (
    scan(around) ??
    recurrence(around) ??
    parallel.map((_, n) => recurrence(turned(around, n))).find((found) => found !== undefined) ??
    argumentForm(around) ??
    elementSearch(around) ??
    parallel.map((_, n) => elementSearch(turned(around, n))).find((found) => found !== undefined) ??
    linear(around, endsToo) ??
    (stmts.length === 1
      ? parallel.map((_, n) => linear(turned(around, n), endsToo)).find((found) => found !== undefined)
      : undefined)
  )
}

/**
 * The parallel loop `n` as the one in order, which the other becomes parallel for: who needs only the element before in
 * one direction does not ask the others.
 */
function turned(a: Around, n: number): Around {
  const inner = fromZero(a.loop),
    by = a.parallel[n]!
  return {
    ...a,
    parallel: [...a.parallel.slice(0, n), ...a.parallel.slice(n + 1), inner],
    loop: { ...by, body: inner.body },
  }
}

// ── statements that belong together ───────────────────────────────────────────────────────────────────────────────

const always = constant('bool', 1)
const isBundle = (s: Extract<LoopStmt, { kind: 'if' }>): boolean => s.condition === always

/** The statements with each loop that makes a form only together with its neighbours put into a block of its own. */
export function bundled(arrays: ArraysByName, body: readonly LoopStmt[]): readonly LoopStmt[] {
  const declares = body.filter((s) => s.kind === 'declare')
  let rest: readonly LoopStmt[] = body.filter((s) => s.kind !== 'declare')
  for (let k = 0; k < rest.length; k++) {
    if (rest[k]!.kind !== 'loop') continue
    let [from, to]: readonly [number, number] = run(arrays, rest, k)
    if (to - from === 1) {
      const ordered = [withStartsLast(rest, k), withResultsFirst(rest, k)].flatMap((tried) => {
        const again = tried && run(arrays, tried, k)
        return again && again[1] - again[0] > 1 ? [{ tried, again }] : []
      })
      const [best] = ordered
      if (!best) continue
      rest = best.tried
      ;[from, to] = best.again
    }
    rest = [...rest.slice(0, from), when(always, rest.slice(from, to)), ...rest.slice(to)]
    k = from
  }
  return rest.length === body.length - declares.length ? body : [...declares, ...rest]
}

/**
 * The body with what scalars start with right before the loop at `at`, behind elements that are stored there and need
 * none of it.
 */
function withStartsLast(body: readonly LoopStmt[], at: number): readonly LoopStmt[] | undefined {
  const from = body.slice(0, at).findLastIndex((s) => !isStore(s)) + 1,
    stores = body.slice(from, at).filter(isStore)
  const scalars = stores.filter((s) => s.index.length === 0),
    elements = stores.filter((s) => s.index.length > 0),
    moved = [...elements, ...scalars]
  const needs = (a: Store, b: Store): boolean => mentions([a.value, ...a.index], b.array)
  return moved.every((s, n) => s === stores[n]) || scalars.some((s) => elements.some((e) => needs(s, e) || needs(e, s)))
    ? undefined
    : [...body.slice(0, from), ...moved, ...body.slice(at)]
}

/**
 * The body with elements that are stored right behind the loop at `at` in front of scalars that are stored there, where
 * they need none of each other.
 */
function withResultsFirst(body: readonly LoopStmt[], at: number): readonly LoopStmt[] | undefined {
  const end = body.findIndex((s, n) => n > at && !isStore(s)),
    stores = body.slice(at + 1, end < 0 ? body.length : end).filter(isStore),
    set = stores.flatMap((s) => (s.index.length === 0 ? [s.array] : []))
  const isFirst = (s: Store): boolean =>
    s.index.length > 0 &&
    !mentionsAny([s.value, ...s.index], set) &&
    !stores.some((x) => x.index.length === 0 && mentions([x.value], s.array))
  const firstOnes = stores.filter(isFirst),
    later = stores.filter((s) => !isFirst(s))
  if (firstOnes.some((s) => later.some((x) => x.array === s.array && !isElsewhere(x.index, s.index)))) return undefined
  const moved = [...firstOnes, ...later]
  return moved.every((s, n) => s === stores[n])
    ? undefined
    : [...body.slice(0, at + 1), ...moved, ...body.slice(at + 1 + stores.length)]
}

/** The longest run of statements around `at` that is a form. */
function run(arrays: ArraysByName, body: readonly LoopStmt[], at: number): readonly [number, number] {
  let first = at,
    last = at + 1
  while (first > 0 && isStore(body[first - 1]!)) first--
  while (last < body.length && isStore(body[last]!)) last++
  for (let from = first; from <= at; from++) {
    for (let to = last; to > at; to--) if (formOf(arrays, body.slice(from, to))) return [from, to]
  }
  return [at, at + 1]
}

// ── scans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Guarded {
  readonly guards: readonly Expr[]
  readonly store: Store
}

/** The stores of a body in order, each with the conditions around it; `undefined` when there is more than that. */
function storesOf(body: readonly LoopStmt[], guards: readonly Expr[] = []): readonly Guarded[] | undefined {
  const out: Guarded[] = []
  for (const s of body) {
    if (s.kind === 'store') {
      out.push({ guards, store: s })
      continue
    }
    if (s.kind !== 'if') return undefined
    const then = storesOf(s.then, [...guards, ...conjuncts(s.condition)]),
      otherwise = storesOf(s.else, [...guards, negated(s.condition)])
    // The condition is asked again for the other branch.
    const isKept = !mentionsAny([s.condition], then?.map((x) => x.store.array) ?? [])
    if (!then || !otherwise || (otherwise.length > 0 && !isKept)) return undefined
    out.push(...then, ...otherwise)
  }
  return out
}

/** `s = init; for …: { s ∘= value; b[i] = s }`. */
function scan({ arrays, parallel, before, loop, after }: Around): Scan | undefined {
  const apart = storesOf(loop.body),
    all = inOneUpdate(apart)
  const sums = all?.filter((s) => s.store.index.length === 0) ?? []
  const sum = sums[0],
    start = before[0]
  if (!all || !start || before.length > 1 || !sum?.store.reduce || sums.length > 1) return undefined
  const target = arrays.get(sum.store.array)! // found above
  if (!isWhole(target)) return undefined
  if (
    start.array !== target.name ||
    start.reduce ||
    mentions([start.value, sum.store.value, ...sum.guards], target.name)
  )
    return undefined
  const { reduce, value } = sum.store
  const guard = conjunction(sum.guards)
  const at = all.indexOf(sum)
  const found: Scan = {
    kind: 'scan',
    parallel,
    loop,
    op: reduce,
    init: start.value,
    into: target,
    value: guard ? choose(guard, value, identityOf(reduce, value.type)) : value,
    stores: all.flatMap((s, i): readonly ScanStore[] =>
      s === sum ? [] : [{ earlier: i < at, guard: conjunction(s.guards), store: withoutReduce(arrays, s.store) }],
    ),
    results: after.map((s) => withoutReduce(arrays, s)),
  }
  const isCounted = parallel.length === 0 || isStart(arrays, start.value, parallel)
  const places = isCounted && apart ? placesOf(apart, target) : []
  return allowed(arrays, withOwnScalar(found), places) ? withOwnScalar(found) : undefined
}

/**
 * `s += a; b[i] = s; s += c` as `b[i] = s + a; s += a + c`: several updates of one scalar by one operator as the last
 * of them.
 */
function inOneUpdate(all: readonly Guarded[] | undefined): readonly Guarded[] | undefined {
  const updates = all?.filter((s) => s.store.index.length === 0) ?? [],
    [first] = updates,
    op = first?.store.reduce
  if (
    !all ||
    !first ||
    !op ||
    updates.length < 2 ||
    updates.some(
      ({ store: s, guards }) =>
        s.array !== first.store.array || s.reduce !== op || mentions([s.value, ...guards], s.array),
    )
  )
    return all
  const isOne = all.every((s) => sameGuards(s.guards, first.guards)),
    shared = isOne ? first.guards : []
  const names = all.flatMap((s) => (updates.includes(s) ? [] : [s.store.array])),
    values = updates.map(({ store: s, guards }) => {
      const guard = isOne ? undefined : conjunction(guards)
      return guard ? choose(guard, s.value, identityOf(op, s.value.type)) : s.value
    })
  if (mentionsAny(values, names)) return all
  const upTo = (n: number): Expr | undefined =>
    n === 0 ? undefined : values.slice(0, n).reduce((a, b) => reduced(op, a, b))
  let done = 0
  return all.flatMap((s): readonly Guarded[] => {
    if (updates.includes(s))
      // two at least
      return ++done < updates.length ? [] : [{ guards: shared, store: { ...s.store, value: upTo(done)! } }]
    const so = upTo(done)
    if (!so || done === updates.length) return [s]
    const f = (e: Expr): Expr => replaceReads(e, first.store.array, (x) => reduced(op, x, so))
    return [{ guards: s.guards.map(f), store: { ...s.store, index: s.store.index.map(f), value: f(s.store.value) } }]
  })
}

/**
 * Arrays that are stored to where the running value says: at a · k + b, with `k` counted up by c > 0 right behind, or
 * right before, under the same conditions, and every b, seen from the `k` before, in one range of a · c. Then each
 * count has places of its own, and no two iterations store to one element.
 */
function placesOf(all: readonly Guarded[], running: ArrayDecl): readonly string[] {
  const steps = all.flatMap(({ guards, store: s }, at) => {
    const by = s.array === running.name && s.reduce === 'add' ? affineOf(s.value) : undefined
    return s.array === running.name ? [{ at, guards, by: by?.terms.size === 0 ? by.constant : 0 }] : []
  })
  if (steps.some((s) => s.by <= 0)) return []
  const names = [...new Set(all.flatMap((s) => (s.store.array === running.name ? [] : [s.store.array])))]
  return names.filter((name) => {
    const placed = all.flatMap(({ guards, store: s }, at) => {
      if (s.array !== name) return []
      const next = steps.find((x) => x.at > at),
        last = steps.findLast((x) => x.at < at),
        isBefore = next !== undefined && sameGuards(next.guards, guards),
        of = isBefore ? next : last && sameGuards(last.guards, guards) ? last : undefined
      return [{ place: placeOf(s, running), of, isBefore }]
    })
    const [first] = placed
    if (!first?.place) return false
    const scale = coefficient(first.place.form, runningName)
    const seen = placed.map(({ place, of, isBefore }) => {
      if (!place || !of || place.dimension !== first.place?.dimension) return undefined
      const form = addScaled(place.form, first.place.form, -1)
      if (form.terms.size > 0) return undefined
      return { of, others: place.others, at: form.constant + (isBefore ? 0 : scale * of.by) }
    })
    const least = Math.min(...seen.map((s) => s?.at ?? 0))
    const different = new Set(seen.map((s) => s && `${s.of.at} ${s.at} ${s.others}`))
    return seen.every((s) => s && s.at < least + scale * s.of.by) && different.size === seen.length
  })
}

/** The running value in linear forms of places. */
const runningName = '%running'

/** A store at a multiple of the running value, in one dimension, and at what numbers and sizes say in the others. */
interface Place {
  readonly dimension: number
  readonly form: Affine
  readonly others: string
}

function placeOf(s: Store, running: ArrayDecl): Place | undefined {
  const forms = s.index.map((e) => affineOf(replaceReads(e, running.name, loopVar(runningName))))
  const isOfSizes = forms.every(
    (f) => f && [...f.terms.keys()].every((name) => name === runningName || name.startsWith('$')),
  )
  const dimension = forms.findIndex((f) => f && coefficient(f, runningName) > 0),
    form = forms[dimension]
  if (!isOfSizes || !form || forms.some((f, d) => f && d !== dimension && coefficient(f, runningName) !== 0))
    return undefined
  return { dimension, form, others: s.index.map((e, d) => (d === dimension ? '' : printExpr(e))).join() }
}

/** Whether it is the place from where each iteration of the parallel loops packs. */
const isStart = (arrays: ArraysByName, e: Expr, parallel: readonly Loop[]): boolean =>
  e.kind === 'read' &&
  arrays.get(e.array)?.starts === true &&
  e.index.length === parallel.length &&
  e.index.every((x, n) => x.kind === 'var' && x.name === parallel[n]!.name) // as many

const sameGuards = (a: readonly Expr[], b: readonly Expr[]): boolean =>
  a.length === b.length && a.every((g, i) => sameExpr(g, b[i]!))

/** A running value in global memory, which later kernels read, becomes a private one that is stored at the end. */
function withOwnScalar(s: Scan): Scan {
  if (s.into.space === 'private') return s
  const into = ownScalar(s.into)
  const f = (e: Expr): Expr => replaceReads(e, s.into.name, read(into, []))
  return {
    ...s,
    into,
    stores: s.stores.map((x) => ({
      ...x,
      guard: x.guard && f(x.guard),
      store: { ...x.store, index: x.store.index.map(f), value: f(x.store.value) },
    })),
    results: [store(s.into, [], read(into, [])), ...s.results.map((x) => ({ ...x, value: f(x.value) }))],
  }
}

/**
 * Whether every iteration stores to elements of its own and reads nothing that another one stores. `places`: arrays
 * stored to where the running value says, by iterations that count it up alone.
 */
function allowed(arrays: ArraysByName, s: Scan, places: readonly string[]): boolean {
  if (s.stores.length === 0) return false // a reduction
  const loops = [...s.parallel, s.loop]
  const targets = [...s.stores.map((x) => x.store), ...s.results]
  const names = targets.map((t) => t.array)
  const once = names.filter((name) => !places.includes(name))
  if (
    new Set(once).size < once.length ||
    s.results.some((r) => places.includes(r.array)) ||
    targets.some(
      (t) =>
        arrays.get(t.array)?.space !== 'global' || (!places.includes(t.array) && t.index.some((e) => !affineOf(e))),
    )
  )
    return false
  if (
    s.stores.some((x) => !places.includes(x.store.array) && !injective(x.store.index, loops)) ||
    mentionsAny([s.value, ...s.stores.flatMap((x) => [x.store.value, ...(x.guard ? [x.guard] : [])])], places) ||
    s.results.some((r) => !injective(r.index, s.parallel) || [r.value, ...r.index].some((e) => uses(e, s.loop.name)))
  )
    return false
  if (
    !readsOf([s.init]).every(
      (r) =>
        !names.includes(r.array) ||
        (s.stores.every((x) => x.store.array !== r.array || isBefore(r, x.store, s.loop)) &&
          s.results.every((x) => x.array !== r.array)),
    )
  )
    return false
  return (
    s.stores.every((x) => ownOnly([x.store.value, ...(x.guard ? [x.guard] : [])], x.store, names)) &&
    s.results.every((r) => ownOnly([r.value], r, names)) &&
    s.stores.every((x) =>
      x.earlier ? !mentions([s.value], x.store.array) : ownOnly([s.value], x.store, [x.store.array]),
    ) &&
    !mentionsAny(
      [s.value],
      s.results.map((r) => r.array),
    )
  )
}

/** `b[i] = b[i − 1] ∘ value`: the running value is the element before. */
function recurrence({ arrays, parallel, before, loop: given, after }: Around): Scan | undefined {
  const loop = pastFirst(given)
  const s = loop.body.length === 1 ? loop.body[0] : undefined
  const array = s?.kind === 'store' ? arrays.get(s.array) : undefined
  if (
    s?.kind !== 'store' ||
    !array ||
    !isWhole(array) ||
    array.space !== 'global' ||
    s.index.length === 0 ||
    before.length + after.length > 0
  )
    return undefined
  const earlier = s.index.map((e) => substitute(e, new Map([[loop.name, sub(loopVar(loop.name), int(1))]])))
  const isLast = (e: Expr): boolean =>
    e.kind === 'read' && e.array === array.name && e.index.every((x, d) => sameIndexForm(x, earlier[d]!))
  const step = lastAnd(s, read(array, s.index), isLast)
  if (
    !step ||
    !readsOf([step.value]).every((r) => r.array !== array.name || sameIndex(r.index, s.index)) ||
    !injective(s.index, [...parallel, loop])
  )
    return undefined
  const into: ArrayDecl = { name: `${array.name}_run`, type: array.type, shape: [], role: 'temp', space: 'private' }
  const identity = identityOf(step.op, step.value.type)
  const first = s.index.map((e) => substitute(e, new Map([[loop.name, sub(loop.lower, int(1))]])))
  const init = choose(op('lt', [loop.lower, loop.upper]), read(array, first), identity)
  return {
    kind: 'scan',
    parallel,
    loop,
    op: step.op,
    init,
    value: step.value,
    into,
    results: [],
    stores: [{ earlier: false, guard: undefined, store: { ...s, reduce: null, value: read(into, []) } }],
  }
}

/** The loop from its second value on where its body asks for that alone. */
function pastFirst(l: Loop): Loop {
  const only = l.body.length === 1 ? l.body[0] : undefined,
    f = only?.kind === 'if' && only.else.length === 0 ? inequalityOf(only.condition) : undefined
  const second = add(l.lower, int(1)),
    from = affineOf(sub(loopVar(l.name), second))
  return only?.kind === 'if' && f && from && sameAffine(f, from) ? { ...l, lower: second, body: only.then } : l
}

const joins: Partial<Record<OpName, ReduceOp>> = {
  add: 'add',
  mul: 'mul',
  min: 'min',
  max: 'max',
  and: 'and',
  or: 'or',
  xor: 'xor',
}

/** What a store joins with the last element, and how. */
function lastAnd(
  s: Store,
  own: Expr,
  isLast: (e: Expr) => boolean,
): { readonly op: ReduceOp; readonly value: Expr } | undefined {
  if (s.reduce) return isLast(s.value) && joins[s.reduce as OpName] ? { op: s.reduce, value: own } : undefined
  const e = s.value
  const how = e.kind === 'op' ? joins[e.op] : undefined
  if (e.kind !== 'op' || !how) return undefined
  const parts = (x: Expr): readonly Expr[] => (x.kind === 'op' && x.op === e.op ? x.args.flatMap(parts) : [x])
  const all = parts(e),
    rest = all.filter((x) => !isLast(x))
  return rest.length === all.length - 1 && rest.length > 0
    ? { op: how, value: rest.reduce((a, b) => op(e.op, [a, b])) }
    : undefined
}

// ── sums at places that data choose ───────────────────────────────────────────────────────────────────────────────

/** Reductions that there are atomics for. */
const byAtomics: ReadonlySet<ReduceOp> = new Set(['add', 'min', 'max', 'and', 'or', 'xor'])

function scatter(
  arrays: ArraysByName,
  body: readonly LoopStmt[],
  loops: readonly Loop[],
  guards: readonly Expr[],
): Scatter | undefined {
  const s = body.length === 1 ? body[0] : undefined
  if (s?.kind === 'loop')
    return s.step === 1 && inSizes(s.lower) && inSizes(s.upper)
      ? scatter(arrays, s.body, [...loops, s], guards)
      : undefined
  if (s?.kind === 'if' && s.then.length === 0)
    return scatter(arrays, s.else, loops, [...guards, ...conjuncts(negated(s.condition))])
  if (s?.kind === 'if' && s.else.length === 0)
    return scatter(arrays, s.then, loops, [...guards, ...conjuncts(s.condition)])
  if (s?.kind !== 'store' || !s.reduce || !byAtomics.has(s.reduce) || loops.length === 0) return undefined
  const array = arrays.get(s.array)
  // Sums of floats are made in whatever order threads come, where nothing else tells their elements apart.
  const isInteger = array?.type === 'i32' || array?.type === 'u32',
    isSum = array?.type === 'f32' && s.reduce === 'add' && s.index.some((e) => !affineOf(e))
  if (
    !array ||
    !(isInteger || isSum) ||
    array.space !== 'global' ||
    s.index.length === 0 ||
    mentions([...s.index, s.value, ...guards], s.array)
  )
    return undefined
  return { kind: 'scatter', loops, guard: conjunction(guards), store: s, array }
}
