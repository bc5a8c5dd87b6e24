// Counters of small kernels against numbers derived by hand (the derivation stands at each case).
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import {
  KernelBuilder,
  type Counters,
  type Kernel,
  type Launch,
  type SiteCounters,
  type Verified,
} from '../../src/ir/index.ts'
import { compileKernel, sampleBlocks, simulate } from '../../src/simulate/index.ts'
import { naiveMatmul, registerTiled, tiledMatmul, treeSum } from '../support/kernels.ts'

const h200 = gpu('h200')

/** y[i · stride + offset] of `warps` warps, loaded by each thread. */
function strided(stride: number, offset: number, profile = 'h200', block = 32): SiteCounters {
  const k = new KernelBuilder({ name: 'strided', block: [block, 1, 1] })
  const y = k.global('y', 'f32', 'read')
  k.load(y, k.op('add', [k.op('mul', [k.builtin('threadIdx.x'), stride]), offset]))
  return simulate(
    k.finish(),
    { grid: [1, 1, 1], params: {}, buffers: { y: new ArrayBuffer(4 * (block * stride + offset + 1)) } },
    gpu(profile),
  ).counters.sites[0]!
}

describe('one warp, f32, sectors of 32 bytes', () => {
  // 32 lanes × 4 bytes × stride span 128·stride bytes: a sector holds 8 ÷ stride lanes until every lane has its own.
  const cases: readonly (readonly [number, number, number])[] = [
    [1, 0, 4],
    [2, 0, 8],
    [3, 0, 12],
    [4, 0, 16],
    [8, 0, 32],
    [16, 0, 32],
    [17, 0, 32],
    [32, 0, 32],
    [33, 0, 32],
  ]
  for (const [stride, offset, sectors] of cases) {
    test(`stride ${stride}`, () =>
      expect(strided(stride, offset)).toMatchObject({
        requests: 1,
        threads: 32,
        bytes: 128,
        usefulBytes: 128,
        sectors,
        idealSectors: 4,
      }))
  }
  // Any start inside a sector touches a fifth one; a start on a sector does not.
  for (let offset = 1; offset < 32; offset++)
    test(`offset ${offset}`, () => expect(strided(1, offset).sectors).toBe(offset % 8 === 0 ? 4 : 5))
  // One address: one sector, 4 distinct bytes.
  test('broadcast', () =>
    expect(strided(0, 3)).toMatchObject({ sectors: 1, usefulBytes: 4, pattern: 'broadcast', requests: 1, lines: 1 }))
  test('patterns have names', () => {
    expect(strided(1, 0).pattern).toBe('coalesced')
    expect(strided(1, 1).pattern).toBe('misaligned')
    expect(strided(5, 0)).toMatchObject({ pattern: 'strided', stride: 5 })
  })
  // gt200: half-warps; stride 2 needs two segments of 128 bytes.
  test('gt200 stride 2', () => expect(strided(2, 0, 'gt200').sectors).toBe(2))
})

test('a partial warp counts its lanes alone', () =>
  expect(strided(1, 0, 'h200', 40)).toMatchObject({ requests: 2, threads: 40, sectors: 5, bytes: 160 }))

/** Column reads of a 32-wide tile in shared memory, rows padded by `pad` words. */
function column(pad: number): SiteCounters {
  const k = new KernelBuilder({ name: 'column', block: [32, 1, 1] })
  const tile = k.shared('tile', 'f32', 32 * (32 + pad), true)
  k.load(tile, k.op('mul', [k.builtin('threadIdx.x'), 32 + pad]))
  return simulate(k.finish(), { grid: [1, 1, 1], params: {}, buffers: {} }, h200).counters.sites[0]!
}
describe('shared memory', () => {
  // Stride of 32 words: all lanes in bank 0, 32 passes. Stride of 33: one lane a bank.
  test('unpadded column', () =>
    expect(column(0)).toMatchObject({ wavefronts: 32, idealWavefronts: 1, worstConflict: 32 }))
  test('padded column', () => expect(column(1)).toMatchObject({ wavefronts: 1, idealWavefronts: 1, worstConflict: 1 }))
})

