// What all operations share: tensors, memory that comes back, problems that are said, profiles, the caller's own device
// and buffers; and a soak of twenty thousand small operations.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { open, type Gpu, type Tensor } from '../../src/kernels/index.ts'
import { nullDevice, swiftShaderGpu } from '../support/dawn.ts'
import { numbers, openSoftware } from './language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

describe('tensors', () => {
  test('numbers go in and come back, by type', async () => {
    expect(await gpu.tensor([1, 2, 3, 4, 5, 6], [2, 3]).read()).toEqual(new Float32Array([1, 2, 3, 4, 5, 6]))
    expect(await gpu.tensor(new Float64Array([0.1])).read()).toEqual(new Float32Array([0.1]))
    expect(await gpu.tensor(new Int32Array([-1, 2])).read()).toEqual(new Int32Array([-1, 2]))
    expect(await gpu.tensor([7, 8, 9], [3], 'u32').read()).toEqual(new Uint32Array([7, 8, 9]))
    expect(await gpu.tensor([], [0, 4]).read()).toEqual(new Float32Array(0))
    expect(await gpu.tensor(new Float32Array([9, 1, 2, 9]).subarray(1, 3)).read()).toEqual(new Float32Array([1, 2]))
  })
  test('shapes are checked in sentences', () => {
    expect(() => gpu.tensor([1, 2, 3], [2, 2])).toThrow(
      '3 numbers do not fill the shape [2, 2], which has 4 elements [tensor.shape]',
    )
    expect(() => gpu.tensor([1], [1.5])).toThrow('[1.5] is no shape: 1.5 is no integer from 0')
    expect(() => gpu.tensor(new Float32Array(2), [2], 'i32')).toThrow('a Float32Array cannot be a tensor of i32')
    expect(() => gpu.tensor([1, 2, 3]).reshape([2, -1])).toThrow('3 elements do not fill the shape [2, -1]')
    expect(gpu.tensor([1, 2, 3, 4]).reshape([2, -1]).shape).toEqual([2, 2])
  })
  test('memory that is too large is refused before anything is asked for', () => {
    expect(() => gpu.fill([2 ** 20, 2 ** 12], 0)).toThrow(
      /a tensor of shape \[1048576, 4096\] has 17179869184 bytes, and this device binds at most \d+ \[device\.size\]/,
    )
  })
  test('a disposed tensor cannot be used; one that shares its memory can', async () => {
    const x = gpu.tensor([1, 2, 3, 4])
    const y = x.reshape([2, 2])
    x.dispose()
    x.dispose()
    expect(() => gpu.sum(x)).toThrow(
      "a tensor of shape [4] is used after it was disposed ('x' of sum) [tensor.disposed]",
    )
    await expect(x.read()).rejects.toThrow('disposed')
    expect(await y.read()).toEqual(new Float32Array([1, 2, 3, 4]))
  })
  test('uploads do not overtake work that reads the memory they reuse', async () => {
    const x = gpu.tensor([1, 2, 3, 4])
    const sum = gpu.sum(x)
    x.dispose()
    gpu.tensor([100, 100, 100, 100])
    expect([...(await sum.read())]).toEqual([10])
  })
})

test('operations work apart from their object', async () => {
  const { tensor, sum, matmul, scan, tidy } = gpu
  const x = tensor([1, 2, 3, 4], [2, 2])
  expect(await tidy(() => sum(matmul(x, x))).read()).toEqual(new Float32Array([54]))
  expect(await scan(x, { axis: 1 }).read()).toEqual(new Float32Array([1, 3, 3, 7]))
  expect(Object.keys(gpu)).not.toContain('sum')
})

test('twenty thousand small operations: no memory, pipelines or time grow', async () => {
  using x = gpu.tensor(numbers([64]), [8, 8])
  const rounds = async (n: number): Promise<number> => {
    const start = process.cpuUsage()
    for (let i = 0; i < n; i++) {
      using y = gpu.map('a * x + 1', { a: i, x })
      using z = gpu.sum(y, { axes: 0 })
      if (i % 1000 === 999) await z.read()
    }
    await gpu.sync()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 // milliseconds; the wall's clock counts other people's work
  }
  await rounds(1000)
  const grown = (): readonly unknown[] => [gpu.core.statistics['created'], gpu.core.statistics['pipelines']]
  const before = grown()
  const first = await rounds(2000)
  await rounds(5000)
  const last = await rounds(2000)
  expect(grown()).toEqual(before)
  expect(last).toBeLessThan(3 * first + 500)
})

