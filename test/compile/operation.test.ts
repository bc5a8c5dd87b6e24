// Operations of one's own on SwiftShader: what they compute, and what they refuse. A case is a C function.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Gpu, Tensor } from '../../src/kernels/index.ts'
import { openSoftware } from '../kernels/language.ts'
import { operationOf } from './language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu?.dispose())

const step = `void step(int n, float x[n], float a, float y[n]) {
  for (int i = 0; i < n; i++) {
    x[i] = a * x[i] + 1;
    y[i] = -x[i];
  }
}`
const difference = `void difference(int n, const float x[n + 1], const int sign[n], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = sign[i] * (x[i + 1] - x[i]);
}`
const gather = `void gather(int n, int count, const float x[n], const int place[count], float y[count]) {
  for (int i = 0; i < count; i++) y[i] = x[place[i]];
}`
const ramp = `void ramp(int n, unsigned first, unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = first + 3u * i;
}`
const pool = `void pool(int n, const float x[n], float y[(n - 1) / 2]) {
  for (int i = 0; i < (n - 1) / 2; i++) y[i] = x[2 * i] + x[2 * i + 1] + x[2 * i + 2];
}`
const solve = `void solve(int n, const float l[n][n], float x[n]) {
  for (int i = 0; i < n; i++) {
    float sum = x[i];
    for (int j = 0; j < i; j++) sum -= l[i][j] * x[j];
    x[i] = sum / l[i][i];
  }
}`

test('arrays that change in place are copied, unless their memory is given', async () => {
  const f = await operationOf(step)
  const x = gpu.tensor([1, 2, 3])
  const made = f({ x, a: 0.5 })
  expect([...(await made['x']!.read())]).toEqual([1.5, 2, 2.5])
  expect([...(await made['y']!.read())]).toEqual([-1.5, -2, -2.5])
  expect([...(await x.read())]).toEqual([1, 2, 3])
  const again = f({ a: 0.5 }, { out: { x } })
  expect(again['x']).toBe(x)
  expect([...(await x.read())]).toEqual([1.5, 2, 2.5])
  const y = gpu.tensor([0, 0, 0])
  expect(f({ x, a: 1 }, { out: { y } })['y']).toBe(y)
  expect([...(await y.read())]).toEqual([-2.5, -3, -3.5])
  const moved = gpu.tensor([0, 0, 0])
  f({ x, a: 0 }, { out: { x: moved } })
  expect([...(await moved.read()), ...(await x.read())]).toEqual([1, 1, 1, 1.5, 2, 2.5])
})

test('sizes follow from shapes, from sums in them, or are given', async () => {
  const steps = await operationOf(difference)
  const signs = gpu.tensor([1, -1, 1], [3], 'i32')
  expect([...(await steps({ x: gpu.tensor([1, 4, 9, 16]), sign: signs })['y']!.read())]).toEqual([3, -5, 7])
  const numbers = await operationOf(ramp)
  const first = numbers({ n: 5, first: 4294967290 }, { on: gpu })['y']!
  expect(first.dtype).toBe('u32')
  expect([...(await first.read())]).toEqual([4294967290, 4294967293, 0, 3, 6])
  const pooled = (await operationOf(pool))({ x: gpu.tensor([1, 2, 3, 4, 5, 6]) })['y']!
  expect([pooled.shape, [...(await pooled.read())]]).toEqual([[2], [6, 12]])
})

test('buffers of the caller', async () => {
  const f = await operationOf(`void weigh(int n, const float x[n][4], const float w[4], float y[n]) {
    for (int i = 0; i < n; i++) {
      float sum = 0;
      for (int j = 0; j < 4; j++) sum += x[i][j] * w[j];
      y[i] = sum;
    }
  }`)
  const { device } = gpu.core
  const buffer = device.createBuffer({ size: 16, usage: 4 | 8 | 128 })
  device.queue.writeBuffer(buffer, 0, Float32Array.of(1, 10, 100, 1000))
  const x = gpu.tensor([1, 2, 3, 4, 5, 6, 7, 8], [2, 4])
  expect([...(await f({ x, w: gpu.tensor(buffer, [4]) })['y']!.read())]).toEqual([4321, 8765])
  expect([...(await f({ x, w: gpu.tensor([1, 0, 0, 1]) })['y']!.read())]).toEqual([5, 13])
  buffer.destroy()
})

