// The table of bench/data/h200-samples.json: what is compared on launches of programs that are not ours, how the
// hardware calls it, and the bars. Shared by the replay that makes the table, the section of the documents, and the
// tests.
import { functionName } from '../../src/frontend/ptx/index.ts'
import type { Dim3 } from '../../src/ir/index.ts'
import type { Lines } from './lines.ts'

export const columns = [
  'loadRequests',
  'loadSectors',
  'storeRequests',
  'storeSectors',
  'atomicRequests',
  'sharedWavefronts',
  'sharedIdeal',
  'warpEfficiency',
  'branchEfficiency',
  'instructions',
] as const
export type Column = (typeof columns)[number]

/** Nsight Compute's metrics, which are added up, and what they are multiplied by. */
export const hardwareColumns: Readonly<Record<Column, readonly [readonly string[], number]>> = {
  loadRequests: [['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'], 1],
  loadSectors: [['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'], 1],
  storeRequests: [['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'], 1],
  storeSectors: [['l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum'], 1],
  atomicRequests: [
    ['l1tex__t_requests_pipe_lsu_mem_global_op_red.sum', 'l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum'],
    1,
  ],
  sharedWavefronts: [['memory_l1_wavefronts_shared'], 1],
  sharedIdeal: [['memory_l1_wavefronts_shared_ideal'], 1],
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
  /** Loads and stores of shared memory that warps execute: in PTX, and in machine code. */
  readonly sharedAccesses: readonly [number, number] | null
  /** Blocks per multiprocessor: by the formula, and by the driver. */
  readonly activeBlocks: readonly [number, number]
  readonly simulated: readonly number[] | null
  /** The same by the rules for PTX alone, without the assembler's machine code. */
  readonly fromPtx: readonly number[] | null
  /** By line of the source, where the hardware was read by machine instruction. */
  readonly lines: Lines | null
  readonly hardware: readonly number[] | null
  readonly notes: readonly string[]
}

/** How far a count is off: relative for what is counted, in points (hundredths) for efficiencies; 0 when equal. */
export function differencesOf(row: SampleRow, column: Column): number {
  const i = columns.indexOf(column)
  const [simulated, hardware] = [row.simulated![i]!, row.hardware![i]!] // asked of rows that have both
  if (column === 'warpEfficiency' || column === 'branchEfficiency') return 100 * Math.abs(simulated - hardware)
  return simulated === hardware ? 0 : Math.abs(simulated - hardware) / Math.max(1, hardware)
}

const bars: Readonly<Record<Column, number>> = {
  loadRequests: 0,
  loadSectors: 0,
  storeRequests: 0,
  storeSectors: 0,
  atomicRequests: 0,
  sharedWavefronts: 0.01,
  sharedIdeal: 0.01,
  warpEfficiency: 1,
  branchEfficiency: 1,
  instructions: 0.1,
}

/**
 * Whether the count meets its bar: requests and sectors equal, wavefronts within 1 %, efficiencies within 1 point,
 * instructions within 10 %.
 */
export const withinBar = (row: SampleRow, column: Column): boolean => differencesOf(row, column) <= bars[column]

const typeNames: Readonly<Record<string, string>> = {
  f: 'float',
  d: 'double',
  i: 'int',
  j: 'unsigned',
  h: 'unsigned char',
  t: 'unsigned short',
  l: 'long',
  m: 'unsigned long',
  b: 'bool',
}

/** Template arguments that are numbers or plain types, as the source writes them; others are left out. */
function templateOf(symbol: string): string {
  const list = /I((?:L[a-z]n?\d+E|[fdijhtlmb])+)/.exec(symbol.replace(/^_ZN?\d+\w*?(?=I)/, ''))?.[1]
  if (!list) return ''
  const args = [...list.matchAll(/L([a-z])n?(\d+)E|([a-z])/g)].map(([, kind, digits, type]) => {
    if (type !== undefined) return typeNames[type] ?? type
    return kind === 'b' ? digits === '1' : digits
  })
  return `<${args.join(', ')}>`
}

