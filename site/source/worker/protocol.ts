// What the page asks of the compiler, and what it hears. Everything crosses between threads as plain data.
import type { ExplainPage, LineView, OptimizePage, Rung } from 'tesela/html'
import type { TuneReport } from 'tesela/kernels'
import type { StudyPoint } from 'tesela/study'

export type Language = 'c' | 'wgsl' | 'ptx'

/** A text with what to do with it. */
export interface Program {
  readonly language: Language
  readonly text: string
  /** Flags, as the command line takes them: of a launch, or of C. */
  readonly options: string
}

/** What is wrong with a program, for the reader. */
export interface Problem {
  readonly message: string
  readonly hint: string | null
  readonly line: number | null
  readonly column: number | null
  /** Flags that mend it when they are added; null where none do. */
  readonly flags: string | null
}

/** Which kernel of C: a rung of its ladder from 0, and a kernel of that, null for the one that takes longest. */
export interface Part {
  readonly rung: number
  readonly kernel: number | null
}
/** The plain kernel that C is at first. */
export const plainPart: Part = { rung: 0, kernel: null }

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** A kernel, explained. */
export interface Explained {
  readonly page: ExplainPage
  /** Of C: the rung that it belongs to. */
  readonly rung: ExplainedRung | null
}

/** A rung as it was found. */
export interface HeardRung {
  readonly position: number
  /** Rungs of the ladder. */
  readonly count: number
  readonly rung: Rung
  /** What each line of the C costs, over all its kernels. */
  readonly lines: readonly LineView[]
}

/** What each line costs, before findings are judged; of C with the rung that it is of. */
export interface Heard {
  readonly lines: readonly LineView[]
  readonly rung: HeardRung | null
}

export interface ExplainedRung extends HeardRung {
  /** Names of the kernels that it launches, and which of them is explained, with its text. */
  readonly kernels: readonly string[]
  readonly kernel: number
  readonly wgsl: string
}

export interface Progress {
  readonly stage: string
  readonly done: number
  readonly total: number
}

export interface Reading {
  readonly device: string
  readonly ns: number
  readonly minNs: number
  readonly spread: number
  readonly samples: number
  /** What took the time. */
  readonly timer: string
  /** Smallest difference that the timer shows; 0 when unknown. */
  readonly quantumNs: number
  readonly predictedNs: number
}

/** A change of a kernel that was made and run. */
export interface Change {
  /** The rule or hazard that it mends, and at which line. */
  readonly mends: string
  readonly line: number | null
  /** What was done, in the imperative. */
  readonly does: string
  /** Predicted nanoseconds. */
  readonly before: number
  readonly after: number
  /** Hazards that are gone. */
  readonly gone: number
  /** Values that are written the same and otherwise; null where nothing was compared. */
  readonly same: number | null
  readonly different: number | null
}

/** A kernel with all changes that hold, in their order. */
export interface Mended {
  readonly changes: readonly Change[]
  readonly text: string
  readonly options: string
}

/** A point of an experiment. */
export interface LivePoint {
  readonly point: StudyPoint
  /** The first kernel that it launches; null where the GPU does not run it. */
  readonly kernel: {
    readonly page: ExplainPage
    /** WGSL. */
    readonly text: string
    /** As the studio takes them; null where flags cannot say the launch. */
    readonly flags: string | null
  } | null
}

export interface Compiler {
  /** Explains a kernel, of C the one that is asked for; tells what its lines cost before the rest is known. */
  explain(program: Program, gpu: string, of: Part, heard: (h: Heard) => void): Promise<Answer<Explained>>
  /** The answer that is being worked on is not wanted any more: it ends at its next step. */
  overtake(): void
  /** Finds the ladder of C and the fastest kernel that can be proved. `device`: also measures on WebGPU. */
  optimize(
    program: Program,
    gpu: string,
    device: boolean,
    rung: (r: HeardRung) => void,
    progress: (p: Progress) => void,
  ): Promise<Answer<OptimizePage>>
  /** The report of a kernel as a file. */
  explainFile(program: Program, gpu: string, of: Part): Promise<Answer<string>>
  /** The report of the last `optimize` as a file. */
  optimizeFile(): Promise<Answer<string>>
  /** Finds changes that mend a kernel of WGSL, and makes them. */
  mend(program: Program, gpu: string): Promise<Answer<Mended>>
  /** Simulates one point of an experiment of the guide. */
  experiment(name: string, gpu: string, series: number, point: number): Promise<Answer<LivePoint>>
  /** Tunes operations of the library on this device's GPU, by the beginnings of their names. */
  tune(only: readonly string[], seconds: number, progress: (p: Progress) => void): Promise<Answer<TuneReport>>
  /** Times a kernel on this device's GPU. */
  measure(program: Program, gpu: string): Promise<Answer<Reading>>
}
