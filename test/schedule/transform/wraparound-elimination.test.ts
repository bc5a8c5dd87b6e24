// Values that an iteration leaves for the next, and searches for the first or last place that passes a test: threads
// share them, with the source's results, also where loops are empty and nothing passes. What only looks like it stays
// in order.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { verified, type Sizes } from '../support.ts'

const vectors: readonly Sizes[] = [{ n: 301 }, { n: 4 }, { n: 1 }],
  rows: readonly Sizes[] = [
    { h: 5, w: 131 },
    { h: 3, w: 1 },
  ]
const planned = '#pragma tesela sizes(n = 4194304, h = 4096, w = 4096)\n'

test.each([
  [
    'differences',
    'void f(int n, const float *x, float *y) { float p = 0; for (int i = 0; i < n; i++) { y[i] = x[i] - p; p ' +
      '= x[i]; } }',
    vectors,
  ],
  [
    'two values back',
    'void f(int n, const float *x, float *y) { float p = 0, q = 1; for (int i = 0; i < n; i++) { y[i] = x[i] ' +
      '- 2 * p + q; q = p; p = x[i]; } }',
    vectors,
  ],
  [
    'rows',
    'void f(int h, int w, const float x[h][w], float y[h][w]) { for (int r = 0; r < h; r++) { float p = ' +
      'x[r][w - 1]; for (int i = 0; i < w; i++) { y[r][i] = x[r][i] - p; p = x[r][i]; } } }',
    rows,
  ],
  [
    'used behind a loop that may be empty',
    'void f(int n, const int *x, int *y, int *last) { int p = 7; for (int i = 0; i < n; i++) y[i] = 0; for ' +
      '(int i = 3; i < n - 1; i += 2) { y[i] = x[i] ^ p; p = x[i] + i; } last[0] = p; }',
    vectors,
  ],
  [
    'indices',
    'void f(int n, const float *b, float *a) { int j = n - 1, k = 0; for (int i = 0; i < n; i++) { a[i] = ' +
      'b[i] + b[j] * b[k]; k = j; j = i; } }',
    vectors,
  ],
  [
    'changes are counted',
    'void f(int n, const int *x, int *count) { int p = 0, c = 0; for (int i = 0; i < n; i++) { if (x[i] > p) ' +
      'c++; p = x[i]; } count[0] = c; }',
    vectors,
  ],
  [
    'starts of runs are packed',
    'void f(int n, const int *x, int at[n]) { int p = 0, k = 0; for (int i = 0; i < n; i++) { if (x[i] > p) { ' +
      'at[k] = i; k++; } p = x[i]; } }',
    vectors,
  ],
  [
    'the first',
    'void f(int n, float t, const float *x, int *r) { int first = -1; for (int i = 0; i < n; i++) if (first < ' +
      '0 && x[i] > t) first = i; r[0] = first; }',
    vectors,
  ],
  [
    'the last and its value',
    'void f(int n, const float *x, float *r, int *at) { int last = -1; float v = 3; for (int i = 0; i < n; ' +
      'i++) if (x[i] > 0.5f) { last = i; v = 2 * x[i]; } at[0] = last; r[0] = v; }',
    vectors,
  ],
  [
    'how many, the first and the last, under one condition',
    'void f(int n, const int *x, int *r) { int c = 0, first = -1, last = -1; for (int i = 0; i < n; i++) if ' +
      '(x[i] > 5) { c++; if (first < 0) first = i; last = i; } r[0] = c; r[1] = first; r[2] = last; }',
    vectors,
  ],
  [
    'the first of those under two conditions, and a sum of them',
    'void f(int n, const int *x, int *r) { int s = 0, first = n; for (int i = 0; i < n; i++) if (x[i] > 3) { s += ' +
      'x[i]; if (x[i] & 1) { s += 2; if (first == n) first = i; } } r[0] = s; r[1] = first; }',
    vectors,
  ],
  [
    'break',
    'void f(int n, int v, const int *x, int *r) { int at = -1; for (int i = 0; i < n; i++) if (x[i] > v) { at ' +
      '= i; break; } r[0] = at; }',
    vectors,
  ],
  [
    'return',
    'int f(int n, int v, const int *x) { for (int i = 0; i < n; i++) if (x[i] > v) return 2 * i + 1; return -1; }',
    vectors,
  ],
  [
    'while',
    'void f(int n, int v, const int *x, int *r) { int i = 0; while (i < n && x[i] <= v) i++; r[0] = i; }',
    vectors,
  ],
  [
    'the first of rows',
    'void f(int h, int w, float t, const float x[h][w], int *r) { for (int y = 0; y < h; y++) { int first = ' +
      '-1; for (int i = 0; i < w; i++) if (first == -1 && x[y][i] > t) first = i; r[y] = first; } }',
    rows,
  ],
  [
    'the last of rows',
    'void f(int h, int w, float t, const float x[h][w], int *r) { for (int y = 0; y < h; y++) { int last = w; ' +
      'for (int i = 0; i < w; i++) if (x[y][i] > t) last = i; r[y] = last; } }',
    rows,
  ],
  [
    'break in rows',
    'void f(int h, int w, float t, const float x[h][w], int *r) { for (int y = 0; y < h; y++) { int at = -1; ' +
      'for (int i = 0; i < w; i++) if (x[y][i] < t) { at = i; break; } r[y] = at; } }',
    rows,
  ],
  [
    'a break after two values',
    'void f(int n, int v, const int *x, int *r, int *s) { int at = n, hits = 3; for (int i = 0; i < n; i++) ' +
      'if (x[i] > v) { at = i; hits = 2 * i; break; } r[0] = at; s[0] = hits; }',
    vectors,
  ],
  [
    'found already',
    'void f(int n, int given, const int *x, int *r) { int found = given > 0, at = 5; for (int i = 0; i < n; ' +
      'i++) if (!found && x[i] > 0) { found = 1; at = i; } r[0] = at; }',
    vectors,
  ],
] as const)('%s', async (_, source, sizes) => {
  const analysed = analyse(await readC(planned + source))
  expect(analysed.parts[0]!.sketch.name).not.toMatch(/sequential|per-iteration/) // there is one
  const v = verified(
    analysed,
    analysed.parts.map(({ sketch: { ladder } }) => ladder.at(-1)!.point),
    sizes,
  ) // ladders are not empty
  expect([v.ok, v.why]).toEqual([true, undefined])
})

