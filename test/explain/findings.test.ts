// What findings say of a shape, and that they keep silent where nothing is to gain. Each case is one line of WGSL.
import { describe, expect, test } from 'vitest'
import { found, go, rules } from './kernels.ts'
import { someOf } from '../support/long.ts'

const fix = (body: string, o: Parameters<typeof go>[1] = {}): string =>
  found(go(body, o), 'UncoalescedGlobalAccess')?.fix ?? 'none'

describe('uncoalesced accesses: the fix depends on what the address follows', () => {
  test.each(
    someOf([
      ['axes the wrong way round', 'c[id.x * n + id.y] = a[id.x * n + id.y] + 1;', {}, 'swap the roles of x and y'],
      [
        'a transpose, written down columns',
        'c[id.x * n + id.y] = a[id.y * n + id.x];',
        {},
        'exchange the block through a tile of var<workgroup> memory',
      ],
      [
        'a transpose, read down columns',
        'c[id.y * n + id.x] = a[id.x * n + id.y];',
        {},
        "read 'a' along its rows into a tile",
      ],
      [
        'a row for each invocation',
        'var s = 0.0; for (var k = 0u; k < n; k++) { s += a[id.x * n + k]; } c[id.x] = s;',
        { size: '64', grid: [256, 1, 1] as const },
        'each invocation reads a row of its own',
      ],
      [
        'members of a structure',
        'c[id.x].p = a[id.x].p;',
        { size: '64', grid: [4096, 1, 1] as const, element: 'P', declare: 'struct P { p: f32, q: vec3f }' },
        'a structure of arrays',
      ],
      [
        'columns of a matrix',
        'c[id.x][0] = a[id.x][0];',
        { size: '64', grid: [4096, 1, 1] as const, element: 'mat4x4f' },
        'a structure of arrays',
      ],
      [
        'runs of four',
        'c[id.x] = a[id.x * 4] + a[id.x * 4 + 1] + a[id.x * 4 + 2] + a[id.x * 4 + 3];',
        { size: '64', grid: [4096, 1, 1] as const },
        "make the elements of 'a' vec4",
      ],
      [
        'every third',
        'c[id.x] = a[id.x * 3];',
        { size: '64', grid: [4096, 1, 1] as const },
        "deal the elements of 'a' out round-robin",
      ],
      [
        'indices from data',
        'c[id.x] = a[u32(a[id.x] * 65535.0)];',
        { size: '64', grid: [4096, 1, 1] as const },
        "sort or group the indices into 'a'",
      ],
      [
        'indices at no regular distance',
        'c[id.x] = a[(id.x * id.x * 7919u) % 65536u];',
        { size: '64', grid: [4096, 1, 1] as const },
        "run along the contiguous index of 'a'",
      ],
      [
        'one element off, where no cache absorbs it',
        'c[id.x] = a[id.x + 1];',
        { size: '64', grid: [4096, 1, 1] as const, gpu: 'g80' },
        "rows of 'a' are aligned already",
      ],
      [
        'rows of an odd length, where no cache absorbs it',
        'c[id.y * 1024 + id.x] = a[id.y * 1001 + id.x];',
        { size: '64', grid: [16, 1024, 1] as const, gpu: 'g80' },
        "start each row of 'a' at a multiple of 128 bytes",
      ],
    ] as const),
  )('%s', (_, body, o, expected) => {
    expect(fix(body, o)).toContain(expected)
  })

  test('swapping axes is run, not guessed: the gain is that of the kernel written so', () => {
    const [wrong, right] = [
      go('c[id.x * n + id.y] = a[id.x * n + id.y] + 1;'),
      go('c[id.y * n + id.x] = a[id.y * n + id.x] + 1;'),
    ]
    expect(found(wrong, 'UncoalescedGlobalAccess')!.speedup).toBeCloseTo(wrong.prediction.ns / right.prediction.ns, 6)
  })

  test('a kernel that looks at its lanes is not turned', () => {
    expect(fix('c[id.x * n + id.y] = a[id.x * n + id.y] + f32(rank);')).not.toContain('swap')
  })

  test('accesses of one cause are one finding', () => {
    const r = go('c[id.x].q = a[id.x].q + b[id.x].q; c[id.x].p = a[id.x].p;', {
      size: '64',
      grid: [4096, 1, 1],
      element: 'P',
      declare: 'struct P { p: f32, q: vec3f }',
    })
    expect(rules(r).filter((x) => x === 'UncoalescedGlobalAccess').length).toBeLessThanOrEqual(6)
  })
})

