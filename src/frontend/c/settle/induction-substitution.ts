// In: a lowered program. Out: the same with integer counters replaced by what they count: `k += c` once or several
// times per iteration makes k a linear function of the loop's variable, and after the loop its first value plus what
// all iterations add. The one idea: inner loops first, so that what they leave is one addition in the loop around them;
// then values that are known are put where the counter is read, which may be how often a loop runs and so what it adds
// to others (`left = m; while (left-- > 0) p++;`): from the start then. What a branch sets is chosen by its condition,
// where that reads no memory.
import {
  someExprIn,
  someStmt,
  add,
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  distributedOverJoins,
  implies,
  insideLoop,
  int,
  isNonNegative,
  loopVar,
  mapExpr,
  mapStmts,
  mul,
  op,
  plus,
  sameAffine,
  sizeDomain,
  sub,
  whereHolds,
  type Affine,
  type Domain,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  affineFolded,
} from '../../../ir/index.ts'
import { sizeUpTo } from '../lower/expressions.ts'

/** Values of more nodes are not put in place of a counter. */
const largestValue = 60

/** Replaces counters of `p`, and says clamps as minima and maxima. */
export function closeInductions(p: Program): Program {
  const counters = countersOf(p),
    made = closedOnce(p, counters),
    left = countersOf(made)
  return left.size > 0 && left.size < counters.size ? closeInductions(made) : made
}

function closedOnce(p: Program, counters: ReadonlySet<string>): Program {
  const closed = new Closing(counters).block(p.body, sizeDomain(p))
  return { ...p, body: withoutDead(forward(closed, counters, new Map(), sizeDomain(p)).body, counters) }
}

/** Local integer variables that something is stored to; namesakes in blocks of their own are as good as one. */
function countersOf(p: Program): ReadonlySet<string> {
  const declared = new Set<string>(),
    nested = new Set<string>(),
    stored = new Set<string>()
  const walk = (body: readonly LoopStmt[], outer: ReadonlySet<string>): void => {
    const seen = new Set(outer)
    for (const s of body) {
      if (s.kind === 'declare') {
        if (seen.has(s.array.name)) nested.add(s.array.name)
        seen.add(s.array.name)
        if (s.array.shape.length === 0 && s.array.type === 'i32') declared.add(s.array.name)
        else nested.add(s.array.name)
      }
      if (s.kind === 'store' && s.index.length === 0) stored.add(s.array)
      if (s.kind === 'loop') walk(s.body, seen)
      if (s.kind === 'if') {
        walk(s.then, seen)
        walk(s.else, seen)
      }
    }
  }
  walk(p.body, new Set(p.arrays.map((a) => a.name)))
  return new Set([...stored].filter((n) => declared.has(n) && !nested.has(n)))
}

function storesIn(body: readonly LoopStmt[], name: string): number {
  let n = 0
  mapStmts(
    body,
    (e) => e,
    (s) => {
      if (s.kind === 'store' && s.array === name) n++
      return [s]
    },
  )
  return n
}

const declares = (body: readonly LoopStmt[], name: string): boolean =>
  someStmt(body, (s) => s.kind === 'declare' && s.array.name === name)

const readsIn = (e: Expr): ReadonlySet<string> => {
  const found = new Set<string>()
  mapExpr(e, (x) => {
    if (x.kind === 'read') found.add(x.array)
    return x
  })
  return found
}

const variablesIn = (e: Expr): ReadonlySet<string> => {
  const found = new Set<string>()
  mapExpr(e, (x) => {
    if (x.kind === 'var') found.add(x.name)
    return x
  })
  return found
}

class Closing {
  private readonly counters: ReadonlySet<string>

  constructor(counters: ReadonlySet<string>) {
    this.counters = counters
  }

  block(body: readonly LoopStmt[], domain: Domain): readonly LoopStmt[] {
    return body.flatMap((s, i): readonly LoopStmt[] => {
      if (s.kind === 'if')
        return [
          {
            ...s,
            then: this.block(s.then, whereHolds(domain, s.condition, true)),
            else: this.block(s.else, whereHolds(domain, s.condition, false)),
          },
        ]
      if (s.kind !== 'loop') return [s]
      const inner = { ...s, body: this.block(s.body, insideLoop(domain, s)) }
      return this.loop(this.unwrapped(inner, body.slice(0, i)), domain)
    })
  }

