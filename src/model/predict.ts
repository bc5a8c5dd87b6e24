// In: counters of a launch, a trace of some of its blocks, what a block takes, a GPU profile. Out: a predicted time
// with its terms and what bounds it. The one idea: each part of the machine (issue, pipes, shared memory, L1, L2, DRAM,
// atomics, waiting, starting blocks) would need some time alone; they overlap in part, so the whole is (Σ tᵖ)^(1/p).
// What the parts do comes from the counters, less what an optimising compiler removes (`residue.ts`), the caches
// (`caches.ts`) and one warp's own time (`timeline.ts`). The profile's numbers are measured; the few constants here are
// fitted, see `constants`.
import { fail } from '../base/index.ts'
import { occupancy, overheadsOf, type GpuProfile, type Occupancy } from '../gpus/index.ts'
import {
  isCached,
  meetsGrid,
  opRow,
  sharedBytesOf,
  sharedPlaces,
  type Counters,
  type Kernel,
  type SiteCounters,
  type Stmt,
  type Trace,
} from '../ir/index.ts'
import { atomicNs } from './atomics.ts'
import { simulateCaches, waitRate, type CacheCounts } from './caches.ts'
import { fewestRegisters, fixedRegisters, pressuresOf } from './registers.ts'
import { memoryStatements, residueOf, type Residue } from './residue.ts'
import { sharedOperands } from './shared-operands.ts'
import { spillAccesses } from './spills.ts'
import { warpClocks, type Moment } from './timeline.ts'

/** Terms in nanoseconds; `ns` is their combination plus the launch. */
export interface Prediction {
  readonly ns: number
  /** The largest term. */
  readonly boundBy: Term
  readonly terms: Readonly<Record<Term | 'launch', number>>
}

export type Term =
  | 'issue'
  | 'fp32'
  | 'fp64'
  | 'int'
  | 'sfu'
  | 'shared'
  | 'l1'
  | 'l2'
  | 'dram'
  | 'atomics'
  | 'latency'
  | 'blocks'
  | 'spill'

export interface PredictInput {
  readonly counters: Counters
  readonly kernel: Kernel
  readonly profile: GpuProfile
  /** Registers per thread, estimated or reported. */
  readonly registers: number
  /** Bytes of shared memory per block. */
  readonly shared: number
  /** Bytes of each buffer bound, by resource. */
  readonly buffers: Readonly<Record<string, number>>
  /** What some blocks that share a multiprocessor asked of memory; without it nothing is taken to hit in L1. */
  readonly trace?: Trace
  /** Times as many rounds as counted each warp's loops take: 1 unless the counters were scaled from smaller sizes. */
  readonly longer?: number
  /** The most registers that the compiler may use for a thread (`-maxrregcount`); what does not fit is spilled. */
  readonly registerLimit?: number
  /**
   * Who launches: a WebGPU dispatch when absent. A CUDA launch from a host is at least `hostLaunchNs` apart from the
   * next.
   */
  readonly api?: 'webgpu' | 'cuda'
}

/**
 * Fitted on the calibration families of `bench/model/points.ts` alone (docs/fidelity.md); everything else is measured.
 */
export const constants = {
  /** How much terms overlap: 1 would add them, ∞ would take the longest alone. */
  overlap: 2.6,
  /** Latency of L2 and DRAM under the traffic of a whole GPU ÷ that of one pointer chase (of L2: of its near part). */
  loadedL2: 1.4,
  loadedDram: 1.6,
  /** Clocks from a block's start to its first instruction and from its last to the next block's start. */
  blockClocks: 230,
  /** Of what a kernel reads again through L2, the part that comes from DRAM when the data do not fit. */
  rereadMiss: 0.23,
  /** The part of the peak rate of a pipe or memory that real kernels reach. */
  efficiency: 1,
}

/**
 * Clocks of the shared-memory pipe for each warp at a barrier: 1024 threads wait 78 clocks, 512 wait 46 (bench/micro).
 */
