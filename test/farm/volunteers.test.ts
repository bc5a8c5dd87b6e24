// Browsers that measure: what a quorum takes for true, and what a page that wants to cheat, or asks for more than its
// link may, is refused with. The pages here are requests of this file.
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  decide,
  emitJobFor,
  FarmClient,
  jobKey,
  jobKindOf,
  recordsOfResult,
  runJob,
  serveFarm,
  wantsMore,
  type Farm,
  type Job,
  type ServeOptions,
} from '../../src/farm/index.ts'
import { openStore, type RecordStore, type TrialRecord } from '../../src/store/index.ts'
import { freshArrays, type CheckedTrial, type Trial } from '../../src/tune/index.ts'
import { root } from '../cli/run.ts'
import { postgresHere } from './postgres.ts'
import { tools } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'tesela-volunteers-'))
const postgres = await postgresHere()
const owner = 'o'.repeat(32)
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
  await postgres?.stop()
})

const text = 'void axpy(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2.0f * x[i] + y[i]; }'
const kind = 'acme gpu'
let job: Job
let emitted: { readonly candidates: readonly CheckedTrial[] }

beforeAll(async () => {
  const program = { name: 'axpy.c', text, defines: { n: '4096' } }
  const on = { program, gpu: 'h200', targets: ['wgsl'], seed: 1 } as const
  const { result } = await runJob({ kind: 'optimize', ...on, budget: 1 }, tools)
  const { points } = result as { points: [] }
  job = { kind: 'measure', ...on, on: 'browser', device: kind, candidates: [points] }
  emitted = (await runJob(emitJobFor(job)!, tools)).result as typeof emitted
})

interface Served {
  readonly farm: Farm
  readonly store: RecordStore
  readonly client: FarmClient
}

let made = 0
/** A farm with the job, whose kernels have been emitted. */
async function served(options: Partial<ServeOptions> = {}, place = join(folder, `${made++}.db`)): Promise<Served> {
  const store = await openStore(place)
  const quorum = { needed: 2, within: 1.25 }
  const farm = await serveFarm(store, { token: owner, host: '127.0.0.1', port: 0, quorum, ...options })
  ends.push(() => store.close())
  ends.push(() => farm.close())
  const client = new FarmClient({ url: farm.url, token: owner, patienceMs: 3000 })
  await client.add([{ key: jobKey(job, 'test'), kind: jobKindOf(job), compiler: 'test', body: job }])
  const leased = await client.lease({ worker: 'w', kinds: ['emit'], compiler: 'test' })
  await client.complete(leased.job!, 'w', emitted, 1)
  return { farm, store, client }
}

const invited = async ({ client }: Served, name: string, more: object = {}): Promise<string> =>
  (await client.invite({ name, device: kind, hours: 1, own: false, ...more })).token

