// Loops with two branches of which one needs, in a later iteration, what the other has left: which get a kernel for
// each, in which order, with the source's results.
import { expect, test } from 'vitest'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { sketchNames } from '../support.ts'

const sizes = '#pragma tesela sizes(n = 100000)\n'

test.each([
  [
    'left for the other branch',
    'void f(int n, const float *b, float *a, float *c, const float *d) { for (int i = 0; i < n - 1; i++) { if ' +
      '(b[i] < 0) c[i + 1] = a[i] + d[i]; else a[i] = c[i] + d[i]; } }',
  ],
  [
    'the other branch first',
    'void f(int n, const float *b, float *a, float *c, const float *d) { for (int i = 0; i < n - 1; i++) { if ' +
      '(b[i] < 0) a[i] = c[i] + d[i]; else c[i + 1] = a[i] + d[i]; } }',
  ],
  [
    'overwritten by the other branch',
    'void f(int n, const int *b, float *a, const float *c) { for (int i = 0; i < n - 1; i++) { if (b[i] & 1) ' +
      'a[i + 1] = c[i]; else a[i] = c[i] * 2; } }',
  ],
])('%s', async (_, source) => {
  const names = sketchNames(await readC(sizes + source))
  expect(names).not.toContain('sequential')
  await rungsHold(sizes + source, names, [[1000], [33], [3], [2]])
})

test('branches that need each other stay in order', async () => {
  const source =
    'void f(int n, const float *b, float *a, float *c) { for (int i = 0; i < n - 1; i++) { if (b[i] < 0) c[i + ' +
    '1] = a[i] * a[i]; else a[i + 1] = c[i] * c[i]; } }'
  expect(sketchNames(await readC(sizes + source))).toContain('sequential')
})

test('loops in two branches on data are shared by threads', async () => {
  const source =
    'void f(int h, int n, const int *flag, float *a, float *b) { for (int i = 0; i < h; i++) if (flag[i] > 2) ' +
    'for (int j = 0; j < n; j++) { float t = a[i * n + j]; a[i * n + j] = b[i * n + j]; b[i * n + j] = t; } ' +
    'else for (int j = 0; j < n; j++) a[i * n + j] += b[i * n + j]; }'
  const names = sketchNames(await readC(`#pragma tesela sizes(h = 1000, n = 1000)\n${source}`))
  expect(names).toEqual(['per-iteration', 'elementwise'])
  await rungsHold(`#pragma tesela sizes(h = 1000, n = 1000)\n${source}`, names, [
    [5, 70],
    [1, 1],
  ])
})
