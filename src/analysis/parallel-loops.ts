// In: a program of one part that is in no canonical form. Out: how many of its outer loops may run in parallel, and in
// words why the rest may not. The one idea: the exact dependence analysis says which loops carry nothing; people want
// to read the lines that stand in the way. It schedules nothing.
import { loopFacts, type LoopFact } from './loop-parallelism.ts'
import { knownDependences, type Dependence } from './dependences.ts'
import { isFloat, type Access, type Loop, type LoopStmt, type Program, perfectNest, isOfSizes } from '../ir/index.ts'

export interface OuterLoops {
  readonly parallel: number
  readonly why: string
}

/**
 * Facts about the loop of `program.body` when that is all (beside declarations), else about the first that is not
 * parallel.
 */
export function outerLoops(program: Program): OuterLoops {
  const stmts = program.body.filter((s) => s.kind !== 'declare')
  const loops = stmts.flatMap((s) => (s.kind === 'loop' ? [s] : []))
  if (loops.length === 0)
    return { parallel: 0, why: stmts.some(hasLoop) ? 'no single loop encloses all of it' : 'it is not a loop' }
  const known = knownDependences(program)
  if (!known) return { parallel: 0, why: 'the program has too many accesses to be analysed' }
  const facts = loopFacts(program, known)
  const floats = new Set(program.arrays.flatMap((a) => (isFloat(a.type) ? [a.name] : [])))
  const all = loops.map((l) => explained(perfectNest(l).loops, facts, floats))
  // one per loop
  return stmts.length === 1 ? all[0]! : { ...(all.find((x) => x.parallel === 0) ?? all[0]!), parallel: 0 }
}

/** Whether a loop is in it. */
export const hasLoop = (s: LoopStmt): boolean =>
  s.kind === 'loop' || (s.kind === 'if' && [...s.then, ...s.else].some(hasLoop))

function explained(loops: readonly Loop[], facts: readonly LoopFact[], floats: ReadonlySet<string>): OuterLoops {
  const factOf = (l: Loop): LoopFact | undefined => facts.find((f) => f.loop === l)
  let parallel = 0
  while (parallel < loops.length && factOf(loops[parallel]!)?.kind === 'parallel' && hasPlainBounds(loops[parallel]!))
    parallel++
  const form = 'it is not a single assignment or reduction inside parallel loops'
  if (parallel > 0) return { parallel, why: form }
  const outer = loops[0]! // a perfect nest has one loop at least
  const fact = factOf(outer)
  if (!hasPlainBounds(outer)) return { parallel, why: `${form}; how often '${outer.name}' runs depends on data` }
  return { parallel, why: `${form}; ${blocked(outer, fact, floats)}` }
}

/** Bounds in sizes alone. */
const hasPlainBounds = (l: Loop): boolean => isOfSizes(l.lower) && isOfSizes(l.upper)

function blocked(l: Loop, fact: LoopFact | undefined, floats: ReadonlySet<string>): string {
  const blocker = fact?.blockers.find((d) => d.kind === 'flow') ?? fact?.blockers[0]
  if (blocker) return `'${l.name}' must run in order: ${inWords(blocker)}`
  const reduced = fact?.reductions.map((r) => `'${r.array}'`).join(', ')
  const unordered = fact?.reductions.some((r) => floats.has(r.array))
    ? ', and there are no atomic operations on floats'
    : ''
  return reduced
    ? `iterations of '${l.name}' reduce into the same elements of ${reduced}${unordered}`
    : `'${l.name}' must run in order`
}

/** Which access of one iteration meets which of a later one. */
function inWords(d: Dependence): string {
  const doing = (a: Access): string => (a.kind === 'read' ? 'read' : 'written')
  const certainty = d.exact ? '' : '; the analysis cannot prove that these are different elements'
  return (
    `'${d.array}' is ${doing(d.source)}${placed(d.source)} and ${doing(d.sink)}${placed(d.sink)} ` +
    `by a later iteration${certainty}`
  )
}

const placed = (a: Access): string => {
  const at = a.at ?? a.statement.at
  return at ? ` in line ${at.line}` : ''
}
