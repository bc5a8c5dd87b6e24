// Programs as people write them in C, and what they are taken apart into: a line per program with its parts' sketches.
// Each is verified at the first and the last rung of its ladders on sizes that are multiples of nothing.
import { describe, expect, test } from 'vitest'
import { allStatements } from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { readC } from '../c/read.ts'
import { sizesOf, verified } from './support.ts'
import { someOf } from '../support/long.ts'

/** `null`: any sketches. */
type Case = readonly [name: string, text: string, sketches: readonly string[] | null]

async function check(source: string, sketches: readonly string[] | null, sizes: readonly number[]): Promise<void> {
  const p = await readC(source)
  const a = analyse(p)
  if (sketches) expect(a.parts.map((x) => x.sketch.name)).toEqual(sketches)
  for (const rung of [0, 99]) {
    const points = a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(rung, ladder.length - 1)]!.point)
    const v = verified(a, points, [sizesOf(p, sizes)])
    expect({ rung, ok: v.ok, why: v.why }).toEqual({ rung, ok: true, why: undefined })
  }
}

const sums: readonly Case[] = [
  [
    'of a function at the points of a rule in each cell',
    `static const float at[3] = {-0.7f, 0, 0.7f}, w[3] = {0.5f, 0.8f, 0.5f}; float f(int n, int m, float k) { ` +
      `float t = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int p = 0; p < 3; p++) for ` +
      `(int q = 0; q < 3; q++) t += w[p] * w[q] * cosf(k * (i + at[p])) * expf(-0.1f * (j + at[q])); return t; }`,
    ['reduction'],
  ],
  [
    'of columns in 16 bits, divided',
    `void f(int n, int m, const unsigned char x[m][n], short y[n]) { for (int i = 0; i < n; i++) { y[i] = 7; for ` +
      `(int j = 0; j < m; j++) y[i] += x[j][i] * 300; y[i] /= 3; } }`,
    ['reduction'],
  ],
  [
    'of the squares of a matrix',
    `void f(int n, int m, float A[n][m], float s[1]) { s[0] = 0; for (int i = 0; i < n; i++) for (int j = 0; ` +
      `j < m; j++) s[0] += A[i][j] * A[i][j]; }`,
    ['reduction'],
  ],
  [
    'of what is inside of three dimensions',
    `void f(int b, int n, int m, float A[b][n][m], float w[n], float s[1]) { float t = 0;
    for (int k = 1; k < b; k++) for (int i = 2; i < n - 1; i++) for (int j = 1; j < m - 1; j++) if (A[k][i][j] > \
w[i]) t += A[k][i][j]; s[0] = t; }`,
    ['reduction'],
  ],
  [
    'the largest of few long rows',
    `void f(int n, int m, float A[n][m], float s[1]) { float t = -10; for (int i = 0; i < n; i++) for (int j ` +
      `= 0; j < m; j++) if (A[i][j] > t) t = A[i][j]; s[0] = t; }`,
    null,
  ],
  [
    'over pairs',
    `void f(int n, float x[n], float y[n], float e[1]) { float t = 0;
    for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) { float dx = x[i] - x[j], dy = y[i] - y[j]; t += \
1.0f / (dx * dx + dy * dy + 1.0f); } e[0] = t; }`,
    ['reduction'],
  ],
  [
    'over triangles of a graph',
    `void f(int n, int a[n][n], int c[1]) { int t = 0;
    for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) for (int k = j + 1; k < n; k++) if (a[i][j] && \
a[j][k] && a[i][k]) t++; c[0] = t; }`,
    ['reduction'],
  ],
]

const convolutions: readonly Case[] = [
  [
    'channels before rows',
    `#pragma tesela sizes(n = 4, c = 32, k = 64, h = 56, w = 56)
    void f(int n, int c, int k, int h, int w, float x[n][c][h + 2][w + 2], float f[k][c][3][3], float y[n][k][h][w]) {
    for (int i = 0; i < n; i++) for (int o = 0; o < k; o++) for (int p = 0; p < h; p++) for (int q = 0; q < w; q++) \
{ float s = 0;
      for (int e = 0; e < c; e++) for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) s += x[i][e][p + a][q + \
b] * f[o][e][a][b]; y[i][o][p][q] = s; } }`,
    ['elementwise', 'contraction'],
  ],
  [
    'channels last, nothing around the image, what follows',
    `#pragma tesela sizes(n = 2, h = 28, w = 28, c = 64, k = 64)
    void f(int n, int h, int w, int c, int k, float x[n][h][w][c], float f[3][3][c][k], float bias[k], float \
y[n][h][w][k]) {
    for (int b = 0; b < n; b++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) for (int o = 0; o < k; o++) \
{ float s = bias[o];
      for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) for (int e = 0; e < c; e++) { int p = i + u - 1, q = \
j + v - 1; if (p >= 0 && p < h && q >= 0 && q < w) s += x[b][p][q][e] * f[u][v][e][o]; }
      y[b][i][j][o] = s > 0 ? s : 0; } }`,
    ['contraction'],
  ],
  [
    'signals in steps of two',
    `#pragma tesela sizes(n = 8, c = 32, k = 64, l = 2000)
    void f(int n, int c, int k, int l, float x[n][c][2 * l + 8], float f[k][c][9], float y[n][k][l]) {
    for (int b = 0; b < n; b++) for (int o = 0; o < k; o++) for (int t = 0; t < l; t++) { y[b][o][t] = 0; for (int \
e = 0; e < c; e++) for (int a = 0; a < 9; a++) y[b][o][t] += f[o][e][a] * x[b][e][2 * t + a]; } }`,
    ['elementwise', 'contraction'],
  ],
  [
    'few results share a window',
    `#pragma tesela sizes(n = 8, c = 32, k = 4, l = 2000)
    void f(int n, int c, int k, int l, float x[n][c][l + 8], float f[k][c][9], float y[n][k][l]) {
    for (int b = 0; b < n; b++) for (int o = 0; o < k; o++) for (int t = 0; t < l; t++) { y[b][o][t] = 0; for (int \
e = 0; e < c; e++) for (int a = 0; a < 9; a++) y[b][o][t] += f[o][e][a] * x[b][e][t + a]; } }`,
    ['reduction'],
  ],
  [
    'each channel by itself',
    `#pragma tesela sizes(c = 64, l = 20000)
    void f(int c, int l, float x[c][l + 8], float f[c][9], float y[c][l]) {
    for (int e = 0; e < c; e++) for (int t = 0; t < l; t++) { y[e][t] = 0; for (int a = 0; a < 9; a++) y[e][t] += \
f[e][a] * x[e][t + a]; } }`,
    null,
  ],
]

