// In: an op, its types and locals that hold scalar arguments. Out: WebAssembly instructions that leave the value on the
// stack. The one idea: one thread's value is one i32, i64, f32 or f64; bool is −1 or 0 in an i32 and f16 is an f32 that
// is rounded after every operation. The vector form falls back to this lane by lane.
import { InternalError } from '../../base/index.ts'
import { isFloat, isSigned, type OpName, type ScalarType } from '../../ir/index.ts'
import { mem, opcode as o, sat, type Func, type ValueType, type WasmModule } from '../wasm.ts'

/** Functions of the host that special ops call: float64 in, float64 out. */
export const hostMath = [
  'exp',
  'exp2',
  'log',
  'log2',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'pow',
  'atan2',
  'rem',
  'round16',
] as const
export type HostMath = (typeof hostMath)[number]
/** Import index of each. */
export type MathImports = Readonly<Record<HostMath, number>>

export function importMath(module: WasmModule): MathImports {
  const binary = new Set<HostMath>(['pow', 'atan2', 'rem'])
  const entries = hostMath.map((name) => [
    name,
    module.import(name, binary.has(name) ? ['f64', 'f64'] : ['f64'], ['f64']),
  ])
  return Object.fromEntries(entries) as MathImports // one entry per name of the list
}

/** The WebAssembly type that holds one value. */
export function wasmType(type: ScalarType): ValueType {
  switch (type) {
    case 'bool':
    case 'i32':
    case 'u32':
      return 'i32'
    case 'i64':
    case 'u64':
      return 'i64'
    case 'f16':
    case 'f32':
      return 'f32'
    case 'f64':
      return 'f64'
  }
}

export const isWide = (type: ScalarType): boolean => type === 'i64' || type === 'u64' || type === 'f64'

/** Pushes a literal. */
export function pushConst(f: Func, type: ScalarType, value: number | bigint): void {
  switch (type) {
    case 'bool':
      f.i32(value ? -1 : 0)
      return
    case 'i32':
    case 'u32':
      f.i32(Number(value) | 0)
      return
    case 'i64':
    case 'u64':
      f.i64(BigInt(value))
      return
    case 'f16':
    case 'f32':
      f.f32(Number(value))
      return
    case 'f64':
      f.f64(Number(value))
  }
}

const loadCode = { i32: mem.i32_load, i64: mem.i64_load, f32: mem.f32_load, f64: mem.f64_load, v128: 0 } as const
const storeCode = { i32: mem.i32_store, i64: mem.i64_store, f32: mem.f32_store, f64: mem.f64_store, v128: 0 } as const
export const loadOf = (type: ScalarType): number => loadCode[wasmType(type)]
export const storeOf = (type: ScalarType): number => storeCode[wasmType(type)]

/** Rounds the f32 on the stack to f16, still as an f32. */
function round16(f: Func, math: MathImports): void {
  f.op(o.f64_promote_f32).call(math.round16).op(o.f32_demote_f64)
}

type Names = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'
const signed = (type: ScalarType): boolean => isSigned(type as 'i32') // bool never gets here

function compareCode(name: Names, type: ScalarType): number {
  const w = wasmType(type)
  const suffix = isFloat(type as 'f32') || name === 'eq' || name === 'ne' ? '' : signed(type) ? '_s' : '_u'
  return codeOf(`${w}_${name}${suffix}`)
}

function codeOf(name: string): number {
  const code = (o as Readonly<Record<string, number>>)[name]
  if (code === undefined) throw new InternalError('simulate/jit', `no opcode ${name}`)
  return code
}

/** Pushes `op` of the locals `a`; `from` is the type of the arguments, `to` of the result. */
export function scalarOp(
  f: Func,
  math: MathImports,
  op: OpName,
  from: ScalarType,
  to: ScalarType,
  a: readonly number[],
): void {
  switch (op) {
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      f.i32(0).get(a[0]!).get(a[1]!).op(compareCode(op, from)).op(o.i32_sub)
      return
    case 'land':
      f.get(a[0]!).get(a[1]!).op(o.i32_and)
      return
    case 'lor':
      f.get(a[0]!).get(a[1]!).op(o.i32_or)
      return
    case 'lnot':
      f.get(a[0]!).i32(-1).op(o.i32_xor)
      return
    case 'select':
      f.get(a[1]!).get(a[2]!).get(a[0]!).op(o.select)
      return
    case 'copy':
      f.get(a[0]!)
      return
    case 'bitcast':
      f.get(a[0]!)
      reinterpret(f, from, to)
      return
    case 'convert':
      f.get(a[0]!)
      convert(f, math, from, to)
      return
    default:
      if (isFloat(from as 'f32')) floatOp(f, math, op, from, a)
      else integerOp(f, op, from, a)
  }
}

