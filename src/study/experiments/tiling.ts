// Experiments on memory of the block: tiles, what a thread does with one, barriers, banks, constants. In: kernels. Out:
// experiments, as data.
import { floats, kernel, made, point, type Experiment } from '../types.ts'
import { bankPattern, bankStride, paddedTile, productShader, type ProductShader } from '../wgsl.ts'

/** Rows and columns of the matrices. */
const n = 1024
const outputs = [1, 2, 4, 8] as const
/** A product of n × n matrices through tiles. */
const tiled = (name: string, p: ProductShader, size = n) =>
  made(name, productShader(p), [size / ((p.tile ?? 16) * (p.outputs ?? 1)), size / (p.tile ?? 16)], {
    overrides: { n: size },
    ...floats({ a: size * size, b: size * size, c: size * size }),
  })

const tileSize: Experiment = {
  name: 'tile-size',
  title: 'Tile size against instructions and time',
  idea:
    'A product of matrices through square tiles, one output a thread. A larger tile is fetched less often and ' +
    'spends fewer instructions on fetching; a block of 32 × 32 does not exist on a GT200.',
  sources: [
    { document: 'thesis', place: 'figure 5.5' },
    { document: 'tiling', place: 'choice of the tile’s size' },
  ],
  x: { label: 'tile width', scale: 'log2' },
  plots: ['time', 'instructions', 'moved', 'occupancy'],
  series: [{ name: `${n} × ${n}`, points: [4, 8, 16, 32].map((t) => point(t, tiled(`tile of ${t}`, { tile: t }))) }],
}

const intensity: Experiment = {
  name: 'intensity',
  title: 'Arithmetic intensity against tile width',
  idea:
    'With tiles of width t every fetched element serves t products, so that operations a byte grow with t. At 1 ' +
    'there is no tile: a warp’s requests are merged by the hardware, which already helps.',
  sources: [{ document: 'tiling', place: 'analysis of the bandwidth saved' }],
  x: { label: 'tile width', scale: 'log2' },
  plots: ['intensity', 'rate', 'moved'],
  series: [
    {
      name: `${n} × ${n}`,
      points: [
        point(1, kernel('matmul-naive', [n / 16, n / 16], { n })),
        ...[4, 8, 16, 32].map((t) => point(t, tiled(`tile of ${t}`, { tile: t }))),
      ],
    },
  ],
}

const duplicity: Experiment = {
  name: 'outputs-per-thread',
  title: 'Outputs of a thread (duplicidad)',
  idea:
    'A thread computes several neighbouring outputs of a row. What it reads of a serves all of them, but ' +
    'neighbouring threads now read and write several elements apart.',
  sources: [{ document: 'thesis', place: 'figures 4.6 and 5.3, §3.2.1' }],
  x: { label: 'outputs a thread', scale: 'log2' },
  plots: ['time', 'transactions', 'conflicts', 'instructions', 'grid'],
  series: [
    {
      name: 'side by side',
      points: outputs.map((d) => point(d, tiled(`${d} outputs side by side`, { outputs: d, adjacent: true }))),
    },
  ],
  notes: [
    'on an H200 four outputs side by side are the fastest of these, where the model has them slower: ' +
      'neighbouring reads of one thread fit into one access of 16 bytes, and the model joins loads only from ' +
      'round to round of a loop',
  ],
}

const duplicityCoalesced: Experiment = {
  name: 'outputs-per-thread-coalesced',
  title: 'Outputs of a thread, coalesced and free of conflicts',
  idea: 'The same with the outputs of a thread a tile apart: neighbours stay neighbours, in memory and in the banks.',
  sources: [{ document: 'thesis', place: 'figure 5.4' }],
  x: { label: 'outputs a thread', scale: 'log2' },
  plots: ['time', 'transactions', 'conflicts', 'instructions'],
  series: [
    {
      name: 'side by side',
      points: outputs.map((d) => point(d, tiled(`${d} outputs side by side`, { outputs: d, adjacent: true }))),
    },
    { name: 'a tile apart', points: outputs.map((d) => point(d, tiled(`${d} outputs a tile apart`, { outputs: d }))) },
  ],
}

