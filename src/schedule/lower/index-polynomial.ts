// Integer index expressions as sums of products. A `Poly` is Σ coefficient × atom × atom …; an atom is a loop variable,
// a size, or a quotient or remainder by a constant or a size. In this form `(io * 128 + ii) * n + j` splits into what
// changes with each loop, so that code is placed outside of the loops that do not change it, and divisibility can be
// read off.
import { fail } from '../../base/index.ts'
import { comparisonHolds, isComparison, isOrdering, gcd, literal, op, type Expr, type OpName } from '../../ir/index.ts'

/**
 * Something that has a value as a whole. `quotient` and `remainder` are of a `Poly` that is ≥ 0, by a positive constant
 * or by a `Poly` of sizes.
 */
export type Atom =
  | { readonly kind: 'var'; readonly name: string }
  | { readonly kind: 'size'; readonly name: string }
  | { readonly kind: 'quotient' | 'remainder'; readonly of: Poly; readonly by: Poly }
  | { readonly kind: 'min' | 'max'; readonly a: Poly; readonly b: Poly }
  | { readonly kind: 'abs'; readonly of: Poly }
  /** `then` where a ∘ b, else `otherwise`. */
  | {
      readonly kind: 'select'
      readonly op: OpName
      readonly a: Poly
      readonly b: Poly
      readonly then: Poly
      readonly otherwise: Poly
    }
  /** Any other i32 expression (a read, say). */
  | { readonly kind: 'opaque'; readonly expr: Expr; readonly key: string }

interface Monomial {
  readonly coefficient: number
  /** Sorted by key. */
  readonly atoms: readonly Atom[]
}

/** Keyed by the joined keys of the atoms; the constant has key ''. No zero coefficients. */
export type Poly = ReadonlyMap<string, Monomial>

/** How names are read while an expression becomes a `Poly`. */
export interface Environment {
  /** Value of loop variables that are literals now (unrolled), else undefined. */
  readonly literalOf: (name: string) => number | undefined
  /** The greatest value of a loop variable that is never negative: infinite, where it is not known. */
  readonly mostOf: (name: string) => number | undefined
  /** What a size is a multiple of, and at least. */
  readonly multipleOf: (size: string) => number
  readonly leastOf: (size: string) => number
  readonly keyOf: (e: Expr) => string
}

function atomKey(a: Atom): string {
  switch (a.kind) {
    case 'var':
      return a.name
    case 'size':
      return `$${a.name}`
    case 'quotient':
      return `(${polyKey(a.of)})/(${polyKey(a.by)})`
    case 'remainder':
      return `(${polyKey(a.of)})%(${polyKey(a.by)})`
    case 'min':
    case 'max':
      return `${a.kind}(${polyKey(a.a)};${polyKey(a.b)})`
    case 'abs':
      return `|${polyKey(a.of)}|`
    case 'select':
      return `${a.op}(${polyKey(a.a)};${polyKey(a.b)}?${polyKey(a.then)}:${polyKey(a.otherwise)})`
    case 'opaque':
      return a.key
  }
}

/** Keys of polynomials, which never change: nested ones are asked again and again. */
const keys = new WeakMap<Poly, string>()

/** Equal polynomials have equal keys. */
export function polyKey(p: Poly): string {
  const known = keys.get(p)
  if (known !== undefined) return known
  const parts: string[] = []
  for (const [k, m] of p) parts.push(`${m.coefficient}*${k}`)
  const key = parts.length > 1 ? parts.sort().join('+') : (parts[0] ?? '')
  keys.set(p, key)
  return key
}

/** Whether it is made of variables and sizes alone, so that equal ones have equal values. */
export function isClosed(p: Poly): boolean {
  for (const { atoms } of p.values()) for (const a of atoms) if (!isClosedAtom(a)) return false
  return true
}

