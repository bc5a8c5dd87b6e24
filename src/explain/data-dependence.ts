// In: a kernel. Out: whether what its buffers hold can change which way it goes or where it reads. The one idea: follow
// loaded values through registers and memory; when none reaches a condition, an index or another lane's choice, counts
// are those of any contents, and nobody needs to make, copy or fill them.
import { allStatements, definesOf, isBound, usesOf, type Kernel, type Operand, type Stmt } from '../ir/index.ts'

/** Whether control flow or addresses follow from the contents of bound buffers. Conservative: true when in doubt. */
export const dependsOnData = (kernel: Pick<Kernel, 'body' | 'resources'>): boolean => decides(kernel, fromData(kernel))

/** The same of the contents of one buffer. */
export const dependsOn = (kernel: Pick<Kernel, 'body' | 'resources'>, resource: string): boolean =>
  decides(kernel, fromData(kernel, resource))

function decides(kernel: Pick<Kernel, 'body'>, from: (o: Operand) => boolean): boolean {
  return allStatements(kernel.body).some(
    (s) => (s.kind === 'if' && from(s.condition)) || (isAccess(s) && from(s.address.index)),
  )
}

/** Of each memory statement in program order, whether contents of bound buffers choose its address. */
export function chosenByData(kernel: Pick<Kernel, 'body' | 'resources'>): readonly boolean[] {
  const from = fromData(kernel)
  return allStatements(kernel.body).flatMap((s) => (isAccess(s) ? [from(s.address.index)] : []))
}

const isAccess = (s: Stmt): s is Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }> =>
  s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic'

/** Which operands hold what came from bound buffers, or from those of them that `wanted` names. */
function fromData(kernel: Pick<Kernel, 'body' | 'resources'>, wanted?: string): (o: Operand) => boolean {
  const statements = allStatements(kernel.body)
  const tainted = new Set<number>()
  /** Shared and local memory that holds loaded values. */
  const memory = new Set(kernel.resources.filter((r) => isBound(r) && (wanted ?? r.name) === r.name).map((r) => r.name))
  const from = (o: Operand): boolean => o.kind === 'reg' && tainted.has(o.id)
  for (let grew = true; grew; ) {
    grew = false
    for (const s of statements) {
      const reads = (s.kind === 'load' || s.kind === 'atomic') && memory.has(s.address.resource)
      if ((s.kind === 'store' || s.kind === 'atomic') && !memory.has(s.address.resource) && usesOf(s).some(from)) {
        memory.add(s.address.resource)
        grew = true
      }
      if (!reads && !usesOf(s).some(from)) continue
      for (const r of definesOf(s))
        if (!tainted.has(r.id)) {
          tainted.add(r.id)
          grew = true
        }
    }
  }
  return from
}
