// In: two accesses to an array inside a loop. Out: whether they touch different elements in different iterations, for
// the nonlinear subscripts of butterflies (Fourier transforms) and of sorting networks. The one idea: for a length h
// that the loop does not change, p / h and p % h are digits of p, so m q h + r + c h with 0 ≤ c < m determines p and c;
// i and i ^ h are a pair that a guard gives to one of its two iterations. Variable shifts are tried at all 32 values.
import { Equalities, Iterations, bitsOfVariable, digitOfBit, isOver } from './bit-digits.ts'
import { byLengths } from './length-digits.ts'
import {
  affineConstant,
  affineOf,
  literal,
  plusScaled,
  printExpr,
  polynomialProduct,
  type Access,
  type Affine,
  type Expr,
  type Loop,
  type Polynomial,
} from '../ir/index.ts'

/**
 * Whether no iteration of `common[level]` touches by `a` what another one touches by `b`, those around it being the
 * same.
 */
export function neverMeet(a: Access, b: Access, common: readonly Loop[], level: number): boolean {
  const l = common[level]!,
    fixed = new Set(common.slice(0, level).map((x) => x.name)) // it is one of them
  if (literal(l.lower) !== 0 || l.step !== 1) return false
  const fixedIn = (e: Expr): boolean => namesIn(e).every((n) => fixed.has(n))
  return (
    a.index.some((x, d) => {
      const y = b.index[d]
      return (
        y !== undefined &&
        (byDigits(x, y, l.name, fixedIn) ||
          byExchange(a, b, x, y, l.name, fixedIn) ||
          byLengths(a, b, x, y, l.name, fixedIn, conjunctsAndGuards))
      )
    }) || byBits(a, b, common, level)
  )
}

/** Loop variables and, as names that no loop has, what else may change. */
function namesIn(e: Expr): readonly string[] {
  switch (e.kind) {
    case 'var':
      return [e.name]
    case 'const':
    case 'size':
    case 'scalar':
      return []
    case 'read':
      return ['']
    case 'op':
      return e.args.flatMap(namesIn)
    case 'choose':
      return [e.condition, e.then, e.else].flatMap(namesIn)
  }
}

// ── digits ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** factor × 2^(exponent), the exponent, which has no constant, as a form and as text. */
export interface Power {
  readonly factor: number
  readonly exponent: string
  readonly form: Affine
}

const isPower = (n: number): boolean => n >= 1 && Number.isInteger(Math.log2(n))

/** A power of two whose exponent is affine and fixed; a literal one has the exponent ''. */
export function powerOf(e: Expr, fixedIn: (e: Expr) => boolean): Power | undefined {
  const n = literal(e)
  if (n !== undefined) return isPower(n) ? { factor: n, exponent: '', form: affineConstant(0) } : undefined
  if (e.kind !== 'op' || e.type !== 'i32' || !fixedIn(e)) return undefined
  const [x, y] = e.args
  if (!x || !y) return undefined // negated or converted
  const by = literal(y)
  const of = powerOf(x, fixedIn)
  if (e.op === 'shl' && of && by === undefined) {
    const shift = of.exponent === '' ? affineOf(y) : undefined
    return (
      shift && {
        factor: of.factor * 2 ** shift.constant,
        exponent: [...shift.terms]
          .map(([name, c]) => `${c}${name}`)
          .sort()
          .join('+'),
        form: { constant: 0, terms: shift.terms },
      }
    )
  }
  if (!of || by === undefined || by < 0) return undefined
  if (e.op === 'shl' || e.op === 'shr')
    return { ...of, factor: e.op === 'shl' ? of.factor * 2 ** by : of.factor / 2 ** by }
  return isPower(by) && (e.op === 'mul' || e.op === 'div')
    ? { ...of, factor: e.op === 'mul' ? of.factor * by : of.factor / by }
    : undefined
}

const quotient = '@q',
  remainder = '@r'

