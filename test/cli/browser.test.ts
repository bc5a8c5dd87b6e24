// `tesela/optimize` in a real browser: C is read, scheduled, simulated and proved in a page, and what comes out is
// measured on the page's own WebGPU.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import type * as Tesela from '../../src/optimize.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { root } from './run.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const require = createRequire(import.meta.url)
const base64 = (path: string): string => readFileSync(require.resolve(path)).toString('base64')
const source =
  'void axpy(int n, float a, const float *x, float *y) {\n  for (int i = 0; i < n; i++) y[i] += a * x[i];\n}\n'

test('a page optimizes C and measures the result', async () => {
  const bundle = await build({
    stdin: { contents: `export * from 'tesela/optimize'`, resolveDir: root },
    tsconfigRaw: {}, // the package, not the sources that the paths of tsconfig.json name
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  const { page, problems } = await openPage(browser, bundle.outputFiles[0]!.text) // one entry, one output
  const files = {
    runtime: base64('web-tree-sitter/web-tree-sitter.wasm'),
    grammar: base64('tree-sitter-c/tree-sitter-c.wasm'),
  }
  const got = await page.evaluate(
    async ({ files, source }) => {
      const t = (globalThis as unknown as { loaded: typeof Tesela }).loaded // set by the page
      const bytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
      const program = await t.parseC(source, 'axpy.c', {
        wasm: { runtime: bytes(files.runtime), grammar: bytes(files.grammar) },
        defines: { n: '2000' },
      })
      const measure = await t.openMeasurer('webgpu')
      const result = await t.optimize(program, {
        gpu: t.gpu('h200'),
        targets: ['wgsl'],
        budget: 2,
        measured: 1,
        measure,
      })
      measure.close()
      return {
        ok: result.verified.ok,
        files: t.outputFiles(result, ['wgsl'], 'axpy.c').map((f) => f.name),
        ns: result.kernels[0]?.measured?.ns ?? 0,
      }
    },
    { files, source },
  )
  expect(got.ok).toBe(true)
  expect(got.files).toContain('axpy.wgsl')
  expect(got.files).toContain('axpy.ts')
  expect(got.ns).toBeGreaterThan(0)
  expect(problems).toEqual([])
})
