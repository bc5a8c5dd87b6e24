// Small statistics and pictures for the fidelity page: errors, rank correlation, tables and a scatter plot as SVG.
export interface Judged {
  readonly family: string
  readonly name: string
  readonly on: string
  readonly ns: number
  readonly predicted: number
}

export const mean = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0) / Math.max(1, xs.length)

/** Mean absolute percentage error. */
export const mape = (list: readonly Judged[]): number => 100 * mean(list.map((j) => Math.abs(j.predicted / j.ns - 1)))

/** Kendall's τ of predicted and measured order, over pairs whose measured times differ by more than 2 %. */
export function kendall(list: readonly { readonly ns: number; readonly predicted: number }[]): number {
  let agree = 0,
    pairs = 0
  for (const [i, a] of list.entries())
    for (const b of list.slice(i + 1)) {
      if (Math.abs(a.ns / b.ns - 1) < 0.02) continue
      pairs++
      agree += Math.sign(a.ns - b.ns) === Math.sign(a.predicted - b.predicted) ? 1 : -1
    }
  return pairs === 0 ? 1 : agree / pairs
}

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((r) => `| ${r.join(' | ')} |`).join('\n')

const colours = ['#4269d0', '#e8590c', '#2b8a3e', '#9c36b5']
const side = 560,
  margin = 64

/** Log–log scatter of predicted (up) against measured (right) microseconds, with the lines of equality and ±25 %. */
export function scatter(list: readonly (Judged & { readonly group: string })[], title: string): string {
  const all = list.flatMap((j) => [j.ns, j.predicted]).map((ns) => Math.log10(ns / 1000))
  const low = Math.floor(Math.min(...all) * 4) / 4,
    high = Math.ceil(Math.max(...all) * 4) / 4
  const at = (ns: number): number => ((Math.log10(ns / 1000) - low) / (high - low)) * (side - margin - 16)
  const x = (ns: number): string => (margin + at(ns)).toFixed(1),
    y = (ns: number): string => (side - margin - at(ns)).toFixed(1)
  const groups = [...new Set(list.map((j) => j.group))]
  const ticks = Array.from(
    { length: Math.floor(high) - Math.ceil(low) + 1 },
    (_, i) => 1000 * 10 ** (Math.ceil(low) + i),
  )
  const end = [1000 * 10 ** low, 1000 * 10 ** high] as const
  const line = (factor: number, dash: string): string =>
    `<line x1="${x(end[0])}" y1="${y(end[0] * factor)}" x2="${x(end[1])}" y2="${y(end[1] * factor)}" ` +
    `stroke="#868e96" stroke-dasharray="${dash}"/>`
  const dots = list.map((j) => {
    const colour = colours[groups.indexOf(j.group)]
    return `<circle cx="${x(j.ns)}" cy="${y(j.predicted)}" r="2.6" fill="${colour}" fill-opacity="0.55"/>`
  })
  const tickTexts = ticks.map((t) => {
    const right = `<text x="${x(t)}" y="${side - margin + 18}" text-anchor="middle">${t / 1000}</text>`
    const place = `x="${margin - 8}" y="${y(t)}"`
    return `${right}<text ${place} text-anchor="end" dominant-baseline="middle">${t / 1000}</text>`
  })
  const legend = groups.map((g, i) => {
    const dot = `<circle cx="${margin + 16}" cy="${40 + 18 * i}" r="4" fill="${colours[i]}"/>`
    return `${dot}<text x="${margin + 26}" y="${44 + 18 * i}">${g}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" font-family="system-ui, sans-serif" \
font-size="12" role="img" aria-label="${title}">
<rect width="${side}" height="${side}" fill="#fff"/>
<text x="${side / 2}" y="18" text-anchor="middle" font-weight="600">${title}</text>
<clipPath id="area"><rect x="${margin}" y="16" width="${side - margin - 16}" height="${side - margin - 16}"/></clipPath>
<g clip-path="url(#area)">${line(1, '')}${line(1.25, '4 4')}${line(0.8, '4 4')}
${dots.join('')}</g>
<path d="M${margin} 16V${side - margin}H${side - 16}" fill="none" stroke="#495057"/>
${tickTexts.join('\n')}
<text x="${side / 2}" y="${side - 20}" text-anchor="middle">measured, µs</text>
<text transform="translate(16 ${side / 2}) rotate(-90)" text-anchor="middle">predicted, µs</text>
${legend.join('\n')}
</svg>
`
}
