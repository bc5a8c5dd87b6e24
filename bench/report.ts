// Makes docs/performance.md from the committed readings in bench/data: the best kernel of each example per target, next
// to the vendor's library in the same run and to what the work needs at least; the library's operations; whole programs
// next to PPCG. Usage: npx tsx bench/report.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Row {
  readonly file: string
  readonly defines: Readonly<Record<string, string>>
  readonly on: string
  readonly points: unknown
  readonly ns: number
  readonly spread: number
  readonly error: number
}
interface Data {
  readonly provenance: Readonly<Record<string, string>>
  readonly vendor: Readonly<Record<string, number>>
  readonly rows: readonly Row[]
}
interface Library {
  readonly provenance: Readonly<Record<string, string>>
  readonly vendor: Readonly<Record<string, number>>
  readonly rows: readonly { readonly work: string; readonly rate: string; readonly us: number }[]
  /** Microseconds without bounds checks. */
  readonly unchecked: Readonly<Record<string, number>>
  /** Works on matrix units: without them. */
  readonly lanes: Readonly<Record<string, number>>
}
type PeerTimes = Readonly<Record<string, { readonly us: number | null; readonly why?: string }>>
interface Peers {
  readonly provenance: Readonly<Record<string, string>>
  readonly names: Readonly<Record<string, string>>
  readonly times: Readonly<Record<string, PeerTimes>>
}
interface Programs {
  readonly provenance: Readonly<Record<string, string>>
  readonly ppcg: Readonly<Record<string, number>>
  readonly rows: readonly {
    readonly name: string
    readonly on: string
    readonly ms: number
    readonly launches: number
  }[]
}
interface Sweep {
  readonly provenance: Readonly<Record<string, string>>
  readonly columns: readonly string[]
  readonly rows: readonly (readonly number[])[]
}

const here = import.meta.dirname ?? '.'
const data = JSON.parse(readFileSync(join(here, 'data/h200-examples.json'), 'utf8')) as Data
const library = JSON.parse(readFileSync(join(here, 'data/h200-library.json'), 'utf8')) as Library
const convolutions = JSON.parse(readFileSync(join(here, 'data/h200-convolutions.json'), 'utf8')) as {
  readonly provenance: Readonly<Record<string, string>>
  readonly programs: Readonly<
    Record<
      string,
      {
        readonly what: string
        readonly cuda: { readonly ms: number; readonly predictedMsH200: number }
        readonly webgpu: { readonly ms: number }
        readonly pytorchMs: number
      }
    >
  >
}
const rowsOfAnyStep = JSON.parse(readFileSync(join(here, 'data/h200-rows.json'), 'utf8')) as {
  readonly provenance: Readonly<Record<string, string>>
  readonly programs: Readonly<
    Record<
      string,
      { readonly cudaUs: number; readonly webgpuUs?: number; readonly predictedUs: number; readonly bytes: number }
    >
  >
}
interface Problem {
  readonly us: number
  readonly pytorchUs: number
  readonly torchCompileUs?: number
  readonly worst: number
}
const kernelBench = JSON.parse(readFileSync(join(here, 'data/h200-kernelbench-levels.json'), 'utf8')) as {
  readonly provenance: Readonly<Record<string, string>>
  readonly programs: Readonly<Record<string, Problem>>
}
/** Dropout is random there, so that nothing says whether the result is right. */
const withoutReference = ['level2/066-linear-dropout-softmax']
const problemsOf = (level: string): readonly { name: string; ratio: number; compiled: number; worst: number }[] =>
  Object.entries(kernelBench.programs)
    .filter(([name]) => name.startsWith(level) && !withoutReference.includes(name))
    .map(([name, r]) => ({
      name: name.slice(level.length),
      ratio: r.pytorchUs / r.us,
      compiled: (r.torchCompileUs ?? NaN) / r.us,
      worst: r.worst,
    }))
    .sort((a, b) => a.ratio - b.ratio)
