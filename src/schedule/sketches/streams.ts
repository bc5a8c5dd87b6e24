// Time tiling of three dimensions by streaming: a block keeps a tile of rows and columns and moves through the planes. What
// several steps need of each array is a window of a few planes, in registers of the threads that own the cells; a sweep
// follows the one before as soon as the planes that it reads are there, and the next plane is on its way from memory
// meanwhile. So a tile has a halo in rows and columns alone, but for the first and last planes of its share.
import { fail } from '../../base/index.ts'
import { add, bytesOf, ceilDiv, choose, int, loop, loopVar, lt, mul, op, read, registerType, store, when, type ArrayDecl, type Expr, type LoopStmt, type Program } from '../../ir/index.ts'
import { zeroOf } from '../algebra.ts'
import type { Sweep, TimeTiles } from '../part.ts'
import { arraysOfSweeps, distanceOf, haloOf, isThin, passingRange, readsOfSweep, reason, statesOf, writtenBy } from '../sweeps.ts'
import { conjunction, freshName, mapExpr, substitute, type Read } from '../tree.ts'
import { allOf, beyond, boxOf, clamped, inArray, interior, neighbourOf, product, takingTurns, within } from './cells.ts'
import { block, mostShared, threads as threadsAt, vector, type Made, type Point } from './sketch.ts'

/** What one sweep, or the memory, makes of an array: `lag` planes behind what is loaded, of which `depth` are kept. */
interface Version { readonly array: ArrayDecl; readonly lag: number; depth: number }

/** A sweep of one of the steps: by written array, the version that it reads. */
interface Stage { readonly sweep: Sweep; readonly time: number; readonly lag: number; readonly reads: ReadonlyMap<string, Version>; readonly old: Version | undefined; readonly into: Version }

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
  readonly stages: readonly Stage[]
  readonly versions: readonly Version[]
}

/** The stream of a point, of a form of three dimensions. */
export function streamOf(form: TimeTiles, p: Point): Stream {
  const steps = p['steps']!, threads = [p['ty']!, p['tx']!], own = [p['py']!, p['px']!] // points have them
  const halo = haloOf(form, steps), along = own[1]!
  const wide = (n: number, d: number): number => (d === 1 ? Math.ceil(n / along) * along : n) // vectors start on their boundaries
  const all = threads.map((n, d) => n * own[d]!), before = halo.before.slice(1).map(wide)
  const { stages, versions } = stagesOf(form, steps)
  return { steps, threads, own, all, before, out: all.map((n, d) => n - before[d]! - wide(halo.after[d + 1]!, d)), planes: p['planes']!, ahead: halo.before[0]!, behind: Math.max(...versions.map((v) => v.lag)), stages, versions } // as many as dimensions
}

function stagesOf(form: TimeTiles, steps: number): Pick<Stream, 'stages' | 'versions'> {
  const names = writtenBy(form), now = new Map<string, Version>(), versions: Version[] = [], stages: Stage[] = []
  const begin = (array: ArrayDecl, lag: number): Version => { const v = { array, lag, depth: 1 }; versions.push(v); now.set(array.name, v); return v }
  for (const a of statesOf(form)) begin(a, 0)
  for (let time = 0; time < steps; time++) for (const sweep of form.sweeps) {
    const far = readsOfSweep(sweep).flatMap((r) => (names.has(r.array) ? [{ version: now.get(r.array)!, planes: distanceOf(r, form.cells)![0]! }] : [])) // written before they are read; the form is local
    const old = passingRange(form, sweep.array.name) && sweep === form.sweeps.find((s) => s.array.name === sweep.array.name) ? undefined : now.get(sweep.array.name)
    const uses = [...far, ...(old ? [{ version: old, planes: 0 }] : [])]
    const lag = Math.max(0, ...uses.map((u) => u.version.lag + u.planes))
    for (const u of uses) u.version.depth = Math.max(u.version.depth, lag - u.planes - u.version.lag + 1)
    const reads = new Map(now)
    stages.push({ sweep, time, lag, reads, old, into: begin(sweep.array, lag) })
  }
  return { stages, versions }
}

/** Planes of an array that a stage shows to neighbours: the slots of the cells that they read. */
interface Shown { readonly version: Version; readonly plane: number; readonly slots: ReadonlyMap<string, number> }

