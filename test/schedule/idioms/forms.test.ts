// Computations whose iterations depend on each other and that threads share all the same: what is recognised, and that
// every rung of every ladder computes it, with shuffles and without, on sizes that are multiples of nothing and of
// tiles.
import { describe, expect, test } from 'vitest'
import { random, type Random } from '../../../src/base/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import type { Point } from '../../../src/schedule/index.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { sizesOf, verified } from '../support.ts'
import { someOf } from '../../support/long.ts'

type Case = readonly [name: string, text: string, sketches: readonly string[]]

const scans: readonly Case[] = [
  [
    'inclusive',
    'void f(int n, float a[n], float b[n]) { float s = 0; for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; } }',
    ['scan'],
  ],
  [
    'exclusive',
    'void f(int n, float a[n], float b[n]) { float s = 0; for (int i = 0; i < n; i++) { b[i] = s; s += a[i]; } }',
    ['scan'],
  ],
  [
    'both, and the total',
    'void f(int n, int a[n], int b[n], int c[n], int t[1]) { int s = 7; for (int i = 0; i < n; i++) { b[i] = ' +
      's; s += a[i]; c[i] = s * 2; } t[0] = s; }',
    ['scan'],
  ],
  [
    'the greatest so far, from the end',
    'void f(int n, float a[n], float b[n]) { float s = a[n - 1]; for (int i = n - 1; i >= 0; i--) { if (a[i] ' +
      '> s) s = a[i]; b[i] = s; } }',
    ['scan'],
  ],
  [
    'through the array',
    'void f(int n, float a[n], float b[n]) { b[0] = a[0]; for (int i = 1; i < n; i++) b[i] = b[i - 1] + 2 * a[i]; }',
    ['per-point', 'scan'],
  ],
  ['in place', 'void f(int n, int a[n]) { for (int i = 1; i < n; i++) a[i] += a[i - 1]; }', ['scan']],
  ['in place from the end', 'void f(int n, int a[n]) { for (int i = n - 2; i >= 0; i--) a[i] += a[i + 1]; }', ['scan']],
  [
    'of what passes a test',
    'void f(int n, float a[n], int at[n], int count[1]) { int k = 0; for (int i = 0; i < n; i++) { at[i] = k; ' +
      'if (a[i] > 0) k += 1; } count[0] = k; }',
    ['scan'],
  ],
  [
    'packing what passes a test',
    'int f(int n, const float a[n], const float w[n], float b[n], float c[n]) { int k = 0; for (int i = 0; i ' +
      '< n; i++) if (a[i] > 0 && w[i] < 1) { b[k] = a[i]; c[k] = 2 * w[i]; k++; } return k; }',
    ['scan'],
  ],
  [
    'the place of the greatest, without a first one',
    'int f(int n, const float x[n]) { int best = -1; for (int i = 0; i < n; i++) if (best < 0 || x[i] > x[best]) ' +
      'best = i; return best; }',
    ['argument'],
  ],
  [
    'the least, by a flag',
    'float f(int n, const float x[n]) { int found = 0; float m = 0; for (int i = 0; i < n; i++) if (!found || x[i] < ' +
      'm) { m = x[i]; found = 1; } return m; }',
    ['reduction'],
  ],
  [
    'what stands behind what was packed',
    'void f(int n, const int x[n], int y[n]) { int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) y[k++] = x[i]; ' +
      'for (int i = k; i < n; i++) y[i] = -1; }',
    ['scan', 'elementwise'],
  ],
  [
    'packing pairs, one behind the other',
    'int f(int n, const float x[n], float *y) { int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) { y[k++] = ' +
      'x[i]; y[k++] = i; } return k; }',
    ['scan'],
  ],
  [
    'packing more of some than of others',
    'void f(int n, const int x[n], int *y) { int k = 0; for (int i = 0; i < n; i++) { if (x[i] > 0) y[k++] = x[i]; ' +
      'else { y[k++] = -1; y[k++] = i; } } }',
    ['scan'],
  ],
  [
    'packing rows of three, in any order',
    'int f(int n, const float x[n], float *y) { int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) { y[3 * k + ' +
      '2] = x[i]; y[3 * k] = i; y[3 * k + 1] = 1; k++; } return k; }',
    ['scan'],
  ],
  [
    'packing here and there',
    'int f(int n, const float x[n], float a[n], float b[n]) { int k = 0, m = 0; for (int i = 0; i < n; i++) { ' +
      'if (x[i] > 0) a[k++] = x[i]; else b[m++] = 2 * x[i]; } return k; }',
    ['scan', 'scan'],
  ],
  [
    'sums and the greatest side by side',
    'void f(int n, const int x[n], int s[n], int g[n]) { int sum = 0, most = -9; for (int i = 0; i < n; i++) ' +
      '{ sum += x[i]; if (x[i] > most) most = x[i]; s[i] = sum; g[i] = most; } }',
    ['scan', 'scan'],
  ],
  [
    'packing what differs from the one before',
    'void f(int n, const int a[n], int u[n], int at[n], int count[1]) { int k = 0; for (int i = 0; i < n; ' +
      'i++) { at[i] = k; if (i == 0 || a[i] != a[i - 1]) u[k++] = i; } count[0] = k; }',
    ['scan'],
  ],
  ['along a column', 'void f(int n, float a[n][3]) { for (int i = 1; i < n; i++) a[i][1] += a[i - 1][1]; }', ['scan']],
  [
    'then divided by the total',
    'void f(int n, float a[n], float b[n], float c[n]) { float s = 1; for (int i = 0; i < n; i++) { s += a[i] ' +
      '* a[i]; b[i] = s; } for (int i = 0; i < n; i++) c[i] = b[i] / s; }',
    ['scan', 'elementwise'],
  ],
]
describe('scans', () => {
  test.each(someOf(scans))('%s', async (_, source, sketches) =>
    rungsHold(source, sketches, [[1], [131], [1000], [3072]]))
})

