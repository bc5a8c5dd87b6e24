// Kernels count in 32 bits, and sizes end 2²⁷ before those do: no schedule's step may be longer, or the last turn over
// a large array would wrap around and pass its guard.
import { expect, test } from 'vitest'
import { analyse, build } from '../../src/pipeline.ts'
import { allStatements, mostElements, type Kernel } from '../../src/ir/index.ts'
import { readC } from '../c/read.ts'

const programs = {
  sum: 'float f(int n, const float *x) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }',
  scan: 'void f(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; } }',
  elementwise: 'void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }',
  histogram: 'void f(int n, const int *x, int h[256]) { for (int i = 0; i < n; i++) h[x[i] & 255]++; }',
}

/** The greatest constant that integers are multiplied by or moved by. */
function longestStep(kernel: Kernel): number {
  let most = 0
  for (const s of allStatements(kernel.body))
    if (s.kind === 'op' && s.dst.type === 'i32' && (s.op === 'mul' || s.op === 'add'))
      for (const o of s.args) if (o.kind === 'const') most = Math.max(most, Math.abs(Number(o.value)))
  return most
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
      for (const launch of v.launches) seen = Math.max(seen, longestStep(launch.kernel))
  expect(seen).toBeGreaterThan(0)
  expect(seen).toBeLessThanOrEqual(2 ** 31 - 1 - mostElements)
})
