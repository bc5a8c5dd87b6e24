// Inputs at the edges of what operations take, and what happens around them, on SwiftShader against float64: numbers
// that are none, ranges and buffers at limits, plans that no model would choose, memory that is given back while it is
// read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { open, type Gpu } from '../../../src/kernels/index.ts'
import { choices, extentsFor, type LayoutName, type TileName } from '../../../src/kernels/matmul/choose.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { farOff, numbers, openSoftware } from '../language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware({ tuning: 'generic' })
})
afterAll(() => gpu.dispose())

const layouts: readonly LayoutName[] = ['nn', 'nt', 'tn', 'tt']

describe('products', () => {
  test('factors are turned where vectors of four divide their rows, whatever is chosen', () => {
    for (const layout of layouts)
      for (const m of [65, 130, 191])
        for (const n of [66, 128])
          for (const k of [37, 130, 192]) {
            const e = { m, n, k, batch: 1, layout }
            for (const choice of choices('nvidia', e, () => true)) {
              const [name] = choice.split('/') as [TileName],
                x = extentsFor(name, e)
              if (x.layout[0] !== layout[0])
                expect([x.m % 4, x.k % 4], `A of ${JSON.stringify(e)} by ${choice}`).toEqual([0, 0])
              if (x.layout[1] !== layout[1])
                expect([x.n % 4, x.k % 4], `B of ${JSON.stringify(e)} by ${choice}`).toEqual([0, 0])
            }
          }
  })
  test('with any of the plans that may be chosen', async () => {
    using any = await openSoftware({ tuning: 'generic' })
    const stream = random(5),
      pick = <T>(list: readonly T[]): T => list[Math.floor(stream.unit() * list.length)]! // no list is empty
    any.core.pick = (_name, _sizes, options) => pick(options)
    for (let round = 0; round < 8; round++) {
      const layout = layouts[round % 4]!,
        [ta, tb] = [layout[0] === 't', layout[1] === 't']
      const [m, n, k] = [pick([65, 66, 130]), pick([64, 67, 130]), pick([70, 131, 192])]
      const a = numbers([m, k], round),
        b = numbers([k, n], round + 100)
      const turned = (x: Float32Array, rows: number, columns: number): Float32Array =>
        Float32Array.from({ length: x.length }, (_, i) => x[(i % rows) * columns + Math.floor(i / rows)]!)
      const want = Array.from({ length: m * n }, (_, i) => {
        let sum = 0
        for (let x = 0; x < k; x++) sum += a[Math.floor(i / n) * k + x]! * b[x * n + (i % n)]!
        return sum
      })
      const got = any.matmul(
        any.tensor(ta ? turned(a, m, k) : a, ta ? [k, m] : [m, k]),
        any.tensor(tb ? turned(b, k, n) : b, tb ? [n, k] : [k, n]),
        { transposeA: ta, transposeB: tb },
      )
      expect(await farOff(got, want, Math.sqrt(k)), `${layout} ${m}×${n}×${k}`).toBeLessThan(1e-5)
    }
  }, 60_000)
  test('a second factor without batches is not copied for them', async () => {
    const a = gpu.tensor(numbers([3, 5, 8]), [3, 5, 8]),
      b = gpu.tensor(numbers([8, 4]), [8, 4])
    expect((await gpu.profile(() => gpu.matmul(a, b))).map((l) => l.kernel.split(' ')[0])).toEqual(['matmul'])
  })
})