const phases: Experiment = {
  name: 'load-phases',
  title: 'Loading a tile in two phases',
  idea:
    'Several outputs need a wide tile of b. Loaded and used half by half it takes half of the memory, so that ' +
    'more blocks fit, and twice as many barriers.',
  sources: [{ document: 'thesis', place: 'figure 4.7' }],
  x: { label: 'outputs a thread', scale: 'log2' },
  plots: ['time', 'blocks', 'occupancy'],
  series: [1, 2].map((p) => ({
    name: p === 1 ? 'one phase' : 'two phases',
    points: [4, 8, 16, 32].map((d) =>
      point(d, tiled(`${d} outputs, ${p === 1 ? 'one phase' : 'two phases'}`, { tile: 8, outputs: d, phases: p }, 512)),
    ),
  })),
  notes: [
    'a warp has the loads of all outputs under way at once: the compiler puts them before the stores to the tile, ' +
      'so that many outputs hardly cost more waiting than few. At 16 the model is a third too slow',
  ],
}

const unrolling: Experiment = {
  name: 'unrolling',
  title: 'Unrolling against instructions and time',
  idea:
    'The inner product written out in groups: fewer tests and steps of the loop’s counter for the same ' +
    'products. Compilers of today do it themselves, so that the time moves less than the count.',
  sources: [{ document: 'thesis', place: 'figures 3.8 and 5.9, §3.3' }],
  x: { label: 'products a round', scale: 'log2' },
  plots: ['instructions', 'time', 'registers'],
  series: [
    {
      name: 'count unknown',
      points: [1, 2, 4, 8, 16].map((u) => point(u, tiled(`unrolled by ${u}, open`, { unroll: u, open: true }))),
    },
    {
      name: 'count constant',
      points: [1, 2, 4, 8, 16].map((u) => point(u, tiled(`unrolled by ${u}`, { unroll: u }))),
    },
  ],
  notes: [
    'instructions are those of the source; predicted times are of what an optimising compiler leaves of them, ' +
      'which unrolls short loops by itself. nvcc of 2010 did so only where the count of rounds was a constant',
    'measured on an H200, the loop written out by hand is slower than left alone from 2 to 8, as predicted: ' +
      'the compiler joins loads of shared memory from round to round of a loop that it unrolls itself. At 16 ' +
      'there is no loop left, and the times are equal again; the model does not see that',
    'on a GT200 nothing joins loads of shared memory, so that a loop of constant count takes the same time however ' +
      'far it is written out: the compiler writes it out anyway. Where the count is unknown the thesis’s figure 5.9 ' +
      'is what is predicted: the loop written out is the faster one',
  ],
}

const barrier: Experiment = {
  name: 'barrier',
  title: 'A missing barrier',
  idea:
    'A tiled product needs a barrier after loading and one after computing. Without either, warps read what ' +
    'others have not written yet or overwrite what others still read. The time saved is small; the result is wrong.',
  sources: [
    { document: 'tiling', place: 'barrier synchronization' },
    { document: 'reduction', place: '__syncthreads() in the loop' },
  ],
  x: { label: 'kernel', scale: 'names' },
  plots: ['races', 'time'],
  series: [
    {
      name: 'product',
      points: [
        point('both barriers', tiled('both barriers', {}, 256)),
        point('none after loading', tiled('no barrier after loading', { without: 'load' }, 256)),
        point('none after computing', tiled('no barrier after computing', { without: 'compute' }, 256)),
      ],
    },
    {
      name: 'reduction',
      points: [
        point('both barriers', kernel('reduce-halving', 1024)),
        point('none after loading', kernel('reduce-race', 1024)),
      ],
    },
  ],
}

