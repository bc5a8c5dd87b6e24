// In: what run.sh brought back (a folder per run: launches, counters, memory) and the PTX of the same programs. Out: a
// table of what the simulator counts on each recorded launch next to what the hardware counted, written as data. Each
// kernel is simulated exactly: all blocks, recorded memory. Nothing of the programs' text is written, only kernels'
// names. Usage: npx tsx bench/truth/replay.ts RUNS PTX OUT.json [--only NAME] [--steps 1e9] [--ptx] [--readings
// OLD.json]; RUNS and PTX may be lists with commas. --ptx leaves machine code alone; --readings takes counters that
// RUNS lacks from an older table.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DiagnosticError } from '../../src/base/index.ts'
import {
  parsePtx,
  ptxEntries,
  readMachineCode,
  type MachineFunction,
  type PtxKernel,
  type PtxOptions,
} from '../../src/frontend/ptx/index.ts'
import { gpu, occupancy } from '../../src/gpus/index.ts'
import type { Counters } from '../../src/ir/index.ts'
import { simulate } from '../../src/simulate/index.ts'
import { bindRecorded, textureOptions, type Recorded } from './bind.ts'
import { numberOf, rawPage, sizeOf, type Row } from './csv.ts'
import { compareLines, sourcePages } from './lines.ts'
import { columns, hardwareColumns, type Column, type SampleRow } from './samples.ts'

const [runsList = '', ptxList = '', out = ''] = process.argv.slice(2)
const ptxFolders = ptxList.split(',')
const option = (name: string): string | undefined => {
  const i = process.argv.indexOf(`--${name}`)
  return i < 0 ? undefined : process.argv[i + 1]
}
const maxSteps = Number(option('steps') ?? 1e9)
const profile = gpu('h200')

const sum = (
  c: Counters,
  space: string,
  ops: readonly string[],
  key: 'requests' | 'sectors' | 'wavefronts' | 'idealWavefronts',
): number => c.sites.filter((s) => s.space === space && ops.includes(s.op)).reduce((n, s) => n + s[key], 0)

function branchUniform(c: Counters): number {
  const executed = c.branches.reduce((n, b) => n + b.executed, 0),
    divergent = c.branches.reduce((n, b) => n + b.divergent, 0)
  return executed === 0 ? 1 : 1 - divergent / executed
}

const measures: Readonly<Record<Column, (c: Counters) => number>> = {
  loadRequests: (c) => sum(c, 'global', ['load'], 'requests'),
  loadSectors: (c) => sum(c, 'global', ['load'], 'sectors'),
  storeRequests: (c) => sum(c, 'global', ['store'], 'requests'),
  storeSectors: (c) => sum(c, 'global', ['store'], 'sectors'),
  atomicRequests: (c) => sum(c, 'global', ['atomic'], 'requests'),
  sharedWavefronts: (c) => sum(c, 'shared', ['load', 'store', 'atomic'], 'wavefronts'),
  sharedIdeal: (c) => sum(c, 'shared', ['load', 'store', 'atomic'], 'idealWavefronts'),
  warpEfficiency: (c) => c.instructions.thread / (32 * c.instructions.warp),
  branchEfficiency: branchUniform,
  instructions: (c) => c.instructions.warp,
}

const real = (row: Row, column: Column): number => {
  // A kernel without conditional branches has no share of uniform ones; ncu prints 0.
  if (column === 'branchEfficiency' && numberOf(row, 'smsp__sass_branch_targets.sum') === 0) return 1
  const [metrics, scale] = hardwareColumns[column]
  const values = metrics.map((m) => numberOf(row, m))
  return values.reduce((n, v) => n + v, 0) * scale
}

/** Loads and stores of shared memory that warps executed; atomics are not among them. */
const sharedInstructions = (row: Row): number =>
  numberOf(row, 'smsp__inst_executed_op_shared_ld.sum') + numberOf(row, 'smsp__inst_executed_op_shared_st.sum')

/** Registers of each entry as `ptxas -v` printed them. */
function registersOf(text: string): ReadonlyMap<string, number> {
  return new Map(
    [...text.matchAll(/Compiling entry function '([^']+)'[\s\S]*?Used (\d+) registers/g)].map((m) => [
      m[1]!,
      Number(m[2]),
    ]),
  )
}

