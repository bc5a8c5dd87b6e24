// Time tiling of three dimensions by streaming: a block keeps a tile of rows and columns and moves through the planes.
// What several steps need of each array is a window of a few planes, in registers of the threads that own the cells; a
// sweep follows the one before as soon as the planes that it reads are there, and the next plane is on its way from
// memory meanwhile. So a tile has a halo in rows and columns alone, but for the first and last planes of its share.
import { fail } from '../../../base/index.ts'
import {
  add,
  ceilDiv,
  choose,
  div,
  int,
  loop,
  loopVar,
  lt,
  mul,
  op,
  read,
  registerType,
  store,
  when,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  zeroOf,
  type TimeTiles,
  freshName,
  rewriteExpr,
  substitute,
  type Read,
} from '../../../ir/index.ts'
import { arraysOfSweeps, distanceOf, isThin, passingRange, rangesKey, haloReason } from '../../../transform/index.ts'
import {
  allOf,
  cellBox,
  clamped,
  flatElementOf,
  inArray,
  clampedTo,
  neighbourOf,
  productOf,
  sideBySide,
  takingTurns,
  within,
} from './grid-cells.ts'
import {
  bytesOfStream,
  isLoaded,
  namedPlanes,
  shownBy,
  streamOf,
  turnsOf,
  type Shown,
  type PlaneStage,
  type Stream,
  type Version,
  type StreamPoint,
} from './plane-stages.ts'
import { block, mostShared, vector, type Made } from '../sketch.ts'
import { counted } from '../step-words.ts'

/** Where rows are whole groups of what a thread loads at once, loads ask nothing. */
export const wholeGroups = (form: TimeTiles, p: { readonly px: number }): Expr =>
  op('eq', [op('rem', [arraysOfSweeps(form)[0]!.shape[2]!, int(p.px)]), int(0)]) // three dimensions

/**
 * The two kernels of a point; `exact`: right where `wholeGroups` hold. Throws a `DiagnosticError` when the tile does
 * not fit.
 */
export function streamed(program: Program, form: TimeTiles, p: StreamPoint, exact = false): Made {
  const s = streamOf(form, p)
  if (s.out.some((n) => n < 1)) fail('schedule.time-tiles', `the halo of ${s.steps} steps leaves nothing of the tile`)
  if (bytesOfStream(form, s) > mostShared)
    fail('schedule.time-tiles', `the tile needs ${bytesOfStream(form, s)} bytes of workgroup memory`)
  return takingTurns(
    program,
    form,
    s.steps,
    words(form, s),
    (whole, from, source, target) => new Writer(whole, form, s, exact, from, source, target).body(),
    true,
  )
}

function words(form: TimeTiles, s: Stream): readonly string[] {
  const planes = turnsOf(s)
  const more = Math.round(100 * ((productOf(s.all) * planes) / (productOf(s.out) * s.planes) - 1))
  return [
    `${counted(s.steps, 'step')} of '${form.loop.name}' per launch on tiles of ${s.out.join(' × ')} cells ` +
      `that move through ${s.planes} planes`,
    `a halo makes them ${s.all.join(' × ')} and ${planes} planes, ${more} % more work, because ${haloReason(form)}`,
    `${productOf(s.threads)} threads own ${s.own.join(' × ')} cells of a plane each; ` +
      `${s.versions.map((v) => v.depth).join(' + ')} planes are in registers, ` +
      `in rings of ${s.turns} that turns of the loop know by name; the next is loaded meanwhile`,
    'what neighbours read of earlier planes is shown for all sweeps at once: ' +
      'one barrier per plane where no sweep needs more',
  ]
}

class Writer {
  private readonly fresh = (base: string): string => freshName(this.program, base)
  private readonly names: {
    readonly lanes: readonly string[]
    readonly tiles: readonly string[]
    readonly share: string
    readonly round: string
    readonly neighbour: string
  }
  /** By version: planes of it, in the order of turns: the newest of turn `u` stands at `u` modulo their number. */
  private readonly rings: ReadonlyMap<Version, ArrayDecl>
  /** By stage, what it shows: two places, used in turns. */
  private readonly tiles: readonly (readonly { readonly shown: Shown; readonly places: readonly ArrayDecl[] }[])[]
  /** By key: which of a thread's cells fulfil some conditions on rows and columns, a bit for each. */
  private readonly masks = new Map<
    string,
    { readonly array: ArrayDecl; readonly holds: (cell: readonly number[]) => readonly Expr[] }
  >()

