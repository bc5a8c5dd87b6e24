// The fallback sketch of nests, which accepts every one of them: a thread per point of the parallel loops. It is slow
// and correct.
import {
  mapNestExprs,
  affineOf,
  div,
  int,
  literal,
  loopVar,
  mul,
  op,
  type Expr,
  type Loop,
  type Program,
  nestProgram,
  type Nest,
  claimName,
  constantExtent,
  namesOf,
  substitute,
  varsOf,
} from '../../ir/index.ts'
import { nestInMemoryOrder } from '../../analysis/index.ts'
import { reorder } from '../primitives/reorder.ts'
import { split } from '../primitives/split.ts'
import { bindAll, script, step } from '../script.ts'
import { block, type Scheduled, type Sketch } from './sketch.ts'

/** Parameter of a thread per point. */
export type PerPoint = {
  /** Threads of a block. */
  readonly threads: number
}

/** One thread per point of the parallel loops (which must be rectangular); reductions are serial in each thread. */
export function perPoint(program: Program, part: Nest): Sketch<PerPoint> {
  const space = [128, 256, 64].map((threads): PerPoint => ({ threads }))
  return {
    name: 'per-point',
    vectorSizes: {},
    space,
    ladder: [{ step: 'one thread per point', point: space[0]! }], // three
    build: (p) => ({ program, kernels: [onePerPoint(program, part, p.threads)] }),
  }
}

/** Points of the short inner loops that one loop goes through together with the one around them. */
const mostTogether = 256

/**
 * The nest with short inner loops of constant extents and the loop around them as one, so that neighbouring threads
 * have work: rows of a 4 × 4 matrix are no rows for a warp.
 */
function withShortLoops(program: Program, part: Nest): Nest {
  const isPlain = (l: Loop): boolean => literal(l.lower) === 0 && l.step === 1,
    short: Loop[] = []
  let points = 1,
    at = part.parallel.length - 1
  for (; at > 0; at--) {
    const l = part.parallel[at]!,
      extent = isPlain(l) ? constantExtent(l) : undefined
    if (extent === undefined || extent < 1 || points * extent > mostTogether) break
    points *= extent
    short.unshift(l)
  }
  const outer = part.parallel[at]!
  if (
    short.length === 0 ||
    points >= mostTogether ||
    (constantExtent(short[short.length - 1]!) ?? Infinity) >= fewPoints ||
    !isPlain(outer) ||
    affineOf(outer.upper) === undefined ||
    varsOf(outer.upper).size > 0
  )
    return part
  const name = claimName(namesOf(program), 'point'),
    point = loopVar(name),
    by = new Map<string, Expr>([[outer.name, div(point, points)]])
  short.reduceRight((stride, l) => {
    const extent = constantExtent(l)!
    by.set(l.name, op('rem', [stride === 1 ? point : div(point, stride), int(extent)]))
    return stride * extent
  }, 1) // they are short
  return {
    ...mapNestExprs(part, (e) => substitute(e, by)),
    parallel: [...part.parallel.slice(0, at), { ...outer, name, upper: mul(outer.upper, int(points)) }],
  }
}

/** Of a row below which threads along it would idle. */
export const fewPoints = 16

function onePerPoint(program: Program, given: Nest, threads: number): Scheduled {
  const part = withShortLoops(program, nestInMemoryOrder(program, given))
  const names = part.parallel.map((l) => l.name)
  const last = names[names.length - 1]
  if (last === undefined) return { program: nestProgram(program, part), name: program.name, steps: ['one thread'] }
  const front = names.slice(0, -1)
  let s = script(nestProgram(program, part))
  s = step(s, `one thread per point, ${threads} per block along ${last}`, (q) =>
    split(q, { loop: last, factor: threads, outer: 'block_p', inner: 'thread_p' }),
  )
  s = step(s, null, (q) => reorder(q, { order: [...front, 'block_p', 'thread_p'] }))
  s = step(s, null, (q) =>
    bindAll(q, [
      ...[...front].reverse().map((n, i) => [n, block(i === 0 ? 'y' : 'z')] as const),
      ['block_p', block('x')],
      ['thread_p', { kind: 'thread', stride: 1 }],
    ]),
  )
  return { program: s.program, name: program.name, steps: s.steps }
}
