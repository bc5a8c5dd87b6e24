// Who waits for L2, what uniform memory costs a loop under WebGPU, and texture units: rules of the model, each by the
// case that showed it.
import { describe, expect, test } from 'vitest'
import { explain } from '../../src/explain/index.ts'
import { gpu, type GpuProfile } from '../../src/gpus/index.ts'
import { simulateCaches, waitRate } from '../../src/model/caches.ts'
import { catalogued } from '../../src/study/types.ts'

const shape = { l1Bytes: 2 ** 16, lineBytes: 128, sectorBytes: 32, granuleBytes: 64, firstRound: 1 }
/** Warps that walk through eight words of each of four sectors, all alike. */
const walk = Array.from({ length: 32 }, (_, word) => [0, 1, Math.floor(word / 8)]).flat()
const traced = (blocks: number) => ({
  whole: true,
  blocks: Array.from({ length: blocks }, () => ({ block: [0, 0, 0] as const, intervals: [[walk, walk, walk, walk]] })),
})

describe('waiting for a sector that comes', () => {
  test('every warp waits where the first one misses', () => {
    const site = simulateCaches(traced(1), shape, new Set()).sites.get(0)!
    expect(site.misses / site.sectors).toBe(4 / 128)
    expect(waitRate(site, 1)).toBe(1 / 8)
  })
  test('of eight loads that wait together one decides', () => {
    const site = simulateCaches(traced(1), shape, new Set()).sites.get(0)!
    expect(waitRate(site, 8)).toBe(1)
    expect(waitRate(site, 4)).toBe(1 / 2)
  })
  test('what blocks share is there for those of later rounds', () => {
    const site = simulateCaches(traced(2), { ...shape, firstRound: 1 / 4 }, new Set()).sites.get(0)!
    expect(waitRate(site, 1)).toBe(1 / 32)
  })
})

const microseconds = (text: string, profile: GpuProfile, launch: object): number =>
  explain({ text, file: 'x.wgsl' }, { grid: [512, 1, 1], ...launch }, { gpu: profile, brief: true }).prediction.ns / 1e3

test('a component of a uniform vector chosen in a loop: 1.04 ms; a fixed one: 53 µs', () => {
  const chosen = catalogued('svm-uniform')
  const fixed = chosen.replace('support[(v * dimensions + d) / 4][d % 4]', 'support[v * (dimensions / 4) + d / 4].x')
  expect(fixed).not.toBe(chosen)
  expect(microseconds(chosen, gpu('h200'), {}) / 1041).toBeCloseTo(1, 1)
  expect(Math.abs(microseconds(fixed, gpu('h200'), {}) / 52.8 - 1)).toBeLessThan(0.2)
})

test('a texture is read as fast as its units fetch: measured on an H100 SXM', () => {
  const radius = 4,
    side = 1024
  const us = microseconds(catalogued('convolve-texture'), gpu('h100-sxm'), {
    grid: [side / 32, side / 8, 1],
    overrides: { width: side, height: side, radius },
    buffers: {
      image: { texture: { format: 'r32float', size: [side, side, 1] } },
      weights: { type: 'f32', count: (2 * radius + 1) ** 2 },
      output: { type: 'f32', count: side * side },
    },
  })
  expect(Math.abs(us / 62.5 - 1)).toBeLessThan(0.1)
})
