// Jobs: every kind has the result that the library gives, is the same from a file of half of it, and what is wrong with
// a job file is one sentence.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../src/base/index.ts'
import {
  jobKey,
  readJob,
  recordsOfResult,
  runJob,
  runJobInFile,
  type Job,
  type JobTools,
} from '../../src/farm/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { experimentNamed, runStudy } from '../../src/study/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { files, tools } from './support.ts'

const saxpy = 'void f(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2.0f * x[i] + y[i]; }'
const program = { text: saxpy, defines: { n: '4096' } }
const read = (job: object): Promise<Job> => readJob({ schema: 'tesela.job/1', ...job }, files, '.', tools.wasm)
const result = async (job: object, with_: JobTools = tools): Promise<Record<string, unknown>> =>
  (await runJob(await read(job), with_)).result as Record<string, unknown>

describe('what jobs give', () => {
  test('a point of a study is the one that the study has', async () => {
    const e = experimentNamed('stride')
    const report = runStudy({ ...e, series: e.series.slice(0, 1) }, { gpus: [gpu('gt200')] })
    const found = await result({ kind: 'simulate', study: 'stride', gpu: 'gt200', point: 1 })
    expect(found).toEqual(JSON.parse(JSON.stringify(report.series[0]!.points[1])))
  })
  test('a program optimized as a job has the plan of the library', async () => {
    const found = await result({ kind: 'optimize', program, targets: ['wgsl'], budget: 3 })
    const own = await optimize(await readC(saxpy, { defines: { n: '4096' } }), {
      gpu: gpu('h200'),
      targets: ['wgsl'],
      budget: 3,
    })
    expect(found['points']).toEqual(own.points)
    expect(found['ns']).toBe(own.kernels.reduce((n, k) => n + k.prediction.ns, 0))
  })
  test('slices of a space have all of its points between them, each scored as it is alone', async () => {
    const slices = await Promise.all(
      [0, 1].map((index) => result({ kind: 'search', program, targets: ['wgsl'], slice: { index, of: 2 } })),
    )
    const scored = slices.flatMap((s) => s['scored'] as { point: object; ns: number | null; shrink: number }[])
    const spaces = await result({ kind: 'search', program, targets: ['wgsl'], slice: { index: 0, of: 1 } })
    const sorted = (list: readonly object[]): string[] => list.map((x) => JSON.stringify(x)).sort()
    expect(sorted(scored.map((s) => s.point))).toEqual(
      sorted((spaces['scored'] as { point: object }[]).map((s) => s.point)),
    )
    const { point, ns } = scored.find((s) => s.ns !== null)!
    const alone = await result({ kind: 'search', program, targets: ['wgsl'], points: [point] })
    expect((alone['best'] as { ns: number }[])[0]!.ns).toBe(ns)
  })
  test('a point is proved, and one of another program refused', async () => {
    const { points } = (await result({ kind: 'optimize', program, targets: ['wgsl'], budget: 1 })) as {
      points: object[]
    }
    const proof = await result({ kind: 'prove', program, targets: ['wgsl'], points })
    expect(proof).toMatchObject({ ok: true })
    await expect(result({ kind: 'prove', program, targets: ['wgsl'], points: [...points, ...points] })).rejects.toThrow(
      'f has 1 parts, and 2 points are given',
    )
  })
  test('a range of seeds is fuzzed, each by itself', async () => {
    const of = (from: number, count: number): Promise<Record<string, unknown>> =>
      result({ kind: 'fuzz', program, targets: ['wgsl'], seeds: { from, count } })
    const [all, first, second] = [await of(1, 3), await of(1, 1), await of(2, 2)]
    expect(all['wrong']).toEqual([])
    expect(all['proved']).toBe(Number(first['proved']) + Number(second['proved']))
    expect(Number(all['proved']) + Number(all['refused'])).toBe(3)
  })
  test('measuring where there is no device is one sentence', async () => {
    const { points } = (await result({ kind: 'optimize', program, targets: ['cuda'], budget: 1 })) as {
      points: object[]
    }
    const none = { ...tools, measurer: () => Promise.reject(new DiagnosticError([])) }
    const job = { kind: 'measure', program, targets: ['cuda'], on: 'cuda', candidates: [points] }
    await expect(result(job, none)).rejects.toThrow(DiagnosticError)
  })
  test('measuring keeps the time of a device with every candidate', async () => {
    const { points } = (await result({ kind: 'optimize', program, targets: ['wgsl'], budget: 1 })) as {
      points: object[]
    }
    const timing = { ns: 5, min: 4, spread: 0.1, samples: 9, repeats: 1, timer: 'timestamps', quantumNs: 0 } as const
    const y = new Float32Array(4096)
    const device = {
      name: 'a test',
      target: 'wgsl' as const,
      run: async (_: unknown, __: unknown, arrays: object) => {
        const given = arrays as Record<string, Float32Array>
        y.forEach((_v, i) => {
          y[i] = 2 * given['x']![i]! + given['y']![i]!
        })
        return { y }
      },
      time: async () => timing,
      close: () => {},
    }
    const found = await result(
      { kind: 'measure', program, targets: ['wgsl'], on: 'webgpu', candidates: [points] },
      { ...tools, measurer: async () => device },
    )
    expect(found).toEqual({
      device: 'a test',
      target: 'wgsl',
      measured: [{ points, ...timing, taken: expect.stringMatching(/^\d{4}-/) }],
    })
    const job = await read({ kind: 'measure', program, targets: ['wgsl'], on: 'webgpu', candidates: [points] })
    const whole = { schema: 'tesela.result/1', key: 'k', compiler: 'test', job, result: found } as const
    const records = recordsOfResult(whole)
    expect(records.readings).toMatchObject([{ ns: 5, spread: 0.1, samples: 9, candidate: records.candidates![0]!.key }])
    expect(records.results).toMatchObject([{ key: 'k', kind: 'measure webgpu' }])
  })
})

