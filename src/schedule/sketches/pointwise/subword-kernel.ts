// The kernel of whole words. In: nests whose cells lie on words, and a point: `words` cells of each of `rows` rows for
// a thread. Out: the scheduled kernel. First all words around what the thread reads are loaded, at once and behind no
// branch (`subword-windows.ts`), then everything is computed in registers, then words are stored; those with elements
// that are not the thread's keep these as they were. Right where rows of all arrays concerned are so many words.
import {
  readsArray,
  someExpr,
  add,
  addScaled,
  affineConstant,
  affineOf,
  ceilDiv,
  constant,
  div,
  insideLoop,
  int,
  isFloat,
  isSigned,
  loop,
  loopVar,
  lt,
  mul,
  op,
  registerType,
  sameAffine,
  sizeDomain,
  store,
  sub,
  when,
  bytesOf,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type Loop,
  type LoopStmt,
  type MemoryType,
  type Store,
  claimName,
  conjunction,
  eachStmt,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  nest as wrap,
  peelGuard,
  perfectNest,
  readByChoice,
  readsIn,
  substitute,
  substituteStmt,
} from '../../../ir/index.ts'
import { sharedTerms } from '../../../transform/index.ts'
import { block, threads, unroll, vector, type Scheduled } from '../sketch.ts'
import { windowSums, type WindowSum } from './subword-sums.ts'
import { Windows, type Where } from './subword-windows.ts'
import { inSteps, vectorElements, placeIn, type Lying, type SubwordStore } from './subword-layout.ts'

/** Parameters of whole words of elements below 32 bits. */
export type WordsPoint = {
  /** Cells of a thread along a row. */
  readonly words: number
  /** Rows of a thread. */
  readonly rows: number
  /** Threads of a block along a row, and across rows. */
  readonly tx: number
  readonly ty: number
  /** 1: the variant in which they stand is wanted. */
  readonly exact: number
}

export const wordTiles = (lying: Lying, p: WordsPoint): Scheduled => new Writer(lying, p).scheduled()

/** Registers for what a thread stores of one row of an array. */
interface Tile {
  readonly of: SubwordStore
  readonly registers: ArrayDecl
  readonly words: number
  /** Several words of a thread: workgroup memory in which they change threads, so that neighbours store neighbours. */
  readonly shown?: ArrayDecl
}

class Writer {
  private readonly cells: number
  private readonly rows: number
  /** The thread's tile of cells, the first of them, its first row, and the number of tiles of a row. */
  private readonly tile: Expr
  private readonly first: Expr
  private readonly firstRow: Expr
  private readonly tiles: Expr
  /** All cells of a tile that has one are cells of the row. */
  private readonly whole: boolean
  private readonly names: Set<string>
  private readonly loops: readonly Loop[]

  constructor(
    private readonly lying: Lying,
    private readonly p: WordsPoint,
  ) {
    const { program, body, cells, rows, shift, multiples } = lying,
      count = affineOf(cells.upper)
    this.cells = p.words
    this.rows = rows ? p.rows : 1
    this.names = new Set([...namesOf(program), ...namesOf({ ...program, body })])
    this.tile = add(mul(loopVar('block_j'), int(p.tx)), loopVar('thread_j'))
    this.first = add(mul(this.tile, int(this.cells)), int(-shift))
    this.firstRow = mul(add(mul(loopVar('block_i'), int(p.ty)), loopVar('thread_i')), int(this.rows))
    this.tiles = ceilDiv(add(cells.upper, int(shift)), this.cells)
    this.whole =
      shift === 0 && count !== undefined && inSteps(count, this.cells, multiples) && count.constant % this.cells === 0
    this.loops = [loop('pi', int(this.rows), [], { bind: unroll }), loop('vj', int(this.cells), [], { bind: unroll })]
  }

