// Sums over the same loops: kernels of one schedule for each, whose statements take turns, so that threads load what
// the sums share once. In: the nests. Out: the points that all of them have.
import { fail, isInapplicable } from '../../../base/index.ts'
import { exprKey, int, measuredChip, type ArrayDecl, type Chip, type Nest, type Program } from '../../../ir/index.ts'
import { withRoomIn } from '../../../transform/index.ts'
import { inTurns } from '../kernel-concatenation.ts'
import { contraction } from '../contraction/contraction.ts'
import { perPoint } from '../thread-per-point.ts'
import { pairSums } from './pairwise-sums.ts'
import { pointwise } from '../pointwise/pointwise.ts'
import { reduction } from './reduction.ts'
import { tryPoint, type Made, type Point, type Scheduled, type Sketch } from '../sketch.ts'
import { tiledTranspose } from '../pointwise/transpose.ts'

/** `undefined` where one of the nests takes no such schedule. */
export function sums(program: Program, nests: readonly Nest[], chip: Chip = measuredChip): Sketch | undefined {
  const paired = pairSums(program, nests)
  if (paired) return paired
  const make = wayOf(program, nests),
    sketches = nests.map((n) => make?.(program, n, chip)),
    [first] = sketches
  if (!make || !first) return undefined
  const build = (p: Point): Made => built(program, nests, (q, n) => make(q, n, chip), p)
  if (isInapplicable(tryPoint({ build }, first.ladder[0]!.point))) return undefined // ladders have rungs
  const { ladder, space, likely, alone } = first
  return {
    name: 'sums',
    ladder,
    space,
    ...(likely && { likely }),
    ...(alone && { alone }),
    vectorSizes: Object.assign({}, ...sketches.map((s) => s!.vectorSizes)) as Readonly<Record<string, number>>,
    build,
  } // of such records
}

type Make = (program: Program, nest: Nest, chip?: Chip) => Sketch | undefined

/** The schedule that all take: what each would get alone, so that none loses one of its own. */
function wayOf(program: Program, nests: readonly Nest[]): Make | undefined {
  const others: readonly Make[] = [contraction, tiledTranspose, pointwise, reduction]
  return nests.every((n) => reduction(program, n))
    ? reduction
    : nests.every((n) => n.parallel.length > 0 && others.every((make) => !make(program, n)))
      ? perPoint
      : undefined
}

function built(given: Program, nests: readonly Nest[], make: Make, p: Point): Made {
  let program = given
  const made = nests.map((n) => {
    const one = (make(program, n) ?? fail('schedule.sums', 'it is no sum')).build(p) // each with temporaries of its own
    program = one.program
    return one.kernels
  })
  const kernels = made[0]!.map((k, i): Scheduled => {
    // there is one
    // as many: points say how many
    const all = made.map((m) => ({ ...m[i]!, program: { ...m[i]!.program, arrays: program.arrays } }))
    return {
      ...inTurns(all),
      steps: [`${nests.length} sums by the same threads, which load what these share once`, ...k.steps],
    }
  })
  return inOneBuffer({ program, kernels }, given)
}

/**
 * Temporaries of one shape, one for each sum, as planes of one: what blocks share of many sums would need more buffers
 * than a kernel may have (8 in WebGPU).
 */
function inOneBuffer(made: Made, given: Program): Made {
  const own = made.program.arrays.filter((a) => !given.arrays.some((b) => b.name === a.name)),
    [first] = own
  if (!first || own.length < 2 || own.some((a) => keyOf(a) !== keyOf(first))) return made
  const all: ArrayDecl = { ...first, shape: [int(own.length), ...first.shape] },
    isOwn = (a: ArrayDecl): boolean => own.some((b) => b.name === a.name)
  const merged = (program: Program): Program => ({
    ...program,
    arrays: [...program.arrays.filter((a) => !isOwn(a)), all],
    body: own.reduce((body, a, n) => withRoomIn(body, a, all, (index) => [int(n), ...index]), program.body),
  })
  return {
    ...made,
    program: merged(made.program),
    kernels: made.kernels.map((k) => ({ ...k, program: merged(k.program) })),
  }
}

const keyOf = (a: ArrayDecl): string => `${a.type} ${a.role} ${a.shape.map(exprKey).join()}`
