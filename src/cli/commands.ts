// The list of commands: one line each, in the order of `tesela --help`. The one idea: a command line loads the command
// that it names and no other.
import type { Command } from 'commander'

/** A command adds itself: its arguments, its flags and what it does. */
export type RegisterCommand = (program: Command) => void

const commands: Readonly<Record<string, () => Promise<RegisterCommand>>> = {
  optimize: async () => (await import('./commands/optimize.ts')).optimizeCommand,
  build: async () => (await import('./commands/build.ts')).buildCommand,
  explain: async () => (await import('./commands/explain.ts')).explainCommand,
  occupancy: async () => (await import('./commands/occupancy.ts')).occupancyCommand,
  study: async () => (await import('./commands/study.ts')).studyCommand,
  bench: async () => (await import('./commands/bench.ts')).benchCommand,
  job: async () => (await import('./commands/job.ts')).jobCommand,
  store: async () => (await import('./commands/store.ts')).storeCommand,
  farm: async () => (await import('./commands/farm.ts')).farmCommand,
  gpus: async () => (await import('./commands/gpus.ts')).gpusCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
}

export const commandNames: readonly string[] = Object.keys(commands)

/** The command that `args` begin with; all commands where they begin with none, as help and unknown names do. */
export async function commandsFor(args: readonly string[]): Promise<readonly RegisterCommand[]> {
  const first = args[0] ?? ''
  const named = Object.hasOwn(commands, first) ? [commands[first]!] : Object.values(commands)
  return Promise.all(named.map((load) => load()))
}
