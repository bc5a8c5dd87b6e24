// The result of a study as data (`tesela.study/1`): `study` produces it, reports print and draw it.
import type { Dim3 } from './launch.ts'

/** What can be plotted, with its unit and one sentence. `ns` is shown as µs or ms. */
export const quantities = {
  time: { label: 'time', unit: 'ns', means: 'of one execution, launches included' },
  bandwidth: { label: 'bandwidth', unit: 'GB/s', means: 'bytes that threads asked of global memory and used, ÷ time' },
  rate: {
    label: 'arithmetic',
    unit: 'Gop/s',
    means: 'floating-point operations of threads ÷ time; a multiplication and an addition count as two',
  },
  intensity: {
    label: 'intensity',
    unit: 'op/byte',
    means:
      'floating-point operations of threads ÷ bytes that their requests move; a multiplication and an addition ' +
      'count as two',
  },
  transactions: {
    label: 'transactions a request',
    unit: '',
    means: 'of global memory: sectors of 32 bytes, or segments on GPUs that have those',
  },
  efficiency: {
    label: 'bytes used',
    unit: '%',
    means: 'bytes that threads asked of global memory ÷ bytes that were moved for them',
  },
  moved: { label: 'bytes moved', unit: 'MB', means: 'by requests to global memory, in whole transactions' },
  conflicts: {
    label: 'bank conflicts',
    unit: '×',
    means: 'passes ÷ ideal of the access to shared memory that has most; 1 is free of conflicts',
  },
  constants: {
    label: 'passes a constant read',
    unit: '',
    means: 'distinct addresses, one after the other; of each half-warp on cc 1.x',
  },
  instructions: {
    label: 'instructions',
    unit: '',
    means: 'executed by warps, as the source says, before any compiler improves it',
  },
  operations: { label: 'additions an element', unit: '', means: 'floating-point operations of threads ÷ elements' },
  lanes: { label: 'active lanes', unit: '%', means: 'of all lanes of the instructions that warps execute' },
  divergent: { label: 'divergent branches', unit: '%', means: 'branches at which the lanes of a warp disagree' },
  occupancy: { label: 'occupancy', unit: '%', means: 'warps in flight ÷ the most that a multiprocessor holds' },
  blocks: { label: 'active blocks', unit: '', means: 'in flight on each multiprocessor' },
  grid: { label: 'blocks of the grid', unit: '', means: 'of all launches together: what there is to deal out' },
  registers: { label: 'registers', unit: '', means: 'of a thread, estimated from live ranges' },
  spilled: { label: 'spilled registers', unit: '', means: 'of a thread, by the same estimate' },
  channels: {
    label: 'channels in use',
    unit: '',
    means: 'distinct DRAM channels that warps running side by side address with the same request',
  },
  bits: { label: 'bits kept', unit: '', means: 'significant binary digits of a number as it is stored' },
  races: {
    label: 'races',
    unit: '',
    means: 'pairs of accesses to the same bytes with no barrier between, in the blocks that were checked',
  },
} as const satisfies Record<string, { readonly label: string; readonly unit: string; readonly means: string }>
export type Quantity = keyof typeof quantities

/** A time measured on a device. */
export interface StudyTiming {
  /** Median, nanoseconds. */
  readonly ns: number
  readonly min: number
  /** Half the distance between the first and third quartile ÷ the median. */
  readonly spread: number
  readonly timer: string
  readonly samples: number
}

export interface StudyPoint {
  /** Where it stands on the x axis; the position from 0 when the axis has names. Null: the GPU does not have it. */
  readonly x: number | null
  readonly label: string
  /** Kernels launched one after the other. */
  readonly kernels: readonly { readonly name: string; readonly grid: Dim3; readonly block: Dim3 }[]
  /** Null: it does not run on this GPU, and `why` says so; or the quantity is not known of it. */
  readonly values: Readonly<Partial<Record<Quantity, number | null>>>
  /** Of a measured series: how the time was taken. */
  readonly measured: StudyTiming | null
  readonly why: string | null
}

export interface StudySeries {
  readonly name: string
  /** The profile, or the device as it names itself. */
  readonly gpu: string
  readonly kind: 'predicted' | 'measured'
  readonly points: readonly StudyPoint[]
}

/** `tesela.study/1` */
export interface StudyReport {
  readonly schema: 'tesela.study/1'
  readonly name: string
  readonly title: string
  /** What the experiment shows, in a few sentences. */
  readonly idea: string
  readonly sources: readonly { readonly document: string; readonly place: string }[]
  /** `names`: points have labels and no numbers. */
  readonly x: { readonly label: string; readonly scale: 'linear' | 'log2' | 'names' }
  /** What is plotted, the first on top; `unit` of a quantity is in `quantities`. */
  readonly plots: readonly Quantity[]
  readonly series: readonly StudySeries[]
  /** How far to trust predicted times: the published error, or null where the model is not calibrated. */
  readonly error: Readonly<Record<string, { readonly mape: number; readonly kernels: number } | null>>
  readonly measuredOn: string | null
  readonly notes: readonly string[]
}
