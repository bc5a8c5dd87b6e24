// In: single events of a run. Out: one `Hazard` per kind and pair of statements, with how often and the first example.
// The one idea: a kernel that is wrong is wrong a million times; one report says it.
import { unreachable } from '../../base/index.ts'
import { describeStmt, type Hazard, type HazardExample, type HazardKind, type Stmt } from '../../ir/index.ts'

export class Hazards {
  private readonly found = new Map<string, Hazard>()
  private readonly numbers = new Map<Stmt, number>()
  /** Of one statement alone, by kind: what is wrong is wrong again and again. */
  private readonly alone = new Map<HazardKind, Map<Stmt, Hazard>>()

  /** Counts `times` events. `example` and `harmless` are asked for only the first time. */
  add(
    kind: HazardKind,
    stmt: Stmt,
    other: Stmt | null,
    times: number,
    example: () => HazardExample,
    harmless?: () => Hazard['harmless'] | null,
  ): Hazard {
    const known = other ? undefined : this.alone.get(kind)?.get(stmt)
    const hazard = known ?? this.hazard(kind, stmt, other, example, harmless)
    hazard.count += times
    if (known || other) return hazard
    const alone = this.alone.get(kind) ?? new Map<Stmt, Hazard>()
    this.alone.set(kind, alone.set(stmt, hazard))
    return hazard
  }

  /** Shows another example of a hazard: one that takes more to mend, or that is none of the harmless ones. */
  exemplify(hazard: Hazard, { text, ...facts }: HazardExample, isHarmful = false): void {
    Object.assign(hazard, { example: text, ...facts, ...(isHarmful && { harmless: undefined }) })
  }

  private hazard(
    kind: HazardKind,
    stmt: Stmt,
    other: Stmt | null,
    example: () => HazardExample,
    harmless?: () => Hazard['harmless'] | null,
  ): Hazard {
    const key = `${kind}:${this.number(stmt)}:${other ? this.number(other) : ''}`,
      known = this.found.get(key)
    if (known) return known
    const at = stmt.at,
      otherAt = other?.at,
      why = harmless?.(),
      { text, ...facts } = example()
    const hazard: Hazard = {
      kind,
      ...(at && { at }),
      ...(otherAt && { other: otherAt }),
      ...(why && { harmless: why }),
      ops: [stmt, other].flatMap(opsOf),
      message: message(kind, stmt, other),
      example: text,
      ...facts,
      count: 0,
    }
    this.found.set(key, hazard)
    return hazard
  }

  private number(s: Stmt): number {
    let n = this.numbers.get(s)
    if (n === undefined) {
      n = this.numbers.size
      this.numbers.set(s, n)
    }
    return n
  }

  list(): Hazard[] {
    return [...this.found.values()]
  }
}

const opsOf = (s: Stmt | null): Hazard['ops'] =>
  s && (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') ? [s.kind] : []

function message(kind: HazardKind, stmt: Stmt, other: Stmt | null): string {
  const what = `'${describeStmt(stmt)}'`
  switch (kind) {
    case 'out-of-bounds':
      return `${what} goes out of bounds; the access was dropped and reads gave 0`
    case 'misaligned':
      return `${what} needs an address that is a multiple of its size`
    case 'uninitialized':
      return stmt.kind === 'subgroup'
        ? `${what} reads a lane that is not active; it got its own value`
        : `${what} reads memory that nothing has written`
    case 'barrier-divergence':
      return `not all threads of the ${stmt.kind === 'barrier' ? stmt.scope : 'block'} reach this barrier`
    case 'division-by-zero':
      return `${what} divides by 0`
    case 'shift-too-far':
      return `${what} shifts by the width or more`
    case 'race':
      return other && other !== stmt
        ? `${what} and '${describeStmt(other)}' touch the same bytes from different threads with no barrier between`
        : `${what} touches the same bytes from different threads with no barrier between`
    default:
      return unreachable(kind)
  }
}
