// Linear recurrences of many channels, rows or columns side by side: what is recognised, and that every rung of every
// ladder computes it, at few and many channels, one step and none.
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { sizesOf, verified } from '../support.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { someOf } from '../../support/long.ts'

type Case = readonly [name: string, text: string, sketches: readonly string[], sizes: readonly (readonly number[])[]]

const channels: readonly Case[] = [
  [
    'a moving average of each channel, channels outermost',
    'void f(int n, int m, float a, const float *x, float *y) { for (int c = 0; c < m; c++) { float s = 0; ' +
      'for (int t = 0; t < n; t++) { s = a * x[t * m + c] + (1 - a) * s; y[t * m + c] = s; } } }',
    ['recurrence'],
    [
      [300, 5],
      [131, 70],
      [1, 3],
    ],
  ],
  [
    'down the columns of an image, from its first row',
    'void f(int h, int w, float a, const float *x, float *y) { for (int j = 0; j < w; j++) y[j] = x[j]; for (int ' +
      'i = 1; ' +
      'i < h; i++) for (int j = 0; j < w; j++) y[i * w + j] = x[i * w + j] + a * (y[(i - 1) * w + j] - x[i * w + ' +
      'j]); }',
    ['elementwise', 'recurrence'],
    [
      [150, 33],
      [1, 5],
    ],
  ],
  [
    'three channels innermost, in a local array',
    'void f(int n, float a, const float *x, float *y) { float s[3] = {0, 0, 0}; for (int t = 0; t < n; t++) for ' +
      '(int c = ' +
      '0; c < 3; c++) { s[c] = a * x[t * 3 + c] + (1 - a) * s[c]; y[t * 3 + c] = s[c]; } }',
    ['sequential', 'recurrence'],
    [[333], [1]],
  ],
  [
    'state that the caller keeps',
    'void f(int n, const float *x, float *y, float *s) { for (int t = 0; t < n; t++) for (int c = 0; c < 4; c++) ' +
      '{ s[c] ' +
      '+= 0.25f * (x[t * 4 + c] - s[c]); y[t * 4 + c] = s[c]; } }',
    ['recurrence'],
    [[290], [1], [0]],
  ],
  [
    'a filter of second order along each row, coefficients of its own',
    'void f(int n, int m, const float *k, const float *x, float *y) { for (int c = 0; c < m; c++) { float z1 = 0, ' +
      'z2 = 0; ' +
      'for (int t = 0; t < n; t++) { float v = x[c * n + t], r = k[c] * v + z1; z1 = 0.5f * r - v + z2; z2 = ' +
      '0.25f * v - ' +
      '0.125f * r; y[c * n + t] = r; } } }',
    ['recurrence'],
    [
      [517, 3],
      [128, 9],
    ],
  ],
  [
    'columns of pixels of three bytes each',
    'void f(int h, int w, const float *x, float *y) { for (int j = 0; j < w; j++) for (int c = 0; c < 3; c++) { ' +
      'float s = ' +
      '0; for (int i = 0; i < h; i++) { s = 0.5f * s + x[(i * w + j) * 3 + c]; y[(i * w + j) * 3 + c] = s; } } }',
    ['recurrence'],
    [
      [140, 7],
      [70, 50],
    ],
  ],
  [
    'along rows of pixels, channels innermost, in place',
    'void f(int w, int h, float a, float *x) { for (int i = 0; i < h; i++) for (int j = 1; j < w; j++) for (int c ' +
      '= 0; c < 3; c++) x[(i * w + j) * 3 + c] += a * (x[(i * w + j - 1) * 3 + c] - x[(i * w + j) * 3 + c]); }',
    ['recurrence'],
    [
      [150, 4],
      [1, 3],
    ],
  ],
  [
    'greatest sums of runs in each column, from the end, in place',
    'void f(int n, int m, int *x) { for (int c = 0; c < m; c++) for (int t = n - 2; t >= 0; t--) x[t * m + c] += ' +
      'x[(t + 1) * m + c] > 0 ? x[(t + 1) * m + c] : 0; }',
    ['recurrence'],
    [[200, 6]],
  ],
]
describe('channels in parallel', () => {
  test.each(someOf(channels))('%s', async (_, source, sketches, sizes) => rungsHold(source, sketches, sizes))
})

test.each([
  ['runs go through the totals before them', { algorithm: 0, runs: 8, threads: 8, unroll: 4, beside: 8 }],
  ['runs of a block beside each other, more than rows', { algorithm: 0, runs: 256, threads: 4, unroll: 8, beside: 32 }],
  ['many blocks for each channel', { algorithm: 1, threads: 32, unroll: 2, vector: 4, blocks: 3, rows: 1 }],
  ['a thread for each channel', { algorithm: 2, threads: 16, keep: 0 }],
])('a filter of second order, results replace what it starts with: %s', async (_, point) => {
  const p = await readC(
    'void f(int n, int m, const float *x, float *y, float *s) { for (int c = 0; c < m; c++) { float a = s[2 * c], ' +
      'b = ' +
      's[2 * c + 1]; for (int t = 0; t < n; t++) { float v = x[t * m + c] + 0.5f * a - 0.25f * b; b = a; a = v; ' +
      'y[t * m + c] = v; } s[2 * c] = a; s[2 * c + 1] = b; } }',
  )
  const a = analyse(p)
  expect(a.parts.map((x) => x.sketch.name)).toContain('recurrence')
  for (const sizes of [
    [259, 5],
    [97, 19],
    [1, 2],
  ]) {
    const v = verified(
      a,
      a.parts.map((x) => (x.sketch.name === 'recurrence' ? point : x.sketch.ladder[0]!.point)), // none is empty
      [sizesOf(p, sizes)],
    )
    expect({ sizes, ok: v.ok, why: v.why }).toEqual({ sizes, ok: true, why: undefined })
  }
})

const refused: readonly (readonly [string, string])[] = [
  [
    'a number that goes on from channel to channel',
    'void f(int n, int m, const float *x, float *y) { float s = 0; for (int c = 0; c < m; c++) for (int t = 0; t ' +
      '< n; ' +
      't++) { s = 0.5f * s + x[t * m + c]; y[t * m + c] = s; } }',
  ],
  [
    'the channel beside it',
    'void f(int n, int m, const float *x, float *y) { for (int t = 1; t < n; t++) for (int c = 1; c < m; c++) y[t ' +
      '* m + c] ' +
      '= x[t * m + c] + 0.5f * y[(t - 1) * m + c - 1]; }',
  ],
  [
    'results in one place',
    'void f(int n, int m, const float *x, float *y, float *r) { for (int c = 0; c < m; c++) { float s = r[0]; for ' +
      '(int t = ' +
      '0; t < n; t++) { s = 0.5f * s + x[t * m + c]; y[t * m + c] = s; } r[0] = s; } }',
  ],
]
describe('no channels in parallel', () => {
  test.each(someOf(refused))('%s', async (_, source) => {
    const a = analyse(await readC(source))
    const forms = a.parts.flatMap(({ nest }) => (nest.kind === 'idiom' ? [nest.form] : []))
    expect(forms.filter((x) => x.kind === 'recurrence' && x.parallel.length > 0)).toEqual([])
  })
})
