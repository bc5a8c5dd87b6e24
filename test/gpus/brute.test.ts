// Counts against a brute force with sets, on random accesses: aligned and not, sparse masks, duplicates.
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { countGlobal, countShared, gpu, type WarpAccess } from '../../src/gpus/index.ts'

const h200 = gpu('h200'),
  fermi = gpu('fermi'),
  gt200 = gpu('gt200')

function someAccess(seed: number): WarpAccess {
  const r = random(seed)
  const bytesPerLane = [1, 2, 4, 8, 16][r.int(0, 4)]!
  const range = [8, 64, 4096, 1e6][r.int(0, 3)]!
  const unit = r.int(0, 9) === 0 ? 1 : bytesPerLane
  const base = r.int(0, 3) * 2 ** 31
  return {
    addresses: Array.from({ length: 32 }, () => base + unit * r.int(0, range)),
    active: r.int(0, 1) === 0 ? 0xffffffff : r.bits(),
    bytesPerLane,
    op: 'load',
  }
}

const activeLanes = (a: WarpAccess): number[] =>
  Array.from({ length: 32 }, (_, l) => l).filter((l) => ((a.active >>> l) & 1) === 1)
const units = (a: WarpAccess, of: readonly number[], unit: number): number =>
  new Set(of.flatMap((l) => Array.from({ length: a.bytesPerLane }, (_, b) => Math.floor((a.addresses[l]! + b) / unit))))
    .size

test('sectors, lines and useful bytes are sizes of sets', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const a = someAccess(seed),
      on = activeLanes(a),
      c = countGlobal(h200, a)
    expect([seed, c.sectors, c.lines, c.usefulBytes]).toEqual([
      seed,
      units(a, on, 32),
      units(a, on, 128),
      units(a, on, 1),
    ])
    expect(c.idealSectors).toBeLessThanOrEqual(c.sectors)
    expect(c.idealWavefronts).toBeLessThanOrEqual(c.wavefronts)
  }
})

test('lines of cc 2.x are sets per half- or quarter-warp', () => {
  for (let seed = 1; seed <= 1000; seed++) {
    const a = someAccess(seed),
      on = activeLanes(a)
    const group = a.bytesPerLane <= 4 ? 32 : a.bytesPerLane === 8 ? 16 : 8
    const groups = Array.from({ length: 32 / group }, (_, g) => on.filter((l) => Math.floor(l / group) === g))
    expect([seed, countGlobal(fermi, a).sectors]).toEqual([
      seed,
      groups.reduce((n, lanes) => n + units(a, lanes, 128), 0),
    ])
  }
})

test("segments of cc 1.3 follow the guide's loop", () => {
  for (let seed = 1; seed <= 1000; seed++) {
    const a = someAccess(seed)
    if (a.addresses[0]! % a.bytesPerLane !== 0) continue
    const aligned = { ...a, addresses: Array.from(a.addresses, (x) => x - (x % a.bytesPerLane)) }
    expect([seed, countGlobal(gt200, aligned).transferredBytes]).toEqual([
      seed,
      guideLoop(aligned, 0) + guideLoop(aligned, 16),
    ])
  }
})

/**
 * The loop of the programming guide, literally: lowest active lane's segment, all lanes in it, shrink twice, repeat.
 * Bytes moved.
 */
function guideLoop(a: WarpAccess, from: number): number {
  let left = activeLanes(a).filter((l) => l >= from && l < from + 16),
    bytes = 0
  while (left.length > 0) {
    let size = a.bytesPerLane === 1 ? 32 : a.bytesPerLane === 2 ? 64 : 128
    let at = Math.floor(a.addresses[left[0]!]! / size) * size
    const inside = left.filter((l) => a.addresses[l]! >= at && a.addresses[l]! < at + size)
    for (let k = 0; k < 2 && size > 32; k++) {
      const low = inside.every((l) => a.addresses[l]! + a.bytesPerLane <= at + size / 2),
        high = inside.every((l) => a.addresses[l]! >= at + size / 2)
      if (low || high) {
        size /= 2
        if (high) at += size
      }
    }
    bytes += size
    left = left.filter((l) => !inside.includes(l))
  }
  return bytes
}

test('passes of 4-byte shared accesses are the most distinct words in a bank', () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const a = { ...someAccess(seed), bytesPerLane: 4 }
    const words = new Set(
      activeLanes(a).flatMap((l) => [Math.floor(a.addresses[l]! / 4), Math.floor((a.addresses[l]! + 3) / 4)]),
    )
    const perBank = Array.from({ length: 32 }, (_, b) => [...words].filter((w) => w % 32 === b).length)
    expect([seed, countShared(h200, a).wavefronts]).toEqual([seed, Math.max(...perBank)])
  }
})
