// In: the statements of a program. Out: the same, sums over rectangles from the corner (integral images, s[i][j] = v +
// s[i−1][j] + s[i][j−1] − s[i−1][j−1]) as sums along rows and then down columns, and rows that are added to the row
// before as rows of their own and an addition. The one idea: in d[i][j] = s[i][j] − s[i−1][j] only one loop is left
// that needs its last element. Sums are computed in another order, as other scans are. What is written in another way
// stays as it is.
import {
  isZero,
  add,
  addScaled,
  affineConstant,
  affineName,
  affineOf,
  choose,
  coefficient,
  isFloat,
  literal,
  loop as loopOf,
  loopVar,
  op,
  read,
  registerType,
  sameAffine,
  store,
  sub,
  zeroOf,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type OpName,
  type Program,
  type Store,
  conjunction,
  conjuncts,
  freshName,
  mapBody,
  perfectNest,
  substitute,
  uses,
  pass,
  loopIR,
  someExpr,
} from '../../ir/index.ts'
import { holds, inequalityOf, signedSizeNames } from '../../analysis/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 2
//     size m = 8 min 2
//     array v: f32[n, m] in global
//     array s: f32[n, m] inout global
//     for i in 1 .. n {
//       for j in 1 .. m {
//         s[i, j] = v[i, j] + s[i - 1, j] + s[i, j - 1] - s[i - 1, j - 1]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 2
//     size m = 8 min 2
//     array v: f32[n, m] in global
//     array s: f32[n, m] inout global
//     for i in 1 .. n {
//       declare s_row: f32[] temp private
//       s_row = 1 < m ? s[i, 0] - s[i - 1, 0] : 0.0f
//       for j in 1 .. m {
//         s_row += v[i, j]
//         s[i, j] = s_row
//       }
//     }
//     for i in 1 .. n {
//       for j in 1 .. m {
//         s[i, j] += s[i - 1, j]
//       }
//     }
//   }
export const summedArea = pass({
  name: 'summed-area-table',
  summary: 'sums over rectangles from the corner are sums along rows and then down columns',
  of: loopIR,
  run: prefixSums,
})

/** `program` with such statements in two; the same object where there are none. */
export function prefixSums(program: Program): Program {
  const arrays = new Map(program.arrays.map((a) => [a.name, a])),
    signed = signedSizeNames(program)
  const body = program.body.flatMap((s) =>
    s.kind === 'loop' ? (rectangle(program, arrays, s, signed) ?? [addedRows(arrays, s, signed)]) : [s],
  )
  return body.length === program.body.length && body.every((s, i) => s === program.body[i])
    ? program
    : { ...program, body }
}

/** A summand: `sign` × `value` where all of `guards` hold, else nothing. */
interface Term {
  readonly sign: 1 | -1
  readonly guards: readonly Expr[]
  readonly value: Expr
}

type Known = ReadonlyMap<string, readonly Term[]>

/** The summands of `e`, locals replaced by theirs. */
function termsOf(e: Expr, known: Known): readonly Term[] {
  if (e.kind === 'read' && e.index.length === 0 && known.has(e.array)) return known.get(e.array)!
  if (e.kind === 'op' && e.op === 'add') return e.args.flatMap((x) => termsOf(x, known))
  if (e.kind === 'op' && e.op === 'sub') return [...termsOf(e.args[0]!, known), ...negative(termsOf(e.args[1]!, known))]
  if (e.kind === 'op' && e.op === 'neg') return negative(termsOf(e.args[0]!, known))
  const parts =
    e.kind === 'choose'
      ? ([e.condition, e.then, e.else] as const)
      : e.kind === 'op' && e.op === 'select'
        ? ([e.args[0]!, e.args[1]!, e.args[2]!] as const)
        : undefined
  if (!parts) return [{ sign: 1, guards: [], value: e }]
  const [condition, then, otherwise] = parts
  const guards = isZero(otherwise) ? conjuncts(condition) : isZero(then) ? opposite(condition) : undefined
  return guards
    ? guarded(termsOf(isZero(otherwise) ? then : otherwise, known), guards)
    : [{ sign: 1, guards: [], value: e }]
}

