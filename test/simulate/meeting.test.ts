// Kernels whose blocks meet: the compiled simulator against the reference, what is counted, and what must be reported.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { KernelBuilder, type Dim3, type Hazard, type Kernel, type Launch, type Verified } from '../../src/ir/index.ts'
import { reference, simulate } from '../../src/simulate/index.ts'

const h200 = gpu('h200')

/** Each thread takes the value of the thread before it, `times` times over; the first takes the last one's. Two arrays in turn. */
function ring(meets = true): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'ring', block: [48, 1, 1] })
  const x = k.global('x', 'i32'), times = k.param('times', 'i32'), own = k.shared('own', 'i32', 48)
  const t = k.builtin('threadIdx.x', 't'), all = k.op('mul', [k.builtin('gridDim.x'), 48], { name: 'all' })
  const me = k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 48]), t], { name: 'me' })
  const before = k.op('rem', [k.op('add', [me, k.op('sub', [all, 1])]), all], { name: 'before' })
  const from = k.variable('u32', 0, 'from'), kept = k.variable('i32', 0, 'kept')
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

/** Sweeps of a mean of three over n elements, which blocks keep in shared memory and registers; only the elements at their edges go through `edges`. */
function sweeps(missing: 'none' | 'grid' | 'block' = 'none'): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'sweeps', block: [64, 1, 1] })
  const x = k.global('x', 'f32'), edges = k.global('edges', 'f32'), times = k.param('times', 'i32'), tile = k.shared('tile', 'f32', 66)
  const t = k.builtin('threadIdx.x', 't'), block = k.builtin('blockIdx.x', 'block'), last = k.op('sub', [k.builtin('gridDim.x'), 1], { name: 'last' })
  const me = k.op('add', [k.op('mul', [block, 64]), t], { name: 'me' }), at = k.op('add', [t, 1], { name: 'at' })
  const value = k.variable('f32', 0, 'value'), half = k.variable('u32', 0, 'half')
  k.load(x, me, { dst: value })
  k.forRange({ to: times, name: 'step' }, () => {
    const base = k.op('mul', [half, k.op('mul', [k.builtin('gridDim.x'), 2])], { name: 'base' })
    k.store(tile, at, value)
    const edge = k.op('lor', [k.op('eq', [t, 0]), k.op('eq', [t, 63])])
    k.ifThen(edge, () => k.store(edges, k.op('add', [base, k.op('add', [k.op('mul', [block, 2]), k.op('rem', [t, 2])])]), value))
    k.barrier(missing === 'grid' ? 'block' : 'grid')
    k.ifThen(k.op('eq', [t, 0]), () => k.store(tile, 0, k.load(edges, k.op('add', [base, k.op('select', [k.op('eq', [block, 0]), 0, k.op('sub', [k.op('mul', [block, 2]), 1])])]))))
    k.ifThen(k.op('eq', [t, 63]), () => k.store(tile, 65, k.load(edges, k.op('add', [base, k.op('select', [k.op('eq', [block, last]), k.op('add', [k.op('mul', [block, 2]), 1]), k.op('add', [k.op('mul', [block, 2]), 2])])]))))
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
const ringLaunch = (grid: Dim3 = [5, 1, 1], times = 7): Launch => ({ grid, params: { times }, buffers: { x: Int32Array.from({ length: 480 }, (_, i) => i).buffer } })
const sweepsLaunch = (grid: Dim3 = [6, 1, 1], times = 9): Launch => ({ grid, params: { times }, buffers: { x: floats(384), edges: new ArrayBuffer(4 * 24) } })
const bytesOf = (l: Launch): number[][] => Object.values(l.buffers).map((b) => [...new Uint8Array(b)])
const hazardsOf = (kernel: Verified<Kernel>, launch: Launch): readonly Hazard[] => simulate(kernel, launch, h200, { exact: true, check: { races: true, uninitialized: true } }).counters.hazards

describe('blocks that meet', () => {
  test.each([['a ring that passes values', ring, ringLaunch], ['sweeps with edges in global memory', sweeps, sweepsLaunch]] as const)('%s: as in the reference, with no hazard', (_, make, launch) => {
    const [a, b] = [launch(), launch()], kernel = make()
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
  test('one block, many axes, several runs on one machine', () => {
    for (const grid of [[1, 1, 1], [10, 1, 1]] as const) {
      const [a, b] = [ringLaunch(grid, 3), ringLaunch(grid, 3)]
      reference(ring(), a)
      simulate(ring(), b, h200, { exact: true })
      expect(bytesOf(b)).toEqual(bytesOf(a))
    }
  })
})
