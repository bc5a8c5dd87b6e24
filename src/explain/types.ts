// What `explain` takes and gives. In: nothing. Out: types only. The one idea: the report is the JSON object
// `tesela.explain/1` of docs/contracts.md itself; keys that are added here are named in its comment.
import type { Span } from '../base/index.ts'
import type { PtxOptions } from '../frontend/ptx/index.ts'
import type { GpuProfile, Occupancy } from '../gpus/index.ts'
import type { ByteRange, Dim3, HazardKind, MemoryType, Pattern, SamplerSpec, Space } from '../ir/index.ts'
import type { Fidelity, Prediction } from '../model/index.ts'
import type { SourceLanguage } from './wording.ts'

/** What a buffer holds at launch. Without `fill`: random floats, zero integers. */
export interface BufferSpec {
  /** Bytes; or `count` elements of `type`. Neither: as many as the kernel's accesses need, found by running it. */
  readonly bytes?: number
  readonly count?: number
  readonly type?: MemoryType
  readonly fill?: 'random' | 'zero' | 'iota' | ArrayBuffer
  /** Of a texture, instead of `bytes` and `count`. */
  readonly texture?: TextureShape
}

/** A texture of the launch. Without a size: one texel per invocation along each axis. */
export interface TextureShape {
  /** A WebGPU format; 8 bits a channel (depth: 32) when absent. */
  readonly format?: string
  /** Texels along x and y, then z or layers (six per cube). */
  readonly size?: Dim3
  readonly levels?: number
  readonly samples?: number
}

/** A file that another includes: the path under which the compiler read it, the name that reports give it, its text. */
export interface IncludedFile {
  readonly path: string
  readonly file: string
  readonly text: string
  /** It is of the toolkit or a library of templates: its lines are shown, names of the program are not sought in it. */
  readonly isForeign?: true
}

/** What is explained. Without `language` it is WGSL. */
export interface ExplainSource {
  /** The text that people read: WGSL, PTX, or CUDA C. */
  readonly text: string
  readonly file: string
  /** `cuda`: `text` is the source that `ptx` was compiled from. */
  readonly language?: 'wgsl' | 'ptx' | 'cuda'
  readonly ptx?: string
  readonly ptxFile?: string
  /** The path under which the compiler read `file`. */
  readonly compiledFrom?: string
  /** Files that `file` includes, for the names of parameters and the text of accesses there. */
  readonly included?: readonly IncludedFile[]
  /**
   * Machine code that the assembler made of `ptx`, by function: instructions and branches then count as it has them.
   */
  readonly machine?: PtxOptions['machine']
  /** Registers per thread by mangled entry, as the assembler says. */
  readonly registers?: Readonly<Record<string, number>>
}

export interface ExplainLaunch {
  /** Workgroups along x, y and z. */
  readonly grid: Dim3
  /** Threads per block along x, y and z. Of WGSL only to be checked: the source fixes it. */
  readonly block?: Dim3
  /** By the variable's name, or its position among the bindings from 0. */
  readonly buffers?: Readonly<Record<string, BufferSpec>>
  /**
   * Scalars in uniform or storage variables: `name`, `name.member`, or a member's own name when only one variable has
   * it.
   */
  readonly args?: Readonly<Record<string, number>>
  readonly overrides?: Readonly<Record<string, number>>
  /** Bytes of shared memory that the launch adds (CUDA). */
  readonly shared?: number
  /** Samplers by name; absent ones filter linearly where the format allows it and clamp to the edge. */
  readonly samplers?: Readonly<Record<string, SamplerSpec>>
}

export interface ExplainOptions {
  readonly gpu: GpuProfile
  readonly entry?: string
  /** Run every block; look for races in up to 64 of them, out-of-bounds accesses in all. */
  readonly exact?: boolean
  /** Statements that warps may execute; 10⁸, exact 1.5 × 10⁹, when absent. */
  readonly maxSteps?: number
  /**
   * Bytes of all buffers together; when absent 1 GiB of those that counts follow from, and 16 GiB with the others,
   * which take no memory.
   */
  readonly maxBytes?: number
  /** Seconds of a processor, about, for looking for hazards in more blocks than the first; 0.04 when absent. */
  readonly budget?: number
  /** Seed of random fills; 1 when absent. */
  readonly seed?: number
  /** Counts and prediction only: no search for hazards, no findings. */
  readonly brief?: boolean
  /** Registers that a compiler may use for a thread; what does not fit spills. WGSL's compilers have no such limit. */
  readonly registerLimit?: number
}

type At = Pick<Span, 'file' | 'line' | 'column'> | null

