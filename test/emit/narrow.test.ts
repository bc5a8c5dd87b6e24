// Elements of 8 and 16 bits that kernels write: words of four or two at once where a thread writes them all, else the
// bits that change, by atomics. Run on SwiftShader and compared with the reference; neighbours in a word are written by
// different threads.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitPlan } from '../../src/emit/index.ts'
import { hostArray, elementsOf, type HostArray } from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { freshArrays, referenceOf } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { swiftShaderGpu } from '../support/dawn.ts'

let webgpu: WebGpu
beforeAll(async () => {
  webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
})
afterAll(() => webgpu.close())

const gradient = `void gradient(int h, int w, const unsigned char in[h][w], unsigned char out[h][w]) {
  for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
    int g = in[y][x + 1] - in[y][x - 1] + 2 * (in[y + 1][x] - in[y - 1][x]);
    out[y][x] = g < 0 ? -g : g; } }`
const shorts =
  'void halves(int n, const short a[n], short b[n]) { for (int i = 0; i < n; i++) b[i] = a[i] - 3 * (i % 5); }'
const bytes =
  'void bytes(int n, const signed char a[n], signed char b[n]) { for (int i = 0; i < n; i++) b[i] = -2 * a[i]; }'
const steps = `void steps(int t, int n, unsigned char a[n][n], unsigned char b[n][n]) { for (int s = 0; s < t; s++) {
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - \
1] + a[i][j + 1]) % 7;
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j]; } }`
const places =
  'int places(const unsigned char a[64], unsigned short b[64]) { short i; int k = 0; for (i = 1; k < 40; i++) ' +
  '{ b[i] = a[i] * 3 + i; k += 1 + (a[i] & 1); } return i; }'

test.each([
  ['a short as a subscript', places, [{}]],
  [
    'an image filter',
    gradient,
    [
      { h: 37, w: 45 },
      { h: 20, w: 64 },
    ],
  ],
  ['shorts', shorts, [{ n: 1 }, { n: 1001 }, { n: 4096 }]],
  ['signed bytes', bytes, [{ n: 3 }, { n: 1001 }, { n: 4096 }]],
  ['in steps of time', steps, [{ t: 3, n: 23 }]],
])('%s', async (_, code, all) => {
  const program = await readC(code),
    a = analyse(program)
  const rungs = Math.max(...a.parts.map((p) => p.sketch.ladder.length))
  for (let r = 0; r < rungs; r++) {
    const { plan } = build(
      a,
      a.parts.map((p) => p.sketch.ladder[Math.min(r, p.sketch.ladder.length - 1)]!.point),
    ) // rungs are at least one
    const text = emitPlan(plan, { targets: ['wgsl'] })
    for (const sizes of all as readonly Record<string, number>[]) {
      const values = { sizes, scalars: {} },
        before = freshArrays(plan.arrays, values, 7 + r)
      for (const x of program.arrays) before[x.name] ??= hostArray(x.type, elementsOf(x, values))
      const want = referenceOf(program, values, before)
      const results: Record<string, HostArray> = await webgpu.runPlan(text, values, before)
      for (const [name, got] of Object.entries(results))
        expect({ r, sizes, name, values: Array.from(got, Number) }).toEqual({
          r,
          sizes,
          name,
          values: Array.from(want[name]!, Number),
        })
    }
  }
})
