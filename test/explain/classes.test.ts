// Classes of blocks are derived: what the default counts is what --exact counts. A case is a line: what is tried, the
// grid, and a kernel's body. Blocks have 64 threads; `w` is the workgroup, `l` the thread, `n` 1000, `a` read and `b`
// written.
import { expect, test } from 'vitest'
import { explain, type ExplainReport } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { Dim3 } from '../../src/ir/index.ts'
import { someOf } from '../support/long.ts'

const source = (body: string): string => `
override n: u32 = 1000u;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
var<workgroup> t: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32,
  @builtin(num_workgroups) g: vec3u) {
  let i = w.x * 64u + l;
  ${body}
}`

const buffers = {
  a: { type: 'f32', count: 65536, fill: 'random' },
  b: { type: 'f32', count: 65536 },
  places: { type: 'u32', count: 65536, fill: 'random' },
} as const

const run = (body: string, grid: Dim3, name: string, exact: boolean, maxSteps?: number): ExplainReport =>
  explain(
    { text: source(body), file: 'k.wgsl' },
    {
      grid,
      buffers: Object.fromEntries(Object.entries(buffers).filter(([name]) => body.includes(`${name}[`))),
    },
    { gpu: gpu(name), exact, brief: true, ...(maxSteps !== undefined && { maxSteps }) },
  )

const counts = (r: ExplainReport): unknown => ({
  instructions: r.instructions,
  accesses: r.accesses,
  branches: r.branches,
  ns: r.prediction.ns,
})

const cases: readonly (readonly [string, Dim3, string])[] = [
  ['a guard', [17, 1, 1], 'if (i < n) { b[i] = a[i]; }'],
  ['a guard that counts from the end', [17, 1, 1], 'if (n - 1u - i < n) { b[n - 1u - i] = a[i]; }'],
  [
    'a window with borders',
    [17, 1, 1],
    'for (var k = 0u; k < 5u; k++) { let j = i + k - 2u; if (j < n) { b[i] += a[j]; } }',
  ],
  ['a window that is clamped', [17, 1, 1], 'b[i] = a[clamp(i32(i) - 3, 0, i32(n) - 1)] + a[min(i + 5u, n - 1u)];'],
  [
    'rows of an odd length',
    [37, 1, 1],
    'for (var j = l; j < 101u; j += 64u) { b[w.x * 101u + j] = a[w.x * 101u + j]; }',
  ],
  ['rows of an odd length along y', [3, 29, 1], 'if (i < 133u) { b[w.y * 133u + i] = a[i * 133u + w.y]; }'],
  ['strides of a grid', [13, 1, 1], 'for (var j = i; j < 10007u; j += g.x * 64u) { b[j] = a[j]; }'],
  ['a triangle', [23, 1, 1], 'var s = 0.0; for (var k = 0u; k <= i; k += 7u) { s += a[k]; } b[i] = s;'],
  [
    'rows folded into x',
    [35, 1, 1],
    'let r = w.x / 5u; let c = w.x % 5u; b[r * 333u + c * 64u + l] = a[(c * 7u + r) * 64u + l];',
  ],
  ['quotients of threads', [19, 1, 1], 'b[i / 3u] = a[(i % 7u) * 33u];'],
  ['bits', [19, 1, 1], 'b[i ^ 5u] = a[(i & 0x1f8u) | 3u] + a[(i >> 2u) << 1u];'],
  [
    'blocks swapped by bits',
    [32, 1, 1],
    'let x = ((w.x & 3u) << 3u) | (w.x >> 2u); b[x * 65u + l] = a[w.x * 64u + l];',
  ],
  ['one block alone', [16, 1, 1], 'if (w.x == 5u) { b[l * 3u] = 1.0; } else { b[i] = 2.0; }'],
  ['every other block', [16, 1, 1], 'if ((w.x & 1u) == 0u) { b[i * 2u] = 1.0; }'],
  ['a select', [16, 1, 1], 'b[select(i, l, w.x < 3u)] = a[select(i * 2u, 7u, l < w.x)];'],
  ['places in shared memory', [16, 1, 1], 't[l] = i * 3u; workgroupBarrier(); b[t[63u - l]] = 1.0;'],
  ['shared places of threads', [16, 1, 1], 't[l] = l * (w.x + 1u); workgroupBarrier(); b[t[63u - l]] = 1.0;'],
  ['a counter that goes down', [17, 1, 1], 'for (var j = i; j < n; j -= 100u) { b[j] = a[j]; }'],
  ['a float of the block', [17, 1, 1], 'if (f32(w.x) * 0.3 < 2.5) { b[i] = 1.0; }'],
  ['products of blocks and threads', [17, 1, 1], 'b[w.x * l] = a[l];'],
  ['products of blocks', [5, 7, 1], 'b[w.x * w.y * 61u + l] = a[l];'],
  ['out of bounds', [3, 1, 1], 'b[i * 500u] = a[i];'],
  ['contents', [17, 1, 1], 'if (places[i] % 3u == 0u) { b[places[i] % 65536u] = a[i]; }'],
  ['contents that blocks write', [9, 1, 1], 'if (b[l] == 0.0) { b[l] = 1.0; b[i] = 2.0; }'],
  // The one that comes first writes, with a stride of its own.
  [
    'contents that two blocks write',
    [9, 1, 1],
    'if (w.x < 2u && b[l] < 2.0) { b[l] = 3.0; b[l * (w.x + 1u) + 1000u] = 1.0; }',
  ],
]

test.each(someOf(cases))('%s: counts are those of all blocks', (_, grid, body) => {
  for (const name of ['h200', 'gt200']) {
    const usual = run(body, grid, name, false)
    expect(usual.coverage.exact).toBe(true)
    expect(counts(usual)).toEqual(counts(run(body, grid, name, true)))
  }
})

test('blocks that count alike run once', () =>
  expect(run('if (i < n) { b[i] = a[i]; }', [900, 1, 1], 'h200', false).coverage).toEqual({
    blocks: 900,
    simulated: 3,
    exact: true,
  }))

test('where contents decide and not all blocks may run, the interval holds what all blocks count', () => {
  const body = 'for (var k = 0u; k < places[i] % 64u; k++) { b[(places[i] + k * i) % 65536u] = a[i]; }'
  const some = run(body, [512, 1, 1], 'h200', false, 4e6),
    all = run(body, [512, 1, 1], 'h200', true)
  expect(some.coverage.exact).toBe(false)
  some.accesses.forEach((a, i) => {
    const exact = all.accesses[i]!
    const off = Math.abs(a.sectors / a.requests - exact.sectors / exact.requests)
    expect(off).toBeLessThanOrEqual((a.uncertainty?.sectors ?? 0) + 1e-9)
  })
})

const table = (spread: number): string => `
@group(0) @binding(0) var<uniform> c: array<vec4f, 64>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) { b[g.x] = c[g.x % ${spread}u].x; }`

test.each(
  someOf([
    ['gt200', 1, 2],
    ['gt200', 16, 32],
    ['gt200', 32, 32],
    ['h200', 16, 16],
    ['h200', 32, 32],
  ]),
)('%s: a warp that reads %d constants takes %d passes, by half-warps on cc 1.x', (name, spread, passes) => {
  const report = explain({ text: table(spread), file: 'k.wgsl' }, { grid: [4, 1, 1] }, { gpu: gpu(name), brief: true })
  const read = report.accesses.find((a) => a.space === 'constant')!
  expect(read.wavefronts! / read.requests).toBe(passes)
})
