// Counts of one warp access against numbers derived by hand. Addresses are bytes; lane l of a stride-s access of w-byte
// elements stands at base + w·s·l. H = sectors of 32 B over the warp (hopper), F = lines of 128 B (fermi), G = cc 1.3
// segments per half-warp with their shrunk bytes (gt200).
import { describe, expect, test } from 'vitest'
import { accessPattern, countGlobal, countShared, gpu, type WarpAccess } from '../../src/gpus/index.ts'

const full = 0xffffffff
const lanes = (
  address: (lane: number) => number,
  bytesPerLane = 4,
  op: WarpAccess['op'] = 'load',
  active = full,
): WarpAccess => ({ addresses: Array.from({ length: 32 }, (_, lane) => address(lane)), active, bytesPerLane, op })
const strided = (stride: number, bytes = 4, base = 0): WarpAccess => lanes((l) => base + bytes * stride * l, bytes)
const h200 = gpu('h200'),
  fermi = gpu('fermi'),
  gt200 = gpu('gt200'),
  g80 = gpu('g80'),
  kepler = gpu('kepler')

describe('global, 4-byte elements by stride', () => {
  // H: the warp spans 128·s bytes; up to s = 8 every sector in it is touched (s = 3: bytes 0…375, 12 sectors), beyond
  //    that each lane has its own. F: up to s = 32 every line of the span; s = 17: 17 lines; s = 33: 132 l / 128 all
  // differ.
  // G: s=1 64 B per half. s=2 128 B per half. s=3: half 0 fills segment 0 (128) and bytes 132…183 of segment 1 (64);
  //    half 1 bytes 192…255 of segment 1 (64) and 264…375 of segment 2 (128). s=4: two full segments per half. s=8:
  // four.
  //    s=16: two lanes a segment, in different halves: 8 × 128 per half. s=17: half 0 pairs as s=16: 8 × 128; half 1
  // starts
  //    at 1088: lane 16 alone (32), 7 pairs (128), lane 31 alone at 2108 (32). s=32, 33: one lane a segment, 32 B.
  test.each([
    [1, 4, 1, 2, 128],
    [2, 8, 2, 2, 256],
    [3, 12, 3, 4, 384],
    [4, 16, 4, 4, 512],
    [8, 32, 8, 8, 1024],
    [16, 32, 16, 16, 2048],
    [17, 32, 17, 17, 1984],
    [32, 32, 32, 32, 1024],
    [33, 32, 32, 32, 1024],
  ])(
    'stride %i: %i sectors on h200, %i lines on ' + 'fermi, %i segments of %i bytes on gt200',
    (s, sectors, lines, segments, bytes) => {
      const access = strided(s)
      expect(countGlobal(h200, access)).toMatchObject({
        sectors,
        lines,
        idealSectors: 4,
        usefulBytes: 128,
        transferredBytes: 32 * sectors,
        idealWavefronts: 1,
      })
      expect(countGlobal(fermi, access)).toMatchObject({
        sectors: lines,
        lines,
        idealSectors: 1,
        transferredBytes: 128 * lines,
      })
      expect(countGlobal(gt200, access)).toMatchObject({
        sectors: segments,
        transferredBytes: bytes,
        idealSectors: 2,
        lines,
      })
    },
  )
})

