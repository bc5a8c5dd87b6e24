// CUDA of kernels whose blocks meet and of those with more shared memory than may be declared: texts, and what nvcc
// makes of them.
import { describe, expect, test } from 'vitest'
import { emitCuda, emitCudaLauncher, emitWgsl } from '../../src/emit/index.ts'
import {
  ceilDiv,
  chooseVariant,
  int,
  KernelBuilder,
  meetsGrid,
  mul,
  sharedPlaces,
  sizeOf,
  type Expr,
  type Kernel,
  type Plan,
  type PlanLaunch,
  type PlanVariant,
  type Verified,
} from '../../src/ir/index.ts'
import { compileCuda, nvccAvailable } from '../support/nvcc.ts'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Threads pass values of `x` to each other `n` times, through `count` floats of shared memory and a zeroed array behind
 * them.
 */
function passing(name: string, count: number, scope: 'block' | 'grid'): Verified<Kernel> {
  const k = new KernelBuilder({ name, block: [128, 1, 1] })
  const x = k.global('x', 'f32'),
    given = k.global('given', 'f32', 'read'),
    n = k.param('n', 'i32'),
    a = k.shared('a', 'f32', count),
    b = k.shared('b', 'i32', 3, true)
  const t = k.builtin('threadIdx.x', 't'),
    me = k.op('add', [t, k.op('mul', [k.builtin('blockIdx.x'), 128])], { name: 'me' })
  k.forRange({ to: n, name: 'step' }, () => {
    k.store(a, t, k.op('add', [k.load(x, t), k.load(given, t)]))
    k.store(b, k.op('rem', [t, 3]), 1)
    k.barrier(scope)
    k.store(
      x,
      me,
      k.op('add', [
        k.load(a, k.op('sub', [127, t])),
        k.op('convert', [k.load(b, k.op('rem', [me, 3]))], { type: 'f32' }),
      ]),
    )
    k.barrier(scope)
  })
  return k.finish()
}

const n = sizeOf('n')
const launchOf = (kernel: Verified<Kernel>, grid: Expr): PlanLaunch => ({
  kernel,
  grid: [grid, int(1), int(1)],
  arguments: { x: 'x', given: 'given' },
  params: { n },
})
const planOf = (variants: readonly PlanVariant[]): Plan => ({
  name: 'go',
  sizes: [{ kind: 'given', name: 'n', min: 1, planned: 1000 }],
  scalars: [],
  variants,
  arrays: [
    { name: 'x', role: 'inout', shape: [n], type: 'f32' },
    { name: 'given', role: 'in', shape: [n], type: 'f32' },
  ],
})
const blocks = ceilDiv(n, 128),
  t: Expr = { kind: 'var', type: 'i32', name: 't' }
const meetingPlan = (): Plan =>
  planOf([
    {
      when: null,
      launches: [
        launchOf(passing('together', 20000, 'grid'), mul(blocks, t)),
        launchOf(passing('after', 128, 'grid'), blocks),
      ],
      steps: [{ variable: 't', lower: int(1), upper: n, step: 1, body: [0] }, 1],
    },
    { when: null, launches: [launchOf(passing('alone', 20000, 'block'), blocks)] },
  ])

