// `explain` on the examples: the JSON of docs/contracts.md, counts that can be derived by hand, and what is said of
// each.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explain, type ExplainLaunch, type ExplainReport } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { explainLines, explainSarif } from '../../src/report/index.ts'
import { someOf } from '../support/long.ts'

const folder = new URL('../../examples/wgsl/', import.meta.url)

function example(
  name: string,
  options: { exact?: boolean; grid?: ExplainLaunch['grid']; gpu?: string } = {},
): ExplainReport {
  const text = readFileSync(new URL(`${name}.wgsl`, folder), 'utf8')
  const launch = JSON.parse(readFileSync(new URL(`${name}.launch.json`, folder), 'utf8')) as {
    grid: number[]
    args?: Record<string, number>
  } // our own file
  const [x = 1, y = 1, z = 1] = launch.grid
  return explain(
    { text, file: `${name}.wgsl` },
    { ...launch, grid: options.grid ?? [x, y, z] },
    { gpu: gpu(options.gpu ?? 'h200'), ...(options.exact && { exact: true }) },
  )
}

const rules = (r: ExplainReport): string[] =>
  r.findings.map((f) => f.rule).filter((f) => f !== 'SOLBottleneck' && f !== 'HighPipeUtilization')
const access = (r: ExplainReport, text: string): ExplainReport['accesses'][number] =>
  r.accesses.find((a) => a.text === text)!

describe('the JSON of explain', () => {
  it('has the keys of the contract', () => {
    const r = example('transpose-naive')
    expect(Object.keys(r)).toEqual(
      expect.arrayContaining([
        'schema',
        'kernel',
        'gpu',
        'launch',
        'coverage',
        'instructions',
        'warpEfficiency',
        'branchEfficiency',
        'accesses',
        'totals',
        'branches',
        'occupancy',
        'hazards',
        'prediction',
        'findings',
      ]),
    )
    expect(r).toMatchObject({
      schema: 'tesela.explain/1',
      kernel: { name: 'main', language: 'wgsl', file: 'transpose-naive.wgsl' },
      gpu: 'h200',
      launch: { grid: [32, 128, 1], block: [32, 8, 1] },
      coverage: { blocks: 4096, simulated: 4, exact: true },
    })
    expect(Object.keys(r.accesses[0]!)).toEqual(
      expect.arrayContaining([
        'at',
        'resource',
        'space',
        'op',
        'bytesPerLane',
        'requests',
        'threads',
        'bytes',
        'sectors',
        'idealSectors',
        'lines',
        'efficiency',
        'wavefronts',
        'idealWavefronts',
        'worstConflict',
        'pattern',
        'stride',
      ]),
    )
    expect(Object.keys(r.occupancy)).toEqual(
      expect.arrayContaining([
        'activeBlocks',
        'activeWarps',
        'maxWarps',
        'occupancy',
        'limits',
        'limitedBy',
        'registers',
      ]),
    )
    expect(Object.keys(r.findings[0]!).sort()).toEqual(['at', 'fix', 'level', 'message', 'rule', 'scope', 'speedup'])
    expect(JSON.parse(JSON.stringify(r))).toEqual(r)
  })

  it('counts a naive transpose of 1024²: 32,768 requests, reads of 4 sectors, writes of 32', () => {
    const r = example('transpose-naive')
    expect(access(r, 'input[id.y * n + id.x]')).toMatchObject({
      op: 'load',
      requests: 32768,
      threads: 2 ** 20,
      bytes: 2 ** 22,
      sectors: 4 * 32768,
      efficiency: 1,
      pattern: 'coalesced',
    })
    expect(access(r, 'output[id.x * n + id.y]')).toMatchObject({
      op: 'store',
      requests: 32768,
      sectors: 32 * 32768,
      idealSectors: 4 * 32768,
      efficiency: 0.125,
      pattern: 'strided',
      stride: 1024,
    })
    expect(r.buffers.map((b) => [b.name, b.bytes, b.sized])).toEqual([
      ['input', 2 ** 22, 'by running'],
      ['output', 2 ** 22, 'by running'],
    ])
  })

  it('scales to what all blocks give', () => {
    for (const name of ['transpose-tiled', 'matmul-rows', 'reduce-halving']) {
      const grid = name === 'reduce-halving' ? ([64, 1, 1] as const) : undefined
      const [sampled, exact] = [example(name, grid && { grid }), example(name, { exact: true, ...(grid && { grid }) })]
      expect(exact.coverage.exact).toBe(true)
      expect({ ...sampled.totals, instructions: sampled.instructions }).toEqual({
        ...exact.totals,
        instructions: exact.instructions,
      })
    }
  })
})

