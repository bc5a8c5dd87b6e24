// `tesela explain FILE.recording.json`: all that a page computes, the dearest first. In: a recording that
// `tesela/record` wrote. Out: a table of its dispatches and the report of one of them, or JSON. What belongs to one
// launch (its size, its buffers, its entry) stands in the recording and is refused as a flag.
import { fail } from '../../base/index.ts'
import { explainFrame, parseRecording } from '../../explain/index.ts'
import type { GpuProfile } from '../../gpus/index.ts'
import { frameLines } from '../../report/index.ts'
import { readSource } from '../files.ts'
import { print, printJson, terminalOf } from '../terminal.ts'

export const isRecording = (file: string): boolean => file.endsWith('.json')

/** Bytes of a recording: its contents are up to 16 MiB unless its page asked for more. */
const mostBytes = 256 * 1024 * 1024

export interface FrameFlags {
  readonly gpu: GpuProfile | 'portable'
  readonly kernel?: number
  readonly exact?: true
  readonly json?: true
}

/** `given`: the names of all flags that were given. */
export function explainRecording(file: string, flags: FrameFlags, given: readonly string[]): void {
  const taken = ['gpu', 'kernel', 'exact', 'json']
  const other = given.find((name) => !taken.includes(name))
  if (other !== undefined)
    fail(
      'frame.flag',
      `--${other} is of one kernel; a recording has many`,
      undefined,
      `it takes --${taken.join(', --')}`,
    )
  if (flags.gpu === 'portable')
    return fail('frame.gpu', 'a recording is explained for one GPU', undefined, 'name one with --gpu, like --gpu h200')
  const recording = parseRecording(readSource(file, mostBytes), file)
  if (recording.dispatches.length === 0)
    fail('frame.empty', `${file} holds no dispatch`, undefined, 'record while the page computes')
  const report = explainFrame(recording, { gpu: flags.gpu, ...(flags.exact && { exact: true }) })
  const known = report.kernels.filter((k) => k.report !== null).length
  if (flags.kernel !== undefined && flags.kernel > known)
    fail('frame.kernel', `there is no kernel ${flags.kernel}: ${known} were explained`)
  if (flags.json) return printJson(report)
  const { paint, columns } = terminalOf(process.stdout)
  print(frameLines(report, paint, columns, flags.kernel))
}
