// Random affine programs from fixed seeds; a failure prints its seed, the program and the points.
import { expect, test } from 'vitest'
import { tryProgram } from './random.ts'

test('random programs: reference = scheduled and simulated', () => {
  let same = 0
  const seen = new Set<string>()
  for (let seed = 1; seed <= 150; seed++) {
    const { outcome, sketches } = tryProgram(seed)
    if (typeof outcome === 'object') expect(outcome).toBe('same')
    if (outcome === 'same') same++
    sketches.forEach((s) => seen.add(s))
  }
  expect(same).toBeGreaterThan(120)
  expect([...seen].sort()).toEqual(expect.arrayContaining(['elementwise', 'per-point', 'sequential']))
})
