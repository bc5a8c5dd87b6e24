// In: WGSL, PTX or CUDA, a launch, a GPU profile. Out: `ExplainReport`. The one idea: read, size what nobody sized,
// run, predict, and ask the model what each cause costs. Without `exact`, counts come from one block of each derived
// class and hazards from a few blocks at the corners of the grid; with `exact`, hazards from up to 64 blocks. It reads
// no files and prints nothing.
import { applied, appliedOr, attempted, fail, isInapplicable } from '../base/index.ts'
import { asCounted, unknowns, type GpuProfile, type Occupancy } from '../gpus/index.ts'
import {
  lineCosts,
  meetsGrid,
  sharedBytesOf,
  type Counters,
  type Dim3,
  type Hazard,
  type Kernel,
  type LaneRequest,
  type Launch,
  type Trace,
} from '../ir/index.ts'
import {
  estimateRegisters,
  fidelityOf,
  occupancyOf,
  predict,
  type Prediction,
  type PredictInput,
} from '../model/index.ts'
import {
  addressSliceOf,
  compileKernel,
  laneRequests,
  neighbours,
  sideBySideOf,
  traceOf,
  type RunOptions,
  type Simulation,
} from '../simulate/index.ts'
import {
  sourceAccesses,
  branchEfficiency,
  floatingOperations,
  sourcePlace,
  totals,
  warpEfficiency,
  type SourceAccess,
} from './accesses.ts'
import {
  asksForMore,
  filledBuffer,
  holdsIntegers,
  isScalarOf,
  plan,
  regrown,
  settleSizes,
  settleByReach,
  settleTextures,
  settleWithContents,
  uniformIntegers,
  type Probe,
  type Sized,
} from './launch/buffer-sizes.ts'
import { chosenByData, dependsOn, dependsOnData } from './data-dependence.ts'
import { findings } from './findings.ts'
import { predicatedBranches } from './predicated-branches.ts'
import { withDiscarded, type Repeatable } from './hazards/discarded-reads.ts'
import { hazardReports } from './hazards/hazard-reports.ts'
import { updatesIn } from './hazards/lost-updates.ts'
import { isAsserted, reachedAssertions, withAssertions, type Asserted } from './hazards/undefined-arithmetic.ts'
import { subjectOfCompiled, type CompiledLaunch } from './launch/compiled.ts'
import { siteSteps } from './address-strides.ts'
import { launchShare } from './rules/bottleneck.ts'
import { subjectOf, type Subject } from './subject.ts'
import { withHazards, withUngiven } from './refusal.ts'
import { withRunGains } from './fixes/run-gains.ts'
import type {
  AccessJson,
  BufferSpec,
  ExplainLaunch,
  ExplainOptions,
  ExplainReport,
  ExplainSource,
  Known,
} from './types.ts'
import { ungivenIn, withGuesses } from './ungiven.ts'
import { unreachedAccesses } from './unreached.ts'
import { nonUniformBarriers } from './uniformity.ts'
import { viewOf, type ExplainView, type LineView } from './view.ts'
import type { Setting } from './what-if.ts'
import { wordsOf } from './wording.ts'

const limits = {
  sampled: 1e8,
  exact: 1.5e9,
  checked: 1.5e8,
  /** Seconds for the search for hazards. */
  budget: 0.04,
  /**
   * Steps that the search takes in a second of a processor: 4 to 6 × 10⁷ in Node 20 on a server's core. Counting alone
   * takes 1.6 to 8 × 10⁸.
   */
  stepsASecond: 5e7,
  probes: 2.5e8,
  shortProbe: 2e6,
  bytes: 2 ** 30,
  guessed: 2 ** 29,
  /** Bytes of buffers whose contents nothing follows from, which therefore take no memory. */
  untouched: 2 ** 34,
  reached: 1e8,
  /** Steps in which hazards are looked for in a launch that is refused, and bytes of contents that it may have. */
  refused: 1e7,
  refusedBytes: 2 ** 28,
  grid: 65535,
  exactBlocks: 2 ** 20,
  checkedBlocks: 64,
  tracedSectors: 2e5,
} as const

/** Explains one launch. Throws `DiagnosticError`: `wgsl.*`, `ptx.*`, `explain.*`, `simulate.*`. */
export function explain(source: ExplainSource, launch: ExplainLaunch, options: ExplainOptions): ExplainReport {
  return explained(source, launch, options).report
}

interface Drawn {
  readonly report: ExplainReport
  readonly view: ExplainView
}

/** The same with what a report that is drawn shows beside it. */
export function explainWithView(source: ExplainSource, launch: ExplainLaunch, options: ExplainOptions): Drawn {
  const { report, view } = explained(source, launch, options)
  return { report, view: view() }
}

/** A launch that is counted, and the rest for those who still want it. */
export interface ExplainSteps {
  /** What each line costs: the `lines` of the view. */
  readonly lines: readonly LineView[]
  /** Looks for hazards, predicts and judges. Throws `explain.*`, `simulate.*`. */
  readonly rest: () => Drawn
}

/** The same in two steps, for who shows the first before the second is there. Throws as `explain` does. */
export function explainInSteps(source: ExplainSource, launch: ExplainLaunch, options: ExplainOptions): ExplainSteps {
  const { lines, rest } = countedOf(source, subjectOf(source, launch, options), launch, options)
  return {
    lines: lines(),
    rest: () => {
      const { report, view } = rest()
      return { report, view: view() }
    },
  }
}

interface Explained {
  readonly report: ExplainReport
  readonly view: () => ExplainView
}

/**
 * Explains a kernel that was made from C, by the lines of that: `source` is the C, as the places of the kernel's
 * statements name it. Throws `explain.*`, `simulate.*`.
 */
export function explainCompiled(
  source: Pick<ExplainSource, 'text' | 'file'>,
  compiled: CompiledLaunch,
  options: ExplainOptions,
): Drawn {
  const buffers = Object.values(compiled.buffers).map(({ name, bytes }) => [name, { bytes }] as const)
  const launch = { grid: compiled.grid, buffers: Object.fromEntries(buffers) }
  const { report, view } = explainedOf(source, subjectOfCompiled(compiled, source.file), launch, options)
  return { report, view: view() }
}