test('sizes of 0 and of 1', async () => {
  const f = await operationOf(step)
  const none = f({ x: gpu.tensor([]), a: 1 })
  expect([none['x']!.shape, [...(await none['y']!.read())]]).toEqual([[0], []])
  expect([...(await f({ x: gpu.tensor([2]), a: 2 })['y']!.read())]).toEqual([-5])
})

test('a plan with loops on the host', async () => {
  const n = 70
  const at = (i: number, j: number): number => (j > i ? 0 : i === j ? 2 + (i % 3) : Math.sin(i * n + j) / n)
  const l = Float32Array.from({ length: n * n }, (_, k) => at(Math.floor(k / n), k % n)),
    b = Float32Array.from({ length: n }, (_, i) => Math.cos(i))
  const want: number[] = []
  for (let i = 0; i < n; i++) want[i] = want.reduce((s, x, j) => s - l[i * n + j]! * x, b[i]!) / l[i * n + i]!
  const f = await operationOf(solve)
  expect(f.data.variants.some((v) => v.steps.some((s) => typeof s !== 'number'))).toBe(true)
  const { x } = f({ l: gpu.tensor(l, [n, n]), x: gpu.tensor(b) })
  const got = await x!.read()
  want.forEach((w, i) => expect(got[i]).toBeCloseTo(w, 5))
})

test('an operation on the results of others, many times, before anything is read', async () => {
  const f = await operationOf(step)
  let x: Tensor = gpu.tensor([0, 1])
  for (let i = 0; i < 300; i++) {
    const next = f({ x: gpu.map('x * 1', { x: x as Tensor<'f32'> }), a: 0.5 })
    x.dispose()
    next['y']!.dispose()
    x = next['x']!
  }
  expect([...(await x.read())]).toEqual([2, 2])
})

test('a batch that is longer than a submission', async () => {
  const n = 700
  const l = new Float32Array(n * n)
  for (let i = 0; i < n; i++) l[i * n + i] = 2
  const { x } = (await operationOf(solve))({ l: gpu.tensor(l, [n, n]), x: gpu.fill([n], 3) })
  expect(new Set(await x!.read())).toEqual(new Set([1.5]))
})

