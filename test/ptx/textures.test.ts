// Texture and surface instructions, a line each: an image, where it is read, what comes out by the formulas of the CUDA
// programming guide (texture fetching). `%x %y %z` are the coordinates as f32, `%i %j %l` as integers, `%o`, `%e`,
// `%u`, `%w` the result.
import { describe, expect, test } from 'vitest'
import { explain } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { Dim3, SamplerSpec } from '../../src/ir/index.ts'
import { parsePtx } from '../../src/frontend/ptx/index.ts'
import { runPtx } from './compile.ts'

const program = (body: string): string => `.version 8.0
.target sm_90
.address_size 64
.global .texref ref;
.global .surfref sref;
.visible .entry k(.param .u64 t, .param .f32 x, .param .f32 y, .param .f32 z, .param .u64 out) {
.reg .f32 %x, %y, %z, %o, %e, %u, %w; .reg .b32 %i, %j, %l, %a, %b, %c, %d; .reg .b16 %h, %g; .reg .b64 %t, %out; \
.reg .pred %p;
ld.param.u64 %t, [t]; ld.param.f32 %x, [x]; ld.param.f32 %y, [y]; ld.param.f32 %z, [z]; ld.param.u64 %out, [out];
cvt.rzi.s32.f32 %i, %x; cvt.rzi.s32.f32 %j, %y; cvt.rzi.s32.f32 %l, %z;
mov.f32 %o, 0f00000000; mov.f32 %e, %o; mov.f32 %u, %o; mov.f32 %w, %o;
${body}
st.global.v4.f32 [%out], {%o, %e, %u, %w}; ret; }`

interface Image {
  readonly extent: Dim3
  readonly format: string
  readonly texels: ArrayBufferView
}
const image = (format: string, texels: ArrayBufferView, ...[x = 1, y = 1, z = 1]: number[]): Image => ({
  extent: [x, y, z],
  format,
  texels,
})

function read(body: string, im: Image, at: readonly number[], sampler?: SamplerSpec): number[] {
  const out = new Float32Array(4)
  const bytes = new Uint8Array(im.texels.buffer).slice().buffer
  runPtx(program(body), {
    args: [0, at[0] ?? 0, at[1] ?? 0, at[2] ?? 0, out],
    image: { bytes, extent: im.extent, format: im.format, ...(sampler && { sampler }) },
  })
  return [...out]
}

const row = image('r32float', Float32Array.of(10, 20, 40, 80), 4)
const plane = image(
  'r32float',
  Float32Array.from({ length: 12 }, (_, i) => i),
  4,
  3,
)
const bytes = image('rgba8unorm', Uint8Array.of(0, 51, 102, 255), 1, 1)
const cube = image(
  'r32float',
  Float32Array.from({ length: 24 }, (_, i) => Math.floor(i / 4)),
  2,
  2,
  6,
)
const linear: SamplerSpec = { filter: 'linear' }
const unit: SamplerSpec = { coordinates: 'normalized', address: ['repeat', 'repeat', 'repeat'] }
const fetch1 = 'tex.1d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x}];'
const fetch2 = 'tex.2d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y}];'

