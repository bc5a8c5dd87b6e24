// In: a scatter and a point. Out: which of its iterations each block makes, and which elements of its array a copy in
// workgroup memory holds. The one idea is privatisation for a part of the array: where some subscripts are linear and
// others are data (`h[i][bin(x[i][j])]`), the loops of the linear ones are rows, dealt out to blocks, and a block needs
// elements for its row alone. Rows that are neighbours in memory are threads side by side (histograms of columns).
// Nothing is known of the data; the order in which terms are added is not kept.
import {
  add,
  affineOf,
  conjuncts,
  div,
  extentOf,
  int,
  literal,
  loop,
  loopVar,
  mod,
  mul,
  nest,
  op,
  sub,
  substitute,
  substituteStmt,
  uses,
  type Expr,
  type Loop,
  type LoopStmt,
  type Read,
  type Scatter,
} from '../../../ir/index.ts'
import { injective } from '../../../analysis/index.ts'
import { block } from '../sketch.ts'
import { tilesOf, walkOf, type Walk, type WalkPoint } from '../tile-walk.ts'

/** What a point says of the shares of blocks. */
export type SharePoint = WalkPoint & {
  readonly threads: number
  readonly blocks: number
  /** Rows of which a block has copies side by side; 0 or absent: the copy is of the whole array. */
  readonly rows?: number
  /** 1: blocks that are more than rows share them; 0 or absent: each row is one block's. */
  readonly split?: number
  /** 1: the loops that are summed over are counted as one. */
  readonly flat?: number
}

/** The iterations of a block, and the dimensions that are told apart within them. */
export interface Share {
  /** The scatter over the loops that the walk knows. */
  readonly form: Scatter
  readonly walk: Walk
  /** Which run of the walked loop a block takes. */
  readonly at: Expr
  /** Dimensions of the array that a copy has. */
  readonly bins: readonly number[]
  /** No two blocks add to one element. */
  readonly isAlone: boolean
  /** `body` for all that a block has: its rows, one after the other; in front stands what is `declared` for all. */
  overRows(body: readonly LoopStmt[], declared?: readonly LoopStmt[]): readonly LoopStmt[]
  /** `body` for all lines of a row: what stands around the walked loop. */
  overLines(body: readonly LoopStmt[]): readonly LoopStmt[]
}

/** The loops of linear subscripts, and the dimensions that these are in. */
export interface RowLoops {
  readonly loops: readonly Loop[]
  readonly dimensions: readonly number[]
}

/**
 * Loops that linear subscripts tell apart, each row of which is counted; none where nothing would be left to sum over,
 * or no data choose.
 */
export function rowLoopsOf(form: Scatter): RowLoops {
  const { loops, store } = form,
    linear = store.index.filter((e) => affineOf(e) !== undefined),
    inRows = loops.filter((l) => linear.some((e) => uses(e, l.name)))
  if (inRows.length === loops.length || linear.length === store.index.length) return noRows
  if (!injective(linear, inRows) || !isCounted(form, inRows)) return noRows
  return { loops: inRows, dimensions: [...store.index.keys()].filter((d) => linear.includes(store.index[d]!)) }
}

const noRows: RowLoops = { loops: [], dimensions: [] }

/**
 * Whether a number of 32 bits counts the iterations of the loops together: an array has an element for each. What a
 * condition keeps out need have none.
 */
export function isCounted(form: Scatter, loops: readonly Loop[]): boolean {
  const { index } = form.store
  return (
    loops.length < 2 ||
    (!form.guard && injective(index, loops)) ||
    certainReads(form).some((r) => injective(r.index, loops))
  )
}

/** Reads that every iteration makes, whatever the guard says. */
export function certainReads(form: Scatter): readonly Read[] {
  const first = form.guard ? conjuncts(form.guard).slice(0, 1) : [...form.store.index, form.store.value]
  const out: Read[] = []
  const into = (e: Expr): void => {
    if (e.kind === 'read') out.push(e)
    if (e.kind === 'op') e.args.forEach(into)
    if (e.kind === 'read') e.index.forEach(into)
  }
  first.forEach(into)
  return out
}

