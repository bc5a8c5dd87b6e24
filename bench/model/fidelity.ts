// In: the committed readings. Out: `docs/fidelity.md` with its plots, `bench/data/h200-predictions.json` (every
// prediction beside its measurement) and `src/model/fidelity.ts` (the error that reports print). All figures come from
// here. Usage: npx tsx bench/model/fidelity.ts [CACHE]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { explain } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { constants, predict, type PredictInput } from '../../src/model/index.ts'
import { inputOf } from './dataset.ts'
import { h100Sections } from './h100.ts'
import { caseOf, nameOf } from './kernel.ts'
import { ladders } from './ladders.ts'
import { pairs, pointNamed } from './pairs.ts'
import { calibration, points, type Point } from './points.ts'
import { kendall, mape, mean, scatter, table, type Judged } from './statistics.ts'
import { sweep } from './sweep.ts'

const root = join(import.meta.dirname ?? '.', '../..')
const profile = gpu('h200')
interface Row extends Point {
  readonly on: 'webgpu' | 'webgpu-robust' | 'cuda'
  readonly ns: number
}
const { rows } = JSON.parse(readFileSync(join(root, 'bench/data/h200-points.json'), 'utf8')) as {
  readonly rows: readonly Row[]
}

const cacheFile = process.argv[2]
const inputs =
  cacheFile && existsSync(cacheFile)
    ? (deserialize(readFileSync(cacheFile)) as Map<string, PredictInput>)
    : new Map<string, PredictInput>()
for (const p of points) if (!inputs.has(nameOf(p))) inputs.set(nameOf(p), inputOf(p))
if (cacheFile) writeFileSync(cacheFile, serialize(inputs))

const predictedNs = (row: Row): number =>
  predict({ ...inputs.get(nameOf(row))!, profile, api: row.on === 'cuda' ? 'cuda' : 'webgpu' }).ns
const judged = rows
  .filter((r) => r.on !== 'webgpu')
  .map((r): Judged => ({ family: r.family, name: nameOf(r), on: r.on, ns: r.ns, predicted: predictedNs(r) }))
const fitted = judged.filter((j) => calibration.has(j.family)),
  held = judged.filter((j) => !calibration.has(j.family))
const rungs = (await ladders()).map(
  (r): Judged => ({ family: r.family, name: r.name, on: r.on, ns: r.ns, predicted: r.predicted }),
)
const products = await sweep(4)

const heldFamilies = [...new Set(held.map((j) => j.family))]
const worst = heldFamilies
  .map((f) => ({ f, error: mape(held.filter((j) => j.family === f)) }))
  .reduce((a, b) => (b.error > a.error ? b : a))

interface PairRow {
  readonly rule: string
  readonly fix: string
  readonly name: string
  readonly said: number | null
  readonly model: number
  readonly measured: number
}
function pairRow(p: (typeof pairs)[number]): PairRow {
  const [before, after] = [p.before, p.after].map((n) => judged.find((j) => j.name === n && j.on === 'webgpu-robust'))
  if (!before || !after) throw new Error(`no readings of '${p.before}' and '${p.after}'`)
  const { text, point } = caseOf(pointNamed(points, nameOf, p.before))
  const buffers = Object.fromEntries(
    Object.entries(point.buffers ?? {}).map(([name, b]) => [
      name,
      { count: b.count, type: 'u32' as const, ...(b.fill && { fill: b.fill }) },
    ]),
  )
  const report = explain({ text, file: `${point.kernel}.wgsl` }, { grid: point.grid, buffers }, { gpu: profile })
  const said = Math.max(0, ...report.findings.filter((f) => f.rule === p.rule).map((f) => f.speedup))
  return {
    rule: p.rule,
    fix: p.fix,
    name: p.before,
    said: said > 0 ? said : null,
    model: before.predicted / after.predicted,
    measured: before.ns / after.ns,
  }
}
const fixes = pairs.map(pairRow)

