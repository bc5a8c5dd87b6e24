// Kernels that are compiled before they are needed. In: calls of operations. Out: nothing, once their pipelines are
// there. The one idea: calls are recorded as always, but what they would launch is only compiled, and the page may draw
// between two calls.
import { described } from './checks.ts'
import type { Core } from './device/core.ts'
import { refuse } from './error.ts'
import { tidy } from './tidy.ts'

/**
 * Compiles what these calls launch, for arguments of these shapes, without running it: the same calls later find it
 * there. Tensors that they make hold nothing and are disposed of; calls must not wait for them.
 */
export async function warm(core: Core, calls: readonly (() => unknown)[]): Promise<void> {
  if (!Array.isArray(calls) || calls.some((f) => typeof f !== 'function'))
    refuse('warm.calls', `warm takes a list of functions, not ${described(calls)}`, '[() => gpu.sum(x)]')
  for (const call of calls) {
    await core.warm(() => {
      tidy(core, () => {
        call()
      })
    })
    await new Promise((done) => setTimeout(done)) // whoever else has something to do
  }
}
