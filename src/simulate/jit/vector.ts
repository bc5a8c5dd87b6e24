// In: an op and v128 locals that hold four lanes of each argument. Out: instructions that fill the result's locals. The
// one idea: four lanes are one v128 of 32-bit values or a pair for 64-bit types; bool is a lane mask of 32 bits; what
// SIMD lacks goes lane by lane through the scalar form.
import { InternalError } from '../../base/index.ts'
import { isFloat, type OpName, type ScalarType } from '../../ir/index.ts'
import { simd as v, type Func } from '../wasm.ts'
import { isWide, scalarOp, wasmType, type MathImports } from './scalar.ts'

/** v128 locals of four lanes: one, or two for 64-bit types. */
export type Chunk = readonly number[]
/** An argument: its chunk, and the scalar local when all lanes hold the same value. */
export interface VectorArg {
  readonly chunk: Chunk
  readonly scalar?: number
  readonly literal?: number | bigint
}

export const vectorsPerValue = (type: ScalarType): number => (isWide(type) ? 2 : 1)

const narrowBytes = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
const oddBytes = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]
const lowBytes = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]

function simdOf(name: string): number {
  const code = (v as Readonly<Record<string, number>>)[name]
  if (code === undefined) throw new InternalError('simulate/jit', `no SIMD opcode ${name}`)
  return code
}

function shape(type: ScalarType): 'i32x4' | 'i64x2' | 'f32x4' | 'f64x2' {
  switch (wasmType(type)) {
    case 'i32':
      return 'i32x4'
    case 'i64':
      return 'i64x2'
    case 'f32':
      return 'f32x4'
    default:
      return 'f64x2'
  }
}

/** Fills `out` with `op` of `args`. `from` is the arguments' type, `to` the result's. */
export function vectorOp(
  f: Func,
  math: MathImports,
  op: OpName,
  from: ScalarType,
  to: ScalarType,
  args: readonly VectorArg[],
  out: Chunk,
): void {
  if (direct(f, op, from, to, args, out)) return
  laneByLane(f, math, op, from, to, args, out)
}

/** The SIMD form; false when there is none (then nothing was written). */
function direct(
  f: Func,
  op: OpName,
  from: ScalarType,
  to: ScalarType,
  args: readonly VectorArg[],
  out: Chunk,
): boolean {
  const a = args.map((x) => x.chunk)
  switch (op) {
    case 'copy':
      out.forEach((d, i) => f.get(a[0]![i]!).set(d))
      return true
    case 'bitcast':
      out.forEach((d, i) => f.get(a[0]![i]!).set(d))
      return true
    case 'select':
      select(f, a, out)
      return true
    case 'land':
      f.get(a[0]![0]!).get(a[1]![0]!).simd(v.and).set(out[0]!)
      return true
    case 'lor':
      f.get(a[0]![0]!).get(a[1]![0]!).simd(v.or).set(out[0]!)
      return true
    case 'lnot':
      f.get(a[0]![0]!).simd(v.not).set(out[0]!)
      return true
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      compare(f, op, from, a, out[0]!)
      return true
    case 'convert':
      return convert(f, from, to, a[0]!, out)
    default:
      return isFloat(from as 'f32') ? floatDirect(f, op, from, a, out) : integerDirect(f, op, from, args, out)
  }
}

/** Bitwise choice; a 32-bit lane mask is widened for 64-bit values. */
function select(f: Func, [c, x, y]: readonly Chunk[], out: Chunk): void {
  const wide = out.length === 2
  out.forEach((d, i) => {
    f.get(x![i]!).get(y![i]!).get(c![0]!)
    if (wide) f.simd(i === 0 ? v.i64x2_extend_low_s : v.i64x2_extend_high_s)
    f.simd(v.bitselect).set(d)
  })
}

