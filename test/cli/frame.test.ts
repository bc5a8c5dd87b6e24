// `tesela explain` of a recording: the table, one report, JSON, and what is refused.
import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWith, root, tesela } from './run.ts'

const shader = (stride: number): string =>
  `@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { y[id.x] = x[id.x * ${stride}u]; }`
const bindings = [3, 4].map((binding) => ({
  kind: 'buffer',
  group: 0,
  binding,
  buffer: binding,
  offset: 0,
  size: 1 << 20,
}))
const dispatch = (n: number, grid: readonly number[] | null): object => ({
  shader: n,
  pass: '',
  pipeline: '',
  constants: {},
  grid,
  bindings,
})
const recording = (dispatches: readonly object[]): string =>
  JSON.stringify({
    schema: 'tesela.recording/1',
    device: 'a GPU',
    agent: '',
    shaders: [
      { label: 'copy', code: shader(1) },
      { label: 'strided', code: shader(8) },
      { label: 'broken', code: 'fn' },
    ],
    contents: [],
    dispatches,
    left: 2,
  })
const cwd = folderWith({
  'a.recording.json': recording([
    dispatch(0, [128, 1, 1]),
    dispatch(1, [512, 1, 1]),
    dispatch(1, [512, 1, 1]),
    dispatch(2, [1, 1, 1]),
    dispatch(0, null),
  ]),
  'none.recording.json': recording([]),
})
const run = (...flags: string[]): ReturnType<typeof tesela> => tesela(['explain', 'a.recording.json', ...flags], cwd)

describe('a recording', () => {
  test('is a table, the dearest first, with what could not be explained', () => {
    const { out, code } = run()
    expect(code).toBe(0)
    expect(out).toContain('5 dispatches of 4 kinds')
    expect(out).toContain('2 more were not recorded')
    expect(out.indexOf('strided: main')).toBeLessThan(out.indexOf('copy: main'))
    expect(out).toContain('its workgroups stand in a buffer that a shader wrote')
    expect(out).toMatch(/broken: .*error/)
    // the report of the dearest
    expect(out).toContain('x[id.x * 8u]')
  })
  test('shows another kernel when asked', () => expect(run('--kernel', '2').out).toContain('x[id.x * 1u]'))
  test('is JSON', () => {
    const frame = JSON.parse(run('--json').out)
    expect(frame).toMatchObject({ schema: 'tesela.frame/1', dispatches: 5, left: 2 })
    expect(frame.kernels.map((k: { total: number | null }) => k.total === null)).toEqual([false, false, true, true])
    const page = readFileSync(join(root, 'docs/contracts.md'), 'utf8').split('FILE.recording.json --json`\n')[1]!
    const promised = [...page.split('\n### ')[0]!.matchAll(/^\| `([\w.[\]]+)` \|/gm)].map(([, key]) => key!)
    const printed = [...Object.keys(frame), ...Object.keys(frame.kernels[0]).map((k) => `kernels[].${k}`)]
    expect(promised.sort()).toEqual(printed.sort())
  })
  test.each([
    [['--grid', '4'], '--grid is of one kernel; a recording has many'],
    [['--kernel', '9'], 'there is no kernel 9: 2 were explained'],
    [['--gpu', 'portable'], 'a recording is explained for one GPU'],
  ])('%j is refused', (flags, why) => {
    const r = run(...flags)
    expect(r.code).toBe(2)
    expect(r.err).toContain(why)
  })
  test('without a dispatch is refused', () => {
    const r = tesela(['explain', 'none.recording.json'], cwd)
    expect(r.code).toBe(2)
    expect(r.err).toContain('none.recording.json holds no dispatch')
  })
})