describe('a job for browsers', () => {
  test('is none for this machine', async () => {
    const job = { kind: 'measure', program, targets: ['wgsl'], on: 'browser', device: 'a', candidates: [[{}]] }
    await expect(result(job)).rejects.toThrow('browsers measure for a farm alone')
  })
  test('has kernels without statements and elements of the result, or the reason why not', async () => {
    const { points } = (await result({ kind: 'optimize', program, targets: ['wgsl'], budget: 1 })) as {
      points: object[]
    }
    const found = (await result({ kind: 'emit', program, targets: ['wgsl'], candidates: [points] })) as {
      candidates: { trial: { plan: object }; samples: { array: string; value: number }[]; boundNs: number }[]
    }
    const [good] = found.candidates
    expect(good!.samples).toHaveLength(64)
    expect(good!.samples.every((s) => s.array === 'y' && Number.isFinite(s.value))).toBe(true)
    expect(good!.boundNs).toBeGreaterThan(0)
    expect(JSON.stringify(good!.trial)).not.toContain('"kind":"store"')
  })
  test('of whose results nothing can be known is given to nobody', async () => {
    const text = `void f(int n, const float a[n][n], float b[n][n], float c[n][n]) {
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        b[i][j] = 0; for (int k = 0; k < n; k++) b[i][j] += a[i][k] * a[k][j];
      }
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        c[i][j] = 0; for (int k = 0; k < n; k++) c[i][j] += b[i][k] * a[k][j];
      }
    }`
    const on = { program: { text, defines: { n: '700' } }, targets: ['wgsl'] }
    const { points } = (await result({ kind: 'optimize', ...on, budget: 1 })) as { points: object[] }
    expect(await result({ kind: 'emit', ...on, candidates: [points] })).toEqual({
      candidates: [{ how: 'unbuilt', why: expect.stringContaining('takes more than 200000000 loop iterations') }],
    })
  })
})

describe('a result in a file', () => {
  let folder = ''
  let job: Job
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tesela-job-'))
    job = await read({ kind: 'search', program, targets: ['wgsl'], slice: { index: 0, of: 1 } })
  })
  const inFile = (name: string): Promise<unknown> =>
    runJobInFile(job, join(folder, name), tools, (path, text) => writeFileSync(path, text))

  test('is returned as it is, when it is of the same job', async () => {
    await inFile('a.json')
    const path = join(folder, 'a.json')
    const marked = { ...(JSON.parse(readFileSync(path, 'utf8')) as object), result: 'kept' }
    writeFileSync(path, JSON.stringify(marked))
    expect(await inFile('a.json')).toEqual(marked)
    writeFileSync(path, JSON.stringify({ ...marked, key: 'of another job' }))
    expect(await inFile('a.json')).toMatchObject({ key: jobKey(job, tools.compiler) })
  })
  test('goes on from any byte at which its process was killed', async () => {
    const whole = await runJob(job, tools)
    const { scored } = whole.result as { scored: { ns: number | null; shrink: number }[] }
    expect(scored.length).toBeGreaterThan(3)
    const lines = [{ key: whole.key }, ...scored.map(({ ns, shrink }) => ({ ns, shrink }))]
    const text = lines.map((l) => `${JSON.stringify(l)}\n`).join('')
    for (const part of [0, 1, 40, 80, text.length - 1, text.length].map((n) => text.slice(0, n))) {
      writeFileSync(join(folder, 'b.json.part'), part)
      expect(await inFile(`b.json`)).toEqual(whole)
      writeFileSync(join(folder, 'b.json'), '{"half": ')
    }
  })
})

