// In: a part of a program in which no loop is known to be parallel. Out: the sketch in which one thread runs all of it.
// The one idea: where iterations must wait for each other they need not wait for each other's loads (software
// prefetching into registers); which dependence keeps the order is said in the report.
import type { LoopStmt, Other, Program } from '../../ir/index.ts'
import { carried } from '../kernel/scalar-replacement.ts'
import { guardsOutside, inGroups } from '../kernel/unroll-preload.ts'
import type { Scheduled, Sketch } from './sketch.ts'

/** Parameters of one thread. */
export type SinglePoint = {
  /** 1. */
  readonly threads: number
  /** Iterations of innermost loops whose loads are asked for together; absent: each waits for its own. */
  readonly group?: number
}

/**
 * Iterations of a thread's innermost loops whose loads are asked for at once: 829 µs without, 306 with 8 and 200 with
 * 16, for such a filter along columns.
 */
export const together = 16

/** One thread runs all of it. */
export function sequential(program: Program, part: Other): Sketch<SinglePoint> {
  const plain: SinglePoint = { threads: 1 },
    ahead = everythingAhead(program, part.body, together) ? [{ threads: 1, group: together }] : []
  return {
    name: 'sequential',
    vectorSizes: {},
    space: [...ahead, plain],
    ladder: [
      { step: 'one thread runs everything', point: plain },
      ...ahead.map((point) => ({ step: 'loads of several iterations are asked for at once', point })),
    ],
    ...(ahead.length > 0 && { likely: () => ahead }),
    build: (p) => ({
      program,
      kernels: [(p.group && everythingAhead(program, part.body, p.group)) || everything(program, part.body)],
    }),
  }
}

/** The same; loops ask for what several of their iterations read at once. */
function everythingAhead(program: Program, body: readonly LoopStmt[], most: number): Scheduled | undefined {
  const { program: kept, steps } = everything(program, body),
    made = inGroups(guardsOutside(kept), most)
  return (
    made && {
      program: made.program,
      name: program.name,
      steps: [...steps, `up to ${most} iterations ask for what they read of ${made.arrays.join(', ')} at once`],
      held: made.arrays,
    }
  )
}

export const everything = (program: Program, body: readonly LoopStmt[]): Scheduled =>
  inHand({ ...program, body }, program.name, ['one thread runs everything, in the order of the source'])

/** A kernel whose threads keep what they stored last in registers. */
export function inHand(given: Program, name: string, steps: readonly string[]): Scheduled {
  const { program, arrays } = carried(given)
  return { program, name, steps: [...steps, ...inRegistersToo(arrays)] }
}

/** What a report says of it. */
export const inRegistersToo = (arrays: readonly string[]): readonly string[] =>
  arrays.length === 0 ? [] : [`the last elements of ${arrays.join(', ')} that a thread stored wait in registers`]
