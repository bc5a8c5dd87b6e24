// In: a loop in order with what stands around it. Out: the linear recurrence that it is: numbers that an iteration
// hands on to the next one, as affine functions of those before with coefficients that need none of them, for every
// point of the parallel loops around it. The one idea: the body is followed once with the numbers before it as
// unknowns. Values that are one iteration old (`x1 = x[i]`) are no unknowns: they are read again.
import {
  add,
  affineOf,
  choose,
  constantExtent,
  int,
  isFloat,
  loop,
  loopVar,
  op,
  read,
  store,
  sub,
  type ArrayDecl,
  type Expr,
  type Loop,
  type MemoryType,
  type LoopStmt,
  type Store,
  reduced,
  registerType,
  zeroOf,
  type Ring,
  type Recurrence,
  type ScanStore,
  conjunction,
  eachExpr,
  planValue,
  someExpr,
  rewriteExpr,
  readsArray,
  sameExpr,
  substitute,
  uses,
  type Read,
} from '../../ir/index.ts'
import { linearState } from '../scalars/two-state-automata.ts'
import {
  isBefore,
  isWhole,
  mentionsAny,
  ownOnly,
  readsOf,
  sameIndex,
  sameIndexForm,
  withoutReduce,
  type Around,
  coefficientsIn,
  fixedOf,
  isNeutral,
  isUnit,
  varying,
  extremesIn,
  isKeptWhole,
  isResidue,
  modulusOf,
  mostRead,
  residuesIn,
  type KnownResidues,
  injective,
} from '../../analysis/index.ts'

/** Most numbers that iterations hand on: maps of n have n² + n coefficients. */
const mostStates = 3
/** Steps up to which a thread for each point of the parallel loops makes them in order. */
const fewSteps = 64
/** Most parts of all expressions together. */
const mostParts = 600

/** Values at a place of the body in terms of those before it. */
interface Values {
  readonly scalars: ReadonlyMap<string, Expr>
  readonly elements: ReadonlyMap<string, { readonly index: readonly Expr[]; readonly value: Expr }>
}

/** A store to an element, as it is written, with the values where it stands. */
interface Element {
  readonly guards: readonly Expr[]
  readonly store: Store
  readonly at: Values
}

/**
 * `numbers = init; for …: { numbers = M numbers + c; y[i] = f(numbers) }`, through scalars or through the array.
 * `endsToo`: in parallel, where only the numbers at the end are wanted, too: mostly these are terms of something else,
 * which is better made with it.
 */
export function linear(around: Around, endsToo: boolean): Recurrence | undefined {
  const { loop, before, after, parallel } = around
  if (before.some((s) => s.index.length > 0)) return undefined
  if (parallel.length > 0 && (constantExtent(loop) ?? Infinity) <= fewSteps) return undefined
  const start = followed(around, before),
    end = followed(around, loop.body)
  if (!start || !end || start.elements.length > 0) return undefined
  if (parallel.length > (endsToo ? 1 : 0) && end.elements.length === 0) return undefined
  const used = [...end.values.scalars.values(), ...end.elements.flatMap((e) => [e.store.value, ...e.guards])]
  let parts = 0
  used.forEach((e) =>
    eachExpr(e, () => {
      parts++
    }),
  )
  if (parts > mostParts || [...start.values.scalars.keys()].some((name) => !end.values.scalars.has(name)))
    return undefined
  const numbers = unknowns(around, start.values, end)
  return numbers && assembled(around, numbers, end, after)
}

