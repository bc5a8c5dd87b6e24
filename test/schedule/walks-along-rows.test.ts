// Rows that need nothing of each other, each in order: a thread walks along each, in strips where these pay.
import { expect, test } from 'vitest'
import { eachStmt, literal, someStmt } from '../../src/ir/index.ts'
import { analyse, type Analysed } from '../../src/pipeline.ts'
import { readC } from '../c/read.ts'

const partsOf = async (code: string): Promise<Analysed['parts']> => analyse(await readC(code)).parts

test('tridiagonal systems side by side are eliminated by a thread each, in no skewed boxes', async () => {
  const parts = await partsOf(
    `void f(int batch, int n, const float *a, const float *b, const float *c, const float *d, float *x, float *p) {
      for (int k = 0; k < batch; k++) { const float *A = a + k * n, *B = b + k * n, *C = c + k * n, *D = d + k * n;
        float *X = x + k * n, *P = p + k * n; P[0] = C[0] / B[0]; X[0] = D[0] / B[0];
        for (int i = 1; i < n; i++) { float m = 1.0f / (B[i] - A[i] * P[i - 1]); P[i] = C[i] * m;
          X[i] = (D[i] - A[i] * X[i - 1]) * m; }
        for (int i = n - 2; i >= 0; i--) X[i] -= P[i] * X[i + 1]; } }`,
  )
  expect(parts.flatMap(({ nest }) => (nest.kind === 'idiom' ? [nest.form.kind] : []))).not.toContain('wave-tiles')
  expect(parts.map(({ sketch }) => sketch.name).slice(-2)).toEqual(['per-iteration', 'recurrence'])
})

test('a table without rows that need nothing of each other is in skewed boxes still', async () => {
  const parts = await partsOf(
    `void f(int n, int m, const int *a, const int *b, int *t) {
      for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) { int s = a[i] == b[j] ? 0 : 1;
        int u = t[(i - 1) * m + j] + 1, l = t[i * m + j - 1] + 1, d = t[(i - 1) * m + j - 1] + s;
        int x = u < l ? u : l; t[i * m + j] = x < d ? x : d; } }`,
  )
  expect(parts.flatMap(({ nest }) => (nest.kind === 'idiom' ? [nest.form.kind] : []))).toContain('wave-tiles')
})

test('a filter whose coefficients are an array walks in strips, too', async () => {
  const [part] = await partsOf(
    `void f(int channels, int n, const float *b, const float *a, const float *x, float *y) {
      for (int c = 0; c < channels; c++) { float z1 = 0, z2 = 0;
        for (int i = 0; i < n; i++) { float in = x[c * n + i], o = in * b[0] + z1; z1 = in * b[1] + z2 - a[1] * o;
          z2 = in * b[2] - a[2] * o; y[c * n + i] = o; } } }`,
  )
  expect(part!.sketch.space.some((p) => 'columns' in p)).toBe(true) // it has a part
})

test('one thread asks for what several iterations read at once', async () => {
  const parts = await partsOf(
    `void f(int n, const float *x, float *y) { float s = 0, t = 1;
      for (int i = 0; i < n; i++) { s = x[i] - s * t; t = s * s - t; } y[0] = s; }`,
  )
  const [alone] = parts.filter(({ sketch }) => sketch.name === 'sequential')
  expect(alone!.sketch.space.map((p) => p['group'])).toEqual([16, undefined]) // one of them
})

test('loops that branch are written out a few times, since compilers walk along every path', async () => {
  const parts = await partsOf(
    `int f(int n, const float *x, float *y) { int k = 0; float last = 0;
      for (int i = 0; i < n; i++) if (x[i] * x[i] != last) { y[k++] = x[i]; last = x[i] * x[i]; } return k; }`,
  )
  const [alone] = parts.filter(({ sketch }) => sketch.name === 'sequential'),
    { kernels } = alone!.sketch.build({ threads: 1, group: 16 }) // one of them
  let branches = 0
  eachStmt(kernels[0]!.program.body, (s) => {
    if (s.kind === 'loop' && s.bind.kind === 'unroll' && someStmt(s.body, (x) => x.kind === 'if'))
      branches = literal(s.upper)!
  })
  expect(branches).toBe(4)
})
