// examples/web in a real browser: it finds the GPU, multiplies, blurs and factorises, and draws what it measured.
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { root } from '../../cli/run.ts'
import { openBrowser } from '../../support/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

test('the page of examples/web', async () => {
  const page = await browser.newPage({ viewport: { width: 900, height: 1200 } })
  const problems: string[] = []
  page.on('pageerror', (e) => problems.push(e.message))
  page.on('console', (m) => {
    if (m.type() === 'error') problems.push(m.text())
  })
  await page.route('**/*', (route) => {
    const path = join(root, new URL(route.request().url()).pathname)
    return existsSync(path)
      ? route.fulfill({ contentType: types[extname(path)] ?? 'text/plain', body: readFileSync(path) })
      : route.abort()
  })
  await page.goto('https://tesela.test/examples/web/index.html')
  await page.waitForFunction(
    () =>
      /SwiftShader|GPU|google/i.test(document.getElementById('device')!.textContent!) &&
      document.getElementById('blurred')!.textContent !== '',
    undefined,
    { timeout: 90_000 },
  )
  const text = (id: string): Promise<string | null> => page.textContent(`#${id}`)
  expect(await text('product')).toMatch(/^[\d.]+ (µs|ms): [\d.]+ [GMT]FLOP\/s$/)
  const centre = (): Promise<number> =>
    page.evaluate(
      () =>
        (document.getElementById('image') as HTMLCanvasElement).getContext('2d')!.getImageData(32, 11, 1, 1).data[0]!,
    )
  const sharp = await centre()
  await page.evaluate(() => {
    const slider = document.getElementById('width') as HTMLInputElement
    slider.value = '33'
    slider.dispatchEvent(new Event('change'))
  })
  await page.waitForFunction(
    () =>
      document.getElementById('taps')!.textContent === '33' &&
      !(document.getElementById('factorise') as HTMLButtonElement).disabled,
    undefined,
    { timeout: 60_000 },
  )
  expect(await centre()).not.toBe(sharp) // just inside of a disc: darker the wider the window
  await page.click('#factorise')
  await page.waitForFunction(() => document.getElementById('factors')!.textContent !== '', undefined, {
    timeout: 90_000,
  })
  // the bars are random; 26 was seen
  expect(Number(/([\d.]+) % of the images/.exec((await text('factors'))!)![1])).toBeLessThan(45)
  expect(await page.locator('#roofline circle').count()).toBeGreaterThanOrEqual(3)
  expect(problems).toEqual([])
  await page.close()
}, 240_000)
