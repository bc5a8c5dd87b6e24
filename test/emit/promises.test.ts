// The table of promises (src/ir/promises) against a device: every operation on floats, as the emitter spells it, on
// edge arguments on SwiftShader, within what the table says. Also that C's functions come out as gcc has them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emitPlan } from '../../src/emit/index.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { argumentPairs, floatOps, judgeAll, operationsPlan, type Judgement } from '../../bench/promises/operations.ts'
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
