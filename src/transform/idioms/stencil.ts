// In: a loop on the host around nests, such as the time loop of a stencil. Out: the same as sweeps over the cells of
// one grid, when everything that is read of what they write lies a constant distance away. The one idea: then a block
// can run many steps on a tile with a halo: who reads what, and how far away, says how large the halo must be. Nests
// are parallel and run one after the other, so nothing else can stand in the way; what is not of this kind is
// `undefined`.
import {
  conjunction,
  int,
  loopVar,
  op,
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  choose,
  coefficient,
  constant,
  evaluate,
  literal,
  mayDivideByZero,
  plus,
  read,
  registerType,
  identityOf,
  reduced,
  constantExtent,
  eachExpr,
  someExpr,
  exprKey,
  rewriteExpr,
  namesOf,
  perfectNest,
  readsArray,
  substitute,
  replaceReads,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  type CellRange,
  type Nest,
  type Idiom,
  type Other,
  type Sweep,
  type TimeTiles,
  type Read,
} from '../../ir/index.ts'
import { planned } from '../../analysis/index.ts'
import { rectangular } from '../normalize/bounding-box.ts'

/** Terms of a reduction over a window that are written out. */
const mostTerms = 32
/** Sweeps of one step. */
const mostSweeps = 12
/** Reads beyond this distance leave no tile. */
const farthest = 8

/** The time loop of `loop` (its variable is the size `variable` in `nests`) as sweeps. */
function sweepsOf(program: Program, loop: Loop, variable: string, nests: readonly Nest[]): TimeTiles | undefined {
  const rank = nests[0]?.out.array.shape.length ?? 0
  if (rank < 1 || rank > 3 || nests.length > mostSweeps) return undefined
  const cells = cellNames(program, rank)
  const sweeps = nests.map((n) => sweepOf(program, n, loop, variable, cells))
  if (!sweeps.every((s): s is Sweep => s !== undefined)) return undefined
  const form: TimeTiles = { kind: 'time-tiles', loop, variable, cells, sweeps }
  return isLocal(form) && statesOf(form).length > 0 && reaches(form).some((x) => x.size > 0) ? form : undefined
}

/** The part that stands for the loop, and the program, whose arrays are as large as the largest step needs them. */
export function timeTiled(
  given: Program,
  loop: Loop,
  variable: string,
  nests: readonly Nest[],
): { readonly program: Program; readonly part: Idiom & { readonly form: TimeTiles } } | undefined {
  const arrays = given.arrays.map((a) => ofLargestStep(a, loop, variable))
  if (!arrays.every((a) => a !== undefined)) return undefined
  const program = { ...given, arrays },
    by = new Map(arrays.map((a) => [a.name, a])),
    sized = nests.map((n): Nest => ({ ...n, out: { ...n.out, array: by.get(n.out.array.name) ?? n.out.array } }))
  const form = sweepsOf(program, loop, variable, sized)
  if (!form) return undefined
  const why = `'${loop.name}' must run in order: each step reads what neighbours wrote in the one before`
  return { program, part: { kind: 'idiom', body: [loop], why, parallel: 0, form } }
}

/** `a` with extents that hold all steps of `loop`, where they use the step `variable`. */
function ofLargestStep(a: ArrayDecl, loop: Loop, variable: string): ArrayDecl | undefined {
  if (!a.shape.some((e) => usesSize(e, variable))) return a
  const shape = a.shape.map((upper) => overSteps({ lower: int(0), upper }, loop, variable)?.upper)
  return shape.every((e) => e !== undefined) ? { ...a, shape } : undefined
}

function cellNames(program: Program, rank: number): readonly string[] {
  const taken = namesOf(program)
  return Array.from({ length: rank }, (_, d) => {
    let name = `cell_${d}`
    while (taken.has(name)) name += '_'
    return name
  })
}

// ── statements as nests ───────────────────────────────────────────────────────────────────────────────────────────

/** Nodes of a value with its locals put in place. */
const largestValue = 600

