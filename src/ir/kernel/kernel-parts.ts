// What one KernelIR statement reads, assigns and contains. The one place that lists these for every kind, for all who
// walk kernels: emitters, the simulator, the tidying of front ends, the register estimate.
import type { Address, Kernel, Matrix, MatrixStep, Operand, Reg, Resource, Stmt } from './kernel.ts'
import { bytesOf } from '../types.ts'

/** Walks over kernels ask of every statement: what has none shares one list. */
const none: readonly never[] = []

/** Operands that a statement itself reads (not those of nested statements). */
export function usesOf(s: Stmt): readonly Operand[] {
  switch (s.kind) {
    case 'op':
    case 'subgroup':
      return s.args
    case 'load':
      return [s.address.index]
    case 'store':
      return [s.address.index, ...s.src]
    case 'atomic':
      return [s.address.index, ...s.args]
    case 'if':
      return [s.condition]
    case 'matrix': {
      const address = placeOf(s.step)
      return address ? [address.index] : none
    }
    case 'builtin':
    case 'barrier':
    case 'loop':
    case 'break':
    case 'continue':
    case 'return':
      return none
  }
}

/** Registers that a statement itself assigns. */
export function definesOf(s: Stmt): readonly Reg[] {
  switch (s.kind) {
    case 'op':
    case 'builtin':
    case 'subgroup':
      return [s.dst]
    case 'load':
      return s.dst
    case 'atomic':
      return s.dst ? [s.dst] : none
    case 'store':
    case 'matrix':
    case 'barrier':
    case 'if':
    case 'loop':
    case 'break':
    case 'continue':
    case 'return':
      return none
  }
}

/** Registers that one statement alone assigns, each with that statement. */
export function definedOnce(body: readonly Stmt[]): ReadonlyMap<number, Stmt> {
  const once = new Map<number, Stmt>(),
    again = new Set<number>()
  for (const s of allStatements(body))
    for (const r of definesOf(s)) {
      if (once.has(r.id)) again.add(r.id)
      once.set(r.id, s)
    }
  for (const id of again) once.delete(id)
  return once
}

/** The statement with every operand and inner list mapped. */
export function mapUses(s: Stmt, f: (o: Operand) => Operand, inner: (list: readonly Stmt[]) => readonly Stmt[]): Stmt {
  switch (s.kind) {
    case 'op':
    case 'subgroup':
      return { ...s, args: s.args.map(f) }
    case 'load':
      return { ...s, address: { ...s.address, index: f(s.address.index) } }
    case 'store':
      return { ...s, address: { ...s.address, index: f(s.address.index) }, src: s.src.map(f) }
    case 'atomic':
      return { ...s, address: { ...s.address, index: f(s.address.index) }, args: s.args.map(f) }
    case 'matrix':
      return {
        ...s,
        step: mapStep(
          s.step,
          (m) => m,
          (a) => ({ ...a, index: f(a.index) }),
        ),
        means: inner(s.means),
      }
    case 'if':
      return { ...s, condition: f(s.condition), then: inner(s.then), else: inner(s.else) }
    case 'loop':
      return { ...s, body: inner(s.body), continuing: inner(s.continuing) }
    case 'builtin':
    case 'barrier':
    case 'break':
    case 'continue':
    case 'return':
      return s
  }
}

/** The statement with every register that it assigns itself mapped. */
export function mapDefines(s: Stmt, f: (r: Reg) => Reg): Stmt {
  switch (s.kind) {
    case 'op':
    case 'builtin':
    case 'subgroup':
      return { ...s, dst: f(s.dst) }
    case 'load':
      return { ...s, dst: s.dst.map(f) }
    case 'atomic':
      return { ...s, dst: s.dst && f(s.dst) }
    case 'store':
    case 'matrix':
    case 'barrier':
    case 'if':
    case 'loop':
    case 'break':
    case 'continue':
    case 'return':
      return s
  }
}

/** Statement lists directly inside a statement. */
export function listsOf(s: Stmt): readonly (readonly Stmt[])[] {
  if (s.kind === 'if') return [s.then, s.else]
  return s.kind === 'loop' ? [s.body, s.continuing] : s.kind === 'matrix' ? [s.means] : none
}

/** Where a step on matrices touches memory. */
export const placeOf = (step: MatrixStep): Address | null => ('address' in step ? step.address : null)

/** The step with its matrices and its place in memory mapped. */
export function mapStep(step: MatrixStep, matrix: (m: Matrix) => Matrix, address: (a: Address) => Address): MatrixStep {
  switch (step.op) {
    case 'clear':
      return { ...step, sum: matrix(step.sum) }
    case 'load':
      return { ...step, dst: matrix(step.dst), address: address(step.address) }
    case 'store':
      return { ...step, src: matrix(step.src), address: address(step.address) }
    case 'multiply':
      return { ...step, left: matrix(step.left), right: matrix(step.right), sum: matrix(step.sum) }
  }
}