const barrierPasses = 2
/** Bytes of one pass of shared memory: cc 1.x serves 16 lanes at a time. */
const passBytes = (p: GpuProfile): number => (p.bankRule === 'half-warp' ? 64 : 128)
/** Whether global memory is cached at all: cc 1.x sends every transaction to DRAM. */
const hasCaches = (p: GpuProfile): boolean => p.throughput.l1Bytes.value > 0
/** Bytes that DRAM moves at least: strided reads on H200 cost the same for 32 and 64 bytes apart (bench/micro). */
const dramGranule = 64
/**
 * How much more than the estimate compilers use in large kernels: `ptxas` 220 for 214, and spills seen on H200 from 240
 * on.
 */
const registerMargin = 1.08

/**
 * Occupancy of the kernel as launched: WebGPU may have less workgroup memory on a multiprocessor than CUDA, one
 * workgroup always fits; registers beyond the GPU's limit are taken as the limit (the compiler spills).
 */
export function occupancyOf(
  profile: GpuProfile,
  threads: number,
  registers: number,
  shared: number,
  limit = Infinity,
  api: 'webgpu' | 'cuda' = 'cuda',
): Occupancy {
  const given =
    api === 'webgpu' && profile.webgpuShared
      ? {
          ...profile,
          occupancy: { ...profile.occupancy, shared: Math.max(profile.webgpuShared.value, shared), sharedReserved: 0 },
        }
      : profile
  return occupancy(given, {
    threads,
    registers: registersOf(profile, threads, registers, limit),
    shared,
  })
}

/** Registers that a thread is given: what it wants, or as many as it may have. */
export const registersOf = (profile: GpuProfile, threads: number, wanted: number, limit = Infinity): number =>
  Math.max(1, Math.min(wanted, limit, mostRegisters(profile, threads)))

/**
 * Registers that a thread of such a block can have: warps get them in units, and are dealt out to the parts of a
 * multiprocessor.
 */
function mostRegisters({ occupancy: o, warpSize }: GpuProfile, threads: number): number {
  const warps = o.subPartitions * Math.ceil(Math.ceil(threads / warpSize) / o.subPartitions)
  const most = Math.floor(o.registers / (warps * warpSize)),
    unit = o.registerAllocation === 'warp' ? Math.max(1, o.registerUnit / warpSize) : 1
  return Math.min(o.maxRegistersPerThread, Number.isFinite(most) ? Math.max(1, unit * Math.floor(most / unit)) : most)
}

/** Who runs a kernel: CUDA alone has blocks that meet, and so much shared memory. */
export const apiOf = (kernel: Kernel, asked: 'webgpu' | 'cuda' = 'webgpu'): 'webgpu' | 'cuda' =>
  meetsGrid(kernel) || sharedPlaces(kernel) ? 'cuda' : asked

/** Whether so many blocks of a kernel with so many registers are on the GPU at once. */
export function fitsAtOnce(kernel: Kernel, blocks: number, registers: number, profile: GpuProfile): boolean {
  const threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
  return (
    blocks <=
    occupancyOf(profile, threads, registers, sharedBytesOf(kernel), Infinity, 'cuda').activeBlocks *
      profile.multiprocessors
  )
}

/**
 * The time of one launch. Throws a `DiagnosticError` for blocks that meet and are not all on the GPU at once: such a
 * launch is refused.
 */
