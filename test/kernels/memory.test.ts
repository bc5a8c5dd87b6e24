// Memory is given back: live bytes after every operation and its disposal are those before it; `tidy`, `trim`,
// `dispose` on a device of the caller; parts of results; buffers that are read by others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { open, type Gpu, type Tensor } from '../../src/kernels/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { numbers, openSoftware } from './language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

/** Bytes of buffers that somebody holds. */
const used = (of: Gpu): number => of.core.statistics['liveBytes']! - of.core.statistics['freeBytes']!

const model = `svm_type epsilon_svr
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 2
rho 0.25
SV
1 1:0.5 2:1
-1 1:2 2:-1
`

describe('no operation keeps memory that its result does not have', () => {
  /** `own` disposes of what a call needs besides x [2, 4, 6], image [1, 1, 9, 10] and bias [2], after the call. */
  type Own = <T extends Tensor>(t: T) => T
  type Inputs = Readonly<Record<'x' | 'image' | 'bias', Tensor<'f32'>>>
  const calls: Readonly<Record<string, (g: Gpu, inputs: Inputs, own: Own) => { dispose(): void }>> = {
    sum: (g, { x }) => g.sum(x, { axes: [0, 2] }),
    'least of several axes': (g, { x }) => g.min(x, { axes: [0, 2] }),
    'mean of integers': (g, { x }, own) => g.mean(own(g.cast(x, 'i32'))),
    norm: (g, { x }) => g.norm(x, { axes: 1 }),
    argmax: (g, { x }) => g.argmax(x, { axis: 1 }),
    scan: (g, { x }) => g.scan(x, { axis: 1, reverse: true, op: 'max' }),
    transpose: (g, { x }) => g.transpose(x, [2, 0, 1]),
    map: (g, { x }) => g.map('x > 0', { x }),
    histogram: (g, { x }) => g.histogram(x, { bins: 4, range: [-1, 1] }),
    matmul: (g, { x, bias }, own) =>
      g.matmul(x, x, {
        transposeB: true,
        bias: own(g.transpose(own(g.fill([4], 1)))),
        c: own(bias.reshape([2, 1, 1])),
      }),
    conv2d: (g, { image, bias }, own) => g.conv2d(image, own(g.fill([2, 1, 3, 3], 1)), { bias, padding: 'same' }),
    'conv2d of planes': (g, { image }, own) => g.conv2d(image, own(g.fill([1, 1, 3, 2], 1)), { activation: 'relu' }),
    'conv2d, channels last': (g, { image }, own) =>
      g.conv2d(own(g.transpose(image, [0, 2, 3, 1])), own(g.fill([3, 3, 1, 1], 1)), { layout: 'nhwc' }),
    'conv2d of nothing': (g, { bias }, own) =>
      g.conv2d(own(g.fill([1, 0, 3, 3], 1)), own(g.fill([2, 0, 1, 1], 1)), { bias }),
    conv1d: (g, { image, bias }, own) =>
      g.conv1d(own(image.reshape([1, 1, 90])), own(g.fill([2, 1, 3], 1)), { bias, activation: 'tanh' }),
    separable: (g, { image }, own) => g.separableConv2d(image, own(g.fill([3], 1)), own(g.fill([2], 1))),
    nmf: (g, { x }, own) => g.nmf(own(g.map('abs(x)', { x: own(x.reshape([8, 6])) })), { rank: 2, iterations: 3 }),
    'nmf by Kullback and Leibler': (g, { x }, own) =>
      g.nmf(own(g.map('abs(x)', { x: own(x.reshape([8, 6])) })), { rank: 2, iterations: 3, loss: 'kullback-leibler' }),
    svm: (g, _inputs, own) => {
      const machine = g.svm(model)
      own(machine.decide(own(g.fill([3, 2], 0.5))))
      return machine
    },
  }
  test.each(Object.keys(calls))('%s', async (name) => {
    void gpu.core.unused // made once
    const before = used(gpu)
    const inputs = {
      x: gpu.tensor(numbers([2, 4, 6]), [2, 4, 6]),
      image: gpu.tensor(numbers([90]), [1, 1, 9, 10]),
      bias: gpu.tensor([1, 2]),
    }
    const owned: Tensor[] = Object.values(inputs)
    const own: Own = (t) => {
      owned.push(t)
      return t
    }
    calls[name]!(gpu, inputs, own).dispose()
    for (const t of owned) t.dispose()
    await gpu.sync()
    expect(used(gpu)).toBe(before)
  })
})

