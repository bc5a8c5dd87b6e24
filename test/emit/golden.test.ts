// Emitted texts as files, for eyes: `golden/NAME.wgsl` and `.cu`. Each WGSL goes through Tint, all CUDA through one
// nvcc.
import { beforeAll, describe, expect, test } from 'vitest'
import { resolve } from 'node:path'
import { constOf, KernelBuilder, type Expr, type Kernel, type MemoryType, type Verified } from '../../src/ir/index.ts'
import { emitCuda, emitCudaLauncher, emitPlan, emitTypeScript, emitWgsl } from '../../src/emit/index.ts'
import { nullDevice, tintErrors } from '../support/dawn.ts'
import { compileCuda, nvccAvailable, resourceUse } from '../support/nvcc.ts'
import { allKernels } from './kernels.ts'
import { allCases, sumCase } from './plans.ts'
import { randomKernel32 } from './random.ts'

const golden = (name: string): string => resolve(import.meta.dirname, 'golden', name)
let device: GPUDevice
beforeAll(async () => {
  device = await nullDevice()
})

describe('texts', () => {
  test.each(Object.entries(allKernels))('%s', async (name, make) => {
    const wgsl = emitWgsl(make()),
      cuda = emitCuda(make())
    await expect(wgsl.text).toMatchFileSnapshot(golden(`${name}.wgsl`))
    await expect(cuda.text).toMatchFileSnapshot(golden(`${name}.cu`))
    expect(await tintErrors(device, wgsl.text, wgsl.entry)).toEqual([])
  })
  test('the wrapper and the launcher of a plan with two variants', async () => {
    const plan = emitPlan(sumCase().plan, { targets: ['wgsl'] })
    await expect(emitTypeScript(plan, { header: ['Sum of n numbers.'] }).text).toMatchFileSnapshot(golden('sum.ts.txt'))
    await expect(emitCudaLauncher(plan, { header: ['Sum of n numbers.'] }).text).toMatchFileSnapshot(golden('sum.cu'))
  })
})

test('the launcher refuses arrays with more elements than 32 bits count', () => {
  const { plan } = sumCase(),
    [first, ...others] = plan.arrays,
    n: Expr = { kind: 'size', type: 'i32', name: 'n' }
  // a sum reads an array
  const square = emitPlan({ ...plan, arrays: [{ ...first!, shape: [n, n] }, ...others] }, { targets: [] })
  expect(emitCudaLauncher(square).text).toContain(
    'n > 2147483647 || (double)(n) * (double)(n) > 2147483647.0) return cudaErrorInvalidValue;',
  )
})

/** A kernel of one op on every type that takes it, through loads and stores of `type`. */
function everyType(type: MemoryType): Verified<Kernel> {
  const k = new KernelBuilder({ name: `all_${type}`, block: [32, 1, 1] })
  const x = k.global('x', type, 'read'),
    y = k.global('y', type),
    cells = k.global('cells', type)
  const i = k.builtin('threadIdx.x', 'i')
  const a = k.load(x, i),
    b = k.load(x, k.op('add', [i, 32]))
  const isFloat = type === 'f16' || type === 'f32' || type === 'f64'
  const list = isFloat
    ? ([
        'add',
        'sub',
        'mul',
        'div',
        'rem',
        'min',
        'max',
        'pow',
        'atan2',
        'neg',
        'abs',
        'sign',
        'floor',
        'ceil',
        'trunc',
        'round',
        'sqrt',
        'rsqrt',
        'rcp',
        'exp',
        'exp2',
        'log',
        'log2',
        'sin',
        'cos',
        'tan',
        'asin',
        'acos',
        'atan',
        'sinh',
        'cosh',
        'tanh',
      ] as const)
    : ([
        'add',
        'sub',
        'mul',
        'div',
        'rem',
        'min',
        'max',
        'and',
        'or',
        'xor',
        'shl',
        'shr',
        'mulhi',
        'neg',
        'abs',
        'sign',
        'not',
        'popcount',
        'clz',
        'ctz',
        'reverseBits',
      ] as const)
  const binary = [
    'add',
    'sub',
    'mul',
    'div',
    'rem',
    'min',
    'max',
    'pow',
    'atan2',
    'and',
    'or',
    'xor',
    'shl',
    'shr',
    'mulhi',
  ]
  let sum = a
  for (const op of list) sum = k.op('add', [sum, k.op(op, binary.includes(op) ? [sum, b] : [sum])])
  if (isFloat) sum = k.op('fma', [sum, a, b])
  for (const to of ['i32', 'u32', 'f32'] as const)
    sum = k.op('add', [sum, k.op('convert', [k.op('convert', [sum], { type: to })], { type: sum.type })])
  sum = k.op('select', [
    k.op('lt', [sum, constOf(sum.type, sum.type === 'i64' || sum.type === 'u64' ? 3n : 3)]),
    sum,
    k.subgroup('add', [sum]),
  ])
  sum = k.subgroup('max', [k.subgroup('inclusiveAdd', [k.subgroup('shuffleXor', [sum, 1])])])
  if (type !== 'f16') {
    k.atomic('add', cells, 0, [sum])
    k.atomic('max', cells, 1, [sum])
    k.atomic('exchange', cells, 2, [sum])
    sum = k.op('add', [sum, k.atomic('compareExchange', cells, 3, [sum, a], { name: 'seen' })!])
  }
  k.store(y, i, sum)
  return k.finish()
}

