// Tiled wavefronts: loops that must run in order (Gauss and Seidel's sweeps, alignments of strings) in skewed boxes. A
// launch runs all boxes whose positions add up to the same number, a block each. A block loads what its points use into
// workgroup memory, rows skewed as the points are, so that threads side by side are in different banks; its threads
// stand for times and rows and walk along the skewed columns together, a barrier per step; what was written goes back.
// Elements are loaded and stored only where the box uses them: blocks that run at the same time never touch the same
// element.
import { fail } from '../../../base/index.ts'
import {
  withHostVariables,
  add,
  addScaled,
  affineConstant,
  affineName,
  affineOf,
  bytesOf,
  ceilDiv,
  choose,
  coefficient,
  defaultLimits,
  div,
  exprKey,
  implies,
  int,
  literal,
  loop,
  loopVar,
  lt,
  mul,
  op,
  read,
  readsIn,
  registerType,
  sizeDomain,
  sizeOf,
  store,
  sub,
  when,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  type Store,
  reduced,
  zeroOf,
  type WaveTiles,
  conjunction,
  freshName,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  substitute,
  substituteStmt,
} from '../../../ir/index.ts'
import { plannedBound } from '../../../analysis/index.ts'
import { pointUses, type Use } from '../../../transform/index.ts'
import { block, mostShared, threads as threadsAt, unroll, type Made, type Rung, type Sketch } from '../sketch.ts'

/** Parameters of skewed boxes: iterations of a box by loop. */
export type WavesPoint = {
  readonly times: number
  readonly rows: number
  readonly columns: number
}

/** The sketch of loops that can be tiled so. */
export function waveTiles(program: Program, given: WaveTiles): Sketch<WavesPoint> {
  const form = withNear(program, given)
  const space = spaceOf(program, form)
  const top = space[0] ?? fail('schedule.wave-tiles', 'no tile fits')
  const ladder: readonly Rung<WavesPoint>[] = [
    { step: 'naive: small tiles', point: space.reduce((a, b) => (area(b) < area(a) ? b : a)) },
    { step: 'tiled wavefronts: a block takes a box of times, rows and columns', point: top },
  ]
  return { name: 'wave-tiles', ladder, space, vectorSizes: {}, build: (p) => made(program, form, p) }
}

/** What is only read lies in workgroup memory, too, as far as a box has room for it that every WebGPU device takes. */
function withNear(program: Program, form: WaveTiles): WaveTiles {
  let found = form
  for (const a of form.near) {
    const more = { ...found, arrays: [...found.arrays, a] },
      inputs = inputsOf(program, more)
    const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupStorageSize } = defaultLimits
    const fits = (p: WavesPoint): boolean =>
      p.times * p.rows <= maxComputeInvocationsPerWorkgroup &&
      bytes(more, inputs, boxOf(more, p)) <= maxComputeWorkgroupStorageSize
    if (spaceOf(program, more).some(fits)) found = more
  }
  return found
}

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

const area = (p: WavesPoint): number => p.times * p.rows * p.columns

function spaceOf(program: Program, form: WaveTiles): readonly WavesPoint[] {
  const inputs = inputsOf(program, form)
  const sides: readonly (readonly [number, number])[] =
    form.time && form.row
      ? [
          [16, 32],
          [8, 32],
          [4, 32],
          [32, 32],
          [8, 64],
        ]
      : form.row
        ? [
            [1, 128],
            [1, 64],
            [1, 32],
            [1, 256],
          ]
        : [
            [64, 1],
            [128, 1],
            [32, 1],
            [256, 1],
          ]
  const all = sides.flatMap(([times, rows]) =>
    [128, 64, 32, 256].map((columns): WavesPoint => ({ times, rows, columns })),
  )
  return all.filter((p) => bytes(form, inputs, boxOf(form, p)) <= mostShared)
}

/** Whether some box fits. */
export const hasBoxes = (program: Program, form: WaveTiles): boolean => spaceOf(program, form).length > 0

// ── boxes ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A box of iterations, and the rows and skewed columns of elements that it may use, counted from the first of them. */
interface Box {
  readonly times: number
  readonly rows: number
  readonly columns: number
  /** Row and column of the element at the box's first iteration. */
  readonly row: number
  readonly column: number
  readonly height: number
  readonly width: number
  readonly uses: readonly Use[]
}

function boxOf(form: WaveTiles, p: WavesPoint): Box {
  const times = p.times,
    rows = p.rows,
    columns = p.columns
  const { rowTime, columnRow, columnTime } = form.skew
  // as when it was recognised
  const uses = pointUses(form.arrays, form.row ? [form.row, form.column] : [form.column], form.body)!
  const along = uses.map((u) => u.column + columnRow * u.row)
  const row = rowTime * (times - 1) - Math.min(0, ...uses.map((u) => u.row)),
    column = columnTime * (times - 1) - Math.min(0, ...along)
  return {
    times,
    rows,
    columns,
    row,
    column,
    height: rows + row + Math.max(0, ...uses.map((u) => u.row)),
    width: columns + column + Math.max(0, ...along),
    uses,
  }
}

