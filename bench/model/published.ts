// In: nothing. Out: published microbenchmarks of a GTX 280 beside the model's figure for the same kernel, as the table
// of docs/gt200.md. Figures are recalled from the literature, not opened again; only figures are carried over.
// Usage: npx tsx bench/model/published.ts
import { explain, type ExplainReport } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { experimentNamed, runStudy } from '../../src/study/index.ts'

export interface Row {
  readonly what: string
  readonly unit: string
  readonly source: string
  readonly published: number
  readonly predicted: number
  /** The error that a test allows: what the model misses today, rounded up. */
  readonly within: number
}

const profile = gpu('gt200')
const wong = 'Wong et al. 2010'
const volkov = 'Volkov and Demmel 2008'
const transposes = 'Ruetsch and Micikevicius 2009'

/** One loop of 1024 rounds of `body` in a block of `threads`, `blocks` of them. */
const loop = (body: string, threads: number, more = ''): string => `@group(0) @binding(0) var<storage, read_write> \
output: array<f32>;
${body.includes('next') ? '@group(0) @binding(1) var<storage, read> next: array<u32>;\n' : ''}\
var<workgroup> words: array<u32, 256>;

@compute @workgroup_size(${threads})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32, \
@builtin(num_workgroups) groups: vec3u) {
  var x = f32(id.x);
  var y = x;
  var at = id.x;
${more}  for (var i = 0u; i < 1024 * groups.z; i++) {
    ${body}
  }
  output[id.x] = x + y + f32(at);
}
`

const report = (body: string, threads: number, blocks: number, more?: string): ExplainReport =>
  explain(
    { text: loop(body, threads, more), file: 'published.wgsl' },
    {
      grid: [blocks, 1, 1],
      buffers: {
        output: { type: 'f32', count: threads * blocks },
        ...(body.includes('next') && { next: { type: 'u32', count: 2 ** 16 } }),
      },
    },
    { gpu: profile, brief: true },
  )

/** Clocks that one more `body` adds to a round of one warp alone. */
function latency(body: string, more?: string): number {
  const clocks = (times: number): number => {
    const { prediction } = report(Array<string>(times).fill(body).join('\n    '), 32, 1, more)
    return (prediction.ns - (prediction.terms['launch'] ?? 0)) * profile.clockHz.value * 1e-9
  }
  return (clocks(12) - clocks(4)) / (8 * 1024)
}

/** Results of `body` per clock of a multiprocessor that is full of warps. */
function throughput(body: string, results: number): number {
  const threads = 256
  const blocks = profile.multiprocessors * 4
  const ns = (times: number): number =>
    report(Array<string>(times).fill(body).join('\n    '), threads, blocks).prediction.ns
  const clocks = (ns(12) - ns(4)) * profile.clockHz.value * 1e-9
  return (results * 8 * 1024 * threads * blocks) / profile.multiprocessors / clocks
}

function bandwidths(): ReadonlyMap<string, number> {
  const { series } = runStudy(experimentNamed('partition-camping'), { gpus: [profile] })
  return new Map(series.flatMap((s) => s.points.map((p) => [p.label, p.values.bandwidth ?? NaN] as const)))
}

/**
 * A product of n × n matrices as Volkov and Demmel write it: 64 threads, each 16 outputs in registers; 16 × 16 elements
 * of one factor in shared memory, those of the other from memory. Here rows and columns are exchanged.
 */
function registerProduct(): number {
  const n = 1024
  const each = Array.from({ length: 16 }, (_, r) => r)
  const text = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> part: array<array<f32, 17>, 16>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let column = group.x * 64 + local;
  let row = group.y * 16;
${each.map((r) => `  var sum${r} = 0.0;`).join('\n')}
  for (var k = 0u; k < ${n}; k += 16) {
    for (var i = local; i < 256; i += 64) {
      part[i / 16][i % 16] = a[(row + i / 16) * ${n} + k + i % 16];
    }
    workgroupBarrier();
    for (var i = 0u; i < 16; i++) {
      let value = b[(k + i) * ${n} + column];
${each.map((r) => `      sum${r} += part[${r}][i] * value;`).join('\n')}
    }
    workgroupBarrier();
  }
${each.map((r) => `  c[(row + ${r}) * ${n} + column] = sum${r};`).join('\n')}
}
`
  const count = n * n
  const { prediction } = explain(
    { text, file: 'volkov.wgsl' },
    {
      grid: [n / 64, n / 16, 1],
      buffers: { a: { type: 'f32', count }, b: { type: 'f32', count }, c: { type: 'f32', count } },
    },
    { gpu: profile, brief: true },
  )
  return (2 * n ** 3) / prediction.ns
}

let made: readonly Row[] | undefined

export function rows(): readonly Row[] {
  made ??= all()
  return made
}

function all(): readonly Row[] {
  const moved = bandwidths()
  const rate = (label: string): number => moved.get(label) ?? NaN
  const row = (
    what: string,
    unit: string,
    source: string,
    published: number,
    predicted: number,
    within: number,
  ): Row => ({
    what,
    unit,
    source,
    published,
    predicted,
    within,
  })
  const both = 'x = fma(x, 0.999, 0.5);\n    y = y * 0.999;'
  const tile = '  words[local] = 0;\n  workgroupBarrier();\n'
  return [
    row('multiply-add, latency', 'clocks', wong, 24, latency('x = fma(x, 0.999, 0.5);'), 0.1),
    row('shared memory, latency', 'clocks', wong, 38, latency('at = words[at];', tile), 0.1),
    row('global memory, latency', 'clocks', wong, 440, latency('at = next[at];'), 0.05),
    row('multiply-adds', 'a clock and multiprocessor', wong, 7.9, throughput('x = fma(x, 0.999, 0.5);', 1), 0.1),
    row('special functions', 'a clock and multiprocessor', wong, 2, throughput('x = inverseSqrt(x);', 1), 0.1),
    row('products of 32-bit integers', 'a clock and multiprocessor', wong, 1.7, throughput('at = at * 77;', 1), 0.1),
    row('multiply-add beside multiply', 'a clock and multiprocessor', wong, 11.2, throughput(both, 2), 0.05),
    row('product with 16 outputs in registers', 'GFLOP/s', volkov, 375, registerProduct(), 0.25),
    row('copy', 'GB/s', transposes, 96.9, rate('copy'), 0.2),
    row('transpose by columns', 'GB/s', transposes, 2.2, rate('transpose by columns'), 1),
    row('transpose through a padded tile', 'GB/s', transposes, 16.6, rate('through a padded tile'), 0.9),
    row('transpose along diagonals', 'GB/s', transposes, 69.5, rate('the same along diagonals'), 0.05),
  ]
}

const digits = (x: number): string => String(Number(x.toPrecision(3)))

export const tableOf = (list: readonly Row[]): string =>
  [
    '| microbenchmark | unit | published | predicted | error | source |',
    '| --- | --- | ---: | ---: | ---: | --- |',
    ...list.map(
      (r) =>
        `| ${r.what} | ${r.unit} | ${digits(r.published)} | ${digits(r.predicted)} | ` +
        `${Math.round(100 * (r.predicted / r.published - 1))} % | ${r.source} |`,
    ),
  ].join('\n')

if (process.argv[1]?.endsWith('published.ts')) console.log(tableOf(rows()))
