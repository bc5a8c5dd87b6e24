// Whether a changed source does what the one before did. In: both with their launches. Out: how many values of the
// buffers differ after all blocks ran. The one idea: both run on the same contents; where all blocks are too many, both
// run on a smaller grid of which each block of one is as many blocks of the other as in the whole launch.
import { appliedOr, attempted } from '../../base/index.ts'
import type { Dim3 } from '../../ir/index.ts'
import { compileKernel } from '../../simulate/index.ts'
import { filledBuffer, holdsIntegers, plan, type Sized } from '../launch/buffer-sizes.ts'
import { subjectOf } from '../subject.ts'
import type { FixCandidate } from './candidate.ts'
import type { BufferSpec, ExplainLaunch, ExplainOptions, ExplainReport, ExplainSource } from '../types.ts'

/** Warp instructions of a run that is compared, about: a second of a processor. */
const affordable = 1e7
/** Warp instructions after which a run is given up: data may make a loop of the changed kernel longer, or endless. */
const mostSteps = 4e8
/** Bytes of all buffers that are filled and compared; seconds of a processor, for each change. */
const mostBytes = 2 ** 30
/** Sums in another order differ so much. */
const tolerance = 1e-4

export interface OutputComparison {
  readonly values: number
  readonly different: number
  readonly blocks: number
}

export interface TrialRun {
  readonly source: ExplainSource
  readonly launch: ExplainLaunch
}

/** The launch with every buffer as large as the report says. */
export function sizedAs(launch: ExplainLaunch, report: ExplainReport): ExplainLaunch {
  const given = launch.buffers ?? {}
  const sized = report.buffers.map(({ name, bytes, sized: how }, i): [string, BufferSpec][] => {
    const key = Object.hasOwn(given, name) || !Object.hasOwn(given, String(i)) ? name : String(i)
    const spec = given[key]
    return how === 'by the grid' || spec?.texture ? (spec ? [[key, spec]] : []) : [[key, { ...spec, bytes }]]
  })
  return { ...launch, buffers: Object.fromEntries(sized.flat()) }
}

/** Null where one of them cannot be run to its end, or has more data than can be compared. */
export function compared(
  before: TrialRun,
  after: TrialRun,
  changed: (launch: ExplainLaunch) => ExplainLaunch,
  candidate: Pick<FixCandidate, 'merges' | 'comparable'>,
  report: ExplainReport,
  options: ExplainOptions,
): OutputComparison | null {
  if (report.buffers.reduce((n, b) => n + b.bytes, 0) > mostBytes) return null
  const each = Math.max(1, report.instructions.warp / report.coverage.blocks)
  const most = Math.min(Math.floor(affordable / each), candidate.comparable ?? Infinity)
  const grid = smaller(before.launch.grid, Math.max(1, most), candidate.merges ?? [1, 1, 1])
  const launch = { ...before.launch, grid }
  const found = attempted((): OutputComparison => {
    const a = outputs({ ...before, launch }, options)
    const b = outputs({ source: after.source, launch: changed(launch) }, options)
    return { ...difference(a, b), blocks: grid[0] * grid[1] * grid[2] }
  })
  return appliedOr(found, null)
}

/** A grid of at most so many blocks, where halving gets there; every axis a multiple of `merges` or whole. */
function smaller(grid: Dim3, most: number, merges: Dim3): Dim3 {
  let now = grid
  while (now[0] * now[1] * now[2] > most) {
    const axis = now.indexOf(Math.max(...now))
    const half = Math.ceil(Math.ceil(now[axis]! / 2) / merges[axis]!) * merges[axis]!
    if (half >= now[axis]!) break
    now = now.map((n, i) => (i === axis ? half : n)) as unknown as Dim3 // the same length
  }
  return now
}

interface Output {
  readonly sized: Sized
  readonly bytes: ArrayBuffer
}

function outputs({ source, launch }: TrialRun, options: ExplainOptions): readonly Output[] {
  const subject = subjectOf(source, launch, options)
  const sized = plan(subject, launch)
  const seed = options.seed ?? 1
  const bound = subject.bind(launch.grid, sized, (s) => filledBuffer(s, seed + sized.indexOf(s)), launch.args ?? {})
  compileKernel(subject.kernel, options.gpu).run(bound, { exact: true, maxSteps: mostSteps, slowSteps: true })
  return sized
    .filter((s) => s.binding.access !== 'read')
    .map((s) => ({ sized: s, bytes: bound.buffers[s.binding.resource] ?? new ArrayBuffer(0) }))
}

function difference(a: readonly Output[], b: readonly Output[]): Omit<OutputComparison, 'blocks'> {
  let values = 0,
    different = 0
  a.forEach(({ sized, bytes }, n) => {
    const other = b[n]?.bytes
    const words = Math.floor(bytes.byteLength / 4)
    values += words
    different += other?.byteLength === bytes.byteLength ? unequal(bytes, other, holdsIntegers(sized)) : words
  })
  return { values, different }
}

function unequal(a: ArrayBuffer, b: ArrayBuffer, integers: boolean): number {
  const words = Math.floor(a.byteLength / 4)
  const [x, y] = [new Uint32Array(a, 0, words), new Uint32Array(b, 0, words)]
  const [fx, fy] = [new Float32Array(a, 0, words), new Float32Array(b, 0, words)]
  const near = (i: number): boolean => Math.abs(fx[i]! - fy[i]!) <= tolerance * Math.max(Math.abs(fx[i]!), 1e-3)
  let different = 0
  for (let i = 0; i < words; i++) if (x[i] !== y[i] && (integers || !near(i))) different++
  return different
}
