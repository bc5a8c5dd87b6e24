// Elementwise and stencil: every point is computed from few elements around it. Threads run along contiguous memory;
// each takes several points: neighbours (vectors) where reads line up, or a column of points, so that loads overlap.
// A reduction with constant bounds inside (a convolution) is written out, its input tile with halo staged on request.
import { isInapplicable } from '../../../base/index.ts'
import {
  affineOf,
  bytesOf,
  coefficient,
  int,
  nestProgram,
  constantExtent,
  exprKey,
  rewriteExpr,
  uses,
  measuredChip,
  type Chip,
  type Loop,
  type Program,
  type Nest,
  type Read,
} from '../../../ir/index.ts'
import { planned, footprint } from '../../../analysis/index.ts'
import { fewPoints } from '../thread-per-point.ts'
import { bind } from '../../primitives/bind.ts'
import { pad } from '../../primitives/pad.ts'
import { registerTile } from '../../primitives/register-tile.ts'
import { reorder } from '../../primitives/reorder.ts'
import { declarationOf, locate, stage } from '../../primitives/stage.ts'
import { bindAll, splitLevels, step, type Script } from '../../script.ts'
import { cellsOfNests, withWords } from './subwords.ts'
import { block, rowSizes, threads, unroll, type Rung, type Scheduled, type Sketch } from '../sketch.ts'
import { counted } from '../step-words.ts'
import { blocksOn } from '../resident-blocks.ts'

/** Parameters of an element per result. */
export type ElementwisePoint = {
  /** Threads of a block. */
  readonly threads: number
  /** Neighbours that a thread loads and stores at once. */
  readonly vector: number
  /** Vectors of a thread, next to each other. */
  readonly run: number
  /** Blocks that walk over a long row; 0: a block for each part of it. */
  readonly blocks: number
  /** Rows that the threads of a block share; absent in points measured before blocks shared rows: one. */
  readonly rows?: number
}

/** Parameters of a window of elements per result. */
export type StencilPoint = {
  /** Threads of a block along a row, and across rows. */
  readonly tx: number
  readonly ty: number
  /** Results of a thread down a column. */
  readonly points: number
  /** 1: the tile with its halo lies in workgroup memory. */
  readonly staged: number
  /** 1: the window is written out. */
  readonly open: number
  /** 0: neighbouring threads take neighbours down a column. */
  readonly fast?: number
}

export type PointwisePoint = ElementwisePoint | StencilPoint

/**
 * The sketch of `part`, or `undefined` when it has an unbounded reduction or no contiguous write; bytes in whole words,
 * too.
 */
export function pointwise(program: Program, part: Nest, chip: Chip = measuredChip): Sketch | undefined {
  const sketch = plainPointwise(program, part, chip)
  return sketch && withWords(program, cellsOfNests(program, [part]), sketch)
}

/** The same without points for bytes, if asked as a stencil, though it be none. */
export function plainPointwise(
  program: Program,
  part: Nest,
  chip: Chip,
  as?: 'stencil',
): Sketch<PointwisePoint> | undefined {
  const r = part.reduction
  if (r && !r.loops.every((l) => constantExtent(l) !== undefined)) return undefined
  const last = part.out.index[part.out.index.length - 1]
  const a = last && affineOf(last)
  const j = a && part.parallel.find((l) => coefficient(a, l.name) === 1)
  if (!j) return undefined
  const i = part.parallel.filter((l) => l !== j).pop()
  const vectorSizes = sizesOf(program, part, j)
  const window = as !== undefined || r || shifted(part),
    isShort = (l: Loop): boolean => (constantExtent(l) ?? Infinity) < fewPoints
  // blocks of such rows, and of rows of such rows, would be mostly idle
  if (i && isShort(j) && (isShort(i) ? part.parallel.length > 2 || window : window && part.parallel.length === 2))
    return undefined
  return window && i
    ? { name: 'stencil', vectorSizes, ...stencil(program, part, i, j) }
    : { name: r ? 'stencil' : 'elementwise', vectorSizes, ...elementwise(program, part, chip, i, j) }
}