const wrong: Readonly<Record<string, readonly [source: string, (gpu: Gpu) => object, string]>> = {
  'a name that is nothing': [step, (g) => [{ xs: g.tensor([1]), a: 1 }], 'step takes x, a, n, and no xs'],
  'a result among the arguments': [step, (g) => [{ x: g.tensor([1]), y: g.tensor([1]), a: 1 }], 'y is a result'],
  'no tensor': [step, () => [{ a: 1 }], 'step: x is missing, a tensor'],
  'no scalar': [step, (g) => [{ x: g.tensor([1]) }], 'step: a is missing, a number'],
  'a tensor for a scalar': [step, (g) => [{ x: g.tensor([1]), a: g.tensor([1]) }], 'step: a must be a number'],
  'an array for a tensor': [step, () => [{ x: [1, 2], a: 1 }], 'step: x must be a tensor'],
  'a tensor that has no name': [
    step,
    (g) => [g.tensor([1]), g.tensor([1])],
    'step takes tensors by name, not a Tensor [operation.argument]\n  hint: { x }',
  ],
  'options that are null': [step, (g) => [{ x: g.tensor([1]), a: 1 }, null], 'the options of step are an object'],
  'a result that has no name': [
    step,
    (g) => [{ x: g.tensor([1]), a: 1 }, { out: g.tensor([1]) }],
    'out of step takes tensors by name, not a Tensor',
  ],
  'another type': [gather, (g) => [{ x: g.tensor([1]), place: g.tensor([0]) }], 'place is a tensor of i32, not of f32'],
  'another number of axes': [step, (g) => [{ x: g.tensor([1, 2], [1, 2]), a: 1 }], 'x has one axis [n]'],
  'shapes that disagree': [
    difference,
    (g) => [{ x: g.tensor([1, 2, 3]), sign: g.tensor([1], [1], 'i32') }],
    'axis 0 of sign is 1, and n is 2 by axis 0 of x',
  ],
  'a size that is no integer': [ramp, (g) => [{ n: 1.5, first: 0 }, { on: g }], 'n must be an integer'],
  'a size that nothing says': [ramp, (g) => [{ first: 0 }, { on: g }], 'no shape says n'],
  'a scalar out of range': [ramp, (g) => [{ n: 1, first: -1 }, { on: g }], 'first must be an integer from 0 to'],
  'no device': [ramp, () => [{ n: 1, first: 0 }], 'gets no tensor that says on which device it runs'],
  'an option that is nothing': [step, (g) => [{ x: g.tensor([1]), a: 1 }, { into: {} }], "step has no option 'into'"],
  'no result of that name': [step, (g) => [{ x: g.tensor([1]), a: 1 }, { out: { z: g.tensor([1]) } }], 'and no z'],
  'a result of another shape': [
    step,
    (g) => [{ x: g.tensor([1]), a: 1 }, { out: { y: g.tensor([1, 2]) } }],
    'axis 0 of y is 2, and n is 1 by axis 0 of x',
  ],
  'a result over an argument': [
    gather,
    (g) => {
      const x = g.tensor([1, 2])
      return [{ x, place: g.tensor([1, 0], [2], 'i32') }, { out: { y: x } }]
    },
    'the result y would be written over x',
  ],
  'a result over another': [
    step,
    (g) => {
      const y = g.tensor([1, 2])
      return [{ x: g.tensor([1, 2]), a: 1 }, { out: { y, x: y } }]
    },
    'whose memory it shares',
  ],
  'a disposed tensor': [
    step,
    (g) => {
      const x = g.tensor([1, 2])
      x.dispose()
      return [{ x, a: 1 }]
    },
    'used after it was disposed',
  ],
  'too many blocks': [
    ramp,
    (g) => [{ n: 2 ** 31 - 1, first: 0 }, { on: g }],
    'workgroups, and this device allows 65535',
  ],
}

test.each(Object.keys(wrong))('refused: %s', async (name) => {
  const [source, args, sentence] = wrong[name]!
  const f = (await operationOf(source)) as (...given: unknown[]) => unknown
  expect(() => f(...(args(gpu) as unknown[]))).toThrow(sentence)
})

const wrongSources: Readonly<Record<string, readonly [source: string, problem: string]>> = {
  'no such name': [
    'void f(int n, float x[n]) {\n  for (int i = 0; i < n; i++) x[i] = y[i];\n}',
    'f.c:2:38: error: y is',
  ],
  doubles: ['void f(int n, double x[n]) { for (int i = 0; i < n; i++) x[i] *= 2; }', 'is double precision'],
  'types that tensors lack': ['void f(int n, short x[n]) { for (int i = 0; i < n; i++) x[i] *= 2; }', "'x' is short"],
  'a syntax error': ['void f(int n, float x[n]) { for (int i = 0; i < n; i++ x[i] = 2; }', 'f.c:1:'],
}

test.each(Object.keys(wrongSources))('not compiled: %s', async (name) => {
  const [source, problem] = wrongSources[name]!
  await expect(operationOf(source, { file: 'f.c' })).rejects.toThrow(problem)
})

test('doubles in single precision', async () => {
  const f = await operationOf('void f(int n, double x[n]) { for (int i = 0; i < n; i++) x[i] *= 2; }', {
    precision: 'f32',
  })
  expect([...(await f({ x: gpu.tensor([1.5]) })['x']!.read())]).toEqual([3])
})
