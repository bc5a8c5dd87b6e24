// Dependence analysis ends on hostile programs, with a clear error where they are too large.
import { expect, test } from 'vitest'
import { dependences } from '../../src/analysis/index.ts'
import { readC } from '../c/read.ts'

const analysed = async (c: string): Promise<string> => {
  try {
    return `${dependences(await readC(c)).length} dependences`
  } catch (e) {
    return (e as Error).message
  }
}
const many = (n: number, f: (k: number) => string, join = ''): string =>
  Array.from({ length: n }, (_, k) => f(k)).join(join)

test.each([
  [
    'too many accesses',
    `void f(int n, float a[n + 300], float b[n]) { for (int i = 0; i < n; i++) ` +
      `{\n${many(300, (k) => `b[i] += a[i + ${k}];`, '\n')}\n} }`,
    'the program has 900 accesses, 450000 pairs of which may depend on each other; at most 40000 are analysed ' +
      '[analysis.size]',
  ],
  [
    'too many loops',
    `void f(int n, float a[n]) { ${many(30, (k) => `for (int i${k} = 0; i${k} < n; i${k}++) `)} a[i0] = 1; }`,
    'loops are nested 30 deep; at most 24 are analysed [analysis.size]',
  ],
  [
    'many alternatives',
    `void f(int n, float a[n]) { for (int i = 0; i < n; i++) if ` +
      `(${many(40, (k) => `(i != ${k} || n == ${k})`, ' && ')}) a[i] = a[n - 1 - i]; }`,
    '2 dependences',
  ],
])('%s', async (_, c, expected) => expect(await analysed(c)).toContain(expected))
