// How threads share a loop whose iterations must be visited in order: each block takes a contiguous range and walks
// over it in tiles of `unroll` rows of `threads` × `vector` neighbours. In: the loop and these parameters. Out:
// positions, guards, and the phases of a kernel. Scans and searches use it; it knows nothing of either.
import {
  add,
  affineOf,
  ceilDiv,
  choose,
  coefficient,
  div,
  int,
  loop,
  loopVar,
  lt,
  mul,
  op,
  sub,
  when,
  type ArrayDecl,
  type Binding,
  type Expr,
  type Loop,
  type LoopStmt,
  type MemoryType,
  type Program,
  zeroOf,
  eachExpr,
  rewriteExpr,
  readsArray,
  substitute,
  someExpr,
} from '../../ir/index.ts'
import { isDownward } from '../../analysis/index.ts'
import { block, threads as threadsAt, unroll as unrolled, vector as lanes } from './sketch.ts'

export interface Walk {
  readonly blocks: number
  readonly threads: number
  readonly unroll: number
  readonly vector: number
  /** Points of the last parallel loop per block, a group of `threads` threads for each. */
  readonly rows: number
  /** Neighbouring threads have neighbouring points, and not elements of one: points are columns. */
  readonly across?: boolean
  readonly parallel: readonly Loop[]
  readonly loop: Loop
  /** Steps that a block takes. */
  readonly steps: Expr
  /** Memory runs against the loop: lanes are taken from the last to the first. */
  readonly backwards: boolean
  /** Whole tiles and groups divide the loop and the rows: no guards. */
  readonly exact: boolean
  /** Values of the parallel loops' variables. */
  readonly point: ReadonlyMap<string, Expr>
}

/** Parameters of a walk. */
export type WalkPoint = {
  /** Blocks that share the loop. */
  readonly blocks?: number
  /** Threads of a group: of a block, or of one of its rows. */
  readonly threads?: number
  /** Elements of a thread in a tile, `threads` × `vector` apart. */
  readonly unroll?: number
  /** Neighbours that a thread loads at once. */
  readonly vector?: number
  /** Points of the last parallel loop per block. */
  readonly rows?: number
}

/** A point: one block of 256 threads, an element each. */
export const walkBase = { threads: 256, unroll: 1, vector: 1, blocks: 1, rows: 1 }

/** Points over one long loop, shared by as many blocks as `counts` says. */
export const walkSpace = (counts: readonly number[]): readonly WalkPoint[] =>
  [128, 256, 512].flatMap((threads) =>
    [1, 2, 4].flatMap((unroll) =>
      [1, 4].flatMap((vector) => counts.map((blocks): WalkPoint => ({ ...walkBase, threads, unroll, vector, blocks }))),
    ),
  )

/** Points over rows: several of a warp or a block, or a block each. */
export const rowWalkSpace: readonly WalkPoint[] = [4, 8, 16, 32, 64, 128, 256].flatMap((threads) =>
  [1, 2, 4].flatMap((unroll) =>
    [1, 4].flatMap((vector) =>
      [1, 2, 4, 8, 16, 32, 64]
        .filter((rows) => threads * rows <= 256 && threads * rows >= (threads < 32 ? 256 : 64))
        .map((rows): WalkPoint => ({ ...walkBase, threads, unroll, vector, rows })),
    ),
  ),
)

/** Elements of a row below which part of a warp goes through it, so that a warp goes through several. */
export const shortRow = 256
/** Which parts of a warp there are, and elements that a thread of one may have. */
const partsOfWarp: readonly number[] = [4, 8, 16],
  mostOfThread = 16
/** Threads of a block whose threads share short rows. */
const threadsOfShortRows = 256

/** Threads and rows of a block for rows of `length`, the likeliest first. */
export function shortRowShapes(length: number): readonly { readonly threads: number; readonly rows: number }[] {
  const best = partsOfWarp.find((t) => length <= t * mostOfThread) ?? partsOfWarp.at(-1)!
  return [best, ...partsOfWarp.filter((t) => t !== best)].map((threads) => ({
    threads,
    rows: threadsOfShortRows / threads,
  }))
}

/** Points over short rows, the likeliest first. */
export const shortWalks = (length: number): readonly WalkPoint[] =>
  shortRowShapes(length).flatMap((shape) =>
    [4, 1].map((vector): WalkPoint => ({ ...walkBase, ...shape, vector, unroll: 2 })),
  )

