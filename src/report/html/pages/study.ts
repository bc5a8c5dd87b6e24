// The page of `study`: a chart for each quantity with predicted and measured series together, and the figures as
// tables.
import type { Quantity } from '../../../ir/index.ts'
import { digits } from '../../words.ts'
import { h, section } from '../components/dom.ts'
import { noteList } from '../components/figures.ts'
import { studyChart } from '../components/study-chart.ts'
import type { StudyPage } from './data.ts'
import { header, mount, pageData } from './shell.ts'

const { report: r } = pageData<StudyPage>()
const gpus = [...new Set(r.series.filter((s) => s.kind === 'predicted').map((s) => s.gpu))]

function part(q: Quantity): HTMLElement | null {
  const made = studyChart(r, q)
  return made && section(made.title, made.means, made.chart, made.table)
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
