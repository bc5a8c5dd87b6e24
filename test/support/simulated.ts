// A device for tests of what no device here can run: Dawn's null backend checks every text and every call, and the
// simulator runs every launch, in host memory. For the library: `open` on it, and read results with `contents`.
import { bufferOf } from '../../src/kernels/device/memory.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu as profile } from '../../src/gpus/index.ts'
import type { LaunchStep } from '../../src/kernels/device/core.ts'
import { open, type CoreOptions, type Gpu, type Tensor } from '../../src/kernels/index.ts'
import { compileKernel, type Simulation } from '../../src/simulate/index.ts'
import { nullDevice } from './dawn.ts'

export interface Simulated {
  readonly gpu: Gpu
  /** The bytes of a tensor, when everything recorded is run. */
  contents(t: Tensor): ArrayBuffer
  /** Hazards that were seen, each a sentence. */
  readonly hazards: string[]
}

export async function openSimulated(options: CoreOptions = {}): Promise<Simulated> {
  const device = await nullDevice(),
    memory = new Map<GPUBuffer, ArrayBuffer>(),
    hazards: string[] = []
  const of = (b: GPUBuffer): ArrayBuffer => {
    const bytes = memory.get(b) ?? new ArrayBuffer(b.size)
    memory.set(b, bytes)
    return bytes
  }
  const real = device.queue.writeBuffer.bind(device.queue)
  device.queue.writeBuffer = (buffer, offset, data, from = 0, size) => {
    real(buffer, offset, data, from, size)
    const [base, start, length] = ArrayBuffer.isView(data)
      ? [data.buffer, data.byteOffset, data.byteLength]
      : [data, 0, data.byteLength]
    new Uint8Array(of(buffer), offset).set(new Uint8Array(base, start + from, size ?? length - from))
  }
  const gpu = await open({ device, store: null, ...options }),
    kernels = new Map<string, { readonly parsed: ReturnType<typeof parseWgsl>; readonly simulation: Simulation }>()
  const run = (step: LaunchStep): void => {
    const { key, name, kinds, grid, text } = step.launch
    const known =
      kernels.get(key) ??
      (() => {
        const parsed = parseWgsl(text(step.hooks), name)
        return { parsed, simulation: compileKernel(parsed.kernel, profile('h200')) }
      })()
    kernels.set(key, known)
    const { parsed, simulation } = known,
      storage = kinds.flatMap((kind, i) => (kind === 'uniform' ? [] : [i]))
    const buffers = Object.fromEntries(
      parsed.bindings.map((b) => [
        b.resource,
        b.name === 'params' ? parameters(step, b.minBytes) : of(bufferOf(step.buffers[storage.indexOf(b.binding)]!)),
      ]),
    ) // a buffer for each
    const { counters } = simulation.run(
      {
        grid,
        params: Object.fromEntries(parsed.sizes.map((s) => [s.param, buffers[s.resource]!.byteLength])),
        buffers: { ...buffers, ...Object.fromEntries(parsed.tables.map((t) => [t.resource, t.bytes])) },
      },
      { exact: true },
    )
    hazards.push(...counters.hazards.map((h) => `${name}: ${h.message}`))
  }
  gpu.core.clock = {
    each: false,
    start: (_, steps) => {
      steps.forEach(run)
      return null
    },
  }
  return {
    gpu,
    contents: (t) => {
      gpu.flush()
      return of(t.buffer).slice(0, t.bytes)
    },
    hazards,
  }
}

function parameters({ launch, hooks }: LaunchStep, bytes: number): ArrayBuffer {
  const ints = (values: readonly number[]): readonly { readonly type: string; readonly value: number }[] =>
    values.map((value) => ({ type: 'i32', value }))
  const all = [...ints(launch.sizes), ...hooks.flatMap((h) => h.fields), ...ints(launch.wanted)],
    view = new DataView(new ArrayBuffer(Math.max(bytes, 4 * all.length)))
  all.forEach(({ type, value }, i) =>
    type === 'f32' ? view.setFloat32(4 * i, value, true) : view.setInt32(4 * i, value, true),
  )
  return view.buffer
}
