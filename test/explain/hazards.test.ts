// Hazards in the words of the source: one report per pair of places, both lines, lanes, addresses and what to do.
// Barriers in non-uniform control flow are compared with what Tint says of the same text.
import { beforeAll, describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../src/base/index.ts'
import type { ExplainReport } from '../../src/explain/index.ts'
import { nullDevice, tintErrors } from '../support/dawn.ts'
import { nonUniformBarriers } from '../../src/explain/uniformity.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { hazardReports } from '../../src/explain/hazards/hazard-reports.ts'
import { wordsOf } from '../../src/explain/wording.ts'
import { go, shader, type Options } from './kernels.ts'

const small: Options = {
  size: '64',
  grid: [4, 1, 1],
  declare: 'var<workgroup> tile: array<f32, 128>; var<workgroup> count: atomic<u32>; var<workgroup> flag: u32;',
}
const hazards = (body: string, o: Options = {}): ExplainReport['hazards'] => go(body, { ...small, ...o }).hazards
const [first] = [
  (body: string, o: Options = {}): string => {
    const [h] = hazards(body, o)
    return h ? `${h.kind}: ${h.message}. ${h.fix}` : 'none'
  },
]

describe('workgroup memory that nobody writes', () => {
  const reads = (body: string): readonly string[] =>
    hazards(body).map((h) => `${h.level} ${h.kind} ${h.count} ${/'(\w+)'$/.exec(h.example)?.[1]}`)
  test.each([
    [
      'more elements than invocations',
      'tile[local.x] = a[id.x]; workgroupBarrier(); var s = 0.0; for (var k = 0u; k < 128; k++) { s += tile[k]; } \
c[id.x] = s;',
      ['note uninitialized 256 tile'],
    ],
    ['an array that is never written', 'c[id.x] = tile[local.x];', ['note uninitialized 256 tile']],
    [
      'all of it, in rounds',
      'for (var k = local.x; k < 128; k += 64) { tile[k] = a[k]; } workgroupBarrier(); \
c[id.x] = tile[127 - local.x];',
      [],
    ],
    [
      'read before a barrier, written behind it',
      'let s = tile[(local.x + 1) % 64]; workgroupBarrier(); tile[local.x] = s + a[id.x]; c[id.x] = tile[local.x];',
      ['note uninitialized 256 tile'],
    ],
    ['sums that begin as 0', 'tile[local.x] += a[id.x]; c[id.x] = tile[local.x];', []],
    ['a count that begins as 0', 'atomicAdd(&count, 1u); workgroupBarrier(); c[id.x] = f32(atomicLoad(&count));', []],
  ])('%s', (_, body, expected) => {
    expect(reads(body)).toEqual(expected)
  })
})

describe('races', () => {
  test('a missing barrier: one report with both places, lanes and the address', () => {
    const all = hazards('tile[local.x] = 1.0; c[id.x] = tile[63 - local.x];')
    expect(all).toHaveLength(1)
    expect(all[0]).toMatchObject({ kind: 'race', count: 4 * 64 })
    expect(all[0]!.message).toBe(
      'write `tile[local.x]` and read `tile[63 - local.x]` (line 8): different invocations touch the same ' +
        'bytes with no barrier between',
    )
    expect(all[0]!.example).toMatch(
      /^workgroup \(0, 0, 0\), invocation \(\d+, 0, 0\) and invocation \(\d+, 0, 0\): byte \d+ of 'tile'$/,
    )
  })
  test.each([
    ['one constant', 'if (a[id.x] > 0.5) { flag = 1u; }', 'note'],
    ['values of their own', 'flag = local.x;', 'error'],
  ])('writes of %s', (_, body, level) => {
    expect(hazards(body).map((h) => [h.kind, h.level])).toEqual([['race', level]])
  })
  test('an index below 0 is named where it is, and asks for no memory', () => {
    const all = hazards('c[id.x] = a[id.x - 1];')
    expect(all.map((h) => h.kind)).toEqual(['out-of-bounds'])
    expect(all[0]!.example).toContain('(index -1, which wraps to 4294967295)')
  })
  test.each([
    ['one of two that select() evaluates', 'c[id.x] = select(0.0, a[id.x - 1], id.x > 0);', 'note'],
    ['of a later condition', 'let v = a[id.x - 1]; var s = 1.0; if (id.x > 0) { s = v * 2; } c[id.x] = s;', 'note'],
    [
      'of workgroup memory',
      'tile[local.x] = a[id.x]; workgroupBarrier(); let v = tile[local.x - 1]; \
if (local.x > 0) { c[id.x] = v; }',
      'note',
    ],
    [
      'behind a return that data decide, and before a loop that they end',
      'if (b[id.x] > 2.0) { return; } c[id.x] = select(0.0, a[id.x - 1], id.x > 0); \
for (var k = 0u; k < u32(b[0]); k++) { c[id.x] += 1.0; }',
      'note',
    ],
    ['before a return that data decide', 'let v = a[id.x - 1]; if (b[id.x] < 2.0) { return; } c[id.x] = v;', 'error'],
    ['that is added', 'c[id.x] = a[id.x] + a[id.x - 1];', 'error'],
    ['that the larger of two hides', 'c[id.x] = max(a[id.x - 1], 0.0);', 'error'],
    ['that random contents hide', 'c[id.x] = select(0.0, a[id.x - 1], b[id.x] > 2.0);', 'error'],
    ['that is an index', 'c[id.x] = b[u32(a[id.x - 1])];', 'error'],
    [
      'that ends a loop',
      'var k = 0u; while (k < 3) { if (a[id.x - 1] > 0.5) { break; } k++; } c[id.x] = f32(k);',
      'error',
    ],
  ])('a read below 0 whose value is not used, %s', (_, body, level) => {
    const outside = hazards(body).filter((h) => h.kind === 'out-of-bounds' && h.message.includes('- 1]'))
    expect(outside.map((h) => h.level)).toEqual([level])
  })
  test('both orders of a pair are one report, and so are the parts of a vector', () => {
    expect(hazards('for (var k = 0u; k < 4; k++) { tile[local.x] = tile[(local.x + 1) % 64]; }')).toHaveLength(1)
    expect(hazards('c[local.x % 32] = a[id.x];', { element: 'vec3f', grid: [1, 1, 1] })).toHaveLength(1)
  })
  test.each([
    [
      'storage behind a barrier of workgroup memory',
      'c[id.x] = 1.0; workgroupBarrier(); tile[local.x] = c[id.x ^ 1];',
      1,
    ],
    ['storage behind its own', 'c[id.x] = 1.0; storageBarrier(); tile[local.x] = c[id.x ^ 1];', 0],
    [
      'workgroup memory behind one of storage',
      'tile[local.x] = 1.0; storageBarrier(); c[id.x] = tile[63 - local.x];',
      1,
    ],
    [
      'both behind both',
      'tile[local.x] = 1.0; c[id.x] = 1.0; storageBarrier(); workgroupBarrier(); ' +
        'let v = tile[63 - local.x] + c[id.x ^ 1]; storageBarrier(); c[id.x] = v;',
      0,
    ],
  ])('a barrier orders one kind of memory: %s', (_, body, found) => {
    expect(hazards(body, { grid: [1, 1, 1] }).map((h) => h.kind)).toEqual(Array(found).fill('race'))
  })
  test.each([
    ['of all on one place', 'let v = atomicLoad(&count); atomicStore(&count, v + 1u);', 1],
    ['of one thread', 'if (local.x == 0u) { let v = atomicLoad(&count); atomicStore(&count, v + 1u); }', 0],
    ['that stores something else', 'let v = atomicLoad(&count); c[id.x] = f32(v); atomicStore(&count, 7u);', 0],
    ['in one step', 'let v = atomicAdd(&count, 1u); c[id.x] = f32(v);', 0],
  ])('an update in two atomic steps, %s', (_, body, found) => {
    const all = hazards(body)
    expect(all.length).toBeGreaterThanOrEqual(found)
    expect(all.length > 0).toBe(found > 0)
    for (const h of all) expect(h.message).toContain('updates of other invocations are lost')
  })
  test.each([
    ['with no barrier', 'atomicAdd(&count, 1u); c[id.x] = f32(atomicLoad(&count));', ['note']],
    ['behind one of storage', 'atomicAdd(&count, 1u); storageBarrier(); c[id.x] = f32(atomicLoad(&count));', ['note']],
    ['behind a barrier', 'atomicAdd(&count, 1u); workgroupBarrier(); c[id.x] = f32(atomicLoad(&count));', []],
    [
      'under a lock',
      'if (atomicExchange(&count, 1u) == 0u) { c[id.x] = f32(atomicLoad(&count)); atomicStore(&count, 0u); }',
      [],
    ],
  ])('an atomic read beside atomic updates, %s', (_, body, levels) => {
    const all = hazards(body)
    expect(all.map((h) => h.level)).toEqual(levels)
    for (const h of all) expect(h.message).toContain('being atomic orders nothing')
  })
  test.each([
    ['with a barrier in it', 'for (var k = 4u; k > 0u;) { c[id.x] = 1.0; workgroupBarrier(); }'],
    ['around one that ends', 'for (var k = 4u; k > 0u;) {\n for (var i = 0u; i < 16u; i++) { c[id.x] += 1.0; }\n}'],
  ])('an endless loop %s is refused at its own line', (_, body) => {
    let line: number | undefined
    try {
      hazards(body)
    } catch (e) {
      line = e instanceof DiagnosticError ? e.diagnostics[0]?.at?.line : undefined
    }
    expect(line).toBe(8)
  })
  test('lines apart: the barrier goes between them', () => {
    expect(first('tile[local.x] = 1.0;\n\n c[id.x] = tile[63 - local.x];')).toContain(
      'put workgroupBarrier() between lines 8 and 10',
    )
  })
  test.each([
    ['an increment', 'c[0] += 1.0;'],
    ['written out', 'c[0] = c[0] + 1.0;'],
    ['in workgroup memory', 'tile[3] += 1.0; workgroupBarrier(); c[id.x] = tile[3];'],
  ])('%s by all is a lost update, named so', (_, body) => {
    expect(first(body)).toMatch(
      /is read, changed and written back by several invocations at once.*updates are lost\. make the element atomic/,
    )
  })
  test(
    'of CUDA, whose accesses have the text of their ' + 'statement, an update is one that reads what it assigns to',
    () => {
      const at = { file: 'k.cu', line: 3, column: 3 }
      const reportOf = (text: string, quoted: string, other = 0, isTwice = false): ExplainReport['hazards'][number] => {
        const list = (['load', 'store'] as const).map((op) => ({
          at,
          op,
          text,
          resource: 'y',
          space: 'global',
        })) as unknown as ExplainReport['accesses'] // what hazards ask for
        const race = {
          kind: 'race',
          at,
          other: at,
          within: other < 32 ? 'warp' : 'block',
          message: quoted,
          example: `block (0, 0, 0), thread (1, 0, 0) and thread (${other}, 0, 0): byte 4 of y`,
          count: 1,
        } as const
        const ops = [...quoted.matchAll(/'(store|load)/g)].map(([, op]) => op as 'store' | 'load') // the pattern's
        return hazardReports([{ ...race, ops }, ...(isTwice ? [{ ...race, ops: ['store', 'store'] as const }] : [])], {
          list,
          words: wordsOf('cuda'),
        })[0]!
      }
      const messageOf = (text: string, quoted: string): string => reportOf(text, quoted).message
      for (const text of [
        'y[i & 7] += 1;',
        'y[0] = y[ 0 ] * 2;',
        'y[a[i]]++;',
        'p->y <<= 1;',
        'y[0] = x[i] > y[0] ? x[i] : y[0];',
      ])
        expect(reportOf(text, "'store y' and 'load y'", 0, true).message, text).toContain('updates are lost')
      // where no two threads write one element, others read it on the way
      expect(messageOf('y[i] += y[i + k];', "'store y' and 'load y'")).toContain('with no barrier between')
      for (const text of ['y[i] = y[i + 1] * 2;', 'y[0] = x[i];', 'y[i] = y[j] == y[k];', 'if (i < 32) fold(y, i);'])
        expect(messageOf(text, "'store y' and 'load y'"), text).toBe(
          `write \`${text}\` and read \`${text}\` (line 3): different threads touch the same bytes with no ` +
            `barrier between`,
        )
      expect(messageOf('y[0] = x[i];', "'store y'"), 'a store against itself').toMatch(
        /^write `y\[0\] = x\[i\];`: different threads/,
      )
      const fixOf = (other: number): string => reportOf('fold(y, i);', "'store y' and 'load y'", other).fix
      expect(fixOf(31), 'within a warp').toContain('put __syncwarp() between')
      expect(fixOf(32), 'of two warps').not.toContain('__syncwarp()')
    },
  )
  test('an atomic update is none', () => {
    expect(hazards('atomicAdd(&count, 1u); workgroupBarrier(); c[id.x] = f32(atomicLoad(&count));')).toEqual([])
  })
  test('between workgroups: no barrier would help', () => {
    const h = hazards('if (local.x == 0) { c[0] = f32(group.x); }')[0]!
    expect(h.message).toContain('in different workgroups, which nothing orders within a dispatch')
    expect(h.example).toMatch(/ of workgroup \(\d, 0, 0\): byte 0 of 'c'/)
    expect(h.fix).toContain('another dispatch')
  })
  test('through pointers: named at the access itself', () => {
    const declare =
      `${small.declare}\nfn put(p: ptr<workgroup, array<f32, 128>>, i: u32) { (*p)[i] = 1.0; }\nfn fetch(p: ` +
      `ptr<workgroup, array<f32, 128>>, i: u32) -> f32 { return (*p)[i]; }`
    const h = hazards('put(&tile, local.x); c[id.x] = fetch(&tile, 63 - local.x);', { declare })
    expect(h).toHaveLength(1)
    expect([h[0]!.at!.line, h[0]!.other!.line].sort()).toEqual([2, 3])
  })
})

describe('barriers', () => {
  let device: GPUDevice
  beforeAll(async () => {
    device = await nullDevice()
  }, 60_000)
  const cases: readonly (readonly [string, boolean])[] = [
    ['workgroupBarrier();', true],
    ['if (local.x < 32) { workgroupBarrier(); }', false],
    ['if (group.x < 2) { workgroupBarrier(); }', true],
    ['if (local.x < 32) { return; } workgroupBarrier();', false],
    ['if (group.x < 2) { return; } workgroupBarrier();', true],
    ['for (var k = 0u; k < local.x; k++) { workgroupBarrier(); }', false],
    ['for (var k = 0u; k < group.x; k++) { workgroupBarrier(); }', true],
    ['for (var k = 0u; k < 4; k++) { if (local.x == k) { break; } } workgroupBarrier();', true],
    ['for (var k = 0u; k < 4; k++) { workgroupBarrier(); if (local.x == k) { break; } }', false],
    ['for (var k = 0u; k < 4; k++) { if (local.x == k) { continue; } workgroupBarrier(); }', false],
    ['for (var k = 0u; k < 4; k++) { workgroupBarrier(); if (local.x == k) { continue; } c[k] = 1.0; }', false],
    ['var x = local.x; x = 0u; if (x == 0u) { workgroupBarrier(); }', true],
    ['var x = 0u; if (local.x > 3) { x = 1u; } if (x == 0u) { workgroupBarrier(); }', false],
    ['if (a[0] > 0.5) { workgroupBarrier(); }', true],
    ['if (c[0] > 0.5) { workgroupBarrier(); }', false],
    ['if (a[local.x] > 0.5) { workgroupBarrier(); }', false],
    ['if (tile[0] > 0.5) { workgroupBarrier(); }', false],
    ['if (workgroupUniformLoad(&flag) > 0u) { workgroupBarrier(); }', true],
    ['if (local.x > 3) { c[0] = f32(workgroupUniformLoad(&flag)); }', false],
    ['if (atomicLoad(&count) > 0u) { workgroupBarrier(); }', false],
    ['if (local.x > 3) { storageBarrier(); }', false],
    ['switch (local.x) { case 0: { workgroupBarrier(); } default: {} }', false],
    ['var t = array<u32, 2>(0u, 1u); if (t[group.x % 2] == 0u) { workgroupBarrier(); }', true],
    ['let on = local.x > 3 && group.x > 2; if (on) { workgroupBarrier(); }', false],
    ['var k = 0u; loop { if (k > 3) { break; } workgroupBarrier(); continuing { k += local.x; } }', false],
    ['while (true) { if (rank > 9) { return; } workgroupBarrier(); }', false],
  ]
  test.each(cases)('%s (allowed: %s)', async (body, allowed) => {
    const text = shader(body, small)
    const tint = (await tintErrors(device, text, 'main')).join()
    expect(tint === '', tint).toBe(allowed)
    expect(nonUniformBarriers(parseWgsl(text, 'test.wgsl').kernel).length === 0).toBe(allowed)
  })

  test('the report says that browsers refuse it, why, and who was missing when it ran', () => {
    const h = hazards('if (local.x < 32) {\n workgroupBarrier();\n}')
    expect(h).toHaveLength(1)
    expect(h[0]).toMatchObject({ kind: 'barrier-divergence', count: 4 * 32, at: { line: 9 }, other: { line: 8 } })
    expect(h[0]!.message).toContain(
      '(the condition at line 8 may differ between invocations of a workgroup): browsers refuse to create this shader',
    )
    expect(h[0]!.example).toContain('does not arrive')
  })
  test('it says so too when all happened to arrive', () => {
    expect(hazards('if (local.x < 9999) { workgroupBarrier(); }')[0]).toMatchObject({
      kind: 'barrier-divergence',
      count: 0,
      example: 'all invocations arrived in the workgroups that were run',
    })
  })
})

describe('one value of all that write it', () => {
  test.each([
    ['a constant', 'tile[0] = 1.0;', ['note race']],
    ['of the workgroup', 'tile[0] = f32(group.x) + a[group.x * 64u];', ['note race']],
    ['of the launch, between workgroups', 'c[0] = a[3] * 2.0;', ['note race']],
    ['of a workgroup, between workgroups', 'c[0] = f32(group.x);', ['error race']],
    ['of an invocation', 'tile[0] = f32(local.x);', ['error race']],
    ['of a round', 'for (var k = 0u; k < 4u; k++) { tile[0] = f32(k); }', ['error race']],
    ['read from what is written', 'tile[0] = c[group.x * 64u]; c[id.x] = 1.0;', ['error race']],
    ['that doubles thirty times', `var s = a[0]; ${'s = s + s; '.repeat(30)} tile[0] = s;`, ['error race']],
  ])('%s', (_, body, expected) => {
    expect([...new Set(hazards(body).map((h) => `${h.level} ${h.kind}`))]).toEqual(expected)
  })
})

describe('divisions by 0', () => {
  const divisions = (body: string, o: Options = {}): readonly string[] =>
    hazards(body, o).map((h) => `${h.level} ${h.kind} ${h.at?.line}:${h.at?.column} ${h.count}`)
  test.each([
    ['some invocations', 'c[id.x] = f32(64u / (local.x & 31u));', ['note division-by-zero 8:13 8']],
    ['remainders', 'c[id.x] = f32(id.x % (local.x >> 5u));', ['note division-by-zero 8:13 128']],
    ['never', 'c[id.x] = f32(64u / (local.x + 1u)) + f32(id.x / 3u);', []],
    ['where it is asked before', 'if (local.x > 0u) { c[id.x] = f32(64u / local.x); }', []],
    ['floats', 'c[id.x] = 1.0 / f32(local.x);', []],
  ])('%s', (_, body, expected) => expect(divisions(body)).toEqual(expected))
  test('by what nobody gave: nothing is said, for 0 stands for it', () => {
    const declare = '@group(1) @binding(0) var<uniform> width: u32;'
    const [body, launch] = ['c[id.x] = f32(id.x % width);', { args: { width: 0 } }]
    expect([divisions(body, { declare }), divisions(body, { declare, launch }).length]).toEqual([[], 1])
  })
})

describe('contents that nobody gave', () => {
  const declare =
    'struct Shape { width: u32, height: u32 } @group(1) @binding(0) var<uniform> shape: Shape; ' +
    '@group(1) @binding(1) var<storage, read> places: array<u32>;'
  const levels = (body: string, launch: NonNullable<Options['launch']> = {}): readonly string[] =>
    hazards(body, { declare, launch }).map((h) => `${h.level} ${h.kind}`)
  test.each([
    ['a place from a table', 'c[places[id.x]] = f32(id.x);', { buffers: { places: { count: 256, fill: 'zero' } } }],
    ['a width of 0', 'c[local.x + shape.width * group.x] = f32(id.x);', { args: { 'shape.width': 8 } }],
  ] as const)('%s: a race is a note, and an error when they are given', (_, body, launch) => {
    expect(levels(body)).toEqual(['note race'])
    expect(levels(body, launch)).toEqual(['error race'])
  })
  test('a place below 0 is a note, too, and says what it follows from', () => {
    const [h] = hazards('c[places[id.x] - 5u] = 1.0;', { declare })
    expect([h?.level, h?.kind]).toEqual(['note', 'out-of-bounds'])
    expect(h?.message).toContain(
      "where it goes follows from 'places', whose contents nobody gave: integers and pointers",
    )
  })
  test('a member is not given by another', () => {
    const launch = { args: { 'shape.height': 8 } },
      [h] = hazards('c[local.x + shape.width * group.x] = f32(id.x);', { declare, launch })
    expect(h?.level).toBe('note')
    expect(h?.message).toContain("where it goes follows from 'shape.width', whose contents nobody gave")
  })
  test.each([
    ['only reads', 'c[kept[id.x]] = f32(id.x);', 'note race'],
    ['writes too', 'c[kept[id.x]] = f32(id.x); kept[id.x] = id.x;', 'error race'],
  ])('a buffer that may be written, which the kernel %s', (_, body, expected) => {
    const kept = '@group(1) @binding(0) var<storage, read_write> kept: array<u32>;'
    expect(hazards(body, { declare: kept }).map((h) => `${h.level} ${h.kind}`)).toContain(expected)
  })
  test('what does not follow from them is an error as ever', () =>
    expect(levels('c[local.x] = f32(places[id.x] + id.x);')).toEqual(['error race']))
})

test('out of bounds: who, where and what to do', () => {
  const h = hazards('c[id.x] = a[id.x];', { launch: { buffers: { a: { count: 100 } } } })
  expect(h).toHaveLength(1)
  expect(h[0]).toMatchObject({
    kind: 'out-of-bounds',
    fix: 'guard it (if (index < arrayLength(…))), or bind a larger buffer',
  })
  expect(h[0]!.example).toMatch(/^workgroup \(\d, 0, 0\), invocation \(\d+, 0, 0\): byte \d+ of 'a', which has 400/)
})

describe('what an example touches is said as data, too', () => {
  const touched = (body: string, o: Options = {}): unknown =>
    hazards(body, o).map(({ kind, resource, bytes, within }) => ({ kind, resource, bytes, within }))
  test.each([
    ['of two warps', 'tile[local.x] = 1.0; c[id.x] = tile[63 - local.x];', 'block'],
    ['of one warp', 'tile[local.x] = 1.0; c[id.x] = tile[(local.x & 32) + (local.x + 1) % 32];', 'warp'],
    ['of one warp and of two', 'tile[local.x] = 1.0; c[id.x] = tile[(local.x + 1) % 32];', 'block'],
    ['of a whole block with one', 'c[id.x] = tile[0]; if (local.x == 0) { tile[0] = 1.0; }', 'block'],
  ] as const)('a race %s', (_, body, within) => {
    const h = hazards(body).find((x) => x.kind === 'race')
    const byte = Number(/byte (\d+)/.exec(h!.example)?.[1])
    expect(h).toMatchObject({ resource: 'tile', bytes: { from: byte, to: byte + 4 }, within })
  })
  test('a race of two workgroups', () =>
    expect(touched('c[local.x] = f32(id.x);')).toEqual([
      { kind: 'race', resource: 'c', bytes: { from: 0, to: 4 }, within: 'grid' },
    ]))
  test('an access out of bounds', () =>
    expect(touched('c[id.x] = a[id.x];', { launch: { buffers: { a: { count: 100 } } } })).toEqual([
      { kind: 'out-of-bounds', resource: 'a', bytes: { from: 400, to: 404 }, within: null },
    ]))
})

describe('a refusal in the middle of a run says what was amiss before', () => {
  const refusal = (body: string, o: Options = {}): readonly string[] => {
    try {
      hazards(body, o)
    } catch (e) {
      if (e instanceof DiagnosticError) return e.diagnostics.map((d) => `${d.code} ${d.at?.line}`)
      throw e
    }
    return []
  }
  const endless = 'workgroupBarrier(); loop { c[id.x] += 1.0; if (c[id.x] < 0.0) { break; } }'
  const bad = `tile[local.x] = 1.0; c[id.x] = tile[63 - local.x]; ${endless}`
  test.each([
    ['sizes are sought', {}, 'explain.steps'],
    ['all is given', { launch: { buffers: { c: { count: 256 } } } }, 'simulate.steps'],
  ] as const)('where %s', (_, o, code) => {
    const [first, ...others] = refusal(bad, o)
    expect(first).toMatch(code)
    expect(others.map((x) => x.split(' ')[0])).toEqual(['explain.race'])
    expect(refusal(`c[id.x] = tile[local.x]; ${endless}`, o)).toHaveLength(1)
  })
})
