// The search against an exhaustive sweep measured on an H200 (bench/data/h200-gemm-sweep.json): what it would have
// chosen by the model alone, and with 40 measurements looked up in the sweep.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { analyse, build, type Analysed } from '../../src/pipeline.ts'
import type { Point } from '../../src/schedule/index.ts'
import { estimatePlan, plannedValues, search, type Scored } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

interface Sweep {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly number[])[]
}
const sweep = JSON.parse(readFileSync(resolve(__dirname, '../../bench/data/h200-gemm-sweep.json'), 'utf8')) as Sweep
const names = sweep.columns.slice(0, -1)
const keyOf = (p: Point): string => names.map((n) => p[n]).join()
const measured = new Map(sweep.rows.map((r) => [r.slice(0, -1).join(), r[r.length - 1]!]))
const best = Math.min(...measured.values())

let analysed: Analysed
let ranked: readonly Scored[]

beforeAll(async () => {
  const program = await readC(readFileSync(resolve(__dirname, '../../examples/gemm.c'), 'utf8'))
  analysed = analyse(program)
  const score = (p: Point): number =>
    estimatePlan(program, build(analysed, [p], { only: 'vector' }).plan, plannedValues(program), gpu('h200'), {
      steps: 1.5e6,
    }).prediction.ns
  ranked = search(analysed.parts[0]!.sketch, score, 40, random(1)).best
}, 120_000)

describe('the search for a matrix product on the H200', () => {
  test('the sweep covers the space, and the top of the ladder is in it', () => {
    const sketch = analysed.parts[0]!.sketch
    expect(sketch.space.filter((p) => !measured.has(keyOf(p)))).toEqual([])
    expect(measured.has(keyOf(sketch.ladder[sketch.ladder.length - 1]!.point))).toBe(true)
  })

  test('the best of 40 measured candidates reaches 97 % of the best of the sweep', () => {
    const times = ranked.slice(0, 40).flatMap((s) => measured.get(keyOf(s.point)) ?? [])
    expect(best / Math.min(...times)).toBeGreaterThanOrEqual(0.97)
  })

  test('the model alone chooses a kernel of at least 85 % of the best', () => {
    const choice = ranked.find((s) => measured.has(keyOf(s.point)))!
    expect(best / measured.get(keyOf(choice.point))!).toBeGreaterThanOrEqual(0.85)
  })
})

test.each([
  0, 0.3, 2.5,
])('a budget of %f points ends with a point scored and no more than its next whole number', (budget) => {
  const { best, tried } = search(analysed.parts[0]!.sketch, () => 1, budget, random(1))
  expect(best.length).toBeGreaterThan(0)
  expect(tried).toBe(Math.max(1, Math.ceil(budget)))
})