/** The walk of a sketch's point; `indices`: of accesses that should step through memory. */
export function walkOf(
  parallel: readonly Loop[],
  over: Loop,
  indices: readonly (readonly Expr[])[],
  p: WalkPoint,
  exact = false,
): Walk {
  const { blocks = 1, threads = 1, unroll = 1, vector = 1, rows = 1 } = p
  const last = parallel[parallel.length - 1]
  const shared = last !== undefined && rows > 1 && blocks === 1
  const row = add(mul(loopVar('block_row'), int(rows)), loopVar('thread_row'))
  return {
    blocks,
    threads,
    unroll,
    vector,
    rows: shared ? rows : 1,
    parallel,
    loop: over,
    exact,
    steps: ceilDiv(sub(over.upper, over.lower), blocks * threads * unroll * vector),
    backwards: isDownward(indices, over),
    point: new Map(shared ? [[last.name, row]] : []),
  }
}

/** Memory indices of reads and stores, innermost dimension. */
export const lastIndices = (es: readonly Expr[]): readonly Expr[] =>
  es.flatMap((e) => {
    const out: Expr[] = []
    eachExpr(e, (x) => {
      const last = x.kind === 'read' ? x.index[x.index.length - 1] : undefined
      if (last) out.push(last)
    })
    return out
  })

/** Whether an index steps with the loop. */
export const alongMemory = (e: Expr, over: Loop): boolean => {
  const a = affineOf(e)
  return a !== undefined && Math.abs(coefficient(a, over.name)) === 1
}

/** The lane that memory has at `vv`. */
export const laneOf = (w: Walk): Expr => (w.backwards ? sub(int(w.vector - 1), loopVar('vv')) : loopVar('vv'))

/** Iteration of a block's tile, row of the tile `u`, lane `v`, counted from 0. */
export function positionOf(w: Walk, blockIndex: Expr, u: Expr, v: Expr): Expr {
  const tile = add(mul(blockIndex, w.steps), loopVar('step'))
  const row = add(mul(tile, int(w.unroll)), u)
  return add(add(mul(row, int(w.threads * w.vector)), mul(loopVar('thread_s'), int(w.vector))), v)
}

/** When a walk without guards is right. */
export function wholeTiles(w: Walk): readonly Expr[] {
  const last = w.parallel[w.parallel.length - 1]
  const divides = (n: Expr, by: number): readonly Expr[] =>
    by === 1 ? [] : [op('eq', [op('rem', [n, int(by)]), int(0)])]
  return [
    ...divides(sub(w.loop.upper, w.loop.lower), w.threads * w.unroll * w.vector),
    ...(last ? divides(last.upper, w.rows) : []),
  ]
}

/** Whether the group of threads has a row at all; `undefined` when it always has. */
export function rowInside(w: Walk): Expr | undefined {
  if (w.exact) return undefined
  const last = w.parallel[w.parallel.length - 1]
  const row = last && w.point.get(last.name)
  return row && lt(row, last.upper)
}

/** Whether a position is one of the loop's, and the row one of the array's; `undefined` when all are. */
export function inside(w: Walk, position: Expr): Expr | undefined {
  if (w.exact) return undefined
  const row = rowInside(w)
  const own = lt(position, sub(w.loop.upper, w.loop.lower))
  return row ? op('land', [own, row]) : own
}

/** `e` at a position. */
export const atPosition = (w: Walk, e: Expr, position: Expr): Expr =>
  substitute(e, new Map([...w.point, [w.loop.name, add(w.loop.lower, position)]]))

/** `e` where `condition` holds, else `otherwise`; reads happen only there, so that lanes can be loaded together. */
export function guarded(e: Expr, condition: Expr | undefined, otherwise: Expr): Expr {
  if (!condition) return e
  if (e.kind === 'read') return choose(condition, e, otherwise)
  if (someExpr(e, (x) => x.kind === 'choose' || (x.kind === 'read' && x.index.some(readsArray))))
    return choose(condition, e, otherwise)
  const safe = rewriteExpr(e, (x) => (x.kind === 'read' ? choose(condition, x, zeroOf(x.type)) : undefined))
  return op('select', [condition, safe, otherwise])
}

// ── phases ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Index of what each group of threads has. */
export const groupIndex = (w: Walk): readonly Expr[] => (w.rows > 1 ? [loopVar('thread_row')] : [])
/** Index of what each thread has. */
export const ownIndex = (w: Walk): readonly Expr[] => [...groupIndex(w), loopVar('thread_s')]

