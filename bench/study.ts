// Every experiment of the study, predicted and measured on the GPU at hand, as one JSON file with its provenance. One
// bundle, npm `webgpu` beside it; `npm run build` must have run:
//   npx esbuild bench/study.ts --bundle --platform=node --format=esm --target=es2022 --external:webgpu
// --outfile=out/study.mjs
//   node out/study.mjs OUT.json [NAME…]       (LIMIT_S: seconds to start experiments in, 540; GPU: profiles to predict
// for, gt200,h200)
// PREDICTED=FILE: predictions are in that file, so that a lent device is not held while they are made; without a device
// (PREDICT set) that file is what is written.
// Written after every experiment, so that what is measured is not lost. Times are WebGPU's, with robustness on, as in
// browsers.
import { readFileSync, writeFileSync } from 'node:fs'
import { gpu } from '../src/gpus/index.ts'
import type { StudyReport } from '../src/ir/index.ts'
import { experimentNamed, experiments, measureStudy, runStudy } from '../src/study/index.ts'
import { openMeasurer } from '../src/tune/index.ts'
import { secondsFrom } from './arguments.ts'

const [out = 'study.json', ...names] = process.argv.slice(2)
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 540) * 1000
const gpus = (process.env['GPU'] ?? 'gt200,h200').split(',').map(gpu)
const device = process.env['PREDICT'] === undefined ? await openMeasurer('webgpu') : null
const made = process.env['PREDICTED']
const predicted =
  made === undefined ? [] : (JSON.parse(readFileSync(made, 'utf8')) as { readonly reports: StudyReport[] }).reports
const reports: StudyReport[] = []
for (const e of names.length > 0 ? names.map(experimentNamed) : experiments) {
  if (Date.now() > deadline) {
    console.log(`${e.name}: no time left`)
    continue
  }
  const started = Date.now()
  const report = predicted.find((r) => r.name === e.name) ?? runStudy(e, { gpus })
  reports.push(device ? await measureStudy(e, report, device) : report)
  const provenance = {
    device: device?.name ?? 'none',
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    api: 'WebGPU through Dawn',
    protocol: 'median of 9 samples of at least 3 ms after warming up; timestamps of the device',
  }
  writeFileSync(out, `${JSON.stringify({ provenance, reports }, null, 1)}\n`)
  console.log(`${e.name} ${((Date.now() - started) / 1000).toFixed(1)} s`)
}
device?.close()
process.exit(0)
