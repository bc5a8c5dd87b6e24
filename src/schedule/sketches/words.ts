// Elements of one or two bytes: threads own whole words of what is stored, and load whole words of what they read, neighbours'
// included, which they take apart in registers. In: nests over the same loops. Out: how cells of a thread lie on words, and the
// points; `word-tiles.ts` writes the kernel. The one idea: a thread's tile of each array that is stored begins and ends between
// words, so that no word is shared, and what lies around it is so many words to the left and right.
import { add, addScaled, affineName, affineOf, bytesOf, coefficient, int, isFloat, literal, mul, type Affine, type ArrayDecl, type Expr, type Loop, type Program } from '../../ir/index.ts'
import { withShapes } from '../flat.ts'
import type { Nest } from '../part.ts'
import { constantExtent, eachExpr, exprKey, mapExpr, readsArray, sameExpr, substitute, uses, type Read } from '../tree.ts'
import { aligned, rowSizes, type Point, type Scheduled, type Sketch } from './sketch.ts'
import { wordTiles } from './word-tiles.ts'

/** Elements of one vector access. */
export const lanes = 4

/** What a thread stores of one array: of each row `step` × cells elements from `first` + `step` × (its first cell) on. */
export interface Stored {
  readonly array: ArrayDecl
  /** Subscripts of all dimensions but the last. */
  readonly row: readonly Expr[]
  readonly step: number
  readonly first: number
  /** Places among the `step` elements of a cell that are stored. */
  readonly places: ReadonlySet<number>
}

/** Nests whose cells lie on words. */
export interface Lying {
  readonly program: Program
  readonly nests: readonly Nest[]
  /** The loop over the cells of a row, the loop over rows that a thread may have several of, and all others. */
  readonly cells: Loop
  readonly rows: Loop | undefined
  readonly others: readonly Loop[]
  /** A thread's first cell is so many before a multiple of its cells. */
  readonly shift: number
  readonly stored: readonly Stored[]
  /** Extents as the kernel sees them, of arrays that it sees otherwise than the program. */
  readonly shapes: Readonly<Record<string, readonly Expr[]>>
  /** Sizes that are multiples of `lanes`. */
  readonly multiples: ReadonlySet<string>
}

/** Constant loops of so many iterations at most (the channels of a pixel) are nests of their own. */
const mostChannels = 4
/** Iterations of a window at most, which is written out. */
const largestWindow = 81

/** `sketch` with points whose threads own whole words, if the nests have bytes that lie so. */
export function withWords(program: Program, nests: readonly Nest[], sketch: Sketch): Sketch {
  const lying = lyingOf(program, nests), last = sketch.ladder.at(-1)
  if (!lying || !last) return sketch
  const sizes = Object.fromEntries([...lying.multiples].map((name) => [name, lanes])), requires = aligned(sizes), always = requires.length === 0
  const made = (p: Point): Scheduled => wordTiles(lying, p)
  const points = pointsOf(lying)
  return {
    ...sketch,
    ladder: [...sketch.ladder, { step: 'whole words: each thread loads, takes apart and stores words of its own', point: points[0]! }], // there are some
    space: [...sketch.space, ...points],
    build: (p) => (!p['words'] ? sketch.build(p) : always ? { program, kernels: [made(p)] } : { ...sketch.build(last.point), vectorSizes: sizes }),
    ...(always ? {} : { buildExact: (p: Point) => (p['words'] ? { program, kernels: [made(p)], vectorSizes: sizes, requires } : sketch.buildExact?.(p)) }),
  }
}

/** The likeliest first: a few rows where a window spans them. `exact` asks for the variant in which they stand. */
function pointsOf(lying: Lying): readonly Point[] {
  const at = (words: number, rows: number, tx: number, ty: number): Point => ({ words, rows, tx, ty, exact: 1 })
  const cells = [1, 2, 4, 8, 16].filter((n) => lying.stored.every((s) => (s.step * n) % lanes === 0)), few = cells.slice(0, 2)
  if (!lying.rows) return cells.slice(0, 3).flatMap((n) => [256, 128, 512].map((tx) => at(n, 1, tx, 1)))
  const deep = lying.nests.some((n) => n.reduction) || spansRows(lying)
  return (deep ? [4, 2, 8] : [1, 2, 4]).flatMap((rows) => few.flatMap((n) => [[32, 8], [32, 4], [64, 4]].map(([tx, ty]) => at(n, rows, tx!, ty!)))) // two each
}

/** Whether an array is read at several rows. */
function spansRows({ nests, rows }: Lying): boolean {
  const found = new Map<string, Set<string>>()
  nests.forEach((n) => readsOf(n).forEach((r) => { const row = r.index.slice(0, -1); if (rows && row.some((e) => uses(e, rows.name))) found.set(r.array, (found.get(r.array) ?? new Set()).add(row.map(exprKey).join())) }))
  return [...found.values()].some((keys) => keys.size > 1)
}

