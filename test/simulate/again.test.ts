// A simulation keeps its machine, and rules what they said of a shape: both must answer as if they were new.
import { expect, test } from 'vitest'
import { gpu, gpuNames } from '../../src/gpus/index.ts'
import { hostArray, KernelBuilder, type Kernel, type Launch, type Verified } from '../../src/ir/index.ts'
import { compileKernel, simulate } from '../../src/simulate/index.ts'
import { Rules } from '../../src/simulate/observe/rules.ts'
import { measureRequest, sitesOf } from '../../src/simulate/observe/sites.ts'
import { random } from '../../src/base/index.ts'
import { randomKernel } from './random-kernel.ts'

const h200 = gpu('h200'),
  check = { races: true, uninitialized: true } as const

test('launches one after the other give what each gives alone', () => {
  for (let seed = 1; seed <= 8; seed++) {
    const sample = randomKernel(seed, 40),
      simulation = compileKernel(sample.kernel, h200, { check })
    for (let turn = 0; turn < 3; turn++) {
      const [again, alone] = [
        changed(sample.kernel, sample.launch(), turn),
        changed(sample.kernel, sample.launch(), turn),
      ]
      expect(simulation.run(again, { exact: true }).counters).toEqual(
        simulate(sample.kernel, alone, h200, { exact: true, check }).counters,
      )
      for (const [name, b] of Object.entries(alone.buffers))
        expect(new Uint8Array(again.buffers[name]!)).toEqual(new Uint8Array(b))
    }
  }
})

test('what is amiss is the same without counts, one launch after the other, with traces that were used before', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const sample = randomKernel(seed, 40),
      simulation = compileKernel(sample.kernel, h200, { check })
    for (let turn = 0; turn < 4; turn++) {
      const [again, alone] = [
        changed(sample.kernel, sample.launch(), turn),
        changed(sample.kernel, sample.launch(), turn),
      ]
      expect(simulation.hazards(again)).toEqual(
        simulate(sample.kernel, alone, h200, { exact: true, check }).counters.hazards,
      )
      for (const [name, b] of Object.entries(alone.buffers))
        expect(new Uint8Array(again.buffers[name]!)).toEqual(new Uint8Array(b))
      if (turn === 1) simulation.end()
    }
    simulation.end()
  }
})

test('traces that were used before hold no race of theirs, and hide none', () => {
  const run = (factor: number, apart: number): readonly string[] => {
    const simulation = compileKernel(stores(), h200, { check }),
      found = simulation.hazards({ grid: [2, 1, 1], params: { factor, apart }, buffers: { x: new ArrayBuffer(4096) } })
    simulation.end()
    return found.map((h) => h.kind)
  }
  for (let turn = 0; turn < 3; turn++) {
    expect(run(1, 64)).toEqual([])
    expect(run(0, 64)).toEqual(['race'])
    expect(run(1, 32)).toEqual(['race'])
  }
})

test('addresses that vectors cannot have are found after a launch without any', () => {
  const k = new KernelBuilder({ name: 'pairs', block: [32, 1, 1] }),
    shift = k.param('shift', 'u32'),
    x = k.global('x', 'u32', 'read-write')
  k.store(x, k.op('add', [k.op('mul', [k.builtin('threadIdx.x'), 2]), shift]), [shift, shift])
  const simulation = compileKernel(k.finish(), h200, { check }),
    found = [0, 1, 0].map((s) =>
      simulation
        .hazards({ grid: [1, 1, 1], params: { shift: s }, buffers: { x: new ArrayBuffer(1024) } })
        .map((h) => [h.kind, h.count]),
    )
  expect(found).toEqual([[], [['misaligned', 32]], []])
})

/** The launch on other data, in other blocks. */
function changed(kernel: Kernel, launch: Launch, turn: number): Launch {
  for (const r of kernel.resources) {
    const buffer = launch.buffers[r.name]
    if (buffer) hostArray(r.type, buffer).reverse()
  }
  return { ...launch, grid: [launch.grid[0] + (turn % 2), launch.grid[1], launch.grid[2]] }
}

/**
 * Threads of blocks of 64 store to x[place · factor + first]: a race within the block for factor 0, between blocks
 * where they overlap.
 */
function stores(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'stores', block: [64, 1, 1] })
  const factor = k.param('factor', 'u32'),
    apart = k.param('apart', 'u32'),
    x = k.global('x', 'u32', 'read-write')
  k.store(
    x,
    k.op('add', [k.op('mul', [k.builtin('threadIdx.x'), factor]), k.op('mul', [k.builtin('blockIdx.x'), apart])]),
    factor,
  )
  return k.finish()
}

/** Threads of a block of 32 store 7 where they find 0, twice. */
function finds(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'finds', block: [32, 1, 1] }),
    x = k.global('x', 'u32', 'read-write'),
    t = k.builtin('threadIdx.x')
  for (let turn = 0; turn < 2; turn++) k.ifThen(k.op('lt', [k.load(x, t), 7]), () => k.store(x, t, 7))
  return k.finish()
}

