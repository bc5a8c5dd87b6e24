// Tables that are filled element by element, echoes, and chains of best values, as people write them: which sketches
// they get, and the plans simulated with hazards watched, at sizes that no block divides and where loops are empty.
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { verified, type Sizes } from '../support.ts'

const local = (inner: string): string =>
  'int f(int n, int m, const char *a, const char *b, int h[n + 1][m + 1]) { int best = 0; ' +
  'for (int i = 0; i <= n; i++) h[i][0] = 0; for (int j = 0; j <= m; j++) h[0][j] = 0; ' +
  `for (int i = 1; i <= n; i++) for (int j = 1; j <= m; j++) { ${inner} } return best; }`
const score = 'a[i - 1] == b[j - 1] ? 2 : -1'

const tables: readonly Sizes[] = [
  { n: 1, m: 1 },
  { n: 40, m: 200 },
  { n: 150, m: 70 },
]
const echoes: readonly Sizes[] = [
  { n: 1, d: 1 },
  { n: 70, d: 100 },
  { n: 1000, d: 1 },
  { n: 1000, d: 33 },
]
const coins: readonly Sizes[] = [
  { m: 1, n: 1 },
  { m: 3, n: 40 },
  { m: 33, n: 700 },
]
const chains: readonly Sizes[] = [{ n: 1 }, { n: 31 }, { n: 33 }, { n: 100 }]

/** Name, source, sketches that its parts have, sizes. */
const programs: readonly (readonly [string, string, readonly string[], readonly Sizes[]])[] = [
  [
    'a maximum beside a table',
    local(
      `int v = h[i - 1][j - 1] + (${score}), u = h[i - 1][j] - 1, l = h[i][j - 1] - 1; ` +
        'if (u > v) v = u; if (l > v) v = l; if (v < 0) v = 0; h[i][j] = v; if (v > best) best = v;',
    ),
    ['wave-tiles', 'reduction'],
    tables,
  ],
  [
    'an element that grows in place',
    local(
      `int d = h[i - 1][j - 1] + (${score}); h[i][j] = 0; if (d > h[i][j]) h[i][j] = d; ` +
        'if (h[i - 1][j] - 1 > h[i][j]) h[i][j] = h[i - 1][j] - 1; ' +
        'if (h[i][j - 1] - 1 > h[i][j]) h[i][j] = h[i][j - 1] - 1; best = h[i][j] > best ? h[i][j] : best;',
    ),
    ['wave-tiles', 'reduction'],
    tables,
  ],
  [
    'an echo at a distance',
    'void f(int n, int d, float g, const float *x, float *y) { for (int i = 0; i < d; i++) y[i] = x[i]; ' +
      'for (int i = d; i < n; i++) y[i] = x[i] + g * y[i - d]; }',
    ['per-iteration'],
    echoes,
  ],
  [
    'an echo at any distance',
    'void f(int n, int d, float g, const float *x, float *y) { for (int i = 0; i < n; i++) ' +
      'if (i < d) y[i] = x[i]; else y[i] = x[i] + g * y[i - d]; }',
    ['per-iteration'],
    echoes,
  ],
  [
    'echoes of channels at two distances',
    'void f(int n, float y[64][n]) { for (int c = 0; c < 64; c++) for (int i = 240; i < n; i++) ' +
      'y[c][i] += 0.5f * y[c][i - 160] + 0.25f * y[c][i - 240]; }',
    ['per-iteration'],
    [{ n: 1 }, { n: 240 }, { n: 241 }, { n: 1333 }],
  ],
  [
    'ways to pay at distances that memory says, of which 0 keeps all in order',
    'void f(int m, int n, const int coin[m], int ways[n + 1]) { for (int c = 0; c < m; c++) ' +
      'for (int a = coin[c]; a <= n; a++) ways[a] += ways[a - coin[c]]; }',
    ['one-block'],
    coins,
  ],
  [
    'the fewest coins under a condition',
    'void f(int m, int n, const int coin[m], int need[n + 1]) { for (int c = 0; c < m; c++) ' +
      'for (int a = 1; a <= n; a++) if (coin[c] <= a && need[a - coin[c]] + 1 < need[a]) ' +
      'need[a] = need[a - coin[c]] + 1; }',
    ['one-block'],
    coins,
  ],
  [
    'a bag with as many of each item as one likes',
    'void f(int m, int n, int *weight, int *value, int *best) { for (int i = 0; i < m; i++) { ' +
      'int w = weight[i], v = value[i]; for (int c = w; c <= n; c++) { int with = best[c - w] + v; ' +
      'best[c] = with > best[c] ? with : best[c]; } } }',
    ['one-block'],
    coins,
  ],
  [
    'a chain of best values under a condition',
    'void f(int n, const int *a, int *len) { for (int i = 0; i < n; i++) { int best = 1; for (int j = 0; j < i; j++) ' +
      'if (a[j] < a[i] && len[j] + 1 > best) best = len[j] + 1; len[i] = best; } }',
    ['one-block'],
    chains,
  ],
  [
    'a solve from another array',
    'void f(int n, const float l[n][n], const float *b, float *x) { for (int i = 0; i < n; i++) { float s = b[i]; ' +
      'for (int j = 0; j < i; j++) s -= l[i][j] * x[j]; x[i] = s * 0.5f; } }',
    ['one-block', 'stencil'],
    chains,
  ],
  [
    'the best way into each state',
    'void f(int n, int m, const float t[m][m], float v[n][m], int back[n][m]) { for (int i = 1; i < n; i++) ' +
      'for (int s = 0; s < m; s++) { float best = v[i - 1][0] + t[0][s]; int at = 0; for (int r = 1; r < m; r++) ' +
      '{ float c = v[i - 1][r] + t[r][s]; if (c > best) { best = c; at = r; } } v[i][s] = best; back[i][s] = at; } }',
    ['argument'],
    [
      { n: 1, m: 1 },
      { n: 5, m: 37 },
    ],
  ],
  [
    'the place of the best from row 1 on',
    'void f(int n, int m, const int h[n + 1][m + 1], int *p) { int best = 0, bi = 0, bj = 0; ' +
      'for (int i = 1; i <= n; i++) for (int j = 1; j <= m; j++) if (h[i][j] > best) ' +
      '{ best = h[i][j]; bi = i; bj = j; } p[0] = best; p[1] = bi; p[2] = bj; }',
    ['argument'],
    tables,
  ],
]