/** An odd distance between rows: threads of a column are in different banks. */
const pitch = (b: Box): number => b.width + 1 - (b.width % 2)

const bytes = (form: WaveTiles, inputs: readonly Input[], b: Box): number =>
  form.arrays.reduce((n, a) => n + b.height * pitch(b) * bytesOf[a.type], 0) +
  inputs.reduce((n, i) => n + (i.along ? lineOf(form, b) * bytesOf[i.type] : 0), 0)

/** Skewed columns that the points of a box span. */
const lineOf = ({ skew: { columnRow, columnTime, rowTime } }: WaveTiles, b: Box): number =>
  b.columns + columnRow * (b.rows - 1) + (columnTime - columnRow * rowTime) * (b.times - 1)

/** An element that points read and nothing here writes; `along`: the column alone tells which, else row and time do. */
interface Input {
  readonly array: ArrayDecl
  readonly index: readonly [Expr]
  /** In a register. */
  readonly type: ArrayDecl['type']
  readonly along: boolean
  /** The array has elements for sure. */
  readonly isFilled: boolean
}

/** Inputs that boxes keep, at most: each is a line of workgroup memory, or a register. */
const mostInputs = 8

/** What points read again and again: letters of strings that are compared, samples, costs of a row or a column. */
function inputsOf(program: Program, form: WaveTiles): readonly Input[] {
  const { constraints } = sizeDomain(program),
    found = new Map<string, Input>(),
    moving = [form.time?.name, form.row?.name].filter((name) => name !== undefined)
  for (const r of readsIn(form.body)) {
    const array = program.arrays.find((a) => a.name === r.array),
      [index, more] = r.index,
      at = index && affineOf(index),
      extent = array?.shape[0] && affineOf(array.shape[0])
    if (!array || array.space !== 'global' || !index || more || !at || !extent) continue
    const type = registerType(array.type)
    if (type === 'bool' || form.arrays.includes(array)) continue
    const names = [...at.terms.keys()].filter((n) => !n.startsWith('$')),
      along = names.length === 1 && names[0] === form.column.name && coefficient(at, form.column.name) === 1,
      isFilled = implies(constraints, addScaled(extent, affineConstant(1), -1))
    if (along || (names.length > 0 && names.every((n) => moving.includes(n))))
      found.set(exprKey(r), { array, index: [index], type, along, isFilled })
  }
  return [...found.values()].slice(0, mostInputs)
}

/** Of a warp. */
const lanes = 32
/** Loads of a thread that wait together. */
const mostInFlight = 6
/** Elements that a thread keeps in registers at most while it walks. */
const mostCarried = 64
/** Steps that are written out: what a thread keeps moves on by name, and from place to place once in so many steps. */
const unrolled = 4

function made(given: Program, form: WaveTiles, p: WavesPoint): Made {
  const box = boxOf(form, p),
    inputs = inputsOf(given, form),
    needed = bytes(form, inputs, box)
  if (needed > mostShared) fail('schedule.wave-tiles', `the tile needs ${needed} bytes of workgroup memory`)
  const variable = freshName(given, 'wave')
  const waves = counts(form, box).waves
  const planned = Math.max(0, Math.floor(plannedBound(given, waves) / 2)),
    program = withHostVariables(given, [{ name: variable, min: 0, planned }])
  const body = new Writer(program, form, inputs, box, sizeOf(variable)).body()
  return {
    program,
    kernels: [{ program: { ...program, body }, name: given.name, steps: words(form, inputs, box) }],
    steps: [{ variable, lower: int(0), upper: waves, step: 1, body: [0] }],
  }
}

function words(form: WaveTiles, inputs: readonly Input[], b: Box): readonly string[] {
  const { rowTime, columnRow, columnTime } = form.skew
  const parts = [
    ...(form.time ? [`${b.times} of '${form.time.name}'`] : []),
    ...(form.row ? [`${b.rows} of '${form.row.name}'`] : []),
    `${b.columns} of '${form.column.name}'`,
  ]
  const skews = [
    ...(rowTime > 0 ? [`'${form.row!.name}' by ${rowTime} × '${form.time!.name}'`] : []),
    ...(columnRow > 0 ? [`'${form.column.name}' by ${columnRow} × '${form.row!.name}'`] : []),
    ...(columnTime > 0 ? [`'${form.column.name}' by ${columnTime} × '${form.time!.name}'`] : []),
  ] // skews are of loops that are there
  const arrays = form.arrays.map((a) => a.name).join(', '),
    kept = [...new Set(inputs.map((i) => i.array.name))]
  return [
    `boxes of ${parts.join(', ')}, a launch for all boxes that need none of each other`,
    ...(skews.length > 0 ? [`skewed so that no dependence points backwards: ${skews.join(', ')}`] : []),
    `${b.times * b.rows} threads walk along '${form.column.name}' together; ` +
      `${b.height} × ${b.width} elements of ${arrays} lie in workgroup memory`,
    ...(kept.length > 0 ? [`what points read of ${kept.join(', ')} is loaded before they walk`] : []),
  ]
}

