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
  const start = examples.find((e) => e.id === id)?.text.split('\n')[0] ?? ''
  await page.locator('.cm-content').filter({ hasText: start }).waitFor()
  const said = await settled(page)
  // C is planned for sizes whose plain kernel may be more than a page runs: then its ladder is there all the same
  if (language === 'wgsl') expect(said).toMatch(/answered in \d+ ms$/)
  expect(await page.locator('#example').inputValue()).toBe(id)
  const names = await page.getByRole('tab').allTextContents()
  expect(names).toContain(language === 'c' ? 'Ladder' : 'Measure')
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click()
    expect(await page.locator('.panel').textContent(), name).not.toBe('')
  }
  expect(problems).toEqual([])
})
