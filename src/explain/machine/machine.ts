// The machine at work on a launch. In: what findings are made from, and the steps of one warp. Out: `MachineView`: how
// the grid's blocks are dealt to multiprocessors, how the warps that one scheduler holds take turns, the memories that
// they reach, DRAM behind them, and the host beside it all. Plain data; times are the model's.
import { bytesOf, type Trace } from '../../ir/index.ts'
import type { ExplainReport } from '../types.ts'
import type { Setting } from '../what-if.ts'
import { dealBlocks, type Dealing } from './dealing.ts'
import { dramOf, type DramView } from './dram.ts'
import { hostOf, type HostView } from './host.ts'
import { windowOf, type StepView } from './interleaving.ts'
import { memoriesOf, type MachineMemory } from './memories.ts'

export interface MachineView {
  readonly dealing: Dealing
  readonly scheduler: {
    /** Steps of one warp until its loops repeat; how warps take turns is worked out from them (`interleave`). */
    readonly steps: readonly StepView[]
    /** Whether the warp ends with them. */
    readonly whole: boolean
    /** Warps that the scheduler holds when the multiprocessor is full. */
    readonly warps: number
    /** Warps of a block that it holds. */
    readonly group: number
    /** Schedulers of a multiprocessor. */
    readonly schedulers: number
    /** Clocks that the scheduler takes for an instruction of a warp. */
    readonly perInstruction: number
  }
  readonly memories: readonly MachineMemory[]
  /** Null where the GPU's memory chips are not documented, or nothing is asked of them. */
  readonly dram: DramView | null
  /** Null where no host is typical of the GPU. */
  readonly host: HostView | null
}

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0)

/** Steps of a warp that are drawn. */
const mostSteps = 120

/** `together`: what blocks that run side by side ask of memory. */
export function machineOf(s: Setting, steps: readonly StepView[], report: ExplainReport, together: Trace): MachineView {
  const { counters, profile, registers, shared, buffers, kernel } = s.input
  const threads = counters.block[0] * counters.block[1] * counters.block[2],
    blocks = counters.grid[0] * counters.grid[1] * counters.grid[2]
  const resident = Math.max(
    1,
    Math.min(report.occupancy.activeBlocks || 1, Math.ceil(blocks / profile.multiprocessors)),
  )
  const clocks = Math.max(1, (s.now - profile.launchNs.value) * 1e-9 * profile.clockHz.value)
  const schedulers = Math.max(1, Math.floor(profile.schedulersPerSm)),
    warpsOfBlock = Math.ceil(threads / profile.warpSize),
    group = Math.max(1, Math.ceil(warpsOfBlock / schedulers))
  const window = windowOf(steps)
  const bytesIn = (space: string): number =>
    sum(kernel.resources.filter((r) => r.space === space).map((r) => buffers[r.name] ?? 0))
  return {
    dealing: dealBlocks(s.work, blocks, profile.multiprocessors, resident, clocks),
    scheduler: {
      steps: window.slice(0, mostSteps),
      whole: window.length === steps.length && window.length <= mostSteps,
      warps: group * resident,
      group,
      schedulers,
      perInstruction: 1 / Math.min(1, profile.schedulersPerSm),
    },
    memories: memoriesOf(
      s.gpu,
      {
        registers,
        threads,
        shared,
        resident,
        buffers: bytesIn('global'),
        readOnly: bytesIn('constant') + bytesIn('texture'),
        local: sum(kernel.resources.filter((r) => r.space === 'local').map((r) => (r.count ?? 0) * bytesOf[r.type])),
      },
      s.words,
    ),
    dram: dramOf(s.gpu, together),
    host: hostOf(s.gpu, {
      operations: report.instructions.operations,
      ...transferred(report),
      ns: report.prediction.ns,
    }),
  }
}

/** Bytes that a host gives and fetches: of buffers that are read, and of those that are written. */
function transferred({ accesses, buffers }: ExplainReport): { readonly bytesIn: number; readonly bytesOut: number } {
  const of = (isOne: (op: string) => boolean): number => {
    const names = new Set(accesses.filter((a) => a.space !== 'shared' && isOne(a.op)).map((a) => a.resource))
    return buffers.filter((b) => names.has(b.name)).reduce((n, b) => n + b.bytes, 0)
  }
  return { bytesIn: of((op) => op !== 'store'), bytesOut: of((op) => op !== 'load') }
}
