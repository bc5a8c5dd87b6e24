// What every page begins with. In: a title and figures. Out: the header with a switch between light and dark, and the
// data of the page.
import { h } from '../components/dom.ts'
import { figureList, type Figure } from '../components/figures.ts'

/** The data that the page carries; infinities, which JSON lacks, are written as words. */
export function pageData<T>(): T {
  const text = document.getElementById('data')?.textContent ?? '{}'
  // written by `htmlPage` from a value of that type
  return JSON.parse(text, (_key, value: unknown) => (value === '\u0000Infinity' ? Infinity : value)) as T
}

export function header(title: string, subtitle: string, figures: readonly Figure[]): HTMLElement {
  const dark = (): boolean =>
    (document.documentElement.dataset['theme'] ??
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  const toggle: HTMLButtonElement = h(
    'button',
    {
      type: 'button',
      class: 'theme',
      click: () => {
        document.documentElement.dataset['theme'] = dark() ? 'light' : 'dark'
        toggle.textContent = dark() ? 'Light' : 'Dark'
      },
    },
    dark() ? 'Light' : 'Dark',
  )
  toggle.setAttribute('aria-label', 'switch between light and dark')
  return h(
    'header',
    {},
    h('div', { class: 'brand' }, h('span', {}, 'tesela'), toggle),
    h('h1', {}, title),
    h('p', { class: 'subtitle' }, subtitle),
    figureList(figures),
  )
}

export function mount(...parts: (HTMLElement | null)[]): void {
  const [head, ...rest] = parts
  const main = document.querySelector('main')
  if (head) main?.before(head)
  main?.append(...rest.filter((p) => p !== null))
}
