// In: integer and bit instructions. Out: KernelIR operations. The one idea: each instruction is its formula from the
// PTX ISA, in 32 or 64 bits; shifts clamp their amounts as PTX does, and 16-bit results are cut when they are put away.
import { constOf, type Const, type OpName, type Operand as Value, type ScalarType } from '../../../ir/index.ts'
import { bytesOfType, isType, type Instruction, type PtxOperand, type PtxType } from '../text/syntax.ts'
import { scalarOf, type PtxValues } from './values.ts'

export const typeOf = (s: Instruction): PtxType => {
  for (let i = s.opcode.mods.length - 1; i >= 0; i--) {
    const m = s.opcode.mods[i]!
    if (isType(m)) return m
  }
  return 'b32'
}

const bitsOf = (t: PtxType): number => 8 * bytesOfType[t]
const isWide = (t: PtxType): boolean => bytesOfType[t] === 8
const unsigned = (t: PtxType): PtxType => (isWide(t) ? 'u64' : bytesOfType[t] === 2 ? 'u16' : 'u32')
const number = (type: ScalarType, n: number): Const => constOf(type, type === 'u64' || type === 'i64' ? BigInt(n) : n)

/** The carry flag: a bool register made when first needed. */
export class Carry {
  value: Value = constOf('bool', 0)
}

/** Lowers an integer instruction; false when it is none. */
export function integerInstruction(v: PtxValues, s: Instruction, carry: Carry): boolean {
  const { name, mods } = s.opcode
  const t = typeOf(s)
  const [dst, a, b, c, d] = s.operands
  const two = (op: OpName, type: PtxType = t): true => {
    v.put(dst, type, v.op(op, [v.get(a, type), v.get(b, type)]))
    return true
  }
  const one = (op: OpName): true => {
    v.put(dst, t, v.op(op, [v.get(a, t)]))
    return true
  }
  switch (name) {
    case 'add':
    case 'sub':
      return mods.includes('cc')
        ? carried(v, s, carry, name, false)
        : mods.includes('sat')
          ? saturated(v, s, name)
          : two(name)
    case 'addc':
    case 'subc':
      return carried(v, s, carry, name === 'addc' ? 'add' : 'sub', true)
    case 'mul':
      v.put(dst, product(v, s, t), multiply(v, s, t, a, b))
      return true
    case 'mad': {
      if (mods.includes('cc')) return carriedSum(v, s, carry, false)
      const to = product(v, s, t)
      v.put(dst, to, v.op('add', [multiply(v, s, t, a, b), v.get(c, to)]))
      return true
    }
    case 'madc':
      return carriedSum(v, s, carry, true)
    case 'mul24':
      v.put(dst, t, mul24(v, s, t, a, b))
      return true
    case 'mad24':
      v.put(dst, t, v.op('add', [mul24(v, s, t, a, b), v.get(c, t)]))
      return true
    case 'sad': {
      const [x, y] = [v.get(a, t), v.get(b, t)]
      v.put(dst, t, v.op('add', [v.op('sub', [v.op('max', [x, y]), v.op('min', [x, y])]), v.get(c, t)]))
      return true
    }
    case 'div':
    case 'rem':
    case 'min':
    case 'max':
      return two(name)
    case 'abs':
    case 'neg':
      return one(name)
    case 'and':
    case 'or':
    case 'xor':
      return t === 'pred' ? two(name === 'and' ? 'land' : name === 'or' ? 'lor' : 'ne') : two(name, unsigned(t))
    case 'not':
      return t === 'pred' ? one('lnot') : one('not')
    case 'cnot':
      v.put(
        dst,
        t,
        v.op('select', [
          v.op('eq', [v.get(a, unsigned(t)), number(scalarOf(t), 0)]),
          number(scalarOf(t), 1),
          number(scalarOf(t), 0),
        ]),
      )
      return true
    case 'popc':
    case 'clz':
      v.put(dst, 'u32', v.convert(v.op(name === 'popc' ? 'popcount' : 'clz', [v.get(a, unsigned(t))]), 'u32'))
      return true
    case 'brev':
      v.put(dst, t, v.op('reverseBits', [v.get(a, unsigned(t))]))
      return true
    case 'bfind':
      v.put(dst, 'u32', bfind(v, s, t))
      return true
    case 'shl':
      v.put(dst, unsigned(t), shift(v, 'shl', unsigned(t), v.get(a, unsigned(t)), b))
      return true
    case 'shr': {
      const k = t.startsWith('s') ? t : unsigned(t)
      v.put(dst, k, shift(v, 'shr', k, v.get(a, k), b))
      return true
    }
    case 'shf':
      v.put(dst, 'b32', funnel(v, s))
      return true
    case 'lop3': {
      const r = lop3(v, s, [a, b, c], d)
      v.put(dst, 'b32', r)
      return true
    }
    case 'bfe':
      v.put(dst, t, extract(v, t, a, b, c))
      return true
    case 'bfi':
      v.put(dst, t, insert(v, t, a, b, c, d))
      return true
    case 'bmsk':
      v.put(dst, 'b32', mask(v, v.get(a, 'u32'), v.get(b, 'u32'), mods.includes('wrap')))
      return true
    case 'szext':
      v.put(dst, t, szext(v, s, t))
      return true
    case 'prmt':
      v.put(dst, 'b32', permute(v, s))
      return true
    case 'dp4a':
    case 'dp2a':
      v.put(dst, 's32', dot(v, s))
      return true
    case 'vabsdiff2':
    case 'vabsdiff4':
      v.put(dst, 'u32', absoluteDifferences(v, s))
      return true
    default:
      return false
  }
}

