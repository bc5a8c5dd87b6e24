// Commands with a store print what they print without, twice; the second time from the store.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { candidateRecord, openStore, programRecord } from '../../src/store/index.ts'
import { folderWith, root, tesela, softwareDevice } from '../cli/run.ts'
import { isLong } from '../support/long.ts'

const ok = (args: readonly string[], folder: string, env = {}): string => {
  const r = tesela(args, folder, env)
  expect(r.code, r.err).toBe(0)
  return r.out
}
/** A report without what says how long it took. */
const untimed = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) => (/seconds|milliseconds|^ms$/i.test(key) ? 0 : value))

test('optimize and study with a store print the same; what they kept is listed', () => {
  const folder = folderWith({})
  const optimize = ['optimize', join(root, 'examples/saxpy.c'), '--budget', '4', '--target', 'wgsl', '--json']
  const plain = untimed(ok(optimize, folder))
  for (const _ of [1, 2]) expect(untimed(ok([...optimize, '--store', 's.db'], folder))).toEqual(plain)
  const study = ['study', 'offset', '--gpu', 'gt200', '--json']
  const without = ok(study, folder)
  for (const _ of [1, 2]) expect(ok([...study, '--store', 's.db'], folder)).toBe(without)
  const list = JSON.parse(ok(['store', 'list', 's.db', '--json'], folder)) as { counts: Record<string, number> }
  expect(list.counts).toMatchObject({ programs: 1, candidates: 1, verdicts: 1, readings: 0 })
  expect(list.counts['results']).toBeGreaterThan(4)
  expect(tesela(['store', 'list', 'no/folder/s.db'], folder)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^error: the store no\/folder\/s.db cannot be opened/),
  })
})

test.runIf(isLong)('bench --tune keeps readings; a table of them goes into another store', () => {
  const folder = folderWith({})
  const device = softwareDevice()
  ok(['bench', 'map 4096', '--tune', '--store', 'a.db', '--json'], folder, device)
  ok(['store', 'export', 'a.db', '--t4', '-o', 'table.json'], folder)
  expect(ok(['store', 'import', 'b.db', 'table.json'], folder)).toMatch(/^[1-9]\d* records added/)
  expect(ok(['store', 'import', 'b.db', 'table.json'], folder)).toMatch(/^0 records added/)
  const tuned = (store: string): unknown =>
    (JSON.parse(ok(['bench', 'map 4096', '--store', store, '--json'], folder, device)) as { tuned: number }).tuned
  expect(tuned('b.db')).toBe(1)
  expect(ok(['store', 'diff', 'b.db', 'swift', 'swift'], folder)).toMatch(/of 1 program 0 have another/)
})

test('a program goes out by its name with all that is known of it, and comes in again', async () => {
  const folder = folderWith({})
  const store = await openStore(join(folder, 's.db'))
  for (const name of ['one', 'two']) {
    const program = programRecord({ language: 'c', name, body: { text: 'é' } })
    const candidate = candidateRecord({ program: program.key, target: 'wgsl', choice: [{ tile: 1 }] })
    await store.add({ programs: [program], candidates: [candidate] })
  }
  await store.close()
  ok(['store', 'export', 's.db', '--program', 'two', '-o', 'deep/two.jsonl'], folder)
  const lines = ok(['store', 'export', 's.db', '--program', 'two'], folder)
  expect(readFileSync(join(folder, 'deep/two.jsonl'), 'utf8')).toBe(lines)
  expect(lines.trim().split('\n')).toHaveLength(3)
  expect(ok(['store', 'import', 't.db', 'deep/two.jsonl'], folder)).toBe('2 records added\n')
  expect(ok(['store', 'export', 't.db'], folder)).toBe(lines)
  const refused = (...args: string[]) => {
    const { code, err } = tesela(['store', ...args], folder)
    expect(code).toBe(2)
    return err
  }
  expect(refused('export', 's.db', '--program', 'three')).toContain("no program is called 'three'")
  expect(refused('export', 's.db', '--program', 'one', '--t4')).toContain('--program is for exports without --t4')
  expect(refused('export', 's.db', '-o', 's.db/x')).toContain('s.db is a file')
  expect(refused('import', 't.db', 'nowhere')).toContain('there is no file nowhere')
})
