// Contraction: out[i, j] ∘= f(X[i, k], Y[k, j]): each operand is reused along a loop that it does not use, whatever ∘
// and f are (+ and a product, the least of sums, any of pairs that are both set, a sum of distances). Tiles of both
// operands go through workgroup memory, tiles of the output live in registers.
//
// A thread computes rows × columns outputs in chunks of `chunk` neighbours, so that fragments are vector loads; lanes
// of a warp form a `lanesI` × `lanesJ` patch, so that a fragment load touches few distinct words.
import { fail, isInapplicable } from '../../../base/index.ts'
import {
  bytesOf,
  addScaled,
  affineConstant,
  affineName,
  affineOf,
  coefficient,
  int,
  isFloat,
  literal,
  loopVar,
  mod,
  op,
  sub,
  nestProgram,
  conjuncts,
  constantExtent,
  exprKey,
  factorsOf,
  freshName,
  rewriteExpr,
  mapStmtExprs,
  replaceLoops,
  sizesIn,
  substituteStmt,
  uses,
  withGuard,
  symbolsOf,
  measuredChip,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  type Nest,
  type Reduction,
  type Read,
  type Chip,
} from '../../../ir/index.ts'
import { planned, conditionOf, inequalityOf, termsInOnePlace, uniqueReads } from '../../../analysis/index.ts'
import { bind } from '../../primitives/bind.ts'
import { doubleBuffer } from '../../primitives/double-buffer.ts'
import { fragment } from '../../primitives/fragment.ts'
import { liftChoice } from '../../primitives/lift-choice.ts'
import { pipeline, pipelineAcross } from '../../primitives/pipeline.ts'
import { pad } from '../../primitives/pad.ts'
import { prefetch } from '../../primitives/prefetch.ts'
import { registerTile } from '../../primitives/register-tile.ts'
import { reorder } from '../../primitives/reorder.ts'
import { split } from '../../primitives/split.ts'
import { stage } from '../../primitives/stage.ts'
import { wholeTile } from '../../primitives/whole-tile.ts'
import { bindAll, script, splitLevels, step, type Script } from '../../script.ts'
import { bare } from '../reduction/reduction-factoring.ts'
import {
  aligned,
  block,
  mostShared,
  rowSizes,
  threads,
  unroll,
  type Made,
  type Rung,
  type Scheduled,
  type Sketch,
} from '../sketch.ts'
import { onMatrixUnits, scalesOf, termsTogether } from './matrix-unit-tile.ts'
import { addedUp, canSlice, inSlices } from './split-k.ts'
import { likelyTiles, type TilePoint } from './tile-choice.ts'
import { changed, onTransposedCopies, widen } from './pretranspose.ts'

/** Parameters of a product without tiles: a thread for each output. */
export type DirectPoint = {
  readonly bk: 0
  /** Rows and columns of outputs of a block. */
  readonly bm: number
  readonly bn: number
  /** 1: neighbouring threads take neighbours of a row. */
  readonly fast: number
}

export type ContractionPoint = DirectPoint | TilePoint

const isDirect = (p: ContractionPoint): p is DirectPoint => p.bk === 0

interface Operand {
  readonly array: ArrayDecl
  readonly read: Read
}

/** The roles of a contraction's loops and operands. */
interface Roles {
  readonly i: Loop
  readonly j: Loop
  readonly k: Loop
  readonly batch: readonly Loop[]
  /** Uses i and k, not j. */
  readonly left: Operand
  /** Uses k and j, not i. */
  readonly right: Operand
  /** A factor is zero where bounds of k that other loops are in keep the sum out; k of it ends here. */
  readonly end?: Expr
}

