// In: a verified kernel, a launch and a GPU profile. Out: `Counters`, and buffers written in place. The one idea:
// blocks that can be shown to count alike are counted once (`classes/`), the others run or are sampled at random; the
// counters say which was done and how far off they may be. Hazards are counted as seen, never scaled. It measures no
// time.
import { applied, attempted, fail, InternalError, isInapplicable, type Inapplicable, type Span } from '../base/index.ts'
import {
  listsOf,
  classOf,
  meetsGrid,
  instructionClasses,
  printKernel,
  type BranchCounters,
  type Counters,
  type Dim3,
  type Hazard,
  type InstructionClass,
  type Kernel,
  type LaneRequest,
  type Launch,
  type Stmt,
  type Verified,
} from '../ir/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import { countByClasses, mostBlocks, type Count, type Into } from './classes/count.ts'
import { addressSliceOf, sliceOf } from './classes/decisions.ts'
import { compileModule, type CompiledModule } from './jit/driver.ts'
import { argumentType } from './jit/segment.ts'
import { checkLaunch } from './launch.ts'
import { Machine } from './machine.ts'
import type { MachineOptions, RawCounts } from './machine-options.ts'
import type { Checks } from './observe/watch.ts'
import { Full, LaneRecorder, TraceRecorder, type Observer, type Tracer } from './trace.ts'
import { emptySums, finishSums, type SiteSums } from './observe/sites.ts'

export interface SimulationOptions {
  /** Look for races and for reads of shared and local memory that nothing has written. Slower; off when absent. */
  readonly check?: Partial<Checks>
}

export interface RunOptions {
  /** Guess classes (first, last and one inside along each axis) instead of deriving them: to rank, not to report. */
  readonly quick?: boolean
  /**
   * Run every block; otherwise one of each class, scaled. Blocks that meet run together only then: one of a class
   * passes barriers of the grid alone and finds nothing of what others write, which changes no count where control flow
   * does not follow from that.
   */
  readonly exact?: boolean
  /** Statements that warps may execute in all blocks together (beginning a block costs a few); 2 × 10⁹ when absent. */
  readonly maxSteps?: number
  /** Bytes of memory for buffers, arrays and tables; 4 GiB (what WebAssembly has) when absent. */
  readonly maxBytes?: number
  /**
   * Only counters are wanted and buffers hold nothing that matters: they read as 0, and nothing is copied in or out.
   */
  readonly countOnly?: boolean
  /**
   * What the kernel writes is not wanted: only what addresses and conditions follow from is computed, and buffers that
   * hold nothing of that need no memory. Those of `countOnly` are never wanted.
   */
  readonly discard?: boolean
  /**
   * Requests that leave compiled code count as 60 steps more, those of a new shape as 600, observed ones as 300: about
   * what they cost, so that `maxSteps` bounds time.
   */
  readonly slowSteps?: boolean
  /**
   * At the limit of steps, end with what was counted so far instead of failing; the counters then say that fewer blocks
   * ran.
   */
  readonly partial?: boolean
  /** Run these blocks, each standing for an equal share of the grid unless `weights` says otherwise. */
  readonly blocks?: readonly (readonly [number, number, number])[]
  /** How many blocks of the grid each of `blocks` stands for, where shares are not equal. */
  readonly weights?: readonly number[]
}

/** What a run gives. */
export interface Result {
  readonly counters: Counters
  /** Steps taken, as `maxSteps` counts them. */
  readonly steps: number
  /** The loop in which a partial run met its limit, where its place is known. */
  readonly cutAt?: Span
}

/** A kernel compiled once, to run on any launch. */
export interface Simulation {
  readonly kernel: Verified<Kernel>
  /** Runs a launch. Throws `DiagnosticError`: `simulate.buffer`, `.param`, `.grid`, `.steps`, `.memory`, `.blocks`. */
  run(launch: Launch, options?: RunOptions): Result
  /**
   * Bytes of each resource that some blocks reach, where the sizes of `endless` buffers do not matter; null where
   * counts follow from what one of those holds, or where the steps end before the blocks. `outside`: what indices here
   * cannot reach, or lies before the beginning. Throws as `run` does.
   */
  reach(
    launch: Launch,
    endless: ReadonlySet<string>,
    options: Pick<RunOptions, 'maxSteps' | 'maxBytes' | 'countOnly'> & { readonly blocks: readonly Dim3[] },
  ): {
    readonly bytes: ReadonlyMap<string, number>
    readonly steps: number
    readonly outside: readonly Hazard[]
  } | null
  /**
   * What is amiss when all blocks run; nothing is counted. `keep`: bytes of buffers up to which the machine of the
   * launch is kept for the next one. Throws as `run` does.
   */
  hazards(launch: Launch, keep?: number): readonly Hazard[]
  /** Whether some thread ran a statement in the launches that `hazards` ran. */
  executed(s: Stmt): boolean
  /** Gives memory that is kept to other simulations. Further launches are as if they were the first. */
  end(): void
}

