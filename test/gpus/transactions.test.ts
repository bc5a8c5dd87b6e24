// The list of transactions and the count of them are two ways to say the same, for every GPU and any access.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countGlobal, gpu, gpuNames, transactionsOf, type WarpAccess } from '../../src/gpus/index.ts'

const access = fc
  .record({
    start: fc.nat(600),
    stride: fc.integer({ min: 0, max: 70 }),
    shuffle: fc.boolean(),
    active: fc.integer(),
    bytesPerLane: fc.constantFrom(1, 2, 4, 8, 12, 16),
    op: fc.constantFrom('load' as const, 'store' as const),
    seed: fc.nat(1000),
  })
  .map(
    ({ start, stride, shuffle, active, bytesPerLane, op, seed }): WarpAccess => ({
      addresses: Array.from({ length: 32 }, (_, l) => {
        const unit = bytesPerLane === 12 ? 4 : bytesPerLane,
          lane = shuffle ? (l * 7 + seed) % 32 : l
        return (start + lane * stride + (lane >> 3) * (seed % 5)) * unit
      }),
      active,
      bytesPerLane,
      op,
    }),
  )

test.each(gpuNames())('%s', (name) => {
  const profile = gpu(name)
  fc.assert(
    fc.property(access, (a) => {
      const list = transactionsOf(profile, a),
        count = countGlobal(profile, a)
      expect(list.reduce((n, t) => n + t.bytes, 0)).toBe(count.transferredBytes)
      if (profile.globalRule !== 'lines' || a.op === 'load') expect(list).toHaveLength(count.sectors)
      for (const [lane, at] of Array.from(a.addresses).entries()) {
        if (((a.active >>> lane) & 1) === 0) continue
        expect(
          list.some((t) => at >= t.start && at < t.start + t.bytes),
          `lane ${lane} at ${at}`,
        ).toBe(true)
      }
      for (const t of list) expect(t.start % Math.min(t.bytes, 32)).toBe(0)
    }),
    { numRuns: 120, seed: 5 },
  )
})
