// Time tiling: a block runs several steps of a stencil on one tile. It loads the tile with a halo that holds all that
// those steps read, and writes the middle, which neighbours' halos repeat: more is computed, memory is touched once in
// many steps. Every thread owns a box of cells in registers; what other threads read of it lies in workgroup memory, a
// slot for each such cell of the box, so that neighbouring threads are neighbours in memory. Cells outside of the halo
// become garbage that moves inwards by a step's reach and never gets to the middle. Two kernels take turns: from the
// arrays to copies of them and back.
import { fail } from '../../../base/index.ts'
import {
  measuredChip,
  type Chip,
  add,
  ceilDiv,
  choose,
  int,
  loop,
  loopVar,
  mul,
  op,
  read,
  registerType,
  store,
  sub,
  when,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  zeroOf,
  type Sweep,
  type TimeTiles,
  conjunction,
  someExpr,
  exprKey,
  freshName,
  rewriteExpr,
  substitute,
  uses,
  type Read,
} from '../../../ir/index.ts'
import { plannedBound } from '../../../analysis/index.ts'
import {
  arraysOfSweeps,
  distanceOf,
  haveOneShape,
  isThin,
  passingRange,
  readsOfSweep,
  haloReason,
  statesOf,
  writtenBy,
} from '../../../transform/index.ts'
import {
  allOf,
  axesOf,
  beyond,
  cellBox,
  clamped,
  inArray,
  interior,
  productOf,
  sideBySide,
  takingTurns,
  within,
} from './grid-cells.ts'
import { apartPoints, sweptApart, type SweepPoint } from './sweep-launches.ts'
import { canStay, resident, residentPoint, type ResidentPoint } from './persistent-grid.ts'
import { streamPoints, type StreamPoint } from './plane-stages.ts'
import { streamed, wholeGroups } from './plane-streaming.ts'
import { Spread, tileOf, type Tile, type StandingPoint } from './time-tile-layout.ts'
import { block, mostShared, rowSizes, vector, type Made, type Rung, type Sketch } from '../sketch.ts'
import { counted } from '../step-words.ts'

/** Parameters of tiles with a halo. */
type HaloPoint = StandingPoint | StreamPoint

export type TimePoint = StandingPoint | StreamPoint | SweepPoint | (SweepPoint & ResidentPoint)

const isSwept = (p: TimePoint): p is SweepPoint => 'apart' in p
const isStream = (p: TimePoint): p is StreamPoint => 'planes' in p
const isResident = (p: TimePoint): p is SweepPoint & ResidentPoint => 'stay' in p
const isStanding = (p: TimePoint): p is StandingPoint => !isSwept(p) && !isStream(p)

/** The sketch of a time loop. */
export function timeTiles(program: Program, form: TimeTiles, gpu: Chip): Sketch<TimePoint> {
  const solid = form.cells.length === 3,
    apart = solid ? apartPoints(program, form) : []
  const tiles = apart.length > 0 ? [] : spaceOf(program, form, gpu),
    space = [...apart, ...tiles]
  const ladder: readonly Rung<TimePoint>[] = [
    { step: 'naive: one step per launch, a thread per cell', point: plain(form) },
    // there is a tile: see `hasTiles`
    ...(apart[0] ? rungsApart(apart[0], canStay(form)) : rungsInTiles(lightest(program, form, tiles, gpu), solid)),
  ]
  return {
    name: 'time-tiles',
    ladder: ladder.filter(({ point }) => !isStanding(point) || weight(program, form, point, gpu) < Infinity),
    space,
    ...(apart.length > 0 && { likely: () => apart }),
    vectorSizes: rowSizes(arraysOfSweeps(form)),
    build: (p) => built(program, form, p, false),
    ...(solid && {
      buildExact: (p: TimePoint) =>
        isResident(p)
          ? resident(program, form, p)
          : isStream(p) || isSwept(p)
            ? { ...built(program, form, p, true), requires: [wholeGroups(form, p)] }
            : undefined,
      forCuda: (p: TimePoint, chip?: Chip) => ({
        ...p,
        exact: 1,
        ...(isSwept(p) && {
          pz: planesInCuda(apart, p),
          ...(chip && p.px > 1 && residentPoint(program, form, chip)),
        }),
      }),
    }),
  }
}

