// In: a program and one of its arrays. Out: the largest first subscripts that its accesses can reach, as polynomials of
// sizes, as far as the program tells. The one idea: upper bounds instead of values: `min`, remainders, masks, narrow
// integers, and tests like `x > w - 1 ? w - 1 : x` bound what data choose; locals are followed in the order of the
// program.
import {
  isInteger,
  complements,
  isComparison,
  someExpr,
  sameExpr,
  affineName,
  coefficients,
  eachStmt,
  loopVar,
  implies,
  plus,
  signedSizes,
  insideLoops,
  isNeverNegative,
  int,
  isNonNegative,
  isPositive,
  literal,
  mapExpr,
  mapStmts,
  ofSizes,
  op,
  plusScaled,
  polynomialExpr,
  polynomialOf,
  readsArray,
  sizeOf,
  sub,
  polynomialProduct,
  uses,
  symbolsOf,
  type Domain,
  type Signed,
  type ArrayDecl,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Polynomial,
  type Program,
  type Store,
} from '../../../ir/index.ts'

/** A subscript that is reached, and the sizes that are at least 1 where it is. */
export interface Top {
  readonly top: Polynomial
  /** The subscript is not above this either: a test bounds it beside the loops, and sizes decide which is less. */
  readonly also?: Polynomial
  readonly positive: ReadonlySet<string>
}

export interface Reach {
  /** One of these is at least the subscript, for every access that tells. */
  readonly tops: readonly Top[]
  /** Accesses whose subscript nothing bounds, though data do not choose it (`counted`), or because they do. */
  readonly unknown: 'none' | 'data' | 'counted'
  /** Some subscript that tells uses a loop's variable, or is kept below a size. */
  readonly ranges: boolean
}

const constantPolynomial = (n: number): Polynomial => new Map(n === 0 ? [] : [['', n]])
/** Cases of one bound; products of cases grow exponentially. */
const maxAlternatives = 8
/** Loops over numbers have fewer iterations than this. */
const mostTrips = 2 ** 27
/** Largest values of narrow integers in memory. */
const narrow: Readonly<Record<string, number>> = { u8: 255, i8: 127, u16: 65535, i16: 32767 }

/**
 * Replaces loop variables in `p` by the ends where it is largest, or by both where a size of `signed` decides;
 * undefined when that cannot be said.
 */
export type Highest = (p: Polynomial, loops: readonly Loop[], signed: Signed) => readonly Polynomial[] | undefined

/** How far the first subscripts of array `name` reach. */
export function reachOf(p: Program, name: string, highest: Highest): Reach {
  const walk = new Walk(p, name, highest)
  walk.block(p.body)
  return { tops: walk.tops, unknown: walk.unknown, ranges: walk.ranges }
}

/** What is known of a local or of an expression that a test has bounded. */
type Fact = { readonly of: Expr; readonly most: readonly Polynomial[] }

/** A number that only grows: bounds of it at the start of an iteration, and behind the loop. */
interface Counter {
  readonly of: Expr
  readonly inside: readonly Polynomial[] | undefined
  readonly behind: readonly Polynomial[] | undefined
}

class Walk {
  readonly tops: Top[] = []
  private readonly signed: Signed
  unknown: Reach['unknown'] = 'none'
  ranges = false
  private readonly arrays: ReadonlyMap<string, ArrayDecl>
  private readonly program: Program
  private readonly name: string
  private readonly highest: Highest
  private readonly loops: Loop[] = []
  private facts: readonly Fact[] = []

  constructor(p: Program, name: string, highest: Highest) {
    this.program = p
    this.signed = signedSizes(symbolsOf(p))
    this.name = name
    this.highest = highest
    const arrays = new Map(p.arrays.map((a) => [a.name, a]))
    mapStmts(
      p.body,
      (e) => e,
      (s) => {
        if (s.kind === 'declare') arrays.set(s.array.name, s.array)
        return [s]
      },
    )
    this.arrays = arrays
  }

  block(body: readonly LoopStmt[]): void {
    for (const s of body) this.statement(s)
  }

