// What was measured to be fast at these sizes is preferred to what the model alone would take, here and by workers.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { searchAll, scorerOf } from '../../src/tune/candidate-search.ts'
import { contextOf, type OptimizeOptions } from '../../src/tune/context.ts'
import { readC } from '../c/read.ts'

const product = (m: number, n: number, k: number): string => `
  void product(const float a[${m}][${k}], const float b[${k}][${n}], float c[${m}][${n}]) {
    for (int i = 0; i < ${m}; i++)
      for (int j = 0; j < ${n}; j++) {
        float s = 0.0f;
        for (int l = 0; l < ${k}; l++) s += a[i][l] * b[l][j];
        c[i][j] = s;
      }
  }`

describe('a product on an H200', () => {
  const options: OptimizeOptions = { gpu: gpu('h200'), targets: ['cuda'], budget: 16 }
  test.each([
    ['large', 4096, 4096, 4096, { bm: 128, bn: 128 }],
    // two tiles and a long sum, whose scores are of other sizes than that of the first point
    ['of few tiles', 256, 256, 524288, { bm: 128, bn: 128, slices: 66 }],
  ] as const)('%s: begins with the tile that readings put first', async (_, m, n, k, fastest) => {
    const program = await readC(product(m, n, k)),
      alone = contextOf(program, options)
    const here = await searchAll(alone)
    expect(here.candidates[0]).toMatchObject([fastest])
    expect(here.candidates.length).toBeGreaterThan(4)
    const answer = scorerOf(program, options)
    const workers = contextOf(program, { ...options, score: (asked) => Promise.resolve(answer(asked)) })
    expect((await searchAll(workers)).candidates[0]).toEqual(here.candidates[0])
  })
})