function levelLine(level: 'level1/' | 'level2/'): string {
  const all = problemsOf(level),
    share = (least: number): string =>
      `${Math.round((100 * all.filter((x) => x.ratio >= least).length) / all.length)} %`,
    named = (some: typeof all): string => some.map((x) => `${x.name} (${x.ratio.toFixed(2)})`).join(', '),
    compiled = all.filter((x) => !Number.isNaN(x.compiled)),
    beyond = all.filter((x) => x.worst > 1).map((x) => `${x.name} by ${Math.round(100 * (x.worst - 1))} %`)
  return [
    `${all.length} problems of ${level.slice(0, -1)}: PyTorch eager's time ÷ ours`,
    `${geometric(all.map((x) => x.ratio))}`,
    `(geometric mean), at least 1 in ${share(1)}, at least 0.9 in ${share(0.9)} of them;`,
    ...(compiled.length === 0 ? [] : [`\`torch.compile\`'s ${geometric(compiled.map((x) => x.compiled))};`]),
    `below 0.7 of eager: ${named(all.filter((x) => x.ratio < 0.7))}; most: ${named(all.slice(-4).reverse())}.`,
    beyond.length === 0 ? 'All are right.' : `All are right but ${beyond.join(', ')} beyond the tolerance.`,
  ].join(' ')
}
const patches = JSON.parse(readFileSync(join(here, 'data/h100-direct-convolutions.json'), 'utf8')) as {
  readonly provenance: Readonly<Record<string, string>>
  readonly programs: Readonly<
    Record<
      string,
      {
        readonly work: string
        readonly tilesUs: number
        readonly points: Readonly<Record<string, readonly [us: number, predicted: number]>>
      }
    >
  >
}
const patchLine = ({ work, tilesUs, points }: (typeof patches.programs)[string]): string => {
  const [point, [us, predicted]] = Object.entries(points).sort(([, a], [, b]) => a[0] - b[0])[0]! // it has points
  return `| ${work} | ${tilesUs} | ${us} | ${(tilesUs / us).toFixed(2)}× | ${predicted} | ${point} |`
}
const peers = JSON.parse(readFileSync(join(here, 'data/h200-peers.json'), 'utf8')) as Peers
interface SmallRow {
  readonly name: string
  readonly launches: number
  readonly kernels: number
  readonly seconds: number
  readonly error: number
  readonly gcc: number
  readonly verdict?: string
}
const small = JSON.parse(readFileSync(join(here, 'data/polybench-small.json'), 'utf8')) as {
  readonly provenance: Readonly<Record<string, string>>
  readonly float: readonly SmallRow[]
  readonly double: readonly SmallRow[]
}
interface Large {
  readonly provenance: Readonly<Record<string, string>>
  readonly rows: readonly {
    readonly name: string
    readonly on: string
    readonly ms: number
    readonly error: number
    readonly gcc: number
  }[]
}
const large = JSON.parse(readFileSync(join(here, 'data/h200-polybench-large.json'), 'utf8')) as Large
const programs = JSON.parse(readFileSync(join(here, 'data/h200-polybench.json'), 'utf8')) as Programs
const resident = JSON.parse(readFileSync(join(here, 'data/h200-resident.json'), 'utf8')) as {
  readonly rows: readonly (readonly [number, number, number])[]
}
interface Everyday {
  readonly provenance: Readonly<Record<string, string>>
  readonly copy: number
  readonly rows: readonly {
    readonly name: string
    readonly launches: number
    readonly bytes: number
    readonly predicted: number
    readonly cuda: number | null
    readonly webgpu: number | null
  }[]
}
const everyday = JSON.parse(readFileSync(join(here, 'data/h200-everyday.json'), 'utf8')) as Everyday
interface Tuning {
  readonly provenance: Readonly<Record<'date' | 'what', string> & Record<'seconds' | 'choices' | 'left', number>>
  readonly rows: readonly {
    readonly case: string
    readonly tunedNs: number
    readonly shippedNs: number
    readonly tuned: string
    readonly shipped: string
  }[]
}
const tuning = JSON.parse(readFileSync(join(here, 'data/h200-tune.json'), 'utf8')) as Tuning
const products = JSON.parse(readFileSync(join(here, 'data/h200-products.json'), 'utf8')) as Products
const sweep = JSON.parse(readFileSync(join(here, 'data/h200-gemm-sweep.json'), 'utf8')) as Sweep

