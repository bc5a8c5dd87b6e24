// What was published about the GT200's microarchitecture beside what the model says of the same microbenchmark: the
// table of docs/gt200.md, row by row, with its error.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { rows, tableOf } from '../../bench/model/published.ts'

test('the page shows the table', () => {
  expect(readFileSync(resolve(__dirname, '../../docs/gt200.md'), 'utf8')).toContain(tableOf(rows()))
})

test.each(rows().map((r) => [r.what, r] as const))('%s', (_, r) => {
  expect(Math.abs(r.predicted / r.published - 1), `${r.predicted} for ${r.published}`).toBeLessThanOrEqual(r.within)
})