const explained = (source: ExplainSource, launch: ExplainLaunch, options: ExplainOptions): Explained =>
  explainedOf(source, subjectOf(source, launch, options), launch, options)

const explainedOf = (
  source: ExplainSource,
  subject: Subject,
  launch: ExplainLaunch,
  options: ExplainOptions,
): Explained => countedOf(source, subject, launch, options).rest()

interface CountedLaunch {
  readonly lines: () => readonly LineView[]
  readonly rest: () => Explained
}

/** Sizes what nobody sized, and counts. A launch that cannot be run to its end is refused with what is amiss in it. */
function countedOf(
  source: ExplainSource,
  subject: Subject,
  launch: ExplainLaunch,
  options: ExplainOptions,
): CountedLaunch {
  checkShape(subject, launch, options)
  const sized = plan(subject, launch)
  const whole = <T extends object>(work: () => T): T => {
    const made = attempted(work)
    const isCut = isInapplicable(made) && endsEarly.has(made.inapplicable[0]?.code ?? '') && !options.brief
    if (!isCut) return applied(made)
    const told = withUngiven(made, subject.kernel, ungivenIn(subject, sized, Object.keys(launch.args ?? {}), true))
    return applied<never>(withHazards(told, orNull(() => hazardsBefore(source, subject, launch, options, sized)) ?? []))
  }
  const { lines, rest } = whole(() => countedWith(source, subject, launch, options, sized))
  return { lines, rest: () => whole(rest) }
}

/** Refusals of launches that run, but not to their end; one whose contents do not fit cannot begin. */
const endsEarly: ReadonlySet<string> = new Set(['explain.steps', 'simulate.steps', 'simulate.memory'])

/** What is amiss in the first blocks of a launch that is refused, in buffers that are as large as was found so far. */
function hazardsBefore(
  source: ExplainSource,
  subject: Subject,
  launch: ExplainLaunch,
  options: ExplainOptions,
  sized: readonly Sized[],
): ExplainReport['hazards'] {
  const checked = checkedOf(subject, options, sized),
    args = launch.args ?? {}
  const filled = sized.filter((s) => checked.held.has(s.binding.resource))
  if (filled.reduce((n, s) => n + s.bytes, 0) > limits.refusedBytes) return []
  const contents = (s: Sized, i: number): ArrayBuffer =>
    filled.includes(s) ? filledBuffer(s, seedOf(options, i)) : blank(s.bytes)
  const { counters } = checked.run(subject.bind(launch.grid, sized, contents, args), {
    blocks: corners(launch.grid),
    maxSteps: Math.min(options.maxSteps ?? limits.refused, limits.refused),
    maxBytes: (options.maxBytes ?? limits.bytes) + 2 ** 28,
    countOnly: checked.isBlind,
    discard: true,
    slowSteps: true,
    partial: true,
  })
  const open = new Set(sized.filter((s) => s.how === 'by running').map((s) => s.binding.resource)),
    found = counters.hazards.filter((h) => h.kind !== 'out-of-bounds' || !open.has(h.resource ?? ''))
  const list = accessesOf(subject, counters, source, options).map((a) => a.json)
  return hazardsOf(subject, found, sized, Object.keys(args), list)
}

interface Checked extends Pick<Simulation, 'kernel' | 'run'> {
  /** Buffers whose contents matter; none where it is blind: nothing that is looked for follows from contents. */
  readonly held: ReadonlySet<string>
  readonly isBlind: boolean
  /** Hazards that are counted in all blocks of a launch, once some of them are known. */
  readonly counted: (
    hazards: readonly Hazard[],
    run: (kernel: Subject['kernel']) => Counters | undefined,
  ) => readonly Hazard[]
}

/** A simulation that looks for all hazards. */
function checkedOf({ kernel, language }: Subject, { gpu }: ExplainOptions, sized: readonly Sized[]): Checked {
  const asserted = withAffordableAssertions(kernel, sized, language === 'cuda'),
    isBlind = !dependsOnData(asserted.kernel),
    isWgsl = language === 'wgsl'
  const simulation = compileKernel(asserted.kernel, gpu, {
    check: { races: true, uninitialized: true, returned: !isWgsl, unordered: true, zeroed: true },
  })
  return {
    kernel: simulation.kernel,
    isBlind,
    held: isBlind ? new Set() : addressSliceOf(asserted.kernel).arrays,
    run: (launch, options) => {
      const { counters, ...more } = simulation.run(launch, options)
      return {
        ...more,
        counters: { ...counters, hazards: [...counters.hazards, ...reachedAssertions(asserted, counters, isWgsl)] },
      }
    },
    counted: (hazards, run) => {
      const others = hazards.filter((h) => !isAsserted(h)),
        counters = others.length < hazards.length ? run(asserted.kernel) : undefined
      return counters ? [...others, ...reachedAssertions(asserted, counters, isWgsl, true)] : hazards
    },
  }
}

/** Without places at divisions and shifts where the contents of buffers that those follow from take too much memory. */
function withAffordableAssertions(kernel: Subject['kernel'], sized: readonly Sized[], isCuda: boolean): Asserted {
  const asserted = withAssertions(kernel, isCuda)
  if (asserted.kernel === kernel) return asserted
  const heldBytes = (k: Subject['kernel']): number => {
    const { arrays } = addressSliceOf(k)
    return sized.reduce((n, s) => n + (arrays.has(s.binding.resource) ? s.bytes : 0), 0)
  }
  const more = heldBytes(asserted.kernel) - (dependsOnData(kernel) ? heldBytes(kernel) : 0)
  return more <= limits.refusedBytes ? asserted : { kernel, places: new Map() }
}

