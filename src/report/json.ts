// In: what `optimize` found. Out: the object of docs/contracts.md, `tesela.optimize/1`. Keys there are kept; those
// added here are `source`, `lowerBound`, `findings`, `variants`, `shapes`, `slowShapes`, `measuredOn`, `passes`,
// `choices`, and on kernels and rungs registers and occupancy. Numbers keep their units: ns.
import { needsBeyond } from '../ir/index.ts'
import { fidelityOf, type Fidelity } from '../model/index.ts'
import type { Timing } from '../run/index.ts'
import type { LadderRow, Optimized, OptimizedKernel } from '../tune/index.ts'
import type { OptimizeReport } from './optimize.ts'
import { passesJson } from './passes.ts'
import { runsWhere, sourceFacts } from './source.ts'
import { conditionWords, type OutputFile } from './variants.ts'

/** Plain data, ready for `JSON.stringify`. */
export function optimizeJson(report: OptimizeReport): object {
  const { result, gpu, files, folder, file } = report
  const { verified, search } = result
  const facts = sourceFacts(result.program, result)
  const [first] = result.ladder
  return {
    schema: 'tesela.optimize/1',
    program: result.program.name,
    gpu: gpu.name,
    source: {
      file,
      sizes: Object.fromEntries(result.program.sizes.map((s) => [s.name, s.planned])),
      ...(typeof facts === 'string' ? { nests: [], loops: [], why: facts } : facts),
      notes: result.program.notes ?? [],
    },
    loops:
      typeof facts === 'string'
        ? []
        : facts.loops.map((l) => ({
            name: l.name,
            line: l.line,
            depth: l.depth,
            kind: l.kind,
            why: l.why,
            blocker: l.blocker,
            runs: l.kind === 'sequential' ? (runsWhere(l, result) ?? null) : null,
          })),
    kernels: result.kernels.map((k) => kernelJson(k, files, folder, result, gpu.name)),
    variants: result.plan.variants.map((v, i) => ({
      when: conditionWords(v),
      needs: needsBeyond(v),
      files: files.filter((f) => f.variant === i).map((f) => pathOf(f, folder)),
    })),
    shapes: result.versions.map(({ size, most, at, ns, without, points }) => ({
      size,
      most,
      at,
      predictedNs: ns,
      withoutNs: without,
      points,
    })),
    slowShapes: result.slowShapes.map(({ at, ns, boundNs }) => ({ at, predictedNs: ns, boundNs })),
    empty: (result.plan.empty ?? []).map((v) => ({
      when: conditionWords(v),
      kernels: v.launches.map((l) => l.kernel.name),
      refused: v.refusal ?? null,
    })),
    ladder: result.ladder.map((r) => rungJson(r, first, result.measuredOn)),
    lowerBound: {
      ...result.lowerBound,
      recurrence: result.recurrence,
      distance: result.distance.times,
      of: result.distance.of,
    },
    findings: result.distance.finding ? [findingJson(result, file)] : [],
    verified: {
      against: verified.against,
      sizes: verified.sizes,
      edges: verified.edges,
      maxRelativeError: verified.maxRelativeError,
      bound: verified.bound,
      loose: verified.loose ?? [],
      unreached: verified.unreached ?? [],
      texts: result.textsRun,
      host: result.hostRun,
    },
    failed: result.failed,
    search: {
      candidates: search.candidates,
      predicted: search.predicted,
      measured: search.measured,
      seconds: search.seconds,
    },
    measuredOn: result.measuredOn,
    ...passesJson(report.trace),
  }
}

/** What stands between the plan and its lower bound, with keys as those of `explain`. */
function findingJson({ distance: { times, finding } }: Optimized, file: string): object {
  const { kernel, share, boundBy, lines, message } = finding! // callers have asked
  return {
    rule: 'DistanceFromBound',
    level: 'note',
    scope: 'global',
    at: lines && { file, line: lines[0], column: 1 },
    lines,
    kernel,
    share,
    boundBy,
    speedup: times,
    message,
  }
}

const pathOf = (f: OutputFile, folder: string): string => `${folder}/${f.name}`

const measuredJson = (t: Timing | null, on: string | null): object | null =>
  t && on !== null ? { ns: t.ns, min: t.min, spread: t.spread, on, timer: t.timer, samples: t.samples } : null

/** The published error of the model on the GPU. */
const published = (gpu: string): { readonly error: Fidelity | null; readonly calibrated: boolean } => ({
  error: fidelityOf(gpu),
  calibrated: fidelityOf(gpu) !== null,
})

function kernelJson(
  k: OptimizedKernel,
  files: readonly OutputFile[],
  folder: string,
  result: Optimized,
  gpu: string,
): object {
  const path = (target: OutputFile['target']): string | null => {
    const found = files.find((f) => f.target === target && (f.kernel === undefined || f.kernel === k.name))
    return found ? pathOf(found, folder) : null
  }
  return {
    name: k.name,
    launches: k.launches,
    grid: k.grid,
    block: k.block,
    schedule: k.steps,
    files: { wgsl: path('wgsl'), cuda: path('cuda'), ts: path('ts') },
    prediction: { ...k.prediction, ...published(gpu) },
    measured: measuredJson(k.measured, result.measuredOn),
    occupancy: { ...k.occupancy, registers: k.registers },
  }
}

/** How the counts of a rung were made. */
function countsOf(r: LadderRow): 'exact' | 'sampled' | 'scaled' {
  if (r.scaled) return 'scaled'
  return r.exact ? 'exact' : 'sampled'
}

function rungJson(r: LadderRow, first: LadderRow | undefined, on: string | null): object {
  return {
    step: r.step,
    prediction: r.prediction && { ns: r.prediction.ns, boundBy: r.prediction.boundBy },
    refused: r.refused,
    measured: measuredJson(r.measured, on),
    sectorsPerRequest: r.sectorsPerRequest,
    sharedWavefrontExcess: r.sharedWavefrontExcess,
    occupancy: r.occupancy,
    registers: r.registers,
    threadInstructions: r.threadInstructions,
    counts: countsOf(r),
    gain: first?.prediction && r.prediction ? first.prediction.ns / r.prediction.ns : null,
  }
}
