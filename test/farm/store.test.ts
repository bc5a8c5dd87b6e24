// The store: what is added is there once, in SQLite and on a PostgreSQL server where one is installed; exports come
// back the same; damaged files, full disks and newer stores are one sentence.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../src/base/index.ts'
import {
  addLines,
  candidateRecord,
  deviceRecord,
  openStore,
  programRecord,
  readingRecord,
  storeLines,
  verdictRecord,
  type Records,
  type RecordStore,
} from '../../src/store/index.ts'
import { postgresHere } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'tesela-store-'))
const postgres = await postgresHere()
afterAll(() => postgres?.stop())

let made = 0
const places: readonly (readonly [string, () => Promise<string>])[] = [
  ['SQLite', async () => join(folder, `${made++}.db`)],
  ...(postgres ? [['PostgreSQL', () => postgres.fresh()] as const] : []),
]
if (!postgres) console.warn('no PostgreSQL server is installed: the store is tested on SQLite alone')

const program = programRecord({ language: 'c', name: 'gemm', body: { text: 'void gemm() {}' } })
const candidates = [1, 2].map((tile) =>
  candidateRecord({ program: program.key, target: 'wgsl', choice: [{ tile, 'ünï "\u0000': -0.5 }] }),
)
const devices = ['one', 'two'].map((name) => deviceRecord({ name, driver: '1.2', toggles: ['a', 'b'] }))
const reading = (candidate: number, device: number, ns: number, day: number) =>
  readingRecord({
    candidate: candidates[candidate]!.key,
    device: devices[device]!.key,
    ns,
    spread: day === 1 ? null : 0.01,
    samples: 9,
    taken: `2026-01-0${day}T00:00:00.000Z`,
    body: { timer: 'timestamps' },
  })
const records: Records = {
  programs: [program],
  candidates,
  devices,
  verdicts: [verdictRecord({ candidate: candidates[0]!.key, ok: false, body: { why: 'it computes something else' } })],
  readings: [reading(0, 0, 1.5, 1), reading(0, 0, 2.5, 2), reading(1, 0, 7, 1), reading(1, 1, 1e9, 1)],
  results: [{ key: 'r', kind: 'search', compiler: 'x', body: { ns: 0.1 + 0.2 } }],
}

const withoutKey = <T extends { readonly key: string }>({ key: _, ...content }: T): Omit<T, 'key'> => content

const linesOf = async (store: RecordStore): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of storeLines(store)) lines.push(line)
  return lines
}
const sentence = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (e: unknown) => e,
  )
  expect(error).toBeInstanceOf(DiagnosticError)
  return (error as DiagnosticError).diagnostics[0]!.message
}

