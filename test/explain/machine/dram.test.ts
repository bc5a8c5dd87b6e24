// DRAM at work: which channel, bank and row serves a burst, and when. Expected by hand from the chips of the profile.
import { expect, test } from 'vitest'
import { dramOf } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import type { Trace } from '../../../src/ir/index.ts'

const gt200 = gpu('gt200')
const burstNs = (32 * 8 * 1e9) / gt200.memory.dramBytesPerSecond.value

/** One warp that asks for one sector of 32 bytes after the other. */
const asking = (bytes: readonly number[]): Trace => ({
  whole: true,
  blocks: [{ block: [0, 0, 0], intervals: [[bytes.flatMap((b) => [0, 1, b / 32])]] }],
})
const times = (n: number, f: (i: number) => number): readonly number[] => Array.from({ length: n }, (_, i) => f(i))

test('256 bytes lie on one channel, the next 256 on the next', () => {
  const d = dramOf(gt200, asking(times(64, (i) => 32 * i)))!
  expect(d.loads.map((l) => l.bursts)).toEqual(times(8, () => 8))
  expect(d.loads.map((l) => l.opened)).toEqual(times(8, () => 1))
  expect(d.ns).toBeCloseTo(28 + 8 * burstNs, 6)
})

test('a pitch of all channels together sends everything to one', () => {
  const d = dramOf(gt200, asking(times(16, (i) => 2048 * i)))!
  expect(d.loads.map((l) => l.bursts)).toEqual([16, ...times(7, () => 0)])
  // 256 bytes of each 2048 are its own: a row of 4096 bytes holds what stands in 32 KiB
  expect(d.loads[0]!.opened).toBe(1)
  expect(d.busy).toBeCloseTo((16 * burstNs) / (8 * (28 + 16 * burstNs)), 6)
})

test('bursts of the open row follow each other; another row of the bank waits for its cycle', () => {
  const row = 4096 * 8 // bytes of addresses whose pieces fill a row of a channel
  const d = dramOf(gt200, asking([0, 8 * row]))! // eight banks later it is the same bank
  expect(d.first.map((b) => [b.bank, b.row, b.opens])).toEqual([
    [0, 0, 0],
    [0, 1, 40],
  ])
  expect(d.ns).toBeCloseTo(40 + 28 + burstNs, 6)
})

test('other banks open their rows meanwhile', () => {
  const row = 4096 * 8
  const d = dramOf(gt200, asking(times(8, (i) => i * row)))!
  expect(new Set(d.first.map((b) => b.bank)).size).toBe(8)
  expect(d.ns).toBeCloseTo(28 + 8 * burstNs, 6)
})

test('one whose row is open goes before one that waits', () => {
  const row = 4096 * 8
  const d = dramOf(gt200, asking([0, 8 * row, 32]))!
  expect(d.first.map((b) => b.row)).toEqual([0, 0, 1])
})

test('L2 keeps what was fetched, a GT200 keeps nothing; unknown chips are not drawn', () => {
  const twice = asking([0, 0])
  const bursts = (name: string): number => dramOf(gpu(name), twice)!.loads.reduce((n, l) => n + l.bursts, 0)
  expect([bursts('gt200'), bursts('h200')]).toEqual([2, 1])
  expect(dramOf(gpu('h200'), twice)!.known).toBe(false)
  expect(dramOf(gpu('mali-g78'), twice)).toBeNull()
  expect(dramOf(gt200, asking([]))).toBeNull()
})
