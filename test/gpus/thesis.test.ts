// The GT200 as the thesis draws it (sources: chapter 2, figures 2.8 to 2.10; chapter 3, figures 3.3 to 3.5):
// half-warps, sixteen banks with one broadcast word, segments that shrink to the half that is used.
import { describe, expect, test } from 'vitest'
import { countGlobal, countShared, gpu, type WarpAccess } from '../../src/gpus/index.ts'

const gt200 = gpu('gt200')
const lanes = Array.from({ length: 32 }, (_, l) => l)
const access = (address: (lane: number) => number, bytesPerLane = 4, active = -1): WarpAccess => ({
  addresses: lanes.map(address),
  active,
  bytesPerLane,
  op: 'load',
})
/** Passes of one half-warp: the lower sixteen lanes alone. */
const passes = (address: (lane: number) => number): number => countShared(gt200, access(address, 4, 0xffff)).wavefronts
const half = (
  address: (lane: number) => number,
  bytes = 4,
): { readonly sectors: number; readonly transferredBytes: number } => countGlobal(gt200, access(address, bytes, 0xffff))
/** A fixed permutation of sixteen. */
const shuffled = [3, 14, 1, 5, 9, 2, 6, 11, 0, 8, 13, 7, 15, 4, 10, 12]

describe('figure 2.8: shared accesses without conflict', () => {
  test('a) in order', () => expect(passes((l) => 4 * l)).toBe(1))
  test('b) permuted', () => expect(passes((l) => 4 * shuffled[l % 16]!)).toBe(1))
  test('c) all read one word', () => expect(passes(() => 20)).toBe(1))
  test('d) some read one word, the others banks of their own', () =>
    expect(passes((l) => (l % 16 < 6 ? 20 : 4 * l))).toBe(1))
})

describe('figure 2.9: conflicts of degree 2 and 8', () => {
  test('every second word', () => expect(passes((l) => 8 * l)).toBe(2))
  test('every eighth word', () => expect(passes((l) => 32 * l)).toBe(8))
})

describe('figure 2.10: segments of 128 bytes that shrink', () => {
  test('sixteen words in one aligned half of a segment: one transaction of 64 bytes', () =>
    expect(half((l) => 4 * l)).toMatchObject({ sectors: 1, transferredBytes: 64 }))
  test('sixteen words across the middle of a segment: one of 128 bytes', () =>
    expect(half((l) => 32 + 4 * l)).toMatchObject({ sectors: 1, transferredBytes: 128 }))
  test('sixteen words across two segments: two, each shrunk to what is used', () =>
    expect(half((l) => 96 + 4 * l)).toMatchObject({ sectors: 2, transferredBytes: 64 }))
  test('a quarter in one segment, the rest in the next: 32 and 64 bytes', () =>
    expect(half((l) => 112 + 4 * l)).toMatchObject({ sectors: 2, transferredBytes: 96 }))
  test('any order inside a segment is alike', () =>
    expect(half((l) => 4 * shuffled[l % 16]!)).toMatchObject({ sectors: 1, transferredBytes: 64 }))
  test('n segments are n transactions', () =>
    expect(half((l) => 128 * l)).toMatchObject({ sectors: 16, transferredBytes: 16 * 32 }))
  test('a warp is two requests of half a warp', () =>
    expect(
      countGlobal(
        gt200,
        access((l) => 4 * l),
      ).sectors,
    ).toBe(2))
})

describe('figure 3.3: a padded column', () => {
  test('a row of a tile 16 wide has no conflict', () => expect(passes((l) => 4 * l)).toBe(1))
  test('a column of it lies in one bank: sixteen passes', () => expect(passes((l) => 4 * 16 * l)).toBe(16))
  test('padded by one element: none', () => expect(passes((l) => 4 * 17 * l)).toBe(1))
})

describe('figures 3.4 and 3.5: structures of more than 16 bytes', () => {
  /** A structure of 32 bytes is read in two loads of 16, each lane 32 bytes after its neighbour. */
  const whole = [0, 16].map((at) => half((l) => 32 * l + at, 16))
  /** Two structures of 16 bytes in arrays of their own. */
  const split = [0, 0].map(() => half((l) => 16 * l, 16))
  const total = (parts: typeof whole): number => parts.reduce((n, p) => n + p.transferredBytes, 0)
  test('whole: twice the bytes move', () => expect(total(whole)).toBe(2 * 16 * 32))
  test('split: only what is wanted', () => expect(total(split)).toBe(16 * 32))
})
