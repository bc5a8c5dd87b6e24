// The same in a real browser: a wrapper module as a user would import it, and plans through `run`, on Chromium's
// WebGPU.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, transform } from 'esbuild'
import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { emitPlan, emitTypeScript } from '../../src/emit/index.ts'
import { errorOf, matmulCase, sumCase } from '../emit/plans.ts'
import { openBrowser, openPage } from '../support/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** What the page's modules offer to the test. */
interface Loaded {
  readonly matmul: (args: object) => Promise<{ C: Float32Array }>
}
interface Run {
  readonly openWebGpu: () => Promise<{
    runPlan(plan: unknown, values: unknown, arrays: object): Promise<Record<string, Float32Array>>
    timePlan(plan: unknown, values: unknown, arrays: object, o: object): Promise<{ ns: number; timer: string }>
  }>
}

test('a wrapper module computes a matrix product, and refuses wrong input', async () => {
  const c = matmulCase()
  const { code } = await transform(emitTypeScript(emitPlan(c.plan, { targets: ['wgsl'] })).text, {
    loader: 'ts',
    format: 'esm',
  })
  const { page, problems } = await openPage(browser, code)
  const got = await page.evaluate(
    async ({ sizes, A, B }) => {
      const { matmul } = (globalThis as unknown as { loaded: Loaded }).loaded // set by the page
      const { C } = await matmul({ ...sizes, A: new Float32Array(A), B: new Float32Array(B) })
      const refusal = await matmul({ ...sizes, A: new Float32Array(1), B: new Float32Array(B) }).catch(
        (error: Error) => error.message,
      )
      return { C: Array.from(C), refusal }
    },
    {
      sizes: c.values.sizes,
      A: Array.from(c.arrays['A'] as Float32Array),
      B: Array.from(c.arrays['B'] as Float32Array),
    },
  )
  expect(errorOf(got.C, c.expected['C']!)).toBeLessThanOrEqual(c.bound)
  expect(got.refusal).toBe('A must have at least 1517 elements, not 1')
  expect(problems).toEqual([])
})

test('plans run and are timed through the bundled runner, which pulls in no Node parts', async () => {
  const bundle = await build({
    entryPoints: [resolve(import.meta.dirname, '../../src/run/index.ts')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const c = sumCase()
  const { page, problems } = await openPage(browser, bundle.outputFiles[0]!.text)
  const got = (await page.evaluate(
    async ({ plan, values, x }) => {
      const { openWebGpu } = (globalThis as unknown as { loaded: Run }).loaded // set by the page
      const webgpu = await openWebGpu()
      const results = await webgpu.runPlan(plan, values, { x: new Float32Array(x) })
      const timing = await webgpu.timePlan(
        plan,
        values,
        { x: new Float32Array(x) },
        { warmup: 1, samples: 3, minSampleNs: 1e5 },
      )
      return { total: Array.from(results['total']!), timing }
    },
    {
      plan: emitPlan(c.plan, { targets: ['wgsl'] }),
      values: c.values,
      x: Array.from(c.arrays['x'] as Float32Array),
    } as never,
  )) as { total: number[]; timing: { ns: number; timer: string; quantumNs: number } }
  expect(errorOf(got.total, c.expected['total']!)).toBeLessThanOrEqual(c.bound)
  expect(got.timing.ns).toBeGreaterThan(0)
  expect(got.timing.quantumNs).toBeGreaterThan(0)
  expect(problems).toEqual([])
})
