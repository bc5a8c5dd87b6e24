// The examples of docs/library.md and docs/cookbook.md run: every block of code, each line that logs compared with what
// the page says it shows.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import * as library from '../../src/kernels/index.ts'
import { reference } from '../../tools/api.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { openSoftware } from './language.ts'

const blocksOf = (page: string): readonly string[] =>
  [...readFileSync(resolve(import.meta.dirname, '../../docs', page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
    (m) => m[1]!,
  ) // the pattern has a group
const blocks = [...blocksOf('library.md'), ...blocksOf('cookbook.md')]

const shown = (value: unknown): unknown =>
  // results are typed arrays
  JSON.parse(JSON.stringify(ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value))

test('the pages have examples', () => {
  for (const p of ['library.md', 'cookbook.md']) expect(blocksOf(p).length).toBeGreaterThanOrEqual(7)
})

test('the reference is what the sources say', () => {
  expect(
    readFileSync(resolve(import.meta.dirname, '../../docs/api.md'), 'utf8') === reference(),
    'npx tsx tools/api.ts',
  ).toBe(true)
  const text = reference()
  for (const name of Object.keys(library)) expect(text).toContain(`\n## ${name}\n`)
  expect(text).toContain('explain(f: () => unknown')
})

test('the examples have types', () => {
  const root = resolve(import.meta.dirname, '../..'),
    folder = mkdtempSync(resolve(root, 'node_modules/.cache/pages-')),
    source = `'${root}/src/kernels.ts'`
  const files = blocks.map((block, i) => {
    const imports = [...block.matchAll(/^import .*$/gm)]
      .map(([line]) => line.replace(/'tesela(\/kernels)?'/, source))
      .join('\n')
    const own = block.includes('using gpu') ? '' : `declare const gpu: import(${source}).Gpu`
    writeFileSync(
      resolve(folder, `${i}.ts`),
      `${imports}\n${own}\nexport async function main() {\n${block.replace(/^import .*$/gm, '')}\n}`,
    )
    return `${i}.ts`
  })
  const compilerOptions = { noUncheckedIndexedAccess: false, noUnusedLocals: false } // examples are short
  writeFileSync(
    resolve(folder, 'tsconfig.json'),
    JSON.stringify({ extends: `${root}/tsconfig.json`, compilerOptions, files, include: [`${root}/src/**/*.d.ts`] }),
  )
  const { stdout } = spawnSync(process.execPath, [resolve(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(stdout).toBe('')
}, 60_000)

test.each(
  blocks.map((b) => [b.split('\n').find((l) => l.includes('gpu.') || l.includes('core')) ?? b, b]),
)('%s', async (_, block) => {
  // the pattern has a group
  const wanted = [...block.matchAll(/console\.log\(.*\) *\/\/ → (.*)/g)].map((m) => JSON.parse(m[1]!))
  const { code } = await transform(`async function main() {\n${block.replace(/^import .*$/gm, '')}\n}`, {
    loader: 'ts',
    target: 'es2022',
  })
  const logged: unknown[] = []
  const gpu = await openSoftware()
  const scope = {
    ...library,
    gpu,
    open: openSoftware,
    connect: async () => library.connect({ gpu: await swiftShaderGpu() }),
    console: { log: (x: unknown) => logged.push(shown(x)) },
  }
  await new Function(...Object.keys(scope), `${code}\nreturn main()`)(...Object.values(scope))
  expect(logged).toEqual(wanted)
  gpu.dispose()
})
