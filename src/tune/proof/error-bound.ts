// In: a program, sizes and the data of a run. Out: what the program gives in float64, and how far from it a correct run
// in its own precision may be. The one idea: an element of a sum of n terms with rounding unit u differs by at most (n
// + c)·u·Σ|terms| (Higham, Accuracy and Stability, §4.2, any order of summation); Σ|terms| comes from running the
// program with every term made positive. Where that says nothing (it grows exponentially in recurrences with
// subtractions, and in exponentials of differences), what the source itself loses, run in order in single precision,
// stands in for it.
import {
  exprKey,
  hostArray,
  interpret,
  isFloat,
  literal,
  meantAt,
  op,
  planValue,
  toSingle,
  type ArrayDecl,
  type Expr,
  type HostArray,
  type Loop,
  type OpName,
  type PlanValues,
  type Program,
  eachExpr,
  eachExprIn,
  someExpr,
  eachStmt,
  mapStmtExprs,
  ownExprs,
  substitute,
  someExprIn,
  someStmt,
  readsIn,
  type LoopStmt,
} from '../../ir/index.ts'
import type { ArrayData } from '../run-data.ts'
import { countingTurns } from './counted-turns.ts'
import { isInexact, movedRuns, type MovedRuns, type Promises } from './promised-precision.ts'

/** What a run is compared with, and how. */
export interface Expected {
  /** Largest error relative to Σ|terms| of an element that rounding allows. */
  readonly allowed: number
  /**
   * The error of an output relative to that scale, or (where that tells nothing) the share of what the source loses, in
   * units of `allowed`. `promises`: what the target leaves to each operation is allowed on top.
   */
  error(array: ArrayDecl, got: HostArray, promises?: Promises): Judged
  /** Arrays that nobody need give (role `out`), of which the program leaves an element as it was. */
  leftAsGiven(): readonly string[]
}

export interface Judged {
  /** Relative to Σ|terms|. */
  readonly error: number
  /** What is allowed for it; right when the error is at most that. */
  readonly allowed: number
  /** The share of its integers that hang on inexact operations and came out as one of several that are allowed. */
  readonly hangs?: number
  /**
   * Too many elements are no number in some of the runs that the target's promises allow, so that nothing can be said.
   */
  readonly isOpen?: true
}

/** Below this, differences are those of denormals. */
const smallestScale = 1e-30
/** Σ|terms| this many times larger than all results tells nothing, but of polynomials. */
const mostCancellation = 1024
/**
 * Where all results are this much smaller than the data, nothing is left of them (a softmax of one number less 1): they
 * are measured by the data.
 */
const allCancels = 2 ** -40
/** A run in another order may lose this many times what the source loses. */
const reordering = 64
/** A run may lose this many times what the worst of a few moved runs of the source loses: errors of several operations
 * need not have met in those. */
const luck = 8
/** Share of elements that may be ill-conditioned: their moved runs give no numbers. */
const mostUnjudged = 0.01

/**
 * `memory` is not changed, and may change afterwards. Throws what the interpreter throws, also for indices outside of
 * arrays.
 */
