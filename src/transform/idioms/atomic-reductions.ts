// In: the computations of a program. Out: the same, where a loop that is in no canonical form runs in one thread only
// because its iterations add to elements that data choose: they are threads, and the additions are atomic. The one idea
// is a parallel reduction by atomic updates (Blume et al., "Parallel Programming with Polaris", 1996): sums may be made
// in any order, and nothing else is handed on. Bounds that are data (rows of sparse matrices) and locals stay as they
// are. What iterations choose by their place alone is left to other schedules, which need no atomics.
import { knownDependences, loopFacts, mentions, type LoopFact } from '../../analysis/index.ts'
import {
  loopNests,
  mapBody,
  ownExprs,
  pass,
  perfectNest,
  readsArray,
  isOfSizes,
  someStmt,
  type Loop,
  type LoopStmt,
  type Nests,
  type Other,
  type Program,
  type ReduceOp,
  type Store,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     size m = 64 min 1
//     array row: i32[n + 1] in global
//     array col: i32[m] in global
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     // no nest: it is not written as a nest
//     for i in 0 .. n {
//       for k in row[i] .. row[i + 1] {
//         y[col[k]] += x[i]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     size m = 64 min 1
//     array row: i32[n + 1] in global
//     array col: i32[m] in global
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     // no nest: iterations of 'i' add to 'y' by atomics
//     for i in 0 .. n {
//       for k in row[i] .. row[i + 1] {
//         y[col[k]] += x[i] @atomic
//       }
//     }
//   }
export const atomicReductions = pass<Nests>({
  name: 'atomic-reductions',
  summary: 'iterations that only add to elements that data choose are threads, which add by atomic operations',
  needs: ['dependences', 'loop parallelism'],
  of: loopNests,
  run: (given) => {
    const parts = given.parts.map((p) => (p.kind === 'serial' ? (asThreads(given.program, p) ?? p) : p))
    return parts.every((p, i) => p === given.parts[i]) ? given : { ...given, parts }
  },
})

function asThreads(program: Program, part: Other): Other | undefined {
  const [loop, more] = part.body
  if (part.parallel > 0 || loop?.kind !== 'loop' || more) return undefined
  const alone = { ...program, body: part.body },
    known = knownDependences(alone),
    facts = known ? loopFacts(alone, known) : []
  const { loops } = perfectNest(loop),
    end = loops.findIndex((l) => !isShared(facts.find((f) => f.loop === l))),
    parallel = end < 0 ? loops.length : end
  const sums = sumsOf(facts.filter((f) => loops.slice(0, parallel).includes(f.loop)))
  if (parallel === 0 || ![...sums].every(([name, op]) => isAtomic(program, loop, name, op))) return undefined
  const body = mapBody(part.body, (s) =>
    s.kind === 'store' && sums.has(s.array) && !s.atomic ? [{ ...s, atomic: true }] : undefined,
  )
  const why = `iterations of '${loop.name}' add to ${[...sums.keys()].map((x) => `'${x}'`).join(', ')} by atomics`
  return { ...part, body, why, parallel }
}

/** Whether iterations share nothing but sums, and sizes say how many there are. */
const isShared = (fact: LoopFact | undefined): boolean =>
  fact !== undefined && fact.kind !== 'sequential' && hasPlainBounds(fact.loop)

/** Bounds in sizes alone. */
const hasPlainBounds = (l: Loop): boolean => isOfSizes(l.lower) && isOfSizes(l.upper)

/** What the iterations of some loops add to. */
const sumsOf = (facts: readonly LoopFact[]): ReadonlyMap<string, ReduceOp | 'argmin' | 'argmax'> =>
  new Map(facts.flatMap((f) => f.reductions.map((r) => [r.array, r.op] as const)))

/** Reductions that there are atomics for. */
const byAtomics: ReadonlySet<string> = new Set(['add', 'min', 'max', 'and', 'or', 'xor'])

/** Whether all that the loop does to an array is to add to elements that data choose. */
function isAtomic(program: Program, loop: Loop, name: string, op: string): boolean {
  const array = program.arrays.find((a) => a.name === name)
  if (array?.space !== 'global' || array.shape.length === 0 || !byAtomics.has(op)) return false
  const isOfType = array.type === 'i32' || array.type === 'u32' || (array.type === 'f32' && op === 'add')
  return isOfType && onlyAdds(loop.body, name, op)
}

const onlyAdds = (body: readonly LoopStmt[], name: string, op: string): boolean =>
  !someStmt(body, (s) => mentions(ownExprs(s), name) || (s.kind === 'store' && s.array === name && !isAddition(s, op)))

const isAddition = (s: Store, op: string): boolean => s.reduce === op && s.index.some(readsArray)
