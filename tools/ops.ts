// In: the C of `src/ops`, a folder for each file. Out: the modules that `tesela build` makes of it, in `made` beside
// it, their index `src/ops/index.ts` and the table in `docs/ops.md`. Kept in the repository: a search and a proof take
// seconds each. Usage: tsx tools/ops.ts [FOLDER…]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runCommand } from '../src/cli/run.ts'

const root = resolve(import.meta.dirname, '..')
export const opsFolder = join(root, 'src/ops')

/** Folders of the collection: each has one C file of its name. */
export const rooms = (): readonly string[] =>
  readdirSync(opsFolder)
    .filter((name) => existsSync(join(opsFolder, name, `${name}.c`)))
    .sort()

/** What `tesela build` is called with for a folder, into `out`. */
export const buildArguments = (room: string, out: string): readonly string[] => [
  'build',
  join(opsFolder, room, `${room}.c`),
  '-o',
  out,
  '--runtime',
  '../../../kernels/index.ts',
]

export interface OpRow {
  readonly name: string
  readonly room: string
  readonly planned: string
  readonly predicted: string
  readonly bound: string
  readonly call: string
}

/** A row of the table for each module of a folder, from its header. */
export function rowsOf(room: string): readonly OpRow[] {
  const made = join(opsFolder, room, 'made')
  const order = [...readFileSync(join(made, 'index.ts'), 'utf8').matchAll(/^export \{ (\w+),/gm)].map((m) => m[1] ?? '')
  return order.map((name) => {
    const text = readFileSync(join(made, `${name}.ts`), 'utf8')
    const [, planned = '', predicted = '', bound = ''] =
      /^\/\/ On h200 at (.*): (.*) predicted, and no schedule takes less than (.*)\.$/m.exec(text) ?? []
    return { name, room, planned, predicted, bound, call: /^\/\*\* `(.*)` \*\/$/m.exec(text)?.[1] ?? '' }
  })
}

const nanoseconds = (words: string): number => Number.parseFloat(words) * (words.endsWith('ms') ? 1e6 : 1e3)

/** The table of `docs/ops.md`. */
export function opsTable(): readonly string[] {
  return [
    '| call | planned for | predicted | at least | |',
    '| --- | --- | --- | --- | --- |',
    ...rooms()
      .flatMap(rowsOf)
      .map(
        (r) =>
          `| \`${r.call}\` | ${r.planned} | ${r.predicted} | ${r.bound} | ` +
          `${(nanoseconds(r.predicted) / nanoseconds(r.bound)).toFixed(2)}× |`,
      ),
  ]
}

export const indexText = (): string =>
  [
    '// The collection, an operation a file: what `tools/ops.ts` made of the C beside it.',
    ...rooms().map((room) => `export * from './${room}/made/index.ts'`),
    '',
  ].join('\n')

const marks = ['<!-- ops -->', '<!-- /ops -->'] as const

/** `text` with the table between its marks. */
export function withTable(text: string, table: readonly string[]): string {
  const [from, to] = [text.indexOf(marks[0]), text.indexOf(marks[1])]
  return `${text.slice(0, from + marks[0].length)}\n${table.join('\n')}\n${text.slice(to)}`
}

if (process.argv[1]?.endsWith('ops.ts')) {
  const only = process.argv.slice(2)
  for (const room of rooms().filter((r) => only.length === 0 || only.includes(r))) {
    const code = await runCommand(buildArguments(room, join(opsFolder, room, 'made')))
    if (code !== 0) process.exit(code)
  }
  writeFileSync(join(opsFolder, 'index.ts'), indexText())
  const page = join(root, 'docs/ops.md')
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), opsTable()))
  process.exit(0)
}
