// In: counters of a launch, what a block takes, a GPU profile. Out: a predicted time with its terms and what bounds it.
// The one idea: each part of the machine (issue, pipes, shared memory, L1, L2, DRAM, latency) would need some time alone;
// they overlap, so the whole takes little more than the longest: (Σ tᵖ)^(1/p) with p = 4. Terms are kept apart and every
// constant stands in the profile or here with its reason. First version: not calibrated; good for ranking schedules.
import { occupancy, type GpuProfile, type Occupancy } from '../gpus/index.ts'
import type { Counters, Kernel, SiteCounters, Space, Stmt } from '../ir/index.ts'

/** Terms in nanoseconds; `ns` is their combination plus the launch. */
export interface Prediction {
  readonly ns: number
  /** The largest term. */
  readonly boundBy: Term
  readonly terms: Readonly<Record<Term | 'launch', number>>
}

export type Term = 'issue' | 'fp32' | 'fp64' | 'int' | 'sfu' | 'shared' | 'l1' | 'l2' | 'dram' | 'latency' | 'spill'

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
}

/** Overlap of terms: 1 would add them, ∞ would take the longest alone. Inferred: two equal terms cost 19 % more than one. */
const overlap = 4
/** Of what a kernel reads again through L2, the part that comes from DRAM when the data do not fit. Inferred from tiled matrix products. */
const rereadMiss = 0.1
/** The part of L2 that one working set can use before its own accesses push it out. Found: reads fall beyond 44 of 60 MB on H200. */
const usableL2 = 0.7
/** Clocks from the last thread's arrival at a barrier to the next instruction. Recalled. */
const barrierClocks = 30

/** How much more than the estimate compilers use in large kernels: `ptxas` 220 for 214, and spills seen on H200 from 240 on. */
const registerMargin = 1.08

/** Occupancy of the kernel as launched; registers beyond the GPU's limit are taken as the limit (the compiler spills). */
export function occupancyOf(profile: GpuProfile, threads: number, registers: number, shared: number): Occupancy {
  const warps = Math.ceil(threads / profile.warpSize)
  const most = Math.min(profile.occupancy.maxRegistersPerThread, Math.floor(profile.occupancy.registers / (warps * profile.warpSize)))
  return occupancy(profile, { threads, registers: Math.max(1, Math.min(registers, most)), shared })
}

/** The time of one launch. */
export function predict(input: PredictInput): Prediction {
  const { counters, profile } = input
  const blocks = Math.max(1, counters.grid[0] * counters.grid[1] * counters.grid[2])
  const threads = counters.block[0] * counters.block[1] * counters.block[2]
  const active = occupancyOf(profile, threads, input.registers, input.shared)
  const sms = Math.min(profile.multiprocessors, blocks)
  /** Whole rounds of blocks over the multiprocessors: the last round may be partly empty. */
  const tail = (Math.ceil(blocks / profile.multiprocessors) * profile.multiprocessors) / blocks
  const perSm = blocks <= profile.multiprocessors ? 1 : tail
  const ns = (clocks: number): number => (clocks * perSm * 1e9) / (sms * profile.clockHz.value)
  const c = classClocks(input)
  const l2Ns = (sectorBytes(counters, profile) / (profile.throughput.l2Bytes.value * profile.multiprocessors * profile.clockHz.value)) * 1e9
  const terms: Record<Term, number> = {
    issue: ns(c.issue), fp32: ns(c.fp32), fp64: ns(c.fp64), int: ns(c.int), sfu: ns(c.sfu), shared: ns(c.shared), l1: ns(c.l1),
    l2: l2Ns, dram: (dramBytes(input) / profile.memory.dramBytesPerSecond.value) * 1e9,
    latency: latencyNs(input, active, blocks), spill: ns(spillClocks(input, threads)),
  }
  const names = Object.keys(terms) as Term[] // the keys just written
  const boundBy = names.reduce((a, b) => (terms[b] > terms[a] ? b : a))
  const busy = names.reduce((sum, t) => sum + terms[t] ** overlap, 0) ** (1 / overlap)
  return { ns: busy + profile.launchNs.value, boundBy, terms: { ...terms, launch: profile.launchNs.value } }
}

/** Several launches one after the other. */
export function predictAll(launches: readonly Prediction[]): Prediction {
  const [first, ...rest] = launches
  if (!first) return { ns: 0, boundBy: 'issue', terms: { issue: 0, fp32: 0, fp64: 0, int: 0, sfu: 0, shared: 0, l1: 0, l2: 0, dram: 0, latency: 0, spill: 0, launch: 0 } }
  const longest = launches.reduce((a, b) => (b.ns > a.ns ? b : a))
  const terms = { ...first.terms }
  for (const p of rest) for (const t of Object.keys(terms) as (Term | 'launch')[]) terms[t] += p.terms[t] // the same keys in all
  return { ns: launches.reduce((n, p) => n + p.ns, 0), boundBy: longest.boundBy, terms }
}

/** Clocks of one multiprocessor if it did all of the work, by unit. */
function classClocks({ counters, profile }: PredictInput): Record<'issue' | 'fp32' | 'fp64' | 'int' | 'sfu' | 'shared' | 'l1', number> {
  const w = counters.instructions.warpByClass
  const t = profile.throughput
  const per = (lanes: number): number => profile.warpSize / Math.max(lanes, 0.5)
  const issued = counters.instructions.warp - w.move
  const shared = counters.sites.filter((s) => s.space === 'shared'), global = counters.sites.filter(cached)
  const sum = (sites: readonly SiteCounters[]): number => sites.reduce((n, s) => n + s.wavefronts, 0)
  return {
    issue: issued / profile.schedulersPerSm,
    fp32: w.fp32 * per(t.fp32.value), fp64: w.fp64 * per(t.fp64.value), int: w.int * per(t.int32.value), sfu: w.sfu * per(t.sfu.value),
    shared: (sum(shared) * 128) / t.sharedBytes.value, l1: (sum(global) * 128) / t.l1Bytes.value,
  }
}

