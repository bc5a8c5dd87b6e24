// In: a kernel. Out: its loads of shared memory that are no instructions of their own on GPUs whose arithmetic takes
// one operand straight from shared memory (cc 1.x; Volkov and Demmel 2008). The one idea: operand folding, as
// compilers do with memory operands of CISC machines: a word that one operation alone uses is that operation's
// operand, one each.
import { allStatements, definesOf, usesOf, type Kernel, type Stmt } from '../ir/index.ts'

const known = new WeakMap<Kernel, ReadonlySet<Stmt>>()

/** Loads of one word of shared memory that the operation which uses it can take along. */
export function sharedOperands(kernel: Kernel): ReadonlySet<Stmt> {
  const found = known.get(kernel) ?? find(kernel)
  known.set(kernel, found)
  return found
}

function find(kernel: Kernel): ReadonlySet<Stmt> {
  const statements = allStatements(kernel.body)
  const shared = new Set(kernel.resources.filter((r) => r.space === 'shared').map((r) => r.name))
  const definitions = new Map<number, Stmt[]>(),
    uses = new Map<number, Stmt[]>()
  const note = (map: Map<number, Stmt[]>, id: number, s: Stmt): void => {
    const list = map.get(id) ?? []
    map.set(id, list)
    list.push(s)
  }
  for (const s of statements) {
    for (const r of definesOf(s)) note(definitions, r.id, s)
    for (const o of usesOf(s)) if (o.kind === 'reg') note(uses, o.id, s)
  }
  const folded = new Set<Stmt>(),
    taken = new Set<Stmt>()
  for (const s of statements) {
    if (s.kind !== 'load' || s.dst.length !== 1 || !shared.has(s.address.resource)) continue
    const { id } = s.dst[0]!, // one
      [user, ...others] = uses.get(id) ?? []
    if (user?.kind !== 'op' || others.length > 0 || taken.has(user) || definitions.get(id)?.length !== 1) continue
    folded.add(s)
    taken.add(user)
  }
  return folded
}
