// Sums over products whose innermost results share nothing: every rung of the tile of results, and the variants for
// sizes that tiles divide and for any, compute what the source says.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { sizesOf, verified } from '../support.ts'
import { someOf } from '../../support/long.ts'

const head = 'void f(int n, int m, int p, int b, const float a[n][p][b], const float x[p][m][b], float c[n][m][b])'

const cases: readonly (readonly [string, string])[] = [
  [
    'products of many matrices, the batch innermost',
    `${head} { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int l = 0; l < b; l++) { float s = 0;` +
      ' for (int k = 0; k < p; k++) s += a[i][k][l] * x[k][j][l]; c[i][j][l] = s; } }',
  ],
  [
    'added to what is there, the sum outside of the batch',
    `${head} { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < p; k++) for (int l = 0; l ` +
      '< b; l++) c[i][j][l] += a[i][k][l] * x[k][j][l]; }',
  ],
  [
    'without the last of a batch, and never negative',
    `${head} { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int l = 0; l < b - 1; l++) { float s = 1;` +
      ' for (int k = 1; k < p; k++) s += a[i][k][l + 1] * x[k][j][l]; c[i][j][l] = s > 0 ? s : 0; } }',
  ],
  [
    'lower triangles',
    `${head} { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int l = 0; l < b; l++) { float s = 0;` +
      ' for (int k = 0; k < p; k++) if (k <= i) s += a[i][k][l] * x[k][j][l]; c[i][j][l] = s; } }',
  ],
  [
    'the least of sums',
    `${head} { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int l = 0; l < b; l++) { float s = 1e30f;` +
      ' for (int k = 0; k < p; k++) { float t = a[i][k][l] + x[k][j][l]; if (t < s) s = t; } c[i][j][l] = s; } }',
  ],
]

test.each(someOf(cases))('%s', async (_, source) => {
  await rungsHold(
    source,
    ['unroll-and-jam'],
    [
      [1, 1, 2, 3],
      [5, 9, 6, 40],
    ],
  )
  const p = await readC(source),
    a = analyse(p)
  const point = { lanes: 32, rows: 2, columns: 2, down: 1, across: 2, deep: 2, exact: 1 }
  const v = verified(
    a,
    [point],
    [
      [4, 8, 6, 64],
      [3, 8, 5, 31],
    ].map((s) => sizesOf(p, s)),
    { warp: 32 },
  )
  expect({ ok: v.ok, why: v.why }).toEqual({ ok: true, why: undefined })
})

test('few results are shared by several threads each', async () => {
  const source = `#pragma tesela sizes(n = 8, m = 8, p = 100000, b = 32)\n${cases[0]![1]}`
  expect(analyse(await readC(source)).parts.map((x) => x.sketch.name)).toEqual(['reduction'])
})
