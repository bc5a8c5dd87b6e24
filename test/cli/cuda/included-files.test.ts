// Which headers of a CUDA program are its own: a folder of files a case. Then a real program with CUB's templates.
import { expect, test } from 'vitest'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { includedBy } from '../../../src/cli/included-files.ts'
import { compileCudaFile, cudaSource } from '../../../src/cli/nvcc.ts'
import { launchesInText } from '../../../src/cli/commands/host-launches.ts'
import { nvccAvailable } from '../../support/nvcc.ts'
import { folderWith, tesela } from '../run.ts'

/** A new folder with files in folders of their own. */
function treeWith(files: Readonly<Record<string, string>>): string {
  const root = folderWith({})
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

test('headers of the program are its own, those of libraries are foreign, wherever they lie', () => {
  const root = treeWith({
    'app/k.cu':
      '#include "sizes.h"\n#include "../common/layout.h"\n#include "cuda_runtime.h"\n#include <cub/cub.cuh>\n',
    'app/sizes.h': 'enum { side = 16 };',
    'common/layout.h': '#include "deep.h"',
    'common/deep.h': 'struct Deep { int n; };',
    'toolkit/cuda_runtime.h': 'enum { side = 1 };',
    'libraries/cub/cub.cuh': 'enum { side = 2 };',
    'libraries/cub/block/block_sum.cuh': 'enum { side = 3 };',
    'elsewhere/found.h': 'enum { side = 4 };',
  })
  const files = ['toolkit/cuda_runtime.h', 'libraries/cub/block/block_sum.cuh', 'elsewhere/found.h', 'app/sizes.h']
  const ptx = files.map((f, i) => `.file ${i + 2} "${join(root, f)}"`).join('\n')
  const found = includedBy(ptx, join(root, 'app/k.cu'), join(root, 'app/k.cu'), [
    join(root, 'toolkit'),
    join(root, 'libraries'),
  ])
  const names = (isForeign: boolean): readonly string[] =>
    found.filter((f) => (f.isForeign ?? false) === isForeign).map((f) => f.file.slice(root.length + 1))
  expect(names(false)).toEqual(['app/sizes.h', 'common/layout.h', 'common/deep.h'])
  expect(names(true)).toEqual(['toolkit/cuda_runtime.h', 'libraries/cub/block/block_sum.cuh', 'elsewhere/found.h'])
})

const blockSums = `#include <cub/block/block_reduce.cuh>
template <int THREADS> __global__ void sums(const float *in, float *out) {
  using Reduce = cub::BlockReduce<float, THREADS>;
  __shared__ typename Reduce::TempStorage temp;
  float total = Reduce(temp).Sum(in[blockIdx.x * THREADS + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 65536 * 4);
  cudaMalloc(&out, 256 * 4);
  sums<256><<<256, 256>>>(in, out);
}`

test.skipIf(!nvccAvailable())('a launch of a kernel that uses CUB is read in no time', () => {
  const file = join(folderWith({ 'k.cu': blockSums }), 'k.cu'),
    source = cudaSource(blockSums, file, compileCudaFile(file))
  expect(source.included?.every((f) => f.isForeign)).toBe(true)
  const from = performance.now()
  expect(launchesInText(source, {}, {}).map((l) => [l.entry, l.launch.grid])).toEqual([['sums<256>', [256, 1, 1]]])
  expect(performance.now() - from).toBeLessThan(1000)
})

test.skipIf(!nvccAvailable())('a file without a kernel of its own says so', () => {
  const text = '#include <thrust/fill.h>\nint main() { thrust::fill_n(thrust::device, (float*)nullptr, 64, 1.0f); }'
  const { code, err } = tesela(
    ['explain', 'k.cu'],
    folderWith({ 'k.cu': `#include <thrust/execution_policy.h>\n${text}` }),
  )
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^k\.cu:1:1: error: the file has no kernel of its own \(__global__\): the \d+ kernels? that/),
  ])
})
