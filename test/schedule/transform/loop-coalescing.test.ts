// Nests over fewer loops, several results by the same threads, sums that take turns, computations of rows, the best of
// several loops, sums at places that data choose: which schedules are taken, in how many launches, and that each
// computes what its program does, at sizes that no tile divides, in the simulator.
import { describe, expect, test } from 'vitest'
import { chooseVariant, executions, planValue } from '../../../src/ir/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { plannedValues } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { verified, type Sizes } from '../support.ts'

interface Case {
  readonly source: string
  readonly sketches: readonly string[]
  readonly launches: number
  readonly sizes: readonly Sizes[]
  readonly rungs?: 'all'
}

const pixels: Sizes = { h: 5, w: 9 },
  volume: Sizes = { n: 3, m: 5, k: 7 },
  matrix: readonly Sizes[] = [
    { n: 11, m: 37 },
    { n: 4, m: 64 },
    { n: 1, m: 1 },
  ]

const cases: Readonly<Record<string, Case>> = {
  'short rows become one': {
    source:
      '#pragma tesela sizes(n = 512, m = 256, k = 160)\nvoid f(int n, int m, int k, const float a[n][m][k], ' +
      'float b[n][m][k]) { for (int x = 0; x < n; x++) for (int i = 0; i < m; i++) for (int j = 0; j < k; ' +
      'j++) b[x][i][j] = a[x][i][j] * 2 + 1; }',
    sketches: ['elementwise'],
    launches: 1,
    sizes: [volume, { n: 4, m: 4, k: 4 }],
    rungs: 'all',
  },
  'rows and columns that may both be too few': {
    source:
      'float f(int h, int w, const float *x, float *y) { int oh = h - 2, ow = w - 2; float s = 0; for (int i = 0; ' +
      'i < oh; i++) for (int j = 0; j < ow; j++) { y[i * ow + j] = x[i * w + j] * 2.0f; s += y[i * ow + j]; } ' +
      'return s; }',
    sketches: ['elementwise', 'reduction'],
    launches: 3,
    sizes: [pixels, { h: 1, w: 1 }, { h: 2, w: 1 }, { h: 1, w: 7 }],
    rungs: 'all',
  },
  'a number per channel': {
    source:
      '#pragma tesela sizes(n = 8, c = 16, h = 56, w = 56)\nvoid f(int n, int c, int h, int w, const float ' +
      'x[n][c][h][w], const float b[c], float y[n][c][h][w]) { for (int i = 0; i < n; i++) for (int k = 0; k ' +
      '< c; k++) for (int p = 0; p < h; p++) for (int q = 0; q < w; q++) y[i][k][p][q] = x[i][k][p][q] + b[k]; }',
    sketches: ['elementwise'],
    launches: 1,
    sizes: [{ n: 2, c: 3, h: 5, w: 7 }],
  },
  'a convolution over rows of weights': {
    source:
      '#pragma tesela sizes(n = 8, c = 64, h = 56, w = 56, o = 64)\nvoid f(int n, int c, int h, int w, int o, ' +
      'const float *x, const float *k, float *y) { for (int b = 0; b < n; b++) for (int e = 0; e < o; e++) ' +
      'for (int i = 0; i < h-2; i++) for (int j = 0; j < w-2; j++) { float s = 0; for (int d = 0; d < c; d++) ' +
      'for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) s += ' +
      'x[((b*c+d)*h+i+u)*w+j+v]*k[((e*c+d)*3+u)*3+v]; y[((b*o+e)*(h-2)+i)*(w-2)+j] = s; } }',
    sketches: ['elementwise', 'contraction'],
    launches: 2,
    sizes: [{ n: 2, c: 3, h: 5, w: 7, o: 4 }],
  },
  'products of small matrices': {
    source:
      '#pragma tesela sizes(n = 65536)\nvoid f(int n, const float (*a)[4][4], const float (*b)[4][4], float ' +
      '(*c)[4][4]) { for (int t = 0; t < n; t++) for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) { ' +
      'float s = 0; for (int k = 0; k < 4; k++) s += a[t][i][k]*b[t][k][j]; c[t][i][j] = s; } }',
    sketches: ['per-point'],
    launches: 1,
    sizes: [{ n: 11 }, { n: 70 }],
  },
  'small matrices times vectors': {
    source:
      '#pragma tesela sizes(n = 65536)\nvoid f(int n, const float m[n][3][5], const float v[n][5], float ' +
      'o[n][3]) { for (int t = 0; t < n; t++) for (int i = 0; i < 3; i++) { float s = 1; for (int k = 0; k < ' +
      '5; k++) s += m[t][i][k]*v[t][k]; o[t][i] = s; } }',
    sketches: ['per-point'],
    launches: 1,
    sizes: [{ n: 11 }, { n: 301 }],
  },
  'a loss that is read where labels choose': {
    source:
      '#pragma tesela sizes(n = 4096, m = 1024)\nvoid f(int n, int m, const float *x, const int *label, float ' +
      '*loss, float *d) { for (int i = 0; i < n; i++) { const float *l = x + i * m; float s = -1e30f, z = 0; ' +
      'for (int j = 0; j < m; j++) s = fmaxf(s, l[j]); for (int j = 0; j < m; j++) z += expf(l[j] - s); ' +
      'loss[i] = logf(z) + s - l[label[i]]; for (int j = 0; j < m; j++) d[i * m + j] = expf(l[j] - s) / z - ' +
      '(j == label[i] ? 1.0f : 0.0f); } }',
    sketches: ['rows'],
    launches: 1,
    sizes: matrix,
  },
  'sums of windows that lie on one another': {
    source:
      '#pragma tesela sizes(n = 10000, hop = 160, win = 400)\nvoid f(int n, int hop, int win, const float *x, ' +
      'float *z, float *e, float *m) { for (int i = 0; i < n; i++) { int c = 0; float q = 0, s = 0; for (int ' +
      't = 1; t < win; t++) { if ((x[i * hop + t] >= 0) != (x[i * hop + t - 1] >= 0)) c++; q += x[i * hop + ' +
      't] * x[i * hop + t]; s += fabsf(x[i * hop + t]); } z[i] = c; e[i] = q; m[i] = s / win; } }',
    sketches: ['rows'],
    launches: 1,
    sizes: [
      { n: 11, hop: 4, win: 9 },
      { n: 70, hop: 3, win: 2 },
    ],
  },
  'sums of windows around pixels, of which not all share with all': {
    source:
      '#pragma tesela sizes(h = 768, w = 1024)\nvoid f(int h, int w, const float *a, const float *b, float ' +
      '*o) { for (int y = 4; y < h - 4; y++) for (int x = 4; x < w - 4; x++) { float p = 0, q = 0, r = 0; for ' +
      '(int j = y - 2; j <= y + 2; j++) for (int i = x - 2; i <= x + 2; i++) { float u = a[j * w + i + 1] - ' +
      'a[j * w + i - 1], v = b[j * w + i + 1] - b[j * w + i - 1]; p += u * u; q += u * v; r += v * v; } o[y * ' +
      'w + x] = p * r - q * q; } }',
    sketches: ['sums', 'per-point'],
    launches: 2,
    sizes: [
      { h: 11, w: 13 },
      { h: 9, w: 150 },
    ],
  },
  'channels of a pixel from pixels of half the size': {
    source:
      '#pragma tesela sizes(h = 1080, w = 1920)\nvoid f(int h, int w, const int *a, const int *b, int *o) { ' +
      'for (int j = 0; j < h; j++) for (int i = 0; i < w; i++) { int c = a[j * w + i] - 16, d = b[(j / 2) * ' +
      '(w / 2) + i / 2] - 128; o[3 * (j * w + i)] = c + d; o[3 * (j * w + i) + 1] = c - d; o[3 * (j * w + i) ' +
      '+ 2] = c * d; } }',
    sketches: ['maps'],
    launches: 1,
    sizes: [
      { h: 6, w: 10 },
      { h: 5, w: 131 },
    ],
  },
  'mean and deviation of columns': {
    source:
      '#pragma tesela sizes(n = 65536, m = 256)\nvoid f(int n, int m, const float *x, float *mean, float *sd) ' +
      '{ for (int j = 0; j < m; j++) { float s = 0, q = 0; for (int i = 0; i < n; i++) { s += x[i*m+j]; q += ' +
      'x[i*m+j]*x[i*m+j]; } mean[j] = s/n; sd[j] = sqrtf(1 + q/n - (s/n)*(s/n)); } }',
    sketches: ['sums', 'maps'],
    launches: 3,
    sizes: [
      { n: 37, m: 9 },
      { n: 300, m: 64 },
    ],
  },
  'several short rows of a block': {
    source:
      '#pragma tesela sizes(h = 512, w = 512)\nvoid f(int h, int w, const float a[h][w][4], const float ' +
      'b[h][w][4], float o[h][w][4]) { for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) for (int c = ' +
      '0; c < 4; c++) o[i][j][c] = a[i][j][3] * a[i][j][c] + (1 - a[i][j][3]) * b[i][j][c]; }',
    sketches: ['elementwise'],
    launches: 1,
    sizes: [pixels],
    rungs: 'all',
  },
  'a window over pixels of three channels': {
    source:
      '#pragma tesela sizes(h = 512, w = 512)\nvoid f(int h, int w, const float k[3][3], const float ' +
      'a[h][w][3], float b[h][w][3]) { for (int i = 1; i < h - 1; i++) for (int j = 1; j < w - 1; j++) for ' +
      '(int c = 0; c < 3; c++) { float s = 0; for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) s += ' +
      'k[y][x] * a[i + y - 1][j + x - 1][c]; b[i][j][c] = s; } }',
    sketches: ['stencil'],
    launches: 1,
    sizes: [
      { h: 6, w: 11 },
      { h: 2, w: 2 },
    ],
    rungs: 'all',
  },
  'a batch of rows and one matrix are one product': {
    source:
      '#pragma tesela sizes(b = 8, s = 128, d = 256, e = 256)\nvoid f(int b, int s, int d, int e, const float ' +
      'x[b][s][d], const float w[d][e], float y[b][s][e]) { for (int i = 0; i < b; i++) for (int j = 0; j < ' +
      's; j++) for (int k = 0; k < e; k++) { float t = 0; for (int l = 0; l < d; l++) t += x[i][j][l] * ' +
      'w[l][k]; y[i][j][k] = t; } }',
    sketches: ['contraction'],
    launches: 2,
    sizes: [{ b: 3, s: 5, d: 6, e: 7 }],
  },
  'five loops': {
    source:
      '#pragma tesela sizes(c = 64, h = 112, w = 112)\nvoid f(int c, int h, int w, const float x[c][h + 2][w ' +
      '+ 2], float y[c][3][3][h][w]) { for (int k = 0; k < c; k++) for (int a = 0; a < 3; a++) for (int b = ' +
      '0; b < 3; b++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) y[k][a][b][i][j] = x[k][i + a][j + b]; }',
    sketches: ['elementwise'],
    launches: 1,
    sizes: [{ c: 2, h: 5, w: 7 }],
  },
  'members of a structure': {
    source:
      '#pragma tesela sizes(n = 100000)\nvoid f(int n, float b[n][4]) { for (int i = 0; i < n; i++) { b[i][0] ' +
      '+= 2 * b[i][2]; b[i][1] += 3 * b[i][3]; } }',
    sketches: ['maps'],
    launches: 1,
    sizes: [{ n: 301 }],
  },
  'results that need each other': {
    source:
      '#pragma tesela sizes(n = 100000)\nvoid f(int n, const float g[n], float m[n], float v[n], float p[n]) ' +
      '{ for (int i = 0; i < n; i++) { m[i] = 0.5f * m[i] + g[i]; v[i] = 0.25f * v[i] + g[i] * g[i]; p[i] -= ' +
      'm[i] * v[i]; } }',
    sketches: ['maps'],
    launches: 1,
    sizes: [{ n: 301 }, { n: 304 }],
    rungs: 'all',
  },
  'a softmax of rows': {
    source:
      '#pragma tesela sizes(n = 4096, m = 1024)\nvoid f(int n, int m, const float a[n][m], float b[n][m]) { ' +
      'for (int i = 0; i < n; i++) { float x = a[i][0]; for (int j = 1; j < m; j++) x = fmaxf(x, a[i][j]); ' +
      'float s = 0; for (int j = 0; j < m; j++) { b[i][j] = expf(a[i][j] - x); s += b[i][j]; } for (int j = ' +
      '0; j < m; j++) b[i][j] /= s; } }',
    sketches: ['rows'],
    launches: 1,
    sizes: matrix,
    rungs: 'all',
  },
  'the same in place, over three loops': {
    source:
      '#pragma tesela sizes(b = 16, n = 512, m = 512)\nvoid f(int b, int n, int m, float a[b][n][m]) { for ' +
      '(int h = 0; h < b; h++) for (int i = 0; i < n; i++) { float x = a[h][i][0]; for (int j = 1; j < m; ' +
      'j++) x = fmaxf(x, a[h][i][j]); float s = 0; for (int j = 0; j < m; j++) { a[h][i][j] = expf(a[h][i][j] ' +
      '- x); s += a[h][i][j]; } for (int j = 0; j < m; j++) a[h][i][j] /= s; } }',
    sketches: ['rows'],
    launches: 1,
    sizes: [{ b: 2, n: 5, m: 37 }],
  },
  'a normalised row': {
    source:
      '#pragma tesela sizes(n = 4096, m = 1024)\nvoid f(int n, int m, const float a[n][m], const float g[m], ' +
      'float b[n][m]) { for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += a[i][j]; ' +
      'float mean = s / m; float v = 0; for (int j = 0; j < m; j++) v += (a[i][j] - mean) * (a[i][j] - mean); ' +
      'float r = 1.0f / sqrtf(v / m + 0.5f); for (int j = 0; j < m; j++) b[i][j] = (a[i][j] - mean) * r * g[j]; } }',
    sketches: ['rows'],
    launches: 1,
    sizes: matrix,
    rungs: 'all',
  },
  'a largest that starts from memory, then what is computed of it': {
    source:
      '#pragma tesela sizes(n = 4096, m = 1024)\nvoid f(int n, int m, const float a[n][m], const float v[n], ' +
      'float o[n]) { for (int i = 0; i < n; i++) { float s = v[i]; for (int j = 1; j < m; j++) if (a[i][0] > ' +
      '0) s = fmaxf(s, a[i][j]); o[i] += s; } }',
    sketches: ['rows'],
    launches: 1,
    sizes: matrix,
    rungs: 'all',
  },
  'two sums of a column': {
    source:
      '#pragma tesela sizes(n = 4096, m = 1024)\nvoid f(int n, int m, const float a[n][m], float s[m], float ' +
      'q[m]) { for (int j = 0; j < m; j++) { s[j] = 0; q[j] = 0; for (int i = 0; i < n; i++) s[j] += a[i][j]; ' +
      'for (int i = 0; i < n; i++) q[j] += a[i][j] * a[i][j]; } }',
    sketches: ['sums'],
    launches: 2,
    sizes: matrix,
    rungs: 'all',
  },
  'least and greatest of all': {
    source:
      '#pragma tesela sizes(n = 4000000)\nvoid f(int n, const float a[n], float o[2]) { float lo = a[0], hi = ' +
      'a[0]; for (int i = 1; i < n; i++) { if (a[i] < lo) lo = a[i]; if (a[i] > hi) hi = a[i]; } o[0] = lo; ' +
      'o[1] = hi; }',
    sketches: ['sums'],
    launches: 2,
    sizes: [{ n: 1 }, { n: 1301 }, { n: 4096 }],
    rungs: 'all',
  },
  'few results of many terms': {
    source:
      '#pragma tesela sizes(n = 64, c = 32, p = 12544)\nvoid f(int n, int c, int p, const float x[n][c][p], ' +
      'float s[c]) { for (int k = 0; k < c; k++) { float t = 0; for (int i = 0; i < n; i++) for (int j = 0; j ' +
      '< p; j++) t += x[i][k][j]; s[k] = t; } }',
    sketches: ['reduction'],
    launches: 2,
    sizes: [{ n: 3, c: 2, p: 301 }],
  },
  'sums of different lengths': {
    source:
      '#pragma tesela sizes(n = 1048576, m = 256)\nvoid f(int n, int m, const float a[n], float r[m]) { for ' +
      '(int k = 0; k < m; k++) { float s = 0; for (int i = 0; i < n - k; i++) s += a[i] * a[i + k]; r[k] = s; } }',
    sketches: ['reduction'],
    launches: 1,
    sizes: [
      { n: 301, m: 17 },
      { n: 5, m: 9 },
    ],
    rungs: 'all',
  },
  'the place of the greatest over three loops': {
    source:
      '#pragma tesela sizes(n = 16, m = 512, k = 512)\nvoid f(int n, int m, int k, const float a[n][m][k], ' +
      'int at[3], float v[1]) { float best = -1e30f; int x = 0, y = 0, z = 0; for (int h = 0; h < n; h++) for ' +
      '(int i = 0; i < m; i++) for (int j = 0; j < k; j++) if (a[h][i][j] > best) { best = a[h][i][j]; x = h; ' +
      'y = i; z = j; } at[0] = x; at[1] = y; at[2] = z; v[0] = best; }',
    sketches: ['sequential', 'argument', 'sequential', 'argument', 'argument', 'sequential'],
    launches: 7,
    sizes: [
      { n: 3, m: 5, k: 71 },
      { n: 1, m: 1, k: 1 },
    ],
  },
  'floats added at places that data choose': {
    source:
      '#pragma tesela sizes(n = 100000, k = 12, d = 16)\nvoid f(int n, int k, int d, const float x[n][d], ' +
      'const int a[n], float c[k][d], float count[k]) { for (int i = 0; i < n; i++) { count[a[i]] += 1; for ' +
      '(int p = 0; p < d; p++) c[a[i]][p] += x[i][p]; } }',
    sketches: ['reduction', 'reduction'],
    launches: 4,
    sizes: [{ n: 301, k: 7, d: 5 }],
  },
}