/**
 * Iterations that run apart, do straight code and store elements that none of them reads, as a nest for each store;
 * `undefined` for others.
 */
export function straightNests(program: Program, part: Other): readonly Nest[] | undefined {
  const [outer, more] = part.body
  if (part.kind === 'idiom' || outer?.kind !== 'loop' || more) return undefined
  const { loops, body } = perfectNest(outer),
    locals = new Map<string, Expr | undefined>(),
    nests: Nest[] = []
  if (loops.length !== part.parallel) return undefined
  for (const s of body) {
    if (s.kind === 'declare' && s.array.shape.length === 0 && registerType(s.array.type) === s.array.type)
      locals.set(s.array.name, undefined)
    else if (s.kind !== 'store') return undefined
    else {
      const value = inPlace(s.value, locals),
        own = locals.has(s.array),
        array = program.arrays.find((a) => a.name === s.array),
        old = own ? locals.get(s.array) : array && read(array, s.index)
      if (!value || (s.reduce && !old) || (!own && (!array || s.index.some(readsArray)))) return undefined
      const whole = s.reduce ? reduced(s.reduce, old!, value) : value // there is one then
      if (own) locals.set(s.array, whole)
      else
        nests.push({
          kind: 'nest',
          parallel: loops,
          guard: undefined,
          reduction: undefined,
          out: { array: array!, index: s.index, value: whole },
        }) // it is no local
    }
  }
  const written = nests.map((n) => n.out.array.name)
  const apart =
    new Set(written).size === written.length &&
    nests.every((n) => readNames(n.out.value).every((name) => !written.includes(name)))
  return apart && nests.length > 0 ? nests : undefined
}

/** `e` with locals as what they hold; `undefined` where one holds nothing, or it grows too large. */
function inPlace(e: Expr, locals: ReadonlyMap<string, Expr | undefined>): Expr | undefined {
  let known = true,
    nodes = 0
  eachExpr(e, (x) => {
    if (x.kind === 'read' && locals.has(x.array) && !locals.get(x.array)) known = false
  })
  const made = rewriteExpr(e, (x) => (x.kind === 'read' ? locals.get(x.array) : undefined))
  eachExpr(made, () => {
    nodes++
  })
  return known && nodes <= largestValue ? made : undefined
}

const readNames = (e: Expr): readonly string[] => {
  const names: string[] = []
  eachExpr(e, (x) => {
    if (x.kind === 'read') names.push(x.array)
  })
  return names
}

// ── nests as sweeps ───────────────────────────────────────────────────────────────────────────────────────────────

function sweepOf(
  program: Program,
  given: Nest,
  loop: Loop,
  variable: string,
  cells: readonly string[],
): Sweep | undefined {
  const part = rectangular(written(given) ?? given)
  if (
    !part ||
    part.reduction ||
    part.out.index.length !== cells.length ||
    registerType(part.out.array.type) !== part.out.array.type
  )
    return undefined
  const by = new Map<string, Expr>()
  const ranges = part.out.index.map((e, d) => rangeOf(part, e, cells[d]!, by)) // a cell for each dimension
  if (!ranges.every((r): r is CellRange => r !== undefined) || by.size !== part.parallel.length) return undefined
  const always = ranges.map((r) => overSteps(r, loop, variable))
  if (!always.every((r): r is CellRange => r !== undefined) || isMostlyIdle(program, ranges, always)) return undefined
  const f = (e: Expr): Expr =>
    rewriteExpr(substitute(e, by), (x) => (x.kind === 'read' ? besides(x, ranges, cells) : undefined))
  const guard = conjunction([
      ...ranges.flatMap((r, d) => beyondAlways(r, always[d]!, cells[d]!)),
      ...(part.guard ? [f(part.guard)] : []),
    ]),
    value = f(part.out.value)
  return [value, ...(guard ? [guard] : [])].every((e) => !mayDivideByZero(e))
    ? { array: part.out.array, ranges: always, guard, value }
    : undefined
}

