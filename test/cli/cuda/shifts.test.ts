// Shifts by the width or more, which C++ leaves open and PTX clamps: an error at their line, unless a choice that asks
// for the distance drops the value, which compilers shift first and drop then, or contents that nobody gave decide.
import { describe, expect, test } from 'vitest'
import { explain } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { compileCudaText, cudaSource } from '../../../src/cli/nvcc.ts'
import { nvccAvailable } from '../../support/nvcc.ts'

const bodies = {
  plain: 'out[i] = 1u << t;',
  right: 'out[i] = 0x80000000u >> t;',
  signs: 'out[i] = -5 >> t;',
  wide: 'out[i] = (unsigned)(1ull << t);',
  asked: 'out[i] = t < 32 ? 1u << t : 0u;',
  counted: 'unsigned v = 7; if (t < 32) v = (1u << t) - 1; out[i] = v;',
  masked: 'out[i] = 1u << (t & 31);',
  given: 'out[i] = ~0u >> (32 - by[t]);',
} as const

const said = (body: keyof typeof bodies, threads = 64): readonly string[] => {
  const place = 'int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;'
  const text = `__global__ void k(unsigned* out, const int* by) {\n  ${place}\n  ${bodies[body]}\n}\n`
  const source = cudaSource(text, 'shift.cu', compileCudaText(text, 'shift.cu'))
  return explain(source, { grid: [2, 1, 1], block: [threads, 1, 1] }, { gpu: gpu('h200') }).hazards.map(
    (h) => `${h.level} ${h.kind} ${h.at?.line} ${h.count}`,
  )
}

describe.skipIf(!nvccAvailable())('shifts', () => {
  test.each(['plain', 'right', 'signs'] as const)('%s', (body) =>
    expect(said(body)).toEqual(['error shift-too-far 3 64']))
  test('by fewer bits', () => expect([said('plain', 32), said('wide')]).toEqual([[], []]))
  test('of 64 bits', () => expect(said('wide', 128)).toEqual(['error shift-too-far 3 128']))
  test.each(['asked', 'counted', 'masked', 'given'] as const)('%s: nothing is said', (body) =>
    expect(said(body)).toEqual([]))
})
