// The reference interpreter against values computed by hand, and its refusals word by word.
import { describe, expect, test } from 'vitest'
import { interpret, parseProgram, verifyProgram, type HostArray, type InterpretOptions } from '../../src/ir/index.ts'

function run(
  text: string,
  arrays: Record<string, HostArray>,
  sizes: Record<string, number> = {},
  scalars: Record<string, number> = {},
  options: InterpretOptions = {},
): void {
  const p = parseProgram(text)
  verifyProgram(p)
  interpret(p, { sizes, scalars, arrays }, options)
}
const f32 = (...values: number[]): HostArray => Float32Array.from(values)
const i32 = (...values: number[]): HostArray => Int32Array.from(values)

describe('values', () => {
  test('matrix product', () => {
    const C = f32(9, 9, 9, 9)
    run(
      `program gemm { size n = 2 min 0
      array A: f32[n, n] in global array B: f32[n, n] in global array C: f32[n, n] out global
      for i in 0 .. n { for j in 0 .. n { C[i, j] = 0.0f for k in 0 .. n @unroll { C[i, j] += A[i, k] * B[k, j] } } \
} }`,
      { A: f32(1, 2, 3, 4), B: f32(5, 6, 7, 8), C },
      { n: 2 },
    )
    expect([...C]).toEqual([19, 22, 43, 50])
  })

  test('steps, triangular bounds, if and choose', () => {
    const y = i32(...new Array<number>(8).fill(-1))
    run(
      `program p { size n = 8 min 0 array y: i32[n] inout global
      for i in 1 .. n step 3 { for j in i .. i + 2 { if j < n && j % 2 == 0 { y[j] = i } else { y[i] = j < n ? 10 * \
y[i] : 7 } } } }`,
      { y },
      { n: 8 },
    )
    // i=1: j=1 → y[1]=-10; j=2 → y[2]=1. i=4: j=4 → y[4]=4; j=5 → y[4]=40. i=7: j=7 → y[7]=-10; j=8 → y[7]=7.
    expect([...y]).toEqual([-1, -10, 1, -1, 40, -1, -1, 7])
  })

  test('reductions of every kind', () => {
    const out = i32(1, 1, 100, -100, -1, 0, 5, 3, 0)
    run(
      `program p { array x: i32[4] in global array o: i32[9] inout global
      for i in 0 .. 4 { o[0] += x[i] o[1] *= x[i] o[2] min= x[i] o[3] max= x[i] o[4] &= x[i] o[5] |= x[i] o[6] ^= \
x[i] o[7] &&= x[i] o[8] ||= x[i] } }`,
      { x: i32(3, 7, 1, 5), o: out },
    )
    expect([...out]).toEqual([17, 105, 1, 7, 1, 7, 5 ^ 3 ^ 7 ^ 1 ^ 5, 1, 1])
  })

  test('f32 rounds after every operation, f64 precision does not', () => {
    const text =
      'program p { scalar a: f32 array y: f64[1] out global array x: f32[1] out global y[0] = f64(a * a - ' +
      '1.0f) x[0] = a * a - 1.0f }'
    const a = 1 + 2 ** -20
    const y = new Float64Array(1),
      x = new Float32Array(1)
    run(text, { y, x }, {}, { a })
    expect(y[0]).toBe(Math.fround(Math.fround(a * a) - 1))
    const wide = new Float64Array(1)
    run(text, { y, x: wide }, {}, { a }, { precision: 'f64' })
    expect(y[0]).toBe(a * a - 1)
    expect(wide[0]).toBe(a * a - 1)
  })

  test('integer division, remainder and shifts as the ops table says', () => {
    const y = i32(...new Array<number>(7).fill(0))
    run(
      'program p { array y: i32[7] out global y[0] = neg(7) / 2 y[1] = neg(7) % 2 y[2] = 7 / 0 y[3] = 7 % 0 ' +
        'y[4] = neg(8) >> 1 y[5] = 1 << 33 y[6] = 2147483647 * 2 }',
      { y },
    )
    expect([...y]).toEqual([-3, -1, 7, 0, -4, 2, -2])
  })

  test('64-bit integers, half floats and narrow integers', () => {
    const l = new BigInt64Array(1),
      h = new Uint16Array([0x3c00, 0]),
      c = new Int8Array([0, 0])
    run(
      'program p { array l: i64[1] out global array h: f16[2] inout global array c: i8[2] out global l[0] = ' +
        '4000000000l * 3l h[1] = h[0] + 0.0005h c[0] = 200 c[1] = i32(h[0]) }',
      { l, h, c },
    )
    expect(l[0]).toBe(12000000000n)
    expect(h[1]).toBe(0x3c01) // 1.0005 lies nearer to 1 + 2⁻¹⁰ than to 1
    expect([...c]).toEqual([-56, 1])
  })

  test('a local is fresh in every iteration', () => {
    const y = f32(0, 0, 0)
    run(
      'program p { array y: f32[3] out global for i in 0 .. 3 { declare s: f32[] temp private s = 1.0f for k ' +
        'in 0 .. i { s += 1.0f } y[i] = s } }',
      { y },
    )
    expect([...y]).toEqual([1, 2, 3])
  })
})

describe('refusals', () => {
  const message = (body: () => void): string => {
    try {
      body()
    } catch (e) {
      return (e as Error).message
    }
    return 'no error'
  }

  test.each([
    [
      'out of bounds',
      'program p { size n = 4 min 0 array y: f32[n] out global for i in 0 .. n + 1 { y[i] = 0.0f } }',
      'index [4] is outside y, which has 4 elements, in "y[i] = 0.0f"',
    ],
    [
      'out of bounds in two dimensions',
      'program p { size n = 4 min 0 array y: f32[n, 2] out global for i in 0 .. n { y[i, i] = 0.0f } }',
      'index [2, 2] is outside y, which has 4 × 2 elements, in "y[i, i] = 0.0f"',
    ],
    [
      'local read before it is written',
      'program p { size n = 4 min 0 array y: f32[n] out global declare s: f32[3] temp private s[0] = 1.0f ' +
        'y[0] = s[2] }',
      's[2] is read before it is written, in "s[2]"',
    ],
    [
      'reduction into a fresh local',
      'program p { size n = 4 min 0 array y: f32[n] out global for i in 0 .. 1 { declare s: f32[] temp ' +
        'private s += 1.0f y[0] = s } }',
      's is read before it is written, in "s += 1.0f"',
    ],
  ])('%s', (_, text, expected) => {
    expect(message(() => run(text, { y: new Float32Array(16) }, { n: 4 }))).toContain(expected)
  })

  test('too many steps', () => {
    const text = 'program p { array y: i32[1] out global for i in 0 .. 1000000 { for j in 0 .. 1000000 { y[0] = 1 } } }'
    expect(message(() => run(text, { y: i32(0) }, {}, {}, { maxSteps: 1000 }))).toContain(
      'the program takes more than 1000 loop iterations',
    )
  })

  test('missing and unfit inputs', () => {
    const text = 'program p { size n = 4 min 0 array y: f32[n] out global y[0] = 1.0f }'
    expect(message(() => run(text, { y: f32(0) }))).toContain('size n is not given')
    expect(message(() => run(text, {}, { n: 4 }))).toContain('array y is not given')
    expect(message(() => run(text, { y: f32(0) }, { n: 4 }))).toContain('array y has 1 elements, 4 are needed')
    expect(message(() => run(text, { y: i32(0, 0, 0, 0) }, { n: 4 }))).toContain(
      'array y of f32 was given as Int32Array',
    )
  })
})