/** How many boxes there are. */
function counts(
  form: WaveTiles,
  b: Box,
): {
  readonly times: Expr
  readonly rows: Expr
  readonly columns: Expr
  readonly extent: { readonly time: Expr; readonly row: Expr; readonly column: Expr }
  readonly waves: Expr
} {
  const { rowTime, columnRow, columnTime } = form.skew
  const extentOf = (l: WaveTiles['time']): Expr => (l ? sub(l.upper, l.lower) : int(1))
  const extent = { time: extentOf(form.time), row: extentOf(form.row), column: extentOf(form.column) }
  const last = (e: Expr, times: number): Expr => mul(add(e, int(-1)), int(times))
  const times = ceilDiv(extent.time, b.times),
    rows = ceilDiv(add(extent.row, last(extent.time, rowTime)), b.rows)
  const columns = ceilDiv(
    add(extent.column, add(last(extent.row, columnRow), last(extent.time, columnTime))),
    b.columns,
  )
  const all = add(add(times, rows), add(columns, int(-2)))
  const some = [extent.time, extent.row, extent.column]
    .filter((e) => e.kind !== 'const')
    .map((e) => op('ge', [e, int(1)]))
  const any = some.length > 0 ? some.reduce((x, y) => op('land', [x, y])) : undefined
  return { times, rows, columns, extent, waves: any ? op('select', [any, all, int(0)]) : all }
}

/** The element at a place of an array of one dimension, or some other where there is none; 0 where it has none. */
function someElement(array: ArrayDecl, at: Expr, isFilled: boolean): Expr {
  const extent = array.shape[0]!, // of its one dimension
    found = read(array, [op('max', [op('min', [at, sub(extent, int(1))]), int(0)])])
  return isFilled ? found : choose(op('ge', [extent, int(1)]), found, zeroOf(found.type))
}

class Writer {
  private readonly count: ReturnType<typeof counts>
  private readonly tiles = new Map<string, ArrayDecl>()
  private readonly fresh = (base: string): string => freshName(this.program, base)
  /** By array: the elements of a row that a thread moves. */
  private readonly arrived = new Map<string, ArrayDecl>()
  /** By text of a read: what is loaded before points walk, and where it is kept. */
  private readonly inputs = new Map<string, Input & { readonly kept: ArrayDecl }>()
  /** Of a row that a thread moves: its first and last column. */
  private readonly ends: readonly [ArrayDecl, ArrayDecl]
  /** Of a thread: the first step that is its own and the first that no longer is. */
  private readonly turns: readonly [ArrayDecl, ArrayDecl]
  private readonly names: Readonly<
    Record<
      'boxTime' | 'boxRow' | 'time' | 'row' | 'step' | 'group' | 'lane' | 'several' | 'together' | 'across',
      string
    >
  >

  constructor(
    private readonly program: Program,
    private readonly form: WaveTiles,
    inputs: readonly Input[],
    private readonly box: Box,
    private readonly wave: Expr,
  ) {
    this.count = counts(form, box)
    for (const a of form.arrays) {
      this.tiles.set(a.name, {
        name: this.fresh(`${a.name}_tile`),
        type: a.type,
        shape: [int(box.height), int(box.width)],
        role: 'temp',
        space: 'shared',
        ...(pitch(box) > box.width && { pad: 1 }),
      })
    }
    const { groups, wide } = this.movers
    const { batch } = this
    const ownInt = (base: string, ...shape: readonly number[]): ArrayDecl => ({
      name: this.fresh(base),
      type: 'i32',
      shape: shape.map(int),
      role: 'temp',
      space: 'private',
    })
    for (const a of form.arrays)
      this.arrived.set(a.name, {
        name: this.fresh(`${a.name}_arrived`),
        type: a.type,
        shape: [groups, wide, batch, Math.ceil(box.width / wide)].map(int),
        role: 'temp',
        space: 'private',
      })
    for (const input of inputs) {
      const { array, index, type, along } = input
      const shape = along ? [int(lineOf(form, box))] : [int(box.times), int(box.rows)]
      const kept: ArrayDecl = {
        name: this.fresh(`${array.name}_kept`),
        type,
        shape,
        role: 'temp',
        space: along ? 'shared' : 'private',
      }
      this.inputs.set(exprKey(read(array, index)), { ...input, kept })
    }
    this.ends = [ownInt('first', groups, wide, batch), ownInt('last', groups, wide, batch)]
    this.turns = [ownInt('from', box.times, box.rows), ownInt('to', box.times, box.rows)]
    this.names = {
      boxTime: this.fresh('box_t'),
      boxRow: this.fresh('box_r'),
      time: this.fresh('lane_t'),
      row: this.fresh('lane_r'),
      step: this.fresh('step_c'),
      group: this.fresh('group'),
      lane: this.fresh('lane'),
      several: this.fresh('row_u'),
      together: this.fresh('row_b'),
      across: this.fresh('column_u'),
    }
  }

