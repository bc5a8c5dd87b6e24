// CUDA from Node without a GPU: argument packing by hand, the sentence when there is no driver, and the whole path from
// plan to results through a made-up driver that runs saxpy on the host (when a C compiler is there to build it).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import koffi from 'koffi'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { emitPlan } from '../../src/emit/index.ts'
import { constant, constOf, int, KernelBuilder, sizeOf, type PlanLaunch } from '../../src/ir/index.ts'
import { openCuda, packArguments, type Cuda } from '../../src/run/index.ts'
import { errorOf, saxpyCase } from '../emit/plans.ts'

const hasCompiler = spawnSync('cc', ['--version']).status === 0
const hasDriver = ['/usr/lib/x86_64-linux-gnu/libcuda.so.1', '/usr/lib64/libcuda.so.1'].some((path) => existsSync(path))
if (!hasCompiler) console.warn('NOT CHECKED: cc is not on this machine, so the CUDA bindings are not exercised')

test('arguments are packed as C lays them out: pointers, then values aligned to their size', () => {
  const k = new KernelBuilder({ name: 'k', block: [1, 1, 1] })
  const y = k.global('y', 'f32')
  for (const [name, type] of [
    ['flag', 'bool'],
    ['n', 'i32'],
    ['a', 'f64'],
    ['u', 'u32'],
    ['big', 'i64'],
  ] as const)
    k.param(name, type)
  k.store(y, 0, constOf('f32', 1))
  const launch: PlanLaunch = {
    kernel: k.finish(),
    grid: [int(1), int(1), int(1)],
    arguments: { y: 'out' },
    params: {
      flag: constant('bool', 1),
      n: sizeOf('n'),
      a: constant('f64', 1.5),
      u: constant('u32', 4294967295),
      big: constant('i64', 5n),
    },
  }
  const bytes = packArguments(launch, new Map([['out', 0x0102030405060708n]]), { sizes: { n: -2 }, scalars: {} })
  const view = new DataView(bytes.buffer)
  expect(bytes.length).toBe(40) // 8 pointer · 1 flag, 3 gap · 4 n · 8 a · 4 u, 4 gap · 8 big
  expect([
    view.getBigUint64(0, true),
    view.getUint8(8),
    view.getInt32(12, true),
    view.getFloat64(16, true),
    view.getUint32(24, true),
    view.getBigInt64(32, true),
  ]).toEqual([0x0102030405060708n, 1, -2, 1.5, 4294967295, 5n])
})

test.skipIf(hasDriver)('without a driver: a sentence and what is needed', async () => {
  await expect(openCuda({ paths: ['/nowhere'] })).rejects.toThrow(
    'the CUDA driver (libcuda) is not on this machine [cuda.driver]\n' +
      '  hint: an NVIDIA GPU and its driver are needed',
  )
})

