// Branches behind numbers that random data do not have: proofs run them, for conditions say which numbers these are.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

test.each([
  ['integers', 'int', 'x[i] >= 65535'],
  ['bytes', 'unsigned char', 'x[i] == 200'],
  ['numbers', 'float', 'x[i] > 40.0f'],
  ['sums of elements', 'int', 'x[i] + x[i > 0 ? i - 1 : 0] < -3000'],
  ['what waits in a local', 'short', 'v != 1000 && v > 999'],
])('%s', async (_, type, condition) => {
  const program = await readC(`void f(int n, int y[n], const int z[n], const ${type} x[n]) {
    for (int i = 0; i < n; i++) { ${type} v = x[i]; if (${condition}) y[i] += (int)v * z[i]; else y[i] = 7; } }`)
  const { verified } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  expect(verified.ok).toBe(true)
  expect(verified.unreached ?? []).toEqual([])
})
