// Lanes × banks. In: one request to memory of the block. Out: banks as columns; the distinct words that a bank must
// deliver are stacked, one a pass, each with the lanes that want it. What stands above the first row is a conflict.
import type { AccessJson, RequestView } from '../../../explain/index.ts'
import type { GpuProfile } from '../../../gpus/index.ts'
import { plural } from '../../words.ts'
import { addressMap } from './addresses.ts'
import { h, s, slider } from './dom.ts'

/** Pixels of a bank's square, and of the words before a row. */
const cell = 17,
  label = 60

interface Group {
  readonly lanes: readonly number[]
  readonly passes: number
  readonly words: readonly { readonly bank: number; readonly row: number; readonly lanes: readonly number[] }[]
}

/** Lanes that are served together: half a warp where there are 16 banks, and as many as 128 bytes hold elsewhere. */
function groupsOf(p: GpuProfile, bytesPerLane: number, addresses: readonly number[]): readonly Group[] {
  const together =
    p.bankRule === 'half-warp'
      ? 16
      : Math.max(1, Math.min(32, Math.floor((p.banks * p.bankBytes) / Math.max(4, bytesPerLane))))
  return Array.from({ length: Math.ceil(addresses.length / together) }, (_, g) => {
    const lanes = addresses.map((_a, l) => l).slice(g * together, (g + 1) * together)
    const byWord = new Map<number, number[]>()
    for (const l of lanes) {
      const at = addresses[l] ?? -1
      for (let w = Math.floor(at / p.bankBytes); at >= 0 && w * p.bankBytes < at + bytesPerLane; w++)
        byWord.set(w, [...(byWord.get(w) ?? []), l])
    }
    const height = new Map<number, number>()
    const words = [...byWord].map(([w, who]) => {
      const bank = w % p.banks,
        row = height.get(bank) ?? 0
      height.set(bank, row + 1)
      return { bank, row, lanes: who }
    })
    return { lanes, words, passes: Math.max(0, ...height.values()) }
  }).filter((g) => g.words.length > 0)
}

/** Of a GPU whose banks are not documented, or that has none, the addresses alone. */
export function bankMap(profile: GpuProfile, a: AccessJson, r: RequestView): HTMLElement {
  if (profile.bankRule === 'unknown' || profile.bankRule === 'none')
    return h(
      'div',
      {},
      h(
        'p',
        { class: 'fact' },
        profile.bankRule === 'none'
          ? 'This GPU keeps memory of a block in a cache, which has no banks to meet on.'
          : 'How this GPU banks memory of a block is not documented.',
      ),
      addressMap(a, r),
    )
  const groups = groupsOf(profile, a.bytesPerLane, r.addresses)
  const laneCells = new Map<number, SVGElement[]>()
  const live = h('p', { class: 'live', 'aria-live': 'polite' })
  const pick = (lane: number): void => {
    for (const [l, cells] of laneCells) for (const c of cells) c.classList.toggle('picked', l === lane)
    const at = r.addresses[lane] ?? -1
    live.textContent =
      at < 0
        ? `lane ${lane} is not active`
        : `lane ${lane}: byte ${at} of ${a.resource}, bank ${Math.floor(at / profile.bankBytes) % profile.banks}`
  }
  const control = slider('Lane', { min: 0, max: r.addresses.length - 1, step: 1, value: 0 }, String, pick)
  const passes = groups.reduce((n, g) => n + g.passes, 0)
  const fact =
    passes === groups.length
      ? `${plural(passes, 'pass', 'passes')}, no conflict.`
      : `${plural(passes, 'pass', 'passes')} where ${groups.length} would do without conflicts.`
  const drawing = (g: Group): SVGElement =>
    s(
      'svg',
      {
        viewBox: `0 0 ${label + profile.banks * cell + 4} ${(g.passes + 1) * cell + 4}`,
        class: 'lanes',
        role: 'img',
        'aria-label':
          `lanes ${g.lanes[0] ?? 0} to ${g.lanes[g.lanes.length - 1] ?? 0}: ${g.passes} ` +
          `${g.passes === 1 ? 'pass' : 'passes'}`,
      },
      groups.length > 1
        ? s(
            'text',
            { x: label - 8, y: cell - 5, class: 'axis', 'text-anchor': 'end' },
            `${g.lanes[0]}–${g.lanes.at(-1)}`,
          )
        : null,
      ...Array.from({ length: g.passes }, (_, row) =>
        s('rect', {
          x: label,
          y: (row + 1) * cell,
          width: profile.banks * cell - 1,
          height: cell - 1,
          class: 'still',
        }),
      ),
      ...Array.from({ length: g.passes }, (_, row) =>
        s('text', { x: label - 8, y: (row + 1) * cell + 12, class: 'axis', 'text-anchor': 'end' }, `pass ${row + 1}`),
      ),
      ...Array.from({ length: profile.banks }, (_, b) =>
        s(
          'text',
          { x: label + b * cell + (cell - 1) / 2, y: cell - 5, class: 'axis', 'text-anchor': 'middle' },
          String(b),
        ),
      ),
      ...g.words.map((w) => {
        const [lane = 0] = w.lanes
        const group = s(
          'g',
          {
            class: 'lane',
            pointerenter: () => {
              pick(lane)
              control.set(lane)
            },
          },
          s('title', {}, `bank ${w.bank}: lane ${w.lanes.join(', ')}`),
          s('rect', {
            x: label + w.bank * cell,
            y: (w.row + 1) * cell,
            width: cell - 1,
            height: cell - 1,
            class: w.row === 0 ? 'asked' : 'conflict',
          }),
          s(
            'text',
            {
              x: label + w.bank * cell + (cell - 1) / 2,
              y: (w.row + 1) * cell + 12,
              'text-anchor': 'middle',
              class: 'tick',
            },
            w.lanes.length > 1 ? `${lane}…` : String(lane),
          ),
        )
        for (const l of w.lanes) laneCells.set(l, [...(laneCells.get(l) ?? []), group])
        return group
      }),
    )
  pick(0)
  return h(
    'figure',
    { class: 'map' },
    h('p', { class: 'fact' }, fact),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'lanes and banks' }, ...groups.map(drawing)),
    h(
      'figcaption',
      {},
      h('span', { class: 'key asked' }),
      ' served in the first pass  ',
      h('span', { class: 'key conflict' }),
      ' another word of the same bank: a further pass. Numbers on top are banks, at their left the lanes that are ' +
        'served at once, in cells lanes; a cell with … serves several lanes that want the same word.',
    ),
    h('div', { class: 'controls' }, control.element),
    live,
  )
}
