// Results where the caller wants them: every operation, on operands and a result that are parts of one poisoned buffer
// of the caller's, against references in float64 and against the call without `out`; in place; what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import type { Gpu, Tensor } from '../../../src/kernels/index.ts'
import { distance, numbers, openSoftware } from '../language.ts'
import { Arena, withOption } from './arena.ts'
import { rightCall } from './random-calls.ts'
import { references } from './references.ts'

let gpu: Gpu, arena: Arena
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

// biome-ignore lint/suspicious/noExplicitAny: what plain JavaScript sees
type Loose = any

const called = (name: string, args: readonly unknown[]): Tensor => (gpu as Loose)[name](...args)

/** The call with everything in one buffer, and the same without `out`; what differs, or what was written besides. */
async function differs(name: string, args: readonly unknown[]): Promise<string | null> {
  const plain = called(name, args),
    want = await plain.read()
  arena = new Arena(gpu)
  const inside = args.map((x) => arena.moved(x)),
    part = arena.part(plain.bytes)
  const got = called(name, withOption(name, inside, { out: part })),
    data = await got.read()
  if (got.shape.join() !== plain.shape.join() || got.dtype !== plain.dtype) return `[${got.shape.join()}] ${got.dtype}`
  const off = [...want].findIndex((w, i) => !Object.is(w, data[i]))
  if (off >= 0) return `element ${off} is ${data[off]}, not ${want[off]}`
  const spoiled = await arena.spoiled(part.offset, plain.bytes)
  arena.dispose()
  return spoiled.length > 0 ? `${spoiled.length} words around it were written` : null
}

test('a hundred random calls, against references', async () => {
  const world = { gpu, other: gpu, stream: random(7) }
  const wrong: string[] = [],
    seen = new Set<string>()
  for (let i = 0; i < 100; i++) {
    const { name, args } = rightCall(world),
      want = references[name]!(args)
    arena = new Arena(gpu, 1 << 16)
    const part = arena.part(4 * want.data.length)
    const got = called(
      name,
      withOption(
        name,
        args.map((x) => arena.moved(x)),
        { out: part },
      ),
    )
    const data = await got.read()
    const off = want.data.findIndex(
      (w, k) => !(Object.is(data[k], w) || data[k] === w || Math.abs(data[k]! - w) <= (want.within?.[k] ?? 0)),
    )
    if (off >= 0 || got.shape.join() !== want.shape.join()) wrong.push(`${i} ${name}: element ${off} is ${data[off]}`)
    if ((await arena.spoiled(part.offset, 4 * data.length)).length > 0) wrong.push(`${i} ${name} wrote besides`)
    arena.dispose()
    seen.add(name)
  }
  expect(wrong).toEqual([])
  expect(seen.size).toBeGreaterThan(10)
}, 60_000)

const x = (...shape: number[]): Tensor<'f32'> => gpu.tensor(numbers(shape), shape)

/** Operations of several launches. */
const cases: Readonly<Record<string, () => readonly [name: string, ...args: unknown[]]>> = {
  'all of a long vector': () => ['sum', x(70_001)],
  'rows in pieces': () => ['sum', x(3, 33_000), { axes: 1 }],
  'columns in pieces': () => ['mean', x(5000, 40), { axes: 0 }],
  'few columns': () => ['norm', x(300, 7), { axes: 0, keep: true }],
  'several axes': () => ['min', x(3, 5, 7, 9), { axes: [0, 2] }],
  'nothing to reduce': () => ['max', x(3, 1, 5), { axes: 1 }],
  'sums of nothing': () => ['product', gpu.tensor([], [0, 5]), { axes: 0 }],
  'sums of no integers': () => ['sum', gpu.tensor(new Int32Array(0), [3, 0]), { axes: 1 }],
  'a scan from the end': () => ['scan', x(5, 600), { reverse: true }],
  'a scan along few columns': () => ['scan', x(300, 5), { axis: 0, op: 'max', reverse: true }],
  'a place along few columns': () => ['argmax', x(3, 200, 5), { axis: 1 }],
  'axes in two steps': () => ['transpose', x(3, 4, 5, 6), [2, 0, 3, 1]],
  'axes row by row': () => ['transpose', x(3, 4, 5), [1, 0, 2]],
  'a product of odd extents': () => ['matmul', x(67, 65), x(65, 70), { bias: x(70), activation: 'relu' }],
  'a product with a long k': () => ['matmul', x(16, 4096), x(4096, 16)],
  'a product in batches': () => ['matmul', x(3, 20, 24), x(3, 24, 28)],
  'a product that broadcasts': () => ['matmul', x(2, 1, 20, 24), x(3, 24, 4), { c: x(4), beta: 2 }],
  'a product with a vector': () => ['matmul', x(50, 300), x(300, 1)],
  'a product of nothing': () => ['matmul', gpu.tensor([], [4, 0]), gpu.tensor([], [0, 5]), { bias: x(5) }],
  'a convolution': () => ['conv2d', x(1, 3, 9, 11), x(4, 3, 3, 3), { padding: 'same', bias: x(4) }],
  'a convolution of planes': () => ['conv2d', x(2, 3, 9, 11), x(3, 1, 3, 3), { groups: 3, activation: 'tanh' }],
  'a convolution, channels last': () => ['conv2d', x(1, 9, 11, 3), x(3, 3, 3, 4), { layout: 'nhwc' }],
  'planes, channels last': () => ['conv2d', x(1, 9, 11, 3), x(3, 3, 1, 3), { layout: 'nhwc', groups: 3 }],
  'a convolution of no channels': () => ['conv2d', gpu.tensor([], [1, 0, 5, 5]), gpu.tensor([], [2, 0, 3, 3])],
  'a convolution of lines': () => ['conv1d', x(2, 3, 40), x(5, 3, 3), { padding: 'same', stride: 2 }],
  'two passes': () => ['separableConv2d', x(2, 9, 11), x(3), x(5)],
  'bits in another type': () => ['cast', gpu.tensor(new Int32Array([1, -2, 3])), 'u32'],
  'a mean of integers': () => ['mean', gpu.tensor(new Int32Array([1, -2, 4])), {}],
}
test.each(Object.keys(cases))('%s', async (name) => {
  const [operation, ...args] = cases[name]!()
  expect(await differs(operation, args)).toBeNull()
})

