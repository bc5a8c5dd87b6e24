// Loops that count, however they are written, are the `for` loops that they could have been: the same kernels and the
// same results.
import { expect, test } from 'vitest'
import { results, sketchNames, sizesOf } from '../schedule/support.ts'
import { readC } from './read.ts'

const copied = 'void f(int n, int *a, int *b) { for (int i = 0; i < n; i++) b[i] = 3 * a[i] + i; }'
const doubled =
  'void f(int n, int *a, int *b) { for (int h = 1; h < n; h *= 2) for (int i = 0; i < n; i++) a[i] += h; b[0] = 1; }'
const halved =
  'void f(int n, int *a, int *b) { for (int h = n / 2; h > 0; h >>= 1) for (int i = 0; i < h; i++) a[i] += ' +
  'a[i + h]; b[0] = 1; }'

test.each<[string, string, string]>([
  ['the step first', 'int i = -1; while (++i < n) b[i] = 3 * a[i] + i;', copied],
  ['the step in the condition', 'int i = 0; while (i++ < n) b[i - 1] = 3 * a[i - 1] + i - 1;', copied],
  [
    'the step in the middle',
    'int i = 0; while (i < n) { int v = 3 * a[i]; i++; b[i - 1] = v + i - 1; }',
    'void f(int n, int *a, int *b) { for (int i = 0; i < n; i++) { int v = 3 * a[i]; b[i] = v + i; } }',
  ],
  [
    'a step in each branch',
    'int i = 0; while (i < n) { if (a[i] < 0) { b[i] = 1; i++; continue; } b[i] = a[i]; i++; }',
    'void f(int n, int *a, int *b) { for (int i = 0; i < n; i++) if (a[i] < 0) b[i] = 1; else b[i] = a[i]; }',
  ],
  ['an endless loop, a test first', 'int i = 0; for (;;) { if (i >= n) break; b[i] = 3 * a[i] + i; i++; }', copied],
  ['an endless loop, a test last', 'int i = 0; while (1) { b[i] = 3 * a[i] + i; i++; if (i == n) break; }', copied],
  ['a header without a condition', 'for (int i = 0; ; i++) { if (i == n) break; b[i] = 3 * a[i] + i; }', copied],
  ['do, with the step in the condition', 'int i = 0; do { b[i] = 3 * a[i] + i; } while (++i < n);', copied],
  ['pointers', 'int *p = a, *e = a + n, *q = b; int k = 0; while (p < e) { *q = 3 * *p + k; p++; q++; k++; }', copied],
  [
    'two ends that meet',
    'int i = 0, j = n - 1; while (i < j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; } b[0] = 1;',
    'void f(int n, int *a, int *b) { for (int i = 0, j = n - 1; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; ' +
      'a[j] = t; } b[0] = 1; }',
  ],
  ['doubling', 'int h = 1; while (h < n) { for (int i = 0; i < n; i++) a[i] += h; h *= 2; } b[0] = 1;', doubled],
  [
    'doubling in a header without a step',
    'for (int h = 1; h < n; ) { for (int i = 0; i < n; i++) a[i] += h; h <<= 1; } b[0] = 1;',
    doubled,
  ],
  [
    'a variable that doubles beside the turns',
    'int h = 1; for (int k = n - 1; k > 0; k >>= 1) { for (int i = 0; i < n; i++) a[i] += h; h *= 2; } b[0] = 1;',
    doubled,
  ],
  [
    'halving',
    'int h = n / 2; while (h > 0) { for (int i = 0; i < h; i++) a[i] += a[i + h]; h /= 2; } b[0] = 1;',
    halved,
  ],
])('%s', async (_, body, plainly) => {
  const text = body.startsWith('void') ? body : `void f(int n, int *a, int *b) { ${body} }`
  const [p, q] = [await readC(text), await readC(plainly)]
  expect(sketchNames(p)).toEqual(sketchNames(q))
  for (const n of [1, 2, 7, 16])
    expect({ n, of: results(p, ['a', 'b'], sizesOf(p, [n])) }).toEqual({
      n,
      of: results(q, ['a', 'b'], sizesOf(q, [n])),
    })
})

test.each<[string, string, readonly (readonly [number, number])[]]>([
  // sizes and what is in out[0]
  [
    'a step in the condition',
    'int i = 0; while (i++ < n) a[i - 1] = 1; out[0] = i;',
    [
      [1, 2],
      [6, 7],
    ],
  ],
  [
    'steps of three',
    'int i = 0; while (i < n) { a[i] = 1; i += 3; } out[0] = i;',
    [
      [1, 3],
      [6, 6],
      [7, 9],
    ],
  ],
  [
    'doubling',
    'int h = 1; while (h < n) { a[h] = 1; h *= 2; } out[0] = h;',
    [
      [1, 1],
      [6, 8],
      [8, 8],
    ],
  ],
  [
    'a break behind the step',
    'int i = 0; do { i++; if (i == 5) break; a[i - 1] = 3; } while (i < n); out[0] = i;',
    [
      [1, 1],
      [4, 4],
      [9, 5],
    ],
  ],
  [
    'a break before the step',
    'int i = -1; while (++i < n) { if (i == 5) break; a[i] = 5; } out[0] = i;',
    [
      [1, 1],
      [4, 4],
      [9, 5],
    ],
  ],
  [
    'do, downwards',
    'int i = n; do { --i; a[i] = 3; } while (i > 0); out[0] = i + a[0];',
    [
      [1, 3],
      [4, 3],
    ],
  ],
  [
    'two variables',
    'int i = 0, j = n; while (i < j) { a[i] = j; i++; j -= 2; } out[0] = 100 * i + j;',
    [
      [1, 99],
      [3, 101],
      [10, 402],
    ],
  ],
  [
    'not a number passes no test and fails none',
    'int k = 0; float e = 0.0f / (n - n); for (;;) { if (k >= n || e < 1.0f) break; k++; } out[0] = k;',
    [
      [1, 1],
      [4, 4],
    ],
  ],
  [
    'what the test changes',
    'int m = n, i = 0; while (i < m) { a[n - 1] = 0; if (i > 2) m--; i++; } out[0] = i;',
    [
      [1, 1],
      [4, 4],
      [9, 6],
    ],
  ],
])('after the loop: %s', async (_, body, expected) => {
  const p = await readC(`void f(int n, int a[n + 9], int out[1]) { ${body} }`)
  for (const [n, value] of expected) expect([n, results(p, ['out'], { n })['out']![0]]).toEqual([n, value])
})
