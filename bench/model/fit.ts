// In: what was measured. Out: the model's fitted constants, by coordinate descent on the mean absolute logarithm of
// predicted ÷ measured over the calibration families alone. Usage: npx tsx bench/model/fit.ts MEASURED.json CACHE
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { gpu } from '../../src/gpus/index.ts'
import { constants, predict, type PredictInput } from '../../src/model/index.ts'
import { calibration, type Point } from './points.ts'
import { nameOf } from './dataset.ts'

interface Row {
  readonly family: string
  readonly kernel: string
  readonly overrides: Point['overrides']
  readonly grid: Point['grid']
  readonly on: string
  readonly ns: number
}
const [measuredFile = '', cacheFile = ''] = process.argv.slice(2)
const inputs = deserialize(readFileSync(cacheFile)) as Map<string, PredictInput>
const rows = (JSON.parse(readFileSync(measuredFile, 'utf8')) as { readonly rows: readonly Row[] }).rows.filter(
  (r) => calibration.has(r.family) && r.on !== 'webgpu' && inputs.has(nameOf(r)),
)
const profile = gpu('h200')

function loss(): number {
  let sum = 0
  for (const r of rows) {
    const p = predict({ ...inputs.get(nameOf(r))!, profile, api: r.on === 'cuda' ? 'cuda' : 'webgpu' })
    sum += Math.min(0.7, Math.abs(Math.log(p.ns / r.ns)))
  }
  return sum / rows.length
}

const free = constants as Record<string, number>
let best = loss()
console.log('start', best.toFixed(4))
for (let round = 0, step = 0.2; round < 5; round++, step /= 1.7) {
  for (const key of Object.keys(free)) {
    for (const factor of [1 + step, 1 / (1 + step)]) {
      const before = free[key]!
      free[key] = before * factor
      const now = loss()
      if (now < best) best = now
      else free[key] = before
    }
  }
  console.log(round, best.toFixed(4), JSON.stringify(free))
}
