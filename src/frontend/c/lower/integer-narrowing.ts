// In: a lowered program whose counters and sizes have the types of C (`unsigned`, `long`, `size_t`). Out: the same,
// with int for what is computed in those types wherever that is the same number. The one idea: bit-width analysis
// (Stephenson, Babb and Amarasinghe 2000): loops, guards and sizes bound what an expression may be; where it fits 31
// bits and, in a type without a sign, is not negative, int gives it as well. Everything else stays in its own type.
import {
  mirrors,
  isOfSizes,
  isOrdering,
  isComparison,
  affineOf,
  disjuncts,
  eachStmt,
  implies,
  insideLoop,
  int,
  linearForm,
  literal,
  mapAll,
  mul,
  op,
  polynomialOf,
  sizeDomain,
  whereHolds,
  type Domain,
  type Expr,
  type Loop,
  type LoopStmt,
  type MemoryType,
  type OpName,
  type Program,
  type ScalarType,
} from '../../../ir/index.ts'
import { convert, isShortShift, wideTypes } from './expressions.ts'
import { additive, countsIn, mostPerSize, withReach } from './signed-counters.ts'

/**
 * `p` with int where it suffices. Sizes that stand in sums like i + n - 1 are bounded by `Size.reach`, so that these
 * fit. The same object where nothing changes.
 */
export function narrowed(p: Program): Program {
  const types = new Map(p.arrays.map((a) => [a.name, a.type]))
  eachStmt(p.body, (s) => s.kind === 'declare' && types.set(s.array.name, s.array.type))
  const narrowing = new Narrowing(types, countsIn(p))
  const outer = sizeDomain(p)
  const shape = (of: readonly Expr[]): readonly Expr[] => mapAll(of, (e) => narrowing.expr(e, outer))
  const arrays = mapAll(p.arrays, (a) => {
    const made = shape(a.shape)
    return made === a.shape ? a : { ...a, shape: made }
  })
  const body = narrowing.body(p.body, outer)
  if (body === p.body && arrays === p.arrays) return p
  return withReach({ ...p, arrays, body }, narrowing.reach)
}

type Op = Extract<Expr, { kind: 'op' }>
/** At most `perSize` times the largest size and `constant` more, in magnitude. */
interface Magnitude {
  readonly perSize: number
  readonly constant: number
}

const isWide = (e: Expr): boolean => wideTypes.has(e.type)
/** The int that `e` converts. */
const widenedInt = (e: Expr): Expr | undefined =>
  e.kind === 'op' && e.op === 'convert' && e.args[0]?.type === 'i32' ? e.args[0] : undefined
const isUnsigned = (t: ScalarType): boolean => t.startsWith('u')
/** Operations whose last bits the last bits of their operands decide. */
const modular: ReadonlySet<OpName> = new Set([...additive, 'and', 'or', 'xor', 'not'])
/** Operations that give the same number in int as in a wider type, for operands that are the same numbers. */
const narrowable: ReadonlySet<OpName> = new Set(['div', 'rem', 'shr', 'and', 'or', 'xor', 'min', 'max'])
/** What is added to them is at most this: far below what 31 bits hold. */
const mostConstant = 2 ** 27
/** Sizes are shifted by less than this: they are larger in magnitude than what is left of 31 bits. */
const mostShift = 27
/** What a narrow element of memory can be, in magnitude. */
const largestOf: Readonly<Partial<Record<MemoryType, number>>> = { u8: 255, i8: 128, u16: 65535, i16: 32768 }

class Narrowing {
  /** How many times the largest size an int has to hold. */
  reach = 1
  private readonly loops = new Map<string, Magnitude>()

  /** `types`: of the elements of arrays, by their names. */
  constructor(
    private readonly types: ReadonlyMap<string, MemoryType>,
    /** Int variables that are never below 0, and by how much an iteration counts them up. */
    private readonly counts: ReadonlyMap<string, number>,
  ) {}

