// In: parallel loops and what one of their iterations does. Out: the same as sums over pairs, when that is what it is:
// some statements of the row alone, one loop whose terms use data of the row and data of the loop, and statements
// behind it. The one idea: what only the loop chooses is the same for all rows, and what only the row chooses is the
// same for all terms; each is loaded once. Loops of few iterations are written out and small local arrays become
// scalars first.
import {
  add,
  addScaled,
  affineExpr,
  extreme,
  loopVar,
  op,
  sameAffine,
  sub,
  substitute,
  withGuard,
  affineConstant,
  affineOf,
  endOf,
  int,
  isEndless,
  isFloat,
  literal,
  negated,
  read,
  registerType,
  store,
  when,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type ReduceOp,
  type Store,
  identityOf,
  type Other,
  claimName,
  constantExtent,
  eachExpr,
  someExpr,
  eachStmt,
  someStmt,
  exprKey,
  isFree,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  ownExprs,
  perfectNest,
  readsArray,
  readsIn,
  substituteStmt,
  unconditionalReads,
  uses,
  type Read,
} from '../../ir/index.ts'
import { planned, holds, hasLoop, signedSizeNames } from '../../analysis/index.ts'
import { uniqueLocals } from '../expansion/scalar-expansion.ts'
import { isFloatTerm, sharedTerms } from '../scalars/common-subexpressions.ts'

/**
 * `for rows: { before; for loop: term; after }`. Terms read no memory but what `shared` and `own` hold where that is
 * said, and what stays in place.
 */
export interface Pairs {
  readonly rows: readonly Loop[]
  readonly loop: Loop
  readonly before: readonly LoopStmt[]
  readonly term: readonly LoopStmt[]
  readonly after: readonly LoopStmt[]
  /** Elements that the loop alone chooses, in scalars that `term` reads. */
  readonly shared: readonly Loaded[]
  /** Elements that the row alone chooses. */
  readonly own: readonly Loaded[]
  /** Private scalars that `term` only reduces into. */
  readonly sums: readonly Sum[]
  /** Iterations of the loop hand on other scalars: they stay in order. */
  readonly inOrder: boolean
  /** Private scalars, all that the statements use. */
  readonly locals: readonly ArrayDecl[]
}

export interface Loaded {
  readonly scalar: ArrayDecl
  readonly from: Read
}
export interface Sum {
  readonly scalar: ArrayDecl
  readonly op: ReduceOp
}

/** Iterations of loops that are written out. */
const fewIterations = 8
/** Statements that may come of that. */
const mostStatements = 128

/** Rows and terms from which on tiles in registers pay. */
const fewestRows = 512,
  fewestTerms = 64

/** `part` as sums over pairs, with enough rows and terms; `undefined` when it is something else. */
export function pairsOf(program: Program, part: Other): Pairs | undefined {
  const [outer, more] = part.body.filter((s) => s.kind !== 'declare'),
    count = part.parallel
  if (part.kind === 'idiom' || outer?.kind !== 'loop' || more || part.body.length > 1 || count === 0 || count > 3)
    return undefined
  const rows = fromZero(perfectNest(outer).loops.slice(0, count)),
    last = rows[count - 1]
  if (!last || rows.some((l) => literal(l.lower) !== 0 || l.step !== 1)) return undefined
  const plain = writtenOut(last.body, { left: mostStatements }),
    scalars = plain && asScalars(uniqueLocals({ ...program, body: plain }).body)
  const parts = scalars && around(scalars, rows)
  if (!parts) return undefined
  const taken = namesOf({ ...program, body: scalars }),
    { loop } = parts,
    extents = plannedPairs(program, { rows, loop })
  if (extents.rows < fewestRows || extents.terms < fewestTerms || (constantExtent(loop) ?? Infinity) < fewestTerms)
    return undefined
  const sums = withOwnSums(program, rows, parts, taken)
  return sums && loaded(program, rows, sums, taken)
}