const defaults = { maxSteps: 2e9, maxBytes: 2 ** 32 } as const

/** Compiles `kernel` to WebAssembly for the warps and rules of `profile`. */
export function compileKernel(
  kernel: Verified<Kernel>,
  profile: GpuProfile,
  options: SimulationOptions = {},
): Simulation {
  const check: Checks = {
    races: options.check?.races === true,
    uninitialized: options.check?.uninitialized === true,
    returned: options.check?.returned === true,
    unordered: options.check?.unordered === true,
    zeroed: options.check?.zeroed === true,
  }
  if (profile.warpSize > 32) refuseWarps(kernel, kernel.body, profile.warpSize)
  const observing = check.races || check.uninitialized || check.returned
  const ready = (isTelling: boolean, isSliced: boolean): Ready =>
    compiledOf(kernel, profile, observing, isTelling, isSliced)
  const kept: Kept = { executed: new Set() }
  return {
    kernel,
    run: (launch, run = {}) =>
      runLaunch(kernel, ready(derives(launch, run), isDiscarding(run)), launch, profile, check, run, kept),
    reach: (launch, endless, run) => {
      const { arrays } = addressSliceOf(kernel)
      return [...endless].some((name) => arrays.has(name))
        ? null
        : reachOf(kernel, ready(true, true), launch, profile, endless, run)
    },
    hazards: (launch, keep = mostKept) => hazardsOf(kernel, ready(false, false), launch, profile, check, keep, kept),
    executed: (s) => kept.executed.has(s),
    end: () => {
      kept.machine?.end()
      delete kept.machine
    },
  }
}

interface Ready {
  readonly compiled: CompiledModule
  readonly module: WebAssembly.Module
}

/**
 * Modules by kernel, and by warp size and whether the host looks at requests: estimates, traces and proofs run the same
 * kernels.
 */
const modules = new WeakMap<Kernel, Map<string, Ready>>()

const isDiscarding = ({ countOnly, discard }: RunOptions): boolean => countOnly === true || discard === true

/** `telling`: the module keeps what tells blocks apart. `sliced`: it computes only what counts follow from. */
function compiledOf(
  kernel: Verified<Kernel>,
  profile: GpuProfile,
  observing: boolean,
  telling: boolean,
  sliced: boolean,
): Ready {
  const warpSize = Math.min(32, profile.warpSize),
    key = `${warpSize} ${observing} ${telling} ${sliced}`
  const known = modules.get(kernel) ?? new Map<string, Ready>(),
    found = known.get(key)
  modules.set(kernel, known)
  if (found) return found
  const { bytes, compiled } = compileModule(
      kernel,
      warpSize,
      observing,
      defaults.maxBytes,
      telling ? sliceOf(kernel).decisions : null,
      sliced ? addressSliceOf(kernel) : null,
    ),
    ready = { compiled, module: makeModule(kernel, bytes) }
  known.set(key, ready)
  return ready
}

/** Engines limit functions to 7.6 MB of code and 50,000 locals. */
function makeModule(kernel: Kernel, bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes)
  } catch (e) {
    if (bytes.length < 500_000)
      throw new InternalError('simulate/compile', e instanceof Error ? e.message : String(e), printKernel(kernel))
    return fail(
      'simulate.size',
      `kernel ${kernel.name} is too large to simulate: ${bytes.length} bytes of WebAssembly`,
      undefined,
      'unroll less',
    )
  }
}

