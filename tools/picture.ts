// In: the site. Out: docs/studio.png, the README's picture of it: built, opened in the tests' browser, at one state.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../test/support/browser.ts'
import { buildSite, openSite, root, serveSite, settled } from '../test/site/site.ts'

async function main(): Promise<void> {
  buildSite()
  const site = await serveSite()
  const browser = await openBrowser()
  const { page } = await openSite(browser, site.address, { viewport: { width: 1280, height: 680 } })
  await settled(page)
  await page.locator('#gpu').selectOption('h100')
  await settled(page)
  await page.locator('#gpu').selectOption('h200')
  await settled(page)
  await page.getByRole('tab', { name: 'Lanes' }).click()
  writeFileSync(join(root, 'docs/studio.png'), await page.screenshot())
  await browser.close()
  site.close()
}

void main()
