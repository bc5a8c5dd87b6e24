// In: a kernel. Out: the global arrays that must not be declared `__restrict__` in CUDA: those through which threads
// communicate across barriers (a write before one and an access after it; in a loop each access comes both before and
// after each other), and those whose loads a compiler may merge with loads of an array that the kernel writes.
import {
  bytesOf,
  writtenIn,
  allStatements,
  definesOf,
  listsOf,
  timesDefined,
  usesOf,
  type Kernel,
  type Operand,
  type Stmt,
} from '../ir/index.ts'

interface Span {
  from: number
  to: number
}
interface Touch {
  readonly resource: string
  readonly order: number
  readonly writes: boolean
  readonly reads: boolean
}

/**
 * Global resources of which some barrier has a write that may run before it and a read that may run after: what threads
 * pass to each other.
 */
export const passedResources = (kernel: Kernel): ReadonlySet<string> =>
  across(kernel, (first, then) => first.writes && then.reads)

/**
 * Global resources of which some barrier has a write on one side and a read on the other: what threads pass to each
 * other, or change when all have read it.
 */
export const changedAcross = (kernel: Kernel): ReadonlySet<string> =>
  across(kernel, (first, then) => (first.writes && then.reads) || (first.reads && then.writes))

/**
 * Global resources with an access that may run before some barrier and one that may run after it, of which `matters`
 * says so.
 */
function across(kernel: Kernel, matters: (first: Touch, then: Touch) => boolean): ReadonlySet<string> {
  const global = new Set(kernel.resources.filter((r) => r.space === 'global').map((r) => r.name))
  const touches: Touch[] = [],
    barriers: Span[] = []
  orderOf(kernel.body, null, touches, barriers)
  const touched = touches.filter((t) => global.has(t.resource))
  const passes = (resource: string): boolean => {
    const own = touched.filter((t) => t.resource === resource)
    return barriers.some((b) =>
      own.some((first) => first.order < b.to && own.some((then) => then.order > b.from && matters(first, then))),
    )
  }
  return new Set([...global].filter(passes))
}

/**
 * Notes accesses in order, and for each barrier the span from which on things may run after it, and until which before:
 * its outermost loop, or itself.
 */
function orderOf(list: readonly Stmt[], loop: Span | null, touches: Touch[], barriers: Span[]): void {
  for (const s of list) {
    const order = touches.length
    if (s.kind === 'barrier') barriers.push(loop ?? { from: order - 0.5, to: order - 0.5 })
    if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') {
      touches.push({ resource: s.address.resource, order, writes: s.kind !== 'load', reads: s.kind !== 'store' })
    }
    const own: Span | null = s.kind === 'loop' && !loop ? { from: order - 0.5, to: Infinity } : loop
    for (const nested of listsOf(s)) orderOf(nested, own, touches, barriers)
    if (own && own !== loop) own.to = touches.length - 0.5
  }
}

/**
 * Global arrays that the kernel only reads, and of which a value stands on one side of a choice (both branches of an
 * `if`, or a `select`) with a value of an array of elements as wide that it writes on the other side. nvcc 13.0 makes
 * one load of a chosen pointer of the two, whatever numbers they have, and takes the read-only path, whose cache does
 * not see the kernel's writes, as soon as one of them is restricted and never written (`ld.global.nc` in the PTX).
 * Arrays reach a value through any chain of operations, in whatever order: the compiler sinks these behind the choice,
 * too.
 */
export function mergedWithWritten(kernel: Kernel): ReadonlySet<string> {
  const widths = new Map(kernel.resources.filter((r) => r.space === 'global').map((r) => [r.name, bytesOf[r.type]]))
  const written = writtenIn(kernel.body)
  const sources = sourcesOf(kernel.body)
  const merged = new Set<string>()
  const meet = (a: ReadonlySet<string>, b: ReadonlySet<string>): void => {
    for (const x of a) {
      if (written.has(x) || !widths.has(x)) continue
      for (const y of b) if (written.has(y) && widths.get(y) === widths.get(x)) merged.add(x)
    }
  }
  const choose = (a: ReadonlySet<string>, b: ReadonlySet<string>): void => {
    meet(a, b)
    meet(b, a)
  }
  const walk = (list: readonly Stmt[]): void => {
    for (const s of list) {
      if (s.kind === 'op' && s.op === 'select') choose(sources.of(s.args.slice(1, 2)), sources.of(s.args.slice(2)))
      if (s.kind === 'if') choose(sources.through(s.then, s.else), sources.through(s.else, s.then))
      listsOf(s).forEach(walk)
    }
  }
  walk(kernel.body)
  return merged
}

/** Which resources' values go into registers. */
interface Sources {
  /** Those of any of the operands. */
  readonly of: (operands: readonly Operand[]) => ReadonlySet<string>
  /** Those of all that `branch` loads or uses, and of what registers keep there that `other` sets and it does not. */
  readonly through: (branch: readonly Stmt[], other: readonly Stmt[]) => ReadonlySet<string>
}

function sourcesOf(body: readonly Stmt[]): Sources {
  const found = new Map<number, Set<string>>()
  const of = (operands: readonly Operand[]): ReadonlySet<string> =>
    new Set(operands.flatMap((x) => (x.kind === 'reg' ? [...(found.get(x.id) ?? [])] : [])))
  let isChanged = true
  const spread = (list: readonly Stmt[]): void => {
    for (const s of list) {
      const given = s.kind === 'load' ? [s.address.resource] : []
      for (const dst of definesOf(s)) {
        const held = found.get(dst.id) ?? new Set<string>(),
          before = held.size
        const values = s.kind === 'op' ? of(s.args) : []
        for (const name of [...given, ...values]) held.add(name)
        found.set(dst.id, held)
        isChanged ||= held.size > before
      }
      listsOf(s).forEach(spread)
    }
  }
  while (isChanged) {
    isChanged = false
    spread(body)
  }
  const defined = timesDefined(allStatements(body))
  const through = (branch: readonly Stmt[], other: readonly Stmt[]): ReadonlySet<string> => {
    const own = allStatements(branch),
      others = allStatements(other),
      times = timesDefined(others),
      isSet = new Set(own.flatMap((s) => definesOf(s).map((r) => r.id)))
    const kept = others
      .flatMap((s) => definesOf(s))
      .filter(({ id }) => !isSet.has(id) && (defined.get(id) ?? 0) > (times.get(id) ?? 0))
    const loaded = own.flatMap((s) => (s.kind === 'load' ? [s.address.resource] : []))
    return new Set([...loaded, ...of([...own.flatMap((s) => usesOf(s)), ...kept])])
  }
  return { of, through }
}
