// Elements without a framework. In: a tag, attributes, children. Out: the element. The one idea: text is always a text
// node and styles are set through the object model, so that nothing that comes from a user can become markup and no
// inline style is needed.

type Value = string | number | boolean | null | undefined
export interface Attributes {
  readonly [name: string]: Value | ((event: Event) => void)
}
export type Child = Node | string | null | undefined | false

function fill<T extends Element>(element: T, attributes: Attributes, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false))
  return element
}

/** An HTML element; attributes whose value is a function are listeners of that event. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => fill(document.createElement(tag), attributes, children)

/** An SVG element. */
export const s = <K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] => fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)

/** A sentence in which `code` stands between backquotes. */
export const prose = (text: string): readonly Child[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? h('code', {}, part) : part))

let ids = 0
/** An id that nothing else on the page has. */
export const fresh = (prefix: string): string => `${prefix}-${++ids}`

/** A part of a report under a heading. */
export function section(title: string, intro: string | null, ...children: Child[]): HTMLElement {
  const id = fresh('part')
  return h(
    'section',
    { 'aria-labelledby': id },
    h('h2', { id }, title),
    intro === null ? null : h('p', { class: 'intro' }, intro),
    ...children,
  )
}

/** A labelled choice; `change` gets the position chosen. */
export function choice(
  label: string,
  options: readonly string[],
  change: (index: number) => void,
  chosen = 0,
): HTMLElement {
  const id = fresh('choice')
  const select: HTMLSelectElement = h(
    'select',
    { id, change: () => change(select.selectedIndex) },
    ...options.map((o, i) => h('option', { selected: i === chosen }, o)),
  )
  return h('span', { class: 'field' }, h('label', { for: id }, label), select)
}

/** A labelled slider with its value in words. */
export function slider(
  label: string,
  range: { readonly min: number; readonly max: number; readonly step: number; readonly value: number },
  words: (value: number) => string,
  input: (value: number) => void,
): { readonly element: HTMLElement; set(value: number): void } {
  const id = fresh('slider')
  const out = h('output', { for: id }, words(range.value))
  const control: HTMLInputElement = h('input', {
    id,
    type: 'range',
    min: range.min,
    max: range.max,
    step: range.step,
    value: range.value,
    'aria-valuetext': words(range.value),
    input: () => {
      show()
      input(Number(control.value))
    },
  })
  const show = (): void => {
    out.textContent = words(Number(control.value))
    control.setAttribute('aria-valuetext', words(Number(control.value)))
  }
  return {
    element: h('span', { class: 'field slider' }, h('label', { for: id }, label), control, out),
    set: (value) => {
      control.value = String(value)
      show()
    },
  }
}

/** A table; columns after the first are numbers when `numeric`. */
export function dataTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly (string | Node)[])[],
  numeric = true,
): HTMLElement {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    h(
      'table',
      { class: numeric ? 'data numbers' : 'data' },
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...heads.map((t) => h('th', { scope: 'col' }, t)))),
      h(
        'tbody',
        {},
        ...rows.map((r) => h('tr', {}, ...r.map((c, i) => (i === 0 ? h('th', { scope: 'row' }, c) : h('td', {}, c))))),
      ),
    ),
  )
}
