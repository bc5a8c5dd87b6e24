// Two versions side by side. In: two reports. Out: every count of both with the difference, and both texts with what
// their lines cost.
import {
  amount,
  boundWords,
  dataTable,
  digits,
  duration,
  grouped,
  h,
  percent,
  sourceView,
  times,
  type ExplainPage,
  wordsOf,
} from 'tesela/html'

type Report = ExplainPage['report']
type Row = readonly [name: string, a: number | null, b: number | null, text: (n: number) => string]

const spaces = ['global', 'shared', 'texture'] as const
const ops = ['load', 'store', 'atomic'] as const
const names = { load: 'reads', store: 'writes', atomic: 'atomics' } as const

function memoryRows(a: Report, b: Report): Row[] {
  return spaces.flatMap((space) =>
    ops.flatMap((op): Row[] => {
      const [x, y] = [a.totals[space][op], b.totals[space][op]]
      if (x.requests === 0 && y.requests === 0) return []
      const name = `${space} ${names[op]}`
      const passes: Row = [`${name}: passes`, x.wavefronts, y.wavefronts, amount]
      const requests: Row = [`${name}: requests`, x.requests, y.requests, amount]
      if (space === 'shared')
        return [requests, passes, [`${name}: passes at least`, x.idealWavefronts, y.idealWavefronts, amount]]
      return [
        requests,
        [`${name}: transactions`, x.sectors, y.sectors, amount],
        [`${name}: bytes moved`, x.movedBytes, y.movedBytes, amount],
        [`${name}: bytes used`, x.efficiency, y.efficiency, percent],
        passes,
      ]
    }),
  )
}

function rowsOf(a: Report, b: Report): Row[] {
  const classes = [...new Set([...Object.keys(a.instructions.byClass), ...Object.keys(b.instructions.byClass)])]
  const byClass = classes.map(
    (c): Row => [
      `instructions of threads: ${c}`,
      a.instructions.byClass[c] ?? 0,
      b.instructions.byClass[c] ?? 0,
      amount,
    ],
  )
  return [
    ['predicted time', a.prediction.ns, b.prediction.ns, duration],
    ['instructions of warps', a.instructions.warp, b.instructions.warp, amount],
    ['lanes active', a.warpEfficiency, b.warpEfficiency, percent],
    ['branches together', a.branchEfficiency, b.branchEfficiency, percent],
    ...memoryRows(a, b),
    ['occupancy', a.occupancy.occupancy, b.occupancy.occupancy, percent],
    ['registers a thread', a.occupancy.registers.perThread, b.occupancy.registers.perThread, grouped],
    ['findings', a.findings.length, b.findings.length, grouped],
    ['hazards', a.hazards.length, b.hazards.length, grouped],
    ...byClass.filter(([, x, y]) => x !== 0 || y !== 0),
  ]
}

const bound = ({ prediction, kernel }: Report): string => boundWords(prediction.boundBy, wordsOf(kernel.language))

const known = (n: number | null, text: (n: number) => string): string => (n === null ? 'unknown' : text(n))

function difference(a: number | null, b: number | null): string {
  if (a === null || b === null) return ''
  if (a === b) return 'same'
  return a > 0 && b > 0 ? times(b / a) : `${b > a ? '+' : '−'}${digits(Math.abs(b - a), 3)}`
}

const listing = (title: string, page: ExplainPage): HTMLElement =>
  h(
    'div',
    { class: 'pane' },
    h('h3', {}, title),
    sourceView(page.view.source, page.view.from, page.view.lines, page.report.accesses, () => {}, undefined, title)
      .element,
  )

export function comparison(before: ExplainPage, now: ExplainPage): HTMLElement {
  const gain = before.report.prediction.ns / now.report.prediction.ns
  const isEqual = Math.abs(gain - 1) < 0.005
  const words = gain > 1 ? ' faster than the version that was kept' : ' of the speed of the version that was kept'
  return h(
    'div',
    {},
    isEqual
      ? h('p', { class: 'big' }, 'As fast as the version that was kept')
      : h('p', { class: 'big' }, h('strong', {}, times(gain)), words),
    h('p', { class: 'note' }, `Bound by ${bound(before.report)} before, by ${bound(now.report)} now.`),
    dataTable(
      'Every count of both versions',
      ['', 'kept', 'now', 'now ÷ kept'],
      rowsOf(before.report, now.report).map(([name, a, b, text]) => [
        name,
        known(a, text),
        known(b, text),
        difference(a, b),
      ]),
    ),
    h('div', { class: 'two even' }, listing('Kept', before), listing('Now', now)),
  )
}
