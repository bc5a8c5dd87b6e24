// Sweeps of three dimensions on a grid that stays on the chip: one launch for all steps. Every multiprocessor has one
// block, which keeps its planes of cells in registers and workgroup memory; after each sweep all blocks meet, and only
// what neighbours read of each other goes through memory. A block marches through its planes: a plane is computed in
// place while the one before, as it was, lies in registers. CUDA alone: on WebGPU blocks cannot meet.
import {
  type Chip,
  add,
  affineOf,
  bytesOf,
  ceilDiv,
  choose,
  div,
  int,
  loop,
  loopVar,
  lt,
  mod,
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
  freshName,
  rewriteExpr,
  substitute,
} from '../../../ir/index.ts'
import { plannedBound } from '../../../analysis/index.ts'
import {
  arraysOfSweeps,
  distanceOf,
  haveOneShape,
  isThin,
  rangesKey,
  readsOfSweep,
  writtenBy,
} from '../../../transform/index.ts'
import { allOf, axesOf, flatElementOf, clampedTo, sideBySide } from './grid-cells.ts'
import { block, vector, type Made, type Scheduled } from '../sketch.ts'

/** Parameters of a grid that stays on the chip. */
export type ResidentPoint = {
  readonly stay: 1
  /** Threads along a row, rows and planes of a block. */
  readonly sx: number
  readonly sy: number
  readonly sz: number
  /** Planes of a block in registers. */
  readonly held: number
  readonly blocks: number
}

/** Sweeps that go from one array to the next and back to the first, and what they have in common. */
interface Chain {
  /** Array that a sweep reads around a cell, by sweep; it writes the next one's. */
  readonly sources: readonly ArrayDecl[]
  /** Rows that a cell's row needs before and after it. */
  readonly reach: number
  /** Elements of a row that no sweep writes, before and after those that all do. */
  readonly edges: readonly [number, number]
}

/**
 * The chain of a form: each sweep reads one array that the sweeps write, in the planes beside its own at the cell's
 * place alone, and writes the one that the next reads.
 */
function chainOf(form: TimeTiles): Chain | undefined {
  const { sweeps, cells } = form,
    names = writtenBy(form)
  if (cells.length !== 3 || sweeps.length < 2 || !haveOneShape(form)) return undefined
  const type = sweeps[0]!.array.type,
    sources = sweeps.map((_, n) => sweeps[(n + sweeps.length - 1) % sweeps.length]!.array)
  let reach = 0,
    wide = 0
  for (const [n, s] of sweeps.entries()) {
    const source = sources[n]! // one for each
    if (
      s.guard ||
      isThin(s) ||
      rangesKey(s.ranges) !== rangesKey(sweeps[0]!.ranges) ||
      s.array.type !== type ||
      s.array.name === source.name
    )
      return undefined
    for (const r of readsOfSweep(s)) {
      if (!names.has(r.array)) continue
      const far = distanceOf(r, cells)
      if (r.array !== source.name || !far || Math.abs(far[0]!) > 1 || (far[0] !== 0 && (far[1] !== 0 || far[2] !== 0)))
        return undefined // three dimensions
      reach = Math.max(reach, Math.abs(far[1]!))
      wide = Math.max(wide, Math.abs(far[2]!))
    }
  }
  const [before, after] = [
    edge(sweeps[0]!.ranges[2]!.lower),
    edge(sub(sweeps[0]!.array.shape[2]!, sweeps[0]!.ranges[2]!.upper)),
  ]
  const across = vectorOf(type)
  if (before === undefined || after === undefined || before > across || after > across || wide > across)
    return undefined
  return { sources, reach, edges: [before, after] }
}

/** Elements of a vector of 16 bytes. */
const vectorOf = (type: ArrayDecl['type']): number => 16 / bytesOf[type]

/** A constant from 0 on. */
function edge(e: Expr): number | undefined {
  const a = affineOf(e)
  return a?.terms.size === 0 && a.constant >= 0 ? a.constant : undefined
}

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Planes and rows of a block at most: proofs are of sizes beyond. */
const mostPlanes = 32,
  mostRows = 32

/** Registers of a thread beside those for a plane that it keeps. */
const otherRegisters = 40

