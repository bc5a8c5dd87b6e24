// Convolutions with few channels of results: which nests take patches of the plane, and that every point computes what
// the source says, at sizes that no patch divides and at sizes of one row or column.
import { describe, expect, it } from 'vitest'
import { isFixed } from '../../../src/ir/index.ts'
import { random } from '../../../src/base/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { sketchNames, verified, type Sizes } from '../support.ts'
import { someOf } from '../../support/long.ts'

interface Case {
  readonly text: string
  readonly sizes: readonly Sizes[]
}

const inside = 'if (p >= 0 && p < h && q >= 0 && q < w)'

const cases: Readonly<Record<string, Case>> = {
  'padded by conditions, channels that no vector divides, then a bias and a ramp': {
    text: `#pragma tesela sizes(n = 64, h = 128, w = 128, o = 18)
void f(int n, int h, int w, int o, const float x[n][3][h][w], const float k[o][3][3][3], const float *b,
       float y[n][o][h][w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
    float s = b[f];
    for (int d = 0; d < 3; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) {
      int p = i + u - 1, q = j + v - 1;
      ${inside} s += x[m][d][p][q] * k[f][d][u][v];
    }
    y[m][f][i][j] = s > 0.0f ? s : 0.0f;
  } }`,
    sizes: [
      { n: 2, h: 1, w: 35, o: 3 },
      { n: 1, h: 37, w: 3, o: 19 },
    ],
  },
  'strides of 2, many channels of the input, flat subscripts, added to what is there': {
    text: `#pragma tesela sizes(n = 16, c = 48, h = 64, w = 64)
void f(int n, int c, int h, int w, const float *x, const float *k, float *y) {
  for (int m = 0; m < n; m++) for (int f = 0; f < 32; f++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++)
    for (int d = 0; d < c; d++) for (int u = 0; u < 5; u++) for (int v = 0; v < 3; v++) {
      if (2 * i + u < 2 || 2 * i + u - 2 >= 2 * h || 2 * j + v < 1 || 2 * j + v - 1 >= 2 * w) continue;
      y[((m*32+f)*h+i)*w+j] += x[((m*c+d)*(2*h)+2*i+u-2)*(2*w)+2*j+v-1] * k[((f*c+d)*5+u)*3+v];
    } }`,
    sizes: [{ n: 1, c: 5, h: 9, w: 17 }],
  },
  'three dimensions, dilated along columns': {
    text: `#pragma tesela sizes(n = 16, t = 16, h = 32, w = 32)
void f(int n, int t, int h, int w, const float x[n][3][t + 2][h + 2][w + 4], const float k[24][3][3][3][3],
       float y[n][24][t][h][w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < 24; f++) for (int a = 0; a < t; a++)
    for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
      float s = 0.0f;
      for (int d = 0; d < 3; d++) for (int e = 0; e < 3; e++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++)
        s += x[m][d][a+e][i+u][j+2*v] * k[f][d][e][u][v];
      y[m][f][a][i][j] = s;
    } }`,
    sizes: [{ n: 1, t: 2, h: 5, w: 33 }],
  },
  'one channel of the input, in groups': {
    text: `#pragma tesela sizes(n = 256, h = 30, w = 30)
void f(int n, int h, int w, const float x[n][2][h + 4][w + 4], const float k[2][16][5][5], float y[n][2][16][h][w]) {
  for (int m = 0; m < n; m++) for (int g = 0; g < 2; g++) for (int f = 0; f < 16; f++)
    for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
      float s = 0.0f;
      for (int u = 0; u < 5; u++) for (int v = 0; v < 5; v++) s += x[m][g][i+u][j+v] * k[g][f][u][v];
      y[m][g][f][i][j] = s;
    } }`,
    sizes: [{ n: 2, h: 7, w: 18 }],
  },
  'transposed by 2 in three dimensions, groups that a parameter gives': {
    text: `#pragma tesela sizes(g = 4, c = 32, t = 12, h = 24, w = 48)
void f(int g, int c, int t, int h, int w, const float x[2][c][t][h][w], const float k[c][8][3][5][3],
       float y[2][g * 8][2 * t][2 * h][2 * w]) {
  for (int m = 0; m < 2; m++) for (int a = 0; a < g; a++) for (int f = 0; f < 8; f++)
    for (int d = 0; d < 2 * t; d++) for (int i = 0; i < 2 * h; i++) for (int j = 0; j < 2 * w; j++) {
      float s = 0.0f;
      for (int b = a * (c / 4); b < (a + 1) * (c / 4); b++)
        for (int e = 0; e < 3; e++) for (int u = 0; u < 5; u++) for (int v = 0; v < 3; v++) {
          int z = d + 1 - e, p = i + 2 - u, q = j + 1 - v;
          if (z < 0 || p < 0 || q < 0 || z % 2 != 0 || p % 2 != 0 || q % 2 != 0) continue;
          if (z / 2 < t && p / 2 < h && q / 2 < w) s += x[m][b][z / 2][p / 2][q / 2] * k[b][f][e][u][v];
        }
      y[m][a * 8 + f][d][i][j] = s;
    } }`,
    sizes: [{ g: 4, c: 8, t: 2, h: 3, w: 17 }],
  },
  'places that will be pooled, of which a thread has all': {
    text: `#pragma tesela sizes(n = 64, h = 31, w = 63)
void f(int n, int h, int w, const float x[n][8][2 * h + 2][2 * w + 2], const float k[16][8][3][3],
       float y[2][2][n][16][h][w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < 16; f++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++)
    for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) {
      float s = 0.0f;
      for (int d = 0; d < 8; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++)
        s += x[m][d][2 * i + a + u][2 * j + b + v] * k[f][d][u][v];
      y[a][b][m][f][i][j] = s;
    } }`,
    sizes: [{ n: 1, h: 5, w: 18 }],
  },
  'transposed by 3, more channels than tiles without waste, then a ramp': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 63, w = 63)