function compare(
  f: Func,
  op: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge',
  type: ScalarType,
  [x, y]: readonly Chunk[],
  out: number,
): void {
  const s = shape(type)
  const plain = isFloat(type as 'f32') || s === 'i64x2' || op === 'eq' || op === 'ne'
  const order =
    type === 'i64' || type === 'u64'
      ? op === 'eq' || op === 'ne'
        ? ''
        : '_s'
      : plain
        ? ''
        : type === 'i32'
          ? '_s'
          : '_u'
  if (type === 'bool') {
    f.get(x![0]!)
      .get(y![0]!)
      .simd(op === 'eq' ? v.i32x4_eq : v.i32x4_ne)
      .set(out)
    return
  }
  x!.forEach((_, i) => {
    for (const arg of [x!, y!]) {
      f.get(arg[i]!)
      // Unsigned 64-bit order is signed order after flipping the top bit.
      if (type === 'u64' && order !== '') f.v128([0, -2147483648, 0, -2147483648]).simd(v.xor)
    }
    f.simd(simdOf(`${s}_${op}${order}`))
  })
  if (x!.length === 2) f.shuffle(narrowBytes)
  f.set(out)
}

function each(f: Func, name: string, a: readonly Chunk[], out: Chunk): true {
  out.forEach((d, i) => {
    for (const x of a) f.get(x[i]!)
    f.simd(simdOf(name)).set(d)
  })
  return true
}

/** Rounds four f32 to f16 in place: ties to even on the 13 dropped bits; below 2⁻¹⁴ by adding ½, whose unit is 2⁻²⁴. */
function roundVector16(f: Func, x: number): void {
  const [magnitude, sign] = [f.local('v128'), f.local('v128')]
  const word = (w: number): Func => f.v128([w, w, w, w])
  f.get(x)
  word(-2147483648).simd(v.and).set(sign)
  f.get(x)
  word(0x7fffffff).simd(v.and).set(magnitude)
  // Small: (|x| + 0.5) − 0.5.
  f.get(magnitude)
  word(0x3f000000).simd(v.f32x4_add)
  word(0x3f000000).simd(v.f32x4_sub)
  // Normal: add half a unit (less one when even) and cut.
  f.get(magnitude).get(magnitude).i32(13).simd(v.i32x4_shr_u)
  word(1).simd(v.and).simd(v.i32x4_add)
  word(0xfff).simd(v.i32x4_add)
  word(~0x1fff).simd(v.and)
  f.get(magnitude)
  word(0x38800000).simd(v.i32x4_lt_u).simd(v.bitselect).set(x)
  // From 65520 on infinity; NaN stays.
  word(0x7f800000).get(x).get(magnitude)
  word(0x477ff000).simd(v.i32x4_ge_u).simd(v.bitselect).set(x)
  f.get(magnitude).get(x).get(magnitude)
  word(0x7f800000).simd(v.i32x4_gt_u).simd(v.bitselect).get(sign).simd(v.or).set(x)
  f.release('v128', magnitude)
  f.release('v128', sign)
}

function floatDirect(f: Func, op: OpName, type: ScalarType, a: readonly Chunk[], out: Chunk): boolean {
  const s = shape(type)
  const rounded = (): true => {
    if (type === 'f16') roundVector16(f, out[0]!)
    return true
  }
  switch (op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
      each(f, `${s}_${op}`, a, out)
      return rounded()
    case 'sqrt':
      each(f, `${s}_sqrt`, a, out)
      return rounded()
    case 'neg':
    case 'abs':
    case 'floor':
    case 'ceil':
    case 'trunc':
      return each(f, `${s}_${op}`, a, out)
    case 'round':
      return each(f, `${s}_nearest`, a, out)
    case 'fma':
      return fma(f, type, s, a, out)
    case 'min':
    case 'max':
      minMax(f, s, op, a, out)
      return true
    case 'sign':
      sign(f, s, a[0]!, out)
      return true
    case 'rcp':
      out.forEach((d, i) => {
        one(f, s)
        f.get(a[0]![i]!)
          .simd(simdOf(`${s}_div`))
          .set(d)
      })
      return rounded()
    case 'rsqrt':
      return type !== 'f16' && rsqrt(f, s, a[0]!, out)
    default:
      return false
  }
}

/** Rounds twice, as the reference does. */
function fma(f: Func, type: ScalarType, s: string, a: readonly Chunk[], out: Chunk): true {
  const product = type === 'f16' ? f.local('v128') : -1
  out.forEach((d, i) => {
    f.get(a[0]![i]!)
      .get(a[1]![i]!)
      .simd(simdOf(`${s}_mul`))
    if (product >= 0) {
      f.set(product)
      roundVector16(f, product)
      f.get(product)
    }
    f.get(a[2]![i]!)
      .simd(simdOf(`${s}_add`))
      .set(d)
    if (product >= 0) roundVector16(f, d)
  })
  if (product >= 0) f.release('v128', product)
  return true
}