/** The type of a product: twice as wide for `.wide`. */
function product(v: PtxValues, s: Instruction, t: PtxType): PtxType {
  if (!s.opcode.mods.includes('wide')) return t
  switch (t) {
    case 'u16':
      return 'u32'
    case 's16':
      return 's32'
    case 'u32':
      return 'u64'
    case 's32':
      return 's64'
    default:
      return v.refuse(`${s.opcode.text} cannot be analysed`)
  }
}

function multiply(
  v: PtxValues,
  s: Instruction,
  t: PtxType,
  a: PtxOperand | undefined,
  b: PtxOperand | undefined,
): Value {
  const { mods } = s.opcode
  const [x, y] = [v.get(a, t), v.get(b, t)]
  if (mods.includes('wide')) {
    if (bytesOfType[t] === 2) return v.op('mul', [x, y])
    const to = scalarOf(product(v, s, t))
    return v.op('mul', [v.convert(x, to), v.convert(y, to)])
  }
  if (!mods.includes('hi')) return v.op('mul', [x, y])
  return bytesOfType[t] === 2 ? v.op('shr', [v.op('mul', [x, y]), number(scalarOf(t), 16)]) : v.op('mulhi', [x, y])
}

function mul24(v: PtxValues, s: Instruction, t: PtxType, a: PtxOperand | undefined, b: PtxOperand | undefined): Value {
  if (s.opcode.mods.includes('hi')) return v.refuse(`${s.opcode.text} cannot be analysed`)
  const cut = (o: PtxOperand | undefined): Value => {
    const x = v.get(o, t)
    return t === 's32' ? v.signed(x, 24) : v.op('and', [x, v.u32(0xffffff)])
  }
  return v.op('mul', [cut(a), cut(b)])
}

/** add.sat.s32: clamped to the range. */
function saturated(v: PtxValues, s: Instruction, op: 'add' | 'sub'): true {
  const [dst, a, b] = s.operands
  const [x, y] = [v.convert(v.get(a, 's32'), 'i64'), v.convert(v.get(b, 's32'), 'i64')]
  const sum = v.op(op, [x, y])
  const clamped = v.op('min', [v.op('max', [sum, constOf('i64', -(2n ** 31n))]), constOf('i64', 2n ** 31n - 1n)])
  v.put(dst, 's32', v.convert(clamped, 'i32'))
  return true
}

/** a ± b ± carry; the carry out goes to `carry` for `.cc`. */
function addWithCarry(
  v: PtxValues,
  type: ScalarType,
  op: 'add' | 'sub',
  x: Value,
  y: Value,
  carryIn: Value | null,
): { readonly sum: Value; readonly out: Value } {
  const first = v.op(op, [x, y])
  const out1 = op === 'add' ? v.op('lt', [first, x]) : v.op('lt', [x, y])
  if (!carryIn) return { sum: first, out: out1 }
  const flag = v.op('select', [carryIn, number(type, 1), number(type, 0)])
  const second = v.op(op, [first, flag])
  const out2 = op === 'add' ? v.op('lt', [second, first]) : v.op('lt', [first, flag])
  return { sum: second, out: v.op('lor', [out1, out2]) }
}

