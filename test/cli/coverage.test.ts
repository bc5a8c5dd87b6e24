// Every command of docs/coverage.md is one that exists: its experiment, its file, its flags and their values.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gpuNames } from '../../src/gpus/index.ts'
import { experimentNamed, experiments } from '../../src/study/index.ts'
import { root, tesela } from './run.ts'

const text = readFileSync(join(root, 'docs/coverage.md'), 'utf8')
const commands = [...text.matchAll(/^\| .*? \| `tesela ([^`]+)` \| .*\|$/gm)].map((m) => (m[1] ?? '').split(' '))
const help = new Map(['study', 'explain', 'occupancy', 'gpus', 'optimize'].map((c) => [c, tesela([c, '--help']).out]))

test('every row is a command', () => {
  expect(commands.length).toBeGreaterThan(80)
  expect(commands).toHaveLength([...text.matchAll(/^\| (?!---|idea)/gm)].length)
})

test.each(commands.map((c) => [c.join(' '), c] as const))('tesela %s', (_, [command = '', ...args]) => {
  const flags = args.flatMap((a, i) => (a.startsWith('--') ? [[a, args[i + 1] ?? ''] as const] : []))
  for (const [flag, value] of flags) {
    expect(help.get(command)).toContain(`${flag} `)
    if (flag === '--gpu') expect([...gpuNames(), 'portable']).toContain(value)
    if (flag === '--plot')
      for (const q of value.split(',')) expect(experimentNamed(args[0] ?? '').plots as readonly string[]).toContain(q)
  }
  if (command === 'study') expect(experimentNamed(args[0] ?? '').name).toBe(args[0])
  if (command === 'explain' || command === 'optimize') expect(existsSync(join(root, args[0] ?? '')), args[0]).toBe(true)
  expect(help.has(command)).toBe(true)
})

test('every experiment shows an idea, and documents count them', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`| ${experiments.length} experiments `)
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`(${experiments.length} experiments)`)
  for (const e of experiments)
    expect(
      commands.some(([c, name]) => c === 'study' && name === e.name),
      e.name,
    ).toBe(true)
})
