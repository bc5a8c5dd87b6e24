// In: a block and a loop in it. Out: the same, where a search by that loop is a least or greatest place. The one idea:
// what `if (first < 0 && x[i] > t) first = i` leaves is known from the least i that passes, and what `if (x[i] > t)
// last = i` leaves from the greatest. All places are looked at then. Searches whose tests may be made only up to the
// first hit are left alone.
import {
  complements,
  isComparison,
  addScaled,
  affineConstant,
  affineOf,
  choose,
  eachExpr,
  exprKey,
  identityOf,
  int,
  mayDivideByZero,
  loopVar,
  op,
  read,
  reduced,
  registerType,
  store,
  when,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Store,
  claimName,
  conjunction,
  rewriteExpr,
  peelGuard,
  readsArray,
  substitute,
  uses,
  withGuard,
  someExpr,
  storedIn,
} from '../../ir/index.ts'
import { holds, inequalityOf, mentionsAny } from '../../analysis/index.ts'
import { behind, touches } from './scan-renaming.ts'

interface Search {
  /** Statement of the loop's body. */
  readonly at: number
  /** Conditions that a hit makes false; none where the last hit counts. */
  readonly open: readonly Expr[]
  readonly tests: readonly Expr[]
  readonly stores: readonly Store[]
}

/** One search of the loop at `at` as a least or greatest place; undefined where it has none. */
export function placesFound(
  body: readonly LoopStmt[],
  at: number,
  taken: Set<string>,
  signed: ReadonlySet<string>,
): readonly LoopStmt[] | undefined {
  const given = body[at],
    locals = body.slice(0, at).flatMap((s) => (s.kind === 'declare' && isOwn(s.array) ? [s.array] : []))
  if (given?.kind !== 'loop') return undefined
  const names = locals.map((a) => a.name),
    [[loop, found] = []] = [given, withGuardsApart(given)].flatMap((l) => {
      const search = searchOf(l, names, signed)
      return search ? [[l, search] as const] : []
    })
  if (!loop || !found) return undefined
  const first = found.open.length > 0
  const place: ArrayDecl = {
    name: claimName(taken, `${loop.name}_at`),
    type: 'i32',
    shape: [],
    role: 'temp',
    space: 'private',
  }
  const by = first ? 'min' : 'max',
    tests = [...placesInside(found.tests, loop, signed), ...found.tests],
    own = withGuard(first ? tests : found.tests, [store(place, [], loopVar(loop.name), by)])
  const hit = conjunction([
    ...found.open,
    first ? op('lt', [read(place, []), loop.upper]) : op('ge', [read(place, []), loop.lower]),
  ])! // there is one
  const there = (e: Expr): Expr => substitute(e, new Map([[loop.name, read(place, [])]]))
  const outside = found.stores
    .filter((s) => !locals.some((a) => a.name === s.array))
    .map((s): Store => ({ ...s, index: s.index.map(there), value: there(s.value) }))
  const sets: LoopStmt[] = []
  let later: readonly LoopStmt[] = body.slice(at + 1)
  for (const a of locals) {
    const s = found.stores.find((x) => x.array === a.name),
      start = read(a, [])
    const made =
      s &&
      behind(later, a, choose(hit, s.reduce ? reduced(s.reduce, start, there(s.value)) : there(s.value), start), taken)
    if (made) {
      sets.push(...made.set)
      later = made.later
    }
  }
  const inside = { ...loop, body: loop.body.flatMap((s, n) => (n === found.at ? own : [s])) }
  return [
    ...body.slice(0, at),
    { kind: 'declare', array: place },
    store(place, [], identityOf(by, 'i32')),
    inside,
    ...(outside.length > 0 ? [when(hit, outside)] : []),
    ...sets,
    ...later,
  ]
}

/**
 * What places behind the first hit must be asked before they are looked at: whether they are before their array. The
 * source never gets there; how far an array goes its caller says.
 */
function placesInside(tests: readonly Expr[], loop: Loop, signed: ReadonlySet<string>): readonly Expr[] {
  const asked = new Map<string, Expr>()
  for (const t of tests)
    eachExpr(t, (x) => {
      if (x.kind !== 'read') return
      for (const e of x.index) {
        const isInside = op('ge', [e, int(0)]),
          f = inequalityOf(isInside)
        if (!(f && holds(f, [], [loop], signed))) asked.set(exprKey(e), isInside)
      }
    })
  return [...asked.values()]
}

const isOwn = (a: ArrayDecl): boolean =>
  a.space === 'private' && a.shape.length === 0 && registerType(a.type) === a.type

/**
 * The loop with a condition for each of the stores and conditions that stand under one (`if (x[i] > t) { count++; if
 * (first < 0) first = i; }`), where none of them changes what it asks.
 */
