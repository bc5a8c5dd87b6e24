// Pointers to one of several arrays: what the function leaves in its arrays, for all values of its conditions, is what
// the same source with an access to each array leaves there.
import { expect, test } from 'vitest'
import { interpret } from '../../src/ir/index.ts'
import { readC } from './read.ts'

const given = 'int n, int k, float *a, float *b, float *y'
const loop = 'for (int i = 0; i < n; i++)'
const pairs: Readonly<Record<string, readonly [string, string]>> = {
  'a choice': [`float *p = k ? a : b; ${loop} y[i] = p[i];`, `${loop} y[i] = k ? a[i] : b[i];`],
  'two choices by one condition': [
    `float *p = k % 2 ? a : b, *q = k % 2 ? b : a; ${loop} q[i] = p[i] + 1;`,
    `if (k % 2) { ${loop} b[i] = a[i] + 1; } else { ${loop} a[i] = b[i] + 1; }`,
  ],
  'the condition changes between two choices': [
    `int c = k; float *p = c > 2 ? a : b; c += 2; float *q = c > 2 ? a : b; ${loop} y[i] = p[i] + 2 * q[i];`,
    `${loop} y[i] = (k > 2 ? a[i] : b[i]) + 2 * (k > 0 ? a[i] : b[i]);`,
  ],
  'a choice of three': [
    `float *p = k == 0 ? a : k == 1 ? b + 1 : y; ${loop} y[i] = 2 * p[i];`,
    `${loop} y[i] = 2 * (k == 0 ? a[i] : k == 1 ? b[i + 1] : y[i]);`,
  ],
  'both branches': [
    `float *p; int d; if (k > 1) { p = a; d = 3; } else { d = 4; p = b; } ${loop} y[i] = p[i] + d;`,
    `${loop} y[i] = k > 1 ? a[i] + 3 : b[i] + 4;`,
  ],
  'branches of branches': [
    `float *p = a; if (k > 1) { if (k > 2) p = b; y[0] = k; } else p = y; ${loop} y[i] += p[i];`,
    `if (k > 1) { y[0] = k; if (k > 2) { ${loop} y[i] += b[i]; } else { ${loop} y[i] += a[i]; } } ` +
      `else { ${loop} y[i] += y[i]; }`,
  ],
  'one branch': [
    `float *p = a; if (k > 1) p = b + 1; ${loop} y[i] = p[i]; y[0] += p[1];`,
    `${loop} y[i] = k > 1 ? b[i + 1] : a[i]; y[0] += k > 1 ? b[2] : a[1];`,
  ],
  'parameters that change places': [
    `if (k > 1) { float *t = a; a = b; b = t; } ${loop} b[i] = a[i] + 1;`,
    `if (k > 1) { ${loop} a[i] = b[i] + 1; } else { ${loop} b[i] = a[i] + 1; }`,
  ],
  'one after the other': [
    `float *p = a; ${loop} y[i] = p[i]; p = b + 2; ${loop} y[i] += 2 * p[i]; p = p + 1; ${loop} y[i] -= *p++;`,
    `${loop} y[i] = a[i]; ${loop} y[i] += 2 * b[i + 2]; ${loop} y[i] -= b[i + 3];`,
  ],
  'of each element': [
    `${loop} { float *p = a[i] > b[i] ? a : b; y[i] = p[i] * p[i + k]; }`,
    `${loop} y[i] = a[i] > b[i] ? a[i] * a[i + k] : b[i] * b[i + k];`,
  ],
  'of each step': [
    `float *p, *q; for (int t = 0; t < k; t++) { if (t & 1) { p = b; q = a; } else { p = a; q = b; } ` +
      `for (int i = 1; i < n - 1; i++) q[i] = p[i - 1] + p[i + 1]; }`,
    `for (int t = 0; t < k; t++) { if (t & 1) { for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1]; } ` +
      `else { for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1]; } }`,
  ],
  'a loop leaves it': [
    `float *p = k ? a : b; ${loop} { if (p[i] > 4) break; y[i] = p[i]; } y[0] = 3;`,
    `if (k) { ${loop} { if (a[i] > 4) break; y[i] = a[i]; } } else { ${loop} { if (b[i] > 4) break; y[i] = b[i]; } } ` +
      'y[0] = 3;',
  ],
  'a name that hides another': [
    `float *p = k ? a : b; { int i = 2; float *q = p; y[0] = q[i]; } ${loop} { float s = p[i]; y[i] += s; }`,
    `y[0] = k ? a[2] : b[2]; ${loop} y[i] += k ? a[i] : b[i];`,
  ],
}

test.each(Object.entries(pairs))('%s', async (_, [chosen, plain]) => {
  const n = 11
  const left = async (body: string, k: number): Promise<object> => {
    const arrays = Object.fromEntries(
      ['a', 'b', 'y'].map((name, j) => [name, Float64Array.from({ length: n + 8 }, (_x, i) => (i * (3 + j)) % 7)]),
    )
    const p = await readC(`void f(${given}) { ${body} }`)
    interpret(p, { sizes: { n, k }, scalars: { k }, arrays }, { precision: 'f64' })
    return arrays
  }
  for (const k of [0, 1, 2, 3, 4]) expect(await left(chosen, k), `k = ${k}`).toEqual(await left(plain, k))
})
