// Products on copies of their factors and triangular products, several tiles wide: the tiles that the search begins
// with, on sizes that are multiples of nothing and of the vector width only, against the program in float64; and what
// is offered first at which size.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import { analyse, build, type Analysed } from '../../../src/pipeline.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import type { Point } from '../../../src/schedule/index.ts'
import { freshArrays, referenceOf } from '../../../src/tune/index.ts'
import { errorOf } from '../../emit/plans.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { text, verified } from '../support.ts'
import { someOf } from '../../support/long.ts'

const header = 'size n = 2000 min 1 size m = 2600 min 1 size p = 1800 min 1 scalar alpha: f32'
const program = (arrays: string, body: string): Analysed => analyse(text(`program f { ${header} ${arrays} ${body} }`))

const rows = 'array A: f32[n, m] in global',
  square = 'array A: f32[n, n] in global array B: f32[n, m] in global array C: f32[n, m] inout global'
const programs: Readonly<Record<string, Analysed>> = {
  'a scaled product, added': program(
    `${rows} array B: f32[m, p] in global array C: f32[n, p] inout global`,
    'for i in 0 .. n { for j in 0 .. p { for k in 0 .. m { C[i, j] += alpha * A[i, k] * B[k, j] } } }',
  ),
  'both factors turned': program(
    `array A: f32[n, m] in global array B: f32[p, m] in global array C: f32[n, p] out global`,
    'for i in 0 .. n { for j in 0 .. p { C[i, j] = 0.0f for k in 0 .. m { C[i, j] += A[i, k] * B[j, k] } } }',
  ),
  'one factor twice, below the diagonal': program(
    `${rows} array C: f32[n, n] inout global`,
    'for i in 0 .. n { for j in 0 .. i + 1 { for k in 0 .. m { C[i, j] += A[i, k] * A[j, k] } } }',
  ),
  'sums up to the diagonal': program(
    square,
    'for i in 0 .. n { for j in 0 .. m { C[i, j] = 0.0f for k in 0 .. i { C[i, j] += A[i, k] * B[k, j] } } }',
  ),
  'sums from the diagonal on, factor as it lies': program(
    square,
    'for i in 0 .. n { for j in 0 .. m { C[i, j] = 0.0f for k in i + 1 .. n { C[i, j] += A[k, i] * B[k, j] } } }',
  ),
  'two products in turn, below the diagonal': program(
    `${rows} array B: f32[n, m] in global array C: f32[n, n] inout global`,
    'for i in 0 .. n { for j in 0 .. i + 1 { for k in 0 .. m { C[i, j] += A[j, k] * alpha * B[i, k] + B[j, k] ' +
      '* alpha * A[i, k] } } }',
  ),
  'sums from a moved diagonal on': program(
    square,
    'for i in 0 .. n { for j in 0 .. m { C[i, j] = 0.0f for k in i + 5 .. n - 2 { C[i, j] += A[i, k] * B[k, j] } } }',
  ),
  'sums over a part': program(
    square,
    'for i in 0 .. n { for j in 0 .. m { C[i, j] = 0.0f for k in 3 .. n - 2 { C[i, j] += A[i, k] * B[k, j] } } }',
  ),
}

const tile: Point = {
  bm: 32,
  bn: 32,
  bk: 8,
  tm: 4,
  tn: 4,
  lanesI: 8,
  lanesJ: 4,
  vector: 4,
  pad: 4,
  prefetch: 1,
  buffers: 2,
  unrollK: 1,
}

const points: readonly Point[] = [
  { ...tile, squares: 1 },
  { ...tile, turn: 1 },
  { ...tile, turn: 1, buffers: 1, prefetch: 2, exact: 1 },
]

describe.each(someOf(Object.entries(programs)))('%s', (_, a) => {
  test.each(
    someOf(points.map((p, n) => [['factors as they lie', 'turned first', 'turned first, for CUDA'][n]!, p] as const)),
  )('%s', (_, point) => {
    const sizes = [
      { n: 71, m: 45, p: 37 },
      { n: 100, m: 44, p: 68 },
      { n: 96, m: 72, p: 64 },
    ]
    const v = verified(
      a,
      a.parts.map(() => point),
      sizes,
      point['prefetch'] === 2 ? { warp: 32, exact: 'asked' } : {},
    )
    expect(v.why).toBeUndefined()
    expect(v.ok).toBe(true)
  })
})

