// A line or bar chart. In: series of points. Out: SVG with axes, one colour a GPU and one dash a series, markers for
// what was measured; a logarithmic axis where values differ much; the point under the pointer or chosen by arrow keys
// is told in words.
import { h, s } from './dom.ts'

export interface ChartPoint {
  readonly x: number
  readonly y: number
  readonly label: string
}
export interface ChartSeries {
  readonly name: string
  readonly colour: number
  readonly dash: number
  readonly measured: boolean
  readonly points: readonly ChartPoint[]
}
export interface ChartSpec {
  readonly title: string
  readonly x: { readonly label: string; readonly scale: 'linear' | 'log2' | 'names'; readonly names: readonly string[] }
  readonly y: { readonly label: string; readonly text: (v: number) => string }
  readonly series: readonly ChartSeries[]
}

// In units of the drawing; `left` has room for labels like 1,000 Gop/s in the letters of narrow windows.
const wide = 560,
  left = 104,
  right = 548,
  top = 14,
  bottom = 232

/** Round steps of about `count` ticks from 0 to `most`. */
function ticks(most: number, count: number): number[] {
  const rough = most / count,
    power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((f) => f * power).find((v) => v >= rough) ?? 10 * power
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step)
}

interface Axis {
  readonly at: (v: number) => number
  readonly ticks: readonly number[]
}

function vertical(spec: ChartSpec, log: boolean): Axis {
  const values = spec.series.flatMap((x) => x.points.map((p) => p.y)).filter((v) => !log || v > 0)
  const most = Math.max(...values, 1e-12)
  if (!log) return { at: (v) => bottom - ((bottom - top) * v) / (most * 1.05), ticks: ticks(most * 1.05, 5) }
  // Few powers of ten would be few lines: then powers of two.
  const radix = most / Math.min(...values) <= mostOfTwos ? 2 : 10,
    power = (v: number): number => Math.log10(v) / Math.log10(radix)
  const [a, b] = [Math.floor(power(Math.min(...values)) + 1e-9), Math.ceil(power(most) - 1e-9)]
  const high = Math.max(b, a + 1)
  return {
    at: (v) => bottom - ((bottom - top) * (power(Math.max(v, radix ** a)) - a)) / (high - a),
    ticks: Array.from({ length: high - a + 1 }, (_, i) => radix ** (a + i)),
  }
}

/** Largest ÷ smallest value up to which a logarithmic axis has powers of two. */
const mostOfTwos = 100
/** Least distance of figures below an axis. */
const tickRoom = 22

/** Values with room for a figure each; the last always has one. */
function spaced(xs: readonly number[], at: (v: number) => number): readonly number[] {
  const kept: number[] = []
  const last = xs.at(-1)
  for (const v of xs) {
    const before = kept.at(-1)
    if (before !== undefined && at(v) - at(before) < tickRoom) continue
    if (v === last || last === undefined || at(last) - at(v) >= tickRoom) kept.push(v)
  }
  if (last !== undefined && kept.at(-1) !== last) kept.push(last)
  return kept
}

function horizontal(spec: ChartSpec): Axis {
  const xs = [...new Set(spec.series.flatMap((x) => x.points.map((p) => p.x)))].sort((a, b) => a - b)
  if (spec.x.scale === 'names') {
    const n = Math.max(1, spec.x.names.length)
    return { at: (v) => left + ((right - left) * (v + 0.5)) / n, ticks: spec.x.names.map((_, i) => i) }
  }
  const f = (v: number): number => (spec.x.scale === 'log2' ? Math.log2(Math.max(v, 1e-9)) : v)
  const low = f(xs[0] ?? 0),
    high = Math.max(f(xs[xs.length - 1] ?? 1), low + 1e-9)
  const at = (v: number): number => left + 14 + ((right - left - 28) * (f(v) - low)) / (high - low)
  return { at, ticks: spaced(xs, at) }
}

const varies = (spec: ChartSpec): boolean => {
  const v = spec.series.flatMap((x) => x.points.map((p) => p.y)).filter((y) => y > 0)
  return v.length > 1 && Math.max(...v) / Math.min(...v) > 20
}

/** Names are at an angle when one is too long for its place. */
const angled = (spec: ChartSpec): boolean =>
  spec.x.names.some((n) => n.length * 7 > (right - left) / Math.max(1, spec.x.names.length))
