// In: a kernel. Out: the same with a place before each division of integers that is reached where the divisor is 0, and
// before each shift of CUDA that is reached where it shifts by the width or more; from the counts of a run, those whose
// place was reached. The one idea: an assertion is a statement under a condition, and counts say whether it ran, so
// that the simulator knows nothing of it. A shift whose value only choices use may have been moved in front of them by
// the compiler, and is left out.
import {
  allStatements,
  bytesOf,
  isFloat,
  mapUses,
  usesOf,
  verifyKernel,
  type Counters,
  type Hazard,
  type Kernel,
  type Operand,
  type Reg,
  type Stmt,
  type Verified,
} from '../../ir/index.ts'

type Op = Extract<Stmt, { kind: 'op' }>

/** A statement that a language leaves open where an operand has some values. */
export interface Assertion {
  readonly kind: 'division-by-zero' | 'shift-too-far'
  readonly of: Op
  readonly operand: Operand
  /** Bits of what is shifted; 0 of divisions. */
  readonly width: number
}

/** A kernel with its places, and what stands behind each. */
export interface Asserted {
  readonly kernel: Verified<Kernel>
  readonly places: ReadonlyMap<Stmt, Assertion>
}

/** The divisor of a division of integers that no constant divides; null of other statements. */
function divisorOf(s: Op): Operand | null {
  if ((s.op !== 'div' && s.op !== 'rem') || isFloat(s.dst.type)) return null
  const [, by] = s.args
  return by && by.kind !== 'const' ? by : null
}

/** What is asserted of the statements of a kernel, `isCuda`: of shifts, too. */
export function assertionsOf(kernel: Kernel, isCuda: boolean): ReadonlyMap<Stmt, Assertion> {
  const all = allStatements(kernel.body),
    found = new Map<Stmt, Assertion>()
  for (const s of all) {
    if (s.kind !== 'op') continue
    const by = divisorOf(s)
    if (by) found.set(s, { kind: 'division-by-zero', of: s, operand: by, width: 0 })
  }
  if (!isCuda || !all.some(isShift)) return found
  const flow = flowOf(all)
  for (const s of all) {
    const shift = isShift(s) ? shiftOf(s, flow) : null
    if (shift && isNeeded(shift.value, flow)) found.set(s, { kind: 'shift-too-far', ...shift })
  }
  return found
}

const isShift = (s: Stmt): s is Op => s.kind === 'op' && (s.op === 'shl' || s.op === 'shr')

interface Flow {
  readonly definitions: ReadonlyMap<number, readonly Op[]>
  readonly uses: ReadonlyMap<number, readonly Stmt[]>
}

function flowOf(all: readonly Stmt[]): Flow {
  const definitions = new Map<number, Op[]>(),
    uses = new Map<number, Stmt[]>()
  for (const s of all) {
    if (s.kind === 'op') definitions.set(s.dst.id, [...(definitions.get(s.dst.id) ?? []), s])
    for (const o of usesOf(s)) if (o.kind === 'reg') uses.set(o.id, [...(uses.get(o.id) ?? []), s])
  }
  return { definitions, uses }
}

/** The operation that defines an operand, where there is one alone. */
function definitionOf(o: Operand | undefined, { definitions }: Flow): Op | null {
  const list = o?.kind === 'reg' ? (definitions.get(o.id) ?? []) : []
  return list.length === 1 ? list[0]! : null
}

const isConst = (o: Operand | undefined, value: number): boolean => o?.kind === 'const' && Number(o.value) === value

interface ClampedShift {
  readonly of: Op
  readonly operand: Operand
  readonly width: number
  /** The register that has the result. */
  readonly value: Reg
}

/**
 * A shift of PTX, which clamps: select(n < width, x << n, 0), or x >> min(n, width − 1) of signed integers. Null of
 * shifts that are of no such form: those that a lowering made, whose amounts it knows.
 */
