// Changes of a source that are made and run: each case has a fault, and what the changed text must have. That outputs
// are the same is checked here once more, and that a text without the fault is left alone.
import { describe, expect, test } from 'vitest'
import { explain, explainFixes, explainRemedies, type ExplainLaunch, type FixReport } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { explainSarif, fixLines, unifiedDiff } from '../../src/report/index.ts'
import { shader, type Options } from './kernels.ts'

const mend = (text: string, launch: ExplainLaunch): FixReport =>
  explainFixes({ text, file: 'k.wgsl' }, launch, { gpu: gpu('h200') })
const of = (body: string, o: Options, launch: Partial<ExplainLaunch> = {}): FixReport =>
  mend(shader(body, o), { grid: o.grid ?? [4, 1, 1], ...launch })

const tile = 'var<workgroup> tile: array<f32, 256>;'
const halving =
  'for (var s = 128u; s > 0; s /= 2) {\n    if (local.x < s) { tile[local.x] += tile[local.x + s]; }\n  }\n' +
  '  if (local.x == 0) { c[group.x] = tile[0]; }'
const rows = '(id.y * 1024 + id.x)'

describe('hazards', () => {
  test.each([
    ['a barrier that is missing', 'tile[rank] = a[id.x]; c[id.x] = tile[255 - rank];', 1, 0],
    ['one before a loop and one in it', `tile[local.x] = a[id.x];\n  ${halving}`, 2, 0],
    ['storage between invocations', 'c[id.x] = a[id.x]; workgroupBarrier(); c[id.x ^ 1] += 1.0;', 0, 1],
  ])('%s', (_, body, ofWorkgroup, ofStorage) => {
    const { before, after, text, fixes } = of(body, { size: '256', declare: tile })
    expect(before.hazards.some((h) => h.level === 'error')).toBe(true)
    expect(after.hazards.filter((h) => h.level === 'error')).toEqual([])
    const count = (name: string): number => text.split(`${name}()`).length - shader(body).split(`${name}()`).length
    expect([count('workgroupBarrier'), count('storageBarrier')]).toEqual([ofWorkgroup, ofStorage])
    expect(fixes.reduce((n, f) => n + f.gone, 0)).toBeGreaterThan(0)
  })

  test.each([
    [
      'in a branch, at its end',
      'if (local.x < 64) { tile[rank] = a[id.x]; workgroupBarrier(); } c[id.x] = tile[rank ^ 1];',
    ],
    ['in the middle', 'if (local.x < 64) { tile[rank] = 1; workgroupBarrier(); c[id.x] = tile[rank ^ 1]; }'],
    [
      'behind a return',
      'if (id.x > 200) { return; }\n  tile[rank] = a[id.x]; workgroupBarrier(); c[id.x] = tile[rank ^ 1];',
    ],
    [
      'in a loop behind a return',
      'if (id.x > 200) { return; }\n  tile[rank] = a[id.x]; workgroupBarrier();\n  var s = 64u;\n  loop {\n' +
        '    if (s == 0u) { break; }\n    if (rank < s) { tile[rank] += tile[rank + s]; }\n    workgroupBarrier();\n' +
        '    s = s / 2u;\n  }\n  if (rank == 0) { c[group.x] = tile[0]; }',
    ],
  ])('a barrier that not all reach: %s', (_, body) => {
    const { before, after } = of(body, { size: '128', declare: tile })
    expect(before.hazards.some((h) => h.kind === 'barrier-divergence')).toBe(true)
    expect(after.hazards.filter((h) => h.level === 'error')).toEqual([])
  })

  test.each([
    [
      'with its own name',
      'let old = atomicLoad(&total[rank % 4]); atomicStore(&total[rank % 4], old + 1);',
      'let old = atomicAdd(&total[rank % 4], 1);',
    ],
    [
      'in one statement',
      'atomicStore(&total[rank % 4], atomicLoad(&total[rank % 4]) + 2);',
      'atomicAdd(&total[rank % 4], 2);',
    ],
    [
      'the largest',
      'let old = atomicLoad(&total[0]); atomicStore(&total[0], max(old, rank));',
      'let old = atomicMax(&total[0], rank);',
    ],
  ])('an update in two steps: %s', (_, body, one) => {
    const declare = '@group(0) @binding(3) var<storage, read_write> total: array<atomic<u32>, 4>;'
    expect(of(body, { size: '64', declare }).text).toContain(one)
  })

  test('an access behind the end is guarded', () => {
    const buffers = { a: { bytes: 800 }, c: { bytes: 800 } }
    const { after, text } = of('c[id.x] = a[id.x] * 2.0;', { size: '64' }, { buffers })
    expect(text).toContain('< arrayLength(&')
    expect(after.hazards).toEqual([])
  })

  test('what no barrier orders gets none', () => {
    const { fixes } = of('c[id.x] = c[id.x + 256] + 1.0;', { size: '256' })
    expect(fixes).toEqual([])
  })
})

