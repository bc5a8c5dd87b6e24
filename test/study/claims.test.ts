// What each experiment says is what its numbers show: one line an experiment, on the profiles that it speaks of.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import type { Quantity, StudyReport } from '../../src/ir/index.ts'
import { documents, experimentNamed, experiments, runStudy, type Experiment } from '../../src/study/index.ts'
import { someOf } from '../support/long.ts'

/** The experiment with some of its points only, by label. */
function some(name: string, labels: readonly string[]): Experiment {
  const e = experimentNamed(name)
  return { ...e, series: e.series.map((s) => ({ ...s, points: s.points.filter((p) => labels.includes(String(p.x))) })) }
}

/** Values of a quantity by `gpu series label`; the series may be left out where there is one. */
type Values = (q: Quantity, gpuName: string, label: string, series?: string) => number
const valuesIn =
  (r: StudyReport): Values =>
  (q, g, label, series) => {
    const p = r.series
      .find((s) => s.gpu === g && (series === undefined || s.name === series))
      ?.points.find((x) => x.label === label)
    return p?.values[q] ?? NaN
  }

type Claim = readonly [name: string, gpus: string, labels: string, claim: (v: Values) => void]
const near = (a: number, b: number, share = 0.02): void => {
  expect(Math.abs(a / b - 1), `${a} for ${b}`).toBeLessThan(share)
}
const over = (a: number, b: number): void => {
  expect(a).toBeGreaterThan(b)
}

