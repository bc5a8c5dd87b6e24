// Windows of any length: each result is a sum over a window that slides with it (filters, moving sums, blurs with a
// radius of the caller). A thread makes several neighbouring results, a few taps at a time, which are written out: an
// element that it has loaded for one result serves the others. Along rows, what a block needs of these taps goes
// through workgroup memory.
import { isInapplicable } from '../../../base/index.ts'
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  int,
  literal,
  loopVar,
  op,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  nestProgram,
  type Nest,
  claimName,
  constantExtent,
  eachExpr,
  eachStmt,
  namesOf,
  nest,
  peelGuard,
  perfectNest,
  readsIn,
  replaceLoops,
  sizesIn,
  substitute,
  uses,
  varsOf,
  withGuard,
  type Read,
} from '../../../ir/index.ts'
import { planned, pointsOf, footprint, inequalityOf } from '../../../analysis/index.ts'
import { pad } from '../../primitives/pad.ts'
import { peel } from '../../primitives/peel.ts'
import { registerTile } from '../../primitives/register-tile.ts'
import { reorder } from '../../primitives/reorder.ts'
import { split } from '../../primitives/split.ts'
import { sharedMemory, shareMemory } from '../../primitives/share-memory.ts'
import { declarationOf, locate, stage } from '../../primitives/stage.ts'
import { stageOut } from '../../primitives/stage-out.ts'
import { bindAll, splitLevels, step, type Script } from '../../script.ts'
import { block, rowSizes, threads, unroll, type Rung, type Scheduled, type Sketch } from '../sketch.ts'
import { counted } from '../step-words.ts'

/** Parameters of windows that slide down columns. */
export type ColumnWindowPoint = {
  /** Threads of a block along a row, and across rows. */
  readonly tx: number
  readonly ty: number
  /** Results of a thread below each other. */
  readonly points: number
  /** Taps that are written out. */
  readonly taps: number
}

/** Parameters of windows that slide along rows. */
export type RowWindowPoint = {
  readonly threads: number
  /** Neighbouring results of a thread. */
  readonly points: number
  /** Taps that are written out. */
  readonly taps: number
  /** Taps that lie in workgroup memory at a time. */
  readonly staged: number
}

/**
 * A sum over `taps`, of which some read slides along `along`; `fast`: the loop whose neighbours are neighbours in
 * memory.
 */
interface Sliding {
  readonly part: Nest
  readonly taps: Loop
  readonly along: Loop
  readonly fast: Loop
}

/** Results that give every multiprocessor a block of them; of fewer, threads share the sum of each. */
const fewestResults = 2 ** 14

/** The sketch of `part`, or `undefined` when no window of unknown length slides in it. */
export function sliding(program: Program, given: Nest): Sketch | undefined {
  const s = slidingIn(program, given)
  if (!s || pointsOf(program, s.part).points < fewestResults) return undefined
  const other = s.along === s.fast ? s.part.parallel.filter((l) => l !== s.fast).pop() : s.along
  const vectorSizes = rowSizes([s.part.out.array])
  if (other) return { name: 'sliding', vectorSizes, ...inRows(program, s, other) }
  return canStage(program, s) ? { name: 'sliding', vectorSizes, ...alongRow(program, s) } : undefined
}

function slidingIn(program: Program, given: Nest): Sliding | undefined {
  if (!given.reduction || given.guard || given.reduction.guard) return undefined
  const part = fromFirst(program, given),
    r = part.reduction,
    taps = r?.loops.at(-1),
    last = part.out.index.at(-1),
    place = last && affineOf(last)
  if (!r || !taps || !place || constantExtent(taps) !== undefined || taps.step !== 1) return undefined
  const chosen = (l: Loop): boolean =>
    part.parallel.some((m) => uses(l.lower, m.name) || uses(l.upper, m.name)) ||
    [l.lower, l.upper].some((e) => varsOf(e).size > 0)
  if (r.loops.some(chosen) || part.parallel.some((l) => l.step !== 1)) return undefined
  const fast = part.parallel.find((l) => coefficient(place, l.name) === 1),
    reads = readsIn([{ kind: 'store', array: r.into.name, index: [], reduce: r.op, value: r.value }])
  const along =
    fast &&
    [fast, ...part.parallel.filter((l) => l !== fast).reverse()].find((l) =>
      reads.some((x) => x.index.some((e) => slides(e, l.name, taps.name))),
    )
  return along && { part, taps, along, fast }
}