test.each([
  [
    'set in some iterations',
    'float p = 0; for (int i = 0; i < n; i++) { y[i] = x[i] - p; if (x[i] > p * p) p = x[i]; }',
  ],
  ['set from what the loop changes', 'float p = 0; for (int i = 0; i < n; i++) { y[i] = x[i] * p; p = y[n - 1 - i]; }'],
  ['set from itself', 'float p = 0; for (int i = 0; i < n; i++) { y[i] = x[i] - p; p = x[i] - 0.5f * p * p; }'],
  [
    'a flag that a hit leaves open',
    'int first = -3; for (int i = 0; i < n; i++) if (first < 4 && x[i] > 0) first = i; y[0] = first;',
  ],
  [
    'tests at places that data say',
    'int first = -1; for (int i = 0; i < n; i++) if (first < 0 && x[p[i]] > 0) first = i; y[0] = first;',
  ],
])('stays in order: %s', async (_, body) => {
  const analysed = analyse(
    await readC(
      `${planned}void f(int n, const float x[n], float *y${body.includes('p[i]') ? ', const int *p' : ''}) { ${body} }`,
    ),
  )
  expect(analysed.parts.map((p) => p.sketch.name)).toContain('sequential')
  const v = verified(
    analysed,
    analysed.parts.map(({ sketch: { ladder } }) => ladder.at(-1)!.point),
    [{ n: 33 }],
  ) // ladders are not empty
  expect([v.ok, v.why]).toEqual([true, undefined])
})