function carried(v: PtxValues, s: Instruction, carry: Carry, op: 'add' | 'sub', uses: boolean): true {
  const t = unsigned(typeOf(s))
  const [dst, a, b] = s.operands
  const { sum, out } = addWithCarry(v, scalarOf(t), op, v.get(a, t), v.get(b, t), uses ? carry.value : null)
  const kept = v.op('copy', [sum])
  if (s.opcode.mods.includes('cc')) carry.value = v.op('copy', [out])
  v.put(dst, t, kept)
  return true
}

function carriedSum(v: PtxValues, s: Instruction, carry: Carry, uses: boolean): true {
  const t = unsigned(typeOf(s))
  const [dst, a, b, c] = s.operands
  const { sum, out } = addWithCarry(
    v,
    scalarOf(t),
    'add',
    multiply(v, s, t, a, b),
    v.get(c, t),
    uses ? carry.value : null,
  )
  const kept = v.op('copy', [sum])
  if (s.opcode.mods.includes('cc')) carry.value = v.op('copy', [out])
  v.put(dst, t, kept)
  return true
}

/** Shift by an amount that clamps at the width. */
function shift(v: PtxValues, op: 'shl' | 'shr', t: PtxType, x: Value, amount: PtxOperand | undefined): Value {
  const type = scalarOf(t)
  const width = bitsOf(t)
  const signedShift = op === 'shr' && t.startsWith('s')
  if (amount?.kind === 'literal') {
    const n = Number(amount.bits & 0xffffffffn)
    if (n < width) return v.op(op, [x, number(type, n)])
    return signedShift ? v.op('shr', [x, number(type, width - 1)]) : v.op('copy', [number(type, 0)])
  }
  const n = v.get(amount, 'u32')
  if (signedShift)
    return v.op('shr', [x, v.bits(v.convert(v.op('min', [n, v.u32(width - 1)]), type === 'i64' ? 'i64' : 'u32'), type)])
  const by = type === 'u64' ? v.convert(n, 'u64') : v.bits(n, type)
  return v.op('select', [v.op('lt', [n, v.u32(width)]), v.op(op, [x, by]), number(type, 0)])
}

/** shf: the upper (left) or lower (right) word of a 64-bit pair shifted. */
function funnel(v: PtxValues, s: Instruction): Value {
  const [, a, b, c] = s.operands
  const { mods } = s.opcode
  const pair = v.op('or', [
    v.convert(v.get(a, 'u32'), 'u64'),
    v.op('shl', [v.convert(v.get(b, 'u32'), 'u64'), constOf('u64', 32n)]),
  ])
  const raw = v.get(c, 'u32')
  const n = v.convert(mods.includes('wrap') ? v.op('and', [raw, v.u32(31)]) : v.op('min', [raw, v.u32(32)]), 'u64')
  const moved = mods.includes('l') ? v.op('shr', [v.op('shl', [pair, n]), constOf('u64', 32n)]) : v.op('shr', [pair, n])
  return v.convert(moved, 'u32')
}

/** A function of three bits by its table. */
function lop3(
  v: PtxValues,
  s: Instruction,
  operands: readonly (PtxOperand | undefined)[],
  table: PtxOperand | undefined,
): Value {
  if (table?.kind !== 'literal') return v.refuse(`${s.opcode.text} needs a constant table`)
  const x = operands.map((o) => v.get(o, 'b32'))
  const lut = Number(table.bits & 255n)
  const terms = [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => (lut >> i) & 1)
  const invert = terms.length > 4
  const list = invert ? [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => !terms.includes(i)) : terms
  const no = x.map((y) => v.op('not', [y]))
  const sums = list.map((i) =>
    [4, 2, 1].map((bit, k) => (i & bit ? x[k]! : no[k]!)).reduce((p, q) => v.op('and', [p, q])),
  ) // three operands each
  const sum = sums.length === 0 ? v.u32(0) : sums.reduce((p, q) => v.op('or', [p, q]))
  return invert ? v.op('not', [sum]) : v.op('copy', [sum])
}

