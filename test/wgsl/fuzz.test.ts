// Generated programs: the simulator against SwiftShader, bit for bit, but for the sign of a float zero, which WGSL leaves
// open. A failure prints the seed and the program.
import { describe, expect, it } from 'vitest'
import { difference, onDevice, simulated } from './both.ts'
import { randomProgram } from './random.ts'

describe('generated WGSL runs as on SwiftShader', () => {
  it.each([0, 1, 2, 3].map((part) => [part * 25]))('seeds from %d', async (first) => {
    for (let seed = first; seed < first + 25; seed++) {
      const { text, buffers, grid } = randomProgram(seed)
      const mine = simulated(text, grid, buffers)
      const theirs = await onDevice(text, grid, buffers, mine.wgsl)
      expect(difference(mine.buffers, theirs, new Set(['outf']), 0), `seed ${seed}\n${text}`).toBeNull()
    }
  }, 60_000)
})
