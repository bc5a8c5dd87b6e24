// Estimates ask the GPU that a program is planned for: a small one takes longer for what fills a large one.
import { expect, test } from 'vitest'
import { costOf } from '../../src/analysis/index.ts'
import { measuredChip, parseProgram } from '../../src/ir/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { nestsOf } from '../../src/regions/index.ts'
import { chipOf } from '../../src/tune/index.ts'

const cost = (n: number, multiprocessors: number): number => {
  const source = `program p { size n = ${n} min 1 array x: f32[n] in global array y: f32[n] out global
    for i in 0 .. n { y[i] = x[i] * 2.0f } }`
  const { program, parts } = nestsOf(parseProgram(source))
  return parts.reduce((ns, part) => ns + costOf(program, part, { ...measuredChip, multiprocessors }), 0)
}

test('a tenth of the multiprocessors takes ten times as long for many elements, and no longer for few', () => {
  const launch = cost(1, 132) - 200 // one store
  expect((cost(1e9, 13.2) - launch) / (cost(1e9, 132) - launch)).toBeCloseTo(10, 5)
  expect(cost(1000, 13.2)).toBe(cost(1000, 132))
})

test('the GPU that constants were fitted on is the profile that it is called by', () => {
  expect(chipOf(gpu('h200'))).toEqual(measuredChip)
})