interface Products {
  readonly provenance: Readonly<Record<string, string>>
  /** Nanoseconds of cuBLAS. */
  readonly vendor: Readonly<Record<string, number>>
  /** Programs: what of the vendor's products they are, and milliseconds on each target. */
  readonly programs: Readonly<
    Record<
      string,
      {
        readonly of: readonly (readonly [product: string, part: number])[]
        readonly cuda: number | null
        readonly webgpu: number | null
      }
    >
  >
  readonly rows: readonly unknown[]
}

/** Work of an example: floating-point operations, or bytes that must move, and the vendor's row. */
interface Work {
  readonly name: string
  readonly file: string
  readonly K?: string
  readonly flop?: number
  readonly bytes?: number
  readonly vendor?: string
}

const n3 = 2 * 4096 ** 3,
  mat = 4 * 4096 ** 2,
  big = 4 * 2 ** 27
const works: readonly Work[] = [
  { name: 'gemm 4096³', file: 'gemm', flop: n3, vendor: 'gemm 4096' },
  { name: 'gemm, second factor transposed', file: 'gemm-nt', flop: n3, vendor: 'gemm-nt 4096' },
  { name: 'gemm, first factor transposed', file: 'gemm-tn', flop: n3, vendor: 'gemm-tn 4096' },
  { name: 'gemm, both transposed', file: 'gemm-tt', flop: n3, vendor: 'gemm-tt 4096' },
  { name: 'batched gemm 512 × 256³', file: 'batched-gemm', flop: 512 * 2 * 256 ** 3, vendor: 'batched-gemm' },
  { name: 'trmm 4096 (work that is needed)', file: 'trmm', flop: n3 / 2 },
  { name: 'transpose 8192²', file: 'transpose', bytes: 8 * 8192 ** 2, vendor: 'transpose 8192' },
  { name: 'conv2d 4096², 3 × 3', file: 'conv2d', K: '3', flop: 2 * 9 * 4096 ** 2, vendor: 'conv2d 3' },
  { name: 'conv2d 4096², 7 × 7', file: 'conv2d', K: '7', flop: 2 * 49 * 4096 ** 2, vendor: 'conv2d 7' },
  { name: 'conv2d 4096², 17 × 17', file: 'conv2d', K: '17', flop: 2 * 289 * 4096 ** 2, vendor: 'conv2d 17' },
  { name: 'separable 4096², 17 taps, two passes', file: 'separable', bytes: 4 * mat, vendor: 'separable 17' },
  { name: 'jacobi2d 4096², one sweep', file: 'jacobi2d', bytes: 2 * mat },
  { name: 'sum of 2²⁷', file: 'sum', bytes: big, vendor: 'sum 2^27' },
  { name: 'max of 2²⁷', file: 'max', bytes: big, vendor: 'max 2^27' },
  { name: 'dot of 2²⁷', file: 'dot', bytes: 2 * big, vendor: 'dot 2^27' },
  { name: 'saxpy of 2²⁷', file: 'saxpy', bytes: 3 * big, vendor: 'saxpy 2^27' },
  { name: 'rowsum 16384²', file: 'rowsum', bytes: 4 * 16384 ** 2, vendor: 'rowsum 16384' },
  { name: 'colsum 16384²', file: 'colsum', bytes: 4 * 16384 ** 2, vendor: 'colsum 16384' },
  { name: 'gemv 8192², α A x + β y', file: 'gemv', bytes: 4 * 8192 ** 2 },
]

function fastest(w: Work, on: string): Row | undefined {
  const rows = data.rows.filter(
    (r) => r.file === w.file && r.on === on && (w.K === undefined || r.defines['K'] === w.K),
  )
  return rows.reduce<Row | undefined>((a, b) => (a === undefined || b.ns < a.ns ? b : a), undefined)
}

const micros = (ns: number | undefined): string =>
  ns === undefined ? '–' : ns >= 1e6 ? `${(ns / 1e6).toFixed(2)} ms` : `${(ns / 1e3).toFixed(1)} µs`
const rate = (w: Work, ns: number): string =>
  w.flop ? `${(w.flop / ns / 1e3).toFixed(1)} TFLOP/s` : `${((w.bytes ?? 0) / ns / 1e3).toFixed(2)} TB/s`