function bfind(v: PtxValues, s: Instruction, t: PtxType): Value {
  const wide = isWide(t)
  const raw = v.get(s.operands[1], t)
  const positive = t.startsWith('s')
    ? v.op('select', [v.op('lt', [raw, number(raw.type, 0)]), v.op('not', [raw]), raw])
    : raw
  const zeros = v.convert(v.op('clz', [v.bits(positive, wide ? 'u64' : 'u32')]), 'u32')
  const width = wide ? 64 : 32
  if (!s.opcode.mods.includes('shiftamt')) return v.op('sub', [v.u32(width - 1), zeros])
  return v.op('select', [v.op('eq', [zeros, v.u32(width)]), v.u32(0xffffffff), zeros])
}

/** `b` ones from bit `a` on. */
function mask(v: PtxValues, a: Value, b: Value, wrap: boolean): Value {
  const limit = (x: Value): Value => v.convert(wrap ? v.op('and', [x, v.u32(31)]) : v.op('min', [x, v.u32(32)]), 'u64')
  const ones = v.op('sub', [v.op('shl', [constOf('u64', 1n), limit(b)]), constOf('u64', 1n)])
  return v.convert(v.op('shl', [ones, limit(a)]), 'u32')
}

/** bfe: `length` bits from `position` on, sign-extended for signed types. */
function extract(
  v: PtxValues,
  t: PtxType,
  a: PtxOperand | undefined,
  position: PtxOperand | undefined,
  length: PtxOperand | undefined,
): Value {
  const signedType = t.startsWith('s')
  const work: ScalarType = signedType ? 'i64' : 'u64'
  const x = v.convert(v.get(a, t), work)
  const [at, n] = [position, length].map((o) => v.op('and', [v.get(o, 'u32'), v.u32(255)]))
  const moved = v.op('shr', [x, v.convert(v.op('min', [at!, v.u32(63)]), work)])
  const gone = signedType ? moved : v.op('select', [v.op('lt', [at!, v.u32(64)]), moved, number(work, 0)])
  const up = v.convert(v.op('sub', [v.u32(64), v.op('max', [v.op('min', [n!, v.u32(64)]), v.u32(1)])]), work)
  const cut = v.op('shr', [v.op('shl', [gone, up]), up])
  const result = v.op('select', [v.op('eq', [n!, v.u32(0)]), number(work, 0), cut])
  return isWide(t) ? result : v.convert(result, scalarOf(t))
}

/** bfi: `length` bits of `a` put into `b` at `position`. */
function insert(
  v: PtxValues,
  t: PtxType,
  a: PtxOperand | undefined,
  b: PtxOperand | undefined,
  position: PtxOperand | undefined,
  length: PtxOperand | undefined,
): Value {
  const width = bitsOf(t)
  const [x, y] = [a, b].map((o) => v.convert(v.get(o, unsigned(t)), 'u64'))
  const at = v.op('and', [v.get(position, 'u32'), v.u32(255)])
  const n = v.op('min', [v.op('and', [v.get(length, 'u32'), v.u32(255)]), v.u32(64)])
  const all = constOf('u64', 2n ** 64n - 1n)
  const low = v.op('select', [
    v.op('eq', [n, v.u32(0)]),
    constOf('u64', 0n),
    v.op('shr', [all, v.convert(v.op('sub', [v.u32(64), v.op('max', [n, v.u32(1)])]), 'u64')]),
  ])
  const inside = v.op('lt', [at, v.u32(width)])
  const by = v.convert(v.op('min', [at, v.u32(63)]), 'u64')
  const field = v.op('select', [inside, v.op('shl', [low, by]), constOf('u64', 0n)])
  const merged = v.op('or', [v.op('and', [y!, v.op('not', [field])]), v.op('and', [v.op('shl', [x!, by]), field])])
  return width === 64 ? merged : v.convert(merged, 'u32')
}

function szext(v: PtxValues, s: Instruction, t: PtxType): Value {
  const n = v.op(s.opcode.mods.includes('wrap') ? 'and' : 'min', [
    v.get(s.operands[2], 'u32'),
    v.u32(s.opcode.mods.includes('wrap') ? 31 : 32),
  ])
  const work: ScalarType = t === 's32' ? 'i64' : 'u64'
  const by = v.convert(v.op('sub', [v.u32(64), n]), work)
  const x = v.convert(v.get(s.operands[1], t), work)
  const cut = v.op('shr', [v.op('shl', [x, v.op('and', [by, number(work, 63)])]), v.op('and', [by, number(work, 63)])])
  return v.convert(v.op('select', [v.op('eq', [n, v.u32(0)]), number(work, 0), cut]), scalarOf(t))
}