test('a run that only counts finds zeros where others left something', () => {
  const kernel = finds(),
    stored = (): readonly number[] =>
      simulate(kernel, { grid: [1, 1, 1], params: {}, buffers: { x: new ArrayBuffer(4096) } }, h200, {
        countOnly: true,
      })
        .counters.sites.filter((s) => s.op === 'store')
        .map((s) => s.threads)
  expect([stored(), stored(), stored()]).toEqual([
    [32, 0],
    [32, 0],
    [32, 0],
  ])
})

test('what another launch touched is no race; what this one does is', () => {
  const simulation = compileKernel(stores(), h200, { check }),
    buffers = { x: new ArrayBuffer(1024) }
  const races = (factor: number, apart: number): number =>
    simulation
      .run({ grid: [2, 1, 1], params: { factor, apart }, buffers }, { exact: true })
      .counters.hazards.filter((h) => h.kind === 'race').length
  expect([races(1, 64), races(1, 64), races(1, 0), races(1, 64), races(0, 64), races(1, 64)]).toEqual([
    0, 0, 1, 0, 1, 0,
  ])
})

test('rules remember what they said, for each GPU and kind of access', () => {
  const k = new KernelBuilder({ name: 'sites', block: [32, 1, 1] }),
    t = k.builtin('threadIdx.x')
  const g = k.global('g', 'f32', 'read-write'),
    h = k.global('h', 'u32', 'read-write'),
    s = k.shared('s', 'f32', 64),
    u = k.shared('u', 'u32', 64, true)
  k.store(g, t, k.load(s, t))
  k.store(s, t, k.load(g, t))
  k.atomic('add', u, t, [1])
  k.atomic('add', h, t, [2])
  const kernel = k.finish(),
    sites = sitesOf(
      kernel,
      new Map(
        kernel.body.filter((x) => x.kind === 'load' || x.kind === 'store' || x.kind === 'atomic').map((x, i) => [x, i]),
      ),
    )
  expect(sites.length).toBe(6)
  const r = random(5)
  for (const name of gpuNames()) {
    const profile = gpu(name),
      rules = new Rules(profile)
    for (let i = 0; i < 40; i++) {
      const active = i % 3 === 0 ? -1 : r.bits() | 1,
        place = 4 * r.int(0, 63),
        step = r.int(0, 2)
      const relative = Int32Array.from({ length: 32 }, (_, l) =>
        (active >>> l) & 1 ? (i % 2 === 0 ? l * step : l === 0 ? 0 : r.int(-4, 4)) : 0,
      )
      for (let turn = 0; turn < 2; turn++)
        for (const site of sites)
          expect(rules.measure(site, rules.traitsOf(site), active, place, relative, i % 4)).toEqual(
            measureRequest(profile, site, active, place, relative),
          ) // few hashes, so that shapes meet in one
    }
  }
})

test('requests of endless shapes count the bytes that they move, too', () => {
  const k = new KernelBuilder({ name: 'gather', block: [32, 1, 1] }),
    t = k.builtin('threadIdx.x')
  const x = k.global('x', 'f32', 'read'),
    y = k.global('y', 'f32', 'write'),
    at = k.global('at', 'u32', 'read')
  k.store(y, t, k.load(x, k.load(at, k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 32]), t]))))
  const blocks = 4096,
    r = random(3),
    buffers = {
      x: new ArrayBuffer(1 << 16),
      y: new ArrayBuffer(128),
      at: Uint32Array.from({ length: 32 * blocks }, () => r.int(0, (1 << 14) - 1)).buffer,
    }
  const gather = simulate(k.finish(), { grid: [blocks, 1, 1], params: {}, buffers }, h200, {
    exact: true,
  }).counters.sites.find((s) => s.resource === 'x')!
  expect(gather.movedBytes).toBe(32 * gather.sectors)
})

test('what is not wanted is not computed, and counts the same; its buffers need no memory', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const { kernel, launch } = randomKernel(seed, 40, { barriers: true }),
      before = launch(),
      run = (l: Launch, discard: boolean): unknown =>
        simulate(kernel, l, h200, { exact: true, discard, check }).counters
    expect(run(before, true)).toEqual(run(launch(), false))
    for (const [name, b] of Object.entries(launch().buffers))
      expect(new Uint8Array(before.buffers[name]!)).toEqual(new Uint8Array(b))
  }
  const { counters } = compileKernel(stores(), h200).run(
    { grid: [2, 1, 1], params: { factor: 1, apart: 64 }, buffers: { x: new ArrayBuffer(2 ** 22) } },
    { discard: true, maxBytes: 2 ** 21 },
  )
  expect(counters.hazards).toEqual([])
})
