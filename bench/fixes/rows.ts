// Predicted beside measured. In: PREDICTED.json of jobs.ts and ROWS.json of bench/device/sources.ts. Out: a table, and
// the rows of bench/data/h200-fixes.json.
//   npx tsx bench/fixes/rows.ts FOLDER [DEVICE] [DATE]
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FixRow } from '../model/h100.ts'

const [folder = 'out/fixes', device = 'NVIDIA H200', date = ''] = process.argv.slice(2)
const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T

interface Timed {
  readonly name: string
  readonly ns?: number
  readonly spread?: number
  readonly failed?: string
}

const timed = new Map(read<readonly Timed[]>('ROWS.json').map((r) => [r.name, r]))
const rows = read<readonly Omit<FixRow, 'measured'>[]>('PREDICTED.json').flatMap((p) => {
  const pair = ['before', 'after'].map((when) => timed.get(`${p.kernel} ${when}`))
  const measured = pair.flatMap((t) => t?.ns ?? [])
  if (measured.length === 2) return [{ ...p, measured, spread: pair.map((t) => Number((t?.spread ?? 0).toFixed(4))) }]
  console.log(`${p.kernel}: ${pair.map((t) => t?.failed ?? (t ? 'timed' : 'not run')).join(', ')}`)
  return []
})
const gain = ([before = 0, after = 1]: readonly number[]): string => `${(before / after).toFixed(2)}×`
for (const { kernel, predicted, measured } of rows) {
  const us = [...predicted, ...measured].map((ns) => (ns / 1000).toFixed(1).padStart(9))
  console.log(kernel.padEnd(26), us.join(' '), gain(predicted).padStart(8), gain(measured).padStart(8))
}
const off = rows.map((r) => Math.abs(Number.parseFloat(gain(r.predicted)) / Number.parseFloat(gain(r.measured)) - 1))
console.log(`${rows.length} changes; ${off.filter((o) => o <= 0.25).length} gains within 25 % of what was said`)
const provenance = {
  device,
  date,
  what:
    'changes that tesela explain --fix made in the kernels of bench/fixes: predicted nanoseconds of h200 before and ' +
    'after, and measured (median; spread: half the distance of the quartiles)',
  protocol:
    'WGSL through Dawn, robustness on; CUDA from PTX by the driver, launches in a graph, events; ' +
    'repeats of 2 ms, 7 samples at the highest clock',
  'made by': 'bench/fixes/jobs.ts, bench/device/sources.ts, bench/fixes/rows.ts',
}
const lines = rows.map((r) => JSON.stringify(r)).join(',\n')
writeFileSync(
  join(folder, 'h200-fixes.json'),
  `{"provenance": ${JSON.stringify(provenance)}, "rows": [\n${lines}\n]}\n`,
)