  /**
   * The loop where a counter that the end of an iteration sets for the next one (`p = a + (m - left)`, a wrap-around
   * variable) is set at its start, `before` having set what the iteration before the first would have.
   */
  private unwrapped(l: Loop, before: readonly LoopStmt[]): Loop {
    const starts = [...this.counters].flatMap((name): readonly Store[] => {
      const last = l.body.findLast((s) => storesIn([s], name) > 0),
        first = before.findLast((s) => storesIn([s], name) > 0)
      if (last?.kind !== 'store' || first?.kind !== 'store' || last.reduce || first.reduce) return []
      if (declares(l.body, name) || !needsOld(l.body, name)) return []
      const at = (e: Expr): Affine | undefined =>
        affineOf(mapExpr(last.value, (x) => (x.kind === 'var' && x.name === l.name ? e : x)))
      const given = affineOf(first.value),
        same = at(sub(l.lower, int(l.step))),
        value = at(sub(loopVar(l.name), int(l.step)))
      return given && same && value && sameAffine(given, same) ? [{ ...last, value: affineExpr(value) }] : []
    })
    return starts.length === 0 ? l : { ...l, body: [...starts, ...l.body] }
  }

  /** The loop without the counters that it steps, and what they are after it. */
  private loop(l: Loop, domain: Domain): readonly LoopStmt[] {
    let body = stepwise(l.body, this.counters)
    const after: LoopStmt[] = []
    for (const name of this.counters) {
      const total = this.total({ ...l, body }, name)
      if (!total) continue
      const turns = turnsOf(l, domain)
      body = stepped(body, name, (offset) => add(add(readOf(name), whole(l, total)), offset))
      after.push({
        kind: 'store',
        array: name,
        index: [],
        reduce: 'add',
        value: product(turns, total),
        ...(l.at && { at: l.at }),
      })
    }
    return [{ ...l, body }, ...after]
  }

  /** What one iteration adds to `name`, when that is the same in each and nothing else changes it. */
  private total(l: Loop, name: string): Expr | undefined {
    const stores = l.body.filter((s): s is Store => s.kind === 'store' && s.array === name)
    if (stores.length === 0 || stores.length !== storesIn(l.body, name) || declares(l.body, name)) return undefined
    const fixed = (s: Store): boolean =>
      s.reduce === 'add' && s.value.type === 'i32' && readsIn(s.value).size === 0 && !variablesIn(s.value).has(l.name)
    return stores.every(fixed) ? stores.map((s) => s.value).reduce(add) : undefined
  }
}

/** Whether an iteration may read what `name` was before it. */
function needsOld(body: readonly LoopStmt[], name: string): boolean {
  const [first] = body.filter(
    (s) => storesIn([s], name) > 0 || someExprIn([s], (e) => e.kind === 'read' && e.array === name),
  )
  return !(first?.kind === 'store' && first.array === name && first.reduce === null && !readsIn(first.value).has(name))
}

/** A counter as what another one is now and a number of sizes and loop variables. */
interface Relation {
  readonly to: string
  readonly by: Affine
}

/**
 * `body` where counters that are made of each other, and come round to themselves (`k = j + 1; …; j = k + 1;`), are
 * stepped (`j += 2`).
 */
function stepwise(body: readonly LoopStmt[], counters: ReadonlySet<string>): readonly LoopStmt[] {
  const relations = new Map<string, Relation>()
  const related = (e: Expr): Relation | undefined => {
    const named = mapExpr(e, (x) =>
        x.kind === 'read' && x.index.length === 0 && counters.has(x.array) ? loopVar(counterKey(x.array)) : x,
      ),
      form = affineOf(named),
      [key, more] = [...(form?.terms.keys() ?? [])].filter((k) => k.startsWith(counterKey('')))
    if (!form || key === undefined || more !== undefined || form.terms.get(key) !== 1) return undefined
    const by = addScaled(form, affineName(key), -1),
      name = key.slice(counterKey('').length),
      known = relations.get(name)
    return known ? { to: known.to, by: addScaled(by, known.by, 1) } : { to: name, by }
  }
  /** `name` is `by` more than it was. */
  const moved = (name: string, by: Affine): void => {
    for (const [other, r] of relations)
      if (r.to === name) relations.set(other, { to: name, by: addScaled(r.by, by, -1) })
  }
  const forget = (name: string): void => {
    relations.delete(name)
    for (const [other, r] of relations) if (r.to === name) relations.delete(other)
  }
  return body.map((s): LoopStmt => {
    if (s.kind !== 'store' || s.index.length > 0) {
      for (const name of counters) if (storesIn([s], name) > 0 || declares([s], name)) forget(name)
      return s
    }
    const added = s.reduce === 'add' && readsIn(s.value).size === 0 ? affineOf(s.value) : undefined
    if (added && counters.has(s.array)) {
      const own = relations.get(s.array)
      moved(s.array, added)
      if (own) relations.set(s.array, { ...own, by: addScaled(own.by, added, 1) })
      return s
    }
    const made = s.reduce === null && s.value.type === 'i32' && counters.has(s.array) ? related(s.value) : undefined
    if (made?.to === s.array) {
      moved(s.array, made.by)
      relations.delete(s.array)
      return { ...s, reduce: 'add', value: affineExpr(made.by) }
    }
    forget(s.array)
    if (made) relations.set(s.array, made)
    return s
  })
}