describe('tidy', () => {
  test('keeps the result alone, in lists and objects, and one inside of another', async () => {
    const before = used(gpu)
    const { total, all } = gpu.tidy(() => {
      const x = gpu.fill([1000], 2)
      const inner = gpu.tidy(() => gpu.map('x * y', { x, y: gpu.fill([1000], 3) }))
      return { total: gpu.sum(inner), all: [gpu.fill([2], 1), 'text', null] as const }
    })
    expect([...(await total.read())]).toEqual([6000])
    expect([...(await all[0].read())]).toEqual([1, 1])
    for (const t of [total, all[0]]) t.dispose()
    expect(used(gpu)).toBe(before)
  })
  test('gives back everything where its function throws, and refuses promises', () => {
    const before = used(gpu)
    expect(() =>
      gpu.tidy(() => {
        gpu.fill([1000], 2)
        throw new Error('own')
      }),
    ).toThrow('own')
    expect(() => gpu.tidy(async () => gpu.fill([1000], 1))).toThrow('this one returns a promise [tidy.async]')
    expect(() => gpu.tidy(3 as never)).toThrow('tidy takes a function, not 3 [tidy.function]')
    expect(used(gpu)).toBe(before)
  })
})

/** A device of the caller, and the bytes of its buffers that are not destroyed. */
async function counted(): Promise<{ readonly device: GPUDevice; readonly live: () => number }> {
  const device = await (await (await swiftShaderGpu()).requestAdapter())!.requestDevice() // SwiftShader is there
  const sizes = new Set<{ readonly size: number }>(),
    create = device.createBuffer.bind(device)
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor),
      destroy = buffer.destroy.bind(buffer)
    sizes.add(buffer)
    buffer.destroy = () => {
      sizes.delete(buffer)
      return destroy()
    }
    return buffer
  }
  return { device, live: () => [...sizes].reduce((n, b) => n + b.size, 0) }
}

test('a device of the caller has no buffer of the library after dispose', async () => {
  const { device, live } = await counted()
  const own = await open({ device, store: null })
  const x = own.tensor(numbers([64]), [8, 8])
  const product = own.matmul(x, x, { activation: 'relu' })
  await own.sum(product).read()
  own.map('x + 1', { x })
  expect(live()).toBeGreaterThan(3 * 256)
  own.dispose()
  expect(live()).toBe(0)
  product.dispose()
  await expect(x.read()).rejects.toThrow('the device is closed [device.closed]')
  expect(() => own.sum(x)).toThrow('the device is closed')
  const again = await open({ device, store: null }) // the device lives on
  expect([...(await again.sum(again.fill([3], 2)).read())]).toEqual([6])
  again.dispose()
  expect(live()).toBe(0)
  device.destroy()
})

test('trim gives free memory back, and what is in use stays', async () => {
  using own = await openSoftware()
  const x = own.fill([5000], 3)
  for (const n of [1000, 3000, 20_000]) own.fill([n], 1).dispose()
  await own.sync()
  expect(own.core.statistics['freeBytes']).toBeGreaterThan(4 * 24_000)
  own.trim()
  expect(own.core.statistics['freeBytes']).toBe(0)
  expect([...(await own.sum(x).read())]).toEqual([15_000])
})

test('a lost device says so, and one that is disposed of', async () => {
  const lost = await openSoftware()
  lost.core.device.destroy()
  expect((await lost.lost).code).toBe('device.lost')
  const closed = await openSoftware()
  closed.dispose()
  expect((await closed.lost).code).toBe('device.closed')
})

describe('reading', () => {
  test('a part, and into an array', async () => {
    const x = gpu.tensor([0, 1, 2, 3, 4, 5, 6])
    expect([...(await x.read({ from: 2, count: 3 }))]).toEqual([2, 3, 4])
    expect([...(await x.read({ from: 5 }))]).toEqual([5, 6])
    expect([...(await x.read({ from: 7 }))]).toEqual([])
    const into = new Float32Array(4)
    expect(await x.read({ from: 1, count: 2, into })).toBe(into)
    expect([...into]).toEqual([1, 2, 0, 0])
    const whole = new Int32Array(2)
    expect(await gpu.tensor(new Int32Array([4, 5])).read({ into: whole })).toBe(whole)
    expect([...whole]).toEqual([4, 5])
  })
  test.each([
    ['elements 5 to 8 are asked for, and there are 7 [read.range]', { from: 5, count: 3 }],
    ['elements 9 to 7 are asked for', { from: 9 }],
    ["'from' of read is an integer from 0, not -1 [read.options]", { from: -1 }],
    ["read has no option 'start' [read.options]", { start: 1 }],
    ['elements of f32 go into a Float32Array, not into an Int32Array [read.into]', { into: new Int32Array(7) }],
    ['an array of 2 elements is too small for 7 [read.into]', { into: new Float32Array(2) }],
  ])('%s', async (message, options) => {
    await expect(gpu.fill([7], 0).read(options as never)).rejects.toThrow(message)
  })
})

test('the buffer of a tensor is written before whoever asks for it can read it', async () => {
  const { device } = gpu.core
  const x = gpu.map('2 * x', { x: gpu.tensor([1, 2, 3, 4]) })
  const mapped = device.createBuffer({ size: 16, usage: 1 | 8 }) // MAP_READ, COPY_DST
  const encoder = device.createCommandEncoder()
  encoder.copyBufferToBuffer(x.buffer, 0, mapped, 0, 16)
  device.queue.submit([encoder.finish()])
  await mapped.mapAsync(1)
  expect([...new Float32Array(mapped.getMappedRange())]).toEqual([2, 4, 6, 8])
  mapped.destroy()
})
