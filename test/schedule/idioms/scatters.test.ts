// Sums at places that data choose in some dimensions of an array, while loops choose the others': histograms of rows,
// of columns, of channels, in whatever way the subscript is spelled. Every rung of the ladder, and one point of each
// kind of share that blocks can have, must compute what the source says.
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import type { Point } from '../../../src/schedule/index.ts'
import { readC } from '../../c/read.ts'
import { someOf } from '../../support/long.ts'
import { rungsHold } from '../rungs.ts'
import { sizesOf, verified } from '../support.ts'

type Case = readonly [name: string, text: string, sketches: readonly string[]]

const rows: readonly Case[] = [
  [
    'of rows of bytes',
    'void f(int n, int m, const unsigned char x[n][m], int h[n][256]) { for (int i = 0; i < n; i++) for (int j = 0; ' +
      'j < m; j++) h[i][x[i][j]] += 1; }',
    ['scatter'],
  ],
  [
    'of rows, under a mask, with weights',
    'void f(int n, int m, const int x[n][m], const unsigned char mask[n][m], const float w[n][m], float h[n][32]) { ' +
      'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (mask[i][j] > 99) h[i][x[i][j] & 31] += w[i][j]; }',
    ['scatter'],
  ],
  [
    'of rows that start behind the first, in twos',
    'void f(int n, int m, const unsigned char x[n][m], int h[2 * n][16]) { for (int i = 1; i < n; i++) for (int j = ' +
      '0; j < m; j++) h[2 * i][x[i][j] >> 4] += 1; }',
    ['scatter'],
  ],
  [
    'of columns',
    'void f(int n, int m, const unsigned char x[n][m], int h[m][16]) { for (int i = 0; i < n; i++) for (int j = 0; ' +
      'j < m; j++) h[j][x[i][j] >> 4] += 1; }',
    ['scatter'],
  ],
  [
    'sums of rows by their labels',
    'void f(int n, int m, const float x[n][m], const unsigned char label[n], float s[32][m]) { for (int i = 0; i < ' +
      'n; i++) for (int j = 0; j < m; j++) s[label[i] & 31][j] += x[i][j]; }',
    ['scatter'],
  ],
  [
    'of channels, which are innermost',
    'void f(int n, const unsigned char x[n][3], int h[3][64]) { for (int i = 0; i < n; i++) for (int c = 0; c < 3; ' +
      'c++) h[c][x[i][c] >> 2]++; }',
    ['scatter'],
  ],
  [
    'of images, whose rows and columns are one loop',
    'void f(int n, int m, const unsigned char x[n][m][m], unsigned h[n][64]) { for (int i = 0; i < n; i++) for (int ' +
      'j = 0; j < m; j++) for (int k = 0; k < m; k++) h[i][x[i][j][k] >> 2] += 1; }',
    ['scatter'],
  ],
  [
    'of images, whose edges are left out',
    'void f(int n, int m, const unsigned char x[n][m][m], unsigned h[n][64]) { for (int i = 0; i < n; i++) for (int ' +
      'j = 1; j < m - 1; j++) for (int k = 1; k < m - 1; k++) h[i][x[i][j][k] >> 2] += 1; }',
    ['scatter'],
  ],
  [
    'of pairs of loops that no array has an element for, and of three',
    'void f(int n, int m, const unsigned char x[n], const unsigned char y[m], int h[64]) { for (int i = 0; i < n; ' +
      'i++) for (int j = 0; j < m; j++) for (int k = 0; k < 3; k++) h[(x[i] ^ y[j]) >> 2] += k; }',
    ['scatter'],
  ],
  [
    'of rows that meet: sums of two loops',
    'void f(int n, int m, const unsigned char x[n][m], int h[n + m][16]) { for (int i = 0; i < n; i++) for (int j = ' +
      '0; j < m; j++) for (int k = 0; k < 3; k++) h[i + j][(x[i][j] + k) & 15] += 1; }',
    ['scatter'],
  ],
  [
    'of pairs of bytes',
    'void f(int n, const unsigned char x[n], const unsigned char y[n], int h[16][16]) { for (int i = 0; i < n; i++) ' +
      'h[x[i] >> 4][y[i] >> 4] += 1; }',
    ['scatter'],
  ],
  [
    'the greatest of rows by their keys',
    'void f(int n, int m, const int x[n][m], const unsigned char key[n][m], int h[n][32]) { for (int i = 0; i < n; ' +
      'i++) for (int j = 0; j < m; j++) if (x[i][j] > h[i][key[i][j] & 31]) h[i][key[i][j] & 31] = x[i][j]; }',
    ['scatter'],
  ],
  [
    'of as many bins as the caller says',
    'void f(int n, int m, const int x[n][m], int b, int h[n][b]) { for (int i = 0; i < n; i++) for (int j = 0; j < ' +
      'm; j++) if (x[i][j] >= 0 && x[i][j] < b) h[i][x[i][j]] += 1; }',
    ['scatter'],
  ],
]

