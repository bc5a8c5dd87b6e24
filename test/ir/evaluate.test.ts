// What ops compute, by hand: the edges that targets disagree on.
import { describe, expect, test } from 'vitest'
import {
  evaluate,
  f16Bits,
  f16Value,
  roundF16,
  type OpName,
  type ScalarType,
  type ScalarValue,
} from '../../src/ir/index.ts'

const cases: readonly (readonly [OpName, ScalarType, readonly ScalarValue[], ScalarValue, ScalarType?])[] = [
  ['add', 'i32', [2147483647, 1], -2147483648],
  ['add', 'u32', [4294967295, 1], 0],
  ['add', 'f32', [16777216, 1], 16777216],
  ['add', 'f16', [2048, 1], 2048],
  ['mul', 'u32', [65537, 65537], 131073],
  ['mul', 'i64', [2n ** 62n, 2n], -(2n ** 63n)],
  ['div', 'i32', [-7, 2], -3],
  ['div', 'i32', [5, 0], 5],
  ['div', 'i32', [-2147483648, -1], -2147483648],
  ['rem', 'i32', [-7, 2], -1],
  ['rem', 'i32', [5, 0], 0],
  ['rem', 'i64', [-(2n ** 63n), -1n], 0n],
  ['rem', 'f32', [-5.5, 2], -1.5],
  ['abs', 'i32', [-2147483648], -2147483648],
  ['sign', 'f32', [-0], -0],
  ['min', 'f32', [NaN, 1], 1],
  ['max', 'f32', [1, NaN], 1],
  ['min', 'f32', [0, -0], -0],
  ['fma', 'f32', [16777217 - 1, 1, 1], 16777216],
  ['round', 'f32', [2.5], 2],
  ['round', 'f32', [-0.5], -0],
  ['round', 'f64', [3.5], 4],
  ['shl', 'i32', [1, 33], 2],
  ['shr', 'i32', [-8, 1], -4],
  ['shr', 'u32', [4294967288, 1], 2147483644],
  ['shl', 'i64', [1n, -1n], -(2n ** 63n)],
  ['mulhi', 'u32', [4294967295, 4294967295], 4294967294],
  ['mulhi', 'i32', [-1, 1], -1],
  ['popcount', 'i32', [-1], 32],
  ['clz', 'u32', [0], 32],
  ['clz', 'u64', [1n], 63n],
  ['ctz', 'i32', [-2147483648], 31],
  ['ctz', 'i64', [0n], 64n],
  ['reverseBits', 'u32', [1], 2147483648],
  ['not', 'u32', [0], 4294967295],
  ['ne', 'f32', [NaN, NaN], 1],
  ['eq', 'f32', [0, -0], 1],
  ['lt', 'u32', [1, 4294967295], 1],
  ['select', 'f32', [0, 1, 2], 2],
  ['convert', 'f32', [3e9], 2147483647, 'i32'],
  ['convert', 'f32', [-1.5], 0, 'u32'],
  ['convert', 'f32', [NaN], 0, 'i32'],
  ['convert', 'f64', [1e30], 2n ** 63n - 1n, 'i64'],
  ['convert', 'f64', [-1.9], -1n, 'i64'],
  ['convert', 'i32', [-1], 4294967295, 'u32'],
  ['convert', 'i32', [-1], 2n ** 64n - 1n, 'u64'],
  ['convert', 'i64', [2n ** 32n + 5n], 5, 'i32'],
  // 2⁵⁴ + 2³⁰ + 1 lies just above the middle of two f32; float64 first would drop the 1 and round down.
  ['convert', 'i64', [2n ** 54n + 2n ** 30n + 1n], 2 ** 54 + 2 ** 31, 'f32'],
  ['convert', 'bool', [1], 1, 'f32'],
  ['convert', 'f32', [NaN], 1, 'bool'],
  ['bitcast', 'f32', [1], 0x3f800000, 'u32'],
  ['bitcast', 'i64', [-1n], 2n ** 64n - 1n, 'u64'],
  ['rsqrt', 'f32', [4], 0.5],
  ['atan2', 'f64', [1, -1], (3 * Math.PI) / 4],
]

describe('evaluate', () => {
  for (const [op, type, args, expected, to] of cases) {
    test(`${op} ${type} (${args.map(String).join(', ')})${to ? ` to ${to}` : ''}`, () =>
      expect(evaluate(op, type, args, to)).toBe(expected))
  }
})

describe('f16', () => {
  test('all bit patterns come back', () => {
    for (let bits = 0; bits < 65536; bits++) {
      const v = f16Value(bits)
      if (Number.isNaN(v)) continue
      expect(f16Bits(v)).toBe(bits)
      expect(roundF16(v)).toBe(v)
    }
  })
  test('middles round to even, and the last one overflows', () => {
    expect(roundF16(2049)).toBe(2048)
    expect(roundF16(2051)).toBe(2052)
    expect(roundF16(65519.99)).toBe(65504)
    expect(roundF16(65520)).toBe(Infinity)
    expect(roundF16(2 ** -25)).toBe(0)
    expect(roundF16(1.5 * 2 ** -25)).toBe(2 ** -24)
  })
})
