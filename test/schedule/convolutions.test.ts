// Convolutions and other contractions of tensors as people write them: which of them are products of matrices whose
// elements are found as tiles are loaded, and that these compute what the source says, at sizes that no tile divides
// and at sizes that tiles divide.
import { describe, expect, test } from 'vitest'
import { allStatements, type Program } from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import type { Point } from '../../src/schedule/index.ts'
import { readC } from '../c/read.ts'
import { verified, type Sizes } from './support.ts'

const tile: Point = {
  bm: 16,
  bn: 32,
  bk: 8,
  tm: 4,
  tn: 4,
  lanesI: 4,
  lanesJ: 8,
  vector: 4,
  pad: 4,
  prefetch: 1,
  buffers: 1,
  unrollK: 8,
}
/** As compilers of CUDA like it, with two buffers, and with a thread for each result. */
const points: readonly Point[] = [
  tile,
  { ...tile, prefetch: 2, buffers: 2, unrollK: 1, squares: 1 },
  { bk: 0, bm: 16, bn: 16, fast: 1 },
]

interface Case {
  readonly text: string
  readonly sizes: readonly Sizes[]
}

const inside = (p: string, h: string, q: string, w: string): string =>
  `if (${p} >= 0 && ${p} < ${h} && ${q} >= 0 && ${q} < ${w})`

const cases: Readonly<Record<string, Case>> = {
  'two dimensions, padded by conditions, in rows': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 56, w = 56, o = 64)
void f(int n, int c, int h, int w, int o, const float x[n][c][h][w], const float k[o][c][3][3], const float *b,
       float y[n][o][h][w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
    float s = b[f];
    for (int d = 0; d < c; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) {
      int p = i + u - 1, q = j + v - 1;
      ${inside('p', 'h', 'q', 'w')} s += x[m][d][p][q] * k[f][d][u][v];
    }
    y[m][f][i][j] = s;
  } }`,
    sizes: [
      { n: 3, c: 3, h: 7, w: 9, o: 19 },
      { n: 2, c: 8, h: 8, w: 8, o: 16 },
    ],
  },
  'flat subscripts, strides, rectangular windows, skipping by continue, added to what is there': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 57, w = 57, o = 64)
void f(int n, int c, int h, int w, int o, const float *x, const float *k, float *y) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++)
    for (int d = 0; d < c; d++) for (int u = 0; u < 5; u++) for (int v = 0; v < 3; v++) {
      if (2 * i + u < 2 || 2 * i + u - 2 >= 2 * h || 2 * j + v < 1 || 2 * j + v - 1 >= 2 * w) continue;
      y[((m*o+f)*h+i)*w+j] += x[((m*c+d)*(2*h)+2*i+u-2)*(2*w)+2*j+v-1] * k[((f*c+d)*5+u)*3+v];
    } }`,
    sizes: [{ n: 2, c: 3, h: 5, w: 6, o: 17 }],
  },
  'bounds that are clamped': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 56, w = 56, o = 64)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int n, int c, int h, int w, int o, const float x[n][c][h][w], const float k[o][c][3][3],
       float y[n][o][h][w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
    y[m][f][i][j] = 0.0f;
    for (int d = 0; d < c; d++)
      for (int u = MAX(0, 1 - i); u < MIN(3, h + 1 - i); u++) for (int v = MAX(0, 1 - j); v < MIN(3, w + 1 - j); v++)
        y[m][f][i][j] += x[m][d][i+u-1][j+v-1] * k[f][d][u][v];
  } }`,
    sizes: [{ n: 2, c: 4, h: 6, w: 7, o: 18 }],
  },
  'channels last': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 56, w = 56, o = 64)
void f(int n, int c, int h, int w, int o, const float x[n][h][w][c], const float k[3][3][c][o],
       float y[n][h][w][o]) {
  for (int m = 0; m < n; m++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) for (int f = 0; f < o; f++) {
    float s = 0.0f;
    for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) for (int d = 0; d < c; d++)
      ${inside('i + u - 1', 'h', 'j + v - 1', 'w')} s += x[m][i+u-1][j+v-1][d] * k[u][v][d][f];
    y[m][i][j][f] = s > 0.0f ? s : 0.0f;
  } }`,
    sizes: [{ n: 2, c: 5, h: 5, w: 6, o: 21 }],
  },
  'groups, a plane smaller than a tile': {
    text: `#pragma tesela sizes(n = 64, h = 7, w = 7)
void f(int n, int h, int w, const float x[n][48][h][w], const float k[64][24][3][3], float y[n][64][h][w]) {
  for (int m = 0; m < n; m++) for (int g = 0; g < 2; g++) for (int f = 0; f < 32; f++)
    for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
      float s = 0.0f;
      for (int d = 0; d < 24; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) {
        int p = i + u - 1, q = j + v - 1;
        if (p < 0 || p >= h || q < 0 || q >= w) continue;
        s += x[m][g*24+d][p][q] * k[g*32+f][d][u][v];
      }
      y[m][g*32+f][i][j] = s;
    } }`,
    sizes: [{ n: 3, h: 3, w: 4 }],
  },
  'one dimension, dilated': {
    text: `#pragma tesela sizes(n = 16, c = 32, l = 4096, o = 64)
void f(int n, int c, int l, int o, const float x[n][c][l + 8], const float k[o][c][3], float y[n][o][l]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int i = 0; i < l; i++) {
    float s = 0.0f;
    for (int d = 0; d < c; d++) for (int u = 0; u < 3; u++) s += x[m][d][i + 4 * u] * k[f][d][u];
    y[m][f][i] = s;
  } }`,
    sizes: [{ n: 2, c: 7, l: 37, o: 17 }],
  },
  'three dimensions': {
    text: `#pragma tesela sizes(n = 4, c = 16, t = 16, h = 32, w = 32, o = 64)
void f(int n, int c, int t, int h, int w, int o, const float x[n][c][t + 2][h + 2][w + 2],
       const float k[o][c][3][3][3], float y[n][o][t][h][w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int a = 0; a < t; a++)
    for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
      float s = 0.0f;
      for (int d = 0; d < c; d++) for (int e = 0; e < 3; e++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++)
        s += x[m][d][a+e][i+u][j+v] * k[f][d][e][u][v];
      y[m][f][a][i][j] = s;
    } }`,
    sizes: [{ n: 2, c: 2, t: 3, h: 3, w: 4, o: 17 }],
  },
  'transposed, gathered by phases': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 32, w = 32, o = 160, oh = 63, ow = 63)
