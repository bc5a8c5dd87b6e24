// Emitted WGSL and CUDA are read back and run: what stands in the text decides, not what the emitter was given.
import { expect, test } from 'vitest'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { Plan } from '../../src/ir/index.ts'
import { optimize, ptxRunner, wgslRunner, wrongText } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { ptxOfText } from '../../src/cli/nvcc.ts'
import { nvccAvailable } from '../support/nvcc.ts'

const profile = gpu('h200')

/** The plan with every text changed. */
const changed = (plan: Plan, change: (text: string) => string): Plan => ({
  ...plan,
  variants: plan.variants.map((v) => ({
    ...v,
    launches: v.launches.map((l) => {
      const wgsl = l.emitted!.wgsl!
      return { ...l, emitted: { wgsl: { ...wgsl, text: change(wgsl.text) } } }
    }),
  })),
})

const row = 'for (int i = 0; i < n; i++) { float s = 0; for (int k = 0; k < m; k++) s += x[i * m + k]; y[i] = s; }'

test.each<[string, string, RegExp, string]>([
  ['a sign', 'for (int i = 0; i < n; i++) y[i] = x[i] + 3;', /\+ 3\.0/g, '- 3.0'],
  ['a bound', 'for (int i = 0; i < n; i++) y[i] = 2 * x[i];', /< params\.n\b/g, '< params.n - 1'],
  ['an index', 'for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];', /index_2 - 1\b/g, 'index_2 - 2'],
  ['a sum', row, /part \+= x_\b/g, 'part -= x_'],
])('%s in the text', async (_, body, from, to) => {
  const program = await readC(`void f(int n, int m, const float *x, float *y) { ${body} }`)
  const { plan, verified } = await optimize(program, {
    gpu: profile,
    targets: ['wgsl'],
    budget: 1,
    readWgsl: parseWgsl,
  })
  expect(wrongText(program, plan, verified.sizes, wgslRunner(parseWgsl, profile), 1, profile)).toBeUndefined()
  const other = changed(plan, (text) => text.replace(from, to))
  expect(wrongText(program, other, verified.sizes, wgslRunner(parseWgsl, profile), 1, profile)).toMatch(
    /WGSL text leaves y off/,
  )
})

test.runIf(nvccAvailable()).each<[string, string, RegExp, string]>([
  ['a sign', 'for (int i = 0; i < n; i++) y[i] = x[i] + 3;', /\+ 3\.0f/g, '- 3.0f'],
  ['an index', 'for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];', /index_2 - 1;/g, 'index_2 - 2;'],
  ['a barrier', row, /__syncthreads\(\);/g, ''],
  ['a lane', row, /__shfl_xor_sync|__shfl_down_sync/g, '__shfl_up_sync'],
])('%s in the text of CUDA', async (_, body, from, to) => {
  const program = await readC(`void f(int n, int m, const float *x, float *y) { ${body} }`)
  const { cudaPlan, verified } = await optimize(program, { gpu: profile, targets: ['cuda'], budget: 1 })
  const said = (change: (text: string) => string): string | undefined =>
    wrongText(
      program,
      cudaPlan!,
      verified.sizes,
      ptxRunner((t) => ptxOfText(change(t)))(cudaPlan!, profile),
      1,
      profile,
    )
  expect(said((text) => text)).toBeUndefined()
  expect(said((text) => text.replace(from, to))).toMatch(/CUDA text leaves y off/)
})

// Of 257 equations with random coefficients one has a pivot near 0: all of them lose what the proof's data did not.
test('where data are ill-conditioned a text is right that does what its kernel does', async () => {
  const program = await readC(`void f(int n, const float *a, const float *b, const float *c, const float *d, float *x, \
float *p, float *q) {
    p[0] = c[0] / b[0]; q[0] = d[0] / b[0];
    for (int i = 1; i < n; i++) { float m = 1.0f / (b[i] - a[i] * p[i - 1]); p[i] = c[i] * m;
      q[i] = (d[i] - a[i] * q[i - 1]) * m; }
    x[n - 1] = q[n - 1];
    for (int i = n - 2; i >= 0; i--) x[i] = q[i] - p[i] * x[i + 1]; }`)
  const { verified } = await optimize(program, { gpu: profile, targets: ['wgsl'], budget: 1, readWgsl: parseWgsl })
  expect(verified.ok).toBe(true)
})
