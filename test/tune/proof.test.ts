import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import type { Program } from '../../src/ir/index.ts'
import { analyse, build, type Built } from '../../src/pipeline.ts'
import { verificationSizes, verifyPlan, verifyPlans } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const example = (name: string): Promise<Program> =>
  readC(readFileSync(resolve(import.meta.dirname, `../../examples/${name}.c`), 'utf8'))
function top(program: Program): Built {
  const analysed = analyse(program)
  return build(
    analysed,
    analysed.parts.map((p) => p.sketch.ladder[p.sketch.ladder.length - 1]!.point),
  ) // ladders have rungs
}

test('sizes to verify on stay small enough for the reference, batches first', async () => {
  const program = await example('batched-gemm')
  const sets = verificationSizes(program, top(program).plan)
  expect(sets.length).toBeGreaterThanOrEqual(3)
  for (const s of sets) expect(Object.values(s).reduce((n, v) => n * v, 1)).toBeLessThan(2e7)
  expect(sets.some((s) => s['batch']! > 1 && s['n']! > 100)).toBe(true) // every size has a value
  expect(sets.some((s) => s['n']! % 2 === 1)).toBe(true)
})

test('groups are few, so that each has several members', async () => {
  const program = await readC(`void f(int m, int n, int g, float y[m][n]) {
    int s = n / g;
    for (int i = 0; i < m; i++) for (int q = 0; q < g; q++) {
      float t = 0;
      for (int j = q * s; j < (q + 1) * s; j++) t += y[i][j];
      for (int j = q * s; j < (q + 1) * s; j++) y[i][j] -= t / s;
    }
  }`)
  const sets = verificationSizes(program, top(program).plan)
  expect(sets.some(({ n, g }) => g! > 1 && n! / g! > 8)).toBe(true) // every size has a value
})

test('windows stay small, so that there is much to compute', async () => {
  const program =
    await readC(`void conv(int c, int h, int w, int r, int s, float y[h - r + 1][w - s + 1], float x[c][h][w], \
float k[c][r][s]) {
    for (int i = 0; i < h - r + 1; i++) for (int j = 0; j < w - s + 1; j++) {
      float sum = 0;
      for (int l = 0; l < c; l++) for (int u = 0; u < r; u++) for (int v = 0; v < s; v++) sum += x[l][i + u][j + v] \
* k[l][u][v];
      y[i][j] = sum;
    }
  }`)
  const sets = verificationSizes(program, top(program).plan)
  for (const { h, w, r, s } of sets)
    expect([r! <= 7, s! <= 7, h! - r! > 8, w! - s! > 8], JSON.stringify({ h, w, r, s })).toEqual([
      true,
      true,
      true,
      true,
    ]) // every size has a value
  const lags = await readC(
    'void f(int n, int m, float y[m], float x[n]) { for (int j = 0; j < m; j++) { y[j] = 0; for (int i = 0; i ' +
      '< n - m; i++) y[j] += x[i] * x[i + j]; } }',
  )
  for (const { m } of verificationSizes(lags, top(lags).plan)) expect(m).toBeGreaterThan(7)
})

test.each([
  ['y[n]', 'y[i] = 0; for (int k = 0; k < 2 * r + 1; k++) y[i] += w[k] * x[i + k - r];'],
  ['y[n][2 * r + 1]', 'for (int k = 0; k < 2 * r + 1; k++) y[i][k] = w[k] * x[i + k - r];'],
])(
  'one set has arrays with elements and a loop that a ' + 'radius leaves empty, in the others it is not: %s',
  async (y, body) => {
    const read = await readC(
      `void f(int n, int r, float w[2 * r + 1], float x[n], float ${y}) { for (int i = r; i < n - r; i++) { ` +
        `${body} } }`,
    )
    const program: Program = { ...read, sizes: read.sizes.map((s) => (s.name === 'r' ? { ...s, planned: 8 } : s)) }
    // every size has a value
    const extents = verificationSizes(program, top(program).plan).map(({ n, r }) => n! - 2 * r!)
    expect([extents.filter((e) => e <= 0).length, extents.length > 3]).toEqual([1, true])
  },
)

test(
  'the bound of a private accumulator is that of its own ' + 'loop: 49 terms of a 7 × 7 window, not of the image',
  async () => {
    const program = await example('conv2d')
    const v = verifyPlan(program, top(program).plan, [{ n: 21, m: 19 }], gpu('h200'), 1)
    expect(v.why).toBeUndefined()
    expect(v.ok).toBe(true)
    expect(v.bound).toBe((49 + 16) * 2 ** -24)
  },
)

