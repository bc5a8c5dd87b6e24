// The examples of docs/library.md and docs/cookbook.md run: every block of code, each line that logs compared with what the page says it shows.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import * as library from '../../src/kernels/index.ts'
import { reference } from '../../tools/api.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { openSoftware } from './language.ts'

const blocksOf = (page: string): readonly string[] =>
  [...readFileSync(resolve(import.meta.dirname, '../../docs', page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map((m) => m[1]!) // the pattern has a group
const blocks = [...blocksOf('library.md'), ...blocksOf('cookbook.md')]

const shown = (value: unknown): unknown => JSON.parse(JSON.stringify(ArrayBuffer.isView(value) ? [...value as Float32Array] : value)) // results are typed arrays

test('the pages have examples', () => { for (const p of ['library.md', 'cookbook.md']) expect(blocksOf(p).length).toBeGreaterThanOrEqual(7) })

test('the reference is what the sources say', () => {
  expect(readFileSync(resolve(import.meta.dirname, '../../docs/api.md'), 'utf8') === reference(), 'npx tsx tools/api.ts').toBe(true)
  const text = reference()
  for (const name of Object.keys(library)) expect(text).toContain(`\n## ${name}\n`)
  expect(text).toContain('explain(f: () => unknown')
})

test.each(blocks.map((b) => [b.split('\n').find((l) => l.includes('gpu.') || l.includes('core')) ?? b, b]))('%s', async (_, block) => {
  const wanted = [...block.matchAll(/console\.log\(.*\) *\/\/ → (.*)/g)].map((m) => JSON.parse(m[1]!)) // the pattern has a group
  const { code } = await transform(`async function main() {\n${block.replace(/^import .*$/gm, '')}\n}`, { loader: 'ts', target: 'es2022' })
  const logged: unknown[] = []
  const gpu = await openSoftware()
  const scope = { ...library, gpu, open: openSoftware, connect: async () => library.connect({ gpu: await swiftShaderGpu() }), console: { log: (x: unknown) => logged.push(shown(x)) } }
  await new Function(...Object.keys(scope), `${code}\nreturn main()`)(...Object.values(scope))
  expect(logged).toEqual(wanted)
  gpu.dispose()
})
