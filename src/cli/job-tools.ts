// What jobs need of this machine: the parser's files, the compiler's name, devices.
import { fail } from '../base/index.ts'
import { steadyOnNvidia, type JobFiles, type JobTools } from '../farm/index.ts'
import { printable } from '../report/index.ts'
import { openMeasurer, type Measurer } from '../tune/index.ts'
import { includesOf, parserFiles, readSource } from './files.ts'
import { version } from './version.ts'

/** Put in when the package is built: a hash of the compiler's sources. */
declare const TESELA_COMPILER: string | undefined

/** What results are kept by, besides what they were made from. */
export const compilerName = (): string =>
  `${version()}+${typeof TESELA_COMPILER === 'string' ? TESELA_COMPILER : 'source'}`

export const jobTools = (): JobTools => ({
  wasm: parserFiles(),
  compiler: compilerName(),
  measurer: openDevice,
})

async function openDevice(on: 'webgpu' | 'cuda'): Promise<Measurer> {
  const device = await openMeasurer(on, { steadyOn: steadyOnNvidia })
  if (device.unchecked !== undefined) process.stderr.write(`tesela: ${printable(device.unchecked)}\n`)
  return device
}

/** What a process needs that does one job after the other. */
interface SlotTools extends JobTools {
  /** Closes the devices, which stay open from job to job: after a failure they may be lost. */
  closeDevices(): void
}

export function slotTools(): SlotTools {
  const open = new Map<string, Promise<Measurer>>()
  const measurer = async (on: 'webgpu' | 'cuda'): Promise<Measurer> => {
    const device = open.get(on) ?? openDevice(on)
    open.set(on, device)
    device.catch(() => open.delete(on)) // the next job may find it
    return { ...(await device), close: () => {} }
  }
  const closeDevices = (): void => {
    for (const device of open.values())
      device.then(
        (d) => d.close(),
        () => undefined, // it never opened
      )
    open.clear()
  }
  return { ...jobTools(), measurer, closeDevices }
}

export const jobFiles: JobFiles = {
  read: (path) => readSource(path),
  find: (path) => includesOf(path, [])(path.split('/').at(-1) ?? path),
}

/** The JSON in a file. Throws a `DiagnosticError` where there is none. */
export function readJson(path: string, most?: number): unknown {
  const text = readSource(path, most)
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    return fail('cli.json', `${path} is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
