// Loops in which several things are computed side by side, each of which is a form of its own: numbers that others are
// made of, packing whose counter is raised first, sums of several products.
import { describe, expect, test } from 'vitest'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { sketchNames } from '../support.ts'

describe('a number and what is made of it', () => {
  test.each([
    [
      'the largest fall',
      'float f(int n, const float *p) { float peak = p[0], dd = 0; for (int i = 1; i < n; i++) { if (p[i] > ' +
        'peak) peak = p[i]; float d = (peak - p[i]) / (4 + peak); if (d > dd) dd = d; } return dd; }',
      ['scan', 'reduction'],
    ],
    [
      'in two arms',
      'int f(int n, const int *p) { int lo = p[0], best = 0; for (int i = 1; i < n; i++) { if (p[i] < lo) lo ' +
        '= p[i]; else if (p[i] - lo > best) best = p[i] - lo; } return best; }',
      ['scan', 'reduction'],
    ],
    [
      'before it is made',
      'float f(int n, const float *x) { float s = 0, worst = 0; for (int i = 0; i < n; i++) { worst = ' +
        'fmaxf(worst, x[i] * s * s); s += x[i]; } return worst; }',
      ['scan', 'reduction'],
    ],
    [
      'a mean and a variance in one pass',
      'float f(int n, const float *x, float *mean) { float m = 0, v = 0; for (int i = 0; i < n; i++) { float ' +
        'd = x[i] - m; m += d / (i + 1); v += d * (x[i] - m); } *mean = m; return v / n; }',
      ['rows', 'reduction', 'reduction', 'sequential'],
    ],
    [
      'a mean that weights make, and a variance',
      'float f(int n, const float *x, const float *w) { float all = 0, m = 0, v = 0; for (int i = 0; i < n; ' +
        'i++) { all += w[i] * w[i] + 0.1f; float old = m; m = old + (w[i] * w[i] + 0.1f) / all * (x[i] - ' +
        'old); v += w[i] * w[i] * (x[i] - old) * (x[i] - m); } return v / all; }',
      ['scan', 'recurrence', 'reduction'],
    ],
  ])('%s', async (_, source, sketches) => rungsHold(`#pragma tesela sizes(n = 4194304)\n${source}`, sketches, [[1539]]))

  test('numbers that need each other stay in order', async () => {
    expect(
      sketchNames(
        await readC(
          'float f(int n, const float *x) { float a = 0, b = 1; for (int i = 0; i < n; i++) { a = a * b + ' +
            'x[i]; b = b * a - x[i]; } return a + b; }',
        ),
      ),
    ).toContain('sequential')
  })
})

test.each([
  [
    'raised first',
    'int f(int n, const float *x, float *y) { int k = -1; for (int i = 0; i < n; i++) if (x[i] > 0) y[++k] = ' +
      'x[i]; return k + 1; }',
    ['scan'],
  ],
  [
    'raised in a statement of its own',
    'int f(int n, const int *x, int *y) { int k = 0; for (int i = 0; i < n; i++) if (x[i] > 2) { ++k; y[k] = ' +
      'i; } return k; }',
    ['scan'],
  ],
  [
    'behind a first element',
    'int f(int n, const int *x, int *y) { int k = 0; y[0] = x[0]; for (int i = 1; i < n; i++) if (x[i] != x[i ' +
      '- 1]) y[++k] = x[i]; return k + 1; }',
    ['per-point', 'scan'],
  ],
])('packing: %s', async (_, source, sketches) => rungsHold(source, sketches, [[1539]]))

const sized = (source: string): string =>
  `#pragma tesela sizes(${/\bint m\b/.test(source) ? 'n = 512, m = 512' : 'n = 512'})\n${source}`
