// The library in a real browser, from the built package as a page would import it; and what its import costs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import type * as Tesela from '../../../src/kernels.ts'
import { root } from '../../cli/run.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { bundle } from './bundle.ts'
import { numbers } from '../language.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a page multiplies, reduces, transposes and maps', async () => {
  const { page, problems } = await openPage(browser, await bundle(`export { open } from 'tesela/kernels'`))
  const a = numbers([37, 21])
  const got = await page.evaluate(
    async (list) => {
      const { open } = (globalThis as unknown as { loaded: typeof Tesela }).loaded // set by the page
      const gpu = await open()
      const x = gpu.tensor(list, [37, 21])
      const c = gpu.matmul(x, x, { transposeB: true, activation: 'relu' })
      const result = {
        trace: [...(await gpu.sum(gpu.map('x * x', { x })).read())],
        product: [...(await c.read())].slice(0, 40),
        turned: [...(await gpu.transpose(x).read())].slice(0, 37),
        tuning: gpu.core.tuning,
      }
      gpu.dispose()
      return result
    },
    [...a],
  )
  expect(got.turned).toEqual(Array.from({ length: 37 }, (_, i) => a[21 * i]))
  expect(got.trace[0]).toBeCloseTo(
    a.reduce((s, v) => s + v * v, 0),
    3,
  )
  const dot = (i: number, j: number): number =>
    Array.from({ length: 21 }, (_, k) => a[21 * i + k]! * a[21 * j + k]!).reduce((s, v) => s + v, 0)
  got.product.forEach((v, n) => expect(v).toBeCloseTo(Math.max(0, dot(Math.floor(n / 37), n % 37)), 4))
  expect(got.tuning).toBe('software')
  expect(problems).toEqual([])
})

test('a page without a bundler, a worker, and choices kept in IndexedDB', async () => {
  const page = await browser.newPage(),
    problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const worker = `import { open } from '/dist/kernels.js'
self.onmessage = async ({ data }) => { const gpu = await open(); self.postMessage([...await \
gpu.sum(gpu.tensor(data, [2, 3]), { axes: 1 }).read()]); gpu.dispose() }`
  const pages: Readonly<Record<string, string>> = {
    '/worker.js': worker,
    '/':
      `<!doctype html><title>t</title><link rel="icon" href="data:,"><script type="module">import * as m from ` +
      `'/dist/kernels.js'; globalThis.loaded = m</script>`,
  }
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    return route.fulfill({
      contentType: pathname.endsWith('.js') ? 'text/javascript' : 'text/html',
      body: pages[pathname] ?? readFileSync(join(root, pathname), 'utf8'),
    })
  })
  await page.goto('https://tesela.test/')
  await page.waitForFunction(() => 'loaded' in globalThis)
  const got = await page.evaluate(async () => {
    const { open } = (globalThis as unknown as { loaded: typeof Tesela }).loaded // set by the page
    const sums = await new Promise<number[]>((resolve, reject) => {
      const made = new Worker('/worker.js', { type: 'module' })
      made.onmessage = (e) => resolve(e.data as number[]) // what the worker sends
      made.onerror = (e) => reject(new Error(e.message))
      made.postMessage([1, 2, 3, 4, 5, 6])
    })
    const first = await open(),
      tuned = await first.tune({ only: ['map 4096'] })
    first.dispose()
    const second = await open(),
      known = [...second.core.tuned.keys()]
    second.dispose()
    return { sums, place: tuned.place, points: tuned.entries.map((e) => e.point), known }
  })
  expect(got).toEqual({ sums: [6, 15], place: "IndexedDB 'tesela'", points: ['map 4096'], known: ['map 4096'] })
  expect(problems).toEqual([])
}, 60_000)

test('matmul alone is small, and nothing of the compiler or of Node comes along', async () => {
  const text = await bundle(
    `import { connect, tensor, matmul } from 'tesela/kernels'; globalThis.used = [connect, tensor, matmul]`,
    true,
  )
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(31_300)
  expect(text).not.toMatch(/node:|tree-sitter/)
  expect(text.match(/import\("[^"]*"\)/g)?.map((part) => part.replace(/.*\/|-\w+(?=\.js)|"\)$/g, ''))).toEqual([
    'dawn.js',
    'matrices.js',
  ])
})

test('open with every operation, before what tunes, compiles and explains is loaded', async () => {
  const text = await bundle(`import { open } from 'tesela/kernels'; globalThis.used = [open]`, true, /operations/)
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(83_700)
})

test('what a page loads before it opens a device: open, and no operation', async () => {
  const text = await bundle(`import { open } from 'tesela/kernels'; globalThis.used = [open]`, true)
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(11_500)
  expect(
    text
      .match(/import\("[^"]*"\)/g)
      ?.map((part) => part.replace(/.*\/|-\w+(?=\.js)|"\)$/g, ''))
      .sort(),
  ).toEqual(['compile.js', 'dawn.js', 'explained.js', 'matrices.js', 'operations.js', 'table.js', 'tune.js', 'tune.js'])
})
