// In: rows of cells. Out: aligned lines. The one idea: a column is as wide as its widest cell, and one column may be
// told to wrap at blanks when the whole would not fit. Cells may carry colours.
import { plain, width, type Paint } from './paint.ts'

export interface Column {
  /** Heading; line breaks stack it. */
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Wraps at blanks to this many columns. */
  readonly most?: number
}

export interface TableOptions {
  /** Blanks before each line; 2 when absent. */
  readonly indent?: number
  readonly paint?: Paint
}

/** Lines of a table: its headings (none when all are empty), then the rows. Trailing blanks are cut. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string[] {
  const { indent = 2, paint = plain } = options
  const heads = stack(
    columns.map((c) => c.title.split('\n')),
    'bottom',
  ).map((line) => line.map((cell) => paint.dim(cell)))
  const body = rows.flatMap((row) =>
    stack(
      columns.map((c, i) => wrap(row[i] ?? '', c.most)),
      'top',
    ),
  )
  const all = [...(columns.some((c) => c.title !== '') ? heads : []), ...body]
  const widths = columns.map((_, i) => Math.max(0, ...all.map((line) => width(line[i] ?? ''))))
  return all.map((line) => {
    const cells = line.map((cell, i) => pad(cell, widths[i] ?? 0, columns[i]?.align ?? 'left'))
    return `${' '.repeat(indent)}${cells.join('  ')}`.trimEnd()
  })
}

function pad(cell: string, to: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, to - width(cell)))
  return align === 'right' ? blanks + cell : cell + blanks
}

/** Cells of several lines side by side, missing lines empty. */
function stack(cells: readonly (readonly string[])[], where: 'top' | 'bottom'): string[][] {
  const height = Math.max(...cells.map((c) => c.length))
  return Array.from({ length: height }, (_, y) =>
    cells.map((c) => c[where === 'top' ? y : y - height + c.length] ?? ''),
  )
}

/** `text` in lines of at most `most` columns, broken at blanks; a longer word stays whole. */
export function wrap(text: string, most = Infinity): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && width(line) + 1 + width(word) > most) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/**
 * A paragraph: wrapped, its first line after `lead`, the others as far in. No-break spaces hold words together and
 * become blanks.
 */
export function paragraph(lead: string, text: string, columns: number): string[] {
  const blanks = ' '.repeat(width(lead))
  return wrap(text, columns - width(lead)).map((line, i) => `${i === 0 ? lead : blanks}${line.replace(/\u00a0/g, ' ')}`)
}
