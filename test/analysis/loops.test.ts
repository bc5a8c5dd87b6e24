// Loop kinds, bands, reuse classes and privatisation on the examples and on small programs.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { classify, loopFacts, permutableBands } from '../../src/analysis/index.ts'
import { privatise } from '../../src/transform/index.ts'
import { formatSpan } from '../../src/base/index.ts'
import { interpret, parseProgram, printProgram, verifyProgram, type Program } from '../../src/ir/index.ts'
import { readC } from '../c/read.ts'
import { randomProgram } from '../random-program.ts'

const kinds = (p: Program): string =>
  loopFacts(p)
    .map((f) => {
      const reductions = f.reductions.map((r) => [r.op, r.array, r.position, r.ties].filter((x) => x).join(' '))
      return `${f.loop.name}:${f.kind}${reductions.map((r) => `(${r})`).join('')}`
    })
    .join(' ')
const bands = (p: Program): string =>
  permutableBands(p)
    .map((b) => b.loops.map((l) => l.name).join('') + (b.perfect ? '' : '~'))
    .join(' ')

describe('examples', () => {
  test.each([
    ['gemm', 'i:parallel j:parallel k:reduction(add C)', 'ijk~', 'contraction'],
    ['gemm-nt', 'i:parallel j:parallel k:reduction(add sum)', 'ijk~', 'contraction'],
    ['gemm-tn', 'i:parallel j:parallel k:reduction(add C) i:parallel j:parallel', 'ij kij', 'elementwise contraction'],
    ['gemm-tt', 'i:parallel j:parallel k:reduction(add C)', 'ijk~', 'contraction'],
    ['batched-gemm', 'b:parallel i:parallel j:parallel k:reduction(add acc)', 'bijk~', 'contraction'],
    ['trmm', 'i:parallel j:parallel k:reduction(add C)', 'ijk~', 'contraction'],
    ['gemv', 'i:parallel j:reduction(add sum)', 'ij~', 'reduction'],
    ['rowsum', 'i:parallel j:reduction(add y)', 'ij~', 'reduction'],
    ['colsum', 'j:parallel i:reduction(add s)', 'ji~', 'reduction'],
    ['sum', 'i:reduction(add result)', 'i', 'reduction'],
    ['max', 'i:reduction(max result)', 'i', 'reduction'],
    ['dot', 'i_back:reduction(add result)', 'i_back', 'reduction'],
    ['saxpy', 'i:parallel', 'i', 'elementwise'],
    ['transpose', 'i:parallel j:parallel', 'ij', 'transpose'],
    ['jacobi2d', 'i:parallel j:parallel', 'ij', 'stencil'],
    ['conv2d', 'y:parallel x:parallel dy:reduction(add sum) dx:reduction(add sum)', 'yxdydx~', 'stencil'],
    [
      'separable',
      'y:parallel x:parallel t:reduction(add s) y:parallel x:parallel t:reduction(add s)',
      'yxt~ yxt~',
      'stencil stencil',
    ],
  ])('%s', async (name, loops, expectedBands, classes) => {
    const p = await readC(readFileSync(new URL(`../../examples/${name}.c`, import.meta.url), 'utf8'))
    expect({
      loops: kinds(p),
      bands: bands(p),
      classes: classify(p)
        .map((n) => n.kind)
        .join(' '),
    }).toEqual({ loops, bands: expectedBands, classes })
  })
})

const program = (text: string): Program => {
  const p = parseProgram(
    `program p { size n = 8 min 1 size m = 8 min 1 array A: f32[200] inout global array B: f32[200, 200] ` +
      `inout global array x: f32[200] in global array at: i32[200] inout global\n${text} }`,
  )
  verifyProgram(p)
  return p
}

