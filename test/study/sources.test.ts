// Where the sources are wrong, shown by running what they print.
import { expect, test } from 'vitest'
import { explain } from '../../src/explain/index.ts'
import { gpu, occupancy } from '../../src/gpus/index.ts'
import { catalogued } from '../../src/study/types.ts'
import { articleTranspose } from '../../src/study/wgsl.ts'
import { simulated } from '../wgsl/both.ts'

test('the article’s tile does not transpose within tiles, and its stores are not coalesced', () => {
  const n = 48,
    input = Float32Array.from({ length: n * n }, (_, i) => i)
  const { buffers } = simulated(
    articleTranspose,
    [3, 3, 1],
    { input: input.buffer, output: new ArrayBuffer(n * n * 4) },
    { overrides: { n } },
  )
  const output = new Float32Array(buffers['output'] ?? new ArrayBuffer(0))
  const wrong = Array.from(output).filter((v, i) => v !== (i % n) * n + Math.floor(i / n)).length
  expect(wrong).toBe(n * n - (n * n) / 16) // only the diagonal of each tile is right
  expect(output[n]).toBe(n) // row 1, column 0 holds row 1, column 0
  const { accesses } = explain(
    { text: articleTranspose, file: 'article.wgsl' },
    { grid: [64, 64, 1] },
    { gpu: gpu('h200'), brief: true },
  )
  const store = accesses.find((a) => a.space === 'global' && a.op === 'store')
  expect((store?.sectors ?? 0) / (store?.requests ?? 1)).toBe(16)
})

test('a[row · n + k] of the naive product is a broadcast', () => {
  const { accesses } = explain(
    { text: catalogued('matmul-naive'), file: 'naive.wgsl' },
    { grid: [32, 32, 1] },
    { gpu: gpu('h200'), brief: true },
  )
  const a = accesses.find((x) => x.resource === 'a')
  expect(a?.pattern).toBe('broadcast')
  expect((a?.sectors ?? 0) / (a?.requests ?? 1)).toBe(2) // two rows of a block of 16 × 16
})

test('shared memory is rounded up: equation 3.7 contradicts table 3.2', () => {
  // rounded down it would be 8
  expect(occupancy(gpu('gt200'), { threads: 64, registers: 8, shared: 2100 }).limits.shared).toBe(6)
})
