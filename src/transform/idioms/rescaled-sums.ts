// In: a loop that keeps the greatest value so far and a sum of exponentials around it, which it moves whenever that
// changes: `n = max(m, v); s = s * exp(m - n) + exp(v - n); m = n`. Out: the greatest of all first, then the sums
// around it, which are reductions. The one idea: the online softmax (Milakov and Gimelshein, 2018; of rows Rabe and
// Staats, 2021) the other way round. The factors telescope, so that the sum is Σ exp(v − m) for the last m, and whether
// it is made in one pass is the schedule's choice. Shown by cases: v is greater than m, or it is not.
import { planned } from '../../analysis/index.ts'
import {
  affineOf,
  childrenOf,
  choose,
  claimName,
  coefficient,
  constant,
  eachStmt,
  exprKey,
  isOne,
  isZero,
  literal,
  loopIR,
  loopVar,
  mul,
  namesOf,
  op,
  ownExprs,
  pass,
  read,
  readsArray,
  readsIn,
  reduced,
  rewriteExpr,
  sameExpr,
  someExpr,
  someStmt,
  store,
  storedIn,
  sub,
  substitute,
  uses,
  varsOf,
  type ArrayDecl,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n] in global
//     array y: f32[] out global
//     declare m: f32[] temp private
//     m = -f32.inf
//     declare s: f32[] temp private
//     s = 0.0f
//     for i in 0 .. n {
//       if x[i] > m {
//         s *= exp(m - x[i])
//         m = x[i]
//       }
//       s += exp(x[i] - m)
//     }
//     y = m + log(s)
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n] in global
//     array y: f32[] out global
//     declare m: f32[] temp private
//     m = -f32.inf
//     declare s: f32[] temp private
//     s = 0.0f
//     for i in 0 .. n {
//       m max= x[i]
//     }
//     for i in 0 .. n {
//       s += exp(x[i] - m)
//     }
//     y = m + log(s)
//   }
export const rescaledSums = pass<Program>({
  name: 'rescaled-sums',
  summary: 'sums of exponentials that move with the greatest so far are sums around the greatest of all',
  of: loopIR,
  run: (program) => {
    const rescaling = new Rescaling(program),
      body = rescaling.block(program.body, [])
    return body === program.body ? program : { ...program, arrays: [...program.arrays, ...rescaling.rows], body }
  },
})

/** What scalars are at some place of an iteration, by name. */
type Values = Map<string, Expr>

/** One of two cases: the value is greater than the greatest so far, or it is not. */
interface Case {
  readonly greatest: ArrayDecl
  readonly value: Expr
  readonly isGreater: boolean
}

/** A sum of `factor` · exp(value − greatest), in a local or in elements that a loop `over` chooses. */
interface Sum {
  readonly target: Store
  readonly over: Loop | undefined
  readonly factor: Expr
}

interface Online {
  readonly greatest: ArrayDecl
  readonly value: Expr
  /** What the value is made by. */
  readonly before: readonly LoopStmt[]
  readonly sums: readonly Sum[]
}

class Rescaling {
  /** What is made of rows, in memory: an element for each iteration of all loops around. */
  readonly rows: ArrayDecl[] = []
  private readonly taken: Set<string>
  private readonly arrays: ReadonlyMap<string, ArrayDecl>

  constructor(private readonly program: Program) {
    this.taken = namesOf(program)
    this.arrays = new Map(program.arrays.map((a) => [a.name, a]))
  }

  block(body: readonly LoopStmt[], outer: readonly Loop[], locals = this.arrays): readonly LoopStmt[] {
    const known = new Map(locals)
    for (const s of body) if (s.kind === 'declare') known.set(s.array.name, s.array)
    const out = body.flatMap((s, at): readonly LoopStmt[] => {
      if (s.kind === 'if') {
        const [then, otherwise] = [this.block(s.then, outer, known), this.block(s.else, outer, known)]
        return then === s.then && otherwise === s.else ? [s] : [{ ...s, then, else: otherwise }]
      }
      if (s.kind !== 'loop') return [s]
      const online = onlineIn(s, known),
        made = online && this.apart(s, online, outer, body.slice(0, at))
      if (made) return made
      const inner = this.block(s.body, [...outer, s], known)
      return [inner === s.body ? s : { ...s, body: inner }]
    })
    return out.every((s, i) => s === body[i]) ? body : out
  }