/** The tile that costs least; of those that move through planes the first, which are in order. */
const lightest = (program: Program, form: TimeTiles, tiles: readonly HaloPoint[], gpu: Chip): HaloPoint => {
  const of = (p: StandingPoint): number => weight(program, form, p, gpu)
  return tiles.reduce((a, b) => (!isStream(a) && !isStream(b) && of(b) < of(a) ? b : a))
}

const rungsApart = (top: SweepPoint, stays: boolean): readonly Rung<SweepPoint>[] => {
  const onChip = stays ? '; in CUDA, where the grid fits, it stays on the chip over all sweeps' : ''
  return [
    { step: 'one sweep per launch, out of the caches: no halo, no barriers', point: { ...top, pz: 1, px: 1 } },
    { step: `vector loads, several planes per thread: an element is loaded once${onChip}`, point: top },
  ]
}

const rungsInTiles = (top: HaloPoint, streams: boolean): readonly Rung<HaloPoint>[] => [
  {
    step: streams
      ? 'streaming: tiles move through the planes, one step per launch'
      : 'several cells per thread in registers',
    point: { ...top, steps: 1 },
  },
  ...(top.steps === 1 ? [] : [{ step: `time tiling: ${top.steps} steps per launch`, point: top }]),
]

/**
 * Planes of a thread where CUDA compiles it: 200 sweeps of 200³ took 3.86 ms with 2, 3.60 with 3 and 3.63 with 4;
 * WebGPU's 4.40, 4.33 and 4.25 (of 250 threads).
 */
const planesInCuda = (all: readonly SweepPoint[], p: SweepPoint): number =>
  p.pz > 1 && all.some((q) => q.ty === p.ty && q.pz > 3) ? 3 : p.pz

const built = (program: Program, form: TimeTiles, p: TimePoint, exact: boolean): Made =>
  isSwept(p)
    ? sweptApart(program, form, p, exact)
    : isStream(p)
      ? streamed(program, form, p, exact)
      : made(program, form, p)

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

const point = (steps: number, share: number, threads: readonly number[], own: readonly number[]): StandingPoint => {
  const names = (['z', 'y', 'x'] as const).slice(3 - threads.length)
  return Object.fromEntries([
    ['steps', steps],
    ['share', share],
    ...names.map((a, d) => [`t${a}`, threads[d]!]),
    ...names.map((a, d) => [`p${a}`, own[d]!]),
  ]) as StandingPoint // a number per axis
}

const shapes: Readonly<Record<number, readonly (readonly [readonly number[], readonly number[]])[]>> = {
  1: [
    [[256], [1]],
    [[256], [4]],
    [[512], [4]],
    [[1024], [4]],
    [[1024], [2]],
    [[512], [8]],
  ],
  2: [
    [
      [8, 32],
      [4, 4],
    ],
    [
      [16, 32],
      [8, 4],
    ],
    [
      [8, 32],
      [8, 4],
    ],
    [
      [16, 32],
      [4, 4],
    ],
    [
      [16, 16],
      [4, 4],
    ],
    [
      [16, 32],
      [8, 1],
    ],
    [
      [8, 64],
      [4, 2],
    ],
    [
      [16, 32],
      [4, 2],
    ],
    [
      [8, 32],
      [8, 2],
    ],
  ],
}
const depths: Readonly<Record<number, readonly number[]>> = { 1: [1, 8, 16, 32, 64, 128], 2: [1, 2, 3, 4, 6, 8] }

const plain = (form: TimeTiles): StandingPoint =>
  point(
    1,
    0,
    [[256], [8, 32], [8, 8, 8]][form.cells.length - 1]!,
    form.cells.map(() => 1),
  ) // one to three dimensions

