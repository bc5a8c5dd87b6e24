// In: a nest. Out: the sketch that fits its reuse best. The order is from the most reuse to the least; the first that
// accepts the nest gets it.
import type { Program } from '../../ir/index.ts'
import { nestProgram, rectangular, type Nest, type Other } from '../nest.ts'
import { contraction } from './contraction.ts'
import { perIteration, perPoint, sequential } from './generic.ts'
import { pointwise } from './pointwise.ts'
import { reduction } from './reduction.ts'
import { transpose } from './transpose.ts'
import type { Sketch } from './sketch.ts'

/** `parallel`: how many outer loops of an `Other` an analysis proved parallel (0 when unknown). */
export function sketchOf(program: Program, part: Nest | Other, parallel = 0): Sketch {
  if (part.kind === 'other') return parallel > 0 ? perIteration(program, part, parallel) : sequential(program, part)
  const nest = rectangular(part)
  if (!nest) return sequential(program, { kind: 'other', body: nestProgram(program, part).body, why: 'the bounds of a parallel loop are not affine' })
  return contraction(program, nest) ?? transpose(program, nest) ?? pointwise(program, nest) ?? reduction(program, nest) ?? perPoint(program, nest)
}
