// The page of `optimize`: the ladder from plain to fast, any two of its steps side by side, and the code that was
// emitted beside the source.
import { amount, digits, duration, grouped, percent, times } from '../../words.ts'
import { chart } from '../components/chart.ts'
import { choice, dataTable, h, section } from '../components/dom.ts'
import { passStepper } from '../components/passes.ts'
import type { OptimizePage, Rung } from './data.ts'
import { header, mount, pageData } from './shell.ts'

const page = pageData<OptimizePage>()
const { rungs } = page
const first = rungs[0],
  last = rungs[rungs.length - 1]
const best = (r: Rung): number => r.measuredNs ?? r.ns ?? NaN
const timeText = (ns: number): string => (Number.isFinite(ns) ? duration(ns) : 'refused')

const figures: readonly (readonly [string, (r: Rung) => string])[] = [
  ['predicted', (r) => timeText(r.ns ?? NaN)],
  ...(rungs.some((r) => r.measuredNs !== null)
    ? [['measured', (r: Rung) => (r.measuredNs === null ? '–' : duration(r.measuredNs))] as const]
    : []),
  ['bound by', (r) => r.boundBy],
  ['sectors a request', (r) => digits(r.sectorsPerRequest, 3)],
  ['passes of shared memory ÷ ideal', (r) => `${digits(1 + r.conflicts, 3)}×`],
  ['occupancy', (r) => percent(r.occupancy)],
  ['registers', (r) => String(r.registers)],
  ['instructions of threads', (r) => amount(r.instructions)],
]

function comparedWords(before: Rung, after: Rung): (HTMLElement | string)[] {
  const refused = [before, after].find((r) => r.refused !== null)
  if (refused) return [`${page.gpu} cannot start ‘${refused.step}’: ${refused.refused}`]
  const faster = best(after) <= best(before)
  return [h('strong', {}, times(best(before) / best(after))), faster ? ' faster' : ' of the time, so slower']
}

function comparison(): HTMLElement {
  let a = 0,
    b = rungs.length - 1
  const place = h('div', { 'aria-live': 'polite' })
  const show = (): void => {
    const before = rungs[a],
      after = rungs[b]
    if (!before || !after) return
    place.replaceChildren(
      h('p', { class: 'big' }, ...comparedWords(before, after)),
      dataTable(
        'Two steps side by side',
        ['', before.step, after.step],
        figures.map(([name, f]) => [name, f(before), f(after)]),
      ),
    )
  }
  show()
  const steps = rungs.map((r, i) => `${i + 1}. ${r.step}`)
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'controls' },
      choice(
        'Before',
        steps,
        (i) => {
          a = i
          show()
        },
        0,
      ),
      choice(
        'After',
        steps,
        (i) => {
          b = i
          show()
        },
        rungs.length - 1,
      ),
    ),
    place,
  )
}

function pane(start: number): HTMLElement {
  const code = h('pre', { class: 'codepane', tabindex: 0 }),
    what = h('p', { class: 'note' })
  const show = (i: number): void => {
    const f = page.files[i]
    if (f) {
      code.replaceChildren(h('code', {}, f.text))
      code.setAttribute('aria-label', f.name)
      what.textContent = f.what
    }
  }
  show(start)
  return h(
    'div',
    { class: 'pane' },
    choice(
      'File',
      page.files.map((f) => f.name),
      show,
      start,
    ),
    what,
    code,
  )
}

mount(
  header(
    page.name,
    `for ${page.gpu}${
      Object.keys(page.sizes).length > 0
        ? ` at ${Object.entries(page.sizes)
            .map(([k, v]) => `${k} = ${grouped(v)}`)
            .join(', ')}`
        : ''
    }`,
    [
      {
        name: page.measuredOn === null ? 'predicted' : 'measured',
        value: last ? duration(best(last)) : '–',
        note:
          page.measuredOn ??
          (page.error
            ? `error ${digits(page.error.mape, 2)} % on ${page.error.kernels} kernels`
            : 'not calibrated for this GPU'),
      },
      { name: 'from plain', value: first && last ? times(best(first) / best(last)) : '–' },
      {
        name: 'proved',
        value: `error ${page.proof.error}`,
        note: `within ${page.proof.bound}, at ${page.proof.sizes.length} sizes`,
      },
    ],
  ),
  section(
    'From plain to fast',
    'Each step adds one idea to the one before.',
    chart({
      title: 'The ladder',
      x: { label: 'step', scale: 'names', names: rungs.map((r) => r.step) },
      y: { label: 'time', text: duration },
      series: [
        {
          name: 'predicted',
          colour: 0,
          dash: 0,
          measured: false,
          points: rungs.flatMap((r, i) => (r.ns === null ? [] : [{ x: i, y: r.ns, label: r.step }])),
        },
        ...(page.measuredOn === null
          ? []
          : [
              {
                name: page.measuredOn,
                colour: 1,
                dash: 1,
                measured: true,
                points: rungs.flatMap((r, i) =>
                  r.measuredNs === null ? [] : [{ x: i, y: r.measuredNs, label: r.step }],
                ),
              },
            ]),
      ],
    }),
    dataTable(
      'The ladder',
      ['step', ...figures.map(([name]) => name)],
      rungs.map((r, i) => [`${i + 1}. ${r.step}`, ...figures.map(([, f]) => f(r))]),
    ),
  ),
  section('Before and after', null, comparison()),
  section(
    'Code',
    'The source and everything that was emitted, two files at a time.',
    h('div', { class: 'two even' }, pane(0), pane(Math.min(1, page.files.length - 1))),
  ),
  ...(page.passes.length === 0
    ? []
    : [
        section(
          'Pass by pass',
          'What each pass changed in the program, in order.',
          passStepper(page.passes, page.texts),
        ),
      ]),
  section(
    'Schedule',
    null,
    ...page.kernels.map((k) => h('div', {}, h('h3', {}, k.name), h('ol', {}, ...k.steps.map((t) => h('li', {}, t))))),
  ),
  section(
    'Proof',
    `Every variant was run and compared with the source itself, run plainly in double precision, on fresh ` +
      `random data, with outputs poisoned.`,
    h('ul', {}, ...page.proof.sizes.map((t) => h('li', {}, t))),
    ...(page.proof.failed.length === 0
      ? []
      : [
          h('h3', {}, 'Candidates that failed and were passed over'),
          h('ul', {}, ...page.proof.failed.map((t) => h('li', {}, t))),
        ]),
  ),
)
