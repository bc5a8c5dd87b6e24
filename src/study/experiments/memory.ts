// Experiments on global memory: what neighbours ask for decides what is moved. In: kernels. Out: experiments, as data.
import { floats, kernel, made, point, type Experiment, type StudyGrid } from '../types.ts'
import {
  allMembers,
  articleTranspose,
  blockShape,
  copyFrom,
  elementwiseShader,
  movedTile,
  oneElement,
  oneMember,
  paddedMembers,
} from '../wgsl.ts'

/** 2¹⁰ and 2²⁰ elements. */
const k = 1024,
  M = k * k
/** Elements whose arrays stay in no cache. */
const large = 8 * M

const stride: Experiment = {
  name: 'stride',
  title: 'Bandwidth against stride',
  idea:
    'c[i·s] = a[i·s] + b[i·s] over arrays of 32 MB each. Memory is moved in pieces, so that the arrays cost ' +
    'almost the same whatever the stride, while fewer and fewer of the bytes are asked for.',
  sources: [
    { document: 'dram', place: 'exploration: A[i * 2]' },
    { document: 'thesis', place: '§3.1.2 and figure 2.10' },
    { document: 'web', place: 'strided access' },
  ],
  x: { label: 'stride in elements', scale: 'log2' },
  plots: ['bandwidth', 'transactions', 'efficiency', 'time'],
  series: [
    {
      name: 'add',
      points: [1, 2, 4, 8, 16, 32].map((s) =>
        point(
          s,
          kernel('add-strided', large / s / 256, { n: large / s, stride: s }, floats({ a: large, b: large, c: large })),
        ),
      ),
    },
  ],
}

const offset: Experiment = {
  name: 'offset',
  title: 'Bandwidth against offset',
  idea:
    'c[i] = a[i + o] + b[i + o]. An offset that is no multiple of a sector makes each warp touch one more; on ' +
    'the GPUs of 2009 it could cost a whole transaction of 128 bytes.',
  sources: [
    { document: 'dram', place: 'aligned and unaligned access' },
    { document: 'thesis', place: 'figure 2.10' },
    { document: 'web', place: 'access that is not aligned' },
  ],
  x: { label: 'offset in elements', scale: 'linear' },
  plots: ['bandwidth', 'transactions', 'efficiency'],
  series: [
    {
      name: 'add',
      points: [0, 1, 4, 8, 12, 16, 24, 32].map((o) =>
        point(
          o,
          kernel(
            'add-offset',
            large / 256,
            { n: large, offset: o },
            floats({ a: large + 32, b: large + 32, c: large }),
          ),
        ),
      ),
    },
  ],
}

const patterns: Experiment = {
  name: 'patterns',
  title: 'What neighbours read',
  idea:
    'output[i] = input[f(i)] for several f. The order within a warp does not matter, the distance between ' +
    'neighbours does: it is the set of sectors that counts.',
  sources: [
    { document: 'web', place: 'recognising access that is not coalesced' },
    { document: 'dram', place: 'coalesced and not coalesced' },
    { document: 'thesis', place: '§2.2.1.2' },
  ],
  x: { label: 'index read', scale: 'names' },
  plots: ['transactions', 'efficiency', 'bandwidth'],
  series: [
    {
      name: 'copy',
      points: (
        [
          ['i', 'i'],
          ['i, reversed in the warp', 'i ^ 31'],
          ['i + 1', '(i + 1) % n'],
          ['2 i', '2 * i % n'],
          ['32 i', '32 * i % n'],
          ['random', 'h % n', '  var h = i * 2654435761u;\n  h ^= h >> 15;\n  h *= 2246822507u;\n  h ^= h >> 13;\n'],
          ['one for all', 'n / 2'],
        ] as const
      ).map(([name, index, more]) =>
        point(
          name,
          made(`copy ${name}`, copyFrom(index, more ?? ''), (4 * M) / 256, {
            overrides: { n: 4 * M },
            ...floats({ input: 4 * M, output: 4 * M }),
          }),
        ),
      ),
    },
  ],
  notes: [
    'on an H200 random reads take twice as long as predicted: how fast L2 serves scattered lines was measured ' +
      'on 4 MiB, here it is 16',
  ],
}

