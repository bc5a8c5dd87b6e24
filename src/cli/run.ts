// In: the arguments. Out: the exit code, everything printed. The one idea: commands throw, and this is the one place
// that says how a failure reads: the user's in sentences with the line it is about, ours with how to report it.
import { Command, CommanderError } from 'commander'
import { DiagnosticError, InternalError } from '../base/index.ts'
import { commands } from './commands.ts'
import { diagnosticText } from './diagnostics.ts'
import { Gate } from './gate.ts'
import { terminalOf } from './terminal.ts'
import { version } from './version.ts'

/** Runs one command line and prints what it has to say. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = commandLine()
  try {
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    return report(error, args)
  }
}

function commandLine(): Command {
  const program = new Command('tesela').description('See why a GPU kernel is slow; get the fast one.').version(version(), '-V, --version')
  for (const register of commands) register(program)
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeErr: () => undefined }).allowExcessArguments(false)
    command.configureHelp({ sortOptions: false })
  }
  return program.addHelpText('after', '\nExit codes: 0 done, 1 a gate failed, 2 bad input or usage.')
}

/** Prints what went wrong; the exit code. */
function report(error: unknown, args: readonly string[]): number {
  if (error instanceof CommanderError) return usage(error, args)
  if (error instanceof Gate) return say(error.message, 1)
  if (error instanceof DiagnosticError) return say(error.diagnostics.map((d) => diagnosticText(d, terminalOf(process.stderr).paint)).join('\n'), 2)
  return say(ours(error, args), 70)
}

function say(text: string, code: number): number {
  process.stderr.write(`${text}\n`)
  return code
}

/** Commander's own errors, as one sentence and a hint. Help and version are not errors. */
function usage(error: CommanderError, args: readonly string[]): number {
  if (error.exitCode === 0) return 0
  if (error.code === 'commander.help') return say(commandLine().helpInformation().trimEnd(), 2)
  const [message = '', ...more] = error.message.replace(/^error: /, '').split('\n')
  const guess = /^\(Did you mean (.*)\?\)$/.exec(more.join(' '))?.[1]
  const known = commandLine().commands.find((c) => c.name() === args[0])?.name()
  const hint = guess ? `did you mean ${guess}?` : `tesela${known ? ` ${known}` : ''} --help shows what it takes`
  return say(`tesela: ${message.replace(/\.$/, '')}\n  hint: ${hint}`, 2)
}

function ours(error: unknown, args: readonly string[]): string {
  const what = error instanceof Error ? (error instanceof InternalError ? error.message : error.stack ?? error.message) : String(error)
  const line = ['tesela', ...args].map((a) => (/^[\w./=,:-]+$/.test(a) ? a : `'${a.replace(/'/g, `'\\''`)}'`)).join(' ')
  return [
    'tesela: this is a bug in Tesela, not in your input; nothing was written.', what, '',
    'Please report it with these lines, the input file, and how to reproduce it:',
    `  ${line}`, `  tesela ${version()}, Node ${process.version}, ${process.platform} ${process.arch}`,
  ].join('\n')
}
