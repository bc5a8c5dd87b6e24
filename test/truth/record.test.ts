// The recorder of launches and the replay, without a GPU: a CUDA program built with the shared runtime runs against a
// stand-in runtime (cudart.cc) whose memory is the host's; what was recorded is bound to its PTX and simulated.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bindRecorded, type Recorded } from '../../bench/truth/bind.ts'
import { parsePtx } from '../../src/frontend/ptx/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { simulate } from '../../src/simulate/index.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { ptxOf } from '../ptx/compile.ts'

const program = `
__constant__ float scale[4];
template <int N> __global__ void affine(float* y, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = scale[i & 3] * x[i] + N;
}
int main() {
  float h[1024], *x, *y;
  for (int i = 0; i < 1024; i++) h[i] = i;
  const float s[4] = {1, 10, 100, 1000};
  cudaMalloc(&x, sizeof h); cudaMalloc(&y, sizeof h);
  cudaMemcpyToSymbol(scale, s, sizeof s);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  for (int round = 0; round < 2; round++) affine<3><<<4, 128>>>(y, x + 1, 500);
  affine<3><<<5, 96, 64>>>(y, x, 470);
  affine<4><<<1, 32>>>(y + 32, x, 32);
  cudaFree(x); cudaFree(y);
}`

const ready = nvccAvailable()
let folder = '',
  printed = '',
  text = ''
let launches: readonly Recorded[] = []

function build(): void {
  const at = (name: string): string => join(folder, name)
  const headers = headersOfNvcc()
  const shared = (...args: string[]): void => {
    execFileSync('g++', ['-std=c++17', '-shared', '-fPIC', ...headers, ...args])
  }
  mkdirSync(at('lib'))
  writeFileSync(at('map'), 'libcudart.so.13 { global: *; };')
  shared(
    '-Wl,-soname,libcudart.so.13',
    `-Wl,--version-script=${at('map')}`,
    '-o',
    at('lib/libcudart.so.13'),
    join(import.meta.dirname, 'cudart.cc'),
  )
  shared('-o', at('librecord.so'), join(import.meta.dirname, '../../bench/truth/record.cc'), '-ldl')
  writeFileSync(at('program.cu'), program)
  execFileSync('nvcc', ['-cudart', 'shared', '-arch=sm_90', '-o', at('program'), at('program.cu')])
  text = ptxOf(program)
  mkdirSync(at('run'))
  printed = execFileSync(at('program'), {
    encoding: 'utf8',
    env: { ...process.env, LD_LIBRARY_PATH: at('lib'), LD_PRELOAD: at('librecord.so'), RECORD_DIR: at('run') },
  })
  launches = readFileSync(at('run/launches.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l) as Recorded) // written by record.cc
}

/** Where nvcc looks for its headers, which need not lie beside it. */
function headersOfNvcc(): string[] {
  const said = execFileSync('sh', ['-c', 'echo "" > "$0/e.cu" && nvcc --dryrun -c "$0/e.cu" 2>&1', folder], {
    encoding: 'utf8',
  })
  return [...new Set([...said.matchAll(/-I"?([^\s"]+)"?/g)].map((m) => `-I${m[1]!}`))]
}

const contents = (file: string): Uint8Array => readFileSync(join(folder, 'run', file))

describe.skipIf(!ready)('recording launches', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tesela-record-'))
    build()
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('each launch that is new in shape or arguments is recorded, and profiled alone', () => {
    expect(launches.map((l) => [l.row, l.ordinal, l.grid[0], l.block[0], l.shared])).toEqual([
      [0, 0, 4, 128, 0],
      [1, 2, 5, 96, 64],
      [2, 3, 1, 32, 0],
    ])
    expect(printed.trim().split('\n')).toEqual([
      'launched under the profiler',
      'launched',
      'launched under the profiler',
      'launched under the profiler',
    ])
  })

  test('names are mangled, parameters are bytes, constants are read back', () => {
    const [first] = launches
    expect(first!.kernel).toBe('_Z6affineILi3EEvPfPKfi')
    expect(first!.params.map((p) => p.length)).toEqual([16, 16, 8])
    expect(first!.variables.map((v) => [v.name, v.bytes])).toEqual([['scale', 16]])
    expect(first!.allocations.map((a) => a.bytes)).toEqual([4096, 4096])
  })

  test.each([
    [0, 5, 10 * 6 + 3],
    [0, 500, 0],
    [1, 469, 10 * 469 + 3],
    [2, 5, 10 * 5 + 4],
    [2, -27, 0],
  ])('a replay of launch %i leaves y[%i] = %f', (i, at, value) => {
    const l = launches[i]!
    const ptx = parsePtx(text, 'k.ptx', { entry: l.kernel, block: l.block, shared: l.shared })
    const { launch, notes } = bindRecorded(ptx, l, contents)
    simulate(ptx.kernel, launch, gpu('h200'), { exact: true })
    const [y] = ptx.pointers
    const address = Number(launch.params[ptx.scalars.find((s) => s.index === y!.index)!.param])
    expect([notes, new Float32Array(launch.buffers[y!.resource]!)[(address - y!.base) / 4 + at]]).toEqual([[], value])
  })
})
