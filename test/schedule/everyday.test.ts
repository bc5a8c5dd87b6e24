// Programs of every day that one thread, or a few, ran: integral images, rows as long as a quotient of sizes, arrays
// that are indexed by row here and by one number there. What they are taken apart into, and that both ends of all
// ladders compute it.
import { describe, expect, test } from 'vitest'
import { analyse } from '../../src/pipeline.ts'
import { readC } from '../c/read.ts'
import { sizesOf, verified } from './support.ts'
import { someOf } from '../support/long.ts'

type Case = readonly [name: string, text: string, sketches: readonly string[]]

async function check(
  source: string,
  sketches: readonly string[],
  sizes: readonly (readonly number[])[],
): Promise<void> {
  const p = await readC(source),
    a = analyse(p)
  expect(a.parts.map((x) => x.sketch.name)).toEqual(sketches)
  for (const rung of [0, 1, 99]) {
    const points = a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(rung, ladder.length - 1)]!.point)
    const v = verified(
      a,
      points,
      sizes.map((s) => sizesOf(p, s)),
    )
    expect({ rung, ok: v.ok, why: v.why }).toEqual({ rung, ok: true, why: undefined })
  }
}

const integrals: readonly Case[] = [
  [
    'two passes in place',
    'void f(int n, int m, int *s) { for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) s[i*m+j] += ' +
      's[i*m+j-1]; for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) s[i*m+j] += s[(i-1)*m+j]; }',
    ['scan', 'columns'],
  ],
  [
    'by the element before in both directions, borders of zeros',
    'void f(int h, int w, const unsigned char img[h][w], int s[h+1][w+1]) { for (int j = 0; j <= w; j++) ' +
      's[0][j] = 0; for (int i = 0; i <= h; i++) s[i][0] = 0; for (int i = 1; i <= h; i++) for (int j = 1; j ' +
      '<= w; j++) s[i][j] = img[i-1][j-1] + s[i-1][j] + s[i][j-1] - s[i-1][j-1]; }',
    ['elementwise', 'per-point', 'scan', 'columns'],
  ],
  [
    'in place, borders as they are',
    'void f(int h, int w, float s[h][w]) { for (int i = 1; i < h; i++) for (int j = 1; j < w; j++) s[i][j] += ' +
      's[i-1][j] + s[i][j-1] - s[i-1][j-1]; }',
    ['scan', 'columns'],
  ],
  [
    'from the last corner',
    'void f(int h, int w, float s[h][w]) { for (int i = h - 2; i >= 0; i--) for (int j = w - 2; j >= 0; j--) ' +
      's[i][j] += s[i+1][j] + s[i][j+1] - s[i+1][j+1]; }',
    ['scan', 'columns'],
  ],
  [
    'tests at the borders',
    'void f(int h, int w, const float *a, float *s) { for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) ' +
      '{ float v = a[i*w+j]; if (i > 0) v += s[(i-1)*w+j]; if (j > 0) v += s[i*w+j-1]; if (i > 0 && j > 0) v ' +
      '-= s[(i-1)*w+j-1]; s[i*w+j] = v; } }',
    ['scan', 'columns'],
  ],
  [
    'a helper at the borders',
    'static inline float at(const float *s, int w, int i, int j) { return i < 0 || j < 0 ? 0.0f : s[i*w+j]; } ' +
      'void f(int h, int w, const float *a, float *s) { for (int i = 0; i < h; i++) for (int j = 0; j < w; ' +
      'j++) s[i*w+j] = a[i*w+j] + at(s,w,i-1,j) + at(s,w,i,j-1) - at(s,w,i-1,j-1); }',
    ['scan', 'columns'],
  ],
  [
    'a running sum of the row',
    'void f(int h, int w, const float *a, float *s) { for (int i = 0; i < h; i++) { float r = 0; for (int j = ' +
      '0; j < w; j++) { r += a[i*w+j]; s[i*w+j] = r + (i > 0 ? s[(i-1)*w+j] : 0); } } }',
    ['scan', 'columns'],
  ],
  [
    'two running sums',
    'void f(int h, int w, const float a[h][w], float s[h+1][w+1], float q[h+1][w+1]) { for (int i = 0; i < h; ' +
      'i++) { float r = 0, t = 0; for (int j = 0; j < w; j++) { r += a[i][j]; t += a[i][j]*a[i][j]; ' +
      's[i+1][j+1] = s[i][j+1] + r; q[i+1][j+1] = q[i][j+1] + t; } } }',
    ['scan', 'scan', 'columns', 'columns'],
  ],
  [
    'the greatest above',
    'void f(int h, int w, int a[h][w]) { for (int i = 1; i < h; i++) for (int j = 2; j < w; j++) if (a[i - ' +
      '1][j] > a[i][j]) a[i][j] = a[i - 1][j]; }',
    ['columns'],
  ],
  [
    'columns, the sum before, and their totals',
    'void f(int h, int w, const float a[h][w], float s[h][w], float t[w]) { for (int j = 0; j < w; j++) { ' +
      'float c = 1; for (int i = 0; i < h; i++) { if (a[i][j] > 0) s[i][j] = c; c += a[i][j]; } t[j] = c; } }',
    ['columns'],
  ],
]
describe('integral images', () => {
  test.each(someOf(integrals))('%s', async (_, source, sketches) =>
    check(source, sketches, [
      [1, 1],
      [13, 77],
      [133, 34],
    ]))
})

