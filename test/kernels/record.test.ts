// Work recorded into encoders of the caller: it runs when they are submitted, in their order, on buffers that nobody
// else gets before; what cannot be done inside, and before.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gpu, type Tensor, TeselaError } from '../../src/kernels/index.ts'
import { numbers, openSoftware } from './language.ts'

let gpu: Gpu, device: GPUDevice, encoder: GPUCommandEncoder
beforeAll(async () => {
  gpu = await openSoftware()
  device = gpu.core.device
})
beforeEach(() => {
  encoder = device.createCommandEncoder()
})
afterAll(() => gpu.dispose())

function submit(...all: GPUCommandEncoder[]): void {
  device.queue.submit(all.map((e) => e.finish()))
  for (const e of all) gpu.submitted(e)
}

const list = async (t: Tensor): Promise<number[]> => [...(await t.read())]

test('launches of many kernels run between copies of the caller, when the encoder is submitted', async () => {
  const mine = device.createBuffer({ size: 4096, usage: 4 | 8 | 128 }),
    staged = device.createBuffer({ size: 4096, usage: 4 | 8 | 128 })
  device.queue.writeBuffer(staged, 0, new Float32Array([1, 2, 3, 4]))
  encoder.copyBufferToBuffer(staged, 0, mine, 0, 16)
  const x = gpu.tensor({ buffer: mine, size: 16 })
  const y = gpu.record(encoder, () => gpu.scan(gpu.map('10 * x', { x }), { out: { buffer: mine, offset: 256 } }))
  encoder.copyBufferToBuffer(y.buffer, y.byteOffset, staged, 512, 16)
  device.queue.writeBuffer(staged, 0, new Float32Array([2, 2, 2, 2])) // before the encoder runs
  submit(encoder)
  expect(await list(y)).toEqual([20, 40, 60, 80])
  expect(await list(gpu.tensor({ buffer: staged, offset: 512, size: 16 }))).toEqual([20, 40, 60, 80])
  mine.destroy()
  staged.destroy()
})

test('buffers wait for the encoder: temporaries, arguments and results that are disposed of, uploads', async () => {
  const n = 1000,
    a = gpu.tensor(numbers([n])),
    want = (await list(a)).reduce((s, v) => s + 4 * v, 0)
  const y = gpu.record(encoder, () => {
    using four = gpu.tensor(new Float32Array(n).fill(4))
    using product = gpu.map('x * four', { x: a, four })
    return gpu.sum(product)
  })
  a.dispose()
  // whoever takes buffers of that size now gets others
  const others = Array.from({ length: 8 }, (_, i) => gpu.tensor(new Float32Array(n).fill(1000 + i)))
  for (const t of others) gpu.map('x + 1', { x: t }, { out: t })
  gpu.trim()
  await gpu.sync()
  submit(encoder)
  expect((await y.read())[0]).toBeCloseTo(want, 3)
  for (const [i, t] of others.entries()) expect((await t.read())[n - 1]).toBe(1001 + i)
  for (const t of [y, ...others]) t.dispose()
})

test('what was kept is free when the encoder was submitted, and temporaries are used again inside', async () => {
  using gpu = await openSoftware() // its own: tensors of other tests may be collected at any moment
  const encoder = gpu.core.device.createCommandEncoder(),
    used = (): number => gpu.core.statistics['liveBytes']! - gpu.core.statistics['freeBytes']!
  const x = gpu.fill([50_000], 1)
  await gpu.sync()
  const before = used(),
    made = gpu.core.statistics['created']!
  const y = gpu.record(encoder, () => {
    let t: Tensor<'f32'> = gpu.map('x', { x })
    for (let i = 0; i < 20; i++) {
      const next = gpu.map('t + 1', { t })
      t.dispose()
      t = next
    }
    return t
  })
  expect(gpu.core.statistics['created']! - made).toBeLessThanOrEqual(2)
  gpu.core.device.queue.submit([encoder.finish()])
  gpu.submitted(encoder)
  expect((await y.read())[49_999]).toBe(21)
  y.dispose()
  expect(used()).toBe(before)
  x.dispose()
})

test('several times into one encoder; more launches than a batch; a copy to a buffer of the caller', async () => {
  const mine = device.createBuffer({ size: 256, usage: 4 | 8 | 128 })
  const t = gpu.fill([3], 0)
  gpu.record(encoder, () => {
    for (let i = 0; i < 300; i++) gpu.map('t + 1', { t }, { out: t })
  })
  gpu.record(encoder, () => gpu.copyTo(gpu.map('2 * t', { t }), mine, 4))
  gpu.record(encoder, () => gpu.map('-t', { t }, { out: t }))
  submit(encoder)
  expect(await list(t)).toEqual([-300, -300, -300])
  expect(await list(gpu.tensor({ buffer: mine }, [4]))).toEqual([0, 600, 600, 600])
  mine.destroy()
})

