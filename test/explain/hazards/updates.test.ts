// Updates in two statements and sums without barriers: one hazard each, with what mends it.
import { expect, test } from 'vitest'
import { explain } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'

const races = (body: string, workgroup = 64): readonly (readonly [number, string, string])[] =>
  explain(
    {
      text: `var<workgroup> s: array<f32, 256>;
@group(0) @binding(0) var<storage, read_write> h: array<f32, 16>;
@compute @workgroup_size(${workgroup})
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) w: vec3u) {
  ${body}
}`,
      file: 'k.wgsl',
    },
    { grid: [4, 1, 1] },
    { gpu: gpu('h200') },
  ).hazards.map((h) => [h.at?.line ?? 0, h.message, h.fix])

test.each([
  ['by a value between', 'let old = h[i & 15u];\n  h[i & 15u] = old + 1.0;'],
  ['by a variable', 'var old = h[i & 15u];\n  h[i & 15u] = max(old, f32(w.x));'],
])('an update in two statements is one hazard, %s', (_, body) => {
  expect(races(body)).toEqual([
    [
      6,
      expect.stringMatching(
        /^read `h\[i & 15u\]` \(line 5\) and write `h\[i & 15u\]`: an element is read.*updates are lost$/,
      ),
      expect.stringMatching(/^make the element atomic/),
    ],
  ])
})

test('where the value does not follow from what is read there are two', () => {
  const found = races('let old = h[i & 15u];\n  s[i] = old;\n  h[i & 15u] = f32(i);')
  expect(found.map(([line, message]) => [line, /updates are lost/.test(message)])).toEqual([
    [7, false],
    [7, false],
  ])
})

test('a sum in workgroup memory without a barrier between its steps wants one', () => {
  const loop = 'for (var k = 128u; k > 0u; k /= 2u) {\n    if (i < k) { s[i] += s[i + k]; }\n  }',
    body = `s[i] = f32(i);\n  workgroupBarrier();\n  ${loop}\n  workgroupBarrier();\n  if (i == 0u) { h[w.x] = s[0]; }`
  expect(races(body, 256)).toEqual([
    [
      8,
      expect.stringMatching(/^write `s\[i\]` and read `s\[i \+ k\]`/),
      expect.stringMatching(/^put workgroupBarrier/),
    ],
  ])
})

test('notes about one variable that nobody gave are one, with their lines and their count', () => {
  const text = `@group(0) @binding(0) var<storage, read> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  let j = at[id.x];
  a[j] = f32(id.x);
  b[j] = f32(id.x) * 2.0;
}`
  const found = explain({ text, file: 'k.wgsl' }, { grid: [4, 1, 1] }, { gpu: gpu('h200') }).hazards
  expect(found.map((h) => [h.kind, h.level, h.count > 128])).toEqual([['race', 'note', true]])
  expect(found[0]?.message).toMatch(/follows from 'at', whose contents nobody gave.*; the same holds for 1 more \(line/)
})
