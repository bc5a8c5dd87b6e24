// In: operations on block indices and constants. Out: terms, numbers that one block has as a whole, equal terms once.
// The one idea: hash-consed expressions (value numbering), each with a function that computes it for a block. 32-bit
// terms wrap as registers do and are read as signed; 64-bit terms are exact while they fit a double and NaN beyond.
// It knows nothing of threads.
import { evaluate, type OpName, type ScalarType, type Value } from '../../ir/index.ts'

/** A number that depends on the block alone. */
export interface Term {
  readonly id: number
  /** The value where no block index is in it. */
  readonly constant: number | null
  /** Bit 0, 1, 2: the block's index along x, y, z is in it. */
  readonly axes: number
  /** Its value in a block, signed; NaN where it is not known. */
  readonly at: (x: number, y: number, z: number) => number
  /** The same without constants added to it: what differences between blocks need. */
  readonly moving: Term
}

const isWide = (type: ScalarType): boolean => type === 'i64' || type === 'u64'

/** What a 32-bit register holds, read as signed; a double while it is exact for 64 bits. */
const settled = (value: number, wide: boolean): number => {
  if (!wide) return value | 0
  return Number.isSafeInteger(value) ? value : NaN
}

export class Terms {
  private readonly known = new Map<string, Term>()
  readonly zero: Term = this.constant(0)

  constant(value: number): Term {
    return this.made(`c${value}`, () => ({ constant: value, axes: 0, at: () => value }))
  }

  /** The block's index along an axis. */
  block(axis: 0 | 1 | 2): Term {
    return this.made(`b${axis}`, () => ({ constant: null, axes: 1 << axis, at: (...block) => block[axis] }))
  }

  add(a: Term, b: Term, wide: boolean): Term {
    if (b.constant === 0) return a
    if (a.constant === 0) return b
    const constant = this.folded([a, b], ([x, y]) => settled(x! + y!, wide))
    if (constant) return constant
    const [left, right] = a.constant === null ? [a, b] : [b, a]
    return this.made(
      `+${wide} ${left.id} ${right.id}`,
      () => ({
        constant: null,
        axes: left.axes | right.axes,
        at: (x, y, z) => settled(left.at(x, y, z) + right.at(x, y, z), wide),
      }),
      right.constant === null ? undefined : left.moving,
    )
  }

  scale(a: Term, factor: number, wide: boolean): Term {
    if (factor === 1) return a
    const product = (x: number): number => (wide ? settled(x * factor, true) : Math.imul(x, factor))
    if (a.constant !== null) return this.constant(product(a.constant))
    return this.made(`*${wide} ${a.id} ${factor}`, () => ({
      constant: null,
      axes: a.axes,
      at: (x, y, z) => product(a.at(x, y, z)),
    }))
  }

  /** ⌊a ÷ by⌋ */
  quotient(a: Term, by: number): Term {
    if (a.constant !== null) return this.constant(Math.floor(a.constant / by))
    return this.made(`/ ${a.id} ${by}`, () => ({
      constant: null,
      axes: a.axes,
      at: (x, y, z) => Math.floor(a.at(x, y, z) / by),
    }))
  }

  /** Any operation on integers or bools, as `ir` defines it. */
  op(op: OpName, from: ScalarType, to: ScalarType, args: readonly Term[]): Term {
    const value = (values: readonly number[]): number => {
      if (values.some((v) => Number.isNaN(v))) return NaN
      const host = values.map((v, i) => hostValue(v, op === 'select' && i === 0 ? 'bool' : from))
      return settled(signedOf(evaluate(op, from, host, to)), isWide(to))
    }
    return (
      this.folded(args, value) ??
      this.made(`${op} ${from} ${to} ${args.map((a) => a.id).join(' ')}`, () => ({
        constant: null,
        axes: args.reduce((all, a) => all | a.axes, 0),
        at: (x, y, z) => value(args.map((a) => a.at(x, y, z))),
      }))
    )
  }

  private folded(args: readonly Term[], value: (values: readonly number[]) => number): Term | null {
    const constants = args.flatMap((a) => (a.constant === null ? [] : [a.constant]))
    return constants.length === args.length ? this.constant(value(constants)) : null
  }

  private made(key: string, make: () => Pick<Term, 'constant' | 'axes' | 'at'>, moving?: Term): Term {
    const known = this.known.get(key)
    if (known) return known
    const { constant, axes, at: computed } = make()
    const at = constant === null ? alongOneAxis(axes, computed) : computed
    const id = this.known.size
    const term: Term = {
      id,
      constant,
      axes,
      at,
      get moving(): Term {
        return moving ?? term
      },
    }
    this.known.set(key, term)
    return term
  }
}

/**
 * `at`, asked once for each index of the axis when it depends on one: all blocks of a large grid ask, and along one
 * axis indices are few.
 */
function alongOneAxis(axes: number, at: Term['at']): Term['at'] {
  const axis = [1, 2, 4].indexOf(axes)
  if (axis < 0) return at
  const answers: (number | undefined)[] = []
  return (...block) => {
    const n = block[axis]! // three of three
    return (answers[n] ??= at(...block))
  }
}

/** A signed number as `evaluate` takes it. */
function hostValue(value: number, type: ScalarType): Value {
  switch (type) {
    case 'i64':
      return BigInt(value)
    case 'u64':
      return BigInt.asUintN(64, BigInt(value))
    case 'u32':
      return value >>> 0
    case 'bool':
    case 'i32':
    case 'f16':
    case 'f32':
    case 'f64':
      return value
  }
}

const signedOf = (value: Value): number => (typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : value)