function shownBy(form: TimeTiles, s: Stage, own: readonly number[]): readonly Shown[] {
  const found = new Map<string, { version: Version; plane: number; slots: Map<string, number> }>()
  for (const r of readsOfSweep(s.sweep)) {
    const version = s.reads.get(r.array), far = version && distanceOf(r, form.cells)! // the form is local
    if (!version || !far) continue
    for (const cell of boxOf(own)) {
      const { cell: from, away } = neighbourOf(own, cell, far.slice(1))
      if (away.every((x) => x === 0)) continue
      const key = `${r.array} ${far[0]}`, known = found.get(key) ?? { version, plane: far[0]!, slots: new Map<string, number>() }
      if (!known.slots.has(from.join())) known.slots.set(from.join(), known.slots.size)
      found.set(key, known)
    }
  }
  return [...found.values()]
}

/** Bytes of workgroup memory. */
export const bytesOfStream = (form: TimeTiles, s: Stream): number =>
  s.stages.reduce((n, stage) => n + shownBy(form, stage, s.own).reduce((m, x) => m + x.slots.size * product(s.threads) * bytesOf[x.version.array.type], 0), 0)

/** Values that a thread keeps in registers. */
export const valuesOfStream = (s: Stream): number => product(s.own) * (s.versions.reduce((n, v) => n + v.depth, 0) + s.versions.filter((v) => v.lag === 0).length)

/** The two kernels of a point. Throws a `DiagnosticError` when the tile does not fit. */
export function streamed(program: Program, form: TimeTiles, p: Point): Made {
  const s = streamOf(form, p)
  if (s.out.some((n) => n < 1)) fail('schedule.time-tiles', `the halo of ${s.steps} steps leaves nothing of the tile`)
  if (bytesOfStream(form, s) > mostShared) fail('schedule.time-tiles', `the tile needs ${bytesOfStream(form, s)} bytes of workgroup memory`)
  return takingTurns(program, form, s.steps, words(form, s), (whole, from, source, target) => new Writer(whole, form, s, from, source, target).body())
}

function words(form: TimeTiles, s: Stream): readonly string[] {
  const planes = s.planes + s.ahead + s.behind
  const more = Math.round(100 * ((product(s.all) * planes) / (product(s.out) * s.planes) - 1))
  return [
    `${s.steps} ${s.steps === 1 ? 'step' : 'steps'} of '${form.loop.name}' per launch on tiles of ${s.out.join(' × ')} cells that move through ${s.planes} planes`,
    `a halo makes them ${s.all.join(' × ')} and ${planes} planes, ${more} % more work, because ${reason(form)}`,
    `${product(s.threads)} threads own ${s.own.join(' × ')} cells of a plane each; ${s.versions.map((v) => v.depth).join(' + ')} planes are in registers, and the next is loaded meanwhile`,
    `${s.stages.length} barriers per plane; tiles that no border touches need no guards`,
  ]
}

class Writer {
  private readonly fresh = (base: string): string => freshName(this.program, base)
  private readonly names: { readonly lanes: readonly string[]; readonly tiles: readonly string[]; readonly share: string; readonly plane: string; readonly neighbour: string }
  private readonly windows: ReadonlyMap<Version, ArrayDecl>
  private readonly next: ReadonlyMap<Version, ArrayDecl>
  /** Of stages that write what no step hands on: what its array has where it is not written, for the next turn. */
  private readonly edges: ReadonlyMap<Stage, ArrayDecl>
  private readonly tiles: readonly (readonly { readonly shown: Shown; readonly array: ArrayDecl }[])[]

  constructor(
    private readonly program: Program, private readonly form: TimeTiles, private readonly stream: Stream,
    private readonly from: Expr, private readonly source: (a: ArrayDecl) => ArrayDecl, private readonly target: (a: ArrayDecl) => ArrayDecl,
  ) {
    const { fresh } = this
    this.names = { lanes: ['lane_y', 'lane_x'].map(fresh), tiles: ['tile_y', 'tile_x'].map(fresh), share: fresh('share'), plane: fresh('plane'), neighbour: fresh('neighbour') }
    const threads = stream.threads.map(int), own = stream.own.map(int)
    const kept = (base: string, a: ArrayDecl, ...depth: readonly number[]): ArrayDecl => ({ name: fresh(base), type: a.type, shape: [...threads, ...depth.map(int), ...own], role: 'temp', space: 'private' })
    this.windows = new Map(stream.versions.map((v, n) => [v, kept(`${v.array.name}_${n}`, v.array, v.depth)]))
    this.next = new Map(stream.versions.filter((v) => v.lag === 0 && !stream.stages.some((s) => s.into === v)).map((v) => [v, kept(`${v.array.name}_ahead`, v.array)]))
    this.edges = new Map(stream.stages.flatMap((s, n) => (s.old ? [] : [[s, kept(`${s.sweep.array.name}_edge${n}`, s.sweep.array)] as const])))
    this.tiles = stream.stages.map((s, n) => shownBy(form, s, stream.own).map((shown, m) => ({ shown, array: { name: fresh(`${shown.version.array.name}_tile${n}${m > 0 ? `_${m}` : ''}`), type: shown.version.array.type, shape: [int(shown.slots.size), ...threads], role: 'temp', space: 'shared' } })))
  }