void f(int n, int c, int h, int w, const float x[n][c][h][w], const float k[c][64][4][4], float y[n][64][3*h][3*w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < 64; f++)
    for (int i = 0; i < 3 * h; i++) for (int j = 0; j < 3 * w; j++) {
      float s = 0.0f;
      for (int d = 0; d < c; d++) for (int u = 0; u < 4; u++) for (int v = 0; v < 4; v++) {
        int p = i + 1 - u, q = j + 1 - v;
        if (p >= 0 && q >= 0 && p % 3 == 0 && q % 3 == 0 && p / 3 < h && q / 3 < w)
          s += x[m][d][p / 3][q / 3] * k[d][f][u][v];
      }
      y[m][f][i][j] = fmaxf(s, 0.0f);
    } }`,
    sizes: [{ n: 1, c: 3, h: 5, w: 18 }],
  },
}

describe.each(someOf(Object.entries(cases)))('%s', (_, { text, sizes }) => {
  it('takes patches, and every point is right', async () => {
    const a = analyse(await readC(text)),
      sketch = a.parts[0]!.sketch,
      next = random(7)
    expect(sketchNames(a.source)).toContain('direct-convolution')
    const some = Array.from({ length: 4 }, () => sketch.space[next.int(0, sketch.space.length - 1)]!)
    const fixed = Object.fromEntries(a.source.sizes.flatMap((x) => (isFixed(x) ? [[x.name, x.planned] as const] : []))),
      all = sizes.map((given) => ({ ...fixed, ...given }))
    for (const point of [...sketch.ladder.map((r) => r.point), ...some])
      expect(verified(a, [point], all)).toMatchObject({ ok: true })
  })
})

it('leaves factors of sums without a window where they are', async () => {
  const product = await readC(`#define R 16
    void f(const float x[1024][1024], const float w[1024][1024], const float b[1024], float y[1024][1024]) {
      for (int i = 0; i < 1024; i++)
        for (int g = 0; g < 1024 / R; g++)
          for (int r = 0; r < R; r++) {
            float s = b[g * R + r];
            for (int k = 0; k < 1024; k++) s += x[i][k] * w[g * R + r][k];
            y[i][g * R + r] = s;
          }
    }`)
  expect(sketchNames(product)).toEqual(['contraction'])
})

it('leaves many channels to products of matrices', async () => {
  const text = cases['strides of 2, many channels of the input, flat subscripts, added to what is there']!.text
  // the filters are packed before
  expect(sketchNames(await readC(text.replaceAll('32', '64')))).toEqual(['elementwise', 'contraction'])
})
