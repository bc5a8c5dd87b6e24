// Which results an error belongs to. In: what each launch reads and writes, and what the device said of it, later. Out:
// for a buffer, the error that its contents depend on. The one idea: every launch has a fate that remembers the fates
// of what it reads until all of them are decided; submissions are decided in order, so then nothing needs to be
// remembered.
import type { TeselaError } from '../error.ts'
import { bufferOf, type Memory } from './memory.ts'

export interface Fate {
  error: TeselaError | null
  /** Fates of what was read, while this one is open. */
  from: readonly Fate[] | null
}

export class Fates {
  readonly #last = new WeakMap<GPUBuffer, Fate>()

  /**
   * Something that reads `inputs` and writes `outputs` (those that `writes` says, when it is given), not yet decided.
   */
  open(inputs: readonly Memory[], outputs: readonly Memory[], writes?: readonly boolean[]): Fate {
    const from: Fate[] = []
    for (const b of inputs) {
      const f = this.#last.get(bufferOf(b))
      if (f && (f.from ?? f.error)) from.push(f)
    }
    const fate: Fate = { error: null, from }
    outputs.forEach((b, i) => {
      if (!writes || writes[i]) this.#last.set(bufferOf(b), fate)
    })
    return fate
  }

  /** What the buffer held does not matter any more. */
  forget(buffer: GPUBuffer): void {
    this.#last.delete(buffer)
  }
}

/** The error that a fate has from what it reads, which is decided. */
export const inherited = (fate: Fate): TeselaError | null => fate.from?.find((f) => f.error)?.error ?? null

/** Decides a fate: its own error, else one of what it reads. */
export function settleFate(fate: Fate, error: TeselaError | null): void {
  fate.error ??= error ?? inherited(fate)
  fate.from = null
}