export function predict(input: PredictInput): Prediction {
  const { profile, counters } = input
  const m = machine(input)
  if (meetsGrid(input.kernel) && m.blocks > m.active.activeBlocks * profile.multiprocessors)
    fail(
      'predict.blocks',
      `the ${m.blocks} blocks of kernel ${input.kernel.name} meet, but ${profile.name} has room for ` +
        `${m.active.activeBlocks * profile.multiprocessors} at once`,
    )
  const touched = touchedBytes(input, m)
  const missing = missingL2(touched, profile)
  const spilled = spilledAccesses(input, m, counters.block[0] * counters.block[1] * counters.block[2])
  /** Local memory lies in DRAM, a word of every lane side by side; where there are caches, L1 holds it. */
  const local = hasCaches(profile) ? 0 : spilled * 4 * profile.warpSize
  const waits = waitingBytes(input, m),
    stretch = input.trace?.dramStretch ?? 1
  const alone: Record<Term, number> = {
    ...pipeNs(input, m),
    ...memoryNs(input, m),
    dram: (((dramBytes(touched, missing) + local) * stretch + waits) / profile.memory.dramBytesPerSecond.value) * 1e9,
    atomics: atomicNs(input.counters, input.buffers, input.profile, input.kernel, input.api),
    latency: latencyNs(input, m, farClocks(input, touched, missing, m.blocks)),
    blocks: m.blocks * overheadsOf(profile).blockNs.value,
    spill: m.ns(spilled),
  }
  /** Nobody works while all blocks wait for the last to come. */
  const meeting = counters.gridBarriers * gridBarrierNs(profile),
    terms = { ...alone, latency: alone.latency + meeting }
  const names = Object.keys(terms) as Term[] // the keys just written
  const boundBy = names.reduce((a, b) => (terms[b] > terms[a] ? b : a))
  /**
   * Pipes wait for one issue, shared memory and L1 share their data stage, L2 and DRAM are one path: those do not add
   * up.
   */
  // What is spilled is issued, too, and passes the data stage of L1.
  const work = together(
    [
      Math.max(terms.issue, terms.fp32, terms.fp64, terms.int, terms.sfu) + terms.spill / profile.schedulersPerSm,
      terms.shared + terms.l1 + terms.spill,
      Math.max(terms.l2, terms.dram),
      terms.atomics,
    ],
    overlapOf(m, input),
  )
  const busy = slowestBlock(input, m) * together([work, alone.latency, terms.blocks], constants.overlap) + meeting
  const launch = profile.launchNs.value
  const ns = launch + busy
  return {
    ns: input.api === 'cuda' ? Math.max(overheadsOf(profile).hostLaunchNs.value, ns) : ns,
    boundBy,
    terms: { ...terms, launch },
  }
}

const gridBarrierNs = (profile: GpuProfile): number =>
  (overheadsOf(profile).gridBarrier.value * profile.latency.l2.value * 1e9) / profile.clockHz.value

/** Where all blocks wait for each other, the work of the one with most ÷ their mean. */
const slowestBlock = (input: PredictInput, m: Machine): number =>
  input.counters.gridBarriers === 0 ? 1 : unevenness(input, m)

/** Instructions of the block with most ÷ their mean. */
function unevenness({ counters, longer = 1 }: PredictInput, { blocks }: Machine): number {
  const mean = counters.instructions.warp / blocks / longer
  return mean === 0 ? 1 : counters.work.instructions.reduce((a, b) => Math.max(a, b / mean), 1)
}

/** (Σ tᵖ)^(1/p) */
const together = (parts: readonly number[], power: number): number =>
  parts.reduce((sum, t) => sum + t ** power, 0) ** (1 / power)

/** How the launch lies on the machine. */
interface Machine {
  readonly blocks: number
  readonly active: Occupancy
  readonly residue: Residue
  readonly caches: CacheCounts | null
  /** Part of a load site's sectors that go to L2. */
  readonly missRate: (site: number) => number
  /** Of so many requests of a load site that wait together, how often L1 does not have all. */
  readonly waitRate: (site: number, sideBySide: number) => number
  /** Nanoseconds that `clocks` of one multiprocessor doing everything take when all share them. */
  readonly ns: (clocks: number) => number
}

const residues = new WeakMap<object, Map<string, Residue>>()
function residueFor({ counters, kernel, profile, api = 'webgpu' }: PredictInput): Residue {
  const known = residues.get(counters.executions) ?? new Map<string, Residue>()
  residues.set(counters.executions, known)
  const key = `${api} ${profile.compiler?.source ?? ''}`
  const residue = known.get(key) ?? residueOf(kernel, counters, api, profile.compiler)
  known.set(key, residue)
  return residue
}
const cacheRuns = new WeakMap<Trace, CacheCounts>()