  body(): readonly LoopStmt[] {
    const { names, count } = this
    const window = op('min', [count.rows, add(div(add(count.extent.column, int(this.reach - 1)), this.stride), int(1))])
    const carried = this.carried()
    const phases: readonly LoopStmt[] = [
      ...[...this.tiles.values()].map((array): LoopStmt => ({ kind: 'declare', array })),
      ...[...carried.values(), ...this.arrived.values(), ...this.ends, ...this.turns].map(
        (array): LoopStmt => ({ kind: 'declare', array }),
      ),
      ...[...this.inputs.values()].map(({ kept: array }): LoopStmt => ({ kind: 'declare', array })),
      ...this.form.arrays.map((a) => this.moved(a, true)),
      ...[...this.inputs.values()].flatMap((i) => (i.along ? [this.line(i)] : [])),
      ...this.walk(carried),
      ...this.form.arrays.flatMap((a) => (this.form.near.includes(a) ? [] : [this.moved(a, false)])),
    ]
    const inner = [when(this.isUsed(), phases)]
    return [
      loop(names.boxTime, count.times, [loop(names.boxRow, window, inner, { bind: block('x') })], { bind: block('y') }),
    ]
  }

  // ── which box ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Skew of columns by time along a skewed row. */
  private get slope(): number {
    const s = this.form.skew
    return s.columnTime - s.columnRow * s.rowTime
  }
  /** Columns from one box of rows to the next, at the same sum of positions. */
  private get stride(): number {
    return this.box.columns + this.form.skew.columnRow * this.box.rows
  }
  /** Skewed columns that the points of some times and rows span, beyond those of one. */
  private get spread(): number {
    return this.form.skew.columnRow * (this.box.rows - 1) + this.slope * (this.box.times - 1)
  }
  private get reach(): number {
    return this.box.columns - 1 + this.spread
  }

  private get a(): Expr {
    return loopVar(this.names.boxTime)
  }

  /** The first box of rows that has points in this wave, and from there. */
  private get b(): Expr {
    const { box, count } = this
    const left = sub(this.wave, this.a)
    const beyond = sub(
      sub(mul(left, int(box.columns)), mul(this.a, int(this.slope * box.times))),
      add(count.extent.column, int(this.spread - 1)),
    )
    const first = div(op('max', [add(beyond, int(this.stride - 1)), int(0)]), this.stride)
    const inside = div(mul(this.a, int(this.form.skew.rowTime * box.times)), box.rows)
    return add(literal(inside) === 0 ? first : op('max', [first, inside]), loopVar(this.names.boxRow))
  }

  private get c(): Expr {
    return sub(sub(this.wave, this.a), this.b)
  }

  /** Some point of the box may be one of the loops'. */
  private isUsed(): Expr {
    const { box, count, form } = this
    const least = add(mul(this.b, int(form.skew.columnRow * box.rows)), mul(this.a, int(this.slope * box.times)))
    const first = mul(this.c, int(box.columns))
    return conjunction([
      lt(this.b, count.rows),
      lt(first, add(least, add(count.extent.column, int(this.spread)))),
      op('ge', [add(first, int(box.columns - 1)), least]),
      ...(form.skew.rowTime > 0
        ? [
            lt(
              mul(this.b, int(box.rows)),
              add(
                count.extent.row,
                add(mul(this.a, int(form.skew.rowTime * box.times)), int(form.skew.rowTime * (box.times - 1))),
              ),
            ),
          ]
        : []),
    ])!
  }

  // ── elements ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Row of the arrays at row `r` of the tile, from the loop's first. */
  private rowAt(r: Expr): Expr {
    const { box, form } = this
    return add(sub(add(mul(this.b, int(box.rows)), r), mul(this.a, int(form.skew.rowTime * box.times))), int(-box.row))
  }

  private columnAt(r: Expr, c: Expr): Expr {
    const { box, form } = this
    const skewed = add(
      sub(add(mul(this.c, int(box.columns)), c), mul(this.a, int(form.skew.columnTime * box.times))),
      int(-box.column),
    )
    return sub(skewed, mul(this.rowAt(r), int(form.skew.columnRow)))
  }

