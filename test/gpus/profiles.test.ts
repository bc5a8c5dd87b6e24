// Every number of every profile says where it comes from; units drive the counts; what is unknown stays out of
// predictions.
import { describe, expect, test } from 'vitest'
import {
  asCounted,
  countGlobal,
  countShared,
  gpu,
  gpuNames,
  occupancy,
  portable,
  unknowns,
  type GpuProfile,
  type Sourced,
  type WarpAccess,
} from '../../src/gpus/index.ts'

const profiles = gpuNames().map(gpu)
const isSourced = (x: object): x is Sourced => 'basis' in x && 'value' in x
const sourcedIn = (x: unknown, path: string): [string, Sourced][] =>
  typeof x !== 'object' || x === null || Array.isArray(x)
    ? []
    : isSourced(x)
      ? [[path, x]]
      : Object.entries(x).flatMap(([k, v]) => sourcedIn(v, `${path}.${k}`))

describe.each(profiles.map((p) => [p.name, p] as const))('%s', (name, p) => {
  test('each number has a source, plain ones a common one', () => {
    const all = sourcedIn(p, name)
    expect(all.length).toBeGreaterThanOrEqual(18)
    for (const [path, s] of all) expect(s.source.length, path).toBeGreaterThan(3)
    for (const text of Object.values(p.sources)) expect(text.length).toBeGreaterThan(20)
  })
  test('numbers are neutral exactly when unknown', () => {
    for (const [path, s] of sourcedIn(p, name)) {
      if (s.basis === 'unknown') expect(path.endsWith('farL2') ? [1] : [0, Infinity], path).toContain(s.value)
      else expect(Number.isFinite(s.value) && s.value >= 0, path).toBe(true)
    }
  })
  test('a block of one warp has an occupancy, or none is documented', () => {
    const o = occupancy(p, { threads: p.warpSize, registers: 16, shared: 0 })
    if (unknowns(p).includes('occupancy')) expect(o.occupancy).toBeNaN()
    else expect(o.occupancy).toBeGreaterThan(0)
    expect(o.occupancy <= 1 || Number.isNaN(o.occupancy)).toBe(true)
  })
})

const lanes = (address: (lane: number) => number, bytesPerLane = 4, op: WarpAccess['op'] = 'load'): WarpAccess => ({
  addresses: Array.from({ length: 32 }, (_, l) => address(l)),
  active: -1,
  bytesPerLane,
  op,
})

test.each([
  // Half a wave of 32 lanes × 4 bytes is 128 bytes: two units of 64, one of 128, four sectors.
  ['h200', 1, 4, 4],
  ['cdna3', 1, 2, 2],
  ['rdna2', 1, 1, 1],
  ['apple-m1', 1, 1, 1],
  ['intel-xe', 1, 2, 2],
  // Stride 16 (64 bytes): a unit each, or two lanes to a line of 128.
  ['h200', 16, 32, 4],
  ['cdna3', 16, 32, 2],
  ['rdna2', 16, 16, 1],
  ['apple-m1', 16, 16, 1],
  ['mali-g78', 16, 32, 2],
])('%s, stride %d: %d units, ideal %d', (name, stride, sectors, ideal) => {
  const c = countGlobal(
    gpu(name),
    lanes((l) => 4 * stride * l),
  )
  expect([c.sectors, c.idealSectors]).toEqual([sectors, ideal])
  expect(c.transferredBytes).toBe(sectors * gpu(name).sectorBytes)
})

test.each([
  // 16 banks serve 16 lanes of 4 bytes at a time; stride 2 meets two lanes on a bank, stride 16 all sixteen.
  ['intel-gen9', 1, 4, 2, 2],
  ['intel-gen9', 2, 4, 4, 2],
  ['intel-gen9', 16, 4, 32, 2],
  ['rdna2', 1, 4, 1, 1],
  ['rdna2', 32, 4, 32, 1],
  ['rdna2', 1, 8, 2, 2],
  ['rdna2', 1, 16, 4, 4],
  // gfx942 serves lanes 0–3 with 20–23: adjacent lanes of 16 bytes are free of conflicts, in four passes.
  ['cdna3', 1, 16, 4, 4],
  ['mali-g78', 32, 4, 1, 1],
  ['apple-m1', 32, 4, 1, 1],
])('%s, shared stride %d of %d bytes: %d passes, ideal %d', (name, stride, bytes, passes, ideal) => {
  const c = countShared(
    gpu(name),
    lanes((l) => bytes * stride * l, bytes),
  )
  expect([c.wavefronts, c.idealWavefronts]).toEqual([passes, ideal])
})

test('gfx942: lanes 0–3 and 20–23 are served together, so a step of 16 lanes between them matters', () => {
  const p = gpu('cdna3')
  const skewed = lanes((l) => 16 * l + (l >= 20 && l < 24 ? 64 : 0), 16)
  expect(countShared(p, skewed).wavefronts).toBeGreaterThan(4)
})

test('wide warps are counted in halves with the same occupancy', () => {
  const wide = gpu('cdna3'),
    half = asCounted(wide)
  for (const threads of [64, 192, 256, 1024]) {
    for (const registers of [16, 64, 128, 256])
      expect(occupancy(half, { threads, registers, shared: 8192 }).occupancy).toBe(
        occupancy(wide, { threads, registers, shared: 8192 }).occupancy,
      )
  }
  expect(asCounted(gpu('h200'))).toBe(gpu('h200'))
})

test.each([
  ['MI300X', 'cdna3'],
  ['m1', 'apple-m1'],
  ['Apple M2', 'apple-m2'],
  ['adreno', 'adreno-740'],
  ['mali-g78', 'mali-g78'],
  ['RX 7900 XTX', 'rdna3'],
])('%s is %s', (name, expected) => {
  expect(gpu(name).name).toBe(expected)
})

test('the portable set has a GPU of every vendor', () => {
  const vendors = new Set<GpuProfile['vendor']>(portable.map((p) => p.vendor))
  expect([...vendors].sort()).toEqual(['amd', 'apple', 'arm', 'intel', 'nvidia', 'qualcomm'])
})
