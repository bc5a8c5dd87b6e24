// Emitted CUDA, executed without a GPU: the host's C++ compiler runs the kernels of the random test thread by thread,
// and the results must equal the reference interpreter's to the bit. A machine without g++ is told so.
import { expect, test } from 'vitest'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import koffi from 'koffi'
import { random } from '../../src/base/index.ts'
import { emitCuda } from '../../src/emit/index.ts'
import { reference } from '../../src/simulate/reference.ts'
import { randomKernel32, slots, threads } from './random.ts'

const count = 300
const header = resolve(import.meta.dirname, '../support/host-cuda.h')
const available = spawnSync('g++', ['--version']).status === 0
if (!available) console.warn('NOT CHECKED: g++ is not on this machine, so no emitted CUDA is executed')

/** One library with all kernels, and `run(which, source, out)`. */
function program(): string {
  const kernels = Array.from(
    { length: count },
    (_, i) => `namespace k${i} {\n${emitCuda(randomKernel32(i + 1)).text.replace('extern "C"', 'static')}}\n`,
  )
  const cases = kernels.map((_, i) => `case ${i}: k${i}::random(source, out, -7, 9u); break;`)
  return `#include "${header}"\n${kernels.join('\n')}
extern "C" void run(int which, const int* source, int* out) {
  for (unsigned t = 0; t < ${threads}u; t++) { threadIdx.x = t; switch (which) { ${cases.join(' ')} } }
}\n`
}

test.skipIf(!available)(`${count} random kernels`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-host-'))
  try {
    writeFileSync(join(folder, 'k.cpp'), program())
    const built = spawnSync(
      'g++',
      [
        '-std=c++17',
        '-O0',
        '-fwrapv',
        '-fno-strict-aliasing',
        '-ffp-contract=off',
        '-w',
        '-shared',
        '-fPIC',
        '-o',
        join(folder, 'k.so'),
        join(folder, 'k.cpp'),
      ],
      { encoding: 'utf8' },
    )
    expect(built.stderr).toBe('')
    const run = koffi.load(join(folder, 'k.so')).func('void run(int which, void *source, void *out)')
    const r = random(77)
    const source = Int32Array.from({ length: 64 }, () => r.bits() | 0)
    for (let i = 0; i < count; i++) {
      const out = new Int32Array(threads * slots),
        expected = new Int32Array(threads * slots)
      run(i, source, out)
      reference(randomKernel32(i + 1), {
        grid: [1, 1, 1],
        params: { p: -7, q: 9 },
        buffers: { source: source.slice().buffer, out: expected.buffer },
      })
      expect(Array.from(out), `seed ${i + 1}\n${emitCuda(randomKernel32(i + 1)).text}`).toEqual(Array.from(expected))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
