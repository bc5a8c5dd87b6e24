// Transpose-like: what is read and what is written are contiguous along different loops. A square tile goes through
// workgroup memory, read along rows of the input and written along rows of the output; padding keeps columns of the
// tile on different banks.
import {
  affineOf,
  coefficient,
  type Loop,
  type Program,
  nestProgram,
  type Nest,
  rewriteExpr,
  uses,
  type Read,
} from '../../../ir/index.ts'
import { planned } from '../../../analysis/index.ts'
import { reorder } from '../../primitives/reorder.ts'
import { split } from '../../primitives/split.ts'
import { stage } from '../../primitives/stage.ts'
import { bindAll, splitLevels, step, script, type Script } from '../../script.ts'
import { block, mostShared, rowSizes, threads, type Rung, type Scheduled, type Sketch } from '../sketch.ts'

/** Parameters of a transpose without a tile. */
export type DirectTranspose = {
  readonly tile: 0
  /** 1: neighbouring threads write neighbours; 0: they read them. */
  readonly fast: number
  /** Rows of a block, of 32 threads each. */
  readonly rows: number
}

/** Parameters of a transpose through a tile. */
export type TiledTranspose = {
  /** Side of the tile, in elements. */
  readonly tile: number
  /** Its other side, where that is not `tile`. */
  readonly wide?: number
  /** Rows of threads of a block. */
  readonly rows: number
  /** Elements added to rows of the tile. */
  readonly pad: number
  /** Neighbours that a thread loads and stores at once. */
  readonly vector: number
}

export type TransposePoint = DirectTranspose | TiledTranspose

const isDirect = (p: TransposePoint): p is DirectTranspose => p.tile === 0

/** The sketch of `part`, or `undefined` when no read is contiguous along another parallel loop than the write. */
export function tiledTranspose(program: Program, part: Nest): Sketch<TransposePoint> | undefined {
  if (part.reduction || part.guard || part.parallel.length < 2 || part.parallel.length > 3) return undefined
  const j = lastLoop(part.out.index, part.parallel)
  const reads = readsOf(part)
  const turned = reads.find((r) => {
    const l = lastLoop(r.index, part.parallel)
    return (
      l &&
      j &&
      l !== j &&
      r.index.slice(0, -1).some((e) => uses(e, j.name)) &&
      !uses(r.index[r.index.length - 1]!, j.name)
    )
  })
  const i = turned && lastLoop(turned.index, part.parallel)
  if (
    !j ||
    !i ||
    !turned ||
    reads.filter((r) => r.array === turned.array).length !== 1 ||
    !turned.index.every((e) => affineOf(e)) ||
    turned.array === part.out.array.name
  )
    return undefined
  if ([i, j].some((l) => planned(program, l.lower, l.upper, 1) < shortest)) return undefined
  const vectorSizes = rowSizes(program.arrays.filter((x) => x.name === turned.array || x.name === part.out.array.name))
  return {
    name: 'transpose',
    ladder,
    space: spaceOf(),
    vectorSizes,
    forCuda: (p) => (!isDirect(p) && p.vector === 4 ? { ...p, tile: 64, rows: 16 } : p),
    build: (p) => ({ program, kernels: [build(program, part, i, j, turned.array, p)] }),
  }
}

/** Rows and columns with fewer elements leave most of a tile empty; caches serve them. */
const shortest = 8

function readsOf(part: Nest): readonly Read[] {
  const out: Read[] = []
  rewriteExpr(part.out.value, (x) => {
    if (x.kind === 'read') out.push(x)
    return undefined
  })
  return out
}

function lastLoop(index: readonly Parameters<typeof affineOf>[0][], loops: readonly Loop[]): Loop | undefined {
  const last = index[index.length - 1]
  const a = last && affineOf(last)
  return a && loops.find((l) => coefficient(a, l.name) === 1)
}

const ladder: readonly Rung<TransposePoint>[] = [
  { step: 'naive: reads along rows, writes down columns', point: { tile: 0, fast: 0, rows: 8 } },
  { step: 'naive: writes along rows, reads down columns', point: { tile: 0, fast: 1, rows: 8 } },
  { step: 'tile in workgroup memory', point: { tile: 32, rows: 8, pad: 0, vector: 1 } },
  { step: 'conflict-free: padded rows', point: { tile: 32, rows: 8, pad: 1, vector: 1 } },
  { step: 'vector loads and stores', point: { tile: 32, rows: 8, pad: 1, vector: 4 } },
]

