// Whether contents of buffers decide what a kernel does.
import { expect, test } from 'vitest'
import { dependsOnData } from '../../src/explain/data-dependence.ts'
import { explain } from '../../src/explain/index.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'

const depends = (body: string): boolean =>
  dependsOnData(
    parseWgsl(
      `
  @group(0) @binding(0) var<storage, read> a: array<u32>;
  @group(0) @binding(1) var<storage, read_write> b: array<u32>;
  var<workgroup> w: array<u32, 64>;
  @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) \
l: u32) { ${body} }`,
      't.wgsl',
      {},
    ).kernel,
  )

test.each([
  ['b[id.x] = a[id.x] + 1;', false],
  ['if (id.x < 9) { b[id.x] = a[id.x]; }', false],
  ['for (var i = 0u; i < 4; i++) { b[id.x] += a[i]; }', false],
  ['b[id.x] = select(1u, 2u, a[id.x] > 3);', false],
  ['w[l] = id.x; workgroupBarrier(); b[w[l]] = 1;', false],
  ['b[a[id.x]] = 1;', true],
  ['b[id.x] = a[a[id.x]];', true],
  ['if (a[id.x] > 3) { b[id.x] = 1; }', true],
  ['for (var i = 0u; i < a[0]; i++) { b[id.x] += i; }', true],
  ['w[l] = a[id.x]; workgroupBarrier(); if (w[63 - l] == 1) { b[id.x] = 1; }', true],
  ['var x = a[id.x]; x = x * 2; b[x & 7] = 1;', true],
] as const)('%s', (body, expected) => expect(depends(body)).toBe(expected))

// Zeros in one buffer kept the kernel from touching the other, which then was too small for what random numbers let it
// touch.
test('a buffer that only data let the kernel touch gets its size', () => {
  const text = `@group(0) @binding(0) var<storage, read> norm: array<f32>;
    @group(0) @binding(1) var<storage, read_write> image: array<f32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { if (norm[id.x] != 0) { image[2 \
* id.x] /= norm[id.x]; } }`
  const report = explain({ text, file: 't.wgsl', language: 'wgsl' }, { grid: [16, 1, 1] }, { gpu: gpu('h200') })
  expect(report.hazards).toEqual([])
  expect(report.buffers.map((b) => b.bytes >= (b.name === 'image' ? 8184 : 4096))).toEqual([true, true])
})

// Numbers of other widths were counted in words of 32 bits: bytes 0, 0, 0, 0, 1 …
test('what fills a buffer has the type that was said', () => {
  const text = `@group(0) @binding(0) var<storage, read> bytes: array<u32>;
    @group(0) @binding(1) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(32) fn main(@builtin(global_invocation_id) id: vec3u) { out[bytes[id.x] & 31u] = 1; }`
  const launch = (type: 'u8' | 'u32', fill: 'iota' | ArrayBuffer) =>
    explain(
      { text, file: 't.wgsl', language: 'wgsl' },
      { grid: [1, 1, 1], buffers: { bytes: { type, count: type === 'u8' ? 128 : 32, fill } } },
      { gpu: gpu('h200') },
    )
  const stride = (type: 'u8' | 'u32'): unknown =>
    launch(type, 'iota').accesses.find((a) => a.resource === 'out')?.stride
  expect([stride('u32'), stride('u8')]).toEqual([null, 4])
  expect(() => launch('u32', new ArrayBuffer(120))).toThrow(
    "buffer 'bytes' was given 128 bytes, but 120 to fill it with",
  )
})