/**
 * The sum with its last loop counted from where its window begins, where that moves with the results and its length
 * does not.
 */
function fromFirst(program: Program, part: Nest): Nest {
  const r = part.reduction!,
    taps = r.loops.at(-1)! // callers have looked
  const low = affineOf(taps.lower),
    high = affineOf(taps.upper),
    moving = part.parallel.map((l) => l.name)
  const length = low && high && addScaled(high, low, -1)
  if (
    !low ||
    !length ||
    !moving.some((n) => coefficient(low, n) !== 0) ||
    moving.some((n) => coefficient(length, n) !== 0)
  )
    return part
  const name = claimName(namesOf(program), 'tap_k'),
    by = new Map([[taps.name, add(affineExpr(low), loopVar(name))]])
  return {
    ...part,
    reduction: {
      ...r,
      loops: [...r.loops.slice(0, -1), { ...taps, name, lower: int(0), upper: affineExpr(length) }],
      value: substitute(r.value, by),
    },
  }
}

/**
 * Whether `e` moves by one with the results and by one, in either direction, with the taps, wherever it uses either.
 */
function slides(e: Expr, result: string, taps: string): boolean {
  let some = false,
    all = true
  const visit = (x: Expr): void => {
    const a = affineOf(x)
    if (!a) {
      if (x.kind === 'op') x.args.forEach(visit)
      else if (x.kind !== 'const' && x.kind !== 'size') all = false
      return
    }
    const by = coefficient(a, result),
      of = coefficient(a, taps)
    if (by === 0 && of === 0) return
    some = true
    all &&= by === 1 && Math.abs(of) === 1
  }
  visit(e)
  return some && all
}

type Space<P extends ColumnWindowPoint | RowWindowPoint> = Omit<Sketch<P>, 'name' | 'vectorSizes'>

// ── several rows ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Sizes at which a proof sees more taps than a thread takes at a time, and results beside them. */
function roundsOf({ part, taps }: Sliding, together: number): Readonly<Record<string, number>> {
  const low = affineOf(taps.lower),
    high = affineOf(taps.upper),
    length = low && high && addScaled(high, low, -1)
  if (together === 1 || !length) return {}
  const results = part.parallel.flatMap((l) => sizesIn(l.upper)).map((n) => [n, 2 * together + manyResults] as const)
  return Object.fromEntries([
    ...results,
    ...[...length.terms]
      .filter(([, c]) => c > 0)
      .map(([n, c]) => [n.slice(1), Math.max(manyTaps, Math.ceil(together / c))] as const),
  ])
}

/** Of proofs: taps of which some are left, and results of which a block has not all. */
const manyTaps = 33,
  manyResults = 60

/** Threads stand along rows; each has results below each other. */
function inRows(program: Program, s: Sliding, i: Loop): Space<ColumnWindowPoint> {
  const base = { tx: 32, ty: 8, points: 1, taps: 1 }
  const ladder: readonly Rung<ColumnWindowPoint>[] = [
    { step: 'one thread per result', point: base },
    { step: 'several results per thread', point: { ...base, points: 4 } },
    { step: 'several taps at a time: each load serves all results it can', point: { ...base, points: 8, taps: 8 } },
  ]
  const space: ColumnWindowPoint[] = []
  for (const [tx, ty] of [
    [32, 2],
    [32, 4],
    [32, 8],
    [64, 2],
    [64, 4],
  ] as const)
    for (const points of [1, 2, 4, 8, 16]) for (const taps of [1, 2, 4, 8]) space.push({ tx, ty, points, taps })
  return {
    ladder,
    space,
    rounds: (p) => roundsOf(s, p.taps),
    build: (p) => ({ program, kernels: [buildRows(program, s, i, p)] }),
  }
}

