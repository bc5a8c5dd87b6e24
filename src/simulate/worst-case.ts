// In: a verified kernel, a target and a seed. Out: the kernel as an adversary who keeps that target's promises would
// run it: inexact results are moved by up to their allowed error, results for which nothing is promised are NaN. The
// one idea: this is a rewrite of KernelIR (adversarial semantics by instrumentation), so that the compiled simulator
// and the reference run it without knowing of it. It does not move sums and products, which targets round to nearest,
// nor half precision, and it leaves hazards (races, bounds, uninitialised memory) to the simulator.
import {
  isComparison,
  allowanceOf,
  constOf,
  mapUses,
  mostExact,
  mostFactors as factorsAtMost,
  plainKernel,
  promiseOf,
  unbounded,
  verifyKernel,
  type Allowed,
  type Kernel,
  type Open,
  type OpName,
  type Operand,
  type Reg,
  type ScalarType,
  type Stmt,
  type TargetName,
  type Verified,
} from '../ir/index.ts'

export interface WorstCase {
  readonly target: TargetName
  /** Chooses how far each result moves, and which way. */
  readonly seed: number
  /** Quotients and roots of this kernel are emitted rounded to nearest. */
  readonly rounded: boolean
}

const known = new WeakMap<Kernel, Map<string, Verified<Kernel>>>()

/** The kernel as `worst.target` may run it; the kernel itself where nothing in it is inexact or open. */
export function worstCase(kernel: Verified<Kernel>, worst: WorstCase): Verified<Kernel> {
  const key = `${worst.target} ${worst.seed} ${worst.rounded}`
  const made = known.get(kernel) ?? new Map<string, Verified<Kernel>>()
  known.set(kernel, made)
  const found = made.get(key) ?? new Adversary(kernel, worst).kernel()
  made.set(key, found)
  return found
}

/** Largest number of units by which one result is moved, where arguments make it grow. */
const mostUnits = 2 ** 20
/** Odd multipliers that spread bits (Steele and Vigna, splitmix). */
const spread = 0x9e3779b1

const wordOf = (type: 'f32' | 'f64'): 'u32' | 'u64' => (type === 'f32' ? 'u32' : 'u64')

class Adversary {
  private readonly registers: Reg[]
  private readonly given: Verified<Kernel>
  private readonly worst: WorstCase
  private changed = false
  private out: Stmt[] = []

  constructor(given: Verified<Kernel>, worst: WorstCase) {
    this.given = given
    this.worst = worst
    this.registers = [...given.registers]
  }

  kernel(): Verified<Kernel> {
    const plain = plainKernel(this.given)
    const body = this.list(plain.body)
    return this.changed ? verifyKernel({ ...plain, registers: this.registers, body }) : this.given
  }

  private list(statements: readonly Stmt[]): readonly Stmt[] {
    const before = this.out
    const own: Stmt[] = []
    this.out = own
    for (const s of statements) {
      if (s.kind === 'op') this.operation(s)
      else
        own.push(
          s.kind === 'if' || s.kind === 'loop'
            ? mapUses(
                s,
                (o) => o,
                (inner) => this.list(inner),
              )
            : s,
        )
    }
    this.out = before
    return own
  }

  private operation(s: Extract<Stmt, { kind: 'op' }>): void {
    const { type } = s.dst
    const row = promiseOf(s.op, this.worst.target, this.worst.rounded)
    const allowed = allowanceOf(row, type)
    const open = type === 'f32' ? (row.open ?? []) : []
    const isNamed = s.args[0]?.type === type && (type === 'f32' || type === 'f64')
    if (!isNamed || (allowed.kind === 'exact' && open.length === 0)) {
      this.out.push(s)
      return
    }
    this.changed = true
    const result = this.register(type, s.dst.name)
    this.out.push({ ...s, dst: result })
    const moved = this.moved(allowed, type as 'f32' | 'f64', result, s.args) // one of the two, as just asked
    const poisoned = open.reduce<Operand>((value, o) => this.poisoned(o, value, s.args), moved)
    this.out.push({ kind: 'op', op: 'copy', dst: s.dst, args: [poisoned], free: true })
  }

  private moved(allowed: Allowed, type: 'f32' | 'f64', r: Reg, args: readonly Operand[]): Operand {
    switch (allowed.kind) {
      case 'exact':
        return r
      case 'ulp':
        return this.byUnits(type, r, this.units(allowed, type, r, args))
      case 'absolute':
        return this.byDistance(type, r, this.distance(allowed, type, r))
      case 'logarithm': {
        const a = args[0]! // one argument
        const inside = this.op('land', [this.op('ge', [a, constOf(type, 0.5)]), this.op('le', [a, constOf(type, 2)])])
        const near = this.byDistance(type, r, constOf(type, allowed.absolute))
        return this.op('select', [inside, near, this.byUnits(type, r, constOf('u32', allowed.ulp))])
      }
    }
  }