describe('texture fetches', () => {
  const cases: readonly (readonly [string, string, Image, readonly number[], SamplerSpec | undefined, number])[] = [
    ['by element', 'tex.1d.v4.f32.s32 {%o, %e, %u, %w}, [%t, {%i}];', row, [2], undefined, 40],
    ['the nearest texel', fetch1, row, [1.9], undefined, 20],
    ['clamped below', fetch1, row, [-5], undefined, 10],
    ['clamped above', fetch1, row, [9], undefined, 80],
    [
      'repeat is clamp where coordinates count texels',
      fetch1,
      row,
      [5],
      { address: ['repeat', 'repeat', 'repeat'] },
      80,
    ],
    ['linear between centres', fetch1, row, [2], linear, 30],
    ['linear at a centre', fetch1, row, [2.5], linear, 40],
    ['linear before the first centre', fetch1, row, [0.25], linear, 10],
    ['normalized', fetch1, row, [0.6], unit, 40],
    ['normalized, wrapped', fetch1, row, [-0.4], unit, 40],
    ['normalized, mirrored', fetch1, row, [-0.1], { ...unit, address: ['mirror', 'mirror', 'mirror'] }, 10],
    ['normalized, linear, wrapped', fetch1, row, [0], { ...unit, filter: 'linear' }, 45],
    ['rows', fetch2, plane, [2, 1], undefined, 6],
    ['bilinear', fetch2, plane, [2, 1], linear, 3.5],
    [
      'three dimensions',
      'tex.3d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y, %z, %z}];',
      { ...plane, extent: [2, 3, 2] },
      [1, 2, 1],
      undefined,
      11,
    ],
    [
      'layers',
      'tex.a2d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%l, %x, %y, %y}];',
      { ...plane, extent: [2, 3, 2] },
      [1, 2, 1],
      undefined,
      11,
    ],
    [
      'layers of rows',
      'tex.a1d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%l, %x}];',
      { ...plane, extent: [4, 1, 3] },
      [1, 0, 2],
      undefined,
      9,
    ],
    [
      'the −x face',
      'tex.cube.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y, %z, %z}];',
      cube,
      [-2, 1, 0.5],
      { coordinates: 'normalized' },
      1,
    ],
    [
      'the −z face',
      'tex.cube.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y, %z, %z}];',
      cube,
      [0.1, 0.2, -1],
      { coordinates: 'normalized' },
      5,
    ],
    [
      'a level of a texture that has one',
      'tex.level.2d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y}], %z;',
      plane,
      [2, 1, 3],
      undefined,
      6,
    ],
    [
      'with a sampler of its own',
      'tex.2d.v4.f32.f32 {%o, %e, %u, %w}, [%t, ref, {%x, %y}];',
      plane,
      [2, 1],
      undefined,
      6,
    ],
    ['a reference of the module', 'tex.2d.v4.f32.f32 {%o, %e, %u, %w}, [ref, {%x, %y}];', plane, [2, 1], undefined, 6],
    [
      'the address of a reference',
      'mov.u64 %t, ref; tex.2d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y}];',
      plane,
      [2, 1],
      undefined,
      6,
    ],
    ['width', `${fetch2} txq.width.b32 %a, [%t]; cvt.rn.f32.u32 %o, %a;`, plane, [0, 0], undefined, 4],
    [
      'height',
      `txq.height.b32 %a, [%t]; cvt.rn.f32.u32 %o, %a; tex.2d.v4.f32.f32 {%x, %e, %u, %w}, [%t, {%x, %y}];`,
      plane,
      [0, 0],
      undefined,
      3,
    ],
  ]
  test.each(cases)('%s', (_, body, im, at, sampler, expected) =>
    expect(read(body, im, at, sampler)[0]).toBeCloseTo(expected, 5))
  test('normalized bytes', () =>
    expect(read(fetch2, bytes, [0, 0]).map((x) => Math.round(x * 5))).toEqual([0, 1, 2, 5]))
  test('integers', () =>
    expect(
      read(
        'tex.2d.v4.u32.f32 {%a, %b, %c, %d}, [%t, {%x, %y}]; cvt.rn.f32.u32 %o, %b; cvt.rn.f32.u32 %e, %d;',
        { ...bytes, format: 'rgba8uint' },
        [0, 0],
      ),
    ).toEqual([51, 255, 0, 0]))
  test('signed integers', () =>
    expect(
      read(
        'tex.1d.v4.s32.s32 {%a, %b, %c, %d}, [%t, {%i}]; cvt.rn.f32.s32 %o, %a;',
        image('r8sint', Int8Array.of(-3, 0, 0, 0), 4),
        [0],
      )[0],
    ).toBe(-3))
  test('channels that a format lacks are 0, the last 1', () => expect(read(fetch1, row, [0])).toEqual([10, 0, 0, 1]))
  test('beyond an array of elements there are zeros', () =>
    expect(read('tex.1d.v4.f32.s32 {%o, %e, %u, %w}, [%t, {%i}];', row, [4])[0]).toBe(0))
  test('tld4 gives the four texels of a bilinear fetch, from the lower left against the clock', () =>
    expect(read('tld4.r.2d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y}];', plane, [2, 1])).toEqual([5, 6, 2, 1]))
})

describe('surfaces', () => {
  const grid = image(
    'rgba8uint',
    Uint8Array.from({ length: 24 }, (_, i) => i),
    3,
    2,
  )
  const one = 'cvt.rn.f32.u16 %o, %h;'
  test('x counts bytes', () => expect(read(`suld.b.2d.b8.trap {%h}, [%t, {%i, %j}]; ${one}`, grid, [7, 1])[0]).toBe(19))
  test('.clamp stays inside', () =>
    expect(read(`suld.b.2d.b8.clamp {%h}, [%t, {%i, %j}]; ${one}`, grid, [70, 9])[0]).toBe(23))
  test('what is stored is read', () =>
    expect(
      read(
        `mov.b16 %g, 200; sust.b.2d.b8.trap [%t, {%i, %j}], {%g}; suld.b.2d.b8.trap {%h}, [%t, {%i, %j}]; ${one}`,
        grid,
        [7, 1],
      )[0],
    ).toBe(200))
  test('layers come first', () =>
    expect(
      read(`suld.b.a2d.b8.trap {%h}, [%t, {%l, %i, %j, %j}]; ${one}`, { ...grid, extent: [1, 2, 3] }, [1, 1, 2])[0],
    ).toBe(21))
  test('a store outside is dropped', () =>
    expect(
      read(
        `mov.b16 %g, 200; mov.b32 %a, 50; sust.b.2d.b8.zero [%t, {%a, %j}], {%g}; suld.b.2d.b8.trap {%h}, ` +
          `[%t, {%i, %j}]; ${one}`,
        grid,
        [11, 1],
      )[0],
    ).toBe(23))
  test('formatted stores count elements', () =>
    expect(
      read(
        `mov.b32 %a, 77; sust.p.2d.v4.b32.trap [%t, {%i, %j}], {%a, %a, %a, %a}; mov.b32 %b, 8; ` +
          `suld.b.2d.b8.trap {%h}, [%t, {%b, %j}]; ${one}`,
        grid,
        [2, 1],
      )[0],
    ).toBe(77))
})

