// Versions for other shapes of the data: where the host takes them, that they are faster there by prediction and right
// on both sides of where they end, and that a plan which is good everywhere has none.
import { beforeAll, describe, expect, test } from 'vitest'
import { emitCudaLauncher, emitTypeScript } from '../../src/emit/index.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { chooseVariant, type Plan, type PlanVariant, type Program } from '../../src/ir/index.ts'
import { openWebGpu } from '../../src/run/index.ts'
import { freshArrays, optimize, referenceOf, type Optimized, type OptimizeOptions } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { errorOf } from '../emit/plans.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../support/nvcc.ts'

const planned = '#pragma tesela sizes(n = 2048, m = 2048)\n'
const columnSums =
  'void sums(int n, int m, const float x[n][m], float y[m]) { for (int j = 0; j < m; j++) { float s = 0; for (int i ' +
  '= 0; i < n; i++) s += x[i][j]; y[j] = s; } }'
const weights =
  'void weigh(int n, int m, const float a[n][m], const float x[m], float y[n]) { for (int i = 0; i < n; i++) { float ' +
  's = 0; for (int j = 0; j < m; j++) s += a[i][j] * x[j]; y[i] = s; } }'
const turned =
  'void turned(int n, int m, const float x[n][m], float y[m][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < ' +
  'm; j++) y[j][i] = x[i][j]; }'

const options: OptimizeOptions = { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: 4, readWgsl: parseWgsl }
const taken = (plan: Plan, n: number, m: number): PlanVariant => chooseVariant(plan, { sizes: { n, m }, scalars: {} })

describe.each([
  ['sums of columns', columnSums],
  ['a matrix times a vector', weights],
])('%s', (_, source) => {
  let program: Program, made: Optimized
  beforeAll(async () => {
    program = await readC(planned + source)
    made = await optimize(program, { ...options, shapes: 'made' })
  }, 120_000)

  test('few rows and short rows have kernels of their own, which are faster there', () => {
    expect(new Set(made.versions.map((v) => v.size))).toEqual(new Set(['n', 'm']))
    for (const { ns, without } of made.versions) expect(without / ns).toBeGreaterThan(2)
    expect([made.failed, made.slowShapes]).toEqual([[], []])
  })

  test('the host takes each up to its end, and at the planned sizes none', () => {
    for (const plan of [made.plan, made.cudaPlan!]) {
      expect(taken(plan, 2048, 2048).shape).toBeUndefined()
      for (const { size, most, at } of made.versions) {
        const other = size === 'n' ? at['m']! : at['n']!
        const shapeAt = (value: number): PlanVariant['shape'] =>
          size === 'n' ? taken(plan, value, other).shape : taken(plan, other, value).shape
        expect(shapeAt(most)).toEqual({ size, most })
        expect(shapeAt(most + 1)?.most ?? Infinity).toBeGreaterThan(most)
      }
    }
  })

  test('each is right on WebGPU on both sides of its end, and compiles for CUDA', async () => {
    const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
    try {
      for (const { size, most } of made.versions)
        for (const value of [most, most + 1]) {
          const sizes = { n: 19, m: 23, [size]: value },
            values = { sizes, scalars: {} }
          const arrays = freshArrays(made.plan.arrays, values, 7)
          const results = await webgpu.runPlan(made.plan, values, arrays)
          const want = Array.from(referenceOf(program, values, arrays)['y'] as Float64Array)
          expect(errorOf(results['y']!, want), JSON.stringify(sizes)).toBeLessThan(1e-5)
        }
    } finally {
      webgpu.close()
    }
    expect(emitTypeScript(made.plan).text).toContain(`m <= ${made.versions.find((v) => v.size === 'm')!.most}`)
    if (nvccAvailable()) expect(compileCuda(emitCudaLauncher(made.cudaPlan!).text).length).toBeGreaterThan(0)
  })

  test('without them the result says where it is slow', async () => {
    const told = await optimize(program, { ...options, shapes: 'told' })
    expect(told.versions).toEqual([])
    expect(told.slowShapes.map((s) => s.size)).toContain('m')
    for (const { ns, boundNs } of told.slowShapes) expect(ns / boundNs).toBeGreaterThan(10)
  })
})

test.each([
  ['a plan that is good at all shapes', planned + turned],
  [
    'a program of one size',
    'void f(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }',
  ],
])('%s has none', async (_, source) => {
  const program = await readC(source)
  for (const shapes of ['made', 'told'] as const) {
    const { versions, slowShapes } = await optimize(program, { ...options, shapes })
    expect([versions, slowShapes]).toEqual([[], []])
  }
})

test.each([8, 16, 33, 64, 200])('rows of %i have no more threads than they keep busy', async (m) => {
  const program = await readC(`#pragma tesela sizes(n = 300000, m = ${m})\n${weights}`)
  const { distance } = await optimize(program, { ...options, targets: ['cuda'], budget: 1 })
  expect(distance.times).toBeLessThan(2)
})
