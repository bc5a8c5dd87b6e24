// In: nothing. Out: published microbenchmarks of a GTX 280 beside the model's figure for the same kernel, as the table
// of docs/gt200.md. Figures are recalled from the literature, not opened again; only figures are carried over.
// Usage: npx tsx bench/model/published.ts
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { sharedBytesOf, type Dim3, type Launch } from '../../src/ir/index.ts'
import { estimateRegisters, predict, type Prediction } from '../../src/model/index.ts'
import { compileKernel, traceOf } from '../../src/simulate/index.ts'

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

/** What the model says of a kernel as CUDA has it: nothing checks bounds. `words`: 32-bit words of each buffer. */
function predicted(text: string, grid: Dim3, words: Readonly<Record<string, number>>): Prediction {
  const { kernel, sizes } = parseWgsl(text, 'published.wgsl')
  const buffers = Object.fromEntries(Object.entries(words).map(([name, n]) => [name, new ArrayBuffer(4 * n)]))
  const bytes = Object.fromEntries(Object.entries(words).map(([name, n]) => [name, 4 * n]))
  const launch: Launch = { grid, params: Object.fromEntries(sizes.map((s) => [s.param, bytes[s.resource]!])), buffers }
  return predict({
    counters: compileKernel(kernel, profile).run(launch, { countOnly: true }).counters,
    kernel,
    profile,
    registers: estimateRegisters(kernel),
    shared: sharedBytesOf(kernel),
    buffers: bytes,
    trace: traceOf(kernel, profile, launch, { limit: 1e5, blind: false, queues: true }),
    api: 'cuda',
  })
}

const looped = (body: string, threads: number, blocks: number, more?: string): Prediction =>
  predicted(loop(body, threads, more), [blocks, 1, 1], {
    output: threads * blocks,
    ...(body.includes('next') && { next: 2 ** 16 }),
  })

/** Clocks that one more `body` adds to a round of one warp alone. */
function latency(body: string, more?: string): number {
  const clocks = (times: number): number => {
    const { ns, terms } = looped(Array<string>(times).fill(body).join('\n    '), 32, 1, more)
    return (ns - terms.launch) * profile.clockHz.value * 1e-9
  }
  return (clocks(12) - clocks(4)) / (8 * 1024)
}

/** Results of `body` per clock of a multiprocessor that is full of warps. */
function throughput(body: string, results: number): number {
  const threads = 256
  const blocks = profile.multiprocessors * 4
  const ns = (times: number): number => looped(Array<string>(times).fill(body).join('\n    '), threads, blocks).ns
  const clocks = (ns(12) - ns(4)) * profile.clockHz.value * 1e-9
  return (results * 8 * 1024 * threads * blocks) / profile.multiprocessors / clocks
}

/** Rows and columns of the matrices that are copied and transposed, and of a tile. */
const side = 2048
const tile = 32

/** How a block of 32 × 8 threads moves a tile: where from, where to, and what lies between. */
interface Move {
  /** Row and column of the output for `row` and `local.x`; of the tile for `row` and `local.x`. */
  readonly to: string
  readonly read?: string
  readonly padding?: number
  readonly diagonal?: true
}

const along = 'output[(corner.y + row) * n + corner.x + local.x]'
const across = 'output[(corner.x + row) * n + corner.y + local.x]'
const straight = 'tile[row][local.x]'
const turned = 'tile[local.x][row]'
/** The kernels of the source, by its names. */
const moves = {
  copy: { to: along },
  'copy through shared memory': { to: along, read: straight, padding: 0 },
  'transpose by columns': { to: 'output[(corner.x + local.x) * n + corner.y + row]' },
  'transpose through a tile': { to: across, read: turned, padding: 0 },
  'transpose through a padded tile': { to: across, read: turned, padding: 1 },
  'transpose inside tiles alone': { to: along, read: turned, padding: 1 },
  'transpose of tiles alone': { to: across, read: straight, padding: 1 },
  'transpose along diagonals': { to: across, read: turned, padding: 1, diagonal: true },
} satisfies Record<string, Move>