  private elementAt(r: Expr, c: Expr): readonly Expr[] {
    const { row, column } = this.form
    return [...(row ? [add(row.lower, this.rowAt(r))] : []), add(column.lower, this.columnAt(r, c))]
  }

  /** First and last column of row `r` of the tile that uses of the kind `wanted` touch and that the array has. */
  private span(a: ArrayDecl, wanted: (u: Use) => boolean, r: Expr): { readonly first: Expr; readonly last: Expr } {
    const {
      box,
      form: { skew },
    } = this
    const rows = new Map<number, { low: number; high: number }>()
    for (const u of box.uses) {
      if (u.array !== a.name || !wanted(u)) continue
      const at = u.column + skew.columnRow * u.row,
        known = rows.get(u.row)
      rows.set(u.row, { low: Math.min(at, known?.low ?? at), high: Math.max(at, known?.high ?? at) })
    }
    const spans = [...rows].map(([row, { low, high }]) => {
      // a use at `row` of time u and row v is of tile row v − rowTime × u + box.row + row: times with such a row in the
      // box
      const from = sub(int(box.row + row), r),
        room = Math.max(1, skew.rowTime)
      const rise = (e: Expr): Expr => div(op('max', [e, int(0)]), room)
      const firstTime = skew.rowTime === 0 ? int(0) : rise(add(from, int(room - 1)))
      const lastTime =
        skew.rowTime === 0 ? int(box.times - 1) : op('min', [int(box.times - 1), rise(add(from, int(box.rows - 1)))])
      const missing =
        skew.rowTime === 0
          ? op('lor', [lt(r, int(box.row + row)), op('ge', [r, int(box.row + row + box.rows)])])
          : op('lor', [
              op('lt', [add(from, int(box.rows - 1)), int(0)]),
              op('ge', [from, int(skew.rowTime * (box.times - 1) + 1)]),
            ])
      const first = sub(int(box.column + low), mul(lastTime, int(skew.columnTime))),
        last = sub(int(box.column + high + box.columns - 1), mul(firstTime, int(skew.columnTime)))
      return { first: op('select', [missing, int(box.width), first]), last: op('select', [missing, int(-1), last]) }
    })
    const used = spans.reduce((x, y) => ({ first: op('min', [x.first, y.first]), last: op('max', [x.last, y.last]) }))
    const index = this.elementAt(r, int(0)),
      start = index[index.length - 1]!,
      width = a.shape[a.shape.length - 1]! // one dimension at least
    const last = op('min', [used.last, sub(add(width, int(-1)), start)])
    const known =
      index.length === 2
        ? op('select', [op('land', [op('ge', [index[0]!, int(0)]), lt(index[0]!, a.shape[0]!)]), last, int(-1)])
        : last
    return { first: op('max', [used.first, sub(int(0), start)]), last: known }
  }

  /** Elements from the array into workgroup memory, or back: neighbouring threads take neighbours. */
  private moved(a: ArrayDecl, into: boolean): LoopStmt {
    const { box, names } = this,
      tile = this.tiles.get(a.name)! // made for every array
    const { groups, wide } = this.movers,
      { batch } = this
    const turn = add(mul(loopVar(names.several), int(batch)), loopVar(names.together)),
      r = add(mul(turn, int(groups)), loopVar(names.group)),
      c = add(mul(loopVar(names.across), int(wide)), loopVar(names.lane))
    const [first, last] = this.ends
    const own = [loopVar(names.group), loopVar(names.lane), loopVar(names.together)]
    const [low, high] = [read(first, own), read(last, own)]
    const count = Math.ceil(box.width / wide)
    const each = (body: LoopStmt): LoopStmt => loop(names.across, int(count), [body], { bind: unroll })
    const span = this.span(a, (u) => into || u.write, r)
    const arrived = this.arrived.get(a.name)!,
      place = [...own, loopVar(names.across)] // made for every array
    const nearest = this.elementAt(r, op('min', [op('max', [c, low]), high])) // no branch: loads wait together
    const put = store(tile, [r, c], read(arrived, place))
    const ends = [store(first, own, span.first), store(last, own, span.last)]
    const phases: readonly (readonly LoopStmt[])[] = into
      ? [
          [
            ...ends,
            when(
              op('le', [low, high]),
              [each(store(arrived, place, read(a, nearest)))],
              [each(store(arrived, place, zeroOf(registerType(a.type))))],
            ),
          ],
          [each(box.width % wide > 0 ? when(lt(c, int(box.width)), [put]) : put)],
        ]
      : [
          [...ends, each(store(arrived, place, read(tile, [r, op('min', [c, int(box.width - 1)])])))],
          [
            each(
              when(op('land', [op('ge', [c, low]), op('le', [c, high])]), [
                store(a, this.elementAt(r, c), read(arrived, place)),
              ]),
            ),
          ],
        ]
    const inBatch = (row: readonly LoopStmt[]): LoopStmt =>
      loop(names.together, int(batch), box.height % (groups * batch) > 0 ? [when(lt(r, int(box.height)), row)] : row, {
        bind: unroll,
      })
    const rows = loop(names.several, int(Math.ceil(box.height / (groups * batch))), phases.map(inBatch))
    return loop(names.group, int(groups), [loop(names.lane, int(wide), [rows], { bind: threadsAt(1) })], {
      bind: threadsAt(wide),
    })
  }

