// Private arrays: registers where every index is a constant, also by loops of constant trip counts; memory elsewhere.
// One line a case: the body, the arrays that stay in memory. Results are compared with the same body in memory.
import { describe, expect, test } from 'vitest'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { allStatements } from '../../src/ir/index.ts'
import { compileKernel } from '../../src/simulate/index.ts'
import { gpu } from '../../src/gpus/index.ts'

const shader = (body: string): string => `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) l: u32) {
  ${body}
}`

/** The same with an index that only the launch knows, 0, added everywhere: the array must be memory. */
const inMemory = (body: string): string => shader(`let zero = u32(x[0] * 0.0); ${body.replace(/t\[/g, 't[zero + ')}`)

const results = (text: string): Float32Array => {
  const { kernel } = parseWgsl(text, 'registers.wgsl')
  const x = Float32Array.from({ length: 64 }, (_, i) => i + 1)
  const y = new Float32Array(64)
  compileKernel(kernel, gpu('h200')).run({ grid: [1, 1, 1], params: {}, buffers: { x: x.buffer, y: y.buffer } })
  expect(y.some((v) => v !== 0)).toBe(true)
  return y
}

const kept = (text: string): readonly string[] =>
  parseWgsl(text, 'registers.wgsl').kernel.resources.flatMap((r) => (r.space === 'local' ? [r.name] : []))

const loops = (text: string): number =>
  allStatements(parseWgsl(text, 'registers.wgsl').kernel.body).filter((s) => s.kind === 'loop').length

const cases: readonly (readonly [name: string, body: string, kept: number])[] = [
  [
    'a counted loop',
    'var t = array<f32, 4>(); for (var i = 0u; i < 4u; i++) { t[i] = x[l + i]; } y[l] = t[1] + t[3];',
    0,
  ],
  [
    'nested loops inside a loop that stays',
    `var t = array<f32, 4>();
     for (var k = 0u; k < u32(x[3]); k++) {
       for (var i = 0u; i < 2u; i++) { for (var j = 0u; j < 2u; j++) { t[i * 2u + j] += x[k + i] * x[l + j]; } }
     }
     y[l] = t[0] + t[1] + t[2] + t[3];`,
    0,
  ],
  [
    'a while loop that halves',
    'var t = array<f32, 9>(); var i = 8u; while (i > 0u) { t[i] = x[l + i]; i /= 2u; } y[l] = t[8] - t[2];',
    0,
  ],
  [
    'a read that a write follows',
    'var t = array<f32, 2>(1.0, 2.0); let a = t[0]; t[0] = t[1]; t[1] = a; y[l] = t[0] * 8.0 + t[1];',
    0,
  ],
  ['zeros that nothing wrote', 'var t: array<f32, 3>; if (l > 4u) { t[1] = x[l]; } y[l] = t[0] + t[1] + 1.0;', 0],
  [
    'a break that data decide',
    'var t = array<f32, 4>(); for (var i = 0u; i < 4u; i++) { if (x[l] > 9.0) { break; } t[i] = 2.0; } y[l] = t[3];',
    1,
  ],
  [
    'a trip count of the launch',
    'var t = array<f32, 4>(); for (var i = 0u; i < u32(x[2]); i++) { t[i] = x[l]; } y[l] = t[2];',
    1,
  ],
  [
    'a branch inside',
    'var t = array<f32, 4>(); for (var i = 0u; i < 4u; i++) { if (l > i) { t[i] = x[l]; } } y[l] = t[0] + t[3];',
    0,
  ],
  [
    'an early continue',
    `var t = array<f32, 4>(); for (var i = 0u; i < 4u; i++) { if (i == 2u) { continue; } t[i] = x[l + i]; }
     y[l] = t[2] + t[3];`,
    0,
  ],
  [
    'too long',
    'var t = array<f32, 999>(); for (var i = 0u; i < 999u; i++) { t[i] = x[l] + x[l + 1]; } y[l] = t[998];',
    1,
  ],
  [
    'a value carried out of the loop',
    `var t = array<f32, 4>(); var last = 0.0; for (var i = 0u; i < 4u; i++) { let v = x[l + i]; t[i] = v; last = v; }
     y[l] = last + t[0];`,
    0,
  ],
]

describe.each(cases)('%s', (_, body, memory) => {
  test('is where compilers have it', () => expect(kept(shader(body))).toHaveLength(memory))
  test('gives what memory gives', () => {
    expect(kept(inMemory(body))).toHaveLength(1)
    expect(results(shader(body))).toEqual(results(inMemory(body)))
  })
})

test('loops that index no private array stay', () =>
  expect(loops(shader('var s = 0.0; for (var i = 0u; i < 4u; i++) { s += x[l + i]; } y[l] = s;'))).toBe(1))
