// CUDA C to PTX for tests, and PTX run on the simulator. In: CUDA text. Out: PTX, or what a kernel leaves in its
// buffers.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bindPtx, parsePtx, unbindPtx, type PtxImage, type PtxKernel } from '../../src/frontend/ptx/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { Counters, Dim3, SamplerSpec } from '../../src/ir/index.ts'
import { compileKernel, type SimulationOptions } from '../../src/simulate/index.ts'

/** PTX of one translation unit. Throws nvcc's messages. */
export function ptxOf(text: string, options: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-ptx-'))
  try {
    writeFileSync(join(folder, 'k.cu'), text)
    const run = spawnSync(
      'nvcc',
      [
        '-ptx',
        '-lineinfo',
        '-arch=sm_90',
        '-std=c++17',
        '-w',
        ...options,
        '-o',
        join(folder, 'k.ptx'),
        join(folder, 'k.cu'),
      ],
      { encoding: 'utf8' },
    )
    if (run.status !== 0) throw new Error(`${run.stdout}${run.stderr}`)
    return readFileSync(join(folder, 'k.ptx'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface Run {
  readonly grid?: Dim3
  readonly block?: Dim3
  readonly shared?: number
  readonly entry?: string
  /** By position: a typed array for a pointer, a number for a scalar. */
  readonly args: readonly (ArrayBufferView | number)[]
  /** Of the first texture. */
  readonly image?: PtxImage & { readonly format?: string; readonly sampler?: SamplerSpec }
  readonly check?: SimulationOptions['check']
}

/** Runs a kernel with these arguments; arrays are written in place. */
export function runPtx(text: string, run: Run): { readonly ptx: PtxKernel; readonly counters: Counters } {
  const options = {
    block: run.block ?? ([1, 1, 1] as const),
    ...(run.shared !== undefined && { shared: run.shared }),
    ...(run.entry !== undefined && { entry: run.entry }),
  }
  const [first] = run.image ? parsePtx(text, 'k.ptx', options).textures : []
  const named = <T>(x: T | undefined): Readonly<Record<string, T>> =>
    first && x !== undefined ? { [first.resource]: x } : {}
  const ptx = parsePtx(text, 'k.ptx', {
    ...options,
    textures: named(run.image?.format === undefined ? undefined : { format: run.image.format }),
    samplers: named(run.image?.sampler),
  })
  const args = ptx.params.map((p, i) => packed(p.type, p.bytes, run.args[i]!))
  const buffers = ptx.pointers.map((p) => bytesOfView(run.args[p.index]!))
  const bound = bindPtx(ptx, run.grid ?? [1, 1, 1], args, buffers, run.image ? [run.image] : [])
  const { counters } = compileKernel(ptx.kernel, gpu('h200'), run.check ? { check: run.check } : {}).run(bound.launch, {
    exact: true,
    maxSteps: 1e7,
  })
  unbindPtx(bound, buffers)
  ptx.pointers.forEach((p, i) => {
    const a = run.args[p.index] as ArrayBufferView
    new Uint8Array(a.buffer, a.byteOffset, a.byteLength).set(new Uint8Array(buffers[i]!))
  }) // pointers are arrays
  return { ptx, counters }
}

const bytesOfView = (a: ArrayBufferView | number): ArrayBuffer =>
  typeof a === 'number' ? new ArrayBuffer(8) : new Uint8Array(a.buffer, a.byteOffset, a.byteLength).slice().buffer

function packed(type: string | null, bytes: number, value: ArrayBufferView | number): ArrayBuffer {
  const buffer = new ArrayBuffer(Math.max(8, bytes))
  if (typeof value !== 'number') {
    if (type === null) new Uint8Array(buffer).set(new Uint8Array(bytesOfView(value)))
    return buffer
  }
  const view = new DataView(buffer)
  if (type === 'f32') view.setFloat32(0, value, true)
  else if (type === 'f64') view.setFloat64(0, value, true)
  else view.setBigInt64(0, BigInt(value), true)
  return buffer
}