  /** Rows that a thread moves together: so many loads are in flight. */
  private get batch(): number {
    const { box } = this,
      { groups, wide } = this.movers
    const most = Math.max(1, Math.floor(mostInFlight / Math.ceil(box.width / wide)))
    return Math.min(most, Math.ceil(box.height / groups))
  }

  /** What the points of a box read along the columns, from the first of them. */
  private line({ array, index: [at], kept, isFilled }: Input & { readonly kept: ArrayDecl }): LoopStmt {
    const { box, form, names } = this,
      length = lineOf(form, box),
      threads = box.times * box.rows,
      count = Math.ceil(length / threads)
    const place = add(mul(loopVar(names.several), int(threads)), add(mul(this.u, int(box.rows)), this.v)),
      column = new Map([[form.column.name, add(form.column.lower, add(this.firstColumn, place))]])
    const put = store(kept, [place], someElement(array, substitute(at, column), isFilled)) // it has one
    const all = length % threads > 0 ? when(lt(place, int(length)), [put]) : put
    return this.side([loop(names.several, int(count), [all], { bind: unroll })])
  }

  /** Threads that move a row together, and how many such groups there are. */
  private get movers(): { readonly groups: number; readonly wide: number } {
    const threads = this.box.times * this.box.rows
    return { groups: Math.max(1, threads / lanes), wide: Math.min(lanes, threads) }
  }

  // ── iterations ──────────────────────────────────────────────────────────────────────────────────────────────────

  private side(body: readonly LoopStmt[]): LoopStmt {
    const { box, names } = this
    return loop(names.time, int(box.times), [loop(names.row, int(box.rows), body, { bind: threadsAt(1) })], {
      bind: threadsAt(box.rows),
    })
  }

  private get u(): Expr {
    return loopVar(this.names.time)
  }
  private get v(): Expr {
    return loopVar(this.names.row)
  }

  /** The element of workgroup memory that a use has at `step`. */
  private placeOf(u: Place, step: Expr): readonly Expr[] {
    const {
      box,
      form: { skew },
    } = this
    const r = add(sub(this.v, mul(this.u, int(skew.rowTime))), int(box.row + u.row))
    const c = add(sub(step, mul(this.u, int(skew.columnTime))), int(box.column + u.column + skew.columnRow * u.row))
    return [r, c]
  }

  private get time(): Expr {
    return add(mul(this.a, int(this.box.times)), this.u)
  }
  private get row(): Expr {
    return sub(add(mul(this.b, int(this.box.rows)), this.v), mul(this.time, int(this.form.skew.rowTime)))
  }
  private columnOf(step: Expr): Expr {
    const {
      form: { skew },
    } = this
    return sub(
      sub(add(mul(this.c, int(this.box.columns)), step), mul(this.row, int(skew.columnRow))),
      mul(this.time, int(skew.columnTime)),
    )
  }

  private walk(carried: Carried): readonly LoopStmt[] {
    const { box, form, names, count } = this
    const [from, to] = this.turns,
      isCarried = carried.size > 0,
      mine = [this.u, this.v]
    const some = conjunction([
      ...(form.time ? [lt(this.time, count.extent.time)] : []),
      ...(form.row ? [op('ge', [this.row, int(0)]), lt(this.row, count.extent.row)] : []),
    ])! // one of them is there
    const start = this.columnOf(int(0))
    const own = [...this.inputs.values()].flatMap(({ array, index: [at], kept, along, isFilled }) =>
      along ? [] : [store(kept, mine, someElement(array, substitute(at, this.pointOf(int(0))), isFilled))],
    ) // it has one dimension
    const range = [
      ...own,
      store(from, mine, op('max', [sub(int(0), start), int(0)])),
      store(to, mine, op('select', [some, sub(count.extent.column, start), int(0)])),
    ]
    const copies = box.columns % unrolled === 0 ? unrolled : 1
    const steps = (inside: boolean): LoopStmt =>
      loop(names.step, int(box.columns / copies), [
        ...Array.from({ length: copies }, (_, n) => {
          const step = add(mul(loopVar(names.step), int(copies)), int(n))
          const own = op('land', [op('ge', [step, read(from, mine)]), lt(step, read(to, mine))])
          const work = isCarried
            ? form.body.flatMap((s) => this.chained(carried, s, step, n))
            : form.body.map((s) =>
                substituteStmt(
                  this.rewritten(
                    mapStmtExprs(s, (e) => this.withKept(e, step)),
                    step,
                  ),
                  this.pointOf(step),
                ),
              )
          const arriving = isCarried ? this.arriving(carried, step, n) : []
          return this.side([...arriving, ...(inside ? work : [when(own, work)])])
        }),
        ...(isCarried ? [this.side(this.movedOn(carried, copies))] : []),
      ])
    return [
      this.side([...range, ...(isCarried ? this.filled(carried) : [])]),
      when(this.isFull(), [steps(true)], [steps(false)]),
    ]
  }

