// Pointers that are one of several, unions, bytes of numbers and structures that callers get: what the function leaves
// in its arrays is what the same source with subscripts and variables leaves there, and both targets' kernels are
// proved.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { elementsOf, hostArray, interpret, isFloat, type HostArray } from '../../src/ir/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from './read.ts'

const loop = 'for (int i = 0; i < n; i++)'
const pairs: Readonly<Record<string, readonly [string, string]>> = {
  'chosen where it is used': [
    `void f(int n, int k, const float *a, float *b, float *y) { ${loop} { y[i] = (i % 3 ? a : b)[i] + 1; ` +
      `*(i > k ? &b[i] : &y[i]) += 2; } }`,
    `void f(int n, int k, const float *a, float *b, float *y) { ${loop} { y[i] = (i % 3 ? a[i] : b[i]) + 1; ` +
      `if (i > k) b[i] += 2; else y[i] += 2; } }`,
  ],
  'an array of pointers': [
    `void f(int n, int k, const float *a, const float *b, float *y) { const float *p[] = {a, b, a + 2}; ` +
      `${loop} { y[i] = p[i % 3][i]; for (int j = 0; j < 3; j++) y[i] += p[j][k]; } }`,
    `void f(int n, int k, const float *a, const float *b, float *y) { ` +
      `${loop} { y[i] = i % 3 == 0 ? a[i] : i % 3 == 1 ? b[i] : a[i + 2]; ` +
      `y[i] += a[k]; y[i] += b[k]; y[i] += a[k + 2]; } }`,
  ],
  'rows, set in a loop and given to a helper': [
    `static float sum(const float *const *rows, int j) { return rows[0][j] + 2 * rows[1][j] + rows[2][j]; } ` +
      `void f(int n, const float *a, float *y) { ${loop} { const float *rows[3]; ` +
      `for (int k = 0; k < 3; k++) rows[k] = a + (i + k) * n; ` +
      `for (int j = 0; j < n; j++) y[i * n + j] = sum(rows, j); } }`,
    `void f(int n, const float a[n + 2][n], float y[n][n]) { ${loop} for (int j = 0; j < n; j++) ` +
      `y[i][j] = a[i][j] + 2 * a[i + 1][j] + a[i + 2][j]; }`,
  ],
  'used again for another array': [
    `void f(int n, float *a, float *b, float *y) { float *p = a; ${loop} *p++ = i; ${loop} { p = b + i; ` +
      `while (p > b && *p > 2) p--; y[i] = *p; if (i % 2) { p = a; p[i] += 5; } } }`,
    `void f(int n, float *a, float *b, float *y) { ${loop} a[i] = i; ${loop} { int j = i; ` +
      `while (j > 0 && b[j] > 2) j--; y[i] = b[j]; if (i % 2) a[i] += 5; } }`,
  ],
  'another array behind the first iteration': [
    `void f(int n, int k, const float *a, float *y) { const float *p = a; float *q = y; do { float s = 0; ` +
      `${loop} { s = s / 2 + *p++; *q++ = s; } p = y; q = y; k--; } while (k > 0); }`,
    `void f(int n, int k, const float *a, float *y) { float s = 0; ${loop} { s = s / 2 + a[i]; y[i] = s; } ` +
      `for (int t = 1; t < k; t++) { float r = 0; ${loop} { r = r / 2 + y[i]; y[i] = r; } } }`,
  ],
  'another array behind the first iteration, if there is one': [
    `void f(int n, int k, const float *a, float *y) { const float *p = a; for (int t = 0; t < k; t++) { ` +
      `${loop} y[i] = p[i] + t; p = y; } }`,
    `void f(int n, int k, const float *a, float *y) { for (int t = 0; t < k; t++) { ` +
      `if (t == 0) { ${loop} y[i] = a[i]; } else { ${loop} y[i] += t; } } }`,
  ],
  'pointers by reference': [
    `static int next(const int **p) { int x = (*p)[0] - p[0][1]; *p += 2; return x; } ` +
      `void f(int n, const int *a, int *y) { const int *p = a; ${loop} y[i] = next(&p); }`,
    `void f(int n, const int *a, int *y) { ${loop} y[i] = a[2 * i] - a[2 * i + 1]; }`,
  ],
  'unions in helpers, structures and memory': [
    `typedef union { float f; unsigned u; } bits; struct s { bits b; int k; }; ` +
      `static float of(unsigned w) { bits b; b.u = w; return b.f; } void f(int n, const bits *a, struct s *y) { ` +
      `${loop} { struct s t = y[i]; t.b.f = a[i].f * 2; t.k += (int)of(0x40000000u); y[i] = t; y[i].b.f++; } }`,
    `void f(int n, const unsigned *a, unsigned *y_b, int *y_k) { ${loop} { float v; memcpy(&v, &a[i], 4); ` +
      `v = v * 2 + 1; memcpy(&y_b[i], &v, 4); y_k[i] += 2; } }`,
  ],
  'bytes of members': [
    `typedef struct { unsigned char q[8]; short s[3]; float d; } block; void f(int n, block *a, unsigned *y) { ` +
      `${loop} { memcpy(&y[i], a[i].q + 2, sizeof(*y)); memset(a[i].s, 0, sizeof(a[i].s)); ` +
      `for (size_t j = 0; j < sizeof(a->q); j++) a[i].q[j] += j; } }`,
    `void f(int n, unsigned char a_q[n][8], short a_s[n][3], unsigned *y) { ${loop} { y[i] = 0; ` +
      `for (int j = 0; j < 4; j++) y[i] += (unsigned)a_q[i][j + 2] << (8 * j); ` +
      `for (int j = 0; j < 3; j++) a_s[i][j] = 0; for (int j = 0; j < 8; j++) a_q[i][j] += j; } }`,
  ],
  'a structure as the result': [
    `typedef struct { float x; int at; } best; best f(int n, const float *a) { best b = {a[0], 0}; ` +
      `for (int i = 1; i < n; i++) if (a[i] > b.x) { b.x = a[i]; b.at = i; } return b; }`,
    `void f(int n, const float *a, float result_x[1], int result_at[1]) { float x = a[0]; int at = 0; ` +
      `for (int i = 1; i < n; i++) if (a[i] > x) { x = a[i]; at = i; } result_x[0] = x; result_at[0] = at; }`,
  ],
  'numbers behind a pointer that change': [
    `typedef struct { float *line; int at, size; } ring; void f(int n, ring *r, const float *a, float *y) { ` +
      `${loop} { y[i] = r->line[i] + a[i]; r->at = i + r->size; } }`,
    `void f(int n, const float *r_line, int r_size, int r_at[1], const float *a, float *y) { ` +
      `${loop} { y[i] = r_line[i] + a[i]; r_at[0] = i + r_size; } }`,
  ],
  'set to nothing first': [
    `void f(int n, const float *a, float *y) { const float *p = NULL; ${loop} { p = a + i; if (p) y[i] = *p; } }`,
    `void f(int n, const float *a, float *y) { ${loop} y[i] = a[i]; }`,
  ],
  'arrays that are not each other': [
    `void f(int n, const float *a, float *y) { if (a != y) { ${loop} y[i] = a[i]; } if (y == a) y[0] = 7; }`,
    `void f(int n, const float *a, float *y) { ${loop} y[i] = a[i]; }`,
  ],
}