const crossings: readonly Case[] = [
  [
    'the gradient of a logistic regression',
    `#include <math.h>
    void f(int n, int m, float X[n][m], float y[n], float w[m], float g[m]) { for (int j = 0; j < m; j++) g[j] = 0.0f;
    for (int i = 0; i < n; i++) { float z = 0.0f; for (int j = 0; j < m; j++) z += X[i][j] * w[j];
      float e = 1.0f / (1.0f + expf(-z)) - y[i]; for (int j = 0; j < m; j++) g[j] += e * X[i][j]; } }`,
    ['crossed'],
  ],
  [
    'added to what was there',
    `void f(int n, int m, float A[n][m], float t[n], float y[m]) {
    for (int i = 0; i < n; i++) { t[i] = 0; for (int j = 0; j < m; j++) t[i] += A[i][j] * A[i][j]; }
    for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) y[j] += A[i][j] / (1.0f + t[i]); }`,
    ['crossed'],
  ],
  [
    'the largest of each column',
    `void f(int n, int m, int A[n][m], int t[n], int y[m]) {
    for (int i = 0; i < n; i++) { t[i] = 0; for (int j = 0; j < m; j++) t[i] += A[i][j]; }
    for (int j = 0; j < m; j++) { int best = -1000000; for (int i = 0; i < n; i++) if (A[i][j] - t[i] > best) best \
= A[i][j] - t[i]; y[j] = best; } }`,
    ['crossed'],
  ],
  [
    'with the sums of other rows',
    `void f(int n, int m, float A[n][m], float t[n], float y[m]) {
    for (int i = 0; i < n; i++) { t[i] = 0; for (int j = 0; j < m; j++) t[i] += A[i][j]; }
    for (int j = 0; j < m; j++) { y[j] = 0; for (int i = 0; i < n; i++) y[j] += A[i][j] * t[n - 1 - i]; } }`,
    ['reduction', 'reduction'],
  ],
  [
    'of another array',
    `void f(int n, int m, float A[n][m], float B[n][m], float t[n], float y[m]) {
    for (int i = 0; i < n; i++) { t[i] = 0; for (int j = 0; j < m; j++) t[i] += A[i][j]; }
    for (int j = 0; j < m; j++) { y[j] = 0; for (int i = 0; i < n; i++) y[j] += B[i][j] * t[i]; } }`,
    ['reduction', 'reduction'],
  ],
  [
    'that divide by all of them',
    `void f(int n, int m, float A[n][m], float t[n], float y[m]) {
    for (int i = 0; i < n; i++) { t[i] = 0; for (int j = 0; j < m; j++) t[i] += A[i][j]; }
    for (int j = 0; j < m; j++) { y[j] = 0; for (int i = 0; i < n; i++) y[j] += A[i][j] * t[i]; y[j] = y[j] - t[0]; \
} }`,
    ['reduction', 'reduction'],
  ],
  [
    'some rows alone',
    `void f(int n, int m, float A[n][m], float t[n], float y[m]) {
    for (int i = 2; i < n - 1; i++) { t[i] = 0; for (int j = 1; j < m; j++) t[i] += A[i][j]; }
    for (int j = 1; j < m; j++) { y[j] = 0; for (int i = 2; i < n - 1; i++) y[j] += A[i][j] * t[i]; } }`,
    null,
  ],
]