const negative = (terms: readonly Term[]): readonly Term[] => terms.map((t) => ({ ...t, sign: t.sign === 1 ? -1 : 1 }))
const guarded = (terms: readonly Term[], guards: readonly Expr[]): readonly Term[] =>
  terms.map((t) => ({ ...t, guards: [...guards, ...t.guards] }))

const turned: Partial<Record<OpName, OpName>> = { lt: 'ge', le: 'gt', gt: 'le', ge: 'lt' }

/**
 * What holds where `condition` does not, as conditions that all hold; undefined where that is more than comparisons.
 */
function opposite(condition: Expr): readonly Expr[] | undefined {
  if (condition.kind === 'choose' && condition.then.kind === 'const' && condition.then.value)
    return both(opposite(condition.condition), opposite(condition.else))
  if (condition.kind !== 'op') return undefined
  if (condition.op === 'lor') return both(opposite(condition.args[0]!), opposite(condition.args[1]!))
  const other = turned[condition.op]
  return other && condition.args[0]!.type === 'i32' ? [op(other, condition.args)] : undefined
}

const both = (a: readonly Expr[] | undefined, b: readonly Expr[] | undefined): readonly Expr[] | undefined =>
  a && b && [...a, ...b]

const sumOf = (terms: readonly Term[], type: Expr['type']): Expr =>
  terms.reduce<Expr | undefined>((sum, t) => {
    const guard = conjunction(t.guards),
      value = guard ? choose(guard, t.value, zeroOf(t.value.type)) : t.value
    return sum ? op(t.sign === 1 ? 'add' : 'sub', [sum, value]) : t.sign === 1 ? value : op('neg', [value])
  }, undefined) ?? zeroOf(type)

/** The one store of `body` with its summands, where all before it are locals that are sums. */
function summed(
  body: readonly LoopStmt[],
): { readonly store: Store; readonly terms: readonly Term[]; readonly locals: Known } | undefined {
  const known = new Map<string, readonly Term[]>(),
    own = new Set<string>()
  for (const [n, s] of body.entries()) {
    if (s.kind === 'declare' && s.array.shape.length === 0) {
      own.add(s.array.name)
      continue
    }
    const [only, more] = s.kind === 'if' && s.else.length === 0 ? s.then : [s]
    if (only?.kind !== 'store' || more || (only.reduce !== null && only.reduce !== 'add')) return undefined
    const terms = termsOf(only.value, known),
      guards = s.kind === 'if' ? conjuncts(s.condition) : []
    if (!own.has(only.array))
      return n === body.length - 1 && s.kind === 'store'
        ? {
            store: only,
            terms: only.reduce
              ? [
                  ...terms,
                  {
                    sign: 1,
                    guards: [],
                    value: { kind: 'read', type: only.value.type, array: only.array, index: only.index },
                  },
                ]
              : terms,
            locals: known,
          }
        : undefined
    const before = known.get(only.array)
    if (only.reduce ? !before : guards.length > 0) return undefined
    known.set(only.array, only.reduce ? [...before!, ...guarded(terms, guards)] : terms)
  }
  return undefined
}

// ── sums over rectangles ──────────────────────────────────────────────────────────────────────────────────────────

const isSum = (a: ArrayDecl): boolean =>
  registerType(a.type) === a.type &&
  (isFloat(a.type) || a.type === 'i32' || a.type === 'u32' || a.type === 'i64' || a.type === 'u64')

/** The index of `s` with `loops` at their value before. */
function earlier(index: readonly Expr[], loops: readonly Loop[]): readonly (Affine | undefined)[] {
  const by = new Map(loops.map((l) => [l.name, sub(loopVar(l.name), { kind: 'const', type: 'i32', value: 1 })]))
  return index.map((e) => affineOf(substitute(e, by)))
}

const isAt = (e: Expr, array: string, index: readonly (Affine | undefined)[]): boolean =>
  e.kind === 'read' &&
  e.array === array &&
  e.index.every((x, d) => {
    const a = affineOf(x),
      b = index[d]
    return !!a && !!b && sameAffine(a, b)
  })

/**
 * The loops of `over` that `guards` say to be past their first value, where they say no more than that and the loops
 * do; undefined: they do.
 */
