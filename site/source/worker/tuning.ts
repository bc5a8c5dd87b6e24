// The library on the visitor's GPU. In: which operations, for how long. Out: the plans that were fastest, with their
// readings, also as a table in the shared form T4; what was fastest is kept in the browser for pages of this site.
import { DiagnosticError } from 'tesela/explain'
import { open, type TuneReport } from 'tesela/kernels'
import type { Progress } from './protocol.ts'

/** Throws a `DiagnosticError` where there is no device. */
export async function tunedHere(
  only: readonly string[],
  seconds: number,
  progress: (p: Progress) => void,
): Promise<TuneReport> {
  const gpu = await open().catch((e: unknown) => refuse(e instanceof Error ? e.message : String(e)))
  try {
    return await gpu.tune({ ...(only.length > 0 && { only }), seconds, again: true, onProgress: progress })
  } finally {
    gpu.dispose()
  }
}

function refuse(message: string): never {
  throw new DiagnosticError([{ severity: 'error', code: 'site.device', message }])
}
