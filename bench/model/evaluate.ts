// In: what was measured of the points. Out: by family, how far predictions are off: mean absolute percentage error,
// bias, and Kendall's τ of the order inside the family. Usage: npx tsx bench/model/evaluate.ts MEASURED.json [CACHE]
// [--points] CACHE keeps what the simulator counted between runs, while the model is being worked on.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { gpu } from '../../src/gpus/index.ts'
import { predict, type PredictInput } from '../../src/model/index.ts'
import { inputOf, nameOf } from './dataset.ts'
import { calibration, points, type Point } from './points.ts'
import { kendall, mape, mean, type Judged } from './statistics.ts'

interface Row {
  readonly family: string
  readonly kernel: string
  readonly overrides: Point['overrides']
  readonly grid: Point['grid']
  readonly on: 'webgpu' | 'webgpu-robust' | 'cuda'
  readonly ns: number
  readonly registers?: number
}

const [measuredFile = '', cacheFile] = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const all = process.argv.includes('--points')
const rows = (JSON.parse(readFileSync(measuredFile, 'utf8')) as { readonly rows: readonly Row[] }).rows
const inputs =
  cacheFile && existsSync(cacheFile)
    ? (deserialize(readFileSync(cacheFile)) as Map<string, PredictInput>)
    : new Map<string, PredictInput>()
const before = inputs.size
for (const p of points) {
  if (inputs.has(nameOf(p))) continue
  try {
    inputs.set(nameOf(p), inputOf(p))
  } catch (e) {
    console.error(nameOf(p), (e as Error).message)
  }
}
if (cacheFile && inputs.size !== before) writeFileSync(cacheFile, serialize(inputs))

interface Explained extends Judged {
  readonly row: Row
  readonly terms: string
}
const judged = rows.flatMap((row): Explained[] => {
  const input = inputs.get(nameOf(row))
  if (!input || row.on === 'webgpu') return []
  const p = predict({ ...input, profile: gpu('h200'), api: row.on === 'cuda' ? 'cuda' : 'webgpu' })
  const terms = Object.entries(p.terms)
    .filter(([, v]) => v > 0.08 * p.ns)
    .sort((a, b) => b[1] - a[1])
    .map(([k, v]) => `${k} ${(v / 1000).toFixed(1)}`)
    .join(' ')
  return [{ row, family: row.family, name: nameOf(row), on: row.on, ns: row.ns, predicted: p.ns, terms }]
})

const error = (j: Judged): number => j.predicted / j.ns - 1

const families = [...new Set(judged.map((j) => j.row.family))]
console.log('family            points  MAPE   bias    tau   (calibration: *)')
const line = (name: string, list: readonly Judged[]): string =>
  `${name.padEnd(18)}${String(list.length).padStart(5)}  ${mape(list).toFixed(1).padStart(5)}  ` +
  `${(100 * mean(list.map(error))).toFixed(1).padStart(6)}  ${kendall(list).toFixed(2)}`
for (const f of families) {
  const list = judged.filter((j) => j.row.family === f)
  console.log(
    line(`${f}${calibration.has(f) ? ' *' : ''}`, list),
    ['webgpu-robust', 'cuda'].map((on) => `${on} ${mape(list.filter((j) => j.on === on)).toFixed(1)}`).join('  '),
  )
}
console.log(
  line(
    'calibration',
    judged.filter((j) => calibration.has(j.row.family)),
  ),
)
console.log(
  line(
    'held out',
    judged.filter((j) => !calibration.has(j.row.family)),
  ),
)
if (all)
  for (const j of [...judged].sort((a, b) => a.row.family.localeCompare(b.row.family)))
    console.log(
      `${j.row.family.slice(0, 10).padEnd(10)} ${nameOf(j.row).slice(0, 62).padEnd(62)} ` +
        `${j.row.on.slice(0, 4)} ${(j.row.ns / 1000).toFixed(1).padStart(8)} ` +
        `${(j.predicted / 1000).toFixed(1).padStart(8)} ${(100 * error(j)).toFixed(0).padStart(5)}% ${j.terms}`,
    )
