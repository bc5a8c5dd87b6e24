// Small launches that need nothing of each other become one: which do, and that every such plan computes what its
// program does: in the simulator, through Dawn on SwiftShader, and for nvcc.
import { describe, expect, test } from 'vitest'
import { emitCudaLauncher, emitPlan, emitTypeScript } from '../../src/emit/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { chooseVariant, executions, type Plan, type Program } from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { openWebGpu } from '../../src/run/index.ts'
import { freshArrays, optimize, plannedValues, referenceOf, fusedLaunches, verifyPlan } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { errorOf } from '../emit/plans.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../support/nvcc.ts'

const profile = gpu('h200')

async function joined(
  source: string,
  rung: number,
  warp?: 32,
): Promise<{ program: Program; plan: Plan; names: readonly (readonly string[])[] }> {
  const program = await readC(source)
  const a = analyse(program)
  const { plan } = build(
    a,
    a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(rung, ladder.length - 1)]!.point),
    { ...(warp && { warp }) },
  ) // ladders are not empty
  const found = fusedLaunches(plan, plannedValues(program), profile.multiprocessors)
  return { program, plan: found.plan, names: [...found.members.values()] }
}

const both =
  'void both(int n, const float A[n][n], const float y[n], const float z[n], float s[n], float q[n]) { for ' +
  '(int i = 0; i < n; i++) { s[i] = 0; for (int j = 0; j < n; j++) s[i] += A[i][j] * y[j]; } for (int i = 0; ' +
  'i < n; i++) { q[i] = 0; for (int j = 0; j < n; j++) q[i] += A[j][i] * z[j]; } }'
const filters =
  'void filters(int h, int w, const float x[h][w], float a[h][w], float b[h][w], float c[h][w]) { for (int i ' +
  '= 0; i < h; i++) { float t = 0; for (int j = 0; j < w; j++) { t = x[i][j] - 0.5f * t; a[i][j] = t; } } for ' +
  '(int i = 0; i < h; i++) { float t = 0; for (int j = w - 1; j >= 0; j--) { t = x[i][j] + 0.25f * t; b[i][j] ' +
  '= t; } } for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) c[i][j] = a[i][j] + b[i][j]; }'
const steps =
  '#pragma tesela sizes(t = 50, n = 100000)\nvoid steps(int t, int n, float a[n], float b[n], float c[n], ' +
  'float d[n]) { for (int s = 0; s < t; s++) { for (int i = 0; i < n; i++) b[i] = 0.5f * a[n - 1 - i]; for ' +
  '(int i = 0; i < n; i++) d[i] = 0.25f * c[n - 1 - i]; for (int i = 0; i < n; i++) a[i] = b[i] + d[n - 1 - ' +
  'i]; for (int i = 0; i < n; i++) c[i] = d[i] - b[n - 1 - i]; } }'

describe.each([
  ['sums over rows and over columns', both, 4, [['both', 'both_partial']], [{ n: 67 }, { n: 128 }]],
  [
    'two filters, then their sum',
    filters,
    0,
    [['filters_1', 'filters_2']],
    [
      { h: 37, w: 11 },
      { h: 1, w: 2 },
    ],
  ],
] as const)('%s', (_, source, rung, names, sizes) => {
  test('are in one launch and right', async () => {
    const { program, plan, names: found } = await joined(source, rung)
    expect(found).toEqual(names)
    const v = verifyPlan(program, plan, sizes, profile, 3)
    expect([v.ok, v.why]).toEqual([true, undefined])
  })

  test('run on WebGPU, compile for CUDA, and the module asks for the sum of their blocks', async () => {
    const { program, plan } = await joined(source, rung)
    const emitted = emitPlan(plan, { targets: ['wgsl'] }),
      values = { sizes: sizes[0], scalars: {} }
    const arrays = freshArrays(plan.arrays, values, 5)
    const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
    try {
      const results = await webgpu.runPlan(emitted, values, arrays),
        want = referenceOf(program, values, arrays)
      for (const a of program.arrays)
        if (a.role === 'out')
          expect(errorOf(results[a.name]!, Array.from(want[a.name] as Float64Array))).toBeLessThan(1e-5)
    } finally {
      webgpu.close()
    }
    expect(emitTypeScript(emitted).text).toContain(`${names[0][0]}_together`)
    const cuda = await joined(source, rung, 32)
    if (nvccAvailable())
      expect(compileCuda(emitCudaLauncher(emitPlan(cuda.plan, { targets: ['cuda'] })).text).length).toBeGreaterThan(0)
  })
})

test('a launch that reads what another one writes stays behind it', async () => {
  const { plan, names } = await joined(
    'void f(int n, const float x[n], float a[n], float b[n]) { for (int i = 0; i < n; i++) a[i] = 2 * x[i]; ' +
      'for (int i = 0; i < n; i++) b[i] = a[n - 1 - i] + x[i]; }',
    0,
  )
  expect(names).toEqual([])
  expect(plan.variants.at(-1)!.launches.length).toBe(2)
})

test('a launch goes past those that it does not need', async () => {
  const source =
    'void f(int n, const float x[n], float a[n], float b[n], float c[n]) { for (int i = 0; i < n; i++) a[i] = ' +
    '2 * x[i]; for (int i = 0; i < n; i++) b[i] = a[n - 1 - i]; for (int i = 0; i < n; i++) c[i] = x[n - 1 - i]; }'
  const { program, plan, names } = await joined(source, 0)
  const values = { sizes: { n: 5000 }, scalars: {} }
  expect(names.map((list) => list.length)).toEqual([2])
  expect([...executions(chooseVariant(plan, values), values)].map((e) => e.launch.kernel.name)[0]).toBe(
    `${names[0]![0]!}_together`,
  )
  expect(verifyPlan(program, plan, [{ n: 301 }], profile, 1).ok).toBe(true)
})

test('inside of a loop of the host, too', async () => {
  const { program, plan, names } = await joined(steps, 0)
  const v = verifyPlan(program, plan, [{ t: 3, n: 19 }], profile, 2)
  expect([names.length > 0, v.ok, v.why]).toEqual([true, true, undefined])
})

test('large launches stay alone', async () => {
  const program = await readC(both),
    a = analyse(program)
  const { plan } = build(
    a,
    a.parts.map((p) => p.sketch.ladder[0]!.point),
  )
  expect(fusedLaunches(plan, { sizes: { n: 4_000_000 }, scalars: {} }, 1).members.size).toBe(0)
})

test('a part whose blocks could share a launch gets as many threads as the other, when that costs little', async () => {
  const program = await readC(`#pragma tesela sizes(n = 2800)\n${both}`)
  const { plan, points, kernels } = await optimize(program, { gpu: profile, targets: ['wgsl'], budget: 24 })
  expect(points[0]!['threads']! * points[0]!['rows']!).toBe(256)
  expect(kernels[0]!.steps.at(-1)).toBe('in one launch with both_partial, as neither needs the other')
  expect(plan.variants.at(-1)!.launches.map((l) => l.kernel.name)).toEqual(['both_together', 'both_final'])
})
