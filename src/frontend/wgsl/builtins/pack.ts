// The packing built-ins. In: values. Out: values. The one idea: a normalised component is clamped, scaled, rounded to
// floor(x + 0.5) as WGSL says, masked and shifted into its place; unpacking does the reverse.
import { fail } from '../../../base/index.ts'
import { constOf, packHalf, unpackHalf, type Operand } from '../../../ir/index.ts'
import { byteOf, u32s } from './bits.ts'
import { wgslTypeText, vectorType, type ScalarName } from '../types/types.ts'
import { coerce, scalarValue, vectorValue, type Builder, type BuiltinRow, type WgslValue } from '../values.ts'

const u = (x: number): Operand => constOf('u32', x)
const f = (x: number): Operand => constOf('f32', x)

const join = (k: Builder, parts: readonly Operand[], bits: number): WgslValue =>
  scalarValue(
    'u32',
    parts.map((p, i) => k.apply('shl', [p, u(i * bits)])).reduce((a, b) => k.apply('or', [a, b])),
  )

const takes = (k: Builder, v: WgslValue, size: number, name: ScalarName, what: string): readonly Operand[] => {
  if (v.parts.length !== size)
    fail('wgsl.type', `${what}() takes ${wgslTypeText(vectorType(size, name))}, not ${wgslTypeText(v.type)}`, k.at)
  return coerce(k, v, vectorType(size, name), `the argument of ${what}()`).parts
}

const packNormal = (size: number, low: number, scale: number): BuiltinRow => ({
  arity: 1,
  make: (k, [v], name) => {
    const bits = 32 / size
    const pack = (p: Operand): Operand => {
      const clamped = k.apply('min', [k.apply('max', [p, f(low)]), f(1)])
      const rounded = k.apply('floor', [k.apply('add', [f(0.5), k.apply('mul', [clamped, f(scale)])])])
      return k.apply('and', [k.apply('convert', [k.apply('convert', [rounded], 'i32')], 'u32'), u(2 ** bits - 1)])
    }
    return join(k, takes(k, v!, size, 'f32', name).map(pack), bits)
  },
})

/** Component `i` of `size` in a word, sign- or zero-extended. */
function field(k: Builder, w: Operand, i: number, size: number, signed: boolean): Operand {
  const [bits, type] = [32 / size, signed ? 'i32' : 'u32'] as const
  const left = k.apply('shl', [k.apply('convert', [w], type), constOf(type, 32 - bits * (i + 1))])
  return k.apply('shr', [left, constOf(type, 32 - bits)])
}

const unpackNormal = (size: number, signed: boolean, scale: number): BuiltinRow => ({
  arity: 1,
  make: (k, [v]) => {
    const w = u32s(k, v!)
    const unpack = (i: number): Operand => {
      const x = k.apply('div', [k.apply('convert', [field(k, w, i, size, signed)], 'f32'), f(scale)])
      return signed ? k.apply('max', [x, f(-1)]) : x
    }
    return vectorValue(
      'f32',
      Array.from({ length: size }, (_, i) => unpack(i)),
    )
  },
})

const packBytes = (element: 'i32' | 'u32', clamp: boolean): BuiltinRow => ({
  arity: 1,
  make: (k, [v], name) => {
    const [low, high] = element === 'i32' ? [-128, 127] : [0, 255]
    const pack = (p: Operand): Operand => {
      const x = clamp ? k.apply('min', [k.apply('max', [p, constOf(element, low)]), constOf(element, high)]) : p
      return k.apply('and', [k.apply('convert', [x], 'u32'), u(255)])
    }
    return join(k, takes(k, v!, 4, element, name).map(pack), 8)
  },
})

const unpackBytes = (element: 'i32' | 'u32'): BuiltinRow => ({
  arity: 1,
  make: (k, [v]) => {
    const w = u32s(k, v!)
    return vectorValue(
      element,
      [0, 1, 2, 3].map((i) => byteOf(k, w, i, element)),
    )
  },
})

export const packFunctions: Record<string, BuiltinRow> = {
  pack4x8snorm: packNormal(4, -1, 127),
  pack4x8unorm: packNormal(4, 0, 255),
  pack2x16snorm: packNormal(2, -1, 32767),
  pack2x16unorm: packNormal(2, 0, 65535),
  unpack4x8snorm: unpackNormal(4, true, 127),
  unpack4x8unorm: unpackNormal(4, false, 255),
  unpack2x16snorm: unpackNormal(2, true, 32767),
  unpack2x16unorm: unpackNormal(2, false, 65535),
  pack4xI8: packBytes('i32', false),
  pack4xU8: packBytes('u32', false),
  pack4xI8Clamp: packBytes('i32', true),
  pack4xU8Clamp: packBytes('u32', true),
  unpack4xI8: unpackBytes('i32'),
  unpack4xU8: unpackBytes('u32'),
  pack2x16float: {
    arity: 1,
    make: (k, [v], name) =>
      join(
        k,
        takes(k, v!, 2, 'f32', name).map((p) => packHalf(k, p)),
        16,
      ),
  },
  unpack2x16float: {
    arity: 1,
    make: (k, [v]) => {
      const w = u32s(k, v!)
      return vectorValue('f32', [
        unpackHalf(k, k.apply('and', [w, u(0xffff)])),
        unpackHalf(k, k.apply('shr', [w, u(16)])),
      ])
    },
  },
}
