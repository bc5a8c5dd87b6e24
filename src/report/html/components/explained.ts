// What `explain` found, as views that know each other. In: the data of a page, and who marks a line of the source. Out:
// each view as a function that draws it: reports draw all of them at once, the studio the one that is looked at. The
// one idea: one access is chosen at a time, and every view that shows it follows.
import { boundWords, wordsOf, type AccessJson } from '../../../explain/index.ts'
import { amount, digits, duration, percent } from '../../words.ts'
import type { ExplainPage } from '../pages/data.ts'
import { addressMap } from './addresses.ts'
import { bankMap } from './banks.ts'
import { choice, dataTable, h } from './dom.ts'
import type { Figure } from './figures.ts'
import { findingsList } from './findings.ts'
import { machineView } from './machine.ts'
import { occupancyPanel } from './occupancy.ts'
import { roofline } from './roofline.ts'
import { warpTimeline } from './timeline.ts'

export interface ExplainViews {
  /** The launch, the GPU, and how much of it was run. */
  readonly subtitle: string
  readonly figures: readonly Figure[]
  findings(): HTMLElement
  /** The chosen access with its lanes. */
  detail(): HTMLElement
  /** All accesses, each a button that chooses it. */
  accesses(): HTMLElement
  timeline(): HTMLElement
  /** Blocks on multiprocessors, warps on a scheduler, memories. */
  machine(): HTMLElement
  occupancy(): HTMLElement
  roofline(): HTMLElement
  /** Branches whose lanes part; null where none do. */
  branches(): HTMLElement | null
  /** Chooses an access by its position in the report. */
  choose(access: number, scroll?: boolean): void
  /** Chooses the first access of a line; false where it has none. */
  chooseLine(line: number): boolean
  /** The access that wastes most; -1 where there are none. */
  readonly worst: number
  /** The access that is shown. */
  readonly chosen: number
}

/** Transactions or passes beyond the ideal; of accesses without any, the one that needs most. */
function waste(a: AccessJson | undefined): number {
  if (!a) return -1
  const [needed, ideal] = a.space === 'shared' ? [a.wavefronts ?? 0, a.idealWavefronts] : [a.sectors, a.idealSectors]
  return needed - ideal + (needed + a.requests) * 1e-9
}

const verbs = { load: 'read', store: 'write', atomic: 'atomic' } as const
const titles = { load: 'Read', store: 'Write', atomic: 'Atomic' } as const

/** What an access costs a request, beside what it would have to, in a sentence. */
function accessWords(a: AccessJson): string {
  const per = (x: number): string => digits(x / Math.max(1, a.requests), 3)
  const passes =
    a.wavefronts === null ? '' : `, ${per(a.wavefronts)} passes a request where ${per(a.idealWavefronts)} would do`
  const moved = `, ${per(a.sectors)} transactions a request where ${per(a.idealSectors)} would do`
  return (
    `${a.pattern}${a.stride === null ? '' : ` ${digits(a.stride, 3)}`}, ${a.space}; ${amount(a.requests)} ` +
    `requests${a.space === 'shared' ? passes : moved}` +
    `${a.efficiency === null ? '' : `; ${percent(a.efficiency)} of the bytes are used`}.`
  )
}

function subtitleOf({ report }: ExplainPage): string {
  const { launch, coverage } = report,
    words = wordsOf(report.kernel.language)
  const others = coverage.exact ? 'the others count as these do' : 'counts estimated'
  const run =
    coverage.simulated === coverage.blocks
      ? 'all blocks run'
      : `${coverage.simulated} of ${coverage.blocks} blocks run, ${others}`
  return (
    `${report.kernel.file} · ${launch.grid.join(' × ')} ${words.blocks} of ${launch.block.join(' × ')} on ` +
    `${report.gpu} · ${run}`
  )
}

function figuresOf({ report }: ExplainPage): readonly Figure[] {
  const { prediction, occupancy } = report
  return [
    {
      name: 'predicted',
      value: duration(prediction.ns),
      note: prediction.error
        ? `mean error ${digits(prediction.error.mape, 2)} %, ${prediction.error.kernels} kernels measured`
        : 'not calibrated for this GPU',
    },
    { name: 'bound by', value: boundWords(prediction.boundBy, wordsOf(report.kernel.language)) },
    {
      name: 'lanes active',
      value: percent(report.warpEfficiency),
      note: `${amount(report.instructions.warp)} ${wordsOf(report.kernel.language).warp} instructions`,
    },
    {
      name: 'occupancy',
      value: occupancy.occupancy === null ? 'unknown' : percent(occupancy.occupancy),
      note: `${occupancy.registers.source === 'ptxas' ? '' : 'about '}${occupancy.registers.perThread} registers`,
    },
  ]
}

