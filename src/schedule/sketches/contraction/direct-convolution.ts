// Direct convolution with few channels of results: y[…, o, i, j] = Σ x[…, c, i + u, j + v] · w[o, c, u, v]. As a
// product of matrices its tiles would be as narrow as there are channels, and each element of one serves few results
// for the work of finding its place. Here a block computes all channels of a patch of the plane: it stages a few
// channels of the patch with its halo, whose elements each serve the whole window and all channels, and the filters
// of these.
//
// A thread has `channels` results at each of `points` places down a column. Neighbouring threads take neighbouring
// columns, so that their loads of the patch are without conflicts; filters lie with their channels of results
// together, so that a vector of them goes to all threads at once. (Chen et al. (2017), "Optimizing memory efficiency
// for convolution kernels on Kepler GPUs", stage the same patch.)
import { attempted, isInapplicable } from '../../../base/index.ts'
import {
  affineOf,
  bytesOf,
  coefficient,
  conjuncts,
  constantExtent,
  factorsOf,
  isFloat,
  nestProgram,
  uses,
  varsOf,
  type Affine,
  type Expr,
  type Loop,
  type Nest,
  type Program,
  type Read,
} from '../../../ir/index.ts'
import { footprint, inequalityOf, planned, readsOf, uniqueReads } from '../../../analysis/index.ts'
import { bind } from '../../primitives/bind.ts'
import { fragment } from '../../primitives/fragment.ts'
import { pad } from '../../primitives/pad.ts'
import { prefetch } from '../../primitives/prefetch.ts'
import { registerTile } from '../../primitives/register-tile.ts'
import { reorder } from '../../primitives/reorder.ts'
import { split } from '../../primitives/split.ts'
import { declarationOf, locate, stage } from '../../primitives/stage.ts'
import { bindAll, splitLevels, step, type Script } from '../../script.ts'
import {
  block,
  mostShared,
  rowSizes,
  threads,
  tryPoint,
  unroll,
  vector,
  type Made,
  type Rung,
  type Scheduled,
  type Sketch,
} from '../sketch.ts'

/** Parameters of a convolution over patches. */
export type ConvolutionPoint = {
  /** Threads of a block along a row, and across rows. */
  readonly tx: number
  readonly ty: number
  /** Results of a thread down a column. */
  readonly points: number
  /** Output channels of a thread. */
  readonly channels: number
  /** Input channels that are staged together. */
  readonly deep: number
  /** Innermost loops of the window that are written out. */
  readonly open: number
  /** Last loops over phases whose results are all a thread's. */
  readonly phases: number
  /**
   * The next step's elements are loaded into registers while this one computes: 1, its last loads again; 2, it has none
   * (`prefetch`).
   */
  readonly prefetch: 0 | 1 | 2
}

/** The roles of a convolution's loops and operands. */
interface Roles {
  /** Rows and columns of results. */
  readonly i: Loop
  readonly j: Loop
  /** Channels of results: the filters alone use it, and phases of the places. */
  readonly o: Loop
  /** Channels of the input, or whatever else the sum goes over beside its window; absent where it has one. */
  readonly c: Loop | undefined
  /** Loops of the window: they slide along a loop of the results. */
  readonly window: readonly Loop[]
  /**
   * Which of its neighbours a place is, rows' and columns' last: phases of a transposed convolution, of which each has
   * terms of the window of its own, and places that are pooled. All have their elements of the input from one patch.
   */
  readonly phases: readonly Loop[]
  readonly input: Read
  readonly filters: Read
}

/**
 * Channels of results from which on a patch is more than a stencil's, and from which on whole patches are no faster
 * than tiles: 16 take 0.20 to 0.29 of the time of tiles, 24 0.32 to 0.61, 32 0.78, 48 1.09
 * (bench/data/h100-direct-convolutions.json).
 */
const fewestChannels = 8,
  mostChannels = 40
/**
 * Terms of a window, products of a step that are written out, and how far apart neighbours of a row of results lie
 * (phases of a transposed convolution), at most.
 */