const fractions: readonly Case[] = [
  [
    'the mean of four',
    'void f(int w, int h, const float *in, float *out) { for (int i = 0; i < h/2; i++) for (int j = 0; j < ' +
      'w/2; j++) out[i*(w/2)+j] = (in[2*i*w+2*j] + in[2*i*w+2*j+1] + in[(2*i+1)*w+2*j] + in[(2*i+1)*w+2*j+1]) ' +
      '* 0.25f; }',
    ['stencil'],
  ],
  [
    'two colours at half size',
    'void f(int w, int h, const unsigned char *rgb, unsigned char *u, unsigned char *v) { for (int y = 0; y < ' +
      'h/2; y++) for (int x = 0; x < w/2; x++) { int r = rgb[3*(2*y*w+2*x)], b = rgb[3*(2*y*w+2*x)+2]; ' +
      'u[y*(w/2)+x] = (r - b + 256) >> 1; v[y*(w/2)+x] = (r + b) >> 1; } }',
    ['maps'],
  ],
  [
    'a pyramid in local memory',
    'void f(int w, int h, const float *in, float *out) { int w2 = w/2, h2 = h/2; float *t = ' +
      'malloc(w2*h2*sizeof(float)); for (int i = 0; i < h2; i++) for (int j = 0; j < w2; j++) t[i*w2+j] = ' +
      'in[2*i*w+2*j] + in[2*i*w+2*j+1]; int w4 = w2/2, h4 = h2/2; for (int i = 0; i < h4; i++) for (int j = ' +
      '0; j < w4; j++) out[i*w4+j] = t[2*i*w2+2*j] + t[2*i*w2+2*j+1]; free(t); }',
    ['stencil'],
  ],
  [
    'a window in steps of two, channels before rows',
    'void f(int c, int h, int w, const float *in, float *out) { int oh = (h-3)/2+1, ow = (w-3)/2+1; for (int ' +
      'k = 0; k < c; k++) for (int i = 0; i < oh; i++) for (int j = 0; j < ow; j++) { float m = ' +
      'in[(k*h+2*i)*w+2*j]; for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) { float v = ' +
      'in[(k*h+2*i+a)*w+2*j+b]; if (v > m) m = v; } out[(k*oh+i)*ow+j] = m; } }',
    ['stencil'],
  ],
  [
    'a size divided by a size',
    'void f(int w, int h, int k, const float *in, float *out) { int ow = w/k, oh = h/k; for (int i = 0; i < ' +
      'oh; i++) for (int j = 0; j < ow; j++) { float s = 0; for (int a = 0; a < k; a++) for (int b = 0; b < ' +
      'k; b++) s += in[(i*k+a)*w + j*k+b]; out[i*ow+j] = s / (k*k); } }',
    ['per-point'],
  ],
]
describe('rows as long as a quotient', () => {
  test.each(someOf(fractions))('%s', async (_, source, sketches) =>
    check(source, sketches, [
      [9, 6, 3],
      [26, 33, 4],
    ]))
})

