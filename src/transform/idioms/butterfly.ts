// In: a host loop whose steps double or halve a distance: transforms, sorting networks, sums in trees. Out: the same as
// `Stages`, where each step is proved to change arrays in place inside of windows of bits. The one idea: the distance
// is a shift by the loop's variable, which has 32 values, so that each step is looked at by itself: a bit of a place is
// a bit of the iteration, or it lies in the window.
import {
  Equalities,
  Iterations,
  bitsOfVariable,
  digitOfBit,
  digitsOfNumber,
  exponentsIn,
  shiftValues,
  conjunctsAndGuards,
} from '../../analysis/index.ts'
import {
  accesses,
  addScaled,
  affineConstant,
  affineName,
  affineOf,
  bytesOf,
  constantElements,
  literal,
  planValue,
  sizeOf,
  type Access,
  type Affine,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  nestProgram,
  type HostLoop,
  type Nest,
  type Other,
  type Region,
  type Staged,
  type StagedArray,
  type Stages,
  type Window,
  ownExprs,
  perfectNest,
  readsArray,
  sameExpr,
  sizesIn,
  uses,
  varsOf,
  someStmt,
  someExpr,
} from '../../ir/index.ts'

/** Values of the variables of host loops, by name. */
export type At = Readonly<Record<string, number>>

const nothing: Window = { low: digitsOfNumber, high: 0 }
/** A window of all bits: nothing is known. */
const everything: Window = { low: 0, high: digitsOfNumber }
const joined = (a: Window, b: Window): Window => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) })

/** Host loops in each other whose values are all looked at together. */
const mostLoops = 2

/** Whether some distance in `loop` is a shift by the variable of a loop. */
export function hasStages(loop: Loop): boolean {
  const shifts = (e: Expr, around: readonly Loop[]): boolean =>
    someExpr(
      e,
      (x) => x.kind === 'op' && (x.op === 'shl' || x.op === 'shr') && around.some((l) => uses(x.args[1]!, l.name)),
    ) // they have two
  return someStmt([loop], (s, around) => ownExprs(s).some((e) => shifts(e, around)))
}

/** `loop` as stages; `undefined` where some part is not of that form. */
export function stagesOf(program: Program, loop: HostLoop): Omit<Stages, 'launches'> | undefined {
  const leaves = hasStages(loop.source) ? leavesOf(loop, []) : undefined
  const found = leaves?.map(({ region, around }) => seenIn(program, region, around))
  if (!leaves || !found?.every((f) => f !== undefined)) return undefined
  const written = new Set(found.flatMap((f) => f.uses.filter((a) => a.kind === 'write').map((a) => a.array)))
  const arrays = [...written].map((name) => placeOf(program, name, found)),
    apart = found[0]!.apart.map((l) => l.upper) // a host loop has parts
  if (
    arrays.length === 0 ||
    !arrays.every((a) => a !== undefined) ||
    found.some((f) => f.apart.length !== apart.length || f.apart.some((l, n) => !sameExpr(l.upper, apart[n]!)))
  )
    return undefined
  const places = new Map(arrays.map((a) => [a.array.name, a.place]))
  for (const shift of [0, 1]) {
    const windows = new Map(found.map((f) => [f.region, new Windows(f, places, shift)] as const))
    const windowOf = (r: Region, at: At): Window =>
      r.kind === 'host'
        ? shiftedValues(r, at).reduce(
            (w, v) => r.body.reduce((x, b) => joined(x, windowOf(b, { ...at, [r.variable]: v })), w),
            nothing,
          )
        : (windows.get(r)?.at(at) ?? everything)
    const tuples = (around: readonly HostLoop[]): readonly At[] =>
      around.reduce<readonly At[]>(
        (all, l) => all.flatMap((at) => shiftedValues(l, at).map((v) => ({ ...at, [l.variable]: v }))),
        [{}],
      )
    const parts = leaves.map(({ region, around }, n): Staged => {
      const w = windows.get(region)!,
        active = tuples(around).filter((at) => w.at(at) !== nothing) // made above
      return {
        region,
        apart: found[n]!.apart,
        loop: found[n]!.loop,
        locals: found[n]!.locals,
        clear: active.every((at) => w.isClear(at)) ? fitted(active.map((at) => [at, w.at(at).low])) : undefined,
      }
    })
    if (
      leaves.some(({ region, around }) =>
        tuples(around).some((at) => {
          const w = windowOf(region, at)
          return w.high < digitsOfNumber && w !== nothing
        }),
      )
    )
      return { kind: 'stages', loop, arrays, apart, shift, parts, windowOf }
  }
  return undefined
}

