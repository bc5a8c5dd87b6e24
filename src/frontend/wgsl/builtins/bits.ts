// The integer built-ins. In: integer values. Out: values. The one idea: WGSL defines each for every input, so edge
// cases (offset past the width, 0, −1) are selected explicitly; `dot4*` unpack bytes by shifts.
import { fail } from '../../../base/index.ts'
import { constOf, type Operand, type OpName } from '../../../ir/index.ts'
import { isIntegerName, registerOf, wgslTypeText, type ScalarName, scalar } from '../types/types.ts'
import {
  coerce,
  concretize,
  each,
  numericName,
  scalarValue,
  type Builder,
  type BuiltinRow,
  type WgslValue,
} from '../values.ts'

type Integer = 'i32' | 'u32'
const u = (x: number): Operand => constOf('u32', x)

function integers(k: Builder, v: WgslValue, name: string): { value: WgslValue; element: Integer } {
  const value = concretize(k, v)
  const element = numericName(value, `${name}()`, k.at)
  if (!isIntegerName(element)) fail('wgsl.type', `${name}() cannot take ${wgslTypeText(v.type)}`, k.at)
  return { value, element: element as Integer } // concrete and an integer
}

const one = (op: OpName): BuiltinRow => ({
  arity: 1,
  make: (k, [v], name) => {
    const i = integers(k, v!, name)
    return each(k, op, [i.value], i.element)
  },
})
const parts = (f: (k: Builder, x: Operand, element: Integer) => Operand): BuiltinRow => ({
  arity: 1,
  make: (k, [v], name) => {
    const i = integers(k, v!, name)
    return { type: i.value.type, parts: i.value.parts.map((p) => f(k, p, i.element)) }
  },
})

/** Position of the highest one (of a negative number: of the highest zero), −1 when there is none. */
function firstLeading(k: Builder, x: Operand, element: Integer): Operand {
  const folded = element === 'i32' ? k.apply('xor', [x, k.apply('shr', [x, constOf('i32', 31)])]) : x
  return k.apply('sub', [constOf(element, 31), k.apply('clz', [folded])])
}

function firstTrailing(k: Builder, x: Operand, element: Integer): Operand {
  return k.apply('select', [k.apply('eq', [x, constOf(element, 0)]), constOf(element, -1), k.apply('ctz', [x])])
}

export const u32s = (k: Builder, v: WgslValue): Operand => coerce(k, v, scalar('u32'), 'the argument').parts[0]!

/** o = min(offset, 32) and c = min(count, 32 − o), as WGSL defines both bit-field functions. */
function field(k: Builder, offset: WgslValue, count: WgslValue): { o: Operand; c: Operand } {
  const o = k.apply('min', [u32s(k, offset), u(32)])
  return { o, c: k.apply('min', [u32s(k, count), k.apply('sub', [u(32), o])]) }
}

function extractBits(k: Builder, [v, offset, count]: readonly WgslValue[], name: string): WgslValue {
  const { value, element } = integers(k, v!, name)
  const { o, c } = field(k, offset!, count!)
  const up = k.apply('sub', [k.apply('sub', [u(32), o]), c])
  const down = k.apply('sub', [u(32), c])
  const amount = (a: Operand): Operand => k.apply('convert', [a], element)
  const none = k.apply('eq', [c, u(0)])
  const extract = (x: Operand): Operand =>
    k.apply('select', [none, constOf(element, 0), k.apply('shr', [k.apply('shl', [x, amount(up)]), amount(down)])])
  return { type: value.type, parts: value.parts.map(extract) }
}

function insertBits(k: Builder, [base, bits, offset, count]: readonly WgslValue[], name: string): WgslValue {
  const { value, element } = integers(k, base!, name)
  const { value: inserted } = integers(k, coerce(k, bits!, value.type, 'the inserted value'), name)
  const { o, c } = field(k, offset!, count!)
  const ones = k.apply('select', [
    k.apply('eq', [c, u(0)]),
    u(0),
    k.apply('shr', [u(0xffffffff), k.apply('sub', [u(32), c])]),
  ])
  const mask = k.apply('convert', [k.apply('shl', [ones, o])], element)
  const insert = (x: Operand, y: Operand): Operand =>
    k.apply('or', [
      k.apply('and', [x, k.apply('not', [mask])]),
      k.apply('and', [k.apply('shl', [y, k.apply('convert', [o], element)]), mask]),
    ])
  return { type: value.type, parts: value.parts.map((x, i) => insert(x, inserted.parts[i]!)) }
}

/** Byte `i` of a u32, zero- or sign-extended. */
export function byteOf(k: Builder, word: Operand, i: number, element: Integer): Operand {
  const type = registerOf(element)
  const w = k.apply('convert', [word], type)
  return k.apply('shr', [k.apply('shl', [w, constOf(type, 24 - 8 * i)]), constOf(type, 24)])
}

const dot4 = (element: Integer): BuiltinRow => ({
  arity: 2,
  make: (k, [a, b]) => {
    const [x, y] = [u32s(k, a!), u32s(k, b!)]
    const products = [0, 1, 2, 3].map((i) => k.apply('mul', [byteOf(k, x, i, element), byteOf(k, y, i, element)]))
    return scalarValue(
      element as ScalarName,
      products.reduce((s, p) => k.apply('add', [s, p])),
    )
  },
})

export const bitFunctions: Record<string, BuiltinRow> = {
  countLeadingZeros: one('clz'),
  countTrailingZeros: one('ctz'),
  countOneBits: one('popcount'),
  reverseBits: one('reverseBits'),
  firstLeadingBit: parts(firstLeading),
  firstTrailingBit: parts(firstTrailing),
  extractBits: { arity: 3, make: extractBits },
  insertBits: { arity: 4, make: insertBits },
  dot4U8Packed: dot4('u32'),
  dot4I8Packed: dot4('i32'),
}
