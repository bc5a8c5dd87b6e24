// Processes that write to one store are killed at random moments (SIGKILL): what they were told is there is there,
// whole and once, and the store opens again.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { openStore } from '../../src/store/index.ts'
import { root } from '../cli/run.ts'
import { isLong } from '../support/long.ts'

/** Beside the packages, so that the optional ones are found. */
const folder = join(root, 'node_modules/.cache', `kill-${process.pid}`)
const place = join(mkdtempSync(join(tmpdir(), 'tesela-kill-')), 'store.db')

/** Adds a program, a candidate and a result a time, and says the number of what is there. */
const writer = `
import { writeSync } from 'node:fs'
import { candidateRecord, openStore, programRecord } from './store.mjs'
const [place, name] = process.argv.slice(2)
const store = await openStore(place)
for (let i = 0; ; i++) {
  const program = programRecord({ language: 'c', name: name + ' ' + i, body: 'x'.repeat(2000) })
  const candidate = candidateRecord({ program: program.key, target: 'wgsl', choice: i })
  const result = { key: name + ' ' + i, kind: 'k', compiler: 'c', body: i }
  await store.add({ programs: [program], candidates: [candidate], results: [result] })
  writeSync(1, i + '\\n')
}
`

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [join(root, 'src/store/index.ts')],
    outfile: join(folder, 'store.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['libsql', 'pg'],
  })
  writeFileSync(join(folder, 'writer.mjs'), writer)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a writer until some milliseconds after its first record, or before that; how many it was told are there. */
function killed(name: string, ms: number): Promise<number> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(folder, 'writer.mjs'), place, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (part: Buffer) => {
      if (said === '') setTimeout(() => child.kill('SIGKILL'), ms)
      said += String(part)
    })
    child.on('close', () => done(said.split('\n').length - 1))
  })
}

test('nothing is lost and nothing is there twice or in part, however writers end', async () => {
  const rounds = isLong ? 60 : 5
  const stream = random(7)
  for (let round = 0; round < rounds; round++) {
    const names = [`a${round}`, `b${round}`]
    const told = await Promise.all(names.map((name) => killed(name, stream.int(0, 60))))
    const store = await openStore(place)
    for (const [i, name] of names.entries()) {
      const rows = async (sql: string): Promise<number> =>
        Number((await store.database.all(sql, [`${name} %`]))[0]!['n'])
      const [programs, candidates, results] = [
        await rows('SELECT COUNT(*) AS n FROM programs WHERE name LIKE ?'),
        await rows('SELECT COUNT(*) AS n FROM candidates c JOIN programs p ON p.key = c.program WHERE p.name LIKE ?'),
        await rows('SELECT COUNT(*) AS n FROM results WHERE key LIKE ?'),
      ]
      expect([programs, candidates]).toEqual([results, results])
      // the last one may have been written and not told
      expect([told[i], told[i]! + 1]).toContain(results)
      expect(told[i]).toBeGreaterThan(0)
    }
    const [check] = await store.database.all('PRAGMA integrity_check')
    expect(check).toMatchObject({ integrity_check: 'ok' })
    await store.close()
  }
})
