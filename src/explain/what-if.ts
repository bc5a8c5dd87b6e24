// In: what the model was given. Out: what it says when a cause is removed. The one idea: a gain is time now ÷ time with
// changed counts, by the same model; nothing else decides what a finding is worth.
import type { GpuProfile } from '../gpus/index.ts'
import type { Counters, Dim3, Kernel, SiteCounters, Trace, Verified } from '../ir/index.ts'
import { predict, type PredictInput } from '../model/index.ts'
import type { SourceAccess } from './accesses.ts'
import type { SiteSteps } from './address-strides.ts'
import type { Finding, Level } from './types.ts'
import type { LanguageWords } from './wording.ts'

/** All that findings are made from. */
export interface Setting {
  readonly input: PredictInput
  readonly words: LanguageWords
  /** The GPU as it is; `input.profile` counts wide warps in halves. */
  readonly gpu: GpuProfile
  readonly list: readonly SourceAccess[]
  /** By site. */
  readonly steps: readonly SiteSteps[]
  /** By site: whether contents of buffers choose its address. */
  readonly fromData: readonly boolean[]
  /** Nanoseconds predicted as it is. */
  readonly now: number
  /** Counts of a changed kernel on the same data; null when it cannot be run. */
  readonly rerun: (
    kernel: Verified<Kernel>,
    grid: Dim3,
  ) => { readonly counters: Counters; readonly trace: Trace } | null
  /** Warp instructions of single blocks, spread over the grid in order. */
  readonly work: Counters['work']
}

/** Time now ÷ time of `changed`; at least 1. */
export const gain = (s: Setting, changed: PredictInput): number => Math.max(1, s.now / predict(changed).ns)

/** The same with some sites changed. */
export function withSites(
  input: PredictInput,
  sites: ReadonlySet<number>,
  change: (s: SiteCounters) => Partial<SiteCounters>,
): PredictInput {
  return {
    ...input,
    counters: {
      ...input.counters,
      sites: input.counters.sites.map((s) => (sites.has(s.site) ? { ...s, ...change(s) } : s)),
    },
  }
}

/** All instruction counts by a factor. */
export function withWarps(input: PredictInput, factor: number): PredictInput {
  const { instructions } = input.counters
  const warpByClass = Object.fromEntries(
    Object.entries(instructions.warpByClass).map(([c, n]) => [c, n * factor]),
  ) as typeof instructions.warpByClass // the same keys
  const executions = input.counters.executions.map((e) => ({ ...e, warps: e.warps * factor }))
  return {
    ...input,
    counters: {
      ...input.counters,
      executions,
      instructions: { ...instructions, warp: instructions.warp * factor, warpByClass },
    },
  }
}

/** Global when the kernel gains at least 2 %; else local, with the site's own ratio. */
export function typed(kernel: number, site: number): Pick<Finding, 'scope' | 'speedup' | 'level'> {
  if (kernel < 1.02) return { scope: 'local', speedup: site, level: 'note' }
  return { scope: 'global', speedup: kernel, level: gainLevel(kernel) }
}

export const gainLevel = (kernel: number): Level => (kernel >= 1.1 ? 'warning' : 'note')

export const sitesIn = (list: readonly SourceAccess[]): ReadonlySet<number> =>
  new Set(list.flatMap((a) => a.sites.map((s) => s.site)))

/** `16,384`. */
export const groupedWhole = (n: number): string => String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
export const launchedBlocks = ({
  input: {
    counters: { grid },
  },
}: Setting): number => grid[0] * grid[1] * grid[2]

/** `3.9`, `32`. */
export const round = (x: number): string => (x >= 10 ? String(Math.round(x)) : String(Math.round(x * 10) / 10))
export const verb = ({ json }: SourceAccess): string =>
  json.op === 'load' ? 'read' : json.op === 'store' ? 'write' : 'atomic on'
export const quote = ({ json }: SourceAccess): string => `\`${json.text}\``

/** ``` `a` and `b` ```, with more than three counted. */
export function listed(items: readonly string[]): string {
  const [first = '', ...rest] = [...new Set(items)]
  if (rest.length > 2) return `${first} and ${rest.length} others`
  return [first, ...rest].length < 2
    ? first
    : `${[first, ...rest.slice(0, -1)].join(', ')} and ${rest[rest.length - 1]}`
}
