// In: an experiment, its report, a device. Out: the report with a measured series beside the predicted ones. The one
// idea: a device runs the very text that was counted, through the same protocol as tuning; what depends on time follows
// the measured time.
import { attemptedAsync, isInapplicable, random, whyInapplicable } from '../base/index.ts'
import { gpu, gpuNames, type GpuProfile } from '../gpus/index.ts'
import {
  elementsOf,
  hostArray,
  type HostArray,
  type Plan,
  type StudyPoint,
  type StudyReport,
  type StudySeries,
  type StudyTiming,
} from '../ir/index.ts'
import type { Measurer } from '../tune/index.ts'
import { planOf } from './bound.ts'
import { bytesOfStep } from './run.ts'
import type { Experiment, Point, Step } from './types.ts'
import { retimed } from './values.ts'

/**
 * Measures every point of the experiment that was predicted for the profile nearest to the device, and adds the series.
 */
export async function measureStudy(
  e: Experiment,
  report: StudyReport,
  device: Measurer,
  progress?: (p: { readonly stage: string; readonly done: number; readonly total: number }) => void,
): Promise<StudyReport> {
  if (e.unmeasured !== undefined) return { ...report, notes: [...report.notes, `not measured: ${e.unmeasured}`] }
  const profile = nearest(device.name, report)
  const base = report.series.filter((s) => s.gpu === profile.name && s.kind === 'predicted')
  const total = base.reduce((n, s) => n + s.points.length, 0)
  let done = 0
  const series: StudySeries[] = []
  for (const s of base) {
    const points: StudyPoint[] = []
    for (const p of s.points) {
      progress?.({ stage: `${e.name} on ${device.name}`, done: done++, total })
      const own = e.series.find((x) => x.name === s.name)?.points.find((x) => String(x.x) === p.label)
      points.push(own && p.why === null ? await measured(own, p, device, profile) : p)
    }
    series.push({ name: s.name, gpu: device.name, kind: 'measured', points })
  }
  return { ...report, series: [...report.series, ...series], measuredOn: device.name }
}

/** The profile whose name is in the device's, or the last that was asked for. */
function nearest(device: string, report: StudyReport): GpuProfile {
  const asked = [...new Set(report.series.map((s) => s.gpu))]
  const name =
    gpuNames().find((n) => asked.includes(n) && device.toLowerCase().includes(n)) ?? asked[asked.length - 1] ?? 'h200'
  return gpu(name)
}

async function measured(own: Point, p: StudyPoint, device: Measurer, profile: GpuProfile): Promise<StudyPoint> {
  const timed = await attemptedAsync(async (): Promise<StudyPoint> => {
    const times: StudyTiming[] = []
    for (const step of own.steps) times.push(await timeOf(step, device, profile))
    const all = times.reduce((a, b) => ({
      ...a,
      ns: a.ns + b.ns,
      min: a.min + b.min,
      spread: Math.max(a.spread, b.spread),
      samples: Math.min(a.samples, b.samples),
    }))
    return { ...p, values: retimed(p.values, p.values.time ?? all.ns, all.ns), measured: all }
  })
  return isInapplicable(timed) ? { ...p, values: {}, why: whyInapplicable(timed) } : timed
}

const values = { sizes: {}, scalars: {} }

async function timeOf(step: Step, device: Measurer, profile: GpuProfile): Promise<StudyTiming> {
  const plan = planOf(step, bytesOfStep(step, profile))
  const { ns, min, spread, timer, samples } = await device.time(plan, values, contents(plan))
  return { ns, min, spread, timer, samples }
}

/** Random floats, zero integers, as `explain` fills buffers. */
function contents(plan: Plan): Record<string, HostArray> {
  const stream = random(1)
  return Object.fromEntries(
    plan.arrays.map((a) => {
      const array = hostArray(a.type, elementsOf(a, values))
      if (a.type === 'f32') for (let i = 0; i < array.length; i++) array[i] = stream.unit()
      return [a.name, array]
    }),
  )
}