describe('global, 4-byte elements in a row, shifted by k elements', () => {
  test.each(Array.from({ length: 31 }, (_, i) => [i + 1]))('offset %i', (k) => {
    const access = strided(1, 4, 4 * k)
    // H: 128 bytes from 4k: 4 sectors when 4k is a multiple of 32, else 5. F: 4k is never a multiple of 128: 2 lines.
    expect(countGlobal(h200, access)).toMatchObject({
      sectors: k % 8 === 0 ? 4 : 5,
      idealSectors: 4,
      lines: 2,
      wavefronts: 1,
    })
    expect(countGlobal(fermi, access).sectors).toBe(2)
    // G: a half of 64 B that starts at a (mod 128) lies in one segment when a ≤ 64, else in two. Starts are 4k and 4k +
    // 64:
    //    exactly one of them is beyond 64, unless k = 16, when both fit (64 and 0).
    expect(countGlobal(gt200, access).sectors).toBe(k === 16 ? 2 : 3)
    // cc 1.0: in order, but aligned to 64 bytes only at k = 16; else 16 transactions of 32 bytes a half.
    expect(countGlobal(g80, access)).toMatchObject(
      k === 16 ? { sectors: 2, transferredBytes: 128 } : { sectors: 32, transferredBytes: 1024 },
    )
    expect(accessPattern(access).pattern).toBe(k % 8 === 0 ? 'coalesced' : 'misaligned')
  })
  test('bytes moved by gt200 at offsets 1, 8, 16', () => {
    // k=1: half 0 bytes 4…67 → 128; half 1 bytes 68…131 → 64 (68…127) + 32 (128…131). k=8: 32…95 → 128; 96…159 → 32 +
    // 32. k=16: 64 + 64.
    expect([1, 8, 16].map((k) => countGlobal(gt200, strided(1, 4, 4 * k)).transferredBytes)).toEqual([224, 192, 128])
  })
})

describe('global, other shapes', () => {
  test.each([
    // width, H, F, G, G bytes, cc 1.0. 2 B: 64 bytes: 2 sectors; 32 B a half, in 64-byte segments, shrunk; cc 1.0
    // coalesces no 2-byte words. 8 B: 256 bytes: 8 sectors; two half-warp requests of a line; 128 B a half. 16 B: 16;
    // four quarters; two segments a half.
    [2, 2, 1, 2, 64, 32],
    [4, 4, 1, 2, 128, 2],
    [8, 8, 2, 2, 256, 2],
    [16, 16, 4, 4, 512, 4],
  ])('%i-byte elements in a row', (bytes, sectors, lines, segments, moved, strict) => {
    const access = strided(1, bytes)
    expect(countGlobal(h200, access)).toMatchObject({ sectors, idealSectors: sectors, usefulBytes: 32 * bytes })
    expect(countGlobal(fermi, access)).toMatchObject({ sectors: lines, idealSectors: lines })
    expect(countGlobal(gt200, access)).toMatchObject({
      sectors: segments,
      transferredBytes: moved,
      idealSectors: segments,
    })
    expect(countGlobal(g80, access)).toMatchObject({ sectors: strict, idealSectors: strict })
  })
  test('broadcast: one sector, one line, one 32-byte segment per half-warp; 4 useful bytes', () => {
    const access = lanes(() => 4096)
    expect(countGlobal(h200, access)).toMatchObject({
      sectors: 1,
      idealSectors: 1,
      lines: 1,
      usefulBytes: 4,
      wavefronts: 1,
    })
    expect(countGlobal(fermi, access)).toMatchObject({ sectors: 1, transferredBytes: 128 })
    expect(countGlobal(gt200, access)).toMatchObject({ sectors: 2, transferredBytes: 64 })
    expect(accessPattern(access)).toEqual({ pattern: 'broadcast' })
  })
  test('a column of a matrix 1000 floats wide: every lane its own sector, line and segment', () => {
    const access = strided(1000)
    expect([h200, fermi, gt200].map((g) => countGlobal(g, access).sectors)).toEqual([32, 32, 32])
    expect(accessPattern(access)).toEqual({ pattern: 'strided', stride: 1000 })
  })
  test('a 16 × 16 block in rows of 1024 floats: two aligned runs of 64 bytes', () => {
    const access = lanes((l) => 4 * ((l >> 4) * 1024 + (l & 15)))
    expect(countGlobal(h200, access)).toMatchObject({ sectors: 4, lines: 2 })
    expect(countGlobal(gt200, access)).toMatchObject({ sectors: 2, transferredBytes: 128 })
    expect(accessPattern(access).pattern).toBe('coalesced')
  })
  test('reversed lanes coalesce from cc 1.2 on, and not before', () => {
    const access = lanes((l) => 4 * (31 - l))
    expect(countGlobal(gt200, access).sectors).toBe(2)
    expect(countGlobal(g80, access).sectors).toBe(32)
  })
  test('inactive lanes: nothing for none; the half that is active', () => {
    expect(countGlobal(h200, { ...strided(1), active: 0 })).toMatchObject({ sectors: 0, wavefronts: 0, usefulBytes: 0 })
    expect(countGlobal(h200, { ...strided(1), active: 0xffff })).toMatchObject({ sectors: 2, idealSectors: 2 })
    expect(countGlobal(g80, { ...strided(1), active: 0x5555 })).toMatchObject({ sectors: 1, transferredBytes: 64 })
  })
  test('an 8-byte load at odd words touches the sectors of both words', () => {
    expect(
      countGlobal(
        h200,
        lanes(() => 28, 8),
      ).sectors,
    ).toBe(2)
  })
  test('L1 passes are max(data, tag): measured 2.01, 4.01, 8.0 and 32 at strides 2, 4, 8 and 32', () => {
    expect([1, 2, 4, 8, 16, 32].map((s) => countGlobal(h200, strided(s)).wavefronts)).toEqual([1, 2, 4, 8, 16, 32])
    // odd strides have no bank conflicts: tags bound them (measured 2.00, 3.00, 4.10 for 5, 9, 13 lines)
    for (const [s, cycles] of [
      [5, 2.0],
      [9, 3.0],
      [13, 4.1],
    ] as const)
      expect(Math.abs(countGlobal(h200, strided(s)).wavefronts / cycles - 1)).toBeLessThan(0.1)
  })
})

