// Textures and samplers by flags: what is taken, and what is refused in which words.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { samplerSpec, textureShape } from '../../src/explain/launch/textures.ts'
import { folderWith, tesela } from './run.ts'

test.each([
  ['rgba8unorm', undefined, { format: 'rgba8unorm' }],
  ['r32float', '64', { format: 'r32float', size: [64, 1, 1] }],
  ['rg16float', '64x32', { format: 'rg16float', size: [64, 32, 1] }],
  ['rgba8unorm', '64x32x6,levels=3', { format: 'rgba8unorm', size: [64, 32, 6], levels: 3 }],
  ['rgba8unorm', '8x8,samples=4', { format: 'rgba8unorm', size: [8, 8, 1], samples: 4 }],
  ['f32', '64', null],
] as const)('%s[%s]', (type, size, expected) => {
  expect(textureShape(type, size)).toEqual(expected)
})

test.each([
  ['linear', { filter: 'linear' }],
  ['nearest,repeat', { filter: 'nearest', address: ['repeat', 'repeat', 'repeat'] }],
  ['repeat,mirror', { address: ['repeat', 'mirror', 'mirror'] }],
  ['mip-linear,less-equal,clamp', { mip: 'linear', compare: 'less-equal', address: ['clamp', 'clamp', 'clamp'] }],
] as const)('sampler %s', (text, expected) => {
  expect(samplerSpec(text)).toEqual(expected)
})

const shader = `@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler; @group(0) \
@binding(2) var<storage, read_write> o: array<f32>;
@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) id: vec3u) { o[id.x] = textureSampleLevel(t, s, \
vec2f(f32(id.x), 0.5) / 8.0, 0).x; }`

test('flags and launch files say what textures hold', () => {
  const folder = folderWith({
    'a.wgsl': shader,
    'l.json': '{ "grid": [1], "buffers": { "t": "r32float[16x4]:iota" }, "samplers": { "s": "nearest,repeat" } }',
  })
  const sectors = (...args: string[]): number =>
    (
      JSON.parse(tesela(['explain', join(folder, 'a.wgsl'), '--json', ...args]).out) as {
        totals: { texture: { load: { sectors: number } } }
      }
    ).totals.texture.load.sectors
  expect(sectors('--launch', join(folder, 'l.json'))).toBe(2) // 8 columns repeat 16 texels: 64 bytes
  expect(sectors('--grid', '1', '--buffer', 't=rgba32float[8x8]', '--sampler', 's=nearest')).toBe(4)
  const refused = (...args: string[]): string => tesela(['explain', join(folder, 'a.wgsl'), '--grid', '1', ...args]).err
  expect(refused('--buffer', 't=rgba8unorm[8x8x8x8]')).toContain('A texture must be NAME=FORMAT')
  expect(refused('--buffer', 't=rgba8unorn[8]')).toContain('a texture has a format and sides')
  expect(refused('--sampler', 's=bicubic')).toContain('It must be NAME=WORDS with commas')
  expect(refused('--buffer', `t=rgba8unorm[8x8]:@${join(folder, 'a.wgsl')}`)).toContain(
    "texture 't' of 8×8×1 texels takes 256 bytes, but ",
  )
})