/** Wider warps are counted as halves of 32 lanes, which a kernel that looks at its lanes would notice. */
function refuseWarps(kernel: Kernel, list: readonly Stmt[], warpSize: number): void {
  for (const s of list) {
    const looks =
      s.kind === 'subgroup' ||
      (s.kind === 'builtin' &&
        (s.name === 'lane' || s.name === 'warp' || s.name === 'warpSize' || s.name === 'presentLanes'))
    if (looks)
      fail(
        'simulate.warp-size',
        `kernel ${kernel.name} uses the lanes of its warp, but warps of ${warpSize} are simulated as halves of 32`,
        s.at,
        'choose a GPU profile with warps of at most 32 lanes',
      )
    for (const inner of listsOf(s)) refuseWarps(kernel, inner, warpSize)
  }
}

/**
 * Prepares recording of what warps ask of global memory. The recorder stops after about `limit` sectors; buffers are
 * read, never written back. Launches that cannot run throw as `run` does; a kernel that runs out of steps is cut short.
 */
export function tracer(kernel: Verified<Kernel>, profile: GpuProfile): Tracer {
  const watched = watching(kernel, profile)
  return (launch, blocks, limit, options) => {
    const recorder = new TraceRecorder(limit, profile.sectorBytes, Math.min(32, profile.warpSize))
    return recorder.finish(watched(launch, blocks, recorder, options?.blind === true))
  }
}

/**
 * Up to `most` requests of each site, of different shapes, by site; from the blocks in their order, until two after
 * another have shown nothing new. `blind` as in a `Tracer`.
 */
export function laneRequests(
  kernel: Verified<Kernel>,
  profile: GpuProfile,
  launch: Launch,
  blocks: readonly Dim3[],
  options: { readonly most: number; readonly blind: boolean },
): ReadonlyMap<number, readonly LaneRequest[]> {
  const recorder = new LaneRecorder(options.most, Math.min(32, profile.warpSize))
  watching(kernel, profile)(launch, blocks, recorder, options.blind, () => recorder.blocksWithoutNews >= 2)
  return recorder.seen
}

/** Runs blocks under an observer; false when it or the limit of steps ended them. */
function watching(
  kernel: Verified<Kernel>,
  profile: GpuProfile,
): (launch: Launch, blocks: readonly Dim3[], recorder: Observer, blind: boolean, isEnough?: () => boolean) => boolean {
  const check: Checks = { races: false, uninitialized: false, returned: false, unordered: false, zeroed: false }
  const { compiled, module } = compiledOf(kernel, profile, true, false, true)
  return (launch, blocks, recorder, blind, isEnough = () => false) => {
    checkLaunch(kernel, launch)
    const machine = new Machine(kernel, compiled, module, launch, profile, {
      ...defaults,
      maxSteps: 2e7,
      check,
      copies: !blind,
      together: 1,
      counted: true,
      slow: notSlow,
      recorder,
    })
    try {
      const ran = untilLimit(() => {
        for (const b of blocks) {
          machine.run(...b)
          if (isEnough()) break
        }
        return machine
      })
      return !isInapplicable(ran)
    } catch (e) {
      if (e instanceof Full) return false
      throw e
    } finally {
      machine.end()
    }
  }
}

/** Compiles and runs in one call. Buffers that the kernel may write are written in place by the blocks that run. */
export function simulate(
  kernel: Verified<Kernel>,
  launch: Launch,
  profile: GpuProfile,
  options: RunOptions & SimulationOptions = {},
): { readonly counters: Counters } {
  return compileKernel(kernel, profile, options).run(launch, options)
}

/** Whether classes of blocks are derived: neither all blocks nor some that were chosen run. */
const derives = ({ grid }: Launch, { exact, quick, blocks }: RunOptions): boolean =>
  exact !== true && quick !== true && !blocks && blocksOf(grid) > 1 && blocksOf(grid) <= mostBlocks

