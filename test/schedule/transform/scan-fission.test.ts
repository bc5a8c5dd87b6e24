// Running values that go on from what a loop in front left, and those that are changed twice in an iteration: moving
// sums as people write them. Each is a scan behind a sum, with the source's results where windows are inside of rows.
import { expect, test } from 'vitest'
import { chooseVariant, executions } from '../../../src/ir/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { plannedValues, verificationSizes } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { verified, type Sizes } from '../support.ts'

const vectors: readonly Sizes[] = [
    { n: 301, r: 3 },
    { n: 9, r: 7 },
  ],
  rows: readonly Sizes[] = [
    { h: 5, w: 131, r: 3 },
    { h: 3, w: 40, r: 1 },
  ]

test.each([
  [
    'added, stored, taken away',
    'void f(int n, int r, const float *a, float *o) { float s = 0; for (int i = 0; i < 2 * r; i++) s += a[i]; ' +
      'for (int i = r; i < n - r; i++) { s += a[i + r]; o[i] = s / (2 * r + 1); s -= a[i - r]; } }',
    vectors,
  ],
  [
    'taken away, added, stored twice',
    'void f(int n, int r, const float *a, float *o, float *p) { float s = 0; for (int i = 0; i < r; i++) s += ' +
      'a[i]; for (int i = r; i < n; i++) { s -= a[i - r]; p[i] = s; if (a[i] > 0) s += a[i]; o[i] = s * s; } }',
    vectors,
  ],
  [
    'rows',
    'void f(int h, int w, int r, const float a[h][w], float o[h][w]) { for (int y = 0; y < h; y++) { float s ' +
      '= 0; for (int x = 0; x < 2 * r + 1; x++) s += a[y][x]; for (int x = r; x < w - r - 1; x++) { o[y][x] = ' +
      's / (2 * r + 1); s += a[y][x + r + 1] - a[y][x - r]; } } }',
    rows,
  ],
  [
    'integers, used behind the loop',
    'void f(int n, int r, const int *a, int *o, int *total) { int s = 0; for (int i = 0; i < r; i++) s += ' +
      'a[i]; for (int i = r; i < n; i++) { s += a[i] - a[i - r]; o[i] = s; } total[0] = s; }',
    vectors,
  ],
  [
    'a largest so far',
    'void f(int n, int r, const float *a, float *o) { float s = -1e30f; for (int i = 0; i < r; i++) s = ' +
      'fmaxf(s, a[i]); for (int i = r; i < n; i++) { s = fmaxf(s, a[i]); o[i] = s; s = fmaxf(s, a[i - r]); } }',
    vectors,
  ],
])('%s', async (_, source, sizes) => {
  const analysed = analyse(await readC(`#pragma tesela sizes(n = 4194304, r = 40, h = 4096, w = 4096)\n${source}`))
  expect(analysed.parts.map((p) => p.sketch.name)).toContain('scan')
  expect(analysed.parts.map((p) => p.sketch.name)).not.toContain('sequential')
  const v = verified(
    analysed,
    analysed.parts.map(({ sketch: { ladder } }) => ladder.at(-1)!.point),
    sizes,
  ) // ladders are not empty
  expect([v.ok, v.why]).toEqual([true, undefined])
})

test('what is stored between two updates that need each other stays in order', async () => {
  const analysed = analyse(
    await readC(
      'void f(int n, const float *a, float *o) { float s = 1; for (int i = 0; i < n; i++) { s += a[i]; o[i] = ' +
        's; s *= s; } }',
    ),
  )
  expect(analysed.parts.map((p) => p.sketch.name)).toEqual(['sequential'])
})

test('proofs run windows inside of rows, and one with none', async () => {
  const analysed = analyse(
    await readC(
      '#pragma tesela sizes(n = 4194304, r = 40)\nvoid f(int n, int r, const float *a, float *o) { for (int i ' +
        '= r; i < n - r; i++) o[i] = a[i - r] + a[i + r]; }',
    ),
  )
  const { plan } = build(
      analysed,
      analysed.parts.map((p) => p.sketch.ladder.at(-1)!.point),
    ),
    sets = verificationSizes(analysed.source, plan) // ladders are not empty
  expect(sets.filter((s) => s['n']! > 2 * s['r']!).length).toBeGreaterThan(1)
  expect(sets.some((s) => s['n']! <= 2 * s['r']!)).toBe(true)
  expect([
    ...executions(chooseVariant(plan, plannedValues(analysed.source)), plannedValues(analysed.source)),
  ]).toHaveLength(1)
})