function matmulLaunch(n: number, grid: number): Launch {
  const buffer = (): ArrayBuffer => new ArrayBuffer(4 * n * n)
  return { grid: [grid, grid, 1], params: { n }, buffers: { A: buffer(), B: buffer(), C: buffer() } }
}

describe('naive matrix product, n = 64', () => {
  const { counters } = simulate(naiveMatmul(), matmulLaunch(64, 4), h200, { exact: true })
  // 16 blocks × 8 warps × 64 rounds. A: two rows, one word each, in two sectors. B: 16 words of one row in two sectors.
  test('loads of A', () =>
    expect(counters.sites[0]).toMatchObject({
      requests: 8192,
      sectors: 16384,
      usefulBytes: 8192 * 8,
      pattern: 'broadcast',
    }))
  test('loads of B', () =>
    expect(counters.sites[1]).toMatchObject({ requests: 8192, sectors: 16384, usefulBytes: 8192 * 64, lines: 8192 }))
  // C: two rows of 16 words: four sectors, 128 warps.
  test('stores of C', () => expect(counters.sites[2]).toMatchObject({ requests: 128, sectors: 512, idealSectors: 512 }))
  test('one fma per element and step', () => expect(counters.instructions.byClass.fp32).toBe(64 ** 3))
  // Loop conditions: 65 rounds of an if per warp, none divergent.
  test('branches', () => expect(counters.branches).toEqual([{ executed: 128 * 65, divergent: 0 }]))
  test('per round and thread: add, mul, add, two loads, fma, lt, if, add, jump back', () => {
    const { byClass, thread } = counters.instructions
    // Outside the loop: builtins 4, index 2 × (mul, add), start, two copies, then add, store; the last round's lt, if,
    // jump, break.
    expect(thread).toBe(64 * 64 * (64 * 10 + 4 + 4 + 1 + 2 + 2 + 4))
    expect(byClass.load).toBe(2 * 64 ** 3)
  })
})

test('tiled matrix product: barriers, and no conflicts', () => {
  const { counters } = simulate(tiledMatmul(), matmulLaunch(64, 4), h200, { exact: true })
  expect(counters.barriersPerBlock).toBe(8) // two per tile of 16, four tiles
  expect(counters.hazards).toEqual([])
  for (const s of counters.sites.filter((x) => x.space === 'shared')) expect(s.wavefronts).toBe(s.idealWavefronts)
})

test('tree sum: warps part in the last steps', () => {
  const x = new Float32Array(1000).fill(1)
  const out = new ArrayBuffer(8)
  const { counters } = simulate(
    treeSum(),
    { grid: [2, 1, 1], params: { n: 1000 }, buffers: { x: x.buffer, out } },
    h200,
    { exact: true },
  )
  expect([...new Float32Array(out)]).toEqual([512, 488])
  // half = 16, 8, 4, 2, 1: warp 0 of each block parts; half ≥ 32 splits between warps.
  expect(counters.branches[3]).toEqual({ executed: 2 * 8 * 8, divergent: 2 * 5 })
})