function isClosedAtom(a: Atom): boolean {
  switch (a.kind) {
    case 'var':
    case 'size':
      return true
    case 'quotient':
    case 'remainder':
      return isClosed(a.of) && isClosed(a.by)
    case 'min':
    case 'max':
      return isClosed(a.a) && isClosed(a.b)
    case 'abs':
      return isClosed(a.of)
    case 'select':
      return isClosed(a.a) && isClosed(a.b) && isClosed(a.then) && isClosed(a.otherwise)
    case 'opaque':
      return false
  }
}

const monomialKey = (atoms: readonly Atom[]): string => atoms.map(atomKey).join('·')

const single = (atom: Atom): Poly => new Map([[atomKey(atom), { coefficient: 1, atoms: [atom] }]])

const named = { var: new Map<string, Poly>(), size: new Map<string, Poly>() }
/** Names of each kind that are remembered. */
const mostNamed = 1024

/** A variable or a size alone: every index begins with some. */
function ofName(kind: 'var' | 'size', name: string): Poly {
  const known = named[kind].get(name)
  if (known) return known
  if (named[kind].size >= mostNamed) named[kind].clear()
  const made = single({ kind, name })
  named[kind].set(name, made)
  return made
}

const constants = new Map<number, Poly>()
/** Constants up to this one are made once: unrolled loops have nothing else. */
const mostConstant = 4096

export function polyConstant(n: number): Poly {
  const known = constants.get(n)
  if (known) return known
  const made: Poly = new Map(n === 0 ? [] : [['', { coefficient: n, atoms: [] }]])
  if (Number.isInteger(n) && Math.abs(n) <= mostConstant) constants.set(n, made)
  return made
}

export const constantPart = (p: Poly): number => p.get('')?.coefficient ?? 0

const none: Poly = new Map()

/** a + factor × b. */
export function polyAdd(a: Poly, b: Poly, factor = 1): Poly {
  if (b.size === 0) return a
  if (a.size === 0 && factor === 1) return b
  const out = new Map(a)
  for (const [k, m] of b) {
    const coefficient = (out.get(k)?.coefficient ?? 0) + factor * m.coefficient
    if (coefficient === 0) out.delete(k)
    else out.set(k, { coefficient, atoms: m.atoms })
  }
  return out
}

export function polyMul(a: Poly, b: Poly): Poly {
  const x = polyLiteral(a),
    y = polyLiteral(b)
  if (y !== undefined) return y === 1 ? a : polyAdd(none, a, y)
  if (x !== undefined) return x === 1 ? b : polyAdd(none, b, x)
  let out: Poly = new Map()
  for (const x of a.values()) {
    for (const y of b.values()) {
      const atoms = [...x.atoms, ...y.atoms].sort((p, q) => (atomKey(p) < atomKey(q) ? -1 : 1))
      out = polyAdd(out, new Map([[monomialKey(atoms), { coefficient: x.coefficient * y.coefficient, atoms }]]))
    }
  }
  return out
}

/** Several monomials as one product: coefficient × atoms × `sizes`, a sum of sizes alone where there is one. */
export interface IndexPart {
  readonly coefficient: number
  readonly atoms: readonly Atom[]
  readonly sizes?: Poly
  /** The same multiplied out. */
  readonly whole: Poly
  /** Of the atoms, for an order. */
  readonly key: string
}

/** `p` but its constant as a sum of products: monomials that differ in their sizes alone are one. */
export function indexPartsOf(p: Poly): readonly IndexPart[] {
  const groups = new Map<string, (readonly [string, Monomial])[]>()
  for (const [key, m] of p) {
    if (key === '') continue
    const inner = m.atoms.filter((a) => a.kind !== 'size').map(atomKey)
    const group = inner.length === 0 ? key : inner.join('·')
    groups.set(group, [...(groups.get(group) ?? []), [key, m]])
  }
  return [...groups].map(([group, members]): IndexPart => {
    const whole: Poly = new Map(members),
      [key, { coefficient, atoms }] = members[0]! // a group has one
    if (members.length === 1) return { coefficient, atoms, whole, key }
    const sizes = members.map(([, m]) => ({ ...m, atoms: m.atoms.filter((a) => a.kind === 'size') })),
      factor = contentOf(sizes)
    return {
      coefficient: factor,
      atoms: atoms.filter((a) => a.kind !== 'size'),
      sizes: new Map(sizes.map((m) => [monomialKey(m.atoms), { ...m, coefficient: m.coefficient / factor }])),
      whole,
      key: group,
    }
  })
}

