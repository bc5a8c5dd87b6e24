// In: a folder of WGSL files, one folder a project; after it perhaps a file for the refusals, else they are printed.
// Out: for each project how many entry points Tint finds valid and how many of these `explain` accepts and simulates,
// the refusals by what they name, and CPU seconds. The one idea: Tint on Dawn's null backend says what is WGSL at all.
// Overrides without a value get 4. A crash, an InternalError or more than 10 s is listed as a defect.
//   npx tsx bench/corpus.ts FOLDER [REFUSALS.txt]
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DiagnosticError } from '../src/base/index.ts'
import { explain } from '../src/explain/index.ts'
import { entryPoints } from '../src/frontend/wgsl/index.ts'
import { gpu } from '../src/gpus/index.ts'
import { nullDevice, tintErrors } from '../test/support/dawn.ts'
import { someOf } from './arguments.ts'

interface Row {
  readonly project: string
  readonly file: string
  readonly entry: string
  readonly valid: boolean
  readonly tint: string
  readonly refusal: string
  readonly defect: string
  readonly seconds: number
}

const [folder, refusals] = process.argv.slice(2)
if (folder === undefined) throw new Error('give a folder of WGSL files')

const wgslFiles = (path: string): string[] =>
  readdirSync(path)
    .sort()
    .flatMap((name) => {
      const full = join(path, name)
      return statSync(full).isDirectory() ? wgslFiles(full) : name.endsWith('.wgsl') ? [full] : []
    })

/** Runs `make` with a value for each override that has none. */
function withOverrides<T>(make: (overrides: Record<string, number>) => T): {
  result: T
  overrides: Record<string, number>
} {
  const overrides: Record<string, number> = {}
  for (;;) {
    try {
      return { result: make(overrides), overrides }
    } catch (e) {
      const [, name] = (e instanceof DiagnosticError && /override '([^']+)' has no value/.exec(e.message)) || []
      if (name === undefined || Object.hasOwn(overrides, name)) throw Object.assign(e as Error, { overrides })
      overrides[name] = 4
    }
  }
}

/** The entry points by their text, for files that our own parser refuses. */
function namesIn(text: string, file: string): readonly string[] {
  try {
    return entryPoints(text, file)
  } catch (e) {
    if (!(e instanceof DiagnosticError)) throw e
    return [...text.matchAll(/@compute[^{]*?\bfn\s+([\p{L}\w]+)/gu)].map((m) => m[1]!)
  }
}

async function row(device: GPUDevice, file: string, text: string, entry: string): Promise<Row> {
  const start = process.cpuUsage()
  let refusal = '',
    defect = '',
    overrides: Record<string, number> = {}
  try {
    ;({ overrides } = withOverrides((o) =>
      explain({ text, file }, { grid: [2, 2, 1], overrides: o }, { gpu: gpu('h200'), entry }),
    ))
  } catch (e) {
    overrides = (e as { overrides?: Record<string, number> }).overrides ?? {} // set above
    if (e instanceof DiagnosticError) refusal = e.message.split('\n')[0]!
    else defect = e instanceof Error ? `${e.name}: ${e.message.slice(0, 300)}` : String(e)
  }
  const { user, system } = process.cpuUsage(start)
  const seconds = (user + system) / 1e6
  if (seconds > 10) defect ||= `${seconds.toFixed(1)} s`
  const [tint] = await tintErrors(device, text, entry, overrides)
  const path = relative(folder!, file)
  return {
    project: path.split('/')[0]!,
    file: path,
    entry,
    valid: tint === undefined,
    tint: tint ?? '',
    refusal,
    defect,
    seconds,
  }
}

/** What a refusal names, without the place and the program's own names. */
const kindOf = (r: string): string =>
  r
    .replace(/^\S+?:\d+:\d+: /, '')
    .replace(/^error: /, '')
    .replace(/\[(.*)\]$/, '($1)')

const device = await nullDevice()
device.addEventListener('uncapturederror', () => {})
const rows: Row[] = []
for (const file of someOf(wgslFiles(folder), `WGSL file in ${folder}`)) {
  const text = readFileSync(file, 'utf8')
  for (const entry of namesIn(text, file)) rows.push(await row(device, file, text, entry))
}

const lines: string[] = []
for (const project of new Set(rows.map((r) => r.project))) {
  const own = rows.filter((r) => r.project === project)
  const valid = own.filter((r) => r.valid)
  lines.push(
    `${project.padEnd(52)} ${new Set(own.map((r) => r.file)).size} files, ${own.length} entry points, ` +
      `${valid.length} valid, ${valid.filter((r) => !r.refusal && !r.defect).length} accepted`,
  )
}
const valid = rows.filter((r) => r.valid)
const accepted = valid.filter((r) => !r.refusal && !r.defect)
lines.push(
  `in all: ${new Set(rows.map((r) => r.project)).size} projects, ${new Set(rows.map((r) => r.file)).size} ` +
    `files, ${rows.length} entry points, ${valid.length} valid, ${accepted.length} accepted ` +
    `(${((100 * accepted.length) / valid.length).toFixed(1)} %), ` +
    `${rows.reduce((n, r) => n + r.seconds, 0).toFixed(1)} CPU s`,
)
const invalid = rows.filter((r) => !r.valid && !r.refusal && !r.defect).length
lines.push(`${rows.length - valid.length} not valid for Tint, of which ${invalid} accepted here`)
console.log(lines.join('\n'))
const list = (what: string, of: readonly Row[], say: (r: Row) => string): string =>
  of.map((r) => `${what} ${r.file} ${r.entry}: ${say(r)}`).join('\n')
const details = [
  list(
    'DEFECT',
    rows.filter((r) => r.defect),
    (r) => r.defect,
  ),
  list(
    'refused',
    valid.filter((r) => r.refusal),
    (r) => `${kindOf(r.refusal)} @ ${/:(\d+:\d+): /.exec(r.refusal)?.[1] ?? ''}`,
  ),
  list(
    'invalid',
    rows.filter((r) => !r.valid),
    (r) => r.tint.split('\n')[0]!,
  ),
].join('\n')
if (refusals === undefined) console.log(details)
else writeFileSync(refusals, details)
