// In: a machine for a launch, and what its blocks may take. Out: what all blocks of the grid count. The one idea: one
// block of each derived class runs and counts for all of it; where classes are many, or contents of buffers decide, all
// that is left runs if the budget allows, and a random sample of it otherwise, with its confidence interval.
import { random } from '../../base/index.ts'
import {
  allStatements,
  isBound,
  meetsGrid,
  type Dim3,
  type Kernel,
  type Launch,
  type Sampling,
} from '../../ir/index.ts'
import type { GpuProfile } from '../../gpus/index.ts'
import type { Machine } from '../machine.ts'
import type { RawCounts } from '../machine-options.ts'
import { mergeSums } from '../observe/shapes.ts'
import { emptySums, type SiteSums } from '../observe/sites.ts'
import { addressSliceOf, sliceOf } from './decisions.ts'
import { SharedConditions } from './differences.ts'
import { counted, isOfSeveralAxes, testOf, type Ran } from './partition.ts'
import { Terms } from './term.ts'

/** How a launch was counted. */
export interface Count {
  /** Blocks that ran, and their warp instructions; null: those of all blocks are known, x fastest. */
  readonly blocks: readonly Dim3[] | null
  readonly instructions: Float64Array<ArrayBuffer>
  readonly simulated: number
  readonly exact: boolean
  readonly sampling: Sampling | null
}

/** Where counts go. */
export interface Into {
  readonly raw: RawCounts
  readonly sums: readonly SiteSums[]
}

export interface CountPlan {
  readonly kernel: Kernel
  readonly launch: Launch
  readonly profile: GpuProfile
  readonly blank: boolean
  /** Steps that the run may take. */
  readonly maxSteps: number
}

/** Parts of the steps allowed that classes may take, that all runs may, and that samples may. */
const classShare = 0.4,
  wholeShare = 0.7,
  sampleShare = 0.85
/** Conditions of one axis that are asked in the time of one on more. */
const quick = 4
/** Conditions on more than one axis that blocks are asked, after which no more classes are looked for. */
const mostAsked = 1.5e7
/** Conditions on more than one axis beyond which a class is not looked for: a sample says as much in less time. */
const mostAskedAtOnce = 1e8
/** Blocks told apart by contents alone after which no more classes are looked for. */
const mostAlone = 2
/** Fewest and most blocks of a random sample. */
const fewest = 8,
  most = 4096
/**
 * Blocks of a sample that must do where the steps allowed are not enough for more, and how many times those steps may
 * be taken in addition for these: no endless loop takes them, since blocks have ended.
 */
const fewestOfDear = 2,
  mostMore = 2
/** Steps of a machine that take as long as asking one block whether it is of a class. */
const stepsOfAsking = 1
/** Classes whose yield says whether looking for more pays. */
const window = 8
/** Blocks that are told by their numbers, whatever numbers them: what a term is of each is held as a list of 1 MiB. */
const mostNumbered = 2 ** 18
/** Blocks of a grid that are held as a list; 64 MiB. */
export const mostBlocks = 2 ** 24

/** Whether counts may follow from what other blocks write: then blocks count as they do only in their order. */
const readsWhatItWrites = (kernel: Kernel): boolean =>
  kernel.resources.some((r) => isBound(r) && r.access === 'read-write' && addressSliceOf(kernel).arrays.has(r.name))

/** Whether a kernel multiplies by a number: by the blocks of a row it does, most likely, to number blocks on. */
const multipliesBy = (kernel: Kernel, factor: number): boolean =>
  allStatements(kernel.body).some(
    (s) => s.kind === 'op' && s.op === 'mul' && s.args.some((a) => a.kind === 'const' && Number(a.value) === factor),
  )

/**
 * Counts by classes; 'in order': contents decide, and there are steps enough to run all blocks as a launch would. The
 * machine has been made for it: margins of decisions are kept.
 */
export function countByClasses(machine: Machine, plan: CountPlan, into: Into): Count | 'in order' {
  const counting = new Counting(machine, plan, into)
  return counting.run()
}

