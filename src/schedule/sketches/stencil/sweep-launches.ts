// Sweeps of three dimensions, each a launch of its own: where a halo in two dimensions costs more than memory does. A
// thread owns a box of cells and loads each element that their reads need once, neighbours along memory together; other
// threads' loads of the same lie in the L1 cache, so that nothing is shared and nothing waits at a barrier. Every
// second launch goes through the planes backwards: it begins with what the L2 cache still has.
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
import { arraysOfSweeps, distanceOf, isThin, readsOfSweep, writtenBy } from '../../../transform/index.ts'
import { allOf, axesOf, cellBox, flatElementOf, clampedTo, productOf, sideBySide, within } from './grid-cells.ts'
import { block, unroll, vector, type Made, type Scheduled } from '../sketch.ts'

/** Parameters of a launch for each sweep. */
export type SweepPoint = {
  readonly apart: 1
  /** Rows and columns of threads of a block. */
  readonly ty: number
  readonly tx: number
  /** Planes, rows and columns of cells of a thread. */
  readonly pz: number
  readonly py: number
  readonly px: number
}

/** Whether every sweep covers planes, and reads of what it writes nothing but its own cell. */
const canBeApart = (form: TimeTiles): boolean =>
  form.cells.length === 3 &&
  form.sweeps.every(
    (s) =>
      !isThin(s) &&
      readsOfSweep(s).every(
        (r) => r.array !== s.array.name || distanceOf(r, form.cells)?.every((x) => x === 0) === true,
      ),
  )

/** Values that a thread keeps in registers, at most. */
const mostValues = 112

/**
 * Points for the planned extents, the likeliest first: 2,000 sweeps of 200³ cells took 40 ms in CUDA and 41 on WebGPU
 * on an H200, streams of two sweeps 41 to 46 and 45 to 49, copies 32.
 */
export function apartPoints(program: Program, form: TimeTiles): readonly SweepPoint[] {
  if (!canBeApart(form)) return []
  const px = 4,
    // a form has arrays, of three dimensions
    groups = Math.ceil(plannedBound(program, arraysOfSweeps(form)[0]!.shape[2]!) / px)
  const tx = Math.ceil(groups / Math.ceil(groups / mostLanes))
  const all = [512, 256].flatMap((threads) =>
    [4, 2, 1].map((pz): SweepPoint => ({ apart: 1, ty: Math.max(1, Math.floor(threads / tx)), tx, pz, py: 1, px })),
  )
  return all.filter((p) =>
    form.sweeps.every((s) => new Writer(program, form, s, p, false, false).values() <= mostValues),
  )
}

/** Threads along a row of a tile. */
const mostLanes = 64

/** A kernel per sweep. */
export function sweptApart(program: Program, form: TimeTiles, p: SweepPoint, exact = false): Made {
  const kernels = form.sweeps.map((s, n): Scheduled => new Writer(program, form, s, p, exact, n % 2 === 1).scheduled())
  return {
    program,
    kernels,
    steps: [
      {
        variable: form.variable,
        lower: form.loop.lower,
        upper: form.loop.upper,
        step: form.loop.step,
        body: kernels.map((_, n) => n),
      },
    ],
  }
}

/** An element that a thread loads: of which array, where from the first cell of its box. */
interface Element {
  readonly array: ArrayDecl
  readonly at: readonly number[]
}

class Writer {
  private readonly threads: readonly number[]
  private readonly own: readonly number[]
  private readonly lanes: readonly string[]
  private readonly tiles: readonly string[]
  private readonly neighbour: string
  /** By array, plane and row: rows of the box and of those that it reads; beside them single elements. */
  private readonly rows = new Map<
    string,
    { readonly array: ArrayDecl; readonly at: readonly number[]; readonly values: ArrayDecl }
  >()
  private readonly single = new Map<string, { readonly element: Element; readonly value: ArrayDecl }>()

  constructor(
    private readonly program: Program,
    private readonly form: TimeTiles,
    private readonly sweep: Sweep,
    p: SweepPoint,
    private readonly exact: boolean,
    private readonly backwards: boolean,
  ) {
    this.threads = [p.ty, p.tx]
    this.own = [p.pz, p.py, p.px]
    const fresh = (base: string): string => freshName(program, base)
    this.lanes = ['lane_y', 'lane_x'].map(fresh)
    this.tiles = axesOf(form).map((a) => fresh(`tile_${a}`))
    this.neighbour = fresh('neighbour')
  }

