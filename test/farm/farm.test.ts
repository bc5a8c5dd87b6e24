// The farm over HTTP: the same answer from one worker, from several and from none; a worker that lies is named; who has
// no token, asks too much or sends nonsense is refused.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  jobFailureOf,
  FarmClient,
  farmMeasurer,
  farmScorer,
  jobKey,
  jobKindOf,
  kindsOfProcessor,
  metricsText,
  readProgram,
  runJob,
  serveFarm,
  workOn,
  type Farm,
  type Job,
  type SlotResult,
} from '../../src/farm/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { openStore } from '../../src/store/index.ts'
import { optimize, scorerOf, type Measurer, type Optimized, type OptimizeOptions } from '../../src/tune/index.ts'
import { tools } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'tesela-farm-'))
const token = 'a token for this test'
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

async function farmHere(name: string, options: object = {}): Promise<Farm> {
  const store = await openStore(join(folder, `${name}.db`))
  const farm = await serveFarm(store, { token: token.replace(/ /g, '-'), host: '127.0.0.1', port: 0, ...options })
  ends.push(() => store.close())
  ends.push(() => farm.close())
  return farm
}
const clientOf = (farm: Farm): FarmClient =>
  new FarmClient({ url: farm.url, token: token.replace(/ /g, '-'), patienceMs: 5000 })

const ordinary = async (body: unknown): Promise<SlotResult> =>
  runJob(body as Job, tools).then(({ result }) => ({ result }), jobFailureOf)

/** So many workers in this process, until `work` is done. */
const withWorkers = <T>(
  farm: Farm,
  count: number,
  work: () => Promise<T>,
  run: (body: unknown) => Promise<SlotResult> = ordinary,
): Promise<T> =>
  withLoops(
    farm,
    Array.from({ length: count }, () => ({ kinds: kindsOfProcessor, run })),
    work,
  )

/** What a worker of this process does, and how. */
interface Loop {
  readonly kinds: readonly string[]
  run(body: unknown): Promise<SlotResult>
}

async function withLoops<T>(farm: Farm, all: readonly Loop[], work: () => Promise<T>): Promise<T> {
  let over = false
  const loops = all.map(({ kinds, run }, i) =>
    workOn({
      client: clientOf(farm),
      name: `worker ${i}`,
      compiler: tools.compiler,
      kinds,
      run,
      isOver: () => over,
    }),
  )
  try {
    return await work()
  } finally {
    over = true
    // wakes who waits for a job
    await clientOf(farm).add(
      all.map(({ kinds }, i) => ({ key: `end ${i}`, kind: kinds[0]!, compiler: tools.compiler, body: {} })),
    )
    await Promise.all(loops)
  }
}

const source = `void f(int n, int m, const float a[n][m], float s[n], float t[m]) {
  for (int i = 0; i < n; i++) { s[i] = 0; for (int j = 0; j < m; j++) s[i] += a[i][j]; }
  for (int j = 0; j < m; j++) { t[j] = 0; for (int i = 0; i < n; i++) t[j] += a[i][j] * 2.0f; }
}`
const given = { name: 'f.c', text: source, defines: { n: '512', m: '512' } }
const options: OptimizeOptions = { gpu: gpu('h200'), targets: ['wgsl'], budget: 8, seed: 3 }
const chosen = (o: Optimized) => [o.points, o.kernels.map((k) => k.prediction.ns), o.search.predicted]

/** A device that is called so each time it is opened, and has small blocks done fast; `said`: times that it gave. */
function deviceLoop(name: () => string, said: number[]): Loop {
  const open = async (): Promise<Measurer> => ({
    name: name(),
    target: 'wgsl',
    run: async (_, { sizes }, arrays) => {
      const [n, m] = [sizes['n']!, sizes['m']!],
        a = arrays['a']!
      const at = (i: number, j: number): number => Number(a[i * m + j])
      const sum = (count: number, of: (i: number) => number): number =>
        Array.from({ length: count }, (_v, i) => of(i)).reduce((x, y) => x + y, 0)
      return {
        s: Float32Array.from({ length: n }, (_v, i) => sum(m, (j) => at(i, j))),
        t: Float32Array.from({ length: m }, (_v, j) => sum(n, (i) => 2 * at(i, j))),
      }
    },
    time: async (plan) => {
      const threads = plan.variants[0]!.launches.map(({ kernel: { block } }) => block[0] * block[1] * block[2])
      const ns = threads.reduce((x, y) => x + y, 0)
      said.push(ns)
      return { ns, min: ns, spread: 0, samples: 9, repeats: 1, timer: 'timestamps', quantumNs: 0 }
    },
    close: () => {},
  })
  const run = (body: unknown): Promise<SlotResult> =>
    runJob(body as Job, { ...tools, measurer: open }).then(({ result }) => ({ result }), jobFailureOf)
  return { kinds: ['measure webgpu'], run }
}

