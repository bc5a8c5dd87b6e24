// Tuning on a device: the timer's quantum, candidates that are wrong, what is kept and used again; and where it is
// kept.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeHere, type Gpu, type Store } from '../../src/kernels/index.ts'
import { cases } from '../../src/kernels/tune/cases.ts'
import { Bench, meterOf, type Meter } from '../../src/kernels/tune/meter.ts'
import { describe as named } from '../../src/kernels/tune/known-choices.ts'
import { tuned, wrongElement } from '../../src/kernels/tune/tune.ts'
import { openSoftware } from './language.ts'
import { someOf } from '../support/long.ts'

const folder = mkdtempSync(join(tmpdir(), 'tesela-tune-'))
let gpu: Gpu, store: Store
beforeAll(async () => {
  gpu = await openSoftware()
  store = (await storeHere(folder))!
}) // Node has files
afterAll(() => {
  gpu.dispose()
  rmSync(folder, { recursive: true })
})

describe('the cases', () => {
  test.each(someOf(cases(true).map((c) => [c.name, c] as const)))('%s is what it says, in float64', async (_, c) => {
    const prepared = c.prepare(gpu.core)
    expect(await wrongElement(gpu.core, prepared)).toBeNull()
    prepared.dispose()
  })
  test('names are different, sizes of large devices do not pass 1.1 GB', () => {
    for (const software of [true, false]) {
      const all = cases(software)
      expect(new Set(all.map((c) => c.name)).size).toBe(all.length)
      for (const c of all) expect(c.bytes).toBeLessThan(1.1e9)
    }
  })
})

test('what is wrong is found: elements that are not written, and wrong ones', async () => {
  const [c] = cases(true),
    prepared = c!.prepare(gpu.core) // there are cases
  expect(
    await wrongElement(gpu.core, {
      ...prepared,
      expected: (i) => ({ ...prepared.expected(i), value: prepared.expected(i).value + 1e-3 }),
    }),
  ).toMatch(/element \d+ is .* and must be/)
  expect(await wrongElement(gpu.core, { ...prepared, run: () => gpu.fill([64, 64], 3e38) })).toBe(
    '4096 elements were not written',
  )
  prepared.dispose()
})

describe('the timer', () => {
  test('of this device has a quantum that divides what it says', async () => {
    const meter = await meterOf(gpu.core, () => gpu.fill([1000], 1).dispose())
    expect(meter.timer).toBe('timestamps')
    const ns = await meter.sample(() => {
      for (let i = 0; i < 50; i++) gpu.fill([1000], 1).dispose()
    })
    expect(ns).toBeGreaterThan(0)
    expect(ns % meter.quantumNs).toBe(0)
  })
  test('samples are twenty quanta at least, taken in turns; what is far behind is given up', async () => {
    const log: string[] = [],
      quantumNs = 65536
    let pending = 0
    const work = (name: string, ns: number) => (): void => {
      log.push(name)
      pending += ns
    }
    const meter: Meter = {
      timer: 'timestamps',
      quantumNs,
      sample: async (f) => {
        pending = 0
        f()
        log.push('|')
        return Math.floor(pending / quantumNs) * quantumNs
      },
    }
    const [fast, slow, close] = await new Bench(meter).compare([work('f', 1e4), work('s', 4e4), work('c', 1.05e4)])
    expect(fast!.ns).toBeGreaterThan(0.9e4)
    expect(fast!.ns).toBeLessThan(close!.ns)
    expect([fast!.samples, slow!.samples, close!.samples]).toEqual([5, 2, 5]) // those of the end
    const samples = log
      .join('')
      .split('|')
      .filter((s) => s !== '')
    const last = samples.slice(-10) // the last five turns of two
    expect(last.every((s) => s.length * 1e4 >= 20 * quantumNs && new Set(s).size === 1)).toBe(true)
    expect(new Set(last.slice(0, 2).map((s) => s[0])).size).toBe(2)
  })
  test('what comes near the fastest is timed again at full clocks: short samples do not decide', async () => {
    let pending = 0,
      fickle = 1
    const work = (ns: number, whenShort: number) => (): void => {
      pending += ns
      fickle = whenShort
    }
    const meter: Meter = {
      timer: 'timestamps',
      quantumNs: 32,
      sample: async (f) => {
        pending = 0
        f()
        return pending < 1e7 ? fickle * pending : pending
      },
    }
    const [slower, faster, far] = await new Bench(meter).compare([work(1.06e4, 0.98), work(1e4, 1.07), work(1.2e4, 1)])
    expect([slower!.ns, faster!.ns, far!.ns].map(Math.round)).toEqual([1.06e4, 1e4, 1.2e4])
  })
})

test('tuning: candidates are tried, the choice is kept, taken, and not measured again', async () => {
  const progress: string[] = []
  const report = await gpu.tune({
    only: ['matmul 61', 'sum rows', 'map 4096'],
    store,
    onProgress: ({ stage }) => progress.push(stage),
  })
  expect(progress).toEqual(['matmul 61×67×71', 'sum rows 256×256', 'map 4096'])
  expect(report).toMatchObject({ timer: 'timestamps', left: 0, place: folder })
  expect(report.entries.map((e) => e.point).sort()).toEqual([
    'map 4096',
    'reduce rows 256×256',
    'split odd nn 64×64×64×1',
  ]) // a product that pads asks for the copy, too
  for (const e of report.entries) {
    expect(e.candidates.length).toBeGreaterThan(1)
    expect(e.candidates.map((x) => x.choice)).toContain(e.choice)
    expect(e.ns).toBe(Math.min(...e.candidates.map((x) => x.ns).filter((x) => !Number.isNaN(x))))
    expect(e.candidates.every((x) => x.wrong === undefined)).toBe(true)
    expect(gpu.core.tuned.get(e.point)).toBe(e.choice)
  }
  expect((await gpu.tune({ only: ['matmul 61', 'sum rows', 'map 4096'], store })).entries).toEqual([])
  expect((await gpu.tune({ only: ['map 4096'], store, again: true })).entries).toHaveLength(1)
  using other = await openSoftware({ store })
  expect(new Map(other.core.tuned)).toEqual(gpu.core.tuned)
}, 60_000)

