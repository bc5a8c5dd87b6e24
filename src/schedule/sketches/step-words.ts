// In: numbers of a point. Out: phrases for the descriptions of steps, shared by several sketches. The one idea: nouns
// agree with their numbers.
import type { Walk } from './tile-walk.ts'

/** `1 step`, `3 steps`. */
export const counted = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`

/** `one block`, `3 blocks`. */
export const blocksInWords = (n: number): string => (n === 1 ? 'one block' : `${n} blocks`)

/** Who does a walk: `one block of 256 threads`, `4 blocks per row of 1 thread`. */
export const walkersInWords = (w: Walk, per: 'all' | 'row'): string =>
  `${blocksInWords(w.blocks)}${per === 'row' ? ' per row' : ''} of ${counted(w.threads, 'thread')}`
