// Occupancy under sliders. In: a GPU profile and what a block takes. Out: warps in flight, each limit, and the curve
// over block sizes, all by the same `occupancy` that the reports use.
import { wordsOf, type LanguageWords } from '../../../explain/index.ts'
import { occupancy, type BlockUse, type GpuProfile, type Occupancy, type OccupancyLimit } from '../../../gpus/index.ts'
import { grouped, percent, plural } from '../../words.ts'
import { h, s, slider } from './dom.ts'

type Named = Pick<LanguageWords, 'thread' | 'threads' | 'block' | 'blocks' | 'warp' | 'warps' | 'shared'>

const namesIn = (words: Named): Readonly<Record<OccupancyLimit, string>> => ({
  warps: words.threads,
  blocks: words.blocks,
  registers: 'registers',
  shared: words.shared,
})

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** `words`: what the kernel's language calls threads and blocks. */
export function occupancyPanel(profile: GpuProfile, start: BlockUse, words: Named = wordsOf('cuda')): HTMLElement {
  const o = profile.occupancy,
    names = namesIn(words)
  if (!Number.isFinite(o.maxWarps))
    return h('p', {}, `Nobody documents how many ${words.warps} ${profile.title} holds: ${profile.sources.occupancy}.`)
  const most = {
    threads: Number.isFinite(o.maxThreadsPerBlock) ? o.maxThreadsPerBlock : 1024,
    registers: Number.isFinite(o.maxRegistersPerThread) ? o.maxRegistersPerThread : 255,
    shared: Number.isFinite(o.sharedPerBlock) ? o.sharedPerBlock : 65536,
  }
  const use = {
    threads: Math.min(start.threads, most.threads),
    registers: Math.max(1, Math.min(start.registers, most.registers)),
    shared: Math.min(start.shared, most.shared),
  }
  const head = h('p', { class: 'big', 'aria-live': 'polite' })
  const limits = h('div', { class: 'limits' })
  const warps = h('div', { class: 'warps', 'aria-hidden': true })
  const curve = s('svg', { viewBox: '0 0 460 150', class: 'curve', role: 'img' })
  const show = (): void => {
    const now = occupancy(profile, use)
    head.replaceChildren(
      h('strong', {}, percent(now.occupancy)),
      ` ${now.activeWarps} of ${now.maxWarps} ${words.warps}: ${plural(now.activeBlocks, words.block)} of ` +
        `${plural(Math.ceil(use.threads / profile.warpSize), words.warp)}`,
    )
    limits.replaceChildren(
      ...(Object.keys(names) as OccupancyLimit[]).map((l) => {
        // the keys of a record
        const limiting = now.limitedBy.includes(l),
          bar = h('span', { class: limiting ? 'bar limiting' : 'bar' })
        bar.style.setProperty('width', `${Math.min(100, (100 * now.limits[l]) / widest(now))}%`)
        return h(
          'div',
          { class: 'limit' },
          h('span', {}, names[l]),
          h('span', { class: 'track' }, bar),
          h(
            'span',
            {},
            Number.isFinite(now.limits[l])
              ? `${plural(now.limits[l], words.block)}${limiting ? ', limits' : ''}`
              : 'no limit known',
          ),
        )
      }),
    )
    const perBlock = Math.max(1, Math.ceil(use.threads / profile.warpSize))
    warps.replaceChildren(
      ...Array.from({ length: now.maxWarps }, (_, w) =>
        h('span', { class: w < now.activeWarps ? `warp block${Math.floor(w / perBlock) % 2}` : 'warp' }),
      ),
    )
    drawCurve(curve, profile, use, most.threads)
  }
  const set =
    (key: keyof typeof use) =>
    (value: number): void => {
      use[key] = value
      show()
    }
  const sliders = [
    slider(
      `${capital(words.threads)} per ${words.block}`,
      { min: profile.warpSize, max: most.threads, step: profile.warpSize, value: use.threads },
      String,
      set('threads'),
    ),
    slider(
      `Registers per ${words.thread}`,
      { min: 1, max: most.registers, step: 1, value: use.registers },
      String,
      set('registers'),
    ),
    slider(
      `${capital(words.shared)} per ${words.block}`,
      { min: 0, max: most.shared, step: 256, value: use.shared },
      (v) => `${grouped(v)} bytes`,
      set('shared'),
    ),
  ]
  show()
  return h(
    'div',
    { class: 'occupancy' },
    h('div', {}, head, warps, limits),
    h(
      'div',
      {},
      ...sliders.map((x) => x.element),
      curve,
      h(
        'p',
        { class: 'note' },
        `The curve: occupancy over ${words.threads} per ${words.block}, with these registers and this memory.`,
      ),
    ),
  )
}

/** Blocks that a whole bar stands for: the GPU's own limit, or twice what is active where it has none. */
const widest = (now: Occupancy): number =>
  Number.isFinite(now.limits.blocks) ? Math.max(1, now.limits.blocks) : 2 * Math.max(1, now.activeBlocks)

function drawCurve(svg: SVGElement, profile: GpuProfile, use: BlockUse, most: number): void {
  const sizes = Array.from({ length: Math.floor(most / profile.warpSize) }, (_, i) => (i + 1) * profile.warpSize)
  const x = (t: number): number => 44 + (398 * t) / most,
    y = (v: number): number => 126 - 112 * v
  const values = sizes.map((threads) => occupancy(profile, { ...use, threads }).occupancy)
  const now = occupancy(profile, use).occupancy
  svg.setAttribute(
    'aria-label',
    `occupancy over threads a block: ${percent(Math.min(...values))} to ${percent(Math.max(...values))}; ` +
      `${percent(now)} at ${use.threads}`,
  )
  svg.replaceChildren(
    ...[0, 0.5, 1].flatMap((v) => [
      s('line', { x1: 44, x2: 442, y1: y(v), y2: y(v), class: 'grid' }),
      s('text', { x: 38, y: y(v) + 4, 'text-anchor': 'end', class: 'axis' }, `${100 * v} %`),
    ]),
    ...[0.25, 0.5, 0.75, 1].map((f) =>
      s('text', { x: x(f * most), y: 144, 'text-anchor': 'middle', class: 'axis' }, String(f * most)),
    ),
    s('path', {
      d: sizes.map((t, i) => `${i === 0 ? 'M' : 'L'}${x(t).toFixed(1)} ${y(values[i] ?? 0).toFixed(1)}`).join(''),
      class: 'line series0',
    }),
    s('circle', { cx: x(use.threads), cy: y(now), r: 5, class: 'dot series1' }),
  )
}
