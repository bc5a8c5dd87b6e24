// In: folders of repositories, a cap. Out: for kernels that nobody here wrote, whether `explain` accepts them, CPU
// seconds, whether what a default run counts is what --exact counts, and with `--hazards` what it says against them.
// WGSL runs 64 workgroups with uniform integers of 24; CUDA the launches that its host code says, and 64 blocks of 256
// where that says none. Large launches are compared on their first blocks. Nothing of the folders is kept.
//   npx tsx bench/strangers.ts [--hazards] CAP FOLDER…
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DiagnosticError } from '../src/base/index.ts'
import { launchesInText } from '../src/cli/commands/host-launches.ts'
import { compileCudaFile, cudaSource } from '../src/cli/nvcc.ts'
import {
  explain,
  explainWithView,
  type ExplainLaunch,
  type ExplainReport,
  type ExplainSource,
  type NamedLaunch,
} from '../src/explain/index.ts'
import { entryPoints } from '../src/frontend/wgsl/index.ts'
import { gpu } from '../src/gpus/index.ts'
import { nullDevice } from '../test/support/dawn.ts'
import { countFrom, someOf } from './arguments.ts'

const given = process.argv.slice(2),
  isTelling = given.includes('--hazards')
const [capText, ...folders] = given.filter((a) => a !== '--hazards')
const cap = countFrom(capText, 10, 'the cap')
const h200 = gpu('h200')

interface Row {
  readonly folder: string
  readonly name: string
  readonly refused?: string
  readonly differs?: string
  /** CPU seconds of a default run, and of a whole one. */
  readonly seconds: number
  readonly exactSeconds?: number
  /** Errors that the report names, and accesses that never ran. */
  readonly said?: readonly string[]
}

/** Shaders and CUDA files of a folder, in an order that mixes its parts. */
const filesOf = (folder: string): readonly string[] => {
  const placed = (f: string): string => createHash('sha256').update(f).digest('hex')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((f) => /\.(?:wgsl|cu)$/.test(f))
    .sort((a, b) => placed(a).localeCompare(placed(b)))
}

/** Whether browsers take the text, which else is a part of one or a template; `var<push_constant>` is wgpu's own. */
async function isWhole(device: GPUDevice, code: string): Promise<boolean> {
  device.pushErrorScope('validation')
  device.createShaderModule({ code: code.replaceAll('var<push_constant>', 'var<private>') })
  return (await device.popErrorScope()) === null
}

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

/** What a report says against a kernel. */
const saidOf = (r: ExplainReport): readonly string[] => [
  ...r.hazards.map(
    (h) => `${h.level} ${h.at?.line}:${h.at?.column} ${h.kind}, ${h.count} times: ${h.message}; ${h.example}`,
  ),
  ...r.accesses.filter((a) => a.requests === 0).map((a) => `idle ${a.at?.line}:${a.at?.column} ${a.op} ${a.text}`),
]

/** A launch of as many of its first blocks as run whole in a while. */
function shortened(launch: ExplainLaunch, { instructions }: ExplainReport): ExplainLaunch {
  const [x, y, z] = launch.grid,
    part = Math.min(1, mostExact / Math.max(1, instructions.warp)),
    rows = Math.max(1, Math.floor(y * z * part)),
    columns = Math.max(1, Math.floor((x * y * z * part) / rows))
  return part === 1 ? launch : { ...launch, grid: [Math.min(x, columns), Math.min(y, rows), 1] }
}

function row(folder: string, name: string, source: ExplainSource, { launch, entry }: NamedLaunch): Row {
  const began = process.cpuUsage()
  try {
    const plain = timed(() => explain(source, launch, { gpu: h200, entry })),
      some = shortened(launch, plain.value),
      first = some === launch ? plain : timed(() => explain(source, some, { gpu: h200, entry }))
    const exact =
      plain.value.instructions.warp / blocksOf(launch) < mostExact
        ? timed(() => explain(source, some, { gpu: h200, entry, exact: true }))
        : null
    const differs = exact ? differing(first.value, exact.value) : undefined
    return {
      folder,
      name,
      seconds: plain.seconds,
      said: saidOf(plain.value),
      ...(exact && { exactSeconds: exact.seconds }),
      ...(differs !== undefined && { differs }),
    }
  } catch (e) {
    const more = supplied(reason(e), launch)
    if (more) return row(folder, name, source, { entry, launch: more })
    const { user, system } = process.cpuUsage(began)
    return { folder, name, refused: reason(e), seconds: (user + system) / 1e6 }
  }
}

const blocksOf = ({ grid: [x, y, z] }: ExplainLaunch): number => x * y * z