describe.each(Object.entries(cases))('%s', (_, c) => {
  test('the schedules, the launches and the results', async () => {
    const analysed = analyse(await readC(c.source)),
      last = analysed.parts.map((p) => p.sketch.ladder.at(-1)!.point) // ladders are not empty
    expect(analysed.parts.map((p) => p.sketch.name)).toEqual(c.sketches)
    const { plan } = build(analysed, last),
      values = plannedValues(analysed.source)
    expect([...executions(chooseVariant(plan, values), values)].length).toBe(c.launches)
    const rungs = c.rungs === 'all' ? Math.max(...analysed.parts.map((p) => p.sketch.ladder.length)) : 1
    for (let back = 0; back < rungs; back++) {
      const points = analysed.parts.map(
        ({ sketch: { ladder } }) => ladder[Math.max(0, ladder.length - 1 - back)]!.point,
      )
      const v = verified(analysed, points, c.sizes, { warp: 32 })
      expect([v.ok, v.why]).toEqual([true, undefined])
    }
  })
})

test('rows that would leave a device idle keep their own launches', async () => {
  const few = await readC(
    '#pragma tesela sizes(n = 8, m = 1000000)\nvoid f(int n, int m, const float a[n][m], float b[n][m]) { for ' +
      '(int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += a[i][j]; for (int j = 0; j < ' +
      'm; j++) b[i][j] = a[i][j] / s; } }',
  )
  expect(analyse(few).parts.map((p) => p.sketch.name)).toEqual(['reduction', 'elementwise'])
})

