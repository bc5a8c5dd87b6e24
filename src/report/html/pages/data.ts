// What each page carries, as `htmlPage` writes it and the page reads it. Only types.
import type { ExplainReport, ExplainView } from '../../../explain/index.ts'
import type { BlockUse, GpuProfile } from '../../../gpus/index.ts'
import type { StudyReport } from '../../../ir/index.ts'

export interface ExplainPage {
  readonly report: ExplainReport
  readonly view: ExplainView
  readonly profile: GpuProfile
  readonly use: BlockUse
}
export interface StudyPage {
  readonly report: StudyReport
}

/** What a pass changed in the program, by positions in `texts` of the page. */
export interface PassStep {
  readonly name: string
  /** What the pass does, as a sentence. */
  readonly summary: string
  /** What a script did, step by step; else empty. */
  readonly steps: readonly string[]
  /** What kind of text it is: C, LoopIR, or from what to what. */
  readonly of: string
  readonly within: string
  readonly before: number
  readonly after: number
}

/** A step of the ladder, or the kernel that was chosen. */
export interface Rung {
  readonly step: string
  /** Null where the GPU refuses the launch, and `refused` says why. */
  readonly ns: number | null
  readonly refused: string | null
  readonly measuredNs: number | null
  readonly boundBy: string
  readonly sectorsPerRequest: number
  readonly conflicts: number
  readonly occupancy: number
  readonly registers: number
  readonly instructions: number
}
export interface OptimizePage {
  readonly name: string
  readonly gpu: string
  readonly sizes: Readonly<Record<string, number>>
  readonly measuredOn: string | null
  readonly error: { readonly mape: number; readonly kernels: number } | null
  readonly rungs: readonly Rung[]
  /** What the search chose, all launches together: a step of the ladder or another. */
  readonly chosen: { readonly ns: number; readonly measuredNs: number | null }
  readonly kernels: readonly { readonly name: string; readonly steps: readonly string[] }[]
  /** The source and everything emitted. */
  readonly files: readonly { readonly name: string; readonly what: string; readonly text: string }[]
  /** What passes did, in order. */
  readonly passes: readonly PassStep[]
  /** Programs before and after passes, each once. */
  readonly texts: readonly string[]
  readonly proof: {
    readonly sizes: readonly string[]
    readonly error: string
    readonly bound: string
    readonly failed: readonly string[]
  }
}