function machine(input: PredictInput): Machine {
  const { counters, profile, trace } = input
  const blocks = Math.max(1, counters.grid[0] * counters.grid[1] * counters.grid[2])
  const threads = counters.block[0] * counters.block[1] * counters.block[2]
  const active = occupancyOf(
    profile,
    threads,
    input.registers,
    input.shared,
    input.registerLimit,
    apiOf(input.kernel, input.api),
  )
  const residue = residueFor(input)
  const caches = trace ? (cacheRuns.get(trace) ?? runCaches(input, trace, active)) : null
  if (trace && caches) cacheRuns.set(trace, caches)
  /** The multiprocessor with most blocks decides. */
  const uneven = (Math.ceil(blocks / profile.multiprocessors) * profile.multiprocessors) / blocks
  return {
    blocks,
    active,
    residue,
    caches,
    missRate: (site) => {
      const c = caches?.sites.get(site)
      return c && c.sectors > 0 ? c.misses / c.sectors : 1
    },
    waitRate: (site, sideBySide) => {
      const c = caches?.sites.get(site)
      return c ? waitRate(c, sideBySide) : 1
    },
    ns: (clocks) => (clocks * uneven * 1e9) / (profile.multiprocessors * profile.clockHz.value),
  }
}

/** What a multiprocessor's cache holds of a trace: of all reads, or of textures alone; null: nothing is cached. */
function runCaches(input: PredictInput, trace: Trace, active: Occupancy): CacheCounts | null {
  const { counters, profile, shared } = input
  if (!hasCaches(profile)) return textureCache(input, trace, active)
  const resident = Math.max(
    1,
    Math.min(
      active.activeBlocks,
      Math.ceil((counters.grid[0] * counters.grid[1] * counters.grid[2]) / profile.multiprocessors),
    ),
  )
  const l1 =
    profile.memory.l1Bytes.value -
    Math.min(profile.occupancy.shared, (shared + profile.occupancy.sharedReserved) * resident)
  const stores = new Set(counters.sites.filter((s) => s.op !== 'load').map((s) => s.site))
  return simulateCaches(
    trace,
    {
      l1Bytes: Math.max(profile.lineBytes * 16, l1 * (trace.blocks.length / resident)),
      lineBytes: profile.lineBytes,
      sectorBytes: profile.sectorBytes,
      granuleBytes: dramGranule,
      firstRound: firstRound(input, active),
    },
    stores,
  )
}

/** Blocks that are on the GPU at once ÷ all. */
function firstRound({ counters, profile }: PredictInput, { activeBlocks }: Occupancy): number {
  const blocks = counters.grid[0] * counters.grid[1] * counters.grid[2]
  return Math.min(1, (profile.multiprocessors * Math.max(1, activeBlocks)) / Math.max(1, blocks))
}

/**
 * Textures on a GPU that caches nothing else (cc 1.x). Of their cache each multiprocessor that shares it is taken to
 * have its part, as blocks of neighbouring numbers are dealt to different clusters.
 */
function textureCache(input: PredictInput, trace: Trace, active: Occupancy): CacheCounts | null {
  const { counters, profile } = input
  const textures = new Set(counters.sites.filter((s) => s.space === 'texture' && s.op === 'load').map((s) => s.site))
  if (!profile.readOnlyCaches || textures.size === 0) return null
  const { textureBytes, textureSharers } = profile.readOnlyCaches
  const others = new Set(counters.sites.map((s) => s.site).filter((s) => !textures.has(s)))
  const { sites } = simulateCaches(
    trace,
    {
      l1Bytes: textureBytes.value / textureSharers,
      lineBytes: profile.sectorBytes,
      sectorBytes: profile.sectorBytes,
      granuleBytes: dramGranule,
      firstRound: firstRound(input, active),
    },
    others,
  )
  return { sites, granuleBytes: new Map() }
}

/**
 * A warp issues in order and waits for its loads, so parts overlap between warps: with one for each scheduler they add
 * up, with many they overlap as far as `overlap` says.
 */
function overlapOf(m: Machine, { profile, counters }: PredictInput): number {
  const warps = Math.ceil((counters.block[0] * counters.block[1] * counters.block[2]) / profile.warpSize)
  const resident = Math.min(m.active.activeWarps, Math.ceil(m.blocks / profile.multiprocessors) * warps)
  return constants.overlap ** (1 - Math.min(1, profile.schedulersPerSm / Math.max(1, resident)) ** 2)
}

/**
 * A scheduler and its pipes without a warp do nothing: schedulers ÷ warps on a multiprocessor, where that is more than
 * 1.
 */
