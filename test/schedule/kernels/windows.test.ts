// Windows whose borders are clamped, mirrored or wrapped, as people write them: the rows that their arrays get, and
// that all rungs of their ladders compute what the source says, also at sizes that no tile divides.
import { describe, expect, test } from 'vitest'
import { emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import { freshArrays, referenceOf } from '../../../src/tune/index.ts'
import { errorOf } from '../../emit/plans.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { printExpr, type Stmt } from '../../../src/ir/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { sizesOf, verified } from '../support.ts'

type Case = readonly [name: string, text: string, shapes: string, sketches: readonly string[]]

const rows = 'for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)'
const window = (r: number): string => `for (int i = -${r}; i <= ${r}; i++) for (int j = -${r}; j <= ${r}; j++)`
const whole = `void f(int h, int w, const float *in, float *out) { ${rows}`

const borders: readonly Case[] = [
  [
    'clamped by ifs',
    `${whole} { float s = 0; ${window(2)} { int yy = y + i, xx = x + j; if (yy < 0) yy = 0; if (yy >= h) yy = ` +
      `h - 1; if (xx < 0) xx = 0; if (xx >= w) xx = w - 1; s += in[yy*w+xx]; } out[y*w+x] = s / 25; } }`,
    'in[h][w] out[h][w]',
    ['stencil'],
  ],
  [
    'clamped by macros',
    `#define MIN(a,b) ((a)<(b)?(a):(b))\n#define MAX(a,b) ((a)>(b)?(a):(b))\n${whole} { float m = 0; ` +
      `${window(1)} m = fmaxf(m, in[MIN(MAX(y+i,0),h-1)*w+MIN(MAX(x+j,0),w-1)]); out[y*w+x] = m; } }`,
    'in[h][w] out[h][w]',
    ['stencil'],
  ],
  [
    'clamped by a helper that gives the pixel',
    `static float px(const float *p, int w, int h, int x, int y) { if (x < 0) x = 0; if (y < 0) y = 0; if (x ` +
      `>= w) x = w - 1; if (y >= h) y = h - 1; return p[y*w+x]; } ${whole} out[y*w+x] = px(in,w,h,x-1,y) + ` +
      `2*px(in,w,h,x,y+1) - px(in,w,h,x+1,y-1); }`,
    'in[h][w] out[h][w]',
    ['stencil'],
  ],
  [
    'mirrored, a variable in two loops',
    `void f(int h, int w, const float k[7], const float *in, float *t, float *out) { ${rows} { float s = 0; ` +
      `for (int i = -3; i <= 3; i++) { int p = x + i; if (p < 0) p = -p; if (p >= w) p = 2*w - p - 2; s += ` +
      `in[y*w+p] * k[i+3]; } t[y*w+x] = s; } ${rows} { float s = 0; for (int i = -3; i <= 3; i++) { int p = ` +
      `abs(y + i); if (p > h - 1) p = 2*h - 2 - p; s += t[p*w+x] * k[i+3]; } out[y*w+x] = s; } }`,
    'k[7] in[h][w] t[h][w] out[h][w]',
    ['stencil', 'stencil'],
  ],
  [
    'wrapped by remainders',
    `void f(int h, int w, const int *in, int *out) { ${rows} { int c = 0; ${window(1)} c += ` +
      `in[((y+i+h)%h)*w+(x+j+w)%w]; out[y*w+x] = c; } }`,
    'in[h][w] out[h][w]',
    ['stencil'],
  ],
  [
    'wrapped by choices',
    `void f(int h, int w, const int *in, int *out) { ${rows} { int u = y == 0 ? h-1 : y-1, d = y == h-1 ? 0 : ` +
      `y+1, l = x == 0 ? w-1 : x-1, r = x == w-1 ? 0 : x+1; out[y*w+x] = in[u*w+x] + in[d*w+x] + in[y*w+l] + ` +
      `in[y*w+r]; } }`,
    'in[h][w] out[h][w]',
    ['stencil'],
  ],
  [
    'colours',
    `static int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; } void f(int h, int w, ` +
      `const unsigned char *in, unsigned char *out) { ${rows} for (int c = 0; c < 3; c++) { int s = 0; ` +
      `${window(1)} s += in[(clamp(y+i,0,h-1)*w+clamp(x+j,0,w-1))*3+c]; out[(y*w+x)*3+c] = s / 9; } }`,
    'in[h][w][3] out[h][w * 3]',
    ['stencil'],
  ],
  [
    'several rows, a radius of the caller',
    `#pragma tesela sizes(h = 1024, w = 1024, r = 4)\nvoid f(int h, int w, int r, const float *k, const float ` +
      `*in, float *t, float *out) { ${rows} { float s = 0; for (int d = -r; d <= r; d++) { int p = x + d; if ` +
      `(p < 0) p = 0; if (p >= w) p = w - 1; s += k[d+r] * in[y*w+p]; } t[y*w+x] = s; } ${rows} { float s = ` +
      `0; for (int d = -r; d <= r; d++) { int p = y + d < 0 ? 0 : y + d > h-1 ? h-1 : y + d; s += k[d+r] * ` +
      `t[p*w+x]; } out[y*w+x] = s; } }`,
    'k[r * 2 + 1] in[h][w] t[h][w] out[h][w]',
    ['sliding', 'sliding'],
  ],
  [
    'one row, a radius of the caller',
    '#pragma tesela sizes(n = 1048576, r = 5)\nvoid f(int n, int r, const float *x, float *y) { for (int i = ' +
      '0; i < n; i++) { float s = 0; for (int j = i - r; j <= i + r; j++) { int k = j; if (k < 0) k = 0; else ' +
      'if (k >= n) k = n - 1; s += x[k]; } y[i] = s / (2*r+1); } }',
    'x[n] y[n]',
    ['sliding'],
  ],
]
describe('borders', () => {
  test.each(borders)('%s', async (_, source, shapes, sketches) => {
    const p = await readC(source),
      a = analyse(p)
    expect(p.arrays.map((x) => `${x.name}[${x.shape.map(printExpr).join('][')}]`).join(' ')).toBe(shapes)
    expect(a.parts.map((x) => x.sketch.name)).toEqual(sketches)
    for (const rung of [0, 2, 99]) {
      const points = a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(rung, ladder.length - 1)]!.point)
      const v = verified(
        a,
        points,
        [
          [4, 4],
          [19, 37],
          [66, 33],
        ].map((s) => sizesOf(p, s)),
      )
      expect({ rung, ok: v.ok, why: v.why }).toEqual({ rung, ok: true, why: undefined })
    }
  })
})

