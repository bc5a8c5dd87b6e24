// In: a sample kernel. Out: the counters that it must give, found by watching the reference interpreter and putting
// every single request to the profile's rules. The one idea: no shapes, no caching, no compiled code.
import { countGlobal, countShared, type GpuProfile } from '../../src/gpus/index.ts'
import { bytesOf, instructionClasses, type Stmt, type ScalarValue } from '../../src/ir/index.ts'
import { classOfStmt, reference } from '../../src/simulate/index.ts'
import type { Sample } from './random-kernel.ts'

type MemoryStmt = Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }>

interface Expected {
  readonly sites: Record<string, unknown>[]
  readonly instructions: unknown
  readonly branches: unknown[]
  readonly barriersPerBlock: number
}

function walk(list: readonly Stmt[], visit: (s: Stmt) => void): void {
  for (const s of list) {
    visit(s)
    if (s.kind === 'if') {
      walk(s.then, visit)
      walk(s.else, visit)
    }
    if (s.kind === 'loop') {
      walk(s.body, visit)
      walk(s.continuing, visit)
    }
  }
}

export function requestCounts(sample: Sample, profile: GpuProfile): Expected {
  const { kernel } = sample
  const launch = sample.launch()
  const sites: MemoryStmt[] = [],
    branches: Stmt[] = []
  walk(kernel.body, (s) => {
    if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') sites.push(s)
    if (s.kind === 'if' && !s.free) branches.push(s)
  })
  const counts = sites.map((s, site) => emptyCounts(sample, s, site))
  const executed = branches.map(() => ({ executed: 0, divergent: 0 }))
  const zero = (): Record<string, number> => Object.fromEntries(instructionClasses.map((c) => [c, 0]))
  const instructions = { warp: 0, thread: 0, warpByClass: zero(), byClass: zero() }
  let barriers = 0
  reference(kernel, launch, {
    warpSize: Math.min(32, profile.warpSize),
    trace: (s, lanes, indices, taken) => {
      if (!s.free) countInstruction(instructions, classOfStmt(s), lanes.length)
      if (s.kind === 'barrier' && s.scope === 'block') barriers++
      if (s.kind === 'if' && !s.free) {
        const b = executed[branches.indexOf(s)]!
        b.executed++
        if (taken > 0 && taken < lanes.length) b.divergent++
      }
      if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic')
        addRequest(sample, profile, counts[sites.indexOf(s)]!, s, lanes, indices, launch.buffers)
    },
  })
  const [blocks, threads] = [
    launch.grid[0] * launch.grid[1] * launch.grid[2],
    kernel.block[0] * kernel.block[1] * kernel.block[2],
  ]
  const warps = Math.ceil(threads / Math.min(32, profile.warpSize))
  for (const c of counts) c.wavefronts = Math.round(c.wavefronts * 1e6) / 1e6
  return { sites: counts, instructions, branches: executed, barriersPerBlock: barriers / warps / blocks }
}

function countInstruction(into: Instructions, c: string, lanes: number): void {
  into.warp++
  into.thread += lanes
  into.warpByClass[c] = into.warpByClass[c]! + 1
  into.byClass[c] = into.byClass[c]! + lanes
}

interface Instructions {
  warp: number
  thread: number
  readonly warpByClass: Record<string, number>
  readonly byClass: Record<string, number>
}

interface SiteCounts {
  requests: number
  threads: number
  bytes: number
  usefulBytes: number
  movedBytes: number
  sectors: number
  idealSectors: number
  lines: number
  wavefronts: number
  idealWavefronts: number
  worstConflict: number
}

const widthOf = (s: MemoryStmt): number => (s.kind === 'load' ? s.dst.length : s.kind === 'store' ? s.src.length : 1)

function emptyCounts({ kernel }: Sample, s: MemoryStmt, site: number): SiteCounts & Record<string, unknown> {
  const r = kernel.resources.find((x) => x.name === s.address.resource)!
  return {
    site,
    resource: r.name,
    space: r.space,
    op: s.kind,
    bytesPerLane: widthOf(s) * bytesOf[s.type],
    requests: 0,
    threads: 0,
    bytes: 0,
    usefulBytes: 0,
    movedBytes: 0,
    sectors: 0,
    idealSectors: 0,
    lines: 0,
    wavefronts: 0,
    idealWavefronts: 0,
    worstConflict: 0,
  }
}

function addRequest(
  { kernel }: Sample,
  profile: GpuProfile,
  into: SiteCounts,
  s: MemoryStmt,
  lanes: readonly number[],
  indices: readonly ScalarValue[],
  buffers: Readonly<Record<string, ArrayBuffer>>,
): void {
  const r = kernel.resources.find((x) => x.name === s.address.resource)!
  const bytesPerLane = widthOf(s) * bytesOf[s.type]
  const size = buffers[r.name]
    ? Math.min(buffers[r.name]!.byteLength, r.count === null ? Infinity : r.count * bytesOf[r.type])
    : r.count! * bytesOf[r.type]
  const addresses = new Array<number>(32).fill(0)
  let active = 0
  lanes.forEach((lane, i) => {
    const byte = Number(BigInt(indices[i]!) * BigInt(s.address.stride) + BigInt(s.address.offset))
    if (byte < 0 || byte + bytesPerLane > size) return
    active |= 1 << lane
    // Local memory interleaves the lanes element by element.
    addresses[lane] =
      r.space !== 'local'
        ? byte
        : Math.floor(byte / bytesPerLane) * 32 * bytesPerLane + lane * bytesPerLane + (byte % bytesPerLane)
  })
  if (active === 0) return
  const threads = lanes.filter((l) => (active >>> l) & 1).length
  const merges =
    s.kind === 'atomic' &&
    s.op === 'add' &&
    s.dst === null &&
    (s.type === 'u32' || s.type === 'i32') &&
    r.space === 'shared' &&
    s.args[0]!.kind === 'const' &&
    Number(s.args[0]!.value) === 1
  const access = { addresses, active, bytesPerLane, op: s.kind, ...(merges && { merges }) }
  if (!s.free) {
    into.requests++
    into.threads += threads
  }
  into.bytes += threads * bytesPerLane
  if (r.space === 'shared') {
    const c = countShared(profile, access)
    into.usefulBytes += c.usefulBytes
    into.wavefronts += c.wavefronts
    into.idealWavefronts += c.idealWavefronts
    into.worstConflict = Math.max(into.worstConflict, c.conflictDegree)
    return
  }
  const c = countGlobal(profile, access)
  into.movedBytes += c.transferredBytes
  into.usefulBytes += c.usefulBytes
  into.sectors += c.sectors
  into.idealSectors += c.idealSectors
  into.lines += c.lines
  // Of cc 1.x each half-warp asks for its constants by itself.
  const halves = profile.bankRule === 'half-warp' ? [active & 0xffff, active & ~0xffff] : [active]
  const asked = halves.filter((half) => half !== 0)
  const distinct = asked.map((half) => new Set(lanes.filter((l) => (half >>> l) & 1).map((l) => addresses[l])).size)
  into.wavefronts += r.space === 'constant' ? distinct.reduce((a, b) => a + b, 0) : c.wavefronts
  into.idealWavefronts += r.space === 'constant' ? asked.length : c.idealWavefronts
}
