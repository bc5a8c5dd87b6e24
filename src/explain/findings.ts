// In: what the model was given, and the accesses. Out: findings, the greatest gain first. The one idea: a cause is worth
// what the model says after it is removed: the counts without it are predicted again. No table of phrases decides.
import { advise, type GpuProfile } from '../gpus/index.ts'
import type { Counters, SiteCounters } from '../ir/index.ts'
import { predict, type PredictInput } from '../model/index.ts'
import { placeOf, warpEfficiency } from './accesses.ts'
import type { AccessJson, Finding, Level } from './types.ts'

/** All findings of a launch. Sites that move less than 1.1 times the ideal are left alone. */
export function findings(input: PredictInput, list: readonly AccessJson[], counters: Counters): Finding[] {
  const now = predict(input).ns
  const gain = (changed: PredictInput): number => Math.max(1, now / predict(changed).ns)
  const all = [
    ...list.filter((a) => a.space === 'global' && a.op !== 'atomic').flatMap((a) => uncoalesced(a, input, gain)),
    ...list.filter((a) => a.space === 'shared').flatMap((a) => conflicts(a, input, gain)),
    ...divergence(input, counters, gain), ...occupancyFindings(input, gain), ...launchFindings(input, counters, gain), bottleneck(input, now),
  ]
  return all.sort((a, b) => rank(b) - rank(a))
}

const rank = (f: Finding): number => (f.rule === 'SOLBottleneck' ? -1 : f.scope === 'global' ? 1000 + f.speedup : Math.min(900, f.speedup))
type Gain = (changed: PredictInput) => number

/** The same counters with some sites changed. */
function withSites(input: PredictInput, a: AccessJson, change: (s: SiteCounters) => Partial<SiteCounters>): PredictInput {
  const same = (s: SiteCounters): boolean => s.op === a.op && s.bytesPerLane === a.bytesPerLane && s.at?.line === a.at?.line && s.at?.column === a.at?.column && s.space === a.space
  return { ...input, counters: { ...input.counters, sites: input.counters.sites.map((s) => (same(s) ? { ...s, ...change(s) } : s)) } }
}

const round = (x: number): string => (x >= 10 ? String(Math.round(x)) : String(Math.round(x * 10) / 10))
const verb = (a: AccessJson): string => (a.op === 'load' ? 'read' : a.op === 'store' ? 'write' : 'atomic on')
const quote = (a: AccessJson): string => `\`${a.text}\``

/** Global when the kernel gains at least 2 %; else local, with the site's own ratio. */
function typed(kernel: number, site: number): { scope: 'local' | 'global'; speedup: number; level: Level } {
  if (kernel < 1.02) return { scope: 'local', speedup: site, level: 'note' }
  return { scope: 'global', speedup: kernel, level: kernel >= 1.1 ? 'warning' : 'note' }
}

function uncoalesced(a: AccessJson, input: PredictInput, gain: Gain): Finding[] {
  if (a.requests === 0 || a.sectors <= 1.1 * a.idealSectors) return []
  const kernel = gain(withSites(input, a, (s) => ({ sectors: s.idealSectors, wavefronts: s.idealWavefronts, lines: Math.min(s.lines, Math.ceil(s.idealSectors / 4)) })))
  const [real, ideal] = [a.sectors / a.requests, a.idealSectors / a.requests]
  const message = `${verb(a)} ${quote(a)}: ${shape(a)}, ${round(real)} ${unitWord(input.profile)} a request where ${round(ideal)} would do; ${Math.round(a.efficiency * 100)} % of the bytes moved are used`
  return [{ rule: 'UncoalescedGlobalAccess', at: a.at, ...typed(kernel, a.sectors / a.idealSectors), message, fix: coalesceFix(a) }]
}

const unitWord = (profile: GpuProfile): string => (profile.vendor === 'nvidia' ? 'sectors' : `units of ${profile.sectorBytes} bytes`)