const idleSchedulers = ({ active }: Machine, profile: GpuProfile): number =>
  Math.max(1, profile.schedulersPerSm / Math.max(1, active.activeWarps))

const pipes = ['fp32', 'fp64', 'int', 'sfu'] as const

/** Issue slots and pipes: what a statement says that it counts as, else what the compiler leaves of every statement. */
function pipeNs(
  { counters, profile, kernel }: PredictInput,
  m: Machine,
): Record<'issue' | 'fp32' | 'fp64' | 'int' | 'sfu', number> {
  const sum = { issue: 0, fp32: 0, fp64: 0, int: 0, sfu: 0 }
  let products = 0
  const folded = profile.throughput.sharedOperand ? sharedOperands(kernel) : null
  for (const e of counters.executions)
    for (const s of e.statements) {
      const issued = m.residue.issued(s) * e.warps * (folded?.has(s) ? profile.throughput.sharedOperand!.value : 1)
      if (issued === 0) continue
      sum.issue += issued
      if (s.counts) {
        for (const c of pipes)
          sum[c === 'int' && s.kind === 'op' && pipeOf(s) === 'fp32' ? 'fp32' : c] +=
            e.warps * (c === 'sfu' ? Math.min(1, s.counts[c] ?? 0) : (s.counts[c] ?? 0))
        continue
      }
      if (s.kind !== 'op') continue
      if (s.op === 'mul' && s.dst.type === 'f32') products += issued
      const pipe = pipeOf(s)
      sum[pipe] += pipe === 'sfu' ? e.warps * Math.min(1, issued / e.warps) : issued * pipeShare(s, profile)
    }
  const t = profile.throughput
  const paired = (t.pairedProducts?.value ?? 0) * Math.min(products, sum.issue - products)
  sum.issue -= paired
  sum.fp32 -= Math.min(paired, sum.fp32)
  const idle = idleSchedulers(m, profile)
  const pipe = (n: number, lanes: number): number =>
    idle * m.ns((n * profile.warpSize) / Math.max(lanes, 0.5) / constants.efficiency)
  return {
    issue: idle * m.ns(sum.issue / profile.schedulersPerSm / constants.efficiency),
    fp32: pipe(sum.fp32, t.fp32.value),
    fp64: pipe(sum.fp64, t.fp64.value),
    int: pipe(sum.int, t.int32.value),
    sfu: pipe(sum.sfu, t.sfu.value),
  }
}

/**
 * Integer sums and products run beside logic and shifts (measured: IADD3 costs nothing beside LOP3), on the fp32 side.
 */
function pipeOf(s: Extract<Stmt, { kind: 'op' }>): 'fp32' | 'fp64' | 'int' | 'sfu' {
  const type = s.args[s.op === 'select' ? 1 : 0]?.type ?? s.dst.type
  if (opRow(s.op).class === 'sfu' || (s.op === 'div' && type === 'f32')) return 'sfu'
  if (type === 'f64' || s.dst.type === 'f64') return 'fp64'
  if (s.op === 'add' || s.op === 'sub' || s.op === 'mul') return 'fp32'
  return (type === 'f32' || type === 'f16') && s.op === 'fma' ? 'fp32' : 'int'
}

/**
 * Slots of its pipe that an instruction takes: integer products have half as many lanes, a division's steps are spread
 * over pipes.
 */
function pipeShare(s: Extract<Stmt, { kind: 'op' }>, { throughput }: GpuProfile): number {
  if (s.op === 'div' || s.op === 'rem') return 0.6
  const ofIntegers = s.dst.type !== 'f32' && s.dst.type !== 'f16' && s.dst.type !== 'f64'
  const slots = throughput.product32 ? throughput.fp32.value / throughput.product32.value : 2
  return s.op === 'mul' && ofIntegers ? slots : 1
}

