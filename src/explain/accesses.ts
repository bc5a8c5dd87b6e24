// In: counters by site. Out: the `accesses` and `totals` of the report. The one idea: a site is what the source writes
// in one place, so copies of it (functions put in place several times, parts of a structure) are added up.
import type { Span } from '../base/index.ts'
import type { BranchCounters, Counters, SiteCounters, Space, Stmt } from '../ir/index.ts'
import { classOfStmt } from '../simulate/index.ts'
import type { AccessJson, ExplainReport, ExplainSource, SumJson } from './types.ts'

export const sourcePlace = (at: Span | undefined): { file: string; line: number; column: number } | null =>
  at ? { file: at.file, line: at.line, column: at.column } : null

const ratio = (a: number, b: number): number => (b === 0 ? 1 : a / b)

/** Useful bytes ÷ bytes moved; of shared memory, ÷ 128 bytes a wavefront. */
const efficiencyOf = (s: { space: Space; usefulBytes: number; movedBytes: number; wavefronts: number }): number =>
  Math.min(1, s.space === 'shared' ? ratio(s.usefulBytes, 128 * s.wavefronts) : ratio(s.usefulBytes, s.movedBytes))

/** An access of the source and the sites that it became. */
export interface SourceAccess {
  readonly json: AccessJson
  readonly sites: readonly SiteCounters[]
}

/** Sites by place in the source, in its order. `banked`: the rule of shared memory's banks is known. */
export function sourceAccesses(
  sites: readonly SiteCounters[],
  source: Pick<ExplainSource, 'text' | 'file' | 'included'>,
  names: ReadonlyMap<string, string>,
  banked: boolean,
  sampling: Counters['sampling'] = null,
): SourceAccess[] {
  const groups = new Map<string, SiteCounters[]>()
  for (const s of sites) {
    const key = [s.at?.file, s.at?.line, s.at?.column, s.resource, s.op, s.bytesPerLane].join()
    const known = groups.get(key)
    if (known) known.push(s)
    else groups.set(key, [s])
  }
  const lines: Lines = new Map([...(source.included ?? []), source].map((f) => [f.file, f.text.split('\n')]))
  return [...groups.values()]
    .map(
      (g): SourceAccess => ({ json: { ...access(g, lines, names, banked), ...uncertaintyOf(g, sampling) }, sites: g }),
    )
    .sort(({ json: a }, { json: b }) => inOrder(a.at, b.at, source.file))
}

/** Half widths add up where copies of an access are: an upper bound. */
function uncertaintyOf(
  group: readonly SiteCounters[],
  sampling: Counters['sampling'],
): Pick<AccessJson, 'uncertainty'> {
  if (!sampling) return {}
  const requests = group.reduce((n, s) => n + s.requests, 0)
  const of = (key: 'sectors' | 'wavefronts'): number =>
    ratio(
      group.reduce((n, s) => n + (sampling.sites[s.site]?.[key] ?? 0) * s.requests, 0),
      Math.max(1, requests),
    )
  return { uncertainty: { sectors: of('sectors'), wavefronts: of('wavefronts') } }
}

/** Places of `own` first, then file by file; each from its top. */
function inOrder(a: AccessJson['at'], b: AccessJson['at'], own: string): number {
  // two in, two out
  const [f, g] = [a?.file ?? own, b?.file ?? own].map((x) => (x === own ? '' : x)) as [string, string]
  return f === g ? (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0) : f < g ? -1 : 1
}

/** The lines of each file. */
type Lines = ReadonlyMap<string, readonly string[]>

const unknownPasses = { efficiency: null, wavefronts: null, worstConflict: null } as const

function access(
  group: readonly SiteCounters[],
  lines: Lines,
  names: ReadonlyMap<string, string>,
  banked: boolean,
): AccessJson {
  const first = group.reduce((a, b) => (b.requests > a.requests ? b : a))
  const sum = (
    key:
      | 'requests'
      | 'threads'
      | 'bytes'
      | 'usefulBytes'
      | 'movedBytes'
      | 'sectors'
      | 'idealSectors'
      | 'lines'
      | 'wavefronts'
      | 'idealWavefronts',
  ): number => group.reduce((n, s) => n + s[key], 0)
  const [usefulBytes, movedBytes, sectors, wavefronts] = [
    sum('usefulBytes'),
    sum('movedBytes'),
    sum('sectors'),
    sum('wavefronts'),
  ]
  return {
    at: sourcePlace(first.at),
    text: textAt(lines, first.at) || (names.get(first.resource) ?? first.resource),
    resource: names.get(first.resource) ?? first.resource,
    space: first.space,
    op: first.op,
    bytesPerLane: first.bytesPerLane,
    requests: sum('requests'),
    threads: sum('threads'),
    bytes: sum('bytes'),
    usefulBytes,
    movedBytes,
    sectors,
    idealSectors: sum('idealSectors'),
    lines: sum('lines'),
    idealWavefronts: sum('idealWavefronts'),
    ...(first.space === 'shared' && !banked
      ? unknownPasses
      : {
          efficiency: efficiencyOf({ space: first.space, usefulBytes, movedBytes, wavefronts }),
          wavefronts,
          worstConflict: Math.max(...group.map((s) => s.worstConflict)),
        }),
    pattern: first.pattern,
    stride: first.stride ?? null,
  }
}

