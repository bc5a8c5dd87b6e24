// Generated programs: the simulator against SwiftShader, bit for bit, but for the sign of a float zero, which WGSL
// leaves open. A failure prints the seed and the program. `bench/fuzz.ts` runs as many as one likes.
import { describe, expect, it } from 'vitest'
import { seedsOf } from '../support/long.ts'
import { fuzzOne } from './fuzz-one.ts'

describe('generated WGSL runs as on SwiftShader', () => {
  it.each(Array.from({ length: seedsOf(12) }, (_, part) => [part * 25]))('seeds from %d', async (first) => {
    for (let seed = first; seed < first + 25; seed++) expect(await fuzzOne(seed), `seed ${seed}`).toBeNull()
  }, 60_000)
})