describe('sums in slices', () => {
  const sliced = ['a scaled product, added', 'both factors turned', 'one factor twice', 'the nearest of all'] as const
  const more: Readonly<Record<string, Analysed>> = {
    'one factor twice': program(
      'array A: f32[n, m] in global array C: f32[m, m] out global',
      'for i in 0 .. m { for j in 0 .. m { C[i, j] = 0.0f for k in 0 .. n { C[i, j] += A[k, i] * A[k, j] } } }',
    ),
    'the nearest of all': program(
      `${rows} array B: f32[p, m] in global array C: f32[n, p] out global`,
      'for i in 0 .. n { for j in 0 .. p { declare s: f32[] temp private s = 9.0f for k in 0 .. m { s min= ' +
        'abs(A[i, k] - B[j, k]) } C[i, j] = s + alpha } }',
    ),
  }
  test.each(
    someOf(sliced.flatMap((name) => [3, 5].map((slices) => [name, slices] as const))),
  )('%s, %i', (name, slices) => {
    const a = programs[name] ?? more[name]!,
      { sketch } = a.parts[0]!,
      point: Point = { ...tile, squares: 1, slices, buffers: slices === 3 ? 1 : 2 }
    const n = 8 * slices
    for (const exact of [undefined, true] as const) {
      const v = verified(
        a,
        [point],
        [
          { n: 71, m: 45, p: 37 },
          { n: 100, m: 44, p: 68 },
          { n: 4 * n, m: 2 * n, p: 32 },
          { n: 5, m: 3, p: 2 },
        ],
        exact ? { exact } : {},
      )
      expect(v.why).toBeUndefined()
    }
    expect(build(a, [point]).kernels).toHaveLength(2)
    expect(Object.values(sketch.rounds!(point))).toEqual([n])
  })
  const likely = (a: Analysed, sizes: { readonly n: number; readonly m: number; readonly p: number }): number =>
    a.parts[0]!.sketch.likely!({ sizes, scalars: { alpha: 1 } }, 132)[0]!['slices'] ?? 1
  test('few tiles and a long sum: as many as leave no multiprocessor idle', () => {
    expect(likely(more['one factor twice']!, { n: 65536, m: 256, p: 1 })).toBeGreaterThan(16)
    expect(likely(programs['both factors turned']!, { n: 1024, m: 4096, p: 1024 })).toBeGreaterThan(1)
    expect(likely(programs['a scaled product, added']!, { n: 4096, m: 4096, p: 4096 })).toBe(1)
  })
  test('sums that are longer for some results than for others are not cut', () => {
    for (const name of ['sums up to the diagonal', 'one factor twice, below the diagonal'])
      expect(likely(programs[name]!, { n: 128, m: 65536, p: 1 })).toBe(1)
  })
})

test('tiles on the diagonal: vectors with what was there, guards worked out after the sum', () => {
  const a = programs['one factor twice, below the diagonal']!,
    wide = { ...tile, bm: 64, bn: 128, tm: 8, tn: 16, turn: 1, buffers: 1 }
  expect(
    verified(
      a,
      [wide],
      [
        { n: 132, m: 16, p: 1 },
        { n: 130, m: 9, p: 1 },
      ],
    ),
  ).toMatchObject({ ok: true })
  const main = emitPlan(build(a, [wide], { exact: true }).plan, { targets: ['wgsl'] }).variants[0]!.launches.at(-1)!
    .emitted!.wgsl!.text
  const [before = '', after = ''] = main.split('for (var tile_k')
  expect(after).toMatch(/C\[[^;]*\] = vec4<f32>\(select\(c_there/)
  expect(main).not.toContain('% 4u]')
  expect(before.split(' < params.n').length).toBeLessThan(8)
  expect(after.split(' < params.n').length).toBeGreaterThan(8)
})

test('an array that is both factors is copied once, two arrays twice', () => {
  const copies = (name: string): number => {
    const a = programs[name]!
    return (
      build(
        a,
        a.parts.map(() => ({ ...tile, turn: 1 })),
      ).kernels.length - a.parts.length
    )
  }
  expect(copies('one factor twice, below the diagonal')).toBe(1)
  expect(copies('both factors turned')).toBe(2)
  expect(copies('two products in turn, below the diagonal')).toBe(2)
})

test('on WebGPU, at sizes that are multiples of nothing, and through nvcc', async () => {
  const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() }),
    r = random(23)
  try {
    for (const [name, a] of Object.entries(programs)) {
      const plan = emitPlan(
        build(
          a,
          a.parts.map(() => ({ ...tile, turn: 1 })),
        ).plan,
        { targets: ['wgsl', 'cuda'] },
      )
      for (const step of [1, 4]) {
        const values = {
          sizes: {
            n: step * r.int(40 / step, 120 / step),
            m: step * r.int(20 / step, 60 / step),
            p: step * r.int(20 / step, 60 / step),
          },
          scalars: { alpha: 0.75 },
        }
        const arrays = freshArrays(plan.arrays, values, step, true),
          want = referenceOf(a.source, values, arrays)
        const results = await webgpu.runPlan(plan, values, arrays)
        expect([name, values.sizes, errorOf(results['C']!, Array.from(want['C'] as Float64Array)) < 1e-5]).toEqual([
          name,
          values.sizes,
          true,
        ])
      }
      if (nvccAvailable())
        expect(compileCuda(emitCudaLauncher(plan).text).length).toBe(
          plan.variants.reduce((n, v) => n + v.launches.length, 0),
        )
    }
  } finally {
    webgpu.close()
  }
}, 120_000)