function spaceOf(program: Program, form: TimeTiles, gpu: Chip): readonly HaloPoint[] {
  const rank = form.cells.length
  // in three dimensions tiles that stand still are mostly halo
  if (rank === 3) return haveOneShape(form) ? streamPoints(program, form, gpu) : []
  const standing = (shapes[rank] ?? []).flatMap(([threads, own]) =>
    depths[rank]!.flatMap((steps) => [0, 1].map((share) => point(steps, share, threads, own))),
  ) // depths are for the same
  return standing.filter((p) => weight(program, form, p, gpu) < Infinity)
}

/** Whether some tile is large enough for the halo of one step. */
export const hasTiles = (program: Program, form: TimeTiles, gpu: Chip = measuredChip): boolean =>
  spaceOf(program, form, gpu).length > 0

/** Values that a thread keeps in registers at most: with all others it has far fewer than the 255 that it may have. */
const mostOwn = 112
/** Registers of a thread for everything else, about; a multiprocessor has 65,536. */
const otherRegisters = 40

/**
 * What one step of one useful cell costs, in sweeps: the halo's share, a launch's, and memory's; infinite where a tile
 * does not fit.
 */
function weight(program: Program, form: TimeTiles, p: StandingPoint, gpu: Chip): number {
  const sweptAtOnce = gpu.multiprocessors * cellsInFlight
  const t = tileOf(form, p)
  if (t.out.some((n) => n < 1)) return Infinity
  const arrays = arraysOfSweeps(form)
  const cells = t.all.reduce((n, x) => n * x, 1),
    own = t.own.reduce((n, x) => n * x, 1)
  const spread = new Spread(form, t, p.share === 1)
  if (
    spread.bytes > mostShared ||
    own * arrays.length > mostOwn ||
    (own * arrays.length + otherRegisters) * (cells / own) > 65536
  )
    return Infinity
  const shape = arrays[0]!.shape.map((e) => plannedBound(program, e)) // a form has arrays
  const tiles = shape.reduce((n, x, d) => n * Math.ceil(x / t.out[d]!), 1)
  const total = shape.reduce((n, x) => n * x, 1)
  const waves = Math.max(1, (tiles * cells) / sweptAtOnce)
  const sweeps = form.sweeps.length + barrierSweeps * spread.barriers
  const resident = Math.floor(65536 / ((own * arrays.length + otherRegisters) * (cells / own))) * (cells / own)
  return (
    (waves * (1 + idleThreads / resident) * (sweeps + (memorySweeps * statesOf(form).length) / p.steps) * sweptAtOnce +
      launchCells / p.steps) /
    Math.max(1, total)
  )
}

/** Cells that a multiprocessor has in flight. */
const cellsInFlight = 8192
/** A cell that goes to memory and back, in cells that are computed. */
const memorySweeps = 5
/** What a barrier costs beside a sweep. */
const barrierSweeps = 0.3
/** Threads of a multiprocessor beside which latencies count as much as all else. */
const idleThreads = 128
/** A launch, in cells that are computed meanwhile. */
const launchCells = 5e6

// ── kernels ───────────────────────────────────────────────────────────────────────────────────────────────────────

function made(program: Program, form: TimeTiles, p: StandingPoint): Made {
  const tile = tileOf(form, p),
    spread = new Spread(form, tile, p.share === 1)
  if (tile.out.some((n) => n < 1))
    fail('schedule.time-tiles', `the halo of ${p.steps} steps leaves nothing of the tile`)
  if (spread.bytes > mostShared) fail('schedule.time-tiles', `the tile needs ${spread.bytes} bytes of workgroup memory`)
  return takingTurns(program, form, p.steps, words(form, tile, p.steps, spread), (whole, from, source, target) =>
    new Writer(whole, form, tile, spread, p.steps, from, source, target).body(),
  )
}

