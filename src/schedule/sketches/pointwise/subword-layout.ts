// How cells with elements of one or two bytes lie on words. In: what is done for each point of parallel loops. Out: its
// loops over rows and cells, and what a thread stores of each array. The one idea: a thread's tile of each array that
// is stored begins and ends between words, so that no word is shared, and what lies around it is so many words to the
// left and right.
import {
  add,
  addScaled,
  affineName,
  affineOf,
  bytesOf,
  coefficient,
  int,
  isFloat,
  literal,
  mul,
  type ArrayDecl,
  type Affine,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  reduced,
  claimName,
  constantExtent,
  eachStmt,
  someStmt,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  readsIn,
  sameExpr,
  substituteStmt,
  uses,
} from '../../../ir/index.ts'
import { withShapes } from '../../../transform/index.ts'
import { rowSizes } from '../sketch.ts'

/** Elements of one vector access. */
export const vectorElements = 4

/** What is done for every point of parallel loops, which count from 0. */
export interface Cells {
  readonly parallel: readonly Loop[]
  readonly body: readonly LoopStmt[]
}

/**
 * What a thread stores of one array: of each row `step` × cells elements from `first` + `step` × (its first cell) on.
 */
export interface SubwordStore {
  readonly array: ArrayDecl
  /** Subscripts of all dimensions but the last. */
  readonly row: readonly Expr[]
  readonly step: number
  readonly first: number
  /** All of the `step` elements of a cell are stored, and always. */
  readonly all: boolean
}

/** Cells that lie on words. */
export interface Lying {
  readonly program: Program
  readonly body: readonly LoopStmt[]
  /** The loop over the cells of a row, the loop over rows that a thread may have several of, and all others. */
  readonly cells: Loop
  readonly rows: Loop | undefined
  readonly others: readonly Loop[]
  /** A thread's first cell is so many before a multiple of its cells. */
  readonly shift: number
  readonly stored: readonly SubwordStore[]
  /** Extents as the kernel sees them, of arrays that it sees otherwise than the program. */
  readonly shapes: Readonly<Record<string, readonly Expr[]>>
  /** Sizes that are multiples of `vectorElements`. */
  readonly multiples: ReadonlySet<string>
}

/** Constant loops of so many iterations at most (the channels of a pixel) are written out where they store. */
const mostChannels = 4
/** Iterations of a window at most, which is written out: 9 by 9. */
const largestWindow = 81

const isNarrow = (a: ArrayDecl): boolean => bytesOf[a.type] < 4 && !isFloat(a.type)

// ── cells ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** `body` with names of its own for what it declares where these are taken. */
export function withOwnNames(body: readonly LoopStmt[], taken: Set<string>): readonly LoopStmt[] {
  const by = new Map<string, string>()
  eachStmt(body, (s) => {
    if (s.kind === 'declare' && !by.has(s.array.name)) by.set(s.array.name, claimName(taken, s.array.name))
  })
  const name = (array: string): string => by.get(array) ?? array
  const reads = body.map((s) =>
    mapStmtExprs(s, (e) =>
      rewriteExpr(e, (x) => (x.kind === 'read' && by.has(x.array) ? { ...x, array: name(x.array) } : undefined)),
    ),
  )
  return mapBody(reads, (s) =>
    s.kind === 'store' && by.has(s.array)
      ? [{ ...s, array: name(s.array) }]
      : s.kind === 'declare'
        ? [{ ...s, array: { ...s.array, name: name(s.array.name) } }]
        : undefined,
  )
}

/** Iterations of a loop over so many channels, each with its own variables; `undefined` where there are more. */
function channels(l: Loop, body: readonly LoopStmt[], taken: Set<string>): readonly LoopStmt[] | undefined {
  const first = literal(l.lower),
    count = constantExtent(l)
  return first === undefined || count === undefined || count > mostChannels
    ? undefined
    : Array.from({ length: count }, (_, c) =>
        withOwnNames(
          body.map((s) => substituteStmt(s, new Map([[l.name, int(first + c * l.step)]]))),
          taken,
        ),
      ).flat()
}

