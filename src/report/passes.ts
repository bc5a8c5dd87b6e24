// In: a trace of passes, or the catalogue of all. Out: lines for the terminal, and plain data for reports. Nothing is
// printed of a program that was not asked for.
import type { ChoiceRecord, PassRecord, PassTrace, TraceRecord } from '../ir/index.ts'
import type { CatalogueSection } from '../pipeline/catalogue.ts'
import { isEqualButForIndent, lineDiff, type DiffLine } from './line-diff.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph } from './table.ts'
import { duration } from './words.ts'

/** Lines around a change that are shown with it. */
const contextLines = 2

/** `tesela optimize --passes`: all passes in their order. */
export function catalogueLines(
  catalogue: readonly CatalogueSection[],
  paint: Paint = plain,
  columns = 110,
): readonly string[] {
  return catalogue.flatMap((s) => ['', ...sectionLines(s, paint, columns)]).slice(1)
}

function sectionLines(s: CatalogueSection, paint: Paint, columns: number): readonly string[] {
  const entries = entriesOf(s),
    widest = Math.max(...entries.map(([name]) => name.length))
  return [
    ...paragraph(`${paint.bold(paint.cyan(s.name))}  `, s.summary, columns),
    ...entries.flatMap(([name, text]) => paragraph(`  ${paint.bold(name.padEnd(widest))}  `, text, columns)),
  ]
}

/** What a section lists: names and sentences. */
function entriesOf(s: CatalogueSection): readonly (readonly [string, string])[] {
  switch (s.kind) {
    case 'sequence':
      return s.steps.map(({ pass }) => [pass.name, pass.summary])
    case 'alternatives':
      return Object.entries(s.ways)
    case 'vocabulary':
      return Object.entries(s.words)
  }
}

/** What was done, and within which search or kernel. */
const heading = (r: TraceRecord, what: string, paint: Paint): string =>
  `${paint.bold(what)}${r.within.length > 0 ? paint.dim(` in ${r.within.join(' / ')}`) : ''}`

/** Lines of a translation that are few enough to be read where they are made. */
const shortText = 60

/** Lines of one change that are shown; of a large kernel a pass may move thousands. */
const longChange = 120

/** Each change as a difference of lines, and each choice with the costs of all ways. */
export function changedLines(trace: PassTrace, paint: Paint = plain, columns = 110): readonly string[] {
  const met = new Set<string>()
  const shown = new Set<TraceRecord>(changesToShow(trace))
  return trace.records.flatMap((r) => {
    if (r.kind === 'choice') return ['', ...choiceLines(r, paint)]
    const lines = shown.has(r) ? changeLines(r, paint) : []
    if (lines.length === 0) return [] // what changed is not in the text
    const isNew = !met.has(r.pass)
    met.add(r.pass)
    return [
      '',
      heading(r, r.pass, paint),
      ...(isNew ? paragraph('  ', `${r.summary}.`, columns).map((l) => paint.dim(l)) : []),
      ...lines,
    ]
  })
}

/** Changes that those of the passes inside of them do not show already. */
export function changesToShow(trace: PassTrace): readonly PassRecord[] {
  return trace.records.flatMap((r, i) =>
    r.kind === 'pass' && r.changed && !saysNothingNew(trace.records.slice(r.first, i), r) ? [r] : [],
  )
}

/** Whether a translation made a text that one reads where it was made. */
export const isShort = (text: string): boolean => text.trimEnd().split('\n').length <= shortText

/** Whether the program is what the last of the passes left that this one asked: its change has been shown. */
function saysNothingNew(inner: readonly TraceRecord[], r: PassRecord): boolean {
  const last = inner.filter((x): x is PassRecord => x.kind === 'pass' && x.changed).at(-1)
  return last !== undefined && statements(last.after()) === statements(r.after())
}

/** A program without its head, in which sizes and arrays stand that a part of it does not have. */
const statements = (text: string): string =>
  text
    .split('\n')
    .filter((l) => !/^( {2}(size|array|scalar) |\s*\/\/)/.test(l))
    .join('\n')

function changeLines(r: PassRecord, paint: Paint): readonly string[] {
  const after = (): readonly string[] => r.after().trimEnd().split('\n')
  if (r.translatedFrom !== undefined) return isShort(r.after()) ? after() : [`  ${translated(r)}`]
  if (r.steps) return [...r.steps.map((s) => `  • ${s}`), ...after()]
  const lines = lineDiff(r.before(), r.after(), isEqualButForIndent)
  const all = hunks(lines).flatMap((hunk, i) => [
    ...(i > 0 ? [paint.dim('  …')] : []),
    ...hunk.map((l) => lineText(l, paint)),
  ])
  if (all.length <= longChange) return all
  const more = `${all.length - longChange} more lines: --print-after ${r.pass} prints the whole program`
  return [...all.slice(0, longChange), paint.dim(`  … ${more}`)]
}

/** What a translation made, which is as long as its program. */
function translated(r: PassRecord): string {
  const lines = r.after().trimEnd().split('\n').length
  return `${r.translatedFrom} is ${r.representation} now, ${lines} lines: --print-after ${r.pass} prints them`
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
  const costs = new Map<string, readonly number[]>()
  for (const { way, cost } of r.ways) costs.set(way, [...(costs.get(way) ?? []), cost])
  const ways = [...costs].map(([way, of]) => ({ way, least: Math.min(...of), tried: of.length }))
  const widest = Math.max(...ways.map((w) => w.way.length))
  return [
    heading(r, r.alternatives, paint),
    paint.dim(`  for ${r.subject}, ${r.taken}: ${r.summary}.`),
    ...ways
      .sort((a, b) => a.least - b.least)
      .map(
        ({ way, least, tried }) =>
          `  ${way.padEnd(widest)}  ${duration(least)}${tried > 1 ? paint.dim(`, the best of ${tried}`) : ''}`,
      ),
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
