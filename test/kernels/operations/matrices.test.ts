// Products on matrix units, of which no device here has any: the library around them runs on SwiftShader with the plain
// tile in their place, the tile itself in the simulator, and its texts go through Tint. What scales are, odd sizes,
// slices, what is fused, NMF; where units are not used.
import { isLong } from '../../support/long.ts'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { gpu as profileOf } from '../../../src/gpus/index.ts'
import { type Factors, type Gpu, type MatmulOptions, type Tensor, open } from '../../../src/kernels/index.ts'
import { unitsChoices, unitTiles as shapes, type Chooser } from '../../../src/kernels/matrices/choose.ts'
import { spec } from '../../../src/kernels/matrices/kernel.ts'
import type { Core, Peaks } from '../../../src/kernels/device/core.ts'
import { use } from '../../../src/kernels/matrices/matrices.ts'
import { bound, onUnits } from '../../../src/kernels/device/profiling.ts'
import { power, powers } from '../../../src/kernels/matrices/powers.ts'
import { units } from '../../../src/kernels/matmul/problem.ts'
import { sharedBytesOf } from '../../../src/ir/index.ts'
import { memoryFor, runSimulated } from '../../../src/tune/index.ts'
import { planOf, prepare } from '../../../tools/kernels.ts'
import { nullGpu, swiftShaderGpu } from '../../support/dawn.ts'
import { at, farOff, indices, numbers, openSoftware } from '../language.ts'

const folder = join(import.meta.dirname, '../../../src/kernels/matrices')

vi.mock('../../../src/kernels/made/matrices.made.js', async () => {
  const [{ products, spec }, { tiles }, { prepare, recipesOf }, { recipeOf }] = await Promise.all([
    import('../../../src/kernels/matrices/kernel.ts'),
    import('../../../src/kernels/matmul/kernel.ts'),
    import('../../../tools/kernels.ts'),
    import('../../../src/kernels/device/plan-launches.ts'),
  ])
  await prepare()
  const tile = { ...tiles.quick, bk: 16, prefetch: 0, buffers: 1, unrollK: 1, whole: 0 }
  return {
    recipe: recipeOf(
      (
        await recipesOf(
          { matrices: { ...spec['matrices'], ...products(tile, [tile, tile], tile) } },
          join(import.meta.dirname, '../../../src/kernels/matrices'),
        )
      )['matrices']!, // asked for
    ),
  }
})

type Numbers = Float32Array<ArrayBuffer>

let gpu: Gpu, plain: Gpu
/** What the next products are asked to do. */
let choose: Chooser = () => ['units/1']
beforeAll(async () => {
  ;[gpu, plain] = [await openSoftware({ tuning: 'nvidia' }), await openSoftware()]
  expect(await use(gpu.core, (...all) => choose(...all))).toBe(true)
}, 60_000)
afterAll(() => {
  gpu.dispose()
  plain.dispose()
})

/** Σ a · b of [m, k] and [k, n], stored as options say, in float64; with `sizes`, of absolute values. */
function product(
  a: Float32Array,
  as: readonly number[],
  b: Float32Array,
  bs: readonly number[],
  { transposeA = false, transposeB = false }: MatmulOptions = {},
  sizes = false,
): number[] {
  const [m, k] = transposeA ? [as[1]!, as[0]!] : [as[0]!, as[1]!],
    n = bs[transposeB ? 0 : 1]!
  const f = sizes ? Math.abs : (x: number): number => x
  return indices([m, n]).map(([i, j]) =>
    Array.from({ length: k }, (_, x) =>
      f(at(a, as, transposeA ? [x, i!] : [i!, x]) * at(b, bs, transposeB ? [j!, x] : [x, j!])),
    ).reduce((s, v) => s + v, 0),
  )
}

const kernelsOf = async (f: () => unknown): Promise<readonly string[]> => (await gpu.profile(f)).map((k) => k.kernel)