describe('more shared memory than may be declared', () => {
  test('one array of the launch, in which each has a place of its own at a multiple of 16 bytes', () => {
    const kernel = passing('large', 12286, 'block'),
      { text } = emitCuda(kernel)
    expect(sharedPlaces(kernel)).toEqual({
      offsets: new Map([
        ['a', 0],
        ['b', 49152],
      ]),
      bytes: 49168,
    })
    expect(text).not.toMatch(/__shared__ .* a\[/)
    expect(text).toContain(
      [
        '  extern __shared__ __align__(16) unsigned char shared_memory[];',
        '  float* const __restrict__ a = reinterpret_cast<float*>(shared_memory + 0);',
        '  int* const __restrict__ b = reinterpret_cast<int*>(shared_memory + 49152);',
        '  for (unsigned at = threadIdx.x; at < 3u; at += 128u) {',
        '    b[at] = 0;',
        '  }',
        '  __syncthreads();',
      ].join('\n'),
    )
  })
  test('up to 48 KiB arrays are declared', () => {
    const kernel = passing('small', 12285, 'block')
    expect(sharedPlaces(kernel)).toBeNull()
    expect(emitCuda(kernel).text).toContain('__shared__ __align__(16) float a[12285];')
  })
})

describe('blocks that meet', () => {
  test('WGSL refuses them in a sentence', () => {
    expect(meetsGrid(passing('k', 128, 'grid'))).toBe(true)
    expect(meetsGrid(passing('k', 128, 'block'))).toBe(false)
    expect(() => emitWgsl(passing('k', 128, 'grid'))).toThrow(
      /the blocks of kernel k meet, which workgroups of WGSL cannot.*\n.*emit CUDA with --target cuda/,
    )
  })
  test('an own barrier without headers for NVRTC, that of the library in a launcher', () => {
    expect(emitCuda(passing('k', 128, 'grid')).text).toMatch(
      /^\/\/ Blocks that have come[^]*void meet_grid\(\)[^]* {4}meet_grid\(\);/,
    )
    expect(emitCuda(passing('k', 128, 'grid')).text).not.toContain('#include')
    const { text } = emitCudaLauncher(meetingPlan())
    expect(text).toContain('#include <cooperative_groups.h>')
    expect(text).toContain('    cooperative_groups::this_grid().sync();')
    expect(text).not.toContain('meet_grid')
  })
  test('the launcher asks for every launch whether all blocks fit, and else takes the next variant', () => {
    const { text } = emitCudaLauncher(meetingPlan())
    expect(text).toContain(
      [
        '    const auto all_fit = [&]() {',
        '      for (long long t = 1; t < n; t += 1) {',
        '        if (!fit_at_once((const void*)together, 128, 80016, (n + 127) / 128 * t, 1, 1)) return false;',
        '      }',
        '      if (!fit_at_once((const void*)after, 128, 0, (n + 127) / 128, 1, 1)) return false;',
        '      return true;',
        '    };',
        '    if (all_fit()) {',
      ].join('\n'),
    )
    expect(text).toContain('alone<<<blocks, dim3(128, 1, 1), 80016, stream>>>(x, given, (int)n);')
    expect(text.replace(/\n +/g, '\n')).toContain(
      [
        'error = cudaFuncSetAttribute(together, cudaFuncAttributeMaxDynamicSharedMemorySize, 80016);',
        'if (error == cudaSuccess) {',
        'float* argument_0 = x;',
        'const float* argument_1 = given;',
        'int argument_2 = (int)n;',
        'void* list[] = {(void*)&argument_0, (void*)&argument_1, (void*)&argument_2};',
        'error = cudaLaunchCooperativeKernel((const void*)together, blocks, dim3(128, 1, 1), list, 80016, stream);',
      ].join('\n'),
    )
    expect(emitCudaLauncher(planOf(meetingPlan().variants.slice(0, 1))).text).toContain(
      'return cudaErrorCooperativeLaunchTooLarge;',
    )
  })
  test('the first variant whose blocks fit is chosen', () => {
    const plan = meetingPlan(),
      values = { sizes: { n: 1000 }, scalars: {} },
      asked: number[] = []
    expect(chooseVariant(plan, values)).toBe(plan.variants[0])
    expect(
      chooseVariant(plan, values, (_, count) => {
        asked.push(count)
        return count < 800
      }),
    ).toBe(plan.variants[1])
    expect([asked.length, asked.at(-1)]).toEqual([100, 800])
    expect(() => chooseVariant(planOf(plan.variants.slice(0, 1)), values, () => false)).toThrow(
      /all blocks of go meet at the sizes .* and not all fit on the device at once/,
    )
  })
})

/** `a` of all threads, then what the first has left there. */
function left(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'left', block: [128, 1, 1] }),
    x = k.global('x', 'f32'),
    y = k.global('y', 'f32'),
    t = k.builtin('threadIdx.x', 't')
  const v = k.op('add', [k.op('mul', [k.load(x, 0), 2]), k.op('convert', [t], { type: 'f32' })], { name: 'v' })
  k.ifThen(k.op('eq', [t, 0]), () => k.store(x, 0, v))
  k.barrier()
  k.store(y, t, k.op('add', [v, k.load(x, 0)]))
  return k.finish()
}

test(
  'what threads pass to each other through global memory is loaded again behind the barrier; the rest is ' +
    'restricted',
  () => {
    expect(emitCuda(left()).text).toContain('    float* x,\n    float* __restrict__ y)')
    expect(emitCuda(passing('k', 128, 'grid')).text).toContain('    float* x,\n    const float* __restrict__ given,')
    if (!nvccAvailable()) return
    const folder = mkdtempSync(join(tmpdir(), 'tesela-'))
    try {
      writeFileSync(join(folder, 'left.cu'), emitCuda(left()).text)
      expect(
        spawnSync('nvcc', ['-arch=sm_90', '-ptx', '-o', join(folder, 'left.ptx'), join(folder, 'left.cu')]).status,
      ).toBe(0)
      const ptx = spawnSync('cat', [join(folder, 'left.ptx')], { encoding: 'utf8' }).stdout
      expect(ptx.slice(ptx.indexOf('bar.sync')).match(/ld\.global/g)).toHaveLength(1)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

test('nvcc compiles kernels and launcher', () => {
  if (!nvccAvailable()) return
  const used = compileCuda(
    [passing('small', 128, 'grid'), passing('large', 20000, 'grid')]
      .map((k, i) => `namespace k_${i} {\n${emitCuda(k).text}}\n`)
      .join('\n'),
  )
  expect(used.map((k) => [k.name, k.spillBytes, k.sharedBytes])).toEqual(
    expect.arrayContaining([
      ['large', 0, 0],
      ['small', 0, 528],
    ]),
  )
  expect(compileCuda(emitCudaLauncher(meetingPlan()).text)).toHaveLength(3)
})
