// The least time of a loop whose iterations hand on an array.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { iterationBound } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const h200 = gpu('h200'),
  { alu, sfu, l2 } = h200.latency,
  n = 1024,
  depth = Math.log2(n)

/** Clocks in which the multiprocessors, or one of them, compute so many terms. */
const meeting = (terms: number): number => {
  const alone = terms / h200.throughput.fp32.value
  return Math.min(alone, l2.value / 2 + alone / h200.multiprocessors)
}

/** The variable and the clocks of an iteration. */
const iteration = async (body: string): Promise<readonly [string, number] | null> => {
  const program = await readC(
    `void f(int n, int m, const float a[n][n], const int c[n], float x[n], float y[n], float z[m][n]) {
       for (int t = 1; t < m; t++) { ${body} } }`,
  )
  const sizes = Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
    found = iterationBound(program, { sizes, scalars: {} }, h200)
  return found && [found.variable, Math.round((found.ns * h200.clockHz.value) / 1e9 / (found.iterations - 1))]
}

const all = 'for (int i = 0; i < n; i++)',
  copy = `${all} x[i] = y[i];`

test.each<[string, string, readonly [string, number] | null]>([
  [
    'a matrix times all of what was',
    `${all} { float s = 0; for (int j = 0; j < n; j++) s += a[i][j] * x[j]; y[i] = s; } ${copy}`,
    ['x', Math.round((1 + depth) * alu.value + meeting(n * n))],
  ],
  [
    'the largest of all that was and how far it is',
    `${all} { float s = -1e9f; for (int j = 0; j < n; j++) { float v = z[t - 1][j] + a[j][i]; if (v > s) s = v; }
     z[t][i] = s; }`,
    ['z', Math.round((1 + depth) * alu.value + meeting(n * n))],
  ],
  [
    'elements that data choose',
    `${all} y[i] = fmaxf(x[i], x[c[i]] + 1); ${copy}`,
    ['x', 2 * alu.value], // a sum and a comparison
  ],
  ['functions of elements alone', `${all} x[i] = cosf(x[i]);`, ['x', sfu.value]],
  [
    'a matrix times all of what was, and their mean',
    `float s = 0; ${all} s += x[i]; ${all} { float p = s / 1024; for (int j = 0; j < n; j++) p += a[i][j] * x[j];
     y[i] = p; } ${copy}`,
    ['x', Math.round((1 + depth) * alu.value + meeting(n * n))],
  ],
  [
    'fewer elements from iteration to iteration', // what composing them would take is not known
    `for (int i = t; i < n; i++) { float s = 0; for (int j = t; j < n; j++) s += a[i][j] * x[j]; y[i] = s; }
     for (int i = t; i < n; i++) x[i] = y[i];`,
    null,
  ],
  ['elements of their own', `${all} x[i] = 0.5f * x[i] + y[i];`, null],
  ['the mean, which constants take', `float s = 0; ${all} s += x[i]; ${all} x[i] = x[i] - s / 1024;`, null],
  [
    'what a condition on places leaves out',
    `${all} { float s = 0; if (i > 3) { for (int j = 0; j < n; j++) s += a[i][j] * x[j]; y[i] = s; } } ${copy}`,
    null,
  ],
  [
    'what all iterations but the first do',
    `${all} { float s = 1; if (t > 1) for (int j = 0; j < n; j++) s += a[i][j] * z[t - 1][j]; z[t][i] = s; }`,
    ['z', Math.round((1 + depth) * alu.value + meeting(n * n))],
  ],
  ['elements that nothing was left in', `${all} { x[i] = 1; y[i] = cosf(x[i]); } ${all} x[i] = y[i];`, null],
  [
    'conditions that no data meet together',
    `${all} { if (c[i] > 0) y[i] = cosf(x[i]); if (c[i] < 0) x[i] = cosf(y[i]); }`,
    null,
  ],
])('%s', async (_, body, expected) => expect(await iteration(body)).toEqual(expected))
