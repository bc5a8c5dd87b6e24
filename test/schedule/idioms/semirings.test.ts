// Reductions of pairs that are no sums of products go through the same tiles: which operator joins the pairs, and what
// a pair is, does not matter. From C: simulated with races watched on sizes that are multiples of nothing, of vectors
// and of tiles, and on WebGPU bit by bit, since what they compute is exact on small integers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { parserFiles } from '../../../src/cli/files.ts'
import { emitPlan } from '../../../src/emit/index.ts'
import { parseC } from '../../../src/frontend/c/index.ts'
import type { HostArray } from '../../../src/ir/index.ts'
import { analyse, build, type Analysed } from '../../../src/pipeline.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import { referenceOf } from '../../../src/tune/index.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { verified } from '../support.ts'

type Case = readonly [name: string, type: 'int' | 'float', second: 'B[m][p]' | 'B[p][m]', statement: string]
const cases: readonly Case[] = [
  ['shortest paths', 'int', 'B[m][p]', 'C[i][j] = C[i][j] < A[i][k] + B[k][j] ? C[i][j] : A[i][k] + B[k][j];'],
  ['longest paths', 'float', 'B[p][m]', 'if (A[i][k] + B[j][k] > C[i][j]) C[i][j] = A[i][k] + B[j][k];'],
  ['widest paths', 'float', 'B[m][p]', 'C[i][j] = fmaxf(C[i][j], fminf(A[i][k], B[k][j]));'],
  ['what can be reached', 'int', 'B[m][p]', 'C[i][j] = C[i][j] || (A[i][k] && B[k][j]);'],
  ['what all have', 'int', 'B[p][m]', 'C[i][j] = C[i][j] && (A[i][k] || B[j][k]);'],
  ['sums of distances', 'float', 'B[p][m]', 'C[i][j] += fabsf(A[i][k] - B[j][k]);'],
  ['squares of distances', 'float', 'B[p][m]', 'C[i][j] += (A[i][k] - B[j][k]) * (A[i][k] - B[j][k]);'],
  ['how many differ', 'int', 'B[p][m]', 'C[i][j] += A[i][k] != B[j][k];'],
  ['sums where a mask is set', 'float', 'B[m][p]', 'C[i][j] += A[i][k] > 0 ? B[k][j] : 0;'],
  ['bits that some pair has', 'int', 'B[m][p]', 'C[i][j] |= A[i][k] & B[k][j];'],
  ['products of sums', 'float', 'B[m][p]', 'C[i][j] *= A[i][k] + B[k][j];'],
]
const source = ([
  ,
  type,
  second,
  statement,
]: Case): string => `void pairs(int n, int m, int p, ${type} A[n][m], ${type} ${second}, ${type} C[n][p]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < p; j++) for (int k = 0; k < m; k++) ${statement} }`

/** Each takes a second or two of a driver's compiler. */
const onDevice = new Set([
  'shortest paths',
  'longest paths',
  'what can be reached',
  'squares of distances',
  'sums where a mask is set',
])

const tile = {
  bm: 32,
  bn: 32,
  bk: 8,
  tm: 4,
  tn: 4,
  lanesI: 8,
  lanesJ: 4,
  vector: 4,
  pad: 4,
  prefetch: 1,
  buffers: 2,
  unrollK: 2,
}
const sizes = [
  { n: 39, m: 13, p: 37 },
  { n: 36, m: 12, p: 68 },
  { n: 64, m: 16, p: 32 },
]

let webgpu: Awaited<ReturnType<typeof openWebGpu>>
beforeAll(async () => {
  webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
})
afterAll(() => webgpu.close())

describe.each(cases.map((c) => [c[0], c] as const))('%s', (_, c) => {
  const analysed = async (): Promise<Analysed> => analyse(await parseC(source(c), 'pairs.c', { wasm: parserFiles() }))

  test('in tiles, simulated', async () => {
    const a = await analysed()
    expect(a.parts.map((p) => p.sketch.name)).toEqual(['contraction'])
    for (const point of [
      { ...tile, squares: 1 },
      { ...tile, turn: 1, buffers: 1 },
    ])
      expect(verified(a, [point], sizes)).toMatchObject({ ok: true })
  })

  if (onDevice.has(c[0]))
    test('on WebGPU, every bit', async () => {
      const a = await analysed(),
        plan = emitPlan(build(a, [tile]).plan, { targets: ['wgsl'] })
      for (const [n, values] of sizes.slice(0, 2).entries()) {
        const arrays = few(c, values, n + 1),
          want = referenceOf(a.source, { sizes: values, scalars: {} }, arrays)
        const got = await webgpu.runPlan(plan, { sizes: values, scalars: {} }, arrays)
        expect(Array.from(got['C'] as Float32Array)).toEqual(Array.from(want['C'] as Float64Array))
        expect(new Set(got['C'] as Float32Array).size).toBeGreaterThan(1)
      }
    })
})

/** Small integers, most of them 0 where two values are told apart, and 1 or −2 where they are multiplied. */
function few(
  [name, type]: Case,
  { n, m, p }: { readonly n: number; readonly m: number; readonly p: number },
  seed: number,
): Record<string, HostArray> {
  const r = random(seed)
  const value = (): number => {
    if (name === 'products of sums') return r.int(0, 9) === 0 ? 0 : 0.5
    return name === 'what can be reached'
      ? +(r.int(0, 5) === 0)
      : name === 'what all have'
        ? +(r.int(0, 5) > 0)
        : r.int(-4, 4)
  }
  const filled = (count: number): HostArray => {
    const all = Array.from({ length: count }, value)
    return type === 'int' ? Int32Array.from(all) : Float32Array.from(all)
  }
  return { A: filled(n * m), B: filled(m * p), C: filled(n * p) }
}
