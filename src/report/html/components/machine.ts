// The machine at work: how blocks are dealt to multiprocessors, how the warps of one scheduler take turns, the memories
// that they reach, DRAM's channels and banks at work, and the host. In: a `MachineView`. Out: drawings with a slider
// for the moment and for how many warps there are, and tables.
import {
  interleave,
  type DramView,
  type HostView,
  type MachineView,
  type LanguageWords,
} from '../../../explain/index.ts'
import {
  dealingWords,
  dramWords,
  hostTransferWords,
  memoryCells,
  processorCells,
  processorHeads,
  turnWords,
} from '../../machine.ts'
import { digits, duration, grouped, list, percent, plural } from '../../words.ts'
import { dataTable, h, s, slider } from './dom.ts'

/** Pixels: of a figure, of the words before a row, and of a row. */
const wide = 900,
  label = 130,
  rowTall = 20
/** Warps that have rows of their own; what has more is told in a sentence. */
const mostWarps = 16

export function machineView(m: MachineView, words: LanguageWords): HTMLElement {
  return h(
    'div',
    { class: 'machine' },
    dealingPart(m, words),
    turnsPart(m, words),
    memoriesPart(m),
    m.dram && dramPart(m.dram, words),
    m.host && hostPart(m.host),
  )
}

/** Colours and what they mean; a colour stays with its words. */
const legend = (items: readonly (readonly [colour: string, words: string])[]): HTMLElement =>
  h(
    'ul',
    { class: 'legend' },
    ...items.map(([colour, words]) => h('li', {}, h('span', { class: `key ${colour}` }), words)),
  )

/** Rows of the same height with a name before each, and below them where they end, in clocks or as told. */
function rowsOf(
  title: string,
  names: readonly string[],
  clocks: number,
  bars: (x: (clock: number) => number, y: (row: number) => number) => readonly SVGElement[],
  end = `${grouped(Math.round(clocks))} clocks`,
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
    s('text', { x: wide, y: names.length * rowTall + 15, class: 'axis', 'text-anchor': 'end' }, end),
  )
}

function dealingPart(m: MachineView, words: LanguageWords): HTMLElement {
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

function turnsPart(m: MachineView, words: LanguageWords): HTMLElement | null {
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
    legend([
      ['issue', 'begins accesses to memory'],
      ['issue compute', 'begins arithmetic'],
      ['still', 'waits, or is done'],
    ]),
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

/** Channels whose load is drawn one by one. */
const mostChannels = 24

function dramPart(d: DramView, words: LanguageWords): HTMLElement {
  const shown = d.loads.slice(0, mostChannels),
    most = Math.max(...shown.map((l) => l.bursts))
  const loads = rowsOf(
    'bursts of each channel',
    shown.map((_, i) => `channel ${i}`),
    most,
    (x, y) =>
      shown.flatMap(({ bursts, opened }, i) => {
        const bar = { x: x(0), y: y(i) + 3, height: rowTall - 6 },
          text = `${grouped(bursts)}, ${plural(opened, 'row')} opened`
        const isShort = x(bursts) - x(0) < 9 * text.length
        return [
          s('rect', { ...bar, width: x(bursts) - x(0), class: i === d.busiest ? 'dealt busiest' : 'dealt' }),
          s('text', { x: isShort ? x(bursts) + 6 : x(0) + 6, y: y(i) + 14, class: isShort ? '' : 'tick' }, text),
        ]
      }),
    `${plural(most, 'burst')} of ${d.burstBytes} bytes`,
  )
  const banks = [...new Set(d.first.map((b) => b.bank))].sort((a, b) => a - b),
    end = Math.max(...d.first.map((b) => b.end))
  const time = rowsOf(
    `the first bursts of channel ${d.busiest} in time`,
    [...banks.map((b) => `bank ${b}`), 'pins'],
    end,
    (x, y) =>
      d.first.flatMap((b) => {
        const row = banks.indexOf(b.bank),
          bar = { x: x(b.start), width: Math.max(0.8, x(b.end) - x(b.start) - 0.6), height: rowTall - 6 }
        return [
          b.opens === null
            ? null
            : s('rect', {
                x: x(b.opens),
                y: y(row) + 3,
                width: x(b.start) - x(b.opens),
                height: rowTall - 6,
                class: 'opening',
              }),
          s('rect', { ...bar, y: y(row) + 3, class: 'issue' }),
          s('rect', { ...bar, y: y(banks.length) + 3, class: 'issue' }),
        ].filter((e) => e !== null)
      }),
    `${digits(end)} ns`,
  )
  const more = d.loads.length - shown.length
  return h(
    'div',
    {},
    h('h3', {}, 'DRAM at work'),
    h('p', { class: 'fact' }, dramWords(d, words)),
    h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'channels of DRAM' }, loads),
    more > 0 ? h('p', {}, `And ${plural(more, 'more channel')}.`) : null,
    h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'banks of DRAM in time' }, time),
    legend([
      ['opening', `opens a row of ${grouped(d.rowBytes)} bytes`],
      ['issue', `sends a burst of ${d.burstBytes} bytes`],
      ['still', 'does nothing'],
    ]),
  )
}

function hostPart(v: HostView): HTMLElement {
  const times: readonly (readonly [string, number])[] = [
    ['bus, in', v.inNs],
    ['kernel', v.kernelNs],
    ['bus, out', v.outNs],
    ['CPU, at least', v.cpu.leastNs],
  ]
  const most = Math.max(...times.map(([, ns]) => ns))
  return h(
    'div',
    {},
    h('h3', {}, 'The CPU beside the GPU'),
    h('p', { class: 'fact' }, hostTransferWords(v)),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'bus, kernel and CPU in time' },
      rowsOf(
        'times of the bus, the kernel and the CPU',
        times.map(([name]) => name),
        most,
        (x, y) =>
          times.flatMap(([name, ns], i) => {
            // the kernel begins when its data are there, and fetching when it is done
            const from = name === 'kernel' ? v.inNs : name === 'bus, out' ? v.inNs + v.kernelNs : 0
            const scale = most / Math.max(most, v.inNs + v.kernelNs + v.outNs),
              left = x(from * scale),
              right = x((from + ns) * scale)
            const width = Math.max(1, right - left),
              text = duration(ns)
            const isShort = width < 9 * text.length
            const at = isShort && right + 9 * text.length > wide ? left - 6 : isShort ? right + 6 : left + 6
            return [
              s('rect', { x: left, y: y(i) + 3, width, height: rowTall - 6, class: 'dealt' }),
              s(
                'text',
                { x: at, y: y(i) + 14, class: isShort ? '' : 'tick', 'text-anchor': at < left ? 'end' : 'start' },
                text,
              ),
            ]
          }),
        duration(Math.max(most, v.inNs + v.kernelNs + v.outNs)),
      ),
    ),
    dataTable(
      'What both can do',
      processorHeads,
      [processorCells(v.cpu, 'cores'), processorCells(v.gpu, 'multiprocessors')],
      false,
    ),
  )
}
