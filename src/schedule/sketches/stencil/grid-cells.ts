// What kernels over the cells of a grid have in common, whether a tile stands still or moves along: boxes of cells that
// threads own, where the neighbours of a cell are, guards, and two kernels that take turns.
import {
  add,
  choose,
  int,
  loop,
  op,
  read,
  registerType,
  sizeOf,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  zeroOf,
  type CellRange,
  type TimeTiles,
  exprKey,
  freshName,
  type Read,
} from '../../../ir/index.ts'
import { isNarrow, isThin, statesOf } from '../../../transform/index.ts'
import { threads as threadsAt, type Made } from '../sketch.ts'

const axes = ['z', 'y', 'x'] as const
/** The axes of the form's dimensions, the last along memory. */
export const axesOf = (form: TimeTiles): readonly ('x' | 'y' | 'z')[] => axes.slice(3 - form.cells.length)

export const productOf = (v: readonly number[]): number => v.reduce((n, x) => n * x, 1)

/** `body` by all threads, the last dimension's next to each other. */
export function sideBySide(threads: readonly number[], lanes: readonly string[], body: readonly LoopStmt[]): LoopStmt {
  return lanes.reduceRight<readonly LoopStmt[]>(
    (inner, name, d) => [loop(name, int(threads[d]!), inner, { bind: threadsAt(productOf(threads.slice(d + 1))) })],
    body,
  )[0]! // a lane per dimension, one at least
}

/** Every way to take one of `extents` in each dimension. */
export const cellBox = (extents: readonly number[]): readonly (readonly number[])[] =>
  extents.reduce<readonly (readonly number[])[]>(
    (all, n) => all.flatMap((v) => Array.from({ length: n }, (_, i) => [...v, i])),
    [[]],
  )

/** Which cell of which thread, counted from its own, has the cell `far` from `cell`, when each owns a box of `own`. */
export function neighbourOf(
  own: readonly number[],
  cell: readonly number[],
  far: readonly number[],
): { readonly cell: readonly number[]; readonly away: readonly number[] } {
  const away = cell.map((c, d) => Math.floor((c + far[d]!) / own[d]!)) // as many of each
  return { cell: cell.map((c, d) => c + far[d]! - away[d]! * own[d]!), away }
}

/** The thread `away` from a lane, or the last on that side. */
export const clamped = (lane: Expr, away: number, threads: number): Expr =>
  away < 0
    ? op('max', [add(lane, int(away)), int(0)])
    : away > 0
      ? op('min', [add(lane, int(away)), int(threads - 1)])
      : lane

/** `e`, or the nearest from 0 to `last`. */
export const clampedTo = (e: Expr, last: Expr): Expr => op('min', [op('max', [e, int(0)]), last])

export const within = (ranges: readonly CellRange[], at: readonly Expr[]): readonly Expr[] =>
  ranges.flatMap((r, d) => [op('ge', [at[d]!, r.lower]), op('lt', [at[d]!, r.upper])]) // as many of each

export const allOf = (conditions: readonly Expr[]): Expr => conditions.reduce((a, b) => op('land', [a, b]))
const anyOf = (conditions: readonly Expr[]): Expr => conditions.reduce((a, b) => op('lor', [a, b]))

/** `at` is outside of `ranges`. */
const outside = (ranges: readonly CellRange[], at: readonly Expr[]): Expr =>
  anyOf(ranges.flatMap((r, d) => [op('lt', [at[d]!, r.lower]), op('ge', [at[d]!, r.upper])])) // as many of each

/**
 * In the dimensions `dims` every sweep covers the tile from `first` to before `end`, or, when it is a border there, has
 * none of it.
 */
export function interior(form: TimeTiles, dims: readonly number[], first: readonly Expr[], end: readonly Expr[]): Expr {
  const all = form.sweeps.flatMap((s): readonly Expr[] => {
    if (!isThin(s, dims))
      return dims.flatMap((d) => [op('le', [s.ranges[d]!.lower, first[d]!]), op('le', [end[d]!, s.ranges[d]!.upper])])
    return [
      anyOf(
        dims.flatMap((d) =>
          isNarrow(s.ranges[d]!)
            ? [op('lor', [op('le', [s.ranges[d]!.upper, first[d]!]), op('le', [end[d]!, s.ranges[d]!.lower])])]
            : [],
        ),
      ),
    ]
  })
  return allOf([...new Map(all.map((e) => [exprKey(e), e])).values()])
}

/**
 * Of an array that no step hands on: what it holds at `at` outside of `ranges`, where steps never write it; 0
 * everywhere else.
 */
export const beyond = (a: ArrayDecl, ranges: readonly CellRange[], at: readonly Expr[]): Expr =>
  choose(allOf([...inArray(a, at), outside(ranges, at)]), read(a, at), zeroOf(registerType(a.type)))

/** `at` is an element of the array. */
export const inArray = (a: ArrayDecl, at: readonly Expr[]): readonly Expr[] =>
  at.flatMap((e, d) => [op('ge', [e, int(0)]), op('lt', [e, a.shape[d]!])]) // as many of each

/** An element of an array that no sweep writes, at `index`, wherever that lies: 0 where there is none. */
export function flatElementOf(program: Program, r: Read, index: readonly Expr[]): Expr {
  const a = program.arrays.find((x) => x.name === r.array)! // programs declare what they read
  return index.length === 0 ? r : choose(allOf(inArray(a, index)), { ...r, index }, zeroOf(r.type))
}

/**
 * What a kernel does that runs from step `from` on, out of the arrays that `source` gives into those that `target`
 * gives.
 */
export type Turn = (
  program: Program,
  from: Expr,
  source: (a: ArrayDecl) => ArrayDecl,
  target: (a: ArrayDecl) => ArrayDecl,
) => readonly LoopStmt[]

/**
 * Two kernels of `steps` steps each: into copies of what steps hand on to each other, and back. Steps beyond the last
 * do nothing. `held`: loads of these arrays are ahead of time.
 */
export function takingTurns(
  program: Program,
  form: TimeTiles,
  steps: number,
  words: readonly string[],
  turn: Turn,
  held = false,
): Made {
  let whole = program
  const copies = new Map(
    statesOf(form).map((a) => {
      const copy: ArrayDecl = { ...a, name: freshName(whole, `${a.name}_next`), role: 'temp', space: 'global' }
      whole = { ...whole, arrays: [...whole.arrays, copy] }
      return [a.name, copy]
    }),
  )
  const states = statesOf(form).map((a) => a.name)
  const taken = steps * form.loop.step,
    now = sizeOf(form.variable)
  const given = (a: ArrayDecl): ArrayDecl => a,
    copyOf = (a: ArrayDecl): ArrayDecl => copies.get(a.name) ?? a
  const { name } = program
  return {
    program: whole,
    kernels: [
      {
        program: { ...whole, body: turn(whole, now, given, copyOf) },
        name,
        steps: words,
        ...(held && { held: states }),
      },
      {
        program: { ...whole, body: turn(whole, add(now, int(taken)), copyOf, given) },
        name,
        steps: [...words, 'back from the copies'],
        ...(held && { held: states.map((n) => copies.get(n)!.name) }),
      }, // each has a copy
    ],
    steps: [{ variable: form.variable, lower: form.loop.lower, upper: form.loop.upper, step: 2 * taken, body: [0, 1] }],
  }
}
