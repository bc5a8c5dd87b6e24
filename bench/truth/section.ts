// In: the committed readings (our own kernels, and programs that are not ours). Out: the section "Counts" of
// docs/fidelity.md. The one idea: every sentence is counted from the data when the page is made.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { columns, differencesOf, explained, sampleName, withinBar, type Column, type SampleRow } from './samples.ts'

const data = join(import.meta.dirname ?? '.', '../data')
const read = (file: string): unknown => JSON.parse(readFileSync(join(data, file), 'utf8'))

interface Samples {
  readonly rows: readonly SampleRow[]
}
interface Ours {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly simulated: readonly number[]; readonly hardware: readonly number[] }[]
}

const titles: Readonly<Record<Column, string>> = {
  loadRequests: 'global load requests',
  loadSectors: 'global load sectors',
  storeRequests: 'global store requests',
  storeSectors: 'global store sectors',
  atomicRequests: 'global atomic requests',
  sharedWavefronts: 'shared wavefronts',
  sharedIdeal: 'shared wavefronts, ideal',
  warpEfficiency: 'warp efficiency',
  branchEfficiency: 'branch efficiency',
  instructions: 'warp instructions',
}
const bars: Readonly<Record<Column, string>> = {
  loadRequests: 'equal',
  loadSectors: 'equal',
  storeRequests: 'equal',
  storeSectors: 'equal',
  atomicRequests: 'equal',
  sharedWavefronts: '1 %',
  sharedIdeal: '1 %',
  warpEfficiency: '1 point',
  branchEfficiency: '1 point',
  instructions: '10 %',
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...rows.map((r) => `| ${r.join(' | ')} |`),
  ].join('\n')

/** Launches that were both simulated and read. */
const compared = (rows: readonly SampleRow[]): readonly SampleRow[] => rows.filter((r) => r.simulated && r.hardware)

const isKnown = (why: string | null): boolean => why !== null && !why.startsWith('open')

function byColumn(rows: readonly SampleRow[]): string {
  return table(
    [
      'count',
      'bar',
      'equal',
      'within the bar',
      'outside, explained',
      'outside, not explained',
      'within, from PTX alone',
    ],
    columns.map((c) => {
      const equal = rows.filter((r) => differencesOf(r, c) === 0).length
      const inside = rows.filter((r) => withinBar(r, c)).length
      const known = rows.filter((r) => !withinBar(r, c) && isKnown(explained(r, c))).length
      return [
        titles[c],
        bars[c],
        equal,
        inside,
        known,
        rows.length - inside - known,
        rows.filter((r) => withinBar({ ...r, simulated: r.fromPtx }, c)).length,
      ]
    }),
  )
}

/** How many lines of the sources agree, over all launches that were read by machine instruction. */
function byLine(rows: readonly SampleRow[]): string {
  const read = rows.flatMap((r) => (r.lines ? [r.lines] : []))
  const names = {
    instructions: 'warp instructions',
    sharedWavefronts: 'shared wavefronts',
    globalSectors: 'global sectors',
  } as const
  const keys = Object.keys(names) as (keyof typeof names)[] // the keys just written
  return `${read.length} of these launches were also read by machine instruction (\`ncu --section SourceCounters \
--page source\`). Line by line of the CUDA source, for every line that a count is not 0 for:

${table(
  ['count', 'lines', 'equal', 'within 10 %'],
  keys.map((k) => [names[k], ...[0, 1, 2].map((i) => read.reduce((n, l) => n + l[k][i as 0 | 1 | 2], 0))]),
)}

What the assembler puts before the first line of a kernel, and copies of values on ways into a block, it gives to \
lines as it likes; most instructions of lines that differ are these.`
}

const number = (x: number): string => (Number.isInteger(x) ? String(x) : x.toFixed(3))