/**
 * Threads' worth of work that a plane costs however few there are: 200³, written by hand, took 10.3 µs a sweep with 17
 * planes of 900 threads, 11.5 with 25 of 650 and 14.7 with 33 of 500.
 */
const threadsOfPlane = 600

/**
 * Share of the multiprocessors that have a block at least: 120³ in the shape for 200³, on 49 of 132, took twice as long
 * as with a launch for each sweep.
 */
const leastBusy = 0.4

/** Steps below which nothing is gained. */
const fewSweeps = 8

/** What a block has: threads along rows and of rows, its planes and how many of them its registers keep. */
interface Shape {
  readonly tx: number
  readonly ty: number
  readonly planes: number
  readonly held: number
  readonly blocks: number
}

/** Whether a grid of the form can stay on some chip. */
export const canStay = (form: TimeTiles): boolean => chainOf(form) !== undefined

/**
 * The shape for the planned sizes; `undefined` when the grid does not fit on the chip, or the form is no chain. As
 * fields of a point.
 */
export function residentPoint(program: Program, form: TimeTiles, chip: Chip): ResidentPoint | undefined {
  const chain = chainOf(form)
  if (!chain) return undefined
  const { array, ranges } = form.sweeps[0]!,
    px = vectorOf(array.type),
    value = (e: Expr): number => plannedBound(program, e) // it has sweeps
  // three of them
  const [depth, height] = ranges.slice(0, 2).map((r) => value(r.upper) - value(r.lower)) as [number, number]
  const tx = Math.ceil(value(array.shape[2]!) / px),
    steps = (value(form.loop.upper) - value(form.loop.lower)) / form.loop.step
  if (value(array.shape[2]!) % px !== 0 || depth < 1 || height < 1 || steps * form.sweeps.length < fewSweeps)
    return undefined
  let best: { readonly shape: Shape; readonly cost: number } | undefined
  for (let ty = Math.max(1, 2 * chain.reach); ty <= Math.min(mostRows, Math.floor(1024 / tx)); ty++) {
    const across = Math.ceil(height / ty),
      along = Math.floor(chip.multiprocessors / across)
    const planes = along < 1 ? Infinity : Math.ceil(depth / along),
      threads = 128 * Math.ceil((tx * ty) / 128) // warps are dealt out to four parts
    if (planes > mostPlanes) continue
    const held = Array.from({ length: planes + 1 }, (_, n) => n).find(
      (n) => sharedBytes(chain, form, { tx, ty, planes, held: n }) <= chip.sharedPerBlock,
    )
    const cost = planes * (tx * ty + threadsOfPlane)
    if (
      held === undefined ||
      otherRegisters + 4 * held > Math.min(255, 8 * Math.floor(65536 / threads / 8)) ||
      (best && best.cost <= cost)
    )
      continue
    best = { shape: { tx, ty, planes, held, blocks: chip.multiprocessors }, cost }
  }
  return (
    best && {
      stay: 1,
      sx: best.shape.tx,
      sy: best.shape.ty,
      sz: best.shape.planes,
      held: best.shape.held,
      blocks: best.shape.blocks,
    }
  )
}

/**
 * Rows of workgroup memory: planes that registers do not keep, two for those that they do, and the rows beside these.
 */
const rowsIn = ({ reach }: Chain, { ty, planes, held }: Omit<Shape, 'blocks' | 'tx'>): number =>
  (planes - held + (held > 0 ? 2 : 0)) * (ty + 2 * reach) + held * 2 * reach

const sharedBytes = (c: Chain, form: TimeTiles, s: Omit<Shape, 'blocks'>): number =>
  16 * s.tx * rowsIn(c, s) +
  // it has sweeps
  bytesOf[form.sweeps[0]!.array.type] * arraysOfSweeps(form).length * s.planes * s.ty * (c.edges[0] + c.edges[1])

// ── the kernel ────────────────────────────────────────────────────────────────────────────────────────────────────

/** The kernel of a point that has a shape, and the sizes that it takes. */
export function resident(
  program: Program,
  form: TimeTiles,
  p: ResidentPoint,
): Made & { readonly requires: readonly Expr[] } {
  const chain = chainOf(form)!,
    // only points of chains have a shape
    shape: Shape = { tx: p.sx, ty: p.sy, planes: p.sz, held: p.held, blocks: p.blocks }
  const writer = new Writer(program, form, chain, shape)
  return { program, kernels: [writer.scheduled()], requires: writer.requires() }
}