describe('what explain says of each example', () => {
  it.each(
    someOf([
      ['transpose-naive', ['UncoalescedGlobalAccess'], 9],
      ['transpose-tiled', ['SharedMemoryConflicts'], 18],
      ['matmul-rows', ['MemoryCacheAccessPattern', 'UncoalescedGlobalAccess'], 13],
      ['matmul-naive', ['LaunchConfiguration', 'MemoryCacheAccessPattern'], 14],
      ['reduce-interleaved', ['ThreadDivergence'], 13],
      ['reduce-strided', ['SharedMemoryConflicts'], 15],
      ['particles', ['UncoalescedGlobalAccess'], 12],
      ['transpose-padded', [], 0],
      ['transpose-block4', [], 0],
      ['matmul-tiled', [], 0],
      ['reduce-halving', [], 0],
    ] as const),
  )('%s: %j at line %d', (name, expected, line) => {
    const r = example(name)
    expect(rules(r)).toEqual(expected)
    if (line > 0) expect(r.findings.find((f) => f.at)!.at!.line).toBe(line)
    expect(r.hazards).toEqual([])
    for (const f of r.findings) expect(f.speedup).toBeGreaterThanOrEqual(1)
  })

  it('a conflict counts 32 passes where one would do, and the model says what it is worth', () => {
    const r = example('transpose-tiled')
    const a = access(r, 'tile[local.x][row]')
    expect(a).toMatchObject({ space: 'shared', worstConflict: 32, pattern: 'strided', stride: 32 })
    expect(a.wavefronts).toBe(32 * a.requests)
    const f = r.findings[0]!
    expect(f).toMatchObject({ scope: 'global', level: 'warning' })
    expect(f.speedup).toBeCloseTo(r.prediction.ns / example('transpose-padded').prediction.ns, 1)
  })

  it('a missing barrier is a race, named by both lines in the words of the source', () => {
    const r = example('reduce-race')
    expect(r.hazards.every((h) => h.kind === 'race')).toBe(true)
    expect(r.hazards.map((h) => h.message)).toContain(
      'write `part[local.x]` and read `part[local.x + step]` (line 13): different invocations touch the same ' +
        'bytes with no barrier between',
    )
  })

  it('each rule follows the profile: Fermi moves whole lines, GT200 half-warps', () => {
    const sectors = (name: string): number =>
      access(example('transpose-naive', { gpu: name }), 'output[id.x * n + id.y]').sectors / 32768
    expect(sectors('h200')).toBe(32)
    expect(['gt200', 'fermi'].map(sectors).every((n) => n >= 32)).toBe(true)
  })

  it('the terminal report names the line, the rule and the gain', () => {
    const text = explainLines(example('transpose-tiled')).join('\n')
    expect(text).toContain('18:57 SharedMemoryConflicts')
    expect(text).toMatch(/1\.\d\d× kernel: read `tile\[local\.x\]\[row\]`/)
  })
})

describe('SARIF', () => {
  interface Log {
    version: string
    runs: {
      tool: { driver: { rules: { id: string }[] } }
      results: {
        ruleId: string
        ruleIndex: number
        level: string
        message: { text: string }
        locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[]
        partialFingerprints: Record<string, string>
      }[]
    }[]
  }
  // the shape that the test checks
  const log = (r: ExplainReport): Log => JSON.parse(JSON.stringify(explainSarif(r, '0.1.0'))) as Log

  it('names rules by index, places and fingerprints', () => {
    const [run] = log(example('reduce-race')).runs
    expect(run!.results.map((x) => x.ruleId)).toContain('race')
    for (const x of run!.results) {
      expect(run!.tool.driver.rules[x.ruleIndex]!.id).toBe(x.ruleId)
      expect(['error', 'warning', 'note']).toContain(x.level)
      expect(x.locations[0]!.physicalLocation.artifactLocation.uri).toBe('reduce-race.wgsl')
      expect(x.locations[0]!.physicalLocation.region.startLine).toBeGreaterThanOrEqual(1)
      expect(x.partialFingerprints['tesela/v1']).toMatch(/^[0-9a-f]{16}$/)
    }
  })

  it('keeps fingerprints when lines move', () => {
    const text = readFileSync(new URL('transpose-tiled.wgsl', folder), 'utf8')
    const prints = (t: string): string[] =>
      log(
        explain({ text: t, file: '/home/a b/t.wgsl' }, { grid: [32, 32, 1] }, { gpu: gpu('h200') }),
      ).runs[0]!.results.map(
        (x) => `${x.locations[0]!.physicalLocation.artifactLocation.uri} ${x.partialFingerprints['tesela/v1']}`,
      )
    expect(prints(text)).toEqual(prints(`\n\n${text}`))
    expect(prints(text)[0]).toMatch(/^home\/a%20b\/t\.wgsl /)
  })
})

