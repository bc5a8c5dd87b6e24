// In: integer expressions of loop variables, at one value of all else that they use (of the step of a transform, say).
// Out: their digits: each is 0, 1, a bit of a variable or the opposite of one. The one idea: shifts, masks, exchanges
// and sums without carries move single bits, so that two such expressions are equal where their bits are, which
// equations of two bits decide exactly. What carries is unknown here, never an approximation. Numbers are of 32 bits,
// and what leaves these is gone, as everywhere in LoopIR.
import { planValue, type Expr } from '../ir/index.ts'

/** 0, 1, 2 (b + 1) for bit b, and 2 (b + 1) + 1 for its opposite. */
export type Digit = number
/** Digits from the least, as many as `width`. */
export type Digits = readonly Digit[]

/** Digits of a number. */
export const digitsOfNumber = 32
/** Bits of a variable, which is never negative. */
export const bitsOfVariable = 31

export const digitOfBit = (bit: number): Digit => 2 * (bit + 1)
const opposite = (d: Digit): Digit => d ^ 1
const isKnown = (d: Digit): boolean => d < 2

/** What is known of bits: which are 0 or 1, and which are equal or opposite to others. */
export class Equalities {
  private readonly known = new Map<number, Digit>()
  /** Two things hold that cannot: nothing is left of which this is said. */
  impossible = false
  /** How much is known. */
  get learnt(): number {
    return this.known.size
  }

  of(d: Digit): Digit {
    const next = isKnown(d) ? undefined : this.known.get((d >> 1) - 1)
    return next === undefined ? d : this.of(next ^ (d & 1))
  }

  equate(a: Digit, b: Digit): void {
    const [x, y] = [this.of(a), this.of(b)]
    if (x === opposite(y)) this.impossible = true
    else if (x !== y && !isKnown(x)) this.known.set((x >> 1) - 1, y ^ (x & 1))
    else if (x !== y) this.known.set((y >> 1) - 1, x ^ (y & 1))
  }
}

/** Values of loop variables, all together. */
export class Iterations {
  /**
   * `loops`: the number of the first bit of each variable; `fixed`: values of other names; what is learnt goes to
   * `bits`.
   */
  constructor(
    private readonly loops: ReadonlyMap<string, number>,
    private readonly fixed: Readonly<Record<string, number>>,
    readonly bits: Equalities,
  ) {}

  /** The digits of `e`; `undefined` where some are not known. */
  digits(e: Expr): Digits | undefined {
    const form = this.form(e)
    return form && digitsOf(form)
  }

  /**
   * `suppose` of all of `conditions`; false where there are no such iterations. What is learnt last helps those before.
   */
  supposeAll(conditions: readonly Expr[]): boolean {
    for (let before = -1; before < this.bits.learnt && !this.bits.impossible; ) {
      before = this.bits.learnt
      for (const c of conditions) {
        this.suppose(c)
        if (this.bits.impossible) return false
      }
    }
    return !this.bits.impossible
  }

  /** Only the iterations are meant in which `condition` holds; what it says of no bits is left out. */
  suppose(condition: Expr): void {
    const [l, r] = condition.kind === 'op' ? condition.args : [],
      x = l && this.digits(l),
      y = r && this.digits(r)
    const signed =
      condition.kind === 'op' &&
      condition.op !== 'eq' &&
      condition.op !== 'ne' &&
      (x?.[digitsOfNumber - 1] !== 0 || y?.[digitsOfNumber - 1] !== 0)
    if (condition.kind !== 'op' || !x || !y || signed) {
      if (this.value(condition) === 0) this.bits.impossible = true
      return
    }
    const other = x.flatMap((d, p) => (d === y[p] ? [] : [p])),
      top = other[other.length - 1]
    const strict = condition.op === 'gt' || condition.op === 'lt',
      less = condition.op === 'lt' || condition.op === 'le'
    if (condition.op === 'eq')
      x.forEach((d, p) => this.bits.equate(d, y[p]!)) // as many
    else if (condition.op === 'ne' && other.length < 2) {
      if (top === undefined) this.bits.impossible = true
      else this.bits.equate(x[top]!, opposite(y[top]!))
    } else if ((strict || less || condition.op === 'ge') && top === undefined) this.bits.impossible ||= strict
    else if ((strict || less || condition.op === 'ge') && top !== undefined && x[top] === opposite(y[top]!))
      this.bits.equate(x[top], less ? 0 : 1)
  }