const mostWindow = 343,
  mostWritten = 1200,
  widestStride = 4

/** The same where a thread has several phases: up to 1,728 were written out in all that was measured (KernelBench). */
const mostWrittenOfPhases = 1800

/** The sketch of `part`, or `undefined` when it is no convolution with few channels of results. */
export function directConvolution(program: Program, part: Nest): Sketch<ConvolutionPoint> | undefined {
  const roles = rolesOf(program, part)
  if (!roles) return undefined
  const channels = planned(program, roles.o.lower, roles.o.upper, 1)
  const extent = (l: Loop | undefined): number => (l ? planned(program, l.lower, l.upper, 1) : 1)
  const share = shareOfPhases(roles, part.reduction?.guard),
    base = firstPoint(extent(roles.j), channels, roles, share)
  const fill = (n: number, tile: number): number => n / (Math.ceil(n / tile) * tile)
  const full = fill(extent(roles.i), base.ty * base.points) * fill(extent(roles.j), base.tx)
  if (channels < fewestChannels || channels >= (mostChannels * full) / share) return undefined
  const built = (p: ConvolutionPoint): Scheduled => build(program, part, roles, p)
  const fits = (p: ConvolutionPoint): boolean => sharedOf(program, part, roles, p) <= mostShared
  const make = (p: ConvolutionPoint): Made => ({ program, kernels: [built(p)] })
  if (!fits(base) || isInapplicable(tryPoint({ build: make }, base))) return undefined
  const ladder: readonly Rung<ConvolutionPoint>[] = [
    { step: 'a patch with its halo in workgroup memory', point: { ...base, points: 1 } },
    { step: 'several results down a column', point: base },
    ...(roles.c ? [{ step: 'prefetch of the next channels', point: { ...base, prefetch: 1 as const } }] : []),
  ]
  const together = extentOf(heldPhases(roles, base.phases))
  const space = [16, 32, 64].flatMap((tx) =>
    [2, 4, 8].flatMap((ty) =>
      [1, 2, 4, 8].flatMap((points) =>
        [1, 2, 4, 8].flatMap((deep) => {
          const p = { ...base, tx, ty, points, deep },
            isSized = tx * ty >= 64 && tx * ty <= 512 && base.channels * together * points <= mostResults
          return isSized && deep <= extent(roles.c) && fits(p)
            ? [p, ...(roles.c ? [{ ...p, prefetch: 1 as const }] : [])]
            : []
        }),
      ),
    ),
  )
  return {
    name: 'direct-convolution',
    vectorSizes: strideOf(part.out, roles.o) === 1 ? rowSizes([part.out.array]) : {},
    ladder,
    space,
    build: make,
    // ptxas moves prefetched loads down to their use unless a branch holds them.
    forCuda: (p) => (p.prefetch > 0 ? { ...p, prefetch: 2 } : p),
    smaller: (p) =>
      [{}, { channels: 8 }, { channels: 4 }, { channels: 4, tx: 16 }]
        .map((few) => ({ ...p, points: 1, deep: 1, ...few }))
        .filter((q) => sharedOf(program, part, roles, q) < sharedOf(program, part, roles, p)),
  }
}

