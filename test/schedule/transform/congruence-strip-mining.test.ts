// Loops that skip what is no multiple of a stride run over what is one, whatever else moves the same subscript by
// multiples, and as patches of a convolution where an odd number of results is asked for.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { results, simulated, sizesOf, sketchNames } from '../support.ts'

test.each<readonly [string, string, readonly (readonly number[])[]]>([
  [
    'the greatest of a window of a transposed convolution',
    `void f(int n, int c, const float *x, const float *w, float *y) {
  for (int o = 0; o < c; o++) for (int i = 0; i < n; i++) {
    float m = -1e30f;
    for (int d = 0; d < 2; d++) {
      float s = 0;
      for (int u = 0; u < 3; u++) {
        int p = 2 * i + d + 1 - u;
        if (p < 0 || p % 2 != 0 || p / 2 >= n) continue;
        s += x[p / 2] * w[o * 3 + u];
      }
      m = s > m ? s : m;
    }
    y[o * n + i] = m;
  } }`,
    [
      [7, 3],
      [1, 1],
      [16, 5],
    ],
  ],
  [
    'sums of three, three apart, from behind',
    `void f(int n, int c, const float *x, const float *w, float *y) {
  for (int o = 0; o < c; o++) for (int i = 0; i < n; i++) {
    float t = 0;
    for (int d = 0; d < 3; d++)
      for (int u = 0; u < 5; u++)
        if ((3 * i - d + u + 4) % 3 == 0 && (3 * i - d + u + 4) / 3 < n) t += x[(3 * i - d + u + 4) / 3] * w[u];
    y[o * n + i] = t + o;
  } }`,
    [
      [7, 3],
      [1, 1],
      [16, 5],
    ],
  ],
])('%s', async (_, text, all) => {
  const a = analyse(await readC(text))
  expect(a.parts.every((p) => !JSON.stringify(p.nest).includes('"op":"eq"'))).toBe(true)
  for (const [seed, values] of all.entries()) {
    const sizes = sizesOf(a.source, values),
      { arrays, hazards } = simulated(
        a,
        a.parts.map((p) => p.sketch.ladder.at(-1)!.point),
        sizes,
        seed,
      )
    expect(hazards).toEqual([])
    expect(Array.from(arrays['y'] as Float32Array)).toEqual(results(a.source, ['y'], sizes, seed)['y'])
  }
})

test('groups by quotients, beside a stride of three', async () => {
  const text = `#pragma tesela sizes(n = 16, h = 64, w = 64)
void f(int n, int h, int w, const float x[n][16][h][w], const float k[16][16][3][5], float y[n][64][h][3 * w - 2]) {
  for (int m = 0; m < n; m++) for (int o = 0; o < 64; o++)
  for (int i = 0; i < h; i++) for (int j = 0; j < 3 * w - 2; j++) {
    int g = o / 16;
    float s = 0;
    for (int d = 0; d < 4; d++) for (int u = 0; u < 3; u++) {
      if (i + u - 1 < 0 || i + u - 1 >= h) continue;
      for (int v = 0; v < 5; v++) {
        int q = j + 2 - v;
        if (q < 0 || q % 3 != 0 || q / 3 >= w) continue;
        s += x[m][g * 4 + d][i + u - 1][q / 3] * k[g * 4 + d][o % 16][u][v];
      }
    }
    y[m][o][i][j] = s;
  } }`
  const program = await readC(text),
    a = analyse(program)
  expect(sketchNames(program)).toEqual(['direct-convolution'])
  for (const rung of a.parts[0]!.sketch.ladder)
    for (const values of [
      [2, 3, 4],
      [1, 1, 1],
      [1, 5, 33],
    ]) {
      const sizes = sizesOf(a.source, values),
        { arrays, hazards } = simulated(a, [rung.point], sizes, 3)
      expect(hazards).toEqual([])
      expect(Array.from(arrays['y'] as Float32Array)).toEqual(results(a.source, ['y'], sizes, 3)['y'])
    }
})

test('an odd number of results is a patch, too, where the last phase has none', async () => {
  const text = `#pragma tesela sizes(n = 16, c = 16, h = 64, w = 64, o = 16)
void f(int n, int c, int h, int w, int o, const float x[n][c][h][w], const float k[c][o][3][3],
       float y[n][o][2 * h - 1][2 * w - 1]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++)
    for (int i = 0; i < 2 * h - 1; i++) for (int j = 0; j < 2 * w - 1; j++) {
      float s = 0.0f;
      for (int d = 0; d < c; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) {
        int p = i + 1 - u, q = j + 1 - v;
        if (p < 0 || p % 2 || p / 2 >= h || q < 0 || q % 2 || q / 2 >= w) continue;
        s += x[m][d][p / 2][q / 2] * k[d][f][u][v];
      }
      y[m][f][i][j] = s;
    } }`
  const program = await readC(text),
    a = analyse(program)
  expect(sketchNames(program)).toEqual(['direct-convolution'])
  for (const rung of a.parts[0]!.sketch.ladder)
    for (const values of [
      [2, 3, 4, 5, 9],
      [1, 1, 1, 1, 1],
    ]) {
      const sizes = sizesOf(a.source, values),
        { arrays, hazards } = simulated(a, [rung.point], sizes, 3)
      expect(hazards).toEqual([])
      expect(Array.from(arrays['y'] as Float32Array)).toEqual(results(a.source, ['y'], sizes, 3)['y'])
    }
})
