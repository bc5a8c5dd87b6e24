// In: the block loops of a kernel. Out: its grid. The one idea: loops on one axis are digits of its index, and where an
// axis would have more blocks than devices take, all loops are digits of one index, whose blocks stand in rows.
import { fail } from '../../base/index.ts'
import {
  ceilDiv,
  constantExtent,
  int,
  literal,
  mul,
  op,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  extentOf,
} from '../../ir/index.ts'
import { planned } from '../../analysis/index.ts'
import { one } from './operands.ts'

export interface BlockGrid {
  /** Blocks on each axis, over sizes. */
  readonly grid: readonly [Expr, Expr, Expr]
  /** Loops of each axis, outermost first. */
  readonly axes: readonly [readonly Loop[], readonly Loop[], readonly Loop[]]
  /** Blocks stand in rows of `blocksInRow`, over axes x and y. */
  readonly folded: boolean
  /** All blocks. */
  readonly total: Expr
}

/** Blocks along x; what is more stands in further rows. */
export const blocksInRow = 32768

/** Blocks that every device takes on an axis; x on CUDA takes all that there can be. */
const mostBlocks = 65535

/** The block loops around the phases. */
export function blockLoops(body: readonly LoopStmt[]): {
  readonly loops: readonly Loop[]
  readonly body: readonly LoopStmt[]
} {
  const loops: Loop[] = []
  let inner = body
  for (
    let only = inner[0];
    inner.length === 1 && only?.kind === 'loop' && only.bind.kind === 'block';
    only = inner[0]
  ) {
    loops.push(only)
    inner = only.body
  }
  return { loops, body: inner }
}

/** Refuses a loop of blocks or threads whose iterations would not be their numbers. */
export function mustCount(l: Loop): void {
  const isAlone = constantExtent(l) === 1 && literal(l.lower) !== undefined
  if ((literal(l.lower) !== 0 || l.step !== 1) && !(l.bind.kind === 'thread' && isAlone))
    fail('schedule.lower', `'${l.name}' is dealt out and does not count from 0 in steps of 1`)
}

/** `anyX`: the device takes any number of blocks along x. */
export function launchGrid(program: Program, loops: readonly Loop[], anyX: boolean): BlockGrid {
  const along = (axis: 'x' | 'y' | 'z'): readonly Loop[] =>
    loops.filter((l) => l.bind.kind === 'block' && l.bind.axis === axis)
  const axes = [along('x'), along('y'), along('z')] as const
  const folded = axes.some(
    (list, n) =>
      (n > 0 || !anyX) && list.reduce((all, l) => all * planned(program, l.lower, l.upper, l.step), 1) > mostBlocks,
  )
  const total = blocksOf([...axes[2], ...axes[1], ...axes[0]])
  const grid = folded
    ? ([int(blocksInRow), ceilDiv(total, blocksInRow), one] as const)
    : ([blocksOf(axes[0]), blocksOf(axes[1]), blocksOf(axes[2])] as const)
  return { grid, axes, folded, total }
}

const blocksOf = (list: readonly Loop[]): Expr =>
  list.length === 0
    ? one
    : list.length === 1
      ? extentOf(list[0]!)
      : list.map((l) => atLeastNone(extentOf(l))).reduce(mul) // one of them is there

/** Blocks, of which a loop that never runs may ask for fewer than none: no two negative numbers make a positive one. */
export function atLeastNone(blocks: Expr): Expr {
  const known = literal(blocks)
  return known === undefined ? op('max', [blocks, int(0)]) : int(Math.max(0, Number(known)))
}
