import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gpuNames } from '../../src/gpus/index.ts'
import { folderWith, tesela } from './run.ts'

/** Message on stderr, exit 2, nothing on stdout. */
function refused(args: readonly string[], ...says: readonly (string | RegExp)[]): void {
  const r = tesela(args)
  expect({ code: r.code, out: r.out }).toEqual({ code: 2, out: '' })
  for (const s of says) expect(r.err).toMatch(s)
}

test('help lists every command and its flags, exit 0', () => {
  const r = tesela(['--help'])
  expect(r.code).toBe(0)
  for (const name of ['optimize', 'occupancy', 'gpus', 'doctor']) expect(r.out).toContain(`  ${name} `)
  const o = tesela(['optimize', '--help'])
  for (const flag of [
    '--function',
    '-D',
    '-I',
    '--gpu',
    '--target',
    '--measure',
    '--budget',
    '--seed',
    '--precision',
    '-o',
    '--json',
  ])
    expect(o.out).toContain(`  ${flag} `)
  expect(o.out).not.toContain('{"')
})

test('wrong usage is one sentence with a hint, exit 2', () => {
  refused(['optimise', 'x.c'], /^tesela: unknown command 'optimise'\n {2}hint: did you mean optimize\?\n$/)
  refused(['occupancy', '--thread', '3'], /unknown option '--thread'\n {2}hint: did you mean --threads\?/)
  refused(['occupancy'], /the threads of a block are missing \[cli.threads\]\n {2}hint: give them with --threads 256/)
  refused(['occupancy', '--threads', '0'], /It must be a whole number of at least 1/)
  refused(['occupancy', '--threads', '3e2'], /whole number/)
  refused(['occupancy', '--threads', '32', '--gpu', 'h20'], /no GPU profile is called 'h20'/, /did you mean h200\?/)
  refused(['optimize', 'x.c', '--target', 'wgsl,metal'], /It must be wgsl or cuda/)
  refused(['optimize', 'x.c', '--measure', 'opencl'], /Allowed choices are webgpu, cuda/)
  refused(['optimize', 'x.c', 'y.c'], /too many arguments/)
  refused([], /^Usage: tesela/)
  refused(['help', 'optimise'], /^tesela: unknown command 'optimise'/)
  refused(['study', '--list', 'occupancy'], /--list takes no experiment/)
  refused(['optimize', 'x.c', '--seed', '99999999999'], /at least 0 and at most 2147483647/)
})

test('a place that cannot be written is said before the work, and nothing is left behind', () => {
  const cwd = folderWith({
    'f.c': 'void f(int n, float a[n]) { for (int i = 0; i < n; i++) a[i] = 1; }',
    'k.wgsl': '',
    taken: '',
  })
  mkdirSync(join(cwd, 'page.html'))
  const before = readdirSync(cwd)
  const says = (args: readonly string[], why: RegExp): void => {
    expect(tesela(args, cwd)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(why) as string })
    expect(readdirSync(cwd)).toEqual(before)
  }
  says(['optimize', 'f.c', '-o', 'out', '--html', 'page.html'], /^error: page.html cannot be written: it is a folder/)
  says(['optimize', 'f.c', '-o', 'out', '--html', 'taken/deep/x.html'], /taken is a file, not a folder/)
  says(['optimize', 'f.c', '-o', 'taken/out'], /^error: taken\/out cannot be written: .*taken is a file, not a folder/)
  says(['optimize', 'f.c', '-o', 'taken'], /^error: taken is a file, not a folder/)
  says(['explain', 'k.wgsl', '--grid', '1', '--html', 'page.html'], /page.html cannot be written/)
  says(['study', 'stride', '--html', 'page.html'], /page.html cannot be written/)
})

test('what a flag or a launch file says is taken or refused, never passed over', () => {
  const cwd = folderWith({
    'k.wgsl': '@compute @workgroup_size(1) fn main() {}',
    'a.json': '{"grid": [1], "args": 5}',
    'b.json': '{"grid": [1], "buffers": ["x"]}',
  })
  const says = (args: readonly string[], why: RegExp): void =>
    expect(tesela(['explain', 'k.wgsl', ...args], cwd)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(why) as string,
    })
  says(['--launch', 'a.json'], /a.json: 'args' must be an object/)
  says(['--launch', 'b.json'], /b.json: 'buffers' must be an object/)
  says(['--grid', '1', '-D', 'X=1'], /--include, --define and --arch are for CUDA/)
})

test('an unknown GPU with control characters cannot steer the terminal', () => {
  expect(tesela(['occupancy', '--threads', '32', '--gpu', 'h\u001b[31m']).err).not.toContain('\u001b')
})

test('occupancy --json is the object of the contract: the GT200 of the thesis, table 3.2', () => {
  const r = tesela([
    'occupancy',
    '--gpu',
    'gt200',
    '--threads',
    '256',
    '--registers',
    '16',
    '--shared',
    '4096',
    '--json',
  ])
  expect(r.code).toBe(0)
  expect(JSON.parse(r.out)).toMatchObject({
    activeBlocks: 4,
    activeWarps: 32,
    maxWarps: 32,
    occupancy: 1,
    limits: { warps: 4, blocks: 8, registers: 4, shared: 4 },
    limitedBy: ['warps', 'registers', 'shared'],
    registers: { perThread: 16, source: 'given' },
    advice: [],
  })
})

test('occupancy says what limits, why, and what would lift it', () => {
  const { out } = tesela(['occupancy', '--gpu', 'h200', '--threads', '256', '--registers', '96', '--shared', '40000'])
  expect(out).toContain('occupancy 25 %   16 of 64 warps in flight on each multiprocessor: 2 blocks of 8 warps')
  expect(out).toMatch(/registers +2 {2}◄ limits {2}65,536 registers, 96 × 256 a block/)
  expect(out).toContain('at most 80 registers a thread (now 96)')
  expect(out).not.toContain('\u001b')
})

test('a block that cannot start is explained, exit 0', () => {
  const r = tesela(['occupancy', '--gpu', 'gt200', '--threads', '513'])
  expect(r.code).toBe(0)
  expect(r.out).toContain('Such a block cannot start on this GPU: a block may have at most 512 threads.')
})

test('gpus names every profile; its JSON carries the source of each number', () => {
  const { out } = tesela(['gpus'])
  for (const name of gpuNames()) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'))
  const h200 = (JSON.parse(tesela(['gpus', '--json']).out) as { name: string; clockHz: { source: string } }[]).find(
    (p) => p.name === 'h200',
  )
  expect(h200?.clockHz.source).toContain('bench/micro')
})

test('doctor tries everything and always ends well', () => {
  const r = tesela(['doctor', '--json'])
  expect(r.code).toBe(0)
  const { checks } = JSON.parse(r.out) as { checks: { name: string; ok: boolean; found: string; hint?: string }[] }
  expect(checks.map((c) => c.name)).toEqual(['Node', 'C parser', 'WebGPU', 'CUDA', 'nvcc'])
  expect(checks.filter((c) => c.name === 'Node' || c.name === 'C parser').every((c) => c.ok)).toBe(true)
  for (const c of checks) if (!c.ok) expect(c.hint, c.name).toBeTruthy()
})

test('colours when asked for, never by surprise', () => {
  const args = ['occupancy', '--threads', '64']
  expect(tesela(args, folderWith({}), { FORCE_COLOR: '1' }).out).toContain('\u001b[1m')
  expect(tesela(args, folderWith({}), { FORCE_COLOR: '1', NO_COLOR: '1' }).out).not.toContain('\u001b')
})
