// Uniform tables read at several places at once, and atomics that wait for each other.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explain, type ExplainReport, type Finding } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { go } from './kernels.ts'

const run = (name: string, overrides: Record<string, number> = {}): ExplainReport => {
  const file = `${name}.wgsl`
  const text = readFileSync(resolve(__dirname, '../../examples/catalogue', file), 'utf8')
  const buffers = name.startsWith('histogram')
    ? { input: { count: 1048576, type: 'u32' as const, fill: 'random' as const } }
    : {}
  return explain(
    { text, file },
    { grid: name.startsWith('histogram') ? [264, 1, 1] : [4096, 1, 1], overrides, buffers },
    { gpu: gpu('h200') },
  )
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
  test('a histogram in memory', () =>
    expect(found(run('histogram-memory'), 'AtomicContention')?.fix).toContain('workgroup memory first'))
  test('loads of one place by all lanes wait for nobody, in memory of the workgroup as in the other', () => {
    const text = `@group(0) @binding(0) var<storage, read_write> o: array<u32>; @group(0) @binding(1) var<storage, \
read_write> c: array<atomic<u32>>; var<workgroup> h: array<atomic<u32>, 64>;
      @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) l: u32, @builtin(global_invocation_id) \
g: vec3u) { atomicStore(&h[l], l); workgroupBarrier(); o[g.x] = atomicLoad(&h[5]) + atomicLoad(&c[3]); }`
    const r = explain({ text, file: 'k.wgsl' }, { grid: [4096, 1, 1] }, { gpu: gpu('h200') })
    expect(found(r, 'AtomicContention')).toBe(undefined)
    expect(found(r, 'SharedMemoryConflicts')).toBe(undefined)
    expect(
      r.accesses.filter((a) => a.text?.includes('atomicLoad')).map((a) => [a.op, (a.wavefronts ?? 0) / a.requests]),
    ).toEqual([
      ['atomic', 1],
      ['atomic', 1],
    ])
  })
  test('sums of a workgroup that many add: fewer workgroups, not what they do already', () => {
    const declare =
      'var<workgroup> own: array<atomic<u32>, 256>; ' +
      '@group(0) @binding(3) var<storage, read_write> all: array<atomic<u32>, 256>;'
    const body =
      'atomicAdd(&own[u32(a[id.x] * 255.0)], 1u); workgroupBarrier(); atomicAdd(&all[rank], atomicLoad(&own[rank]));'
    const finding = found(go(body, { size: '256', grid: [4096, 1, 1], declare }), 'AtomicContention')
    expect(finding?.fix).toContain("let fewer workgroups update 'all'")
  })
  test('an update a workgroup is not worth a word', () => expect(found(run('add'), 'AtomicContention')).toBe(undefined))
})
