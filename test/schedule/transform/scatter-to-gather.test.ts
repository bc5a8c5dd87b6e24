// Sums into elements that several iterations choose together are gathered by the elements: no launch per tap, no
// atomics, no thread alone.
import { expect, test } from 'vitest'
import { analyse, build } from '../../../src/pipeline.ts'
import { executions } from '../../../src/ir/index.ts'
import { readC } from '../../c/read.ts'
import { results, simulated, sizesOf } from '../support.ts'

test.each<readonly [string, string, string, readonly (readonly number[])[]]>([
  [
    'a product of polynomials',
    'void f(int n, int m, int *x, int *h, int y[n + m - 1]) { for (int i = 0; i < n + m - 1; i++) y[i] = 0; ' +
      'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i + j] += x[i] * h[j]; }',
    'y',
    [
      [17, 5],
      [3, 8],
      [1, 1],
    ],
  ],
  [
    'the other way round',
    'void f(int n, int m, float *x, float *h, float y[n + m]) { for (int j = 0; j < m; j++) { float v = h[j]; ' +
      'for (int i = 0; i < n; i++) y[i - j + m - 1] += x[i] * v; } }',
    'y',
    [
      [17, 5],
      [4, 9],
    ],
  ],
  [
    'a stride that the taps are a multiple of',
    'void f(int n, float *in, float *w, float *out) { for (int i = 0; i < n; i++) for (int k = 0; k < 4; k++) ' +
      'out[i * 2 + k] += in[i] * w[k]; }',
    'out',
    [[13], [1]],
  ],
  [
    'a stride that they are none of, in two dimensions',
    'void f(int h, int w, float in[h][w], float k[3][3], float out[2 * h + 1][2 * w + 1]) { for (int y = 0; y ' +
      '< h; y++) for (int x = 0; x < w; x++) for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) out[2 * ' +
      'y + a][2 * x + b] += in[y][x] * k[a][b]; }',
    'out',
    [
      [5, 7],
      [1, 1],
    ],
  ],
  [
    'taps two apart, one element and two elements a step',
    'void f(int h, int w, float in[h][w], float k[3][3], float out[h + 4][2 * w + 4]) { for (int y = 0; y < h; y++) ' +
      'for (int x = 0; x < w; x++) for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) out[y + 2 * a][2 * x + ' +
      '2 * b] += in[y][x] * k[a][b]; }',
    'out',
    [
      [5, 7],
      [1, 1],
    ],
  ],
  [
    'taps two apart, four elements a step',
    'void f(int n, float *in, float *w, float *out) { for (int i = 0; i < n; i++) for (int k = 0; k < 5; k++) ' +
      'out[i * 4 + 2 * k] += in[i] * w[k]; }',
    'out',
    [[13], [1]],
  ],
  [
    'fewer taps than the stride',
    'void f(int n, float *in, float *w, float out[5 * n]) { for (int i = 0; i < n; i++) for (int k = 0; k < ' +
      '3; k++) out[5 * i + k] += in[i] * w[k]; }',
    'out',
    [[9]],
  ],
  [
    'past a border',
    'void f(int h, int w, float in[h][w], float k[4][4], float out[2 * h][2 * w]) { for (int y = 0; y < h; ' +
      'y++) for (int x = 0; x < w; x++) for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) { int v = 2 * ' +
      'y + a - 1, u = 2 * x + b - 1; if (v >= 0 && v < 2 * h && u >= 0 && u < 2 * w) out[v][u] += in[y][x] * ' +
      'k[a][b]; } }',
    'out',
    [
      [5, 6],
      [1, 2],
    ],
  ],
  [
    'columns back to an image',
    'void f(int c, int h, int w, float col[c][3][3][h][w], float im[c][h + 2][w + 2]) { for (int ch = 0; ch < ' +
      'c; ch++) for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) for (int y = 0; y < h; y++) for (int ' +
      'x = 0; x < w; x++) im[ch][y + a][x + b] += col[ch][a][b][y][x]; }',
    'im',
    [[2, 5, 6]],
  ],
  [
    'the greatest that a window sees',
    'void f(int n, int m, int *x, int y[n + m]) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if ' +
      '(x[i] + j > y[i + j]) y[i + j] = x[i] + j; }',
    'y',
    [[11, 4]],
  ],
])('%s', async (_, text, out, all) => {
  const a = analyse(await readC(text)),
    points = a.parts.map((p) => p.sketch.ladder.at(-1)!.point)
  expect(a.parts.every((p) => !['sequential', 'one-block', 'scatter'].includes(p.sketch.name))).toBe(true)
  for (const [seed, values] of all.entries()) {
    const sizes = sizesOf(a.source, values),
      { arrays, hazards } = simulated(a, points, sizes, seed)
    expect(hazards).toEqual([])
    expect([sizes, Array.from(arrays[out] as Float32Array)]).toEqual([
      sizes,
      results(a.source, [out], sizes, seed)[out],
    ])
    expect([...executions(build(a, points).plan.variants.at(-1)!, { sizes, scalars: {} })].length).toBeLessThanOrEqual(
      2,
    )
  }
})

test.each<readonly [string, string, number]>([
  [
    'zeros before sums that reach every element begin the sums',
    `void f(int h, int w, float in[h][w], float k[3][3], float out[2 * h - 1][2 * w - 1]) {
  for (int y = 0; y < 2 * h - 1; y++) for (int x = 0; x < 2 * w - 1; x++) out[y][x] = 0;
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) {
    int v = 2 * y + a - 1, u = 2 * x + b - 1;
    if (v >= 0 && v < 2 * h - 1 && u >= 0 && u < 2 * w - 1) out[v][u] += in[y][x] * k[a][b];
  } }`,
    1,
  ],
  [
    'elements that no sum reaches keep what they began with',
    `void f(int h, int w, float in[h][w], float k[2][2], float out[3 * h][3 * w]) {
  for (int y = 0; y < 3 * h; y++) for (int x = 0; x < 3 * w; x++) out[y][x] = y - x;
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++)
    out[3 * y + a][3 * x + b] += in[y][x] * k[a][b]; }`,
    2,
  ],
])('%s', async (_, text, nests) => {
  const a = analyse(await readC(text)),
    points = a.parts.map((p) => p.sketch.ladder.at(-1)!.point)
  expect(a.parts.length).toBe(nests)
  const last = a.parts.at(-1)!.nest
  expect(last.kind === 'nest' && last.reduction?.init.kind).not.toBe('read')
  for (const [seed, values] of [
    [5, 7],
    [1, 1],
    [16, 33],
  ].entries()) {
    const sizes = sizesOf(a.source, values),
      { arrays, hazards } = simulated(a, points, sizes, seed)
    expect(hazards).toEqual([])
    expect(Array.from(arrays['out'] as Float32Array)).toEqual(results(a.source, ['out'], sizes, seed)['out'])
  }
})
