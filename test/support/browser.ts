// A real Chromium with WebGPU on SwiftShader for tests, from npm alone. Pages come from a made-up secure origin whose
// files the test gives, so that nothing touches a network.
import chromiumPackage from '@sparticuz/chromium'
import { chromium, type Browser, type Page } from 'playwright-core'
import { clearsInLoops } from './dawn.ts'

const args = [
  `--disable-dawn-features=${clearsInLoops}`,
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--ignore-gpu-blocklist',
  '--headless=new',
]

/** Starts the browser; the caller closes it. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumPackage.executablePath(), headless: true, args })
}

/**
 * A page that has imported `module` (text of an ES module) as `globalThis.loaded`; errors that it logs are collected in
 * `problems`.
 */
export async function openPage(
  browser: Browser,
  module: string,
): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  const html =
    `<!doctype html><title>test</title><link rel="icon" href="data:,"><script type="module">import * as m from ` +
    `'/module.js'; globalThis.loaded = m</script>`
  await page.route('**/*', (route) =>
    new URL(route.request().url()).pathname === '/module.js'
      ? route.fulfill({ contentType: 'text/javascript', body: module })
      : route.fulfill({ contentType: 'text/html', body: html }),
  )
  await page.goto('https://tesela.test/')
  await page.waitForFunction(() => 'loaded' in globalThis)
  return { page, problems }
}