/** Numbers of rows and terms at the planned sizes. */
export const plannedPairs = (
  program: Program,
  { rows, loop }: Pick<Pairs, 'rows' | 'loop'>,
): { readonly rows: number; readonly terms: number } => ({
  rows: rows.reduce((n, l) => n * planned(program, l.lower, l.upper, 1), 1),
  terms: planned(program, loop.lower, loop.upper, 1),
})

/** What was found so far: declarations stand apart. */
interface Parts {
  readonly loop: Loop
  readonly before: readonly LoopStmt[]
  readonly term: readonly LoopStmt[]
  readonly after: readonly LoopStmt[]
  readonly locals: readonly ArrayDecl[]
}

// ── loops and arrays of a few ─────────────────────────────────────────────────────────────────────────────────────

/** Loops of few iterations as their iterations; `undefined` when that is too much. */
function writtenOut(body: readonly LoopStmt[], budget: { left: number }): readonly LoopStmt[] | undefined {
  const out: LoopStmt[] = []
  for (const s of body) {
    if (--budget.left < 0) return undefined
    const made = written(s, budget)
    if (!made) return undefined
    out.push(...made)
  }
  return out
}

function written(s: LoopStmt, budget: { left: number }): readonly LoopStmt[] | undefined {
  if (s.kind === 'if') {
    const then = writtenOut(s.then, budget),
      otherwise = writtenOut(s.else, budget)
    return then && otherwise && [{ ...s, then, else: otherwise }]
  }
  if (s.kind !== 'loop') return [s]
  const extent = constantExtent(s),
    first = literal(s.lower)
  if (extent === undefined || first === undefined || extent > fewIterations || s.bind.kind !== 'serial') {
    const inner = writtenOut(s.body, budget)
    return inner && [{ ...s, body: inner }]
  }
  const rounds = Array.from({ length: extent }, (_, i) =>
    s.body.map((x) => substituteStmt(x, new Map([[s.name, int(first + i * s.step)]]))),
  )
  return writtenOut(rounds.flat(), budget)
}

/** Local arrays whose elements are named by literals as a scalar for each; `undefined` when one is not. */
function asScalars(body: readonly LoopStmt[]): readonly LoopStmt[] | undefined {
  const arrays = new Map<string, ArrayDecl>()
  let whole = true
  eachStmt(body, (s) => {
    if (s.kind !== 'declare') return
    arrays.set(s.array.name, s.array)
    whole &&=
      s.array.space === 'private' &&
      registerType(s.array.type) === s.array.type &&
      s.array.shape.every((e) => (literal(e) ?? Infinity) <= mostStatements)
  })
  const nameOf = (array: string, index: readonly Expr[]): string =>
    [array, ...index.map((e) => literal(e) ?? '?')].join('_')
  const see = (array: string, index: readonly Expr[]): void => {
    if (arrays.has(array) && index.some((e) => literal(e) === undefined)) whole = false
  }
  readsIn(body).forEach((r) => see(r.array, r.index))
  eachStmt(body, (s) => {
    if (s.kind === 'store') see(s.array, s.index)
  })
  if (!whole) return undefined
  const elements = (a: ArrayDecl): readonly ArrayDecl[] =>
    a.shape
      .reduce<readonly string[]>(
        (names, e) => names.flatMap((n) => Array.from({ length: literal(e)! }, (_, i) => `${n}_${i}`)),
        [a.name],
      )
      .map((name) => ({ ...a, name, shape: [] }))
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) =>
      x.kind === 'read' && arrays.has(x.array) ? { ...x, array: nameOf(x.array, x.index), index: [] } : undefined,
    )
  return mapBody(
    body.map((s) => mapStmtExprs(s, f)),
    (s) => {
      if (s.kind === 'declare') return elements(s.array).map((array) => ({ kind: 'declare', array }))
      return s.kind === 'store' && arrays.has(s.array)
        ? [{ ...s, array: nameOf(s.array, s.index), index: [] }]
        : undefined
    },
  )
}

