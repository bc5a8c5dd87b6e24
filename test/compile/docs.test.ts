// The examples of docs/own-operations.md run, on the built package: each line that logs shows what the page says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import type * as Tesela from '../../src/kernels.ts'
import { root } from '../cli/run.ts'
import { swiftShaderGpu } from '../support/dawn.ts'

const page = readFileSync(join(root, 'docs/own-operations.md'), 'utf8')
const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((m) => m[1]!) // the pattern has a group

test('the page has examples', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(3)
})

const shown = (value: unknown): unknown =>
  // results are typed arrays
  JSON.parse(JSON.stringify(ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value))

test.each(blocks.map((b, i) => [i, b] as const))(
  'example %d',
  async (_, block) => {
    const { open } = (await import(join(root, 'dist/kernels.js'))) as typeof Tesela
    const wanted = [...block.matchAll(/console\.log\(.*\) *\/\/ → (.*)/g)].map((m) => JSON.parse(m[1]!) as unknown)
    const { code } = await transform(`async function main() {\n${block.replace(/^import .*$/gm, '')}\n}`, {
      loader: 'ts',
      target: 'es2022',
    })
    const logged: unknown[] = []
    const opened: Tesela.Gpu[] = []
    const scope = {
      open: async () => {
        const gpu = await open({ gpu: await swiftShaderGpu(), store: null })
        opened.push(gpu)
        // examples keep nothing on the machine of the tests
        const compile = gpu.compile.bind(gpu)
        return Object.assign(gpu, {
          compile: (text: string, options: object = {}) => compile(text, { budget: 2, ...options, store: null }),
        })
      },
      console: { log: (x: unknown) => logged.push(shown(x)) },
    }
    await new Function(...Object.keys(scope), `${code}\nreturn main()`)(...Object.values(scope))
    expect(logged).toEqual(wanted)
    for (const gpu of opened) gpu.dispose()
  },
  60_000,
)