function shiftOf(of: Op, flow: Flow): ClampedShift | null {
  const { type } = of.dst
  if (type === 'bool') return null
  const width = 8 * bytesOf[type],
    amount = unconverted(of.args[1], flow),
    least = definitionOf(amount, flow)
  if (least?.op === 'min' && isConst(least.args[1], width - 1))
    return { of, operand: least.args[0]!, width, value: of.dst } // it has two
  for (const use of flow.uses.get(of.dst.id) ?? []) {
    if (use.kind !== 'op' || use.op !== 'select' || !isSame(use.args[1], of.dst)) continue
    const asked = definitionOf(use.args[0], flow)
    if (asked?.op === 'lt' && isConst(asked.args[1], width))
      return { of, operand: asked.args[0]!, width, value: use.dst } // it has two
  }
  return null
}

const isSame = (o: Operand | undefined, r: Reg): boolean => o?.kind === 'reg' && o.id === r.id

/** What an operand was before it was taken as another type. */
function unconverted(o: Operand | undefined, flow: Flow): Operand | undefined {
  const by = definitionOf(o, flow)
  return by && (by.op === 'convert' || by.op === 'bitcast' || by.op === 'copy') ? unconverted(by.args[0], flow) : o
}

/** Whether something other than a choice needs a value, or what is computed from it. */
function isNeeded(value: Reg, { uses }: Flow): boolean {
  const seen = new Set([value.id]),
    rest = [value.id]
  for (let id = rest.pop(); id !== undefined; id = rest.pop())
    for (const use of uses.get(id) ?? []) {
      if (use.kind !== 'op') return true
      if (use.op === 'select' || use.op === 'land' || use.op === 'lor' || seen.has(use.dst.id)) continue
      seen.add(use.dst.id)
      rest.push(use.dst.id)
    }
  return false
}

/** The kernel with a place before each; itself where there is nothing to assert. */
export function withAssertions(kernel: Verified<Kernel>, isCuda: boolean): Asserted {
  const assertions = assertionsOf(kernel, isCuda),
    places = new Map<Stmt, Assertion>()
  if (assertions.size === 0) return { kernel, places }
  const next = kernel.registers.length,
    isOpen: Reg = { kind: 'reg', id: next, type: 'bool', name: 'is_open' },
    reached: Reg = { kind: 'reg', id: next + 1, type: 'u32', name: 'reached' }
  const asserted = (list: readonly Stmt[]): readonly Stmt[] =>
    list.flatMap((s): readonly Stmt[] => {
      const assertion = assertions.get(s)
      if (!assertion) return [mapUses(s, (o) => o, asserted)]
      const { operand, width, kind } = assertion,
        { type } = operand,
        limit = type === 'i64' || type === 'u64' ? BigInt(width) : width,
        place: Stmt = { kind: 'op', op: 'copy', dst: reached, args: [{ kind: 'const', type: 'u32', value: 0 }] },
        op = kind === 'division-by-zero' ? 'eq' : 'ge'
      places.set(place, assertion)
      return [
        { kind: 'op', op, dst: isOpen, args: [operand, { kind: 'const', type, value: limit }] },
        { kind: 'if', condition: isOpen, then: [place], else: [] },
        s,
      ]
    })
  const raw = { ...kernel, registers: [...kernel.registers, isOpen, reached], body: asserted(kernel.body) }
  return { kernel: verifyKernel(raw), places }
}

/** Whether a hazard comes from a place. */
export const isAsserted = ({ kind }: Hazard): boolean => kind === 'division-by-zero' || kind === 'shift-too-far'

/** Places that a run reached; `isDefined`: the language says what comes. `isWhole`: it counts the whole launch. */
export function reachedAssertions(
  { places }: Asserted,
  counters: Counters,
  isDefined: boolean,
  isWhole = false,
): readonly Hazard[] {
  return counters.executions.flatMap(({ statements, lanes }) =>
    lanes === 0
      ? []
      : statements.flatMap((s): readonly Hazard[] => {
          const assertion = places.get(s)
          if (!assertion) return []
          const { kind, of, width } = assertion
          return [
            {
              kind,
              ...(of.at && { at: of.at }),
              ...(isDefined && { harmless: 'defined' }),
              ops: [],
              message: kind === 'division-by-zero' ? 'the divisor is 0' : `shifted by ${width} bits or more`,
              example: isWhole
                ? 'in the whole launch, all threads of which are counted'
                : 'in the blocks that were looked at',
              count: lanes,
            },
          ]
        }),
  )
}
