// Kernels whose blocks meet: the compiled simulator against the reference, what is counted, and what must be reported.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import {
  KernelBuilder,
  type Dim3,
  type Hazard,
  type Kernel,
  type Launch,
  type Reg,
  type Verified,
} from '../../src/ir/index.ts'
import { compileKernel, reference, simulate } from '../../src/simulate/index.ts'

const h200 = gpu('h200')

/**
 * Each thread takes the value of the thread before it, `times` times over; the first takes the last one's. Two arrays
 * in turn.
 */
function ring(meets = true): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'ring', block: [48, 1, 1] })
  const x = k.global('x', 'i32'),
    times = k.param('times', 'i32'),
    own = k.shared('own', 'i32', 48)
  const t = k.builtin('threadIdx.x', 't'),
    all = k.op('mul', [k.builtin('gridDim.x'), 48], { name: 'all' })
  const me = k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 48]), t], { name: 'me' })
  const before = k.op('rem', [k.op('add', [me, k.op('sub', [all, 1])]), all], { name: 'before' })
  const from = k.variable('u32', 0, 'from'),
    kept = k.variable('i32', 0, 'kept')
  k.forRange({ to: times, name: 'step' }, () => {
    k.load(x, k.op('add', [from, before]), { dst: kept })
    k.store(own, t, kept)
    k.barrier()
    k.op('sub', [all, from], { dst: from })
    k.store(x, k.op('add', [from, me]), k.load(own, k.op('sub', [47, k.op('sub', [47, t])])))
    if (meets) k.barrier('grid')
  })
  return k.finish()
}

/**
 * Sweeps of a mean of three over n elements, which blocks keep in shared memory and registers; only the elements at
 * their edges go through `edges`.
 */
function sweeps(missing: 'none' | 'grid' | 'block' = 'none'): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'sweeps', block: [64, 1, 1] })
  const x = k.global('x', 'f32'),
    edges = k.global('edges', 'f32'),
    times = k.param('times', 'i32'),
    tile = k.shared('tile', 'f32', 66)
  const t = k.builtin('threadIdx.x', 't'),
    block = k.builtin('blockIdx.x', 'block'),
    last = k.op('sub', [k.builtin('gridDim.x'), 1], { name: 'last' })
  const me = k.op('add', [k.op('mul', [block, 64]), t], { name: 'me' }),
    at = k.op('add', [t, 1], { name: 'at' })
  const value = k.variable('f32', 0, 'value'),
    half = k.variable('u32', 0, 'half')
  k.load(x, me, { dst: value })
  k.forRange({ to: times, name: 'step' }, () => {
    const base = k.op('mul', [half, k.op('mul', [k.builtin('gridDim.x'), 2])], { name: 'base' })
    k.store(tile, at, value)
    const edge = k.op('lor', [k.op('eq', [t, 0]), k.op('eq', [t, 63])])
    k.ifThen(edge, () =>
      k.store(edges, k.op('add', [base, k.op('add', [k.op('mul', [block, 2]), k.op('rem', [t, 2])])]), value),
    )
    k.barrier(missing === 'grid' ? 'block' : 'grid')
    k.ifThen(k.op('eq', [t, 0]), () =>
      k.store(
        tile,
        0,
        k.load(
          edges,
          k.op('add', [base, k.op('select', [k.op('eq', [block, 0]), 0, k.op('sub', [k.op('mul', [block, 2]), 1])])]),
        ),
      ),
    )
    k.ifThen(k.op('eq', [t, 63]), () =>
      k.store(
        tile,
        65,
        k.load(
          edges,
          k.op('add', [
            base,
            k.op('select', [
              k.op('eq', [block, last]),
              k.op('add', [k.op('mul', [block, 2]), 1]),
              k.op('add', [k.op('mul', [block, 2]), 2]),
            ]),
          ]),
        ),
      ),
    )
    if (missing !== 'block') k.barrier()
    const sum = k.op('add', [k.op('add', [k.load(tile, t), k.load(tile, at)]), k.load(tile, k.op('add', [t, 2]))])
    k.op('mul', [sum, 0.25], { dst: value })
    if (missing !== 'block') k.barrier()
    k.op('xor', [half, 1], { dst: half })
  })
  k.store(x, me, value)
  return k.finish()
}

