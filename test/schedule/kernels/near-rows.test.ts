// Rows are dealt out to threads whatever their elements are apart: every second of them, one channel of several, from
// behind, or computed without memory. A spelling that falls from a cliff shows as a sketch of another name, or as one
// thread per row at the top of its ladder.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { optimize } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { profile, sizesOf, verified } from '../support.ts'

const rows = (head: string, term: string, loop = 'int j = 0; j < n; j++'): string =>
  `#include <math.h>
void f(int m, int n, ${head}, float y[m]) {
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (${loop}) s += ${term};
    y[i] = s;
  }
}`

const cases: readonly (readonly [string, string, string])[] = [
  ['every second', 'reduction', rows('const float x[m][n]', 'x[i][j]', 'int j = 0; j < n; j += 2')],
  ['pairs', 'reduction', rows('const float x[m][2 * n]', 'fmaxf(x[i][2 * j], x[i][2 * j + 1])')],
  ['one channel of three', 'reduction', rows('const float x[m][n][3]', 'x[i][j][1]')],
  ['gray', 'reduction', rows('const float x[m][n][3]', '0.3f * x[i][j][0] + 0.6f * x[i][j][1] + 0.1f * x[i][j][2]')],
  ['all channels', 'reduction', rows('const float x[m][n][3]', 'x[i][j / 3][j % 3]', 'int j = 0; j < 3 * n; j++')],
  ['from behind', 'reduction', rows('const float x[m][n], const float h[n]', 'x[i][n - 1 - j] * h[j]')],
  ['a pitch that is not known', 'reduction', rows('int pitch, const float *x', 'x[i * pitch + 2 * j]')],
  ['without memory', 'reduction', rows('const float a[1]', 'a[0] / (1 + i + j)')],
  ['a table, read by a product', 'reduction', rows('const float t[n]', 't[(i * j) % n]')],
  [
    'every second of every second row',
    'reduction',
    `void f(int m, int h, int w, const float x[m][h][w], float y[m]) {
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int u = 0; u < h; u += 2) for (int v = 0; v < w; v += 2) s += x[i][u][v];
    y[i] = s;
  }
}`,
  ],
  [
    'each channel',
    'sums',
    `void f(int m, int n, const float x[m][n][3], float y[m][3]) {
  for (int i = 0; i < m; i++) for (int c = 0; c < 3; c++) {
    float s = 0;
    for (int j = 0; j < n; j++) s += x[i][j][c];
    y[i][c] = s;
  }
}`,
  ],
  [
    'the channels, each for itself',
    'sums',
    `void f(int m, int n, const float x[m][n][3], float y[m][3]) {
  for (int i = 0; i < m; i++) {
    float a = 0, b = 0, c = 0;
    for (int j = 0; j < n; j++) { a += x[i][j][0]; b += x[i][j][1]; c += x[i][j][2]; }
    y[i][0] = a; y[i][1] = b; y[i][2] = c;
  }
}`,
  ],
  [
    'a matrix of 3 × 3 over many points',
    'sums',
    `void f(int n, const float p[n][3], const float q[n][3], float y[3][3]) {
  for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) {
    float s = 0;
    for (int j = 0; j < n; j++) s += p[j][a] * q[j][b];
    y[a][b] = s;
  }
}`,
  ],
  [
    'the greatest of pairs, and where',
    'argument',
    `void f(int m, int n, const float x[m][2 * n], float y[m], int at[m]) {
  for (int i = 0; i < m; i++) {
    float best = x[i][0] + x[i][1];
    int k = 0;
    for (int j = 1; j < n; j++) {
      float two = x[i][2 * j] + x[i][2 * j + 1];
      if (two > best) { best = two; k = j; }
    }
    y[i] = best;
    at[i] = k;
  }
}`,
  ],
  [
    'running sums of one channel',
    'scan',
    `void f(int m, int n, const float x[m][n][3], float y[m][n]) {
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) { s += x[i][j][2]; y[i][j] = s; }
  }
}`,
  ],
]

test.each(cases)('%s', async (_, sketch, text) => {
  const program = await readC(text),
    a = analyse(program)
  expect(a.parts.map((p) => p.sketch.name)).toEqual([sketch])
  const count = program.sizes.length,
    sizes = [
      [5, 67, 9],
      [1, 1, 3],
      [3, 130, 34],
    ].map((values) => sizesOf(a.source, values.slice(0, count)))
  for (const rung of a.parts[0]!.sketch.ladder) {
    const v = verified(a, [rung.point], sizes)
    expect({ step: rung.step, ok: v.ok, why: v.why }).toEqual({ step: rung.step, ok: true, why: undefined })
  }
})

// each sum with a buffer of its own for what blocks share would be more than WebGPU has
test.each(['cuda', 'wgsl'] as const)('nine sums by the same blocks go through the points once, %s', async (target) => {
  const text = `void f(int n, const float p[n][3], const float q[n][3], float y[3][3]) {
  for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) {
    float s = 0;
    for (int j = 0; j < n; j++) s += p[j][a] * q[j][b];
    y[a][b] = s;
  }
}`
  const made = await optimize(await readC(text.replace(/\bn\b/g, '4000000').replace('int 4000000, ', '')), {
    gpu: profile,
    targets: [target],
  })
  expect(made.distance.times).toBeLessThan(2)
})
