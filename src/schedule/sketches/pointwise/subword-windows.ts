// Windows of whole words. In: what a thread computes, over its rows `pi`, its cells `vj` and loops that are written
// out. Out: the words around all that it reads along its cells, loaded first, and its expressions with registers in
// place of those reads. The one idea: where a word is outside of its array, the nearest inside is loaded in its place,
// as nothing that counts reads it, and so no load waits behind a branch; where subscripts clamp, mirror or wrap, a word
// outside is what they say, which threads at the borders alone ask for. Everything else is read where it stands, at the
// nearest cell that there is.
import { applied, isInapplicable } from '../../../base/index.ts'
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  implies,
  int,
  isNonNegative,
  loop,
  loopVar,
  op,
  registerType,
  sub,
  when,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type Loop,
  type LoopStmt,
  type MemoryType,
  someExpr,
  exprKey,
  rewriteExpr,
  substitute,
} from '../../../ir/index.ts'
import { elementAt, footprintOf, offsetIn, readSites, type Footprint, type ReadSite } from '../../../analysis/index.ts'
import { vector } from '../sketch.ts'
import { inSteps, vectorElements, type Lying } from './subword-layout.ts'

/** Where the thread is. */
export interface Where {
  /** In place of `pi` and `vj`: the nearest row and cell that there are. */
  readonly inside: ReadonlyMap<string, Expr>
  /** What holds of blocks, threads and sizes. */
  readonly known: readonly Constraint[]
}

/** Registers of one window at most. */
const mostRegisters = 320,
  mostStill = 32
/** Elements from one cell to the next at most. */
const widestStep = 4

/**
 * What is loaded: so many words from `before` elements before the box on, or (`words` is 0) the elements themselves,
 * which all cells read.
 */
interface Window {
  readonly array: ArrayDecl
  readonly box: Footprint
  readonly registers: ArrayDecl
  readonly before: number
  readonly words: number
}

export class Windows {
  private readonly noted: { readonly body: readonly LoopStmt[]; readonly loops: readonly Loop[] }[] = []
  private readonly places = new Map<Expr, Expr>()

  constructor(
    private readonly lying: Lying,
    private readonly where: Where,
    private readonly registers: (name: string, type: MemoryType, shape: readonly number[]) => ArrayDecl,
  ) {}

  /** Says that `body` is done in `loops`. */
  note(body: readonly LoopStmt[], loops: readonly Loop[]): void {
    this.noted.push({ body, loops })
  }

  /** Loads of everything that was noted and is read along cells. */
  fills(): readonly LoopStmt[] {
    const stored = new Set(this.lying.stored.map((s) => s.array.name))
    return this.lying.program.arrays
      .filter((a) => !stored.has(a.name) && a.shape.length > 0)
      .flatMap((a) => this.windowsOf(a))
      .flatMap((w) => this.fill(w))
  }

  /** `e` with registers for what was loaded. */
  inRegisters(e: Expr): Expr {
    return rewriteExpr(e, (x) => {
      if (x.kind === 'choose' && this.isCheap(x.then) && this.isCheap(x.else))
        return op('select', [x.condition, x.then, x.else])
      if (x.kind !== 'read') return undefined
      return (
        this.places.get(x) ??
        (this.lying.program.arrays.some((a) => a.name === x.array)
          ? { ...x, index: x.index.map((i) => substitute(i, this.where.inside)) }
          : undefined)
      )
    })
  }

  /** Whether it may be computed where it is not wanted, too: no memory is read, nothing divided. */
  private isCheap(e: Expr): boolean {
    return !someExpr(
      e,
      (x) =>
        x.kind === 'choose' ||
        (x.kind === 'op' && (x.op === 'div' || x.op === 'rem')) ||
        (x.kind === 'read' && this.lying.program.arrays.some((a) => a.name === x.array)),
    )
  }

  // ── which windows there are ─────────────────────────────────────────────────────────────────────────────────────

  private windowsOf(array: ArrayDecl): readonly Window[] {
    const groups = new Map<string, ReadSite[]>()
    for (const s of this.sitesOf(array)) {
      const key = s.dims
        .map(
          (d) => `${exprKey(affineExpr({ constant: 0, terms: d.outer.terms }))} ${d.through ? exprKey(d.through) : ''}`,
        )
        .join()
      groups.set(key, [...(groups.get(key) ?? []), s])
    }
    return [...groups.values()].flatMap((sites) => this.windowOf(array, sites) ?? [])
  }

