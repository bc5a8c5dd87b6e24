// In: the name of a C library function and lowered arguments. Out: the LoopIR expression. The one idea: a table; the
// plain names (`sqrt`) take the type of their arguments, the names with `f` are float. Functions that no GPU target has
// are left out, so that they are refused by name.
import { constant, op, type Expr, type OpName } from '../../../ir/index.ts'

export interface MathRow {
  readonly arity: 1 | 2 | 3
  /** Result and arguments: a float type, or (`abs`, `min`, `max`) any number. */
  readonly takes: 'float' | 'number'
  /** The result is an int, whatever the arguments are; of `wide` functions what their arguments become. */
  readonly gives?: 'i32'
  /** Arguments have this type, whatever is given. */
  readonly of?: 'i32' | 'u32' | 'u64'
  /** Arguments become long, and so is the result; an int stays one. */
  readonly wide?: true
  /** Only in single precision. */
  readonly single?: true
  readonly build: (args: readonly Expr[]) => Expr
}

const plain = (name: OpName, arity: 1 | 2 | 3 = 1, takes: 'float' | 'number' = 'float'): MathRow => ({
  arity,
  takes,
  build: (args) => op(name, args),
})

/** Nearest integer, halves away from zero: C's `round`, while the op rounds halves to even. */
function roundAway([x]: readonly Expr[]): Expr {
  const whole = op('trunc', [x!]),
    rest = op('abs', [op('sub', [x!, whole])])
  return op('select', [op('ge', [rest, constant(x!.type, 0.5)]), op('add', [whole, op('sign', [x!])]), whole])
}

const timesLog2 =
  (factor: number) =>
  ([x]: readonly Expr[]): Expr =>
    op('mul', [op('log2', [x!]), constant(x!.type, x!.type === 'f64' ? factor : Math.fround(factor))])

/** Small words for formulas; numbers take the type of what they stand with. */
type Term = Expr | number
const typed = (x: Term, by: Term): Expr =>
  typeof x === 'number'
    ? constant(
        typeof by === 'number' ? 'f32' : by.type,
        typeof by !== 'number' && by.type === 'f64' ? x : Math.fround(x),
      )
    : x
const join =
  (name: OpName) =>
  (a: Term, b: Term): Expr =>
    op(name, [typed(a, b), typed(b, a)])
const plus = join('add'),
  minus = join('sub'),
  times = join('mul'),
  over = join('div')
const horner = (x: Expr, coefficients: readonly number[]): Expr =>
  // there is more than one
  coefficients.reduceRight<Term>((sum, c) => (sum === 0 ? c : plus(c, times(x, sum))), 0) as Expr

/** Numerical Recipes' fit of erfc, within 1.2·10⁻⁷ of it everywhere. */
const erfcFit = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
  0.17087277,
]

function erfc([x]: readonly Expr[]): Expr {
  const z = op('abs', [x!]),
    t = over(1, plus(1, times(0.5, z)))
  const tail = times(t, op('exp', [minus(horner(t, erfcFit), times(z, z))]))
  return op('select', [op('lt', [x!, typed(0, x!)]), minus(2, tail), tail])
}

/** Near 0 the first terms of its series, whose next one is below 3·10⁻⁹ there. */
function erf([x]: readonly Expr[]): Expr {
  const series = times(
    times(2 / Math.sqrt(Math.PI), x!),
    horner(times(x!, x!), [1, -1 / 3, 1 / 10, -1 / 42, 1 / 216, -1 / 1320, 1 / 9360]),
  )
  return op('select', [op('lt', [op('abs', [x!]), typed(0.5, x!)]), series, minus(1, erfc([x!]))])
}

/** ln(1 + x) without loss near 0: what rounding took from 1 + x is given back (Kahan). */
function log1p([x]: readonly Expr[]): Expr {
  const u = plus(1, x!),
    lost = minus(u, 1)
  return op('select', [
    op('eq', [lost, typed(0, x!)]),
    x!,
    over(times(op('log', [u]), x!), op('select', [op('eq', [lost, typed(0, x!)]), typed(1, x!), lost])),
  ])
}

/** eˣ − 1 in the same way. */
function expm1([x]: readonly Expr[]): Expr {
  const u = op('exp', [x!]),
    less = minus(u, 1)
  const near = over(times(less, x!), op('log', [u]))
  return op('select', [
    op('eq', [less, typed(0, x!)]),
    x!,
    op('select', [op('lt', [op('abs', [x!]), typed(1, x!)]), near, less]),
  ])
}

