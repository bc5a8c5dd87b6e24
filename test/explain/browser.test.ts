// `tesela/explain` in a real browser: the same JSON as in Node, byte for byte, for every example and a GPU of each kind
// of rule; and nothing of Node in what a page loads.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import type * as Explain from '../../src/explain.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { root } from '../cli/run.ts'
import { someOf } from '../support/long.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const folder = join(root, 'examples/wgsl')
const names = someOf(readdirSync(folder).filter((f) => f.endsWith('.wgsl')))
interface Case {
  readonly text: string
  readonly file: string
  readonly launch: Explain.ExplainLaunch
  readonly gpu: string
}

function caseOf(file: string, gpu: string): Case {
  const launch = JSON.parse(readFileSync(join(folder, file.replace('.wgsl', '.launch.json')), 'utf8')) as {
    grid: number[]
  } // our own files
  const [x = 1, y = 1, z = 1] = launch.grid
  return { text: readFileSync(join(folder, file), 'utf8'), file, launch: { ...launch, grid: [x, y, z] }, gpu }
}
const cases = [
  ...names.map((f) => caseOf(f, 'h200')),
  ...['gt200', 'fermi', 'cdna3', 'intel-xe', 'adreno'].map((g) => caseOf('transpose-tiled.wgsl', g)),
  ...['particles.wgsl', 'reduce-race.wgsl'].map((f) => caseOf(f, 'portable')),
]

/** Runs in Node and, as text, in the page. */
function explainAll(t: typeof Explain, all: readonly Case[]): string[] {
  return all.map(({ text, file, launch, gpu }) => {
    const report =
      gpu === 'portable'
        ? t.explainPortable({ text, file }, launch, {})
        : t.explain({ text, file }, launch, { gpu: t.gpu(gpu) })
    return JSON.stringify({ report, sarif: t.explainSarif(report, '0.1.0'), lines: t.explainLines(report) })
  })
}

test('a page explains as Node does, byte for byte', async () => {
  const bundle = await build({
    stdin: { contents: `export * from 'tesela/explain'`, resolveDir: root },
    tsconfigRaw: {}, // the package, not the sources that the paths of tsconfig.json name
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  expect(Object.values(bundle.metafile.outputs).flatMap((o) => o.imports)).toEqual([])
  const { page, problems } = await openPage(browser, bundle.outputFiles[0]!.text) // one entry, one output
  const there = (await page.evaluate(
    `(${explainAll.toString()})(globalThis.loaded, ${JSON.stringify(cases)})`,
  )) as string[] // what the function gives
  const library = (await import(join(root, 'dist/explain.js'))) as typeof Explain // built from it
  const here = explainAll(library, cases)
  expect(there).toHaveLength(cases.length)
  for (const [i, text] of here.entries()) expect(there[i], `${cases[i]!.file} on ${cases[i]!.gpu}`).toBe(text)
  expect(problems).toEqual([])
})
