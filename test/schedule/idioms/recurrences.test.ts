// Linear recurrences: what is recognised, and that every rung of every ladder computes it, with shuffles and without,
// on sizes that are multiples of nothing and of tiles.
import { describe, expect, test } from 'vitest'
import { analyse, build } from '../../../src/pipeline.ts'
import type { Point } from '../../../src/schedule/index.ts'
import { memoryFor, runSimulated } from '../../../src/tune/index.ts'
import { profile, sketchNames } from '../support.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { someOf } from '../../support/long.ts'

type Case = readonly [name: string, text: string, sketches: readonly string[]]

const one: readonly Case[] = [
  [
    'a moving average through the array',
    'void f(int n, float a, const float *x, float *y) { y[0] = x[0]; for (int i = 1; i < n; i++) y[i] = a * ' +
      'x[i] + (1 - a) * y[i - 1]; }',
    ['per-point', 'recurrence'],
  ],
  [
    'through a scalar, which the caller gets',
    'float f(int n, const float *x, float *y) { float s = x[0]; for (int i = 0; i < n; i++) { s += 0.1f * ' +
      '(x[i] - s); y[i] = 2 * s; } return s; }',
    ['recurrence'],
  ],
  [
    'coefficients of data',
    'void f(int n, const float *a, const float *b, float *y) { for (int i = 1; i < n; i++) y[i] = 0.5f * a[i] ' +
      '* y[i - 1] + b[i]; }',
    ['recurrence'],
  ],
  [
    'an alternating sum',
    'void f(int n, float a[n], float b[n]) { b[0] = a[0]; for (int i = 1; i < n; i++) b[i] = a[i] - b[i - 1]; }',
    ['per-point', 'recurrence'],
  ],
  [
    'a first element of its own',
    'void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) { if (i == 0) y[i] = x[i]; else ' +
      'y[i] = y[i - 1] + x[i]; } }',
    ['recurrence'],
  ],
  [
    'a last element of its own, from the end',
    'void f(int n, const float *x, float *y) { for (int i = n - 1; i >= 0; i--) y[i] = i == n - 1 ? x[i] : ' +
      '0.5f * y[i + 1] + x[i]; }',
    ['recurrence'],
  ],
  [
    'in place, from the end',
    'void f(int n, float *x) { for (int i = n - 2; i >= 0; i--) x[i] += 0.5f * (x[i + 1] - x[i]); }',
    ['recurrence'],
  ],
  [
    'a hash',
    'unsigned f(int n, const unsigned char *s) { unsigned h = 5381; for (int i = 0; i < n; i++) h = ((h << 5) ' +
      '+ h) + s[i]; return h; }',
    ['recurrence'],
  ],
  [
    'random numbers',
    'void f(int n, unsigned seed, unsigned *r) { unsigned s = seed; for (int i = 0; i < n; i++) { r[i] = s >> ' +
      '8; s = s * 1664525u + 1013904223u; } }',
    ['recurrence'],
  ],
  [
    'the last that passed a test',
    'void f(int n, const float *x, const int *ok, float *y) { float last = 0; for (int i = 0; i < n; i++) { ' +
      'if (ok[i] > 0) last = x[i]; y[i] = last; } }',
    ['recurrence'],
  ],
  [
    'lengths of runs',
    'void f(int n, const int *x, int *len) { int k = 0; for (int i = 0; i < n; i++) { if (i > 0 && x[i] > x[i ' +
      '- 1]) k++; else k = 1; len[i] = k; } }',
    ['recurrence'],
  ],
  [
    'sums of segments',
    'void f(int n, const int *key, const double *x, double *y) { double s = 0; for (int i = 0; i < n; i++) { ' +
      'if (key[i] > 1) s = 0; s += x[i]; y[i] = s; } }',
    ['recurrence'],
  ],
]
describe('one number', () => {
  test.each(someOf(one))('%s', async (_, source, sketches) => rungsHold(source, sketches, [[1536]]))
})