describe('places', () => {
  test('a tensor is changed and returned, and shares its memory', async () => {
    const to = gpu.fill([2, 3], 7),
      same = to.reshape([6])
    expect(gpu.map('2 * x', { x: gpu.tensor([1, 2, 3, 4, 5, 6], [2, 3]) }, { out: to })).toBe(to)
    expect([...(await same.read())]).toEqual([2, 4, 6, 8, 10, 12])
    expect([...(await gpu.fill([6], 3, { out: same }).read())]).toEqual([3, 3, 3, 3, 3, 3])
    expect([...(await to.read())]).toEqual([3, 3, 3, 3, 3, 3])
  })
  test('a whole buffer without COPY_SRC; it is the caller’s', async () => {
    const { device } = gpu.core,
      buffer = device.createBuffer({ size: 1024, usage: 128 | 4 })
    using y = gpu.scan(gpu.fill([5], 1), { out: buffer })
    expect(y.buffer).toBe(buffer)
    expect([...(await y.read())]).toEqual([1, 2, 3, 4, 5])
    y.dispose()
    gpu.trim()
    expect([...(await gpu.tensor({ buffer, size: 20 }).read())]).toEqual([1, 2, 3, 4, 5]) // not destroyed
    buffer.destroy()
    const mute = device.createBuffer({ size: 1024, usage: 128 })
    await expect(gpu.fill([5], 1, { out: mute }).read()).rejects.toThrow('without the usage COPY_SRC cannot be read')
    mute.destroy()
  })
  test('parts begin where they say', () => {
    const buffer = gpu.core.device.createBuffer({ size: 1024, usage: 128 | 4 })
    const t = gpu.tensor({ buffer, offset: 512 })
    expect([t.shape, t.byteOffset, t.buffer]).toEqual([[128], 512, buffer])
    expect(gpu.tensor({ buffer, offset: 512, size: 30 }).shape).toEqual([7])
    expect(gpu.tensor([1]).byteOffset).toBe(0)
    buffer.destroy()
  })
})

describe('in place', () => {
  test.each([
    ['f32', 'w - 0.5 * g', (w: number, g: number) => w - 0.5 * g],
    ['i32', 'w * g - w', (w: number, g: number) => w * g - w],
    ['u32', 'w + g', (w: number, g: number) => w + g],
  ] as const)('a step of %s', async (dtype, text, f) => {
    for (const n of [1, 3, 4, 1037]) {
      const data = Array.from({ length: n }, (_, i) => (i * 7) % 23),
        w = gpu.tensor(data, [n], dtype),
        g = gpu.tensor(
          data.map((v) => v % 5),
          [n],
          dtype,
        )
      expect(gpu.map(text, { w, g }, { out: w })).toBe(w)
      expect([...(await w.read())]).toEqual(data.map((v) => f(v, v % 5)))
    }
  })
  test('C becomes αAB + βC, at odd and even extents, in slices', async () => {
    for (const [m, n, k] of [
      [5, 7, 9],
      [64, 64, 32],
      [16, 16, 4096],
      [9, 1, 50],
    ] as const) {
      const [a, b, c] = [numbers([m, k]), numbers([k, n]), numbers([m, n], 3)]
      const to = gpu.tensor(c, [m, n])
      gpu.matmul(gpu.tensor(a, [m, k]), gpu.tensor(b, [k, n]), { alpha: 2, c: to, beta: -0.5, out: to })
      const want = Array.from({ length: m * n }, (_, e) => {
        let sum = 0
        for (let i = 0; i < k; i++) sum += a[Math.floor(e / n) * k + i]! * b[i * n + (e % n)]!
        return 2 * sum - 0.5 * c[e]!
      })
      expect(distance(await to.read(), want, k)).toBeLessThan(1e-6)
    }
  })
})

