// What the library and the compiler's thread say to each other. The one idea: a request holds everything that its
// answer depends on, so that its text (and the compiler's version) is the key under which an answer is kept.
import type { OperationData } from '../operation/data.ts'

/** What to compile, and for which device. */
export interface CompileRequest {
  readonly source: string
  readonly file: string
  readonly function: string | null
  readonly defines: Readonly<Record<string, string>>
  readonly precision: 'f32' | null
  /** A profile's name, or null: that which fits `device`. */
  readonly gpu: string | null
  /** What the device says of itself. */
  readonly device: string
  readonly budget: number | null
  readonly seed: number | null
  readonly shapes: boolean
}

/** What was made, in numbers. Times are of the planned sizes on the GPU of the profile. */
export interface CompileReport {
  readonly name: string
  /** The profile that the kernels were chosen for. */
  readonly gpu: string
  readonly planned: Readonly<Record<string, number>>
  /** Predicted time of all launches, nanoseconds. */
  readonly predictedNs: number
  /** The least that any schedule takes: each caller's byte moved once, each operation done once. */
  readonly boundNs: number
  readonly kernels: readonly { readonly name: string; readonly launches: number; readonly steps: readonly string[] }[]
  readonly verified: {
    readonly sizes: readonly Readonly<Record<string, number>>[]
    readonly maxRelativeError: number
    readonly bound: number
  }
  readonly notes: readonly string[]
}

/** Something wrong with the source, with its place from line 1, column 1. */
export interface CompileProblem {
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
}

export interface Compiled {
  readonly data: OperationData
  readonly report: CompileReport
}

export type CompileAnswer =
  | ({ readonly kind: 'made' } & Compiled)
  | { readonly kind: 'refused'; readonly problems: readonly CompileProblem[] }
  /** The compiler itself failed. */
  | { readonly kind: 'failed'; readonly message: string }

export interface ToThread {
  readonly id: number
  readonly request: CompileRequest
}
export interface FromThread {
  readonly id: number
  readonly answer: CompileAnswer
}
