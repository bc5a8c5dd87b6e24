// In: a diagnostic. Out: how the terminal shows it: place, sentence, the line it is about with a caret, and the hint.
// The line is read from the file again; when that cannot be, the place alone must do.
import { formatSpan, type Diagnostic, type Span } from '../base/index.ts'
import { printable, type Paint } from '../report/index.ts'
import { readSource } from './files.ts'

/** Several lines without a line break at the end. A place inside of a flag (`-D n`) has no line. */
export function diagnosticText(d: Diagnostic, paint: Paint): string {
  const colour = d.severity === 'error' ? paint.red : d.severity === 'warning' ? paint.yellow : paint.cyan
  const place = d.at ? `${paint.bold(printable(placeOf(d.at)))}: ` : ''
  const lines = [
    `${place}${colour(d.severity)}: ${printable(d.message)} ${paint.dim(`[${d.code}]`)}`,
    ...excerpt(d.at, colour),
  ]
  return [...lines, ...(d.hint ? [`  ${paint.cyan('hint')}: ${printable(d.hint)}`] : [])].join('\n')
}

/** Where a diagnostic points: a flag by its name, a file with line and column. */
function placeOf(at: Span): string {
  if (at.file.startsWith('-D ')) return at.file
  return at.file.startsWith(requirement) ? '--require' : formatSpan(at)
}

/** Columns of a line of source that are shown beside an error. */
const most = 110
/** A requirement is its own source: its text follows. */
const requirement = '--require '

/** The source line and a caret under the column; nothing when the file cannot be read. */
function excerpt(at: Span | undefined, colour: (text: string) => string): string[] {
  const source = at && lineOf(at)
  if (!at || source === undefined) return []
  const from = Math.max(0, at.column - 1 - (at.column > most - 20 ? most / 2 : at.column))
  const shown = printable(source.slice(from, from + most)),
    gutter = `${at.line} | `
  const blanks = ' '.repeat(gutter.length - 2)
  const marks = '^'.repeat(Math.max(1, Math.min(at.length ?? 1, shown.length - (at.column - 1 - from))))
  return [`  ${gutter}${shown}`, `  ${blanks}| ${' '.repeat(at.column - 1 - from)}${colour(marks)}`]
}

function lineOf(at: Span): string | undefined {
  if (at.file.startsWith(requirement)) return at.file.slice(requirement.length)
  try {
    return readSource(at.file, Infinity).split(/\r\n|\n|\r/)[at.line - 1]
  } catch {
    return undefined
  }
}
