// Negations of integers that reach a minimum or maximum are written so that no compiler takes them for operands of it.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const textsOf = async (value: string): Promise<readonly string[]> => {
  const program = await readC(
    `void f(int n, int m, const int *x, int *y) {
      for (int i = 0; i < n; i++) {
        int s = -2147483647, z = 0;
        for (int j = 0; j < m; j++) { int v = ${value}; s = s > v ? s : v; }
        y[i] = s;
      }
    }`,
  )
  const { plan, cudaPlan } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: 1 })
  const launches = [...plan.variants, ...cudaPlan!.variants].flatMap((v) => v.launches)
  return launches.flatMap((l) => Object.values(l.emitted ?? {}).map((e) => e.text))
}

test.each([
  ['alone', '-(x[i * m + j] % 1000)'],
  ['in a remainder', '(-(x[i * m + j] % 1000)) % 1000'],
  ['in a quotient', '-(x[i * m + j] % 1000) / 3'],
  ['in a product', '-(x[i * m + j] % 1000) * 7'],
  ['in a sum', '-(x[i * m + j] % 1000) - j'],
  ['on one side', 'm > 7 ? x[i * m + j] : -(x[j] % 1000)'],
  ['by a negative divisor', 'x[i * m + j] % -6 / -2'],
  ['by a negative factor', '(x[i * m + j] % 100) * -2'],
])('%s', async (_, value) => {
  for (const text of await textsOf(value)) expect(text).toContain('neg_i32(')
})

test.each([
  ['from what has no bits left', '((x[i] & 7) >> 3) - x[i * m + j]'],
  ['from what has none in unsigned numbers', '(int)((4u - (unsigned)x[i]) % 8u >> 3) - x[i * m + j]'],
  ['from a multiple in a remainder', '(int)((unsigned)x[i] * 12u % 4u) - x[i * m + j]'],
  ['from a local that is 0 in every iteration', '(z = ((x[i] + z) & 4) >> 3) - x[i * m + j]'],
])('differences from 0: %s', async (_, value) => {
  const negating = (await textsOf(value)).filter((t) => t.includes('neg_i32('))
  expect(negating.some((t) => t.includes('@compute'))).toBe(true)
  expect(negating.some((t) => t.includes('__global__'))).toBe(true)
})

test('a negation of what has few values is taken from a number that no compiler knows', async () => {
  const texts = await textsOf('-(x[j] != m)')
  expect(texts.some((t) => t.includes('zero_of_neg'))).toBe(true)
  expect(texts.some((t) => /zero = \(params\.(\w+) \* \(params\.\1 \+ 1\)\) & 1;/.test(t))).toBe(true)
})

test.each([
  'x[i * m + j] % 1000',
  'x[i * m + j] / -1000 + m',
  '3 - x[j]',
  '((x[i] & 15) >> 3) - x[j]',
  '(int)((unsigned)x[i] * 12u % 8u) - x[j]',
])('%s stays as it is', async (value) => {
  for (const text of await textsOf(value)) expect(text).not.toContain('neg_i32')
})

test('a choice of two statements can become a maximum', async () => {
  const program = await readC(
    `void f(int n, const int *x, int *y) {
      int s = -2147483647;
      for (int i = 0; i < n; i++) {
        int v;
        if (x[i] & 1) v = x[i] / 2; else v = -(x[i] / 2);
        if (s > v) y[i] = s; else { s = v; y[i] = 7 * s; }
      }
    }`,
  )
  const { plan } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  const launches = plan.variants.flatMap((v) => v.launches)
  expect(launches.some((l) => l.emitted?.wgsl?.text.includes('neg_i32('))).toBe(true)
})