  body(): readonly LoopStmt[] {
    const { form, stream, names } = this
    const begin = [0, 1].map((d) => add(mul(loopVar(names.tiles[d]!), int(stream.out[d]!)), int(-stream.before[d]!)))
    const inner = interior(form, [1, 2], [int(0), ...begin], [int(0), ...begin.map((e, d) => add(e, int(stream.all[d]!)))])
    const declared = [...this.windows.values(), ...this.next.values(), ...this.edges.values(), ...this.tiles.flatMap((t) => t.map((x) => x.array))]
    const cleared = [
      ...[...this.windows].flatMap(([v, w]) => Array.from({ length: v.depth }, (_, k) => this.each((cell) => [store(w, [...this.own, int(k), ...cell], zeroOf(registerType(v.array.type)))])).flat()),
      ...[...this.edges].flatMap(([s, w]) => this.each((cell) => [store(w, [...this.own, ...cell], zeroOf(registerType(s.sweep.array.type)))])),
    ]
    const run = (inside: boolean): readonly LoopStmt[] => [this.side([...this.ahead(this.firstPlane, inside), ...[...this.edges.keys()].flatMap((s) => this.edge(s, add(this.firstPlane, int(-s.lag)), inside))]), this.planes(inside)]
    const body: readonly LoopStmt[] = [
      ...declared.map((array): LoopStmt => ({ kind: 'declare', array })),
      this.side(cleared),
      when(inner, run(true), run(false)),
    ]
    const extents = form.cells.map((_, d) => arraysOfSweeps(form)[0]!.shape[d]!) // a form has arrays, here of one shape
    const tiled = (d: number, inner: readonly LoopStmt[]): LoopStmt => loop(names.tiles[d]!, ceilDiv(extents[d + 1]!, stream.out[d]!), inner, { bind: block(d === 0 ? 'y' : 'x') })
    return [loop(names.share, ceilDiv(extents[0]!, stream.planes), [tiled(0, [tiled(1, body)])], { bind: block('z') })]
  }

  private side(body: readonly LoopStmt[]): LoopStmt {
    const { stream: { threads }, names: { lanes } } = this
    return loop(lanes[0]!, int(threads[0]!), [loop(lanes[1]!, int(threads[1]!), body, { bind: threadsAt(1) })], { bind: threadsAt(threads[1]!) })
  }

  private get own(): readonly Expr[] { return this.names.lanes.map(loopVar) }

  /** The first plane that the block loads. */
  private get firstPlane(): Expr { return add(mul(loopVar(this.names.share), int(this.stream.planes)), int(-this.stream.ahead)) }

  private planeAt(lag: number): Expr { return add(add(this.firstPlane, loopVar(this.names.plane)), int(-lag)) }

  private cellAt(plane: Expr, cell: readonly Expr[]): readonly Expr[] {
    const { stream, names } = this
    return [plane, ...cell.map((c, d) => add(add(mul(loopVar(names.tiles[d]!), int(stream.out[d]!)), add(mul(loopVar(names.lanes[d]!), int(stream.own[d]!)), c)), int(-stream.before[d]!)))]
  }

  /** For every cell of the thread's box, neighbours along memory together. */
  private each(make: (cell: readonly Expr[]) => readonly LoopStmt[]): readonly LoopStmt[] {
    const [rows, along] = [this.stream.own[0]!, this.stream.own[1]!]
    if (along !== 2 && along !== 4) return boxOf([rows, along]).flatMap((c) => make(c.map(int)))
    return Array.from({ length: rows }, (_, r) => loop(this.names.neighbour, int(along), make([int(r), loopVar(this.names.neighbour)]), { bind: vector }))
  }