  body(body: readonly LoopStmt[], d: Domain): readonly LoopStmt[] {
    return mapAll(body, (s) => this.stmt(s, d))
  }

  private stmt(s: LoopStmt, d: Domain): LoopStmt {
    const go = (e: Expr): Expr => this.expr(e, d)
    switch (s.kind) {
      case 'loop':
        return this.loop(s, d)
      case 'if': {
        const condition = go(s.condition),
          then = this.body(s.then, whereHolds(d, condition, true)),
          otherwise = this.body(s.else, whereHolds(d, condition, false))
        const same = condition === s.condition && then === s.then && otherwise === s.else
        return same ? s : { ...s, condition, then, else: otherwise }
      }
      case 'store': {
        const index = mapAll(s.index, go),
          value = go(s.value)
        return index === s.index && value === s.value ? s : { ...s, index, value }
      }
      case 'declare': {
        const shape = mapAll(s.array.shape, go)
        return shape === s.array.shape ? s : { ...s, array: { ...s.array, shape } }
      }
    }
  }

  private loop(s: Loop, d: Domain): Loop {
    const lower = this.expr(s.lower, d),
      upper = this.expr(s.upper, d)
    const own = lower === s.lower && upper === s.upper ? s : { ...s, lower, upper }
    const ends = [lower, upper].map((e) => this.magnitude(e)),
      before = this.loops.get(s.name)
    const isKnown = ends.every((m) => m !== undefined && m.perSize === 0)
    this.loops.set(s.name, {
      perSize: isKnown ? 0 : 1,
      constant: isKnown ? Math.max(...ends.map((m) => m?.constant ?? 0)) : 0,
    })
    const body = this.body(s.body, insideLoop(d, own))
    if (before) this.loops.set(s.name, before)
    else this.loops.delete(s.name)
    return body === own.body ? own : { ...own, body }
  }

  /** `e` of the same type and value. */
  expr(e: Expr, d: Domain): Expr {
    switch (e.kind) {
      case 'const':
      case 'var':
      case 'size':
      case 'scalar':
        return e
      case 'read': {
        const index = mapAll(e.index, (x) => this.expr(x, d))
        return index === e.index ? e : { ...e, index }
      }
      case 'choose': {
        const condition = this.expr(e.condition, d),
          then = this.expr(e.then, whereHolds(d, condition, true)),
          otherwise = this.expr(e.else, whereHolds(d, condition, false))
        const same = condition === e.condition && then === e.then && otherwise === e.else
        return same ? e : { ...e, condition, then, else: otherwise }
      }
      case 'op': {
        const args = this.args(e, d)
        return this.operation(args === e.args ? e : { ...e, args }, d)
      }
    }
  }

  /** Operands, each with what holds where its value is used. */
  private args(e: Op, d: Domain): readonly Expr[] {
    const [a, b, c] = e.args
    if ((e.op === 'land' || e.op === 'lor') && a && b) {
      const first = this.expr(a, d),
        second = this.expr(b, whereHolds(d, first, e.op === 'land'))
      return first === a && second === b ? e.args : [first, second]
    }
    if (e.op === 'select' && a && b && c) {
      const test = this.expr(a, d),
        then = this.expr(b, whereHolds(d, test, true)),
        otherwise = this.expr(c, whereHolds(d, test, false))
      return test === a && then === b && otherwise === c ? e.args : [test, then, otherwise]
    }
    return mapAll(e.args, (x) => this.expr(x, d))
  }

  private operation(e: Op, d: Domain): Expr {
    const [a, b] = e.args
    if (!a || !isWide(a)) return this.ofCounts(e, d)
    if (isComparison(e.op) && b) return this.comparison(e, a, b, d)
    if (e.op === 'convert') return this.conversion(e, a, d)
    if (!narrowable.has(e.op)) return e
    const number = this.exact(e, d)
    if (number) return convert(number, e.type)
    // What an operand is as an int bounds the result, though the whole is none.
    const args = mapAll(e.args, (x) => {
      const own = x.kind === 'op' && x.op !== 'convert' ? this.exact(x, d) : undefined
      return own ? op('convert', [own], x.type) : x
    })
    return args === e.args ? e : { ...e, args }
  }