/** The sketch of `part`, or `undefined` when it is no contraction of two operands. */
export function contraction(
  given: Program,
  nest: Nest,
  chip: Chip = measuredChip,
): Sketch<ContractionPoint> | undefined {
  const subject = apart(given, bare(nest))
  const roles = rolesOf(subject.program, subject.part)
  if (!roles) return undefined
  const { part } = subject,
    factors = [
      { read: roles.left.read, own: roles.i },
      { read: roles.right.read, own: roles.j },
    ]
  const arrays = [roles.left.array, roles.right.array, part.out.array]
  const copied = factors.filter((f) => !arrays.find((a) => a.name === f.read.array)?.computed)
  // A copy is of all of an array: too much for a sum over a few, which some loop outside repeats elsewhere, and of what
  // changes there.
  const whole = subject.own.size === 0 && constantExtent(roles.k) === undefined
  const { program, aliases } = subject,
    transposing = { program, part, factors: copied, k: roles.k, aliases, chip }
  const known = Object.fromEntries(symbolsOf(given).map((x) => [x.name, x.planned]))
  // of a factor that is computed where it is loaded, terms of a step lie in one place of the window then
  const isComputed = arrays.some((a) => a.computed)
  const steps = isComputed
    ? Object.fromEntries(
        sizesIn(roles.k.upper)
          .filter((name) => known[name]! % termsInOnePlace === 0) // sizes are symbols
          .map((name) => [name, termsInOnePlace]),
      )
    : {}
  const turns = (point: ContractionPoint): boolean => whole && !isDirect(point) && Boolean(point.turn)
  const made = (
    point: ContractionPoint,
    tile: (program: Program, part: Nest, roles: Roles) => Scheduled,
    divides: boolean,
  ): Made => {
    if (slicesOf(point) > 1) {
      const cut = inSlices(subject.program, part, roles.k, point.bk, slicesOf(point), divides),
        { slice, sums } = cut
      const kernels = [
        named(tile(cut.program, cut.partial, { ...roles, batch: [slice] }), subject.aliases, subject.own),
        addedUp(cut.program, cut.final, roles.j, slicesOf(point)),
      ]
      return { kernels, program: { ...given, arrays: [...given.arrays, sums] } }
    }
    if (!turns(point))
      return { kernels: [named(tile(subject.program, part, roles), subject.aliases, subject.own)], program: given }
    const t = onTransposedCopies({ ...transposing, step: point.bk })
    // as before: reads of other arrays by the same loops
    const kernel = tile(t.program, t.part, { ...rolesOf(t.program, t.part)!, ...(t.end && { end: t.end }) })
    // one of each
    const copies = t.keys.flatMap((key, n) => (key === undefined ? [] : [{ kernel: n, array: t.copies[n]!.name, key }]))
    return {
      kernels: [...t.kernels, named(kernel, t.aliases, subject.own)],
      program: { ...given, arrays: [...given.arrays, ...t.copies] },
      copies,
      vectorSizes: { ...rowSizes([...arrays, ...t.copies]), ...steps },
    }
  }
  const better = whole ? changed(copied, part, roles.k) : [],
    [left, right] = factors.map((f) => better.includes(f)),
    uneven = !isRectangular(part, roles.k)
  const shape = {
    ...roles,
    sliceable: whole && canSlice(part, roles.k),
    half: part.guard !== undefined,
    left: left === true,
    right: right === true,
  }
  // a contraction has a reduction
  const sized = (p: ContractionPoint): ContractionPoint => (isSum(part.reduction!) ? p : short(p))
  const shares = subject.own.size > 0
  const bytes = Math.max(bytesOf[roles.left.array.type], bytesOf[roles.right.array.type])
  return {
    name: 'contraction',
    vectorSizes: { ...rowSizes(arrays), ...steps },
    ladder: ladderOf(better.length > 0).map((r) => ({ ...r, point: fitting(sized(r.point), bytes) })),
    space: spaceOf()
      .map(sized)
      .filter((p) => sharedOf(p, bytes) <= mostShared),
    build: (point) =>
      made(
        point,
        (program, nest_, r) =>
          isDirect(point) ? direct(program, nest_, r, point) : tiled(program, nest_, r, point, 'zeros', shares),
        false,
      ),
    // ptxas moves prefetched loads down to their use unless a branch holds them: 2.79 ms against 3.22 at 4096³ on an
    // H200. Guards of loads hold them in place as well, which tiles of 8 × 16 outputs a thread gain from (2.71 against
    // 2.85 for 128 × 128, pipelined rows) and smaller ones do not (2.93 against 2.91 for 64 × 128). Multiplying a row
    // behind the loads: 2.78 → 2.72 for 128 × 256, 2.86 → 2.71, 2.94 → 2.77 for 64 × 256, 3.06 → 2.91, 3.17 → 2.95 for
    // 64 × 64. Of convolutions, 128 × 256 and tiles of 8 × 8 outputs a thread gain (0.94 to 0.98); 64 × 256 with guards
    // and a row behind gave 0.97 in one and 1.13 in a transposed one: it keeps neither. A left factor is turned on the
    // way as fast as in a copy; squares were not measured there.
    forCuda: (point) =>
      !isDirect(point) && point.prefetch
        ? {
            ...point,
            prefetch: 2,
            squares: 0,
            ...(point.turn && { turn: right === true || uneven ? 1 : 0 }),
            exact: point.tm * point.tn < 128 ? 1 : 0,
            ...(isComputed && point.tm * point.tn >= 128 && point.bm * point.bn < 128 * 256
              ? { exact: 1, pipeline: 0 }
              : {}),
          }
        : point,
    rounds: (point) =>
      slicesOf(point) > 1
        ? Object.fromEntries(
            sizesIn(sub(roles.k.upper, roles.k.lower)).map((name) => [name, point.bk * slicesOf(point)]),
          )
        : {},
    likely: (values, multiprocessors, target) =>
      likelyTiles(shape, { ...values, sizes: { ...known, ...values.sizes } }, multiprocessors, target).map((p) =>
        fitting(sized(p), bytes),
      ),
    likelyWithin: 1.25,
    smaller: smallerTiles,
    buildExact: (point) => {
      if (isDirect(point)) return undefined
      const { end, copies } = turns(point)
        ? onTransposedCopies({ ...transposing, step: point.bk })
        : { end: undefined, copies: [] }
      const all = point.whole === 1 || !(isRectangular(part, roles.k) || end)
      const requires = [
        ...wholeTiles(part, { ...roles, ...(end && { end }) }, point, all),
        ...(end ? aligned(rowSizes([...arrays, ...copies])) : []),
      ]
      return {
        ...made(point, (program, nest_, r) => tiled(program, nest_, r, point, all ? 'none' : 'nearest', shares), true),
        requires,
      }
    },
  }
}

