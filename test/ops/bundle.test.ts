// `tesela/ops` in a bundle of the built package: who uses one operation loads one, and what runs it is small.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../cli/run.ts'
import { buildArguments, indexText, opsTable, rooms, withTable } from '../../tools/ops.ts'
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
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(18_400)
})

test('the index and the table are of what is there', () => {
  expect(readFileSync(join(root, 'src/ops/index.ts'), 'utf8')).toBe(indexText())
  const page = readFileSync(join(root, 'docs/ops.md'), 'utf8')
  expect(withTable(page, opsTable()) === page, 'npx tsx tools/ops.ts').toBe(true)
})

test('modules are what `tesela build` makes of the C today', () => {
  expect(rooms()).toContain('sparse')
  const out = folderWith({})
  expect(tesela([...buildArguments('sparse', out)])).toMatchObject({ code: 0, err: '' })
  for (const file of ['index.ts', 'csrProduct.ts'])
    expect(readFileSync(join(out, file), 'utf8')).toBe(readFileSync(join(root, 'src/ops/sparse/made', file), 'utf8'))
}, 60_000)
