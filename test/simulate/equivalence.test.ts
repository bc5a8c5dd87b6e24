// The compiled simulator against the reference interpreter: buffers bit for bit (a NaN is any NaN), counts one by one.
import { seedsOf } from '../support/long.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { hostArray, parseKernel, printKernel, verifyKernel, type Launch, type Stmt } from '../../src/ir/index.ts'
import { classOfStmt, reference, simulate } from '../../src/simulate/index.ts'
import { requestCounts } from './expected.ts'
import { randomKernel, type Sample, type SampleOptions } from './random-kernel.ts'

const h200 = gpu('h200')

/** Buffers as lists of values: floats as numbers, so that NaN equals NaN but −0 differs from 0. */
function contents(sample: Sample, launch: Launch): Record<string, unknown[]> {
  return Object.fromEntries(
    sample.kernel.resources
      .filter((r) => launch.buffers[r.name])
      .map((r) => {
        const values = Array.from(hostArray(r.type, launch.buffers[r.name]!) as ArrayLike<number>)
        return [r.name, r.type === 'f16' ? values.map((bits) => ((bits & 0x7fff) > 0x7c00 ? NaN : bits)) : values]
      }),
  )
}

function differs(sample: Sample, warpSize: number): string | null {
  const [expected, actual] = [sample.launch(), sample.launch()]
  reference(sample.kernel, expected, { warpSize })
  simulate(sample.kernel, actual, { ...h200, warpSize }, { exact: true })
  const [a, b] = [contents(sample, expected), contents(sample, actual)]
  if (Object.keys(a).length === 0) return 'the kernel has no buffers to compare'
  for (const [name, values] of Object.entries(a)) {
    const at = values.findIndex((v, i) => !Object.is(v, b[name]![i]))
    if (at >= 0) return `${name}[${at}]: reference ${String(values[at])}, compiled ${String(b[name]![at])}`
  }
  return null
}

/** Some barriers of the block, where no branch is around them, as barriers of the grid. */
function meeting(sample: Sample): Sample {
  let n = 0
  const changed = (list: readonly Stmt[]): Stmt[] =>
    list.map(
      (s): Stmt =>
        s.kind === 'barrier' && ++n % 3 !== 0
          ? { ...s, scope: 'grid' }
          : s.kind === 'loop'
            ? { ...s, body: changed(s.body), continuing: changed(s.continuing) }
            : s,
    )
  return { ...sample, kernel: verifyKernel({ ...sample.kernel, body: changed(sample.kernel.body) }) }
}

function check(options: SampleOptions, runs: number, warpSize = 32, changed = (s: Sample): Sample => s): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 60 }), (seed, size) => {
      const sample = changed(randomKernel(seed, size, options))
      expect(differs(sample, warpSize), printKernel(sample.kernel)).toBeNull()
    }),
    { numRuns: runs, seed: 20261120 },
  )
}

describe('random kernels compute the same', () => {
  test('straight and divergent control flow, all types', () => check({}, seedsOf(150)))
  test('subgroup operations', () => check({ subgroups: true }, seedsOf(100)))
  test('shared memory and barriers', () => check({ barriers: true, subgroups: true }, seedsOf(100)))
  test('accesses out of bounds', () => check({ wild: true }, seedsOf(100)))
  test('blocks that meet', () => check({ barriers: true, subgroups: true }, seedsOf(80), 32, meeting))
  test('warps of 8', () => check({ barriers: true, subgroups: true }, seedsOf(60), 8))
})

/** Every seventh statement belongs to its neighbour and must not be counted. */
function partlyFree(sample: Sample): Sample {
  let n = 0
  const mark = (list: readonly Stmt[]): Stmt[] =>
    list.map((s): Stmt => {
      const free = ++n % 7 === 0 ? { free: true as const } : {}
      if (s.kind === 'if') return { ...s, ...free, then: mark(s.then), else: mark(s.else) }
      return s.kind === 'loop'
        ? { ...s, ...free, body: mark(s.body), continuing: mark(s.continuing) }
        : { ...s, ...free }
    })
  const { kernel } = sample
  return { ...sample, kernel: verifyKernel({ ...kernel, body: mark(kernel.body) }) }
}

/** Every request put to the rules one by one, every statement counted one by one. */
function checkCounts(options: SampleOptions, runs: number, profile: string): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 60 }), (seed, size) => {
      const sample = partlyFree(randomKernel(seed, size, options))
      const expected = requestCounts(sample, gpu(profile))
      const { counters } = simulate(sample.kernel, sample.launch(), gpu(profile), { exact: true })
      const text = printKernel(sample.kernel)
      expect(
        counters.sites.map(({ pattern, stride, at, ...rest }) => rest),
        text,
      ).toEqual(expected.sites)
      expect(counters.instructions, text).toEqual(expected.instructions)
      expect(counters.branches, text).toEqual(expected.branches)
      expect(counters.barriersPerBlock, text).toBe(expected.barriersPerBlock)
    }),
    { numRuns: runs, seed: 7 },
  )
}