function reinterpret(f: Func, from: ScalarType, to: ScalarType): void {
  const [x, y] = [wasmType(from), wasmType(to)]
  if (x !== y) f.op(codeOf(`${y}_reinterpret_${x}`))
}

function convert(f: Func, math: MathImports, from: ScalarType, to: ScalarType): void {
  const [x, y] = [wasmType(from), wasmType(to)]
  if (from === 'bool') {
    f.i32(1).op(o.i32_and)
    if (y !== 'i32') f.op(codeOf(y === 'i64' ? 'i64_extend_i32_u' : `${y}_convert_i32_u`))
  } else if (to === 'bool') toBool(f, from)
  else if (isFloat(to as 'f32')) toFloat(f, math, from, to)
  else if (isFloat(from as 'f32')) f.sat(sat[`${y as 'i32'}_${x as 'f32'}_${signed(to) ? 's' : 'u'}`])
  else if (x !== y) f.op(y === 'i32' ? o.i32_wrap_i64 : signed(from) ? o.i64_extend_i32_s : o.i64_extend_i32_u)
}

function toBool(f: Func, from: ScalarType): void {
  const w = wasmType(from)
  if (w === 'i64') f.i64(0n)
  else if (w === 'i32') f.i32(0)
  else if (w === 'f32') f.f32(0)
  else f.f64(0)
  // ne gives 0 or 1; shifting up and back spreads it over all bits.
  f.op(codeOf(`${w}_ne`))
    .i32(31)
    .op(o.i32_shl)
    .i32(31)
    .op(o.i32_shr_s)
}

function toFloat(f: Func, math: MathImports, from: ScalarType, to: ScalarType): void {
  const [x, y] = [wasmType(from), wasmType(to)]
  if (to === 'f16' && from === 'f64') f.call(math.round16).op(o.f32_demote_f64)
  else if (!isFloat(from as 'f32')) f.op(codeOf(`${y}_convert_${x}_${signed(from) ? 's' : 'u'}`))
  else if (x !== y) f.op(y === 'f64' ? o.f64_promote_f32 : o.f32_demote_f64)
  if (to === 'f16' && from !== 'f64' && from !== 'f16') round16(f, math)
}

/** Calls a float64 function of the host on locals of `from`, rounding once. */
function callMath(f: Func, math: MathImports, name: HostMath, from: ScalarType, a: readonly number[]): void {
  for (const x of a) {
    f.get(x)
    if (from !== 'f64') f.op(o.f64_promote_f32)
  }
  f.call(math[name])
  narrow(f, math, from)
}

/** The f64 on the stack, rounded once to `type`. */
function narrow(f: Func, math: MathImports, type: ScalarType): void {
  if (type === 'f16') f.call(math.round16)
  if (type !== 'f64') f.op(o.f32_demote_f64)
}