/** What a body does, with conditions as choices; `undefined` when it has loops or arrays of its own. */
function followed(
  { arrays }: Around,
  body: readonly LoopStmt[],
): { readonly values: Values; readonly elements: readonly Element[]; readonly own: ReadonlySet<string> } | undefined {
  const own = new Map<string, ArrayDecl>(),
    elements: Element[] = [],
    most = mostRead((name) => (own.get(name) ?? arrays.get(name))?.type)
  const all = (stmts: readonly LoopStmt[], guards: readonly Expr[], from: Values): Values | undefined =>
    stmts.reduce<Values | undefined>((v, s) => v && step(s, guards, v), from)
  const step = (s: LoopStmt, guards: readonly Expr[], v: Values): Values | undefined => {
    if (s.kind === 'declare') {
      own.set(s.array.name, s.array)
      return s.array.shape.length === 0 ? v : undefined
    }
    if (s.kind === 'loop') return undefined
    if (s.kind === 'if') {
      const condition = now(s.condition, v)
      const then = all(s.then, [...guards, condition], v),
        otherwise = all(s.else, [...guards, op('lnot', [condition])], v)
      return then && otherwise && joined(condition, then, otherwise)
    }
    const array = own.get(s.array) ?? arrays.get(s.array)
    if (!array) return undefined
    const here = s.index.map((e) => now(e, v)),
      value = now(s.value, v)
    const full = s.reduce ? reduced(s.reduce, now(read(array, s.index), v), value) : value
    if (!isWhole(array) && !(array.space === 'private' && isKeptWhole(array.type, full, most))) return undefined
    if (s.index.length === 0) return { ...v, scalars: new Map([...v.scalars, [s.array, full]]) }
    if (v.elements.has(s.array) || array.space !== 'global') return undefined
    elements.push({ guards, store: withoutReduce(arrays, s), at: v })
    return { ...v, elements: new Map([...v.elements, [s.array, { index: here, value: full }]]) }
  }
  const joined = (condition: Expr, a: Values, b: Values): Values => {
    const pick = (x: Expr, y: Expr): Expr => (x === y ? x : choose(condition, x, y))
    const scalar = (name: string): Expr | undefined =>
      own.get(name) && !(a.scalars.has(name) && b.scalars.has(name))
        ? (a.scalars.get(name) ?? b.scalars.get(name))
        : undefined
    const all = [...new Set([...a.scalars.keys(), ...b.scalars.keys()])].map((name) => {
      const plain = read(own.get(name) ?? arrays.get(name)!, []) // it was stored to
      return [name, scalar(name) ?? pick(a.scalars.get(name) ?? plain, b.scalars.get(name) ?? plain)] as const
    })
    const each = [...new Set([...a.elements.keys(), ...b.elements.keys()])].map((name) => {
      const { index } = (a.elements.get(name) ?? b.elements.get(name))! // one of them has it
      const old = read(arrays.get(name)!, index) // it was stored to
      return [
        name,
        { index, value: pick(a.elements.get(name)?.value ?? old, b.elements.get(name)?.value ?? old) },
      ] as const
    })
    return { scalars: new Map(all), elements: new Map(each) }
  }
  const values = all(body, [], { scalars: new Map(), elements: new Map() })
  return (
    values && {
      values: { ...values, scalars: new Map([...values.scalars].filter(([name]) => !own.has(name))) },
      elements,
      own: new Set(own.keys()),
    }
  )
}

/** `e` with what scalars and elements are there. */
const now = (e: Expr, v: Values, known: (e: Expr) => Expr = (x) => x): Expr =>
  rewriteExpr(e, (x) => {
    const is = x.kind === 'read' ? held(x, v) : undefined
    return is && known(is)
  })

function held(x: Read, v: Values): Expr | undefined {
  if (x.index.length === 0) return v.scalars.get(x.array)
  const element = v.elements.get(x.array)
  return element && sameIndex(element.index, x.index) ? element.value : undefined
}

type Body = NonNullable<ReturnType<typeof followed>>

/**
 * The unknowns: what each is before the loop and after an iteration, in terms of those before it, and expressions in
 * these terms.
 */
interface Unknowns {
  readonly states: readonly ArrayDecl[]
  readonly init: readonly Expr[]
  readonly next: readonly Expr[]
  /** Values after an iteration as `followed` says them. */
  readonly found: readonly Expr[]
  /** Scalars of the caller or of later kernels, which get the numbers at the end. */
  readonly kept: ReadonlyMap<string, ArrayDecl>
  settle(e: Expr): Expr
}

