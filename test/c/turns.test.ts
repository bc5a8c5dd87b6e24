// Arrays that take turns in a loop: two or three pointers that change places after every step. What the function leaves
// in its arrays is compared with the same steps done here, for even and odd numbers of steps; then the plan, which has
// tiles in time.
import { describe, expect, test } from 'vitest'
import { interpret } from '../../src/ir/index.ts'
import { analyse } from '../../src/pipeline.ts'
import { verified } from '../schedule/support.ts'
import { readC } from './read.ts'

const step = 'for (int i = 1; i < n - 1; i++) b[i] = 0.5f * a[i - 1] + 0.25f * a[i] + 0.125f * a[i + 1];'
const swap = 'float *tmp = a; a = b; b = tmp;'
const loops: Readonly<Record<string, string>> = {
  parameters: `void f(int n, int steps, float *a, float *b) { for (int t = 0; t < steps; t++) { ${step} ${swap} } }`,
  'local pointers, a name from outside, the last step in the bound':
    `void f(int n, int steps, float x[n], float y[n]) { float *a = x, *b = y, *tmp; for (int t = 1; t <= steps; ` +
    `++t) { ${step} tmp = a; a = b; b = tmp; } }`,
  'they change places first':
    `void f(int n, int steps, float *b, float *a) { for (int t = 0; t < steps; t++) { float *tmp = a; a = b; b ` +
    `= tmp; ${step} } }`,
  'a step that knows its time':
    `void f(int n, int steps, float *a, float *b) { int t; for (t = 0; t < steps; t += 1) { ${step} b[0] = t; ` +
    `float *tmp = b; b = a; a = tmp; } }`,
}

describe.each(Object.entries(loops))('%s', (name, source) => {
  test.each([0, 1, 2, 3, 4, 7])('%i steps', async (steps) => {
    const n = 23,
      p = await readC(source)
    const [x, y] = p.arrays.map((a) => a.name) as [string, string] // the function has two
    const arrays = {
      [x]: Float64Array.from({ length: n }, (_, i) => (i * 7) % 5),
      [y]: Float64Array.from({ length: n }, (_, i) => (i * 3) % 4),
    }
    let [a, b] = [arrays[x]!.slice(), arrays[y]!.slice()] // as the first step has them
    const [first, second] = [a, b]
    for (let t = 0; t < steps; t++) {
      for (let i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1]! + 0.25 * a[i]! + 0.125 * a[i + 1]!
      if (name.includes('time')) b[0] = t
      ;[a, b] = [b, a]
    }
    interpret(p, { sizes: { n, steps }, scalars: {}, arrays }, { precision: 'f64' })
    expect([arrays[x], arrays[y]]).toEqual([first, second])
  })
})

const wave = (turn: string): string =>
  `void f(int n, int steps, float *x, float *y, float *z) { float *p = x, *u = y, *q = z; for (int t = 1; t ` +
  `<= steps; t++) { for (int i = 1; i < n - 1; i++) q[i] = 0.5f * u[i - 1] + 0.25f * u[i + 1] - 0.125f * ` +
  `p[i]; q[0] = t; ${turn} } }`

describe.each([
  ['forwards', 'float *s = p; p = u; u = q; q = s;', false],
  ['backwards', 'float *s = q; q = u; u = p; p = s;', true],
])('three arrays in a circle, %s', (_, turn, backwards) => {
  test.each([0, 1, 2, 3, 4, 5, 7])('%i steps', async (steps) => {
    const n = 13,
      p = await readC(wave(turn))
    const arrays = Object.fromEntries(
        ['x', 'y', 'z'].map((name, k) => [name, Float64Array.from({ length: n }, (_x, i) => (i * (3 + k)) % 5)]),
      ),
      expected = Object.values(arrays).map((a) => a.slice())
    let [before, now, next] = expected as [Float64Array, Float64Array, Float64Array] // three
    for (let t = 1; t <= steps; t++) {
      for (let i = 1; i < n - 1; i++) next[i] = 0.5 * now[i - 1]! + 0.25 * now[i + 1]! - 0.125 * before[i]!
      next[0] = t
      ;[before, now, next] = backwards ? [next, before, now] : [now, next, before]
    }
    interpret(p, { sizes: { n, steps }, scalars: {}, arrays }, { precision: 'f64' })
    expect(Object.values(arrays)).toEqual(expected)
  })

  test('tiles', async () => {
    const a = analyse(await readC(wave(turn).replace('q[0] = t; ', ''))),
      v = verified(
        a,
        a.parts.map(({ sketch: { ladder } }) => ladder[ladder.length - 1]!.point),
        [
          { n: 71, steps: 8 },
          { n: 5, steps: 1 },
        ],
      ) // ladders are not empty
    expect(a.parts[0]!.sketch.name).toBe('time-tiles')
    expect([v.ok, v.why]).toEqual([true, undefined])
  })
})

test('several steps per launch, on tiles', async () => {
  const a = analyse(await readC(loops['parameters']!))
  expect(a.parts.map((p) => p.sketch.name)).toEqual(['time-tiles', 'elementwise'])
  for (const rung of [0, 9]) {
    // ladders are not empty
    const points = a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(rung, ladder.length - 1)]!.point)
    const v = verified(a, points, [
      { n: 71, steps: 9 },
      { n: 40, steps: 6 },
      { n: 5, steps: 1 },
    ])
    expect([v.ok, v.why]).toEqual([true, undefined])
  }
})

test.each([
  [
    'an array is used after the loop',
    `void f(int n, int steps, float *a, float *b) { for (int t = 0; t < steps; t++) { ${step} ${swap} } a[0] = 1; }`,
  ],
  [
    'the loop may end early',
    `void f(int n, int steps, float *a, float *b) { for (int t = 0; t < steps; t++) { ${step} if (a[0] > 9) ` +
      `break; ${swap} } }`,
  ],
  [
    'they do not come back in a circle',
    'void f(int n, int steps, float *x, float *y, float *z) { float *p = x, *u = y, *q = z; for (int t = 0; t ' +
      '< steps; t++) { for (int i = 1; i < n; i++) q[i] = u[i - 1] - p[i]; float *s = p; p = u; u = q; q = u; } }',
  ],
  [
    'only one pointer moves, at some time',
    `void f(int n, int steps, float *a, float *b) { for (int t = 0; t < steps; t++) { ${step} if (t > 2) a = b; } }`,
  ],
])('%s: refused', async (_, source) => {
  await expect(readC(source)).rejects.toThrow('points into different arrays at different times')
})
