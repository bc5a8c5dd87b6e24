// The report of kernels that ran: their texts at their sizes, what `tesela explain` counts in them, and their times.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gpuIn } from '../../src/gpus/index.ts'
import type { Gpu } from '../../src/kernels/index.ts'
import { numbers, openSoftware } from './language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

test('each kernel once per size, with its report, its time and its text', async () => {
  const a = gpu.tensor(numbers([40, 30]), [40, 30]),
    b = gpu.tensor(numbers([30, 20]), [30, 20])
  const rows = await gpu.explain(
    () => {
      for (let i = 0; i < 3; i++) gpu.sum(gpu.matmul(a, b, { activation: 'relu' })).dispose()
    },
    { gpu: 'h200' },
  )
  expect(rows.map((r) => [r.kernel, r.times])).toEqual([
    ['matmul batch-nn-small', 3],
    ['sum f32-whole-short whole', 3],
  ])
  const [product, total] = rows
  expect(product!.report).toMatchObject({
    schema: 'tesela.explain/1',
    gpu: 'h200',
    launch: { grid: [1, 2, 1], block: [256, 1, 1] },
    hazards: [],
    kernel: { language: 'wgsl' },
  })
  expect(product!.report.coverage.blocks).toBe(2)
  // Every multiply-add of the product is one instruction of a thread: 40 · 20 · 30, or more where tiles reach past the
  // edges.
  expect(product!.report.instructions.byClass['fp32']).toBeGreaterThanOrEqual((40 * 20 * 30) / 32)
  expect(product!.wgsl).toContain('max(') // relu is in it
  expect(product).toMatchObject({ flop: 2 * 40 * 30 * 20, boundNs: null })
  for (const r of rows) {
    expect(r.ns).toBeGreaterThan(0)
    expect(r.report.prediction.ns).toBeGreaterThan(0)
    expect(r.text.split('\n')[0]).toMatch(/^.*: ran 3 times, measured \d+\.\d µs at least$/)
    expect(r.text).toContain('Memory accesses')
  }
  expect(total!.report.buffers.map((x) => x.name)).toContain('x')
})

test('a device that no profile names is judged by the worst of all kinds; brief reports find nothing', async () => {
  const x = gpu.tensor(numbers([100]))
  const [row] = await gpu.explain(() => gpu.map('2 * x + y', { x, y: 3 }).dispose(), { brief: true })
  expect(row!.report.gpu).toBe('portable')
  expect(row!.report.portable!.length).toBeGreaterThan(3)
  expect(row!.report.findings).toEqual([])
  expect(await gpu.explain(() => {})).toEqual([])
  await expect(gpu.explain(() => gpu.sum(x).dispose(), { gpu: 'h2000' })).rejects.toThrow(
    "no GPU profile is called 'h2000'",
  )
})

test('devices by the names that they have', () => {
  const named = [
    'NVIDIA H200',
    'nvidia ampere',
    'NVIDIA GeForce RTX 3090',
    'Apple M2 Pro',
    'amd rdna-2 Radeon',
    'intel gen-9',
    'turing undefined',
    'SwiftShader Device (Subzero)',
    '',
  ].map((n) => gpuIn(n)?.name ?? null)
  expect(named).toEqual(['h200', 'ampere', 'ga102', 'apple-m2', 'rdna2', 'intel-gen9', 'turing', null, null])
})