  private statement(s: LoopStmt): void {
    switch (s.kind) {
      case 'declare':
        return
      case 'store':
        for (const e of [...s.index, s.value]) this.expression(e)
        if (s.array === this.name) this.access(s.index[0]!)
        if (s.index.length === 0) this.stored(s.array, s.reduce, s.value)
        return
      case 'if':
        return this.branch(s)
      case 'loop': {
        this.expression(s.lower)
        this.expression(s.upper)
        const counters = this.counters(s)
        this.forget(s.body)
        this.facts = [...counters.flatMap((c) => (c.inside ? [{ of: c.of, most: c.inside }] : [])), ...this.facts]
        this.loops.push(s)
        this.block(s.body)
        this.loops.pop()
        this.forget(s.body)
        this.facts = [...counters.flatMap((c) => (c.behind ? [{ of: c.of, most: c.behind }] : [])), ...this.facts]
      }
    }
  }

  private branch(s: If): void {
    const counted = this.counted([s]).flatMap(({ name, most }) => {
      const old = this.upper(this.self(name)),
        now = old && sums(old, [most])
      return now ? [{ of: this.self(name), most: now }] : []
    })
    this.expression(s.condition)
    this.where(s.condition, true, () => this.block(s.then))
    this.where(s.condition, false, () => this.block(s.else))
    this.forget([s])
    this.facts = [...counted, ...this.facts]
  }

  /** What a counter is at most where an iteration of `l` begins, and behind the loop. */
  private counters(l: Loop): readonly Counter[] {
    const first = polynomialOf(l.lower),
      end = polynomialOf(l.upper)
    if (!first || !end || l.step !== 1) return []
    const past = plusScaled(polynomialOf(loopVar(l.name))!, first, -1), // a variable is one
      trips = plusScaled(end, first, -1)
    // A loop that only a jump ends says nothing.
    if (isNumber(trips) && (trips.get('') ?? 0) > mostTrips) return []
    return this.counted(l.body).flatMap(({ name, most }): readonly Counter[] => {
      const of = this.self(name),
        old = this.upper(of)
      if (!old) return []
      const behind = sums(old, [polynomialProduct(most, trips)])
      return [
        {
          of,
          inside: sums(old, [polynomialProduct(most, past)]),
          // Where the loop may have no iteration, it is what it was.
          behind: behind && (isNeverNegative(trips, this.signed, this.positive()) ? behind : [...old, ...behind]),
        },
      ]
    })
  }

  /**
   * Local numbers that `body` only adds numbers to that are not negative, wherever conditions say so (`if (p) y[k++] =
   * x;`), and what it adds at most in all.
   */
  private counted(body: readonly LoopStmt[]): readonly { readonly name: string; readonly most: Polynomial }[] {
    const names = new Set<string>()
    eachStmt(body, (s) => {
      if (s.kind === 'store' && s.index.length === 0) names.add(s.array)
    })
    return [...names].flatMap((name) => {
      const most = this.arrays.get(name)?.type === 'i32' ? this.added(body, name) : undefined
      return most ? [{ name, most }] : []
    })
  }

  private added(body: readonly LoopStmt[], name: string): Polynomial | undefined {
    let sum = constantPolynomial(0)
    for (const s of body) {
      const more = this.addedBy(s, name)
      if (!more) return undefined
      sum = plusScaled(sum, more, 1)
    }
    return sum
  }