export interface AccessJson {
  readonly at: At
  /** The access as the source writes it. */
  readonly text: string
  readonly resource: string
  readonly space: Space
  readonly op: 'load' | 'store' | 'atomic'
  readonly bytesPerLane: number
  readonly requests: number
  readonly threads: number
  readonly bytes: number
  readonly usefulBytes: number
  readonly movedBytes: number
  readonly sectors: number
  readonly idealSectors: number
  readonly lines: number
  /** Of shared memory, these three are null when the GPU's banks are not documented. */
  readonly efficiency: number | null
  readonly wavefronts: number | null
  readonly worstConflict: number | null
  readonly idealWavefronts: number
  /** Half widths of 95 % confidence intervals, a request, where blocks were sampled. */
  readonly uncertainty?: { readonly sectors: number; readonly wavefronts: number }
  readonly pattern: Pattern
  readonly stride: number | null
  /** Of a portable report: the GPU that these counts are of. */
  readonly gpu?: string
}

export type SumJson = Pick<
  AccessJson,
  | 'requests'
  | 'threads'
  | 'bytes'
  | 'usefulBytes'
  | 'movedBytes'
  | 'sectors'
  | 'idealSectors'
  | 'lines'
  | 'efficiency'
  | 'wavefronts'
  | 'idealWavefronts'
>

/** What each rule is about, in one sentence. Ids are stable. */
export const ruleTexts = {
  UncoalescedGlobalAccess: 'An access to global memory moves more sectors than its bytes need.',
  UncoalescedSharedAccess: 'An access to memory of the block whose stride is not regular needs several passes.',
  SharedMemoryConflicts:
    'An access to memory of the block needs several passes because threads of a warp use the same bank.',
  MemoryCacheAccessPattern:
    'Threads of a block load the same elements several times, or the threads of a warp read a uniform table at ' +
    'different addresses.',
  AtomicContention: 'Atomics on the same addresses wait for each other.',
  ThreadDivergence: 'Threads of a warp take different sides of branches.',
  WorkloadImbalance: 'Blocks do unequal work, or the last round of blocks leaves multiprocessors idle.',
  Occupancy: 'Few warps are in flight.',
  LaunchConfiguration: 'The block size or the number of blocks leaves hardware idle.',
  HighPipeUtilization: 'A pipe of instructions is busy most of the time.',
  SOLBottleneck: 'What bounds the kernel.',
} as const
export type Rule = keyof typeof ruleTexts

/** What each kind of hazard is, in one sentence. */
export const hazardTexts = {
  race: 'Threads access the same bytes without a barrier between the accesses.',
  'out-of-bounds': 'An access leaves its buffer or array.',
  uninitialized: 'Memory is read before anything has been written to it.',
  'barrier-divergence': 'Not all threads of a block reach a barrier.',
  misaligned: 'An access is not aligned to its size.',
  'division-by-zero': 'An integer is divided by 0.',
  'shift-too-far': 'An integer is shifted by as many bits as it has, or more.',
} as const satisfies Record<HazardKind, string>

/** What is to be done in general about each rule and hazard; a finding's own `fix` says it for its place. */
export const helpTexts = {
  UncoalescedGlobalAccess:
    'Let neighbouring threads access neighbouring elements: exchange x and y, store a structure of arrays in place ' +
    'of an array of structures, or transpose a tile in shared memory.',
  UncoalescedSharedAccess: 'Change the layout of the array, so that the threads of a warp access different banks.',
  SharedMemoryConflicts:
    'Make rows one element longer, or swizzle the column by the row, so that no two threads of a warp use one bank.',
  MemoryCacheAccessPattern:
    'Load a tile into shared memory once, wait at a barrier, and read it from there; let all threads of a warp read ' +
    'the same entry of a small table.',
  AtomicContention: 'Add up within a warp and a block first, and let one thread add the sum.',
  ThreadDivergence: 'Let whole warps take the same side: condition on what is equal for neighbouring threads.',
  WorkloadImbalance: 'Cut the work into smaller, equal pieces, the long ones first.',
  Occupancy: 'Use fewer registers or less shared memory a block, so that more warps hide what they wait for.',
  LaunchConfiguration: 'Use blocks of whole warps, 128 to 256 threads, and enough of them to fill all multiprocessors.',
  HighPipeUtilization: 'Execute fewer instructions a result: unroll, widen accesses, share index arithmetic.',
  SOLBottleneck: 'Lower what this part of the machine has to do; other changes gain little.',
  race: 'Put a barrier between the two accesses, make them atomic, or give each thread an element of its own.',
  'out-of-bounds': 'Guard the access by the length, or bind a larger buffer.',
  uninitialized: 'Write everything that is read, and put a barrier between the write and the read.',
  'barrier-divergence': 'Let all threads of the block reach the barrier: guard the accesses, not the barrier.',
  misaligned: 'Begin the access at a multiple of its size.',
  'division-by-zero': 'Divide only where the divisor is not 0.',
  'shift-too-far': 'Shift only by less bits than the integer has, or choose a wider one.',
} as const satisfies Record<Rule | HazardKind, string>

