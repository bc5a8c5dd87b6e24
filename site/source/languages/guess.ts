// Which language a text is in. In: what was pasted. Out: the language that its declarations are of, null where nothing
// tells. It looks for words that only one of them has, and reads nothing.
import type { Language } from '../worker/protocol.ts'

const wgsl = /@(compute|group|workgroup_size)\b|\bfn\s+\w+\s*\(|\bvar<\w+/
const ptx = /^\s*\.(version|target|visible)\b/m
const cuda = /\b__(global|device|shared)__\b/
/** A function, a macro, an include. */
const c =
  /^\s*#\s*(include|define|pragma|if)|\b(void|float|double|int|unsigned|long|char|bool)\s+\**\w+\s*\([^;{}]*\)\s*\{/m

/** CUDA is C here, as whose reader says what to do with it. */
export const isCuda = (text: string): boolean => cuda.test(text)

export function languageOf(text: string): Language | null {
  if (ptx.test(text)) return 'ptx'
  if (isCuda(text)) return 'c'
  if (wgsl.test(text)) return 'wgsl'
  return c.test(text) ? 'c' : null
}