function line(w: Work): string {
  const [fast, robust, cuda] = ['webgpu', 'webgpu-robust', 'cuda'].map((on) => fastest(w, on))
  const vendor = w.vendor === undefined ? undefined : data.vendor[w.vendor]
  const ratio = (r: Row | undefined): string => (r && vendor ? `${(vendor / r.ns).toFixed(2)}×` : '–')
  return (
    `| ${w.name} | ${micros(fast?.ns)} | ${micros(robust?.ns)} | ${micros(cuda?.ns)} | ${micros(vendor)} | ` +
    `${ratio(fast)} | ${ratio(cuda)} | ${fast ? rate(w, fast.ns) : '–'} |`
  )
}

const geometric = (list: readonly number[]): string =>
  Math.exp(list.reduce((sum, x) => sum + Math.log(x), 0) / list.length).toFixed(2)

const compared = library.rows.flatMap((r) =>
  library.vendor[r.work] === undefined ? [] : [{ work: r.work, ratio: library.vendor[r.work]! / r.us }],
)
const below = compared.filter((r) => r.ratio < 0.9).sort((a, b) => a.ratio - b.ratio)
const libraryLine = ({ work, rate: r, us }: Library['rows'][number]): string =>
  `| ${work} | ${us} | ${r} | ` +
  `${library.vendor[work] === undefined ? '–' : `${(library.vendor[work]! / us).toFixed(2)}×`} | ` +
  `${library.lanes[work] ?? '–'} | ${library.unchecked[work] ?? '–'} |`

const others = Object.keys(peers.names)
const peerWorks = Object.keys(peers.times['tesela'] ?? {})
const peerUs = (who: string, work: string): number | undefined => peers.times[who]?.[work]?.us ?? undefined
/** How many times as fast as the fastest of the others. */
const lead = (work: string): number | undefined => {
  const own = peerUs('tesela', work),
    best = Math.min(...others.flatMap((who) => peerUs(who, work) ?? []))
  return own === undefined || best === Infinity ? undefined : best / own
}
const leads = peerWorks.flatMap((w) => lead(w) ?? [])
const peerLine = (work: string): string => {
  const us = ['tesela', ...others].map((who) => peerUs(who, work) ?? (peers.times[who]?.[work] ? 'fails' : '–'))
  const ahead = lead(work)
  return `| ${work} | ${us.join(' | ')} | ${ahead === undefined ? '–' : `${ahead.toFixed(1)}×`} |`
}

const programNames = [...new Set(programs.rows.map((r) => r.name))].sort()
const programMs = (name: string, on: string): number | undefined =>
  programs.rows.find((r) => r.name === name && r.on === on)?.ms
const bestMs = (name: string): number => Math.min(...programs.rows.filter((r) => r.name === name).map((r) => r.ms))
const withPpcg = programNames.filter((n) => programs.ppcg[n] !== undefined)
/** How far the prediction is from the reading on WebGPU, as a factor from 1. */
const ratios = everyday.rows.flatMap((r) =>
  r.webgpu === null ? [] : [Math.max(r.predicted / r.webgpu, r.webgpu / r.predicted)],
)

const shortMicros = (us: number | null): string => (us === null ? '–' : us >= 1000 ? us.toFixed(0) : us.toFixed(1))
const everydayLine = (r: Everyday['rows'][number]): string =>
  `| ${r.name} | ${r.launches} | ${shortMicros(r.bytes / everyday.copy / 1e6)} | ${shortMicros(r.predicted)} ` +
  `| ${shortMicros(r.cuda)} | ${shortMicros(r.webgpu)} |`

function smallLine(r: SmallRow): string {
  const double = small.double.find((d) => d.name === r.name)
  return (
    `| ${r.name} | ${r.launches} | ${r.kernels} | ${r.seconds.toFixed(1)} | ${r.error.toExponential(1)} | ` +
    `${r.gcc.toExponential(1)} | ${double?.error.toExponential(1) ?? '–'} | ${double?.gcc.toExponential(1) ?? '–'} |`
  )
}

