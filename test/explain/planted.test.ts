// A sample of `bench/planted`: right WGSL kernels of which nothing is said, and one plant of each fault, which a
// default run names at its line. CUDA is in the bench alone: each plant would be a run of nvcc.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { falsePositives, kernelsOf, outcomeOf, planted, plantsOf } from '../../bench/planted/planted.ts'

const names = ['scale.wgsl', 'kept.wgsl', 'turned.wgsl', 'exchange.wgsl', 'reduce-halving.wgsl']
const kernels = kernelsOf('bench/planted/kernels.txt', '.').filter(({ file }) => names.some((n) => file.endsWith(n)))
/** Enough for these, and soon used up by loops without end. */
const steps = 2e6
const texts = new Map(kernels.map((k) => [k.file, readFileSync(k.path, 'utf8')]))
const textOf = (file: string): string => texts.get(file) ?? ''

test('of right kernels nothing is said', () => {
  expect(kernels).toHaveLength(names.length)
  for (const k of kernels) expect(falsePositives(outcomeOf(textOf(k.file), k, 0, steps)), k.file).toEqual([])
})

test('one plant of each fault is named at its line', () => {
  const all = kernels.flatMap((k) => plantsOf(textOf(k.file), k).map((plant) => ({ k, plant }))),
    faults = [...new Set(all.map(({ plant }) => plant.fault))]
  expect(faults.length).toBeGreaterThanOrEqual(20)
  for (const fault of faults) {
    const { k, plant } = all.findLast((x) => x.plant.fault === fault)! // it is one of theirs
    const outcome = outcomeOf(planted(textOf(k.file), plant), k, plant.surplus, steps)
    expect(plant.isNamed(outcome), `${k.file}:${plant.line} ${fault}: ${plant.text}`).toBe(true)
  }
})
