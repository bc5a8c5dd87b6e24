// Dealing blocks to multiprocessors, by hand; and kernels whose blocks are unequal.
import { describe, expect, test } from 'vitest'
import { deal } from '../../src/explain/rules/work-distribution.ts'
import { found, go, rules } from './kernels.ts'

test.each([
  [[1, 1, 1, 1], 4, 2, 2, 2],
  [[4, 1, 1, 1], 4, 2, 4, 3.5],
  [[1, 1, 1, 3], 4, 2, 4, 3],
  [[5], 1, 100, 5, 5],
  [[1, 3], 8, 4, 4, 4],
  [[2, 2], 5, 4, 4, 4],
])('blocks %j of %d on %d: longest %d, equal %d', (work, blocks, units, longest, equal) => {
  expect(deal(work, blocks, units)).toEqual({ longest, equal })
})

describe('unequal blocks', () => {
  const triangle =
    'var s = 0.0; for (var k = 0u; k < group.x * group.x; k++) { s += a[k * 64 + rank % 64]; } c[id.x] = s;'
  test('work that grows with the block is found, with the longest block named', () => {
    const f = found(go(triangle, { size: '64', grid: [200, 1, 1] }), 'WorkloadImbalance')
    expect(f).toMatchObject({ scope: 'global' })
    expect(f!.message).toContain('workgroups do unequal work')
    expect(f!.speedup).toBeGreaterThan(1.2)
  })
  test('all blocks counted: the last block is the longest', () => {
    expect(found(go(triangle, { size: '64', grid: [200, 1, 1], exact: true }), 'WorkloadImbalance')!.message).toContain(
      '(199, 0, 0) executes',
    )
  })
  test('all of them are counted without being asked for, and nothing is said of an estimate', () => {
    const usual = go(triangle, { size: '64', grid: [60, 1, 1] })
    const all = go(triangle, { size: '64', grid: [60, 1, 1], exact: true })
    expect([usual.instructions, usual.accesses]).toEqual([all.instructions, all.accesses])
    expect(usual.notes.join('\n')).not.toContain('counts are estimated')
  })
  test('who fetches how much from a common counter is not known, and said of nobody', () => {
    const declare = '@group(0) @binding(3) var<storage, read_write> next: atomic<u32>;'
    const work = 'for (var k = 0u; k < 16; k++) { c[i % 512] += a[i % 512] * f32(k); }'
    const fetched = go(`for (;;) { let i = atomicAdd(&next, 1); if (i >= 512) { break; } ${work} }`, {
      size: '64',
      grid: [64, 1, 1],
      declare,
    })
    const dealt = go(`if (group.x == 0) { for (var i = 0u; i < 512; i++) { ${work} } }`, {
      size: '64',
      grid: [64, 1, 1],
    })
    expect([rules(fetched), rules(dealt)].map((r) => r.includes('WorkloadImbalance'))).toEqual([false, true])
  })
  test('equal blocks in whole rounds are not complained about', () => {
    expect(
      rules(
        go('var s = 0.0; for (var k = 0u; k < 999; k++) { s += a[k * 64 + rank % 64]; } c[id.x] = s;', {
          size: '64',
          grid: [132, 1, 1],
        }),
      ),
    ).not.toContain('WorkloadImbalance')
  })
  test('a last round of one block is', () => {
    const f = found(
      go('var s = 0.0; for (var k = 0u; k < 9999; k++) { s = fma(s, s, 1.0) + sqrt(s); } c[id.x] = s;', {
        size: '1024',
        grid: [133, 1, 1],
      }),
      'WorkloadImbalance',
    )
    expect(f!.message).toBe('133 workgroups on 132 multiprocessors: the last of 2 rounds keeps only 1 of them busy')
    expect(f!.speedup).toBeGreaterThan(1.5)
  })
})

test('registers that follow from each other in a loop, as in a search, are no steps of an index', () => {
  const r = go(
    `tile[rank] = rank; workgroupBarrier();
    var here = 1u; var there = 2u; var sum = 0u;
    for (var k = 0u; k < 20u; k++) { sum += tile[here]; let next = there + 1u; there = here + 1u; here = next; }
    c[id.x] = sum;`,
    { size: '64', grid: [4, 1, 1], declare: 'var<workgroup> tile: array<u32, 64>;', element: 'u32' },
  )
  expect(r.accesses.find((a) => a.text === 'tile[here]')).toMatchObject({ requests: 160, pattern: 'broadcast' })
})

describe('fewer workgroups than multiprocessors', () => {
  const read = 'var s = 0.0; for (var k = 0u; k < 4096; k++) { s += a[rank * 4096u + k]; }'
  test.each([
    ['loops that can be cut', `${read} c[id.x] = s;`, 4],
    [
      'loops that end by what they read: smaller workgroups',
      'var s = 0.0; for (var k = 0u; a[rank * 4096u + k] < 2.0; k++) { if (k == 4095u) { break; } ' +
        's += a[rank * 4096u + k]; } c[id.x] = s;',
      1.5,
    ],
  ])('%s', (_, body, least) => {
    const f = found(go(body, { size: '256', grid: [2, 1, 1] }), 'LaunchConfiguration')
    expect(f?.message).toBe('2 workgroups on 132 multiprocessors: 130 stand idle')
    expect(f!.speedup).toBeGreaterThan(least)
  })
})
