// How long an array must be: as long as every access says that can be told, and where data choose, as long as the
// caller's is.
import { expect, test } from 'vitest'
import { emitTypeScript } from '../../src/emit/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { openWebGpu } from '../../src/run/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { typeStripper } from '../campaign/strip.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { printExpr, type Program } from '../../src/ir/index.ts'
import { readC as read } from './read.ts'

/** Extents of `x`, and whether data may reach past them; also of the program for the other answer of a flag. */
async function lengthOf(body: string): Promise<string> {
  const program = await read(`void f(int n, int flag, const int *place, float *y, const float *x) { ${body} }`)
  const words = (p: Program): string => {
    const x = p.arrays.find((a) => a.name === 'x')!
    return `${x.shape.map(printExpr).join(', ')}${x.isOpenEnded ? ' or more' : ''}`
  }
  return program.otherwise ? `${words(program)}; otherwise ${words(program.otherwise)}` : words(program)
}

test.each([
  ['for (int i = flag ? 1 : 0; i < n; i++) y[i] = x[flag ? i : n + 2 - i];', 'n; otherwise n + 3'],
  ['for (int i = flag ? 1 : 0; i < n; i++) y[i] = x[i + 1] + x[flag ? i : n + 2 - i];', 'n + 1; otherwise n + 3'],
  ['for (int i = flag ? 2 : 1; i < n; i++) y[i] = x[i + 1] + x[n - i];', 'n + 1'],
  [
    'for (int i = 0; i < n; i += 2) if (!(i >= i)) y[i] = 3; else y[i] = x[i > 0 ? i - 1 : 0];',
    'max(1, (n + 1) / 2 * 2 - 2)',
  ],
  [
    'for (int i = 0; i < n; i += 3) if (i >= place[i]) y[i] = 1; else y[i] = x[i > 0 ? i - 1 : 0];',
    'max(1, (n + 2) / 3 * 3 - 3)',
  ],
  ['for (int i = 0; i < n; i += 2) y[i] = x[i] + x[i + 1];', '(n + 1) / 2 * 2'],
  ['for (int i = 0; i < n; i++) y[i] = x[i / 4];', '(n + 3) / 4'],
  ['for (int i = 0; i < n; i++) if (place[i] > i) y[i] = x[i * 2 + (i > 0)];', 'n, 2'],
  [
    'for (int i = 0; i < n; i++) for (int j = 0; j < flag; j++) y[i] = x[i * flag + j / 2] + x[i * flag + j];',
    'n, flag',
  ],
  ['for (int i = 0; i < n; i++) if (i < flag) y[i] = x[i + (i > 7)];', 'n + 1'],
  ['for (int i = 0; i < n; i++) y[i] = x[i] + x[place[i]];', 'n or more'],
  ['for (int i = 0; i < n; i++) y[i] = x[i] + x[place[i] & 7];', 'max(n, 8)'],
])('%s', async (body, length) => {
  expect(await lengthOf(body)).toBe(length)
})

test('what nothing bounds reaches as far as the array of the caller; alone it is for the caller to say', async () => {
  const loop = 'for (int i = 0; i < n; i++)'
  expect(await lengthOf(`${loop} y[i] = x[i] + x[(i * flag) / (n + 1)];`)).toBe('n or more')
  expect(await lengthOf(`${loop} y[i] = x[(i * flag) / (n + 1)];`)).toBe('x_length')
})

type Wrapper = (given: object, options: object) => Promise<Record<string, Float32Array>>

test('what data reach past the extents is there, in plans and in wrappers', async () => {
  const program = await read(`void f(int n, const int *place, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] + x[place[i]];
  }`)
  const { plan } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  const n = 7,
    place = Int32Array.from({ length: n }, (_, i) => 3 * i),
    x = Float32Array.from({ length: 3 * n }, (_, i) => i + 1)
  const want = Array.from(place, (p, i) => i + 1 + p + 1)
  const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
  try {
    const made = await webgpu.runPlan(plan, { sizes: { n }, scalars: {} }, { place, x })
    expect(Array.from(made['y']!, Number)).toEqual(want)
    const { text, entry } = emitTypeScript(plan),
      strip = await typeStripper()
    const module: { exports: Record<string, Wrapper> } = { exports: {} }
    new Function('module', 'exports', strip(text))(module, module.exports)
    const results = await module.exports[entry]!({ n, place, x }, { device: webgpu.device })
    expect(Array.from(results['y']!)).toEqual(want)
  } finally {
    webgpu.close()
  }
})
