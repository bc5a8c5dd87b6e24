// `tesela explain` as a command: exit codes, gates, what a hostile name can do to a terminal.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, root, tesela } from './run.ts'

const example = (name: string): string => join(root, 'examples/wgsl', name)
const naive = ['explain', example('transpose-naive.wgsl'), '--grid', '32,128']
const padded = ['explain', example('transpose-padded.wgsl'), '--grid', '32,32']

describe('gates', () => {
  test.each([
    [padded, ['--deny', 'note'], 0],
    [naive, ['--deny', 'warning'], 1],
    [naive, ['--deny', 'race'], 0],
    [naive, ['--deny', 'UncoalescedGlobalAccess'], 1],
    [naive, ['--require', 'each efficiency >= 50 %'], 1],
    [padded, ['--require', 'each global efficiency >= 90 %', '--require', 'occupancy = 1'], 0],
  ] as const)('%j %j exits %d', (command, flags, code) => {
    expect(tesela([...command, ...flags]).code).toBe(code)
  })
  test('the report is printed all the same, what failed stands on stderr', () => {
    const r = tesela([...naive, '--require', 'each write sectorsPerRequest <= 4'])
    expect(r.out).toContain('Memory accesses')
    expect(r.err).toBe(
      "tesela: --require 'each write sectorsPerRequest <= 4': sectorsPerRequest of write `output[id.x * n + " +
        'id.y]` (line 9) is 32, not <= 4\n',
    )
  })
  test('a requirement that cannot be read is shown with a caret, exit 2, before any work', () => {
    const r = tesela([...naive, '--require', 'each speed >= 1'])
    expect(r).toMatchObject({ code: 2, out: '' })
    expect(r.err).toContain(
      "--require: error: 'speed' is no figure of an access [explain.require]\n  1 | each speed >= 1\n    |      ^^^^^",
    )
  })
  test('a baseline made from the same kernel holds, one of a better kernel does not', () => {
    const cwd = folderWith({
      'k.wgsl': readFileSync(example('transpose-tiled.wgsl'), 'utf8'),
      'p.wgsl': readFileSync(example('transpose-padded.wgsl'), 'utf8'),
    })
    const flags = ['--grid', '32,32']
    const before = tesela(['explain', 'p.wgsl', ...flags, '--json'], cwd).out
    const with_ = folderWith({
      'k.wgsl': readFileSync(example('transpose-tiled.wgsl'), 'utf8'),
      'p.wgsl': readFileSync(example('transpose-padded.wgsl'), 'utf8'),
      'before.json': before,
    })
    expect(tesela(['explain', 'p.wgsl', ...flags, '--baseline', 'before.json'], with_).code).toBe(0)
    const worse = tesela(['explain', 'k.wgsl', ...flags, '--baseline', 'before.json', '--tolerance', '5'], with_)
    expect(worse.code).toBe(1)
    expect(worse.err).toContain('new SharedMemoryConflicts: line 18')
    expect(worse.err).toContain('takes 32 passes a request, before 1')
  })
  test.each([
    [['--deny', 'everything'], '--deny everything is no rule and no level'],
    [['--baseline', 'nowhere.json'], 'there is no file nowhere.json'],
    [['--tolerance', '5'], '--tolerance is of a --baseline'],
    [['--tolerance', 'much'], 'It must be a percentage'],
    [['--json', '--sarif'], 'exclude each other'],
  ])('%j: %s', (flags, says) => {
    const r = tesela([...naive, ...flags])
    expect(r.code).toBe(2)
    expect(r.err).toContain(says)
  })
})

test('--gpu portable names the worst GPU of each access', () => {
  const { out, code } = tesela([...naive, '--gpu', 'portable'])
  expect(code).toBe(0)
  expect(out).toContain('worst on')
  expect(out).toMatch(/: on [a-z0-9-]+: write/)
})