function runLaunch(
  kernel: Verified<Kernel>,
  { compiled, module }: Ready,
  launch: Launch,
  profile: GpuProfile,
  check: Checks,
  options: RunOptions,
  kept: Kept,
): Result {
  checkLaunch(kernel, launch)
  const all = options.exact === true || blocksOf(launch.grid) === 1
  const together = all && meetsGrid(kernel) ? blocksOf(launch.grid) : 1
  const machine = machineFor(
    kernel,
    compiled,
    module,
    launch,
    profile,
    {
      maxSteps: options.maxSteps ?? defaults.maxSteps,
      maxBytes: options.maxBytes ?? defaults.maxBytes,
      check,
      copies: options.countOnly !== true,
      counted: true,
      together,
      slow: options.slowSteps ? { resolved: 60, measured: 600, observed: 300 } : notSlow,
    },
    kept,
  )
  let into = emptyInto(compiled, machine)
  let count: Count | null = null,
    cutAt: Span | undefined
  const countWhole = (): { readonly count: Count } => {
    const found = counted(kernel, compiled, machine, launch, profile, options, into)
    if (found !== 'in order') return { count: found }
    machine.restart(launch)
    into = emptyInto(compiled, machine)
    return { count: countAll(kernel, machine, launch, into) }
  }
  try {
    const ran = options.partial === true ? untilLimit(countWhole) : countWhole()
    if (isInapplicable(ran)) cutAt = ran.inapplicable[0]?.at
    else count = ran.count
  } finally {
    if (options.countOnly !== true) machine.copyBack()
  }
  const result: Result = {
    counters: finish(kernel, compiled, machine, launch, into, count),
    steps: machine.steps(),
    ...(cutAt && { cutAt }),
  }
  const ended = count === null
  keepOrEnd(machine, launch, ended || options.countOnly === true ? 0 : mostKept, kept)
  return result
}

/** By bytes, and where those do not reach, by steps of the accesses' width. */
function reachOf(...of: Reaching): ReturnType<Simulation['reach']> {
  const near = reachBy(false, ...of)
  return near?.outside.some((h) => (h.farthest ?? 0) > 0) ? reachBy(true, ...of) : near
}

type Reaching = [
  kernel: Verified<Kernel>,
  ready: Ready,
  launch: Launch,
  profile: GpuProfile,
  endless: ReadonlySet<string>,
  options: Parameters<Simulation['reach']>[2],
]

function reachBy(
  far: boolean,
  ...[kernel, { compiled, module }, launch, profile, endless, options]: Reaching
): ReturnType<Simulation['reach']> {
  const machine = new Machine(kernel, compiled, module, launch, profile, {
    maxSteps: options.maxSteps ?? defaults.maxSteps,
    maxBytes: options.maxBytes ?? defaults.maxBytes,
    check: { races: false, uninitialized: false, returned: false, unordered: false, zeroed: false },
    copies: options.countOnly !== true,
    counted: true,
    together: 1,
    slow: notSlow,
    endless,
    far,
  })
  try {
    const reached = untilLimit(() => {
      for (const b of options.blocks) machine.run(...b)
      return {
        bytes: machine.reached(),
        steps: machine.steps(),
        outside: machine.hazards.list().filter((h) => endless.has(h.resource ?? '')),
      }
    })
    return isInapplicable(reached) ? null : reached
  } finally {
    machine.end()
  }
}

const emptyInto = (compiled: CompiledModule, { sites }: Machine): Into => ({
  raw: emptyCounts(compiled),
  sums: sites.map(emptySums),
})

function countAll(kernel: Kernel, machine: Machine, { grid }: Launch, { raw, sums }: Into): Count {
  const isTogether = meetsGrid(kernel) && blocksOf(grid) > 1
  const instructions = (isTogether ? runTogether : runAll)(machine, grid, raw, sums)
  return { blocks: null, instructions, simulated: blocksOf(grid), exact: true, sampling: null }
}

/** Runs what is to be run and says how it was counted; 'in order': all blocks are to run from the beginning. */
function counted(
  kernel: Verified<Kernel>,
  compiled: CompiledModule,
  machine: Machine,
  launch: Launch,
  profile: GpuProfile,
  options: RunOptions,
  into: Into,
): Count | 'in order' {
  const blocks = blocksOf(launch.grid)
  if (options.exact === true || (blocks === 1 && !options.blocks)) return countAll(kernel, machine, launch, into)
  const blank = options.countOnly === true
  if (compiled.decisions) {
    const maxSteps = options.maxSteps ?? defaults.maxSteps
    return countByClasses(machine, { kernel, launch, profile, blank, maxSteps }, into)
  }
  const guessed = sampleBlocks(launch.grid, options.blocks, options.weights)
  const { classes, instructions } = runSampled(
    machine,
    guessed,
    launch.grid,
    blank && !options.blocks,
    into.raw,
    into.sums,
  )
  return {
    blocks: classes.map((c) => c.block),
    instructions,
    simulated: classes.length,
    exact: classes.length === blocks,
    sampling: null,
  }
}