test('every op, conversion, subgroup operation and atomic passes Tint, for each type that WGSL has', async () => {
  expect(device.features.has('shader-f16')).toBe(true)
  for (const type of ['i32', 'u32', 'f32', 'f16'] as const) {
    const { text, entry } = emitWgsl(everyType(type))
    expect(await tintErrors(device, text, entry), text).toEqual([])
  }
})

test('every CUDA text compiles, with nothing spilled, and so do all types, launchers and random kernels', () => {
  if (!nvccAvailable()) return
  const kernels = Object.entries(allKernels).map(([name, make]) => `namespace k_${name} {\n${emitCuda(make()).text}}\n`)
  const types = (['i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64'] as const).map(
    (type) => `namespace t_${type} {\n${emitCuda(everyType(type)).text.replace('#include <cuda_fp16.h>', '')}}\n`,
  )
  const randoms = Array.from(
    { length: 40 },
    (_, seed) => `namespace r_${seed} {\n${emitCuda(randomKernel32(seed + 1)).text.replace('extern "C"', '')}}\n`,
  )
  const used = compileCuda(['#include <cuda_fp16.h>', ...kernels, ...types, ...randoms].join('\n'))
  expect(used.length).toBe(kernels.length + types.length + randoms.length)
  expect(
    used
      .filter((k) => Object.values(allKernels).some((make) => make().name === k.name))
      .every((k) => k.spillBytes === 0 && k.registers > 0),
  ).toBe(true)
  const launchers = Object.values(allCases).map((make) => emitCudaLauncher(make().plan).text)
  for (const text of launchers.slice(0, 3)) expect(compileCuda(text).length).toBeGreaterThan(0)
})

test('what ptxas prints is read', () => {
  const log =
    "ptxas info    : Compiling entry function 'saxpy' for 'sm_90'\n    0 bytes stack frame, 8 bytes spill " +
    'stores, 8 bytes spill loads\nptxas info    : Used 12 registers, used 1 barriers, 512 bytes smem\n'
  expect(resourceUse(log)).toEqual([{ name: 'saxpy', registers: 12, spillBytes: 8, sharedBytes: 512 }])
})

describe('what a target cannot do is refused in a sentence', () => {
  test('double precision in WGSL, with the two ways out', () => {
    const emit = (): unknown => emitWgsl(everyType('f64'))
    expect(emit).toThrow(/kernel all_f64 uses double precision \('x' is f64\), which WGSL does not have/)
    expect(emit).toThrow(/\n.*--precision f32, or emit CUDA with --target cuda/)
  })
  test('64-bit integers and reinterpreted buffers in WGSL', () => {
    expect(() => emitWgsl(everyType('u64'))).toThrow('uses 64-bit integers')
    const h = new KernelBuilder({ name: 'halves', block: [1, 1, 1] })
    h.load(h.global('x', 'f32', 'read'), 0, { type: 'f16' })
    expect(() => emitWgsl(h.finish())).toThrow('cannot reinterpret a buffer in elements of another size')
  })
  test('more shared memory than a block of any GPU has', () => {
    const k = new KernelBuilder({ name: 'large', block: [32, 1, 1] })
    k.shared('tile', 'f32', 58113)
    expect(() => emitCuda(k.finish())).toThrow('declares 232452 bytes of shared memory; CUDA takes at most 232448')
  })
})

test('nothing in a comment, header or name escapes into code', async () => {
  const k = new KernelBuilder({ name: 'fn', block: [1, 1, 1] })
  const y = k.global('while', 'i32')
  k.store(y, 0, 1, { comment: 'one\ntwo */ three \\\u2028four' })
  const { text, entry } = emitWgsl(k.finish(), { header: ['a\r\nb \\'] })
  expect(
    text
      .split('\n')
      .filter((l) => l.includes('two') || l.includes('four') || l.startsWith('b'))
      .every((l) => l.trim().startsWith('//')),
  ).toBe(true)
  expect(text.split('\n').some((l) => l.trimEnd().endsWith('\\'))).toBe(false)
  expect(await tintErrors(device, text, entry)).toEqual([])
  expect(entry).toBe('fn_')
})
