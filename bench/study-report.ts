// In: bench/data/h200-study.json, as `bench/study.ts` writes it. Out: docs/study.md (of h100-study.json
// docs/study-h100.md, without drawings): each experiment with predicted
// beside measured times, and in how many steps along the axis both go the same way. Usage: npx tsx
// bench/study-report.ts [DATA.json [PAGE.md]]
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { StudyReport, StudySeries } from '../src/ir/index.ts'
import { digits, duration } from '../src/report/index.ts'
import { gpu } from '../src/gpus/index.ts'
import { experimentNamed, runStudy } from '../src/study/index.ts'

interface Data {
  readonly provenance: Readonly<Record<string, string>>
  readonly reports: readonly StudyReport[]
}
interface Pair {
  readonly label: string
  readonly predicted: number
  readonly measured: number
  readonly spread: number
}

const root = join(import.meta.dirname, '..')
const [from = join(root, 'bench/data/h200-study.json'), to = join(root, 'docs/study.md')] = process.argv.slice(2)
const { provenance, reports } = JSON.parse(readFileSync(from, 'utf8')) as Data

const isH200 = basename(from).startsWith('h200')

const made = new Map<string, StudyReport>()
/** Predictions are the model's of today, whatever it was when the readings were taken. */
function predictedNow(name: string, profile: string): StudyReport {
  const key = `${name} ${profile}`
  const report = made.get(key) ?? runStudy(experimentNamed(name), { gpus: [gpu(profile)] })
  made.set(key, report)
  return report
}

/** Points of a measured series beside those of the profile it was compared by. */
function pairs(r: StudyReport, s: StudySeries): Pair[] {
  const gpus = [...new Set(r.series.filter((x) => x.kind === 'predicted').map((x) => x.gpu))]
  const profile = gpus.find((g) => s.gpu.toLowerCase().includes(g)) ?? gpus[gpus.length - 1]
  // an experiment may have got other series since; then what was predicted when it was measured stands
  const base =
    predictedNow(r.name, profile ?? 'h200').series.find((x) => x.name === s.name) ??
    r.series.find((x) => x.kind === 'predicted' && x.gpu === profile && x.name === s.name)
  return s.points.flatMap((p) => {
    const predicted = base?.points.find((q) => q.label === p.label)?.values.time
    return p.measured && typeof predicted === 'number'
      ? [{ label: p.label, predicted, measured: p.measured.ns, spread: p.measured.spread }]
      : []
  })
}

/** Changes of less than this share are no direction. */
const flat = 0.05
const way = (a: number, b: number): number => (Math.abs(b / a - 1) < flat ? 0 : Math.sign(b - a))

/** Steps from point to point where both change, and those where they change the same way. */
function directions(list: readonly Pair[]): { readonly same: number; readonly steps: number } {
  const steps = list
    .slice(1)
    .map((p, i) => [way(list[i]?.predicted ?? 1, p.predicted), way(list[i]?.measured ?? 1, p.measured)] as const)
    .filter(([a, b]) => a !== 0 && b !== 0)
  return { same: steps.filter(([a, b]) => a === b).length, steps: steps.length }
}

function part(r: StudyReport): string {
  const measured = r.series.filter((s) => s.kind === 'measured')
  const rows = measured.flatMap((s) =>
    pairs(r, s).map(
      (p) =>
        `| ${measured.length > 1 ? `${s.name}: ` : ''}${p.label} | ${duration(p.predicted)} | ` +
        `${duration(p.measured)} | ${digits(p.predicted / p.measured, 2)} | ${digits(100 * p.spread, 2)} % |`,
    ),
  )
  const notes = (experimentNamed(r.name).notes ?? []).map((n) => `* ${n}`)
  return [
    `## ${r.title}`,
    '',
    `\`tesela study ${r.name}\`. ${r.idea}`,
    '',
    ...(isH200 ? [`![${r.title}: times predicted and measured](study/${r.name}.svg)`, ''] : []),
    ...(rows.length > 0
      ? [`| ${r.x.label} | predicted | measured | ratio | spread |`, '| --- | ---: | ---: | ---: | ---: |', ...rows, '']
      : []),
    ...(notes.length > 0 ? [...notes, ''] : []),
  ].join('\n')
}

const all = reports.map((r) => {
  const lists = r.series.filter((s) => s.kind === 'measured').map((s) => pairs(r, s))
  const d = lists.map(directions),
    points = lists.flat()
  const error = points.reduce((n, p) => n + Math.abs(p.predicted / p.measured - 1), 0) / Math.max(1, points.length)
  return {
    r,
    points: points.length,
    error,
    same: d.reduce((n, x) => n + x.same, 0),
    steps: d.reduce((n, x) => n + x.steps, 0),
  }
})
const sum = (f: (a: (typeof all)[number]) => number): number => all.reduce((n, a) => n + f(a), 0)
writeFileSync(
  to,
  [
    '# The study, measured',
    '',
    `${
      isH200
        ? 'Every experiment of `tesela study` that WebGPU can measure (not `registers`, `registers-unrolled`, ' +
          '`textures`), predicted for the H200 and measured; `textures` and what came later are measured on an H100 ' +
          '([the same there](study-h100.md))'
        : 'The experiments of `tesela study` on an H100 SXM, predicted and measured; not `registers`, ' +
          '`registers-unrolled` (no limit of registers in WGSL), `offset` and `active-blocks`, which are ' +
          '[measured on an H200](study.md)'
    }: ${Object.entries(provenance)
      .map(([k, v]) => `${k} ${v}`)
      .join('; ')}. Written by \`bench/study-report.ts\` from \`bench/data/${basename(from)}\`.`,
    '',
    `Of ${sum((a) => a.steps)} steps along the axes where both times change by more than ${100 * flat} %, \
${sum((a) => a.same)} go the same way. Predictions are off by ${digits(
      (100 * sum((a) => a.error * a.points)) /
        Math.max(
          1,
          sum((a) => a.points),
        ),
      2,
    )} % on the mean over ${sum((a) => a.points)} points.`,
    '',
    '| experiment | points | mean error | same direction |',
    '| --- | ---: | ---: | ---: |',
    ...all
      .filter((a) => a.points > 0)
      .map(
        (a) =>
          `| ${a.r.name} | ${a.points} | ${digits(100 * a.error, 2)} % | ` +
          `${a.steps === 0 ? '–' : `${a.same} of ${a.steps}`} |`,
      ),
    '',
    ...reports.map(part),
  ].join('\n'),
)
