// In: nothing. Out: `Span`, where in a source text something stands. The one idea: positions are 1-based lines and
// columns in a named file, because that is what people and editors read.

/** A place in a source file. `line` and `column` count from 1; `column` counts UTF-16 units. */
export interface Span {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Length in UTF-16 units of the marked text on its first line, when known. */
  readonly length?: number
}

/** `file:line:column`, as compilers print it. */
export function formatSpan(span: Span): string {
  return `${span.file}:${span.line}:${span.column}`
}