const several: readonly Case[] = [
  [
    'a filter of second order with scalars',
    'void f(int n, const float *x, float *y) { float x1 = 0, x2 = 0, y1 = 0, y2 = 0; for (int i = 0; i < n; ' +
      'i++) { float v = 0.2f * x[i] + 0.4f * x1 + 0.2f * x2 + 0.5f * y1 - 0.3f * y2; x2 = x1; x1 = x[i]; y2 = ' +
      'y1; y1 = v; y[i] = v; } }',
    ['recurrence'],
  ],
  [
    'transposed',
    'void f(int n, const float *x, float *y) { float z1 = 0, z2 = 0; for (int i = 0; i < n; i++) { float in = ' +
      'x[i]; float out = 0.2f * in + z1; z1 = 0.4f * in + 0.5f * out + z2; z2 = 0.2f * in - 0.3f * out; y[i] ' +
      '= out; } }',
    ['recurrence'],
  ],
  [
    'through the array',
    'void f(int n, const double *x, double *y) { for (int i = 2; i < n; i++) y[i] = x[i] + 0.5 * y[i - 1] - ' +
      '0.25 * y[i - 2]; }',
    ['recurrence'],
  ],
  [
    'Fibonacci',
    'void f(int n, unsigned *y) { unsigned a = 0, b = 1; for (int i = 0; i < n; i++) { y[i] = a; unsigned t = ' +
      'a + b; a = b; b = t; } }',
    ['recurrence'],
  ],
  [
    'a product and a sum of its terms',
    'void f(int n, float a[n], float b[n]) { float s = 0, q = 1; for (int i = 0; i < n; i++) { q *= 0.5f; s ' +
      '+= q * a[i]; b[i] = s; } }',
    ['recurrence'],
  ],
  [
    'third order',
    'void f(int n, const float *x, float *y) { for (int i = 3; i < n; i++) y[i] = x[i] + 0.3f * y[i - 1] - ' +
      '0.2f * y[i - 2] + 0.1f * y[i - 3]; }',
    ['recurrence'],
  ],
]
describe('several numbers', () => {
  test.each(someOf(several))('%s', async (_, source, sketches) => rungsHold(source, sketches, [[1537]]))
})

const extremes: readonly Case[] = [
  [
    'the greatest sum of a run',
    'float f(int n, const float *x) { float cur = x[0], best = x[0]; for (int i = 1; i < n; i++) { cur = ' +
      'fmaxf(x[i], cur + x[i]); best = fmaxf(best, cur); } return best; }',
    ['recurrence'],
  ],
  [
    'of integers, with resets',
    'int f(int n, const int *x) { int cur = 0, best = -1000; for (int i = 0; i < n; i++) { cur += x[i]; if ' +
      '(cur > best) best = cur; if (cur < 0) cur = 0; } return best; }',
    ['recurrence'],
  ],
  [
    'by cases, stored',
    'void f(int n, const int *x, int *y) { int cur = 0; for (int i = 0; i < n; i++) { if (cur > 0) cur = cur ' +
      '+ x[i]; else cur = x[i]; y[i] = cur; } }',
    ['recurrence'],
  ],
  [
    'the best sale after a buy',
    'int f(int n, const int *p) { int lo = p[0], best = 0; for (int i = 1; i < n; i++) { if (p[i] - lo > ' +
      'best) best = p[i] - lo; if (p[i] < lo) lo = p[i]; } return best; }',
    ['recurrence'],
  ],
  [
    'the longest run',
    'int f(int n, const int *x) { int len = 0, best = 0; for (int i = 0; i < n; i++) { if (x[i] > 0) len++; ' +
      'else len = 0; if (len > best) best = len; } return best; }',
    ['recurrence'],
  ],
  [
    'a running maximum with resets',
    'void f(int n, const float *x, const int *flag, float *y) { float m = 0; for (int i = 0; i < n; i++) { if ' +
      '(flag[i] > 2) m = x[i]; else if (x[i] > m) m = x[i]; y[i] = m; } }',
    ['recurrence'],
  ],
  [
    'an envelope that falls',
    'void f(int n, const float *x, float *y) { float e = 0; for (int i = 0; i < n; i++) { e = fmaxf(x[i], e - ' +
      '0.125f); y[i] = e; } }',
    ['recurrence'],
  ],
  [
    'a bound that rises, least, in place',
    'void f(int n, double *x) { for (int i = 1; i < n; i++) x[i] = fmin(x[i], x[i - 1] + 0.25); }',
    ['recurrence'],
  ],
]
describe('greatest and least', () => {
  test.each(someOf(extremes))('%s', async (_, source, sketches) => rungsHold(source, sketches, [[1539]]))
})