export function expectedOf(given: Program, values: PlanValues, memory: ArrayData): Expected {
  const program = meantAt(given, values)
  const { reference, turnsOf } = countedReference(program, values, memory)
  const allowed = (termsOf(program, values, turnsOf) + 16) * unitRoundoff(program),
    isBound = isPiecewisePolynomial(program)
  // the run that is judged works in place
  const before = Object.fromEntries(Object.entries(memory).map(([name, data]) => [name, data.slice()]))
  const mostOf = (want: HostArray): number => {
    if (isBound) return Infinity
    const result = largest(want)
    if (result >= allCancels) return mostCancellation * result
    const data = Math.max(0, ...floatsOf(program).map((name) => largest(before[name]!)))
    return mostCancellation * (result < allCancels * data ? data : result) // a parameter has data
  }
  // Only floats are judged by the size of their terms.
  let magnitudes: ArrayData | undefined
  const scaleOf = (array: ArrayDecl): HostArray => {
    magnitudes ??= magnitudeOf(program, values, before, isBound)
    return magnitudes[array.name]! // every parameter
  }
  let single: ArrayData | undefined
  const moved = new Map<string, MovedRuns | null>()
  const movedFor = (promises: Promises): MovedRuns | null => {
    const key = `${promises.target} ${promises.rounded}`
    const known = moved.get(key)
    if (known !== undefined) return known
    const runs = isInexact(program, promises, operationsOf(program))
      ? movedRuns(program, values, before, promises)
      : null
    moved.set(key, runs)
    return runs
  }
  const judged = (array: ArrayDecl, got: HostArray, error: number, promises: Promises | undefined): Judged => {
    const runs = error <= allowed || !promises ? null : movedFor(promises)
    if (!runs) return { error, allowed }
    const want = reference[array.name]!,
      most = mostOf(want) // every parameter has a reference
    const others = runs.map((r) => r[array.name]!)
    return isFloat(array.type)
      ? amongMoved(got, want, others, scaleOf(array), most, allowed)
      : oneOfSeveral(got, want, others, allowed)
  }
  return {
    allowed,
    error: (array, got, promises) => {
      const plain = plainError(array, got)
      return judged(array, got, plain, promises)
    },
    leftAsGiven: () => leftAsGiven(program, values, before, reference),
  }

  function plainError(array: ArrayDecl, got: HostArray): number {
    const want = reference[array.name]!,
      most = mostOf(want) // every parameter has a reference
    // Integers are right or wrong: a place that is off by one is no matter of rounding, however large it is.
    const error = isFloat(array.type) ? compare(got, want, scaleOf(array), most) : wrongIntegers(got, want)
    if (error <= allowed) return error
    single ??= singleOf(program, values, before)
    // every parameter
    if (!isFloat(array.type)) return hasFloats(program) && oneOfTwo(got, want, single[array.name]!) ? 0 : error
    return Math.min(
      error,
      allowed * shareOfLoss(got, want, single[array.name]!, array.type === 'f64' ? 2 ** -29 : 1, unitRoundoff(program)),
    ) // every parameter
  }
}

const floatsOf = (program: Program): readonly string[] =>
  program.arrays.filter((a) => isFloat(a.type) && (a.role === 'in' || a.role === 'inout')).map((a) => a.name)

const polynomial: ReadonlySet<OpName> = new Set<OpName>([
  ...(['add', 'sub', 'mul', 'neg', 'fma', 'min', 'max', 'abs', 'convert'] as const),
])

/**
 * Whether all floats that a program computes are polynomials of its inputs, or the lesser, the larger or the absolute
 * value of such, of a degree that no size raises: then Σ|terms| bounds what rounding loses, however much of it cancels
 * (|min(a, b) − min(a', b')| ≤ max(|a − a'|, |b − b'|)).
 */
function isPiecewisePolynomial(program: Program): boolean {
  const isOther = (s: LoopStmt): boolean =>
    s.kind === 'store' && !!s.reduce && s.reduce !== 'add' && someExpr(s.value, (x) => isFloat(x.type))
  const jumps = (x: Expr): boolean => {
    if (x.kind === 'op' && x.op === 'convert' && !isFloat(x.type)) return isFloat(x.args[0]!.type) // it has one
    const c = chosen(x)
    return !!c && isFloat(x.type) && !isExtreme(c) && someExpr(c.condition, (y) => isFloat(y.type))
  }
  return (
    !someStmt(program.body, isOther) &&
    !someExprIn(
      program.body,
      (x) => jumps(x) || (x.kind === 'op' && isFloat(x.type) && !polynomial.has(x.op) && !chosen(x)),
    ) &&
    !hasCycle(readsOf(program))
  )
}

interface Chosen {
  readonly condition: Expr
  readonly values: readonly [Expr, Expr]
}

/** What `?:` and `select` choose between. */
function chosen(e: Expr): Chosen | undefined {
  if (e.kind === 'choose') return { condition: e.condition, values: [e.then, e.else] }
  if (e.kind !== 'op' || e.op !== 'select') return undefined
  const [condition, then, otherwise] = e.args
  return { condition: condition!, values: [then!, otherwise!] } // three arguments
}

const orders: ReadonlySet<OpName> = new Set<OpName>(['lt', 'le', 'gt', 'ge'])

/** Whether one of two values is chosen by which of them is less: the lesser or the larger. */
function isExtreme({ condition, values }: Chosen): boolean {
  if (condition.kind !== 'op' || !orders.has(condition.op)) return false
  const compared = condition.args.map(exprKey),
    [a, b] = values.map(exprKey)
  return (compared[0] === a && compared[1] === b) || (compared[0] === b && compared[1] === a)
}

/** The arrays that are read for what is stored in each. */
function readsOf(program: Program): ReadonlyMap<string, ReadonlySet<string>> {
  const reads = new Map<string, Set<string>>()
  eachStmt(program.body, (s) => {
    if (s.kind !== 'store') return
    const own = reads.get(s.array) ?? new Set()
    reads.set(s.array, own)
    for (const r of readsIn([s])) own.add(r.array)
  })
  return reads
}