/** The subscript over q, r and powers: powers as names `@2^exponent`; other parts that are fixed by their text. */
function inDigits(e: Expr, p: string, h: Power, fixedIn: (e: Expr) => boolean): Polynomial | undefined {
  const go = (x: Expr): Polynomial | undefined => inDigits(x, p, h, fixedIn)
  const power = powerOf(e, fixedIn)
  if (power) return ofPower(power)
  if (e.kind === 'const') return typeof e.value === 'number' ? new Map(e.value === 0 ? [] : [['', e.value]]) : undefined
  if (e.kind === 'var' && e.name === p)
    return plusScaled(polynomialProduct(new Map([[quotient, 1]]), ofPower(h)), new Map([[remainder, 1]]), 1)
  if (e.kind === 'op' && e.type === 'i32' && !fixedIn(e)) {
    const [x, y] = e.args as readonly [Expr, Expr] // `neg` alone has one, and is not asked
    if (e.op === 'add' || e.op === 'sub') {
      const [a, b] = [go(x), go(y)]
      return a && b && plusScaled(a, b, e.op === 'add' ? 1 : -1)
    }
    if (e.op === 'mul') {
      const [a, b] = [go(x), go(y)]
      return a && b && polynomialProduct(a, b)
    }
    const digit = digitOf(e, p, fixedIn)
    return digit && samePower(digit.by, h) ? new Map([[digit.name, 1]]) : undefined
  }
  return fixedIn(e) ? new Map([[`@${printExpr(e).replaceAll('*', '×')}`, 1]]) : undefined
}

const ofPower = ({ factor, exponent }: Power): Polynomial =>
  new Map([[exponent === '' ? '' : `@2^${exponent}`, factor]])
const samePower = (a: Power, b: Power): boolean => a.factor === b.factor && a.exponent === b.exponent

/** p / h, p >> log h, p % h or p & (h − 1). */
function digitOf(
  e: Expr,
  p: string,
  fixedIn: (e: Expr) => boolean,
): { readonly name: string; readonly by: Power } | undefined {
  if (e.kind !== 'op' || e.args.length !== 2 || e.args[0]!.kind !== 'var' || e.args[0]!.name !== p) return undefined
  const y = e.args[1]!
  const by =
    e.op === 'div' || e.op === 'rem'
      ? powerOf(y, fixedIn)
      : e.op === 'shr'
        ? powerOf({ kind: 'op', type: 'i32', op: 'shl', args: [{ kind: 'const', type: 'i32', value: 1 }, y] }, fixedIn)
        : e.op === 'and' && y.kind === 'op' && y.op === 'sub' && literal(y.args[1]!) === 1
          ? powerOf(y.args[0]!, fixedIn)
          : undefined
  return by && { name: e.op === 'div' || e.op === 'shr' ? quotient : remainder, by }
}

/** The h of the first digit of p in `e`. */
function divisorIn(e: Expr, p: string, fixedIn: (e: Expr) => boolean): Power | undefined {
  const own = digitOf(e, p, fixedIn)
  if (own) return own.by
  for (const x of e.kind === 'op' ? e.args : []) {
    const found = divisorIn(x, p, fixedIn)
    if (found) return found
  }
  return undefined
}

function byDigits(x: Expr, y: Expr, p: string, fixedIn: (e: Expr) => boolean): boolean {
  const h = divisorIn(x, p, fixedIn) ?? divisorIn(y, p, fixedIn)
  const a = h && placeOf(x, p, h, fixedIn),
    b = h && placeOf(y, p, h, fixedIn)
  return (
    a !== undefined &&
    b !== undefined &&
    a.m === b.m &&
    a.rest === b.rest &&
    a.m >= 1 &&
    [a, b].every((s) => s.c >= 0 && s.c < s.m)
  )
}

/** The subscript as m q h + r + c h + rest. */
function placeOf(
  e: Expr,
  p: string,
  h: Power,
  fixedIn: (e: Expr) => boolean,
): { readonly m: number; readonly c: number; readonly rest: string } | undefined {
  const all = inDigits(e, p, h, fixedIn)
  if (!all) return undefined
  const power = h.exponent === '' ? '' : `@2^${h.exponent}`,
    step = [power, quotient]
      .filter((k) => k !== '')
      .sort()
      .join('*')
  const m = (all.get(step) ?? 0) / h.factor,
    c = h.exponent === '' ? Math.floor((all.get('') ?? 0) / h.factor) : (all.get(power) ?? 0) / h.factor
  const others = [
    ...plusScaled(
      all,
      new Map(
        [
          [step, m * h.factor],
          [remainder, 1],
          [power, c * h.factor],
        ].filter(([, n]) => n !== 0) as [string, number][],
      ),
      -1,
    ),
  ]
  const rest = others
    .map(([k, n]) => `${n}${k}`)
    .sort()
    .join('+')
  return Number.isInteger(m) &&
    Number.isInteger(c) &&
    all.get(remainder) === 1 &&
    !others.some(([k]) => k.includes(quotient) || k.includes(remainder))
    ? { m, c, rest }
    : undefined
}

