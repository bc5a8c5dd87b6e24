// A kernel that does too little: what bounds it is its launch, and the headline says so.
import { expect, test } from 'vitest'
import { explain, type ExplainReport } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { explainLines } from '../../../src/report/index.ts'

const run = (groups: number): ExplainReport =>
  explain(
    {
      text: `@group(0) @binding(0) var<storage, read> a: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4f>;
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] = 2.0 * a[id.x]; }`,
      file: 'k.wgsl',
    },
    { grid: [groups, 1, 1] },
    { gpu: gpu('h200') },
  )

test('few workgroups are bound by the launch, many by memory', () => {
  const [few, many] = [run(4), run(32768)]
  expect(few.prediction.boundBy).toBe('launch')
  expect(few.prediction.terms.launch).toBeGreaterThan(few.prediction.ns / 2)
  expect(explainLines(few)[1]).toMatch(/predicted .*, bound by launch /)
  expect(few.findings.map((f) => f.message)).toEqual([
    expect.stringMatching(/^the launch itself \(\d+ ns\) takes longer/),
  ])
  expect(many.prediction.boundBy).toBe('dram')
})
