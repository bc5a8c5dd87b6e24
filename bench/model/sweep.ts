// In: the measured sweep of a schedule space (bench/data/h200-gemm-sweep.json). Out: how the model orders its points
// and what its first choice reaches of the best. Also a script: npx tsx bench/model/sweep.ts [every nth point]
// [--points]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gpu } from '../../src/gpus/index.ts'
import type { Prediction } from '../../src/model/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import type { Point } from '../../src/schedule/index.ts'
import { estimatePlan, plannedValues } from '../../src/tune/index.ts'
import { readExample } from '../truth/launches.ts'
import { kendall } from './statistics.ts'
import { countFrom } from '../arguments.ts'

export interface Sweep {
  readonly judged: readonly {
    readonly row: readonly number[]
    readonly ns: number
    readonly predicted: number
    readonly prediction: Prediction
  }[]
  readonly tau: number
  /** Speed of the point predicted fastest ÷ that of the fastest. */
  readonly chosen: number
}

/** Every nth point of the sweep. */
export async function sweep(every: number): Promise<Sweep> {
  const data = JSON.parse(readFileSync(join(import.meta.dirname ?? '.', '../data/h200-gemm-sweep.json'), 'utf8')) as {
    readonly columns: readonly string[]
    readonly rows: readonly (readonly number[])[]
  }
  const program = await readExample('gemm')
  const analysed = analyse(program)
  const values = plannedValues(program)
  const judged = data.rows
    .filter((_, i) => i % every === 0)
    .map((row) => {
      const point = Object.fromEntries(data.columns.slice(0, -1).map((c, i) => [c, row[i]!])) as Point
      const { prediction } = estimatePlan(
        program,
        build(analysed, [point], { only: 'vector' }).plan,
        values,
        gpu('h200'),
        { steps: 1.5e6 },
      )
      return { row, ns: row[row.length - 1]!, predicted: prediction.ns, prediction }
    })
  const best = Math.min(...judged.map((j) => j.ns)),
    first = judged.reduce((a, b) => (b.predicted < a.predicted ? b : a))
  return { judged, tau: kendall(judged), chosen: best / first.ns }
}

if (process.argv[1]?.endsWith('sweep.ts')) {
  const { judged, tau, chosen } = await sweep(countFrom(process.argv[2], 4, 'every how many points'))
  console.log(`${judged.length} points: tau ${tau.toFixed(2)}, chosen ${chosen.toFixed(2)} of the best`)
  for (const j of process.argv.includes('--points') ? judged : [])
    console.log(
      j.row.join(' '),
      (j.predicted / j.ns).toFixed(2),
      Object.entries(j.prediction.terms)
        .filter(([, v]) => v > 0.15 * j.predicted)
        .map(([k, v]) => `${k} ${(v / 1e6).toFixed(2)}`)
        .join(' '),
    )
}
