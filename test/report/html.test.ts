// The pages of `--html` in a real browser: what is drawn, sliders, stepping, hovering, the keyboard, accessibility,
// nothing fetched, nothing logged, and names and sources that try to be markup.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { explainWithView } from '../../src/explain/index.ts'
import { gpu, occupancy } from '../../src/gpus/index.ts'
import { shortened } from '../../src/report/html/html.ts'
import { escaped, explainHtml, htmlPage } from '../../src/report/html/index.ts'
import { folderWith, root, tesela } from '../cli/run.ts'
import { openBrowser } from '../support/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Opened {
  readonly page: Page
  readonly problems: string[]
  readonly asked: string[]
}

/** A page from a made-up origin; whatever it asks for is refused and noted. */
async function opened(html: string, width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  const problems: string[] = [],
    asked: string[] = []
  page.on('pageerror', (e) => problems.push(e.message))
  page.on('console', (m) => problems.push(m.text()))
  await page.route('**/*', (route) => {
    if (route.request().url() === 'https://tesela.test/') return route.fulfill({ contentType: 'text/html', body: html })
    asked.push(route.request().url())
    return route.abort()
  })
  await page.goto('https://tesela.test/')
  await page.waitForSelector('h1')
  return { page, problems, asked }
}

/**
 * Serious and critical violations, as `rule: element`. Scripts of the policy do not bind the debugger, which runs axe.
 */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.filter((v) => v.impact === ` +
      `'serious' || v.impact === 'critical').flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html.slice(0, ` +
      `160) + ' ' + (n.any[0] ? n.any[0].message : ''))))`,
  )
  return found as string[] // what the expression gives
}

const pages = folderWith({})
const built = (name: string, args: readonly string[]): string => {
  const path = join(pages, `${name}.html`)
  const r = tesela([...args, '--html', path], pages)
  expect(r.code, r.err).toBe(0)
  expect(statSync(path).size).toBeLessThan(1.5e6)
  return readFileSync(path, 'utf8')
}
const kernel = (name: string): string => join(root, 'examples/catalogue', `${name}.wgsl`)

describe('explain', () => {
  test(
    'lanes, heat, sliders, stepping, keyboard; nothing logged, nothing asked for; no serious violation, light ' +
      'and dark',
    async () => {
      const html = built('strided', ['explain', kernel('add-strided'), '--override', 'stride=3'])
      const { page, problems, asked } = await opened(html)
      await page.waitForSelector('.detail svg.lanes')
      // Stride 3: 32 words asked for, 12 sectors of 8 words moved, so that 64 are for nobody.
      expect(await page.locator('.detail rect.asked').count()).toBe(32)
      expect(await page.locator('.detail rect.wasted').count()).toBe(64)
      expect(await page.locator('.detail .fact').textContent()).toBe(
        '32 lanes ask for 128 bytes; 12 transactions move 384: 33 % used, 256 wasted.',
      )
      // The lane slider by keyboard, then the pointer on a lane.
      const lane = page.locator('.detail input[type=range]')
      await lane.focus()
      await page.keyboard.press('ArrowRight')
      expect(await page.locator('.detail .live').textContent()).toMatch(/^lane 1 writes byte /)
      await page.locator('.detail g.lane').nth(5).hover()
      expect(await page.locator('.detail .live').textContent()).toMatch(/^lane 5 writes byte /)
      expect(await lane.inputValue()).toBe('5')
      // Another access, by keyboard, from the table.
      await page.locator('table.data button', { hasText: 'read a[id.x * stride]' }).focus()
      await page.keyboard.press('Enter')
      expect(await page.locator('.detail h3').textContent()).toBe('Read a[id.x * stride]')
      expect(await page.locator('tr.marked').getAttribute('data-line')).toBe('12')
      // Stepping: button, arrow keys, and the line that is marked.
      const step = page.locator('.timeline .live')
      const first = await step.textContent()
      await page.locator('button.next').click()
      const second = await step.textContent()
      expect(second).not.toBe(first)
      await page.locator('.timeline [role=group]').focus()
      await page.keyboard.press('ArrowLeft')
      expect(await step.textContent()).toBe(first)
      await page.keyboard.press('End')
      expect(await step.textContent()).toMatch(/^line 12: write c/)
      // Occupancy: what the page says is what the function says.
      const registers = page.getByLabel('Registers per invocation')
      await registers.fill('200')
      const said = occupancy(gpu('h200'), { threads: 256, registers: 200, shared: 0 })
      expect(await page.locator('.occupancy .big').textContent()).toContain(
        `${said.activeWarps} of 64 subgroups: ${said.activeBlocks}`,
      )
      expect(await page.locator('.warps .block0, .warps .block1').count()).toBe(said.activeWarps)
      // Heat by another figure.
      await page.getByLabel('Heat shows').selectOption('instructions of warps')
      expect(await page.locator('tr[data-line="12"] .figure').textContent()).toMatch(/k$/)
      expect(await page.locator('.roofline circle').count()).toBeGreaterThan(0)
      expect(await violations(page)).toEqual([])
      await page.locator('button.theme').click()
      expect(await page.evaluate(`document.documentElement.dataset.theme`)).toBe('dark')
      expect(await violations(page)).toEqual([])
      expect({ problems, asked }).toEqual({ problems: [], asked: [] })
      await page.close()
    },
  )

  test('banks show conflicts; a narrow window does not scroll sideways', async () => {
    const { page, problems } = await opened(built('tile', ['explain', kernel('transpose-tile')]), 390, 'dark')
    expect(await page.locator('.detail h3').textContent()).toBe('Read tile[local.x][row]')
    // 32 lanes on one bank: one in the first pass, 31 after it.
    expect(await page.locator('.detail rect.conflict').count()).toBe(31)
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(390)
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test('transactions of the GT200 are segments', async () => {
    const { page } = await opened(
      built('gt200', ['explain', kernel('add-offset'), '--override', 'offset=1', '--gpu', 'gt200']),
    )
    await page.locator('table.data button', { hasText: 'read a[' }).click()
    expect(await page.locator('.detail .fact').textContent()).toMatch(
      /32 lanes ask for 128 bytes; \d transactions move (192|224|256)/,
    )
    await page.close()
  })

  test('what comes from users is text: names, sources and files', async () => {
    const evil = `</script><script>globalThis.owned=1</script><img src=x onerror="globalThis.owned=1">`
    const text =
      `// ${evil}\n@group(0) @binding(0) var<storage, read_write> output: array<f32>;\n@compute ` +
      `@workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3u) { /* ${evil} */ output[id.x] = 1.0; }\n`
    const { report, view } = explainWithView({ text, file: `${evil}.wgsl` }, { grid: [4, 1, 1] }, { gpu: gpu('h200') })
    const named = {
      ...report,
      kernel: { ...report.kernel, name: evil },
      notes: [evil, '<!--', '\u2028'],
      findings: report.findings.map((f) => ({ ...f, message: evil, fix: evil })),
      accesses: report.accesses.map((a) => ({ ...a, text: evil, resource: evil })),
    }
    const html = explainHtml(named, view, gpu('h200'))
    expect(html.toLowerCase()).not.toContain('<img')
    expect(html.match(/<script/g)).toHaveLength(2)
    const { page, problems, asked } = await opened(html)
    expect(await page.locator('h1').textContent()).toBe(evil)
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.title()).toBe(`${evil}: explained`)
    expect(await page.locator('tr[data-line="1"] code').textContent()).toBe(`// ${evil}`)
    expect(await page.evaluate(`globalThis.owned`)).toBeUndefined()
    expect({ problems, asked }).toEqual({ problems: [], asked: [] })
    await page.close()
  })

  test('thousands of lines and accesses still make a page', async () => {
    const body = Array.from(
      { length: 700 },
      (_, i) => `  output[(id.x * ${(i % 7) + 1} + ${i}) % 4096] = ${i}.0;`,
    ).join('\n')
    const text =
      `${'// a line before\n'.repeat(5000)}@group(0) @binding(0) var<storage, read_write> output: array<f32, ` +
      `4096>;\n@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3u) {\n${body}\n}\n`
    const { report, view } = explainWithView(
      { text, file: 'long.wgsl' },
      { grid: [4, 1, 1] },
      { gpu: gpu('h200'), brief: true },
    )
    const html = explainHtml(report, view, gpu('h200'))
    expect(html.length).toBeLessThan(1.5e6)
    const { page, problems } = await opened(html)
    expect(await page.locator('tr[data-line="5004"] code').textContent()).toContain('output[(id.x * 1 + 0) % 4096]')
    expect(problems).toEqual([])
    await page.close()
  })

  test.each([
    'apple-m1',
    'cdna3',
    'mali-g78',
    'adreno-740',
  ])('what nobody documents of %s is left out, not drawn wrong', async (name) => {
    const { page, problems } = await opened(built(name, ['explain', kernel('transpose-tile'), '--gpu', name]))
    expect(
      await page.evaluate(
        `document.body.innerText + [...document.querySelectorAll('svg *')].map((e) => ` +
          `[...e.attributes].map((a) => a.value).join(' ')).join(' ')`,
      ),
    ).not.toMatch(/NaN|Infinity|undefined/)
    expect(problems).toEqual([])
    await page.close()
  })

  test('the policy stops what is not ours', async () => {
    const html = htmlPage('study', 'x', {}, []).replace('</body>', '<script>globalThis.owned=1</script></body>')
    const foreign = '<script>globalThis.owned=1</script></body>'
    const { page } = await opened(
      html.replace(/<script>[^]*?<\/script>\n<\/body>/, foreign).replace('<main></main>', '<h1>x</h1>'),
    )
    expect(await page.evaluate(`globalThis.owned`)).toBeUndefined()
    await page.close()
  })

  test('one GPU, one file with the right ending', () => {
    const r = tesela(['explain', kernel('add'), '--gpu', 'portable', '--html', 'x.html'])
    expect({ code: r.code, out: r.out }).toEqual({ code: 2, out: '' })
    expect(r.err).toMatch(/--html draws the report of one GPU/)
    expect(tesela(['explain', kernel('add'), '--html', 'x.txt']).err).toMatch(/It must be a file that ends in \.html/)
    expect(tesela(['explain', kernel('add'), '--html', join(kernel('add'), 'x.html')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/cannot be written/) as string,
    })
    expect(escaped(`<a b="c">&'`)).toBe('&#60;a b=&#34;c&#34;&#62;&#38;&#39;')
  })
})