  /** Loads a plane of what steps hand on to each other, for the next turn. */
  private ahead(plane: Expr, inside: boolean): readonly LoopStmt[] {
    return [...this.next].flatMap(([v, array]) => this.each((cell) => {
      const at = this.cellAt(plane, cell), known = inside && this.covers(v.array) ? inArray(v.array, at).slice(0, 2) : inArray(v.array, at)
      return [store(array, [...this.own, ...cell], choose(conjunction(known)!, read(this.source(v.array), at), zeroOf(registerType(v.array.type))))]
    }))
  }

  /** A sweep that is no border writes the array: where it covers the tile, all of the tile is in the array. */
  private covers(a: ArrayDecl): boolean { return this.form.sweeps.some((s) => s.array.name === a.name && !isThin(s, [1, 2])) }

  /** Loads what a plane has where the stage does not write it, by the threads that have such cells. */
  private edge(s: Stage, plane: Expr, inside: boolean): readonly LoopStmt[] {
    const a = s.sweep.array, { ranges } = s.sweep, own = this.stream.own
    const first = this.cellAt(plane, [int(0), int(0)]), last = this.cellAt(plane, own.map((n) => int(n - 1)))
    const away = [op('lt', [plane, ranges[0]!.lower]), op('ge', [plane, ranges[0]!.upper])]
    const beside = inside ? [] : [1, 2].flatMap((d) => [op('lt', [first[d]!, ranges[d]!.lower]), op('ge', [last[d]!, ranges[d]!.upper])])
    const loads = boxOf(own).map((c) => store(this.edges.get(s)!, [...this.own, ...c.map(int)], beyond(a, ranges, this.cellAt(plane, c.map(int))))) // a place for every such stage
    return [when([...away, ...beside].reduce((x, y) => op('lor', [x, y])), loads)]
  }

