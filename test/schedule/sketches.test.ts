// Every sketch, every rung of its ladder and a seeded sample of its space: the plan computes what the program says, in
// the simulator with races and uninitialised reads watched, on sizes that are multiples of nothing and on sizes that
// are multiples of the vector width but of no tile (where the other variant runs).
import { describe, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import type { Program } from '../../src/ir/index.ts'
import { analyse, type Analysed } from '../../src/pipeline.ts'
import type { Point } from '../../src/schedule/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { chipOf } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { isLong, someOf } from '../support/long.ts'
import { exampleTexts, sizesOf, sketchNames, text, verified } from './support.ts'

const odd = [37, 45, 29],
  even = [20, 36, 12]

function bothSizes(a: Analysed, points: readonly Point[], warp: boolean): void {
  const few = a.source.sizes.length > 3 ? [3] : [] // the first of four sizes is a batch
  const sizes = [sizesOf(a.source, [...few, ...odd]), sizesOf(a.source, [...few, ...even])]
  const v = verified(a, points, sizes, warp ? { warp: 32 } : {})
  expect({ points, warp, ok: v.ok, why: v.why }).toEqual({ points, warp, ok: true, why: undefined })
}

/**
 * All rungs, and `count` points of the space; reductions across warps now and then. A part of both unless everything is
 * wanted.
 */
function sweep(p: Program, count: number, seed: number): void {
  const a = analyse(p),
    r = random(seed)
  const rungs = Math.max(...a.parts.map((x) => x.sketch.ladder.length))
  for (const i of someOf(Array.from({ length: rungs }, (_, n) => n)))
    bothSizes(
      a,
      a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(i, ladder.length - 1)]!.point),
      i % 2 === 1,
    )
  for (let i = 0; i < (isLong ? count : 1); i++)
    bothSizes(
      a,
      a.parts.map(({ sketch: { space } }) => space[r.int(0, space.length - 1)]!),
      i % 2 === 0,
    )
}

/** The fixed size of an example that has one, made small. */
const small = (source: string): string => source.replace('#define N 4096', '#define N 37')

const expected: Readonly<Record<string, readonly string[]>> = {
  'batched-gemm': ['contraction'],
  colsum: ['reduction'],
  conv2d: ['stencil'],
  dot: ['reduction'],
  gemm: ['contraction'],
  'gemm-nt': ['contraction'],
  'gemm-tn': ['contraction'],
  'gemm-tt': ['contraction'],
  gemv: ['reduction'],
  jacobi2d: ['stencil'],
  max: ['reduction'],
  prefix: ['scan'],
  rowsum: ['reduction'],
  saxpy: ['elementwise'],
  separable: ['stencil', 'stencil'],
  sum: ['reduction'],
  transpose: ['transpose'],
  trmm: ['contraction'],
}

describe('examples', () => {
  test('all are here', () => expect(exampleTexts.map(([name]) => name).sort()).toEqual(Object.keys(expected).sort()))
  test.each(exampleTexts)('%s', async (name, source) => {
    const p = await readC(small(source))
    expect(sketchNames(p)).toEqual(expected[name])
    sweep(p, 3, 17)
  })
})

const header = 'size n = 64 min 1 size m = 64 min 1 size p = 64 min 1'