test.each([
  ['s = s + (y[i] - 1.0f)', 'sequential'],
  ['s = -3 * s + 12', 'sequential'],
  ['s = 1.5f * s - 0.75f', 'sequential'],
  ['s = 0.5f * s + 1', 'recurrence'],
  ['s = s - 1', 'scan'],
])('numbers that may stay small where maps grow are made one after the other: %s', async (next, sketch) => {
  const program = await readC(
    `void f(int n, float *y) { float s = 1; for (int i = 0; i < n; i++) { y[i] = s; ${next}; } }`,
  )
  expect(analyse(program).parts.map((p) => p.sketch.name)).toEqual([sketch])
})

test('integers far below what they start from: coefficients end where the type ends', async () => {
  const n = 5000,
    values = { sizes: { n }, scalars: {} }
  const p = await readC(
    'int f(int n, const int *x) { int cur = 0, best = -2000000000; for (int i = 0; i < n; i++) { cur = cur > ' +
      '0 ? cur + x[i] : x[i]; if (cur > best) best = cur; } return best; }',
  )
  const a = analyse(p),
    // ladders are not empty
    few = a.parts.map(({ sketch: { ladder } }): Point => ({ ...ladder.at(-1)!.point, blocks: 3, threads: 32 }))
  const { plan } = build(a, few),
    arrays = memoryFor(plan, values, 1)
  arrays['x'] = Int32Array.from({ length: n }, (_, i) => (i === 3100 ? 7 : -1_000_000 - i))
  expect(runSimulated(plan, values, arrays, profile)).toEqual([])
  expect(arrays['result']![0]).toBe(7)
})

test(
  'greatest sums of integers are not written out for several rows, which drivers do not compile; those of ' +
    'floats are',
  async () => {
    const rows = async (type: string): Promise<number> => {
      const [part] = analyse(
        await readC(
          `${type} f(int n, const ${type} *x) { ${type} cur = 0, best = 0; for (int i = 0; i < n; i++) { cur = ` +
            `cur + x[i] > 0 ? cur + x[i] : 0; if (cur > best) best = cur; } return best; }`,
        ),
      ).parts
      // it has points
      return Math.max(...[...part!.sketch.ladder.map((r) => r.point), ...part!.sketch.space].map((p) => p['unroll']!))
    }
    expect([await rows('int'), await rows('float')]).toEqual([1, 4])
  },
)

const refused: readonly (readonly [string, string])[] = [
  ['a sum', 'float f(int n, const float *x) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }'],
  [
    'a product and a sum',
    'void f(int n, const float *x, float *r) { float s = 0, p = 1; for (int i = 0; i < n; i++) { s += x[i]; p ' +
      '*= x[i]; } r[0] = s; r[1] = p; }',
  ],
  [
    'a product of numbers',
    'void f(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s = s * s + x[i]; ' +
      'y[i] = s; } }',
  ],
  [
    'a choice that is neither of both',
    'void f(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s = s > 1 ? s + ' +
      'x[i] : x[i]; y[i] = s; } }',
  ],
  [
    'the greatest and a product',
    'void f(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s = fmaxf(s * x[i], ' +
      'x[i]); y[i] = s; } }',
  ],
  [
    'the greatest and the least of one',
    'void f(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s = fminf(fmaxf(s + ' +
      'x[i], -1), 1); y[i] = s; } }',
  ],
  [
    'a condition on the number',
    'void f(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s = s > 1 ? x[i] : ' +
      's + x[i]; y[i] = s; } }',
  ],
  [
    'an element across',
    'void f(int n, const float *x, float *y) { for (int i = 1; i < n; i++) y[i] = x[i] + 0.5f * y[i - 1] + 0.25f ' +
      '* y[n - 1 - i]; }',
  ],
  [
    'an element elsewhere',
    'void f(int n, const float *x, float *y) { for (int i = 1; i < n; i++) y[i] = x[i] + 0.5f * y[i - 1] + y[n / 2]; }',
  ],
]
describe('no linear recurrence', () => {
  test.each(someOf(refused))('%s', async (_, source) => {
    expect(sketchNames(await readC(source))).not.toContain('recurrence')
  })
})