  /** The least column, counted from the loop's first, of the points of the box. */
  private get firstColumn(): Expr {
    const { box, form } = this,
      lastRow = add(mul(this.b, int(box.rows)), int(box.rows - 1)),
      lastTime = add(mul(this.a, int(box.times)), int(box.times - 1))
    return sub(
      sub(mul(this.c, int(box.columns)), mul(lastRow, int(form.skew.columnRow))),
      mul(lastTime, int(this.slope)),
    )
  }

  /** Every point of the box is one of the loops'. */
  private isFull(): Expr {
    const { box, form, count } = this
    const first = mul(this.a, int(box.times)),
      last = add(first, int(box.times - 1)),
      rows = mul(this.b, int(box.rows)),
      { rowTime, columnRow } = form.skew
    const low = this.firstColumn
    const high = sub(
      sub(add(mul(this.c, int(box.columns)), int(box.columns - 1)), mul(rows, int(columnRow))),
      mul(first, int(this.slope)),
    )
    return conjunction([
      ...(form.time ? [lt(last, count.extent.time)] : []),
      ...(form.row
        ? [
            op('ge', [sub(rows, mul(last, int(rowTime))), int(0)]),
            lt(sub(add(rows, int(box.rows - 1)), mul(first, int(rowTime))), count.extent.row),
          ]
        : []),
      op('ge', [low, int(0)]),
      lt(high, count.extent.column),
    ])!
  }

  /** What the loops' variables are at the thread's point. */
  private pointOf(step: Expr): ReadonlyMap<string, Expr> {
    const { form } = this
    return new Map<string, Expr>([
      ...(form.time ? [[form.time.name, add(form.time.lower, this.time)] as const] : []),
      ...(form.row ? [[form.row.name, add(form.row.lower, this.row)] as const] : []),
      [form.column.name, add(form.column.lower, this.columnOf(step))],
    ])
  }

  /** Uses of written arrays in workgroup memory. */
  private rewritten(s: LoopStmt, step: Expr): LoopStmt {
    const place = (index: readonly Expr[]): readonly Expr[] => this.placeOf(this.useOf(index), step)
    const inReads = mapStmtExprs(s, (e) =>
      rewriteExpr(e, (x) => {
        const tile = x.kind === 'read' ? this.tiles.get(x.array) : undefined
        return tile && x.kind === 'read' ? read(tile, place(x.index), x.at) : undefined
      }),
    )
    return mapBody([inReads], (x) => {
      const tile = x.kind === 'store' ? this.tiles.get(x.array) : undefined
      return tile && x.kind === 'store' ? [{ ...x, array: tile.name, index: place(x.index) }] : undefined
    })[0]! // one in, one out
  }

  /** Inputs from where they are kept. */
  private withKept(e: Expr, step: Expr): Expr {
    const { box, form } = this,
      rows = mul(sub(int(box.rows - 1), this.v), int(form.skew.columnRow)),
      times = mul(sub(int(box.times - 1), this.u), int(this.slope))
    return rewriteExpr(e, (x) => {
      const input = x.kind === 'read' ? this.inputs.get(exprKey(x)) : undefined
      return input && read(input.kept, input.along ? [add(step, add(rows, times))] : [this.u, this.v])
    })
  }

  private useOf(index: readonly Expr[]): Place {
    const { row, column } = this.form
    const space = row ? [row, column] : [column]
    const far = index.map((e, d) => {
      const a = affineOf(e)!
      return addScaled(a, affineName(space[d]!.name), -1).constant
    }) // as when it was recognised
    return { row: row ? far[0]! : 0, column: far[far.length - 1]! }
  }

