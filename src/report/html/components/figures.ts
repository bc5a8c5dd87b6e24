// The figures that a report begins with. In: names with values and where these come from. Out: a list of definitions.
import { h, prose } from './dom.ts'

export interface Figure {
  readonly name: string
  readonly value: string
  readonly note?: string
}

export const figureList = (figures: readonly Figure[]): HTMLElement =>
  h(
    'dl',
    { class: 'figures' },
    ...figures.map((f) =>
      h(
        'div',
        {},
        h('dt', {}, f.name),
        h('dd', {}, f.value),
        f.note === undefined ? null : h('dd', { class: 'note' }, f.note),
      ),
    ),
  )

export const noteList = (list: readonly string[]): HTMLElement | null =>
  list.length === 0
    ? null
    : h(
        'section',
        { class: 'notes', 'aria-label': 'notes' },
        h('h2', {}, 'Notes'),
        h('ul', {}, ...list.map((n) => h('li', {}, ...prose(n)))),
      )