  private addedBy(s: LoopStmt, name: string): Polynomial | undefined {
    switch (s.kind) {
      case 'declare':
        return s.array.name === name ? undefined : constantPolynomial(0)
      case 'store': {
        if (s.array !== name) return constantPolynomial(0)
        const isTruth = s.value.kind === 'op' && s.value.op === 'convert' && s.value.args[0]!.type === 'bool',
          by = s.reduce === 'add' ? (isTruth ? 1 : literal(s.value)) : undefined
        return by !== undefined && by >= 0 ? constantPolynomial(by) : undefined
      }
      case 'if': {
        const a = this.added(s.then, name),
          b = this.added(s.else, name)
        if (!a || !b) return undefined
        const more = plusScaled(a, b, -1)
        // Both, where it is not known which of them is more.
        return isNeverNegative(more, this.signed, new Set())
          ? a
          : isNeverNegative(plusScaled(b, a, -1), this.signed, new Set())
            ? b
            : plusScaled(a, b, 1)
      }
      case 'loop': {
        const each = this.added(s.body, name)
        if (!each) return undefined
        if (each.size === 0) return each
        const first = polynomialOf(s.lower),
          end = polynomialOf(s.upper),
          trips = first && end && plusScaled(end, first, -1)
        const isCount = trips && ofSizes(trips) && isNeverNegative(trips, this.signed, this.positive())
        return isCount ? polynomialProduct(each, trips) : undefined
      }
    }
  }

  /** `work` with what is known where `condition` is `truth`, beside what is known now. */
  private where<T>(condition: Expr, truth: boolean, work: () => T): T {
    const before = this.facts
    this.facts = [...this.tested(condition, truth), ...before]
    const made = work()
    this.facts = before
    return made
  }

  private readonly self = (name: string): Expr => ({ kind: 'read', type: 'i32', array: name, index: [] })

  private stored(name: string, reduce: string | null, value: Expr): void {
    const most = this.upper(value),
      old = this.upper(this.self(name))
    const now =
      reduce === null
        ? most
        : reduce === 'min'
          ? (most ?? old)
          : reduce === 'max'
            ? most && old && [...old, ...most]
            : reduce === 'add'
              ? most && old && sums(old, most)
              : undefined
    this.lose((e) => reads(e, name))
    if (now && now.length <= maxAlternatives) this.facts = [{ of: this.self(name), most: now }, ...this.facts]
  }

  /** What the statements store is no longer known, but for what only ever falls. */
  private forget(body: readonly LoopStmt[]): void {
    const names = new Set<string>()
    mapStmts(
      body,
      (e) => e,
      (s) => {
        if (s.kind === 'store' && !falls(s)) names.add(s.array)
        return [s]
      },
    )
    this.lose((e) => [...names].some((n) => reads(e, n)))
  }

  private lose(changed: (e: Expr) => boolean): void {
    this.facts = this.facts.filter((f) => !changed(f.of))
  }

  /** What holds where `condition` is `truth`. */
  private tested(condition: Expr, truth: boolean): Fact[] {
    if (condition.kind === 'choose') {
      // lazy && and ||
      const isAnd = condition.else.kind === 'const' && !condition.else.value
      return isAnd && truth ? [...this.tested(condition.condition, true), ...this.tested(condition.then, true)] : []
    }
    if (condition.kind !== 'op') return []
    if (condition.op === 'lnot') return this.tested(condition.args[0]!, !truth)
    if ((condition.op === 'land' && truth) || (condition.op === 'lor' && !truth))
      return condition.args.flatMap((c) => this.tested(c, truth))
    const [a, b] = condition.args
    if (a?.type !== 'i32' || !b) return []
    const name = truth || !isComparison(condition.op) ? condition.op : complements[condition.op]
    const below = (x: Expr, y: Expr, by: number): Fact[] => {
      const most = this.upper(y)
      return most ? [{ of: x, most: most.map((m) => plusScaled(m, constantPolynomial(1), -by)) }] : []
    }
    switch (name) {
      case 'lt':
        return below(a, b, 1)
      case 'le':
      case 'eq':
        return below(a, b, 0)
      case 'gt':
        return below(b, a, 1)
      case 'ge':
        return below(b, a, 0)
      case 'ne':
        return this.unequal(a, b)
      default:
        return []
    }
  }

  private expression(e: Expr): void {
    switch (e.kind) {
      case 'const':
      case 'var':
      case 'size':
      case 'scalar':
        return
      case 'read':
        for (const x of e.index) this.expression(x)
        if (e.array === this.name) this.access(e.index[0]!)
        return
      case 'op': {
        if (e.op !== 'select') {
          for (const x of e.args) this.expression(x)
          return
        }
        this.expression(e.args[0]!)
        return this.sides(e.args[0]!, [e.args[1]!, e.args[2]!])
      }
      case 'choose':
        this.expression(e.condition)
        this.sides(e.condition, [e.then, e.else])
    }
  }

