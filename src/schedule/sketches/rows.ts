// Sums of rows that need each other: the threads of a row make one after the other, so that they are one launch and what one needs
// of another never leaves its registers. In: the form. Out: the points of a sum of rows, for all of them.
import type { Program } from '../../ir/index.ts'
import type { Nest, Rows } from '../part.ts'
import { together } from './behind.ts'
import { reduction, rowKernel } from './reduction.ts'
import type { Point, Scheduled, Sketch } from './sketch.ts'

export function rows(program: Program, form: Rows): Sketch | undefined {
  const sketches = form.nests.map((n) => reduction(program, n))
  if (sketches.some((s) => !s)) return undefined
  const [first] = sketches as Sketch[] // a form has nests
  const { likely, ladder, space } = first!
  return { name: 'rows', ladder, space, ...(likely && { likely }), vectorSizes: Object.assign({}, ...sketches.map((s) => s!.vectorSizes)) as Readonly<Record<string, number>>, build: (p) => ({ program, kernels: [built(program, form.nests, p)] }) } // all of them are there
}

function built(program: Program, nests: readonly Nest[], p: Point): Scheduled {
  const made = nests.map((n) => rowKernel(program, n, p))
  return { ...together(made), steps: [`${nests.length} sums of a row by the same threads, one after the other`, ...made[0]!.steps] } // a form has nests
}