  /** Of expressions that were asked for before; forms hold until more is learnt. */
  private readonly forms = new Map<Expr, { readonly form: Form | undefined; readonly learnt: number }>()
  private readonly values = new Map<Expr, number | undefined>()

  /** The value of what uses no loop. */
  value(e: Expr): number | undefined {
    if (this.values.has(e)) return this.values.get(e)
    const n = this.isFixed(e) ? planValue(e, { sizes: this.fixed, scalars: {}, variables: this.fixed }) : undefined
    this.values.set(e, n)
    return n
  }

  private isFixed(e: Expr): boolean {
    return isOver(e, (name) => Object.hasOwn(this.fixed, name))
  }

  /** What `e` is, as plainly as can be said. */
  private form(e: Expr): Form | undefined {
    const n = this.value(e)
    if (n !== undefined) return e.type === 'i32' ? ofNumber(n) : undefined
    const before = this.forms.get(e)
    if (before?.learnt === this.bits.learnt) return before.form
    const form = this.formOf(e)
    this.forms.set(e, { form, learnt: this.bits.learnt })
    return form
  }

  private formOf(e: Expr): Form | undefined {
    if (e.kind === 'var') {
      const first = this.loops.get(e.name)
      return first === undefined
        ? undefined
        : padded(Array.from({ length: bitsOfVariable }, (_, k) => this.bits.of(digitOfBit(first + k))))
    }
    if (e.kind !== 'op' || e.type !== 'i32') return undefined
    const [a, b] = e.args as readonly [Expr, Expr],
      x = this.form(a),
      by = e.op === 'neg' ? undefined : this.value(b)
    if (!x || e.op === 'neg') return x && scaled(x, -1)
    switch (e.op) {
      case 'shl':
        return by === undefined ? undefined : scaled(x, 2 ** (by & 31))
      case 'shr':
        return by === undefined ? undefined : moved(x, by & 31)
      case 'div': {
        const q = by !== undefined && isPower(Math.abs(by)) ? moved(x, Math.log2(Math.abs(by))) : undefined
        return q && (by! > 0 ? q : scaled(q, -1))
      } // it is a number then
      case 'rem':
        return by !== undefined && isPower(Math.abs(by)) ? remainder(x, Math.abs(by)) : undefined
    }
    const y = this.form(b)
    if (!y) return undefined
    switch (e.op) {
      case 'add':
      case 'sub':
        return plus(x, y, e.op === 'add' ? 1 : -1)
      case 'mul': {
        const m = this.value(a)
        return by !== undefined ? scaled(x, by) : m !== undefined ? scaled(y, m) : undefined
      }
      case 'and':
        return paired(x, y, and)
      case 'or':
        return paired(x, y, (c, d) => {
          const both = and(opposite(c), opposite(d))
          return both === undefined ? undefined : opposite(both)
        })
      case 'xor':
        return paired(x, y, (c, d) =>
          isKnown(c) || isKnown(d) ? c ^ d : c === d ? 0 : c === opposite(d) ? 1 : undefined,
        )
      default:
        return undefined
    }
  }
}

/** Whether `e` is arithmetic of numbers and of names that `known` says. */
export function isOver(e: Expr, known: (name: string) => boolean): boolean {
  switch (e.kind) {
    case 'const':
      return typeof e.value === 'number'
    case 'var':
    case 'size':
      return known(e.name)
    case 'op':
      return e.args.every((x) => isOver(x, known))
    case 'scalar':
    case 'read':
    case 'choose':
      return false
  }
}

/** Σ weight × bit, by the numbers of bits; those of the constant are at `one`. */
type Sum = ReadonlyMap<number, number>
/** Stands for the number 1 where bits have numbers, which begin at 0. */
const one = -1
type Form = Digits | Sum