function words(form: TimeTiles, t: Tile, steps: number, spread: Spread): readonly string[] {
  const by = (v: readonly number[]): string => v.join(' × ')
  const more = Math.round(100 * (productOf(t.all) / productOf(t.out) - 1))
  return [
    `${counted(steps, 'step')} of '${form.loop.name}' per launch on tiles of ${by(t.out)} cells`,
    `a halo makes them ${by(t.all)}, ${more} % more work, because ${haloReason(form)}`,
    `${productOf(t.threads)} threads own ${by(t.own)} cells each, in registers; ` +
      `what neighbours read lies in workgroup memory`,
    `${counted(spread.barriers, 'barrier')} per step for ${counted(form.sweeps.length, 'sweep')}; ` +
      `tiles that no border touches need no guards`,
  ]
}

/** The value of a read-only array that a thread keeps: for the cells in `dims` of its box. */
interface Kept {
  readonly array: ArrayDecl
  readonly dims: readonly number[]
}

class Writer {
  private readonly lanes: readonly string[]
  private readonly tiles: readonly string[]
  private readonly stepName: string
  private readonly vectorName: string
  private readonly values = new Map<string, ArrayDecl>()
  private readonly shown = new Map<string, ArrayDecl>()
  /** By the key of a read: of arrays that no sweep writes. */
  private readonly kept = new Map<string, { readonly at: Kept; readonly read: Read; readonly each: boolean }>()

  constructor(
    private readonly program: Program,
    private readonly form: TimeTiles,
    private readonly tile: Tile,
    private readonly spread: Spread,
    private readonly steps: number,
    private readonly from: Expr,
    private readonly source: (a: ArrayDecl) => ArrayDecl,
    private readonly target: (a: ArrayDecl) => ArrayDecl,
  ) {
    const names = axesOf(form)
    const fresh = (base: string): string => freshName(program, base)
    this.lanes = names.map((a) => fresh(`lane_${a}`))
    this.tiles = names.map((a) => fresh(`tile_${a}`))
    this.stepName = fresh('step')
    this.vectorName = fresh('neighbour')
    const own = tile.own.map(int),
      threads = tile.threads.map(int)
    for (const a of arraysOfSweeps(form)) {
      this.values.set(a.name, {
        name: fresh(`${a.name}_own`),
        type: a.type,
        shape: [...threads, ...own],
        role: 'temp',
        space: 'private',
      })
    }
    for (const g of spread.groups) {
      const tile: ArrayDecl = {
        name: fresh(`${g.map((a) => a.name).join('_')}_tile`),
        type: g[0]!.type,
        shape: [int(spread.slotsIn(g)), ...threads],
        role: 'temp',
        space: 'shared',
      } // no group is empty
      g.forEach((a) => this.shown.set(a.name, tile))
    }
    this.keep(fresh)
  }

  /** Reads of arrays that no sweep writes: loaded once where time has no part in it, in each step where no cell has. */
  private keep(fresh: (base: string) => string): void {
    const names = writtenBy(this.form)
    let count = 0
    for (const s of this.form.sweeps)
      for (const r of readsOfSweep(s)) {
        if (names.has(r.array) || this.kept.has(exprKey(r))) continue
        const dims = this.form.cells.flatMap((c, d) => (r.index.some((e) => uses(e, c)) ? [d] : []))
        const each = r.index.some((e) => this.usesTime(e))
        if (each && dims.length > 0) continue
        count += dims.reduce((n, d) => n * this.tile.own[d]!, 1)
        const array: ArrayDecl = {
          name: fresh(`${r.array}_kept${this.kept.size === 0 ? '' : this.kept.size + 1}`),
          type: this.arrayOf(r).type,
          shape: [...this.tile.threads.map(int), ...dims.map((d) => int(this.tile.own[d]!))],
          role: 'temp',
          space: 'private',
        }
        this.kept.set(exprKey(r), { at: { array, dims }, read: r, each })
      }
    if (count + this.values.size * this.tile.own.reduce((n, x) => n * x, 1) > 2 * mostOwn)
      fail('schedule.time-tiles', `a thread would keep ${count} values of arrays that are only read`)
  }

  private arrayOf(r: Read): ArrayDecl {
    return (
      this.program.arrays.find((a) => a.name === r.array) ??
      fail('schedule.time-tiles', `there is no array '${r.array}'`)
    )
  }
  private usesTime(e: Expr): boolean {
    return someExpr(e, (x) => x.kind === 'size' && x.name === this.form.variable)
  }

