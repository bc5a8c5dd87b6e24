// How long people wait for the studio, in a Chromium with nothing kept:
//   npx tsx bench/studio.ts [EXAMPLES [OUT.json]]
// What is loaded before the editor can be typed in and until when; the first answer to `gemm`; from a key to the heat
// of each example (or of those whose names hold EXAMPLES); the longest task of the page. Beside wall times stands the
// processor time of the thread that computes, and how long it waited for a core, which is no fault of the page. The
// key that is timed is a line break at the top: all lines of the text have moved. What the compiler remembers of the
// kernel helps it then; another GPU, which is picked last, is judged without that.
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { readExamples } from '../site/build/examples.ts'
import type { Mark } from '../site/source/studio/marks.ts'
import { openBrowser } from '../test/support/browser.ts'
import { buildSite, compilers, longestTask, openSite, root, serveSite, settled, since } from '../test/site/site.ts'

const only = process.argv[2] ?? '',
  out = process.argv[3]
const loads = 5,
  keys = 3,
  otherGpu = 'h100'

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? NaN
const round = (ms: number): number => Math.round(ms * 10) / 10

/** Milliseconds from the start of the load. */
const at = (page: Page, mark: Mark): Promise<number> =>
  page.evaluate((name) => performance.getEntriesByName(name).at(-1)?.startTime ?? NaN, mark)

/** A load with nothing kept, until all views are there. */
async function load(browser: Browser, address: string): Promise<Record<string, number>> {
  const { page } = await openSite(browser, address)
  const none = { cpu: 0, waited: 0 }
  await page.waitForFunction(() => performance.getEntriesByName('answer').length > 0, null, { timeout: 60_000 })
  const used = since(none, await compilers(browser))
  const editor = await at(page, 'editor')
  const row = {
    editorMs: round(editor),
    heatAfterMs: round((await at(page, 'heat')) - editor),
    answerAfterMs: round((await at(page, 'answer')) - editor),
    cpuMs: used.cpu,
    waitedMs: used.waited,
  }
  await page.context().close()
  return row
}

/** Compressed bytes that come where the compiler never does: what typing waits for. */
async function bytesBefore(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.route(/worker/, () => {})
  await page.goto(address)
  await page.waitForFunction(() => performance.getEntriesByName('editor').length > 0)
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map((e) => (e as PerformanceResourceTiming).encodedBodySize) // both are
      .reduce((sum, n) => sum + n, 0),
  )
  await context.close()
  return bytes
}

async function medians(times: number, row: () => Promise<Record<string, number>>): Promise<Record<string, number>> {
  const rows: Record<string, number>[] = []
  for (let i = 0; i < times; i++) rows.push(await row())
  return Object.fromEntries(Object.keys(rows[0] ?? {}).map((k) => [k, median(rows.map((r) => r[k] ?? NaN))]))
}

/** One key at the top of the text; NaN where no heat comes. */
async function key(browser: Browser, page: Page): Promise<Record<string, number>> {
  const before = await compilers(browser)
  await page.evaluate(() => {
    performance.clearMarks()
    addEventListener('keydown', () => void performance.mark('key'), { once: true, capture: true })
  })
  await page.keyboard.press('Enter')
  const there = (mark: Mark): Promise<unknown> =>
    page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, mark, { timeout: 60_000 })
  await Promise.race([there('heat'), there('answer')])
  const heated = since(before, await compilers(browser))
  await there('answer')
  const used = since(before, await compilers(browser))
  const from = await at(page, 'key' as Mark) // the bench's own
  return {
    heatMs: round((await at(page, 'heat')) - from),
    answerMs: round((await at(page, 'answer')) - from),
    heatCpuMs: heated.cpu,
    answerCpuMs: used.cpu,
    heatWaitedMs: heated.waited,
  }
}

/** Another GPU, on which nothing was counted yet. */
async function anew(browser: Browser, page: Page): Promise<Record<string, number>> {
  await settled(page)
  const before = await compilers(browser)
  await page.evaluate(() => {
    performance.clearMarks()
    document.querySelector('#gpu')?.addEventListener('change', () => void performance.mark('key'), {
      once: true,
      capture: true,
    })
  })
  await page.locator('#gpu').selectOption(otherGpu)
  await page.waitForFunction(() => performance.getEntriesByName('heat').length > 0, null, { timeout: 60_000 })
  return {
    anewMs: round((await at(page, 'heat')) - (await at(page, 'key' as Mark))), // the bench's own
    anewCpuMs: since(before, await compilers(browser)).cpu,
  }
}

async function keyToHeat(browser: Browser, address: string, id: string): Promise<object> {
  const { page } = await openSite(browser, `${address}#example=${id}`)
  await page.waitForFunction(() => performance.getEntriesByName('answer').length > 0, null, { timeout: 60_000 })
  await settled(page)
  await page.locator('#example').and(page.locator(':not([value=""])')).waitFor()
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+Home')
  const keyed = await medians(keys, () => key(browser, page))
  const row = { example: id, ...keyed, ...(await anew(browser, page)) }
  await page.context().close()
  console.log(JSON.stringify(row))
  return row
}

async function longest(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const took = await longestTask(browser, page, async () => {
    await page.goto(address)
    await settled(page)
    for (const tab of await page.getByRole('tab').all()) await tab.click()
    await page.locator('.cm-content').focus()
    await page.keyboard.type('// a comment\n', { delay: 60 })
    await settled(page)
  })
  await context.close()
  return round(took)
}

async function main(): Promise<void> {
  buildSite()
  const site = await serveSite(),
    browser = await openBrowser()
  try {
    const bytes = await bytesBefore(browser, site.address)
    const first = await medians(loads, () => load(browser, site.address))
    console.log('first load', bytes, JSON.stringify(first))
    const gemm = await medians(loads, () => load(browser, `${site.address}#example=gemm`))
    console.log('gemm', JSON.stringify(gemm))
    const tasks: Record<string, number> = {}
    for (const id of ['wgsl/transpose-naive', 'gemm', 'wgsl/matmul-tiled'])
      tasks[id] = await longest(browser, `${site.address}#example=${id}`)
    console.log('longest tasks', JSON.stringify(tasks))
    const examples = readExamples(join(root, 'examples')).filter((e) => e.id.includes(only))
    const rows: object[] = []
    for (const { id } of examples) rows.push(await keyToHeat(browser, site.address, id))
    const provenance = {
      what:
        `the studio in a Chromium with nothing kept; medians of ${loads} loads and ${keys} keys; ` +
        'Cpu: processor time of the compiler’s thread until then, as seen a moment later; Waited: how long it was ' +
        'ready and had no core; anew: another GPU is picked, for which nothing was counted',
      made: 'npx tsx bench/studio.ts "" bench/data/studio.json',
      browser: `Chromium ${browser.version()}, headless`,
      cores: cpus().length,
      load: loadavg()[0],
      date: new Date().toISOString().slice(0, 10),
    }
    const data = { provenance, bytesBeforeTyping: bytes, firstLoad: first, gemm, longestTaskMs: tasks, keys: rows }
    if (out) writeFileSync(out, `${JSON.stringify(data, null, 1)}\n`)
  } finally {
    await browser.close()
    site.close()
  }
}

await main()
