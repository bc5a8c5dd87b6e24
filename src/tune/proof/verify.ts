// In: an analysed program and a built plan. Out: the proof that the plan computes the program: simulated on sizes that
// are no multiples of tiles, on fresh data with poisoned outputs, against the reference in float64.
import { applied, attempted, InternalError, isInapplicable, keyOf, same, setLast } from '../../base/index.ts'
import { kernelsThatRound } from '../../emit/index.ts'
import type { GpuProfile } from '../../gpus/index.ts'
import {
  allStatements,
  allVariants,
  asMask,
  chooseVariant,
  elementsOf,
  executions,
  hostArray,
  isFloat,
  literal,
  maskSizes,
  meantAt,
  planValue,
  eachExpr,
  eachExprIn,
  sizesIn,
  someExprIn,
  isFixed,
  type Dim3,
  type Expr,
  type Plan,
  type PlanVariant,
  type Kernel,
  type OpName,
  type PlanValues,
  type Program,
  type Size,
  type TargetName,
  type Verified,
} from '../../ir/index.ts'
import { changeTo, comparedIn, type Compared } from './compared-values.ts'
import { Coverage, executedIn } from './coverage.ts'
import { compileKernel, worstCase } from '../../simulate/index.ts'
import { expectedOf, type Expected, type Judged } from './error-bound.ts'
import { isForAll } from '../default-limits.ts'
import { lengthsOf } from '../estimate.ts'
import { freshArrays, fillWithPoison, type ArrayData } from '../run-data.ts'
import type { Promises } from './promised-precision.ts'

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
  /** Outputs for which more than 1e-2 is allowed: of whom, and how much, in words. */
  readonly loose?: readonly string[]
  /** Variants, kernels and branches that ran at none of the sizes, a sentence each. */
  readonly unreached?: readonly string[]
}

/**
 * Runs the plan's launches in the simulator, all blocks, in place on `memory` (which holds temporaries too). `worst`:
 * as the worst that a target allows. `executed`: is given what ran, as `Coverage` notes it.
 */
export function runSimulated(
  plan: Plan,
  values: PlanValues,
  memory: ArrayData,
  profile: GpuProfile,
  worst?: Worst,
  executed?: Map<number, ReadonlySet<number>>,
): readonly string[] {
  const variant = chooseVariant(plan, values)
  const hazards: string[] = [],
    launched = new Set<number>()
  const keep = Math.max(2 ** 20, mostKept / variant.launches.length)
  const compiled = kernelsOf(variant, worst).map((kernel) =>
    compileKernel(kernel, profile, { check: { races: true, uninitialized: true } }),
  )
  for (const { launch, position, values: at } of executions(variant, values)) {
    const grid = launch.grid.map((e) => planValue(e, at)) as unknown as Dim3 // three in, three out
    if (grid.some((g) => g <= 0)) continue
    const params = Object.fromEntries(Object.entries(launch.params).map(([k, e]) => [k, planValue(e, at)]))
    const buffers = Object.fromEntries(Object.entries(launch.arguments).map(([k, name]) => [k, bufferOf(memory, name)]))
    for (const h of compiled[position]!.hazards({ grid, params, buffers }, keep))
      hazards.push(`${launch.kernel.name}: ${h.kind}: ${h.message} (${h.example})`)
    launched.add(position)
    if (hazards.length > 0) break
  }
  for (const position of executed ? launched : [])
    executed!.set(position, executedIn(compiled[position]!.kernel, compiled[position]!.executed))
  compiled.forEach((c) => c.end())
  return hazards
}

/** What a plan's kernels are run as. */
export interface Worst {
  readonly target: TargetName
  readonly seed: number
  /** Kernels whose quotients and roots are emitted rounded to nearest. */
  readonly rounded: ReadonlySet<Kernel>
}

const kernelsOf = (variant: Plan['variants'][number], worst: Worst | undefined): readonly Verified<Kernel>[] =>
  variant.launches.map(({ kernel }) =>
    worst ? worstCase(kernel, { target: worst.target, seed: worst.seed, rounded: worst.rounded.has(kernel) }) : kernel,
  )

/** Bytes of buffers whose machines all launches together may keep, where each may keep its 1 MiB. */
const mostKept = 2 ** 24

function bufferOf(memory: ArrayData, name: string): ArrayBuffer {
  const array = memory[name]
  if (!array) throw new InternalError('tune/verify', `no memory for '${name}'`)
  return array.buffer
}

