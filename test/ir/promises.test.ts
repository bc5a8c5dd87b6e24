// The table of promises: its page is current, and what it says of errors is what moved results keep.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { allowanceOf, errorOf, isOpen, promiseOf, unitAt } from '../../src/ir/index.ts'
import { operationsPage } from '../../tools/operations.ts'

test('docs/operations.md is what the tables say', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  expect(page === operationsPage(), 'run npx tsx tools/operations.ts').toBe(true)
})

test.each([
  [1, 2 ** -23],
  [1.99, 2 ** -23],
  [2, 2 ** -22],
  [0, 2 ** -149],
  [2 ** -140, 2 ** -149],
])('the unit in the last place at %f is %f', (x, unit) => expect(unitAt('f32', x)).toBe(unit))

test.each([
  ['exp', [3], Math.exp(3), 9 * 2 ** -19],
  ['log', [1.5], Math.log(1.5), 2 ** -21],
  ['log', [9], Math.log(9), 3 * 2 ** -22],
  ['sin', [1], Math.sin(1), 2 ** -11 + 2 ** -16],
  ['pow', [3, 4], 81, 0],
  ['tan', [1.5707], 10381.3, Infinity],
  ['add', [1, 2], 3, 0],
] as const)('WGSL may be off in %s of %j', (op, args, result, most) => {
  const [a, b = 0] = args
  expect(errorOf(allowanceOf(promiseOf(op, 'wgsl', false), 'f32'), 'f32', result, a, b)).toBe(most)
})

test('quotients are exact where an answer hangs on them, and open for divisors that are no normal numbers', () => {
  expect(promiseOf('div', 'wgsl', true).f32.kind).toBe('exact')
  expect(isOpen(promiseOf('div', 'wgsl', false), [1, 2 ** 127])).toBe(true)
  expect(isOpen(promiseOf('div', 'wgsl', false), [1, 2 ** -127])).toBe(true)
  expect(isOpen(promiseOf('div', 'wgsl', false), [1, 3])).toBe(false)
})
