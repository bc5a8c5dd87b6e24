// In: a `StudyReport`. Out: terminal text: what the experiment shows, then a table for each quantity, that of the first
// with bars. The one idea: a table is its own small plot when every cell carries a bar as long as its share of the
// column's largest.
import { quantities, type Quantity, type StudyPoint, type StudyReport, type StudySeries } from '../ir/index.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph, table } from './table.ts'
import { amount, digits, duration, printable, grouped } from './words.ts'

/** Columns of more series than this have no bars. */
const mostBarred = 4
/** Characters of the longest bar. */
const barCells = 10

/** A value with its unit: `12.3 µs`, `2,910 GB/s`, `50 %`. */
export function quantityText(q: Quantity, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  const { unit } = quantities[q]
  if (q === 'time') return duration(value)
  if (q === 'instructions') return amount(value)
  const text = value >= 1000 ? grouped(Math.round(value)) : Number.isInteger(value) ? String(value) : digits(value)
  return unit === '' ? text : unit === '×' ? `${text}×` : `${text} ${unit}`
}

/** The report, one string per line, about `columns` wide. */
export function studyLines(r: StudyReport, paint: Paint = plain, columns = 100): string[] {
  return [
    `${paint.bold(r.title)} ${paint.dim(r.name)}`,
    ...paragraph('  ', r.idea, columns),
    '',
    ...r.plots.flatMap((q, i) => [...quantityTable(r, q, i === 0, paint), '']),
    ...trust(r, paint, columns),
    ...refusals(r).flatMap((n) => paragraph(paint.dim('note '), paint.dim(n), columns)),
    ...r.notes.flatMap((n) => paragraph(paint.dim('note '), paint.dim(printable(n)), columns)),
    ...paragraph(paint.dim('from '), paint.dim(r.sources.map((s) => `${s.document}: ${s.place}`).join('; ')), columns),
  ]
}

/** How far predicted times go, and what was measured. */
function trust(r: StudyReport, paint: Paint, columns: number): string[] {
  const predicted = Object.entries(r.error).map(([gpu, e]) =>
    e
      ? `${gpu}: error of predicted times ${digits(e.mape, 2)} % on ${e.kernels} kernels`
      : `${gpu}: the model is not calibrated, times show the shape`,
  )
  const measured = r.measuredOn === null ? [] : [`measured on ${printable(r.measuredOn)}`]
  return [...predicted, ...measured].flatMap((n) => paragraph(paint.dim('note '), paint.dim(n), columns))
}

const refusals = (r: StudyReport): string[] => [
  ...new Set(
    r.series.flatMap((s) =>
      s.points.flatMap((p) => (p.why === null ? [] : [`${r.x.label} ${p.label}: ${printable(p.why)}`])),
    ),
  ),
]

/** What a series is called beside the others. */
function seriesName(r: StudyReport, s: StudySeries): string {
  const alone = new Set(r.series.map((x) => x.name)).size === 1
  return [printable(s.gpu), ...(alone ? [] : [s.name]), ...(s.kind === 'measured' ? ['measured'] : [])].join(' · ')
}

/** Where points stand, in order: by label on an axis of names or of GPUs' own values, else by x. */
function placesOf(r: StudyReport): { readonly key: string; readonly label: string }[] {
  const all = r.series
    .flatMap((s) => s.points)
    .filter((p) => p.x !== null)
    .sort((a, b) => (a.x ?? 0) - (b.x ?? 0))
  const byKey = new Map(
    all.map((p) => [
      keyOf(p),
      { key: keyOf(p), label: r.x.scale === 'names' ? p.label : digits(p.x ?? 0, 4).replace(/\.0+$/, '') },
    ]),
  )
  return [...byKey.values()]
}

const keyOf = (p: StudyPoint): string => String(p.x)

function quantityTable(r: StudyReport, q: Quantity, barred: boolean, paint: Paint): string[] {
  const { label, means } = quantities[q]
  const series = r.series.filter((s) => s.kind === 'predicted' || s.points.some((p) => p.values[q] !== undefined))
  const bars = barred && series.length <= mostBarred
  const most = series.map((s) => Math.max(0, ...s.points.map((p) => p.values[q] ?? 0)))
  const cell = (s: StudySeries, i: number, key: string): string[] => {
    const p = s.points.find((x) => x.x !== null && keyOf(x) === key)
    const value = p?.values[q]
    return [
      p === undefined || p.why !== null ? '' : quantityText(q, value),
      ...(bars ? [paint.cyan(bar((value ?? 0) / Math.max(most[i] ?? 0, 1e-30)))] : []),
    ]
  }
  const rows = placesOf(r).map(({ key, label: at }) => [at, ...series.flatMap((s, i) => cell(s, i, key))])
  const heads = series.flatMap((s) => [
    { title: seriesName(r, s).replace(/ · /g, '\n'), align: 'right' as const },
    ...(bars ? [{ title: '' }] : []),
  ])
  return [
    `${paint.bold(label)} ${paint.dim(means)}`,
    ...table(
      [{ title: r.x.label.replace(/ (?=\S+$)/, '\n'), align: r.x.scale === 'names' ? 'left' : 'right' }, ...heads],
      rows,
      { paint },
    ),
  ]
}

/** A bar of eighths of a cell. */
function bar(share: number): string {
  const eighths = Math.round(Math.min(1, share) * barCells * 8)
  return '█'.repeat(eighths >> 3) + (eighths % 8 === 0 ? '' : ('▏▎▍▌▋▊▉'[(eighths % 8) - 1] ?? ''))
}

/** Names and titles of experiments. */
export function studyListLines(
  all: readonly {
    readonly name: string
    readonly title: string
    readonly sources: readonly { readonly place: string }[]
  }[],
  paint: Paint = plain,
): string[] {
  return [
    ...table(
      [{ title: 'experiment' }, { title: 'shows' }, { title: 'after' }],
      all.map((e) => [paint.bold(e.name), e.title, e.sources[0]?.place ?? '']),
      { paint },
    ),
    '',
    `  ${paint.dim('tesela study NAME runs one; --html FILE draws it')}`,
  ]
}
