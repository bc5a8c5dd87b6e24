import { expect, test } from 'vitest'
import { emitCudaLauncher } from '../../../src/emit/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import {
  chooseVariant,
  conditionsOf,
  constant,
  isAskedExactly,
  op,
  printExpr,
  runsOn,
  sizeOf,
  type Expr,
} from '../../../src/ir/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { withEmpty } from '../../../src/tune/empty-sizes.ts'
import { optimize, plansIn, verifyPlan } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'

/** A loop nest, what the host asks of its sizes, sizes at which that holds, and some at which it does not. */
interface Case {
  readonly c: string
  readonly asked: readonly string[]
  readonly keeps: Readonly<Record<string, number>>
  readonly breaks: Readonly<Record<string, number>>
}

const copy = 'for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) out[y * stride + x] = 2 * in[y * stride + x];'
const cases: readonly Case[] = [
  {
    c: `void f(int w, int h, int stride, const float *in, float *out) { ${copy} }`,
    asked: ['stride >= w'],
    keeps: { w: 33, h: 9, stride: 40 },
    breaks: { w: 33, h: 9, stride: 7 },
  },
  {
    c: `void f(int w, int h, int stride, const float *in, float *out) { if (stride < w) return; ${copy} }`,
    asked: ['stride >= w'],
    keeps: { w: 33, h: 9, stride: 33 },
    breaks: { w: 33, h: 9, stride: 32 },
  },
  {
    c: `#include <assert.h>
void f(int w, int h, int stride, const float *in, float *out) { assert(stride >= w && h > 1); ${copy} }`,
    asked: ['stride >= w && h > 1'],
    keeps: { w: 33, h: 9, stride: 40 },
    breaks: { w: 33, h: 1, stride: 40 },
  },
  {
    c: `void f(int n, const float *x, int incx, float *y, int incy) {
  for (int i = 0; i < n; i++) y[i * incy] += 3 * x[i * incx];
}`,
    asked: ['incx >= 1', 'incy >= 1'],
    keeps: { n: 50, incx: 2, incy: 3 },
    breaks: { n: 50, incx: 1, incy: 0 },
  },
  {
    c: `void f(int m, int n, int k, const float *a, int lda, const float *b, int ldb, float *c, int ldc) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++) s += a[i * lda + l] * b[l * ldb + j];
      c[i * ldc + j] = s;
    }
}`,
    asked: ['lda >= k', 'ldb >= n', 'ldc >= n'],
    keeps: { m: 20, n: 30, k: 25, lda: 25, ldb: 31, ldc: 32 },
    breaks: { m: 20, n: 30, k: 25, lda: 25, ldb: 31, ldc: 20 },
  },
]

test.each(cases)('rows that meet only at some sizes are asked for: $asked', async ({ c, asked, keeps, breaks }) => {
  const program = await readC(c)
  expect(conditionsOf(program).map(printExpr).sort()).toEqual(asked)
  const analysed = analyse(program),
    points = analysed.parts.map((p) => p.sketch.ladder.at(-1)!.point) // ladders have rungs
  const { plan, parts, verified } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], analysed, points })
  expect(parts.flatMap((p) => p.inOrder)).toEqual([])
  expect(verified.ok).toBe(true)
  const variants = [keeps, breaks].map((sizes) => chooseVariant(plan, { sizes, scalars: {} }))
  expect(plan.variants).toContain(variants[0])
  expect(plan.empty).toContain(variants[1])
  expect(verifyPlan(program, plan, [keeps, breaks], gpu('h200'), 3)).toMatchObject({ ok: true })
})

test('arrays that loops in another layout alone read stay in the interface', async () => {
  const program = await readC(`void f(int n, float *y, const float *x, int flag) {
    if (flag != 2) { for (int i = 0; i < n; i++) y[2 * i] += 1; }
    else { for (int i = 0; i < n; i++) y[2 * i + 1] = x[i]; }
  }`)
  const { plan, verified } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: 1 })
  expect(verified.ok).toBe(true)
  expect(plan.arrays.map((a) => a.name).sort()).toEqual(['x', 'y'])
  expect(emitCudaLauncher(plan).text).toMatch(/const float\* x/)
})

test('what loops in another layout leave as it is, the caller gives', async () => {
  const program = await readC(`void f(int n, int *y, int *z, const int *x, int flag) {
    if (flag > 0) { for (int i = 0; i < n; i++) y[i * 2] = y[i * 2 + 1] = x[i]; }
    else { for (int i = 0; i < n; i++) z[i] = x[i / 2] + 1; }
  }`)
  const { plan } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  expect(plan.arrays.flatMap((a) => (a.name === 'x' ? [] : [[a.name, a.role]]))).toEqual([
    ['y', 'inout'],
    ['z', 'inout'],
  ])
})

