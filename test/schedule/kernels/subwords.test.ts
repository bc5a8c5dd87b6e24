// Arrays of bytes and shorts whose threads own whole words: that every way in which cells lie on words, windows reach
// over borders and results share words with others computes what the source says, also at sizes that no tile divides,
// and that the text then has no atomics, no shifts by what a subscript leaves, and as many loads as words.
import { describe, expect, test } from 'vitest'
import { emitCudaLauncher, emitPlan } from '../../../src/emit/index.ts'
import type { Stmt } from '../../../src/ir/index.ts'
import { estimateRegisters } from '../../../src/model/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import type { Point } from '../../../src/schedule/index.ts'
import { openWebGpu } from '../../../src/run/index.ts'
import { freshArrays, referenceOf } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'
import { errorOf } from '../../emit/plans.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../../support/nvcc.ts'
import { sizesOf, verified } from '../support.ts'
import { someOf } from '../../support/long.ts'

type Case = readonly [name: string, source: string, sketches: readonly string[], loads: number]

const inside = (r: number): string => `for (int y = ${r}; y < h - ${r}; y++) for (int x = ${r}; x < w - ${r}; x++)`
const window = (r: number): string => `for (int i = -${r}; i <= ${r}; i++) for (int j = -${r}; j <= ${r}; j++)`
const image = (type: string, body: string, more = ''): string =>
  `${more}\nvoid f(int h, int w, const ${type} *in, ${type} *out) { ${body} }`
const clampTo = 'int yy = y + i < 0 ? 0 : y + i >= h ? h - 1 : y + i, xx = x + j < 0 ? 0 : x + j >= w ? w - 1 : x + j;'
const clamp = 'static unsigned char clamp(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }'

/** The last number: loads of the kernel's first point, if they are counted. */
const images: readonly Case[] = [
  [
    'the largest of a window',
    image(
      'unsigned char',
      `${inside(2)} { unsigned char m = 0; ${window(2)} if (in[(y+i)*w+x+j] > m) m = in[(y+i)*w+x+j]; ` +
        `out[y*w+x] = m; }`,
    ),
    ['stencil'],
    24,
  ],
  [
    'without a loop',
    image('unsigned char', `${inside(1)} { int g = in[y*w+x+1] - in[y*w+x-1]; out[y*w+x] = g < 0 ? -g : g; }`),
    ['stencil'],
    3,
  ],
  [
    'clamped borders, weights that are products',
    image(
      'unsigned char',
      `const int k[3] = {1, 2, 1}; ${inside(0)} { int s = 0; ${window(1)} { ${clampTo} s += k[i+1] * k[j+1] * ` +
        `in[yy*w+xx]; } out[y*w+x] = s >> 4; }`,
    ),
    ['stencil'],
    30,
  ],
  [
    'mirrored borders',
    image(
      'unsigned char',
      `${inside(0)} { int l = x == 0 ? 1 : x - 1, r = x == w - 1 ? w - 2 : x + 1; out[y*w+x] = (in[y*w+l] + 2 ` +
        `* in[y*w+x] + in[y*w+r] + 2) / 4; }`,
    ),
    ['stencil'],
    9,
  ],
  [
    'zeros around',
    image(
      'unsigned char',
      `${inside(0)} { int s = 0; ${window(1)} if (y + i >= 0 && y + i < h && x + j >= 0 && x + j < w) s += ` +
        `in[(y+i)*w+x+j]; out[y*w+x] = s / 9; }`,
    ),
    ['stencil'],
    18,
  ],
  [
    'signed bytes',
    image('signed char', `${inside(1)} { int s = 0; ${window(1)} s += in[(y+i)*w+x+j]; out[y*w+x] = s / 9; }`),
    ['stencil'],
    18,
  ],
  [
    'shorts',
    image(
      'unsigned short',
      `${inside(1)} { int s = 5 * in[y*w+x] - in[(y-1)*w+x] - in[(y+1)*w+x] - in[y*w+x-1] - in[y*w+x+1]; ` +
        `out[y*w+x] = s < 0 ? 0 : s > 65535 ? 65535 : s; }`,
    ),
    ['stencil'],
    18,
  ],
  [
    'signed shorts',
    image(
      'short',
      `${inside(1)} { int s = in[y*w+x] - in[(y-1)*w+x+1]; out[y*w+x] = s > 32767 ? 32767 : s < -32768 ? -32768 : s; }`,
    ),
    ['stencil'],
    10,
  ],
  [
    'the sum and what is done with it',
    `#include <stdint.h>\nvoid f(int h, int w, const uint8_t *in, const int8_t k[9], uint8_t *out) { ` +
      `${inside(1)} { int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) s += k[3*i+j] * ` +
      `in[(y+i-1)*w+x+j-1]; s >>= 4; if (s < 0) s = 0; if (s > 255) s = 255; out[y*w+x] = s; } }`,
    ['stencil'],
    27,
  ],
  [
    'two sums at once',
    image(
      'unsigned char',
      `${inside(1)} { const int kx[3][3] = {{-1,0,1},{-2,0,2},{-1,0,1}}; int gx = 0, gy = 0; ${window(1)} { ` +
        `int p = in[(y+i)*w+x+j]; gx += kx[i+1][j+1] * p; gy += kx[j+1][i+1] * p; } int m = abs(gx) + ` +
        `abs(gy); out[y*w+x] = m > 255 ? 255 : m; }`,
    ),
    ['per-iteration'],
    18,
  ],
  [
    'a quarter of the size',
    'void f(int h, int w, const unsigned char in[2*h][2*w], unsigned char out[h][w]) { for (int y = 0; y < h; ' +
      'y++) for (int x = 0; x < w; x++) out[y][x] = (in[2*y][2*x] + in[2*y][2*x+1] + in[2*y+1][2*x] + ' +
      'in[2*y+1][2*x+1] + 2) / 4; }',
    ['stencil'],
    16,
  ],
  [
    'channels of a blur',
    image(
      'unsigned char',
      `${inside(1)} for (int c = 0; c < 3; c++) { int s = 0; ${window(1)} s += in[((y+i)*w+x+j)*3+c]; ` +
        `out[(y*w+x)*3+c] = s / 9; }`,
    ),
    ['stencil'],
    0,
  ],
  [
    'sums of structures',
    `typedef struct { unsigned char r, g, b; } pixel; void f(int h, int w, const pixel *in, pixel *out) { ` +
      `${inside(1)} { int r = 0, g = 0, b = 0; ${window(1)} { pixel p = in[(y+i)*w+x+j]; r += p.r; g += p.g; ` +
      `b += p.b; } out[y*w+x].r = r / 9; out[y*w+x].g = g / 9; out[y*w+x].b = b / 9; } }`,
    ['maps'],
    0,
  ],
  [
    'a batch',
    'void f(int n, int h, int w, const unsigned char in[n][h][w], unsigned char out[n][h][w]) { for (int b = ' +
      '0; b < n; b++) for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) out[b][y][x] = ' +
      '(in[b][y][x-1] + in[b][y+1][x+1]) / 2; }',
    ['stencil'],
    0,
  ],
]

