// In: an analysed program and a built plan. Out: the proof that the plan computes the program: simulated on sizes that
// are no multiples of tiles, on fresh data with poisoned outputs, against the reference in float64.
import { DiagnosticError, InternalError, keyOf, same } from '../base/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import {
  chooseVariant,
  elementsOf,
  executions,
  hostArray,
  isFloat,
  literal,
  meets,
  planValue,
  runsOn,
  type Dim3,
  type Expr,
  type Plan,
  type PlanValues,
  type Program,
  type Size,
} from '../ir/index.ts'
import { eachExpr, eachStmt, ownExprs, sizesIn } from '../schedule/index.ts'
import { compile } from '../simulate/index.ts'
import { expectedOf, type Expected } from './bound.ts'
import { freshArrays, poison, type Arrays } from './data.ts'

export interface Verification {
  readonly against: 'reference'
  readonly sizes: readonly Readonly<Record<string, number>>[]
  /** How many sets of sizes at the edges of what they may be (0, 1, negative) were tried besides. */
  readonly edges: number
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
  const variant = chooseVariant(plan, values)
  const hazards: string[] = []
  const keep = Math.max(2 ** 20, mostKept / variant.launches.length)
  const compiled = variant.launches.map((l) =>
    compile(l.kernel, profile, { check: { races: true, uninitialized: true } }),
  )
  for (const { launch, position, values: at } of executions(variant, values)) {
    const grid = launch.grid.map((e) => planValue(e, at)) as unknown as Dim3 // three in, three out
    if (grid.some((g) => g <= 0)) continue
    const params = Object.fromEntries(Object.entries(launch.params).map(([k, e]) => [k, planValue(e, at)]))
    const buffers = Object.fromEntries(Object.entries(launch.arguments).map(([k, name]) => [k, bufferOf(memory, name)]))
    for (const h of compiled[position]!.hazards({ grid, params, buffers }, keep))
      hazards.push(`${launch.kernel.name}: ${h.kind}: ${h.message} (${h.example})`)
    if (hazards.length > 0) break
  }
  compiled.forEach((c) => c.end())
  return hazards
}

/** Bytes of buffers whose machines all launches together may keep, where each may keep its 1 MiB. */
const mostKept = 2 ** 24

function bufferOf(memory: Arrays, name: string): ArrayBuffer {
  const array = memory[name]
  if (!array) throw new InternalError('tune/verify', `no memory for '${name}'`)
  return array.buffer
}

/** Memory for a run: fresh inputs (see `freshArrays`), poisoned outputs and temporaries. */
export function memoryFor(plan: Plan, values: PlanValues, seed: number, tame = false): Arrays {
  const memory = freshArrays(plan.arrays, values, seed, tame)
  for (const a of plan.arrays) {
    if (a.role !== 'temp') continue
    const data = hostArray(a.type, elementsOf(a, values))
    poison(data, a.type)
    memory[a.name] = data
  }
  return memory
}

/**
 * A plan, and what is left of it on a device that has no room for blocks that meet, or of WebGPU's limits no more than
 * all have: other variants then take their sizes.
 */
export function plansIn(plan: Plan, target: 'wgsl' | 'cuda'): readonly Plan[] {
  const others = plan.variants.filter((v) => (target === 'cuda' ? !meets(v) : runsOn(v)))
  return others.length === plan.variants.length || others.length === 0 ? [plan] : [plan, { ...plan, variants: others }]
}

/** A plan and the sets of sizes that it is verified on. */
export interface Claim {
  readonly plan: Plan
  readonly sizes: readonly Readonly<Record<string, number>>[]
  /** Sizes at the edges of what they may be, tried where the source stays inside of its arrays at them. */
  readonly edges?: readonly Readonly<Record<string, number>>[]
}

/**
 * Verifies `plan` against `program` on each of `sizes`, made smaller where the source itself would leave its arrays.
 */
export const verifyPlan = (
  program: Program,
  plan: Plan,
  sizes: Claim['sizes'],
  profile: GpuProfile,
  seed: number,
): Verification => verifyPlans(program, [{ plan, sizes }], profile, seed)[0]! // one in, one out

/**
 * The same for several plans of one program, whose reference runs once for sizes and data that they share; launches
 * that they share at these run once, too.
 */
export function verifyPlans(
  program: Program,
  claims: readonly Claim[],
  profile: GpuProfile,
  seed: number,
): readonly Verification[] {
  const proofs = claims.map((claim) => new Proof(claim))
  for (let i = 0; i < Math.max(...claims.map((c) => c.sizes.length)); i++) {
    const given = claims.map(({ plan, sizes }) => sizes[i] && keyOf([sizes[i], callersArrays(plan)]))
    for (const key of new Set(given.filter((x) => x !== undefined))) {
      const alike = proofs.filter((_, n) => given[n] === key)
      for (const tame of !divides(program) ? [false] : i === 0 ? [true, false] : [true])
        verifyAt(
          program,
          alike.filter((p) => p.why === undefined),
          i,
          seed + 100 * i,
          tame,
          profile,
        )
    }
  }
  verifyEdges(program, proofs, seed, profile)
  return proofs.map((p) => p.verification())
}

