// The published error: what the fidelity page, the report and the committed predictions say is one thing, and the model
// still predicts it. Every 23rd launch is predicted anew.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { inputOf } from '../../bench/model/dataset.ts'
import { nameOf } from '../../bench/model/kernel.ts'
import { calibration, points } from '../../bench/model/points.ts'
import { kendall, mape, type Judged } from '../../bench/model/statistics.ts'
import { gpu } from '../../src/gpus/index.ts'
import { constants, fidelityOf, predict } from '../../src/model/index.ts'

const read = (path: string): string => readFileSync(resolve(__dirname, '../..', path), 'utf8')
const data = JSON.parse(read('bench/data/h200-predictions.json')) as {
  readonly constants: unknown
  readonly rows: readonly (readonly [string, string, string, number, number])[]
}
const rows = data.rows.map(([family, name, on, ns, predicted]): Judged => ({ family, name, on, ns, predicted }))
const held = rows.filter((r) => !calibration.has(r.family))
const published = fidelityOf('h200')

test('the error that reports print is the one of the data and of the page', () => {
  expect(published).toEqual({ mape: Number(mape(held).toFixed(1)), kernels: held.length })
  const { mape: error, kernels } = published!
  expect(read('docs/fidelity.md')).toContain(`**Held out: ${error.toFixed(1)} % over ${kernels} points`)
  expect(fidelityOf('m1')).toBe(null)
})

test('at most 15 % on the held-out families, in the right order', () => {
  expect(rows.length).toBeGreaterThanOrEqual(500)
  expect(mape(held)).toBeLessThanOrEqual(15)
  for (const family of ['matrix product', 'transpose', 'reduction', 'convolution'])
    expect(kendall(rows.filter((r) => r.family === family)), family).toBeGreaterThanOrEqual(0.8)
})

test('the model predicts what was published', () => {
  expect(data.constants).toEqual(constants)
  const some = points.filter((p, i) => i % 23 === 0 && p.kernel !== 'mandelbrot' && p.kernel !== 'bodies')
  expect(some.length).toBeGreaterThan(9)
  for (const p of some) {
    const input = inputOf(p)
    for (const row of rows.filter((r) => r.name === nameOf(p))) {
      const { ns } = predict({ ...input, profile: gpu('h200'), api: row.on === 'cuda' ? 'cuda' : 'webgpu' })
      expect(
        Math.abs(ns / row.predicted - 1),
        `${row.name} on ${row.on}: ${ns} ns, published ${row.predicted}`,
      ).toBeLessThan(0.01)
    }
  }
}, 120_000)