describe('what does not fit is refused by name, and nothing is written', () => {
  const buffer = (size = 1024, usage = 4 | 8 | 128): GPUBuffer => gpu.core.device.createBuffer({ size, usage })
  const a = (): Tensor<'f32'> => gpu.fill([2, 2], 1)
  const refused: Readonly<Record<string, () => unknown>> = {
    'the result of sum has the shape [2], and out has [3] [out.shape]': () =>
      gpu.sum(a(), { axes: 0, out: gpu.fill([3], 0) }),
    'the result of sum has the shape [2], and out has [2, 1] [out.shape]\n  hint: reshape shares the memory': () =>
      gpu.sum(a(), { axes: 0, out: gpu.fill([2, 1], 0) }),
    'the result of argmax is of i32, and out is a tensor of f32 [out.dtype]': () =>
      gpu.argmax(a(), { axis: 0, out: gpu.fill([2], 0) }),
    "sum takes a tensor as 'out', not 3 [tensor.kind]": () => gpu.sum(a(), { out: 3 as never }),
    "out has no option 'ofset' [out.options]\n  hint: did you mean 'offset'?": () =>
      gpu.sum(a(), { out: { buffer: buffer(), ofset: 4 } as never }),
    'a part of a buffer begins at a multiple of 256 bytes on this device, not at 8 [out.buffer]': () =>
      gpu.sum(a(), { out: { buffer: buffer(), offset: 8 } }),
    'a part of 4 bytes is too small for the shape [2, 2], which needs 16 [out.buffer]': () =>
      gpu.map('x', { x: a() }, { out: { buffer: buffer(), offset: 256, size: 4 } }),
    'the result of map has 16 bytes, and out is a part of 32 [out.size]': () =>
      gpu.map('x', { x: a() }, { out: { buffer: buffer(), offset: 256, size: 32 } }),
    'a buffer for a tensor needs the usage STORAGE [out.buffer]': () => gpu.fill([4], 1, { out: buffer(256, 8) }),
    "the result of transpose would be written over 'x', which is read for it [out.memory]": () => {
      const t = a()
      return gpu.transpose(t, [1, 0], { out: t })
    },
    "the result of map would be written over 'm', which is read for it [out.memory]": () => {
      const m = gpu.fill([1, 4], 1)
      return gpu.map('x + m', { x: gpu.fill([1, 4], 1), m: m.reshape([4]) }, { out: m })
    },
    'map f32-short reads memory of the buffer that it writes to in two ways': () => {
      const all = buffer(),
        part = gpu.tensor({ buffer: all, size: 256 }, [64])
      return gpu.map('x * y', { x: part, y: part }, { out: { buffer: all, offset: 256 } })
    },
    "the result of matmul would be written over 'the first factor', which is read for it [out.memory]": () => {
      const t = a()
      return gpu.matmul(t, a(), { c: t, out: t })
    },
    "the result of sum would be written over 'x', which is read for it [out.memory]": () => {
      const all = buffer()
      return gpu.sum(gpu.tensor({ buffer: all, size: 512 }, [2, 64]), { axes: 0, out: { buffer: all, offset: 256 } })
    },
    'a part of a buffer begins at a multiple of 256 bytes on this device, not at 2 [tensor.buffer]': () =>
      gpu.tensor({ buffer: buffer(), offset: 2 }),
    '1024 bytes from byte 256 on are not in a buffer of 1024 [tensor.buffer]': () =>
      gpu.tensor({ buffer: buffer(), offset: 256, size: 1024 }),
    'a part of 8 bytes is too small for the shape [3], which needs 12 [tensor.buffer]': () =>
      gpu.tensor({ buffer: buffer(), size: 8 }, [3]),
    "tensor has no option 'ofset' [tensor.options]\n  hint: did you mean 'offset'?": () =>
      gpu.tensor({ buffer: buffer(), ofset: 4 } as never),
    "'offset' of tensor is an integer from 0, not -4 [tensor.options]": () =>
      gpu.tensor({ buffer: buffer(), offset: -4 }),
    '12 bytes from byte 1016 on do not fit into a buffer of 1024 [copy.size]': () =>
      gpu.copyTo(gpu.fill([3], 1), buffer(), 1016),
    'elements are copied to a multiple of 4 bytes, not to 2 [copy.offset]': () =>
      gpu.copyTo(gpu.fill([3], 1), buffer(), 2),
    'elements are copied to a GPUBuffer, not to an array [copy.buffer]': () =>
      gpu.copyTo(gpu.fill([3], 1), [] as never),
    'a tensor is not copied to its own memory [copy.buffer]': () => {
      const t = a()
      return gpu.copyTo(t, t.buffer)
    },
  }
  test.each(Object.keys(refused))('%s', (message) => {
    expect(refused[message]!).toThrow(message)
  })
})
