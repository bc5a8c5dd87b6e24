// A study on a device: the same points, the texts that were counted, times that everything else follows; on
// SwiftShader.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { studyLines } from '../../src/report/index.ts'
import { openWebGpu } from '../../src/run/index.ts'
import { experimentNamed, measureStudy, runStudy, type Experiment } from '../../src/study/index.ts'
import { kernel, made, point } from '../../src/study/types.ts'
import { productShader } from '../../src/study/wgsl.ts'
import type { Measurer } from '../../src/tune/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'

const small: Experiment = {
  ...experimentNamed('stride'),
  series: [
    { name: 'add', points: [1, 3].map((s) => point(s, kernel('add-strided', 5, { n: 1100, stride: s }))) },
    {
      name: 'two kernels',
      points: [
        point(1, [
          kernel('add', 4, { n: 1000 }),
          made('product', productShader({ outputs: 2 }), [2, 4], { overrides: { n: 64 } }),
        ]),
      ],
    },
    { name: 'too large', points: [point(1, kernel('matmul-tile-32', [2, 2], { n: 64 }))] },
  ],
}

async function device(): Promise<Measurer> {
  const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
  return {
    name: 'SwiftShader',
    target: 'wgsl',
    run: (plan, values, arrays) => webgpu.runPlan(plan, values, arrays),
    time: (plan, values, arrays) =>
      webgpu.timePlan(plan, values, arrays, { samples: 3, warmup: 1, minSampleNs: 1e5, warmupNs: 1e5 }),
    close: () => webgpu.close(),
  }
}

test('measured points stand beside predicted ones', async () => {
  const on = await device()
  const r = await measureStudy(small, runStudy(small, { gpus: [gpu('h200')] }), on)
  on.close()
  expect(r.measuredOn).toBe('SwiftShader')
  const series = r.series.filter((s) => s.kind === 'measured')
  expect(series.map((s) => s.name)).toEqual(['add', 'two kernels', 'too large'])
  for (const p of series.slice(0, 2).flatMap((s) => s.points)) {
    expect(p.measured?.ns).toBeGreaterThan(0)
    expect(p.values.time).toBe(p.measured?.ns)
  }
  const before = r.series[0]?.points[0]?.values,
    after = series[0]?.points[0]?.values
  expect((after?.bandwidth ?? NaN) * (after?.time ?? NaN)).toBeCloseTo(
    (before?.bandwidth ?? NaN) * (before?.time ?? NaN),
    3,
  )
  // Counts are not measured.
  expect(Object.keys(after ?? {}).sort()).toEqual(['bandwidth', 'time'])
  expect(series[2]?.points[0]).toMatchObject({
    values: {},
    measured: null,
    why: expect.stringMatching(/workgroup/i) as string,
  })
  expect(studyLines(r).join('\n')).toContain('measured on SwiftShader')
})

test('what a device cannot measure says so', async () => {
  const e = experimentNamed('registers')
  const one = { ...e, series: e.series.map((s) => ({ ...s, points: s.points.slice(-1) })) }
  const r = await measureStudy(one, runStudy(one, { gpus: [gpu('h200')] }), {
    name: 'none',
    target: 'wgsl',
    run: () => Promise.reject(new Error('asked')),
    time: () => Promise.reject(new Error('asked')),
    close: () => undefined,
  })
  expect(r.measuredOn).toBe(null)
  expect(r.notes.join()).toContain('-maxrregcount')
})