/** The number that `e` is at any size. */
function constantOf(e: Expr): number | undefined {
  const a = affineOf(e)
  return a && a.terms.size === 0 ? a.constant : undefined
}

/**
 * The element that an iteration `steps` before the first would have stored to: what the first may read. One outside of
 * the array (`y[-1]`) is read by no iteration (`i == 0 ? x[i] : y[i - 1] + x[i]`), and any number will do.
 */
function elementBefore(loop: Loop, steps: number, array: ArrayDecl, index: readonly Expr[]): Expr {
  const first = index.map((e) => substitute(e, new Map([[loop.name, sub(loop.lower, int(steps))]]))),
    element = read(array, first),
    zero = zeroOf(element.type)
  let isRead = op('lt', [loop.lower, loop.upper])
  for (const [d, e] of first.entries()) {
    if (!uses(index[d]!, loop.name)) continue // as many: the element of an iteration of the loops around
    const known = constantOf(e),
      left = constantOf(sub(array.shape[d]!, e))
    if ((known !== undefined && known < 0) || (left !== undefined && left <= 0)) return zero
    if (known === undefined) isRead = op('land', [isRead, op('ge', [e, int(0)])])
  }
  return choose(isRead, element, zero)
}

function unknowns(around: Around, start: Values, end: Body): Unknowns | undefined {
  const { arrays, loop, after } = around
  const seen = new Set(needed(around, end)),
    later = (name: string): boolean =>
      mentionsAny(
        after.map((s) => s.value),
        [name],
      )
  const all: {
    readonly name: string
    readonly from: ArrayDecl
    readonly into: ArrayDecl
    readonly init: Expr
    readonly found: Expr
  }[] = []
  for (const name of seen) {
    const from = arrays.get(name)!,
      init = start.scalars.get(name) ?? (from.space === 'global' ? read(from, []) : undefined) // it was stored to
    if (!init) return undefined
    all.push({
      name,
      from,
      init,
      into:
        from.space === 'private'
          ? { ...from, type: registerType(from.type) as MemoryType }
          : scalarOf(from, `${name}_run`), // no memory holds bools
      found: linearState(name, init, end.values.scalars.get(name)!),
    }) // it was stored to
  }
  const scalars = all.length
  const distant = new Map<string, readonly ArrayDecl[]>()
  for (const [name, element] of end.values.elements) {
    const from = arrays.get(name)!,
      far = farthest(around, end, name, element.index) // it was stored to
    if (far === undefined || far > mostStates) return undefined
    const states = Array.from({ length: far }, (_, d) =>
      scalarOf(from, d === 0 ? `${name}_run` : `${name}_run${d + 1}`),
    )
    distant.set(name, states)
    states.forEach((into, d) =>
      all.push({
        name: into.name,
        from,
        into,
        found: d === 0 ? element.value : read(states[d - 1]!, []),
        init: elementBefore(loop, d + 1, from, element.index),
      }),
    )
  }
  const before = (x: Expr): Expr | undefined => {
    if (x.kind !== 'read') return undefined
    const states = distant.get(x.array),
      element = end.values.elements.get(x.array),
      scalar = all.slice(0, scalars).find((s) => s.name === x.array)
    if (scalar && x.index.length === 0) return read(scalar.into, [])
    const d = states && element ? distance(around, element.index, x.index) : undefined
    return d ? states![d - 1] && read(states![d - 1]!, []) : undefined // found above
  }
  const old = new Map<string, Expr>()
  const settle = (e: Expr): Expr =>
    rewriteExpr(rewriteExpr(e, before), (x) => (x.kind === 'read' ? old.get(x.array) : undefined))
  const names = [...distant.keys()]
  let left = all
  for (;;) {
    const gone = left.find((s) => {
      const f = settle(s.found)
      return (
        all.indexOf(s) < scalars &&
        s.from.space === 'private' &&
        !later(s.name) &&
        !mentionsAny([f], [...left.map((x) => x.into.name), ...names])
      )
    })
    if (!gone) break
    const last = substitute(settle(gone.found), new Map([[loop.name, sub(loopVar(loop.name), int(1))]]))
    old.set(gone.into.name, choose(op('lt', [loop.lower, loopVar(loop.name)]), last, gone.init))
    left = left.filter((s) => s !== gone)
  }
  return {
    states: left.map((s) => s.into),
    init: left.map((s) => s.init),
    next: left.map((s) => settle(s.found)),
    found: left.map((s) => s.found),
    settle,
    kept: new Map(
      left.flatMap((s) => (s.from.space === 'global' && s.from.shape.length === 0 ? [[s.name, s.from] as const] : [])),
    ),
  }
}