  body(): readonly LoopStmt[] {
    const { form } = this
    const passing = arraysOfSweeps(form).filter((a) => passingRange(form, a.name)),
      states = statesOf(form)
    const declared = [
      ...this.values.values(),
      ...new Set(this.shown.values()),
      ...[...this.kept.values()].map((k) => k.at.array),
    ]
    const first = states.filter((a) => this.spread.isRead(a.name, this.spread.phases.length - 1))
    const dims = form.cells.map((_, d) => d),
      begin = dims.map((d) => this.origin(d))
    const inner = interior(
      form,
      dims,
      begin,
      begin.map((e, d) => add(e, int(this.tile.all[d]!))),
    )
    const run = (inside: boolean): readonly LoopStmt[] => [
      this.side([
        ...states.flatMap((a) => this.loads(a, inside)),
        ...(inside ? [] : passing.flatMap((a) => this.edges(a))),
      ]),
      ...(first.length > 0 ? [this.side(first.flatMap((a) => this.show(a)))] : []),
      this.timeLoop(inside),
      this.side([
        ...states.flatMap((a) => this.writeBack(a, inside)),
        ...passing.flatMap((a) => this.writeLast(a, inside)),
      ]),
    ]
    const once = [...this.kept.values()].filter((k) => !k.each)
    const body: readonly LoopStmt[] = [
      ...declared.map((array): LoopStmt => ({ kind: 'declare', array })),
      ...(once.length > 0 ? [this.side(once.flatMap((k) => this.loadKept(k)))] : []),
      when(inner, run(true), run(false)),
    ]
    const extents = form.cells.map((_, d) =>
      arraysOfSweeps(form)
        .map((a) => a.shape[d]!)
        .reduce((a, b) => (exprKey(a) === exprKey(b) ? a : op('max', [a, b]))),
    ) // a form has arrays
    return this.tiles.reduceRight<readonly LoopStmt[]>(
      (inner, name, d) => [
        loop(name, ceilDiv(extents[d]!, this.tile.out[d]!), inner, { bind: block(axesOf(form)[d]!) }),
      ],
      body,
    ) // as above
  }

  /** All threads side by side. */
  private side(body: readonly LoopStmt[]): LoopStmt {
    return sideBySide(this.tile.threads, this.lanes, body)
  }

  private own(name: string, cell: readonly Expr[]): { readonly array: ArrayDecl; readonly index: readonly Expr[] } {
    return { array: this.values.get(name)!, index: [...this.lanes.map(loopVar), ...cell] } // made for every array
  }

  private readonly value = (name: string, cell: readonly Expr[]): Expr => {
    const o = this.own(name, cell)
    return read(o.array, o.index)
  }

  /** First cell of the tile with its halo. */
  private origin(d: number): Expr {
    return add(mul(loopVar(this.tiles[d]!), int(this.tile.out[d]!)), int(-this.tile.before[d]!))
  }

  /** Indices in the arrays of a cell of the thread's box. */
  private cellAt(cell: readonly Expr[]): readonly Expr[] {
    return cell.map((c, d) =>
      add(
        add(
          mul(loopVar(this.tiles[d]!), int(this.tile.out[d]!)),
          add(mul(loopVar(this.lanes[d]!), int(this.tile.own[d]!)), c),
        ),
        int(-this.tile.before[d]!),
      ),
    )
  }

  /** For every cell of the box, neighbours along memory together. */
  private each(make: (cell: readonly Expr[]) => readonly LoopStmt[]): readonly LoopStmt[] {
    const { own } = this.tile
    const along = own[own.length - 1]!
    if (along !== 2 && along !== 4) return cellBox(own).flatMap((c) => make(c.map(int)))
    return cellBox(own.slice(0, -1)).map((c) =>
      loop(this.vectorName, int(along), make([...c.map(int), loopVar(this.vectorName)]), { bind: vector }),
    )
  }

