// In: a kernel that a compiler has been over, and what ran. Out: short branches of it that were made predicates, with
// the part of their lanes that does anything. The one idea: hardware issues a predicated instruction for all lanes and
// counts all of them active, so that lanes which do nothing show here alone (profilers: predicated-on threads). It says
// nothing of WGSL, whose branches no compiler has seen yet.
import type { Span } from '../base/index.ts'
import { allStatements, type Counters, type Kernel, type Stmt } from '../ir/index.ts'

export interface PredicatedBranch {
  readonly at: Span | undefined
  /** Lanes that come to it, in executions of threads, and those that take it. */
  readonly come: number
  readonly taken: number
}

/** Branches that run under a predicate with some lanes off, the most lanes first. */
export function predicatedBranches(kernel: Kernel, { executions }: Counters): readonly PredicatedBranch[] {
  const lanes = new Map<Stmt, number>(executions.flatMap((e) => e.statements.map((s) => [s, e.lanes] as const)))
  return allStatements(kernel.body)
    .flatMap((s) => {
      if (s.kind !== 'if' || !s.free || s.then.length * s.else.length > 0) return []
      const arm = [...s.then, ...s.else] // one of them is empty
      const [first] = arm,
        work = allStatements(arm).find((x) => x.kind === 'load' || x.kind === 'store')
      if (!first || !work) return [] // flags and exits are no work
      return [{ at: work.at ?? s.at, come: lanes.get(s) ?? 0, taken: lanes.get(first) ?? 0 }]
    })
    .filter((b) => b.taken < b.come)
    .sort((a, b) => b.come - b.taken - (a.come - a.taken))
}
