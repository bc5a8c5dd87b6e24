// One quantity of a study as a chart with its table. In: a report and a quantity. Out: elements; null where no series
// has the quantity. A device has the colour of the profile that it is compared with.
import { quantities, type Quantity, type StudyPoint, type StudyReport, type StudySeries } from '../../../ir/index.ts'
import { quantityText } from '../../study.ts'
import { digits } from '../../words.ts'
import { chart } from './chart.ts'
import { dataTable, h } from './dom.ts'

export interface StudyChart {
  readonly title: string
  /** What the quantity means. */
  readonly means: string
  readonly chart: HTMLElement
  readonly table: HTMLElement
}

const placeText = (r: StudyReport, x: number, label: string): string =>
  r.x.scale === 'names' ? label : digits(x, 4).replace(/\.0+$/, '')

export function studyChart(r: StudyReport, q: Quantity): StudyChart | null {
  const { label, means } = quantities[q]
  const names = [...new Set(r.series.map((s) => s.name))]
  const gpus = [...new Set(r.series.filter((s) => s.kind === 'predicted').map((s) => s.gpu))]
  const called = (s: StudySeries): string => (names.length > 1 ? `${s.gpu}, ${s.name}` : s.gpu)
  const colour = (s: StudySeries): number => {
    const i = gpus.findIndex((g) => s.gpu.toLowerCase().includes(g))
    return i < 0 ? Math.max(0, gpus.length - 1) : i
  }
  const placed = r.series.flatMap((s) => s.points).filter((p): p is StudyPoint & { readonly x: number } => p.x !== null)
  const places = [...new Map(placed.sort((a, b) => a.x - b.x).map((p) => [p.x, p.label])).entries()]
  const shown = r.series.filter((s) => s.kind === 'predicted' || q === 'time' || q === 'bandwidth' || q === 'rate')
  const series = shown
    .map((s) => ({
      name: called(s),
      colour: colour(s),
      dash: names.indexOf(s.name) % 4,
      measured: s.kind === 'measured',
      points: s.points.flatMap((p) => {
        const y = p.values[q]
        return p.x === null || y === null || y === undefined ? [] : [{ x: p.x, y, label: placeText(r, p.x, p.label) }]
      }),
    }))
    .filter((s) => s.points.length > 0)
  if (series.length === 0) return null
  const rows = places.map(([x, name]) => [
    placeText(r, x, name),
    ...shown.map((s) => {
      const p = s.points.find((y) => y.x === x)
      return p === undefined ? '' : p.why !== null ? 'does not run' : quantityText(q, p.values[q])
    }),
  ])
  return {
    title: `${label[0]?.toUpperCase() ?? ''}${label.slice(1)}`,
    means,
    chart: chart({
      title: `${r.title}: ${label}`,
      x: { label: r.x.label, scale: r.x.scale, names: r.x.scale === 'names' ? places.map(([, name]) => name) : [] },
      y: { label, text: (v) => quantityText(q, v) },
      series,
    }),
    table: h(
      'details',
      {},
      h('summary', {}, 'As a table'),
      dataTable(
        label,
        [r.x.label, ...shown.map((s) => `${called(s)}${s.kind === 'measured' ? ', measured' : ''}`)],
        rows,
      ),
    ),
  }
}
