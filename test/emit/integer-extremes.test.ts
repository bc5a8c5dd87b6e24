// Negations of integers that reach a minimum or maximum are written so that no compiler takes them for operands of it.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const textsOf = async (value: string): Promise<readonly string[]> => {
  const program = await readC(
    `void f(int n, int m, const int *x, int *y) {
      for (int i = 0; i < n; i++) {
        int s = -2147483647;
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
])('%s', async (_, value) => {
  for (const text of await textsOf(value)) expect(text).toContain('neg_i32(')
})

test('other texts stay as they are', async () => {
  for (const text of await textsOf('x[i * m + j] % 1000')) expect(text).not.toContain('neg_i32')
})
