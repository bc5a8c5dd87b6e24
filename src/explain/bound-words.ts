// What a kernel is bound by, in words. In: a term of the model. Out: the end of a sentence, in the words of a language.
import type { Words } from './wording.ts'

const parts: Readonly<Record<string, (w: Words) => string>> = {
  issue: () => 'issuing instructions',
  fp32: () => 'the floating-point pipes',
  fp64: () => 'the double-precision pipes',
  int: () => 'the integer pipes',
  sfu: () => 'the special-function units',
  shared: (w) => `the pipe of ${w.shared}`,
  l1: () => 'the L1 cache pipe',
  l2: () => 'traffic between L1 and L2',
  dram: () => 'traffic to memory',
  latency: () => 'waiting for memory and barriers',
  spill: () => 'registers that do not fit',
  atomics: () => 'atomics that wait for each other',
  blocks: (w) => `starting ${w.blocks}`,
}

/** As `bound by …` goes on; a term that has no words is its own name. */
export const boundWords = (term: string, words: Words): string => parts[term]?.(words) ?? term
