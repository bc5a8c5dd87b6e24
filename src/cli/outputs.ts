// Files that the command line writes. The one idea: all that a command writes appears together, or nothing of it;
// places that cannot be written are said before the work, not after.
import {
  createWriteStream,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DiagnosticError, fail } from '../base/index.ts'
import { reason } from './files.ts'

/** What is at `path`; nothing is below a file. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
}

/** What `look` finds, or the error that says why `path` cannot be written. */
function orRefused<T>(path: string, look: () => T): T {
  try {
    return look()
  } catch (error) {
    return fail('cli.write', `${path} cannot be written: ${reason(error)}`)
  }
}

/** Throws a `DiagnosticError` when files cannot be made in `folder`, which need not be there yet. */
export function checkFolder(folder: string): void {
  const found = orRefused(folder, () => statOf(folder))
  if (found && !found.isDirectory())
    fail('cli.write', `${folder} is a file, not a folder`, undefined, 'name a folder with -o')
  checkAround(folder, resolve(folder))
}

/** Throws a `DiagnosticError` when the file cannot be written, whose folder need not be there yet. */
export function checkFile(path: string): void {
  const found = orRefused(path, () => statOf(path))
  if (found && !found.isFile())
    fail('cli.write', `${path} cannot be written: it is ${found.isDirectory() ? 'a folder' : 'no ordinary file'}`)
  checkAround(path, dirname(resolve(path)))
}

/** The first folder from `folder` upwards that is there lets files be made. */
function checkAround(path: string, folder: string): void {
  const found = orRefused(path, () => statOf(folder))
  if (!found) return checkAround(path, dirname(folder))
  if (!found.isDirectory()) fail('cli.write', `${path} cannot be written: ${folder} is a file, not a folder`)
  const probe = join(folder, `.tesela-${process.pid}`) // rights alone do not say it: some folders take no files
  orRefused(path, () => {
    writeFileSync(probe, '')
    rmSync(probe)
  })
}

/**
 * Makes a folder and those above it one by one: Node's own way never ends where the system has no such place
 * (`/proc/x`). Those made are noted.
 */
function makeFolder(path: string, made: string[]): void {
  if (statOf(path)?.isDirectory()) return
  makeFolder(dirname(path), made)
  try {
    mkdirSync(path)
    made.push(path)
  } catch (error) {
    if (!statOf(path)?.isDirectory()) throw error
  } // somebody else may have made it
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    /* somebody else has put something there */
  }
}

/**
 * Writes files, by their paths; folders are made when missing, files of the same names are replaced, others stay.
 * Everything is written beside its place first and moved then, so that a failure leaves nothing half-written.
 */
export function writeFiles(files: Readonly<Record<string, string>>): void {
  const staged: { readonly beside: string; readonly path: string }[] = [],
    made: string[] = []
  for (const path of Object.keys(files)) checkFile(path)
  for (const [path, text] of Object.entries(files)) {
    const beside = join(dirname(path), `.${basename(path)}-${process.pid}`)
    try {
      makeFolder(dirname(resolve(path)), made)
      staged.push({ beside, path })
      writeFileSync(beside, text)
    } catch (error) {
      for (const s of staged) rmSync(s.beside, { force: true })
      for (const folder of made.reverse()) removeIfEmpty(folder)
      fail('cli.write', `${path} cannot be written: ${reason(error)}`)
    }
  }
  for (const { beside, path } of staged) orRefused(path, () => renameSync(beside, path))
}

/** Writes lines as they come, to a file that appears when all are there, or to standard output. */
export async function writeLines(path: string | undefined, lines: AsyncIterable<string>): Promise<void> {
  if (path === undefined)
    return pipeline(Readable.from(withBreaks(lines)), process.stdout, { end: false }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error // whoever reads has enough
    })
  const made: string[] = []
  const beside = join(dirname(path), `.${basename(path)}-${process.pid}`)
  try {
    makeFolder(dirname(resolve(path)), made)
    await pipeline(Readable.from(withBreaks(lines)), createWriteStream(beside))
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    for (const folder of made.reverse()) removeIfEmpty(folder)
    if (error instanceof DiagnosticError) throw error
    fail('cli.write', `${path} cannot be written: ${reason(error)}`)
  }
}

/** Lines that are written before the event loop gets a turn. */
const linesAtOnce = 500

async function* withBreaks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let some = ''
  let count = 0
  for await (const line of lines) {
    some += `${line}\n`
    if (++count % linesAtOnce !== 0) continue
    yield some
    some = ''
  }
  if (some !== '') yield some
}
