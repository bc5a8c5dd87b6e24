// Lanes × addresses. In: one request of a warp with what was moved for it. Out: lines of 128 bytes as rows of words:
// which lane asked for which word, which words were moved for nobody, which stayed where they are. A slider steps
// through the lanes; so does the pointer.
import type { AccessJson, RequestView } from '../../../explain/index.ts'
import type { Transaction } from '../../../gpus/index.ts'
import { grouped, percent } from '../../words.ts'
import { fresh, h, s, slider } from './dom.ts'

/** Bytes of a word, and of a row, which is a line of a GPU's caches. */
const word = 4,
  lineBytes = 128
/** Pixels: of a word's square, between rows, and of the words before a row. */
const cell = 17,
  tall = 17,
  /** Between rows, wide enough for the borders of two transactions. */
  gap = 5,
  label = 74
const perLine = lineBytes / word

interface Map128 {
  readonly lines: readonly number[]
  readonly lanesAt: ReadonlyMap<number, readonly number[]>
  readonly moved: ReadonlySet<number>
}

/** Words by who asked for them, and which were moved. */
function wordsOf(r: RequestView, bytesPerLane: number): Map128 {
  const lanesAt = new Map<number, number[]>(),
    moved = new Set<number>()
  for (const [lane, at] of r.addresses.entries()) {
    if (at < 0) continue
    for (let w = Math.floor(at / word); w * word < at + bytesPerLane; w++)
      lanesAt.set(w, [...(lanesAt.get(w) ?? []), lane])
  }
  for (const t of r.transactions) for (let w = t.start / word; w < (t.start + t.bytes) / word; w++) moved.add(w)
  const lines = [...new Set([...lanesAt.keys(), ...moved].map((w) => Math.floor(w / perLine)))].sort((a, b) => a - b)
  return { lines, lanesAt, moved }
}

/** What a request asked for and what it cost, in a sentence. */
export function requestWords(a: AccessJson, r: RequestView): string {
  const { lanesAt, moved } = wordsOf(r, a.bytesPerLane)
  const active = r.addresses.filter((x) => x >= 0).length
  const bytes = r.transactions.reduce((n, t) => n + t.bytes, 0),
    used = Math.min(bytes, lanesAt.size * word)
  if (moved.size === 0) return `${active} lanes ask for ${grouped(lanesAt.size * word)} bytes.`
  return (
    `${active} lanes ask for ${grouped(used)} bytes; ${r.transactions.length} ` +
    `${r.transactions.length === 1 ? 'transaction' : 'transactions'} move ${grouped(bytes)}: ` +
    `${percent(used / Math.max(1, bytes))} used, ${grouped(bytes - used)} wasted.`
  )
}

/** Left end of a word in its row. */
const leftOf = (i: number): number => label + i * cell + (i >> 3) * 4

/** The part of the warp that a transaction serves, from 0. */
const partOf = ([from, to]: Transaction['lanes']): number => Math.floor(from / (to - from))

/** A transaction's words, with a border around them; a later part of the warp has its own inside. */
function border({ start, bytes, lanes }: Transaction, lines: readonly number[]): SVGElement {
  const from = (start % lineBytes) / word,
    part = partOf(lanes),
    inset = part % 2 === 0 ? 0 : 2.5,
    x = leftOf(from) - 1 + inset
  return s('rect', {
    x,
    y: lines.indexOf(Math.floor(start / lineBytes)) * (tall + gap) - 1 + inset,
    width: leftOf(from + bytes / word - 1) + cell - inset - x,
    height: tall + 2 - 2 * inset,
    rx: 2,
    class: `transaction part${part % 2}`,
  })
}

/** Every other part of the warp that is served at once has cells of another shade. */
const askedClass = (lane: number, parts: readonly Transaction['lanes'][]): string => {
  const own = parts.find(([from, to]) => lane >= from && lane < to)
  return own && partOf(own) % 2 === 1 ? 'asked later' : 'asked'
}

/** What the borders mean. */
function borderKeys(parts: readonly Transaction['lanes'][]): readonly (Node | string)[] {
  const [first] = parts
  if (!first) return []
  if (parts.length === 1 && first[1] - first[0] === 32)
    return [' ', h('span', { class: 'key transaction part0' }), ' one transaction.']
  return parts
    .slice(0, 2)
    .flatMap(([from, to], i) => [
      ' ',
      h('span', { class: `key transaction part${partOf([from, to]) % 2}` }),
      ` one transaction of lanes ${from} to ${to - 1}${i === 0 && parts.length > 1 ? ',' : ''}`,
    ])
    .concat([parts.length > 1 ? ', in cells of another shade: parts of a warp are served apart.' : '.'])
}