class Writer {
  private readonly px: number
  private readonly lanes: readonly string[]
  private readonly tiles: readonly string[]
  private readonly step: string
  private readonly neighbour: string
  private readonly cells: ArrayDecl
  private readonly kept: ArrayDecl
  private readonly side: ArrayDecl
  /**
   * A thread's cells of every plane as they were, from the one before its block's to the one behind, and as they
   * become: by sweep, so that no register is set twice.
   */
  private readonly was: ArrayDecl
  private readonly made: ArrayDecl
  private readonly rows = new Map<number, ArrayDecl>()
  private readonly edges = new Map<string, ArrayDecl>()

  constructor(
    private readonly program: Program,
    private readonly form: TimeTiles,
    private readonly chain: Chain,
    private readonly s: Shape,
  ) {
    const fresh = (base: string): string => freshName(program, base),
      { type } = form.sweeps[0]!.array // it has sweeps
    this.px = vectorOf(type)
    this.lanes = ['lane_y', 'lane_x'].map(fresh)
    this.tiles = axesOf(form)
      .slice(0, 2)
      .map((a) => fresh(`tile_${a}`))
    this.step = fresh('step')
    this.neighbour = fresh('neighbour')
    const blocks = this.counts()
    const mine = (name: string, ...shape: readonly number[]): ArrayDecl => ({
      name: fresh(name),
      type,
      shape: [...blocks, int(s.ty), int(s.tx), ...shape.map(int), int(this.px)],
      role: 'temp',
      space: 'private',
    })
    const shared = (name: string, ...shape: readonly number[]): ArrayDecl => ({
      name: fresh(name),
      type,
      shape: [...blocks, ...shape.map(int)],
      role: 'temp',
      space: 'shared',
    })
    this.cells = shared('cells', rowsIn(chain, s), s.tx * this.px)
    this.kept = mine('kept', s.held)
    const count = form.sweeps.length
    this.side = mine('side', count * this.sideRounds)
    this.was = mine('was', count * (s.planes + 2))
    this.made = mine('made', count * s.planes)
    for (let d = -chain.reach; d <= chain.reach; d++)
      if (d !== 0) this.rows.set(d, mine(`row_${d < 0 ? 'before' : 'after'}${Math.abs(d)}`, count * s.planes))
    if (chain.edges[0] + chain.edges[1] > 0)
      for (const a of arraysOfSweeps(form))
        this.edges.set(a.name, shared(`${a.name}_edges`, s.planes * s.ty, chain.edges[0] + chain.edges[1]))
  }

  /** Sizes that the shape is for. */
  requires(): readonly Expr[] {
    const { s, px } = this,
      [along, across] = this.counts() as [Expr, Expr],
      { width } = this // along planes and rows
    const fit = (e: Expr): Expr => op('le', [e, int(s.blocks)])
    return [
      op('eq', [op('rem', [width, int(px)]), int(0)]),
      op('le', [width, int(s.tx * px)]),
      fit(along),
      fit(across),
      fit(mul(along, across)),
      op('ge', [mul(along, across), int(Math.ceil(leastBusy * s.blocks))]),
    ]
  }

  scheduled(): Scheduled {
    const { form, s, chain } = this,
      { loop: l } = form
    const declared = [
      this.cells,
      ...this.edges.values(),
      this.side,
      ...(s.held > 0 ? [this.kept] : []),
      ...this.rows.values(),
      this.was,
      this.made,
    ]
    // a source for each
    const sweeps = form.sweeps.flatMap((sweep, n) => this.overBlocks(this.swept(sweep, n, chain.sources[n]!)))
    const body: readonly LoopStmt[] = [
      ...declared.map((array): LoopStmt => ({ kind: 'declare', array })),
      ...this.overBlocks([this.together(this.cleared()), this.together(this.loaded())]),
      loop(this.step, l.upper, sweeps, { lower: l.lower, step: l.step }),
    ]
    const words = [
      `all steps of '${l.name}' in one launch: ` +
        `a block per multiprocessor keeps ${s.planes} planes of ${s.ty} rows on the chip, ` +
        `${s.held} of them in registers, the others in workgroup memory`,
      `${s.tx * s.ty} threads go through the planes, ${this.px} cells each, in place`,
      'after each sweep all blocks meet; only what neighbours read goes through memory',
    ]
    return { program: { ...this.program, body }, name: this.program.name, steps: words }
  }

