// Grids that stay on the chip: every schedule against the reference, whose forms they take and which sizes.
import { describe, expect, it } from 'vitest'
import { gpu } from '../../../src/gpus/index.ts'
import { meets, planValue } from '../../../src/ir/index.ts'
import { analyse, build, type Analysed } from '../../../src/pipeline.ts'
import type { Point } from '../../../src/schedule/index.ts'
import { chipOf } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { verified } from '../support.ts'

/**
 * A time loop of two sweeps over `type` arrays, inside of `from` to `n - to`, where `value` reads X at [i][j][k];
 * `more` parameters.
 */
const twoSweeps = (value: string, { type = 'float', from = 1, to = 1, more = '' } = {}): string => {
  const sweep = (target: string, source: string): string =>
    `for (int i = ${from}; i < n - ${to}; i++) for (int j = ${from}; j < n - ${to}; j++) for (int k = ` +
    `${from}; k < n - ${to}; k++) ${target}[i][j][k] = ${value.replaceAll('X', source)};`
  return (
    `void f(int t, int n, ${type} A[n][n][n], ${type} B[n][n][n]${more}) { for (int s = 0; s < t; s++) { ` +
    `${sweep('B', 'A')} ${sweep('A', 'B')} } }`
  )
}
const star =
  '0.1f * (X[i+1][j][k] + X[i-1][j][k] + X[i][j+1][k] + X[i][j-1][k] + X[i][j][k+1] + X[i][j][k-1]) + 0.4f * X[i][j][k]'

const chip = chipOf(gpu('h200'))
const cuda = { warp: 32, exact: 'asked' } as const

/** The sketch's first point with a shape of our own, for as many blocks as `n` inner rows and planes take. */
function shaped(a: Analysed, shape: Point, n: number): Point {
  const blocks = Math.ceil((n - 2) / shape['sy']!) * Math.ceil((n - 2) / shape['sz']!) // a shape has them
  // a time loop has a sketch with points
  return { ...a.parts[0]!.sketch.space[0]!, exact: 1, stay: 1, blocks, ...shape }
}

const forms: readonly (readonly [string, string, readonly Point[], readonly number[]])[] = [
  [
    'a star',
    twoSweeps(star),
    [
      { sx: 4, sy: 3, sz: 4, held: 2 },
      { sx: 5, sy: 5, sz: 3, held: 0 },
      { sx: 4, sy: 4, sz: 5, held: 5 },
    ],
    [16, 12, 4],
  ],
  [
    'planes with corners',
    twoSweeps('0.2f * X[i-1][j][k] + 0.3f * X[i][j-1][k+1] - 0.1f * X[i][j+1][k-1] + 0.25f * X[i+1][j][k]'),
    [{ sx: 3, sy: 4, sz: 3, held: 1 }],
    [12],
  ],
  [
    'rows and columns two away',
    twoSweeps(
      '0.2f * X[i][j-2][k] + 0.3f * X[i][j+2][k] + 0.2f * X[i][j][k+2] - 0.1f * X[i][j][k-2] + 0.3f * X[i+1][j][k]',
      { from: 2, to: 2 },
    ),
    [
      { sx: 4, sy: 4, sz: 3, held: 1 },
      { sx: 4, sy: 5, sz: 4, held: 0 },
    ],
    [16],
  ],
  [
    'no neighbours in its plane',
    twoSweeps('0.5f * X[i-1][j][k] + 0.25f * X[i+1][j][k]', { from: 1, to: 3 }),
    [{ sx: 3, sy: 2, sz: 3, held: 1 }],
    [12],
  ],
  ['doubles', twoSweeps(star.replaceAll('f *', ' *'), { type: 'double' }), [{ sx: 6, sy: 4, sz: 3, held: 1 }], [12]],
  [
    'integers',
    twoSweeps('(X[i+1][j][k] ^ X[i][j-1][k]) + 3 * X[i][j][k-1]', { type: 'int' }),
    [{ sx: 3, sy: 4, sz: 4, held: 2 }],
    [12],
  ],
  [
    'arrays that are only read, and the step',
    twoSweeps(`${star} + p[s] * q[i][j][k] + 0.01f * s`, { more: ', float p[t], float q[n][n][n]' }),
    [{ sx: 3, sy: 4, sz: 3, held: 1 }],
    [12],
  ],
  [
    'three arrays in a ring',
    `void f(int t, int n, float A[n][n][n], float B[n][n][n], float C[n][n][n]) { for (int s = 0; s < t; s += 2) { ${[
      ['B', 'A'],
      ['C', 'B'],
      ['A', 'C'],
    ]
      .map(
        ([to, from]) =>
          `for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++) ` +
          `${to}[i][j][k] = ${star.replaceAll('X', from!)};`,
      )
      .join(' ')} } }`,
    [{ sx: 3, sy: 4, sz: 3, held: 1 }],
    [12],
  ],
]