describe('numbers', () => {
  test('powers of negative numbers and of 0', async () => {
    const x = [-2, -2, -2, -3, -0.5, -1, 0, 0, 2, -Infinity],
      y = [2, 3, 0.5, -1, 0, 1e9, 0, 2, 0.5, 2]
    for (const extra of [[], [4, 4]]) {
      // in vectors of four, and one by one
      const [xs, ys] = [
        [...x, ...extra],
        [...y, ...extra],
      ]
      expect(
        await farOff(
          gpu.map('pow(x, y)', { x: gpu.tensor(xs), y: gpu.tensor(ys) }),
          xs.map((v, i) => v ** ys[i]!),
        ),
      ).toBeLessThan(1e-3)
    }
    const deep = Array.from({ length: 60 }).reduce<string>((text) => `pow(${text}, 1)`, 'x')
    expect(await farOff(gpu.map(deep, { x: gpu.tensor([-3]) }), [-3])).toBeLessThan(1e-4)
  })
  test('logarithms and angles where WGSL leaves them open, and what is unlike itself', async () => {
    const x = [0, -0, -1, NaN, Infinity, 2, -0],
      y = [0, -0, -1, 1, -1, NaN, 1]
    const of = async (text: string): Promise<readonly number[]> => [
      ...(await gpu.map(text, { x: gpu.tensor(x), y: gpu.tensor(y) }).read()),
    ]
    const f32 = (f: (x: number, y: number) => number): readonly number[] => x.map((v, i) => Math.fround(f(v, y[i]!)))
    expect(await of('log(x)')).toEqual([-Infinity, -Infinity, NaN, NaN, Infinity, Math.fround(Math.LN2), -Infinity])
    expect(await of('pow(x, -1)')).toEqual([Infinity, -Infinity, -1, NaN, 0, 0.5, -Infinity])
    expect(await of('pow(x, -2)')).toEqual([Infinity, Infinity, 1, NaN, 0, 0.25, Infinity])
    expect(await of('log2(x)')).toEqual([-Infinity, -Infinity, NaN, NaN, Infinity, 1, -Infinity])
    const [angles, want] = [await of('atan2(x, y)'), f32(Math.atan2)]
    angles.forEach((a, i) => {
      if (Number.isNaN(want[i])) expect(a, `${i}`).toBeNaN()
      else expect(a, `${i}`).toBeCloseTo(want[i]!, 3)
    })
    expect(await of('x != x')).toEqual([0, 0, 0, 1, 0, 0, 0])
    expect(await of('x != y && !(x == y)')).toEqual(f32((a, b) => +(a !== b)))
  })
  test('numbers in shared memory are copied', async () => {
    const shared = new Float32Array(new SharedArrayBuffer(8)).fill(3)
    expect([...(await gpu.tensor(shared).read())]).toEqual([3, 3])
  })
  test('the least of numbers and a NaN is NaN, however many there are', async () => {
    for (const n of [1, 2, 3, 300]) {
      const x = gpu.tensor(new Float32Array(2 * n).fill(NaN).fill(1, n, n + 1), [2, n])
      expect([...(await gpu.min(x, { axes: 1 }).read())], `${n}`).toEqual([NaN, n === 1 ? 1 : NaN])
      expect([...(await gpu.max(x, { axes: 1 }).read())], `${n}`).toEqual([NaN, n === 1 ? 1 : NaN])
    }
    expect([...(await gpu.min(gpu.tensor([NaN, 2]), { axes: [] }).read())]).toEqual([NaN, 2])
  })
  test('the last of many bins holds the end of the range', async () => {
    for (const bins of [1, 7, 2 ** 23 + 2, 2 ** 24]) {
      const counts = await gpu.histogram(gpu.tensor([0, 1, 1, 1 / 0, NaN]), { bins, range: [0, 1] }).read()
      expect([counts.reduce((a, b) => a + b, 0), counts[bins - 1]], `${bins}`).toEqual([3, bins === 1 ? 3 : 2])
    }
  })
  test.each([
    [[-3e38, 3e38]],
    [[-1e300, 1e300]],
    [[1, 1 + 1e-12]],
    [[0, 1e-45]],
    [[0, Infinity]],
  ] as const)('no range of f32 is %j', (range) => {
    expect(() => gpu.histogram(gpu.tensor([0, 1]), { bins: 4, range })).toThrow(
      'a histogram of f32 needs a range of two numbers, the first the smaller, and bins that f32 can tell ' +
        'apart [histogram.range]',
    )
  })
  test('lists in lists are no numbers', () => {
    const wrong = {
      'element 0 is an array': [
        [1, 2],
        [3, 4],
      ],
      "element 0 is '1'": ['1'],
      'element 1 is null': [1, null],
    }
    for (const [why, source] of Object.entries(wrong))
      expect(() => gpu.tensor(source as never)).toThrow(`a tensor is made of numbers, all in one list, and ${why}`)
    expect(() => gpu.sum([1, 2] as never)).toThrow("sum takes a tensor as 'x', not an array [tensor.kind]")
  })
  test('distances of samples far from 0', async () => {
    const features = 6,
      stream = random(9),
      row = (): number[] => Array.from({ length: features }, () => Math.fround(1000 + 2 * stream.unit()))
    const vectors = Array.from({ length: 8 }, row),
      samples = Array.from({ length: 5 }, row),
      gamma = 0.5
    const text = [
      'svm_type epsilon_svr',
      'kernel_type rbf',
      `gamma ${gamma}`,
      'nr_class 2',
      'total_sv 8',
      'rho 0.25',
      'SV',
      ...vectors.map((v, i) => `${i % 2 ? -1 : 1} ${v.map((x, f) => `${f + 1}:${x}`).join(' ')}`),
    ].join('\n')
    const want = samples.map((s) =>
      vectors.reduce(
        (sum, v, i) => sum + (i % 2 ? -1 : 1) * Math.exp(-gamma * v.reduce((d, x, f) => d + (x - s[f]!) ** 2, 0)),
        -0.25,
      ),
    )
    for (const placement of ['product', 'global'] as const) {
      using machine = gpu.svm(text, { placement })
      expect(await farOff(machine.decide(gpu.tensor(samples.flat(), [5, features])), want), placement).toBeLessThan(
        1e-5,
      )
    }
  })
  test('a weight of labels is a number from 0', () => {
    for (const weight of [NaN, -1, Infinity])
      expect(() => gpu.nmf(gpu.fill([2, 2], 1), { rank: 1, labels: gpu.fill([1, 2], 1), weight })).toThrow(
        `weight is ${weight}; it must be a number from 0 [nmf.options]`,
      )
  })
})