  private sides(condition: Expr, sides: readonly [Expr, Expr]): void {
    for (const [i, side] of sides.entries()) this.where(condition, i === 0, () => this.expression(side))
  }

  private access(index: Expr): void {
    const most = this.upper(index),
      ends = most?.map((m) => this.highest(m, this.loops, this.signed))
    const open = this.byLoops(index)
    if (!ends?.every((x) => x !== undefined)) {
      if (this.unknown !== 'counted') this.unknown = this.dataChoose(index) ? 'data' : 'counted'
      return
    }
    const positive = this.positive()
    const tops = ends.flat()
    this.tops.push(
      ...tops.map((top, i) => {
        const also = open?.length === tops.length ? open[i]! : top // one for each
        return { ...this.lesser(top, also, positive), positive }
      }),
    )
    const names = new Set(this.loops.map((l) => l.name)),
      isClamped = polynomialOf(index) === undefined && ends.flat().every((x) => !isNumber(x))
    if (isClamped || most?.some((m) => [...m.keys()].some((key) => key.split('*').some((n) => names.has(n)))))
      this.ranges = true
  }

  /** The ends of `index` by loops alone, where tests bound some of its variables. */
  private byLoops(index: Expr): readonly Polynomial[] | undefined {
    const before = this.facts
    if (!before.some((f) => f.of.kind === 'var')) return undefined
    this.facts = before.filter((f) => f.of.kind !== 'var')
    const ends = this.upper(index)?.map((m) => this.highest(m, this.loops, this.signed))
    this.facts = before
    return ends?.every((x) => x !== undefined) ? ends.flat() : undefined
  }

  /** The one of two bounds that is never above the other; both where sizes decide. */
  private lesser(a: Polynomial, b: Polynomial, positive: ReadonlySet<string>): Pick<Top, 'top' | 'also'> {
    if (isNeverNegative(plusScaled(b, a, -1), this.signed, positive)) return { top: a }
    return isNeverNegative(plusScaled(a, b, -1), this.signed, positive) ? { top: b } : { top: a, also: b }
  }

  /** Whether memory says what `e` is: it reads, or a loop's variable in it starts or ends where data say. */
  private dataChoose(e: Expr): boolean {
    return (
      readsArray(e) || this.loops.some((l) => uses(e, l.name) && (this.dataChoose(l.lower) || this.dataChoose(l.upper)))
    )
  }

  /** Polynomials one of which is at least `e`; undefined when nothing bounds it. */
  private upper(e: Expr): readonly Polynomial[] | undefined {
    const exact = polynomialOf(e),
      fact = exact && ofSizes(exact) ? undefined : this.facts.find((f) => sameExpr(f.of, e))
    if (fact) return fact.most
    if (exact) return this.lowered(exact)
    switch (e.kind) {
      case 'const':
      case 'var':
      case 'size':
      case 'scalar':
        return undefined
      case 'read': {
        const most = narrow[this.arrays.get(e.array)?.type ?? '']
        return most === undefined ? undefined : [constantPolynomial(most)]
      }
      case 'choose':
        return this.either(e.condition, e.then, e.else)
      case 'op': {
        const most = this.operation(e)
        return most?.every(ofSizes) ? most : (this.belowSize(e) ?? most)
      }
    }
  }

  /** `p` with loop variables at the ends that a test gives them, where `p` grows with them. */
  private lowered(p: Polynomial): readonly Polynomial[] {
    let all: readonly Polynomial[] = [p]
    for (const { of, most } of this.facts) {
      if (of.kind !== 'var' || most.length !== 1) continue
      all = all.map((x) => {
        const split = coefficients(x, new Set([of.name])),
          c = split?.of.get(of.name)
        if (!split || !c || !isPositive(c, this.signed)) return x
        return plusScaled(split.rest, polynomialProduct(most[0]!, c), 1) // one was counted
      })
    }
    return all
  }

