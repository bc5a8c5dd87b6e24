// Loops whose distance or length halves, as textbooks write trees, wavelets, scans and transforms: parallel parts with
// the host's loop around them, the last iterations in one block, and the source's results at sizes with and without the
// first iterations.
import { describe, expect, test } from 'vitest'
import { executions } from '../../../src/ir/index.ts'
import { emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { verificationSizes } from '../../../src/tune/proof/proof-sizes.ts'
import { readC } from '../../c/read.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { verified } from '../support.ts'

const sizes = '#pragma tesela sizes(n = 1048576)\n'

type Case = readonly [name: string, text: string, sketches: readonly string[]]
const cases: readonly Case[] = [
  [
    'a tree',
    'void f(int n, float *a) { for (int s = n / 2; s > 0; s >>= 1) for (int i = 0; i < s; i++) a[i] += a[i + s]; }',
    ['elementwise', 'one-block'],
  ],
  [
    'a tree of maxima',
    'void f(int n, float *x) { int d = n >> 1; while (d >= 1) { for (int t = 0; t < d; ++t) x[t] = x[t] > x[t ' +
      '+ d] ? x[t] : x[t + d]; d >>= 1; } }',
    ['elementwise', 'one-block'],
  ],
  [
    'a tree whose places double',
    'void f(int n, int *x) { for (int s = n >> 1, off = 1; s > 0; s >>= 1, off *= 2) for (int t = 0; t < s; ' +
      't++) x[off * (2 * t + 2) - 1] += x[off * (2 * t + 1) - 1]; }',
    ['per-iteration', 'one-block'],
  ],
  [
    'a wavelet through a temporary',
    'void f(int n, float *x, float *t) { for (int len = n; len > 1; len /= 2) { int h = len / 2; for (int i = ' +
      '0; i < h; i++) { t[i] = (x[2 * i] + x[2 * i + 1]) * 0.5f; t[h + i] = (x[2 * i] - x[2 * i + 1]) * 0.5f; ' +
      '} for (int i = 0; i < 2 * h; i++) x[i] = t[i]; } }',
    ['per-iteration', 'elementwise', 'one-block'],
  ],
  [
    'down the tree of a scan',
    'void f(int n, int *x) { for (int d = n / 2; d > 0; d /= 2) for (int i = 0; i + 2 * d <= n; i += 2 * d) { ' +
      'int t = x[i + d - 1]; x[i + d - 1] = x[i + 2 * d - 1]; x[i + 2 * d - 1] += t; } }',
    ['per-iteration'],
  ],
  [
    'differences of halves, block by block',
    'void f(int n, float *x) { for (int h = n / 2; h > 0; h /= 2) for (int i = 0; i < n; i += 2 * h) for (int ' +
      'j = i; j < i + h; j++) { float a = x[j], b = x[j + h]; x[j] = a + b; x[j + h] = a - b; } }',
    ['per-iteration'],
  ],
  [
    'differences of halves, by quotients',
    'void f(int n, float *x) { for (int h = n >> 1; h >= 1; h >>= 1) for (int k = 0; k < n / 2; k++) { int j ' +
      '= k % h, u = (k - j) * 2 + j; float a = x[u], b = x[u + h]; x[u] = a + b; x[u + h] = a - b; } }',
    ['per-iteration'],
  ],
]

describe('halving', () => {
  test.each(cases)('%s', async (_, text, sketches) => {
    const a = analyse(await readC(sizes + text))
    expect(a.parts.map((p) => p.sketch.name)).toEqual(sketches)
    const points = a.parts.map((p) => p.sketch.ladder.at(-1)!.point)
    const given = [16, 64, 100].map((n) =>
      Object.fromEntries(a.source.sizes.map((s) => [s.name, s.name === 'n' ? n : 2 * n])),
    )
    const v = verified(a, points, given)
    expect({ ok: v.ok, why: v.why }).toEqual({ ok: true, why: undefined })
  })

  test('what only large sizes launch is proved at one', async () => {
    const p = await readC(sizes + cases[0]![1]),
      a = analyse(p),
      { plan } = build(
        a,
        a.parts.map((x) => x.sketch.ladder.at(-1)!.point),
      )
    const launched = (sizes: Readonly<Record<string, number>>): number =>
      new Set([...executions(plan.variants.at(-1)!, { sizes, scalars: {} })].map((e) => e.position)).size
    const all = verificationSizes(p, plan)
    expect([launched({ n: 331, a_length: 662 }), Math.max(...all.map(launched))]).toEqual([1, 2])
    expect(
      verified(
        a,
        a.parts.map((x) => x.sketch.ladder.at(-1)!.point),
        all.slice(-1),
      ).ok,
    ).toBe(true)
  })

  test('iterations that meet stay in order', async () => {
    // blocks overlap: a step reaches into the next block
    const overlapping =
      'void f(int n, float *x) { for (int h = n / 2; h > 0; h /= 2) for (int i = 0; i + 2 * h < n; i += h) { ' +
      'float a = x[i], b = x[i + h]; x[i] = a + b; x[i + h] = a - b; } }'
    const a = analyse(await readC(overlapping))
    expect(a.parts.map((p) => p.sketch.name)).not.toContain('per-iteration')
    const beyond =
      'void f(int n, int *x) { for (int h = n >> 1; h >= 1; h >>= 1) for (int k = 0; k < n / 2; k++) { int j ' +
      '= k % h, u = (k - j) * 2 + j; x[u] += x[u + 2 * h]; } }'
    expect(analyse(await readC(beyond)).parts.map((p) => p.sketch.name)).not.toContain('per-iteration')
  })
})

test('a tree through nvcc', async () => {
  const a = analyse(await readC(sizes + cases[0]![1]))
  const plan = emitPlan(
    build(
      a,
      a.parts.map((x) => x.sketch.ladder.at(-1)!.point),
    ).plan,
    { targets: ['cuda'] },
  )
  if (nvccAvailable()) expect(compileCuda(emitCudaLauncher(plan).text).length).toBeGreaterThan(0)
})