  constructor(
    private readonly program: Program,
    private readonly form: TimeTiles,
    private readonly stream: Stream,
    private readonly exact: boolean,
    private readonly from: Expr,
    private readonly source: (a: ArrayDecl) => ArrayDecl,
    private readonly target: (a: ArrayDecl) => ArrayDecl,
  ) {
    const { fresh } = this
    this.names = {
      lanes: ['lane_y', 'lane_x'].map(fresh),
      tiles: ['tile_y', 'tile_x'].map(fresh),
      share: fresh('share'),
      round: fresh('round'),
      neighbour: fresh('neighbour'),
    }
    const threads = stream.threads.map(int),
      own = stream.own.map(int)
    this.rings = new Map(
      stream.versions.map((v, n) => [
        v,
        {
          name: fresh(`${v.array.name}_${n}`),
          type: v.array.type,
          shape: [...threads, int(namedPlanes(stream, v)), ...own],
          role: 'temp',
          space: 'private',
        },
      ]),
    )
    this.tiles = stream.stages.map((s, n) =>
      shownBy(form, s, stream.own).map((shown, m) => ({
        shown,
        places: [0, 1].map(
          (turn): ArrayDecl => ({
            name: fresh(`${shown.version.array.name}_tile${n}${m > 0 ? `_${m}` : ''}_${turn}`),
            type: shown.version.array.type,
            shape: [int(shown.slots.size), ...threads],
            role: 'temp',
            space: 'shared',
          }),
        ),
      })),
    )
  }

  body(): readonly LoopStmt[] {
    const { form, stream, names } = this
    const start = this.side([...this.loaded(-1), ...stream.stages.flatMap((s) => this.edge(s, -1))])
    const turns = loop(
      names.round,
      int(turnsOf(stream) / stream.turns),
      Array.from({ length: stream.turns }, (_, u) => this.turn(u)).flat(),
    )
    const cleared = [...this.rings].flatMap(([v, ring]) =>
      Array.from({ length: namedPlanes(stream, v) }, (_, k) =>
        this.each((cell) => [store(ring, [...this.own, int(k), ...cell], zeroOf(registerType(v.array.type)))]),
      ).flat(),
    )
    const masks = [...this.masks.values()] // those that turns have asked for
    const declared = [
      ...this.rings.values(),
      ...masks.map((m) => m.array),
      ...this.tiles.flatMap((t) => t.flatMap((x) => x.places)),
    ]
    const body: readonly LoopStmt[] = [
      ...declared.map((array): LoopStmt => ({ kind: 'declare', array })),
      this.side([...cleared, ...masks.map((m) => this.filled(m))]),
      start,
      turns,
    ]
    const extents = form.cells.map((_, d) => arraysOfSweeps(form)[0]!.shape[d]!) // a form has arrays, here of one shape
    const tiled = (d: number, inner: readonly LoopStmt[]): LoopStmt =>
      loop(names.tiles[d]!, ceilDiv(extents[d + 1]!, stream.out[d]!), inner, { bind: block(d === 0 ? 'y' : 'x') })
    return [loop(names.share, ceilDiv(extents[0]!, stream.planes), [tiled(0, [tiled(1, body)])], { bind: block('z') })]
  }

  private side(body: readonly LoopStmt[]): LoopStmt {
    return sideBySide(this.stream.threads, this.names.lanes, body)
  }

  private get own(): readonly Expr[] {
    return this.names.lanes.map(loopVar)
  }

  /** The plane that is `lag` behind what turn `u` of a round begins with; turn −1 is before the first of all. */
  private planeAt(u: number, lag: number): Expr {
    const { stream, names } = this
    const first = add(mul(loopVar(names.share), int(stream.planes)), int(u - lag - stream.ahead))
    return u < 0 ? first : add(first, mul(loopVar(names.round), int(stream.turns)))
  }

  /** Row or column of a cell of the thread's. */
  private lineAt(d: number, c: Expr): Expr {
    const { stream, names } = this
    return add(
      add(
        mul(loopVar(names.tiles[d]!), int(stream.out[d]!)),
        add(mul(loopVar(names.lanes[d]!), int(stream.own[d]!)), c),
      ),
      int(-stream.before[d]!),
    )
  }

  private cellAt(plane: Expr, cell: readonly Expr[]): readonly Expr[] {
    return [plane, ...cell.map((c, d) => this.lineAt(d, c))]
  }

  /** For every cell of the thread's box, neighbours along memory together. */
  private each(make: (cell: readonly Expr[]) => readonly LoopStmt[]): readonly LoopStmt[] {
    return Array.from({ length: this.stream.own[0]! }, (_, r) => this.row((c) => make([int(r), c]))).flat()
  }

