// What a recorder gives and `tesela explain FILE.recording.json` takes: the compute dispatches of a program in the
// order in which they were submitted, each with its shader, its workgroups and what was bound. Contents of buffers are
// those that the program wrote from the host; what a dispatch wrote itself is not known. JSON as it stands.

/** `tesela.recording/1`. */
export interface Recording {
  readonly schema: 'tesela.recording/1'
  /** The adapter as the browser names it, and the browser. */
  readonly device: string
  readonly agent: string
  readonly shaders: readonly RecordedShader[]
  /** Contents of buffers at a dispatch, in base64, each once. */
  readonly contents: readonly string[]
  readonly dispatches: readonly RecordedDispatch[]
  /** Dispatches after the most that a recording holds, which are not in it. */
  readonly left: number
}

export interface RecordedShader {
  readonly label: string
  readonly code: string
}

export interface RecordedDispatch {
  /** Position among `shaders`. */
  readonly shader: number
  /** The pass's label and the pipeline's. */
  readonly pass: string
  readonly pipeline: string
  readonly entry?: string
  readonly constants: Readonly<Record<string, number>>
  /** Workgroups along x, y and z; null where a buffer said so whose contents the host does not know. */
  readonly grid: readonly [number, number, number] | null
  readonly bindings: readonly RecordedBinding[]
}

export type RecordedBinding = { readonly group: number; readonly binding: number } & (
  | {
      readonly kind: 'buffer'
      /** Number of the buffer, from its creation on. */
      readonly buffer: number
      /** Bytes that are bound, and where they begin. */
      readonly offset: number
      readonly size: number
      /** Position among `contents`, or zeros only; absent where they are not known or were too many. */
      readonly contents?: number | 'zero'
    }
  | {
      readonly kind: 'texture'
      readonly format: string
      readonly size: readonly [number, number, number]
      readonly levels: number
      readonly samples: number
    }
  | {
      readonly kind: 'sampler'
      readonly filter: 'nearest' | 'linear'
      readonly mip: 'nearest' | 'linear'
      readonly address: readonly [string, string, string]
      readonly compare?: string
    }
)