describe('counts are those of the rules, request by request', () => {
  test('h200', () => checkCounts({ subgroups: true }, seedsOf(60), 'h200'))
  test('gt200', () => checkCounts({}, seedsOf(40), 'gt200'))
  test('fermi, with barriers', () => checkCounts({ barriers: true }, seedsOf(40), 'fermi'))
  test('kepler, out of bounds', () => checkCounts({ wild: true }, seedsOf(40), 'kepler'))
})

/** Where nobody wants what a kernel writes, only what counts follow from is computed: the counts are the same. */
function checkSlice(options: SampleOptions, runs: number): void {
  const watching = { races: true, uninitialized: true }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 60 }), (seed, size) => {
      const { kernel, launch } = randomKernel(seed, size, options),
        run = (discard: boolean): unknown =>
          simulate(kernel, launch(), h200, { exact: true, discard, check: watching }).counters
      expect(run(true), printKernel(kernel)).toEqual(run(false))
    }),
    { numRuns: runs, seed: 20261126 },
  )
}

describe('a slice counts what the whole counts', () => {
  test('subgroup operations', () => checkSlice({ subgroups: true }, seedsOf(60)))
  test('shared memory and barriers', () => checkSlice({ barriers: true }, seedsOf(60)))
  test('accesses out of bounds', () => checkSlice({ wild: true }, seedsOf(40)))
})

test('classes of instructions add up', () => {
  const sample = randomKernel(11, 50)
  const { instructions } = simulate(sample.kernel, sample.launch(), h200, { exact: true }).counters
  expect(Object.values(instructions.byClass).reduce((a, b) => a + b)).toBe(instructions.thread)
  expect(Object.values(instructions.warpByClass).reduce((a, b) => a + b)).toBe(instructions.warp)
  expect(classOfStmt(sample.kernel.body[0]!)).toBe('move')
})

test('the expected buffers are not trivially empty', () => {
  const sample = randomKernel(5, 40)
  const launch = sample.launch()
  reference(sample.kernel, launch)
  expect(new Uint8Array(launch.buffers.out_i32!).some((b) => b !== 0)).toBe(true)
})

test('a 64-bit index below 0 that the offset of its access brings back into the buffer', () => {
  const kernel = verifyKernel(
    parseKernel(`kernel up block 32 1 1
global from: u32[*] read
global to: u32[*] write
reg lane.0: u32
reg at.1: u64
reg below.2: u64
reg v.3: u32
{
  lane.0 = builtin threadIdx.x
  at.1 = convert lane.0
  at.1 = mul at.1, u64:4
  below.2 = sub at.1, u64:8192
  v.3 = load u32 from[below.2 * 1 + 8192]
  store u32 to[below.2 * 1 + 8192] = v.3
}`),
  )
  const launch: Launch = {
    grid: [1, 1, 1],
    params: {},
    buffers: { from: Uint32Array.from({ length: 32 }, (_, i) => i + 1).buffer, to: new ArrayBuffer(128) },
  }
  const { counters } = simulate(kernel, launch, h200, { exact: true })
  expect(counters.hazards).toEqual([])
  expect(counters.sites.map((s) => [s.sectors, s.pattern])).toEqual([
    [4, 'coalesced'],
    [4, 'coalesced'],
  ])
  expect(Array.from(new Uint32Array(launch.buffers.to!))).toEqual(Array.from({ length: 32 }, (_, i) => i + 1))
})

test('a loop that never ends is named where it may be left, not at what was moved into it', () => {
  const kernel = verifyKernel(
    parseKernel(`kernel spin block 32 1 1
global from: u32[*] read
reg one.0: u32
reg v.1: u32
reg on.2: bool
{
  loop {
    one.0 = copy u32:1 @ "k.cu":3:3
    v.1 = load u32 from[u32:0 * 4 + 0] @ "k.cu":4:5
    on.2 = ne v.1, one.0 @ "k.cu":4:5
    if on.2 {
      continue
    } @ "k.cu":4:5
    break
  }
}`),
  )
  const launch: Launch = { grid: [1, 1, 1], params: {}, buffers: { from: new ArrayBuffer(4) } }
  expect(() => simulate(kernel, launch, h200, { exact: true, maxSteps: 1e4 })).toThrow('k.cu:4:5')
})