const floats = (n: number): ArrayBuffer => Float32Array.from({ length: n }, (_, i) => Math.sin(7 * i)).buffer
const ringLaunch = (grid: Dim3 = [5, 1, 1], times = 7): Launch => ({
  grid,
  params: { times },
  buffers: { x: Int32Array.from({ length: 480 }, (_, i) => i).buffer },
})
const sweepsLaunch = (grid: Dim3 = [6, 1, 1], times = 9): Launch => ({
  grid,
  params: { times },
  buffers: { x: floats(384), edges: new ArrayBuffer(4 * 24) },
})
const bytesOf = (l: Launch): number[][] => Object.values(l.buffers).map((b) => [...new Uint8Array(b)])
const hazardsOf = (kernel: Verified<Kernel>, launch: Launch): readonly Hazard[] =>
  simulate(kernel, launch, h200, { exact: true, check: { races: true, uninitialized: true } }).counters.hazards

describe('blocks that meet', () => {
  test.each([
    ['a ring that passes values', ring, ringLaunch],
    ['sweeps with edges in global memory', sweeps, sweepsLaunch],
  ] as const)('%s: as in the reference, with no hazard', (_, make, launch) => {
    const [a, b] = [launch(), launch()],
      kernel = make()
    reference(kernel, a)
    expect(hazardsOf(kernel, b)).toEqual([])
    expect(bytesOf(b)).toEqual(bytesOf(a))
  })
  test('values go round: seven steps move them by seven', () => {
    const launch = ringLaunch()
    simulate(ring(), launch, h200, { exact: true })
    const x = new Int32Array(launch.buffers['x']!)
    expect([...x.subarray(240)]).toEqual(Array.from({ length: 240 }, (_, i) => (i + 240 - 7) % 240))
  })
  test.each<Dim3>([
    [1, 1, 1],
    [10, 1, 1],
    [2, 1, 2],
  ])('a grid of %i × %i × %i blocks', (...grid) => {
    const k = new KernelBuilder({ name: 'turns', block: [40, 1, 1] }),
      x = k.global('x', 'i32'),
      local = k.local('mine', 'i32', 2)
    const rank = k.op('add', [k.builtin('blockIdx.x'), k.op('mul', [k.builtin('blockIdx.z'), k.builtin('gridDim.x')])]),
      me = k.op('add', [k.op('mul', [rank, 40]), k.builtin('threadIdx.x')])
    const all = k.op('mul', [k.op('mul', [k.builtin('gridDim.x'), k.builtin('gridDim.z')]), 40])
    k.store(local, 0, k.load(x, k.op('sub', [k.op('sub', [all, 1]), me])))
    k.barrier('grid')
    k.store(x, me, k.op('add', [k.load(local, 0), 1]))
    const kernel = k.finish(),
      launch = (): Launch => ({
        grid,
        params: {},
        buffers: { x: Int32Array.from({ length: 400 }, (_, i) => i * i).buffer },
      }),
      a = launch(),
      b = launch()
    reference(kernel, a)
    expect(hazardsOf(kernel, b)).toEqual([])
    expect(bytesOf(b)).toEqual(bytesOf(a))
  })
  test('one after the other on a machine that is kept', () => {
    const simulation = compileKernel(ring(), h200, { check: { races: true, uninitialized: true } }),
      times = [3, 0, 8]
    for (const n of times) {
      const [a, b] = [ringLaunch([5, 1, 1], n), ringLaunch([5, 1, 1], n)]
      reference(ring(), a)
      expect(simulation.run(b, { exact: true }).counters.hazards).toEqual([])
      expect(bytesOf(b)).toEqual(bytesOf(a))
    }
  })
  test('more memory than allowed is refused in a sentence', () => {
    expect(() => simulate(sweeps(), sweepsLaunch(), h200, { exact: true, maxBytes: 100_000 })).toThrow(
      /the launch needs \d+ bytes, more than the limit of 100000/,
    )
  })
})

