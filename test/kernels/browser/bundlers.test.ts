// The package in other people's builds: Vite and webpack make a page that imports the library, small, and the page
// computes in Chromium. In: the built package. What esbuild makes of it: browser.test.ts.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { root } from '../../cli/run.ts'
import { openBrowser } from '../../support/browser.ts'

/** Inside of the package, so that `tesela` is found by its own name. */
const folder = join(root, 'node_modules/.cache/bundlers')
const page =
  '<!doctype html><title>t</title><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>'
const pages: Readonly<Record<string, string>> = {
  product: `import { connect, matmul, tensor } from 'tesela/kernels'
const gpu = await connect()
const x = tensor(gpu, [1, 2, 3, 4, 5, 6], [2, 3])
globalThis.product = [...await matmul(gpu, x, x, { transposeB: true }).read()]
`,
  open: `import { open } from 'tesela/kernels'
globalThis.before = performance.getEntriesByType('resource').filter((e) => e.name.endsWith('.js')).length
const gpu = await open({ store: null })
const x = gpu.tensor([1, 2, 3, 4, 5, 6], [2, 3])
globalThis.product = [...await gpu.matmul(x, x, { transposeB: true }).read()]
`,
  compile: `import { open } from 'tesela/kernels'
import { compiler } from 'tesela/compile'
const gpu = await open({ store: null })
const twice = await gpu.compile(
  'void twice(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }',
  { worker: compiler, store: null, budget: 1 },
)
globalThis.product = [...await twice({ x: gpu.tensor([7, 16, 16, 38.5]) }).y.read()]
`,
}

let browser: Browser
beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, main] of Object.entries(pages)) {
    mkdirSync(join(folder, name))
    for (const [file, text] of Object.entries({ 'main.js': main, 'index.html': page }))
      writeFileSync(join(folder, name, file), text)
  }
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const builds: Readonly<Record<string, (from: string, out: string) => Promise<void>>> = {
  Vite: async (from, out) => {
    const { build } = await import('vite')
    await build({
      root: from,
      base: './',
      logLevel: 'error',
      configFile: false,
      build: { outDir: out, target: 'es2022', modulePreload: false },
    })
  },
  webpack: async (from, out) => {
    const { default: webpack } = await import('webpack')
    const stats = await new Promise<import('webpack').Stats | undefined>((resolve, reject) =>
      webpack(
        {
          mode: 'production',
          target: ['web', 'es2022'],
          context: from,
          entry: './main.js',
          experiments: { outputModule: true },
          output: { path: out, filename: 'main.js', module: true },
          performance: { hints: false },
          // a part that these pages do not ask for, and that takes the minifier ten seconds
          plugins: [new webpack.IgnorePlugin({ resourceRegExp: /explained/ })],
          // a minute for the compiler
          optimization: { minimize: !from.endsWith('compile') },
        },
        (error, done) => (error ? reject(error) : resolve(done)),
      ),
    )
    expect(stats?.toJson({ errors: true, warnings: true })).toMatchObject({ errors: [], warnings: [] })
    writeFileSync(join(out, 'index.html'), page)
  },
}

/** Every file below, by its path there. */
const filesOf = (out: string): Readonly<Record<string, Buffer>> =>
  Object.fromEntries(
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile())
      .map((f) => {
        const path = join(f.parentPath, f.name)
        return [path.slice(out.length), readFileSync(path)]
      }),
  )

const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((n, text) => n + gzipSync(text, { level: 9 }).length, 0)

const typeOf = (path: string): string =>
  ({ '.js': 'text/javascript', '.wasm': 'application/wasm' })[extname(path)] ?? 'text/html'

interface Shown {
  readonly product: number[]
  readonly loaded: readonly string[]
  /** How many of them were there when the page began, where it says so. */
  readonly before: number
  readonly files: readonly string[]
}

/** What the page that a bundler made of `pages[name]` computes, the scripts that it asked for, and all files. */
async function shownBy(bundler: string, name: string): Promise<Shown> {
  const out = join(folder, `${name}-${bundler}`)
  await builds[bundler]!(join(folder, name), out)
  const files = filesOf(out),
    loaded: string[] = []
  const shown = await browser.newPage(),
    problems: string[] = []
  shown.on('pageerror', (error) => problems.push(error.message))
  await shown.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url()),
      body = files[pathname === '/' ? '/index.html' : pathname]
    if (pathname.endsWith('.js')) loaded.push(body?.toString('utf8') ?? '')
    return body === undefined
      ? route.fulfill({ status: 404, body: '' })
      : route.fulfill({ contentType: typeOf(pathname), body })
  })
  await shown.goto('https://tesela.test/')
  await shown.waitForFunction(() => 'product' in globalThis, undefined, { timeout: 60_000 })
  // the page sets them
  const { product, before } = await shown.evaluate(() => {
    const { product, before } = globalThis as unknown as { product: number[]; before?: number }
    return { product, before: before ?? 0 }
  })
  expect(problems).toEqual([])
  await shown.close()
  return { product, loaded, before, files: Object.keys(files) }
}

test.each(Object.keys(builds))('%s: a page with a product of matrices, and no more than that', async (bundler) => {
  const { product, loaded, files } = await shownBy(bundler, 'product')
  expect(product).toEqual([14, 32, 32, 77])
  // What the page asked for: webpack also writes what `explain` would load.
  const bytes = bytesOf(loaded)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(32_400)
  expect(loaded.join()).not.toMatch(/node:|tree-sitter|multiplicative|libsvm/)
  expect(files.filter((f) => f.endsWith('.wasm'))).toEqual([])
}, 60_000)

test.each(
  Object.keys(builds),
)('%s: a page with everything, which is loaded while the device is asked for', async (bundler) => {
  const { product, loaded, before } = await shownBy(bundler, 'open')
  expect(product).toEqual([14, 32, 32, 77])
  expect(before).toBeGreaterThan(0)
  expect(bytesOf(loaded.slice(0, before))).toBeLessThan(15_000)
  expect(bytesOf(loaded)).toBeLessThan(90_600)
  expect(loaded.some((text) => text.includes('tree-sitter'))).toBe(false)
}, 60_000)

test.each(Object.keys(builds))('%s: a page that compiles', async (bundler) => {
  const { product, files } = await shownBy(bundler, 'compile')
  expect(product).toEqual([14, 32, 32, 77])
  expect(files.filter((f) => f.endsWith('.wasm'))).toHaveLength(2)
}, 120_000)
