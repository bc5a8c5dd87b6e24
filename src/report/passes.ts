// In: a trace of passes, or the catalogue of all. Out: lines for the terminal, and plain data for reports. Nothing is
// printed of a program that was not asked for.
import type { ChoiceRecord, PassRecord, PassTrace, TraceRecord } from '../ir/index.ts'
import type { Section } from '../pipeline/catalogue.ts'
import { lineDiff, type DiffLine } from './line-diff.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph } from './table.ts'
import { duration } from './words.ts'

/** Lines around a change that are shown with it. */
const contextLines = 2

/** `tesela optimize --passes`: all passes in their order. */
export function catalogueLines(catalogue: readonly Section[], paint: Paint = plain, columns = 110): readonly string[] {
  return catalogue.flatMap((s) => ['', ...sectionLines(s, paint, columns)]).slice(1)
}

function sectionLines(s: Section, paint: Paint, columns: number): readonly string[] {
  const entry = (name: string, text: string): readonly string[] =>
    paragraph(`  ${paint.bold(name.padEnd(widest))}  `, text, columns)
  const widest = Math.max(...namesOf(s).map((n) => n.length))
  const head = paragraph(`${paint.bold(paint.cyan(s.name))}  `, s.summary, columns)
  if (s.kind === 'alternatives')
    return [...head, ...Object.entries(s.ways).flatMap(([name, text]) => entry(name, text))]
  return [...head, ...s.steps.flatMap(({ pass }) => entry(pass.name, pass.summary))]
}

const namesOf = (s: Section): readonly string[] =>
  s.kind === 'alternatives' ? Object.keys(s.ways) : s.steps.map((x) => x.pass.name)

const heading = (r: TraceRecord, what: string, paint: Paint): string =>
  `${paint.bold(what)}${r.within.length > 0 ? paint.dim(` in ${r.within.join(' / ')}`) : ''}`

/** Each change as a difference of lines, and each choice with the costs of all ways. */
export function changedLines(trace: PassTrace, paint: Paint = plain): readonly string[] {
  return trace.records.flatMap((r) => {
    if (r.kind === 'choice') return ['', ...choiceLines(r, paint)]
    const lines = r.changed ? changeLines(r, paint) : []
    return lines.length > 1 ? ['', ...lines] : [] // else what changed is not in the text
  })
}

function changeLines(r: PassRecord, paint: Paint): readonly string[] {
  const lines = lineDiff(r.before(), r.after())
  return [
    heading(r, r.pass, paint),
    ...hunks(lines).flatMap((hunk, i) => [
      ...(i > 0 ? [paint.dim('  …')] : []),
      ...hunk.map((l) => lineText(l, paint)),
    ]),
  ]
}

function lineText({ kind, text }: DiffLine, paint: Paint): string {
  switch (kind) {
    case 'same':
      return `  ${text}`
    case 'gone':
      return paint.red(`- ${text}`)
    case 'new':
      return paint.green(`+ ${text}`)
  }
}

/** Runs of lines that are changed or stand near a change. */
function hunks(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const isNear = (i: number): boolean =>
    lines.slice(Math.max(0, i - contextLines), i + contextLines + 1).some((l) => l.kind !== 'same')
  const out: DiffLine[][] = []
  let open = false
  lines.forEach((l, i) => {
    const near = isNear(i)
    if (near && !open) out.push([])
    if (near) out.at(-1)!.push(l)
    open = near
  })
  return out
}

function choiceLines(r: ChoiceRecord, paint: Paint): readonly string[] {
  const ways = [...r.ways].sort((a, b) => a.cost - b.cost)
  return [
    heading(r, `${r.alternatives}: ${r.subject}: ${r.taken}`, paint),
    ...ways.map(({ way, cost }) => `  ${way.padEnd(20)}  ${duration(cost)}`),
  ]
}

/** The program after each run of the pass, changed or not. */
export function afterLines(trace: PassTrace, name: string, paint: Paint = plain): readonly string[] {
  return trace.records.flatMap((r) =>
    r.kind === 'pass' && r.pass === name
      ? [
          '',
          `${heading(r, r.pass, paint)}${r.changed ? '' : paint.dim(', which changed nothing')}`,
          r.after().trimEnd(),
        ]
      : [],
  )
}

/** For `report.json`: passes that changed something, with all of their runs, and what was chosen. */
export function passesJson(trace: PassTrace | undefined): {
  readonly passes: readonly object[]
  readonly choices: readonly object[]
} {
  return {
    passes: (trace?.passes ?? []).filter((p) => p.changes > 0).map((p) => ({ ...p, ms: Number(p.ms.toFixed(3)) })),
    choices: (trace?.records ?? []).flatMap((r) =>
      r.kind === 'choice' ? [{ of: r.alternatives, subject: r.subject, taken: r.taken, ways: r.ways }] : [],
    ),
  }
}