// ── exchanges ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** What holds together where `e` does. */
export const conjunctsAndGuards = (e: Expr): readonly Expr[] =>
  e.kind === 'op' && e.op === 'land'
    ? e.args.flatMap(conjunctsAndGuards)
    : e.kind === 'choose' && e.else.kind === 'const' && !e.else.value
      ? [...conjunctsAndGuards(e.condition), ...conjunctsAndGuards(e.then)]
      : [e]

/** i and i ^ h where i < i ^ h, or where i & h is 0 (then i | h and i + h are the same). */
function byExchange(a: Access, b: Access, x: Expr, y: Expr, p: string, fixedIn: (e: Expr) => boolean): boolean {
  const own = (e: Expr): boolean => e.kind === 'var' && e.name === p
  const other = (e: Expr, how: readonly string[]): string | undefined => {
    if (e.kind !== 'op' || !how.includes(e.op)) return undefined
    const [l, r] = e.args as readonly [Expr, Expr] // such have two
    return own(l) && fixedIn(r) ? printExpr(r) : own(r) && fixedIn(l) ? printExpr(l) : undefined
  }
  const shared = a.holding
    .flatMap(conjunctsAndGuards)
    .filter((g) => b.holding.flatMap(conjunctsAndGuards).some((f) => printExpr(f) === printExpr(g)))
  return shared.some((g) => {
    if (g.kind !== 'op' || g.args.length !== 2) return false
    const [l, r] = g.args as readonly [Expr, Expr] // two
    const least = g.op === 'gt' && own(r) ? other(l, ['xor']) : g.op === 'lt' && own(l) ? other(r, ['xor']) : undefined
    const clear = g.op === 'eq' && literal(r) === 0 ? other(l, ['and']) : undefined
    const place = (e: Expr): boolean =>
      own(e) ||
      (least !== undefined && other(e, ['xor']) === least) ||
      (clear !== undefined && other(e, ['xor', 'or', 'add']) === clear)
    return place(x) && place(y)
  })
}

// ── bits ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Names that say how far something is shifted; `undefined` where one of them stands elsewhere, too. */
export function exponentsIn(es: readonly Expr[]): ReadonlySet<string> | undefined {
  const shifts = new Set<string>(),
    others = new Set<string>()
  const walk = (e: Expr, into: Set<string>): void => {
    if (e.kind === 'size' || e.kind === 'var') into.add(e.name)
    if (e.kind === 'read') e.index.forEach((x) => walk(x, others))
    if (e.kind === 'choose') [e.condition, e.then, e.else].forEach((x) => walk(x, others))
    if (e.kind === 'op')
      e.args.forEach((x, n) => walk(x, n === 1 && (e.op === 'shl' || e.op === 'shr') && affineOf(x) ? shifts : into))
  }
  es.forEach((e) => walk(e, others))
  return [...shifts].some((n) => others.has(n)) ? undefined : shifts
}

/** Shifts of 32 bits count modulo 32. */
export const shiftValues: readonly number[] = Array.from({ length: 32 }, (_, n) => n)

/** Exponents whose values are tried all together. */
const mostExponents = 2

/**
 * What was asked of pairs before, by all that the answer depends on: analyses ask for each of many ways to take a
 * program apart.
 */
const known = new Map<string, boolean>(),
  mostKnown = 4096

function byBits(a: Access, b: Access, common: readonly Loop[], level: number): boolean {
  const names = exponentsIn([...a.index, ...b.index])
  const outside = new Set(common.slice(0, level).map((l) => l.name)),
    inside = new Set([...a.loops, ...b.loops].map((l) => l.name).filter((n) => !outside.has(n)))
  if (!names || names.size === 0 || names.size > mostExponents || [...names].some((n) => inside.has(n))) return false
  const [one, another] = [a, b].map((x): Side => {
    const holding = x.holding.flatMap(conjunctsAndGuards).filter((g) => {
      const found = exponentsIn([...x.index, g])
      return found && [...found].every((n) => names.has(n))
    })
    return {
      index: x.index,
      holding,
      loops: x.loops.flatMap((l) => (names.has(l.name) || (literal(l.lower) ?? -1) < 0 ? [] : [l.name])),
    }
  }) as [Side, Side] // two in, two out
  const key = keyOfPair(one, another, names, outside, common[level]!.name) // it is one of them
  const before = known.get(key) ?? apartInBits(one, another, names, outside, common[level]!.name)
  if (known.size >= mostKnown) known.clear()
  known.set(key, before)
  return before
}