  // ── places ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private get first(): Sweep {
    return this.form.sweeps[0]!
  } // it has sweeps
  private get lane(): readonly Expr[] {
    return this.lanes.map(loopVar)
  }
  private get own(): readonly Expr[] {
    return this.tiles.map(loopVar)
  }
  /** The row of the block that the thread is on. */
  private get line(): Expr {
    return this.lane[0]!
  } // two lanes
  private get column(): Expr {
    return mul(this.lane[1]!, int(this.px))
  } // as above
  private get width(): Expr {
    return this.first.array.shape[2]!
  } // three dimensions

  /** Blocks along planes and rows. */
  private counts(): readonly Expr[] {
    return this.first.ranges.slice(0, 2).map((r, d) => ceilDiv(sub(r.upper, r.lower), [this.s.planes, this.s.ty][d]!))
  }

  /** First plane or row of the block. */
  private origin(d: 0 | 1): Expr {
    return add(this.first.ranges[d]!.lower, mul(loopVar(this.tiles[d]!), int([this.s.planes, this.s.ty][d]!)))
  } // three ranges

  /** Rows of the block that are there. */
  private get height(): Expr {
    return op('min', [sub(this.first.ranges[1]!.upper, this.origin(1)), int(this.s.ty)])
  } // three ranges

  private plane(p: number): Expr {
    return add(this.origin(0), int(p))
  }
  private get row(): Expr {
    return add(this.origin(1), this.line)
  }
  private isPlane(p: number): Expr {
    return lt(this.plane(p), this.first.ranges[0]!.upper)
  } // three ranges
  private get isColumn(): Expr {
    return lt(this.column, this.width)
  }
  private get isOwn(): Expr {
    return allOf([lt(this.line, this.height), this.isColumn])
  }

  /** Rows of a plane with those before and after it. */
  private get lines(): number {
    return this.s.ty + 2 * this.chain.reach
  }

  /** The row of workgroup memory where the rows of plane `p` begin, with those before them. */
  private base(p: number): number {
    const { s } = this
    return (p < s.held ? s.planes - s.held + (p % 2) : p - s.held) * this.lines
  }

  /** Where rows beside planes that registers keep wait. */
  private get waiting(): number {
    return (this.s.planes - this.s.held + 2) * this.lines
  }

  private get sideRounds(): number {
    return Math.ceil((this.s.planes * 2 * this.chain.reach) / this.s.ty)
  }

  private overBlocks(body: readonly LoopStmt[]): readonly LoopStmt[] {
    const axes = axesOf(this.form),
      counts = this.counts()
    return this.tiles.reduceRight<readonly LoopStmt[]>(
      (inner, name, d) => [loop(name, counts[d]!, inner, { bind: block(axes[d]!) })],
      body,
    ) // as many of each
  }

  private together(body: readonly LoopStmt[]): LoopStmt {
    return sideBySide([this.s.ty, this.s.tx], this.lanes, body)
  }

  // ── what threads have ───────────────────────────────────────────────────────────────────────────────────────────

  /** For the elements of a vector, next to each other in memory. */
  private each(make: (v: Expr) => readonly LoopStmt[]): LoopStmt {
    return loop(this.neighbour, int(this.px), make(loopVar(this.neighbour)), { bind: vector })
  }

  private mine(...at: readonly Expr[]): readonly Expr[] {
    return [...this.own, ...this.lane, ...at]
  }
  private valueOf(a: ArrayDecl, ...at: readonly Expr[]): Expr {
    return read(a, this.mine(...at))
  }
  private set(a: ArrayDecl, at: readonly Expr[], value: (v: Expr) => Expr): LoopStmt {
    return this.each((v) => [store(a, this.mine(...at, v), value(v))])
  }

  private cellAt(row: Expr, column: Expr): Expr {
    return read(this.cells, [...this.own, row, column])
  }
  private show(row: Expr, value: (v: Expr) => Expr): LoopStmt {
    return this.each((v) => [store(this.cells, [...this.own, row, add(this.column, v)], value(v))])
  }

  /** The thread's own row of plane `p`, or one `far` from it. */
  private rowOf(p: number, far = 0): Expr {
    return add(this.line, int(this.base(p) + this.chain.reach + far))
  }

  /** The block's own values of plane `p`. */
  private ownOf(p: number): (v: Expr) => Expr {
    return (v) =>
      p < this.s.held ? this.valueOf(this.kept, int(p), v) : this.cellAt(this.rowOf(p), add(this.column, v))
  }

  private fromMemory(a: ArrayDecl, plane: Expr, row: Expr): (v: Expr) => Expr {
    const last = (d: 0 | 1): Expr => add(a.shape[d]!, int(-1)) // three dimensions
    return (v) => read(a, [clampedTo(plane, last(0)), clampedTo(row, last(1)), add(this.column, v)])
  }

  // ── phases ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Zeros wherever no cell of the grid is: threads without cells compute as all others do, and nobody asks for what.
   */
  private cleared(): readonly LoopStmt[] {
    const { s } = this,
      rows = rowsIn(this.chain, s)
    return Array.from({ length: Math.ceil(rows / s.ty) }, (_, r) => {
      const row = add(this.line, int(r * s.ty)),
        fill = this.show(row, () => zeroOf(registerType(this.cells.type)))
      return (r + 1) * s.ty <= rows ? fill : when(lt(row, int(rows)), [fill])
    })
  }

  /** What the first sweep reads, and what rows have at their ends. */
  private loaded(): readonly LoopStmt[] {
    const { s, chain } = this,
      from = chain.sources[0]!,
      zero = zeroOf(registerType(from.type)) // one for each sweep
    return Array.from({ length: s.planes }, (_, p) => {
      const value = this.fromMemory(from, this.plane(p), this.row),
        isThere = allOf([this.isOwn, this.isPlane(p)])
      return [
        p < s.held
          ? this.set(this.kept, [int(p)], (v) => choose(isThere, value(v), zero))
          : when(isThere, [this.show(this.rowOf(p), value)]),
        ...this.loadedEdges(p, isThere),
      ]
    }).flat()
  }

  private loadedEdges(p: number, isThere: Expr): readonly LoopStmt[] {
    const [before, after] = this.chain.edges
    const each = (count: number, make: (e: number) => LoopStmt): readonly LoopStmt[] =>
      Array.from({ length: count }, (_, e) => make(e))
    const keep = (a: ArrayDecl, at: number, column: Expr): LoopStmt =>
      store(
        this.edges.get(a.name)!,
        [...this.own, this.edgeRow(p), int(at)],
        choose(isThere, read(a, [this.plane(p), this.row, column]), zeroOf(registerType(a.type))),
      ) // made for every array
    const all = arraysOfSweeps(this.form)
    return [
      ...(before > 0
        ? [
            when(
              this.isFirst,
              all.flatMap((a) => each(before, (e) => keep(a, e, int(e)))),
            ),
          ]
        : []),
      ...(after > 0
        ? [
            when(
              this.isLast,
              all.flatMap((a) => each(after, (e) => keep(a, before + e, add(sub(a.shape[2]!, int(after)), int(e))))),
            ),
          ]
        : []), // three dimensions
    ]
  }

  private edgeRow(p: number): Expr {
    return add(this.line, int(p * this.s.ty))
  }
  private get isFirst(): Expr {
    return op('eq', [this.lane[1]!, int(0)])
  } // two lanes
  private get isLast(): Expr {
    return op('eq', [add(this.column, int(this.px)), this.width])
  }

  private swept(sweep: Sweep, n: number, source: ArrayDecl): readonly LoopStmt[] {
    const { s } = this,
      planes = Array.from({ length: s.planes }, (_, p) => p)
    return [
      this.together(this.begun(n, source)),
      ...planes.map((p) =>
        this.together([...this.flushed(n, p - 1), ...this.published(p + 1), ...this.computed(sweep, n, p)]),
      ),
      ...(s.planes > s.held ? [this.together(this.flushed(n, s.planes - 1))] : []),
    ]
  }

  /** What lies around the block, from memory: the planes before and after, and rows beside each plane. */
  private begun(turn: number, source: ArrayDecl): readonly LoopStmt[] {
    const {
        s,
        chain: { reach },
      } = this,
      upper = this.first.ranges[0]!.upper,
      sides = 2 * reach * s.planes // three ranges
    const zero = zeroOf(registerType(source.type)),
      there =
        (condition: Expr, value: (v: Expr) => Expr) =>
        (v: Expr): Expr =>
          choose(condition, value(v), zero)
    const past = op('min', [this.plane(s.planes), upper])
    const rounds = Array.from({ length: this.sideRounds }, (_, r) => {
      const n = add(this.line, int(r * s.ty)),
        p = div(n, 2 * reach),
        d = mod(n, 2 * reach)
      const isThere = allOf([lt(n, int(sides)), lt(add(this.origin(0), p), upper), this.isColumn]),
        isBefore = lt(d, int(reach))
      const row = op('select', [
        isBefore,
        sub(add(this.origin(1), d), int(reach)),
        sub(add(add(this.origin(1), this.height), d), int(reach)),
      ])
      const beside = op('select', [isBefore, d, add(d, this.height)]),
        inMemory = add(mul(sub(p, int(s.held)), int(this.lines)), beside)
      const inRegisters = op('select', [
        op('eq', [p, int(0)]),
        add(beside, int(this.base(0))),
        add(n, int(this.waiting)),
      ]) // the first is asked for at once
      const to =
        s.held === 0
          ? inMemory
          : s.held === s.planes
            ? inRegisters
            : op('select', [lt(p, int(s.held)), inRegisters, inMemory])
      return {
        load: this.set(
          this.side,
          [int(turn * this.sideRounds + r)],
          there(isThere, this.fromMemory(source, add(this.origin(0), p), row)),
        ),
        show: when(isThere, [this.show(to, (v) => this.valueOf(this.side, int(turn * this.sideRounds + r), v))]),
      }
    })
    // The plane behind the last that is written stands in its place, where the block has one for it.
    const end = this.at(turn, s.planes),
      behind = (v: Expr): Expr => this.valueOf(this.was, end, v)
    const ofRegisters = Array.from({ length: s.held }, (_, p) =>
      when(op('eq', [this.plane(p), upper]), [this.set(this.kept, [int(p)], behind)]),
    )
    const at = sub(upper, this.origin(0)),
      ofMemory =
        s.planes === s.held
          ? []
          : [
              when(allOf([op('ge', [at, int(s.held)]), lt(at, int(s.planes))]), [
                this.show(add(add(mul(sub(at, int(s.held)), int(this.lines)), int(reach)), this.line), behind),
              ]),
            ]
    return [
      this.set(
        this.was,
        [this.at(turn, -1)],
        there(this.isOwn, this.fromMemory(source, add(this.origin(0), int(-1)), this.row)),
      ),
      this.set(this.was, [end], there(this.isOwn, this.fromMemory(source, past, this.row))),
      ...rounds.map((r) => r.load),
      ...rounds.map((r) => r.show),
      ...ofRegisters,
      ...ofMemory.map((m) => when(this.isOwn, [m])),
      this.set(this.was, [this.at(turn, 0)], s.held > 0 ? this.ownOf(0) : there(this.isOwn, this.ownOf(0))),
      ...this.ownRow(0),
    ]
  }

  /**
   * A plane in registers where its neighbours see it: beside it, those that wait. Behind a barrier the rows beside it
   * are there.
   */
  private published(p: number): readonly LoopStmt[] {
    return p > 0 && p < this.s.held ? [...this.ownRow(p), ...this.besideRow(p)] : []
  }

  private ownRow(p: number): readonly LoopStmt[] {
    return p < this.s.held ? [when(this.isOwn, [this.show(this.rowOf(p), this.ownOf(p))])] : []
  }

  private besideRow(p: number): readonly LoopStmt[] {
    const { reach } = this.chain,
      n = this.line,
      count = 2 * reach
    if (count === 0) return []
    const to = add(op('select', [lt(n, int(reach)), n, add(n, this.height)]), int(this.base(p)))
    return [
      when(allOf([lt(n, int(count)), this.isColumn]), [
        this.show(to, (v) => this.cellAt(add(n, int(this.waiting + p * count)), add(this.column, v))),
      ]),
    ]
  }

  /** What was made of a plane in workgroup memory is put there when nobody reads what it was. */
  private flushed(turn: number, p: number): readonly LoopStmt[] {
    return p < this.s.held || p < 0
      ? []
      : [when(this.isOwn, [this.show(this.rowOf(p), (v) => this.valueOf(this.made, int(turn * this.s.planes + p), v))])]
  }

  /** Where plane `p` is among those of sweep `turn`, as they were. */
  private at(turn: number, p: number): Expr {
    return int(turn * (this.s.planes + 2) + p + 1)
  }

  private computed(sweep: Sweep, turn: number, p: number): readonly LoopStmt[] {
    const { s, chain, px, made } = this,
      here = int(turn * s.planes + p)
    const [first, last] = chain.edges,
      target = sweep.array,
      edges = this.edges.get(target.name)
    const kept = (v: number, at: number): LoopStmt =>
      // there is one where rows have ends
      store(made, this.mine(here, int(v)), read(edges!, [...this.own, this.edgeRow(p), int(at)]))
    const columns = Array.from({ length: px }, (_, v) => v)
    const ends = [
      ...(first > 0
        ? [
            when(
              this.isFirst,
              columns.slice(0, first).map((v) => kept(v, v)),
            ),
          ]
        : []),
      ...(last > 0
        ? [
            when(
              this.isLast,
              columns.slice(px - last).map((v) => kept(v, first + v - (px - last))),
            ),
          ]
        : []),
    ]
    const write = this.each((v) => [
      store(target, [this.plane(p), this.row, add(this.column, v)], this.valueOf(made, here, v)),
    ])
    const n = this.line,
      { loop: l } = this.form
    const seen = [
      op('ge', [add(loopVar(this.step), int(l.step)), l.upper]),
      ...(chain.reach > 0 ? [lt(n, int(chain.reach)), op('ge', [n, sub(this.height, int(chain.reach))])] : []),
    ].reduce((a, b) => op('lor', [a, b]))
    return [
      ...(p + 1 < s.planes ? [this.set(this.was, [this.at(turn, p + 1)], this.ownOf(p + 1))] : []),
      ...[...this.rows]
        .filter(([far]) => this.readsRow(sweep, far))
        .map(([far, a]) => this.set(a, [here], (v) => this.cellAt(this.rowOf(p, far), add(this.column, v)))),
      ...columns.map((v) => store(made, this.mine(here, int(v)), this.rewritten(sweep.value, turn, p, v))),
      ...ends,
      when(allOf([...(p === 0 || p === s.planes - 1 ? [] : [seen]), this.isOwn, this.isPlane(p)]), [write]),
      ...(p < s.held ? [this.set(this.kept, [int(p)], (v) => this.valueOf(made, here, v))] : []),
    ]
  }

  private readsRow(sweep: Sweep, far: number): boolean {
    return readsOfSweep(sweep).some(
      (r) => writtenBy(this.form).has(r.array) && distanceOf(r, this.form.cells)![1] === far,
    ) // the form is a chain
  }

  /** The value of a sweep at column `v` of the thread's cells in plane `p`. */
  private rewritten(e: Expr, turn: number, p: number, v: number): Expr {
    const { form } = this,
      names = writtenBy(form),
      at = [this.plane(p), this.row, add(this.column, int(v))],
      by = new Map(form.cells.map((c, d) => [c, at[d]!])) // three of each
    const now = rewriteExpr(e, (x) => (x.kind === 'size' && x.name === form.variable ? loopVar(this.step) : undefined))
    const f = (x: Expr): Expr | undefined => {
      if (x.kind !== 'read') return undefined
      return names.has(x.array)
        ? this.readAt(distanceOf(x, form.cells)!, turn, p, v)
        : flatElementOf(
            this.program,
            x,
            x.index.map((i) => substitute(i, by)),
          ) // the form is a chain
    }
    return substitute(rewriteExpr(now, f), by)
  }

  private readAt(far: readonly number[], turn: number, p: number, v: number): Expr {
    const [z, y, x] = far as readonly [number, number, number] // three dimensions
    if (z !== 0) return this.valueOf(this.was, this.at(turn, p + z), int(v))
    const c = v + x
    if (c >= 0 && c < this.px)
      return y === 0
        ? this.valueOf(this.was, this.at(turn, p), int(c))
        : this.valueOf(this.rows.get(y)!, int(turn * this.s.planes + p), int(c)) // made for every row in reach
    return this.cellAt(this.rowOf(p, y), clampedTo(add(this.column, int(c)), add(this.width, int(-1))))
  }
}
