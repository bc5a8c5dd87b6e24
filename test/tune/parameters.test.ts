// Parameters are what the caller gives: each line is a C function and calls of it, run by the emitted wrapper on
// SwiftShader and compared with what C computes. Sizes of 0, flags and offsets of any value, arrays that are longer
// than what is reached, and the sentences where a value is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { transform } from 'esbuild'
import { emitCudaLauncher, emitTypeScript } from '../../src/emit/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { runsOn } from '../../src/ir/index.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { optimize, type Optimized } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { someOf } from '../support/long.ts'

type Given = Readonly<Record<string, number | Float32Array | Int32Array>>
type Run = (given: Given, options?: { readonly device: GPUDevice }) => Promise<Record<string, ArrayLike<number>>>

let folder = '',
  webgpu: WebGpu,
  made = 0

beforeAll(async () => {
  const cache = resolve(import.meta.dirname, '../../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'parameters-'))
  webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
})
afterAll(() => {
  webgpu.close()
  rmSync(folder, { recursive: true, force: true })
})

const optimized = async (source: string): Promise<Optimized> =>
  optimize(await readC(source), { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })

/** The wrapper of `source` on SwiftShader. */
async function wrapper(source: string): Promise<Run> {
  const emitted = emitTypeScript((await optimized(source)).plan)
  const { code } = await transform(emitted.text, { loader: 'ts', format: 'esm' }),
    path = join(folder, `${made++}.mjs`)
  writeFileSync(path, code)
  const exports = (await import(/* @vite-ignore */ path)) as Record<string, Run> // what the module declares
  return (given) => exports[emitted.entry]!(given, { device: webgpu.device })
}

const floats = (...values: number[]): Float32Array => new Float32Array(values)
const listed = (a: ArrayLike<number> | undefined): number[] => Array.from(a ?? [])
const nine = (n: number): Float32Array => new Float32Array(n).fill(9)

describe('flags and offsets keep all their values', () => {
  test.each(someOf([-3, 0, 1, 2]))('skip = %i of a first iteration', async (skip) => {
    const run = await wrapper(
      'void f(const float *x, float *y, int skip, int n) { for (int i = (skip ? 1 : 0); i < n; i++) y[i] = x[i]; }',
    )
    expect(listed((await run({ skip, n: 3, x: floats(1, 2, 3), y: nine(3) }))['y'])).toEqual([skip ? 9 : 1, 2, 3])
  })
  test.each([-1, 0, 1])('first = %i of a pointer', async (first) => {
    const run = await wrapper(
      'void f(float *x, const float *y, int first, int n) { float *p = x + (first ? 1 : 0); for (int i = 0; i ' +
        '< n; i++) p[2 * i] = y[i]; }',
    )
    expect(listed((await run({ first, n: 2, x: nine(4), y: floats(1, 2) }))['x'])).toEqual(
      first ? [9, 1, 9, 2] : [1, 9, 2, 9],
    )
  })
  test.each([-1, 0, 5])('swap = %i of two halves', async (swap) => {
    const run = await wrapper(
      'void f(float *x, const float *y, int swap, int n) { int a = swap ? n : 0, b = swap ? 0 : n; for (int i ' +
        '= 0; i < n; i++) { x[a + i] = y[i]; x[b + i] = 2 * y[i]; } }',
    )
    expect(listed((await run({ swap, n: 2, x: nine(4), y: floats(1, 2) }))['x'])).toEqual(
      swap ? [2, 4, 1, 2] : [1, 2, 2, 4],
    )
  })
  test.each(
    someOf([
      [-1, [2]],
      [0, [1, 2, 3]],
      [1, [0, 1, 2, 3, 0]],
    ]),
  )('pad = %i of a row', async (pad, want) => {
    const run = await wrapper(
      'void f(int n, int pad, const float x[n], float *y) { for (int i = 0; i < n + 2 * pad; i++) { int j = i ' +
        '- pad; y[i] = j < 0 || j >= n ? 0 : x[j]; } }',
    )
    expect(listed((await run({ pad, n: 3, x: floats(1, 2, 3), y: nine(want.length) }))['y'])).toEqual(want)
  })
  test('a parameter that no kernel needs stays in the interface', async () => {
    const p = await readC('void f(int n, int m, float *y) { for (int i = 0; i < n; i++) y[i] = m * 0 > 1 ? 1 : 2; }')
    expect([...p.sizes, ...p.scalars].map((s) => s.name).sort()).toEqual(['m', 'n'])
  })
  test('what an integer is divided by is at least 1, but where a condition asks first', async () => {
    const of = async (e: string): Promise<number> =>
      (
        await readC(`void f(int n, int s, float *y, const float *x) { for (int i = 0; i < n; i++) y[i] = x[${e}]; }`)
      ).sizes.find((z) => z.name === 's')!.min
    expect([await of('i / s'), await of('s ? i / s : 0'), await of('i + s')]).toEqual([1, -(2 ** 31), -(2 ** 31)])
  })
})

describe('sizes of 0', () => {
  test('nothing is launched, and arrays may be empty', async () => {
    const run = await wrapper('void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }')
    expect(listed((await run({ n: 0, x: floats(), y: floats() }))['y'])).toEqual([])
    expect(listed((await run({ n: 0, x: floats(), y: nine(2) }))['y'])).toEqual([9, 9])
    expect(listed((await run({ n: 1, x: floats(4), y: nine(2) }))['y'])).toEqual([4, 9])
    await expect(run({ n: -1, x: floats(), y: floats() })).rejects.toThrow(
      /^n must be an integer from 0 to 214\d{7}, not -1$/,
    )
  })
  test('a product of no terms is a matrix of zeros', async () => {
    const run = await wrapper(
      'void f(int n, int m, int k, const float *a, const float *b, float *c) { for (int i = 0; i < n; i++) ' +
        'for (int j = 0; j < m; j++) { float s = 0; for (int l = 0; l < k; l++) s += a[i*k+l] * b[l*m+j]; ' +
        'c[i*m+j] = s; } }',
    )
    expect(listed((await run({ n: 2, m: 2, k: 0, a: floats(), b: floats(), c: nine(4) }))['c'])).toEqual([0, 0, 0, 0])
    expect(listed((await run({ n: 2, m: 0, k: 1, a: floats(1, 2), b: floats(), c: nine(1) }))['c'])).toEqual([9])
    expect(listed((await run({ n: 1, m: 1, k: 1, a: floats(3), b: floats(5), c: nine(2) }))['c'])).toEqual([15, 9])
  })
  test('a sum of nothing is 0', async () => {
    const run = await wrapper(
      'float f(int n, const float *x) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }',
    )
    expect(listed((await run({ n: 0, x: floats() }))['result'])).toEqual([0])
  })
  test('two lengths that are negative make no work', async () => {
    const run = await wrapper(
      'void f(int h, int w, const float x[h][w], float y[h][w]) { for (int i = 0; i < h - 2; i++) for (int j ' +
        '= 0; j < w - 2; j++) y[i][j] = x[i + 1][j + 1]; }',
    )
    expect(listed((await run({ h: 1, w: 1, x: floats(1), y: nine(1) }))['y'])).toEqual([9])
  })
})

describe('arrays', () => {
  test('are as long as what is reached, each for itself', async () => {
    const run = await wrapper(
      'void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i + 1] - x[i]; }',
    )
    expect(listed((await run({ n: 2, x: floats(1, 3, 7), y: nine(2) }))['y'])).toEqual([2, 4])
    expect(listed((await run({ n: 2, x: floats(1, 3, 7, 8), y: nine(3) }))['y'])).toEqual([2, 4, 9])
    await expect(run({ n: 2, x: floats(1, 3), y: nine(2) })).rejects.toThrow('x must have at least 3 elements, not 2')
  })
})

test.each([-1, 1, 2])('an array walked in steps of %i is as long as its farther end', async (stride) => {
  const run = await wrapper(
    'void f(int n, int base, int stride, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = ' +
      'x[base + i * stride]; }',
  )
  const x = floats(1, 2, 3, 4, 5),
    base = stride < 0 ? 4 : 0
  const want = [0, 1, 2].map((i) => x[base + i * stride]!)
  expect(listed((await run({ n: 3, base, stride, x, y: nine(3) }))['y'])).toEqual(want)
})

describe("WebGPU's limits", () => {
  test('a schedule that needs more has one beside it that runs everywhere', async () => {
    const { plan } = await optimized(
      '#pragma tesela sizes(n = 1024, m = 4096)\nvoid f(int n, int m, const float *x, float *y) { for (int i ' +
        '= 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += x[i*m+j]; y[i] = s; } }',
    )
    expect(plan.variants.some((v) => v.when === null && runsOn(v))).toBe(true)
  })
  test('the CUDA host function checks the same', async () => {
    const { plan } = await optimized(
      'void f(int n, int off, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] + off; }',
    )
    expect(emitCudaLauncher(plan).text).toMatch(/if \(n < 0 \|\| n > 214\d{7}/)
    expect(emitCudaLauncher(plan).text).toContain('if (n < 1) return cudaSuccess;')
  })
})