/** An access: where, under which conditions, and in which loops, of the outermost first, that never count below 0. */
interface Side {
  readonly index: readonly Expr[]
  readonly holding: readonly Expr[]
  readonly loops: readonly string[]
}

/** A text that is the same for pairs that differ in names, or in which is first, alone. */
function keyOfPair(a: Side, b: Side, names: ReadonlySet<string>, outside: ReadonlySet<string>, own: string): string {
  const renamed = new Map([
    ...[...names].map((n, k): [string, string] => [n, `@${k}`]),
    ...a.loops.filter((l) => outside.has(l)).map((n, k): [string, string] => [n, `~${k}`]),
    [own, '~'],
  ])
  const text = (s: Side): string =>
    [s.index.map(printExpr), s.holding.map(printExpr), s.loops]
      .map((list) => list.map((x) => x.replace(/[A-Za-z_]\w*/g, (n) => renamed.get(n) ?? n)).join(';'))
      .join('|')
  return [text(a), text(b)].sort().join('&')
}

/** Whether both never meet but in one iteration of `own`, whatever `names` are. */
function apartInBits(a: Side, b: Side, names: ReadonlySet<string>, outside: ReadonlySet<string>, own: string): boolean {
  const numbered = (x: Side, side: number): ReadonlyMap<string, number> =>
    new Map(x.loops.map((name, n) => [name, bitsOfVariable * (2 * n + (outside.has(name) ? 0 : side))]))
  const [one, another] = [numbered(a, 0), numbered(b, 1)],
    [first, second] = [one.get(own), another.get(own)]
  if (first === undefined || second === undefined) return false
  const tried = (values: Values, conditions: (s: Side) => readonly Expr[]): boolean => {
    const bits = new Equalities(),
      left = new Iterations(one, values, bits),
      right = new Iterations(another, values, bits)
    if (!left.supposeAll(conditions(a)) || !right.supposeAll(conditions(b))) return true
    a.index.forEach((e, d) => {
      const x = left.digits(e),
        y = b.index[d] && right.digits(b.index[d])
      if (x && y) x.forEach((v, p) => bits.equate(v, y[p]!))
    }) // digits are of one length
    return (
      bits.impossible ||
      Array.from({ length: bitsOfVariable }, (_, k) => k).every(
        (k) => bits.of(digitOfBit(first + k)) === bits.of(digitOfBit(second + k)),
      )
    )
  }
  // Most values differ in nothing that subscripts see: what was proved with conditions of the same parts holds again.
  // Where that is too little, all conditions are asked.
  const inIndex = new Map([...a.index, ...b.index].flatMap((e) => fixedParts(e, names))),
    all = [...a.holding, ...b.holding]
  const always = all.filter((g) => isOver(g, (n) => names.has(n))),
    proved = new Set<string>()
  let conditions = (s: Side): readonly Expr[] =>
    s.holding.filter((g) => !always.includes(g) && fixedParts(g, names).every(([key]) => inIndex.has(key)))
  let numbers: readonly Expr[] = [...inIndex.values()],
    more = conditions(a).length + conditions(b).length + always.length < all.length
  return atAll([...names], shiftValues, (values) => {
    const at = new Iterations(new Map(), values, new Equalities())
    if (always.some((g) => at.value(g) === 0)) return true
    for (;;) {
      const key = numbers.map((e) => at.value(e)).join()
      if (proved.has(key)) return true
      if (tried(values, conditions)) {
        proved.add(key)
        return true
      }
      if (!more) return false
      more = false
      proved.clear()
      conditions = (s) => s.holding
      numbers = [...new Map([...a.index, ...b.index, ...all].flatMap((e) => fixedParts(e, names))).values()]
    }
  })
}

type Values = Readonly<Record<string, number>>

/** The largest parts of `e` that are over `names` alone, with at least one of them, by their texts. */
function fixedParts(e: Expr, names: ReadonlySet<string>): readonly (readonly [string, Expr])[] {
  if (isOver(e, (n) => names.has(n))) return isOver(e, () => false) ? [] : [[printExpr(e), e]]
  return e.kind === 'op' ? e.args.flatMap((x) => fixedParts(x, names)) : []
}

/** Whether `holds` at all values of all names. */
function atAll(
  names: readonly string[],
  values: readonly number[],
  holds: (at: Values) => boolean,
  given: Values = {},
): boolean {
  const [name, ...rest] = names
  return name === undefined ? holds(given) : values.every((v) => atAll(rest, values, holds, { ...given, [name]: v }))
}
