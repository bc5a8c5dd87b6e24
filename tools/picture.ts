// In: the site. Out: the pictures of it that documents show: built, opened in the tests' browser, each at one state.
//   npx tsx tools/picture.ts [NAMES]
// The README's is the whole window; figures of the guide are one view, as wide as a page of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../test/support/browser.ts'
import { buildSite, openSite, root, serveSite, settled } from '../test/site/site.ts'

interface Picture {
  /** In the repository. */
  readonly file: string
  /** The part of the address behind `#`. */
  readonly opened: string
  readonly tab: string
  /** What is shown; the whole window when absent. */
  readonly shown?: string
}

const pictures: readonly Picture[] = [
  { file: 'docs/studio.png', opened: '', tab: 'Lanes' },
  {
    file: 'docs/guide/lanes.png',
    opened: 'example=catalogue/add-strided&flags=--override%20stride%3D8',
    tab: 'Lanes',
    shown: '.panel .map',
  },
  { file: 'docs/guide/banks.png', opened: 'example=catalogue/transpose-tile', tab: 'Lanes', shown: '.panel .map' },
]

async function draw(page: Page, { file, tab, shown }: Picture): Promise<void> {
  await page.getByRole('tab', { name: tab, exact: true }).click()
  const place = shown === undefined ? page : page.locator(shown)
  await page.waitForTimeout(500) // views draw themselves after the click
  writeFileSync(join(root, file), await place.screenshot())
}

async function main(only: string): Promise<void> {
  buildSite()
  const site = await serveSite(),
    browser = await openBrowser()
  for (const picture of pictures.filter((p) => p.file.includes(only))) {
    const viewport = { width: 1280, height: picture.shown === undefined ? 680 : 1300 }
    const { page } = await openSite(browser, `${site.address}#${picture.opened}`, { viewport })
    await settled(page)
    if (picture.opened !== '') await page.locator('#example').and(page.locator(':not([value=""])')).waitFor()
    await settled(page)
    await draw(page, picture)
    await page.context().close()
  }
  await browser.close()
  site.close()
}

void main(process.argv[2] ?? '')
