// In: a kernel. Out: the statements whose outcome a block's index can change and that control flow or addresses depend
// on. The one idea: a forward slice from the block indices meets a backward slice from conditions and addresses
// (Weiser's program slicing); only what lies in both has to be watched. Flow-insensitive, so it errs towards watching.
import {
  allStatements,
  definesOf,
  isFloat,
  usesOf,
  type Kernel,
  type Operand,
  type ScalarType,
  type Stmt,
} from '../../ir/index.ts'
import { maybeUnassigned } from './assignment.ts'

/**
 * How an outcome is decided by integers: `less` a < b; `equal` a = b; `sign` whether a is negative; `choice` which side
 * a `select` took.
 */
export type DecisionKind = 'less' | 'equal' | 'sign' | 'choice'

/** A statement whose outcome may differ between blocks. */
export interface Decision {
  readonly index: number
  readonly kind: DecisionKind
  /** Argument positions of a and b. */
  readonly sides: readonly [number, number]
  /** Type of the arguments. */
  readonly type: ScalarType
}

export interface Slice {
  readonly decisions: ReadonlyMap<Stmt, Decision>
  /** Registers that reach a condition or an address. */
  readonly deciding: ReadonlySet<number>
  /** Shared and local arrays that do. */
  readonly arrays: ReadonlySet<string>
  /** Deciding registers that may be read before they are written: they hold 0 there. */
  readonly unassigned: ReadonlySet<number>
  /** The conditions, the accesses and what they follow from, in program order: all that tells blocks apart. */
  readonly statements: readonly Stmt[]
}

/** What counts follow from: all that has to be computed where nobody wants what a kernel writes. */
export interface AddressSlice {
  /** Registers that reach a condition, an address, or the lane that another is read from. */
  readonly registers: ReadonlySet<number>
  /** Arrays and buffers whose contents do. */
  readonly arrays: ReadonlySet<string>
}

const addressSlices = new WeakMap<Kernel, AddressSlice>()

/** The backward slice of a kernel's conditions and addresses (Weiser), worked out once. */
export function addressSliceOf(kernel: Kernel): AddressSlice {
  const found =
    addressSlices.get(kernel) ??
    backward(allStatements(kernel.body), new Set(kernel.resources.map((r) => r.name)), lanesOf)
  addressSlices.set(kernel, found)
  return found
}

/** What chooses the lane of a shuffle: whether that is active is a hazard. */
const lanesOf = (s: Stmt): readonly Operand[] => (s.kind === 'subgroup' ? s.args.slice(1) : [])

const known = new WeakMap<Kernel, Slice>()

/** The slice of a kernel, worked out once. */
export function sliceOf(kernel: Kernel): Slice {
  const found = known.get(kernel) ?? slice(kernel)
  known.set(kernel, found)
  return found
}

function slice(kernel: Kernel): Slice {
  const statements = allStatements(kernel.body)
  const owned = new Set(kernel.resources.filter((r) => r.space === 'shared' || r.space === 'local').map((r) => r.name))
  const { registers: deciding, arrays } = backward(statements, owned)
  const moving = forward(statements, owned)
  const decisions = new Map<Stmt, Decision>()
  for (const s of statements) {
    if (s.kind !== 'op' || !deciding.has(s.dst.id)) continue
    const found = decisionOf(s)
    if (found && s.args.some((a) => a.kind === 'reg' && moving.has(a.id)))
      decisions.set(s, { index: decisions.size, ...found })
  }
  const tells = (s: Stmt): boolean =>
    s.kind === 'if' || touches(s) !== null || definesOf(s).some((r) => deciding.has(r.id))
  return {
    decisions,
    deciding,
    arrays,
    unassigned: maybeUnassigned(kernel, deciding),
    statements: statements.filter(tells),
  }
}

const touches = (s: Stmt): string | null =>
  s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic' ? s.address.resource : null

/** What conditions, addresses and the lanes that others read from are made of. */
function backward(
  statements: readonly Stmt[],
  owned: ReadonlySet<string>,
  more?: (s: Stmt) => readonly Operand[],
): { registers: ReadonlySet<number>; arrays: ReadonlySet<string> } {
  const registers = new Set<number>(),
    arrays = new Set<string>()
  const need = (o: Operand): void => {
    if (o.kind === 'reg') registers.add(o.id)
  }
  for (const s of statements) {
    if (more) more(s).forEach(need)
    if (s.kind === 'if') need(s.condition)
    if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') need(s.address.index)
  }
  for (let before = -1; before !== registers.size + arrays.size; ) {
    before = registers.size + arrays.size
    // from the last one: what a statement needs is mostly set before it
    for (let i = statements.length - 1; i >= 0; i--) {
      const s = statements[i]!,
        array = touches(s)
      const gives = definesOf(s).some((r) => registers.has(r.id))
      if (gives && array !== null && owned.has(array)) arrays.add(array)
      if (gives || (array !== null && arrays.has(array))) usesOf(s).forEach(need)
    }
  }
  return { registers, arrays }
}

/** Registers that may hold what depends on the block. What comes from bound buffers is not followed. */
function forward(statements: readonly Stmt[], owned: ReadonlySet<string>): ReadonlySet<number> {
  const registers = new Set<number>(),
    arrays = new Set<string>()
  const moves = (o: Operand): boolean => o.kind === 'reg' && registers.has(o.id)
  for (let before = -1; before !== registers.size + arrays.size; ) {
    before = registers.size + arrays.size
    for (const s of statements) {
      const array = touches(s)
      const isBlock = s.kind === 'builtin' && s.name.startsWith('blockIdx')
      const carries = usesOf(s).some(moves) || (array !== null && arrays.has(array))
      if (!isBlock && !carries) continue
      if (array !== null && owned.has(array) && s.kind !== 'load') arrays.add(array)
      for (const r of definesOf(s)) registers.add(r.id)
    }
  }
  return registers
}

/** What of an operation depends on more than differences between its arguments. */
function decisionOf(s: Extract<Stmt, { kind: 'op' }>): Omit<Decision, 'index'> | null {
  const type = s.args[s.op === 'select' ? 1 : 0]?.type ?? s.dst.type
  if (s.op === 'select') return { kind: 'choice', sides: [0, 0], type: 'bool' }
  if (isFloat(type as 'f32') || type === 'bool') return null // `isFloat` answers for bools too
  switch (s.op) {
    case 'lt':
    case 'ge':
    case 'min':
    case 'max':
      return { kind: 'less', sides: [0, 1], type }
    case 'gt':
    case 'le':
      return { kind: 'less', sides: [1, 0], type }
    case 'eq':
    case 'ne':
      return { kind: 'equal', sides: [0, 1], type }
    case 'div':
    case 'rem':
    case 'shr':
      return { kind: 'sign', sides: [0, 0], type }
    case 'convert':
      return s.dst.type === 'i64' || s.dst.type === 'u64' ? { kind: 'sign', sides: [0, 0], type } : null
    default:
      return null
  }
}
