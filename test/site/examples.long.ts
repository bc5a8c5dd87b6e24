// Every example in the built studio: it is answered, every view of it is drawn, and nothing is logged.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { readExamples } from '../../site/build/examples.ts'
import { openBrowser } from '../support/browser.ts'
import { buildSite, openSite, root, serveSite, settled, type Opened, type Served } from './site.ts'

let browser: Browser, site: Served, opened: Opened
beforeAll(async () => {
  buildSite()
  site = await serveSite()
  browser = await openBrowser()
  opened = await openSite(browser, site.address)
  await settled(opened.page)
}, 240_000)
afterAll(async () => {
  await browser?.close()
  site?.close()
})

const examples = readExamples(join(root, 'examples'))

test.each(examples.map((e) => [e.id, e.language] as const))('%s (%s)', async (id, language) => {
  const { page, problems } = opened
  await page.goto(`${site.address}#example=${id}`)
  await page
    .locator('.status')
    .filter({ hasText: /answered in \d+ ms$/ })
    .waitFor({ timeout: 60_000 })
  expect(await page.locator('#example').inputValue()).toBe(id)
  const names = await page.getByRole('tab').allTextContents()
  expect(names).toContain(language === 'c' ? 'Ladder' : 'Measure')
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click()
    expect(await page.locator('.panel').textContent(), name).not.toBe('')
  }
  expect(problems).toEqual([])
})
