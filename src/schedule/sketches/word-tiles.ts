// The kernel of whole words. In: nests whose cells lie on words, and a point: `words` cells of each of `rows` rows for a thread. Out:
// the scheduled kernel. First all words around what the thread reads are loaded, at once and behind no branch (`word-windows.ts`), then
// everything is computed in registers, then words are stored; those with elements that are not the thread's keep these as they were.
// Right where rows of all arrays concerned are so many words.
import {
  add, addScaled, affineConstant, affineOf, ceilDiv, constant, div, insideLoop, int, isFloat, isSigned, loop, loopVar, lt, mul, op, registerType, sameAffine, sizeDomain, store, sub, when, bytesOf,
  type Affine, type ArrayDecl, type Constraint, type Expr, type Loop, type LoopStmt, type MemoryType, type Names,
} from '../../ir/index.ts'
import type { Nest } from '../part.ts'
import { claimName, conjunction, eachExpr, mapExpr, namesOf, nest as wrap, substitute } from '../tree.ts'
import { sharedTerms } from '../shared-terms.ts'
import { block, threads, unroll, vector, type Point, type Scheduled } from './sketch.ts'
import { windowSums, type WindowSum } from './word-sums.ts'
import { Windows, type Where } from './word-windows.ts'
import { inSteps, lanes, placeIn, type Lying, type Stored } from './words.ts'

export const wordTiles = (lying: Lying, p: Point): Scheduled => new Writer(lying, p).scheduled()

/** Of a nest, over `pi` and `vj`: its sum with an accumulator for each cell, and its result. */
interface Parts {
  readonly guard: Expr | undefined
  readonly sum: WindowSum | undefined
  readonly value: Expr
}

