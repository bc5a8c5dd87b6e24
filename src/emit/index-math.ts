// Index arithmetic on tree values: from byte addresses to element and vector indices, folded so that `(16 * i) / 4`
// prints as `4 * i`. Indices are in bounds where they are used, so they do not wrap and are not negative; what cannot
// be divided exactly by looking is divided by a shift.
import { InternalError } from '../base/index.ts'
import { typeOfValue, type ResourcePlace, type Value } from './tree.ts'

type IndexType = 'i32' | 'u32' | 'i64' | 'u64'

const indexType = (v: Value): IndexType => {
  const type = typeOfValue(v)
  if (type === 'i32' || type === 'u32' || type === 'i64' || type === 'u64') return type
  throw new InternalError('emit/index', `an index of type ${type}`)
}

const literal = (type: IndexType, n: number): Value => ({
  kind: 'const',
  type,
  value: type === 'i64' || type === 'u64' ? BigInt(n) : n,
})
const op = (name: 'add' | 'sub' | 'mul' | 'shr' | 'rem' | 'div', a: Value, b: Value): Value => ({
  kind: 'op',
  op: name,
  type: indexType(a),
  argType: indexType(a),
  args: [a, b],
})
const numberOf = (v: Value): number | null => (v.kind === 'const' ? Number(v.value) : null)

/** v + n. */
export function addNumber(v: Value, n: number): Value {
  const known = numberOf(v)
  if (known !== null) return literal(indexType(v), known + n)
  if (n === 0) return v
  const inner = v.kind === 'op' && (v.op === 'add' || v.op === 'sub') ? numberOf(v.args[1]!) : null
  if (inner !== null && v.kind === 'op') return addNumber(v.args[0]!, n + (v.op === 'add' ? inner : -inner))
  return n > 0 ? op('add', v, literal(indexType(v), n)) : op('sub', v, literal(indexType(v), -n))
}

/** v × n. */
export function multiplyByNumber(v: Value, n: number): Value {
  const known = numberOf(v)
  if (known !== null) return literal(indexType(v), known * n)
  return n === 1 ? v : op('mul', v, literal(indexType(v), n))
}

/** quotient and constant remainder of v by k, when they can be read off. */
export function constantQuotient(v: Value, k: number): { readonly quotient: Value; readonly rest: number } | null {
  if (k === 1) return { quotient: v, rest: 0 }
  const known = numberOf(v)
  if (known !== null) return { quotient: literal(indexType(v), Math.floor(known / k)), rest: ((known % k) + k) % k }
  if (v.kind !== 'op' || v.args.length !== 2) return null
  const [a, b] = [v.args[0]!, v.args[1]!]
  switch (v.op) {
    case 'mul':
      return splitProduct(a, b, k) ?? splitProduct(b, a, k)
    case 'shl': {
      const n = numberOf(b)
      return n === null || n > 30 ? null : splitProduct(a, literal(indexType(a), 2 ** n), k)
    }
    case 'add':
      return splitSum(a, b, k)
    case 'sub': {
      const n = numberOf(b)
      return n === null ? null : splitSum(a, literal(indexType(a), -n), k)
    }
    default:
      return null
  }
}

function splitProduct(a: Value, b: Value, k: number): ReturnType<typeof constantQuotient> {
  const n = numberOf(b)
  if (n !== null && n % k === 0) return { quotient: multiplyByNumber(a, n / k), rest: 0 }
  const part = constantQuotient(a, k)
  if (part?.rest !== 0) return null
  return { quotient: n === null ? op('mul', part.quotient, b) : multiplyByNumber(part.quotient, n), rest: 0 }
}

function splitSum(a: Value, b: Value, k: number): ReturnType<typeof constantQuotient> {
  const x = constantQuotient(a, k),
    y = constantQuotient(b, k)
  if (!x || !y) return null
  const rest = x.rest + y.rest
  const n = numberOf(y.quotient),
    m = numberOf(x.quotient)
  const sum =
    n !== null ? addNumber(x.quotient, n) : m !== null ? addNumber(y.quotient, m) : op('add', x.quotient, y.quotient)
  return { quotient: addNumber(sum, Math.floor(rest / k)), rest: rest % k }
}

/** Index in units of `unit` bytes: (index × stride + offset) ÷ unit, which is whole. */
export function unitIndex(place: ResourcePlace, unit: number): Value {
  const { index, stride, offset } = place
  if (stride % unit === 0 && offset % unit === 0)
    return addNumber(multiplyByNumber(index, stride / unit), offset / unit)
  if (stride > 0 && unit % stride === 0 && offset % stride === 0)
    return quotient(addNumber(index, offset / stride), unit / stride)
  return quotient(addNumber(multiplyByNumber(index, stride), offset), unit)
}

/** The constant that ends a sum, and what is before it. */
function constantTail(v: Value): { readonly base: Value; readonly n: number } {
  const n = v.kind === 'op' && (v.op === 'add' || v.op === 'sub') ? numberOf(v.args[1]!) : null
  return n === null || v.kind !== 'op' ? { base: v, n: 0 } : { base: v.args[0]!, n: v.op === 'add' ? n : -n }
}

/**
 * v ÷ k rounded down, v ≥ 0. Whole multiples of k in a constant stay outside, so that they become offsets of one base.
 */
export function quotient(v: Value, k: number): Value {
  const exact = constantQuotient(v, k)
  if (exact) return exact.quotient
  const { base, n } = constantTail(v)
  const whole = Math.floor(n / k)
  if (whole !== 0) return addNumber(quotient(addNumber(base, n - whole * k), k), whole)
  return Number.isInteger(Math.log2(k))
    ? op('shr', v, literal('u32', Math.log2(k)))
    : op('div', v, literal(indexType(v), k))
}

/**
 * v mod k, v ≥ 0: a number when it can be read off, else unsigned, which Tint sees to be below k. `k` is a power of
 * two.
 */
export function remainderByPowerOfTwo(v: Value, k: number): Value | number {
  const exact = constantQuotient(v, k)
  const { base, n } = constantTail(v)
  if (exact) return exact.rest
  const whole = addNumber(base, n - Math.floor(n / k) * k),
    type = indexType(v)
  return op(
    'rem',
    type === 'u32' ? whole : { kind: 'op', op: 'convert', type: 'u32', argType: type, args: [whole] },
    literal('u32', k),
  )
}
