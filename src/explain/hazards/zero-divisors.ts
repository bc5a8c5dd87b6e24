// In: a kernel. Out: the same with a place before each division of integers that is reached where the divisor is 0;
// from the counts of a run, the divisions whose place was reached. The one idea: an assertion is a statement under a
// condition, and counts say whether it ran, so that the simulator knows nothing of it.
import {
  allStatements,
  isFloat,
  mapUses,
  verifyKernel,
  type Counters,
  type Hazard,
  type Kernel,
  type Operand,
  type Reg,
  type Stmt,
  type Verified,
} from '../../ir/index.ts'

type Division = Extract<Stmt, { kind: 'op' }>

/** A kernel with its places, and the division behind each. */
export interface Asserted {
  readonly kernel: Verified<Kernel>
  readonly divisions: ReadonlyMap<Stmt, Division>
}

/** The divisor of a division of integers that no constant divides; null of other statements. */
export function divisorOf(s: Stmt): Operand | null {
  if (s.kind !== 'op' || (s.op !== 'div' && s.op !== 'rem') || isFloat(s.dst.type)) return null
  const [, by] = s.args
  return by && by.kind !== 'const' ? by : null
}

/** The kernel with a place before each division; itself where it divides by constants alone. */
export function withAssertions(kernel: Verified<Kernel>): Asserted {
  const divisions = new Map<Stmt, Division>()
  if (!allStatements(kernel.body).some((s) => divisorOf(s))) return { kernel, divisions }
  const next = kernel.registers.length,
    isZero: Reg = { kind: 'reg', id: next, type: 'bool', name: 'is_zero' },
    reached: Reg = { kind: 'reg', id: next + 1, type: 'u32', name: 'reached' }
  const asserted = (list: readonly Stmt[]): readonly Stmt[] =>
    list.flatMap((s): readonly Stmt[] => {
      const by = divisorOf(s)
      if (!by || s.kind !== 'op') return [mapUses(s, (o) => o, asserted)]
      const zero = by.type === 'i64' || by.type === 'u64' ? 0n : 0,
        place: Stmt = { kind: 'op', op: 'copy', dst: reached, args: [{ kind: 'const', type: 'u32', value: 0 }] }
      divisions.set(place, s)
      return [
        { kind: 'op', op: 'eq', dst: isZero, args: [by, { kind: 'const', type: by.type, value: zero }] },
        { kind: 'if', condition: isZero, then: [place], else: [] },
        s,
      ]
    })
  const raw = { ...kernel, registers: [...kernel.registers, isZero, reached], body: asserted(kernel.body) }
  return { kernel: verifyKernel(raw), divisions }
}

/** Divisions by 0 of a run; `isDefined`: the language says what they give. `isWhole`: it counts the whole launch. */
export function zeroDivisions(
  { divisions }: Asserted,
  counters: Counters,
  isDefined: boolean,
  isWhole = false,
): readonly Hazard[] {
  return counters.executions.flatMap(({ statements, lanes }) =>
    lanes === 0
      ? []
      : statements.flatMap((s): readonly Hazard[] => {
          const division = divisions.get(s)
          if (!division) return []
          return [
            {
              kind: 'division-by-zero',
              ...(division.at && { at: division.at }),
              ...(isDefined && { harmless: 'defined' }),
              ops: [],
              message: 'the divisor is 0',
              example: isWhole
                ? 'in the whole launch, all threads of which are counted'
                : 'in the blocks that were looked at',
              count: lanes,
            },
          ]
        }),
  )
}