const counterKey = (name: string): string => `@${name}`

const readOf = (name: string): Expr => ({ kind: 'read', type: 'i32', array: name, index: [] })

const product = (a: Expr, b: Expr): Expr => {
  const x = affineOf(a),
    y = affineOf(b)
  return x && x.terms.size === 0
    ? mul(int(x.constant), b)
    : y && y.terms.size === 0
      ? mul(a, int(y.constant))
      : mul(a, b)
}

/** What the iterations before this one added. */
function whole(l: Loop, total: Expr): Expr {
  const past = sub(loopVar(l.name), l.lower)
  if (l.step === 1) return product(past, total)
  const each = affineOf(total)
  if (each?.terms.size === 0 && each.constant % l.step === 0) return mul(past, int(each.constant / l.step))
  return mul(op('div', [past, int(l.step)]), total)
}

/** How often the loop runs. */
function turnsOf(l: Loop, domain: Domain): Expr {
  const low = affineOf(l.lower),
    high = affineOf(l.upper),
    span = sub(l.upper, l.lower)
  // C rounds towards 0, so that a span of less than a step below 0 has no turns either.
  const isSure = low && high && implies(domain.constraints, plus(addScaled(high, low, -1), l.step - 1))
  const turns = l.step === 1 ? span : op('div', [add(span, int(l.step - 1)), int(l.step)])
  return isSure ? turns : op('max', [turns, int(0)])
}

/** `body` without the stores to `name` on its level; reads see what `at` makes of what was added before. */
function stepped(body: readonly LoopStmt[], name: string, at: (offset: Expr) => Expr): readonly LoopStmt[] {
  let offset: Expr = int(0)
  return body.flatMap((s): readonly LoopStmt[] => {
    if (s.kind === 'store' && s.array === name) {
      offset = add(offset, s.value)
      return []
    }
    const now = at(offset)
    return mapStmts([s], (e) => (e.kind === 'read' && e.array === name ? now : e))
  })
}

/** Values of counters that are known at some place. */
type Known = ReadonlyMap<string, Expr>

/** Puts known values of counters where they are read; `known`: those that hold behind `body`. */
function forward(
  body: readonly LoopStmt[],
  counters: ReadonlySet<string>,
  outer: Known,
  around: Domain,
): { readonly body: readonly LoopStmt[]; readonly known: Known } {
  const known = new Map(outer)
  const placed = (e: Expr): Expr => {
    const made = mapExpr(e, (x) =>
      x.kind === 'read' && x.index.length === 0 ? (known.get(x.array) ?? x) : ordered(larger(x, around), around),
    )
    return made === e || made.type !== 'i32' ? made : affineFolded(made)
  }
  const forget = (inside: readonly LoopStmt[]): void => {
    for (const [name, value] of known)
      if ([name, ...readsIn(value)].some((x) => storesIn(inside, x) > 0 || declares(inside, x))) known.delete(name)
  }
  const made = body.map((s): LoopStmt => {
    switch (s.kind) {
      case 'declare':
        outdated(known, s.array.name)
        return s
      case 'store': {
        const made: Store = { ...s, index: s.index.map(placed), value: placed(s.value) }
        if (s.index.length === 0 && counters.has(s.array)) note(known, made, counters, around)
        return made
      }
      case 'if': {
        const condition = placed(s.condition)
        const then = forward(s.then, counters, known, around),
          otherwise = forward(s.else, counters, known, around)
        const after = [...counters]
          .filter((name) => storesIn([s], name) > 0)
          .flatMap((name) => joined(name, condition, then.known, otherwise.known, around))
        forget([s])
        for (const [name, value] of after) known.set(name, value)
        return { ...s, condition, then: then.body, else: otherwise.body }
      }
      case 'loop': {
        const lower = distributedOverJoins(placed(s.lower)),
          upper = distributedOverJoins(placed(s.upper))
        forget([s])
        return {
          ...s,
          lower,
          upper,
          body: forward(s.body, counters, known, insideLoop(around, { ...s, lower, upper })).body,
        }
      }
    }
  })
  return { body: made, known }
}