/** The edges of all claims; those at which the source leaves its arrays, or the host refuses, say nothing. */
function verifyEdges(program: Program, proofs: readonly Proof[], seed: number, profile: GpuProfile): void {
  for (const proof of proofs) {
    const { plan, sizes, edges = [] } = proof.claim
    for (const [i, given] of edges.entries()) {
      if (proof.why !== undefined) break
      const turn = sizes.length + i
      try {
        const values: PlanValues = { sizes: given, scalars: edgeScalars(program, turn) }
        const memory = memoryFor(plan, values, seed + 100 * turn, divides(program)),
          expected = expectedOf(program, values, memory)
        proof.note(values, expected, outcomeOf(program, plan, values, memory, expected, profile))
        proof.edges++
      } catch (e) {
        if (!(e instanceof DiagnosticError) || !e.diagnostics.some((d) => isOpen.has(d.code))) throw e
      }
    }
  }
}

/** What a program that C gives a meaning does not do, and what hosts refuse. */
const isOpen: ReadonlySet<string> = new Set([
  'interpret.out-of-bounds',
  'interpret.uninitialised',
  'interpret.endless',
  'interpret.steps',
  'interpret.memory',
  'plan.refused',
])

/** What the caller gives and gets, with its positions, on which data depend. */
const callersArrays = (plan: Plan): readonly unknown[] =>
  plan.arrays.flatMap((a, i) => (a.role === 'temp' ? [] : [[i, a]]))

/** What is known of one plan so far. */
class Proof {
  worst = 0
  bound = 0
  why: string | undefined
  edges = 0
  readonly tried: Readonly<Record<string, number>>[] = []

  constructor(readonly claim: Claim) {}

  /** What a run at `values` says. */
  note(values: PlanValues, expected: Expected, outcome: Outcome): void {
    this.why = outcome.hazard
    if (this.why !== undefined) return
    this.bound = Math.max(this.bound, expected.allowed)
    this.worst = Math.max(this.worst, ...outcome.errors.map((e) => e.error))
    const wrong = outcome.errors.find((e) => !(e.error <= expected.allowed))
    if (!wrong) return
    const at = JSON.stringify({ ...values.sizes, ...values.scalars })
    this.why = `${wrong.array} differs by ${wrong.error.toExponential(2)} at ${at}; ${expected.allowed.toExponential(2)} is allowed`
  }

  verification(): Verification {
    return {
      against: 'reference',
      sizes: this.tried,
      edges: this.edges,
      maxRelativeError: this.worst,
      bound: this.bound,
      ok: this.why === undefined,
      ...(this.why !== undefined && { why: this.why }),
    }
  }
}

/** Verifies plans at the `turn`th of their sizes, which are the same for all. */
function verifyAt(
  program: Program,
  proofs: readonly Proof[],
  turn: number,
  seed: number,
  tame: boolean,
  profile: GpuProfile,
): void {
  const first = proofs[0]
  if (!first) return
  // callers ask for turns that all have
  const { values, memory, expected } = prepared(program, first.claim.plan, first.claim.sizes[turn]!, seed, tame, turn)
  const runs: { readonly plan: Plan; readonly outcome: Outcome }[] = []
  for (const proof of proofs) {
    const { plan } = proof.claim
    const outcome =
      runs.find((r) => runsAlike(plan, r.plan, values))?.outcome ??
      outcomeOf(
        program,
        plan,
        values,
        proof === first ? memory : memoryFor(plan, values, seed, tame),
        expected,
        profile,
      )
    runs.push({ plan, outcome })
    if (!proof.tried.includes(values.sizes)) proof.tried.push(values.sizes)
    proof.note(values, expected, outcome)
  }
}

/** Whether both plans launch the same on the same memory. */
function runsAlike(a: Plan, b: Plan, values: PlanValues): boolean {
  const [x, y] = [chooseVariant(a, values), chooseVariant(b, values)]
  return same([a.arrays, x.launches, x.steps], [b.arrays, y.launches, y.steps])
}

/** How a run went: what it must not do, or the errors of outputs until one is too large. */
interface Outcome {
  readonly hazard?: string
  readonly errors: readonly { readonly array: string; readonly error: number }[]
}

function outcomeOf(
  program: Program,
  plan: Plan,
  values: PlanValues,
  memory: Arrays,
  expected: Expected,
  profile: GpuProfile,
): Outcome {
  const [hazard] = runSimulated(plan, values, memory, profile),
    errors: { array: string; error: number }[] = []
  if (hazard !== undefined) return { hazard, errors }
  for (const a of program.arrays) {
    if (a.role !== 'out' && a.role !== 'inout') continue
    const error = expected.error(a, memory[a.name]!) // plans have every parameter
    errors.push({ array: a.name, error })
    if (!(error <= expected.allowed)) break
  }
  return { errors }
}