describe('powers of two', () => {
  /** What brings the greatest to [2^13, 2^14), and back in two steps. */
  const check = async (t: Tensor, greatest: number): Promise<void> => {
    const [by = 0, half = 0, rest = 0] = await t.read()
    expect(Number.isInteger(Math.log2(by))).toBe(true)
    expect(by * half * rest).toBe(1)
    if (greatest >= 2 ** -113) expect(Math.floor(Math.log2(greatest * by))).toBe(13)
    else expect(by).toBe(2 ** 126)
    for (const x of [by, half, rest]) expect(x >= 2 ** -126 && x <= 2 ** 126).toBe(true)
  }
  test.each([
    1,
    1e-30,
    1e30,
    3.4e38,
    2 ** 13,
    2 ** 14 - 0.5,
    2 ** -113,
    2 ** -114,
    1e-38,
    0,
    -7,
  ])('of a greatest of %d', async (greatest) => {
    const x = numbers([8, 12]).map((v) => 0.9 * v * greatest)
    x[17] = greatest
    using t = gpu.tensor(x, [8, 12])
    using found = power(t)
    await check(found, Math.abs(greatest))
  })
  test('of two tensors of other lengths; infinities and NaN have no part in them', async () => {
    const [x, y] = [numbers([128, 256]).map((v) => 100 * v), numbers([3, 5])]
    x[40] = Infinity
    x[4000] = -Infinity
    x[30_000] = NaN
    const [a, b] = powers(gpu.tensor(x, [128, 256]), gpu.tensor(y, [3, 5]))
    await check(a, Math.max(...x.filter(Number.isFinite).map(Math.abs)))
    await check(b, Math.max(...y.map(Math.abs)))
  })
})

describe('products', () => {
  const layouts = [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ] as const
  test.each(layouts)(
    'transposed %s, %s: whole, odd and sliced, with what follows',
    async (transposeA, transposeB) => {
      for (const [m, n, k, splits] of [
        [64, 128, 64, 1],
        [67, 45, 93, 1],
        [36, 132, 96, 3],
        [33, 34, 90, 3],
      ] as const) {
        choose = () => [`units/${splits}`]
        const as = transposeA ? [k, m] : [m, k],
          bs = transposeB ? [n, k] : [k, n],
          a = numbers(as, m),
          b = numbers(bs, n),
          c = numbers([m, n]),
          bias = numbers([n])
        const options = { transposeA, transposeB }
        let out: Tensor | undefined
        const kernels = await kernelsOf(() => {
          out = gpu.matmul(gpu.tensor(a, as), gpu.tensor(b, bs), {
            ...options,
            alpha: 0.5,
            beta: 2,
            c: gpu.tensor(c, [m, n]),
            bias: gpu.tensor(bias),
            activation: 'relu',
          })
        })
        expect(kernels.filter((name) => name.startsWith('matrices'))).toEqual([
          'matrices tops top',
          'matrices powers power',
          `matrices ${transposeA ? 't' : 'n'}${transposeB ? 't' : 'n'}`,
        ])
        expect(kernels.filter((name) => name.startsWith('matmul'))).toEqual([])
        const want = product(a, as, b, bs, options).map((x, e) => Math.max(0, 0.5 * x + 2 * c[e]! + bias[e % n]!))
        expect(await farOff(out!, want, 1 + Math.sqrt(k)), `${m} × ${n} × ${k}`).toBeLessThan(1e-5)
      }
    },
    60_000,
  )

  test('each asks what is fastest: what is not for units goes on as before', async () => {
    const a = gpu.tensor(numbers([64, 64]), [64, 64]),
      batches = gpu.tensor(numbers([2, 64, 64]), [2, 64, 64])
    choose = () => ['plain']
    expect((await kernelsOf(() => gpu.matmul(a, a))).filter((name) => name.startsWith('matrices'))).toEqual([])
    choose = () => ['units/1', 'plain']
    expect((await kernelsOf(() => gpu.matmul(batches, batches))).filter((name) => name.startsWith('matrices'))).toEqual(
      [],
    )
    gpu.core.tuned.set('matrices tn 64×64×64', 'plain') // as `tune` would
    expect(
      (await kernelsOf(() => gpu.matmul(a, a, { transposeA: true }))).filter((name) => name.startsWith('matrices')),
    ).toEqual([])
    gpu.core.tuned.clear()
  })

  test('operands that leave no room for powers of two are fused all the same', async () => {
    choose = () => ['units/1']
    const a = gpu.tensor(numbers([48, 64]), [48, 64]),
      b = a.reshape([64, 48]),
      most = gpu.core.device.limits.maxStorageBuffersPerShaderStage
    const by = (count: number): MatmulOptions => ({
      activation: ['x', ...Array.from({ length: count }, (_, i) => `t${i}`)].join(' + '),
      operands: Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, gpu.fill([48], i)])),
    })
    const kernels = async (count: number): Promise<readonly string[]> =>
      (await kernelsOf(() => gpu.matmul(a, b, by(count)))).filter((name) => /^mat/.test(name))
    expect(await kernels(most - 5)).toContain('matrices nn')
    expect(await kernels(most - 4)).toEqual([expect.stringMatching(/^matmul/)])
  })

  test('what cannot be explained is not used while kernels are', async () => {
    choose = () => ['units/1']
    const a = gpu.tensor(numbers([64, 32]), [64, 32]),
      asked = units.get(gpu.core)
    expect(
      (await gpu.explain(() => gpu.matmul(a, a, { transposeB: true }), { gpu: 'h200', brief: true })).map(
        (k) => k.kernel,
      ),
    ).toEqual([expect.stringMatching(/^matmul/)])
    expect(units.get(gpu.core)).toBe(asked)
  })

  test.each([
    [1e-30, 1],
    [1, 1e-30],
    [1e30, 1e-25],
    [1e-20, 1e30],
    [1e18, 1e18],
  ])('factors of size %d and %d', async (left, right) => {
    choose = () => ['units/1']
    const [a, b] = [numbers([40, 64]).map((x) => x * left), numbers([64, 36], 2).map((x) => x * right)]
    const want = product(a, [40, 64], b, [64, 36])
    expect(
      await farOff(gpu.matmul(gpu.tensor(a, [40, 64]), gpu.tensor(b, [64, 36])), want, left * right * 9),
    ).toBeLessThan(1e-5)
  })

  test('zeros; what overflows is infinite', async () => {
    choose = () => ['units/1']
    const zeros = gpu.fill([64, 64], 0),
      large = gpu.fill([64, 64], 1e30)
    expect(new Set(await gpu.matmul(zeros, gpu.tensor(numbers([64, 64]), [64, 64])).read())).toEqual(new Set([0]))
    expect(new Set(await gpu.matmul(zeros, large).read())).toEqual(new Set([0]))
    expect(new Set(await gpu.matmul(large, large).read())).toEqual(new Set([Infinity]))
  })
})

