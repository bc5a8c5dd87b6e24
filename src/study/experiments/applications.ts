// Experiments on whole applications of the thesis: convolution, a support vector machine, NMF. In: kernels. Out:
// experiments, as data.
import { floats, kernel, made, point, type Experiment, type Step } from '../types.ts'
import { convolveBlock, convolveIdle, transposedProduct } from '../wgsl.ts'

/** Rows and columns of the image. */
const size = 1024
const image = (radius: number) => ({ width: size, height: size, radius })
const fixed = { width: size, height: size }
const buffers = (weights: number) => floats({ image: size * size, weights, output: size * size })
const area = (r: number): number => (2 * r + 1) ** 2
const rows = (r: number): Step => kernel('convolve-rows', [size / 32, size / 8], image(r), buffers(2 * r + 1))
const columns = (r: number): Step => kernel('convolve-columns', [size / 32, size / 8], image(r), buffers(2 * r + 1))
const simple = (r: number): Step => kernel('convolve-simple', [size / 32, size / 8], image(r), buffers(area(r)))
const several = (r: number): Step => kernel('convolve-outputs', [size / 32, size / 32], image(r), buffers(area(r)))
const idle = (r: number): Step =>
  made(`idle margin of ${r}`, convolveIdle(r), [Math.ceil(size / (16 - 2 * r)), Math.ceil(size / (16 - 2 * r))], {
    overrides: fixed,
    ...buffers(area(r)),
  })

const convolution: Experiment = {
  name: 'convolution',
  title: 'Ways to convolve',
  idea:
    'The same convolution of radius 4: straight from memory, from the block’s own pixels (figure 4.8; what lies ' +
    'outside comes from memory, under a branch), from a tile with its margin, from ' +
    'a tile whose border threads stand idle, four outputs a thread, and in two passes of one dimension.',
  sources: [
    { document: 'thesis', place: 'figures 4.8 to 4.11' },
    { document: 'tiling', place: 'exploration: tiling a convolution' },
  ],
  x: { label: 'kernel', scale: 'names' },
  plots: ['time', 'instructions', 'moved', 'lanes'],
  series: [
    {
      name: `${size} × ${size}`,
      points: [
        point('simple', simple(4)),
        point(
          'block without margin',
          made('block without margin', convolveBlock(4), [size / 16, size / 16], {
            overrides: fixed,
            ...buffers(area(4)),
          }),
        ),
        point('margin', kernel('convolve-halo', [size / 32, size / 16], fixed, buffers(area(4)))),
        point('idle threads', idle(4)),
        point('four outputs', several(4)),
        point('separable', [rows(4), columns(4)]),
      ],
    },
  ],
  notes: [
    'measured on an H200, the tile with its margin is no faster than reading straight from memory, because L1 ' +
      'catches the neighbours anyway; predicted it is 1.4 times as fast',
  ],
}

const radius: Experiment = {
  name: 'convolution-radius',
  title: 'Convolution against radius',
  idea:
    'Work grows with the square of the radius, or with the radius where the mask is separable. A block that ' +
    'loads its margin with one pixel a thread has ever fewer threads that compute.',
  sources: [{ document: 'thesis', place: 'figures 4.10 and 4.11' }],
  x: { label: 'radius', scale: 'linear' },
  plots: ['time', 'instructions', 'lanes'],
  series: [
    { name: 'simple', points: [1, 2, 4, 6, 8].map((r) => point(r, simple(r))) },
    { name: 'idle threads', points: [1, 2, 4, 6].map((r) => point(r, idle(r))) },
    { name: 'four outputs', points: [1, 2, 4, 6, 8].map((r) => point(r, several(r))) },
    { name: 'separable', points: [1, 2, 4, 6, 8].map((r) => point(r, [rows(r), columns(r)])) },
  ],
}

