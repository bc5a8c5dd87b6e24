// Loops of several statements that overwrite what only earlier iterations have read, next to values that an iteration
// hands on to itself: which read from a copy and leave one thread, and which may not, with the source's results.
import { describe, expect, test } from 'vitest'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { sketchNames } from '../support.ts'

const sizes = '#pragma tesela sizes(n = 100000, h = 300)\n'

test.each([
  [
    'what comes next, and what was just stored',
    'void f(int n, const float *c, float *a, float *b) { for (int i = 0; i < n - 1; i++) { a[i] = b[i] * c[i]; ' +
      'b[i] = a[i] * a[i + 1]; } }',
  ],
  [
    'stored twice',
    'void f(int n, const float *c, float *a, float *b) { for (int i = 0; i < n - 2; i++) { a[i] = b[i] + c[i]; ' +
      'b[i] = a[i] + 1; a[i] = b[i] + a[i + 2] * c[i]; } }',
  ],
  [
    'three at a time',
    'void f(int n, float *a) { for (int i = 0; i < n - 3; i += 3) { a[i] = a[i + 1] * a[i]; a[i + 1] = a[i + ' +
      '2] * a[i + 1]; a[i + 2] = a[i + 3] * a[i + 2]; } }',
  ],
  [
    'downwards, under a condition',
    'void f(int n, const float *c, float *a, float *b) { for (int i = n - 1; i > 0; i--) { if (c[i] > 0) a[i] ' +
      '= b[i] + c[i]; b[i] = a[i] - a[i - 1]; } }',
  ],
  [
    'the last element, as it was',
    'void f(int n, const float *c, float *a) { for (int i = 1; i < n; i++) a[i] = c[i] + 0.5f * a[i - 1] + a[n - 1]; }',
  ],
  [
    'a sweep of Gauss and Seidel',
    'void f(int n, const float *c, float *a) { for (int i = 1; i < n - 1; i++) a[i] = c[i] + 0.5f * a[i - 1] + 0.25f ' +
      '* a[i + 1]; }',
  ],
  [
    'the row below',
    'void f(int h, int n, float a[h][n], float b[h][n]) { for (int i = 0; i < h - 1; i++) for (int j = 0; j < ' +
      'n; j++) { a[i][j] = b[i][j] + 1; b[i][j] = a[i][j] * a[i + 1][j]; } }',
  ],
])('%s', async (_, source) => {
  const p = await readC(sizes + source)
  expect(sketchNames(p)).not.toContain('sequential')
  await rungsHold(
    sizes + source,
    sketchNames(p),
    source.includes('int h')
      ? [
          [5, 70],
          [1, 3],
        ]
      : [[1000], [33], [3], [2]],
  )
})

describe('in order', () => {
  test.each([
    [
      'a store may have come before',
      'void f(int n, const int *at, float *a, float *b) { for (int i = 0; i < n - 1; i++) { a[i] = b[i] * 2; ' +
        'b[i] = a[i] * a[at[i]]; } }',
    ],
    [
      'what the iteration before has stored',
      'void f(int n, float *a, float *b) { for (int i = 1; i < n - 1; i++) { a[i] = b[i - 1] * b[i - 1]; b[i] ' +
        '= a[i] * a[i + 1]; } }',
    ],
  ])('%s', async (_, source) => {
    expect(sketchNames(await readC(sizes + source))).toContain('sequential')
  })
})
