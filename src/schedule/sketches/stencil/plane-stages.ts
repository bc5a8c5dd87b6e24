// Streams of planes: what stages there are, what each needs of the planes before, and which tiles fit. In: a time loop
// of three dimensions and a point. Out: versions of arrays, stages and tiles; or the points that are likely at the
// planned extents, by what turns of a block cost on a large GPU. Nothing is written here.
import { type Chip, bytesOf, type ArrayDecl, type Program, type Sweep, type TimeTiles } from '../../../ir/index.ts'
import { plannedBound } from '../../../analysis/index.ts'
import {
  arraysOfSweeps,
  distanceOf,
  haloOf,
  passingRange,
  readsOfSweep,
  statesOf,
  writtenBy,
} from '../../../transform/index.ts'
import { cellBox, neighbourOf, productOf } from './grid-cells.ts'
import { mostShared } from '../sketch.ts'

/** Parameters of tiles that move through the planes. */
export type StreamPoint = {
  /** Steps of time of a launch. */
  readonly steps: number
  /** Rows and columns of threads of a block, and of cells of a thread. */
  readonly ty: number
  readonly tx: number
  readonly py: number
  readonly px: number
  /** Planes of a block's share. */
  readonly planes: number
  /** Of earlier searches; nothing depends on it. */
  readonly share: number
}

/** What one sweep, or the memory, makes of an array: `lag` planes behind what is loaded, of which `depth` are kept. */
export interface Version {
  readonly array: ArrayDecl
  readonly lag: number
  depth: number
}

/** A sweep of one of the steps: by written array, the version that it reads. */
export interface PlaneStage {
  readonly sweep: Sweep
  readonly time: number
  readonly lag: number
  readonly reads: ReadonlyMap<string, Version>
  readonly old: Version | undefined
  readonly into: Version
}

/** Rows and columns of a tile as threads and their own cells, and the planes of a block's share. */
export interface Stream {
  readonly steps: number
  readonly threads: readonly number[]
  readonly own: readonly number[]
  readonly all: readonly number[]
  readonly before: readonly number[]
  readonly out: readonly number[]
  /** Planes of a block's share, and those that it loads before and after them. */
  readonly planes: number
  readonly ahead: number
  readonly behind: number
  readonly stages: readonly PlaneStage[]
  readonly versions: readonly Version[]
  /** Planes that a ring has room for: so many turns are written out, an even number. */
  readonly turns: number
}

/** The stream of a point, of a form of three dimensions. */
export function streamOf(form: TimeTiles, p: StreamPoint): Stream {
  const steps = p.steps,
    threads = [p.ty, p.tx],
    own = [p.py, p.px]
  const halo = haloOf(form, steps),
    along = own[1]!
  // vectors start on their boundaries
  const wide = (n: number, d: number): number => (d === 1 ? Math.ceil(n / along) * along : n)
  const all = threads.map((n, d) => n * own[d]!),
    before = halo.before.slice(1).map(wide)
  const { stages, versions } = stagesOf(form, steps)
  const rings = versions.map(
    (v) => v.depth + (isLoaded(stages, v) || stages.some((s) => s.into === v && !s.old) ? 1 : 0),
  ) // what comes from memory comes a turn ahead
  return {
    steps,
    threads,
    own,
    all,
    before,
    out: all.map((n, d) => n - before[d]! - wide(halo.after[d + 1]!, d)),
    planes: p.planes,
    ahead: halo.before[0]!,
    behind: Math.max(...versions.map((v) => v.lag)),
    stages,
    versions,
    turns: 2 * Math.ceil(Math.max(...rings) / 2),
  } // as many as dimensions
}

/** Whether a version comes from memory. */
export const isLoaded = (stages: readonly PlaneStage[], v: Version): boolean =>
  v.lag === 0 && !stages.some((s) => s.into === v)

/** Planes of a version that have a name: of one that only the next memory access reads, one. */
export const namedPlanes = (s: Stream, v: Version): number =>
  v.depth === 1 && !isLoaded(s.stages, v) && s.stages.every((x) => x.into !== v || x.old) ? 1 : s.turns

/** Turns that a block takes: a multiple of those that are written out. */
export const turnsOf = (s: Stream): number => s.turns * Math.ceil((s.planes + s.ahead + s.behind) / s.turns)

