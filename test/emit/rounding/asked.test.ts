// How CUDA spells quotients, roots and powers of single precision: within the bounds of docs/c.md by one instruction,
// and rounded to the nearest where an answer hangs on it.
import { describe, expect, test } from 'vitest'
import { chooseVariant } from '../../../src/ir/index.ts'
import { emitCuda, emitPlan } from '../../../src/emit/index.ts'
import { asksRounding } from '../../../src/emit/rounding.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { plannedValues } from '../../../src/tune/index.ts'
import { readC } from '../../c/read.ts'

/** The kernels of a function over `x` and `y` of n numbers, at the plainest points. */
async function kernels(body: string): Promise<readonly { readonly exact: boolean; readonly text: string }[]> {
  const analysed = analyse(
    await readC(`#include <math.h>\nvoid f(int n, const float *x, const float *y, float *o, int *k) { ${body} }`),
  )
  const { plan } = build(
    analysed,
    analysed.parts.map((p) => p.sketch.ladder[0]!.point),
  ) // ladders are not empty
  return chooseVariant(plan, plannedValues(analysed.source)).launches.map(({ kernel }) => ({
    exact: asksRounding(kernel),
    text: emitCuda(kernel).text,
  }))
}

const each = (value: string): string => `for (int i = 0; i < n; i++) o[i] = ${value};`

describe('numbers that are only computed with', () => {
  test.each([
    ['a quotient', each('x[i] / y[i]'), /div_f32\(.*x.*, .*y.*\)[\s\S]*div\.full\.f32|div\.full\.f32[\s\S]*div_f32\(/],
    ['a quotient by a literal', each('x[i] / 9.0f'), /\* 0\.11111111f/],
    ['one by a power of two', each('x[i] / 4.0f'), /\* 0\.25f/],
    ['a literal whose reciprocal is no normal number', each('x[i] / 2e38f'), /div_f32\(.*2e\+38f\)/],
    ['a root', each('x[i] + sqrtf(y[i])'), /sqrt\.approx\.f32[\s\S]*sqrt_f32\(/],
    ['one over a root', each('1.0f / sqrtf(x[i])'), /= rsqrtf\(/],
    ['a quotient by a root', each('x[i] / sqrtf(y[i])'), /x.* \* rsqrtf\(y/],
    ['a power', each('powf(x[i], 2.2f)'), /exp2f\(2\.2f \* log2f\(x/],
    [
      'a sum of quotients',
      'for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < 8; j++) s += x[i] / y[j]; o[i] = s; }',
      /div_f32\(/,
    ],
  ])('%s', async (_, body, text) => {
    const [only] = await kernels(body)
    expect(only?.exact).toBe(false)
    expect(only?.text).toMatch(text)
  })

  test('whole and unknown exponents stay powers', async () => {
    const [a] = await kernels(each('powf(x[i], 3.0f)')),
      [b] = await kernels(each('powf(x[i], y[i])'))
    expect([a?.text, b?.text].every((t) => !t?.includes('log2f'))).toBe(true)
    expect(b?.text).toContain('powf(')
  })
})

describe('an answer that hangs on the rounding', () => {
  test.each([
    ['a floor', each('floorf(x[i] / y[i])')],
    ['a comparison', each('x[i] / y[i] < 2.0f ? 1.0f : 0.0f')],
    ['an integer', 'for (int i = 0; i < n; i++) k[i] = (int)sqrtf(x[i]);'],
    [
      'a variable that changes',
      'for (int i = 0; i < n; i++) { float a = x[i]; for (int j = 0; j < 9; j++) a = a / y[j]; k[i] = (int)(a ' +
        '+ 0.5f); }',
    ],
    ['a remainder', each('fmodf(x[i] / 3.0f, y[i])')],
  ])('%s', async (_, body) => {
    const [only] = await kernels(body)
    expect(only?.exact).toBe(true)
    expect(only?.text).not.toMatch(/div_f32|sqrt_f32|0\.33333334f/)
  })

  test('what is compared without a quotient asks nothing', async () => {
    const [only] = await kernels(each('x[i] < y[i] ? x[i] / y[i] : 0.0f'))
    expect(only?.exact).toBe(false)
  })
})

test('double precision stays as it is', async () => {
  const analysed = analyse(
    await readC(
      '#include <math.h>\nvoid f(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = 1.0 ' +
        '/ sqrt(x[i]) + x[i] / 9.0; }',
    ),
  )
  const { plan } = build(analysed, [analysed.parts[0]!.sketch.ladder[0]!.point]) // one part
  const { text } = emitCuda(plan.variants[0]!.launches[0]!.kernel) // one launch
  expect(text).toMatch(/1\.0 \/ sqrt\(/)
  expect(text).toMatch(/\/ 9\.0/)
})

test('a quotient that another kernel of the plan turns into an integer is rounded to the nearest', async () => {
  const source = (last: string): string =>
    `void f(int n, const float *x, const float *y, float *o, int *k) { for (int i = 0; i < n; i++) o[i] = ` +
    `x[i] / 3.0f; for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < n; j++) s += o[j]; ${last} } }`
  const text = async (last: string): Promise<string> => {
    const analysed = analyse(await readC(source(last)))
    const plan = emitPlan(
      build(
        analysed,
        analysed.parts.map((p) => p.sketch.ladder[0]!.point),
      ).plan,
      { targets: ['cuda'] },
    ) // ladders are not empty
    return chooseVariant(plan, plannedValues(analysed.source)).launches[0]!.emitted!.cuda!.text // a plan has launches
  }
  expect(await text('k[i] = i;')).toContain('0.33333334f')
  expect(await text('k[i] = (int)s + i;')).toContain('/ 3.0f')
  expect(await text('k[i] = (int)y[i] + (int)(1.0f / s);')).toContain('/ 3.0f')
  expect(await text('k[i] = (int)(x[i] / 7.0f);')).toContain('0.33333334f')
})
