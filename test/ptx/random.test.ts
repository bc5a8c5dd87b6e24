// Random kernels, emitted as CUDA, compiled by nvcc to PTX and read back, against the reference interpreter, to the
// bit. Whatever parsing, structuring, typing or addressing gets wrong shows in the output. A failure prints its seed
// and PTX.
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { emitCuda } from '../../src/emit/index.ts'
import { reference } from '../../src/simulate/reference.ts'
import { randomKernel32, slots, threads } from '../emit/random.ts'
import { seedsOf } from '../support/long.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { ptxOf, runPtx } from './compile.ts'

const count = seedsOf(80)

test.skipIf(!nvccAvailable())(
  `${count} random kernels through nvcc`,
  () => {
    const r = random(77)
    const source = Int32Array.from({ length: 64 }, () => r.bits() | 0)
    for (const options of [['-fmad=false'], ['-fmad=false', '-O0', '-Xcicc', '-O0']]) {
      const text = Array.from(
        { length: count },
        (_, i) =>
          `namespace n${i} {\n${emitCuda(randomKernel32(i + 1)).text.replace(/\brandom\(/, `random_${i + 1}(`)}\n}`,
      ).join('\n')
      const ptx = ptxOf(text, options)
      for (let seed = 1; seed <= count; seed++) {
        const out = new Int32Array(threads * slots),
          expected = new Int32Array(threads * slots)
        runPtx(ptx, { entry: `random_${seed}`, block: [threads, 1, 1], args: [source.slice(), out, -7, 9] })
        reference(randomKernel32(seed), {
          grid: [1, 1, 1],
          params: { p: -7, q: 9 },
          buffers: { source: source.slice().buffer, out: expected.buffer },
        })
        expect(Array.from(out), `seed ${seed}, ${options.join(' ')}`).toEqual(Array.from(expected))
      }
    }
  },
  120_000,
)