const rows: readonly Case[] = [
  [
    'every row',
    'void f(int n, int m, float x[n][m], float y[n][m]) { for (int i = 0; i < n; i++) { float s = 0; for (int ' +
      'j = 0; j < m; j++) { s += x[i][j]; y[i][j] = s; } } }',
    ['scan'],
  ],
  [
    'every row, with its total, from its first element',
    'void f(int n, int m, float x[n][m], float y[n][m], float t[n]) { for (int i = 0; i < n; i++) { float s = ' +
      'x[i][0]; for (int j = 1; j < m; j++) { s = s < x[i][j] ? s : x[i][j]; y[i][j] = s; } t[i] = s; } }',
    ['scan'],
  ],
  [
    'every column',
    'void f(int n, int m, float x[n][m], float y[n][m]) { for (int j = 0; j < m; j++) { float s = 0; for (int ' +
      'i = 0; i < n; i++) { s += x[i][j]; y[i][j] = s; } } }',
    ['columns'],
  ],
]
describe('scans of rows', () => {
  test.each(someOf(rows))('%s', async (_, source, sketches) =>
    rungsHold(source, sketches, [
      [1, 1],
      [13, 77],
      [16, 1024],
    ]))
})

const searches: readonly Case[] = [
  [
    'the greatest and its place',
    'void f(int n, int a[n], int b[1], int c[1]) { int best = a[0]; int at = 0; for (int i = 1; i < n; i++) ' +
      'if (a[i] > best) { best = a[i]; at = i; } b[0] = best; c[0] = at; }',
    ['argument'],
  ],
  [
    'the last of the least',
    'int f(int n, int x[n]) { int best = x[0]; int at = 0; for (int i = 0; i < n; i++) if (best >= x[i]) { ' +
      'best = x[i]; at = i; } return at; }',
    ['argument'],
  ],
  [
    'only the place',
    'int f(int n, int x[n]) { int at = 0; for (int i = 1; i < n; i++) if (x[i] > x[at]) at = i; return at; }',
    ['argument'],
  ],
  [
    'nearest of those that pass',
    'int f(int n, float x[n], float y[n]) { float best = 1e30f; int at = -1; for (int i = 0; i < n; i++) if ' +
      '(y[i] > 0.5f && x[i] * x[i] < best) { best = x[i] * x[i]; at = 2 * i + 1; } return at; }',
    ['argument'],
  ],
  [
    'down a column',
    'int f(int n, int m, float a[n][m]) { int at = 0; for (int i = 1; i < n; i++) if (fabsf(a[i][m / 2]) > ' +
      'fabsf(a[at][m / 2])) at = i; return at; }',
    ['argument'],
  ],
  [
    'used afterwards',
    'void f(int n, float a[n], float b[n]) { float best = a[0]; int at = 0; for (int i = 1; i < n; i++) if ' +
      '(a[i] > best) { best = a[i]; at = i; } for (int i = 0; i < n; i++) b[i] = a[i] * 3 - best + at; }',
    ['argument', 'elementwise'],
  ],
]
describe('where the best is', () => {
  test.each(someOf(searches))('%s', async (_, source, sketches) =>
    rungsHold(source, sketches, [
      [1, 1],
      [131, 6],
      [1000, 3],
      [3072, 2],
    ]))
})