const flats: readonly Case[] = [
  [
    'cleared, then a product',
    'void f(int n, int m, const float *b, const float *c, float *a) { memset(a, 0, n*m*sizeof(float)); for ' +
      '(int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < n; k++) a[i*m+j] += ' +
      'b[i*n+k]*c[k*m+j]; }',
    ['contraction'],
  ],
  [
    'copied after each step',
    'void f(int n, int t, float *a, float *b) { for (int s = 0; s < t; s++) { for (int i = 1; i < n-1; i++) ' +
      'for (int j = 1; j < n-1; j++) b[i*n+j] = 0.25f*(a[(i-1)*n+j] + a[(i+1)*n+j] + a[i*n+j-1] + ' +
      'a[i*n+j+1]); memcpy(a, b, n*n*sizeof(float)); } }',
    ['time-tiles'],
  ],
  [
    'local memory of a product of sizes',
    'void f(int n, int m, const float *in, float *out) { float t[n*m]; for (int i = 0; i < n; i++) for (int j ' +
      '= 0; j < m; j++) t[i*m+j] = in[i*m+j] * 2; for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) ' +
      'out[i*m+j] = t[i*m+j] + t[i*m+j-1]; }',
    ['stencil'],
  ],
  [
    'a running sum by one number stays one',
    'void f(int n, int m, const float *x, float *a, float *y) { float s = 0; for (int k = 0; k < n*m; k++) { ' +
      's += x[k]; a[k] = s; } for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i*m+j] = 2 * a[i*m+j]; }',
    ['scan', 'elementwise'],
  ],
]
describe('by one number here, by rows there', () => {
  test.each(someOf(flats))('%s', async (_, source, sketches) =>
    check(source, sketches, [
      [5, 9],
      [33, 20],
    ]))
})

