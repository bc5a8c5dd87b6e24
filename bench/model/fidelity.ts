// In: the committed readings. Out: `docs/fidelity.md` with its plots, `bench/data/h200-predictions.json` (every prediction
// beside its measurement) and `src/model/fidelity.ts` (the error that reports print). All figures come from here.
// Usage: npx tsx bench/model/fidelity.ts [CACHE]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { explain } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { constants, predict, type PredictInput } from '../../src/model/index.ts'
import { inputOf } from './dataset.ts'
import { caseOf, nameOf } from './kernel.ts'
import { ladders } from './ladders.ts'
import { pairs, pointNamed } from './pairs.ts'
import { calibration, points, type Point } from './points.ts'
import { kendall, mape, mean, scatter, table, type Judged } from './statistics.ts'
import { sweep } from './sweep.ts'

const root = join(import.meta.dirname ?? '.', '../..')
const profile = gpu('h200')
interface Row extends Point { readonly on: 'webgpu' | 'webgpu-robust' | 'cuda'; readonly ns: number }
const { rows } = JSON.parse(readFileSync(join(root, 'bench/data/h200-points.json'), 'utf8')) as { readonly rows: readonly Row[] }

const cacheFile = process.argv[2]
const inputs = cacheFile && existsSync(cacheFile) ? (deserialize(readFileSync(cacheFile)) as Map<string, PredictInput>) : new Map<string, PredictInput>()
for (const p of points) if (!inputs.has(nameOf(p))) inputs.set(nameOf(p), inputOf(p))
if (cacheFile) writeFileSync(cacheFile, serialize(inputs))

const predictedNs = (row: Row): number => predict({ ...inputs.get(nameOf(row))!, profile, api: row.on === 'cuda' ? 'cuda' : 'webgpu' }).ns
const judged = rows.filter((r) => r.on !== 'webgpu').map((r): Judged => ({ family: r.family, name: nameOf(r), on: r.on, ns: r.ns, predicted: predictedNs(r) }))
const fitted = judged.filter((j) => calibration.has(j.family)), held = judged.filter((j) => !calibration.has(j.family))
const rungs = (await ladders()).map((r): Judged => ({ family: r.family, name: r.name, on: r.on, ns: r.ns, predicted: r.predicted }))
const products = await sweep(4)

const heldFamilies = [...new Set(held.map((j) => j.family))]
const worst = heldFamilies.map((f) => ({ f, error: mape(held.filter((j) => j.family === f)) })).reduce((a, b) => (b.error > a.error ? b : a))

interface PairRow { readonly rule: string; readonly fix: string; readonly name: string; readonly said: number | null; readonly model: number; readonly measured: number }
function pairRow(p: (typeof pairs)[number]): PairRow {
  const [before, after] = [p.before, p.after].map((n) => judged.find((j) => j.name === n && j.on === 'webgpu-robust'))
  if (!before || !after) throw new Error(`no readings of '${p.before}' and '${p.after}'`)
  const { text, point } = caseOf(pointNamed(points, nameOf, p.before))
  const buffers = Object.fromEntries(Object.entries(point.buffers ?? {}).map(([name, b]) => [name, { count: b.count, type: 'u32' as const }]))
  const report = explain({ text, file: `${point.kernel}.wgsl` }, { grid: point.grid, buffers }, { gpu: profile })
  const said = Math.max(0, ...report.findings.filter((f) => f.rule === p.rule).map((f) => f.speedup))
  return { rule: p.rule, fix: p.fix, name: p.before, said: said > 0 ? said : null, model: before.predicted / after.predicted, measured: before.ns / after.ns }
}
const fixes = pairs.map(pairRow)

const percent = (x: number): string => `${x.toFixed(1)} %`
const tau = (list: readonly Judged[]): string => kendall(list).toFixed(2)
const byFamily = (list: readonly Judged[]): string => table(['family', 'points', 'mean error', 'bias', 'τ', 'WebGPU', 'CUDA'], [...new Set(list.map((j) => j.family))].map((f) => {
  const l = list.filter((j) => j.family === f)
  const on = (api: string): string => { const x = l.filter((j) => j.on === api); return x.length > 0 ? percent(mape(x)) : '–' }
  return [f, String(l.length), percent(mape(l)), percent(100 * mean(l.map((j) => j.predicted / j.ns - 1))), tau(l), on('webgpu-robust'), on('cuda')]
}))
const times = (x: number | null): string => (x === null ? 'nothing' : `${x.toFixed(2)}×`)

mkdirSync(join(root, 'docs/fidelity'), { recursive: true })
writeFileSync(join(root, 'docs/fidelity/times.svg'), scatter([...fitted.map((j) => ({ ...j, group: 'calibration' })), ...held.map((j) => ({ ...j, group: 'held out' })), ...rungs.map((j) => ({ ...j, group: 'ladders' }))], 'Predicted against measured time, H200'))
writeFileSync(join(root, 'docs/fidelity/sweep.svg'), scatter(products.judged.map((j) => ({ family: 'gemm', name: '', on: 'webgpu', ns: j.ns, predicted: j.predicted, group: 'schedules of one product' })), 'Schedules of a matrix product, n = 4096, H200'))

