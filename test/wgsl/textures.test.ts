// Textures: on SwiftShader and in the simulator. Loads, stores and sizes bit for bit; filtered values within the eight
// bits or so that hardware keeps of weights. A case is a declaration, the texels' format and size, and one expression.
import { describe, expect, it } from 'vitest'
import { explain, type ExplainLaunch, type ExplainReport } from '../../src/explain/index.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { random } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { difference, onDevice, simulated, type Options } from './both.ts'

type Size = readonly [number, number, number]

const bytesOf = (bytes: number, [x, y, z]: Size, levels = 1, shrinksZ = false): number =>
  Array.from(
    { length: levels },
    (_, l) => Math.max(1, x >> l) * Math.max(1, y >> l) * (shrinksZ ? Math.max(1, z >> l) : z) * bytes,
  ).reduce((a, b) => a + b, 0)

/** Any bits; floats small and finite. */
function texels(format: string, bytes: number, seed: number): ArrayBuffer {
  const r = random(seed)
  if (format.endsWith('32float')) return Float32Array.from({ length: bytes / 4 }, () => r.int(-64, 64) / 8).buffer
  if (format.endsWith('16float')) return Uint16Array.from({ length: bytes / 2 }, () => r.int(0x3000, 0x4800)).buffer
  const mask = format === 'rg11b10ufloat' ? 0x7fdffbff : -1
  return Int32Array.from({ length: Math.ceil(bytes / 4) }, () => r.bits() & mask).buffer.slice(0, bytes)
}

/** 64 invocations evaluate `body`, which gives a vec4 of floats or integers. */
const program = (declarations: string, type: string, body: string): string => `
@group(0) @binding(0) var<storage, read_write> out: array<vec4<${type}>>;
${declarations}
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) \
i: u32) {
  let c = vec2f(f32(id.x) * 0.173 - 0.2, f32(id.y) * 0.211 - 0.3); let d = vec3f(sin(f32(i) * 1.3), cos(f32(i) * \
2.1), sin(f32(i) * 0.7 + 1.0));
  out[i] = ${body};
}`

async function check(
  text: string,
  buffers: Record<string, ArrayBuffer>,
  options: Options,
  floats: readonly string[] = [],
  tolerance = 0,
): Promise<void> {
  const mine = simulated(text, [1, 1, 1], buffers, options)
  const theirs = await onDevice(text, [1, 1, 1], buffers, mine.wgsl, options)
  expect(difference(mine.buffers, theirs, new Set(floats), tolerance), text).toBeNull()
}

const out = (): ArrayBuffer => new ArrayBuffer(64 * 16)