const polybench: readonly Case[] = [
  [
    'gemm',
    `void gemm(int n, int m, int p, float alpha, float beta, float C[n][m], float A[n][p], float B[p][m]) {
    for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) C[i][j] *= beta;
      for (int k = 0; k < p; k++) for (int j = 0; j < m; j++) C[i][j] += alpha * A[i][k] * B[k][j]; } }`,
    ['contraction'],
  ],
  [
    '2mm',
    `void k2mm(int n, int m, int p, int q, float alpha, float beta, float tmp[n][m], float A[n][p], float B[p][m], \
float C[m][q], float D[n][q]) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { tmp[i][j] = 0.0f; for (int k = 0; k < p; ++k) \
tmp[i][j] += alpha * A[i][k] * B[k][j]; }
    for (int i = 0; i < n; i++) for (int j = 0; j < q; j++) { D[i][j] *= beta; for (int k = 0; k < m; ++k) D[i][j] \
+= tmp[i][k] * C[k][j]; } }`,
    ['contraction', 'contraction'],
  ],
  [
    '3mm',
    `void k3mm(int n, float A[n][n], float B[n][n], float C[n][n], float D[n][n], float E[n][n], float F[n][n], \
float G[n][n]) { int i, j, k;
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) { E[i][j] = 0; for (k = 0; k < n; ++k) E[i][j] += A[i][k] * \
B[k][j]; }
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) { F[i][j] = 0; for (k = 0; k < n; ++k) F[i][j] += C[i][k] * \
D[k][j]; }
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) { G[i][j] = 0; for (k = 0; k < n; ++k) G[i][j] += E[i][k] * \
F[k][j]; } }`,
    ['contraction', 'contraction', 'contraction'],
  ],
  [
    'atax',
    `void atax(int m, int n, float A[m][n], float x[n], float y[n], float tmp[m]) { int i, j;
    for (i = 0; i < n; i++) y[i] = 0;
    for (i = 0; i < m; i++) { tmp[i] = 0.0f; for (j = 0; j < n; j++) tmp[i] = tmp[i] + A[i][j] * x[j];
      for (j = 0; j < n; j++) y[j] = y[j] + A[i][j] * tmp[i]; } }`,
    ['crossed'],
  ],
  [
    'bicg',
    `void bicg(int m, int n, float A[n][m], float s[m], float q[n], float p[m], float r[n]) { int i, j;
    for (i = 0; i < m; i++) s[i] = 0;
    for (i = 0; i < n; i++) { q[i] = 0.0f; for (j = 0; j < m; j++) { s[j] = s[j] + r[i] * A[i][j]; q[i] = q[i] + \
A[i][j] * p[j]; } } }`,
    ['reduction', 'reduction'],
  ],
  [
    'mvt',
    `void mvt(int n, float x1[n], float x2[n], float y1[n], float y2[n], float A[n][n]) { int i, j;
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) x1[i] = x1[i] + A[i][j] * y1[j];
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) x2[i] = x2[i] + A[j][i] * y2[j]; }`,
    ['reduction', 'reduction'],
  ],
  [
    'gesummv',
    `void gesummv(int n, float alpha, float beta, float A[n][n], float B[n][n], float tmp[n], float x[n], float \
y[n]) { int i, j;
    for (i = 0; i < n; i++) { tmp[i] = 0; y[i] = 0;
      for (j = 0; j < n; j++) { tmp[i] = A[i][j] * x[j] + tmp[i]; y[i] = B[i][j] * x[j] + y[i]; }
      y[i] = alpha * tmp[i] + beta * y[i]; } }`,
    ['rows'],
  ],
  [
    'sums of rows that need each other',
    `void f(int n, int m, float A[n][m], float x[m], float s[n], float q[n], float d[n]) { int i, j;
    for (i = 0; i < n; i++) { s[i] = 0; for (j = 0; j < m; j++) s[i] += A[i][j];
      q[i] = 0; for (j = 0; j < m; j++) q[i] += A[i][j] * A[i][j]; q[i] = q[i] - s[i] * s[i];
      d[i] = 0; for (j = 0; j < m; j++) d[i] += A[i][j] * x[j]; d[i] = (d[i] - s[i]) / (1.0f + q[i] * q[i]); } }`,
    ['rows'],
  ],
  [
    'sums of rows, stored from the end',
    `void f(int n, int m, float A[n][m], float s[n], float q[n]) { int i, j;
    for (i = 0; i < n; i++) { s[i] = 0; for (j = 0; j < m; j++) s[i] += A[i][j]; }
    for (i = 0; i < n; i++) { q[n - 1 - i] = 0; for (j = 0; j < m; j++) q[n - 1 - i] += A[i][j] * A[i][j]; q[n - 1 \
- i] = q[n - 1 - i] - s[i]; } }`,
    null,
  ],
  [
    'a sum of rows that needs another row',
    `void f(int n, int m, float A[n][m], float s[n], float q[n]) { int i, j;
    for (i = 0; i < n; i++) { s[i] = 0; for (j = 0; j < m; j++) s[i] += A[i][j]; }
    for (i = 0; i < n; i++) { q[i] = 0; for (j = 0; j < m; j++) q[i] += A[i][j] * A[i][j]; q[i] = q[i] - s[n - 1 - \
i]; } }`,
    ['sums', 'elementwise'],
  ],
  [
    'a sum of rows with the sums of others inside',
    `void f(int n, float A[n][n], float s[n], float q[n]) { int i, j;
    for (i = 0; i < n; i++) { s[i] = 0; for (j = 0; j < n; j++) s[i] += A[i][j]; }
    for (i = 0; i < n; i++) { q[i] = 0; for (j = 0; j < n; j++) q[i] += A[i][j] * s[j]; q[i] = q[i] - s[i]; } }`,
    ['reduction', 'reduction'],
  ],
  [
    'gemver',
    `void gemver(int n, float alpha, float beta, float A[n][n], float u1[n], float v1[n], float u2[n], float v2[n], \
float w[n], float x[n], float y[n], float z[n]) { int i, j;
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) x[i] = x[i] + beta * A[j][i] * y[j];
    for (i = 0; i < n; i++) x[i] = x[i] + z[i];
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) w[i] = w[i] + alpha * A[i][j] * x[j]; }`,
    ['elementwise', 'reduction', 'elementwise', 'reduction'],
  ],
  [
    'syrk',
    `void syrk(int n, int m, float alpha, float beta, float C[n][n], float A[n][m]) { int i, j, k;
    for (i = 0; i < n; i++) { for (j = 0; j <= i; j++) C[i][j] *= beta;
      for (k = 0; k < m; k++) for (j = 0; j <= i; j++) C[i][j] += alpha * A[i][k] * A[j][k]; } }`,
    ['contraction'],
  ],
  [
    'syr2k',
    `void syr2k(int n, int m, float alpha, float beta, float C[n][n], float A[n][m], float B[n][m]) { int i, j, k;
    for (i = 0; i < n; i++) { for (j = 0; j <= i; j++) C[i][j] *= beta;
      for (k = 0; k < m; k++) for (j = 0; j <= i; j++) C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * \
A[i][k]; } }`,
    ['contraction', 'contraction'],
  ],
  [
    'doitgen',
    `void doitgen(int r, int q, int p, float A[r][q][p], float C4[p][p], float sum[p]) { int a, b, c, s;
    for (a = 0; a < r; a++) for (b = 0; b < q; b++) { for (c = 0; c < p; c++) { sum[c] = 0.0f; for (s = 0; s < p; \
s++) sum[c] += A[a][b][s] * C4[s][c]; }
      for (c = 0; c < p; c++) A[a][b][c] = sum[c]; } }`,
    ['contraction', 'elementwise', 'elementwise'],
  ],
  [
    'covariance',
    `void covariance(int m, int n, float fn, float data[n][m], float cov[m][m], float mean[m]) { int i, j, k;
    for (j = 0; j < m; j++) { mean[j] = 0.0f; for (i = 0; i < n; i++) mean[j] += data[i][j]; mean[j] /= fn; }
    for (i = 0; i < n; i++) for (j = 0; j < m; j++) data[i][j] -= mean[j];
    for (i = 0; i < m; i++) for (j = i; j < m; j++) { cov[i][j] = 0.0f; for (k = 0; k < n; k++) cov[i][j] += \
data[k][i] * data[k][j]; cov[i][j] /= (fn - 1.0f); cov[j][i] = cov[i][j]; } }`,
    ['reduction', 'elementwise', 'contraction', 'elementwise'],
  ],
  [
    'jacobi-1d',
    `void jacobi1d(int t, int n, float A[n], float B[n]) { int s, i;
    for (s = 0; s < t; s++) { for (i = 1; i < n - 1; i++) B[i] = 0.33333f * (A[i-1] + A[i] + A[i + 1]); for (i = 1; \
i < n - 1; i++) A[i] = 0.33333f * (B[i-1] + B[i] + B[i + 1]); } }`,
    ['time-tiles'],
  ],
  [
    'trmm',
    `void trmm(int m, int n, float alpha, float A[m][m], float B[m][n]) { int i, j, k;
    for (i = 0; i < m; i++) for (j = 0; j < n; j++) { for (k = i + 1; k < m; k++) B[i][j] += A[k][i] * B[k][j]; \
B[i][j] = alpha * B[i][j]; } }`,
    ['elementwise', 'contraction'],
  ],
  [
    'symm',
    `void symm(int m, int n, float alpha, float beta, float C[m][n], float A[m][m], float B[m][n]) { int i, j, k;
    for (i = 0; i < m; i++) for (j = 0; j < n; j++) { float t = 0; for (k = 0; k < i; k++) { C[k][j] += alpha * \
B[i][j] * A[i][k]; t += B[k][j] * A[i][k]; }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * t; } }`,
    ['contraction', 'contraction'],
  ],
  [
    'lu',
    `void lu(int n, float A[n][n]) { int i, j, k;
    for (i = 0; i < n; i++) { for (j = 0; j < i; j++) { for (k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j]; \
A[i][j] /= A[j][j] + 2.0f * n; }
      for (j = i; j < n; j++) for (k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j]; } }`,
    ['one-block', 'per-iteration', 'per-iteration', 'contraction', 'contraction'],
  ],
  [
    'cholesky',
    `#include <math.h>\nvoid cholesky(int n, float A[n][n]) { int i, j, k;
    for (i = 0; i < n; i++) { for (j = 0; j < i; j++) { for (k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k]; \
A[i][j] /= A[j][j]; }
      for (k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k]; A[i][i] = sqrtf(A[i][i] * A[i][i] + n); } }`,
    ['one-block', 'per-iteration', 'contraction', 'stencil'],
  ],
  [
    'floyd-warshall',
    `void floyd(int n, int d[n][n]) { int i, j, k;
    for (k = 0; k < n; k++) for (i = 0; i < n; i++) for (j = 0; j < n; j++) d[i][j] = d[i][j] < d[i][k] + d[k][j] ? \
d[i][j] : d[i][k] + d[k][j]; }`,
    [
      'one-block',
      'per-iteration',
      'one-block',
      'per-iteration',
      'one-block',
      'contraction',
      'per-point',
      'per-point',
      'per-point',
      'per-iteration',
      'contraction',
      'per-point',
      'per-iteration',
      'contraction',
      'per-point',
      'contraction',
    ],
  ],
  [
    'seidel-2d',
    `void seidel(int t, int n, float A[n][n]) { int s, i, j;
    for (s = 0; s < t; s++) for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++)
      A[i][j] = (A[i-1][j-1] + A[i-1][j] + A[i-1][j+1] + A[i][j-1] + A[i][j] + A[i][j+1] + A[i+1][j-1] + A[i+1][j] \
+ A[i+1][j+1]) / 9.0f; }`,
    ['wave-tiles'],
  ],
  [
    'trisolv',
    `void trisolv(int n, float L[n][n], float x[n], float b[n]) { int i, j;
    for (i = 0; i < n; i++) { x[i] = b[i]; for (j = 0; j < i; j++) x[i] -= 0.01f * L[i][j] * x[j]; x[i] = x[i] / \
(2.0f + L[i][i]); } }`,
    ['elementwise', 'one-block', 'stencil'],
  ],
]