/** The cells of all steps, where their range grows, shrinks or moves with the step `variable` of `loop`. */
function overSteps(r: CellRange, loop: Loop, variable: string): CellRange | undefined {
  if (!usesSize(r.lower, variable) && !usesSize(r.upper, variable)) return r
  const first = affineOf(loop.lower),
    end = affineOf(loop.upper),
    lower = affineOf(r.lower),
    upper = affineOf(r.upper)
  if (!first || !end || !lower || !upper) return undefined
  const name = `$${variable}`,
    at = (a: Affine, step: Affine): Affine => {
      const c = coefficient(a, name)
      return addScaled(addScaled(a, affineName(name), -c), step, c)
    },
    last = plus(end, -1)
  return {
    lower: affineExpr(at(lower, coefficient(lower, name) > 0 ? first : last)),
    upper: affineExpr(at(upper, coefficient(upper, name) > 0 ? last : first)),
  }
}

/** Steps of fewer of the cells than one of so many, at the planned sizes, are better alone. */
const idleCells = 4

function isMostlyIdle(program: Program, ranges: readonly CellRange[], always: readonly CellRange[]): boolean {
  const cells = (all: readonly CellRange[]): number =>
    all.reduce((n, r) => n * planned(program, r.lower, r.upper, 1), 1)
  return ranges.some((r, d) => r !== always[d]) && cells(ranges) * idleCells < cells(always)
}

/** What the range of one step says beyond that of all steps. */
const beyondAlways = (r: CellRange, always: CellRange, cell: string): readonly Expr[] => [
  ...(exprKey(r.lower) === exprKey(always.lower) ? [] : [op('ge', [loopVar(cell), r.lower])]),
  ...(exprKey(r.upper) === exprKey(always.upper) ? [] : [op('lt', [loopVar(cell), r.upper])]),
]

/** Where the index `e` runs; `by` learns what its loop's variable is in terms of the cell. */
function rangeOf(part: Nest, e: Expr, cell: string, by: Map<string, Expr>): CellRange | undefined {
  const a = affineOf(e)
  const own = a && part.parallel.filter((l) => coefficient(a, l.name) !== 0)
  if (!a || !own || own.length > 1) return undefined
  const l = own[0]
  if (!l) return { lower: affineExpr(a), upper: affineExpr(plus(a, 1)) }
  if (coefficient(a, l.name) !== 1 || by.has(l.name)) return undefined
  const rest = addScaled(a, affineName(l.name), -1)
  const upper = affineOf(l.upper)
  if (!upper) return undefined
  by.set(l.name, affineExpr(addScaled(affineName(cell), rest, -1)))
  return { lower: affineExpr(rest), upper: affineExpr(addScaled(upper, rest, 1)) }
}

/** Where a nest writes one row alone, rows that it reads are told from there: all of its reads are at a distance. */
function besides(r: Read, ranges: readonly CellRange[], cells: readonly string[]): Expr | undefined {
  if (r.index.length !== cells.length) return undefined
  return {
    ...r,
    index: r.index.map((e, d) => {
      const a = affineOf(e),
        row = affineOf(ranges[d]!.lower) // a range per dimension
      if (!a || !row || coefficient(a, cells[d]!) !== 0) return e
      const far = addScaled(a, row, -1)
      return far.terms.size === 0 && isOneRow(ranges[d]!) ? affineExpr(plus(affineName(cells[d]!), far.constant)) : e
    }),
  }
}

const isOneRow = (r: CellRange): boolean => extentOf(r) === 1

/** How many there are, when that is a constant. */
function extentOf(r: CellRange): number | undefined {
  const lower = affineOf(r.lower),
    upper = affineOf(r.upper),
    extent = lower && upper && addScaled(upper, lower, -1)
  return extent?.terms.size === 0 ? extent.constant : undefined
}