test('what reads neighbours of what the other stores is no part of it', async () => {
  const shifted = await readC(
    'void f(int n, const float x[n], float a[n], float b[n]) { for (int i = 0; i < n; i++) a[i] = 2 * x[i]; ' +
      'for (int i = 1; i < n; i++) b[i] = a[i - 1] + x[i]; }',
  )
  expect(analyse(shifted).parts.map((p) => p.sketch.name)).not.toContain('maps')
})

test('more blocks than an axis takes stand in rows', async () => {
  const program = await readC(
    '#pragma tesela sizes(n = 100000, m = 48, k = 2)\nvoid f(int n, int m, int k, const float b[m], float ' +
      'a[n][k][m]) { for (int i = 0; i < n; i++) for (int l = 0; l < k; l++) for (int j = 0; j < m; j++) ' +
      'a[i][l][j] = b[j] + i + l; }',
  )
  const analysed = analyse(program),
    { plan } = build(analysed, [analysed.parts[0]!.sketch.ladder[0]!.point]) // one part
  const values = plannedValues(program),
    [only] = [...executions(chooseVariant(plan, values), values)]
  expect(only!.launch.grid.map((e) => planValue(e, values)).every((n) => n <= 65535)).toBe(true) // one launch
  const v = verified(analysed, [analysed.parts[0]!.sketch.ladder[0]!.point], [{ n: 7, m: 5, k: 3 }])
  expect([v.ok, v.why]).toEqual([true, undefined])
})