const tallOf = (spec: ChartSpec): number => (angled(spec) ? 318 : 274)

function xTick(spec: ChartSpec, v: number, x: number): SVGElement {
  const text = spec.x.scale === 'names' ? (spec.x.names[v] ?? '') : String(Number(v.toPrecision(4)))
  return !angled(spec)
    ? s('text', { x, y: bottom + 17, 'text-anchor': 'middle', class: 'axis' }, text)
    : s(
        'text',
        {
          x: x + 4,
          y: bottom + 14,
          'text-anchor': 'end',
          class: 'axis',
          transform: `rotate(-24 ${x + 4} ${bottom + 14})`,
        },
        text.length > 20 ? `${text.slice(0, 19)}…` : text,
      )
}

const marker = (kind: number, x: number, y: number, className: string): SVGElement =>
  kind % 3 === 0
    ? s('circle', { cx: x, cy: y, r: 4, class: className })
    : kind % 3 === 1
      ? s('rect', { x: x - 3.8, y: y - 3.8, width: 7.6, height: 7.6, class: className })
      : s('path', { d: `M${x} ${y - 5}L${x + 5} ${y + 4}L${x - 5} ${y + 4}z`, class: className })

/** Distance of the stems of one name. */
const stemRoom = 11

/** Bars begin at 0, which a logarithmic axis does not have: there names have stems. */
const asBars = (spec: ChartSpec, log: boolean): boolean => spec.x.scale === 'names' && !log

function drawn(
  spec: ChartSpec,
  log: boolean,
): {
  readonly parts: SVGElement[]
  readonly places: readonly { readonly x: number; readonly y: number; readonly words: string }[]
} {
  const x = horizontal(spec),
    y = vertical(spec, log),
    base = log ? bottom : y.at(0)
  const places: { x: number; y: number; words: string }[] = []
  const bars = asBars(spec, log),
    n = spec.series.length
  const room = Math.min(46, (((right - left) / Math.max(1, spec.x.names.length)) * 0.8) / Math.max(1, n))
  const told = (series: ChartSeries, p: ChartPoint): string =>
    `${series.name}${series.measured ? ', measured' : ''}: ${spec.x.label} ${p.label}, ${spec.y.text(p.y)}`
  const series = spec.series.map((one, i) => {
    const className = `series${one.colour}`
    if (bars)
      return s(
        'g',
        {},
        ...one.points.map((p) => {
          const left0 = x.at(p.x) + (i - n / 2) * room
          places.push({ x: left0 + room / 2, y: y.at(p.y), words: told(one, p) })
          return s(
            'rect',
            {
              x: left0 + 1,
              width: Math.max(2, room - 2),
              y: y.at(p.y),
              height: Math.max(0.5, base - y.at(p.y)),
              class: `area ${className} dash${one.dash}${one.measured ? ' measured' : ''}`,
            },
            s('title', {}, told(one, p)),
          )
        }),
      )
    if (spec.x.scale === 'names') {
      // Between names there is nothing: a stem each, those of one name side by side.
      return s(
        'g',
        {},
        ...one.points.flatMap((p) => {
          const place = { x: x.at(p.x) + (i - (n - 1) / 2) * Math.min(room, stemRoom), y: y.at(p.y) }
          places.push({ ...place, words: told(one, p) })
          return [
            s('path', {
              d: `M${place.x.toFixed(1)} ${base}L${place.x.toFixed(1)} ${place.y.toFixed(1)}`,
              class: `line ${className} dash${one.dash}`,
            }),
            marker(one.dash, place.x, place.y, one.measured ? `dot hollow ${className}` : `dot ${className}`),
          ]
        }),
      )
    }
    for (const p of one.points) places.push({ x: x.at(p.x), y: y.at(p.y), words: told(one, p) })
    return s(
      'g',
      {},
      s('path', {
        d: one.points.map((p, k) => `${k === 0 ? 'M' : 'L'}${x.at(p.x).toFixed(1)} ${y.at(p.y).toFixed(1)}`).join(''),
        class: `line ${className} dash${one.dash}${one.measured ? ' measured' : ''}`,
      }),
      ...one.points.map((p) =>
        marker(one.dash, x.at(p.x), y.at(p.y), one.measured ? `dot hollow ${className}` : `dot ${className}`),
      ),
    )
  })
  const grid = y.ticks.flatMap((v) => [
    s('line', { x1: left, x2: right, y1: y.at(v), y2: y.at(v), class: 'grid' }),
    s('text', { x: left - 8, y: y.at(v) + 4, 'text-anchor': 'end', class: 'axis' }, v === 0 ? '0' : spec.y.text(v)),
  ])
  const names = x.ticks.map((v) => xTick(spec, v, x.at(v)))
  return {
    parts: [
      ...grid,
      ...names,
      s('text', { x: (left + right) / 2, y: tallOf(spec) - 6, 'text-anchor': 'middle', class: 'axis' }, spec.x.label),
      ...series,
    ],
    places,
  }
}

