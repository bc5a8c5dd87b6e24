// Blocks that are too small: what is said to be gained is what the larger block gains when it is explained itself.
import { describe, expect, test } from 'vitest'
import { explain, type ExplainReport } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { found, go, type Options } from './kernels.ts'

const body = 'c[id.y * 1024u + id.x] = a[id.y * 1024u + id.x] * 2.0;'
const time = (o: Options): number => go(body, o).prediction.ns

test.each([
  ['one invocation', '1, 1', [1024, 1024, 1]],
  ['a quarter of a subgroup', '8, 1', [128, 1024, 1]],
  ['two subgroups', '8, 8', [128, 128, 1]],
] as const)('%s a workgroup', (_, size, grid) => {
  const report = go(body, { size, grid })
  const finding = found(report, 'LaunchConfiguration')
  const [, x, y, gx, gy] = /make @workgroup_size (\d+) × (\d+) × 1 and dispatch (\d+) × (\d+) × 1/.exec(finding!.fix)!
  const applied = time({ size: `${x}, ${y}`, grid: [Number(gx), Number(gy), 1] })
  expect(finding!.speedup / (report.prediction.ns / applied)).toBeCloseTo(1, 1)
  expect(finding!.speedup).toBeGreaterThan(1.5)
})

test.each([
  ['enough of them', '16, 16', body],
  ['a meeting inside', '1, 1', `storageBarrier(); ${body}`],
])('no larger block is run: %s', (_, size, text) => {
  const finding = found(go(text, { size, grid: [64, 64, 1] }), 'LaunchConfiguration')
  expect(finding?.fix ?? '').not.toContain('run so')
})

test('blocks beyond the last one leave at once', () => {
  const report = go(body, { size: '1, 1', grid: [1000, 64, 1], launch: { buffers: {} } })
  expect(found(report, 'LaunchConfiguration')!.fix).toContain('run so')
  expect(report.hazards).toEqual([])
})

describe('blocks of CUDA, which ask how large they are', () => {
  const run = (multiplier: string, added: string): ExplainReport => {
    const ptx = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
  .reg .b32 %r<9>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.s32 %r4, %r3, ${multiplier}, %r1;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  add.s32 %r6, %r5, ${added};
  st.global.u32 [%rd3], %r6;
  ret;
}`
    const source = { text: '__global__ void k(int *x) {}', file: 'k.cu', language: 'cuda', ptx } as const
    return explain(source, { grid: [32768, 1, 1], block: [32, 1, 1] }, { gpu: gpu('h200') })
  }
  test('that number all threads of the grid are run larger', () => {
    const fix = found(run('%r2', '1'), 'LaunchConfiguration')?.fix
    expect(fix).toContain('make the block size 256 × 1 × 1 and launch 4096 × 1 × 1: run so')
  })
  test.each([
    ['that have places of their own', '32', '%r2'],
    ['that are told apart otherwise', '%r2', '%r3'],
    ['whose threads are', '%r2', '%r1'],
  ])('%s are left', (_, multiplier, added) => {
    expect(found(run(multiplier, added), 'LaunchConfiguration')).toBeUndefined()
  })
})