// ── roles ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function rolesOf(program: Program, { parallel, reduction: r, out, guard }: Nest): Roles | undefined {
  if (!r || r.op !== 'add' || !isFloat(r.value.type) || r.loops.length < 2) return undefined
  if (guard && !conjuncts(guard).every((g) => inequalityOf(g))) return undefined
  const factors = factorsOf(r.value)
  if (factors.length !== 2 || !factors.every((f) => f.kind === 'read')) return undefined
  const [one, two] = factors as readonly Read[], // all are
    inIndex = (x: Read, l: Loop): boolean => x.index.some((e) => uses(e, l.name))
  /** Loops of the results that move in the first factor alone, and those of the sum that slide along them. */
  const movedIn = (x: Read, y: Read): readonly Loop[] => parallel.filter((l) => inIndex(x, l) && !inIndex(y, l))
  const sliding = (x: Read, y: Read): readonly Loop[] =>
    r.loops.filter((l) => x.index.some((e) => uses(e, l.name) && movedIn(x, y).some((p) => uses(e, p.name))))
  const [input, filters] = sliding(one!, two!).length > 0 ? [one!, two!] : [two!, one!] // two
  if (input.array === filters.array) return undefined
  const window = sliding(input, filters),
    [c, ...more] = r.loops.filter((l) => !window.includes(l))
  if (more.length > 0 || window.length < 2 || extentOf(window) > mostWindow || (c && c.step !== 1)) return undefined
  const extent = (l: Loop): number => planned(program, l.lower, l.upper, 1),
    own = [...movedIn(filters, input)].sort((a, b) => extent(b) - extent(a)), // others are phases
    moved = movedIn(input, filters)
  const isNarrow = (l: Loop): boolean => (constantExtent(l) ?? Infinity) <= widestStride
  const slides = (x: Read, l: Loop): boolean =>
    x.index.some((e) => uses(e, l.name) && window.some((u) => uses(e, u.name)))
  const places = input.index.flatMap((e) => {
    const slid = window.some((u) => uses(e, u.name)) ? moved.filter((l) => uses(e, l.name)) : [],
      wide = slid.length === 1 ? slid : slid.filter((l) => !isNarrow(l))
    return wide.length === 1 ? wide : []
  })
  const [o] = own,
    [i, j] = places.slice(-2)
  if (!i || !j || i === j || !o) return undefined
  if (strideOf(out, o) !== 1 && !(strideOf(out, j) >= 1 && strideOf(out, j) <= widestStride)) return undefined
  const isDeclared = (x: Read): boolean => program.arrays.some((d) => d.name === x.array)
  const others = [out.array.name, ...[r.init, out.value].flatMap((e) => readsOf([e]).map((x) => x.array))]
  if (![input, filters].every((x) => isDeclared(x) && !others.includes(x.array))) return undefined
  const isPhase = (l: Loop): boolean =>
    ![i, j, o].includes(l) && isNarrow(l) && (slides(filters, l) || slides(input, l))
  const phases = parallel.filter(isPhase)
  return uniqueReads(r.value).length === 2 ? { i, j, o, c, window, phases, input, filters } : undefined
}

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Results down a column that were fastest, with windows of fewer rows than 5 and of more. */
const pointsOf = { short: 2, tall: 4 },
  rowsOfThreads = 4

/**
 * Results of a thread at most: the fastest of all programs in bench/data/h100-direct-convolutions.json had 32 to 64;
 * with 96 they took 1.1 to 1.4 times as long, with 128 1.3 times, and where phases have conditions ptxas spills them.
 */
const mostResults = 64

/** The patch that was fastest, a narrower one for narrow planes, and as many channels a thread as registers allow. */
function firstPoint(columns: number, channels: number, roles: Roles, share: number): ConvolutionPoint {
  const { i, input, window } = roles
  const waste = (tile: number): number => (Math.ceil(columns / tile) * tile) / columns
  const phases = mostPhases(roles),
    together = extentOf(heldPhases(roles, phases))
  const groups = Math.ceil(channels / Math.min(32, 4 * Math.floor(mostResults / together / 4))),
    each = 4 * Math.ceil(channels / groups / 4)
  const rows = window.filter((l) => input.index.some((e) => uses(e, l.name) && uses(e, i.name)))
  const room = powerOfTwo(mostResults / (each * together)),
    points = Math.min(extentOf(rows) >= 5 ? pointsOf.tall : pointsOf.short, room)
  const tx = waste(32) > 1.3 * waste(16) ? 16 : 32
  const written = extentOf(window) * each * points * together * share,
    most = together > 1 ? mostWrittenOfPhases : mostWritten
  return {
    tx,
    ty: (rowsOfThreads * 32) / tx,
    points,
    channels: each,
    deep: 1,
    open: written <= most ? window.length : 1,
    phases,
    prefetch: 0,
  }
}