  // ── registers ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** By array and row of use: the columns from the first to the last, where its row is read. */
  private get chains(): readonly Chain[] {
    const rows = new Map<string, { readonly use: Use; low: number; high: number; isRead: boolean }>()
    for (const u of this.box.uses) {
      const key = `${u.array} ${u.row}`,
        known = rows.get(key) ?? { use: u, low: u.column, high: u.column, isRead: false }
      known.low = Math.min(known.low, u.column)
      known.high = Math.max(known.high, u.column)
      known.isRead ||= !u.write
      rows.set(key, known)
    }
    const slots = new Map<string, number>()
    return [...rows.values()].flatMap(({ use: { array, row }, low, high, isRead }) => {
      if (!isRead) return []
      const slot = slots.get(array) ?? 0
      slots.set(array, slot + high - low + unrolled)
      return [{ array, row, low, high, slot }]
    })
  }

  /** What a thread has read before and will use again at the next columns, by array. */
  private carried(): Carried {
    const { box, form } = this
    const slotsOf = (name: string): number =>
      this.chains.reduce((n, c) => n + (c.array === name ? c.high - c.low + unrolled : 0), 0)
    const all = form.arrays.map((a) => [a, slotsOf(a.name)] as const)
    if (all.reduce((n, [, slots]) => n + slots, 0) > mostCarried) return new Map()
    return new Map(
      all.flatMap(([a, slots]): readonly (readonly [string, ArrayDecl])[] => {
        const shape = [int(box.times), int(box.rows), int(slots)]
        if (slots === 0) return []
        return [[a.name, { name: this.fresh(`${a.name}_near`), type: a.type, shape, role: 'temp', space: 'private' }]]
      }),
    )
  }

  private near(slot: number): readonly Expr[] {
    return [this.u, this.v, int(slot)]
  }

  private tileAt(c: Chain, column: number, step: Expr): Expr {
    return read(this.tiles.get(c.array)!, this.placeOf({ row: c.row, column }, step)) // made for every array
  }

  /** What the first step uses, but for what it loads itself. */
  private filled(carried: Carried): readonly LoopStmt[] {
    return this.chains.flatMap((c) =>
      Array.from({ length: c.high - c.low }, (_, n) =>
        store(carried.get(c.array)!, this.near(c.slot + n), this.tileAt(c, c.low + n, int(0))),
      ),
    ) // there is room for every chain
  }

  /** The next element of each row. */
  private arriving(carried: Carried, step: Expr, copy: number): readonly LoopStmt[] {
    return this.chains.map((c) =>
      store(carried.get(c.array)!, this.near(c.slot + c.high - c.low + copy), this.tileAt(c, c.high, step)),
    ) // as above
  }

  private movedOn(carried: Carried, copies: number): readonly LoopStmt[] {
    return this.chains.flatMap((c) => {
      const chain = carried.get(c.array)! // as above
      return Array.from({ length: c.high - c.low }, (_, n) =>
        store(chain, this.near(c.slot + n), read(chain, this.near(c.slot + n + copies))),
      )
    })
  }

  /** A statement on registers; what it stores goes to workgroup memory, too. */
  private chained(carried: Carried, s: LoopStmt, step: Expr, copy: number): readonly LoopStmt[] {
    const slotOf = (array: string, u: Place): readonly Expr[] | undefined => {
      const c = this.chains.find((y) => y.array === array && y.row === u.row)
      return c && this.near(c.slot + u.column - c.low + copy)
    }
    const onRegisters = (e: Expr): Expr =>
      rewriteExpr(e, (x) => {
        const chain = x.kind === 'read' ? carried.get(x.array) : undefined
        return chain && x.kind === 'read' ? read(chain, slotOf(x.array, this.useOf(x.index))!, x.at) : undefined
      }) // what is read has a chain
    const put = (x: Store): readonly LoopStmt[] => {
      const tile = this.tiles.get(x.array),
        chain = carried.get(x.array)
      if (!tile) return [x]
      const at = this.useOf(x.index),
        mine = slotOf(x.array, at),
        here = this.placeOf(at, step)
      if (!chain || !mine) return [{ ...x, array: tile.name, index: here }]
      const value = x.reduce ? reduced(x.reduce, read(chain, mine), x.value) : x.value
      return [store(chain, mine, value, null, x.at), store(tile, here, read(chain, mine))]
    }
    const inReads = mapStmtExprs(s, (e) => this.withKept(onRegisters(e), step))
    return mapBody([inReads], (x) => (x.kind === 'store' ? put(x) : undefined)).map((x) =>
      substituteStmt(x, this.pointOf(step)),
    )
  }
}

interface Place {
  readonly row: number
  readonly column: number
}
/** By array: registers of a thread for elements of it. */
type Carried = ReadonlyMap<string, ArrayDecl>
/**
 * Elements of a row in registers: from column `low` to `high` of the step at hand, and one more for every other step
 * that is written out.
 */
interface Chain {
  readonly array: string
  readonly row: number
  readonly low: number
  readonly high: number
  readonly slot: number
}
