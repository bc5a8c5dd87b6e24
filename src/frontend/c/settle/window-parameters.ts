// In: a lowered program and the values that its caller's integers are planned with. Out: which of these integers make
// windows (their sides, strides, dilations, pads), with their values. The one idea: at planned values a subscript is a
// number in a mixed radix, whose digits are loops; a short loop whose steps fall between those of another one is no
// digit, it walks over a window that overlaps the next. Short loops that sum over tiles are windows that do not.
import {
  accesses,
  add,
  coefficients,
  eachExpr,
  eachExprIn,
  eachStmt,
  isComparison,
  isFixed,
  loopVar,
  planValueIfKnown,
  polynomialExpr,
  polynomialOf,
  sizesIn,
  substitute,
  varsOf,
  type Access,
  type Expr,
  type Loop,
  type LoopStmt,
  type PlanValues,
  type Polynomial,
  type Program,
} from '../../../ir/index.ts'
import type { LoweredFunction } from '../lower/function.ts'
import { iterationsOf } from './parameter-ranges.ts'

/** Elements of the longest side of a window, and the largest stride, dilation or pad. */
const longestSide = 16

/** How often a loop runs at planned values, and the sizes that say so. */
interface Length {
  readonly turns: number
  readonly sizes: readonly string[]
}

/** The integers of the caller that make windows, by name; none where `lowered` has no windows, or constant ones. */
export function windowParameters({ program, assumed }: LoweredFunction): ReadonlyMap<string, number> {
  const values: PlanValues = { sizes: Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])), scalars: {} }
  const small = new Map(
    program.sizes
      .filter((s) => !isFixed(s) && !assumed.has(s.name) && s.planned >= 0 && s.planned <= longestSide)
      .map((s) => [s.name, s.planned]),
  )
  if (!multiplies(program, small)) return new Map()
  const lengths = lengthsOf(program, values),
    isShort = (l: Loop): boolean => isShortLength(lengths.get(l), small)
  const over = windowLoops(program, lengths, isShort, values)
  const sides = new Set([...over].flatMap((l) => lengths.get(l)?.sizes ?? [])),
    steps = sizesBeside(program, new Set([...over].map((l) => l.name))),
    whole = new Set([...endsIn(program), ...[...lengths].flatMap(([l]) => (over.has(l) ? [] : countsOf(l)))])
  return new Map([...small].filter(([name]) => sides.has(name) || (steps.has(name) && !whole.has(name))))
}

/**
 * Whether subscripts have products of these and of loops' variables, as strides and dilations make them, and sides of
 * filters of several rows. A radius alone moves places and ends loops, which schedules take as it is.
 */
function multiplies(p: Program, small: ReadonlyMap<string, number>): boolean {
  const isSmall = (by: Polynomial): boolean => sizesIn(polynomialExpr(by)).some((name) => small.has(name))
  return accesses(p).some(({ index, loops, declared }) => {
    const variables = new Set(loops.map((l) => l.name)),
      forms = declared ? [] : index.flatMap(sumsIn)
    return forms.some((form) => [...(coefficients(form, variables)?.of.values() ?? [])].some(isSmall))
  })
}

const isShortLength = (length: Length | undefined, small: ReadonlyMap<string, number>): boolean =>
  length !== undefined &&
  length.turns <= 2 * longestSide &&
  length.sizes.length > 0 &&
  length.sizes.every((name) => small.has(name))

/** The loops of a program that no other loop and no data bound. */
function lengthsOf(p: Program, values: PlanValues): ReadonlyMap<Loop, Length> {
  const found = new Map<Loop, Length>()
  eachStmt(p.body, (s) => {
    const length = s.kind === 'loop' ? lengthOf(s, values) : undefined
    if (s.kind === 'loop' && length) found.set(s, length)
  })
  return found
}

function lengthOf({ lower, upper, step }: Loop, values: PlanValues): Length | undefined {
  const known = iterationsOf(lower, upper).flatMap((given): readonly Length[] => {
    const form = polynomialOf(given),
      e = form ? polynomialExpr(form) : given,
      value = varsOf(e).size === 0 ? planValueIfKnown(e, values) : undefined
    return value === undefined ? [] : [{ turns: Math.ceil(value / step), sizes: sizesIn(e) }]
  })
  return known.sort((a, b) => a.turns - b.turns)[0]
}

/** Sizes whose product a loop runs to: a number of rows, of channels, of images. */
function countsOf({ lower, upper }: Loop): readonly string[] {
  return iterationsOf(lower, upper).flatMap((e) => {
    const form = polynomialOf(e)
    return form?.size === 1 ? sizesIn(polynomialExpr(form)) : []
  })
}

/** Sizes that places must stay below: those of images. */
function endsIn(p: Program): readonly string[] {
  const found: string[] = []
  const note = (e: Expr | undefined): void => {
    if (e?.kind === 'size') found.push(e.name)
  }
  eachStmt(p.body, (s) => {
    if (s.kind === 'loop' && s.upper.kind === 'op' && s.upper.op === 'min') s.upper.args.forEach(note)
  })
  eachExprIn(p.body, (e) => {
    if (e.kind !== 'op') return
    if (e.op === 'lt' || e.op === 'le') note(e.args[1])
    if (e.op === 'gt' || e.op === 'ge') note(e.args[0])
  })
  return found
}

