// The experiments that pages of the guide offer. In: the list of `tesela study`. Out: the module `virtual:experiments`:
// what a page shows of an experiment before any kernel of it is simulated.
import type { Plugin } from 'vite'
import { experiments as all, quantities, type Quantity } from 'tesela/study'

export interface Outline {
  /** As on the command line. */
  readonly name: string
  readonly title: string
  readonly idea: string
  readonly x: { readonly label: string; readonly scale: 'linear' | 'log2' | 'names' }
  /** The place of a point on the axis follows from the GPU. */
  readonly isPlaced: boolean
  readonly plots: readonly Quantity[]
  readonly labels: Readonly<Record<string, string>>
  readonly series: readonly { readonly name: string; readonly points: readonly string[] }[]
  readonly notes: readonly string[]
}

export const outlines = (): readonly Outline[] =>
  all.map((e) => ({
    name: e.name,
    title: e.title,
    idea: e.idea,
    x: e.x,
    isPlaced: e.along !== undefined,
    plots: e.plots,
    labels: Object.fromEntries(e.plots.map((q) => [q, quantities[q].label])),
    series: e.series.map((s) => ({ name: s.name, points: s.points.map((p) => String(p.x)) })),
    notes: e.notes ?? [],
  }))

const name = 'virtual:experiments'

export const experiments = (): Plugin => ({
  name: 'experiments',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: (id) => (id === `\0${name}` ? `export const experiments = ${JSON.stringify(outlines())}` : undefined),
})
