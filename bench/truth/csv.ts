// In: a page that `ncu --csv` printed. Out: its rows by column name. The one idea: the head is the first quoted line,
// the second line of the raw page holds units, and numbers may have thousands separators.

/** The cells of one line of quoted values. */
export const cells = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:[^"]|"")*)"/g)].map((m) => m[1]!.replaceAll('""', '"'))

export type Row = Readonly<Record<string, string>>

/** Rows of the raw page; lines that are no table (messages of the profiler) are skipped. */
export function rawPage(text: string): readonly Row[] {
  const lines = text.split('\n').filter((l) => l.startsWith('"'))
  const head = cells(lines[0] ?? '')
  return lines
    .slice(1)
    .map(cells)
    .filter((c) => c.length === head.length && c[0] !== '')
    .map((c) => Object.fromEntries(head.map((name, i) => [name, c[i]!])))
}

/** A cell as a number; NaN when the column is missing or holds none. */
export function numberOf(row: Row, column: string): number {
  const text = row[column]
  return text === undefined || text === '' ? NaN : Number(text.replaceAll(',', ''))
}

/** A size such as "(256, 1, 1)". */
export const sizeOf = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number)