// ── the loop and its sums ─────────────────────────────────────────────────────────────────────────────────────────

/** Loops, one in the other, of which those that begin at a number begin at 0. */
function fromZero(loops: readonly Loop[]): readonly Loop[] {
  const by = new Map<string, Expr>()
  return loops.map((l) => {
    const made = { ...l, lower: substitute(l.lower, by), upper: substitute(l.upper, by) },
      first = literal(l.lower)
    const body = l.body.map((s) => substituteStmt(s, by))
    if (!first || l.step !== 1) return { ...made, body }
    by.set(l.name, add(loopVar(l.name), int(first)))
    return {
      ...made,
      lower: int(0),
      upper: sub(made.upper, int(first)),
      body: l.body.map((s) => substituteStmt(s, by)),
    }
  })
}

/** The loop from the least to the greatest of its bounds over `rows`, with what these say of each row as a guard. */
function overAll(loop: Loop, rows: readonly Loop[]): Loop | undefined {
  if (isFree(loop)) return loop
  const lower = affineOf(loop.lower),
    upper = affineOf(loop.upper),
    first = lower && extreme(lower, rows, 'low'),
    end = upper && extreme(upper, rows, 'high')
  if (!first || !end) return undefined
  const guards = [
    ...(sameAffine(lower, first) ? [] : [op('ge', [loopVar(loop.name), loop.lower])]),
    ...(sameAffine(upper, end) ? [] : [op('lt', [loopVar(loop.name), loop.upper])]),
  ]
  return { ...loop, lower: affineExpr(first), upper: affineExpr(end), body: withGuard(guards, loop.body) }
}

/** The one loop, and what stands before and behind it. */
function around(body: readonly LoopStmt[], rows: readonly Loop[]): Parts | undefined {
  const locals: ArrayDecl[] = []
  const bare = mapBody(body, (s) => {
    if (s.kind !== 'declare') return undefined
    locals.push(s.array)
    return []
  })
  const at = bare.findIndex(hasLoop),
    own = bare[at]
  if (own?.kind !== 'loop' || bare.slice(at + 1).some(hasLoop) || own.body.some(hasLoop)) return undefined
  if (
    own.step !== 1 ||
    own.bind.kind !== 'serial' ||
    readsArray(own.lower) ||
    readsArray(own.upper) ||
    isEndless(own) ||
    endOf(own)
  )
    return undefined
  const loop = overAll(own, rows)
  if (!loop) return undefined
  const names = new Set(locals.map((a) => a.name)),
    before = bare.slice(0, at)
  return someStmt(before, (s) => s.kind === 'store' && !names.has(s.array)) || names.size !== locals.length
    ? undefined
    : { loop: { ...loop, body: [] }, before, term: loop.body, after: bare.slice(at + 1), locals }
}