function one(f: Func, s: string): void {
  if (s === 'f32x4') f.f32(1).simd(v.f32x4_splat)
  else f.f64(1).simd(v.f64x2_splat)
}
function zero(f: Func): void {
  f.v128([0, 0, 0, 0])
}

function minMax(f: Func, s: string, op: 'min' | 'max', [x, y]: readonly Chunk[], out: Chunk): void {
  out.forEach((d, i) => {
    const [p, q] = [x![i]!, y![i]!]
    f.get(p)
    f.get(q)
      .get(p)
      .get(q)
      .simd(simdOf(`${s}_${op}`))
      .get(p)
      .get(p)
      .simd(simdOf(`${s}_ne`))
      .simd(v.bitselect)
    f.get(q)
      .get(q)
      .simd(simdOf(`${s}_ne`))
      .simd(v.bitselect)
      .set(d)
  })
}

function sign(f: Func, s: string, x: Chunk, out: Chunk): void {
  out.forEach((d, i) => {
    const p = x[i]!
    one(f, s)
    one(f, s)
    f.simd(simdOf(`${s}_neg`))
      .get(p)
      .get(p)
    zero(f)
    f.simd(simdOf(`${s}_lt`)).simd(v.bitselect)
    f.get(p)
    zero(f)
    f.simd(simdOf(`${s}_gt`))
      .simd(v.bitselect)
      .set(d)
  })
}

/** 1 / √x in float64, rounded once. */
function rsqrt(f: Func, s: string, x: Chunk, out: Chunk): boolean {
  if (s === 'f64x2') {
    out.forEach((d, i) => {
      one(f, s)
      f.get(x[i]!).simd(v.f64x2_sqrt).simd(v.f64x2_div).set(d)
    })
    return true
  }
  for (const half of [0, 1]) {
    one(f, 'f64x2')
    f.get(x[0]!)
    if (half === 1) f.get(x[0]!).shuffle([8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7])
    f.simd(v.f64x2_promote_low_f32x4).simd(v.f64x2_sqrt).simd(v.f64x2_div).simd(v.f32x4_demote_f64x2_zero)
  }
  f.shuffle(lowBytes).set(out[0]!)
  return true
}

function integerDirect(f: Func, op: OpName, type: ScalarType, args: readonly VectorArg[], out: Chunk): boolean {
  const wide = isWide(type)
  const s = shape(type)
  const a = args.map((x) => x.chunk)
  const signed = type === 'i32' || type === 'i64'
  const [x, y] = [a[0]!, a[1]!]
  switch (op) {
    case 'add':
    case 'sub':
    case 'mul':
      return each(f, `${s}_${op}`, a, out)
    case 'and':
    case 'or':
    case 'xor':
    case 'not':
      return each(f, op, a, out)
    case 'neg':
      return each(f, `${s}_neg`, a, out)
    case 'abs':
      return each(f, signed ? `${s}_abs` : 'or', signed ? a : [x, x], out)
    case 'shl':
    case 'shr':
      return shift(f, op === 'shl' ? `${s}_shl` : `${s}_shr${signed ? '_s' : '_u'}`, wide, args, out)
    case 'min':
    case 'max': {
      if (!wide) return each(f, `i32x4_${op}${signed ? '_s' : '_u'}`, a, out)
      const mask = f.local('v128')
      compare(f, op === 'min' ? 'lt' : 'gt', type, a, mask)
      select(f, [[mask], x, y], out)
      f.release('v128', mask)
      return true
    }
    case 'sign':
      if (wide) return false
      f.get(x[0]!)
      f.v128([1, 1, 1, 1]).simd(signed ? v.i32x4_min_s : v.i32x4_min_u)
      if (signed) f.v128([-1, -1, -1, -1]).simd(v.i32x4_max_s)
      f.set(out[0]!)
      return true
    case 'popcount':
      if (wide) return false
      f.get(x[0]!).simd(v.i8x16_popcnt).simd(v.i16x8_extadd_i8x16_u).simd(v.i32x4_extadd_i16x8_u).set(out[0]!)
      return true
    case 'mulhi':
      if (wide) return false
      f.get(x[0]!)
        .get(y[0]!)
        .simd(signed ? v.i64x2_extmul_low_s : v.i64x2_extmul_low_u)
      f.get(x[0]!)
        .get(y[0]!)
        .simd(signed ? v.i64x2_extmul_high_s : v.i64x2_extmul_high_u)
        .shuffle(oddBytes)
        .set(out[0]!)
      return true
    case 'div':
    case 'rem':
      return !wide && divide(f, op, signed, args, out[0]!)
    default:
      return false
  }
}