describe('time', () => {
  const place = (a: 'x' | 'y', b: 'x' | 'y'): string =>
    `(group.${b} * 32 + local.y + j) * n + group.${a} * 32 + local.x`
  const column = (row: string): string =>
    row.replace('local.y + j', 'Q').replace('local.x', 'local.y + j').replace('Q', 'local.x')
  const turned = (row: string): string =>
    `for (var j = 0u; j < 32; j += 8) { tile[${row}] = a[${place('x', 'y')}]; }\n` +
    `  workgroupBarrier();\n  for (var j = 0u; j < 32; j += 8) ` +
    `{ c[${place('y', 'x')}] = tile[${column(row)}]; }`
  test.each([
    ['x and y exchanged', 'c[id.x * 1024 + id.y] = a[id.x * 1024 + id.y];', '16, 16', '', 'a[id.y * 1024 + id.x]'],
    [
      'rows that are counted',
      turned('(local.y + j) * 32 + local.x'),
      '32, 8',
      'var<workgroup> tile: array<f32, 1024>;',
      'array<f32, (1024) / 32 * 33>',
    ],
    [
      'rows that are declared',
      turned('local.y + j][local.x'),
      '32, 8',
      'var<workgroup> tile: array<array<f32, 32>, 32>;',
      'array<array<f32, 32 + 1>, 32>',
    ],
    ['larger workgroups', `c[${rows}] = a[${rows}] * 2.0;`, '1, 1', '', '@workgroup_size(32, 1)'],
    [
      'sums of a workgroup',
      'if (a[id.x] < 2) { atomicAdd(&bins[rank % 8], 1u); }',
      '256',
      '@group(0) @binding(3) var<storage, read_write> bins: array<atomic<u32>, 8>;',
      'var<workgroup> bins_sums: array<atomic<u32>, 8>',
    ],
    [
      'the largest of a workgroup',
      'atomicMax(&bins[0], u32(a[id.x] * 1000));',
      '256',
      '@group(0) @binding(3) var<storage, read_write> bins: array<atomic<u32>, 8>;',
      'atomicMax(&bins_sums[0], u32(a[id.x] * 1000));',
    ],
    [
      'bits of a workgroup',
      'atomicOr(&bins[0], 1u << u32(a[id.x] * 31));',
      '256',
      '@group(0) @binding(3) var<storage, read_write> bins: array<atomic<u32>, 8>;',
      'atomicOr(&bins_sums[0], 1u << u32(a[id.x] * 31));',
    ],
  ])('%s: the gain is that of the changed text, explained for itself', (_, body, size, declare, has) => {
    const { fixes, text, before, launch } = of(body, { size, declare, grid: [32, 32, 1] })
    expect(text).toContain(has)
    expect(fixes).toHaveLength(1)
    expect(fixes[0]!.outputs).toMatchObject({ different: 0 })
    const buffers = Object.fromEntries(before.buffers.map((b) => [b.name, { bytes: b.bytes }]))
    const again = mend(text, { grid: launch.grid, buffers })
    expect(again.before.prediction.ns).toBeCloseTo(fixes[0]!.after, 3)
    expect(again.fixes).toEqual([])
    expect(fixes[0]!.before / fixes[0]!.after).toBeGreaterThan(1.03)
  })

  test.each([
    ['a copy', 'c[id.x] = a[id.x];'],
    ['a kernel that uses its index whole', 'let p = id; c[p.x * 1024 + p.y] = a[p.x * 1024 + p.y];'],
  ])('left alone: %s', (_, body) => {
    const { text, fixes } = of(body, { size: '256', grid: [64, 1, 1] })
    expect([fixes.length, text]).toEqual([0, shader(body, { size: '256' })])
  })
})