const scalarOf = (a: ArrayDecl, name: string): ArrayDecl => ({
  name,
  type: a.type,
  shape: [],
  role: 'temp',
  space: 'private',
})

/** Scalars whose values of earlier iterations somebody asks for. */
function needed({ arrays, after }: Around, end: Body): readonly string[] {
  const { scalars, elements } = end.values
  const wanted = (es: readonly Expr[]): readonly string[] =>
    readsOf(es)
      .filter((r) => r.index.length === 0 && scalars.has(r.array))
      .map((r) => r.array)
  const found = new Set([
    ...[...scalars.keys()].filter((n) => arrays.get(n)?.space === 'global'),
    ...wanted([
      ...[...elements.values()].map((e) => e.value),
      ...end.elements.flatMap((e) => [...e.guards, now(e.store.value, e.at)]),
      ...after.map((s) => s.value),
    ]),
  ])
  for (const name of found) wanted([scalars.get(name)!]).forEach((n) => found.add(n)) // grows while it is gone through
  return [...found]
}

/** How many iterations ago the loop stored what stands at `index`; 0 or undefined: not before this one. */
function distance({ loop }: Around, stored: readonly Expr[], index: readonly Expr[]): number | undefined {
  for (let d = 0; d <= mostStates; d++) {
    const then = stored.map((e) => substitute(e, new Map([[loop.name, sub(loopVar(loop.name), int(d))]])))
    if (index.every((e, i) => sameIndexForm(e, then[i]!))) return d
  }
  return undefined
}

/** The most iterations that a read of the array goes back; `undefined` where one is elsewhere. */
function farthest(around: Around, end: Body, name: string, stored: readonly Expr[]): number | undefined {
  const es = [
    ...end.values.scalars.values(),
    ...[...end.values.elements.values()].map((e) => e.value),
    ...end.elements.flatMap((e) => [...e.guards, now(e.store.value, e.at)]),
  ]
  const far = readsOf(es)
    .filter((r) => r.array === name)
    .map((r) => distance(around, stored, r.index))
  return far.every((d) => d !== undefined) ? Math.max(0, ...far) : undefined
}