test.runIf(isLong)(
  'tuning asks what comes after a choice: plain tiles that beat units have choices of their own',
  async () => {
    using other = await openSoftware()
    const { core } = other,
      record = core.record.bind(core)
    expect(await use(core, () => ['units/1', 'plain'])).toBe(true)
    core.record = (work) => {
      for (let i = 0; i < (work.module === 'matrices' ? 60 : 1); i++) record(work)
    } // slow units
    const { entries } = await other.tune({ only: ['matmul 61'], store: null })
    // the tiles (before them how those that pad copy), and what they are compared with
    expect(entries.slice(-2).map((e) => e.point)).toEqual(['split odd nn 64×64×64×1', 'matrices odd nn 64×64×64'])
    expect(entries.at(-1)).toMatchObject({ choice: 'plain', otherwise: 'units/1' })
    expect((await other.tune({ only: ['matmul 61'], store: null })).entries).toEqual([])
  },
  120_000,
)

describe('the tile on matrix units', () => {
  /**
   * [m, k] · [k, n] in the simulator with powers of two as the library finds them, and how far each element may be off:
   * that of f16 in pieces, and of a sum in f32.
   */
  async function simulated(
    layout: 'nn' | 'nt' | 'tn' | 'tt',
    a: Numbers,
    b: Numbers,
    [m, n, k]: readonly [number, number, number],
  ): Promise<{ readonly got: Float32Array; readonly want: number[]; readonly most: number[] }> {
    const plan = await planOf(spec['matrices']![layout]!, folder),
      values = { sizes: { splits: 1, n: m, m: n, p: k }, scalars: {} }
    const memory: ReturnType<typeof memoryFor> = { ...memoryFor(plan, values, 1), A: a, B: b }
    const greatest = [a, b].map((x) => Math.max(...x.map(Math.abs).filter(Number.isFinite)))
    for (const [n_, name] of ['a', 'b'].entries()) {
      const up = Math.min(126, 13 - Math.floor(Math.log2(greatest[n_]!))),
        half = Math.trunc(up / 2)
      memory[name] = Float32Array.from([2 ** up, 2 ** -half, 2 ** (half - up)])
    }
    expect(runSimulated(plan, values, memory, profileOf('h200'))).toEqual([])
    const [as, bs, options] = [
      layout[0] === 't' ? [k, m] : [m, k],
      layout[1] === 't' ? [n, k] : [k, n],
      { transposeA: layout[0] === 't', transposeB: layout[1] === 't' },
    ]
    const sums = product(a, as, b, bs, options, true)
    return {
      got: memory['C'] as Float32Array,
      want: product(a, as, b, bs, options),
      most: sums.map((s) => s * (2 ** -22 + 4e-7 * Math.sqrt(k)) + k * 2 ** -38 * greatest[0]! * greatest[1]! + 1e-44),
    } // an array of f32
  }
  beforeAll(prepare)

  test.each([
    ['nn', 1, 1],
    ['nt', 1e-18, 1e-18],
    ['tn', 1e30, 1e-30],
    ['tt', 1e-30, 1e25],
  ] as const)('%s, factors of size %d and %d: both pieces of both factors count', async (layout, left, right) => {
    const a = numbers([36, 256]).map((x) => Math.abs(x) * left),
      b = numbers([256, 40], 2).map((x) => Math.abs(x) * right)
    const { got, want, most } = await simulated(layout, a, b, [36, 40, 256])
    want.forEach((w, e) =>
      expect(Math.abs(got[e]! - w), `element ${e}: ${got[e]} for ${w}`).toBeLessThanOrEqual(most[e]!),
    )
  })

  test('one element that is 10⁸ times larger costs small ones no more than its bound', async () => {
    const a = numbers([32, 256]),
      b = numbers([256, 32], 2)
    a[70] = 1e8
    const { got, want, most } = await simulated('nn', a, b, [32, 32, 256])
    want.forEach((w, e) =>
      expect(Math.abs(got[e]! - w), `element ${e}: ${got[e]} for ${w}`).toBeLessThanOrEqual(most[e]!),
    )
  })

  test('an infinity or NaN makes no number of its row, and leaves others alone', async () => {
    const a = numbers([32, 256]),
      b = numbers([256, 32], 2)
    a[2 * 256 + 5] = Infinity
    a[7 * 256] = NaN
    const { got, want, most } = await simulated('nn', a, b, [32, 32, 256])
    want.forEach((w, e) => {
      if ([2, 7].includes(Math.floor(e / 32))) expect(Number.isFinite(got[e]!)).toBe(false)
      else expect(Math.abs(got[e]! - w)).toBeLessThanOrEqual(most[e]!)
    })
  })

  test('its texts are WGSL with subgroup matrices', async () => {
    const adapter = (await (await nullGpu(['enable-dawn-features=allow_unsafe_apis'])).requestAdapter())!
    // the last one is Dawn's
    const features = ['shader-f16', 'chromium-experimental-subgroup-matrix'] as GPUFeatureName[]
    const device = await adapter.requestDevice({ requiredFeatures: features })
    for (const layout of ['nn', 'nt', 'tn', 'tt'] as const) {
      const plan = await planOf(spec['matrices']![layout]!, folder),
        launch = plan.variants[0]!.launches[0]!,
        code = launch.emitted!.wgsl!.text
      expect(code).toContain('subgroupMatrixMultiplyAccumulate')
      // what the devices that have such units bind
      expect(sharedBytesOf(launch.matrices!), layout).toBeLessThanOrEqual(48 * 1024)
      device.pushErrorScope('validation')
      device.createShaderModule({ code })
      expect((await device.popErrorScope())?.message, layout).toBeUndefined()
    }
  })
})