/** Registers for what a thread stores of one row of an array. */
interface Tile { readonly of: Stored; readonly registers: ArrayDecl; readonly words: number }

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

  constructor(private readonly lying: Lying, private readonly p: Point) {
    const { program, nests, cells, rows, shift, multiples } = lying, count = affineOf(cells.upper)
    this.cells = p['words']!
    this.rows = rows ? p['rows']! : 1 // points have them
    this.names = namesOf(program)
    nests.forEach((n) => [...n.parallel, ...(n.reduction?.loops ?? []), ...(n.reduction ? [n.reduction.into] : [])].forEach((x) => this.names.add(x.name)))
    this.tile = add(mul(loopVar('block_j'), int(p['tx']!)), loopVar('thread_j'))
    this.first = add(mul(this.tile, int(this.cells)), int(-shift))
    this.firstRow = mul(add(mul(loopVar('block_i'), int(p['ty']!)), loopVar('thread_i')), int(this.rows))
    this.tiles = ceilDiv(add(cells.upper, int(shift)), this.cells)
    this.whole = shift === 0 && count !== undefined && inSteps(count, this.cells, multiples) && count.constant % this.cells === 0
    this.loops = [loop('pi', int(this.rows), [], { bind: unroll }), loop('vj', int(this.cells), [], { bind: unroll })]
  }

  scheduled(): Scheduled {
    const { lying, p } = this, rows = lying.rows, all = this.outer()
    const asked = conjunction([lt(this.tile, this.tiles), ...(rows ? [lt(this.firstRow, rows.upper)] : [])])! // one at least
    const inner = wrap(all.filter((l) => l.bind.kind === 'thread'), [when(asked, this.work())])
    const body = wrap([...lying.others.map((l): Loop => ({ ...l, bind: block('z') })), ...all.filter((l) => l.bind.kind === 'block')], inner)
    const each = `${this.cells} neighbours${this.rows > 1 ? ` of ${this.rows} rows` : ''} each`
    return {
      program: { ...lying.program, body }, name: lying.program.name, shapes: lying.shapes,
      steps: [`${p['tx']}${rows ? ` × ${p['ty']}` : ''} threads per block, ${each}`, 'words are loaded and stored whole, and taken apart in registers'],
    }
  }

  /** Block and thread loops. */
  private outer(): readonly Loop[] {
    const { p } = this, { rows } = this.lying, ty = p['ty']!, tx = p['tx']! // points have them
    const of = (name: string, extent: Expr, bind: Loop['bind']): Loop => loop(name, extent, [], { bind })
    const down = rows ? [of('block_i', ceilDiv(rows.upper, this.rows * ty), block('y'))] : [], inside = rows ? [of('thread_i', int(ty), threads(tx))] : []
    return [...down, of('block_j', ceilDiv(this.tiles, tx), block('x')), ...inside, of('thread_j', int(tx), threads(1))]
  }

  private work(): readonly LoopStmt[] {
    const { lying } = this, tiles = lying.stored.map((s): Tile => {
      const words = (this.cells * s.step) / lanes
      return { of: s, words, registers: this.registers(`${s.array.name.toLowerCase()}_whole`, s.array.type, [words * lanes]) }
    })
    const parts = lying.nests.map((n) => this.partsOf(n, tiles)), windows = new Windows(lying, this.where(), (name, type, shape) => this.registers(name, type, shape))
    parts.forEach((x) => { const loops = [...this.loops, ...(x.sum?.loops ?? [])]; expressionsOf(x).forEach((e) => windows.note(e, loops)) })
    const fills = windows.fills(), f = (e: Expr): Expr => windows.inRegisters(e)
    const sums = parts.flatMap(({ sum }) => (sum ? windowSums({ ...sum, init: f(sum.init), value: f(sum.value), guard: sum.guard && f(sum.guard) }, this.loops, (name, type, shape) => this.registers(name, type, shape)) : []))
    const values = this.once(lying.nests.flatMap((n, k) => this.results(n, parts[k]!, parts, tiles, f)), tiles) // as many
    const [over, cells] = this.loops, inRow = [...tiles.flatMap((t) => this.opened(t, parts)), { ...cells!, body: values }, ...tiles.flatMap((t) => this.closed(t))] // two
    return [...fills, ...sums, { ...over!, body: inRow }]
  }

  private registers(name: string, type: MemoryType, shape: readonly number[]): ArrayDecl {
    return { name: claimName(this.names, name), type: registerType(type) as MemoryType, shape: shape.map(int), role: 'temp', space: 'private' } // no element is a truth value
  }

  // ── what is computed ────────────────────────────────────────────────────────────────────────────────────────────

  /** The cell's own element in place of the loops' variables. */
  private get place(): ReadonlyMap<string, Expr> {
    const { cells, rows } = this.lying
    return new Map([[cells.name, add(this.first, loopVar('vj'))], ...(rows ? [[rows.name, add(this.firstRow, loopVar('pi'))] as const] : [])])
  }

  private partsOf(n: Nest, tiles: readonly Tile[]): Parts {
    const r = n.reduction, into = r && this.registers(r.into.name, r.into.type, [this.rows, this.cells]), at = this.place
    const own = (e: Expr): Expr => mapExpr(e, (x) => {
      if (x.kind !== 'read') return undefined
      if (into && x.array === r.into.name) return { ...x, array: into.name, index: [loopVar('pi'), loopVar('vj')] }
      const tile = tiles.find((t) => t.of.array.name === x.array), place = tile && placeIn(tile.of, x, this.lying.cells.name)
      return tile && place !== undefined ? { ...x, array: tile.registers.name, index: [add(mul(loopVar('vj'), int(tile.of.step)), int(place))] } : undefined
    })
    const f = (e: Expr): Expr => substitute(own(e), at), loops = r?.loops.map((l): Loop => ({ ...l, bind: unroll })) ?? []
    return { guard: n.guard && f(n.guard), value: f(n.out.value), sum: r && into && { into, loops, op: r.op, init: f(r.init), value: f(r.value), guard: r.guard && f(r.guard) } }
  }

  private results(n: Nest, parts: Parts, all: readonly Parts[], tiles: readonly Tile[], f: (e: Expr) => Expr): readonly LoopStmt[] {
    const tile = tiles.find((t) => t.of.array.name === n.out.array.name)!, { step, first, array } = tile.of // every stored array has one
    const place = affineOf(n.out.index.at(-1)!)!.constant - first // linear, or it would not lie on words
    const value = f(parts.value), read = all.some((x) => expressionsOf(x).some((e) => mentions(e, tile.registers.name)))
    const put = store(tile.registers, [add(mul(loopVar('vj'), int(step)), int(place))], read ? narrowed(value, array.type) : value)
    return parts.guard ? [when(f(parts.guard), [put])] : [put]
  }

  /** What stands in several places of what is computed for a cell, once; `tiles` change meanwhile. */
  private once(body: readonly LoopStmt[], tiles: readonly Tile[]): readonly LoopStmt[] {
    const memory = new Set(this.lying.program.arrays.map((a) => a.name)), changing = new Set(tiles.map((t) => t.registers.name)), made: ArrayDecl[] = []
    const shareable = (e: Expr): boolean => {
      let ok = e.type !== 'bool', reads = false
      eachExpr(e, (x) => { if (x.kind === 'read') { reads = true; ok &&= !memory.has(x.array) && !changing.has(x.array) } else if (x.kind === 'op' && (x.op === 'div' || x.op === 'rem')) ok = false })
      return ok && reads
    }
    const shared = sharedTerms(body, shareable, (type) => { const a = this.registers('term', type, []); made.push(a); return a })
    return [...made.map((array): LoopStmt => ({ kind: 'declare', array })), ...shared]
  }

  // ── what is stored ──────────────────────────────────────────────────────────────────────────────────────────────

  /** First element of the row that is the thread's. */
  private base({ step, first }: Stored): Expr { return add(mul(this.first, int(step)), int(first)) }

  private rowOf(s: Stored): readonly Expr[] { return s.row.map((e) => substitute(e, this.place)) }

  private opened({ of: s, registers, words }: Tile, parts: readonly Parts[]): readonly LoopStmt[] {
    const kept = s.places.size < s.step || parts.some((x, k) => (x.guard !== undefined && this.lying.nests[k]!.out.array.name === s.array.name) || expressionsOf(x).some((e) => mentions(e, registers.name)))
    if (!kept) return [{ kind: 'declare', array: registers }]
    const where = this.where(), clamped = s.row.map((e) => substitute(substitute(e, this.place), where.inside))
    const loads = Array.from({ length: words }, (_, m) => this.lanesOf((v) => store(registers, [add(int(m * lanes), v)], this.read(s.array, [...clamped, add(op('min', [add(this.base(s), int(m * lanes)), sub(s.array.shape.at(-1)!, int(lanes))]), v)]))))
    return [{ kind: 'declare', array: registers }, ...loads]
  }

  private closed(t: Tile): readonly LoopStmt[] {
    const { of: s, registers, words } = t, row = this.rowOf(s), base = this.base(s), extent = s.array.shape.at(-1)!
    const at = (m: number): Expr => add(base, int(m * lanes)), from = (m: number, v: Expr): Expr => this.read(registers, [add(int(m * lanes), v)])
    const all = (f: (m: number) => readonly LoopStmt[]): readonly LoopStmt[] => Array.from({ length: words }, (_, m) => f(m)).flat()
    const put = (m: number): readonly LoopStmt[] => [this.lanesOf((v) => store(s.array, [...row, add(at(m), v)], from(m, v)))]
    const { cells, rows } = this.lying, there = (m: number, body: readonly LoopStmt[]): LoopStmt => when(lt(at(m), extent), body)
    const edge = (m: number): readonly LoopStmt[] => {
      const old = this.registers(`${s.array.name.toLowerCase()}_there`, s.array.type, [lanes])
      const mine = (v: Expr): Expr => { const c = add(this.first, div(add(int(m * lanes), v), s.step)); return op('land', [op('ge', [c, int(0)]), lt(c, cells.upper)]) }
      return [there(m, [{ kind: 'declare', array: old }, this.lanesOf((v) => store(old, [v], this.read(s.array, [...row, add(at(m), v)]))),
        this.lanesOf((v) => store(s.array, [...row, add(at(m), v)], op('select', [mine(v), from(m, v), this.read(old, [v])])))])]
    }
    const inside = op('land', [op('ge', [this.first, int(0)]), op('le', [add(this.first, int(this.cells)), cells.upper])])
    const body = this.whole ? all(put) : this.isFilled(s) ? all((m) => [there(m, put(m))]) : [when(inside, all(put), all(edge))]
    return this.rows > 1 ? [when(lt(add(this.firstRow, loopVar('pi')), rows!.upper), body)] : body // several rows are some loop's
  }

  /** Whether the cells of a row are all elements of a row, so that no word is shared with what is around. */
  private isFilled(s: Stored): boolean {
    const count = affineOf(this.lying.cells.upper), extent = affineOf(s.array.shape.at(-1)!)
    return this.lying.shift === 0 && s.first === 0 && count !== undefined && extent !== undefined && sameAffine(addScaled(affineConstant(0), count, s.step), extent)
  }

  private lanesOf(f: (v: Expr) => LoopStmt): LoopStmt { return loop('vv', int(lanes), [f(loopVar('vv'))], { bind: vector }) }

  private read(a: ArrayDecl, index: readonly Expr[]): Expr { return { kind: 'read', type: registerType(a.type), array: a.name, index } }

  // ── what is inside ──────────────────────────────────────────────────────────────────────────────────────────────

  private where(): Where {
    const { lying } = this, { program, cells, rows, shift } = lying, names: Names = { next: 0 }
    const domain = [...lying.others, ...this.outer()].reduce((d, l) => insideLoop(d, l, names), sizeDomain(program)).constraints
    const last = this.lastTile(), row = rows && affineOf(rows.upper)
    const less = (a: Affine, e: Expr): Constraint => ({ form: addScaled(a, affineOf(e)!, -1) }) // linear in blocks and threads
    const known = [...domain, ...(last ? [less(last, mul(this.tile, int(this.cells)))] : []), ...(row ? [less(addScaled(row, affineConstant(-1), 1), this.firstRow)] : [])]
    const end = sub(cells.upper, int(1)), here = add(this.first, loopVar('vj')), there = add(this.firstRow, loopVar('pi'))
    const cell = op('min', [shift === 0 ? here : op('max', [here, int(0)]), end])
    const inside = new Map<string, Expr>([
      ...(this.whole ? [] : [['vj', sub(cell, this.first)] as const]), ...(rows && this.rows > 1 ? [['pi', sub(op('min', [there, sub(rows.upper, int(1))]), this.firstRow)] as const] : [])])
    return { inside, known }
  }

  /** A form that `tile × cells` does not exceed where the tile has a cell. */
  private lastTile(): Affine | undefined {
    const { cells, shift, multiples } = this.lying, end = affineOf(cells.upper)
    if (!end) return undefined
    const by = [this.cells, lanes].find((n) => inSteps(end, n, multiples)) ?? 1
    return { ...end, constant: Math.floor((end.constant + shift - 1) / by) * by }
  }
}

const expressionsOf = ({ guard, sum, value }: Parts): readonly Expr[] => [...(guard ? [guard] : []), ...(sum ? [sum.init, sum.value, ...(sum.guard ? [sum.guard] : [])] : []), value]

function mentions(e: Expr, array: string): boolean {
  let hit = false
  eachExpr(e, (x) => { if (x.kind === 'read' && x.array === array) hit = true })
  return hit
}

/** What memory of the type gives back of a value that is stored there. */
function narrowed(value: Expr, type: MemoryType): Expr {
  const bits = 8 * bytesOf[type]
  if (bits >= 32 || isFloat(type)) return value
  if (!isSigned(type)) return op('and', [value, constant(value.type, 2 ** bits - 1)])
  return op('shr', [op('shl', [value, constant(value.type, 32 - bits)]), constant(value.type, 32 - bits)])
}
