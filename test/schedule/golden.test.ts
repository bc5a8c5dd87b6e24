// The fastest rung of every example, as text: WGSL through Tint, CUDA through nvcc, some on a software GPU against the
// reference, one wrapper in a real browser. Nothing that is emitted goes unexecuted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transform } from 'esbuild'
import type { Browser } from 'playwright-core'
import { emitCuda, emitPlan, emitTypeScript, emitWgsl } from '../../src/emit/index.ts'
import {
  bytesOf,
  type HostArray,
  type Kernel,
  type Plan,
  type PlanLaunch,
  type PlanValues,
  type Program,
} from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { freshArrays, memoryFor, referenceOf } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { nullDevice, swiftShaderGpu, tintErrors } from '../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../support/nvcc.ts'
import { exampleTexts, sizesOf } from './support.ts'
import { someOf } from '../support/long.ts'

const textOf = (name: string): string =>
  exampleTexts.find(([n]) => n === name)![1].replace('#define N 4096', '#define N 37')

/** An example and the plan of one rung from the end of its ladders. */
async function planned(
  name: string,
  fromEnd = 0,
  warp = false,
): Promise<{ readonly program: Program; readonly plan: Plan }> {
  const program = await readC(textOf(name)),
    a = analyse(program)
  const points = a.parts.map(({ sketch: { ladder } }) => ladder[Math.max(0, ladder.length - 1 - fromEnd)]!.point)
  return { program, plan: build(a, points, warp ? { warp: 32 } : {}).plan }
}

const kernelsOf = (plan: Plan): readonly PlanLaunch['kernel'][] =>
  plan.variants.flatMap((v) => v.launches.map((l) => l.kernel))

/** The last rung that every WebGPU device can run. */
async function runnable(name: string): ReturnType<typeof planned> {
  for (let fromEnd = 1; ; fromEnd++) {
    const p = await planned(name, fromEnd)
    if (kernelsOf(p.plan).every(isSmall)) return p
  }
}

const names = exampleTexts.map(([n]) => n)

/** Within the limits that every WebGPU device has, the null device included. */
const isSmall = (k: Kernel): boolean =>
  k.block[0] * k.block[1] * k.block[2] <= 256 &&
  k.resources.reduce((n, r) => n + (r.space === 'shared' ? (r.count ?? 0) * bytesOf[r.type] : 0), 0) <= 16384

/** What Tint finds in the text itself, without a pipeline. */
async function moduleErrors(device: GPUDevice, code: string): Promise<readonly string[]> {
  device.pushErrorScope('validation')
  device.createShaderModule({ code })
  const error = await device.popErrorScope()
  return error ? [error.message] : []
}

describe('WGSL of every example passes Tint', () => {
  let device: GPUDevice
  beforeAll(async () => {
    device = await nullDevice()
  })
  test.each(someOf(names))('%s', async (name) => {
    for (const fromEnd of [0, 2]) {
      for (const k of kernelsOf((await planned(name, fromEnd)).plan)) {
        const { text, entry } = emitWgsl(k)
        expect(isSmall(k) ? await tintErrors(device, text, entry) : await moduleErrors(device, text), text).toEqual([])
      }
    }
  })
})

/** One transposition of the matrix product stands for all: they take nvcc seconds each. */
const forNvcc = names.filter((n) => !['batched-gemm', 'gemm-nt', 'gemm-tn', 'gemm-tt'].includes(n))

test('CUDA of the examples compiles for sm_90 and spills nothing', async () => {
  if (!nvccAvailable()) return
  const texts: string[] = []
  for (const name of forNvcc) {
    for (const [i, k] of kernelsOf((await planned(name, 0, true)).plan).entries())
      texts.push(`namespace ${name.replaceAll('-', '_')}_${i} {\n${emitCuda(k).text.replaceAll('extern "C"', '')}\n}`)
  }
  const used = compileCuda(texts.join('\n'))
  expect(used.length).toBe(texts.length)
  expect(used.filter((k) => k.spillBytes > 0)).toEqual([])
})

/** Largest difference between two arrays. */
function difference(got: HostArray, want: HostArray): number {
  let worst = 0
  for (let i = 0; i < want.length; i++) {
    const d = Math.abs(Number(got[i]) - Number(want[i]))
    if (!(d <= worst)) worst = Number.isNaN(d) ? Infinity : d
  }
  return worst
}

const valuesOf = (p: Program, sizes: readonly number[]): PlanValues => ({
  sizes: sizesOf(p, sizes),
  scalars: Object.fromEntries(p.scalars.map((s) => [s.name, s.planned ?? 1.5])),
})
const outputs = (p: Program): readonly string[] =>
  p.arrays.filter((a) => a.role === 'out' || a.role === 'inout').map((a) => a.name)

describe('on a software GPU', () => {
  let webgpu: WebGpu
  beforeAll(async () => {
    webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
  })
  afterAll(() => webgpu.close())
  test.each(
    someOf(['gemm', 'trmm', 'transpose', 'sum', 'colsum', 'jacobi2d', 'separable', 'gemv', 'prefix']),
  )('%s', async (name) => {
    const { program, plan } = await runnable(name)
    for (const sizes of [
      [37, 45, 29],
      [20, 36, 12],
    ]) {
      const values = valuesOf(program, sizes)
      const want = referenceOf(program, values, memoryFor(plan, values, 5))
      const got = await webgpu.runPlan(
        emitPlan(plan, { targets: ['wgsl'] }),
        values,
        freshArrays(plan.arrays, values, 5),
      )
      for (const out of outputs(program))
        expect(difference(got[out]!, want[out]!), `${out} at ${sizes.join()}`).toBeLessThan(1e-4)
    }
  })
})

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser?.close())
  test('the wrapper of a matrix product from C', async () => {
    const { program, plan } = await runnable('gemm')
    const values = valuesOf(program, [21])
    const arrays = freshArrays(plan.arrays, values, 9)
    const want = referenceOf(program, values, memoryFor(plan, values, 9))
    const { code } = await transform(emitTypeScript(emitPlan(plan, { targets: ['wgsl'] })).text, {
      loader: 'ts',
      format: 'esm',
    })
    const { page, problems } = await openPage(browser, code)
    const got = await page.evaluate(
      async ({ sizes, A, B }) => {
        const loaded = (globalThis as unknown as { loaded: { gemm: (args: object) => Promise<{ C: Float32Array }> } })
          .loaded // set by the page
        return Array.from((await loaded.gemm({ ...sizes, A: new Float32Array(A), B: new Float32Array(B) })).C)
      },
      { sizes: values.sizes, A: Array.from(arrays['A'] as Float32Array), B: Array.from(arrays['B'] as Float32Array) },
    )
    expect(difference(Float32Array.from(got), want['C']!)).toBeLessThan(1e-4)
    expect(problems).toEqual([])
  })
})