export type Level = 'error' | 'warning' | 'note'

export interface Finding {
  readonly rule: Rule
  readonly level: Level
  readonly at: At
  /** `global`: the whole kernel; `local`: the site alone, because the kernel would gain nothing. */
  readonly scope: 'local' | 'global'
  /** Time now ÷ time with the cause removed, by the model; 1 or more. */
  readonly speedup: number
  readonly message: string
  readonly fix: string
  /** Of a portable report: the GPUs that have it; message, fix and gain are of the one that gains most. */
  readonly gpus?: readonly string[]
}

/** Numbers that may be missing. */
export type Known<T> = { readonly [K in keyof T]: number | null }

/**
 * `tesela.explain/1`. Added to docs/contracts.md: `text`, `usefulBytes` and `movedBytes` of accesses, `other`, `fix`
 * `count`, `level`, `resource`, `bytes` and `within` of hazards, `unreached`, `occupancy.blockSizes`, `buffers`,
 * `notes`, `calibrated`.
 */
export interface ExplainReport {
  readonly schema: 'tesela.explain/1'
  readonly kernel: { readonly name: string; readonly language: SourceLanguage; readonly file: string }
  readonly gpu: string
  readonly launch: { readonly grid: Dim3; readonly block: Dim3 }
  readonly coverage: { readonly blocks: number; readonly simulated: number; readonly exact: boolean }
  readonly instructions: {
    readonly warp: number
    readonly thread: number
    readonly byClass: Readonly<Record<string, number>>
    /** Floating-point operations of threads: a fused multiplication and addition is two. */
    readonly operations: number
  }
  readonly warpEfficiency: number
  readonly branchEfficiency: number
  readonly accesses: readonly AccessJson[]
  readonly totals: Readonly<
    Record<
      'global' | 'shared' | 'texture',
      { readonly load: SumJson; readonly store: SumJson; readonly atomic: SumJson }
    >
  > & { readonly constant: SumJson; readonly local: SumJson }
  readonly branches: readonly { readonly at: At; readonly executed: number; readonly divergent: number }[]
  /** Null: not documented for this GPU. */
  readonly occupancy: Known<Pick<Occupancy, 'activeBlocks' | 'activeWarps' | 'maxWarps' | 'occupancy'>> &
    Pick<Occupancy, 'limitedBy'> & {
      readonly limits: Known<Occupancy['limits']>
      readonly registers: { readonly perThread: number; readonly source: 'estimated' | 'ptxas' }
      /** Every size that a block may have, with the same registers a thread and shared memory a block. */
      readonly blockSizes: readonly (Known<Pick<Occupancy, 'activeBlocks' | 'activeWarps' | 'occupancy'>> &
        Pick<Occupancy, 'limitedBy'> & { readonly threads: number })[]
    }
  readonly hazards: readonly {
    readonly kind: HazardKind
    /** `note`: every order leaves the same values. */
    readonly level: 'error' | 'note'
    readonly at: At
    readonly other: At
    readonly message: string
    readonly fix: string
    readonly example: string
    /** What the example touches; null where it is about no memory, and bytes of textures. */
    readonly resource: string | null
    readonly bytes: ByteRange | null
    /** Of a race: the smallest group that both threads of the example are of. */
    readonly within: 'warp' | 'block' | 'grid' | null
    readonly count: number
  }[]
  /** Accesses that no thread executed, by what kept them from it; those that most were kept by first. */
  readonly unreached: readonly {
    readonly accesses: number
    readonly message: string
    /** The condition that decided, where one is known, and its text. */
    readonly at: At
    readonly condition: string | null
    /** Variables whose contents nobody gave that it follows from. */
    readonly follows: readonly string[]
  }[]
  /** `terms` lack what `unknown` names: parts of the GPU that are documented nowhere. */
  readonly prediction: Pick<Prediction, 'ns'> & {
    /** The largest term; `launch` where the launch itself takes longer than the work. */
    readonly boundBy: Prediction['boundBy'] | 'launch'
    readonly terms: Readonly<Partial<Prediction['terms']>>
    readonly unknown: readonly string[]
    readonly error: Fidelity | null
    readonly calibrated: boolean
  }
  readonly findings: readonly Finding[]
  readonly buffers: readonly {
    readonly name: string
    readonly type: string
    readonly bytes: number
    readonly sized: 'given' | 'by its type' | 'by running' | 'by the grid'
  }[]
  /** Of a portable report: what each GPU says. */
  readonly portable?: readonly {
    readonly gpu: string
    readonly ns: number
    readonly boundBy: string
    readonly occupancy: number | null
    readonly unknown: readonly string[]
  }[]
  readonly notes: readonly string[]
}
