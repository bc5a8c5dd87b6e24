// Windows that are clipped at the ends of an array, in the ways that people write this, are stencils like any other.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../../src/gpus/index.ts'
import { optimize } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'

const blur = (bounds: string, loop: string): string =>
  `void blur(int n, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++) {
    ${bounds}
    float s = 0.0f;
    ${loop}
    y[i] = s;
  }
}`

const sum = 's += x[p];'
const spellings: Readonly<Record<string, string>> = {
  'conditions in the window': blur(
    '',
    `for (int k = 0; k < 5; k++) { int p = i - 2 + k; if (p >= 0 && p < n) ${sum} }`,
  ),
  'ternaries, end included': blur(
    'int a = i - 2 < 0 ? 0 : i - 2, b = i + 2 > n - 1 ? n - 1 : i + 2;',
    `for (int p = a; p <= b; p++) ${sum}`,
  ),
  'ternaries, end excluded': blur(
    'int a = i > 2 ? i - 2 : 0, b = i + 3 < n ? i + 3 : n;',
    `for (int p = a; p < b; p++) ${sum}`,
  ),
  ifs: blur('int a = i - 2, b = i + 3; if (a < 0) a = 0; if (b > n) b = n;', `for (int p = a; p < b; p++) ${sum}`),
}

describe('windows that end where arrays end', () => {
  const found = new Map<string, number>()
  for (const [name, text] of Object.entries(spellings))
    test(name, async () => {
      const result = await optimize(await readC(text), { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
      found.set(
        name,
        result.kernels.reduce((n, k) => n + k.prediction.ns, 0),
      )
      const [plain] = found.values()
      expect(result.kernels).toHaveLength(1)
      expect(found.get(name)! / plain!).toBeLessThan(1.1) // it was set above
    })
})
