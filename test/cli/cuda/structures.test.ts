// Integers in structures that a launch passes: what is read through references, members of members and indices has a
// name, is given by it, and where nobody gives it nothing that follows from its 0 is an error.
import { describe, expect, test } from 'vitest'
import { join } from 'node:path'
import { explain, type ExplainReport } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { compileCudaFile, cudaSource } from '../../../src/cli/nvcc.ts'
import { nvccAvailable } from '../../support/nvcc.ts'
import { folderWith } from '../run.ts'

const text = `struct Dims { int x, y; };
struct Grid { Dims dim; float step; };
struct Params { Grid grid; int flag; int sides[3]; };
__device__ __noinline__ int row(const Grid &g, int i) { return i / g.dim.x; }
__global__ void nested(const Params p, int *out) {
  const auto &g = p.grid;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i / g.dim.x + i % p.grid.dim.y;
}
__global__ void constant(const __grid_constant__ Params p, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = row(p.grid, i) + i % p.sides[i % 3];
}
__global__ void counted(const Params p, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
  for (int k = 0; k < p.grid.dim.x; k++) n += out[k] > 3;
  out[i] = i / n;
}
__global__ void chosen(const Params p, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, w = 0;
  if (p.flag == 1) w = 4;
  if (p.flag == 2) w = 8;
  out[i] = i / w;
}
__global__ void scattered(const Params p, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[p.sides[i % 3]] = i;
}
__global__ void wrong(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i / (i % 4);
}
`

describe.skipIf(!nvccAvailable())('structures', () => {
  const file = nvccAvailable() ? join(folderWith({ 'k.cu': text }), 'k.cu') : '',
    source = nvccAvailable() ? cudaSource(text, 'k.cu', compileCudaFile(file)) : { text, file }
  const run = (entry: string, args: Readonly<Record<string, number>> = {}, blocks = 4): ExplainReport =>
    explain(source, { grid: [blocks, 1, 1], block: [64, 1, 1], args }, { gpu: gpu('h200'), entry })
  const missing = (r: ExplainReport): string | undefined => r.notes.find((n) => n.startsWith('values not given'))

  test.each([
    ['nested', ['p.grid.dim.x', 'p.grid.dim.y']],
    ['constant', ['p.grid.dim.x', 'p.sides[…]']],
    ['counted', ['p.grid.dim.x']],
    ['chosen', ['p.flag']],
  ])('%s: divisors that nobody gave are named, and no error', (entry, names) => {
    const r = run(entry)
    expect(r.hazards).toEqual([])
    for (const name of names) expect(missing(r)).toContain(`'${name}'`)
  })

  test('they are given by their names', () => {
    const r = run('constant', { 'p.grid.dim.x': 8, 'p.sides[0]': 1, 'p.sides[1]': 2, 'p.sides[2]': 0 })
    expect(missing(r)).toBeUndefined()
    expect(r.hazards.map((h) => [h.kind, h.level, h.count])).toEqual([['division-by-zero', 'error', 85]])
  })

  test('places that follow from elements nobody gave are guesses', () => {
    const [race] = run('scattered').hazards
    expect([race?.kind, race?.level]).toEqual(['race', 'note'])
    expect(race?.message).toMatch(/where it goes follows from '.*p\.sides\[.*, whose contents nobody gave/)
  })

  test('divisions by 0 are counted in the whole launch', () => {
    const [h] = run('wrong', {}, 100_000).hazards
    expect([h?.kind, h?.count]).toEqual(['division-by-zero', 100_000 * 16])
  })
})
