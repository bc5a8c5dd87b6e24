// Gates: requirements with their grammar and errors, baselines that do not mind moved lines, SARIF against its schema.
import { createRequire } from 'node:module'
import Ajv from 'ajv'
import { describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../src/base/index.ts'
import {
  explain,
  explainPortable,
  parseBaseline,
  parseRequirement,
  unmet,
  worseThan,
  type ExplainReport,
} from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { explainSarif } from '../../src/report/index.ts'
import { found, go, shader } from './kernels.ts'

const options = { size: '64', grid: [4096, 1, 1] as const }
const copy = go('c[id.x] = a[id.x];', options)
const strided = go('c[id.x] = a[id.x * 64];', options)

describe('a requirement', () => {
  test.each([
    ['efficiency of every access', copy, 'each efficiency >= 1', 0],
    ['efficiency of every access', strided, 'each efficiency >= 50 %', 1],
    ['reads only', strided, 'each read efficiency >= 0.5', 1],
    ['writes only', strided, 'each write efficiency >= 0.5', 0],
    ['one buffer', strided, 'each of c sectorsPerRequest <= 4', 0],
    ['one buffer, quoted', strided, 'each of "a" sectorsPerRequest <= 4', 1],
    ['a space and an op', strided, 'each global load sectors < 1e12', 0],
    ['totals', strided, 'global.load.efficiency >= 0.5', 1],
    ['totals of writes', strided, 'global.store.efficiency = 1', 0],
    ['time with a unit', copy, 'time < 1 s', 0],
    ['time that is too long', copy, 'time<=1ns', 1],
    ['occupancy', copy, 'occupancy > 0', 0],
    ['hazards', copy, 'hazards = 0', 0],
    ['findings', strided, 'findings <= 0', 1],
    ['thousands', copy, 'instructions < 1 M', 0],
    ['memory without an op', copy, 'constant.sectors = 0', 0],
  ] as const)('%s: %#', (_, report, text, count) => {
    expect(unmet(parseRequirement(text), report)).toHaveLength(count)
  })

  test('says which access, and by how much', () => {
    expect(unmet(parseRequirement('each read sectorsPerRequest <= 4'), strided)).toEqual([
      'sectorsPerRequest of read `a[id.x * 64]` (line 8) is 32, not <= 4',
    ])
  })
  test('what a GPU does not document cannot be shown, and fails', () => {
    const r = go('tile[rank] = a[id.x]; workgroupBarrier(); c[id.x] = tile[63 - rank];', {
      ...options,
      declare: 'var<workgroup> tile: array<f32, 64>;',
      gpu: 'apple-m1',
    })
    expect(unmet(parseRequirement('each shared read worstConflict <= 1'), r)[0]).toContain('is not known for apple-m1')
  })

  const error = (work: () => unknown): string => {
    try {
      work()
    } catch (e) {
      if (e instanceof DiagnosticError) return e.diagnostics.map((d) => `${d.at?.column} ${d.message}`).join()
    }
    return 'accepted'
  }
  test.each([
    ['', '1 a figure is missing'],
    ['efficiency >= 1', "1 'efficiency' is no figure"],
    ['each efficiency', '16 a comparison is missing'],
    ['each efficiency ~ 1', "17 '~' is no comparison"],
    ['each efficiency >= much', "20 'much' is no number"],
    ['time < 5 parsecs', "10 'parsecs' is no unit"],
    ['time < 5 ms or so', "13 'or' is too much"],
    ['each fast efficiency > 1', "6 'fast' is no figure of an access"],
    ['global.efficiency > 0', "1 'global.efficiency' is no figure"],
    ['toString > 1', "1 'toString' is no figure"],
    ['global.load.constructor > 1', "1 'global.load.constructor' is no figure"],
    ['time <', '7 a number is missing'],
    ['each of', '8 the name of a buffer or array is missing'],
  ])('%j: %s', (text, expected) => {
    expect(error(() => parseRequirement(text))).toBe(expected)
  })
  test('a name that no access has is an error, not a gate that always holds', () => {
    expect(error(() => unmet(parseRequirement('each of d efficiency > 0'), copy))).toBe("9 the kernel accesses no 'd'")
  })
})

describe('a baseline', () => {
  const again = (r: ExplainReport, now = r): ExplainReport => parseBaseline(JSON.stringify(r), 'before.json', now)
  test('the same kernel is not worse, wherever its lines stand', () => {
    expect(worseThan(again(strided), strided, 0)).toEqual([])
    const moved = explain(
      { text: `\n\n// moved\n${shader('c[id.x] = a[id.x * 64];', options)}`, file: 'other.wgsl' },
      { grid: [4096, 1, 1] },
      { gpu: gpu('h200') },
    )
    const line = (r: ExplainReport): number | undefined => found(r, 'UncoalescedGlobalAccess')?.at?.line
    expect(line(moved)).toBe(line(strided)! + 3)
    expect(worseThan(again(strided), moved, 0)).toEqual([])
  })
  test('a new finding and worse figures are named', () => {
    const why = worseThan(again(copy, strided), strided, 0.02)
    expect(why.find((w) => w.startsWith('new UncoalescedGlobalAccess: line 8: read'))).toBeDefined()
    expect(why.find((w) => w.startsWith('worse: predicted time'))).toMatch(/before .* ns \(\d+ % more\)/)
    expect(worseThan(again(strided, copy), copy, 0)).toEqual([])
  })
  test('a new hazard is named; a second of the same kind too', () => {
    const racy = go('c[0] = f32(id.x);', options)
    expect(worseThan(again(copy, racy), racy, 0.02).some((w) => w.startsWith('new race: line 8'))).toBe(true)
    expect(worseThan(again(racy), racy, 0.02)).toEqual([])
  })
  test('figures may be worse by the tolerance', () => {
    const slower: ExplainReport = { ...copy, prediction: { ...copy.prediction, ns: copy.prediction.ns * 1.04 } }
    expect(worseThan(again(copy), slower, 0.05)).toEqual([])
    expect(worseThan(again(copy), slower, 0.02)).toHaveLength(1)
  })
  test.each([
    ['no JSON', '{', 'is no JSON'],
    ['another file', '{"schema":"sarif"}', 'is no report'],
    ['a list', '[]', 'is no report'],
    ['null', 'null', 'is no report'],
    ['another GPU', JSON.stringify({ ...copy, gpu: 'gt200' }), 'is for gt200, not h200'],
    ['another kernel', JSON.stringify({ ...copy, kernel: { name: 'x' } }), "is of kernel 'x'"],
    ['another grid', JSON.stringify({ ...copy, launch: { grid: [1, 1, 1] } }), 'is of a grid of 1 × 1 × 1'],
    ['accesses without figures', JSON.stringify({ ...copy, accesses: [{ text: 'a' }] }), 'is no report'],
    ['a prototype', JSON.stringify({ ...copy }).replace('"findings":', '"__proto__":{},"findings2":'), 'is no report'],
  ])('%s is refused', (_, text, expected) => {
    expect(() => parseBaseline(text, 'before.json', copy)).toThrow(expected)
  })
})

describe('SARIF', () => {
  const require = createRequire(import.meta.url)
  const ajv = new Ajv({
    schemaId: 'auto',
    meta: false,
    unknownFormats: ['uri', 'uri-reference', 'date-time'],
    logger: false,
  })
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json') as object)
  const valid = ajv.compile(require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as object)
  const check = (r: ExplainReport): unknown => {
    valid(JSON.parse(JSON.stringify(explainSarif(r, '0.1.0'))))
    return valid.errors
  }

  test('every rule says what it is and what to do', () => {
    const { runs } = JSON.parse(JSON.stringify(explainSarif(copy, '0.1.0')))
    const { rules } = runs[0].tool.driver as { rules: { shortDescription: { text: string }; help: { text: string } }[] }
    expect(rules.length).toBeGreaterThan(14)
    for (const r of rules) for (const t of [r.shortDescription.text, r.help.text]) expect(t).toMatch(/^[A-Z].{20,}\.$/)
  })
  test('the schema refuses what is wrong', () => {
    expect(valid({ version: '2.1.0', runs: [{ results: [{ message: { text: 1 } }] }] })).toBe(false)
  })
  test('reports with findings, hazards and none conform to the schema of 2.1.0', () => {
    for (const r of [
      copy,
      strided,
      go('c[0] = f32(id.x); c[id.x] = a[id.x * 9999];', { ...options, launch: { buffers: { a: { count: 100 } } } }),
    ])
      expect(check(r)).toBe(null)
    expect(
      check(
        explainPortable(
          { text: shader('c[id.x] = a[id.x * 64];', options), file: 'a b/ü.wgsl' },
          { grid: [256, 1, 1] },
          {},
        ),
      ),
    ).toBe(null)
  })
  test('each result has a rule, a relative path and a fingerprint of its own', () => {
    const r = go('c[id.x] = a[id.x * 64]; c[id.x] = a[id.x * 64]; c[0] = f32(id.x);', options)
    const log = JSON.parse(
      JSON.stringify(explainSarif({ ...r, kernel: { ...r.kernel, file: '/root/x.wgsl' } }, '0.1.0')),
    ) as {
      runs: {
        results: {
          ruleId: string
          partialFingerprints: Record<string, string>
          locations: { physicalLocation: { artifactLocation: { uri: string } } }[]
        }[]
      }[]
    } // checked by the schema
    const results = log.runs[0]!.results
    const prints = results.map((x) => x.partialFingerprints['tesela/v1'])
    expect(new Set(prints).size).toBe(prints.length)
    for (const x of results)
      expect(x.locations[0]!.physicalLocation.artifactLocation.uri).not.toMatch(/^[/\\]|^[a-z]:/i)
  })
})
