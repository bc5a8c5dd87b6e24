// In: a kernel. Out: whether what its buffers hold can change which way it goes or where it reads. The one idea: follow
// loaded values through registers and memory; when none reaches a condition, an index or another lane's choice, counts
// are those of any contents, and nobody needs to make, copy or fill them; where one does, a hazard may be of the
// contents.
import type { Span } from '../base/index.ts'
import {
  allStatements,
  definesOf,
  isBound,
  usesOf,
  type Hazard,
  type Kernel,
  type Operand,
  type Stmt,
} from '../ir/index.ts'
import { holdsIntegers, isScalarOf, type Sized } from './launch/buffer-sizes.ts'
import type { SeenHazard } from './hazards/hazard-reports.ts'
import type { Subject } from './subject.ts'

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

/** Whether an operand follows from the contents of one buffer. */
export const follows = (kernel: Pick<Kernel, 'body' | 'resources'>, resource: string, o: Operand): boolean =>
  fromData(kernel, resource)(o)

/** Of each memory statement in program order, whether contents of bound buffers choose its address. */
export function chosenByData(kernel: Pick<Kernel, 'body' | 'resources'>): readonly boolean[] {
  const from = fromData(kernel)
  return allStatements(kernel.body).flatMap((s) => (isAccess(s) ? [from(s.address.index)] : []))
}

/**
 * Whether threads fetch their next piece of work from a counter that all blocks share: a loop ends by what an atomic in
 * it gives. Who does how much then follows from who comes first, which no run in any other order shows.
 */
export function fetchesWork({ body, resources }: Pick<Kernel, 'body' | 'resources'>): boolean {
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

/** A memory statement by what hazards say of it: its place and the resource. */
const placeKey = (at: Span | undefined, resource: string): string => `${at?.line}:${at?.column}:${resource}`

/** Accesses whose address follows from the contents of one buffer, by `placeKey`. */
function addressesFrom(kernel: Pick<Kernel, 'body' | 'resources'>, resource: string): ReadonlySet<string> {
  const from = fromData(kernel, resource)
  return new Set(
    allStatements(kernel.body).flatMap((s) =>
      isAccess(s) && from(s.address.index) ? [placeKey(s.at, s.address.resource)] : [],
    ),
  )
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

/** Hazards with the variables that nobody filled and that decide where they go, or the texture of no given size. */
export function withGuesses(
  hazards: readonly Hazard[],
  { kernel, language, measured }: Pick<Subject, 'kernel' | 'language' | 'measured'>,
  sized: readonly Sized[],
  args: readonly string[],
): readonly SeenHazard[] {
  if (!hazards.some(isOfAddresses)) return hazards
  const open = unfilled(sized, args)
    .filter((s) => isTable(s) || (language === 'cuda' && measured.has(s.binding.resource)))
    .map((s) => ({ name: s.binding.name, places: addressesFrom(kernel, s.binding.resource) }))
  return hazards.map((h): SeenHazard => {
    const texture = h.kind === 'out-of-bounds' && sized.find((s) => s.how === 'by the grid' && isOf(s, h))
    if (texture) return { ...h, unsized: texture.binding.name }
    const resource = h.resource ?? '',
      keys = [h.at, h.other].map((at) => placeKey(at, resource)),
      guessed = isOfAddresses(h) ? open.filter((o) => keys.some((k) => o.places.has(k))).map((o) => o.name) : []
    return guessed.length > 0 ? { ...h, guessed } : h
  })
}

const isOf = ({ binding }: Sized, { resource }: Hazard): boolean => binding.resource === resource

const isOfAddresses = ({ kind }: Hazard): boolean => kind === 'race' || kind === 'out-of-bounds'

/** Integers that a host writes and the kernel only reads. */
const isTable = (s: Sized): boolean =>
  (s.binding.space === 'constant' || s.binding.access === 'read') && holdsIntegers(s)

/** Variables that no flag fills, whole or in part. */
export function unfilled(sized: readonly Sized[], args: readonly string[]): readonly Sized[] {
  return sized.filter((s) => s.spec.fill === undefined && !args.some((a) => isScalarOf(s, a)))
}
