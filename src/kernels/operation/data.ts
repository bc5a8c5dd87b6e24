// An operation as data: what the compiler makes of a C function and the library runs. Plain JSON, so that it can be
// sent between threads, kept in a store and written into modules. The one idea: a plan whose kernels are texts, with
// the few expressions over sizes that a host must compute.

/** Types that tensors and parameters of operations have. */
export type ElementType = 'f32' | 'i32' | 'u32'

/**
 * A number, the name of a size, a scalar or the variable of a host loop, or an operation on such with the type of its
 * result. Bools are 0 and 1.
 */
export type HostValue = number | string | readonly [op: string, type: string, ...HostValue[]]

export interface OperationSize {
  readonly name: string
  readonly min: number
  /** It always has this value, and nobody gives it. */
  readonly fixed?: number
}

export interface OperationArray {
  readonly name: string
  readonly type: ElementType
  /** Extents; empty for one element. */
  readonly shape: readonly HostValue[]
  /** `in` is read, `out` is written completely, `inout` both; `temp` is scratch memory between launches. */
  readonly role: 'in' | 'out' | 'inout' | 'temp'
  /** Its elements are reached by what data say: tensors may be longer than `shape`, which has one extent. */
  readonly isOpenEnded?: true
}

export interface OperationLaunch {
  /** Which of the texts. */
  readonly text: number
  readonly entry: string
  readonly grid: readonly [HostValue, HostValue, HostValue]
  /** Array of each binding, in order from 0; the parameters' buffer follows when there are any. */
  readonly bind: readonly (readonly [array: string, kind: 'constant' | 'read' | 'read-write'])[]
  /** Fields of the parameters' buffer, four bytes each. */
  readonly params: readonly (readonly [type: ElementType, value: HostValue])[]
}

/** A launch by its number, or launches for every value of a variable from `lower` to below `upper`. */
export type OperationStep =
  | number
  | {
      readonly variable: string
      readonly lower: HostValue
      readonly upper: HostValue
      readonly step: number
      readonly body: readonly OperationStep[]
    }

export interface OperationVariant {
  /** A bool over sizes; `null`: always. */
  readonly when: HostValue | null
  /** Limits of the device that it needs beyond WebGPU's defaults. */
  readonly needs?: Readonly<Record<string, number>>
  /** Such sizes are refused, in this sentence. */
  readonly refusal?: string
  readonly launches: readonly OperationLaunch[]
  readonly steps: readonly OperationStep[]
}

export interface OperationData {
  /** Of this description. */
  readonly format: 1
  readonly name: string
  readonly sizes: readonly OperationSize[]
  readonly scalars: readonly { readonly name: string; readonly type: ElementType }[]
  readonly arrays: readonly OperationArray[]
  readonly texts: readonly string[]
  /** The first whose condition holds and that the device can run is taken. */
  readonly variants: readonly OperationVariant[]
}
