// The queue in a store, at times that the test gives: leases that end, back-off, jobs that are given up, results that
// come late or twice.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openStore, Queue, type QueuedJob, type RecordStore } from '../../src/store/index.ts'
import { postgresHere } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'tesela-queue-'))
const postgres = await postgresHere()
afterAll(() => postgres?.stop())
if (!postgres) console.warn('no PostgreSQL server is installed: the queue is tested on SQLite alone')

let made = 0
const places: readonly (readonly [string, () => Promise<string>])[] = [
  ['SQLite', async () => join(folder, `${made++}.db`)],
  ...(postgres ? [['PostgreSQL', () => postgres.fresh()] as const] : []),
]
const options = { leaseMs: 100, attempts: 3, backOffMs: 10 }
const job = (key: string, kind = 'search'): QueuedJob => ({ key, kind, compiler: 'x', body: { of: key } })
const wanted = { worker: 'w', kinds: ['search'], compiler: 'x' }
const result = (key: string, body: unknown = 1) => ({ key, kind: 'search', compiler: 'x', body })

describe.each(places)('a queue in %s', (_, place) => {
  const open = async (): Promise<[Queue, RecordStore]> => {
    const store = await openStore(await place())
    return [new Queue(store, options), store]
  }

  test('leases the oldest job that a worker can do, each to one', async () => {
    const [queue, store] = await open()
    await queue.add([job('b')], 1)
    await queue.add([job('a'), job('m', 'measure cuda'), { ...job('other'), compiler: 'y' }, job('b')], 2)
    const leased = await Promise.all([1, 2, 3].map((n) => queue.lease(wanted, `l${n}`, 5)))
    expect(leased.map((l) => l?.key ?? null).sort()).toEqual(['a', 'b', null].sort())
    // Which of them is first is the database's to say.
    expect(leased.find((l) => l?.key === 'b')).toMatchObject({ attempt: 1, body: { of: 'b' } })
    expect(await queue.lease({ ...wanted, kinds: ['measure cuda'] }, 'l', 5)).toMatchObject({ key: 'm' })
    await store.close()
  })

  test('takes a job back from who is not heard of, with longer pauses, and gives up at last', async () => {
    const [queue, store] = await open()
    await queue.add([job('a')], 0)
    expect(await queue.lease(wanted, 'l1', 0)).toMatchObject({ attempt: 1 })
    expect(await queue.renew('a', 'l1', 90)).toBe(true)
    expect(await queue.lease(wanted, 'l2', 150)).toBeNull()
    expect(await queue.lease(wanted, 'l2', 190)).toBeNull() // it is over, and waits for 10
    expect(await queue.renew('a', 'l1', 195)).toBe(false)
    expect(await queue.lease(wanted, 'l2', 200)).toMatchObject({ attempt: 2 })
    expect(await queue.fail('a', 'l2', 'no memory', false, 210)).toBe(true)
    expect(await queue.fail('a', 'l2', 'no memory', false, 210)).toBe(false)
    expect(await queue.lease(wanted, 'l3', 229)).toBeNull()
    expect(await queue.lease(wanted, 'l3', 230)).toMatchObject({ attempt: 3 })
    expect(await queue.lease(wanted, 'l4', 400)).toBeNull()
    expect(await queue.outcomes(['a'])).toMatchObject([
      { state: 'dead', attempts: 3, why: 'w was not heard of any more' },
    ])
    expect(await queue.named('dead', 5)).toHaveLength(1)
    await queue.add([job('a')], 500)
    expect(await queue.lease(wanted, 'l5', 500)).toMatchObject({ attempt: 1 })
    await store.close()
  })

  test('gives up at once what fails for good', async () => {
    const [queue, store] = await open()
    await queue.add([job('a')], 0)
    await queue.lease(wanted, 'l', 0)
    await queue.fail('a', 'l', 'no such function', true, 1)
    expect(await queue.outcomes(['a'])).toMatchObject([{ state: 'dead', why: 'no such function' }])
    await store.close()
  })

  test('has one result of a job, however often and late it comes, and none of what is no job', async () => {
    const [queue, store] = await open()
    await queue.add([job('a')], 0)
    await queue.lease(wanted, 'l', 0)
    await queue.lease(wanted, 'l2', 300) // another would have it now, after a pause
    const taken = await Promise.all([
      queue.complete(result('a', 'first'), 'w', 1),
      queue.complete(result('a', 'second'), 'v', 1),
    ])
    expect(taken).toEqual([true, false])
    expect(await queue.complete(result('nothing'), 'w', 1)).toBe(false)
    expect(await queue.complete({ ...result('a'), kind: 'prove' }, 'w', 1)).toBe(false)
    expect(await queue.outcomes(['a'])).toMatchObject([{ state: 'done', result: 'first', worker: 'w' }])
    expect((await store.counts()).results).toBe(1)
    await queue.add([job('a')], 400)
    expect(await queue.lease(wanted, 'l3', 400)).toBeNull()
    await store.close()
  })

  test('knows what the store knows', async () => {
    const [queue, store] = await open()
    await store.add({ results: [result('a', 'known')] })
    await queue.add([job('a')], 0)
    expect(await queue.outcomes(['a'])).toMatchObject([{ state: 'done', result: 'known' }])
    expect(await queue.counts()).toEqual([{ kind: 'search', state: 'done', jobs: 1 }])
    await store.close()
  })
})
