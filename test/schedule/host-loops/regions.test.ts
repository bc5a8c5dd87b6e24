// Loops on the host: what is taken apart how, as a line per program; the same plans through Dawn on SwiftShader and
// through nvcc. Every program is also run in the simulator against its source in float64.
import { describe, expect, test } from 'vitest'
import { emitCudaLauncher, emitPlan, emitTypeScript } from '../../../src/emit/index.ts'
import { chooseVariant, executions, printExpr, type PlanStep } from '../../../src/ir/index.ts'
import { analyse, build, onlyPart, type Analysed } from '../../../src/pipeline.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import { freshArrays, referenceOf } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { errorOf } from '../../emit/plans.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { verified } from '../support.ts'

/** `t = 0 .. n { stencil stencil }`. */
function outline(a: Analysed, steps: readonly PlanStep[] = a.order): string {
  return steps
    .map((s) =>
      typeof s === 'number'
        ? a.parts[s]!.sketch.name
        : `${s.variable} = ${printExpr(s.lower)} .. ${printExpr(s.upper)} { ${outline(a, s.body)} }`,
    )
    .join(' ') // positions in parts
}

const jacobi =
  'void f(int t, int n, float A[n][n], float B[n][n]) { for (int s = 0; s < t; s++) { for (int i = 1; i < n - ' +
  '1; i++) for (int j = 1; j < n - 1; j++) B[i][j] = 0.2f * (A[i][j] + A[i][j-1] + A[i][j+1] + A[i+1][j] + ' +
  'A[i-1][j]); for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[i][j] = 0.2f * (B[i][j] + ' +
  'B[i][j-1] + B[i][j+1] + B[i+1][j] + B[i-1][j]); } }'
const lu =
  'void f(int n, float A[n][n]) { for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) { for (int k = 0; ' +
  'k < j; k++) A[i][j] -= A[i][k] * A[k][j]; A[i][j] /= A[j][j]; } for (int j = i; j < n; j++) for (int k = ' +
  '0; k < i; k++) A[i][j] -= A[i][k] * A[k][j]; } }'

describe('what goes to the host', () => {
  test.each([
    ['time steps in tiles', jacobi, 'time-tiles'],
    [
      'time steps whose border comes from the other side',
      jacobi.replace(
        'for (int s = 0; s < t; s++) {',
        'for (int s = 0; s < t; s++) { for (int j = 0; j < n; j++) A[0][j] = A[n - 2][j];',
      ),
      's_now = 0 .. t { elementwise stencil stencil }',
    ],
    [
      'LU, right-looking, in blocks',
      lu,
      'step_now_block = 0 .. n - 1 { one-block per-iteration per-iteration contraction contraction }',
    ],
    [
      'LU with an accumulator of its own',
      lu.replace(
        /for \(int k = 0; k < (\w); k\+\+\) A\[i\]\[j\] -= A\[i\]\[k\] \* A\[k\]\[j\];/g,
        '{ float w = A[i][j]; for (int k = 0; k < $1; k++) w -= A[i][k] * A[k][j]; A[i][j] = w; }',
      ),
      'step_now_block = 0 .. n - 1 { one-block per-iteration per-iteration contraction contraction }',
    ],
    [
      'Gauss-Seidel in waves',
      'void f(int n, float A[n][n]) { for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) A[i][j] = 0.5f ' +
        '* (A[i-1][j] + A[i][j-1]); }',
      'wave-tiles',
    ],
    [
      'a triangular solve',
      'void f(int n, float L[n][n], float x[n]) { for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) ' +
        'x[i] -= L[i][j] * x[j]; x[i] /= L[i][i]; } }',
      'step_now_block = 0 .. n { one-block stencil }',
    ],
    [
      'a local that is used for two things',
      'void f(int n, float x[n][n], float y[n][n]) { float t; for (int i = 0; i < n; i++) { t = 0; for (int j ' +
        '= 0; j < n; j++) { y[i][j] = t; t = x[i][j] - 0.5f * t; } } for (int i = 0; i < n; i++) { t = 0; for ' +
        '(int j = 0; j < n; j++) { x[i][j] = t; t = y[i][j] + 0.5f * t; } } }',
      'recurrence recurrence',
    ],
    [
      'times around elements that keep to themselves go inside',
      'void f(int t, int n, float a[n], float x[t][n]) { for (int s = 0; s < t; s++) for (int i = 0; i < n; ' +
        'i++) a[i] = 0.9f * a[i] + x[s][i] * x[s][n - 1 - i]; }',
      'per-iteration',
    ],
    [
      'of two loops in it, the one whose elements keep to themselves goes outside',
      'void f(int t, int n, float A[n][n], float x[t][n]) { for (int s = 0; s < t; s++) for (int i = 1; i < ' +
        'n; i++) for (int j = 0; j < n; j++) A[i][j] = 0.5f * A[i - 1][j] * A[n - 1][j] + x[s][j] * A[i][j]; }',
      'per-iteration',
    ],
    [
      'times that say where their loops begin stay outside',
      'void f(int t, int n, float a[n], float x[t][n]) { for (int s = 0; s < t; s++) for (int i = s; i < n; ' +
        'i++) a[i] = 0.9f * a[i] * a[i] + x[s][i]; }',
      'one-block',
    ],
    [
      'work for one thread is left to it',
      'void f(float x[40]) { for (int i = 1; i < 40; i++) x[i] = x[i] - x[i - 1] * x[i - 1]; }',
      'sequential',
    ],
  ])('%s', async (_, source, want) => {
    const p = await readC(source)
    const a = analyse(p)
    expect(outline(a)).toBe(want)
    const sizes = [Object.fromEntries(p.sizes.map((s, i) => [s.name, [5, 23][i + 2 - p.sizes.length]!]))]
    const v = verified(
      a,
      a.parts.map((x) => x.sketch.ladder[0]!.point),
      sizes,
    )
    expect([v.ok, v.why]).toEqual([true, undefined])
  })
})

