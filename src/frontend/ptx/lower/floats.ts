// In: floating-point and conversion instructions, comparisons and choices. Out: KernelIR operations. The one idea: what
// rounds to nearest is exact here; directed rounding is computed as nearest, flushing of subnormals is not modelled,
// and both are noted for the report. Packed halves are taken apart and put together again.
import { constOf, type OpName, type Operand as Value, type ScalarType } from '../../../ir/index.ts'
import { typeOf } from './integers.ts'
import { quarterConversion } from './fp8.ts'
import { bytesOfType, isType, type Instruction, type PtxOperand, type PtxType } from '../text/syntax.ts'
import { scalarOf, type PtxValues } from './values.ts'

const isFloat = (t: PtxType): boolean =>
  t === 'f32' || t === 'f64' || t === 'f16' || t === 'f16x2' || t === 'bf16' || t === 'bf16x2' || t === 'tf32'
const directed = ['rz', 'rm', 'rp']

/** Lowers a floating-point instruction; false when it is none. */
export function floatInstruction(v: PtxValues, s: Instruction): boolean {
  const { name, mods } = s.opcode
  const t = typeOf(s)
  if (!isFloat(t) && name !== 'cvt' && name !== 'setp' && name !== 'set' && name !== 'selp' && name !== 'slct')
    return false
  if (isFloat(t) && name !== 'cvt' && mods.some((m) => directed.includes(m)))
    v.notes.add('directed rounding (.rz, .rm, .rp) is computed as rounding to nearest')
  const [dst, a, b, c] = s.operands
  switch (name) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'fma':
    case 'mad':
    case 'min':
    case 'max':
    case 'abs':
    case 'neg':
      return arithmetic(v, s, t)
    case 'rcp':
    case 'sqrt':
    case 'rsqrt':
    case 'sin':
    case 'cos':
    case 'tanh':
      v.put(dst, t, v.op(name, [v.get(a, t)]))
      return true
    case 'ex2':
    case 'lg2':
      v.put(dst, t, v.op(name === 'ex2' ? 'exp2' : 'log2', [v.get(a, t)]))
      return true
    case 'copysign':
      v.put(dst, t, copysign(v, t, v.get(a, t), v.get(b, t)))
      return true
    case 'testp':
      v.put(dst, 'pred', testp(v, s, t, v.get(a, t)))
      return true
    case 'setp':
      return setp(v, s, t)
    case 'set':
      return set(v, s)
    case 'selp': {
      const k = t === 'pred' ? 'pred' : t
      v.put(dst, k, v.op('select', [v.get(c, 'pred'), v.get(a, k), v.get(b, k)]))
      return true
    }
    case 'slct': {
      const types = mods.filter(isType)
      const by = types[1] ?? 's32'
      const test = v.get(c, by)
      v.put(
        dst,
        types[0] ?? 'b32',
        v.op('select', [
          v.op('ge', [test, constOf(test.type, 0)]),
          v.get(a, types[0] ?? 'b32'),
          v.get(b, types[0] ?? 'b32'),
        ]),
      )
      return true
    }
    case 'cvt':
      return convert(v, s)
    default:
      return false
  }
}

const arithmeticOps: Readonly<Record<string, OpName>> = {
  add: 'add',
  sub: 'sub',
  mul: 'mul',
  div: 'div',
  fma: 'fma',
  mad: 'fma',
  min: 'min',
  max: 'max',
  abs: 'abs',
  neg: 'neg',
}

