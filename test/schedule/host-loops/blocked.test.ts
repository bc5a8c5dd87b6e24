// Loops that must run in order, in blocks of their iterations or by one block of threads. Random programs: the rewrite
// against the source, then whole plans, simulated with hazards watched, at sizes around a block. Factorisations and
// solves as people write them: what they become, the same on SwiftShader and through nvcc.
import { describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import { loop as loopOf, loopVar, printProgram, type Loop, type Program } from '../../../src/ir/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { runsWhere, sourceFacts } from '../../../src/report/source.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import { inBlocks } from '../../../src/transform/reorder/strip-mining.ts'
import { rewriteExpr, mapStmtExprs } from '../../../src/ir/loop/loop-tree.ts'
import { wavesOf } from '../../../src/transform/reorder/wavefront.ts'
import { freshArrays, referenceOf } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { errorOf } from '../../emit/plans.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { eliminatingProgram } from '../generators/factorizations.ts'
import { results, verified } from '../support.ts'
import { isLong, seedsOf } from '../../support/long.ts'

/** The body with a size as a variable. */
const asVariable = (p: Program, name: string): Program['body'] =>
  p.body.map((s) =>
    mapStmtExprs(s, (e) => rewriteExpr(e, (x) => (x.kind === 'size' && x.name === name ? loopVar(name) : undefined))),
  )

/** Loops in order that compute what `p` does: its own and those of its waves. */
function ordered(p: Program): readonly Program[] {
  const waves = wavesOf(p, 'now', 2).map(
    (w): Program => ({
      ...p,
      body: [loopOf('now', w.upper, asVariable({ ...p, body: w.body }, 'now'), { lower: w.lower })],
    }),
  )
  return [p, ...waves]
}

/** `p`, one loop, in blocks of `size`, as a plain program again. */
function blockedAgain(p: Program, size: number): Program | undefined {
  const l = p.body[0] as Loop // one loop
  const b = inBlocks(p, l, size)
  return (
    b && {
      ...p,
      body: [
        loopOf(b.variable, l.upper, asVariable({ ...p, body: b.body }, b.variable), { lower: l.lower, step: size }),
      ],
    }
  )
}

test('random eliminations in blocks compute what the source does', () => {
  let made = 0
  for (let seed = 1; seed <= seedsOf(45); seed++) {
    const p = eliminatingProgram(seed)
    for (const q of ordered(p)) {
      const again = blockedAgain(q, 3)
      if (!again) continue
      made++
      for (const n of [1, 2, 3, 4, 8])
        expect({ seed, n, program: printProgram(again), got: results(again, ['A', 'B', 'x'], { n }, seed) }).toEqual({
          seed,
          n,
          program: printProgram(again),
          got: results(p, ['A', 'B', 'x'], { n }, seed),
        })
    }
  }
  expect(made).toBeGreaterThan(seedsOf(30) + (isLong ? 0 : 4))
})

test('random eliminations: reference = simulated', () => {
  const seen = new Set<string>()
  for (let seed = 101; seed <= 100 + seedsOf(8); seed++) {
    const p = eliminatingProgram(seed),
      a = analyse(p),
      r = random(seed)
    const points = a.parts.map(({ sketch }) => {
      const all = [...sketch.ladder.map((x) => x.point), ...sketch.space]
      return all[r.int(0, all.length - 1)]!
    })
    const sizes = [{ n: [5, 31, 33, 67][seed % 4]! }]
    const v = verified(a, points, sizes, seed % 2 === 0 ? { warp: 32 } : {}, seed)
    expect({ seed, ok: v.ok, why: v.why, points, program: v.ok ? '' : printProgram(p) }).toEqual({
      seed,
      ok: true,
      why: undefined,
      points,
      program: '',
    })
    a.parts.forEach((x) => seen.add(x.sketch.name))
    if (a.order.some((s) => typeof s !== 'number' && s.step > 1)) seen.add('blocks')
  }
  expect([...seen].sort()).toEqual(
    expect.arrayContaining(isLong ? ['blocks', 'one-block', 'per-iteration'] : ['blocks']),
  )
})

// ── programs ──────────────────────────────────────────────────────────────────────────────────────────────────────

const dominant = (text: string): string => text.replaceAll('PIVOT', '(9.0f + ') // what divides is far from 0
const solve = dominant(
  'void f(int n, float L[n][n], float x[n]) { for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) x[i] ' +
    '-= 0.1f * L[i][j] * x[j]; x[i] = x[i] / PIVOTL[i][i]); } }',
)
const backward = dominant(
  'void f(int n, float L[n][n], float x[n]) { for (int i = n - 1; i >= 0; i--) { for (int j = i + 1; j < n; ' +
    'j++) x[i] -= 0.1f * L[i][j] * x[j]; x[i] = x[i] / PIVOTL[i][i]); } }',
)
const sides = dominant(
  'void f(int n, int m, float L[n][n], float B[n][m]) { for (int i = 0; i < n; i++) for (int r = 0; r < m; ' +
    'r++) { for (int j = 0; j < i; j++) B[i][r] -= 0.1f * L[i][j] * B[j][r]; B[i][r] = B[i][r] / PIVOTL[i][i]); } }',
)
const lu = dominant(
  'void f(int n, float A[n][n]) { for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) { for (int k = 0; ' +
    'k < j; k++) A[i][j] -= 0.1f * A[i][k] * A[k][j]; A[i][j] /= PIVOTA[j][j]); } for (int j = i; j < n; j++) ' +
    'for (int k = 0; k < i; k++) A[i][j] -= 0.1f * A[i][k] * A[k][j]; } }',
)
const cholesky = dominant(
  '#include <math.h>\nvoid f(int n, float A[n][n]) { for (int i = 0; i < n; i++) { for (int j = 0; j < i; ' +
    'j++) { for (int k = 0; k < j; k++) A[i][j] -= 0.1f * A[i][k] * A[j][k]; A[i][j] /= PIVOTA[j][j]); } for ' +
    '(int k = 0; k < i; k++) A[i][i] -= 0.1f * A[i][k] * A[i][k]; A[i][i] = sqrtf(9.0f + fabsf(A[i][i])); } }',
)
const levinson =
  'void f(int n, float r[n], float y[n]) { float z[n]; float a = -r[0], b = 1.0f, s; y[0] = -r[0]; for (int k ' +
  '= 1; k < n; k++) { b = 4.0f + 0.1f * a * b; s = 0.0f; for (int i = 0; i < k; i++) s += r[k-i-1] * y[i]; a ' +
  '= -(r[k] + 0.1f * s) / b; for (int i = 0; i < k; i++) z[i] = y[i] + 0.1f * a * y[k-i-1]; for (int i = 0; i ' +
  '< k; i++) y[i] = z[i]; y[k] = a; } }'
const paths =
  'void f(int n, int p[n][n]) { for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < ' +
  'n; j++) p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j]; }'
const closure =
  'void f(int n, unsigned int r[n][n]) { for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = ' +
  '0; j < n; j++) r[i][j] |= r[i][k] & r[k][j]; }'

/** Name, source, the sketches of its parts, whether blocks of iterations are a loop of the host, sizes. */
const programs: readonly (readonly [string, string, readonly string[], boolean, readonly number[]])[] = [
  ['a triangular solve', solve, ['one-block', 'stencil'], true, [1, 31, 32, 33, 70]],
  ['a solve backwards', backward, ['reduction', 'one-block'], true, [1, 33, 67]],
  ['many right-hand sides', sides, ['per-iteration', 'contraction'], true, [33, 67]],
  ['LU', lu, ['one-block', 'per-iteration', 'per-iteration', 'contraction', 'contraction'], true, [1, 31, 33, 67]],
  ['Cholesky', cholesky, ['one-block', 'per-iteration', 'contraction', 'stencil'], true, [31, 67]],
  ['Levinson and Durbin', levinson, ['one-block'], false, [2, 33, 300]],
  [
    'shortest paths',
    paths,
    ['one-block', 'per-iteration', 'one-block', 'per-iteration', 'one-block'],
    true,
    [5, 33, 67],
  ],
  ['transitive closure', closure, ['one-block', 'per-iteration'], true, [33]],
]

describe('programs', () => {
  test.each(programs)('%s', async (_, source, sketches, blocks, ns) => {
    const p = await planned(source),
      a = analyse(p)
    expect(a.parts.map((x) => x.sketch.name)).toEqual(expect.arrayContaining([...sketches]))
    expect(a.order.some((s) => typeof s !== 'number' && s.step === 32)).toBe(blocks)
    for (const [n, size] of ns.entries()) {
      const v = verified(
        a,
        a.parts.map(({ sketch: { ladder } }) => ladder[Math.max(0, ladder.length - 1 - (n % 3))]!.point),
        [{ n: size, m: 9 }],
        n % 2 === 0 ? { warp: 32 } : {},
        n + 1,
      ) // ladders are not empty
      expect([size, v.ok, v.why]).toEqual([size, true, undefined])
    }
  })

  test.each([
    ['Levinson and Durbin', levinson, 'y'],
    ['shortest paths', paths, 'p'],
    ['a solve backwards', backward, 'x'],
  ] as const)('%s on WebGPU and through nvcc', async (_, source, result) => {
    const p = await planned(source),
      a = analyse(p)
    // Iterations written out with all that they keep take SwiftShader half a minute: the plan of LU in regions.test.ts
    // has them.
    const built = build(
      a,
      a.parts.map(
        ({ sketch: { name, ladder } }) => ladder[Math.min(name === 'per-iteration' ? 1 : 2, ladder.length - 1)]!.point,
      ),
    ) // ladders are not empty
    const plan = emitPlan(built.plan, { targets: ['wgsl', 'cuda'] })
    const values = { sizes: { n: 70 }, scalars: {} },
      arrays = freshArrays(plan.arrays, values, 3, true)
    const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
    try {
      const got = await webgpu.runPlan(plan, values, arrays)
      expect(errorOf(got[result]!, Array.from(referenceOf(p, values, arrays)[result] as Float64Array))).toBeLessThan(
        1e-5,
      )
    } finally {
      webgpu.close()
    }
    if (nvccAvailable()) expect(compileCuda(emitCudaLauncher(plan).text).length).toBeGreaterThan(0)
  })
})

/** Planned for sizes at which loops that must run in order leave one thread. */
async function planned(source: string): Promise<Program> {
  const p = await readC(source)
  return { ...p, sizes: p.sizes.map((s) => ({ ...s, planned: 4000 })) }
}

test('the report says which block or which host runs a loop', async () => {
  const words = async (source: string): Promise<readonly (string | undefined)[]> => {
    const p = await planned(source),
      a = analyse(p)
    const facts = sourceFacts(p)
    return typeof facts === 'string' ? [facts] : facts.loops.map((l) => runsWhere(l, { hosted: a.hosted, parts: [] }))
  }
  expect(await words(levinson)).toContain('one block runs it, its threads share each iteration')
  expect((await words(solve)).some((w) => w?.startsWith('the host runs it in blocks of 32'))).toBe(true)
})