const lineButton = (line: number | undefined, mark: (line: number) => void): string | Node =>
  line === undefined ? '' : h('button', { type: 'button', click: () => mark(line) }, String(line))

function branchTable({ report }: ExplainPage, mark: (line: number) => void): HTMLElement | null {
  const split = report.branches.filter((b) => b.divergent > 0)
  if (split.length === 0) return null
  return dataTable(
    'Branches',
    ['line', 'executed', 'divergent'],
    split.map((b) => [
      lineButton(b.at?.line, mark),
      amount(b.executed),
      percent(b.divergent / Math.max(1, b.executed)),
    ]),
  )
}

/**
 * `start`: the access that is shown at first; the worst when absent. `mark`: marks a line of the source, or none, and
 * brings it into view when asked to.
 */
export function explainViews(
  page: ExplainPage,
  mark: (line: number | null, scroll: boolean) => void,
  start?: number,
): ExplainViews {
  const { report, view, profile, use } = page
  const words = wordsOf(report.kernel.language)
  const { accesses } = report
  const worst = accesses.reduce(
    (best, a, i) => (waste(a) > waste(accesses[best]) ? i : best),
    accesses.length > 0 ? 0 : -1,
  )
  let chosen = start !== undefined && accesses[start] ? start : worst
  let detail: HTMLElement | undefined
  let buttons: readonly HTMLButtonElement[] = []

  const drawDetail = (): void => {
    const a = accesses[chosen],
      requests = view.requests[chosen] ?? []
    if (!detail || !a) return
    const place = h('div', {})
    const show = (i: number): void => {
      const r = requests[i]
      if (r) place.replaceChildren(a.space === 'shared' ? bankMap(profile, a, r) : addressMap(a, r))
    }
    detail.replaceChildren(
      h('h3', {}, `${titles[a.op]} `, h('code', {}, a.text)),
      h('p', {}, accessWords(a)),
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
  const press = (): void => {
    for (const [i, b] of buttons.entries()) b.setAttribute('aria-pressed', String(i === chosen))
  }
  const choose = (index: number, scroll = false): void => {
    const a = accesses[index]
    if (!a) return
    const changed = index !== chosen
    chosen = index
    press()
    mark(a.at?.line ?? null, scroll)
    if (changed) drawDetail()
  }
  const accessRow = (a: AccessJson, button: HTMLButtonElement): (string | Node)[] => {
    const per = (x: number | null): string => (x === null ? '?' : digits(x / Math.max(1, a.requests), 2))
    return [
      button,
      a.space,
      amount(a.requests),
      a.space === 'shared' ? '' : `${per(a.sectors)} (${per(a.idealSectors)})`,
      `${per(a.wavefronts)} (${per(a.idealWavefronts)})`,
      a.efficiency === null ? '?' : percent(a.efficiency),
      a.pattern,
    ]
  }
  return {
    subtitle: subtitleOf(page),
    figures: figuresOf(page),
    worst,
    get chosen() {
      return chosen
    },
    choose,
    chooseLine: (line) => {
      const i = accesses.findIndex((a) => a.at?.line === line)
      if (i >= 0) choose(i)
      return i >= 0
    },
    findings: () =>
      findingsList(report, (line, column) => {
        const i = accesses.findIndex((a) => a.at?.line === line && a.at.column === column)
        if (i >= 0) choose(i, true)
        else mark(line, true)
      }),
    detail: () => {
      detail = h('div', { class: 'detail' })
      drawDetail()
      return detail
    },
    accesses: () => {
      buttons = accesses.map((a, i) =>
        h(
          'button',
          { type: 'button', 'aria-pressed': 'false', click: () => choose(i, true) },
          `${a.at?.line ?? ''} ${verbs[a.op]} `,
          h('code', {}, a.text),
        ),
      )
      press()
      return dataTable(
        'Memory accesses, by line',
        ['access', 'space', 'requests', 'transactions (ideal)', 'passes (ideal)', 'bytes used', 'pattern'],
        accesses.map((a, i) => accessRow(a, buttons[i] ?? h('button'))),
      )
    },
    timeline: () => warpTimeline(view.timeline, accesses, words, (step) => mark(step.line, false)),
    machine: () => machineView(view.machine, words),
    occupancy: () => occupancyPanel(profile, use, words),
    roofline: () => roofline(view.roof),
    branches: () => branchTable(page, (line) => mark(line, true)),
  }
}
