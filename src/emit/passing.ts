// In: a kernel. Out: the global arrays through which threads communicate across barriers; they must not be declared
// `__restrict__`. The one idea: look for a write before a barrier and an access after it; in a loop each access comes
// both before and after each other.
import { listsOf, type Kernel, type Stmt } from '../ir/index.ts'

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
