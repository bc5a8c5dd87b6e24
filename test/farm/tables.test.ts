// Tables of tuning results (T4): by the rules of the schema that Kernel Tuner ships, restated here; out of a store and
// back; and a library that is given one chooses as the device that made it.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Ajv from 'ajv'
import { describe, expect, test } from 'vitest'
import { nanosecondsOf, tuningTable, type TuningTable } from '../../src/base/index.ts'
import { tune, tunedDevice, useTables } from '../../src/kernels/index.ts'
import { choicesIn } from '../../src/kernels/tune/table.ts'
import { openStore, recordsOfTable, tableOfReadings } from '../../src/store/index.ts'
import { openSoftware } from '../kernels/language.ts'

/** What T4 1.0.0 asks of a file of results. */
const t4 = {
  type: 'object',
  properties: {
    schema_version: { type: 'string', pattern: '^[0-9]{1,}.[0-9]{1,}.[0-9]{1,}$' },
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: ['configuration', 'times', 'invalidity', 'correctness'],
        properties: {
          timestamp: { type: 'string' },
          configuration: { type: 'object' },
          objectives: { type: 'array' },
          times: { type: 'object', properties: { runtimes: { type: 'array' } } },
          invalidity: { enum: ['timeout', 'compile', 'runtime', 'correctness', 'constraints', 'correct'] },
          correctness: { type: 'number' },
          measurements: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                name: { type: 'string' },
                value: { type: ['number', 'string', 'array'] },
                unit: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
}
const validate = new Ajv().compile(t4)
const folder = mkdtempSync(join(tmpdir(), 'tesela-tables-'))

const entry = {
  language: 'library',
  program: 'p',
  target: 'wgsl' as const,
  taken: '2026-01-01T00:00:00.000Z',
  samples: 7,
}
const device = { name: 'd', limits: '1-2-3' }

describe('tables', () => {
  test('are what the schema asks for, with candidates that failed, ties and spreads', () => {
    const table = tuningTable(device, [
      { ...entry, choice: 'a', ns: 5, spread: 0.01 },
      { ...entry, choice: 'b', ns: 5, spread: 0.02 },
      { ...entry, choice: 'c', ns: null, spread: null },
      { ...entry, language: 'c', kernel: 'hash', choice: [{ tile: 4 }, { tile: 8, vector: 2 }], ns: 7, spread: 0 },
    ])
    expect(validate(JSON.parse(JSON.stringify(table))), JSON.stringify(validate.errors)).toBe(true)
    expect(table.results.map((r) => r.invalidity)).toEqual(['correct', 'correct', 'correctness', 'correct'])
    expect(table.results[3]!.configuration).toEqual({ program: 'p', 'tile.0': 4, 'tile.1': 8, 'vector.1': 2 })
  })

  test('of other tuners are read in their units, and go into a store under a name', async () => {
    const foreign = {
      schema_version: '1.0.0',
      metadata: { timeunit: 'milliseconds' },
      results: [
        {
          configuration: { block_size_x: 128 },
          times: { runtimes: [0.5, 0.7] },
          invalidity: 'correct',
          correctness: 1,
          measurements: [{ name: 'time', value: 0.6, unit: 'ms' }],
          objectives: ['time'],
        },
        { configuration: { block_size_x: 64 }, times: {}, invalidity: 'compile', correctness: 0, objectives: ['time'] },
      ],
    }
    expect(nanosecondsOf(foreign as unknown as TuningTable, foreign.results[0] as never)).toBeCloseTo(6e5, 6)
    expect(() => recordsOfTable(foreign, 'x.json')).toThrow('x.json does not say on what device it was measured')
    const store = await openStore(join(folder, 'foreign.db'))
    await store.add(recordsOfTable(foreign, 'x.json', { device: 'A100', program: 'convolution' }))
    const [found] = await store.devices()
    const [reading, ...others] = await store.readings(found!.key)
    expect(others).toEqual([])
    expect(reading).toMatchObject({
      reading: { samples: 2 },
      candidate: { choice: { block_size_x: 128 } },
      program: { name: 'convolution', language: 'other' },
    })
    expect(reading!.reading.ns).toBeCloseTo(6e5, 6)
    await store.close()
  })

  test.each<[string, unknown, string]>([
    ['a text', 'x', 'a table of tuning results is an object'],
    ['no version', { results: [] }, 'schema_version of a table is three numbers, as in 1.0.0'],
    ['no results', { schema_version: '1.0.0' }, 'results of a table is a list'],
    [
      'a result without times',
      { schema_version: '1.0.0', results: [{ configuration: {} }] },
      'results[0] of the table: times is an object',
    ],
    [
      'an unknown verdict',
      { schema_version: '1.0.0', results: [{ configuration: {}, times: {}, invalidity: 'x' }] },
      'results[0] of the table: invalidity is one of',
    ],
  ])('that are %s are refused', (_, value, sentence) => {
    expect(() => recordsOfTable(value, 'x')).toThrow(sentence)
  })
})

test('a table tuned here goes through a store and back; the library that takes it chooses the same', async () => {
  const gpu = await openSoftware()
  const report = await tune(gpu.core, { only: ['map 4096', 'sum all'], store: null })
  expect(report.entries.length).toBeGreaterThan(0)
  const [made, filled] = [await openStore(join(folder, 'a.db')), await openStore(join(folder, 'b.db'))]
  await made.add(recordsOfTable(report.table, 'table'))
  const tableIn = async (store: typeof made): Promise<TuningTable> => {
    const [one] = await store.devices()
    return JSON.parse(JSON.stringify(tableOfReadings(one!, await store.readings(one!.key)))) as TuningTable
  }
  const table = await tableIn(made)
  expect(validate(table), JSON.stringify(validate.errors)).toBe(true)
  await filled.add(recordsOfTable(table, 'table'))
  expect(await tableIn(filled)).toEqual(table)

  const other = await openSoftware()
  expect(useTables(other.core, [await tableIn(filled)])).toBe(report.entries.length)
  expect([...other.core.tuned].sort()).toEqual([...gpu.core.tuned].sort())
  const elsewhere = {
    ...table.metadata,
    tesela: { ...table.metadata.tesela!, device: { name: 'another', limits: '1' } },
  }
  expect(useTables(other.core, [{ ...table, metadata: elsewhere }])).toBe(0)
  const times = (t: TuningTable): number[] => t.results.flatMap((r) => nanosecondsOf(t, r) ?? []).sort((a, b) => a - b)
  expect(times(table)).toEqual(times(report.table))
  expect(tunedDevice(other.core)).toEqual(tunedDevice(gpu.core))
  await Promise.all([made.close(), filled.close()])
  for (const g of [gpu, other]) g.dispose()
})

test('what was measured last at a point decides, and of equal ones the first', () => {
  const table = tuningTable(device, [
    { ...entry, choice: 'old', ns: 1, spread: 0 },
    { ...entry, choice: 'c', ns: 5, spread: 0, taken: '2026-01-02T00:00:00.000Z', more: { reading: { place: 1 } } },
    { ...entry, choice: 'b', ns: 5, spread: 0, taken: '2026-01-02T00:00:00.000Z', more: { reading: { place: 0 } } },
    { ...entry, choice: 'wrong', ns: null, spread: null, taken: '2026-01-02T00:00:00.000Z' },
  ])
  expect([...choicesIn(table, device)]).toEqual([['p', 'b']])
})
