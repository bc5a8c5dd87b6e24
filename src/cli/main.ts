// The command line. In: arguments and the environment (the only place that reads it). Out: reports, files, exit codes:
// 0 done, 1 a gate failed, 2 bad input or usage, 70 a bug of ours. Commands are listed in `commands.ts`, nowhere else.
import { setFlagsFromString } from 'node:v8'
import { runCommand } from './run.ts'

// A command takes seconds, in which V8 optimizes thousands of functions that hardly run again, in threads of its own: a
// quarter of the processor time. The budget, in bytes of bytecode, is what a function runs before that (V8's: 2^16).
setFlagsFromString('--interrupt-budget=1000000')

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const code = await runCommand(process.argv.slice(2))
// Devices and their drivers keep a process alive; all output is written before it ends.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