  /** None where some index is no linear form. */
  private sitesOf(array: ArrayDecl): readonly ReadSite[] {
    const found: ReadSite[] = []
    for (const { body, loops } of this.noted) {
      const sites = readSites(array.name, body, loops, true)
      if (isInapplicable(sites)) return []
      found.push(...sites)
    }
    return found
  }

  /**
   * The words around reads that move with cells; `undefined` where they do not lie on words, or the array may have
   * none.
   */
  private windowOf(array: ArrayDecl, sites: readonly ReadSite[]): Window | undefined {
    const { multiples } = this.lying,
      box = applied(footprintOf(array, sites)),
      last = array.shape.length - 1,
      base = box.base[last]!,
      extent = affineOf(array.shape[last]!)
    const step = Math.max(...sites.map((s) => s.dims[last]!.inner.terms.get('vj') ?? 0)),
      still = sites.some((s) => (s.dims[last]!.inner.terms.get('vj') ?? 0) !== step)
    if (!array.shape.every((e) => isNonNegative(sub(e, int(1)), this.where.known))) return undefined
    if (sites.every((s) => s.dims.every((d) => !d.inner.terms.has('vj') && !d.inner.terms.has('pi'))))
      return this.kept(array, box, { before: 0, words: 0 })
    if (box.through[last] && !this.isPlainInside(box, array.shape[last]!)) return undefined
    if (
      step < 1 ||
      step > widestStep ||
      still ||
      !extent ||
      !inSteps(base, vectorElements, multiples) ||
      !inSteps(extent, vectorElements, multiples) ||
      extent.constant % vectorElements !== 0
    )
      return undefined
    const before = ((base.constant % vectorElements) + vectorElements) % vectorElements
    return this.kept(array, box, { before, words: Math.ceil((before + box.extents[last]!) / vectorElements) })
  }

  /** Whether what subscripts do with a place that is inside of the row is nothing. */
  private isPlainInside(box: Footprint, extent: Expr): boolean {
    const end = affineOf(extent)
    if (!end) return false // what bounds a subscript at data or at the greater of two has no linear end
    const last = box.through.length - 1
    const at = affineName('@inside')
    const place = loopVar('@inside')
    const element = elementAt(box, last, place)
    const beforeEnd = addScaled(addScaled(end, at, -1), affineConstant(-1), 1)
    const known = [...this.where.known, { form: at }, { form: beforeEnd }]
    return isNonNegative(sub(element, place), known) && isNonNegative(sub(place, element), known)
  }

  /** Registers for the box, which reads are of from now on; `undefined` where they would be too many. */
  private kept(
    array: ArrayDecl,
    box: Footprint,
    { before, words }: Pick<Window, 'before' | 'words'>,
  ): Window | undefined {
    const last = array.shape.length - 1,
      extents = words === 0 ? box.extents : [...box.extents.slice(0, -1), words * vectorElements]
    if (extents.reduce((a, b) => a * b, 1) > (words === 0 ? mostStill : mostRegisters)) return undefined
    const registers = this.registers(`${array.name.toLowerCase()}_near`, array.type, extents)
    for (const s of box.sites) {
      const offset = offsetIn(box, s)
      this.places.set(s.read, {
        kind: 'read',
        type: s.read.type,
        array: registers.name,
        index: [...offset.slice(0, -1), add(offset[last]!, int(before))],
      })
    }
    return { array, box, registers, before, words }
  }

  // ── how they are loaded ─────────────────────────────────────────────────────────────────────────────────────────