function hazardsOf(
  kernel: Verified<Kernel>,
  { compiled, module }: Ready,
  launch: Launch,
  profile: GpuProfile,
  check: Checks,
  keep: number,
  kept: Kept,
): readonly Hazard[] {
  checkLaunch(kernel, launch)
  const [gx, gy, gz] = launch.grid,
    together = meetsGrid(kernel) ? blocksOf(launch.grid) : 1
  const machine = machineFor(
    kernel,
    compiled,
    module,
    launch,
    profile,
    {
      maxSteps: defaults.maxSteps,
      maxBytes: defaults.maxBytes,
      check,
      copies: true,
      counted: false,
      together,
      slow: notSlow,
    },
    kept,
  )
  try {
    if (together > 1) machine.runTogether()
    else for (let z = 0; z < gz; z++) for (let y = 0; y < gy; y++) for (let x = 0; x < gx; x++) machine.run(x, y, z)
  } finally {
    machine.copyBack()
  }
  if (machine.meetsFaulty()) {
    const sums = machine.sites.map(emptySums)
    machine.collect(emptyCounts(compiled), sums, 1)
    noteMisaligned(machine, sums)
  }
  const hazards = machine.hazards.list()
  if (kept.executed.size < compiled.statements.length) {
    const hasRun = machine.executedStatements()
    for (const s of compiled.statements) if (hasRun(s)) kept.executed.add(s)
  }
  keepOrEnd(machine, launch, keep, kept)
  return hazards
}

const emptyCounts = ({ blocks: { length: n }, branchOf }: CompiledModule): RawCounts => ({
  warps: new Float64Array(n),
  lanes: new Float64Array(n),
  divergent: new Float64Array(branchOf.size),
  barriers: 0,
  meetings: 0,
})

const notSlow = { resolved: 0, measured: 0, observed: 0 } as const

/** Keeps the machine of a run that ended well for the next launch, unless buffers have more than `most` bytes. */
function keepOrEnd(machine: Machine, launch: Launch, most: number, kept: Kept): void {
  if (Object.values(launch.buffers).reduce((n, b) => n + b.byteLength, 0) > most) machine.end()
  else kept.machine = machine
}

/**
 * Bytes of buffers of a launch whose machine is kept, which has as much memory again and, to look for races, fifteen
 * times that.
 */
const mostKept = 2 ** 20

/** The machine of the last run that ended well: hosts launch a kernel again and again on the same arrays. */
interface Kept {
  machine?: Machine
  /** Statements that ran in launches that were looked at for hazards. */
  readonly executed: Set<Stmt>
}

function machineFor(
  kernel: Verified<Kernel>,
  compiled: CompiledModule,
  module: WebAssembly.Module,
  launch: Launch,
  profile: GpuProfile,
  options: MachineOptions,
  kept: Kept,
): Machine {
  const { machine } = kept
  delete kept.machine
  if (machine?.fits(compiled, launch, options)) {
    machine.restart(launch)
    return machine
  }
  machine?.end()
  return new Machine(kernel, compiled, module, launch, profile, options)
}

/** Grids of more blocks than this have no list of single blocks. */
const mostListed = 2 ** 20

/** A run, or that it takes more steps than it may. What else stands in its way is thrown. */
function untilLimit<T extends object>(run: () => T): T | Inapplicable {
  const ran = attempted(run)
  return isInapplicable(ran) && ran.inapplicable[0]?.code !== 'simulate.steps' ? applied<never>(ran) : ran
}

function runAll(
  machine: Machine,
  [gx, gy, gz]: Launch['grid'],
  raw: RawCounts,
  sums: readonly SiteSums[],
): Float64Array<ArrayBuffer> {
  const perBlock = new Float64Array(gx * gy * gz <= mostListed ? gx * gy * gz : 0)
  let block = 0,
    before = 0
  for (let z = 0; z < gz; z++)
    for (let y = 0; y < gy; y++)
      for (let x = 0; x < gx; x++) {
        machine.run(x, y, z)
        if (perBlock.length === 0) continue
        const now = machine.executed()
        perBlock[block++] = now - before
        before = now
      }
  machine.collect(raw, sums, 1)
  return perBlock
}

