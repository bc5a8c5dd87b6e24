// Elements at places that a loop carries, in scalars: what is taken, what is left, and that both compute the same where
// values are equal, are no numbers, or where there are none.
import { describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { elementsOf, hostArray, interpret, isFloat, type HostArray, type Program } from '../../../src/ir/index.ts'
import { carriedSubscripts } from '../../../src/transform/index.ts'
import { readC } from '../../c/read.ts'

/** Arrays after a run on few different values, some of them no numbers. */
function run(p: Program, n: number): readonly (readonly number[])[] {
  const sizes = Object.fromEntries(p.sizes.map((s) => [s.name, n]))
  const arrays: Record<string, HostArray> = {}
  for (const a of p.arrays.filter((x) => x.role !== 'temp')) {
    const data = hostArray(a.type, elementsOf(a, { sizes, scalars: {} })) as Float32Array<ArrayBuffer>, // or integers
      r = random(a.name.charCodeAt(0) + n)
    for (let i = 0; i < data.length; i++) {
      const value = r.bits() % 5
      data[i] = isFloat(a.type) && value === 4 ? NaN : value % Math.max(1, n)
    }
    arrays[a.name] = data
  }
  interpret(p, { sizes, scalars: {}, arrays })
  return Object.values(arrays).map((a) => [...a].map(Number))
}

const head = 'void f(int n, const float x[n], const int k[n], int y[2]) { int best = 0; '
const taken: readonly (readonly [string, string])[] = [
  ['the greatest', `${head}for (int i = 1; i < n; i++) if (x[i] > x[best]) best = i; y[0] = best; }`],
  ['the last of the least', `${head}for (int i = 0; i < n; i++) if (x[i] <= x[best]) best = i; y[0] = best; }`],
  ['a choice', `${head}for (int i = 1; i < n; i++) best = x[i] < x[best] ? i : best; y[0] = best; }`],
  ['the other choice', `${head}for (int i = 1; i < n; i++) best = x[i] < x[best] ? best : i; y[0] = best; }`],
  ['of squares', `${head}for (int i = 1; i < n; i++) if (x[i] * x[i] > x[best] * x[best]) best = i; y[0] = best; }`],
  ['backwards', `${head}for (int i = n - 1; i >= 0; i--) if (x[i] > x[best]) best = i; y[0] = best; }`],
  [
    'none at first',
    `${head}best = -1; for (int i = 0; i < n; i++) if (best < 0 || x[i] > x[best]) best = i; y[0] = best; }`,
  ],
  [
    'two places',
    'void f(int n, const float x[n][n], int y[2]) { int a = 0, b = 0; for (int i = 0; i < n; i++) for (int j = 0; j ' +
      '< n; j++) if (x[i][j] > x[a][b]) { a = i; b = j; } y[0] = a; y[1] = b; }',
  ],
]
const left: readonly (readonly [string, string])[] = [
  [
    'what the loop writes',
    'void f(int n, float x[n], int y[2]) { int best = 0; for (int i = 1; i < n; i++) { if (x[i] > x[best]) best = i; ' +
      'x[i] = 0; } y[0] = best; }',
  ],
  ['places that data say', `${head}for (int i = 1; i < n; i++) if (x[i] > x[best]) best = k[i]; y[0] = best; }`],
  [
    'places behind the last',
    `${head}for (int i = 1; i < n; i++) if (x[i] > 2 && x[best] < 3) best = i / 2; y[0] = best; }`,
  ],
  [
    'places that every iteration sets',
    `${head}for (int i = 1; i < n; i++) { y[1] += x[i] > x[best]; best = i; } y[0] = best; }`,
  ],
]

describe('elements at carried places', () => {
  const holds = async (source: string, isTaken: boolean): Promise<void> => {
    const p = await readC(source),
      made = carriedSubscripts.run(p, {})
    expect(made !== p).toBe(isTaken)
    for (const n of [0, 1, 2, 5, 17]) if (p.sizes.every((s) => s.min <= n)) expect(run(made, n)).toEqual(run(p, n))
  }
  test.each(taken)('%s', (_, source) => holds(source, true))
  test.each(left)('%s is left', (_, source) => holds(source, false))
})