describe('shared, 4-byte elements by stride', () => {
  // 32 banks: gcd(s, 32) lanes meet in a bank, all in different words. 16 banks, per half-warp: gcd(s, 16), twice. cc
  // 3.x delivers words w and w + 32 of a 64-word row together: at even strides half the conflicts of gcd(s, 32) remain.
  test.each([
    [1, 1, 2, 1],
    [2, 2, 4, 1],
    [3, 1, 2, 1],
    [4, 4, 8, 2],
    [8, 8, 16, 4],
    [16, 16, 32, 8],
    [17, 1, 2, 1],
    [32, 32, 32, 16],
    [33, 1, 2, 1],
  ])('stride %i: %i passes, on gt200 %i, on kepler %i', (s, passes, halves, wide) => {
    const access = strided(s)
    expect(countShared(h200, access)).toMatchObject({ wavefronts: passes, conflictDegree: passes, idealWavefronts: 1 })
    expect(countShared(fermi, access)).toMatchObject({ wavefronts: passes, idealWavefronts: 1 })
    expect(countShared(gt200, access)).toMatchObject({
      wavefronts: halves,
      conflictDegree: halves / 2,
      idealWavefronts: 2,
    })
    if (s % 2 === 0) expect(countShared(kepler, access).wavefronts).toBe(wide)
  })
})