const rows: readonly Case[] = [
  [
    'grey of three channels',
    'void f(int n, const unsigned char *rgb, unsigned char *g) { for (int i = 0; i < n; i++) g[i] = ' +
      '(77*rgb[3*i] + 150*rgb[3*i+1] + 29*rgb[3*i+2]) >> 8; }',
    ['elementwise'],
    3,
  ],
  [
    'three channels of three',
    `${clamp} void f(int n, const unsigned char *yuv, unsigned char *rgb) { for (int i = 0; i < n; i++) { int ` +
      `c = yuv[3*i] - 16, d = yuv[3*i+1] - 128, e = yuv[3*i+2] - 128; rgb[3*i] = clamp((298*c + 409*e) >> 8); ` +
      `rgb[3*i+1] = clamp((298*c - 100*d - 208*e) >> 8); rgb[3*i+2] = clamp((298*c + 516*d) >> 8); } }`,
    ['maps'],
    6,
  ],
  [
    'two of three channels',
    'void f(int n, unsigned char *p) { for (int i = 0; i < n; i++) { int t = p[3*i]; p[3*i] = p[3*i+2]; ' +
      'p[3*i+2] = t; } }',
    ['per-iteration'],
    6,
  ],
  [
    'structures in place, with what was stored',
    'typedef struct { unsigned char r, g, b, a; } rgba; void f(int n, const rgba *s, rgba *d) { for (int i = ' +
      '0; i < n; i++) { int a = s[i].a, o = 255 - a; d[i].r = (s[i].r * a + d[i].r * o + 127) / 255; d[i].g = ' +
      '(s[i].g * a + d[i].r * o * 3) / 255; d[i].a = a + d[i].g; } }',
    ['maps'],
    2,
  ],
  [
    'in place, with locals',
    'void f(int n, float gain, unsigned char *p) { for (int i = 0; i < n; i++) { float v = p[i] * gain + 3; ' +
      'p[i] = v < 0 ? 0 : v > 255 ? 255 : (unsigned char)v; } }',
    ['per-iteration'],
    1,
  ],
  [
    'under a condition',
    'void f(int n, const unsigned char *m, unsigned char *p) { for (int i = 0; i < n; i++) if (m[i] > 100) ' +
      'p[i] = 255 - p[i]; }',
    ['elementwise'],
    0,
  ],
  [
    'a table',
    'void f(int n, const unsigned char *in, const unsigned char t[256], unsigned char *out) { for (int i = 0; ' +
      'i < n; i++) out[i] = t[in[i]]; }',
    ['elementwise'],
    5,
  ],
  [
    'one channel to four',
    'void f(int n, const unsigned char *g, unsigned char *p) { for (int i = 0; i < n; i++) { p[4*i] = g[i]; ' +
      'p[4*i+1] = g[i]; p[4*i+2] = g[i]; p[4*i+3] = 255; } }',
    ['maps'],
    0,
  ],
]