describe('dynamic programs', () => {
  test.each(programs)('%s', async (_, source, sketches, sizes) => {
    const p = await readC(source),
      a = analyse({ ...p, sizes: p.sizes.map((s) => ({ ...s, planned: s.name === 'd' ? 500 : 4000 })) })
    expect(a.parts.map((x) => x.sketch.name)).toEqual(expect.arrayContaining([...sketches]))
    for (const [n, at] of sizes.entries()) {
      const v = verified(
        a,
        a.parts.map(({ sketch: { ladder } }) => ladder[Math.max(0, ladder.length - 1 - (n % 2))]!.point),
        [at],
        n % 2 === 0 ? { warp: 32 } : {},
        n + 1,
      ) // ladders are not empty
      expect([at, v.ok, v.why]).toEqual([at, true, undefined])
    }
  })

  test('elements that meet at no common distance stay in order', async () => {
    const crossed = 'void f(int n, float *y) { for (int i = 9; i < n; i++) y[i] = y[i - 8] + 0.5f * y[i - 9]; }',
      scalar =
        'float f(int n, float *y) { float s = 0; for (int i = 8; i < n; i++) { s = y[i - 8] - s * s; y[i] = s; } ' +
        'return s; }'
    for (const source of [crossed, scalar])
      expect(analyse(await readC(source)).parts.map((p) => p.sketch.name)).not.toContain('per-iteration')
  })
})
