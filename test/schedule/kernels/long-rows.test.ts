// Rows that are read twice, so long that L2 holds few of them: one large block to a row, vectors where rows begin on
// them, and as many bytes between L2 and memory as the rows have.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../../src/gpus/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { estimatePlan, plannedValues } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { sizesOf, verified } from '../support.ts'

const source = (planned: number): string =>
  `void f(int n, int m, const float x[n][m], float y[n][m]) {
#pragma tesela sizes(n = 4096, m = ${planned})
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < m; j++) sum += x[i][j] * x[i][j];
    for (int j = 0; j < m; j++) y[i][j] = x[i][j] / sqrtf(sum);
  } }`

describe('rows that few blocks have in L2', () => {
  test.each([
    [65535, { vector: 1, wide: 4 }],
    [65532, { vector: 4, wide: 4 }],
    [400001, { vector: 1 }], // no L2 holds one for each multiprocessor
    [400000, { vector: 4 }],
  ])('of %d elements', async (planned, expected) => {
    const p = await readC(source(planned)),
      { sketch } = analyse(p).parts[0]!
    const [likely] = sketch.likely!(plannedValues(p), 132)
    expect(sketch.name).toBe('rows')
    expect(likely).toMatchObject({ threads: 256, rows: 1, ...expected })
    expect(sketch.forCuda!(likely!)['threads']).toBe('wide' in expected ? 1024 : 256)
    expect(Math.max(...sketch.ladder.map(({ point }) => point['vector']!))).toBe(expected.vector)
  })

  test('take the time of reading and writing each element once', async () => {
    const p = await readC(source(65535)),
      a = analyse(p),
      { sketch } = a.parts[0]!,
      h200 = gpu('h200')
    const plan = build(a, [sketch.forCuda!(sketch.likely!(plannedValues(p), 132)[0]!)], { warp: 32 }).plan
    const { ns } = estimatePlan(p, plan, plannedValues(p), h200, { steps: 1.5e6 }).prediction,
      bytes = 2 * 4 * 4096 * 65535
    expect(ns).toBeLessThan((1.25 * bytes * 1e9) / h200.memory.dramBytesPerSecond.value)
  })

  test('are right in and after whole rounds', async () => {
    const p = await readC(source(65535)),
      a = analyse(p),
      { sketch } = a.parts[0]!
    const point = sketch.forCuda!(sketch.likely!(plannedValues(p), 132)[0]!)
    for (const sizes of [
      [2, 8192 + 77],
      [3, 1023],
      [1, 1],
    ]) {
      const v = verified(a, [point], [sizesOf(p, sizes)], { warp: 32 })
      expect({ sizes, ok: v.ok, why: v.why }).toEqual({ sizes, ok: true, why: undefined })
    }
  })
})
