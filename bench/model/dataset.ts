// In: the points and what was measured of them. Out: for each, everything that the model takes, and the measured time.
import { estimateRegisters, type PredictInput } from '../../src/model/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { random } from '../../src/base/index.ts'
import { hostArray, sharedBytesOf, type Launch } from '../../src/ir/index.ts'
import { neighbours, simulate, tracer } from '../../src/simulate/index.ts'
import { caseOf, nameOf, type Case } from './kernel.ts'
import type { Point } from './points.ts'

export interface Measured {
  readonly point: Point
  readonly on: 'webgpu' | 'webgpu-robust' | 'cuda'
  readonly ns: number
  readonly registers?: number
}

const profile = gpu('h200')

function launchOf({ point, wgsl, bytes }: Case): Launch {
  const stream = random(5)
  const buffers = Object.fromEntries(
    wgsl.kernel.resources
      .filter((r) => bytes[r.name] !== undefined)
      .map((r) => {
        const buffer = new ArrayBuffer(Math.ceil(bytes[r.name]! / 16) * 16)
        const wanted = point.buffers?.[r.name]?.fill ?? 'zero'
        if (wanted === 'random' && buffer.byteLength <= 2 ** 27 && r.type !== 'f32') {
          const array = hostArray(r.type, buffer)
          for (let i = 0; i < array.length; i++) array[i] = stream.bits()
        }
        return [r.name, buffer]
      }),
  )
  return { grid: point.grid, params: Object.fromEntries(wgsl.sizes.map((s) => [s.param, bytes[s.resource]!])), buffers }
}

/** What the model takes for a point. */
export function inputOf(point: Point): PredictInput {
  const c = caseOf(point)
  const launch = launchOf(c)
  const { counters } = simulate(c.wgsl.kernel, launch, profile, point.kernel === 'mandelbrot' ? { exact: true } : {})
  const input = {
    counters,
    kernel: c.wgsl.kernel,
    profile,
    registers: estimateRegisters(c.wgsl.kernel),
    shared: sharedBytesOf(c.wgsl.kernel),
    buffers: c.bytes,
  }
  return { ...input, trace: tracer(c.wgsl.kernel, profile)(launch, neighbours(point.grid, profile), 2e5) }
}

export { nameOf }