const isPower = (n: number): boolean => n >= 1 && Number.isInteger(Math.log2(n))
const and = (a: Digit, b: Digit): Digit | undefined =>
  a === 0 || b === 0 ? 0 : a === 1 ? b : b === 1 || a === b ? a : a === opposite(b) ? 0 : undefined
const isDigits = (x: Form): x is Digits => Array.isArray(x)
const padded = (d: Digits): Digits =>
  d.length < digitsOfNumber ? [...d, ...Array.from({ length: digitsOfNumber - d.length }, () => 0)] : d
const ofNumber = (n: number): Form => digitsOf(new Map([[one, n]])) ?? new Map([[one, n]])

/** Each bit has a digit of its own, and the rest is in others. */
function digitsOf(sum: Form): Digits | undefined {
  if (isDigits(sum)) return sum
  const out: Digit[] = new Array<Digit>(digitsOfNumber).fill(0)
  let rest = sum.get(one) ?? 0
  for (const [bit, c] of sum) {
    const plain = isPower(c >>> 0),
      weight = plain ? c >>> 0 : -c >>> 0,
      p = 31 - Math.clz32(weight)
    if (bit === one) continue
    if (!isPower(weight) || out[p] !== 0) return undefined
    out[p] = digitOfBit(bit) ^ (plain ? 0 : 1)
    if (!plain) rest -= weight
  }
  for (let left = rest >>> 0; left !== 0; ) {
    const p = 31 - Math.clz32(left)
    left -= 2 ** p
    if (out[p] !== 0) return undefined
    out[p] = 1
  }
  return out
}

function sumOf(x: Form): Sum {
  if (!isDigits(x)) return x
  const sum = new Map<number, number>()
  x.forEach((d, p) => {
    if (d & 1) note(sum, one, 2 ** p)
    if (!isKnown(d)) note(sum, (d >> 1) - 1, d & 1 ? -(2 ** p) : 2 ** p)
  })
  return sum
}

function note(sum: Map<number, number>, bit: number, c: number): void {
  const next = ((sum.get(bit) ?? 0) + c) | 0
  if (next === 0) sum.delete(bit)
  else sum.set(bit, next)
}

/** x + sign × y. */
function plus(x: Form, y: Form, sign: number): Form {
  if (sign === 1 && isDigits(x) && isDigits(y) && x.every((d, p) => d === 0 || y[p] === 0))
    return x.map((d, p) => d | y[p]!) // as many
  const sum = new Map(sumOf(x))
  for (const [bit, c] of sumOf(y)) note(sum, bit, sign * c)
  return digitsOf(sum) ?? sum
}

function scaled(x: Form, by: number): Form {
  const p = by >= 1 ? Math.log2(by) : -1
  if (isDigits(x) && isPower(by)) return [...Array.from({ length: p }, () => 0), ...x.slice(0, digitsOfNumber - p)]
  return new Map(
    [...sumOf(x)].flatMap(([bit, c]) => {
      const n = Math.imul(c, by)
      return n === 0 ? [] : [[bit, n] as const]
    }),
  )
}

/** ⌊x / 2^by⌋ of what is not negative. */
function moved(x: Form, by: number): Digits | undefined {
  const d = digitsOf(x)
  return d?.[digitsOfNumber - 1] === 0 ? padded(d.slice(by)) : undefined
}

/** x mod `by`, a power of two, of what is not negative. */
function remainder(x: Form, by: number): Digits | undefined {
  const d = digitsOf(x)
  return d?.[digitsOfNumber - 1] === 0 ? d.map((v, p) => (2 ** p < by ? v : 0)) : undefined
}

/** Digit by digit. */
function paired(x: Form, y: Form, f: (a: Digit, b: Digit) => Digit | undefined): Digits | undefined {
  const a = digitsOf(x),
    b = digitsOf(y),
    out = a && b?.map((d, p) => f(a[p]!, d)) // as many
  return out?.every((d) => d !== undefined) ? out : undefined
}