/** The sample and the kernel as its source calls it. */
export const sampleName = (row: Pick<SampleRow, 'command' | 'kernel'>): string =>
  `${row.command.split(' ')[0]} ${functionName(row.kernel)}${templateOf(row.kernel)}`

interface Cause {
  readonly kernels: RegExp
  readonly columns: readonly Column[]
  readonly why: string
}

const globals: readonly Column[] = ['loadRequests', 'loadSectors', 'storeRequests', 'storeSectors', 'atomicRequests']

/** What was looked into: kernels by their names, counts, and the cause. Other differences are told as not explained. */
const causes: readonly Cause[] = [
  {
    kernels: /^(filter_arr|mapToBuckets|calculateMaxInEachBuckets)$/,
    columns: ['storeSectors'],
    why: "places come from atomics, whose order is the hardware's",
  },
  { kernels: /^cgkernel$/, columns, why: 'nearly all of it is printf, which does nothing here' },
  {
    kernels: /^gpuConjugateGradient$/,
    columns,
    why: 'blocks wait for one another; here they run in turn, and the rounds end early',
  },
  {
    kernels: /Onesweep/,
    columns: [...globals, 'sharedWavefronts', 'sharedIdeal', 'branchEfficiency', 'warpEfficiency', 'instructions'],
    why: 'a block reads what earlier blocks have published until it is there: timing; shared atomics of bins',
  },
  {
    kernels: /^MatrixMulAsyncCopy/,
    columns: ['sharedWavefronts', 'sharedIdeal'],
    why:
      'each LDGSTS takes one pass of shared memory more than the store that it is counted as (past L1 also ' +
      'ideally), even with no lane left',
  },
  {
    kernels: /^(CUDAkernelQuantizationFloat|d_recursiveGaussian_rgba)$/,
    columns: ['warpEfficiency', 'branchEfficiency', 'instructions'],
    why:
      'a dividend of 0 takes the slow path of a division (FCHK), which is not followed: in the first launch of ' +
      'CUDAkernelQuantizationFloat 34488 dividends are 0 and 34488 lanes go there',
  },
  {
    kernels: /^JacobiMethod$/,
    columns: ['sharedWavefronts', 'sharedIdeal', 'warpEfficiency', 'branchEfficiency', 'instructions'],
    why:
      'a sum of doubles in shared memory is a loop of ATOMS.CAS, whose rounds are timing: two equal launches ' +
      'read 30976 and 36361 passes',
  },
  {
    kernels: /^mergeElementaryIntervalsKernel$/,
    columns: ['sharedWavefronts', 'sharedIdeal'],
    why:
      'the assembler makes one LDS.64 or STS.128 of neighbouring variables; only accesses of one variable are ' +
      'joined here',
  },
  {
    kernels: /^compress$/,
    columns: ['sharedWavefronts', 'sharedIdeal'],
    why: 'the assembler keeps a word that it has just read in a register on some ways and not on others',
  },
  {
    kernels: /^calculateMaxInEachBuckets$/,
    columns: ['warpEfficiency'],
    why:
      'open: three instructions a warp more than are counted, where groups of lanes that WARPSYNC.EXCLUSIVE ' +
      'parted meet again',
  },
  {
    kernels: /^MatrixMulAsyncCopyMultiStageLargeChunk$/,
    columns: ['loadSectors'],
    why: 'open: asynchronous 16-byte copies past L1; the reading is no multiple of what the kernel asks for',
  },
]

/** Why a count differs, if that is known; `open: …` where it was looked into and is not. */
export function explained(row: SampleRow, column: Column): string | null {
  const name = functionName(row.kernel)
  const known = causes.find((c) => c.kernels.test(name) && c.columns.includes(column))
  if (known) return known.why
  const [simulated, hardware] = row.sharedAccesses ?? [0, 0]
  if (column.startsWith('shared') && hardware < simulated)
    return `the assembler joins neighbouring accesses: ${simulated} become ${hardware}`
  return null
}