describe('PolyBench', () => {
  test.each(someOf(polybench))('%s', async (_, source, sketches) => check(source, sketches, [13, 11, 9, 7]))
})

const accumulators: readonly Case[] = [
  [
    'twice a sum',
    'float f(int n, float x[n]) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return 2 * s; }',
    ['reduction'],
  ],
  [
    'mean',
    'float mean(int n, float x[n]) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s / n; }',
    ['reduction'],
  ],
  [
    'norm',
    '#include <math.h>\nfloat norm(int n, float x[n]) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * ' +
      'x[i]; return sqrtf(s); }',
    ['reduction'],
  ],
  [
    'variance by two sums',
    'float var(int n, float x[n]) { float s = 0, q = 0; for (int i = 0; i < n; i++) { s += x[i]; q += x[i] * ' +
      'x[i]; } return q / n + (s / n) * (s / n); }',
    ['sums', 'per-point'],
  ],
  [
    'variance after the mean',
    'float var(int n, float x[n]) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; float mean = s / n; ' +
      'float q = 0; for (int i = 0; i < n; i++) { float d = x[i] - mean; q += d * d; } return q / n; }',
    ['reduction', 'reduction'],
  ],
  [
    'several outputs',
    'void minmax(int n, float x[n], float lo[1], float hi[1]) { lo[0] = x[0]; hi[0] = x[0]; for (int i = 0; i ' +
      '< n; i++) { if (x[i] < lo[0]) lo[0] = x[i]; if (x[i] > hi[0]) hi[0] = x[i]; } }',
    ['sums'],
  ],
  [
    'sum and difference',
    'void both(int n, float x[n], float y[n], float s[n], float d[n]) { for (int i = 0; i < n; i++) { s[i] = ' +
      'x[i] + y[i]; d[i] = x[i] - y[i]; } }',
    ['maps'],
  ],
  [
    'a scalar computed before the loop',
    'void scale(int n, float a, float b, float x[n], float y[n]) { float c = a * b + 1.0f; for (int i = 0; i ' +
      '< n; i++) y[i] = c * x[i]; }',
    ['elementwise'],
  ],
  [
    'guarded sum',
    'float positive(int n, float x[n]) { float s = 0; for (int i = 0; i < n; i++) if (x[i] > 0) s += x[i]; return s; }',
    ['reduction'],
  ],
  [
    'guards on both sides',
    'void clip(int n, float x[n], float y[n]) { for (int i = 0; i < n; i++) if (x[i] > 0.5f) y[i] = 0.5f; ' +
      'else y[i] = x[i]; }',
    ['elementwise'],
  ],
  [
    'all and any',
    'void flags(int n, int x[n], int all[1], int any[1]) { int a = 1, o = 0; for (int i = 0; i < n; i++) { a ' +
      '= a && x[i] > -9; o = o || x[i] > 7; } all[0] = a; any[0] = o; }',
    ['sums'],
  ],
  [
    'argmax',
    'int argmax(int n, float x[n]) { float best = x[0]; int at = 0; for (int i = 1; i < n; i++) if (x[i] > ' +
      'best) { best = x[i]; at = i; } return at; }',
    ['argument'],
  ],
  [
    'histogram',
    'void histogram(int n, int m, int bin[m], unsigned x[n]) { for (int i = 0; i < n; i++) bin[x[i] % 7] += 1; }',
    ['scatter'],
  ],
  [
    'bytes',
    'void invert(int n, unsigned char x[n], unsigned char y[n]) { for (int i = 0; i < n; i++) y[i] = 255 - x[i]; }',
    ['elementwise'],
  ],
  [
    'a narrow local wraps',
    'void wrap(int n, int x[n], int y[n]) { for (int i = 0; i < n; i++) { signed char t = x[i] * 100; y[i] = t; } }',
    ['elementwise'],
  ],
  [
    'doubles',
    'void axpy(int n, double a, double x[n], double y[n]) { for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i]; }',
    ['elementwise'],
  ],
  [
    'integers of 64 bits',
    'long sum(int n, long x[n]) { long s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }',
    ['reduction'],
  ],
  [
    'a triangular sum',
    'float f(int n, float A[n][n]) { float s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s ' +
      '+= A[i][j]; return s; }',
    ['reduction'],
  ],
  [
    'a sum of products of three',
    'float f(int n, int m, float A[n][m], float x[n], float y[m]) { float s = 0; for (int i = 0; i < n; i++) ' +
      'for (int j = 0; j < m; j++) s += x[i] * A[i][j] * y[j]; return s; }',
    ['reduction'],
  ],
  [
    'scalars before and after',
    'void f(int n, float a, float x[n], float out[2]) { float b = a * a; float s = 0; for (int i = 0; i < n; ' +
      'i++) s += b * x[i]; out[0] = s; out[1] = s * b; }',
    ['reduction', 'sequential'],
  ],
  [
    'gather',
    'void gather(int n, int m, int at[n], float x[m], float y[n]) { for (int i = 0; i < n; i++) y[i] = ' +
      'x[(at[i] + 8) % 9]; }',
    ['elementwise'],
  ],
]
describe('accumulators, several results, guards', () => {
  test.each(someOf(accumulators))('%s', async (_, source, sketches) => check(source, sketches, [45, 13]))
})