/** Elements of memory that the loop reduces into, with private scalars in their place. */
function withOwnSums(program: Program, rows: readonly Loop[], parts: Parts, taken: Set<string>): Parts | undefined {
  const names = new Set(parts.locals.map((a) => a.name)),
    rowNames = new Set(rows.map((l) => l.name))
  const made = new Map<string, { readonly scalar: ArrayDecl; readonly store: Store }>()
  let fits = true
  eachStmt(parts.term, (s) => {
    if (s.kind !== 'store' || names.has(s.array)) return
    const array = program.arrays.find((a) => a.name === s.array),
      key = s.index.map(exprKey).join()
    const own = [...made.values()].find((m) => m.store.array === s.array),
      fixed = s.index.every((e) => !readsArray(e) && !varsOutside(e, rowNames))
    if (
      !array ||
      !s.reduce ||
      !fixed ||
      registerType(array.type) !== array.type ||
      (own && own.store.reduce !== s.reduce)
    ) {
      fits = false
      return
    }
    if (!made.has(`${s.array} ${key}`))
      made.set(`${s.array} ${key}`, {
        scalar: {
          name: claimName(taken, `${s.array}_sum`),
          type: array.type,
          shape: [],
          role: 'temp',
          space: 'private',
        },
        store: s,
      })
  })
  if (!fits) return undefined
  if (made.size === 0) return parts
  const arrays = new Set([...made.values()].map((m) => m.store.array)),
    all = [...parts.before, ...parts.term, ...parts.after]
  if (
    readsIn(all).some((r) => arrays.has(r.array)) ||
    [...arrays].some((a) => !apart([...made.values()].filter((m) => m.store.array === a).map((m) => m.store)))
  )
    return undefined
  if (someStmt(parts.after, (s) => s.kind === 'store' && arrays.has(s.array))) return undefined
  const scalarOf = (s: Store): ArrayDecl | undefined => made.get(`${s.array} ${s.index.map(exprKey).join()}`)?.scalar
  const sums = [...made.values()].map(({ scalar, store: s }) => ({
    scalar,
    start: store(scalar, [], identityOf(s.reduce!, registerType(scalar.type))),
    end: { ...s, value: read(scalar, []) },
  })) // all reduce
  return {
    ...parts,
    locals: [...parts.locals, ...sums.map((s) => s.scalar)],
    before: [...parts.before, ...sums.map((s) => s.start)],
    after: [...sums.map((s) => s.end), ...parts.after],
    term: mapBody(parts.term, (s) => {
      const own = s.kind === 'store' && !names.has(s.array) ? scalarOf(s) : undefined
      return own && s.kind === 'store' ? [{ ...s, array: own.name, index: [] }] : undefined
    }),
  }
}

const varsOutside = (e: Expr, names: ReadonlySet<string>): boolean => {
  return someExpr(e, (x) => x.kind === 'var' && !names.has(x.name))
}

/** Whether stores of one array differ by constants, so that no two of a row meet. */
const apart = (stores: readonly Store[]): boolean =>
  stores.every((a, i) =>
    stores.slice(i + 1).every((b) =>
      a.index.some((e, d) => {
        const x = affineOf(e),
          y = affineOf(b.index[d]!),
          away = x && y && addScaled(x, y, -1)
        return away !== undefined && away.terms.size === 0 && away.constant !== 0
      }),
    ),
  )

/** What iterations of the loop share beside memory: sums, and whether there is more. */
function sharedByTerms(parts: Parts): { readonly sums: readonly Sum[]; readonly inOrder: boolean } {
  const stores = new Map<string, Store[]>(),
    first = firstUses(parts.term)
  eachStmt(parts.term, (s) => {
    if (s.kind === 'store') stores.set(s.array, [...(stores.get(s.array) ?? []), s])
  })
  const readAt = new Set(readsIn(parts.term).map((r) => r.array)),
    outside = usedOutside(parts)
  const sums: Sum[] = []
  let inOrder = false
  for (const scalar of parts.locals) {
    const own = stores.get(scalar.name)
    if (!own) continue
    const op = own[0]!.reduce // there is one
    if (op && own.every((s) => s.reduce === op) && !readAt.has(scalar.name) && outside.has(scalar.name))
      sums.push({ scalar, op })
    else if (outside.has(scalar.name) || first.get(scalar.name) === 'used') inOrder = true
  }
  return { sums, inOrder }
}

/** What statements around the loop use. */
function usedOutside({ before, after }: Parts): ReadonlySet<string> {
  const names = new Set(readsIn([...before, ...after]).map((r) => r.array))
  eachStmt(before, (s) => {
    if (s.kind === 'store') names.add(s.array)
  })
  return names
}

