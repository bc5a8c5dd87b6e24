// Which blocks stand for the others: rows of odd lengths begin elsewhere in each block, long blocks are few, contents
// that nobody gave are said. Counts of classes are compared with those of all blocks.
import { describe, expect, test } from 'vitest'
import { DiagnosticError, type Diagnostic } from '../../src/base/index.ts'
import { explain } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { Dim3 } from '../../src/ir/index.ts'
import { explainLines } from '../../src/report/index.ts'
import { isLong } from '../support/long.ts'

const h200 = gpu('h200')
const run = (text: string, grid: Dim3, more: object = {}) =>
  explain({ text, file: 'k.wgsl' }, { grid }, { gpu: h200, ...more })

const rows = (length: number, row = 'w.x', type = 'f32'): string => `${type === 'f16' ? 'enable f16;' : ''}
@group(0) @binding(0) var<storage, read> a: array<${type}>;
@group(0) @binding(1) var<storage, read_write> b: array<${type}>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_id) l: vec3<u32>) {
  for (var i = l.x; i < ${length}u; i += 64u) { b[${row} * ${length}u + i] = a[${row} * ${length}u + i]; }
}`

test.each([
  ['halves, every second row', rows(200, 'w.x', 'f16'), [128, 1, 1]],
  ['floats, a row for each workgroup', rows(201), [128, 1, 1]],
  ['floats, rows along y', rows(201, '(w.y * 4u + w.x)'), [4, 32, 1]],
] as const)('%s: sectors are those of all blocks', (_, text, grid) => {
  const sampled = run(text, grid),
    exact = run(text, grid, { exact: true })
  expect(sampled.coverage.exact).toBe(true)
  expect(sampled.accesses).toEqual(exact.accesses)
})

test('one block of each class where neighbours count the same', () =>
  expect(run(rows(256), [128, 1, 1]).coverage.simulated).toBe(1))

const picked = `@group(0) @binding(0) var<storage, read> places: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (places[g.x] == 0u) { return; }
  b[g.x] = 1.0;
}`

test('integers that decide what runs and that nobody gave are said; accesses that never ran have no row', () => {
  const blank = run(picked, [4, 1, 1]),
    text = explainLines(blank).join('\n')
  expect(blank.notes.filter((n) => n.startsWith('contents'))).toEqual([
    "contents not given for 'places': integers are 0, and branches or addresses follow from them; --buffer " +
      'NAME=TYPE[COUNT]:random or :@file fills it',
  ])
  expect(text).toContain('not executed: 1 access of line 5')
  expect(text).not.toMatch(/write b\[g\.x\] /)
  const given = explain(
    { text: picked, file: 'k.wgsl' },
    { grid: [4, 1, 1], buffers: { places: { type: 'u32', count: 256, fill: 'random' } } },
    { gpu: h200 },
  )
  expect(given.notes.some((n) => n.startsWith('contents'))).toBe(false)
  expect(explainLines(given).join('\n')).toMatch(/write b\[g\.x\] /)
})

const sampled = `@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var<storage, read_write> b: array<vec4f>;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) g: vec3u) {
  b[g.y * 256u + g.x] = textureSampleLevel(image, s, (vec2f(g.xy) + 0.3) / 256.0, 0.0);
}`

test('the other texels of a filter wait with the first, not one after another', () => {
  const ns = (filter: 'linear' | 'nearest'): number =>
    explain(
      { text: sampled, file: 'k.wgsl' },
      {
        grid: [32, 32, 1],
        buffers: { image: { texture: { format: 'rgba8unorm', size: [256, 256, 1] } } },
        samplers: { s: { filter } },
      },
      { gpu: h200 },
    ).prediction.ns
  expect(ns('linear')).toBeLessThan(1.5 * ns('nearest'))
})

const long = `@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  var x = f32(g.x);
  for (var i = 0u; i < 60000u; i++) { x = x * 0.5 + f32(i & 7u); }
  b[g.x] = x;
}`

test('sizes of buffers are found by two blocks where five take too many steps', () => {
  const { buffers } = run(long, [100, 1, 1], { maxSteps: 4e6 })
  expect(buffers[0]?.bytes).toBeGreaterThanOrEqual(25600)
  expect(() => run(long, [100, 1, 1], { maxSteps: 5e5 })).toThrow('the kernel takes more than 500000 steps')
})