const usesSize = (e: Expr, name: string): boolean => {
  return someExpr(e, (x) => x.kind === 'size' && x.name === name)
}

/** A condition whose comparisons of literals have their answers. */
const folded = (condition: Expr): Expr =>
  rewriteExpr(condition, (e) => {
    const known =
      e.kind === 'op' && e.type === 'bool'
        ? e.args.flatMap((a) => (a.kind === 'const' && typeof a.value === 'number' ? [a.value] : []))
        : []
    return e.kind === 'op' && known.length > 0 && known.length === e.args.length
      ? constant('bool', Number(evaluate(e.op, e.args[0]!.type, known)))
      : undefined // one at least
  })

/** A reduction over a small window written out; `undefined` when there is none. */
function written(part: Nest): Nest | undefined {
  const r = part.reduction
  if (!r || r.loops.reduce((n, l) => n * (constantExtent(l) ?? Infinity), 1) > mostTerms) return undefined
  const terms = r.loops.reduce<readonly ReadonlyMap<string, Expr>[]>(
    (all, l) =>
      all.flatMap((m) =>
        Array.from(
          { length: constantExtent(l)! },
          (_, i) => new Map([...m, [l.name, constant('i32', literal(l.lower)! + i * l.step)]]),
        ),
      ),
    [new Map()],
  ) // extents are constants
  const sum = terms.reduce((acc, m) => {
    const value = substitute(r.value, m),
      guard = r.guard && folded(substitute(r.guard, m))
    if (guard?.kind === 'const') return guard.value ? reduced(r.op, acc, value) : acc
    return reduced(r.op, acc, guard ? choose(guard, value, identityOf(r.op, value.type)) : value)
  }, r.init)
  return {
    ...part,
    reduction: undefined,
    out: {
      ...part.out,
      value: replaceReads(part.out.value, r.into.name, sum),
    },
  }
}

// ── distances ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** How far away from a cell `r` reads, per dimension; `undefined` when that is no constant. */
export function distanceOf(r: Read, cells: readonly string[]): readonly number[] | undefined {
  const found = r.index.map((e, d) => {
    const a = affineOf(e),
      rest = a && addScaled(a, affineName(cells[d] ?? ''), -1)
    return rest && rest.terms.size === 0 ? rest.constant : undefined
  })
  return found.length === cells.length && found.every((x): x is number => x !== undefined) ? found : undefined
}

/** Names of the arrays that the sweeps write. */
export const writtenBy = (form: TimeTiles): ReadonlySet<string> => new Set(form.sweeps.map((s) => s.array.name))

/** The arrays that the sweeps write, each once. */
export const arraysOfSweeps = (form: TimeTiles): readonly ArrayDecl[] => [
  ...new Map(form.sweeps.map((s) => [s.array.name, s.array])).values(),
]

/** Whether all arrays that the sweeps write have the same extents. */
export function haveOneShape(form: TimeTiles): boolean {
  const keys = arraysOfSweeps(form).map((a) => a.shape.map(exprKey).join())
  return keys.every((k) => k === keys[0])
}

/** All reads of a sweep. */
export function readsOfSweep(s: Sweep): readonly Read[] {
  const out: Read[] = []
  for (const e of [s.value, ...(s.guard ? [s.guard] : [])])
    eachExpr(e, (x) => {
      if (x.kind === 'read') out.push(x)
    })
  return out
}

/** Every read of a written array is near; other arrays are read where data have no say. */
function isLocal(form: TimeTiles): boolean {
  const names = writtenBy(form)
  return form.sweeps.every((s) =>
    readsOfSweep(s).every((r) => {
      if (names.has(r.array)) return distanceOf(r, form.cells)?.every((x) => Math.abs(x) <= farthest) === true
      return r.index.every((e) => affineOf(e) !== undefined)
    }),
  )
}

/** The same for equal ranges alone. */
export const rangesKey = (ranges: readonly CellRange[]): string =>
  ranges.map((r) => `${exprKey(r.lower)}:${exprKey(r.upper)}`).join()