  /** For every cell of one row of the box. */
  private row(make: (column: Expr) => readonly LoopStmt[]): readonly LoopStmt[] {
    const along = this.stream.own[1]!
    if (along !== 2 && along !== 4) return cellBox([along]).flatMap(([c]) => make(int(c!))) // one dimension
    return [loop(this.names.neighbour, int(along), make(loopVar(this.names.neighbour)), { bind: vector })]
  }

  // ── masks ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The cells of a thread for which all that `holds` says is so: a bit for each, found once. */
  private mask(key: string, holds: (cell: readonly number[]) => readonly Expr[]): Expr {
    const known = this.masks.get(key) ?? {
      array: {
        name: this.fresh(`cells_${this.masks.size}`),
        type: 'i32',
        shape: this.stream.threads.map(int),
        role: 'temp',
        space: 'private',
      } satisfies ArrayDecl,
      holds,
    }
    this.masks.set(key, known)
    return read(known.array, this.own)
  }

  private filled({
    array,
    holds,
  }: {
    readonly array: ArrayDecl
    readonly holds: (cell: readonly number[]) => readonly Expr[]
  }): LoopStmt {
    const bits = cellBox(this.stream.own).map((c, k) => op('select', [allOf(holds(c)), int(1 << k), int(0)]))
    return store(
      array,
      this.own,
      bits.reduce((a, b) => add(a, b)),
    )
  }

  private inPlane(c: readonly number[]): readonly Expr[] {
    return [1, 2].map((d) => this.lineAt(d - 1, int(c[d - 1]!)))
  }

  /** Cells that a sweep's rows and columns hold. */
  private sweptCells(s: PlaneStage): Expr {
    const ranges = s.sweep.ranges.slice(1)
    return this.mask(`swept ${rangesKey(ranges)}`, (c) => within(ranges, this.inPlane(c)))
  }

  /** Cells that the arrays have. */
  private presentCells(a: ArrayDecl): Expr {
    return this.mask('present', (c) => inArray({ ...a, shape: a.shape.slice(1) }, this.inPlane(c)))
  }

  private readonly bitOf = (mask: Expr, cell: readonly number[]): Expr =>
    op('ne', [op('and', [mask, int(1 << (cell[0]! * this.stream.own[1]! + cell[1]!))]), int(0)])

  // ── turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * One turn of a round: a plane arrives and every stage goes one plane on. What stages show of earlier turns is shown
   * at once, so that one barrier does for all. The next plane is asked for when the one before has been used: a wait
   * for either is a wait for both.
   */
  private turn(u: number): readonly LoopStmt[] {
    const { stream } = this
    const late = (n: number): readonly LoopStmt[] => this.shown(n, u, (s) => this.isLate(n, s))
    const stages = stream.stages.flatMap((s, n) => {
      const fresh = late(n)
      return [
        ...(fresh.length > 0 ? [this.side(fresh)] : []),
        this.side([
          ...this.swept(s, n, u),
          ...(n === 0 ? this.loaded(u) : []),
          ...this.edge(s, u),
          ...this.stored(s, u),
        ]),
      ]
    })
    return [this.side([...stream.stages.flatMap((_, n) => this.shown(n, u, (s) => !this.isLate(n, s)))]), ...stages]
  }

  /** Whether a stage needs what another makes in the same turn. */
  private isLate(n: number, s: Shown): boolean {
    return this.stream.stages.some((x) => x.into === s.version) && this.behind(n, s.version, s.plane) === 0
  }

  /** How many turns ago a version's plane was made that lies `plane` from where stage `n` is. */
  private behind(n: number, v: Version, plane: number): number {
    return this.stream.stages[n]!.lag - plane - v.lag
  }

  /**
   * Loads the next plane of what steps hand on to each other. Cells beyond the arrays get some other's value: nothing
   * that matters reads them.
   */
  private loaded(u: number): readonly LoopStmt[] {
    const { stream } = this
    return stream.versions
      .filter((v) => isLoaded(stream.stages, v))
      .flatMap((v) =>
        this.each((cell) => {
          const a = v.array,
            source = this.source(a),
            along = stream.own[1]!
          const group = add(
            add(mul(loopVar(this.names.tiles[1]!), int(stream.out[1]! / along)), loopVar(this.names.lanes[1]!)),
            int(-stream.before[1]! / along),
          )
          const column = add(mul(clampedTo(group, div(add(a.shape[2]!, int(-1)), along)), int(along)), cell[1]!)
          const at = [
            clampedTo(this.planeAt(u, -1), add(a.shape[0]!, int(-1))),
            clampedTo(this.lineAt(0, cell[0]!), add(a.shape[1]!, int(-1))),
            column,
          ]
          const element = read(source, at)
          return [
            store(
              this.rings.get(v)!,
              [...this.own, int(this.placeOf(v, u + 1)), ...cell],
              along === 1 || this.exact
                ? element
                : choose(lt(column, a.shape[2]!), element, zeroOf(registerType(a.type))),
            ),
          ]
        }),
      )
  }

