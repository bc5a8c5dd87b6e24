// In: the regions of a program, and what makes one of two. Out: the same with neighbours put together, also inside of
// loops of the host.
import {
  type Program,
  nestProgram,
  type Form,
  type HostLoop,
  type Nest,
  type Other,
  type Region,
} from '../../ir/index.ts'

/**
 * From the first region on: `join` gets what stands before, itself joined perhaps, and what comes next; `undefined`
 * leaves them apart.
 */
export function joinedNeighbours(
  regions: readonly Region[],
  join: (before: Exclude<Region, HostLoop>, next: Exclude<Region, HostLoop>) => Region | undefined,
): readonly Region[] {
  const out: Region[] = []
  for (const region of regions) {
    const r = region.kind === 'host' ? { ...region, body: joinedNeighbours(region.body, join) } : region,
      last = out[out.length - 1]
    const joined = last && last.kind !== 'host' && r.kind !== 'host' ? join(last, r) : undefined
    if (joined) out[out.length - 1] = joined
    else out.push(r)
  }
  return out
}

/** The part that computes `nests`, one after the other, as one form. */
export const partOfForm = (program: Program, nests: readonly Nest[], form: Form): Other => ({
  kind: 'other',
  body: nests.flatMap((n) => nestProgram(program, n).body),
  why: '',
  parallel: 0,
  form,
})
