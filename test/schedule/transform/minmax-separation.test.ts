// The least and the greatest where the one is asked for only if the other is not: which loops keep both on their own,
// and that every rung computes what the source does.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'

const columns = (start: string): string =>
  `void f(int m, int n, const float a[m][n], float y[2][n]) { for (int j = 0; j < n; j++) { ${start} for (int i = 1; ` +
  'i < m; i++) { if (a[i][j] < lo) lo = a[i][j]; else if (a[i][j] > hi) hi = a[i][j]; } y[0][j] = lo; y[1][j] = hi; } }'

test.each([
  ['both from the first element', columns('float lo = a[0][j], hi = a[0][j];')],
  [
    'the greatest first',
    columns('float lo = a[0][j], hi = lo;').replace(
      'a[i][j] < lo) lo = a[i][j]; else if ' + '(a[i][j] > hi) hi = a[i][j]',
      'hi < a[i][j]) hi = a[i][j]; else if (lo > a[i][j]) lo = a[i][j]',
    ),
  ],
])('apart: %s', async (_, source) => {
  const names = analyse(await readC(source)).parts.map((p) => p.sketch.name)
  expect(names).not.toContain('per-iteration')
  await rungsHold(source, names, [
    [37, 5],
    [4, 70],
    [1, 3],
  ])
})

test.each([
  ['the first element may be both', columns('float lo = 1e30f, hi = -1e30f;')],
  [
    'what they start from changes in between',
    columns('float lo = y[0][j]; y[0][j] = 3; float hi = y[0][j];').replace('const float a', 'float a'),
  ],
])('together: %s', async (_, source) => {
  const names = analyse(await readC(source)).parts.map((p) => p.sketch.name)
  expect(names).toContain('per-iteration')
})
