// Loops that overwrite what later iterations no longer read, at a distance that data say: which read from a copy, and
// that every rung computes what the source does.
import { describe, expect, test } from 'vitest'
import { elementRanges } from '../../../src/analysis/index.ts'
import { printExpr } from '../../../src/ir/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'

const sizes = '#pragma tesela sizes(n = 100, W = 50000, M = 300, N = 300)\n'

test.each([
  [
    'a knapsack',
    'void f(int n, int W, const int *wt, const int *v, int *dp) { for (int i = 0; i < n; i++) for (int w = W; ' +
      'w >= wt[i]; w--) if (dp[w - wt[i]] + v[i] > dp[w]) dp[w] = dp[w - wt[i]] + v[i]; }',
    ['elementwise', 'elementwise'],
  ],
  [
    'down to 0 under a condition',
    'void f(int n, int W, const int *wt, const float *v, float *dp) { for (int i = 0; i < n; i++) for (int j ' +
      '= W; j >= 0; j--) if (j >= wt[i]) { float t = dp[j - wt[i]] + v[i]; if (t > dp[j]) dp[j] = t; } }',
    ['elementwise', 'elementwise'],
  ],
  [
    'ways to a sum',
    'void f(int n, int W, const int *c, unsigned *dp) { dp[0] = 1; for (int w = 1; w <= W; w++) dp[w] = 0; ' +
      'for (int i = 0; i < n; i++) for (int w = W; w >= c[i]; w--) dp[w] += dp[w - c[i]]; }',
    ['per-point', 'elementwise', 'elementwise', 'elementwise'],
  ],
  [
    'sums that can be had',
    'void f(int n, int W, const int *a, int *can) { for (int i = 0; i < n; i++) for (int s = W; s >= a[i]; ' +
      's--) if (can[s - a[i]]) can[s] = 1; }',
    ['elementwise', 'elementwise'],
  ],
  [
    'two weights',
    'void f(int n, int M, int N, const int *a, const int *b, int dp[M + 1][N + 1]) { for (int t = 0; t < n; ' +
      't++) for (int i = M; i >= a[t]; i--) for (int j = N; j >= b[t]; j--) if (dp[i - a[t]][j - b[t]] + 1 > ' +
      'dp[i][j]) dp[i][j] = dp[i - a[t]][j - b[t]] + 1; }',
    ['elementwise', 'elementwise'],
  ],
])('%s', async (_, source, sketches) =>
  rungsHold(
    sizes + source,
    sketches,
    [
      [5, 70, 33],
      [3, 64, 1],
    ].map((s) => s.slice(0, source.includes('int W') ? 2 : 3)),
  ))

describe('no copy', () => {
  test.each([
    [
      'upwards: what an iteration has stored is used again',
      'void f(int n, int W, const int *c, unsigned *dp) { for (int i = 0; i < n; i++) for (int w = c[i]; w <= ' +
        'W; w++) dp[w] += dp[w - c[i]]; }',
    ],
    [
      'no subscript leaves the array for a distance below 0',
      'void f(int n, int W, const int *c, unsigned *dp) { for (int i = 0; i < n; i++) for (int w = W; w >= 0; ' +
        'w--) if (w - c[i] >= 0 && w - c[i] <= W) dp[w] += dp[w - c[i]]; }',
    ],
    [
      'read behind the store: the distance may be 0',
      'void f(int n, int W, const int *c, int *dp, int *s) { for (int i = 0; i < n; i++) for (int w = W; w >= ' +
        'c[i]; w--) { dp[w] = i; s[w] = dp[w - c[i]]; } }',
    ],
  ])('%s', async (_, source) => {
    const { arrays } = analyse(await readC(sizes + source)).program
    expect(arrays.map((a) => a.name).filter((name) => name.endsWith('_before'))).toEqual([])
  })
})

test('proofs have weights of all sorts where a condition asks for those that fit', async () => {
  const p = await readC(
    `${sizes}void f(int n, int W, const int *wt, int *dp) { for (int i = 0; i < n; i++) for (int j = W; j >= ` +
      `0; j--) if (j >= wt[i]) dp[j] += dp[j - wt[i]]; }`,
  )
  const { low, high } = elementRanges(p).get('wt')!
  expect([printExpr(low), printExpr(high)]).toEqual(['0 - (W + 1 - W) + 1', '0 - (0 - W) + 1'])
})
