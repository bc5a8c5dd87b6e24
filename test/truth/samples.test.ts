// The simulator against the hardware on programs that are not ours: the committed table of what was simulated and what
// an H200 counted must meet the bars, with every known exception named; and the section made of it must say so.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { numberOf, rawPage, sizeOf } from '../../bench/truth/csv.ts'
import { columns, explained, sampleName, withinBar, type Column, type SampleRow } from '../../bench/truth/samples.ts'
import { countsSection } from '../../bench/truth/section.ts'

const { rows } = JSON.parse(readFileSync(join(import.meta.dirname, '../../bench/data/h200-samples.json'), 'utf8')) as {
  rows: readonly SampleRow[]
} // committed data
const compared = rows.filter((r) => r.simulated && r.hardware)
const kernels = (list: readonly SampleRow[]): number => new Set(list.map(sampleName)).size
const share = (column: Column): number => compared.filter((r) => withinBar(r, column)).length / compared.length

describe('programs that are not ours, against the hardware', () => {
  test('at least 60 kernels are compared', () => expect(kernels(compared)).toBeGreaterThanOrEqual(60))

  test.each(
    columns.filter((c) => /Requests|Sectors/.test(c)),
  )('%s are equal wherever timing decides nothing', (column) => {
    expect(compared.filter((r) => !withinBar(r, column) && explained(r, column) === null).map(sampleName)).toEqual([])
    expect(share(column)).toBeGreaterThan(0.95)
  })

  // These shares may rise and must not fall.
  test.each([
    ['sharedWavefronts', 0.91],
    ['sharedIdeal', 0.93],
    ['warpEfficiency', 0.96],
    ['branchEfficiency', 0.95],
    ['instructions', 0.96],
  ] as const)('%s within the bar on at least %f of the launches', (column, least) => {
    expect(share(column)).toBeGreaterThan(least)
  })

  test('what is outside a bar has its reason', () =>
    expect(
      compared.flatMap((r) =>
        columns.filter((c) => !withinBar(r, c) && explained(r, c) === null).map((c) => `${sampleName(r)} ${c}`),
      ),
    ).toEqual([]))

  test('without machine code the rules keep what they had', () => {
    const plain = (column: Column): number =>
      compared.filter((r) => withinBar({ ...r, simulated: r.fromPtx }, column)).length / compared.length
    expect(
      [plain('warpEfficiency'), plain('branchEfficiency'), plain('instructions')].map(
        (x, i) => x > [0.77, 0.83, 0.69][i]!,
      ),
    ).toEqual([true, true, true])
  })

  test('lines of the sources: sectors and shared passes nearly all, instructions most', () => {
    const lines = compared.flatMap((r) => (r.lines ? [r.lines] : []))
    const part = (k: 'instructions' | 'sharedWavefronts' | 'globalSectors'): number =>
      lines.reduce((n, l) => n + l[k][1], 0) / lines.reduce((n, l) => n + l[k][0], 0)
    expect(part('globalSectors')).toBeGreaterThan(0.98)
    expect(part('sharedWavefronts')).toBeGreaterThan(0.9)
    expect(part('instructions')).toBeGreaterThan(0.77)
  })

  test('blocks per multiprocessor are what the driver says', () => {
    // The driver gives a kernel with a stack of unknown depth fewer blocks than registers and shared memory allow.
    const off = rows.filter((r) => r.activeBlocks[0] !== r.activeBlocks[1])
    expect(off.map(sampleName).filter((n) => !n.includes('newton'))).toEqual([])
  })

  test("registers of the PTX are the driver's", () =>
    expect(rows.filter((r) => r.registers[0] !== r.registers[1]).map(sampleName)).toEqual([]))

  test('the section names every kernel outside the bars', () => {
    const text = countsSection()
    for (const r of compared) if (columns.some((c) => !withinBar(r, c))) expect(text).toContain(sampleName(r))
    expect(text).toMatch(/^## Counts\n/)
  })
})

describe("the profiler's pages", () => {
  const page =
    '==PROF== noise\n"ID","Kernel Name","Block Size","a.sum"\n"","","","inst"\n"0","_Z1kv","(32, 4, ' +
    '1)","1,234"\n"1","say ""x""","(1, 1, 1)","2.5"\n'
  test('rows by column, without units and noise', () =>
    expect(rawPage(page).map((r) => [r['Kernel Name'], numberOf(r, 'a.sum'), sizeOf(r['Block Size']!)])).toEqual([
      ['_Z1kv', 1234, [32, 4, 1]],
      ['say "x"', 2.5, [1, 1, 1]],
    ])) // the page has the column
  test('what is missing is no number', () => expect(numberOf(rawPage(page)[0]!, 'b.sum')).toBeNaN())
})