function buildRows(program: Program, { part, taps, fast: j }: Sliding, i: Loop, p: ColumnWindowPoint): Scheduled {
  const [tx, ty, points] = [p.tx, p.ty, p.points],
    r = part.reduction!
  const others = part.parallel.filter((l) => l !== i && l !== j).map((l) => l.name),
    outer = r.loops.slice(0, -1).map((l) => l.name)
  const rows = splitLevels(nestProgram(program, part), i.name, 'block_i', [
    { name: 'thread_i', extent: ty },
    { name: 'pi', extent: points },
  ])
  const both = splitLevels(rows.program, j.name, 'block_j', [{ name: 'thread_j', extent: tx }])
  const own = rows.names.filter((n) => n === 'pi'),
    tile = ['thread_i', 'thread_j']
  let s: Script = {
    program: both.program,
    steps: [`${tx} × ${ty} threads per block, ${counted(points, 'result')} each`],
  }
  s = step(s, null, (q) => reorder(q, { order: [...others, 'block_i', 'block_j', ...tile, ...own] }))
  s = step(s, null, (q) => registerTile(q, { tile: [...tile, ...own] }))
  s = step(s, null, (q) => pad(q, { into: r.into.name, reduction: r.loops.map((l) => l.name), near: true }))
  s = tapsOf(s, taps, p.taps, (tap) => [...tile, ...outer, ...tap, ...own])
  s = step(s, null, (q) =>
    bindAll(q, [
      ...[...others].reverse().map((o) => [o, block('z')] as const),
      ['block_i', block('y')],
      ['block_j', block('x')],
      ['thread_i', threads(tx)],
      ['thread_j', threads(1)],
      ['pi', unroll],
      ['uu', unroll],
    ]),
  )
  return { program: s.program, name: program.name, steps: s.steps }
}

/** So many taps at a time; those that are left one by one. */
function tapsOf(
  given: Script,
  taps: Loop,
  together: number,
  order: (tap: readonly string[]) => readonly string[],
): Script {
  if (together === 1) return step(given, null, (q) => reorder(q, { order: order([taps.name]) }))
  let s = step(given, `${together} taps at a time: what is loaded serves all results of the thread`, (q) =>
    split(q, { loop: taps.name, factor: together, outer: 'tap', inner: 'uu' }),
  )
  s = step(s, null, (q) => reorder(q, { order: order(['tap', 'uu']) }))
  return step(s, null, (q) => peel(q, { loop: 'tap', fresh: ['uu'] }))
}

// ── one row ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Taps from which on a block brings many at a time. */
const longWindow = 64

/** Neighbouring results are one thread's; an odd number of them keeps threads in different banks. */
function alongRow(program: Program, s: Sliding): Space<RowWindowPoint> {
  const long = planned(program, s.taps.lower, s.taps.upper, 1) >= longWindow
  const base = { threads: 128, points: 1, taps: long ? 16 : 8, staged: long ? 128 : 8 }
  const ladder: readonly Rung<RowWindowPoint>[] = [
    { step: 'one thread per result, the window in workgroup memory', point: base },
    { step: 'several neighbouring results per thread', point: { ...base, points: 3 } },
    { step: 'more of them: each load serves all results it can', point: { ...base, points: 7 } },
  ]
  const space: RowWindowPoint[] = []
  for (const t of [64, 128, 256])
    for (const points of [1, 3, 5, 7, 9, 11])
      for (const [taps, staged] of [
        [8, 8],
        [8, 16],
        [16, 16],
        [16, 64],
        [16, 128],
      ] as const)
        space.push({ threads: t, points, taps, staged })
  return {
    ladder,
    space,
    rounds: (p) => roundsOf(s, p.staged),
    build: (p) => ({ program, kernels: [buildRow(program, s, p)] }),
  }
}

function buildRow(program: Program, { part, taps, fast: j }: Sliding, p: RowWindowPoint): Scheduled {
  const [t, points] = [p.threads, p.points],
    r = part.reduction!,
    outer = r.loops.slice(0, -1).map((l) => l.name)
  const levels = splitLevels(nestProgram(program, part), j.name, 'block_j', [
    { name: 'thread_j', extent: t },
    { name: 'pj', extent: points },
  ])
  const own = levels.names.filter((n) => n === 'pj'),
    arrays = windowsAndWeights(program, part)
  let s: Script = {
    program: levels.program,
    steps: [`${t} threads per block, ${counted(points, 'neighbouring result')} each`],
  }
  s = step(s, null, (q) => registerTile(q, { tile: ['thread_j', ...own] }))
  s = step(s, null, (q) => pad(q, { into: r.into.name, reduction: r.loops.map((l) => l.name), staged: arrays }))
  s = step(
    s,
    `${p.staged} taps at a time, ${p.taps} of them written out: what is loaded serves all results of the thread`,
    (q) =>
      splitLevels(q, taps.name, 'tap', [
        { name: 'group', extent: p.staged / p.taps },
        { name: 'uu', extent: p.taps },
      ]).program,
  )
  s = step(s, null, (q) =>
    reorder(q, { order: [...outer, 'tap', 'thread_j', ...(p.staged === p.taps ? [] : ['group']), 'uu', ...own] }),
  )
  s = step(s, null, (q) => peel(q, { loop: 'tap', fresh: ['group', 'uu'] }))
  for (const at of ['tap', 'tap_rest']) {
    for (const array of arrays)
      s = step(s, at === 'tap' ? `what a block needs of ${array} for them goes through workgroup memory` : null, (q) =>
        stage(q, { array, at, as: `${array}_tile`, threads: t, clamp: { multiples: new Set() }, round: true }),
      )
  }
  s = step(s, null, (q) => narrowed(q, 'uu_rest'))
  s = step(s, null, (q) => {
    const copies = inWorkgroup(q).map((a) => a.name)
    return arrays.reduce(
      (x, _, n) => shareMemory(x, { at: 'block_j', arrays: [copies[n]!, copies[n + arrays.length]!] }),
      q,
    )
  }) // two of each
  if (points > 1)
    s = step(s, 'results leave through workgroup memory, in the order of memory', (q) =>
      withResults(stageOut(q, { array: part.out.array.name, at: 'block_j', as: 'results', threads: t })),
    )
  s = step(s, null, (q) =>
    bindAll(q, [
      ['block_j', block('x')],
      ['thread_j', threads(1)],
      ['pj', unroll],
      ['uu', unroll],
    ]),
  )
  return { program: s.program, name: program.name, steps: s.steps }
}

