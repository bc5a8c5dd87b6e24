// Subscripts that go around: iterations whose remainders are equal are the same one, where they are fewer than what
// divides and all else is the same.
import { expect, test } from 'vitest'
import { dependences } from '../../src/analysis/index.ts'
import { parseProgram } from '../../src/ir/index.ts'

/** Whether something of one iteration of the first loop is touched by another. */
function meets(body: string): boolean {
  const p = parseProgram(
    `program p { size n = 8 min 1 size m = 9 min 0 array A: f32[n] inout global array B: f32[9, n] inout global
     array c: i32[9] in global array o: i32[9] inout global\n${body} }`,
  )
  return dependences(p).some((d) => d.level === 0)
}

test.each<[string, string, boolean]>([
  ['a shift', 'for i in 0 .. n { A[(i + 3) % n] = 1.0f }', false],
  ['the other way', 'for i in 0 .. n { A[(n - i) % n] = 1.0f }', false],
  ['by a size', 'for i in 0 .. n { A[(i + m + n) % n] = 1.0f }', false],
  ['in steps', 'for i in 0 .. n { A[(2 * i) % n] = 1.0f }', true],
  ['one iteration more', 'for i in 0 .. n + 1 { A[(i + 3) % n] = 1.0f }', true],
  ['fewer iterations', 'for i in 1 .. n - 1 { A[(i + 3) % n] = 1.0f }', false],
  ['by what changes', 'for i in 0 .. n { for k in 0 .. 9 { A[(i + k) % n] = 1.0f } }', true],
  ['by what another subscript fixes', 'for i in 0 .. n { for k in 0 .. 9 { B[k, (i + k) % n] = 1.0f } }', false],
  ['by a table', 'for i in 0 .. n { for k in 0 .. 9 { B[k, (i + c[k] + n) % n] = 1.0f } }', false],
  ['by a table that changes', 'for i in 0 .. n { for k in 0 .. 9 { o[k] = 1 B[k, (i + o[k] + n) % n] = 1.0f } }', true],
  ['two shifts', 'for i in 0 .. n { A[(i + 1) % n] = A[(i + 2) % n] }', true],
])('%s', (_, body, expected) => {
  expect(meets(body)).toBe(expected)
})