  scheduled(): Scheduled {
    const { lying, p } = this,
      rows = lying.rows,
      all = this.outer()
    // one at least
    const asked = conjunction([lt(this.tile, this.tiles), ...(rows ? [lt(this.firstRow, rows.upper)] : [])])!
    const own = all.filter((l) => l.bind.kind === 'thread'),
      tiles = this.tilesOf(),
      shown = tiles.flatMap((t) => t.shown ?? [])
    const inner = [
      ...shown.map((array): LoopStmt => ({ kind: 'declare', array })),
      ...wrap(own, [when(asked, this.work(tiles))]),
      ...(shown.length > 0
        ? wrap(own, [{ ...this.loops[0]!, body: tiles.flatMap((t) => (t.shown ? this.closed(t) : [])) }])
        : []),
    ] // loops over rows and cells
    const body = wrap(
      [...lying.others.map((l): Loop => ({ ...l, bind: block('z') })), ...all.filter((l) => l.bind.kind === 'block')],
      inner,
    )
    const each = `${this.cells} neighbours${this.rows > 1 ? ` of ${this.rows} rows` : ''} each`
    return {
      program: { ...lying.program, body },
      name: lying.program.name,
      shapes: lying.shapes,
      steps: [
        `${p.tx}${rows ? ` × ${p.ty}` : ''} threads per block, ${each}`,
        'words are loaded and stored whole, and taken apart in registers',
        ...(shown.length > 0
          ? ['words that do not lie side by side change threads in workgroup memory before they are stored']
          : []),
      ],
    }
  }

  /** Block and thread loops. */
  private outer(): readonly Loop[] {
    const { p } = this,
      { rows } = this.lying,
      ty = p.ty,
      tx = p.tx
    const of = (name: string, extent: Expr, bind: Loop['bind']): Loop => loop(name, extent, [], { bind })
    const down = rows ? [of('block_i', ceilDiv(rows.upper, this.rows * ty), block('y'))] : [],
      inside = rows ? [of('thread_i', int(ty), threads(tx))] : []
    return [...down, of('block_j', ceilDiv(this.tiles, tx), block('x')), ...inside, of('thread_j', int(tx), threads(1))]
  }

  private tilesOf(): readonly Tile[] {
    return this.lying.stored.map((s): Tile => {
      const words = (this.cells * s.step) / vectorElements,
        registers = this.registers(`${s.array.name.toLowerCase()}_whole`, s.array.type, [words * vectorElements])
      const rows = this.lying.rows ? this.rows * this.p.ty : 1,
        shape = [rows, this.p.tx * words * vectorElements].map(int)
      return {
        of: s,
        words,
        registers,
        ...(words > 1 && {
          shown: {
            ...s.array,
            name: claimName(this.names, `${s.array.name.toLowerCase()}_shown`),
            shape,
            role: 'temp',
            space: 'shared',
          },
        }),
      }
    })
  }

  private work(tiles: readonly Tile[]): readonly LoopStmt[] {
    const { lying } = this,
      fresh = (name: string, type: MemoryType, shape: readonly number[]): ArrayDecl => this.registers(name, type, shape)
    const body = this.inTiles(tiles),
      windows = new Windows(lying, this.where(), fresh)
    windows.note(body, this.loops)
    const fills = windows.fills(),
      { sums, rest } = this.sumsApart(body.map((s) => mapStmtExprs(s, (e) => windows.inRegisters(e))))
    const [over, cells] = this.loops // two
    const opened = tiles.flatMap((t) => this.opened(t, rest)),
      stores = tiles.flatMap((t) => (t.shown ? this.show(t, t.shown) : this.closed(t)))
    return [
      ...fills,
      ...sums.flatMap((x) => windowSums(x, this.loops, fresh)),
      { ...over!, body: [...opened, { ...cells!, body: this.once(rest, tiles) }, ...stores] },
    ]
  }

  private registers(name: string, type: MemoryType, shape: readonly number[]): ArrayDecl {
    return {
      name: claimName(this.names, name),
      type: registerType(type) as MemoryType,
      shape: shape.map(int),
      role: 'temp',
      space: 'private',
    } // no element is a truth value
  }

  // ── what is computed ────────────────────────────────────────────────────────────────────────────────────────────

  /** The cell's own element in place of the loops' variables. */
  private get place(): ReadonlyMap<string, Expr> {
    const { cells, rows } = this.lying
    return new Map([
      [cells.name, add(this.first, loopVar('vj'))],
      ...(rows ? [[rows.name, add(this.firstRow, loopVar('pi'))] as const] : []),
    ])
  }