function stagesOf(form: TimeTiles, steps: number): Pick<Stream, 'stages' | 'versions'> {
  const names = writtenBy(form),
    now = new Map<string, Version>(),
    versions: Version[] = [],
    stages: PlaneStage[] = []
  const begin = (array: ArrayDecl, lag: number): Version => {
    const v = { array, lag, depth: 1 }
    versions.push(v)
    now.set(array.name, v)
    return v
  }
  for (const a of statesOf(form)) begin(a, 0)
  for (let time = 0; time < steps; time++)
    for (const sweep of form.sweeps) {
      const far = readsOfSweep(sweep).flatMap((r) =>
        names.has(r.array) ? [{ version: now.get(r.array)!, planes: distanceOf(r, form.cells)![0]! }] : [],
      ) // written before they are read; the form is local
      const old =
        passingRange(form, sweep.array.name) && sweep === form.sweeps.find((s) => s.array.name === sweep.array.name)
          ? undefined
          : now.get(sweep.array.name)
      const uses = [...far, ...(old ? [{ version: old, planes: 0 }] : [])]
      const lag = Math.max(0, ...uses.map((u) => u.version.lag + u.planes))
      for (const u of uses) u.version.depth = Math.max(u.version.depth, lag - u.planes - u.version.lag + 1)
      const reads = new Map(now)
      stages.push({ sweep, time, lag, reads, old, into: begin(sweep.array, lag) })
    }
  return { stages, versions }
}

/** Planes of an array that a stage shows to neighbours: the slots of the cells that they read. */
export interface Shown {
  readonly version: Version
  readonly plane: number
  readonly slots: ReadonlyMap<string, number>
}

export function shownBy(form: TimeTiles, s: PlaneStage, own: readonly number[]): readonly Shown[] {
  const found = new Map<string, { version: Version; plane: number; slots: Map<string, number> }>()
  for (const r of readsOfSweep(s.sweep)) {
    const version = s.reads.get(r.array),
      far = version && distanceOf(r, form.cells)! // the form is local
    if (!version || !far) continue
    for (const cell of cellBox(own)) {
      const { cell: from, away } = neighbourOf(own, cell, far.slice(1))
      if (away.every((x) => x === 0)) continue
      const key = `${r.array} ${far[0]}`,
        known = found.get(key) ?? { version, plane: far[0]!, slots: new Map<string, number>() }
      if (!known.slots.has(from.join())) known.slots.set(from.join(), known.slots.size)
      found.set(key, known)
    }
  }
  return [...found.values()]
}

/** Bytes of workgroup memory: two places for everything that is shown. */
export const bytesOfStream = (form: TimeTiles, s: Stream): number => productOf(s.threads) * shownBytes(form, s)

const shownBytes = (form: TimeTiles, s: Stream): number =>
  s.stages.reduce(
    (n, stage) =>
      n + shownBy(form, stage, s.own).reduce((m, x) => m + 2 * x.slots.size * bytesOf[x.version.array.type], 0),
    0,
  )

/** Values that a thread keeps in registers. */
const valuesOfStream = (s: Stream): number =>
  productOf(s.own) *
  s.versions.reduce(
    (n, v) => n + v.depth + (isLoaded(s.stages, v) || s.stages.some((x) => x.into === v && !x.old) ? 1 : 0),
    0,
  )

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Rows and columns that a thread may own. */
const boxes: readonly (readonly [number, number])[] = [
  [1, 4],
  [2, 4],
  [2, 2],
]
/** Points of a box and a number of steps that are kept. */
const keptPoints = 6

/**
 * Points whose tiles and shares fit the planned extents, the likeliest first: few of a box's own are better than whole
 * tiles that stand half outside.
 */
export function streamPoints(program: Program, form: TimeTiles, chip: Chip): readonly StreamPoint[] {
  const shape = arraysOfSweeps(form)[0]!.shape.map((e) => plannedBound(program, e)) // a form has arrays
  const all = boxes.flatMap(([py, px]) =>
    [1, 2].flatMap((steps) => {
      const at = (ty: number, tx: number, planes: number): StreamPoint => ({ steps, share: 0, ty, tx, py, px, planes })
      const s = streamOf(form, at(1, 1, 1)),
        bytes = shownBytes(form, s)
      const sides = [py, px].map((own, d) => lanesFor(shape[d + 1]!, s.all[d]! - s.out[d]!, own))
      const found = sides[0]!.flatMap((ty) =>
        sides[1]!.flatMap((tx) =>
          ty * tx < fewestThreads || ty * tx > mostThreads || ty * tx * bytes > mostShared
            ? []
            : sharesFor(shape[0]!, s).map((planes) => at(ty, tx, planes)),
        ),
      )
      return found
        .map((p) => ({ p, cost: costOf(shape, s, p, bytes, chip) }))
        .filter((x) => x.cost < Infinity)
        .sort((a, b) => a.cost - b.cost)
        .slice(0, keptPoints)
    }),
  )
  return all.sort((a, b) => a.cost - b.cost).map((x) => x.p)
}

