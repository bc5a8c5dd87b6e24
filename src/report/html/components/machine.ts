// The machine at work: how blocks are dealt to multiprocessors, how the warps of one scheduler take turns, and the
// memories that they reach. In: a `MachineView`. Out: drawings with a slider for the moment and for how many warps
// there are, and a table.
import { interleave, type MachineView, type Words } from '../../../explain/index.ts'
import { dealingWords, memoryCells, turnWords } from '../../machine.ts'
import { grouped, list, percent, plural } from '../../words.ts'
import { dataTable, h, s, slider } from './dom.ts'

const wide = 900,
  label = 130,
  rowTall = 20,
  mostWarps = 16

export function machineView(m: MachineView, words: Words): HTMLElement {
  return h('div', { class: 'machine' }, dealingPart(m, words), turnsPart(m, words), memoriesPart(m))
}

/** Rows of the same height with a name before each, and the clocks below. */
function rowsOf(
  title: string,
  names: readonly string[],
  clocks: number,
  bars: (x: (clock: number) => number, y: (row: number) => number) => readonly SVGElement[],
): SVGSVGElement {
  const x = (clock: number): number => label + ((wide - label) * clock) / Math.max(1, clocks),
    y = (row: number): number => row * rowTall
  return s(
    'svg',
    { viewBox: `0 0 ${wide} ${names.length * rowTall + 20}`, class: 'turns', role: 'img', 'aria-label': title },
    ...names.flatMap((name, i) => [
      s('text', { x: label - 8, y: y(i) + 14, 'text-anchor': 'end' }, name),
      s('rect', { x: label, y: y(i) + 3, width: wide - label, height: rowTall - 6, class: 'still' }),
    ]),
    ...bars(x, y),
    s('text', { x: label, y: names.length * rowTall + 15, class: 'axis' }, '0'),
    s(
      'text',
      { x: wide, y: names.length * rowTall + 15, class: 'axis', 'text-anchor': 'end' },
      `${grouped(Math.round(clocks))} clocks`,
    ),
  )
}

function dealingPart(m: MachineView, words: Words): HTMLElement {
  const { dealing: d } = m
  const multiprocessors = Math.min(d.drawn, Math.max(1, Math.floor(mostWarps / d.resident)))
  const places = Array.from({ length: multiprocessors * d.resident }, (_, i) => ({
    multiprocessor: Math.floor(i / d.resident),
    slot: i % d.resident,
  }))
  const shown = d.dealt.filter((x) => x.multiprocessor < multiprocessors)
  const marker = s('rect', { y: 0, width: 2, height: places.length * rowTall, class: 'marker' })
  const drawing = rowsOf(
    `${words.blocks} on the first ${plural(multiprocessors, 'multiprocessor')}`,
    places.map((p) => (p.slot === 0 ? `multiprocessor ${p.multiprocessor}` : '')),
    d.clocks,
    (x, y) => [
      ...shown.map((b) => {
        const row = b.multiprocessor * d.resident + b.slot,
          width = Math.max(1, x(b.end) - x(b.start) - 1)
        const name = String(b.block)
        return s(
          'g',
          {},
          s('rect', { x: x(b.start), y: y(row) + 3, width, height: rowTall - 6, class: 'dealt' }),
          width > 7 * name.length + 4
            ? s('text', { x: x(b.start) + width / 2, y: y(row) + 14, 'text-anchor': 'middle', class: 'tick' }, name)
            : null,
        )
      }),
      marker,
    ],
  )
  const live = h('p', { class: 'live', 'aria-live': 'polite' })
  const show = (part: number): void => {
    const clock = (d.clocks * part) / 100
    marker.setAttribute('x', String(Math.min(wide - 2, label + ((wide - label) * part) / 100)))
    const on = shown.filter((b) => b.multiprocessor === 0 && b.start <= clock && clock < b.end).map((b) => b.block)
    const some = on.length > 6 ? [...on.slice(0, 5).map(grouped), `${on.length - 5} more`] : on.map(grouped)
    live.textContent =
      `At clock ${grouped(Math.round(clock))} multiprocessor 0 runs ` +
      (on.length === 0
        ? 'nothing: there are no more.'
        : `${on.length === 1 ? words.block : words.blocks} ${list(some)}.`)
  }
  const control = slider('Moment', { min: 0, max: 100, step: 1, value: 0 }, (v) => `${v} %`, show)
  show(0)
  return h(
    'div',
    {},
    h('h3', {}, `How ${words.blocks} are dealt`),
    h('p', { class: 'fact' }, dealingWords(m, words)),
    h('div', { class: 'controls' }, control.element),
    live,
    h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `${words.blocks} in time` }, drawing),
  )
}

function turnsPart(m: MachineView, words: Words): HTMLElement | null {
  const { steps, warps, group, perInstruction, schedulers } = m.scheduler
  if (steps.length === 0) return null
  const place = h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `${words.warps} in time` })
  const live = h('p', { class: 'live', 'aria-live': 'polite' })
  const show = (n: number): void => {
    const turns = interleave(steps, n, group, perInstruction),
      rows = Math.min(n, mostWarps)
    place.replaceChildren(
      rowsOf(
        `${plural(n, words.warp, words.warps)} on one scheduler`,
        [...Array.from({ length: rows }, (_, i) => `${words.warp} ${i}`), 'scheduler'],
        turns.clocks,
        (x, y) =>
          turns.steps.flatMap((t) => {
            const { what } = steps[t.step]!, // steps are numbered so
              bar = { x: x(t.start), width: Math.max(0.6, x(t.issued) - x(t.start)), height: rowTall - 6 }
            return [
              t.warp < rows ? s('rect', { ...bar, y: y(t.warp) + 3, class: `issue ${what}` }) : null,
              s('rect', { ...bar, y: y(rows) + 3, class: `issue ${what}` }),
            ].filter((e) => e !== null)
          }),
      ),
    )
    live.textContent =
      `${plural(n, words.warp, words.warps)}: the scheduler begins instructions in ${percent(turns.busy)} of ` +
      `${grouped(Math.round(turns.clocks))} clocks.`
  }
  const control = slider(
    words.warps.replace(/^./, (c) => c.toUpperCase()),
    { min: 1, max: Math.max(1, warps), step: 1, value: Math.min(4, warps) },
    (v) => `${v} of ${warps}`,
    show,
  )
  show(Math.min(4, warps))
  return h(
    'div',
    {},
    h('h3', {}, `How ${words.warps} take turns on one of ${plural(schedulers, 'scheduler')}`),
    h('p', { class: 'fact' }, turnWords(m, words)),
    h('div', { class: 'controls' }, control.element),
    live,
    place,
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'key issue' }),
      ' begins accesses to memory  ',
      h('span', { class: 'key issue compute' }),
      ' begins arithmetic  ',
      h('span', { class: 'key still' }),
      ' waits, or is done',
    ),
  )
}

function memoriesPart({ memories }: MachineView): HTMLElement {
  return dataTable(
    'Memories, from the nearest to the farthest',
    ['memory', 'seen by', 'lives as long as', 'size', 'clocks to a value', 'bytes a second', 'this kernel'],
    memories.map((x) => memoryCells(x, '')),
    false,
  )
}
