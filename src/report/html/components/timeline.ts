// One warp in time. In: the steps of the model's clock. Out: the whole on a strip, and the steps around the current one
// as bars: dark while it issues, light while its result is awaited. Buttons, a slider and the arrow keys step.
import type { AccessJson, StepView } from '../../../explain/index.ts'
import { digits, grouped } from '../../words.ts'
import { h, s, slider } from './dom.ts'

/** Steps that are shown at once, the current one in the middle. */
const shown = 13
/** Pixels: of a step's row, of the words before its bar, and of the whole strip. */
const rowTall = 22,
  label = 264,
  wide = 900

const verbs = {
  load: 'read',
  store: 'write',
  atomic: 'atomic',
  compute: 'compute',
  barrier: 'barrier',
  rounds: 'rounds',
} as const

function stepWords(st: StepView, accesses: readonly AccessJson[]): string {
  if (st.what === 'rounds') return `${grouped(st.count)} more rounds like the last`
  const text = st.access === null ? '' : (accesses[st.access]?.text ?? '')
  return st.what === 'compute' ? `compute (${st.count})` : `${verbs[st.what]} ${text}`.trim()
}

const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

export function warpTimeline(
  timeline: { readonly clocks: number; readonly steps: readonly StepView[]; readonly whole: boolean },
  accesses: readonly AccessJson[],
  words: { readonly warp: string },
  onStep: (step: StepView) => void,
): HTMLElement {
  const { clocks, steps } = timeline
  if (steps.length === 0) return h('p', {}, 'This kernel has no steps to show.')
  const rows = Math.min(shown, steps.length)
  let at = 0
  const strip = s(
    'svg',
    {
      viewBox: `0 0 ${wide} 26`,
      class: 'strip',
      role: 'img',
      'aria-label': `${grouped(Math.round(clocks))} clocks from left to right`,
    },
    ...steps.map((st) =>
      s('rect', {
        x: (wide * st.start) / clocks,
        width: Math.max(0.8, (wide * (st.ready - st.start)) / clocks),
        y: 4,
        height: 14,
        class: `wait ${st.what}`,
      }),
    ),
  )
  const marker = s('rect', { y: 0, height: 24, width: 2.5, class: 'marker' })
  strip.append(marker)
  const detail = s('svg', {
    viewBox: `0 0 ${label + wide - 200} ${rows * rowTall + 22}`,
    class: 'steps',
    role: 'img',
    'aria-label': 'the steps around the current one',
  })
  const live = h('p', { class: 'live', 'aria-live': 'polite' })
  const control = slider(
    'Step',
    { min: 1, max: steps.length, step: 1, value: 1 },
    (v) => `${v} of ${steps.length}`,
    (v) => go(v - 1),
  )
  const go = (to: number, quiet = false): void => {
    at = Math.max(0, Math.min(steps.length - 1, to))
    control.set(at + 1)
    const from = Math.max(0, Math.min(steps.length - shown, at - (shown >> 1)))
    const window = steps.slice(from, from + shown)
    const low = Math.min(...window.map((x) => x.start)),
      high = Math.max(low + 1, ...window.map((x) => x.ready))
    const x = (clock: number): number => label + ((wide - 200 - 8) * (clock - low)) / (high - low)
    detail.replaceChildren(
      ...window.flatMap((st, i) => {
        const y = i * rowTall,
          current = from + i === at
        return [
          s(
            'g',
            { class: current ? 'row current' : 'row', click: () => go(from + i) },
            s('rect', { x: 0, y, width: label + wide - 200, height: rowTall, class: 'ground' }),
            s(
              'text',
              { x: label - 8, y: y + 15, 'text-anchor': 'end' },
              `${st.line === null ? '' : `line ${st.line}: `}${clip(stepWords(st, accesses), 30)}`,
            ),
            s('rect', {
              x: x(st.start),
              y: y + 5,
              width: Math.max(1.5, x(st.ready) - x(st.start)),
              height: 12,
              class: `wait ${st.what}`,
            }),
            s('rect', {
              x: x(st.start),
              y: y + 5,
              width: Math.max(1.5, x(Math.min(st.ready, st.start + st.issued)) - x(st.start)),
              height: 12,
              class: `issue ${st.what}`,
            }),
          ),
        ]
      }),
      s('text', { x: label, y: rows * rowTall + 16, class: 'axis' }, `clock ${grouped(Math.round(low))}`),
      s(
        'text',
        { x: label + wide - 208, y: rows * rowTall + 16, class: 'axis', 'text-anchor': 'end' },
        grouped(Math.round(high)),
      ),
    )
    const st = steps[at]
    if (!st) return
    marker.setAttribute('x', String(Math.min(wide - 2.5, (wide * st.start) / clocks)))
    const ending =
      st.what === 'rounds'
        ? `until ${grouped(Math.round(st.ready))}`
        : `result after ${digits(st.ready - st.start, 3)} clocks`
    live.textContent =
      `${st.line === null ? '' : `line ${st.line}: `}${stepWords(st, accesses)}; clock ` +
      `${grouped(Math.round(st.start))}, ${ending}`
    if (!quiet) onStep(st)
  }
  const keys = (e: Event): void => {
    const move =
      e instanceof KeyboardEvent
        ? {
            ArrowRight: 1,
            ArrowDown: 1,
            ArrowLeft: -1,
            ArrowUp: -1,
            PageDown: shown,
            PageUp: -shown,
            Home: -steps.length,
            End: steps.length,
          }[e.key]
        : undefined
    if (move === undefined || e.target instanceof HTMLInputElement) return
    e.preventDefault()
    go(at + move)
  }
  const element = h(
    'div',
    { class: 'timeline' },
    h(
      'p',
      { class: 'fact' },
      `One ${words.warp} alone takes ${grouped(Math.round(clocks))} clocks, by the ` +
        `model${timeline.whole ? '' : `; the first ${steps.length} steps are shown`}.`,
    ),
    strip,
    h(
      'div',
      { class: 'controls' },
      h('button', { type: 'button', class: 'previous', click: () => go(at - 1) }, '← Back'),
      h('button', { type: 'button', class: 'next', click: () => go(at + 1) }, 'Step →'),
      control.element,
    ),
    live,
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'steps; arrow keys move', keydown: keys },
      detail,
    ),
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'key issue' }),
      ' issues  ',
      h('span', { class: 'key wait load' }),
      ' waits for memory  ',
      h('span', { class: 'key wait barrier' }),
      ' waits at a barrier  ',
      h('span', { class: 'key wait rounds' }),
      ' rounds left out',
    ),
  )
  go(0, true)
  return element
}
