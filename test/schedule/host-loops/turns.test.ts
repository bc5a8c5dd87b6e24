// Sweeps that take turns, in the spellings that people give red and black cells: written out over all of a grid, and
// the same results.
import { expect, test } from 'vitest'
import { printProgram, type Loop } from '../../../src/ir/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import { turnsApart } from '../../../src/transform/index.ts'
import { readC } from '../../c/read.ts'
import { results, verified } from '../support.ts'

const cell = 'u[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);',
  rows = 'for (int i = 1; i < n - 1; i++)',
  colors = 'for (int c = 0; c < 2; c++)'

const read = async (body: string) =>
  readC(`void f(int n, int m, float u[n][n]) { for (int t = 0; t < m; t++) { ${body} } }`)

test.each<[string, string, boolean]>([
  [
    'rows that begin at a remainder',
    `${colors} ${rows} for (int j = 1 + (i + c) % 2; j < n - 1; j += 2) ${cell}`,
    true,
  ],
  ['two such loops', `${rows} for (int j = 2 - i % 2; j < n - 1; j += 2) ${cell}`, false],
  ['a remainder', `${colors} ${rows} for (int j = 1; j < n - 1; j++) if ((i + j) % 2 == c) ${cell}`, true],
  ['rows of three colors', `${rows} for (int j = 1 + (2 * i) % 3; j < n - 1; j += 3) ${cell}`, true],
  [
    'a window of constants',
    `${rows} for (int j = 0; j < n; j++) for (int c = 0; c < 2; c++) u[i][j] += u[i + c][j];`,
    false,
  ],
])('%s', async (_, body, isApart) => {
  const p = await read(body),
    made = turnsApart(p, p.body[0] as Loop) // one loop
  expect(made !== undefined).toBe(isApart)
  if (!made) return
  const apart = { ...p, body: [made] }
  expect(printProgram(apart)).not.toMatch(/step|for c/)
  for (const n of [2, 3, 7, 8]) expect(results(apart, ['u'], { n, m: 2 })).toEqual(results(p, ['u'], { n, m: 2 }))
})

test.each([
  `${colors} ${rows} for (int j = 1 + (i + c) % 2; j < n - 1; j += 2) ${cell}`,
  `${colors} ${rows} for (int j = 1; j < n - 1; j++) if (((i + j) & 1) == c) ${cell}`,
])('on tiles in time: %s', async (body) => {
  const a = analyse(await read(body))
  expect(a.parts.map((x) => x.sketch.name)).toEqual(['time-tiles'])
  const points = a.parts.map((x) => x.sketch.ladder[0]!.point)
  expect(verified(a, points, [{ n: 37, m: 3 }])).toMatchObject({ ok: true })
})
