// In: parallel loops around statements. Out: the same loops, the one last whose neighbouring iterations touch
// neighbouring elements. The one idea: the loop cost of Kennedy and McKinley (Optimizing for Parallelism and Data
// Locality, 1992), counted in sectors that a warp along a loop asks for: one for all lanes where an element is theirs
// together, a few where elements are next to each other, one for each lane else. It moves nothing itself.
import {
  accesses,
  add,
  affineOf,
  coefficient,
  constantExtent,
  literal,
  loopVar,
  nestProgram,
  readsArray,
  substitute,
  uses,
  type Access,
  type Expr,
  type Loop,
  type LoopStmt,
  type Nest,
  type Program,
} from '../../ir/index.ts'
import { planned } from '../cost-estimate.ts'
import { sectorElements } from './nearest-loops.ts'

/** Lanes that ask together. */
const lanes = 32
/** How often a loop inside of the parallel ones is taken to repeat an access. */
const innerTurns = 16

/** `loops` with the cheapest last; the same where it is last already, or as cheap. `body` stands in all of them. */
export function inMemoryOrder(program: Program, loops: readonly Loop[], body: readonly LoopStmt[]): readonly Loop[] {
  const last = loops[loops.length - 1]
  if (!last || loops.length < 2) return loops
  const around = [...loops].reverse().reduce<readonly LoopStmt[]>((inner, l) => [{ ...l, body: inner }], body),
    arrays = new Map(program.arrays.map((a) => [a.name, a])),
    found = accesses({ ...program, body: around }).filter((a) => arrays.get(a.array)?.space === 'global')
  const costs = loops.map((l) => costAlong(program, l, loops.length, found)),
    least = Math.min(...costs)
  if (costs[costs.length - 1] === least) return loops
  const chosen = loops[costs.indexOf(least)]!
  return [...loops.filter((l) => l !== chosen), chosen]
}

/** The parallel loops of a nest so. */
export function nestInMemoryOrder(program: Program, part: Nest): Nest {
  const { body } = nestProgram(program, { ...part, parallel: [] }),
    parallel = inMemoryOrder(program, part.parallel, body)
  return parallel === part.parallel ? part : { ...part, parallel }
}

/** Sectors that a warp asks for along `l`, with those that lanes without an iteration would have asked for. */
function costAlong(program: Program, l: Loop, parallel: number, all: readonly Access[]): number {
  const extent = planned(program, l.lower, l.upper, l.step),
    // loops of constant extents share lanes with those around them
    busy = constantExtent(l) !== undefined ? 1 : Math.max(1, extent) / (lanes * Math.max(1, Math.ceil(extent / lanes))),
    shapes = new Map(program.arrays.map((a) => [a.name, a.shape]))
  const repeated = (a: Access): number => innerTurns ** (a.loops.length - parallel)
  return all.reduce((n, a) => n + repeated(a) * sectors(a, shapes.get(a.array) ?? [], l), 0) / busy
}

/** Of an access to an array of this shape, by lanes along `l`. */
function sectors({ index, loops }: Access, shape: readonly Expr[], { name, step }: Loop): number {
  // a loop that begins at what differs between lanes is at other places in each of them
  const places = new Map(
    loops.flatMap((l) => (uses(l.lower, name) ? [[l.name, add(l.lower, loopVar(l.name))] as const] : [])),
  )
  let stride = 0
  for (const [d, given] of index.entries()) {
    const e = substitute(given, places)
    if (!uses(e, name)) continue
    const a = affineOf(e),
      along = a ? coefficient(a, name) : 1
    if (along === 0) continue
    const row = shape.slice(d + 1).reduce((n, extent) => n * (literal(extent) ?? Infinity), 1)
    // far apart, whatever other dimensions add or take away
    if (readsArray(e) || row === Infinity) return lanes
    stride += along * step * row
  }
  return stride === 0 ? 1 : Math.min(lanes, Math.max(1, (Math.abs(stride) * lanes) / sectorElements))
}