void f(int n, int c, int h, int w, int o, int oh, int ow, const float x[n][c][h][w], const float k[c][o][3][3],
       float y[n][o][oh][ow]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int i = 0; i < oh; i++) for (int j = 0; j < ow; j++) {
    float s = 0.0f;
    for (int d = 0; d < c; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) {
      if ((i + 1 - u) % 2 != 0 || (j + 1 - v) % 2 != 0) continue;
      int p = (i + 1 - u) / 2, q = (j + 1 - v) / 2;
      if (p < 0 || p >= h || q < 0 || q >= w) continue;
      s += x[m][d][p][q] * k[d][f][u][v];
    }
    y[m][f][i][j] = s;
  } }`,
    sizes: [
      { n: 2, c: 3, h: 4, w: 5, o: 17, oh: 7, ow: 9 },
      { n: 1, c: 8, h: 4, w: 4, o: 16, oh: 8, ow: 8 },
    ],
  },
  'transposed, as much dilated as strided: one phase in two has all terms, the other none': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 32, w = 32, o = 64)
void f(int n, int c, int h, int w, int o, const float x[n][c][h][w], const float k[c][o][3][3],
       float y[n][o][2 * h + 1][2 * w + 1]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++)
    for (int i = 0; i < 2 * h + 1; i++) for (int j = 0; j < 2 * w + 1; j++) {
      float s = 0.0f;
      for (int u = 0; u < 3; u++) {
        int p = i + 1 - 2 * u;
        if (p < 0 || p % 2 || p / 2 >= h) continue;
        for (int v = 0; v < 3; v++) {
          int q = j + 1 - 2 * v;
          if (q < 0 || q % 2 || q / 2 >= w) continue;
          for (int d = 0; d < c; d++) s += x[m][d][p / 2][q / 2] * k[d][f][u][v];
        }
      }
      y[m][f][i][j] = s;
    } }`,
    sizes: [{ n: 2, c: 3, h: 4, w: 3, o: 17 }],
  },
  'transposed, dilated by 3, strided by 2 and by 4': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 32, w = 32, o = 64)