const banks: Experiment = {
  name: 'bank-conflicts',
  title: 'Bank conflicts against stride',
  idea:
    'Threads read words of shared memory a stride apart. An even stride sends several threads to one bank, a ' +
    'power of two as many as it is long; an odd one sends none.',
  sources: [
    { document: 'thesis', place: '§2.2.1.1, figures 2.8 and 2.9' },
    { document: 'tiling', place: 'shared memory bank conflicts' },
  ],
  x: { label: 'stride in words', scale: 'names' },
  plots: ['conflicts', 'time'],
  series: [
    {
      name: 'reads',
      points: [1, 2, 3, 4, 5, 6, 8, 12, 15, 16, 17, 24, 31, 32].map((s) =>
        point(String(s), made(`stride of ${s} words`, bankStride, 4096, { overrides: { stride: s } })),
      ),
    },
  ],
}

const bankPatterns: Experiment = {
  name: 'bank-patterns',
  title: 'Patterns of banks',
  idea:
    'Who reads what decides, not how orderly it is: any order of different banks is one pass, and so is one word for ' +
    'many. On cc 1.x one word is handed out at a time, so that two words that several lanes share take two passes.',
  sources: [{ document: 'thesis', place: '§2.2.1.1, figures 2.8 and 2.9' }],
  x: { label: 'words read', scale: 'names' },
  plots: ['conflicts', 'time'],
  series: [
    {
      name: 'reads',
      points: (
        [
          ['one after the other', 'local'],
          ['in any order', 'local ^ 13'],
          ['one word for all', '5u'],
          // lanes 3, 4, 6, 7 and 9 of sixteen read the word of lane 5
          ['one word for some', 'select(local, local - lane + 5, ((0x2d8u >> lane) & 1) == 1)'],
          ['two words, each for half', 'local / 8'],
          ['every second word', '2 * local'],
          ['every eighth word', '8 * local'],
        ] as const
      ).map(([name, index]) => point(name, made(`banks: ${name}`, bankPattern(index), 4096))),
    },
  ],
  notes: [
    'on a GT200 one word for some takes one pass or two, as the hardware chooses the word that it hands out first, ' +
      'which is not documented; here it is that of the lowest lane. The thesis’s figure 2.8 has one pass',
  ],
}

const padding: Experiment = {
  name: 'padding',
  title: 'Padding a tile',
  idea:
    'A tile of 32 columns is read down its columns. One word more a row moves each row to the next bank, and ' +
    'all conflicts are gone; two are no better than one on half of the banks.',
  sources: [{ document: 'thesis', place: '§3.1.1, figure 3.3' }],
  x: { label: 'words of a row', scale: 'names' },
  plots: ['conflicts', 'time'],
  series: [
    {
      name: 'columns',
      points: [32, 33, 34, 35, 36, 40].map((w) => point(String(w), made(`rows of ${w} words`, paddedTile(w), 4096))),
    },
  ],
}

const constants: Experiment = {
  name: 'constants',
  title: 'Constants at several places at once',
  idea: 'A uniform table serves one address to all lanes in one pass; every further distinct address costs one more.',
  sources: [
    { document: 'thesis', place: '§2.2.1.2, constant memory' },
    { document: 'web', place: 'constant memory' },
  ],
  x: { label: 'distinct addresses of a warp', scale: 'log2' },
  plots: ['time', 'constants'],
  series: [
    {
      name: 'table',
      points: [1, 2, 4, 8, 16, 32].map((d) => point(d, kernel('uniform-distinct', 4096, { distinct: d }))),
    },
  ],
}

export const tiling: readonly Experiment[] = [
  tileSize,
  intensity,
  duplicity,
  duplicityCoalesced,
  phases,
  unrolling,
  barrier,
  banks,
  bankPatterns,
  padding,
  constants,
]