class Program {
  private readonly texts: readonly {
    readonly file: string
    readonly text: string
    readonly entries: ReadonlySet<string>
    readonly machine: ReadonlyMap<string, MachineFunction> | undefined
  }[]
  readonly registers: ReadonlyMap<string, number>

  constructor(name: string) {
    const root = ptxFolders.find((f) => existsSync(join(f, 'ptx', name))) ?? ''
    const folder = join(root, 'ptx', name)
    const files = root !== '' ? readdirSync(folder).filter((f) => f.endsWith('.ptx')) : []
    this.texts = files.map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const cubin = join(root, 'cubin', name, file.replace(/ptx$/, 'cubin'))
      return {
        file,
        text,
        entries: new Set(ptxEntries(text, file)),
        machine:
          existsSync(cubin) && !process.argv.includes('--ptx') ? readMachineCode(readFileSync(cubin)) : undefined,
      }
    })
    const log = join(root, 'ptxas', `${name}.txt`)
    this.registers = registersOf(existsSync(log) ? readFileSync(log, 'utf8') : '')
  }

  read(
    l: Recorded,
    withMachine: boolean,
  ): {
    readonly ptx: PtxKernel
    readonly text: string
    readonly options: PtxOptions
    readonly code: MachineFunction | undefined
  } {
    const from = this.texts.find((t) => t.entries.has(l.kernel))
    if (!from) throw new Error(`no PTX has ${l.kernel}`)
    const machine = withMachine ? from.machine : undefined
    const options: PtxOptions = { entry: l.kernel, block: l.block, shared: l.shared, ...(machine && { machine }) }
    const ptx = parsePtx(from.text, from.file, options)
    const textures = ptx.textures.length > 0 ? textureOptions(ptx, l) : null
    const all = { ...options, ...textures }
    return {
      ptx: textures ? parsePtx(from.text, from.file, all) : ptx,
      text: from.text,
      options: all,
      code: machine?.get(l.kernel),
    }
  }
}

/** The first sentence of a refusal. */
const reasonOf = (e: unknown): string =>
  e instanceof DiagnosticError ? e.diagnostics[0]!.message : e instanceof Error ? e.message.split('\n')[0]! : String(e)

function blocksOf(l: Recorded): number {
  const threads = l.block[0] * l.block[1] * l.block[2]
  return occupancy(profile, { threads, registers: l.registers, shared: l.static + l.shared }).activeBlocks
}

const round = (x: number): number => Math.round(x * 10000) / 10000

function rowOf(
  runs: string,
  run: string,
  command: string,
  program: Program,
  l: Recorded,
  read: Row | undefined,
  page: readonly (readonly string[])[] | undefined,
  older: SampleRow | undefined,
): SampleRow {
  const base = {
    run,
    command,
    kernel: l.kernel,
    grid: l.grid,
    block: l.block,
    shared: l.shared,
    registers: [program.registers.get(l.kernel) ?? null, l.registers] as const,
    activeBlocks: [blocksOf(l), l.activeBlocks] as const,
    hardware: read ? columns.map((c) => round(real(read, c))) : (older?.hardware ?? null),
  }
  try {
    const { ptx, text, options, code } = program.read(l, true)
    const contents = (file: string): Uint8Array => readFileSync(join(runs, run, file))
    const { launch, notes } = bindRecorded(ptx, l, contents)
    const { counters } = simulate(ptx.kernel, launch, profile, { exact: true, maxSteps })
    const plain = code ? program.read(l, false).ptx : ptx
    const other = code
      ? simulate(plain.kernel, bindRecorded(plain, l, contents).launch, profile, { exact: true, maxSteps }).counters
      : counters
    const lines = page && code ? compareLines(page, code, ptx, text, options, counters) : null
    const sharedAccesses = read
      ? ([sum(counters, 'shared', ['load', 'store'], 'requests'), sharedInstructions(read)] as const)
      : older?.sharedAccesses
        ? ([sum(counters, 'shared', ['load', 'store'], 'requests'), older.sharedAccesses[1]] as const)
        : null
    return {
      ...base,
      sharedAccesses,
      simulated: columns.map((c) => round(measures[c](counters))),
      fromPtx: columns.map((c) => round(measures[c](other))),
      lines,
      notes: [...ptx.notes, ...notes],
    }
  } catch (e) {
    return { ...base, sharedAccesses: null, simulated: null, fromPtx: null, lines: null, notes: [reasonOf(e)] }
  }
}