test.each([
  ['pooling', 11, 11],
  ['windows that overlap', 7, 2],
  ['windows with gaps', 3, 8],
])('constants that are extents stay as large as the source asks: %s', async (_, window, stride) => {
  const program = await readC(`#define H 512
#define K ${window}
#define S ${stride}
#define OH ((H - K) / S + 1)
void f(const float x[16][64][H][H], float y[16][64][OH][OH]) {
  for (int n = 0; n < 16; n++) for (int c = 0; c < 64; c++) for (int i = 0; i < OH; i++) for (int j = 0; j < OH; j++) {
    float s = 0;
    for (int u = 0; u < K; u++) for (int v = 0; v < K; v++) s += x[n][c][i * S + u][j * S + v];
    y[n][c][i][j] = s;
  }
}`)
  const sets = verificationSizes(program, top(program).plan),
    extents = sets.flatMap((s) => Object.values(s))
  expect(extents.length).toBeGreaterThan(0)
  for (const n of extents) {
    const last = Math.trunc((n - window) / stride) * stride + window
    expect(last).toBeLessThanOrEqual(n)
  }
})

test('a wrong plan is refused, also one that works in place on its inputs', async () => {
  const halves = (by: string): Promise<Program> =>
    readC(`void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0.5f * A[i] - ${by}; }`)
  const right = await halves('0.25f'),
    wrong = await halves('0.2501f')
  expect(verifyPlan(right, top(right).plan, [{ n: 1003 }], gpu('h200'), 1).ok).toBe(true)
  expect(verifyPlan(right, top(wrong).plan, [{ n: 1003 }], gpu('h200'), 1).why).toMatch(/^A differs by/)
})

test('several plans at once are judged as each alone, whatever they share', async () => {
  const text = (by: string): string =>
    `void f(int n, float A[n], float B[n]) { for (int i = 0; i < n; i++) A[i] = 0.5f * A[i] - ${by}; for (int ` +
    `i = 0; i < n; i++) B[i] = A[i] * A[i]; }`
  const program = await readC(text('0.25f')),
    wrong = await readC(text('0.2501f')),
    analysed = analyse(program)
  const naive = build(
    analysed,
    analysed.parts.map((p) => p.sketch.ladder[0]!.point),
  ).plan
  const claims = [naive, top(wrong).plan, top(program).plan, naive].map((plan, i) => ({
    plan,
    sizes: i === 3 ? [{ n: 67 }, { n: 1003 }] : [{ n: 1003 }, { n: 67 }, { n: 260 }],
  }))
  const together = verifyPlans(program, claims, gpu('h200'), 1)
  expect(together).toEqual(claims.map(({ plan, sizes }) => verifyPlan(program, plan, sizes, gpu('h200'), 1)))
  expect(together.map((v) => v.ok)).toEqual([true, false, true, true])
  expect(together.map((v) => v.sizes.length)).toEqual([3, 1, 3, 2])
})

test('products right of a diagonal, whose tiles start beside the boundary of vectors', async () => {
  const program = await readC(
    'void f(int n, int m, float C[m][m], const float A[n][m]) { for (int i = 0; i < m - 1; i++) for (int j = ' +
      'i + 1; j < m; j++) { float s = 0; for (int k = 0; k < n; k++) s += A[k][i] * A[k][j]; C[i][j] = s; } }',
  )
  const v = verifyPlan(
    program,
    top(program).plan,
    [
      { m: 132, n: 16 },
      { m: 67, n: 65 },
    ],
    gpu('h200'),
    1,
  )
  expect(v.why).toBeUndefined()
  expect(v.ok).toBe(true)
})

test('a turned factor of a product goes through registers in squares, and is written in vectors', async () => {
  const program = await example('gemm-nt'),
    analysed = analyse(program)
  const { plan } = build(
    analysed,
    analysed.parts.map((p) => p.sketch.ladder.find((r) => r.point['squares'] === 1)!.point),
  ) // a rung has it
  const exact = plan.variants[0]!.launches[0]!.kernel // there is one
  let widest = 0
  const walk = (body: typeof exact.body): void =>
    body.forEach((s) => {
      if (s.kind === 'store' && s.address.resource === 'B_tile') widest = Math.max(widest, s.src.length)
      if (s.kind === 'loop') walk(s.body)
      if (s.kind === 'if') {
        walk(s.then)
        walk(s.else)
      }
    })
  walk(exact.body)
  expect(widest).toBe(4)
  const sizes = Object.fromEntries(program.sizes.map((s) => [s.name, 144]))
  expect(verifyPlan(program, plan, [sizes], gpu('h200'), 1).why).toBeUndefined()
})