/** Whether something depends on itself. */
function hasCycle(on: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const above = new Set<string>(),
    done = new Set<string>()
  const visit = (name: string): boolean => {
    if (above.has(name)) return true
    if (done.has(name)) return false
    above.add(name)
    const isOne = [...(on.get(name) ?? [])].some(visit)
    above.delete(name)
    done.add(name)
    return isOne
  }
  return [...on.keys()].some(visit)
}

/** Operations on floats, and all others, by name. */
function operationsOf(program: Program): ReadonlySet<OpName> {
  const found = new Set<OpName>()
  eachExprIn(program.body, (x) => {
    if (x.kind === 'op') found.add(x.op)
  })
  return found
}

/**
 * The error that is nearest to what its element may have, and what that may have: what rounding allows, and what the
 * moved runs lose there or, where they lost little by chance, on the average.
 */
function amongMoved(
  got: HostArray,
  want: HostArray,
  runs: readonly HostArray[],
  scale: HostArray,
  most: number,
  allowed: number,
): Judged {
  const losses = Float64Array.from({ length: want.length }, (_, i) =>
    Math.max(...runs.map((r) => lossOf(Number(r[i]), Number(want[i])))),
  )
  const finite = losses.filter((l) => l < Infinity)
  const mean = finite.reduce((sum, l) => sum + l, 0) / Math.max(1, finite.length)
  let worst: Judged = { error: 0, allowed },
    unjudged = 0
  for (let i = 0; i < want.length; i++) {
    const g = Number(got[i]),
      w = Number(want[i])
    if (Object.is(g, w) || g === w) continue
    if (losses[i] === Infinity) {
      unjudged++
      continue
    }
    const size = Math.abs(Number(scale[i]))
    const unit = Math.max(size < most ? size : most, Math.abs(w), smallestScale)
    const error = Math.abs(g - w) / unit,
      may = allowed + (luck * Math.max(losses[i]!, mean)) / unit // as long as `want`
    if (!(error / may <= worst.error / worst.allowed))
      worst = { error: Number.isNaN(error) ? Infinity : error, allowed: may }
  }
  const isOpen = unjudged > mostUnjudged * want.length
  return isOpen ? { error: Infinity, allowed: worst.allowed, isOpen } : worst
}

/** How far a moved run is from the reference; infinite where one of them is no number. */
function lossOf(moved: number, want: number): number {
  if (Object.is(moved, want)) return 0
  const loss = Math.abs(moved - want)
  return Number.isNaN(loss) ? Infinity : loss
}

/** Integers that hang on inexact numbers are between those of the moved runs. */
function oneOfSeveral(got: HostArray, want: HostArray, runs: readonly HostArray[], allowed: number): Judged {
  let differs = 0
  for (let i = 0; i < want.length; i++) {
    const all = [want, ...runs].map((r) => r[i]!) // all are as long
    if (got[i] === want[i]) continue
    if (all.every((x) => got[i]! < x) || all.every((x) => got[i]! > x)) return { error: Infinity, allowed: 0 }
    differs++
  }
  return { error: 0, allowed, hangs: differs / Math.max(1, want.length) }
}

/** Unit roundoff of the widest error source: the narrowest float type of the program (0 when all is integer). */
function unitRoundoff(program: Program): number {
  const types = program.arrays.map((a) => a.type)
  return types.includes('f16') ? 2 ** -11 : types.includes('f32') ? 2 ** -24 : types.includes('f64') ? 2 ** -53 : 0
}

function wide(memory: ArrayData, program: Program): ArrayData {
  return Object.fromEntries(
    program.arrays
      .filter((a) => memory[a.name] && a.role !== 'temp')
      .map((a): [string, HostArray] => {
        const data = memory[a.name]!
        // a float array takes numbers
        return [a.name, isFloat(a.type) ? Float64Array.from(data as Float32Array) : data.slice()]
      }),
  )
}

/** Arrays of role `out` of which an element of the result is as it was, and another when it was another. */
function leftAsGiven(program: Program, values: PlanValues, before: ArrayData, reference: ArrayData): readonly string[] {
  const isKept = (name: string, i: number, others: ArrayData): boolean =>
    Object.is(Number(reference[name]![i]), Number(others[name]![i])) // every output has both
  const outputs = program.arrays.filter((a) => a.role === 'out'),
    suspects = outputs.map((a) => a.name).filter((name) => someIndex(reference[name]!, (i) => isKept(name, i, before)))
  if (suspects.length === 0) return []
  const cleared = Object.fromEntries(outputs.map((a) => [a.name, hostArray(a.type, before[a.name]!.length)])),
    again = referenceOf(program, values, { ...before, ...cleared })
  return suspects.filter((name) =>
    someIndex(reference[name]!, (i) => isKept(name, i, before) && !isKept(name, i, again)),
  )
}