/** Arrays that are declared in workgroup memory, in the order of the program. */
function inWorkgroup(program: Program): readonly ArrayDecl[] {
  const out: ArrayDecl[] = []
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare' && s.array.space === 'shared') out.push(s.array)
  })
  return out
}

/** Results, which are declared first, take the memory of the largest copy, unless they are in use beside it. */
function withResults(program: Program): Program {
  const [results, ...copies] = inWorkgroup(program),
    length = (a: ArrayDecl): number => literal(a.shape[0]!) ?? 0 // one dimension
  const largest = copies.reduce<ArrayDecl | undefined>((a, b) => (a && length(a) >= length(b) ? a : b), undefined)
  if (results?.shape.length !== 1 || largest?.type !== results.type) return program
  const shared = sharedMemory(program, { at: 'block_j', arrays: [largest.name, results.name] })
  return isInapplicable(shared) ? program : shared
}

/** The loop up to where its guard ends it: the same iterations, of which none asks. */
function narrowed(program: Program, name: string): Program {
  return replaceLoops(program, name, (l) => {
    const { loops, body } = perfectNest(l),
      { guard, body: inner } = peelGuard(body)
    const ends = guard.map((c) => {
      const f = inequalityOf(c)
      return f && coefficient(f, name) === -1 && loops.slice(1).every((x) => coefficient(f, x.name) === 0)
        ? affineExpr(addScaled(addScaled(f, affineName(name, -1), -1), affineConstant(1), 1))
        : undefined
    })
    return nest(
      [{ ...l, upper: ends.reduce<Expr>((e, end) => (end ? op('min', [e, end]) : e), l.upper) }, ...loops.slice(1)],
      withGuard(
        guard.filter((_, n) => !ends[n]),
        inner,
      ),
    )
  })
}

/** Arrays in memory that the terms read. */
function windowsAndWeights(program: Program, part: Nest): readonly string[] {
  const reads: Read[] = []
  eachExpr(part.reduction!.value, (x) => {
    if (x.kind === 'read') reads.push(x)
  })
  return [
    ...new Set(
      reads.filter((x) => x.index.length > 0 && program.arrays.some((a) => a.name === x.array)).map((x) => x.array),
    ),
  ]
}

/** Whether what a block reads for a few taps lies in rows, and nothing of it is what the block stores. */
function canStage(program: Program, s: Sliding): boolean {
  const arrays = windowsAndWeights(program, s.part)
  if (s.part.parallel.length > 1 || s.taps.step !== 1 || arrays.includes(s.part.out.array.name)) return false
  const levels = splitLevels(nestProgram(program, s.part), s.fast.name, 'block_j', [{ name: 'thread_j', extent: 64 }])
  const names = namesOf(levels.program)
  if (['tap', 'uu'].some((name) => name !== s.taps.name && names.has(name))) return false
  const made = split(levels.program, { loop: s.taps.name, factor: 8, outer: 'tap', inner: 'uu' })
  const { loop } = locate(made, 'thread_j'),
    { loop: tap } = locate(made, 'tap')
  return arrays.every((a) => {
    const box = footprint(declarationOf(made, a), [{ ...loop, body: tap.body }], [], true)
    return !isInapplicable(box) && box.extents.length === 1
  })
}
