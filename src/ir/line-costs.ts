// In: the counters of a launch, whose statements and memory sites know their source positions. Out: the same counts
// summed by source line, for one file. Statements without a position are left out.
import type { Counters, SiteCounters } from './launch.ts'
import type { Stmt } from './kernel/kernel.ts'

/** A line of the source with anything to say; sums over the launch. */
export interface LineCost {
  readonly line: number
  /** Executed by warps, as the source says. */
  readonly instructions: number
  /** Bytes that requests to global memory move. */
  readonly moved: number
  /** Of these, bytes that nobody asked for. */
  readonly wasted: number
  /** Passes of shared memory. */
  readonly passes: number
}

/** A site as counters have it, or as a report does, where nobody may know its wavefronts. */
type CountedSite = Pick<SiteCounters, 'space' | 'movedBytes' | 'usefulBytes' | 'idealWavefronts'> & {
  readonly at?: { readonly file: string; readonly line: number } | null
  readonly wavefronts: number | null
}

export function lineCosts(
  executions: Counters['executions'],
  sites: readonly CountedSite[],
  file: string,
): readonly LineCost[] {
  const by = new Map<number, { -readonly [K in Exclude<keyof LineCost, 'line'>]: number }>()
  const at = (line: number): { -readonly [K in Exclude<keyof LineCost, 'line'>]: number } => {
    const known = by.get(line) ?? { instructions: 0, moved: 0, wasted: 0, passes: 0 }
    by.set(line, known)
    return known
  }
  for (const e of executions)
    for (const s of e.statements) if (s.at?.file === file) at(s.at.line).instructions += e.warps * countOf(s)
  for (const site of sites) {
    if (site.at?.file !== file) continue
    const line = at(site.at.line)
    if (site.space === 'global') {
      line.moved += site.movedBytes
      line.wasted += Math.max(0, site.movedBytes - site.usefulBytes)
    }
    if (site.space === 'shared') line.passes += site.wavefronts ?? site.idealWavefronts
  }
  return [...by]
    .map(([line, v]) => ({ line, ...v }))
    .filter((v) => v.instructions + v.moved + v.passes > 0)
    .sort((a, b) => a.line - b.line)
}

const countOf = (s: Stmt): number => (s.counts ? Object.values(s.counts).reduce((a, b) => a + b, 0) : s.free ? 0 : 1)