const perThread: readonly (readonly [number, string | null])[] = [
  [4, 'f32'],
  [8, 'vec2f'],
  [16, 'vec4f'],
  [32, null],
  [64, null],
]
const elementSize: Experiment = {
  name: 'element-size',
  title: 'Bytes a thread against bandwidth',
  idea:
    'Every thread reads one element. Up to 16 bytes are one access; a larger structure becomes several, each of ' +
    'which strides over the whole structure. Split into arrays of at most 16 bytes, each access is coalesced again.',
  sources: [
    { document: 'thesis', place: '§3.1.2, figures 3.4 and 3.5' },
    { document: 'web', place: 'data types' },
  ],
  x: { label: 'bytes of an element', scale: 'log2' },
  plots: ['bandwidth', 'transactions', 'efficiency'],
  series: [
    {
      name: 'one array',
      points: perThread.map(([bytes, type]) =>
        point(
          bytes,
          made(
            `elements of ${bytes} bytes`,
            type ? oneElement(type) : elementwiseShader(bytes / 16, false),
            (63 * M) / bytes / 256,
            floats({ input: (63 * M) / 4, output: (63 * M) / (bytes <= 16 ? 4 : bytes / 4) }),
          ),
        ),
      ),
    },
    {
      name: 'arrays of 16 bytes',
      points: [32, 64].map((bytes) =>
        point(
          bytes,
          made(
            `${bytes / 16} arrays`,
            elementwiseShader(bytes / 16, true),
            (63 * M) / bytes / 256,
            floats(
              Object.fromEntries([
                ...Array.from({ length: bytes / 16 }, (_, i) => [`part${i}`, (63 * M * 4) / bytes]),
                ['output', (63 * M * 4) / bytes],
              ]),
            ),
          ),
        ),
      ),
    },
  ],
  notes: ['WGSL has no access of fewer than four bytes; the catalogue’s add-packed shows four bytes in a word'],
}

const layouts: Experiment = {
  name: 'layouts',
  title: 'Arrays of structures, structures of arrays',
  idea:
    'When one member of many structures is wanted, an array of structures moves all members. When every member ' +
    'is used, caches put the pieces together again; a GPU without them moves everything several times.',
  sources: [
    { document: 'web', place: 'SoA against AoS, padding' },
    { document: 'thesis', place: '§3.1.2, figure 3.5' },
  ],
  x: { label: 'layout', scale: 'names' },
  plots: ['efficiency', 'bandwidth', 'time'],
  series: [
    {
      name: 'one member',
      points: [
        point(
          'arrays',
          made('one array', oneMember, (4 * M) / 256, {
            overrides: { n: 4 * M },
            ...floats({ x: 4 * M, output: 4 * M }),
          }),
        ),
        ...(
          [
            ['12 bytes', 'aos-3', 3],
            ['padded to 16', 'aos-4', 4],
            ['32 bytes', 'aos-8', 8],
          ] as const
        ).map(([name, file, words]) =>
          point(name, kernel(file, (4 * M) / 256, { n: 4 * M }, floats({ particles: 4 * M * words, output: 4 * M }))),
        ),
      ],
    },
    {
      name: 'all members',
      points: [
        point(
          'arrays',
          made('three arrays', allMembers, (4 * M) / 256, {
            overrides: { n: 4 * M },
            ...floats({ x: 4 * M, y: 4 * M, z: 4 * M, output: 4 * M }),
          }),
        ),
        point(
          '12 bytes',
          kernel('aos-whole', (4 * M) / 256, { n: 4 * M }, floats({ particles: 12 * M, output: 4 * M })),
        ),
        point(
          'padded to 16',
          made('padded to 16', paddedMembers, (4 * M) / 256, {
            overrides: { n: 4 * M },
            ...floats({ particles: 16 * M, output: 4 * M }),
          }),
        ),
      ],
    },
  ],
}

/** Rows and columns of the matrix that is transposed: 16 MiB each way. */
const side = 2 * k
const square = floats({ input: side * side, output: side * side })
const transposed = (name: string, file: string, grid: StudyGrid) => point(name, kernel(file, grid, { n: side }, square))
const transpose: Experiment = {
  name: 'transpose',
  title: 'Transpose, step by step',
  idea:
    'Rows on one side are columns on the other. A tile in workgroup memory lets both sides run along rows, if ' +
    'its own columns are free of bank conflicts. The article’s tile, as printed, writes columns all the same.',
  sources: [
    { document: 'web', place: 'practical example: transpose' },
    { document: 'thesis', place: '§3.1.1, figure 3.3' },
  ],
  x: { label: 'kernel', scale: 'names' },
  plots: ['time', 'bandwidth', 'transactions', 'conflicts'],
  series: [
    {
      name: `${side} × ${side}`,
      points: [
        transposed('columns written', 'transpose-reads', [side / 32, side / 8]),
        transposed('columns read', 'transpose-writes', [side / 32, side / 8]),
        point(
          'tile of the article',
          made('transpose of the article', articleTranspose, [side / 16, side / 16], {
            overrides: { n: side },
            ...square,
          }),
        ),
        transposed('tile', 'transpose-tile', [side / 32, side / 32]),
        transposed('padded', 'transpose-padded', [side / 32, side / 32]),
        transposed('swizzled', 'transpose-swizzled', [side / 32, side / 32]),
        transposed('tile of 8', 'transpose-narrow', [side / 8, side / 8]),
      ],
    },
  ],
  notes: [
    'on an H200 the tile of the article takes two thirds of its predicted time: its stores fill sectors in ' +
      'two pieces, which L2 puts together better than the model says',
  ],
}

