// Loops that must run in order, in tiles of many iterations: random programs that sweep over a grid (reference =
// simulated, hazards watched, sizes smaller than a tile or its halo, steps that no launch divides), what is recognised,
// what the story says, and the same plans on SwiftShader and through nvcc.
import { describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import { chooseVariant, executions, measuredChip, printProgram, type Program } from '../../../src/ir/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import type { Point } from '../../../src/schedule/index.ts'
import type { TimeTiles } from '../../../src/ir/loop/nest.ts'
import { streamPoints } from '../../../src/schedule/sketches/stencil/plane-stages.ts'
import { freshArrays, referenceOf, verificationSizes } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { errorOf } from '../../emit/plans.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { sketchNames, verified } from '../support.ts'
import { stencilProgram, sweepProgram } from '../generators/stencil-sweeps.ts'
import { seedsOf, someOf } from '../../support/long.ts'

/** A random point for each part, a few steps, a size that is smaller than a tile or larger. */
function tried(make: (seed: number) => Program, seed: number): readonly string[] {
  const p = make(seed),
    a = analyse(p),
    r = random(seed)
  const points = a.parts.map(({ sketch }) => {
    const all = [...sketch.ladder.map((x) => x.point), ...sketch.space]
    return all[r.int(0, all.length - 1)]!
  })
  const rank = p.arrays[0]!.shape.length
  // one to three dimensions
  const sizes = { t: r.int(1, 9), n: r.int(6, seed % 3 === 0 ? 20 : [400, 120, 44][rank - 1]!) }
  const v = verified(a, points, [sizes], seed % 2 === 0 ? { warp: 32 } : {}, seed)
  expect({ seed, ok: v.ok, why: v.why, sizes, points, program: v.ok ? '' : printProgram(p) }).toEqual({
    seed,
    ok: true,
    why: undefined,
    sizes,
    points,
    program: '',
  })
  return a.parts.map((x) => x.sketch.name)
}

test('random stencils: reference = simulated', () => {
  const seen = Array.from({ length: seedsOf(18) }, (_, n) => tried(stencilProgram, n + 1)).flat()
  expect(seen.filter((s) => s === 'time-tiles').length).toBeGreaterThan(seedsOf(8))
})

test('random sweeps in place: reference = simulated', () => {
  const seen = Array.from({ length: seedsOf(20) }, (_, n) => tried(sweepProgram, n + 1)).flat()
  // some read only what was there before
  expect(seen.filter((s) => s === 'wave-tiles').length).toBeGreaterThan(seedsOf(4))
})

// ── programs ──────────────────────────────────────────────────────────────────────────────────────────────────────

const five = (to: string, from: string): string =>
  `for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) ${to}[i][j] = 0.2f * (${from}[i][j] + ` +
  `${from}[i][j-1] + ${from}[i][j+1] + ${from}[i+1][j] + ${from}[i-1][j]);`
const jacobi =
  `void f(int t, int n, float A[n][n], float B[n][n]) {\n for (int s = 0; s < t; s++) {\n ${five('B', 'A')}\n ` +
  `${five('A', 'B')}\n } }`
const seven = (to: string, from: string): string =>
  `for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++) ` +
  `${to}[i][j][k] = 0.1f * (${from}[i+1][j][k] + ${from}[i-1][j][k] + ${from}[i][j+1][k] + ${from}[i][j-1][k] ` +
  `+ ${from}[i][j][k+1] + ${from}[i][j][k-1]) + 0.4f * ${from}[i][j][k];`
const heat =
  `void f(int t, int n, float A[n][n][n], float B[n][n][n]) { for (int s = 1; s <= t; s++) { ${seven('B', 'A')} ` +
  `${seven('A', 'B')} } }`
const fdtd = `void f(int t, int n, int m, float x[n][m], float y[n][m], float h[n][m], float e[t]) { for (int s = \
0; s < t; s++) {
  for (int j = 0; j < m; j++) y[0][j] = e[s];
  for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) y[i][j] = y[i][j] - 0.5f * (h[i][j] - h[i-1][j]);
  for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) x[i][j] = x[i][j] - 0.5f * (h[i][j] - h[i][j-1]);
  for (int i = 0; i < n - 1; i++) for (int j = 0; j < m - 1; j++) h[i][j] = h[i][j] - 0.7f * (x[i][j+1] - x[i][j] + \
y[i+1][j] - y[i][j]); } }`
const seidel =
  'void f(int t, int n, float A[n][n]) { for (int s = 0; s < t; s++) for (int i = 1; i < n - 1; i++) for (int ' +
  'j = 1; j < n - 1; j++) A[i][j] = (A[i-1][j-1] + A[i-1][j] + A[i-1][j+1] + A[i][j-1] + A[i][j] + A[i][j+1] ' +
  '+ A[i+1][j-1] + A[i+1][j] + A[i+1][j+1]) / 9.0f; }'
const align =
  'void f(int n, int m, float H[n][m], float E[n][m], float a[n], float b[m]) { for (int i = 1; i < n; i++) ' +
  'for (int j = 1; j < m; j++) { float s = H[i-1][j-1] + a[i] * b[j]; E[i][j] = fmaxf(E[i][j-1] - 0.1f, ' +
  'H[i][j-1] - 1.0f); if (s < 0.0f) s = 0.0f; H[i][j] = fmaxf(s, E[i][j]); } }'
const window =
  'void f(int t, int n, float A[n][n], float B[n][n], float w[3]) { for (int s = 0; s < t; s++) { for (int i ' +
  '= 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) { float x = 0; for (int k = 0; k < 3; k++) x += w[k] ' +
  '* A[i + k - 1][j]; B[i][j] = x; } for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[i][j] ' +
  '= B[i][j]; } }'
const relax =
  'void f(int t, int n, float omega, float u[n]) { for (int s = 0; s < t; s++) for (int i = 1; i < n - 1; ' +
  'i++) u[i] = (1.0f - omega) * u[i] + omega * 0.5f * (u[i-1] + u[i+1]); }'

const life =
  'void f(int t, int n, int A[n][n], int B[n][n]) { for (int s = 0; s < t; s++) { for (int i = 1; i < n - 1; ' +
  'i++) for (int j = 1; j < n - 1; j++) { int k = 0; for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; ' +
  'x++) if (y || x) k += A[i + y][j + x] & 1; B[i][j] = k == 3 || ((A[i][j] & 1) && k == 2); } for (int i = ' +
  '1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j]; } }'
const around8 = (a: string): string =>
  [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, -1],
    [0, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ]
    .map(([y, x]) => `(${a}[i + ${y}][j + ${x}] & 1)`)
    .join(' + ')
const lifeByHand =
  `void f(int t, int n, int A[n][n], int B[n][n]) { for (int s = 0; s < t; s++) { for (int i = 1; i < n - 1; ` +
  `i++) for (int j = 1; j < n - 1; j++) { int k = ${around8('A')}; if (A[i][j] & 1) B[i][j] = k == 2 || k == ` +
  `3; else if (k == 3) B[i][j] = 1; else B[i][j] = 0; } for (int i = 1; i < n - 1; i++) for (int j = 1; j < n ` +
  `- 1; j++) A[i][j] = B[i][j]; } }`
const lap = (a: string): string => `(${a}[i-1][j] + ${a}[i+1][j] + ${a}[i][j-1] + ${a}[i][j+1] - 4.0f * ${a}[i][j])`
const reaction =
  `void f(int t, int n, float u[n][n], float v[n][n], float p[n][n], float q[n][n]) { for (int s = 0; s < t; ` +
  `s++) { for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) { float r = u[i][j] * v[i][j] * ` +
  `0.1f, x = ${lap('u')}, y = ${lap('v')}; r *= v[i][j]; p[i][j] = u[i][j] + 0.1f * x - 0.1f * r + 0.04f * ` +
  `(1.0f - u[i][j]); q[i][j] = v[i][j] + 0.05f * y + 0.1f * r - 0.1f * v[i][j]; } for (int i = 1; i < n - 1; ` +
  `i++) for (int j = 1; j < n - 1; j++) { u[i][j] = p[i][j]; v[i][j] = q[i][j]; } } }`

const programs: readonly (readonly [string, string, string, readonly Readonly<Record<string, number>>[]])[] = [
  [
    'two arrays in turn',
    jacobi,
    'time-tiles',
    [
      { t: 7, n: 131 },
      { t: 13, n: 252 },
      { t: 3, n: 3 },
    ],
  ],
  [
    'three dimensions',
    heat,
    'time-tiles',
    [
      { t: 3, n: 37 },
      { t: 1, n: 4 },
    ],
  ],
  [
    'four nests with ranges of their own',
    fdtd,
    'time-tiles',
    [
      { t: 19, n: 133, m: 149 },
      { t: 3, n: 5, m: 7 },
      { t: 8, n: 136, m: 260 },
    ],
  ],
  [
    'a window with weights, and a copy back',
    window,
    'time-tiles',
    [
      { t: 5, n: 77 },
      { t: 6, n: 204 },
    ],
  ],
  [
    'borders that reflect',
    jacobi.replace(
      '} }',
      'for (int i = 0; i < n; i++) { A[i][0] = A[i][1]; A[i][n-1] = A[i][n-2]; } for (int j = 0; j < n; j++) ' +
        'A[n-1][j] = A[n-2][j]; } }',
    ),
    'time-tiles',
    [
      { t: 5, n: 75 },
      { t: 3, n: 4 },
    ],
  ],
  [
    'integers, a window with a hole',
    life,
    'time-tiles',
    [
      { t: 9, n: 77 },
      { t: 1, n: 3 },
    ],
  ],
  ['integers, a number of neighbours that is asked several times', lifeByHand, 'time-tiles', [{ t: 5, n: 70 }]],
  ['two results of one iteration with locals that they share', reaction, 'time-tiles', [{ t: 5, n: 77 }]],
  [
    'Gauss and Seidel',
    seidel,
    'wave-tiles',
    [
      { t: 19, n: 61 },
      { t: 1, n: 3 },
      { t: 5, n: 140 },
    ],
  ],
  [
    'an alignment of two arrays',
    align,
    'wave-tiles',
    [
      { n: 150, m: 61 },
      { n: 2, m: 300 },
    ],
  ],
  [
    'over-relaxation in one dimension',
    relax,
    'wave-tiles',
    [
      { t: 70, n: 201 },
      { t: 5, n: 4 },
    ],
  ],
]

describe('rungs of the ladder', () => {
  test.each(programs)('%s', async (_, source, sketch, sizes) => {
    const p = await readC(`#include <math.h>\n${source}`),
      a = analyse(p)
    expect(a.parts.map((x) => x.sketch.name)).toEqual([sketch])
    for (const { point } of someOf(a.parts[0]!.sketch.ladder)) {
      const v = verified(a, [point], sizes)
      expect({ point, ok: v.ok, why: v.why }).toEqual({ point, ok: true, why: undefined })
    }
  })
})

const box = (to: string, from: string): string =>
  `for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++) ` +
  `${to}[i][j][k] = 0.2f * ${from}[i+1][j+1][k-1] + 0.3f * ${from}[i][j-1][k+1] + 0.1f * ${from}[i-1][j+1][k] ` +
  `+ 0.2f * ${from}[i][j][k];`
const boxes =
  `void f(int t, int n, float A[n][n][n], float B[n][n][n]) { for (int s = 1; s <= t; s++) { ${box('B', 'A')} ` +
  `${box('A', 'B')} } }`
const reflecting = heat.replace(
  '} }',
  'for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) A[0][j][k] = A[1][j][k]; for (int i = 0; i < n; ' +
    'i++) for (int k = 0; k < n; k++) A[i][n-1][k] = A[i][n-2][k]; for (int i = 0; i < n; i++) for (int j = ' +
    '0; j < n; j++) A[i][j][0] = A[i][j][1]; } }',
)
const far =
  `void f(int t, int n, float A[n][n][n], float B[n][n][n], float w[n][n][n]) { for (int s = 0; s < t; s++) { ` +
  `for (int i = 2; i < n - 2; i++) for (int j = 1; j < n - 1; j++) for (int k = 0; k < n - 3; k++) if ` +
  `(w[i][j][k] > 0.0f) B[i][j][k] = 0.5f * A[i-2][j][k+3] + 0.25f * A[i+2][j-1][k]; for (int i = 2; i < n - ` +
  `2; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n; k++) A[i][j][k] = B[i][j][k-1] + w[i][j][k] ` +
  `* A[i][j][k]; } }`

test.each<readonly [string, string, readonly Point[]]>([
  [
    'a star',
    heat,
    [
      { steps: 2, share: 0, ty: 16, tx: 16, py: 2, px: 2, planes: 16 },
      { steps: 1, share: 0, ty: 11, tx: 7, py: 2, px: 4, planes: 8 },
    ],
  ],
  [
    'a box, where a sweep needs neighbours of a plane just made',
    boxes,
    [
      { steps: 1, share: 0, ty: 12, tx: 10, py: 1, px: 4, planes: 12 },
      { steps: 2, share: 0, ty: 9, tx: 15, py: 2, px: 2, planes: 8 },
    ],
  ],
  ['borders that reflect', reflecting, [{ steps: 1, share: 0, ty: 10, tx: 8, py: 2, px: 4, planes: 9 }]],
  [
    'far away, guarded, with arrays that are only read',
    far,
    [{ steps: 1, share: 0, ty: 20, tx: 12, py: 1, px: 2, planes: 10 }],
  ],
])('planes stream through tiles of rows and columns: %s', async (_, source, points) => {
  const a = analyse(await readC(source))
  expect(a.parts.map((x) => x.sketch.name)).toEqual(['time-tiles'])
  for (const point of points) {
    const v = verified(
      a,
      [point],
      [
        { t: 3, n: 29 },
        { t: 1, n: 32 },
        { t: 5, n: 4 },
      ],
    )
    expect({ point, ok: v.ok, why: v.why }).toEqual({ point, ok: true, why: undefined })
  }
})

test.each<readonly [string, string, readonly Point[]]>([
  [
    'a star',
    heat,
    [
      { apart: 1, ty: 5, tx: 6, pz: 2, py: 1, px: 4 },
      { apart: 1, ty: 3, tx: 11, pz: 1, py: 2, px: 2 },
    ],
  ],
  [
    'a box',
    boxes,
    [
      { apart: 1, ty: 4, tx: 9, pz: 3, py: 2, px: 4 },
      { apart: 1, ty: 7, tx: 32, pz: 1, py: 1, px: 1 },
    ],
  ],
  ['far away, guarded, with arrays that are only read', far, [{ apart: 1, ty: 6, tx: 5, pz: 2, py: 1, px: 4 }]],
])('a launch per sweep, every second one from the last plane on: %s', async (_, source, points) => {
  const a = analyse(await readC(source))
  for (const point of points) {
    const v = verified(
      a,
      [point],
      [
        { t: 3, n: 29 },
        { t: 1, n: 32 },
        { t: 2, n: 4 },
      ],
    )
    expect({ point, ok: v.ok, why: v.why }).toEqual({ point, ok: true, why: undefined })
  }
  const first = build(a, [points[0]!], { warp: 32 }),
    story = first.kernels.map((k) => k.steps.some((s) => s.startsWith('backwards')))
  expect(story).toEqual([false, true])
})

test('no border has a launch of its own', async () => {
  for (const { sketch } of analyse(await readC(reflecting)).parts)
    expect(sketch.space.filter((p) => p['apart'])).toEqual([])
  expect(analyse(await readC(heat)).parts[0]!.sketch.space[0]).toMatchObject({ apart: 1 })
})

test(
  'tiles are fitted to the planned extents: what is outside of the arrays is little, and loads ask nothing ' +
    'where rows are whole groups',
  async () => {
    const p = await readC(heat, { defines: { n: '200' } }),
      a = analyse(p)
    // one part, whose sketch says so
    const [best] = streamPoints(a.program, (a.parts[0]!.nest as { readonly form: TimeTiles }).form, measuredChip)
    const { ty, tx, py, px, planes } = best as Readonly<Record<'ty' | 'tx' | 'py' | 'px' | 'planes', number>>
    const out = [ty * py - 4, tx * px - (px === 4 ? 8 : 4)],
      tiles = out.map((n) => Math.ceil(200 / n)),
      shares = Math.ceil(200 / planes)
    expect((tiles[0]! * out[0]! * tiles[1]! * out[1]! * shares * planes) / 200 ** 3).toBeLessThan(1.2)
    const { plan } = build(a, [best!], { warp: 32 }),
      [first] = emitPlan(plan, { targets: ['wgsl', 'cuda'] }).variants
    for (const { emitted } of first!.launches) {
      expect(emitted!.cuda!.text.match(/__ldca/g)!.length).toBeGreaterThan(1) // loads that are ahead stay there
      expect(emitted!.wgsl!.text.match(/var<storage, (read_write)> A(_next)?:/g)).toHaveLength(2)
    }
  },
)

describe('what stays in single steps', () => {
  test.each([
    [
      'the far side',
      jacobi.replace(
        'for (int s = 0; s < t; s++) {',
        'for (int s = 0; s < t; s++) { for (int j = 0; j < n; j++) A[0][j] = A[n - 2][j];',
      ),
    ],
    ['a distance that changes', jacobi.replace('A[i][j-1]', 'A[i][n - 1 - j]')],
    ['places that data choose', jacobi.replace('float A', 'int c[n], float A').replace('A[i][j-1]', 'A[i][c[j]]')],
  ])('%s', async (_, source) => {
    const names = sketchNames(await readC(source))
    expect(names.filter((x) => x === 'time-tiles' || x === 'wave-tiles')).toEqual([])
  })
})

test('the story says what was tiled, the halo and its price, and which read asks for it', async () => {
  const story = async (source: string, point: Point): Promise<readonly string[]> =>
    build(analyse(await readC(source)), [point]).kernels[0]!.steps
  expect(await story(jacobi, { steps: 4, share: 0, ty: 8, tx: 32, py: 8, px: 4 })).toEqual([
    "4 steps of 's' per launch on tiles of 48 × 112 cells",
    "a halo makes them 64 × 128, 52 % more work, because 'A' is read 1 away in line 3, where another point wrote it",
    '256 threads own 8 × 4 cells each, in registers; what neighbours read lies in workgroup memory',
    '2 barriers per step for 2 sweeps; tiles that no border touches need no guards',
  ])
  expect(await story(seidel, { times: 8, rows: 32, columns: 64 })).toEqual([
    "boxes of 8 of 's', 32 of 'i', 64 of 'j', a launch for all boxes that need none of each other",
    "skewed so that no dependence points backwards: 'i' by 1 × 's', 'j' by 2 × 'i', 'j' by 4 × 's'",
    "256 threads walk along 'j' together; 41 × 98 elements of A lie in workgroup memory",
  ])
})

test('launches: two kernels in turn, the last steps with the others; a launch per wave of boxes', async () => {
  const count = async (source: string, point: Point, sizes: Readonly<Record<string, number>>): Promise<number> => {
    const { plan } = build(analyse(await readC(source)), [point]),
      values = { sizes, scalars: {} }
    return [...executions(chooseVariant(plan, values), values)].length
  }
  const tiles = { steps: 4, share: 0, ty: 8, tx: 32, py: 8, px: 4 }
  expect([
    await count(jacobi, tiles, { t: 1000, n: 200 }),
    await count(jacobi, tiles, { t: 9, n: 200 }),
    await count(jacobi, tiles, { t: 0, n: 200 }),
  ]).toEqual([250, 4, 0])
  expect(await count(seidel, { times: 8, rows: 32, columns: 64 }, { t: 16, n: 66 })).toBe(2 + 3 + 4 - 2)
})

test('verification reaches tiles that no border touches, in few steps', async () => {
  const p = await readC(jacobi)
  const { plan } = build(analyse(p), [{ steps: 4, share: 0, ty: 8, tx: 32, py: 8, px: 4 }])
  expect(verificationSizes(p, plan).slice(0, 3)).toEqual([
    { t: 13, n: 329 },
    { t: 7, n: 69 },
    { t: 3, n: 328 },
  ])
})

// ── devices ───────────────────────────────────────────────────────────────────────────────────────────────────────

const onDevices: readonly (readonly [string, string, Point, Readonly<Record<string, number>>])[] = [
  ['two dimensions', jacobi, { steps: 2, share: 0, ty: 16, tx: 16, py: 2, px: 4 }, { t: 5, n: 93 }],
  ['four nests', fdtd, { steps: 3, share: 0, ty: 8, tx: 32, py: 4, px: 1 }, { t: 7, n: 61, m: 75 }],
  ['streaming', heat, { steps: 1, share: 0, ty: 8, tx: 32, py: 1, px: 2, planes: 16 }, { t: 3, n: 35 }],
  ['boxes', seidel, { times: 4, rows: 32, columns: 32 }, { t: 6, n: 75 }],
]

test('the plans on WebGPU and through nvcc', async () => {
  const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
  try {
    for (const [name, source, point, sizes] of onDevices) {
      const p = await readC(source),
        values = { sizes, scalars: {} }
      const plan = emitPlan(build(analyse(p), [point]).plan, { targets: ['wgsl', 'cuda'] })
      const arrays = freshArrays(plan.arrays, values, 3, true),
        want = referenceOf(p, values, arrays)
      const results = await webgpu.runPlan(plan, values, arrays)
      for (const a of p.arrays.filter((x) => x.role === 'inout'))
        expect([name, errorOf(results[a.name]!, Array.from(want[a.name] as Float64Array)) < 1e-5]).toEqual([name, true])
      if (nvccAvailable())
        expect(compileCuda(emitCudaLauncher(plan).text).length).toBe(
          plan.variants.reduce((n, v) => n + v.launches.length, 0),
        )
    }
  } finally {
    webgpu.close()
  }
}, 120_000)