  scheduled(): Scheduled {
    const { form, own, threads, tiles } = this
    const results = cellBox(own.slice(0, 2)).map(([z, y]) => this.result(z!, y!)) // two dimensions
    const declared = [
      ...[...this.rows.values()].map((r) => r.values),
      ...[...this.single.values()].map((s) => s.value),
      ...results.map((r) => r.values),
    ]
    const loads = [
      ...[...this.rows.values()].flatMap((r) => this.loadedRow(r)),
      ...[...this.single.values()].map(({ element: { array, at }, value }) =>
        store(value, this.lane, this.elementAt(array, at.map(int))),
      ),
    ]
    const work = [...loads, ...results.flatMap((r) => r.body)]
    const body = [
      ...declared.map((array): LoopStmt => ({ kind: 'declare', array })),
      this.side(
        this.readsItself() ? [when(allOf(this.sweep.array.shape.map((e, d) => lt(this.origin(d), e))), work)] : work,
      ),
    ]
    const counts = this.sweep.array.shape.map((e, d) => ceilDiv(e, own[d]! * (threads[d - 1] ?? 1))) // three of each
    const nest = tiles.reduceRight<readonly LoopStmt[]>(
      (inner, name, d) => [loop(name, counts[d]!, inner, { bind: block(axesOf(form)[d]!) })],
      body,
    ) // as above
    const cells = threads.map((n, d) => n * own[d + 1]!) // three of each
    const words = [
      `one sweep per launch, ${productOf(threads)} threads own ${own.join(' × ')} cells each ` +
        `and load what these read once`,
      `tiles of ${cells.join(' × ')} cells; neighbours' elements come from the L1 cache: ` +
        `nothing is shared, no thread waits for another`,
      ...(this.backwards
        ? ['backwards through the planes: those that the launch before wrote last are in the L2 cache']
        : []),
    ]
    return { program: { ...this.program, body: nest }, name: this.program.name, steps: words }
  }

  /**
   * Whether the sweep reads what it writes: then no thread may load another's element in place of one that is not
   * there.
   */
  private readsItself(): boolean {
    return readsOfSweep(this.sweep).some((r) => r.array === this.sweep.array.name)
  }

  /** Values that a thread loads, and those that it makes. */
  values(): number {
    cellBox(this.own.slice(0, 2)).forEach(([z, y]) => this.result(z!, y!)) // two dimensions
    return this.rows.size * this.own[2]! + this.single.size + productOf(this.own)
  }

  private side(body: readonly LoopStmt[]): LoopStmt {
    return sideBySide(this.threads, this.lanes, body)
  }

  private get lane(): readonly Expr[] {
    return this.lanes.map(loopVar)
  }

  /** First cell of the thread's box. */
  private origin(d: number): Expr {
    const { own, tiles, sweep } = this
    const tile = loopVar(tiles[d]!)
    if (d > 0) return mul(this.laneAt(d), int(own[d]!))
    return mul(this.backwards ? sub(add(ceilDiv(sweep.array.shape[0]!, own[0]!), int(-1)), tile) : tile, int(own[0]!))
  }

  /** The thread's place among those of its row or column in the whole grid; not of planes. */
  private laneAt(d: number): Expr {
    return add(mul(loopVar(this.tiles[d]!), int(this.threads[d - 1]!)), loopVar(this.lanes[d - 1]!))
  }

  private cellAt(at: readonly Expr[]): readonly Expr[] {
    return at.map((e, d) => add(this.origin(d), e))
  }

  // ── loads ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The nearest element that is there: what lies outside of an array is read by no cell of the sweep. */
  private elementAt(a: ArrayDecl, at: readonly Expr[]): Expr {
    return read(
      a,
      this.cellAt(at).map((e, d) => clampedTo(e, add(a.shape[d]!, int(-1)))),
    )
  }

