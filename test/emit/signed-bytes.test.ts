// Signed bytes whose difference becomes a short: nvcc 13.0 computes it with eight bits in a loop, unless it does not
// know that they are bytes.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { ptxOfText } from '../../src/cli/nvcc.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { readC } from '../c/read.ts'

const textOf = async (value: string): Promise<string> => {
  const program = await readC(`void f(int n, signed char *y) { for (int i = 0; i < n; i++) y[i] = (${value}) % 100; }`)
  const { cudaPlan } = await optimize(program, { gpu: gpu('h200'), targets: ['cuda'], budget: 1 })
  return cudaPlan!.variants.flatMap((v) => v.launches.map((l) => l.emitted!.cuda!.text)).join('\n')
}

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