  /** A conversion of a wide number to fewer bits: they are those of the int that it is, or has come from. */
  private conversion(e: Op, a: Expr, d: Domain): Expr {
    if (isWide(e) && (e.type !== 'u32' || a.type === 'u32')) return e
    const last = e.type === 'i32' && a.kind === 'op' && modular.has(a.op) ? a : undefined,
      number = this.exact(a, d) ?? (e.type === 'u32' ? widenedInt(a) : last)
    return number ? convert(number, e.type) : e
  }

  private comparison(e: Op, a: Expr, b: Expr, d: Domain): Expr {
    const x = this.exact(a, d),
      y = x && this.exact(b, d)
    if (x && y) return op(e.op, [x, y])
    if (a.type === 'u32' && (e.op === 'eq' || e.op === 'ne') && (x ?? this.exact(b, d)))
      return op(e.op, [convert(a, 'i32'), convert(b, 'i32')])
    const isSmall = a.type === 'u64' && [a, b].every((n) => isModular(n) && this.fits(convert(n, 'i32')))
    const inside = a.type === 'u32' || isSmall ? this.window(e.op, a, b, d) : undefined
    // Numbers of 64 bits that are small, or small ones below 0, stand in the same order without their upper bits.
    return inside ?? (isSmall ? op(e.op, [convert(a, 'u32'), convert(b, 'u32')]) : e)
  }

  /**
   * A comparison of a counter that may have passed 0 with an end that has not: (unsigned)x < h where 0 <= x < h, as
   * conditions that say so.
   */
  private window(name: OpName, a: Expr, b: Expr, d: Domain): Expr | undefined {
    const end = this.exact(b, d),
      turned = end ? name : isOrdering(name) ? mirrors[name] : undefined,
      limit = end ?? this.exact(a, d),
      counter = end ? a : b
    if (!limit || !turned || !isModular(counter)) return undefined
    const x = convert(counter, 'i32')
    if (!this.fits(x)) return undefined
    return turned === 'lt' || turned === 'le'
      ? op('land', [op('ge', [x, int(0)]), op(turned, [x, limit])])
      : op('lor', [op('lt', [x, int(0)]), op(turned, [x, limit])])
  }

  /** In int the number that `e` is in its own type, wherever it is computed. */
  private exact(e: Expr, d: Domain): Expr | undefined {
    if (e.kind === 'const')
      return Number(e.value) >= -(2 ** 31) && Number(e.value) < 2 ** 31 ? int(Number(e.value)) : undefined
    if (e.kind === 'choose') {
      const then = this.exact(e.then, whereHolds(d, e.condition, true)),
        otherwise = then && this.exact(e.else, whereHolds(d, e.condition, false))
      return then && otherwise ? { ...e, type: 'i32', then, else: otherwise } : undefined
    }
    if (e.kind !== 'op') return undefined
    const [a, b] = e.args
    if (!a) return undefined
    if (e.op === 'convert') return this.converted(e, a, d)
    if (additive.has(e.op) || (e.op === 'shl' && b && isShortShift(b)))
      return this.inRange(convert(e, 'i32'), e.type, d)
    if (e.op === 'select') {
      const then = this.exact(b!, whereHolds(d, a, true)), // it has three operands
        otherwise = then && this.exact(e.args[2]!, whereHolds(d, a, false))
      return then && otherwise ? op('select', [a, then, otherwise]) : undefined
    }
    if (!narrowable.has(e.op) || !b) return undefined
    const power = b.kind === 'const' ? Number(b.value) : 0
    if (e.op === 'rem' && isUnsigned(e.type) && power > 0 && power <= 2 ** 30 && Number.isInteger(Math.log2(power))) {
      const number = this.exact(a, d)
      // The last bits are the same, whatever stands before them.
      const last = number || !isModular(a) ? undefined : convert(a, 'i32')
      if (last && this.fits(last)) return op('and', [last, int(power - 1)])
    }
    const x = this.exact(a, d),
      y = x && this.exact(b, d)
    const made = x && y && op(e.op, [x, y])
    return made?.kind === 'op' ? this.ofCounts(made, d) : made
  }

