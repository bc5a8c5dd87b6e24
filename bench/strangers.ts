// In: folders of repositories, a cap. Out: for kernels that nobody here wrote, whether `explain` accepts them, CPU
// seconds, and whether what a default run counts is what --exact counts. WGSL runs 64 workgroups with contents as
// `explain` fills them; CUDA the launches that its host code says. Nothing of the folders is kept.
//   npx tsx bench/strangers.ts CAP FOLDER…
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DiagnosticError } from '../src/base/index.ts'
import { launchesInText } from '../src/cli/commands/host-launches.ts'
import { compileCudaFile, cudaSource } from '../src/cli/nvcc.ts'
import { explain, type ExplainReport, type ExplainSource, type NamedLaunch } from '../src/explain/index.ts'
import { entryPoints } from '../src/frontend/wgsl/index.ts'
import { gpu } from '../src/gpus/index.ts'
import { countFrom, someOf } from './arguments.ts'

const [capText, ...folders] = process.argv.slice(2)
const cap = countFrom(capText, 10, 'the cap')
const h200 = gpu('h200')

interface Row {
  readonly folder: string
  readonly name: string
  readonly refused?: string
  readonly differs?: string
  readonly seconds: number
  readonly exactSeconds?: number
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((f) => /\.(?:wgsl|cu)$/.test(f))
    .sort()

const reason = (e: unknown): string =>
  e instanceof DiagnosticError ? `${e.diagnostics[0]!.code}: ${e.diagnostics[0]!.message}` : `CRASH ${String(e)}`

/** Processor seconds that `work` takes, and what it gives. */
function timed<T>(work: () => T): { readonly value: T; readonly seconds: number } {
  const began = process.cpuUsage(),
    value = work(),
    { user, system } = process.cpuUsage(began)
  return { value, seconds: (user + system) / 1e6 }
}

/** What a default run must share with one of all blocks, unless it says that it estimates. */
function differing(a: ExplainReport, b: ExplainReport): string | undefined {
  if (!a.coverage.exact) return undefined
  if (a.instructions.warp !== b.instructions.warp) return `instructions ${a.instructions.warp} ≠ ${b.instructions.warp}`
  const at = a.accesses.findIndex(
    (x, i) =>
      x.requests !== b.accesses[i]?.requests ||
      x.sectors !== b.accesses[i]?.sectors ||
      x.wavefronts !== b.accesses[i]?.wavefronts,
  )
  return at < 0 ? undefined : `access ${a.accesses[at]!.text}`
}

function row(folder: string, name: string, source: ExplainSource, { launch, entry }: NamedLaunch): Row {
  const began = process.cpuUsage()
  try {
    const plain = timed(() => explain(source, launch, { gpu: h200, entry }))
    const isSmall = plain.value.instructions.warp < mostExact
    const exact = isSmall ? timed(() => explain(source, launch, { gpu: h200, entry, exact: true })) : null
    const differs = exact ? differing(plain.value, exact.value) : undefined
    return {
      folder,
      name,
      seconds: plain.seconds,
      ...(exact && { exactSeconds: exact.seconds }),
      ...(differs !== undefined && { differs }),
    }
  } catch (e) {
    // A constant that the page gives: the launch has to say it, too.
    const constant = /^wgsl\.override: override '(\w+)' has no value/.exec(reason(e))?.[1]
    if (constant !== undefined)
      return row(folder, name, source, {
        entry,
        launch: { ...launch, overrides: { ...launch.overrides, [constant]: anyConstant } },
      })
    const { user, system } = process.cpuUsage(began)
    return { folder, name, refused: reason(e), seconds: (user + system) / 1e6 }
  }
}

/** What an override without a value gets. */
const anyConstant = 1000

/** Warp instructions of a launch beyond which it is not run whole. */
const mostExact = 1e8

function wgslRows(folder: string, file: string, text: string): readonly Row[] {
  const entries = entryPoints(text, file)
  return entries.map((entry) =>
    row(folder, `${file} ${entry}`, { text, file }, { entry, launch: { grid: [64, 1, 1] } }),
  )
}

function cudaRows(folder: string, file: string, path: string, text: string): readonly Row[] {
  const source = cudaSource(text, file, compileCudaFile(path))
  return launchesInText(source, {}, {})
    .slice(0, 4)
    .map((l) => row(folder, `${file} ${l.entry}`, source, l))
}

const rows: Row[] = []
for (const folder of someOf(folders, 'folders')) {
  const own: Row[] = []
  for (const file of filesOf(folder)) {
    if (own.length >= cap) break
    const path = join(folder, file),
      text = readFileSync(path, 'utf8')
    if (file.endsWith('.wgsl') ? !text.includes('@compute') : !text.includes('<<<')) continue
    try {
      own.push(
        ...(file.endsWith('.wgsl') ? wgslRows : (f: string, n: string, t: string) => cudaRows(f, n, path, t))(
          basename(folder),
          file,
          text,
        ),
      )
    } catch (e) {
      const why = reason(e)
      // What the compiler of CUDA refuses here (headers that are not there) and templates of WGSL are no kernels.
      if (/^(?:cuda\.compile|wgsl\.(?:syntax|name|resolve|parse))/.test(why))
        console.log(`skipped ${file}: ${why.slice(0, 120)}`)
      else own.push({ folder: basename(folder), name: file, refused: why, seconds: 0 })
    }
  }
  rows.push(...own)
  for (const r of own)
    console.log(
      r.refused ? 'REFUSED' : r.differs ? 'DIFFERS' : 'ok',
      r.folder,
      r.name,
      `${r.seconds.toFixed(2)} s`,
      r.exactSeconds?.toFixed(2) ?? '',
      (r.refused ?? r.differs ?? '').slice(0, 160),
    )
}
const seconds = rows.map((r) => r.seconds).sort((a, b) => a - b)
console.log(
  `${rows.length} kernels of ${new Set(rows.map((r) => r.folder)).size} repositories, ` +
    `${rows.filter((r) => !r.refused).length} accepted, ` +
    `${rows.filter((r) => r.exactSeconds !== undefined).length} run whole, ` +
    `${rows.filter((r) => r.differs).length} differ; ` +
    `CPU s: median ${(seconds[seconds.length >> 1] ?? 0).toFixed(2)}, most ${(seconds.at(-1) ?? 0).toFixed(2)}`,
)
