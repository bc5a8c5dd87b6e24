// What the device runs: launches with everything but their buffers and the numbers of their hooks, and the works that
// they are made for. The one idea: a recipe brings along what makes its launches (`plan-launches.ts`), so that programs
// without one do not load that.
import type { Hook } from '../fusion/adapted-text.ts'
import type { Kind, Sizes } from '../recipe.ts'
import type { Memory } from './memory.ts'

/** What launches are made for: a device, and what the library knows of it (`core.ts`). */
export interface LaunchCore {
  readonly device: { readonly limits: GPUSupportedLimits }
  /** Workgroups along an axis of a grid at most. */
  readonly longestGrid: number
  readonly half: Half | null
}

/** What a launch must do at least: bytes moved to and from memory, floating-point operations. */
export interface Cost {
  readonly bytes: number
  readonly flop: number
}

/** The plans of a module. */
export interface Recipe {
  /** Whether the device can run every launch of a plan for these sizes. */
  fits(core: LaunchCore, plan: string, sizes: Sizes): boolean
  /** What a work launches that is one of these plans. */
  job(core: LaunchCore, work: Work, hooks: readonly Hook[]): PreparedJob
}

export interface Work {
  /** The recipe's name: pipelines are kept under it. */
  readonly module: string
  readonly recipe: Recipe
  readonly plan: string
  readonly sizes: Sizes
  readonly arrays: Readonly<Record<string, Memory>>
  readonly cost: Cost
  readonly hooks?: readonly Hook[]
  /** Stands for everything of the hooks but their buffers and numbers. */
  readonly hookKey?: string
}

/** A launch of a plan for some sizes: everything but its buffers and the numbers of hooks. */
export interface PreparedLaunch {
  readonly name: string
  /** Of the pipeline. */
  readonly key: string
  readonly text: (hooks: readonly Hook[]) => string
  readonly entry: string
  readonly kinds: readonly Kind[]
  readonly uniform: boolean
  /** Values of the plan's parameters, and the grid that a folded one stands for; numbers of hooks are between them. */
  readonly sizes: readonly number[]
  readonly wanted: readonly number[]
  readonly grid: readonly [number, number, number]
  /** Its arrays, and which of them it writes; which of the work's hooks it has. */
  readonly arrays: readonly string[]
  readonly writes: readonly boolean[]
  readonly hooked: readonly boolean[]
}

/** What a work with such sizes and hooks launches, and its scratch memory in bytes. */
export interface PreparedJob {
  readonly sizes: Sizes
  readonly hookKey: string | undefined
  readonly halves: string
  readonly launches: readonly PreparedLaunch[]
  readonly temps: readonly (readonly [name: string, bytes: number])[]
}

/** f16, where it is used (`half.ts`): buffers that hold it, texts with arrays of it, its numbers. */
export interface Half {
  readonly buffers: WeakSet<Memory>
  text(text: string, names: readonly string[]): string
  numbers(bytes: ArrayBuffer): Float32Array<ArrayBuffer>
}

/** Bytes of a launch's parameters at most. */
export const slot = 256

export const emptyList: readonly never[] = []