describe('texels of every format', () => {
  const loaded: readonly (readonly [string, number, string])[] = [
    ['r8unorm', 1, 'f32'],
    ['r8snorm', 1, 'f32'],
    ['r8uint', 1, 'u32'],
    ['r8sint', 1, 'i32'],
    ['rg8unorm', 2, 'f32'],
    ['rg8snorm', 2, 'f32'],
    ['rg8uint', 2, 'u32'],
    ['rg8sint', 2, 'i32'],
    ['rgba8unorm', 4, 'f32'],
    ['rgba8unorm-srgb', 4, 'f32'],
    ['rgba8snorm', 4, 'f32'],
    ['rgba8uint', 4, 'u32'],
    ['rgba8sint', 4, 'i32'],
    ['bgra8unorm', 4, 'f32'],
    ['r16uint', 2, 'u32'],
    ['r16sint', 2, 'i32'],
    ['r16float', 2, 'f32'],
    ['rg16uint', 4, 'u32'],
    ['rg16sint', 4, 'i32'],
    ['rg16float', 4, 'f32'],
    ['rgba16uint', 8, 'u32'],
    ['rgba16sint', 8, 'i32'],
    ['rgba16float', 8, 'f32'],
    ['r32uint', 4, 'u32'],
    ['r32sint', 4, 'i32'],
    ['r32float', 4, 'f32'],
    ['rg32uint', 8, 'u32'],
    ['rg32sint', 8, 'i32'],
    ['rg32float', 8, 'f32'],
    ['rgba32uint', 16, 'u32'],
    ['rgba32sint', 16, 'i32'],
    ['rgba32float', 16, 'f32'],
    ['rgb10a2unorm', 4, 'f32'],
    ['rgb10a2uint', 4, 'u32'],
    ['rg11b10ufloat', 4, 'f32'],
    ['rgb9e5ufloat', 4, 'f32'],
  ]
  it.each(loaded)(
    'loads %s',
    async (format, bytes, type) => {
      const size: Size = [9, 7, 1]
      const text = program(
        `@group(0) @binding(1) var t: texture_2d<${type}>;`,
        type,
        'textureLoad(t, vec2u(id.x, id.y % 7u), 0)',
      )
      await check(
        text,
        { out: out(), t: texels(format, bytesOf(bytes, size), 7) },
        { textures: { t: { format, size } } },
        type === 'f32' ? ['out'] : [],
        format.endsWith('srgb') ? 1e-3 : 1e-6,
      )
    },
    30_000,
  )

  const storable: readonly (readonly [string, number, string])[] = [
    ['rgba8unorm', 4, 'f32'],
    ['rgba8snorm', 4, 'f32'],
    ['rgba8uint', 4, 'u32'],
    ['rgba8sint', 4, 'i32'],
    ['rgba16uint', 8, 'u32'],
    ['rgba16sint', 8, 'i32'],
    ['rgba16float', 8, 'f32'],
    ['r32uint', 4, 'u32'],
    ['r32sint', 4, 'i32'],
    ['r32float', 4, 'f32'],
    ['rg32uint', 8, 'u32'],
    ['rg32sint', 8, 'i32'],
    ['rg32float', 8, 'f32'],
    ['rgba32uint', 16, 'u32'],
    ['rgba32sint', 16, 'i32'],
    ['rgba32float', 16, 'f32'],
  ]
  it.each(storable)(
    'stores %s, and nothing outside',
    async (format, bytes, type) => {
      const size: Size = [6, 7, 1]
      const value =
        type === 'f32'
          ? 'vec4f((f32(i) + 0.25) * 0.015625, f32(id.x) * 0.203125 - 1.0, 0.8125, 1.75)'
          : type === 'u32'
            ? 'vec4u(i, id.x, 100u, 7u)'
            : 'vec4i(i32(i) - 30, i32(id.x), -100, 7)'
      const text = program(
        `@group(0) @binding(1) var t: texture_storage_2d<${format}, write>;`,
        'f32',
        `vec4f(vec2f(textureDimensions(t)), 0, 0); textureStore(t, id.xy, ${value})`,
      )
      await check(text, { out: out(), t: texels(format, bytesOf(bytes, size), 3) }, { textures: { t: { size } } })
    },
    30_000,
  )
})

describe('shapes of textures', () => {
  const shapes: readonly (readonly [string, string, Size, string, number?])[] = [
    ['1d', 'texture_1d<f32>', [16, 1, 1], 'textureLoad(t, i % 16u, 0)'],
    ['2d array', 'texture_2d_array<f32>', [8, 8, 3], 'textureLoad(t, id.xy, i % 3u, 0) + f32(textureNumLayers(t))'],
    [
      '3d',
      'texture_3d<f32>',
      [4, 8, 5],
      'textureLoad(t, vec3u(id.x % 4u, id.y, i % 5u), 0) + f32(textureDimensions(t).z)',
    ],
    [
      'mip levels',
      'texture_2d<f32>',
      [16, 16, 1],
      'textureLoad(t, id.xy / vec2u(1u << (i % 4u)) , 1u + i % 2u) + f32(textureDimensions(t, i % 4u).x) + ' +
        'f32(textureNumLevels(t))',
      4,
    ],
    [
      '3d levels',
      'texture_3d<f32>',
      [8, 8, 4],
      'textureLoad(t, vec3u(id.x / 4u, id.y / 4u, (i % 2u) & (1u - i % 3u / 2u)), i32(i % 3u)) + ' +
        'f32(textureDimensions(t, 2).z)',
      3,
    ],
    [
      'array levels',
      'texture_2d_array<f32>',
      [8, 4, 3],
      'textureLoad(t, vec2u(id.x / 4u, 0u), i32(i % 3u), i32(i % 3u))',
      3,
    ],
    [
      'passed to functions',
      'texture_2d<f32>',
      [8, 8, 1],
      'look(t, id.xy); } fn look(x: texture_2d<f32>, at: vec2u) -> vec4f { return textureLoad(x, at, 0) * ' +
        'f32(textureDimensions(x).x)',
    ],
  ]
  it.each(shapes.map(([name, type, size, body, levels = 1]) => [name, type, size, body, levels] as const))(
    '%s',
    async (_, type, size, body, levels) => {
      const text = program(`@group(0) @binding(1) var t: ${type};`, 'f32', body)
      await check(
        text,
        { out: out(), t: texels('rgba8unorm', bytesOf(4, size, levels, type.includes('3d')), 5) },
        { textures: { t: { format: 'rgba8unorm', size, levels } } },
        ['out'],
        1e-6,
      )
    },
    30_000,
  )

  it('stores of all invocations are there for loads after a barrier', async () => {
    const text = program(
      '@group(0) @binding(1) var t: texture_storage_2d<r32uint, read_write>;',
      'u32',
      'vec4u(0); textureStore(t, id.xy, vec4u(i * 3u)); textureBarrier(); out[i] = textureLoad(t, vec2u(7u - ' +
        'id.x, id.y)); textureStore(t, id.xy, vec4u(9u))',
    )
    const textures = { t: { size: [8, 8, 1] as const } }
    const mine = simulated(text, [1, 1, 1], { out: out(), t: new ArrayBuffer(256) }, { textures })
    expect(new Uint32Array(mine.buffers['out']!)[4 * 9]).toBe((8 + 6) * 3)
    expect(
      simulated(text, [1, 1, 1], { out: out(), t: new ArrayBuffer(256) }, { textures, check: true }).hazards.every(
        (h) => h.kind === 'race',
      ),
    ).toBe(true)
  })
})