const cbrt = ([x]: readonly Expr[]): Expr =>
  times(
    op('sign', [x!]),
    op('select', [op('eq', [x!, typed(0, x!)]), typed(0, x!), op('exp2', [over(op('log2', [op('abs', [x!])]), 3)])]),
  )

/** |x| with the sign of y, of zeros too. */
function copysign([x, y]: readonly Expr[]): Expr {
  const bits = (e: Expr, mask: number): Expr => op('and', [op('bitcast', [e], 'u32'), constant('u32', mask)])
  return op('bitcast', [op('or', [bits(x!, 0x7fffffff), bits(y!, 0x80000000)])], 'f32')
}

/** A question about the bits of a float: its magnitude's, compared with those of infinity. */
const magnitude = (x: Expr): Expr => op('and', [op('bitcast', [x], 'u32'), constant('u32', 0x7fffffff)])
const infinite = (x: Expr): Expr => (x.type === 'f64' ? typed(Infinity, x) : constant('u32', 0x7f800000))
// compilers for GPUs may take it that floats are finite
const sized = (x: Expr): Expr => (x.type === 'f64' ? op('abs', [x]) : magnitude(x))
const asked = (test: (x: Expr) => Expr): MathRow => ({
  arity: 1,
  takes: 'float',
  gives: 'i32',
  build: ([x]) => op('convert', [test(x!)], 'i32'),
})
const isNan = (x: Expr): Expr => (x.type === 'f64' ? op('ne', [x, x]) : op('gt', [magnitude(x), infinite(x)]))
const isNormal = (x: Expr): Expr =>
  op('land', [
    op('lt', [sized(x), infinite(x)]),
    op('ge', [sized(x), x.type === 'f64' ? constant('f64', 2.2250738585072014e-308) : constant('u32', 0x00800000)]),
  ])

/** x = fraction · 2^exponent with the fraction in ½ … 1, from the bits of x; of 0 both are 0. */
function fraction([x]: readonly Expr[]): Expr {
  const bits = op('or', [
    op('and', [op('bitcast', [x!], 'u32'), constant('u32', 0x807fffff)]),
    constant('u32', 0x3f000000),
  ])
  return op('select', [op('eq', [x!, typed(0, x!)]), x!, op('bitcast', [bits], 'f32')])
}
function exponent([x]: readonly Expr[]): Expr {
  const field = op('convert', [op('shr', [magnitude(x!), constant('u32', 23)])], 'i32')
  return op('select', [op('eq', [x!, typed(0, x!)]), constant('i32', 0), op('sub', [field, constant('i32', 126)])])
}

/** A function of bits: its argument is unsigned, its result an int. */
const ofBits = (of: 'u32' | 'u64', build: (x: Expr) => Expr): MathRow => ({
  arity: 1,
  takes: 'number',
  gives: 'i32',
  of,
  build: ([x]) => op('convert', [build(x!)], 'i32'),
})
const counting = (name: string, build: (x: Expr) => Expr): Readonly<Record<string, MathRow>> => ({
  [`__builtin_${name}`]: ofBits('u32', build),
  [`__builtin_${name}l`]: ofBits('u64', build),
  [`__builtin_${name}ll`]: ofBits('u64', build),
})
const one = (x: Expr): Expr => constant(x.type, x.type === 'u64' ? 1n : 1)
const none = (x: Expr): Expr => constant(x.type, x.type === 'u64' ? 0n : 0)

/** From here on 1 + x² is x² and may overflow: arguments of inverse hyperbolic functions are doubled instead. */
const largeArgument = 2 ** 30
const logOfDouble = (x: Expr): Expr => plus(op('log', [x]), Math.LN2)

const asinh = ([x]: readonly Expr[]): Expr => {
  const z = op('abs', [x!]),
    square = times(z, z),
    near = log1p([plus(z, over(square, plus(1, op('sqrt', [plus(square, 1)]))))])
  return times(op('sign', [x!]), op('select', [op('gt', [z, typed(largeArgument, z)]), logOfDouble(z), near]))
}

