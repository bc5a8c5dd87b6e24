// Files of the command line: the parser's WebAssembly, C sources with their includes, and outputs that appear whole or
// not at all.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fail } from '../base/index.ts'
import type { ParserFiles } from '../frontend/c/index.ts'

/** The C parser's two files, from their packages. */
export function parserFiles(): ParserFiles {
  const require = createRequire(import.meta.url)
  const bytes = (path: string): Uint8Array => readFileSync(require.resolve(path))
  return { runtime: bytes('web-tree-sitter/web-tree-sitter.wasm'), grammar: bytes('tree-sitter-c/tree-sitter-c.wasm') }
}

const mostBytes = 4 * 1024 * 1024

/** The text of a source file. Throws a `DiagnosticError` when it is missing, a folder, no text, or larger than `most` (4 MiB). */
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

/** Text in UTF-8, or in UTF-16 when it begins with that mark, as some editors and shells write it; without the mark. */
function textOf(bytes: Uint8Array): string | undefined {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
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

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Finds included files: beside the source, then in `folders` in order. Only ordinary files count. */
export function includesOf(source: string, folders: readonly string[]): (path: string) => string | undefined {
  const places = [dirname(source), ...folders]
  return (path) => {
    const found = places.map((folder) => join(folder, path)).find((file) => typeof statOf(file) === 'number')
    return found === undefined ? undefined : readSource(found)
  }
}

/** Throws a `DiagnosticError` when `folder` is there and is no folder: better said before the work than after. */
export function checkFolder(folder: string): void {
  if (typeof statOf(folder) === 'number') fail('cli.write', `${folder} is a file, not a folder`, undefined, 'name a folder with -o')
}

/** Makes a folder and those above it one by one: Node's own way never ends where the system has no such place (`/proc/x`). */
function makeFolder(path: string): void {
  if (statOf(path) === 'folder') return
  makeFolder(dirname(path))
  try { mkdirSync(path) } catch (error) { if (statOf(path) !== 'folder') throw error } // somebody else may have made it
}

/**
 * Writes files into `folder`, which is made when missing; files of the same names are replaced, others stay. Everything
 * is written next to the folder first and moved then, so that a failure leaves nothing half-written. The paths written.
 */
export function writeWhole(folder: string, files: Readonly<Record<string, string>>): readonly string[] {
  const target = resolve(folder)
  let temporary: string | undefined
  try {
    makeFolder(target)
    temporary = mkdtempSync(join(dirname(target), `.${basename(target)}-`))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(temporary, name), text)
    for (const name of Object.keys(files)) renameSync(join(temporary, name), join(target, name))
  } catch (error) {
    fail('cli.write', `${folder} cannot be written: ${reason(error)}`)
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
  }
  return Object.keys(files).map((name) => join(folder, name))
}

/** Writes one file, whole or not at all: beside its place first. */
export function writeFile(path: string, text: string): void {
  const beside = join(dirname(path), `.${basename(path)}-${process.pid}`)
  let begun = false
  try {
    makeFolder(resolve(dirname(path)))
    begun = true
    writeFileSync(beside, text)
    renameSync(beside, path)
  } catch (error) {
    if (begun) rmSync(beside, { force: true })
    fail('cli.write', `${path} cannot be written: ${reason(error)}`)
  }
}
