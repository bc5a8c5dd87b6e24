// Emitted WGSL is read back and run: what stands in the text decides, not what the emitter was given.
import { expect, test } from 'vitest'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { Plan } from '../../src/ir/index.ts'
import { optimize, wrongText } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

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
  expect(wrongText(program, plan, verified.sizes, parseWgsl, profile, 1)).toBeUndefined()
  const other = changed(plan, (text) => text.replace(from, to))
  expect(wrongText(program, other, verified.sizes, parseWgsl, profile, 1)).toMatch(/WGSL text leaves y off/)
})
