// C in, LoopIR text or messages out. Cases live in text files: the C, a line `=>`, what comes out, an empty line.
// `accepted.cases` was read case by case; so was `refused.cases`, whose message texts are part of the interface.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { printProgram } from '../../src/ir/index.ts'
import { readC } from './read.ts'

function cases(file: string): [string, string][] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n\n')
    .map((c) => c.split('\n=>\n') as [string, string]) // two parts by the format
}

const outcome = async (c: string, options = {}): Promise<string> => {
  try {
    return printProgram(await readC(c, options)).trimEnd()
  } catch (e) {
    return (e as Error).message
  }
}

describe('accepted', () => {
  test.each(cases('accepted.cases'))('%s', async (c, expected) => expect(await outcome(c)).toBe(expected))
})

describe('arrays that are written whole by parts', () => {
  test.each([
    ['out', 'a[i][0] = m[i]; a[i][1] = 2 * a[i][0];'],
    ['out', 'a[i][0] = 0; a[i][1] = 0; for (int j = 0; j < n; j++) { a[i][0] += m[j]; a[i][1] += m[j] * m[i]; }'],
    ['inout', 'a[i][1] = m[i];'],
    ['inout', 'a[i][0] = a[i][1]; a[i][1] = m[i];'],
    ['inout', 'a[i][0] = m[i]; if (m[i] > 0) a[i][1] = 1;'],
    ['inout', 'if (i > 0) a[i][0] = m[i]; a[i][1] = 1;'],
  ])('%s: %s', async (role, body) => {
    const p = await readC(`void f(int n, const float m[n], float a[n][2]) { for (int i = 0; i < n; i++) { ${body} } }`)
    expect(p.arrays.find((a) => a.name === 'a')?.role).toBe(role)
  })
  test('the members of records, and elements by a step', async () => {
    for (const text of [
      `typedef struct { float x, y; } P;
      void f(int n, const float m[n], P a[n]) { for (int i = 0; i < n; i++) { a[i].x = m[i]; a[i].y = 1; } }`,
      `void f(int n, const float m[n], float *a) {
        for (int i = 0; i < n; i++) { a[3 * i] = m[i]; a[3 * i + 1] = 2; a[3 * i + 2] = 0; }
      }`,
    ])
      expect((await readC(text)).arrays.filter((a) => a.role === 'inout')).toEqual([])
  })
})

describe('refused', () => {
  test.each(cases('refused.cases'))('%s', async (c, expected) => expect(await outcome(c)).toBe(expected))
})

describe('hostile input ends with a clear error', () => {
  const exponential = [...'ABCDEFG']
    .map(
      (name, i, all) =>
        `#define ${name} ${
          i === 6
            ? '1 + 1 + 1 + 1'
            : Array(8)
                .fill(all[i + 1])
                .join(' ')
        }`,
    )
    .join('\n')
  test.each<[string, string, string]>([
    [
      'macros that explode',
      `${exponential}\nvoid f(float *a) { a[0] = A; }`,
      'macros expand to more than 400000 tokens',
    ],
    ['deep brackets', `void f(float *a) { a[0] = ${'('.repeat(50_000)}1; }`, 'this ( is not closed'],
    [
      'deep and balanced',
      `void f(float *a) { a[0] = ${'('.repeat(3000)}1${')'.repeat(3000)}; }`,
      'code is nested more than 400 deep',
    ],
    [
      'helpers that explode',
      `static float g(float x) { return x * x + x; }\nvoid f(int n, float *a) { for (int i = 0; i < n; i++) ` +
        `a[i] = ${'g('.repeat(28)}a[i]${')'.repeat(28)}; }`,
      'declare g_result',
    ],
    [
      'locals that explode',
      `void f(float s, float *y) { float a0 = s + ` +
        `s;${Array.from({ length: 60 }, (_, i) => `float a${i + 1} = a${i} * a${i};`).join(' ')} y[0] = a60; }`,
      'declare a60',
    ],
    [
      'a helper that calls itself',
      'float g(float x) { return g(x); }\nvoid f(int n, float *a) { for (int i = 0; i < n; i++) a[i] = g(a[i]); }',
      'g calls itself',
    ],
    [
      'a list of a billion values',
      'void f(float *y) { float a[1000000000] = {0}; y[0] = a[0]; }',
      'at most 4096 are taken',
    ],
    [
      'an include that includes itself',
      '#include "x.h"\nvoid f(float *y) { y[0] = 0; }',
      'files include each other more than 32 deep',
    ],
  ])('%s', async (_, c, message) => expect(await outcome(c, { include: () => '#include "x.h"\n' })).toContain(message))
})