interface Readings {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}
const readings = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../bench/data/h200-products.json'), 'utf8'),
) as Readings

type CudaTile = readonly [product: string, ...numbers: number[]]
const cudaTiles = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../bench/data/h200-cuda-tiles.json'), 'utf8'),
) as {
  readonly columns: readonly string[]
  readonly rows: readonly CudaTile[]
  readonly behind: { readonly rows: readonly CudaTile[] }
}

/** Whether a row of these readings is of the tile that a point says. */
const isTileOf = (row: CudaTile, point: Point): boolean =>
  cudaTiles.columns.slice(1, -1).every((name, i) => row[i + 1] === (point[name] ?? (name === 'slices' ? 1 : 0)))

/** Readings of a product in CUDA; those with a row multiplied behind the loads are there instead of those without. */
function tilesOf(product: string): readonly CudaTile[] {
  const now = cudaTiles.behind.rows.filter((r) => r[0] === product)
  const isSame = (a: CudaTile, b: CudaTile): boolean => a.slice(0, -1).join() === b.slice(0, -1).join()
  return [...cudaTiles.rows.filter((r) => r[0] === product && !now.some((x) => isSame(x, r))), ...now]
}

/** Nanoseconds of the readings of one product on CUDA, by what is in the point. */
function measured(
  product: string,
  extents: string,
): readonly { readonly ns: number; readonly is: (p: Point) => boolean }[] {
  const at = (row: Readings['rows'][number], name: string): string | number | null =>
    row[readings.columns.indexOf(name)]!
  const now = cudaTiles.behind.rows
    .filter((r) => r[0] === `nn ${extents}`)
    .map((r) => ({ ns: 1e3 * Number(r.at(-1)), is: (p: Point) => isTileOf(r, p) }))
  const before = readings.rows
    .filter((r) => at(r, 'product') === product && at(r, 'target') === 'cuda')
    .map((r) => ({
      ns: Number(at(r, 'ns')),
      is: (p: Point) =>
        p['slices'] === undefined &&
        ['bm', 'bn', 'bk', 'tm', 'tn', 'buffers'].every((name) => at(r, name) === p[name]) &&
        Number(at(r, 'turn')) === (p['turn'] ?? 0) &&
        (p['exact'] !== 1 || at(r, 'variant') === 'whole k'),
    }))
  return [...before, ...now]
}