test('no time: nothing is begun, and it says what is left', async () => {
  expect(await gpu.tune({ only: ['transpose', 'conv2d'], store: null, seconds: 0 })).toMatchObject({
    left: 2,
    entries: [],
    place: null,
  })
})

test('a candidate that is wrong does not win, and its reason is said', async () => {
  using other = await openSoftware()
  const { core } = other,
    record = core.record.bind(core)
  core.record = (work) =>
    // leaves out the last row
    record(work.plan === 'f32-rows-tiny' ? { ...work, sizes: { ...work.sizes, n: work.sizes['n']! - 1 } } : work)
  const [entry] = (await other.tune({ only: ['sum rows'], store: null })).entries
  const bad = entry!.candidates.find((x) => x.choice === 'rows-tiny')!
  expect(bad.ns).toBeNaN()
  expect(bad.wrong).toBe('sum rows 256×256: 1 elements were not written')
  expect(entry!.choice).not.toBe('rows-tiny')
}, 60_000)

test('an answer is judged by the best of what it asks', async () => {
  using other = await openSoftware()
  const { core } = other,
    pick = core.pick.bind(core),
    record = core.record.bind(core)
  let times = 1,
    recorded = 0
  core.pick = (name, sizes, options, small) => {
    if (name !== 'reduce rows') return pick(name, sizes, options, small)
    times =
      pick('way', [1], ['plain', 'with parts']) === 'plain'
        ? 10
        : pick('parts', [1], ['many', 'few']) === 'many'
          ? 11
          : 1
    return options[0]!
  }
  core.record = (work) => {
    recorded += work.module === 'sum' ? times : 1
    record(work)
  }
  // a clock that counts what is recorded
  const sample = async (f: () => void): Promise<number> => {
    recorded = 0
    f()
    await core.sync()
    return 1e7 * recorded
  }
  const bench = new Bench({ timer: 'clock', quantumNs: 1, sample })
  const [rows] = cases(true).filter((c) => c.name.startsWith('sum rows'))
  const entries = await tuned(core, rows!, bench, false)
  expect(entries.map((e) => [e.point, e.otherwise, e.choice])).toEqual([
    ['parts 1', 'many', 'few'],
    ['way 1', 'plain', 'with parts'],
  ])
  expect(Object.fromEntries(core.tuned)).toEqual({ 'way 1': 'with parts', 'parts 1': 'few' })
}, 120_000)

test('choices change what runs; unknown ones are passed over', async () => {
  using other = await openSoftware()
  const kernel = async (): Promise<string> =>
    (await other.profile(() => other.sum(other.fill([8, 100], 1), { axes: 1 })))[1]!.kernel // after the fill
  const before = await kernel()
  other.core.tuned.set('reduce rows 8×128', before.includes('rows-long') ? 'rows-short' : 'rows-long')
  const after = await kernel()
  expect(after).not.toBe(before)
  other.core.tuned.set('reduce rows 8×128', 'of another version')
  expect(await kernel()).toBe(before)
})

test('what is kept is whole or as if it were not there', async () => {
  const [file] = readdirSync(folder)
  expect(readdirSync(folder)).toHaveLength(1)
  for (const text of [
    '{',
    '[]',
    '{"schema":"other","entries":{"map 4096":"x"}}',
    '{"schema":"tesela.tuned/1","entries":{"map 4096":7}}',
  ]) {
    writeFileSync(join(folder, file!), text)
    using other = await openSoftware({ store })
    expect(other.core.tuned.size).toBe(0)
  }
  using without = await openSoftware({
    store: {
      place: 'nowhere',
      read: async () => {
        throw new Error('no')
      },
      write: async () => {},
    },
  })
  expect(without.core.tuned.size).toBe(0)
})

test('what others wrote meanwhile stays; a store that cannot be written loses nothing but time; what is of other ' +
  'devices is left alone', async () => {
  using other = await openSoftware()
  const theirs = (device: string): string =>
    JSON.stringify({ schema: 'tesela.tuned/1', device, entries: { 'map 8192': '-short', 'map 4096': 'theirs' } })
  let written = ''
  const shared: Store = {
    place: 'memory',
    read: async () => theirs(named(other.core)),
    write: async (_, text) => {
      written = text
    },
  }
  const { entries, place } = await other.tune({ only: ['map 4096'], store: shared, again: true })
  expect(JSON.parse(written)).toMatchObject({ entries: { 'map 8192': '-short', 'map 4096': entries[0]!.choice } })
  expect(place).toBe('memory')
  expect(
    await other.tune({
      only: ['map 4096'],
      store: {
        ...shared,
        write: async () => {
          throw new Error('the disk is full')
        },
      },
    }),
  ).toMatchObject({ place: null, left: 0 })
  for (const [device, size] of [
    ['another', 0],
    [named(other.core), 2],
  ] as const) {
    using third = await openSoftware({ store: { ...shared, read: async () => theirs(device) } })
    expect(third.core.tuned.size).toBe(size)
  }
}, 60_000)

test('one measurement at a time', async () => {
  await expect(gpu.time(() => gpu.tune({ store: null }))).rejects.toThrow(
    'tuning cannot run while something else is measured [tune.nested]',
  )
})