type Answer = Readonly<Record<string, unknown>>
async function ask(farm: Farm, path: string, token: string, body: unknown): Promise<readonly [number, Answer]> {
  const response = await fetch(farm.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return [response.status, (await response.json()) as Answer]
}

const adapter = { vendor: 'acme', architecture: 'gpu-7', device: '', description: 'ACME GPU 7' }
interface Given {
  readonly key: string
  readonly trial: Trial
  readonly check: readonly { readonly array: string; readonly index: number }[]
}
const lease = async (farm: Farm, token: string): Promise<Given | null> => {
  const [status, body] = await ask(farm, '/v1/trials/lease', token, { adapter, browser: 'a test' })
  expect([status, body['error']]).toEqual([200, undefined])
  return body['trial'] as Given | null
}

/** What an honest page would say of it. */
function honest({ key, trial, check }: Given, ns = 5000) {
  const { x, y } = freshArrays(trial.plan.arrays, trial.values, trial.seed)
  const values = check.map(({ index }) => Math.fround(2 * Number(x![index]) + Number(y![index])))
  const timing = { ns, min: ns, spread: 0.01, samples: 9, repeats: 10, timer: 'timestamps', quantumNs: 1 }
  return { trial: key, adapter, browser: 'a test', ...timing, values }
}
const answer = (farm: Farm, token: string, body: object) => ask(farm, '/v1/trials/answer', token, body)

const outcome = async ({ client }: Served) => (await client.outcomes([jobKey(job, 'test')], 0))[0]!

describe('a quorum', () => {
  const said = (ns: number, more: Partial<TrialRecord> = {}): TrialRecord => ({
    key: `${ns}`,
    job: 'j',
    candidate: 0,
    invite: `i${ns}`,
    own: false,
    state: 'timed',
    began: 0,
    ready: 10,
    body: { ns, why: 'y[0] is 1', taken: 't' },
    ...more,
  })
  const of = { needed: 2, within: 1.25 }
  const wrong = (n: number): TrialRecord => said(n, { state: 'wrong' })

  test.each<[string, readonly TrialRecord[], object | undefined]>([
    ['nothing', [], undefined],
    ['one stranger', [said(100)], undefined],
    ['two that agree', [said(100), said(120)], { ns: 100, agreed: 2, of: 2 }],
    ['two that do not', [said(100), said(126)], undefined],
    ['two that agree and one that does not', [said(100), said(120), said(1)], { ns: 100, agreed: 2, of: 3 }],
    ['as many against as for', [said(100), said(101), said(1), said(2)], undefined],
    ['one of the owner', [said(100), said(7, { own: true })], { ns: 7, agreed: 1, of: 1 }],
    ['strangers against the owner', [said(1), said(1.1), said(7, { own: true })], { ns: 7 }],
    ['wrong results of two', [wrong(1), wrong(2)], { how: 'device', why: 'y[0] is 1' }],
    ['a wrong result and a time', [wrong(1), said(100)], undefined],
    ['two that could not', [said(1, { state: 'unbuilt' }), said(2, { state: 'unbuilt' })], { how: 'unbuilt' }],
    ['no end of disagreement', [1, 2, 4, 8, 16, 32].map((n) => said(n)), { how: 'unbuilt' }],
  ])('of %s', (_, trials, expected) => {
    const decided = decide(trials, of)
    if (expected) expect(decided).toMatchObject(expected)
    else expect(decided).toBeUndefined()
  })
  test('asks no more browsers than may be needed', () => {
    const leased = said(1, { state: 'leased', ready: 10 })
    expect(wantsMore([leased], of, 5)).toBe(true)
    expect(wantsMore([leased, said(2)], of, 5)).toBe(false)
    expect(wantsMore([leased, said(2)], of, 10)).toBe(true) // its lease is over
    expect(wantsMore([said(2), said(3)], of, 5)).toBe(true)
    expect(wantsMore([said(2), said(3), leased], of, 5)).toBe(false)
  })
})

const places: readonly (readonly [string, () => Promise<string | undefined>])[] = [
  ['SQLite', async () => undefined],
  ...(postgres ? [['PostgreSQL', () => postgres.fresh()] as const] : []),
]
if (!postgres) console.warn('no PostgreSQL server is installed: volunteers are tested on SQLite alone')

test.each(places)('two strangers that agree end a job, on %s; one does not', async (_, place) => {
  const all = await served({}, await place())
  const [one, two] = [await invited(all, 'one'), await invited(all, 'two')]
  const first = (await lease(all.farm, one))!
  expect(await answer(all.farm, one, honest(first, 5000))).toEqual([200, { taken: true }])
  expect(await lease(all.farm, one)).toBeNull() // not asked twice
  expect((await outcome(all)).state).toBe('waiting')
  expect((await all.store.counts()).readings).toBe(0)
  const second = (await lease(all.farm, two))!
  expect(await answer(all.farm, two, honest(second, 5500))).toEqual([200, { taken: true }])
  const { state, result, worker } = await outcome(all)
  expect([state, worker]).toEqual(['done', '2 browsers'])
  expect(result).toMatchObject({ device: kind, target: 'wgsl', measured: [{ ns: 5000, agreed: 2, of: 2, samples: 9 }] })
  const whole = { schema: 'tesela.result/1', key: jobKey(job, 'test'), compiler: 'test', job, result } as const
  expect(recordsOfResult(whole)).toMatchObject({ devices: [{ name: kind }], readings: [{ ns: 5000 }] })
})

test('a server that is started again takes the answers of trials that the one before gave out', async () => {
  const place = join(folder, 'again.db')
  const all = await served({}, place)
  const [one, two] = [await invited(all, 'one'), await invited(all, 'two')]
  const given = (await lease(all.farm, one))!
  await all.farm.close()
  const store = await openStore(place)
  const quorum = { needed: 2, within: 1.25 }
  const farm = await serveFarm(store, { token: owner, host: '127.0.0.1', port: 0, quorum })
  ends.push(() => store.close())
  ends.push(() => farm.close())
  expect(await answer(farm, one, honest(given))).toEqual([200, { taken: true }])
  await answer(farm, two, honest((await lease(farm, two))!))
  expect((await store.counts()).results).toBe(2) // what was emitted, and what was measured
})

test("a browser of the owner's ends a job alone", async () => {
  const all = await served()
  const token = await invited(all, 'desk', { own: true })
  await answer(all.farm, token, honest((await lease(all.farm, token))!))
  expect((await outcome(all)).result).toMatchObject({ measured: [{ ns: 5000, agreed: 1, of: 1 }] })
})

test('a job whose kernels cannot be emitted is given up with the reason', async () => {
  const store = await openStore(join(folder, 'dead.db'))
  const farm = await serveFarm(store, { token: owner, host: '127.0.0.1', port: 0 })
  ends.push(() => store.close())
  ends.push(() => farm.close())
  const client = new FarmClient({ url: farm.url, token: owner, patienceMs: 3000 })
  const queued = { key: jobKey(job, 'test'), kind: jobKindOf(job), compiler: 'test', body: job }
  await client.add([queued])
  const leased = await client.lease({ worker: 'w', kinds: ['emit'], compiler: 'test' })
  await client.fail(leased.job!, 'no such function', true)
  expect((await client.outcomes([queued.key], 0))[0]).toMatchObject({
    state: 'dead',
    why: 'what it needs was given up: no such function',
  })
})

test('what a page is given holds no program and no answers', async () => {
  const all = await served()
  const given = (await lease(all.farm, await invited(all, 'curious')))!
  const sent = JSON.stringify(given)
  expect(sent).toContain('@compute')
  expect(sent).not.toContain('void axpy')
  expect(sent).not.toContain('"value":' + JSON.stringify(emitted.candidates[0]!.samples[0]!.value))
  for (const variant of given.trial.plan.variants)
    for (const { kernel } of variant.launches) expect(kernel.body).toEqual([])
  expect(given.check.every((c) => Object.keys(c).join() === 'array,index')).toBe(true)
})

describe('tesela farm invite', () => {
  let farm: Farm
  let tokenFile = ''
  beforeAll(async () => {
    farm = (await served()).farm
    tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, owner)
  })
  const invite = (...args: string[]): Promise<{ readonly code: number | null; readonly out: string }> =>
    new Promise((done) => {
      const cli = [join(root, 'dist/cli.js'), 'farm', 'invite', '--url', farm.url, '--token-file', tokenFile]
      const child = spawn(process.execPath, [...cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      let out = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (out += String(part)))
      child.on('close', (code) => done({ code, out }))
    })

  test('prints a link that measures, and ends it', async () => {
    const { code, out } = await invite('--device', 'ACME GPU', '--name', 'desk', '--hours', '2')
    expect(code).toBe(0)
    expect(out).toContain("desk: measures on 'ACME GPU' and does nothing else, until ")
    const token = /\/measure#token=([0-9a-f]{48})$/m.exec(out)![1]!
    expect((await ask(farm, '/v1/trials/welcome', token, { adapter }))[1]).toMatchObject({ name: 'desk', device: kind })
    expect((await invite('--device', kind, '--name', 'desk')).out).toContain("there is an invitation called 'desk'")
    expect(await invite('--revoke', 'desk')).toEqual({ code: 0, out: 'desk may not measure any more\n' })
    expect((await ask(farm, '/v1/trials/welcome', token, { adapter }))[0]).toBe(403)
  })
  test.each<[string, readonly string[], string]>([
    ['nothing', [], 'an invitation is made for a --device, or ended with --revoke'],
    ['both', ['--device', 'a', '--revoke', 'b'], 'an invitation is made for a --device, or ended with --revoke'],
    ['a link that is not there', ['--revoke', 'b'], "there is no invitation called 'b'"],
    ['no hours', ['--device', 'a', '--hours', '0'], '--hours'],
    ['a strange name', ['--device', 'a', '--name', 'a\nb'], "'name' has 1 to 60 letters"],
  ])('of %s is one sentence and exit code 2', async (_, args, sentence) => {
    const { code, out } = await invite(...args)
    expect(code).toBe(2)
    expect(out).toContain(sentence)
  })
})

describe('a hostile page', () => {
  let all: Served
  beforeAll(async () => {
    all = await served()
  })
  let links = 0
  /** A link of its own with a trial, in a farm of its own: refusals count. */
  async function cheat(): Promise<{ readonly all: Served; readonly token: string; readonly given: Given }> {
    const own = await served()
    const token = await invited(own, 'cheat')
    return { all: own, token, given: (await lease(own.farm, token))! }
  }

  test.each<[string, (good: ReturnType<typeof honest>) => object, RegExp]>([
    ['a time of NaN', (good) => ({ ...good, ns: Number.NaN }), /are numbers that a timer can give/],
    ['a negative time', (good) => ({ ...good, ns: -1 }), /are numbers that a timer can give/],
    ['a time of 0', (good) => ({ ...good, ns: 0, min: 0 }), /are numbers that a timer can give/],
    ['a time that is a text', (good) => ({ ...good, ns: '5000' }), /are numbers that a timer can give/],
    ['a least time above the median', (good) => ({ ...good, min: 9000 }), /are numbers that a timer can give/],
    ['no samples', (good) => ({ ...good, samples: 0 }), /are numbers that a timer can give/],
    ['a time faster than any device', (good) => ({ ...good, ns: 1, min: 1 }), /1 ns is faster than any device can be/],
    ['a time longer than it had', (good) => ({ ...good, ns: 1e9, min: 1e9 }), /measured for 45000 ms, and had the/],
    [
      'a wrong result',
      (good) => ({ ...good, values: good.values.map((v, i) => (i === 7 ? v + 1 : v)) }),
      /y\[\d+\] is .* on cheat, not /,
    ],
    ['a result of NaN', (good) => ({ ...good, values: good.values.map(() => Number.NaN) }), /y\[\d+\] is NaN on cheat/],
    ['a result of nothing', (good) => ({ ...good, values: [] }), /'values' is a list of the 16 elements/],
    ['no result', ({ values: _, ...good }) => good, /'values' is a list of the 16 elements/],
  ])('with %s is found, and named', async (_, forge, sentence) => {
    const { all: own, token, given } = await cheat()
    const [status, body] = await answer(own.farm, token, forge(honest(given)))
    expect(status).toBe(422)
    expect(body['error']).toMatch(sentence)
    expect((await own.client.state()).invites).toMatchObject([{ name: 'cheat', faults: 1 }])
    expect((await outcome(own)).state).toBe('waiting')
    // and cannot try again
    expect((await answer(own.farm, token, honest(given)))[0]).toBe(409)
    expect(await lease(own.farm, token)).toBeNull()
  })

  test('that forged three answers is blocked, and its link is named', async () => {
    const own = await served()
    const token = await invited(own, 'liar')
    await own.store.database.run('UPDATE invites SET faults = 2')
    await answer(own.farm, token, { ...honest((await lease(own.farm, token))!), ns: -1 })
    const [status, body] = await ask(own.farm, '/v1/trials/lease', token, { adapter })
    expect(status).toBe(403)
    expect(body['error']).toMatch(/this link may not go on: .*numbers that a timer can give/)
    expect((await own.client.state()).invites).toMatchObject([
      { name: 'liar', faults: 3, blocked: expect.stringContaining('numbers that a timer can give') },
    ])
  })

  test('on another kind of device', async () => {
    const token = await invited(all, `link ${links++}`)
    const other = { adapter: { ...adapter, vendor: 'other', description: '' } }
    for (const path of ['/v1/trials/welcome', '/v1/trials/lease']) {
      const [status, body] = await ask(all.farm, path, token, other)
      expect(status).toBe(403)
      expect(body['error']).toBe("this link is for 'acme gpu', and the GPU of this browser calls itself 'other gpu-7'")
    }
    expect((await ask(all.farm, '/v1/trials/lease', token, {}))[1]['error']).toMatch(/does not say what it is/)
  })

  test("with a link for another kind gets no trial, and may not answer another's", async () => {
    const { all: own, given } = await cheat()
    const { token } = await own.client.invite({ name: 'phone', device: 'acme phone', hours: 1, own: false })
    const phone = { adapter: { ...adapter, architecture: 'phone' } }
    expect(await ask(own.farm, '/v1/trials/lease', token, phone)).toEqual([200, { trial: null }])
    for (const trial of [given.key, jobKey(job, 'test'), 'nothing', 7, undefined]) {
      const forged = { ...honest(given), ...phone, trial }
      const [status, body] = await answer(own.farm, token, forged)
      expect([status, body['error']]).toEqual([404, 'this trial was not given to this link'])
    }
    expect(await own.store.database.all("SELECT key FROM trials WHERE state <> 'leased'")).toEqual([])
  })

  test('that answers twice, or too late, or after the job has ended', async () => {
    const own = await served({ queue: { leaseMs: 50 } })
    const [a, b, c] = [await invited(own, 'a'), await invited(own, 'b'), await invited(own, 'c')]
    const late = (await lease(own.farm, a))!
    await new Promise((done) => setTimeout(done, 200))
    expect((await answer(own.farm, a, honest(late)))[1]['error']).toBe(
      'this trial took too long and was given to others',
    )
    const [first, second] = [(await lease(own.farm, b))!, (await lease(own.farm, c))!]
    await answer(own.farm, b, honest(first))
    expect((await answer(own.farm, b, honest(first)))[1]['error']).toBe('this trial has been answered already')
    await answer(own.farm, c, honest(second))
    expect((await outcome(own)).state).toBe('done')
    await own.store.database.run(`UPDATE trials SET state = 'leased', ready = 1e15 WHERE key = '${late.key}'`)
    expect(await answer(own.farm, a, honest(late))).toEqual([409, { error: 'the job of this trial has ended' }])
  })

  test('that lets its trials lapse does not keep others from them', async () => {
    const own = await served({ queue: { leaseMs: 150 } })
    const token = await invited(own, 'hog')
    for (let i = 0; i < 3; i++) expect(await lease(own.farm, token)).not.toBeNull()
    expect(await lease(own.farm, token)).toBeNull()
    await new Promise((done) => setTimeout(done, 800)) // its last one has lapsed, too
    for (const name of ['x', 'y']) {
      const other = await invited(own, name)
      await answer(own.farm, other, honest((await lease(own.farm, other))!))
    }
    expect((await outcome(own)).state).toBe('done')
  })

  test('with a link that is over, revoked or not there', async () => {
    const token = await invited(all, 'short')
    await all.store.database.run("UPDATE invites SET expires = 1 WHERE name = 'short'")
    const over = await ask(all.farm, '/v1/trials/lease', token, { adapter })
    expect(over).toEqual([401, { error: 'this link was good until 1970-01-01T00:00:00.001Z' }])
    const revoked = await invited(all, 'revoked')
    await all.client.revoke('revoked')
    expect((await ask(all.farm, '/v1/trials/lease', revoked, { adapter }))[1]['error']).toMatch(/it was revoked/)
    await expect(all.client.revoke('nobody')).rejects.toThrow("there is no invitation called 'nobody'")
    expect(await ask(all.farm, '/v1/trials/lease', 'x'.repeat(48), {})).toEqual([401, { error: 'the token is wrong' }])
  })

  test('that uses its token for anything else', async () => {
    const token = await invited(all, `link ${links++}`)
    for (const path of ['jobs', 'lease', 'renew', 'complete', 'fail', 'outcomes', 'invites', 'invites/revoke']) {
      const refused = await ask(all.farm, `/v1/${path}`, token, { keys: ['a'], jobs: [] })
      expect(refused).toEqual([403, { error: 'the token of a link may measure, and nothing else' }])
    }
    for (const path of ['/v1/state', '/metrics', '/v1/nothing']) {
      const response = await fetch(all.farm.url + path, { headers: { authorization: `Bearer ${token}` } })
      expect(response.status).toBe(403)
    }
    expect((await ask(all.farm, '/v1/trials/lease', owner, { adapter }))[1]['error']).toMatch(/does not measure/)
  })

  test('with huge bodies, or none', async () => {
    const token = await invited(all, `link ${links++}`)
    const huge = ask(all.farm, '/v1/trials/answer', token, { failed: 'x'.repeat(100_000) })
    const cut = [413, { error: 'a request has at most 65536 bytes' }] as const
    expect(await huge.catch(() => cut)).toEqual(cut)
    expect((await ask(all.farm, '/v1/trials/answer', token, '[1]'))[0]).toBe(400)
  })

  test('of another origin is not let in by the browser: the farm allows none', async () => {
    const response = await fetch(`${all.farm.url}/v1/trials/lease`, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.test', 'access-control-request-headers': 'authorization' },
    })
    expect(response.ok).toBe(false)
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    const page = await fetch(`${all.farm.url}/measure`)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/)
    expect(policy).not.toContain('unsafe')
    const script = await (await fetch(`${all.farm.url}/measure.js`)).text()
    expect(script.length).toBeLessThan(40_000) // no compiler is in it
  })
})