const named = (
  kernel: Scheduled,
  aliases: Readonly<Record<string, string>>,
  own: ReadonlyMap<string, string>,
): Scheduled => joined(Object.keys(aliases).length > 0 ? { ...kernel, aliases } : kernel, own)

/**
 * Rows, columns and terms, and products of all together, from which on tiles are worth more than what sums share that
 * are made in one walk.
 */
const fewestTiled = 32,
  fewestProducts = 2 ** 25

/** Whether the nest is a contraction of two operands that is large enough to be one of its own. */
export function isTiled(given: Program, nest: Nest): boolean {
  const subject = apart(given, bare(nest)),
    roles = rolesOf(subject.program, subject.part)
  const extent = (l: Loop): number => planned(given, l.lower, l.upper, 1)
  return (
    roles !== undefined &&
    [roles.i, roles.j, roles.k].every((l) => extent(l) >= fewestTiled) &&
    [...nest.parallel, roles.k].reduce((n, l) => n * extent(l), 1) >= fewestProducts
  )
}

/** The part with a name of its own for each operand. */
interface Apart {
  readonly program: Program
  readonly part: Nest
  /** The array that a new name stands for. */
  readonly aliases: Readonly<Record<string, string>>
  /** Names that stand for the output, elsewhere: the nest reads what no point of it writes. */
  readonly own: ReadonlyMap<string, string>
}

/**
 * Two reads of one array at different places are two operands: the second gets a name of its own, and so does what is
 * read of the output.
 */
function apart(given: Program, nest: Nest): Apart {
  let program = given,
    part = nest
  const r = nest.reduction,
    aliases: Record<string, string> = {},
    own = new Map<string, string>()
  const reads = (r ? uniqueReads(r.value) : []).filter((x) =>
    r?.loops.some((l) => x.index.some((e) => uses(e, l.name))),
  )
  if (!r || reads.length !== 2) return { program, part, aliases, own }
  for (const [n, x] of reads.entries()) {
    const array = given.arrays.find((a) => a.name === x.array),
      isOwn = array?.name === nest.out.array.name
    if (!array || !(isOwn || (n === 1 && array.name === reads[0]!.array))) continue // there are two
    const alias = { ...array, name: freshName(program, `${array.name}_again`) }
    program = { ...program, arrays: [...program.arrays, alias] }
    part = {
      ...part,
      reduction: {
        ...part.reduction!,
        value: rewriteExpr(part.reduction!.value, (y) =>
          y.kind === 'read' && exprKey(y) === exprKey(x) ? { ...y, array: alias.name } : undefined,
        ),
      },
    } // it has one
    if (isOwn) own.set(alias.name, array.name)
    else aliases[alias.name] = array.name
  }
  return { program, part, aliases, own }
}

/** The kernel without the names that stand for its output. */
function joined(kernel: Scheduled, own: ReadonlyMap<string, string>): Scheduled {
  if (own.size === 0) return kernel
  const f = (e: Expr): Expr =>
    // it has
    rewriteExpr(e, (x) => (x.kind === 'read' && own.has(x.array) ? { ...x, array: own.get(x.array)! } : undefined))
  return {
    ...kernel,
    program: {
      ...kernel.program,
      arrays: kernel.program.arrays.filter((a) => !own.has(a.name)),
      body: kernel.program.body.map((s) => mapStmtExprs(s, f)),
    },
  }
}