  private elementsOf(loops: readonly Loop[]): number {
    return loops.reduce((n, l) => n * planned(this.program, l.lower, l.upper, l.step), 1)
  }

  /** The loop as one for the greatest and one for each sum. */
  private apart(
    l: Loop,
    { greatest, value, before, sums }: Online,
    outer: readonly Loop[],
    earlier: readonly LoopStmt[],
  ): readonly LoopStmt[] | undefined {
    const all = [...outer, l],
      isKept = sums.some((s) => s.over) || before.some((s) => s.kind === 'loop')
    if (isKept && (!all.every(isOverSizes) || this.elementsOf(all) > mostElements)) return undefined
    const now = read(greatest, []),
      most: LoopStmt = store(greatest, [], value, 'max')
    const first: ArrayDecl = { ...greatest, name: claimName(this.taken, `${greatest.name}_first`) },
      moved = (s: Sum): readonly LoopStmt[] => {
        if (isFromZero(s, earlier)) return []
        // where nothing is greater it stays as it is, whatever it is
        const old = read(first, []),
          factor = choose(op('eq', [old, now]), constant(old.type, 1), op('exp', [sub(old, now)]))
        return around(s, { ...s.target, reduce: 'mul', value: factor })
      }
    const starts = sums.flatMap(moved),
      start: readonly LoopStmt[] = starts.length > 0 ? [{ kind: 'declare', array: first }, store(first, [], now)] : []
    if (!isKept) {
      const term = op('exp', [op('sub', [value, now])]),
        own = sums.map((s): LoopStmt => ({ ...s.target, reduce: 'add', value: times(s.factor, term) }))
      return [...start, { ...l, body: [...before, most] }, ...starts, { ...l, body: [...before, ...own] }]
    }
    // what a value takes to be made is done once
    const row: ArrayDecl = {
        ...greatest,
        name: claimName(this.taken, `${greatest.name}_row`),
        shape: all.map((x) => x.upper),
        space: 'global',
      },
      at = all.map((x) => loopVar(x.name)),
      element = read(row, at),
      inRow = (e: Expr): Expr => rewriteExpr(e, (x) => (sameExpr(x, value) ? element : undefined))
    const factors = sums.map((s) => inRow(s.factor)),
      own = new Set(storedIn(before))
    if (factors.some((f) => someExpr(f, (e) => e.kind === 'read' && own.has(e.array)))) return undefined
    const powers = store(row, at, op('exp', [sub(element, now)]))
    this.rows.push(row)
    return [
      ...start,
      { ...l, body: [...before, store(row, at, value), { ...most, value: element } as Store] },
      ...starts,
      { ...l, body: [powers] },
      ...sums.map(
        (s, i): LoopStmt => ({
          ...l,
          body: around(s, { ...s.target, reduce: 'add', value: times(factors[i]!, element) }),
        }),
      ),
    ]
  }
}

/** Of an array that kernels count through. */
const mostElements = 2 ** 31 - 1

const isOverSizes = (l: Loop): boolean =>
  literal(l.lower) === 0 && l.step === 1 && varsOf(l.upper).size === 0 && !readsArray(l.upper)

const times = (factor: Expr, term: Expr): Expr => (isOne(factor) ? term : op('mul', [factor, term]))

const around = ({ over }: Sum, s: Store): readonly LoopStmt[] => (over ? [{ ...over, body: [s] }] : [s])

