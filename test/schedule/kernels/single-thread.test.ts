// Kernels of one thread wait for nobody: a barrier under a condition on data would be no WGSL at all.
import { expect, test } from 'vitest'
import { optimize } from '../../../src/tune/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { emitCuda } from '../../../src/emit/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { nullDevice, tintErrors } from '../../support/dawn.ts'

test('the first place of a value, returned from the loop, is WGSL', async () => {
  const program = await readC(
    'int first(int n, float wanted, const float x[n]) { for (int i = 0; i < n; i++) if (x[i] == wanted) ' +
      'return i; return -1; }',
    { defines: { n: '3000' } },
  )
  const { plan } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 }),
    device = await nullDevice()
  const launches = plan.variants.flatMap((v) => v.launches)
  expect(launches.some((l) => l.kernel.block[0] === 1)).toBe(true)
  for (const { kernel, emitted } of launches) {
    expect(await tintErrors(device, emitted!.wgsl!.text, emitted!.wgsl!.entry)).toEqual([])
    if (kernel.block[0] === 1) expect(emitted!.wgsl!.text).not.toContain('workgroupBarrier')
  }
})

test('a reciprocal root that several sums use is one instruction in CUDA, a reciprocal another', async () => {
  const text = async (r: string): Promise<string> => {
    const program = await readC(
      `void f(int n, const float *x, const float *m, float *a, float *b) {
  for (int i = 0; i < n; i++) { float s = 0, t = 0; for (int j = 0; j < n; j++) { float d = x[j] - x[i], r = ${r}, \
f = m[j] * r * r; s += f * d; t += f; } a[i] = s; b[i] = t; } }`,
      { defines: { n: '4096' } },
    )
    const analysed = analyse(program)
    return build(
      analysed,
      analysed.parts.map((p) => p.sketch.ladder.at(-1)!.point),
      { warp: 32, exact: false },
    )
      .plan.variants[0]!.launches.map((l) => emitCuda(l.kernel).text)
      .join('\n')
  }
  expect(await text('1 / sqrtf(d * d + 0.1f)')).toMatch(/rsqrtf/)
  expect(await text('1 / sqrtf(d * d + 0.1f)')).not.toMatch(/sqrt_f32|div_f32/)
  expect(await text('1 / (d * d + 0.1f)')).toMatch(/= rcp_f32\(/)
})

test('a quotient by a power of two is a product, and no other is', async () => {
  const text = async (by: string): Promise<string> => {
    const program = await readC(
      `void f(int n, const float *x, int *y) { for (int i = 0; i < n; i++) y[i] = (int)floorf(x[i] / ${by}); }`,
    )
    const { plan } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
    return plan.variants[0]!.launches.map(({ emitted }) => emitted!.wgsl!.text).join('\n')
  }
  expect(await text('-16.0f')).toMatch(/\* -0\.0625/)
  expect(await text('-16.0f')).not.toMatch(/div_f32/)
  expect(await text('10.0f')).toMatch(/div_f32/)
})