describe('samplers', () => {
  const sampled: readonly (readonly [string, string, Size, string, NonNullable<Options['samplers']>, number?])[] = [
    ['nearest, clamped', 'texture_2d<f32>', [7, 5, 1], 'textureSampleLevel(t, s, c, 0)', { s: { filter: 'nearest' } }],
    [
      'nearest, repeated and mirrored',
      'texture_2d<f32>',
      [7, 5, 1],
      'textureSampleLevel(t, s, c * 2.1, 0)',
      { s: { filter: 'nearest', address: ['repeat', 'mirror', 'clamp'] } },
    ],
    ['linear, clamped', 'texture_2d<f32>', [7, 5, 1], 'textureSampleLevel(t, s, c, 0)', { s: { filter: 'linear' } }],
    [
      'linear, repeated and mirrored',
      'texture_2d<f32>',
      [8, 4, 1],
      'textureSampleLevel(t, s, c * 2.1, 0)',
      { s: { filter: 'linear', address: ['mirror', 'repeat', 'clamp'] } },
    ],
    [
      'offsets',
      'texture_2d<f32>',
      [8, 8, 1],
      'textureSampleLevel(t, s, c, 0, vec2i(1, -2))',
      { s: { filter: 'nearest' } },
    ],
    [
      'arrays',
      'texture_2d_array<f32>',
      [8, 8, 3],
      'textureSampleLevel(t, s, c, i32(i % 5u) - 1, 0)',
      { s: { filter: 'linear' } },
    ],
    [
      '3d',
      'texture_3d<f32>',
      [4, 4, 4],
      'textureSampleLevel(t, s, vec3f(c, c.x), 0)',
      { s: { filter: 'linear', address: ['repeat', 'repeat', 'repeat'] } },
    ],
    [
      'levels',
      'texture_2d<f32>',
      [16, 16, 1],
      'textureSampleLevel(t, s, c, f32(i) * 0.07 + 0.013)',
      { s: { filter: 'linear', mip: 'nearest' } },
      4,
    ],
    [
      'between levels',
      'texture_2d<f32>',
      [16, 16, 1],
      'textureSampleLevel(t, s, c, f32(i) * 0.07)',
      { s: { filter: 'linear', mip: 'linear' } },
      4,
    ],
    ['cubes', 'texture_cube<f32>', [8, 8, 6], 'textureSampleLevel(t, s, d, 0)', { s: { filter: 'nearest' } }],
    [
      'base level inside the edges',
      'texture_2d<f32>',
      [8, 8, 1],
      'textureSampleBaseClampToEdge(t, s, c)',
      { s: { filter: 'linear' } },
    ],
    ['gathered', 'texture_2d<f32>', [8, 8, 1], 'textureGather(1, t, s, c)', { s: { filter: 'linear' } }],
    [
      'gradients',
      'texture_2d<f32>',
      [16, 16, 1],
      'textureSampleGrad(t, s, c, vec2f(0.13, 0), vec2f(0, 0.02))',
      { s: { filter: 'linear' } },
      4,
    ],
  ]
  it.each(
    sampled.map(
      ([name, type, size, body, samplers, levels = 1]) => [name, type, size, body, samplers, levels] as const,
    ),
  )(
    '%s',
    async (_, type, size, body, samplers, levels) => {
      const text = program(`@group(0) @binding(1) var t: ${type}; @group(0) @binding(2) var s: sampler;`, 'f32', body)
      await check(
        text,
        { out: out(), t: texels('rgba8unorm', bytesOf(4, size, levels, type.includes('3d')), 11) },
        { textures: { t: { format: 'rgba8unorm', size, levels } }, samplers },
        ['out'],
        0.012,
      )
    },
    30_000,
  )

  it('compare depths', async () => {
    const text = program(
      '@group(0) @binding(1) var t: texture_depth_2d; @group(0) @binding(2) var s: sampler_comparison;',
      'f32',
      'vec4f(textureSampleCompareLevel(t, s, c, 0.43), textureLoad(t, id.xy, 0), 0, 1)',
    )
    await check(
      text,
      { out: out(), t: texels('depth16unorm', 128, 2) },
      {
        textures: { t: { format: 'depth16unorm', size: [8, 8, 1] } },
        samplers: { s: { filter: 'linear', compare: 'greater' } },
      },
      ['out'],
      0.012,
    )
  }, 30_000)
})