const beyond = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
}`

test('a kernel beside one that only returns needs no name', () => {
  const two = `${beyond}\n.file 1 "k.cu"\n.visible .entry none() {\n  .loc 1 2 3\n$L__1:\n  ret;\n}`
  const run = (text: string) =>
    explain({ text, file: 'k.ptx', language: 'ptx' }, { grid: [1, 1, 1], block: [64, 1, 1] }, { gpu: h200 }).kernel.name
  expect(run(two)).toBe('k')
  expect(() => run(`${two}\n${beyond.slice(beyond.indexOf('.visible')).replace('entry k', 'entry other')}`)).toThrow(
    'the module has 3 kernels',
  )
})

test('out of bounds in words of CUDA', () => {
  const [hazard] = explain(
    { text: beyond, file: 'k.ptx', language: 'ptx' },
    { grid: [1, 1, 1], block: [64, 1, 1], buffers: { 0: { type: 'u32', count: 63 } } },
    { gpu: h200 },
  ).hazards
  expect(hazard?.message).toContain('such writes are dropped (a GPU faults or touches what lies there)')
  expect(hazard?.fix).toBe('guard it (if (index < n)), or give the array more elements')
})

/** `a[row * pitch] = row` with 32 bits, rows of `row` blocks; a byte or a word of it is written. */
const pitched = (type: 'u8' | 'u32'): string => `.version 8.0
.target sm_90
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u64 a, .param .u32 pitch) {
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  .loc 1 4 7
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [pitch];
  mov.u32 %r2, %ctaid.x;
  mul.lo.s32 %r3, %r2, %r1;
  mul.wide.s32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.${type} [%rd3], %r2;
  ret;
}`

describe('indices of 64 bits', () => {
  const run = (blocks: number, pitch: number, count?: number, type: 'u8' | 'u32' = 'u32'): ReturnType<typeof explain> =>
    explain(
      { text: pitched(type), file: 'k.ptx', language: 'ptx' },
      {
        grid: [blocks, 1, 1],
        block: [1, 1, 1],
        args: { 1: pitch },
        ...(count !== undefined && { buffers: { 0: { type: 'u32', count } } }),
      },
      { gpu: h200 },
    )
  test('an index that 32 bits do not hold is named as one that overflowed', () => {
    // 699 · 5000000 = 3495000000, which wraps to −799967296; 429 · 5000000 is the last below 2³¹.
    const { hazards, accesses, buffers } = run(700, 5_000_000)
    expect(hazards.map((h) => [h.kind, h.count, h.at?.line])).toEqual([['out-of-bounds', 270, 4]])
    expect(hazards[0]?.message).toContain('the index left 32 bits and wrapped to what is less than 0')
    expect(hazards[0]?.fix).toBe('compute it in 64 bits: (size_t)row * columns + column')
    expect(accesses[0]?.requests).toBe(430)
    expect(buffers[0]?.bytes).toBe(429 * 5_000_000 * 4 + 4)
  })
  test('buffers may be larger than 2 GiB, sized by running and given', () => {
    for (const count of [undefined, 2_000_000_001]) {
      const { hazards, accesses, buffers } = run(401, 5_000_000, count)
      expect([hazards.length, accesses[0]?.requests, accesses[0]?.sectors]).toEqual([0, 401, 401])
      expect(buffers[0]?.bytes).toBe(8_000_000_004)
    }
    const { hazards } = run(401, 5_000_000, 2_000_000_000)
    expect(hazards.map((h) => [h.count, h.example])).toEqual([
      [1, "block (400, 0, 0), thread (0, 0, 0): byte 8000000000 of 'param_0', which has 8000000000"],
    ])
  })
  test('what even the largest steps do not reach is refused where it is, and not taken as out of bounds', () => {
    const refusal = (count?: number): Diagnostic | undefined => {
      try {
        run(401, 5_000_000, count, 'u8')
      } catch (e) {
        if (e instanceof DiagnosticError) return e.diagnostics[0]
      }
      return undefined
    }
    expect(refusal()).toMatchObject({ code: 'explain.memory', at: { file: 'k.cu', line: 4 } })
    expect(refusal()?.message).toContain('an access reaches farther into its buffer than can be run: block (')
    expect(refusal(2_000_000_001)).toMatchObject({ code: 'simulate.memory', at: { line: 4 } })
  })
  test('an index a little below 0 is no overflow', () =>
    expect(run(2, -1, 1000).hazards[0]?.fix).toBe('guard it (if (index < n)), or give the array more elements'))
})

test('the search for hazards takes more blocks in more time, neighbours with each other, and says so', () => {
  const shader = (body: string): string => `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) { ${body} }`
  const text = shader('c[id.x] = a[id.x ^ 1];'),
    looked = (budget?: number): number => {
      const options = { gpu: h200, ...(budget !== undefined && { budget }) },
        note = explain({ text, file: 'k.wgsl' }, { grid: [16384, 1, 1] }, options).notes.find((n) =>
          n.startsWith('races'),
        )
      return note === undefined ? 16384 : Number(/in (\d+) of 16384 blocks, within/.exec(note)?.[1])
    }
  const [few, some] = [looked(0.005), looked(0.05)]
  expect(few).toBeGreaterThan(3)
  expect(some).toBeGreaterThan(4 * few)
  // The race is between a block and the next one.
  const { hazards } = explain(
    {
      text: shader('if (group.x > 5000u) { c[id.x] = c[id.x + 256u]; }'),
      file: 'k.wgsl',
    },
    { grid: [16384, 1, 1] },
    { gpu: h200, budget: 0.05 },
  )
  expect(hazards.map((h) => h.kind)).toContain('race')
})

test.runIf(isLong)(
  'sizes found by running grow to what the search for hazards reaches, so that no hazard is of the size',
  () => {
    // Contents decide how long blocks take, so that some are drawn; each has a part of the array, in no order.
    const text = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> rounds: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u, @builtin(workgroup_id) w: vec3u) {
  var sum = a[(w.x * 389u % 4099u) * 64u + g.x % 64u];
  for (var k = 0u; k < rounds[g.x] % 64u; k++) { sum += a[(g.x + k) % 100u]; }
  b[g.x] = sum;
}`
    const { hazards, coverage, notes } = explain(
      { text, file: 'k.wgsl' },
      { grid: [4096, 1, 1], buffers: { rounds: { type: 'u32', count: 262144, fill: 'random' } } },
      { gpu: h200, maxSteps: 4e6, budget: 0.5 },
    )
    expect(coverage.exact).toBe(false)
    expect(notes.find((n) => n.startsWith('sized by running'))).toContain("'a'")
    expect(hazards).toEqual([])
  },
)

