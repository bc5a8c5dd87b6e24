// Dynamic programs that keep a row or two, sorts by neighbours, triangles, ranks, and searches beside running values,
// as people write them: which sketches they get, and the plans simulated with hazards watched, at sizes that no block
// divides and where loops are empty.
import { describe, expect, test } from 'vitest'
import { printProgram } from '../../../src/ir/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import { endsApart } from '../../../src/transform/index.ts'
import { readC } from '../../c/read.ts'
import { text, verified, type Sizes } from '../support.ts'

const pairs: readonly Sizes[] = [
  { n: 1, m: 1 },
  { n: 70, m: 150 },
  { n: 150, m: 40 },
]
const lengths: readonly Sizes[] = [{ n: 1 }, { n: 2 }, { n: 67 }, { n: 200 }]

/** Name, source, sketches that its parts have, sizes. */
const programs: readonly (readonly [string, string, readonly string[], readonly Sizes[]])[] = [
  [
    'two rows, copied',
    'int f(int n, int m, const int *a, const int *b, int *p, int *c) { for (int j = 0; j <= m; j++) p[j] = j; ' +
      'for (int i = 1; i <= n; i++) { c[0] = i; for (int j = 1; j <= m; j++) { int x = p[j] + 1, y = c[j - 1] + 1, ' +
      'z = p[j - 1] + (a[i - 1] != b[j - 1]); int t = x < y ? x : y; c[j] = t < z ? t : z; } ' +
      'for (int j = 0; j <= m; j++) p[j] = c[j]; } return p[m]; }',
    ['wave-tiles'],
    pairs,
  ],
  [
    'one row and what was there',
    'int f(int n, int m, const int *a, const int *b, int *row) { for (int j = 0; j <= m; j++) row[j] = 0; ' +
      'for (int i = 0; i < n; i++) { int diag = 0; for (int j = 1; j <= m; j++) { int up = row[j]; ' +
      'if (a[i] == b[j - 1]) row[j] = diag + 1; else if (row[j - 1] > up) row[j] = row[j - 1]; diag = up; } } ' +
      'return row[m]; }',
    ['wave-tiles'],
    pairs,
  ],
  [
    'neighbours that change places',
    'void f(int n, int *a) { for (int i = 0; i < n - 1; i++) for (int j = 0; j < n - 1 - i; j++) ' +
      'if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } }',
    ['wave-tiles'],
    lengths,
  ],
  [
    'a triangle of rows',
    'void f(int n, int c[n][n]) { for (int i = 0; i < n; i++) { c[i][0] = 1; c[i][i] = 1; ' +
      'for (int j = 1; j < i; j++) c[i][j] = c[i - 1][j - 1] + c[i - 1][j]; } }',
    ['wave-tiles'],
    lengths,
  ],
  [
    'steps that do less and less',
    'void f(int n, const float *x, float *v, float p, float q) { for (int i = 0; i <= n; i++) v[i] = x[i]; ' +
      'for (int t = n; t > 0; t--) for (int i = 0; i < t; i++) { float c = p * v[i + 1] + q * v[i]; ' +
      'v[i] = c > x[i] ? c : x[i]; } }',
    ['time-tiles'],
    lengths,
  ],
  [
    'a stable sort by counting',
    '#pragma tesela sizes(n = 65536)\nvoid f(int n, const unsigned char *a, int *count, unsigned char *out) { ' +
      'for (int i = 0; i < 256; i++) ' +
      'count[i] = 0; for (int i = 0; i < n; i++) count[a[i]]++; for (int i = 1; i < 256; i++) ' +
      'count[i] += count[i - 1]; for (int i = n - 1; i >= 0; i--) out[--count[a[i]]] = a[i]; }',
    ['scan', 'scatter', 'per-iteration'],
    [
      { n: 1, out_length: 1 },
      { n: 300, out_length: 300 },
    ],
  ],
  [
    'ranks among some',
    '#pragma tesela sizes(n = 65536)\nvoid f(int n, const unsigned char *x, int *c, int *rank) { for (int i = ' +
      '0; i < 16; i++) c[i] = 5; ' +
      'for (int i = 0; i < n; i++) if (x[i] > 7) { c[x[i] & 15] += i; rank[i] = c[x[i] & 15] - 1; } }',
    ['scan', 'per-iteration'],
    [
      { n: 1, out_length: 1 },
      { n: 300, out_length: 300 },
    ],
  ],
  [
    'the largest sum of a part, and where it is',
    'void f(int n, const int *a, int *out) { int best = a[0], cur = a[0], start = 0, bs = 0, be = 0; ' +
      'for (int i = 1; i < n; i++) { if (cur < 0) { cur = a[i]; start = i; } else cur += a[i]; ' +
      'if (cur > best) { best = cur; bs = start; be = i; } } out[0] = best; out[1] = bs; out[2] = be; }',
    ['recurrence', 'argument'],
    [{ n: 1 }, { n: 67 }],
  ],
  [
    'sums of a triangle, each its own number',
    '#pragma tesela sizes(n = 300, d = 300)\nvoid f(int n, int d, float v[n][d]) { for (int i = 0; i < n; i++) ' +
      'for (int j = 0; j < i; j++) ' +
      '{ float s = 0; for (int k = 0; k < d; k++) s += 0.1f * v[i][k] * v[j][k]; ' +
      'for (int k = 0; k < d; k++) v[i][k] -= 0.1f * s * v[j][k]; } }',
    ['reduction'],
    [
      { n: 1, d: 3 },
      { n: 20, d: 37 },
    ],
  ],
]

describe('dynamic programs that keep rows', () => {
  test.each(programs)('%s', async (_, source, sketches, sizes) => {
    const p = await readC(source),
      a = analyse(source.startsWith('#') ? p : { ...p, sizes: p.sizes.map((s) => ({ ...s, planned: 2000 })) })
    const names = a.parts.map((x) => x.sketch.name)
    expect(names).toEqual(expect.arrayContaining([...sketches]))
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

  test('an iteration that asks whether it is the last stands behind the others', () => {
    const p = text(`
program p {
  size n = 8 min 1
  array a: f32[n, n] inout global
  for i in 0 .. n {
    for j in 0 .. i + 1 {
      if i == j {
        a[i, j] = 1.0f
      } else {
        a[i, j] = a[i, j] * (j == i ? 2.0f : 3.0f) + a[j, j]
      }
    }
  }
}`)
    const [loop] = p.body
    const made = loop?.kind === 'loop' ? endsApart(p, loop) : undefined
    expect(
      made &&
        printProgram({ ...p, body: [made] })
          .split('\n')
          .slice(3, -2),
    ).toEqual([
      '  for i in 0 .. n {',
      '    for j in 0 .. i {',
      '      a[i, j] = a[i, j] * 3.0f + a[j, j]',
      '    }',
      '    a[i, i] = 1.0f',
      '  }',
    ])
    expect(made?.kind === 'loop' && endsApart(p, { ...made, body: [made.body[1]!] }).body).toEqual([made?.body[1]])
  })
})