  // ── planes ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private planes(inside: boolean): LoopStmt {
    const { stream, names } = this
    const moved = [...this.windows].flatMap(([v, w]) => Array.from({ length: v.depth - 1 }, (_, k) => boxOf(stream.own).map((c) => store(w, this.at(v.depth - 1 - k, c), read(w, this.at(v.depth - 2 - k, c))))).flat())
    const arrived = [...this.next].flatMap(([v, array]) => boxOf(stream.own).map((c) => store(this.windows.get(v)!, this.at(0, c), read(array, [...this.own, ...c.map(int)]))))
    const turns = stream.stages.map((s, n) => this.side([...this.swept(s, n, inside), ...(s.old ? [] : this.edge(s, this.planeAt(s.lag - 1), inside)), ...this.stored(s, inside), ...this.shown(n + 1)]))
    return loop(names.plane, int(stream.planes + stream.ahead + stream.behind), [this.side([...moved, ...arrived, ...this.ahead(this.planeAt(-1), inside), ...this.shown(0)]), ...turns])
  }

  private at(depth: number, cell: readonly number[]): readonly Expr[] { return [...this.own, int(depth), ...cell.map(int)] }

  private valueOf(v: Version, depth: number, cell: readonly number[]): Expr { return read(this.windows.get(v)!, this.at(depth, cell)) } // a window for each

  /** What neighbours will read in a stage. */
  private shown(stage: number): readonly LoopStmt[] {
    const s = this.stream.stages[stage]
    return !s ? [] : this.tiles[stage]!.flatMap(({ shown, array }) => [...shown.slots].map(([key, slot]) =>
      store(array, [int(slot), ...this.own], this.valueOf(shown.version, s.lag - shown.plane - shown.version.lag, key.split(',').map(Number)))))
  }

  /** The step of a stage is one of the loop's. */
  private isStep(s: Stage): Expr { return lt(add(this.from, int(s.time * this.form.loop.step)), this.form.loop.upper) }

  private swept(s: Stage, n: number, inside: boolean): readonly LoopStmt[] {
    const w = this.windows.get(s.into)!, ranges = s.sweep.ranges, cells = boxOf(this.stream.own)
    const set = (cell: readonly number[], value: Expr): LoopStmt => store(w, this.at(0, cell), value)
    const plane = this.planeAt(s.lag)
    const runs = allOf([this.isStep(s), ...within(ranges.slice(0, 1), [plane])])
    const guardOf = (cell: readonly number[]): readonly Expr[] => (s.sweep.guard ? [this.rewritten(s, n, s.sweep.guard, cell)] : [])
    const value = (cell: readonly number[]): Expr => this.rewritten(s, n, s.sweep.value, cell)
    if (inside && isThin(s.sweep, [1, 2])) return cells.map((cell) => set(cell, this.before(s, cell)))
    if (inside) {
      const some = (cell: readonly number[]): Expr => { const g = guardOf(cell); return g.length > 0 ? op('select', [allOf(g), value(cell), this.before(s, cell)]) : value(cell) }
      return [when(runs, cells.map((cell) => set(cell, some(cell))), cells.map((cell) => set(cell, this.before(s, cell))))]
    }
    return cells.map((cell) => set(cell, op('select', [allOf([runs, ...within(ranges.slice(1), this.cellAt(plane, cell.map(int)).slice(1)), ...guardOf(cell)]), value(cell), this.before(s, cell)])))
  }

  /** What the cell has when the sweep does not write it. */
  private before(s: Stage, cell: readonly number[]): Expr {
    if (s.old) return this.valueOf(s.old, s.lag - s.old.lag, cell)
    return read(this.edges.get(s)!, [...this.own, ...cell.map(int)]) // a place for every other stage
  }

  private rewritten(s: Stage, n: number, e: Expr, cell: readonly number[]): Expr {
    const at = this.cellAt(this.planeAt(s.lag), cell.map(int)), by = new Map(this.form.cells.map((c, d) => [c, at[d]!]))
    const now = add(this.from, int(s.time * this.form.loop.step))
    const timed = (x: Expr): Expr => mapExpr(x, (y) => (y.kind === 'size' && y.name === this.form.variable ? now : undefined))
    const f = (x: Expr): Expr | undefined => {
      if (x.kind !== 'read') return undefined
      if (s.reads.has(x.array)) return this.readAt(s, n, x, cell)
      const index = x.index.map((i) => substitute(i, by)), a = this.program.arrays.find((y) => y.name === x.array)!
      return index.length === 0 ? x : choose(allOf(inArray(a, index)), { ...x, index }, zeroOf(x.type))
    }
    return timed(substitute(mapExpr(e, f), by))
  }

  private readAt(s: Stage, n: number, r: Read, cell: readonly number[]): Expr {
    const v = s.reads.get(r.array)!, far = distanceOf(r, this.form.cells)! // the form is local
    const { cell: from, away } = neighbourOf(this.stream.own, cell, far.slice(1))
    if (away.every((x) => x === 0)) return this.valueOf(v, s.lag - far[0]! - v.lag, from)
    const { shown, array } = this.tiles[n]!.find((t) => t.shown.version === v && t.shown.plane === far[0])!
    return read(array, [int(shown.slots.get(from.join())!), ...this.own.map((l, d) => clamped(l, away[d]!, this.stream.threads[d]!))])
  }

  // ── results ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** What a stage leaves for good: the last version of an array that steps hand on; what the last step makes of the others. */
  private stored(s: Stage, inside: boolean): readonly LoopStmt[] {
    const { form, stream } = this
    const a = s.sweep.array, range = passingRange(form, a.name)
    const later = stream.stages.slice(stream.stages.indexOf(s) + 1).filter((x) => x.sweep.array.name === a.name)
    if (range ? later.some((x) => x.time === s.time) : later.length > 0) return []
    const plane = this.planeAt(s.lag), first = mul(loopVar(this.names.share), int(stream.planes))
    const mine = allOf([op('ge', [plane, first]), lt(plane, add(first, int(stream.planes))), ...(range ? [this.isStep(s), op('ge', [add(this.from, int((s.time + 1) * form.loop.step)), form.loop.upper])] : [])])
    const w = this.windows.get(s.into)!
    return [when(mine, this.each((cell) => {
      const at = this.cellAt(plane, cell)
      const middle = cell.flatMap((c, d) => { const x = add(mul(loopVar(this.names.lanes[d]!), int(stream.own[d]!)), c); return [op('ge', [x, int(stream.before[d]!)]), lt(x, int(stream.before[d]! + stream.out[d]!))] })
      const target = range ? a : this.target(a)
      return [when(allOf([...middle, ...(inside && this.covers(a) ? [lt(at[0]!, a.shape[0]!), ...(range ? within(range, at).slice(0, 2) : [])] : range ? within(range, at) : at.map((e, d) => lt(e, a.shape[d]!)))]), [store(target, at, read(w, [...this.own, int(0), ...cell]))])]
    }))]
  }
}