function largeLine(name: string): string {
  const on = (target: string): Large['rows'][number] | undefined =>
    large.rows.find((r) => r.name === name && r.on === target)
  const [cuda, webgpu] = [on('cuda'), on('webgpu')]
  const error = (x: number | undefined): string => x?.toExponential(1) ?? '–'
  return (
    `| ${name} | ${cuda?.ms.toPrecision(4) ?? '–'} | ${webgpu?.ms.toPrecision(4) ?? '–'} | ` +
    `${error(cuda?.error)} | ${error(webgpu?.error)} | ${error((cuda ?? webgpu)?.gcc)} |`
  )
}

const programLine = (name: string): string => {
  const ppcg = programs.ppcg[name]
  // it has a row
  return (
    `| ${name} | ${programs.rows.find((r) => r.name === name)!.launches} | ${programMs(name, 'cuda') ?? '–'} | ` +
    `${programMs(name, 'webgpu') ?? '–'} | ${ppcg ?? '–'} | ` +
    `${ppcg === undefined ? '–' : `${(ppcg / bestMs(name)).toFixed(ppcg / bestMs(name) < 10 ? 1 : 0)}×`} |`
  )
}

const productLine = ([name, { of, cuda, webgpu }]: [string, Products['programs'][string]]): string => {
  // the data hold the vendor's time of each
  const vendor = of.reduce((ms, [product, part]) => ms + (products.vendor[product]! * part) / 1e6, 0)
  const own = [cuda, webgpu].map((ms) => (ms === null ? '– | –' : `${ms.toFixed(3)} | ${(vendor / ms).toFixed(2)}×`))
  return `| ${name} | ${vendor.toFixed(3)} | ${own.join(' | ')} |`
}

const tuningLine = (r: (typeof tuning.rows)[number]): string => {
  const times = `${(r.tunedNs / 1000).toFixed(1)} | ${(r.shippedNs / 1000).toFixed(1)}`
  return `| ${r.case} | ${times} | ${(r.tunedNs / r.shippedNs).toFixed(2)} | ${r.tuned} | ${r.shipped} |`
}
const casesLeft = tuning.provenance.left > 0 ? `, and left ${tuning.provenance.left} cases` : ''

