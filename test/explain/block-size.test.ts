// Blocks that are too small: what is said to be gained is what the larger block gains when it is explained itself.
import { expect, test } from 'vitest'
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