  /** Loads what a plane has where the stage does not write it, a turn ahead, to where the stage will find it. */
  private edge(s: PlaneStage, u: number): readonly LoopStmt[] {
    if (s.old) return []
    const a = s.sweep.array,
      ranges = s.sweep.ranges,
      plane = this.planeAt(u, s.lag - 1)
    const present = this.presentCells(a),
      beside = op('sub', [present, op('and', [present, this.sweptCells(s)])])
    const here = allOf([op('ge', [plane, int(0)]), lt(plane, a.shape[0]!)])
    const wanted: ArrayDecl = {
      name: this.fresh(`${a.name}_beside${this.stream.stages.indexOf(s)}_${u + 1}`),
      type: 'i32',
      shape: [],
      role: 'temp',
      space: 'private',
    }
    const some = read(wanted, [])
    const loads = cellBox(this.stream.own).map((c) =>
      when(this.bitOf(some, c), [
        store(
          this.rings.get(s.into)!,
          [...this.own, int(this.placeOf(s.into, u + 1)), ...c.map(int)],
          read(a, this.cellAt(plane, c.map(int))),
        ),
      ]),
    )
    return [
      { kind: 'declare', array: wanted },
      store(
        wanted,
        [],
        op('select', [here, op('select', [allOf(within(ranges.slice(0, 1), [plane])), beside, present]), int(0)]),
      ),
      when(op('ne', [some, int(0)]), loads),
    ]
  }

  /** Where the plane of turn `u` of a round stands. */
  private placeOf(v: Version, u: number): number {
    const n = namedPlanes(this.stream, v)
    return ((u % n) + n) % n
  }

  private valueOf(v: Version, u: number, behind: number, cell: readonly number[]): Expr {
    return read(this.rings.get(v)!, [...this.own, int(this.placeOf(v, u - behind)), ...cell.map(int)])
  } // a ring for each

  /** What neighbours will read in a stage. */
  private shown(n: number, u: number, which: (s: Shown) => boolean): readonly LoopStmt[] {
    return this.tiles[n]!.filter((t) => which(t.shown)).flatMap(({ shown, places }) =>
      [...shown.slots].map(([key, slot]) =>
        store(
          places[u % 2]!,
          [int(slot), ...this.own],
          this.valueOf(shown.version, u, this.behind(n, shown.version, shown.plane), key.split(',').map(Number)),
        ),
      ),
    )
  }

  /** The step of a stage is one of the loop's. */
  private isStep(s: PlaneStage): Expr {
    return lt(add(this.from, int(s.time * this.form.loop.step)), this.form.loop.upper)
  }

  private swept(s: PlaneStage, n: number, u: number): readonly LoopStmt[] {
    const ring = this.rings.get(s.into)!,
      cells = cellBox(this.stream.own),
      place = int(this.placeOf(s.into, u))
    const set = (cell: readonly number[], value: Expr): LoopStmt =>
      store(ring, [...this.own, place, ...cell.map(int)], value)
    const runs = allOf([this.isStep(s), ...within(s.sweep.ranges.slice(0, 1), [this.planeAt(u, s.lag)])])
    const now: ArrayDecl = {
      name: this.fresh(`${s.sweep.array.name}_now${n}_${u}`),
      type: 'i32',
      shape: [],
      role: 'temp',
      space: 'private',
    }
    const some = read(now, [])
    const value = (cell: readonly number[]): LoopStmt => {
      const holds = allOf([
        this.bitOf(some, cell),
        ...(s.sweep.guard ? [this.rewritten(s, n, u, s.sweep.guard, cell)] : []),
      ])
      return set(cell, op('select', [holds, this.rewritten(s, n, u, s.sweep.value, cell), this.before(s, u, cell)]))
    }
    const others = s.old ? cells.map((cell) => set(cell, this.before(s, u, cell))) : [] // else they are there
    const each = isThin(s.sweep) ? [when(op('ne', [some, int(0)]), cells.map(value), others)] : cells.map(value)
    return [{ kind: 'declare', array: now }, store(now, [], op('select', [runs, this.sweptCells(s), int(0)])), ...each]
  }

