// The best point of all slices, as a job that proves it.
//   node best.mjs work/slice-*.result.json > work/prove.json && tesela job work/prove.json
import { readFileSync } from 'node:fs'

const results = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')))
const best = results.flatMap((r) => r.result.best).sort((a, b) => a.ns - b.ns)[0]
if (!best) throw new Error('no point can run')
const { program, gpu, targets, seed } = results[0].job
console.log(JSON.stringify({ schema: 'tesela.job/1', kind: 'prove', program, gpu, targets, seed, points: [best.point] }))