function withGuardsApart(loop: Loop): Loop {
  const apart = (s: LoopStmt, around: readonly Expr[]): readonly LoopStmt[] => {
    const guard = s.kind === 'if' ? [...around, s.condition] : around
    if (s.kind !== 'if' || s.else.length > 0 || mentionsAny(guard, storedIn(s.then))) return withGuard(around, [s])
    return runsOf(s.then).flatMap((run) => (run.length === 1 ? apart(run[0]!, guard) : withGuard(guard, run)))
  }
  return { ...loop, body: loop.body.flatMap((s) => (s.kind === 'if' ? apart(s, []) : [s])) }
}

/** Statements one by one, but stores that follow each other. */
function runsOf(body: readonly LoopStmt[]): readonly (readonly LoopStmt[])[] {
  const runs: LoopStmt[][] = []
  for (const s of body) {
    const last = runs.at(-1)
    if (s.kind === 'store' && last?.[0]?.kind === 'store') last.push(s)
    else runs.push([s])
  }
  return runs
}

/** The first search in the loop's body; `locals`: scalars that may say whether it goes on. */
function searchOf(loop: Loop, locals: readonly string[], signed: ReadonlySet<string>): Search | undefined {
  const written = storedIn(loop.body),
    flags = written.filter((x) => locals.includes(x)),
    others = written.filter((x) => !locals.includes(x))
  if (mentionsAny([loop.lower, loop.upper], written)) return undefined
  for (const [at, s] of loop.body.entries()) {
    const { guard, body: stores } = s.kind === 'if' ? peelGuard([s]) : { guard: [], body: [] }
    if (stores.length === 0 || !stores.every((x) => x.kind === 'store')) continue
    const targets = stores.map((x) => x.array),
      rest = loop.body.filter((x) => x !== s)
    // such a value ends with the iteration
    if (rest.some((x) => x.kind === 'declare' && targets.includes(x.array.name))) continue
    const open = guard.filter((g) => mentionsAny([g], targets)),
      tests = guard.filter((g) => !open.includes(g))
    if (
      tests.length === 0 ||
      new Set(targets).size < targets.length ||
      targets.some((x) => touches(rest, x)) ||
      mentionsAny([...tests, ...stores.flatMap((x) => [...x.index, x.value])], written)
    )
      continue
    if (
      stores.some((x) => x.index.some((e) => uses(e, loop.name))) ||
      mentionsAny(open, [...others, ...flags.filter((x) => !targets.includes(x))])
    )
      continue
    const ends =
      open.some((g) => isClosed(g, stores, loop, signed)) &&
      !open.some((g) => uses(g, loop.name)) &&
      tests.every(mayBeMade)
    if (open.length > 0 ? ends : stores.every((x) => !x.reduce)) return { at, open, tests, stores }
  }
  return undefined
}

/**
 * Whether a test may be made at places behind the first hit: it divides by constants alone and reads where the loop's
 * variable says, not data.
 */
const mayBeMade = (test: Expr): boolean =>
  !mayDivideByZero(test) && !someExpr(test, (x) => x.kind === 'read' && x.index.some(readsArray))

/** Whether the condition is false after the stores, in whatever iteration. */
function isClosed(g: Expr, stores: readonly Store[], loop: Loop, signed: ReadonlySet<string>): boolean {
  const after = rewriteExpr(g, (x) => {
    const s =
      x.kind === 'read' && x.index.length === 0
        ? stores.find((y) => y.array === x.array && y.index.length === 0 && !y.reduce)
        : undefined
    return s?.value
  })
  return isAlways(after, false, loop, signed)
}

/** Whether the condition is `truth` in every iteration, as far as its form shows. */
function isAlways(e: Expr, truth: boolean, loop: Loop, signed: ReadonlySet<string>): boolean {
  if (e.kind === 'const') return truth === (Number(e.value) !== 0)
  if (e.kind !== 'op') return false
  if (e.op === 'lnot') return isAlways(e.args[0]!, !truth, loop, signed) // it has one
  if (!isComparison(e.op)) return false
  const how = truth ? e.op : complements[e.op],
    f = inequalityOf(op(how, e.args))
  if (f) return holds(f, [], [loop], signed)
  const [a, b] = e.args.map(affineOf),
    d = a && b && addScaled(a, b, -1)
  if (!d) return false
  if (how === 'eq') return d.terms.size === 0 && d.constant === 0
  const less = affineConstant(-1)
  return (
    how === 'ne' &&
    (holds(addScaled(d, less, 1), [], [loop], signed) || holds(addScaled(less, d, -1), [], [loop], signed))
  )
}