/** Loads of all statements. */
const loadsIn = (list: readonly Stmt[]): number =>
  list.reduce((n, s) => n + (s.kind === 'load' ? 1 : s.kind === 'if' ? loadsIn(s.then) : 0), 0)

describe.each([
  [
    'images',
    images,
    [
      [37, 44],
      [12, 16],
      [11, 300],
    ],
    [
      [19, 37],
      [5, 6],
    ],
  ],
  ['rows', rows, [[44], [4], [3000]], [[1], [2051]]],
] as const)('%s', (_, cases, whole, any) => {
  test.each(someOf(cases))('%s', async (name, source, sketches, loads) => {
    const p = await readC(source),
      a = analyse(p)
    expect(a.parts.map((x) => x.sketch.name)).toEqual(sketches)
    const pointAt = (n: number): readonly Point[] =>
      a.parts.map(({ sketch: { space } }) => {
        const some = space.filter((x) => x['words'])
        return some[Math.floor(n * (some.length - 1))]!
      }) // there are some
    for (const n of [0, 0.5, 1]) {
      const sizes = (n === 0 ? [...whole, ...any] : whole.slice(0, 1)).map((s) =>
          sizesOf(p, name === 'a batch' ? [2, ...s] : s),
        ),
        v = verified(a, pointAt(n), sizes)
      expect({ n, ok: v.ok, why: v.why }).toEqual({ n, ok: true, why: undefined })
    }
    const plan = build(a, pointAt(0)).plan,
      [first] = plan.variants
    const text = emitPlan(plan, { targets: ['wgsl'] }).variants[0]!.launches[0]!.emitted!.wgsl!.text
    // elements of 4 bytes are whole words at any size
    expect([first!.when !== null, text.includes('atomic')]).toEqual([!source.includes('rgba'), false])
    if (loads > 0) expect(loadsIn(first!.launches[0]!.kernel.body)).toBe(loads)
  })
})

test('extents that are constants need no variant, and no words where they are odd', async () => {
  const source = (w: number): string =>
    `void f(const unsigned char in[64][${w}], unsigned char out[64][${w}]) { for (int y = 1; y < 63; y++) for ` +
    `(int x = 1; x < ${w - 1}; x++) out[y][x] = (in[y][x-1] + in[y-1][x+1]) / 2; }`
  const [even, odd] = [analyse(await readC(source(96))), analyse(await readC(source(95)))],
    point = even.parts[0]!.sketch.space.find((x) => x['words'])!
  expect(odd.parts[0]!.sketch.space.filter((x) => x['words'])).toEqual([])
  expect(build(even, [point]).plan.variants.map((v) => v.when)).toEqual([null])
  expect(verified(even, [point], [{}]).ok).toBe(true)
})

test('bytes of a word take a register until they are used', async () => {
  const a = analyse(await readC(images[0]![1])),
    { space } = a.parts[0]!.sketch,
    at = (rows: number): number => {
      const point = space.find((x) => x['words'] === 4 && x['rows'] === rows)!
      return estimateRegisters(build(a, [point]).plan.variants[0]!.launches[0]!.kernel)
    }
  expect([at(4) < 80, at(8) < 120]).toEqual([true, true]) // 8 rows of 3 words, and 12
})

test.each(
  someOf(
    [images[0]!, images[2]!, images[5]!, images[6]!, images[8]!, rows[1]!, rows[3]!].map((c) => [c[0], c[1]] as const),
  ),
)(
  'on WebGPU and through nvcc: %s',
  async (_, source) => {
    const p = await readC(source),
      a = analyse(p),
      point = a.parts[0]!.sketch.space.find((x) => x['words'])!,
      plan = emitPlan(build(a, [point]).plan, { targets: ['wgsl', 'cuda'] })
    const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
    try {
      for (const n of [28, 21]) {
        const values = { sizes: sizesOf(p, [n]), scalars: {} },
          arrays = freshArrays(plan.arrays, values, 3, true),
          want = referenceOf(p, values, arrays),
          results = await webgpu.runPlan(plan, values, arrays)
        for (const { name } of plan.arrays.filter((x) => x.role !== 'in' && x.role !== 'temp'))
          expect([n, name, errorOf(results[name]!, Array.from(want[name] as Float64Array))]).toEqual([n, name, 0])
      }
    } finally {
      webgpu.close()
    }
    if (nvccAvailable()) expect(compileCuda(emitCudaLauncher(plan).text).filter((k) => k.spillBytes > 0)).toEqual([])
  },
  120_000,
)