/** Every expression of a nest but the subscripts of what it stores. */
export const expressionsIn = (n: Nest): readonly Expr[] => [...(n.guard ? [n.guard] : []), ...(n.reduction ? [n.reduction.init, n.reduction.value, ...(n.reduction.guard ? [n.reduction.guard] : [])] : []), n.out.value]

export function readsOf(n: Nest): readonly Read[] {
  const out: Read[] = []
  expressionsIn(n).forEach((e) => eachExpr(e, (x) => { if (x.kind === 'read') out.push(x) }))
  return out
}

const isNarrow = (a: ArrayDecl): boolean => bytesOf[a.type] < 4 && !isFloat(a.type)

// ── how cells lie ─────────────────────────────────────────────────────────────────────────────────────────────────

function lyingOf(program: Program, given: readonly Nest[]): Lying | undefined {
  const used = new Set(given.flatMap((n) => [n.out.array.name, ...readsOf(n).map((r) => r.array)]))
  if (!program.arrays.some((a) => used.has(a.name) && isNarrow(a)) || given.some((n) => n.before || !n.parallel.every((l) => literal(l.lower) === 0 && l.step === 1) || (n.guard && readsArray(n.guard)) || !isWindow(n))) return undefined
  const apart = given.flatMap(channelsApart)
  return [...apart[0]!.parallel].reverse().map((cells) => lyingAlong(program, apart, cells)).find((l) => l !== undefined) // one nest at least
}

/** Whether its sum, if it has one, is over a small window. */
const isWindow = (n: Nest): boolean => !n.reduction || n.reduction.loops.reduce((all, l) => all * (literal(l.lower) === undefined ? Infinity : constantExtent(l) ?? Infinity), 1) <= largestWindow

/** Nests for each iteration of its innermost loop, if that is over the channels of a pixel. */
function channelsApart(n: Nest): readonly Nest[] {
  const last = n.parallel.at(-1), count = last && constantExtent(last)
  if (!last || n.parallel.length < 2 || count === undefined || count > mostChannels || n.reduction?.loops.some((l) => uses(l.lower, last.name) || uses(l.upper, last.name))) return [n]
  return Array.from({ length: count }, (_, c): Nest => {
    const f = (e: Expr): Expr => substitute(e, new Map([[last.name, int(c)]])), r = n.reduction
    return {
      ...n, parallel: n.parallel.slice(0, -1), guard: n.guard && f(n.guard), out: { ...n.out, index: n.out.index.map(f), value: f(n.out.value) },
      reduction: r && { ...r, init: f(r.init), value: f(r.value), guard: r.guard && f(r.guard) },
    }
  })
}

function lyingAlong(program: Program, given: readonly Nest[], cells: Loop): Lying | undefined {
  const { nests, shapes } = inRows(program, given, cells.name), head = nests[0]!, seen = { ...program, arrays: withShapes(program.arrays, shapes) } // one at least
  const used = new Set(nests.flatMap((n) => [n.out.array.name, ...readsOf(n).filter((r) => uses(r.index.at(-1) ?? int(0), cells.name)).map((r) => r.array)]))
  const multiples = new Set(Object.keys(rowSizes(seen.arrays.filter((a) => used.has(a.name)))))
  const arrays = [...new Set(nests.map((n) => n.out.array.name))].map((name) => seen.arrays.find((a) => a.name === name)!) // stores are to arrays of the program
  for (let shift = 0; shift < lanes; shift++) {
    const all = arrays.map((a) => storedOf(nests, a, cells.name, shift, multiples)), stored = all.flatMap((s) => s ?? [])
    if (stored.length < all.length) continue
    const rest = head.parallel.filter((l) => l.name !== cells.name), rows = [...rest].reverse().find((l) => stored.every((s) => s.row.some((e) => uses(e, l.name))))
    return nests.every((n) => apartFromOthers(n, nests, stored, cells.name)) ? { program: seen, nests, cells, rows, others: rest.filter((l) => l !== rows), shift, stored, shapes, multiples } : undefined
  }
  return undefined
}

