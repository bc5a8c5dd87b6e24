// Views behind tabs. In: names, each with what draws it. Out: a row of tabs and the open view, drawn when it is opened;
// arrow keys go from tab to tab as the pattern of tabs asks.
import { fresh, h } from 'tesela/html'

export interface View {
  readonly id: string
  readonly title: string
  readonly draw: () => HTMLElement
}

export interface Tabs {
  readonly element: HTMLElement
  /** Shows these views; the open one stays open where it is among them. */
  show(views: readonly View[]): void
  open(id: string): void
  readonly current: string
}

/** `opened` hears of tabs that the reader opens. */
export function tabs(label: string, start: string, opened: (id: string) => void): Tabs {
  const panelId = fresh('panel')
  const row = h('div', { role: 'tablist', 'aria-label': label, class: 'tabs' })
  const panel = h('div', { role: 'tabpanel', id: panelId, class: 'panel', tabindex: 0 })
  let wanted = start,
    views: readonly View[] = [],
    buttons: readonly HTMLButtonElement[] = []
  const currentOf = (): View | undefined => views.find((v) => v.id === wanted) ?? views[0]

  const draw = (): void => {
    const view = currentOf()
    for (const [i, b] of buttons.entries()) {
      const isOpen = views[i] === view
      b.setAttribute('aria-selected', String(isOpen))
      b.tabIndex = isOpen ? 0 : -1
      if (isOpen) panel.setAttribute('aria-labelledby', b.id)
    }
    panel.replaceChildren(...(view ? [h('h2', { class: 'hidden' }, view.title), view.draw()] : []))
  }
  const go = (id: string): void => {
    if (id !== currentOf()?.id) panel.scrollTop = 0 // before it is drawn: afterwards it would wait for a layout
    wanted = id
    draw()
  }
  const keys = (e: Event): void => {
    if (!(e instanceof KeyboardEvent)) return
    const at = views.findIndex((v) => v === currentOf())
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 }[e.key]
    if (to === undefined) return
    e.preventDefault()
    const next = (to + views.length) % views.length
    const view = views[next]
    if (!view) return
    go(view.id)
    opened(view.id)
    buttons[next]?.focus()
  }
  row.addEventListener('keydown', keys)
  return {
    element: h('div', { class: 'views' }, row, panel),
    get current() {
      return currentOf()?.id ?? wanted
    },
    open: go,
    show: (list) => {
      const same = list.length === views.length && list.every((v, i) => v.id === views[i]?.id)
      views = list
      if (!same) {
        const focused = buttons.some((b) => b === document.activeElement)
        buttons = list.map((v) =>
          h(
            'button',
            {
              type: 'button',
              role: 'tab',
              id: `tab-${v.id}`,
              'aria-controls': panelId,
              click: () => {
                go(v.id)
                opened(v.id)
              },
            },
            v.title,
          ),
        )
        row.replaceChildren(...buttons)
        if (focused) buttons.find((b) => b.id === `tab-${currentOf()?.id}`)?.focus()
      }
      draw()
    },
  }
}
