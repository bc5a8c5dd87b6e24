// Two real Chromiums (WebGPU on SwiftShader) with links of their own measure for a farm through its page; a browser of
// another kind of device, one without a token, and one that is stopped are told so in plain words.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FarmClient,
  jobFailureOf,
  jobKey,
  jobKindOf,
  kindsOfProcessor,
  runJob,
  serveFarm,
  workOn,
  type Farm,
  type Job,
} from '../../src/farm/index.ts'
import { openStore, type RecordStore } from '../../src/store/index.ts'
import { openBrowser } from '../support/browser.ts'
import { tools } from './support.ts'

const owner = 'o'.repeat(32)
const device = 'google swiftshader'
/** Two browsers and this test on shared processors: times are far from each other. */
const quorum = { needed: 2, within: 50 }
let store: RecordStore
let farm: Farm
let client: FarmClient
const browsers: Browser[] = []
let over = false
let worker: Promise<void>

beforeAll(async () => {
  store = await openStore(join(mkdtempSync(join(tmpdir(), 'tesela-browsers-')), 's.db'))
  farm = await serveFarm(store, { token: owner, host: '127.0.0.1', port: 0, quorum })
  client = new FarmClient({ url: farm.url, token: owner, patienceMs: 5000 })
  worker = workOn({
    client,
    name: 'emitter',
    compiler: 'test',
    kinds: kindsOfProcessor,
    run: async (body) => runJob(body as Job, tools).then(({ result }) => ({ result }), jobFailureOf),
    isOver: () => over,
  })
  browsers.push(await openBrowser(), await openBrowser())
})
afterAll(async () => {
  over = true
  await client.add([{ key: 'end', kind: 'simulate', compiler: 'test', body: {} }]) // wakes the worker
  await worker
  for (const browser of browsers) await browser.close()
  await farm.close()
  await store.close()
})

const problems: string[] = []
async function pageAt(browser: Browser, hash: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (401|403)/.test(message.text())) problems.push(message.text())
  })
  await page.goto(`${farm.url}/measure${hash}`)
  return page
}
const linkFor = async (name: string, kind = device): Promise<string> =>
  (await client.invite({ name, device: kind, hours: 1, own: false })).token
const said = (page: Page): Promise<string | null> => page.locator('#said').textContent()

const axpy = 'void axpy(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2.0f * x[i] + y[i]; }'
/** Two loops: results are known by running the whole of it. */
const two = `void two(int n, const float a[n][n], float s[n], float t[n]) {
  for (int i = 0; i < n; i++) { s[i] = 0; for (int j = 0; j < n; j++) s[i] += a[i][j]; }
  for (int i = 0; i < n; i++) t[i] = s[i] * s[i];
}`

async function jobOf(text: string, n: string): Promise<Job> {
  const on = { program: { name: 'p.c', text, defines: { n } }, gpu: 'h200', targets: ['wgsl'], seed: 1 } as const
  const { result } = await runJob({ kind: 'optimize', ...on, budget: 1 }, tools)
  const { points } = result as { readonly points: [] }
  return { kind: 'measure', ...on, on: 'browser', device, candidates: [points] }
}

test('two browsers with links of their own measure what none of them may decide', async () => {
  const jobs = [await jobOf(axpy, '65536'), await jobOf(two, '64')]
  const done = client.run(jobs.map((j) => ({ key: jobKey(j, 'test'), kind: jobKindOf(j), compiler: 'test', body: j })))
  const first = await pageAt(browsers[0]!, `#token=${await linkFor('first')}&start`)
  await first.waitForFunction(() => document.getElementById('done')?.textContent === '2')
  expect((await client.state()).counts).toContainEqual({ kind: `measure browser ${device}`, state: 'waiting', jobs: 2 })
  const second = await pageAt(browsers[1]!, `#token=${await linkFor('second')}`)
  await second.click('#start')
  const outcomes = await done
  for (const { state, result } of outcomes) {
    expect(state).toBe('done')
    const { measured } = result as { measured: readonly { ns: number; agreed: number; of: number }[] }
    expect(measured).toMatchObject([{ agreed: 2, of: 2, claimed: { adapter: { vendor: 'google' } } }])
    expect(measured[0]!.ns).toBeGreaterThan(100)
  }
  expect((await client.state()).invites.map((i) => [i.name, i.faults])).toEqual([
    ['first', 0],
    ['second', 0],
  ])
  await second.click('#start')
  await second.waitForFunction(() => document.getElementById('said')?.textContent === 'Stopped.')
  expect(await second.locator('#log').innerText()).toMatch(/axpy: [\d.]+ (µs|ms)/)
  expect(problems).toEqual([])
  await Promise.all([first.close(), second.close()])
})

test('the page says what it may and may not, and fits narrow screens', async () => {
  const page = await pageAt(browsers[0]!, `#token=${await linkFor('reader')}`)
  await page.waitForFunction(() => document.getElementById('said')?.textContent === 'Ready.')
  const words = (await page.locator('main').innerText()).replace(/\s+/g, ' ')
  expect(words).toContain('enter times for another kind of GPU than google swiftshader')
  expect(words).toContain('a time counts when 2 browsers with links of their own agree on it')
  expect(words).toContain('Its name reader')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    // nothing is wider than the screen
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    const folder = process.env['TESELA_PICTURES']
    if (folder) await page.screenshot({ path: join(folder, `measure-${width}.png`), fullPage: true })
  }
  await page.close()
})

test.each<[string, () => Promise<string>, string]>([
  ['without a token', async () => '', 'This address has no token: open the whole link that you were given.'],
  ['with a wrong one', async () => '#token=wrong', 'the token is wrong'],
  [
    'with a link for another kind of GPU',
    async () => `#token=${await linkFor('another', 'nvidia ampere')}`,
    "this link is for 'nvidia ampere', and the GPU of this browser calls itself 'google swiftshader",
  ],
])('a browser %s is told so and cannot start', async (_, hash, sentence) => {
  const page = await pageAt(browsers[1]!, await hash())
  await page.waitForFunction(() => document.getElementById('said')?.className === 'error')
  expect(await said(page)).toContain(sentence)
  expect(await page.locator('#start').isDisabled()).toBe(true)
  await page.close()
})