  /** `v ≠ last` of the innermost value that a loop takes: below it. */
  private unequal(a: Expr, b: Expr): Fact[] {
    const loop = a.kind === 'var' ? this.loops.find((l) => l.name === a.name) : undefined
    const last = loop && polynomialOf(loop.upper),
      other = polynomialOf(b)
    if (!last || !other) return []
    const gap = plusScaled(last, other, -1)
    return gap.size === 1 && gap.get('') === 1 ? [{ of: a, most: [plusScaled(other, constantPolynomial(1), -1)] }] : []
  }

  private either(condition: Expr, then: Expr, otherwise: Expr): readonly Polynomial[] | undefined {
    const a = this.where(condition, true, () => this.upper(then)),
      b = this.where(condition, false, () => this.upper(otherwise))
    return a && b && a.length + b.length <= maxAlternatives ? [...a, ...b] : undefined
  }

  /** Below one of the sizes in it in each of its cases, as `abs(y)` is that is mirrored at `h`. */
  private belowSize(e: Expr): readonly Polynomial[] | undefined {
    if (e.type !== 'i32') return undefined
    const { constraints } = this.domain()
    const size = distinctSizes(e).find((n) => isNonNegative(sub(sub(sizeOf(n), int(1)), e), constraints))
    return size === undefined
      ? undefined
      : [
          new Map([
            [`$${size}`, 1],
            ['', -1],
          ]),
        ]
  }

  private domain(): Domain {
    return insideLoops(this.program, this.loops)
  }

  /** Sizes that are at least 1 inside of the loops around. */
  private positive(): ReadonlySet<string> {
    const { constraints } = this.domain(),
      unsigned = this.program.sizes.filter((s) => s.min >= 0)
    return new Set(unsigned.map((s) => s.name).filter((name) => implies(constraints, plus(affineName(`$${name}`), -1))))
  }

  private operation(e: Extract<Expr, { kind: 'op' }>): readonly Polynomial[] | undefined {
    const [x, y, z] = e.args,
      a = x && this.upper(x),
      n = y && literal(y)
    // What is not int by now may wrap: only quotients, remainders and choices of it have known ends.
    if (e.type !== 'i32' && (e.op === 'add' || e.op === 'sub' || e.op === 'mul')) return undefined
    switch (e.op) {
      case 'select':
        return x && y && z && this.either(x, y, z)
      case 'convert':
        if (x?.type === 'bool') return [constantPolynomial(1)]
        return x && isInteger(x.type) ? a : undefined
      case 'min': {
        const b = y && this.upper(y)
        return a && b ? (a.every(ofSizes) ? a : b) : (a ?? b)
      }
      case 'max': {
        const b = y && this.upper(y)
        return a && b && [...a, ...b]
      }
      case 'add': {
        const b = y && this.upper(y)
        return a && b && sums(a, b)
      }
      case 'sub': {
        const b = y && polynomialOf(y)
        return a && b && a.map((p) => plusScaled(p, b, -1))
      }
      case 'mul':
        return this.scaled(x!, y!) ?? this.scaled(y!, x!) // two arguments
      case 'div':
        return n !== undefined && n > 0 && a ? this.quotients(x!, a, n) : undefined // a is of x
      case 'shr':
        return n !== undefined && n >= 0 && n < 31 && a ? this.quotients(x!, a, 2 ** n) : undefined
      case 'and':
        return n !== undefined && n >= 0 ? [constantPolynomial(n)] : undefined
      case 'rem': {
        const by = y && unconverted(y),
          b = by && polynomialOf(by)
        const isLength = b && (isPositive(b, this.signed) || isNonNegative(sub(by, int(1)), this.domain().constraints))
        return isLength ? [plusScaled(b, constantPolynomial(1), -1)] : undefined
      }
      default:
        return undefined
    }
  }