/** The loops over windows. */
function windowLoops(
  p: Program,
  lengths: ReadonlyMap<Loop, Length>,
  isShort: (l: Loop) => boolean,
  values: PlanValues,
): ReadonlySet<Loop> {
  const found = new Set<Loop>()
  for (const access of accesses(p)) {
    const short = access.loops.filter(isShort)
    if (access.declared || short.length === 0) continue
    const choosing = access.loops.filter(choosesPlaces),
      steps = access.index.flatMap((e) => stepsIn(e, access, values))
    const overlaps = short.filter((l) => steps.some((s) => meetsAnother(s, l, lengths))),
      tiles = short.filter((l) => !choosing.includes(l) && steps.some((s) => fillsOneOf(choosing, s, l, lengths)))
    for (const l of overlaps.length > 0 ? overlaps : tiles.length > 1 ? tiles : []) found.add(l)
  }
  return found
}

/** Whether the element that something in `l` stores to depends on its variable. */
function choosesPlaces(l: Loop): boolean {
  let found = false
  eachStmt(l.body, (s) => {
    if (s.kind === 'store' && s.index.some((e) => varsOf(e).has(l.name))) found = true
  })
  return found
}

/** By how much each loop steps through an array, in elements of a sum that a subscript is made of. */
type Steps = ReadonlyMap<string, number>

function stepsIn(index: Expr, { loops }: Access, values: PlanValues): readonly Steps[] {
  const variables = new Set(loops.map((l) => l.name)),
    fromZero = [...loops].reverse().reduce((e, l) => countedFromZero(e, l), index)
  return sumsIn(fromZero).flatMap((form): readonly Steps[] => {
    const split = coefficients(form, variables)
    if (!split || split.of.size < 2) return []
    const steps = [...split.of].map(([name, by]) => [name, planValueIfKnown(polynomialExpr(by), values)] as const)
    return [new Map(steps.flatMap(([name, by]) => (by ? [[name, Math.abs(by)] as const] : [])))]
  })
}

/** `e` where a loop that begins at another one's variable, if only where that is inside of something, counts from 0. */
function countedFromZero(e: Expr, { name, lower }: Loop): Expr {
  const isMoving = (x: Expr): boolean => varsOf(x).size > 0 && polynomialOf(x) !== undefined,
    first = [lower, ...(lower.kind === 'op' && lower.op === 'max' ? lower.args : [])].find(isMoving)
  return first ? substitute(e, new Map([[name, add(loopVar(name), first)]])) : e
}

/** The largest parts of `e` that are sums of products: of a clamped subscript what is clamped. */
function sumsIn(e: Expr): readonly Polynomial[] {
  const form = e.type === 'i32' ? polynomialOf(e) : undefined
  if (form) return [form]
  return e.kind === 'op' ? e.args.flatMap(sumsIn) : []
}

/** Whether another loop steps by less than what `l` goes through, and goes through more than that itself. */
function meetsAnother(steps: Steps, l: Loop, lengths: ReadonlyMap<Loop, Length>): boolean {
  const own = steps.get(l.name)
  if (own === undefined) return false
  const turns = turnsOf(l.name, lengths)
  return [...steps].some(
    ([name, by]) => name !== l.name && by < own * turns && own * (turns - 1) < by * turnsOf(name, lengths),
  )
}

/** Whether one of `others` steps by just what `l` goes through: rows of an array are no windows of their columns. */
function fillsOneOf(others: readonly Loop[], steps: Steps, l: Loop, lengths: ReadonlyMap<Loop, Length>): boolean {
  const own = steps.get(l.name)
  return own !== undefined && others.some(({ name }) => steps.get(name) === own * turnsOf(l.name, lengths))
}

/** Turns of the longest loop of a name; infinitely many where nothing says how many. */
function turnsOf(name: string, lengths: ReadonlyMap<Loop, Length>): number {
  const all = [...lengths].flatMap(([l, { turns }]) => (l.name === name ? [turns] : []))
  return all.length > 0 ? Math.max(...all) : Infinity
}

/** Sizes in subscripts, comparisons and bounds that a variable of these loops is in. */
function sizesBeside(p: Program, variables: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const note = (e: Expr): void => {
    if ([...varsOf(e)].some((name) => variables.has(name))) for (const name of sizesIn(e)) found.add(name)
  }
  const bounds = (s: LoopStmt): void => {
    if (s.kind !== 'loop') return
    note(s.upper)
    if (variables.has(s.name)) for (const name of [...sizesIn(s.lower), ...sizesIn(s.upper)]) found.add(name)
  }
  eachStmt(p.body, (s) => {
    bounds(s)
    if (s.kind === 'store') s.index.forEach(note)
  })
  eachExprIn(p.body, (x) => {
    if (x.kind === 'read') x.index.forEach((e) => eachExpr(e, note))
    if (x.kind === 'op' && isComparison(x.op)) x.args.forEach(note)
  })
  return found
}