/** Hazards in the words of the source. */
function hazardsOf(
  subject: Subject,
  hazards: readonly Hazard[],
  sized: readonly Sized[],
  given: readonly string[],
  list: readonly AccessJson[],
): ExplainReport['hazards'] {
  const barriers = nonUniformBarriers(subject.kernel),
    isWgsl = subject.language === 'wgsl'
  return hazardReports(withGuesses(hazards, subject, sized, given), {
    list,
    words: wordsOf(subject.language),
    names: new Map(subject.bindings.map((b) => [b.resource, b.name])),
    isUpdate: updatesIn(subject.kernel),
    ...(isWgsl ? { refused: barriers } : { missed: barriers }),
  })
}

function countedWith(
  source: ExplainSource,
  subject: Subject,
  launch: ExplainLaunch,
  options: ExplainOptions,
  sized: readonly Sized[],
): CountedLaunch {
  const maxSteps = options.maxSteps ?? (options.exact ? limits.exact : limits.sampled)
  const maxBytes = options.maxBytes ?? limits.bytes
  const quick = compileKernel(subject.kernel, options.gpu)
  const { arrays: held } = addressSliceOf(subject.kernel)
  const few = corners(launch.grid)
  let probed = distinct([...few, ...extremes(launch.grid)])
  const args = launch.args ?? {}
  const zeros = (s: Sized): ArrayBuffer => (held.has(s.binding.resource) ? new ArrayBuffer(s.bytes) : blank(s.bytes))
  /** No contents matter while sizes are sought: nothing is uniform, nothing is named. */
  const blind = subject.plain && Object.keys(args).length === 0
  let left = Math.max(limits.probes, 2 * maxSteps)
  const attempts = (
    most: number,
    contents?: (s: Sized) => ArrayBuffer,
  ): ReturnType<Probe> & { readonly steps: number } => {
    const { counters, steps, cutAt } = quick.run(subject.bind(launch.grid, sized, contents ?? zeros, args), {
      blocks: probed,
      maxSteps: Math.min(most, left),
      maxBytes: maxBytes + 2 ** 28,
      countOnly: blind && !contents,
      discard: true,
      slowSteps: true,
      partial: true,
    })
    left = Math.max(1, left - steps)
    return {
      hazards: counters.hazards,
      instructions: counters.work.instructions.reduce((x, y) => x + y, 0),
      cut: counters.coverage.simulated === 0 ? maxSteps : null,
      steps,
      ...(cutAt && { cutAt }),
    }
  }
  const isCut = (p: ReturnType<Probe>): boolean => p.cut !== null && !asksForMore(p.hazards, sized)
  const ends = distinct([...few.slice(0, 1), ...few.slice(-1)]),
    last = ends.slice(-1)
  /**
   * What leaves its buffer mostly does so soon. Where a few blocks take many steps, the last one alone says whether
   * they end, and with how many more it is affordable; all of them, the first and the last, or the last alone are left
   * to look at.
   */
  const probe: Probe = () => {
    const short = attempts(limits.shortProbe)
    if (!isCut(short)) return short
    const all = probed
    probed = last
    const one = attempts(maxSteps)
    if (isCut(one)) return one
    for (const some of [all, ends])
      if (some.length > 1 && some.length * one.steps <= Math.min(maxSteps, left)) {
        probed = some
        const found = attempts(maxSteps)
        if (!isCut(found)) return found
      }
    probed = last
    return one
  }
  const checkAll = (list: readonly Sized[]): void => {
    checkBytes(
      list.filter((s) => held.has(s.binding.resource)),
      maxBytes,
    )
    checkBytes(list, options.maxBytes ?? limits.untouched)
  }
  checkAll(sized.filter((s) => s.how !== 'by running'))
  const open = sized.filter((s) => s.how === 'by running')
  const reach = (blocks: readonly Dim3[]): ReturnType<Simulation['reach']> =>
    quick.reach(subject.bind(launch.grid, sized, zeros, args), new Set(open.map((s) => s.binding.resource)), {
      blocks,
      maxSteps,
      countOnly: blind,
    })
  const names = new Map(subject.bindings.map((b) => [b.resource, b.name])),
    reached = open.length > 0 && subject.measured.size === 0 ? reachOfSome(reach, probed, names) : null
  if (reached) settleByReach(open, reached)
  else settleSizes(sized, probe, Math.min(maxBytes, limits.guessed), subject.measured)
  settleTextures(sized, probe)
  const looks = dependsOnData(subject.kernel),
    contents = (s: Sized): ArrayBuffer =>
      held.has(s.binding.resource) ? filledBuffer(s, seedOf(options, sized.indexOf(s))) : blank(s.bytes)
  if (looks)
    settleWithContents(sized, () => attempts(maxSteps, contents), Math.min(maxBytes, limits.guessed), subject.measured)
  checkAll(sized)
  const before = new Map(sized.map((s) => [s, s.bytes])),
    counted = (): Counted => run(subject, quick, launch, sized, options, few, maxSteps, maxBytes, !looks)
  /** Bytes that a buffer may grow to: those that take memory less than those that take none. */
  const mostFor = (s: Sized): number => {
    const isHeld = held.has(s.binding.resource),
      others = sized.filter((o) => o !== s && (!isHeld || held.has(o.binding.resource))),
      most = options.maxBytes ?? (isHeld ? limits.guessed : limits.untouched)
    return most - others.reduce((n, o) => n + o.bytes, 0)
  }
  let round = 0
  /** Whether hazards say that a size is too small; it is larger now. */
  const grew = (hazards: readonly Hazard[]): boolean => {
    if (round > moreRounds) return false
    const growth = { mostFor, measured: subject.measured, before, isFirst: round === 0, isLast: round === moreRounds }
    round++
    return regrown(sized, hazards, growth)
  }
  let found = counted()
  while (grew(found.counters.hazards)) found = counted()
  /** The search for hazards sees blocks that nothing else ran. */
  const wholly = (): Ran => {
    let ran = found.whole()
    while (grew(ran.hazards)) {
      found = counted()
      ran = found.whole()
    }
    return ran
  }
  const runText = (text: string): number | null =>
    orNull(() => {
      const changed = { ...source, text }
      const again = { ...launch, buffers: sizesOf(sized) }
      return explainedOf(changed, subjectOf(changed, again, options), again, { ...options, brief: true }).report
    })?.prediction.ns ?? null
  return {
    lines: () => {
      const { counters } = found,
        sites = accessesOf(subject, counters, source, options).map((a) => a.json)
      return lineCosts(counters.executions, sites, shownFile(source, sites).file)
    },
    rest: () => report(source, subject, wholly(), sized, Object.keys(args), options, runText),
  }
}