function arithmetic(v: PtxValues, s: Instruction, t: PtxType): true {
  const { name, mods } = s.opcode
  const [dst, ...rest] = s.operands
  const op = arithmeticOps[name]! // the caller lists these names
  const one = (args: readonly Value[]): Value => {
    let r: Value = v.op(op, args)
    if (mods.includes('NaN'))
      r = v.op('select', [
        args.map((x) => v.op('ne', [x, x])).reduce((x, y) => v.op('lor', [x, y])),
        constOf(r.type, NaN),
        r,
      ])
    if (mods.includes('sat')) r = clampUnit(v, r)
    if (mods.includes('relu')) r = v.op('max', [r, constOf(r.type, 0)])
    return r
  }
  if (mods.includes('xorsign')) return v.refuse(`${s.opcode.text} cannot be analysed`)
  switch (t) {
    case 'f16x2':
    case 'bf16x2': {
      const parts = rest.map((o) => {
        const w = v.get(o, 'b32')
        return [v.op('and', [w, v.u32(0xffff)]), v.op('shr', [w, v.u32(16)])]
      })
      const [lo, hi] = [0, 1].map((k) =>
        t === 'f16x2'
          ? v.halfBits(one(parts.map((p) => v.half(p[k]!))))
          : toBrain(v, one(parts.map((p) => fromBrain(v, p[k]!)))),
      )
      v.put(dst, 'b32', v.op('or', [lo!, v.op('shl', [hi!, v.u32(16)])])) // two halves
      return true
    }
    case 'bf16':
      v.put(dst, 'bf16', toBrain(v, one(rest.map((o) => fromBrain(v, v.get(o, 'b16'))))))
      return true
    default:
      v.put(dst, t, one(rest.map((o) => v.get(o, t))))
      return true
  }
}

/** .sat: into [0, 1], NaN to 0. */
function clampUnit(v: PtxValues, x: Value): Value {
  const clamped = v.op('min', [v.op('max', [x, constOf(x.type, 0)]), constOf(x.type, 1)])
  return v.op('select', [v.op('eq', [x, x]), clamped, constOf(x.type, 0)])
}

const fromBrain = (v: PtxValues, bits: Value): Value => v.bits(v.op('shl', [bits, v.u32(16)]), 'f32')

/** The upper half of an f32, rounded to even. */
function toBrain(v: PtxValues, x: Value): Value {
  const bits = v.bits(x, 'u32')
  const odd = v.op('and', [v.op('shr', [bits, v.u32(16)]), v.u32(1)])
  const rounded = v.op('shr', [v.op('add', [bits, v.op('add', [odd, v.u32(0x7fff)])]), v.u32(16)])
  return v.op('select', [v.op('eq', [x, x]), rounded, v.u32(0x7fff)])
}

/** A word whose half at bit `by`, or whose both halves, have grown by those of `more`. */
export function addHalves(
  v: PtxValues,
  t: 'f16' | 'bf16' | 'f16x2' | 'bf16x2',
  word: Value,
  more: Value,
  by: Value,
): Value {
  const sum = (a: Value, b: Value): Value =>
    t.startsWith('f')
      ? v.halfBits(v.op('add', [v.half(a), v.half(b)]))
      : toBrain(v, v.op('add', [fromBrain(v, a), fromBrain(v, b)]))
  const low = (x: Value): Value => v.op('and', [x, v.u32(0xffff)])
  const high = (x: Value): Value => v.op('shr', [x, v.u32(16)])
  if (t.endsWith('x2'))
    return v.op('or', [sum(low(word), low(more)), v.op('shl', [sum(high(word), high(more)), v.u32(16)])])
  const kept = v.op('and', [word, v.op('not', [v.op('shl', [v.u32(0xffff), by])])])
  return v.op('or', [kept, v.op('shl', [sum(low(v.op('shr', [word, by])), low(more)), by])])
}

function copysign(v: PtxValues, t: PtxType, a: Value, b: Value): Value {
  const wide = t === 'f64'
  const type: ScalarType = wide ? 'u64' : 'u32'
  const sign = wide ? constOf('u64', 1n << 63n) : constOf('u32', 0x80000000)
  const rest = wide ? constOf('u64', (1n << 63n) - 1n) : constOf('u32', 0x7fffffff)
  return v.bits(v.op('or', [v.op('and', [v.bits(a, type), sign]), v.op('and', [v.bits(b, type), rest])]), scalarOf(t))
}

