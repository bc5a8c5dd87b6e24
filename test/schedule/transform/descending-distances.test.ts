// A transform whose distances go down, with many rows: the host runs its large distances, and a block might run the
// small ones. What is made of one of the two parts must not leave the other out; the proof would refuse all of it.
import { expect, test } from 'vitest'
import { gpu } from '../../../src/gpus/index.ts'
import { optimize } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'

const source = `void walsh_hadamard(int batch, int n, float x[batch][n]) {
  for (int h = n / 2; h > 0; h >>= 1)
    for (int b = 0; b < batch; b++)
      for (int p = 0; p < n / 2; p++) {
        int i = p / h * 2 * h + p % h;
        float difference = x[b][i] - x[b][i + h];
        x[b][i] += x[b][i + h];
        x[b][i + h] = difference;
      }
}`

test('all distances of a transform are run, the large and the small', async () => {
  const result = await optimize(await readC(source), { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  expect(result.verified).toBeTruthy()
  expect(result.distance.times).toBeLessThan(100)
})