function floatOp(f: Func, math: MathImports, op: OpName, from: ScalarType, a: readonly number[]): void {
  const w = wasmType(from)
  const [x, y, z] = [a[0]!, a[1]!, a[2]!]
  const round = (): void => {
    if (from === 'f16') round16(f, math)
  }
  const zero = (): void => {
    if (w === 'f32') f.f32(0)
    else f.f64(0)
  }
  const one = (v: number): void => {
    if (w === 'f32') f.f32(v)
    else f.f64(v)
  }
  switch (op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
      f.get(x)
        .get(y)
        .op(codeOf(`${w}_${op}`))
      return round()
    case 'fma':
      f.get(x)
        .get(y)
        .op(codeOf(`${w}_mul`))
      round()
      f.get(z).op(codeOf(`${w}_add`))
      return round()
    case 'neg':
    case 'abs':
    case 'floor':
    case 'ceil':
    case 'trunc':
      f.get(x).op(codeOf(`${w}_${op}`))
      return
    case 'round':
      f.get(x).op(codeOf(`${w}_nearest`))
      return
    case 'sqrt':
      f.get(x).op(codeOf(`${w}_sqrt`))
      return round()
    case 'min':
    case 'max':
      // The number when one is NaN; both NaN gives NaN either way.
      f.get(x)
      f.get(y)
        .get(x)
        .get(y)
        .op(codeOf(`${w}_${op}`))
        .get(x)
        .get(x)
        .op(codeOf(`${w}_ne`))
        .op(o.select)
      f.get(y)
        .get(y)
        .op(codeOf(`${w}_ne`))
        .op(o.select)
      return
    case 'sign':
      one(1)
      one(-1)
      f.get(x)
      f.get(x)
      zero()
      f.op(codeOf(`${w}_lt`)).op(o.select)
      f.get(x)
      zero()
      f.op(codeOf(`${w}_gt`)).op(o.select)
      return
    case 'rem':
      return callMath(f, math, 'rem', from, [x, y])
    case 'rcp':
      one(1)
      f.get(x).op(codeOf(`${w}_div`))
      return round()
    case 'rsqrt':
      f.f64(1).get(x)
      if (w === 'f32') f.op(o.f64_promote_f32)
      f.op(o.f64_sqrt).op(o.f64_div)
      return narrow(f, math, from)
    case 'pow':
    case 'atan2':
      return callMath(f, math, op, from, [x, y])
    case 'exp':
    case 'exp2':
    case 'log':
    case 'log2':
    case 'sin':
    case 'cos':
    case 'tan':
    case 'asin':
    case 'acos':
    case 'atan':
    case 'sinh':
    case 'cosh':
    case 'tanh':
      return callMath(f, math, op, from, [x])
    default:
      throw new InternalError('simulate/jit', `${op} on ${from}`)
  }
}

function integerOp(f: Func, op: OpName, from: ScalarType, a: readonly number[]): void {
  const w = wasmType(from)
  const s = signed(from) ? '_s' : '_u'
  const [x, y] = [a[0]!, a[1]!]
  const code = (name: string): number => codeOf(`${w}_${name}`)
  const literal = (v: number): void => {
    if (w === 'i64') f.i64(BigInt(v))
    else f.i32(v)
  }
  switch (op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'and':
    case 'or':
    case 'xor':
    case 'shl':
      f.get(x).get(y).op(code(op))
      return
    case 'shr':
      f.get(x)
        .get(y)
        .op(code(`shr${s}`))
      return
    case 'not':
      f.get(x)
      literal(-1)
      f.op(code('xor'))
      return
    case 'neg':
      literal(0)
      f.get(x).op(code('sub'))
      return
    case 'abs':
      if (!signed(from)) {
        f.get(x)
        return
      }
      f.get(x)
      literal(0)
      f.get(x).op(code('sub')).get(x)
      literal(0)
      f.op(code('ge_s')).op(o.select)
      return
    case 'sign':
      literal(1)
      literal(0)
      literal(-1)
      f.get(x).op(code('eqz')).op(o.select)
      f.get(x)
      literal(0)
      f.op(code(`gt${s}`)).op(o.select)
      return
    case 'min':
      f.get(x)
        .get(y)
        .get(x)
        .get(y)
        .op(code(`lt${s}`))
        .op(o.select)
      return
    case 'max':
      f.get(x)
        .get(y)
        .get(x)
        .get(y)
        .op(code(`gt${s}`))
        .op(o.select)
      return
    case 'div':
    case 'rem':
      return guardedDivision(f, op, from, x, y)
    case 'mulhi':
      return mulhi(f, from, x, y)
    case 'popcount':
      f.get(x).op(code('popcnt'))
      return
    case 'clz':
    case 'ctz':
      f.get(x).op(code(op))
      return
    case 'reverseBits':
      return reverseBits(f, from, x)
    default:
      throw new InternalError('simulate/jit', `${op} on ${from}`)
  }
}

