// The calls for work in command encoders of the caller. In: an encoder, and a function that calls operations. Out: its
// result, with the launches of these calls in the encoder (`recording.ts`).
import { described } from '../checks.ts'
import { refuse } from '../error.ts'
import type { Core } from './core.ts'
import { Recordings } from './recording.ts'

const isEncoder = (x: unknown): x is GPUCommandEncoder => typeof x === 'object' && x !== null && 'beginComputePass' in x

/**
 * Runs `f`, and records what its operations launch into an encoder of the caller's, between its passes; returns what
 * `f` does. Nothing is submitted: when the caller has, `submitted` says so, and until then no other work may use the
 * results. Inside, `read` and `sync` are refused, numbers are uploaded at once, and `x.buffer` is written by all that
 * the encoder holds so far. Throws a `TeselaError` where `f` returns a promise.
 */
export function record<T>(core: Core, encoder: GPUCommandEncoder, f: () => T): T {
  if (!isEncoder(encoder))
    refuse('record.encoder', `work is recorded into a GPUCommandEncoder, not into ${described(encoder)}`)
  if (typeof f !== 'function') refuse('record.function', `record takes a function, not ${described(f)}`)
  core.flush()
  core.recordings ??= new Recordings()
  core.recordings.begin(encoder)
  try {
    const result = f()
    if (result instanceof Promise)
      refuse('record.async', 'record ends when its function returns, and this one returns a promise')
    return result
  } finally {
    core.flush()
    core.recordings.end()
  }
}

/** Says that the encoder's commands were submitted, or that they never will be: what they use is free again. */
export function submitted(core: Core, encoder: GPUCommandEncoder): void {
  if (!isEncoder(encoder)) refuse('record.encoder', `a GPUCommandEncoder was submitted, not ${described(encoder)}`)
  core.release((core.recordings ?? new Recordings()).release(encoder))
}
