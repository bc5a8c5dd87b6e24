// The list of experiments, in the order of `tesela study --list`.
import { fail, nearest } from '../../base/index.ts'
import type { Experiment } from '../types.ts'
import { applications } from './applications.ts'
import { flow } from './flow.ts'
import { memory } from './memory.ts'
import { placement } from './placement.ts'
import { parallel } from './parallel.ts'
import { tiling } from './tiling.ts'

export const experiments: readonly Experiment[] = [
  ...memory,
  ...placement,
  ...tiling,
  ...parallel,
  ...flow,
  ...applications,
]

/** The experiment of that name. Throws a `DiagnosticError`. */
export function experimentNamed(name: string): Experiment {
  const found = experiments.find((e) => e.name === name)
  if (found) return found
  const near =
    nearest(
      name,
      experiments.map((e) => e.name),
    ) ?? experiments.find((e) => e.name.startsWith(name.slice(0, 4)))?.name
  return fail(
    'study.name',
    `there is no experiment '${name.slice(0, 40)}'`,
    undefined,
    `${near ? `did you mean ${near}? ` : ''}tesela study --list shows all ${experiments.length}`,
  )
}