/** One point of each kind of share: the number of blocks and of threads does not make one. */
function kindsOf(space: readonly Point[]): readonly Point[] {
  const key = (p: Point): string => [p['rows'], p['split'], p['flat'], p['copies'], p['vector']].join()
  return [...new Map(space.map((p) => [key(p), { ...p, blocks: 5 }])).values()]
}

describe('sums at places that loops and data choose', () => {
  test.each(someOf(rows))('%s', async (_, source, sketches) => {
    await rungsHold(source, sketches, [
      [1, 1],
      [5, 40],
    ])
    const p = await readC(source),
      a = analyse(p)
    for (const point of kindsOf(a.parts[0]!.sketch.space))
      for (const warp of [{}, { warp: 32 as const }]) {
        const v = verified(
          a,
          [point],
          [
            [7, 33],
            [40, 12],
          ].map((s) => sizesOf(p, s)),
          warp,
        )
        expect({ point, ok: v.ok, why: v.why }).toEqual({ point, ok: true, why: undefined })
      }
  })
})

/** The same histogram of rows in flat arrays: whether rows stay apart is seen from what data can be. */
const spellings: readonly (readonly [string, string])[] = [
  ['bytes', 'h[i * 64 + (x[i * m + j] >> 2)]++;'],
  ['a mask', 'h[i * 64 + (y[i * m + j] & 63)]++;'],
  ['a remainder of what is no negative', 'h[64 * i + (unsigned)y[i * m + j] % 64u] += 1;'],
  ['clamped by conditions', 'int b = (int)(z[i * m + j] * 64); if (b < 0) b = 0; if (b > 63) b = 63; h[i * 64 + b]++;'],
  ['clamped by choices', 'int b = y[i * m + j]; b = b < 0 ? 0 : (b > 63 ? 63 : b); h[i * 64 + b] += 1;'],
  ['clamped in branches', 'int b = y[i * m + j]; if (b < 0) { b = 0; } else if (b > 63) { b = 63; } h[i * 64 + b]++;'],
  ['under conditions', 'int b = (int)(z[i * m + j] * 64); if (b >= 0 && b < 64) h[i * 64 + b]++;'],
  ['what is skipped', 'int b = y[i * m + j]; if (b < 0 || b > 63) continue; h[i * 64 + b]++;'],
]
describe('rows of a flat array that data choose in', () => {
  const around = (body: string): string =>
    'void f(int n, int m, const unsigned char *x, const int *y, const float *z, int *h) { for (int i = 0; i < n; ' +
    `i++) for (int j = 0; j < m; j++) { ${body} } }`
  test.each(spellings)('%s', async (_, body) => {
    const p = await readC(around(body))
    expect(p.arrays.find((a) => a.name === 'h')?.shape.length).toBe(2)
    expect(analyse(p).parts.map((x) => x.sketch.name)).toEqual(['scatter'])
    await rungsHold(around(body), ['scatter'], [[6, 21]])
  })

  const unknown: readonly (readonly [string, string])[] = [
    ['one more than the row has', 'h[i * 64 + (y[i * m + j] & 64)]++;'],
    ['what may be negative', 'h[i * 64 + y[i * m + j] % 64]++;'],
    ['clamped on one side', 'int b = y[i * m + j]; if (b < 0) b = 0; h[i * 64 + b]++;'],
    ['clamped, and moved then', 'int b = y[i * m + j]; if (b < 0) b = 0; if (b > 63) b = 63; b += j; h[i * 64 + b]++;'],
    ['moved under the condition', 'int b = y[i * m + j]; if (b >= 0 && b < 64) { b = b + 1; h[i * 64 + b]++; }'],
    [
      'clamped by what has changed since',
      'int t = y[i * m + j], b = t; if (t < 0) { t = 0; } if (b > 63) b = t; h[i * 64 + b]++;',
    ],
    [
      'moved in a loop in between',
      'int b = y[i * m + j]; if (b < 0) b = 0; if (b > 63) b = 63; for (int k = 0; k < m; k++) b += x[k]; ' +
        'h[i * 64 + b]++;',
    ],
  ]
  test.each(unknown)('nothing is taken to be in its row: %s', async (_, body) => {
    const p = await readC(around(body))
    expect(p.arrays.find((a) => a.name === 'h')?.shape.length).toBe(1)
  })
})