test(
  'what was worked out for sizes and expressions serves only those: more sizes than are kept, twice, other ' +
    'numbers each time',
  async () => {
    for (const round of [0, 1]) {
      const sums = Array.from({ length: 80 }, (_, i) => {
        const n = 3 + 2 * i,
          data = numbers([n])
        using x = gpu.tensor(data)
        using y = gpu.map('a * x + b', { a: i, x, b: round })
        using z = gpu.map('a * x - b', { a: i, x, b: round })
        return {
          want: data.reduce((s, v) => s + i * v + round, 0),
          other: data.reduce((s, v) => s + i * v - round, 0),
          got: gpu.sum(y),
          also: gpu.sum(z),
        }
      })
      for (const { want, other, got, also } of sums) {
        expect((await got.read())[0]).toBeCloseTo(want, 2)
        expect((await also.read())[0]).toBeCloseTo(other, 2)
      }
    }
  },
)

test(
  'an operation that was done before makes nothing new on the device, and many share a pass and a submission: ' +
    'few after a wait, so that the device begins',
  async () => {
    const device = await nullDevice(),
      calls: Record<string, number> = {}
    const counted = <T extends object>(of: T, name: keyof T & string): void => {
      const real = of[name] as (...args: unknown[]) => unknown // a method
      Object.assign(of, {
        [name]: (...args: unknown[]) => {
          calls[name] = (calls[name] ?? 0) + 1
          return real.apply(of, args)
        },
      })
    }
    for (const name of [
      'createBuffer',
      'createBindGroup',
      'createComputePipeline',
      'createCommandEncoder',
      'pushErrorScope',
    ] as const)
      counted(device, name)
    for (const name of ['submit', 'writeBuffer'] as const) counted(device.queue, name)
    using other = await open({ device, store: null, tuning: 'nvidia' })
    const a = other.tensor(numbers([512, 512]), [512, 512])
    const some = async (n: number): Promise<Record<string, number>> => {
      for (const name of Object.keys(calls)) calls[name] = 0
      // a product in slices, and their sum
      for (let i = 0; i < n; i++) other.matmul(a, a, { alpha: i, activation: 'relu' }).dispose()
      await other.sync()
      return { ...calls }
    }
    const submitted = (n: number): Record<string, number> => ({
      createBuffer: 0,
      createBindGroup: 0,
      createComputePipeline: 0,
      createCommandEncoder: n,
      pushErrorScope: 3 * n,
      submit: n,
      writeBuffer: n,
    })
    await some(8)
    expect(await some(8)).toEqual(submitted(1))
    await some(640)
    expect(await some(640)).toEqual(submitted(6)) // 16, 32, 64, 128, 256, and what is left
    device.destroy()
  },
)

