// What is known inside of loops in steps: each has turns of its own, and a remainder by what is positive there is less.
import { expect, test } from 'vitest'
import {
  affineName,
  feasible,
  insideLoop,
  int,
  loop,
  notLess,
  plus,
  printProgram,
  sizeDomain,
  sizeOf,
} from '../../src/ir/index.ts'
import { readC } from './read.ts'

test('two loops in equal steps are not one', () => {
  const body = { ...loop('i', sizeOf('n'), []), step: 3 },
    other = { ...loop('j', sizeOf('n'), []), step: 3 }
  const apart = [body, other].reduce(
    (d, l) => insideLoop(d, { ...l, lower: int(0) }),
    sizeDomain({ sizes: [{ kind: 'given', name: 'n', planned: 64, min: 0 }], hostVariables: [] }),
  )
  // i > j is possible
  expect(feasible(apart.constraints, [notLess(affineName('i'), plus(affineName('j'), 1))])).not.toBe('empty')
})

test('what compares their variables stays a question', async () => {
  const program = await readC(
    'void f(int n, int m, int *y) { for (int i = 0; i < n; i += 3) for (int j = 0; j < m; j += 3) ' +
      'y[i * m + j] = i <= j ? 5 : 2; }',
  )
  expect(printProgram(program)).toContain('select(i <= j, 5, 2)')
})

test('a place modulo a length that may be negative elsewhere needs that length', async () => {
  const program = await readC(
    'void f(float *y, int n) { for (unsigned i = 0; i < (unsigned)(n + 2); i += 3) ' +
      'y[i] = -y[(unsigned)(i - 2) % (n + 2)]; }',
  )
  expect(printProgram(program)).toMatch(/array y: f32\[.*n \+ 2.*\]/)
})