/** Robust ÷ not, by family: median and worst. */
const robustness = [...new Set(rows.map((r) => r.family))].map((family) => {
  const ratios = rows
    .filter((r) => r.family === family && r.on === 'webgpu-robust')
    .flatMap((r) => {
      const off = rows.find((x) => x.on === 'webgpu' && nameOf(x) === nameOf(r))
      return off ? [{ ratio: r.ns / off.ns, name: nameOf(r) }] : []
    })
    .sort((a, b) => a.ratio - b.ratio)
  const worst = ratios[ratios.length - 1]
  return [
    family,
    `${ratios[Math.floor(ratios.length / 2)]?.ratio.toFixed(2)}×`,
    `${worst?.ratio.toFixed(2)}× (${worst?.name})`,
  ]
})

const micro = new Map(
  (
    JSON.parse(readFileSync(join(root, 'bench/data/h200-micro.json'), 'utf8')) as {
      readonly rows: readonly (readonly [string, number, string])[]
    }
  ).rows.map(([name, value]) => [name, value]),
)
const told = (name: string, digits = 0): string => {
  const v = micro.get(name)
  if (v === undefined) throw new Error(`no reading '${name}'`)
  return v.toFixed(digits)
}

const thousandth = (name: string, digits: number): string => (Number(told(name, 6)) / 1000).toFixed(digits)

const percent = (x: number): string => `${x.toFixed(1)} %`
const tau = (list: readonly Judged[]): string => kendall(list).toFixed(2)
const byFamily = (list: readonly Judged[]): string =>
  table(
    ['family', 'points', 'mean error', 'bias', 'τ', 'WebGPU', 'CUDA'],
    [...new Set(list.map((j) => j.family))].map((f) => {
      const l = list.filter((j) => j.family === f)
      const on = (api: string): string => {
        const x = l.filter((j) => j.on === api)
        return x.length > 0 ? percent(mape(x)) : '–'
      }
      return [
        f,
        String(l.length),
        percent(mape(l)),
        percent(100 * mean(l.map((j) => j.predicted / j.ns - 1))),
        tau(l),
        on('webgpu-robust'),
        on('cuda'),
      ]
    }),
  )
/** Mean |log₂| of ratios. */
const offBy = (ratios: readonly number[]): string => mean(ratios.map((x) => Math.abs(Math.log2(x)))).toFixed(2)
const times = (x: number | null): string => (x === null ? 'nothing' : `${x.toFixed(2)}×`)

mkdirSync(join(root, 'docs/fidelity'), { recursive: true })
writeFileSync(
  join(root, 'docs/fidelity/times.svg'),
  scatter(
    [
      ...fitted.map((j) => ({ ...j, group: 'calibration' })),
      ...held.map((j) => ({ ...j, group: 'held out' })),
      ...rungs.map((j) => ({ ...j, group: 'ladders' })),
    ],
    'Predicted against measured time, H200',
  ),
)
writeFileSync(
  join(root, 'docs/fidelity/sweep.svg'),
  scatter(
    products.judged.map((j) => ({
      family: 'gemm',
      name: '',
      on: 'webgpu',
      ns: j.ns,
      predicted: j.predicted,
      group: 'schedules of one product',
    })),
    'Schedules of a matrix product, n = 4096, H200',
  ),
)

const { countsSection } = existsSync(join(root, 'bench/truth/section.ts'))
  ? ((await import('../truth/section.ts' as string)) as { countsSection: () => string })
  : { countsSection: () => '' }