test('memory of tensors that nobody asks for any more comes back', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // the flag has made it
  using other = await openSoftware()
  const drop = (): void => {
    for (let i = 0; i < 40; i++) other.fill([5000], i)
  }
  drop()
  await other.sync()
  const { created } = other.core.statistics
  await expect
    .poll(
      () => {
        collect()
        return other.core.statistics['freeBytes']
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(40 * 20_000 - 1)
  drop()
  await other.sync()
  expect(other.core.statistics['created']).toBe(created)
})

test('large results in a loop: free memory stays within its bound, and the newest is used again', async () => {
  using small = await openSoftware({ keepBytes: 3 * 2 ** 20 })
  const sizes = [2 ** 18, 3 * 2 ** 17, 2 ** 19]
  for (const n of sizes) small.fill([n], 1).dispose()
  const { created } = small.core.statistics
  for (let i = 0; i < 60; i++) small.fill([2 ** 19], i).dispose()
  expect(small.core.statistics['created']).toBe(created)
  for (let i = 0; i < 60; i++) small.fill([sizes[i % 3]!], i).dispose()
  await small.sync()
  expect(small.core.statistics['freeBytes']).toBeLessThanOrEqual(3 * 2 ** 20)
  expect([...(await small.sum(small.fill([1000], 2)).read())]).toEqual([2000])
})

test('a profile: every launch, what it moved, its time and its bound', async () => {
  using other = await openSoftware({ peaks: { bytesPerSecond: 1e9, flopPerSecond: 1e9 } })
  const [a, b] = [other.tensor(numbers([40, 30]), [40, 30]), other.tensor(numbers([30, 20]), [30, 20])]
  const rows = await other.profile(() => other.sum(other.matmul(a, b)))
  expect(rows.map((r) => r.kernel)).toEqual(['matmul batch-nn-small', 'sum f32-whole-short whole'])
  expect(rows[0]).toMatchObject({ flop: 2 * 40 * 30 * 20, bytes: 4 * (40 * 30 + 30 * 20 + 40 * 20), boundNs: 48000 })
  for (const r of rows) expect(r.ns).toBeGreaterThan(0)
  expect(await other.profile(() => {})).toEqual([])
})

test('the time of many launches together, and nothing inside of another measurement', async () => {
  using other = await openSoftware()
  const a = other.tensor(numbers([30, 20]), [30, 20])
  const several: number[] = [] // the least of them: others run on this machine, too
  for (let i = 0; i < 5; i++) several.push((await other.time(() => other.sum(a)))!)
  const one = Math.min(...several),
    many = await other.time(() => {
      for (let i = 0; i < 300; i++) other.sum(a).dispose()
    })
  expect(one).toBeGreaterThan(0)
  expect(many).toBeGreaterThan(20 * one) // SwiftShader has timestamps; 300 launches are two submissions
  expect(await other.time(() => {})).toBe(0)
  await expect(other.time(() => other.profile(() => {}))).rejects.toThrow(
    'profile and time cannot run inside of each other',
  )
})

describe('a device and buffers of the caller', () => {
  test('a buffer is used as it is, and its device stays alive', async () => {
    const adapter = await (await swiftShaderGpu()).requestAdapter()
    const device = await adapter!.requestDevice() // SwiftShader is there
    const mine = await open({ device })
    const buffer = device.createBuffer({ size: 32, usage: 4 | 8 | 128 })
    device.queue.writeBuffer(buffer, 0, new Float32Array([1, 2, 3, 4, 5, 6, NaN, NaN]))
    expect([...(await mine.sum(mine.tensor(buffer, [2, 3]), { axes: 1 }).read())]).toEqual([6, 15])
    expect([...(await mine.sum(mine.tensor(buffer, [6])).read())]).toEqual([21]) // vectors of four are read
    expect(() => mine.tensor(buffer, [9])).toThrow(
      'a buffer of 32 bytes is too small for the shape [9], which needs 36',
    )
    expect(() => mine.tensor(device.createBuffer({ size: 16, usage: 8 }), [4])).toThrow(
      'a buffer for a tensor needs the usage STORAGE [tensor.buffer]',
    )
    expect(() => mine.tensor(device.createBuffer({ size: 20, usage: 4 | 128 }))).toThrow(
      'a tensor of shape [5] is read in vectors of four, and its buffer ends 12 bytes before the last of them does ' +
        '[tensor.buffer]\n  hint: make the buffer 32 bytes large',
    )
    expect(() => gpu.sum(mine.tensor([1]))).toThrow("'x' of sum is a tensor of another device")
    mine.dispose()
    expect(() => mine.tensor([1])).toThrow('the device is closed')
    device.queue.writeBuffer(buffer, 0, new Float32Array(6))
    await device.queue.onSubmittedWorkDone()
    device.destroy()
  })
  test('a lost device is said', async () => {
    const other = await openSoftware()
    const x = other.tensor([1, 2])
    other.core.device.destroy()
    await expect(other.sum(x).read()).rejects.toThrow(/device\.(lost|error|map)/)
  })
})

describe('what the device refuses', () => {
  /** A device, and a tensor on a buffer that is gone. */
  const withGone = async (): Promise<{ gpu: Gpu; gone: Tensor<'f32'>; end: () => void }> => {
    const adapter = await (await swiftShaderGpu()).requestAdapter()
    const device = await adapter!.requestDevice() // SwiftShader is there
    const gpu = await open({ device })
    const buffer = device.createBuffer({ size: 16, usage: 4 | 8 | 128 })
    const gone = gpu.tensor(buffer, [4])
    buffer.destroy()
    return {
      gpu,
      gone,
      end: () => {
        gpu.dispose()
        device.destroy()
      },
    }
  }
  const refusal = /the device refused sum f32-whole-short whole: .* \[device\.error\]/s

  test('belongs to the results that depend on it; everything else is right', async () => {
    const { gpu, gone, end } = await withGone()
    const x = gpu.tensor([1, 2, 3, 4])
    const before = gpu.map('2 * x', { x }),
      bad = gpu.sum(gone),
      worse = gpu.map('x + y', { x: bad, y: 1 }),
      after = gpu.sum(before)
    await expect(worse.read()).rejects.toThrow(refusal)
    await expect(bad.read()).rejects.toThrow(refusal)
    expect([...(await before.read())]).toEqual([2, 4, 6, 8])
    expect([...(await after.read())]).toEqual([20])
    await expect(gpu.map('x + y', { x: bad, y: after }).read()).rejects.toThrow(refusal) // recorded long after
    await gpu.sync() // what was read is not said again
    end()
  })
  test('is said by sync once, and read by all who wait', async () => {
    const { gpu, gone, end } = await withGone()
    const bad = gpu.sum(gone),
      good = gpu.fill([2], 7)
    await expect(gpu.sync()).rejects.toThrow(refusal)
    await gpu.sync()
    expect([...(await good.read())]).toEqual([7, 7])
    const [one, two, three] = await Promise.allSettled([bad.read(), good.read(), bad.read()])
    expect([one.status, two.status, three.status]).toEqual(['rejected', 'fulfilled', 'rejected'])
    end()
  })
  test(
    'takes with it what was submitted together, where ' + 'more came after; memory that is used again is good',
    async () => {
      const { gpu, gone, end } = await withGone()
      const bad = gpu.sum(gone),
        near = gpu.fill([4], 1)
      const x = gpu.tensor([1, 2, 3, 4]) // submits what is before it
      await expect(near.read()).rejects.toThrow(/the device refused an earlier operation: .* \[device\.error\]/s)
      for (const t of [bad, near]) t.dispose()
      for (let i = 0; i < 4; i++)
        expect([...(await gpu.map('x + i', { x, i }).read())]).toEqual([1, 2, 3, 4].map((v) => v + i))
      end()
    },
  )
  test('memory that is not there is said with its size, and what needs less goes on', async () => {
    const gpu = await openSoftware(),
      { device } = gpu.core
    const real = device.createBuffer.bind(device)
    device.createBuffer = (d) => real(d.size > 1 << 20 ? { ...d, usage: 0 } : d) // a buffer that is no good
    const large = gpu.fill([1 << 19], 1),
      small = gpu.fill([3], 2)
    const refused = await gpu
      .sum(large)
      .read()
      .catch((e: unknown) => String(e))
    expect(refused).toMatch(/the device has no memory for a tensor of shape \[524288\] of 2097152 bytes: /)
    expect(refused).toMatch(/ \[device\.memory\]\n {2}hint: dispose of tensors/)
    expect([...(await small.read())]).toEqual([2, 2, 2])
    large.dispose()
    device.createBuffer = real
    expect([...(await gpu.sum(gpu.fill([1 << 19], 1)).read())]).toEqual([1 << 19])
    gpu.dispose()
  })
  test('random programs: exactly the results that depend on what is gone throw', async () => {
    const { gpu, gone, end } = await withGone()
    const stream = random(11),
      pick = (n: number): number => Math.floor(stream.unit() * n)
    for (let round = 0; round < 6; round++) {
      const made: { t: Tensor<'f32'>; value: number | null }[] = [
        { t: gpu.fill([4], 1), value: 1 },
        { t: gone, value: null },
      ]
      for (let i = 0; i < 12; i++) {
        const x = made[pick(made.length)]!,
          y = made[pick(made.length)]!
        made.push({
          t: gpu.map('x + y', { x: x.t, y: y.t }),
          value: x.value === null || y.value === null ? null : x.value + y.value,
        })
      }
      for (const { t, value } of made) {
        if (t === gone) continue
        if (value === null) await expect(t.read()).rejects.toThrow('the device refused map')
        else expect([...(await t.read())]).toEqual([value, value, value, value])
        t.dispose()
      }
    }
    end()
  })
})