const acosh = ([x]: readonly Expr[]): Expr => {
  const near = op('log', [plus(x!, op('sqrt', [minus(times(x!, x!), 1)]))])
  return op('select', [op('gt', [x!, typed(largeArgument, x!)]), logOfDouble(x!), near])
}

/** Powers up to this are products: exponentiation by squaring (Knuth, The Art of Computer Programming, 4.6.3). */
const mostFactors = 32

/** x to a whole power from 1 on. */
function wholePower(x: Expr, n: number): Expr {
  if (n === 1) return x
  const half = wholePower(x, Math.floor(n / 2)),
    square = times(half, half)
  return n % 2 === 1 ? times(square, x) : square
}

/** Whole and half powers as products and roots, which targets compute more exactly, and of negative numbers too. */
function power([x, y]: readonly Expr[]): Expr {
  const exponent = y!.kind === 'const' ? Number(y!.value) : NaN
  const size = Math.abs(exponent)
  if (exponent === 0) return typed(1, x!)
  if (!(size <= mostFactors && Number.isInteger(2 * size))) return op('pow', [x!, y!])
  // Of negative exponents the inverse comes first: products may overflow or vanish where the power does not.
  const whole = Math.floor(size),
    factor = exponent < 0 ? over(1, x!) : x!,
    product = whole === 0 ? undefined : wholePower(factor, whole)
  if (whole === size) return product! // from 1 on
  const root = exponent < 0 ? over(1, op('sqrt', [x!])) : op('sqrt', [x!])
  return product ? times(product, root) : root
}

/** 2ⁿ of −126 … 127, from its bits. */
const powerOfTwo = (n: Expr, wide: boolean): Expr =>
  wide
    ? op(
        'bitcast',
        [op('shl', [op('convert', [op('add', [n, constant('i32', 1023)])], 'i64'), constant('i64', 52n)])],
        'f64',
      )
    : op('bitcast', [op('shl', [op('add', [n, constant('i32', 127)]), constant('i32', 23)])], 'f32')

/** x · 2ⁿ, exactly: in three steps, as one power of two need not be a number where the result is. */
function scaled([x, n]: readonly Expr[]): Expr {
  const wide = x!.type === 'f64',
    most = constant('i32', wide ? 2200 : 280)
  const by = op('max', [op('min', [op('convert', [n!], 'i32'), most]), op('neg', [most])])
  const third = op('div', [by, constant('i32', 3)]),
    rest = op('sub', [by, op('mul', [third, constant('i32', 2)])])
  const step = powerOfTwo(third, wide)
  return times(times(times(x!, step), step), powerOfTwo(rest, wide))
}

/**
 * Bounds beyond which squares may overflow or vanish, and the powers of two that bring what is beyond them to where
 * they do not.
 */
const ofSquares = {
  f32: { large: 2 ** 60, down: 2 ** -70, small: 2 ** -60, up: 2 ** 100 },
  f64: { large: 2 ** 500, down: 2 ** -600, small: 2 ** -500, up: 2 ** 700 },
} as const

/** √(x² + y²) whose squares neither overflow nor vanish: scaled by powers of two where they might. */
function hypot([x, y]: readonly Expr[]): Expr {
  const size = op('max', [op('abs', [x!]), op('abs', [y!])]),
    { large, down, small, up } = ofSquares[x!.type === 'f64' ? 'f64' : 'f32']
  const chosen = (whenLarge: number, whenSmall: number): Expr =>
    op('select', [
      op('gt', [size, typed(large, size)]),
      typed(whenLarge, size),
      op('select', [op('lt', [size, typed(small, size)]), typed(whenSmall, size), typed(1, size)]),
    ])
  const scale = chosen(down, up),
    [p, q] = [times(x!, scale), times(y!, scale)]
  return times(op('sqrt', [plus(times(p, p), times(q, q))]), chosen(1 / down, 1 / up))
}

const toInt = (round: (args: readonly Expr[]) => Expr): MathRow => ({
  arity: 1,
  takes: 'float',
  gives: 'i32',
  build: (args) => op('convert', [round(args)], 'i32'),
})
const nearest = ([x]: readonly Expr[]): Expr => op('round', [x!])

