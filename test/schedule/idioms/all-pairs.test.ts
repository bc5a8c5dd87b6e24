// Sums over pairs: which parts are taken as such, and that every way to deal them out computes what the program does,
// at sizes that no tile divides, in the simulator.
import { describe, expect, test } from 'vitest'
import { emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import { freshArrays, referenceOf } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { errorOf } from '../../emit/plans.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { tryPairs } from '../generators/random-affine.ts'
import { verified, type Sizes } from '../support.ts'

const bodies = 'int n, const float *x, const float *y, const float *m, float eps, float *ax, float *ay'
const sizes: readonly Sizes[] = [{ n: 37 }, { n: 68 }, { n: 1 }]

const cases: Readonly<
  Record<string, { readonly source: string; readonly sketches: readonly string[]; readonly sizes?: readonly Sizes[] }>
> = {
  'forces, each body but itself': {
    source:
      `void f(${bodies}) { for (int i = 0; i < n; i++) { float sx = 0, sy = 0; for (int j = 0; j < n; j++) { if ` +
      `(i == j) continue; float dx = x[j] - x[i], dy = y[j] - y[i]; float r = dx * dx + dy * dy + eps; float ` +
      `w = m[j] / (r * sqrtf(r)); sx += w * dx; sy += w * dy; } ax[i] = sx; ay[i] += sy; } }`,
    sketches: ['pairs'],
  },
  'structures, in place, with arrays of a few': {
    source:
      'struct body { float p[3]; float v[3]; float m; };\nvoid f(struct body *b, int n, float eps) { for (int ' +
      'i = 0; i < n; i++) { float a[3] = {0, 0, 0}; for (int j = 0; j < n; j++) { float d[3], r = eps; for ' +
      '(int c = 0; c < 3; c++) { d[c] = b[j].p[c] - b[i].p[c]; r += d[c] * d[c]; } float w = b[j].m / sqrtf(r ' +
      '* r * r); for (int c = 0; c < 3; c++) a[c] += w * d[c]; } for (int c = 0; c < 3; c++) b[i].v[c] += eps ' +
      '* a[c]; } }',
    sketches: ['pairs'],
  },
  'a cutoff, sums and a count, a least and a largest': {
    source:
      'void f(int n, const float *x, const float *q, float eps, float *e, int *near, float *least, float ' +
      '*most) { for (int i = 0; i < n; i++) { float s = 0, lo = 1e30f, hi = -1e30f; int k = 0; for (int j = ' +
      '0; j < n; j++) { if (j != i) { float d = x[i] - x[j]; d = d * d; if (d < eps) { s += q[j] / (d + ' +
      '1.0f); k++; } lo = fminf(lo, d); hi = fmaxf(hi, d * q[j]); } } e[i] = s; near[i] = k; least[i] = lo; ' +
      'most[i] = hi; } }',
    sketches: ['pairs'],
  },
  'into memory, with a loop of three inside': {
    source:
      'void f(int n, int m, const float c[n][3], const float x[m][3], const float *w, float *y, float eps) { ' +
      'for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float d = 0; for (int l = 0; l < 3; l++) { ' +
      'float t = x[i][l] - c[j][l]; d += t * t; } y[i] += w[j] * expf(-eps * d); } }',
    sketches: ['pairs'],
    sizes: [
      { n: 37, m: 5 },
      { n: 3, m: 131 },
    ],
  },
  'a potential on a grid': {
    source:
      'void f(int nx, int ny, int na, const float a[na][4], float g[ny][nx], float eps) { for (int j = 0; j < ' +
      'ny; j++) for (int i = 0; i < nx; i++) { float e = 0; for (int k = 1; k < na; k++) { float dx = i * eps ' +
      '- a[k][0], dy = j * eps - a[k][1]; e += a[k][3] / sqrtf(dx * dx + dy * dy + a[k][2]); } g[j][i] = e; } }',
    sketches: ['pairs'],
    sizes: [
      { nx: 37, ny: 3, na: 11 },
      { nx: 5, ny: 2, na: 1 },
    ],
  },
  'a density, one sum': {
    source:
      'void f(int n, int m, const float *x, const float *q, float *d, float eps) { for (int i = 0; i < m; ' +
      'i++) { float s = 0; for (int j = 0; j < n; j++) { float t = (q[i] - x[j]) * eps; s += expf(-t * t); } ' +
      'd[i] = s / n; } }',
    sketches: ['pairs'],
    sizes: [
      { n: 37, m: 5 },
      { n: 1, m: 131 },
    ],
  },
  'iterations that build on each other stay in order': {
    source:
      'void f(int n, const float *x, const float *y, float *least, float *second, float *steps) { for (int i ' +
      '= 0; i < n; i++) { float a = 1e30f, b = 1e30f, s = 0, t = 0; for (int j = 0; j < n; j++) { float d = ' +
      '(x[j] - x[i]) * (x[j] - x[i]) + y[j]; if (d < a) { b = a; a = d; } else if (d < b) b = d; s += y[j]; t ' +
      '+= s * (x[j] - x[i]); } least[i] = a; second[i] = b; steps[i] = t; } }',
    sketches: ['pairs'],
  },
  'what a condition sets stays for later iterations': {
    source:
      'void f(int n, const float *x, const float *y, float *last, float *sum) { for (int i = 0; i < n; i++) { ' +
      'float l = 0, s = 0; for (int j = 0; j < n; j++) { if (j != i) { float d = x[j] - x[i]; l = d * y[j]; } ' +
      's += l * y[i]; } last[i] = l; sum[i] = s; } }',
    sketches: ['pairs'],
  },
  'sums that share nothing but elements': {
    source:
      'void f(int n, const float *x, const float *y, float *a, float *b) { for (int i = 0; i < n; i++) { ' +
      'float s = 0; for (int j = 0; j < n; j++) s += expf(x[j] - y[i]); a[i] = s; float t = 1; for (int j = ' +
      '0; j < n; j++) if (j != i) t += (x[j] - y[i]) * (x[j] - y[i]); b[i] = t; } }',
    sketches: ['pairs'],
  },
  'in place, and onto what was there': {
    source:
      'void f(int n, const float *x, float *y, float *z) { for (int i = 0; i < n; i++) { float s = y[i]; for ' +
      '(int j = 0; j < n; j++) s += expf(x[j] - y[i]) * x[i]; y[i] = s; } for (int i = 0; i < n; i++) for ' +
      '(int j = 0; j < n; j++) z[i] += x[j] / (1.0f + x[i] * x[i]); }',
    sketches: ['pairs', 'pairs'],
  },
  'neighbours that are not always there': {
    source:
      'void f(int n, const float *x, const float *y, float *a, float *b) { for (int i = 0; i < n; i++) { ' +
      'float s = 0, t = 0; for (int j = 0; j < n; j++) { float d = expf(x[j] - y[i]) + y[i]; if (j > 0) s += ' +
      'x[j - 1] * d; if (j < n - 1) t += x[j + 1] - d * d; } a[i] = s; b[i] = t; } }',
    sketches: ['pairs'],
  },
}

describe.each(Object.entries(cases))('%s', (_, c) => {
  test('is dealt out in several ways, with the same results', async () => {
    const analysed = analyse(
      await readC(`#pragma tesela sizes(n = 8192, m = 8192, nx = 128, ny = 128, na = 4096, eps = 0.5)\n${c.source}`),
    )
    const parts = analysed.parts.map((p) => p.sketch)
    expect(parts.map((s) => s.name)).toEqual(c.sketches)
    const { space, ladder } = parts[0]!,
      some = space.filter((p) => p['unroll'] === 4 && p['own']! > 1).slice(-2) // one part at least
    for (const p of [...ladder.map((r) => r.point), ...some]) {
      const v = verified(
        analysed,
        parts.map(() => p),
        c.sizes ?? sizes,
      )
      expect([v.ok, v.why]).toEqual([true, undefined])
    }
  })
})

test('random sums over pairs: reference = simulated', () => {
  const tried = Array.from({ length: 25 }, (_, n) => ({ seed: n + 1, ...tryPairs(n + 1) }))
  expect(tried.filter((t) => t.outcome !== 'same').map((t) => [t.seed, t.outcome])).toEqual([])
  expect(tried.filter((t) => t.sketches.includes('pairs')).length).toBeGreaterThan(20)
})

test('terms are computed once', async () => {
  const analysed = analyse(
    await readC(`#pragma tesela sizes(n = 8192, eps = 0.5)\n${cases['forces, each body but itself']!.source}`),
  ) // it is there
  const { program } = analysed.parts[0]!.sketch.build({ lanes: 128, slices: 1, own: 1, unroll: 1 }).kernels[0]!
  const text = JSON.stringify(program.body)
  expect(text.match(/"op":"sqrt"/g)).toHaveLength(1)
})

test.each([
  [
    'rows with terms of their own',
    'void f(int n, const float a[n][n], const float *x, float *y) { for (int i = 0; i < n; i++) { float s = ' +
      '0, t = 0; for (int j = 0; j < n; j++) { s += a[i][j] * x[j]; t += a[i][j]; } y[i] = s * t; } }',
  ],
  [
    'few rows',
    '#pragma tesela sizes(m = 16)\nvoid f(int n, int m, const float *x, const float *q, float *d) { for (int ' +
      'i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += expf(-(q[i] - x[j]) * (q[i] - ' +
      'x[j])); d[i] = s; } }',
  ],
  [
    'few terms',
    'void f(int n, const float x[16], const float *q, float *d) { for (int i = 0; i < n; i++) { float s = 0; ' +
      'for (int j = 0; j < 16; j++) s += expf(-(q[i] - x[j]) * (q[i] - x[j])); d[i] = s; } }',
  ],
])('%s are something else', async (_, source) => {
  expect(
    analyse(
      await readC(`#pragma tesela sizes(n = 8192)\n${source}`.replace(/^(.*)\n(#pragma.*)\n/, '$2\n$1\n')),
    ).parts.map((p) => p.sketch.name),
  ).not.toContain('pairs')
})

test('on WebGPU and through nvcc', async () => {
  const p = await readC(`#pragma tesela sizes(n = 8192, eps = 0.5)\n${cases['forces, each body but itself']!.source}`),
    values = { sizes: { n: 301 }, scalars: { eps: 0.5 } } // it is there
  const plan = emitPlan(build(analyse(p), [{ lanes: 32, slices: 4, own: 2, unroll: 4 }]).plan, {
    targets: ['wgsl', 'cuda'],
  })
  const arrays = freshArrays(plan.arrays, values, 3, true),
    want = referenceOf(p, values, arrays)
  const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
  try {
    const results = await webgpu.runPlan(plan, values, arrays)
    for (const name of ['ax', 'ay'])
      expect([name, errorOf(results[name]!, Array.from(want[name] as Float64Array)) < 1e-4]).toEqual([name, true])
  } finally {
    webgpu.close()
  }
  if (nvccAvailable()) expect(compileCuda(emitCudaLauncher(plan).text)).toHaveLength(1)
}, 120_000)