  /** Whole units by which the result may move, as u32. */
  private units(
    allowed: Extract<Allowed, { kind: 'ulp' }>,
    type: 'f32' | 'f64',
    r: Operand,
    [a, b]: readonly Operand[],
  ): Operand {
    const { perArgument, perExponent, perLogarithm } = allowed
    if (!perArgument && !perExponent && !perLogarithm) return constOf('u32', Math.floor(allowed.ulp))
    const of = (factor: number, x: Operand): Operand => this.op('mul', [this.op('abs', [x]), constOf(type, factor)])
    let units: Operand = constOf(type, allowed.ulp)
    if (perArgument) units = this.op('add', [units, of(perArgument, a!)]) // it has an argument
    if (perExponent) units = this.op('add', [units, of(perExponent, b!)]) // powers have two
    if (perLogarithm) {
      const product = this.op('mul', [b!, this.op('log2', [this.op('abs', [a!])])]) // as above
      units = this.op('add', [units, of(perLogarithm, product)])
    }
    // Infinity and NaN become the limit.
    const most = this.op('convert', [this.op('min', [units, constOf(type, mostUnits)])], 'u32')
    // powers have two
    return allowed.wholePowers ? this.op('select', [this.isWhole(type, a!, b!, r), constOf('u32', 0), most]) : most
  }

  /** Whether a power is a product of few whole factors, and no larger than what is exact. */
  private isWhole(type: 'f32' | 'f64', a: Operand, b: Operand, r: Operand): Operand {
    const whole = (x: Operand): Operand => this.op('eq', [this.op('trunc', [x]), x])
    const few = this.op('land', [
      this.op('ge', [b, constOf(type, 0)]),
      this.op('le', [b, constOf(type, factorsAtMost)]),
    ])
    const small = this.op('le', [this.op('abs', [r]), constOf(type, mostExact)])
    return this.op('land', [this.op('land', [whole(a), whole(b)]), this.op('land', [few, small])])
  }

  /** r moved by −units … units of the last place, by bits; 0, denormal and no finite numbers stay. */
  private byUnits(type: 'f32' | 'f64', r: Reg, units: Operand): Operand {
    const word = wordOf(type),
      bits = this.op('bitcast', [r], word)
    const wide = this.op('add', [this.op('add', [units, units]), constOf('u32', 1)])
    const by = this.op('sub', [this.op('mulhi', [this.hash(bits, type), wide]), units])
    const exponent = this.op('and', [
      bits,
      type === 'f32' ? constOf('u32', 0x7f800000) : constOf('u64', 0x7ff0000000000000n),
    ])
    const zero = type === 'f32' ? constOf('u32', 0) : constOf('u64', 0n)
    const top = type === 'f32' ? constOf('u32', 0x7f800000) : constOf('u64', 0x7ff0000000000000n)
    const isNormal = this.op('land', [this.op('ne', [exponent, zero]), this.op('ne', [exponent, top])])
    const signed = type === 'f32' ? by : this.op('convert', [this.op('bitcast', [by], 'i32')], 'i64')
    const step = type === 'f32' ? signed : this.op('bitcast', [signed], 'u64')
    const other = this.op('add', [bits, step])
    return this.op('select', [isNormal, this.op('bitcast', [other], type), r])
  }

  private distance(allowed: Extract<Allowed, { kind: 'absolute' }>, type: 'f32' | 'f64', r: Reg): Operand {
    let most: Operand = constOf(type, allowed.absolute)
    if (!allowed.relative && !allowed.grown) return most
    const size = this.op('abs', [r])
    if (allowed.relative) most = this.op('add', [most, this.op('mul', [size, constOf(type, allowed.relative)])])
    if (allowed.grown) {
      const one = this.op('add', [size, constOf(type, 1)])
      const share = this.op('mul', [one, constOf(type, allowed.grown)])
      const far = this.op('ge', [share, constOf(type, unbounded)])
      most = this.op('add', [most, this.op('mul', [one, share])])
      most = this.op('select', [far, constOf(type, Infinity), most])
    }
    return most
  }

  /** r moved by −most … most. */
  private byDistance(type: 'f32' | 'f64', r: Reg, most: Operand): Operand {
    const hash = this.hash(this.op('bitcast', [r], wordOf(type)), type)
    const share = this.op('mul', [
      this.op('convert', [this.op('bitcast', [hash], 'i32')], type),
      constOf(type, 2 ** -31),
    ])
    return this.op('add', [r, this.op('mul', [share, most])])
  }

  /** A u32 that depends on all bits of a result and on the seed. */
  private hash(bits: Operand, type: 'f32' | 'f64'): Operand {
    let word = bits
    if (type === 'f64') {
      const folded = this.op('xor', [bits, this.op('shr', [bits, constOf('u64', 32n)])])
      word = this.op('convert', [folded], 'u32')
    }
    const once = this.op('mul', [this.op('add', [word, constOf('u32', this.worst.seed)]), constOf('u32', spread)])
    const mixed = this.op('xor', [once, this.op('shr', [once, constOf('u32', 15)])])
    return this.op('mul', [mixed, constOf('u32', spread)])
  }

  private poisoned(open: Open, value: Operand, args: readonly Operand[]): Operand {
    const size = this.op('abs', [args[open.argument]!]) // rows name arguments that there are
    const poison = constOf('f32', NaN)
    if ('above' in open) return this.op('select', [this.op('gt', [size, constOf('f32', open.above)]), poison, value])
    const inside = this.op('land', [
      this.op('lt', [size, constOf('f32', open.below)]),
      this.op('gt', [size, constOf('f32', 0)]),
    ])
    return this.op('select', [inside, poison, value])
  }

  private register(type: ScalarType, name: string): Reg {
    const made: Reg = { kind: 'reg', id: this.registers.length, type, name }
    this.registers.push(made)
    return made
  }

  private op(op: OpName, args: readonly Operand[], type?: ScalarType): Reg {
    const last = args[args.length - 1]! // every operation has an argument
    const dst = this.register(type ?? (isComparison(op) ? 'bool' : last.type), 'worst')
    this.out.push({ kind: 'op', op, dst, args, free: true })
    return dst
  }
}
