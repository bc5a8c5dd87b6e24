// Random programs from fixed seeds; a failure prints its seed, the program and the points.
import { expect, test } from 'vitest'
import { isLong, seedsOf } from '../support/long.ts'
import { tryLarge, tryProgram, tryShaped, tryStaged, tryWalking } from './generators/random-affine.ts'

/** Tries the seeds from 1; what sketches were met. `most`, `atLeast`: seeds, and how many must be the same, of all. */
function all(most: number, attempt: typeof tryProgram, atLeast: number): readonly string[] {
  const count = seedsOf(most)
  let same = 0,
    hosts = 0
  const seen = new Set<string>()
  for (let seed = 1; seed <= count; seed++) {
    const { outcome, sketches, host } = attempt(seed)
    if (host) hosts++
    if (typeof outcome === 'object') expect(outcome).toBe('same')
    if (outcome === 'same') same++
    sketches.forEach((s) => seen.add(s))
  }
  expect(same).toBeGreaterThan((atLeast * count) / most - 1)
  if (hosts > count / 4) seen.add('host loops')
  return [...seen].sort()
}

/** All of `wanted` are met by all seeds; by a part of them some sketches are. */
function met(seen: readonly string[], wanted: readonly string[]): void {
  expect(seen.length).toBeGreaterThan(0)
  if (isLong) expect(seen).toEqual(expect.arrayContaining([...wanted]))
}

test('random affine programs: reference = scheduled and simulated', () => {
  met(all(280, tryProgram, 220), ['elementwise', 'per-iteration', 'per-point', 'sequential'])
})

test('random affine programs planned for large sizes: loops that must run in order go to the host', () => {
  met(all(100, tryLarge, 75), ['host loops', 'elementwise', 'per-point', 'sequential'])
})

test('random programs in the shapes that schedules are made for', () => {
  met(all(120, tryShaped, 112), ['elementwise', 'per-point', 'reduction', 'stencil', 'transpose'])
})

test('random programs whose steps double or halve a distance', () => {
  met(all(8, tryStaged, 7), ['stages'])
})

test('random programs that walk along rows and columns', () => {
  met(all(60, tryWalking, 50), ['per-iteration'])
})

test.each<[string, typeof tryProgram, number]>([
  ['a start that reads what later iterations overwrite', tryProgram, 1600482],
  ['a wave that is not empty says nothing of the sizes after it', tryLarge, 102238],
  ['a wave whose statements end at different times', tryLarge, 1800598],
  ['the same, in other shapes', tryLarge, 1102108],
  ['a wave of no steps', tryLarge, 1901923],
  ['a read under a loop that ends at what a guard kept small', tryShaped, 1801054],
  ['a box that begins before its array', tryProgram, 9400471],
  ['a box that is used in one iteration alone', tryProgram, 3220763],
  ['sums of no points that blocks might share', tryLarge, 3182021],
  ['what one thread writes and all would have kept', tryProgram, 7005770],
  ['a loop that runs no times between two that meet', tryLarge, 7002643],
  ['a temporary as large as a loop of one block says', tryLarge, 7001283],
  ['an element that is there only where its sum has terms', tryLarge, 9301053],
  ['a loop backwards to an end that is a minimum', tryLarge, 7005008],
  ['one element of a step whose sum has no terms', tryLarge, 30700988],
  ['a statement that reads what it wrote in the same step', tryLarge, 30903408],
  ['rows that are planned empty', tryLarge, 6000683],
  ['a launch of fewer blocks than none beside others', tryProgram, 74200301],
  ['a condition that stands around the first use of an array alone', tryProgram, 1231000555],
  ['two walks that store to one array, of which one has no strips', tryWalking, 1232800700],
])('%s', (_, attempt, seed) => expect(attempt(seed).outcome).toBe('same'))
