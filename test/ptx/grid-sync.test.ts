// grid.sync() of cooperative groups: phases of all blocks, each of which sees what the one before wrote.
import { describe, expect, test } from 'vitest'
import { parsePtx } from '../../src/frontend/ptx/index.ts'
import { meetsGrid } from '../../src/ir/index.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { ptxOf, runPtx } from './compile.ts'

const kernel = (body: string): string =>
  ptxOf(`#include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    __global__ void k(float *out, float *part, int rounds) {
      auto grid = cg::this_grid();
      int i = grid.thread_rank(), n = grid.size();
      ${body}
    }`)

describe.skipIf(!nvccAvailable())('blocks that meet', () => {
  test.each([
    ['once', 'part[i] = i; grid.sync(); out[i] = part[n - 1 - i];', (i: number) => 255 - i],
    [
      'by arriving and waiting',
      'part[i] = i; grid.barrier_wait(grid.barrier_arrive()); out[i] = part[n - 1 - i];',
      (i: number) => 255 - i,
    ],
    [
      'in a loop',
      `float s = i; int r = 0; do {
        part[i] = s; grid.sync(); s = part[(i + 1) % n]; grid.sync(); } while (++r < rounds); out[i] = s;`,
      (i: number) => (i + 3) % 256,
    ],
  ])('%s', (_, body, expected) => {
    const [out, part] = [new Float32Array(256).fill(NaN), new Float32Array(256)]
    const { ptx, counters } = runPtx(kernel(body), {
      grid: [4, 1, 1],
      block: [64, 1, 1],
      args: [out, part, 3],
      check: { races: true },
    })
    expect([...out]).toEqual(Array.from(out, (_x, i) => expected(i)))
    expect(meetsGrid(ptx.kernel)).toBe(true)
    expect(ptx.flat).toEqual([])
    expect(counters.hazards).toEqual([])
  })
  test('in a branch they are refused by name, at their line', () => {
    const text = kernel('if (rounds > 3)\n part[i] = 1, grid.sync(); out[i] = part[0];')
    expect(() => parsePtx(text, 'k.ptx', { block: [64, 1, 1] })).toThrow(
      /k.cu:7:.*a barrier of the grid stands in an if/,
    )
  })
  test('a kernel that only counts its threads meets nobody', () => {
    expect(
      meetsGrid(
        runPtx(kernel('out[i] = n;'), { block: [32, 1, 1], args: [new Float32Array(32), new Float32Array(32), 1] }).ptx
          .kernel,
      ),
    ).toBe(false)
  })
})
