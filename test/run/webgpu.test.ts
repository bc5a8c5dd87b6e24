// Plans run through Dawn on SwiftShader, compared with double precision: awkward sizes, variants, temporaries, atomics.
// Also what is refused, and that timing measures something.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emitPlan } from '../../src/emit/index.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import {
  allCases,
  copyCase,
  errorOf,
  histogramCase,
  matmulCase,
  matmulPlan,
  odditiesCase,
  saxpyCase,
  sumCase,
  type Case,
} from '../emit/plans.ts'

let webgpu: WebGpu
beforeAll(async () => {
  webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
})
afterAll(() => webgpu.close())

async function check({ plan, values, arrays, expected, bound }: Case): Promise<void> {
  const results = await webgpu.runPlan(emitPlan(plan, { targets: ['wgsl'] }), values, arrays)
  expect(Object.keys(results).sort()).toEqual(Object.keys(expected).sort())
  for (const [name, want] of Object.entries(expected))
    expect(errorOf(results[name]!, want), name).toBeLessThanOrEqual(bound)
}

describe('results', () => {
  test.each(Object.entries(allCases))('%s', async (_, make) => check(make()))
  test.each([1, 3, 4, 63, 64, 65])('saxpy and vector copy of %i elements', async (n) => {
    await check(saxpyCase(n))
    await check(copyCase(n))
  })
  test.each([
    [1, 1, 1],
    [16, 16, 16],
    [17, 15, 33],
    [1, 40, 5],
  ])('matmul %i × %i, inner %i', async (m, n, k) => check(matmulCase(m, n, k)))
  test.each([1, 128, 129, 4000])('sum of %i, by one launch or two', async (n) => check(sumCase(n)))
  test.each([
    [0, true],
    [7, false],
    [-1, true],
    [1000000, false],
  ])('division by %i, flag %s', async (d, flag) => check(odditiesCase(d, flag)))
  test('nothing to do is no error', async () => check(saxpyCase(0)))
})

describe('refusals', () => {
  const { plan, values, arrays } = matmulCase()
  const text = emitPlan(plan, { targets: ['wgsl'] })
  test('a wrong length, type, size or a missing array, in a sentence', async () => {
    await expect(webgpu.runPlan(text, values, { ...arrays, A: new Float32Array(5) })).rejects.toThrow(
      'matmul: A must have at least 1517 elements, not 5',
    )
    await expect(webgpu.runPlan(text, values, { ...arrays, A: new Int32Array(37 * 41) })).rejects.toThrow(
      'matmul: A must be a Float32Array, not a Int32Array',
    )
    await expect(webgpu.runPlan(text, values, { B: arrays['B']! })).rejects.toThrow(
      'matmul: A is missing; it has 1517 elements of f32',
    )
    await expect(webgpu.runPlan(text, { sizes: { ...values.sizes, n: 1.5 }, scalars: {} }, arrays)).rejects.toThrow(
      /n must be an integer from 1 to 214\d{7}, not 1\.5/,
    )
  })
  test('more blocks than an axis may have', async () => {
    const { plan, arrays } = saxpyCase(1)
    const huge = { ...plan, arrays: plan.arrays.map((a) => ({ ...a, shape: [] })) }
    await expect(
      webgpu.runPlan(emitPlan(huge, { targets: ['wgsl'] }), { sizes: { n: 2 ** 30 }, scalars: { a: 1 } }, arrays),
    ).rejects.toThrow(/needs 16777216 blocks along x, and this device allows 65535/)
  })
  test('a text that WebGPU does not accept throws what it says', async () => {
    const broken = {
      ...text,
      variants: text.variants.map((v) => ({
        ...v,
        launches: v.launches.map((l) => ({
          ...l,
          emitted: { wgsl: { target: 'wgsl' as const, entry: 'matmul', text: 'fn nothing() { let x: i32 = 1.5; }' } },
        })),
      })),
    }
    await expect(webgpu.runPlan(broken, values, arrays)).rejects.toThrow(/webgpu\.error/)
    await check(histogramCase(5)) // the device is still good
  })
  test('a plan without texts', async () => {
    await expect(webgpu.runPlan(matmulPlan(), values, arrays)).rejects.toThrow('kernel matmul has no WGSL text')
  })
})

test('timing: positive, repeated until it is long enough, with the timer named', async () => {
  const { plan, values, arrays } = saxpyCase(4096)
  const timing = await webgpu.timePlan(emitPlan(plan, { targets: ['wgsl'] }), values, arrays, {
    warmup: 1,
    samples: 3,
    minSampleNs: 2e5,
  })
  expect(timing).toMatchObject({ samples: 3, timer: 'timestamps' })
  expect(timing.ns).toBeGreaterThan(0)
  expect(timing.min).toBeLessThanOrEqual(timing.ns)
  expect(timing.quantumNs).toBeGreaterThan(0)
})