const blocksOf = (grid: Launch['grid']): number => grid[0] * grid[1] * grid[2]

/** All blocks, in turns from one barrier of the grid to the next. */
function runTogether(
  machine: Machine,
  grid: Launch['grid'],
  raw: RawCounts,
  sums: readonly SiteSums[],
): Float64Array<ArrayBuffer> {
  const perBlock = machine.runTogether()
  machine.collect(raw, sums, 1)
  return blocksOf(grid) <= mostListed ? perBlock : new Float64Array()
}

interface BlockClass {
  readonly block: readonly [number, number, number]
  readonly weight: number
}

interface Sampled {
  readonly classes: readonly BlockClass[]
  readonly instructions: Float64Array<ArrayBuffer>
}

/** `halving`: blocks may run again to find where work ends. */
function runSampled(
  machine: Machine,
  classes: readonly BlockClass[],
  grid: Launch['grid'],
  halving: boolean,
  raw: RawCounts,
  sums: readonly SiteSums[],
): Sampled {
  const ran: { readonly of: BlockClass; readonly instructions: number }[] = []
  const measure = (of: BlockClass): number => {
    machine.run(...of.block)
    const instructions = machine.executed()
    machine.collect(raw, sums, of.weight)
    if (of.weight > 0) ran.push({ of, instructions })
    return instructions
  }
  const count = grid[0],
    [first, middle, last] = classes,
    at = (x: number, weight: number): BlockClass => ({ block: [x, 0, 0], weight })
  if (halving && count > leastHalved && classes.length === 3 && grid[1] * grid[2] === 1) {
    const most = measure(first!),
      least = measure(last!),
      idle = (x: number): boolean => measure(at(x, 0)) === least // there are three
    if (least < most && idle(count - 2)) {
      let busy = 0,
        end = count - 2
      while (end - busy > 1) {
        const x = (busy + end) >> 1
        if (idle(x)) end = x
        else busy = x
      }
      for (const c of [at(end >> 1, end - 2), at(end - 1, 1), at(count - 2, count - 1 - end)])
        if (c.weight > 0 && c.block[0] > 0) measure(c)
    } else measure(middle!)
  } else classes.forEach(measure)
  return { classes: ran.map((r) => r.of), instructions: Float64Array.from(ran, (r) => r.instructions) }
}

/**
 * Blocks of a line from which on it is worth to look for where work ends: those behind all do the same, less than the
 * first.
 */
const leastHalved = 16

/** Positions along one axis that stand for all: the first, the last, and one inside for the rest. */
function axis(n: number): { readonly at: number; readonly weight: number }[] {
  if (n <= 3) return Array.from({ length: n }, (_, at) => ({ at, weight: 1 }))
  return [
    { at: 0, weight: 1 },
    { at: n >> 1, weight: n - 2 },
    { at: n - 1, weight: 1 },
  ]
}

/** The blocks to run and how many blocks of the grid each stands for. */
export function sampleBlocks(
  grid: Launch['grid'],
  blocks?: RunOptions['blocks'],
  weights?: RunOptions['weights'],
): BlockClass[] {
  const total = grid[0] * grid[1] * grid[2]
  if (blocks) {
    const outside = blocks.find((b) => b.some((v, i) => !Number.isInteger(v) || v < 0 || v >= grid[i]!))
    if (outside || blocks.length === 0)
      fail(
        'simulate.blocks',
        outside ? `block (${outside.join(', ')}) is not in a grid of ${grid.join('×')}` : 'no blocks to run',
      )
    return blocks.map((block, i) => ({ block, weight: weights?.[i] ?? total / blocks.length }))
  }
  return axis(grid[2]).flatMap((z) =>
    axis(grid[1]).flatMap((y) =>
      axis(grid[0]).map((x): BlockClass => ({ block: [x.at, y.at, z.at], weight: x.weight * y.weight * z.weight })),
    ),
  )
}

/** Adds accesses at addresses that are no multiples of what they need to the machine's hazards. */
function noteMisaligned({ sites, hazards }: Machine, sums: readonly SiteSums[]): void {
  for (const [i, s] of sums.entries()) {
    if (s.misaligned > 0)
      hazards.add('misaligned', sites[i]!.stmt, null, Math.round(s.misaligned), () => ({
        text: `'${sites[i]!.resource.name}' at a multiple of ${sites[i]!.alignment} bytes is needed`,
        resource: sites[i]!.resource.name,
      }))
  }
}

