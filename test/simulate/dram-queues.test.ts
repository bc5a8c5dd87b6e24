// The queues of DRAM: what a GT200's channels take for traffic whose cost follows from the data sheet.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import type { Trace } from '../../src/ir/index.ts'
import { dramStretch } from '../../src/simulate/dram-queues.ts'

const gt200 = gpu('gt200')
const read = { writes: false, counts: true },
  write = { writes: true, counts: true }
/** Blocks of one warp each that ask for `count` runs of four sectors of 32 bytes, at the bytes given. */
const asking = (blocks: number, count: number, byte: (block: number, n: number) => number): Trace => ({
  whole: true,
  blocks: Array.from({ length: blocks }, (_, b) => {
    const warp = Array.from({ length: count }, (__, n) => {
      const first = byte(b, n) / 32
      return [0, 4, first, first + 1, first + 2, first + 3]
    }).flat()
    return { block: [b, 0, 0], intervals: [[warp]] }
  }),
})
const row = 4096 * 8 // bytes until the next row of the same channel

test('neighbours after neighbours keep rows open: nearly the rate of the pins', () => {
  const t = asking(240, 16, (b, n) => (n * 240 + b) * 128)
  expect(dramStretch(t, [read], gt200, 8)).toBeLessThan(1.15)
})

test('all on one channel: eight times as long', () => {
  const t = asking(240, 16, (b, n) => Math.floor((n * 240 + b) / 2) * 2048 + (b % 2) * 128)
  const stretch = dramStretch(t, [read], gt200, 8)!
  expect(stretch).toBeGreaterThan(7.9)
  expect(stretch).toBeLessThan(10)
})

test('a row for every 128 bytes: 10 ns between openings where the pins take 7.2', () => {
  const t = asking(240, 16, (b, n) => (b * 16 + n) * row + ((b + n) % 8) * 256)
  expect(dramStretch(t, [read], gt200, 8)).toBeGreaterThan(10 / 7.3)
})

test('writes hold rows longer than reads do', () => {
  const t = asking(240, 16, (b, n) => (b * 16 + n) * row)
  expect(dramStretch(t, [write], gt200, 8)).toBeGreaterThan(dramStretch(t, [read], gt200, 8)!)
})

test('what is cached and what nobody asks for count nothing; chips that are not known neither', () => {
  const t = asking(4, 4, (b, n) => (b + n) * 128)
  expect(dramStretch(t, [{ writes: false, counts: false }], gt200, 1)).toBeUndefined()
  expect(dramStretch({ whole: true, blocks: [] }, [read], gt200, 1)).toBeUndefined()
  expect(dramStretch(t, [read], gpu('h200'), 1)).toBeUndefined()
})
