// Wrapper modules: type-checked by tsc in strict mode, then executed on SwiftShader at several sizes, on typed arrays
// and on buffers, against double precision. What they refuse, they refuse in a sentence.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { transform } from 'esbuild'
import { emitPlan, emitTypeScript } from '../../src/emit/index.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { allCases, copyCase, errorOf, matmulCase, sumCase, type Case } from './plans.ts'

const cache = resolve(import.meta.dirname, '../../node_modules/.cache')
let folder = '',
  webgpu: WebGpu

const moduleOf = (c: Case): string =>
  emitTypeScript(emitPlan(c.plan, { targets: ['wgsl'] }), { header: [`${c.plan.name}, for a test`] }).text

beforeAll(async () => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'wrappers-'))
  for (const [name, make] of Object.entries(allCases)) writeFileSync(join(folder, `${name}.ts`), moduleOf(make()))
  webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
})
afterAll(() => {
  webgpu.close()
  rmSync(folder, { recursive: true, force: true })
})

test('every wrapper compiles in strict mode, alone', () => {
  const options = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2023', 'DOM'],
    types: ['@webgpu/types'],
    noEmit: true,
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
  const run = spawnSync(
    process.execPath,
    [resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc'), '-p', folder],
    { encoding: 'utf8' },
  )
  expect(run.stdout + run.stderr).toBe('')
  expect(run.status).toBe(0)
})

type Exports = Record<string, (...args: unknown[]) => Promise<Record<string, ArrayLike<number>>>>

async function load(c: Case): Promise<{ run: Exports[string]; onGpu: Exports[string] }> {
  const { code } = await transform(moduleOf(c), { loader: 'ts', format: 'esm' })
  const path = join(folder, `${c.plan.name}-${Math.abs(JSON.stringify(c.values).length)}.mjs`)
  writeFileSync(path, code)
  const exports = (await import(/* @vite-ignore */ path)) as Exports // what the module declares
  const name = emitTypeScript(emitPlan(c.plan, { targets: ['wgsl'] })).entry
  return { run: exports[name]!, onGpu: exports[`${name}OnGpu`]! } // declared by every wrapper
}

const argumentsOf = (c: Case): Record<string, unknown> => ({ ...c.values.sizes, ...c.values.scalars, ...c.arrays })

describe('results', () => {
  test.each(Object.entries(allCases))('%s', async (_, make) => {
    const c = make()
    const { run } = await load(c)
    const results = await run(argumentsOf(c), { device: webgpu.device })
    for (const [name, want] of Object.entries(c.expected))
      expect(errorOf(results[name]!, want), name).toBeLessThanOrEqual(c.bound)
  })
  test('one module, several sizes, both variants', async () => {
    const { run } = await load(sumCase())
    for (const n of [1, 128, 129, 3001]) {
      const c = sumCase(n)
      const results = await run(argumentsOf(c), { device: webgpu.device })
      expect(errorOf(results['total']!, c.expected['total']!), `${n}`).toBeLessThanOrEqual(c.bound)
    }
  })
  test('an output that is given is filled', async () => {
    const c = copyCase(7),
      y = new Float32Array(7)
    const { run } = await load(c)
    expect((await run({ ...argumentsOf(c), y }, { device: webgpu.device }))['y']).toBe(y)
    expect(Array.from(y)).toEqual(Array.from(c.expected['y']!))
  })
  test('buffers stay on the GPU', async () => {
    const { device } = webgpu,
      c = copyCase(1001)
    const { onGpu } = await load(c)
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST
    const x = device.createBuffer({ size: 4016, usage }),
      y = device.createBuffer({ size: 4016, usage }),
      out = device.createBuffer({ size: 4016, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
    device.queue.writeBuffer(x, 0, c.arrays['x']! as Float32Array<ArrayBuffer>)
    await onGpu(device, { n: 1001, x, y })
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(y, 0, out, 0, 4016)
    device.queue.submit([encoder.finish()])
    await out.mapAsync(GPUMapMode.READ)
    expect(Array.from(new Float32Array(out.getMappedRange(), 0, 1001))).toEqual(Array.from(c.expected['y']!))
    const small = device.createBuffer({ size: 4008, usage })
    await expect(onGpu(device, { n: 1001, x: small, y })).rejects.toThrow('x must have at least 4016 bytes, not 4008')
  })
})

test('refusals are sentences', async () => {
  const c = matmulCase()
  const { run } = await load(c)
  const given = argumentsOf(c),
    device = { device: webgpu.device }
  await expect(run({ ...given, A: new Float32Array(3) }, device)).rejects.toThrow(
    'A must have at least 1517 elements, not 3',
  )
  await expect(run({ ...given, B: new Int32Array(41 * 53) }, device)).rejects.toThrow(
    'B must be a Float32Array, not a Int32Array',
  )
  await expect(run({ ...given, m: -1 }, device)).rejects.toThrow(/^m must be an integer from 1 to 214\d{7}, not -1$/)
  await expect(run({ ...given, A: undefined }, device)).rejects.toThrow('A is missing; it has 1517 elements')
  await expect(
    run({ m: 65536, n: 1, depth: 32768, A: new Float32Array(1), B: new Float32Array(32768) }, device),
  ).rejects.toThrow(/^A would have 2147483648 elements, and kernels count at most 214\d{7}$/)
  await expect(
    run({ m: 1, n: 2 ** 21, depth: 1, A: new Float32Array(1), B: new Float32Array(2 ** 21) }, device),
  ).rejects.toThrow('kernel matmul needs 131072 workgroups along x, and this device allows 65535')
})
