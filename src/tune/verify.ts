// In: an analysed program and a built plan. Out: the proof that the plan computes the program: simulated on sizes that
// are no multiples of tiles, on fresh data with poisoned outputs, against the reference in float64.
// Bound: an element of a sum of n terms with rounding unit u differs by at most (n + c)·u·Σ|terms| (Higham, Accuracy and
// Stability, §4.2, any order of summation); Σ|terms| comes from running the program with every term made positive.
import { InternalError } from '../base/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import {
  chooseVariant, elementsOf, hostArray, interpret, isFloat, literal, planValue,
  type Dim3, type Expr, type HostArray, type Plan, type PlanValues, type Program,
} from '../ir/index.ts'
import { eachStmt, mapStmtExprs, substitute } from '../schedule/index.ts'
import { simulate } from '../simulate/index.ts'
import { freshArrays, poison, type Arrays } from './data.ts'

export interface Verification {
  readonly against: 'reference'
  readonly sizes: readonly Readonly<Record<string, number>>[]
  /** Largest error relative to the bound's scale Σ|terms| of its element. */
  readonly maxRelativeError: number
  /** Largest relative error that the bound allows. */
  readonly bound: number
  readonly ok: boolean
  /** What went wrong, when it did. */
  readonly why?: string
}

/** Runs the plan's launches in the simulator, all blocks, in place on `memory` (which holds temporaries too). */
export function runSimulated(plan: Plan, values: PlanValues, memory: Arrays, profile: GpuProfile): readonly string[] {
  const hazards: string[] = []
  for (const launch of chooseVariant(plan, values).launches) {
    const grid = launch.grid.map((e) => planValue(e, values)) as unknown as Dim3 // three in, three out
    if (grid.some((g) => g <= 0)) continue
    const params = Object.fromEntries(Object.entries(launch.params).map(([k, e]) => [k, planValue(e, values)]))
    const buffers = Object.fromEntries(Object.entries(launch.arguments).map(([k, name]) => [k, bufferOf(memory, name)]))
    const { counters } = simulate(launch.kernel, { grid, params, buffers }, profile, { exact: true, check: { races: true, uninitialized: true } })
    for (const h of counters.hazards) hazards.push(`${launch.kernel.name}: ${h.kind}: ${h.message} (${h.example})`)
  }
  return hazards
}

function bufferOf(memory: Arrays, name: string): ArrayBuffer {
  const array = memory[name]
  if (!array) throw new InternalError('tune/verify', `no memory for '${name}'`)
  return array.buffer
}

/** Memory for a run: fresh inputs, poisoned outputs and temporaries. */
export function memoryFor(plan: Plan, values: PlanValues, seed: number): Arrays {
  const memory = freshArrays(plan.arrays, values, seed)
  for (const a of plan.arrays) {
    if (a.role !== 'temp') continue
    const data = hostArray(a.type, elementsOf(a, values))
    poison(data, a.type)
    memory[a.name] = data
  }
  return memory
}

/** Verifies `plan` against `program` on each of `sizes`. */
export function verifyPlan(program: Program, plan: Plan, sizes: readonly Readonly<Record<string, number>>[], profile: GpuProfile, seed: number): Verification {
  let worst = 0, bound = 0
  for (const [i, s] of sizes.entries()) {
    const values: PlanValues = { sizes: s, scalars: Object.fromEntries(program.scalars.map((x, n) => [x.name, x.planned ?? 1.25 - n / 2])) }
    const memory = memoryFor(plan, values, seed + 100 * i)
    const reference = referenceOf(program, values, memory)
    const scale = magnitudeOf(program, values, memory)
    const hazards = runSimulated(plan, values, memory, profile)
    if (hazards.length > 0) return { against: 'reference', sizes, maxRelativeError: worst, bound, ok: false, why: hazards[0]! }
    const terms = termsOf(program, values)
    const allowed = (terms + 16) * unitRoundoff(program)
    bound = Math.max(bound, allowed)
    for (const a of program.arrays) {
      if (a.role !== 'out' && a.role !== 'inout') continue
      const error = compare(memory[a.name]!, reference[a.name]!, scale[a.name]!) // all three have every parameter
      worst = Math.max(worst, error)
      if (!(error <= allowed)) return { against: 'reference', sizes, maxRelativeError: worst, bound, ok: false, why: `${a.name} differs by ${error.toExponential(2)} at ${JSON.stringify(s)}; ${allowed.toExponential(2)} is allowed` }
    }
  }
  return { against: 'reference', sizes, maxRelativeError: worst, bound, ok: true }
}

