// In: a job. Out: its result. The one idea: a job is a list of items, each a pure function of the job and of the items
// before it; whoever keeps the items can go on where it ended. What is measured is as a device says it.
import { attempted, attemptedAsync, fail, isInapplicable, random, whyInapplicable } from '../../base/index.ts'
import { inPrecision } from '../../compile/index.ts'
import { parseC, type ParserFiles } from '../../frontend/c/index.ts'
import { parseWgsl } from '../../frontend/wgsl/index.ts'
import { gpu } from '../../gpus/index.ts'
import type { Program } from '../../ir/index.ts'
import type { Point } from '../../schedule/index.ts'
import { contentKey } from '../../store/index.ts'
import { experimentNamed, simulateUnit } from '../../study/index.ts'
import {
  measurerOf,
  optimize,
  scorerOf,
  spacesOf,
  trialMaker,
  type EstimateAnswer,
  type CheckedTrial,
  type Measurer,
  type Optimized,
  type OptimizeOptions,
} from '../../tune/index.ts'
import { jobKey } from './key.ts'
import type {
  EmitJob,
  FuzzJob,
  Job,
  JobProgram,
  JobResult,
  MeasureJob,
  OnProgram,
  ProveJob,
  SearchJob,
} from './types.ts'

/** What jobs need of the machine. */
export interface JobTools {
  readonly wasm: ParserFiles
  /** Of the compiler's sources: results of another compiler are other results. */
  readonly compiler: string
  /** Opens a device. Throws a `DiagnosticError` that says what is missing. */
  readonly measurer: (on: 'webgpu' | 'cuda') => Promise<Measurer>
}

/** Runs the job from the items on that are there already; `kept` hears of each new one. */
export async function runJob(
  job: Job,
  tools: JobTools,
  before: readonly unknown[] = [],
  kept: (items: readonly unknown[]) => void = () => {},
): Promise<JobResult> {
  const work = await workOf(job, tools)
  try {
    const items = [...before.slice(0, work.count)]
    while (items.length < work.count) {
      items.push(plainJson(await work.item(items.length, items)))
      kept(items)
    }
    const key = jobKey(job, tools.compiler)
    return {
      schema: 'tesela.result/1',
      key,
      compiler: tools.compiler,
      job,
      result: plainJson(work.result(items)),
    }
  } finally {
    work.close?.()
  }
}

/** As it reads when it comes back from a file: results that were kept and fresh ones are the same. */
const plainJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (_, x: unknown) => (typeof x === 'bigint' ? Number(x) : x))) as unknown

interface Work {
  readonly count: number
  item(index: number, before: readonly unknown[]): unknown
  result(items: readonly unknown[]): unknown
  close?(): void
}

async function workOf(job: Job, tools: JobTools): Promise<Work> {
  switch (job.kind) {
    case 'simulate': {
      const unit = { gpu: gpu(job.gpu), series: job.series, point: job.point }
      return single(() => simulateUnit(experimentNamed(job.study), unit))
    }
    case 'optimize': {
      const program = await programOf(job, tools)
      return single(async () => found(await optimize(program, { ...optionsOf(job), budget: job.budget })))
    }
    case 'search':
      return searchWork(job, await programOf(job, tools))
    case 'prove': {
      const program = await programOf(job, tools)
      return single(() => proved(program, { ...optionsOf(job), points: pointsFor(program, job) }))
    }
    case 'measure':
      return job.on === 'browser'
        ? fail(
            'job.browser',
            'browsers measure for a farm alone',
            undefined,
            'tesela farm run, with this job in a suite',
          )
        : measureWork(job, await programOf(job, tools), await tools.measurer(job.on))
    case 'emit':
      return emitWork(job, await programOf(job, tools))
    case 'fuzz':
      return fuzzWork(job, await programOf(job, tools))
  }
}

const single = (make: () => unknown): Work => ({ count: 1, item: make, result: (items) => items[0] })

const optionsOf = (job: Omit<OnProgram, 'seed'> & { readonly seed?: number }): OptimizeOptions => ({
  gpu: gpu(job.gpu),
  targets: job.targets,
  seed: job.seed ?? 1,
  readWgsl: parseWgsl,
})

/** Programs that were read last, by their texts: many jobs are about one. */
const programs = new Map<string, Program>()
/** Programs that are kept parsed: jobs of one program follow each other. */
const mostPrograms = 4

async function programOf(job: Pick<OnProgram, 'program' | 'targets'>, tools: JobTools): Promise<Program> {
  const key = contentKey([job.program, job.targets])
  const known = programs.get(key)
  if (known) return known
  const program = await readProgram(job.program, job.targets, tools.wasm)
  for (const old of [...programs.keys()].slice(0, Math.max(0, programs.size - mostPrograms + 1))) programs.delete(old)
  programs.set(key, program)
  return program
}

/** The function, in the precision that is asked for. Throws a `DiagnosticError` with the place of what is wrong. */
export async function readProgram(
  given: JobProgram,
  targets: OnProgram['targets'],
  wasm: ParserFiles,
): Promise<Program> {
  const read = await parseC(given.text, given.name, {
    defines: given.defines ?? {},
    include: (path) => given.includes?.[path],
    wasm,
    ...(given.function !== undefined && { function: given.function }),
  })
  return inPrecision(read, {
    wgsl: targets.includes('wgsl'),
    single: given.precision === 'f32',
    hints: {
      wide: 'compute with int and unsigned, or give "targets": ["cuda"]',
      double: 'give "precision": "f32", or keep double with "targets": ["cuda"]',
    },
  })
}