  /** What only sizes say in the operations of polynomials: `n << 2` as `n * 4`, and `n & 3` as `n % 4` from 0 on. */
  private ofCounts(e: Op, d: Domain): Expr {
    const [a, b] = e.args,
      n = (b && literal(b)) ?? 0
    if (e.type !== 'i32' || !a || n < 1 || n >= 2 ** 30 || a.kind === 'const' || !isOfSizes(a)) return e
    if (e.op === 'shl' && n < mostShift && polynomialOf(a)) return mul(a, int(2 ** n))
    return e.op === 'and' && (n & (n + 1)) === 0 && this.isNotNegative(a, d) ? op('rem', [a, int(n + 1)]) : e
  }

  private converted(e: Op, a: Expr, d: Domain): Expr | undefined {
    if (a.type === 'bool') return convert(a, 'i32')
    // A sum that counts what wraps in its own type may have left 31 bits, and be none of what its terms say.
    if (a.type === 'i32')
      return !isUnsigned(e.type) || ((a.kind !== 'op' || this.fits(a)) && this.isNotNegative(a, d)) ? a : undefined
    if (!isWide(a)) return undefined
    const number = this.exact(a, d)
    return number && (!isUnsigned(e.type) || isUnsigned(a.type) || this.isNotNegative(number, d)) ? number : undefined
  }

  private inRange(number: Expr, type: ScalarType, d: Domain): Expr | undefined {
    return this.fits(number) && (!isUnsigned(type) || this.isNotNegative(number, d)) ? number : undefined
  }

  /** Whether an int holds every number that `e`, in int, stands for. */
  private fits(e: Expr): boolean {
    const m = this.magnitude(e)
    if (!m || m.perSize > mostPerSize || m.constant > mostConstant) return false
    this.reach = Math.max(this.reach, m.perSize)
    return true
  }

  private magnitude(e: Expr): Magnitude | undefined {
    switch (e.kind) {
      case 'const':
        return { perSize: 0, constant: Math.abs(Number(e.value)) }
      case 'var':
        return this.loops.get(e.name) ?? { perSize: 1, constant: 0 }
      case 'size':
        return { perSize: 1, constant: 0 }
      case 'choose':
        return larger(this.magnitude(e.then), this.magnitude(e.else))
      case 'op':
        return this.magnitudeOf(e)
      case 'read': {
        const type = this.types.get(e.array),
          constant = type && largestOf[type]
        return constant === undefined ? undefined : { perSize: 0, constant }
      }
      case 'scalar':
        return undefined
    }
  }