function assembled(around: Around, u: Unknowns, end: Body, after: readonly Store[]): Recurrence | undefined {
  const { arrays, parallel, loop } = around,
    [first] = u.states
  if (!first || u.states.length > mostStates || u.states.some((s) => s.type !== first.type) || first.type === 'f16')
    return undefined
  const type = u.next[0]!.type // there is a first
  const place = (e: Expr): number | undefined => {
    const at = e.kind === 'read' ? u.states.findIndex((s) => s.name === e.array) : -1
    return at < 0 ? undefined : at
  }
  const most = mostRead((name) => arrays.get(name)?.type)
  const { ring, modulus, rows, negative } = rowsOf(u, type, { place, most }) ?? {}
  if (!ring || !rows || !negative || (isExtreme(ring) && !areOne(ring, type, rows))) return undefined
  const matrix = rows.flatMap((r) => r.slice(0, -1)),
    map = [...matrix, ...rows.map((r) => r[r.length - 1]!)].map(eager)
  // In parallel, a first iteration of its own is peeled off: what is left may be a scan.
  if (parallel.length > 0 && matrix.some((e) => hasChoice(e) && !readsArray(e))) return undefined
  const constants = matrix.map(valueOf)
  if (ring === 'sums' && isFloat(type) && diverges(constants, u.states.length)) return undefined
  const ends = new Map(u.states.map((s) => [s.name, s]))
  const own = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const state =
        x.kind === 'read' && x.index.length === 0
          ? ends.get(u.kept.has(x.array) ? `${x.array}_run` : x.array)
          : undefined
      return state && read(state, [])
    })
  const results = [
    ...[...u.kept].map(([name, a]) => store(a, [], read(ends.get(`${name}_run`)!, []))),
    ...after.map((s) => withoutReduce(arrays, s)).map((s) => ({ ...s, value: own(s.value) })),
  ] // kept ones are states
  const sums = ring === 'sums',
    found: Recurrence = {
      kind: 'recurrence',
      parallel,
      loop,
      maps: {
        states: u.states.length,
        type,
        ring,
        ...(modulus !== undefined && { modulus }),
        fixed: fixedOf({ states: u.states.length, type, ring }, map),
        sets: sums && isFloat(type) && matrix.some(hasChoice),
        grows: sums && isFloat(type) && matrix.some((e) => e.kind !== 'const' && !hasChoice(e)),
      },
      states: u.states,
      init: u.init,
      map,
      stores: end.elements.map((e) => placed(u, e)),
      results,
    }
  return varying(found.maps).length > 0 && !isReduction(found) && apart(around, found)
    ? withNegatives(found, negative)
    : undefined
}

/** Iterations over which a map of constants is composed, a power of two, and by how much it may have grown in them. */
const ofGrowth = 64,
  mostGrowth = 1e3

/**
 * Whether maps with this matrix of constants grow: its spectral radius is above 1. Numbers that stay small in the loop
 * (`s = 2 * s - 1` from 1) would be differences of large ones in composed maps.
 */
function diverges(matrix: readonly (number | undefined)[], states: number): boolean {
  const each = Array.from({ length: states }, (_, i) => i)
  let power: readonly number[] = matrix.filter((x) => x !== undefined)
  if (power.length < matrix.length) return false
  for (let n = 1; n < ofGrowth; n *= 2) {
    const half = power
    power = each.flatMap((i) =>
      each.map((j) => each.reduce((sum, k) => sum + half[i * states + k]! * half[k * states + j]!, 0)),
    ) // a square matrix
  }
  return power.some((x) => !(Math.abs(x) <= mostGrowth))
}

/** The value of an expression of constants; `undefined` where it has others. */
const valueOf = (e: Expr): number | undefined =>
  someExpr(e, (x) => x.kind !== 'const' && x.kind !== 'op') ? undefined : planValue(e, { sizes: {}, scalars: {} })

/** Whether each number needs one of the others, or they it: those that do not are forms of their own. */
const areOne = (ring: Ring, type: Expr['type'], rows: readonly (readonly Expr[])[]): boolean =>
  rows.length === 1 ||
  rows.every((_, p) =>
    rows.some(
      (_, q) => p !== q && (!isNeutral({ ring, type }, rows[p]![q]!) || !isNeutral({ ring, type }, rows[q]![p]!)),
    ),
  ) // as many as there are numbers

const isExtreme = (ring: Ring): boolean => ring === 'greatest' || ring === 'least'

interface Rows {
  readonly ring: Ring
  readonly modulus?: number
  readonly rows: readonly (readonly Expr[])[] /** Numbers that are handed on as their negatives. */
  readonly negative: readonly boolean[]
}

/**
 * What each number becomes as coefficients of those before: of sums, or else of residues, or of greatest or least ones,
 * perhaps of negatives of some.
 */