/** The counters of a launch: the same position among the profiled ones, and the same kernel and shape. */
function readingOf(rows: readonly Row[], l: Recorded): Row | undefined {
  const row = rows[l.row]
  const same =
    row &&
    row['Kernel Name']!.includes(l.kernel) &&
    sizeOf(row['Grid Size']!).join() === l.grid.join() &&
    sizeOf(row['Block Size']!).join() === l.block.join()
  return same ? row : undefined
}

const olderRows: SampleRow[] = option('readings')
  ? [...(JSON.parse(readFileSync(option('readings')!, 'utf8')) as { rows: SampleRow[] }).rows]
  : [] // written here

/** The first row of the older table that is this launch and was not taken yet. */
function olderOf(command: string, l: Recorded): SampleRow | undefined {
  const at = olderRows.findIndex(
    (r) =>
      r.command === command &&
      r.kernel === l.kernel &&
      r.grid.join() === l.grid.join() &&
      r.block.join() === l.block.join(),
  )
  return at < 0 ? undefined : olderRows.splice(at, 1)[0]
}

function* all(runs: string): Generator<SampleRow> {
  for (const run of readdirSync(runs).sort()) {
    const at = (file: string): string => join(runs, run, file)
    if (!existsSync(at('launches.jsonl')) || (option('only') && !run.includes(option('only')!))) continue
    const command = readFileSync(at('command'), 'utf8').trim()
    const program = new Program(command.split(' ')[0]!)
    const readings = existsSync(at('raw.csv')) ? rawPage(readFileSync(at('raw.csv'), 'utf8')) : []
    const pages = existsSync(at('source.csv'))
      ? sourcePages(readFileSync(at('source.csv'), 'utf8'), readings.length)
      : []
    for (const line of readFileSync(at('launches.jsonl'), 'utf8').trim().split('\n')) {
      const l = JSON.parse(line) as Recorded // written by record.cc
      yield rowOf(
        runs,
        run,
        command,
        program,
        l,
        readingOf(readings, l),
        readingOf(readings, l) && pages[l.row],
        olderOf(command, l),
      )
    }
  }
}

const rows: SampleRow[] = []
for (const r of runsList.split(',').flatMap((f) => [...all(f)])) {
  rows.push(r)
  const differing =
    r.simulated && r.hardware
      ? columns.flatMap((c, i) =>
          r.simulated![i] === r.hardware![i] ? [] : [`${c} ${r.simulated![i]}/${r.hardware![i]}`],
        )
      : []
  const compared = r.hardware ? differing.join(', ') || 'all equal' : 'not read'
  const notes = r.notes.length > 0 ? ` [${r.notes.join('; ')}]` : ''
  console.log(
    `${r.run} ${r.kernel.slice(0, 60)} ${r.grid.join('×')} ${r.block.join('×')}: ` +
      `${r.simulated ? compared : 'not simulated'}${notes}`,
  )
}
const provenance = {
  device: 'NVIDIA H200, driver 580, CUDA 13.0 (nvcc -arch=sm_90 -lineinfo)',
  date: '2026-11-21',
  programs:
    'NVIDIA cuda-samples, commit c94ff366, sizes as bench/truth/samples.txt says; nothing of their text is here',
  tool: 'ncu --clock-control none, one launch at a time between cudaProfilerStart and Stop',
  'made by': 'bench/truth/samples.sh, run.sh and replay.ts',
  columns,
  metrics: hardwareColumns,
}
if (out) writeFileSync(out, `${JSON.stringify({ provenance, rows })}\n`.replace(/\},\{"run"/g, '},\n{"run"'))
