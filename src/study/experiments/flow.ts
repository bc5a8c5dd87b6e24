// Experiments on what warps execute: branches, trees, what is left over. In: kernels. Out: experiments, as data.
import { floats, kernel, made, point, type Experiment } from '../types.ts'
import { branchEvery, remainder, stepSum, treeSum } from '../wgsl.ts'

/** 2²⁰ elements, and those of the input: 16 MiB. */
const M = 1024 * 1024,
  n = 4 * M
const input = { buffers: { input: { type: 'f32' as const, count: n } } }

const branches: Experiment = {
  name: 'branches',
  title: 'Branches by thread and by warp',
  idea:
    'Groups of threads take turns through the two sides of a branch. In groups smaller than a warp every warp ' +
    'goes both ways, one after the other; from a warp on each goes one.',
  sources: [
    { document: 'thesis', place: '§3.3, figures 3.6 and 3.7' },
    { document: 'reduction', place: 'control divergence' },
  ],
  x: { label: 'threads that go together', scale: 'log2' },
  plots: ['time', 'lanes', 'divergent'],
  series: [
    {
      name: 'two sides',
      points: [1, 2, 4, 8, 16, 32, 64].map((w) =>
        point(w, made(`groups of ${w}`, branchEvery, 4096, { overrides: { width: w } })),
      ),
    },
  ],
}

const divergence: Experiment = {
  name: 'divergence',
  title: 'Divergent against compacted',
  idea:
    'Three trees that add the same numbers. Threads ever farther apart: every warp diverges to the end. ' +
    'Compacted threads: whole warps fall idle, but their strides meet on banks. Halves: neither.',
  sources: [
    { document: 'reduction', place: 'naive and improved loop, thread compaction' },
    { document: 'thesis', place: 'figure 5.6' },
  ],
  x: { label: 'tree', scale: 'names' },
  plots: ['time', 'instructions', 'divergent', 'lanes', 'conflicts'],
  series: [
    {
      name: 'sum of 4 M',
      points: (
        [
          ['interleaved', 'reduce-interleaved'],
          ['compacted', 'reduce-compacted'],
          ['halving', 'reduce-halving'],
        ] as const
      ).map(([name, file]) => point(name, kernel(file, n / 256, {}, input), { elements: n })),
    },
  ],
}

const left: Experiment = {
  name: 'remainder',
  title: 'Parallelism of the remainder',
  idea:
    'A block of 16 × 16 threads loads a tile with a margin of r. What is left over after one element a thread ' +
    'goes to the threads at the edges, under branches, or is dealt out to all of them.',
  sources: [{ document: 'thesis', place: 'figures 5.7 and 5.8' }],
  x: { label: 'margin', scale: 'linear' },
  plots: ['time', 'instructions', 'lanes', 'transactions'],
  series: [false, true].map((all) => ({
    name: all ? 'dealt to all' : 'by the edges',
    points: [1, 2, 3, 4, 6, 8].map((r) =>
      point(
        r,
        made(`margin ${r}, ${all ? 'dealt to all' : 'by the edges'}`, remainder(r, all), [120, 120], {
          overrides: { pitch: 1936 },
          ...floats({ input: 1936 * 1936, output: 1936 * 1936 }),
        }),
      ),
    ),
  })),
  notes: [
    'of chapter 5 of the thesis only the captions are in the text that this is made from; what “the ' +
      'remainder” means is our reading of them',
    'measured on an H200, the edges are as fast or faster at every margin: the model ends each branch with ' +
      'waiting for its load, the device has the loads of all branches under way',
  ],
}

const sums: readonly (readonly [string, string, number, Readonly<Record<string, number>>])[] = [
  ['interleaved', 'reduce-interleaved', n / 256, {}],
  ['compacted', 'reduce-compacted', n / 256, {}],
  ['halving', 'reduce-halving', n / 256, {}],
  ['first add on load', 'reduce-first-add', n / 512, {}],
  ['unrolled', 'reduce-unrolled', n / 512, {}],
  ['many a thread', 'reduce-many', 1056, { n, groups: 1056 }],
  ['subgroups', 'reduce-subgroups', 1056, { n, groups: 1056 }],
  ['one pass, atomic', 'reduce-atomic', 1056, { n, groups: 1056 }],
]
const reductions: Experiment = {
  name: 'reductions',
  title: 'Reductions, step by step',
  idea:
    'Sums of 4 M numbers. Each step removes a cost of the one before: divergence, bank conflicts, idle threads, ' +
    'loops, barriers, launches.',
  sources: [{ document: 'reduction', place: 'partition and summarize, CUDA implementation' }],
  x: { label: 'kernel', scale: 'names' },
  plots: ['time', 'bandwidth', 'instructions', 'operations'],
  series: [
    {
      name: 'sum of 4 M',
      points: sums.map(([name, file, grid, overrides]) =>
        point(
          name,
          kernel(file, grid, overrides, {
            buffers: { input: { type: file === 'reduce-atomic' ? 'u32' : 'f32', count: n } },
          }),
          { elements: n },
        ),
      ),
    },
  ],
  notes: [
    'the last kernel adds integers, which the count of floating-point additions does not see; it needs no ' +
      'second launch for the sums of blocks',
  ],
}

const sizes = [32, 64, 128, 256, 512] as const
const work: Experiment = {
  name: 'work-efficiency',
  title: 'Work efficiency',
  idea:
    'A tree makes n − 1 additions, as many as one thread would. Adding in steps over all elements takes as many ' +
    'rounds and n log n additions: not work-efficient.',
  sources: [{ document: 'reduction', place: 'work efficiency' }],
  x: { label: 'elements of a block', scale: 'log2' },
  plots: ['operations', 'time', 'instructions'],
  series: (
    [
      ['tree', treeSum],
      ['steps', stepSum],
    ] as const
  ).map(([name, text]) => ({
    name,
    points: sizes.map((b) =>
      point(b, made(`${name} over ${b}`, text(b), M / b, { buffers: { input: { type: 'f32', count: M } } }), {
        elements: M,
      }),
    ),
  })),
}

export const flow: readonly Experiment[] = [branches, divergence, left, reductions, work]