function rowsOf({ init, next }: Unknowns, type: Expr['type'], known: KnownResidues): Rows | undefined {
  const { place } = known,
    states = next.length,
    all = (rows: readonly (readonly Expr[] | undefined)[]): rows is readonly (readonly Expr[])[] =>
      rows.every((r) => r !== undefined)
  const linear = next.map((e) => coefficientsIn({ states, type }, e, place))
  if (all(linear)) return { ring: 'sums', rows: linear, negative: next.map(() => false) }
  const modulus = modulusOf(next, type)
  if (modulus !== undefined && init.every((e) => isResidue(e, modulus, known))) {
    const residues = next.map((e) => residuesIn(states, type, modulus, e, known))
    if (all(residues)) return { ring: 'residues', modulus, rows: residues, negative: next.map(() => false) }
  }
  if (!isFloat(type) && type !== 'i32') return undefined
  for (let signs = 0; signs < 2 ** states; signs++) {
    const negative = next.map((_, n) => Math.floor(signs / 2 ** n) % 2 === 1)
    for (const ring of ['greatest', 'least'] as const) {
      const rows = next.map((e, n) =>
        extremesIn(
          { states, type, ring },
          e,
          (x) => {
            const at = place(x)
            return at === undefined ? undefined : { at, negative: negative[at]! }
          },
          negative[n],
        ),
      )
      if (all(rows)) return { ring, rows, negative }
    }
  }
  return undefined
}

/** The recurrence with the negatives of some of its numbers in their places. */
function withNegatives(r: Recurrence, negative: readonly boolean[]): Recurrence {
  if (!negative.includes(true)) return r
  const minus = (e: Expr): Expr =>
    rewriteExpr(e, (x) =>
      x.kind === 'read' && x.index.length === 0 && negative[r.states.findIndex((s) => s.name === x.array)]
        ? op('neg', [x])
        : undefined,
    )
  const after = (s: Store): Store => ({ ...s, value: minus(s.value) })
  return {
    ...r,
    init: r.init.map((e, n) => (negative[n] ? op('neg', [e]) : e)),
    results: r.results.map(after),
    stores: r.stores.map((s) => ({ ...s, guard: s.guard && minus(s.guard), store: after(s.store) })),
  }
}

/** Whether nothing is stored on the way of numbers of which each is a sum or a product of its own. */
function isReduction({ maps: k, map, stores }: Recurrence): boolean {
  const { states } = k
  if (k.ring === 'residues') return false // no reduction takes remainders
  const alone = (p: number): boolean =>
    map
      .slice(p * states, (p + 1) * states)
      // an offset for each
      .every((e, q) => (q === p ? isUnit(k, e) || isNeutral(k, map[states * states + p]!) : isNeutral(k, e)))
  return stores.length === 0 && Array.from({ length: states }, (_, p) => p).every(alone)
}

/** Choices between values that ask no memory as selections, which leave loads where they are. */
const eager = (e: Expr): Expr =>
  rewriteExpr(e, (x) =>
    x.kind === 'choose' && !readsArray(x.then) && !readsArray(x.else)
      ? op('select', [x.condition, x.then, x.else])
      : undefined,
  )

function hasChoice(e: Expr): boolean {
  return someExpr(e, (x) => x.kind === 'choose' || (x.kind === 'op' && x.op === 'select'))
}

/** The store in terms of the numbers after the iteration where that says all of it, else of those before. */
function placed(u: Unknowns, { guards, store: s, at }: Element): ScanStore {
  const ending = "'",
    states = u.states.map((x) => x.name)
  const known = (e: Expr): Expr => {
    const n = u.found.findIndex((f) => sameExpr(f, e))
    return n < 0 ? e : read({ ...u.states[n]!, name: `${states[n]!}${ending}` }, [])
  }
  const index = s.index.map((e) => u.settle(now(e, at))),
    guard = conjunction(guards)
  const settled = guard && u.settle(guard),
    whole = u.settle(known(now(s.value, at, known))),
    before = u.settle(now(s.value, at))
  const later =
    mentionsAny(
      [whole],
      states.map((n) => n + ending),
    ) && !mentionsAny([whole, ...(settled ? [settled] : [])], states)
  const after = (e: Expr): Expr =>
    rewriteExpr(e, (x) =>
      x.kind === 'read' && x.array.endsWith(ending) ? { ...x, array: x.array.slice(0, -1) } : undefined,
    )
  return { earlier: !later, guard: settled, store: { ...s, index, value: later ? after(whole) : before } }
}