test.each([
  [
    'complex numbers in arrays',
    'void f(int n, float a[n][n], float b[n][n], float c[n][n], float d[n][n], float p[n][n], float q[n][n]) ' +
      '{ for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { float s = 0, t = 0; for (int k = 0; k < n; ' +
      'k++) { s += a[i][k] * c[k][j] - b[i][k] * d[k][j]; t += a[i][k] * d[k][j] + b[i][k] * c[k][j]; } ' +
      'p[i][j] = s; q[i][j] = t; } }',
    4,
  ],
  [
    'complex numbers in structures',
    'struct c { float re, im; }; void f(int n, const struct c *A, const struct c *B, struct c *C) { for (int ' +
      'i = 0; i < n; i++) for (int j = 0; j < n; j++) { float re = 0, im = 0; for (int k = 0; k < n; k++) { ' +
      'struct c a = A[i * n + k], b = B[k * n + j]; re += a.re * b.re - a.im * b.im; im += a.re * b.im + a.im ' +
      '* b.re; } C[i * n + j].re = re; C[i * n + j].im = im; } }',
    4,
  ],
  [
    'with more done to the sum',
    'void f(int n, int m, const float *w, const float *u, const float *x, const float *h, const float *b, ' +
      'float *y) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float s = b[j]; for (int k = 0; ' +
      'k < n; k++) s += w[j * n + k] * x[i * n + k] + u[j * n + k] * h[i * n + k]; y[i * n + j] = s > 0 ? s : 0; } }',
    2,
  ],
])('sums of several products: %s', async (_, source, products) => {
  const names = sketchNames(await readC(sized(source)))
  expect(names).toEqual(Array.from({ length: products }, () => 'contraction'))
})

test.each([
  [
    'a scatter',
    'void f(int n, int m, const int *p, const float *b, float *a) { for (int i = 0; i < n; i++) a[p[i]] = b[i]; }',
    ['elementwise', 'scatter', 'elementwise'],
  ],
  [
    'rows under a condition',
    'void f(int n, int m, const int *p, const int *ok, const float *b, float a[m][40]) { for (int i = 0; i < ' +
      'n; i++) if (ok[i] > 0) for (int j = 0; j < 40; j++) a[p[i]][j] = b[i * 40 + j]; }',
    ['elementwise', 'scatter', 'elementwise'],
  ],
  [
    'two arrays, the same elements',
    'void f(int n, int m, const int *p, const float *b, float a[m], int c[m]) { for (int i = 0; i < n; i++) { ' +
      'a[p[i]] = b[i]; c[p[i]] = i; } }',
    ['elementwise', 'scatter', 'maps'],
  ],
])('the last writer: %s', async (_, source, sketches) => rungsHold(sized(source), sketches, [[700, 90]]))

test.each([
  [
    'what is stored is read where it was stored',
    'void f(int n, int m, const int *p, float *a) { for (int i = 0; i < n; i++) a[p[i]] = a[i] + 1; }',
  ],
  [
    'two orders',
    'void f(int n, int m, const int *p, const float *b, float *a) { for (int i = 0; i < n; i++) for (int j = ' +
      '0; j < m; j++) a[p[i]] = b[j]; }',
  ],
])('no last writer: %s', async (_, source) => {
  expect(sketchNames(await readC(sized(source)))).not.toContain('scatter')
})

test.each([
  [
    'compressed rows',
    'void f(int n, int m, float A[n][m], int *row, int *col, float *val) { int k = 0; for (int i = 0; i < n; ' +
      'i++) { row[i] = k; for (int j = 0; j < m; j++) if (A[i][j] > 0.25f) { col[k] = j; val[k] = A[i][j]; ' +
      'k++; } } row[n] = k; }',
    ['reduction', 'scan', 'scan', 'per-point'],
  ],
  [
    'lists of neighbours',
    'void f(int n, const float *x, const float *y, int *start, int *list) { int c = 0; start[0] = 0; for (int ' +
      'i = 0; i < n; i++) { for (int j = 0; j < n; j++) { float dx = x[i] - x[j], dy = y[i] - y[j]; if (j != ' +
      'i && dx * dx + dy * dy < 0.5f) list[c++] = j; } start[i + 1] = c; } }',
    ['pairs', 'per-point', 'scan', 'scan'],
  ],
  [
    'places of an image',
    'int f(int n, int m, const int *img, int *px, int *py) { int k = 0; for (int y = 0; y < n; y++) for (int ' +
      'x = 0; x < m; x++) if (img[y * m + x] > 2) { px[k] = x; py[k] = y; k++; } return k; }',
    ['reduction', 'scan', 'scan'],
  ],
])('rows that pack: %s', async (_, source, sketches) => rungsHold(sized(source), sketches, [[70, 97, 9000, 9000]]))

test.each([
  [
    'the test asks how many there are',
    'int f(int n, int m, const float *a, int *o) { int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < ' +
      'm; j++) if (a[i * m + j] > k) o[k++] = j; return k; }',
  ],
  [
    'what is packed is tested',
    'int f(int n, int m, int *o) { int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if ' +
      '(o[j] > i) o[k++] = j; return k; }',
  ],
])('no rows that pack: %s', async (_, source) => {
  expect(sketchNames(await readC(sized(source)))).not.toContain('scan')
})