/** The greatest divisor of the coefficients, with the sign of the longest monomial's: extents are mostly positive. */
function contentOf(monomials: readonly Monomial[]): number {
  const longest = [...monomials].sort((a, b) => b.atoms.length - a.atoms.length)[0]! // a group has one
  return Math.sign(longest.coefficient) * monomials.reduce((d, m) => gcd(d, m.coefficient), 0)
}

/** The value when it is a literal. */
export function polyLiteral(p: Poly): number | undefined {
  if (p.size === 0) return 0
  return p.size === 1 ? p.get('')?.coefficient : undefined
}

/** What sums and products of constants and written-out loops come to; undefined of anything else. */
export function literalIndex(e: Expr, env: Environment): number | undefined {
  if (e.kind === 'const') return e.type === 'i32' ? Number(e.value) : undefined
  if (e.kind === 'var') return env.literalOf(e.name)
  if (e.kind !== 'op' || e.type !== 'i32' || (e.op !== 'add' && e.op !== 'sub' && e.op !== 'mul')) return undefined
  const [a, b] = e.args,
    x = a && literalIndex(a, env),
    y = x === undefined || !b ? undefined : literalIndex(b, env)
  if (x === undefined || y === undefined) return undefined
  return e.op === 'add' ? x + y : e.op === 'sub' ? x - y : x * y
}

/** The polynomial of an i32 expression. */
export function polyOf(e: Expr, env: Environment): Poly {
  switch (e.kind) {
    case 'const':
      return polyConstant(Number(e.value))
    case 'var': {
      const value = env.literalOf(e.name)
      return value === undefined ? ofName('var', e.name) : polyConstant(value)
    }
    case 'size':
      return ofName('size', e.name)
    case 'op':
      return polyOfOp(e, env)
    case 'choose':
      if (isAtHand(e)) return polyOf(op('select', [e.condition, e.then, e.else]), env) // both sides are computed
      return single({ kind: 'opaque', expr: e, key: env.keyOf(e) })
    case 'read':
    case 'scalar':
      return single({ kind: 'opaque', expr: e, key: env.keyOf(e) })
  }
}

/**
 * Whether a choice by sums of loops and sizes, of such (a place that wraps around), needs no branch: they are computed
 * outside of branches anyway. Reads and quotients may be what the condition keeps away.
 */
function isAtHand(e: Expr): boolean {
  if (e.kind === 'read' || e.kind === 'scalar') return false
  if (e.kind === 'choose') return [e.condition, e.then, e.else].every(isAtHand)
  return e.kind !== 'op' || (e.op !== 'div' && e.op !== 'rem' && e.args.every(isAtHand))
}

