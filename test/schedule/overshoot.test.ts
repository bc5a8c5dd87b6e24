// Kernels count in 32 bits, and what a plan takes ends its longest step before those do, or the last turn over a large
// array would wrap around and pass its guard. No schedule's step is longer than what is looked for.
import { expect, test } from 'vitest'
import { analyse, build } from '../../src/pipeline.ts'
import { longestStep, stepOf } from '../../src/ir/index.ts'
import { readC } from '../c/read.ts'

const programs = {
  sum: 'float f(int n, const float *x) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }',
  scan: 'void f(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; } }',
  elementwise: 'void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }',
  histogram: 'void f(int n, const int *x, int h[256]) { for (int i = 0; i < n; i++) h[x[i] & 255]++; }',
}

test.each(Object.entries(programs))('%s', async (_, text) => {
  const program = await readC(text),
    large = { ...program, sizes: program.sizes.map((s) => ({ ...s, planned: 2 ** 30 })) }
  const analysed = analyse(large),
    [part] = analysed.parts // it has one
  const points = part!.sketch.space
  expect(points.length).toBeGreaterThan(3)
  let seen = 0
  for (const point of points)
    for (const v of build(analysed, [point]).plan.variants)
      for (const launch of v.launches) seen = Math.max(seen, stepOf(launch.kernel, Infinity))
  expect(seen).toBeGreaterThan(0)
  expect(seen).toBeLessThanOrEqual(longestStep)
})
