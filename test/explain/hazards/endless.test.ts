// Loops that do not end because of what nobody gave: the refusal names the integers that decide, and the flags that
// give them.
import { expect, test } from 'vitest'
import { DiagnosticError } from '../../../src/base/index.ts'
import { explain } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'

const head = `struct P { step: u32, n: u32 }
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@group(0) @binding(1) var<uniform> p: P;
@group(0) @binding(2) var<storage, read> next: array<u32>;
`
const kernel = (body: string): string =>
  `${head}@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { var i = id.x;
  ${body}
}`

function refused(body: string, args: Readonly<Record<string, number>> = {}): readonly (string | undefined)[] {
  try {
    explain({ text: kernel(body), file: 'k.wgsl' }, { grid: [4, 1, 1], args }, { gpu: gpu('h200'), maxSteps: 3e6 })
  } catch (e) {
    if (!(e instanceof DiagnosticError)) throw e
    const [d] = e.diagnostics
    return [`${d?.at?.line}`, /whether the loop ends.*$/.exec(d?.message ?? '')?.[0], d?.hint]
  }
  return []
}

test.each([
  [
    'a step of a uniform variable',
    'for (; i < 1000u; i += p.step) { x[i] += 1.0; }',
    "whether the loop ends follows from 'p.step', which nobody gave: it is 0",
    "give --arg 'p.step=VALUE'",
  ],
  [
    'links in a buffer',
    'while (i != 5000u) { x[i & 63u] = 1.0; i = next[i & 63u]; }',
    "whether the loop ends follows from 'next', which nobody gave: it is 0",
    "give --buffer 'next=TYPE[COUNT]:@FILE'",
  ],
])('%s', (_, body, message, hint) => {
  expect(refused(body)).toEqual(['6', message, hint])
})

test('what is given is not named, nor what decides nothing', () => {
  const [line, message] = refused('for (; i < 1000u; i += p.step) { x[i] += f32(p.n); }', { 'p.step': 0 })
  expect([line, message]).toEqual(['6', undefined])
})