function testp(v: PtxValues, s: Instruction, t: PtxType, x: Value): Value {
  const size = v.op('abs', [x])
  const infinity = constOf(x.type, Infinity)
  const least = constOf(x.type, t === 'f64' ? 2 ** -1022 : 2 ** -126)
  switch (s.opcode.mods[0]) {
    case 'finite':
      return v.op('lt', [size, infinity])
    case 'infinite':
      return v.op('eq', [size, infinity])
    case 'number':
      return v.op('eq', [x, x])
    case 'notanumber':
      return v.op('ne', [x, x])
    case 'normal':
      return v.op('land', [v.op('ge', [size, least]), v.op('lt', [size, infinity])])
    case 'subnormal':
      return v.op('land', [v.op('lt', [size, least]), v.op('gt', [size, constOf(x.type, 0)])])
    default:
      return v.refuse(`${s.opcode.text} cannot be analysed`)
  }
}

const comparisons: Readonly<Record<string, OpName>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'lt',
  le: 'le',
  gt: 'gt',
  ge: 'ge',
  lo: 'lt',
  ls: 'le',
  hi: 'gt',
  hs: 'ge',
}
/** The opposite of the ordered comparison that the name negates: x ltu y is not (x ≥ y). */
const unordered: Readonly<Record<string, OpName>> = { ltu: 'ge', leu: 'gt', gtu: 'le', geu: 'lt' }

function compare(
  v: PtxValues,
  s: Instruction,
  t: PtxType,
  a: PtxOperand | undefined,
  b: PtxOperand | undefined,
): Value {
  const type = unsignedForBits(t, s.opcode.mods[0] ?? '')
  const read = (o: PtxOperand | undefined): Value => (type === 'bf16' ? fromBrain(v, v.get(o, 'b16')) : v.get(o, type))
  return compared(v, s, t, read(a), read(b))
}

/** The comparison of each half, the lower first. */
function compareHalves(
  v: PtxValues,
  s: Instruction,
  t: 'f16x2' | 'bf16x2',
  a: PtxOperand | undefined,
  b: PtxOperand | undefined,
): readonly [Value, Value] {
  if (['and', 'or', 'xor'].includes(s.opcode.mods[1] ?? '')) return v.refuse(`${s.opcode.text} cannot be analysed`)
  const half = (o: PtxOperand | undefined, k: number): Value => {
    const w = v.get(o, 'b32'),
      bits = k === 0 ? v.op('and', [w, v.u32(0xffff)]) : v.op('shr', [w, v.u32(16)])
    return t === 'f16x2' ? v.half(bits) : fromBrain(v, bits)
  }
  const of = (k: number): Value => compared(v, s, t, half(a, k), half(b, k))
  return [of(0), of(1)]
}

function compared(v: PtxValues, s: Instruction, t: PtxType, x: Value, y: Value): Value {
  const how = s.opcode.mods[0] ?? ''
  const plain = Object.hasOwn(comparisons, how) ? comparisons[how] : undefined
  if (plain && !(how === 'ne' && isFloat(t))) return v.op(plain, [x, y])
  if (Object.hasOwn(unordered, how)) return v.op('lnot', [v.op(unordered[how]!, [x, y])])
  const number = (): Value => v.op('land', [v.op('eq', [x, x]), v.op('eq', [y, y])])
  switch (how) {
    case 'ne':
      return v.op('lor', [v.op('lt', [x, y]), v.op('gt', [x, y])])
    case 'neu':
      return v.op('ne', [x, y])
    case 'equ':
      return v.op('lnot', [v.op('lor', [v.op('lt', [x, y]), v.op('gt', [x, y])])])
    case 'num':
      return number()
    case 'nan':
      return v.op('lnot', [number()])
    default:
      return v.refuse(`the comparison '.${how}' cannot be analysed`)
  }
}

const unsignedForBits = (t: PtxType, how: string): PtxType => {
  const bytes = bytesOfType[t]
  if (t.startsWith('b') && t !== 'bf16') return bytes === 8 ? 'u64' : bytes === 2 ? 'u16' : 'u32'
  return (how === 'lo' || how === 'ls' || how === 'hi' || how === 'hs') && t.startsWith('s')
    ? bytes === 8
      ? 'u64'
      : bytes === 2
        ? 'u16'
        : 'u32'
    : t
}

