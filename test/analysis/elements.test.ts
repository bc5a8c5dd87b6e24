// What elements of integer arrays may be where they choose subscripts and ends of loops.
import { expect, test } from 'vitest'
import { elementRanges } from '../../src/analysis/index.ts'
import { planValue, printExpr } from '../../src/ir/index.ts'
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

test('links lead on in their own array, and what a loop compares with ends the walk', async () => {
  const p = await readC(
    `void f(int n, int trees, int nodes, const int *tree, const int *left, int *y) {
      for (int i = 0; i < n; i++) { int s = 0;
        for (int t = 0; t < trees; t++) {
          int k = 0, m = 0;
          while (left[t * nodes + k] >= 0) k = left[t * nodes + k];
          while (tree[2 * m] != -1) m = tree[2 * m + (k & 1)];
          s += k + tree[2 * m + 1];
        }
        y[i] = s; } }`,
  )
  const found = elementRanges(p),
    of = (name: string): unknown => {
      const { link, last } = found.get(name)!
      return {
        step: link?.step,
        row: link?.row && printExpr(link.row),
        last: last && printExpr(last.value),
        offset: last?.offset,
      }
    }
  expect(of('left')).toEqual({ step: 1, row: 'nodes', last: '-1', offset: undefined })
  expect(of('tree')).toEqual({ step: 1, row: undefined, last: '-1', offset: 0 }) // pairs: tree[m][k & 1]
})

test('digits of one subscript: rows of a table, and a column of one', async () => {
  const code = `void f(int n, int len, const unsigned char *text, const int *delta, int *y) {
    for (int i = 0; i < n; i++) { int s = 0;
      for (int j = 0; j < len; j++) s = delta[s * 26 + text[i * len + j]];
      y[i] = s; } }`
  const found = await ranges(code, { n: 5, len: 9, delta_length: 260 })
  expect(found).toEqual({ text: [0, 26, false], delta: [0, 10, false] })
})

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