const rowSearches: readonly Case[] = [
  [
    'in every row',
    'void f(int n, int m, int a[n][m], int c[n]) { for (int r = 0; r < n; r++) { int best = a[r][0]; int at = ' +
      '0; for (int i = 0; i < m; i++) if (best > a[r][i]) { best = a[r][i]; at = i; } c[r] = at; } }',
    ['argument'],
  ],
]
describe('where the best of rows is', () => {
  test.each(someOf(rowSearches))('%s', async (_, source, sketches) =>
    rungsHold(source, sketches, [
      [1, 1],
      [13, 77],
      [16, 1024],
    ]))
})

const argmax = (declared: string, body: string): string =>
  `void f(int n, int m, const float x[n][m], int at[m]) { for (int j = 0; j < m; j++) { ${declared} ` +
  `for (int i = 0; i < n; i++) ${body} at[j] = best; } }`
const columnSearches: readonly Case[] = [
  ['by its place', argmax('int best = 0;', 'if (x[i][j] > x[best][j]) best = i;'), ['argument']],
  ['by its place, as a choice', argmax('int best = 0;', 'best = x[i][j] > x[best][j] ? i : best;'), ['argument']],
  ['the last of the least', argmax('int best = 0;', 'if (x[best][j] >= x[i][j]) best = i;'), ['argument']],
  [
    'of magnitudes, from a limit',
    argmax('float most = -INFINITY; int best = -1;', 'if (fabsf(x[i][j]) > most) { most = fabsf(x[i][j]); best = i; }'),
    ['argument'],
  ],
  [
    'of those that pass, as both',
    'void f(int n, int m, const int x[n][m], int at[m], int least[m]) { for (int j = 0; j < m; j++) { int best = ' +
      '100, place = -1; for (int i = 2; i < n; i++) if (x[i][j] > 1 && x[i][j] < best) { best = x[i][j]; place = ' +
      '3 * i; } at[j] = place; least[j] = best; } }',
    ['argument'],
  ],
  [
    'in elements',
    'void f(int n, int m, const float x[n][m], int at[m], float most[m]) { for (int j = 0; j < m; j++) { at[j] = 0; ' +
      'most[j] = x[0][j]; for (int i = 1; i < n; i++) if (x[i][j] > most[j]) { most[j] = x[i][j]; at[j] = i; } } }',
    ['argument'],
  ],
  [
    'row after row',
    'void f(int n, int m, const float x[n][m], int at[m], float most[m]) { for (int i = 0; i < n; i++) for (int j = ' +
      '0; j < m; j++) if (x[i][j] > most[j]) { most[j] = x[i][j]; at[j] = i; } }',
    ['argument'],
  ],
]
describe('where the best of columns is', () => {
  test.each(someOf(columnSearches))('%s', async (_, source, sketches) =>
    rungsHold(source, sketches, [
      [1, 1],
      [77, 13],
      [131, 256],
      [1000, 36],
    ]))
})

