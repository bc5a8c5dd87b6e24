// The least time of a loop whose iterations wait for each other.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { recurrenceBound } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const h200 = gpu('h200'),
  { alu, sfu, shared } = h200.latency

/** The variable and the clocks of an iteration. */
const recurrence = async (body: string): Promise<readonly [string, number] | null> => {
  const program = await readC(
    `void f(int n, int m, const float *x, const int *t, float *y) { for (int i = 0; i < m; i++) { ${body} } }`,
  )
  const sizes = Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
    found = recurrenceBound(program, { sizes, scalars: {} }, h200)
  return found && [found.variable, Math.round((found.ns * h200.clockHz.value) / 1e9 / found.iterations)]
}

test.each<[string, string, readonly [string, number] | null]>([
  [
    'a logistic map: two forms of the value, multiplied',
    'float v = x[i]; for (int j = 0; j < n; j++) v = 3.7f * v * (1 - v); y[i] = v;',
    ['v', 2 * alu.value],
  ],
  [
    'shifts that meet in an exclusive or',
    'unsigned s = i; for (int j = 0; j < n; j++) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; } y[i] = s;',
    ['s', 6 * alu.value],
  ],
  [
    'a table that says the next state',
    'int s = 0; for (int j = 0; j < n; j++) s = t[s * 4 + (j & 7)]; y[i] = s;',
    ['s', 2 * alu.value + shared.value],
  ],
  [
    'a table of rows of four',
    'int s = 0; for (int j = 0; j < n; j++) s = t[s * 4 + (j & 3)]; y[i] = s;',
    ['s', shared.value],
  ],
  ['an element of the iteration before', 'for (int j = 1; j < n; j++) y[j] = y[j - 1] * y[j - 1];', ['y', alu.value]],
  [
    'an element of three iterations before, which takes a third of the time',
    'for (int j = 3; j < n; j++) y[j] = cosf(y[j - 3]);',
    ['y', Math.round(sfu.value / 3)],
  ],
  ['an element that is stored again', 'for (int j = 1; j < n; j++) { y[j] = cosf(y[j - 1]); y[j] = 1; }', null],
  [
    'an element that a loop in steps of two never stores',
    'for (int j = 1; j < n; j += 2) y[j] = y[j - 1] * y[j - 1];',
    null,
  ],
  [
    'an element of the iteration before, in steps of two',
    'for (int j = 2; j < n; j += 2) y[j] = y[j - 2] * y[j - 2];',
    ['y', alu.value],
  ],
  ['running sums', 'for (int j = 1; j < n; j++) y[j] = y[j - 1] + x[j];', null],
  ['a function', 'float v = x[i]; for (int j = 0; j < n; j++) v = cosf(v); y[i] = v;', ['v', sfu.value]],
  ['a sum', 'float v = 0; for (int j = 0; j < n; j++) v += x[i * n + j]; y[i] = v;', null],
  [
    'a linear recurrence, which a scan takes',
    'float v = 0; for (int j = 0; j < n; j++) v = 0.5f * v + x[i * n + j]; y[i] = v;',
    null,
  ],
  ['a counter around a ring', 'int k = 0; for (int j = 0; j < n; j++) k = (k + 1) % 7; y[i] = k;', null],
  [
    'what a condition hands on',
    'float v = 0; for (int j = 0; j < n; j++) if (x[i * n + j] > v) v = v * v; y[i] = v;',
    null,
  ],
])('%s', async (_, body, expected) => expect(await recurrence(body)).toEqual(expected))