describe('loops', () => {
  test.each<[string, string, string, string]>([
    [
      'wavefront: sequential but tilable',
      'for i in 1 .. n { for j in 1 .. m { B[i, j] = B[i - 1, j] + B[i, j - 1] } }',
      'i:sequential j:sequential',
      'ij',
    ],
    [
      'interchange would reverse it',
      'for i in 1 .. n { for j in 0 .. m { B[i, j] = B[i - 1, j + 1] } }',
      'i:sequential j:parallel',
      'i j',
    ],
    [
      'argmax',
      'declare best: f32[] temp private declare k: i32[] temp private best = x[0] k = 0 for i in 0 .. n { if ' +
        'x[i] > best { best = x[i] k = i } } A[0] = best at[0] = k',
      'i:reduction(argmax best k first)',
      'i',
    ],
    [
      'argmin, last of equals, turned around',
      'declare best: f32[] temp private declare k: i32[] temp private best = x[0] k = 0 for i in 0 .. n { if ' +
        'best >= x[i] { k = i best = x[i] } } A[0] = best at[0] = k',
      'i:reduction(argmin best k last)',
      'i',
    ],
    [
      'no argmax: the position decides the value',
      'declare best: f32[] temp private declare k: i32[] temp private best = x[0] k = 0 for i in 0 .. n { if ' +
        'x[i] > best { best = x[i] k = k + i } } A[0] = best at[0] = k',
      'i:sequential',
      'i',
    ],
    ['prefix sum', 'for i in 1 .. n { A[i] = A[i - 1] + x[i] }', 'i:sequential', 'i'],
    ['two operators on one cell', 'for i in 0 .. n { A[0] += x[i] A[0] *= x[i] }', 'i:sequential', 'i'],
    ['histogram', 'for i in 0 .. n { A[at[i]] += x[i] }', 'i:reduction(add A)', 'i'],
    [
      'time steps around a sweep',
      'for t in 0 .. m { for i in 1 .. n { B[1, i] = B[0, i - 1] + B[0, i + 1] } for j in 1 .. n { B[0, j] = ' +
        'B[1, j] } }',
      't:sequential i:parallel j:parallel',
      't i j',
    ],
  ])('%s', (_, text, loops, expectedBands) =>
    expect([kinds(program(text)), bands(program(text))]).toEqual([loops, expectedBands]))

  test('what forbids it is named by lines and distance', async () => {
    const p = await readC('void f(int n, float a[n]) {\n  for (int i = 3; i < n; i++)\n    a[i] = a[i - 3] + 1;\n}')
    const [fact] = loopFacts(p)
    expect(
      fact!.blockers.map((d) => [d.kind, formatSpan(d.source.at!), formatSpan(d.sink.at!), d.vector[0]!.distance]),
    ).toEqual([['flow', 'test.c:3:5', 'test.c:3:12', 3]])
  })
})

describe('reuse', () => {
  test('matrix product: who is reused where, and what is contiguous', async () => {
    const p = await readC(readFileSync(new URL('../../examples/gemm-nt.c', import.meta.url), 'utf8'))
    const { main } = classify(p)[0]!
    expect([main.outputLoops, main.reductionLoops, main.contiguous]).toEqual([['i', 'j'], ['k'], 'j'])
    expect(main.reads.map((r) => [r.array, r.reusedIn, r.contiguous])).toEqual([
      ['A', ['j'], 'k'],
      ['B', ['i'], 'k'],
    ])
  })
  test('windows of stencils', async () => {
    const window = async (name: string): Promise<unknown[]> =>
      classify(await readC(readFileSync(new URL(`../../examples/${name}.c`, import.meta.url), 'utf8'))).map((n) =>
        n.main.reads.map((r) => [r.array, r.window]),
      )
    expect(await window('conv2d')).toEqual([
      [
        ['w', null],
        [
          'in',
          [
            [0, 6],
            [0, 6],
          ],
        ],
      ],
    ])
    expect(await window('separable')).toEqual([
      [
        ['w', null],
        [
          'in',
          [
            [0, 0],
            [-8, 8],
          ],
        ],
      ],
      [
        ['w', null],
        [
          'tmp',
          [
            [-8, 8],
            [0, 0],
          ],
        ],
      ],
    ])
    expect((await window('jacobi2d'))[0]).toEqual(
      new Array(5).fill([
        'a',
        [
          [-1, 1],
          [-1, 1],
        ],
      ]),
    )
  })
})

