// Experiments on what is in flight: warps, blocks, registers. In: kernels. Out: experiments, as data.
import { floats, kernel, made, point, type Experiment, type Point } from '../types.ts'
import { copyFrom, keptValues, productShader } from '../wgsl.ts'

/** Rows of the matrices; 2²⁰ elements; words of a KiB. */
const n = 1024,
  M = n * n,
  wordsPerKiB = 256

/** A product through tiles whose blocks take `kib` KiB for nothing. */
const crowded = (tile: number, kib: number): Point =>
  point(
    kib,
    made(`tile of ${tile} with ${kib} KiB`, productShader({ tile, ballast: kib * wordsPerKiB }), [n / tile, n / tile], {
      overrides: { n },
      ...floats({ a: M, b: M, c: M }),
    }),
  )

const fewer = (tile: number): Experiment['series'][number] => ({
  name: `tile of ${tile}`,
  points: [0, 1, 2, 3, 4, 6, 8, 10, 13, 20, 28, 44].map((kib) => crowded(tile, kib)),
})

/** Through Vulkan an H200's times fit ⌊48 KiB ÷ a block's⌋ blocks at all of these sizes. */
const carved =
  'measured through WebGPU on an H200, times grow much faster with the memory that a block takes: they fit 48 ' +
  'KiB of shared memory a multiprocessor, of the 228 that CUDA can have and that the profile says; so ' +
  'measured points have fewer blocks in flight than where they stand'

const occupancy: Experiment = {
  name: 'occupancy',
  title: 'Time against occupancy',
  idea:
    'A tiled product whose blocks take more and more shared memory on purpose, so that fewer of them fit. Time ' +
    'falls with more warps in flight only until their number hides the latency.',
  sources: [
    { document: 'thesis', place: 'figure 5.1, table 3.2, §3.2' },
    { document: 'tiling', place: 'larger tiles lower occupancy' },
  ],
  x: { label: 'occupancy in %', scale: 'linear' },
  along: 'occupancy',
  plots: ['time', 'blocks'],
  series: [8, 16].map(fewer),
  notes: [carved],
}

const active: Experiment = {
  name: 'active-blocks',
  title: 'Time against active blocks',
  idea:
    'The same with the number of blocks in flight on each multiprocessor on the axis, for two sizes of block: a ' +
    'few large blocks hold as many warps as many small ones.',
  sources: [{ document: 'thesis', place: 'figure 5.2, §3.2' }],
  x: { label: 'active blocks', scale: 'linear' },
  along: 'blocks',
  plots: ['time', 'occupancy'],
  series: [8, 16].map(fewer),
  notes: [carved],
}

const configuration = (tile: number, outputs: number): Point =>
  point(
    `${tile * tile} threads, ${outputs} ${outputs === 1 ? 'output' : 'outputs'}`,
    made(`tile of ${tile}, ${outputs} outputs`, productShader({ tile, outputs }), [n / (tile * outputs), n / tile], {
      overrides: { n },
      ...floats({ a: M, b: M, c: M }),
    }),
  )

const configurations: Experiment = {
  name: 'configurations',
  title: 'One algorithm, many configurations',
  idea:
    'The same tiled product in blocks of 64 and 256 threads that compute one to four outputs each. What a ' +
    'multiprocessor holds is nearly the same, the time is not.',
  sources: [{ document: 'thesis', place: 'figure 3.1, right' }],
  x: { label: 'block', scale: 'names' },
  plots: ['time', 'occupancy', 'blocks', 'grid'],
  series: [{ name: `${n} × ${n}`, points: [8, 16].flatMap((tile) => [1, 2, 4].map((d) => configuration(tile, d))) }],
}

const copied = M
const wholeWarps: Experiment = {
  name: 'whole-warps',
  title: 'Blocks that are no whole warps',
  idea:
    'A copy, one element a thread, in blocks of different lengths. A block takes whole warps: what is left of the ' +
    'last one stands idle, and the block after it begins in the middle of a piece of memory.',
  sources: [
    { document: 'web', place: 'workgroup size, a multiple of the warp' },
    { document: 'thesis', place: '§3.2, equation 3.3' },
  ],
  x: { label: 'threads of a block', scale: 'names' },
  plots: ['lanes', 'transactions', 'time'],
  series: [
    {
      name: 'copy',
      points: [256, 250, 200, 100, 64, 48, 33, 32].map((block) =>
        point(
          String(block),
          made(`blocks of ${block}`, copyFrom('i'), Math.ceil(copied / block), {
            overrides: { n: copied, block },
            ...floats({ input: copied, output: copied }),
          }),
        ),
      ),
    },
  ],
}