/** The comparison, joined to a predicate when the instruction says how. */
function joined(v: PtxValues, s: Instruction, test: Value): Value {
  const how = s.opcode.mods[1]
  if (how !== 'and' && how !== 'or' && how !== 'xor') return test
  return v.op(how === 'and' ? 'land' : how === 'or' ? 'lor' : 'ne', [test, v.get(s.operands[3], 'pred')])
}

function setp(v: PtxValues, s: Instruction, t: PtxType): true {
  const [dst, a, b] = s.operands
  if (t === 'f16x2' || t === 'bf16x2') {
    const [low, high] = compareHalves(v, s, t, a, b).map((x) => v.op('copy', [x]))
    v.put(dst, 'pred', low!) // two halves
    if (s.second) v.put(s.second, 'pred', high!)
    return true
  }
  const test = compare(v, s, t, a, b)
  if (!s.second) {
    v.put(dst, 'pred', joined(v, s, test))
    return true
  }
  const kept = v.op('copy', [joined(v, s, test)])
  const other = v.op('copy', [joined(v, s, v.op('lnot', [test]))])
  v.put(dst, 'pred', kept)
  v.put(s.second, 'pred', other)
  return true
}

function set(v: PtxValues, s: Instruction): true {
  const [to, from] = s.opcode.mods.filter(isType)
  const [dst, a, b] = s.operands
  if ((from === 'f16x2' || from === 'bf16x2') && (to === from || to === 'u32' || to === 's32')) {
    const yes = v.u32(to === 'f16x2' ? 0x3c00 : to === 'bf16x2' ? 0x3f80 : 0xffff) // 1, or all bits
    const [low, high] = compareHalves(v, s, from, a, b).map((x) => v.op('select', [x, yes, v.u32(0)]))
    v.put(dst, 'b32', v.op('or', [low!, v.op('shl', [high!, v.u32(16)])])) // two halves
    return true
  }
  if (
    !to ||
    !from ||
    to === 'f16x2' ||
    from === 'f16x2' ||
    to === 'bf16x2' ||
    from === 'bf16x2' ||
    to === 'f16' ||
    to === 'bf16'
  )
    return v.refuse(`${s.opcode.text} cannot be analysed`)
  const test = joined(v, s, compare(v, s, from, a, b))
  v.put(
    dst,
    to,
    to === 'f32'
      ? v.op('select', [test, constOf('f32', 1), constOf('f32', 0)])
      : v.op('select', [test, constOf(scalarOf(to), to === 's32' ? -1 : 0xffffffff), constOf(scalarOf(to), 0)]),
  )
  return true
}

const roundings: Readonly<Record<string, OpName>> = { rni: 'round', rzi: 'trunc', rmi: 'floor', rpi: 'ceil' }

function convert(v: PtxValues, s: Instruction): true {
  const { mods } = s.opcode
  const types = mods.filter(isType)
  const [to, from] = [types[0], types[1]]
  const [dst, a, b] = s.operands
  if (quarterConversion(v, s)) return true
  if (!to || !from || mods.includes('pack')) return v.refuse(`${s.opcode.text} cannot be analysed`)
  if (to === 'f16x2' || to === 'bf16x2') {
    if (!b || from !== 'f32') return v.refuse(`${s.opcode.text} cannot be analysed`)
    const [hi, lo] = [a, b].map((o) => {
      const x = v.get(o, 'f32')
      const r = mods.includes('relu') ? v.op('max', [x, constOf('f32', 0)]) : x
      return to === 'f16x2' ? v.halfBits(v.convert(r, 'f16')) : toBrain(v, r)
    })
    v.put(dst, 'b32', v.op('or', [lo!, v.op('shl', [hi!, v.u32(16)])])) // two operands
    return true
  }
  if (mods.some((m) => directed.includes(m)))
    v.notes.add('directed rounding (.rz, .rm, .rp) is computed as rounding to nearest')
  const rounding = mods.find((m) => Object.hasOwn(roundings, m))
  let x = from === 'bf16' ? fromBrain(v, v.get(a, 'b16')) : v.get(a, from)
  if (rounding !== undefined && isFloat(from)) x = v.op(roundings[rounding]!, [x])
  if (to === 'bf16') {
    v.put(dst, 'bf16', toBrain(v, v.convert(x, 'f32')))
    return true
  }
  if (to === 'tf32') {
    v.put(dst, 'b32', v.op('and', [v.op('add', [v.bits(x, 'u32'), v.u32(0x1000)]), v.u32(0xffffe000)]))
    return true
  }
  if (isFloat(to)) {
    let y = v.convert(x, scalarOf(to))
    if (mods.includes('sat')) y = clampUnit(v, y)
    if (mods.includes('relu')) y = v.op('max', [y, constOf(y.type, 0)])
    v.put(dst, to, y === x ? v.op('copy', [y]) : y)
    return true
  }
  toInteger(v, s, dst, to, from, x)
  return true
}

