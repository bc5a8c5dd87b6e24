// `tesela build`: modules that type-check, bundle one by one, and compute; what is wrong is one sentence and no file.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { folderWith, root, tesela } from '../cli/run.ts'
import { swiftShaderGpu } from '../support/dawn.ts'

const source = `#pragma tesela sizes(n = 4096, m = 64)
static float half(float x) { return x / 2; }
void half_of_rows(int m, int n, const float x[m][n], float factor, float y[n]) {
  for (int j = 0; j < n; j++) {
    float sum = 0;
    for (int i = 0; i < m; i++) sum += x[i][j];
    y[j] = factor * half(sum);
  }
}
void count_up(int n, unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = i;
}
`
/** Inside of the package, so that `tesela` is found by its own name. */
const folder = join(root, 'node_modules/.cache/built')

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'ops.c'), source)
  const r = tesela(['build', 'ops.c', '-o', 'ops', '--budget', '1'], folder)
  expect(r).toMatchObject({ code: 0, err: '' })
  expect(r.out).toMatch(/half_of_rows +[\d.]+ µs predicted on h200, [\d.]+× the bound, one launch/)
  expect(r.out).toContain('ops/index.ts exports all 2')
}, 120_000)

test('a module for each function that no other calls, and an index', () => {
  expect(readdirSync(join(folder, 'ops')).sort()).toEqual(['countUp.ts', 'halfOfRows.ts', 'index.ts'])
})

const use = `import { countUp, halfOfRows } from './ops/index.js'
import { open } from 'tesela/kernels'
const gpu = await open({ gpu: await (globalThis as unknown as { gpuHere(): Promise<GPU> }).gpuHere(), store: null })
const { y } = halfOfRows({ x: gpu.tensor([1, 2, 3, 4, 5, 6], [2, 3]), factor: 2 })
const { y: counted } = countUp({ n: 3 }, { on: gpu })
const floats: Float32Array = await y.read(), whole: Uint32Array = await counted.read()
export const numbers = [...floats, ...whole]
gpu.dispose()
`
const wrong = `import { countUp, halfOfRows } from './ops/index.js'
import type { Tensor } from 'tesela/kernels'
declare const x: Tensor<'f32'>, whole: Tensor<'i32'>
// @ts-expect-error: a scalar is missing
halfOfRows({ x })
// @ts-expect-error: another type
halfOfRows({ x: whole, factor: 1 })
// @ts-expect-error: a size that no shape says
countUp({})
// @ts-expect-error: no such result
halfOfRows({ x, factor: 1 }, { out: { z: x } })
`

test('types say what a call takes', () => {
  writeFileSync(join(folder, 'use.ts'), use)
  writeFileSync(join(folder, 'wrong.ts'), wrong)
  const options = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2023', 'dom', 'esnext.disposable'],
      module: 'nodenext',
      types: ['@webgpu/types'],
      skipLibCheck: true,
    },
    include: ['use.ts', 'wrong.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const run = (): string => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  expect(run()).toBe('')
}, 60_000)

async function bundled(text: string): Promise<string> {
  const r = await build({
    stdin: { contents: text, resolveDir: folder, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
    minify: true,
    tsconfigRaw: {},
    external: ['webgpu', 'node:*'],
  })
  return r.outputFiles[0]!.text // one entry, one output
}

test('they compute without a compiler', async () => {
  const file = join(folder, 'use.js')
  writeFileSync(file, await bundled(use))
  Object.assign(globalThis, { gpuHere: swiftShaderGpu })
  const { numbers } = (await import(pathToFileURL(file).href)) as { readonly numbers: readonly number[] }
  expect(numbers).toEqual([5, 7, 9, 0, 1, 2])
})

test('who uses one loads one, and the run time is small', async () => {
  const text = await bundled(`import { connect, tensor } from 'tesela/kernels'
import { countUp } from './ops/index.js'
globalThis.used = [connect, tensor, countUp]`)
  expect(text).toContain('count_up')
  expect(text).not.toMatch(/half_of_rows|tree-sitter/)
})

const refused: Readonly<Record<string, readonly [files: Record<string, string>, args: string[], says: RegExp]>> = {
  'no file': [{}, ['none.c'], /there is no file none\.c/],
  'no function': [{ 'a.c': 'int x;' }, ['a.c'], /a\.c has no function to build/],
  'one of two is wrong': [
    { 'a.c': `${source}void bad(int n, float x[n]) {\n  x[0] = z;\n}\n` },
    ['a.c', '--budget', '1'],
    /a\.c:14:10: error: z is not declared/,
  ],
  'a type that tensors lack': [
    { 'a.c': 'void f(int n, char x[n]) { x[0] = 1; }' },
    ['a.c'],
    /'x' is char, and tensors/,
  ],
  'no C': [{ 'a.wgsl': '' }, ['a.wgsl'], /a\.wgsl is no C/],
  'two of one name': [
    { 'a.c': 'void a_b(int n, float x[n]) { x[0] = 1; }\nvoid aB(int n, float x[n]) { x[0] = 1; }' },
    ['a.c', '--budget', '1'],
    /a function aB would be a module aB, which another is, too/,
  ],
  'a name that means something': [{ 'a.c': 'void index(int n, float x[n]) { x[0] = 1; }' }, ['a.c'], /a module index/],
  'a folder that is a file': [{ 'a.c': source, ops: '' }, ['a.c'], /ops is a file, not a folder/],
}

test.each(Object.keys(refused))('refused, and nothing written: %s', (name) => {
  const [files, args, says] = refused[name]!,
    cwd = folderWith(files)
  const r = tesela(['build', ...args], cwd)
  expect({ code: r.code, out: r.out }).toEqual({ code: 2, out: '' })
  expect(r.err).toMatch(says)
  expect(existsSync(join(cwd, 'ops')) && readFileSync(join(cwd, 'ops'), 'utf8')).toBe('ops' in files ? '' : false)
})
