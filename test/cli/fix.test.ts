// `tesela explain --fix` as people call it: a diff, a written file, JSON; and launches that stand in the source or in a
// launch file.
import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nvccAvailable } from '../support/nvcc.ts'
import { folderWith, tesela } from './run.ts'

const reduce = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;
var<workgroup> tile: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
  tile[i] = a[id.x];
  c[id.x] = tile[63 - i];
}
@compute @workgroup_size(64)
fn copy(@builtin(global_invocation_id) id: vec3u) { c[id.x] = a[id.x]; }
`
const cuda = `#define N 4194304
__global__ void scale(float* to, const float* from, int n) {
  __shared__ float tile[32][32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x % 32][threadIdx.x / 32] = from[i];
  __syncthreads();
  if (i < n) to[i] = tile[threadIdx.x % 32][threadIdx.x / 32] * 2.0f;
}
int main() {
  float *to, *from;
  cudaMalloc(&to, N * sizeof(float));
  cudaMalloc(&from, N * sizeof(float));
  scale<<<N / 1024, 1024>>>(to, from, N);
}
`

describe('--fix', () => {
  const cwd = folderWith({ 'k.wgsl': reduce })
  const run = (...flags: string[]): ReturnType<typeof tesela> =>
    tesela(['explain', 'k.wgsl', '--entry', 'main', '--grid', '4', ...flags], cwd)
  test('prints a diff and leaves the file alone', () => {
    const { out, code } = run('--fix')
    expect(code).toBe(0)
    expect(out).toContain('race of line 6: put workgroupBarrier() at line 7; run so: 1 hazard gone')
    expect(out).toContain('--- a/k.wgsl\n+++ b/k.wgsl\n@@ -4,6 +4,7 @@\n')
    expect(out).toContain('\n+  workgroupBarrier();\n')
    expect(readFileSync(join(cwd, 'k.wgsl'), 'utf8')).toBe(reduce)
  })
  test('goes into SARIF, for the results that it mends', () => {
    const { runs } = JSON.parse(run('--fix', '--sarif').out)
    const mended = runs[0].results.filter((r: { fixes?: unknown }) => r.fixes)
    expect(mended.map((r: { ruleId: string }) => r.ruleId)).toEqual(['race'])
  })
  test('is JSON, and writes', () => {
    const fixed = JSON.parse(run('--fix', '--json').out)
    expect(fixed).toMatchObject({ schema: 'tesela.fixes/1', fixes: [{ mends: 'race', gone: 1 }] })
    expect(run('--fix', '--write').code).toBe(0)
    expect(readFileSync(join(cwd, 'k.wgsl'), 'utf8')).toBe(fixed.text)
    expect(run('--fix').out).toContain('no change was found')
  })
  test.each([
    [['--write'], '--write is of --fix'],
    [['--fix', '--sarif', '--write'], 'leave --sarif out'],
    [['--fix', '--sarif', '--html', 'r.html'], 'leave --html out'],
    [['--fix', '--gpu', 'portable'], '--fix runs changes for one GPU'],
  ])('%j is refused', (flags, why) => {
    const r = run(...flags)
    expect([r.code, r.err.includes(why)]).toEqual([2, true])
  })
})

test('dispatches of a launch file are one report; what is meant for one entry is no error at the other', () => {
  const launch = {
    buffers: { a: 'f32[4096]:iota' },
    dispatches: [
      { entry: 'main', grid: [64] },
      { entry: 'copy', grid: '64', times: 2 },
    ],
  }
  const cwd = folderWith({ 'k.wgsl': reduce, 'k.launch.json': JSON.stringify(launch) })
  const { out } = tesela(['explain', 'k.wgsl'], cwd)
  expect(out).toContain('3 dispatches of 2 kinds')
  expect(tesela(['explain', 'k.wgsl', '--entry', 'copy'], cwd).out).toMatch(/^copy k\.wgsl {3}64 × 1 × 1 workgroups/)
  expect(tesela(['explain', 'k.wgsl', '--deny', 'error'], cwd).err).toContain('choose one with --entry')
})

test.runIf(nvccAvailable())('CUDA: the launch is that of the host code, and rows are padded', () => {
  const cwd = folderWith({ 'k.cu': cuda })
  expect(tesela(['explain', 'k.cu'], cwd).out).toMatch(/^scale k\.cu {3}4096 × 1 × 1 blocks of 1024 × 1 × 1/)
  const { out } = tesela(['explain', 'k.cu', '--fix'], cwd)
  expect(out).toContain('+  __shared__ float tile[32][32 + 1];')
  const lost = folderWith({ 'k.cu': cuda.replace('#define N 4194304', 'extern int N;') })
  expect(tesela(['explain', 'k.cu'], lost).err).toMatch(/k\.cu:13:1: error: .*'N'.*\n[^]*--arg N=1024/)
})
