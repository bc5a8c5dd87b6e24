// In: the text of a flag's value. Out: the value, or commander's error with one sentence. Shared by all commands.
import { InvalidArgumentError } from 'commander'
import { gpu, type GpuProfile } from '../gpus/index.ts'

/** The name of a folder, without slashes at its end. */
export function folderName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must name a folder.')
  return text.replace(/(?<=.)\/+$/, '')
}

/** A parser of whole numbers in `[least, most]`. */
export const wholeNumber =
  (least: number, most = 2 ** 31 - 1) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number of at least ${least} and at most ${most}.`)
  }

/** A parser of numbers of at least `least`. */
export const numberFrom =
  (least: number) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value >= least) return value
    throw new InvalidArgumentError(`It must be a number of at least ${least}.`)
  }

/** A parser of lists like `wgsl,cuda`, each item one of `choices`. */
export const choicesOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): readonly T[] => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    const known = items.flatMap((item) => choices.filter((c) => c === item))
    if (items.length > 0 && known.length === items.length) return [...new Set(known)]
    throw new InvalidArgumentError(
      `It must be ${choices.join(' or ')}${choices.length > 1 ? `, or several with commas` : ''}.`,
    )
  }

/** The GPU profile of that name. An unknown one is a `DiagnosticError` that lists those there are. */
export const gpuNamed = (text: string): GpuProfile => gpu(text)

/** Collects `-D NAME=VALUE` (`-D NAME` is `NAME=1`). */
export function definition(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('It must be NAME=VALUE or NAME, as for a C compiler.')
  return { ...before, [name]: value ?? '1' }
}

/** Collects a flag that may be given several times. */
export const several = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
]

/** The path of a page to write. */
export function htmlFile(text: string): string {
  if (!/[^/\\]\.html?$/i.test(text)) throw new InvalidArgumentError('It must be a file that ends in .html.')
  return text
}

/** The place of a store: a file, or a database's address. */
export function storeName(text: string): string {
  if (text.trim() === '' || text.endsWith('/')) throw new InvalidArgumentError('It must be a file or postgres://….')
  return text
}

/** Whether a flag's value names a store, and not a folder of tuned choices. */
export const namesStore = (text: string): boolean => /^postgres(ql)?:\/\/|\.(db|sqlite3?|store)$/.test(text)
