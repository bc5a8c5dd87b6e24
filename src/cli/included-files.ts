// In: PTX with the names of the files that its code comes from, the file that was compiled, folders of headers. Out:
// those files and the headers that the program includes by names in quotes, with their texts. The one idea: headers of
// the toolkit and of libraries of templates are foreign: their lines are shown, but nothing that a program means by a
// name is sought in them. Headers that only templates of other headers include are not found.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { IncludedFile } from '../explain/index.ts'

/** Bytes of an included file; a larger one is not read. */
const mostIncluded = 4 * 1024 * 1024

/** Headers of one program beyond which no more are read. */
const mostHeaders = 64

/**
 * Files of a program beside the one that was compiled (`path`), as far as they can be read: what `.file` of its PTX
 * names, and headers that no code comes from, which say how structures are laid out. Paths are shown from the working
 * directory where `file` is given so.
 */
export function includedBy(ptx: string, path: string, file: string, folders: readonly string[]): IncludedFile[] {
  // the group always matches
  const named = [...ptx.matchAll(/^\s*\.file\s+\d+\s+"([^"]+)"/gm)].map((m) => resolve(m[1]!))
  const isForeign = foreignness(dirname(path), folders),
    own = headersFrom([path, ...named.filter((p) => !isForeign(p))], folders)
  return [...new Set([...named, ...own])].flatMap((p) => {
    if (p === path || !isReadable(p)) return []
    const near = relative('', p)
    return [
      {
        path: p,
        file: isAbsolute(file) || near.startsWith('..') ? p : near,
        text: readFileSync(p, 'utf8'),
        ...(!own.has(p) && { isForeign: true as const }),
      },
    ]
  })
}

/** Files, and what they include by names in quotes, and so on, without what is foreign. */
function headersFrom(files: readonly string[], folders: readonly string[]): ReadonlySet<string> {
  const seen = new Set(files)
  for (const p of seen)
    for (const header of seen.size < mostHeaders ? headersOf(p, folders) : []) if (!inLibrary(header)) seen.add(header)
  return seen
}

/** Files that stand at the top of the toolkit's headers, and of libraries of templates as they are handed out. */
const libraryMarks = ['cuda_runtime.h', 'cub/cub.cuh', 'thrust/version.h', 'cutlass/cutlass.h', 'cuda/std/version']

const libraries = new Map<string, boolean>()

/** Whether a file lies below a folder with one of the marks. */
function inLibrary(path: string): boolean {
  const folder = dirname(path),
    known = libraries.get(folder)
  if (known !== undefined) return known
  const found =
    libraryMarks.some((mark) => existsSync(join(folder, mark))) || (folder !== dirname(folder) && inLibrary(folder))
  libraries.set(folder, found)
  return found
}

/** Whether a file that the compiler found is none of the program's: in a library, or below none of its folders. */
const foreignness =
  (own: string, folders: readonly string[]) =>
  (path: string): boolean =>
    inLibrary(path) || ![own, ...folders].some((folder) => !relative(resolve(folder), path).startsWith('..'))

const isReadable = (p: string): boolean => existsSync(p) && statSync(p).isFile() && statSync(p).size <= mostIncluded

/** Files that a file includes by names in quotes: beside it, or in a folder of headers. */
function headersOf(path: string, folders: readonly string[]): readonly string[] {
  if (!isReadable(path)) return []
  const names = [...readFileSync(path, 'utf8').matchAll(/^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"/gm)].map((m) => m[1]!)
  return names.flatMap((name) => {
    const found = [dirname(path), ...folders].map((folder) => resolve(folder, name)).find(isReadable)
    return found === undefined ? [] : [found]
  })
}