describe('refused by name', () => {
  const message = (body: string): string => {
    try {
      parsePtx(program(body), 'k.ptx', {})
    } catch (e) {
      return String(e)
    }
    return 'accepted'
  }
  test.each([
    ['tex.2dms.v4.f32.s32 {%o, %e, %u, %w}, [%t, {%i, %i, %j, %j}];', /multisampled/],
    ['tex.2d.v4.f16.f32 {%h, %h, %h, %h}, [%t, {%x, %y}];', /another type than 32 bits/],
    ['tex.2d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y}], {%i, %j};', /offsets or a depth/],
    ['sured.b.add.2d.u16.trap [%t, {%i, %j}], %a;', /sured.b.add.2d.u16.trap cannot/],
    ['tex.2d.v4.f32.f32 {%o, %e, %u, %w, %x}, [%t, {%x, %y}];', /names 5 results/],
    ['tex.2d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x}];', /needs 2 coordinates/],
    ['tld4.r.3d.v4.f32.f32 {%o, %e, %u, %w}, [%t, {%x, %y, %z, %z}];', /tld4 reads planes/],
    ['suld.b.2d.b8.trap {%h, %h, %h}, [%t, {%i, %j}];', /of 3 values/],
    ['suld.p.2d.v4.b32.trap {%a, %b, %c, %d}, [%t, {%i, %j}];', /formatted surface access/],
  ])('%s', (body, expected) => expect(message(body)).toMatch(expected))
})

describe('what is counted', () => {
  test('a bilinear fetch is one request of the texture unit', () => {
    const out = new Float32Array(4)
    const { counters } = runPtx(program(fetch2), {
      block: [32, 1, 1],
      args: [0, 1.5, 1.5, 0, out],
      image: { bytes: new ArrayBuffer(48), extent: [4, 3, 1], format: 'r32float', sampler: linear },
    })
    const sites = counters.sites.filter((s) => s.space === 'texture')
    expect(sites.reduce((n, s) => n + s.requests, 0)).toBe(1)
  })
  test('handles that mix are one texture', () =>
    expect(
      parsePtx(
        program(
          'setp.lt.f32 %p, %x, %y; mov.u64 %out, ref; selp.b64 %t, %t, %out, %p; tex.1d.v4.f32.f32 {%o, %e, ' +
            '%u, %w}, [%t, {%x}]; ld.param.u64 %out, [out]; tex.1d.v4.f32.f32 {%o, %e, %u, %w}, [ref, {%x}];',
        ),
        'k.ptx',
        {},
      ).textures.map((t) => t.handle),
    ).toEqual([null]))
})

describe('explain', () => {
  const threads = 'mov.u32 %i, %tid.x; cvt.rn.f32.u32 %x, %i; mov.f32 %y, 0f00000000;'
  const report = (launch: Partial<Parameters<typeof explain>[1]>): ReturnType<typeof explain> =>
    explain(
      { text: program(`${threads} ${fetch2}`), file: 'k.ptx', language: 'ptx' },
      { grid: [1, 1, 1], block: [32, 1, 1], ...launch },
      { gpu: gpu('h200') },
    )
  const texels = (r: ReturnType<typeof explain>): unknown[] =>
    r.accesses.filter((a) => a.space === 'texture').map((a) => [a.resource, a.requests, a.sectors])
  test('a texture has a texel a thread and says so', () => {
    const r = report({})
    expect([texels(r), r.notes.filter((n) => /texels/.test(n)).length]).toEqual([[['param_0', 1, 16]], 2])
  })
  test('format and size are the launch’s', () =>
    expect(texels(report({ buffers: { param_0: { texture: { format: 'r8unorm', size: [64, 2, 1] } } } }))).toEqual([
      ['param_0', 1, 1],
    ]))
  test('normalized coordinates reach across the texture', () =>
    expect(
      texels(
        report({
          buffers: { param_0: { texture: { format: 'r32float', size: [1024, 1, 1] } } },
          samplers: { param_0: { coordinates: 'normalized', address: ['clamp', 'clamp', 'clamp'] } },
        }),
      ),
    ).toEqual([['param_0', 1, 2]]))
  test.each([
    [{ samplers: { other: {} } }, /the kernel uses no texture 'other'/],
    [{ buffers: { param_0: { texture: { format: 'rgba8uint' } } } }, /gives integers, but the kernel reads floats/],
    [{ buffers: { param_0: { texture: { format: 'bc1-rgba-unorm' } } } }, /is no texture format that can be read here/],
    [{ buffers: { param_0: { texture: { size: [99999, 1, 1] as const } } } }, /cannot be 99999×1×1/],
  ] as const)('refused: %j', (launch, expected) => expect(() => report(launch)).toThrow(expected))
})
