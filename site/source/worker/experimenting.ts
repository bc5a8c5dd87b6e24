// One point of an experiment of the guide. In: which one, and a GPU. Out: what is plotted of it, the kernel that it
// launches first as the page of `explain` shows it, and the flags of that launch.
import { experimentNamed, gpu, simulateUnit, type Step } from 'tesela/study'
import { explainPage, explainWithView } from 'tesela/html'
import { files, most } from './kernel.ts'
import type { LivePoint } from './protocol.ts'

export function livePoint(name: string, gpuName: string, series: number, point: number): LivePoint {
  const experiment = experimentNamed(name),
    profile = gpu(gpuName)
  const simulated = simulateUnit(experiment, { gpu: profile, series, point })
  const found = experiment.series[series]?.points[point],
    step = found?.steps[0]
  if (simulated.why !== null || !step) return { point: simulated, kernel: null }
  const { report, view } = explainWithView({ text: step.text, file: files.wgsl, language: 'wgsl' }, step.launch, {
    gpu: profile,
    maxBytes: most.bytes,
    maxSteps: most.steps,
    brief: true,
    ...(found.registerLimit !== undefined && { registerLimit: found.registerLimit }),
  })
  const flags = flagsOf(step)
  return { point: simulated, kernel: { page: explainPage(report, view, profile), text: step.text, flags } }
}

/** The launch as the field *Flags* of the studio takes it; null where flags cannot say it. */
function flagsOf({ launch }: Step): string | null {
  const words = [`--grid ${launch.grid.join(',')}`]
  if (launch.block) words.push(`--block ${launch.block.join(',')}`)
  for (const [n, v] of Object.entries(launch.overrides ?? {})) words.push(`--override ${n}=${v}`)
  for (const [n, v] of Object.entries(launch.args ?? {})) words.push(`--arg ${n}=${v}`)
  for (const [n, b] of Object.entries(launch.buffers ?? {})) {
    if (b.type === undefined || b.count === undefined || b.fill instanceof ArrayBuffer) return null
    words.push(`--buffer ${n}=${b.type}[${b.count}]${b.fill === undefined ? '' : `:${b.fill}`}`)
  }
  return launch.samplers === undefined && launch.shared === undefined ? words.join(' ') : null
}