test.each(Object.entries(pairs))('%s', async (_, [one, other]) => {
  const left = async (text: string, n: number, k: number): Promise<object> => {
    const p = await readC(text),
      scalars = Object.fromEntries(p.scalars.map((s) => [s.name, s.name === 'k' ? k : 3])),
      sizes = Object.fromEntries(p.sizes.map((s) => [s.name, s.name === 'n' ? n : s.name === 'k' ? k : 3]))
    const arrays: Record<string, HostArray> = {}
    for (const a of p.arrays.filter((x) => x.role !== 'temp')) {
      const data = hostArray(a.type, elementsOf(a, { sizes, scalars })),
        factor = a.name.length + 2
      for (let i = 0; i < data.length; i++) data[i] = isFloat(a.type) ? ((i * factor) % 11) / 2 : (i * factor) % 11
      arrays[a.name] = data
    }
    interpret(p, { sizes, scalars, arrays })
    return Object.fromEntries(
      Object.entries(arrays).filter(([name]) => p.arrays.find((a) => a.name === name)?.role !== 'in'),
    )
  }
  for (const [n, k] of [
    [11, 0],
    [13, 1],
    [7, 4],
    [1, 2],
  ] as const)
    expect(await left(one, n, k), `n = ${n}, k = ${k}`).toEqual(await left(other, n, k))
  const { verified } = await optimize(await readC(one), { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: 1 })
  expect(verified.ok).toBe(true)
})