function spaceOf(): readonly TransposePoint[] {
  const out: TransposePoint[] = []
  for (const tile of [32, 64]) {
    for (const rows of [4, 8, 16, 32]) {
      for (const vector of [1, 2, 4]) {
        for (const pad of [1, 2, 4]) {
          const count = (tile / vector) * rows
          if (count >= 64 && count <= 1024 && rows <= tile && tile * (tile + pad) * 4 <= mostShared)
            out.push({ tile, rows, pad, vector })
        }
      }
    }
  }
  return [...out, ...[1, 2].map((vector) => ({ tile: 32, wide: 64, rows: 4 * vector, pad: 1, vector }))]
}

function build(program: Program, part: Nest, i: Loop, j: Loop, array: string, p: TransposePoint): Scheduled {
  const others = part.parallel.filter((l) => l !== i && l !== j).map((l) => l.name)
  const canonical = nestProgram(program, part)
  const s = isDirect(p) ? naive(canonical, i, j, others, p) : tiled(canonical, i, j, others, array, p)
  return { program: s.program, name: program.name, steps: s.steps }
}

function naive(program: Program, i: Loop, j: Loop, others: readonly string[], p: DirectTranspose): Script {
  const [fast, slow] = p.fast === 1 ? [j, i] : [i, j]
  let s = script(program)
  s = step(s, `one thread per element, neighbours along ${fast.name}`, (q) =>
    split(split(q, { loop: fast.name, factor: 32, outer: 'block_f', inner: 'thread_f' }), {
      loop: slow.name,
      factor: p.rows,
      outer: 'block_s',
      inner: 'thread_s',
    }),
  )
  s = step(s, null, (q) => reorder(q, { order: [...others, 'block_s', 'block_f', 'thread_s', 'thread_f'] }))
  return step(s, null, (q) =>
    bindAll(q, [
      ...others.map((o) => [o, block('z')] as const),
      ['block_s', block('y')],
      ['block_f', block('x')],
      ['thread_s', threads(32)],
      ['thread_f', threads(1)],
    ]),
  )
}

function tiled(
  program: Program,
  i: Loop,
  j: Loop,
  others: readonly string[],
  array: string,
  p: TiledTranspose,
): Script {
  const [tile, rows, pad, vector] = [p.tile, p.rows, p.pad, p.vector],
    wide = p.wide ?? tile
  const a = splitLevels(program, i.name, 'block_i', [
    { name: 'pass', extent: tile / rows },
    { name: 'thread_i', extent: rows },
  ])
  const b = splitLevels(a.program, j.name, 'block_j', [
    { name: 'thread_j', extent: wide / vector },
    { name: 'vj', extent: vector },
  ])
  const count = (wide / vector) * rows
  let s: Script = { program: b.program, steps: [`tiles of ${wide} × ${tile}, ${count} threads`] }
  s = step(s, null, (q) =>
    reorder(q, {
      order: [
        ...others,
        'block_i',
        'block_j',
        ...a.names.filter((n) => n === 'pass'),
        ...a.names.filter((n) => n !== 'pass'),
        ...b.names,
      ],
    }),
  )
  const padded = pad ? `, rows padded by ${pad}` : ''
  const vectors = vector > 1 ? `, ${vector} elements per load and store` : ''
  s = step(s, `stage ${array} in workgroup memory${padded}${vectors}`, (q) =>
    stage(q, { array, at: 'block_j', as: 'tile', threads: count, pad, vector }),
  )
  return step(s, null, (q) =>
    bindAll(q, [
      ...others.map((o) => [o, block('z')] as const),
      ['block_i', block('y')],
      ['block_j', block('x')],
      ['pass', { kind: 'unroll' }],
      ['thread_i', threads(wide / vector)],
      ['thread_j', threads(1)],
      ['vj', { kind: 'vector' }],
    ]),
  )
}