const svm: Experiment = {
  name: 'svm',
  title: 'A support vector machine, three ways',
  idea:
    'Support vectors are read alike by all threads, so that constant memory serves them; samples are a row a ' +
    'thread, so that neighbours read far apart until they are stored by dimension.',
  sources: [{ document: 'thesis', place: 'figure 3.1, §3.1' }],
  x: { label: 'kernel', scale: 'names' },
  plots: ['time', 'transactions', 'moved'],
  series: [
    {
      name: '64 k samples',
      points: [
        point('naive', kernel('svm-memory', 512)),
        point('constant', kernel('svm-uniform', 512)),
        point('constant, reordered', kernel('svm-columns', 512, { samples_count: 65536 })),
      ],
    },
  ],
  notes: [
    'the two with constants choose components of vectors in uniform memory, `support[i / 4][i % 4]`: under WebGPU ' +
      'their loop is not unrolled, so that samples are read again for every support vector, 32 lanes in one bank of ' +
      'L1. With a fixed component the same loop takes 53 µs instead of 1.05 ms (measured on an H100)',
    'the naive one waits for every sector of the support vectors, which all warps ask for at once; compilers of ' +
      'WebGPU keep fewer loads under way than the model says',
  ],
}

const [n, m, r] = [512, 4096, 32]
const turned = (name: string, cols: number, depth: number, count: number): Step =>
  made(name, transposedProduct, [cols / 32, r / 8], {
    overrides: { rows: r, columns: cols, depth },
    ...floats({ left: depth * r, right: count, output: r * cols }),
  })
const nmf: Experiment = {
  name: 'nmf',
  title: 'A step of NMF, kernel by kernel',
  idea:
    'H ← H · WᵀV ÷ WᵀWH: two thin products, a small one, and an update of every element. Most of the time is in ' +
    'WᵀV; the update moves bytes and computes nothing.',
  sources: [{ document: 'thesis', place: 'appendix A' }],
  x: { label: 'kernel', scale: 'names' },
  plots: ['time', 'rate', 'moved'],
  series: [
    {
      name: `${n} × ${m}, rank ${r}`,
      points: [
        point('WᵀV', turned('numerator', m, n, n * m)),
        point('WᵀW', turned('Gram matrix', r, n, n * r)),
        point('(WᵀW)H', turned('denominator', m, r, r * m)),
        point('update', kernel('nmf-update', (r * m) / 256, { n: r * m })),
      ],
    },
  ],
  notes: ['the supervised variant adds a product of the same shape to numerator and denominator'],
}

const textured = (r: number): Step =>
  kernel('convolve-texture', [size / 32, size / 8], image(r), {
    buffers: {
      image: { texture: { format: 'r32float', size: [size, size, 1] } },
      weights: { type: 'f32', count: area(r) },
      output: { type: 'f32', count: size * size },
    },
  })
const textures: Experiment = {
  name: 'textures',
  title: 'A texture against a buffer',
  idea:
    'The same convolution with its image in a buffer and in a texture. Neighbours ask for the same sectors; the ' +
    'texture unit computes the addresses, so that fewer instructions are left, and fetches so many texels a clock.',
  sources: [
    { document: 'thesis', place: '§2.2.1.2, texture memory' },
    { document: 'web', place: 'consider textures' },
  ],
  x: { label: 'radius', scale: 'linear' },
  plots: ['time', 'instructions', 'transactions'],
  unmeasured: '`--measure` binds buffers only; docs/study-h100.md has times of an H100',
  series: [
    { name: 'buffer', points: [1, 2, 4, 8].map((r) => point(r, simple(r))) },
    { name: 'texture', points: [1, 2, 4, 8].map((r) => point(r, textured(r))) },
  ],
  notes: [
    'on an H100 the texture takes twice as long as the buffer, whose L1 serves 32 words a clock where texture units ' +
      'fetch 5.5 texels; on a GT200 nothing else is cached, and the texture is twice as fast',
    'texels are taken to lie row by row; what vendors gain by their undocumented orders of texels is not in ' +
      'these figures',
  ],
}

export const applications: readonly Experiment[] = [convolution, radius, textures, svm, nmf]