describe('shared, other shapes', () => {
  test.each([
    // 2 B: pairs of lanes share a word: free from cc 2; on cc 1.x one word is broadcast a step, so 2 steps a half. 8 B:
    // two half-warps; on cc 1.x two requests of stride 2, 2-way, per half. 16 B: four quarters; four requests of stride
    // 4, 4-way.
    [2, 1, 1, 4],
    [4, 1, 1, 2],
    [8, 2, 2, 8],
    [16, 4, 4, 32],
  ])('%i-byte elements in a row', (bytes, modern, onFermi, halves) => {
    expect(countShared(h200, strided(1, bytes))).toMatchObject({
      wavefronts: modern,
      idealWavefronts: modern,
      conflictDegree: 1,
    })
    expect(countShared(fermi, strided(1, bytes)).wavefronts).toBe(onFermi)
    expect(countShared(gt200, strided(1, bytes)).wavefronts).toBe(halves)
  })
  test('the guide calls any 16-byte access on cc 2.x 2-way: 1 + the busiest bank of a quarter-warp', () => {
    expect(countShared(fermi, strided(1, 16)).conflictDegree).toBe(2)
  })
  test('one-byte elements on cc 1.x: four lanes a word, one word broadcast a step: 4-way', () => {
    expect(countShared(gt200, strided(1, 1))).toMatchObject({ wavefronts: 8, conflictDegree: 4 })
  })
  test('broadcast: one pass; one per half-warp on gt200; 16-byte lanes that agree are merged to two', () => {
    expect(
      countShared(
        h200,
        lanes(() => 64),
      ),
    ).toMatchObject({ wavefronts: 1, usefulBytes: 4 })
    expect(
      countShared(
        gt200,
        lanes(() => 64),
      ).wavefronts,
    ).toBe(2)
    expect(
      countShared(
        h200,
        lanes(() => 64, 16),
      ).wavefronts,
    ).toBe(2)
  })
  test('16-byte loads whose lanes agree in pairs (n with n xor 1, or n xor 2) take two passes, stores four', () => {
    const byOne = lanes((l) => 16 * (l >> 1), 16),
      byTwo = lanes((l) => 16 * ((l & 1) + 2 * (l >> 2)), 16)
    expect([byOne, byTwo].map((a) => countShared(h200, a).wavefronts)).toEqual([2, 2])
    expect(countShared(h200, { ...byOne, op: 'store' }).wavefronts).toBe(4)
  })
  test(
    'a column of a 32 × 32 tile: 32-way, free with one float of padding; 16 × 16 on gt200: 16-way per ' + 'half, free',
    () => {
      expect(
        [32, 33].map(
          (w) =>
            countShared(
              h200,
              lanes((l) => 4 * w * l),
            ).wavefronts,
        ),
      ).toEqual([32, 1])
      expect(
        [16, 17].map(
          (w) =>
            countShared(
              gt200,
              lanes((l) => 4 * (w * (l & 15) + (l >> 4))),
            ).wavefronts,
        ),
      ).toEqual([32, 2])
    },
  )
  test('atomics on one word are served one lane at a time', () => {
    expect(
      countShared(
        h200,
        lanes(() => 0, 4, 'atomic'),
      ),
    ).toMatchObject({ wavefronts: 32, idealWavefronts: 1 })
    expect(countShared(h200, strided(1, 4)).wavefronts).toBe(1)
  })
  test('no active lane costs nothing', () => {
    for (const g of [h200, fermi, gt200, kepler])
      expect(countShared(g, { ...strided(1), active: 0 })).toMatchObject({ wavefronts: 0, usefulBytes: 0 })
  })
})

test(
  'patterns: xor swizzles within a row coalesce, random ' + 'words scatter, structs stride, row broadcasts broadcast',
  () => {
    expect(accessPattern(lanes((l) => 4 * (l ^ 5))).pattern).toBe('coalesced')
    expect(accessPattern(lanes((l) => 4 * ((l * l * 619) % 10007))).pattern).toBe('scattered')
    expect(accessPattern(lanes((l) => 12 * l + 8))).toEqual({ pattern: 'strided', stride: 3 })
    expect(accessPattern(lanes((l) => 4096 * (l >> 4))).pattern).toBe('broadcast')
    expect(accessPattern(lanes((l) => 4 * (1024 * (l & 15) + (l >> 4))))).toEqual({ pattern: 'strided', stride: 1024 })
    // Idle lanes leave holes; where the others go is the same.
    expect(accessPattern({ ...lanes((l) => 4 * l), active: 0x55555555 }).pattern).toBe('coalesced')
    expect(accessPattern({ ...lanes((l) => 4 * l + 8), active: 0x55555555 }).pattern).toBe('misaligned')
    expect(accessPattern({ ...lanes((l) => 4 * ((l * l * 619) % 10007)), active: 0x55555555 }).pattern).toBe(
      'scattered',
    )
  },
)