const filters: readonly Case[] = [
  [
    'a filter',
    '#pragma tesela sizes(n = 1048576, k = 64)\nvoid f(int n, int k, const float *x, const float *h, float ' +
      '*y) { for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < k; j++) s += h[j] * x[i+j]; y[i] = s; } }',
    'x[k + n - 1] h[k] y[n]',
    ['sliding'],
  ],
  [
    'backwards in time',
    '#pragma tesela sizes(n = 1048576, k = 64)\nvoid f(int n, int k, const float *x, const float *h, float ' +
      '*y) { for (int i = k - 1; i < n; i++) { float s = 1; for (int j = 0; j < k; j++) s += h[j] * x[i-j]; ' +
      'y[i] = 2 * s; } }',
    'x[n] h[k] y[n]',
    ['sliding'],
  ],
  [
    'the greatest of the next',
    '#pragma tesela sizes(n = 1048576, k = 7)\nvoid f(int n, int k, const int *x, int *y) { for (int i = 0; i ' +
      '< n; i++) { int m = x[i]; for (int j = i; j < i + k; j++) if (x[j] > m) m = x[j]; y[i] = m; } }',
    'x[max(n, k + n - 1)] y[n]',
    ['sliding'],
  ],
  [
    'down columns',
    '#pragma tesela sizes(n = 4096, k = 64, m = 512)\nvoid f(int n, int k, int m, const float *x, const float ' +
      '*h, float *y) { for (int i = 0; i < n; i++) for (int c = 0; c < m; c++) { float s = 0; for (int j = 0; ' +
      'j < k; j++) s += h[j] * x[(i+j)*m+c]; y[i*m+c] = s; } }',
    'x[k + n - 1][m] h[k] y[n][m]',
    ['sliding'],
  ],
]
describe('windows of any length', () => {
  test.each(filters)('%s', async (_, source, shapes, sketches) => {
    const p = await readC(source),
      a = analyse(p)
    expect(p.arrays.map((x) => `${x.name}[${x.shape.map(printExpr).join('][')}]`).join(' ')).toBe(shapes)
    expect(a.parts.map((x) => x.sketch.name)).toEqual(sketches)
    const { ladder, space } = a.parts[0]!.sketch
    for (const point of [...ladder.map((r) => r.point), space.at(-1)!, space[Math.floor(space.length / 2)]!]) {
      const v = verified(
        a,
        [point],
        [
          [300, 5, 7],
          [1000, 33, 3],
          [70, 64, 40],
          [2000, 150, 2],
        ].map((s) => sizesOf(p, s)),
      )
      expect({ point, ok: v.ok, why: v.why }).toEqual({ point, ok: true, why: undefined })
    }
  })
})

