// Locals that inner loops of several outer loops set: a local for each outer loop, though nobody knows whether the inner
// loops have iterations; but not where a value that is left is read.
import { expect, test } from 'vitest'
import { eachStmt } from '../../../src/ir/index.ts'
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

test.each([
  ['which nothing reads afterwards', '', 6],
  ['of which one is read afterwards', 'y[3 * n] = s;', 5],
])('%s', { timeout: 60_000 }, async (_, rest, locals) => {
  const program = await readC(rows(rest)),
    names = new Set<string>()
  eachStmt(splitRanges(program).body, (s) => {
    if (s.kind === 'declare' && /^[st]/.test(s.array.name)) names.add(s.array.name)
  })
  expect(names.size).toBe(locals)
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