function rolesOf(program: Program, part: Nest): Roles | undefined {
  const r = part.reduction
  const k = r?.loops.length === 1 ? r.loops[0] : undefined
  if (!r || !k || part.parallel.length < 2 || part.parallel.length > 3) return undefined
  const last = part.out.index.findLast((e) => part.parallel.some((l) => uses(e, l.name)))
  const lastOf = part.parallel.find((l) => last && uses(last, l.name))
  const reads = uniqueReads(r.value).filter((x) => x.index.some((e) => uses(e, k.name)))
  if (!lastOf || reads.length !== 2) return undefined
  const usesLoop = (x: Read, l: Loop): boolean => x.index.some((e) => uses(e, l.name))
  // a few results for each element of a row (the gates of a cell): tiles are of rows, one result at a time
  const longer = (l: Loop | undefined): Loop | undefined =>
    l && isShort(l)
      ? (part.parallel.find((m) => !isShort(m) && reads.every((x) => usesLoop(x, l) === usesLoop(x, m))) ?? l)
      : l
  const j = longer(lastOf)!
  const i = longer(
    part.parallel.find(
      (l) =>
        l !== j &&
        reads.some((x) => usesLoop(x, l) && !usesLoop(x, j)) &&
        reads.some((x) => !usesLoop(x, l) && usesLoop(x, j)),
    ),
  )
  const left = reads.find((x) => i && usesLoop(x, i)),
    right = reads.find((x) => usesLoop(x, j))
  if (!i || !left || !right || left === right) return undefined
  const batch = part.parallel.filter((l) => l !== i && l !== j)
  if (isThin(i, j, k)) return undefined
  if (part.guard && !conjuncts(part.guard).every((c) => inequalityOf(c))) return undefined
  const of = (x: Read): ArrayDecl | undefined => program.arrays.find((a) => a.name === x.array)
  const [a, b] = [of(left), of(right)]
  const once = (x: ArrayDecl | undefined): boolean =>
    uniqueReads(r.value).filter((y) => y.array === x?.name).length === 1
  if (!once(a) || !once(b)) return undefined
  if (!a || !b || a === b || part.out.array.name === a.name || part.out.array.name === b.name) return undefined
  const simple = [left, right].every((x) => x.index.every((e) => isUnit(e)))
  return simple ? { i, j, k, batch, left: { array: a, read: left }, right: { array: b, read: right } } : undefined
}

/** Less than a warp's width of results. */
const isShort = (l: Loop): boolean => (constantExtent(l) ?? Infinity) < 32

/** A short sum over less than a warp's width of results, or fewer results than a tile has: too little for tiles. */
const isThin = (i: Loop, j: Loop, k: Loop): boolean =>
  ((literal(k.upper) ?? Infinity) <= 32 && [i, j].some(isShort)) ||
  (constantExtent(i) ?? Infinity) * (constantExtent(j) ?? Infinity) <= fewestResults

/** Results of a matrix that threads make as sums of rows instead. */
const fewestResults = 64

/** At most one loop per dimension, with coefficient 1. */
const isUnit = (e: Expr): boolean => {
  const a = affineOf(e)
  if (!a) return false
  const loops = [...a.terms].filter(([n]) => !n.startsWith('$'))
  return loops.length <= 1 && loops.every(([n]) => coefficient(a, n) === 1)
}

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** `turns`: a factor lies with k inside. */
function ladderOf(turns: boolean): readonly Rung<ContractionPoint>[] {
  const tile = {
    bm: 16,
    bn: 16,
    bk: 16,
    tm: 1,
    tn: 1,
    lanesI: 2,
    lanesJ: 16,
    vector: 1,
    pad: 0,
    prefetch: 0,
    buffers: 1,
    unrollK: 1,
  }
  const many = { ...tile, bm: 128, bn: 128, bk: 16, tm: 8, tn: 8, lanesI: 4, lanesJ: 8, pad: 4, unrollK: 1 }
  const wide = { ...many, bn: 256, tn: 16, lanesI: 8, lanesJ: 4, vector: 4 }
  const large = { ...wide, prefetch: 1, buffers: 1, unrollK: 16, pipeline: 2 }
  return [
    { step: 'naive: one thread per output, neighbours down a column', point: { bk: 0, bm: 16, bn: 16, fast: 0 } },
    { step: 'coalesced: neighbours along a row', point: { bk: 0, bm: 16, bn: 16, fast: 1 } },
    { step: 'tiled in workgroup memory', point: tile },
    { step: 'conflict-free: padded rows', point: { ...tile, pad: 1 } },
    { step: 'several outputs per thread', point: many },
    { step: 'vector loads and stores', point: { ...many, vector: 4 } },
    { step: 'prefetch of the next tile', point: { ...many, vector: 4, prefetch: 1, buffers: 2 } },
    { step: 'unrolled, warp-tiled, larger tiles', point: { ...large, squares: 1 } },
    ...(turns ? [{ step: 'factors turned first', point: { ...large, turn: 1 } }] : []),
  ]
}

