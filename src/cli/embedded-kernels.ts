// Kernels inside of files in another language. In: the text of a file. Out: where a string with a WGSL compute shader
// stands in it, or whether it defines CUDA kernels. The one idea: raw strings of C++ and Rust and template literals of
// JavaScript keep a shader as it is written, so it can be cut out; what is put together while a program runs cannot.
import { blankComments } from '../base/index.ts'

/** A string that holds a compute shader: its lines, and the column at which it begins. */
export interface EmbeddedShader {
  readonly line: number
  readonly column: number
  readonly lastLine: number
  /** Parts of it are put in while the program runs: `${…}`. */
  readonly isPatched: boolean
}

const strings = [
  /R"([^\s()\\]{0,16})\(([^]*?)\)\1"/g, // C++
  /(`)((?:\\.|[^\\`])*)`/g, // JavaScript
  /\br(#+)"([^]*?)"\1/g, // Rust
]

const isShader = (text: string): boolean =>
  /\bfn\s+\w+\s*\(/.test(text) && /@compute\b|\[\[\s*stage\s*\(\s*compute|@stage\s*\(\s*compute/.test(text)

/** The first string of a text that holds a WGSL compute shader; null where none does. */
export function embeddedShader(text: string): EmbeddedShader | null {
  const found = strings
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .filter(([, , inside = '']) => isShader(inside))
    .sort((a, b) => a.index - b.index)[0]
  if (!found) return null
  const lineAt = (at: number): number => text.slice(0, at).split('\n').length
  return {
    line: lineAt(found.index),
    column: found.index - text.lastIndexOf('\n', found.index - 1),
    lastLine: lineAt(found.index + found[0].length - 1),
    isPatched: found[1] === '`' && found[0].includes('${'),
  }
}

/** Whether a text defines CUDA kernels. */
export const definesCuda = (text: string): boolean => /\b__global__\b/.test(blankComments(text))