describe('optimize on a farm', () => {
  test('finds the same with one worker, with three and with none', async () => {
    const program = await readProgram(given, options.targets, tools.wasm)
    const here = scorerOf(program, options)
    const expected = chosen(await optimize(program, { ...options, score: async (asked) => here(asked) }))
    for (const workers of [1, 3]) {
      const farm = await farmHere(`same${workers}`)
      const score = farmScorer(program, options, { client: clientOf(farm), compiler: tools.compiler, program: given })
      const found = await withWorkers(farm, workers, () => optimize(program, { ...options, score }))
      expect(chosen(found)).toEqual(expected)
    }
  })

  test('names a worker that praises what is not fast', async () => {
    const program = await readProgram(given, options.targets, tools.wasm)
    const farm = await farmHere('lie')
    const score = farmScorer(program, options, { client: clientOf(farm), compiler: tools.compiler, program: given })
    const lying = async (body: unknown): Promise<SlotResult> => {
      const done = await ordinary(body)
      const scored = 'result' in done ? (done.result as { scored?: { ns: number | null }[] }).scored : undefined
      return scored ? { result: { scored: scored.map((s) => ({ ...s, ns: (s.ns ?? 1) / 2 })) } } : done
    }
    await expect(withWorkers(farm, 1, () => optimize(program, { ...options, score }), lying)).rejects.toThrow(
      /the worker worker 0 of the farm predicts .* ns for a point of f that has/,
    )
  })

  test('measures its candidates on the device of a worker, and takes the fastest there', async () => {
    const program = await readProgram(given, options.targets, tools.wasm)
    const farm = await farmHere('measured')
    const client = { client: clientOf(farm), compiler: tools.compiler, program: given }
    const said: number[] = []
    const loops = [{ kinds: kindsOfProcessor, run: ordinary }, deviceLoop(() => 'a device', said)]
    const found = await withLoops(farm, loops, () =>
      optimize(program, {
        ...options,
        score: farmScorer(program, options, client),
        measure: farmMeasurer('webgpu', options, client),
      }),
    )
    expect(found.measuredOn).toBe('a device')
    expect(found.search.measured).toBeGreaterThan(1)
    expect(found.ladder.map((row) => row.measured?.ns)).toEqual(said.slice(0, found.ladder.length))
    expect(new Set(said).size).toBeGreaterThan(1)
    expect(found.measured?.ns).toBe(Math.min(...said.slice(found.ladder.length)))
    const { counts } = await clientOf(farm).state()
    // its candidates together, each rung and the chosen one by themselves, as far as they are others
    expect(counts).toContainEqual({ kind: 'measure webgpu', state: 'done', jobs: expect.any(Number) as number })
  })

  test('does not compare times of two devices', async () => {
    const program = await readProgram(given, options.targets, tools.wasm)
    const farm = await farmHere('two-devices')
    const measure = farmMeasurer('webgpu', options, {
      client: clientOf(farm),
      compiler: tools.compiler,
      program: given,
    })
    let jobs = 0
    const loops = [deviceLoop(() => `device ${jobs++}`, [])]
    await expect(withLoops(farm, loops, () => optimize(program, { ...options, measure }))).rejects.toThrow(
      'the farm measures on device 0 and on device 1',
    )
  })

  test('names the job that fails for good, and tries again one whose process ended', async () => {
    const farm = await farmHere('dead', { queue: { backOffMs: 5 } })
    const bodies: Job[] = [
      { kind: 'simulate', study: 'offset', gpu: 'gt200', series: 0, point: 1 },
      { kind: 'simulate', study: 'nothing', gpu: 'gt200', series: 0, point: 0 },
    ]
    const queued = bodies.map((job) => ({
      key: jobKey(job, 'test'),
      kind: jobKindOf(job),
      compiler: 'test',
      body: job,
    }))
    let runs = 0
    const outcomes = await withWorkers(
      farm,
      1,
      () => clientOf(farm).run(queued),
      async (body) => {
        const isFirst = (body as { study?: string }).study === 'offset' && runs++ === 0
        return isFirst ? { why: 'its process ended', final: false } : ordinary(body)
      },
    )
    expect(outcomes).toMatchObject([
      { state: 'done', attempts: 2 },
      { state: 'dead', attempts: 1, why: "there is no experiment 'nothing'" },
    ])
    const state = await clientOf(farm).state()
    expect(state.dead.map((j) => j.why)).toContain("there is no experiment 'nothing'")
    expect(metricsText(state)).toMatch(/^tesela_farm_jobs\{kind="simulate",state="done"\} 1$/m)
  })
})