const rows: readonly Case[] = [
  [
    'softmax of rows',
    '#include <math.h>\nvoid softmax(int n, int m, float x[n][m], float y[n][m]) { for (int i = 0; i < n; ' +
      'i++) { float t = x[i][0]; for (int j = 0; j < m; j++) t = fmaxf(t, x[i][j]); float s = 0; for (int j = ' +
      '0; j < m; j++) s += expf(x[i][j] - t); for (int j = 0; j < m; j++) y[i][j] = expf(x[i][j] - t) / s; } }',
    ['rows'],
  ],
  [
    'rows minus their mean',
    'void centre(int n, int m, float x[n][m]) { for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j ' +
      '< m; j++) s += x[i][j]; s /= m; for (int j = 0; j < m; j++) x[i][j] -= s; } }',
    ['rows'],
  ],
  [
    'Horner in every element',
    'void horner(int n, float c[5], float x[n], float y[n]) { for (int i = 0; i < n; i++) { float s = 0; for ' +
      '(int k = 0; k < 5; k++) s = s * x[i] + c[k]; y[i] = s; } }',
    ['per-iteration'],
  ],
  [
    'scan in every row',
    'void scan(int n, int m, float x[n][m], float y[n][m]) { for (int i = 0; i < n; i++) { float s = 0; for ' +
      '(int j = 0; j < m; j++) { s += x[i][j]; y[i][j] = s; } } }',
    ['scan'],
  ],
  [
    'a small array in every iteration',
    'void sort3(int n, float x[n][3], float y[n]) { for (int i = 0; i < n; i++) { float t[3]; for (int k = 0; ' +
      'k < 3; k++) t[k] = x[i][2 - k]; y[i] = t[0] * t[1] + t[2]; } }',
    ['per-iteration'],
  ],
  [
    'sums of some rows, 0 for the others',
    'void some(int n, int m, float x[n][m], float v[m], float y[n]) { for (int i = 0; i < n; i++) { float s = ' +
      '0; for (int j = 0; j < m; j++) if (i < 9) s += x[i][j] * v[j]; y[i] = s; } }',
    null,
  ],
  [
    'sums that do not look at their row, of some',
    'void some(int n, int m, float v[m], float y[n]) { for (int i = 0; i < n; i++) { float s = 1; for (int j ' +
      '= 0; j < m; j++) if (i > 4) s += v[j] * v[j]; y[i] = s; } }',
    null,
  ],
  [
    'the greatest of some rows, −3 for the others',
    'void some(int n, int m, float x[n][m], float y[n]) { for (int i = 0; i < n; i++) { float s = -3; for ' +
      '(int j = 0; j < m; j++) if (i < 7) { if (x[i][j] > s) s = x[i][j]; } y[i] = s; } }',
    null,
  ],
  [
    'a product with some rows',
    'void some(int n, float A[n][n], float B[n][n], float C[n][n]) { for (int i = 0; i < n; i++) for (int j = ' +
      '0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) if (j < 11) s += A[i][k] * B[k][j]; C[i][j] = s; } }',
    null,
  ],
  [
    'every second row, backwards',
    'void some(int n, int m, float x[n][m], float y[n][m]) { for (int i = n - 1; i >= 0; i -= 2) { float s = ' +
      '0; for (int j = 0; j < m; j++) { s = s * 0.5f + x[i][j]; y[i][j] = s; } } }',
    ['per-iteration'],
  ],
]
describe('rows', () => {
  test.each(someOf(rows))('%s', async (_, source, sketches) => check(source, sketches, [21, 13]))
})