describe.each(places)('a store in %s', (_, place) => {
  test('has what is added once, however often and by whom it is added', async () => {
    const where = await place()
    const [a, b] = await Promise.all([openStore(where), openStore(where)])
    const added = await Promise.all([a.add(records), b.add(records), a.add(records)])
    expect(added.reduce((x, y) => x + y)).toBe(11)
    expect(await b.counts()).toEqual({ programs: 1, candidates: 2, devices: 2, verdicts: 1, readings: 4, results: 1 })
    const found = await a.readings(devices[0]!.key)
    expect(found.map((f) => f.reading)).toEqual(
      [records.readings![0], records.readings![2], records.readings![1]].sort((x, y) =>
        x!.taken + x!.key < y!.taken + y!.key ? -1 : 1,
      ),
    )
    expect(found[0]!.program).toEqual(program)
    expect(candidates).toContainEqual(found[0]!.candidate)
    expect((await a.results(['r', 's'])).get('r')).toEqual({ ns: 0.1 + 0.2 })
    expect((await a.devices()).map((d) => [d.name, d.readings])).toEqual([
      ['one', 3],
      ['two', 1],
    ])
    expect((await a.programs())[0]).toMatchObject({ name: 'gemm', candidates: 2, readings: 4 })
    expect(await b.find(program.key.slice(0, 12))).toEqual([{ table: 'programs', record: program }])
    await Promise.all([a.close(), b.close()])
  })

  test('comes back the same from its export, and again adds nothing', async () => {
    const [from, to] = [await openStore(await place()), await openStore(await place())]
    await from.add(records)
    const lines = await linesOf(from)
    expect(await addLines(to, lines, 'x')).toBe(11)
    expect(await addLines(to, lines, 'x')).toBe(0)
    expect(await linesOf(to)).toEqual(lines)
    await Promise.all([from.close(), to.close()])
  })

  test('says of a device what is newest, and gives one program out with all that is known of it', async () => {
    const [store, to] = [await openStore(await place()), await openStore(await place())]
    await store.add(records)
    const other = programRecord({ language: 'c', name: 'other', body: null })
    const candidate = candidateRecord({ program: other.key, target: 'cuda', choice: 7 })
    const body = { ...records.readings![0]!, candidate: candidate.key, device: devices[1]!.key }
    await store.add({ programs: [other], candidates: [candidate], readings: [readingRecord(withoutKey(body))] })
    const [one, two] = await store.newest(devices.map((d) => d.key))
    expect(one).toEqual(
      new Map([
        [candidates[0]!.key, { program: program.key, ns: 2.5 }],
        [candidates[1]!.key, { program: program.key, ns: 7 }],
      ]),
    )
    expect(two!.get(candidates[1]!.key)).toEqual({ program: program.key, ns: 1e9 })
    expect(await store.choices([candidate.key, 'nothing'])).toEqual(new Map([[candidate.key, 7]]))
    expect((await store.programNames()).get(other.key)).toBe('other')
    const lines: string[] = []
    for await (const line of storeLines(store, other.key)) lines.push(line)
    expect(await addLines(to, lines, 'x')).toBe(4) // with the one device that it was measured on
    expect((await to.devices()).map((d) => [d.name, d.readings])).toEqual([['two', 1]])
    expect((await to.programs()).map((p) => [p.name, p.candidates, p.readings])).toEqual([['other', 1, 1]])
    await Promise.all([store.close(), to.close()])
  })

  test('keeps count of its readings, whoever adds them and whatever goes', async () => {
    const where = await place()
    const [a, b] = await Promise.all([openStore(where), openStore(where)])
    const more = Array.from({ length: 300 }, (_, i) => reading(i % 2, i % 2, i + 100, 1 + (i % 9)))
    await Promise.all([a.add(records), b.add(records), a.add({ ...records, readings: more }), b.add({ readings: [] })])
    const check = async (): Promise<void> => {
      const [row] = await a.database.all('SELECT COUNT(*) AS n FROM readings')
      expect((await a.counts()).readings).toBe(Number(row!['n']))
      const kept = await a.database.all('SELECT program, device, readings, last FROM tallies ORDER BY device')
      const counted = await a.database.all(
        `SELECT c.program, r.device, COUNT(*) AS readings, MAX(r.taken) AS last FROM readings r
         JOIN candidates c ON c.key = r.candidate GROUP BY c.program, r.device ORDER BY r.device`,
      )
      expect(kept.map((r) => ({ ...r, readings: Number(r['readings']) }))).toEqual(
        counted.map((r) => ({ ...r, readings: Number(r['readings']) })),
      )
    }
    await check()
    expect(await a.prune({ keep: 2 })).toBeGreaterThan(200)
    await check()
    await a.prune({ before: '2026-01-05' })
    await check()
    await Promise.all([a.close(), b.close()])
  })

  test('is pruned by age and number, and of what nothing is left of', async () => {
    const store = await openStore(await place())
    await store.add(records)
    expect(await store.prune({ keep: 1 })).toBe(1)
    expect((await store.readings(devices[0]!.key)).map((f) => f.reading.ns).sort()).toEqual([2.5, 7])
    expect(await store.prune({ compiler: 'y' })).toBe(1)
    await store.prune({ before: '2026-01-02' })
    // of the second candidate nothing is left, of the second device neither
    expect(await store.counts()).toEqual({
      programs: 1,
      candidates: 1,
      devices: 1,
      verdicts: 1,
      readings: 1,
      results: 0,
    })
    await store.close()
  })

  test('takes all of a transaction or nothing', async () => {
    const store = await openStore(await place())
    const broken = { ...records, readings: [{ ...records.readings![0]!, samples: null as unknown as number }] }
    await expect(store.add(broken)).rejects.toThrow()
    expect(Object.values(await store.counts())).toEqual([0, 0, 0, 0, 0, 0])
    await store.close()
  })

  test('of a newer Tesela is refused', async () => {
    const where = await place()
    const store = await openStore(where)
    await store.database.run('UPDATE tesela_store SET version = 99')
    await store.close()
    expect(await sentence(openStore(where))).toMatch(/was made by a newer Tesela \(tables of version 99\)/)
  })
})

describe('what cannot be a store is one sentence', () => {
  test('a file of something else', async () => {
    const path = join(folder, 'text.db')
    writeFileSync(path, 'this is a text, and no database\n'.repeat(200))
    expect(await sentence(openStore(path))).toContain('is no store, or a damaged one')
  })
  test('a damaged file', async () => {
    const path = join(folder, 'damaged.db')
    const store = await openStore(path)
    await store.add(records)
    await store.close()
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 4096)
    writeFileSync(path, bytes)
    expect(await sentence(openStore(path).then((s) => s.counts()))).toContain('is no store, or a damaged one')
  })
  test('a place that is not there', async () => {
    expect(await sentence(openStore(join(folder, 'no/such/folder.db')))).toContain('cannot be opened')
    expect(await sentence(openStore('postgres://nobody@127.0.0.1:1/x'))).toMatch(
      /postgres:\/\/127.0.0.1:1\/x cannot be/,
    )
  })
  test('a full disk; what was there before is still there', async () => {
    const store = await openStore(join(folder, 'full.db'))
    await store.add(records)
    const [row] = await store.database.all('PRAGMA page_count')
    await store.database.all(`PRAGMA max_page_count = ${Number(row!['page_count']) + 2}`)
    const much = Array.from({ length: 2000 }, (_, i) => ({
      key: `k${i}`,
      kind: 'x',
      compiler: 'x',
      body: 'y'.repeat(99),
    }))
    expect(await sentence(store.add({ results: much }))).toContain('cannot be written: the disk is full')
    expect((await store.counts()).results).toBe(1)
    await store.close()
  })
  test.each([
    ['no header', ['{}'], 'x:1: this is no export of a store (tesela.store/1)'],
    ['no JSON', ['{"schema":"tesela.store/1"}', '{'], 'x:2: this is no line of JSON'],
    ['no table', ['{"schema":"tesela.store/1"}', '{"table":"jobs"}'], "x:2: there is no table 'jobs'"],
    [
      'another key than that of the contents',
      [
        '{"schema":"tesela.store/1"}',
        JSON.stringify({ table: 'readings', record: { ...records.readings![0], ns: 1 } }),
      ],
      'x:2: the key of this record is not that of its contents',
    ],
  ])('an export with %s', async (_, lines, expected) => {
    const store = await openStore(join(folder, 'lines.db'))
    expect(await sentence(addLines(store, lines, 'x'))).toBe(expected)
    await store.close()
  })
})