/** Integers of the caller, in turns: both values of a flag, both signs, more than a few. */
const scalarsTried = [2, 3, 1, 0, -1, 7, -5]

/**
 * Scalars of a turn at the edges. What something is divided or shifted by stays small and positive: C leaves all else
 * open.
 */
function edgeScalars(program: Program, turn: number): Readonly<Record<string, number>> {
  const bounded = shiftingScalars(program)
  return Object.fromEntries(
    program.scalars.map((x, n) => {
      if (isFloat(x.type)) return [x.name, x.planned ?? 1.25 - n / 2]
      const value = scalarsTried[(n + turn) % scalarsTried.length]! // it is below the length
      if (bounded.has(x.name)) return [x.name, 1 + ((n + turn) % 3)]
      return [x.name, x.type.startsWith('u') ? Math.abs(value) : value]
    }),
  )
}

/** Scalars that something is divided or shifted by. */
function shiftingScalars(program: Program): ReadonlySet<string> {
  const found = new Set<string>()
  const note = (e: Expr): void =>
    eachExpr(e, (x) => {
      if (x.kind === 'scalar') found.add(x.name)
    })
  eachStmt(program.body, (s) =>
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'op' && bounding.has(x.op) && !isFloat(x.type)) note(x.args[1]!) // two arguments
      }),
    ),
  )
  return found
}

const bounding: ReadonlySet<string> = new Set(['div', 'rem', 'shl', 'shr'])

/**
 * Data and what must come out, at `given` sizes or the nearest ones at which the source stays inside its arrays: longer
 * arrays first, then powers of two where the source shifts or exchanges by variables, then fewer iterations.
 */
function prepared(
  program: Program,
  plan: Plan,
  given: Readonly<Record<string, number>>,
  seed: number,
  tame: boolean,
  turn: number,
): { values: PlanValues; memory: Arrays; expected: Expected } {
  const scalars = Object.fromEntries(
    program.scalars.map((x, n) => [x.name, x.planned ?? (isFloat(x.type) ? 1.25 - n / 2 : 1 + ((n + turn + 1) % 3))]),
  )
  const lengths = lengthsOf(program),
    longest = Math.max(64, ...Object.values(given))
  const longer =
    lengths.size > 0
      ? [2, 8].map((by) =>
          Object.fromEntries(program.sizes.map((s) => [s.name, lengths.has(s.name) ? by * longest : given[s.name]!])),
        )
      : [] // every size has a value
  const others = [
    ...longer,
    ...(countsInBits(program)
      ? [
          Object.fromEntries(
            program.sizes.map((s) => [
              s.name,
              lengths.has(s.name) || s.fixed
                ? given[s.name]!
                : Math.max(s.min, 2 ** Math.floor(Math.log2(Math.max(1, given[s.name]!)))),
            ]),
          ),
        ]
      : []),
  ] // as above
  for (let sizes = given; ; ) {
    const values: PlanValues = { sizes, scalars }
    const memory = memoryFor(plan, values, seed, tame)
    try {
      return { values, memory, expected: expectedOf(program, values, memory) }
    } catch (e) {
      const smaller = Object.fromEntries(
        program.sizes.map((s) => [
          s.name,
          lengths.has(s.name) || sizes[s.name] === fixedAt(s)
            ? sizes[s.name]!
            : Math.max(s.min, Math.floor(sizes[s.name]! * 0.8)),
        ]),
      ) // every size has a value
      const next = others.shift() ?? smaller
      const outside = e instanceof DiagnosticError && e.diagnostics.some((d) => d.code === 'interpret.out-of-bounds')
      if (!outside || Object.entries(next).every(([k, v]) => sizes[k] === v)) throw e
      sizes = next
    }
  }
}

/** Whether it shifts or exchanges by what is no literal, as transforms of powers of two do. */
function countsInBits(program: Program): boolean {
  let found = false
  eachStmt(program.body, (s) =>
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'op' && (x.op === 'shl' || x.op === 'xor') && literal(x.args[1]!) === undefined) found = true
      }),
    ),
  ) // two arguments
  return found
}

const fixedAt = (s: Size): number | undefined => (s.fixed ? s.planned : undefined)

/** Sizes that say how long arrays are and nothing else. */
export function lengthsOf(program: Program): ReadonlySet<string> {
  const used = new Set<string>()
  eachStmt(program.body, (s) => ownExprs(s).forEach((e) => sizesIn(e).forEach((name) => used.add(name))))
  return new Set(program.sizes.map((s) => s.name).filter((name) => !used.has(name)))
}

/** Whether data decides how errors grow: divisors and arguments of roots and logarithms near zero. */
function divides(program: Program): boolean {
  let found = false
  eachStmt(program.body, (s) =>
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (
          x.kind === 'op' &&
          isFloat(x.type) &&
          (x.op === 'div' || x.op === 'sqrt' || x.op === 'log' || x.op === 'pow')
        )
          found = true
      }),
    ),
  )
  return found
}