/** How each scalar is met first on every way through: set, or used (perhaps). */
function firstUses(
  body: readonly LoopStmt[],
  known = new Map<string, 'set' | 'used'>(),
): ReadonlyMap<string, 'set' | 'used'> {
  const use = (e: Expr): void =>
    eachExpr(e, (x) => {
      if (x.kind === 'read' && !known.has(x.array)) known.set(x.array, 'used')
    })
  for (const s of body) {
    ownExprs(s).forEach(use)
    if (s.kind === 'store' && !known.has(s.array)) known.set(s.array, s.reduce ? 'used' : 'set')
    if (s.kind !== 'if') continue
    const sides = [s.then, s.else].map((side) => firstUses(side, new Map(known)))
    const names = new Set(sides.flatMap((m) => [...m.keys()]))
    for (const n of names) if (!known.has(n) && sides.some((m) => m.get(n) === 'used')) known.set(n, 'used')
    for (const n of names) if (!known.has(n) && sides.every((m) => m.get(n) === 'set')) known.set(n, 'set')
  }
  return known
}

// ── what is loaded once ───────────────────────────────────────────────────────────────────────────────────────────

function loaded(program: Program, rows: readonly Loop[], parts: Parts, taken: Set<string>): Pairs | undefined {
  const names = new Set(parts.locals.map((a) => a.name)),
    loops = [...rows, parts.loop],
    certain = new Set(alwaysRead(parts.term).map(exprKey))
  const shared = new Map<string, Loaded>(),
    own = new Map<string, Loaded>()
  let mixed = false
  for (const from of readsIn(parts.term)) {
    if (names.has(from.array)) continue
    const byLoop = from.index.some((e) => uses(e, parts.loop.name)),
      byRow = from.index.some((e) => rows.some((l) => uses(e, l.name)))
    mixed ||= (byLoop && byRow) || from.index.some(readsArray)
    const array = program.arrays.find((a) => a.name === from.array),
      key = exprKey(from),
      into = byLoop ? shared : own
    const safe =
      array !== undefined &&
      registerType(array.type) === array.type &&
      (isInside(array, from.index, loops, signedSizeNames(program)) || (byLoop && certain.has(key)))
    if (safe && !into.has(key))
      into.set(key, {
        scalar: {
          name: claimName(taken, `${from.array}_${byLoop ? 'of' : 'own'}`),
          type: array.type,
          shape: [],
          role: 'temp',
          space: 'private',
        },
        from,
      })
  }
  const { sums, inOrder } = sharedByTerms(parts),
    later = new Set<string>()
  eachStmt(parts.after, (s) => {
    if (s.kind === 'store') later.add(s.array)
  })
  if (readsIn(parts.term).some((r) => later.has(r.array) && !shared.has(exprKey(r)) && !own.has(exprKey(r))))
    return undefined // rows that there are not would read it where it may be
  if (mixed || shared.size === 0 || sums.length + Number(inOrder) === 0) return undefined
  const held = new Map([...shared, ...own])
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const l = x.kind === 'read' ? held.get(exprKey(x)) : undefined
      return l && read(l.scalar, [])
    })
  const locals = [...parts.locals],
    fresh: Fresh = (type) => {
      const made: ArrayDecl = { name: claimName(taken, 'term'), type, shape: [], role: 'temp', space: 'private' }
      locals.push(made)
      return made
    }
  const early = ahead(
    parts.term.map((s) => mapStmtExprs(s, f)),
    usedOutside(parts),
    fresh,
  )
  const fixed = new Set([...held.values()].map((l) => l.scalar.name)),
    stored = storesOf(early)
  for (const a of locals)
    if (
      (stored.get(a.name) ?? 0) === 0 ||
      (stored.get(a.name) === 1 && !sums.some((s) => s.scalar.name === a.name) && !(inOrder && names.has(a.name)))
    )
      fixed.add(a.name)
  return {
    rows,
    loop: parts.loop,
    before: parts.before,
    term: sharedTerms(early, isFloatTerm(fixed), fresh),
    after: parts.after,
    shared: [...shared.values()],
    own: [...own.values()],
    sums,
    inOrder,
    locals,
  }
}

