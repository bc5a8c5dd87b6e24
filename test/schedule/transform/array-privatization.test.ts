// Local arrays of rows: which get an element for each row, that every rung computes what the source does, and that what
// iterations hand on to later ones stays where it is.
import { describe, expect, test } from 'vitest'
import { arrayPrivatization } from '../../../src/transform/index.ts'
import { runPass } from '../../../src/ir/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { text } from '../support.ts'
import { rungsHold } from '../rungs.ts'

const head = 'void f(int m, int n, const float x[m][n], float y[m][n]) { for (int i = 0; i < m; i++) { '

/** Sizes that no tile divides, rows and columns of one, and none. */
const sizes = [
  [3, 37],
  [66, 5],
  [1, 2],
  [2, 1],
]

describe('rows that are filled piece by piece', () => {
  test.each([
    [
      'a border on either side',
      'float b[n + 2]; b[0] = x[i][0]; b[n + 1] = x[i][n - 1]; for (int j = 0; j < n; j++) b[j + 1] = x[i][j]; ' +
        'for (int j = 0; j < n; j++) y[i][j] = b[j] + 2 * b[j + 1] + b[j + 2];',
      ['stencil'],
    ],
    [
      'sums so far, read at ends that are clamped',
      'float p[n + 1]; p[0] = 0; for (int j = 0; j < n; j++) p[j + 1] = p[j] + x[i][j]; for (int j = 0; j < n; j++) ' +
        '{ int lo = j < 4 ? 0 : j - 4, hi = j + 5 > n ? n : j + 5; y[i][j] = p[hi] - p[lo]; }',
      ['per-point', 'scan', 'stencil'],
    ],
    [
      'greatest from the end',
      'float g[n]; g[n - 1] = x[i][n - 1]; for (int j = n - 2; j >= 0; j--) g[j] = fmaxf(g[j + 1], x[i][j]); ' +
        'for (int j = 0; j < n; j++) y[i][j] = x[i][j] - g[j];',
      ['per-point', 'scan', 'elementwise'],
    ],
    [
      'two buffers, one of which is made of the other',
      'float a[n], b[n]; for (int j = 0; j < n; j++) a[j] = x[i][j] * x[i][j]; b[0] = a[0]; for (int j = 1; j < n; ' +
        'j++) b[j] = a[j] - a[j - 1]; for (int j = 0; j < n; j++) y[i][j] = b[j] + b[n - 1 - j];',
      ['stencil'],
    ],
    [
      'even elements, then odd ones',
      'float t[2 * n]; for (int j = 0; j < n; j++) t[2 * j] = x[i][j]; for (int j = 0; j < n; j++) t[2 * j + 1] = ' +
        '-x[i][j]; for (int j = 0; j < n; j++) y[i][j] = t[j] + t[2 * n - 1 - j];',
      ['maps', 'stencil'],
    ],
    [
      'pairs up to half of the row',
      'float t[n]; for (int j = 0; j < n; j++) t[j] = x[i][j] * 3; float s = 0; for (int j = 0; j < n / 2; j++) ' +
        's += fmaxf(t[2 * j], t[2 * j + 1]); for (int j = 0; j < n; j++) y[i][j] = s;',
      ['elementwise', 'rows'],
    ],
  ])('%s', async (_, body, sketches) => rungsHold(`${head}${body} } }`, sketches, sizes))
})

const tested = (body: string): string => `program p {
  size m = 8 min 1
  size n = 8 min 2
  array x: f32[m, n] in global
  array y: f32[m, n] out global
  array t: f32[n] temp global
  for i in 0 .. m {
${body}
  }
}`

describe('what stays one for all iterations', () => {
  test.each([
    ['an element is left out', 'for j in 1 .. n {\nt[j] = x[i, j]\n}\nfor k in 0 .. n {\ny[i, k] = t[k]\n}'],
    [
      'every other element is left out',
      'for j in 0 .. n / 2 {\nt[2 * j] = x[i, j]\n}\nfor k in 0 .. n {\ny[i, k] = t[k]\n}',
    ],
    [
      'a condition may leave it as it was',
      'for j in 0 .. n {\nif x[i, j] > 0.0f {\nt[j] = x[i, j]\n}\n}\nfor k in 0 .. n {\ny[i, k] = t[k]\n}',
    ],
    ['it is read before', 'for k in 0 .. n {\ny[i, k] = t[k]\n}\nfor j in 0 .. n {\nt[j] = x[i, j]\n}'],
    ['an element is read before it is written', 'for j in 0 .. n {\ny[i, j] = t[n - 1 - j]\nt[j] = x[i, j]\n}'],
  ])('%s', (_, body) => {
    const p = text(tested(body))
    expect(runPass(arrayPrivatization, p, { whole: true })).toBe(p)
  })

  test('pieces of a program do not know who else reads its temporaries', () => {
    const p = text(tested('for j in 0 .. n {\nt[j] = x[i, j]\n}\nfor k in 0 .. n {\ny[i, k] = t[n - 1 - k]\n}'))
    expect(runPass(arrayPrivatization, p, { whole: false })).toBe(p)
    expect(runPass(arrayPrivatization, p, { whole: true })).not.toBe(p)
  })

  test('iterations that hand something else on stay in order with one array', () => {
    const p = text(
      tested(
        'for j in 0 .. n {\nt[j] = x[i, j] + y[i - 1, j]\n}\nfor k in 0 .. n {\ny[i, k] = t[n - 1 - k]\n}',
      ).replace('for i in 0', 'for i in 1'),
    )
    expect(runPass(arrayPrivatization, p, { whole: true })).toBe(p)
  })
})

test('columns that are buffered lie as they do in what they are made from', async () => {
  const program = await readC(
    'void f(int m, int n, float x[m][n]) { for (int j = 0; j < n; j++) { float c[m]; for (int i = 0; i < m; i++) ' +
      'c[i] = x[i][j]; for (int i = 1; i < m - 1; i++) x[i][j] = c[i - 1] + c[i + 1]; } }',
  )
  const room = analyse(program).program.arrays.find((a) => a.name.startsWith('c_each'))
  expect(room?.shape.map((e) => (e.kind === 'size' ? e.name : e.kind))).toEqual(['m', 'n'])
})
