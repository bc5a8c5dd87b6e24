// Strides, dilations, pads and windows that are parameters: what they are planned as, the shapes that arrays get at the
// planned steps and at others, and that counters are taken apart into all of their digits.
import { expect, test } from 'vitest'
import { printExpr, type Program } from '../../src/ir/index.ts'
import { readC as read } from './read.ts'

const shapes = (p: Program): Record<string, string> =>
  Object.fromEntries(p.arrays.map((a) => [a.name, a.shape.map(printExpr).join(', ')]))
const planned = (p: Program): Record<string, number> => Object.fromEntries(p.sizes.map((s) => [s.name, s.planned]))

const im2col = `void im2col(int c, int h, int w, int k, int stride, int pad, const float *im, float *col) {
  int oh = (h + 2 * pad - k) / stride + 1, ow = (w + 2 * pad - k) / stride + 1;
  for (int r = 0; r < c * k * k; r++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        int iy = y * stride + r / k % k - pad, ix = x * stride + r % k - pad;
        col[(r * oh + y) * ow + x] = iy < 0 || ix < 0 || iy >= h || ix >= w ? 0 : im[(r / k / k * h + iy) * w + ix];
      }
}`

test('an image has its rows at every stride, and columns all digits of their counter', async () => {
  const p = await read(im2col)
  expect(planned(p)).toMatchObject({ stride: 1, pad: 1, k: 3 })
  expect(shapes(p)).toEqual({ im: 'c, h, w', col: 'c, k, k, h + pad * 2 - k + 1, w + pad * 2 - k + 1' })
  expect(p.sizes.flatMap((s) => s.where ?? []).map(printExpr)).toEqual(['stride == 1'])
  expect(shapes(p.otherwise!)).toEqual({
    im: 'c, h, w',
    col: 'c, k, k, (h + pad * 2 - k) / stride + 1, (w + pad * 2 - k) / stride + 1',
  })
})

test('a step that is said is the one that kernels are made for', async () => {
  const p = await read(im2col, { defines: { stride: '2' } })
  expect(p.sizes.flatMap((s) => s.where ?? []).map(printExpr)).toEqual(['stride == 2'])
  expect(shapes(p)['im']).toBe('c, h, w')
})

test('a dilation is a step, a pitch is none', async () => {
  const dilated = await read(`void f(int n, int k, int d, const float *x, const float *w, float *y) {
    for (int t = 0; t < n; t++) {
      float s = 0;
      for (int j = 0; j < k; j++) if (t - j * d >= 0) s += w[j] * x[t - j * d];
      y[t] = s;
    }
  }`)
  expect(planned(dilated)).toMatchObject({ n: 1024, k: 1024, d: 1 })
  const pitched = await read(`void f(int n, int m, int ld, const float *x, float *y) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * ld + j] = x[i * ld + j];
  }`)
  expect(planned(pitched)).toMatchObject({ ld: 1024 })
})

test('of a convolution with a stride, a pad and a dilation each is known', async () => {
  const p =
    await read(`void f(int c, int h, int w, int k, int s, int pad, int d, const float *x, const float *f, float *y) {
    int oh = (h + 2 * pad - d * (k - 1) - 1) / s + 1, ow = (w + 2 * pad - d * (k - 1) - 1) / s + 1;
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        float t = 0;
        for (int o = 0; o < c; o++)
          for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++) {
              int u = i * s - pad + a * d, v = j * s - pad + b * d;
              if (u >= 0 && u < h && v >= 0 && v < w) t += x[(o * h + u) * w + v] * f[(o * k + a) * k + b];
            }
        y[i * ow + j] = t;
      }
  }`)
  expect(planned(p)).toMatchObject({ k: 3, s: 1, pad: 1, d: 1 })
  expect(shapes(p)).toMatchObject({ x: 'c, h, w', f: 'c, k, k' })
})

test('a product of extents that may be negative is no number of rows without a condition', async () => {
  const p = await read(
    `void f(int n, int k, int pad, const float *x, float *y) {
    int h = n - 2 * pad + k;
    for (int i = 0; i < h * h; i++) y[i] = 0;
    for (int i = 0; i < h; i++) for (int j = 0; j < h; j++) y[i * h + j] += x[j];
  }`,
    { defines: { n: '100', k: '3', pad: '1' } },
  )
  expect(p.sizes.flatMap((s) => s.where ?? []).map(printExpr)).toEqual(['n + k >= pad * 2'])
})

test('channels of a group are rows of it, on condition that groups are whole', async () => {
  const p = await read(`void f(int b, int c, int hw, int groups, const float *x, float *y) {
    int per = c / groups;
    for (int i = 0; i < b; i++)
      for (int g = 0; g < groups; g++) {
        float s = 0;
        for (int k = g * per; k < (g + 1) * per; k++) for (int p = 0; p < hw; p++) s += x[(i * c + k) * hw + p];
        for (int k = per * g; k < per * g + per; k++)
          for (int p = 0; p < hw; p++) y[(i * c + k) * hw + p] = x[(i * c + k) * hw + p] - s;
      } }`)
  expect(shapes(p)).toEqual({ x: 'b, groups, c / groups, hw', y: 'b, groups, c / groups, hw' })
  expect(p.sizes.flatMap((s) => s.where ?? []).map(printExpr)).toEqual(['groups >= 1', 'c % groups == 0'])
  expect(p.otherwise?.arrays.map((a) => a.shape.length)).toEqual([1, 1])
})
