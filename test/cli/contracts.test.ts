// `docs/contracts.md` against what the commands print: every key and command that the page promises is there, and no
// top-level key is printed that readers of the older schemas do not find.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, root, tesela } from './run.ts'

const page = readFileSync(join(root, 'docs/contracts.md'), 'utf8')

/** Keys in the first column of the table below a heading of the third level. */
function promised(command: string): readonly string[] {
  const section = page.split(`### \`tesela ${command} --json\`\n`)[1]?.split('\n### ')[0] ?? ''
  return [...section.matchAll(/^\| `([\w.[\]]+)` \|/gm)].map((m) => m[1]!) // the pattern has a group
}

/** Paths of all keys of a value: `a.b`, and `a[].b` for the elements of lists. */
function keysOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((v) => keysOf(v, `${path}[]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, v]) => {
    const own = path === '' ? key : `${path}.${key}`
    return [own, ...keysOf(v, own)]
  })
}

const reports: readonly (readonly [string, readonly string[]])[] = [
  ['optimize', [join(root, 'examples/saxpy.c'), '-D', 'n=4096', '--budget', '1']],
  ['explain', [join(root, 'examples/wgsl/transpose-naive.wgsl'), '--grid', '8,8']],
  ['occupancy', ['--gpu', 'gt200', '--threads', '192', '--registers', '20', '--shared', '4096']],
]

test.each(reports)('%s prints the keys that the page promises', (command, args) => {
  const r = tesela([command, ...args, '--json'], folderWith({}))
  expect(r.err).toBe('')
  const printed = new Set(keysOf(JSON.parse(r.out)))
  const keys = promised(command)
  expect(keys.length).toBeGreaterThan(8)
  expect(keys.filter((k) => !printed.has(k))).toEqual([])
})

test('the page names every command, and no other', () => {
  const help = tesela(['--help']).out
  const commands = [...help.matchAll(/^ {2}([a-z]+)(?: \[options\]| {2})/gm)].map((m) => m[1])
  const named = [...page.matchAll(/^\| `tesela ([a-z]+)/gm)].map((m) => m[1])
  expect(commands.length).toBeGreaterThan(5)
  expect([...named].sort()).toEqual([...commands].sort())
})

test('the page names every class of instructions', () => {
  const r = tesela(['explain', join(root, 'examples/wgsl/transpose-naive.wgsl'), '--grid', '1,1', '--json'])
  const { instructions } = JSON.parse(r.out) as { instructions: { byClass: object } } // the test above
  const listed = /counted by class: ([^.]*)\./.exec(page)?.[1] ?? ''
  expect([...listed.matchAll(/`(\w+)`/g)].map((m) => m[1]).sort()).toEqual(Object.keys(instructions.byClass).sort())
})