/** The chart, with its legend and a switch between a linear and a logarithmic axis. */
export function chart(spec: ChartSpec): HTMLElement {
  let log = varies(spec),
    at = -1
  let places: ReturnType<typeof drawn>['places'] = []
  const svg = s('svg', {
    viewBox: `0 0 ${wide} ${tallOf(spec)}`,
    class: 'chart',
    role: 'img',
    'aria-label':
      `${spec.title}: ${spec.y.label} over ${spec.x.label}, ${spec.series.length} series; the figures are in ` +
      `the table below`,
  })
  const live = h('p', { class: 'live', 'aria-live': 'polite' }, '\u00a0')
  const ring = s('circle', { r: 8, class: 'ring', visibility: 'hidden' })
  const tell = (i: number): void => {
    const p = places[i]
    if (!p) return
    at = i
    ring.setAttribute('cx', String(p.x))
    ring.setAttribute('cy', String(p.y))
    ring.setAttribute('visibility', 'visible')
    live.textContent = p.words
  }
  const near = (e: Event): void => {
    if (!(e instanceof PointerEvent)) return
    const box = svg.getBoundingClientRect(),
      px = ((e.clientX - box.left) * wide) / box.width,
      py = ((e.clientY - box.top) * tallOf(spec)) / box.height
    const best = places.reduce(
      (b, p, i) => {
        const d = Math.hypot(p.x - px, (p.y - py) / 2)
        return d < b.d ? { d, i } : b
      },
      { d: 60, i: -1 },
    )
    tell(best.i)
  }
  const keys = (e: Event): void => {
    const move =
      e instanceof KeyboardEvent ? { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[e.key] : undefined
    if (move === undefined) return
    e.preventDefault()
    tell(Math.max(0, Math.min(places.length - 1, at + move)))
  }
  const draw = (): void => {
    const d = drawn(spec, log)
    places = d.places
    svg.replaceChildren(...d.parts, ring)
    ring.setAttribute('visibility', 'hidden')
  }
  draw()
  const logarithmic: HTMLInputElement = h('input', {
    type: 'checkbox',
    checked: log,
    change: () => {
      log = logarithmic.checked
      draw()
      explainMarks()
    },
  })
  const legend = h('ul', { class: 'legend' })
  const explainMarks = (): void =>
    legend.replaceChildren(
      ...spec.series.map((one) =>
        h(
          'li',
          {},
          s(
            'svg',
            { viewBox: '0 0 34 12', class: 'sample', 'aria-hidden': true },
            asBars(spec, log)
              ? s('rect', {
                  x: 8,
                  y: 1,
                  width: 18,
                  height: 10,
                  class: `area series${one.colour} dash${one.dash}${one.measured ? ' measured' : ''}`,
                })
              : s(
                  'g',
                  {},
                  s('line', {
                    x1: 0,
                    x2: 34,
                    y1: 6,
                    y2: 6,
                    class: `line series${one.colour} dash${one.dash}${one.measured ? ' measured' : ''}`,
                  }),
                  marker(one.dash, 17, 6, one.measured ? `dot hollow series${one.colour}` : `dot series${one.colour}`),
                ),
          ),
          ` ${one.name}${one.measured ? ', measured' : ''}`,
        ),
      ),
    )
  explainMarks()
  return h(
    'figure',
    { class: 'plot' },
    h('div', { class: 'controls' }, legend, h('label', { class: 'field' }, logarithmic, ' logarithmic')),
    h(
      'div',
      {
        class: 'scroll chartbox',
        tabindex: 0,
        role: 'group',
        'aria-label': `${spec.title}; arrow keys go from point to point`,
        pointermove: near,
        keydown: keys,
      },
      svg,
    ),
    live,
  )
}