/**
 * Where an array that no step hands on to the next is written: it is written anew before anything of it there is read.
 */
export function passingRange(form: TimeTiles, array: string): readonly CellRange[] | undefined {
  const first = form.sweeps.find((s) => s.array.name === array || readsOfSweep(s).some((r) => r.array === array))
  if (first?.array.name !== array || first.guard || readsOfSweep(first).some((r) => r.array === array)) return undefined
  if (isThin(first)) return undefined
  return form.sweeps.every((s) => s.array.name !== array || rangesKey(s.ranges) === rangesKey(first.ranges))
    ? first.ranges
    : undefined
}

/** A row or a column, such as a border: most tiles have none of it. `dims`: in these dimensions, all when absent. */
export const isThin = (s: Sweep, dims?: readonly number[]): boolean =>
  s.ranges.some((r, d) => (dims?.includes(d) ?? true) && isNarrow(r))

/** At most a few cells, however large the arrays are. */
export const isNarrow = (r: CellRange): boolean => (extentOf(r) ?? Infinity) <= farthest

/** The arrays that each step hands on to the next. */
export const statesOf = (form: TimeTiles): readonly ArrayDecl[] =>
  arraysOfSweeps(form).filter((a) => !passingRange(form, a.name))

/** Cells that are needed around a tile, before and after it in each dimension. */
export interface Halo {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** The halo of `steps` steps: from the last sweep backwards, what is read for what is needed is needed too. */
export function haloOf(form: TimeTiles, steps: number): Halo {
  const rank = form.cells.length,
    names = writtenBy(form)
  const passing = new Set(
    arraysOfSweeps(form)
      .filter((a) => passingRange(form, a.name))
      .map((a) => a.name),
  )
  const need = new Map<string, { before: number[]; after: number[] }>()
  const zero = (): { before: number[]; after: number[] } => ({
    before: Array.from({ length: rank }, () => 0),
    after: Array.from({ length: rank }, () => 0),
  })
  for (const a of names) need.set(a, zero())
  const widest = zero()
  for (let t = 0; t < steps; t++)
    for (const s of [...form.sweeps].reverse()) {
      const mine = need.get(s.array.name)
      if (!mine) continue // nothing reads it before it is written again
      const wanted = { before: [...mine.before], after: [...mine.after] }
      if (passing.has(s.array.name) && form.sweeps.find((x) => x.array.name === s.array.name) === s)
        need.delete(s.array.name)
      for (const r of readsOfSweep(s)) {
        const far = names.has(r.array) ? distanceOf(r, form.cells) : undefined
        if (!far) continue
        const other = need.get(r.array) ?? zero()
        far.forEach((x, d) => {
          other.before[d] = Math.max(other.before[d]!, wanted.before[d]! - x)
          other.after[d] = Math.max(other.after[d]!, wanted.after[d]! + x)
          widest.before[d] = Math.max(widest.before[d]!, other.before[d]!)
          widest.after[d] = Math.max(widest.after[d]!, other.after[d]!)
        })
        need.set(r.array, other)
      }
    }
  return widest
}

/** Reads of what the sweeps write, and how far away. */
function reaches(form: TimeTiles): readonly { readonly read: Read; readonly size: number }[] {
  const names = writtenBy(form)
  return form.sweeps.flatMap((s) =>
    readsOfSweep(s).flatMap((r) => {
      const far = names.has(r.array) ? distanceOf(r, form.cells) : undefined
      return far ? [{ read: r, size: Math.max(...far.map(Math.abs)) }] : []
    }),
  )
}

/** The dependence that makes the halo grow, in words: of the read that is farthest away. */
export function haloReason(form: TimeTiles): string {
  const { read: r, size } = reaches(form).reduce((a, b) => (b.size > a.size ? b : a)) // a form has such reads
  return `'${r.array}' is read ${size} away${r.at ? ` in line ${r.at.line}` : ''}, where another point wrote it`
}
