// The page of `explain`: findings, the source with heat, and for a chosen access its lanes; one warp in time;
// occupancy; the roofline.
import { wordsOf, type AccessJson } from '../../../explain/index.ts'
import { amount, digits, duration, percent } from '../../words.ts'
import { addressMap } from '../components/addresses.ts'
import { bankMap } from '../components/banks.ts'
import { choice, dataTable, h, section } from '../components/dom.ts'
import { findingsList } from '../components/findings.ts'
import { occupancyPanel } from '../components/occupancy.ts'
import { roofline } from '../components/roofline.ts'
import { sourceView } from '../components/source.ts'
import { warpTimeline } from '../components/timeline.ts'
import type { ExplainPage } from './data.ts'
import { header, mount, notes, pageData } from './shell.ts'

const page = pageData<ExplainPage>()
const { report, view, profile, use } = page
const words = wordsOf(report.kernel.language)
const { prediction, occupancy, launch, coverage } = report

const head = header(
  report.kernel.name,
  `${report.kernel.file} · ${launch.grid.join(' × ')} ${words.blocks} of ${launch.block.join(' × ')} on ` +
    `${report.gpu} · ` +
    `${coverage.simulated === coverage.blocks ? 'all blocks run' : `${coverage.simulated} of ${coverage.blocks} blocks run, ${coverage.exact ? 'the others count as these do' : 'counts estimated'}`}`,
  [
    {
      name: 'predicted',
      value: duration(prediction.ns),
      note: prediction.error
        ? `error ${digits(prediction.error.mape, 2)} % on ${prediction.error.kernels} kernels`
        : 'not calibrated for this GPU',
    },
    { name: 'bound by', value: prediction.boundBy },
    {
      name: 'lanes active',
      value: percent(report.warpEfficiency),
      note: `${amount(report.instructions.warp)} ${words.warp} instructions`,
    },
    {
      name: 'occupancy',
      value: occupancy.occupancy === null ? 'unknown' : percent(occupancy.occupancy),
      note: `${occupancy.registers.source === 'ptxas' ? '' : 'about '}${occupancy.registers.perThread} registers`,
    },
  ],
)

let chosen = -1
const detail = h('div', { class: 'detail' })
const buttons: HTMLButtonElement[] = []

function choose(index: number, scroll = false): void {
  const a = report.accesses[index],
    requests = view.requests[index] ?? []
  if (!a || index === chosen) return
  chosen = index
  for (const [i, b] of buttons.entries()) b.setAttribute('aria-pressed', String(i === index))
  source.mark(a.at?.line ?? null, scroll)
  const place = h('div', {})
  const show = (i: number): void => {
    const r = requests[i]
    if (r) place.replaceChildren(a.space === 'shared' ? bankMap(profile, a, r) : addressMap(a, r))
  }
  const per = (x: number): string => digits(x / Math.max(1, a.requests), 3)
  detail.replaceChildren(
    h('h3', {}, `${a.op === 'load' ? 'Read' : a.op === 'store' ? 'Write' : 'Atomic'} `, h('code', {}, a.text)),
    h(
      'p',
      {},
      `${a.pattern}${a.stride === null ? '' : ` ${digits(a.stride, 3)}`}, ${a.space}; ${amount(a.requests)} ` +
        `requests${a.space === 'shared' ? (a.wavefronts === null ? '' : `, ${per(a.wavefronts)} passes a request where ${per(a.idealWavefronts)} would do`) : `, ${per(a.sectors)} transactions a request where ${per(a.idealSectors)} would do`}${a.efficiency === null ? '' : `; ${percent(a.efficiency)} of the bytes are used`}.`,
    ),
    requests.length > 1
      ? choice(
          'Request',
          requests.map((r, i) => `${i + 1}: ${words.block} ${r.block.join(', ')}, ${words.warp} ${r.warp}`),
          show,
        )
      : '',
    place,
  )
  show(0)
  if (requests.length === 0) place.replaceChildren(h('p', {}, 'No block that was looked at executes it.'))
}

/** Transactions or passes beyond the ideal; of accesses without any, the one that comes most often. */
const waste = (a: AccessJson | undefined): number =>
  a
    ? (a.space === 'shared' ? (a.wavefronts ?? 0) - a.idealWavefronts : a.sectors - a.idealSectors) + a.requests * 1e-9
    : -1
const worst = report.accesses.reduce((best, a, i) => (waste(a) > waste(report.accesses[best]) ? i : best), 0)
const source = sourceView(
  view.source,
  view.from,
  view.lines,
  report.accesses,
  (i) => choose(i),
  report.accesses[worst]?.space === 'shared' ? 'passes' : 'moved',
)

const rows = report.accesses.map((a, i) => {
  const per = (x: number | null): string => (x === null ? '?' : digits(x / Math.max(1, a.requests), 2))
  const button = h(
    'button',
    { type: 'button', 'aria-pressed': 'false', click: () => choose(i, true) },
    `${a.at?.line ?? ''} ${a.op === 'load' ? 'read' : a.op === 'store' ? 'write' : 'atomic'} `,
    h('code', {}, a.text),
  )
  buttons.push(button)
  return [
    button,
    a.space,
    amount(a.requests),
    a.space === 'shared' ? '' : `${per(a.sectors)} (${per(a.idealSectors)})`,
    `${per(a.wavefronts)} (${per(a.idealWavefronts)})`,
    a.efficiency === null ? '?' : percent(a.efficiency),
    a.pattern,
  ]
})

mount(
  head,
  section(
    'Findings',
    null,
    findingsList(report, (line, column) => {
      const i = report.accesses.findIndex((a) => a.at?.line === line && a.at.column === column)
      if (i >= 0) choose(i, true)
      else source.mark(line, true)
    }),
  ),
  section(
    'Source',
    'Each line with what it costs. Choose a line or an access to see what its threads ask for.',
    h('div', { class: 'two' }, source.element, detail),
    dataTable(
      'Memory accesses, by line',
      ['access', 'space', 'requests', 'transactions (ideal)', 'passes (ideal)', 'bytes used', 'pattern'],
      rows,
    ),
  ),
  section(
    `A ${words.warp} in time`,
    `What one ${words.warp} does when no other is in its way, step by step; other ${words.warps} fill its waiting.`,
    warpTimeline(view.timeline, report.accesses, words, (step) => source.mark(step.line)),
  ),
  section(
    'Occupancy',
    `How many ${words.warps} a multiprocessor of ${profile.title} holds at once, and what would change it.`,
    occupancyPanel(profile, use),
  ),
  section('Roofline', null, roofline(view.roof)),
  report.branches.some((b) => b.divergent > 0)
    ? section(
        'Branches that split',
        null,
        dataTable(
          'Branches',
          ['line', 'executed', 'divergent'],
          report.branches
            .filter((b) => b.divergent > 0)
            .map((b) => [String(b.at?.line ?? ''), amount(b.executed), percent(b.divergent / Math.max(1, b.executed))]),
        ),
      )
    : null,
  notes(report.notes),
)
if (report.accesses.length > 0) choose(worst)