function pastFirst(
  guards: readonly Expr[],
  over: readonly Loop[],
  signed: ReadonlySet<string>,
): readonly Loop[] | undefined {
  const past: Loop[] = []
  for (const g of guards) {
    const f = inequalityOf(g)
    if (!f) return undefined
    const own = over.find((l) => {
      const first = affineOf(l.lower)
      return first && sameAffine(f, addScaled(addScaled(affineName(l.name), first, -1), affineConstant(-1), 1))
    })
    if (own) past.push(own)
    else if (!holds(f, [], over, signed)) return undefined
  }
  return over.filter((l) => past.includes(l))
}

/** `for i: for j: s[i][j] = v + s[i−1][j] + s[i][j−1] − s[i−1][j−1]` as rows and columns. */
function rectangle(
  program: Program,
  arrays: ReadonlyMap<string, ArrayDecl>,
  outer: Loop,
  signed: ReadonlySet<string>,
): readonly LoopStmt[] | undefined {
  const { loops, body } = perfectNest(outer),
    found = summed(body),
    array = found && arrays.get(found.store.array)
  const [i, j] = loops.slice(-2)
  if (!found || !array || !i || !j || !isSum(array) || loops.some((l) => l.step !== 1 || !affineOf(l.lower)))
    return undefined
  const { index } = found.store,
    own = (t: Term): boolean => t.value.kind === 'read' && t.value.array === array.name
  const inIndex = (l: Loop): boolean => index.filter((e) => uses(e, l.name)).length === 1
  if (
    !loops.every(inIndex) ||
    uses(j.lower, i.name) ||
    uses(j.upper, i.name) ||
    !index.some((e) => {
      const a = affineOf(e)
      return a && Math.abs(coefficient(a, j.name)) === 1
    })
  )
    return undefined
  const named = [[i], [j], [i, j]].map((ls) => found.terms.filter((t) => isAt(t.value, array.name, earlier(index, ls))))
  const [up, left, corner] = named.map((ts) => (ts.length === 1 ? ts[0] : undefined))
  const rest = found.terms.filter((t) => t !== up && t !== left && t !== corner)
  if (!up || !left || !corner || up.sign < 0 || left.sign < 0 || corner.sign > 0) return undefined
  const [upPast, leftPast, cornerPast] = [up, left, corner].map((t) => pastFirst(t.guards, [i, j], signed))
  if (
    !upPast ||
    !leftPast ||
    !cornerPast ||
    upPast.includes(j) ||
    leftPast.includes(i) ||
    cornerPast.length !== upPast.length + leftPast.length
  )
    return undefined
  if (
    rest.some((t) =>
      own(t)
        ? t.guards.length > 0 || !isAt(t.value, array.name, index.map(affineOf))
        : reads([t.value, ...t.guards], array.name) || reads([t.value, ...t.guards], ...found.locals.keys()),
    )
  )
    return undefined
  return apart(program, array, {
    loops,
    i,
    j,
    index,
    value: sumOf(rest, array.type as Expr['type']),
    firstRow: upPast.length > 0,
    firstColumn: leftPast.length > 0,
  })
}

const reads = (es: readonly Expr[], ...names: readonly string[]): boolean =>
  es.some((e) => someExpr(e, (x) => x.kind === 'read' && names.includes(x.array)))

interface Rectangle {
  readonly loops: readonly Loop[]
  readonly i: Loop
  readonly j: Loop
  readonly index: readonly Expr[]
  readonly value: Expr
  /** No row, or no column, stands before the first. */
  readonly firstRow: boolean
  readonly firstColumn: boolean
}

