// Threads that walk through rows and columns: that each point that moves strips or asks ahead computes what the source
// does, where the last strip is part of one and where there is none, and that neighbouring threads of a strip ask for
// neighbouring elements.
import { expect, test } from 'vitest'
import { emitCuda, emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import { analyse, build, type Analysed } from '../../../src/pipeline.ts'
import type { Point } from '../../../src/schedule/index.ts'
import { readC } from '../../c/read.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { verified } from '../support.ts'

const f = (arrays: string, body: string): string =>
  `void f(int n, int m, ${arrays}) { for (int i = 0; i < n; i++) { ${body} } }`

const walks: readonly (readonly [name: string, source: string, strips: string])[] = [
  [
    'a filter of second order',
    f(
      'const float x[n][m], float y[n][m]',
      'float p = 0, q = 0; for (int j = 0; j < m; j++) { float v = x[i][j] - 0.5f * p + 0.25f * q; q = p; p = ' +
        'v; y[i][j] = v; }',
    ),
    'x, y',
  ],
  [
    'in place',
    f(
      'float y[n][m]',
      'float p = 0; for (int j = 0; j < m; j++) { p = y[i][j] * (1.0f + p * p) * 0.25f; y[i][j] = p; }',
    ),
    'y',
  ],
  [
    'there and back',
    f(
      'const float x[n][m], float y[n][m], float z[n][m]',
      'float p = 0; for (int j = 0; j < m; j++) { p = x[i][j] / (2.0f + 0.5f * p * p); y[i][j] = p; } for ' +
        '(int j = m - 1; j >= 0; j--) { p = y[i][j] / (2.0f + p * p); z[i][j] = p; }',
    ),
    'x, y, z',
  ],
  [
    'a first element that its own thread stores',
    f(
      'const float x[n][m], float y[n][m]',
      'float p = x[i][0] * 0.5f; y[i][0] = p; for (int j = 0; j < m; j++) { p = 0.5f * y[i][j] * (1.0f - p * ' +
        'p) + x[i][j]; if (p > 0.75f) y[i][j] = p; }',
    ),
    'x, y',
  ],
  [
    'rows beside its own',
    f(
      'const float x[n + 2][m], float y[n][m]',
      'float p = 0; for (int j = 1; j < m - 1; j++) { p = x[i][j] - x[i + 1][j - 1] + 0.5f * x[i + 2][j + 1] ' +
        '* (1.0f - 0.1f * p * p); y[i][j] = p; }',
    ),
    'x, y',
  ],
  [
    'elements that data keep',
    f(
      'const float x[n][m], float y[n][m]',
      'float p = 0; for (int j = 0; j < m; j++) { p = x[i][j] - 0.5f * p * p; if (p > 0.5f) y[i][j] = p; else ' +
        'p = 0.25f; }',
    ),
    'x, y',
  ],
  [
    'a sum at each element',
    f(
      'const float x[n][m], float y[n][m]',
      'float p = 0; for (int j = 0; j < m; j++) { p = x[i][j] - 0.5f * p * p; y[i][j] += p; }',
    ),
    'x, y',
  ],
]

// a program has parts
const pointsOf = (a: Analysed, has: string): readonly Point[] => a.parts[0]!.sketch.space.filter((p) => p[has])

test.each(walks)('in strips: %s', async (_, source, arrays) => {
  const a = analyse(await readC(source)),
    points = pointsOf(a, 'columns')
  expect(a.parts).toHaveLength(1)
  expect(points.length).toBeGreaterThan(4)
  for (const point of points.slice(0, 3)) {
    const { kernels } = build(a, [point])
    expect(kernels[0]!.steps.at(-1)).toBe(
      `${point['rows']} × ${point['columns']} elements of ${arrays} at a time go through workgroup memory, ` +
        `moved by ${point['threads']} threads`,
    )
  }
  for (const [at, m] of [
    [0, 1],
    [0, 2],
    [0, 63],
    [1, 64],
    [1, 129],
    [2, 200],
    [3, 65],
    [5, 97],
  ] as const) {
    const v = verified(a, [points[at]!], [{ n: 37, m }])
    expect([m, v.ok, v.why]).toEqual([m, true, undefined])
  }
})

test('along columns loads of several iterations stand in front', async () => {
  const a = analyse(
    await readC(
      'void f(int n, int m, const float x[n][m], float y[n][m]) { for (int j = 0; j < m; j++) { float p = 0; ' +
        'for (int i = 0; i < n; i++) { p = x[i][j] - 0.5f * p * p; y[i][j] = p; } } }',
    ),
  )
  expect(pointsOf(a, 'columns')).toEqual([])
  const points = pointsOf(a, 'group')
  for (const [at, n] of [
    [0, 1],
    [0, 7],
    [0, 8],
    [1, 33],
    [4, 16],
    [5, 50],
  ] as const) {
    const v = verified(a, [points[at]!], [{ n, m: 37 }])
    expect([n, v.ok, v.why]).toEqual([n, true, undefined])
  }
  const { plan } = build(a, [points.find((p) => p['group'] === 16)!])
  // a plan has a launch
  expect(emitCuda(plan.variants[0]!.launches[0]!.kernel).text.match(/x_ahead_\d+ =/g)).toHaveLength(16)
  const { text } = emitCudaLauncher(emitPlan(plan, { targets: ['cuda'] }))
  expect(text).toContain('const_cast<float*>(x)') // the kernel takes what it holds as if it wrote it
  if (nvccAvailable()) expect(compileCuda(text).length).toBeGreaterThan(0)
})

test.each([
  [
    'another row of what is written',
    'float y[n][m]',
    'float p = 0; for (int j = 0; j < m; j++) { p = 0.5f * p * p + (i == 0 ? 1.0f : 2.0f); y[n - 1 - i][j] = p; }',
  ],
  [
    'rows that start elsewhere in each',
    'const float x[n][m], float y[n][m]',
    'float p = 0; for (int j = i; j < m; j++) { p = x[i][j] - 0.5f * p * p; y[i][j] = p; }',
  ],
])('no strips: %s', async (_, arrays, body) => {
  const a = analyse(await readC(f(arrays, body)))
  expect(pointsOf(a, 'columns')).toEqual([])
  const v = verified(
    a,
    a.parts.map((p) => p.sketch.ladder.at(-1)!.point),
    [{ n: 37, m: 50 }],
  )
  expect([v.ok, v.why]).toEqual([true, undefined])
})

test('what the caller gives alone is computed once, before all loops', async () => {
  const a = analyse(
    await readC(
      '#include <math.h>\nvoid f(int n, int m, float s, const float x[n][m], float y[n][m]) { for (int j = 0; ' +
        'j < m; j++) { float p = 0; for (int i = 0; i < n; i++) { p = x[i][j] * (1.0f - expf(-s)) / (1.0f + s ' +
        '* s) - 0.5f * p * p; y[i][j] = p; } } }',
    ),
  )
  // a program has parts
  const text = emitCuda(build(a, [a.parts[0]!.sketch.ladder[0]!.point]).plan.variants[0]!.launches[0]!.kernel).text
  expect(text.indexOf('expf(')).toBeGreaterThan(0)
  expect(text.indexOf('expf(')).toBeLessThan(text.indexOf('for ('))
})