/** Programs that people write besides the examples: name, parameters and body, the sketches of their parts. */
const variations: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'copy of a matrix',
    'array A: f32[n, m] in global array B: f32[n, m] out global',
    'for i in 0 .. n { for j in 0 .. m { B[i, j] = A[i, j] } }',
    ['elementwise'],
  ],
  [
    'interior only',
    'array A: f32[n, m] in global array B: f32[n, m] inout global',
    'for i in 1 .. n - 1 { for j in 2 .. m - 3 { B[i, j] = A[i, j] * 2.0f } }',
    ['elementwise'],
  ],
  [
    'shifted vector',
    'array x: f32[n + 3] in global array y: f32[n] out global',
    'for i in 0 .. n { y[i] = x[i] - x[i + 3] }',
    ['elementwise'],
  ],
  [
    'scaled transpose',
    'scalar a: f32 array A: f32[n, m] in global array B: f32[m, n] out global',
    'for i in 0 .. n { for j in 0 .. m { B[j, i] = A[i, j] * a } }',
    ['transpose'],
  ],
  [
    'batched transpose',
    'array A: f32[p, n, m] in global array B: f32[p, m, n] out global',
    'for b in 0 .. p { for i in 0 .. n { for j in 0 .. m { B[b, j, i] = A[b, i, j] } } }',
    ['transpose'],
  ],
  [
    'sum of two transposes',
    'array A: f32[n, m] in global array D: f32[n, m] in global array B: f32[m, n] out global',
    'for i in 0 .. n { for j in 0 .. m { B[j, i] = A[i, j] + D[i, j] } }',
    ['transpose'],
  ],
  [
    'three-point stencil',
    'array x: f32[n] in global array y: f32[n] inout global',
    'for i in 1 .. n - 1 { y[i] = x[i - 1] + x[i] * 0.5f + x[i + 1] }',
    ['elementwise'],
  ],
  [
    'nine-point stencil',
    'array a: f32[n, m] in global array b: f32[n, m] inout global',
    'for i in 1 .. n - 1 { for j in 1 .. m - 1 { b[i, j] = a[i - 1, j - 1] + a[i - 1, j + 1] + a[i + 1, j - ' +
      '1] + a[i + 1, j + 1] - a[i, j] } }',
    ['stencil'],
  ],
  [
    'stencil in three dimensions',
    'array a: f32[p, n, m] in global array b: f32[p, n, m] inout global',
    'for k in 1 .. p - 1 { for i in 1 .. n - 1 { for j in 1 .. m - 1 { b[k, i, j] = a[k - 1, i, j] + a[k + 1, ' +
      'i, j] + a[k, i - 1, j] + a[k, i + 1, j] } } }',
    ['stencil'],
  ],
  [
    'product of a vector',
    'array x: f32[n] in global array s: f32[] out global',
    's = 1.0f for i in 0 .. n { s *= x[i] * 0.01f + 1.0f }',
    ['reduction'],
  ],
  [
    'smallest of each row',
    'array A: f32[n, m] in global array y: f32[n] out global',
    'for i in 0 .. n { y[i] = f32.inf for j in 0 .. m { y[i] min= A[i, j] } }',
    ['reduction'],
  ],
  [
    'integers: xor of all',
    'array x: i32[n] in global array s: i32[] out global',
    's = 0 for i in 0 .. n { s ^= x[i] }',
    ['reduction'],
  ],
  [
    'integers: product',
    'array A: i32[n, m] in global array B: i32[m, p] in global array C: i32[n, p] out global',
    'for i in 0 .. n { for j in 0 .. p { C[i, j] = 0 for k in 0 .. m { C[i, j] += A[i, k] * B[k, j] } } }',
    ['contraction'],
  ],
  [
    'sum of a matrix',
    'array A: f32[n, m] in global array s: f32[] out global',
    's = 0.0f for i in 0 .. n { for j in 0 .. m { s += A[i, j] } }',
    ['reduction'],
  ],
  [
    'sum added to what was there',
    'array x: f32[n] in global array s: f32[] inout global',
    'for i in 0 .. n { s += x[i] }',
    ['reduction'],
  ],
  [
    'column sums, added',
    'array A: f32[n, m] in global array y: f32[m] inout global',
    'for i in 0 .. n { for j in 0 .. m { y[j] += A[i, j] } }',
    ['reduction'],
  ],
  [
    'sums over the middle of three',
    'array A: f32[n, m, p] in global array y: f32[n, p] out global',
    'for i in 0 .. n { for k in 0 .. p { y[i, k] = 0.0f for j in 0 .. m { y[i, k] += A[i, j, k] } } }',
    ['reduction'],
  ],
  [
    'sums over two of three',
    'array A: f32[n, m, p] in global array y: f32[n] out global',
    'for i in 0 .. n { y[i] = 0.0f for j in 0 .. m { for k in 0 .. p { y[i] += A[i, j, k] } } }',
    ['reduction'],
  ],
  [
    'product added',
    'array A: f32[n, m] in global array B: f32[m, p] in global array C: f32[n, p] inout global',
    'for i in 0 .. n { for k in 0 .. m { for j in 0 .. p { C[i, j] += A[i, k] * B[k, j] } } }',
    ['contraction'],
  ],
  [
    'product subtracted',
    'array A: f32[n, m] in global array B: f32[m, p] in global array C: f32[n, p] inout global',
    'for i in 0 .. n { for j in 0 .. p { for k in 0 .. m { C[i, j] += -(A[i, k] * B[k, j]) } } }',
    ['contraction'],
  ],
  [
    'product scaled',
    'scalar a: f32 scalar b: f32 array A: f32[n, m] in global array B: f32[m, p] in global array C: f32[n, p] ' +
      'inout global',
    'for i in 0 .. n { for j in 0 .. p { declare s: f32[] temp private s = 0.0f for k in 0 .. m { s += A[i, ' +
      'k] * B[k, j] } C[i, j] = a * s + b * C[i, j] } }',
    ['contraction'],
  ],
  [
    'squared distances',
    'array A: f32[n, m] in global array B: f32[p, m] in global array C: f32[n, p] out global',
    'for i in 0 .. n { for j in 0 .. p { C[i, j] = 0.0f for k in 0 .. m { C[i, j] += (A[i, k] - B[j, k]) * ' +
      '(A[i, k] - B[j, k]) } } }',
    ['contraction'],
  ],
  [
    'upper triangular product',
    'array U: f32[n, n] in global array B: f32[n, m] in global array C: f32[n, m] out global',
    'for i in 0 .. n { for j in 0 .. m { C[i, j] = 0.0f for k in i .. n { C[i, j] += U[i, k] * B[k, j] } } }',
    ['contraction'],
  ],
  [
    'lower triangle only',
    'array A: f32[n, m] in global array C: f32[n, n] inout global',
    'for i in 0 .. n { for j in 0 .. i + 1 { for k in 0 .. m { C[i, j] += A[i, k] * A[j, k] } } }',
    ['contraction'],
  ],
  [
    'columns right of the diagonal',
    'array A: f32[n, m] in global array C: f32[m, m] inout global',
    'for i in 0 .. m - 1 { for j in i + 1 .. m { C[i, j] = 0.0f for k in 0 .. n { C[i, j] += A[k, i] * A[k, j] } } }',
    ['contraction'],
  ],
  [
    'outer product',
    'array x: f32[n] in global array y: f32[m] in global array C: f32[n, m] out global',
    'for i in 0 .. n { for j in 0 .. m { C[i, j] = x[i] * y[j] } }',
    ['elementwise'],
  ],
  [
    'a guard that uses data',
    'array x: f32[n] in global array y: f32[n] inout global',
    'for i in 0 .. n { if x[i] > 0.0f { y[i] = x[i] } }',
    ['elementwise'],
  ],
  [
    'reversed',
    'array x: f32[n] in global array y: f32[n] out global',
    'for i in 0 .. n { y[i] = x[n - 1 - i] }',
    ['elementwise'],
  ],
  [
    'every second',
    'array x: f32[n] in global array y: f32[2 * n] inout global',
    'for i in 0 .. n { y[2 * i] = x[i] }',
    ['per-point'],
  ],
  [
    'vector of a matrix diagonal',
    'array A: f32[n, n] in global array y: f32[n] out global',
    'for i in 0 .. n { y[i] = A[i, i] }',
    ['elementwise'],
  ],
]

