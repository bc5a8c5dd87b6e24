// In: the reports of the kernels of a point. Out: the quantities that are plotted, as totals or means over all its
// kernels. The one idea: every figure is a ratio of sums, so that a point of two kernels is treated as one.
import type { AccessJson, ExplainReport } from '../explain/index.ts'
import type { Quantity, StudyPoint } from '../ir/index.ts'

/** How much more than the estimate compilers use, as in the model: docs/fidelity.md. */
const registerMargin = 1.08

export interface StudyInputs {
  readonly reports: readonly ExplainReport[]
  readonly registerLimit?: number
  readonly elements?: number
  readonly bits?: number
  /** From `channelsOf`. */
  readonly channels: number | null
}

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0)
const ratio = (a: number, b: number): number | null => (b > 0 ? a / b : null)
const percent = (a: number, b: number): number | null => {
  const r = ratio(a, b)
  return r === null ? null : 100 * r
}

/** What one quantity is, of the kernels of a point. Null: these kernels have none of it. */
const rules = {
  time: ({ reports }) => sum(reports.map((r) => r.prediction.ns)),
  bandwidth: (g) => ratio(sum(global(g).map((a) => a.usefulBytes)), time(g)),
  rate: (g) => ratio(operations(g), time(g)),
  intensity: (g) => ratio(operations(g), sum(global(g).map((a) => a.movedBytes))),
  transactions: (g) => ratio(sum(global(g).map((a) => a.sectors)), sum(global(g).map((a) => a.requests))),
  efficiency: (g) => percent(sum(global(g).map((a) => a.usefulBytes)), sum(global(g).map((a) => a.movedBytes))),
  moved: (g) => sum(global(g).map((a) => a.movedBytes)) / 1e6,
  conflicts: (g) => {
    const degrees = inSpace(g, 'shared').map((a) =>
      a.wavefronts === null ? null : ratio(a.wavefronts, a.idealWavefronts),
    )
    const known = degrees.filter((d) => d !== null)
    return known.length < degrees.length || known.length === 0 ? null : Math.max(...known)
  },
  constants: (g) => {
    const c = inSpace(g, 'constant')
    return ratio(sum(c.map((a) => a.wavefronts ?? 0)), sum(c.map((a) => a.requests)))
  },
  instructions: ({ reports }) => sum(reports.map((r) => r.instructions.warp)),
  operations: (g) => (g.elements === undefined ? null : ratio(operations(g), g.elements)),
  lanes: ({ reports }) =>
    percent(
      sum(reports.map((r) => r.warpEfficiency * r.instructions.warp)),
      sum(reports.map((r) => r.instructions.warp)),
    ),
  divergent: ({ reports }) => {
    const b = reports.flatMap((r) => r.branches)
    return percent(sum(b.map((x) => x.divergent)), sum(b.map((x) => x.executed)))
  },
  occupancy: ({ reports }) =>
    least(reports.map((r) => (r.occupancy.occupancy === null ? null : 100 * r.occupancy.occupancy))),
  blocks: ({ reports }) => least(reports.map((r) => r.occupancy.activeBlocks)),
  grid: ({ reports }) => sum(reports.map((r) => r.launch.grid[0] * r.launch.grid[1] * r.launch.grid[2])),
  registers: ({ reports }) => Math.max(...reports.map((r) => r.occupancy.registers.perThread)),
  spilled: ({ reports, registerLimit }) =>
    registerLimit === undefined
      ? null
      : Math.max(
          0,
          ...reports.map((r) => Math.round(r.occupancy.registers.perThread * registerMargin) - registerLimit),
        ),
  channels: (g) => g.channels,
  bits: (g) => g.bits ?? null,
  races: ({ reports }) => sum(reports.map((r) => r.hazards.filter((h) => h.kind === 'race').length)),
} as const satisfies Record<Quantity, (g: StudyInputs) => number | null>

const time = (g: StudyInputs): number => sum(g.reports.map((r) => r.prediction.ns))
const inSpace = (g: StudyInputs, space: AccessJson['space']): AccessJson[] =>
  g.reports.flatMap((r) => r.accesses.filter((a) => a.space === space))
/** Textures lie in global memory. */
const global = (g: StudyInputs): AccessJson[] => [...inSpace(g, 'global'), ...inSpace(g, 'texture')]
const operations = (g: StudyInputs): number => sum(g.reports.map((r) => r.instructions.operations))
const least = (list: readonly (number | null)[]): number | null =>
  list.some((x) => x === null) ? null : Math.min(...list.map((x) => x ?? 0))

/** The quantities asked for. */
export const valuesOf = (wanted: readonly Quantity[], g: StudyInputs): StudyPoint['values'] =>
  Object.fromEntries(wanted.map((q) => [q, rules[q](g)]))

/** Work ÷ time: the work is counted, so that a measured time gives a measured rate. */
const rates: readonly Quantity[] = ['bandwidth', 'rate']

/** What a measured time says of a point: the time and the rates. Counts are not measured and stay out. */
export function retimed(values: StudyPoint['values'], from: number, ns: number): StudyPoint['values'] {
  const measured = rates.flatMap((q) => {
    const v = values[q]
    return v === null || v === undefined ? [] : [[q, (v * from) / ns] as const]
  })
  return { time: ns, ...Object.fromEntries(measured) }
}
