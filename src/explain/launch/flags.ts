// A launch as one line of flags. In: `--grid 64,64 --override stride=3`, as `tesela explain` takes it. Out: the launch,
// and what else the line asks for. Words are separated by blanks; nothing is quoted, for no part has blanks.
import { fail } from '../../base/index.ts'
import type { ExplainLaunch } from '../types.ts'
import { LaunchTextError } from './error.ts'
import { namedBuffer, dimensionsOf, namedNumber, namedNumbers, samplerOf, sharedBytesText } from './parts.ts'

export interface LaunchFlags {
  readonly launch: Partial<ExplainLaunch>
  readonly entry?: string
  readonly exact?: boolean
}

const noFiles = (path: string): ArrayBuffer => {
  throw new LaunchTextError(`There are no files here to fill a buffer from: ${path.slice(0, 80)}.`)
}

/** Each flag with what its text adds to a line. */
const flags: Readonly<Record<string, (text: string, before: LaunchFlags) => LaunchFlags>> = {
  '--grid': (text, f) => ({ ...f, launch: { ...f.launch, grid: dimensionsOf(text) } }),
  '--block': (text, f) => ({ ...f, launch: { ...f.launch, block: dimensionsOf(text) } }),
  '--shared': (text, f) => ({ ...f, launch: { ...f.launch, shared: sharedBytesText(text) } }),
  '--arg': (text, f) => ({ ...f, launch: { ...f.launch, args: namedNumbers(text, f.launch.args) } }),
  '--override': (text, f) => ({ ...f, launch: { ...f.launch, overrides: namedNumber(text, f.launch.overrides) } }),
  '--buffer': (text, f) => ({ ...f, launch: { ...f.launch, buffers: namedBuffer(text, f.launch.buffers, noFiles) } }),
  '--sampler': (text, f) => ({ ...f, launch: { ...f.launch, samplers: samplerOf(text, f.launch.samplers) } }),
  '--entry': (text, f) => ({ ...f, entry: text }),
}

const known = [...Object.keys(flags), '--exact'].join(', ')

/** Reads a line of flags. Throws a `DiagnosticError` (`explain.launch`). */
export function launchOfFlags(line: string): LaunchFlags {
  const words = line
    .trim()
    .split(/\s+/)
    .filter((w) => w !== '')
  let read: LaunchFlags = { launch: {} }
  for (let i = 0; i < words.length; i++) {
    const name = words[i] ?? ''
    if (name === '--exact') {
      read = { ...read, exact: true }
      continue
    }
    const add = Object.hasOwn(flags, name) ? flags[name] : undefined
    if (!add)
      return fail('explain.launch', `'${name.slice(0, 80)}' is no flag of a launch`, undefined, `there are ${known}`)
    const text = words[++i]
    if (text === undefined) return fail('explain.launch', `${name} needs a value`)
    read = added(name, () => add(text, read))
  }
  return read
}

function added(name: string, read: () => LaunchFlags): LaunchFlags {
  try {
    return read()
  } catch (e) {
    if (e instanceof LaunchTextError) return fail('explain.launch', `${name}: ${e.message}`)
    throw e
  }
}
