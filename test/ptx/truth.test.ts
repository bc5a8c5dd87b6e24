// What PTX says of our own kernels against the hardware's counters: emitted CUDA, compiled by nvcc, read back, run in
// the simulator, next to Nsight Compute's readings of the same kernels on an H200 (`bench/data/h200-counters.json`).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { launchesOf, readExample, type TruthLaunch } from '../../bench/truth/launches.ts'
import { emitCuda } from '../../src/emit/index.ts'
import { bindPtx, parsePtx, writeMemory } from '../../src/frontend/ptx/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { Counters } from '../../src/ir/index.ts'
import { simulate } from '../../src/simulate/index.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { ptxOf } from './compile.ts'

interface Readings {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly kernel: string; readonly hardware: readonly number[] }[]
}
const readings = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../bench/data/h200-counters.json'), 'utf8'),
) as Readings // committed data
const hardware = new Map(
  readings.rows.map((r) => [r.kernel, Object.fromEntries(readings.columns.map((c, i) => [c, r.hardware[i]!]))]),
)

function countersOf(text: string, entry: string, t: TruthLaunch): Counters {
  const { kernel } = t.launch
  const ptx = parsePtx(text, 'k.ptx', { entry, block: kernel.block })
  const bound = kernel.resources.filter((r) => r.space === 'global' || r.space === 'constant')
  const args = ptx.params.map((p) => new ArrayBuffer(Math.max(8, p.bytes)))
  kernel.params.forEach((p, i) =>
    writeMemory(args[bound.length + i]!, 0, p.type === 'f32' ? 'f32' : 'i32', Number(t.run.params[p.name])),
  )
  const { launch } = bindPtx(
    ptx,
    t.run.grid,
    args,
    ptx.pointers.map((p) => t.run.buffers[bound[p.index]!.name]!.slice(0)),
  )
  return simulate(ptx.kernel, launch, gpu('h200'), { exact: true }).counters
}

/** One translation unit of all kernels, the i-th called `k<i>`. */
const unitOf = (launches: readonly TruthLaunch[]): string =>
  launches
    .map((t, i) => {
      const { entry, text } = emitCuda(t.launch.kernel)
      return `namespace n${i} {\n${text.replace(new RegExp(`\\b${entry}\\(`), `k${i}(`)}\n}`
    })
    .join('\n')

const sum = (c: Counters, space: string, op: string, key: 'requests' | 'sectors' | 'wavefronts'): number =>
  c.sites.filter((s) => s.space === space && s.op === op).reduce((n, s) => n + s[key], 0)

/** Example, size, and steps of its ladder. */
const chosen: readonly (readonly [string, number, readonly string[]])[] = [
  ['transpose', 333, ['1.1', '3.1', '5.1']],
  ['gemm', 200, ['1.1', '3.1', '5.1', '7.1']],
  ['sum', 70000, ['1.1', '2.1', '3.1']],
  ['rowsum', 301, ['2.1', '4.1']],
  ['jacobi2d', 515, ['1.1', '3.1']],
]

describe.skipIf(!nvccAvailable())('PTX of our kernels against the hardware', () => {
  for (const [example, size, steps] of chosen) {
    test(`${example} ${size}: ${steps.join(', ')}`, async () => {
      const all = launchesOf(await readExample(example), size)
      const launches = steps.map((step) => all.find((l) => l.step === step)!)
      const text = ptxOf(unitOf(launches))
      for (const [i, t] of launches.entries()) {
        const id = `${example} ${t.step} n=${size}`
        const [counters, real] = [countersOf(text, `k${i}`, t), hardware.get(id)!]
        expect(
          {
            loadRequests: sum(counters, 'global', 'load', 'requests'),
            loadSectors: sum(counters, 'global', 'load', 'sectors'),
            storeRequests: sum(counters, 'global', 'store', 'requests'),
            storeSectors: sum(counters, 'global', 'store', 'sectors'),
          },
          id,
        ).toEqual({
          loadRequests: real['loadRequests'],
          loadSectors: real['loadSectors'],
          storeRequests: real['storeRequests'],
          storeSectors: real['storeSectors'],
        })
        const instructions = counters.instructions.warp / real['warpInstructions']!
        expect(instructions, `${id}: warp instructions ÷ the hardware's`).toBeGreaterThan(0.75)
        expect(instructions, `${id}: warp instructions ÷ the hardware's`).toBeLessThan(1.25)
      }
    }, 60_000)
  }
})