/** The values of a host loop's variable at those of the loops around it, as far as shifts tell them apart. */
export function shiftedValues(l: HostLoop, at: At): readonly number[] {
  const lower = literal(l.lower) ?? 0,
    upper = knownAt(l.upper, at) ?? shiftValues.length
  return shiftValues.filter((v) => v >= lower && v < upper)
}

/** Whether the loop's variable has no value beyond those of `valuesOf`. */
export const isBounded = (program: Program, l: HostLoop, at: At): boolean => {
  const upper = affineOf(l.upper),
    known = knownAt(l.upper, at)
  return known !== undefined
    ? known <= shiftValues.length
    : upper !== undefined &&
        upper.constant <= 0 &&
        [...upper.terms].every(
          ([name, c]) => c === 1 && program.sizes.some((s) => s.kind === 'bits' && `$${s.name}` === name),
        ) &&
        upper.terms.size === 1
}

const knownAt = (e: Expr, at: At): number | undefined =>
  !readsArray(e) && varsOf(e).size === 0 && sizesIn(e).every((n) => Object.hasOwn(at, n))
    ? planValue(e, { sizes: at, scalars: {} })
    : undefined

/** The one form c + x, for a name x or without, that has these values. */
export function fitted(points: readonly (readonly [At, number])[]): Affine | undefined {
  const first = points[0]
  if (!first) return undefined
  const names = Object.keys(first[0])
  const shapes: readonly (readonly (readonly [string, number])[])[] = [
    [],
    ...names.flatMap((n) => [[[n, 1]], [[n, -1]]] as const),
    ...names.flatMap((n) =>
      names.flatMap((m) =>
        n === m
          ? []
          : [
              [
                [n, 1],
                [m, -1],
              ] as const,
            ],
      ),
    ),
  ]
  for (const shape of shapes) {
    const terms = shape.reduce((f, [n, c]) => addScaled(f, affineName(`$${n}`), c), affineConstant(0))
    const value = (at: At): number => shape.reduce((n, [name, c]) => n + c * at[name]!, 0) // all have the same names
    const constant = first[1] - value(first[0])
    if (points.every(([at, v]) => value(at) + constant === v)) return { ...terms, constant }
  }
  return undefined
}

// ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Leaf {
  readonly region: Nest | Other
  readonly around: readonly HostLoop[]
}

function leavesOf(loop: HostLoop, around: readonly HostLoop[]): readonly Leaf[] | undefined {
  const all = [...around, loop],
    lower = literal(loop.lower)
  if (all.length > mostLoops || lower === undefined || lower < 0 || loop.step !== 1) return undefined
  const inside = loop.body.map((r) => (r.kind === 'host' ? leavesOf(r, all) : [{ region: r, around: all }]))
  return inside.every((l) => l !== undefined) ? inside.flat() : undefined
}

/** A part, its loop and what it uses of arrays that others see. */
interface Seen {
  readonly region: Nest | Other
  readonly apart: readonly Loop[]
  readonly loop: Loop
  readonly locals: readonly LoopStmt[]
  readonly uses: readonly Access[]
  readonly variables: readonly string[]
}

function seenIn(program: Program, region: Nest | Other, around: readonly HostLoop[]): Seen | undefined {
  if (
    region.kind === 'nest'
      ? region.reduction !== undefined || region.parallel.length === 0 || region.before
      : region.kind === 'idiom' || region.parallel === 0
  )
    return undefined
  const body = region.kind === 'nest' ? nestProgram(program, region).body : region.body
  const stmts = body.filter((s) => s.kind !== 'declare'),
    outer = stmts[0],
    variables = around.map((l) => l.variable)
  if (outer?.kind !== 'loop' || stmts.length !== 1) return undefined
  const parallel = perfectNest(outer).loops.slice(0, region.kind === 'nest' ? region.parallel.length : region.parallel)
  const isPlain = (l: Loop): boolean =>
    literal(l.lower) === 0 &&
    l.step === 1 &&
    !readsArray(l.upper) &&
    varsOf(l.upper).size === 0 &&
    !sizesIn(l.upper).some((n) => variables.includes(n))
  const locals = body.filter((s) => s.kind === 'declare'),
    uses = accesses({ ...program, body }).filter((a) => a.declared === undefined)
  const written = new Set(uses.flatMap((a) => (a.kind === 'write' ? [a.array] : [])))
  const chooses = (l: Loop): boolean =>
    uses.every((a) => !written.has(a.array) || a.index.some((e) => isVariable(e, l)))
  const inside = parallel.findIndex((l) => !chooses(l)),
    at = inside < 0 ? parallel.length - 1 : inside,
    loop = parallel[at]
  return loop && parallel.slice(0, at + 1).every(isPlain)
    ? { region, apart: parallel.slice(0, at), loop, locals, uses, variables }
    : undefined
}

