// In: measured sweeps of schedule spaces (bench/data). Out: how the model orders them: Kendall's τ, error, and what its
// choice reaches of the best. Usage: npx tsx bench/model/sweep.ts [every nth point]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gpu } from '../../src/gpus/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import type { Point } from '../../src/schedule/index.ts'
import { estimatePlan, plannedValues } from '../../src/tune/index.ts'
import { readExample } from '../truth/launches.ts'

const every = Number(process.argv[2] ?? 4)
const sweep = JSON.parse(readFileSync(join(import.meta.dirname ?? '.', '../data/h200-gemm-sweep.json'), 'utf8')) as { readonly columns: readonly string[]; readonly rows: readonly (readonly number[])[] }
const program = await readExample('gemm')
const analysed = analyse(program)
const values = plannedValues(program)
const judged = sweep.rows.filter((_, i) => i % every === 0).map((row) => {
  const point = Object.fromEntries(sweep.columns.slice(0, -1).map((c, i) => [c, row[i]!])) as Point
  const { prediction } = estimatePlan(program, build(analysed, [point], { only: 'vector' }).plan, values, gpu('h200'), 1.5e6)
  return { row, ns: row[row.length - 1]!, predicted: prediction.ns, prediction }
})
let agree = 0, pairs = 0
for (const [i, a] of judged.entries()) for (const b of judged.slice(i + 1)) {
  if (Math.abs(a.ns / b.ns - 1) < 0.02) continue
  pairs++
  agree += Math.sign(a.ns - b.ns) === Math.sign(a.predicted - b.predicted) ? 1 : -1
}
const best = Math.min(...judged.map((j) => j.ns)), chosen = judged.reduce((a, b) => (b.predicted < a.predicted ? b : a))
console.log(`${judged.length} points: tau ${(agree / pairs).toFixed(2)}, MAPE ${((100 * judged.reduce((n, j) => n + Math.abs(j.predicted / j.ns - 1), 0)) / judged.length).toFixed(1)} %, chosen ${(best / chosen.ns).toFixed(2)} of the best`)
for (const j of process.argv.includes('--points') ? judged : []) console.log(j.row.join(' '), (j.predicted / j.ns).toFixed(2), Object.entries(j.prediction.terms).filter(([, v]) => v > 0.15 * j.predicted).map(([k, v]) => `${k} ${(v / 1e6).toFixed(2)}`).join(' '))