class Counting {
  private readonly total: number
  /** The grid as terms see it: of one row, where blocks are told by their numbers. */
  private readonly axes: Dim3
  private readonly work: Float64Array<ArrayBuffer>
  private readonly ranBlocks: Dim3[] = []
  private readonly shared: SharedConditions
  private readonly machine: Machine
  private readonly plan: CountPlan
  private readonly into: Into
  private alone = 0
  private asked = 0
  /** Of the last classes: blocks that were asked and blocks that were taken out. */
  private readonly yields: { readonly asked: number; readonly taken: number }[] = []

  constructor(machine: Machine, plan: CountPlan, into: Into) {
    const { kernel, launch, profile, blank } = plan
    this.machine = machine
    this.plan = plan
    this.into = into
    const [x, y, z] = launch.grid,
      total = x * y * z,
      isNumbered = total <= mostNumbered || (z === 1 && multipliesBy(kernel, x))
    this.total = total
    this.axes = isNumbered ? [total, 1, 1] : launch.grid
    this.work = new Float64Array(this.total)
    this.shared = new SharedConditions({
      kernel,
      launch,
      slice: sliceOf(kernel),
      terms: new Terms(isNumbered ? launch.grid : null),
      sites: machine.sites,
      period: periodOf(profile),
      blank,
    })
  }

  run(): Count | 'in order' {
    let rest = counted(this.total)
    while (
      rest.length > 0 &&
      this.alone < mostAlone &&
      this.asked <= mostAsked &&
      !this.isBarren(rest.length) &&
      this.machine.steps() <= classShare * this.plan.maxSteps
    )
      rest = this.takeClass(rest)
    const each = this.machine.steps() / Math.max(1, this.ranBlocks.length),
      isOrdered =
        this.alone > 0 && !this.plan.blank && !meetsGrid(this.plan.kernel) && readsWhatItWrites(this.plan.kernel)
    // Who ran alone ran before blocks that write what it reads.
    if (rest.length === 0 && isOrdered)
      return this.total * each <= this.stepsLeft() ? 'in order' : { ...this.whole(), exact: false }
    if (rest.length === 0) return this.whole()
    if (rest.length * each <= this.stepsLeft()) {
      if (isOrdered) return 'in order'
      for (const n of rest) this.single(n)
      this.machine.collect(this.into.raw, this.into.sums, 1)
      return this.whole()
    }
    return this.sample(rest)
  }

  /**
   * Whether looking for more classes leads nowhere: each asks all blocks and takes out few, as where blocks differ one
   * by one (an index modulo the length of an array). Then all that is left can run sooner; or neither it nor its
   * classes can run at all, and a sample is taken.
   */
  private isBarren(left: number): boolean {
    if (this.yields.length < window) return false
    const each = this.machine.steps() / this.ranBlocks.length
    const asked = this.yields.reduce((n, y) => n + y.asked, 0),
      taken = this.yields.reduce((n, y) => n + y.taken, 0)
    if (asked * stepsOfAsking <= taken * each && taken > window) return false
    const classes = (left * window) / taken
    return left * each <= this.stepsLeft() || classes * each > classShare * this.plan.maxSteps - this.machine.steps()
  }

  /** Whether blocks count the same in every order. */
  private isFree(): boolean {
    const { kernel, blank } = this.plan
    return !meetsGrid(kernel) && (blank || !readsWhatItWrites(kernel))
  }

  private stepsLeft(): number {
    return wholeShare * this.plan.maxSteps - this.machine.steps()
  }

  private whole(): Count {
    return {
      blocks: null,
      instructions: this.work,
      simulated: this.ranBlocks.length,
      exact: true,
      sampling: null,
    }
  }

  private blockAt(n: number, [x, y] = this.plan.launch.grid): Dim3 {
    return [n % x, Math.floor(n / x) % y, Math.floor(n / (x * y))]
  }

  /** Runs one block that counts for itself; what it counts is still to be collected. */
  private single(n: number): void {
    const block = this.blockAt(n),
      before = this.machine.executed()
    this.machine.run(...block)
    this.ranBlocks.push(block)
    this.work[n] = this.machine.executed() - before
  }

