// Progress on a terminal: one line on stderr that overwrites itself and disappears; nothing when piped. Written at once
// and not by a timer, because the work that it tells of does not yield.
import { writeSync } from 'node:fs'
import { terminalOf } from './terminal.ts'

export interface Progress {
  /** `done` of `total` in a stage. */
  show(p: { readonly stage: string; readonly done: number; readonly total: number }): void
  clear(): void
}

/** Columns of the progress bar. */
const cells = 24

export function progressOn(stream: NodeJS.WriteStream & { readonly fd: number }): Progress {
  const { live, paint } = terminalOf(stream)
  if (!live) return { show: () => undefined, clear: () => undefined }
  let last = 0
  return {
    show: ({ stage, done, total }) => {
      if (Date.now() - last < 50 && done > 0) return
      last = Date.now()
      const filled = Math.round((cells * Math.min(done, total)) / Math.max(1, total))
      writeSync(
        stream.fd,
        `\r\u001b[K  ${paint.cyan('█'.repeat(filled))}${paint.dim('·'.repeat(cells - filled))}  ${stage} ` +
          `${done}/${total}`,
      )
    },
    clear: () => {
      writeSync(stream.fd, '\r\u001b[K')
    },
  }
}
