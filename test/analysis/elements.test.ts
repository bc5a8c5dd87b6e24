// What elements of integer arrays may be where they choose subscripts and ends of loops.
import { expect, test } from 'vitest'
import { elementRanges } from '../../src/analysis/index.ts'
import { planValue } from '../../src/ir/index.ts'
import { verificationSizes, verifyPlan } from '../../src/tune/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { readC } from '../c/read.ts'

async function ranges(
  code: string,
  sizes: Record<string, number>,
): Promise<Record<string, readonly [number, number, boolean]>> {
  const found = elementRanges(await readC(code))
  return Object.fromEntries(
    [...found].map(([name, r]) => [
      name,
      [planValue(r.low, { sizes, scalars: {} }), planValue(r.high, { sizes, scalars: {} }), r.sorted],
    ]),
  )
}

const rows = `void f(int n, int z, const int row[n + 1], const int col[z], const float v[z], const float x[n], \
float y[n]) {
  for (int i = 0; i < n; i++) { float s = 0; for (int k = row[i]; k < row[i + 1]; k++) s += v[k] * x[col[k]]; y[i] \
= s; } }`

test.each<[string, string, Record<string, number>, Record<string, readonly [number, number, boolean]>]>([
  [
    'a gather',
    'void f(int n, int m, const int p[n], const float x[m], float y[n]) { for (int i = 0; i < n; i++) y[i] = ' +
      'x[p[i]]; }',
    { n: 5, m: 9 },
    { p: [0, 9, false] },
  ],
  [
    'a window around what data choose',
    'void f(int n, int m, const int p[n], const float x[m], float y[n]) { for (int i = 0; i < n; i++) { y[i] ' +
      '= 0; for (int k = 0; k < 3; k++) y[i] += x[p[i] + k - 1]; } }',
    { n: 5, m: 9 },
    { p: [1, 8, false] },
  ],
  [
    'a local, and two places',
    'void f(int n, int m, const int p[n], const float x[m], float y[n]) { for (int i = 0; i < n; i++) { int k ' +
      '= p[i]; y[i] = x[k + 2] - x[k]; } }',
    { n: 5, m: 9 },
    { p: [0, 7, false] },
  ],
  [
    'backwards and in steps',
    'void f(int n, int m, const int p[n], const float x[m], const float z[m], float y[n]) { for (int i = 0; i ' +
      '< n; i++) y[i] = x[m - 1 - p[i]] + z[2 * p[i] + 1]; }',
    { n: 5, m: 9 },
    { p: [0, 4, false] },
  ],
  ['compressed rows', rows, { n: 4, z: 11 }, { row: [0, 12, true], col: [0, 4, false] }],
])('%s', async (_, code, sizes, expected) => expect(await ranges(code, sizes)).toEqual(expected))

test('a product with compressed rows and a scatter are proved on data that stay inside', async () => {
  const scattered =
    'void f(int n, int m, const int p[n], const float x[n], float y[m]) { for (int i = 0; i < n; i++) y[p[i]] = x[i]; }'
  for (const code of [rows, scattered]) {
    const program = await readC(code),
      a = analyse(program)
    const { plan } = build(
      a,
      a.parts.map((p) => p.sketch.ladder.at(-1)!.point),
    )
    const v = verifyPlan(program, plan, verificationSizes(program, plan), gpu('h200'), 1)
    expect(v).toMatchObject({ ok: true })
    expect(Math.max(...v.sizes.map((s) => s['n']!))).toBeGreaterThan(200) // not made smaller until nothing is left
  }
})