  /** At least `x / n`, where `most` are at least x: its greatest value where loops bound it. */
  private quotients(x: Expr, most: readonly Polynomial[], n: number): readonly Polynomial[] {
    const ends = most.map((p) => (ofSizes(p) ? [p] : this.highest(p, this.loops, this.signed)))
    if (ends.every((e) => e !== undefined) && isNonNegative(x, this.domain().constraints))
      return ends.flat().map((p) => exactQuotient(p, n))
    return quotients(most, n, this.signed)
  }

  private scaled(x: Expr, y: Expr): readonly Polynomial[] | undefined {
    const by = polynomialOf(y),
      a = by && isPositive(by, this.signed) ? this.upper(x) : undefined
    return by && a?.map((p) => polynomialProduct(p, by))
  }
}

/** The int that `e` is in another type. */
const unconverted = (e: Expr): Expr =>
  e.kind === 'op' && e.op === 'convert' && e.args[0]!.type === 'i32' ? e.args[0]! : e

/** Whether the store makes a number of no dimension smaller, or leaves it. */
const falls = (s: Store): boolean =>
  s.index.length === 0 && (s.reduce === 'min' || (s.reduce === 'add' && (literal(s.value) ?? 1) <= 0))

/**
 * At least `p / n` for each of `a`. A product m of sizes is 1 or more, or its access is not reached (quotients of sizes
 * may be 0, sizes with a sign less than 0, and both are left), so that with r = c mod n, r > 0,
 * ⌊c m / n⌋ ≤ ⌈c / n⌉ m − (n − r) / n. Where m is 0 the 0 that stands beside it is enough.
 */
function quotients(a: readonly Polynomial[], n: number, signed: Signed): readonly Polynomial[] {
  if (a.every(isNumber)) return a.map((p) => constantPolynomial(Math.max(0, Math.floor((p.get('') ?? 0) / n))))
  const isCount = (key: string): boolean =>
    key.split('*').every((name) => !name.includes('{') && !signed.has(name.slice(1)))
  return [...a.map((p) => (ofSizes(p) && [...p.keys()].every(isCount) ? quotient(p, n) : p)), new Map()]
}
function quotient(p: Polynomial, n: number): Polynomial {
  const products = [...p].filter(([key]) => key !== ''),
    lacking = products.reduce((sum, [, c]) => sum + Math.ceil(c / n) * n - c, 0)
  return new Map([
    ...products.map(([key, c]): [string, number] => [key, Math.ceil(c / n)]),
    ['', Math.floor(((p.get('') ?? 0) - lacking) / n)],
  ])
}

/**
 * ⌊p / n⌋ where p is not negative, n a number: multiples of n are divided term by term. What is left is divided so that
 * it is -1 and not 0 where p is.
 */
export function exactQuotient(p: Polynomial, n: number): Polynomial {
  const whole = new Map(
      [...p].filter(([key, c]) => key !== '' && c % n === 0).map(([key, c]) => [key, c / n] as const),
    ),
    rest = new Map([...p].filter(([key, c]) => key !== '' && c % n !== 0)),
    constant = p.get('') ?? 0
  if (rest.size === 0) return plusScaled(whole, constantPolynomial(Math.floor(constant / n)), 1)
  const less = Math.max(0, Math.ceil(-constant / n)),
    divided = polynomialExpr(plusScaled(rest, constantPolynomial(constant + less * n), 1))
  const quotient = polynomialOf(op('div', [divided, int(n)]))! // of sizes
  return plusScaled(plusScaled(whole, quotient, 1), constantPolynomial(less), -1)
}

const isNumber = (p: Polynomial): boolean => [...p.keys()].every((key) => key === '')
function sums(a: readonly Polynomial[], b: readonly Polynomial[]): readonly Polynomial[] | undefined {
  return a.length * b.length <= maxAlternatives ? a.flatMap((p) => b.map((q) => plusScaled(p, q, 1))) : undefined
}

/** Sizes in `e`, each once. */
export function distinctSizes(e: Expr): readonly string[] {
  const found = new Set<string>()
  mapExpr(e, (x) => {
    if (x.kind === 'size') found.add(x.name)
    return x
  })
  return [...found]
}

const reads = (e: Expr, name: string): boolean => someExpr(e, (x) => x.kind === 'read' && x.array === name)
