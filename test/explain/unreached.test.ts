// Accesses that never ran: how many, the condition that kept them from it, and whose contents it follows from.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { explain } from '../../src/explain/index.ts'
import { explainLines } from '../../src/report/index.ts'
import { go } from './kernels.ts'

const declare = '@group(1) @binding(0) var<uniform> size: vec2u; @group(1) @binding(1) var<storage, read> on: u32;'
const said = (body: string, args: Readonly<Record<string, number>> = {}): unknown =>
  go(body, { declare, size: '64', grid: [4, 1, 1], launch: { args } }).unreached.map((u) => [
    u.accesses,
    u.condition,
    u.follows,
  ])

describe('what kept accesses from running', () => {
  test.each([
    ['nothing', 'c[id.x] = a[id.x];', {}, []],
    [
      'a return by a size that nobody gave',
      'if (id.x >= size.x) { return; } c[id.x] = a[id.x];',
      {},
      [[2, 'if (id.x >= size.x)', ['size']]],
    ],
    [
      'either of two sizes: one condition',
      'if (id.x >= size.x || id.y >= size.y) { return; } c[id.x] = a[id.x];',
      {},
      [[3, 'if (id.x >= size.x || id.y >= size.y)', ['size']]],
    ],
    [
      'the member that nobody gave',
      'if (id.x >= size.x || id.y >= size.y) { return; } c[id.x] = a[id.x];',
      { 'size.x': 256 },
      [[2, 'if (id.x >= size.x || id.y >= size.y)', ['size.y']]],
    ],
    ['nothing, where it is given', 'if (id.x >= size.x) { return; } c[id.x] = a[id.x];', { 'size.x': 256 }, []],
    [
      'a branch inside of another that ran',
      'if (id.x < 256u) { if (on == 1u) { c[id.x] = a[id.x]; } }',
      {},
      [[2, 'if (on == 1u)', ['on']]],
    ],
    [
      'a constant: nobody has to give anything',
      'if (id.x >= 1000u) { c[id.x] = a[id.x]; }',
      {},
      [[2, 'if (id.x >= 1000u)', []]],
    ],
  ])('%s', (_, body, args, expected) => expect(said(body, args)).toEqual(expected))

  test('it stands above all findings', () => {
    const text = `@group(0) @binding(0) var<storage, read_write> c: array<u32>;
@group(0) @binding(1) var<uniform> n: u32;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= n) { return; }
  c[id.x] = id.x;
}`
    const lines = explainLines(explain({ text, file: 'k.wgsl' }, { grid: [4, 1, 1] }, { gpu: gpu('h200') }))
    expect(lines[2]).toMatch(/! 1 of 2 accesses never ran: the condition at line 4/)
    expect(lines.slice(2, 4).join(' ').replace(/\s+/g, ' ')).toContain("It follows from 'n', whose contents nobody")
  })
})