/** What a refusal asks the user for, given. */
function supplied(why: string, launch: ExplainLaunch): ExplainLaunch | null {
  const constant = /^wgsl\.override: override '(\w+)' has no value/.exec(why)?.[1]
  if (constant !== undefined) return { ...launch, overrides: { ...launch.overrides, [constant]: anyNumber } }
  if (why.startsWith('explain.arg: the kernel')) {
    const args = [...why.matchAll(/position (\d+)\)/g)].map(([, p]) => [p!, anyNumber] as const)
    return { ...launch, args: { ...launch.args, ...Object.fromEntries(args) } }
  }
  return why.startsWith('ptx.shared') && launch.shared === undefined ? { ...launch, shared: anyShared } : null
}

/** What a parameter, or an override without a value, gets; bytes of shared memory that no launch says. */
const anyNumber = 1000
const anyShared = 16384

/** Warp instructions that are run whole. */
const mostExact = 3e7

function wgslRows(folder: string, file: string, text: string): readonly Row[] {
  const entries = entryPoints(text, file),
    grid = [64, 1, 1] as const
  return entries.map((entry) => {
    const named = uniformsOf({ text, file }, { entry, launch: { grid } }),
      args = Object.fromEntries(named.map((name) => [name, anySize]))
    return row(folder, `${file} ${entry}`, { text, file }, { entry, launch: { grid, args } })
  })
}

/** Integers of uniform variables, without which most kernels do nothing. */
function uniformsOf(source: ExplainSource, { launch, entry }: NamedLaunch): readonly string[] {
  try {
    return explainWithView(source, launch, { gpu: h200, entry, brief: true }).view.uniforms
  } catch (e) {
    const more = supplied(reason(e), launch)
    return more ? uniformsOf(source, { entry, launch: more }) : []
  }
}

/** What such an integer gets. */
const anySize = 24

/** Kernels of one CUDA file that are looked at. */
const mostOfFile = 4

function cudaRows(
  folder: string,
  file: string,
  path: string,
  text: string,
  includes: readonly string[],
): readonly Row[] {
  const source = cudaSource(text, file, compileCudaFile(path, { includes }))
  return launchesOf(source)
    .slice(0, mostOfFile)
    .map((l) => row(folder, `${file} ${l.entry}`, source, l))
}

/** The launches of the host code; one of each kernel where that does not say them. */
function launchesOf(source: ExplainSource): readonly NamedLaunch[] {
  try {
    const all = launchesInText(source, {}, {})
    if (all.length > 0) return all
  } catch (e) {
    if (!reason(e).startsWith('explain.grid')) throw e
  }
  return [...(source.ptx ?? '').matchAll(/\.entry\s+([\w$]+)/g)].map(([, entry]) => ({
    entry: entry!,
    launch: { grid: [8, 8, 1], block: [256, 1, 1] },
  }))
}

/** Folders with headers. */
const headersIn = (folder: string): readonly string[] =>
  [
    ...new Set(
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((f) => /\.(?:h|hpp|cuh)$/.test(f))
        .map((f) => join(folder, dirname(f))),
    ),
  ].slice(0, 16)

/** Kernels of a folder, of one file mostly all. */
async function rowsOf(folder: string, device: GPUDevice): Promise<readonly Row[]> {
  const own: Row[] = []
  for (const file of filesOf(folder)) {
    if (own.length >= cap) break
    const path = join(folder, file),
      text = readFileSync(path, 'utf8')
    if (file.endsWith('.wgsl') ? !text.includes('@compute') : !text.includes('<<<')) continue
    if (file.endsWith('.wgsl') && !(await isWhole(device, text))) {
      console.log(`skipped ${file}: no whole text`)
      continue
    }
    try {
      own.push(
        ...(file.endsWith('.wgsl')
          ? wgslRows(basename(folder), file, text)
          : cudaRows(basename(folder), file, path, text, headersIn(folder))),
      )
    } catch (e) {
      const why = reason(e)
      // What the compiler of CUDA refuses here (headers that are not there) is no kernel.
      if (why.startsWith('cuda.compile')) console.log(`skipped ${file}: ${why.slice(0, 120)}`)
      else own.push({ folder: basename(folder), name: file, refused: why, seconds: 0 })
    }
  }
  return own
}

const rows: Row[] = [],
  device = await nullDevice()
for (const folder of someOf(folders, 'folders')) {
  const own = await rowsOf(folder, device)
  rows.push(...own)
  for (const r of own)
    console.log(
      r.refused ? 'REFUSED' : r.differs ? 'DIFFERS' : 'ok',
      r.folder,
      r.name,
      `${r.seconds.toFixed(2)} s`,
      r.exactSeconds?.toFixed(2) ?? '',
      (r.refused ?? r.differs ?? '').slice(0, 200),
      ...(isTelling ? (r.said ?? []).map((x) => `\n    ${x}`) : []),
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
process.exit(0) // Dawn keeps the process