/** What is kept of a plan: how it is made and what became of it, without the seconds that it took. */
function found({ program, points, parts, kernels, ladder, verified, search, failed, lowerBound, distance }: Optimized) {
  return {
    program: program.name,
    points,
    sketches: parts.map((p) => p.sketch),
    kernels: kernels.map(({ name, grid, block, prediction }) => ({ name, grid, block, ns: prediction.ns })),
    ns: kernels.reduce((n, k) => n + k.prediction.ns, 0),
    ladder: ladder.map((row) => ({ step: row.step, ns: row.prediction?.ns ?? null })),
    verified: { sizes: verified.sizes, maxRelativeError: verified.maxRelativeError, bound: verified.bound },
    search: { candidates: search.candidates, predicted: search.predicted },
    failed: failed.map(({ how, why, schedule }) => ({ how, why, schedule })),
    overBound: distance.times,
    boundNs: lowerBound.ns,
  }
}

/** A point for each part, or a `DiagnosticError`. */
function pointsFor(program: Program, job: ProveJob): readonly Point[] {
  const parts = spacesOf(program, optionsOf(job)).length
  return job.points.length === parts
    ? job.points
    : fail('job.points', `${program.name} has ${parts} parts, and ${job.points.length} points are given`)
}

/** What became of one candidate: proved, or why not. */
async function proved(program: Program, options: OptimizeOptions) {
  const made = await attemptedAsync(() => optimize(program, options))
  if (isInapplicable(made)) {
    // a schedule that does not fit is no fault; one that computes something else is
    const isWrong = made.inapplicable[0]?.code === 'optimize.wrong'
    return { ok: false, how: isWrong ? 'wrong' : 'refused', why: whyInapplicable(made) }
  }
  const { verified, kernels } = made,
    { sizes, maxRelativeError, bound } = verified
  return { ok: true, sizes, maxRelativeError, bound, ns: kernels.reduce((n, k) => n + k.prediction.ns, 0) }
}

/**
 * Points in the order in which they are asked. The first says by how much the others' sizes are smaller, so that no
 * item depends on any other but that one.
 */
function searchWork(job: SearchJob, program: Program): Work {
  const options = optionsOf(job)
  const space = spacesOf(program, options)[job.part]
  if (!space) return fail('job.part', `${program.name} has no part ${job.part}`)
  const { points: asked } = job
  const points = 'of' in asked ? space.points.filter((_, i) => i % asked.of === asked.index) : asked
  const score = scorerOf(program, options)
  const question = { part: job.part, steps: job.steps ?? space.steps }
  // items are made below
  const answers = (items: readonly unknown[]): readonly EstimateAnswer[] => items as readonly EstimateAnswer[]
  return {
    count: points.length,
    item: (index, before) =>
      score({ ...question, points: [points[index]!], shrink: answers(before)[0]?.shrink ?? job.shrink })[0],
    result: (items) => ({
      sketch: space.sketch,
      steps: question.steps,
      scored: answers(items).map(({ ns, shrink }, i) => ({ point: points[i], ns, shrink })),
      best: answers(items)
        .flatMap(({ ns }, i) => (ns === null ? [] : [{ point: points[i], ns }]))
        .sort((a, b) => a.ns - b.ns)
        .slice(0, 10),
    }),
  }
}

/** Candidates that are timed one right after the other, while the device is warm: what a job that is killed loses. */
const measuredAtOnce = 8

function measureWork(job: MeasureJob, program: Program, device: Measurer): Work {
  const measurer = measurerOf(program, optionsOf(job), device)
  return {
    count: Math.ceil(job.candidates.length / measuredAtOnce),
    item: async (index) => {
      const some = job.candidates.slice(index * measuredAtOnce, (index + 1) * measuredAtOnce)
      const outcomes = await measurer.times(some)
      return some.map((points, i) => ({ points, taken: new Date().toISOString(), ...outcomes[i] }))
    },
    result: (items) => ({
      device: device.name,
      target: device.target,
      measured: items.flat(),
      ...(device.unchecked !== undefined && { unchecked: device.unchecked }),
    }),
    close: () => device.close(),
  }
}

/** What became of a candidate of an `emit` job. */
export type EmittedCandidate = CheckedTrial | { readonly how: 'unbuilt'; readonly why: string }

function emitWork(job: EmitJob, program: Program): Work {
  const make = trialMaker(program, optionsOf(job))
  const emitted = (points: readonly Point[]): EmittedCandidate => {
    const trial = attempted(() => make(points))
    return isInapplicable(trial) ? { how: 'unbuilt', why: whyInapplicable(trial) } : trial
  }
  return {
    count: job.candidates.length,
    item: (index) => emitted(job.candidates[index]!),
    result: (items) => ({ candidates: items }),
  }
}

/** A random point of each part's space and random data for each seed. */
function fuzzWork(job: FuzzJob, program: Program): Work {
  const { from, count } = job.seeds
  const spaces = spacesOf(program, optionsOf(job))
  return {
    count,
    item: async (index) => {
      const seed = from + index
      const stream = random(seed)
      const points = spaces.map((s) => s.points[stream.int(0, s.points.length - 1)]!)
      const outcome = await proved(program, { ...optionsOf({ ...job, seed }), points })
      return { seed, points, ...outcome }
    },
    result: (items) => {
      const outcomes = items as readonly { readonly ok: boolean; readonly how?: string }[] // made above
      return {
        proved: outcomes.filter((o) => o.ok).length,
        refused: outcomes.filter((o) => o.how === 'refused').length,
        wrong: outcomes.filter((o) => o.how === 'wrong'),
      }
    },
  }
}