test('a long loop that leaves a shared array does not keep sizes from being found', () => {
  // The size of `a` is asked for, so that sizes are sought by short runs; 2 · 10⁶ steps do not end one.
  const text = `
@group(0) @binding(0) var<storage, read_write> a: array<f32>;
var<workgroup> tile: array<f32, 64>;
@compute @workgroup_size(256) fn main(@builtin(local_invocation_index) l: u32) {
  var sum = f32(arrayLength(&a));
  for (var k = 0u; k < 4000u; k++) { tile[l] = sum; sum += tile[(l + k) % 64u]; }
  a[l] = sum;
}`
  const { hazards, buffers } = explain({ text, file: 'k.wgsl' }, { grid: [64, 1, 1] }, { gpu: h200 })
  expect(hazards.map((h) => `${h.kind} ${h.at?.line}`)).toContain('out-of-bounds 6')
  expect(buffers[0]?.bytes).toBeGreaterThanOrEqual(1024)
})

test.each(['push_constant', 'immediate'])('a variable in %s is read as a uniform one', (space) => {
  const text = `struct Sizes { n: u32, scale: f32 } var<${space}> sizes: Sizes;
@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) {
  if (g.x < sizes.n) { b[g.x] *= sizes.scale; }
}`
  const { accesses } = explain({ text, file: 'k.wgsl' }, { grid: [4, 1, 1], args: { 'sizes.n': 100 } }, { gpu: h200 })
  expect(accesses.filter((x) => x.space === 'constant')).toHaveLength(2)
  expect(accesses.find((x) => x.op === 'store')?.threads).toBe(100)
})

test('two long blocks stand for all where the steps allowed do not suffice for more; their interval says so', () => {
  const near = `@group(0) @binding(0) var<storage, read> a: array<f32, 4096>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let own = a[g.x];
  var least = 9.0;
  for (var i = 0u; i < 4096u; i++) { if (abs(a[i] - own) < least && i != g.x) { least = abs(a[i] - own); } }
  b[g.x] = least;
}`
  const few = run(near, [64, 1, 1], { maxSteps: 5e5, brief: true }),
    all = run(near, [64, 1, 1], { exact: true, brief: true })
  expect(few.coverage).toMatchObject({ exact: false, blocks: 64 })
  expect(few.coverage.simulated).toBeLessThan(8)
  expect(few.instructions.warp / all.instructions.warp).toBeCloseTo(1, 1)
  // What no block ends of stays refused.
  expect(() => run(near, [64, 1, 1], { maxSteps: 1e5, brief: true })).toThrow('more than 100000 steps')
})
