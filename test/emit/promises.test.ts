// The table of promises (src/ir/promises) against a device: every operation on floats, as the emitter spells it, on
// edge arguments on SwiftShader, within what the table says. Also that C's functions come out as gcc has them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import koffi from 'koffi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emitPlan } from '../../src/emit/index.ts'
import { unitAt } from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { argumentPairs, floatOps, judgeAll, operationsPlan, type Judgement } from '../../bench/promises/operations.ts'
import { readC } from '../c/read.ts'
import { swiftShaderGpu } from '../support/dawn.ts'

let webgpu: WebGpu
beforeAll(async () => {
  webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
})
afterAll(() => webgpu.close())

async function answers(rounding: boolean): Promise<readonly Judgement[]> {
  const { x, y } = argumentPairs()
  const plan = emitPlan(operationsPlan(rounding), { targets: ['wgsl'] })
  const o = new Float32Array(x.length * floatOps.length).fill(NaN)
  const { o: got } = await webgpu.runPlan(plan, { sizes: { n: x.length }, scalars: {} }, { x, y, o })
  return judgeAll('wgsl', rounding, x, y, got!) // an output of the plan
}

describe('every operation keeps its promise on SwiftShader', () => {
  test.each([false, true])('an answer hangs on quotients and roots: %s', async (rounding) => {
    const all = await answers(rounding)
    expect(all.flatMap((j) => j.broken.slice(0, 3))).toEqual([])
    for (const j of all) expect([j.op, j.judged > 50]).toEqual([j.op, true])
  })
})

const fitsInt = (x: number): boolean => Math.abs(x) < 2 ** 31
const isNumber = Number.isFinite
const all = (): boolean => true
/** Of 1 + x, sums of squares and the like: a few roundings and a function of a few units each. */
const few = 16

/** A C expression of x[i] and y[i]; units that it may be off, and an absolute error; where C defines it. */
const functions: readonly (readonly [
  text: string,
  units: number,
  absolute?: number,
  where?: (x: number, y: number) => boolean,
])[] = [
  ['powf(x[i], 2)', 1],
  ['powf(x[i], 3)', 2],
  ['powf(x[i], 5.0f)', 4],
  ['powf(x[i], -1.0f)', 4],
  ['powf(x[i], -2)', 8, 2 ** -126],
  ['powf(x[i], 0)', 0],
  ['powf(x[i], 0.5f)', 5, 0, (x) => x >= 0],
  ['powf(x[i], 1.5f)', 6, 0, (x) => x >= 0 && isNumber(x)],
  ['powf(x[i], 2.2f)', 400, 0, isNumber],
  ['powf(x[i], y[i])', 400, 0, (x, y) => isNumber(x) && Math.abs(y) < 40 && Math.abs(y) > 1e-30],
  ['powf(10.0f, (float)(i % 8))', 0],
  ['(float)(int)powf(3.0f, (float)(i % 12))', 0],
  ['fabsf(x[i])', 0],
  ['(float)abs(x[i])', 0, 0, fitsInt],
  ['(float)abs((int)x[i])', 0, 0, fitsInt],
  ['(float)labs((int)x[i])', 0, 0, (x) => Math.abs(x) < 2 ** 31 - 1],
  ['fminf(x[i], y[i])', 0],
  ['fmaxf(x[i], y[i])', 0],
  ['fmodf(x[i], y[i])', 0],
  ['roundf(x[i])', 0],
  ['rintf(x[i])', 0],
  ['nearbyintf(x[i])', 0],
  ['truncf(x[i])', 0],
  ['floorf(x[i])', 0],
  ['ceilf(x[i])', 0],
  ['(float)lroundf(x[i])', 0, 0, fitsInt],
  ['(float)lrintf(x[i])', 0, 0, fitsInt],
  ['(float)(int)x[i]', 0, 0, fitsInt],
  ['(float)(unsigned)fabsf(x[i])', 0, 0, (x) => Math.abs(x) < 2 ** 32],
  ['(float)((fabsf(x[i]) < 1e9f ? (int)x[i] : 7) / ((int)y[i] | 1))', 0, 0, (x, y) => fitsInt(x) && fitsInt(y)],
  ['(float)((fabsf(x[i]) < 1e9f ? (int)x[i] : 7) % ((int)y[i] | 1))', 0, 0, (x, y) => fitsInt(x) && fitsInt(y)],
  ['(float)(((int)x[i] & 255) >> ((int)y[i] & 7))', 0, 0, (x, y) => fitsInt(x) && fitsInt(y)],
  ['(float)((int)x[i] >> ((int)y[i] & 7))', 0, 0, (x, y) => fitsInt(x) && fitsInt(y)],
  ['(float)((unsigned)(int)x[i] * 2654435761u >> 8)', 0, 0, fitsInt],
  ['(float)(signed char)(int)x[i]', 0, 0, fitsInt],
  ['(float)(unsigned char)(int)x[i]', 0, 0, fitsInt],
  ['(float)isnan(x[i])', 0],
  ['(float)(isinf(x[i]) != 0)', 0],
  ['(float)(isfinite(x[i]) != 0)', 0],
  ['x[i] != x[i] ? 1.0f : 0.0f', 0],
  ['x[i] == x[i] ? 1.0f : 0.0f', 0],
  ['x[i] != y[i] ? 1.0f : 0.0f', 0],
  ['!(x[i] < y[i]) ? 1.0f : 0.0f', 0],
  ['x[i] >= y[i] ? 1.0f : 0.0f', 0],
  ['copysignf(x[i], y[i])', 0],
  ['ldexpf(x[i], (int)y[i])', 0, 2 ** -126, (_, y) => fitsInt(y)],
  ['scalbnf(x[i], 3)', 0, 2 ** -126],
  ['hypotf(x[i], y[i])', 6, 2 ** -126, (x, y) => isNumber(x) && isNumber(y)],
  ['atan2f(x[i], y[i])', 4096, 2 ** -126, (x, y) => isNumber(x) && isNumber(y) && Math.abs(y) < 2 ** 126],
  ['logf(x[i])', 3, 2 ** -21, (x) => Math.abs(x) >= 2 ** -126 || x === 0],
  ['log10f(x[i])', 6, 2 ** -20, (x) => Math.abs(x) >= 2 ** -126],
  ['asinhf(x[i])', few, 2 ** -20, isNumber],
  ['acoshf(x[i])', few, 2 ** -20, (x) => x >= 1 && isNumber(x)],
  ['tanhf(x[i])', 4, 1e-5],
  ['sinf(x[i])', 4, 2 ** -11 + 2 ** -16, (x) => Math.abs(x) < 2 ** 18],
  ['cosf(x[i])', 4, 2 ** -11 + 2 ** -16, (x) => Math.abs(x) < 2 ** 18],
  ['floorf(x[i] / y[i])', 0, 0, (x, y) => normal(x) && normal(y) && normal(x / y)],
  ['floorf(sqrtf(x[i]))', 0, 0, (x) => x >= 2 ** -126],
]

