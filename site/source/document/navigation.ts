// The bar on top of every page. In: which part of the site is open, and what else stands in the bar. Out: the way to
// all parts, the search, and the switch between light and dark, which is remembered.
import { h, s } from 'tesela/html'
import { root } from './root.ts'
import { searchField } from './search.ts'

export type Part = 'studio' | 'guide' | 'reference' | 'device'

const parts: readonly (readonly [Part, string, string])[] = [
  ['studio', 'Studio', 'index.html'],
  ['guide', 'Guide', 'guide/index.html'],
  ['reference', 'Reference', 'reference/index.html'],
  ['device', 'Device', 'device.html'],
]

const key = 'tesela-theme'

/** What was chosen here before; storage may be forbidden. */
function remembered(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // then it is chosen anew next time
  }
}

const dark = (): boolean =>
  (document.documentElement.dataset['theme'] ??
    (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'

function themeSwitch(): HTMLElement {
  const chosen = remembered()
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset['theme'] = chosen
  const button: HTMLButtonElement = h('button', {
    type: 'button',
    class: 'theme',
    'aria-label': 'switch between light and dark',
    click: () => {
      const theme = dark() ? 'light' : 'dark'
      document.documentElement.dataset['theme'] = theme
      remember(theme)
      show()
    },
  })
  const show = (): void => {
    button.textContent = dark() ? 'Light' : 'Dark'
  }
  show()
  return button
}

/** Four tiles, one of them warm. */
const sign = (): SVGElement =>
  s(
    'svg',
    { viewBox: '0 0 18 18', class: 'sign', 'aria-hidden': true },
    ...[0, 1, 2, 3].map((i) =>
      s('rect', { x: 1 + (i % 2) * 8.5, y: 1 + (i >> 1) * 8.5, width: 7.5, height: 7.5, rx: 1.2, class: `tile${i}` }),
    ),
  )

export function navigation(open: Part, more: HTMLElement | null): HTMLElement {
  return h(
    'header',
    { class: 'bar' },
    h('a', { href: `${root}index.html`, class: 'brandmark' }, sign(), 'tesela'),
    h(
      'nav',
      { 'aria-label': 'parts of the site' },
      ...parts.map(([part, title, address]) =>
        h('a', { href: root + address, 'aria-current': part === open ? 'page' : null }, title),
      ),
    ),
    searchField(root),
    more,
    themeSwitch(),
  )
}