function readsOf(part: Nest): readonly Read[] {
  const out: Read[] = []
  const collect = (e: Parameters<typeof rewriteExpr>[0]): void => {
    rewriteExpr(e, (x) => {
      if (x.kind === 'read') out.push(x)
      return undefined
    })
  }
  if (part.reduction) collect(part.reduction.value)
  collect(part.out.value)
  return out
}

/** Several reads of one array at places that move alike. */
const shifted = (part: Nest): boolean => {
  const places = new Map(
    readsOf(part).map((r) => [
      exprKey(r),
      `${r.array} ${part.parallel.map((l) => r.index.some((e) => uses(e, l.name)))}`,
    ]),
  )
  return new Set(places.values()).size < places.size
}

/** Of arrays that neighbours along `j` touch in neighbouring elements: others need no alignment. */
function sizesOf(program: Program, part: Nest, j: Loop): Readonly<Record<string, number>> {
  const places = [{ array: part.out.array.name, index: part.out.index }, ...readsOf(part)],
    names = new Set(places.filter((r) => r.index.some((e) => uses(e, j.name))).map((r) => r.array))
  return rowSizes(program.arrays.filter((a) => names.has(a.name)))
}

type Space<P extends PointwisePoint> = Omit<Sketch<P>, 'name' | 'vectorSizes'>

// ── elementwise ───────────────────────────────────────────────────────────────────────────────────────────────────

function elementwise(program: Program, part: Nest, gpu: Chip, i: Loop | undefined, j: Loop): Space<ElementwisePoint> {
  const length = planned(program, j.lower, j.upper, 1),
    blocksFor = blocksOn(gpu),
    walked = length > blocksFor(8) * 256
  const blocks = walked ? blocksFor(8) : 0
  const row = (vector: number, threads = 256): ElementwisePoint => ({
    threads,
    vector,
    run: 1,
    blocks,
    rows: i ? rowsOf(length / vector, threads) : 1,
  })
  const ladder: readonly Rung<ElementwisePoint>[] = [
    {
      step: 'naive: each thread takes a run of neighbours',
      point: { threads: 256, vector: 1, run: 16, blocks: 0, rows: 1 },
    },
    { step: 'coalesced: neighbouring threads take neighbours', point: row(1) },
    { step: 'vector loads and stores', point: row(4) },
  ]
  const space: ElementwisePoint[] = []
  for (const t of [64, 128, 256, 512])
    for (const v of [1, 2, 4])
      for (const blocks of walked ? [...[4, 8, 16, 32].map(blocksFor), 16384] : [0])
        space.push({ ...row(v, t), blocks })
  const bytes = bytesTouched(program, part)
  return {
    ladder,
    space,
    build: (p) => ({ program, kernels: [buildElementwise(program, part, i, j, p)] }),
    // A block for each part of what lies in memory reads 6 % faster in CUDA than blocks that walk; what the last cache
    // holds, 12 % slower (bench/data/h100-pointwise.json).
    ...(walked && {
      forCuda: (p: ElementwisePoint, chip?: Chip) => (bytes > (chip?.l2Bytes ?? 0) ? { ...p, blocks: 0 } : p),
    }),
  }
}

/** Bytes of the planned arrays that the nest reads or writes. */
function bytesTouched(program: Program, part: Nest): number {
  const names = new Set([part.out.array.name, ...readsOf(part).map((r) => r.array)])
  return program.arrays
    .filter((a) => names.has(a.name))
    .reduce((sum, a) => sum + a.shape.reduce<number>((n, e) => n * planned(program, int(0), e, 1), bytesOf[a.type]), 0)
}

/**
 * Rows per block of `threads`, so that few of them have no element of a row of `width`; one where rows are planned
 * empty.
 */
function rowsOf(width: number, threads: number): number {
  if (width <= 0) return 1
  const waste = (t: number): number => (Math.ceil(width / t) * t) / width
  const least = Math.min(
    ...halvings(threads)
      .filter((t) => t >= 8 || t >= width)
      .map(waste),
  )
  return threads / halvings(threads).find((t) => waste(t) <= 1.05 * least)! // the least is one of them
}

/** `n`, half of it … and 1; a power of two. */
const halvings = (n: number): readonly number[] => (n === 1 ? [1] : [n, ...halvings(n / 2)])

/**
 * Blocks of a fixed number walk through a long row; with a second loop a block has several short rows, or a part of
 * one.
 */