/** Cells whose stores to arrays of the program stand in no loop, as plain stores; `undefined` where one does. */
function plainCells(program: Program, given: Cells): Cells | undefined {
  const arrays = new Map(program.arrays.map((a) => [a.name, a])),
    taken = namesOf({ ...program, body: given.body }),
    last = given.parallel.at(-1)
  const over = last && given.parallel.length > 1 ? channels(last, given.body, taken) : undefined
  const stores = (body: readonly LoopStmt[]): boolean =>
    someStmt(body, (s) => s.kind === 'store' && arrays.has(s.array))
  const body = mapBody(over ?? given.body, (s) => {
    if (s.kind === 'loop' && stores(s.body)) return channels(s, s.body, taken)
    const array = s.kind === 'store' && s.reduce && !s.atomic ? arrays.get(s.array) : undefined
    return s.kind === 'store' && s.reduce && array
      ? [
          {
            ...s,
            reduce: null,
            value: reduced(s.reduce, { kind: 'read', type: s.value.type, array: s.array, index: s.index }, s.value),
          },
        ]
      : undefined
  })
  let fits = true
  eachStmt(body, (s, around) => {
    if (s.kind === 'loop' && (literal(s.lower) === undefined || constantExtent(s) === undefined)) fits = false
    if (s.kind === 'store' && (s.atomic || (arrays.has(s.array) && around.length > 0))) fits = false
  })
  return fits && termsIn(body) <= largestWindow
    ? { parallel: over ? given.parallel.slice(0, -1) : given.parallel, body }
    : undefined
}

/** Iterations of the loops of a cell. */
export const termsIn = (body: readonly LoopStmt[]): number =>
  body.reduce(
    (n, s) =>
      Math.max(
        n,
        s.kind === 'loop'
          ? (constantExtent(s) ?? Infinity) * termsIn(s.body)
          : s.kind === 'if'
            ? Math.max(termsIn(s.then), termsIn(s.else))
            : 1,
      ),
    1,
  )

// ── how cells lie ─────────────────────────────────────────────────────────────────────────────────────────────────

export function lyingOf(program: Program, given: Cells): Lying | undefined {
  const used = namesOf({ ...program, arrays: [], body: given.body })
  readsIn(given.body).forEach((r) => used.add(r.array))
  eachStmt(given.body, (s) => {
    if (s.kind === 'store') used.add(s.array)
  })
  if (
    !program.arrays.some((a) => used.has(a.name) && isNarrow(a)) ||
    !given.parallel.every((l) => literal(l.lower) === 0 && l.step === 1 && affineOf(l.upper))
  )
    return undefined
  const plain = plainCells(program, given)
  return (
    plain &&
    [...plain.parallel]
      .reverse()
      .map((cells) => lyingAlong(program, plain, cells))
      .find((l) => l !== undefined)
  )
}

/** Stores to arrays of the program, and whether each is in a branch. */
function storesTo(
  program: Program,
  body: readonly LoopStmt[],
  inBranch = false,
): readonly { readonly store: Store; readonly inBranch: boolean }[] {
  const names = new Set(program.arrays.map((a) => a.name))
  return body.flatMap((s) =>
    s.kind === 'if'
      ? storesTo(program, [...s.then, ...s.else], true)
      : s.kind === 'store' && names.has(s.array)
        ? [{ store: s, inBranch }]
        : [],
  )
}

function lyingAlong(program: Program, given: Cells, cells: Loop): Lying | undefined {
  const { body, shapes } = inRows(program, given.body, cells.name),
    seen = { ...program, arrays: withShapes(program.arrays, shapes) },
    stores = storesTo(program, body)
  const used = new Set([
    ...stores.map((s) => s.store.array),
    ...readsIn(body)
      .filter((r) => uses(r.index.at(-1) ?? int(0), cells.name))
      .map((r) => r.array),
  ])
  const multiples = new Set(Object.keys(rowSizes(seen.arrays.filter((a) => used.has(a.name)))))
  const arrays = seen.arrays.filter((a) => stores.some((s) => s.store.array === a.name))
  for (let shift = 0; shift < vectorElements && arrays.length > 0; shift++) {
    const stored = arrays.flatMap(
      (a) =>
        storedOf(
          stores.filter((s) => s.store.array === a.name),
          a,
          cells.name,
          shift,
          multiples,
        ) ?? [],
    )
    if (stored.length < arrays.length) continue
    const rest = given.parallel.filter((l) => l.name !== cells.name),
      rows = [...rest].reverse().find((l) => stored.every((s) => s.row.some((e) => uses(e, l.name))))
    const own = readsIn(body).every(
      (r) =>
        arrays.every((a) => a.name !== r.array) ||
        stored.some((s) => placeIn(s, r.array, r.index, cells.name) !== undefined),
    )
    return own && rest.every((l) => stored.every((s) => s.row.some((e) => uses(e, l.name))))
      ? { program: seen, body, cells, rows, others: rest.filter((l) => l !== rows), shift, stored, shapes, multiples }
      : undefined
  }
  return undefined
}

