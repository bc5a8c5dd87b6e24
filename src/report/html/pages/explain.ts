// The page of `explain`: findings, the source with heat, and for a chosen access its lanes; one warp in time;
// occupancy; the roofline.
import { wordsOf } from '../../../explain/index.ts'
import { h, section } from '../components/dom.ts'
import { explainViews } from '../components/explained.ts'
import { noteList } from '../components/figures.ts'
import { sourceView } from '../components/source.ts'
import type { ExplainPage } from './data.ts'
import { header, mount, pageData } from './shell.ts'

const page = pageData<ExplainPage>()
const { report, view, profile } = page
const words = wordsOf(report.kernel.language)
const views = explainViews(page, (line, scroll) => source.mark(line, scroll))
const source = sourceView(
  view.source,
  view.from,
  view.lines,
  report.accesses,
  (i) => views.choose(i),
  report.accesses[views.worst]?.space === 'shared' ? 'passes' : 'moved',
)
const branches = views.branches()

mount(
  header(report.kernel.name, views.subtitle, views.figures),
  section('Findings', null, views.findings()),
  section(
    'Source',
    'Each line with what it costs. Choose a line or an access to see what its threads ask for.',
    h('div', { class: 'two' }, source.element, views.detail()),
    views.accesses(),
  ),
  section(
    `A ${words.warp} in time`,
    `What one ${words.warp} does when no other is in its way, step by step; other ${words.warps} fill its waiting.`,
    views.timeline(),
  ),
  section(
    'The machine at work',
    `What the launch is to ${profile.title}: ${words.blocks} that are dealt out, ${words.warps} that take turns, ` +
      'memories near and far. Times are the model’s.',
    views.machine(),
  ),
  section(
    'Occupancy',
    `How many ${words.warps} a multiprocessor of ${profile.title} holds at once, and what would change it.`,
    views.occupancy(),
  ),
  section('Roofline', null, views.roofline()),
  branches === null ? null : section('Branches that split', null, branches),
  noteList([...report.unreached.map((u) => u.message), ...report.notes]),
)
if (report.accesses.length > 0) views.choose(views.worst)
