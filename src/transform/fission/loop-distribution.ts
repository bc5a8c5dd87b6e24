// In: the statements of a program. Out: the same, loops split so that what does not depend on each other in a circle
// stands in loops of its own, grouped into what `canonicalNest` accepts wherever dependences allow the order. The one
// idea: fragments are sets of stores; a dependence that the loops around do not carry orders two fragments, a circle
// keeps them together (Allen and Kennedy, Optimizing Compilers, ch. 5). It decides nothing about mapping.
import type { Dependence } from '../../analysis/index.ts'
import {
  endOf,
  type Declare,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  eachExpr,
  someExpr,
  eachStmt,
  ownExprs,
} from '../../ir/index.ts'

/** A statement with the positions of the stores in it, as paths in the original program. */
interface Fragment {
  readonly stmt: LoopStmt
  readonly leaves: readonly (readonly number[])[]
}

/** Whether statements at one place are one computation in canonical form. */
export type Canonical = (stmts: readonly LoopStmt[]) => boolean

interface Context {
  readonly deps: readonly Dependence[]
  readonly canonical: Canonical
  readonly alone: (stmt: LoopStmt) => boolean
}

/**
 * Fragments of one body that are put in order with each other; more stay together, or in the order of the program at
 * its top.
 */
const maxFragments = 128

/**
 * The statements of `program` without the declarations at its top, in groups in the order in which they may run. Each
 * group is one computation where possible. `deps`: the dependences of `program`. `alone`: whether each iteration of a
 * loop that is no computation in canonical form goes its own way, straight on.
 */
export function distribute(
  program: Program,
  deps: readonly Dependence[],
  canonical: Canonical,
  alone: (stmt: LoopStmt) => boolean = () => false,
): readonly (readonly LoopStmt[])[] {
  const context: Context = { deps, canonical, alone }
  const all = program.body.flatMap((s, i): readonly Fragment[] => (s.kind === 'declare' ? [] : topLevel(context, s, i)))
  if (all.length > maxFragments) return program.body.flatMap((s) => (s.kind === 'declare' ? [] : [[s]]))
  return grouped(context, all, 0, [], (stmts) => stmts).map((group) => group.map((f) => f.stmt))
}

/**
 * A loop that falls apart into nothing canonical stays whole, and so does one in part, if a thread for each iteration
 * reads once what the parts share.
 */
function topLevel(context: Context, s: LoopStmt, position: number): readonly Fragment[] {
  const whole = wholeOf(s, [position])
  if (context.canonical([s])) return [whole]
  const parts = fragmentsOf(context, s, [position], 0)
  const canonical = parts.filter((f) => context.canonical([f.stmt])).length
  return canonical === 0 || (canonical < parts.length && context.alone(s)) ? [whole] : parts
}

function wholeOf(stmt: LoopStmt, path: readonly number[]): Fragment {
  const leaves: (readonly number[])[] = []
  const walk = (s: LoopStmt, at: readonly number[]): void => {
    if (s.kind === 'store') leaves.push(at)
    if (s.kind === 'loop') s.body.forEach((c, i) => walk(c, [...at, i]))
    if (s.kind === 'if') [...s.then, ...s.else].forEach((c, i) => walk(c, [...at, i]))
  }
  walk(stmt, path)
  return { stmt, leaves }
}

/** Whether what the loop computes ends it: its guard must stay around all of it. */
function endsByItself(s: Loop): boolean {
  const end = endOf(s),
    stored = new Set<string>()
  if (!end) return false
  eachStmt(end.then, (x) => {
    if (x.kind === 'store') stored.add(x.array)
  })
  return someExpr(end.condition, (e) => e.kind === 'read' && stored.has(e.array))
}

/** `depth`: how many loops are around `s`. */
/** Nothing but scalars, of which the condition reads one: `if (x < best) { best = x; place = i }` is one thing. */
function keepsBest(s: If): boolean {
  const scalars = new Set(s.then.flatMap((x) => (x.kind === 'store' && x.index.length === 0 ? [x.array] : [])))
  return (
    someExpr(s.condition, (e) => e.kind === 'read' && scalars.has(e.array)) &&
    s.then.length > 1 &&
    s.then.every((x) => x.kind === 'store' && x.index.length === 0)
  )
}

function fragmentsOf(context: Context, s: LoopStmt, path: readonly number[], depth: number): readonly Fragment[] {
  if (s.kind === 'loop' && endsByItself(s)) return [wholeOf(s, path)]
  if (s.kind === 'loop') return splitBody(context, s.body, path, depth, depth + 1, (body) => ({ ...s, body }))
  if (s.kind === 'if' && s.else.length === 0 && !keepsBest(s))
    return splitBody(context, s.then, path, depth, depth, (then): If => ({ ...s, then }))
  return [wholeOf(s, path)]
}

function splitBody(
  context: Context,
  body: readonly LoopStmt[],
  path: readonly number[],
  depth: number,
  inside: number,
  wrap: (body: readonly LoopStmt[]) => Loop | If,
): readonly Fragment[] {
  const declares = body.filter((s): s is Declare => s.kind === 'declare')
  const inner = body.flatMap((s, i) => (s.kind === 'declare' ? [] : fragmentsOf(context, s, [...path, i], inside)))
  const withDeclares = (stmts: readonly LoopStmt[]): readonly LoopStmt[] => {
    const used = new Set(stmts.flatMap((s) => [...arraysOf(s)]))
    return [wrap([...declares.filter((d) => used.has(d.array.name)), ...stmts])]
  }
  return grouped(
    context,
    inner,
    depth,
    declares.map((d) => d.array.name),
    withDeclares,
    // one statement: the wrapper
  ).map((group) => ({ stmt: withDeclares(group.map((f) => f.stmt))[0]!, leaves: group.flatMap((f) => f.leaves) }))
}

