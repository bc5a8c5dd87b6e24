// In: text. Out: the same with terminal colours, or unchanged. The one idea: a report is given its paint, so that it
// need not know whether someone looks at it. Widths are counted on text without colours.

export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly red: (text: string) => string
  readonly cyan: (text: string) => string
}

const escape =
  (open: number, close: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`
const same = (text: string): string => text

/** No colours. */
export const plain: Paint = { bold: same, dim: same, green: same, yellow: same, red: same, cyan: same }

/** The sixteen colours that every terminal has. */
export const coloured: Paint = {
  bold: escape(1, 22),
  dim: escape(2, 22),
  green: escape(32, 39),
  yellow: escape(33, 39),
  red: escape(31, 39),
  cyan: escape(36, 39),
}

/** Columns that `text` takes: colours take none, every other character one. */
export const width = (text: string): number => [...text.replace(/\u001b\[\d+m/g, '')].length
