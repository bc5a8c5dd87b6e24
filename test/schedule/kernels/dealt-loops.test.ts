// Loops that are dealt out to blocks and threads: iterations are their numbers, so that one which counts otherwise is
// refused, whatever sketch made it; sketches make such loops of those that do.
import { expect, test } from 'vitest'
import { gpu } from '../../../src/gpus/index.ts'
import { parseProgram } from '../../../src/ir/index.ts'
import { analyse } from '../../../src/pipeline.ts'
import { lowerNest } from '../../../src/schedule/index.ts'
import { optimize } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'

test.each([
  ['for i in 0 .. n step 2 @block.x', "'i' is dealt out"],
  ['for i in 1 .. n @block.x', "'i' is dealt out"],
  ['for i in 0 .. n @block.x', undefined],
])('%s', (head, why) => {
  const program = parseProgram(`program p {
  size n = 8 min 1
  array y: f32[n] out global
  ${head} {
    y[i] = 1.0f
  }
}
`)
  if (why === undefined) expect(lowerNest(program, 'p').kernel.body.length).toBeGreaterThan(0)
  else expect(() => lowerNest(program, 'p')).toThrow(why)
})

test('every other iteration is of a block whose threads share its sum', async () => {
  const program = await readC(`void f(int n, int m, int y[n]) { for (int i = 1; i < n; i += 2) {
    int s = 0; for (int j = 0; j < m; j += 2) s += (n ^ m) % 1000; y[i] = s; } }`)
  expect(analyse(program).parts.map((p) => p.sketch.name)).toEqual(['per-iteration'])
  const { verified, failed, kernels } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  expect(verified.ok).toBe(true)
  expect(failed).toEqual([])
  expect(kernels[0]!.steps[0]).toContain('per iteration of i')
})
