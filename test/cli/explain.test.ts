// `tesela explain` as a command: exit codes, gates, what a hostile name can do to a terminal.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, root, tesela } from './run.ts'

const example = (name: string): string => join(root, 'examples/wgsl', name)
const naive = ['explain', example('transpose-naive.wgsl'), '--grid', '32,128']
const padded = ['explain', example('transpose-padded.wgsl'), '--grid', '32,32']

describe('gates', () => {
  test.each([
    [padded, ['--deny', 'note'], 0],
    [naive, ['--deny', 'warning'], 1],
    [naive, ['--deny', 'race'], 0],
    [naive, ['--deny', 'UncoalescedGlobalAccess'], 1],
    [naive, ['--require', 'each efficiency >= 50 %'], 1],
    [padded, ['--require', 'each global efficiency >= 90 %', '--require', 'occupancy = 1'], 0],
  ] as const)('%j %j exits %d', (command, flags, code) => {
    expect(tesela([...command, ...flags]).code).toBe(code)
  })
  test('the report is printed all the same, what failed stands on stderr', () => {
    const r = tesela([...naive, '--require', 'each write sectorsPerRequest <= 4'])
    expect(r.out).toContain('Memory accesses')
    expect(r.err).toBe(
      "tesela: --require 'each write sectorsPerRequest <= 4': sectorsPerRequest of write `output[id.x * n + " +
        'id.y]` (line 9) is 32, not <= 4\n',
    )
  })
  test('a requirement that cannot be read is shown with a caret, exit 2, before any work', () => {
    const r = tesela([...naive, '--require', 'each speed >= 1'])
    expect(r).toMatchObject({ code: 2, out: '' })
    expect(r.err).toContain(
      "--require: error: 'speed' is no figure of an access [explain.require]\n  1 | each speed >= 1\n    |      ^^^^^",
    )
  })
  test('a baseline made from the same kernel holds, one of a better kernel does not', () => {
    const cwd = folderWith({
      'k.wgsl': readFileSync(example('transpose-tiled.wgsl'), 'utf8'),
      'p.wgsl': readFileSync(example('transpose-padded.wgsl'), 'utf8'),
    })
    const flags = ['--grid', '32,32']
    const before = tesela(['explain', 'p.wgsl', ...flags, '--json'], cwd).out
    const with_ = folderWith({
      'k.wgsl': readFileSync(example('transpose-tiled.wgsl'), 'utf8'),
      'p.wgsl': readFileSync(example('transpose-padded.wgsl'), 'utf8'),
      'before.json': before,
    })
    expect(tesela(['explain', 'p.wgsl', ...flags, '--baseline', 'before.json'], with_).code).toBe(0)
    const worse = tesela(['explain', 'k.wgsl', ...flags, '--baseline', 'before.json', '--tolerance', '5'], with_)
    expect(worse.code).toBe(1)
    expect(worse.err).toContain('new SharedMemoryConflicts: line 18')
    expect(worse.err).toContain('takes 32 passes a request, before 1')
  })
  test.each([
    [['--deny', 'everything'], '--deny everything is no rule and no level'],
    [['--baseline', 'nowhere.json'], 'there is no file nowhere.json'],
    [['--tolerance', '5'], '--tolerance is of a --baseline'],
    [['--tolerance', 'much'], 'It must be a percentage'],
    [['--json', '--sarif'], 'exclude each other'],
  ])('%j: %s', (flags, says) => {
    const r = tesela([...naive, ...flags])
    expect(r.code).toBe(2)
    expect(r.err).toContain(says)
  })
})

test('--gpu portable names the worst GPU of each access', () => {
  const { out, code } = tesela([...naive, '--gpu', 'portable'])
  expect(code).toBe(0)
  expect(out).toContain('worst on')
  expect(out).toMatch(/: on [a-z0-9-]+: write/)
})

const embedded = '@compute @workgroup_size(64)\nfn main() { x[0] = 1.0; }\n'

test.each([
  [
    'a raw string of C++',
    'k.cpp',
    `const char *s = R"wgsl(\n${embedded})wgsl";`,
    /^k\.cpp:1:17: error: .*\n[^]*lines 1 to 4\)/,
  ],
  [
    'a template literal',
    'k.ts',
    `// \`no\`\nexport const s = \`\n${embedded}\``,
    /^k\.ts:2:18: error: .*\n[^]*lines 2 to 5\)/,
  ],
  [
    'one with parts',
    'k.js',
    `const s = \`\n${embedded} \${more}\``,
    /^k\.js:1:11: [^]*record the page with tesela\/record/,
  ],
  [
    'a string in a file of WGSL',
    'k.wgsl',
    `let s = r#"\n${embedded}"#;`,
    /^k\.wgsl:1:9: error: the shader stands in a string/,
  ],
  [
    'CUDA in another file',
    'k.cc',
    '__global__ void k(float *x) {}',
    /^error: k\.cc holds CUDA kernels, which explain reads from/,
  ],
  [
    'the syntax of 2021',
    'k.wgsl',
    '[[stage(compute)]]\nfn main() {}',
    /^k\.wgsl:1:1: error: '\[\[stage\(compute\)\]\]' is the/,
  ],
  [
    'that of 2022',
    'k.wgsl',
    '@stage(compute) @workgroup_size(1)\nfn main() {}',
    /^k\.wgsl:1:1: error: '@stage\(compute\)'/,
  ],
])('a file that holds no plain kernel says what to do: %s', (_, name, text, says) => {
  const { code, err } = tesela(['explain', name, '--grid', '1'], folderWith({ [name]: text }))
  expect([code, err]).toEqual([2, expect.stringMatching(says)])
})

test('quotes in comments hold no shader', () => {
  const text = '// `@compute fn main() {}`\n@compute @workgroup_size(32) fn main() {}\n'
  expect(tesela(['explain', 'k.wgsl', '--grid', '1'], folderWith({ 'k.wgsl': text })).code).toBe(0)
})
