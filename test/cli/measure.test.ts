// The whole way with a device: the built command line measures on SwiftShader, WebGPU on the processor.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { swiftShaderFolder } from '../support/dawn.ts'
import { folderWith, root, softwareDevice, tesela } from './run.ts'

const folder = swiftShaderFolder(),
  device = softwareDevice()

interface Measured {
  readonly measured: { ns: number; min: number; on: string } | null
}

test('--measure webgpu times the ladder and the chosen kernel, and says on what', () => {
  const r = tesela(
    [
      'optimize',
      join(root, 'examples/transpose.c'),
      '-D',
      'n=60',
      '-D',
      'm=52',
      '--measure',
      'webgpu',
      '--budget',
      '2',
      '--json',
    ],
    folderWith({}),
    device,
  )
  expect(r.code, r.err).toBe(0)
  const report = JSON.parse(r.out) as {
    ladder: Measured[]
    kernels: Measured[]
    measuredOn: string
    search: { measured: number }
  }
  expect(report.measuredOn).toMatch(/SwiftShader.*\(WebGPU\)/)
  expect(report.search.measured).toBeGreaterThan(0)
  for (const m of [...report.ladder, ...report.kernels]) {
    expect(m.measured?.ns).toBeGreaterThan(0)
    expect(m.measured?.min).toBeLessThanOrEqual(m.measured?.ns ?? 0)
    expect(m.measured?.on).toBe(report.measuredOn)
  }
})

test('without a device, --measure is refused with what is missing, before any work', () => {
  const r = tesela(['optimize', join(root, 'examples/gemm.c'), '--measure', 'webgpu'], folderWith({}), {
    VK_ICD_FILENAMES: '/nonexistent',
    LD_LIBRARY_PATH: folder,
  })
  expect({ code: r.code, out: r.out }).toEqual({ code: 2, out: '' })
  expect(r.err).toMatch(/WebGPU found no adapter \[webgpu.adapter\]\n {2}hint: /)
})
