// The package in other people's builds: Vite and webpack make a page that imports the library, small, and the page
// computes in Chromium. In: the built package. What esbuild makes of it: browser.test.ts.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { root } from '../../cli/run.ts'
import { openBrowser } from '../../support/browser.ts'

/** Inside of the package, so that `tesela` is found by its own name. */
const folder = join(root, 'node_modules/.cache/bundlers')
const page =
  '<!doctype html><title>t</title><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>'
const main = `import { connect, matmul, tensor } from 'tesela/kernels'
const gpu = await connect()
const x = tensor(gpu, [1, 2, 3, 4, 5, 6], [2, 3])
globalThis.product = [...await matmul(gpu, x, x, { transposeB: true }).read()]
`

let browser: Browser
beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({ 'main.js': main, 'index.html': page }))
    writeFileSync(join(folder, name), text)
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const builds: Readonly<Record<string, (out: string) => Promise<void>>> = {
  Vite: async (out) => {
    const { build } = await import('vite')
    await build({
      root: folder,
      base: './',
      logLevel: 'error',
      configFile: false,
      build: { outDir: out, target: 'es2022', modulePreload: false },
    })
  },
  webpack: async (out) => {
    const { default: webpack } = await import('webpack')
    const stats = await new Promise<import('webpack').Stats | undefined>((resolve, reject) =>
      webpack(
        {
          mode: 'production',
          target: ['web', 'es2022'],
          context: folder,
          entry: './main.js',
          experiments: { outputModule: true },
          output: { path: out, filename: 'main.js', module: true },
          performance: { hints: false },
        },
        (error, done) => (error ? reject(error) : resolve(done)),
      ),
    )
    expect(stats?.toJson({ errors: true, warnings: true })).toMatchObject({ errors: [], warnings: [] })
    writeFileSync(join(out, 'index.html'), page)
  },
}

/** Every file below, by its path there. */
const filesOf = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile())
      .map((f) => {
        const path = join(f.parentPath, f.name)
        return [path.slice(out.length), readFileSync(path, 'utf8')]
      }),
  )

test.each(
  Object.keys(builds),
)('%s: a page with a product of matrices, and no more of the library than that', async (name) => {
  const out = join(folder, name)
  await builds[name]!(out)
  const files = filesOf(out),
    loaded: string[] = []
  const shown = await browser.newPage(),
    problems: string[] = []
  shown.on('pageerror', (error) => problems.push(error.message))
  await shown.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url()),
      text = files[pathname === '/' ? '/index.html' : pathname]
    if (pathname.endsWith('.js')) loaded.push(text ?? '')
    return text === undefined
      ? route.fulfill({ status: 404, body: '' })
      : route.fulfill({ contentType: pathname.endsWith('.js') ? 'text/javascript' : 'text/html', body: text })
  })
  await shown.goto('https://tesela.test/')
  await shown.waitForFunction(() => 'product' in globalThis)
  // the page sets it
  expect(await shown.evaluate(() => (globalThis as unknown as { product: number[] }).product)).toEqual([14, 32, 32, 77])
  expect(problems).toEqual([])
  // What the page asked for: webpack also writes what `explain` would load.
  const bytes = loaded.reduce((n, text) => n + gzipSync(text, { level: 9 }).length, 0)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(33_000)
  expect(loaded.join()).not.toMatch(/node:|tree-sitter|multiplicative|libsvm/)
  await shown.close()
}, 60_000)