/** Kernels outside a bar, with both figures and the cause. */
function outside(rows: readonly SampleRow[]): string {
  const found = rows.flatMap((r) => columns.filter((c) => !withinBar(r, c)).map((c, _, all) => ({ r, c, all })))
  const seen = new Set<string>()
  const lines = found.flatMap(({ r, c }) => {
    const name = `${sampleName(r)} ${c}`
    if (seen.has(name)) return []
    seen.add(name)
    const i = columns.indexOf(c)
    return [
      [sampleName(r), titles[c], number(r.simulated![i]!), number(r.hardware![i]!), explained(r, c) ?? 'not explained'],
    ] // compared rows have both
  })
  return table(['kernel', 'count', 'simulated', 'hardware', 'why'], lines)
}

const refusals = (rows: readonly SampleRow[]): string =>
  table(
    ['kernel', 'what was said'],
    [...new Map(rows.filter((r) => !r.simulated).map((r) => [sampleName(r), r.notes[0] ?? ''])).entries()].map(
      ([k, v]) => [k, v],
    ),
  )

/** Registers and blocks per multiprocessor as the formula and the driver say. */
function resources(rows: readonly SampleRow[]): string {
  const registers = rows.filter((r) => r.registers[0] !== null)
  return (
    `Registers as \`ptxas\` takes them for the PTX are the driver's on ` +
    `${registers.filter((r) => r.registers[0] === r.registers[1]).length} of ${registers.length} launches; ` +
    `blocks per multiprocessor are \`cudaOccupancyMaxActiveBlocksPerMultiprocessor\`'s on ` +
    `${rows.filter((r) => r.activeBlocks[0] === r.activeBlocks[1]).length} of ${rows.length}.`
  )
}

function ours(o: Ours): string {
  const equal = (names: readonly string[]): number =>
    o.rows.filter((r) =>
      names.every((n) => {
        const i = o.columns.indexOf(n)
        return r.simulated[i] === r.hardware[i]
      }),
    ).length
  return `Of ${o.rows.length} kernels that \`optimize\` makes from \`examples/\` (one per rung of each ladder; the \
simulator runs our own KernelIR, the device the CUDA emitted from it), global
requests and sectors are equal on ${equal(['loadRequests', 'loadSectors', 'storeRequests', 'storeSectors'])}, \
shared load wavefronts on ${equal(['sharedLoadWavefronts'])}. The rest are loops whose loads \`nvcc\` joins or \
keeps in registers. Their instructions are not compared here: KernelIR is not machine code.`
}

/** The markdown section "Counts". */
export function countsSection(): string {
  const samples = read('h200-samples.json') as Samples // committed data
  const rows = compared(samples.rows)
  const programs = new Set(rows.map((r) => r.command.split(' ')[0]))
  const kernels = new Set(rows.map((r) => `${r.command.split(' ')[0]} ${r.kernel}`))
  return `## Counts

${ours(read('h200-counters.json') as Ours)}

Programs that are not ours: ${rows.length} launches of ${kernels.size} kernels from ${programs.size} programs of \
NVIDIA's cuda-samples, at small sizes. Each was recorded on the device (\`bench/truth/record.cc\`: arguments,
memory), read under Nsight Compute, and replayed from its PTX with all blocks and the recorded memory \
(\`bench/truth/replay.ts\`).

PTX says how often each block of code runs, machine code what a run of it costs. Where \`ptxas\` is present, as for \
\`explain x.cu\`, its machine code of that very PTX is read, and its own table of which PTX
each machine instruction comes from (\`.nv_debug_line_sass\`; \`src/frontend/ptx/machine\`): what it put under \
predicates, which branches are left, how it unrolled loops and dealt their rounds to the copies, where lanes of a warp
meet (BSYNC counts once for each way there), which routines it calls, which accesses it joined. The last column is \
what the rules for PTX alone give, which explain a .ptx file without an assembler.

${byColumn(rows)}

${byLine(rows)}

${resources(samples.rows)}

Outside the bars (one launch of each kernel):

${outside(rows)}

Not simulated, each refused in one sentence:

${refusals(samples.rows)}
`
}