/** Memory for a run: fresh inputs (see `freshArrays`), poisoned outputs and temporaries. */
export function memoryFor(plan: Plan, values: PlanValues, seed: number, tame = false): ArrayData {
  const memory = freshArrays(plan.arrays, values, seed, tame)
  for (const a of plan.arrays) {
    if (a.role !== 'temp') continue
    const data = hostArray(a.type, elementsOf(a, values))
    fillWithPoison(data, a.type)
    memory[a.name] = data
  }
  return memory
}

/**
 * A plan, and what is left of it on a device that has no room for blocks that meet, or of WebGPU's limits no more than
 * all have: other variants then take their sizes.
 */
export function plansIn(plan: Plan, target: 'wgsl' | 'cuda'): readonly Plan[] {
  const isLeft = (v: PlanVariant): boolean => isForAll(v, target)
  const variants = plan.variants.filter(isLeft),
    left = { ...plan, variants, ...(plan.empty && { empty: plan.empty.filter(isLeft) }) }
  return allVariants(left).length === allVariants(plan).length || variants.length === 0 ? [plan] : [plan, left]
}

/** A plan and the sets of sizes that it is verified on. */
export interface Claim {
  readonly plan: Plan
  readonly sizes: readonly Readonly<Record<string, number>>[]
  /** Whose promises it is proved with; operations as the interpreter defines them when absent. */
  readonly target?: TargetName
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
  const proofs = claims.map((claim) => new Proof(claim, seed))
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
  const tame = divides(program)
  /** Behind the edges stands a turn with data about which conditions ask. */
  const dataAt = (plan: Plan, values: PlanValues, turn: number, compared?: Compared): ArrayData => {
    const memory = memoryFor(plan, values, seed + 100 * turn, tame)
    if (compared) changeTo(compared, plan.arrays, memory, seed + 100 * turn)
    return memory
  }
  // A root of what is exactly 0, as the variance of one number, may be no number under a target's promises: the
  // kernel is then judged by operations as they are defined.
  const asDefined = (proof: Proof, values: PlanValues, turn: number, compared?: Compared): Outcome => {
    const memory = dataAt(proof.claim.plan, values, turn, compared)
    const own = { claim: proof.claim, worst: undefined, promises: undefined }
    return outcomeOf(program, own, values, memory, expectedOf(program, values, memory), profile)
  }
  // Targets differ in their plans, hardly in their edges: what the source answers there is asked once.
  const answers = new Map<string, Expected>()
  for (const proof of proofs) {
    const { plan, sizes, edges = [] } = proof.claim,
      compared = comparedIn(program, plan.arrays, tame),
      small = sizes[1] ?? sizes[0]
    const isAsked = edges.length > 0 && compared.size > 0 && small !== undefined
    const turns: readonly { readonly given: Claim['sizes'][number]; readonly compared?: Compared }[] = [
      ...edges.map((given) => ({ given })),
      ...(isAsked ? [{ given: small, compared }] : []),
    ]
    for (const [i, { given, compared }] of turns.entries()) {
      if (proof.why !== undefined) break
      const turn = sizes.length + i
      const found = attempted(() => {
        const values: PlanValues = { sizes: given, scalars: edgeScalars(program, turn) }
        const memory = dataAt(plan, values, turn, compared)
        const asked = keyOf([values, turn, compared !== undefined, callersArrays(plan)])
        const expected = answers.get(asked) ?? expectedOf(program, values, memory)
        answers.set(asked, expected)
        const outcome = outcomeOf(program, proof, values, memory, expected, profile),
          isOpenHere = outcome.errors.some((e) => e.isOpen)
        proof.note(values, expected, isOpenHere ? asDefined(proof, values, turn, compared) : outcome)
        return outcome
      })
      if (isInapplicable(found) && found.inapplicable.some((d) => isOpen.has(d.code))) continue
      applied(found)
      if (!compared) proof.edges++
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

/** What a target promises of the operations of a plan. */
export function promisesOf(plan: Plan, target: TargetName, rounded = kernelsThatRound(plan)): Promises {
  const all = plan.variants.flatMap((v) => v.launches.map((l) => l.kernel))
  return { target, rounded: all.every((k) => rounded.has(k) || !roundsOnDemand(k)) }
}

/** What is known of one plan so far. */
class Proof {
  largest = 0
  bound = 0
  why: string | undefined
  edges = 0
  readonly tried: Readonly<Record<string, number>>[] = []
  readonly worst: Worst | undefined
  /** Rounded: whether all kernels that have quotients, roots and powers round them. */
  readonly promises: Promises | undefined
  private readonly coverage = new Coverage()
  private readonly allowances = new Map<string, number>()
  private readonly hanging = new Map<string, number>()

  constructor(
    readonly claim: Claim,
    seed: number,
  ) {
    const { plan, target } = claim
    if (!target) return
    const rounded = kernelsThatRound(plan)
    this.worst = { target, seed, rounded }
    this.promises = promisesOf(plan, target, rounded)
  }

  /** Notes what was allowed for an output. */
  allow({ array, allowed, hangs }: Judged & { readonly array: string }): void {
    this.bound = Math.max(this.bound, allowed)
    if (allowed > tightEnough) this.allowances.set(array, Math.max(allowed, this.allowances.get(array) ?? 0))
    if (hangs) this.hanging.set(array, Math.max(hangs, this.hanging.get(array) ?? 0))
  }

  /** What a run at `values` says. */
  note(values: PlanValues, expected: Expected, outcome: Outcome): void {
    this.coverage.note(chooseVariant(this.claim.plan, values), outcome.executed)
    this.why = outcome.hazard
    if (this.why !== undefined) return
    this.bound = Math.max(this.bound, expected.allowed)
    outcome.errors.forEach((e) => this.allow(e))
    this.largest = Math.max(this.largest, ...outcome.errors.map((e) => e.error))
    const wrong = outcome.errors.find((e) => !(e.error <= e.allowed))
    if (!wrong) return
    const at = JSON.stringify({ ...values.sizes, ...values.scalars })
    this.why =
      `${wrong.array} differs by ${wrong.error.toExponential(2)} at ${at}; ${wrong.allowed.toExponential(2)} is ` +
      `allowed${underPromises(this)}`
  }

  verification(): Verification {
    const unreached = this.coverage.unreached(this.claim.plan, (variant) => kernelsOf(variant, this.worst))
    return {
      against: 'reference',
      sizes: this.tried,
      edges: this.edges,
      maxRelativeError: this.largest,
      bound: this.bound,
      ok: this.why === undefined,
      ...(this.why !== undefined && { why: this.why }),
      ...(this.allowances.size + this.hanging.size > 0 && { loose: this.loose() }),
      ...(unreached.length > 0 && { unreached }),
    }
  }

  private loose(): readonly string[] {
    return [
      ...[...this.allowances].map(([array, allowed]) => this.words(array, allowed)),
      ...[...this.hanging].map(
        ([array, share]) =>
          `${array}: up to ${Math.max(0.1, 100 * share).toFixed(1)} % of its integers hang on operations ` +
          `that are inexact in ${this.claim.target ? targetNames[this.claim.target] : 'the source'}, and may ` +
          `be those of a neighbouring result`,
      ),
    ]
  }

  private words(array: string, allowed: number): string {
    const whose = this.claim.target ? `what ${targetNames[this.claim.target]} promises of its operations` : 'rounding'
    return (
      `${array}: ${whose} allows errors up to ${allowed.toExponential(1)} of the sum of its terms, so that this ` +
      `much is not proved`
    )
  }
}

const targetNames: Readonly<Record<TargetName, string>> = { wgsl: 'WGSL', cuda: 'CUDA' }
/** Relative errors above this are no matter of rounding any more. */
const tightEnough = 1e-2

/** Whether a kernel has quotients, roots or powers of single precision. */
const roundsOnDemand = (kernel: Kernel): boolean =>
  allStatements(kernel.body).some((s) => s.kind === 'op' && s.dst.type === 'f32' && onDemand.has(s.op))

const onDemand: ReadonlySet<OpName> = new Set(['div', 'rcp', 'sqrt', 'pow'])

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
  const { plan: one, sizes } = first.claim,
    { values, memory, expected } = preparedOnce(program, one, sizes[turn]!, seed, tame, turn)
  const runs: { readonly proof: Proof; readonly outcome: Outcome }[] = []
  for (const proof of proofs) {
    const { plan } = proof.claim
    const outcome =
      runs.find((r) => runsAlike(proof, r.proof, values))?.outcome ??
      outcomeOf(
        program,
        proof,
        values,
        proof === first ? memory : memoryFor(plan, values, seed, tame),
        expected,
        profile,
      )
    runs.push({ proof, outcome })
    if (!proof.tried.includes(values.sizes)) proof.tried.push(values.sizes)
    proof.note(values, expected, outcome)
  }
}

const underPromises = ({ claim: { target } }: Proof): string =>
  target ? `, were ${targetNames[target]} as bad as it may be` : ''

/** Whether both plans launch the same on the same memory. */
function runsAlike(a: Proof, b: Proof, values: PlanValues): boolean {
  const [x, y] = [chooseVariant(a.claim.plan, values), chooseVariant(b.claim.plan, values)]
  return (
    same([a.claim.plan.arrays, x.launches, x.steps], [b.claim.plan.arrays, y.launches, y.steps]) &&
    (a.claim.target === b.claim.target || (isUnmoved(x, a.worst) && isUnmoved(y, b.worst)))
  )
}

/** Whether the worst that a target may do to a variant's kernels is what they are. */
const isUnmoved = (variant: Plan['variants'][number], worst: Worst | undefined): boolean =>
  kernelsOf(variant, worst).every((kernel, i) => kernel === variant.launches[i]?.kernel)

/** How a run went: what it must not do, or the errors of outputs until one is too large. */
interface Outcome {
  readonly hazard?: string
  /** Statements that ran, by the launch's position. */
  readonly executed: ReadonlyMap<number, ReadonlySet<number>>
  readonly errors: readonly (Judged & { readonly array: string })[]
}

function outcomeOf(
  program: Program,
  { claim: { plan }, worst, promises }: Pick<Proof, 'claim' | 'worst' | 'promises'>,
  values: PlanValues,
  memory: ArrayData,
  expected: Expected,
  profile: GpuProfile,
): Outcome {
  const executed = new Map<number, ReadonlySet<number>>(),
    [hazard] = runSimulated(plan, values, memory, profile, worst, executed),
    errors: (Judged & { readonly array: string })[] = []
  if (hazard !== undefined) return { hazard, executed, errors }
  for (const a of meantAt(program, values).arrays) {
    if (a.role !== 'out' && a.role !== 'inout') continue
    const judged = expected.error(a, memory[a.name]!, promises) // plans have every parameter
    errors.push({ array: a.name, ...judged })
    if (!(judged.error <= judged.allowed)) break
  }
  return { executed, errors }
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
  eachExprIn(program.body, (x) => {
    if (x.kind === 'op' && bounding.has(x.op) && !isFloat(x.type)) note(x.args[1]!) // two arguments
  })
  return found
}

const bounding: ReadonlySet<string> = new Set(['div', 'rem', 'shl', 'shr'])

/** The same for one plan at sizes where it was proved. */
export const preparedFor = (
  program: Program,
  plan: Plan,
  sizes: Readonly<Record<string, number>>,
  seed: number,
): { values: PlanValues; memory: ArrayData; expected: Expected } =>
  prepared(program, plan, sizes, seed, divides(program), 0)

/** What `prepared` found without the data, by what it was asked. */
interface Prepared {
  readonly values: PlanValues
  readonly expected: Expected
}

/** Of a program, what was prepared last: searches prove plan after plan of it, at the same sizes on the same data. */
const lastPrepared = new WeakMap<Program, Map<string, Prepared>>()
const mostPrepared = 8
/** Elements of data beyond which nothing is kept. */
const mostElementsKept = 2 ** 21

/** As `prepared`, which runs the source. */
function preparedOnce(
  program: Program,
  plan: Plan,
  given: Readonly<Record<string, number>>,
  seed: number,
  tame: boolean,
  turn: number,
): { values: PlanValues; memory: ArrayData; expected: Expected } {
  const kept = lastPrepared.get(program) ?? new Map<string, Prepared>(),
    asked = keyOf([given, seed, tame, turn, callersArrays(plan)]),
    known = kept.get(asked)
  if (known) return { ...known, memory: memoryFor(plan, known.values, seed, tame) }
  const { values, memory, expected } = prepared(program, plan, given, seed, tame, turn)
  const elements = Object.values(memory).reduce((n, data) => n + data.length, 0)
  if (elements <= mostElementsKept) {
    setLast(kept, asked, { values, expected }, mostPrepared)
    lastPrepared.set(program, kept)
  }
  return { values, memory, expected }
}

/**
 * Data and what must come out, at `given` sizes or the nearest ones at which the source stays inside its arrays: longer
 * arrays and masks of whole bits first, then powers of two where the source shifts or exchanges by variables, then
 * fewer iterations.
 */
function prepared(
  program: Program,
  plan: Plan,
  given: Readonly<Record<string, number>>,
  seed: number,
  tame: boolean,
  turn: number,
): { values: PlanValues; memory: ArrayData; expected: Expected } {
  const scalars = Object.fromEntries(
    program.scalars.map((x, n) => [x.name, x.planned ?? (isFloat(x.type) ? 1.25 - n / 2 : 1 + ((n + turn + 1) % 3))]),
  )
  const lengths = lengthsOf(program),
    longest = Math.max(64, ...Object.values(given))
  const longer =
    lengths.size > 0
      ? [2 * longest, 8 * longest, Math.min(longest ** 2, mostPacked)].map((length) =>
          Object.fromEntries(program.sizes.map((s) => [s.name, lengths.has(s.name) ? length : given[s.name]!])),
        )
      : [] // every size has a value
  const isOpenSize = (s: Size): boolean => !lengths.has(s.name) && !isFixed(s),
    masks = maskSizes(program.body)
  const inBits = (value: (s: Size) => number): Readonly<Record<string, number>> =>
    Object.fromEntries(program.sizes.map((s) => [s.name, isOpenSize(s) ? Math.max(s.min, value(s)) : given[s.name]!]))
  const others = [
    ...(masks.size > 0 ? [inBits((s) => (masks.has(s.name) ? asMask(given[s.name]!) : given[s.name]!))] : []),
    ...longer,
    ...(countsInBits(program) ? [inBits((s) => 2 ** Math.floor(Math.log2(Math.max(1, given[s.name]!))))] : []),
  ] // every size has a value
  for (let sizes = given; ; ) {
    const values: PlanValues = { sizes, scalars }
    const memory = memoryFor(plan, values, seed, tame)
    const answer = attempted(() => {
      const expected = expectedOf(program, values, memory)
      return { expected, left: expected.leftAsGiven()[0] }
    })
    if (!isInapplicable(answer)) {
      const { expected, left } = answer
      if (left === undefined) return { values, memory, expected }
      throw new InternalError('tune/verify', `${left} is no mere output: at ${keyOf(sizes)} some of it stays as it was`)
    }
    const smaller = Object.fromEntries(
      program.sizes.map((s) => [
        s.name,
        lengths.has(s.name) || sizes[s.name] === fixedAt(s)
          ? sizes[s.name]!
          : Math.max(s.min, Math.floor(sizes[s.name]! * 0.8)),
      ]),
    ) // every size has a value
    const next = others.shift() ?? smaller
    if (
      !answer.inapplicable.some((d) => wantsOthers.has(d.code)) ||
      Object.entries(next).every(([k, v]) => sizes[k] === v)
    )
      return applied<never>(answer)
    sizes = next
  }
}

/** What the source does at some sizes and not at others: it leaves an array, or never ends. */
const wantsOthers: ReadonlySet<string> = new Set(['interpret.out-of-bounds', 'interpret.endless'])

/** Elements of an array whose length nothing says, as one into which loops around each other pack. */
const mostPacked = 2 ** 22

/**
 * Whether it shifts or exchanges by what is no literal, as transforms of powers of two do, or takes bits by a size less
 * 1, as tables of so many places do.
 */
const countsInBits = (program: Program): boolean =>
  someExprIn(
    program.body,
    (x) =>
      x.kind === 'op' &&
      (((x.op === 'shl' || x.op === 'xor') && literal(x.args[1]!) === undefined) ||
        (x.op === 'and' && x.args.some((e) => sizesIn(e).length > 0))),
  ) // two arguments

const fixedAt = (s: Size): number | undefined => (isFixed(s) ? s.planned : undefined)

/** Whether data decides how errors grow: divisors and arguments of roots and logarithms near zero. */
const divides = (program: Program): boolean =>
  someExprIn(
    program.body,
    (x) =>
      x.kind === 'op' && isFloat(x.type) && (x.op === 'div' || x.op === 'sqrt' || x.op === 'log' || x.op === 'pow'),
  )