  /**
   * Runs the middle one of `rest`, which rises, takes out all that count as it does, and returns those that are left,
   * in the place of `rest`.
   */
  private takeClass(rest: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    const first = rest[rest.length >> 1]!, // not empty
      block = this.blockAt(first)
    this.machine.run(...block)
    this.ranBlocks.push(block)
    const ran = this.observed(),
      instructions = this.machine.executed()
    const several = (ran.conditions ?? []).filter(isOfSeveralAxes).length,
      others = (ran.conditions ?? []).length - several,
      questions = rest.length * (several + others / quick),
      isTooLong = questions > mostAskedAtOnce
    if (ran.conditions === null || isTooLong) this.alone++
    const test = ran.conditions === null || isTooLong ? null : testOf(this.blockAt(first, this.axes), this.axes, ran)
    const [gx, gy] = this.axes
    this.asked += questions
    const alike = new Uint32Array(Math.min(gx, rest.length)) // of one row
    let kept = 0
    for (let i = 0; i < rest.length; ) {
      const row = Math.floor(rest[i]! / gx),
        begin = row * gx,
        [y, z] = [row % gy, Math.floor(row / gy)],
        next = firstFrom(rest, i, begin + gx),
        filters = test?.(y, z)
      if (filters) {
        alike.set(rest.subarray(i, next))
        const count = filters.reduce((left, filter) => filter(alike, left, begin), next - i)
        for (let k = i, a = 0; k < next; k++) {
          const n = rest[k]!,
            isAlike = a < count && n === alike[a]
          if (isAlike) a++
          if (isAlike || n === first) this.work[n] = instructions
          else rest[kept++] = n
        }
      } else {
        // the block itself is of its class even where nobody may be asked
        const own = first >= begin && first < begin + gx ? firstFrom(rest, i, first) : next
        kept = movedTo(rest, kept, i, own)
        if (own < next) this.work[first] = instructions
        kept = movedTo(rest, kept, own + 1, next)
      }
      i = next
    }
    const taken = rest.length - kept
    this.machine.collect(this.into.raw, this.into.sums, taken)
    if (this.yields.push({ asked: rest.length, taken }) > window) this.yields.shift()
    return rest.subarray(0, kept)
  }

  private observed(): Ran {
    const { machine } = this
    const margins = machine.takeMargins(),
      indices = machine.takeIndices()
    const conditions = this.shared.of({
      executed: machine.executedStatements(),
      margins: (d) => margins[d.index]!, // one for each decision
      left: (site) => indices[site]?.left === true,
    })
    return {
      conditions,
      margins: (i) => margins[i]!,
      seen: (site) => indices[site]!,
      bounds: (site) => machine.boundsOf(site),
    }
  }

  /** Some of `rest` for all of it. */
  private sample(rest: Uint32Array<ArrayBuffer>): Count {
    const before = totalsOf(this.into.sums),
      apart = this.emptyLike(),
      seen: Seen[] = []
    const { maxSteps } = this.plan,
      each = this.machine.steps() / Math.max(1, this.ranBlocks.length)
    this.machine.allow(Math.ceil(Math.min(mostMore * maxSteps, 1.5 * fewestOfDear * each)))
    for (const n of drawnFrom(rest, Math.min(rest.length, most))) {
      const steps = this.machine.steps(),
        isSpent = steps > sampleShare * maxSteps,
        isDear = steps + each > sampleShare * maxSteps
      if ((seen.length >= fewest && isSpent) || (seen.length >= fewestOfDear && isDear)) break
      const from = totalsOf(apart.sums)
      this.single(n)
      this.machine.collect(apart.raw, apart.sums, 1)
      seen.push({ instructions: this.work[n]!, sites: differences(totalsOf(apart.sums), from) })
    }
    this.addScaled(apart, rest.length / seen.length)
    if (seen.length === rest.length && this.isFree()) return this.whole()
    const known = this.work.reduce((sum, w) => sum + w, 0) - seen.reduce((sum, s) => sum + s.instructions, 0)
    const blocks = this.ranBlocks
    return {
      blocks,
      instructions: Float64Array.from(blocks, ([x, y, z]) => {
        const [gx, gy] = this.plan.launch.grid
        return this.work[x + gx * (y + gy * z)]!
      }),
      simulated: blocks.length,
      exact: false,
      sampling: intervals(before, seen, rest.length, known),
    }
  }

  private emptyLike(): Into {
    const { warps, lanes, divergent } = this.into.raw
    const zeros = (a: Float64Array): Float64Array => new Float64Array(a.length)
    return {
      raw: { warps: zeros(warps), lanes: zeros(lanes), divergent: zeros(divergent), barriers: 0, meetings: 0 },
      sums: this.machine.sites.map(emptySums),
    }
  }