describe('privatise', () => {
  const moved = (text: string): string =>
    printProgram(privatise(program(text)))
      .split('\n')
      .slice(7, -2)
      .map((l) => l.trim())
      .join(' ')
  test.each<[string, string, string]>([
    [
      'a scalar goes to the innermost loop that writes it first',
      'declare t: f32[] temp private for i in 0 .. n { for j in 0 .. m { t = B[i, j] B[i, j] = t * t } }',
      'for i in 0 .. n { for j in 0 .. m { declare t: f32[] temp private t = B[i, j] B[i, j] = t * t } }',
    ],
    [
      'an accumulator stops where it is initialised',
      'declare s: f32[] temp private for i in 0 .. n { s = 0.0f for j in 0 .. m { s += B[i, j] } A[i] = s }',
      'for i in 0 .. n { declare s: f32[] temp private s = 0.0f for j in 0 .. m { s += B[i, j] } A[i] = s }',
    ],
    [
      'read before it is written: stays',
      'declare t: f32[] temp private t = 0.0f for i in 0 .. n { A[i] = t t = x[i] }',
      'declare t: f32[] temp private t = 0.0f for i in 0 .. n { A[i] = t t = x[i] }',
    ],
    [
      'used afterwards: stays',
      'declare t: f32[] temp private for i in 0 .. n { t = x[i] A[i] = t } A[0] = t',
      'declare t: f32[] temp private for i in 0 .. n { t = x[i] A[i] = t } A[0] = t',
    ],
    [
      'written only sometimes: stays',
      'declare t: f32[] temp private for i in 0 .. n { if i > 1 { t = x[i] } A[i] = t }',
      'declare t: f32[] temp private for i in 0 .. n { if i > 1 { t = x[i] } A[i] = t }',
    ],
    [
      'written by a loop that may be empty: stays',
      'declare t: f32[] temp private for i in 0 .. n { for j in 0 .. m { t = x[j] } A[i] = t }',
      'declare t: f32[] temp private for i in 0 .. n { for j in 0 .. m { t = x[j] } A[i] = t }',
    ],
    [
      'a small array that every iteration fills',
      'declare t: f32[3] temp private for i in 0 .. n { for j in 0 .. 3 { t[j] = x[i + j] } for k in 0 .. 2 { ' +
        'A[i] += t[k] * t[k + 1] } }',
      'for i in 0 .. n { declare t: f32[3] temp private for j in 0 .. 3 { t[j] = x[i + j] } for k in 0 .. 2 { ' +
        'A[i] += t[k] * t[k + 1] } }',
    ],
    [
      'a small array of which what is read is filled',
      'declare t: f32[3] temp private for i in 0 .. n { for j in 0 .. 2 { t[j] = x[i + j] } A[i] = t[0] }',
      'for i in 0 .. n { declare t: f32[3] temp private for j in 0 .. 2 { t[j] = x[i + j] } A[i] = t[0] }',
    ],
    [
      'a small array that is filled in part: stays',
      'declare t: f32[3] temp private for i in 0 .. n { for j in 0 .. 2 { t[j] = x[i + j] } A[i] = t[2] }',
      'declare t: f32[3] temp private for i in 0 .. n { for j in 0 .. 2 { t[j] = x[i + j] } A[i] = t[2] }',
    ],
    [
      'a small array that is filled element by element',
      'declare t: f32[2] temp private for i in 0 .. n { t[0] = 1.0f t[1] = x[i] for k in 0 .. m { t[k % 2] += x[k] } ' +
        'A[i] = t[0] - t[1] }',
      'for i in 0 .. n { declare t: f32[2] temp private t[0] = 1.0f t[1] = x[i] for k in 0 .. m { t[k % 2] += x[k] } ' +
        'A[i] = t[0] - t[1] }',
    ],
    [
      'a small array that is filled under a condition: stays',
      'declare t: f32[2] temp private for i in 0 .. n { t[0] = 1.0f if i > 1 { t[1] = x[i] } A[i] = t[0] - t[1] }',
      'declare t: f32[2] temp private for i in 0 .. n { t[0] = 1.0f if i > 1 { t[1] = x[i] } A[i] = t[0] - t[1] }',
    ],
    [
      'a small array whose neighbour was filled an iteration before',
      'declare t: f32[3] temp private for i in 0 .. n { t[0] = 1.0f for k in 1 .. 3 { A[i] += t[k - 1] t[k] = x[k] } }',
      'for i in 0 .. n { declare t: f32[3] temp private t[0] = 1.0f for k in 1 .. 3 { A[i] += t[k - 1] t[k] = x[k] } }',
    ],
  ])('%s', (_, text, expected) => expect(moved(text)).toBe(expected))

  test('makes loops parallel that were not', () => {
    const p = program('declare t: f32[] temp private for i in 0 .. n { t = x[i] A[i] = t * t }')
    expect(kinds(p)).toBe('i:sequential')
    expect(kinds(privatise(p))).toBe('i:parallel')
  })

  test('random programs compute the same afterwards', () => {
    for (let seed = 0; seed < 200; seed++) {
      const p = randomProgram(50_000 + seed, { depth: 3 }),
        q = privatise(p)
      verifyProgram(q)
      const run = (program: Program): number[] => {
        const arrays = Object.fromEntries(
          p.arrays.map((a) => [
            a.name,
            Float32Array.from({ length: 48 ** a.shape.length }, (_, i) => ((i * 7) % 11) / 4),
          ]),
        )
        interpret(program, { sizes: { n: 5, m: 4 }, scalars: {}, arrays })
        return Object.values(arrays).flatMap((a) => [...a].map(Number))
      }
      expect(run(q)).toEqual(run(p))
    }
  })
})