const claims: readonly Claim[] = [
  [
    'stride',
    'gt200,h200',
    '1,2,16',
    (v) => {
      near(v('transactions', 'h200', '2'), 2 * v('transactions', 'h200', '1'))
      near(v('efficiency', 'h200', '2'), 50)
      near(v('transactions', 'gt200', '16'), 16)
      over(v('bandwidth', 'gt200', '1'), 10 * v('bandwidth', 'gt200', '16'))
    },
  ],
  [
    'offset',
    'gt200,h200',
    '0,1,8',
    (v) => {
      over(v('transactions', 'h200', '1'), v('transactions', 'h200', '0'))
      near(v('transactions', 'h200', '8'), v('transactions', 'h200', '0'))
      over(v('bandwidth', 'gt200', '0'), 1.2 * v('bandwidth', 'gt200', '8'))
    },
  ],
  [
    'patterns',
    'h200',
    'i|i, reversed in the warp|2 i|one for all',
    (v) => {
      near(v('transactions', 'h200', 'i, reversed in the warp'), v('transactions', 'h200', 'i'))
      near(v('transactions', 'h200', '2 i'), 6)
      near(v('transactions', 'h200', 'one for all'), 2.5)
    },
  ],
  [
    'element-size',
    'gt200,h200',
    '4,16,64',
    (v) => {
      near(v('efficiency', 'h200', '16', 'one array'), 100)
      over(v('bandwidth', 'gt200', '64', 'arrays of 16 bytes'), 3 * v('bandwidth', 'gt200', '64', 'one array'))
    },
  ],
  [
    'layouts',
    'gt200,h200',
    'arrays|12 bytes|32 bytes',
    (v) => {
      near(v('efficiency', 'h200', '12 bytes', 'one member'), 50)
      near(v('time', 'h200', '12 bytes', 'all members'), v('time', 'h200', 'arrays', 'all members'), 0.05)
      over(v('time', 'gt200', '12 bytes', 'all members'), 2 * v('time', 'gt200', 'arrays', 'all members'))
    },
  ],
  [
    'transpose',
    'h200',
    'columns written|tile of the article|tile|padded',
    (v) => {
      over(v('transactions', 'h200', 'tile of the article'), 2 * v('transactions', 'h200', 'padded'))
      expect(v('conflicts', 'h200', 'tile')).toBe(32)
      near(v('conflicts', 'h200', 'padded'), 1)
      over(v('time', 'h200', 'columns written'), 2 * v('time', 'h200', 'padded'))
    },
  ],
  [
    'block-shape',
    'gt200,h200',
    '32,8,4',
    (v) => {
      near(v('efficiency', 'h200', '4', 'rows of 2048'), 50)
      over(v('efficiency', 'gt200', '32', 'rows of 2048'), v('efficiency', 'gt200', '32', 'rows of 2053') + 20)
      // Rows of an odd length, as counted by hand and by a run of all blocks.
      expect(v('transactions', 'gt200', '32', 'rows of 2053')).toBeCloseTo(2.9375, 3)
      expect(v('transactions', 'h200', '32', 'rows of 2053')).toBeCloseTo(4.875, 3)
    },
  ],
  [
    'dram-bursts',
    'h200',
    '4,32,128',
    (v) => {
      near(v('efficiency', 'h200', '32'), 100)
      over(v('bandwidth', 'h200', '128'), 3 * v('bandwidth', 'h200', '4'))
    },
  ],
  [
    'dram-channels',
    'gt200,h200',
    '256,2048,2304',
    (v) => {
      expect([v('channels', 'gt200', '256'), v('channels', 'gt200', '2048'), v('channels', 'gt200', '2304')]).toEqual([
        8, 1, 8,
      ])
      expect(v('channels', 'h200', '256')).toBeNaN()
      over(v('time', 'gt200', '2048'), 2.5 * v('time', 'gt200', '256'))
      near(v('time', 'gt200', '2304'), v('time', 'gt200', '256'), 0.03)
      near(v('time', 'h200', '2048'), v('time', 'h200', '256'), 0.2)
    },
  ],
  [
    'partition-camping',
    'gt200',
    'copy|transpose by columns|through a padded tile|the same along diagonals',
    (v) => {
      const rate = (label: string) => v('bandwidth', 'gt200', label)
      // published for a GTX 280: 96.9, 2.2, 16.6, 69.5 times 2³⁰ bytes a second
      const gib = 2 ** 30 / 1e9
      near(rate('copy'), 96.9 * gib, 0.12)
      near(rate('the same along diagonals'), 69.5 * gib, 0.1)
      near(rate('through a padded tile'), 16.6 * gib, 0.05)
      near(rate('transpose by columns'), 2.2 * gib, 0.35)
    },
  ],
  [
    'index-order',
    'gt200,h200',
    'by rows, x along a row|by columns, x along a row|by columns, x along a column|one linear index',
    (v) => {
      for (const g of ['gt200', 'h200']) {
        const time = (label: string) => v('time', g, label)
        over(time('by columns, x along a row'), 4 * time('by rows, x along a row'))
        near(time('by columns, x along a column'), time('by rows, x along a row'))
        near(time('one linear index'), time('by rows, x along a row'), 0.05)
      }
    },
  ],
  [
    'staging',
    'gt200,h200',
    '1,8,32',
    (v) => {
      for (const g of ['gt200', 'h200'])
        over(v('time', g, '1', 'through a tile'), v('time', g, '1', 'straight from memory'))
      over(v('time', 'gt200', '8', 'straight from memory'), 2 * v('time', 'gt200', '8', 'through a tile'))
      over(v('moved', 'h200', '32', 'straight from memory'), 10 * v('moved', 'h200', '32', 'through a tile'))
    },
  ],
  [
    'precision',
    'gt200,h200',
    'f32|f16|8 bits',
    (v) => {
      expect(['f32', 'f16', '8 bits'].map((t) => v('bits', 'h200', t))).toEqual([24, 11, 8])
      near(v('moved', 'h200', 'f32'), 4 * v('moved', 'h200', '8 bits'))
      near(v('time', 'gt200', 'f32'), 2 * v('time', 'gt200', 'f16'), 0.1)
      over(v('time', 'h200', 'f16'), v('time', 'h200', '8 bits'))
      over(v('time', 'gt200', '8 bits'), v('time', 'gt200', 'f16'))
    },
  ],
  [
    'tile-size',
    'gt200,h200',
    '8,16,32',
    (v) => {
      over(v('instructions', 'h200', '8'), v('instructions', 'h200', '16'))
      over(v('time', 'h200', '8'), v('time', 'h200', '16'))
      expect(v('time', 'gt200', '32')).toBeNaN()
    },
  ],
  [
    'intensity',
    'h200',
    '8,16',
    (v) => {
      near(v('intensity', 'h200', '16'), 2 * v('intensity', 'h200', '8'))
      // The notes on tiling: 8,192 operations for 512 floats of 4 bytes; what is written takes the rest.
      near(v('intensity', 'h200', '16'), 8192 / 512 / 4, 0.01)
    },
  ],
  [
    'outputs-per-thread',
    'gt200,h200',
    '1,4',
    (v) => {
      over(v('instructions', 'h200', '1'), v('instructions', 'h200', '4'))
      expect(v('grid', 'gt200', '4')).toBe(v('grid', 'gt200', '1') / 4)
      over(v('transactions', 'h200', '4'), 3 * v('transactions', 'h200', '1'))
      over(v('conflicts', 'gt200', '4'), 3)
    },
  ],
  [
    'outputs-per-thread-coalesced',
    'gt200',
    '4',
    (v) => {
      near(v('conflicts', 'gt200', '4', 'a tile apart'), 1)
      over(v('time', 'gt200', '4', 'side by side'), 1.5 * v('time', 'gt200', '4', 'a tile apart'))
    },
  ],
  [
    'load-phases',
    'gt200',
    '32',
    (v) => {
      near(v('blocks', 'gt200', '32', 'two phases'), 2 * v('blocks', 'gt200', '32', 'one phase'))
      over(v('time', 'gt200', '32', 'one phase'), v('time', 'gt200', '32', 'two phases'))
    },
  ],
  [
    'unrolling',
    'gt200,h200',
    '1,8',
    (v) => {
      over(v('instructions', 'h200', '1'), 1.15 * v('instructions', 'h200', '8'))
      // figure 5.9: written out it is faster where the compiler does not do it; elsewhere it is the same loop
      over(v('time', 'gt200', '1', 'count unknown'), 1.25 * v('time', 'gt200', '8', 'count unknown'))
      near(v('time', 'gt200', '1', 'count constant'), v('time', 'gt200', '8', 'count constant'))
    },
  ],
  [
    'barrier',
    'h200',
    'both barriers|none after loading|none after computing',
    (v) => {
      expect(v('races', 'h200', 'both barriers', 'product')).toBe(0)
      over(v('races', 'h200', 'none after loading', 'product'), 0)
      over(v('races', 'h200', 'none after computing', 'product'), 0)
      over(v('races', 'h200', 'none after loading', 'reduction'), 0)
    },
  ],
  [
    'bank-conflicts',
    'gt200,h200',
    '1,2,8,16,17,32',
    (v) => {
      // figure 2.9 of the thesis: the degree itself, with nothing averaged into it
      for (const g of ['gt200', 'h200'])
        expect(['1', '2', '8', '16', '17'].map((s) => v('conflicts', g, s))).toEqual([1, 2, 8, 16, 1])
      expect(v('conflicts', 'h200', '32')).toBe(32)
      expect(v('conflicts', 'gt200', '32')).toBe(16)
      over(v('time', 'h200', '32'), 10 * v('time', 'h200', '1'))
    },
  ],
  [
    'bank-patterns',
    'gt200,h200',
    'one after the other|in any order|one word for all|one word for some|two words, each for half|every second word',
    (v) => {
      // figure 2.8 of the thesis; a word for some is one pass or two on a GT200, by a choice that nobody documents
      const degrees = (g: string) =>
        ['one after the other', 'in any order', 'one word for all', 'two words, each for half'].map((label) =>
          v('conflicts', g, label),
        )
      expect(degrees('gt200')).toEqual([1, 1, 1, 2])
      expect(degrees('h200')).toEqual([1, 1, 1, 1])
      expect([v('conflicts', 'gt200', 'one word for some'), v('conflicts', 'h200', 'one word for some')]).toEqual([
        2, 1,
      ])
    },
  ],
  [
    'padding',
    'gt200,h200',
    '32,33,34',
    (v) => {
      expect(v('conflicts', 'gt200', '32')).toBe(16) // figure 3.3 of the thesis
      near(v('conflicts', 'h200', '33'), 1)
      over(v('conflicts', 'h200', '34'), 1.4)
      over(v('time', 'h200', '32'), 1.5 * v('time', 'h200', '33'))
    },
  ],
  [
    'constants',
    'gt200,h200',
    '1,8,16,32',
    (v) => {
      // A half-warp has 16 threads: no more than 16 addresses at once.
      expect(v('time', 'gt200', '32')).toBe(v('time', 'gt200', '16'))
      expect(v('constants', 'h200', '8')).toBe(8)
      over(v('time', 'h200', '8'), 10 * v('time', 'h200', '1'))
    },
  ],
  [
    'occupancy',
    'gt200',
    '0,8',
    (v) => over(v('time', 'gt200', '8', 'tile of 8'), 3 * v('time', 'gt200', '0', 'tile of 8')),
  ],
  [
    'active-blocks',
    'h200',
    '0,44',
    (v) => {
      over(v('blocks', 'h200', '0', 'tile of 8'), v('blocks', 'h200', '0', 'tile of 16'))
      near(v('occupancy', 'h200', '0', 'tile of 8'), v('occupancy', 'h200', '0', 'tile of 16'))
    },
  ],
  [
    'configurations',
    'gt200',
    '64 threads, 1 output|256 threads, 4 outputs',
    (v) => {
      // figure 3.1 of the thesis: what is held is the same, the time is not
      const [slow, fast] = ['64 threads, 1 output', '256 threads, 4 outputs']
      expect(v('occupancy', 'gt200', slow)).toBe(v('occupancy', 'gt200', fast))
      over(v('time', 'gt200', slow), 2 * v('time', 'gt200', fast))
    },
  ],
  [
    'whole-warps',
    'gt200,h200',
    '33,48,256',
    (v) => {
      for (const g of ['gt200', 'h200']) {
        near(v('lanes', g, '33'), (100 * 33) / 64, 0.001)
        near(v('lanes', g, '48'), 75, 0.001)
        expect(v('lanes', g, '256')).toBe(100)
        over(v('time', g, '33'), 2 * v('time', g, '256'))
      }
    },
  ],
  [
    'blocks',
    'h200',
    '16,1024,16384',
    (v) => {
      over(v('time', 'h200', '16'), 10 * v('time', 'h200', '1024'))
      over(v('time', 'h200', '16384'), v('time', 'h200', '1024'))
    },
  ],
  [
    'registers',
    'gt200',
    '16,30,32,40,48',
    (v) => {
      const product = (limit: string) => v('time', 'gt200', limit, 'not unrolled')
      const waiting = (limit: string) => v('time', 'gt200', limit, 'values that wait')
      expect(v('spilled', 'gt200', '16', 'not unrolled')).toBeGreaterThan(0)
      expect(v('spilled', 'gt200', '40', 'not unrolled')).toBe(0)
      // three registers fewer are not critical (thesis, §3.2), those of the inner loop are
      expect(v('spilled', 'gt200', '30', 'not unrolled')).toBe(3)
      near(product('30'), product('48'), 0.02)
      over(product('16'), 2 * product('48'))
      // figure 5.10: occupancy gained by spilling
      over(v('occupancy', 'gt200', '32', 'values that wait'), v('occupancy', 'gt200', '40', 'values that wait'))
      over(waiting('40'), 1.2 * waiting('32'))
    },
  ],
  [
    'registers-unrolled',
    'gt200,h200',
    '16,48',
    (v) => {
      for (const g of ['gt200', 'h200']) over(v('time', g, '16', 'unrolled by 8'), v('time', g, '48', 'unrolled by 8'))
    },
  ],
  [
    'branches',
    'h200',
    '1,32',
    (v) => {
      near(v('lanes', 'h200', '1'), 50, 0.05)
      expect(v('divergent', 'h200', '32')).toBe(0)
      over(v('time', 'h200', '1'), 1.2 * v('time', 'h200', '32'))
    },
  ],
  [
    'divergence',
    'h200',
    'interleaved|compacted|halving',
    (v) => {
      over(v('divergent', 'h200', 'interleaved'), 5 * v('divergent', 'h200', 'compacted'))
      over(v('conflicts', 'h200', 'compacted'), 2)
      over(v('time', 'h200', 'compacted'), v('time', 'h200', 'halving'))
    },
  ],
  [
    'remainder',
    'h200',
    '1,8',
    (v) => {
      over(v('lanes', 'h200', '1', 'dealt to all'), v('lanes', 'h200', '1', 'by the edges'))
      over(v('instructions', 'h200', '8', 'dealt to all'), v('instructions', 'h200', '8', 'by the edges'))
    },
  ],
  [
    'reductions',
    'gt200,h200',
    'interleaved|many a thread|subgroups',
    (v) => {
      over(v('time', 'h200', 'interleaved'), 5 * v('time', 'h200', 'many a thread'))
      near(v('operations', 'h200', 'interleaved'), 255 / 256)
      expect(v('time', 'gt200', 'subgroups')).toBeNaN()
    },
  ],
  [
    'work-efficiency',
    'h200',
    '256',
    (v) => {
      near(v('operations', 'h200', '256', 'tree'), 255 / 256)
      near(v('operations', 'h200', '256', 'steps'), 7 + 1 / 256)
    },
  ],
  [
    'convolution',
    'h200',
    'simple|block without margin|idle threads|separable',
    (v) => {
      over(v('moved', 'h200', 'simple'), 1.5 * v('moved', 'h200', 'block without margin'))
      over(v('time', 'h200', 'simple'), 2 * v('time', 'h200', 'separable'))
      over(99, v('lanes', 'h200', 'idle threads'))
    },
  ],
  [
    'convolution-radius',
    'h200',
    '2,6',
    (v) => {
      over(v('instructions', 'h200', '6', 'simple') / v('instructions', 'h200', '2', 'simple'), 5)
      over(3, v('instructions', 'h200', '6', 'separable') / v('instructions', 'h200', '2', 'separable'))
      over(v('lanes', 'h200', '2', 'idle threads'), v('lanes', 'h200', '6', 'idle threads'))
    },
  ],
  [
    'textures',
    'gt200,h200',
    '4',
    (v) => {
      near(v('transactions', 'h200', '4', 'texture'), v('transactions', 'h200', '4', 'buffer'))
      over(v('instructions', 'h200', '4', 'buffer'), 1.1 * v('instructions', 'h200', '4', 'texture'))
      // the cache of textures is the only one that a GT200 has for what kernels read
      over(v('time', 'gt200', '4', 'buffer'), 1.5 * v('time', 'gt200', '4', 'texture'))
    },
  ],
  [
    'svm',
    'gt200',
    'naive|constant, reordered',
    (v) => {
      over(v('time', 'gt200', 'naive'), 5 * v('time', 'gt200', 'constant, reordered'))
      expect(v('transactions', 'gt200', 'constant, reordered')).toBe(2)
    },
  ],
  ['nmf', 'h200', 'WᵀV|update', (v) => over(v('time', 'h200', 'WᵀV'), 3 * v('time', 'h200', 'update'))],
]

describe('what experiments claim', () => {
  test.each(someOf(claims.map((c) => [c[0], c] as const)))('%s', (name, [, gpus, labels, claim]) => {
    claim(
      valuesIn(
        runStudy(some(name, labels.split(labels.includes('|') ? '|' : ',')), { gpus: gpus.split(',').map(gpu) }),
      ),
    )
  })

  test('every experiment has a claim, a name, sources, and two points or more', () => {
    expect(experiments.length).toBeGreaterThanOrEqual(20)
    expect(new Set(experiments.map((e) => e.name)).size).toBe(experiments.length)
    expect(claims.map((c) => c[0]).sort()).toEqual(experiments.map((e) => e.name).sort())
    for (const e of experiments) {
      expect(e.name).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(e.sources.every((s) => s.document in documents && s.place.length > 3)).toBe(true)
      for (const s of e.series) expect(s.points.length, `${e.name} ${s.name}`).toBeGreaterThanOrEqual(2)
    }
  })
})