/**
 * Passes of L1 for registers that do not fit: the part of a thread's values that lives in local memory is stored and
 * loaded about once for each time it is used. Compilers need some more than the estimate: `registerMargin`.
 */
function spillClocks({ counters, profile, registers }: PredictInput, threads: number): number {
  const warps = Math.ceil(threads / profile.warpSize)
  const most = Math.min(profile.occupancy.maxRegistersPerThread, Math.floor(profile.occupancy.registers / (warps * profile.warpSize)))
  const wanted = registers * registerMargin
  return wanted <= most ? 0 : 2 * (counters.instructions.warp - counters.instructions.warpByClass.move) * ((wanted - most) / wanted)
}

/** What comes through L1 and L2: textures are taken as buffers. */
const cached = (s: SiteCounters): boolean => s.space === 'global' || s.space === 'texture'
const similar = (space: Space | undefined): Space | undefined => (space === 'texture' ? 'global' : space)

function sectorBytes(counters: Counters, profile: GpuProfile): number {
  return counters.sites.reduce((n, s) => n + (cached(s) ? s.sectors * profile.sectorBytes : 0), 0)
}

/** Bytes between L2 and DRAM: every byte touched once, and a part of what is read again when it does not fit into L2. */
function dramBytes({ counters, profile, buffers }: PredictInput): number {
  const byResource = new Map<string, number>()
  for (const s of counters.sites) if (cached(s)) byResource.set(s.resource, (byResource.get(s.resource) ?? 0) + s.sectors * profile.sectorBytes)
  const touched = [...byResource].map(([name, moved]) => ({ moved, once: Math.min(moved, buffers[name] ?? moved) }))
  const fits = touched.reduce((n, t) => n + t.once, 0) <= usableL2 * profile.memory.l2Bytes.value
  return touched.reduce((n, t) => n + t.once + (fits ? 0 : rereadMiss * (t.moved - t.once)), 0)
}

/** Time that warps wait for memory with no other warp to run: dependent rounds of loads × latency ÷ warps in flight. */
function latencyNs({ counters, kernel, profile, buffers }: PredictInput, active: Occupancy, blocks: number): number {
  const warpsPerBlock = Math.ceil((counters.block[0] * counters.block[1] * counters.block[2]) / profile.warpSize)
  const total = Object.values(buffers).reduce((a, b) => a + b, 0)
  const far = total > usableL2 * profile.memory.l2Bytes.value ? profile.latency.dram.value : profile.latency.l2.value
  const requests = (space: 'global' | 'shared'): number => counters.sites.filter((s) => (space === 'global' ? cached(s) : s.space === space) && s.op !== 'store').reduce((n, s) => n + s.requests, 0)
  const flight = loadsInFlight(kernel)
  const rounds = (requests('global') / flight.global) * far + (requests('shared') / flight.shared) * profile.latency.shared.value
  const barriers = counters.barriersPerBlock * blocks * warpsPerBlock * barrierClocks
  const perSm = Math.max(1, Math.min(active.activeBlocks, Math.ceil(blocks / profile.multiprocessors)))
  const resident = perSm * warpsPerBlock * Math.min(profile.multiprocessors, blocks)
  return ((rounds + barriers) / Math.max(1, resident) / profile.clockHz.value) * 1e9
}

/** Loads that a warp has under way before it needs the first: the mean over loads of the run of loads they stand in. */
function loadsInFlight(kernel: Kernel): Record<'global' | 'shared', number> {
  const spaceOf = new Map(kernel.resources.map((r) => [r.name, r.space]))
  const runs: Record<'global' | 'shared', number[]> = { global: [], shared: [] }
  const visit = (body: readonly Stmt[], space: 'global' | 'shared'): void => {
    let run: Set<number> = new Set(), length = 0
    const close = (): void => { if (length > 0) runs[space].push(length); run = new Set(); length = 0 }
    for (const s of flatten(body)) {
      const used = usesLoaded(s, run)
      if (used || s.kind === 'loop' || s.kind === 'barrier') close()
      if (s.kind === 'load' && similar(spaceOf.get(s.address.resource)) === space) { length++; s.dst.forEach((d) => run.add(d.id)) }
      if (s.kind === 'loop') visit(s.body, space)
    }
    close()
  }
  visit(kernel.body, 'global')
  visit(kernel.body, 'shared')
  const mean = (lengths: readonly number[]): number => {
    const loads = lengths.reduce((a, b) => a + b, 0)
    return loads === 0 ? 1 : lengths.reduce((n, l) => n + l * l, 0) / loads
  }
  return { global: mean(runs.global), shared: mean(runs.shared) }
}

/** Guarded loads stand in line with the others. */
const flatten = (body: readonly Stmt[]): readonly Stmt[] => body.flatMap((s): readonly Stmt[] => (s.kind === 'if' ? [s, ...flatten(s.then), ...flatten(s.else)] : [s]))

function usesLoaded(s: Stmt, loaded: ReadonlySet<number>): boolean {
  const operands = s.kind === 'op' || s.kind === 'subgroup' ? s.args : s.kind === 'store' ? [...s.src, s.address.index] : s.kind === 'load' ? [s.address.index] : s.kind === 'atomic' ? [...s.args, s.address.index] : s.kind === 'if' ? [s.condition] : []
  return operands.some((o) => o.kind === 'reg' && loaded.has(o.id))
}