const copy = `@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var o: \
texture_storage_2d<rgba8unorm, write>; @group(0) @binding(2) var s: sampler;
@compute @workgroup_size(32, 2) fn main(@builtin(global_invocation_id) id: vec3u) {
  let a = textureLoad(t, id.xy, 0);
  let b = textureSampleLevel(t, s, vec2f(id.xy) / vec2f(textureDimensions(o)), 0);
  textureStore(o, id.xy, a + b);
}`
const explained = (launch: Partial<ExplainLaunch> = {}): ExplainReport =>
  explain({ text: copy, file: 'copy.wgsl' }, { grid: [2, 8, 1], ...launch }, { gpu: gpu('h200'), exact: true })

describe('what explain says of textures', () => {
  // 64 × 16 texels of 4 bytes; a warp reads 32 neighbours: 128 bytes, 4 sectors.
  it('counts requests and sectors by rows of texels', () => {
    const r = explained()
    const of = (line: number, op: string): ExplainReport['accesses'][number] =>
      r.accesses.find((a) => a.at?.line === line && a.op === op)!
    expect(of(3, 'load')).toMatchObject({
      space: 'texture',
      resource: 't',
      bytesPerLane: 4,
      requests: 32,
      threads: 1024,
      sectors: 128,
      efficiency: 1,
      pattern: 'coalesced',
    })
    expect(of(5, 'store')).toMatchObject({ space: 'texture', resource: 'o', requests: 32, sectors: 128 })
    expect(of(4, 'load')).toMatchObject({ requests: 32, threads: 1024 }) // four texels, one request
    expect(r.totals.texture.load.requests).toBe(64)
    expect(r.instructions.byClass['load']).toBe(2 * 1024)
    expect(r.hazards).toEqual([])
    expect(r.buffers.map((b) => [b.name, b.bytes, b.sized])).toEqual([
      ['t', 4096, 'by the grid'],
      ['o', 4096, 'by the grid'],
    ])
    expect(r.notes[0]).toContain(
      "textures: 't' 64×16 rgba8unorm (size by the grid), 'o' 64×16 rgba8unorm (size by the grid)",
    )
  })

  it('takes formats, sizes and samplers from the launch', () => {
    const r = explained({
      buffers: { t: { texture: { format: 'rgba32float', size: [64, 16, 1] } } },
      samplers: { s: { filter: 'nearest' } },
    })
    expect(r.accesses.find((a) => a.at?.line === 3)).toMatchObject({ bytesPerLane: 16, sectors: 512 })
    expect(r.totals.texture.load.sectors).toBe(512 + 512)
  })

  it('reads outside are hazards, stores outside are not', () => {
    const r = explained({ buffers: { t: { texture: { size: [64, 15, 1] } }, o: { texture: { size: [60, 16, 1] } } } })
    expect(r.hazards.map((h) => [h.kind, h.level, h.at?.line, h.count])).toEqual([['out-of-bounds', 'error', 3, 64]])
    expect(r.hazards[0]!.message).toBe(
      'read `textureLoad(t, id.xy, 0)` goes outside the texture; such reads give 0 here, and 0 or another ' +
        'texel on other GPUs',
    )
  })

  it('what leaves a texture whose size nobody gave is a note', () => {
    const text = `@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> o: array<vec4f>;
@compute @workgroup_size(64) fn f(@builtin(global_invocation_id) id: vec3u) {
  o[id.x] = textureLoad(t, id.xy * 100, 0);
}`
    const r = explain({ text, file: 'a.wgsl' }, { grid: [4, 1, 1] }, { gpu: gpu('h200') })
    expect(r.hazards.map((h) => [h.kind, h.level])).toEqual([['out-of-bounds', 'note']])
    expect(r.hazards[0]!.message).toContain("the size of 't' follows from the launch, since nobody gave it")
  })

  const refused: readonly (readonly [string, Partial<ExplainLaunch>, string])[] = [
    [
      'formats that do not go with the type',
      { buffers: { t: { texture: { format: 'rgba8uint' } } } },
      "a texture of format rgba8uint gives u32, but 't' is texture_2d<f32>",
    ],
    [
      'other formats than the source has',
      { buffers: { o: { texture: { format: 'rgba16float' } } } },
      "texture 'o' is texture_storage_2d<rgba8unorm, write> in the source, not rgba16float",
    ],
    [
      'unknown formats',
      { buffers: { t: { texture: { format: 'bc1-rgba-unorm' } } } },
      "'bc1-rgba-unorm' is no texture format that can be read here",
    ],
    ['sizes of buffers', { buffers: { t: { count: 4, type: 'f32' } } }, "'t' is a texture (texture_2d<f32>)"],
    [
      'layers of what has none',
      { buffers: { t: { texture: { size: [4, 4, 2] } } } },
      "texture 't' cannot be 4×4×2: texture_2d<f32> has no layers",
    ],
    ['too many levels', { buffers: { t: { texture: { size: [4, 4, 1], levels: 4 } } } }, 'it has no 4 levels'],
    ['unknown samplers', { samplers: { q: {} } }, "the kernel uses no sampler 'q'"],
  ]
  it.each(refused)('refuses %s', (_, launch, message) => {
    expect(() => explained(launch)).toThrow(message)
  })

  it('takes a texture of 4 GB whose texels decide nothing', () => {
    const texture = { format: 'rgba32float', size: [16384, 16384, 1] } as const
    expect(() => explained({ buffers: { t: { texture } } })).not.toThrow()
  })

  it('refuses gradients of cube maps with levels', () => {
    const text =
      '@group(0) @binding(0) var t: texture_cube<f32>; @group(0) @binding(1) var s: sampler; @compute ' +
      '@workgroup_size(1) fn main() { _ = textureSampleGrad(t, s, vec3f(1), vec3f(0), vec3f(0)); }'
    expect(() => parseWgsl(text, 't.wgsl', { textures: { t: { levels: 2 } } })).toThrow(
      'on a cube map of several levels cannot be analysed',
    )
    expect(parseWgsl(text, 't.wgsl').bindings.length).toBe(1)
  })

  const wrong: readonly (readonly [string, string])[] = [
    ['textureSample(t, s, vec2f(0))', 'textureSample() belongs to fragment shaders'],
    ['textureLoad(t, 1, 0)', 'the coordinates of textureLoad() cannot be i32'],
    ['textureLoad(t, vec2u(0))', 'textureLoad() needs the level'],
    ['textureLoad(t, vec2u(0), 0, 0)', 'textureLoad() has 1 arguments too many'],
    ['textureStore(t, vec2u(0), vec4f(0))', "'t' cannot be written"],
    ['textureGather(9, t, s, vec2f(0))', 'the channel must be a constant from 0 to 3'],
    ['textureFoo(t)', "unknown function 'textureFoo'"],
  ]
  it.each(wrong)('refuses %s', (call, expected) => {
    const text =
      `@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler; @compute ` +
      `@workgroup_size(1) fn main() { ${call.startsWith('textureStore') ? '' : '_ = '}${call}; }`
    expect(() => parseWgsl(text, 't.wgsl')).toThrow(expected)
  })
})