/** prmt: four bytes chosen out of eight; bit 3 of a choice repeats the byte's sign. */
function permute(v: PtxValues, s: Instruction): Value {
  const [, a, b, c] = s.operands
  if (s.opcode.mods.length > 1) return v.refuse(`${s.opcode.text} cannot be analysed`)
  const pair = v.op('or', [
    v.convert(v.get(a, 'u32'), 'u64'),
    v.op('shl', [v.convert(v.get(b, 'u32'), 'u64'), constOf('u64', 32n)]),
  ])
  const choice = v.get(c, 'u32')
  const literal = choice.kind === 'const' ? Number(choice.value) : null
  const bytes = [0, 1, 2, 3].map((i) => {
    const pick =
      literal === null
        ? v.op('and', [v.op('shr', [choice, v.u32(4 * i)]), v.u32(15)])
        : v.u32((literal >> (4 * i)) & 15)
    const by =
      literal === null
        ? v.convert(v.op('mul', [v.op('and', [pick, v.u32(7)]), v.u32(8)]), 'u64')
        : constOf('u64', BigInt(8 * ((literal >> (4 * i)) & 7)))
    const byte = v.op('and', [v.convert(v.op('shr', [pair, by]), 'u32'), v.u32(255)])
    const signs =
      literal === null || (literal >> (4 * i)) & 8
        ? v.op('select', [v.op('ge', [byte, v.u32(128)]), v.u32(255), v.u32(0)])
        : byte
    const chosen = literal === null ? v.op('select', [v.op('ge', [pick, v.u32(8)]), signs, byte]) : signs
    return v.op('shl', [chosen, v.u32(8 * i)])
  })
  return bytes.reduce((x, y) => v.op('or', [x, y]))
}

/** dp4a, dp2a: sum of products of bytes (dp2a: halves with bytes) added to c. */
function dot(v: PtxValues, s: Instruction): Value {
  const [, a, b, c] = s.operands
  const types = s.opcode.mods.filter(isType)
  const two = s.opcode.name === 'dp2a'
  const part = (x: Value, i: number, bits: number, signed: boolean): Value => {
    const low = v.op('and', [v.op('shr', [x, v.u32(bits * i)]), v.u32(2 ** bits - 1)])
    return signed ? v.signed(low, bits) : v.bits(low, 'i32')
  }
  const [x, y] = [v.get(a, 'u32'), v.get(b, 'u32')]
  const shift = s.opcode.mods.includes('hi') ? 2 : 0
  return (two ? [0, 1] : [0, 1, 2, 3]).reduce<Value>(
    (sum, i) =>
      v.op('add', [
        sum,
        v.op('mul', [part(x, i, two ? 16 : 8, types[0] === 's32'), part(y, i + shift, 8, types[1] === 's32')]),
      ]),
    v.get(c, 's32'),
  )
}

/** vabsdiff4, vabsdiff2: |a − b| of each byte or half; with `.add` their sum and c. */
function absoluteDifferences(v: PtxValues, s: Instruction): Value {
  const [, a, b, c] = s.operands
  const lanes = s.opcode.name === 'vabsdiff2' ? 2 : 4,
    bits = 32 / lanes
  const [result, ofA, ofB] = s.opcode.mods.filter(isType),
    others = s.opcode.mods.filter((m) => !isType(m))
  if (result === undefined || ofA === undefined || ofA !== ofB || others.some((m) => m !== 'add'))
    return v.refuse(`${s.opcode.text} cannot be analysed`)
  const part = (x: Value, i: number): Value => {
    const low = v.op('and', [v.op('shr', [x, v.u32(bits * i)]), v.u32(2 ** bits - 1)])
    return ofA === 's32' ? v.signed(low, bits) : v.bits(low, 'i32')
  }
  const [x, y] = [v.get(a, 'u32'), v.get(b, 'u32')]
  const differences = Array.from({ length: lanes }, (_, i) => {
    const [p, q] = [part(x, i), part(y, i)]
    return v.bits(v.op('sub', [v.op('max', [p, q]), v.op('min', [p, q])]), 'u32')
  })
  return others.length > 0
    ? differences.reduce((sum, d) => v.op('add', [sum, d]), v.get(c, 'u32'))
    : differences.map((d, i) => v.op('shl', [d, v.u32(bits * i)])).reduce((all, d) => v.op('or', [all, d]))
}
