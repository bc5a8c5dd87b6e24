// In: single events of a run. Out: one `Hazard` per kind and pair of statements, with how often and the first example.
// The one idea: a kernel that is wrong is wrong a million times; one report says it.
import { unreachable } from '../../base/index.ts'
import { describeStmt, type Hazard, type HazardKind, type Stmt } from '../../ir/index.ts'

export class Hazards {
  private readonly found = new Map<string, Hazard>()
  private readonly numbers = new Map<Stmt, number>()

  /** Counts `times` events. `example` is asked for only the first time. */
  add(kind: HazardKind, stmt: Stmt, other: Stmt | null, times: number, example: () => string): void {
    const key = `${kind}:${this.number(stmt)}:${other ? this.number(other) : ''}`
    const known = this.found.get(key)
    if (known) { known.count += times; return }
    const at = stmt.at, otherAt = other?.at
    this.found.set(key, {
      kind, ...(at && { at }), ...(otherAt && { other: otherAt }), message: message(kind, stmt, other), example: example(), count: times,
    })
  }

  private number(s: Stmt): number {
    let n = this.numbers.get(s)
    if (n === undefined) {
      n = this.numbers.size
      this.numbers.set(s, n)
    }
    return n
  }

  list(): Hazard[] { return [...this.found.values()] }
}

function message(kind: HazardKind, stmt: Stmt, other: Stmt | null): string {
  const what = `'${describeStmt(stmt)}'`
  switch (kind) {
    case 'out-of-bounds': return `${what} goes out of bounds; the access was dropped and reads gave 0`
    case 'misaligned': return `${what} needs an address that is a multiple of its size`
    case 'uninitialized': return stmt.kind === 'subgroup' ? `${what} reads a lane that is not active; it got its own value` : `${what} reads memory that nothing has written`
    case 'barrier-divergence': return `not all threads of the ${stmt.kind === 'barrier' ? stmt.scope : 'block'} reach this barrier`
    case 'race': return other && other !== stmt ? `${what} and '${describeStmt(other)}' touch the same bytes from different threads with no barrier between` : `${what} touches the same bytes from different threads with no barrier between`
    default: return unreachable(kind)
  }
}