function buildElementwise(program: Program, part: Nest, i: Loop | undefined, j: Loop, p: ElementwisePoint): Scheduled {
  const rows = p.rows ?? 1
  const [t, v, run] = [p.threads / rows, p.vector, p.run]
  const others = part.parallel
    .filter((l) => l !== j && (rows === 1 || l !== i))
    .map((l) => l.name)
    .reverse()
  const walk = !i && p.blocks > 0
  const levels = splitLevels(nestProgram(program, part), j.name, walk ? 'walk' : 'block_j', [
    ...(walk ? [{ name: 'block_j', extent: p.blocks }] : []),
    { name: 'thread_j', extent: t },
    { name: 'run', extent: run },
    { name: 'vj', extent: v },
  ])
  const both =
    i && rows > 1 ? splitLevels(levels.program, i.name, 'block_i', [{ name: 'thread_i', extent: rows }]) : undefined
  const elements = `${counted(v * run, 'element')} each`
  let s: Script = {
    program: (both ?? levels).program,
    steps: [
      both
        ? `${rows} rows per block, ${counted(t, 'thread')} each, ${elements}`
        : `${t} threads per block, ${elements}${walk ? `; ${p.blocks} blocks walk over the array` : ''}`,
    ],
  }
  const front = [
    ...(both ? ['block_i'] : []),
    'block_j',
    ...(both ? ['thread_i'] : []),
    'thread_j',
    ...(walk ? ['walk'] : []),
  ]
  const present = new Set([...levels.names, ...(both?.names ?? []), walk ? 'walk' : 'block_j', 'block_j', 'block_i'])
  const inner = ['run', 'vj'].filter((n) => present.has(n))
  s = step(s, v > 1 ? `${v} neighbours per load and store` : null, (q) =>
    reorder(q, { order: [...[...others].reverse(), ...front.filter((n) => present.has(n)), ...inner] }),
  )
  s = step(s, null, (q) =>
    bindAll(q, [
      ['block_j', block('x')],
      ...(both ? [['block_i', block('y')] as const, ['thread_i', threads(t)] as const] : []),
      ...others.map((o, n) => [o, block(!both && n === 0 ? 'y' : 'z')] as const),
      ['thread_j', threads(1)],
      ['vj', { kind: 'vector' }],
    ]),
  )
  return { program: s.program, name: program.name, steps: s.steps }
}

// ── stencils and convolutions ─────────────────────────────────────────────────────────────────────────────────────

function stencil(program: Program, part: Nest, i: Loop, j: Loop): Space<StencilPoint> {
  const base = { tx: 32, ty: 8, points: 1, staged: 0, open: 0 }
  const big = (part.reduction?.loops ?? []).reduce((n, l) => n * (constantExtent(l) ?? 1), 1)
  const ladder: readonly Rung<StencilPoint>[] = [
    { step: 'naive: neighbours down a column', point: { ...base, fast: 0 } },
    { step: 'coalesced: neighbours along a row', point: { ...base, fast: 1 } },
    { step: 'tile with halo in workgroup memory', point: { ...base, fast: 1, staged: 1 } },
    { step: 'several outputs per thread', point: { ...base, fast: 1, staged: 1, points: 4 } },
    {
      step: 'unrolled: each load serves all outputs it can',
      point:
        big > 9
          ? { ...base, fast: 1, staged: 1, points: 8, open: 1 }
          : { ...base, fast: 1, staged: 0, points: 4, open: 1 },
    },
  ]
  const space: StencilPoint[] = []
  for (const tx of [32, 64])
    for (const ty of [2, 4, 8])
      for (const points of [1, 2, 4, 8, 16])
        for (const staged of [0, 1])
          for (const open of part.reduction ? [0, 1] : [1]) space.push({ tx, ty, points, staged, open, fast: 1 })
  return { ladder, space, build: (p) => ({ program, kernels: [buildStencil(program, part, i, j, p)] }) }
}

