// The search over all pages and examples. In: words. Out: links to the sections that have all of them, best first. The
// index is fetched when the field is first used.
import { fresh, h } from 'tesela/html'
import type { Found } from '../../build/documents.ts'

const most = 12
/** Letters around the first word found. */
const around = 70

let index: Promise<readonly Found[]> | undefined

/** How well a section answers; 0: not at all. Titles count more than text. */
export function scoreOf(entry: Found, words: readonly string[]): number {
  const title = entry.title.toLowerCase(),
    page = entry.page.toLowerCase(),
    text = entry.text.toLowerCase()
  let score = 0
  for (const w of words) {
    const own = (title.includes(w) ? 8 : 0) + (page.includes(w) ? 3 : 0) + (text.includes(w) ? 1 : 0)
    if (own === 0) return 0
    score += own + (title.startsWith(w) ? 4 : 0)
  }
  return score
}

/** The best entries that have all words. */
export function search(entries: readonly Found[], query: string): readonly Found[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== '')
  if (words.length === 0) return []
  const found = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
  // sections of one name in one page (a figure on several GPUs) look the same here: the best of them
  const named = new Map(found.toReversed().map((entry) => [`${entry.page}\n${entry.title}`, entry]))
  return found.filter((entry) => named.get(`${entry.page}\n${entry.title}`) === entry).slice(0, most)
}

function excerpt({ text }: Found, query: string): string {
  const word = query.toLowerCase().split(/\s+/)[0] ?? ''
  const at = Math.max(0, text.toLowerCase().indexOf(word))
  const from = Math.max(0, at - around / 2)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 2 * around)}${from + 2 * around < text.length ? '…' : ''}`
}

/** `root`: where the site begins, seen from the page. */
export function searchField(root: string): HTMLElement {
  const id = fresh('search')
  const list = h('ul', { class: 'results' })
  const count = h('p', { class: 'note', role: 'status' })
  const popover = h('div', { class: 'found', hidden: true }, count, list)
  const show = async (): Promise<void> => {
    const query = input.value.trim()
    popover.hidden = query === ''
    if (query === '') return
    index ??= fetch(`${root}search.json`).then((r) => r.json() as Promise<readonly Found[]>) // our own file
    const found = search(await index, query)
    if (query !== input.value.trim()) return
    count.textContent =
      found.length === 0
        ? `Nothing has ‘${query}’.`
        : `${found.length === most ? 'The best ' : ''}${found.length} found`
    list.replaceChildren(
      ...found.map((f) =>
        h(
          'li',
          {},
          h(
            'a',
            { href: root + f.address, click: () => close() },
            h('strong', {}, f.title),
            f.page === f.title ? '' : ` · ${f.page}`,
          ),
          f.text === '' ? null : h('span', { class: 'note' }, excerpt(f, query)),
        ),
      ),
    )
  }
  const close = (): void => {
    popover.hidden = true
  }
  const input: HTMLInputElement = h('input', {
    id,
    type: 'search',
    placeholder: 'Search',
    autocomplete: 'off',
    input: () => void show(),
    focus: () => void show(),
  })
  const field: HTMLElement = h(
    'div',
    {
      class: 'search',
      role: 'search',
      keydown: (e) => {
        if (!(e instanceof KeyboardEvent)) return
        if (e.key === 'Escape') {
          close()
          input.focus()
        }
        const links = [...list.querySelectorAll('a')],
          at = links.findIndex((a) => a === document.activeElement)
        if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
          e.preventDefault()
          const next = at + (e.key === 'ArrowDown' ? 1 : -1)
          if (next < 0) input.focus()
          else links[Math.min(next, links.length - 1)]?.focus()
        }
      },
      focusout: (e) => {
        if (e instanceof FocusEvent && !(e.relatedTarget instanceof Node && field.contains(e.relatedTarget))) close()
      },
    },
    h('label', { for: id, class: 'hidden' }, 'Search the guide, the reference and the examples'),
    input,
    popover,
  )
  return field
}
