// LoopIR text: what is printed parses back to an equal value; what is wrong is refused at its place.
import { describe, expect, test } from 'vitest'
import {
  hostArray,
  interpret,
  parseProgram,
  printExpr,
  printProgram,
  verifyProgram,
  type Expr,
  type Program,
} from '../../src/ir/index.ts'
import { randomProgram } from '../random-program.ts'

/** Equal values without places and absent options. */
const plain = (p: Program | Expr): unknown =>
  JSON.parse(
    JSON.stringify(p, (key, value: unknown) =>
      key === 'at'
        ? undefined
        : typeof value === 'bigint'
          ? `${value}n`
          : typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
            ? `${Object.is(value, -0) ? '-0' : value}`
            : value,
    ),
  )

const everything = `program everything {
  size n = 4096 min 1
  size N = 64 min 64 fixed
  size q = 2048 min 0 quotient n - 3 by 2 from -1 signed
  size w = 12 min 0 bits where w <= n
  size p = 4096 min 1 derived counts
  host variable now = 5 min 0 below n - 1
  host variable half = 0 min 0
  scalar a: f32 = 1.5
  scalar b: i32 = -3.0
  scalar big: u64
  array x: f32[n, N + 1] in global
  array y: f64[n] inout global pad 1
  array l: i64[2] out global
  array k: i32[] temp global
  for i in 0 .. n step 4 @block.x {
    for t in 0 .. 32 @thread(1) {
      declare s: f32[2, 3] temp private
      declare q: u32[] temp shared
      for v in 0 .. 4 @vector {
        s[0, v] = v < 3 && !(i >= n - 1) ? x[i + v, t] : 0.0f
      }
      for u in 0 .. 2 @unroll {
        if i + u < n || u == 1 && t != 2 {
          s[u, 0] += a * -x[i, u] / (x[0, 0] - (x[1, 0] - 0.1f))
        } else {
          s[u, 1] max= sqrt(f32(b) * 2.0e-7f)
          y[i] = 1.0e+300 - f64(a) * (2.0 - y[0])
        }
      }
      q = 7u << (3u >> 1u) ^ u32(k) | ~q & 12u
      q ^= bitcast_u32(a)
      k += i @atomic
      k &&= select(i % 3 - -2 > neg(4), 1, min(i, 2))
      l[1] = -5l * i64(i) + 9223372036854775807l
      s[1, 2] min= f32.inf
      s[1, 1] = -f32.inf + f32.nan + -0.0f
    }
  }
}
`

describe('round trips', () => {
  test('a program with everything prints as it was written', () => {
    const p = parseProgram(everything)
    verifyProgram({ ...p, body: [] })
    const again = parseProgram(printProgram(p))
    expect(plain(again)).toEqual(plain(p))
    expect(printProgram(again)).toBe(printProgram(p))
    expect(printProgram(p)).toBe(everything.replaceAll('2.0e-7f', '2e-7f').replace('1.0e+300', '1e+300'))
  })

  test('500 random programs verify, run and parse back', () => {
    for (let seed = 0; seed < 500; seed++) {
      const p = randomProgram(seed, { depth: 1 + (seed % 4) })
      verifyProgram(p)
      expect(plain(parseProgram(printProgram(p)))).toEqual(plain(p))
      const arrays = Object.fromEntries(p.arrays.map((a) => [a.name, hostArray(a.type, 48 ** a.shape.length)]))
      if (seed % 5 === 0) interpret(p, { sizes: { n: 1 + (seed % 6), m: 6 - (seed % 6) }, scalars: {}, arrays })
    }
  })

  test.each([
    ['a - (b - c)'],
    ['a - b - c'],
    ['(a + b) * c'],
    ['a * (b * c)'],
    ['-(a + b)'],
    ['- -a'],
    ['(a < b ? a : b) + c'],
    ['a < b ? a : b < c ? b : c'],
    ['min(a, b) * -c'],
  ])('%s keeps its structure', (text) => {
    const p = parseProgram(
      `program p { scalar a: f32 scalar b: f32 scalar c: f32 array y: f32[] out global y = ${text} }`,
    )
    const s = p.body[0]!
    expect(s.kind === 'store' && printExpr(s.value)).toBe(text.replace('- -a', '--a'))
  })
})

describe('refusals name the place', () => {
  test.each([
    ['undeclared target', 'program p { y = 1 }', 'p.loop:1:13: error: y is no array that is declared here'],
    [
      'undeclared name',
      'program p {\n  array y: f32[2] out global\n  y[0] = z\n}',
      'p.loop:3:10: error: z is not declared here',
    ],
    [
      'unknown operation',
      'program p {\n  array y: f32[2] out global\n  y[0] = foo(1)\n}',
      'p.loop:3:10: error: foo is no operation',
    ],
    ['unknown type', 'program p { array y: f31[2] out global }', 'p.loop:1:22: error: expected a type, found f31'],
    ['unknown character', 'program p { § }', 'p.loop:1:13: error: unexpected character "§"'],
    [
      'unknown binding',
      'program p { for i in 0 .. 3 @grid { } }',
      'p.loop:1:30: error: expected a binding (block, thread, vector, unroll), found grid',
    ],
    [
      'hostile nesting',
      `program p { array y: f32[] out global y = ${'('.repeat(5000)}1.0f }`,
      'nesting is deeper than 200',
    ],
    ['missing end', 'program p {', 'p.loop:1:12: error: expected a statement, found the end of the text'],
  ])('%s', (_, text, message) => {
    let got = 'no error'
    try {
      parseProgram(text, 'p.loop')
    } catch (e) {
      got = (e as Error).message
    }
    expect(got).toContain(message)
  })
})