/** Whether what the sum starts from is 0, so that it need not be moved. */
function isFromZero({ target, over }: Sum, earlier: readonly LoopStmt[]): boolean {
  const last = [...earlier].reverse().find((s) => someStmt([s], (x) => x.kind === 'store' && x.array === target.array))
  if (!over) return last?.kind === 'store' && !last.reduce && isZero(last.value)
  const [only, more] = last?.kind === 'loop' ? last.body : []
  if (last?.kind !== 'loop' || only?.kind !== 'store' || more || only.reduce || !isZero(only.value)) return false
  const by = new Map([[last.name, loopVar(over.name)]])
  return (
    sameExpr(last.lower, over.lower) &&
    sameExpr(last.upper, over.upper) &&
    last.step === over.step &&
    only.index.every((e, d) => sameExpr(substitute(e, by), target.index[d]!)) // of one array
  )
}

const isScalar = (a: ArrayDecl | undefined): a is ArrayDecl =>
  a?.space === 'private' && a.shape.length === 0 && (a.type === 'f32' || a.type === 'f64')

/** The loop as the greatest of its values and sums around it. */
function onlineIn(l: Loop, known: ReadonlyMap<string, ArrayDecl>): Online | undefined {
  if (!someExprOf(l.body, (e) => e.kind === 'op' && e.op === 'exp')) return undefined
  const stored = storedIn(l.body)
  for (const name of stored) {
    const greatest = known.get(name)
    if (!isScalar(greatest)) continue
    const isMentioned = (s: LoopStmt): boolean =>
      someStmt([s], (x) => x.kind === 'store' && x.array === name) || readsIn([s]).some((r) => r.array === name)
    const from = l.body.findIndex(isMentioned),
      before = l.body.slice(0, from),
      rest = l.body.slice(from),
      value = valueIn(rest, name)
    if (!value || !isOwn(before, known) || readsAny([...ownExprsOf(before), l.lower, l.upper, value], storedIn(rest)))
      continue
    const sums = sumsOf(rest, { greatest, value }, known)
    if (sums?.every((s) => isPerElement(s, l, stored))) return { greatest, value, before, sums }
  }
  return undefined
}

/** Statements that store to locals alone which they declare, and which nothing around has the names of. */
function isOwn(body: readonly LoopStmt[], known: ReadonlyMap<string, ArrayDecl>): boolean {
  const declared = new Set(body.flatMap((s) => (s.kind === 'declare' ? [s.array.name] : [])))
  return storedIn(body).every((name) => declared.has(name)) && ![...declared].some((name) => known.has(name))
}

/** Whether each iteration of `l` moves the same elements, each of them once. */
function isPerElement({ target, over }: Sum, l: Loop, stored: readonly string[]): boolean {
  if (!over) return true
  const by = target.index.filter((e) => uses(e, over.name)),
    form = by[0] && affineOf(by[0])
  if (by.length !== 1 || !form || coefficient(form, over.name) === 0) return false
  const all = [...target.index, over.lower, over.upper]
  return !all.some((e) => uses(e, l.name)) && !readsAny(all, stored)
}

const ownExprsOf = (body: readonly LoopStmt[]): readonly Expr[] => {
  const all: Expr[] = []
  eachStmt(body, (s) => all.push(...ownExprs(s)))
  return all
}

const readsAny = (all: readonly Expr[], names: readonly string[]): boolean =>
  all.some((e) => someExpr(e, (x) => x.kind === 'read' && names.includes(x.array)))

/** What the greatest is compared with. */
function valueIn(body: readonly LoopStmt[], greatest: string): Expr | undefined {
  const isIt = (e: Expr | undefined): boolean => e?.kind === 'read' && e.array === greatest
  let found: Expr | undefined
  const look = (e: Expr): void => {
    if (found) return
    const [a, b] = e.kind === 'op' && ['lt', 'gt', 'le', 'ge', 'max'].includes(e.op) ? e.args : []
    const other = isIt(a) ? b : isIt(b) ? a : undefined
    if (other && !someExpr(other, (x) => isIt(x))) found = other
    else childrenOf(e).forEach(look)
  }
  eachStmt(body, (s) => {
    if (s.kind === 'if') look(s.condition)
    if (s.kind !== 'store') return
    if (s.array === greatest && s.reduce === 'max') found ??= s.value
    look(s.value)
  })
  return found
}

