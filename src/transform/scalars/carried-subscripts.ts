// In: a program. Out: the same, where what a loop reads at a subscript that it carries in a scalar waits in a scalar of
// its own: `if (x[i] > x[best]) best = i` compares with a value that is set whenever `best` is. The one idea is scalar
// replacement (Callahan, Carr and Kennedy, 1990) along a carried subscript: the element at the new place has been read
// by then. It leaves alone what the loop writes, places that are set in every iteration, and elements of which nothing
// shows that they are there.
import {
  affineOf,
  choose,
  claimName,
  eachExpr,
  eachExprIn,
  eachStmt,
  exprKey,
  int,
  literal,
  loopIR,
  lt,
  mapStmtExprs,
  namesOf,
  op,
  pass,
  read,
  readsArray,
  registerType,
  rewriteExpr,
  someExpr,
  store,
  unconditionalReads,
  varsOf,
  when,
  zeroOf,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Read,
  type Store,
  storedIn,
} from '../../ir/index.ts'
import { isThere, mentionsAny, readsOf } from '../../analysis/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: i32[] out global
//     declare best: i32[] temp private
//     best = 0
//     for i in 1 .. n {
//       if x[i] > x[best] {
//         best = i
//       }
//     }
//     y = best
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: i32[] out global
//     declare best: i32[] temp private
//     best = 0
//     declare x_best: f32[] temp private
//     x_best = 1 < n ? x[0] : 0.0f
//     for i in 1 .. n {
//       if x[i] > x_best {
//         best = i
//         x_best = x[i]
//       }
//     }
//     y = best
//   }
export const carriedSubscripts = pass<Program>({
  name: 'carried-subscripts',
  summary: 'the element at a place that a loop carries waits in a scalar, which is set whenever the place is',
  of: loopIR,
  run: (program) => {
    const arrays = new Map(program.arrays.map((a) => [a.name, a]))
    eachStmt(program.body, (s) => {
      if (s.kind === 'declare') arrays.set(s.array.name, s.array)
    })
    const body = inBlock(program.body, [], { program, arrays, taken: namesOf(program) })
    return body === program.body ? program : { ...program, body }
  },
})

interface Context {
  readonly program: Program
  readonly arrays: ReadonlyMap<string, ArrayDecl>
  readonly taken: Set<string>
}

function inBlock(body: readonly LoopStmt[], around: readonly Loop[], context: Context): readonly LoopStmt[] {
  const out: LoopStmt[] = []
  for (const s of body) {
    if (s.kind === 'if') {
      const then = inBlock(s.then, around, context),
        otherwise = inBlock(s.else, around, context)
      out.push(then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise })
      continue
    }
    if (s.kind !== 'loop') {
      out.push(s)
      continue
    }
    let loop = asBranches(s, context)
    for (let e = carriedIn(loop, context); e; e = carriedIn(loop, context)) {
      const made = heldIn(loop, e, out, around, context)
      if (!made) break
      out.push(...made.before)
      loop = made.loop
    }
    const inner = inBlock(loop.body, [...around, loop], context)
    out.push(inner === loop.body ? loop : { ...loop, body: inner })
  }
  return out.length === body.length && out.every((s, n) => s === body[n]) ? body : out
}

const isScalar = (a: ArrayDecl | undefined): boolean => a?.shape.length === 0 && registerType(a.type) === a.type

// ── what is carried ───────────────────────────────────────────────────────────────────────────────────────────────

/** Scalars from outside of the loop that it sets, each time under a condition on data. */
function carriedPlaces(l: Loop, context: Context): ReadonlySet<string> {
  const places = new Set<string>(),
    others = new Set<string>()
  const walk = (body: readonly LoopStmt[], chosen: boolean): void =>
    body.forEach((s) => {
      if (s.kind === 'store')
        (chosen && !s.reduce && isScalar(context.arrays.get(s.array)) ? places : others).add(s.array)
      if (s.kind === 'declare') others.add(s.array.name)
      if (s.kind === 'loop') walk(s.body, chosen)
      if (s.kind === 'if') [s.then, s.else].forEach((b) => walk(b, chosen || readsArray(s.condition)))
    })
  walk(l.body, false)
  return new Set([...places].filter((p) => !others.has(p)))
}

