// Uniform tables read at several places at once, and atomics that wait for each other.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explain, type ExplainReport, type Finding } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'

const run = (name: string, overrides: Record<string, number> = {}): ExplainReport => {
  const file = `${name}.wgsl`
  const text = readFileSync(resolve(__dirname, '../../examples/catalogue', file), 'utf8')
  const buffers = name.startsWith('histogram') ? { input: { count: 1048576, type: 'u32' as const, fill: 'random' as const } } : {}
  return explain({ text, file }, { grid: name.startsWith('histogram') ? [264, 1, 1] : [4096, 1, 1], overrides, buffers }, { gpu: gpu('h200') })
}
const found = (r: ExplainReport, rule: string): Finding | undefined => r.findings.find((f) => f.rule === rule)

describe('uniform tables', () => {
  test('at one place: nothing', () => expect(found(run('uniform-same'), 'MemoryCacheAccessPattern')).toBe(undefined))
  test('at 32 places: a turn each', () => {
    const f = found(run('uniform-distinct', { distinct: 32 }), 'MemoryCacheAccessPattern')
    expect(f?.message).toContain('32 different places')
    expect(f?.speedup).toBeGreaterThan(20)
  })
})

describe('atomics', () => {
  test('one counter for all', () => expect(found(run('count'), 'AtomicContention')?.speedup).toBeGreaterThan(3))
  test('a histogram in memory', () => expect(found(run('histogram-memory'), 'AtomicContention')?.fix).toContain('workgroup memory first'))
  test('an update a workgroup is not worth a word', () => expect(found(run('add'), 'AtomicContention')).toBe(undefined))
})
