// The list of commands: one line each, in the order of `tesela --help`.
import type { Command } from 'commander'
import { benchCommand } from './commands/bench.ts'
import { buildCommand } from './commands/build.ts'
import { doctorCommand } from './commands/doctor.ts'
import { explainCommand } from './commands/explain.ts'
import { gpusCommand } from './commands/gpus.ts'
import { occupancyCommand } from './commands/occupancy.ts'
import { optimizeCommand } from './commands/optimize.ts'
import { studyCommand } from './commands/study.ts'

/** A command adds itself: its arguments, its flags and what it does. */
export type Register = (program: Command) => void

export const commands: readonly Register[] = [
  optimizeCommand,
  buildCommand,
  explainCommand,
  occupancyCommand,
  studyCommand,
  benchCommand,
  gpusCommand,
  doctorCommand,
]
