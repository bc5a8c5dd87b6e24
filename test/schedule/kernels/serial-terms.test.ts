// Sums whose terms are computed in order: the threads of a block share them.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { sizesOf, verified } from '../support.ts'

const walk = 'int k = 0; for (int l = 0; l < d; l++) k = 2 * k + 1 + (x[i * m + l] > a[t * d + l]);'

test.each<[string, string, boolean]>([
  ['a sum of walks', `float s = 0; for (int t = 0; t < m; t++) { ${walk} s += a[k % d]; } y[i] = s / m;`, true],
  ['a sum that goes on', `float s = y[i]; for (int t = 0; t < m; t++) { ${walk} s += a[k % d]; } y[i] = s;`, true],
  [
    'a sum and a largest term, of some walks',
    `float s = 1, b = -9; for (int t = 1; t < m; t++) { ${walk} if (k % 3) s += a[k % d]; b = fmaxf(b, a[k % d]); }
     y[i] = s * b;`,
    true,
  ],
  [
    'a sum that walks ask for',
    `float s = 0; for (int t = 0; t < m; t++) { ${walk} if (s < 2) s += a[k % d]; } y[i] = s;`,
    false,
  ],
  [
    'walks that go on from one another',
    `float s = 0; int k = 0; for (int t = 0; t < m; t++) {
       for (int l = 0; l < d; l++) k = (2 * k + 1 + (x[i * m + l] > 0)) % 7; s += a[k]; } y[i] = s;`,
    false,
  ],
])('%s', async (_, body, isShared) => {
  const program = await readC(
    `void f(int n, int m, int d, const float *x, const float *a, float *y) { for (int i = 0; i < n; i++) { ${body} } }`,
  )
  const analysed = analyse(program),
    part = analysed.parts.findIndex((p) => p.sketch.name === 'per-iteration'),
    shared = analysed.parts[part]?.sketch.space.filter((p) => p['shared'] === 1) ?? []
  expect(shared.length > 0).toBe(isShared)
  const sizes = [7, 100].map((n) => sizesOf(program, [n, n + 30, 8]))
  for (const point of shared.slice(0, 2)) {
    const points = analysed.parts.map((p, i) => (i === part ? point : p.sketch.ladder[0]!.point))
    expect(verified(analysed, points, sizes)).toMatchObject({ ok: true })
  }
})
