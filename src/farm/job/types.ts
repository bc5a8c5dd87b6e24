// The words of jobs (`tesela.job/1`). In: nothing. Out: types. The one idea: a job holds all that its result depends
// on, texts and not paths, so that it means the same on every machine.
import type { Point } from '../../schedule/index.ts'

/** A function in C with everything it includes. */
export interface JobProgram {
  /** What messages call the file. */
  readonly name: string
  readonly text: string
  /** Included files by the paths that the source names them by. */
  readonly includes?: Readonly<Record<string, string>>
  readonly function?: string
  readonly defines?: Readonly<Record<string, string>>
  /** Compute doubles as floats. */
  readonly precision?: 'f32'
}

export type JobTarget = 'wgsl' | 'cuda'

/** What jobs on a C program share. */
export interface OnProgram {
  readonly program: JobProgram
  readonly gpu: string
  readonly targets: readonly JobTarget[]
  /** Of the search and of all data. */
  readonly seed: number
}

/** One point of a study on one GPU. */
export interface SimulateJob {
  readonly kind: 'simulate'
  readonly study: string
  readonly gpu: string
  readonly series: number
  readonly point: number
}

/** The search for the best plan, and its proof. */
export interface OptimizeJob extends OnProgram {
  readonly kind: 'optimize'
  readonly budget: number
}

/** Predicts points of one part of a program. */
export interface SearchJob extends OnProgram {
  readonly kind: 'search'
  readonly part: number
  /** Every `of`-th point of the space from `index` on, or these. */
  readonly points: { readonly index: number; readonly of: number } | readonly Point[]
  /** Steps of the simulator for each point; as many as a search of 24 takes when absent. */
  readonly steps?: number
  /** The first point is counted at sizes smaller by this factor. */
  readonly shrink: number
}

/** Proves the plan of one point for each part. */
export interface ProveJob extends OnProgram {
  readonly kind: 'prove'
  readonly points: readonly Point[]
}

/** Measures candidates, each a point for each part, on the device of a machine, or in browsers. */
export type MeasureJob = OnProgram & {
  readonly kind: 'measure'
  readonly candidates: readonly (readonly Point[])[]
} & (
    | { readonly on: 'webgpu' | 'cuda' }
    | {
        readonly on: 'browser'
        /** Words that the browser's adapter says of itself, as in `nvidia ampere`: the kind that links are made for. */
        readonly device: string
      }
  )

/** Candidates as texts and launches, with elements of the results: what browsers need to measure them. */
export interface EmitJob extends OnProgram {
  readonly kind: 'emit'
  readonly candidates: MeasureJob['candidates']
}

/** Proves a random candidate on random data for each seed. */
export interface FuzzJob extends Omit<OnProgram, 'seed'> {
  readonly kind: 'fuzz'
  readonly seeds: { readonly from: number; readonly count: number }
}

export type Job = SimulateJob | OptimizeJob | SearchJob | ProveJob | MeasureJob | EmitJob | FuzzJob
export const jobKinds = [
  'simulate',
  'optimize',
  'search',
  'prove',
  'measure',
  'emit',
  'fuzz',
] as const satisfies readonly Job['kind'][]

/** What became of a job (`tesela.result/1`). */
export interface JobResult {
  readonly schema: 'tesela.result/1'
  /** Of the job and of the compiler that did it. */
  readonly key: string
  readonly compiler: string
  readonly job: Job
  /** By kind; see `docs/farm.md`. */
  readonly result: unknown
}