/** Whether rows are neighbours in memory, and what is summed over is not: the innermost loop is one of rows. */
export const areColumns = (form: Scatter): boolean => rowLoopsOf(form).loops.includes(form.loops.at(-1)!)

/** How the iterations of a scatter are shared. */
export function shareOf(given: Scatter, p: SharePoint): Share {
  const side = p.rows ?? 0,
    rows = side > 0 ? rowLoopsOf(given) : noRows,
    form = p.flat === 1 && canBeFlat(given, rows.loops) ? inOneLoop(given, rows.loops) : given
  const summed = form.loops.filter((l) => !rows.loops.includes(l)),
    lines = summed.slice(0, -1),
    walked = summed.at(-1)! // rows leave a loop
  const deal = dealOf(rows.loops, p),
    { isAlone } = deal,
    values = rowValues(rows.loops, deal, side)
  const runs = lines.length > 0 || isAlone ? 1 : p.blocks
  const plain = walkOf([], walked, [], { ...p, rows: 1, blocks: runs }),
    walk = { ...plain, ...sideBySide(given, rows.loops, side, values) }
  const isShared = runs > 1 && rows.loops.length > 0
  return {
    form,
    walk: isShared ? { ...walk, steps: quotientUp(tilesOf(walk), deal.split) } : walk,
    at: runs > 1 ? deal.part : int(0),
    bins: form.store.index.flatMap((_, d) => (rows.dimensions.includes(d) ? [] : [d])),
    isAlone,
    overRows: (body, declared = []) =>
      overItems(deal, declared, substituted(body, values), p.blocks > 1 || form.loops.length > 1),
    overLines: (body) => overLines(lines, isCounted(form, lines) ? lines.length : 1, deal, body),
  }
}

/** Items that blocks take in turn: a tile of rows, or a part of one. */
interface Deal {
  readonly blocks: Expr
  /** Tiles of rows of each loop; none where all blocks share the array. */
  readonly tiles: readonly Expr[]
  /** Parts of a row. */
  readonly split: Expr
  /** Of the item that a block has in this turn. */
  readonly part: Expr
  readonly row: Expr
  readonly isAlone: boolean
}

function dealOf(rows: readonly Loop[], p: SharePoint): Deal {
  const tiles = rows.map((l, i) => quotientUp(extentOf(l), int(i === rows.length - 1 ? (p.rows ?? 1) : 1)))
  const blocks = int(p.blocks),
    own = loopVar('block_s')
  if (rows.length === 0) return { blocks, tiles, split: blocks, part: own, row: int(0), isAlone: false }
  const item = add(mul(loopVar('deal'), blocks), own)
  if (p.split !== 1) return { blocks, tiles, split: int(1), part: int(0), row: item, isAlone: true }
  const split = op('max', [quotient(blocks, op('max', [productOf(tiles), int(1)])), int(1)])
  return { blocks, tiles, split, part: remainder(item, split), row: quotient(item, split), isAlone: false }
}

/** What the variables of the rows are in a block. */
function rowValues(rows: readonly Loop[], { tiles, row }: Deal, side: number): ReadonlyMap<string, Expr> {
  const places = digitsOf(row, tiles)
  return new Map(
    rows.map((l, i) => {
      const isSide = i === rows.length - 1 && side > 1,
        place = places[i]! // as many
      return [l.name, add(l.lower, isSide ? add(mul(place, int(side)), loopVar('thread_row')) : place)]
    }),
  )
}

/** What the walk knows of rows that stand side by side in a block. */
function sideBySide(
  given: Scatter,
  rows: readonly Loop[],
  side: number,
  values: ReadonlyMap<string, Expr>,
): Partial<Walk> {
  const last = rows.at(-1)
  if (!last || side <= 1) return {}
  const point = new Map([...values].filter(([name]) => name === last.name))
  return { rows: side, parallel: [last], point, across: areColumns(given) }
}

