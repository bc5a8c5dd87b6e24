// In: a plan with CUDA, and a compiler from CUDA to PTX. Out: a runner of its emitted kernels for `wrongText`. The one
// idea: NVIDIA's compiler reads the text that is handed over, host function and all, and its PTX is run as any
// stranger's is; a fault of the emitter or of the compiler is seen where KernelIR cannot show it. The host function is
// compiled, not run.
import { emitCudaLauncher, type EmittedLauncher } from '../../emit/index.ts'
import { bindPtx, parsePtx, unbindPtx, writeMemory, type PtxKernel } from '../../frontend/ptx/index.ts'
import type { GpuProfile } from '../../gpus/index.ts'
import {
  boundResources,
  bytesOf,
  planValue,
  sharedPlaces,
  type Kernel,
  type Plan,
  type PlanLaunch,
} from '../../ir/index.ts'
import type { Dim3, PlanValues } from '../../ir/index.ts'
import { compileKernel, type Simulation } from '../../simulate/index.ts'
import type { ArrayData } from '../run-data.ts'
import type { TextRunner } from './translation-validation.ts'

/** Bytes of a pointer to device memory. */
const pointerBytes = 8

/** Compiles CUDA to PTX. */
type Compiler = (cuda: string) => string

/** A runner of the CUDA of a plan, which is compiled once. */
export function ptxRunner(ptxOf: Compiler): (plan: Plan, profile: GpuProfile) => TextRunner {
  return (plan, profile) => textRunner(emitCudaLauncher(plan, { takesFixed: true }), ptxOf, profile)
}

/** A runner of a text that stands already; `entries`: the name of each kernel in it. */
export function textRunner(
  { text, entries }: Pick<EmittedLauncher, 'text' | 'entries'>,
  ptxOf: Compiler,
  profile: GpuProfile,
): TextRunner {
  const known = new Map<Kernel, RunnablePtx>()
  let ptx: string | undefined
  const made = (kernel: PlanLaunch['kernel']): RunnablePtx => {
    ptx ??= ptxOf(text)
    const shared = sharedPlaces(kernel)?.bytes
    const entry = entries.get(kernel)! // every kernel of the plan has one
    const read = parsePtx(ptx, 'the emitted CUDA', {
      entry,
      block: kernel.block,
      ...(shared !== undefined && { shared }),
    })
    return { ptx: read, simulation: compileKernel(read.kernel, profile) }
  }
  return {
    target: 'cuda',
    run: (launch, grid, at, memory) => {
      const found = known.get(launch.kernel) ?? made(launch.kernel)
      known.set(launch.kernel, found)
      runPtx(found, launch, grid, at, memory)
    },
  }
}

/** A kernel of the text, ready to run: hosts launch one again and again. */
interface RunnablePtx {
  readonly ptx: PtxKernel
  readonly simulation: Simulation
}

/** Arguments are the global and constant arrays in declared order, then the parameters (`emitCuda`). */
function runPtx(
  { ptx, simulation }: RunnablePtx,
  launch: PlanLaunch,
  grid: Dim3,
  at: PlanValues,
  memory: ArrayData,
): void {
  const arrays = boundResources(launch.kernel)
  const args = [
    ...arrays.map(() => new ArrayBuffer(pointerBytes)),
    ...launch.kernel.params.map((p) => {
      const type = p.type === 'bool' ? 'u8' : p.type
      const bytes = new ArrayBuffer(bytesOf[type])
      writeMemory(bytes, 0, type, planValue(launch.params[p.name]!, at)) // every parameter has a value
      return bytes
    }),
  ]
  // every array of the kernel has memory
  const given = ptx.pointers.map((p) => memory[launch.arguments[arrays[p.index]!.name]!]!)
  const buffers = given.map((a) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength).slice().buffer)
  const bound = bindPtx(ptx, grid, args, buffers)
  simulation.hazards(bound.launch) // which nothing asks for: it runs all blocks, and counts nothing
  unbindPtx(bound, buffers)
  ptx.pointers.forEach((p, i) => {
    const own = given[i]! // one for each
    if (p.access !== 'read') new Uint8Array(own.buffer, own.byteOffset, own.byteLength).set(new Uint8Array(buffers[i]!))
  })
}