/** Lines of a marked text that are looked at. */
const mostLines = 8

/** The marked text, its lines as one, at most 80 characters, without control characters. */
function textAt(lines: Lines, at: Span | undefined): string {
  if (!at) return ''
  const all = lines.get(at.file) ?? [],
    rest = (all[at.line - 1] ?? '').slice(at.column - 1)
  if (at.length === undefined) return printable(rest.length > 40 ? `${rest.slice(0, 40)}…` : rest)
  const whole = [rest, ...all.slice(at.line, at.line - 1 + mostLines)].join('\n').slice(0, at.length)
  return printable(whole.replace(/\s*\n\s*/g, ' ').slice(0, 80))
}

const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, ' ').trim()

function add(list: readonly AccessJson[]): SumJson {
  const sum = (key: keyof SumJson): number => list.reduce((n, a) => n + (a[key] ?? 0), 0)
  const [usefulBytes, movedBytes, sectors, wavefronts] = [
    sum('usefulBytes'),
    sum('movedBytes'),
    sum('sectors'),
    sum('wavefronts'),
  ]
  return {
    requests: sum('requests'),
    threads: sum('threads'),
    bytes: sum('bytes'),
    usefulBytes,
    movedBytes,
    sectors,
    idealSectors: sum('idealSectors'),
    lines: sum('lines'),
    idealWavefronts: sum('idealWavefronts'),
    ...(list.some((a) => a.wavefronts === null)
      ? { efficiency: null, wavefronts: null }
      : {
          efficiency: efficiencyOf({ space: list[0]?.space ?? 'global', usefulBytes, movedBytes, wavefronts }),
          wavefronts,
        }),
  }
}

export function totals(list: readonly AccessJson[]): ExplainReport['totals'] {
  const of = (space: Space, op?: AccessJson['op']): SumJson =>
    add(list.filter((a) => a.space === space && (op === undefined || a.op === op)))
  const byOp = (space: Space): { load: SumJson; store: SumJson; atomic: SumJson } => ({
    load: of(space, 'load'),
    store: of(space, 'store'),
    atomic: of(space, 'atomic'),
  })
  return {
    global: byOp('global'),
    shared: byOp('shared'),
    texture: byOp('texture'),
    constant: of('constant'),
    local: of('local'),
  }
}

export const warpEfficiency = (c: Counters, warpSize: number): number =>
  Math.min(1, ratio(c.instructions.thread, Math.min(32, warpSize) * c.instructions.warp))

export function branchEfficiency(c: Counters): number {
  const executed = c.branches.reduce((n, b) => n + b.executed, 0)
  const divergent = c.branches.reduce((n, b) => n + b.divergent, 0)
  return executed === 0 ? 1 : 1 - divergent / executed
}

/** Branches that split warps, the most often splitting first. */
export const branchesByDivergence = (c: Counters): readonly BranchCounters[] =>
  c.branches.filter((b) => b.divergent > 0).sort((a, b) => b.divergent - a.divergent)

const floatingClasses = ['fp32', 'fp64', 'sfu'] as const

/** Floating-point operations of one execution of a statement by one thread. */
function operationsOf(s: Stmt): number {
  const each = s.kind === 'op' && s.op === 'fma' ? 2 : 1
  if (s.counts) return each * floatingClasses.reduce((n, c) => n + (s.counts?.[c] ?? 0), 0)
  if (s.free) return 0
  const own = classOfStmt(s)
  return floatingClasses.some((c) => c === own) ? each : 0
}

/** Floating-point operations of all threads: a fused multiplication and addition is two. */
export const floatingOperations = (c: Counters): number =>
  Math.round(c.executions.reduce((n, e) => n + e.lanes * e.statements.reduce((m, s) => m + operationsOf(s), 0), 0))