/** a ÷ 0 = a, a % 0 = 0, MIN ÷ −1 = MIN, MIN % −1 = 0: all are what division by 1 gives. */
function guardedDivision(f: Func, op: 'div' | 'rem', from: ScalarType, x: number, y: number): void {
  const w = wasmType(from)
  const literal = (v: bigint): void => {
    if (w === 'i64') f.i64(v)
    else f.i32(Number(BigInt.asIntN(32, v)))
  }
  f.get(x)
  literal(1n)
  f.get(y)
  f.get(y).op(codeOf(`${w}_eqz`))
  if (signed(from)) {
    f.get(y)
    literal(-1n)
    f.op(codeOf(`${w}_eq`))
    f.get(x)
    literal(w === 'i64' ? -(2n ** 63n) : -(2n ** 31n))
    f.op(codeOf(`${w}_eq`))
      .op(o.i32_and)
      .op(o.i32_or)
  }
  f.op(o.select).op(codeOf(`${w}_${op}_${signed(from) ? 's' : 'u'}`))
}

function mulhi(f: Func, from: ScalarType, x: number, y: number): void {
  if (wasmType(from) === 'i32') {
    const [extend, shift] = signed(from) ? [o.i64_extend_i32_s, o.i64_shr_s] : [o.i64_extend_i32_u, o.i64_shr_u]
    f.get(x).op(extend).get(y).op(extend).op(o.i64_mul).i64(32n).op(shift).op(o.i32_wrap_i64)
    return
  }
  mulhi64(f, x, y)
  if (!signed(from)) return
  // Signed from unsigned: subtract y where x < 0 and x where y < 0.
  f.get(x).i64(63n).op(o.i64_shr_s).get(y).op(o.i64_and).op(o.i64_sub)
  f.get(y).i64(63n).op(o.i64_shr_s).get(x).op(o.i64_and).op(o.i64_sub)
}

/** Upper half of the unsigned 128-bit product by four 32-bit ones. */
function mulhi64(f: Func, x: number, y: number): void {
  const [low, cross] = [f.local('i64'), f.local('i64')]
  const lo = (v: number): Func => f.get(v).i64(0xffffffffn).op(o.i64_and)
  const hi = (v: number): Func => f.get(v).i64(32n).op(o.i64_shr_u)
  lo(x)
  lo(y)
  f.op(o.i64_mul).i64(32n).op(o.i64_shr_u).set(low)
  hi(x)
  lo(y)
  f.op(o.i64_mul).get(low).op(o.i64_add).set(cross)
  lo(x)
  hi(y)
  f.op(o.i64_mul)
  lo(cross)
  f.op(o.i64_add).set(low)
  hi(x)
  hi(y)
  f.op(o.i64_mul)
  hi(cross)
  f.op(o.i64_add)
  hi(low)
  f.op(o.i64_add)
  f.release('i64', low)
  f.release('i64', cross)
}

function reverseBits(f: Func, from: ScalarType, x: number): void {
  const w = wasmType(from) as 'i32' | 'i64' // integers only
  const t = f.local(w)
  const wide = w === 'i64'
  const literal = (v: bigint): void => {
    if (wide) f.i64(v)
    else f.i32(Number(BigInt.asIntN(32, v)))
  }
  f.get(x).set(t)
  for (let shift = wide ? 32 : 16; shift >= 1; shift >>= 1) {
    const mask = swapMask(shift, wide ? 64 : 32)
    f.get(t)
    literal(BigInt(shift))
    f.op(codeOf(`${w}_shr_u`))
    literal(mask)
    f.op(codeOf(`${w}_and`))
    f.get(t)
    literal(mask)
    f.op(codeOf(`${w}_and`))
    literal(BigInt(shift))
    f.op(codeOf(`${w}_shl`))
      .op(codeOf(`${w}_or`))
      .set(t)
  }
  f.get(t)
  f.release(w, t)
}

/** Ones in the lower half of every group of 2 × `shift` bits. */
function swapMask(shift: number, bits: number): bigint {
  let mask = 0n
  for (let i = 0; i < bits; i++) if (i % (2 * shift) < shift) mask |= 1n << BigInt(i)
  return mask
}
