// What a kernel of the library is made from: a definition in plain C, macros, and a point of its schedule's space for
// each plan. In a folder per kernel, read by `tools/kernels.ts` only; nothing of it is in the library at run time.

export interface PlanSpec {
  /** File beside the spec. */
  readonly file: string
  readonly defines?: Readonly<Record<string, string>>
  /** One point per part of the program. */
  readonly points: readonly Readonly<Record<string, number>>[]
  /** Variants to keep; all when absent. */
  readonly keep?: readonly ('exact' | 'unaligned' | 'vector' | 'general')[]
  /** Trees in workgroup memory halve: some 2 % slower, in a module whose size counts. */
  readonly halves?: true
  /** The launches of a variant as one: they need nothing of each other. */
  readonly together?: true
  /** Arrays whose loads or stores the library may replace (fused expressions). */
  readonly hooks: readonly string[]
}

/** Generated modules by name, each with its plans by key. */
export type Spec = Readonly<Record<string, Readonly<Record<string, PlanSpec>>>>
