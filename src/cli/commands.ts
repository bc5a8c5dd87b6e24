// The list of commands: one line each, in the order of `tesela --help`.
import type { Command } from 'commander'
import { benchCommand } from './bench.ts'
import { doctorCommand } from './doctor.ts'
import { explainCommand } from './explain.ts'
import { gpusCommand } from './gpus.ts'
import { occupancyCommand } from './occupancy.ts'
import { optimizeCommand } from './optimize.ts'
import { studyCommand } from './study.ts'

/** A command adds itself: its arguments, its flags and what it does. */
export type Register = (program: Command) => void

export const commands: readonly Register[] = [
  optimizeCommand,
  explainCommand,
  occupancyCommand,
  studyCommand,
  benchCommand,
  gpusCommand,
  doctorCommand,
]
