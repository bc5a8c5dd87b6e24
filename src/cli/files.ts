// Files that the command line reads: the parser's WebAssembly, and sources with what they include.
import { closeSync, createReadStream, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { fail } from '../base/index.ts'
import type { ParserFiles } from '../frontend/c/index.ts'

/** The C parser's two files: those of the built package, which lie beside its code, or of their packages. */
export function parserFiles(): ParserFiles {
  const require = createRequire(import.meta.url),
    here = dirname(fileURLToPath(import.meta.url))
  const bytes = (path: string): Uint8Array =>
    readFileSync(
      ['.', '..'].map((up) => join(here, up, basename(path))).find((file) => existsSync(file)) ?? require.resolve(path),
    )
  return { runtime: bytes('web-tree-sitter/web-tree-sitter.wasm'), grammar: bytes('tree-sitter-c/tree-sitter-c.wasm') }
}

/** Sources are text that people write; more is another file by mistake. */
const mostBytes = 4 * 1024 * 1024

/**
 * The text of a source file. Throws a `DiagnosticError` when it is missing, a folder, no text, or larger than `most` (4
 * MiB).
 */
export function readSource(path: string, most = mostBytes): string {
  const size = statOf(path)
  if (size === undefined) fail('cli.file', `there is no file ${path}`)
  if (size === 'folder') fail('cli.file', `${path} is a folder, not a file`)
  if (size > most) fail('cli.file', `${path} has ${size} bytes; at most ${most} are read`)
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    return fail('cli.file', `${path} cannot be read: ${reason(error)}`)
  }
  return textOf(bytes) ?? fail('cli.file', `${path} is no text`)
}

/** Bytes in which the first line of a file is looked for. */
const longestFirstLine = 4096

/** The first line of a file, or its first 4,096 bytes. Throws a `DiagnosticError` where it cannot be read. */
export function firstLine(path: string): string {
  const size = statOf(path)
  if (size === undefined) fail('cli.file', `there is no file ${path}`)
  if (size === 'folder') fail('cli.file', `${path} is a folder, not a file`)
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(longestFirstLine)
      const [line = ''] = bytes.toString('utf8', 0, readSync(file, bytes)).split('\n')
      return line
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return fail('cli.file', `${path} cannot be read: ${reason(error)}`)
  }
}

/** The lines of a file of any size in UTF-8, one after the other. */
export const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })

/** Text in UTF-8, or in UTF-16 when it begins with that mark, as some editors and shells write it; without the mark. */
function textOf(bytes: Uint8Array): string | undefined {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined
  return wide === undefined && bytes.includes(0) ? undefined : new TextDecoder(wide ?? 'utf-8').decode(bytes)
}

function statOf(path: string): number | 'folder' | undefined {
  try {
    const stat = statSync(path)
    return stat.isDirectory() ? 'folder' : stat.size
  } catch {
    return undefined
  }
}

/** Why something failed, in words. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Finds included files: beside the source, then in `folders` in order. Only ordinary files count. */
export function includesOf(source: string, folders: readonly string[]): (path: string) => string | undefined {
  const places = [dirname(source), ...folders]
  return (path) => {
    const found = places.map((folder) => join(folder, path)).find((file) => typeof statOf(file) === 'number')
    return found === undefined ? undefined : readSource(found)
  }
}