function memoryNs(input: PredictInput, m: Machine): Record<'shared' | 'l1' | 'l2', number> {
  const { counters, profile } = input
  const t = profile.throughput
  const statements = memoryStatements(input.kernel)
  /** Executions that the compiler leaves ÷ executions: hoisted loads are not repeated. */
  const left = (s: SiteCounters): number => {
    const x = statements[s.site]
    return x ? m.residue.kept(x) : 1
  }
  const sum = (f: (s: SiteCounters) => number): number => counters.sites.reduce((n, s) => n + f(s), 0)
  /** Passes of a whole warp: half-warps that find one address each pass together in the time of one warp. */
  const turns = (s: SiteCounters): number => (s.wavefronts * s.requests) / Math.max(1, s.idealWavefronts)
  const uniform = (s: SiteCounters): number =>
    input.api === 'cuda'
      ? Math.max(s.requests, turns(s) / 8)
      : (turns(s) > s.requests ? turns(s) : 0) * overheadsOf(profile).constantClocks.value
  /** What an operand straight from shared memory takes is in the time of its operation, but for conflicts. */
  const operands = t.sharedOperand ? sharedOperands(input.kernel) : null
  const sharedPasses = (s: SiteCounters): number => {
    const x = statements[s.site]
    return s.wavefronts - (x && operands?.has(x) ? s.idealWavefronts : 0)
  }
  const sharedNs = (): number =>
    m.ns(
      ((sum((s) => (s.space === 'shared' ? left(s) * sharedPasses(s) : 0)) * passBytes(profile)) / t.sharedBytes.value +
        counters.instructions.warpByClass.barrier * barrierPasses) /
        constants.efficiency,
    )
  /** Clocks of the texture units, which work beside what loads and stores. */
  const texelClocks = (): number =>
    t.texels ? sum((s) => (s.space === 'texture' && s.op === 'load' ? left(s) * fetches(s) : 0)) / t.texels.value : 0
  /** The other texels of a filter are no requests of their own, and come with the first. */
  const fetches = (s: SiteCounters): number => Math.min(s.threads, s.requests * profile.warpSize)
  if (!hasCaches(profile))
    return {
      shared: sharedNs(),
      l1: m.ns(
        Math.max(
          sum((s) => (s.space === 'constant' ? left(s) * uniform(s) : 0)),
          texelClocks(),
        ) / constants.efficiency,
      ),
      l2: 0,
    }
  const l1 = sum((s) => left(s) * (isCached(s) ? s.wavefronts : s.space === 'constant' ? uniform(s) : 0))
  const toL2 = sum((s) => (isCached(s) ? l2Sectors(s, m) * left(s) : 0))
  const partial = sum((s) =>
    isCached(s) && s.op === 'store'
      ? Math.min(s.sectors, (s.sectors * profile.sectorBytes - s.usefulBytes) / (profile.sectorBytes / 2))
      : 0,
  )
  const lines = sum((s) => (isCached(s) ? s.lines * left(s) * (s.op === 'load' ? m.missRate(s.site) : 1) : 0))
  const hz = profile.clockHz.value,
    o = overheadsOf(profile)
  return {
    shared: sharedNs(),
    l1: m.ns(Math.max((l1 * 128) / t.l1Bytes.value, texelClocks()) / constants.efficiency),
    l2:
      (Math.max(
        (toL2 * profile.sectorBytes) / (t.l2Bytes.value * profile.multiprocessors),
        lines / o.linesPerClock.value,
        partial / o.partialSectorsPerClock.value,
      ) /
        hz) *
      1e9,
  }
}

const l2Sectors = (s: SiteCounters, m: Machine): number =>
  s.op === 'load' ? s.sectors * m.missRate(s.site) : s.sectors

/** Several launches one after the other. */
export function predictAll(launches: readonly Prediction[]): Prediction {
  const [first, ...rest] = launches
  if (!first)
    return {
      ns: 0,
      boundBy: 'issue',
      terms: {
        issue: 0,
        fp32: 0,
        fp64: 0,
        int: 0,
        sfu: 0,
        shared: 0,
        l1: 0,
        l2: 0,
        dram: 0,
        atomics: 0,
        latency: 0,
        blocks: 0,
        spill: 0,
        launch: 0,
      },
    }
  const longest = launches.reduce((a, b) => (b.ns > a.ns ? b : a))
  const terms = { ...first.terms }
  // the same keys in all
  for (const p of rest) for (const t of Object.keys(terms) as (Term | 'launch')[]) terms[t] += p.terms[t]
  return { ns: launches.reduce((n, p) => n + p.ns, 0), boundBy: longest.boundBy, terms }
}

