// In: bench/data/h200-study.json. Out: docs/study/NAME.svg, the chart of times of each experiment with prediction and
// readings together, as the page draws it. The one idea: the page is opened in a browser and its chart taken out with
// its computed style. Usage: npx tsx bench/study-figures.ts [DATA.json [FOLDER]]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StudyReport } from '../src/ir/index.ts'
import { studyHtml } from '../src/report/index.ts'
import { openBrowser } from '../test/support/browser.ts'

const root = join(import.meta.dirname, '..')
const [from = join(root, 'bench/data/h200-study.json'), to = join(root, 'docs/study')] = process.argv.slice(2)
const { reports } = JSON.parse(readFileSync(from, 'utf8')) as { readonly reports: readonly StudyReport[] }

/** Runs in the page: the first chart with its legend below, every element with the style that it has. */
function figure(): string {
  const svg = document.querySelector('svg.chart')
  if (!svg) return ''
  svg.querySelector('.ring')?.remove()
  const styled = [
    'fill',
    'stroke',
    'stroke-width',
    'stroke-dasharray',
    'fill-opacity',
    'stroke-opacity',
    'font-size',
    'text-anchor',
  ]
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number)
  const entries = [...document.querySelectorAll('.legend li')].slice(
    0,
    document.querySelector('.legend')?.children.length,
  )
  const rows = entries.map((li, i) => {
    const group = document.createElementNS('http://www.w3.org/2000/svg', 'g')
    group.setAttribute('transform', `translate(${80 + (i % 2) * 240} ${height + 8 + Math.floor(i / 2) * 18})`)
    const text = document.createElementNS('http://www.w3.org/2000/svg', 'text')
    text.setAttribute('x', '42')
    text.setAttribute('y', '10')
    text.setAttribute('class', 'axis')
    text.textContent = (li.textContent ?? '').trim()
    const sample = li.querySelector('svg')
    group.append(...(sample ? [...sample.children].map((c) => c.cloneNode(true)) : []), text)
    return group
  })
  svg.append(...rows)
  svg.setAttribute('viewBox', `0 0 ${width} ${height + 16 + Math.ceil(rows.length / 2) * 18}`)
  for (const e of svg.querySelectorAll('*')) {
    const style = getComputedStyle(e)
    for (const name of styled) {
      const value = style.getPropertyValue(name)
      if ((value !== '' && value !== 'none') || name === 'fill') e.setAttribute(name, value)
    }
  }
  for (const e of [svg, ...svg.querySelectorAll('*')])
    for (const name of ['class', 'role', 'aria-label', 'visibility']) e.removeAttribute(name)
  svg.setAttribute('font-family', 'system-ui, sans-serif')
  svg.setAttribute('style', 'background: #fff')
  return new XMLSerializer().serializeToString(svg)
}

const short = (gpu: string): string => (/nvidia/i.test(gpu) ? 'H200' : gpu)
mkdirSync(to, { recursive: true })
const browser = await openBrowser()
const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1280, height: 900 } })
for (const r of reports) {
  const named = {
    ...r,
    plots: ['time' as const],
    series: r.series.map((s) => (s.kind === 'measured' ? { ...s, gpu: short(s.gpu) } : s)),
  }
  await page.setContent(studyHtml(named))
  await page.waitForSelector('svg.chart')
  // what the function gives
  writeFileSync(join(to, `${r.name}.svg`), `${(await page.evaluate(`(${figure.toString()})()`)) as string}\n`)
}
await browser.close()
console.log(`${reports.length} figures`)