const isVariable = (e: Expr, l: Loop): boolean => e.kind === 'var' && e.name === l.name

/**
 * The one dimension of an array that iterations choose; `undefined` where there are more, or some loop around them
 * chooses none, or too many elements are beside.
 */
function placeOf(program: Program, name: string, found: readonly Seen[]): StagedArray | undefined {
  const array = program.arrays.find((a) => a.name === name),
    all = found.flatMap((f) => f.uses.flatMap((a) => (a.array === name ? [{ index: a.index, loops: f.apart }] : [])))
  if (array?.space !== 'global' || bytesOf[array.type] < 4) return undefined
  const count = found[0]!.apart.length // of all parts
  const apart = array.shape.map((_, d) =>
    Array.from({ length: count }, (_, n) => n).find((n) =>
      all.every((a) => a.loops[n] && isVariable(a.index[d]!, a.loops[n])),
    ),
  ) // an index per dimension
  const open = array.shape.flatMap((_, d) =>
    apart[d] !== undefined || all.every((a) => literal(a.index[d]!) !== undefined) ? [] : [d],
  ) // as above
  const others = constantElements(array.shape.filter((_, d) => apart[d] === undefined && !open.includes(d)))
  return open.length === 1 &&
    others <= mostBeside &&
    apart.filter((n) => n !== undefined).length === count &&
    new Set(apart).size > count
    ? { array, place: open[0]!, apart }
    : undefined
}

/** Elements of a structure. */
const mostBeside = 8

// ── windows ───────────────────────────────────────────────────────────────────────────────────────────────────────

class Windows {
  private readonly known = new Map<string, { readonly window: Window; readonly clear: boolean }>()
  private readonly near: readonly {
    readonly place: Expr
    readonly holding: readonly Expr[]
    readonly loops: ReadonlyMap<string, number>
  }[]

  constructor(
    private readonly seen: Seen,
    places: ReadonlyMap<string, number>,
    private readonly shift: number,
  ) {
    const hosted = new Set(seen.variables)
    this.near = seen.uses
      .filter((a) => places.has(a.array))
      .map((a) => {
        const place = a.index[places.get(a.array)!]! // it has that dimension
        const plain = (es: readonly Expr[]): boolean => {
          const found = exponentsIn(es)
          return found !== undefined && es.every((e) => sizesIn(e).every((n) => !hosted.has(n) || found.has(n)))
        }
        const loops = new Map(
          a.loops.flatMap((l, n): [string, number][] =>
            (literal(l.lower) ?? -1) < 0 ? [] : [[l.name, bitsOfVariable * (l.name === seen.loop.name ? 0 : n + 1)]],
          ),
        )
        return {
          place: plain([place]) ? place : sizeOf(''),
          holding: a.holding.flatMap(conjunctsAndGuards).filter((g) => plain([place, g])),
          loops,
        } // a size without a name has no digits
      })
  }

  at(values: At): Window {
    return this.of(values).window
  }
  /** Whether the lowest bit of the window is 0 in all iterations that use something. */
  isClear(values: At): boolean {
    return this.of(values).clear
  }

  private of(values: At): { readonly window: Window; readonly clear: boolean } {
    const key = this.seen.variables.map((v) => values[v]).join(),
      before = this.known.get(key)
    if (before) return before
    let window = nothing
    const found = this.near.map((a) => this.windowOf(a, values)),
      bits: Equalities[] = []
    for (const f of found)
      if (f) {
        window = window === nothing ? f.window : joined(window, f.window)
        bits.push(f.bits)
      }
    const made = { window, clear: window.high > window.low && bits.every((b) => b.of(digitOfBit(window.low)) === 0) }
    this.known.set(key, made)
    return made
  }

  /** Of one access; `undefined` where no iteration makes it. The bits of iterations come first. */
  private windowOf(
    { place, holding, loops }: Windows['near'][number],
    values: At,
  ): { readonly window: Window; readonly bits: Equalities } | undefined {
    const bits = new Equalities(),
      iterations = new Iterations(loops, values, bits)
    if (!iterations.supposeAll(holding)) return undefined
    const digits = iterations.digits(place)
    if (!digits) return { window: everything, bits }
    const own = (k: number): number => (k >= 0 && k < bitsOfVariable ? bits.of(digitOfBit(k)) : 0)
    let low = 0,
      high = digitsOfNumber
    while (low < digitsOfNumber && digits[low] === own(low)) low++
    while (high > 0 && digits[high - 1] === own(high - 1 - this.shift)) high--
    return { window: { low, high }, bits }
  }
}