function apart(program: Program, array: ArrayDecl, r: Rectangle): readonly LoopStmt[] {
  const around = r.loops.slice(0, -2),
    one: Expr = { kind: 'const', type: 'i32', value: 1 }
  const run: ArrayDecl = {
    name: freshName(program, `${array.name}_row`),
    type: array.type,
    shape: [],
    role: 'temp',
    space: 'private',
  }
  const at = (by: ReadonlyMap<string, Expr>): Expr =>
    read(
      array,
      r.index.map((e) => substitute(e, by)),
    )
  const column = sub(r.j.lower, one),
    row = sub(loopVar(r.i.name), one)
  const first = at(new Map([[r.j.name, column]])),
    above = at(
      new Map([
        [r.j.name, column],
        [r.i.name, row],
      ]),
    ),
    zero = zeroOf(first.type)
  const start = r.firstColumn
    ? zero
    : op('sub', [first, r.firstRow ? choose(op('gt', [loopVar(r.i.name), r.i.lower]), above, zero) : above])
  const nonempty = op('lt', [r.j.lower, r.j.upper])
  const rows = loopOf(
    r.i.name,
    r.i.upper,
    [
      { kind: 'declare', array: run },
      store(run, [], r.firstColumn ? start : choose(nonempty, start, zero)),
      { ...r.j, body: [store(run, [], r.value, 'add'), store(array, r.index, read(run, []))] },
    ],
    { lower: r.i.lower },
  )
  const down = store(array, r.index, at(new Map([[r.i.name, row]])), 'add')
  const columns: Loop = {
    ...r.i,
    lower: r.firstRow ? add(r.i.lower, one) : r.i.lower,
    body: [{ ...r.j, body: [down] }],
  }
  const all = (l: LoopStmt): LoopStmt => around.reduceRight<LoopStmt>((b, o) => ({ ...o, body: [b] }), l)
  return [all(rows), all(columns)]
}

// ── rows that are added to the row before ─────────────────────────────────────────────────────────────────────────

/**
 * `s[i][j] = e + s[i−1][j]` with a running value in `e`, as `s[i][j] = e` and `s[i][j] += s[i−1][j]`, in place; the
 * same object where there is none.
 */
function addedRows(arrays: ReadonlyMap<string, ArrayDecl>, outer: Loop, signed: ReadonlySet<string>): LoopStmt {
  const walk = (l: Loop, around: readonly Loop[]): Loop => {
    const inside = [...around, l]
    const body = mapBody(l.body, (s) => (s.kind === 'store' ? inTwo(arrays, s, inside, signed) : undefined))
    return body === l.body ? l : { ...l, body }
  }
  const go = (l: Loop, around: readonly Loop[]): Loop => {
    if (!l.body.some((s) => s.kind === 'loop')) return around.length > 0 ? walk(l, around) : l
    const body = l.body.map((s) => (s.kind === 'loop' ? go(s, [...around, l]) : s))
    return body.every((s, n) => s === l.body[n]) ? l : { ...l, body }
  }
  return go(outer, [])
}

function inTwo(
  arrays: ReadonlyMap<string, ArrayDecl>,
  s: Store,
  loops: readonly Loop[],
  signed: ReadonlySet<string>,
): readonly LoopStmt[] | undefined {
  const array = arrays.get(s.array),
    inner = loops[loops.length - 1]!
  if (
    !array ||
    s.reduce ||
    !isSum(array) ||
    array.space !== 'global' ||
    s.index.length === 0 ||
    !uses(s.index[s.index.length - 1]!, inner.name)
  )
    return undefined
  const terms = termsOf(s.value, new Map())
  const last = loops
    .slice(0, -1)
    .flatMap((l) =>
      terms.flatMap((t) =>
        l.step === 1 && t.sign > 0 && isAt(t.value, s.array, earlier(s.index, [l])) ? [{ l, t }] : [],
      ),
    )
  const [found, more] = last
  if (!found || more) return undefined
  const rest = terms.filter((t) => t !== found.t),
    values = rest.flatMap((t) => [t.value, ...t.guards])
  const past = pastFirst(found.t.guards, [found.l], signed)
  if (!past || reads(values, s.array) || !runs(arrays, values, inner)) return undefined
  const down: Store = { ...s, value: found.t.value, reduce: 'add' },
    guard = past.length > 0 ? conjunction([op('gt', [loopVar(found.l.name), found.l.lower])]) : undefined
  return [
    { ...s, value: sumOf(rest, s.value.type) },
    guard ? { kind: 'if', condition: guard, then: [down], else: [] } : down,
  ]
}

/** Whether a running value of `l` is in it: a local that `l` adds to. */
function runs(arrays: ReadonlyMap<string, ArrayDecl>, es: readonly Expr[], l: Loop): boolean {
  return l.body.some(
    (s) =>
      s.kind === 'store' &&
      s.reduce !== null &&
      s.index.length === 0 &&
      literal(s.value) !== 0 &&
      arrays.get(s.array)?.space !== 'global' &&
      reads(es, s.array),
  )
}
