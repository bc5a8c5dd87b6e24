// In: the subscripts of an access. Out: the loops whose neighbouring iterations touch elements that are nearest. The
// one idea: what is near is decided in the last dimension in which loops step at all, by the least constant step
// there: `x[i][2 * j]` and `x[i][j][1]` are rows along `j` as `x[i][j]` is.
import { constantExtent, polynomialOf, uses, type Expr, type Loop } from '../../ir/index.ts'
import { readsOf } from '../loop-context.ts'

/** Subscripts of all that is read, those of reads in subscripts too. */
export const readIndices = (es: readonly Expr[]): readonly (readonly Expr[])[] => readsOf(es).map((r) => r.index)

/** Elements of 4 bytes in a sector. */
export const sectorElements = 8

/** Loops over results side by side that are fewer than a sector holds, as the channels of a pixel are. */
export const sideBySide = (parallel: readonly Loop[]): readonly Loop[] =>
  parallel.filter((l) => (constantExtent(l) ?? Infinity) < sectorElements)

export interface Nearest {
  /** Loops that step least, by name; none where all step as far as sizes say. */
  readonly loops: ReadonlySet<string>
  /** Elements that they step, as far as subscripts say it. */
  readonly step: number
}

/** The loops nearest in one access, `others` aside; undefined where what decides is no polynomial, or none steps. */
export function nearestLoops(index: readonly Expr[], others: readonly Loop[] = []): Nearest | undefined {
  const all = index.map((e) => stepsOf(e, others)),
    decided = all.findLastIndex(decides),
    steps = all[decided]
  if (!steps) return undefined
  const least = Math.min(...[...steps.values()].map(Math.abs)),
    inside = others.filter((l) => index.slice(decided + 1).some((e) => uses(e, l.name)))
  return {
    loops: new Set([...steps].flatMap(([n, step]) => (Math.abs(step) === least && least < Infinity ? [n] : []))),
    step: inside.reduce((n, l) => n * (constantExtent(l) ?? sectorElements), least),
  }
}

/** Whether it is one of the nearest loops of some access, those of `parallel` over results side by side aside. */
export const isNearest = (indices: readonly (readonly Expr[])[], loop: Loop, parallel: readonly Loop[] = []): boolean =>
  indices.some((index) => nearestLoops(index, sideBySide(parallel))?.loops.has(loop.name))

/** Whether it goes down in memory where some access decides what is near. */
export const isDownward = (indices: readonly (readonly Expr[])[], loop: Loop): boolean =>
  indices.some(
    (index) =>
      (index
        .map((e) => stepsOf(e, []))
        .findLast(decides)
        ?.get(loop.name) ?? 0) < 0,
  )

type Steps = ReadonlyMap<string, number>

/** Whether loops step in a subscript, or may, as far as it is known. */
const decides = (steps: Steps | undefined): boolean => steps === undefined || steps.size > 0

/** How far each loop steps in a subscript, by name; Infinity is as far as sizes say. Undefined: it is no polynomial. */
function stepsOf(index: Expr, others: readonly Loop[]): Steps | undefined {
  const form = polynomialOf(index)
  if (!form) return undefined
  const steps = new Map<string, number>()
  for (const [key, c] of form) {
    const names = key === '' ? [] : key.split('*'),
      own = names.filter((n) => !n.startsWith('$') && !others.some((l) => l.name === n)) // sizes begin so
    for (const n of own) steps.set(n, names.length === 1 && !steps.has(n) ? c : Infinity)
  }
  return steps
}