/**
 * Threads of a block: fewer than three warps are not tried; of at most 512 each has 128 registers of a multiprocessor's
 * 65,536 for its planes.
 */
const fewestThreads = 96,
  mostThreads = 512

/**
 * Numbers of lanes with which whole tiles just cover `extent`, when `halo` cells of a tile are others' and a lane has
 * `own`.
 */
function lanesFor(extent: number, halo: number, own: number): readonly number[] {
  const most = Math.ceil(extent / own) + halo
  const counts = new Set<number>()
  for (let tiles = 1; tiles <= extent; tiles++) {
    const lanes = Math.ceil((Math.ceil(extent / tiles) + halo) / own)
    if (lanes <= most && lanes <= 64 && lanes >= 4) counts.add(lanes)
    if (lanes < 4) break
  }
  return [...counts]
}

/** Planes of a share so that blocks take whole rounds, for every number of shares that is of use. */
function sharesFor(planes: number, s: Stream): readonly number[] {
  const more = s.ahead + s.behind,
    counts = new Set<number>()
  for (let shares = 1; shares <= 32; shares++)
    counts.add(s.turns * Math.ceil((Math.ceil(planes / shares) + more) / s.turns) - more)
  return [...counts].filter((n) => n >= more)
}

/** What a launch costs for each of its steps, in clocks; `s`: of a tile of one thread. */
function costOf(shape: readonly number[], s: Stream, p: StreamPoint, bytes: number, chip: Chip): number {
  const threads = p.ty * p.tx,
    warps = Math.ceil(threads / 32),
    own = productOf(s.own)
  const out = [p.ty * s.own[0]! - (s.all[0]! - s.out[0]!), p.tx * s.own[1]! - (s.all[1]! - s.out[1]!)]
  if (out.some((n) => n < 1)) return Infinity
  const turns = s.turns * Math.ceil((p.planes + s.ahead + s.behind) / s.turns)
  const registers = Math.min(255, 64 + 1.25 * valuesOfStream(s))
  const together = Math.floor(
    Math.min(65536 / (registers * 32 * warps), chip.shared / (bytes * threads + 1024), chip.threads / (32 * warps)),
  )
  if (together < 1 || valuesOfStream(s) > mostOwn) return Infinity
  const blocks = Math.ceil(shape[0]! / p.planes) * Math.ceil(shape[1]! / out[0]!) * Math.ceil(shape[2]! / out[1]!)
  const each = Math.ceil(blocks / chip.multiprocessors) // of the busiest
  const perWarp = s.stages.length * own * updateIssues + (bytes / 4) * wordIssues + s.own[0]! * rowIssues + turnIssues
  const beside = Math.min(each, together)
  const turn =
    Math.max(perWarp * issueClocks, (beside * warps * perWarp) / schedulers) +
    waitClocks * (beside === 1 ? aloneFactor : 1)
  return (turns * Math.ceil(each / together) * turn + launchClocks) / s.steps
}

/** Values that a thread keeps in registers, at most. */
const mostOwn = 112
/**
 * Issued by a warp: for each cell and sweep, for each word that is shown and then read by others, for each row that is
 * loaded and stored, and for each turn.
 */
const updateIssues = 15,
  wordIssues = 1.2,
  rowIssues = 10,
  turnIssues = 45
/**
 * Clocks of one warp alone from one issue to the next, beside those it waits for memory and barriers in a turn;
 * schedulers of a multiprocessor.
 */
const issueClocks = 4,
  waitClocks = 1100,
  schedulers = 4
/** Nothing runs beside a block that is alone while it waits at a barrier. */
const aloneFactor = 1.15
/** From launch to launch. */
const launchClocks = 8000