function storesOf(body: readonly LoopStmt[]): ReadonlyMap<string, number> {
  const count = new Map<string, number>()
  eachStmt(body, (s) => {
    if (s.kind === 'store') count.set(s.array, (count.get(s.array) ?? 0) + (s.reduce ? 2 : 1))
  })
  return count
}

/** Reads that every iteration does. */
const alwaysRead = (body: readonly LoopStmt[]): readonly Read[] =>
  body.flatMap((s) => (s.kind === 'store' || s.kind === 'if' ? unconditionalReads(s) : []))

/** Whether an element is there wherever the loops go. */
const isInside = (
  array: ArrayDecl,
  index: readonly Expr[],
  loops: readonly Loop[],
  signed: ReadonlySet<string>,
): boolean =>
  index.every((e, d) => {
    const at = affineOf(e),
      extent = affineOf(array.shape[d]!)
    const sure = (f: Affine): boolean => holds(f, [], loops, signed)
    return (
      at !== undefined &&
      extent !== undefined &&
      sure(at) &&
      sure(addScaled(addScaled(extent, affineConstant(-1), 1), at, -1))
    )
  })

type Fresh = (type: ArrayDecl['type']) => ArrayDecl

/**
 * Conditions on the loops alone are asked last, where what stands under them only computes: nearly all iterations do
 * it.
 */
function ahead(term: readonly LoopStmt[], outside: ReadonlySet<string>, fresh: Fresh): readonly LoopStmt[] {
  const stored = storesOf(term),
    usesIn = (body: readonly LoopStmt[], name: string): number => readsIn(body).filter((r) => r.array === name).length
  const block = (body: readonly LoopStmt[]): readonly LoopStmt[] =>
    body.flatMap((given): readonly LoopStmt[] => {
      const s =
        given.kind === 'if' && given.then.length === 0
          ? { ...given, condition: negated(given.condition), then: given.else, else: [] }
          : given
      if (s.kind !== 'if' || s.else.length > 0 || readsArray(s.condition)) return [s]
      const front: LoopStmt[] = [],
        rest: LoopStmt[] = []
      for (const x of block(s.then)) {
        const changed = storesOf(rest),
          free = x.kind === 'store' && isArithmetic(x.value, changed)
        const within =
          x.kind === 'store' &&
          !x.reduce &&
          stored.get(x.array) === 1 &&
          !outside.has(x.array) &&
          usesIn([s], x.array) === usesIn(term, x.array)
        if (free && within) front.push(x)
        else rest.push(free && x.reduce ? { ...x, value: inFront(x.value, front, fresh) } : x)
      }
      return [...front, ...(rest.length > 0 ? [when(s.condition, rest)] : [])]
    })
  return block(term)
}

/** Floats from scalars that nothing in `changed` is, without a division of integers. */
function isArithmetic(e: Expr, changed: ReadonlyMap<string, number>): boolean {
  let plain = isFloat(e.type as ArrayDecl['type'])
  eachExpr(e, (x) => {
    if (
      x.kind === 'read'
        ? x.index.length > 0 || changed.has(x.array)
        : x.kind === 'op' && (x.op === 'div' || x.op === 'rem') && !isFloat(x.type as ArrayDecl['type'])
    )
      plain = false
  })
  return plain
}

/** `value` with its factors, or all of it, set in front. */
function inFront(value: Expr, front: LoopStmt[], fresh: Fresh): Expr {
  const held = (e: Expr): Expr => {
    if (e.kind !== 'op' && e.kind !== 'choose') return e
    const local = fresh(e.type as ArrayDecl['type']) // of floats
    front.push(store(local, [], e))
    return read(local, [])
  }
  return value.kind === 'op' && value.op === 'mul' ? { ...value, args: value.args.map(held) } : held(value)
}