function shift(f: Func, name: string, wide: boolean, args: readonly VectorArg[], out: Chunk): boolean {
  const amount = args[1]!
  if (amount.literal === undefined && amount.scalar === undefined) return false
  out.forEach((d, i) => {
    f.get(args[0]!.chunk[i]!)
    if (amount.literal !== undefined) f.i32(Number(BigInt.asUintN(6, BigInt(amount.literal))))
    else {
      f.get(amount.scalar!)
      if (wide) f.op(0xa7)
    } // i32.wrap_i64
    f.simd(simdOf(name)).set(d)
  })
  return true
}

/** 32-bit quotients by float64, where they are exact; the divisor becomes 1 where the ops table wants a ÷ 1. */
function divide(f: Func, op: 'div' | 'rem', signed: boolean, args: readonly VectorArg[], out: number): boolean {
  const [x, y] = [args[0]!.chunk[0]!, args[1]!.chunk[0]!]
  const literal = args[1]!.literal === undefined ? 0 : Number(args[1]!.literal)
  if (!signed && literal > 0 && Number.isInteger(Math.log2(literal))) {
    if (op === 'div') f.get(x).i32(Math.log2(literal)).simd(v.i32x4_shr_u).set(out)
    else
      f.get(x)
        .v128([literal - 1, literal - 1, literal - 1, literal - 1])
        .simd(v.and)
        .set(out)
    return true
  }
  const [safe, quotient] = [f.local('v128'), f.local('v128')]
  if (literal > 0) f.get(y).set(safe)
  else safeDivisor(f, signed, x, y, safe)
  const from = signed ? v.f64x2_convert_low_i32x4_s : v.f64x2_convert_low_i32x4_u
  const back = signed ? v.i32x4_trunc_sat_f64x2_s_zero : v.i32x4_trunc_sat_f64x2_u_zero
  const high = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]
  f.get(x).simd(from).get(safe).simd(from).simd(v.f64x2_div).simd(back)
  f.get(x).get(x).shuffle(high).simd(from).get(safe).get(safe).shuffle(high).simd(from).simd(v.f64x2_div).simd(back)
  f.shuffle(lowBytes).set(quotient)
  if (op === 'div') f.get(quotient).set(out)
  else f.get(x).get(quotient).get(safe).simd(v.i32x4_mul).simd(v.i32x4_sub).set(out)
  f.release('v128', safe)
  f.release('v128', quotient)
  return true
}

function safeDivisor(f: Func, signed: boolean, x: number, y: number, safe: number): void {
  f.v128([1, 1, 1, 1]).get(y)
  f.get(y).v128([0, 0, 0, 0]).simd(v.i32x4_eq)
  if (signed) {
    const min = -2147483648
    f.get(y)
      .v128([-1, -1, -1, -1])
      .simd(v.i32x4_eq)
      .get(x)
      .v128([min, min, min, min])
      .simd(v.i32x4_eq)
      .simd(v.and)
      .simd(v.or)
  }
  f.simd(v.bitselect).set(safe)
}