void f(int n, int c, int h, int w, int o, const float x[n][c][h][w], const float k[c][o][3][4],
       float y[n][o][2 * h][4 * w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++)
  for (int i = 0; i < 2 * h; i++) for (int j = 0; j < 4 * w; j++) {
    float s = 0.0f;
    for (int d = 0; d < c; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 4; v++) {
      if ((i + 2 - 3 * u) % 2 != 0 || (j + 5 - 3 * v) % 4 != 0) continue;
      int p = (i + 2 - 3 * u) / 2, q = (j + 5 - 3 * v) / 4;
      if (p < 0 || p >= h || q < 0 || q >= w) continue;
      s += x[m][d][p][q] * k[d][f][u][v];
    }
    y[m][f][i][j] = s;
  } }`,
    sizes: [{ n: 2, c: 3, h: 4, w: 3, o: 17 }],
  },
  'transposed, then pooled in loops of the same names': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 32, w = 32, o = 160)
void f(int n, int c, int h, int w, int o, const float x[n][c][h][w], const float k[c][o][3][3], float y[n][o][h][w]) {
  float t[n][o][2 * h][2 * w];
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++)
  for (int i = 0; i < 2 * h; i++) for (int j = 0; j < 2 * w; j++) {
    float s = 0.0f;
    for (int d = 0; d < c; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) {
      if ((i + 1 - u) % 2 != 0 || (j + 1 - v) % 2 != 0) continue;
      int p = (i + 1 - u) / 2, q = (j + 1 - v) / 2;
      if (p >= 0 && p < h && q >= 0 && q < w) s += x[m][d][p][q] * k[d][f][u][v];
    }
    t[m][f][i][j] = s;
  }
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
    float s = 0.0f;
    for (int u = 0; u < 2; u++) for (int v = 0; v < 2; v++) s += t[m][f][2 * i + u][2 * j + v];
    y[m][f][i][j] = s;
  } }`,
    sizes: [{ n: 2, c: 3, h: 4, w: 5, o: 17 }],
  },
  'transposed, scattered': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 32, w = 32, o = 160)
void f(int n, int c, int h, int w, int o, const float x[n][c][h][w], const float k[c][o][3][3],
       float y[n][o][2 * h + 1][2 * w + 1]) {
  for (int m = 0; m < n; m++) for (int d = 0; d < c; d++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++)
    for (int f = 0; f < o; f++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++)
      y[m][f][2*i+u][2*j+v] += x[m][d][i][j] * k[d][f][u][v]; }`,
    sizes: [{ n: 2, c: 3, h: 4, w: 3, o: 17 }],
  },
  'transposed, scattered into rows of 2 w + 1 elements of a flat array': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 32, w = 32, o = 160)
void f(int n, int c, int h, int w, int o, const float *x, const float *k, float *y) {
  int p = 2 * h + 1, q = 2 * w + 1;
  for (int i = 0; i < n * o * p * q; i++) y[i] = 0;
  for (int m = 0; m < n; m++) for (int d = 0; d < c; d++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++)
    for (int f = 0; f < o; f++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++)
      y[((m*o+f)*p+2*i+u)*q+2*j+v] += x[((m*c+d)*h+i)*w+j] * k[((d*o+f)*3+u)*3+v]; }`,
    sizes: [{ n: 2, c: 3, h: 4, w: 3, o: 17 }],
  },
  'windows from -1, left by continue': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 56, w = 56, o = 64)