test(
  'study: charts with a series for each GPU, told by ' + 'keyboard and pointer, with tables of the same figures',
  async () => {
    const { page, problems, asked } = await opened(built('study', ['study', 'branches']))
    expect(await page.locator('.chart path.line').count()).toBe(6)
    const box = page.locator('.chartbox').first()
    await box.focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('.plot .live').first().textContent()).toMatch(
      /^gt200: threads that go together 1, \d+ µs$/,
    )
    await page
      .locator('.chart')
      .first()
      .hover({ position: { x: 200, y: 60 } })
    await page.locator('.plot input[type=checkbox]').first().click()
    await page.locator('summary').first().click()
    expect(await page.locator('table.data').first().textContent()).toContain('h200')
    expect(await violations(page)).toEqual([])
    expect({ problems, asked }).toEqual({ problems: [], asked: [] })
    await page.close()
  },
)

test('optimize: long files are cut at a line, and say so', () => {
  const file = (name: string, lines: number): { name: string; what: string; text: string } => ({
    name,
    what: 'a file',
    text: 'let x = 1.0;\n'.repeat(lines),
  })
  const all = [file('short', 40), file('long', 90_000), file('longer', 200_000)]
  const cut = shortened(all)
  expect(cut[0]).toBe(all[0])
  expect(cut.reduce((n, f) => n + f.text.length, 0)).toBeLessThanOrEqual(8e5)
  expect(cut.every((f) => f.text.endsWith(';\n'))).toBe(true)
  expect(cut[2]?.what).toMatch(/^a file; the first 30,[0-9]+ of 200,001 lines$/)
  expect(shortened(all.slice(0, 1))).toEqual(all.slice(0, 1))
})

test('optimize: the ladder, any two of its steps side by side, and the emitted code', async () => {
  const { page, problems, asked } = await opened(
    built('optimize', ['optimize', join(root, 'examples/transpose.c'), '--budget', '2', '-o', join(pages, 'out')]),
  )
  expect(await page.locator('.chart rect.area').count()).toBeGreaterThanOrEqual(3)
  const gain = page.locator('section .big strong')
  const before = await gain.textContent()
  await page.getByLabel('Before', { exact: true }).selectOption({ index: 1 })
  expect(await gain.textContent()).not.toBe(before)
  expect(await page.locator('.codepane').first().textContent()).toContain('void transpose')
  await page.getByLabel('File', { exact: true }).nth(1).selectOption('transpose.cu')
  expect(await page.locator('.codepane').nth(1).textContent()).toContain('__global__')
  expect(await violations(page)).toEqual([])
  expect({ problems, asked }).toEqual({ problems: [], asked: [] })
  await page.close()
})