const chosen: readonly Case[] = [
  [
    'the best match, by tables of both lengths',
    'int f(int n, int m, const char *a, const char *b, int *L) { for (int i = 0; i <= n; i++) for (int j = 0; ' +
      'j <= m; j++) { if (i == 0 || j == 0) L[i*(m+1)+j] = 0; else if (a[i-1] == b[j-1]) L[i*(m+1)+j] = ' +
      'L[(i-1)*(m+1)+j-1] + 1; else L[i*(m+1)+j] = L[(i-1)*(m+1)+j] > L[i*(m+1)+j-1] ? L[(i-1)*(m+1)+j] : ' +
      'L[i*(m+1)+j-1]; } return L[n*(m+1)+m]; }',
    ['wave-tiles', 'per-point'],
  ],
  [
    'the place of the greatest of each row',
    'void f(int n, int m, const float *x, int *best) { for (int i = 0; i < n; i++) { int b = 0; for (int j = ' +
      '1; j < m; j++) if (x[i*m+j] > x[i*m+b]) b = j; best[i] = b; } }',
    ['argument'],
  ],
  [
    'the place of the least of each of several rows, from the end',
    'void f(int c, int h, int w, const int *x, int *best) { for (int k = 0; k < c; k++) for (int i = 0; i < ' +
      'h; i++) { int b = w - 1; for (int j = 0; j < w; j++) if (x[(k*h+i)*w+j] < x[(k*h+i)*w+b]) b = j; ' +
      'best[k*h+i] = b; } }',
    ['argument'],
  ],
  [
    'the nearest of many',
    '#pragma tesela sizes(n = 65536, d = 16, k = 32)\nvoid f(int n, int d, int k, const float *x, const float ' +
      '*c, int *label) { for (int i = 0; i < n; i++) { float best = 1e30f; int b = 0; for (int j = 0; j < k; ' +
      'j++) { float s = 0; for (int t = 0; t < d; t++) { float e = x[i*d+t] - c[j*d+t]; s += e*e; } if (s < ' +
      'best) { best = s; b = j; } } label[i] = b; } }',
    ['contraction', 'argument'],
  ],
  [
    'what is compared is stored, too',
    'void f(int n, int k, const float *s, int *label, float *t) { for (int i = 0; i < n; i++) { float best = ' +
      '1e30f; int b = 0; for (int j = 0; j < k; j++) { t[i*k+j] = 2*s[i*k+j]; if (t[i*k+j] < best) { best = ' +
      't[i*k+j]; b = j; } } label[i] = b; } }',
    ['elementwise', 'argument'],
  ],
  [
    'rows that a list says',
    'void f(int n, int m, const int rows[n], const float *table, float *out) { for (int i = 0; i < n; i++) ' +
      'for (int k = 0; k < m; k++) out[i*m+k] = 2 * table[rows[i]*m+k]; }',
    ['elementwise'],
  ],
  [
    'sums of classes, flat',
    '#pragma tesela sizes(n = 4096)\n void f(int n, int d, const int lab[n], const float *x, float sum[8 * ' +
      'd]) { for (int i = 0; i < n; i++) for (int q = 0; q < d; q++) sum[(lab[i] & 7)*d+q] += x[i*d+q]; }',
    ['reduction'],
  ],
]
describe('rows that data choose', () => {
  test.each(someOf(chosen))('%s', async (_, source, sketches) =>
    check(source, sketches, [
      [5, 9],
      [33, 20],
    ]))
})

