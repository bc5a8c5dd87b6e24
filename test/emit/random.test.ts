// Emitted WGSL against the reference interpreter, on random kernels, to the bit. A failure prints its seed and the
// text.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { emitPlan } from '../../src/emit/index.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { reference } from '../../src/simulate/reference.ts'
import { seedsOf } from '../support/long.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { planOf, randomKernel32, slots, threads } from './random.ts'

let webgpu: WebGpu
beforeAll(async () => {
  webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
})
afterAll(() => webgpu.close())

const r = random(77)
const source = Int32Array.from({ length: 64 }, () => r.bits() | 0)

/** What the reference interpreter leaves in `out`. */
function expected(kernel: ReturnType<typeof randomKernel32>): Int32Array {
  const out = new Int32Array(threads * slots)
  reference(kernel, {
    grid: [1, 1, 1],
    params: { p: -7, q: 9 },
    buffers: { source: source.slice().buffer, out: out.buffer },
  })
  return out
}

test('random kernels', async () => {
  for (let seed = 1; seed <= seedsOf(200); seed++) {
    const kernel = randomKernel32(seed)
    const plan = emitPlan(planOf(kernel), { targets: ['wgsl'] })
    const text = plan.variants[0]!.launches[0]!.emitted!.wgsl!.text // just emitted
    const { out } = await webgpu
      .runPlan(plan, { sizes: {}, scalars: {} }, { source, out: new Int32Array(threads * slots) })
      .catch((error: Error) => {
        throw new Error(`seed ${seed}: ${error.message}\n${text}`)
      })
    expect(Array.from(out as Int32Array), `seed ${seed}\n${text}`).toEqual(Array.from(expected(kernel)))
  }
})