const hasSteps = (list: readonly Stmt[]): boolean => list.some((s) => s.kind === 'matrix' || listsOf(s).some(hasSteps))

const without = new WeakMap<Kernel, Kernel>()

/** The kernel with what its steps on matrices mean in their place: for all that know single lanes only. */
export function plainKernel<K extends Kernel>(kernel: K): K {
  const known = without.get(kernel) ?? (hasSteps(kernel.body) ? { ...kernel, body: plainList(kernel.body) } : kernel)
  without.set(kernel, known)
  return known as K // statements have other statements in their place, and nothing else differs
}

const plainList = (list: readonly Stmt[]): readonly Stmt[] =>
  list.flatMap((s) => (s.kind === 'matrix' ? plainList(s.means) : [mapUses(s, (o) => o, plainList)]))

/** The kernel without what its steps on matrices mean: for printing where a target has them. */
export const hollowKernel = <K extends Kernel>(kernel: K): K =>
  hasSteps(kernel.body) ? { ...kernel, body: hollowList(kernel.body) } : kernel

const hollowList = (list: readonly Stmt[]): readonly Stmt[] =>
  list.map((s) =>
    s.kind === 'matrix'
      ? { ...s, means: [] }
      : s.kind === 'if' || s.kind === 'loop'
        ? mapUses(s, (o) => o, hollowList)
        : s,
  )

/** All statements of a list and inside them, in program order. */
export function allStatements(list: readonly Stmt[], into: Stmt[] = []): Stmt[] {
  for (const s of list) {
    into.push(s)
    if (s.kind === 'if' || s.kind === 'loop' || s.kind === 'matrix')
      for (const inner of listsOf(s)) allStatements(inner, into)
  }
  return into
}

/** Resources that statements of a list, or inside them, store to. */
export const writtenIn = (list: readonly Stmt[]): ReadonlySet<string> =>
  new Set(allStatements(list).flatMap((s) => (s.kind === 'store' || s.kind === 'atomic' ? [s.address.resource] : [])))

/** How many of the statements assign each register, by its number; 0 of those that are absent. */
export function timesDefined(statements: readonly Stmt[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  for (const s of statements) for (const { id } of definesOf(s)) times.set(id, (times.get(id) ?? 0) + 1)
  return times
}

/** Whether accesses go through L1 and L2: textures are taken as buffers. */
export const isCached = (r: Pick<Resource, 'space'>): boolean => r.space === 'global' || r.space === 'texture'

/** Whether the memory of a resource comes with the launch. */
export const isBound = (r: Pick<Resource, 'space'>): boolean =>
  r.space === 'global' || r.space === 'constant' || r.space === 'texture'

/** Bytes of shared memory that one block of the kernel declares. */
export const sharedBytesOf = (kernel: Pick<Kernel, 'resources'>): number =>
  kernel.resources.reduce((n, r) => n + (r.space === 'shared' ? (r.count ?? 0) * bytesOf[r.type] : 0), 0)

const meeting = new WeakMap<readonly Stmt[], boolean>()

/** Whether the blocks of the kernel meet: a launch then needs all of them on the device at once. */
export function meetsGrid({ body }: Pick<Kernel, 'body'>): boolean {
  const known = meeting.get(body) ?? allStatements(body).some((s) => s.kind === 'barrier' && s.scope === 'grid')
  meeting.set(body, known)
  return known
}

/**
 * Bytes of shared memory that a CUDA kernel may declare (CUDA programming guide, compute capabilities); more is asked
 * for at launch.
 */
const mostDeclared = 49152

/** Where shared arrays lie in memory that is asked for at launch: bytes by name, and of all. */
export interface SharedPlaces {
  readonly offsets: ReadonlyMap<string, number>
  readonly bytes: number
}

/**
 * Places of a kernel's shared arrays, each at a multiple of 16 bytes, when they are more than a CUDA kernel may
 * declare; else null.
 */
export function sharedPlaces(kernel: Pick<Kernel, 'resources'>): SharedPlaces | null {
  if (sharedBytesOf(kernel) <= mostDeclared) return null
  const offsets = new Map<string, number>()
  let bytes = 0
  for (const r of kernel.resources) {
    if (r.space !== 'shared') continue
    offsets.set(r.name, bytes)
    bytes += Math.ceil(((r.count ?? 0) * bytesOf[r.type]) / 16) * 16
  }
  return { offsets, bytes }
}
