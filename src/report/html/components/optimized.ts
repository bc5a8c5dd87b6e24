// What `optimize` found, as parts that draw themselves. In: the data of a page, or as much of the ladder as there is.
// Out: the ladder as chart and table, two of its steps side by side, files beside each other, the schedule, the proof.
import { amount, digits, duration, grouped, percent, plural, times } from '../../words.ts'
import type { OptimizePage, Rung } from '../pages/data.ts'
import { boundWords, wordsOf } from '../../../explain/index.ts'
import { chart } from './chart.ts'
import { choice, dataTable, h, type Child } from './dom.ts'
import type { Figure } from './figures.ts'

/** A ladder, whole or as far as it was found. */
export type Ladder = Pick<OptimizePage, 'gpu' | 'measuredOn' | 'rungs'>

const best = (r: Rung): number => r.measuredNs ?? r.ns ?? NaN
const timeText = (ns: number): string => (Number.isFinite(ns) ? duration(ns) : 'refused')

const figuresOf = (rungs: readonly Rung[]): readonly (readonly [string, (r: Rung) => string | Node])[] => [
  ['predicted', (r) => timeText(r.ns ?? NaN)],
  ...(rungs.some((r) => r.measuredNs !== null)
    ? [['measured', (r: Rung) => (r.measuredNs === null ? '–' : duration(r.measuredNs))] as const]
    : []),
  ['bound by', (r) => h('span', { class: 'words' }, boundWords(r.boundBy, wordsOf('c')))],
  ['sectors a request', (r) => digits(r.sectorsPerRequest, 3)],
  ['passes of shared memory ÷ ideal', (r) => `${digits(1 + r.conflicts, 3)}×`],
  ['occupancy', (r) => percent(r.occupancy)],
  ['registers', (r) => String(r.registers)],
  ['instructions of threads', (r) => amount(r.instructions)],
]

/** `for GPU at n = 4,096`. */
export function optimizeSubtitle(page: Pick<OptimizePage, 'gpu' | 'sizes'>): string {
  const sizes = Object.entries(page.sizes).map(([k, v]) => `${k} = ${grouped(v)}`)
  return `for ${page.gpu}${sizes.length > 0 ? ` at ${sizes.join(', ')}` : ''}`
}

export function optimizeFigures(page: OptimizePage): readonly Figure[] {
  const first = page.rungs[0],
    chosen = page.chosen.measuredNs ?? page.chosen.ns
  const trust = page.error
    ? `mean error ${digits(page.error.mape, 2)} %, ${page.error.kernels} kernels measured`
    : 'not calibrated for this GPU'
  return [
    {
      name: page.measuredOn === null ? 'the chosen kernel, predicted' : 'the chosen kernel, measured',
      value: duration(chosen),
      note: page.measuredOn ?? trust,
    },
    { name: 'faster than the plain kernel', value: first ? times(best(first) / chosen) : '–' },
    {
      name: 'proved at',
      value: plural(page.proof.sizes.length, 'size'),
      note: `largest relative error ${page.proof.error}, ${page.proof.bound} allowed`,
    },
  ]
}

/** The idea of a step without what explains it. */
const shortName = (step: string): string => step.split(/[:,]/)[0] ?? step

/** With what the search chose behind the steps, once that is known. */
export function ladderChart({ rungs, measuredOn, chosen }: Ladder & Partial<OptimizePage>): HTMLElement {
  const steps = [
    ...rungs.map(({ step, ns, measuredNs }) => ({ step, ns, measuredNs })),
    ...(chosen ? [{ step: 'chosen by the search', ...chosen }] : []),
  ]
  return chart({
    title: 'The ladder',
    x: { label: 'step', scale: 'names', names: steps.map((r) => shortName(r.step)) },
    y: { label: 'time', text: duration },
    series: [
      {
        name: 'predicted',
        colour: 0,
        dash: 0,
        measured: false,
        points: steps.flatMap((r, i) => (r.ns === null ? [] : [{ x: i, y: r.ns, label: r.step }])),
      },
      ...(measuredOn === null
        ? []
        : [
            {
              name: measuredOn,
              colour: 1,
              dash: 1,
              measured: true,
              points: steps.flatMap((r, i) =>
                r.measuredNs === null ? [] : [{ x: i, y: r.measuredNs, label: r.step }],
              ),
            },
          ]),
    ],
  })
}