  private magnitudeOf(e: Op): Magnitude | undefined {
    if (e.op === 'convert') {
      const [a] = e.args
      return a?.type === 'bool' ? { perSize: 0, constant: 1 } : a?.kind === 'read' ? this.magnitude(a) : undefined
    }
    if (e.type !== 'i32') return undefined
    const form = affineOf(e)
    if (form) {
      const terms = [...form.terms].map(([name, c]) => {
        const m = this.loops.get(name) ?? { perSize: 1, constant: 0 }
        return { c, perSize: Math.abs(c) * m.perSize, constant: Math.abs(c) * m.constant }
      })
      // None of them is below 0, but for sizes that may be any integer, so that differences are no larger than sums.
      const sum = (sign: number, key: 'perSize' | 'constant'): number =>
        terms.reduce((n, t) => n + (t.c * sign > 0 ? t[key] : 0), 0)
      return {
        perSize: Math.max(sum(1, 'perSize'), sum(-1, 'perSize')),
        constant: Math.abs(form.constant) + Math.max(sum(1, 'constant'), sum(-1, 'constant')),
      }
    }
    const [a, b, c] = e.args.map((x) => this.magnitude(x))
    switch (e.op) {
      case 'neg':
      case 'shr':
        return a
      case 'add':
      case 'sub':
        return a && b && { perSize: a.perSize + b.perSize, constant: a.constant + b.constant }
      case 'mul':
        return product(a, b)
      case 'shl':
        return b && b.perSize === 0 ? product(a, { perSize: 0, constant: 2 ** b.constant }) : undefined
      case 'div':
        return a
      case 'rem':
        return b && b.perSize === 0 ? b : a
      case 'and':
        return [a, b].find((m) => m?.perSize === 0) ?? larger(a, b)
      case 'min':
      case 'max':
        return larger(a, b)
      case 'select':
        return larger(b, c)
      default:
        return undefined
    }
  }

  private isSmallCount({ array }: Extract<Expr, { kind: 'read' }>): boolean {
    const type = this.types.get(array),
      step = this.counts.get(array)
    if (step !== undefined) this.reach = Math.max(this.reach, step)
    return type === 'u8' || type === 'u16' || step !== undefined
  }

  /** Whether `e`, in int, is at least 0 wherever it is used. */
  private isNotNegative(e: Expr, d: Domain): boolean {
    const value = literal(e)
    if (value !== undefined) return value >= 0
    const linear = linearForm(e, d)
    if (linear && disjuncts(d).every((known) => implies([...known, ...linear.extra], linear.form))) return true
    const is = (x: Expr | undefined): boolean => x !== undefined && this.isNotNegative(x, d)
    if (e.kind === 'choose')
      return (
        this.isNotNegative(e.then, whereHolds(d, e.condition, true)) &&
        this.isNotNegative(e.else, whereHolds(d, e.condition, false))
      )
    if (e.kind === 'read') return this.isSmallCount(e)
    if (e.kind !== 'op') return false
    const [a, b, c] = e.args
    switch (e.op) {
      case 'convert':
        return a !== undefined && (a.type === 'bool' || (a.kind === 'read' && this.isSmallCount(a)))
      case 'add':
      case 'mul':
      case 'div':
      case 'or':
      case 'min':
        return is(a) && is(b)
      case 'rem':
      case 'shr':
        return is(a)
      case 'and':
      case 'max':
        return is(a) || is(b)
      case 'select':
        return (
          a !== undefined &&
          b !== undefined &&
          c !== undefined &&
          this.isNotNegative(b, whereHolds(d, a, true)) &&
          this.isNotNegative(c, whereHolds(d, a, false))
        )
      default:
        return false
    }
  }
}

/** Whether only sums, differences and products of counters, sizes and numbers make `e`. */
const isModular = (e: Expr): boolean =>
  e.kind === 'const' ||
  (e.kind === 'op' &&
    (e.op === 'convert' ? e.args[0]!.type === 'i32' || isModular(e.args[0]!) : additive.has(e.op)) &&
    e.args.every((x) => x.type === 'i32' || isModular(x)))

const larger = (a: Magnitude | undefined, b: Magnitude | undefined): Magnitude | undefined =>
  a && b && { perSize: Math.max(a.perSize, b.perSize), constant: Math.max(a.constant, b.constant) }

function product(a: Magnitude | undefined, b: Magnitude | undefined): Magnitude | undefined {
  if (!a || !b || (a.perSize > 0 && b.perSize > 0)) return undefined
  const [size, number] = a.perSize > 0 ? [a, b] : [b, a]
  return { perSize: size.perSize * number.constant, constant: size.constant * number.constant }
}
