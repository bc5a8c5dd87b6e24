import { expect, test } from 'vitest'
import { fail } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { optimizeJson, optimizeLines } from '../../src/report/index.ts'
import { firstProved, optimize, type Failed, type Verification } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const verified = (why?: string): Verification => ({
  against: 'reference',
  edges: 0,
  sizes: [{ n: 3 }],
  maxRelativeError: 0,
  bound: 1e-6,
  ok: why === undefined,
  ...(why !== undefined && { why }),
})
/** Candidates are what becomes of them: a number is proved. */
const prover = {
  make: (c: string | number) =>
    c === 'none' ? fail('schedule.size', 'there are no such threads\n - While doing this\n - While doing that') : [c],
  verify: (made: readonly (string | number)[]) => made.map((c) => verified(typeof c === 'string' ? c : undefined)),
  words: (c: string | number) => `choice ${c}`,
}

test('what fails before a candidate is proved is kept with its reason', () => {
  expect(firstProved('f', ['A differs by 1', 'none', 7, 8], prover)).toMatchObject({
    made: [7],
    position: 2,
    failed: [
      { how: 'wrong', why: 'A differs by 1', schedule: 'choice A differs by 1' },
      { how: 'unbuilt', why: 'there are no such threads', schedule: 'choice none' },
    ],
  })
  expect(firstProved('f', [7, 'A differs'], prover).failed).toEqual([])
  expect(() => firstProved('f', ['none', 'A differs by 2'], prover)).toThrow(
    'no kernel for f could be proved: A differs by 2',
  )
})

test('the reports say how many candidates failed and how', async () => {
  const result = await optimize(await readC('void f(int n, float a[n]) { for (int i = 0; i < n; i++) a[i] *= 2; }'), {
    gpu: gpu('h200'),
    targets: ['wgsl'],
    budget: 1,
  })
  expect(result.failed).toEqual([])
  const failed: readonly Failed[] = [
    { how: 'unbuilt', why: 'too many threads', schedule: 'tiles 9' },
    { how: 'wrong', why: 'a differs by 3.00e-1', schedule: 'tiles 4' },
    { how: 'device', why: 'a[3] is 2 on X, not 1', schedule: 'tiles 8' },
  ]
  const report = (more: readonly Failed[]) => ({
    result: { ...result, failed: more },
    gpu: gpu('h200'),
    file: 'f.c',
    files: [],
    folder: 'out/f',
  })
  expect(optimizeLines(report([])).join('\n')).not.toContain('failed')
  const text = optimizeLines(report(failed)).join(' ').replace(/\s+/g, ' ')
  expect(text).toContain('failed 2 candidates that would have come first computed something else and were passed over')
  expect(text).not.toContain('too many threads')
  expect(text).toContain('tiles 4: a differs by 3.00e-1 tiles 8: a[3] is 2 on X, not 1')
  expect(optimizeJson(report(failed))).toMatchObject({ failed })
})

test('ends that a scalar chooses ask nothing of the sizes of a proof', async () => {
  const program = await readC(`void f(int way, int m, int n, const float *x, float *y) {
    int rows, columns, used = way == 3 ? 2 : way;
    if (used == 1) { rows = n; columns = m; } else { rows = m; columns = n; }
    for (int i = 0; i < rows; i++) { float s = 0; for (int j = 0; j < columns; j++) s += x[j]; y[i] = s; }
  }`)
  const made = await optimize(program, { gpu: gpu('h200'), budget: 2, targets: ['wgsl'] })
  expect(made.verified.ok).toBe(true)
})

test('a local that two loops write first stays for the second when the first loop makes it its own', async () => {
  const program = await readC(`void f(int n, int m, const float *x, float *y) {
    float u, c;
    for (int k = 0; k < m; k++) { u = x[k] + x[k + 1]; c = x[k] - u; y[k * n] = u; y[(k + m) * n] = c; }
    for (int k = 0; k < m; k++)
      for (int i = 2; i < n; i += 2) { if (n != 1) { u = x[k]; y[(k + m) * n + i] = u; } }
  }`)
  const made = await optimize(program, { gpu: gpu('h200'), budget: 2, targets: ['wgsl'] })
  expect(made.verified.ok).toBe(true)
})
