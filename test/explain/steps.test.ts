// A launch explained in two steps: what lines cost is there before the rest, and all of it is what one step says.
import { expect, test } from 'vitest'
import { join } from 'node:path'
import { explainInSteps, explainWithView, launchOfFlags } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { readExamples } from '../../site/build/examples.ts'

const examples = readExamples(join(import.meta.dirname, '../../examples'))

test.each([
  'wgsl/transpose-naive',
  'wgsl/matmul-tiled',
  'wgsl/reduce-race',
  'wgsl/particles',
  'catalogue/histogram-tile',
  'catalogue/transpose-swizzled',
])('%s', (id) => {
  const { text, options } = examples.find((e) => e.id === id)!
  const { launch } = launchOfFlags(options)
  const asked = [
    { text, file: 'k.wgsl', language: 'wgsl' },
    { ...launch, grid: launch.grid! },
    { gpu: gpu('h200') },
  ] as const
  const { lines, rest } = explainInSteps(...asked),
    whole = explainWithView(...asked)
  expect(lines.length).toBeGreaterThan(1)
  expect(lines).toEqual(whole.view.lines)
  expect(rest()).toEqual(whole)
})

test('integers of uniform variables are listed as the flags name them', () => {
  const text = `struct Size { n: u32, scale: f32, at: vec2u }
@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var<uniform> count: i32;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < size.n + size.at.y + u32(count)) { b[id.x] = size.scale; }
}
`
  const { view } = explainWithView({ text, file: 'k.wgsl' }, { grid: [4, 1, 1] }, { gpu: gpu('h200') })
  expect([...view.uniforms].sort()).toEqual(['count', 'size.at.x', 'size.at.y', 'size.n'])
})
