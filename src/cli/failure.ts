// In: whatever a command threw, and the arguments. Out: what to print on stderr and the exit code. The one idea: the
// user's failures are sentences with the line they are about; ours say that they are ours and how to report them.
import { CommanderError } from 'commander'
import { DiagnosticError, InternalError } from '../base/index.ts'
import { TeselaError } from '../kernels/index.ts'
import type { Paint } from '../report/index.ts'
import { diagnosticText } from './diagnostics.ts'
import { Gate } from './gate.ts'
import { version } from './version.ts'

export interface Failure {
  /** Empty when there is nothing to say (help and version are no errors). */
  readonly text: string
  /** 0, 1, 2 or 70; see `docs/cli.md`. */
  readonly code: number
}

/** `help`: the general help text, for a command line without a command; `commands`: their names. */
export interface Usage {
  readonly help: string
  readonly commands: readonly string[]
}

export function failureOf(error: unknown, args: readonly string[], paint: Paint, usage: Usage): Failure {
  if (error instanceof CommanderError) return usageFailure(error, args, usage)
  if (error instanceof Gate) return { text: error.message, code: 1 }
  if (error instanceof DiagnosticError)
    return { text: error.diagnostics.map((d) => diagnosticText(d, paint)).join('\n'), code: 2 }
  if (error instanceof TeselaError) return { text: `error: ${error.message}`, code: 2 }
  return { text: ours(error, args), code: 70 }
}

/** Commander's own errors, as one sentence and a hint. */
function usageFailure(error: CommanderError, args: readonly string[], usage: Usage): Failure {
  if (error.exitCode === 0) return { text: '', code: 0 }
  const unknown = args[0] === 'help' ? args[1] : undefined
  if (error.code === 'commander.help' && unknown === undefined) return { text: usage.help.trimEnd(), code: 2 }
  const [message = '', ...more] =
    unknown === undefined ? error.message.replace(/^error: /, '').split('\n') : [`unknown command '${unknown}'`]
  const guess = /^\(Did you mean (.*)\?\)$/.exec(more.join(' '))?.[1]
  const known = usage.commands.find((name) => name === args[0])
  const hint = guess ? `did you mean ${guess}?` : `tesela${known ? ` ${known}` : ''} --help shows what it takes`
  return { text: `tesela: ${message.replace(/\.$/, '')}\n  hint: ${hint}`, code: 2 }
}

const quoted = (arg: string): string => (/^[\w./=,:-]+$/.test(arg) ? arg : `'${arg.replace(/'/g, `'\\''`)}'`)

function ours(error: unknown, args: readonly string[]): string {
  const what =
    error instanceof InternalError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error)
  return [
    'tesela: this is a bug in Tesela, not in your input; nothing was written.',
    what,
    '',
    'Please report it with these lines and the input file. To reproduce it:',
    `  ${['tesela', ...args].map(quoted).join(' ')}`,
    `  tesela ${version()}, Node ${process.version}, ${process.platform} ${process.arch}`,
  ].join('\n')
}