test('a full disk: who asks waits, and nothing that was taken is lost', async () => {
  const store = await openStore(join(folder, 'full.db'))
  const farm = await serveFarm(store, { token: token.replace(/ /g, '-'), host: '127.0.0.1', port: 0 })
  ends.push(() => store.close())
  ends.push(() => farm.close())
  const client = clientOf(farm)
  const job = (key: string, body: unknown) => ({ key, kind: 'search', compiler: 'x', body })
  await client.add([job('before', 1)])
  const [pages] = await store.database.all('PRAGMA page_count')
  const limit = (more: number) => store.database.all(`PRAGMA max_page_count = ${Number(pages!['page_count']) + more}`)
  await limit(2)
  const large = Array.from({ length: 50 }, (_, i) => job(`large ${i}`, 'y'.repeat(9000)))
  const refused = fetch(`${farm.url}/v1/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.replace(/ /g, '-')}` },
    body: JSON.stringify({ jobs: large }),
  })
  expect([(await refused).status, await (await refused).json()]).toEqual([
    503,
    { error: expect.stringContaining('cannot be written: the disk is full') },
  ])
  let isThere = false
  const added = client.add(large).then(() => {
    isThere = true
  })
  await new Promise((done) => setTimeout(done, 300))
  expect(isThere).toBe(false)
  expect((await client.outcomes(['before', 'large 0'], 0)).map((o) => o.key)).toEqual(['before'])
  await limit(10_000)
  await added
  expect(
    await client.outcomes(
      large.map((j) => j.key),
      0,
    ),
  ).toHaveLength(50)
})

describe('who is refused', () => {
  const ask = async (farm: Farm, path: string, init: RequestInit = {}, given = token.replace(/ /g, '-')) => {
    const headers = given === '' ? {} : { authorization: `Bearer ${given}` }
    const response = await fetch(farm.url + path, { ...init, headers })
    return [response.status, await response.text()] as const
  }
  const post = (body: string): RequestInit => ({ method: 'POST', body })

  test('without a token or with a wrong one', async () => {
    const farm = await farmHere('token')
    for (const path of ['/v1/state', '/metrics', '/v1/nothing']) {
      expect((await ask(farm, path, {}, ''))[0]).toBe(401)
      expect((await ask(farm, path, {}, 'wrong'))[0]).toBe(401)
    }
    expect((await ask(farm, '/v1/jobs', post('{'), 'wrong'))[0]).toBe(401)
    const [status, page] = await ask(farm, '/', {}, '')
    expect([status, page.includes(token.replace(/ /g, '-'))]).toEqual([200, false])
    await expect(new FarmClient({ url: farm.url, token: 'wrong' }).state()).rejects.toThrow('the token is wrong')
  })
  test.each<[string, string, number, RegExp]>([
    ['no JSON', '{', 400, /object in JSON/],
    ['a list', '[]', 400, /object in JSON/],
    ['no jobs', '{"jobs":[]}', 400, /'jobs' is a list/],
    ['a job of nothing', '{"jobs":[null]}', 400, /a job is an object/],
    ['a job without a key', '{"jobs":[{"kind":"search"}]}', 400, /'key' is a text/],
    ['more than is allowed', `{"jobs":"${'x'.repeat(20_000)}"}`, 413, /at most 10000 bytes/],
  ])('with %s', async (_, body, status, sentence) => {
    const farm = await farmHere(`body${Math.random()}`, { limits: { bodyBytes: 10_000 } })
    const answer = await ask(farm, '/v1/jobs', post(body)).catch(() => [413, 'at most 10000 bytes'] as const) // cut off
    expect(answer[0]).toBe(status)
    expect(answer[1]).toMatch(sentence)
  })
  test('who asks too often, or guesses tokens', async () => {
    const farm = await farmHere('often', { limits: { perSecond: 1, burst: 150 } })
    expect((await ask(farm, '/v1/state', {}, 'guess one'))[0]).toBe(401)
    expect((await ask(farm, '/v1/state', {}, 'guess two'))[0]).toBe(401)
    expect((await ask(farm, '/v1/state'))[0]).toBe(429)
  })
  test('on a port that is taken', async () => {
    const farm = await farmHere('first')
    await expect(farmHere('second', { port: Number(new URL(farm.url).port) })).rejects.toThrow(/port \d+ is taken/)
  })
})