const times = sweep.rows.map((r) => r[r.length - 1]!).sort((a, b) => a - b)
const text = `# Measured on an H200

Made by \`npx tsx bench/report.ts\` from the readings in \`bench/data/\`; nothing here is written by hand.

${data.provenance['device']}, ${data.provenance['date']}. ${data.provenance['what']}. \
${data.provenance['protocol']}. Vendor: ${data.provenance['vendor']}.

Each kernel was made from the plain loops in \`examples/\`; the fastest of the schedules that were measured is \
shown. *Robust* is WebGPU's bounds
checking as browsers have it; off shows what it \
costs${data.provenance['later'] ? ` (${data.provenance['later']})` : ''}. Ratios are vendor ÷ ours: above 1 is \
faster than the vendor.

| example | WGSL | WGSL, robust | CUDA | vendor | WGSL : vendor | CUDA : vendor | WGSL rate |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${works.map(line).join('\n')}

The vendor's convolutions write the same interior; its separable filter is two calls of cuDNN. \`jacobi2d\` counts \
one read and one write of the grid, and
trmm only the products of the triangle (the tiles on the diagonal compute some zeros). Data of 64 MB fit into the \
L2 cache of 60 MB in part: rates above
4.2 TB/s for \`jacobi2d\` come from there.

## Dense convolutions

${convolutions.provenance['what']}. ${convolutions.provenance['device']}; ${convolutions.provenance['date']}. \
${convolutions.provenance['protocol']}.

| program | CUDA, ms | WebGPU, ms | PyTorch, ms | PyTorch : CUDA | predicted, ms |
| --- | ---: | ---: | ---: | ---: | ---: |
${Object.values(convolutions.programs)
  .map(
    ({ what, cuda, webgpu, pytorchMs }) =>
      `| ${what} | ${cuda.ms.toFixed(3)} | ${webgpu.ms.toFixed(3)} | ${pytorchMs.toFixed(3)} | ` +
      `${(pytorchMs / cuda.ms).toFixed(2)} | ${cuda.predictedMsH200.toFixed(3)} |`,
  )
  .join('\n')}

Windows of 3 × 3 with padding and sizes of the caller take twice as long in WGSL as in CUDA, and longer than before \
(0.32 ms on an H100, 2026-11-25): why is not known.

## Rows of any step

${rowsOfAnyStep.provenance['what']}. ${rowsOfAnyStep.provenance['device']}; ${rowsOfAnyStep.provenance['date']}. \
${rowsOfAnyStep.provenance['protocol']}.

| program | CUDA, µs | WebGPU, µs | predicted, µs | bytes of all arrays, TB/s in CUDA |
| --- | ---: | ---: | ---: | ---: |
${Object.entries(rowsOfAnyStep.programs)
  .map(
    ([name, r]) =>
      `| ${name} | ${r.cudaUs} | ${r.webgpuUs ?? '–'} | ${r.predictedUs} | ${(r.bytes / r.cudaUs / 1e6).toFixed(2)} |`,
  )
  .join('\n')}

Before, such rows had a thread each: predicted 10 to 100 times what any schedule must take.

## KernelBench

${kernelBench.provenance['what']}. ${kernelBench.provenance['device']}; ${kernelBench.provenance['date']}. \
${kernelBench.provenance['protocol']}. Left out: ${kernelBench.provenance['left']}.

${levelLine('level1/')}

${levelLine('level2/')}

Behind PyTorch: transposed convolutions of stride 1 (\`level1/069\` takes cuDNN less time than its multiplications \
take one by one), some that are pooled or normalised behind, and convolutions in three dimensions with 3 channels; and \
some products of large matrices: they and linear layers read 0.92 to 1.09 of PyTorch's. \`level2/066\` is in neither \
line: its dropout is random.

## Convolutions with few channels of results

${patches.provenance['what']}. ${patches.provenance['device']}; ${patches.provenance['date']}. \
${patches.provenance['protocol']}.

| work | as tiles of a product, µs | direct, fastest point, µs | | predicted | point |
| --- | ---: | ---: | ---: | ---: | --- |
${Object.values(patches.programs).map(patchLine).join('\n')}

Up to 40 channels a convolution is direct, a transposed one up to as many more as its phases lack terms of the window
(71 of a stride of 2 and 3 × 3, 95 in three dimensions); from there on tiles are as fast.

## The library

${library.provenance['what']}. ${library.provenance['date']}. ${library.provenance['protocol']}.

Of ${compared.length} works that the vendor's library has, the geometric mean is \
${geometric(compared.map((r) => r.ratio))}× its speed; below 0.9×: \
${below.length === 0 ? 'none' : below.map((r) => `${r.work} (${r.ratio.toFixed(2)}×)`).join(', ')}.

| work | µs | rate | of PyTorch's speed | on f32 units, µs | without checks, µs |
| --- | ---: | ---: | ---: | ---: | ---: |
${library.rows.map(libraryLine).join('\n')}

## Tuning from nothing

${tuning.provenance.what}. ${tuning.provenance.date}. \`gpu.tune()\` took ${tuning.provenance.seconds} s for \
${tuning.provenance.choices} choices of \`matmul\`${casesLeft}.

Tuned ÷ shipped: geometric mean ${geometric(tuning.rows.map((r) => r.tunedNs / r.shippedNs))}, worst \
${Math.max(...tuning.rows.map((r) => r.tunedNs / r.shippedNs)).toFixed(2)}.

| case | tuned, µs | shipped, µs | tuned ÷ shipped | tuned | shipped |
| --- | ---: | ---: | ---: | --- | --- |
${tuning.rows.map(tuningLine).join('\n')}

## Other WebGPU libraries

${peers.provenance['what']}. ${peers.provenance['date']}. ${peers.provenance['protocol']}.

Of ${leads.length} works that another library does rightly, Tesela is at least twice as fast as the fastest of them \
on ${leads.filter((x) => x >= 2).length}; geometric mean ${geometric(leads)}×.

| work | Tesela, µs | ${others.map((who) => `${peers.names[who]}, µs`).join(' | ')} | before the fastest |
| --- | ---: | ${others.map(() => '---:').join(' | ')} | ---: |
${peerWorks.map(peerLine).join('\n')}

## Whole programs from plain C

${programs.provenance['what']}. ${programs.provenance['date']}. ${programs.provenance['protocol']}. PPCG: \
${programs.provenance['ppcg']}.

Geometric mean over ${withPpcg.length} programs: ${geometric(withPpcg.map((n) => programs.ppcg[n]! / bestMs(n)))}× \
PPCG. Programs that step through time run several steps per
launch on tiles, \`seidel-2d\` in skewed boxes (\`docs/c.md\`); in three dimensions (\`heat-3d\`) each sweep
is a launch of its own, but in CUDA all are one where the grid fits on the chip:

| cells of \`heat-3d\`, 2,000 sweeps in CUDA | one launch, ms | a launch for each sweep, ms |
| ---: | ---: | ---: |
${resident.rows.map(([n, one, each]) => `| ${n}³ | ${one} | ${each} |`).join('\n')}

| program | launches | CUDA, ms | WebGPU, ms | PPCG, ms | the faster of ours : PPCG |
| --- | ---: | ---: | ---: | ---: | ---: |
${programNames.map(programLine).join('\n')}

### At SMALL, in the simulator, beside gcc

${small.provenance['what']}; ${small.provenance['machine']}. Errors: ${small.provenance['errors']}.
The columns of \`gramschmidt\` depend on each other there: what is left of some is rounding, made 1 long, in any \
precision.

| program | launches | kernels | CPU s to compile, f32 | error, f32 | of gcc | error, f64 | of gcc |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${small.float.map(smallLine).join('\n')}

### At LARGE, beside gcc

${large.provenance['what']}; ${large.provenance['errors']}. Programs that lose all digits in single precision \
(\`durbin\`, \`gramschmidt\`) do so everywhere; in
\`jacobi-1d\` gcc multiplies by a constant in double precision, which these plans round to single.

| program | CUDA, ms | WebGPU, ms | error in CUDA | on WebGPU | of gcc |
| --- | ---: | ---: | ---: | ---: | ---: |
${[...new Set(large.rows.map((r) => r.name))].map(largeLine).join('\n')}

## Everyday programs from plain C

${everyday.provenance['what']}. ${everyday.provenance['protocol']}. ${everyday.provenance['device']}; \
${everyday.provenance['date']}. *Least*: each array that the caller gives or gets once over the wires, at the \
${everyday.copy} TB/s of a copy;
arithmetic, or a loop that must read again, may ask for more. *Predicted*: by the model, WebGPU, before anything \
was measured. Of ${ratios.length} programs with both, the model is within a factor of 1.5 of the reading of
${ratios.filter((r) => r < 1.5).length}, within 2 of ${ratios.filter((r) => r < 2).length}.

| program | launches | least, µs | predicted, µs | CUDA, µs | WebGPU, µs |
| --- | ---: | ---: | ---: | ---: | ---: |
${everyday.rows.map(everydayLine).join('\n')}

## Matrix products from plain C, beside cuBLAS

${products.provenance['programs']}. ${products.provenance['date']}. cuBLAS does whole products of the same extents; \
of one of which the source needs half, half of its time stands here.
Copies that the plans make of factors are in their times.

| program | cuBLAS, ms | CUDA, ms | CUDA : cuBLAS | WebGPU, ms | WebGPU : cuBLAS |
| --- | ---: | ---: | ---: | ---: | ---: |
${Object.entries(products.programs).map(productLine).join('\n')}

Which tile a product gets is chosen by its sizes: on 132 multiprocessors tiles of 128 × 256 leave most of a second \
round empty at 2000 × 2300. The choice is
fitted to ${products.rows.length} readings of 15 tiles (\`bench/data/h200-products.json\`).

## The space of matrix products

${sweep.provenance['what']}: ${times.length} kernels. Fastest ${micros(times[0])}, a tenth are within \
${((times[Math.floor(times.length / 10)]! / times[0]! - 1) * 100).toFixed(0)} % of it, median \
${micros(times[times.length >> 1])}, slowest ${micros(times[times.length - 1])}
(registers that spill). \`test/tune/search.test.ts\` runs the search against these readings: with 40 measurements \
it must reach 97 % of the fastest, by
the model alone 85 %.
`
writeFileSync(join(here, '../docs/performance.md'), text)
