// In: a job and the path of its result. Out: the result, in that file. The one idea: the file appears whole or not at
// all; items that are done stand in a file of lines beside it, so that a process that was killed is gone on with.
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { jobKey } from './key.ts'
import { runJob, type JobTools } from './run.ts'
import type { Job, JobResult } from './types.ts'

/** How the result is written: all of it, or nothing. */
export type WriteWhole = (path: string, text: string) => void

/**
 * The result of the job. One that stands in the file already is returned as it is; one of another job is replaced. Two
 * processes that do the same job at once write the same.
 */
export async function runJobInFile(job: Job, path: string, tools: JobTools, write: WriteWhole): Promise<JobResult> {
  const key = jobKey(job, tools.compiler)
  const done = resultIn(path)
  if (done?.key === key) return done
  const beside = `${path}.part`
  const { items, bytes } = itemsIn(beside, key)
  if (bytes === 0) writeFileSync(beside, line({ key }))
  else truncateSync(beside, bytes) // half a line
  const result = await runJob(job, tools, items, (all) => appendFileSync(beside, line(all[all.length - 1])))
  write(path, `${JSON.stringify(result, null, 2)}\n`)
  rmSync(beside, { force: true })
  return result
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // there is none
  }
}

/** The result in the file; nothing where there is none, or something else. */
export const resultIn = (path: string): JobResult | undefined => parseJobResult(textIn(path))

/** The result that a text is. */
export function parseJobResult(content: string): JobResult | undefined {
  try {
    const found = JSON.parse(content) as Partial<JobResult> | null // looked at before it is used
    const isResult = found?.schema === 'tesela.result/1' && typeof found.key === 'string' && 'result' in found
    return isResult ? (found as JobResult) : undefined // as `runJobInFile` writes it
  } catch {
    return undefined
  }
}

/** Items of the job with that key, up to the first line that is not whole, and the bytes of what was read. */
function itemsIn(path: string, key: string): { readonly items: readonly unknown[]; readonly bytes: number } {
  const lines = textIn(path).split('\n').slice(0, -1)
  const values: unknown[] = []
  let bytes = 0
  for (const one of lines) {
    try {
      values.push(JSON.parse(one))
    } catch {
      break
    }
    bytes += Buffer.byteLength(one) + 1
  }
  const [head, ...items] = values
  return (head as { readonly key?: unknown } | undefined)?.key === key ? { items, bytes } : { items: [], bytes: 0 }
}