describe('variations', () => {
  test.each(variations)('%s', (_, params, body, names) => {
    const p = text(
      `program variation { ${[...header.matchAll(/size (\w).*?min 1/g)]
        .filter(([, n]) => new RegExp(`\\b${n}\\b`).test(params + body))
        .map(([line]) => line)
        .join(' ')} ${params} ${body} }`,
    )
    expect(sketchNames(p)).toEqual(names)
    sweep(p, 2, 23)
  })
})

describe('points are for the GPU that is asked', () => {
  const on = (p: Program, name: string): Analysed => analyse(p, { chip: chipOf(gpu(name)) })
  const lastPoint = (a: Analysed): Point | undefined => a.parts[0]!.sketch.ladder.at(-1)?.point
  test.each([
    ['dot', 8],
    ['prefix', 4],
    ['saxpy', 8],
  ])('blocks of %s are whole waves', async (name, perMultiprocessor) => {
    const p = await readC(exampleTexts.find(([n]) => n === name)![1])
    for (const g of ['h200', 'a100', 'l40'])
      expect(lastPoint(on(p, g))!['blocks']).toBe(perMultiprocessor * gpu(g).multiprocessors)
  })
  test('rows and columns of an array are one launch where the last cache holds it', () => {
    const both = text(
      'program p { size n = 2048 min 1 array x: f32[n, n] in global array v: f32[n] in global ' +
        'array a: f32[n] out global array b: f32[n] out global ' +
        'for i in 0 .. n { declare s: f32[] temp private s = 0.0f for j in 0 .. n { s += x[i, j] * v[j] } a[i] = s } ' +
        'for c in 0 .. n { declare t: f32[] temp private t = 0.0f for k in 0 .. n { t += x[k, c] * a[k] } b[c] = t } }',
    )
    const sketchesOn = (name: string): readonly string[] => on(both, name).parts.map((part) => part.sketch.name)
    expect(sketchesOn('h200')).toEqual(['crossed'])
    expect(sketchesOn('v100')).toEqual(['reduction', 'reduction']) // 16 MB, and 6 MB of cache
  })
})
