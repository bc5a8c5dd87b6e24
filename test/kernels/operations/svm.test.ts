// Decision functions on SwiftShader against svm-predict's own output, for every type and kernel; and models that are
// wrong.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gpu } from '../../../src/kernels/index.ts'
import { distance, openSoftware } from '../language.ts'
import { someOf } from '../../support/long.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

const libsvm = JSON.parse(readFileSync(resolve(import.meta.dirname, 'reference/svm.json'), 'utf8')) as {
  features: number
  samples: number[]
  cases: { model: string; predictions: number[] }[]
}
const first = libsvm.cases[0]!.model

test.each(
  someOf(libsvm.cases.map((c) => [/svm_type (\S+)\nkernel_type (\S+)/.exec(c.model)!.slice(1).join(', '), c] as const)),
)("libsvm's predictions: %s", async (_, { model, predictions }) => {
  using x = gpu.tensor(libsvm.samples, [libsvm.samples.length / libsvm.features, libsvm.features])
  using m = gpu.svm(model, { features: libsvm.features })
  const got = await m.predict(x)
  if (/svr/.test(m.model.type))
    expect(distance(got, predictions, Math.max(...predictions.map(Math.abs)))).toBeLessThan(1e-5)
  else expect(got).toEqual(predictions)
})

test('decision values: the formula in float64, one sample at a time', async () => {
  using m = gpu.svm(libsvm.cases[2]!.model, { features: libsvm.features })
  const { vectors, coefficients, gamma, rho, counts } = m.model
  const samples = libsvm.samples.slice(0, 3 * libsvm.features)
  using values = m.decide(gpu.tensor(samples, [3, libsvm.features]))
  const kernel = (i: number, v: number): number =>
    Math.exp(
      -gamma *
        Array.from(
          { length: libsvm.features },
          (_, d) => (samples[i * libsvm.features + d]! - vectors[v * libsvm.features + d]!) ** 2,
        ).reduce((a, b) => a + b),
    )
  const starts = counts.map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0))
  const want = [0, 1, 2].flatMap((s) =>
    [
      [0, 1],
      [0, 2],
      [1, 2],
    ].map(([i = 0, j = 0], pair) => {
      const part = (own: number, other: number): number =>
        Array.from(
          { length: counts[own]! },
          (_, v) => coefficients[starts[own]! + v]![other < own ? other : other - 1]! * kernel(s, starts[own]! + v),
        ).reduce((a, b) => a + b, 0)
      return part(i, j) + part(j, i) - rho[pair]!
    }),
  )
  expect(distance(await values.read(), want)).toBeLessThan(2e-5)
})

test.each(
  someOf([
    ['something else', 'this is no model of libsvm'],
    [first.replace('svm_type c_svc', 'svm_type x_svc'), "svm_type 'x_svc' is not known"],
    [first.replace('kernel_type linear', 'kernel_type precomputed'), "kernel_type 'precomputed' is not known"],
    [first.replace(/^rho .*$/m, 'rho 1'), 'rho: 3 numbers are needed for 3 classes'],
    [first.replace(/^total_sv .*$/m, 'total_sv 2'), 'the model says it has 2 support vectors'],
    [first.replace(/ 1:\S+/, ' 1:one'), "'one' is no feature"],
    [first.replace(/ 1:\S+/, ' 0:1'), 'indices count from 1'],
    [first.replace(/^rho .*\n/m, ''), 'the model does not say its rho'],
  ]),
)('a wrong model %#', (text, why) => {
  expect(() => gpu.svm(text)).toThrow(why)
})

test('samples must have the features of the model', () => {
  using m = gpu.svm(first)
  expect(() => m.decide(gpu.tensor([1, 2], [1, 2]))).toThrow(
    'the model has 5 features; samples are f32 [n, 5], not f32 [1, 2]',
  )
  expect(() => gpu.svm(first, { features: 3 })).toThrow('the model uses feature 5, and 3 features were asked for')
})

describe('placements of the support vectors', () => {
  test.each(
    someOf(libsvm.cases.map(({ model }, i) => [`${i} ${model.split('\n').slice(0, 2).join(', ')}`, model] as const)),
  )(
    'model %s: decisions as by products',
    async (_, model) => {
      const n = libsvm.samples.length / libsvm.features
      for (const rows of [n, 7, 4]) {
        using x = gpu.tensor(libsvm.samples.slice(0, rows * libsvm.features), [rows, libsvm.features])
        using by = gpu.svm(model, { features: libsvm.features })
        using values = by.decide(x)
        const want = [...(await values.read())],
          size = want.reduce((s, v) => Math.max(s, Math.abs(v)), 1)
        for (const placement of ['global', 'constant', 'reordered'] as const) {
          using m = gpu.svm(model, { features: libsvm.features, placement })
          using got = m.decide(x)
          expect(got.shape).toEqual(values.shape)
          expect(distance(await got.read(), want, size), `${placement}, ${rows} samples`).toBeLessThan(2e-4)
          expect(await m.predict(x)).toHaveLength(rows)
        }
      }
    },
    60_000,
  )
  test('what each asks of memory: constant memory is asked instead, and turned samples are read together', async () => {
    const model = libsvm.cases[2]!.model,
      asked = new Map<string, { global: number; perRequest: number; constant: number }>()
    using x = gpu.tensor(
      Array.from({ length: 256 * libsvm.features }, (_, i) => Math.sin(i)),
      [256, libsvm.features],
    )
    for (const placement of ['global', 'constant', 'reordered'] as const) {
      using m = gpu.svm(model, { features: libsvm.features, placement })
      const rows = await gpu.explain(() => m.decide(x).dispose(), { gpu: 'gt200', brief: true })
      const { global, constant } = rows.find((r) => r.kernel.startsWith('map'))!.report.totals
      asked.set(placement, {
        global: global.load.sectors,
        perRequest: global.load.sectors / global.load.requests,
        constant: constant.requests,
      })
    }
    const [plain, fixed, turned] = [...asked.values()]
    expect(plain!.constant).toBeLessThan(fixed!.constant)
    expect(fixed!.global).toBeLessThan(plain!.global)
    expect(turned!.global).toBeLessThan(fixed!.global / 2)
  })
  test('what does not fit is said', () => {
    const large =
      `svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 ` +
      `9000:1\n-1 1:1\n`
    using m = gpu.svm(large, { placement: 'constant' })
    expect(() => m.decide(gpu.fill([1, 9000], 1))).toThrow(
      'the support vectors take 72000 bytes, and constant memory holds 65536 [svm.placement]\n  hint: ' +
        "placement 'global' or 'product'",
    )
    expect(() => gpu.svm(large, { placement: 'texture' as never })).toThrow("svm knows no placement 'texture'")
  })
})