function someIndex(data: HostArray, holds: (i: number) => boolean): boolean {
  for (let i = 0; i < data.length; i++) if (holds(i)) return true
  return false
}

/** What the program gives in float64. Throws a `DiagnosticError` beyond `maxSteps` iterations of loops, where given. */
export function referenceOf(program: Program, values: PlanValues, memory: ArrayData, maxSteps?: number): ArrayData {
  const arrays = wide(memory, program)
  interpret(program, { ...values, arrays }, { precision: 'f64', ...(maxSteps !== undefined && { maxSteps }) })
  return arrays
}

/** The same, and how many iterations its loops took that only data end. */
function countedReference(
  program: Program,
  values: PlanValues,
  memory: ArrayData,
): { readonly reference: ArrayData; readonly turnsOf: (l: Loop) => number | undefined } {
  const counting = countingTurns(program)
  if (!counting.counts) return { reference: referenceOf(program, values, memory), turnsOf: () => undefined }
  const { name, type } = counting.counts,
    all = referenceOf(counting.program, values, { ...memory, [name]: hostArray(type, counting.positions.size) })
  const { [name]: turns, ...reference } = all
  return {
    reference,
    turnsOf: (l) => {
      const position = counting.positions.get(l)
      return position === undefined ? undefined : Number(turns![position]) // the program wrote it
    },
  }
}

/**
 * Σ|terms| of every element: the program with absolute inputs, differences as sums and constants without sign; where it
 * is to be a bound (`isBound`), the larger of what the source takes the lesser of.
 */
export function magnitudeOf(program: Program, values: PlanValues, memory: ArrayData, isBound = false): ArrayData {
  const terms = (e: Expr): Expr => positiveTerms(e, isBound)
  const positive: Program = { ...program, body: program.body.map((s) => mapStmtExprs(s, terms)) }
  const arrays = wide(memory, program)
  for (const data of Object.values(arrays))
    if (data instanceof Float64Array) for (let i = 0; i < data.length; i++) data[i] = Math.abs(data[i]!)
  const scalars = Object.fromEntries(Object.entries(values.scalars).map(([k, v]) => [k, Math.abs(v)]))
  interpret(positive, { ...values, scalars, arrays }, { precision: 'f64' })
  return arrays
}

function positiveTerms(e: Expr, isBound: boolean): Expr {
  const terms = (x: Expr): Expr => positiveTerms(x, isBound)
  const c = isBound ? chosen(e) : undefined
  if (c && isFloat(e.type) && isExtreme(c)) return op('max', c.values.map(terms))
  switch (e.kind) {
    case 'const':
      return isFloat(e.type) ? { ...e, value: Math.abs(Number(e.value)) } : e
    case 'var':
    case 'size':
    case 'scalar':
    case 'read':
      return e
    case 'choose':
      return { ...e, then: terms(e.then), else: terms(e.else) }
    case 'op': {
      if (!isFloat(e.type)) return e
      const args = e.args.map(terms)
      if (e.op === 'neg') return args[0]!
      if (e.op === 'convert' && !isFloat(e.args[0]!.type)) return op('abs', [{ ...e, args }]) // it has one
      return { ...e, op: e.op === 'sub' ? 'add' : e.op === 'min' && isBound ? 'max' : e.op, args }
    }
  }
}

/** Infinite when an integer differs. */
const wrongIntegers = (got: HostArray, want: HostArray): number => (want.every((w, i) => got[i] === w) ? 0 : Infinity)

/** Largest |got − want| ÷ max(min(scale, most), |want|); NaN counts as infinite. */
function compare(got: HostArray, want: HostArray, scale: HostArray, most: number): number {
  let worst = 0
  for (let i = 0; i < want.length; i++) {
    const g = got[i]!,
      w = want[i]!
    if (Object.is(g, w) || g === w) continue
    const size = Math.abs(Number(scale[i]))
    const difference =
      Math.abs(Number(g) - Number(w)) / Math.max(size < most ? size : most, Math.abs(Number(w)), smallestScale)
    if (!(difference <= worst)) worst = Number.isNaN(difference) ? Infinity : difference
  }
  return worst
}

const hasFloats = (program: Program): boolean => someExprIn(program.body, (x) => isFloat(x.type))

/**
 * Whether each element is what one of two runs gives: an integer that a comparison of floats decides (how many steps
 * until a value escapes) may differ between float64 and the source's own precision, and both are what the source means.
 */
