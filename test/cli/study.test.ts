// `tesela study` as people call it: the list, a report, its JSON, and what it refuses.
import { expect, test } from 'vitest'
import { experiments } from '../../src/study/index.ts'
import { tesela } from './run.ts'

test('--list names every experiment', () => {
  const { code, out } = tesela(['study', '--list'])
  expect(code).toBe(0)
  for (const e of experiments) expect(out).toContain(`  ${e.name} `)
  expect((JSON.parse(tesela(['study', '--list', '--json']).out) as { name: string }[]).map((e) => e.name)).toEqual(
    experiments.map((e) => e.name),
  )
})

test('a report as text and as JSON', () => {
  const { code, out } = tesela(['study', 'branches'])
  expect(code).toBe(0)
  expect(out).toMatch(/^Branches by thread and by warp branches\n/)
  expect(out).toMatch(/ gt200 +h200\n/)
  expect(out).toMatch(/ 32 .*100 %.*100 %/)
  expect(out).toContain('█')
  expect(out).toContain('gt200: the model is not calibrated')
  const r = JSON.parse(tesela(['study', 'branches', '--gpu', 'ampere', '--json']).out) as {
    schema: string
    series: { gpu: string; points: { values: { time: number } }[] }[]
  }
  expect(r.schema).toBe('tesela.study/1')
  expect(r.series.map((s) => s.gpu)).toEqual(['ampere'])
  expect(r.series[0]?.points.every((p) => p.values.time > 0)).toBe(true)
})

test('what it refuses', () => {
  const refused = (args: readonly string[], ...says: readonly RegExp[]): void => {
    const r = tesela(['study', ...args])
    expect({ code: r.code, out: r.out }).toEqual({ code: 2, out: '' })
    for (const s of says) expect(r.err).toMatch(s)
  }
  refused([], /the name of an experiment is missing.*\n {2}hint: tesela study --list/)
  refused(['strides'], /there is no experiment 'strides'/, /did you mean stride\?/)
  refused(['stride', '--gpu', 'h20'], /no GPU profile is called 'h20'/)
  refused(['stride', '--measure', 'cuda'], /Allowed choices are webgpu/)
})