const multiplied: readonly Case[] = [
  [
    'all elements of a flat matrix',
    'void scaled(int n, int m, const float *a, float *b) { for (int i = 0; i < n * m; i++) b[i] = 2.0f * a[i]; }',
    ['elementwise'],
  ],
  [
    'a sum over three sizes',
    'float total(int n, int m, int c, const float *x) { float s = 0; for (int i = 0; i < n * m * c; i++) s += ' +
      'x[i]; return s; }',
    ['reduction'],
  ],
  [
    'rows of a matrix of images',
    'void means(int n, int h, int w, float x[n][h * w], float y[n]) { for (int i = 0; i < n; i++) { float s = ' +
      '0; for (int p = 0; p < h * w; p++) s += x[i][p]; y[i] = s / (h * w); } }',
    ['reduction'],
  ],
  [
    'a border',
    'void inner(int h, int w, const float *x, float *y) { for (int i = w; i < (h - 1) * w; i++) y[i] = x[i - ' +
      'w] + x[i + w] - 2 * x[i]; }',
    null,
  ],
  [
    'steps in time over a flat grid',
    'void steps(int t, int h, int w, float *x, float *y) { for (int s = 0; s < t; s++) { for (int i = 0; i < ' +
      'h * w; i++) y[i] = 0.5f * x[i]; for (int i = 0; i < h * w; i++) x[i] = y[i] + 1; } }',
    null,
  ],
]
/** What carries the names that sketches give to their own loops and arrays. */
const named: readonly Case[] = [
  [
    'a scan',
    'void f(int n, float x_own[n], float total[n], float part[n]) { float s = 0; for (int uu = 0; uu < n; ' +
      'uu++) { s += x_own[uu] * part[uu]; total[uu] = s; } }',
    ['scan'],
  ],
  [
    'scans of rows',
    'void f(int n, int step, float before[n][step], float earlier[n][step], float carry[n]) { for (int run = ' +
      '0; run < n; run++) { float s = carry[run]; for (int vv = 0; vv < step; vv++) { s += before[run][vv]; ' +
      'earlier[run][vv] = s; } } }',
    ['scan'],
  ],
  [
    'a histogram',
    'void f(int n, const int x_own0[n], int sum[64]) { for (int deal = 0; deal < n; deal++) sum[x_own0[deal] ' +
      '& 63] += 1; }',
    ['scatter'],
  ],
  [
    'a place',
    'void f(int n, const float best_own[n], int place_all[1]) { float b = best_own[0]; int at = 0; for (int ' +
      'thread_s = 1; thread_s < n; thread_s++) if (best_own[thread_s] > b) { b = best_own[thread_s]; at = ' +
      'thread_s; } place_all[0] = at; }',
    null,
  ],
  [
    'sums of rows',
    'void f(int n, int m, const float partial[n][m], float acc[n], const float part[m]) { for (int vv = 0; vv ' +
      '< n; vv++) { acc[vv] = 0; for (int step = 0; step < m; step++) acc[vv] += partial[vv][step] * part[step]; } }',
    ['reduction'],
  ],
  [
    'a product',
    'void f(int n, int pi, int k, const float acc[n][k], const float a_tile[k][pi], float acc_tile[n][pi]) { ' +
      'for (int warp_i = 0; warp_i < n; warp_i++) for (int lane_j = 0; lane_j < pi; lane_j++) { float s = 0; ' +
      'for (int vi = 0; vi < k; vi++) s += acc[warp_i][vi] * a_tile[vi][lane_j]; acc_tile[warp_i][lane_j] = s; } }',
    ['contraction'],
  ],
  [
    'a transpose',
    'void f(int n, int m, const float tile[n][m], float out[m][n]) { for (int pass = 0; pass < n; pass++) for ' +
      '(int vj = 0; vj < m; vj++) out[vj][pass] = tile[pass][vj]; }',
    ['transpose'],
  ],
  [
    'a stencil',
    'void f(int pi, int run, const float step[pi][run], float out[pi][run]) { for (int pass = 1; pass < pi - ' +
      '1; pass++) for (int vj = 1; vj < run - 1; vj++) out[pass][vj] = step[pass - 1][vj] + step[pass + 1][vj]; }',
    ['stencil'],
  ],
]
describe('names of schedules in the source', () => {
  test.each(someOf(named))('%s', async (_, source, sketches) => check(source, sketches, [71, 37, 23]))
})

