// In: a kernel and a launch. Out: whether they go together, the values of its parameters, how much of a buffer it may
// touch. The one idea: both interpreters take the same launches, for the same reasons.
import { fail } from '../base/index.ts'
import { bytesOf, isBound, isOfType, roundTo, type Kernel, type Launch, type Resource } from '../ir/index.ts'

/** Bytes of a bound resource that the kernel may touch. */
export function boundBytes(r: Resource, buffer: ArrayBuffer): number {
  return r.count === null ? buffer.byteLength : Math.min(buffer.byteLength, r.count * bytesOf[r.type])
}

/**
 * The launch's value of every param, rounded to its type. Throws `simulate.param` when one is missing or does not fit.
 */
export function paramValues(kernel: Kernel, launch: Launch): Map<string, number | bigint> {
  return new Map(
    kernel.params.map((p) => {
      const given = launch.params[p.name]
      if (given === undefined) fail('simulate.param', `kernel ${kernel.name}: no value for parameter '${p.name}'`)
      const whole = p.type !== 'f16' && p.type !== 'f32' && p.type !== 'f64'
      if (whole && typeof given === 'number' && !Number.isInteger(given))
        fail('simulate.param', `kernel ${kernel.name}: parameter '${p.name}' is ${p.type}, got ${given}`)
      const value = roundTo(p.type, given)
      const same = isOfType(p.type, value) && (!whole || BigInt(value) === BigInt(given))
      if (!same)
        fail('simulate.param', `kernel ${kernel.name}: parameter '${p.name}' is ${p.type}, which cannot hold ${given}`)
      return [p.name, value]
    }),
  )
}

/** Throws unless the launch has a buffer for each bound resource and a grid of whole positive numbers. */
export function checkLaunch(kernel: Kernel, launch: Launch): void {
  if (!launch.grid.every((n) => Number.isInteger(n) && n >= 1 && n < 2 ** 31))
    fail('simulate.grid', `kernel ${kernel.name}: a grid of ${launch.grid.join('×')} blocks cannot be launched`)
  for (const r of kernel.resources) {
    if (isBound(r) && !launch.buffers[r.name])
      fail('simulate.buffer', `kernel ${kernel.name}: no buffer for '${r.name}'`)
  }
}
