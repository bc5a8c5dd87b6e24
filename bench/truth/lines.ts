// In: what Nsight Compute counted for each machine instruction of a launch (`--page source`), the machine code, and
// what the simulator counted. Out: how many lines of the CUDA source agree. The one idea: the assembler says which line
// of the PTX every instruction comes from, and the same PTX read without `.loc` says which line of the source that is.
import { parsePtx, type MachineFunction, type PtxKernel, type PtxOptions } from '../../src/frontend/ptx/index.ts'
import { listsOf, type Counters, type Stmt } from '../../src/ir/index.ts'
import { cells } from './csv.ts'

/**
 * Of the lines that a count is not 0 for: how many there are, how many have the same count, and how many are within 10
 * %.
 */
export type LineAgreement = readonly [number, number, number]

export interface Lines {
  readonly instructions: LineAgreement
  readonly sharedWavefronts: LineAgreement
  readonly globalSectors: LineAgreement
}

type Key = keyof Lines
type Sums = Record<Key, number>

const columns: Readonly<Record<Key, string>> = {
  instructions: 'Instructions Executed',
  sharedWavefronts: 'L1 Wavefronts Shared',
  globalSectors: 'L2 Theoretical Sectors Global',
}

/** The tables of a source page, one for each launch in order; with several launches each is printed twice. */
export function sourcePages(text: string, launches: number): readonly (readonly (readonly string[])[])[] {
  const all = text
    .split(/^"Kernel Name",/m)
    .slice(1)
    .map((p) =>
      p
        .split('\n')
        .slice(1)
        .filter((l) => l.startsWith('"'))
        .map(cells),
    )
  const each = Math.max(1, Math.round(all.length / Math.max(1, launches)))
  return all.filter((_, i) => i % each === 0)
}

const every = (list: readonly Stmt[]): readonly Stmt[] => list.flatMap((s) => [s, ...listsOf(s).flatMap(every)])

/** The line of the source, as text, for each line of the PTX. */
function placesOf(ptx: PtxKernel, text: string, options: PtxOptions): ReadonlyMap<number, string> {
  const bare = parsePtx(text.replace(/^[ \t]*\.loc\b.*$/gm, ''), 'bare.ptx', options)
  const [with_, without] = [every(ptx.kernel.body), every(bare.kernel.body)]
  if (with_.length !== without.length)
    throw new Error(`${ptx.entry}: ${with_.length} statements with .loc, ${without.length} without`)
  return new Map(
    without.flatMap((s, i) => {
      const at = with_[i]!.at
      return s.at && at ? [[s.at.line, `${at.file}:${at.line}`] as const] : []
    }),
  ) // as many
}

function sumsAt(by: Map<string, Sums>, place: string): Sums {
  const known = by.get(place) ?? { instructions: 0, sharedWavefronts: 0, globalSectors: 0 }
  by.set(place, known)
  return known
}

function hardware(
  page: readonly (readonly string[])[],
  code: MachineFunction,
  places: ReadonlyMap<number, string>,
): Map<string, Sums> {
  const by = new Map<string, Sums>()
  const [head = [], ...rows] = page
  let place = code.instructions.map((s) => places.get(s.line)).find((p) => p !== undefined) ?? ''
  rows.forEach((row, i) => {
    place = places.get(code.instructions[i]?.line ?? 0) ?? place
    const sums = sumsAt(by, place)
    // its keys
    for (const k of Object.keys(columns) as Key[]) sums[k] += Number(row[head.indexOf(columns[k])] ?? 0) || 0
  })
  return by
}

function simulated(c: Counters): Map<string, Sums> {
  const by = new Map<string, Sums>()
  const place = (at: Stmt['at']): string => (at ? `${at.file}:${at.line}` : '')
  for (const e of c.executions)
    for (const s of e.statements) {
      const n = s.counts ? Object.values(s.counts).reduce((a, b) => a + b, 0) : s.free ? 0 : 1
      if (n > 0) sumsAt(by, place(s.at)).instructions += n * e.warps
    }
  for (const s of c.sites) {
    if (s.space === 'shared') sumsAt(by, place(s.at)).sharedWavefronts += s.wavefronts
    if (s.space === 'global') sumsAt(by, place(s.at)).globalSectors += s.sectors
  }
  return by
}

/** Compares a launch line by line. `options` are those that the kernel was read with. */
export function compareLines(
  page: readonly (readonly string[])[],
  code: MachineFunction,
  ptx: PtxKernel,
  text: string,
  options: PtxOptions,
  counters: Counters,
): Lines {
  const [real, mine] = [hardware(page, code, placesOf(ptx, text, options)), simulated(counters)]
  const agreement = (k: Key): LineAgreement => {
    const pairs = [...new Set([...real.keys(), ...mine.keys()])]
      .map((p) => [Math.round(mine.get(p)?.[k] ?? 0), real.get(p)?.[k] ?? 0] as const)
      .filter(([a, b]) => a > 0 || b > 0)
    return [
      pairs.length,
      pairs.filter(([a, b]) => a === b).length,
      pairs.filter(([a, b]) => Math.abs(a - b) <= 0.1 * b).length,
    ]
  }
  return {
    instructions: agreement('instructions'),
    sharedWavefronts: agreement('sharedWavefronts'),
    globalSectors: agreement('globalSectors'),
  }
}
