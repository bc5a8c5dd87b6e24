// The page of the visitor's GPU. In: which operations of the library are asked for. Out: a run of its tuning with
// progress, what each choice gains over the one without tuning, and the readings as data. Nothing leaves the page.
import 'tesela/html.css'
import '../site.css'
import { proxy } from 'comlink'
import { dataTable, digits, duration, h, noteList, percent, times } from 'tesela/html'
import type { TuneReport } from 'tesela/kernels'
import { navigation } from '../document/navigation.ts'
import { keepForOffline } from '../document/offline.ts'
import { Session } from '../studio/client.ts'
import { download } from '../studio/files.ts'

/** Beginnings of the names of cases that `gpu.tune({ only })` takes. */
const operations = ['matmul', 'transpose', 'sum', 'conv2d'] as const
/** Seconds that are tuned at first, and what a run may ask for. */
const usualSeconds = 60,
  mostSeconds = 600
/** Seconds that a run gets beyond those asked for: a case that was begun is ended. */
const grace = 120

const session = new Session((mostSeconds + grace) * 1000)

function controls(): HTMLElement {
  const chosen = operations.map((name) => {
    const box = h('input', { type: 'checkbox', checked: true })
    return { name, box, label: h('label', { class: 'field' }, box, ` ${name}`) }
  })
  const seconds = h('input', { id: 'seconds', type: 'number', min: 1, max: mostSeconds, value: usualSeconds })
  const progress = h('progress', { max: 1, value: 0, 'aria-label': 'cases done', hidden: true })
  const status = h('p', { class: 'status', role: 'status' })
  const answer = h('div', { class: 'answer' })
  const start = h('button', { type: 'button', class: 'primary', click: () => void run() }, 'Tune the library here')
  const stop = h('button', { type: 'button', hidden: true, click: () => session.stop() }, 'Stop')

  const busy = (is: boolean): void => {
    start.disabled = is
    stop.hidden = !is
    progress.hidden = !is
  }
  async function run(): Promise<void> {
    const only = chosen.filter((c) => c.box.checked).map((c) => c.name)
    if (only.length === 0) {
      status.textContent = 'Choose an operation.'
      return
    }
    busy(true)
    status.textContent = 'asking for the device …'
    const limit = Math.min(mostSeconds, Math.max(1, Number(seconds.value) || usualSeconds))
    let isOver = false // what is heard may come after the answer: it takes another port
    const heard = proxy((p: { readonly stage: string; readonly done: number; readonly total: number }) => {
      if (isOver) return
      progress.value = p.done / Math.max(1, p.total)
      status.textContent = `${p.stage} (${p.done + 1} of ${p.total})`
    })
    const given = await session.ask((c) => c.tune(only, limit, heard))
    isOver = true
    busy(false)
    if (given.ok) {
      status.textContent = summary(given.value)
      answer.replaceChildren(...results(given.value))
    } else status.textContent = given.problems.map((p) => p.message).join(' ')
  }
  return h(
    'section',
    { 'aria-label': 'tuning' },
    h(
      'div',
      { class: 'controls' },
      ...chosen.map((c) => c.label),
      h('span', { class: 'field' }, h('label', { for: 'seconds' }, 'Seconds'), seconds),
      start,
      stop,
      progress,
    ),
    status,
    answer,
  )
}

const summary = (r: TuneReport): string =>
  `${r.device}: ${r.entries.length} choices measured in ${digits(r.seconds, 3)} s` +
  (r.left > 0 ? `; ${r.left} cases are left for another run.` : '.')

function results(r: TuneReport): (HTMLElement | string)[] {
  const changed = r.entries.filter((e) => e.choice !== e.otherwise)
  const gain = Math.exp(
    r.entries.reduce((n, e) => n + Math.log(e.otherwiseNs / e.ns), 0) / Math.max(1, r.entries.length),
  )
  const spreadOf = (e: TuneReport['entries'][number]): number =>
    e.candidates.find((c) => c.choice === e.choice)?.spread ?? 0
  const save = (name: string, what: unknown): void =>
    download(name, `${JSON.stringify(what, null, 2)}\n`, 'application/json')
  return [
    dataTable(
      'What is fastest on this device',
      ['case', 'median', 'spread', 'without tuning', 'gain', 'plans tried'],
      r.entries.map((e) => [
        e.case,
        duration(e.ns),
        `± ${percent(spreadOf(e))}`,
        duration(e.otherwiseNs),
        times(e.otherwiseNs / e.ns),
        `${e.candidates.length}${e.candidates.some((c) => c.wrong !== undefined) ? ', some wrong' : ''}`,
      ]),
    ),
    h(
      'div',
      { class: 'controls' },
      h('button', { type: 'button', click: () => save('tuning.t4.json', r.table) }, 'Download as a table (T4)'),
      h('button', { type: 'button', click: () => save('tuning.json', r) }, 'Download all readings'),
    ),
    noteList([
      `${changed.length} of ${r.entries.length} choices are others than without tuning; geometric mean of the gains ` +
        `${times(gain)}.`,
      `Times by ${r.timer === 'timestamps' ? 'timestamps of the device' : 'the clock of the page'}` +
        `${r.quantumNs > 0 ? `, in steps of ${digits(r.quantumNs, 3)} ns` : ''}; ` +
        'every plan was compared with float64 before it could win.',
      r.place === null
        ? 'This browser lets nothing be kept, so that the next visit begins anew.'
        : 'What was fastest is kept in this browser: pages of this site that open the library take it from now on.',
      'The table is what open({ tables: [table] }) and tesela store import STORE FILE take.',
    ]) ?? '',
  ]
}

document.body.prepend(navigation('device', null))
document.body.append(
  h(
    'div',
    { class: 'page single' },
    h(
      'main',
      {},
      h('h1', {}, 'This device'),
      h(
        'p',
        {},
        'The library has several plans for each operation and takes the one that the model thinks best. Here they ' +
          'are measured on the GPU of this device: each is compared with float64, the fastest is kept in this ' +
          'browser. ' +
          'Nothing leaves the page.',
      ),
      'gpu' in navigator
        ? controls()
        : h(
            'p',
            { role: 'status' },
            'This browser has no WebGPU, so nothing can be measured here; all the rest of the site works.',
          ),
    ),
  ),
)
keepForOffline()
