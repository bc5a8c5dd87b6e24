// Temporaries that are computed where they are read: which sketches are left, that every rung computes what the source
// does, and which temporaries stay.
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'

const row = 'void f(int n, const float *a, const float *b, float *y) { '
const sizes = [[37], [300], [3], [1]]

describe('temporaries that no memory holds', () => {
  test.each([
    [
      'a copy whose inside is overwritten, read beside what it was copied from',
      `${row}float t[n], u[n]; for (int i = 0; i < n; i++) t[i] = a[i] + b[i]; for (int i = 0; i < n; i++) u[i] = ` +
        't[i]; ' +
        'for (int i = 1; i < n - 1; i++) u[i] = t[i - 1] + 2 * t[i] + t[i + 1]; for (int i = 0; i < n; i++) y[i] ' +
        '= u[i] - ' +
        't[i]; }',
    ],
    [
      'a border on either side',
      `${row}float t[n + 2]; t[0] = 3; t[n + 1] = a[n - 1]; for (int i = 0; i < n; i++) t[i + 1] = a[i] * b[i]; ` +
        'for (int i ' +
        '= 0; i < n; i++) y[i] = t[i] - t[i + 2]; }',
    ],
    [
      'the last element first',
      `${row}float t[n]; for (int i = 0; i < n; i++) t[n - 1 - i] = a[i] * 2; for (int i = 0; i < n; i++) ` +
        'y[i] = t[i] + b[i]; }',
    ],
    [
      'ends of sums',
      `${row}int t[n + 1]; for (int i = 0; i <= n; i++) t[i] = i * (i % 5); for (int i = 0; i < n; i++) { ` +
        'float s = 0; for (int j = 0; j < t[i] % 7 && j < n; j++) s += a[j]; y[i] = s + b[t[i + 1] % n]; } }',
    ],
  ])('%s', async (_, source) => {
    const names = analyse(await readC(source)).parts.map((p) => p.sketch.name)
    expect(names).toHaveLength(1)
    await rungsHold(source, names, sizes)
  })

  test('differences, of which a sum takes pairs from both ends', async () => {
    const source =
      'void f(int n, const float *a, float *s) { float t[n], d[n]; for (int i = 0; i < n; i++) t[i] = a[i] * ' +
      'a[i]; d[0] = ' +
      't[0]; for (int i = 1; i < n; i++) d[i] = t[i] - t[i - 1]; float e = 0; for (int i = 0; i < n; i++) e += ' +
      'd[i] * d[n - ' +
      '1 - i]; *s = e; }'
    const names = analyse(await readC(source)).parts.map((p) => p.sketch.name)
    expect(names).toHaveLength(1)
    await rungsHold(source, names, sizes)
  })

  test('planes under a border that is asked for', async () => {
    const source =
      'void f(int m, int n, const float a[m][n], float y[m][n]) { float g[m][n]; for (int i = 1; i < m - 1; i++) ' +
      'for (int j ' +
      '= 1; j < n - 1; j++) g[i][j] = a[i][j + 1] - a[i - 1][j]; for (int i = 0; i < m; i++) for (int j = 0; j < ' +
      'n; j++) ' +
      'y[i][j] = i == 0 || j == 0 || i == m - 1 || j == n - 1 ? 0 : g[i][j] * g[i][j]; }'
    const names = analyse(await readC(source)).parts.map((p) => p.sketch.name)
    expect(names).toHaveLength(1)
    await rungsHold(source, names, [
      [37, 5],
      [4, 70],
      [2, 3],
      [1, 1],
    ])
  })
})

test.each([
  [
    'what it is made of is overwritten before it is read',
    `void f(int n, float *a) { float t[n]; for (int i = 0; i < n; i++) t[i] = a[i] * 2; for (int i = 0; i < n; ` +
      'i++) a[i] = ' +
      't[n - 1 - i]; }',
  ],
  [
    'it turns rows into columns, which are read more than once',
    'void f(int n, const float a[n][n], float y[n][n]) { float t[n][n]; for (int i = 0; i < n; i++) for (int j = ' +
      '0; j < n; ' +
      'j++) t[i][j] = a[j][i]; for (int i = 0; i < n; i++) for (int j = 1; j < n - 1; j++) ' +
      'y[i][j] = t[i][j - 1] + t[i][j + 1]; }',
  ],
  [
    'elements are read many times',
    'void f(int n, int m, const float *a, const float *b, float *y) { float t[n]; for (int i = 0; i < n; i++) ' +
      't[i] = expf(a[i]); for (int j = 0; j < m; j++) { float s = 0; for (int i = 0; i < n; i++) s += t[i] * b[j ' +
      '* n + i]; y[j] = s; } }',
  ],
])('a temporary that stays: %s', async (_, source) => {
  expect(analyse(await readC(source)).parts.length).toBeGreaterThan(1)
})
