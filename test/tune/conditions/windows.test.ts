// Windows whose sides, strides, dilations and pads the caller gives: kernels for the planned ones, others for the rest,
// each right at its own sizes, at sizes that leave nothing of a loop, and at 0 and 1.
import { expect, test } from 'vitest'
import { gpu } from '../../../src/gpus/index.ts'
import { chooseVariant } from '../../../src/ir/index.ts'
import { optimize, verifyPlan } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { isLong } from '../../support/long.ts'

type Sizes = Readonly<Record<string, number>>

/** A function with a window that is planned, sizes that have it, and some that do not. */
interface Case {
  readonly name: string
  readonly c: string
  readonly planned: readonly Sizes[]
  readonly others: readonly Sizes[]
}

const cases: readonly Case[] = [
  {
    name: 'a pool of windows between clipped bounds',
    c: `#pragma tesela sizes(c = 32, h = 64, w = 64, k = 3, s = 2, pad = 1)
void f(int c, int h, int w, int k, int s, int pad, const float *x, float *y) {
  int ho = (h + 2 * pad - k) / s + 1, wo = (w + 2 * pad - k) / s + 1;
  for (int n = 0; n < c; n++)
    for (int i = 0; i < ho; i++)
      for (int j = 0; j < wo; j++) {
        int top = i * s - pad, left = j * s - pad;
        int bottom = top + k < h ? top + k : h, right = left + k < w ? left + k : w;
        if (top < 0) top = 0;
        if (left < 0) left = 0;
        float m = -1e30f;
        for (int p = top; p < bottom; p++)
          for (int q = left; q < right; q++) if (x[(n * h + p) * w + q] > m) m = x[(n * h + p) * w + q];
        y[(n * ho + i) * wo + j] = m;
      }
}`,
    planned: [{ c: 5, h: 17, w: 18, k: 3, s: 2, pad: 1 }],
    others: [
      { c: 5, h: 17, w: 18, k: 2, s: 2, pad: 0 },
      { c: 3, h: 9, w: 8, k: 3, s: 1, pad: 1 },
    ],
  },
  {
    name: 'a dilated convolution with a pad',
    c: `#pragma tesela sizes(ci = 4, co = 8, h = 64, w = 64, k = 3, s = 1, pad = 1, dil = 2)
void f(int ci, int co, int h, int w, int k, int s, int pad, int dil, const float *x, const float *f, float *y) {
  int ho = (h + 2 * pad - dil * (k - 1) - 1) / s + 1, wo = (w + 2 * pad - dil * (k - 1) - 1) / s + 1;
  for (int o = 0; o < co; o++)
    for (int i = 0; i < ho; i++)
      for (int j = 0; j < wo; j++) {
        float a = 0;
        for (int c = 0; c < ci; c++)
          for (int u = 0; u < k; u++)
            for (int v = 0; v < k; v++) {
              int p = i * s + u * dil - pad, q = j * s + v * dil - pad;
              if (p >= 0 && p < h && q >= 0 && q < w) a += x[(c * h + p) * w + q] * f[((o * ci + c) * k + u) * k + v];
            }
        y[(o * ho + i) * wo + j] = a;
      }
}`,
    planned: [
      { ci: 3, co: 5, h: 17, w: 19, k: 3, s: 1, pad: 1, dil: 2 },
      { ci: 1, co: 1, h: 4, w: 3, k: 3, s: 1, pad: 1, dil: 2 },
    ],
    others: [
      { ci: 3, co: 5, h: 17, w: 19, k: 2, s: 3, pad: 0, dil: 1 },
      { ci: 2, co: 3, h: 9, w: 8, k: 3, s: 2, pad: 1, dil: 2 },
    ],
  },
  {
    name: 'a transposed convolution that scatters',
    c: `#pragma tesela sizes(ci = 4, co = 8, n = 512, k = 3, s = 2, pad = 1)
void f(int ci, int co, int n, int k, int s, int pad, const float *x, const float *f, float *y) {
  int lo = (n - 1) * s - 2 * pad + k;
  for (int t = 0; t < co * lo; t++) y[t] = 0;
  for (int c = 0; c < ci; c++)
    for (int o = 0; o < co; o++)
      for (int i = 0; i < n; i++)
        for (int u = 0; u < k; u++) {
          int p = i * s + u - pad;
          if (p >= 0 && p < lo) y[o * lo + p] += x[c * n + i] * f[(c * co + o) * k + u];
        }
}`,
    planned: [
      { ci: 3, co: 5, n: 23, k: 3, s: 2, pad: 1 },
      { ci: 1, co: 1, n: 2, k: 3, s: 2, pad: 1 },
    ],
    others: [
      { ci: 3, co: 5, n: 23, k: 4, s: 2, pad: 1 },
      { ci: 2, co: 3, n: 11, k: 3, s: 1, pad: 0 },
    ],
  },
]

// convolutions take most of the time
test.each(isLong ? cases : cases.slice(0, 1))('planned and others: $name', async ({ c, planned, others }) => {
  const program = await readC(c),
    { plan, cudaPlan, verified } = await optimize(program, {
      gpu: gpu('h200'),
      targets: ['wgsl', 'cuda'],
      budget: 1,
    })
  expect(verified.ok).toBe(true)
  for (const made of [plan, cudaPlan!]) {
    const isPlanned = (sizes: Sizes): boolean => made.variants.includes(chooseVariant(made, { sizes, scalars: {} }))
    expect([...planned.map(isPlanned), ...others.map(isPlanned)]).toEqual([
      ...planned.map(() => true),
      ...others.map(() => false),
    ])
    expect(verifyPlan(program, made, [...planned, ...others], gpu('h200'), 3)).toMatchObject({ ok: true })
  }
})

test('of rows and columns that are fewer than none nothing is stored, whatever their product is', async () => {
  const program = await readC(`#pragma tesela sizes(n = 8, h = 64, w = 64, k = 20, d = 2)
void f(int n, int h, int w, int k, int d, const float *x, float *y) {
  int ho = h - d * (k - 1), wo = w - d * (k - 1);
  for (int b = 0; b < n; b++)
    for (int i = 0; i < ho; i++)
      for (int j = 0; j < wo; j++) y[(b * ho + i) * wo + j] = 2 * x[(b * h + i) * w + j];
}`)
  const { plan, verified } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  expect(verified.sizes.some(({ h, w, k, d }) => h! > d! * (k! - 1) && w! > d! * (k! - 1))).toBe(true)
  const nothing = { n: 3, h: 5, w: 6, k: 9, d: 2 }
  expect(chooseVariant(plan, { sizes: nothing, scalars: {} }).launches).toEqual([])
  expect(verifyPlan(program, plan, [nothing, { ...nothing, k: 2 }], gpu('h200'), 3)).toMatchObject({ ok: true })
})
