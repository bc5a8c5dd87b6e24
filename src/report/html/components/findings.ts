// Findings and hazards as a list. In: a report. Out: each with its gain, what was seen and what to change; one with a
// place is a button that shows it in the source.
import type { ExplainReport } from '../../../explain/index.ts'
import { times } from '../../words.ts'
import { h, prose } from './dom.ts'

export function findingsList(r: ExplainReport, show: (line: number, column: number) => void): HTMLElement {
  const place = (at: { readonly line: number; readonly column: number } | null): HTMLElement | null =>
    at
      ? h('button', { type: 'button', class: 'place', click: () => show(at.line, at.column) }, `line ${at.line}`)
      : null
  const items = r.findings.map((f) =>
    h(
      'li',
      { class: `finding level-${f.level}` },
      h(
        'p',
        { class: 'head' },
        h('strong', {}, f.rule),
        ' ',
        f.rule !== 'SOLBottleneck' && f.speedup >= 1.005
          ? h(
              'span',
              { class: 'gain' },
              f.scope === 'global' ? `${times(f.speedup)} kernel` : `${times(f.speedup)} at the site`,
            )
          : null,
        ' ',
        place(f.at),
      ),
      h('p', {}, ...prose(f.message)),
      h('p', { class: 'fix' }, h('b', {}, 'Fix: '), ...prose(f.fix)),
    ),
  )
  const hazards = r.hazards.map((z) =>
    h(
      'li',
      { class: `finding level-${z.level}` },
      h(
        'p',
        { class: 'head' },
        h('strong', {}, z.kind),
        ' ',
        z.level === 'error' ? h('span', { class: 'gain bad' }, 'wrong results') : null,
        ' ',
        place(z.at),
      ),
      h('p', {}, ...prose(`${z.message}; for example ${z.example}`)),
      h('p', { class: 'fix' }, h('b', {}, 'Fix: '), ...prose(z.fix)),
    ),
  )
  return h('ul', { class: 'findings' }, ...hazards, ...items)
}