/** By the name without a trailing `f`. */
const rows: Readonly<Record<string, MathRow>> = {
  sqrt: plain('sqrt'),
  fabs: plain('abs'),
  exp: plain('exp'),
  exp2: plain('exp2'),
  log: plain('log'),
  log2: plain('log2'),
  sin: plain('sin'),
  cos: plain('cos'),
  tan: plain('tan'),
  asin: plain('asin'),
  acos: plain('acos'),
  atan: plain('atan'),
  sinh: plain('sinh'),
  cosh: plain('cosh'),
  tanh: plain('tanh'),
  floor: plain('floor'),
  ceil: plain('ceil'),
  trunc: plain('trunc'),
  rint: plain('round'),
  nearbyint: plain('round'),
  rsqrt: plain('rsqrt'),
  pow: { arity: 2, takes: 'float', build: power },
  atan2: plain('atan2', 2),
  fmod: plain('rem', 2),
  fmin: plain('min', 2),
  fmax: plain('max', 2),
  fma: plain('fma', 3),
  round: { arity: 1, takes: 'float', build: roundAway },
  log10: { arity: 1, takes: 'float', build: timesLog2(Math.LOG10E * Math.LN2) },
  hypot: { arity: 2, takes: 'float', build: hypot },
  erf: { arity: 1, takes: 'float', single: true, build: erf },
  erfc: { arity: 1, takes: 'float', single: true, build: erfc },
  log1p: { arity: 1, takes: 'float', build: log1p },
  expm1: { arity: 1, takes: 'float', build: expm1 },
  cbrt: { arity: 1, takes: 'float', build: cbrt },
  asinh: { arity: 1, takes: 'float', build: asinh },
  acosh: { arity: 1, takes: 'float', build: acosh },
  atanh: { arity: 1, takes: 'float', build: ([x]) => times(0.5, log1p([over(times(2, x!), minus(1, x!))])) },
  fdim: { arity: 2, takes: 'float', build: ([x, y]) => op('max', [minus(x!, y!), typed(0, x!)]) },
  ldexp: { arity: 2, takes: 'float', build: scaled },
  copysign: { arity: 2, takes: 'float', single: true, build: copysign },
  exp10: { arity: 1, takes: 'float', build: ([x]) => op('pow', [typed(10, x!), x!]) },
  scalbn: { arity: 2, takes: 'float', build: scaled },
  isnan: asked(isNan),
  isinf: asked((x) => op('eq', [sized(x), infinite(x)])),
  isfinite: asked((x) => op('lt', [sized(x), infinite(x)])),
  isnormal: asked(isNormal),
  signbit: {
    ...asked((x) =>
      op('ne', [op('and', [op('bitcast', [x], 'u32'), constant('u32', 0x80000000)]), constant('u32', 0)]),
    ),
    single: true,
  },
  __fraction: { arity: 1, takes: 'float', single: true, build: fraction },
  __exponent: { arity: 1, takes: 'float', gives: 'i32', single: true, build: exponent },
  ...counting('popcount', (x) => op('popcount', [x])),
  ...counting('clz', (x) => op('clz', [x])),
  ...counting('ctz', (x) => op('ctz', [x])),
  ...counting('parity', (x) => op('and', [op('popcount', [x]), one(x)])),
  ...counting('ffs', (x) => op('select', [op('eq', [x, none(x)]), none(x), op('add', [op('ctz', [x]), one(x)])])),
  lround: toInt(roundAway),
  llround: toInt(roundAway),
  lrint: toInt(nearest),
  llrint: toInt(nearest),
  // C's abs is of int: of a float what is behind the point is gone first.
  abs: { ...plain('abs', 1, 'number'), of: 'i32', gives: 'i32' },
  labs: { ...plain('abs', 1, 'number'), wide: true },
  llabs: { ...plain('abs', 1, 'number'), wide: true },
  min: plain('min', 2, 'number'),
  max: plain('max', 2, 'number'),
}

/** The row of `name`, and whether the name says float (`sqrtf`). */
export function mathFunction(name: string): { readonly row: MathRow; readonly single: boolean } | undefined {
  if (name.startsWith('__builtin_') && !Object.hasOwn(rows, name)) return mathFunction(name.slice('__builtin_'.length))
  if (Object.hasOwn(rows, name)) return { row: rows[name]!, single: false }
  const base = name.slice(0, -1)
  const row = name.endsWith('f') && Object.hasOwn(rows, base) ? rows[base] : undefined
  return row?.takes === 'float' ? { row, single: true } : undefined
}
