// In: a kernel. Out: whether what its buffers hold can change which way it goes or where it reads. The one idea: follow
// loaded values through registers and memory; when none reaches a condition, an index or another lane's choice, counts
// are those of any contents, and nobody needs to make, copy or fill them; where one does, a hazard may be of the
// contents.
import {
  allStatements,
  bytesOf,
  definesOf,
  isBound,
  usesOf,
  type Kernel,
  type Operand,
  type Stmt,
} from '../ir/index.ts'

type Flow = Pick<Kernel, 'body' | 'resources'>

/** Where values come from: a buffer, or the part of it that a test knows, and parameters. */
export interface DataSource {
  readonly resource?: string
  /** Whether bytes of the buffer are of the source; of accesses whose place is not known all are. */
  readonly holds?: (from: number, to: number) => boolean
  readonly params?: ReadonlySet<string>
}

/** Whether control flow or addresses follow from the contents of bound buffers. Conservative: true when in doubt. */
export const dependsOnData = (kernel: Flow): boolean => decides(kernel, fromData(kernel))

/** Whether control flow alone does. */
export function branchesOnData(kernel: Flow): boolean {
  const from = fromData(kernel)
  return allStatements(kernel.body).some((s) => s.kind === 'if' && from(s.condition))
}

/** The same of one source. */
export const dependsOn = (kernel: Flow, source: DataSource): boolean => decides(kernel, fromData(kernel, source))

function decides(kernel: Pick<Kernel, 'body'>, from: (o: Operand) => boolean): boolean {
  return allStatements(kernel.body).some(
    (s) => (s.kind === 'if' && from(s.condition)) || (isAccess(s) && from(s.address.index)),
  )
}

/** Which operands follow from one source. */
export const followers = (kernel: Flow, source: DataSource): ((o: Operand) => boolean) => fromData(kernel, source)

/**
 * Which operands follow from one source, or are set where a condition of it decides: in its branches, and in loops that
 * it ends.
 */
export const governedBy = (kernel: Flow, source: DataSource): ((o: Operand) => boolean) =>
  fromData(kernel, source, true)

/** Statements that run as often as some conditions say: those of branches, and of loops that the branches leave. */
function governed(list: readonly Stmt[], decides: (o: Operand) => boolean): readonly Stmt[] {
  const isDecided = (s: Stmt): s is Extract<Stmt, { kind: 'if' }> => s.kind === 'if' && decides(s.condition)
  return allStatements(list).flatMap((s): readonly Stmt[] => {
    if (isDecided(s)) return allStatements([...s.then, ...s.else])
    if (s.kind !== 'loop') return []
    const inside = allStatements([s])
    return inside.some((t) => isDecided(t) && allStatements([t]).some(isExit)) ? inside : []
  })
}

const isExit = ({ kind }: Stmt): boolean => kind === 'break' || kind === 'continue'

/** Of each memory statement in program order, whether contents of bound buffers choose its address. */
export function chosenByData(kernel: Flow): readonly boolean[] {
  const from = fromData(kernel)
  return allStatements(kernel.body).flatMap((s) => (isAccess(s) ? [from(s.address.index)] : []))
}

/**
 * Whether threads fetch their next piece of work from a counter that all blocks share: a loop ends by what an atomic in
 * it gives. Who does how much then follows from who comes first, which no run in any other order shows.
 */
export function fetchesWork({ body, resources }: Flow): boolean {
  const shared = new Set(resources.filter((r) => r.space === 'global').map((r) => r.name))
  return allStatements(body).some((loop) => {
    if (loop.kind !== 'loop') return false
    const inside = allStatements([loop]),
      counted = inside.flatMap((s) =>
        s.kind === 'atomic' && s.dst && counts.has(s.op) && shared.has(s.address.resource) ? [s.dst.id] : [],
      ),
      from = fromRegisters(inside, new Set(counted))
    return counted.length > 0 && inside.some((s) => s.kind === 'if' && from(s.condition) && leaves(s))
  })
}

const counts: ReadonlySet<string> = new Set(['add', 'sub', 'increment', 'decrement'])

/** Whether a condition decides that the loop around goes on or ends. */
const leaves = (s: Extract<Stmt, { kind: 'if' }>): boolean =>
  [...s.then, ...s.else].some(({ kind }) => kind === 'break' || kind === 'continue' || kind === 'return')

/** Which operands follow through registers, and what warps exchange, from some registers, which grow by them. */
function fromRegisters(statements: readonly Stmt[], tainted: Set<number>): (o: Operand) => boolean {
  const from = (o: Operand): boolean => o.kind === 'reg' && tainted.has(o.id)
  for (let before = -1; before !== tainted.size; ) {
    before = tainted.size
    for (const s of statements) if (usesOf(s).some(from)) for (const r of definesOf(s)) tainted.add(r.id)
  }
  return from
}

/** Whether an access reads what the source holds of its buffer. */
function touches(s: Extract<Stmt, { kind: 'load' | 'atomic' }>, wanted: DataSource | undefined): boolean {
  const { resource, index, stride, offset } = s.address
  if (!wanted?.holds || wanted.resource !== resource || index.kind !== 'const') return true
  const from = Number(index.value) * stride + offset,
    count = s.kind === 'load' ? s.dst.length : 1
  return wanted.holds(from, from + count * bytesOf[s.type])
}

/** A statement that reads or writes memory. */
export const isAccess = (s: Stmt): s is Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }> =>
  s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic'

/**
 * Which operands hold what came from bound buffers, or from the one source that is wanted; with `isControl`, also what
 * is set where a condition that follows from it decides.
 */
function fromData(kernel: Flow, wanted?: DataSource, isControl = false): (o: Operand) => boolean {
  const statements = allStatements(kernel.body)
  const tainted = new Set<number>()
  /** Shared and local memory that holds loaded values. */
  const memory = new Set(
    kernel.resources.filter((r) => isBound(r) && (!wanted || wanted.resource === r.name)).map((r) => r.name),
  )
  const from = (o: Operand): boolean =>
    o.kind === 'reg' ? tainted.has(o.id) : o.kind === 'param' && wanted?.params?.has(o.name) === true
  for (let grew = true; grew; ) {
    grew = false
    const decided = new Set(isControl ? governed(kernel.body, from) : [])
    for (const s of statements) {
      const reads = (s.kind === 'load' || s.kind === 'atomic') && memory.has(s.address.resource) && touches(s, wanted)
      if (
        (s.kind === 'store' || s.kind === 'atomic') &&
        !memory.has(s.address.resource) &&
        (decided.has(s) || usesOf(s).some(from))
      ) {
        memory.add(s.address.resource)
        grew = true
      }
      if (!reads && !decided.has(s) && !usesOf(s).some(from)) continue
      for (const r of definesOf(s))
        if (!tainted.has(r.id)) {
          tainted.add(r.id)
          grew = true
        }
    }
  }
  return from
}