const scatters: readonly Case[] = [
  [
    'a histogram',
    'void f(int n, int m, float x[n], int h[m]) { for (int i = 0; i < n; i++) { int k = (int)(x[i] * m); if ' +
      '(k >= 0 && k < m) h[k] += 1; } }',
    ['scatter'],
  ],
  [
    'of a fixed size, cleared first',
    'void f(int n, int m, unsigned x[n], unsigned h[256]) { for (int j = 0; j < 256; j++) h[j] = 0; for (int ' +
      'i = 0; i < n; i++) h[x[i] % 256]++; }',
    ['elementwise', 'scatter'],
  ],
  [
    'of an image',
    'void f(int n, int r, int c, int x[r][c], int h[n]) { for (int i = 1; i < r; i++) for (int j = 0; j < c; ' +
      'j++) if (x[i][j] >= 0 && x[i][j] < n) h[x[i][j]] += 1; }',
    ['scatter'],
  ],
  [
    'sums by key',
    'void f(int n, int m, int a[n], int w[n], int h[m]) { for (int i = 0; i < n; i++) { int k = a[i]; if (k ' +
      '>= 0 && k < m) h[k] += w[i]; } }',
    ['scatter'],
  ],
  [
    'of what is not skipped',
    'void f(int n, int m, float x[n], float y[n], int h[m * m]) { for (int i = 0; i < n; i++) { int a = ' +
      '(int)(x[i] * m), b = (int)(y[i] * m); if (a < 0 || a >= m || b < 0 || b >= m) continue; h[a * m + b]++; } }',
    ['scatter'],
  ],
  [
    'of pairs',
    'void f(int n, int m, int a[n], int b[n], int h[m][m]) { for (int i = 0; i < n; i++) if (a[i] >= 0 && ' +
      'a[i] < m && b[i] >= 0 && b[i] < m) h[a[i]][b[i]] += 1; }',
    ['scatter'],
  ],
]
describe('sums at places that data choose', () => {
  test.each(someOf(scatters))('%s', async (_, source, sketches) =>
    rungsHold(source, sketches, [
      [1, 5],
      [131, 7],
      [700, 60],
    ]))
})

const others: readonly Case[] = [
  [
    'the running value decides',
    'void f(int n, float a[n], float b[n]) { float s = 0; for (int i = 0; i < n; i++) { if (s < 3) s += a[i]; ' +
      'b[i] = s; } }',
    ['sequential'],
  ],
  [
    'what is read is written by another iteration',
    'void f(int n, float a[n + 1]) { float s = 0; for (int i = 0; i < n; i++) { s += a[i + 1]; a[i] = s; } }',
    ['sequential'],
  ],
  [
    'packing to both ends of one array',
    'int f(int n, const float x[n], float a[n]) { int k = 0, m = n; for (int i = 0; i < n; i++) { if (x[i] > ' +
      '0) a[k++] = x[i]; else a[--m] = x[i]; } return k; }',
    ['sequential'],
  ],
  [
    'packing pairs that overlap',
    'int f(int n, const float x[n], float *y) { int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) { y[k] = x[i]; ' +
      'y[k + 1] = i; k++; } return k; }',
    ['sequential'],
  ],
  [
    'packing by two',
    'int f(int n, float a[n], float b[n]) { int k = 0; for (int i = 0; i < n; i++) { if (a[i] > 0) b[k] = ' +
      'a[i]; if (a[i] > 1) k++; } return k; }',
    ['sequential'],
  ],
  [
    'packing that reads what it packed',
    'int f(int n, int a[n], int b[n]) { int k = 0; for (int i = 0; i < n; i++) if (a[i] > b[0]) { b[k] = ' +
      'a[i]; k++; } return k; }',
    ['sequential'],
  ],
  [
    'the place of a best that changes otherwise too',
    'int f(int n, float x[n]) { float best = x[0]; int at = 0; for (int i = 1; i < n; i++) if (x[i] > best) { ' +
      'best = x[i] * 0.5f; at = i; } return at; }',
    ['sequential'],
  ],
  [
    'sums of floats at many places that data choose',
    'void f(int n, int at[n], float w[n], float h[900]) { for (int i = 0; i < n; i++) h[(at[i] + 8) % 900] += w[i]; }',
    ['scatter'],
  ],
]
describe('what stays in order', () => {
  test.each(someOf(others))('%s', async (_, source, sketches) => rungsHold(source, sketches, [[45]]))
})