/** The body with pixels of several channels (`[n][4]`) as rows of elements, and the extents of their arrays then. */
function inRows(
  program: Program,
  body: readonly LoopStmt[],
  cells: string,
): { readonly body: readonly LoopStmt[]; readonly shapes: Readonly<Record<string, readonly Expr[]>> } {
  const indices = new Map<string, (readonly Expr[])[]>()
  const note = (array: string, index: readonly Expr[]): void => {
    indices.set(array, [...(indices.get(array) ?? []), index])
  }
  readsIn(body).forEach((r) => note(r.array, r.index))
  eachStmt(body, (s) => {
    if (s.kind === 'store') note(s.array, s.index)
  })
  const at = new Map<string, { readonly d: number; readonly shape: readonly Expr[] }>(),
    shapes: Record<string, readonly Expr[]> = {}
  for (const { name, shape } of program.arrays) {
    const all = indices.get(name) ?? [],
      d = Math.max(-1, ...all.map((index) => index.findIndex((e) => uses(e, cells)))),
      behind = shape.slice(d + 1)
    const linear = all.every(
      (index) => index.slice(d).every((e) => affineOf(e)) && index.slice(d + 1).every((e) => !uses(e, cells)),
    )
    if (
      d < 0 ||
      !affineOf(shape[d]!) ||
      behind.length === 0 ||
      !linear ||
      !behind.every((e) => literal(e) !== undefined)
    )
      continue
    at.set(name, { d, shape })
    shapes[name] = [...shape.slice(0, d), behind.reduce((e, x) => mul(e, x), shape[d]!)]
  }
  if (at.size === 0) return { body, shapes }
  const joined = (array: string, index: readonly Expr[]): readonly Expr[] => {
    const to = at.get(array)
    return to
      ? [
          ...index.slice(0, to.d),
          index.slice(to.d + 1).reduce((e, x, n) => add(mul(e, to.shape[to.d + 1 + n]!), x), index[to.d]!),
        ]
      : index
  }
  const reads = body.map((s) =>
    mapStmtExprs(s, (e) =>
      rewriteExpr(e, (x) =>
        x.kind === 'read' && at.has(x.array) ? { ...x, index: joined(x.array, x.index) } : undefined,
      ),
    ),
  )
  return {
    body: mapBody(reads, (s) =>
      s.kind === 'store' && at.has(s.array) ? [{ ...s, index: joined(s.array, s.index) }] : undefined,
    ),
    shapes,
  }
}

/** Whether each value of `a`, but for its constant, is a multiple of `by` where these sizes are of `vectorElements`. */
export const inSteps = (a: Affine, by: number, multiples: ReadonlySet<string>): boolean =>
  [...a.terms].every(
    ([name, c]) => (c * (name.startsWith('$') && multiples.has(name.slice(1)) ? vectorElements : 1)) % by === 0,
  )

/**
 * How cells lie in an array that they store when a thread's first is `shift` before a multiple; `undefined` where they
 * do not lie on words.
 */
function storedOf(
  own: ReturnType<typeof storesTo>,
  array: ArrayDecl,
  cells: string,
  shift: number,
  multiples: ReadonlySet<string>,
): SubwordStore | undefined {
  const row = own[0]!.store.index.slice(0, -1),
    extent = affineOf(array.shape.at(-1) ?? int(1)) // stored by one
  const forms = own.map((s) => affineOf(s.store.index.at(-1) ?? int(0))),
    step = forms[0] ? coefficient(forms[0], cells) : 0
  const alike = own.every(({ store }, i) => {
    const f = forms[i]
    return (
      f?.terms.size === 1 &&
      coefficient(f, cells) === step &&
      store.index.slice(0, -1).every((e, d) => sameExpr(e, row[d]!) && !uses(e, cells))
    )
  })
  if (
    !alike ||
    step < 1 ||
    step > mostChannels ||
    !extent ||
    !inSteps(extent, vectorElements, multiples) ||
    extent.constant % vectorElements !== 0
  )
    return undefined
  const constants = forms.map((f) => f!.constant),
    least = Math.min(...constants),
    most = Math.max(...constants) // all are linear
  const first = Array.from({ length: step }, (_, n) => least - n).find(
    (n) => most - n < step && n >= step * shift && (n - step * shift) % vectorElements === 0,
  )
  const always = new Set(own.flatMap((s, i) => (s.inBranch ? [] : [constants[i]!]))) // as many
  return first === undefined ? undefined : { array, row, step, first, all: always.size === step }
}

/** Which element of the cell that a thread stores is at `index`; `undefined`: one of another cell. */
export function placeIn(s: SubwordStore, array: string, index: readonly Expr[], cells: string): number | undefined {
  const last = affineOf(index.at(-1) ?? int(0))
  if (array !== s.array.name || !last || !index.slice(0, -1).every((e, d) => sameExpr(e, s.row[d]!))) return undefined
  const rest = addScaled(last, affineName(cells, s.step), -1),
    place = rest.constant - s.first
  return rest.terms.size === 0 && place >= 0 && place < s.step ? place : undefined
}