describe.skipIf(hasDriver || !hasCompiler)('through a made-up driver', () => {
  let folder = '',
    cuda: Cuda
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tesela-cuda-'))
    const built = spawnSync(
      'cc',
      [
        '-shared',
        '-fPIC',
        '-w',
        '-o',
        join(folder, 'libcuda.so.1'),
        resolve(import.meta.dirname, '../support/fake-cuda.c'),
      ],
      { encoding: 'utf8' },
    )
    expect(built.stderr).toBe('')
    copyFileSync(join(folder, 'libcuda.so.1'), join(folder, 'libnvrtc.so.13'))
    cuda = await openCuda({ paths: [folder] })
  })
  afterAll(() => {
    cuda?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const text = (count: number): ReturnType<typeof saxpyCase> => ({
    ...saxpyCase(count),
    plan: emitPlan(saxpyCase(count).plan, { targets: ['cuda'] }),
  })

  test('name, compute capability, and results', async () => {
    expect([cuda.name, cuda.computeCapability]).toEqual(['Made-up GPU', [9, 0]])
    const c = text(1001)
    const results = await cuda.runPlan(c.plan, c.values, c.arrays)
    expect(errorOf(results['y']!, c.expected['y']!)).toBeLessThanOrEqual(c.bound)
    expect(cuda.resourcesOf(c.plan.variants[0]!.launches[0]!)).toEqual({ registers: 10, localBytes: 0, sharedBytes: 0 })
  })
  test('timing by events around graphs of many launches, which are given back', async () => {
    const c = text(64) // 10 µs a launch in the made-up driver, none of it while recording
    const { ns, ...rest } = await cuda.timePlan(c.plan, c.values, c.arrays, { samples: 5 })
    expect(ns).toBeCloseTo(1e4, 1)
    // 1.2 ms in rounds of 16
    expect(rest).toMatchObject({ spread: 0, samples: 5, repeats: 128, timer: 'events', quantumNs: 500 })
    const alive = koffi.load(join(folder, 'libcuda.so.1')).func('int graphs_alive()') as () => number
    expect(alive()).toBe(0)
  })
  test('a launch that fails while it is recorded leaves the stream usable', async () => {
    const bad = text(13),
      good = text(64)
    await expect(cuda.timePlan(bad.plan, bad.values, bad.arrays)).rejects.toThrow(
      'CUDA: the launch failed: an illegal memory access was encountered',
    )
    expect((await cuda.timePlan(good.plan, good.values, good.arrays, { samples: 1 })).ns).toBeCloseTo(1e4)
  })
  test(
    'blocks that meet: a cooperative launch with the bytes ' + 'it asks for, where all fit; else the next variant',
    async () => {
      /**
       * saxpy as two kernels of one name, of which the first has blocks that meet and `count` floats of shared memory.
       */
      const meeting = (blocks: number, count: number): ReturnType<typeof saxpyCase> => {
        const k = new KernelBuilder({ name: 'saxpy', block: [64, 1, 1] }),
          c = saxpyCase(64 * blocks),
          launch = c.plan.variants[0]!.launches[0]! // it has one
        const x = k.global('x', 'f32', 'read'),
          y = k.global('y', 'f32')
        k.param('n', 'i32')
        const a = k.param('a', 'f32'),
          tile = k.shared('tile', 'f32', count),
          t = k.builtin('threadIdx.x')
        k.store(tile, t, k.op('mul', [a, k.load(x, t)]))
        k.barrier('grid')
        k.store(y, t, k.load(tile, t))
        return {
          ...c,
          plan: emitPlan(
            {
              ...c.plan,
              variants: [{ when: null, launches: [{ ...launch, kernel: k.finish() }] }, ...c.plan.variants],
            },
            { targets: ['cuda'] },
          ),
        }
      }
      const counted = koffi.load(join(folder, 'libcuda.so.1')).func('int cooperative_launches()') as () => number
      for (const [blocks, count, cooperative] of [
        [2, 30000, 1],
        [8, 64, 1],
        [9, 64, 0],
      ] as const) {
        const c = meeting(blocks, count),
          before = counted(),
          own = await openCuda({ paths: [folder] }) // one function at a time
        const results = await own.runPlan(c.plan, c.values, c.arrays)
        expect(errorOf(results['y']!, c.expected['y']!)).toBeLessThanOrEqual(c.bound)
        expect(counted() - before, `${blocks} blocks of ${count} floats`).toBe(cooperative)
        if (cooperative)
          expect(own.resourcesOf(c.plan.variants[0]!.launches[0]!).sharedBytes).toBe(count > 12288 ? 4 * count : 0)
        own.close()
      }
    },
  )
  test('what CUDA and NVRTC say is passed on', async () => {
    const c = text(13)
    await expect(cuda.runPlan(c.plan, c.values, c.arrays)).rejects.toThrow(
      'CUDA: the launch failed: an illegal memory access was encountered',
    )
    await expect(openCuda({ paths: [folder], device: 3 })).rejects.toThrow('CUDA: cuDeviceGet failed: unknown')
    const failing = await openCuda({ paths: [folder], compileOptions: ['--make-it-fail'] })
    await expect(failing.runPlan(c.plan, c.values, c.arrays)).rejects.toThrow(
      'NVRTC refuses kernel saxpy:\nsaxpy.cu(1): error: x',
    )
  })
})
