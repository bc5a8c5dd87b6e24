// The source with heat. In: lines, figures by line. Out: a listing whose lines carry a bar and a figure of what they
// cost; a line with accesses is a button that chooses one. The figure is text, so the colour says nothing that is not
// also read.
import type { AccessJson, LineView } from '../../../explain/index.ts'
import { amount } from '../../words.ts'
import { choice, h } from './dom.ts'

/** What the heat can show. */
export type LineMetric = Exclude<keyof LineView, 'line'>
export const lineMetrics: readonly { readonly key: LineMetric; readonly name: string; readonly unit: string }[] = [
  { key: 'moved', name: 'bytes moved', unit: 'B' },
  { key: 'wasted', name: 'bytes wasted', unit: 'B' },
  { key: 'instructions', name: 'instructions of warps', unit: '' },
  { key: 'passes', name: 'passes of shared memory', unit: '' },
]

export interface SourceView {
  readonly element: HTMLElement
  /** Marks a line and brings it into view. */
  mark(line: number | null, scroll?: boolean): void
}

/** `from`: the number of the first line; `name`: what a screen reader calls it. */
export function sourceView(
  source: readonly string[],
  from: number,
  lines: readonly LineView[],
  accesses: readonly AccessJson[],
  choose: (access: number) => void,
  first?: LineMetric,
  name = 'source',
): SourceView {
  const figures = new Map(lines.map((l) => [l.line, l]))
  const used = lineMetrics.filter((m) => lines.some((l) => l[m.key] > 0))
  const heats: HTMLElement[] = []
  const rows = source.map((text, i) => {
    const line = from + i
    const heat = h('td', { class: 'heat' })
    heats.push(heat)
    const access = accesses.findIndex((a) => a.at?.line === line)
    const number =
      access < 0
        ? h('span', {}, String(line))
        : h(
            'button',
            { type: 'button', 'aria-label': `line ${line}: show its accesses`, click: () => choose(access) },
            String(line),
          )
    return h(
      'tr',
      { 'data-line': line },
      h('td', { class: 'number' }, number),
      heat,
      h('td', { class: 'text' }, h('code', {}, text === '' ? ' ' : text)),
    )
  })
  const show = (m: (typeof lineMetrics)[number] | undefined): void => {
    const most = Math.max(1, ...lines.map((l) => (m ? l[m.key] : 0)))
    for (const [i, cell] of heats.entries()) {
      const value = m ? (figures.get(from + i)?.[m.key] ?? 0) : 0
      const bar = h('span', { class: 'bar', 'aria-hidden': true })
      bar.style.setProperty('width', `${(100 * value) / most}%`)
      cell.replaceChildren(
        ...(value > 0 && m
          ? [
              bar,
              h(
                'span',
                { class: 'figure' },
                `${amount(Math.round(value))}${m.unit === '' ? '' : ` ${m.unit}`}`
                  .replace(/(\d) B$/, '$1 B')
                  .replace(/ ([kMGT]) B$/, ' $1B'),
              ),
            ]
          : []),
      )
    }
  }
  const start = Math.max(
    0,
    used.findIndex((m) => m.key === first),
  )
  show(used[start])
  const controls =
    used.length > 0
      ? choice(
          'Heat shows',
          used.map((m) => m.name),
          (i) => show(used[i]),
          start,
        )
      : null
  const table = h(
    'table',
    { class: 'code', 'aria-label': `${name} with the cost of each line` },
    h('tbody', {}, ...rows),
  )
  let marked: HTMLElement | undefined
  return {
    element: h(
      'div',
      {},
      h('div', { class: 'controls' }, controls),
      h('div', { class: 'scroll listing', tabindex: 0, role: 'region', 'aria-label': name }, table),
    ),
    mark: (line, scroll = false) => {
      marked?.classList.remove('marked')
      marked = line === null ? undefined : rows[line - from]
      marked?.classList.add('marked')
      if (scroll) marked?.scrollIntoView({ block: 'nearest' })
    },
  }
}
