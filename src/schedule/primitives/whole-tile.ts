// whole-tile: stores of a tile under guards in two ways: where all of its elements pass the guards, nothing is asked and vectors are
// stored whole; elsewhere as it was.
//
//   for b in 0 .. (n + 7) / 8 @block.x { for t in 0 .. 8 { if b * 8 + t < n { y[b * 8 + t] = 1.0f } } }
// → for b in 0 .. (n + 7) / 8 @block.x { if b * 8 + 7 < n { for t in 0 .. 8 { y[b * 8 + t] = 1.0f } }
//     else { for t in 0 .. 8 { if b * 8 + t < n { y[b * 8 + t] = 1.0f } } } }
//
// Side conditions: right inside of the loop stand perfect nests of loops with constant extents; the conjuncts of their guards are
// affine. Nests that store to another array, or whose guards say nothing about the tile, stay as they are.
import { addScaled, affineConstant, type Loop, type LoopStmt, type Program } from '../../ir/index.ts'
import { conditionOf, inequalityOf } from '../inequality.ts'
import { innerRange } from '../legal.ts'
import { conjunction, nest, peelGuard, perfectNest, replaceLoops } from '../tree.ts'

export interface WholeTile {
  /** The loop whose iterations are tiles. */
  readonly loop: string
  /** The array that is stored. */
  readonly array: string
}

export function wholeTile(program: Program, { loop, array }: WholeTile): Program {
  return replaceLoops(program, loop, (l) => [{ ...l, body: l.body.map((s) => (s.kind === 'loop' ? twoWays(s, array) : s)) }])
}

function twoWays(l: Loop, array: string): LoopStmt {
  const { loops, body } = perfectNest(l), { guard, body: inner } = peelGuard(body), [only] = inner
  if (guard.length === 0 || inner.length !== 1 || only?.kind !== 'store' || only.array !== array) return l
  const whole = guard.map((c) => {
    const f = inequalityOf(c), range = f && innerRange(f, loops)
    return f && range && conditionOf(addScaled(addScaled(f, range.inner, -1), affineConstant(range.low), 1))
  })
  if (whole.some((c) => c === undefined)) return l
  const condition = conjunction(whole.flatMap((c) => c ?? []))
  return condition ? { kind: 'if', condition, then: nest(loops, inner), else: [l] } : l
}
