// Measuring on the visitor's GPU. In: a WGSL kernel. Out: a button, and readings with their spread beside the
// prediction, the newest first; readings stay while the page is open and can be taken along as data.
import { dataTable, digits, duration, h, percent, times } from 'tesela/html'
import type { Program, Reading } from '../worker/protocol.ts'
import { measureHere } from './client.ts'
import { download } from './files.ts'

interface Kept extends Reading {
  readonly program: Program
  readonly gpu: string
}

const readings: Kept[] = []

export function measuring(program: Program, gpu: string): HTMLElement {
  if (!('gpu' in navigator))
    return h('p', {}, 'This browser has no WebGPU, so nothing can be measured here; all the rest works without it.')
  const place = h('div', {})
  const words = h('span', { class: 'note', role: 'status' })
  const show = (): void => place.replaceChildren(...(readings.length > 0 ? [table(), save] : []))
  const save = h('button', { type: 'button', click: () => saveReadings() }, 'Download the readings')
  const start: HTMLButtonElement = h(
    'button',
    {
      type: 'button',
      class: 'primary',
      click: () => {
        start.disabled = true
        words.textContent = 'measuring …'
        void measureHere(program, gpu).then((answer) => {
          start.disabled = false
          words.textContent = answer.ok ? '' : sentence(answer.problems)
          if (answer.ok) readings.unshift({ ...answer.value, program, gpu })
          show()
        })
      },
    },
    'Measure on this device',
  )
  show()
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, start, words),
    h(
      'p',
      { class: 'note' },
      'The device runs the text as it stands, on the contents that were explained. The prediction is for the GPU ' +
        'that is picked above, which need not be the one in this machine.',
    ),
    place,
  )
}

const sentence = (problems: readonly { readonly message: string; readonly hint: string | null }[]): string =>
  problems.map((p) => `${p.message}${p.hint ? `: ${p.hint}` : ''}`).join('; ')

const table = (): HTMLElement =>
  dataTable(
    'Readings, the newest first',
    ['device and timer', 'median', 'least', 'spread', 'predicted', '÷ predicted'],
    readings.map((r) => [
      `${r.device}; ${r.timer}${r.quantumNs > 0 ? `, steps of ${digits(r.quantumNs, 3)} ns` : ''}`,
      duration(r.ns),
      duration(r.minNs),
      `± ${percent(r.spread)} of ${r.samples}`,
      `${duration(r.predictedNs)} (${r.gpu})`,
      times(r.ns / r.predictedNs),
    ]),
  )

const saveReadings = (): void =>
  download(
    'readings.json',
    `${JSON.stringify({ schema: 'tesela.readings/1', readings }, null, 2)}\n`,
    'application/json',
  )
