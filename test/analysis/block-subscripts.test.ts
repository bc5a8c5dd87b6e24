// Iterations with a block of elements each, of a length that sizes say: they never meet, and one element more they do.
import { expect, test } from 'vitest'
import { dependences } from '../../src/analysis/index.ts'
import { parseProgram } from '../../src/ir/index.ts'

/** Whether something of one iteration of `g` is touched by another. */
function meets(body: string, least = 0): boolean {
  const p = parseProgram(
    `program p { size n = 8 min 1 size q = 4 min ${least} size e = 5 min 0 array A: f32[4000] inout global
     array B: f32[40, 100] inout global\n${body} }`,
  )
  return dependences(p).some((d) => d.level === 0)
}

test.each<[string, string, boolean]>([
  ['blocks of a size', 'for g in 0 .. n { for k in 0 .. q { A[g * q + k] += 1.0f } }', false],
  ['one element more', 'for g in 0 .. n { for k in 0 .. q + 1 { A[g * q + k] += 1.0f } }', true],
  ['from one block to the next', 'for g in 0 .. n { for o in g * q .. (g + 1) * q { A[o] += 1.0f } }', false],
  ['a border of the next', 'for g in 0 .. n { for o in g * q .. (g + 1) * q + 1 { A[o] += 1.0f } }', true],
  ['rows of blocks', 'for g in 0 .. n { for k in 0 .. q { for i in 0 .. e { B[g * q + k, i] += 1.0f } } }', false],
  ['from above', 'for g in 0 .. n { for k in 0 .. q { A[3999 - g * q - k] += 1.0f } }', false],
  [
    'blocks of blocks',
    'for g in 0 .. n { for k in 0 .. q { for i in 0 .. e { A[(g * q + k) * e + i] += 1.0f } } }',
    false,
  ],
  ['a shorter step than the block', 'for g in 0 .. n { for k in 0 .. 2 * q { A[g * q + k] += 1.0f } }', true],
])('%s', (_, body, expected) => {
  expect(meets(body)).toBe(expected)
})

test('a length that may be negative decides nothing', () => {
  expect(meets('for g in 0 .. n { for k in 0 .. 1 { A[g * q + k] += 1.0f } }', -3)).toBe(true)
})
