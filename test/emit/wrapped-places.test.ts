// Places that wrap around a torus are chosen without branches: loads need not wait for a decision.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const textsOf = async (body: string): Promise<readonly string[]> => {
  const program = await readC(
    `void f(int n, int m, const float *x, const int *k, float *y) { for (int i = 0; i < n; i++) { ${body} } }`,
  )
  const { plan } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  return plan.variants.flatMap((v) => v.launches.flatMap((l) => Object.values(l.emitted ?? {}).map((e) => e.text)))
}

test.each([
  'int l = i - 1, r = i + 1; if (l < 0) l += n; if (r >= n) r -= n; y[i] = x[l] + x[r];',
  'int l = i - m; if (l < 0) l += n; else if (l >= n) l -= n; y[i] = x[l] * 2;',
])('%s', async (body) => {
  for (const text of await textsOf(body)) expect(text).not.toContain('} else {')
})
