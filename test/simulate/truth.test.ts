// The simulator against the hardware: global requests and sectors of kernels as Nsight Compute read them on an H200
// (bench/data/h200-counters.json) must be what the simulator counts, to the last one. Shared wavefronts too, where the
// compiler left the accesses as they are; the hardware's counter also counts lost arbitration, up to 7 % of stores.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countsOf, launchesOf, readExample, sizesFor } from '../../bench/truth/launches.ts'

interface Readings {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly kernel: string; readonly hardware: readonly number[] }[]
}
const readings = JSON.parse(readFileSync(resolve(__dirname, '../../bench/data/h200-counters.json'), 'utf8')) as Readings
const hardware = new Map(
  readings.rows.map((r) => [r.kernel, Object.fromEntries(readings.columns.map((c, i) => [c, r.hardware[i]!]))]),
)

const exact = ['loadRequests', 'loadSectors', 'storeRequests', 'storeSectors'] as const

describe("counts equal the hardware's", () => {
  test.each([
    'gemm',
    'gemm-nt',
    'batched-gemm',
    'transpose',
    'conv2d',
    'jacobi2d',
    'colsum',
    'saxpy',
    'sum',
  ])('%s', async (name) => {
    const program = await readExample(name)
    let compared = 0
    for (const size of sizesFor(name, program))
      for (const t of launchesOf(program, size)) {
        const kernel = `${name} ${t.step} n=${size}`
        const read = hardware.get(kernel)
        if (!read) continue
        const counts = countsOf(t)
        for (const key of exact) expect({ kernel, key, count: counts[key] }).toEqual({ kernel, key, count: read[key] })
        compared++
      }
    expect(compared).toBeGreaterThanOrEqual(3)
  })

  test('shared wavefronts of register-tiled matrix products, vectors of 16 bytes included', async () => {
    const program = await readExample('gemm')
    const tiled = launchesOf(program, 256).filter(
      (t) => hardware.has(`gemm ${t.step} n=256`) && Number(t.step.split('.')[0]) >= 3,
    )
    expect(tiled.length).toBeGreaterThanOrEqual(4)
    for (const t of tiled) {
      const read = hardware.get(`gemm ${t.step} n=256`)!
      const counts = countsOf(t)
      expect(counts['sharedLoadWavefronts']).toBe(read['sharedLoadWavefronts'])
      expect(counts['sharedStoreWavefronts']! / read['sharedStoreWavefronts']!).toBeGreaterThan(0.93)
      expect(counts['sharedStoreWavefronts']! / read['sharedStoreWavefronts']!).toBeLessThanOrEqual(1)
    }
  })
})