function polyOfOp(e: Extract<Expr, { kind: 'op' }>, env: Environment): Poly {
  const known = literalIndex(e, env)
  if (known !== undefined) return polyConstant(known)
  const opaque = (): Poly => single({ kind: 'opaque', expr: e, key: env.keyOf(e) })
  const side = e.op === 'select' && e.type === 'i32' ? decided(e, env) : undefined
  if (side) return polyOf(side, env)
  const picked = e.op === 'select' && e.type === 'i32' ? selected(e, env) : undefined
  if (picked) return picked
  if (e.type !== 'i32' || e.args.some((a) => a.type !== 'i32')) return opaque()
  const [a, b] = e.args
  if (!a) return fail('schedule.lower', `${e.op} has no arguments`)
  if (e.op === 'neg') return polyAdd(none, polyOf(a, env), -1)
  if (e.op === 'abs') return single({ kind: 'abs', of: polyOf(a, env) })
  if (!b) return opaque()
  switch (e.op) {
    case 'add':
      return polyAdd(polyOf(a, env), polyOf(b, env))
    case 'sub':
      return polyAdd(polyOf(a, env), polyOf(b, env), -1)
    case 'mul':
      return polyMul(polyOf(a, env), polyOf(b, env))
    case 'div':
    case 'rem':
      return divided(e.op, polyOf(a, env), literal(b) ?? (isOfSizes(b) ? polyOf(b, env) : undefined), env, opaque)
    case 'min':
    case 'max':
      return extreme(e.op, polyOf(a, env), polyOf(b, env))
    default:
      return opaque()
  }
}

/** A choice by a comparison of integers. */
function selected(
  { args: [condition, then, otherwise] }: Extract<Expr, { kind: 'op' }>,
  env: Environment,
): Poly | undefined {
  if (
    condition?.kind !== 'op' ||
    !isComparison(condition.op) ||
    !then ||
    !otherwise ||
    condition.args.some((a) => a.type !== 'i32')
  )
    return undefined
  const [a, b] = condition.args.map((x) => polyOf(x, env)) // two
  return single({
    kind: 'select',
    op: condition.op,
    a: a!,
    b: b!,
    then: polyOf(then, env),
    otherwise: polyOf(otherwise, env),
  })
}

/** The side of `select(a ∘ b, then, else)` where a − b is a literal. */
export function decided(
  { args: [condition, then, otherwise] }: Extract<Expr, { kind: 'op' }>,
  env: Environment,
): Expr | undefined {
  if (condition?.kind !== 'op' || !isOrdering(condition.op) || condition.args.some((a) => a.type !== 'i32'))
    return undefined
  const [a, b] = condition.args.map((x) => polyOf(x, env)),
    difference = polyLiteral(polyAdd(a!, b!, -1)) // two
  return difference === undefined ? undefined : comparisonHolds(condition.op, difference) ? then : otherwise
}

/** Sums of products of sizes and numbers: the same wherever it stands. */
function isOfSizes(e: Expr): boolean {
  if (e.kind === 'op') return (e.op === 'add' || e.op === 'sub' || e.op === 'mul') && e.args.every(isOfSizes)
  return e.kind === 'size' || (e.kind === 'const' && e.type === 'i32')
}

function divided(
  op: 'div' | 'rem',
  p: Poly,
  by: number | Poly | undefined,
  env: Environment,
  opaque: () => Poly,
): Poly {
  if (by === undefined || (typeof by === 'number' && by <= 0)) return opaque()
  const value = polyLiteral(p),
    n = typeof by === 'number' ? by : polyLiteral(by)
  if (value !== undefined && n !== undefined && n > 0)
    return polyConstant(op === 'div' ? Math.trunc(value / n) : value % n)
  const divisor = typeof by === 'number' ? polyConstant(by) : by,
    left = (of: Poly): Poly => single({ kind: op === 'div' ? 'quotient' : 'remainder', of, by: divisor })
  if (!isNatural(p, env) || (n !== undefined && n <= 0)) return left(p)
  const { quotient, rest } = n === undefined ? { quotient: none, rest: p } : split(p, n),
    [whole, small] = aligned(rest, multipleOf(divisor, env), env),
    own = whole.size === 0 ? none : left(whole)
  return op === 'div' ? polyAdd(quotient, own) : polyAdd(own, small)
}

/** What the only product of `by` is a multiple of, 1 where it is a sum. */
function multipleOf(by: Poly, env: Environment): number {
  const [m, ...more] = by.values()
  if (!m || more.length > 0) return 1
  return m.atoms.reduce((n, a) => n * (a.kind === 'size' ? env.multipleOf(a.name) : 1), m.coefficient)
}

