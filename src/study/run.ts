// In: an experiment and GPU profiles. Out: its report, every number computed here and now by the simulator and the
// model. The one idea: a point that a GPU cannot run is a point without values that says why; it does not end the
// experiment.
import { attempted, fail, isInapplicable, whyInapplicable } from '../base/index.ts'
import { explain, type ExplainReport } from '../explain/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import type { Quantity, StudyPoint, StudyReport, StudySeries } from '../ir/index.ts'
import { fidelityOf } from '../model/index.ts'
import { channelsOf } from './bound.ts'
import { documents, type Experiment, type Point, type Step } from './types.ts'
import { valuesOf } from './values.ts'

export interface StudyOptions {
  readonly gpus: readonly GpuProfile[]
  readonly progress?: (p: { readonly stage: string; readonly done: number; readonly total: number }) => void
}

/** One point of an experiment on one profile: what is simulated at a time. */
export interface StudyUnit {
  readonly gpu: GpuProfile
  /** Position of the series, and of the point in it. */
  readonly series: number
  readonly point: number
}

/** All points on all profiles, in the order of `studyReport`. */
export const unitsOf = (e: Experiment, gpus: readonly GpuProfile[]): readonly StudyUnit[] =>
  gpus.flatMap((gpu) => e.series.flatMap((s, series) => s.points.map((_, point) => ({ gpu, series, point }))))

/** Simulates one point. Throws a `DiagnosticError` where the experiment has no such point. */
export function simulateUnit(e: Experiment, { gpu, series, point }: StudyUnit): StudyPoint {
  const found = e.series[series]?.points[point]
  return found
    ? onGpu(e, found, point, gpu)
    : fail('study.point', `${e.name} has no point ${point} in a series ${series}`)
}

/** Runs all points on all profiles. */
export function runStudy(e: Experiment, { gpus, progress }: StudyOptions): StudyReport {
  const units = unitsOf(e, gpus)
  const points = units.map((unit, done) => {
    progress?.({ stage: e.name, done, total: units.length })
    return simulateUnit(e, unit)
  })
  return studyReport(e, gpus, points)
}

/** The report of points that were simulated, one for each of `unitsOf`. */
export function studyReport(e: Experiment, gpus: readonly GpuProfile[], points: readonly StudyPoint[]): StudyReport {
  const units = unitsOf(e, gpus)
  const series = gpus.flatMap((gpu) =>
    e.series.map(
      (s, n): StudySeries => ({
        name: s.name,
        gpu: gpu.name,
        kind: 'predicted',
        points: arranged(
          e,
          points.filter((_, i) => units[i]?.gpu === gpu && units[i].series === n),
        ),
      }),
    ),
  )
  return {
    schema: 'tesela.study/1',
    name: e.name,
    title: e.title,
    idea: e.idea,
    sources: e.sources.map((s) => ({ document: documents[s.document], place: s.place })),
    x: e.x,
    plots: e.plots,
    series,
    error: Object.fromEntries(gpus.map((g) => [g.name, fidelityOf(g.name)])),
    measuredOn: null,
    notes: e.notes ?? [],
  }
}

/** What is computed: what is plotted, where points stand, and what measured times are compared by. */
const wanted = (e: Experiment): readonly Quantity[] => [
  ...new Set<Quantity>([...e.plots, ...(e.along ? [e.along] : []), 'time']),
]

const sizes = (r: ExplainReport): ReadonlyMap<string, number> => new Map(r.buffers.map((b) => [b.name, b.bytes]))

/** The bytes of every buffer of a step. */
export const bytesOfStep = (s: Step, gpu: GpuProfile): ReadonlyMap<string, number> =>
  sizes(explain(sourceOf(s), s.launch, { gpu, brief: true }))

const sourceOf = (s: Step): { readonly text: string; readonly file: string } => ({
  text: s.text,
  file: `${s.name}.wgsl`,
})

function onGpu(e: Experiment, p: Point, index: number, gpu: GpuProfile): StudyPoint {
  const label = String(p.x)
  const at = { x: typeof p.x === 'number' ? p.x : index, label }
  const refused = (why: string): StudyPoint => ({
    ...at,
    ...(e.along && { x: null }),
    kernels: p.steps.map((s) => ({ name: s.name, grid: s.launch.grid, block: [0, 0, 0] })),
    values: {},
    measured: null,
    why,
  })
  const lacking = p.steps.find((s) => /^enable subgroups;/m.test(s.text))
  if (lacking && (gpu.computeCapability?.[0] ?? 9) < 3)
    return refused(`${gpu.name} has no operations across the lanes of a warp`)
  if (gpu.throughput.l1Bytes.value === 0 && !gpu.readOnlyCaches && p.steps.some((s) => /: texture_/.test(s.text)))
    return refused(`the caches of textures are not in the profile of ${gpu.name}`)
  const point = attempted((): StudyPoint => {
    const brief = !e.plots.includes('races')
    const reports = p.steps.map((s) =>
      explain(sourceOf(s), s.launch, {
        gpu,
        brief,
        ...(p.registerLimit !== undefined && { registerLimit: p.registerLimit }),
      }),
    )
    const large = reports.find((r) => r.occupancy.activeBlocks === 0)
    if (large)
      return refused(
        `a block of ${large.launch.block.join(' × ')} threads cannot start on ${gpu.name}: ` +
          `${large.occupancy.limitedBy.join(' and ')}`,
      )
    const [first] = p.steps,
      [report] = reports
    const channels = first && report && e.plots.includes('channels') ? channelsOf(first, sizes(report), gpu) : null
    const values = valuesOf(wanted(e), {
      reports,
      channels,
      ...(p.registerLimit !== undefined && { registerLimit: p.registerLimit }),
      ...(p.elements !== undefined && { elements: p.elements }),
      ...(p.bits !== undefined && { bits: p.bits }),
    })
    return {
      ...at,
      ...(e.along && { x: values[e.along] ?? null }),
      kernels: reports.map((r, i) => ({ name: p.steps[i]?.name ?? '', grid: r.launch.grid, block: r.launch.block })),
      values,
      measured: null,
      why: null,
    }
  })
  return isInapplicable(point) ? refused(whyInapplicable(point)) : point
}

/** Points whose place follows from the GPU: one of each place, in order. */
function arranged(e: Experiment, points: readonly StudyPoint[]): StudyPoint[] {
  if (!e.along) return [...points]
  const placed = points.filter((p) => p.x !== null)
  return placed.filter((p, i) => placed.findIndex((q) => q.x === p.x) === i).sort((a, b) => (a.x ?? 0) - (b.x ?? 0))
}
