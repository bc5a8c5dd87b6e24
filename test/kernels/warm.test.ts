// Kernels compiled ahead: nothing runs, nothing is kept but pipelines, and the calls that follow compile nothing.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Gpu } from '../../src/kernels/index.ts'
import { openSoftware } from './language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

test('what was warmed is compiled once, and runs right', async () => {
  const x = gpu.tensor([1, 2, 3, 4], [2, 2])
  void gpu.core.unused // made once
  await gpu.sync()
  const used = (): number => gpu.core.statistics['liveBytes']! - gpu.core.statistics['freeBytes']!
  const before = used(),
    calls = [() => gpu.matmul(x, x, { activation: 'relu' }), () => gpu.sum(gpu.map('x + a', { x, a: 2 }))]
  const launched = await gpu.profile(() => gpu.warm(calls))
  expect(launched).toEqual([])
  expect(used()).toBe(before)
  const { pipelines } = gpu.core.statistics
  expect(pipelines).toBe(3)
  const product = calls[0]!(),
    total = calls[1]!()
  expect([...(await product.read())]).toEqual([7, 10, 15, 22])
  expect([...(await total.read())]).toEqual([18])
  expect(gpu.core.statistics['pipelines']).toBe(pipelines)
})
test('what is no list of functions is refused, and a wrong call says so', async () => {
  await expect(gpu.warm((() => 1) as never)).rejects.toThrow('warm takes a list of functions, not a function')
  await expect(gpu.warm([() => gpu.sum(3 as never)])).rejects.toThrow("sum takes a tensor as 'x', not 3")
  expect([...(await gpu.fill([2], 3).read())]).toEqual([3, 3])
})