function oneOfTwo(got: HostArray, want: HostArray, single: HostArray): boolean {
  for (let i = 0; i < want.length; i++) if (got[i] !== want[i] && got[i] !== single[i]) return false
  return true
}

/** The largest finite magnitude. */
function largest(data: HostArray): number {
  let most = 0
  for (const x of data) {
    const m = Math.abs(Number(x))
    if (m > most && m < Infinity) most = m
  }
  return most
}

/** The program in order in single precision. */
function singleOf(program: Program, values: PlanValues, memory: ArrayData): ArrayData {
  const narrow = toSingle(program)
  const arrays = Object.fromEntries(
    program.arrays
      .filter((a) => memory[a.name] && a.role !== 'temp')
      .map((a): [string, HostArray] => {
        const data = memory[a.name]!
        return [a.name, a.type === 'f64' ? Float32Array.from(data as Float64Array) : data.slice()]
      }),
  )
  interpret(narrow, { ...values, arrays })
  return arrays
}

/**
 * The error of `got` as a share of what a run in another order may lose: `ratio` for wider types times what the source
 * loses. Elements that this run has not as numbers say nothing.
 */
function shareOfLoss(got: HostArray, want: HostArray, single: HostArray, ratio: number, unit: number): number {
  let loss = 0,
    error = 0
  for (let i = 0; i < want.length; i++) {
    const lost = Math.abs(Number(single[i]) - Number(want[i]))
    if (!Number.isFinite(lost)) continue
    const e = Math.abs(Number(got[i]) - Number(want[i]))
    loss = Math.max(loss, lost)
    error = e <= error ? error : Number.isNaN(e) ? Infinity : e
  }
  return error === 0 ? 0 : error / (reordering * (ratio * loss + unit * largest(want)))
}

/**
 * Length of the longest chain of roundings into one element: for a reduction the iterations of loops around a store
 * that its index does not use, within the scope of what it stores into; for an assignment that reads what others of its
 * kind wrote, in every loop around it, as long as all of them together. Loops that only data end have as many as they
 * took.
 */
function termsOf(program: Program, values: PlanValues, turnsOf: (l: Loop) => number | undefined): number {
  let most = 1
  const scope = new Map<string, number>()
  const written = new Set<string>()
  eachStmt(program.body, (s) => {
    if (s.kind === 'store') written.add(s.array)
  })
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'declare') scope.set(s.array.name, around.length) // the last one before a store is the one in scope
    if (s.kind !== 'store') return
    const recurrent = ownExprs(s).some((e) => readsOneOf(e, written))
    if (!s.reduce && !recurrent) return
    const loops = around.slice(scope.get(s.array) ?? 0)
    const extents = loops.map((l) =>
      Math.max(1, turnsOf(l) ?? extentAt(l.upper, values) - Math.min(0, literal(l.lower) ?? 0)),
    )
    const unused = loops.map(
      (l) => !s.index.some((e) => substitute(e, new Map([[l.name, { kind: 'const', type: 'i32', value: 0 }]])) !== e),
    )
    const repeated = extents.reduce((n, e, i) => (unused[i] ? n * e : n), 1)
    const along = extents.reduce((n, e, i) => (unused[i] ? n : n + e), 0)
    most = Math.max(most, s.reduce && !recurrent ? repeated : (repeated + along) * operations(s.value))
  })
  return most
}

function readsOneOf(e: Expr, arrays: ReadonlySet<string>): boolean {
  return someExpr(e, (x) => x.kind === 'read' && arrays.has(x.array))
}

function operations(e: Expr): number {
  let n = 1
  eachExpr(e, (x) => {
    if (x.kind === 'op' && isFloat(x.type)) n++
  })
  return n
}

/**
 * The value of a bound, an outer loop's variable standing for the largest size; what doubles with such a variable is no
 * larger than that.
 */
function extentAt(e: Expr, values: PlanValues): number {
  const largest = Math.max(1, ...Object.values(values.sizes))
  const free = mapVars(e, largest)
  const doubles = someExpr(e, (x) => x.kind === 'op' && x.op === 'shl' && x.args[1]!.kind !== 'const') // two arguments
  try {
    return doubles ? Math.min(largest, planValue(free, values)) : planValue(free, values)
  } catch {
    return largest
  }
}

function mapVars(e: Expr, value: number): Expr {
  if (e.kind === 'var') return { kind: 'const', type: 'i32', value }
  return e.kind === 'op' ? { ...e, args: e.args.map((a) => mapVars(a, value)) } : e
}
