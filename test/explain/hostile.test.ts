// Hostile input: each case is refused with the limit named (or explained), in seconds and within a gigabyte, measured
// in a process of its own; and nothing of it reaches a terminal or a report as more than text.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { explain } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { coloured, explainLines, explainSarif } from '../../src/report/index.ts'
import { folderWith, root, tesela } from '../cli/run.ts'

const c = '@group(0) @binding(0) var<storage, read_write> c: array<f32>;\n'
const main =
  '@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u, ' +
  '@builtin(local_invocation_id) local: vec3u)'
const kernel = (body: string, before = ''): string => `${before}${c}${main} { ${body} }`
const scatter = 'var h = id.x; for (var k = 0u; k < 3000000u; k++) { h = h * 1664525u + 1013904223u; c[(h >> 8u)'

interface Case {
  readonly name: string
  readonly text: string
  readonly launch?: object
  readonly options?: object
  readonly says: RegExp
}
const grid = [64, 1, 1]
/** 39 declarations, each of which uses the one before twice. */
const chained = (declaration: (i: number) => string): string =>
  Array.from({ length: 39 }, (_, i) => declaration(i)).join('')
const cases: readonly Case[] = [
  {
    name: 'an endless loop',
    text: kernel('loop { c[id.x] += 1.0; }'),
    says: /takes more than 100000000 steps, or never ends/,
  },
  {
    name: 'an endless loop on given buffers',
    text: kernel('loop { c[id.x] += 1.0; }'),
    launch: { grid, buffers: { c: { count: 4096 } } },
    says: /more than 100000000 steps/,
  },
  {
    name: 'an endless empty loop, all blocks',
    text: kernel('while (true) { }'),
    options: { exact: true },
    says: /steps/,
  },
  {
    name: 'fifty loops in each other',
    text: kernel(
      `${Array.from({ length: 50 }, (_, k) => `for (var i${k} = 0u; i${k} < 100u; i${k}++) {`).join('')} ` +
        `c[id.x] += 1.0; ${'}'.repeat(50)}`,
    ),
    says: /steps/,
  },
  {
    name: 'scattered writes without end',
    text: kernel(`${scatter} % 65536u] += 1.0; }`),
    launch: { grid, buffers: { c: { count: 65536 } } },
    says: /steps/,
  },
  {
    name: 'accesses out of bounds without end',
    text: kernel(`${scatter}] += 1.0; }`),
    launch: { grid, buffers: { c: { count: 64 } } },
    says: /steps/,
  },
  {
    name: 'many accesses to follow',
    text: kernel('for (var k = 0u; k < 300000u; k++) { c[(id.x + k) % 65536u] += 1.0; }'),
    says: /^explained/,
  },
  {
    name: '2³¹ workgroups',
    text: kernel('c[id.x] = 1.0;'),
    launch: { grid: [2 ** 31 - 1, 1, 1] },
    says: /2147483647×1×1 workgroups cannot be dispatched: WebGPU allows 1 to 65535/,
  },
  {
    name: 'the largest dispatch',
    text: kernel('c[id.x] = 1.0;'),
    launch: { grid: [65535, 65535, 65535] },
    says: /^explained/,
  },
  {
    name: 'the largest dispatch, all blocks',
    text: kernel('c[id.x] = 1.0;'),
    launch: { grid: [65535, 65535, 65535] },
    options: { exact: true },
    says: /the limit is 1048576/,
  },
  {
    name: 'four gigabytes of workgroup memory',
    text: kernel('t[local.x] = 1.0; c[id.x] = t[1];', 'var<workgroup> t: array<f32, 1000000000>;'),
    says: /takes 4000000000 bytes; the limit is/,
  },
  {
    name: 'a large local array',
    text: kernel('var t: array<f32, 100000000>; t[local.x] = 1.0; c[id.x] = t[local.y];'),
    says: /takes 400000000 bytes; the limit is/,
  },
  {
    name: 'a large constant',
    text: kernel('c[id.x] = a[id.y];', 'const a = array<f32, 10000000>();'),
    says: /the limit is 4096/,
  },
  {
    name: 'structures of structures',
    text: kernel(
      'd[id.x].a = d[id.x].b;',
      `struct S0 { a: f32, b: f32 }\n${chained((i) => `struct S${i + 1} { a: S${i}, b: S${i} }\n`)}` +
        `@group(0) @binding(1) var<storage, read_write> d: array<S39>;`,
    ),
    says: /the limit is/,
  },
  {
    name: 'a buffer of 14 gigabytes by its type',
    text: kernel(
      'd[id.x][3] = 1.0;',
      '@group(0) @binding(1) var<storage, read_write> d: array<array<f32, 60000>, 60000>;',
    ),
    says: /takes 14400000000 bytes/,
  },
  {
    name: 'a buffer of 64 gigabytes by its accesses',
    text: kernel('d[4000000000u - id.x] = vec4f();', '@group(0) @binding(1) var<storage, read_write> d: array<vec4f>;'),
    says: /take 64\d{9} bytes together; the limit is 17179869184/,
  },
  {
    name: 'a buffer of 20 gigabytes by its launch',
    text: kernel('c[id.x] = 1.0;'),
    launch: { grid, buffers: { c: { count: 5e9, fill: 'random' } } },
    says: /the limit is 17179869184/,
  },
  {
    name: 'a buffer of 2 gigabytes whose contents decide what is written',
    text: kernel(
      'if (d[id.x] > 0.5) { c[u32(d[id.x])] = 1.0; }',
      '@group(0) @binding(1) var<storage, read> d: array<f32>;',
    ),
    launch: { grid, buffers: { d: { count: 5e8, fill: 'random' } } },
    says: /the limit is 1073741824/,
  },
  {
    name: 'a buffer of endless size',
    text: kernel('c[id.x] = 1.0;'),
    launch: { grid, buffers: { c: { count: 1e300 } } },
    says: /cannot have/,
  },
  {
    name: '10,000 parentheses',
    text: kernel(`c[id.x] = ${'('.repeat(10_000)}1.0${')'.repeat(10_000)};`),
    says: /nest deeper than 120/,
  },
  { name: '10,000 blocks', text: kernel('{'.repeat(10_000) + '}'.repeat(10_000)), says: /nest deeper than 120/ },
  {
    name: '100,000 additions',
    text: kernel(`c[id.x] = 1.0${' + 1.0'.repeat(100_000)};`),
    says: /more than 2000 operators/,
  },
  { name: '60,000 statements', text: kernel('c[id.x] += 1.0;\n'.repeat(60_000)), says: /more than 150000 operations/ },
  {
    name: 'functions that double',
    text: kernel(
      'c[id.x] = g39(1.0);',
      `fn g0(x: f32) -> f32 { return x; }\n` +
        chained((i) => `fn g${i + 1}(x: f32) -> f32 { return g${i}(x) + g${i}(x); }\n`),
    ),
    says: /the limit|more than/,
  },
  { name: 'ten million characters', text: `//${'x'.repeat(1e7)}`, says: /the limit is 2000000/ },
]

const runner = `
import { explain, gpu, DiagnosticError } from ${JSON.stringify(pathToFileURL(join(root, 'dist/explain.js')).href)}
let input = ''
for await (const chunk of process.stdin) input += chunk
const results = JSON.parse(input).map(({ text, launch, options }) => {
  const before = process.cpuUsage()
  let says
  try { explain({ text, file: 'h.wgsl' }, launch ?? { grid: [64, 1, 1] }, { gpu: gpu('h200'), ...options }); says = \
'explained' } catch (e) { says = e instanceof DiagnosticError ? e.message : 'THROWN ' + e.stack }
  const used = process.cpuUsage(before)
  return { says, seconds: (used.user + used.system) / 1e6 }
})
console.log(JSON.stringify({ results, megabytes: process.resourceUsage().maxRSS / 1024 }))`

describe('refused with the limit named, in less than 10 s of processor time and 1 GB', () => {
  const cwd = folderWith({ 'run.mjs': runner })
  const r = spawnSync(process.execPath, ['run.mjs'], {
    cwd,
    input: JSON.stringify(cases),
    encoding: 'utf8',
    timeout: 110_000,
  })
  const all = JSON.parse(r.stdout || '{"results":[],"megabytes":9999}') as {
    results: { says: string; seconds: number }[]
    megabytes: number
  } // the runner's own output

  test.each(cases.map((x, i) => [x.name, x.says, i] as const))('%s', (_, says, i) => {
    expect(all.results[i]!.says).toMatch(says)
    expect(all.results[i]!.seconds).toBeLessThan(10)
  })
  test('memory of all together', () => expect(all.megabytes).toBeLessThan(1024))
})

test('sizes sought in short runs hold all accesses, also those at the end of long loops', () => {
  const tiled = kernel(
    'var s = 0.0; for (var k = 0u; k < 4096u; k++) { s += c[id.x * 4096u + k]; } d[id.x] = s;',
    '@group(0) @binding(1) var<storage, read_write> d: array<f32>;\n',
  )
  const r = explain({ text: tiled, file: 'long.wgsl' }, { grid: [256, 1, 1] }, { gpu: gpu('h200') })
  expect(r.hazards).toEqual([])
  expect(r.buffers.find((b) => b.name === 'd')!.bytes).toBeGreaterThanOrEqual(4 * 64 * 256)
})

describe('text that wants to be more', () => {
  const evil = '\u001b[31m</script><img src=x onerror=alert(1)>\u0007\u202e'
  const text = `${c.replace(/c:/, 'é_c:')}${main} { é_c[id.x * 64 /*${evil}*/] = 1.0; é_c[0] = 2.0; }`
  const file = `a${evil}.wgsl`
  const report = explain({ text, file }, { grid: [256, 1, 1] }, { gpu: gpu('h200') })
  const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

  test('the terminal report has no control characters but its own colours', () => {
    expect(explainLines(report).join('\n')).not.toMatch(control)
    expect(
      explainLines(report, coloured)
        .join('\n')
        .replace(/\u001b\[\d+m/g, ''),
    ).not.toMatch(control)
    expect(explainLines(report).join('\n')).toContain('é_c')
  })
  test('JSON and SARIF escape them; paths are encoded', () => {
    expect(JSON.stringify(report)).not.toMatch(/[\u0000-\u001f]/)
    const sarif = JSON.stringify(explainSarif(report, '0.1.0'))
    expect(sarif.replace(/\\u[0-9a-f]{4}/g, '')).not.toMatch(/[\u0000-\u001f]/)
    expect(sarif).toContain('%3Cimg%20src%3Dx')
  })
  test('an error in such a file shows neither its name nor its line raw, and JSON on a terminal is escaped', () => {
    const r = tesela(
      ['explain', file.replace(/\//g, '_'), '--grid', '1'],
      folderWith({ [file.replace(/\//g, '_')]: `${evil} fn` }),
    )
    expect(r.code).toBe(2)
    expect(r.err).not.toMatch(control)
    const json = tesela(
      ['explain', `a${evil}.wgsl`.replace(/\//g, '_'), '--grid', '4', '--json'],
      folderWith({ [`a${evil}.wgsl`.replace(/\//g, '_')]: text }),
    )
    expect(json.out).not.toMatch(control)
    expect((JSON.parse(json.out) as { kernel: { file: string } }).kernel.file).toBe(`a${evil}.wgsl`.replace(/\//g, '_'))
  })
  test('a file of five megabytes is not read', () => {
    expect(tesela(['explain', 'big.wgsl', '--grid', '1'], folderWith({ 'big.wgsl': ' '.repeat(5e6) })).err).toContain(
      'at most 4194304 are read',
    )
  })
})
