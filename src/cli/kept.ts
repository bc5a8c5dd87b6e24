// What commands keep in a store (`--store`): scores, points of studies, verdicts and readings. The one idea: results
// are the same with and without; a store saves time and remembers readings, and nothing is looked up by anything less
// than all that it depends on.
import type { Program, StudyPoint } from '../ir/index.ts'
import { printProgram } from '../ir/index.ts'
import {
  candidateRecord,
  contentKey,
  deviceRecord,
  openStore,
  programRecord,
  readingRecord,
  verdictRecord,
  type Device,
  type Records,
  type RecordStore,
} from '../store/index.ts'
import { simulateUnit, type Experiment, type StudyUnit } from '../study/index.ts'
import type { EstimateAnswer, Asked, MeasuredOne, Optimized, OptimizeOptions, ScoreCache } from '../tune/index.ts'
import { compilerName } from './job-tools.ts'

/** This machine, for the readings of a device that names itself so. */
const deviceHere = (name: string, runtime: string): Device => ({
  name,
  runtime,
  system: `${process.platform} ${process.arch}`,
})

/** What an optimization keeps: before it, the scores that are known; after it, what it found. */
export class KeptSearch {
  private readonly store: RecordStore
  private readonly question: object
  private readonly known: Map<string, EstimateAnswer>
  private readonly fresh = new Map<string, EstimateAnswer>()
  /** The device is not this machine's. */
  private readonly isElsewhere: boolean
  private readonly timed: { readonly points: unknown; readonly outcome: MeasuredOne }[] = []

  private constructor(store: RecordStore, question: object, known: ReadonlyMap<string, unknown>, isElsewhere: boolean) {
    this.store = store
    this.isElsewhere = isElsewhere
    this.question = question
    this.known = new Map(known as ReadonlyMap<string, EstimateAnswer>) // as `end` writes them
  }

  static async open(place: string, program: Program, options: OptimizeOptions): Promise<KeptSearch> {
    const store = await openStore(place)
    const { gpu, targets, measure } = options
    const question = { program: printProgram(program), planned: plannedOf(program), gpu: gpu.name, targets }
    const known = await store.resultsOf(kindOf(question), compilerName())
    return new KeptSearch(store, question, known, !!measure && 'times' in measure)
  }

  /** Answers of earlier searches, and of this one. */
  readonly scores: ScoreCache = {
    get: (asked) => this.known.get(this.keyOf(asked)),
    set: (asked, answer) => {
      this.fresh.set(this.keyOf(asked), answer)
    },
  }

  readonly measuredOne = (points: unknown, outcome: MeasuredOne): void => {
    this.timed.push({ points, outcome })
  }

  private keyOf(asked: Asked): string {
    return contentKey({ ...this.question, asked, compiler: compilerName() })
  }

  /** Writes what was found, in one transaction. */
  async end(result: Optimized | null): Promise<void> {
    const compiler = compilerName()
    const kind = kindOf(this.question)
    const results = [...this.fresh].map(([key, body]) => ({ key, kind, compiler, body }))
    try {
      await this.store.add({ results, ...(result && this.recordsOf(result)) })
    } finally {
      await this.store.close()
    }
  }

  private recordsOf(result: Optimized): Records {
    const program = programRecord({ language: 'c', name: result.program.name, body: this.question })
    const on = result.measuredOn
    const target = on?.endsWith('(CUDA)') ? 'cuda' : 'wgsl'
    const chosen = candidateRecord({ program: program.key, target, choice: result.points })
    const { sizes, maxRelativeError, bound } = result.verified
    const verdict = verdictRecord({ candidate: chosen.key, ok: true, body: { sizes, maxRelativeError, bound } })
    if (on === null) return { programs: [program], candidates: [chosen], verdicts: [verdict] }
    const runtime = target === 'cuda' ? 'CUDA' : 'Dawn'
    const device = deviceRecord(this.isElsewhere ? { name: on, runtime } : deviceHere(on, runtime))
    const taken = new Date().toISOString()
    const readings = this.timed.flatMap(({ points, outcome }) => {
      if (!('ns' in outcome)) return []
      const candidate = candidateRecord({ program: program.key, target, choice: points })
      const { ns, spread, samples, ...body } = outcome
      return [
        {
          candidate,
          reading: readingRecord({ candidate: candidate.key, device: device.key, ns, spread, samples, taken, body }),
        },
      ]
    })
    return {
      programs: [program],
      candidates: [chosen, ...readings.map((r) => r.candidate)],
      devices: [device],
      verdicts: [verdict],
      readings: readings.map((r) => r.reading),
    }
  }
}

const plannedOf = (program: Program): object => ({
  sizes: program.sizes.map((s) => [s.name, s.planned]),
  scalars: program.scalars.map((s) => [s.name, s.planned ?? null]),
})

/** Scores of one question have a kind of their own, so that they are read at once. */
const kindOf = (question: object): string => `score ${contentKey(question).slice(0, 32)}`

/** Points of a study: those that are known are not simulated again, and new ones are kept one by one. */
export async function keptPoints(
  place: string,
  e: Experiment,
  units: readonly StudyUnit[],
  progress: (done: number) => void,
): Promise<readonly StudyPoint[]> {
  const store = await openStore(place)
  const compiler = compilerName()
  const keys = units.map((unit) => contentKey({ ...unitContent(e, unit), compiler }))
  try {
    const known = await store.results(keys)
    const points: StudyPoint[] = []
    for (const [i, unit] of units.entries()) {
      progress(i)
      const key = keys[i]! // one for each
      const before = known.get(key) as StudyPoint | undefined // as it is written below
      if (before) {
        points.push(before)
        continue
      }
      const body = JSON.parse(JSON.stringify(simulateUnit(e, unit))) as StudyPoint // as it is read back
      await store.add({ results: [{ key, kind: 'study', compiler, body }] })
      points.push(body)
    }
    return points
  } finally {
    await store.close()
  }
}

const unitContent = (e: Experiment, { gpu, series, point }: StudyUnit): object => ({
  study: e.name,
  plots: e.plots,
  gpu: gpu.name,
  series,
  point,
})