/** `body` for each item of a block. */
function overItems(
  deal: Deal,
  declared: readonly LoopStmt[],
  body: readonly LoopStmt[],
  inBlocks: boolean,
): readonly LoopStmt[] {
  const { blocks, tiles, split } = deal,
    own = loopVar('block_s')
  const items = sub(mul(productOf(tiles), split), own)
  const inTurn = [...declared, ...(tiles.length > 0 ? [loop('deal', quotientUp(items, blocks), body)] : body)]
  return inBlocks ? [loop('block_s', blocks, inTurn, { bind: block('x') })] : inTurn
}

/**
 * `body` for the lines of an item: the loops around the walked one, of which the outer `count` are dealt out to the
 * parts of a row in turn.
 */
function overLines(
  lines: readonly Loop[],
  count: number,
  { split, part }: Deal,
  body: readonly LoopStmt[],
): readonly LoopStmt[] {
  if (lines.length === 0) return body
  const shared = lines.slice(0, count),
    extents = shared.map(extentOf),
    line = add(mul(loopVar('line'), split), part)
  const places = digitsOf(line, extents),
    values = new Map(shared.map((l, i) => [l.name, add(l.lower, places[i]!)])) // as many
  const inLine = substituted(nest(lines.slice(count), body), values)
  return [loop('line', quotientUp(sub(productOf(extents), part), split), inLine)]
}

/** Whether all loops but those of `rows` can be counted by one. */
export function canBeFlat(form: Scatter, rows: readonly Loop[]): boolean {
  const summed = form.loops.filter((l) => !rows.includes(l))
  return summed.length > 1 && isCounted(form, summed)
}

/** The scatter with all but its rows counted by one loop, whose digits the others are. */
function inOneLoop(form: Scatter, rows: readonly Loop[]): Scatter {
  const summed = form.loops.filter((l) => !rows.includes(l))
  if (summed.length < 2) return form
  const extents = summed.map(extentOf),
    places = digitsOf(loopVar('flat'), extents)
  const values = new Map(summed.map((l, i) => [l.name, add(l.lower, places[i]!)])), // as many
    f = (e: Expr): Expr => substitute(e, values)
  return {
    ...form,
    loops: [...rows, loop('flat', productOf(extents), [])],
    guard: form.guard && f(form.guard),
    store: { ...form.store, index: form.store.index.map(f), value: f(form.store.value) },
  }
}

const substituted = (body: readonly LoopStmt[], values: ReadonlyMap<string, Expr>): readonly LoopStmt[] =>
  values.size > 0 ? body.map((s) => substituteStmt(s, values)) : body

/** The digits of a number that counts through `extents`, the last one fastest. */
export function digitsOf(n: Expr, extents: readonly Expr[]): readonly Expr[] {
  let rest = n
  return extents
    .map((_, i) => extents[extents.length - 1 - i]!) // backwards
    .map((extent, i) => {
      const digit = i === extents.length - 1 ? rest : remainder(rest, extent)
      rest = quotient(rest, extent)
      return digit
    })
    .reverse()
}

export const productOf = (extents: readonly Expr[]): Expr => extents.reduce(mul, int(1))

/** ⌊a / b⌋, a mod b and ⌈a / b⌉ for a ≥ 0 and b > 0. */
function quotient(a: Expr, b: Expr): Expr {
  const n = literal(b)
  return n === undefined ? op('div', [a, b]) : div(a, n)
}
function remainder(a: Expr, b: Expr): Expr {
  const n = literal(b)
  return n === undefined ? op('rem', [a, b]) : mod(a, n)
}
const quotientUp = (a: Expr, b: Expr): Expr => quotient(literal(b) === 1 ? a : add(a, sub(b, int(1))), b)