function spaceOf(): readonly TilePoint[] {
  const out: TilePoint[] = []
  for (const [tm, tn] of [
    [4, 4],
    [8, 4],
    [4, 8],
    [8, 8],
    [8, 16],
    [16, 8],
  ] as const) {
    for (const [ty, tx] of [
      [8, 8],
      [8, 16],
      [16, 8],
      [16, 16],
      [16, 32],
      [32, 16],
      [4, 32],
      [8, 32],
    ] as const) {
      for (const bk of [8, 16, 32]) {
        for (const [lanesI, lanesJ] of [
          [4, 8],
          [8, 4],
          [2, 16],
        ] as const) {
          for (const buffers of [1, 2]) {
            const point = {
              bm: ty * tm,
              bn: tx * tn,
              bk,
              tm,
              tn,
              lanesI,
              lanesJ,
              vector: 4,
              pad: 4,
              prefetch: 1,
              buffers,
              unrollK: bk,
              pipeline: buffers === 1 ? 2 : 0,
            }
            if (feasible(point)) out.push(point)
          }
        }
      }
    }
  }
  return out
}

/** Bytes of workgroup memory of the tiles of both factors, whose elements have up to `bytes`. */
const sharedOf = (p: ContractionPoint, bytes: number): number =>
  isDirect(p) ? 0 : p.buffers * p.bk * (p.bm + p.bn + 2 * p.pad) * bytes

const isSum = (r: Reduction): boolean => r.op === 'add' && (isFloat(r.value.type) || factorsOf(r.value).length > 1)

/**
 * Of what is no sum, at most 64 results a thread, and few steps written out: a driver's compiler did not come back from
 * 2048 least sums of integers in a row, which it may take apart and join as it likes, unlike sums of floats.
 */
function short(p: ContractionPoint): ContractionPoint {
  if (isDirect(p)) return p
  const over = 2 ** Math.max(0, Math.ceil(Math.log2((p.tm * p.tn) / 64)))
  return { ...p, bn: p.bn / over, tn: p.tn / over, unrollK: Math.min(4, p.unrollK) }
}

/** The point with steps as deep as leave room for wide elements. */
function fitting(p: ContractionPoint, bytes: number): ContractionPoint {
  const bk = p.bk / 2
  if (isDirect(p) || sharedOf(p, bytes) <= mostShared || (bk < 8 && p.buffers === 1)) return p
  return fitting(bk >= 8 ? { ...p, bk, unrollK: Math.min(p.unrollK, bk) } : { ...p, buffers: 1 }, bytes)
}