test('the plan of LU runs on WebGPU, and its launcher and module have the loop', async () => {
  const p = await readC(lu)
  const a = analyse(p)
  const plan = emitPlan(
    build(
      a,
      a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(2, ladder.length - 1)]!.point),
    ).plan,
    { targets: ['wgsl', 'cuda'] },
  ) // ladders are not empty
  const values = { sizes: { n: 45 }, scalars: {} }
  expect([...executions(chooseVariant(plan, values), values)].length).toBe(5 * 2)
  const arrays = freshArrays(plan.arrays, values, 3, true)
  const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
  try {
    const results = await webgpu.runPlan(plan, values, arrays)
    expect(errorOf(results['A']!, Array.from(referenceOf(p, values, arrays)['A'] as Float64Array))).toBeLessThan(1e-5)
  } finally {
    webgpu.close()
  }
  expect(emitTypeScript(plan).text).toContain(
    'for (let step_now_block = 0; step_now_block < given.n - 1; step_now_block += 32) {',
  )
  const launcher = emitCudaLauncher(plan).text
  expect(launcher).toContain(
    'for (long long step_now_block = 0; error == cudaSuccess && step_now_block < n - 1; step_now_block += 32) {',
  )
  if (nvccAvailable())
    expect(compileCuda(launcher).length).toBe(plan.variants.reduce((n, v) => n + v.launches.length, 0))
})

// Temporaries of a part inside of a host loop were in the plans of parts outside of it, with extents over the loop's
// variable.
test('the plan of one part has extents over sizes alone', async () => {
  const p = await readC(
    'void f(int n, int m, float o[n][m], float a[n][n], const float v[n][m]) { for (int t = 0; t < n; t++) { ' +
      'float big = -10; for (int u = 0; u < t; u++) { float s = 0; for (int i = 0; i < m; i++) ' +
      's += o[u][i] * v[t][i]; a[t][u] = s; if (s > big) big = s; } for (int u = 0; u <= t; u++) ' +
      'a[t][u] -= big; for (int u = 0; u < ' +
      'n; u++) if (u > t) a[t][u] = 0; for (int i = 0; i < m; i++) o[t][i] = 0; for (int u = 0; u <= t; u++) ' +
      'for (int i = 0; i < m; i++) o[t][i] += a[t][u] * v[u][i]; } }',
  )
  const analysed = analyse(p)
  expect(analysed.hosted.length).toBeGreaterThan(0)
  for (const [i, part] of analysed.parts.entries()) {
    const { plan } = build(onlyPart(analysed, i), [part.sketch.ladder[0]!.point]) // ladders have rungs
    expect(JSON.stringify(plan.arrays.map((a) => a.shape))).not.toContain('"var"')
  }
})

// A branch that the host chooses was taken for a whole program, so that a local of the function became one of its loop.
test('what a branch of the host leaves in a local is read after it', async () => {
  const p = await readC(
    'void f(int off, int flag, float *y, int n) { int at = -1; for (int i = 0; i < n; i++) { if (off % 3 == 0) { ' +
      'at = i; break; } } for (int i = 0; i < n; ++i) y[off + i] = fminf(3, y[i + off] + y[off + (i > 0 ? i - 1 : ' +
      '0)] * 2); if (flag) { for (int i = 1; i < n; i++) { if (!(at >= 1)) { y[off] = i; break; } } } }',
  )
  const analysed = analyse(p)
  const points = analysed.parts.map(({ sketch: { ladder } }) => ladder[0]!.point) // ladders have rungs
  const sizes = [3, 4].map((off) => ({ off, n: 19 }))
  expect(verified(analysed, points, sizes)).toMatchObject({ ok: true })
})
