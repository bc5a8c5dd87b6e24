// Threads that return before a barrier that others of their block pass: said where that is asked for, by the lanes that
// are missing; devices go on without them, so that it is no divergence.
import { expect, test } from 'vitest'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { compileKernel } from '../../src/simulate/index.ts'

const kernel = (body: string): ReturnType<typeof parseWgsl>['kernel'] =>
  parseWgsl(
    `var<workgroup> s: array<f32, 64>;
@group(0) @binding(0) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) t: u32) { ${body} }`,
    'k.wgsl',
  ).kernel

const told = (body: string, returned: boolean): (string | number)[][] => {
  const launch = { grid: [4, 1, 1], params: {}, buffers: { c: new ArrayBuffer(1024) } } as const
  const { counters } = compileKernel(kernel(body), gpu('h200'), { check: { returned } }).run(launch, { exact: true })
  return counters.hazards.map((h) => [h.kind, h.count, h.example])
}
const rest = 's[t] = 1; workgroupBarrier(); c[id.x] = s[63 - t];'

test.each([
  [
    'some of the last block',
    `if (id.x > 200) { return; } ${rest}`,
    55,
    'block (3, 0, 0), thread (9, 0, 0) has returned',
  ],
  ['a whole warp of each', `if (t >= 32) { return; } ${rest}`, 128, 'block (0, 0, 0), thread (32, 0, 0) has returned'],
])('%s', (_, body, count, example) => {
  expect(told(body, true)).toEqual([['barrier-divergence', count, example]])
  expect(told(body, false)).toEqual([])
})

test.each([
  ['whole blocks', `if (id.x >= 128) { return; } ${rest}`],
  ['after the last barrier', `${rest} if (t > 5) { return; } c[id.x] = 2;`],
  ['nobody', `if (id.x >= 256) { return; } ${rest}`],
])('nothing is said of %s', (_, body) => expect(told(body, true)).toEqual([]))