  /** The cell's statements over `pi` and `vj`, with tiles in place of what it stores, and all loops written out. */
  private inTiles(tiles: readonly Tile[]): readonly LoopStmt[] {
    const { body, cells } = this.lying,
      at = this.place
    const tileAt = (
      array: string,
      index: readonly Expr[],
    ): { readonly array: string; readonly index: readonly Expr[] } | undefined => {
      const tile = tiles.find((t) => t.of.array.name === array),
        place = tile && placeIn(tile.of, array, index, cells.name)
      return tile && place !== undefined
        ? { array: tile.registers.name, index: [add(mul(loopVar('vj'), int(tile.of.step)), int(place))] }
        : undefined
    }
    const inTile = (e: Expr): Expr =>
      rewriteExpr(e, (x) => {
        const to = x.kind === 'read' ? tileAt(x.array, x.index) : undefined
        return x.kind === 'read' && to ? { ...x, ...to } : undefined
      })
    const read = new Set(readsIn(body).map((r) => r.array))
    return mapBody(
      body.map((s) => mapStmtExprs(s, inTile)),
      (s): readonly LoopStmt[] | undefined => {
        const tile = s.kind === 'store' ? tiles.find((t) => t.of.array.name === s.array) : undefined
        if (s.kind === 'loop') return [{ ...s, bind: unroll }]
        return s.kind === 'store' && tile
          ? [
              {
                ...s,
                ...tileAt(s.array, s.index)!,
                value: read.has(s.array) ? narrowed(s.value, tile.of.array.type) : s.value,
              },
            ]
          : undefined // it is its own cell's
      },
    ).map((s) => substituteStmt(s, at))
  }

  /**
   * Sums over windows that need nothing else that the cell has made before, for all cells together, and the other
   * statements.
   */
  private sumsApart(body: readonly LoopStmt[]): {
    readonly sums: readonly WindowSum[]
    readonly rest: readonly LoopStmt[]
  } {
    const own = new Set<string>([...this.lying.stored.map((s) => s.array.name)]),
      sums: WindowSum[] = []
    eachStmt(body, (s) => {
      if (s.kind === 'declare' || s.kind === 'store') own.add(s.kind === 'declare' ? s.array.name : s.array)
    })
    const gone = new Set<LoopStmt>(),
      by = new Map<string, string>()
    for (const s of body) {
      const sum = s.kind === 'declare' && s.array.shape.length === 0 ? sumOf(s.array, body, own) : undefined
      if (!sum || s.kind !== 'declare') continue
      const into = this.registers(s.array.name, s.array.type, [this.rows, this.cells])
      sums.push({ into, loops: sum.loops, op: sum.op, init: sum.init, value: sum.value, guard: sum.guard })
      by.set(s.array.name, into.name)
      for (const x of [s, ...sum.stmts]) gone.add(x)
    }
    const at = this.loops.map((l) => loopVar(l.name)),
      inSums = (e: Expr): Expr =>
        rewriteExpr(e, (x) => {
          const into = x.kind === 'read' ? by.get(x.array) : undefined
          return x.kind === 'read' && into !== undefined ? { ...x, array: into, index: at } : undefined
        })
    const rest = body.filter((s) => !gone.has(s)).map((s) => mapStmtExprs(s, inSums))
    return { sums, rest }
  }

  /** What stands in several places of what is computed for a cell, once; `tiles` change meanwhile. */
  private once(body: readonly LoopStmt[], tiles: readonly Tile[]): readonly LoopStmt[] {
    const changing = new Set([...tiles.flatMap((t) => [t.registers.name, t.of.array.name]), ...readByChoice(body)]),
      made: ArrayDecl[] = []
    eachStmt(body, (s) => {
      if (s.kind === 'store' || s.kind === 'declare') changing.add(s.kind === 'store' ? s.array : s.array.name)
    })
    const mayDiffer = (x: Expr): boolean =>
      x.kind === 'read' ? changing.has(x.array) : x.kind === 'op' && (x.op === 'div' || x.op === 'rem')
    const shareable = (e: Expr): boolean => e.type !== 'bool' && readsArray(e) && !someExpr(e, mayDiffer)
    const shared = sharedTerms(body, shareable, (type) => {
      const a = this.registers('term', type, [])
      made.push(a)
      return a
    })
    return [...made.map((array): LoopStmt => ({ kind: 'declare', array })), ...shared]
  }

  // ── what is stored ──────────────────────────────────────────────────────────────────────────────────────────────

  /** First element of the row that is the thread's. */
  private base({ step, first }: SubwordStore): Expr {
    return add(mul(this.first, int(step)), int(first))
  }

  private rowOf(s: SubwordStore): readonly Expr[] {
    return s.row.map((e) => substitute(e, this.place))
  }

