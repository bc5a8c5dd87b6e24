// The roofline. In: what the kernel does and what the GPU can. Out: operations a second over operations a byte, both
// logarithmic: the roofs of L1, L2, DRAM and arithmetic, the kernel under the roof of each memory, and arrows to where
// a fix would move it.
import type { RoofView } from '../../../explain/index.ts'
import { amount, digits, times } from '../../words.ts'
import { dataTable, h, s } from './dom.ts'

/** Pixels: of the figure, and the edges of the area between its axes. */
const wide = 640,
  tall = 360,
  left = 64,
  bottom = 320,
  top = 16,
  right = 620

interface Mark {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly roof: number
}

function marksOf(r: RoofView): Mark[] {
  const rate = r.operations / (r.ns / 1e9)
  const of = (name: 'L1' | 'L2' | 'DRAM', bytes: number): Mark[] =>
    bytes > 0 && r.roofs.some((f) => f.name === name)
      ? [{ name, x: r.operations / bytes, y: rate, roof: r.roofs.find((f) => f.name === name)?.bytesPerSecond ?? 0 }]
      : []
  const requests = of('L1', r.bytes.requests)
  return [
    ...(requests.length > 0 ? requests : of('DRAM', r.bytes.requests)),
    ...(requests.length > 0 ? of('DRAM', r.bytes.dram) : []),
  ]
}

