// `gpu.compile` of the built package, as programs use it: in Node and in a page of Chromium, from a thread of its own.
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import type * as Tesela from '../../src/kernels.ts'
import { root } from '../cli/run.ts'
import { openBrowser } from '../support/browser.ts'
import { swiftShaderGpu } from '../support/dawn.ts'

const softmax = `#include <math.h>
void softmax(int rows, int n, const float x[rows][n], float y[rows][n]) {
  for (int r = 0; r < rows; r++) {
    float top = -INFINITY;
    for (int i = 0; i < n; i++) top = fmaxf(top, x[r][i]);
    float sum = 0;
    for (int i = 0; i < n; i++) sum += expf(x[r][i] - top);
    for (int i = 0; i < n; i++) y[r][i] = expf(x[r][i] - top) / sum;
  }
}`
const gather = `void gather(int n, int width, int count, const float x[n][width], const int place[count],
            float y[count][width]) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < width; j++) y[i][j] = x[place[i]][j];
}`
const parts = [0.09003, 0.24473, 0.66524]

test('Node: the caller goes on meanwhile, and what was made is kept', async () => {
  const { open } = (await import(join(root, 'dist/kernels.js'))) as typeof Tesela
  const gpu = await open({ gpu: await swiftShaderGpu(), store: null })
  const kept = new Map<string, string>(),
    asked: string[] = []
  const store = {
    place: 'this test',
    read: async (name: string) => {
      asked.push(name)
      return kept.get(name) ?? null
    },
    write: async (name: string, text: string) => {
      kept.set(name, text)
    },
  }
  let longest = 0,
    last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  const [f] = await Promise.all([
    gpu.compile(softmax, { store, budget: 2 }),
    gpu.compile(softmax, { store, budget: 2 }), // the same work
  ])
  clearInterval(timer)
  expect(longest).toBeLessThan(1000) // two cores, and others at work
  expect(kept.size).toBe(1)
  expect(f.report).toMatchObject({ name: 'softmax', kernels: [{ name: 'softmax', launches: 1 }] })
  expect(f.report.verified.maxRelativeError).toBeLessThan(f.report.verified.bound)
  const { y } = f({ x: gpu.tensor([1, 2, 3, 1, 2, 3], [2, 3]) })
  const got = await y!.read()
  for (const [i, v] of got.entries()) expect(v).toBeCloseTo(parts[i % 3]!, 4)
  await expect(gpu.compile('void f(int n, float x[n]) {\n  x[0] = z;\n}', { file: 'mine.c' })).rejects.toMatchObject({
    name: 'CompileError',
    problems: [{ code: 'c.name', file: 'mine.c', line: 2, column: 10 }],
  })
  await expect(gpu.compile(softmax, { budgets: 3 } as object)).rejects.toThrow('compile has no option budgets')
  await expect(gpu.compile(softmax, { gpu: 'h20' })).rejects.toThrow("no GPU profile is called 'h20'")
  await expect(gpu.compile(gather, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  gpu.dispose()
}, 120_000)

test('Node: what a store holds is taken without a compiler, and what it holds of another is not', async () => {
  const { open } = (await import(join(root, 'dist/kernels.js'))) as typeof Tesela
  const gpu = await open({ gpu: await swiftShaderGpu(), store: null })
  const texts: string[] = []
  const store = {
    place: 'this test',
    read: async () => texts[0] ?? null,
    write: async (_: string, text: string) => {
      texts.push(text)
    },
  }
  const none = (): never => {
    throw new Error('a worker is asked for')
  }
  const source = 'void twice(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }'
  const { data } = await gpu.compile(source, { store, budget: 1, file: 'twice.c' })
  const other = 'void half(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = x[i] / 2; }'
  expect((await gpu.compile(other, { store, worker: none })).data).toEqual(data) // this store has one text for all
  texts[0] = '{"data":{"format":0},"report":{}}'
  expect((await gpu.compile(other, { store, budget: 1 })).data.name).toBe('half')
  gpu.dispose()
}, 120_000)

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' }

test('a page: a softmax and a gather of its own, kept in IndexedDB', async () => {
  const page = await browser.newPage(),
    problems: string[] = [],
    asked: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const html =
    '<!doctype html><title>t</title><link rel="icon" href="data:,"><script type="module">' +
    `import * as m from '/dist/kernels.js'; globalThis.loaded = m</script>`
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url()),
      contentType = types[extname(pathname)]
    asked.push(pathname)
    return contentType === undefined
      ? route.fulfill({ contentType: 'text/html', body: html })
      : route.fulfill({ contentType, body: readFileSync(join(root, pathname)) })
  })
  const run = async (): Promise<{ readonly got: readonly number[][]; readonly longest: number }> => {
    await page.goto('https://tesela.test/')
    await page.waitForFunction(() => 'loaded' in globalThis)
    return page.evaluate(
      async ([first, second]) => {
        const { open } = (globalThis as unknown as { loaded: typeof Tesela }).loaded // set by the page
        const gpu = await open({ store: null })
        let longest = 0,
          last = performance.now()
        const timer = setInterval(() => {
          longest = Math.max(longest, performance.now() - last)
          last = performance.now()
        }, 5)
        const soft = await gpu.compile(first!, { budget: 2 })
        const gathered = await gpu.compile(second!, { budget: 2 })
        clearInterval(timer)
        const x = gpu.tensor([1, 2, 3, 1, 2, 3], [2, 3])
        const { y } = soft({ x })
        const rows = gathered({ x, place: gpu.tensor([1, 1, 0], [3], 'i32') })['y']!
        const got = [[...(await y!.read())], [...(await rows.read())]]
        gpu.dispose()
        return { got, longest }
      },
      [softmax, gather],
    )
  }
  const first = await run()
  expect(first.got[0]!.map((v) => Number(v.toFixed(5)))).toEqual([...parts, ...parts])
  expect(first.got[1]).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
  expect(first.longest).toBeLessThan(1000)
  expect(asked).toContain('/dist/compile-worker.js')
  asked.length = 0
  expect((await run()).got).toEqual(first.got)
  expect(asked).not.toContain('/dist/compile-worker.js')
  expect(problems).toEqual([])
}, 240_000)
