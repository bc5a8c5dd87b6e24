// What a proof did not run, it says: branches that no size and no data take, kernels that are not launched.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { verifyPlan } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

/** What is not run when `source` is proved with its first schedule at these values of n. */
async function unreached(source: string, sizes: readonly number[]): Promise<readonly string[]> {
  const analysed = analyse(await readC(source))
  const { plan } = build(
    analysed,
    analysed.parts.map((p) => p.sketch.ladder[0]!.point),
  ) // ladders have rungs
  const verified = verifyPlan(
    analysed.source,
    plan,
    sizes.map((n) => ({ n })),
    gpu('h200'),
    1,
  )
  expect(verified.ok).toBe(true)
  return verified.unreached ?? []
}

const branch = (test: string): string =>
  `void f(int n, float *x) {\n  for (int i = 0; i < n; i++)\n    if (${test})\n      x[i] = 1;\n}`

test('a branch that needs more elements than any size has', async () => {
  const [said, ...more] = await unreached(branch('i * i > 250000'), [40, 300]) // no bound of the loop says it
  expect(said).toBe('f: no thread took a branch that writes x')
  expect(more).toEqual([])
  expect(await unreached(branch('i * i > 250000'), [40, 600])).toEqual([])
})

test('a branch that is taken by some is taken', async () => {
  expect(await unreached(branch('i % 3 == 2'), [40])).toEqual([])
})