describe('tiles that are tried first', () => {
  // 2mm's own product is begun with a tile that was read in the program as a whole only (h200-polybench.json).
  test.each(
    someOf([
      ['gemm', 2000, 2600, 2300],
      ['nn 4096', 4096, 4096, 4096],
      ['3mm F', 1800, 2400, 2200],
      ['3mm G', 1600, 1800, 2200],
    ] as const),
  )('%s: as fast as the fastest of 15 tiles on an H200, but for 5 %', (product, n, m, p) => {
    const { sketch } = programs['a scaled product, added']!.parts[0]!
    const point = sketch.forCuda!(sketch.likely!({ sizes: { n, m, p }, scalars: {} }, 132, 'cuda')[0]!),
      all = measured(product, `${n}x${m}x${p}`)
    expect(all.length).toBeGreaterThan(20)
    expect(
      Math.min(...all.map((r) => r.ns)) / Math.min(...all.filter((r) => r.is(point)).map((r) => r.ns)),
    ).toBeGreaterThanOrEqual(0.95)
  })
  test.each(
    someOf(cudaTiles.rows.map(([product]) => product).filter((x, i, all) => all.indexOf(x) === i)),
  )('%s: as fast as the fastest of some thirty tiles and slices in CUDA on an H200, but for 3 %', (product) => {
    const [, layout, ...extents] = /^(n[nt]) (\d+)x(\d+)x(\d+)$/.exec(product)!
    const [n, p, m] = extents.map(Number)
    const { sketch } = programs[layout === 'nt' ? 'both factors turned' : 'a scaled product, added']!.parts[0]!
    const [point] = sketch.likely!({ sizes: { n: n!, m: m!, p: p! }, scalars: {} }, 132, 'cuda')
    const own = (row: CudaTile): boolean => isTileOf(row, point!)
    const rows = tilesOf(product),
      us = (r: CudaTile): number => Number(r.at(-1))
    expect(rows.length).toBeGreaterThan(8)
    expect(us(rows.find(own)!) / Math.min(...rows.map(us))).toBeLessThanOrEqual(1.03)
  })
  const a = programs['a scaled product, added']!
  const first = (n: number, m: number, p: number, multiprocessors = 132): string => {
    const q = a.parts[0]!.sketch.likely!({ sizes: { n, m, p }, scalars: { alpha: 1 } }, multiprocessors)[0]!
    return `${q['bm']}×${q['bn']}`
  }
  test(
    'large where all multiprocessors have as many of them, ' + 'smaller where the last round would be almost empty',
    () => {
      expect(first(4096, 4096, 4096)).toBe('128×256')
      expect(first(1600, 1800, 2200)).toBe('128×256') // 13 × 9 tiles: one round of 132
      expect(first(2000, 2600, 2300)).toBe('64×128') // 16 × 9 tiles of the largest: two rounds, the second almost empty
      expect(first(1800, 2400, 2200)).toBe('64×256')
    },
  )
  test('another number of multiprocessors, another tile', () => expect(first(2000, 2600, 2300, 144)).toBe('128×256'))
})

test('a product that is planned to be of one element has every schedule, too', () => {
  const analysed = analyse(
    text(
      'program f { size n = 1 min 1 array A: f32[n, n] in global array B: f32[n, n] in global array C: f32[n, ' +
        'n] out global for i in 0 .. n { for j in 0 .. n { C[i, j] = 0.0f for k in 0 .. n { C[i, j] += A[i, ' +
        'k] * B[k, j] } } } }',
    ),
  )
  const points = analysed.parts[0]!.sketch.ladder.map((r) => r.point).filter((p) => p['turn'])
  expect(points.length).toBeGreaterThan(0)
  // there are some
  for (const point of points) expect(verified(analysed, [point], [{ n: 1 }, { n: 70 }]).why).toBeUndefined()
})

// What is read in an arm of `? :` had made every tile fail, and an array shorter than the rows kept threads from
// storing.
test('a product that begins with what a condition chooses', () => {
  const begin = (condition: string): Analysed =>
    program(
      'array A: f32[n, m] in global array B: f32[p, m] in global array D: f32[m] in global array C: f32[n, p] ' +
        'out global',
      `for i in 0 .. n { for j in 0 .. p { C[i, j] = ${condition} ? D[j % m] : 0.0f for k in 0 .. m { C[i, j] ` +
        `+= A[i, k] * B[j, k] } } }`,
    )
  const shorter = program(
    'array A: f32[n, m] in global array B: f32[p, m] in global array D: f32[m] in global array C: f32[n, p] out global',
    'for i in 0 .. n { for j in 0 .. p { C[i, j] = j < m ? D[j] : 0.0f for k in 0 .. m { C[i, j] += A[i, k] * ' +
      'B[j, k] } } }',
  )
  for (const a of [begin('alpha > 0.0f'), begin('i > 3'), shorter])
    for (const point of points) {
      expect(
        verified(
          a,
          a.parts.map(() => point),
          [
            { n: 71, m: 45, p: 137 },
            { n: 100, m: 44, p: 68 },
            { n: 96, m: 72, p: 64 },
          ],
        ).why,
      ).toBeUndefined()
    }
})
