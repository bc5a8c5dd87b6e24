// The page around the editor and the views. In: what is chosen at first, and who hears of choices. Out: the elements
// that change later. Embedded pages have less around them.
import { gpu, gpuNames } from 'tesela/occupancy'
import { h } from 'tesela/html'
import { navigation } from '../document/navigation.ts'
import type { Language } from '../worker/protocol.ts'

const embedded = new URLSearchParams(location.search).has('embed')
const languageNames: Readonly<Record<Language, string>> = { c: 'C', wgsl: 'WGSL', ptx: 'PTX' }
const languages = Object.keys(languageNames) as readonly Language[] // its keys

export interface ShellEvents {
  language(to: Language): void
  gpu(name: string): void
  example(id: string): void
  options(): void
  keep(): void
  share(): void
  report(): void
}

export interface Shell {
  readonly gpu: HTMLSelectElement
  readonly example: HTMLSelectElement
  readonly options: HTMLInputElement
  readonly heatChoice: HTMLElement
  readonly status: HTMLElement
  readonly summary: HTMLElement
  /** What is on the right, busy while it is of an older text. */
  readonly right: HTMLElement
  showLanguage(language: Language): void
}

/** `place`: the editor; `views`: what stands beside it; `launch`: the form of its launch. */
export function openShell(
  place: HTMLElement,
  views: HTMLElement,
  launch: HTMLElement,
  gpuName: string,
  events: ShellEvents,
): Shell {
  const language: HTMLSelectElement = h(
    'select',
    { id: 'language', change: () => events.language(languages.find((l) => l === language.value) ?? 'wgsl') },
    ...languages.map((l) => h('option', { value: l }, languageNames[l])),
  )
  const gpus: HTMLSelectElement = h(
    'select',
    { id: 'gpu', change: () => events.gpu(gpus.value) },
    ...gpuNames().map((n) => h('option', { value: n }, gpu(n).title)),
  )
  gpus.value = gpuName
  const example: HTMLSelectElement = h(
    'select',
    { id: 'example', change: () => events.example(example.value) },
    h('option', { value: '' }, 'Open an example …'),
  )
  const options = h('input', {
    type: 'text',
    id: 'options',
    spellcheck: 'false',
    autocomplete: 'off',
    input: () => events.options(),
  })
  const toolbar = h(
    'div',
    { class: 'toolbar' },
    field('Example', example, 'example', false),
    field('Language', language, 'language', false),
    field('GPU', gpus, 'gpu', false),
    field('Flags', options, 'flags', true),
    launch,
  )
  const heatChoice = h('span', { class: 'heatchoice' })
  const status = h('p', { class: 'status', role: 'status' })
  const summary = h('div', { class: 'summary' })
  const right = h('section', { class: 'right', 'aria-label': 'what it costs', 'aria-busy': 'true' }, summary, views)
  const under = h('div', { class: 'underline' }, heatChoice, status)
  const left = h('section', { class: 'left', 'aria-label': 'program' }, toolbar, place, under)
  document.body.classList.toggle('embedded', embedded)
  document.body.append(
    navigation('studio', embedded ? opener() : actions(events)),
    h('main', { class: 'studio' }, h('h1', { class: 'hidden' }, 'Tesela studio'), left, right),
  )
  return {
    gpu: gpus,
    example,
    options,
    heatChoice,
    status,
    summary,
    right,
    showLanguage: (to) => {
      language.value = to
      options.placeholder = to === 'c' ? '-D n=1024' : '--grid 64,64'
    },
  }
}

const field = (label: string, control: HTMLElement, name: string, isSeen: boolean): HTMLElement =>
  h('span', { class: `field ${name}` }, h('label', { for: control.id, class: isSeen ? '' : 'hidden' }, label), control)

const button = (title: string, about: string, click: () => void): HTMLElement =>
  h('button', { type: 'button', title: about, click }, title)

const actions = (events: ShellEvents): HTMLElement =>
  h(
    'span',
    { class: 'actions' },
    button('Keep version', 'keep this version to compare later ones with', events.keep),
    button('Share', 'copy an address that holds all of this', events.share),
    button('Report', 'download the report as one HTML file', events.report),
  )

/** The whole studio, with what is shown here. */
const opener = (): HTMLElement =>
  h(
    'span',
    { class: 'actions' },
    button('Open in the studio', 'open this in a window of its own', () => {
      window.open(`${location.origin}${location.pathname}${location.hash}`, '_blank', 'noopener')
    }),
  )