const accessesOf = (
  subject: Subject,
  { sites, sampling }: Counters,
  source: ExplainSource,
  { gpu }: ExplainOptions,
): SourceAccess[] =>
  sourceAccesses(
    sites,
    source,
    new Map(subject.bindings.map((b) => [b.resource, b.name])),
    gpu.bankRule !== 'unknown',
    sampling,
  )

const blanks = new Map<number, WeakRef<ArrayBuffer>>()

/**
 * What a buffer holds of which nothing follows: nobody reads it, and all of one size are the same. Throws
 * `explain.memory`.
 */
function blank(bytes: number): ArrayBuffer {
  const known = blanks.get(bytes)?.deref()
  if (known) return known
  try {
    const made = new ArrayBuffer(bytes)
    blanks.set(bytes, new WeakRef(made))
    return made
  } catch {
    return fail(
      'explain.memory',
      `a buffer of ${bytes} bytes is not to be had here`,
      undefined,
      'explain a smaller launch',
    )
  }
}

/** Buffers as they were sized, for a changed text. */
const sizesOf = (sized: readonly Sized[]): Readonly<Record<string, BufferSpec>> =>
  Object.fromEntries(
    sized.map(({ binding, spec, bytes, extent }) => [
      binding.name,
      binding.texture ? { ...spec, texture: { ...spec.texture, ...(extent && { size: extent }) } } : { ...spec, bytes },
    ]),
  )

/** Times that a run of all blocks that count may find a buffer too small that probes had found large enough. */
const moreRounds = 8

function checkBytes(sized: readonly Sized[], maxBytes: number): void {
  const bytes = sized.reduce((n, s) => n + s.bytes, 0)
  if (bytes > maxBytes)
    fail(
      'explain.memory',
      `the buffers take ${bytes} bytes together; the limit is ${maxBytes}`,
      undefined,
      'explain a smaller launch: the counts of its blocks are the same',
    )
}

function checkShape(subject: Subject, launch: ExplainLaunch, options: ExplainOptions): void {
  const [x, y, z] = launch.grid
  const wide = subject.language === 'wgsl' ? limits.grid : 2 ** 31 - 1
  const whole = (n: number, most: number): boolean => Number.isInteger(n) && n >= 1 && n <= most
  if (!whole(x, wide) || !whole(y, limits.grid) || !whole(z, limits.grid))
    fail(
      'explain.grid',
      subject.language === 'wgsl'
        ? `a grid of ${x}×${y}×${z} workgroups cannot be dispatched: WebGPU allows 1 to ${limits.grid} along each axis`
        : `a grid of ${x}×${y}×${z} blocks cannot be launched: CUDA allows 1 to ${wide} along x and to ` +
            `${limits.grid} along y and z`,
    )
  if (options.exact && x * y * z > limits.exactBlocks)
    fail(
      'explain.exact',
      `${x * y * z} ${wordsOf(subject.language).blocks} are too many to run each: the limit is ${limits.exactBlocks}`,
      undefined,
      'leave --exact out',
    )
}

/**
 * Bytes that the first and the last block reach, and as many others as the steps that those took let expect to end;
 * null where the two do not end, or sizes cannot be found so. Throws `explain.memory` where indices here are too short.
 */