/** A random loop whose iterations build on each other, with what people put around one. */
function randomLoop(r: Random): string {
  const pick = <T>(...list: readonly T[]): T => list[r.int(0, list.length - 1)]!
  const type = pick('float', 'int'),
    rows = r.int(0, 2) === 0
  const x = rows ? 'x[r][i]' : 'x[i]',
    y = rows ? 'y[r][i]' : 'y[i]'
  const value = pick(x, `${x} * 2`, `${x} + w[${rows ? 'r' : 'i'}]`, `i + ${x}`)
  const step = pick(
    `s += ${value};`,
    `if (${value} > s) s = ${value};`,
    `s = s < ${value} ? s : ${value};`,
    `if (${x} > 0) s += ${value};`,
  )
  const kept = pick(`${y} = s;`, `${y} = s * 2 + ${x};`, `if (${x} > 1) ${y} = s;`)
  const body = pick(`${step} ${kept}`, `${kept} ${step}`)
  const loop = pick(
    'for (int i = 0; i < m; i++)',
    'for (int i = m - 1; i >= 0; i--)',
    'for (int i = 2; i < m - 1; i++)',
  )
  const search =
    `${type} s = ${rows ? 'x[r][0]' : 'x[0]'}; int at = 0; ${loop} if (${value} ${pick('>', '<', '>=', '<=')} ` +
    `s) { s = ${value}; at = i; }`
  const core =
    r.int(0, 2) === 0
      ? `${search} ${rows ? 't[r]' : 't[0]'} = s + at;`
      : `${type} s = ${pick('0', '5')}; ${loop} { ${body} } ${pick('', rows ? 't[r] = s;' : 't[0] = s;')}`
  const shape = rows ? '[n][m]' : '[m]'
  return (
    `void f(int n, int m, ${type} x${shape}, ${type} w[${rows ? 'n' : 'm'}], ${type} y${shape}, ${type} t[n]) { ` +
    `${rows ? 'for (int r = 0; r < n; r++) ' : ''}{ ${core} } }`
  )
}

test('random loops that build on each other', async () => {
  let known = 0
  for (let seed = 0; seed < 40; seed++) {
    const r = random(seed),
      source = randomLoop(r)
    const p = await readC(source),
      a = analyse(p)
    const points = a.parts.map(({ sketch: { space } }) => ({
      ...space[r.int(0, space.length - 1)]!,
      threads: 2 ** r.int(0, 6),
    }))
    const few = points.map((x: Point) => ((x['blocks'] ?? 1) > 1 ? { ...x, blocks: r.int(2, 5) } : x))
    if (a.parts.some((x) => ['scan', 'argument'].includes(x.sketch.name))) known++
    const v = verified(
      a,
      few,
      [
        [3, 1],
        [5, 130],
        [4, 512],
        [9, 1025],
      ].map((s) => sizesOf(p, s)),
      r.int(0, 1) ? { warp: 32 } : {},
      seed,
    )
    expect({ seed, source, few, ok: v.ok, why: v.why }).toEqual({ seed, source, few, ok: true, why: undefined })
  }
  expect(known).toBeGreaterThan(20)
}, 60_000)
