// In: the C of `src/ops`, a folder for each file, and readings of `bench/collection`. Out: the modules that
// `tesela build` makes of it, in `made` beside it, their index `src/ops/index.ts` and the tables in `docs/ops.md`. Kept
// in the repository: a search and a proof take seconds each. Usage: tsx tools/ops.ts [FOLDER…], or `tables` alone
import { createHash } from 'node:crypto'
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

/** A row of `bench/data/h100-collection.json`, whose provenance says what each number is. */
export interface Reading {
  readonly name: string
  readonly sizes: Readonly<Record<string, number>>
  /** `kernelsHash` of what was measured. */
  readonly kernels: string
  readonly us: number
  readonly spread: number
  readonly callUs: number
  readonly eagerUs: number
  readonly replayedUs?: number
  readonly compiledUs?: number
  readonly predictedUs: number
  readonly boundUs: number
  readonly error: number
  readonly date: string
}

export const readingsFile = join(root, 'bench/data/h100-collection.json')
export const readings = (): readonly Reading[] =>
  (JSON.parse(readFileSync(readingsFile, 'utf8')) as { readonly rows: readonly Reading[] }).rows // as recorded

/** A fingerprint of a module's kernels and launches, which a reading keeps: others have not been measured. */
export function kernelsHash(room: string, name: string): string {
  const text = readFileSync(join(opsFolder, room, 'made', `${name}.ts`), 'utf8')
  return createHash('sha256')
    .update(text.slice(text.indexOf('const kernel0')))
    .digest('hex')
    .slice(0, 12)
}

/** The table of `docs/ops.md` of what the compiler says. */
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

const times = (a: number | undefined, b: number): string => (a === undefined ? '' : `${(a / b).toFixed(2)}×`)
const microseconds = (us: number): string =>
  us < 1000 ? `${us.toPrecision(3)} µs` : `${(us / 1000).toPrecision(3)} ms`
const geometricMean = (list: readonly number[]): number =>
  Math.exp(list.reduce((sum, x) => sum + Math.log(x), 0) / list.length)

/** What was measured of an operation, in the order of the other table. */
export const measuredRows = (): readonly { readonly reading: Reading; readonly isCurrent: boolean }[] =>
  rooms()
    .flatMap(rowsOf)
    .flatMap(({ room, name }) => {
      const reading = readings().find((r) => r.name === name)
      return reading ? [{ reading, isCurrent: reading.kernels === kernelsHash(room, name) }] : []
    })

/** The table of `docs/ops.md` of what was measured, and a line that sums it up. */
export function measuredTable(): readonly string[] {
  const all = measuredRows(),
    eager = all.map(({ reading: r }) => r.eagerUs / r.us),
    compiled = all.flatMap(({ reading: r }) => (r.compiledUs === undefined ? [] : [r.compiledUs / r.us])),
    device = all.flatMap(({ reading: r }) => (r.replayedUs === undefined ? [] : [r.replayedUs / r.us]))
  const unmeasured = rooms().flatMap(rowsOf).length - all.length
  return [
    `Of ${all.length} operations the geometric mean is ${times(geometricMean(eager), 1)} of PyTorch eager (least ` +
      `${times(Math.min(...eager), 1)}), ${times(geometricMean(device), 1)}`,
    `of the same with the host taken out, and ${times(geometricMean(compiled), 1)} of \`torch.compile\`.` +
      (unmeasured > 0 ? ` ${unmeasured} have not been measured.` : ''),
    '',
    '| operation | measured | eager | eager, no host | compiled | predicted | at least |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(
      ({ reading: r, isCurrent }) =>
        `| \`${r.name}\`${isCurrent ? '' : ' (other kernels)'} | ${microseconds(r.us)} | ${times(r.eagerUs, r.us)} | ` +
        `${times(r.replayedUs, r.us)} | ${times(r.compiledUs, r.us)} | ${times(r.predictedUs, r.us)} | ` +
        `${times(r.boundUs, r.us)} |`,
    ),
  ]
}

export const indexText = (): string =>
  [
    '// The collection, an operation a file: what `tools/ops.ts` made of the C beside it.',
    ...rooms().map((room) => `export * from './${room}/made/index.ts'`),
    '',
  ].join('\n')

/** `text` with a table between its marks: `<!-- NAME -->` and `<!-- /NAME -->`. */
export function withTable(text: string, table: readonly string[], name = 'ops'): string {
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`].map((mark) => text.indexOf(mark)) as [number, number]
  return `${text.slice(0, from + name.length + 9)}\n${table.join('\n')}\n${text.slice(to)}`
}

/** `docs/ops.md` with both tables as they are today. */
export const pageWithTables = (text: string): string =>
  withTable(withTable(text, opsTable()), measuredTable(), 'measured')

if (process.argv[1]?.endsWith('tools/ops.ts')) {
  const only = process.argv.slice(2)
  for (const room of rooms().filter((r) => only.length === 0 || only.includes(r))) {
    const code = await runCommand(buildArguments(room, join(opsFolder, room, 'made')))
    if (code !== 0) process.exit(code)
  }
  writeFileSync(join(opsFolder, 'index.ts'), indexText())
  const page = join(root, 'docs/ops.md')
  writeFileSync(page, pageWithTables(readFileSync(page, 'utf8')))
  process.exit(0)
}