  private opened({ of: s, registers, words }: Tile, body: readonly LoopStmt[]): readonly LoopStmt[] {
    const kept = !s.all || readsIn(body).some((r) => r.array === registers.name)
    if (!kept) return [{ kind: 'declare', array: registers }]
    const where = this.where(),
      clamped = s.row.map((e) => substitute(substitute(e, this.place), where.inside))
    const loads = Array.from({ length: words }, (_, m) =>
      this.lanesOf((v) =>
        store(
          registers,
          [add(int(m * vectorElements), v)],
          this.read(s.array, [
            ...clamped,
            add(
              op('min', [add(this.base(s), int(m * vectorElements)), sub(s.array.shape.at(-1)!, int(vectorElements))]),
              v,
            ),
          ]),
        ),
      ),
    )
    return [{ kind: 'declare', array: registers }, ...loads]
  }

  private show({ registers, words }: Tile, shown: ArrayDecl): readonly LoopStmt[] {
    const place = (m: number): Expr =>
      add(mul(loopVar('thread_j'), int(words * vectorElements)), int(m * vectorElements))
    return Array.from({ length: words }, (_, m) =>
      this.lanesOf((v) =>
        store(shown, [this.shownRow(), add(place(m), v)], this.read(registers, [add(int(m * vectorElements), v)])),
      ),
    )
  }

  /** The row in workgroup memory. */
  private shownRow(): Expr {
    return this.lying.rows ? add(mul(loopVar('thread_i'), int(this.rows)), loopVar('pi')) : int(0)
  }

  /**
   * Stores the words of a row: the thread's own, or of those shown every one that comes after as many as there are
   * threads.
   */
  private closed({ of: s, registers, words, shown }: Tile): readonly LoopStmt[] {
    const row = this.rowOf(s),
      { cells, shift } = this.lying,
      extent = s.array.shape.at(-1)!,
      tx = this.p.tx,
      from0 = s.first - s.step * shift
    const place = (m: number): Expr =>
      shown ? add(mul(loopVar('thread_j'), int(vectorElements)), int(m * tx * vectorElements)) : int(m * vectorElements)
    const base = shown ? add(mul(loopVar('block_j'), int(tx * words * vectorElements)), int(from0)) : this.base(s),
      at = (m: number): Expr => add(base, place(m))
    const from = (m: number, v: Expr): Expr =>
      shown ? this.read(shown, [this.shownRow(), add(place(m), v)]) : this.read(registers, [add(place(m), v)])
    const cellOf = (m: number, v: Expr): Expr =>
      shown
        ? sub(div(add(sub(at(m), int(from0)), v), s.step), int(shift))
        : add(this.first, div(add(int(m * vectorElements), v), s.step))
    const all = (f: (m: number) => readonly LoopStmt[]): readonly LoopStmt[] =>
      Array.from({ length: words }, (_, m) => f(m)).flat()
    const put = (m: number): readonly LoopStmt[] => [
      this.lanesOf((v) => store(s.array, [...row, add(at(m), v)], from(m, v))),
    ]
    const there = (m: number, body: readonly LoopStmt[]): LoopStmt =>
      when(
        this.isFilled(s) ? lt(at(m), extent) : op('land', [lt(at(m), extent), lt(cellOf(m, int(0)), cells.upper)]),
        body,
      )
    const edge = (m: number): readonly LoopStmt[] => {
      const old = this.registers(`${s.array.name.toLowerCase()}_there`, s.array.type, [vectorElements]),
        mine = (v: Expr): Expr => op('land', [op('ge', [cellOf(m, v), int(0)]), lt(cellOf(m, v), cells.upper)])
      return [
        { kind: 'declare', array: old },
        this.lanesOf((v) => store(old, [v], this.read(s.array, [...row, add(at(m), v)]))),
        this.lanesOf((v) =>
          store(s.array, [...row, add(at(m), v)], op('select', [mine(v), from(m, v), this.read(old, [v])])),
        ),
      ]
    }
    const inside = (m: number): Expr =>
      op('land', [op('ge', [cellOf(m, int(0)), int(0)]), lt(cellOf(m, int(vectorElements - 1)), cells.upper)])
    const body =
      this.whole && !shown
        ? all(put)
        : all((m) => [there(m, this.isFilled(s) ? put(m) : [when(inside(m), put(m), edge(m))])])
    return this.rows > 1 || shown ? [when(this.rowIsThere(), body)] : body
  }

