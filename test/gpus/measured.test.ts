// What one H200 says of itself (bench/data), against the rules: occupancy as the driver counts it, bank conflicts and
// tag passes as clocks tell them.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { countGlobal, countShared, gpu, occupancy, type WarpAccess } from '../../src/gpus/index.ts'
import { occupancyOf } from '../../src/model/index.ts'

const h200 = gpu('h200')
const data = (name: string): unknown => JSON.parse(readFileSync(resolve(__dirname, '../../bench/data', name), 'utf8'))

test('occupancy equals the driver’s on 3,553 combinations', () => {
  const { launches, kernels } = data('h200-occupancy.json') as {
    readonly launches: readonly (readonly [number, number])[]
    readonly kernels: readonly (readonly number[])[]
  }
  const wrong: string[] = []
  let asked = 0
  for (const [registers, fixed, ...answers] of kernels) {
    for (const [i, [threads, dynamic]] of launches.entries()) {
      asked++
      const ours = occupancy(h200, { threads, registers: registers!, shared: fixed! + dynamic }).activeBlocks
      if (ours !== answers[i])
        wrong.push(
          `${registers} registers, ${threads} threads, ${fixed! + dynamic} bytes: ${ours}, driver ${answers[i]}`,
        )
    }
  }
  expect(asked).toBe(3553)
  expect(wrong).toEqual([])
})

const micro = new Map(
  (data('h200-micro.json') as { readonly rows: readonly (readonly [string, number, string])[] }).rows.map(
    ([name, value]) => [name, value],
  ),
)
const strided = (stride: number, bytes: number, op: 'load' | 'store'): WarpAccess => ({
  addresses: Array.from({ length: 32 }, (_, l) => l * stride * bytes),
  active: -1,
  bytesPerLane: bytes,
  op,
})

/** Points of the sweep `name/stride` as [stride, clocks]. */
const sweep = (name: string): (readonly [number, number])[] =>
  [...micro].filter(([n]) => n.startsWith(`${name}/`)).map(([n, v]) => [Number(n.split('/')[1]), v] as const)

test.each([
  'load',
  'store',
] as const)('passes of shared memory are the clocks of a strided %s of 4, 8 and 16 bytes', (op) => {
  for (const bytes of [4, 8, 16])
    for (const [stride, clocks] of sweep(`shared.${op}.${bytes}`)) {
      const { wavefronts } = countShared(h200, strided(stride, bytes, op))
      expect(
        Math.abs(clocks / wavefronts - 1),
        `${op} of ${bytes} bytes, stride ${stride}: ${wavefronts} passes, ${clocks} clocks`,
      ).toBeLessThan(0.12)
    }
})

test('passes of L1 are the clocks of a strided load, but for what issuing it takes', () => {
  const errors: number[] = []
  for (const bytes of [4, 8, 16])
    for (const [stride, clocks] of sweep(`l1.load.${bytes}`)) {
      const { wavefronts } = countGlobal(h200, strided(stride, bytes, 'load'))
      const error = Math.abs(clocks / Math.max(wavefronts, 1.41) - 1)
      expect(error, `${bytes} bytes, stride ${stride}: ${wavefronts} passes, ${clocks} clocks`).toBeLessThan(0.26)
      errors.push(error)
    }
  expect(errors.reduce((a, b) => a + b, 0) / errors.length).toBeLessThan(0.03)
})

test('workgroups in flight under WebGPU are those of 48 KiB of workgroup memory', () => {
  const { rows } = data('h200-webgpu-shared.json') as {
    readonly rows: readonly { readonly bytes: number; readonly active: number }[]
  }
  // 16 workgroups of one warp are the most that the reading tells apart.
  for (const { bytes, active } of rows)
    expect([bytes, Math.min(16, occupancyOf(h200, 32, 16, bytes, Infinity, 'webgpu').activeBlocks)]).toEqual([
      bytes,
      active,
    ])
  expect(occupancyOf(h200, 32, 16, 48 * 1024, Infinity, 'cuda').activeBlocks).toBe(4)
})
