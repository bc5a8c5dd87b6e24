// What a launch that was explained would find in memory. In: the source, the launch, the report with the sizes that
// buffers got. Out: the launch with the same contents, for a device.
import type { Launch } from '../../ir/index.ts'
import { filledBuffer, plan } from './buffer-sizes.ts'
import { subjectOf } from '../subject.ts'
import type { ExplainLaunch, ExplainOptions, ExplainReport, ExplainSource } from '../types.ts'

export function launchMemory(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: Pick<ExplainOptions, 'entry' | 'seed'>,
  report: Pick<ExplainReport, 'buffers'>,
): Launch {
  const subject = subjectOf(source, launch, options)
  const bytes = new Map(report.buffers.map((b) => [b.name, b.bytes]))
  const sized = plan(subject, launch).map((s) => ({ ...s, bytes: bytes.get(s.binding.name) ?? s.bytes }))
  return subject.bind(launch.grid, sized, (s, i) => filledBuffer(s, (options.seed ?? 1) + i), launch.args ?? {})
}
