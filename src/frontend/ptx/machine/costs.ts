// What machine code says of PTX, as data: costs by instruction and block, branches, meeting places, copies of loops.
// Made by `rates.ts`, written into KernelIR by `lower/lower.ts`, `control-flow/structuring.ts` and `rounds.ts`. Numbers
// are those of the flat body and its graph.
import type { Counts } from '../control-flow/predication.ts'

/** Costs of a body that machine code gives. */
export interface MachineCosts {
  /** Machine instructions that run as often as the block of an instruction, by that instruction. */
  readonly own: ReadonlyMap<number, Counts>
  /**
   * Machine instructions that come from other blocks and run as often as this one: by block, with the instruction they
   * come from.
   */
  readonly moved: ReadonlyMap<number, readonly { readonly from: number; readonly counts: Counts }[]>
  /** Branches of the machine that one execution of a block's jump stands for; absent: none. */
  readonly branches: ReadonlyMap<number, number>
  /** Branches of the machine that the PTX has not, by block, per execution. */
  readonly inserted: ReadonlyMap<number, number>
  /** What lanes execute that go to one side of a block's branch: where they meet others, each side waits for itself. */
  readonly sides: ReadonlyMap<number, Sides>
  /** What runs once for each time that a loop of the PTX is entered, by its header: loops that machine code has not. */
  readonly entered: ReadonlyMap<number, LoopStage['costs']>
  /** For blocks whose jump is an exit under a predicate. */
  readonly exits: ReadonlySet<number>
  /** What each group of lanes of a warp executes by itself, by the instruction whose mask makes the groups. */
  readonly groups: ReadonlyMap<number, Counts>
  /** What only warps execute of which all lanes are there, by the instruction that they come from. */
  readonly full: ReadonlyMap<number, Counts>
  /** Loops of the PTX that machine code has unrolled, by header. */
  readonly stages: ReadonlyMap<number, readonly LoopStage[]>
}

/**
 * A copy of a loop that the assembler has unrolled, in the order of the machine code: `copies` rounds at a time, as
 * often as that many are left when it `repeats`, else once at most.
 */
export interface LoopStage {
  readonly copies: number
  readonly repeats: boolean
  /** Whether lanes that skip or leave it meet the others behind it. */
  readonly meets: boolean
  /** What it costs, by the instruction that it comes from. */
  readonly costs: readonly { readonly from: number; readonly counts: Counts }[]
}

/** Of the branch at the end of a block: where it is taken, and where it is not. */
export interface Sides {
  readonly taken: Counts
  readonly other: Counts
}
