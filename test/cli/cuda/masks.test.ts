// Masks of `_sync` instructions: an error where one names a thread that has not returned and is elsewhere, as where it
// leaves out one that executes it; nothing where those that it names are there, or have returned.
import { describe, expect, test } from 'vitest'
import { explain } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { compileCudaText, cudaSource } from '../../../src/cli/nvcc.ts'
import { nvccAvailable } from '../../support/nvcc.ts'

const said = (body: string): readonly string[] => {
  const place = 'int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; float v = t;'
  const text = `__global__ void k(float* out) {\n  ${place}\n  ${body}\n}\n`
  const source = cudaSource(text, 'mask.cu', compileCudaText(text, 'mask.cu'))
  return explain(source, { grid: [2, 1, 1], block: [64, 1, 1] }, { gpu: gpu('h200') }).hazards.map(
    (h) => `${h.level} ${h.kind} ${h.at?.line}`,
  )
}

describe.skipIf(!nvccAvailable())('a mask', () => {
  test.each([
    ['names the other side of a branch', 'if (t & 1) v = __shfl_sync(0xffffffffu, v, 3); out[i] = v;'],
    ['names threads that come later', 'if (t < 40) { v += __shfl_sync(0xffffffffu, v, 0); } out[i] = v;'],
    [
      'names threads that have left a loop',
      'for (int k = 0; k < (t & 3); k++) v += __shfl_sync(~0u, v, 3); out[i] = v;',
    ],
    ['of a vote', 'if (t < 20) v += __any_sync(0xffffffffu, v > 3); out[i] = v;'],
    ['leaves out a thread', 'v += __shfl_xor_sync(0xffffu, v, 1); out[i] = v;'],
  ])('%s', (_, body) => expect(said(body)).toEqual(['error uninitialized 3']))
  test.each([
    ['names threads that have returned', 'if (t >= 40) return; v += __shfl_xor_sync(~0u, v, 0); out[i] = v;'],
    ['names threads that are at the end', 'if (t < 40) { v += __shfl_sync(0xffffffffu, v, 0); out[i] = v; }'],
    ['names half a warp', 'if ((t & 31) < 16) v += __shfl_xor_sync(0xffffu, v, 1); out[i] = v;'],
    ['is that of those that are active', 'if (t & 1) v += __shfl_sync(__activemask(), v, 1); out[i] = v;'],
    ['is of one warp', 'if (t < 32) v += __shfl_down_sync(0xffffffffu, v, 1); out[i] = v;'],
  ])('%s: nothing is said', (_, body) => expect(said(body)).toEqual([]))
})
