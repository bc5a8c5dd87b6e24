// In: a seed. Out: null when the program of that seed does the same in the simulator and on SwiftShader, else what
// differs and the program.
import { DiagnosticError } from '../../src/base/index.ts'
import { difference, onDevice, simulated } from './both.ts'
import { randomProgram } from './random.ts'

export async function fuzzOne(seed: number): Promise<string | null> {
  const { text, buffers, grid, options } = randomProgram(seed)
  try {
    const mine = simulated(text, grid, buffers, options)
    const theirs = await onDevice(text, grid, buffers, mine.wgsl, options)
    const differs = difference(mine.buffers, theirs, new Set(['outf']), 0)
    return differs && `${differs}\n${text}`
  } catch (e) {
    if (e instanceof DiagnosticError) return `refused: ${e.message}\n${text}`
    throw e
  }
}
