// Recurrences in registers: what each kernel says of it, and that every plan computes what its source does, also where
// the loops are empty or have one step. None is linear: those are scans.
import { expect, test } from 'vitest'
import { emitCuda } from '../../../src/emit/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { verified } from '../support.ts'

const rows = (body: string, arrays = 'float p[n][m], float q[n][m]'): string =>
  `void f(int n, int m, ${arrays}, const float u[n][m]) { for (int i = 0; i < n; i++) { ${body} } }`

test.each([
  [
    'one step back',
    rows('for (int j = 1; j < m; j++) p[i][j] = u[i][j] - 0.5f * fabsf(p[i][j-1]);', 'float p[n][m]'),
    'p',
  ],
  [
    'from the end',
    rows('for (int j = m - 2; j >= 0; j--) p[i][j] = u[i][j] - 0.5f * fabsf(p[i][j+1]);', 'float p[n][m]'),
    'p',
  ],
  ['every second', rows('for (int j = 2; j < m; j += 2) p[i][j] = u[i][j] - 0.5f * p[i][j-2];', 'float p[n][m]'), 'p'],
  [
    'two together',
    rows(
      'for (int j = 1; j < m; j++) { p[i][j] = u[i][j] - 0.5f * p[i][j-1] * q[i][j-1]; q[i][j] = 0.25f * ' +
        'q[i][j-1] + p[i][j] - p[i][j-1]; }',
    ),
    'p, q',
  ],
  [
    'three steps back',
    rows(
      'for (int j = 3; j < m; j++) { p[i][j] = u[i][j] - 0.25f * fabsf(p[i][j-1]) + 0.125f * p[i][j-2] + 0.2f * ' +
        'p[i][j-3]; q[i][j] = fabsf(q[i][j-1]) + p[i][j] - p[i][j-2]; }',
    ),
    'p, q',
  ],
  [
    'read again after it is stored',
    rows(
      'for (int j = 1; j < m; j++) { p[i][j] = u[i][j] - 0.5f * fabsf(p[i][j-1]); q[i][j] = p[i][j] * p[i][j] + ' +
        'p[i][j-1] - fabsf(q[i][j-1]); }',
    ),
    'p, q',
  ],
  [
    'only two steps back',
    rows('for (int j = 2; j < m; j++) p[i][j] = u[i][j] - 0.5f * p[i][j-2];', 'float p[n][m]'),
    null,
  ],
  [
    'a read that a condition guards',
    rows('for (int j = 0; j < m; j++) p[i][j] = u[i][j] - 0.5f * (j > 0 ? p[i][j-1] : 0.0f);', 'float p[n][m]'),
    null,
  ],
  [
    'two stores',
    rows(
      'for (int j = 1; j < m; j++) { p[i][j] = u[i][j] - 0.5f * p[i][j-1]; if (u[i][j] > 0.0f) p[i][j] = ' +
        'p[i][j] + u[i][j-1] * p[i][j-1]; }',
      'float p[n][m]',
    ),
    null,
  ],
])('%s', async (_, source, arrays) => {
  const a = analyse(await readC(source))
  const points = a.parts.map((x) => x.sketch.ladder[0]!.point) // ladders are not empty
  const { plan, kernels } = build(a, points)
  expect(kernels.flatMap((x) => x.steps).filter((s) => s?.includes('wait in registers'))).toEqual(
    arrays === null ? [] : [`the last elements of ${arrays} that a thread stored wait in registers`],
  )
  const { kernel } = plan.variants[0]!.launches[0]! // a plan has a launch
  if (arrays !== null) expect(emitCuda(kernel).text).toContain('p_last')
  for (const m of [3, 4, 5, 29]) {
    const v = verified(a, points, [{ n: 37, m }])
    expect([v.ok, v.why]).toEqual([true, undefined])
  }
})

test('loops that do not run read nothing', async () => {
  const a = analyse(
    await readC(rows('for (int j = 1; j < m; j++) p[i][j] = u[i][j] - 0.5f * p[i][j-1];', 'float p[n][m]')),
  )
  const v = verified(
    a,
    a.parts.map((x) => x.sketch.ladder[0]!.point),
    [
      { n: 5, m: 1 },
      { n: 1, m: 2 },
    ],
  )
  expect([v.ok, v.why]).toEqual([true, undefined])
})
