// Butterflies of transforms and exchanges of sorting networks in place: stages run on many threads, several of them in
// one launch, and give what the source gives at every size that stays inside the arrays.
import { describe, expect, test } from 'vitest'
import { analyse, build } from '../../../src/pipeline.ts'
import { executions } from '../../../src/ir/index.ts'
import { emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import { freshArrays } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { verified } from '../support.ts'

type Case = readonly [name: string, text: string, sizes: Readonly<Record<string, number>>]

const sizes = '#pragma tesela sizes(n = 65536)\n'
const inPlace: readonly Case[] = [
  [
    'a Fourier transform',
    'void f(int n, float *re, float *im) { for (int len = 2; len <= n; len <<= 1) { float ang = -6.2831853f / ' +
      'len; for (int i = 0; i < n; i += len) for (int j = 0; j < len / 2; j++) { float wr = cosf(ang * j), wi ' +
      '= sinf(ang * j); int u = i + j, v = i + j + len / 2; float xr = re[v] * wr - im[v] * wi, xi = re[v] * ' +
      'wi + im[v] * wr; re[v] = re[u] - xr; im[v] = im[u] - xi; re[u] += xr; im[u] += xi; } } }',
    { n: 512, re_length: 512, im_length: 512 },
  ],
  [
    'of structures, over pairs',
    'typedef struct { float re, im; } cpx; void f(int n, int m, cpx *x, const cpx *w) { for (int s = 1; s <= ' +
      'm; s++) { int half = 1 << (s - 1), step = n >> s; for (int k = 0; k < n / 2; k++) { int j = k % half, ' +
      'u = k / half * 2 * half + j, v = u + half; cpx t = { x[v].re * w[j * step].re - x[v].im * w[j * ' +
      'step].im, x[v].re * w[j * step].im + x[v].im * w[j * step].re }; x[v].re = x[u].re - t.re; x[v].im = ' +
      'x[u].im - t.im; x[u].re += t.re; x[u].im += t.im; } } }',
    { n: 512, m: 9, x_length: 512, w_length: 256 },
  ],
  [
    'Walsh and Hadamard',
    'void f(int n, float *x) { for (int h = 1; h < n; h *= 2) for (int i = 0; i < n; i += 2 * h) for (int j = ' +
      'i; j < i + h; j++) { float a = x[j], b = x[j + h]; x[j] = a + b; x[j + h] = a - b; } }',
    { n: 1024, x_length: 1024 },
  ],
  [
    'at a size that is no power of two',
    'void f(int n, int *x) { for (int h = 1; h < n; h *= 2) for (int i = 0; i < n; i += 2 * h) for (int j = ' +
      'i; j < i + h; j++) { int a = x[j], b = x[j + h]; x[j] = a + b; x[j + h] = a - b; } }',
    { n: 300, x_length: 600 },
  ],
  [
    'where a bit is clear',
    'void f(int n, float *x) { for (int h = 1; h < n; h <<= 1) for (int i = 0; i < n; i++) if ((i & h) == 0) ' +
      '{ float a = x[i], b = x[i | h]; x[i] = a + b; x[i | h] = a - b; } }',
    { n: 256 },
  ],
  [
    'bitonic sorting',
    'void f(int n, int *a) { for (int k = 2; k <= n; k *= 2) for (int j = k / 2; j > 0; j /= 2) for (int i = ' +
      '0; i < n; i++) { int l = i ^ j; if (l > i) { if (((i & k) == 0 && a[i] > a[l]) || ((i & k) != 0 && ' +
      'a[i] < a[l])) { int t = a[i]; a[i] = a[l]; a[l] = t; } } } }',
    { n: 128 },
  ],
  [
    'bitonic sorting by halves, one direction after the other',
    'void swap(float *x, float *y) { float t = *x; *x = *y; *y = t; } void f(int n, float *a) { for (int size ' +
      '= 2; size <= n; size *= 2) { for (int t = 0; t < n / 2; t++) { int s = size / 2, lo = t / s * size + t ' +
      '% s, hi = lo ^ (size - 1); if (a[lo] > a[hi]) swap(&a[lo], &a[hi]); } for (int s = size / 4; s > 0; s ' +
      '/= 2) for (int t = 0; t < n / 2; t++) { int p = 2 * t - (t & (s - 1)); if (a[p] > a[p + s]) ' +
      'swap(&a[p], &a[p + s]); } } }',
    { n: 64, a_length: 64 },
  ],
  [
    'a Haar wavelet in place',
    'void f(int n, float *x) { for (int h = 1; h < n; h *= 2) for (int i = 0; i < n; i += 2 * h) { float a = ' +
      'x[i], b = x[i + h]; x[i] = (a + b) * 0.5f; x[i + h] = a - b; } }',
    { n: 256, x_length: 256 },
  ],
  [
    'rows of a matrix, each by itself',
    'void f(int n, int m, float a[m][n]) { for (int r = 0; r < m; r++) for (int k = 2; k <= n; k *= 2) for ' +
      '(int j = k / 2; j > 0; j /= 2) for (int i = 0; i < n; i++) { int p = i ^ j; if (p > i) { float x = ' +
      'a[r][i], y = a[r][p]; if ((i & k) == 0 ? x > y : x < y) { a[r][i] = y; a[r][p] = x; } } } }',
    { n: 64, m: 3 },
  ],
  [
    'blocks as many as there are',
    'void f(int n, float *a) { for (int h = 1; h < n; h *= 2) for (int b = 0; b < n / (2 * h); b++) for (int ' +
      'k = 0; k < h; k++) { float x = a[2 * h * b + k], y = a[2 * h * b + k + h]; a[2 * h * b + k] = x + y; ' +
      'a[2 * h * b + k + h] = x - y; } }',
    { n: 200, a_length: 256 },
  ],
  [
    'sums up a tree',
    'void f(int n, float *x) { for (int d = 1; d < n; d *= 2) for (int i = 0; i < n; i += 2 * d) x[i + 2 * d ' +
      '- 1] += x[i + d - 1]; }',
    { n: 256, x_length: 256 },
  ],
]
/**
 * Elements of a span and of its columns as powers of two, and threads of a block; small, so that few elements have
 * several spans.
 */
const points = [
  { span: 0, columns: 0, threads: 256 },
  { span: 5, columns: 2, threads: 8 },
  { span: 4, columns: 0, threads: 4 },
]

describe('pairs in place', () => {
  test.each(inPlace)('%s', async (_, text, at) => {
    const a = analyse(await readC(sizes + text))
    expect(a.parts.map((p) => p.sketch.name)).toEqual(['stages'])
    // lengths that the case does not name
    const given = Object.fromEntries(a.source.sizes.map((s) => [s.name, at[s.name] ?? at['n']!]))
    for (const p of points) {
      const v = verified(a, [p], [given])
      expect({ p, ok: v.ok, why: v.why }).toEqual({ p, ok: true, why: undefined })
    }
  })
  test.each<readonly [string, string, readonly [number, number, number]]>([
    // launches at 2^16 elements: as the source says, of steps inside of 2^12, and of several steps beyond
    ['Walsh and Hadamard', inPlace.find(([name]) => name.startsWith('Walsh'))![1], [16, 5, 2]],
    ['bitonic sorting', inPlace.find(([name]) => name === 'bitonic sorting')![1], [136, 15, 9]],
    ['sums up a tree', inPlace.find(([name]) => name === 'sums up a tree')![1], [16, 5, 5]],
  ])('launches of %s', async (_, text, launches) => {
    const a = analyse(await readC(sizes + text)),
      values = { sizes: Object.fromEntries(a.source.sizes.map((s) => [s.name, 65536])), scalars: {} }
    const count = (span: number, columns: number): number =>
      [...executions(build(a, [{ span, columns, threads: 256 }]).plan.variants[0]!, values)].length
    expect([count(0, 0), count(12, 0), count(12, 4)]).toEqual(launches)
  })
})

test('a bitonic sort in spans on WebGPU and through nvcc', async () => {
  const p = await readC(sizes + inPlace.find(([name]) => name === 'bitonic sorting')![1]),
    a = analyse(p),
    values = { sizes: { n: 256 }, scalars: {} }
  const plan = emitPlan(build(a, [{ span: 6, columns: 2, threads: 32 }]).plan, { targets: ['wgsl', 'cuda'] }),
    arrays = freshArrays(plan.arrays, values, 3, true)
  const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
  try {
    const got = await webgpu.runPlan(plan, values, arrays)
    expect(got['a']).toEqual(Int32Array.from(arrays['a'] as Int32Array).sort()) // both are of int
  } finally {
    webgpu.close()
  }
  if (nvccAvailable()) expect(compileCuda(emitCudaLauncher(plan).text).length).toBeGreaterThan(0)
})

const dependent: readonly (readonly [string, string])[] = [
  [
    'pairs that overlap',
    'void f(int n, float *x) { for (int h = 1; h < n; h <<= 1) for (int i = 0; i < n - h; i++) { float a = ' +
      'x[i], b = x[i + h]; x[i] = a + b; x[i + h] = a - b; } }',
  ],
  [
    'exchanges without a condition',
    'void f(int n, int *a) { for (int j = 1; j < n; j *= 2) for (int i = 0; i < n; i++) { int l = i ^ j; a[i] ' +
      '= a[i] + a[l]; } }',
  ],
  [
    'three places of two digits',
    'void f(int n, int m, float *x) { for (int s = 0; s < m; s++) { int h = 1 << s; for (int k = 0; k < n; ' +
      'k++) { int u = k / h * 2 * h + k % h; x[u] = x[u + h] + x[u + 2 * h]; } } }',
  ],
  [
    'a mask that changes',
    'void f(int n, const int *m, int *a) { for (int j = 1; j < n; j *= 2) for (int i = 0; i < n; i++) { int l ' +
      '= i ^ m[i]; if (l > i) { int t = a[i]; a[i] = a[l]; a[l] = t; } } }',
  ],
]
describe('what other iterations touch', () => {
  test.each(dependent)('%s', async (_, text) => {
    expect(analyse(await readC(sizes + text)).parts.map((p) => p.sketch.name)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/per-iteration|stages/)]),
    )
  })
})