/** Iterations of loops of constant extents. */
const extentOf = (loops: readonly Loop[]): number => loops.reduce((n, l) => n * (constantExtent(l) ?? Infinity), 1)

/** The greatest power of two that is at most `x`, or 1. */
const powerOfTwo = (x: number): number => 2 ** Math.max(0, Math.floor(Math.log2(x)))

/**
 * The share of the window's terms that the phases have: tiles of a product take all for each, and multiply zeros where
 * a phase has none.
 */
function shareOfPhases({ window, phases }: Roles, guard: Expr | undefined): number {
  const loops = [...phases, ...window],
    asked = (guard ? conjuncts(guard) : []).flatMap((g) => {
      const form = inequalityOf(g)
      return form && [...form.terms.keys()].every((n) => loops.some((l) => l.name === n)) ? [form] : []
    })
  let all = 0,
    there = 0
  const visit = ([l, ...inner]: readonly Loop[], at: ReadonlyMap<string, number>): void => {
    if (!l) {
      const value = (f: Affine): number => [...f.terms].reduce((sum, [n, c]) => sum + c * at.get(n)!, f.constant)
      all++
      if (asked.every((f) => value(f) >= 0)) there++
      return
    }
    for (let i = 0; i < extentOf([l]); i++) visit(inner, new Map(at).set(l.name, i))
  }
  visit(loops, new Map())
  return there > 0 ? there / all : 1
}

/** The last `count` loops over phases, whose results are a thread's. */
const heldPhases = ({ phases }: Roles, count: number): readonly Loop[] => phases.slice(phases.length - count)

/** How many of the last loops over phases have results for which a thread has room beside four channels. */
function mostPhases(roles: Roles): number {
  const fits = (n: number): boolean => 4 * extentOf(heldPhases(roles, n)) <= mostResults
  return [...roles.phases.keys()].map((n) => n + 1).findLast(fits) ?? 0
}

// ── the schedule ──────────────────────────────────────────────────────────────────────────────────────────────────

function build(program: Program, part: Nest, roles: Roles, p: ConvolutionPoint): Scheduled {
  const { s, at, others, own } = patched(program, part, roles, p)
  const tx = p.tx,
    count = tx * p.ty
  const { j, o, c, window, input, filters } = roles
  let t = step(s, `stage ${input.array} with its halo in workgroup memory`, (q) =>
    stage(q, { array: input.array, at, as: `${input.array}_patch`, order: along(input, j), threads: count }),
  )
  t = step(t, `stage ${filters.array}, its channels of results together`, (q) =>
    stage(q, { array: filters.array, at, as: `${filters.array}_tile`, order: along(filters, o), threads: count }),
  )
  const windows = window.map((l) => l.name)
  t = step(t, null, (q) => reorder(q, { order: ['thread_i', 'thread_j', ...(c ? [c.name] : []), ...windows, ...own] }))
  t = step(t, 'load filters of all channels of a thread in vectors', (q) =>
    fragment(q, { array: `${filters.array}_tile`, at: windows.at(-1)!, as: `${filters.array}_row`, vector: true }),
  )
  if (p.prefetch > 0)
    t = step(t, 'prefetch the next channels into registers while computing', (q) =>
      prefetch(q, {
        loop: at,
        arrays: [`${input.array}_patch`, `${filters.array}_tile`],
        last: p.prefetch === 2 ? 'skip' : 'again',
      }),
    )
  const open = windows.slice(windows.length - p.open)
  t = step(t, 'every element of the patch serves the window and all channels', (q) =>
    open.reduce((x, n) => bind(x, { loop: n, to: unroll }), q),
  )
  t = step(t, null, (q) =>
    bindAll(q, [
      ...others.map((l) => [l, block('z')] as const),
      ['block_o', block('z')],
      ['block_i', block('y')],
      ['block_j', block('x')],
      ['thread_i', threads(tx)],
      ['thread_j', threads(1)],
      ...own.map((n) => [n, n === 'channel' && strideOf(part.out, o) === 1 ? vector : unroll] as const),
    ]),
  )
  return { program: t.program, name: program.name, steps: t.steps }
}

