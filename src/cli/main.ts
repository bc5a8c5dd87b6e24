// The command line. In: arguments and the environment (the only place that reads it). Out: reports, files, exit codes:
// 0 done, 1 a gate failed, 2 bad input or usage, 70 a bug of ours. Commands are listed in `commands.ts`, nowhere else.
import { runCommand } from './run.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const code = await runCommand(process.argv.slice(2))
// Devices and their drivers keep a process alive; all output is written before it ends.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