const blocks: Experiment = {
  name: 'blocks',
  title: 'Time against the number of blocks',
  idea:
    'The same sum dealt to ever more blocks. Too few leave multiprocessors without work; many even out, until ' +
    'each has too little to do.',
  sources: [{ document: 'thesis', place: 'chapter 3: at least 30 blocks a multiprocessor' }],
  x: { label: 'blocks', scale: 'log2' },
  plots: ['time', 'bandwidth'],
  series: [
    {
      name: 'sum of 16 M',
      points: [16, 32, 64, 128, 256, 512, 1024, 4096, 16384].map((g) =>
        point(
          g,
          kernel('reduce-many', g, { n: 16 * M, groups: g }, { buffers: { input: { type: 'f32', count: 16 * M } } }),
        ),
      ),
    },
  ],
}

const limits = [16, 20, 24, 28, 30, 32, 36, 40, 48] as const
/** Rows and columns of the matrices. */
const side = 512
const limited = (unroll: number) => ({
  name: unroll === 1 ? 'not unrolled' : `unrolled by ${unroll}`,
  points: limits.map((r) =>
    point(
      r,
      made(
        `4 outputs, ${unroll === 1 ? 'not unrolled' : `unrolled by ${unroll}`}`,
        productShader({ outputs: 4, unroll }),
        [side / 64, side / 16],
        { overrides: { n: side }, ...floats({ a: side * side, b: side * side, c: side * side }) },
      ),
      { registerLimit: r },
    ),
  ),
})
/** Threads of 240 blocks, fewer than a large GPU holds at once: the kernel waits. */
const threads = 240 * 256
/** Sixteen values that wait for a loop of dependent reads: it lacks warps in flight, and wastes registers. */
const waiting = {
  name: 'values that wait',
  points: limits.map((r) =>
    point(
      r,
      made('values that wait', keptValues(16), threads / 256, {
        overrides: { n: threads },
        buffers: {
          input: { type: 'f32', count: 16 * threads, fill: 'random' },
          next: { type: 'u32', count: threads },
          output: { type: 'f32', count: threads },
        },
      }),
      { registerLimit: r },
    ),
  ),
}
const spillNote =
  'on GPUs without caches what is spilled is what is touched least: two or three registers fewer cost next to ' +
  'nothing, as the thesis says, until values of the inner loop have to go. Where L1 holds what is spilled, each ' +
  'value is charged as if it were used as often as the others, which fits measured products better'
const unmeasured = 'WGSL has no way to limit registers; nvcc has -maxrregcount'

const registers: Experiment = {
  name: 'registers',
  title: 'Register limit against spills and time',
  idea:
    'Fewer registers a thread let more warps run; what does not fit is spilled to local memory, which costs time ' +
    'that the warps must bring back. A product through tiles has warps enough; a loop of reads that wait for each ' +
    'other wants more, and spilling what waits outside of it pays.',
  sources: [{ document: 'thesis', place: 'figure 5.10, §3.2' }],
  x: { label: 'registers allowed', scale: 'log2' },
  plots: ['time', 'occupancy', 'spilled'],
  unmeasured,
  series: [limited(1), waiting],
  notes: [spillNote],
}

const registersUnrolled: Experiment = {
  name: 'registers-unrolled',
  title: 'Register limit with unrolling',
  idea:
    'The same limits on a loop that is written out eight times. By the estimate it keeps no more values alive; ' +
    'a compiler that moves its loads to the front needs more, and spills sooner.',
  sources: [{ document: 'thesis', place: 'figure 5.11' }],
  x: { label: 'registers allowed', scale: 'log2' },
  plots: ['time', 'occupancy', 'spilled'],
  unmeasured,
  series: [limited(1), limited(8)],
  notes: [spillNote],
}

export const parallel: readonly Experiment[] = [
  occupancy,
  active,
  configurations,
  wholeWarps,
  blocks,
  registers,
  registersUnrolled,
]