/** Elements of memory from one iteration of the loop to the next along the last dimension of the results. */
function strideOf(out: Nest['out'], l: Loop): number {
  const last = out.index.at(-1),
    a = last && affineOf(last)
  return a ? coefficient(a, l.name) : 0
}

interface Patched {
  readonly s: Script
  /** The loop that stages. */
  readonly at: string
  /** Other loops of the results, and loops over the results of a thread. */
  readonly others: readonly string[]
  readonly own: readonly string[]
}

/** Loops of blocks, patches and threads, accumulators in registers: what stands before anything is staged. */
function patched(program: Program, part: Nest, roles: Roles, p: ConvolutionPoint): Patched {
  const { i, j, o, c, window, phases, input, filters } = roles
  const [tx, ty, points, channels, deep] = [p.tx, p.ty, p.points, p.channels, p.deep]
  const rows = splitLevels(nestProgram(program, part), i.name, 'block_i', [
    { name: 'thread_i', extent: ty },
    { name: 'point', extent: points },
  ])
  const columns = splitLevels(rows.program, j.name, 'block_j', [{ name: 'thread_j', extent: tx }])
  const all = splitLevels(columns.program, o.name, 'block_o', [
    { name: 'group', extent: channels / 4 },
    { name: 'channel', extent: 4 },
  ])
  const held = heldPhases(roles, p.phases)
  const others = part.parallel.filter((l) => ![i, j, o, ...held].includes(l)).map((l) => l.name)
  const own = [
      ...held.map((l) => l.name),
      ...['group', 'channel', 'point'].filter((n) => [...rows.names, ...all.names].includes(n)),
    ],
    tile = ['thread_i', 'thread_j', ...own]
  let s: Script = {
    program: all.program,
    steps: [
      `a patch of ${ty * points} × ${tx} places for ${channels} channels a block of ${tx * ty} threads, ` +
        `${channels} × ${points}${held.length > 0 ? ` × ${extentOf(held)}` : ''} results each`,
    ],
  }
  s = step(s, null, (q) => reorder(q, { order: [...others, 'block_o', 'block_i', 'block_j', ...tile] }))
  s = step(s, null, (q) => registerTile(q, { tile }))
  if (c)
    s = step(s, `${deep} of ${c.name} a step`, (q) =>
      reorder(split(q, { loop: c.name, factor: deep, outer: 'step_c', inner: c.name, tail: 'guard' }), {
        order: ['step_c', c.name, ...window.map((l) => l.name)],
      }),
    )
  s = step(s, null, (q) =>
    pad(q, {
      into: part.reduction!.into.name, // it has one
      reduction: [...(c ? ['step_c', c.name] : []), ...window.map((l) => l.name)],
      staged: [input.array, filters.array],
      keep: (g) => [...varsOf(g)].every((name) => [...window, ...phases].some((l) => l.name === name)),
    }),
  )
  return { s, at: c ? 'step_c' : 'block_j', others, own }
}

/** Dimensions of a factor with that of a loop last. */
function along({ index }: Read, l: Loop): readonly number[] {
  const own = index.findIndex((e) => uses(e, l.name))
  return [...index.keys()].filter((d) => d !== own).concat(own)
}

/** Bytes of workgroup memory of a point; infinite where a block's patch is no box. */
function sharedOf(program: Program, part: Nest, roles: Roles, p: ConvolutionPoint): number {
  const made = attempted(() => patched(program, part, roles, p))
  if (isInapplicable(made)) return Infinity
  const { loop } = locate(made.s.program, made.at)
  return [roles.input, roles.filters].reduce((sum, { array }) => {
    const declared = declarationOf(made.s.program, array),
      box = footprint(declared, loop.body, [], true)
    return isInapplicable(box) ? Infinity : sum + box.extents.reduce<number>((n, e) => n * e, bytesOf[declared.type])
  }, 0)
}