  private fill(w: Window): readonly LoopStmt[] {
    if (w.words === 0) return this.filled(w)
    const { array, box, registers, before, words } = w,
      last = array.shape.length - 1,
      rows = rowsOf(box.extents.slice(0, -1))
    const first = addScaled(box.base[last]!, affineConstant(-before), 1),
      through = box.through[last]
    const rowAt = rows.map((r) =>
      r.map((n, d) =>
        this.held(elementAt(box, d, affineExpr(addScaled(box.base[d]!, affineConstant(n), 1))), array.shape[d]!),
      ),
    )
    const lane = loopVar('vv'),
      read = (index: readonly Expr[]): Expr => ({
        kind: 'read',
        type: registerType(array.type),
        array: array.name,
        index,
      })
    const put = (r: readonly number[], place: Expr, value: Expr): LoopStmt => ({
      kind: 'store',
      array: registers.name,
      index: [...r.map(int), place],
      reduce: null,
      value,
    })
    const loads = rows.flatMap((r, n) =>
      Array.from({ length: words }, (_, m): LoopStmt => {
        const at = this.wordAt(addScaled(first, affineConstant(m * vectorElements), 1), array.shape[last]!)
        return loop(
          'vv',
          int(vectorElements),
          [put(r, add(int(m * vectorElements), lane), read([...rowAt[n]!, add(at, lane)]))],
          {
            bind: vector,
          },
        ) // as many rows
      }),
    )
    const borders =
      through === undefined
        ? []
        : Array.from({ length: words }, (_, m) => m).flatMap((m): readonly LoopStmt[] => {
            const at = addScaled(first, affineConstant(m * vectorElements), 1),
              asked = this.outside(at, array.shape[last]!)
            const used = Array.from({ length: vectorElements }, (_, v) => m * vectorElements + v).filter(
              (e) => e >= before && e < before + box.extents[last]!,
            )
            const lane = (e: number): Expr =>
              this.held(elementAt(box, last, affineExpr(addScaled(first, affineConstant(e), 1))), array.shape[last]!)
            return asked
              ? [
                  when(
                    asked,
                    rows.flatMap((r, n) => used.map((e) => put(r, int(e), read([...rowAt[n]!, lane(e)])))),
                  ),
                ]
              : [] // as many rows
          })
    return [{ kind: 'declare', array: registers }, ...loads, ...borders]
  }

  /** Elements that all cells read. */
  private filled({ array, box, registers }: Window): readonly LoopStmt[] {
    const loads = rowsOf(box.extents).map((r): LoopStmt => {
      const index = r.map((n, d) =>
        this.held(elementAt(box, d, affineExpr(addScaled(box.base[d]!, affineConstant(n), 1))), array.shape[d]!),
      ) // of every dimension
      return {
        kind: 'store',
        array: registers.name,
        index: r.map(int),
        reduce: null,
        value: { kind: 'read', type: registerType(array.type), array: array.name, index },
      }
    })
    return [{ kind: 'declare', array: registers }, ...loads]
  }

  /** First element of the word, or of the nearest one in a row of `extent`. */
  private wordAt(at: Affine, extent: Expr): Expr {
    const low = this.isAtLeast(at, 0) ? affineExpr(at) : op('max', [affineExpr(at), int(0)])
    return this.isBelow(at, extent) ? low : op('min', [low, sub(extent, int(vectorElements))])
  }

  /** When the word is outside of its row; `undefined`: never. */
  private outside(at: Affine, extent: Expr): Expr | undefined {
    const asked = [
      ...(this.isAtLeast(at, 0) ? [] : [op('lt', [affineExpr(at), int(0)])]),
      ...(this.isBelow(at, extent) ? [] : [op('ge', [affineExpr(at), extent])]),
    ]
    return asked.length === 0 ? undefined : asked.reduce((a, b) => op('lor', [a, b]))
  }

  /** Words begin at multiples of `vectorElements`, and rows end there. */
  private isAtLeast(at: Affine, n: number): boolean {
    return implies(this.where.known, addScaled(at, affineConstant(vectorElements - 1 - n), 1))
  }
  private isBelow(at: Affine, extent: Expr): boolean {
    return implies(this.where.known, addScaled(addScaled(affineOf(extent)!, at, -1), affineConstant(-1), 1))
  } // extents are linear

  /** The subscript, or the nearest inside of a dimension. */
  private held(e: Expr, extent: Expr): Expr {
    const low = isNonNegative(e, this.where.known) ? e : op('max', [e, int(0)]),
      last = sub(extent, int(1))
    return isNonNegative(sub(last, e), this.where.known) ? low : op('min', [low, last])
  }
}

/** All places of a box. */
const rowsOf = (extents: readonly number[]): readonly (readonly number[])[] =>
  extents.reduce<readonly (readonly number[])[]>(
    (all, n) => all.flatMap((r) => Array.from({ length: n }, (_, i) => [...r, i])),
    [[]],
  )