/**
 * Accesses of warps to local memory for registers that do not fit. Compilers need some more than the estimate:
 * `registerMargin`. Where L1 holds local memory, each value that is live where registers are short is taken to be used
 * as often as the others there: that orders the measured schedules of a product on H200 better (τ 0.81) than the choice
 * of what is touched least (0.76). Where they suffice nothing is spilled: what a tile's end loads costs its loop
 * nothing (128 × 256 results of a product that adds to them take 0.64 ms on an H200, not 2.7 as a loop that spills).
 */
function spilledAccesses(
  { kernel, profile, registers, registerLimit = Infinity }: PredictInput,
  m: Machine,
  threads: number,
): number {
  const most = Math.min(registerLimit, mostRegisters(profile, threads))
  const wanted =
    registerMargin * (registers * registerMargin <= most ? registers : Math.min(registers, fewestRegisters(kernel)))
  if (wanted <= most) return 0
  const executed = (s: Stmt): number => m.residue.warps(s) * Math.min(1, m.residue.issued(s))
  if (hasCaches(profile))
    return pressuresOf(kernel).reduce((sum, { statement: s, registers: n }) => {
      const beyond = 1 - most / (registerMargin * n)
      return beyond > 0 && s.kind !== 'if' && s.kind !== 'loop' ? sum + 2 * executed(s) * beyond : sum
    }, 0)
  return spillAccesses(kernel, most / registerMargin - fixedRegisters(kernel), executed)
}

interface Touched {
  readonly once: number
  readonly moved: number
  readonly written: boolean
}

/** Bytes that the launch touches, by resource and by whether it reads or writes them, in whole granules of DRAM. */
function touchedBytes({ counters, buffers, profile, kernel }: PredictInput, m: Machine): readonly Touched[] {
  const by = new Map<string, { touched: number; moved: number; most: number; written: boolean }>()
  const statements = memoryStatements(kernel)
  for (const s of counters.sites) {
    const x = statements[s.site]
    if (!isCached(s) || (x && m.residue.kept(x) === 0)) continue
    for (const written of s.op === 'load' ? [false] : s.op === 'store' ? [true] : [false, true]) {
      const key = `${s.resource} ${written}`
      const entry = by.get(key) ?? { touched: 0, moved: 0, most: buffers[s.resource] ?? Infinity, written }
      const moved = hasCaches(profile) ? l2Sectors(s, m) * profile.sectorBytes : s.movedBytes * m.missRate(s.site)
      const own = m.caches?.granuleBytes.get(s.site)
      by.set(key, {
        ...entry,
        touched: entry.touched + (own === undefined ? moved : own * m.blocks),
        moved: entry.moved + moved,
      })
    }
  }
  return [...by.values()].map(({ touched, moved, most, written }) => {
    const once = hasCaches(profile) ? Math.min(touched, most) : moved
    return { once, moved: Math.max(moved, once), written }
  })
}

/**
 * The part of the data that a launch after another of the same does not find in L2. Measured: 48 MiB read stay in 60,
 * 64 do not; what is written takes twice its size.
 */
function missingL2(touched: readonly Touched[], profile: GpuProfile): number {
  if (profile.memory.l2Bytes.value === 0) return 1
  const wanted = touched.reduce((n, t) => n + t.once * (t.written ? 2 : 1), 0) / profile.memory.l2Bytes.value
  return Math.min(1, Math.max(0, (wanted - 0.85) / 0.25))
}

/** Bytes between L2 and DRAM: what L2 has not kept, once read and once written, and a part of what is read again. */
const dramBytes = (touched: readonly Touched[], missing: number): number =>
  missing * touched.reduce((n, t) => n + t.once + constants.rereadMiss * (t.moved - t.once), 0)

/** Bytes that other channels of DRAM could have moved while the busiest one served what a site asked of it. */
function waitingBytes({ counters, kernel, trace, profile }: PredictInput, m: Machine): number {
  const unevenness = trace?.unevenness
  if (!unevenness || hasCaches(profile)) return 0
  const statements = memoryStatements(kernel)
  return counters.sites.reduce((n, s) => {
    const x = statements[s.site]
    const kept = x ? m.residue.kept(x) : 1
    return isCached(s) && kept > 0 ? n + s.movedBytes * ((unevenness.get(s.site) ?? 1) - 1) : n
  }, 0)
}