  /** What the cell has when the sweep does not write it. */
  private before(s: PlaneStage, u: number, cell: readonly number[]): Expr {
    return s.old ? this.valueOf(s.old, u, s.lag - s.old.lag, cell) : this.valueOf(s.into, u, 0, cell)
  }

  private rewritten(s: PlaneStage, n: number, u: number, e: Expr, cell: readonly number[]): Expr {
    const at = this.cellAt(this.planeAt(u, s.lag), cell.map(int)),
      by = new Map(this.form.cells.map((c, d) => [c, at[d]!]))
    const now = add(this.from, int(s.time * this.form.loop.step))
    const timed = (x: Expr): Expr =>
      rewriteExpr(x, (y) => (y.kind === 'size' && y.name === this.form.variable ? now : undefined))
    const f = (x: Expr): Expr | undefined => {
      if (x.kind !== 'read') return undefined
      if (s.reads.has(x.array)) return this.readAt(s, n, u, x, cell)
      return flatElementOf(
        this.program,
        x,
        x.index.map((i) => substitute(i, by)),
      )
    }
    return timed(substitute(rewriteExpr(e, f), by))
  }

  private readAt(s: PlaneStage, n: number, u: number, r: Read, cell: readonly number[]): Expr {
    const v = s.reads.get(r.array)!,
      far = distanceOf(r, this.form.cells)! // the form is local
    const { cell: from, away } = neighbourOf(this.stream.own, cell, far.slice(1))
    if (away.every((x) => x === 0)) return this.valueOf(v, u, this.behind(n, v, far[0]!), from)
    const { shown, places } = this.tiles[n]!.find((t) => t.shown.version === v && t.shown.plane === far[0])!
    return read(places[u % 2]!, [
      int(shown.slots.get(from.join())!),
      ...this.own.map((l, d) => clamped(l, away[d]!, this.stream.threads[d]!)),
    ])
  }

  // ── results ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * What a stage leaves for good: the last version of an array that steps hand on; what the last step makes of the
   * others.
   */
  private stored(s: PlaneStage, u: number): readonly LoopStmt[] {
    const { form, stream } = this
    const a = s.sweep.array,
      range = passingRange(form, a.name)
    const later = stream.stages.slice(stream.stages.indexOf(s) + 1).filter((x) => x.sweep.array.name === a.name)
    if (range ? later.some((x) => x.time === s.time) : later.length > 0) return []
    const plane = this.planeAt(u, s.lag),
      first = mul(loopVar(this.names.share), int(stream.planes))
    const mine = allOf([
      op('ge', [plane, first]),
      lt(plane, add(first, int(stream.planes))),
      lt(plane, a.shape[0]!),
      ...(range
        ? [
            ...within(range.slice(0, 1), [plane]),
            this.isStep(s),
            op('ge', [add(this.from, int((s.time + 1) * form.loop.step)), form.loop.upper]),
          ]
        : []),
    ])
    const ring = this.rings.get(s.into)!,
      place = int(this.placeOf(s.into, u))
    if (range) {
      const cells = this.mask(`own ${rangesKey(range.slice(1))}`, (c) => [
        ...this.inMiddle(c),
        ...within(range.slice(1), this.inPlane(c)),
      ])
      return [
        when(
          mine,
          cellBox(stream.own).map((c) =>
            when(this.bitOf(cells, c), [
              store(a, this.cellAt(plane, c.map(int)), read(ring, [...this.own, place, ...c.map(int)])),
            ]),
          ),
        ),
      ]
    }
    // a vector is in the middle or out of it, so that a bit of its first cell does for all
    const cells = this.mask('own', (c) => [...this.inMiddle(c), lt(this.lineAt(0, int(c[0]!)), a.shape[1]!)])
    return [
      when(
        mine,
        Array.from({ length: stream.own[0]! }, (_, r) => {
          const write = this.row((c) => {
            const at = this.cellAt(plane, [int(r), c])
            return [
              when(lt(at[2]!, a.shape[2]!), [store(this.target(a), at, read(ring, [...this.own, place, int(r), c]))]),
            ]
          })
          return when(this.bitOf(cells, [r, 0]), write)
        }),
      ),
    ]
  }

  private inMiddle(c: readonly number[]): readonly Expr[] {
    const { stream, names } = this
    return c.flatMap((k, d) => {
      const x = add(mul(loopVar(names.lanes[d]!), int(stream.own[d]!)), int(k))
      return [op('ge', [x, int(stream.before[d]!)]), lt(x, int(stream.before[d]! + stream.out[d]!))]
    })
  }
}