/** The largest expression in the loop that reads an element at a carried place and that nothing else changes. */
function carriedIn(l: Loop, context: Context): Expr | undefined {
  const places = carriedPlaces(l, context)
  if (places.size === 0) return undefined
  const changed = new Set<string>(),
    own = new Set([l.name])
  eachStmt(l.body, (s) => {
    if (s.kind === 'store' && !places.has(s.array)) changed.add(s.array)
    if (s.kind === 'declare') changed.add(s.array.name)
    if (s.kind === 'loop') own.add(s.name)
  })
  const isHeld = (e: Expr): boolean =>
    e.type !== 'bool' &&
    someExpr(e, (x) => x.kind === 'read' && x.index.some((i) => mentionsAny([i], [...places]))) &&
    !mentionsAny([e], [...changed]) &&
    ![...varsOf(e)].some((v) => own.has(v))
  let found: Expr | undefined,
    size = 0
  eachExprIn(l.body, (x) => {
    if (!isHeld(x)) return
    let nodes = 0
    eachExpr(x, () => nodes++)
    if (nodes > size) [found, size] = [x, nodes]
  })
  return found
}

/** `best = x[i] > x[best] ? i : best` as a condition around what it sets. */
function asBranches(l: Loop, context: Context): Loop {
  const body = l.body.flatMap((s): readonly LoopStmt[] => {
    const e = s.kind === 'store' && !s.reduce && isScalar(context.arrays.get(s.array)) ? s.value : undefined
    if (s.kind !== 'store' || !e) return [s]
    const [condition, then, otherwise] =
      e.kind === 'choose'
        ? [e.condition, e.then, e.else]
        : e.kind === 'op' && e.op === 'select'
          ? (e.args as readonly [Expr, Expr, Expr]) // it has three
          : []
    if (!condition || !then || !otherwise || !isChosen(condition)) return [s]
    const keeps = (x: Expr): boolean => x.kind === 'read' && x.array === s.array
    if (keeps(otherwise)) return [when(condition, [{ ...s, value: then }])]
    return keeps(then) ? [{ kind: 'if', condition, then: [], else: [{ ...s, value: otherwise }] }] : [s]
  })
  return body.every((s, n) => s === l.body[n]) ? l : { ...l, body }
}

/** Whether scalars or elements say where it reads. */
const isChosen = (e: Expr): boolean => someExpr(e, (x) => x.kind === 'read' && x.index.some(readsArray))

// ── the scalar ────────────────────────────────────────────────────────────────────────────────────────────────────

/** The loop with `e` in a scalar, and what stands in front of it; `undefined` where an element may not be there. */
function heldIn(
  l: Loop,
  e: Expr,
  before: readonly LoopStmt[],
  around: readonly Loop[],
  context: Context,
): { readonly before: readonly LoopStmt[]; readonly loop: Loop } | undefined {
  const places = [...carriedPlaces(l, context)].filter((p) => mentionsAny([e], [p])),
    key = exprKey(e)
  const element = elementsOf(e).find((r) => mentionsAny(r.index, places))! // it is carried
  const held: ArrayDecl = {
    name: claimName(context.taken, `${element.array}_${places[0]!}`),
    type: e.type as ArrayDecl['type'], // of a register
    shape: [],
    role: 'temp',
    space: 'private',
  }
  const first = startOf(l, e, places, before, context)
  const inHeld = (x: Expr): Expr => rewriteExpr(x, (y) => (exprKey(y) === key ? read(held, []) : undefined))
  const body = first && updated(l.body, { e, places, held, inHeld, context }, [...around, l], [])
  return body && { before: [{ kind: 'declare', array: held }, store(held, [], first)], loop: { ...l, body } }
}

const elementsOf = (e: Expr): readonly Read[] => readsOf([e]).filter((x) => x.index.length > 0)