const someExprOf = (body: readonly LoopStmt[], f: (e: Expr) => boolean): boolean =>
  someStmt(body, (s) => (s.kind === 'store' ? someExpr(s.value, f) : s.kind === 'if' && someExpr(s.condition, f)))

/** The sums of an iteration, where both cases leave such and the greater of the two; undefined where they do not. */
function sumsOf(
  body: readonly LoopStmt[],
  { greatest, value }: Omit<Case, 'isGreater'>,
  known: ReadonlyMap<string, ArrayDecl>,
): readonly Sum[] | undefined {
  const cases = [true, false].map((isGreater) => new Iteration({ greatest, value, isGreater }, known).run(body)),
    [more, less] = cases
  if (!more || !less || more.elements.length !== less.elements.length) return undefined
  const now = read(greatest, [])
  if (!sameExpr(more.values.get(greatest.name) ?? now, value)) return undefined
  if (!sameExpr(less.values.get(greatest.name) ?? now, now)) return undefined
  const changed = new Set([greatest.name, ...more.values.keys(), ...more.elements.map((e) => e.target.array)])
  const sums: Sum[] = []
  for (const name of new Set([...more.values.keys(), ...less.values.keys()])) {
    const array = known.get(name)
    if (!array || name === greatest.name) continue // a local of the iteration
    const old = read(array, []),
      factor = factorOf(more.values.get(name) ?? old, less.values.get(name) ?? old, old, now, value, changed)
    if (!factor || !isScalar(array)) return undefined
    sums.push({ target: store(array, [], old), over: undefined, factor })
  }
  for (const [i, { target, over }] of more.elements.entries()) {
    const other = less.elements[i]!, // as many
      array = known.get(target.array)
    if (!array || other.over !== over) return undefined
    const old = read(array, target.index),
      factor = factorOf(target.value, other.target.value, old, now, value, changed)
    if (!factor) return undefined
    sums.push({ target, over, factor })
  }
  return sums.length > 0 && new Set(sums.map((s) => s.target.array)).size === sums.length ? sums : undefined
}

/** What exp(value − greatest) is multiplied by in the term of a sum; undefined where it is no such sum. */
function factorOf(
  more: Expr,
  less: Expr,
  old: Expr,
  greatest: Expr,
  value: Expr,
  changed: ReadonlySet<string>,
): Expr | undefined {
  const rescaled = splitSum(more, (e) => {
      const factors = factorsOf(e)
      return factors.length === 2 && hasBoth(factors, old, expOf(greatest, value))
    }),
    added = splitSum(less, (e) => sameExpr(e, old))
  if (!rescaled || !added) return undefined
  const factors = [...factorsOf(added)],
    at = factors.findIndex((e) => sameExpr(e, expOf(value, greatest)))
  if (at < 0) return undefined
  factors.splice(at, 1)
  const isSame = keysOf(factors) === keysOf(factorsOf(rescaled)),
    isFree = !factors.some((f) => someExpr(f, (e) => e.kind === 'read' && changed.has(e.array)))
  return isSame && isFree ? (factors.length > 0 ? factors.reduce(mul) : constant(value.type, 1)) : undefined
}

const keysOf = (factors: readonly Expr[]): string => factors.map(exprKey).sort().join(' * ')

const hasBoth = ([a, b]: readonly Expr[], x: Expr, y: Expr): boolean =>
  (sameExpr(a!, x) && sameExpr(b!, y)) || (sameExpr(a!, y) && sameExpr(b!, x)) // there are two

const expOf = (a: Expr, b: Expr): Expr => op('exp', [op('sub', [a, b])])

/** The other operand of a sum of two of which `isIt` holds for one. */
function splitSum(e: Expr, isIt: (e: Expr) => boolean): Expr | undefined {
  const [a, b] = e.kind === 'op' && e.op === 'add' ? e.args : []
  return a && b ? (isIt(a) ? b : isIt(b) ? a : undefined) : undefined
}

