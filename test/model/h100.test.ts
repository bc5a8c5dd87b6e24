// What one H100 read of kernels that this compiler did not write, beside what the model and --fix say: the sections of
// docs/fidelity.md, and the errors that they hold.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { fixRows, gains, judgedSeries, judgedTilings, ownFixes, ownFixRows, series } from '../../bench/model/h100.ts'
import { kendall, mape } from '../../bench/model/statistics.ts'

const page = readFileSync(resolve(__dirname, '../../docs/fidelity.md'), 'utf8')

test('every other product along published tilings: in the right order, and how far off', () => {
  const judged = judgedTilings(2)
  expect(judged.length).toBe(40)
  expect(kendall(judged)).toBeGreaterThanOrEqual(0.85)
  expect(mape(judged)).toBeLessThanOrEqual(16)
})

test('fixes go the way that is said, most as far', () => {
  expect(fixRows.length).toBeGreaterThanOrEqual(15)
  for (const r of fixRows) {
    const [predicted, measured] = gains(r)
    expect(Math.sign(Math.log(predicted)), r.kernel).toBe(Math.sign(Math.log(measured)))
    expect(page).toContain(
      `| ${r.kernel} | ${r.rules.join(', ')} | ${predicted.toFixed(2)}× | ${measured.toFixed(2)}× |`,
    )
  }
  const near = fixRows.filter((r) => Math.abs(gains(r)[0] / gains(r)[1] - 1) <= 0.25)
  expect(near.length).toBeGreaterThanOrEqual(fixRows.length - 3)
})

test('fixes of kernels as their owners would write them', () => {
  expect(page).toContain(ownFixes())
  for (const r of ownFixRows) {
    const [predicted, measured] = gains(r)
    expect(Math.min(predicted, measured), r.kernel).toBeGreaterThan(1)
  }
  const near = ownFixRows.filter((r) => Math.abs(gains(r)[0] / gains(r)[1] - 1) <= 0.25)
  expect(near.length).toBeGreaterThanOrEqual(17)
})

test('published series', () => {
  for (const s of series()) {
    const list = judgedSeries(s)
    if (s.ordered) expect(kendall(list), s.gpu).toBeGreaterThanOrEqual(0.85)
    expect(page).toContain(`| ${s.gpu} | ${s.what} |`)
  }
})
