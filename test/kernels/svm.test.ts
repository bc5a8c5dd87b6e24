// Decision functions on SwiftShader against svm-predict's own output, for every type and kernel; and models that are wrong.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Gpu } from '../../src/kernels/index.ts'
import { distance, openSoftware } from './language.ts'

let gpu: Gpu
beforeAll(async () => { gpu = await openSoftware() })
afterAll(() => gpu.dispose())

const libsvm = JSON.parse(readFileSync(resolve(import.meta.dirname, 'reference/svm.json'), 'utf8')) as { features: number; samples: number[]; cases: { model: string; predictions: number[] }[] }
const first = libsvm.cases[0]!.model

test.each(libsvm.cases.map((c) => [/svm_type (\S+)\nkernel_type (\S+)/.exec(c.model)!.slice(1).join(', '), c] as const))("libsvm's predictions: %s", async (_, { model, predictions }) => {
  using x = gpu.tensor(libsvm.samples, [libsvm.samples.length / libsvm.features, libsvm.features])
  using m = gpu.svm(model, libsvm.features)
  const got = await m.predict(x)
  if (/svr/.test(m.model.type)) expect(distance(got, predictions, Math.max(...predictions.map(Math.abs)))).toBeLessThan(1e-5)
  else expect(got).toEqual(predictions)
})

test('decision values: the formula in float64, one sample at a time', async () => {
  using m = gpu.svm(libsvm.cases[2]!.model, libsvm.features)
  const { vectors, coefficients, gamma, rho, counts } = m.model
  const samples = libsvm.samples.slice(0, 3 * libsvm.features)
  using values = m.decide(gpu.tensor(samples, [3, libsvm.features]))
  const kernel = (i: number, v: number): number => Math.exp(-gamma * Array.from({ length: libsvm.features }, (_, d) => (samples[i * libsvm.features + d]! - vectors[v * libsvm.features + d]!) ** 2).reduce((a, b) => a + b))
  const starts = counts.map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0))
  const want = [0, 1, 2].flatMap((s) => [[0, 1], [0, 2], [1, 2]].map(([i = 0, j = 0], pair) => {
    const part = (own: number, other: number): number => Array.from({ length: counts[own]! }, (_, v) => coefficients[starts[own]! + v]![other < own ? other : other - 1]! * kernel(s, starts[own]! + v)).reduce((a, b) => a + b, 0)
    return part(i, j) + part(j, i) - rho[pair]!
  }))
  expect(distance(await values.read(), want)).toBeLessThan(2e-5)
})

test.each([
  ['something else', 'this is no model of libsvm'],
  [first.replace('svm_type c_svc', 'svm_type x_svc'), "svm_type 'x_svc' is not known"],
  [first.replace('kernel_type linear', 'kernel_type precomputed'), "kernel_type 'precomputed' is not known"],
  [first.replace(/^rho .*$/m, 'rho 1'), 'rho: 3 numbers are needed for 3 classes'],
  [first.replace(/^total_sv .*$/m, 'total_sv 2'), 'the model says it has 2 support vectors'],
  [first.replace(/ 1:\S+/, ' 1:one'), "'one' is no feature"],
  [first.replace(/ 1:\S+/, ' 0:1'), 'indices count from 1'],
  [first.replace(/^rho .*\n/m, ''), 'the model does not say its rho'],
])('a wrong model %#', (text, why) => {
  expect(() => gpu.svm(text)).toThrow(why)
})

test('samples must have the features of the model', () => {
  using m = gpu.svm(first)
  expect(() => m.decide(gpu.tensor([1, 2], [1, 2]))).toThrow('the model has 5 features; samples are f32 [n, 5], not f32 [1, 2]')
  expect(() => gpu.svm(first, 3)).toThrow('the model uses feature 5, and 3 features were asked for')
})