test('an output of which something stays as it was is an error of the compiler', async () => {
  const program = await readC('void f(int n, int *y, const int *x) { for (int i = 0; i < n; i++) y[i] = x[i]; }'),
    isOne = op('eq', [sizeOf('n'), constant('i32', 1)])
  const { plan } = build(
    analyse(program),
    analyse(program).parts.map((p) => p.sketch.ladder[0]!.point), // ladders have rungs
  )
  const less = { ...program, body: [{ kind: 'if', condition: isOne, then: program.body, else: [] } as const] }
  expect(() => verifyPlan(less, plan, [{ n: 20 }], gpu('h200'), 3)).toThrow('y is no mere output')
})

test('devices with no more than all have run loops of the other layout, too', async () => {
  const program = await readC(`void f(int *y, int off, const int *x, int n, int mode) {
    if (mode == 1) {
      int bins[8];
      for (int q = 0; q < 8; q++) bins[q] = 0;
      for (int i = 0; i < n; i++) bins[(off % 8 + 8) % 8] += 1;
      for (int i = 0; i < n + 2; i++) y[off + i] = bins[i % 8];
    } else {
      for (int i = 0; i < n + 2; i++) {
        int some = 0;
        for (int j = 0; j < n; j++) if (x[j] > -8) { some = 1; break; }
        y[i + off] = some;
      }
    }
  }`)
  const { plan } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  const values = { sizes: { n: 20, off: 3, mode: 2 }, scalars: {} }
  const taken = chooseVariant(plan, values),
    small = chooseVariant(plan, values, undefined, (v) => runsOn(v))
  expect([runsOn(taken), runsOn(small), plan.empty?.includes(small)]).toEqual([false, true, true])
  const [, left] = plansIn(plan, 'wgsl')
  expect(verifyPlan(program, left!, [values.sizes, { n: 9, off: 0, mode: 1 }], gpu('h200'), 3).ok).toBe(true) // two
  // Without them such a device is refused, and does not run what is meant for other sizes.
  const large = { variants: plan.empty!.filter((v) => !runsOn(v)), scratch: [], target: 'wgsl' } as const
  const without = withEmpty(program, { ...plan, empty: [] }, large)
  expect(() => chooseVariant(without, values, undefined, (v) => runsOn(v))).toThrow(
    'f needs a device with 512 threads in a workgroup and 512 threads of a workgroup along x where !(mode == 1)',
  )
})

test('a host is asked what it answers as C does', () => {
  const [flag, two] = [sizeOf('flag'), constant('i32', 2)],
    unsigned = (e: Expr): Expr => op('convert', [e], 'u32'),
    asked: readonly (readonly [Expr, boolean])[] = [
      [op('lt', [flag, two]), true],
      [op('lnot', [op('eq', [op('rem', [flag, two]), two])]), true],
      [op('lt', [unsigned(flag), unsigned(two)]), false], // -1 is 2^32 - 1
      [op('lt', [op('convert', [flag], 'f32'), constant('f32', 2)]), false], // rounds
      [op('eq', [op('rem', [two, flag]), two]), false], // of 0
    ]
  for (const [e, holds] of asked) expect([printExpr(e), isAskedExactly(e)]).toEqual([printExpr(e), holds])
})

// A product of 27 terms had a variant for sizes at which 27 is a multiple of 16.
test('what holds at no size makes no variant', async () => {
  const whensOf = async (m: string): Promise<readonly (string | null)[]> => {
    const p = await readC(
      `void f(int n, int m, const float x[n][${m}], int at[${m}]) { for (int j = 0; j < ${m}; j++) { int best = 0; ` +
        `for (int i = 1; i < n; i++) if (x[i][j] > x[best][j]) best = i; at[j] = best; } }`,
    )
    const a = analyse(p),
      { ladder } = a.parts[0]!.sketch
    return build(a, [ladder[ladder.length - 1]!.point]).plan.variants.map((v) => v.when && printExpr(v.when))
  }
  expect(await whensOf('37')).toEqual([null])
  expect(await whensOf('4 * m + 3')).toEqual([null])
  expect(await whensOf('m')).toEqual(['m % 4 == 0', null])
})

test('an array that nothing bounds where a condition does not hold is taken whole', async () => {
  const { plan } = await optimize(
    await readC(`void f(int flag, int n, int m, float *restrict y, const float *x, float *restrict z) {
  for (int i = 0; i < n; i += 2)
    for (int j = 0; j < m; j++) y[j + m * i] = x[i];
  for (int i = 0; i < n; i++)
    for (unsigned j = m; j-- > 0;) {
      if (flag > -1) z[i * m + j] = y[(j + 1 < m ? j + 1 : m - 1) + m * i];
      else z[i * m + j] = y[i * m + (j + 1) % m] + y[(unsigned)(j - 2) % m + m * ((i + 1) % n)];
    }
}`),
    { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 },
  )
  expect(plan.arrays.find((a) => a.name === 'y')!.isOpenEnded).toBe(true)
})