/** Iterations that share only sums, or that have many statements. */
const apart: readonly Case[] = [
  [
    'a sum of what a loop counts that data end',
    'int f(int n, const unsigned a[n]) { int d = 0; for (int i = 0; i < n; i++) { unsigned v = a[i]; while ' +
      '(v) { v &= v - 1; d++; } } return d; }',
    ['elementwise', 'per-iteration', 'reduction'],
  ],
  [
    'forces and an energy under a cutoff',
    `float f(int n, const float p[n], float force[n]) { float e = 0; for (int i = 0; i < n; i++) { float s = 0; for \
(int j = 0; j < n; j++) { if (i == j) continue;
    float d = p[i] - p[j]; if (d * d > 0.5f) continue; s += d; e += d * d; } force[i] = s; } return e; }`,
    ['reduction', 'pairs'],
  ],
  [
    'a greatest and a sum',
    `void f(int n, int best[1], int total[1]) { int b = 0, t = 0; for (int i = 1; i < n; i++) { int x = i, k ` +
      `= 0; while (x != 1) { x = x % 2 ? 3 * x + 1 : x / 2; k++; } if (k > b) b = k; t += k; } best[0] = b; ` +
      `total[0] = t; }`,
    null,
  ],
  [
    'a hash',
    'void f(int n, const unsigned x[n], unsigned y[n]) { for (int i = 0; i < n; i++) { unsigned h = x[i]; h ' +
      '^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16; y[i] = h; } }',
    ['elementwise'],
  ],
  [
    'a spiral: products of a size and what changes',
    `void f(int n, int out[n][n]) { int v = 0, top = 0, left = 0, bot = n - 1, right = n - 1; while (top <= bot && \
left <= right) {
    for (int j = left; j <= right; j++) out[top][j] = v++; top++; for (int i = top; i <= bot; i++) out[i][right] = \
v++; right--;
    for (int j = right; j >= left && top <= bot; j--) out[bot][j] = v++; bot--; for (int i = bot; i >= top && left \
<= right; i--) out[i][left] = v++; left++; } }`,
    ['sequential'],
  ],
  [
    'rows of twice a size',
    'void f(int w, int h, float *out) { for (int y = 0; y < 2 * h; y++) for (int x = 0; x < 2 * w; x++) out[y ' +
      '* 2 * w + x] = x + y; }',
    ['elementwise'],
  ],
]
describe('iterations apart', () => {
  test.each(someOf(apart))('%s', async (_, source, sketches) => check(source, sketches, [37, 23, 11]))
})

