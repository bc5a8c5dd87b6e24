// What importing the package costs in a browser: size after minifying, and that nothing of Node comes along.
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from './run.ts'

interface Bundle {
  readonly bytes: number
  readonly external: readonly string[]
  readonly text: string
}

async function bundle(source: string): Promise<Bundle> {
  const r = await build({
    stdin: { contents: source, resolveDir: root },
    tsconfigRaw: {}, // the package, not the sources that the paths of tsconfig.json name
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const external = Object.values(r.metafile.outputs)
    .flatMap((o) => o.imports)
    .filter((i) => i.external)
    .map((i) => i.path)
  return { bytes: r.outputFiles[0]!.text.length, external, text: r.outputFiles[0]!.text } // one entry, one output
}

test('tesela/occupancy is small and stands alone', async () => {
  const b = await bundle(
    `import { occupancy, gpu } from 'tesela/occupancy'; globalThis.found = occupancy(gpu('gt200'), { threads: ` +
      `256, registers: 16, shared: 4096 }).activeWarps`,
  )
  expect(b.external).toEqual([])
  expect(b.bytes).toBeLessThan(32_900)
  const sandbox: { found?: number } = {}
  new Function('globalThis', b.text)(sandbox)
  expect(sandbox.found).toBe(32)
})

test('tesela as a whole gives up what is not used', async () => {
  const [part, whole] = [
    await bundle(`import { occupancy } from 'tesela'; occupancy`),
    await bundle(`import * as tesela from 'tesela'; console.log(tesela)`),
  ]
  expect(part.bytes).toBeLessThan(30_000)
  expect(whole.bytes).toBeLessThan(2_590_000)
})

test('tesela/explain needs nothing of Node', async () => {
  const b = await bundle(`import { explain, explainLines } from 'tesela/explain'; console.log(explain, explainLines)`)
  expect(b.external).toEqual([])
  expect(b.bytes).toBeLessThan(786_000)
  expect(b.text).not.toMatch(/from\s*["']node:/)
})

test('tesela/optimize needs nothing of Node', async () => {
  const b = await bundle(
    `import { optimize, parseC, openMeasurer } from 'tesela/optimize'; console.log(optimize, parseC, openMeasurer)`,
  )
  expect(b.external).toEqual([])
  expect(b.bytes).toBeLessThan(1_780_000)
  expect(b.text).not.toMatch(/from\s*["']node:/)
})

test('tesela/study and tesela/html need nothing of Node; a component alone is small', async () => {
  const study = await bundle(
    `import { runStudy, experimentNamed } from 'tesela/study'; import { studyHtml } from 'tesela/html'; ` +
      `console.log(runStudy, experimentNamed, studyHtml)`,
  )
  expect(study.external).toEqual([])
  expect(study.bytes).toBeLessThan(973_500)
  expect(study.text).not.toMatch(/from\s*["']node:/)
  const part = await bundle(`import { occupancyPanel } from 'tesela/html'; console.log(occupancyPanel)`)
  expect(part.bytes).toBeLessThan(100_500)
})