/** Unit roundoff of the widest error source: the narrowest float type of the program (0 when all is integer). */
function unitRoundoff(program: Program): number {
  const types = program.arrays.map((a) => a.type)
  return types.includes('f16') ? 2 ** -11 : types.includes('f32') ? 2 ** -24 : types.includes('f64') ? 2 ** -53 : 0
}

function wide(memory: Arrays, program: Program): Arrays {
  return Object.fromEntries(program.arrays.filter((a) => memory[a.name] && a.role !== 'temp').map((a): [string, HostArray] => {
    const data = memory[a.name]!
    return [a.name, isFloat(a.type) ? Float64Array.from(data as Float32Array) : data.slice()] // a float array takes numbers
  }))
}

/** What the program gives in float64. */
export function referenceOf(program: Program, values: PlanValues, memory: Arrays): Arrays {
  const arrays = wide(memory, program)
  interpret(program, { ...values, arrays }, { precision: 'f64' })
  return arrays
}

/** Σ|terms| of every element: the program with absolute inputs, differences as sums and constants without sign. */
function magnitudeOf(program: Program, values: PlanValues, memory: Arrays): Arrays {
  const positive: Program = { ...program, body: program.body.map((s) => mapStmtExprs(s, positiveTerms)) }
  const arrays = wide(memory, program)
  for (const data of Object.values(arrays)) if (data instanceof Float64Array) for (let i = 0; i < data.length; i++) data[i] = Math.abs(data[i]!)
  const scalars = Object.fromEntries(Object.entries(values.scalars).map(([k, v]) => [k, Math.abs(v)]))
  interpret(positive, { ...values, scalars, arrays }, { precision: 'f64' })
  return arrays
}

function positiveTerms(e: Expr): Expr {
  switch (e.kind) {
    case 'const': return isFloat(e.type) ? { ...e, value: Math.abs(Number(e.value)) } : e
    case 'var': case 'size': case 'scalar': case 'read': return e
    case 'choose': return { ...e, then: positiveTerms(e.then), else: positiveTerms(e.else) }
    case 'op': {
      if (!isFloat(e.type)) return e
      const args = e.args.map(positiveTerms)
      if (e.op === 'neg') return args[0]!
      return { ...e, op: e.op === 'sub' ? 'add' : e.op, args }
    }
  }
}

/** Largest |got − want| ÷ max(scale, |want|); NaN and wrong integers count as infinite. */
function compare(got: HostArray, want: HostArray, scale: HostArray): number {
  let worst = 0
  for (let i = 0; i < want.length; i++) {
    const g = got[i]!, w = want[i]!
    if (Object.is(g, w) || g === w) continue
    const difference = Math.abs(Number(g) - Number(w)) / Math.max(Math.abs(Number(scale[i])), Math.abs(Number(w)), 1e-30)
    if (!(difference <= worst)) worst = Number.isNaN(difference) ? Infinity : difference
  }
  return worst
}

/** Length of the longest chain of additions into one element: iterations of loops around a store that its index does not use, within the scope of what it stores into. */
function termsOf(program: Program, values: PlanValues): number {
  let most = 1
  const scope = new Map<string, number>()
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'declare') scope.set(s.array.name, around.length) // the last one before a store is the one in scope
    if (s.kind !== 'store' || !s.reduce) return
    let n = 1
    for (const l of around.slice(scope.get(s.array) ?? 0)) {
      const used = s.index.some((e) => substitute(e, new Map([[l.name, { kind: 'const', type: 'i32', value: 0 }]])) !== e)
      if (!used) n *= Math.max(1, extentAt(l.upper, values) - Math.min(0, literal(l.lower) ?? 0))
    }
    most = Math.max(most, n)
  })
  return most
}

/** The value of a bound, an outer loop's variable standing for the largest size. */
function extentAt(e: Expr, values: PlanValues): number {
  const largest = Math.max(1, ...Object.values(values.sizes))
  const free = mapVars(e, largest)
  try { return planValue(free, values) } catch { return largest }
}

function mapVars(e: Expr, value: number): Expr {
  if (e.kind === 'var') return { kind: 'const', type: 'i32', value }
  return e.kind === 'op' ? { ...e, args: e.args.map((a) => mapVars(a, value)) } : e
}
