// Long sums of equal numbers, on SwiftShader: right to 1e-6 with the plans of every tuning, whatever the lengths.
import { expect, test } from 'vitest'
import type { Tuning } from '../../../src/kernels/index.ts'
import { someOf } from '../../support/long.ts'
import { openSoftware } from '../language.ts'

const sums: readonly (readonly [shape: readonly number[], axes: readonly number[]])[] = [
  [[2 ** 24], [0]],
  [[2 ** 24 - 3], [0]],
  [[2, 2 ** 21 + 5], [1]],
  [[3, 70_001, 5], [1]],
  [[2 ** 18, 33], [0]],
  [[100_001, 40], [0]],
  [
    [2, 2 ** 17, 36],
    [1, 0],
  ],
]

test.each(['software', 'generic', 'nvidia'] satisfies Tuning[])('with the plans of %s', async (tuning) => {
  using gpu = await openSoftware({ tuning })
  const value = Math.fround(0.1)
  for (const [shape, axes] of someOf(sums)) {
    const terms = axes.reduce((n, a) => n * shape[a]!, 1)
    using x = gpu.fill(shape, value)
    const of = { sum: terms * value, mean: value, norm: Math.sqrt(terms) * value }
    for (const name of ['sum', 'mean', 'norm'] as const) {
      using got = gpu[name](x, { axes })
      const off = Math.max(...(await got.read()).map((v) => Math.abs(v / of[name] - 1)))
      expect(off, `${name} of [${shape}] over [${axes}]`).toBeLessThan(1e-6)
    }
  }
}, 120_000)