const shapes = [
  [256, 1],
  [128, 2],
  [64, 4],
  [32, 8],
  [16, 16],
  [8, 32],
  [4, 64],
] as const
/** As many threads as a block of a GT200 may have. */
const largeShapes = [
  [512, 1],
  [32, 16],
  [16, 32],
] as const
const shaped = (pitch: number, name = `rows of ${pitch}`, of: readonly (readonly [number, number])[] = shapes) => ({
  name,
  points: of.map(([x, y]) =>
    point(
      x,
      made(`blocks of ${x} × ${y}`, blockShape(x, y), [(2 * k) / x, (2 * k) / y], {
        overrides: { pitch },
        ...floats({ a: (2 * k + 1) * pitch, b: (2 * k + 1) * pitch, c: (2 * k + 1) * pitch }),
      }),
    ),
  ),
})
const shape: Experiment = {
  name: 'block-shape',
  title: 'The shape of a block',
  idea:
    '256 threads in blocks of different shapes add matrices. A block narrower than what one request moves ' +
    'leaves part of it unused; so do rows whose length is no multiple of it, until their pitch is padded to one.',
  sources: [
    { document: 'thesis', place: '§3.1.2: widths that are multiples of 16; §3.2.1' },
    { document: 'web', place: 'workgroup size' },
  ],
  x: { label: 'threads along a row', scale: 'log2' },
  plots: ['transactions', 'efficiency', 'time'],
  series: [
    shaped(2048),
    shaped(2053),
    shaped(2080, 'rows of 2053, padded to 2080'),
    shaped(2048, '512 threads, rows of 2048', largeShapes),
  ],
}

/** Pieces of 128 bytes: 256 MiB, which stay in no cache. */
const pieces = 2 * M
const bursts: Experiment = {
  name: 'dram-bursts',
  title: 'Bytes used of a burst',
  idea:
    'Threads read the first c bytes of every 128. DRAM gives no less than a burst: below it, fewer bytes wanted ' +
    'are not fewer bytes moved.',
  sources: [{ document: 'dram', place: 'DRAM bursting' }],
  x: { label: 'bytes used of each 128', scale: 'log2' },
  plots: ['bandwidth', 'efficiency', 'moved'],
  series: [
    {
      name: 'copy',
      points: [4, 8, 16, 32, 64, 128].map((c) =>
        point(
          c,
          made(`${c} bytes of each 128`, copyFrom(`i / ${c / 4} * 32 + i % ${c / 4}`), pieces / 256, {
            overrides: { n: pieces },
            ...floats({ input: (pieces * 128) / c, output: pieces }),
          }),
        ),
      ),
    },
  ],
  notes: [
    'bytes moved are those of requests; the model takes 64 bytes as the least that DRAM of an H200 moves, ' +
      'which shows in the time alone',
  ],
}

const channels: Experiment = {
  name: 'dram-channels',
  title: 'Channels of DRAM',
  idea:
    'Each block reads 256 bytes, a pitch away from its neighbour’s. Where channels are dealt out in runs of 256 ' +
    'bytes, a pitch that is a multiple of all of them sends every block to the same one.',
  sources: [{ document: 'dram', place: 'DRAM banks and channels' }],
  x: { label: 'pitch in bytes', scale: 'names' },
  plots: ['channels', 'time'],
  series: [
    {
      name: 'copy',
      points: [256, 512, 1024, 2048, 2304, 4096, 4352].map((pitch) =>
        point(
          String(pitch),
          made(`pitch of ${pitch} bytes`, copyFrom(`group.x * ${pitch / 4} + local`), 8192, {
            overrides: { n: 8192 * 64, block: 64 },
            ...floats({ input: 8192 * (pitch / 4), output: 8192 * 64 }),
          }),
        ),
      ),
    },
  ],
  notes: [
    'the channels of an H200 are chosen by a hash that is not documented: it has no figure, and a time that ' +
      'does not depend on the pitch',
    'on a GT200 the queues of its channels are simulated for five rounds of blocks, with the rows that they open',
  ],
}

const moved = (name: string, how: 'copy' | 'columns' | 'tile', diagonal = false) =>
  point(name, made(name, movedTile(how, diagonal), [side / 32, side / 32], { overrides: { n: side }, ...square }))
const camping: Experiment = {
  name: 'partition-camping',
  title: 'Partition camping',
  idea:
    'Blocks side by side read along a row, which all channels of DRAM share, and write down a column, whose rows all ' +
    'lie on one. Dealt out along diagonals, the blocks that run together write to columns of their own.',
  sources: [
    { document: 'dram', place: 'DRAM banks and channels' },
    { document: 'thesis', place: 'chapter 2, memory of the GT200' },
  ],
  x: { label: 'kernel', scale: 'names' },
  plots: ['time', 'bandwidth', 'transactions', 'channels'],
  series: [
    {
      name: `${side} × ${side}`,
      points: [
        moved('copy', 'copy'),
        moved('transpose by columns', 'columns'),
        moved('through a padded tile', 'tile'),
        moved('the same along diagonals', 'tile', true),
      ],
    },
  ],
  notes: [
    'published for a GTX 280 at this size (Ruetsch and Micikevicius 2009, recalled): copy 104 GB/s, by columns 2.4, ' +
      'through a padded tile 17.8, along diagonals 74.6; what is printed there are units of 2³⁰ bytes',
  ],
}

export const memory: readonly Experiment[] = [
  stride,
  offset,
  patterns,
  elementSize,
  layouts,
  transpose,
  shape,
  bursts,
  channels,
  camping,
]
