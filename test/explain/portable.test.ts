// Reports for GPUs of which not everything is known, and for all of them at once.
import { expect, test } from 'vitest'
import { explainPortable } from '../../src/explain/index.ts'
import { explainLines } from '../../src/report/index.ts'
import { go, shader } from './kernels.ts'

const tile = 'tile[rank] = a[id.y * n + id.x]; workgroupBarrier(); c[id.y * n + id.x] = tile[local.x * 32 + local.y];'
const declare = 'var<workgroup> tile: array<f32, 1024>;'
const conflicted = (name: string): ReturnType<typeof go> =>
  go(tile, { size: '16, 16', grid: [16, 16, 1], declare, gpu: name })

test('unknown banks: passes, efficiency and conflicts are null, and no finding is made of them', () => {
  const r = conflicted('apple-m1')
  const shared = r.accesses.filter((a) => a.space === 'shared')
  expect(shared.map((a) => [a.wavefronts, a.efficiency, a.worstConflict])).toEqual([
    [null, null, null],
    [null, null, null],
  ])
  expect(r.findings.map((f) => f.rule)).not.toContain('SharedMemoryConflicts')
  expect(r.totals.shared.load.wavefronts).toBe(null)
  expect(r.prediction.unknown).toContain('bank conflicts')
  expect(explainLines(r).join('\n')).toContain('? (1.0)')
})

test('terms of undocumented parts are absent, and the report says which', () => {
  const r = conflicted('adreno')
  expect(Object.keys(r.prediction.terms).sort()).toEqual(['dram', 'issue', 'spill'])
  expect(r.notes.join('\n')).toContain(
    'of adreno-740 nobody documents fp32, fp64, int, sfu, shared, l1, l2, latency, launch, blocks, atomics, ' +
      'bank conflicts, occupancy',
  )
  expect(r.occupancy.occupancy).toBe(null)
  expect(JSON.parse(JSON.stringify(r))).toEqual(r)
})

test('efficiency counts the units of the GPU: 4 of 64 bytes used, or of 128', () => {
  const used = (name: string): number | null =>
    go('c[id.x] = a[id.x * 64];', { size: '64', grid: [64, 1, 1], gpu: name }).accesses.find((a) => a.op === 'load')!
      .efficiency
  expect(['h200', 'cdna3', 'rdna2', 'fermi', 'gt200'].map(used)).toEqual([4 / 32, 4 / 64, 4 / 128, 4 / 128, 4 / 32])
})

test('portable: each access by its worst GPU, findings with all GPUs that have them', () => {
  const r = explainPortable(
    { text: shader('c[id.x] = a[id.x * 64];', { size: '64' }), file: 'p.wgsl' },
    { grid: [64, 1, 1] },
    {},
  )
  expect(r.gpu).toBe('portable')
  expect(r.accesses.find((a) => a.op === 'load')).toMatchObject({ efficiency: 4 / 128, gpu: 'rdna2' })
  const f = r.findings.find((x) => x.rule === 'UncoalescedGlobalAccess')!
  expect(f.gpus!.length).toBeGreaterThan(1)
  expect(f.message).toMatch(/^on [a-z0-9-]+: read /)
  expect(r.portable!.map((p) => p.gpu)).toEqual([
    'h200',
    'cdna3',
    'rdna2',
    'apple-m1',
    'intel-xe',
    'mali-g78',
    'adreno-740',
  ])
  expect(explainLines(r).join('\n')).toContain('worst on')
})

test('portable: a kernel that looks at its lanes is not counted on wide subgroups, and the report says so', () => {
  const r = explainPortable(
    { text: `enable subgroups;\n${shader('c[id.x] = subgroupAdd(a[id.x]);', { size: '64' })}`, file: 'p.wgsl' },
    { grid: [64, 1, 1] },
    {},
  )
  expect(r.notes.filter((n) => n.startsWith('not on')).length).toBe(2)
})