function shape(a: AccessJson): string {
  switch (a.pattern) {
    case 'strided': return `${Number.isInteger(a.stride) ? `stride ${a.stride}, ` : ''}neighbouring invocations are ${Math.round(Math.abs((a.stride ?? 0) * a.bytesPerLane))} bytes apart`
    case 'misaligned': return 'adjacent, but not aligned to a sector'
    case 'scattered': return 'scattered addresses'
    case 'broadcast': return 'groups of invocations share an address'
    case 'coalesced': return 'adjacent within rows, but rows are short'
  }
}

function coalesceFix(a: AccessJson): string {
  const stride = Math.abs(a.stride ?? 0)
  switch (a.pattern) {
    case 'strided':
      if (stride > 1 && stride <= 16) return `let neighbouring invocations ${a.op === 'load' ? 'read' : 'write'} neighbouring elements: make it a structure of arrays, use vec2/vec4 elements, or ${a.op === 'load' ? 'load the tile through workgroup memory' : 'collect the results in workgroup memory first'}`
      return `let local_invocation_id.x run along the contiguous index of '${a.resource}', or ${a.op === 'load' ? 'load' : 'write'} it tile by tile through workgroup memory`
    case 'misaligned': return `start each row of '${a.resource}' at a multiple of 32 bytes (pad its length), or shift the tile to aligned addresses`
    case 'scattered': return `sort or group the indices into '${a.resource}', or ${a.op === 'load' ? 'bring the needed part into workgroup memory with adjacent reads' : 'write through workgroup memory'}`
    case 'broadcast': case 'coalesced': return `make @workgroup_size at least 32 along the contiguous index of '${a.resource}', so that a whole subgroup stays in one row`
  }
}

function conflicts(a: AccessJson, input: PredictInput, gain: Gain): Finding[] {
  if (a.requests === 0 || a.wavefronts <= 1.1 * a.idealWavefronts) return []
  const kernel = gain(withSites(input, a, (s) => ({ wavefronts: s.idealWavefronts })))
  const [real, ideal] = [a.wavefronts / a.requests, a.idealWavefronts / a.requests]
  const bytes = Math.round(Math.abs((a.stride ?? 0) * a.bytesPerLane))
  const how = a.stride === null ? '' : ` (neighbouring invocations are ${bytes} bytes apart)`
  const message = `${verb(a)} ${quote(a)}: ${round(real)} passes of workgroup memory a request where ${round(ideal)} would do${how}; up to ${a.worstConflict} invocations meet on one bank`
  const fix = bytes >= 64 && bytes % 8 === 0 ? `make each row of '${a.resource}' one element longer, so that a column falls on all banks, or swizzle the column (x ^ y)` : `let neighbouring invocations use neighbouring words of '${a.resource}', or change the distance to an odd number of words`
  return [{ rule: 'SharedMemoryConflicts', at: a.at, ...typed(kernel, a.wavefronts / a.idealWavefronts), message, fix }]
}

/** All instruction counts by a factor. */
function withWarps(input: PredictInput, factor: number): PredictInput {
  const { instructions } = input.counters
  const warpByClass = Object.fromEntries(Object.entries(instructions.warpByClass).map(([c, n]) => [c, n * factor])) as typeof instructions.warpByClass // the same keys
  return { ...input, counters: { ...input.counters, instructions: { ...instructions, warp: instructions.warp * factor, warpByClass } } }
}

function divergence(input: PredictInput, counters: Counters, gain: Gain): Finding[] {
  const efficiency = warpEfficiency(counters, input.profile.warpSize)
  const worst = [...counters.branches].filter((b) => b.divergent > 0).sort((a, b) => b.divergent - a.divergent)[0]
  if (!worst || efficiency > 0.9 || worst.divergent < 0.05 * worst.executed) return []
  const kernel = gain(withWarps(input, efficiency))
  const message = `on average ${round(efficiency * input.profile.warpSize)} of ${input.profile.warpSize} invocations of a subgroup are active; the branch that splits most does so in ${Math.round((100 * worst.divergent) / worst.executed)} % of ${worst.executed} executions`
  return [{ rule: 'ThreadDivergence', at: placeOf(worst.at), ...typed(kernel, 1 / efficiency), message, fix: 'let whole subgroups take the same side: condition on a value that is equal for 32 neighbouring invocations, or renumber the invocations so that the active ones are adjacent' }]
}

