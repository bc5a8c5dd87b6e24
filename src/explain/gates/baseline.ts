// In: a report of before (its JSON) and one of now. Out: what is new or worse. The one idea: problems and accesses are
// matched by what they are (fingerprints), so that moved lines do not matter; figures may be worse by a tolerance.
import { fail } from '../../base/index.ts'
import { accessKeys, fingerprints } from './fingerprint.ts'
import type { AccessJson, ExplainReport } from '../types.ts'

/** Reads a baseline. Throws `explain.baseline` when it is no report, or one of another kernel, GPU or launch. */
export function parseBaseline(text: string, file: string, now: ExplainReport): ExplainReport {
  const bad = (why: string): never => fail('explain.baseline', `${file} ${why}`, undefined, 'write it anew with --json')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return bad('is no JSON')
  }
  if (!isReport(value)) return bad('is no report of tesela explain --json (tesela.explain/1)')
  if (value.kernel.name !== now.kernel.name) bad(`is of kernel '${value.kernel.name}', not '${now.kernel.name}'`)
  if (value.gpu !== now.gpu) bad(`is for ${value.gpu}, not ${now.gpu}`)
  if (value.launch.grid.join() !== now.launch.grid.join())
    bad(`is of a grid of ${value.launch.grid.join(' × ')}, not ${now.launch.grid.join(' × ')}`)
  return value
}

const isObject = (x: unknown): x is Readonly<Record<string, unknown>> =>
  typeof x === 'object' && x !== null && !Array.isArray(x)
const isList = (x: unknown, item: (v: Readonly<Record<string, unknown>>) => boolean): boolean =>
  Array.isArray(x) && x.every((v) => isObject(v) && item(v))
const numbers = (v: unknown, ...keys: readonly string[]): boolean =>
  isObject(v) && keys.every((k) => typeof v[k] === 'number' || v[k] === null)
const texts = (v: unknown, ...keys: readonly string[]): boolean =>
  isObject(v) && keys.every((k) => typeof v[k] === 'string')

/** Checks all that is compared; nothing else of the file is looked at. */
function isReport(x: unknown): x is ExplainReport {
  if (!isObject(x) || x['schema'] !== 'tesela.explain/1' || !texts(x['kernel'], 'name') || typeof x['gpu'] !== 'string')
    return false
  const { launch, accesses, findings, hazards } = x
  return (
    isObject(launch) &&
    Array.isArray(launch['grid']) &&
    launch['grid'].every((n) => typeof n === 'number') &&
    isList(
      accesses,
      (a) =>
        texts(a, 'text', 'resource', 'op') &&
        numbers(a, 'bytesPerLane', 'requests', 'sectors', 'wavefronts', 'efficiency'),
    ) &&
    isList(findings, (f) => texts(f, 'rule', 'message')) &&
    isList(hazards, (h) => texts(h, 'kind', 'message')) &&
    numbers(x['prediction'], 'ns') &&
    numbers(x['occupancy'], 'occupancy') &&
    numbers(x['instructions'], 'warp') &&
    numbers(x, 'warpEfficiency')
  )
}

/**
 * Sentences: new hazards and findings, then figures worse by more than `tolerance` (0.02: two percent). Empty when all
 * is as good.
 */
export function worseThan(before: ExplainReport, now: ExplainReport, tolerance: number): string[] {
  return [
    ...newHazards(before, now),
    ...newFindings(before, now),
    ...worseAccesses(before, now, tolerance),
    ...worseFigures(before, now, tolerance),
  ]
}

const line = (at: AccessJson['at'] | undefined): string => (at ? `line ${at.line}: ` : '')
const counted = (f: ExplainReport['findings'][number]): boolean =>
  f.rule !== 'SOLBottleneck' && f.rule !== 'HighPipeUtilization'

function newHazards(before: ExplainReport, now: ExplainReport): string[] {
  const known = new Set(fingerprints(before, before.hazards))
  return fingerprints(now, now.hazards).flatMap((print, i) => {
    const h = now.hazards[i]!
    return known.has(print) ? [] : [`new ${h.kind}: ${line(h.at)}${h.message}`]
  })
}

function newFindings(before: ExplainReport, now: ExplainReport): string[] {
  const [old, found] = [before.findings.filter(counted), now.findings.filter(counted)]
  const known = new Set(fingerprints(before, old))
  return fingerprints(now, found).flatMap((print, i) => {
    const f = found[i]!
    return known.has(print) ? [] : [`new ${f.rule}: ${line(f.at)}${f.message}`]
  })
}

const percent = (from: number, to: number): string =>
  from === 0 ? '' : ` (${Math.round(100 * (to / from - 1))} % more)`
const short = (x: number): string => String(Number(x.toPrecision(4)))

/** Sectors and passes per request of accesses that both have. */
function worseAccesses(before: ExplainReport, now: ExplainReport, tolerance: number): string[] {
  const old = new Map(accessKeys(before.accesses).map((key, i) => [key, before.accesses[i]!]))
  return accessKeys(now.accesses).flatMap((key, i) => {
    const [a, b] = [now.accesses[i]!, old.get(key)]
    if (!b || a.requests === 0 || b.requests === 0) return []
    return (['sectors', 'wavefronts'] as const).flatMap((figure) => {
      const [x, y] = [b[figure], a[figure]]
      if (x === null || y === null) return []
      const [was, is] = [x / b.requests, y / a.requests]
      return is > was * (1 + tolerance)
        ? [
            `worse: ${line(a.at)}\`${a.text}\` takes ${short(is)} ` +
              `${figure === 'sectors' ? 'sectors' : 'passes'} a request, before ${short(was)}${percent(was, is)}`,
          ]
        : []
    })
  })
}

function worseFigures(before: ExplainReport, now: ExplainReport, tolerance: number): string[] {
  const rises = (name: string, was: number | null, is: number | null, unit = ''): string[] =>
    was !== null && is !== null && is > was * (1 + tolerance)
      ? [`worse: ${name} ${short(is)}${unit}, before ${short(was)}${unit}${percent(was, is)}`]
      : []
  const falls = (name: string, was: number | null, is: number | null): string[] =>
    was !== null && is !== null && is < was * (1 - tolerance)
      ? [`worse: ${name} ${short(is)}, before ${short(was)}`]
      : []
  return [
    ...rises('predicted time', before.prediction.ns, now.prediction.ns, ' ns'),
    ...rises('warp instructions', before.instructions.warp, now.instructions.warp),
    ...falls('occupancy', before.occupancy.occupancy, now.occupancy.occupancy),
    ...falls('active lanes', before.warpEfficiency, now.warpEfficiency),
  ]
}