  private loadedRow({
    array,
    at,
    values,
  }: {
    readonly array: ArrayDecl
    readonly at: readonly number[]
    readonly values: ArrayDecl
  }): readonly LoopStmt[] {
    const along = this.own[2]!,
      last = add(array.shape[2]!, int(-1))
    const [plane, row] = this.cellAt([int(at[0]!), int(at[1]!), int(0)])
      .slice(0, 2)
      .map((e, d) => clampedTo(e, add(array.shape[d]!, int(-1)))) as [Expr, Expr] // two of three
    if (along === 1) return [store(values, [...this.lane, int(0)], this.elementAt(array, at.map(int)))]
    const group = clampedTo(this.laneAt(2), div(last, along))
    const column = add(mul(group, int(along)), loopVar(this.neighbour)),
      element = read(array, [plane, row, column])
    const value = this.exact ? element : choose(lt(column, array.shape[2]!), element, zeroOf(registerType(array.type)))
    return [
      loop(this.neighbour, int(along), [store(values, [...this.lane, loopVar(this.neighbour)], value)], {
        bind: along === 2 || along === 4 ? vector : unroll,
      }),
    ]
  }

  private valueAt(array: ArrayDecl, at: readonly number[]): Expr {
    const [z, y, x] = at as readonly [number, number, number] // three dimensions
    const threads = this.threads.map(int),
      type = array.type
    if (x >= 0 && x < this.own[2]!) {
      const key = `${array.name} ${z} ${y}`
      const known = this.rows.get(key) ?? {
        array,
        at: [z, y, 0],
        values: {
          name: freshName(this.program, `${array.name}_row${this.rows.size}`),
          type,
          shape: [...threads, int(this.own[2]!)],
          role: 'temp',
          space: 'private',
        } satisfies ArrayDecl,
      }
      this.rows.set(key, known)
      return read(known.values, [...this.lane, int(x)])
    }
    const key = `${array.name} ${at.join()}`
    const known = this.single.get(key) ?? {
      element: { array, at },
      value: {
        name: freshName(this.program, `${array.name}_beside${this.single.size}`),
        type,
        shape: threads,
        role: 'temp',
        space: 'private',
      } satisfies ArrayDecl,
    }
    this.single.set(key, known)
    return read(known.value, this.lane)
  }

  // ── results ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A row of the box: its values, and what stores them where the sweep writes. */
  private result(z: number, y: number): { readonly values: ArrayDecl; readonly body: readonly LoopStmt[] } {
    const { sweep, own } = this
    const a = sweep.array,
      along = own[2]!,
      type = a.type
    const values: ArrayDecl = {
      name: freshName(this.program, `${a.name}_${z}_${y}`),
      type,
      shape: [...this.threads.map(int), int(along)],
      role: 'temp',
      space: 'private',
    }
    const columns = Array.from({ length: along }, (_, x) => x)
    const made = columns.map((x) => store(values, [...this.lane, int(x)], this.rewritten(sweep.value, [z, y, x])))
    const at = (x: Expr): readonly Expr[] => this.cellAt([int(z), int(y), x])
    const [ranges, columnRange] = [sweep.ranges.slice(0, 2), sweep.ranges.slice(2)]
    const write = (x: Expr): LoopStmt => store(a, at(x), read(values, [...this.lane, x]))
    const one = (x: number): LoopStmt =>
      when(
        allOf([
          ...within(columnRange, [at(int(x))[2]!]),
          ...(sweep.guard ? [this.rewritten(sweep.guard, [z, y, x])] : []),
        ]),
        [write(int(x))],
      )
    const whole = allOf([
      op('ge', [at(int(0))[2]!, columnRange[0]!.lower]),
      lt(at(int(along - 1))[2]!, columnRange[0]!.upper),
    ])
    const together = loop(this.neighbour, int(along), [write(loopVar(this.neighbour))], { bind: vector })
    const stores =
      (along === 2 || along === 4) && !sweep.guard ? [when(whole, [together], columns.map(one))] : columns.map(one)
    return { values, body: [...made, when(allOf(within(ranges, at(int(0)).slice(0, 2))), stores)] }
  }

  /** The expression at a cell of the box. */
  private rewritten(e: Expr, cell: readonly number[]): Expr {
    const { form, program } = this,
      names = writtenBy(form)
    const at = this.cellAt(cell.map(int)),
      by = new Map(form.cells.map((c, d) => [c, at[d]!]))
    const f = (x: Expr): Expr | undefined => {
      if (x.kind !== 'read') return undefined
      const far = names.has(x.array) ? distanceOf(x, form.cells) : undefined
      if (far)
        return this.valueAt(
          arraysOfSweeps(form).find((a) => a.name === x.array)!,
          cell.map((c, d) => c + far[d]!),
        ) // one of them
      return flatElementOf(
        program,
        x,
        x.index.map((i) => substitute(i, by)),
      )
    }
    return substitute(rewriteExpr(e, f), by)
  }
}