// what is meant where rows or columns are fewer than none: both extents are negative, and their product is not
test('a convolution of fewer than no pixels is none, whatever stores elsewhere', async () => {
  const { otherwise } = await readC(
    '#pragma tesela sizes(n = 4, c = 64, o = 128, h = 64, w = 64)\nvoid f(int n, int c, int o, int h, int w, const ' +
      'float *x, const float *k, float *y) { int oh = h - 2, ow = w - 2; for (int b = 0; b < n; b++) for (int e = 0; ' +
      'e < o; e++) for (int i = 0; i < oh; i++) for (int j = 0; j < ow; j++) { float s = 0; for (int d = 0; d < c; ' +
      'd++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) s += x[((b * c + d) * h + i + u) * w + j + v] * ' +
      'k[((e * c + d) * 3 + u) * 3 + v]; y[((b * o + e) * oh + i) * ow + j] = s; } for (int i = 0; i < n * o * oh * ' +
      'ow; i++) y[i] = y[i] * 0.5f; }',
  )
  const analysed = analyse(otherwise!), // its rows are known where they are no fewer than none
    points = analysed.parts.map(({ sketch: { ladder } }) => ladder.at(-1)!.point)
  const v = verified(analysed, points, [
    { n: 2, c: 3, o: 5, h: 1, w: 1 },
    { n: 2, c: 3, o: 5, h: 1, w: 9 },
  ])
  expect([v.ok, v.why]).toEqual([true, undefined])
})