function occupancyFindings(input: PredictInput, gain: Gain): Finding[] {
  const [x, y, z] = input.counters.block
  return advise(input.profile, { threads: x * y * z, registers: Math.min(input.registers, input.profile.occupancy.maxRegistersPerThread), shared: input.shared })
    .filter((a) => a.change !== 'threads')
    .flatMap((a): Finding[] => {
      const kernel = gain({ ...input, [a.change]: a.to[0]! })
      if (kernel < 1.02) return []
      const fix = a.change === 'registers' ? 'keep fewer values alive at once: smaller tiles per invocation, shorter scopes, recompute instead of keep' : 'use smaller tiles of workgroup memory, or reuse one array for two purposes'
      return [{ rule: 'Occupancy', at: null, scope: 'global', speedup: kernel, level: kernel >= 1.1 ? 'warning' : 'note', message: `${a.message} (registers are estimated)`, fix }]
    })
}

function launchFindings(input: PredictInput, counters: Counters, gain: Gain): Finding[] {
  const { profile } = input
  const blocks = counters.grid[0] * counters.grid[1] * counters.grid[2]
  const threads = counters.block[0] * counters.block[1] * counters.block[2]
  const out: Finding[] = []
  if (threads % profile.warpSize !== 0) {
    const filled = threads / (Math.ceil(threads / profile.warpSize) * profile.warpSize)
    const kernel = gain(withWarps(input, filled))
    out.push({ rule: 'LaunchConfiguration', at: null, ...typed(kernel, 1 / filled), message: `a workgroup of ${threads} invocations is no multiple of ${profile.warpSize}: ${Math.round((1 - filled) * 100)} % of the lanes never work`, fix: `make @workgroup_size a multiple of ${profile.warpSize}` })
  }
  if (blocks < profile.multiprocessors) {
    const kernel = gain({ ...input, counters: { ...counters, grid: [profile.multiprocessors, 1, 1] } })
    if (kernel >= 1.02) out.push({ rule: 'LaunchConfiguration', at: null, ...typed(kernel, kernel), message: `${blocks} workgroup${blocks === 1 ? '' : 's'} on ${profile.multiprocessors} multiprocessors: ${profile.multiprocessors - blocks} stand idle`, fix: 'dispatch more, smaller workgroups: give each invocation less to do' })
  }
  return out
}

const boundWords: Record<string, string> = {
  issue: 'issuing instructions', fp32: 'the floating-point pipes', fp64: 'the double-precision pipes', int: 'the integer pipes', sfu: 'the special-function units', shared: 'the workgroup-memory pipe',
  l1: 'the L1 cache pipe', l2: 'traffic between L1 and L2', dram: 'traffic to memory', latency: 'waiting for memory and barriers', spill: 'registers that do not fit',
}

/** What bounds the kernel, and how much the model would gain if that cost nothing. */
function bottleneck(input: PredictInput, now: number): Finding {
  const { boundBy, terms } = predict(input)
  const rest = Object.entries(terms).filter(([t]) => t !== boundBy && t !== 'launch').reduce((n, [, t]) => n + t ** 4, 0) ** 0.25 + terms.launch
  const launched = terms.launch > terms[boundBy]
  const message = launched
    ? `the launch itself (${Math.round(terms.launch)} ns) takes longer than the work (${Math.round(now - terms.launch)} ns)`
    : `the kernel is bound by ${boundWords[boundBy] ?? boundBy}: ${Math.round(terms[boundBy])} of ${Math.round(now)} ns predicted`
  const fix = launched ? 'do more in one dispatch' : boundBy === 'dram' ? 'move fewer bytes: fuse kernels, keep results in registers, use f16 or packed data' : boundBy === 'latency' ? 'have more loads under way: more subgroups in flight, or several independent elements per invocation' : 'see the findings above; beyond them, do less of it per result'
  return { rule: 'SOLBottleneck', level: 'note', at: null, scope: 'global', speedup: Math.max(1, now / Math.max(rest, 1)), message, fix }
}