/** What the scalar starts with: the element where an iteration reads it for certain or it is there, else 0. */
function startOf(
  l: Loop,
  e: Expr,
  places: readonly string[],
  before: readonly LoopStmt[],
  context: Context,
): Expr | undefined {
  const known = new Map<string, Expr>()
  for (const p of places) {
    const s = before.findLast((x) => storedIn([x]).includes(p))
    if (s?.kind === 'store' && s.array === p && !s.reduce && !readsArray(s.value)) known.set(p, s.value)
  }
  const start = withPlaces(e, known),
    runs = lt(l.lower, l.upper)
  const [head] = l.body.filter((s) => s.kind !== 'declare')
  const certain =
    (head?.kind === 'if' || head?.kind === 'store') &&
    elementsOf(e).every((r) => unconditionalReads(head).some((x) => exprKey(x) === exprKey(r)))
  const inside = certain ? [] : boundsOf(start, context)
  return (
    inside &&
    choose(
      [runs, ...inside].reduce((a, b) => op('land', [a, b])),
      start,
      zeroOf(e.type),
    )
  )
}

const withPlaces = (e: Expr, by: ReadonlyMap<string, Expr>): Expr =>
  rewriteExpr(e, (x) => (x.kind === 'read' && x.index.length === 0 ? by.get(x.array) : undefined))

/** Conditions under which all elements that `e` reads are there; `undefined` where elements choose elements. */
function boundsOf(e: Expr, { arrays }: Context): readonly Expr[] | undefined {
  const out: Expr[] = []
  for (const r of elementsOf(e)) {
    if (r.index.some((i) => elementsOf(i).length > 0)) return undefined
    const shape = arrays.get(r.array)?.shape ?? []
    r.index.forEach((i, d) => {
      const at = literal(i)
      if (at === undefined || at < 0) out.push(op('ge', [i, int(0)]))
      out.push(lt(i, shape[d]!)) // as many as subscripts
    })
  }
  return out
}

interface Held {
  readonly e: Expr
  readonly places: readonly string[]
  readonly held: ArrayDecl
  /** An expression with the scalar in place of what it holds. */
  readonly inHeld: (e: Expr) => Expr
  readonly context: Context
}

/** The block with the scalar set behind the places. `seen`: elements that the iteration has read by then. */
function updated(
  body: readonly LoopStmt[],
  h: Held,
  loops: readonly Loop[],
  seen: readonly Read[],
): readonly LoopStmt[] | undefined {
  const out: LoopStmt[] = [],
    done = [...seen],
    fresh = new Map<string, Expr>()
  for (const [n, s] of body.entries()) {
    if (s.kind === 'loop' || s.kind === 'if') {
      const made = inside(s, h, loops, done)
      if (!made) return undefined
      out.push(made)
      if (s.kind === 'if') done.push(...unconditionalReads(s))
      continue
    }
    out.push(mapStmtExprs(s, h.inHeld))
    if (s.kind !== 'store') continue
    done.push(...unconditionalReads(s))
    if (!h.places.includes(s.array)) continue
    if (readsArray(s.value)) return undefined
    fresh.set(s.array, s.value)
    const next = body[n + 1]
    if (next?.kind === 'store' && h.places.includes(next.array) && !readsArray(next.value)) continue
    const value = withPlaces(h.e, fresh)
    if (!elementsOf(value).every((r) => isRead(r, done) || isInside(r, loops, h.context))) return undefined
    out.push(store(h.held, [], value))
    fresh.clear()
  }
  return out
}

function inside(
  s: Exclude<LoopStmt, Store | { kind: 'declare' }>,
  h: Held,
  loops: readonly Loop[],
  seen: readonly Read[],
): LoopStmt | undefined {
  if (s.kind === 'loop') {
    const body = updated(s.body, h, [...loops, s], seen)
    return body && { ...s, lower: h.inHeld(s.lower), upper: h.inHeld(s.upper), body }
  }
  const known = [...seen, ...unconditionalReads(s)]
  const then = updated(s.then, h, loops, known),
    otherwise = updated(s.else, h, loops, known)
  return then && otherwise && { ...s, condition: h.inHeld(s.condition), then, else: otherwise }
}

/** Whether the iteration has read the element: its subscripts are of loop variables and sizes. */
const isRead = (r: Read, seen: readonly Read[]): boolean =>
  !r.index.some(readsArray) && seen.some((x) => exprKey(x) === exprKey(r))

const isInside = (r: Read, loops: readonly Loop[], { program, arrays }: Context): boolean => {
  const array = arrays.get(r.array)
  return (
    array !== undefined &&
    [...array.shape, ...r.index].every((e) => affineOf(e)) &&
    isThere(program, array, r.index, loops, [])
  )
}
