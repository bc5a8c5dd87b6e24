// What atomics on global memory take. In: counters of a launch, its kernel and buffers. Out: nanoseconds. The one idea:
// updates of one address wait for each other in L2, those of several addresses share its units, and compilers combine
// the lanes of a warp where they can tell that all mean one place.
import { overheadsOf, type GpuProfile } from '../gpus/index.ts'
import { allStatements, definesOf, isCached, type Counters, type Kernel, type Operand, type Stmt } from '../ir/index.ts'
import { memoryStatements } from './residue.ts'

/** Atomics of one address wait for each other; those of one piece of L2 share its unit. */
export function atomicNs(
  counters: Counters,
  buffers: Readonly<Record<string, number>>,
  profile: GpuProfile,
  kernel: Kernel,
  api: 'cuda' | 'webgpu' | undefined,
): number {
  const o = overheadsOf(profile),
    statements = memoryStatements(kernel)
  const updates = counters.sites.filter((s) => s.op === 'atomic' && isCached(s))
  if (updates.length === 0) return 0
  const known = launchConstants(kernel)
  let ns = 0
  for (const s of updates) {
    const statement = statements[s.site]
    // a counter ahead of a list, say: all threads mean the same bytes of the resource
    const isOnePlace = statement?.kind === 'atomic' && isKnown(statement.address.index, known)
    const among = isOnePlace ? s.bytesPerLane : (buffers[s.resource] ?? 4)
    const pieces = Math.max(1, Math.min(256, among / 512))
    const distinct = s.usefulBytes / s.bytesPerLane
    if (!changes(statement) && (api === 'cuda' || distinct <= s.requests)) continue
    const summed = distinct <= s.requests && sumsInWarp(statement, isOnePlace)
    ns += summed
      ? s.requests * o.atomicWarpNs.value
      : (s.sectors * o.atomicSectorNs.value + (s.threads - distinct) * o.atomicSameNs.value) / pieces
  }
  return ns
}

/**
 * Whether an atomic makes a new value of the old one, so that others must wait. CUDA's loads and stores do not; those
 * of WebGPU take as long as additions where a warp means several places (bench/data/h100-fixes.json: a load and a
 * store of 256 words twice what one addition takes).
 */
const changes = (s: Stmt | undefined): boolean => s?.kind === 'atomic' && s.op !== 'load' && s.op !== 'store'

/**
 * Whether compilers combine the lanes of a warp first when all meet at one place: integer operations whose old value
 * nobody wants; and sums at a place that the text names, each lane's old value from a vote or a scan of the warp (the
 * machine code that ptxas 13.0 writes for cc 7.0 to 9.0).
 */
const sumsInWarp = (s: Stmt | undefined, isOnePlace: boolean): boolean =>
  s?.kind === 'atomic' &&
  s.type !== 'f32' &&
  (s.dst === null ? s.op !== 'exchange' && s.op !== 'compareExchange' : s.op === 'add' && isOnePlace)

const isKnown = (x: Operand, known: ReadonlySet<number>): boolean => x.kind !== 'reg' || known.has(x.id)

/** Registers that are set once, of constants and parameters alone: the same for all threads of a launch. */
function launchConstants(kernel: Kernel): ReadonlySet<number> {
  const all = allStatements(kernel.body)
  const times = new Map<number, number>()
  for (const s of all) for (const r of definesOf(s)) times.set(r.id, (times.get(r.id) ?? 0) + 1)
  const known = new Set<number>()
  for (const s of all)
    if (s.kind === 'op' && times.get(s.dst.id) === 1 && s.args.every((x) => isKnown(x, known))) known.add(s.dst.id)
  return known
}
