// In: statements. Out: the same without locals that nothing reads, and without loops and conditions that are empty
// then. The one idea is dead store elimination: what only dead locals were made of is dead itself, so it is done until
// nothing is left to do.
import { eachStmt, readsIn, type LoopStmt } from '../../ir/index.ts'

/** The same list where every local is read. Locals are those that `body` declares. */
export function withoutDeadStores(body: readonly LoopStmt[]): readonly LoopStmt[] {
  const dead = new Set<string>()
  eachStmt(body, (s) => {
    if (s.kind === 'declare') dead.add(s.array.name)
  })
  for (const r of readsIn(body)) dead.delete(r.array)
  return dead.size === 0 ? body : withoutDeadStores(without(body, dead))
}

const without = (body: readonly LoopStmt[], dead: ReadonlySet<string>): readonly LoopStmt[] =>
  body.flatMap((s): readonly LoopStmt[] => {
    switch (s.kind) {
      case 'declare':
        return dead.has(s.array.name) ? [] : [s]
      case 'store':
        return dead.has(s.array) ? [] : [s]
      case 'loop': {
        const inside = without(s.body, dead)
        return inside.length === 0 ? [] : [{ ...s, body: inside }]
      }
      case 'if': {
        const then = without(s.then, dead),
          otherwise = without(s.else, dead)
        return then.length + otherwise.length === 0 ? [] : [{ ...s, then, else: otherwise }]
      }
    }
  })
