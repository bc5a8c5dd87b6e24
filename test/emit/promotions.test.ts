// C promotes integers of 8 and 16 bits to int, where KernelIR has i32 of the signed and u32 of the unsigned ones. Every
// operation on two loads of narrow integers, and what shows its sign behind it, as emitted CUDA that the host's C++
// compiler runs; the results must equal the reference interpreter's.
import { expect, test } from 'vitest'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import koffi from 'koffi'
import { emitCuda } from '../../src/emit/index.ts'
import {
  constOf,
  hostArray,
  KernelBuilder,
  type Kernel,
  type OpName,
  type Operand,
  type Verified,
} from '../../src/ir/index.ts'
import { reference } from '../../src/simulate/reference.ts'

const available = spawnSync('g++', ['--version']).status === 0
if (!available) console.warn('NOT CHECKED: g++ is not on this machine, so no emitted CUDA is executed')

const narrow = ['u8', 'u16', 'i8', 'i16'] as const
type Narrow = (typeof narrow)[number]
const ops: readonly OpName[] = ['add', 'sub', 'mul', 'div', 'rem', 'min', 'max', 'and', 'or', 'xor', 'shl', 'shr']
/** What shows whether its argument is signed, and whether it has wrapped. */
const behind: readonly ({ readonly op: OpName; readonly by: number } | null)[] = [
  null,
  { op: 'shr', by: 1 },
  { op: 'div', by: 7 },
  { op: 'rem', by: 100 },
]
const threads = 256

/** out[t][k] = the k-th expression of x[t] and y[t]. */
function kernelOf(typeOfX: Narrow, typeOfY: Narrow): { readonly kernel: Verified<Kernel>; readonly slots: number } {
  const k = new KernelBuilder({ name: 'narrow', block: [threads, 1, 1] })
  const wide = typeOfX.startsWith('u') ? 'u32' : 'i32'
  const x = k.global('x', typeOfX, 'read'),
    y = k.global('y', typeOfY, 'read'),
    out = k.global('out', wide, 'write')
  const t = k.op('convert', [k.builtin('threadIdx.x')], { type: 'i32' })
  const load = (): readonly [Operand, Operand] => {
    const other = k.load(y, t)
    return [k.load(x, t), other.type === wide ? other : k.op('convert', [other], { type: wide })]
  }
  const firsts: readonly (() => Operand)[] = [
    () => k.op('not', [load()[0]]),
    () => k.op('sub', [constOf(wide, 0), load()[0]]),
    () => k.op('copy', [load()[0]]),
    () => {
      const [p, q] = load()
      return k.op('select', [k.op('gt', [p, q]), q, p])
    },
    ...ops.map((op) => () => k.op(op, [...load()])),
  ]
  let slots = 0
  for (const first of firsts)
    for (const b of behind) {
      const value = first()
      const shown = b === null ? value : k.op(b.op, [value, constOf(wide, b.by)])
      const at = k.op('add', [k.op('mul', [t, constOf('i32', 64)]), constOf('i32', slots++)])
      k.store(out, at, shown)
    }
  expect(slots).toBeLessThanOrEqual(64)
  return { kernel: k.finish(), slots }
}

const pairs = narrow.flatMap((a) => narrow.map((b) => [a, b] as const))

test.skipIf(!available)('every operation on narrow integers, as the host runs it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-narrow-'))
  try {
    const header = resolve(import.meta.dirname, '../support/host-cuda.h')
    const texts = pairs.map(
      ([a, b], i) =>
        `namespace k${i} {\n${emitCuda(kernelOf(a, b).kernel).text.replace('extern "C"', 'static')}}\n` +
        `extern "C" void run${i}(void* x, void* y, void* out) { for (unsigned t = 0; t < ${threads}u; t++) ` +
        `{ threadIdx.x = t; k${i}::narrow((const ${cTypes[a]}*)x, (const ${cTypes[b]}*)y, ` +
        `(${a.startsWith('u') ? 'unsigned' : 'int'}*)out); } }\n`,
    )
    writeFileSync(join(folder, 'k.cpp'), `#include "${header}"\n${texts.join('')}`)
    const built = spawnSync(
      'g++',
      ['-std=c++17', '-O0', '-fwrapv', '-w', '-shared', '-fPIC', '-o', join(folder, 'k.so'), join(folder, 'k.cpp')],
      { encoding: 'utf8' },
    )
    expect(built.stderr).toBe('')
    const library = koffi.load(join(folder, 'k.so'))
    pairs.forEach(([a, b], i) => {
      const { kernel } = kernelOf(a, b),
        x = hostArray(a, threads),
        y = hostArray(b, threads),
        out = new Int32Array(64 * threads),
        expected = new Int32Array(64 * threads)
      for (let t = 0; t < threads; t++) {
        x[t] = (t * 40503) & 0xffff // the array takes what it holds
        y[t] = (t * 259 + 3) & 0xffff
      }
      library.func(`void run${i}(void *x, void *y, void *out)`)(x, y, out)
      reference(kernel, {
        grid: [1, 1, 1],
        params: {},
        buffers: { x: x.buffer as ArrayBuffer, y: y.buffer as ArrayBuffer, out: expected.buffer },
      })
      expect(Array.from(out), `${a} ${b}\n${emitCuda(kernel).text}`).toEqual(Array.from(expected))
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const cTypes: Readonly<Record<Narrow, string>> = {
  u8: 'unsigned char',
  u16: 'unsigned short',
  i8: 'signed char',
  i16: 'short',
}
