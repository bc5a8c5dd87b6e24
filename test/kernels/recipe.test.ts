// Plans as data: packing is undone exactly, expressions are evaluated, generation gives the same bytes each time.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { distanceAfter, distanceCode, evaluate, numbersOf, packNumbers, unpack } from '../../src/kernels/recipe.ts'
import { spec } from '../../src/kernels/reduce/kernel.ts'
import { moduleText, packTexts, prepare, recipesOf } from '../../tools/kernels.ts'

beforeAll(prepare)

test('numbers survive packing', () => {
  const list = [0, 1, 44, 45, 46, 2024, 2025, 91124, 91125, 2 ** 31]
  expect(numbersOf(packNumbers(list))).toEqual(list)
  expect(packNumbers(Array.from({ length: 90 }, (_, i) => i))).not.toMatch(/["\\]/)
})
test('distances survive their code', () => {
  for (const last of [0, 1, 7, 500]) for (const d of [1, 2, 6, 7, 8, 499, 501, 10_000]) expect(distanceAfter(last, distanceCode(last, d))).toBe(d)
})
test('texts survive packing', () => {
  const stream = random(5), words = ['let x = 1;\n', '  a_12 += b.x', ' 17 ', '\n\n', 'ünï', '(', 'a', '"\\~']
  const texts = Array.from({ length: 5 }, () => Array.from({ length: 200 }, () => words[Math.floor(stream.unit() * words.length)]).join(''))
  expect(unpack({ ...packTexts(texts), plans: {} })).toEqual(texts)
})
test('expressions', () => {
  expect(evaluate(['div', ['add', 'n', 255], 256], { n: 257 })).toBe(2)
  expect(evaluate(['land', ['eq', ['rem', 'n', 4], 0], ['lt', 'n', 9]], { n: 8 })).toBe(1)
  expect(evaluate(['select', ['ge', 'n', 2], 'n', -1], { n: 1 })).toBe(-1)
})
test('the same sources make the same bytes', async () => {
  const one = { 'sum-f32': spec['sum-f32']! }
  const dir = join(import.meta.dirname, '../../src/kernels/reduce')
  const make = async (): Promise<string> => moduleText('sum-f32', (await recipesOf(one, dir))['sum-f32']!)
  expect(await make()).toBe(await make())
})
