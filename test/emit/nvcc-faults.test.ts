// Texts that keep clear of nvcc 13.0's faults. Signed bytes whose difference becomes a short: it computes it with eight
// bits in a loop, unless it does not know that they are bytes. A remainder in a branch that only a loop's first
// iteration takes, where the remainder has a branch of its own: it ends with a segmentation fault. (Values of divisions
// by 0 and -1: host-cuda.test.ts.)
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { ptxOfText } from '../../src/cli/nvcc.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { readC } from '../c/read.ts'

const textsOf = async (source: string): Promise<readonly string[]> => {
  const { cudaPlan } = await optimize(await readC(source), { gpu: gpu('h200'), targets: ['cuda'], budget: 1 })
  return cudaPlan!.variants.flatMap((v) => v.launches.map((l) => l.emitted!.cuda!.text))
}

const textOf = async (value: string): Promise<string> =>
  (await textsOf(`void f(int n, signed char *y) { for (int i = 0; i < n; i++) y[i] = (${value}) % 100; }`)).join('\n')

test('their difference is one of ints', async () => {
  const text = await textOf('(short)(y[i] + i - y[(unsigned)(i - 2) % n])')
  expect(text).toContain('byte_i32(y[')
  if (!nvccAvailable()) return
  expect(ptxOfText(text)).not.toContain('sub.s16')
  expect(ptxOfText(text.replaceAll('byte_i32(y[', '(y['))).toContain('sub.s16') // what the rule is for
})

test('where nothing becomes a short they are read as they are', async () => {
  expect(await textOf('y[i] + i - y[(unsigned)(i - 2) % n]')).not.toContain('byte_i32')
})

const firstIterations = `
void f(unsigned char *y, int n, const float *x, int m) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < m; j++)
      s = (s ^ 5) * 3 +
        (j ? m / 2 : x[j + m * (i / 3u)] >= x[(unsigned)(j - 2) % m + m * ((unsigned)(i - 2) % n)] ? n : 3);
    y[i] = s;
  }
}`

test('nvcc compiles a remainder of the first iteration alone', async () => {
  const [text = ''] = await textsOf(firstIterations)
  expect(text).toContain('return a % (b == 0 ? 1 : b);')
  if (!nvccAvailable()) return
  expect(ptxOfText(text)).toContain('rem.u32')
  const branching = text.replaceAll('return a % (b == 0 ? 1 : b);', 'return b == 0 ? 0 : a % b;')
  expect(() => ptxOfText(branching)).toThrow() // what the rule is for
})
