// In: the arguments. Out: the exit code, everything printed. The one idea: commands throw, and one place says how a
// failure reads (`failure.ts`).
import { Command } from 'commander'
import { commandNames, commandsFor, type RegisterCommand } from './commands.ts'
import { failureOf } from './failure.ts'
import { terminalOf } from './terminal.ts'
import { version } from './version.ts'

/** Runs one command line and prints what it has to say. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = commandLine(await commandsFor(args))
  try {
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    const named = program.commands.find((c) => c.name() === args[0] && c.commands.length > 0)
    const usage = { help: (named ?? program).helpInformation(), commands: commandNames }
    const { text, code } = failureOf(error, args, terminalOf(process.stderr).paint, usage)
    if (text !== '') process.stderr.write(`${text}\n`)
    return code
  }
}

function commandLine(commands: readonly RegisterCommand[]): Command {
  const program = new Command('tesela')
    .description('See why a GPU kernel is slow; get the fast one.')
    .version(version(), '-V, --version')
  for (const register of commands) register(program)
  for (const command of withParts(program)) {
    command
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .allowExcessArguments(false)
  }
  return program.addHelpText('after', '\nExit codes: 0 done, 1 a gate failed, 2 bad input or usage.')
}

/** A command and all commands within it. */
const withParts = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(withParts)]
