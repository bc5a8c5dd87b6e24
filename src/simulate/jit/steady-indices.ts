// In: a loop of a warp. Out: which indices it changes by the same amount in all lanes, and code for them. The one idea:
// strength reduction (Allen, Cocke and Kennedy): such an index is a vector that the loop leaves as it is plus a number
// of the whole warp, so the vector is computed once before the loop, and each round adds to the number alone. Requests
// at such indices have one shape for the whole loop (`family` in `layout.ts`). Only what nobody but addresses of
// counted requests wants is treated so, and only 32 bits, whose sums and products wrap alike.
import { definesOf, listsOf, usesOf, type Operand, type Reg, type ScalarType, type Stmt } from '../../ir/index.ts'
import type { JitContext } from './context.ts'
import { pushScalar, type Pure, type WarpRegion, type SteadyVector } from './region.ts'
import { isWide, scalarOp } from './scalar.ts'

type Loop = Extract<Stmt, { kind: 'loop' }>
type Access = Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }>

const isAccess = (s: Stmt): s is Access => s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic'
const isPure = (s: Stmt): s is Pure => s.kind === 'op' || s.kind === 'builtin'
const argsOf = (s: Pure): readonly Operand[] => (s.kind === 'op' ? s.args : [])
const isNarrow = (type: ScalarType): boolean => type === 'i32' || type === 'u32'

type Sliced = Pick<JitContext, 'slice'>

/** Whether any of the registers has to be computed. */
export const isWanted = ({ slice }: Sliced, registers: readonly Reg[]): boolean =>
  slice === null || registers.some((d) => slice.registers.has(d.id))

/** Whether what the array or buffer holds has to be right. */
export const isHeld = ({ slice }: Sliced, resource: string): boolean => slice === null || slice.arrays.has(resource)

/** Whether nobody wants what an access moves: it is counted alone. */
export const isRequestOnly = (c: Sliced, s: Access): boolean =>
  !isWanted(c, definesOf(s)) && (s.kind === 'load' || !isHeld(c, s.address.resource))

/** Statements of a loop without those of loops inside. */
function ownStatements(list: readonly Stmt[]): readonly Stmt[] {
  return list.flatMap((s) => [s, ...(s.kind === 'loop' ? [] : listsOf(s).flatMap(ownStatements))])
}

/** Registers that statements of any depth set. */
function definedIn(list: readonly Stmt[], found = new Set<number>()): Set<number> {
  for (const s of list) {
    for (const d of definesOf(s)) found.add(d.id)
    for (const inner of listsOf(s)) definedIn(inner, found)
  }
  return found
}

/** Operands that compiled code reads: none of statements whose results nobody wants. */
function readBy(c: Sliced, s: Stmt): readonly Operand[] {
  if (isPure(s)) return isWanted(c, [s.dst]) ? argsOf(s) : []
  return isAccess(s) && isRequestOnly(c, s) ? [s.address.index] : usesOf(s)
}

/** How often compiled code reads each register. */
export function readCounts(c: Pick<JitContext, 'kernel' | 'slice'>): readonly number[] {
  const counts = c.kernel.registers.map(() => 0)
  const visit = (list: readonly Stmt[]): void => {
    for (const s of list) {
      for (const u of readBy(c, s)) if (u.kind === 'reg') counts[u.id]!++ // ids are dense
      for (const inner of listsOf(s)) visit(inner)
    }
  }
  visit(c.kernel.body)
  return counts
}

/** Operations that add the same to all lanes, in order, and the registers that their loop sets. */
interface Plan {
  readonly ops: readonly Pure[]
  readonly defined: ReadonlySet<number>
}

