// Reads outside a texture: a note where nothing follows from their value, an error where something does.
import { expect, test } from 'vitest'
import { explain } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'

const texture = { texture: { format: 'rgba8unorm', size: [20, 20, 1] as const } }
const levels = (store: string): readonly string[] =>
  explain(
    {
      file: 'tone.wgsl',
      text: `@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(16, 16) fn main(@builtin(global_invocation_id) id: vec3u) {
  let color = textureLoad(image, id.xy, 0);
  ${store}
}`,
    },
    { grid: [2, 2, 1], buffers: { image: texture, result: texture } },
    { gpu: gpu('h200') },
  ).hazards.flatMap((h) => (h.at?.line === 4 ? [`${h.kind} ${h.level}`] : []))

test('a texel that is stored outside, too', () =>
  expect(levels('textureStore(result, id.xy, color * 0.5);')).toEqual(['out-of-bounds note']))
test('a texel that is stored inside', () =>
  expect(levels('textureStore(result, id.xy / 2, color * 0.5);')).toEqual(['out-of-bounds error']))