test('the larger of signed integers does not begin at 0, and is left alone', () => {
  const declare = '@group(0) @binding(3) var<storage, read_write> bins: array<atomic<i32>, 8>;'
  const body = 'atomicMax(&bins[0], i32(a[id.x] * 1000) - 2000);'
  expect(of(body, { size: '256', declare, grid: [32, 32, 1] }).fixes).toEqual([])
})

test('the diff has three lines around each change, and the numbers that patch needs', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`)
  const changed = lines.flatMap((l, i) => (i === 9 ? ['new', l] : i === 18 ? [] : [l]))
  expect(unifiedDiff('k.wgsl', lines.join('\n'), changed.join('\n'))).toEqual([
    '--- a/k.wgsl',
    '+++ b/k.wgsl',
    '@@ -7,6 +7,7 @@',
    ' line 7',
    ' line 8',
    ' line 9',
    '+new',
    ' line 10',
    ' line 11',
    ' line 12',
    '@@ -16,5 +17,4 @@',
    ' line 16',
    ' line 17',
    ' line 18',
    '-line 19',
    ' line 20',
  ])
})

test('what is printed says what each change gains, and the launch', () => {
  const body = `c[${rows}] = a[${rows}] * 2.0;`
  const report = of(body, { size: '1, 1', grid: [256, 4, 1] })
  const lines = fixLines(report, shader(body, { size: '1, 1' })).join('\n')
  expect(lines).toMatch(/LaunchConfiguration: make @workgroup_size 128 × 1 × 1; run so: [\d.]+×/)
  expect(lines).toContain('launch it as 2 × 4 × 1 workgroups of 128 × 1 × 1')
})

test('a change of its own for each result, by lines and columns of the source', () => {
  const text = shader('tile[local.x] = a[id.x];\n  c[id.x] = tile[63 - local.x];', {
      size: '64',
      declare: 'var<workgroup> tile: array<f32, 64>;',
    }),
    launch = { grid: [4, 1, 1] } as const,
    { report, remedies } = explainRemedies({ text, file: 'k.wgsl' }, launch, { gpu: gpu('h200') }),
    [remedy] = remedies
  expect(report.hazards.map((h) => h.kind)).toEqual(['race'])
  expect(remedies).toHaveLength(1)
  expect(remedy).toMatchObject({ of: 'hazard', index: 0 })
  const lines = text.split('\n')
  for (const { from, to, text: added } of [...remedy!.edits].reverse()) {
    expect(to).toEqual(from)
    const line = lines[from.line - 1]!
    lines[from.line - 1] = line.slice(0, from.column - 1) + added + line.slice(from.column - 1)
  }
  expect(explain({ text: lines.join('\n'), file: 'k.wgsl' }, launch, { gpu: gpu('h200') }).hazards).toEqual([])
  const log = JSON.parse(JSON.stringify(explainSarif(report, '0', remedies))) as {
    runs: { results: { ruleId: string; fixes?: { artifactChanges: { replacements: object[] }[] }[] }[] }[]
  }
  expect(log.runs[0]!.results.filter((r) => r.fixes).map((r) => r.ruleId)).toEqual(['race'])
  expect(log.runs[0]!.results[0]!.fixes![0]!.artifactChanges[0]!.replacements).toHaveLength(remedy!.edits.length)
})

test('a hazard in a launch of more data than can be compared is mended, and outputs are not', () => {
  const text = `@group(0) @binding(0) var<storage, read_write> c: array<f32>;
var<workgroup> tile: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) l: u32) {
  tile[l] = f32(l);
  c[id.x * 4000000u] = tile[63u - l];
}`
  const { fixes, before } = explainFixes({ text, file: 'k.wgsl' }, { grid: [4, 1, 1] }, { gpu: gpu('h200') })
  expect(before.buffers[0]?.bytes).toBeGreaterThan(2 ** 31)
  expect(fixes.map((f) => [f.mends, f.gone, f.outputs])).toEqual([['race', 1, null]])
})