/** Factors of a product that are not 1. */
const factorsOf = (e: Expr): readonly Expr[] =>
  e.kind === 'op' && e.op === 'mul' ? e.args.flatMap(factorsOf) : isOne(e) ? [] : [e]

/** What an iteration leaves: scalars, and elements that loops in it choose. */
interface Left {
  readonly values: Values
  readonly elements: readonly { readonly target: Store; readonly over: Loop }[]
}

/** An iteration in one of the cases, statement by statement. */
class Iteration {
  private readonly values: Values = new Map()
  private readonly elements: { target: Store; over: Loop }[] = []

  constructor(
    private readonly given: Case,
    private readonly known: ReadonlyMap<string, ArrayDecl>,
  ) {}

  run(body: readonly LoopStmt[]): Left | undefined {
    return body.every((s) => this.statement(s)) ? { values: this.values, elements: this.elements } : undefined
  }

  private statement(s: LoopStmt): boolean {
    switch (s.kind) {
      case 'declare':
        return s.array.shape.length === 0 && !this.known.has(s.array.name)
      case 'store': {
        if (s.index.length > 0) return false
        this.values.set(s.array, this.stored(s))
        return true
      }
      case 'if':
        return this.branch(s)
      case 'loop': {
        const [only, more] = s.body
        if (only?.kind !== 'store' || more || only.index.length === 0) return false
        this.elements.push({ target: { ...only, reduce: null, value: this.stored(only) }, over: s })
        return true
      }
    }
  }

  private branch(s: If): boolean {
    const condition = this.valueOf(s.condition)
    if (condition.kind !== 'const') return false
    return (Number(condition.value) === 0 ? s.else : s.then).every((x) => this.statement(x))
  }

  private stored(s: Store): Expr {
    const array = this.known.get(s.array),
      old: Expr = { kind: 'read', type: s.value.type, array: s.array, index: s.index }
    return this.valueOf(s.reduce ? reduced(s.reduce, array ? read(array, s.index) : old, s.value) : s.value)
  }

  private valueOf(e: Expr): Expr {
    const made: Expr =
      e.kind === 'read' && e.index.length === 0
        ? (this.values.get(e.array) ?? e)
        : e.kind === 'op'
          ? { ...e, args: e.args.map((x) => this.valueOf(x)) }
          : e.kind === 'choose'
            ? {
                ...e,
                condition: this.valueOf(e.condition),
                then: this.valueOf(e.then),
                else: this.valueOf(e.else),
              }
            : e
    return this.decided(made)
  }

  /** What the case says of `e`. */
  private decided(e: Expr): Expr {
    const { greatest, value, isGreater } = this.given,
      isGreatest = (x: Expr): boolean => x.kind === 'read' && x.array === greatest.name,
      isValue = (x: Expr): boolean => sameExpr(x, value)
    if (e.kind === 'choose') return e.condition.kind === 'const' ? (isTrue(e.condition) ? e.then : e.else) : e
    const [a, b, c] = e.kind === 'op' ? e.args : []
    if (e.kind !== 'op' || !a || !b)
      return e.kind === 'op' && e.op === 'exp' && a && isZero(a) ? constant(e.type, 1) : e
    const same = sameExpr(a, b),
      pair = isValue(a) && isGreatest(b) ? 1 : isGreatest(a) && isValue(b) ? -1 : 0
    switch (e.op) {
      case 'select':
        return a.kind === 'const' && c ? (isTrue(a) ? b : c) : e
      case 'max':
        return same ? a : pair === 0 ? e : isGreater ? value : read(greatest, [])
      case 'gt':
      case 'ge':
        return pair === 0 ? e : constant('bool', isGreater === pair > 0 ? 1 : 0)
      case 'lt':
      case 'le':
        return pair === 0 ? e : constant('bool', isGreater === pair < 0 ? 1 : 0)
      case 'sub':
        return same ? constant(e.type, 0) : e
      case 'mul':
        return isOne(a) ? b : isOne(b) ? a : e
      default:
        return e
    }
  }
}

const isTrue = (e: Expr): boolean => e.kind === 'const' && Number(e.value) !== 0
