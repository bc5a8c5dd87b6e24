// Locals that inner loops of several outer loops set: a local for each outer loop, though nobody knows whether the
// inner loops have iterations; but not where a value that is left is read.
import { expect, test } from 'vitest'
import { eachStmt, type LoopStmt } from '../../../src/ir/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import { splitRanges } from '../../../src/transform/normalize/live-range-splitting.ts'
import { readC } from '../../c/read.ts'
import { verified } from '../support.ts'

const rows = (rest: string): string => `void f(int n, int m, const float *a, const float *v, float *y) {
  float s = 0, t;
  for (int i = 0; i < n; i++) {
    float b = 0, c = 0;
    for (int j = 0; j < m; j++) { s = v[j]; t = a[i * m + j]; b += t * s; t = a[(n - 1 - i) * m + j]; c += t * s; }
    y[2 * i] = b;
    y[2 * i + 1] = c;
  }
  for (int i = 0; i < n; i++) {
    float b = 0;
    for (int j = 0; j < m / 2; j++) { s = v[2 * j]; t = a[i * m + 2 * j + 1]; b += t * s; }
    for (int j = 0; j < m % 2; j++) b += a[i * m + m - 1 + j];
    y[2 * n + i] = b;
  }
  ${rest}
}`

/** Locals that are set in `s`. */
const setIn = (s: LoopStmt): readonly string[] => {
  const names = new Set<string>()
  eachStmt([s], (x) => {
    if (x.kind === 'store' && x.index.length === 0 && /^[st]/.test(x.array)) names.add(x.array)
  })
  return [...names]
}

test.each([
  ['each loop has its own', '', []],
  ['what the first loop leaves is read where the second has no iterations', 'y[3 * n] = s;', ['s_2']],
])('%s', async (_, rest, both) => {
  const { body } = splitRanges(await readC(rows(rest))),
    [first, second] = body.filter((s) => s.kind === 'loop').map(setIn)
  expect([first, second].map((names) => names?.length)).toEqual([3, 2])
  expect(first?.filter((name) => second?.includes(name))).toEqual(both)
})

test('the loops are computations of their own', { timeout: 60_000 }, async () => {
  const program = await readC(rows(''))
  const analysed = analyse(program)
  const v = verified(
    analysed,
    analysed.parts.map(({ sketch: { ladder } }) => ladder[0]!.point), // ladders are not empty
    [
      { n: 7, m: 5 },
      { n: 3, m: 1 },
      { n: 4, m: 8 },
    ],
  )
  expect([v.ok, v.why]).toEqual([true, undefined])
})

test.each([
  ['a first iteration', 'for (int i = k; i < n; i++) y[i] = 0;'],
  ['a last iteration', 'for (int i = 0; i < k; i++) y[i] = 0;'],
  ['a condition', 'for (int i = 0; i < n; i++) if (i > k) y[i] = 0;'],
  ['a condition, after which it is set', 'for (int i = 0; i < n; i++) { if (k > i) y[i] = 0; k = i; }'],
])('what a loop left and another reads in %s is one local', async (_, rest) => {
  const source = `void f(int n, const float *x, float *y) {
    int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) k = i; ${rest} }`
  const program = await readC(source)
  expect(splitRanges(program)).toBe(program)
})

// a loop of the program that is taken apart on its own leaves what the rest reads
test('what the last iteration leaves in a local is read behind the loops', { timeout: 60_000 }, async () => {
  const program = await readC(`void f(int n, int m, const float *a, const float *v, float *y) {
  float s = 0, t;
  for (int i = 0; i < n; i++) {
    float b = 0, c = 0;
    s = 0;
    for (int j = 0; j < m; j++) { s = v[j]; t = a[i * m + j]; b += t * s; c += t; }
    y[2 * i] = b;
    y[2 * i + 1] = c;
  }
  y[3 * n] = s;
}`)
  const analysed = analyse(program)
  const v = verified(
    analysed,
    analysed.parts.map(({ sketch: { ladder } }) => ladder[0]!.point), // ladders are not empty
    [
      { n: 7, m: 5 },
      { n: 1, m: 3 },
    ],
  )
  expect([v.ok, v.why]).toEqual([true, undefined])
})
