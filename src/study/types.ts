// The shape of an experiment. In: nothing. Out: types, and three builders that keep experiments one line a point. The
// one idea: an experiment is data (kernels with launches along an axis) and says what is plotted; numbers are computed
// when asked.
import type { ExplainLaunch } from '../explain/index.ts'
import type { Dim3, Quantity } from '../ir/index.ts'
import { texts } from './made/catalogue.texts.js'

/** The documents that Tesela comes from. */
export const documents = {
  tiling: 'Tiled algorithms and barriers (course notes IF3130)',
  reduction: 'Parallel pattern: reduction (course notes IF3130)',
  dram: 'DRAM, bursts and coalescing (course notes IF3130)',
  web: 'Memory access in compute shaders of the web (article)',
  thesis: 'Estudio de rendimiento en GPU (master’s thesis, C. Juega, UCM 2010)',
} as const
export type Document = keyof typeof documents

/** A kernel and its launch. */
export interface Step {
  readonly name: string
  /** WGSL. */
  readonly text: string
  readonly launch: ExplainLaunch
}

export interface Point {
  readonly x: number | string
  /** Launched one after the other. */
  readonly steps: readonly Step[]
  readonly registerLimit?: number
  /** Significant bits of the numbers that the point stores. */
  readonly bits?: number
  /** Elements that the point works on, for quantities an element. */
  readonly elements?: number
}

export interface Experiment {
  /** As on the command line. */
  readonly name: string
  readonly title: string
  readonly idea: string
  readonly sources: readonly { readonly document: Document; readonly place: string }[]
  readonly x: { readonly label: string; readonly scale: 'linear' | 'log2' | 'names' }
  /** The quantity that a point's place on the x axis is, when it follows from the GPU. */
  readonly along?: Quantity
  readonly plots: readonly [Quantity, ...Quantity[]]
  readonly series: readonly { readonly name: string; readonly points: readonly Point[] }[]
  /** What a reader should know; also where prediction and device disagree, and why. */
  readonly notes?: readonly string[]
  /** Why a WebGPU device cannot measure it, when it cannot. */
  readonly unmeasured?: string
}

type Launch = Omit<ExplainLaunch, 'grid'>
export type StudyGrid = number | readonly [number, number?, number?]

export const dim3Of = (grid: StudyGrid): Dim3 =>
  typeof grid === 'number' ? [grid, 1, 1] : [grid[0], grid[1] ?? 1, grid[2] ?? 1]

/** The text of a kernel of the catalogue. */
export function catalogued(name: string): string {
  const text = texts[name]
  if (text === undefined) throw new Error(`the catalogue has no kernel '${name}'`)
  return text
}

/** Names of all kernels of the catalogue. */
export const catalogue = (): readonly string[] => Object.keys(texts)

/** A kernel of the catalogue with values for its overrides. */
export const kernel = (
  name: string,
  grid: StudyGrid,
  overrides: Readonly<Record<string, number>> = {},
  more: Launch = {},
): Step => ({ name, text: catalogued(name), launch: { grid: dim3Of(grid), overrides, ...more } })

/** A kernel made for the experiment. */
export const made = (name: string, text: string, grid: StudyGrid, more: Launch = {}): Step => ({
  name,
  text,
  launch: { grid: dim3Of(grid), ...more },
})

export const point = (x: Point['x'], steps: Step | readonly Step[], more: Omit<Point, 'x' | 'steps'> = {}): Point => ({
  x,
  steps: Array.isArray(steps) ? (steps as readonly Step[]) : [steps as Step],
  ...more,
}) // narrowed by isArray

/** Buffers of so many floats, so that they need not be found by running. */
export const floats = (counts: Readonly<Record<string, number>>): Pick<ExplainLaunch, 'buffers'> => ({
  buffers: Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, { type: 'f32', count, fill: 'random' }] as const),
  ),
})
