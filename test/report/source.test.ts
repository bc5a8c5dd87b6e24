import { expect, test } from 'vitest'
import { sourceFacts, type SourceFacts } from '../../src/report/index.ts'
import { readC } from '../c/read.ts'

async function facts(c: string): Promise<SourceFacts> {
  const found = sourceFacts(await readC(c))
  if (typeof found === 'string') throw new Error(found)
  return found
}
const loops = (f: SourceFacts): string[] =>
  f.loops.map((l) => `${l.line}${' '.repeat(1 + l.depth)}${l.name} ${l.kind}${l.why ? `: ${l.why}` : ''}`)

test('matrix product: what is parallel, what is summed, what is read again', async () => {
  const f = await facts(
    'void f(int n, float A[n][n], float B[n][n], float C[n][n]) {\n for (int i = 0; i < n; i++)\n  for (int j ' +
      '= 0; j < n; j++)\n   for (int k = 0; k < n; k++)\n    C[i][j] += A[i][k] * B[k][j];\n}',
  )
  expect(loops(f)).toEqual(['2 i parallel', '3  j parallel', '4   k reduction: sum into C'])
  expect(f.nests).toEqual([{ kind: 'contraction', line: 5, reuse: 'A is read again along j, B along i' }])
})

test('a recurrence says what it waits for, and how far back', async () => {
  expect(
    loops(await facts('void f(int n, float *x) {\n for (int i = 2; i < n; i++) x[i] = x[i - 2] * 0.5f;\n}')),
  ).toEqual(['2 i sequential: x: an iteration reads what an earlier one wrote (distance 2)'])
  expect(loops(await facts('void f(int n, float *x) {\n for (int i = 0; i + 1 < n; i++) x[i] = x[i + 1];\n}'))).toEqual(
    ['2 i sequential: x: an iteration overwrites what an earlier one reads (distance 1)'],
  )
})

test('positions of extremes and stencils', async () => {
  const f = await facts(
    'void f(int n, const float *x, float *y) {\n for (int i = 1; i < n - 1; i++) y[i] = x[i - 1] + x[i] + x[i + 1];\n}',
  )
  expect(f.nests[0]).toMatchObject({ kind: 'stencil', reuse: 'x is read again in a window of 3' })
})