/** `name` makes what stands for a step, such as a button. */
export function ladderTable({ rungs }: Ladder, name: (r: Rung, i: number) => string | Node = stepName): HTMLElement {
  const figures = figuresOf(rungs)
  return dataTable(
    'The ladder',
    ['step', ...figures.map(([f]) => f)],
    rungs.map((r, i) => [name(r, i), ...figures.map(([, f]) => f(r))]),
  )
}

export const stepName = (r: Rung, i: number): string => `${i + 1}. ${r.step}`

function comparedWords(gpu: string, before: Rung, after: Rung): (Node | string)[] {
  const refused = [before, after].find((r) => r.refused !== null)
  if (refused) return [`${gpu} cannot start ‘${refused.step}’: ${refused.refused}`]
  const faster = best(after) <= best(before)
  return [h('strong', {}, times(best(before) / best(after))), faster ? ' faster' : ' of the time, so slower']
}

export function ladderComparison(
  { rungs, gpu }: Ladder,
  under: (before: number, after: number) => Child = () => null,
): HTMLElement {
  let a = 0,
    b = rungs.length - 1
  const place = h('div', { 'aria-live': 'polite' })
  const show = (): void => {
    const before = rungs[a],
      after = rungs[b]
    if (!before || !after) return
    place.replaceChildren(
      h('p', { class: 'big' }, ...comparedWords(gpu, before, after)),
      dataTable(
        'Two steps side by side',
        ['', before.step, after.step],
        figuresOf(rungs).map(([name, f]) => [name, f(before), f(after)]),
      ),
      under(a, b) || '',
    )
  }
  const chosen = (set: (i: number) => void) => (i: number) => {
    set(i)
    show()
  }
  show()
  const steps = rungs.map(stepName)
  const controls = h(
    'div',
    { class: 'controls' },
    choice(
      'Before',
      steps,
      chosen((i) => (a = i)),
      0,
    ),
    choice(
      'After',
      steps,
      chosen((i) => (b = i)),
      rungs.length - 1,
    ),
  )
  return h('div', {}, controls, place)
}

/** One of the files, chosen by name; `actions` are shown beside the choice. */
export function filePane(
  files: OptimizePage['files'],
  start: number,
  actions: (file: () => OptimizePage['files'][number] | undefined) => Child = () => null,
): HTMLElement {
  let at = start
  const code = h('pre', { class: 'codepane', tabindex: 0, role: 'region' }),
    what = h('p', { class: 'note' })
  const show = (i: number): void => {
    const f = files[i]
    if (!f) return
    at = i
    code.replaceChildren(h('code', {}, f.text))
    code.setAttribute('aria-label', f.name)
    what.textContent = f.what
  }
  show(start)
  const names = files.map((f) => f.name)
  return h(
    'div',
    { class: 'pane' },
    h(
      'div',
      { class: 'controls' },
      choice('File', names, show, start),
      actions(() => files[at]),
    ),
    what,
    code,
  )
}

export const scheduleList = (kernels: OptimizePage['kernels']): HTMLElement =>
  h(
    'div',
    {},
    ...kernels.map((k) => h('div', {}, h('h3', {}, k.name), h('ol', {}, ...k.steps.map((t) => h('li', {}, t))))),
  )

export const proofIntro =
  'Every variant was run and compared with the source itself, run plainly in double precision, on fresh random data, ' +
  'with outputs poisoned.'

export const proofList = ({ sizes, failed }: OptimizePage['proof']): HTMLElement =>
  h(
    'div',
    {},
    h('ul', {}, ...sizes.map((t) => h('li', {}, t))),
    failed.length === 0 ? null : h('h3', {}, 'Candidates that failed and were passed over'),
    failed.length === 0 ? null : h('ul', {}, ...failed.map((t) => h('li', {}, t))),
  )
