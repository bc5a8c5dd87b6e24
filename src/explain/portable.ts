// In: what `explain` takes, but for one GPU of each kind. Out: one report, judged by the worst. The one idea: per
// access the GPU where the smallest part of the bytes moved is used, per finding the GPU that gains most, of hazards
// all, and time, occupancy and bound of the slowest; each says which GPU it is. Kernels that one GPU cannot run are
// named.
import { applied, attempted, fail, isInapplicable, whyInapplicable } from '../base/index.ts'
import { portable } from '../gpus/index.ts'
import { explain } from './explain.ts'
import type { AccessJson, ExplainLaunch, ExplainOptions, ExplainReport, ExplainSource, Finding } from './types.ts'

/** Explains a launch for every GPU of the portable set. Throws what `explain` throws when none can run it. */
export function explainPortable(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: Omit<ExplainOptions, 'gpu'>,
): ExplainReport {
  const runs = portable.map((gpu) => ({
    gpu: gpu.name,
    result: attempted(() => explain(source, launch, { ...options, gpu })),
  }))
  const reports = runs.flatMap(({ result }) => (isInapplicable(result) ? [] : [result]))
  const [first] = reports
  if (!first) {
    const [bad] = runs
    return bad ? applied(bad.result) : fail('explain.portable', 'no GPU could be asked')
  }
  const slowest = reports.reduce((a, b) => (b.prediction.ns > a.prediction.ns ? b : a))
  const refused = runs.flatMap(({ gpu, result }) =>
    isInapplicable(result) ? [`not on ${gpu}: ${whyInapplicable(result)}`] : [],
  )
  return {
    ...slowest,
    gpu: 'portable',
    accesses: slowest.accesses.map((a) => worst(a, reports)),
    hazards: reports.reduce((a, b) => (b.hazards.length > a.hazards.length ? b : a)).hazards,
    findings: merged(reports),
    portable: reports.map((r) => ({
      gpu: r.gpu,
      ns: r.prediction.ns,
      boundBy: r.prediction.boundBy,
      occupancy: r.occupancy.occupancy,
      unknown: r.prediction.unknown,
    })),
    notes: [
      ...refused,
      `judged by the worst of ${reports.map((r) => r.gpu).join(', ')}; time and occupancy are those of ` +
        `${slowest.gpu}, the slowest`,
      ...slowest.notes,
    ],
  }
}

const sameAccess = (a: AccessJson, b: AccessJson): boolean =>
  a.at?.line === b.at?.line &&
  a.at?.column === b.at?.column &&
  a.resource === b.resource &&
  a.op === b.op &&
  a.bytesPerLane === b.bytesPerLane

/** The access where it uses the least of what it moves; unknown efficiencies do not count. */
function worst(a: AccessJson, reports: readonly ExplainReport[]): AccessJson {
  const all = reports.flatMap((r) => r.accesses.filter((b) => sameAccess(a, b)).map((b) => ({ ...b, gpu: r.gpu })))
  const known = all.filter((b) => b.efficiency !== null)
  return known.reduce<AccessJson>((x, y) => ((y.efficiency ?? 1) < (x.efficiency ?? 1) ? y : x), known[0] ?? a)
}

/**
 * One finding per rule and place: the one that gains most, with all GPUs that have it. What bounds a GPU is not a
 * finding of the kernel.
 */
function merged(reports: readonly ExplainReport[]): Finding[] {
  const groups = new Map<string, { readonly gpu: string; readonly finding: Finding }[]>()
  for (const r of reports) {
    for (const finding of r.findings) {
      if (finding.rule === 'SOLBottleneck' || finding.rule === 'HighPipeUtilization') continue
      const key = [finding.rule, finding.at?.line, finding.at?.column].join()
      groups.set(key, [...(groups.get(key) ?? []), { gpu: r.gpu, finding }])
    }
  }
  const order = (f: Finding): number => (f.scope === 'global' ? 1000 + f.speedup : Math.min(900, f.speedup))
  return [...groups.values()]
    .map((g): Finding => {
      const top = g.reduce((a, b) => (order(b.finding) > order(a.finding) ? b : a))
      return { ...top.finding, message: `on ${top.gpu}: ${top.finding.message}`, gpus: g.map((x) => x.gpu) }
    })
    .sort((a, b) => order(b) - order(a))
}