function finish(
  kernel: Kernel,
  compiled: CompiledModule,
  machine: Machine,
  launch: Launch,
  { raw, sums }: Into,
  count: Count | null,
): Counters {
  const blocks = blocksOf(launch.grid)
  noteMisaligned(machine, sums)
  return {
    grid: launch.grid,
    block: kernel.block,
    coverage: { blocks, simulated: count?.simulated ?? 0, exact: count?.exact ?? false },
    sampling: count?.sampling ?? null,
    work: { blocks: count ? count.blocks : [], instructions: count?.instructions ?? new Float64Array() },
    instructions: instructions(compiled, raw),
    executions: compiled.blocks.map(({ id, statements }) => ({
      statements,
      warps: raw.warps[id]!,
      lanes: raw.lanes[id]!,
    })),
    sites: sums.map(finishSums),
    branches: branches(compiled, raw),
    hazards: machine.hazards.list(),
    barriersPerBlock: raw.barriers / blocks,
    gridBarriers: raw.meetings / blocks,
  }
}

/** The class that one execution of a statement counts in. */
export function classOfStmt(s: Stmt): InstructionClass {
  switch (s.kind) {
    case 'op':
      return classOf(
        s.op,
        s.op === 'convert' && s.args[0]!.type !== s.dst.type ? wider(s.args[0]!.type, s.dst.type) : argumentType(s),
      )
    case 'builtin':
      return 'move'
    case 'load':
    case 'store':
    case 'atomic':
    case 'subgroup':
    case 'barrier':
      return s.kind
    case 'matrix':
    case 'if':
    case 'loop':
    case 'break':
    case 'continue':
    case 'return':
      return 'control'
  }
}

/** A conversion counts where its float64 side, else its float side, does. */
function wider(a: Parameters<typeof classOf>[1], b: Parameters<typeof classOf>[1]): Parameters<typeof classOf>[1] {
  for (const t of ['f64', 'f32', 'f16'] as const) if (a === t || b === t) return t
  return a
}

const perClass = (): Record<InstructionClass, number> =>
  Object.fromEntries(instructionClasses.map((c) => [c, 0])) as Record<InstructionClass, number> // every class is listed

function instructions(compiled: CompiledModule, raw: RawCounts): Counters['instructions'] {
  const [warpByClass, byClass] = [perClass(), perClass()]
  let warp = 0,
    thread = 0
  const add = (id: number, c: InstructionClass, times: number): void => {
    warpByClass[c] += raw.warps[id]! * times
    byClass[c] += raw.lanes[id]! * times
    warp += raw.warps[id]! * times
    thread += raw.lanes[id]! * times
  }
  for (const { id, statements } of compiled.blocks) {
    for (const s of statements) {
      if (s.counts) for (const c of instructionClasses) add(id, c, s.counts[c] ?? 0)
      else if (!s.free) add(id, classOfStmt(s), 1)
    }
  }
  for (const c of instructionClasses) {
    warpByClass[c] = Math.round(warpByClass[c])
    byClass[c] = Math.round(byClass[c])
  }
  return { warp: Math.round(warp), thread: Math.round(thread), warpByClass, byClass }
}

const branchesOf = (s: Stmt): number => s.branches ?? (s.kind === 'if' && !s.free ? 1 : 0)

function branches(compiled: CompiledModule, raw: RawCounts): BranchCounters[] {
  const executed = new Map<Stmt, number>()
  for (const { id, statements } of compiled.blocks) {
    for (const s of statements)
      if (branchesOf(s) > 0) executed.set(s, (executed.get(s) ?? 0) + branchesOf(s) * raw.warps[id]!)
  }
  const own = [...compiled.branchOf].filter(([s]) => !s.free)
  const inserted = [...executed].filter(([s]) => s.kind !== 'if' || s.free)
  return [
    ...own.map(([s, i]) => ({
      ...(s.at && { at: s.at }),
      executed: Math.round(executed.get(s) ?? 0),
      divergent: Math.round(Math.min(1, branchesOf(s)) * raw.divergent[i]!),
    })),
    ...inserted.map(([s, n]) => ({ ...(s.at && { at: s.at }), executed: Math.round(n), divergent: 0 })),
  ]
}