describe('options', () => {
  const two =
    'void f(int n, float *a) { for (int i = 0; i < n; i++) a[i] = 0; }\nvoid g(int n, float *b) { for (int i ' +
    '= 0; i < n; i++) b[i] = K; }'
  test('a function by name', async () => expect((await readC(two, { function: 'f' })).name).toBe('f'))
  test('no such function', async () =>
    expect(await outcome(two, { function: 'h' })).toBe(
      'test.c:1:1: error: there is no function h [c.function]\n  hint: functions here: f, g',
    ))
  test('-D defines a macro or plans a size', async () => {
    const p = await readC(`#pragma tesela sizes(n = 50)\n${two}`, { function: 'g', defines: { K: '3', n: '77' } })
    expect(p.sizes).toEqual([{ kind: 'given', name: 'n', min: 0, counts: true, planned: 77 }])
    expect(printProgram(p)).toContain('b[i] = 3.0f')
  })
  test('-D wins over #define', async () => {
    const p = await readC('#define N 500\nvoid f(float a[N]) { for (int i = 0; i < N; i++) a[i] = 0; }', {
      defines: { N: '70' },
    })
    expect(p.sizes).toEqual([{ kind: 'given', name: 'N', min: 1, planned: 70, fixed: true }])
  })
  test('includes come through the function, next to the including file first', async () => {
    const asked: string[] = []
    const include = (path: string): string | undefined => {
      asked.push(path)
      return path === 'inc/k.h' ? '#define K 7' : undefined
    }
    const p = await readC('#include <math.h>\n#include "inc/k.h"\nvoid f(float *y) { y[0] = K; }', { include })
    expect(printProgram(p)).toContain('y[0] = 7.0f')
    expect(asked).toEqual(['math.h', 'inc/k.h'])
  })
})

describe('a PolyBench kernel', () => {
  const polybench = `#ifndef POLYBENCH_H
#define POLYBENCH_H
#include <stdlib.h>
#ifndef POLYBENCH_USE_SCALAR_LB
#define POLYBENCH_LOOP_BOUND(x,y) y
#else
#define POLYBENCH_LOOP_BOUND(x,y) x
#endif
#define POLYBENCH_C99_SELECT(x,y) y
#define POLYBENCH_PADDING_FACTOR 0
#define RESTRICT restrict
#define POLYBENCH_2D(var, dim1, dim2,ddim1, ddim2) var[RESTRICT POLYBENCH_C99_SELECT(dim1,ddim1) + \
POLYBENCH_PADDING_FACTOR][POLYBENCH_C99_SELECT(dim2,ddim2) + POLYBENCH_PADDING_FACTOR]
#define polybench_start_instruments
#define polybench_stop_instruments
extern void *polybench_alloc_data(unsigned long long int n, int elt_size);
#endif
`
  const syrk = `#include <stdio.h>
#include <polybench.h>
#define DATA_TYPE_IS_FLOAT
#ifdef DATA_TYPE_IS_FLOAT
# define DATA_TYPE float
# define SCALAR_VAL(x) x##f
#endif
#define N 1200
#define M 1000
# define _PB_N POLYBENCH_LOOP_BOUND(N,n)
# define _PB_M POLYBENCH_LOOP_BOUND(M,m)
static void init_array(int n, DATA_TYPE *alpha) { int i; for (i = 0; i < n; i++) *alpha = 1.5; }
/* Main computational kernel. */
static
void kernel_syrk(int n, int m,
		 DATA_TYPE alpha,
		 DATA_TYPE beta,
		 DATA_TYPE POLYBENCH_2D(C,N,N,n,n),
		 DATA_TYPE POLYBENCH_2D(A,N,M,n,m))
{
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++) {
    for (j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (k = 0; k < _PB_M; k++) {
      for (j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k] + SCALAR_VAL(0.0);
    }
  }
#pragma endscop
}
int main(int argc, char** argv) { int n = N; while (n) n--; return 0; }
`
  test('reads as it is', async () => {
    const p = await readC(syrk, { include: (path) => (path === 'polybench.h' ? polybench : undefined) })
    expect(printProgram(p)).toBe(`program kernel_syrk {
  size n = 1024 min 0 counts
  size m = 1024 min 0 counts
  scalar alpha: f32
  scalar beta: f32
  array C: f32[n, n] inout global
  array A: f32[n, m] in global
  for i in 0 .. n {
    for j in 0 .. i + 1 {
      C[i, j] *= beta
    }
    for k in 0 .. m {
      for j in 0 .. i + 1 {
        C[i, j] += alpha * A[i, k] * A[j, k] + 0.0f
      }
    }
  }
}
`)
  })
})

describe('examples', () => {
  const folder = new URL('../../examples/', import.meta.url)
  const files = readdirSync(folder).filter((f) => f.endsWith('.c'))
  test('all of the spine are here', () => expect(files.length).toBeGreaterThanOrEqual(17))
  test.each(files)('%s reads, with its sizes and only f32', async (file) => {
    const p = await readC(readFileSync(new URL(file, folder), 'utf8'))
    expect(p.arrays.every((a) => a.type === 'f32')).toBe(true)
    expect(p.arrays.filter((a) => a.role !== 'in' && a.role !== 'temp').length).toBe(1)
    expect(p.sizes.every((s) => s.planned !== 1024)).toBe(true)
  })
})