describe('what is counted', () => {
  test('barriers of the grid and of the block apart; blocks that meet all run without being asked for', () => {
    const exact = simulate(sweeps(), sweepsLaunch(), h200, { exact: true }).counters,
      sampled = simulate(sweeps(), sweepsLaunch(), h200).counters
    expect([exact.gridBarriers, exact.barriersPerBlock]).toEqual([9, 18])
    for (const c of [exact, sampled])
      expect({ ...c, hazards: [], coverage: null, work: null }).toEqual({
        ...exact,
        hazards: [],
        coverage: null,
        work: null,
      })
    expect(sampled.coverage).toEqual({ blocks: 6, simulated: 6, exact: true })
  })
  test('work of each block: those at the ends do as much here', () => {
    const { work, instructions } = simulate(sweeps(), sweepsLaunch(), h200, { exact: true }).counters
    expect(work.instructions).toHaveLength(6)
    expect(work.instructions.reduce((a, b) => a + b)).toBeCloseTo(instructions.warp, 6)
    expect(Math.max(...work.instructions)).toBeCloseTo(Math.min(...work.instructions), 6)
  })
})

const kinds = (list: readonly Hazard[]): string[] => [...new Set(list.map((h) => h.kind))]

describe('what is wrong is reported', () => {
  test('a missing barrier of the grid: a race between blocks', () => {
    expect(kinds(hazardsOf(ring(false), ringLaunch()))).toEqual(['race'])
    const found = hazardsOf(sweeps('grid'), sweepsLaunch())
    expect(kinds(found)).toEqual(['race'])
    expect(found[0]!.example).toMatch(
      /^block \(\d, 0, 0\), thread \(\d+, 0, 0\) and thread \(\d+, 0, 0\) of block \(\d, 0, 0\): byte \d+ of 'edges'$/,
    )
  })
  test('a missing barrier of the block between two of the grid, also across the end of a round', () => {
    expect(kinds(hazardsOf(sweeps('block'), sweepsLaunch()))).toEqual(['race'])
    const k = new KernelBuilder({ name: 'rounds', block: [64, 1, 1] }),
      tile = k.shared('tile', 'i32', 64),
      x = k.global('x', 'i32'),
      t = k.builtin('threadIdx.x')
    k.store(tile, t, 1)
    k.forRange({ to: 3 }, () => {
      k.barrier('grid')
      k.store(x, k.op('add', [t, k.op('mul', [k.builtin('blockIdx.x'), 64])]), k.load(tile, t))
      k.store(tile, k.op('sub', [63, t]), 2)
    })
    const same = hazardsOf(k.finish(), { grid: [2, 1, 1], params: {}, buffers: { x: new ArrayBuffer(512) } })
    // what the round before left for another thread is read and written in one interval
    expect(kinds(same)).toEqual(['race'])
  })
  test('blocks that do not come', () => {
    const some = (leave: (k: KernelBuilder, block: Reg) => void): readonly Hazard[] => {
      const k = new KernelBuilder({ name: 'some', block: [64, 1, 1] }),
        block = k.builtin('blockIdx.x')
      leave(k, block)
      return hazardsOf(k.finish(), { grid: [3, 1, 1], params: {}, buffers: {} })
    }
    const rounds = some((k, block) =>
      k.forRange({ to: k.op('convert', [block], { type: 'i32' }) }, () => k.barrier('grid')),
    )
    expect(rounds.map((h) => [h.kind, h.message, h.example])).toEqual([
      [
        'barrier-divergence',
        'not all threads of the grid reach this barrier',
        'block (0, 0, 0), thread (0, 0, 0) does not arrive',
      ],
    ])
    const gone = some((k, block) => {
      k.ifThen(k.op('eq', [block, 2]), () => k.return())
      k.barrier('grid')
    })
    expect(gone.map((h) => [h.kind, h.count, h.example])).toEqual([
      ['barrier-divergence', 64, 'block (2, 0, 0), thread (0, 0, 0) does not arrive'],
    ])
  })
  test('memory of a block that nothing has written, although another block has written its own', () => {
    const k = new KernelBuilder({ name: 'unwritten', block: [32, 1, 1] }),
      tile = k.shared('tile', 'i32', 32),
      x = k.global('x', 'i32'),
      t = k.builtin('threadIdx.x'),
      block = k.builtin('blockIdx.x')
    k.ifThen(k.op('eq', [block, 0]), () => k.store(tile, t, 1))
    k.barrier('grid')
    k.store(x, k.op('add', [t, k.op('mul', [block, 32])]), k.load(tile, t))
    const found = hazardsOf(k.finish(), { grid: [2, 1, 1], params: {}, buffers: { x: new ArrayBuffer(256) } })
    expect(found.map((h) => [h.kind, h.count])).toEqual([['uninitialized', 32]])
  })
})
