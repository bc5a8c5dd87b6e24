// What a condition keeps of a matrix, packed one after the other, in the order of rows and of columns, and the counts
// that say where each of these begins; and sums in place over long windows, all of whose steps can be built.
import { expect, test } from 'vitest'
import { analyse, build } from '../../../src/pipeline.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { optimize, plansIn, verifyPlan } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'

const packed = (read: string): string =>
  `void f(int n, const float a[n][n], const float b[n][n], float y[n * n]) {
    int k = -1;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (b${read} > 0.0f) { k++; y[k] = a${read}; }
  }`

test.each([
  ['rows', '[i][j]', 'scan'],
  ['columns', '[j][i]', 'columns'],
])('%s of what a condition keeps', async (_, read, sketch) => {
  const program = await readC(packed(read)),
    analysed = analyse(program)
  expect(analysed.parts.map((p) => p.sketch.name)).toEqual(['reduction', 'scan', sketch])
  const longest = Math.max(...analysed.parts.map((p) => p.sketch.ladder.length))
  for (let rung = 0; rung < longest; rung++) {
    const points = analysed.parts.map(({ sketch: { ladder } }) => (ladder[rung] ?? ladder.at(-1)!).point) // have rungs
    const { plan } = build(analysed, points)
    for (const p of plansIn(plan, 'wgsl'))
      expect(verifyPlan(program, p, [{ n: 37 }, { n: 70 }], gpu('h200'), 5).why).toBeUndefined()
  }
})

test('packed into an array whose length nothing says', async () => {
  const program = await readC(packed('[i][j]').replace('y[n * n]', '*y'))
  const { verified } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  expect(verified.ok).toBe(true)
})

test('sums in place over long windows', async () => {
  const program = await readC(`#define N 1048560
float a[N], b[N], c[N];
void f(void) { for (int j = 0; j < N / 2; j++) for (int i = 0; i < N / 2; i++) a[i] += b[i + N / 2 - j - 1] * c[j]; }`)
  const analysed = analyse(program)
  expect(analysed.parts.map((p) => p.sketch.name)).toEqual(['sliding'])
  for (const { point } of analysed.parts[0]!.sketch.ladder) // of one part
    expect(build(analysed, [point]).kernels.length).toBeGreaterThan(0)
})
