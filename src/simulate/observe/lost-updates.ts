// In: a kernel. Out: atomic stores that put back what an atomic load of the same resource gave, changed, and those
// loads. The one idea: each of the two is atomic and the pair is not: what another thread stored between them is gone
// (Herlihy and Shavit, The Art of Multiprocessor Programming, 1.2: get-and-increment must be one step). A kernel that
// also exchanges or compares atomically may hold a lock around the pair, so that nothing is said of it.
import { allStatements, definesOf, usesOf, type Kernel, type Stmt } from '../../ir/index.ts'

type Atomic = Extract<Stmt, { kind: 'atomic' }>

/** The loads and stores of such pairs. */
export function splitUpdates(kernel: Kernel): ReadonlySet<Stmt> {
  const atomics = allStatements(kernel.body).filter((s): s is Atomic => s.kind === 'atomic')
  if (atomics.some((s) => s.op === 'exchange' || s.op === 'compareExchange')) return new Set()
  const found = new Set<Stmt>()
  for (const load of atomics) {
    if (load.op !== 'load' || !load.dst) continue
    const carried = reachedFrom(kernel.body, load.dst.id)
    for (const s of atomics) {
      const putsBack =
        s.op === 'store' &&
        s.address.resource === load.address.resource &&
        s.args.some((a) => a.kind === 'reg' && carried.has(a.id))
      if (putsBack) found.add(load).add(s)
    }
  }
  return found
}

/** Registers whose values are made from that of `register` by operations. */
function reachedFrom(body: readonly Stmt[], register: number): ReadonlySet<number> {
  const reached = new Set([register])
  for (let before = 0; before < reached.size; ) {
    before = reached.size
    for (const s of allStatements(body)) {
      if (s.kind !== 'op' || !usesOf(s).some((o) => o.kind === 'reg' && reached.has(o.id))) continue
      for (const r of definesOf(s)) reached.add(r.id)
    }
  }
  return reached
}
