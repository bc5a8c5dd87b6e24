// The examples of docs/library.md run: every block of code, each line that logs compared with what the page says it shows.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import * as library from '../../src/kernels/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { openSoftware } from './language.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/library.md'), 'utf8')
const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((m) => m[1]!) // the pattern has a group

const shown = (value: unknown): unknown => JSON.parse(JSON.stringify(ArrayBuffer.isView(value) ? [...value as Float32Array] : value)) // results are typed arrays

test('the page has examples', () => expect(blocks.length).toBeGreaterThanOrEqual(7))

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
