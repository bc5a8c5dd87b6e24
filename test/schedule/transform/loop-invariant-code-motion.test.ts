// Loops whose iterations fill arrays alike: what is stored once before them, what is not, and that every rung computes
// what the source does.
import { describe, expect, test } from 'vitest'
import { loopInvariantCodeMotion } from '../../../src/transform/index.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { sketchNames } from '../support.ts'

const sizes = '#pragma tesela sizes(h = 500, n = 2000)\n'

const moved = async (source: string): Promise<boolean> => {
  const p = await readC(sizes + source)
  return loopInvariantCodeMotion.run(p, {}) !== p
}

test.each([
  [
    'the window of each frame',
    'void f(int h, int n, const float *x, float *w, float *y) { for (int t = 0; t < h; t++) { for (int i = 0; ' +
      'i < n; i++) w[i] = 0.5f * i; for (int i = 0; i < n; i++) y[t * n + i] = x[t * n + i] * w[i]; } }',
  ],
  [
    'powers that each row needs',
    'void f(int h, int n, const float *g, const float *x, float *k, float *y) { for (int i = 0; i < h; i++) { ' +
      'k[0] = 1; for (int j = 1; j < n; j++) { k[j] = k[j - 1] * 0.9f; y[i * n + j] = x[i * n + j] * k[j] + ' +
      'g[j]; } } }',
  ],
  [
    'under a condition on data that stay',
    'void f(int h, int n, const int *m, float *k, float *y) { for (int i = 0; i < h; i++) for (int j = 0; j < ' +
      'n; j++) { if (m[j] > 2) k[j] = m[j]; else k[j] = 1; y[i * n + j] += k[j] * i; } }',
  ],
  [
    'all of it, again and again',
    'void f(int h, int n, const float *x, float *y) { for (int r = 0; r < h; r++) for (int i = 0; i < n; i++) ' +
      'y[i] = x[i] * 2; }',
  ],
])('%s', async (_, source) => {
  expect(await moved(source)).toBe(true)
  const names = sketchNames(await readC(sizes + source))
  expect(names).not.toContain('sequential')
  await rungsHold(sizes + source, names, [
    [3, 70],
    [1, 33],
    [5, 2],
  ])
})

describe('stays', () => {
  test.each([
    [
      'what the iteration has read before',
      'void f(int h, int n, const float *x, float *k, float *y) { for (int i = 0; i < h; i++) for (int j = 0; ' +
        'j < n - 1; j++) { y[i * n + j] = k[j]; k[j] = x[j]; } }',
    ],
    [
      'what it overwrites, one after the other',
      'void f(int h, int n, const float *x, float *k, float *y) { for (int i = 0; i < h; i++) for (int j = 0; ' +
        'j < n; j++) { k[j / 2] = x[j]; y[i * n + j] = k[j / 2]; } }',
    ],
    [
      'what goes on from its own values',
      'void f(int h, int n, const float *x, float *k) { for (int i = 0; i < h; i++) for (int j = 0; j < n; ' +
        'j++) k[j] = k[j] * 0.5f + x[j]; }',
    ],
    [
      'what may be the same element',
      'void f(int h, int n, const int *at, float *k) { for (int i = 0; i < h; i++) for (int j = 0; j < n; j++) ' +
        'k[at[j]] = k[j] + 1; }',
    ],
    [
      'what another statement of the loop changes',
      'void f(int h, int n, float *x, float *k) { for (int i = 0; i < h; i++) { for (int j = 0; j < n; j++) ' +
        'k[j] = x[j]; for (int j = 0; j < n; j++) x[j] += i; } }',
    ],
    [
      'a few values of a thread',
      'void f(int h, int n, const float *x, float *y) { float k[3]; for (int i = 0; i < h; i++) { for (int j = ' +
        '0; j < 3; j++) k[j] = j; for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j] * k[j % 3]; } }',
    ],
  ])('%s', async (_, source) => {
    expect(await moved(source)).toBe(false)
  })
})