function reachOfSome(
  reach: (blocks: readonly Dim3[]) => ReturnType<Simulation['reach']>,
  blocks: readonly Dim3[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> | null {
  const ends = distinct([...blocks.slice(0, 1), ...blocks.slice(-1)]),
    first = reach(ends)
  if (!first) return null
  const most = Math.floor(limits.reached / Math.max(1, first.steps / ends.length)) - ends.length,
    others = blocks.slice(1, -1).slice(0, Math.max(0, most)),
    more = others.length > 0 ? reach(others) : null
  refuseFar([...first.outside, ...(more?.outside ?? [])], names)
  const found = new Set([...first.bytes.keys(), ...(more?.bytes.keys() ?? [])])
  return new Map([...found].map((n) => [n, Math.max(first.bytes.get(n) ?? 0, more?.bytes.get(n) ?? 0)]))
}

/** Throws `explain.memory` for an access beyond what indices here reach, 2³¹ steps of its width. */
function refuseFar(outside: readonly Hazard[], names: ReadonlyMap<string, string>): void {
  const far = outside.find((h) => (h.farthest ?? 0) > 0)
  if (!far) return
  const { resource = '', bytes } = far,
    [thread = ''] = far.example.split(':'),
    example = `${thread}: byte ${bytes?.from} of '${names.get(resource) ?? resource}'`
  fail(
    'explain.memory',
    `an access reaches farther into its buffer than can be run: ${example}`,
    far.at,
    'explain a smaller launch: the counts of its blocks are the same',
  )
}

/** The first block, its neighbours along each axis and the last: where sizes and hazards show. */
export function corners([x, y, z]: Dim3): Dim3[] {
  const all: Dim3[] = [
    [0, 0, 0],
    [Math.min(1, x - 1), 0, 0],
    [0, Math.min(1, y - 1), 0],
    [0, 0, Math.min(1, z - 1)],
    [x - 1, y - 1, z - 1],
  ]
  return distinct(all)
}

/**
 * Blocks among which some reach as far as any: the first, one inside, and the last two along each axis, for kernels
 * that leave the border out.
 */
function extremes([x, y, z]: Dim3): Dim3[] {
  const along = (n: number): number[] => [...new Set([0, n >> 1, Math.max(0, n - 2), n - 1])]
  return along(z).flatMap((c) => along(y).flatMap((b) => along(x).map((a): Dim3 => [a, b, c])))
}

const distinct = (blocks: readonly Dim3[]): Dim3[] =>
  blocks.filter((b, i) => blocks.findIndex((c) => c.every((v, k) => v === b[k])) === i)

/** What running gave, and how to run a changed kernel on the same data. */
interface Ran {
  readonly counters: Counters
  readonly hazards: readonly Hazard[]
  /** The search for races ended early, at the limit of its steps. */
  readonly cut: boolean
  /** Seconds that the search might take. */
  readonly budget: number
  /** Blocks in which races and reads of unwritten memory were looked for. */
  readonly looked: number
  /** What neighbouring blocks ask of memory, for the model's caches. */
  readonly trace: Trace
  /** Instructions of single blocks over the whole grid. */
  readonly work: Counters['work']
  readonly rerun: Setting['rerun']
  /** The lanes of some requests of each site. */
  readonly lanes: () => ReadonlyMap<number, readonly LaneRequest[]>
  /** What blocks that run side by side ask of memory. */
  readonly together: () => Trace
}

/** Each buffer has contents of its own. */
const seedOf = (options: ExplainOptions, position: number): number => (options.seed ?? 1) + position

/** What sizes are judged by, and all the rest once they are found. */
interface Counted {
  readonly counters: Counters
  readonly whole: () => Ran
}

/** Counts, and hazards with races and uninitialised reads; those from some of the blocks when there are many. */
function run(
  subject: Subject,
  quick: Simulation,
  launch: ExplainLaunch,
  sized: readonly Sized[],
  options: ExplainOptions,
  few: readonly Dim3[],
  maxSteps: number,
  maxBytes: number,
  blind: boolean,
): Counted {
  const inputs = new Map<Sized, ArrayBuffer>()
  const boundTo =
    (held: ReadonlySet<string>) =>
    (grid: Dim3): Launch =>
      subject.bind(
        grid,
        sized,
        (s, i) => {
          if (!held.has(s.binding.resource)) return blank(s.bytes)
          const known = inputs.get(s) ?? filledBuffer(s, seedOf(options, i))
          if (s.binding.access === 'read') inputs.set(s, known)
          return known
        },
        launch.args ?? {},
      )
  const bound = boundTo(blind ? new Set() : addressSliceOf(subject.kernel).arrays)
  const checked = options.brief ? null : checkedOf(subject, options, sized),
    boundToCheck = checked ? boundTo(checked.held) : bound
  const more = { maxSteps, maxBytes: maxBytes + 2 ** 28, slowSteps: true, countOnly: blind, discard: true }
  const { counters } = quick.run(bound(launch.grid), { ...more, ...(options.exact && { exact: true }) })
  const traced = (kernel: Subject['kernel'], grid: Dim3): Trace =>
    traceOf(kernel, options.gpu, bound(grid), { limit: limits.tracedSectors, blind, queues: true })
  const rerun: Setting['rerun'] = (kernel, grid) =>
    orNull(() => ({
      counters: compileKernel(kernel, options.gpu).run(bound(grid), more).counters,
      trace: traced(kernel, grid),
    }))
  /** The launch with contents of its own, once for each that writes to it. */
  const again = (): Repeatable => {
    const [x, y, z] = launch.grid,
      each = Math.max(1, counters.instructions.warp / (x * y * z)),
      maxSteps = budgetOf(options) * limits.stepsASecond,
      open = ungivenIn(subject, sized, Object.keys(launch.args ?? {})),
      isAffordable = sized.reduce((n, s) => n + s.bytes, 0) <= limits.refusedBytes
    return {
      kernel: subject.kernel,
      gpu: options.gpu,
      bind: () => subject.bind(launch.grid, sized, (s, i) => filledBuffer(s, seedOf(options, i)), launch.args ?? {}),
      blocks: isAffordable ? spread(launch.grid, Math.max(1, Math.floor(maxSteps / each)), few) : [],
      maxSteps: 2 * maxSteps + limits.shortProbe,
      maxBytes: maxBytes + 2 ** 28,
      isOpen: (o) => open.some((u) => u.follows(o)),
    }
  }
  const whole = (): Ran => {
    const looks = checked
      ? search(
          checked,
          boundToCheck,
          launch.grid,
          few,
          {
            ...more,
            countOnly: checked.isBlind,
            maxSteps: Math.min(maxSteps, Math.max(limits.checked, budgetOf(options) * limits.stepsASecond)),
          },
          options,
        )
      : { hazards: counters.hazards, looked: 0, cut: false }
    const counts = (kernel: Subject['kernel']): Counters | undefined =>
      orNull(() =>
        compileKernel(kernel, options.gpu).run(boundToCheck(launch.grid), {
          ...more,
          countOnly: checked?.isBlind === true,
          exact: options.exact === true,
        }),
      )?.counters
    const seen = merge(looks.hazards, counters.hazards),
      hazards = checked ? checked.counted(seen, counts) : seen
    return {
      counters,
      hazards: subject.language === 'wgsl' && !options.brief ? withDiscarded(hazards, again()) : hazards,
      cut: looks.cut,
      looked: looks.looked,
      budget: budgetOf(options),
      trace: traced(subject.kernel, launch.grid),
      work: counters.work,
      rerun,
      lanes: () =>
        laneRequests(
          subject.kernel,
          options.gpu,
          bound(launch.grid),
          [...neighbours(launch.grid, options.gpu).slice(0, 1), ...few],
          { most: mostRequests, blind },
        ),
      together: () => sideBySideOf(subject.kernel, options.gpu, bound(launch.grid), blind),
    }
  }
  return { counters, whole }
}

interface Search {
  readonly hazards: readonly Hazard[]
  /** Blocks that were looked at to their end. */
  readonly looked: number
  /** Steps ran out within the first blocks. */
  readonly cut: boolean
}

/**
 * Looks for races and reads of unwritten memory in the blocks at the corners, then, where the steps that those took let
 * expect that it is cheap, in all, or in some at equal distances. Blocks that meet run together or, where that is too
 * dear, each for itself: races between them are then unknown, and left out.
 */
function search(
  checked: Checked,
  bound: (grid: Dim3) => Launch,
  grid: Dim3,
  few: readonly Dim3[],
  more: Pick<RunOptions, 'countOnly' | 'discard' | 'slowSteps'> & {
    readonly maxSteps: number
    readonly maxBytes: number
  },
  options: ExplainOptions,
): Search {
  const first = checked.run(bound(grid), { ...more, partial: true, blocks: few }),
    total = grid[0] * grid[1] * grid[2],
    isMeeting = meetsGrid(checked.kernel)
  const apart = isMeeting ? first.counters.hazards.filter((h) => !betweenBlocks(h)) : first.counters.hazards
  if (first.counters.coverage.simulated === 0) return { hazards: apart, looked: 0, cut: true }
  const each = Math.max(1, first.steps / few.length),
    affordable = Math.floor((budgetOf(options) * limits.stepsASecond) / each),
    most = options.exact ? Math.max(affordable, limits.checkedBlocks) : affordable
  if (total <= few.length || most <= few.length || (isMeeting && total > most))
    return { hazards: apart, looked: few.length, cut: false }
  const blocks = spread(grid, Math.min(most, limits.exactBlocks), few)
  const all = checked.run(bound(grid), { ...more, partial: true, ...(isMeeting ? { exact: true } : { blocks }) })
  return {
    hazards: merge(isMeeting ? [] : apart, all.counters.hazards),
    looked: all.counters.coverage.simulated === 0 ? few.length : Math.min(total, blocks.length),
    cut: false,
  }
}

const budgetOf = ({ budget = limits.budget }: ExplainOptions): number => budget

/** A race of two blocks. */
const betweenBlocks = (h: Hazard): boolean => h.within === 'grid'

/** Requests of a site that are drawn. */
const mostRequests = 6

/** Null when a limit is met. */
const orNull = <T extends object>(work: () => T): T | null => appliedOr(attempted(work), null)

const blockAt = ([x, y]: Dim3, n: number): Dim3 => [n % x, Math.floor(n / x) % y, Math.floor(n / (x * y))]

/**
 * All blocks when they are few; otherwise `first`, and pairs of neighbours at equal distances: what one block writes
 * another mostly reads next to it.
 */
function spread(grid: Dim3, most: number, first: readonly Dim3[]): Dim3[] {
  const total = grid[0] * grid[1] * grid[2]
  const step = Math.max(1, total / most)
  const even = Array.from({ length: Math.min(total, most) }, (_, i): Dim3 => {
    const place = step === 1 ? i : Math.floor((i - (i % 2)) * step) + (i % 2)
    return blockAt(grid, Math.min(total - 1, place))
  })
  const extra = step === 1 ? [] : first.filter((b) => !even.some((e) => e.every((v, i) => v === b[i])))
  return [...extra, ...even]
}

/** Hazards of both runs; those that both saw once, with the larger count. */
function merge(a: readonly Hazard[], b: readonly Hazard[]): Hazard[] {
  const key = (h: Hazard): string =>
    [h.kind, h.at?.line, h.at?.column, h.other?.line, h.other?.column, h.message].join()
  const all = new Map(a.map((h) => [key(h), h]))
  for (const h of b) {
    const known = all.get(key(h))
    if (!known || known.count < h.count) all.set(key(h), h)
  }
  return [...all.values()]
}

function report(
  source: ExplainSource,
  subject: Subject,
  ran: Ran,
  sized: readonly Sized[],
  given: readonly string[],
  options: ExplainOptions,
  runText: (text: string) => number | null,
): Explained {
  const { counters, hazards } = ran
  const assembled = source.registers?.[subject.symbol]
  const registers = assembled ?? estimateRegisters(subject.kernel)
  const shared = sharedBytesOf(subject.kernel)
  const threads = subject.workgroupSize[0] * subject.workgroupSize[1] * subject.workgroupSize[2]
  const input: PredictInput = {
    counters,
    trace: ran.trace,
    api: subject.language === 'cuda' ? 'cuda' : 'webgpu',
    kernel: subject.kernel,
    profile: asCounted(options.gpu),
    registers,
    shared,
    ...(options.registerLimit !== undefined && { registerLimit: options.registerLimit }),
    buffers: Object.fromEntries(sized.map((s) => [s.binding.resource, s.bytes])),
  }
  const found = accessesOf(subject, counters, source, options)
  const list = found.map((a) => a.json)
  const prediction = predict(input)
  const words = wordsOf(subject.language)
  const setting: Setting = {
    input,
    words,
    gpu: options.gpu,
    list: found,
    steps: siteSteps(subject.kernel),
    fromData: chosenByData(subject.kernel),
    now: prediction.ns,
    rerun: ran.rerun,
    work: ran.work,
  }
  const active = occupancyOf(options.gpu, threads, registers, shared, options.registerLimit, input.api ?? 'webgpu')
  const counted: ExplainReport = {
    schema: 'tesela.explain/1',
    kernel: { name: subject.entry, language: subject.language, file: source.file },
    gpu: options.gpu.name,
    launch: { grid: counters.grid, block: counters.block },
    coverage: counters.coverage,
    instructions: {
      warp: counters.instructions.warp,
      thread: counters.instructions.thread,
      byClass: counters.instructions.byClass,
      operations: floatingOperations(counters),
    },
    warpEfficiency: warpEfficiency(counters, options.gpu.warpSize),
    branchEfficiency: branchEfficiency(counters),
    accesses: list,
    totals: totals(list),
    branches: counters.branches.map((b) => ({ at: sourcePlace(b.at), executed: b.executed, divergent: b.divergent })),
    occupancy: {
      ...knownOccupancy(active),
      registers: { perThread: registers, source: assembled === undefined ? 'estimated' : 'ptxas' },
      blockSizes: blockSizes(options.gpu, registers, shared, input.api ?? 'webgpu'),
    },
    hazards: hazardsOf(subject, hazards, sized, given, list),
    unreached: unreachedOf(source, subject, counters, found, sized, given),
    prediction: knownPrediction(prediction, options.gpu, launchShare(input, prediction).isMost),
    findings: options.brief ? [] : findings(setting),
    buffers: sized.map((s) => ({ name: s.binding.name, type: s.binding.type, bytes: s.bytes, sized: s.how })),
    notes: [
      ...subject.notes,
      ...notes(ran, sized, subject.kernel, given, options.gpu, subject.samplers, assembled !== undefined),
      ...(input.api === 'webgpu' && active.limitedBy.includes('shared') ? driverNote(options.gpu) : []),
    ],
  }
  const gained = subject.language === 'wgsl' ? withRunGains(counted, source.text, runText) : counted.findings
  const made = { ...counted, findings: gained.map((f) => ({ ...f, speedup: settled(f.speedup) })) }
  const view = (): ExplainView =>
    viewOf(setting, shownFile(source, list), made, ran.lanes(), ran.together(), uniformIntegers(sized))
  return { report: made, view }
}

/** Accesses that never ran, and why. */
function unreachedOf(
  source: ExplainSource,
  subject: Subject,
  { executions }: Counters,
  found: readonly SourceAccess[],
  sized: readonly Sized[],
  given: readonly string[],
): ExplainReport['unreached'] {
  if (found.every(({ json }) => json.requests > 0)) return []
  const bySite = new Map(found.flatMap(({ json, sites }) => sites.map(({ site }) => [site, json] as const))),
    constant = new Set(sized.filter((s) => s.binding.space === 'constant').map((s) => s.binding.resource)),
    open = ungivenIn(subject, sized, given).filter(
      ({ source, holdsIntegers }) => holdsIntegers || source.params || constant.has(source.resource ?? ''),
    ),
    lines = source.text.split('\n')
  return unreachedAccesses({
    kernel: subject.kernel,
    total: found.length,
    words: wordsOf(subject.language),
    executions,
    accessOf: (site) => bySite.get(site),
    follows: (o) => open.flatMap(({ name, follows }) => (follows(o) ? [name] : [])),
    textAt: (at) => {
      if (!at?.length || at.file !== source.file) return null
      const text = (lines[at.line - 1] ?? '').slice(at.column - 1, at.column - 1 + at.length)
      return text.replace(/\s*\{[^]*$/, '').trim() || null
    },
  })
}

/** The file that a page shows: that of the most accesses, the kernel's own when as many stand there. */
function shownFile(source: ExplainSource, list: readonly AccessJson[]): Pick<ExplainSource, 'file' | 'text'> {
  const standing = (f: Pick<ExplainSource, 'file'>): number => list.filter((a) => a.at?.file === f.file).length
  return (source.included ?? []).reduce<Pick<ExplainSource, 'file' | 'text'>>(
    (best, f) => (standing(f) > standing(best) ? f : best),
    source,
  )
}

/** Predicated branches that notes are about. */
const mostPredicates = 2
/** Part of the lanes that take a branch, above which the rest is not worth a word. */
const fewLanes = 0.75

/** Branches that stand in one line, as one: copies of a statement, and conditions of several parts. */
function byLine(branches: ReturnType<typeof predicatedBranches>): ReturnType<typeof predicatedBranches> {
  const lines = new Map<string, (typeof branches)[number]>()
  for (const b of branches) {
    const key = `${b.at?.file}:${b.at?.line}`,
      known = lines.get(key)
    lines.set(key, known ? { ...known, come: known.come + b.come, taken: known.taken + b.taken } : b)
  }
  return [...lines.values()]
}

/** Lanes that short branches switch off, which the count of active lanes does not show. */
const predicateNotes = (kernel: Subject['kernel'], counters: Counters): readonly string[] =>
  byLine(predicatedBranches(kernel, counters))
    .filter((b) => b.taken < fewLanes * b.come)
    .slice(0, mostPredicates)
    .map(
      ({ at, come, taken }) =>
        `${at ? `line ${at.line}: ` : ''}the compiler made a predicate of a branch, so that no warp splits: its ` +
        `instructions are issued for all lanes and counted as active, and ${Math.round((100 * taken) / come)} % of ` +
        'the lanes do something',
    )

/** What is taken of the caches of textures where global memory has none. */
function textureCacheNotes({ name, throughput, readOnlyCaches }: GpuProfile, { resources }: Kernel): readonly string[] {
  if (throughput.l1Bytes.value > 0 || !resources.some((r) => r.space === 'texture')) return []
  if (!readOnlyCaches)
    return [`the caches of textures are not in the profile of ${name}: every texel counts as read from memory`]
  const { textureBytes, textureSharers } = readOnlyCaches
  return [
    `textures are read through a cache of ${textureBytes.value} bytes that ${textureSharers} multiprocessors share; ` +
      'sectors above are those of requests, the predicted time is of what the cache has not',
  ]
}

/** Where a driver gives WebGPU less workgroup memory than the GPU has. */
const driverNote = ({ name, webgpuShared, occupancy }: GpuProfile): string[] =>
  webgpuShared
    ? [
        `WebGPU has ${webgpuShared.value / 1024} KiB of workgroup memory on a multiprocessor of ${name}, as ` +
          `measured, of the ${occupancy.shared / 1024} that CUDA can have`,
      ]
    : []

const known = (x: number): number | null => (Number.isFinite(x) ? x : null)

/** Limits that are not documented are infinite in the profile and null in the report. */
function knownOccupancy(
  o: Occupancy,
): Known<Pick<Occupancy, 'activeBlocks' | 'activeWarps' | 'maxWarps' | 'occupancy'>> &
  Pick<Occupancy, 'limitedBy'> & { readonly limits: Known<Occupancy['limits']> } {
  const { warps, blocks, registers, shared } = o.limits
  return {
    activeBlocks: known(o.activeBlocks),
    activeWarps: known(o.activeWarps),
    maxWarps: known(o.maxWarps),
    occupancy: known(o.occupancy),
    limitedBy: Number.isFinite(o.activeBlocks) ? o.limitedBy : [],
    limits: { warps: known(warps), blocks: known(blocks), registers: known(registers), shared: known(shared) },
  }
}

/** Ten significant digits: engines differ in the last bit of powers, and reports must not. */
const settled = (x: number): number => Number(x.toPrecision(10))

/** The prediction without the terms of parts that are not documented. */
function knownPrediction(p: Prediction, gpu: GpuProfile, isLaunch: boolean): ExplainReport['prediction'] {
  const unknown = unknowns(gpu)
  const terms = Object.fromEntries(
    Object.entries(p.terms)
      .filter(([t]) => !unknown.includes(t))
      .map(([t, ns]) => [t, settled(ns)]),
  )
  const error = fidelityOf(gpu.name)
  return {
    ns: settled(p.ns),
    boundBy: isLaunch ? 'launch' : p.boundBy,
    terms,
    unknown,
    error,
    calibrated: error !== null,
  }
}

/** Multiples of a warp up to the largest block. */
function blockSizes(
  profile: GpuProfile,
  registers: number,
  shared: number,
  api: 'webgpu' | 'cuda',
): ExplainReport['occupancy']['blockSizes'] {
  const sizes = Array.from(
    { length: Math.floor(profile.occupancy.maxThreadsPerBlock / profile.warpSize) },
    (_, i) => (i + 1) * profile.warpSize,
  )
  return sizes.map((threads) => {
    const { activeBlocks, activeWarps, occupancy, limitedBy } = knownOccupancy(
      occupancyOf(profile, threads, registers, shared, Infinity, api),
    )
    return { threads, activeBlocks, activeWarps, occupancy, limitedBy }
  })
}

/** How far counts of a random sample may be off. */
function scaling({ sampling, instructions }: Counters): string {
  if (!sampling) return '--exact runs all'
  const off = (100 * sampling.instructions) / Math.max(1, instructions.warp)
  return `drawn at random; instructions ± ${off.toPrecision(2)} % at 95 % confidence; --exact runs all`
}

/**
 * Buffers of integers that nobody filled and whose contents decide what the kernel does: zeros may keep it from most of
 * its work.
 */
function guessed(sized: readonly Sized[], kernel: Subject['kernel'], args: readonly string[]): string[] {
  const named = sized
    .filter(
      (s) =>
        s.spec.fill === undefined &&
        !args.some((a) => isScalarOf(s, a)) &&
        s.binding.space === 'global' &&
        s.binding.access !== 'write' &&
        holdsIntegers(s) &&
        dependsOn(kernel, { resource: s.binding.resource }),
    )
    .map((s) => `'${s.binding.name}'`)
  return named.length > 0
    ? [
        `contents not given for ${named.join(', ')}: integers are 0, and branches or addresses follow from ` +
          `them; --buffer NAME=TYPE[COUNT]:random or :@file fills it`,
      ]
    : []
}

function notes(
  { counters, cut, looked, budget }: Ran,
  sized: readonly Sized[],
  kernel: Subject['kernel'],
  args: readonly string[],
  gpu: GpuProfile,
  samplers: Subject['samplers'],
  assembled: boolean,
): string[] {
  const unknown = unknowns(gpu)
  const byRunning = sized.filter((s) => s.how === 'by running').map((s) => `'${s.binding.name}' ${s.bytes} bytes`)
  const blind = sized
    .filter((s) => s.binding.space === 'constant' && s.spec.fill === undefined)
    .map((s) => `'${s.binding.name}'`)
  return [
    ...(byRunning.length > 0 ? [`sized by running: ${byRunning.join(', ')}`] : []),
    ...textureNotes(sized, samplers),
    ...textureCacheNotes(gpu, kernel),
    ...predicateNotes(kernel, counters),
    ...guessed(sized, kernel, args),
    ...(blind.length > 0
      ? [`uniform contents not given for ${blind.join(', ')}: zero integers and random floats, but for --arg`]
      : []),
    ...(counters.coverage.exact
      ? []
      : [
          `counts are estimated from ${counters.coverage.simulated} of ${counters.coverage.blocks} blocks; ` +
            `${scaling(counters)}`,
        ]),
    ...(cut
      ? [
          'a block makes so many accesses that races and reads of unwritten memory were looked for in its ' +
            'first part only',
        ]
      : looked > 0 && looked < counters.coverage.blocks
        ? [
            `races and reads of unwritten memory were looked for in ${looked} of ${counters.coverage.blocks} blocks, ` +
              `within ${budget} s of work`,
          ]
        : []),
    ...(gpu.warpSize > 32 ? [`subgroups of ${gpu.warpSize} are counted in halves of 32 invocations`] : []),
    ...(unknown.length > 0
      ? [
          `of ${gpu.name} nobody documents ${unknown.join(', ')}: they are missing here, and the predicted ` +
            `time is a lower bound`,
        ]
      : []),
    ...(assembled ? [] : ['registers are estimated from live ranges']),
    ...(fidelityOf(gpu.name) ? [] : [`the model is not calibrated for ${gpu.name}`]),
  ]
}

/** What was assumed of textures and samplers. */
function textureNotes(sized: readonly Sized[], samplers: Subject['samplers']): string[] {
  const textures = sized.flatMap(({ binding: { name, texture }, extent, how }) =>
    texture && extent
      ? [
          `'${name}' ${extent.slice(0, texture.type.shape === '1d' ? 1 : extent[2] > 1 ? 3 : 2).join('×')} ` +
            `${texture.format.name}${how === 'by the grid' ? ' (size by the grid)' : ''}`,
        ]
      : [],
  )
  if (textures.length === 0) return []
  const blind = samplers.filter((s) => s.spec.filter === undefined).map((s) => `'${s.name}'`)
  return [
    `textures: ${textures.join(', ')}; texels are taken to lie row by row: how the GPU tiles them is unknown`,
    ...(blind.length > 0 ? [`samplers taken as linear where the format allows it: ${blind.join(', ')}`] : []),
  ]
}
