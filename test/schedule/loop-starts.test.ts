// Parallel loops that begin at one of several places: whatever says which, no single thread runs them, and results are
// those of the source.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { analyse } from '../../src/pipeline.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const programs: readonly (readonly [name: string, sketch: string, text: string])[] = [
  [
    'at 1 or 0, as a flag says',
    'elementwise',
    'void f(int n, int flag, float y[n], const float x[n]) { for (int i = flag ? 1 : 0; i < n; i++) y[i] += x[i]; }',
  ],
  [
    'behind what is skipped, if anything is',
    'elementwise',
    `void f(int n, int skip, float y[n], const float x[n]) { int first = 0; if (skip > 0) first = skip;
      for (int i = first; i < n; i++) y[i] += x[i]; }`,
  ],
  [
    'in the middle of rows of some columns',
    'elementwise',
    `void f(int n, int m, int flag, float y[n][m], const float x[n][m]) { for (int i = flag > 3 ? n / 2 : 0; i < n; i++)
      for (int j = flag ? 0 : 1; j < (flag ? m : m - 1); j++) y[i][j] += x[i][j]; }`,
  ],
  [
    'at every other element',
    'elementwise',
    `void f(int n, float y[n][n], const float x[n][n]) { for (int i = 0; i < n; i++)
      for (int j = i % 2 ? 1 : 0; j < n; j++) y[i][j] += x[i][j]; }`,
  ],
  [
    'where no line says',
    'per-iteration',
    `void f(int n, float y[n][n], const float x[n][n]) { for (int i = 0; i < n; i++)
      for (int j = i * i % n; j < n; j++) y[i][j] += x[i][j]; }`,
  ],
]

test.each(programs)('%s', async (_, sketch, text) => {
  const program = await readC(text)
  expect(analyse(program).parts.map((p) => p.sketch.name)).toEqual([sketch])
  const { verified } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: 1 })
  expect(verified.ok).toBe(true)
})