/**
 * `p` as what some divisor of `n` divides and what is always below that, which changes no quotient by a multiple of
 * `n`.
 */
function aligned(p: Poly, n: number, env: Environment): readonly [Poly, Poly] {
  const products = [...p].filter(([k]) => k !== '').sort(([, a], [, b]) => b.coefficient - a.coefficient),
    constant = constantPart(p)
  for (let count = products.length; count >= 0; count--) {
    const step = products.slice(0, count).reduce((d, [, m]) => gcd(d, m.coefficient), n),
      others: Poly = new Map(products.slice(count)),
      small = polyAdd(others, polyConstant(constant - step * Math.floor(constant / step))) // it may be negative
    if (step > 1 && mostOf(small, env) < step) return [polyAdd(p, small, -1), small]
  }
  return [p, none]
}

/** The greatest value of a sum of numbers and variables that are never negative. */
const mostOf = (p: Poly, env: Environment): number =>
  [...p.values()].reduce(
    (sum, { coefficient, atoms: [a, ...more] }) =>
      sum +
      coefficient * (!a ? 1 : a.kind === 'var' && more.length === 0 ? (env.mostOf(a.name) ?? Infinity) : Infinity),
    0,
  )

/** `p` = n × `quotient` + `rest`, of whose constant the remainder is left, and of others what n does not divide. */
function split(p: Poly, n: number): { readonly quotient: Poly; readonly rest: Poly } {
  const times = (key: string, c: number): number => (key === '' ? Math.floor(c / n) : c % n === 0 ? c / n : 0)
  const quotient: Poly = new Map(
    [...p].flatMap(([key, m]): readonly (readonly [string, Monomial])[] => {
      const coefficient = times(key, m.coefficient)
      return coefficient === 0 ? [] : [[key, { ...m, coefficient }]]
    }),
  )
  return { quotient, rest: polyAdd(p, quotient, -n) }
}

/** Whether `p` is never negative, so that C's division is the floor of it. */
const isNatural = (p: Poly, env: Environment): boolean => leastOf(p, env) >= 0

/** What `p` is never below: of each product what its factors are never below, where none of them is ever negative. */
function leastOf(p: Poly, env: Environment): number {
  return [...p.values()].reduce((sum, { coefficient, atoms }) => {
    if (atoms.length === 0) return sum + coefficient
    const least = atoms.map((a) => leastOfAtom(a, env))
    return coefficient > 0 && least.every((n) => n >= 0)
      ? sum + coefficient * least.reduce((product, n) => product * n, 1)
      : -Infinity
  }, 0)
}

function leastOfAtom(a: Atom, env: Environment): number {
  switch (a.kind) {
    case 'var':
      return env.mostOf(a.name) === undefined ? -Infinity : 0
    case 'size':
      return env.leastOf(a.name)
    case 'abs':
      return 0
    case 'quotient': {
      const by = polyLiteral(a.by),
        least = leastOf(a.of, env)
      if (by !== undefined && by > 0) return least >= 0 ? Math.floor(least / by) : -Infinity
      return least >= 0 && leastOf(a.by, env) >= 0 ? 0 : -Infinity
    }
    case 'remainder':
      return isNatural(a.of, env) ? 0 : -Infinity
    case 'min':
      return Math.min(leastOf(a.a, env), leastOf(a.b, env))
    case 'max':
      return Math.max(leastOf(a.a, env), leastOf(a.b, env))
    case 'select':
      return Math.min(leastOf(a.then, env), leastOf(a.otherwise, env))
    case 'opaque':
      return -Infinity
  }
}

function extreme(kind: 'min' | 'max', a: Poly, b: Poly): Poly {
  const x = polyLiteral(a),
    y = polyLiteral(b)
  if (x !== undefined && y !== undefined) return polyConstant(kind === 'min' ? Math.min(x, y) : Math.max(x, y))
  return single({ kind, a, b })
}