/**
 * Rounds of blocks × the time of one warp alone: what is left when every warp only waits for itself. `far`: clocks of a
 * load that misses L1.
 */
function latencyNs(input: PredictInput, m: Machine, far: number): number {
  const { profile } = input
  const rounds = Math.ceil(m.blocks / (profile.multiprocessors * Math.max(1, m.active.activeBlocks)))
  const longest = rounds === 1 ? unevenness(input, m) : 1
  return ((rounds * (longest * aloneClocks(input, m, far) + constants.blockClocks)) / profile.clockHz.value) * 1e9
}

/** Clocks of one warp when no other is in its way. */
function aloneClocks(input: PredictInput, m: Machine, far: number, tell?: (moment: Moment) => void): number {
  const { profile, counters, kernel } = input
  const statements = memoryStatements(kernel)
  const site = new Map(statements.map((s, i) => [s, i]))
  const warps = Math.ceil((counters.block[0] * counters.block[1] * counters.block[2]) / profile.warpSize)
  /** Passes of one execution; the other texels of a filter are no requests of their own. */
  const passes = (s: Stmt, c: SiteCounters): number =>
    c.wavefronts /
    Math.max(
      1,
      c.requests > 0 || c.wavefronts === 0
        ? c.requests
        : (counters.executions.find((e) => e.statements.includes(s))?.warps ?? 0),
    )
  const latency = (s: Stmt, sideBySide: number): number => {
    const c = counters.sites[site.get(s) ?? -1]
    if (!c) return profile.latency.l1.value
    if (c.space === 'shared')
      return profile.latency.shared.value + (c.wavefronts - c.idealWavefronts) / Math.max(1, c.requests)
    if (!isCached(c)) return hasCaches(profile) ? profile.latency.l1.value : profile.latency.shared.value
    const miss = c.op === 'load' ? m.waitRate(c.site, sideBySide) : 1
    return profile.latency.l1.value * (1 - miss) + far * miss + passes(s, c)
  }
  return warpClocks(kernel, {
    residue: m.residue,
    latency,
    profile,
    barrierClocks: overheadsOf(profile).barrierClocks.value + 2 * warps,
    compiler: input.api ?? 'webgpu',
    longer: input.longer ?? 1,
    tell,
  })
}

/** One warp alone, told moment by moment, with the clocks that it takes: what `latency` is made from. */
export function timelineOf(input: PredictInput): { readonly clocks: number; readonly moments: readonly Moment[] } {
  const m = machine(input),
    touched = touchedBytes(input, m),
    moments: Moment[] = []
  const clocks = aloneClocks(
    input,
    m,
    farClocks(input, touched, missingL2(touched, input.profile), m.blocks),
    (moment) => moments.push(moment),
  )
  return { clocks, moments }
}

/**
 * Clocks of a load that misses L1, under the traffic of the launch: requests wait for each other in DRAM as far as
 * other multiprocessors ask it, too; where its queues are simulated, that waiting is in the time of DRAM. One block
 * finds the latency of a pointer chase. Without L2 all goes to DRAM.
 */
function farClocks(
  { profile, trace }: PredictInput,
  touched: readonly Touched[],
  missing: number,
  blocks: number,
): number {
  const once = touched.reduce((n, t) => n + t.once, 0),
    moved = touched.reduce((n, t) => n + t.moved, 0)
  const others = Math.min(1, (blocks - 1) / Math.max(1, profile.multiprocessors - 1)),
    loaded = trace?.dramStretch === undefined ? constants.loadedDram : 1,
    dram = profile.latency.dram.value * (1 + (loaded - 1) * others)
  if (profile.memory.l2Bytes.value === 0) return dram
  const far = once > 0.4 * profile.memory.l2Bytes.value ? overheadsOf(profile).farL2.value : 1
  const l2 = profile.latency.l2.value * far * constants.loadedL2
  return l2 + (dram - l2) * missing * Math.min(1, once / Math.max(1, moved))
}