describe('computes what the source says', () => {
  it.each(forms)('%s', async (_, source, shapes, sizes) => {
    const a = analyse(await readC(source))
    for (const shape of shapes)
      for (const n of sizes) {
        const p = shaped(a, shape, n),
          { variants } = build(a, [p], cuda).plan
        expect(variants.map((v) => meets(v))).toEqual([true, ...variants.slice(1).map(() => false)])
        expect(planValue(variants[0]!.when!, { sizes: { n, t: 3 }, scalars: {} })).toBe(1)
        expect(
          verified(
            a,
            [p],
            [
              { t: 3, n },
              ...(n === sizes[0]
                ? [
                    { t: 1, n },
                    { t: 0, n },
                  ]
                : []),
            ],
            cuda,
          ),
        ).toMatchObject({ ok: true })
      }
  })
  it('where the shape is not for the sizes', async () => {
    const a = analyse(await readC(twoSweeps(star))),
      p = shaped(a, { sx: 6, sy: 4, sz: 3, held: 1, blocks: 12 }, 0)
    const { variants } = build(a, [p], cuda).plan
    for (const n of [13, 8, 20]) {
      // no vectors; too few blocks; too many
      expect(planValue(variants[0]!.when!, { sizes: { n, t: 2 }, scalars: {} })).toBe(0)
      expect(verified(a, [p], [{ t: 2, n }], cuda)).toMatchObject({ ok: true })
    }
  })
})

describe('is chosen', () => {
  const planned = async (source: string, sizes: Readonly<Record<string, number>>): Promise<Point> => {
    const p = await readC(source),
      // a value for each
      { sketch } = analyse({ ...p, sizes: p.sizes.map((s) => ({ ...s, planned: sizes[s.name]! })) }).parts[0]!
    return sketch.forCuda!(sketch.space[0]!, chip) // points of three dimensions have it
  }
  it('for a grid that fits: many threads, few planes, a block for each multiprocessor', async () => {
    const p = await planned(twoSweeps(star), { t: 1000, n: 200 })
    expect(p).toMatchObject({ stay: 1, sx: 50 })
    expect(p['sx']! * p['sy']!).toBeGreaterThanOrEqual(800)
    expect(Math.ceil(198 / p['sy']!) * Math.ceil(198 / p['sz']!)).toBeLessThanOrEqual(132)
  })
  it.each([
    ['that does not fit', twoSweeps(star), { t: 1000, n: 400 }],
    ['whose rows are no vectors', twoSweeps(star), { t: 1000, n: 201 }],
    ['of a few sweeps', twoSweeps(star), { t: 2, n: 200 }],
    [
      'that reads corners of other planes',
      twoSweeps('0.5f * X[i-1][j-1][k] + 0.5f * X[i+1][j][k]'),
      { t: 1000, n: 200 },
    ],
    ['whose sweeps have other ranges', twoSweeps(star).replace('i < n - 1', 'i < n - 2'), { t: 1000, n: 200 }],
    [
      'of waves, which read two steps back',
      `void f(int t, int n, float A[n][n][n], float B[n][n][n]) { for (int s = 0; s < t; s++) { for (int i = ` +
        `1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++) B[i][j][k] = ` +
        `A[i+1][j][k] + A[i-1][j][k] - B[i][j][k]; for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; ` +
        `j++) for (int k = 1; k < n - 1; k++) A[i][j][k] = B[i+1][j][k] + B[i-1][j][k] - A[i][j][k]; } }`,
      { t: 1000, n: 200 },
    ],
  ])('for none %s', async (_, source, sizes) => {
    expect(await planned(source, sizes)).not.toHaveProperty('stay')
  })
})