/** Gigabytes a second, read and written. */
function bandwidth({ to, read, padding = 0, diagonal }: Move): number {
  const each = (line: string): string => `  for (var row = local.y; row < ${tile}; row += 8) {\n    ${line}\n  }\n`
  const input = 'input[(corner.y + row) * n + corner.x + local.x]'
  const staged = (): string => `${each(`${straight} = ${input};`)}  workgroupBarrier();\n${each(`${to} = ${read};`)}`
  const body = read === undefined ? each(`${to} = ${input};`) : staged()
  const text = `const n = ${side};
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> tile: array<array<f32, ${tile + padding}>, ${tile}>;

@compute @workgroup_size(${tile}, 8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, \
@builtin(local_invocation_id) local: vec3u) {
  let corner = ${diagonal ? 'vec2u((group.x + group.y) % groups.x, group.x)' : 'group.xy'} * ${tile};
${body}}
`
  const count = side * side
  return (8 * count) / predicted(text, [side / tile, side / tile, 1], { input: count, output: count }).ns
}

/**
 * A product of n × n matrices as Volkov and Demmel write it: 64 threads, each 16 outputs in registers; 16 × 16 elements
 * of one factor in shared memory, those of the other from memory; its loops over tiles are written out. Here rows and
 * columns are exchanged.
 */
function registerProduct(): number {
  const n = 1024
  const each = Array.from({ length: 16 }, (_, r) => r)
  const step = (i: number): string =>
    [
      `    let value${i} = b[(k + ${i}) * ${n} + column];`,
      ...each.map((r) => `    sum${r} += part[${r}][${i}] * value${i};`),
    ].join('\n')
  const text = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> part: array<array<f32, 17>, 16>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let column = group.x * 64 + local;
  let row = group.y * 16;
  let x = local % 16;
  let y = local / 16;
${each.map((r) => `  var sum${r} = 0.0;`).join('\n')}
  for (var k = 0u; k < ${n}; k += 16) {
${each
  .filter((r) => r % 4 === 0)
  .map((r) => `    part[${r} + y][x] = a[(row + ${r} + y) * ${n} + k + x];`)
  .join('\n')}
    workgroupBarrier();
${each.map((i) => step(i)).join('\n')}
    workgroupBarrier();
  }
${each.map((r) => `  c[(row + ${r}) * ${n} + column] = sum${r};`).join('\n')}
}
`
  const count = n * n
  return (2 * n ** 3) / predicted(text, [n / 64, n / 16, 1], { a: count, b: count, c: count }).ns
}

/**
 * What was published as GB/s. The program that was published beside it divides by 2³⁰ bytes (`transpose.cu` of the CUDA
 * SDK: `2.0f * 1000.0f * mem_size / (1024 * 1024 * 1024) / time`).
 */
const published = [
  ['copy', 96.9, 0.1],
  ['copy through shared memory', 80.9, 0.05],
  ['transpose by columns', 2.2, 0.35],
  ['transpose through a tile', 16.5, 0.05],
  ['transpose through a padded tile', 16.6, 0.05],
  ['transpose inside tiles alone', 80.4, 0.06],
  ['transpose of tiles alone', 16.7, 0.05],
  ['transpose along diagonals', 69.5, 0.05],
] as const

let made: readonly Row[] | undefined

export function rows(): readonly Row[] {
  made ??= all()
  return made
}

function all(): readonly Row[] {
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
    row('product with 16 outputs in registers', 'GFLOP/s', volkov, 375, registerProduct(), 0.1),
    ...published.map(([what, gib, within]) =>
      row(what, 'GB/s', transposes, (gib * 2 ** 30) / 1e9, bandwidth(moves[what]), within),
    ),
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