function buildStencil(program: Program, part: Nest, i: Loop, j: Loop, p: StencilPoint): Scheduled {
  const [tx, ty, points] = [p.tx, p.ty, p.points]
  const along = p.fast !== 0
  const others = part.parallel.filter((l) => l !== i && l !== j).map((l) => l.name)
  const rows = splitLevels(nestProgram(program, part), i.name, 'block_i', [
    { name: 'thread_i', extent: ty },
    { name: 'pi', extent: points },
  ])
  const both = splitLevels(rows.program, j.name, 'block_j', [{ name: 'thread_j', extent: tx }])
  const own = rows.names.filter((n) => n === 'pi')
  const tile = ['thread_i', 'thread_j', ...own]
  let s: Script = {
    program: both.program,
    steps: [
      `${tx} × ${ty} threads per block, ${counted(points, 'output')} each, neighbours along ${along ? j.name : i.name}`,
    ],
  }
  s = step(s, null, (q) => reorder(q, { order: [...others, 'block_i', 'block_j', ...tile] }))
  const inputs = p.staged ? stagedInputs(s.program, program, part, j) : []
  if (part.reduction)
    s = convolved(
      s,
      part,
      p,
      tile,
      own,
      inputs.map((x) => x.array),
    )
  for (const { array, halo } of inputs)
    s = step(s, `stage ${array}${halo ? ' with its halo' : ''} in workgroup memory`, (q) =>
      stage(q, { array, at: 'block_j', as: `${array}_tile`, threads: tx * ty }),
    )
  s = step(s, null, (q) =>
    bindAll(q, [
      ...others.map((o) => [o, block('z')] as const),
      ['block_i', block('y')],
      ['block_j', block('x')],
      ['thread_i', threads(along ? tx : 1)],
      ['thread_j', threads(along ? 1 : ty)],
      ['pi', unroll],
    ]),
  )
  return { program: s.program, name: program.name, steps: s.steps }
}

/** Accumulators for all outputs of a thread; the window is walked once for all of them. */
function convolved(
  s0: Script,
  part: Nest,
  p: StencilPoint,
  tile: readonly string[],
  own: readonly string[],
  inputs: readonly string[],
): Script {
  const r = part.reduction!
  const loops = [...r.loops].reverse().map((l) => l.name)
  let s = step(s0, null, (q) => registerTile(q, { tile }))
  s = step(s, null, (q) =>
    pad(q, { into: r.into.name, reduction: r.loops.map((l) => l.name), staged: inputs, near: true }),
  )
  s = step(s, 'every element of the window serves all outputs of the thread', (q) =>
    reorder(q, { order: [...tile.filter((n) => !own.includes(n)), ...loops, ...own] }),
  )
  if (!p.open) return s
  const inner = loops[loops.length - 1]!
  const all = r.loops.reduce((n, l) => n * (constantExtent(l) ?? 1), 1) <= 81
  return step(s, `unroll ${all ? 'the window' : `'${inner}'`}`, (q) =>
    (all ? loops : [inner]).reduce((x, n) => bind(x, { loop: n, to: unroll }), q),
  )
}

/** Inputs that the window moves over, which have a halo, and its weights: what a block can stage. */
function stagedInputs(
  scheduled: Program,
  program: Program,
  part: Nest,
  j: Loop,
): readonly { readonly array: string; readonly halo: boolean }[] {
  const inputs = new Set(
    readsOf(part)
      .filter(
        (r) =>
          r.index.some((e) => uses(e, j.name)) &&
          r.array !== part.out.array.name &&
          program.arrays.some((a) => a.name === r.array),
      )
      .map((r) => r.array),
  )
  const window = [...inputs].filter(
    (name) => part.reduction !== undefined || readsOf(part).filter((r) => r.array === name).length > 1,
  )
  const weights = part.reduction
    ? readsOf(part)
        .filter(
          (r) =>
            part.parallel.every((l) => !r.index.some((e) => uses(e, l.name))) &&
            program.arrays.some((a) => a.name === r.array) &&
            r.index.length > 0,
        )
        .map((r) => r.array)
    : []
  return [...window, ...new Set(weights)]
    .filter((array) => isOneBox(scheduled, array))
    .map((array) => ({ array, halo: window.includes(array) }))
}

/** Whether what a block reads of the array can be staged. */
function isOneBox(program: Program, array: string): boolean {
  return !isInapplicable(footprint(declarationOf(program, array), locate(program, 'block_j').loop.body, [], true))
}
