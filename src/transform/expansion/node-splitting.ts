// In: a loop that reads elements which only later iterations overwrite, in a statement that needs what the same
// iteration has stored: `a[i] = b[i] * c[i]; b[i] = a[i] * a[i + 1];`. Out: the same, these reads from a copy that is
// made before the loop. The one idea is node splitting (Kuck and others): a read that no store of the loop reaches
// reads what was there before, and from a copy it keeps no later store waiting, so circles that it closes are open.
import { namesOf, placedElsewhere, accesses, type Expr, type Loop, type Program } from '../../ir/index.ts'
import { knownDependences, type Dependence } from '../../analysis/index.ts'
import { copyBefore, copyLoops } from './input-copy.ts'

/**
 * `program` whose loop at `position` reads from copies what its later iterations overwrite, and what these and other
 * statements of the same iteration do; none where it reads no such elements.
 */
export function withNodesSplit(program: Program, position: number): readonly Program[] {
  const loop = program.body[position]
  if (loop?.kind !== 'loop') return []
  const alone: Program = { ...program, body: [...program.body.filter((s) => s.kind === 'declare'), loop] }
  const dependences = knownDependences(alone) ?? []
  const carried = overwrittenLater(alone, dependences, (d) => d.level !== null),
    all = overwrittenLater(alone, dependences, (d) => d.level !== null || isInOtherStatement(d))
  return (all.size > carried.size ? [carried, all] : [carried]).flatMap((overwritten) =>
    overwritten.size > 0 ? [fromCopies(program, position, loop, overwritten)] : [],
  )
}

/** Whether the two ends are in different statements. */
const isInOtherStatement = (d: Dependence): boolean => d.source.path.join() !== d.sink.path.join()

function fromCopies(program: Program, position: number, loop: Loop, overwritten: Overwritten): Program {
  const taken = namesOf(program),
    names = new Set(overwritten.values()),
    arrays = program.arrays.filter((a) => names.has(a.name)),
    copies = new Map(arrays.map((a) => [a.name, copyBefore(a, taken)]))
  const made = placedElsewhere([loop], (index) => {
    const copy = copies.get(overwritten.get(index) ?? '')
    return copy && { array: copy.name, index }
  })
  const filled = arrays.flatMap((a) => copyLoops(a, copies.get(a.name)!, taken)) // each has one
  return {
    ...program,
    arrays: [...program.arrays, ...copies.values()],
    body: program.body.toSpliced(position, 1, ...filled, ...made),
  }
}

/** Arrays of the program, by the subscripts of reads, as objects. */
type Overwritten = ReadonlyMap<readonly Expr[], string>

/** Reads that stores follow, as `isFollowed` says, and none precede. */
function overwrittenLater(
  program: Program,
  dependences: readonly Dependence[],
  isFollowed: (d: Dependence) => boolean,
): Overwritten {
  const global = new Set(program.arrays.flatMap((a) => (a.space === 'global' && a.shape.length > 0 ? [a.name] : [])))
  const reached = new Set(dependences.flatMap((d) => (d.kind === 'flow' ? [d.sink.id] : []))),
    followed = new Set(dependences.flatMap((d) => (d.kind === 'anti' && isFollowed(d) ? [d.source.id] : [])))
  const found = new Map<readonly Expr[], string>(),
    others = new Set<readonly Expr[]>() // one object may stand in several places
  for (const a of accesses(program))
    if (a.kind === 'read' && global.has(a.array) && followed.has(a.id) && !reached.has(a.id))
      found.set(a.index, a.array)
    else others.add(a.index)
  for (const index of others) found.delete(index)
  return found
}