  private rowIsThere(): Expr {
    const { rows } = this.lying
    return rows ? lt(add(this.firstRow, loopVar('pi')), rows.upper) : constant('bool', 1)
  }

  /** Whether the cells of a row are all elements of a row, so that no word is shared with what is around. */
  private isFilled(s: SubwordStore): boolean {
    const count = affineOf(this.lying.cells.upper),
      extent = affineOf(s.array.shape.at(-1)!)
    return (
      this.lying.shift === 0 &&
      s.first === 0 &&
      count !== undefined &&
      extent !== undefined &&
      sameAffine(addScaled(affineConstant(0), count, s.step), extent)
    )
  }

  private lanesOf(f: (v: Expr) => LoopStmt): LoopStmt {
    return loop('vv', int(vectorElements), [f(loopVar('vv'))], { bind: vector })
  }

  private read(a: ArrayDecl, index: readonly Expr[]): Expr {
    return { kind: 'read', type: registerType(a.type), array: a.name, index }
  }

  // ── what is inside ──────────────────────────────────────────────────────────────────────────────────────────────

  private where(): Where {
    const { lying } = this,
      { program, cells, rows, shift } = lying
    const domain = [...lying.others, ...this.outer()].reduce(
      (d, l) => insideLoop(d, l),
      sizeDomain(program),
    ).constraints
    const last = this.lastTile(),
      row = rows && affineOf(rows.upper)
    // linear in blocks and threads
    const less = (a: Affine, e: Expr): Constraint => ({ form: addScaled(a, affineOf(e)!, -1) })
    const known = [
      ...domain,
      ...(last ? [less(last, mul(this.tile, int(this.cells)))] : []),
      ...(row ? [less(addScaled(row, affineConstant(-1), 1), this.firstRow)] : []),
    ]
    const end = sub(cells.upper, int(1)),
      here = add(this.first, loopVar('vj')),
      there = add(this.firstRow, loopVar('pi'))
    const cell = op('min', [shift === 0 ? here : op('max', [here, int(0)]), end])
    const inside = new Map<string, Expr>([
      ...(this.whole ? [] : [['vj', sub(cell, this.first)] as const]),
      ...(rows && this.rows > 1
        ? [['pi', sub(op('min', [there, sub(rows.upper, int(1))]), this.firstRow)] as const]
        : []),
    ])
    return { inside, known }
  }

  /** A form that `tile × cells` does not exceed where the tile has a cell. */
  private lastTile(): Affine | undefined {
    const { cells, shift, multiples } = this.lying,
      end = affineOf(cells.upper)
    if (!end) return undefined
    const by = [this.cells, vectorElements].find((n) => inSteps(end, n, multiples)) ?? 1
    return { ...end, constant: Math.floor((end.constant + shift - 1) / by) * by }
  }
}

/** `a = init; for loops: a = a ∘ value` among the statements, if nothing else sets it and it uses nothing of `own`. */
function sumOf(
  a: ArrayDecl,
  body: readonly LoopStmt[],
  own: ReadonlySet<string>,
): (Omit<WindowSum, 'into'> & { readonly stmts: readonly LoopStmt[] }) | undefined {
  const using = body.filter((s) => s.kind !== 'declare' && stores([s]).some((x) => x.array === a.name)),
    [first, outer] = using
  if (using.length !== 2 || first?.kind !== 'store' || first.reduce || outer?.kind !== 'loop') return undefined
  const { loops, body: inner } = perfectNest(outer),
    {
      guard,
      body: [update, more],
    } = peelGuard(inner),
    condition = conjunction(guard)
  if (update?.kind !== 'store' || more || !update.reduce || readsIn([first, outer]).some((r) => own.has(r.array)))
    return undefined
  return { stmts: [first, outer], loops, op: update.reduce, init: first.value, value: update.value, guard: condition }
}

function stores(body: readonly LoopStmt[]): readonly Store[] {
  const out: Store[] = []
  eachStmt(body, (s) => {
    if (s.kind === 'store') out.push(s)
  })
  return out
}

/** What memory of the type gives back of a value that is stored there. */
function narrowed(value: Expr, type: MemoryType): Expr {
  const bits = 8 * bytesOf[type]
  if (bits >= 32 || isFloat(type)) return value
  if (!isSigned(type)) return op('and', [value, constant(value.type, 2 ** bits - 1)])
  return op('shr', [op('shl', [value, constant(value.type, 32 - bits)]), constant(value.type, 32 - bits)])
}