const text = `# How far counts and predictions are off

Made by \`npx tsx bench/model/fidelity.ts\` from the readings in \`bench/data\`; do not edit. All readings are from \
one NVIDIA H200 (driver 580, CUDA 13.0).
The error that \`explain\` and \`optimize\` print beside a prediction is the held-out one of this page.

${countsSection()}
## Occupancy

The driver was asked for the blocks per multiprocessor of 3,553 combinations of registers, block size and shared memory
(\`bench/data/h200-occupancy.json\`, read by \`bench/micro/occupancy.cu\`). A test compares all of them on every \
run: all are equal.

## Time

${judged.length} launches: kernels of \`examples/catalogue\` at several sizes, as WGSL through Dawn with robustness \
on, and as CUDA made from the same kernel.
The model's ${Object.keys(constants).length} constants (${Object.entries(constants)
  .map(([k, v]) => `${k} ${v}`)
  .join(
    ', ',
  )}) were fitted on the calibration families alone (\`bench/model/fit.ts\`); all other numbers are measured ones
of the profile. Its rules (what compilers remove, what overlaps) were worked out with the other families in sight, \
so *held out* means held out from the fit.
Mean error is the mean of |predicted ÷ measured − 1|; τ is Kendall's, over pairs that differ by more than 2 %.

![predicted against measured](fidelity/times.svg)

**Held out: ${percent(mape(held))} over ${held.length} points, τ ${tau(held)}; worst family ${worst.f}, \
${percent(worst.error)}.** Calibration: ${percent(mape(fitted))} over ${fitted.length} points, τ ${tau(fitted)}.

### Held-out families

${byFamily(held)}

### Calibration families

${byFamily(fitted)}

### The ladders of the examples

${rungs.length} kernels that \`optimize\` made, measured a day before the model was \
(\`bench/data/h200-examples.json\`), and looked at only when it stood: the first look gave 17.1 %, and
showed three faults (data read and written counted once, cut traces taken for whole, caches left out for kernels \
that stage); with those mended **${percent(mape(rungs))}**.

${byFamily(rungs)}

### Order inside a fine space

${products.judged.length} of the 407 schedules of one matrix product (4096³, WGSL, robustness off): mean error \
${percent(100 * mean(products.judged.map((j) => Math.abs(j.predicted / j.ns - 1))))}, τ ${products.tau.toFixed(2)}; \
the schedule that the model puts first reaches ${(100 * products.chosen).toFixed(0)} % of the best.
What orders them: how many workgroups fit into the 48 KiB of workgroup memory that WebGPU has on a multiprocessor, \
how little the parts of the machine overlap when few warps are in flight, and spilled registers. Most of the rest \
lie within 20 % of each other.

![schedules](fidelity/sweep.svg)

## What a fix gains

\`explain\` says what removing a cause would gain. For ${fixes.length} pairs of kernels before and after the fix: \
what it said, what the model predicts of the two kernels, and what was measured
(WebGPU, robustness on). Where it said *nothing* the finding is missing.

${table(
  ['finding', 'fix', 'before', 'said', 'model', 'measured'],
  fixes.map((f) => [f.rule, f.fix, f.name, times(f.said), times(f.model), times(f.measured)]),
)}

Mean |log₂(model ÷ measured)| ${offBy(fixes.map((f) => f.model / f.measured))}; of \
what was said ${offBy(fixes.flatMap((f) => (f.said === null ? [] : [f.said / f.measured])))}. \
A finding's gain removes that cause and no other, so it is a lower bound where the fix
also saves instructions, and an upper one where the fix adds some.

${h100Sections()}
## What the chip told

Rules and numbers that were recalled or inferred from documents, and what \`bench/micro/micro.cu\` read on the H200 \
(all readings: \`bench/data/h200-micro.json\`).

${table(
  ['matter', 'before', 'measured'],
  [
    [
      'L1 hit, pointer chase',
      '34 to 41 clocks',
      `${told('latency.ldca/16384')} clocks; half of the loads still hit at 224 KiB`,
    ],
    [
      'L2, pointer chase',
      '266 near, 403 to 484 far',
      `${told('latency.ldcg/16777216')} up to 24 MiB, ${told('latency.ldcg/41943040')} at 40 MiB`,
    ],
    ['DRAM, pointer chase', '650', `${told('latency.ldcg/2147483648')}`],
    ['shared memory', '29', told('latency.shared')],
    [
      'passes of L1 tags',
      '0.6 + lines ÷ 4',
      'lines ÷ 4, rounded up; the time of a hit is the larger of tag and data passes',
    ],
    [
      'shared loads and stores of 8 and 16 bytes',
      'groups of 16 and 8 lanes, merged where pairs are equal (recalled for cc 7)',
      'the same: tests compare every stride',
    ],
    ['DRAM moves at least', '32 bytes', '64 bytes: strides of 32 and 64 bytes differ by two'],
    [
      'DRAM read, copy, write',
      '4.17 TB/s copied',
      `${['read', 'copy', 'write'].map((way) => told(`bandwidth.${way}/1073741824`)).join(', ')} GB/s`,
    ],
    [
      'L2 read',
      '37 bytes a clock and multiprocessor',
      `${told('bandwidth.read/50331648')} GB/s of 48 MiB (32.6); gone at 64 MiB`,
    ],
    ['integer adds', '64 a clock', 'they run beside logic and shifts (64 a clock) and cost those nothing'],
    [
      'division, square root in full precision',
      'not known',
      `${told('rate.op/fdiv', 1)} and ${told('rate.op/sqrtf', 1)} lanes a clock; ` +
        `integer division ${told('rate.op/idiv', 1)}`,
    ],
    [
      'float atomics on one address',
      'one per 3.1 to 3.5 clocks',
      `${told('atomic.f32.spread/1', 2)} per ns: one per 3.5 clocks; integers ${told('atomic.u32.spread/1', 2)}`,
    ],
    [
      'a block barrier',
      'recalled 30 clocks',
      `${told('barrier/32', 1)} for one warp, 2 more for each: ${told('barrier/1024', 1)} for 32`,
    ],
    ['starting blocks', 'not known', '0.604 ns a block on the whole GPU: 2²⁰ empty blocks take 0.63 ms'],
    [
      'launches',
      '2.5 µs',
      `${thousandth('launch.empty/132', 1)} µs in a stream, ${thousandth('launch.graph/132', 2)} in a graph; ` +
        `a WebGPU dispatch adds 1.8 µs to its work`,
    ],
  ],
)}

## What robustness costs

WebGPU checks bounds (robustness), as browsers do; the same launches without, by family: time with ÷ time without.

${table(['family', 'median', 'worst'], robustness)}

## Where the model does not know

* Other GPUs: their profiles are read from documents; nothing was measured there, and reports say *not calibrated*.
* Spilled registers: the estimate of registers is within 10 % of \`ptxas\`, and the cliff beyond it is steep.
* Loops whose length depends on data (mandelbrot above): warps are averaged, the slowest decides.
* How many loads a compiler keeps under way: svm from memory takes 1.7 times as long under WebGPU as predicted. \
CUDA reads arrays that WGSL has in uniform memory like others, which is predicted 1.6 to 3 times too quick.
* Random reads through WebGPU: 65 µs where CUDA takes 30 for the same kernel and data; address translation is not \
modelled.
* Workgroup arrays of 16 KiB and more under WebGPU's robustness: 2 to 12 times slower than without, and than predicted.
`
writeFileSync(join(root, 'docs/fidelity.md'), text)

const data = {
  provenance: { 'made by': 'bench/model/fidelity.ts', of: 'bench/data/h200-points.json, webgpu-robust and cuda' },
  constants,
  rows: judged.map((j) => [j.family, j.name, j.on, j.ns, Math.round(j.predicted)]),
}
writeFileSync(join(root, 'bench/data/h200-predictions.json'), `${JSON.stringify(data).replace(/\],\[/g, '],\n[')}\n`)
writeFileSync(
  join(root, 'src/model/fidelity.ts'),
  `// The model's published error, by GPU. Made by bench/model/fidelity.ts from the readings in bench/data; see
// docs/fidelity.md.

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
`,
)
console.log(
  `held out ${percent(mape(held))}, calibration ${percent(mape(fitted))}, ladders ${percent(mape(rungs))}, ` +
    `sweep tau ${products.tau.toFixed(2)}`,
)