const normal = (x: number): boolean => Math.abs(x) >= 2 ** -125 && Math.abs(x) < 2 ** 126
const isFlushed = (x: number): boolean => x !== 0 && Math.abs(x) < 2 ** -126

/** o[i][k] = the k-th function. */
const source = `#include <math.h>
#include <stdlib.h>
void f(int n, const float *x, const float *y, float o[n][${functions.length}]) {
  for (int i = 0; i < n; i++) {
${functions.map(([text], k) => `    o[i][${k}] = ${text};`).join('\n')}
  }
}
`

function byGcc(x: Float32Array<ArrayBuffer>, y: Float32Array<ArrayBuffer>): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-c-'))
  try {
    writeFileSync(join(folder, 'f.c'), source)
    const built = spawnSync(
      'gcc',
      ['-std=gnu11', '-O1', '-ffp-contract=off', '-w', '-shared', '-fPIC', '-o', 'f.so', 'f.c', '-lm'],
      { cwd: folder, encoding: 'utf8' },
    )
    expect(built.stderr).toBe('')
    const run = koffi.load(join(folder, 'f.so')).func('void f(int n, const float* x, const float* y, _Out_ float* o)')
    const o = new Float32Array(x.length * functions.length)
    run(x.length, x, y, o)
    return o
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const available = spawnSync('gcc', ['--version']).status === 0
if (!available) console.warn('NOT CHECKED: gcc is not on this machine, so functions of C are not compared with it')

test.skipIf(!available)(`${functions.length} functions of C come out of WGSL as gcc has them`, async () => {
  const { x, y } = argumentPairs(2),
    want = byGcc(x, y)
  const analysed = analyse(await readC(source))
  const { plan } = build(
    analysed,
    analysed.parts.map((p) => p.sketch.ladder[0]!.point), // ladders are not empty
  )
  const o = new Float32Array(want.length).fill(NaN)
  const { o: got } = await webgpu.runPlan(
    emitPlan(plan, { targets: ['wgsl'] }),
    { sizes: { n: x.length }, scalars: {} },
    { x, y, o },
  )
  const wrong = functions.flatMap(([text, units, absolute = 0, where = all], k) => {
    let judged = 0
    for (let i = 0; i < x.length; i++) {
      const [a, b] = [x[i]!, y[i]!] // as long
      if (!where(a, b) || isFlushed(a) || isFlushed(b)) continue
      judged++
      const at = i * functions.length + k,
        w = want[at]!,
        g = Number(got![at]) // an output of the plan
      if (Object.is(g, w) || g === w || (isFlushed(w) && g === 0)) continue
      if (Math.abs(g - w) <= absolute + (units + 0.5) * unitAt('f32', w)) continue
      return [`${text} of ${a}, ${b}: ${g}, gcc has ${w}`]
    }
    return judged > 50 ? [] : [`${text} was not asked`]
  })
  expect(wrong).toEqual([])
})