  /** A sweep that is no border writes the array: where it covers the tile, all of the tile is in the array. */
  private covers(a: ArrayDecl): boolean {
    return this.form.sweeps.some((s) => s.array.name === a.name && !isThin(s))
  }

  private loads(a: ArrayDecl, inside: boolean): readonly LoopStmt[] {
    return this.each((cell) => {
      const at = this.cellAt(cell),
        o = this.own(a.name, cell),
        element = read(this.source(a), at)
      return [
        store(
          o.array,
          o.index,
          inside && this.covers(a) ? element : choose(allOf(inArray(a, at)), element, zeroOf(registerType(a.type))),
        ),
      ]
    })
  }

  /** What is where steps never write, of an array that no step hands on: by the threads that have such cells. */
  private edges(a: ArrayDecl): readonly LoopStmt[] {
    const range = passingRange(this.form, a.name)!,
      { own } = this.tile // of a passing array
    const first = this.cellAt(own.map(() => int(0))),
      last = this.cellAt(own.map((n) => int(n - 1)))
    const beside = range
      .flatMap((r, d) => [op('lt', [first[d]!, r.lower]), op('ge', [last[d]!, r.upper])])
      .reduce((x, y) => op('lor', [x, y]))
    const set = (value: (at: readonly Expr[]) => Expr): readonly LoopStmt[] =>
      cellBox(own).map((c) => {
        const o = this.own(a.name, c.map(int))
        return store(o.array, o.index, value(this.cellAt(c.map(int))))
      })
    return [
      when(
        beside,
        set((at) => beyond(a, range, at)),
        set(() => zeroOf(registerType(a.type))),
      ),
    ]
  }

  private writeBack(a: ArrayDecl, inside: boolean): readonly LoopStmt[] {
    return this.each((cell) => {
      const at = this.cellAt(cell),
        write = store(this.target(a), at, this.value(a.name, cell))
      const guard = conjunction([
        ...this.inMiddle(cell),
        ...(inside && this.covers(a) ? [] : at.map((e, d) => op('lt', [e, a.shape[d]!]))),
      ])
      return guard ? [when(guard, [write])] : [write]
    })
  }

  /** What no step hands on is written by the last. */
  private writeLast(a: ArrayDecl, inside: boolean): readonly LoopStmt[] {
    const range = passingRange(this.form, a.name)! // of a passing array
    const { loop: l } = this.form
    const last = op('land', [
      op('lt', [this.from, l.upper]),
      op('ge', [add(this.from, int(this.steps * l.step)), l.upper]),
    ])
    return [
      when(
        last,
        this.each((cell) => {
          const write = store(a, this.cellAt(cell), this.value(a.name, cell)),
            guard = conjunction([...this.inMiddle(cell), ...(inside ? [] : within(range, this.cellAt(cell)))])
          return guard ? [when(guard, [write])] : [write]
        }),
      ),
    ]
  }

  private inMiddle(cell: readonly Expr[]): readonly Expr[] {
    return cell.flatMap((c, d) => {
      const at = add(mul(loopVar(this.lanes[d]!), int(this.tile.own[d]!)), c)
      const { before, out, all } = this.tile
      return [
        ...(before[d]! > 0 ? [op('ge', [at, int(before[d]!)])] : []),
        ...(before[d]! + out[d]! < all[d]! ? [op('lt', [at, int(before[d]! + out[d]!)])] : []),
      ]
    })
  }

  private show(a: ArrayDecl): readonly LoopStmt[] {
    const tile = this.shown.get(a.name)
    return tile
      ? [...this.spread.slots.get(a.name)!].map(([key, slot]) =>
          store(
            tile,
            [int(slot), ...this.lanes.map(loopVar)],
            this.value(
              a.name,
              key.split(',').map((x) => int(Number(x))),
            ),
          ),
        )
      : []
  }