  /** Lets what was counted apart stand for more. */
  private addScaled({ raw, sums }: Into, weight: number): void {
    const into = this.into.raw
    for (const key of ['warps', 'lanes', 'divergent'] as const)
      raw[key].forEach((x, i) => {
        into[key][i]! += weight * x
      })
    into.barriers += weight * raw.barriers
    into.meetings += weight * raw.meetings
    sums.forEach((s, i) => mergeSums(this.into.sums[i]!, s, weight))
  }
}

/** The first place from `at` on where a number of the rising list is no less than `least`. */
function firstFrom(list: Uint32Array, at: number, least: number): number {
  let [low, high] = [at, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Moves numbers of a list down to `to`; where the next ones go. */
function movedTo(list: Uint32Array, to: number, from: number, until: number): number {
  if (from >= until) return to
  if (to < from) list.copyWithin(to, from, until)
  return to + until - from
}

/** Requests, sectors and wavefronts of each site. */
const totalsOf = (sums: readonly SiteSums[]): readonly SiteTotals[] =>
  sums.map(({ totals: { requests, sectors, wavefronts } }) => ({ requests, sectors, wavefronts }))

/** What one drawn block counted. */
interface Seen {
  readonly instructions: number
  readonly sites: readonly SiteTotals[]
}

interface SiteTotals {
  readonly requests: number
  readonly sectors: number
  readonly wavefronts: number
}

const differences = (a: readonly SiteTotals[], b: readonly SiteTotals[]): readonly SiteTotals[] =>
  a.map((x, i) => ({
    requests: x.requests - b[i]!.requests,
    sectors: x.sectors - b[i]!.sectors,
    wavefronts: x.wavefronts - b[i]!.wavefronts,
  }))

/** So many of a list, each as likely as any other, so that any first part of them is a sample. */
function drawnFrom(list: Uint32Array, count: number): readonly number[] {
  const { int } = random(count),
    from = Uint32Array.from(list)
  for (let i = 0; i < count; i++) {
    const j = int(i, from.length - 1)
    const [a, b] = [from[i]!, from[j]!]
    from[i] = b
    from[j] = a
  }
  return Array.from(from.subarray(0, count))
}

/** Student's t for 95 %, of 1 to 6 degrees of freedom, and within 3 % from 7 on. */
const ofSmall: readonly number[] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447]
const student = (freedom: number): number => ofSmall[freedom - 1] ?? 1.96 + 2.4 / freedom

/**
 * Half widths by the ratio estimator (Cochran, Sampling Techniques, §6.4): of sectors a request the residuals
 * s − r × q decide, not s and q alone. `before`: what is known of all other blocks.
 */
function intervals(before: readonly SiteTotals[], seen: readonly Seen[], of: number, known: number): Sampling {
  const n = seen.length,
    finite = 1 - n / of
  const halfWidth = (residuals: readonly number[]): number => {
    const mean = residuals.reduce((a, b) => a + b, 0) / n
    const variance = residuals.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1)
    return student(n - 1) * of * Math.sqrt((finite * variance) / n)
  }
  const total = (site: number, key: keyof SiteTotals): number =>
    before[site]![key] + (of / n) * seen.reduce((sum, s) => sum + s.sites[site]![key], 0)
  const ofRatio = (site: number, key: 'sectors' | 'wavefronts'): number => {
    const requests = total(site, 'requests')
    if (requests === 0) return 0
    const r = total(site, key) / requests
    return halfWidth(seen.map(({ sites }) => sites[site]![key] - r * sites[site]!.requests)) / requests
  }
  const all = known + (of / n) * seen.reduce((sum, s) => sum + s.instructions, 0)
  return {
    sites: before.map((_, i) => ({ sectors: ofRatio(i, 'sectors'), wavefronts: ofRatio(i, 'wavefronts') })),
    instructions: all === 0 ? 0 : halfWidth(seen.map((s) => s.instructions)),
  }
}

/** Bytes after which a profile's rules repeat: lines, segments and rows of banks of up to 128 bytes, or 256. */
function periodOf({ bankRule, lineBytes, sectorBytes }: GpuProfile): number {
  const isNarrow = bankRule === 'half-warp' || bankRule === 'fermi' || bankRule === 'modern'
  return isNarrow && lineBytes <= 128 && sectorBytes <= 128 ? 128 : 256
}