const group = (w: Walk): readonly Expr[] => (w.rows > 1 ? [int(w.rows)] : [])

/** A private array: an element (or an array of `shape`) for each thread, or for each group. */
export const ofThread = (w: Walk, name: string, type: MemoryType, ...shape: readonly number[]): ArrayDecl => ({
  name,
  type,
  shape: [...group(w), int(w.threads), ...shape.map(int)],
  role: 'temp',
  space: 'private',
})
export const ofGroup = (w: Walk, name: string, type: MemoryType, ...shape: readonly number[]): ArrayDecl => ({
  name,
  type,
  shape: [...group(w), ...shape.map(int)],
  role: 'temp',
  space: 'private',
})

const rowLoop = (w: Walk, body: readonly LoopStmt[]): readonly LoopStmt[] =>
  w.rows > 1 ? [loop('thread_row', int(w.rows), body, { bind: threadsAt(w.across ? 1 : w.threads) })] : body

/** Every thread does `body`. */
export const phase = (w: Walk, body: readonly LoopStmt[]): readonly LoopStmt[] =>
  rowLoop(w, [loop('thread_s', int(w.threads), body, { bind: threadsAt(w.across ? w.rows : 1) })])

/** Every group does `body`, all threads of it alike. */
export const groupPhase = (w: Walk, body: readonly LoopStmt[]): readonly LoopStmt[] => rowLoop(w, body)

export const overRows = (w: Walk, body: readonly LoopStmt[]): readonly LoopStmt[] => [
  loop('uu', int(w.unroll), body, { bind: unrolled }),
]
export const overLanes = (w: Walk, body: readonly LoopStmt[], from = 0): readonly LoopStmt[] =>
  w.vector > from
    ? [loop('vv', int(w.vector), body, { bind: from > 0 || w.vector === 1 ? unrolled : lanes, lower: int(from) })]
    : []
export const overLanesInOrder = (w: Walk, body: readonly LoopStmt[]): readonly LoopStmt[] => [
  loop('vv', int(w.vector), body, { bind: unrolled }),
]

/** Tiles of the loop. */
export function tilesOf(w: Walk): Expr {
  const extent = sub(w.loop.upper, w.loop.lower),
    tile = w.threads * w.unroll * w.vector
  return w.exact ? div(extent, tile) : ceilDiv(extent, tile)
}

/** Whether block `at` has a tile: short loops leave some without. */
export const hasTiles = (w: Walk, at: Expr): Expr => lt(mul(at, w.steps), tilesOf(w))

/** The tiles of the run of block `at`, as many as there are. */
export function overSteps(w: Walk, at: Expr, body: readonly LoopStmt[]): readonly LoopStmt[] {
  const steps = w.blocks > 1 ? op('min', [w.steps, sub(tilesOf(w), mul(at, w.steps))]) : w.steps
  return [loop('step', steps, body)]
}

/** `body` where the condition holds. */
export const where = (condition: Expr | undefined, body: readonly LoopStmt[]): readonly LoopStmt[] =>
  condition ? [when(condition, body)] : body

/** The loops over blocks around a kernel's phases. */
export function overBlocks(w: Walk, body: readonly LoopStmt[]): readonly LoopStmt[] {
  const axes: readonly Binding[] = w.blocks > 1 ? [block('y'), block('z')] : [block('x'), block('y')]
  const last = w.parallel.length - 1
  const rows = w.parallel.reduceRight<readonly LoopStmt[]>(
    (inner, l, i) => {
      const bind = axes[last - i]!
      return i === last && w.rows > 1
        ? [loop('block_row', ceilDiv(l.upper, w.rows), inner, { bind })]
        : [{ ...l, bind, body: inner }]
    },
    w.blocks > 1 ? [loop('block_s', int(w.blocks), body, { bind: block('x') })] : body,
  )
  return rows
}

/** Words for what a point does. */
export const walkWords = (w: Walk): readonly string[] => [
  ...(w.vector > 1 ? [`each thread loads ${w.vector} neighbours at once`] : []),
  ...(w.unroll > 1 ? [`${w.unroll} loads in flight per thread`] : []),
]

/** Arrays that expressions and stores name. */
export function arraysUsed(program: Program, es: readonly Expr[], stored: readonly string[]): readonly ArrayDecl[] {
  const names = new Set(stored)
  es.forEach((e) =>
    eachExpr(e, (x) => {
      if (x.kind === 'read') names.add(x.array)
    }),
  )
  return program.arrays.filter((a) => names.has(a.name))
}