/**
 * Whether the element is the one that the store would write a few iterations before the first, of the same point of the
 * other loops, and no other iteration of any point writes it.
 */
function isStepsBefore({ loop }: Around, x: Read, s: Store, loops: readonly Loop[]): boolean {
  return Array.from({ length: mostStates }, (_, n) => n + 1).some((steps) => {
    const lower = sub(loop.lower, int(steps)),
      then = s.index.map((e) => substitute(e, new Map([[loop.name, lower]])))
    return (
      x.index.every((e, d) => sameIndexForm(e, then[d]!)) && // as many
      injective(
        s.index,
        loops.map((l) => (l === loop ? { ...l, lower } : l)),
      )
    )
  })
}

/** The number of a store among several to one array, as a loop of that many. */
const offset = 'offset'

/**
 * Whether stores to one array are to different elements for all points of the loops: constants apart, all within what
 * the loops step over.
 */
function areDistinct(all: readonly Store[], loops: readonly Loop[]): boolean {
  const [first] = all
  if (!first || all.length === 1) return true
  if (loops.length === 0) return false // searches and sums of their own, which one loop makes
  const apart = all.map((s) => s.index.map((e, d) => constantOf(sub(e, first.index[d]!)))), // as many
    moved = first.index.findIndex((_, d) => apart.some((by) => by[d] !== 0)),
    at = apart.map((by) => by[moved]),
    known = at.filter((by) => by !== undefined)
  if (known.length < all.length || new Set(known).size < all.length) return false
  if (apart.some((by) => by.some((x, d) => d !== moved && x !== 0))) return false
  const least = Math.min(...known),
    over: Loop = loop(offset, int(Math.max(...known) - least + 1), [])
  return injective(
    first.index.map((e, d) => (d === moved ? add(add(e, int(least)), loopVar(offset)) : e)),
    [...loops, over],
  )
}

/** Whether every iteration stores to elements of its own, and nothing reads what another one stores. */
function apart(around: Around, r: Recurrence): boolean {
  const { arrays, parallel, loop } = around
  const stores = r.stores.map((s) => s.store),
    names = [...stores, ...r.results].map((s) => s.array),
    states = r.states.map((s) => s.name)
  const ofResults = [...new Set(r.results.map((s) => s.array))],
    arraysOnce = [...stores.map((s) => s.array), ...ofResults]
  if (
    names.length === 0 ||
    new Set(arraysOnce).size < arraysOnce.length ||
    names.some((n) => arrays.get(n)?.space !== 'global') ||
    !ofResults.every((n) =>
      areDistinct(
        r.results.filter((s) => s.array === n),
        parallel,
      ),
    )
  )
    return false
  if (
    stores.some((s) => s.index.some((e) => !affineOf(e)) || !injective(s.index, [...parallel, loop])) ||
    mentionsAny(r.map, [...states, ...r.results.map((s) => s.array)])
  )
    return false
  if (
    r.results.some(
      (s) =>
        [s.value, ...s.index].some((e) => uses(e, loop.name)) ||
        s.index.some((e) => !affineOf(e)) ||
        !injective(s.index, parallel) ||
        !ownOnly([s.value], s, names),
    )
  )
    return false
  if (!readsOf(r.map).every((x) => stores.every((s) => s.array !== x.array || sameIndex(s.index, x.index))))
    return false
  if (
    !readsOf(r.init).every(
      (x) =>
        stores.every(
          (s) => s.array !== x.array || isBefore(x, s, loop) || isStepsBefore(around, x, s, [...parallel, loop]),
        ) &&
        (r.results.every((s) => s.array !== x.array) ||
          (parallel.length > 0 && r.results.some((s) => s.array === x.array && sameIndex(s.index, x.index)))),
    )
  )
    return false
  return r.stores.every((s) => ownOnly([s.store.value, ...(s.guard ? [s.guard] : [])], s.store, names))
}
