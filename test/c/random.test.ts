// Random programs written as C and read back compute the same, with declared arrays and with flat pointers.
import { expect, test } from 'vitest'
import { interpret, referenceType, type HostArray, type Program } from '../../src/ir/index.ts'
import { seedsOf } from '../support/long.ts'
import { randomProgram } from '../random-program.ts'
import { printC } from './print-c.ts'
import { readC } from './read.ts'

const wide = 48
const sizes = { n: 4, m: 3 }

/** Contents of every array after a run in float64; small integers before. */
function run(p: Program): Record<string, number[]> {
  const arrays: Record<string, HostArray> = {}
  for (const [k, name] of ['X', 'A', 'B', 'S'].entries())
    arrays[name] = Float64Array.from({ length: wide ** 2 }, (_, i) => ((i + k) * 5) % 7)
  expect(p.arrays.every((a) => referenceType(a.type) === 'f64')).toBe(true)
  interpret(p, { sizes, scalars: {}, arrays }, { precision: 'f64' })
  return Object.fromEntries(Object.entries(arrays).map(([name, a]) => [name, [...a].map(Number)]))
}

test.each([
  [false, 'declared arrays'],
  [true, 'flat pointers'],
])('flat %s: %s', async (flat) => {
  let exact = 0,
    split = 0
  for (let seed = 0; seed < seedsOf(150); seed++) {
    const p = randomProgram(90_000 + seed, { exact: true, depth: 3 }),
      c = printC(p, sizes, flat)
    const q = await readC(c)
    if (q.arrays.some((a) => a.name === 'B' && a.shape.length === 2)) split++
    const before = run(p),
      after = run(q)
    // Reductions may be regrouped: only sums that float64 holds exactly must agree.
    if (Object.values(before).some((values) => values.some((v) => Math.abs(v) > 2 ** 50))) continue
    exact++
    expect({ c, result: after }).toEqual({ c, result: before })
  }
  expect(exact).toBeGreaterThan(seedsOf(100))
  expect(split).toBeGreaterThan(seedsOf(50) - 5)
})