/** What a counter is behind an `if` that sets it in a branch: `if (y < 0) y = 0;` */
function joined(
  name: string,
  condition: Expr,
  then: Known,
  otherwise: Known,
  around: Domain,
): readonly (readonly [string, Expr])[] {
  const a = then.get(name),
    b = otherwise.get(name)
  if (!a || !b || [condition, a, b].some((e) => readsIn(e).size > 0)) return []
  const value = ordered(op('select', [condition, a, b]), around)
  return sizeUpTo(value, largestValue) < largestValue ? [[name, value]] : []
}

/** A choice of the smaller or the larger of two, however it is asked (`y >= h ? h - 1 : y`), as `min` or `max`. */
function ordered(e: Expr, around: Domain): Expr {
  const [condition, a, b] =
    e.kind === 'choose' ? [e.condition, e.then, e.else] : e.kind === 'op' && e.op === 'select' ? e.args : []
  const chooses = (x: Expr): boolean => x.kind === 'choose' || (x.kind === 'op' && x.op === 'select')
  if (!condition || !a || !b || a.type !== 'i32' || chooses(a) || chooses(b) || readsIn(e).size > 0) return e
  /** Where the condition holds, `more` is not less than `less`; where it does not, the other way round. */
  const holds = (less: Expr, more: Expr): boolean =>
    isNonNegative(op('select', [condition, sub(more, less), sub(less, more)]), around.constraints)
  return holds(a, b) ? op('min', [b, a]) : holds(b, a) ? op('max', [b, a]) : e
}

/** The one of two that is larger at all sizes, when one is. */
function larger(e: Expr, sizes: Domain): Expr {
  const [x, y] = e.kind === 'op' && e.op === 'max' ? e.args : []
  const a = x && affineOf(x),
    b = y && affineOf(y)
  if (!x || !y || !a || !b) return e
  if (implies(sizes.constraints, addScaled(a, b, -1))) return x
  return implies(sizes.constraints, addScaled(b, a, -1)) ? y : e
}

/** Nodes of the largest beginning of a row that data choose. */
const largestBeginning = 16

/** Whether `e` is where a row begins that a local number chooses, as `k * m` and `(k + 1) * m + j` are. */
function isBeginning(e: Expr, locals: ReadonlySet<string>): boolean {
  let products = 0
  const fits = (x: Expr): boolean => {
    if (x.kind !== 'op')
      return x.kind === 'read'
        ? x.index.length === 0 && locals.has(x.array)
        : x.kind === 'const' || x.kind === 'size' || x.kind === 'var'
    if (x.op === 'mul') products++
    return (x.op === 'add' || x.op === 'sub' || x.op === 'mul') && x.args.every(fits)
  }
  return sizeUpTo(e, largestBeginning) < largestBeginning && fits(e) && products > 0
}

/** What is known of `name`, or by it, holds no more. */
function outdated(known: Map<string, Expr>, name: string): void {
  known.delete(name)
  for (const [other, value] of known) if (readsIn(value).has(name)) known.delete(other)
}

/** What a counter is after `s`. */
function note(known: Map<string, Expr>, s: Store, counters: ReadonlySet<string>, sizes: Domain): void {
  const before = known.get(s.array),
    reads = readsIn(s.value)
  outdated(known, s.array)
  if (
    s.value.type !== 'i32' ||
    reads.has(s.array) ||
    (reads.size > 0 && (s.reduce !== null || !isBeginning(s.value, counters)))
  )
    return
  const value =
    s.reduce === null
      ? s.value
      : !before || readsIn(before).size > 0
        ? undefined
        : s.reduce === 'add'
          ? add(before, s.value)
          : s.reduce === 'max'
            ? larger(op('max', [before, s.value]), sizes)
            : s.reduce === 'min'
              ? op('min', [before, s.value])
              : undefined
  if (value && sizeUpTo(value, largestValue) < largestValue) known.set(s.array, value)
}

/** Stores to counters that nothing reads any more are gone. */
function withoutDead(body: readonly LoopStmt[], counters: ReadonlySet<string>): readonly LoopStmt[] {
  const read = new Set<string>()
  mapStmts(body, (e) => {
    if (e.kind === 'read') read.add(e.array)
    return e
  })
  return mapStmts(
    body,
    (e) => e,
    (s) => {
      if (s.kind === 'if' && s.then.length === 0 && s.else.length === 0) return []
      const name = s.kind === 'store' ? s.array : s.kind === 'declare' ? s.array.name : undefined
      return name !== undefined && counters.has(name) && !read.has(name) ? [] : [s]
    },
  )
}
