// whole-tile: stores of a tile under guards in two ways: where all of its elements pass the guards, nothing is asked,
// vectors are stored whole, and (`first`) what is read is loaded before anything is stored; elsewhere as it was, but
// (`first`) with loads that ask nothing.
//
//   for b in 0 .. (n + 7) / 8 @block.x { for t in 0 .. 8 { if b * 8 + t < n { y[b * 8 + t] = 1.0f } } }
// → for b in 0 .. (n + 7) / 8 @block.x { if b * 8 + 7 < n { for t in 0 .. 8 { y[b * 8 + t] = 1.0f } }
//     else { for t in 0 .. 8 { if b * 8 + t < n { y[b * 8 + t] = 1.0f } } } }
//
// Side conditions: right inside of the loop stand perfect nests of loops with constant extents; the conjuncts of their
// guards are affine. Nests that store to another array stay as they are, as do arrays that are read at several elements
// or in an arm of `? :` (see `fragment`).
import {
  addScaled,
  affineConstant,
  type Loop,
  type LoopStmt,
  type Program,
  conjunction,
  exprKey,
  freshName,
  nest,
  peelGuard,
  perfectNest,
  readByChoice,
  readsIn,
  replaceLoops,
} from '../../ir/index.ts'
import { conditionOf, inequalityOf, innerRange } from '../../analysis/index.ts'
import { fragment } from './fragment.ts'
import { heldLoads } from './held-loads.ts'
import { locate } from './stage.ts'

export interface WholeTile {
  /** The loop whose iterations are tiles. */
  readonly loop: string
  /** The array that is stored. */
  readonly array: string
  /** Loops inside; at the outermost that is there, what its iteration reads of arrays in memory is loaded first. */
  readonly first?: readonly string[]
  /** Sizes that are multiples of vectors wherever the result is run. */
  readonly multiples?: ReadonlySet<string>
  /** Nothing else uses the array. */
  readonly alone?: boolean
}

export function wholeTile(program: Program, o: WholeTile): Program {
  const { outer } = locate(program, o.loop)
  return replaceLoops(program, o.loop, (l) => [
    { ...l, body: l.body.flatMap((s) => (s.kind === 'loop' ? twoWays(program, s, [...outer, l], o) : [s])) },
  ])
}

function twoWays(
  program: Program,
  l: Loop,
  around: readonly Loop[],
  { array, first = [], multiples = new Set(), alone = false }: WholeTile,
): readonly LoopStmt[] {
  const { loops, body } = perfectNest(l),
    { guard, body: inner } = peelGuard(body),
    [only] = inner
  if (inner.length !== 1 || only?.kind !== 'store' || only.array !== array) return [l]
  const whole = guard.map((c) => {
    const f = inequalityOf(c),
      range = f && innerRange(f, loops)
    return f && range && conditionOf(addScaled(addScaled(f, range.inner, -1), affineConstant(range.low), 1))
  })
  if (whole.some((c) => c === undefined)) return [l]
  const condition = conjunction(whole.flatMap((c) => c ?? [])),
    at = first.find((name) => loops.some((x) => x.name === name))
  const then = loadedFirst(program, nest(loops, inner), at)
  return condition
    ? [
        {
          kind: 'if',
          condition,
          then,
          else: (at !== undefined && heldLoads(program, l, { at, around, multiples, alone })) || [l],
        },
      ]
    : then
}

function loadedFirst(program: Program, body: readonly LoopStmt[], at: string | undefined): readonly LoopStmt[] {
  if (at === undefined) return body
  const elements = new Map<string, Set<string>>()
  for (const r of readsIn(body))
    if (program.arrays.some((a) => a.name === r.array))
      elements.set(r.array, (elements.get(r.array) ?? new Set()).add(exprKey(r)))
  const byChoice = readByChoice(body),
    single = [...elements].filter(([name, keys]) => keys.size === 1 && !byChoice.has(name)).map(([name]) => name)
  return single.reduce(
    (p, array) => fragment(p, { array, at, as: freshName(program, `${array.toLowerCase()}_there`), vector: true }),
    { ...program, body },
  ).body
}
