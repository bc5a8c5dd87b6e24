// Random sequences of primitives from fixed seeds; a failure prints its seed and the program before and after the step.
import { expect, test } from 'vitest'
import { trySequence } from './generators/primitive-sequences.ts'

test('random sequences of primitives: refused, or the same results', () => {
  const seen = new Set<string>()
  let steps = 0
  for (let seed = 1; seed <= 300; seed++) {
    const { done, problem } = trySequence(seed)
    expect(problem).toBeUndefined()
    steps += done.length
    done.forEach((d) => seen.add(d.split(' ')[0]!)) // words begin with the primitive
  }
  expect(steps).toBeGreaterThan(500)
  expect([...seen].sort()).toEqual(
    expect.arrayContaining(['bind', 'fragment', 'fuse', 'pad', 'reorder', 'sink-guard', 'split', 'stage']),
  )
})