describe('a launch', () => {
  const text =
    'struct P { n: u32, scale: f32 }\n@group(0) @binding(0) var<uniform> p: P;\n@group(0) @binding(1) ' +
    'var<storage, read_write> a: array<f32>;\n@compute @workgroup_size(64) fn ' +
    'main(@builtin(global_invocation_id) g: vec3u) { if (g.x < p.n) { a[g.x] *= p.scale; } }'
  const go = (launch: Partial<ExplainLaunch>): ExplainReport =>
    explain({ text, file: 'a.wgsl' }, { grid: [4, 1, 1], ...launch }, { gpu: gpu('h200'), exact: true })

  it('takes scalars of uniform variables by name', () => {
    const threads = (n: number): number =>
      go({ args: { 'p.n': n, scale: 2 } }).accesses.find((a) => a.op === 'store')!.threads
    expect([0, 1, 100, 256].map(threads)).toEqual([0, 1, 100, 256])
  })

  it('gives a buffer the size that scattered accesses of any block need', () => {
    const scattered =
      '@group(0) @binding(0) var<storage, read> a: array<u32>;\n@group(0) @binding(1) var<storage, ' +
      'read_write> o: array<u32>;\n@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: ' +
      'vec3u) { o[g.x] = a[(g.x * 2654435761u) >> 20u]; }'
    const r = explain({ text: scattered, file: 'a.wgsl' }, { grid: [8, 1, 1] }, { gpu: gpu('h200'), exact: true })
    expect([r.hazards, r.accesses.map((x) => [x.op, x.threads])]).toEqual([
      [],
      [
        ['store', 512],
        ['load', 512],
      ],
    ])
    expect(r.accesses[1]!.sectors).toBe(512) // any two of a warp's are far apart
    expect(r.buffers.find((b) => b.name === 'a')!.bytes).toBeGreaterThanOrEqual(4 * 4092)
  })

  it('finds what leaves a buffer of a given size', () => {
    const r = go({ args: { n: 256 }, buffers: { a: { count: 200, type: 'f32' } } })
    expect(r.hazards.map((h) => [h.kind, h.count])).toEqual([
      ['out-of-bounds', 56],
      ['out-of-bounds', 56],
    ])
  })

  it('takes what a launch gives to variables of the module that the entry point does not use', () => {
    const r = explain(
      {
        text:
          'struct Q { m: u32, k: f32 }\n@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n' +
          '@group(0) @binding(1) var<storage, read> b: array<f32>;\n@group(0) @binding(2) var<uniform> q: Q;\n' +
          '@group(0) @binding(3) var s: sampler;\n' +
          '@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { a[id.x] = 1.0; }',
        file: 'a.wgsl',
      },
      {
        grid: [4, 1, 1],
        buffers: { b: { type: 'f32', count: 256 } },
        args: { 'q.m': 1, k: 2 },
        samplers: { s: { filter: 'linear' } },
      },
      { gpu: gpu('h200') },
    )
    expect(r.buffers.map((b) => b.name)).toEqual(['a'])
    expect(r.notes).toContain("bindings that the kernel does not use: 'b', 's'")
    expect(r.notes).toContain("values that the kernel does not read: 'q.m', 'k'")
  })

  it.each(
    someOf([
      [{ args: { m: 1 } }, "no scalar 'm' is in the kernel's variables [explain.arg]\n  hint: there are p.n, p.scale"],
      [{ args: { 'p.n': -1 } }, "'p.n' is u32, which cannot hold -1 [explain.arg]"],
      [{ buffers: { b: { bytes: 4 } } }, "the kernel uses no buffer 'b' [explain.buffer]\n  hint: it uses p, a"],
      [{ buffers: { p: { bytes: 4 } } }, "buffer 'p' has 4 bytes, but P needs at least 8 [explain.buffer]"],
      [{ block: [32, 1, 1] as const }, 'the source says @workgroup_size(64, 1, 1), not 32×1×1 [explain.block]'],
      [{ grid: [0, 1, 1] as const }, 'a grid of 0×1×1 workgroups cannot be dispatched'],
    ]),
  )('refuses %j', (launch, expected) => {
    expect(() => go(launch)).toThrow(expected)
  })
})