  private loadKept({ at, read: r }: { readonly at: Kept; readonly read: Read }): readonly LoopStmt[] {
    return cellBox(at.dims.map((d) => this.tile.own[d]!)).map((c) => {
      const cell = this.form.cells.map((_, d) => (at.dims.includes(d) ? int(c[at.dims.indexOf(d)]!) : int(0)))
      return store(at.array, [...this.lanes.map(loopVar), ...c.map(int)], this.atTime(this.guardedRead(r, cell)))
    })
  }

  /** A read of an array that no sweep writes, wherever the cell lies, still in terms of the time loop's variable. */
  private guardedRead(r: Read, cell: readonly Expr[]): Expr {
    const at = this.cellAt(cell),
      by = new Map(this.form.cells.map((c, d) => [c, at[d]!]))
    const index = r.index.map((e) => substitute(e, by)),
      a = this.arrayOf(r)
    const inside = conjunction(index.flatMap((e, d) => [op('ge', [e, int(0)]), op('lt', [e, a.shape[d]!])]))
    return inside ? choose(inside, { ...r, index }, zeroOf(registerType(a.type))) : r
  }

  private atTime(e: Expr): Expr {
    const now = add(this.from, mul(loopVar(this.stepName), int(this.form.loop.step)))
    return rewriteExpr(e, (x) => (x.kind === 'size' && x.name === this.form.variable ? now : undefined))
  }

  // ── steps ───────────────────────────────────────────────────────────────────────────────────────────────────────

  private timeLoop(inside: boolean): LoopStmt {
    const { loop: l } = this.form
    const left = ceilDiv(sub(l.upper, this.from), l.step)
    const body = this.spread.phases.flatMap((p, n): readonly LoopStmt[] => {
      const each = n === 0 ? [...this.kept.values()].filter((k) => k.each).flatMap((k) => this.loadKept(k)) : []
      const work = [
        ...each,
        ...p.sweeps
          .filter((s) => !inside || !isThin(s))
          .flatMap((s) => cellBox(this.tile.own).map((cell) => this.swept(s, cell, inside))),
      ]
      const shown = arraysOfSweeps(this.form)
        .filter((a) => p.writes.has(a.name) && this.spread.isRead(a.name, n))
        .flatMap((a) => this.show(a))
      return this.spread.isApart(n) ? [this.side(work), this.side(shown)] : [this.side([...work, ...shown])]
    })
    return loop(
      this.stepName,
      op('min', [left, int(this.steps)]),
      body.filter((s) => s.kind !== 'loop' || s.body.length > 0),
    )
  }

  private swept(s: Sweep, cell: readonly number[], inside: boolean): LoopStmt {
    const at = this.cellAt(cell.map(int)),
      by = new Map(this.form.cells.map((c, d) => [c, at[d]!]))
    const f = (e: Expr): Expr =>
      this.atTime(
        substitute(
          rewriteExpr(e, (x) => (x.kind === 'read' ? this.readAt(x, cell) : undefined)),
          by,
        ),
      )
    const conditions = [...(inside ? [] : within(s.ranges, at)), ...(s.guard ? [f(s.guard)] : [])]
    const o = this.own(s.array.name, cell.map(int)),
      value = f(s.value)
    return store(
      o.array,
      o.index,
      conditions.length === 0 ? value : op('select', [allOf(conditions), value, read(o.array, o.index)]),
    )
  }

  private readAt(r: Read, cell: readonly number[]): Expr {
    const lanes = this.lanes.map(loopVar)
    const k = this.kept.get(exprKey(r))
    if (k) return read(k.at.array, [...lanes, ...k.at.dims.map((d) => int(cell[d]!))])
    if (!this.values.has(r.array)) return this.guardedRead(r, cell.map(int))
    const { cell: from, away } = this.spread.neighbour(cell, distanceOf(r, this.form.cells)!) // the form is local
    if (away.every((x) => x === 0)) return this.value(r.array, from.map(int))
    const slot = this.spread.slots.get(r.array)!.get(from.join())! // a slot for every such cell
    return read(this.shown.get(r.array)!, [
      int(slot),
      ...lanes.map((l, d) => clamped(l, away[d]!, this.tile.threads[d]!)),
    ])
  }
}
