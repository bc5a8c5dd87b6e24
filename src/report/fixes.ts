// In: a `FixReport` and the text before. Out: terminal text: what was changed, what each change gains as it was run,
// and a unified diff that `patch` and `git apply` take. The diff's lines are the file's own.
import { wordsOf, type Fix, type FixReport } from '../explain/index.ts'
import { lineDiff, type DiffLine } from './line-diff.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph } from './table.ts'
import { duration, grouped, plural, printable, times } from './words.ts'

export function fixLines(r: FixReport, text: string, paint: Paint = plain, columns = 100): string[] {
  if (r.fixes.length === 0)
    return [
      `${printable(r.file)}: no change was found that gains anything or mends a hazard; ` +
        `${duration(r.before.prediction.ns)} predicted`,
    ]
  const { grid, block } = r.launch
  const { blocks } = wordsOf(r.before.kernel.language)
  const isSame = (a: readonly number[], b: readonly number[]): boolean => a.every((n, i) => n === b[i])
  const gain = r.before.prediction.ns / r.after.prediction.ns
  const relaunched =
    isSame(grid, r.before.launch.grid) && isSame(block, r.before.launch.block)
      ? []
      : [`launch it as ${paint.bold(`${grid.join(' × ')} ${blocks} of ${block.join(' × ')}`)}`]
  return [
    `${paint.bold(printable(r.before.kernel.name))} ${paint.dim(printable(r.file))} on ${r.gpu}: ` +
      `${duration(r.before.prediction.ns)} before, ${paint.bold(duration(r.after.prediction.ns))} after ` +
      `${plural(r.fixes.length, 'change')} (${times(gain)})`,
    ...r.fixes.flatMap((f) => paragraph(`  ${paint.cyan('•')} `, sentence(f), columns)),
    ...relaunched,
    '',
    ...unifiedDiff(r.file, text, r.text).map((line) => coloured(line, paint)),
  ]
}

function sentence(f: Fix): string {
  const place = f.at ? ` of line ${f.at.line}` : ''
  const gain =
    f.gone > 0
      ? `${plural(f.gone, 'hazard')} gone`
      : `${times(f.before / f.after)}: ${duration(f.before)} → ${duration(f.after)}`
  return `${f.mends}${place}: ${printable(f.does)}; run so: ${gain}${outputsWords(f)}`
}

function outputsWords({ outputs }: Fix): string {
  if (!outputs) return ''
  const { values, different, blocks } = outputs
  const of = `${grouped(values)} values that ${plural(blocks, 'block')} wrote`
  return different === 0 ? `; ${of} are the same` : `; of ${of} ${grouped(different)} differ`
}

const coloured = (line: string, paint: Paint): string => {
  if (line.startsWith('@@')) return paint.cyan(line)
  if (line.startsWith('+')) return paint.green(line)
  return line.startsWith('-') ? paint.red(line) : line
}

/** Lines around a change. */
const context = 3

/** Empty where the texts are the same. */
export function unifiedDiff(file: string, before: string, after: string): string[] {
  const lines = lineDiff(before, after)
  const hunks = hunksOf(lines)
  const relative = file.replace(/^\/+/, '')
  return hunks.length === 0
    ? []
    : [`--- a/${relative}`, `+++ b/${relative}`, ...hunks.flatMap((h) => hunkLines(lines, h))]
}

interface Hunk {
  readonly from: number
  readonly to: number
}

/** Changes with the lines around them; those that touch are one. */
function hunksOf(lines: readonly DiffLine[]): readonly Hunk[] {
  const hunks: Hunk[] = []
  lines.forEach(({ kind }, i) => {
    if (kind === 'same') return
    const [from, to] = [Math.max(0, i - context), Math.min(lines.length, i + context + 1)]
    const last = hunks[hunks.length - 1]
    if (last && from <= last.to) hunks[hunks.length - 1] = { from: last.from, to }
    else hunks.push({ from, to })
  })
  return hunks
}

const marks: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', gone: '-', new: '+' }

function hunkLines(lines: readonly DiffLine[], { from, to }: Hunk): string[] {
  const count = (upTo: readonly DiffLine[], without: DiffLine['kind']): number =>
    upTo.filter((l) => l.kind !== without).length
  const [ahead, own] = [lines.slice(0, from), lines.slice(from, to)]
  const range = (without: DiffLine['kind']): string => {
    const length = count(own, without)
    const start = count(ahead, without) + (length > 0 ? 1 : 0)
    return `${start},${length}`
  }
  return [`@@ -${range('new')} +${range('gone')} @@`, ...own.map((l) => `${marks[l.kind]}${l.text}`)]
}
