// Iterations that only add to elements that data choose are threads, which add by atomic operations.
import { expect, test } from 'vitest'
import { someStmt } from '../../../src/ir/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { sizesOf, verified } from '../support.ts'

test.each<[string, string, number]>([
  [
    'the rows of a sparse matrix, transposed',
    'for (int i = 0; i < n; i++) for (int k = row[i]; k < row[i + 1]; k++) y[col[k]] += x[i];',
    1,
  ],
  [
    'what a row gives to each that it names',
    `for (int i = 0; i < n; i++) { int d = row[i + 1] - row[i]; if (d > 0) { float s = x[i] / d;
       for (int k = row[i]; k < row[i + 1]; k++) y[col[k]] += s; } }`,
    1,
  ],
  [
    'how often each is named, and the largest by whom',
    `for (int i = 0; i < n; i++) for (int k = row[i]; k < row[i + 1]; k++) { count[col[k]]++;
       if (last[col[k]] < i) last[col[k]] = i; }`,
    1,
  ],
  [
    'two loops around',
    `for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = row[i]; k < row[i + 1]; k++)
       count[(col[k] + j) % n] += j;`,
    2,
  ],
  [
    'what others have added is asked',
    `for (int i = 0; i < n; i++) for (int k = row[i]; k < row[i + 1]; k++) if (y[col[k]] < 9) y[col[k]] += x[i];`,
    0,
  ],
  [
    'what is stored beside sums',
    'for (int i = 0; i < n; i++) for (int k = row[i]; k < row[i + 1]; k++) { y[col[k]] += x[i]; last[col[k]] = i; }',
    0,
  ],
])('%s', async (_, body, parallel) => {
  const program = await readC(
    `void f(int n, int m, const int row[n + 1], const int col[m], const float x[n], float y[n], int count[n],
       int last[n]) { ${body} }`,
  )
  const analysed = analyse(program),
    parts = analysed.parts.flatMap(({ nest }) => (nest.kind === 'serial' ? [nest] : [])),
    atomic = parts.filter((p) => someStmt(p.body, (s) => s.kind === 'store' && s.atomic === true))
  expect(atomic.map((p) => p.parallel)).toEqual(parallel === 0 ? [] : [parallel])
  if (parallel === 0) return
  const points = analysed.parts.map((p) => p.sketch.ladder[0]!.point),
    sizes = [7, 150].map((n) => sizesOf(program, [n, 2 * n]))
  expect(verified(analysed, points, sizes)).toMatchObject({ ok: true })
})