describe('NMF', () => {
  test('factors as without units, in four launches for each half of an iteration', async () => {
    choose = () => ['units/2']
    const [m, n, rank, iterations] = [128, 96, 64, 3],
      positive = (shape: readonly number[], seed: number): Numbers => numbers(shape, seed).map(Math.abs)
    const data = positive([m, n], 6),
      w0 = positive([m, rank], 7),
      h0 = positive([rank, n], 8)
    for (let i = 0; i < m; i++) data[i * n + 5] = 0
    const on = (g: Gpu): Factors =>
      g.nmf(g.tensor(data, [m, n]), { rank, iterations, w: g.tensor(w0, [m, rank]), h: g.tensor(h0, [rank, n]) })
    let made: Factors | undefined
    const kernels = (
      await kernelsOf(() => {
        made = on(gpu)
      })
    ).filter((name) => !/^(map|transpose)/.test(name))
    const want = on(plain)
    const half = (layout: string): string[] => [
      'matrices top top',
      'matrices power power',
      `matrices update-${layout} update`,
      'nmf last matmul',
    ]
    expect(kernels).toEqual([
      'matrices top top',
      'matrices power power',
      ...Array.from({ length: iterations }, () => [...half('nt'), ...half('nn')]).flat(),
    ])
    for (const name of ['w', 'h'] as const) {
      const list = [...(await want[name].read())]
      expect(await farOff(made![name], list, Math.max(...list))).toBeLessThan(1e-5)
    }
  }, 60_000)

  test('memory does not grow; sizes without a plan, and those ' +
    'where other products are faster, go on as before', async () => {
    choose = () => ['units/1']
    const once = (iterations: number): void => {
      gpu.nmf(gpu.tensor(numbers([64, 64]).map(Math.abs), [64, 64]), { rank: 32, iterations }).dispose()
    }
    once(2)
    await gpu.sync()
    const before = gpu.core.statistics['created']
    once(9)
    await gpu.sync()
    expect(gpu.core.statistics['created']).toBe(before)
    const updates = (m: number, n: number, rank: number): unknown =>
      units.get(gpu.core)!.updates(gpu.tensor(numbers([m, n]), [m, n]), rank) // made above
    expect([updates(9, 11, 3), updates(64, 64, 30), updates(64, 66, 32)]).toEqual([null, null, null])
    choose = () => ['plain', 'units/1']
    expect(updates(64, 96, 32)).toBeNull()
  }, 60_000)
})