/** The nests with pixels of several channels (`[n][4]`) as rows of elements, and the extents of their arrays then. */
function inRows(program: Program, nests: readonly Nest[], cells: string): { readonly nests: readonly Nest[]; readonly shapes: Readonly<Record<string, readonly Expr[]>> } {
  const indices = new Map<string, (readonly Expr[])[]>()
  const note = (array: string, index: readonly Expr[]): void => { indices.set(array, [...(indices.get(array) ?? []), index]) }
  for (const n of nests) { note(n.out.array.name, n.out.index); readsOf(n).forEach((r) => note(r.array, r.index)) }
  const at = new Map<string, number>(), shapes: Record<string, readonly Expr[]> = {}
  for (const a of program.arrays) {
    const d = Math.max(-1, ...(indices.get(a.name) ?? []).map((index) => index.findIndex((e) => uses(e, cells)))), behind = a.shape.slice(d + 1)
    const linear = (indices.get(a.name) ?? []).every((index) => index.slice(d).every((e) => affineOf(e)) && index.slice(d + 1).every((e) => !uses(e, cells)))
    const extent = d < 0 ? undefined : affineOf(a.shape[d]!)
    if (!extent || behind.length === 0 || !linear || !behind.every((e) => literal(e) !== undefined)) continue
    at.set(a.name, d)
    shapes[a.name] = [...a.shape.slice(0, d), behind.reduce((e, x) => mul(e, x), a.shape[d]!)]
  }
  const joined = (array: string, index: readonly Expr[]): readonly Expr[] => {
    const d = at.get(array), shape = program.arrays.find((a) => a.name === array)?.shape
    return d === undefined || !shape ? index : [...index.slice(0, d), index.slice(d + 1).reduce((e, x, n) => add(mul(e, shape[d + 1 + n]!), x), index[d]!)]
  }
  const f = (e: Expr): Expr => mapExpr(e, (x) => (x.kind === 'read' && at.has(x.array) ? { ...x, index: joined(x.array, x.index) } : undefined))
  const seen = (n: Nest): Nest => ({
    ...n, guard: n.guard && f(n.guard), reduction: n.reduction && { ...n.reduction, init: f(n.reduction.init), value: f(n.reduction.value), guard: n.reduction.guard && f(n.reduction.guard) },
    out: { array: shapes[n.out.array.name] ? { ...n.out.array, shape: shapes[n.out.array.name]! } : n.out.array, index: joined(n.out.array.name, n.out.index), value: f(n.out.value) },
  })
  return at.size === 0 ? { nests, shapes } : { nests: nests.map(seen), shapes }
}

/** Whether each value of `a` is a multiple of `by` where these sizes are multiples of `lanes`, but for its constant. */
export const inSteps = (a: Affine, by: number, multiples: ReadonlySet<string>): boolean =>
  [...a.terms].every(([name, c]) => (c * (name.startsWith('$') && multiples.has(name.slice(1)) ? lanes : 1)) % by === 0)

/** How cells lie in an array that nests store when a thread's first is `shift` before a multiple; `undefined` where they do not lie on words. */
function storedOf(nests: readonly Nest[], array: ArrayDecl, cells: string, shift: number, multiples: ReadonlySet<string>): Stored | undefined {
  const own = nests.filter((n) => n.out.array.name === array.name), row = own[0]!.out.index.slice(0, -1), extent = affineOf(array.shape.at(-1) ?? int(1)) // stored by one
  const forms = own.map((n) => affineOf(n.out.index.at(-1) ?? int(0))), step = forms[0] ? coefficient(forms[0], cells) : 0
  const alike = own.every((n, i) => { const f = forms[i]; return f?.terms.size === 1 && coefficient(f, cells) === step && n.out.index.slice(0, -1).every((e, d) => sameExpr(e, row[d]!) && !uses(e, cells)) })
  if (!alike || step < 1 || step > mostChannels || !extent || !inSteps(extent, lanes, multiples) || extent.constant % lanes !== 0) return undefined
  const constants = forms.map((f) => f!.constant), least = Math.min(...constants), most = Math.max(...constants) // all are linear
  const first = Array.from({ length: step }, (_, n) => least - n).find((n) => most - n < step && n >= step * shift && (n - step * shift) % lanes === 0)
  return first === undefined ? undefined : { array, row, step, first, places: new Set(constants.map((c) => c - first)) }
}

/** Whether of arrays that any nest stores it reads only elements of its own cell, and no sum of it reads any. */
function apartFromOthers(n: Nest, nests: readonly Nest[], stored: readonly Stored[], cells: string): boolean {
  const written = new Set(nests.map((x) => x.out.array.name)), r = n.reduction
  const isOwn = (x: Expr, inSum: boolean): boolean => x.kind !== 'read' || !written.has(x.array) || (!inSum && stored.some((s) => placeIn(s, x, cells) !== undefined))
  const all = (e: Expr, inSum: boolean): boolean => { let ok = true; eachExpr(e, (x) => { ok &&= isOwn(x, inSum) }); return ok }
  return all(n.out.value, false) && (!r || [r.init, r.value, ...(r.guard ? [r.guard] : [])].every((e) => all(e, true)))
}

/** Which element of the cell that a thread stores the read is of; `undefined`: of another cell. */
export function placeIn(s: Stored, r: Read, cells: string): number | undefined {
  const last = affineOf(r.index.at(-1) ?? int(0))
  if (r.array !== s.array.name || !last || !r.index.slice(0, -1).every((e, d) => sameExpr(e, s.row[d]!))) return undefined
  const rest = addScaled(last, affineName(cells, s.step), -1), place = rest.constant - s.first
  return rest.terms.size === 0 && place >= 0 && place < s.step ? place : undefined
}