/** Names of arrays that a statement reads or writes. */
export function arraysOf(s: LoopStmt): ReadonlySet<string> {
  const names = new Set<string>()
  eachStmt([s], (x) => {
    if (x.kind === 'store') names.add(x.array)
    ownExprs(x).forEach((e) =>
      eachExpr(e, (r) => {
        if (r.kind === 'read') names.add(r.array)
      }),
    )
  })
  return names
}

function storesOf(body: readonly LoopStmt[]): ReadonlySet<string> {
  const names = new Set<string>()
  eachStmt(body, (s) => {
    if (s.kind === 'store') names.add(s.array)
  })
  return names
}

/**
 * Fragments of one body in groups. `locals`: arrays of the body, whose users stay together. `wrap`: what `canonical` is
 * asked about.
 */
function grouped(
  context: Context,
  fragments: readonly Fragment[],
  depth: number,
  locals: readonly string[],
  wrap: (stmts: readonly LoopStmt[]) => readonly LoopStmt[],
): readonly (readonly Fragment[])[] {
  if (fragments.length > maxFragments) return [fragments]
  const reach = reachability(context, fragments, depth, locals)
  const circles = circlesOf(fragments.length, reach)
  const before = (a: number, b: number): boolean => reach[circles[a]![0]!]![circles[b]![0]!]!
  const accepts = (picked: readonly number[]): boolean =>
    context.canonical(wrap(picked.flatMap((c) => circles[c]!.map((f) => fragments[f]!.stmt))))
  const arrays = circles.map((c) => new Set(c.flatMap((f) => [...arraysOf(fragments[f]!.stmt)])))
  const stored = circles.map((c) => storesOf(c.map((f) => fragments[f]!.stmt)))
  const order = pickAll(circles.length, before, accepts, (a, b) => [...stored[a]!].some((n) => arrays[b]!.has(n)))
  return order.map((picked) => picked.flatMap((c) => circles[c]!.map((f) => fragments[f]!)))
}

/** reach[a][b]: whether b must not run before a, directly or through others. */
function reachability(
  context: Context,
  fragments: readonly Fragment[],
  depth: number,
  locals: readonly string[],
): readonly (readonly boolean[])[] {
  const n = fragments.length
  const reach = Array.from({ length: n }, () => new Array<boolean>(n).fill(false))
  const owners = (path: readonly number[]): readonly number[] =>
    fragments.flatMap((f, i) => (f.leaves.some((l) => path.every((x, k) => l[k] === x)) ? [i] : []))
  for (const d of context.deps) {
    if (d.reduction || (d.level !== null && d.level < depth)) continue
    for (const a of owners(d.source.path)) for (const b of owners(d.sink.path)) if (a !== b) reach[a]![b] = true
  }
  for (const name of locals) {
    const users = fragments.flatMap((f, i) => (arraysOf(f.stmt).has(name) ? [i] : []))
    for (const a of users) for (const b of users) if (a !== b) reach[a]![b] = true
  }
  for (let k = 0; k < n; k++)
    for (let a = 0; a < n; a++) if (reach[a]![k]) for (let b = 0; b < n; b++) if (reach[k]![b]) reach[a]![b] = true
  return reach
}

/** Fragments that reach each other, each circle in program order, circles by their first fragment. */
function circlesOf(n: number, reach: readonly (readonly boolean[])[]): readonly (readonly number[])[] {
  const out: number[][] = []
  const seen = new Set<number>()
  for (let a = 0; a < n; a++) {
    if (seen.has(a)) continue
    const circle = Array.from({ length: n }, (_, b) => b).filter((b) => b === a || (reach[a]![b] && reach[b]![a]))
    circle.forEach((b) => seen.add(b))
    out.push(circle)
  }
  return out
}

/**
 * Picks what is ready, first come first; up to three that together are canonical make a group. `related`: the second
 * uses what the first stores.
 */
function pickAll(
  n: number,
  before: (a: number, b: number) => boolean,
  accepts: (picked: readonly number[]) => boolean,
  related: (a: number, b: number) => boolean,
): readonly (readonly number[])[] {
  const left = new Set(Array.from({ length: n }, (_, i) => i))
  const ready = (c: number, picked: readonly number[]): boolean =>
    [...left].every((o) => o === c || picked.includes(o) || !before(o, c))
  const more = (picked: readonly number[]): readonly number[] =>
    [...left].filter((c) => !picked.includes(c) && picked.some((p) => related(p, c)) && ready(c, picked))
  const out: (readonly number[])[] = []
  while (left.size > 0) {
    const first = [...left].find((c) => ready(c, []))! // what is left has no circles
    const pairs = more([first]).map((c) => [first, c])
    const triples = pairs.flatMap((p) => more(p).map((c) => [...p, c]))
    const group = triples.find(accepts) ?? pairs.find(accepts) ?? [first]
    group.forEach((c) => left.delete(c))
    out.push(group)
  }
  return out
}
