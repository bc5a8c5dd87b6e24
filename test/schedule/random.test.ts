// Random programs from fixed seeds; a failure prints its seed, the program and the points.
import { expect, test } from 'vitest'
import { tryProgram, tryShaped } from './random.ts'

/** Tries the seeds from 1; what sketches were met. */
function all(count: number, attempt: typeof tryProgram, atLeast: number): readonly string[] {
  let same = 0
  const seen = new Set<string>()
  for (let seed = 1; seed <= count; seed++) {
    const { outcome, sketches } = attempt(seed)
    if (typeof outcome === 'object') expect(outcome).toBe('same')
    if (outcome === 'same') same++
    sketches.forEach((s) => seen.add(s))
  }
  expect(same).toBeGreaterThan(atLeast)
  return [...seen].sort()
}

test('random affine programs: reference = scheduled and simulated', () => {
  expect(all(150, tryProgram, 120)).toEqual(expect.arrayContaining(['elementwise', 'per-iteration', 'per-point', 'sequential']))
})

test('random programs in the shapes that schedules are made for', () => {
  expect(all(80, tryShaped, 75)).toEqual(expect.arrayContaining(['elementwise', 'per-point', 'reduction', 'stencil', 'transpose']))
})