export function addressMap(a: AccessJson, r: RequestView): HTMLElement {
  const { lines, lanesAt, moved } = wordsOf(r, a.bytesPerLane)
  const first = (lines[0] ?? 0) * lineBytes
  const hatch = fresh('hatch'),
    parts = [...new Map(r.transactions.map((t) => [t.lanes[0], t.lanes])).values()]
  const laneCells = new Map<number, SVGElement[]>()
  const live = h('p', { class: 'live', 'aria-live': 'polite' })
  const verb = a.op === 'load' ? 'reads' : a.op === 'store' ? 'writes' : 'changes'
  const pick = (lane: number): void => {
    for (const [l, cells] of laneCells) for (const c of cells) c.classList.toggle('picked', l === lane)
    const at = r.addresses[lane] ?? -1
    live.textContent =
      at < 0
        ? `lane ${lane} is not active`
        : `lane ${lane} ${verb} ${a.bytesPerLane === 4 ? '' : `${a.bytesPerLane} bytes at `}byte ${grouped(at)} ` +
          `of ${a.resource}`
  }
  const control = slider('Lane', { min: 0, max: r.addresses.length - 1, step: 1, value: 0 }, String, pick)
  const rows = lines.map((line, y) =>
    s(
      'g',
      { transform: `translate(0 ${y * (tall + gap)})` },
      s(
        'text',
        { x: label - 8, y: tall - 5, class: 'axis', 'text-anchor': 'end' },
        `+${grouped(line * lineBytes - first)}`,
      ),
      ...Array.from({ length: perLine }, (_, i) => {
        const w = line * perLine + i,
          lanes = lanesAt.get(w) ?? []
        const box = s('rect', {
          x: leftOf(i),
          width: cell - 1,
          height: tall,
          class: lanes.length > 0 ? askedClass(lanes[0] ?? 0, parts) : moved.has(w) ? 'wasted' : 'still',
          ...(lanes.length === 0 && moved.has(w) && { fill: `url(#${hatch})` }),
        })
        if (lanes.length === 0) return box
        const [lane = 0] = lanes
        const group = s(
          'g',
          {
            class: 'lane',
            pointerenter: () => {
              pick(lane)
              control.set(lane)
            },
          },
          s('title', {}, `lane ${lanes.length > 4 ? `${lane} and ${lanes.length - 1} others` : lanes.join(', ')}`),
          box,
          s(
            'text',
            {
              x: leftOf(i) + (cell - 1) / 2,
              y: tall - 5,
              'text-anchor': 'middle',
              class: 'tick',
            },
            lanes.length > 1 ? `${lane}…` : String(lane),
          ),
        )
        for (const l of lanes) laneCells.set(l, [...(laneCells.get(l) ?? []), group])
        return group
      }),
    ),
  )
  const borders = r.transactions.map((t) => border(t, lines))
  const width = label + perLine * cell + 16
  pick(0)
  return h(
    'figure',
    { class: 'map' },
    h('p', { class: 'fact' }, requestWords(a, r)),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'lanes and addresses' },
      s(
        'svg',
        {
          viewBox: `0 -2 ${width} ${lines.length * (tall + gap) + 4}`,
          class: 'lanes',
          role: 'img',
          'aria-label': `${lines.length} lines of 128 bytes; ${requestWords(a, r)}`,
        },
        s(
          'defs',
          {},
          s(
            'pattern',
            { id: hatch, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
            s('rect', { width: 5, height: 5, class: 'hatch-ground' }),
            s('line', { x1: 0, y1: 0, x2: 0, y2: 5, class: 'hatch-line' }),
          ),
        ),
        ...rows,
        ...borders,
      ),
    ),
    h(
      'figcaption',
      {},
      h('span', { class: 'key asked' }),
      ' asked for, by lane  ',
      h('span', { class: 'key wasted' }),
      ' moved for nobody  ',
      h('span', { class: 'key still' }),
      ' not moved. A row is 128 bytes, a group of eight words a sector of 32; offsets are in bytes from the first row.',
      ...borderKeys(parts),
    ),
    h('div', { class: 'controls' }, control.element),
    live,
  )
}
