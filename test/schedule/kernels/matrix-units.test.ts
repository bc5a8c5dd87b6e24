// Tiles on matrix units: products of f32 by three products of f16, proved lane by lane in the simulator. All layouts,
// sizes that nothing divides, numbers that one f16 cannot hold, what is refused, and what both forms of a kernel have
// to do with each other.
import { describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { emitPlan } from '../../../src/emit/index.ts'
import {
  allStatements,
  constOf,
  KernelBuilder,
  plainKernel,
  verifyKernel,
  type HostArray,
  type Matrix,
  type Plan,
  type Stmt,
} from '../../../src/ir/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { memoryFor, runSimulated } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { profile, verified } from '../support.ts'

const product = (
  ta: boolean,
  tb: boolean,
  scaled = true,
): string => `void product(int splits, int n, int m, int p, const float \
A${ta ? '[splits][p][n]' : '[n][splits][p]'}, const float B${tb ? '[m][splits][p]' : '[splits][p][m]'}, \
${scaled ? 'const float a[1], const float b[1], ' : ''}float C[splits][n][m]) {
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) acc += A${ta ? '[s][k][i]' : '[i][s][k]'} * B${tb ? '[j][s][k]' : '[s][k][j]'};
        C[s][i][j] = acc${scaled ? ' * a[0] * b[0]' : ''};
      }
}`
/** Two by two warps, each of 32 × 32. */
const point = {
  bm: 64,
  bn: 64,
  bk: 32,
  tm: 4,
  tn: 8,
  lanesI: 8,
  lanesJ: 4,
  vector: 4,
  pad: 8,
  prefetch: 1,
  buffers: 1,
  unrollK: 1,
  units: 1,
}
const matricesOf = (plan: Plan): readonly Stmt[] =>
  plan.variants.flatMap((v) =>
    v.launches.flatMap((l) => allStatements((l.matrices ?? l.kernel).body).filter((s) => s.kind === 'matrix')),
  )

describe.each([
  [false, false],
  [true, false],
  [false, true],
  [true, true],
])('A transposed: %s, B transposed: %s', (ta, tb) => {
  test('computes what the program says, at any size', async () => {
    const a = analyse(await readC(product(ta, tb)))
    for (const [p, sizes] of [
      [
        { ...point, whole: 1 },
        { splits: 2, n: 64, m: 128, p: 512 },
      ],
      [point, { splits: 1, n: 67, m: 65, p: 288 }],
      [point, { splits: 3, n: 40, m: 36, p: 37 }],
      [
        { ...point, bm: 32, bn: 32, tm: 2, tn: 4 },
        { splits: 1, n: 1, m: 70, p: 3 },
      ],
    ] as const) {
      expect(verified(a, [p], [sizes], { warp: 32 })).toMatchObject({ ok: true })
    }
  })

  test('loads factors as they lie', async () => {
    const loads = matricesOf(build(analyse(await readC(product(ta, tb))), [point]).plan).flatMap((s) =>
      s.kind === 'matrix' && s.step.op === 'load' ? [`${s.step.dst.role} ${s.step.lines}`] : [],
    )
    expect(new Set(loads)).toEqual(new Set([`left ${ta ? 'columns' : 'rows'}`, `right ${tb ? 'columns' : 'rows'}`]))
  })
})

test('sums of different lengths', async () => {
  const a = analyse(await readC(product(false, true, false).replace('k < p', 'k <= i')))
  expect(verified(a, [point], [{ splits: 2, n: 70, m: 65, p: 80 }], { warp: 32 })).toMatchObject({ ok: true })
})

test('the lower parts of numbers count', async () => {
  const { plan } = build(analyse(await readC(product(false, false, false))), [point]),
    values = { sizes: { splits: 1, n: 64, m: 64, p: 64 }, scalars: {} },
    r = random(7)
  const data = (n: number): Float32Array<ArrayBuffer> =>
    Float32Array.from({ length: n }, () => (1 + r.int(0, 15) / 16) * (1 + 2 ** -12 + 2 ** -20))
  const [A, B] = [data(4096), data(4096)],
    run = (p: Plan): Float32Array => {
      const arrays: Record<string, HostArray> = { ...memoryFor(p, values, 1), A, B }
      expect(runSimulated(p, values, arrays, profile)).toEqual([])
      return arrays['C'] as Float32Array
    }
  const error = (c: Float32Array): number =>
    Math.max(
      ...Array.from({ length: 64 }, (_, t) => {
        const i = t,
          j = (t * 29) % 64
        let sum = 0
        for (let k = 0; k < 64; k++) sum += A[i * 64 + k]! * B[k * 64 + j]!
        return Math.abs(c[i * 64 + j]! - sum) / sum
      }),
    )
  expect(error(run(plan))).toBeLessThan(2e-6)
  const upper = (list: readonly Stmt[]): readonly Stmt[] =>
    list.map((s) =>
      s.kind === 'store' && s.address.resource.endsWith('lower')
        ? { ...s, src: s.src.map((x) => constOf(x.type, 0)) }
        : s.kind === 'if'
          ? { ...s, then: upper(s.then), else: upper(s.else) }
          : s.kind === 'loop'
            ? { ...s, body: upper(s.body), continuing: upper(s.continuing) }
            : s,
    )
  const without: Plan = {
    ...plan,
    variants: plan.variants.map((v) => ({
      ...v,
      launches: v.launches.map((l) => ({ ...l, kernel: verifyKernel({ ...l.kernel, body: upper(l.kernel.body) }) })),
    })),
  }
  expect(error(run(without))).toBeGreaterThan(1e-4)
})

test('small products come first, and each matrix of results gets all of them', async () => {
  const steps = matricesOf(
    build(analyse(await readC(product(false, false))), [{ ...point, bm: 32, bn: 32, tm: 2, tn: 4, whole: 1 }], {
      exact: true,
      only: 'vector',
    }).plan,
  )
  const products = steps.flatMap((s) => (s.kind === 'matrix' && s.step.op === 'multiply' ? [s.step] : [])).slice(0, 3)
  expect(new Set(products.map((s) => s.sum.name)).size).toBe(1)
  expect(products[0]!.left.name).not.toBe(products[1]!.left.name)
  expect(products[0]!.right.name).not.toBe(products[1]!.right.name)
  expect([products[2]!.left.name, products[2]!.right.name]).toEqual([products[0]!.left.name, products[1]!.right.name])
})

test('scales lie in workgroup memory where there is room, which costs a step no barrier', async () => {
  const text = async (tb: boolean, p: object): Promise<string> =>
    emitPlan(build(analyse(await readC(product(false, tb))), [{ ...point, ...p }]).plan, { targets: ['wgsl'] })
      .variants[0]!.launches[0]!.emitted!.wgsl!.text
  const step = (wgsl: string): string => /for \(var tile_in[^]*?subgroupMatrixLoad/.exec(wgsl)![0]
  const [near, full] = [await text(false, {}), await text(true, { bm: 128, bn: 128, tm: 8, tn: 8 })]
  expect(near).toContain('var<workgroup> scales_tile: array<f32, 2>')
  expect(step(near).match(/= scales_tile\[/g)).toHaveLength(2)
  expect(step(near).match(/workgroupBarrier/g)).toHaveLength(2)
  expect(full).not.toContain('scales_tile') // both tiles and the sums take all 48 KiB
  expect(step(full).match(/workgroupBarrier/g)).toHaveLength(2)
})

test('the plan has a plain form for all but WGSL', async () => {
  const { plan } = build(analyse(await readC(product(false, true))), [point]),
    launch = plan.variants[0]!.launches[0]!
  expect(allStatements(launch.kernel.body).some((s) => s.kind === 'matrix')).toBe(false)
  expect(plainKernel(launch.matrices!)).toBe(launch.kernel)
  const texts = emitPlan(plan, { targets: ['wgsl', 'cuda'] }).variants[0]!.launches[0]!.emitted!
  expect(texts.wgsl!.text).toContain('subgroupMatrixMultiplyAccumulate')
  expect(texts.cuda!.text).toContain('__shfl_sync')
})

test.each([
  [
    'a tile that is no whole number of matrices',
    product(false, false),
    { ...point, bk: 8 },
    /no whole number of 16 × 16 matrices/,
  ],
  [
    'other sums than of two factors',
    product(false, false).replace('* B[s][k][j]', '+ B[s][k][j]'),
    point,
    /add up products of two factors/,
  ],
  [
    'more workgroup memory than there is',
    product(false, false),
    { ...point, bm: 128, bn: 128, bk: 64, tm: 8, tn: 8 },
    /bytes of workgroup memory/,
  ],
])('refuses %s', async (_, source, p, why) => {
  expect(() => build(analyse(requireProgram(source)), [p])).toThrow(why)
})

const programs = new Map<string, Awaited<ReturnType<typeof readC>>>()
const requireProgram = (source: string): Awaited<ReturnType<typeof readC>> => programs.get(source)!
for (const source of [product(false, false), product(false, false).replace('* B[s][k][j]', '+ B[s][k][j]')])
  programs.set(source, await readC(source))

describe('rules of matrices', () => {
  const kernel =
    (step: (m: (role: Matrix['role'], name: string) => Matrix) => Stmt[]): (() => unknown) =>
    () => {
      const b = new KernelBuilder({ name: 'k', block: [32, 1, 1] })
      b.global('x', 'f32')
      for (const s of step((role, name) => ({ role, name }))) b.push(s)
      return b.finish()
    }
  const at = { resource: 'x', index: constOf('i32', 0), stride: 4, offset: 0 }
  test.each([
    [
      'roles',
      kernel((m) => [
        {
          kind: 'matrix',
          step: { op: 'multiply', left: m('right', 'a'), right: m('right', 'b'), sum: m('result', 'c') },
          means: [],
        },
      ]),
      /'a' is a right matrix where a left is wanted/,
    ],
    [
      'one role each',
      kernel((m) => [
        { kind: 'matrix', step: { op: 'clear', sum: m('result', 'c') }, means: [] },
        {
          kind: 'matrix',
          step: { op: 'load', dst: m('left', 'c'), address: at, stride: 64, lines: 'rows' },
          means: [],
        },
      ]),
      /'c' is a result and a left matrix/,
    ],
    [
      'lines apart',
      kernel((m) => [
        {
          kind: 'matrix',
          step: { op: 'load', dst: m('left', 'a'), address: at, stride: 16, lines: 'rows' },
          means: [],
        },
      ]),
      /16 bytes apart overlap/,
    ],
    [
      'places that there are',
      kernel((m) => [
        {
          kind: 'matrix',
          step: { op: 'load', dst: m('left', 'a'), address: { ...at, resource: 'y' }, stride: 64, lines: 'rows' },
          means: [],
        },
      ]),
      /unknown resource 'y'/,
    ],
  ])('%s', (_, make, why) => {
    expect(make).toThrow(why)
  })
})