test('inside, the buffer of a tensor is written by what the encoder holds', async () => {
  const mapped = device.createBuffer({ size: 16, usage: 1 | 8 })
  gpu.record(encoder, () => {
    const x = gpu.map('x + 1', { x: gpu.tensor([1, 2, 3, 4]) })
    encoder.copyBufferToBuffer(x.buffer, 0, mapped, 0, 16)
  })
  submit(encoder)
  await mapped.mapAsync(1)
  expect([...new Float32Array(mapped.getMappedRange())]).toEqual([2, 3, 4, 5])
  mapped.destroy()
})

test('where its function throws, what came before is in the encoder, and the library works on', async () => {
  const t = gpu.fill([2], 1)
  expect(() =>
    gpu.record(encoder, () => {
      gpu.map('t + 1', { t }, { out: t })
      throw new Error('own')
    }),
  ).toThrow('own')
  expect(await list(gpu.sum(gpu.fill([4], 2)))).toEqual([8])
  submit(encoder)
  expect(await list(t)).toEqual([2, 2])
})

describe('refused by name', () => {
  const waits = 'the library does not know that it was submitted'
  test('results before the encoder was submitted, and what it reads as a place for results', async () => {
    const x = gpu.fill([4], 1)
    const y = gpu.record(encoder, () => gpu.map('x + 1', { x }))
    await expect(y.read()).rejects.toThrow(`${waits} [record.waits]\n  hint: after device.queue.submit: gpu.submitted`)
    expect(() => gpu.sum(y)).toThrow(waits)
    expect(() => gpu.fill([4], 2, { out: y })).toThrow(waits)
    expect(() => gpu.fill([4], 2, { out: x })).toThrow('a result would be written over what an encoder reads')
    const other = device.createCommandEncoder()
    expect(() => gpu.record(other, () => gpu.sum(y))).toThrow(waits)
    expect(await list(x)).toEqual([1, 1, 1, 1]) // reading is no harm
    submit(encoder)
    expect(await list(y)).toEqual([2, 2, 2, 2])
    gpu.submitted(other)
  })
  const inside: Readonly<Record<string, (g: Gpu) => unknown>> = {
    'record cannot run inside of record [record.nested]': (g) => g.record(encoder, () => {}),
    'record ends when its function returns, and this one returns a promise [record.async]': async () => {},
    'an encoder is submitted after record, not inside of it [record.nested]': (g) => {
      g.fill([1], 1)
      g.submitted(encoder)
    },
  }
  test.each(Object.keys(inside))('%s', (message) => {
    expect(() => gpu.record(encoder, () => inside[message]!(gpu))).toThrow(message)
    gpu.submitted(encoder)
  })
  test('what would wait', async () => {
    const promises: Promise<unknown>[] = []
    gpu.record(encoder, () => {
      const x = gpu.fill([1], 1)
      promises.push(
        x.read(),
        gpu.sync(),
        gpu.warm([() => gpu.sum(x)]),
        gpu.profile(() => {}),
      )
      return null
    })
    for (const [i, what] of ['read', 'sync', 'warm', 'profile'].entries())
      await expect(promises[i]).rejects.toThrow(`${what} inside of record would wait for work`)
    submit(encoder)
  })
  test('what is no encoder, no function, and not recorded into', () => {
    expect(() => gpu.record({} as never, () => {})).toThrow('into a GPUCommandEncoder, not into an object [record.enc')
    expect(() => gpu.record(encoder, 3 as never)).toThrow('record takes a function, not 3 [record.function]')
    expect(() => gpu.submitted(encoder)).toThrow('nothing that waits was recorded into this encoder [record.encoder]')
    expect(() => gpu.submitted(3 as never)).toThrow('a GPUCommandEncoder was submitted, not 3 [record.encoder]')
  })
  test('too many encoders that nobody has submitted', async () => {
    using other = await openSoftware()
    const record = (): void => other.record(other.core.device.createCommandEncoder(), () => void other.fill([1], 1))
    for (let i = 0; i < 64; i++) record()
    expect(record).toThrow('work was recorded into 64 encoders')
    expect(record).toThrow(TeselaError)
  })
})