describe('sampling', () => {
  test('first, inside, last of each axis, with their weights', () => {
    expect(sampleBlocks([10, 1, 1])).toEqual([
      { block: [0, 0, 0], weight: 1 },
      { block: [5, 0, 0], weight: 8 },
      { block: [9, 0, 0], weight: 1 },
    ])
    expect(sampleBlocks([8, 8, 1]).reduce((n, c) => n + c.weight, 0)).toBe(64)
  })
  test('a regular kernel counts the same as all its blocks', () => {
    const strip = ({ coverage, work, ...rest }: Counters): Omit<Counters, 'coverage' | 'work'> => rest
    const sampled = simulate(tiledMatmul(), matmulLaunch(128, 8), h200).counters
    const exact = simulate(tiledMatmul(), matmulLaunch(128, 8), h200, { exact: true }).counters
    expect(strip(sampled)).toEqual(strip(exact))
    expect(sampled.coverage).toEqual({ blocks: 64, simulated: 2, exact: true })
    expect(exact.coverage).toEqual({ blocks: 64, simulated: 64, exact: true })
    expect(exact.work.blocks).toBe(null)
    expect(exact.work.instructions.reduce((a, b) => a + b)).toBe(exact.instructions.warp)
    expect(new Set(exact.work.instructions).size).toBe(1)
  })
  test('chosen blocks stand for equal shares', () => {
    const { counters } = simulate(tiledMatmul(), matmulLaunch(128, 8), h200, { blocks: [[1, 2, 0]] })
    expect(counters.coverage.simulated).toBe(1)
    expect(counters.instructions.byClass.fp32).toBe(128 ** 3)
  })
  test('only the blocks that ran have written', () => {
    const launch = {
      ...matmulLaunch(128, 8),
      buffers: { ...matmulLaunch(128, 8).buffers, C: new Float32Array(128 * 128).fill(7).buffer },
    }
    simulate(tiledMatmul(), launch, h200, { blocks: [[0, 0, 0]] })
    const C = new Float32Array(launch.buffers.C)
    expect([C[0], C[16]]).toEqual([0, 7])
  })
})

test('a compiled kernel runs on many launches', () => {
  const simulation = compileKernel(naiveMatmul(), h200)
  for (const n of [16, 48]) {
    const launch = matmulLaunch(n, n / 16)
    new Float32Array(launch.buffers.A!).fill(1)
    new Float32Array(launch.buffers.B!).fill(2)
    simulation.run(launch, { exact: true })
    expect(new Set(new Float32Array(launch.buffers.C!))).toEqual(new Set([2 * n]))
  }
})

test('a register-tiled product with vector loads is right', () => {
  const n = 128
  const launch = matmulLaunch(n, 1)
  const [A, B] = [new Float32Array(launch.buffers.A!), new Float32Array(launch.buffers.B!)]
  for (let i = 0; i < n * n; i++) {
    A[i] = (i % 7) - 3
    B[i] = (i % 11) - 5
  }
  simulate(registerTiled(8, 8), launch, h200, { exact: true })
  const C = new Float32Array(launch.buffers.C!)
  for (const [i, j] of [
    [0, 0],
    [5, 77],
    [127, 127],
    [64, 3],
  ] as const) {
    let sum = 0
    for (let k = 0; k < n; k++) sum += A[i * n + k]! * B[k * n + j]!
    expect(C[i * n + j]).toBe(sum)
  }
})

test('scattered requests without end are all counted', () => {
  const k = new KernelBuilder({ name: 'gather', block: [32, 1, 1] })
  const [x, index] = [k.global('x', 'f32', 'read'), k.global('index', 'u32', 'read')]
  const i = k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 32]), k.builtin('threadIdx.x')])
  k.load(x, k.load(index, i))
  const kernel: Verified<Kernel> = k.finish()
  const n = 32 * 5000
  const list = Uint32Array.from({ length: n }, (_, at) => (Math.imul(at, 2654435761) >>> 0) % 100000)
  const { counters } = simulate(
    kernel,
    { grid: [5000, 1, 1], params: {}, buffers: { x: new ArrayBuffer(400000), index: list.buffer } },
    h200,
    { exact: true },
  )
  let sectors = 0
  for (let w = 0; w < 5000; w++) sectors += new Set(Array.from(list.subarray(32 * w, 32 * w + 32), (v) => v >> 3)).size
  expect(counters.sites[1]).toMatchObject({ requests: 5000, sectors, pattern: 'scattered' })
})
