// In: a stream. Out: whether someone looks at it, how wide it is, and its paint. NO_COLOR and FORCE_COLOR are obeyed.
import { coloured, plain, type Paint } from '../report/index.ts'

export interface Terminal {
  /** Someone looks at it: colours and progress are welcome. */
  readonly live: boolean
  /** 80 to 120; 100 when nobody looks. */
  readonly columns: number
  readonly paint: Paint
}

export function terminalOf(stream: NodeJS.WriteStream): Terminal {
  const live = stream.isTTY === true && process.env['TERM'] !== 'dumb'
  const { NO_COLOR, FORCE_COLOR } = process.env
  const colour = NO_COLOR ? false : FORCE_COLOR !== undefined && FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : live
  return {
    live,
    columns: live ? Math.min(120, Math.max(80, stream.columns ?? 100)) : 110,
    paint: colour ? coloured : plain,
  }
}

/** Prints lines on stdout. */
export const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** The last line of a report that was also written as a page. */
export const pageLine = (path: string | undefined, paint: Paint): readonly string[] =>
  path === undefined ? [] : [`${paint.bold('page')} ${path}: open it in a browser`]

/**
 * Prints a value as JSON on stdout: two blanks of indentation, NaN and infinities as null, characters that steer
 * terminals escaped.
 */
export const printJson = (value: unknown): void =>
  print([
    JSON.stringify(value, null, 2).replace(
      /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ])