const { countsSection } = existsSync(join(root, 'bench/truth/section.ts')) ? ((await import('../truth/section.ts' as string)) as { countsSection: () => string }) : { countsSection: () => '' }
const text = `# How far counts and predictions are off

Made by \`npx tsx bench/model/fidelity.ts\` from the readings in \`bench/data\`; do not edit. All readings are from one NVIDIA H200 (driver 580, CUDA 13.0).
The error that \`explain\` and \`optimize\` print beside a prediction is the held-out one of this page.

${countsSection()}
## Occupancy

The driver was asked for the blocks per multiprocessor of 3,553 combinations of registers, block size and shared memory
(\`bench/data/h200-occupancy.json\`, read by \`bench/micro/occupancy.cu\`). A test compares all of them on every run: all are equal.

## Time

${judged.length} launches: kernels of \`examples/catalogue\` at several sizes, as WGSL through Dawn with robustness on, and as CUDA made from the same kernel.
The model's ${Object.keys(constants).length} constants (${Object.entries(constants).map(([k, v]) => `${k} ${v}`).join(', ')}) were fitted on the calibration families alone (\`bench/model/fit.ts\`); all other numbers are measured ones
of the profile. Its rules (what compilers remove, what overlaps) were worked out with the other families in sight, so *held out* means held out from the fit.
Mean error is the mean of |predicted ÷ measured − 1|; τ is Kendall's, over pairs that differ by more than 2 %.

![predicted against measured](fidelity/times.svg)

**Held out: ${percent(mape(held))} over ${held.length} points, τ ${tau(held)}; worst family ${worst.f}, ${percent(worst.error)}.** Calibration: ${percent(mape(fitted))} over ${fitted.length} points, τ ${tau(fitted)}.

### Held-out families

${byFamily(held)}

### Calibration families

${byFamily(fitted)}

### The ladders of the examples

${rungs.length} kernels that \`optimize\` made, measured a day before the model was (\`bench/data/h200-examples.json\`), and looked at only when it stood: the first look gave 17.1 %, and
showed three faults (data read and written counted once, cut traces taken for whole, caches left out for kernels that stage); with those mended **${percent(mape(rungs))}**.

${byFamily(rungs)}

### Order inside a fine space

${products.judged.length} of the 407 schedules of one matrix product (4096³, WGSL, robustness off): mean error ${percent(100 * mean(products.judged.map((j) => Math.abs(j.predicted / j.ns - 1))))}, τ ${products.tau.toFixed(2)}; the schedule that the model puts first reaches ${(100 * products.chosen).toFixed(0)} % of the best.
Most of these lie within 20 % of each other; the order there is decided by what the driver's compiler does with registers, which the model does not know.

![schedules](fidelity/sweep.svg)

## What a fix gains

\`explain\` says what removing a cause would gain. For ${fixes.length} pairs of kernels before and after the fix: what it said, what the model predicts of the two kernels, and what was measured
(WebGPU, robustness on). Where it said *nothing* the finding is missing.

${table(['finding', 'fix', 'before', 'said', 'model', 'measured'], fixes.map((f) => [f.rule, f.fix, f.name, times(f.said), times(f.model), times(f.measured)]))}

Mean |log₂(model ÷ measured)| ${mean(fixes.map((f) => Math.abs(Math.log2(f.model / f.measured)))).toFixed(2)}; of what was said ${mean(fixes.filter((f) => f.said !== null).map((f) => Math.abs(Math.log2(f.said! / f.measured)))).toFixed(2)}. A finding's gain removes that cause and no other, so it is a lower bound where the fix
also saves instructions, and an upper one where the fix adds some.

## Where the model does not know

* Other GPUs: their profiles are read from documents; nothing was measured there, and reports say *not calibrated*.
* Spilled registers: the estimate of registers is within 10 % of \`ptxas\`, and the cliff beyond it is steep.
* Loops whose length depends on data (mandelbrot above): warps are averaged, the slowest decides.
* Compilers that keep values of an inner loop in registers, or do not (svm above): 2 to 20 times.
* Random reads through WebGPU: 65 µs where CUDA takes 30 for the same kernel and data; address translation is not modelled.
* Workgroup arrays of 16 KiB and more under WebGPU's robustness: 2 to 12 times slower than without, and than predicted.
`
writeFileSync(join(root, 'docs/fidelity.md'), text)

const data = { provenance: { 'made by': 'bench/model/fidelity.ts', of: 'bench/data/h200-points.json, webgpu-robust and cuda' }, constants, rows: judged.map((j) => [j.family, j.name, j.on, j.ns, Math.round(j.predicted)]) }
writeFileSync(join(root, 'bench/data/h200-predictions.json'), `${JSON.stringify(data).replace(/\],\[/g, '],\n[')}\n`)
writeFileSync(join(root, 'src/model/fidelity.ts'), `// The model's published error, by GPU. Made by bench/model/fidelity.ts from the readings in bench/data; see docs/fidelity.md.

/** Mean absolute error of predicted times on kernels that the model was not fitted on. */
export interface Fidelity {
  /** Percent. */
  readonly mape: number
  /** Launches measured. */
  readonly kernels: number
}

const known: Readonly<Record<string, Fidelity>> = { h200: { mape: ${mape(held).toFixed(1)}, kernels: ${held.length} } }

/** The error on the GPU of that name; null where nothing was measured. */
export const fidelityOf = (gpu: string): Fidelity | null => known[gpu] ?? null
`)
console.log(`held out ${percent(mape(held))}, calibration ${percent(mape(fitted))}, ladders ${percent(mape(rungs))}, sweep tau ${products.tau.toFixed(2)}`)