test('what is included travels with the job', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-job-'))
  writeFileSync(join(folder, 'two.h'), '#define TWO 2.0f')
  writeFileSync(join(folder, 'f.c'), `#include "two.h"\n${saxpy.replace('2.0f', 'TWO')}`)
  const json = { schema: 'tesela.job/1', kind: 'optimize', program: { file: 'f.c' }, targets: ['wgsl'], budget: 1 }
  const job = await readJob(json, files, folder, tools.wasm)
  expect(job).toMatchObject({ program: { includes: { 'two.h': '#define TWO 2.0f' } } })
  const nowhere = { ...files, find: () => undefined }
  expect(await readJob({ ...json, program: (job as { program: object }).program }, nowhere, '/', tools.wasm)).toEqual(
    job,
  )
})

describe('what is wrong with a job is one sentence', () => {
  const on = { kind: 'optimize', program }
  test.each<[string, unknown, string]>([
    ['no object', [], 'job must be an object, and is []'],
    ['another schema', { schema: 'x' }, 'job.schema must be tesela.job/1, and is "x"'],
    [
      'no kind',
      { schema: 'tesela.job/1' },
      'job.kind must be simulate or optimize or search or prove or measure or emit or fuzz',
    ],
    ['a misspelled field', { schema: 'tesela.job/1', ...on, budgte: 1 }, "job has no field 'budgte'"],
    ['a field of another kind', { schema: 'tesela.job/1', ...on, part: 1 }, "job has no field 'part'"],
    [
      'a budget of 0',
      { schema: 'tesela.job/1', ...on, budget: 0 },
      'job.budget must be a whole number from 1 to 100000',
    ],
    ['no program', { schema: 'tesela.job/1', kind: 'optimize' }, 'job.program must be an object, and is missing'],
    [
      'two programs',
      { schema: 'tesela.job/1', ...on, program: { file: 'a', text: 'b' } },
      "either a 'file' or a 'text'",
    ],
    ['an unknown GPU', { schema: 'tesela.job/1', ...on, gpu: 'h2oo' }, "no GPU profile is called 'h2oo'"],
    [
      'a target',
      { schema: 'tesela.job/1', ...on, targets: ['metal'] },
      'job.targets are wgsl and cuda, and not "metal"',
    ],
    [
      'a point of texts',
      { schema: 'tesela.job/1', kind: 'prove', program, points: [{ a: 'b' }] },
      'job.points[0].a must be a number, and is "b"',
    ],
    [
      'a slice beyond its number',
      { schema: 'tesela.job/1', kind: 'search', program, slice: { index: 2, of: 2 } },
      'job.slice.index must be a whole number from 0 to 1, and is 2',
    ],
    [
      'measuring what is not made',
      { schema: 'tesela.job/1', kind: 'measure', program, targets: ['cuda'], on: 'webgpu', candidates: [[{}]] },
      'measuring on webgpu needs wgsl among the targets',
    ],
    [
      'measuring in browsers of no kind',
      { schema: 'tesela.job/1', kind: 'measure', program, targets: ['wgsl'], on: 'browser', candidates: [[{}]] },
      'job.device must be a text, and is missing',
    ],
    [
      'the kind of a device that is here',
      { schema: 'tesela.job/1', kind: 'measure', program, on: 'webgpu', device: 'a', candidates: [[{}]] },
      "job.device is for measuring on 'browser'",
    ],
    [
      'emitting CUDA alone for browsers',
      { schema: 'tesela.job/1', kind: 'emit', program, targets: ['cuda'], candidates: [[{}]] },
      'emitting for browsers needs wgsl among the targets',
    ],
  ])('%s', async (_, json, sentence) => {
    const failure = await readJob(json, files, '.', tools.wasm).then(
      () => undefined,
      (e: unknown) => e,
    )
    expect(failure).toBeInstanceOf(DiagnosticError)
    expect((failure as DiagnosticError).diagnostics).toHaveLength(1)
    expect((failure as DiagnosticError).message).toContain(sentence)
  })
})

test('equal jobs have equal keys in any order of fields, and those of another compiler others', async () => {
  const [a, b] = [
    await read({ kind: 'simulate', study: 's', point: 1 }),
    await read({ point: 1, study: 's', kind: 'simulate' }),
  ]
  expect(jobKey(a, 'x')).toBe(jobKey(b, 'x'))
  expect(jobKey(a, 'x')).not.toBe(jobKey(a, 'y'))
})
