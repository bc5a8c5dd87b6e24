// The page of `study`: a chart for each quantity with predicted and measured series together, and the figures as
// tables.
import { quantities, type Quantity, type StudyPoint } from '../../../ir/index.ts'
import { quantityText } from '../../study.ts'
import { digits } from '../../words.ts'
import { chart } from '../components/chart.ts'
import { dataTable, h, section } from '../components/dom.ts'
import { noteList } from '../components/figures.ts'
import type { StudyPage } from './data.ts'
import { header, mount, pageData } from './shell.ts'

const { report: r } = pageData<StudyPage>()
const names = [...new Set(r.series.map((s) => s.name))]
const gpus = [...new Set(r.series.filter((s) => s.kind === 'predicted').map((s) => s.gpu))]
const called = (s: (typeof r.series)[number]): string => (names.length > 1 ? `${s.gpu}, ${s.name}` : s.gpu)
/** A device has the colour of the profile that it was compared by. */
const colour = (s: (typeof r.series)[number]): number => {
  const i = gpus.findIndex((g) => s.gpu.toLowerCase().includes(g))
  return i < 0 ? Math.max(0, gpus.length - 1) : i
}
const all = r.series.flatMap((s) => s.points).filter((p) => p.x !== null)
const labels = [...new Map(all.sort((a, b) => (a.x ?? 0) - (b.x ?? 0)).map((p) => [p.x, p.label])).entries()]
const labelOf = (p: StudyPoint): string => (r.x.scale === 'names' ? p.label : digits(p.x ?? 0, 4).replace(/\.0+$/, ''))

function part(q: Quantity): HTMLElement | null {
  const { label, means } = quantities[q]
  const measured = r.series.filter((s) => s.kind === 'predicted' || q === 'time' || q === 'bandwidth' || q === 'rate')
  const series = measured
    .map((s) => ({
      name: called(s),
      colour: colour(s),
      dash: names.indexOf(s.name) % 4,
      measured: s.kind === 'measured',
      points: s.points.flatMap((p) => {
        const y = p.values[q]
        return p.x === null || y === null || y === undefined ? [] : [{ x: p.x, y, label: labelOf(p) }]
      }),
    }))
    .filter((s) => s.points.length > 0)
  if (series.length === 0) return null
  const rows = labels.map(([x, name]) => [
    r.x.scale === 'names' ? name : digits(x ?? 0, 4).replace(/\.0+$/, ''),
    ...measured.map((s) => {
      const p = s.points.find((y) => y.x === x)
      return p === undefined ? '' : p.why !== null ? 'does not run' : quantityText(q, p.values[q])
    }),
  ])
  return section(
    `${label[0]?.toUpperCase() ?? ''}${label.slice(1)}`,
    means,
    chart({
      title: `${r.title}: ${label}`,
      x: { label: r.x.label, scale: r.x.scale, names: r.x.scale === 'names' ? labels.map(([, name]) => name) : [] },
      y: { label, text: (v) => quantityText(q, v) },
      series,
    }),
    h(
      'details',
      {},
      h('summary', {}, 'As a table'),
      dataTable(
        label,
        [r.x.label, ...measured.map((s) => `${called(s)}${s.kind === 'measured' ? ', measured' : ''}`)],
        rows,
      ),
    ),
  )
}

const refusals = [
  ...new Set(
    r.series.flatMap((s) => s.points.flatMap((p) => (p.why === null ? [] : [`${r.x.label} ${p.label}: ${p.why}`]))),
  ),
]
const trust = Object.entries(r.error).map(([g, e]) =>
  e
    ? `${g}: error of predicted times ${digits(e.mape, 2)} % on ${e.kernels} kernels`
    : `${g}: the model is not calibrated; times show the shape, not the size`,
)
mount(
  header(r.title, r.idea, [
    { name: 'experiment', value: r.name },
    { name: 'predicted for', value: gpus.join(', ') },
    { name: 'measured on', value: r.measuredOn ?? 'nothing here' },
  ]),
  h('div', { class: 'charts' }, ...r.plots.map(part)),
  section('Where it comes from', null, h('ul', {}, ...r.sources.map((s) => h('li', {}, `${s.document}: ${s.place}`)))),
  noteList([...trust, ...refusals, ...r.notes]),
)