const lags: readonly (readonly [name: string, text: string])[] = [
  [
    'with itself',
    '#pragma tesela sizes(n = 1048576, lags = 64)\nvoid f(int n, int lags, const float *x, float *r) { for ' +
      '(int l = 0; l < lags; l++) { float s = 0; for (int i = 0; i < n - l; i++) s += x[i] * x[i+l]; r[l] = s / n; } }',
  ],
  [
    'with another, of one length',
    '#pragma tesela sizes(n = 1048576, lags = 64)\nvoid f(int n, int lags, const float *x, const float y[n + ' +
      'lags], float *r) { for (int l = 0; l < lags; l++) { float s = 0; for (int i = 0; i < n; i++) s += x[i] ' +
      '* y[i+l]; r[l] = s; } }',
  ],
  [
    'least differences',
    '#pragma tesela sizes(n = 1048576, lags = 40)\nvoid f(int n, int lags, const float *x, float *r) { for ' +
      '(int l = 0; l < lags; l++) { float s = 1e30f; for (int i = l; i < n; i++) { float d = fabsf(x[i] - ' +
      'x[i-l]); if (d < s) s = d; } r[l] = s; } }',
  ],
]
describe('sums at several lags', () => {
  test.each(lags)('%s', async (name, source) => {
    const p = await readC(source),
      a = analyse(p),
      { sketch } = a.parts[0]!
    expect([a.parts.length, sketch.name, sketch.space.some((x) => x['lags'] === 16)]).toEqual([
      1,
      'reduction',
      !name.startsWith('least'),
    ])
    for (const lag of sketch.space.some((x) => x['lags']) ? [1, 4, 16] : [1]) {
      const v = verified(
        a,
        [{ threads: 64, rows: 1, vector: 1, unroll: 2, blocks: 8, warp: 0, lags: lag }],
        [
          [33, 7],
          [1100, 19],
          [3000, 33],
        ].map((x) => sizesOf(p, x)),
      )
      expect({ lag, ok: v.ok, why: v.why }).toEqual({ lag, ok: true, why: undefined })
    }
  })
})

test('what data choose is asked for under the guard of its result', async () => {
  const p = await readC(
      `void f(int h, int w, const int rows[h], const float *in, float *out) { ${rows} { float s = 0; for (int ` +
        `j = 0; j < 3; j++) s += in[rows[y]*(w+2)+x+j]; out[y*w+x] = s; } }`,
    ),
    a = analyse(p)
  const v = verified(
    a,
    [{ tx: 32, ty: 4, points: 8, staged: 0, open: 1, fast: 1 }],
    [
      [5, 9],
      [19, 37],
    ].map((s) => sizesOf(p, s)),
  )
  expect({ sketch: a.parts[0]!.sketch.name, ok: v.ok, why: v.why }).toEqual({
    sketch: 'stencil',
    ok: true,
    why: undefined,
  })
})

test('elements that several results of a thread use are loaded once, behind no branch', async () => {
  const p = await readC(borders[0]![1]),
    a = analyse(p)
  const made = build(a, [{ tx: 32, ty: 4, points: 8, staged: 0, open: 1, fast: 1 }]).plan
  const count = (list: readonly Stmt[], nested: boolean): readonly [loads: number, nested: number] =>
    list.reduce<readonly [number, number]>(
      ([n, m], s) => {
        const inner = s.kind === 'if' ? count([...s.then, ...s.else], true) : ([0, 0] as const),
          own = s.kind === 'load' ? 1 : 0
        return [n + own + inner[0], m + (nested ? own : 0) + inner[1]]
      },
      [0, 0],
    )
  // eight results of five rows are twelve
  for (const v of made.variants) expect(count(v.launches[0]!.kernel.body, false)).toEqual([12 * 5, 0])
})

test.each([
  ['clamped', borders[0]![1], { h: 37, w: 35 }, { tx: 32, ty: 2, points: 4, staged: 0, open: 1, fast: 1 }],
  [
    'clamped, in workgroup memory',
    borders[0]![1],
    { h: 37, w: 35 },
    { tx: 32, ty: 2, points: 4, staged: 1, open: 1, fast: 1 },
  ],
  [
    'the largest of bytes',
    `void f(int h, int w, const unsigned char *in, unsigned char *out) { ${rows} { unsigned char m = 0; ` +
      `${window(1)} { int yy = y + i < 0 ? 0 : y + i >= h ? h - 1 : y + i, xx = x + j < 0 ? 0 : x + j >= w ? ` +
      `w - 1 : x + j; unsigned char v = in[yy*w+xx]; if (v > m) m = v; } out[y*w+x] = m; } }`,
    { h: 37, w: 35 },
    { tx: 32, ty: 2, points: 4, staged: 0, open: 1, fast: 1 },
  ],
  ['a filter', filters[0]![1], { n: 1000, k: 41 }, { threads: 64, points: 5, taps: 8, staged: 16 }],
  [
    'sums at lags',
    lags[0]![1],
    { n: 3001, lags: 19 },
    { threads: 64, rows: 1, vector: 1, unroll: 2, blocks: 8, warp: 0, lags: 16 },
  ],
] as const)(
  'on WebGPU and through nvcc: %s',
  async (_, source, sizes, point) => {
    const p = await readC(source),
      a = analyse(p),
      values = { sizes, scalars: {} },
      plan = emitPlan(build(a, [point]).plan, { targets: ['wgsl', 'cuda'] })
    expect(a.parts).toHaveLength(1)
    const arrays = freshArrays(plan.arrays, values, 3, true),
      want = referenceOf(p, values, arrays),
      webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
    try {
      const results = await webgpu.runPlan(plan, values, arrays)
      for (const { name } of plan.arrays.filter((x) => x.role === 'out'))
        expect([name, errorOf(results[name]!, Array.from(want[name] as Float64Array)) < 1e-4]).toEqual([name, true])
    } finally {
      webgpu.close()
    }
    if (nvccAvailable()) expect(compileCuda(emitCudaLauncher(plan).text).filter((k) => k.spillBytes > 0)).toEqual([])
  },
  120_000,
)