/** Conversions that SIMD has; false for the rest. */
function convert(f: Func, from: ScalarType, to: ScalarType, x: Chunk, out: Chunk): boolean {
  const [a, b] = [wasmType(from), wasmType(to)]
  if (from === to) return each(f, 'or', [x, x], out)
  if (from === 'bool') return fromBool(f, to, x[0]!, out)
  if (to === 'bool') {
    if (a === 'i64' || a === 'f64') return false
    f.get(x[0]!)
    zero(f)
    f.simd(a === 'i32' ? v.i32x4_ne : v.f32x4_ne).set(out[0]!)
    return true
  }
  if (a === 'i32' && b === 'i32') {
    f.get(x[0]!).set(out[0]!)
    return true
  }
  if (a === 'i64' && b === 'i64') return each(f, 'or', [x, x], out)
  if (a === 'i32' && b === 'i64') {
    f.get(x[0]!)
      .simd(from === 'i32' ? v.i64x2_extend_low_s : v.i64x2_extend_low_u)
      .set(out[0]!)
    f.get(x[0]!)
      .simd(from === 'i32' ? v.i64x2_extend_high_s : v.i64x2_extend_high_u)
      .set(out[1]!)
    return true
  }
  if (a === 'i64' && b === 'i32') {
    f.get(x[0]!).get(x[1]!).shuffle(narrowBytes).set(out[0]!)
    return true
  }
  if (a === 'i32' && b === 'f32') {
    f.get(x[0]!)
      .simd(from === 'i32' ? v.f32x4_convert_i32x4_s : v.f32x4_convert_i32x4_u)
      .set(out[0]!)
    if (to === 'f16') roundVector16(f, out[0]!)
    return true
  }
  if (a === 'f32' && b === 'i32') {
    f.get(x[0]!)
      .simd(to === 'i32' ? v.i32x4_trunc_sat_f32x4_s : v.i32x4_trunc_sat_f32x4_u)
      .set(out[0]!)
    return true
  }
  if (a === 'f32' && b === 'f32') {
    f.get(x[0]!).set(out[0]!)
    if (to === 'f16') roundVector16(f, out[0]!)
    return true
  }
  return false
}

function fromBool(f: Func, to: ScalarType, x: number, out: Chunk): boolean {
  if (to === 'f32' || to === 'f16') f.get(x).f32(1).simd(v.f32x4_splat).simd(v.and).set(out[0]!)
  else if (to === 'i32' || to === 'u32') f.get(x).v128([1, 1, 1, 1]).simd(v.and).set(out[0]!)
  else return false
  return true
}

/** Extracts each lane, applies the scalar form, and puts the result back. */
function laneByLane(
  f: Func,
  math: MathImports,
  op: OpName,
  from: ScalarType,
  to: ScalarType,
  args: readonly VectorArg[],
  out: Chunk,
): void {
  const types = args.map((_, i): ScalarType => (op === 'select' && i === 0 ? 'bool' : from))
  const scalars = types.map((t) => f.local(wasmType(t)))
  const result = f.local(wasmType(to))
  // `out` may be one of the arguments: results are gathered apart and copied at the end.
  const gathered = out.map(() => f.local('v128'))
  for (let lane = 0; lane < 4; lane++) {
    args.forEach((arg, i) => {
      pushLane(f, types[i]!, arg.chunk, lane)
      f.set(scalars[i]!)
    })
    scalarOp(f, math, op, from, to, scalars)
    f.set(result)
    setLane(f, to, gathered, lane, result)
  }
  out.forEach((d, i) => f.get(gathered[i]!).set(d))
  types.forEach((t, i) => f.release(wasmType(t), scalars[i]!))
  f.release(wasmType(to), result)
  for (const g of gathered) f.release('v128', g)
}

/** Pushes lane 0 … 3 of a chunk. */
function pushLane(f: Func, type: ScalarType, chunk: Chunk, lane: number): void {
  const wide = isWide(type)
  f.get(chunk[wide ? lane >> 1 : 0]!).simdLane(simdOf(`${shape(type)}_extract`), wide ? lane & 1 : lane)
}

function setLane(f: Func, type: ScalarType, chunk: Chunk, lane: number, value: number): void {
  const wide = isWide(type)
  const part = chunk[wide ? lane >> 1 : 0]!
  f.get(part)
    .get(value)
    .simdLane(simdOf(`${shape(type)}_replace`), wide ? lane & 1 : lane)
    .set(part)
}

/** Fills `out` with the scalar local `value` in every lane. */
export function splat(f: Func, type: ScalarType, value: number, out: Chunk): void {
  out.forEach((d) =>
    f
      .get(value)
      .simd(simdOf(`${shape(type)}_splat`))
      .set(d),
  )
}