export function roofline(r: RoofView): HTMLElement {
  const marks = marksOf(r)
  const [first] = marks
  if (!Number.isFinite(r.peak) || !(r.ns > 0) || r.roofs.length === 0)
    return h('p', {}, 'How much this GPU computes or fetches is not documented: there is no roofline to draw.')
  if (!first || r.operations === 0)
    return h('p', {}, 'The kernel moves nothing through memory or computes nothing: there is no roofline to draw.')
  const fixes = r.fixes
    .slice(0, 5)
    .map((f) => ({ ...f, x: r.operations / Math.max(1, r.bytes.requests - f.savedBytes), y: first.y * f.speedup }))
  const xs = [...marks.map((m) => m.x), ...fixes.map((f) => f.x), ...r.roofs.map((f) => r.peak / f.bytesPerSecond)],
    ys = [first.y, r.peak]
  const [x0, x1] = [Math.floor(Math.log10(Math.min(...xs) / 2)), Math.ceil(Math.log10(Math.max(...xs) * 2))],
    [y0, y1] = [Math.floor(Math.log10(Math.min(...ys) / 2)), Math.ceil(Math.log10(Math.max(...ys) * 1.5))]
  const px = (v: number): number => left + ((right - left) * (Math.log10(v) - x0)) / (x1 - x0),
    py = (v: number): number => bottom - ((bottom - top) * (Math.log10(v) - y0)) / (y1 - y0)
  const decades = (a: number, b: number): number[] => Array.from({ length: b - a + 1 }, (_, i) => 10 ** (a + i))
  const clip = (v: number): number => Math.max(10 ** x0, Math.min(10 ** x1, v))
  const roofs = r.roofs.map((f, i) => {
    const from = clip(10 ** y0 / f.bytesPerSecond),
      to = clip(r.peak / f.bytesPerSecond)
    return s('line', {
      x1: px(from),
      y1: py(from * f.bytesPerSecond),
      x2: px(to),
      y2: py(to * f.bytesPerSecond),
      class: `line roof${i}`,
    })
  })
  const flat = Math.min(...r.roofs.map((f) => r.peak / f.bytesPerSecond))
  const svg = s(
    'svg',
    {
      viewBox: `0 0 ${wide} ${tall}`,
      class: 'chart roofline',
      role: 'img',
      'aria-label': `roofline: ${amount(first.y)} operations a second at ${digits(first.x, 3)} operations a byte`,
    },
    s(
      'defs',
      {},
      s(
        'marker',
        { id: 'arrowhead', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
        s('path', { d: 'M0 0L8 4L0 8z', class: 'arrowhead' }),
      ),
    ),
    ...decades(x0, x1).flatMap((v) => [
      s('line', { x1: px(v), x2: px(v), y1: top, y2: bottom, class: 'grid' }),
      s(
        'text',
        { x: px(v), y: bottom + 16, 'text-anchor': 'middle', class: 'axis' },
        v < 1 ? String(Number(v.toPrecision(1))) : amount(v),
      ),
    ]),
    ...decades(y0, y1).flatMap((v) => [
      s('line', { x1: left, x2: right, y1: py(v), y2: py(v), class: 'grid' }),
      s('text', { x: left - 6, y: py(v) + 4, 'text-anchor': 'end', class: 'axis' }, amount(v)),
    ]),
    ...roofs,
    ...r.roofs.map((f, i) =>
      s(
        'g',
        {},
        s('line', {
          x1: right - 128,
          x2: right - 108,
          y1: bottom - 16 - 17 * (r.roofs.length - 1 - i),
          y2: bottom - 16 - 17 * (r.roofs.length - 1 - i),
          class: `line roof${i}`,
        }),
        s(
          'text',
          { x: right - 102, y: bottom - 12 - 17 * (r.roofs.length - 1 - i), class: 'roofname' },
          `${f.name} ${amount(f.bytesPerSecond)}B/s`,
        ),
      ),
    ),
    s('line', { x1: px(clip(flat)), x2: right, y1: py(r.peak), y2: py(r.peak), class: 'line roofpeak' }),
    s(
      'text',
      { x: right, y: py(r.peak) - 6, 'text-anchor': 'end', class: 'roofname' },
      `arithmetic ${amount(r.peak)} op/s`,
    ),
    ...fixes.map((f, i) =>
      s(
        'g',
        {},
        s('line', {
          x1: px(first.x),
          y1: py(first.y),
          x2: px(f.x),
          y2: py(f.y),
          class: 'fix',
          'marker-end': 'url(#arrowhead)',
        }),
        s(
          'text',
          { x: px(f.x) + 8, y: py(f.y) - 4 + i * 12, class: 'fixname' },
          `${times(f.speedup)} ${f.line === null ? f.rule : `line ${f.line}`}`,
        ),
      ),
    ),
    ...marks.map((m, i) =>
      s(
        'g',
        {},
        s('circle', { cx: px(m.x), cy: py(m.y), r: 6, class: `dot series${i === 0 ? 1 : 0}` }),
        s(
          'text',
          { x: px(m.x), y: py(m.y) + 20, 'text-anchor': 'middle', class: 'markname' },
          m.name === 'L1' ? 'by requests' : 'by DRAM',
        ),
      ),
    ),
    s('text', { x: (left + right) / 2, y: tall - 6, 'text-anchor': 'middle', class: 'axis' }, `${r.operation} a byte`),
    s(
      'text',
      {
        x: 14,
        y: (top + bottom) / 2,
        'text-anchor': 'middle',
        class: 'axis',
        transform: `rotate(-90 14 ${(top + bottom) / 2})`,
      },
      'operations a second',
    ),
  )
  const rows = [
    ...marks.map((m) => [
      `kernel ${m.name === 'L1' ? 'by its requests' : 'by DRAM'}`,
      digits(m.x, 3),
      amount(m.y),
      `${Math.round((100 * m.y) / Math.min(r.peak, m.x * m.roof))} %`,
    ]),
    ...fixes.map((f) => [`${f.rule}${f.line === null ? '' : `, line ${f.line}`}`, digits(f.x, 3), amount(f.y), '']),
  ]
  return h(
    'figure',
    {},
    svg,
    h(
      'figcaption',
      {},
      `Each line is what a memory can feed or what the arithmetic can do; the kernel stays below. An arrow is ` +
        `a finding: where the model puts the kernel without its cause. Operations are ${r.operation} of the ` +
        `kernel as it is.`,
    ),
    h(
      'details',
      {},
      h('summary', {}, 'As a table'),
      dataTable('Roofline', ['', 'operations a byte', 'operations a second', 'of its roof'], rows),
    ),
  )
}