describe('windows', () => {
  test.each(someOf(convolutions))('%s', async (_, source, sketches) => check(source, sketches, [2, 5, 6, 7, 9]))
})
describe('sums of columns that use sums of rows', () => {
  test.each(someOf(crossings))('%s', async (_, source, sketches) => {
    await check(source, sketches, [37, 30])
    await check(source, sketches, [5, 1100]) // fewer rows than a block has, more columns than it has threads for
    const p = await readC(source),
      a = analyse(p)
    for (const back of [1, 2]) {
      // rows in registers, and read again
      const points = a.parts.map(({ sketch: { ladder, forCuda } }) => {
        const { point } = ladder[ladder.length - back]!
        return forCuda?.(point) ?? point
      })
      // as CUDA has it
      for (const sizes of [
        [37, 30],
        [5, 1100],
        [64, 64],
      ])
        expect(verified(a, points, [sizesOf(p, sizes)], { warp: 32, exact: 'asked' }).why).toBeUndefined()
      if (sketches?.[0] === 'crossed')
        expect(
          build(a, points, { warp: 32, exact: 'asked' })
            .plan.variants.at(-1)!
            .launches.map((l) => l.kernel.name),
        ).toEqual(['f_partial', 'f_final'])
    }
  })
})
describe('one result of several loops', () => {
  test.each(someOf(sums))('%s', async (_, source, sketches) => check(source, sketches, [37, 23, 29]))
})

describe('sizes multiplied', () => {
  test.each(someOf(multiplied))('%s', async (_, source, sketches) => check(source, sketches, [7, 13, 5]))
})

test.each(
  someOf([
    [
      'a recurrence',
      'void f(int n, float x[n]) {\n for (int i = 1; i < n; i++)\n  x[i] = x[i] - x[i - 1] * x[i - 1]; }',
      "it is not a single assignment or reduction inside parallel loops; 'i' must run in order: 'x' is written in " +
        'line 3 and read in line 3 by a later iteration',
    ],
    [
      'a product of floats at places that data choose',
      'void f(int n, int at[n], float w[n], float h[40000]) {\n for (int i = 0; i < n; i++)\n  h[at[i] % 40000] ' +
        '*= w[i]; }',
      "it is not a single assignment or reduction inside parallel loops; iterations of 'i' reduce into the same " +
        "elements of 'h', and there are no atomic operations on floats",
    ],
    [
      'a loop that data ends',
      'void f(int n, int k[1], float x[n]) {\n for (int i = 1; i < k[0] - k[0] + n; i++)\n  x[i] = x[i - 1]; }',
      "it is not a single assignment or reduction inside parallel loops; how often 'i' runs depends on data",
    ],
  ]),
)('why %s is sequential', async (_, source, why) => {
  const [part] = analyse(await readC(source)).parts
  expect([part!.sketch.name, part!.nest.kind !== 'nest' && part!.nest.why]).toEqual(['sequential', why])
})

test('two sums of columns share their loops, whatever the length of a row', async () => {
  const loops = async (more: string): Promise<number> => {
    const a = analyse(
      await readC(
        `void f(int n, int m, int w, const float x[n][w], float s[m], float q[m]) { for (int j = 0; j < m; ` +
          `j++) { float t = 0, u = 0; for (int i = 0; i < n; i++) { t += x[i][j]; ${more} } s[j] = t; q[j] = u; } }`,
      ),
    )
    const { launches } = build(
      a,
      a.parts.map((p) => p.sketch.ladder.at(-1)!.point),
    ).plan.variants[0]!
    return allStatements(launches[0]!.kernel.body).filter((s) => s.kind === 'loop').length
  }
  const one = await loops('')
  expect(one).toBeGreaterThanOrEqual(2)
  expect(await loops('u += x[i][j] * x[i][j];')).toBe(one)
})
