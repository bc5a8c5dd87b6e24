// The table of bench/data/h200-samples.json: what is compared on launches of programs that are not ours, how the hardware
// calls it, and the bars. Shared by the replay that makes the table, the section of the documents, and the tests.
import type { Dim3 } from '../../src/ir/index.ts'

export const columns = ['loadRequests', 'loadSectors', 'storeRequests', 'storeSectors', 'atomicRequests', 'sharedWavefronts', 'sharedIdeal', 'warpEfficiency', 'branchEfficiency', 'instructions'] as const
export type Column = (typeof columns)[number]

/** Nsight Compute's metrics, which are added up, and what they are multiplied by. */
export const hardwareColumns: Readonly<Record<Column, readonly [readonly string[], number]>> = {
  loadRequests: [['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'], 1], loadSectors: [['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'], 1],
  storeRequests: [['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'], 1], storeSectors: [['l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum'], 1],
  atomicRequests: [['l1tex__t_requests_pipe_lsu_mem_global_op_red.sum', 'l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum'], 1],
  sharedWavefronts: [['memory_l1_wavefronts_shared'], 1], sharedIdeal: [['memory_l1_wavefronts_shared_ideal'], 1],
  warpEfficiency: [['smsp__thread_inst_executed_per_inst_executed.ratio'], 1 / 32],
  branchEfficiency: [['smsp__sass_average_branch_targets_threads_uniform.pct'], 1 / 100],
  instructions: [['smsp__inst_executed.sum'], 1],
}

export interface SampleRow {
  readonly run: string
  readonly command: string
  readonly kernel: string
  readonly grid: Dim3
  readonly block: Dim3
  /** Dynamic shared memory in bytes. */
  readonly shared: number
  /** Registers per thread: as ptxas says for the PTX, and as the driver says. */
  readonly registers: readonly [number | null, number]
  /** Blocks per multiprocessor: by the formula, and by the driver. */
  readonly activeBlocks: readonly [number, number]
  readonly simulated: readonly number[] | null
  readonly hardware: readonly number[] | null
  readonly notes: readonly string[]
}