/** Ranges of the narrow integers. */
const ranges: Readonly<Partial<Record<PtxType, readonly [number, number]>>> = {
  u8: [0, 255],
  s8: [-128, 127],
  u16: [0, 65535],
  s16: [-32768, 32767],
}

function toInteger(
  v: PtxValues,
  s: Instruction,
  dst: PtxOperand | undefined,
  to: PtxType,
  from: PtxType,
  x: Value,
): void {
  const type = scalarOf(to)
  const range = ranges[to]
  // From a float PTX clamps to the type; between integers only `.sat` does.
  if (isFloat(from)) {
    const y = v.convert(x, type)
    v.put(
      dst,
      widened(to),
      range ? v.op('min', [v.op('max', [y, constOf(type, range[0])]), constOf(type, range[1])]) : y,
    )
    return
  }
  if (s.opcode.mods.includes('sat')) {
    v.put(dst, widened(to), saturate(v, x, to))
    return
  }
  const narrow = bytesOfType[to] < 4 ? v.convert(x, bytesOfType[from] === 8 ? 'u32' : x.type) : v.convert(x, type)
  switch (to) {
    case 'u8':
    case 'b8':
      v.put(dst, 'u32', v.op('and', [v.bits(narrow, 'u32'), v.u32(255)]))
      return
    case 's8':
      v.put(dst, 's32', v.signed(v.bits(narrow, 'u32'), 8))
      return
    case 'u16':
    case 'b16':
      v.put(dst, 'u32', v.op('and', [v.bits(narrow, 'u32'), v.u32(0xffff)]))
      return
    case 's16':
      v.put(dst, 's32', v.signed(v.bits(narrow, 'u32'), 16))
      return
    default:
      v.put(dst, to, narrow)
  }
}

/** Narrow integers are put as 32-bit ones; a 16-bit register cuts them. */
const widened = (t: PtxType): PtxType => (bytesOfType[t] >= 4 ? t : t.startsWith('s') ? 's32' : 'u32')

function saturate(v: PtxValues, x: Value, to: PtxType): Value {
  const [low, high] = ranges[to]
    ? (ranges[to].map(BigInt) as [bigint, bigint])
    : to.startsWith('s')
      ? [-(2n ** BigInt(8 * bytesOfType[to] - 1)), 2n ** BigInt(8 * bytesOfType[to] - 1) - 1n]
      : [0n, 2n ** BigInt(8 * bytesOfType[to]) - 1n] // two numbers each
  const isSignedSource = x.type === 'i32' || x.type === 'i64'
  if (bytesOfType[to] === 8)
    return v.convert(
      isSignedSource && to === 'u64' ? v.op('max', [v.convert(x, 'i64'), constOf('i64', 0n)]) : x,
      scalarOf(to),
    )
  const work: ScalarType = isSignedSource ? 'i64' : 'u64'
  const y = v.convert(x, work)
  const clamped = v.op('min', [isSignedSource ? v.op('max', [y, constOf('i64', low)]) : y, constOf(work, high)])
  return v.convert(clamped, scalarOf(to))
}
