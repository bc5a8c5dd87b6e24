// Each row of docs/coverage.md prints what it says: one line a row, run as it stands there. Spaces and bars do not
// count.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nvccAvailable } from '../support/nvcc.ts'
import { folderWith, root, tesela } from '../cli/run.ts'

const text = readFileSync(join(root, 'docs/coverage.md'), 'utf8')
const rows = [...text.matchAll(/^\| (.*?) \| `tesela ([^`]+)` \| (.*?) ?\|$/gm)].map(
  ([, idea = '', command = '', shown = '']) => ({
    idea,
    command,
    shown: [...shown.matchAll(/`([^`]+)`/g)].map((m) => m[1] ?? ''),
  }),
)
/** What is searched for (minutes), needs a device, or is a picture; other tests run them. */
const elsewhere = /^optimize |--measure /

const plain = (printed: string): string => printed.replace(/[█▉▊▋▌▍▎▏░]+/g, ' ').replace(/\s+/g, ' ')
const files = folderWith({})
const printedBy = new Map<string, string>()
function printed(command: string): string {
  const known = printedBy.get(command)
  if (known !== undefined) return known
  const args = command.split(' ').map((a) => (a.startsWith('out/') ? join(files, a.slice(4)) : a))
  const run = tesela(args, root)
  expect(run.code, run.err).toBe(0)
  const all = plain(run.out + run.err)
  printedBy.set(command, all)
  return all
}

test('every row says what it prints', () => {
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter((r) => r.shown.length === 0 && !elsewhere.test(r.command))).toEqual([])
})

describe('prints what the row says', () => {
  test.each(
    rows.filter((r) => !elsewhere.test(r.command)).map((r) => [`${r.idea}: tesela ${r.command}`, r] as const),
  )('%s', (_, { command, shown }) => {
    if (command.includes('.cu') && !nvccAvailable()) return
    for (const s of shown) expect(printed(command)).toContain(s)
  })
})