void f(int n, int c, int h, int w, int o, const float x[n][h][w][c], const float k[3][3][c][o], float y[n][h][w][o]) {
  for (int m = 0; m < n; m++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) for (int f = 0; f < o; f++) {
    float s = 0.0f;
    for (int u = -1; u <= 1; u++) for (int v = -1; v <= 1; v++) {
      int p = i + u, q = j + v;
      if (p < 0 || p >= h || q < 0 || q >= w) continue;
      for (int d = 0; d < c; d++) s += x[m][p][q][d] * k[u+1][v+1][d][f];
    }
    y[m][i][j][f] = s;
  } }`,
    sizes: [{ n: 2, c: 5, h: 6, w: 7, o: 18 }],
  },
  'windows whose ends conditions choose': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 56, w = 56, o = 64)
void f(int n, int c, int h, int w, int o, const float x[n][h][w][c], const float k[3][3][c][o], float y[n][h][w][o]) {
  for (int m = 0; m < n; m++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) for (int f = 0; f < o; f++) {
    float s = 0.0f;
    for (int u = i > 0 ? 0 : 1; u < (i < h - 1 ? 3 : 2); u++) for (int v = j > 0 ? 0 : 1; v < (j < w - 1 ? 3 : 2); v++)
      for (int d = 0; d < c; d++) s += x[m][i+u-1][j+v-1][d] * k[u][v][d][f];
    y[m][i][j][f] = s;
  } }`,
    sizes: [{ n: 2, c: 5, h: 6, w: 7, o: 18 }],
  },
  'places of the image as loop variables': {
    text: `#pragma tesela sizes(n = 16, c = 32, h = 56, w = 56, o = 64)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int n, int c, int h, int w, int o, const float x[n][h][w][c], const float k[3][3][c][o], float y[n][h][w][o]) {
  for (int m = 0; m < n; m++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) for (int f = 0; f < o; f++) {
    float s = 0.0f;
    for (int p = MAX(0, i - 1); p < MIN(h, i + 2); p++) for (int q = MAX(0, j - 1); q < MIN(w, j + 2); q++)
      for (int d = 0; d < c; d++) s += x[m][p][q][d] * k[p-i+1][q-j+1][d][f];
    y[m][i][j][f] = s;
  } }`,
    sizes: [{ n: 2, c: 5, h: 6, w: 7, o: 18 }],
  },
  'a contraction of tensors of four dimensions': {
    text: `#pragma tesela sizes(a = 32, b = 48, c = 24, d = 40, e = 20, g = 12)
void f(int a, int b, int c, int d, int e, int g, const float x[a][e][c][g], const float z[g][d][e][b],
       float y[a][b][c][d]) {
  for (int i = 0; i < a; i++) for (int j = 0; j < b; j++) for (int k = 0; k < c; k++) for (int l = 0; l < d; l++) {
    float s = 0.0f;
    for (int p = 0; p < e; p++) for (int q = 0; q < g; q++) s += x[i][p][k][q] * z[q][l][p][j];
    y[i][j][k][l] = s;
  } }`,
    sizes: [{ a: 3, b: 4, c: 7, d: 5, e: 3, g: 4 }],
  },
}

describe('sums of products are products of matrices', () => {
  for (const [name, { text, sizes }] of Object.entries(cases))
    test(name, async () => {
      const analysed = analyse(await readC(text)),
        at = analysed.parts.findIndex((p) => p.sketch.name === 'contraction')
      expect(at).toBeGreaterThanOrEqual(0)
      for (const point of points) {
        const chosen = analysed.parts.map((p, n) => (n === at ? point : p.sketch.ladder[0]!.point))
        expect(verified(analysed, chosen, sizes).why).toBeUndefined()
      }
    })
})

const conv = `#pragma tesela sizes(n = 16, c = 32, h = 56, w = 56, o = 64)
void f(int n, int c, int h, int w, int o, const float x[n][c][h + 2][w + 2], const float k[o][c][3][3],
       float y[n][o][h][w]) {
  for (int m = 0; m < n; m++) for (int f = 0; f < o; f++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) {
    float s = 0.0f;
    for (int d = 0; d < c; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++)
      s += x[m][d][i+u][j+v] * k[f][d][u][v];
    y[m][f][i][j] = s;
  } }`

describe('no copy', () => {
  const planOf = (p: Program, point: Point): ReturnType<typeof build>['plan'] => {
    const analysed = analyse(p)
    return build(
      analysed,
      analysed.parts.map(({ sketch }) => (sketch.name === 'contraction' ? point : sketch.ladder[0]!.point)),
    ).plan
  }

  test('what windows show is written nowhere; filters are packed', async () => {
    const plan = planOf(await readC(conv), tile)
    expect(plan.arrays.map((a) => a.name)).toEqual(['x', 'k', 'y', 'k_packed'])
  })

  test('a step over sixteen channels asks once where it lies in the window', async () => {
    const [fast] = planOf(await readC(conv), tile).variants,
      { kernel } = fast!.launches.at(-1)! // the product
    const loops = allStatements(kernel.body).flatMap((s) => (s.kind === 'loop' ? allStatements(s.body) : []))
    const divided = loops.filter((s) => s.kind === 'op' && (s.op === 'div' || s.op === 'rem'))
    expect(divided.length).toBeGreaterThan(0) // of the terms, by channels and 3
    expect(divided.length).toBeLessThanOrEqual(4)
  })
})