describe('memory', () => {
  test('what is read is not given to others while a refused batch is repeated', async () => {
    const device = await (await (await swiftShaderGpu()).requestAdapter())!.requestDevice()
    const own = await open({ device, store: null })
    const lost = device.createBuffer({ size: 256, usage: 128 | 4 }),
      gone = own.tensor(lost, [4])
    lost.destroy()
    const bad = own.sum(gone),
      good = own.fill([4], 7),
      reading = good.read()
    good.dispose()
    const next = own.fill([4], 9) // would have got its memory
    expect([...(await reading)]).toEqual([7, 7, 7, 7])
    expect([...(await next.read())]).toEqual([9, 9, 9, 9])
    await expect(bad.read()).rejects.toThrow('the device refused sum')
    own.dispose()
    device.destroy()
  })
  test('tensors up to what the device binds, whatever that is', async () => {
    const most = 45 * 2 ** 20 - 4,
      adapter = (await (await swiftShaderGpu()).requestAdapter())!
    const device = await adapter.requestDevice({ requiredLimits: { maxStorageBufferBindingSize: most } })
    const own = await open({
      device: new Proxy(device, {
        get: (d, name) =>
          name === 'limits'
            ? new Proxy(d.limits, {
                get: (l, n) => (n === 'maxStorageBufferBindingSize' ? most : l[n as keyof GPUSupportedLimits]),
              })
            : typeof d[name as keyof GPUDevice] === 'function'
              ? (d[name as keyof GPUDevice] as () => void).bind(d)
              : d[name as keyof GPUDevice],
      }),
      store: null,
    })
    const x = own.fill([most / 4], 2)
    expect(x.buffer.size).toBe(most)
    expect([...(await own.sum(x).read())]).toEqual([most / 2])
    expect(() => own.fill([most / 4 + 1], 2)).toThrow(`this device binds at most ${most}`)
    own.dispose()
    device.destroy()
  })
  test('buffers that are too small for vectors are refused', async () => {
    const buffer = gpu.core.device.createBuffer({ size: 12, usage: 128 | 4 })
    expect(() => gpu.tensor(buffer, [3])).toThrow(
      'a tensor of shape [3] is read in vectors of four, and its buffer ends 4 bytes before the last of them does',
    )
    expect([...(await gpu.sum(gpu.tensor(buffer, [1])).read())]).toEqual([0])
  })
  test('convolutions that would gather more than 32 bits can count are refused', () => {
    const x = gpu.tensor(gpu.core.device.createBuffer({ size: 4 * 2 * 2200 ** 2, usage: 128 | 4 }), [1, 2, 2200, 2200])
    expect(() => gpu.conv2d(x, gpu.fill([1, 2, 23, 23], 1))).toThrow(
      /this convolution gathers \d{10} elements, and their numbers end at 2³² \[conv2d\.size\]/,
    )
  })
})