describe('silence', () => {
  test.each(
    someOf([
      ['a copy', 'c[id.y * n + id.x] = a[id.y * n + id.x];', {}],
      [
        'a copy with one element off, which the caches absorb',
        'c[id.x] = a[id.x + 1];',
        { size: '256', grid: [16384, 1, 1] as const },
      ],
      ['a broadcast', 'c[id.y * n + id.x] = a[0];', {}],
      ['a copy of vectors', 'c[id.y * n + id.x] = a[id.y * n + id.x];', { element: 'vec4f' }],
      [
        'a sum of columns',
        'var s = 0.0; for (var k = 0u; k < n; k++) { s += a[k * n + id.x]; } c[id.x] = s;',
        { size: '256', grid: [1056, 1, 1] as const },
      ],
    ] as const),
  )('%s', (_, body, o) => {
    expect(rules(go(body, o))).toEqual([])
  })
})

describe('workgroup memory', () => {
  const tile = (read: string): string =>
    `tile[rank] = a[id.y * n + id.x]; workgroupBarrier(); c[id.y * n + id.x] = ${read};`
  const declare = 'var<workgroup> tile: array<f32, 1024>;'
  test('a column of a square tile: one more element a row', () => {
    expect(
      found(
        go(tile('tile[local.x * 32 + local.y]'), { size: '32, 32', grid: [32, 32, 1], declare }),
        'SharedMemoryConflicts',
      )!.fix,
    ).toContain('one element longer')
  })
  test('four elements of a row each, row by row in an outer loop: the row is not what is too even', () => {
    const declare = 'var<workgroup> tile: array<array<vec3f, 128>, 4>;'
    const write = 'for (var k = 0u; k < min(4u, group.y + 4u); k++) { tile[r][4 * local.x + k] = vec3f(f32(r + k)); }'
    const body = `for (var r = 0u; r < 4u; r++) { ${write} } workgroupBarrier(); c[id.x] = tile[rank & 3u][rank].x;`
    const { fix } = found(go(body, { size: '32', grid: [64, 1, 1], declare }), 'SharedMemoryConflicts')!
    expect(fix).not.toContain('each row')
    expect(fix).toContain('odd number of words')
  })
  test('indices from data are no bank conflicts to be padded away', () => {
    const fix = (index: string): string =>
      found(go(tile(`tile[${index}]`), { size: '32, 32', grid: [32, 32, 1], declare }), 'UncoalescedSharedAccess')!.fix
    expect(fix('u32(a[id.y * n + id.x] * 1023)')).toContain('depend on data')
    expect(fix('(rank * rank * 2654435761u) >> 22u')).toContain('at no one distance')
  })
})

describe('elements fetched by several invocations', () => {
  const product = (size: string): ReturnType<typeof go> =>
    go(
      'var s = 0.0; for (var k = 0u; k < n; k++) { s += a[id.y * n + k] * b[k * n + id.x]; } c[id.y * n + id.x] = s;',
      { size },
    )
  test('a product without tiles: both factors, by how many', () => {
    expect(found(product('16, 16'), 'MemoryCacheAccessPattern')!.message).toContain(
      '`a[id.y * n + k]` by 16 invocations and `b[k * n + id.x]` by 16 invocations',
    )
  })
  test('the gain is near that of the kernel with tiles', () => {
    const tiled = go(
      'var s = 0.0; for (var k = 0u; k < n; k += 16) { ta[local.y][local.x] = a[id.y * n + k + local.x]; ' +
        'tb[local.y][local.x] = b[(k + local.y) * n + id.x]; workgroupBarrier(); for (var i = 0u; i < 16; ' +
        'i++) { s += ta[local.y][i] * tb[i][local.x]; } workgroupBarrier(); } c[id.y * n + id.x] = s;',
      { declare: 'var<workgroup> ta: array<array<f32, 16>, 16>; var<workgroup> tb: array<array<f32, 16>, 16>;' },
    )
    const naive = product('16, 16')
    const real = naive.prediction.ns / tiled.prediction.ns
    const said = found(naive, 'MemoryCacheAccessPattern')!.speedup
    expect(said / real).toBeGreaterThan(0.5)
    expect(said / real).toBeLessThan(2)
    expect(rules(tiled)).toEqual([])
  })
})

test('block sizes: every multiple of a subgroup, each computed exactly', () => {
  const { occupancy } = go('c[id.x] = 1;', { size: '64' })
  expect(occupancy.blockSizes.map((b) => b.threads)).toEqual(Array.from({ length: 32 }, (_, i) => 32 * (i + 1)))
  expect(occupancy.blockSizes[1]).toMatchObject({
    threads: 64,
    activeWarps: occupancy.activeWarps,
    occupancy: occupancy.occupancy,
  })
  expect(occupancy.blockSizes[23]).toMatchObject({ threads: 768, activeBlocks: 2, occupancy: 0.75 })
})
