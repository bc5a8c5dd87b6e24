// What all parts of the compiler share: the module being written, where things lie, and helper functions made on
// demand. The one idea: one object with no behaviour, so that each part stays a set of functions.
import type { Kernel, Stmt, Facts } from '../../ir/index.ts'
import type { Func, WasmModule } from '../wasm.ts'
import type { AddressSlice, Decision } from '../classes/decisions.ts'
import type { Layout } from './layout.ts'
import type { MathImports } from './scalar.ts'

/** Functions of the host that compiled code calls. */
export interface Imports {
  /** (frame, site, address of 32 indices, mask) → mask of the lanes in bounds; counts the request. */
  readonly resolve: number
  /** (frame, site, address of 32 indices, mask): looks at a request for races and uninitialised reads. */
  readonly observe: number
  /** (statement, mask of lanes whose source is inactive). */
  readonly shuffled: number
  /** (barrier, warp, mask, alive): not all lanes of a warp arrived. */
  readonly diverged: number
  /** (barrier, warp, lanes): lanes of a warp that returned before a barrier that others of the block pass. */
  readonly returned: number
  /**
   * (warp): a barrier was passed, by one warp or by the block (−1) or the grid (−2); from −3 on: for one kind of
   * memory.
   */
  readonly passed: number
  /**
   * (block, works): what follows is of this block of a run whose blocks meet; `works`: its own statements, not control
   * flow for all.
   */
  readonly turn: number
  /** The limit of steps is used up; throws. */
  readonly exhausted: number
}

/** The statements counted together: executed by the same lanes every time. */
export interface CountedBlock {
  readonly id: number
  readonly statements: Stmt[]
}

export interface JitContext {
  readonly kernel: Kernel
  readonly facts: Facts
  readonly uses: readonly number[]
  /** How often compiled code reads each register: not for what nobody wants. */
  readonly reads: readonly number[]
  readonly layout: Layout
  readonly module: WasmModule
  readonly math: MathImports
  readonly imports: Imports
  readonly warpSize: number
  /** Ask the host about races and uninitialised reads. */
  readonly observing: boolean
  /** Decisions whose margins are kept, and whether those of indices are; null: neither. */
  readonly decisions: ReadonlyMap<Stmt, Decision> | null
  /** What has to be computed; the rest is counted only. Null: everything. */
  readonly slice: AddressSlice | null
  readonly siteOf: ReadonlyMap<Stmt, number>
  readonly branchOf: ReadonlyMap<Stmt, number>
  readonly statementOf: ReadonlyMap<Stmt, number>
  readonly helpers: Map<string, Func>
  readonly blocks: CountedBlock[]
  /** The global that holds the steps left. */
  readonly fuel: number
}

/** The helper `name`, written the first time it is asked for. */
export function helper(c: JitContext, name: string, make: () => Func): number {
  let f = c.helpers.get(name)
  if (!f) {
    f = make()
    c.helpers.set(name, f)
  }
  return f.index
}