/** Shallower tiles, then narrower ones, with as many outputs a thread and then with fewer. */
function smallerTiles(p: ContractionPoint): readonly TilePoint[] {
  if (isDirect(p)) return []
  const shallow = [16, 8, 4].filter((bk) => bk <= p.bk)
  const widths = [
    [1, 1],
    [1, 2],
    [2, 2],
    [2, 4],
  ] as const
  const outputs = [
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const
  const points = outputs.flatMap(([ti, tj]) =>
    widths.flatMap(([i, j]) =>
      shallow.map((bk): TilePoint => {
        const [tm, tn] = [Math.max(1, p.tm / ti), Math.max(1, p.tn / tj)]
        return {
          ...p,
          bm: p.bm / i,
          bn: p.bn / j,
          tm,
          tn,
          bk,
          unrollK: Math.min(p.unrollK, bk),
          buffers: 1,
        }
      }),
    ),
  )
  return points.filter((q) => sharedOf(q, 4) < sharedOf(p, 4) && feasible(q))
}

function feasible(p: TilePoint): boolean {
  const count = (p.bm / p.tm) * (p.bn / p.tn)
  const copies = (p.bm * p.bk) / count >= 4 && (p.bn * p.bk) / count >= 4
  const lanes = p.bm / p.tm >= p.lanesI && p.bn / p.tn >= p.lanesJ
  return count >= 64 && count <= 512 && sharedOf(p, 4) <= mostShared && copies && lanes
}

// ── schedules ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** No staging: each thread computes one output from global memory. */
function direct(program: Program, part: Nest, { i, j, batch }: Roles, p: DirectPoint): Scheduled {
  const [bm, bn] = [p.bm, p.bn]
  const along = p.fast === 1
  let s = script(nestProgram(program, part))
  s = step(s, `split ${i.name} by ${bm} and ${j.name} by ${bn}: one block per tile, one thread per output`, (q) =>
    split(split(q, { loop: i.name, factor: bm, outer: 'block_i', inner: 'thread_i' }), {
      loop: j.name,
      factor: bn,
      outer: 'block_j',
      inner: 'thread_j',
    }),
  )
  s = step(s, null, (q) =>
    reorder(q, { order: [...batch.map((b) => b.name), 'block_i', 'block_j', 'thread_i', 'thread_j'] }),
  )
  s = step(s, `neighbouring threads take neighbouring ${along ? j.name : i.name}`, (q) =>
    bindAll(q, [
      ...batch.map((b) => [b.name, block('z')] as const),
      ['block_i', block('y')],
      ['block_j', block('x')],
      ['thread_i', threads(along ? bn : 1)],
      ['thread_j', threads(along ? 1 : bm)],
    ]),
  )
  return { program: s.program, name: program.name, steps: s.steps }
}

const endWords = {
  zeros: 'zeros stand where tiles reach past the ends',
  nearest: 'where tiles reach past the ends, the nearest elements are loaded and nothing is stored',
  none: 'tiles divide the sizes: no guards',
} as const

/**
 * Whole tiles divide k (when it is the same for all outputs, or all that the widest sum takes), and with `all` the
 * outputs.
 */
function wholeTiles(part: Nest, { i, j, k, end }: Roles, p: TilePoint, all: boolean): readonly Expr[] {
  const divides = (e: Expr, tile: number): Expr => op('eq', [mod(e, tile), int(0)]),
    whole = (l: Loop, tile: number): Expr => divides(sub(l.upper, l.lower), tile)
  const deep = isRectangular(part, k) && !end ? [whole(k, (onUnits(p) ? termsTogether : p.bk) * slicesOf(p))] : []
  return [...(all ? [whole(i, p.bm), whole(j, p.bn)] : []), ...deep]
}

const isRectangular = (part: Nest, k: Loop): boolean =>
  !part.parallel.some((l) => uses(k.lower, l.name) || uses(k.upper, l.name))

/**
 * `shares`: other elements of the output are read. `ends`: what stands where tiles reach past the ends: zeros, at any
 * size; the nearest elements, where whole tiles divide k; nothing, where they divide all.
 */
function tiled(
  program: Program,
  given: Nest,
  roles: Roles,
  p: TilePoint,
  ends: 'zeros' | 'nearest' | 'none',
  shares: boolean,
): Scheduled {
  const units = onUnits(p),
    scales = units ? scalesOf(given) : undefined,
    part = scales?.part ?? given
  const { i, j, k, batch, end } = roles,
    tail = ends === 'none' ? 'divides' : 'guard'
  const [bm, bn, bk, tm, tn, vector] = [p.bm, p.bn, p.bk, p.tm, p.tn, p.vector]
  const [ty, tx] = [bm / tm, bn / tn]
  const lanesI = Math.min(p.lanesI, ty),
    lanesJ = Math.min(p.lanesJ, tx)
  const chunk = (n: number): number => (vector > 1 && n % vector === 0 ? vector : 1)
  const [ci, cj] = units ? [1, 4] : [chunk(tm), chunk(tn)]
  const rows = splitLevels(
    nestProgram(program, part),
    i.name,
    'block_i',
    [
      { name: 'warp_i', extent: ty / lanesI },
      { name: 'part_i', extent: tm / ci },
      { name: 'lane_i', extent: lanesI },
      { name: 'vi', extent: ci },
    ],
    tail,
  )
  const both = splitLevels(
    rows.program,
    j.name,
    'block_j',
    [
      { name: 'warp_j', extent: tx / lanesJ },
      { name: 'part_j', extent: tn / cj },
      { name: 'lane_j', extent: lanesJ },
      { name: 'vj', extent: cj },
    ],
    tail,
  )
  const present = new Set([...rows.names, ...both.names])
  const keep = (names: readonly string[]): readonly string[] => names.filter((n) => present.has(n))
  const threadLoops = keep(['warp_i', 'warp_j', 'lane_i', 'lane_j']),
    own = keep(['part_i', 'vi', 'part_j', 'vj'])
  const blocks = [...batch.map((b) => b.name), 'block_i', 'block_j']

  const depth = end
    ? (q: Program): Program => widen(q, { k: k.name, blocks, step: bk, end })
    : (q: Program): Program => q
  const stepwise = end !== undefined || (ends !== 'zeros' && isRectangular(part, k))
  let s: Script = {
    program: both.program,
    steps: [
      `tile ${i.name} × ${j.name} by ${bm} × ${bn}: one block of ${ty * tx} threads per tile, ` +
        `${tm} × ${tn} outputs per thread`,
    ],
  }
  s = step(s, null, (q) => depth(reorder(q, { order: [...blocks, ...threadLoops, ...own] })))
  s = step(s, 'accumulate in registers: the reduction moves outside of the outputs of a thread', (q) =>
    threadLoops.length + own.length > 0
      ? registerTile(q, { tile: [...threadLoops, ...own] })
      : fail('schedule.contraction', 'a tile needs more than one output'),
  )
  const slices = slicesOf(p)
  if (slices > 1)
    s = {
      ...s,
      steps: [
        ...s.steps,
        `${slices} blocks share a tile's sum: each takes every ${slices}th step of ${bk} along ${k.name}`,
      ],
    }
  else
    s = step(s, `tile ${k.name} by ${bk}`, (q) =>
      split(q, { loop: k.name, factor: bk, outer: 'tile_k', inner: 'kk', tail: stepwise ? 'divides' : 'guard' }),
    )
  const operands = [roles.left.array, roles.right.array],
    nearest = ends === 'nearest'
  s = step(s, endWords[ends], (q) =>
    pad(q, {
      into: part.reduction!.into.name,
      reduction: ['tile_k', 'kk'],
      staged: nearest ? operands.map((a) => a.name) : [],
    }),
  )
  const copies = [stageOperand(roles.left, i, k, p), stageOperand(roles.right, j, k, p)]
  for (const c of copies)
    s = step(s, c.words, (q) =>
      stage(q, {
        ...c.options,
        at: 'tile_k',
        threads: ty * tx,
        squares: p.squares === 1,
        ...(nearest && { clamp: { multiples: new Set(Object.keys(rowSizes(operands))) } }),
      }),
    )
  s = step(s, null, (q) => reorder(q, { order: [...threadLoops, 'kk', ...own] }))
  if (own.length > 0 && !units) {
    const fragments: string[] = []
    for (const [n, c] of copies.entries()) {
      const used = keep(n === 0 ? ['part_i', 'vi'] : ['part_j', 'vj'])
      if (used.length === 0) continue
      s = step(s, null, (q) => fragment(q, { array: c.options.as, at: 'kk', as: c.fragment, vector: true }))
      fragments.push(c.fragment)
    }
    s = {
      ...s,
      steps: [...s.steps, 'load each row of the tiles into registers once, in vectors where they are contiguous'],
    }
    // rows that are not written out would be chosen at run time, which registers cannot be
    const across =
      p.pipeline === 2 && p.unrollK === bk && fragments.length === copies.length
        ? pipelineAcross(s.program, { tiles: 'tile_k', loop: 'kk', arrays: fragments })
        : undefined
    if (across && !isInapplicable(across)) s = step(s, 'multiply one row behind the loads, across tiles', () => across)
    else if (p.pipeline === 1)
      s = step(s, 'load the next row while computing with the current one', (q) =>
        pipeline(q, { loop: 'kk', arrays: fragments }),
      )
  }
  s = step(s, null, (q) => liftChoice(q, { loop: 'kk' }))
  if (p.prefetch)
    s = step(s, 'prefetch the next tiles into registers while computing', (q) =>
      prefetch(q, {
        loop: 'tile_k',
        arrays: copies.map((c) => c.options.as),
        last: p.prefetch === 2 ? 'skip' : 'again',
      }),
    )
  if (p.buffers === 2)
    s = step(s, 'two buffers in turn: one barrier per tile', (q) =>
      doubleBuffer(q, { loop: 'tile_k', arrays: copies.map((c) => c.options.as) }),
    )
  const loads = uniqueReads(part.out.value).some((x) => x.array !== part.reduction!.into.name)
  if (part.guard || loads)
    s = step(s, 'tiles all of whose outputs are stored do not ask', (q) =>
      wholeTile(q, {
        loop: 'block_j',
        array: part.out.array.name,
        first: own,
        alone: !shares,
        ...(nearest && { multiples: new Set(Object.keys(rowSizes([...operands, part.out.array]))) }),
      }),
    )
  const inside = part.guard
    ? someOutput(part.guard, [
        [i, 'block_i', bm],
        [j, 'block_j', bn],
      ])
    : []
  if (inside.length > 0)
    s = step(s, 'blocks whose outputs are all guarded away do nothing', (q) =>
      replaceLoops(q, 'block_j', (l) => [{ ...l, body: withGuard(inside, l.body) }]),
    )
  if (uses(k.upper, i.name) && !uses(k.lower, i.name))
    s = step(s, 'blocks with the longest sums first', (q) => replaceLoops(q, 'block_i', (l) => [backwards(l)]))
  s = step(s, null, (q) => bindTile(q, p, { ty, tx, lanesI, lanesJ, bk, batch: batch.map((b) => b.name) }))
  if (units) {
    const [left, right] = copies.map((c, n) => ({
      tile: c.options.as,
      own: n === 0 ? 'lane_i' : 'lane_j',
      scale: n === 0 ? scales?.left : scales?.right,
    }))
    s = step(
      s,
      'multiply matrices of 16 × 16 by warps: factors as two numbers of f16 each, three products, sums in f32',
      (q) => onMatrixUnits(q, p, part.reduction!.into.name, left!, right!, stepwise && !end ? 'all' : 'some'),
    ) // two copies; a contraction has a sum
  }
  return { program: s.program, name: program.name, steps: s.steps }
}

/** On matrix units; constants that the sum is multiplied by scale the factors first. */
const onUnits = (p: TilePoint): boolean => (p.units ?? 0) > 0

/** Slices of the sum, which blocks take. */
const slicesOf = (p: ContractionPoint): number => (isDirect(p) ? 1 : (p.slices ?? 1))

/** A loop from 0 in steps of 1 that counts down. */
const backwards = (l: Loop): Loop => ({
  ...l,
  body: l.body.map((x) => substituteStmt(x, new Map([[l.name, sub(sub(l.upper, int(1)), loopVar(l.name))]]))),
})

/**
 * Of a guard of outputs: what must hold of a tile's block loops that one of its outputs may pass. Each conjunct at the
 * outputs where it is most generous.
 */
function someOutput(
  guard: Expr,
  tiles: readonly (readonly [loop: Loop, block: string, extent: number])[],
): readonly Expr[] {
  return conjuncts(guard).flatMap((c) => {
    let f = inequalityOf(c)
    for (const [l, block, extent] of tiles) {
      const own = f ? coefficient(f, l.name) : 0,
        first = affineOf(l.lower)
      if (!f || own === 0) continue
      if (!first) return []
      const start = addScaled(first, affineName(block), extent)
      f = addScaled(
        addScaled(f, affineName(l.name), -own),
        addScaled(start, affineConstant(own > 0 ? extent - 1 : 0), 1),
        own,
      )
    }
    return f && tiles.some(([, block]) => coefficient(f, block) !== 0) ? [conditionOf(f)] : []
  })
}

interface Layout {
  readonly ty: number
  readonly tx: number
  readonly lanesI: number
  readonly lanesJ: number
  readonly bk: number
  readonly batch: readonly string[]
}

function bindTile(program: Program, p: TilePoint, g: Layout): Program {
  const warp = g.lanesI * g.lanesJ
  const unrollK = p.unrollK
  const bound = bindAll(program, [
    ...g.batch.map((b) => [b, block('z')] as const),
    ['block_i', block('y')],
    ['block_j', block('x')],
    ['lane_j', threads(1)],
    ['lane_i', threads(g.lanesJ)],
    ['warp_j', threads(warp)],
    ['warp_i', threads(warp * (g.tx / g.lanesJ))],
    ['part_i', unroll],
    ['vi', unroll],
    ['part_j', unroll],
    ['vj', p.vector > 1 && p.tn % p.vector === 0 ? { kind: 'vector' } : unroll],
  ])
  if (unrollK === g.bk) return bind(bound, { loop: 'kk', to: unroll })
  if (unrollK === 1) return bound
  return bind(split(bound, { loop: 'kk', factor: unrollK, outer: 'k4', inner: 'ku', tail: 'exact' }), {
    loop: 'ku',
    to: unroll,
  })
}

interface Copy {
  readonly options: {
    readonly array: string
    readonly as: string
    readonly order: readonly number[]
    readonly pad: number
    readonly vector: number
  }
  readonly fragment: string
  readonly words: string
}

/** A staged operand has k outside and its own loop inside, whatever its layout in global memory. */
/** On matrix units as it lies. */
function stageOperand({ array, read }: Operand, own: Loop, k: Loop, p: TilePoint): Copy {
  const dimOf = (l: Loop): number => read.index.findIndex((e) => uses(e, l.name))
  const [dk, dOwn] = [dimOf(k), dimOf(own)]
  const rest = read.index.map((_, d) => d).filter((d) => d !== dk && d !== dOwn)
  const lies = onUnits(p),
    turned = dOwn < dk && !lies
  const vector = Math.max(dk, dOwn) === read.index.length - 1 && !array.computed ? p.vector : 1
  const turnedWords = turned ? `, turned so that ${own.name} is contiguous` : ''
  const paddedWords = turned && p.pad ? `, rows padded by ${p.pad}` : ''
  const vectorWords = vector > 1 ? `, ${vector} elements per load` : ''
  return {
    options: {
      array: array.name,
      as: `${array.name}_tile`,
      order: [...rest, ...(lies && dOwn < dk ? [dOwn, dk] : [dk, dOwn])],
      pad: turned || lies ? p.pad : 0,
      vector,
    },
    fragment: `${array.name.toLowerCase()}_row`,
    words: `stage ${array.name} in workgroup memory${turnedWords}${paddedWords}${vectorWords}`,
  }
}
