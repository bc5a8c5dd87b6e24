// Which numbers of the caller make windows: sides, strides, dilations and pads that are said and small are constants of
// the program that is planned, on condition that they are these; all others stay sizes.
import { expect, test } from 'vitest'
import { conditionsOf, printExpr, type Program } from '../../src/ir/index.ts'
import { readC as read } from './read.ts'

const asked = (p: Program): readonly string[] => conditionsOf(p).map(printExpr)
const names = (p: Program): readonly string[] => p.sizes.map((s) => s.name)
const shapes = (p: Program): Record<string, string> =>
  Object.fromEntries(p.arrays.map((a) => [a.name, a.shape.map(printExpr).join(', ')]))

const convolution = `void f(int n, int l, int k, int s, int d, int pad, const float *x, const float *w, float *y) {
  int lo = (l + 2 * pad - d * (k - 1) - 1) / s + 1;
  for (int b = 0; b < n; b++)
    for (int i = 0; i < lo; i++) {
      float a = 0;
      for (int t = 0; t < k; t++) {
        int p = i * s + t * d - pad;
        if (p >= 0 && p < l) a += x[b * l + p] * w[t];
      }
      y[b * lo + i] = a;
    }
}`

test('a window that is said is constant, and any other one is read as before', async () => {
  const p = await read(`#pragma tesela sizes(n = 8, l = 4096, k = 5, s = 3, d = 2, pad = 4)\n${convolution}`)
  expect(asked(p)).toEqual(['k == 5', 's == 3', 'd == 2', 'pad == 4'])
  expect(shapes(p)).toEqual({ x: 'n, l', w: '5', y: 'n, (l - 1) / 3 + 1' })
  expect(names(p)).toEqual(names(p.otherwise!))
  expect(shapes(p.otherwise!)['w']).toBe('k')
})

test('of a window that is said in part the rest stays open', async () => {
  const p = await read(`#pragma tesela sizes(n = 8, l = 4096, k = 5)\n${convolution}`)
  expect(asked(p)).toContain('k == 5')
  expect(asked(p)).not.toContain('pad == 1')
})

test('windows that nothing says, and long ones, stay sizes', async () => {
  for (const sizes of ['n = 8', 'n = 8, l = 4096, k = 100, s = 1, d = 1, pad = 50'])
    expect(asked(await read(`#pragma tesela sizes(${sizes})\n${convolution}`)).join()).not.toMatch(/k ==|pad ==/)
})

test('a pad may be 0', async () => {
  const p = await read(`#pragma tesela sizes(n = 8, l = 4096, k = 3, s = 1, d = 1, pad = 0)\n${convolution}`)
  expect(asked(p)).toEqual(['l >= 1', 'k == 3', 's == 1', 'd == 1', 'pad == 0'])
})

test('few images, few columns of a matrix and short sums are no windows', async () => {
  const p = await read(`#pragma tesela sizes(n = 1024, m = 4, k = 8)
void f(int n, int m, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int t = 0; t < k; t++) s += a[i * k + t] * b[t * m + j];
      c[i * m + j] = s;
    }
}`)
  expect(asked(p)).toEqual([])
})

test('pools whose windows lie side by side are windows, wherever their loops begin', async () => {
  const p = await read(`#pragma tesela sizes(c = 64, h = 256, w = 256, k = 4)
void f(int c, int h, int w, int k, const float *x, float *y) {
  for (int b = 0; b < c; b++)
    for (int i = 0; i < h / k; i++)
      for (int j = 0; j < w / k; j++) {
        float s = 0;
        for (int p = i * k; p < i * k + k; p++) for (int q = j * k; q < (j + 1) * k; q++) s += x[(b * h + p) * w + q];
        y[(b * (h / k) + i) * (w / k) + j] = s / (k * k);
      }
}`)
  expect(asked(p)).toContain('k == 4')
})

test('channels are in groups of them, on condition that groups are whole', async () => {
  const p = await read(`#pragma tesela sizes(n = 8, c = 64, g = 8, l = 1024)
void f(int n, int c, int g, int l, const float *x, float *s) {
  int d = c / g;
  for (int t = 0; t < n * g; t++) s[t] = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c; k++)
      for (int p = 0; p < l; p++) s[i * g + k / d] += x[(i * c + k) * l + p] * (k % d + 1);
}`)
  expect(asked(p)).toEqual(['g >= 1', 'c % g == 0'])
  expect(shapes(p)).toEqual({ x: 'n, g, c / g, l', s: 'n, g' })
  expect(shapes(p.otherwise!)['x']).toBe('n, c, l')
})
