// `tesela/ops` in a bundle of the built package: who uses one operation loads one, and what runs it is small.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../cli/run.ts'
import { buildArguments, indexText, measuredRows, pageWithTables, readings, rooms, rowsOf } from '../../tools/ops.ts'
import { folderWith, tesela } from '../cli/run.ts'

const text = (
  await build({
    stdin: {
      contents: `import { connect, tensor } from 'tesela/kernels'
import { rmsNorm } from 'tesela/ops'
globalThis.used = [connect, tensor, rmsNorm]`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
    logLevel: 'error',
    tsconfigRaw: {}, // the package, not the sources that the paths of tsconfig.json name
    plugins: [
      {
        name: 'apart',
        setup: (b) => {
          b.onResolve({ filter: /./ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          )
        },
      },
    ],
  })
).outputFiles[0]!.text // one entry, one output

test('one operation, the library that runs it, and nothing else', () => {
  expect(text).toContain('rms_norm')
  expect(text).not.toMatch(/layer_norm|csr_product|tree-sitter|node:/)
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(15_000)
})

test('the index and the tables are of what is there', () => {
  expect(readFileSync(join(root, 'src/ops/index.ts'), 'utf8')).toBe(indexText())
  const page = readFileSync(join(root, 'docs/ops.md'), 'utf8')
  expect(pageWithTables(page) === page, 'npx tsx tools/ops.ts tables').toBe(true)
})

test('readings are of operations that are there, at the sizes they were planned for, and right', () => {
  const planned = new Map(
    rooms()
      .flatMap(rowsOf)
      .map((r) => [r.name, r.planned]),
  )
  expect(readings().length).toBeGreaterThanOrEqual(80)
  for (const r of readings()) {
    expect(
      Object.entries(r.sizes)
        .map(([name, n]) => `${name} = ${n}`)
        .join(', '),
    ).toBe(planned.get(r.name))
    expect(r.error, r.name).toBeLessThan(1e-3)
    expect(r.us, r.name).toBeGreaterThan(0)
  }
})

test('beside PyTorch eager the collection is faster on the whole, and what is much slower is named', () => {
  const rows = measuredRows().map(({ reading: r }) => ({ name: r.name, ratio: r.eagerUs / r.us }))
  const mean = Math.exp(rows.reduce((sum, r) => sum + Math.log(r.ratio), 0) / rows.length)
  expect(mean).toBeGreaterThan(1.2)
  const page = readFileSync(join(root, 'docs/ops.md'), 'utf8')
  for (const { name, ratio } of rows.filter((r) => r.ratio < 0.7))
    expect(page).toContain(`\`${name}\` (${ratio.toFixed(2)})`)
})

test('modules are what `tesela build` makes of the C today', () => {
  expect(rooms()).toContain('sparse')
  const out = folderWith({})
  expect(tesela([...buildArguments('sparse', out)])).toMatchObject({ code: 0, err: '' })
  for (const file of ['index.ts', 'csrProduct.ts'])
    expect(readFileSync(join(out, file), 'utf8')).toBe(readFileSync(join(root, 'src/ops/sparse/made', file), 'utf8'))
}, 60_000)