/** With the same rounds in the source and on the device, whether they end early or not. */
const rounds: readonly (readonly [name: string, text: string, inside: readonly string[]])[] = [
  [
    'while the error is large, at most so often',
    'void f(int n, float *a, float *b, float eps, int maxit) { float err = 1; int it = 0; while (err > eps && ' +
      'it < maxit) { err = 0; for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) { b[i*n+j] = ' +
      '0.25f*(a[(i-1)*n+j]+a[(i+1)*n+j]+a[i*n+j-1]+a[i*n+j+1]); err = fmaxf(err, fabsf(b[i*n+j]-a[i*n+j])); } ' +
      'for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) a[i*n+j] = b[i*n+j]; it++; } }',
    ['sequential', 'stencil', 'reduction', 'per-point', 'elementwise'],
  ],
  [
    'conjugate gradients, with a break',
    'void f(int n, const float A[n][n], float *x, float *r, float *p, float *q, float tol, int maxit) { float ' +
      'rs = 0; for (int i = 0; i < n; i++) rs += r[i]*r[i]; for (int k = 0; k < maxit; k++) { float pq = 1; ' +
      'for (int i = 0; i < n; i++) { q[i] = 0; for (int j = 0; j < n; j++) q[i] += A[i][j]*p[j]; } for (int i ' +
      '= 0; i < n; i++) pq += p[i]*q[i]*p[i]*q[i]; float al = rs/pq; for (int i = 0; i < n; i++) { x[i] += ' +
      'al*p[i]; r[i] -= al*q[i]; } float rn = 0; for (int i = 0; i < n; i++) rn += r[i]*r[i]; if (sqrtf(rn) < ' +
      'tol) break; float be = rn/(rs + rn); rs = rn; for (int i = 0; i < n; i++) p[i] = r[i] + be*p[i]; } }',
    [
      'sequential',
      'reduction',
      'elementwise',
      'reduction',
      'sequential',
      'elementwise',
      'elementwise',
      'reduction',
      'sequential',
      'elementwise',
    ],
  ],
  [
    'as long as something changes',
    '#pragma tesela sizes(n = 100000)\n int f(int n, const int s[n], int d[n]) { int changed = 1, k; for (k = ' +
      '0; k < n && changed; k++) { changed = 0; for (int v = 0; v < n; v++) if (d[v] > s[v]) { d[v] -= 1; ' +
      'changed = 1; } } return k; }',
    ['sequential', 'reduction', 'per-point', 'elementwise'],
  ],
  [
    'rows of the largest element',
    'void f(int n, float *A, float *b) { for (int k = 0; k < n; k++) { int p = k; for (int i = k+1; i < n; ' +
      'i++) if (fabsf(A[i*n+k]) > fabsf(A[p*n+k])) p = i; for (int j = 0; j < n; j++) { float t = A[k*n+j]; ' +
      'A[k*n+j] = A[p*n+j]; A[p*n+j] = t; } for (int i = k+1; i < n; i++) { float m = A[i*n+k]/(2 + ' +
      'fabsf(A[k*n+k])); for (int j = k; j < n; j++) A[i*n+j] -= m*A[k*n+j]; b[i] -= m*b[k]; } } }',
    ['argument', 'per-iteration', 'elementwise', 'elementwise', 'elementwise'],
  ],
]
describe('rounds on the host', () => {
  test.each(someOf(rounds))('%s', async (_, source, inside) => {
    const p = await readC(source),
      a = analyse(p)
    const hosted = a.order.flatMap((s) =>
      typeof s === 'number' ? [] : s.body.map((n) => (typeof n === 'number' ? a.parts[n]!.sketch.name : 'loop')),
    )
    expect(hosted).toEqual(inside)
    const points = a.parts.map(({ sketch: { ladder } }) => ladder[ladder.length - 1]!.point)
    const v = verified(
      a,
      points,
      [
        [7, 4],
        [12, 2],
        [6, 9],
      ].map((s) => sizesOf(p, s)),
    )
    expect({ ok: v.ok, why: v.why }).toEqual({ ok: true, why: undefined })
  })
})

const steps: readonly Case[] = [
  [
    'a gated unit, every state kept',
    'void f(int T, int B, int I, int H, const float x[T][B][I], const float U[H][H], const float V[H][H], ' +
      'const float W[H][I], float h[T+1][B][H]) { for (int t = 0; t < T; t++) for (int b = 0; b < B; b++) for ' +
      '(int j = 0; j < H; j++) { float z = 0, n = 0; for (int k = 0; k < I; k++) n += W[j][k]*x[t][b][k]; for ' +
      '(int k = 0; k < H; k++) { z += U[j][k]*h[t][b][k]; n += V[j][k]*h[t][b][k]; } z = 1/(1 + expf(-z)); ' +
      'h[t+1][b][j] = (1-z)*tanhf(n) + z*h[t][b][j]; } }',
    ['contraction', 'contraction', 'contraction'],
  ],
  [
    'a product of the step before',
    'void f(int T, int B, int H, const float U[H][H], float h[T+1][B][H]) { for (int t = 0; t < T; t++) for ' +
      '(int b = 0; b < B; b++) for (int j = 0; j < H; j++) { float z = 0; for (int k = 0; k < H; k++) z += ' +
      'U[j][k]*h[t][b][k]; h[t+1][b][j] = z/(1 + fabsf(z)) + h[t][b][j]; } }',
    ['contraction'],
  ],
]
describe('what a step has stored is read by the next', () => {
  test.each(someOf(steps))('%s', async (_, source, sketches) =>
    check(
      source,
      sketches,
      [
        [2, 5, 9, 7],
        [3, 33, 20, 37],
      ].map((s) => (source.includes('int I') ? s : [s[0]!, s[1]!, s[3]!])),
    ))
})
