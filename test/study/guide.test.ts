// Every number in the prose of the guide is what a run says: one line a number. What stands in code blocks is tested as
// screens.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explain } from '../../src/explain/index.ts'
import { gpu, occupancy } from '../../src/gpus/index.ts'
import type { Quantity } from '../../src/ir/index.ts'
import { experimentNamed, simulateUnit } from '../../src/study/index.ts'
import { catalogued } from '../../src/study/types.ts'

const folder = join(import.meta.dirname, '../../docs/guide')
const prose = new Map(
  readdirSync(folder)
    .filter((f) => f.endsWith('.md'))
    .map((f) => [
      f.replace('.md', ''),
      readFileSync(join(folder, f), 'utf8')
        .replace(/^```[\s\S]*?^```$/gm, '')
        .replace(/\s+/g, ' '),
    ]),
)

const known = new Map<string, number>()
/** A quantity of a point of an experiment, by label and, where there are several, series. */
function value(name: string, gpuName: string, label: string, quantity: Quantity, series?: string): number {
  const key = [name, gpuName, label, quantity, series].join()
  const e = experimentNamed(name)
  const s = e.series.findIndex((x) => series === undefined || x.name === series)
  const point = e.series[s]!.points.findIndex((p) => String(p.x) === label)
  const found = known.get(key) ?? simulateUnit(e, { gpu: gpu(gpuName), series: s, point }).values[quantity] ?? NaN
  known.set(key, found)
  return found
}
const time = (...args: [name: string, gpu: string, label: string, series?: string]): number =>
  value(args[0], args[1], args[2], 'time', args[3])
const less = (from: number, to: number): string => `${Math.round(100 * (1 - to / from))} %`
const micro = (ns: number): string => `${(ns / 1000).toFixed(ns < 1e5 ? 1 : 0)} µs`
const milli = (ns: number): string => `${(ns / 1e6).toFixed(1)} ms`
const chain = (name: string): number =>
  explain({ text: catalogued(name), file: name }, { grid: [4096, 1, 1] }, { gpu: gpu('h200') }).prediction.ns
/** Measured times of an experiment by label, in microseconds, as docs/study.md has them. */
function measured(title: string): ReadonlyMap<string, number> {
  const page = readFileSync(join(folder, '../study.md'), 'utf8')
  const [, part = ''] = page.split(`## ${title}\n`)
  const [own = ''] = part.split('\n## ')
  return new Map([...own.matchAll(/^\| ([^|]+) \| [^|]+ \| ([\d.]+) µs \|/gm)].map((m) => [m[1]!, Number(m[2])]))
}

const both = 'both barriers'
const unrolled = (n: number): number => time('unrolling', 'gt200', String(n), 'count unknown')
const waiting = (limit: string): number => time('registers', 'gt200', limit, 'values that wait')

/** Chapter, what it says around each `#`, and what stands there. */
const numbers: readonly (readonly [chapter: string, says: string, values: () => readonly string[]])[] = [
  ['coalescing', 'The mean is #', () => [value('patterns', 'h200', 'i + 1', 'transactions').toFixed(2)]],
  [
    'layouts',
    '# transactions a request become #, and # become #',
    () => {
      const at = (q: Quantity, series: string) => value('block-shape', 'gt200', '32', q, series)
      const [odd, padded] = ['rows of 2053', 'rows of 2053, padded to 2080']
      return [
        at('transactions', odd).toFixed(2),
        String(at('transactions', padded)),
        micro(at('time', odd)),
        micro(at('time', padded)),
      ]
    },
  ],
  ['tiling', 'bytes are #, as counted', () => [`${value('tile-size', 'h200', '32', 'moved').toFixed(0)} MB`]],
  [
    'barriers',
    'saves # of the product and # of the reduction',
    () =>
      ['product', 'reduction'].map((s) =>
        less(time('barrier', 'h200', both, s), time('barrier', 'h200', 'none after loading', s)),
      ),
  ],
  [
    'reduction',
    '/ 512 = #. A tree makes 511 / 512 = #',
    () => [
      value('work-efficiency', 'h200', '512', 'operations', 'steps').toFixed(2),
      value('work-efficiency', 'h200', '512', 'operations', 'tree').toFixed(3),
    ],
  ],
  ['divergence', '33 / 64 = #', () => [`${value('whole-warps', 'h200', '33', 'lanes').toFixed(1)} %`]],
  [
    'occupancy',
    'one block fits, #. With 16 registers two do, #',
    () =>
      [20, 16].map((registers) => {
        const { occupancy: part } = occupancy(gpu('gt200'), { threads: 512, registers, shared: 0 })
        return `${100 * part} %`
      }),
  ],
  ['occupancy', 'takes the time from # to #', () => [String(Math.round(waiting('40') / 1000)), micro(waiting('32'))]],
  ['unrolling', '16 takes # off the time', () => [less(unrolled(1), unrolled(16))]],
  ['unrolling', '# become #: a third less', () => [milli(unrolled(1)), milli(unrolled(16))]],
  [
    'unrolling',
    'written out by two takes # longer',
    () => {
      const us = measured('Unrolling against instructions and time')
      return [`${Math.round(100 * (us.get('2')! / us.get('1')! - 1))} %`]
    },
  ],
  [
    'unrolling',
    '# beside # on an H200',
    () => [micro(chain('chain-four')), ((4 * chain('chain-one')) / 1000).toFixed(1)],
  ],
  [
    'where-the-sources-are-wrong',
    'are # slower and 34 are #',
    () =>
      ['512', '1024'].map(
        (b) => `${Math.round(100 * (time('blocks', 'gt200', b) / time('blocks', 'gt200', '256') - 1))} %`,
      ),
  ],
  [
    'where-the-sources-are-wrong',
    'it falls from # to # on an H200 and from # to # on a GT200',
    () =>
      ['h200', 'gt200'].flatMap((g) =>
        ['4', '32'].map((d) => `${Math.round(value('load-phases', g, d, 'occupancy', 'one phase'))} %`),
      ),
  ],
]

describe('numbers of the guide', () => {
  test.each(
    numbers.map(([chapter, says, values]) => [`${chapter}: ${says}`, chapter, says, values] as const),
  )('%s', (_, chapter, says, values) => {
    const all = values()
    let next = 0
    expect(prose.get(chapter)).toContain(says.replace(/#/g, () => all[next++] ?? '?'))
  })

  test('43 %, a quarter, more than six times', () => {
    const of = (label: string): number => time('occupancy', 'gt200', label, 'tile of 8')
    expect(of('3') / of('8')).toBeCloseTo(0.43, 1) // 25 % and 6 %
    expect(1 - of('0') / of('3')).toBeCloseTo(1 / 4, 1)
    const product = (limit: string): number => time('registers', 'gt200', limit, 'not unrolled')
    expect(product('20') / product('48')).toBeGreaterThan(6)
    expect(product('20') / product('48')).toBeLessThan(7)
  })

  test('every chapter says what a block and a warp are, and ends with a question that a command answers', () => {
    const chapters = [...prose.keys()].filter((c) => c !== 'README' && c !== 'where-the-sources-are-wrong')
    expect(chapters).toHaveLength(8)
    for (const c of chapters) {
      const text = readFileSync(join(folder, `${c}.md`), 'utf8')
      const [start = ''] = text.split('\n\n').slice(1)
      for (const word of ['block', 'warp']) expect(start.toLowerCase(), `${c}: ${word}`).toContain(word)
      expect(text, c).toMatch(/## A question\n[\s\S]+```\nnpx tesela [^\n]+\n```\n\n<details>/)
    }
  })
})