describe('where units are used', () => {
  test('they are bound by what units can do, three products for one', () => {
    const known = (peaks: Peaks): Core => ({ peaks, info: null }) as Core,
      cost = { bytes: 10, flop: 100 } // all that is asked of it
    expect(
      bound(known({ bytesPerSecond: 1e9, flopPerSecond: 1e9, unitFlopPerSecond: 6e9 }), cost, onUnits('matrices nn')),
    ).toBeCloseTo(50)
    expect(bound(known({ bytesPerSecond: 1e9, flopPerSecond: 1e9 }), cost, onUnits('matrices nn'))).toBeCloseTo(10)
    expect(
      bound(
        known({ bytesPerSecond: 1e9, flopPerSecond: 1e9, unitFlopPerSecond: 6e9 }),
        cost,
        onUnits('matmul split-nn-any'),
      ),
    ).toBeCloseTo(100)
  })

  const fits = (): boolean => true
  const first = (m: number, n: number, k: number, found?: number): string =>
    unitsChoices(
      'nvidia',
      { m, n, k, batch: 1, layout: 'nn' },
      { m, n, k },
      fits,
      found === undefined ? shapes.squares : shapes.slim,
      found,
    )[0]!

  test('large products, by the estimate; never on software devices, and never where nothing fits', () => {
    expect(first(4096, 4096, 4096)).toBe('units/1')
    expect(first(64, 8192, 4096, 64 * 4096)).toMatch(/^units\/([2-9]|\d\d)$/) // an update of NMF
    for (const n of [64, 128, 256, 512]) expect(first(n, n, n)).toBe('plain')
    expect([first(4096, 8, 4096), first(4096, 4096, 16)]).toEqual(['plain', 'plain'])
    const e = { m: 4096, n: 4096, k: 4096, batch: 1, layout: 'nn' } as const
    expect(unitsChoices('software', e, e, fits)).toEqual(['plain'])
    expect(unitsChoices('nvidia', e, e, () => false)).toEqual(['plain'])
    expect(unitsChoices('nvidia', { ...e, k: 4000 }, e, fits)[0]).toBe('units/1')
    // most of it would be zeros
    expect(unitsChoices('nvidia', { ...e, k: 65 }, { ...e, k: 256 }, fits)[0]).toBe('plain')
  })

  test('a device without them has none, and neither has one that gets a product wrong', async () => {
    expect(units.get(plain.core)).toBeUndefined()
    const device = await (await (await nullGpu([])).requestAdapter())!.requestDevice() // it computes nothing
    using nothing = await open({ device, store: null })
    expect(await use(nothing.core, unitsChoices)).toBe(false)
    expect(units.get(nothing.core)).toBeUndefined()
    await nothing.sync() // nothing is left to be thrown
  })

  test('`open` asks for what they need unless it is told not to', async () => {
    const software = (await (await swiftShaderGpu()).requestAdapter())!,
      asked: string[][] = []
    const adapter = {
      features: new Set([...software.features, 'shader-f16', 'chromium-experimental-subgroup-matrix']),
      limits: software.limits,
      info: software.info,
      requestDevice: async (wanted: GPUDeviceDescriptor) => {
        asked.push([...(wanted.requiredFeatures ?? [])])
        return (await (await swiftShaderGpu()).requestAdapter())!.requestDevice()
      },
    }
    const own = { requestAdapter: async () => adapter } as unknown as GPU // as much of it as `open` uses
    for (const matrices of [undefined, false])
      (await open({ gpu: own, store: null, ...(matrices === false && { matrices }) })).dispose()
    expect(asked.map((list) => list.filter((f) => /subgroup/.test(f)))).toEqual([
      ['chromium-experimental-subgroup-matrix'],
      [],
    ])
  })
})