function planOf(c: JitContext, loop: Loop): Plan {
  const list = [...loop.body, ...loop.continuing],
    own = ownStatements(list),
    defined = definedIn(list)
  const isUniform = (x: Operand): boolean => x.kind !== 'reg' || c.facts.uniform[x.id]! // ids are dense
  const stands = (x: Operand): boolean => x.kind !== 'reg' || !defined.has(x.id)
  const steady = new Map<number, Pure>()
  for (const s of own.filter(isPure)) {
    const isIndex = isNarrow(s.dst.type) && !c.facts.uniform[s.dst.id] && c.facts.single[s.dst.id]
    if (isIndex && !c.decisions?.has(s) && argsOf(s).every((a) => !isWide(a.type))) steady.set(s.dst.id, s)
  }
  const read = new Map<number, number>()
  const note = (s: Stmt, by: 1 | -1): void => {
    for (const u of readBy(c, s)) if (u.kind === 'reg') read.set(u.id, (read.get(u.id) ?? 0) + by)
  }
  for (const s of own) if (isAccess(s) && isRequestOnly(c, s)) note(s, 1)
  for (const s of steady.values()) note(s, 1)
  const isSteady = (x: Operand): boolean => stands(x) || isUniform(x) || (x.kind === 'reg' && steady.has(x.id))
  for (let before = -1; before !== steady.size; ) {
    before = steady.size
    for (const [id, s] of steady) {
      if (read.get(id) === c.reads[id] && argsOf(s).every(isSteady) && addsAlike(s, stands, isUniform)) continue
      steady.delete(id)
      note(s, -1)
    }
  }
  return { ops: own.filter(isPure).filter((s) => steady.get(s.dst.id) === s), defined }
}

type Test = (x: Operand) => boolean

/** Whether the loop changes the result by one number for all lanes when it changes the arguments so. */
function addsAlike(s: Pure, stands: Test, isUniform: Test): boolean {
  const args = argsOf(s)
  if (s.kind === 'builtin' || args.every(stands)) return true
  switch (s.op) {
    case 'add':
    case 'sub':
    case 'copy':
      return true
    case 'bitcast':
      return args.every((a) => isNarrow(a.type))
    case 'mul':
      return args.some((a) => stands(a) && isUniform(a))
    case 'shl':
      return args.slice(1).every((a) => stands(a) && isUniform(a))
    default:
      return false
  }
}

/** The vectors of steady registers: the operations with what the loop changes as 0. */
function fixedPart({ ops, defined }: Plan): readonly Pure[] {
  const steady = new Set(ops.map((s) => s.dst.id))
  const fixed = (x: Operand): Operand =>
    x.kind === 'reg' && defined.has(x.id) && !steady.has(x.id) ? { kind: 'const', type: x.type, value: 0 } : x
  return ops.map((s) => (s.kind === 'op' ? { ...s, args: s.args.map(fixed) } : s))
}

/**
 * Begins a loop: its steady registers are in `r.steady` until the returned function is called. `emit` writes a run of
 * operations before the loop.
 */
export function openSteady(r: WarpRegion, loop: Loop, emit: (ops: readonly Pure[]) => void): () => void {
  const { f, c } = r
  if (c.slice === null || c.observing) return () => {}
  const plan = planOf(c, loop)
  if (plan.ops.length === 0) return () => {}
  emit(fixedPart(plan))
  const owned: number[] = []
  const zero = (): number => {
    const local = f.local('i32')
    owned.push(local)
    f.i32(0).set(local)
    return local
  }
  const moves = (x: Operand): boolean => {
    if (x.kind !== 'reg' || !plan.defined.has(x.id)) return false
    const known = r.steady.get(x.id)
    return known ? known.shift !== null : true
  }
  for (const s of plan.ops) {
    const moving = argsOf(s).map(moves)
    r.steady.set(s.dst.id, { moving, shift: moving.includes(true) ? zero() : null })
  }
  for (const s of ownStatements([...loop.body, ...loop.continuing]))
    if (isAccess(s) && steadyIndex(r, s)) r.families.set(s, zero())
  return () => {
    for (const s of plan.ops) r.steady.delete(s.dst.id)
    for (const local of owned) f.release('i32', local)
  }
}

/** What an access's index is in the loop under way, where that leaves its vector as it is. */
export function steadyIndex(r: WarpRegion, { address: { index } }: Access): SteadyVector | undefined {
  return index.kind === 'reg' ? r.steady.get(index.id) : undefined
}

/** Computes what a steady register has more than its vector this time. */
export function emitShift(r: WarpRegion, s: Pure, { shift, moving }: SteadyVector): void {
  const { f, c } = r
  if (shift === null || s.kind === 'builtin') return
  const factor = s.op === 'mul' || s.op === 'shl'
  const owned: number[] = []
  const locals = s.args.map((a, i) => {
    const known = a.kind === 'reg' ? r.steady.get(a.id) : undefined
    if (known?.shift != null) return known.shift
    const local = f.local('i32')
    owned.push(local)
    if (moving[i] || factor) pushScalar(r, a)
    else f.i32(0)
    f.set(local)
    return local
  })
  scalarOp(f, c.math, s.op, s.args[0]!.type, s.dst.type, locals) // an operation has an argument
  f.set(shift)
  for (const local of owned) f.release('i32', local)
}
