// Experiments on where elements stand and what they are: index order, staging, types. In: kernels. Out: experiments, as
// data.
import { floats, made, point, type Experiment } from '../types.ts'
import { indexed, narrow, windowSum, type IndexOrder } from '../wgsl.ts'

/** Rows and columns of what is indexed: 16 MiB. */
const side = 2048
const square = floats({ input: side * side, output: side * side })
const ordered = (name: string, order: IndexOrder) =>
  point(
    name,
    made(name, indexed(order), order === 'linear' ? (side * side) / 256 : [side / 32, side / 8], {
      overrides: { n: side },
      ...square,
    }),
  )
const order: Experiment = {
  name: 'index-order',
  title: 'Linear indices, rows and columns',
  idea:
    'Two dimensions become one index. What counts is which coordinate is multiplied by nothing: neighbouring threads ' +
    'must run along it. An array stored by columns wants the roles of x and y exchanged; one linear index suits any.',
  sources: [
    { document: 'web', place: 'linear indexing; column-major layout' },
    { document: 'dram', place: 'row-major layout of matrices' },
  ],
  x: { label: 'index', scale: 'names' },
  plots: ['time', 'transactions', 'efficiency'],
  series: [
    {
      name: `${side} × ${side}`,
      points: [
        ordered('by rows, x along a row', 'rows'),
        ordered('by columns, x along a row', 'columns'),
        ordered('by columns, x along a column', 'columns exchanged'),
        ordered('one linear index', 'linear'),
      ],
    },
  ],
}

/** Outputs of the sums of neighbours. */
const n = 4 * 1024 * 1024
const staged = (reads: number, tile: boolean) =>
  point(
    reads,
    made(`${reads} reads, ${tile ? 'staged' : 'straight'}`, windowSum(reads, tile), n / 256, {
      ...floats({ input: n + 64, output: n }),
    }),
  )
const staging: Experiment = {
  name: 'staging',
  title: 'Stage only what is used again',
  idea:
    'Each output adds so many neighbouring inputs, read straight from memory or from a tile of shared memory. A tile ' +
    'of what is used once costs a store, a barrier and a load for nothing; it pays by what it saves in reads.',
  sources: [
    { document: 'thesis', place: '§3.1.1: shared memory for data that are used again' },
    { document: 'tiling', place: 'a tile is fetched once and used often' },
  ],
  x: { label: 'reads of an element', scale: 'log2' },
  plots: ['time', 'moved', 'instructions'],
  series: [false, true].map((tile) => ({
    name: tile ? 'through a tile' : 'straight from memory',
    points: [1, 2, 4, 8, 16, 32].map((reads) => staged(reads, tile)),
  })),
}

/** Numbers of each type: 64 MiB of f32. */
const elements = 16 * 1024 * 1024
const types: Experiment = {
  name: 'precision',
  title: 'Smaller types, and what they lose',
  idea:
    'The same numbers as f32, as f16 and as four bytes in a word: half and a quarter of the bytes, and of the ' +
    'time where memory decides. The price is beside it: bits that a number keeps.',
  sources: [{ document: 'web', place: 'data types' }],
  x: { label: 'type', scale: 'names' },
  plots: ['time', 'moved', 'bits'],
  notes: ['taking bytes out of a word and putting them back costs instructions: on a GT200 more than the bytes save'],
  series: [
    {
      name: `${elements / 2 ** 20} M numbers halved`,
      points: (
        [
          ['f32', 1, 24],
          ['f16', 2, 11],
          ['8 bits', 4, 8],
        ] as const
      ).map(([name, each, bits]) =>
        point(
          name,
          made(name, narrow(each), elements / 4 / 256, {
            ...(each !== 2 && floats({ input: elements / each, output: elements / each })),
            ...(each === 2 && {
              buffers: { input: { type: 'f16', count: elements }, output: { type: 'f16', count: elements } },
            }),
          }),
          { bits },
        ),
      ),
    },
  ],
}

export const placement: readonly Experiment[] = [order, staging, types]
