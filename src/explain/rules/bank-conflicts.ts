// Shared memory: passes beyond those needed. In: a setting. Out: findings, one per array and distance. The one idea:
// regular distances are bank conflicts, which padding or another order removes; addresses that data choose are not.
import type { SourceAccess } from '../accesses.ts'
import type { Finding } from '../types.ts'
import { gain, listed, quote, round, sitesIn, typed, verb, withSites, type Setting } from '../what-if.ts'

export function conflictFindings(s: Setting): Finding[] {
  const bad = s.list.filter(
    (a) => a.json.space === 'shared' && a.json.requests > 0 && passes(a) > 1.1 * a.json.idealWavefronts,
  )
  const groups = new Map<string, SourceAccess[]>()
  for (const a of bad) {
    const key = [a.json.resource, a.json.pattern, a.json.stride].join()
    groups.set(key, [...(groups.get(key) ?? []), a])
  }
  const excess = (a: SourceAccess): number => passes(a) - a.json.idealWavefronts
  return [...groups.values()].flatMap((g) =>
    finding(
      s,
      [...g].sort((a, b) => excess(b) - excess(a)),
    ),
  )
}

/** As few as possible when the banks are unknown: then nothing is said. */
const passes = ({ json }: SourceAccess): number => json.wavefronts ?? json.idealWavefronts

function finding(s: Setting, group: readonly SourceAccess[]): Finding[] {
  const [first, ...others] = group
  if (!first) return []
  const { json } = first
  const kernel = gain(
    s,
    withSites(s.input, sitesIn(group), (x) => ({ wavefronts: x.idealWavefronts })),
  )
  const total = s.list.reduce((n, a) => n + (a.json.space === 'shared' ? passes(a) : 0), 0)
  const excess = group.reduce((n, a) => n + passes(a) - a.json.idealWavefronts, 0)
  if (kernel < 1.02 && excess < 0.1 * total) return []
  const bytes = Math.round(Math.abs((json.stride ?? 0) * json.bytesPerLane))
  const { words } = s
  const how = json.stride === null ? '' : ` (neighbouring ${words.threads} are ${bytes} bytes apart)`
  const also =
    others.length === 0
      ? ''
      : `; the same holds for ${listed(others.map((a) => `${verb(a)} ${quote(a)}${lineWords(a, first)}`))}`
  const message =
    `${verb(first)} ${quote(first)}: ${round(passes(first) / json.requests)} passes of ${words.shared} a ` +
    `request where ${round(json.idealWavefronts / json.requests)} would do${how}; up to ${json.worstConflict} ` +
    `${words.threads} meet on one bank${also}`
  const scattered = json.pattern === 'scattered'
  return [
    {
      rule: scattered ? 'UncoalescedSharedAccess' : 'SharedMemoryConflicts',
      at: json.at,
      ...typed(kernel, passes(first) / json.idealWavefronts),
      message,
      fix: fixOf(s, first, bytes),
    },
  ]
}

/** Whether another axis or a loop moves the address further than x does: then a row holds several such distances. */
const isInRow = ({ steps }: Setting, sites: SourceAccess['sites'], bytes: number): boolean =>
  sites.some(({ site }) => {
    const { y, z, loop, outerLoops = [] } = steps[site] ?? {}
    return [y, z, loop, ...outerLoops].some((step) => typeof step === 'number' && Math.abs(step) > bytes)
  })

const lineWords = (a: SourceAccess, first: SourceAccess): string =>
  a.json.at && a.json.at.line !== first.json.at?.line ? ` (line ${a.json.at.line})` : ''

function fixOf(s: Setting, { json, sites }: SourceAccess, bytes: number): string {
  const { words } = s
  const array = `'${json.resource}'`
  const banked = s.gpu.banks * s.gpu.bankBytes
  if (json.op === 'atomic')
    return (
      `spread the updates: several copies of ${array} that are added up at the end, or combine within a ` +
      `${words.warp} first`
    )
  if (json.pattern === 'scattered' && !sites.some((x) => s.fromData[x.site]))
    return (
      `what neighbouring ${words.threads} ask for lies at no one distance: lay ${array} out so that those that ` +
      `ask together fall on different banks, with an odd number of words a row or with columns swizzled by ` +
      `the row (x ^ y)`
    )
  if (json.pattern === 'scattered')
    return (
      `the addresses depend on data: sort them, or give each ${words.warp} a copy of ${array} of its own, laid ` +
      `out so that its ${words.threads} stay on different banks`
    )
  if (bytes > 0 && bytes % banked === 0 && !isInRow(s, sites, bytes))
    return (
      `make each row of ${array} one element longer, so that a column falls on all banks, or swizzle the column ` +
      `(x ^ y)`
    )
  if (bytes >= 64 && bytes % 8 === 0 && !isInRow(s, sites, bytes))
    return (
      `make each row of ${array} an odd number of elements long, so that a column falls on all banks, or ` +
      `swizzle the column (x ^ y)`
    )
  return (
    `let neighbouring ${words.threads} use neighbouring words of ${array} (in a tree, halve the distance ` +
    `instead of doubling it), or make the distance an odd number of words`
  )
}
