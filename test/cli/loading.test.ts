// The built package as others load it: Node by `import` and by `require`, and TypeScript with libraries checked
// (`skipLibCheck: false`) for both ways to resolve modules. Builds of bundlers are in test/kernels/browser.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './run.ts'

/** Inside of the package, so that `tesela` is found by its own name. */
const folder = join(root, 'node_modules/.cache/loading')
beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const node = (flag: string, text: string): string =>
  execFileSync(process.execPath, [flag, '-e', text], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

test.each([
  'tesela',
  'tesela/kernels',
  'tesela/occupancy',
  'tesela/explain',
  'tesela/optimize',
  'tesela/html',
])('Node loads %s by import', (name) => {
  const found = node('--input-type=module', `import * as m from '${name}'; console.log(Object.keys(m).length > 0)`)
  expect(found).toBe('true\n')
})

test.runIf('require_module' in process.features)('Node loads the library by require', () => {
  const found = node('--input-type=commonjs', `console.log(typeof require('tesela/kernels').matmul)`)
  expect(found).toBe('function\n')
})

const program = `import { open, TeselaError, type Tensor } from 'tesela'
import { connect, matmul, tensor } from 'tesela/kernels'
import { gpu as profile, occupancy } from 'tesela/occupancy'
const gpu = await open()
const whole: Tensor<'i32'> = gpu.tensor(new Int32Array([1, 2]))
const sums: Tensor<'u32'> = gpu.sum(gpu.tensor(new Uint32Array([1, 2])), { axis: 0 })
const mean: Tensor<'f32'> = gpu.mean(whole)
const flags: Tensor<'i32'> = gpu.map('x > 1', { x: whole })
const bytes: Tensor<'f32'> = gpu.tensor(new Uint8ClampedArray(4))
const core = await connect()
const product = matmul(core, tensor(core, [1], [1, 1]), tensor(core, [1], [1, 1]))
const numbers: Float32Array = await product.read({ into: new Float32Array(1) })
export { bytes, flags, gpu, mean, numbers, sums, TeselaError }
export const warps: number = occupancy(profile('gt200'), { threads: 256, registers: 16, shared: 0 }).activeWarps
// @ts-expect-error an option that is not there
gpu.sum(whole, { axs: 0 })
`

test.each(['nodenext', 'preserve'])('TypeScript takes the types with libraries checked, module %s', (module) => {
  writeFileSync(join(folder, 'use.ts'), program)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    module,
    target: 'es2022',
    lib: ['es2022', 'dom', 'esnext.disposable'],
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const said = ((): string => {
    try {
      return execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    } catch (error) {
      return String((error as { readonly stdout?: unknown }).stdout)
    }
  })()
  expect(said).toBe('')
})
