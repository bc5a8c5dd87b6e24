// In: an argument or a variable that a measuring or searching script was given. Out: a number, or the end of the
// process with a sentence and exit code 2. The one idea: a campaign that was given a word for a number, or an empty
// folder, must not run over nothing and report that all is well.

function numberFrom(
  text: string | undefined,
  otherwise: number,
  what: string,
  least: number,
  isWhole: boolean,
): number {
  const value = text === undefined ? otherwise : text.trim() === '' ? NaN : Number(text)
  if (Number.isFinite(value) && value >= least && (!isWhole || Number.isSafeInteger(value))) return value
  console.error(`${what} must be a ${isWhole ? 'whole ' : ''}number from ${least} on, not '${text}'`)
  process.exit(2)
}

/** The first seed: a whole number from 0 on. */
export const seedFrom = (text: string | undefined, otherwise: number): number =>
  numberFrom(text, otherwise, 'the first seed', 0, true)

/** How many: a whole number from 1 on. */
export const countFrom = (text: string | undefined, otherwise: number, what = 'the count'): number =>
  numberFrom(text, otherwise, what, 1, true)

/** Seconds that may be spent, from the variable `LIMIT_S`: more than 0. */
export const secondsFrom = (text: string | undefined, otherwise: number): number =>
  numberFrom(text, otherwise, 'LIMIT_S', 0.001, false)

/** `list`, unless it is empty: then there is nothing to check, which is an error and no success. */
export function someOf<T>(list: readonly T[], what: string): readonly T[] {
  if (list.length > 0) return list
  console.error(`there is nothing to do: no ${what}`)
  process.exit(2)
}
